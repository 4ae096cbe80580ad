//! Many tables and many viewers on one server, with its commands and feeds measured:
//! `cargo run --profile dist -p server --example load -- 250 500 1000 2000`.
//!
//! The server runs in a process of its own, on a SQLite file in a temporary folder; this process plays and looks on. Each
//! number of tables is played at the pace of a floor first, a round in forty-five seconds, and then flat out: every table
//! gives its next command as soon as the last was answered. `--seconds` says how long each is measured; `--flat-out` leaves
//! the pace of a floor out, `--no-viewers` the viewers.
//!
//! `--postgres` keeps the log on a private PostgreSQL server, `--nodes 2` has two servers on it. Each runs half of the
//! tables, and every command is given to the server that runs its table; with `--sent-on`, to the other one. `--takeover`
//! kills the second of two and measures how long it takes until the first answers at each of its tables.

mod figures;
mod house;
mod http;
mod play;
mod viewers;

use std::sync::Arc;
use std::time::{Duration, Instant};

use mimalloc::MiMalloc;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::figures::{Figures, Usage};
use crate::house::{House, ServerProcesses, Servers};
use crate::play::{Pace, Step};
use crate::viewers::Audience;

/// As the program has it.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

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
    flat_out: bool,
    viewers: bool,
    takeover: bool,
    servers: Servers,
}

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    if let Some((word, place)) = words.split_first()
        && word == house::SERVE
    {
        return runtime.block_on(house::serve(place));
    }
    let arguments = arguments(&words)?;
    let most = arguments.tables.iter().max().copied().unwrap_or(0);
    allow_files(most * FILES_FOR_A_TABLE + 500)?;
    if arguments.takeover {
        for tables in &arguments.tables {
            runtime.block_on(take_over(*tables, arguments.servers))?;
        }
        return Ok(());
    }
    println!("{}", figures::HEADING);
    for tables in &arguments.tables {
        runtime.block_on(measure(*tables, &arguments))?;
    }
    Ok(())
}

fn arguments(words: &[String]) -> Result<Arguments, String> {
    let servers = Servers { count: 1, postgres: false, sent_on: false };
    let mut arguments = Arguments {
        tables: Vec::new(),
        seconds: 60,
        flat_out: false,
        viewers: true,
        takeover: false,
        servers,
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let usage = |_| {
            format!(
                "{word}: use it as load [TABLES]... [--seconds SECONDS] [--flat-out] [--no-viewers] \
                 [--postgres [--nodes NODES [--sent-on]]] [--takeover]"
            )
        };
        let mut number = || words.next().map_or("", String::as_str).parse().map_err(usage);
        match word.as_str() {
            "--seconds" => arguments.seconds = number()?,
            "--nodes" => arguments.servers.count = usize::try_from(number()?.max(1)).unwrap_or(1),
            "--postgres" => arguments.servers.postgres = true,
            "--sent-on" => arguments.servers.sent_on = true,
            "--flat-out" => arguments.flat_out = true,
            "--no-viewers" => arguments.viewers = false,
            "--takeover" => {
                arguments.takeover = true;
                arguments.servers = Servers { count: 2, postgres: true, sent_on: true };
            }
            tables => arguments.tables.push(tables.parse().map_err(usage)?),
        }
    }
    if 1 < arguments.servers.count && !arguments.servers.postgres {
        return Err("several nodes need --postgres".to_owned());
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

/// How long a killed server's tables stand still: until the other one has answered at the first and at the last of them.
async fn take_over(tables: usize, servers: Servers) -> Result<(), String> {
    let mut running = ServerProcesses::start(servers)?;
    let house = House::open(&running, tables).await?;
    let survivor = running.addresses[0];
    let lost: Vec<_> = house.tables.iter().filter(|table| table.dealer.is_at(survivor)).collect();
    let mut steps = Vec::new();
    for table in &lost {
        let view = table.looks.get(&format!("/api/tables/{}", table.name)).await?;
        steps.push(Step::next(&view)?.swap_remove(0));
    }
    let killed = Instant::now();
    running.kill(1)?;
    let answered = lost.iter().zip(&steps).map(async |(table, step)| {
        // A server that does not run the table yet says so.
        while step.ask(table).await?.status == 503 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Ok::<Duration, String>(killed.elapsed())
    });
    let mut times: Vec<Duration> = futures_util::future::try_join_all(answered).await?;
    times.sort();
    let seconds = |time: Option<&Duration>| time.map_or(0.0, Duration::as_secs_f64);
    println!(
        "{} tables of a killed node: the first answers after {:.2} s, the last after {:.2} s",
        times.len(),
        seconds(times.first()),
        seconds(times.last())
    );
    Ok(())
}

/// Measures one number of tables, at the pace of a floor and flat out.
async fn measure(tables: usize, arguments: &Arguments) -> Result<(), String> {
    let time = Duration::from_secs(arguments.seconds);
    let running = ServerProcesses::start(arguments.servers)?;
    let viewers = if arguments.viewers { tables * VIEWERS_FOR_TWO / 2 } else { 0 };
    eprintln!("{tables} tables are opened, two Players sit down at each");
    let house = Arc::new(House::open(&running, tables).await?);
    eprintln!("{viewers} viewers come");
    let audience = Audience::come(running.addresses[0], &house, viewers).await?;
    let paces = [(Pace::Every(ROUND), ROUND), (Pace::FlatOut, FLAT_OUT_WARM_UP)];
    for (pace, warm_up) in paces.into_iter().skip(usize::from(arguments.flat_out)) {
        eprintln!("{tables} tables, {pace}: {} s after a warm-up of {} s", time.as_secs(), warm_up.as_secs());
        let before = figures::load_average();
        let playing = tokio::spawn(play::play(Arc::clone(&house), pace, warm_up, time));
        tokio::time::sleep(warm_up).await;
        audience.count_anew();
        let (began, transactions) = (Usage::of(&running.ids())?, running.transactions());
        tokio::time::sleep(time).await;
        let used = Usage::of(&running.ids())?.since(&began);
        let transactions = running.transactions().saturating_sub(transactions) / arguments.seconds.max(1);
        let seen = audience.seen();
        let played = playing.await.map_err(|error| error.to_string())?;
        let behind = audience.behind(&played.versions).await;
        let figures = Figures { tables, viewers, pace, time, played, seen, behind, used };
        println!("{figures}");
        eprintln!("{}; the load average was {before} before", figures.aside());
        if arguments.servers.postgres {
            eprintln!("{transactions} transactions of the database a second");
        }
        if figures.has_faults() {
            return Err("something was lost, came out of order or was not answered".to_owned());
        }
    }
    drop(audience);
    running.stop()
}
