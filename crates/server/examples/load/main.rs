//! Many tables and many viewers on one server, with its commands and feeds measured:
//! `cargo run --profile dist -p server --example load -- 250 500 1000 2000`.
//!
//! The server runs in a process of its own, on a SQLite file in a temporary folder; this process plays and looks on. Each
//! number of tables is played at the pace of a floor first, a round in forty-five seconds, and then flat out: every table
//! gives its next command as soon as the last was answered. `--seconds` says how long each is measured.

mod figures;
mod house;
mod http;
mod play;
mod viewers;

use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::figures::{Figures, Usage};
use crate::house::{House, ServerProcess};
use crate::play::Pace;
use crate::viewers::Audience;

/// How many viewers look on for every two tables.
const VIEWERS_FOR_TWO: usize = 5;

/// How long a round takes at the pace of a floor.
const ROUND: Duration = Duration::from_secs(45);

/// How long tables play flat out before it counts.
const FLAT_OUT_WARM_UP: Duration = Duration::from_secs(5);

/// How many files each process may want to have open, for each table: its viewers, its connection, some to spare.
const FILES_FOR_A_TABLE: usize = 5;

/// What is asked of this program.
struct Arguments {
    tables: Vec<usize>,
    seconds: u64,
}

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    if let [word, directory] = words.as_slice()
        && word == house::SERVE
    {
        return runtime.block_on(house::serve(directory));
    }
    let arguments = arguments(&words)?;
    let most = arguments.tables.iter().max().copied().unwrap_or(0);
    allow_files(most * FILES_FOR_A_TABLE + 500)?;
    println!("{}", figures::HEADING);
    for tables in arguments.tables {
        runtime.block_on(measure(tables, Duration::from_secs(arguments.seconds)))?;
    }
    Ok(())
}

fn arguments(words: &[String]) -> Result<Arguments, String> {
    let mut arguments = Arguments { tables: Vec::new(), seconds: 60 };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let usage = |_| format!("{word}: use it as load [TABLES]... [--seconds SECONDS]");
        if word == "--seconds" {
            arguments.seconds = words.next().map_or("", String::as_str).parse().map_err(usage)?;
        } else {
            arguments.tables.push(word.parse().map_err(usage)?);
        }
    }
    if arguments.tables.is_empty() {
        arguments.tables = vec![250, 500, 1000, 2000];
    }
    Ok(arguments)
}

/// Makes sure that so many files may be open here and in the server, which has the same limit.
fn allow_files(files: usize) -> Result<(), String> {
    let wanted = u64::try_from(files).map_err(|error| error.to_string())?;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current.is_none_or(|current| wanted <= current) {
        return Ok(());
    }
    let raised = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum });
    raised.map_err(|error| format!("{wanted} open files are needed, and {maximum:?} the most: {error}"))
}

/// Measures one number of tables, at the pace of a floor and flat out.
async fn measure(tables: usize, time: Duration) -> Result<(), String> {
    let (server, address, passwords) = ServerProcess::start()?;
    let viewers = tables * VIEWERS_FOR_TWO / 2;
    eprintln!("{tables} tables are opened, two Players sit down at each");
    let house = Arc::new(House::open(address, &passwords, tables).await?);
    eprintln!("{viewers} viewers come");
    let audience = Audience::come(address, &house, viewers).await?;
    for (pace, warm_up) in [(Pace::Every(ROUND), ROUND), (Pace::FlatOut, FLAT_OUT_WARM_UP)] {
        eprintln!("{tables} tables, {pace}: {} s after a warm-up of {} s", time.as_secs(), warm_up.as_secs());
        let before = figures::load_average();
        let playing = tokio::spawn(play::play(Arc::clone(&house), pace, warm_up, time));
        tokio::time::sleep(warm_up).await;
        audience.count_anew();
        let began = Usage::of(server.id())?;
        tokio::time::sleep(time).await;
        let used = Usage::of(server.id())?.since(&began);
        let seen = audience.seen();
        let played = playing.await.map_err(|error| error.to_string())?;
        let behind = audience.behind(&played.versions).await;
        let figures = Figures { tables, viewers, pace, time, played, seen, behind, used };
        println!("{figures}");
        eprintln!("{}; the load average was {before} before", figures.aside());
        if figures.has_faults() {
            return Err("something was lost, came out of order or was not answered".to_owned());
        }
    }
    drop(audience);
    server.stop()
}
