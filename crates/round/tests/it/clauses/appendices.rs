//! The appendices: layouts and their numbers of positions.

clauses! {
    /// One to six positions.
    appendix_a for [mthb9]
    "
    layout A    => 1 to 6 positions (Appendix A)
    table A 0   => refused, this rulebook has no layout with 0 positions
    table A 1   => table of 1
    table A 6   => table of 6
    table A 7   => refused, layout A has no 7 positions
    "

    /// One to six positions.
    appendix_b for [mthb9]
    "
    layout B    => 1 to 6 positions (Appendix B)
    table B 0   => refused, this rulebook has no layout with 0 positions
    table B 1   => table of 1
    table B 6   => table of 6
    table B 7   => refused, layout B has no 7 positions
    "

    /// One to seven positions.
    appendix_c for [mthb9 mssp9]
    "
    layout C    => 1 to 7 positions (Appendix C)
    table C 0   => refused, this rulebook has no layout with 0 positions
    table C 1   => table of 1
    table C 7   => table of 7
    table C 8   => refused, this rulebook has no layout with 8 positions
    table 8     => refused, this rulebook has no layout with 8 positions
    "

    /// One to seven positions.
    appendix_d for [mthb9 mssp9]
    "
    layout D    => 1 to 7 positions (Appendix D)
    table D 1   => table of 1
    table D 7   => table of 7
    table D 8   => refused, this rulebook has no layout with 8 positions
    "

    /// One to seven positions.
    appendix_a_stud for [mssp9]
    "
    layout A    => 1 to 7 positions (Appendix A)
    table A 1   => table of 1
    table A 7   => table of 7
    table A 8   => refused, this rulebook has no layout with 8 positions
    "

    /// One to seven positions.
    appendix_b_stud for [mssp9]
    "
    layout B    => 1 to 7 positions (Appendix B)
    table B 1   => table of 1
    table B 7   => table of 7
    table B 8   => refused, this rulebook has no layout with 8 positions
    "

    /// Four to six positions.
    appendix_a_v6 for [mthb6]
    "
    layout A    => 4 to 6 positions (Appendix A)
    table A 3   => refused, this rulebook has no layout with 3 positions
    table A 4   => table of 4
    table A 6   => table of 6
    table A 7   => refused, this rulebook has no layout with 7 positions
    table 3     => refused, this rulebook has no layout with 3 positions
    "

    /// Four to six positions.
    appendix_b_v6 for [mthb6]
    "
    layout B    => 4 to 6 positions (Appendix B)
    table B 3   => refused, this rulebook has no layout with 3 positions
    table B 4   => table of 4
    table B 6   => table of 6
    table B 7   => refused, this rulebook has no layout with 7 positions
    "

    /// Four to six positions.
    appendix_c_v6 for [mthb6]
    "
    layout C    => 4 to 6 positions (Appendix C)
    table C 3   => refused, this rulebook has no layout with 3 positions
    table C 4   => table of 4
    table C 6   => table of 6
    table C 7   => refused, this rulebook has no layout with 7 positions
    "

    /// Four to six positions.
    appendix_d_v6 for [mthb6]
    "
    layout D    => 4 to 6 positions (Appendix D)
    table D 3   => refused, this rulebook has no layout with 3 positions
    table D 4   => table of 4
    table D 6   => table of 6
    table D 7   => refused, this rulebook has no layout with 7 positions
    "

    /// The one layout of the book: four to seven positions.
    appendix_a_only for [thb6]
    "
    layout A    => 4 to 7 positions (Appendix A)
    table A 3   => refused, this rulebook has no layout with 3 positions
    table A 4   => table of 4
    table A 7   => table of 7
    table A 8   => refused, this rulebook has no layout with 8 positions
    table B 4   => refused, layout B has no 4 positions
    table 3     => refused, this rulebook has no layout with 3 positions
    "
}
