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

/// A node stands still while it runs tables and is asked; the other takes them over; when it goes on it is fenced.
pub(super) fn frozen(seed: u64, freezes: u64) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let postgres = Server::start(&[]);
    let database = postgres.new_database();
    let names = ["one", "two"];
    let one = node(names[0], &database, folder.path())?;
    let two = node(names[1], &database, folder.path())?;
    let nodes = [one, two];
    let load = Load::open(&nodes[0], &folder.path().join(names[0]), Duration::from_secs(2), seed)?;
    load.aim(&[nodes[0].address(), nodes[1].address()]);
    let clients = load.begin(seed);
    let runs = |name: &str| -> u64 {
        let sql = format!("SELECT count(*) FROM lease WHERE node = '{name}' AND now() < until");
        postgres.try_sql(&database, &sql).ok().and_then(|count| count.parse().ok()).unwrap_or(0)
    };
    let mut taken = 0;
    for freeze in 0..freezes {
        let (sleeper, other) = if freeze % 2 == 0 { (0, 1) } else { (1, 0) };
        until("the node that is to freeze runs tables", || 0 < runs(names[sleeper]) || freeze % 2 == 1)?;
        clients.load.go_on(2)?;
        let held = runs(names[sleeper]);
        nodes[sleeper].signal("-STOP");
        until("its tables are taken over", || runs(names[sleeper]) == 0 && held <= runs(names[other]))?;
        taken += held;
        clients.load.go_on(2)?;
        nodes[sleeper].signal("-CONT");
        clients.load.go_on(5)?;
    }
    let load = clients.end(nodes[1].address())?;
    nodes.into_iter().try_for_each(Served::stop)?;
    audit(&database)?;
    Ok(format!(
        "a node stood still {freezes} times and {taken} tables were taken over: {} purchases answered, none \
         missing or double, {} asked again",
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
    let load = clients.end(served.address())?;
    served.stop()?;
    audit(&database)?;
    Ok(format!(
        "the database was killed {kills} times: {} purchases answered, none missing or double, {} asked again",
        load.count(),
        load.repeated()
    ))
}
