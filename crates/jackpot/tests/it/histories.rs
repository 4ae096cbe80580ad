//! Random histories of a link: commands, most of them valid.

use std::collections::BTreeMap;

use cards::HandOrder;
use jackpot::{
    Award, AwardNumber, AwardState, Cause, Checklist, Claim, Command, Destination, Entry, EntryId, FaultKind,
    FaultNumber, FixedPrize, Link, Pair, Parameters, RejectCause, Settings, Signature, TableId, Terms,
    Undone, Wager,
};
use money::{Money, Percent, Pool};
use proptest::prelude::*;
use proptest::sample::select;
use rulebook::{Office, Pays, Position, Rule};

use crate::script::{book, cents_of, rate};

const BOOKS: [&str; 3] = ["MSSP9", "MTHB9", "MTHB6"];

fn signature() -> impl Strategy<Value = Signature> {
    let person = select(vec!["ann", "bob", "cyd", "dan", "eve", "gus", "kim"]);
    let office = select(Office::ALL.to_vec());
    (person, office).prop_map(|(person, office)| Signature::in_office(person, office))
}

/// Two people whose offices allow everything.
pub(crate) fn able(first: &str, second: &str) -> Pair {
    let high = |person: &str| Signature::in_office(person, Office::GamingShiftManager);
    Pair { first: high(first), second: high(second) }
}

/// Usually two people whose offices allow everything.
fn pair() -> impl Strategy<Value = Pair> {
    let able = select(vec!["gus", "leo", "mia", "ned"]).prop_map(|person| able(person, "oda"));
    let any = (signature(), signature()).prop_map(|(first, second)| Pair { first, second });
    prop_oneof![3 => able, 1 => any]
}

fn settings() -> impl Strategy<Value = Settings> {
    let cap = proptest::option::of(0_u64..2_000_000);
    (0_u64..=8_000, proptest::option::of(0_u64..=2_000), 1_u64..100_000, cap).prop_map(
        |(points, reserve, reset, room)| {
            let figures = Parameters {
                minimum_wager: cents_of("500"),
                contribution: rate(points),
                reset: Money::from_cents(reset),
                reserve: reserve.map(rate),
                cap: room.map(|room| Money::from_cents(reset + room)),
                round_contribution_max: Pool::from_ten_thousandths(30_000_000),
            };
            Settings::new(figures).expect("drawn without contradiction")
        },
    )
}

/// A link of all three games, at a meter within its cap.
pub(crate) fn links() -> impl Strategy<Value = Link> {
    (settings(), 0_u64..20_000_000_000).prop_map(opened)
}

/// The same, sometimes with a meter almost too large to store.
pub(crate) fn links_of_any_size() -> impl Strategy<Value = Link> {
    let meter = prop_oneof![20 => 0_u64..20_000_000_000, 1 => u64::MAX - 2_000_000_000..=u64::MAX];
    (settings(), meter).prop_map(opened)
}

fn opened((settings, meter): (Settings, u64)) -> Link {
    let cap = settings.parameters().cap.map_or(u64::MAX, |cap| cap.cents() * 10_000);
    let books = BOOKS.map(book).to_vec();
    Link::new(books, settings, Pool::from_ten_thousandths(meter.min(cap))).expect("books that share")
}

/// Entries, most of them valid: the correct terms are looked up when the entry is sent.
pub(crate) fn entry() -> impl Strategy<Value = Entry> {
    let hand = prop_oneof![6 => Just(None), 2 => Just(Some(0)), 2 => Just(Some(1))];
    let position = (proptest::option::weighted(0.6, 1_u64..=2), hand);
    let odd = prop_oneof![30 => Just(None), 1 => (0_u8..9, 0_u64..3_000).prop_map(Some)];
    let stray = prop_oneof![
        20 => Just(None),
        1 => (1_u8..7, select(vec![10, 25, 100])).prop_map(Some),
    ];
    let id = (select(vec!["T1", "T2", "T3"]), 1_u64..14);
    let citation = prop_oneof![30 => select(BOOKS.to_vec()), 1 => Just("THB6")];
    let positions = proptest::collection::vec(position, 6);
    (id, citation, 0_u32..3, positions, (odd, stray)).prop_map(
        |((table, round), citation, terms, positions, (odd, stray))| {
            let book = book(citation);
            let mut entry = Entry {
                id: EntryId { table: TableId::new(table), round },
                book: book.citation,
                terms: Terms(terms),
                wagers: Vec::new(),
                claims: Vec::new(),
                fixed: Vec::new(),
                shown: None,
                counted: None,
            };
            for (at, (times, hand)) in (1..).zip(positions) {
                let Some(times) = times else { continue };
                let times = if *book.jackpot.multiples.end() == 1 { 1 } else { times };
                entry.wagers.push(Wager { position: Position(at), amount: Money::from_cents(500 * times) });
                let line = hand.map(|line: usize| book.jackpot.lines[line]);
                let first_royal = || !entry.claims.iter().any(|claim| claim.percent.value() == 100);
                if let Some(line) =
                    line.filter(|_| book.jackpot.sharing.royal_flush.is_some() || first_royal())
                {
                    let Pays::Share(percent) = line.pays else { continue };
                    entry.claims.push(Claim {
                        position: Position(at),
                        hand: line.hand,
                        percent,
                        rule: line.rule,
                    });
                }
            }
            if let Some((at, percent)) = stray {
                let hand = if percent == 10 { HandOrder::StraightFlush } else { HandOrder::RoyalFlush };
                let percent = Percent::new(percent).expect("a percentage");
                entry.claims.push(Claim { position: Position(at), hand, percent, rule: rulebook::R4_2 });
            }
            if let Some((at, amount)) = odd {
                entry.wagers.push(Wager { position: Position(at), amount: Money::from_cents(amount) });
            }
            entry
        },
    )
}

