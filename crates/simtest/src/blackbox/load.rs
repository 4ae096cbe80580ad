//! Clients that buy credits, each purchase with an id of its own, and retry with the same id until they are answered.
//! At the end every purchase has happened once, and the balance shows it.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};

use super::http::{Answer, Client};
use super::program::{PATIENCE, Served, until};
use crate::dice::bytes;
use crate::node_load::Dice;

/// The Player who buys.
const PLAYER: &str = "Kim Tan";

/// How many cents each purchase is.
const AMOUNT: u64 = 100;

/// How many requests are repeated at the end.
const ASKED_AGAIN: usize = 20;

/// How many clients work at the same time.
const CLIENTS: u64 = 4;

/// The state of the clients, and their answers.
#[derive(Debug)]
pub(super) struct Load {
    token: String,
    patience: Duration,
    /// The servers to send to. They change when a server is restarted.
    targets: Mutex<Vec<SocketAddr>>,
    stops: AtomicBool,
    /// The answer body for each id.
    answered: Mutex<BTreeMap<String, Value>>,
    /// How often there was no answer and the request was sent again.
    repeated: AtomicU64,
    /// The first wrong answer.
    wrong: Mutex<Option<String>>,
}

/// Running clients.
#[derive(Debug)]
pub(super) struct Clients {
    pub(super) load: Arc<Load>,
    threads: Vec<JoinHandle<()>>,
}

/// Name and password of the first line in the sign-in note of a house.
fn manager(folder: &Path) -> Result<(String, String), String> {
    let note = std::fs::read_to_string(folder.join("sign-in.txt")).map_err(|error| error.to_string())?;
    let first = note.lines().nth(2).and_then(|line| {
        let (name, rest) = line.split_once("  ")?;
        Some((name.to_owned(), rest.split_whitespace().next_back()?.to_owned()))
    });
    first.ok_or_else(|| format!("the sign-in note has no account: {note}"))
}

impl Load {
    /// Signs the manager in and registers the buyer. The sign-in note of the house is in the folder.
    pub(super) fn open(
        served: &Served,
        folder: &Path,
        patience: Duration,
        seed: u64,
    ) -> Result<Load, String> {
        let mut client = served.client();
        let (name, password) = manager(folder)?;
        let mut dice = Dice(seed);
        // Commands that move money need the password a second time.
        for (path, body) in [
            ("/api/session", json!({ "name": name, "password": password })),
            ("/api/session/step-up", json!({ "password": password })),
        ] {
            let answer = client.post(path, &id(&mut dice), &body).ok_or("the sign-in was not answered")?;
            let token = answer.body["token"].as_str().ok_or_else(|| format!("no sign-in: {answer:?}"))?;
            token.clone_into(&mut client.token);
        }
        let register = json!({ "do": "register-player", "player": PLAYER, "kind": "member" });
        match client.post(HOUSE, &id(&mut dice), &register) {
            Some(Answer { status: 200, .. }) => {}
            other => return Err(format!("{PLAYER} was not registered: {other:?}")),
        }
        Ok(Load {
            token: client.token,
            patience,
            targets: Mutex::new(vec![served.address()]),
            stops: AtomicBool::new(false),
            answered: Mutex::default(),
            repeated: AtomicU64::new(0),
            wrong: Mutex::default(),
        })
    }

    /// Starts the clients.
    pub(super) fn begin(self, seed: u64) -> Clients {
        let load = Arc::new(self);
        let client = |number| {
            let load = Arc::clone(&load);
            std::thread::spawn(move || load.buy(Dice(seed.wrapping_mul(CLIENTS).wrapping_add(number))))
        };
        let threads = (0..CLIENTS).map(client).collect();
        Clients { load, threads }
    }

    /// Sets the servers to send to.
    pub(super) fn set_targets(&self, targets: &[SocketAddr]) {
        *lock(&self.targets) = targets.to_vec();
    }

    /// How many purchases were answered.
    pub(super) fn count(&self) -> usize {
        lock(&self.answered).len()
    }

