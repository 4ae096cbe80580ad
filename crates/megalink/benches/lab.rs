//! Times the lab's commands as whole processes, from a cold start, next to one pass over all seven-card hands.
//!
//! `cargo bench -p megalink --bench lab`
//!
//! *P* is one sequential pass over all 133,784,560 seven-card hands with `pokers` 0.10 on one core, measured in
//! the same run, before, between and after the others; the fastest run counts, as it does for ours.

use std::fs;
use std::hint::black_box;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const MEGALINK: &str = env!("CARGO_BIN_EXE_megalink");

/// The commands that answer at once, and how many times *P* each may take.
const QUESTIONS: [(&[&str], &str); 12] = [
    (&["lab", "exact", "megalink-holdem-v9", "--json"], "3 P"),
    (&["lab", "exact", "megalink-holdem-v6", "--json"], "3 P"),
    (
        &[
            "lab",
            "exact",
            "holdem-progressive-v6",
            "--ante",
            "2500",
            "--jackpot-wager",
            "500",
            "--meter",
            "100000000",
            "--json",
        ],
        "3 P",
    ),
    (&["lab", "exact", "megalink-stud-v9", "--json"], "1 P"),
    (&["lab", "advise", "megalink-holdem-v9", "As Kd", "--json"], "10 ms"),
    (&["lab", "advise", "megalink-holdem-v9", "As Kd", "--flop", "2c 7d Th", "--json"], "10 ms"),
    (
        &["lab", "advise", "megalink-holdem-v9", "As Kd", "--flop", "2c 7d Th", "--turn", "9s", "--json"],
        "10 ms",
    ),
    (&["lab", "advise", "megalink-stud-v9", "As Kd Qc 7h 2s", "--up", "Kc", "--json"], "10 ms"),
    (&["lab", "forecast", "megalink-holdem-v9", "--wagers-an-hour", "1000", "--json"], "1 s"),
    (&["lab", "compare", "megalink-stud-v9", "--other", "stud.bet.flush=6 to 1", "--json"], "1 P"),
    (&["lab", "risk", "megalink-stud-v9", "--jackpot-wager", "500", "--json"], "1 s"),
    (&["lab", "risk", "megalink-holdem-v9", "--jackpot-wager", "500", "--bonus", "500", "--json"], "10 s"),
];

/// Those that take seconds: known cards, shared cards, rule lists, simulations.
const LONG: [(&[&str], &str); 19] = [
    (&["lab", "exact", "megalink-holdem-v9", "--recount", "--json"], "3 P"),
    (&["lab", "protect", "megalink-holdem-v9", "--dealer", "1", "--json"], "40 P"),
    (&["lab", "protect", "megalink-holdem-v9", "--dealer", "2", "--json"], "80 P"),
    (&["lab", "protect", "megalink-holdem-v9", "--flop", "1", "--json"], "80 P"),
    (&["lab", "protect", "megalink-holdem-v9", "--turn", "--json"], "80 P"),
    (&["lab", "protect", "megalink-holdem-v9", "--river", "--json"], "80 P"),
    (&["lab", "protect", "megalink-holdem-v9", "--dealer", "1", "--flop", "1", "--json"], "80 P"),
    (&["lab", "protect", "megalink-holdem-v9", "--dealer", "1", "--turn", "--json"], "80 P"),
    (&["lab", "protect", "megalink-holdem-v9", "--dealer", "1", "--river", "--json"], "80 P"),
    (&["lab", "protect", "megalink-stud-v9", "--dealer", "2", "--json"], "20 P"),
    (&["lab", "protect", "megalink-stud-v9", "--dealer", "3", "--json"], "60 P"),
    (&["lab", "protect", "megalink-stud-v9", "--dealer", "4", "--json"], ""),
    (&["lab", "protect", "megalink-stud-v9", "--dealer", "5", "--json"], ""),
    (&["lab", "collude", "megalink-holdem-v9", "--players", "7", "--json"], "120 P"),
    (&["lab", "collude", "megalink-holdem-v9", "--players", "2", "--json"], ""),
    (&["lab", "collude", "megalink-stud-v9", "--players", "7", "--json"], "120 P"),
    (&["lab", "strategy", "megalink-holdem-v9", "--search", "6", "--json"], ""),
    (&["lab", "simulate", "megalink-holdem-v9", "--rounds", "20000000", "--json"], ""),
    (
        &[
            "lab",
            "simulate",
            "megalink-holdem-v9",
            "--rounds",
            "20000000",
            "--strategy",
            "five-lines",
            "--json",
        ],
        "",
    ),
];

fn main() {
    let mut pass = pass_over_all_hands();
    let mut rows = Vec::new();
    let all = QUESTIONS.map(|question| (question, 7)).into_iter().chain(LONG.map(|question| (question, 2)));
    for ((arguments, aim), times) in all {
        let (time, memory) = whole_process(arguments, times);
        rows.push((arguments.join(" "), time, memory, aim));
        pass = pass.min(pass_over_all_hands());
    }
    println!(
        "P = {:.1} ms: all 133,784,560 seven-card hands with pokers 0.10, one core\n",
        pass.as_secs_f64() * 1e3
    );
    println!("{:>9} {:>7} {:>9}  {:<6} megalink, the whole process, cold", "ms", "P", "peak MiB", "aim");
    for (what, time, memory, aim) in rows {
        let ratio = time.as_secs_f64() / pass.as_secs_f64();
        let mebibytes = memory.map_or_else(|| "?".to_owned(), |kibibytes| (kibibytes / 1024).to_string());
        println!("{:>9.1} {ratio:>7.2} {mebibytes:>9}  {aim:<6} {what}", time.as_secs_f64() * 1e3);
    }
}

/// The fastest of several runs of a process, from its start to its end, and the most memory seen in it in KiB.
fn whole_process(arguments: &[&str], times: u32) -> (Duration, Option<u64>) {
    let run = |arguments: &[&str]| {
        let started = Instant::now();
        let child = Command::new(MEGALINK).args(arguments).stdout(Stdio::null()).status();
        assert!(child.is_ok_and(|status| status.success()), "megalink {} failed", arguments.join(" "));
        started.elapsed()
    };
    let fastest = (0..times).map(|_| run(arguments)).min().expect("it ran");
    (fastest, memory_of(arguments))
}

/// Reads the memory of a running process repeatedly; its peak only grows, so the last reading counts.
fn memory_of(arguments: &[&str]) -> Option<u64> {
    let mut child = Command::new(MEGALINK).args(arguments).stdout(Stdio::null()).spawn().ok()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = None;
    while child.try_wait().ok()?.is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with("VmHWM:"));
        peak = line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).or(peak);
        std::thread::yield_now();
    }
    peak
}

/// *P*: nested loops, a card added at each level, the ranks summed.
fn pass_over_all_hands() -> Duration {
    let cards = &pokers::CARDS;
    let started = Instant::now();
    let mut sum = 0_u64;
    for a in 6..52 {
        let hand = pokers::Hand::default() + cards[a];
        for b in 5..a {
            let hand = hand + cards[b];
            for c in 4..b {
                let hand = hand + cards[c];
                for d in 3..c {
                    let hand = hand + cards[d];
                    for e in 2..d {
                        let hand = hand + cards[e];
                        for f in 1..e {
                            let hand = hand + cards[f];
                            for card in &cards[..f] {
                                sum = sum.wrapping_add(u64::from((hand + *card).evaluate()));
                            }
                        }
                    }
                }
            }
        }
    }
    black_box(sum);
    started.elapsed()
}
