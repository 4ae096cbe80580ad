//! 3.5.3 at the controller: wagers are of a multiple the book allows, and a table without its link takes none.

use jackpot::Reason;

use crate::script::{check, link, link_of, parameters, pool};

/// The multiples of version 9 run from one to five.
fn one_to_five(citation: &str) {
    let rows = format!(
        "
        enter T1/1 1:500 2:1000 3:1500 4:2000 5:2500 => entered 37500000; meter 100003750.0000
        enter T1/2 1:3000 => refused NotAMultiple ({citation} 3.5.3)
        enter T1/2 1:499 => refused NotAMultiple ({citation} 3.5.3)
        enter T1/2 1:501 => refused NotAMultiple ({citation} 3.5.3)
        enter T1/2 1:0 => refused NotAMultiple ({citation} 3.5.3)
        enter T1/2 1:500 2:500 1:500 => refused WagerTwice ({citation} 3.4.2)
        enter T1/2 0:500 => refused NoSuchPosition ({citation} 2.2.2)
        enter T1/2 8:500 => refused NoSuchPosition ({citation} 2.2.2)
        enter T1/2 7:500 => entered 2500000; meter 100004000.0000
        "
    );
    check(&format!("{citation} 3.5.3"), link_of(citation, 5000, "100000000.0000"), &rows);
}

/// Version 6 has one fixed wager.
fn one_only(citation: &str, positions: u8) {
    let beyond = positions + 1;
    let rows = format!(
        "
        enter T1/1 1:500 {positions}:500 => entered 5000000; meter 100000500.0000
        enter T1/2 1:1000 => refused NotAMultiple ({citation} 3.5.3)
        enter T1/2 {beyond}:500 => refused NoSuchPosition ({citation} 2.2.2)
        "
    );
    check(&format!("{citation} 3.5.3"), link_of(citation, 5000, "100000000.0000"), &rows);
}

/// A lost table cannot enter rounds; the others continue; a restored one enters what it played.
fn lost_and_restored(citation: &str) {
    let rows = format!(
        "
        enter T1/1 1:500 => entered 2500000; meter 100000250.0000
        restore T1 => refused TableIsNotLost ({citation} 3.5.3)
        lose T1 => lost T1
        lose T1 => refused TableIsLost ({citation} 3.5.3)
        enter T1/2 1:500 => refused TableIsLost ({citation} 3.5.3)
        enter T2/1 1:500 => entered 2500000; meter 100000500.0000
        restore T1 => restored T1
        enter T1/1 1:500 => refused RoundIsEntered ({citation} 3.14)
        enter T1/2 1:500 => entered 2500000; meter 100000750.0000
        "
    );
    let link = check(&format!("{citation} 3.5.3"), link_of(citation, 5000, "100000000.0000"), &rows);
    assert!(link.reaches(&jackpot::TableId::new("T1")) && link.reaches(&jackpot::TableId::new("T9")));
}

#[test]
fn mthb9() {
    one_to_five("MTHB9");
    lost_and_restored("MTHB9");
}

#[test]
fn mssp9() {
    one_to_five("MSSP9");
    lost_and_restored("MSSP9");
}

#[test]
fn mthb6() {
    one_only("MTHB6", 6);
    lost_and_restored("MTHB6");
}

#[test]
fn thb6() {
    one_only("THB6", 7);
    lost_and_restored("THB6");
}

/// A contribution that no round can bring is a fault at the table: the limit itself is plausible, a
/// ten-thousandth more is not. The reserve's part counts. A link is opened today with a limit that allows every
/// round of the rules; these have a lower one, as links of older logs may.
#[test]
fn implausible_contributions() {
    let mut figures = parameters(5000);
    figures.reserve = Some(crate::script::rate(1000));
    figures.round_contribution_max = pool("600.0000");
    let rows = "
        enter T1/1 1:1000 => entered 5000000 reserve 100.0000; meter 100000500.0000
        enter T1/2 1:1500 => refused ContributionImplausible (MTHB9 3.5.3)
        enter T1/2 1:500 2:500 3:500 => refused ContributionImplausible (MTHB9 3.5.3)
        ";
    check("MTHB9 3.5.3", link(&[crate::script::book("MTHB9")], figures, "100000000.0000"), rows);
    figures.round_contribution_max = pool("599.9999");
    let rows = "enter T1/1 1:1000 => refused ContributionImplausible (MTHB9 3.5.3)";
    check("MTHB9 3.5.3", link(&[crate::script::book("MTHB9")], figures, "100000000.0000"), rows);
}

