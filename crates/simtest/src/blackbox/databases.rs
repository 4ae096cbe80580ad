//! What is done to servers that share a PostgreSQL, and to that.

use std::path::Path;
use std::time::Duration;

use testkit::postgres::Server;

use super::load::Load;
use super::program::{Served, Start, audit, until};
use crate::node_process::QUICK_RESTART;

/// How long a client waits for an answer before it asks again.
const SOON: Duration = Duration::from_secs(10);

fn node(name: &str, database: &str, folder: &Path) -> Result<Served, String> {
    let folder = folder.join(name);
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    Start { node: name.to_owned(), database: Some(database.to_owned()), ..Start::new(&folder) }.start()
}

/// The database writes down what it refuses, each with its code.
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

/// How often a node stands still once more where none of its late writes was seen.
const MORE_FREEZES: u64 = 40;

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

    /// A node stands still until its tables are taken over, and goes on. How many tables it lost, and how many of its
    /// late writes were refused.
    fn freeze(&self, load: &Load, sleeper: usize) -> Result<(u64, u64), String> {
        let other = 1 - sleeper;
        load.go_on(2)?;
        let held = self.runs(sleeper)?;
        self.nodes[sleeper].signal("-STOP");
        until("its tables are taken over", || {
            self.runs(sleeper) == Ok(0) && self.runs(other).is_ok_and(|runs| held <= runs)
        })?;
        load.go_on(2)?;
        let before = self.count(REFUSED)?;
        self.nodes[sleeper].signal("-CONT");
        load.go_on(5)?;
        Ok((held, self.count(REFUSED)?.saturating_sub(before)))
    }
}

/// A node stands still while it runs tables and is asked; the other takes them over; when it goes on and wants to write
/// what it was about to, the database refuses that.
pub(super) fn frozen(seed: u64, freezes: u64) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let postgres = Server::start(&REFUSALS_LOGGED);
    let database = postgres.new_database();
    let one = node(NAMES[0], &database, folder.path())?;
    let two = node(NAMES[1], &database, folder.path())?;
    let pair = Pair { postgres, database, nodes: [one, two] };
    let load = Load::open(&pair.nodes[0], &folder.path().join(NAMES[0]), Duration::from_secs(2), seed)?;
    load.aim(&[pair.nodes[0].address(), pair.nodes[1].address()]);
    let clients = load.begin(seed);
    until("the node that is to freeze runs tables", || pair.runs(0).is_ok_and(|runs| 0 < runs))?;
    let (mut count, mut taken, mut refused) = (0, 0, 0);
    while count < freezes || refused == 0 {
        if freezes + MORE_FREEZES <= count {
            return Err(format!("in {count} freezes no late write was seen to be refused"));
        }
        // The one that runs the tables now has the most to lose.
        let sleeper = usize::from(pair.runs(0)? < pair.runs(1)?);
        let (held, late) = pair.freeze(&clients.load, sleeper)?;
        (count, taken, refused) = (count + 1, taken + held, refused + late);
    }
    pair.nodes[1].plays_on()?;
    let load = clients.end(pair.nodes[1].address())?;
    let Pair { postgres, database, nodes } = pair;
    nodes.into_iter().try_for_each(Served::stop)?;
    audit(&database)?;
    drop(postgres);
    Ok(format!(
        "a node stood still {count} times, {taken} tables were taken over and {refused} late writes refused: {} \
         purchases answered, none missing or double, {} asked again",
        load.count(),
        load.repeated()
    ))
}

/// The database is killed and started again under load.
pub(super) fn database_killed(seed: u64, kills: u64) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let postgres = Server::start(&[QUICK_RESTART]);
    let database = postgres.new_database();
    let served = node("one", &database, folder.path())?;
    let clients = Load::open(&served, &folder.path().join("one"), SOON, seed)?.begin(seed);
    for _ in 0..kills {
        clients.load.go_on(5)?;
        postgres.kill();
        postgres.restart();
    }
    clients.load.go_on(5)?;
    served.plays_on()?;
    let load = clients.end(served.address())?;
    served.stop()?;
    audit(&database)?;
    Ok(format!(
        "the database was killed {kills} times: {} purchases answered, none missing or double, {} asked again",
        load.count(),
        load.repeated()
    ))
}
