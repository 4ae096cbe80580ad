//! A floor of forty tables, played for the thirty gaming days of a month by a clock that is set: rounds, rulings on the
//! next day, awards, meters adjusted, and a change of rules with its way back.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use cards::Card;
use floor::node::{Answer, Clock, Node, Request, Setup, recover};
use floor::{Command, DeskCommand, HouseCommand, Library, TableCommand};
use jackpot::{AwardNumber, Cause, Checklist, Custody, Department, Evidence, Person};
use journal::checkpoint::Signer;
use journal::sqlite::{SqliteReader, SqliteStore};
use journal::{Actor, Currency, DayRule, Dealing, LabCheck, Moment, Proposal, RulesChange};
use money::{Money, Pool};
use reports::{Days, GamingDay};
use round::{Effect, Place, RuledOutcome, Ruling, Stage};
use rulebook::{Office, PlayingArea, Position};

use crate::node_load::{Dice, boss, id, link, next_with, opening, table};

pub(crate) const TABLES: usize = 40;
pub(crate) const DAYS: u64 = 30;

/// The book that hold'em is played under, and the one it is played under for some days of the month.
pub(crate) const MTHB9: &str = "megalink-holdem-v9";
pub(crate) const NEW: &str = "megalink-holdem-v10";

/// That book: a pair of Aces pays less on the Bonus.
pub(crate) fn new_text() -> String {
    let text = rulebook::embedded_text(MTHB9).expect("embedded");
    let named = text.replace(MTHB9, NEW).replace("\"MTHB9\"", "\"MTHB10\"");
    named.replace("version = 9\n", "version = 10\n").replacen("pays = \"30 to 1\"", "pays = \"20 to 1\"", 1)
}

/// The tables are dealt live, so that the hands of an award can be staged.
const DEALING: Dealing = Dealing::Live;

/// A clock that is set.
struct SetClock(Arc<AtomicU64>);

impl Clock for SetClock {
    fn now(&self) -> Moment {
        Moment(self.0.load(Ordering::Relaxed))
    }

    fn monotonic(&self) -> Duration {
        Duration::ZERO
    }
}

/// A floor being played.
pub(crate) struct Played {
    node: Node,
    now: Arc<AtomicU64>,
    dice: Dice,
    number: u64,
    rule: DayRule,
}

/// The month that was played: November 2026.
pub(crate) fn days() -> Days {
    "2026-11".parse().expect("a month")
}

/// When the reports of the month are asked for: its last day is over.
pub(crate) fn now() -> Moment {
    days().to().next().begins(DayRule::default())
}

/// The log of the month, played once for all tests.
pub(crate) fn log() -> &'static Path {
    static LOG: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = LOG.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("month.db");
        let mut played = Played::open(&path, TABLES, days().from());
        for _ in 0..DAYS {
            played.day();
        }
        played.node.seal().expect("it is sealed");
        (folder, path)
    });
    path
}

pub(crate) fn reader() -> SqliteReader {
    SqliteStore::open_read_only(log()).expect("a log")
}

fn person(name: &str, office: Office) -> Actor {
    Actor::Staff(Person::new(name), office)
}

fn accountant() -> Actor {
    Actor::Department(Person::new("Abe"), Department::Accounting)
}

impl Played {
    /// A new floor, at 14:00 of a gaming day.
    pub(crate) fn open(path: &Path, tables: usize, day: GamingDay) -> Played {
        Played::open_by(path, tables, day, DayRule::default())
    }

    /// The same, eight hours into a gaming day of its own.
    pub(crate) fn open_by(path: &Path, tables: usize, day: GamingDay, rule: DayRule) -> Played {
        let signer = Signer::load_or_create(&path.with_extension("key")).expect("a key");
        let now = Arc::new(AtomicU64::new(day.begins(rule).0 + 8 * 60 * 60 * 1000));
        let setup = Setup {
            money: Currency::Play,
            gaming_day: rule,
            clock: Box::new(SetClock(Arc::clone(&now))),
            ..Setup::new("month", "The House", signer)
        };
        let store = SqliteStore::open(path).expect("a log");
        let (node, _) = recover(Box::new(store), Library::embedded(), setup).expect("a new house");
        let mut played = Played { node, now, dice: Dice(11), number: 0, rule };
        for (actor, command) in opening(tables, DEALING) {
            played.done(&actor, command);
        }
        for (name, office) in
            [("Sue", Office::PitSupervisor), ("Mia", Office::PitManager), ("Gia", Office::GamingShiftManager)]
        {
            let appoint = HouseCommand::Appoint {
                person: Person::new(name),
                office,
                department: Department::TableGames,
            };
            played.done(&Actor::System, Command::House(appoint));
        }
        let appoint = HouseCommand::Appoint {
            person: Person::new("Abe"),
            office: Office::Dealer,
            department: Department::Accounting,
        };
        played.done(&Actor::System, Command::House(appoint));
        played
    }