/// At the lowest limit it may be opened with, a link takes the largest possible round.
#[test]
fn a_full_table_is_plausible() {
    let figures = parameters(10_000);
    let settings = jackpot::Settings::new(figures).expect("settings of the tests");
    let book = crate::script::book("MTHB9");
    assert_eq!(settings.check_bound([book.as_ref()]), Ok(()));
    let rows = "
        enter T1/1 1:2500 2:2500 3:2500 4:2500 5:2500 6:2500 7:2500 => entered 175000000; meter 100017500.0000
        enter T1/2 1:3000 => refused NotAMultiple (MTHB9 3.5.3)
        ";
    check("MTHB9 3.5.3", link(&[book], figures, "100000000.0000"), rows);
}

/// The checks of an entry, each fault corrected in turn: the reasons come in the order of their list.
#[test]
fn the_most_basic_reason_comes_first() {
    let mut figures = parameters(5000);
    figures.round_contribution_max = pool("8000.0000");
    let rows = "
        enter T1/1 1:500 => entered 2500000; meter 100000250.0000
        lose T1 => lost T1
        enter T1/1 MSSP9 terms=9 0:5 0:7 | 9:flush@9% 9:royal-flush => refused BookNotLinked (MSSP9 3.14)
        enter T1/1 terms=9 0:5 0:7 | 9:flush@9% 9:royal-flush => refused TableIsLost (MTHB9 3.5.3)
        restore T1 => restored T1
        enter T1/1 terms=9 0:5 0:7 | 9:flush@9% 9:royal-flush => refused RoundIsEntered (MTHB9 3.14)
        enter T1/2 terms=9 0:5 0:7 | 9:flush@9% 9:royal-flush => refused NoSuchTerms (MTHB9 3.5.3)
        enter T1/2 0:5 0:7 | 9:flush@9% 9:royal-flush => refused NoSuchPosition (MTHB9 2.2.2)
        enter T1/2 1:5 1:7 | 9:flush@9% 9:royal-flush => refused WagerTwice (MTHB9 3.4.2)
        enter T1/2 1:5 4:7 | 9:flush@9% 9:royal-flush => refused NotAMultiple (MTHB9 3.5.3)
        enter T1/2 1:2500 2:2500 3:2500 4:2500 5:2500 6:2500 7:2500 | 9:flush@9% 9:royal-flush
            => refused ContributionImplausible (MTHB9 3.5.3)
        enter T1/2 1:500 2:500 | 9:flush@9% 9:royal-flush => refused NoWager (MTHB9 3.5)
        enter T1/2 1:500 2:500 | 1:flush@9% 1:royal-flush => refused NoSuchLine (MTHB9 4.2)
        enter T1/2 1:500 2:500 | 1:straight-flush 1:royal-flush 2:royal-flush => refused ClaimTwice (MTHB9 4.2)
        enter T1/2 1:500 2:500 | 1:royal-flush 2:royal-flush => refused OneRoyalOnly (MTHB9 3.15.2)
        enter T1/2 1:500 2:500 | 1:royal-flush
            => entered 5000000; award 1 P1 royal-flush 100000750 (MTHB9 4.2) reset 10000000; meter 10000000.0000
        ";
    check("MTHB9 3.5.3", link(&[crate::script::book("MTHB9")], figures, "100000000.0000"), rows);
    let named = rows.lines().filter_map(|line| line.split("refused ").nth(1)?.split(' ').next());
    let places = named.map(|name| Reason::ALL.iter().position(|reason| format!("{reason:?}") == name));
    assert!(places.is_sorted_by(|one, next| one < next), "each reason is less basic than the one before");
}
