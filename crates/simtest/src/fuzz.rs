//! Every decoder with mutated input.
//!
//! An input is made only from the samples of its decoder, the seed of the run and its own number. So a run is the same
//! on every machine, and one input can be made again from its number. No decoder may panic, take long or use much
//! memory, and an input that is accepted must be the same after it is written and read again.

mod command_line;
mod decoders;
mod feed;
mod forms;
mod memory;
mod mutate;
mod proofs;
mod requests;
mod rulebooks;
mod samples;
mod tree;

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::Finding;

pub use self::decoders::{Decoder, Outcome};
pub use self::memory::Counting;
use self::mutate::Mutator;

/// The most memory that an input may use: this much, and this much more for each of its bytes.
const BYTES_MAX: usize = 16 << 20;
const BYTES_MAX_PER_INPUT_BYTE: usize = 256;

/// An input that takes longer than this part of the limit is measured again.
const SUSPECT_PART: u32 = 10;

/// How often an input that took long is measured again. This time only the thread's own running time counts, because
/// another process may have had the processor.
const RETRIES: u32 = 5;

/// How often a run prints its progress.
const PROGRESS_EVERY: Duration = Duration::from_secs(15);

/// Options of `simtest fuzz`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Which decoder, or all
    #[arg(long, default_value = "all")]
    decoder: String,
    /// How many inputs each decoder gets
    #[arg(long, default_value_t = 1_000_000)]
    inputs: u64,
    /// The number of the first input
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Makes the inputs, together with the samples
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Prints the inputs instead of decoding them
    #[arg(long)]
    show: bool,
}

/// Fuzzes the decoders that the options ask for.
pub fn run(args: &Args) -> Result<(), Finding> {
    let wanted: Vec<&str> =
        Decoder::names().filter(|name| args.decoder == "all" || args.decoder == *name).collect();
    if wanted.is_empty() {
        let known: Vec<&str> = Decoder::names().collect();
        return Err(Finding(format!("no decoder {:?}; there are {}", args.decoder, known.join(", "))));
    }
    for decoder in wanted.into_iter().filter_map(Decoder::named) {
        if args.show {
            let mutator = Mutator::of(&decoder, args.seed);
            for number in args.first..args.first.saturating_add(args.inputs) {
                println!("{}", String::from_utf8_lossy(&mutator.input(number)));
            }
            continue;
        }
        let progress = |done: u64| eprintln!("{}: {done} of {} inputs", decoder.name, args.inputs);
        println!("{}", fuzz_with_progress(&decoder, args.seed, args.first, args.inputs, &progress)?);
    }
    Ok(())
}

/// The results of a decoder.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub decoder: &'static str,
    /// How many inputs it got.
    pub inputs: u64,
    /// How many it accepted. Each was the same after it was written and read again.
    pub accepted: u64,
    /// The sum of all times.
    pub time: Duration,
    /// The longest time of one input.
    pub longest: Duration,
    /// The most memory that one input used. Zero if memory was not counted.
    pub bytes: usize,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.inputs += other.inputs;
        self.accepted += other.accepted;
        self.time += other.time;
        self.longest = self.longest.max(other.longest);
        self.bytes = self.bytes.max(other.bytes);
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Tally { decoder, inputs, accepted, time, longest, bytes } = self;
        #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
        let each = time.as_secs_f64() / (*inputs).max(1) as f64 * 1e6;
        write!(
            f,
            "{decoder}: {inputs} inputs, {accepted} accepted, {each:.1} µs each, longest {:.1} ms, most memory {} kB",
            longest.as_secs_f64() * 1e3,
            bytes / 1024
        )
    }
}

/// Gives a decoder this many inputs on all processors. Stops at the first finding.
pub fn fuzz(decoder: &Decoder, seed: u64, first: u64, inputs: u64) -> Result<Tally, Finding> {
    fuzz_with_progress(decoder, seed, first, inputs, &|_| ())
}

/// The same, and reports the number of inputs from time to time.
fn fuzz_with_progress(
    decoder: &Decoder,
    seed: u64,
    first: u64,
    inputs: u64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Tally, Finding> {
    const AT_ONCE: u64 = 256;
    let mutator = Mutator::of(decoder, seed);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let (next, found) = (AtomicU64::new(first), AtomicBool::new(false));
    let end = first.saturating_add(inputs);
    let total = Mutex::new(Tally { decoder: decoder.name, ..Tally::default() });
    let (finding, last) = (Mutex::new(None), Mutex::new(Instant::now()));
    let worker = || {
        let mut tally = Tally::default();
        loop {
            let start = next.fetch_add(AT_ONCE, Ordering::Relaxed);
            if end <= start || found.load(Ordering::Relaxed) {
                break;
            }
            if let Err(what) = try_range(decoder, &mutator, start..end.min(start + AT_ONCE), &mut tally) {
                found.store(true, Ordering::Relaxed);
                lock(&finding).get_or_insert(what);
                break;
            }
            if let Ok(mut last) = last.try_lock()
                && PROGRESS_EVERY < last.elapsed()
            {
                *last = Instant::now();
                progress(start - first);
            }
        }
        lock(&total).add(&tally);
    };
    std::thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(worker))));
    match finding.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(finding) => Err(finding),
        None => Ok(total.into_inner().unwrap_or_else(PoisonError::into_inner)),
    }
}