    fn request(&mut self, actor: &Actor, command: Command) -> Request {
        self.number += 1;
        Request::new(id(1, self.number), actor.clone(), command)
    }

    fn done(&mut self, actor: &Actor, command: Command) {
        let said = format!("{actor}: {command:?}");
        let request = self.request(actor, command);
        let reply = self.node.turn(&[request]).pop();
        assert!(matches!(reply, Some(Ok(Answer::Done(_)))), "{said}: {reply:?}");
    }

    fn at(&mut self, number: usize, actor: &Actor, command: round::Command) {
        let command = TableCommand::Round(command);
        self.done(actor, Command::Table { table: table(number), command });
    }

    /// Plays one round at every table up to its settlement, the cards of table 0 and 1 as they are staged. Returns how many
    /// turns that took.
    fn rounds(&mut self, tables: usize, staged: &dyn Fn(usize, Place) -> Card) {
        loop {
            let mut batch = Vec::new();
            for number in 0..tables {
                let state = Arc::clone(self.node.floor().table(&table(number)).expect("open"));
                if matches!(state.round().stage(), Stage::Concluded | Stage::Void) {
                    continue;
                }
                let (actor, command) = next_with(&state, &mut self.dice, &|place| staged(number, place));
                batch.push(self.request(&actor, command));
            }
            if batch.is_empty() {
                return;
            }
            for reply in self.node.turn(&batch) {
                assert!(matches!(reply, Ok(Answer::Done(_))), "{reply:?}");
            }
            self.now.fetch_add(1_000, Ordering::Relaxed);
        }
    }

    /// One gaming day, up to the first hours of the next.
    pub(crate) fn day(&mut self) {
        let day = GamingDay::of(Moment(self.now.load(Ordering::Relaxed)), self.rule);
        let tables = self.node.floor().tables().count();
        let number = day.number();
        self.rounds(tables, &|at, place| card(at, place, number));
        self.awards(number);
        if number % 10 == 3 {
            self.adjust(number);
        }
        match day.to_string().as_str() {
            "2026-11-12" => self.change_rules(day, MTHB9, NEW, Some(new_text())),
            "2026-11-20" => self.change_rules(day, NEW, MTHB9, None),
            _ => {}
        }
        self.now.store(day.next().begins(self.rule).0 + 60_000, Ordering::Relaxed);
        // On the next gaming day: the ruling corrects what was settled on this one.
        let ruled = usize::try_from(number).expect("few") % tables;
        let outcome = if number.is_multiple_of(2) { RuledOutcome::Returned } else { RuledOutcome::Collected };
        let effects = vec![Effect::Wager { position: Position(1), area: PlayingArea::Ante, outcome }];
        let ruling = Ruling { words: "what the camera showed".to_owned(), effects };
        let state = self.node.floor().table(&table(ruled)).expect("open");
        if state.round().decide(&boss().by(), &round::Command::MakeRuling { ruling: ruling.clone() }).is_ok()
        {
            self.at(ruled, &boss(), round::Command::MakeRuling { ruling });
        }
        let nexts: Vec<Request> = (0..tables)
            .map(|number| {
                let command = TableCommand::Round(round::Command::BeginNextRound {});
                self.request(&boss(), Command::Table { table: table(number), command })
            })
            .collect();
        for reply in self.node.turn(&nexts) {
            assert!(matches!(reply, Ok(Answer::Done(_))), "{reply:?}");
        }
        self.now.store(day.next().begins(self.rule).0 + 8 * 60 * 60 * 1000, Ordering::Relaxed);
    }