    /// How often a request was sent again.
    pub(super) fn repeated(&self) -> u64 {
        self.repeated.load(Ordering::Relaxed)
    }

    /// Waits until this many more purchases are answered.
    pub(super) fn wait_for_purchases(&self, more: usize) -> Result<(), String> {
        let before = self.count();
        until("purchases are answered", || before + more <= self.count() || lock(&self.wrong).is_some())?;
        lock(&self.wrong).take().map_or(Ok(()), Err)
    }

    /// One client: buys until it is stopped and its last purchase is answered.
    fn buy(&self, mut dice: Dice) {
        while !self.stops.load(Ordering::Relaxed) {
            let id = id(&mut dice);
            let mut last = None;
            let answered = until("a purchase is answered", || {
                last = self.ask(&id, &mut dice);
                let is_answer = last.as_ref().is_some_and(|answer| !is_no_answer(answer.status));
                if !is_answer {
                    self.repeated.fetch_add(1, Ordering::Relaxed);
                    std::thread::sleep(Duration::from_millis(10 + dice.roll(40)));
                }
                is_answer
            });
            match (answered, last) {
                (Ok(()), Some(Answer { status: 200, body })) => drop(lock(&self.answered).insert(id, body)),
                (answered, last) => {
                    *lock(&self.wrong) = Some(format!("{id}: {answered:?}, {last:?}"));
                    return;
                }
            }
        }
    }

    fn ask(&self, id: &str, dice: &mut Dice) -> Option<Answer> {
        let targets = lock(&self.targets).clone();
        let which = usize::try_from(dice.roll(targets.len() as u64)).expect("an index into a short list");
        let buy = json!({ "do": "grant-credits", "player": PLAYER, "amount": AMOUNT, "means": "credits" });
        self.client(targets[which]).post(HOUSE, id, &buy)
    }

    fn client(&self, address: SocketAddr) -> Client {
        Client { address, token: self.token.clone(), patience: self.patience }
    }

    /// Repeats some requests, and checks the balance against the number of purchases.
    fn check(&self, address: SocketAddr) -> Result<(), String> {
        let client = Client { patience: PATIENCE, ..self.client(address) };
        let answered = lock(&self.answered).clone();
        let buy = json!({ "do": "grant-credits", "player": PLAYER, "amount": AMOUNT, "means": "credits" });
        for (id, body) in answered.iter().rev().take(ASKED_AGAIN) {
            let again = client.post(HOUSE, id, &buy);
            if again.as_ref().is_none_or(|again| (again.status, &again.body) != (200, body)) {
                return Err(format!("{id} was answered with {body}, and later with {again:?}"));
            }
        }
        let house = client.get(&format!("/api/house?name={PLAYER}")).ok_or("the house was not returned")?;
        let players = house.body["players"].as_array().cloned().unwrap_or_default();
        let buyer = players.into_iter().find(|player| player["player"] == PLAYER).unwrap_or_default();
        let expected = answered.len() as u64 * AMOUNT;
        if buyer["balance"] != expected {
            return Err(format!("{} purchases should give a balance of {expected}: {buyer}", answered.len()));
        }
        Ok(())
    }
}

impl Clients {
    /// Stops the clients and checks their result at a server.
    pub(super) fn end(self, address: SocketAddr) -> Result<Arc<Load>, String> {
        self.load.stops.store(true, Ordering::Relaxed);
        for thread in self.threads {
            thread.join().map_err(|_| "a client panicked".to_owned())?;
        }
        lock(&self.load.wrong).take().map_or(Ok(()), Err)?;
        self.load.check(address)?;
        Ok(self.load)
    }
}

const HOUSE: &str = "/api/house/commands";

/// Whether a status leaves open what became of a command.
fn is_no_answer(status: u16) -> bool {
    status == 429 || 500 <= status
}

pub(super) fn id(dice: &mut Dice) -> String {
    uuid::Builder::from_random_bytes(bytes(|| dice.roll(u64::MAX))).into_uuid().to_string()
}

fn lock<T>(thing: &Mutex<T>) -> MutexGuard<'_, T> {
    thing.lock().unwrap_or_else(PoisonError::into_inner)
}
