//! The server in its own process, and a house with many tables on one link.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::{Value, json};
use server::config::Config;
use server::{Listening, serve_until, start};
use tempfile::TempDir;
use testkit::postgres::Server as PostgresServer;
use tokio_util::sync::CancellationToken;

use crate::http::Client;
use crate::play::{Script, Step};

/// The word by which this program serves rather than asks.
pub(crate) const SERVE: &str = "--serve";

/// Who runs the house and deals, and who of Accounting signs with them.
const MANAGER: &str = "Gus";
const SECOND: &str = "Hal";

/// The games that are played, table by table.
const BOOKS: [&str; 2] = ["megalink-holdem-v9", "megalink-stud-v9"];

/// How many Players sit at each table.
pub(crate) const PLAYERS: usize = 2;

/// How long a server may take to learn of what another did.
const PATIENCE: Duration = Duration::from_mins(1);

/// Within this time a server learns which tables the other one runs.
const LEARNS_OWNERS: Duration = Duration::from_secs(4);

/// How many requests are under way at once while the house is set up.
const AT_ONCE: usize = 64;

/// How many servers there are, what they keep the log in, and which of two is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Servers {
    pub(crate) count: usize,
    pub(crate) postgres: bool,
    /// Every command goes to a server that does not run its table.
    pub(crate) sent_on: bool,
}

/// Serves a house until standard input ends, and says where and by which passwords first. `place` is a directory; for one
/// of several servers also the directory of the key they share, and the database.
pub(crate) async fn serve(place: &[String]) -> Result<(), String> {
    let mut config = Config::default();
    let directory = place.first().map(PathBuf::from).ok_or("there is no directory")?;
    if let [_, shared, database] = place {
        config.storage.database = Some(database.clone());
        config.storage.signing_key = Some(PathBuf::from(shared).join("signing.key"));
        config.floor.node = directory.file_name().map_or_else(String::new, |name| name.display().to_string());
    }
    config.storage.directory = Some(directory);
    config.server.listen = SocketAddr::from(([127, 0, 0, 1], 0));
    // All of them come from one machine, and say as a proxy does who they are.
    config.server.trusted_proxies = vec![[127, 0, 0, 1].into()];
    config.floor.demonstration = false;
    config.floor.house = Some("Load".to_owned());
    config.floor.play_money = true;
    MANAGER.clone_into(&mut config.floor.manager);
    SECOND.clone_into(&mut config.floor.accountant);
    config.floor.guest_credits = 100_000_000;
    // One person deals at every table.
    config.limits.requests_burst = 1_000_000;
    config.limits.requests_per_second = 1_000_000;
    let listening = Listening::bind(&config.server).await.map_err(|error| error.to_string())?;
    let address = listening.address().map_err(|error| error.to_string())?;
    config.server.listen = address;
    let started = start(config).await.map_err(|error| error.to_string())?;
    let passwords = started.sign_ins.iter().map(|sign_in| sign_in.password.as_str());
    println!("{address} {}", passwords.collect::<Vec<_>>().join(" "));
    let stop = CancellationToken::new();
    let ended = stop.clone();
    std::thread::spawn(move || {
        // Whatever ends it, nobody is there any more.
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        ended.cancel();
    });
    serve_until(started.app, listening, stop).await.map_err(|error| error.to_string())
}

/// The processes that serve.
pub(crate) struct ServerProcesses {
    children: Vec<Child>,
    pub(crate) addresses: Vec<SocketAddr>,
    /// Of the manager and the accountant.
    passwords: [String; 2],
    sent_on: bool,
    database: Option<(PostgresServer, String)>,
    directory: TempDir,
}

impl ServerProcesses {
    /// Starts them, one after the other.
    pub(crate) fn start(servers: Servers) -> Result<ServerProcesses, String> {
        let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
        let database = servers.postgres.then(|| {
            let server = PostgresServer::start(&["shared_buffers = '256MB'"]);
            let url = server.new_database();
            (server, url)
        });
        let mut running = ServerProcesses {
            children: Vec::new(),
            addresses: Vec::new(),
            passwords: Default::default(),
            sent_on: servers.sent_on,
            database,
            directory,
        };
        for number in 0..servers.count {
            running.start_one(number)?;
        }
        Ok(running)
    }

