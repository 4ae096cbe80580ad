//! What views look like: a round of hold'em and of stud stage by stage, the desk through an award's life, its slip.

use floor::DeskCommand;
use floor::view::{DeskView, EventKind, PitView, SlipView, Viewer, amount_in_words, date_and_time};
use jackpot::AwardNumber;
use journal::{Event, LinkEvent, Moment, Stream, Version};
use money::Money;
use round::{Command, Stage, chips};
use rulebook::{PlayingArea, Position};
use serde::Serialize;
use serde_json::Value;

use crate::support::{Cards, Hall, by_player, cards, checked, dealer, dollars, link, staff, table};
use crate::view_support::{as_player, as_staff, entries, of_table, seen, told};

/// One line a field, and one an element of the fields that are lists: a change shows in review.
fn lines(view: &impl Serialize) -> String {
    let Value::Object(fields) = serde_json::to_value(view).expect("a view can be written") else {
        panic!("a view is an object");
    };
    let mut text = String::new();
    for (name, value) in fields {
        match value {
            Value::Array(elements) if elements.iter().any(Value::is_object) => {
                text += &format!("{name}:\n");
                text.extend(elements.iter().map(|element| format!("  {element}\n")));
            }
            Value::Object(inner) => {
                text += &format!("{name}:\n");
                for (name, value) in inner {
                    match value {
                        Value::Array(elements) if elements.iter().any(Value::is_object) => {
                            text += &format!("  {name}:\n");
                            text.extend(elements.iter().map(|element| format!("    {element}\n")));
                        }
                        value => text += &format!("  {name}: {value}\n"),
                    }
                }
            }
            value => text += &format!("{name}: {value}\n"),
        }
    }
    text
}

/// A word as an API writes it.
fn word(kind: EventKind) -> String {
    let text = serde_json::to_value(kind).expect("written");
    text.as_str().expect("a word").to_owned()
}

/// A round at a table, told stage by stage to Ann and, in short, to the Dealer; and then the whole feed.
fn stages(name: &str, cards: &Cards) -> String {
    let mut hall = Hall::open();
    let mut text = String::new();
    let mut show = |hall: &Hall| {
        let view = seen(hall, name, &as_player("Ann"));
        text += &format!("## {:?}\n{}", hall.round(name).stage(), lines(&view));
        let staff = seen(hall, name, &as_staff("Dora"));
        let next = staff.choices.into_iter().find(|choice| choice.next);
        text += &format!("next for the Dealer: {}\n", serde_json::to_value(next).expect("written"));
        if !staff.paying.is_empty() {
            text += "paying:\n";
            text.extend(
                staff
                    .paying
                    .iter()
                    .map(|step| format!("  {}\n", serde_json::to_value(step).expect("written"))),
            );
        }
        text += "\n";
    };
    show(&hall);
    for (position, who) in [(1, "Ann"), (2, "Bob")] {
        hall.seat(name, position, who);
    }
    hall.play(&dealer(), name, Command::OpenBets {});
    for (position, who) in [(1, "Ann"), (2, "Bob")] {
        hall.bet(name, position, who, PlayingArea::Ante, dollars(100));
        hall.bet(name, position, who, PlayingArea::Jackpot, dollars(5));
    }
    show(&hall);
    hall.play(&dealer(), name, Command::CloseBets {});
    let mut viewed = false;
    loop {
        show(&hall);
        match hall.round(name).stage() {
            Stage::Dealing => hall.deal(name, cards),
            Stage::Exposing(_) => drop(hall.play(&dealer(), name, Command::Expose {})),
            Stage::Deciding(area) => {
                if !viewed {
                    hall.play(&by_player("Ann"), name, Command::ViewHand { position: Position(1) });
                    viewed = true;
                }
                let river = area == PlayingArea::River;
                let decision = if river { round::Decision::Check } else { round::Decision::Wager };
                for (position, who) in [(Position(1), "Ann"), (Position(2), "Bob")] {
                    hall.play(&by_player(who), name, Command::Decide { position, decision });
                }
            }
            Stage::Showing => {
                for (position, who) in [(Position(1), "Ann"), (Position(2), "Bob")] {
                    hall.play(&by_player(who), name, Command::ShowHand { position });
                }
            }
            Stage::Settling => drop(hall.play(&dealer(), name, Command::Settle {})),
            _ => break,
        }
    }
    text += "## told to Bob\n";
    for entry in told(&hall, &of_table(name), &as_player("Bob")) {
        text += &format!("{:>3} {:<22} {}\n", entry.version, word(entry.kind), entry.sentence);
    }
    text
}

#[test]
fn a_round_of_holdem() {
    let cards =
        Cards::default().hand(1, "Ah Ad").hand(2, "9c 8c").community("As Kd 7h 7c 2s").dealer("Kh Qh");
    insta::assert_snapshot!(stages("H1", &cards));
}

#[test]
fn a_round_of_stud() {
    let cards = Cards::default().hand(1, "Ah Ad 9s 9d 2c").hand(2, "3c 4d 6h 8s Tc").dealer("Kh Ks 5d 6c 7d");
    insta::assert_snapshot!(stages("S1", &cards));
}