fn lock<T>(thing: &Mutex<T>) -> MutexGuard<'_, T> {
    thing.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives a decoder the inputs with some numbers, in batches.
fn try_range(
    decoder: &Decoder,
    mutator: &Mutator<'_>,
    numbers: Range<u64>,
    tally: &mut Tally,
) -> Result<(), Finding> {
    let seed = mutator.seed();
    for start in numbers.clone().step_by(decoder.batch) {
        let some = start..numbers.end.min(start.saturating_add(decoder.batch as u64));
        let inputs: Vec<Vec<u8>> = some.clone().map(|number| mutator.input(number)).collect();
        let Err(what) = try_some(decoder, &inputs, tally) else {
            continue;
        };
        // Tries each input alone to find the one that fails. If none does, the finding names the whole batch.
        for (number, input) in some.clone().zip(&inputs) {
            try_one(decoder, input, tally)
                .map_err(|what| finding(decoder, seed, number..number + 1, input, &what))?;
        }
        return Err(finding(decoder, seed, some, &inputs.join(&b'\n'), &what));
    }
    Ok(())
}

/// A finding, with the command that reproduces it.
fn finding(decoder: &Decoder, seed: u64, numbers: Range<u64>, input: &[u8], what: &str) -> Finding {
    let (name, first, inputs) = (decoder.name, numbers.start, numbers.end - numbers.start);
    let shown: String = String::from_utf8_lossy(input).chars().take(2_000).collect();
    Finding(format!(
        "{what}\nreplay: simtest fuzz --decoder {name} --seed {seed} --first {first} --inputs {inputs}\ninput: {shown}"
    ))
}

/// Gives a decoder one input and checks its limits.
pub fn try_one(decoder: &Decoder, input: &[u8], tally: &mut Tally) -> Result<(), String> {
    try_text(decoder, input, 1, tally)
}

/// Gives a decoder a batch of inputs as one text.
fn try_some(decoder: &Decoder, inputs: &[Vec<u8>], tally: &mut Tally) -> Result<(), String> {
    match inputs {
        [one] => try_one(decoder, one, tally),
        several => try_text(decoder, &several.join(&b'\n'), several.len() as u64, tally),
    }
}

fn try_text(decoder: &Decoder, text: &[u8], inputs: u64, tally: &mut Tally) -> Result<(), String> {
    let (mut seen, mut taken, bytes) = decode(decoder, text, false)?;
    for _ in 0..RETRIES {
        if taken <= decoder.time_max / SUSPECT_PART {
            break;
        }
        let (again, time, _) = decode(decoder, text, true)?;
        (seen, taken) = (again, taken.min(time));
    }
    tally.inputs += inputs;
    tally.accepted += match seen {
        Outcome::Accepted => 1,
        Outcome::Refused => 0,
        Outcome::Several(accepted) => accepted.min(inputs),
    };
    tally.time += taken;
    tally.longest = tally.longest.max(taken);
    tally.bytes = tally.bytes.max(bytes);
    if decoder.time_max < taken {
        return Err(format!("{}: took {taken:?} for {} bytes", decoder.name, text.len()));
    }
    if BYTES_MAX + BYTES_MAX_PER_INPUT_BYTE * text.len() < bytes {
        return Err(format!(
            "{}: used {bytes} bytes of memory for an input of {} bytes",
            decoder.name,
            text.len()
        ));
    }
    Ok(())
}

/// How long this thread has been running, if the system says so.
fn running() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// Decodes an input. Returns the outcome, the time and the most memory used. The time is elapsed time, or with
/// `precise` only the running time of this thread.
fn decode(decoder: &Decoder, input: &[u8], precise: bool) -> Result<(Outcome, Duration, usize), String> {
    let held = memory::watch();
    let (started, ran) = (Instant::now(), if precise { running() } else { None });
    let outcome = catch_unwind(AssertUnwindSafe(|| (decoder.decode)(input)));
    let elapsed = started.elapsed();
    let taken = ran.and_then(|from| running()?.checked_sub(from)).unwrap_or(elapsed);
    match outcome {
        Ok(Ok(seen)) => Ok((seen, taken, held.most())),
        Ok(Err(what)) => Err(format!("{}: {what}", decoder.name)),
        Err(_) => Err(format!("{}: the decoder panicked", decoder.name)),
    }
}
