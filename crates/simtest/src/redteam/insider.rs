//! The floor of a seed, the insider at work on it, and the others, who only play.

use std::path::PathBuf;
use std::sync::Arc;

use floor::node::{Answer, Audience, Clock, News, Node, Request, Setup, recover};
use floor::{Command, HouseCommand, OpenTable, OwnCommand, Table, TableCommand};
use jackpot::{Department, Person, TableId};
use journal::checkpoint::Checkpoint;
use journal::sqlite::SqliteStore;
use journal::vault::kind;
use journal::{
    AccountHolder, Actor, CredentialChange, Dealing, Entry, Event, LinkId, PlayerKind, Sealed,
    SecondFactorChange, Staffing, command_text,
};
use money::{Money, Pool};
use round::{Asker, Decision, PlayerId, Stage};
use rulebook::{Limits, Means, Office, PlayingArea, Position};

use super::Tally;
use super::beside::{Beside, session_of};
use super::ledger::Ledger;
use crate::dice::Dice;
use crate::node_load::{id, parameters};
use crate::node_process::signer;
use crate::sim::clock::{SeededChance, SimClock};
use crate::sim::deck;
use crate::sim::library;
use crate::sim::shared::Shared;

/// Honest people.
const HONEST: [(&str, Office); 5] = [
    ("Dora", Office::Dealer),
    ("Sue", Office::PitSupervisor),
    ("Mia", Office::PitManager),
    ("Gus", Office::GamingShiftManager),
    ("Gia", Office::GamingShiftManager),
];

/// The insider, the accomplice and the honest Player.
pub(super) const INSIDER: &str = "Ina";
pub(super) const ACCOMPLICE: &str = "Bob";
pub(super) const HONEST_PLAYER: &str = "Ann";

/// How much of the end of a trace is printed.
const TRACE_MAX: usize = 40;

/// A floor that was attacked from inside, and its file.
pub(super) struct Finished {
    pub(super) path: PathBuf,
    /// A copy from the middle of the run.
    pub(super) old_copy: PathBuf,
    /// What a witness has seen.
    pub(super) checkpoints: Vec<Checkpoint>,
    pub(super) folder: tempfile::TempDir,
    pub(super) tally: Tally,
}

/// Keeps what the node publishes and seals.
#[derive(Clone, Default)]
struct Recorder {
    entries: Shared<Vec<(Entry, Event)>>,
    checkpoints: Shared<Vec<Checkpoint>>,
}

impl Audience for Recorder {
    fn heard(&self, news: &News) {
        let entries = news.entries.iter().map(|new| (new.entry.clone(), new.event.clone()));
        self.entries.with(|kept| kept.extend(entries));
    }

    fn sealed(&self, checkpoint: &Checkpoint) {
        self.checkpoints.with(|kept| kept.push(checkpoint.clone()));
    }
}

pub(super) struct Hall {
    pub(super) seed: u64,
    pub(super) node: Node,
    pub(super) dice: Dice,
    pub(super) insider: Office,
    pub(super) ledger: Ledger,
    clock: SimClock,
    now: u64,
    number: u64,
    recorder: Recorder,
    trace: Vec<String>,
    beside: Beside,
}

pub(super) fn dollars(amount: u64) -> Money {
    Money::from_cents(amount * 100)
}

pub(super) fn staff(name: &str) -> Actor {
    let office = HONEST.iter().find(|(person, _)| *person == name).map(|(_, office)| *office);
    Actor::Staff(Person::new(name), office.expect("one of the honest"))
}

pub(super) fn link() -> LinkId {
    LinkId::new("mega")
}

/// A table like those of the house.
pub(super) fn setup(stud: bool, dealing: Dealing, most: Money, link: Option<LinkId>) -> OpenTable {
    OpenTable {
        rulebook: if stud { "megalink-stud-v9" } else { "megalink-holdem-v9" }.to_owned(),
        positions: 6,
        layout: None,
        jackpot_means: None,
        limits: Limits { ante: dollars(25)..=most, bonus: (!stud).then(|| dollars(5)..=dollars(500)) },
        method: None,
        dealing,
        staffing: Staffing::Staffed,
        link,
        reason: None,
    }
}

