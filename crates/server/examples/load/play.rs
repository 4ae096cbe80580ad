//! Rounds at many tables at once: every command by whoever gives it, and how long its answer took.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use axum::http::Method;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep_until};

use crate::house::{House, PLAYERS, Table};

/// How fast rounds follow each other.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pace {
    /// One begins at each table whenever so much time has passed.
    Every(Duration),
    /// As fast as the server answers.
    FlatOut,
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pace::Every(time) => write!(f, "a round in {} s", time.as_secs()),
            Pace::FlatOut => f.write_str("flat out"),
        }
    }
}

/// Who gives a command.
#[derive(Clone, Copy, Debug)]
enum Asker {
    Dealer,
    Player(usize),
}

/// One command of a round.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    by: Asker,
    body: String,
}

/// The commands of a round, in order.
#[derive(Debug)]
pub(crate) struct Script {
    pub(crate) steps: Vec<Step>,
}

impl Step {
    /// What comes next at a table that looks so to its Dealer: one command, or the wagers once bets are open.
    pub(crate) fn next(view: &Value) -> Result<Vec<Step>, String> {
        let choices = view["choices"].as_array().ok_or_else(|| format!("no choices: {view}"))?;
        let next = choices.iter().find(|choice| choice["next"] == true);
        let next = next.ok_or_else(|| format!("nothing comes next: {view}"))?;
        let mut command = next["command"].clone();
        if command["do"] == "open-bets" {
            return Ok(std::iter::once(Step::of_dealer(&command)).chain(wagers()).collect());
        }
        if command["do"] != "decide" {
            return Ok(vec![Step::of_dealer(&command)]);
        }
        command["decision"] = json!("wager");
        let position = command["position"].as_u64().ok_or("a decision has no position")?;
        let place = usize::try_from(position).map_err(|error| error.to_string())? - 1;
        Ok(vec![Step { by: Asker::Player(place), body: command.to_string() }])
    }

    fn of_dealer(command: &Value) -> Step {
        Step { by: Asker::Dealer, body: command.to_string() }
    }

    /// Whether the next round begins with it.
    pub(crate) fn ends_the_round(&self) -> bool {
        self.body.contains("\"begin-next-round\"")
    }

    /// Takes it, and it must be taken.
    pub(crate) async fn take(&self, table: &Table) -> Result<(), String> {
        let reply = self.ask(table).await?;
        if 300 <= reply.status {
            return Err(format!("{}: {}", self.body, String::from_utf8_lossy(&reply.body)));
        }
        Ok(())
    }

    pub(crate) async fn ask(&self, table: &Table) -> Result<crate::http::Reply, String> {
        let path = format!("/api/tables/{}/commands", table.name);
        match self.by {
            Asker::Dealer => table.dealer.send(Method::POST, &path, &self.body).await,
            Asker::Player(place) => {
                let (client, name) = &table.players[place];
                client.send(Method::POST, &path, &self.body.replace(OWNER, name)).await
            }
        }
    }
}

/// Stands in a script for the name of whoever gives the command.
const OWNER: &str = "(owner)";

/// An Ante and a Jackpot wager of everybody.
fn wagers() -> impl Iterator<Item = Step> {
    (0..PLAYERS).flat_map(|place| {
        let owner = OWNER;
        [("ante", 2500), ("jackpot", 500)].map(|(area, amount)| {
            let wager = json!({ "do": "place-wager", "position": place + 1, "area": area, "owner": owner,
                "amount": amount, "means": "credits" });
            Step { by: Asker::Player(place), body: wager.to_string() }
        })
    })
}

/// What was played, and how long it took.
#[derive(Default)]
pub(crate) struct Played {
    /// Rounds that ended and commands that were answered, while it counted.
    pub(crate) rounds: u64,
    pub(crate) commands: u64,
    /// From the moment a command was due to its answer, in microseconds.
    pub(crate) latencies: Vec<u32>,
    /// Commands that had to be given anew because their connection broke, those the rules refused, and those that failed.
    pub(crate) retried: u64,
    pub(crate) refused: u64,
    pub(crate) failed: u64,
    /// Where each table's stream ended.
    pub(crate) versions: BTreeMap<String, u64>,
}