    /// Signs and pays the awards that are open, or rejects every third.
    fn awards(&mut self, day: u64) {
        let open: Vec<AwardNumber> = {
            let desk = self.node.floor().link(&link()).expect("a link");
            desk.link().open_awards().map(|award| award.number).collect()
        };
        for award in open {
            let custody = Custody {
                camera: "camera 4".to_owned(),
                seal: format!("S-{day}"),
                deck_in_order: true,
                held_by: "Sid".to_owned(),
            };
            let checklist = Checklist { cards_checked: true, deck_cards: 52, custody: Some(custody) };
            let desk = |command| Command::Desk { link: link(), command };
            self.done(&person("Sue", Office::PitSupervisor), desk(DeskCommand::Verify { award, checklist }));
            self.done(&person("Mia", Office::PitManager), desk(DeskCommand::Approve { award }));
            let reference = "passport".to_owned();
            let identify = DeskCommand::RecordDueDiligence { award, reference };
            self.done(&person("Mia", Office::PitManager), desk(identify));
            self.done(
                &person("Gia", Office::GamingShiftManager),
                desk(DeskCommand::Pay { award, means: None }),
            );
        }
    }

    /// Two people change the rules from the beginning of the next gaming day on.
    fn change_rules(&mut self, day: GamingDay, instead_of: &str, rulebook: &str, text: Option<String>) {
        let library = self.node.floor().library();
        let digest = match &text {
            Some(text) => floor::read_book(rulebook, text).expect("a book").1,
            None => library.get(rulebook).expect("it was played before").1,
        };
        let change = RulesChange {
            instead_of: instead_of.to_owned(),
            rulebook: rulebook.to_owned(),
            digest,
            text,
            from: day.next().begins(self.rule),
            check: LabCheck { edges: Vec::new(), par: Some(digest), uncounted: None },
            words: "as the regulator approved".to_owned(),
        };
        self.two_sign(Proposal::ChangeRules { change });
    }

    /// Two people correct the meter.
    fn adjust(&mut self, day: u64) {
        let amount = Pool::try_from(Money::from_cents(12_345)).expect("fits");
        let proposal = Proposal::AdjustMeter {
            link: link(),
            cause: Cause::MalfunctionTooLow,
            amount,
            words: "the sensor of position 2 missed wagers".to_owned(),
            about: Some(Evidence::Count { reference: format!("count sheet {day}") }),
        };
        self.two_sign(proposal);
    }

    /// A Pit Manager and Accounting sign.
    fn two_sign(&mut self, proposal: Proposal) {
        self.done(&person("Mia", Office::PitManager), Command::House(HouseCommand::Propose { proposal }));
        let number = self.node.floor().house().proposals().map(|(number, _)| number).max().expect("proposed");
        self.done(&accountant(), Command::House(HouseCommand::Confirm { number }));
    }
}

/// The card of a place: on every seventh day a straight flush at table 0. Elsewhere a different deck each day.
fn card(at: usize, place: Place, day: u64) -> Card {
    let named = |place: Place| match place {
        Place::Player(Position(1), 0) => Some("8h"),
        Place::Player(Position(1), 1) => Some("9h"),
        Place::Community(0) => Some("Th"),
        Place::Community(1) => Some("Jh"),
        Place::Community(2) => Some("Qh"),
        Place::Player(..) | Place::Community(_) | Place::Dealer(_) => None,
    };
    let is_staged = at == 0 && day.is_multiple_of(7);
    let staged: Vec<Card> =
        ["8h", "9h", "Th", "Jh", "Qh"].iter().map(|card| card.parse().expect("a card")).collect();
    if let Some(card) = named(place).filter(|_| is_staged) {
        return card.parse().expect("a card");
    }
    let number = match place {
        Place::Dealer(at) => at,
        Place::Community(at) => 5 + at,
        Place::Player(position, at) => 5 + 5 * position.0 + at,
    };
    // A different order for each table and day: the steps have no divisor in common with 52.
    let steps = [3_u64, 5, 7, 9, 11, 15, 17, 19, 21, 23];
    let mixed = usize::try_from(day).expect("few") * 31 + at;
    let step = steps[mixed % steps.len()];
    let order = (0..52_u64).map(|index| u8::try_from((index * step + day * 7) % 52).expect("a card"));
    let deck = order.filter_map(Card::from_index).filter(|card| !is_staged || !staged.contains(card));
    deck.into_iter().nth(usize::from(number)).expect("a deck has so many cards")
}