/// A book that a later version has superseded.
pub(super) const OUTDATED: &str = "megalink-holdem-v6";

/// A table under that book, for a reason.
pub(super) fn outdated(most: Money) -> OpenTable {
    let (rulebook, reason) = (OUTDATED.to_owned(), Some("training".to_owned()));
    OpenTable { rulebook, reason, ..setup(false, Dealing::Live, most, None) }
}

/// A folder in memory where there is one: every command is synced.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder")
}

/// Sets a floor up, lets the insider work on it, and closes it.
pub(super) fn run(seed: u64, steps: u64) -> Result<Finished, String> {
    let folder = folder();
    let (path, old_copy) = (folder.path().join("floor.db"), folder.path().join("old.db"));
    let mut hall = Hall::open(seed, &path)?;
    hall.set_up()?;
    for step in 0..steps {
        hall.step().map_err(|what| hall.traced(&what))?;
        if step % 60 == 59 {
            hall.node.seal().map_err(|failure| failure.to_string())?;
        }
        if step == steps / 2 {
            hall.node.seal().map_err(|failure| failure.to_string())?;
            let copy = rusqlite::Connection::open(&path).and_then(|connection| {
                connection.execute("VACUUM INTO ?1", [old_copy.to_str().expect("a plain path")])
            });
            copy.map_err(|error| error.to_string())?;
            hall.keep_later()?;
        }
    }
    hall.check_balances().map_err(|what| hall.traced(&what))?;
    let (recorder, tally) = (hall.recorder.clone(), hall.ledger.tally);
    hall.node.close().map_err(|failure| failure.to_string())?;
    let checkpoints = recorder.checkpoints.with(std::mem::take);
    Ok(Finished { path, old_copy, checkpoints, folder, tally })
}

impl Hall {
    fn open(seed: u64, path: &std::path::Path) -> Result<Hall, String> {
        let mut dice = Dice::new(seed);
        let (clock, recorder) = (SimClock::new(), Recorder::default());
        let store = SqliteStore::open(path).map_err(|error| error.to_string())?;
        let mut setup = Setup::new("one", "The House", signer().clone());
        setup.clock = Box::new(clock.clone());
        setup.chance = Box::new(SeededChance(dice.fork()));
        setup.audience = vec![Arc::new(recorder.clone())];
        let (node, _) =
            recover(Box::new(store), library().clone(), setup).map_err(|error| error.to_string())?;
        let insider = dice.pick(&Office::ALL);
        Ok(Hall {
            seed,
            node,
            dice,
            insider,
            ledger: Ledger::new(),
            clock,
            now: 0,
            number: 0,
            recorder,
            trace: Vec::new(),
            beside: Beside::default(),
        })
    }

