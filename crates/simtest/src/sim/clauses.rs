//! Clauses that a run of the floor cannot show deciding something, each with the reason.

use rulebook::Clause;

/// Why a clause does not show in what a floor writes or answers, where it does not.
pub fn beyond(clause: Clause) -> Option<&'static str> {
    let number = clause.rule.to_string();
    BEYOND.iter().find(|(rule, _)| *rule == number).map(|(_, why)| *why)
}

/// Rule numbers, the same in every book that has them.
const BEYOND: &[(&str, &str)] = &[
    ("Appendix B", "a felt with the positions of Appendix A; a table is told apart by its positions alone"),
    ("Appendix C", "likewise, but for MTHB9"),
    ("Appendix D", "a felt with the positions of Appendix C"),
];