fn number() -> impl Strategy<Value = AwardNumber> {
    (0_u64..10).prop_map(AwardNumber)
}

fn checklist() -> impl Strategy<Value = Checklist> {
    let sound = Just(Checklist { cards_checked: true, deck_cards: 52, custody: None });
    prop_oneof![9 => sound, 1 => (any::<bool>(), 50_u8..54).prop_map(|(cards_checked, deck_cards)| Checklist { cards_checked, deck_cards, custody: None })]
}

pub(crate) fn undone() -> impl Strategy<Value = Undone> {
    let hands = proptest::collection::vec((0_u8..7).prop_map(Position), 0..3);
    prop_oneof![Just(Undone::Round), hands.prop_map(Undone::Hands)]
}

/// At most one fixed payout, of a full house.
fn fixed() -> impl Strategy<Value = Vec<FixedPrize>> {
    let prize = (1_u8..4, 1_u64..100_000).prop_map(|(at, cents)| FixedPrize {
        position: Position(at),
        hand: HandOrder::FullHouse,
        amount: Money::from_cents(cents),
    });
    proptest::collection::vec(prize, 0..2)
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![9 => Just("sensor replaced".to_owned()), 1 => Just("  ".to_owned())]
}

fn pool() -> impl Strategy<Value = Pool> {
    prop_oneof![4 => 0_u64..2_000_000_000, 1 => any::<u64>(), 1 => Just(0)]
        .prop_map(Pool::from_ten_thousandths)
}

pub(crate) fn command() -> impl Strategy<Value = Command> {
    let amount = pool();
    let cents = prop_oneof![4 => 0_u64..200_000, 1 => any::<u64>(), 1 => Just(0)].prop_map(Money::from_cents);
    let id = (select(vec!["T1", "T2", "T3", "T4"]), 1_u64..14)
        .prop_map(|(table, round)| EntryId { table: TableId::new(table), round });
    let rule = select(vec![Rule::new([5, 3, 0, 0]), Rule::new([5, 7, 0, 0]), Rule::new([3, 1, 0, 0])]);
    let table = || select(vec!["T1", "T2"]).prop_map(TableId::new);
    prop_oneof![
        12 => entry().prop_map(|entry| Command::Enter { entry }),
        5 => (number(), checklist(), signature())
            .prop_map(|(award, checklist, by)| Command::Verify { award, checklist, by }),
        5 => (number(), signature()).prop_map(|(award, by)| Command::Approve { award, by }),
        3 => (number(), words(), signature())
            .prop_map(|(award, reference, by)| Command::RecordDueDiligence { award, reference, by }),
        5 => (number(), signature()).prop_map(|(award, by)| Command::Pay { award, means: None, by }),
        4 => (number(), select(RejectCause::ALL.to_vec()), pair())
            .prop_map(|(award, cause, by)| Command::Reject { award, cause, by }),
        2 => (number(), cents, words(), pair())
            .prop_map(|(award, amount, words, by)| Command::RuleOnAward { award, amount, words, by }),
        3 => (number(), words(), pair())
            .prop_map(|(award, words, by)| Command::ReleaseAward { award, words, by }),
        3 => (id.clone(), fixed(), rule.clone())
            .prop_map(|(entry, fixed, rule)| Command::CorrectFixed { entry, fixed, rule }),
        5 => (id, undone(), rule, pair())
            .prop_map(|(entry, undone, rule, by)| Command::ReverseEntry { entry, undone, rule, by }),
        4 => (select(Cause::ALL.to_vec()), amount, words(), pair())
            .prop_map(|(cause, amount, words, by)| Command::Adjust { cause, amount, words, about: None, by }),
        2 => (settings(), pair()).prop_map(|(settings, by)| Command::Reconfigure { settings, by }),
        1 => (select(FaultKind::ALL.to_vec()), proptest::option::of(table()), words()).prop_map(
            |(kind, table, seen)| Command::ReportFault { kind, table, seen, counted: None }),
        4 => (1_u64..6, words(), pair())
            .prop_map(|(fault, words, by)| Command::ClearFault { fault: FaultNumber(fault), words, by }),
        1 => (words(), pair())
            .prop_map(|(words, by)| Command::AnnounceClosing { to: Destination::House, words, by }),
        1 => pair().prop_map(|by| Command::Close { by }),
        1 => (pool(), pair())
            .prop_map(|(amount, by)| Command::Receive { from: "other".to_owned(), amount, by }),
        1 => table().prop_map(|table| Command::LoseTable { table, silent: false }),
        2 => table().prop_map(|table| Command::RestoreTable { table }),
    ]
}

