//! Two designs side by side say what each says alone.

use lab::exact::Fraction;
use lab::par::{Cell, Design, Funding, Options, Section, compare};

use crate::support::{HOLDEM, LAB, STUD, answer, changed};

fn designs(id: &str, changes: &[&str], funding: Funding) -> Section {
    let (first, second) =
        (changed(id, &[]).expect("a book"), changed(id, changes).expect("changes it takes"));
    let usual = Options::default();
    let other = Options { funding, ..usual };
    let designs =
        [Design { book: &first.book, options: &usual }, Design { book: &second.book, options: &other }];
    compare(&LAB, designs).expect("both are counted")
}

fn figure(section: &Section, name: &str) -> [Fraction; 3] {
    let row = section.tables[0].rows.iter().find(|row| row[0].shown() == name).expect("a figure");
    [1, 2, 3].map(|place| match &row[place] {
        Cell::Exact(fraction, _) => *fraction,
        cell => panic!("{cell:?} is no fraction"),
    })
}

#[test]
fn a_changed_bet_table() {
    let usual = Options::default().funding;
    let section = designs(STUD, &["stud.bet.royal-flush=100 to 1", "stud.bet.two-pairs=3 to 1"], usual);
    let alone =
        [answer(STUD, &[]), answer(STUD, &["stud.bet.royal-flush=100 to 1", "stud.bet.two-pairs=3 to 1"])];
    let [first, second, difference] = figure(&section, "Hold of the Ante");
    assert_eq!([first, second], alone.each_ref().map(|exact| exact.base.net.negated()));
    assert_eq!(difference, second.minus(first));
    // A hand that is listed as changed is played otherwise.
    for row in &section.tables[1].rows {
        let listed = |place: usize| matches!(row[place], Cell::Text(_));
        assert!(listed(1) != listed(2), "{row:?}");
    }
}

#[test]
fn a_hand_that_is_folded_no_more() {
    let section = designs(HOLDEM, &["holdem.ante_pays_from=two-pairs"], Options::default().funding);
    let [.., plays] = &section.tables[..] else { panic!("no tables") };
    assert!(!plays.rows.is_empty(), "an Ante that is paid earlier folds less");
    for row in &plays.rows {
        assert_eq!([row[1].shown(), row[2].shown()], ["fold", "bet"]);
    }
}

/// A contribution and a reset that change move the long run by what goes in, and nothing else.
#[test]
fn another_contribution() {
    let funding = Funding { contribution_bps: 3_000, reserve_bps: 0, reset_cents: 20_000_000 };
    let section = designs(HOLDEM, &[], funding);
    let [first, second, difference] = figure(&section, "Jackpot: hold in the long run");
    // A tenth less of every wager, and a second reset of $100,000 every 649,740 wagers of $5.
    let expected = Fraction::new(1, 10).minus(Fraction::new(20_000, 649_740));
    assert_eq!(difference, expected, "{first} {second}");
    assert!(section.tables[1].rows.is_empty());
    let csv = section.csv();
    assert!(csv.lines().any(|line| line.starts_with("designs,designs,1,Hold of the Ante,first,")), "{csv}");
}
