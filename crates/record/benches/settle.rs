//! How many records a second are settled, and that memory does not grow with their number.
//!
//! `cargo bench -p record --bench settle`

use std::io::{self, Read};
use std::time::Instant;

use record::{Books, settle_stream};

/// A text read over and over: an input of any length that takes no memory.
struct Repeated<'a> {
    text: &'a [u8],
    at: usize,
    times: u64,
}

impl Read for Repeated<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.text.len() {
            self.at = 0;
            self.times = self.times.saturating_sub(1);
        }
        if self.times == 0 {
            return Ok(0);
        }
        let count = buffer.len().min(self.text.len() - self.at);
        buffer[..count].copy_from_slice(&self.text[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

/// The most memory this process has held, in KiB, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn main() {
    let mut books = Books::new(rulebook::embedded());
    let text = include_bytes!("../../../cases/rounds.jsonl");
    println!("{:>12} {:>14} {:>14}", "records", "records/s", "peak KiB");
    for times in [100, 1_000, 10_000] {
        let started = Instant::now();
        let input = Repeated { text, at: 0, times };
        let summary = settle_stream(&mut books, input, io::sink(), |_| {})
            .expect("memory can be read and a sink written");
        let seconds = started.elapsed().as_secs_f64();
        let records = summary.settled + summary.errors;
        assert_eq!((summary.settled, summary.errors), (300 * times, 0));
        #[expect(clippy::cast_precision_loss, reason = "a rate for reading")]
        let rate = records as f64 / seconds;
        println!("{records:>12} {rate:>14.0} {:>14}", peak_memory().unwrap_or(0));
    }
}
