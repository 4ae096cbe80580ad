//! Automatic tables over a floor in memory, on a clock that only the test moves.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use automatic::{HousePlayer, Outcome, Pace, PendingCommand, Schedule, Strategy};
use floor::{Command, Happened, HouseCommand, OpenTable, Refusal, TableCommand};
use jackpot::TableId;
use journal::{Actor, CommandId, Dealing, Event, PlayerKind, Staffing, Stream, TableEvent, Version};
use round::Stage;
use rulebook::Position;

use crate::support::{Hall, manager, player, setup, table};

/// The setup of an automatic table of a book.
pub(crate) fn automatic(book: &str, link: Option<&str>) -> OpenTable {
    OpenTable { staffing: Staffing::Automatic, ..setup(book, Dealing::Software, link) }
}

/// A house player at table A.
pub(crate) fn house_player(name: &str, at: &str, position: u8, strategy: Strategy) -> HousePlayer {
    HousePlayer { player: player(name), table: table(at), position: Position(position), strategy }
}

pub(crate) const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// A floor with its automatic tables.
pub(crate) struct Evening {
    pub(crate) hall: Hall,
    pub(crate) schedule: Schedule,
    pub(crate) now: Duration,
    /// The commands of the schedule, with their times.
    pub(crate) given: Vec<(Duration, Actor, Command)>,
    /// The stages that its tables have reached, each with its round and its time.
    pub(crate) stages: Vec<(Duration, TableId, u64, Stage)>,
    versions: BTreeMap<TableId, u64>,
    ids: BTreeSet<CommandId>,
}

impl Evening {
    /// Existing tables are run from the start.
    pub(crate) fn begin(hall: Hall, pace: Pace, players: Vec<HousePlayer>) -> Evening {
        let mut versions = BTreeMap::new();
        for happened in &hall.log {
            if let Stream::Table(id) = &happened.stream {
                *versions.entry(id.clone()).or_insert(0) += 1;
            }
        }
        let mut evening = Evening {
            hall,
            schedule: Schedule::new(pace, players),
            now: Duration::ZERO,
            given: Vec::new(),
            stages: Vec::new(),
            versions,
            ids: BTreeSet::new(),
        };
        let tables: Vec<TableId> = evening.hall.floor.tables().map(|table| table.id().clone()).collect();
        for id in tables {
            evening.report(&id);
        }
        evening
    }

    /// One table of a book without a link, with the house players registered.
    pub(crate) fn at_one_table(book: &str, pace: Pace, players: Vec<HousePlayer>) -> Evening {
        Evening::at_table_of(Hall::demonstration(), automatic(book, None), pace, players)
    }

    /// The same on a given floor, with a table set up in a given way.
    pub(crate) fn at_table_of(
        mut hall: Hall,
        setup: OpenTable,
        pace: Pace,
        players: Vec<HousePlayer>,
    ) -> Evening {
        hall.done(&manager(), &Command::House(HouseCommand::OpenTable { table: table("A"), setup }));
        for house in &players {
            let (player, kind) = (house.player.clone(), PlayerKind::House);
            hall.done(&manager(), &Command::House(HouseCommand::RegisterPlayer { player, kind }));
        }
        Evening::begin(hall, pace, players)
    }

    fn report(&mut self, id: &TableId) {
        let table = self.hall.floor.table(id).expect("a table").clone();
        let version = Version(self.versions.get(id).copied().unwrap_or(0));
        self.stages.push((self.now, id.clone(), table.number(), table.round().stage()));
        self.schedule.changed(self.now, &table, version);
    }

    /// Sends a command at the present time.
    pub(crate) fn give(&mut self, actor: &Actor, command: &Command) -> Result<Vec<Happened>, Refusal> {
        let happened = self.hall.give(actor, command)?;
        self.hall.log.clear();
        let mut touched = BTreeSet::new();
        for one in &happened {
            if let Stream::Table(id) = &one.stream {
                *self.versions.entry(id.clone()).or_insert(0) += 1;
                touched.insert(id.clone());
            }
        }
        if happened.iter().any(|one| one.stream == Stream::House) {
            self.schedule.house_changed(self.now, self.hall.floor.house());
        }
        for id in touched {
            self.report(&id);
        }
        Ok(happened)
    }

    /// Sends a command to the round at table A, which must accept it.
    pub(crate) fn play(&mut self, actor: &Actor, command: round::Command) -> Vec<Happened> {
        self.at(actor, TableCommand::Round(command))
    }

    /// Sends a command to table A, which must accept it.
    pub(crate) fn at(&mut self, actor: &Actor, command: TableCommand) -> Vec<Happened> {
        self.give(actor, &Command::Table { table: table("A"), command }).expect("the table takes it")
    }

    /// Lets time pass.
    pub(crate) fn pass(&mut self, time: Duration) {
        let until = self.now + time;
        while let Some(wake) = self.schedule.next_wake().filter(|wake| *wake <= until) {
            self.move_to(self.now.max(wake));
            for errand in self.schedule.due(self.now) {
                self.run(&errand);
            }
        }
        self.move_to(until);
    }

    /// The floor's clock goes with that of the schedule.
    fn move_to(&mut self, at: Duration) {
        let passed = at.saturating_sub(self.now).as_millis();
        self.hall.wait(u64::try_from(passed).expect("an evening"));
        self.now = at;
    }

    /// Executes a pending command. The schedule knows the newest state of every table here, so only a lack of
    /// credits or a lost seed can refuse it.
    fn run(&mut self, errand: &PendingCommand) {
        assert!(self.ids.insert(errand.id), "an id was given twice: {errand:?}");
        let given = self.give(&errand.actor, &errand.command);
        let outcome = match given {
            Ok(_) => {
                self.given.push((self.now, errand.actor.clone(), errand.command.clone()));
                Outcome::Done(Version(self.versions.get(&errand.table).copied().unwrap_or(0)))
            }
            Err(refusal) if ["NotEnoughCredits", "SeedIsLost"].contains(&refusal.reason.as_str()) => {
                Outcome::Refused(refusal)
            }
            Err(refusal) => panic!("{errand:?} was refused: {refusal}"),
        };
        if let Some(more) = self.schedule.answered(self.now, errand, outcome) {
            self.run(&more);
        }
    }

    pub(crate) fn stage(&self) -> Stage {
        self.hall.round("A").stage()
    }
}

/// The events of a round among what happened.
pub(crate) fn round_events(happened: &[Happened]) -> Vec<round::Event> {
    let of_round = |one: &Happened| match &one.event {
        Event::Table(TableEvent::Round(event)) => Some(event.clone()),
        _ => None,
    };
    happened.iter().filter_map(of_round).collect()
}
