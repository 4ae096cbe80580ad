//! One meter, four tables, four claims: the hands of each scenario, and the commands at the desk.

use std::sync::Arc;

use cards::{Card, HandOrder, HandRank};
use jackpot::{
    AwardNumber, Checklist, Claim, Command, Entry, EntryId, Link, Pair, Parameters, RejectCause, Settings,
    Signature, TableId, Terms, Undone, Wager,
};
use money::{Money, Percent, Pool, Rate};
use rulebook::{Office, Pays, Position, R5_3, Rulebook};

/// Which hands win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scenario {
    /// A straight flush and a royal flush in one round; a straight flush and a royal flush at two other tables.
    FlushAndRoyal,
    /// Two royal flushes share in one round; a straight flush at each of two other tables.
    RoyalsShare,
    /// Two straight flushes share in one round; a royal flush at each of two other tables.
    FlushesShare,
}

pub(super) const CLAIMS: u64 = 4;

/// The rounds that are entered: a table, and the winning hands there. The last table only contributes.
type Rounds = [(&'static str, &'static [&'static str]); 4];

const ROYAL: &str = "Ts Js Qs Ks As";
const OTHER_ROYAL: &str = "Th Jh Qh Kh Ah";
const FLUSH: &str = "5h 6h 7h 8h 9h";
const OTHER_FLUSH: &str = "2c 3c 4c 5c Ac";

impl Scenario {
    /// Every scenario.
    pub const ALL: [Scenario; 3] = [Scenario::FlushAndRoyal, Scenario::RoyalsShare, Scenario::FlushesShare];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Scenario::FlushAndRoyal => "flush-and-royal",
            Scenario::RoyalsShare => "royals-share",
            Scenario::FlushesShare => "flushes-share",
        }
    }

    const fn rounds(self) -> Rounds {
        match self {
            Scenario::FlushAndRoyal => {
                [("A", &[FLUSH, ROYAL]), ("B", &[OTHER_FLUSH]), ("C", &[OTHER_ROYAL]), ("D", &[])]
            }
            Scenario::RoyalsShare => {
                [("A", &[OTHER_ROYAL, ROYAL]), ("B", &[FLUSH]), ("C", &[OTHER_FLUSH]), ("D", &[])]
            }
            Scenario::FlushesShare => {
                [("A", &[FLUSH, OTHER_FLUSH]), ("B", &[ROYAL]), ("C", &[OTHER_ROYAL]), ("D", &[])]
            }
        }
    }

    /// The rounds, as their tables enter them.
    pub(super) fn entries(self) -> Vec<Entry> {
        let book = book();
        self.rounds().iter().map(|(table, hands)| entry(&book, table, hands)).collect()
    }
}

/// A new link. Its figures are odd on purpose, so that divisions leave a remainder.
pub(super) fn link() -> Link {
    let parameters = Parameters {
        minimum_wager: Money::from_cents(517),
        contribution: Rate::from_basis_points(1_003).expect("less than the whole wager"),
        reset: Money::from_cents(100_003),
        reserve: Some(Rate::from_basis_points(211).expect("less than the whole wager")),
        cap: None,
        round_contribution_max: Pool::from_ten_thousandths(100_000_000),
    };
    let settings = Settings::new(parameters).expect("settings that do not contradict themselves");
    let opening = Pool::from_ten_thousandths(3_000_010_007);
    Link::new(vec![Arc::new(book())], settings, opening).expect("one book makes a link")
}

/// The rulebook in which royal flushes can share.
fn book() -> Rulebook {
    let books = rulebook::embedded();
    let shares = |book: &Rulebook| book.jackpot.sharing.royal_flush.is_some();
    books.into_iter().find(shares).expect("one of the books lets royal flushes share")
}

/// A round with a wager for each hand, and one more wager that wins nothing.
fn entry(book: &Rulebook, table: &str, hands: &[&str]) -> Entry {
    let claims: Vec<Claim> = (1..).zip(hands).map(|(at, cards)| claim(book, Position(at), cards)).collect();
    let positions = (1..=u8::try_from(hands.len() + 1).expect("few hands")).map(Position);
    Entry {
        id: EntryId { table: TableId::new(table), round: 7 },
        book: book.citation,
        terms: Terms(0),
        wagers: positions.map(|position| Wager { position, amount: Money::from_cents(517) }).collect(),
        claims,
        fixed: Vec::new(),
        shown: None,
        counted: None,
    }
}

/// The claim of some cards: the evaluator gives the hand, the pay table its share.
fn claim(book: &Rulebook, position: Position, cards: &str) -> Claim {
    let cards: Vec<Card> = cards.split(' ').map(|card| card.parse().expect("a card")).collect();
    let hand = HandRank::best_of(&cards).order();
    let line = book.jackpot.lines.iter().find(|line| line.hand == hand).expect("a line for the hand");
    let Pays::Share(percent) = line.pays else {
        panic!("{hand:?} is not paid from the meter");
    };
    assert_eq!(percent == Percent::ALL, hand == HandOrder::RoyalFlush, "a royal flush takes all");
    Claim { position, hand, percent, rule: line.rule }
}

fn signature(name: &str, office: Office) -> Signature {
    Signature::in_office(name, office)
}

/// Two people who may undo an entry.
fn pair() -> Pair {
    Pair {
        first: signature("Una", Office::PitSupervisor),
        second: signature("Max", Office::GamingShiftManager),
    }
}

pub(super) fn verify(award: u64) -> Command {
    let checklist = Checklist { cards_checked: true, deck_cards: 52, custody: None };
    Command::Verify { award: AwardNumber(award), checklist, by: signature("Vic", Office::PitSupervisor) }
}

pub(super) fn approve(award: u64) -> Command {
    Command::Approve { award: AwardNumber(award), by: signature("Abe", Office::PitManager) }
}

pub(super) fn pay(award: u64) -> Command {
    Command::Pay { award: AwardNumber(award), means: None, by: signature("Dot", Office::Dealer) }
}

pub(super) fn reject(award: u64) -> Command {
    Command::Reject { award: AwardNumber(award), cause: RejectCause::HandNotQualified, by: pair() }
}

/// Undoes the round of the last table: its contribution is taken back.
pub(super) fn reverse(entries: &[Entry]) -> Command {
    let entry = entries.last().expect("there are rounds").id.clone();
    Command::ReverseEntry { entry, undone: Undone::Round, rule: R5_3, by: pair() }
}

/// A command that has its effect every time it is decided.
pub(super) fn adjust_meter() -> Command {
    let by = pair();
    let by = Pair { first: signature("Pia", Office::PitManager), ..by };
    let amount = Pool::from_ten_thousandths(10_000);
    Command::Adjust {
        cause: jackpot::Cause::MalfunctionTooLow,
        amount,
        words: "the meter was a cent too low".to_owned(),
        about: None,
        by,
    }
}
