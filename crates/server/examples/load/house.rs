//! The server in its own process, and a house with many tables on one link.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::{Value, json};
use server::config::Config;
use server::{Listening, serve_until, start};
use tempfile::TempDir;
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

/// How many requests are under way at once while the house is set up.
const AT_ONCE: usize = 64;

/// Serves a new house in a directory until standard input ends, and says where and by which password first.
pub(crate) async fn serve(directory: &str) -> Result<(), String> {
    let mut config = Config::default();
    config.storage.directory = Some(PathBuf::from(directory));
    config.server.listen = SocketAddr::from(([127, 0, 0, 1], 0));
    // All of them come from one machine, and say as a proxy does who they are.
    config.server.trusted_proxies = vec![[127, 0, 0, 1].into()];
    config.floor.demonstration = false;
    config.floor.play_money = true;
    MANAGER.clone_into(&mut config.floor.manager);
    SECOND.clone_into(&mut config.floor.accountant);
    config.floor.guest_credits = 100_000_000;
    // One person deals at every table.
    config.limits.requests_burst = 1_000_000;
    config.limits.requests_per_second = 1_000_000;
    let listening = Listening::bind(&config.server).await.map_err(|error| error.to_string())?;
    let address = listening.address().map_err(|error| error.to_string())?;
    let started = start(config).await.map_err(|error| error.to_string())?;
    println!("{address} {} {}", started.sign_ins[0].password, started.sign_ins[2].password);
    let stop = CancellationToken::new();
    let ended = stop.clone();
    std::thread::spawn(move || {
        // Whatever ends it, nobody is there any more.
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        ended.cancel();
    });
    serve_until(started.app, listening, stop).await.map_err(|error| error.to_string())
}

/// The process that serves.
pub(crate) struct ServerProcess {
    child: Child,
    _directory: TempDir,
}

impl ServerProcess {
    /// Starts it, and says where it listens and the passwords of its manager and its accountant.
    pub(crate) fn start() -> Result<(ServerProcess, SocketAddr, [String; 2]), String> {
        let text = |error: std::io::Error| error.to_string();
        let directory = tempfile::tempdir().map_err(text)?;
        let mut child = Command::new(std::env::current_exe().map_err(text)?)
            .arg(SERVE)
            .arg(directory.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(text)?;
        let mut line = String::new();
        let said = child.stdout.take().ok_or("the server says nothing")?;
        BufReader::new(said).read_line(&mut line).map_err(text)?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let [address, one, two] = words.as_slice() else {
            return Err("the server did not start".to_owned());
        };
        let address = address.parse().map_err(|_| format!("no address: {address}"))?;
        Ok((ServerProcess { child, _directory: directory }, address, [(*one).to_owned(), (*two).to_owned()]))
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Has it stop in order.
    pub(crate) fn stop(mut self) -> Result<(), String> {
        drop(self.child.stdin.take());
        let ended = self.child.wait().map_err(|error| error.to_string())?;
        if ended.success() { Ok(()) } else { Err(format!("the server ended with {ended}")) }
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // It has most often ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A table with its Players, and how a round goes there.
pub(crate) struct Table {
    pub(crate) name: String,
    /// With the names they go by.
    pub(crate) players: Vec<(Client, String)>,
    book: usize,
}

/// A house whose tables are ready to play.
pub(crate) struct House {
    pub(crate) dealer: Client,
    pub(crate) tables: Vec<Table>,
    /// How a round goes in each of the books.
    scripts: Vec<Script>,
}

impl House {
    /// Opens so many tables, has Players sit down at each, and plays one round in each book to learn how it goes.
    pub(crate) async fn open(
        address: SocketAddr,
        [one, two]: &[String; 2],
        tables: usize,
    ) -> Result<House, String> {
        let public = Client::new(address);
        let dealer = sign_in(&public, MANAGER, one).await?;
        let second = sign_in(&public, SECOND, two).await?;
        let settings = json!({ "minimum_wager": 500, "contribution_bps": 1000, "reset": 5_000_000,
            "round_contribution_max": { "cents": 100_000 } });
        let link = json!({ "kind": "open-link", "link": "mega", "books": BOOKS, "settings": settings,
            "opening": { "cents": 10_000_000 } });
        dealer.post("/api/house/commands", &json!({ "do": "propose", "proposal": link })).await?;
        second.post("/api/house/commands", &json!({ "do": "confirm", "number": 1 })).await?;
        let opened = stream::iter((0..tables).map(|number| open_table(&public, &dealer, number)));
        let mut tables: Vec<Table> = opened.buffer_unordered(AT_ONCE).try_collect().await?;
        tables.sort_by(|one, other| one.name.cmp(&other.name));
        let mut scripts = Vec::new();
        for table in tables.iter().take(BOOKS.len()) {
            scripts.push(rehearse(&dealer, table).await?);
        }
        Ok(House { dealer, tables, scripts })
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

async fn open_table(public: &Client, dealer: &Client, number: usize) -> Result<Table, String> {
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
        players.push((player, called));
    }
    Ok(Table { name, players, book })
}

/// Plays a round by doing what comes next, again and again, and notes what that was.
async fn rehearse(dealer: &Client, table: &Table) -> Result<Script, String> {
    let mut steps = Vec::new();
    loop {
        let view = dealer.get(&format!("/api/tables/{}", table.name)).await?;
        for step in Step::next(&view)? {
            let ends = step.ends_the_round();
            step.take(dealer, table).await?;
            steps.push(step);
            if ends {
                return Ok(Script { steps });
            }
        }
    }
}