    fn start_one(&mut self, number: usize) -> Result<(), String> {
        let text = |error: std::io::Error| error.to_string();
        let directory = self.directory.path();
        let mut command = Command::new(std::env::current_exe().map_err(text)?);
        command.arg(SERVE).arg(directory.join(format!("node-{number}")));
        if let Some((_, url)) = &self.database {
            command.arg(directory).arg(url);
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(text)?;
        let mut line = String::new();
        let said = child.stdout.take().ok_or("the server says nothing")?;
        self.children.push(child);
        BufReader::new(said).read_line(&mut line).map_err(text)?;
        let mut words = line.split_whitespace();
        let address = words.next().ok_or("the server did not start")?;
        self.addresses.push(address.parse().map_err(|_| format!("no address: {address}"))?);
        if let [manager, _, accountant, ..] = words.collect::<Vec<_>>().as_slice() {
            self.passwords = [(*manager).to_owned(), (*accountant).to_owned()];
        }
        Ok(())
    }

    /// Kills one of them, as a power failure would.
    pub(crate) fn kill(&mut self, number: usize) -> Result<(), String> {
        let text = |error: std::io::Error| error.to_string();
        self.children[number].kill().map_err(text)?;
        self.children[number].wait().map_err(text)?;
        Ok(())
    }

    pub(crate) fn ids(&self) -> Vec<u32> {
        self.children.iter().map(Child::id).collect()
    }

    /// How many transactions the database has had.
    pub(crate) fn transactions(&self) -> u64 {
        let sql =
            "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()";
        let count = self.database.as_ref().and_then(|(server, url)| server.try_sql(url, sql).ok());
        count.and_then(|count| count.parse().ok()).unwrap_or(0)
    }

    /// The server that runs a table, and the one that is asked to play there.
    fn of_table(&self, number: usize) -> (SocketAddr, SocketAddr) {
        let at = |number: usize| self.addresses[number % self.addresses.len()];
        // Each server runs tables of every book.
        let runs = number / BOOKS.len();
        (at(runs), at(runs + usize::from(self.sent_on)))
    }

    /// Has them stop in order.
    pub(crate) fn stop(mut self) -> Result<(), String> {
        for child in &mut self.children {
            drop(child.stdin.take());
            let ended = child.wait().map_err(|error| error.to_string())?;
            if !ended.success() {
                return Err(format!("the server ended with {ended}"));
            }
        }
        Ok(())
    }
}

impl Drop for ServerProcesses {
    fn drop(&mut self) {
        for child in &mut self.children {
            // It has most often ended already.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A table with its Players, and how a round goes there.
pub(crate) struct Table {
    pub(crate) name: String,
    /// Who deals, at the server that is asked.
    pub(crate) dealer: Client,
    /// Who looks at the table, at the server that runs it.
    pub(crate) looks: Client,
    /// With the names they go by.
    pub(crate) players: Vec<(Client, String)>,
    book: usize,
}

/// A house whose tables are ready to play.
pub(crate) struct House {
    pub(crate) tables: Vec<Table>,
    /// How a round goes in each of the books.
    scripts: Vec<Script>,
}

impl House {
    /// Opens so many tables, has Players sit down at each, and plays one round in each book to learn how it goes.
    pub(crate) async fn open(running: &ServerProcesses, tables: usize) -> Result<House, String> {
        let [one, two] = &running.passwords;
        let public = Client::new(running.addresses[0]);
        let dealer = sign_in(&public, MANAGER, one).await?;
        let second = sign_in(&public, SECOND, two).await?;
        let settings = json!({ "minimum_wager": 500, "contribution_bps": 1000, "reset": 5_000_000,
            "round_contribution_max": { "cents": 100_000 } });
        let link = json!({ "kind": "open-link", "link": "mega", "books": BOOKS, "settings": settings,
            "opening": { "cents": 10_000_000 } });
        dealer.post("/api/house/commands", &json!({ "do": "propose", "proposal": link })).await?;
        second.post("/api/house/commands", &json!({ "do": "confirm", "number": 1 })).await?;
        wait_for_link(&public, running).await?;
        let opened = stream::iter((0..tables).map(|number| {
            let (runs, asked) = running.of_table(number);
            open_table(public.at(runs), dealer.at(runs), asked, number)
        }));
        let mut tables: Vec<Table> = opened.buffer_unordered(AT_ONCE).try_collect().await?;
        tables.sort_by(|one, other| one.name.cmp(&other.name));
        if running.sent_on {
            tokio::time::sleep(LEARNS_OWNERS).await;
        }
        let mut scripts = Vec::new();
        for table in tables.iter().take(BOOKS.len()) {
            scripts.push(rehearse(table).await?);
        }
        Ok(House { tables, scripts })
    }

    /// How a round goes at a table.
    pub(crate) fn script(&self, table: &Table) -> &Script {
        &self.scripts[table.book]
    }
}

/// Signs a manager in, with the password repeated.
async fn sign_in(public: &Client, name: &str, password: &str) -> Result<Client, String> {
    let token = |begun: Value| begun["token"].as_str().map(str::to_owned).ok_or("there is no token");
    let begun = public.post("/api/session", &json!({ "name": name, "password": password })).await?;
    let once = public.holding(&token(begun)?);
    let begun = once.post("/api/session/step-up", &json!({ "password": password })).await?;
    Ok(public.holding(&token(begun)?))
}

/// Waits until every server knows the link.
async fn wait_for_link(public: &Client, running: &ServerProcesses) -> Result<(), String> {
    let deadline = Instant::now() + PATIENCE;
    for address in &running.addresses {
        while public.at(*address).get("/api/links/mega").await.is_err() {
            if deadline < Instant::now() {
                return Err("a server does not learn of the link".to_owned());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    Ok(())
}

/// Opens a table at the server that is to run it, and has Players sit down there. They then play at another one.
async fn open_table(
    public: Client,
    dealer: Client,
    asked: SocketAddr,
    number: usize,
) -> Result<Table, String> {
    let (name, book) = (format!("T{number:04}"), number % BOOKS.len());
    let bonus = if BOOKS[book].contains("stud") { Value::Null } else { json!([500, 50_000]) };
    let setup = json!({ "rulebook": BOOKS[book], "positions": 6, "limits": { "ante": [2500, 100_000], "bonus": bonus },
        "dealing": "software", "staffing": "staffed", "link": "mega" });
    let open = json!({ "do": "open-table", "table": name, "setup": setup });
    dealer.post("/api/house/commands", &open).await?;
    let mut players = Vec::new();
    for place in 0..PLAYERS {
        let guest = public.from(number * PLAYERS + place);
        let called = format!("Guest {number}-{place}");
        let begun = guest.post("/api/session/guest", &json!({ "name": called })).await?;
        let player = public.holding(begun["token"].as_str().ok_or("there is no token")?);
        let take = json!({ "do": "take-position", "position": place + 1, "player": called });
        player.post(&format!("/api/tables/{name}/commands"), &take).await?;
        players.push((player.at(asked), called));
    }
    Ok(Table { name, dealer: dealer.at(asked), looks: dealer, players, book })
}

/// Plays a round by doing what comes next, again and again, and notes what that was.
async fn rehearse(table: &Table) -> Result<Script, String> {
    let mut steps = Vec::new();
    loop {
        let view = table.looks.get(&format!("/api/tables/{}", table.name)).await?;
        for step in Step::next(&view)? {
            let ends = step.ends_the_round();
            step.take(table).await?;
            steps.push(step);
            if ends {
                return Ok(Script { steps });
            }
        }
    }
}
