//! Failures of servers that share a PostgreSQL database, and of the database.

use std::path::Path;
use std::time::Duration;

use testkit::Signal;
use testkit::postgres::Server;

use super::load::Load;
use super::program::{Served, Start, audit, until};
use crate::node_process::QUICK_RESTART;

/// How long a client waits for an answer before it retries.
const SOON: Duration = Duration::from_secs(10);

fn node(name: &str, database: &str, folder: &Path) -> Result<Served, String> {
    let folder = folder.join(name);
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    Start { node: name.to_owned(), database: Some(database.to_owned()), ..Start::new(&folder) }.start()
}

/// The database logs every refused statement with its code.
const REFUSALS_LOGGED: [&str; 5] = [
    "logging_collector = on",
    "log_filename = 'refused.log'",
    "log_rotation_size = 0",
    "log_rotation_age = 0",
    "log_line_prefix = '%e '",
];

/// How many writes to a table the database has refused because another node runs it.
const REFUSED: &str =
    "SELECT count(*) FROM regexp_matches(pg_read_file('log/refused.log'), '^MLF01 ERROR', 'gn')";

/// How many more pauses are tried if no late write was refused.
const EXTRA_PAUSES: u64 = 40;

/// Two nodes of one database.
struct Pair {
    postgres: Server,
    database: String,
    nodes: [Served; 2],
}

const NAMES: [&str; 2] = ["one", "two"];

impl Pair {
    fn count(&self, sql: &str) -> Result<u64, String> {
        let count = self.postgres.try_sql(&self.database, sql)?;
        count.parse().map_err(|error| format!("{sql}: {count:?}: {error}"))
    }

    /// How many tables a node runs.
    fn runs(&self, node: usize) -> Result<u64, String> {
        self.count(&format!("SELECT count(*) FROM lease WHERE node = '{}' AND now() < until", NAMES[node]))
    }

    /// Pauses a node until its tables are taken over, and continues it. Returns how many tables it lost, and how many
    /// of its late writes were refused.
    fn pause(&self, load: &Load, sleeper: usize) -> Result<(u64, u64), String> {
        let other = 1 - sleeper;
        load.wait_for_purchases(2)?;
        let held = self.runs(sleeper)?;
        self.nodes[sleeper].signal(Signal::STOP);
        until("the tables of the paused node are taken over", || {
            self.runs(sleeper) == Ok(0) && self.runs(other).is_ok_and(|runs| held <= runs)
        })?;
        load.wait_for_purchases(2)?;
        let before = self.count(REFUSED)?;
        self.nodes[sleeper].signal(Signal::CONT);
        load.wait_for_purchases(5)?;
        Ok((held, self.count(REFUSED)?.saturating_sub(before)))
    }
}

/// A node pauses while it runs tables and gets requests, and the other takes its tables over. When it continues and
/// tries to write, the database refuses.
pub(super) fn paused(seed: u64, pauses: u64) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let postgres = Server::start(&REFUSALS_LOGGED);
    let database = postgres.new_database();
    let one = node(NAMES[0], &database, folder.path())?;
    let two = node(NAMES[1], &database, folder.path())?;
    let pair = Pair { postgres, database, nodes: [one, two] };
    let load = Load::open(&pair.nodes[0], &folder.path().join(NAMES[0]), Duration::from_secs(2), seed)?;
    load.set_targets(&[pair.nodes[0].address(), pair.nodes[1].address()]);
    let clients = load.begin(seed);
    until("the node that will be paused runs tables", || pair.runs(0).is_ok_and(|runs| 0 < runs))?;
    let (mut count, mut taken, mut refused) = (0, 0, 0);
    while count < pauses || refused == 0 {
        if pauses + EXTRA_PAUSES <= count {
            return Err(format!("in {count} pauses no late write was refused"));
        }
        // Pauses the node that runs more tables.
        let sleeper = usize::from(pair.runs(0)? < pair.runs(1)?);
        let (held, late) = pair.pause(&clients.load, sleeper)?;
        (count, taken, refused) = (count + 1, taken + held, refused + late);
    }
    pair.nodes[1].plays_on()?;
    let load = clients.end(pair.nodes[1].address())?;
    let Pair { postgres, database, nodes } = pair;
    nodes.into_iter().try_for_each(Served::stop)?;
    audit(&database)?;
    drop(postgres);
    Ok(format!(
        "a node was paused {count} times, {taken} tables were taken over and {refused} late writes refused: {} \
         purchases answered, none missing or double, {} retries",
        load.count(),
        load.repeated()
    ))
}

/// The database is killed and restarted under load.
pub(super) fn database_killed(seed: u64, kills: u64) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let postgres = Server::start(&[QUICK_RESTART]);
    let database = postgres.new_database();
    let served = node("one", &database, folder.path())?;
    let clients = Load::open(&served, &folder.path().join("one"), SOON, seed)?.begin(seed);
    for _ in 0..kills {
        clients.load.wait_for_purchases(5)?;
        postgres.kill();
        postgres.restart();
    }
    clients.load.wait_for_purchases(5)?;
    served.plays_on()?;
    let load = clients.end(served.address())?;
    served.stop()?;
    audit(&database)?;
    Ok(format!(
        "the database was killed {kills} times: {} purchases answered, none missing or double, {} retries",
        load.count(),
        load.repeated()
    ))
}