impl Played {
    fn add(&mut self, other: Played) {
        self.rounds += other.rounds;
        self.commands += other.commands;
        self.latencies.extend(other.latencies);
        self.retried += other.retried;
        self.refused += other.refused;
        self.failed += other.failed;
        self.versions.extend(other.versions);
    }
}

/// Plays at every table until the time is over, and then each round to its end.
pub(crate) async fn play(house: Arc<House>, pace: Pace, warm_up: Duration, time: Duration) -> Played {
    let began = Instant::now();
    let counts = (began + warm_up, began + warm_up + time);
    let tables = house.tables.len();
    let playing = (0..tables).map(|number| {
        let house = Arc::clone(&house);
        let share =
            f64::from(u32::try_from(number).unwrap_or(0)) / f64::from(u32::try_from(tables).unwrap_or(1));
        tokio::spawn(async move {
            let mut playing =
                Playing { house: &house, table: &house.tables[number], counts, played: Played::default() };
            playing.rounds(pace, began, share).await;
            playing.played
        })
    });
    let mut all = Played::default();
    for played in futures_util::future::join_all(playing).await {
        all.add(played.expect("a table plays to the end"));
    }
    all
}

/// One table at play.
struct Playing<'a> {
    house: &'a House,
    table: &'a Table,
    /// From when to when it counts.
    counts: (Instant, Instant),
    played: Played,
}

/// What an answer says of where the table's stream ends.
#[derive(Deserialize)]
struct Version {
    version: u64,
}

impl Playing<'_> {
    /// Plays rounds; `share` of the pace passes before the first, so that tables do not keep step.
    async fn rounds(&mut self, pace: Pace, began: Instant, share: f64) {
        let steps = &self.house.script(self.table).steps;
        let between = match pace {
            Pace::Every(time) => Some((time, time / u32::try_from(steps.len()).unwrap_or(1))),
            Pace::FlatOut => None,
        };
        let mut begins = between.map_or(began, |(time, _)| began + time.mul_f64(share));
        while Instant::now().max(begins) < self.counts.1 {
            for (number, step) in (0..).zip(steps) {
                let due = between.map_or_else(Instant::now, |(_, step)| begins + step * number);
                // What is left of the rounds when it counts no more need not keep the pace.
                sleep_until(due.min(self.counts.1)).await;
                if !self.give(step, due).await {
                    self.play_on().await;
                    break;
                }
            }
            let now = Instant::now();
            self.played.rounds += u64::from(self.counts.0 <= now && now < self.counts.1);
            begins = between.map_or(now, |(time, _)| begins + time);
        }
    }

    /// Gives a command, and says whether it was taken.
    async fn give(&mut self, step: &Step, due: Instant) -> bool {
        let answer = step.ask(self.table).await;
        let now = Instant::now();
        let Ok(reply) = answer else {
            self.played.failed += 1;
            return false;
        };
        if self.counts.0 <= now && now < self.counts.1 {
            self.played.commands += 1;
            self.played.retried += u64::from(reply.retried);
            let micros = now.duration_since(due).as_micros();
            self.played.latencies.push(u32::try_from(micros).unwrap_or(u32::MAX));
        }
        if 500 <= reply.status {
            self.played.failed += 1;
            eprintln!("{}: {}", reply.status, String::from_utf8_lossy(&reply.body));
        }
        if 300 <= reply.status {
            self.played.refused += u64::from(reply.status < 500);
            return false;
        }
        if let Ok(Version { version }) = serde_json::from_slice(&reply.body) {
            self.played.versions.insert(self.table.name.clone(), version);
        }
        true
    }

    /// A round went otherwise than most: what comes next is asked for until it is over.
    async fn play_on(&mut self) {
        for _ in 0..100 {
            let view = self.table.looks.get(&format!("/api/tables/{}", self.table.name)).await;
            let Ok(steps) = view.and_then(|view| Step::next(&view)) else {
                self.played.failed += 1;
                return;
            };
            for step in steps {
                let taken = self.give(&step, Instant::now()).await;
                if taken && step.ends_the_round() {
                    return;
                }
            }
        }
    }
}
