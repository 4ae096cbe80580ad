//! Every decoder against mutated input.
//!
//! An input is made from the valid samples of its decoder, the run's seed and its own number, and from nothing else: so
//! a run is the same on any machine, and one input can be made again by its number. No decoder may panic, take long or
//! use much memory, and what it accepts must come back the same when it is written and read again.

mod decoders;
mod forms;
mod memory;
mod mutate;
mod requests;
mod samples;
mod tree;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::Finding;

pub use self::decoders::{Decoder, Seen};
pub use self::memory::Counting;
use self::mutate::Mutator;

/// The longest one input may take, and the most memory it may hold at once.
const TIME_MAX: Duration = Duration::from_millis(50);
const BYTES_MAX: usize = 16 << 20;

/// From here on an input is suspected of taking long.
const TIME_LONG: Duration = Duration::from_millis(5);

/// How often an input that took long is tried again, by the time its thread was running: another process may have had
/// the processor meanwhile.
const TRIES: u32 = 5;

/// What may be asked of a run.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Which decoder, or all
    #[arg(long, default_value = "all")]
    decoder: String,
    /// How many inputs each decoder gets
    #[arg(long, default_value_t = 1_000_000)]
    inputs: u64,
    /// The number of the first of them
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// What they are made from, besides the samples
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Writes the inputs instead of decoding them
    #[arg(long)]
    show: bool,
}

/// Runs it, and says what was found wrong.
pub fn run(args: &Args) -> Result<(), Finding> {
    let wanted = |decoder: &Decoder| args.decoder == "all" || args.decoder == decoder.name;
    let decoders: Vec<Decoder> = Decoder::all().into_iter().filter(wanted).collect();
    if decoders.is_empty() {
        let known: Vec<&str> = Decoder::all().iter().map(|decoder| decoder.name).collect();
        return Err(Finding(format!("no decoder {:?}; there are {}", args.decoder, known.join(", "))));
    }
    for decoder in decoders {
        if args.show {
            let mutator = Mutator::of(&decoder, args.seed);
            for number in args.first..args.first.saturating_add(args.inputs) {
                println!("{}", String::from_utf8_lossy(&mutator.input(number)));
            }
            continue;
        }
        println!("{}", fuzz(&decoder, args.seed, args.first, args.inputs)?);
    }
    Ok(())
}

/// What became of a decoder's inputs.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The decoder.
    pub decoder: &'static str,
    /// How many inputs it got.
    pub inputs: u64,
    /// How many it accepted; each came back the same when written and read again.
    pub accepted: u64,
    /// The sum of all times.
    pub time: Duration,
    /// The longest time of one.
    pub longest: Duration,
    /// The most memory one held at once. Nought where it was not counted.
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

/// Gives a decoder so many inputs on all processors. The first finding ends it.
pub fn fuzz(decoder: &Decoder, seed: u64, first: u64, inputs: u64) -> Result<Tally, Finding> {
    const AT_ONCE: u64 = 256;
    let mutator = Mutator::of(decoder, seed);
    let lanes = std::thread::available_parallelism().map_or(1, usize::from);
    let (next, found) = (AtomicU64::new(first), AtomicBool::new(false));
    let end = first.saturating_add(inputs);
    let total = Mutex::new(Tally { decoder: decoder.name, ..Tally::default() });
    let finding = Mutex::new(None);
    let lane = || {
        let mut tally = Tally::default();
        loop {
            let begin = next.fetch_add(AT_ONCE, Ordering::Relaxed);
            if end <= begin || found.load(Ordering::Relaxed) {
                break;
            }
            for number in begin..end.min(begin + AT_ONCE) {
                let input = mutator.input(number);
                if let Err(what) = try_one(decoder, &input, &mut tally) {
                    found.store(true, Ordering::Relaxed);
                    let told = tell(decoder, seed, number, &input, &what);
                    finding.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(told);
                    break;
                }
            }
        }
        total.lock().unwrap_or_else(std::sync::PoisonError::into_inner).add(&tally);
    };
    std::thread::scope(|scope| (0..lanes).for_each(|_| drop(scope.spawn(lane))));
    match finding.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        Some(finding) => Err(finding),
        None => Ok(total.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)),
    }
}

/// What was found, with the command that shows it again.
fn tell(decoder: &Decoder, seed: u64, number: u64, input: &[u8], what: &str) -> Finding {
    let name = decoder.name;
    let shown: String = String::from_utf8_lossy(input).chars().take(2_000).collect();
    Finding(format!(
        "{what}\nagain: proof fuzz --decoder {name} --seed {seed} --first {number} --inputs 1\ninput: {shown}"
    ))
}

/// Gives a decoder one input, and holds it to its bounds.
pub fn try_one(decoder: &Decoder, input: &[u8], tally: &mut Tally) -> Result<(), String> {
    let (mut seen, mut taken, bytes) = decode(decoder, input, false)?;
    for _ in 0..TRIES {
        if taken <= TIME_LONG {
            break;
        }
        let (again, time, _) = decode(decoder, input, true)?;
        (seen, taken) = (again, taken.min(time));
    }
    tally.inputs += 1;
    tally.accepted += u64::from(seen == Seen::Accepted);
    tally.time += taken;
    tally.longest = tally.longest.max(taken);
    tally.bytes = tally.bytes.max(bytes);
    if TIME_MAX < taken {
        return Err(format!("{}: {taken:?} for {} bytes", decoder.name, input.len()));
    }
    if BYTES_MAX < bytes {
        return Err(format!("{}: {bytes} bytes of memory for {} bytes", decoder.name, input.len()));
    }
    Ok(())
}

/// For how long this thread has been running, where the system says so.
fn running() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// Decodes an input: what came of it, how long it took, how much memory it held at most. The time is that of the clock,
/// or more precisely that of the thread alone.
fn decode(decoder: &Decoder, input: &[u8], precise: bool) -> Result<(Seen, Duration, usize), String> {
    let held = memory::watch();
    let (began, ran) = (Instant::now(), if precise { running() } else { None });
    let outcome = catch_unwind(AssertUnwindSafe(|| (decoder.decode)(input)));
    let elapsed = began.elapsed();
    let taken = ran.zip(running().filter(|_| precise)).map_or(elapsed, |(from, to)| to.saturating_sub(from));
    match outcome {
        Ok(Ok(seen)) => Ok((seen, taken, held.most())),
        Ok(Err(what)) => Err(format!("{}: {what}", decoder.name)),
        Err(_) => Err(format!("{}: it panicked", decoder.name)),
    }
}