    fn set_up(&mut self) -> Result<(), String> {
        let of_tables = HONEST.into_iter().chain([(INSIDER, self.insider)]);
        let of_tables = of_tables.map(|(name, office)| (name, office, Department::TableGames));
        for (name, office, department) in of_tables.chain([("Abe", Office::Dealer, Department::Accounting)]) {
            let person = Person::new(name);
            let appoint = HouseCommand::Appoint { person: person.clone(), office, department };
            self.must(&Actor::System, appoint.into())?;
            let (who, how) = (AccountHolder::Staff(person), CredentialChange::SetUp);
            self.must(&Actor::System, HouseCommand::SetCredential { who, how, row: None }.into())?;
        }
        let books = vec!["megalink-holdem-v9".to_owned(), "megalink-stud-v9".to_owned()];
        let opening = Pool::try_from(dollars(100_000)).expect("fits");
        let open = HouseCommand::OpenLink { link: link(), books, settings: parameters(), opening };
        self.must(&Actor::System, open.into())?;
        for name in [HONEST_PLAYER, ACCOMPLICE] {
            let player = PlayerId::new(name);
            let register = HouseCommand::RegisterPlayer { player: player.clone(), kind: PlayerKind::Member };
            self.must(&staff("Dora"), register.into())?;
            // Together it is enough on one day to ask who the Player is.
            for (means, amount) in [(Means::Credits, 9_000), (Means::Chips, 3_000)] {
                let (player, amount, identity) =
                    (player.clone(), dollars(amount), Some("passport".to_owned()));
                self.must(&staff("Dora"), HouseCommand::BuyIn { player, amount, means, identity }.into())?;
            }
        }
        let stud = self.dice.below(4);
        for (name, stud, dealing) in [("L1", stud == 1, Dealing::Live), ("S1", stud == 2, Dealing::Software)]
        {
            // Some tables play for no meter: their rounds can be corrected by one person.
            let link = self.dice.one_in(2).then(link);
            let most = self.dice.pick(&[dollars(1_000), dollars(200)]);
            let (table, setup) = (TableId::new(name), setup(stud, dealing, most, link));
            self.must(&staff("Mia"), HouseCommand::OpenTable { table, setup }.into())?;
        }
        self.keep_first()?;
        self.ledger.setting_up = false;
        self.pass(24 * 60 * 60 * 1000);
        self.node.seal().map_err(|failure| failure.to_string())
    }

    /// What the server keeps beside the log at first: a second factor, an invitation and sessions too.
    fn keep_first(&mut self) -> Result<(), String> {
        let how = SecondFactorChange::Enrolled;
        let enrol = HouseCommand::SetSecondFactor { person: Person::new("Gus"), how, row: None };
        self.must(&staff("Gus"), enrol.into())?;
        let who = AccountHolder::Player(PlayerId::new(HONEST_PLAYER));
        self.must(&staff("Sue"), HouseCommand::Invite { who, row: None }.into())?;
        let row = |kind: &str, key: &str| Sealed {
            kind: kind.to_owned(),
            key: key.to_owned(),
            value: Some(format!("{kind} of {key}").into_bytes()),
        };
        let mut rows = vec![row(kind::NODE, "one"), row(kind::SETUP, "setup"), row(kind::VAULT, "vault")];
        for (name, number) in [("Ina", 1), ("Gus", 1), ("Gus", 2), ("Mia", 1)] {
            let who = AccountHolder::Staff(Person::new(name));
            let credential = self.node.floor().house().session_credential(&who);
            rows.push(self.beside.session(name, number, credential));
        }
        rows.push(row(kind::SESSION_USED, &session_of("Gus", 2).to_string()));
        self.node.keep(&rows).map_err(|failure| failure.to_string())
    }

    /// In the middle of the run a password changes, a session ends, another invitation takes the place of the first, and a
    /// recovery code is used.
    fn keep_later(&mut self) -> Result<(), String> {
        let (gus, mia) = (Person::new("Gus"), AccountHolder::Staff(Person::new("Mia")));
        let changed = CredentialChange::Changed;
        let set = HouseCommand::SetCredential { who: mia, how: changed, row: None };
        self.must(&staff("Mia"), set.into())?;
        let (who, session) = (AccountHolder::Staff(gus.clone()), session_of("Gus", 1));
        self.must(&staff("Gus"), HouseCommand::EndSession { who, session }.into())?;
        let who = AccountHolder::Player(PlayerId::new(HONEST_PLAYER));
        self.must(&staff("Sue"), HouseCommand::Invite { who, row: None }.into())?;
        let how = SecondFactorChange::RecoveryCodeUsed;
        self.must(&staff("Gus"), HouseCommand::SetSecondFactor { person: gus, how, row: None }.into())
    }

    /// The time it is.
    pub(super) fn moment(&self) -> journal::Moment {
        self.clock.now()
    }

    fn pass(&mut self, milliseconds: u64) {
        self.now += milliseconds;
        self.clock.tick(self.now);
    }