/// The first award in a state, or the one named.
fn next(link: &Link, state: AwardState, otherwise: AwardNumber) -> AwardNumber {
    let mut queue = link.payment_queue().into_iter();
    queue.find(|award| award.state == state).map_or(otherwise, |award| award.number)
}

/// Usually entries are sent under terms the link has had, and reversals for the round a table really played last.
/// Otherwise a random history would consist mostly of refusals.
pub(crate) fn made_likely(command: Command, link: &Link, last: &BTreeMap<TableId, u64>) -> Command {
    match command {
        Command::Enter { mut entry } if entry.id.round % 5 != 0 => {
            entry.terms = Terms(entry.terms.0.min(link.terms().0));
            entry.id.round = last.get(&entry.id.table).copied().unwrap_or(0) + 1;
            let counted = link.counted(&entry.id.table);
            entry.counted = Some(if entry.id.round % 7 == 0 { counted.and(500) } else { counted });
            Command::Enter { entry }
        }
        Command::ReverseEntry { mut entry, undone, rule, by } if entry.round % 3 != 0 => {
            entry.round = last.get(&entry.table).copied().unwrap_or(1);
            Command::ReverseEntry { entry, undone, rule, by }
        }
        Command::CorrectFixed { mut entry, fixed, rule } if entry.round % 3 != 0 => {
            entry.round = last.get(&entry.table).copied().unwrap_or(1);
            Command::CorrectFixed { entry, fixed, rule }
        }
        Command::RuleOnAward { award, amount, words, by } if amount.cents() % 7 == 1 => {
            let amount = link.award(award).map_or(amount, |award| award.amount);
            Command::RuleOnAward { award, amount, words, by }
        }
        // Paid awards are ruled on too, and steps are taken in their order, or nothing would ever be final.
        Command::RuleOnAward { award, amount, words, by } if amount.cents() % 3 == 1 => {
            let paid = link.awards().iter().find(|award| award.state == AwardState::Paid);
            let Some(paid) = paid else { return Command::RuleOnAward { award, amount, words, by } };
            let amount = paid.amount.plus(Money::from_cents(amount.cents() % 4)).unwrap_or(amount);
            Command::RuleOnAward { award: paid.number, amount, words, by }
        }
        Command::Approve { award, by } if award.0 % 2 == 0 => {
            Command::Approve { award: next(link, AwardState::Verified, award), by }
        }
        Command::Verify { award, checklist, by } if award.0 % 2 == 0 => {
            Command::Verify { award: next(link, AwardState::Entered, award), checklist, by }
        }
        Command::Pay { award, means, by } if award.0 % 2 == 0 => {
            Command::Pay { award: next(link, AwardState::Approved, award), means, by }
        }
        Command::RecordDueDiligence { award, reference, by } if award.0 % 2 == 0 => {
            let lacks = |award: &&Award| award.needs_due_diligence() && award.due_diligence.is_none();
            let award = link.open_awards().find(lacks).map_or(award, |award| award.number);
            Command::RecordDueDiligence { award, reference, by }
        }
        Command::Reconfigure { settings, by } if settings.parameters().reset.cents() % 7 == 1 => {
            Command::Reconfigure { settings: *link.settings(), by }
        }
        other => other,
    }
}
