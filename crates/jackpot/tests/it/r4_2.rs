//! 4.2: which hands take which part of the meter, of what is displayed, whatever was wagered.

use crate::script::{check, link_of};

/// The lines of the Megalink books, and hands without a line.
fn megalink(citation: &str) {
    let rows = format!(
        "
        enter T1/1 1:500 | 1:straight-flush@10%
            => entered 0; award 1 P1 straight-flush 1000 ({citation} 4.2); meter 9009.9999
        enter T1/2 1:500 | 1:straight-flush@11% => refused NoSuchLine ({citation} 4.2)
        enter T1/2 1:500 | 1:royal-flush@25% => refused NoSuchLine ({citation} 4.2)
        enter T1/2 1:500 | 1:four-of-a-kind@10% => refused NoSuchLine ({citation} 4.2)
        enter T1/2 1:500 | 2:straight-flush => refused NoWager ({citation} 3.5)
        enter T1/2 1:500 | 1:straight-flush 1:royal-flush => refused ClaimTwice ({citation} 4.2)
        enter T1/2 1:500 | 1:straight-flush 1:straight-flush => refused ClaimTwice ({citation} 4.2)
        enter T1/2 1:500 | 1:royal-flush@100%
            => entered 0; award 2 P1 royal-flush 9009 ({citation} 4.2) reset 10000000; meter 10000000.9999
        "
    );
    check(&format!("{citation} 4.2"), link_of(citation, 0, "10009.9999"), &rows);
}

/// The award does not follow the multiple wagered; the contribution does.
fn not_multiplied(citation: &str) {
    let rows = format!(
        "
        enter T1/1 1:2500 | 1:straight-flush
            => entered 12500000; award 1 P1 straight-flush 10000125 ({citation} 4.2); meter 90001125.0000
        "
    );
    check(&format!("{citation} 4.2"), link_of(citation, 5000, "100000000.0000"), &rows);
}

#[test]
fn mthb9() {
    megalink("MTHB9");
    not_multiplied("MTHB9");
}

#[test]
fn mthb6() {
    megalink("MTHB6");
}

#[test]
fn mssp9() {
    megalink("MSSP9");
    not_multiplied("MSSP9");
}

/// 100% on the flop, 25% on the turn, 5% on the river, each of what is displayed and rounded down.
#[test]
fn thb6() {
    check(
        "THB6 4.2",
        link_of("THB6", 2500, "13328669.5465"),
        "
        enter T1/1 3:500 1:500 2:500 4:500 5:500 6:500 | 3:royal-flush@25%
            => entered 7500000; award 1 P3 royal-flush 3332354 (THB6 4.2); meter 9997065.5465
        enter T1/2 3:500 | 3:royal-flush@5%
            => entered 1250000; award 2 P3 royal-flush 499859 (THB6 4.2); meter 9497331.5465
        enter T1/3 3:500 | 3:royal-flush@100%
            => entered 1250000; award 3 P3 royal-flush 9497456 (THB6 4.2) reset 10000000; meter 10000000.5465
        enter T1/4 3:500 | 3:royal-flush@10% => refused NoSuchLine (THB6 4.2)
        enter T1/4 3:500 1:500 | 3:royal-flush@25% 1:royal-flush@5%
            => entered 2500000; award 4 P1 royal-flush 500012 (THB6 4.2)
            ; award 5 P3 royal-flush 2375059 (THB6 4.2); meter 7125179.5465
        ",
    );
}

/// A claim names its line whole: hand, percentage and where it stands.
#[test]
fn a_line_of_another_table_is_none() {
    let link = link_of("THB6", 0, "10000.0000");
    let command = crate::script::parse(&link, "enter T1/1 1:500 | 1:royal-flush@25%");
    let jackpot::Command::Enter { mut entry } = command else { panic!("an entry") };
    entry.claims[0].rule = "4.2.1".parse().expect("a rule");
    let refusal = link.decide(&jackpot::Command::Enter { entry }).expect_err("no such line there");
    assert_eq!(
        (refusal.reason, refusal.clause.to_string()),
        (jackpot::Reason::NoSuchLine, "THB6 4.2".to_owned())
    );
}

/// The sentence of a refusal can be read aloud, with its clause.
#[test]
fn refusals_read_well() {
    let link = link_of("THB6", 0, "10000.0000");
    let refusal = link.decide(&crate::script::parse(&link, "pay 1 dan.D")).expect_err("nothing to pay");
    assert_eq!(refusal.to_string(), "There is no award with this number. (THB6 4.2)");
    for reason in jackpot::Reason::ALL {
        assert!(reason.sentence().ends_with('.'), "{reason:?}");
    }
}