    /// Gives a command that honest people give when they set a house up.
    fn must(&mut self, actor: &Actor, command: Command) -> Result<(), String> {
        let text = command_text(&command);
        if self.give(actor, command)? { Ok(()) } else { Err(format!("{actor} could not {text}")) }
    }

    /// Gives a command and checks what it did. Whether it was taken.
    pub(super) fn give(&mut self, actor: &Actor, command: Command) -> Result<bool, String> {
        self.pass(1_000);
        self.number += 1;
        let (command, rows) = self.beside.with_rows(command);
        let text = command_text(&command);
        let request = Request::new(id(self.seed, self.number), actor.clone(), command).with_rows(rows);
        let reply =
            self.node.turn(std::slice::from_ref(&request)).pop().expect("every request has its reply");
        let taken = matches!(reply.map_err(|failure| format!("{actor} {text}: {failure}"))?, Answer::Done(_));
        if taken {
            self.beside.taken(&request.command, &request.rows);
            self.trace.push(format!("{actor}: {text}"));
        }
        for (entry, event) in self.recorder.entries.with(std::mem::take) {
            self.ledger.check(&entry, &event)?;
        }
        Ok(taken)
    }

    fn traced(&self, what: &str) -> String {
        let from = self.trace.len().saturating_sub(TRACE_MAX);
        format!("a {} and a Player: {what}\n  {}", self.insider, self.trace[from..].join("\n  "))
    }

    /// The database holds what the entries come to.
    fn check_balances(&self) -> Result<(), String> {
        let mut reader = self.node.reader().map_err(|error| error.to_string())?;
        for (account, held) in self.ledger.accounts() {
            let kept = reader.balance(account).map_err(|error| error.to_string())?;
            if kept.0 != held {
                return Err(format!("{account} holds {} and not {held}", kept.0));
            }
        }
        Ok(())
    }

    /// One step: the insider schemes, or the others play on.
    fn step(&mut self) -> Result<(), String> {
        if self.dice.one_in(60) {
            let days = self.dice.pick(&[1, 1, 31]);
            self.pass(days * 24 * 60 * 60 * 1000);
        }
        if self.dice.one_in(2) {
            return self.play();
        }
        let (actor, command) = self.scheme();
        self.ledger.tally.tried += 1;
        let taken = self.give(&actor, command)?;
        self.ledger.tally.taken += u64::from(taken);
        Ok(())
    }

    /// Honest people play on at one of the house's tables.
    fn play(&mut self) -> Result<(), String> {
        let name = TableId::new(self.dice.pick(&["L1", "S1"]));
        let table = Arc::clone(self.node.floor().table(&name).expect("a table of the house"));
        for (actor, command) in self.normal(&table) {
            if self.give(&actor, Command::Table { table: name.clone(), command })? {
                break;
            }
        }
        Ok(())
    }

