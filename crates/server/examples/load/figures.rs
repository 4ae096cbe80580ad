//! What was measured, as a line of a table.

use std::fmt;
use std::time::Duration;

use crate::play::{Pace, Played};
use crate::viewers::Seen;

/// The head of the table.
pub(crate) const HEADING: &str = "\
| tables | viewers | pace | rounds/s | commands/s | command p50 / p99 / p99.9 ms | messages/s | feed p50 / p99 ms | lost, reordered, cut off | server MiB | cores: server, load | server's processor ms a command |
|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|";

/// The ticks of a second in which processor time is told.
const TICKS: f64 = 100.0;

/// What one run showed.
pub(crate) struct Figures {
    pub(crate) tables: usize,
    pub(crate) viewers: usize,
    pub(crate) pace: Pace,
    pub(crate) time: Duration,
    pub(crate) played: Played,
    pub(crate) seen: Seen,
    /// How many viewers had not seen everything in the end.
    pub(crate) behind: usize,
    pub(crate) used: Usage,
}

/// What the processes have used: memory of the servers, processor time of all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Usage {
    memory_kib: u64,
    server_ticks: u64,
    load_ticks: u64,
}

impl Usage {
    /// As of now.
    pub(crate) fn of(servers: &[u32]) -> Result<Usage, String> {
        let mut usage = Usage { memory_kib: 0, server_ticks: 0, load_ticks: ticks("self")? };
        for server in servers {
            let server = server.to_string();
            usage.memory_kib += memory(&server)?;
            usage.server_ticks += ticks(&server)?;
        }
        Ok(usage)
    }

    /// The time since an earlier look, and the memory now.
    pub(crate) const fn since(self, earlier: &Usage) -> Usage {
        Usage {
            memory_kib: self.memory_kib,
            server_ticks: self.server_ticks - earlier.server_ticks,
            load_ticks: self.load_ticks - earlier.load_ticks,
        }
    }
}

fn read(path: &str) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))
}

/// The memory a process has, in KiB.
fn memory(process: &str) -> Result<u64, String> {
    let status = read(&format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("");
    line.split_whitespace().next().and_then(|word| word.parse().ok()).ok_or_else(|| "no VmRSS".to_owned())
}

/// The processor time a process has used, in the system and outside it.
fn ticks(process: &str) -> Result<u64, String> {
    let stat = read(&format!("/proc/{process}/stat"))?;
    // The name of the program stands in brackets and may hold anything.
    let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let words: Vec<&str> = rest.split_whitespace().collect();
    let at = |place: usize| words.get(place).and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
    Ok(at(11) + at(12))
}

/// How busy the machine is, as it says itself.
pub(crate) fn load_average() -> String {
    let text = read("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().unwrap_or("unknown").to_owned()
}

/// The values at these shares of all, in milliseconds.
fn percentiles(values: &[u32], shares: &[f64]) -> String {
    let mut values = values.to_vec();
    values.sort_unstable();
    let at = |share: f64| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a place among some millions"
        )]
        let place = ((values.len() as f64 * share).ceil() as usize).clamp(1, values.len().max(1)) - 1;
        values
            .get(place)
            .map_or_else(|| "none".to_owned(), |micros| format!("{:.1}", f64::from(*micros) / 1000.0))
    };
    shares.iter().map(|share| at(*share)).collect::<Vec<_>>().join(" / ")
}

#[expect(clippy::cast_precision_loss, reason = "counts far below what a float holds exactly")]
fn rate(count: u64, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64()
}

impl Figures {
    /// Whether anything was lost, came out of order or was not answered.
    pub(crate) fn has_faults(&self) -> bool {
        let Seen { lost, reordered, cut_off, .. } = self.seen;
        0 < lost + reordered + cut_off + self.played.failed || 0 < self.behind
    }

    /// What the table has no column for.
    pub(crate) fn aside(&self) -> String {
        let Played { retried, refused, failed, .. } = &self.played;
        let entries = self.seen.entries;
        format!(
            "{entries} entries seen, {} viewers behind in the end; {retried} commands asked again, {refused} refused, {failed} failed",
            self.behind
        )
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figures { tables, viewers, pace, time, played, seen, used, .. } = self;
        let Seen { lost, reordered, cut_off, .. } = seen;
        let (rounds, commands) = (rate(played.rounds, *time), rate(played.commands, *time));
        let latencies = percentiles(&played.latencies, &[0.5, 0.99, 0.999]);
        let (messages, delays) = (rate(seen.messages, *time), percentiles(&seen.delays, &[0.5, 0.99]));
        let memory = used.memory_kib / 1024;
        let server = rate(used.server_ticks, *time) / TICKS;
        let load = rate(used.load_ticks, *time) / TICKS;
        let each = server * 1000.0 / commands.max(1.0);
        write!(f, "| {tables} | {viewers} | {pace} | {rounds:.1} | {commands:.0} | {latencies} ")?;
        write!(f, "| {messages:.0} | {delays} | {lost}, {reordered}, {cut_off} | {memory} ")?;
        write!(f, "| {server:.2}, {load:.2} | {each:.2} |")
    }
}