/// The sign, the desk and the slip of a royal flush from the table to the winner.
#[test]
fn an_award_from_entry_to_payment() {
    let mut hall = Hall::open();
    let royal =
        Cards::default().hand(1, "Ah Kh").hand(2, "9c 9d").community("Qh Jh Th 2c 3d").dealer("4s 5s");
    hall.whole_round("H1", &["Ann", "Bob"], &royal);
    let number = AwardNumber(1);
    let view = |hall: &Hall| {
        let view = DeskView::of(&hall.floor, &link("mega"), Version(9), &as_staff("Mia"));
        lines(&view.expect("the staff may see the desk"))
    };
    let mut text = format!("## entered\n{}\n", view(&hall));
    let checklist = checked();
    hall.desk(&staff("Sue"), "mega", DeskCommand::Verify { award: number, checklist });
    text += &format!("## verified\n{}\n", view(&hall));
    hall.desk(&staff("Mia"), "mega", DeskCommand::Approve { award: number });
    text += &format!("## approved\n{}\n", view(&hall));
    let reference = "CDD 2026/117".to_owned();
    hall.desk(&staff("Sam"), "mega", DeskCommand::RecordDueDiligence { award: number, reference });
    hall.desk(&staff("Dan"), "mega", DeskCommand::Pay { award: number, means: None });
    text += &format!("## paid\n{}\n", view(&hall));
    let log = entries(&hall, &Stream::Link(link("mega")));
    let entered = log.iter().find(|entry| {
        let event = journal::decode(&entry.body).expect("it was written");
        matches!(event, Event::Link(LinkEvent::Jackpot(jackpot::Event::AwardEntered { .. })))
    });
    let desk = hall.floor.link(&link("mega")).expect("a link");
    let hand = cards("Ah Kh Qh Jh Th");
    let slip = SlipView::of("The House", &link("mega"), desk, number, entered.expect("entered"), &[], &hand);
    text += &format!("## slip\n{}", lines(&slip.expect("there is such an award")));
    text += "\n## told to everybody\n";
    for entry in told(&hall, &Stream::Link(link("mega")), &Viewer::Public) {
        text += &format!("{:>3} {:<22} {}\n", entry.version, word(entry.kind), entry.sentence);
    }
    insta::assert_snapshot!(text);
}

/// The pit sorts by what needs a person, and is for the staff alone.
#[test]
fn the_pit_puts_first_what_needs_a_person() {
    let mut hall = Hall::open();
    hall.ready("S1", &["Ann"]);
    hall.ready("X2", &["Bob"]);
    hall.play(&journal::Actor::System, "X2", Command::ReportPowerFailure {});
    hall.desk(&dealer(), "mega", DeskCommand::LoseTable { table: table("H2") });
    let pit =
        PitView::of(&hall.floor, &as_staff("Sue"), journal::Moment(0)).expect("the staff may see the pit");
    let first: Vec<(&str, usize)> =
        pit.tables.iter().take(3).map(|row| (row.table.name(), row.needs.len())).collect();
    assert_eq!(first, [("X2", 1), ("H2", 1), ("H1", 0)]);
    assert_eq!(PitView::of(&hall.floor, &as_player("Ann"), journal::Moment(0)), None);
    assert_eq!(DeskView::of(&hall.floor, &link("mega"), Version(1), &Viewer::Public), None);
    insta::assert_snapshot!(lines(&pit));
}

#[test]
fn amounts_in_words() {
    let words = |cents| amount_in_words(Money::from_cents(cents));
    for (cents, text) in [
        (0, "zero dollars"),
        (1, "zero dollars and one cent"),
        (100, "one dollar"),
        (2_150, "twenty-one dollars and fifty cents"),
        (11_999, "one hundred and nineteen dollars and ninety-nine cents"),
        (100_000, "one thousand dollars"),
        (1_200_500, "twelve thousand and five dollars"),
        (
            128_407_735,
            "one million two hundred and eighty-four thousand and seventy-seven dollars and thirty-five cents",
        ),
        (100_010_000, "one million one hundred dollars"),
        (10_000_000_000_000, "one hundred billion dollars"),
        (
            u64::MAX,
            "one hundred and eighty-four quadrillion four hundred and sixty-seven trillion four hundred and \
             forty billion seven hundred and thirty-seven million ninety-five thousand five hundred and \
             sixteen dollars and fifteen cents",
        ),
    ] {
        assert_eq!(words(cents), text);
    }
}

#[test]
fn moments_as_dates() {
    for (moment, text) in [
        (0, "1970-01-01 00:00:00"),
        (951_782_399_000, "2000-02-28 23:59:59"),
        (951_782_400_000, "2000-02-29 00:00:00"),
        (951_868_800_000, "2000-03-01 00:00:00"),
        (1_794_724_098_123, "2026-11-15 06:28:18"),
        (4_107_542_399_999, "2100-02-28 23:59:59"),
        (4_107_542_400_000, "2100-03-01 00:00:00"),
    ] {
        assert_eq!(date_and_time(Moment(moment)), text);
    }
}

/// Chips add up to the amount, whatever it is, and are few.
#[test]
fn chips_make_up_any_amount() {
    let stacks = |cents| {
        let stacks = chips(Money::from_cents(cents)).into_iter();
        stacks.map(|stack| (stack.denomination.cents(), stack.count)).collect::<Vec<_>>()
    };
    assert_eq!(stacks(0), []);
    assert_eq!(stacks(5_000), [(5_000, 1)]);
    assert_eq!(
        stacks(123_456),
        [(100_000, 1), (10_000, 2), (2_500, 1), (500, 1), (100, 4), (50, 1), (5, 1), (1, 1)]
    );
    for cents in (0..2_000_000).step_by(733) {
        let sum: u64 = stacks(cents).iter().map(|(worth, count)| worth * count).sum();
        assert_eq!(sum, cents);
    }
}