    /// What comes next at a table; where it may be refused for lack of money, what comes instead.
    fn normal(&mut self, table: &Table) -> Vec<(Actor, TableCommand)> {
        use round::Command as C;
        let round = table.round();
        let dealer = |command: C| vec![(staff("Dora"), TableCommand::Round(command))];
        if !table.is_open() {
            return Vec::new();
        }
        if let Some(player) = round.unanswered().into_iter().next() {
            return dealer(C::StayIn { player });
        }
        for command in [C::ResumePlay {}, C::GiveUpReconstruction {}] {
            if accepts(table, &command) {
                return dealer(command);
            }
        }
        let first = |command: &dyn Fn(Position) -> C| {
            round.seats().map(|(position, _)| command(position)).find(|command| accepts(table, command))
        };
        match round.stage() {
            Stage::BeforeBets => {
                for (name, position) in [(HONEST_PLAYER, 2), (ACCOMPLICE, 1), (ACCOMPLICE, 3)] {
                    let (player, position) = (PlayerId::new(name), Position(position));
                    let free = round.seat(position).is_some_and(|seat| seat.holder().is_none());
                    let take = C::TakePosition { position, player: player.clone() };
                    if free && self.dice.one_in(2) {
                        return vec![(Actor::Player(player), TableCommand::Round(take))];
                    }
                }
                dealer(C::OpenBets {})
            }
            Stage::BetsOpen => self.wagers(table),
            Stage::Dealing if table.is_software_dealt() => {
                vec![(staff("Dora"), TableCommand::Own(OwnCommand::DealAll {}))]
            }
            Stage::Dealing => {
                let card = round.next_place().map(|place| self.card(table, place));
                dealer(C::DealCard { card })
            }
            Stage::Deciding(_) => {
                let wager = first(&|position| C::Decide { position, decision: Decision::Wager });
                let out = first(&|position| C::Decide { position, decision: Decision::Fold })
                    .or_else(|| first(&|position| C::Decide { position, decision: Decision::Check }));
                let both = wager.into_iter().chain(out);
                both.map(|command| (staff("Dora"), TableCommand::Round(command))).collect()
            }
            Stage::Exposing(_) => dealer(unread(table).unwrap_or(C::Expose {})),
            Stage::Showing => {
                let waits = round
                    .seats()
                    .find(|(_, seat)| seat.is_active() && !seat.is_shown() && !seat.has_declined())
                    .map(|(position, _)| C::ShowHand { position });
                dealer(unread(table).or(waits).unwrap_or(C::Settle {}))
            }
            Stage::Settling => dealer(unread(table).unwrap_or(C::Settle {})),
            Stage::Concluded if !self.dice.one_in(6) => Vec::new(),
            Stage::Concluded | Stage::Void | Stage::Closed => dealer(C::BeginNextRound {}),
        }
    }

    fn wagers(&mut self, table: &Table) -> Vec<(Actor, TableCommand)> {
        let most = *table.setup().limits.ante.end();
        for (position, seat) in table.round().seats() {
            let Some(owner) = seat.holder().cloned() else { continue };
            for area in [PlayingArea::Ante, PlayingArea::Jackpot] {
                if seat.has(area) || (area == PlayingArea::Jackpot && self.dice.one_in(3)) {
                    continue;
                }
                let amount = match area {
                    PlayingArea::Jackpot => dollars(5),
                    _ => self.dice.pick(&[dollars(25), dollars(150), most, most]),
                };
                let means = Means::Credits;
                let place =
                    round::Command::PlaceWager { position, area, owner: owner.clone(), amount, means };
                let close = (staff("Dora"), TableCommand::Round(round::Command::CloseBets {}));
                return vec![(Actor::Player(owner), TableCommand::Round(place)), close];
            }
        }
        vec![(staff("Dora"), TableCommand::Round(round::Command::CloseBets {}))]
    }

    /// The card of a live table at a place, or another where a dishonest Dealer has used it.
    pub(super) fn card(&mut self, table: &Table, place: round::Place) -> cards::Card {
        let card = deck::card(self.seed, table.id(), table.number(), table.round(), place);
        let deals = |card| round::Command::DealCard { card: Some(card) };
        if accepts(table, &deals(card)) {
            return card;
        }
        let all = (0..52).filter_map(cards::Card::from_index);
        all.into_iter().find(|card| accepts(table, &deals(*card))).unwrap_or(card)
    }
}

/// Reads a card that was dealt unread.
fn unread(table: &Table) -> Option<round::Command> {
    let round = table.round();
    if table.is_software_dealt() {
        return None;
    }
    let mut places = round.deal_order().iter().filter(|place| round.has_dealt(**place));
    let place = *places.find(|place| !round.is_read(**place))?;
    let reads = |card| round::Command::ReadCard { place, card };
    (0..52).filter_map(cards::Card::from_index).map(reads).find(|read| accepts(table, read))
}

/// Whether a round accepts a command from the highest office.
pub(super) fn accepts(table: &Table, command: &round::Command) -> bool {
    table.round().decide(&Asker::Staff(Office::GamingShiftManager), command).is_ok()
}
