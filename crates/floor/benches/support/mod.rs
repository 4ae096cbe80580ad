//! What the benchmarks of the floor share: where a log is kept, tables that are played, and what a process takes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use floor::Library;
use floor::node::{Answer, Node, Recovery, Request, Setup, recover};
use journal::checkpoint::Signer;
use journal::postgres::PostgresStore;
use journal::sqlite::SqliteStore;
use journal::{Currency, Dealing, Reader, Store};

use crate::node_load::{Dice, id, next, opening, requests, table};

/// How many tables the commands go to.
pub(crate) const TABLES: usize = 64;

/// Where a log is kept, with its key in the folder of the file, or in this folder.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    File(PathBuf),
    Database { url: String, folder: PathBuf },
}

impl Place {
    fn store(&self) -> Box<dyn Store> {
        match self {
            Place::File(path) => Box::new(SqliteStore::open(path).expect("a log")),
            Place::Database { url, .. } => Box::new(PostgresStore::connect(url).expect("a database")),
        }
    }

    /// Opens the log for reading.
    pub(crate) fn reader(&self) -> Box<dyn Reader> {
        match self {
            Place::File(path) => Box::new(SqliteStore::open_read_only(path).expect("a log")),
            Place::Database { url, .. } => PostgresStore::open_read_only(url).expect("a database"),
        }
    }

    fn key(&self) -> PathBuf {
        match self {
            Place::File(path) => path.with_file_name("key"),
            Place::Database { folder, .. } => folder.join("key"),
        }
    }

    /// Starts a node of this name.
    pub(crate) fn begin(&self, name: &str) -> (Node, Recovery) {
        let signer = Signer::load_or_create(&self.key()).expect("a key");
        let setup = Setup { money: Currency::Play, ..Setup::new(name, "The House", signer) };
        recover(self.store(), Library::embedded(), setup).expect("a sound log")
    }

    /// Starts a node on an empty log and opens so many tables.
    pub(crate) fn opened(&self, tables: usize) -> Node {
        let (mut node, _) = self.begin("bench");
        for batch in requests(0, opening(tables, Dealing::Software)).chunks(256) {
            done(&mut node, batch);
        }
        node
    }
}

impl From<&Path> for Place {
    fn from(path: &Path) -> Place {
        Place::File(path.to_owned())
    }
}

/// The next command at every table.
pub(crate) fn round_of_commands(node: &Node, dice: &mut Dice, number: &mut u64) -> Vec<Request> {
    let chosen = (0..TABLES).map(|at| {
        let (actor, command) = next(node.floor().table(&table(at)).expect("open"), dice);
        *number += 1;
        Request::new(id(1, *number), actor, command)
    });
    chosen.collect()
}

/// Gives a batch of commands, all of which are done.
pub(crate) fn done(node: &mut Node, batch: &[Request]) {
    for reply in node.turn(batch) {
        assert!(matches!(reply, Ok(Answer::Done(_))), "{reply:?}");
    }
}

/// One of some times, at so many percent of them.
pub(crate) fn at_percent(times: &mut [Duration], percent: usize) -> Duration {
    times.sort();
    times[(times.len() - 1) * percent / 100]
}

/// The resident memory of this process in bytes: now, and at most so far.
pub(crate) fn memory() -> (u64, u64) {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let kilobytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| line.split_whitespace().next()).and_then(|number| number.parse::<u64>().ok())
    };
    let bytes = |name| kilobytes(name).expect("a number of kilobytes") * 1024;
    (bytes("VmRSS:"), bytes("VmHWM:"))
}
