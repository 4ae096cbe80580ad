//! Bugs planted in the product: small patches kept as text files and applied to a copy of the sources. All of them are
//! built into one program, each behind a switch. The simulator then runs with one bug on at a time until it catches the
//! bug. A bug that is never caught shows that a check is missing.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

use crate::Finding;

/// How many seeds the simulator gets to catch a bug.
const SEEDS_MAX: u64 = 1_000;

/// How many characters of a violation are printed.
const MESSAGE_LENGTH_MAX: usize = 240;

/// Replaced in a patch by the check whether this bug is on. It is also the environment variable that names the bug to
/// turn on.
const SWITCH: &str = "PLANTED";

/// Turns no bug on.
const NO_BUG: &str = "";

/// A file of a crate that every patched crate depends on, and the text that is added to it.
const SWITCH_FILE: &str = "crates/money/src/lib.rs";
const SWITCH_TEXT: &str = r#"
/// Whether a bug is on.
pub fn planted(bug: &str) -> bool {
    static ON: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    ON.get_or_init(|| std::env::var("PLANTED").unwrap_or_default()) == bug
}
"#;

/// Options of `simtest planted`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A copy of the sources; it gets modified
    #[arg(long)]
    pub tree: PathBuf,
    /// Only these bugs
    pub names: Vec<String>,
}

/// A bug: one piece of text in one file, and its replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// The file name of the patch, without its extension.
    pub name: String,
    /// What the bug does, in one sentence.
    pub what: String,
    /// The source file that it changes, relative to the root of the sources.
    pub file: PathBuf,
    /// The seed that is known to catch it, tried before all others.
    pub seed: Option<u64>,
    /// The text to replace.
    pub find: String,
    /// The replacement, with `PLANTED` as the condition that turns the bug on.
    pub replace: String,
}

impl Patch {
    fn parse(name: &str, text: &str) -> Option<Patch> {
        let (what, rest) = text.split_once('\n')?;
        let (head, rest) = rest.strip_prefix("file: ")?.split_once("\n--- find\n")?;
        let (file, seed) = match head.split_once("\nseed: ") {
            Some((file, seed)) => (file, Some(seed.parse().ok()?)),
            None => (head, None),
        };
        let (find, replace) = rest.split_once("\n--- replace\n")?;
        Some(Patch {
            name: name.to_owned(),
            what: what.to_owned(),
            file: file.into(),
            seed,
            find: find.to_owned(),
            replace: replace.trim_end_matches('\n').to_owned(),
        })
    }

    /// The source text with the bug in it. An error if the text to replace is not there exactly once.
    pub fn apply(&self, text: &str) -> Result<String, Finding> {
        match text.matches(&self.find).count() {
            1 => {
                let switch = format!("money::planted(\"{}\")", self.name);
                Ok(text.replacen(&self.find, &self.replace.replace(SWITCH, &switch), 1))
            }
            count => Err(Finding(format!(
                "{}: the text to replace was found {count} times in {}, not once",
                self.name,
                self.file.display()
            ))),
        }
    }
}

/// Every patch of the folder, sorted by name.
pub fn patches(folder: &Path) -> Result<Vec<Patch>, Finding> {
    let unreadable = |error: std::io::Error| Finding(format!("{}: {error}", folder.display()));
    let mut patches = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let text = std::fs::read_to_string(&path).map_err(unreadable)?;
        let parsed = Patch::parse(&name, &text);
        patches.push(parsed.ok_or_else(|| Finding(format!("{name} is not a patch")))?);
    }
    patches.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(patches)
}

#[derive(Debug)]
enum Verdict {
    Caught { seed: u64, why: String },
    Survived,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Verdict::Caught { seed, why } => write!(f, "caught at seed {seed}: {why}"),
            Verdict::Survived => write!(f, "NOT CAUGHT within {SEEDS_MAX} seeds"),
        }
    }
}

/// Plants all bugs, runs the simulator with each of them, and prints the results. An error names the bugs that were not
/// caught.
pub fn run(args: &Args) -> Result<(), Finding> {
    let started = Instant::now();
    let patches = patches(&args.tree.join("crates/simtest/planted"))?;
    if let Some(unknown) = args.names.iter().find(|name| patches.iter().all(|patch| patch.name != **name)) {
        return Err(Finding(format!("no planted bug has the name {unknown}")));
    }
    plant(&args.tree, &patches)?;
    build(&args.tree)?;
    println!("{} bugs planted ({:.0} s)", patches.len(), started.elapsed().as_secs_f64());
    if args.names.is_empty() {
        run_without_bugs(&args.tree)?;
    }
    let (mut missed, mut caught, mut seeds) = (Vec::new(), 0_u64, 0_u64);
    for patch in patches.iter().filter(|patch| args.names.is_empty() || args.names.contains(&patch.name)) {
        let since = Instant::now();
        let verdict = tried(&args.tree, patch)?;
        println!("{}: {verdict} ({:.0} s)", patch.name, since.elapsed().as_secs_f64());
        if let Verdict::Caught { seed, .. } = verdict
            && patch.seed != Some(seed)
        {
            println!("    its patch should say: seed: {seed}");
        }
        match verdict {
            Verdict::Caught { seed, .. } => (caught, seeds) = (caught + 1, seeds + seed),
            Verdict::Survived => missed.push(patch.name.as_str()),
        }
    }
    let minutes = started.elapsed().as_secs_f64() / 60.0;
    println!("{caught} bugs caught in {seeds} seeds, {} not caught, {minutes:.0} minutes", missed.len());
    if missed.is_empty() {
        return Ok(());
    }
    Err(Finding(format!("not caught: {}", missed.join(", "))))
}

/// Runs the simulator with a bug on: the seed that is known to catch it, then all.
fn tried(tree: &Path, patch: &Patch) -> Result<Verdict, Finding> {
    if let Some(seed) = patch.seed {
        let known = simulate(tree, &patch.name, &["--from", &seed.to_string(), "--seeds", "1"])?;
        if let Verdict::Caught { .. } = known {
            return Ok(known);
        }
    }
    simulate(tree, &patch.name, &["--seeds", &SEEDS_MAX.to_string()])
}

/// Changes the sources: adds the switch and every bug.
fn plant(tree: &Path, patches: &[Patch]) -> Result<(), Finding> {
    let failed = |error: std::io::Error| Finding(format!("the sources cannot be changed: {error}"));
    let switch = tree.join(SWITCH_FILE);
    let text = std::fs::read_to_string(&switch).map_err(failed)?;
    std::fs::write(&switch, text + SWITCH_TEXT).map_err(failed)?;
    for patch in patches {
        let source = tree.join(&patch.file);
        let text = std::fs::read_to_string(&source).map_err(failed)?;
        std::fs::write(&source, patch.apply(&text)?).map_err(failed)?;
    }
    Ok(())
}

/// Runs the same seeds with no bug on. If one of them failed here, it would seem to catch every bug.
fn run_without_bugs(tree: &Path) -> Result<(), Finding> {
    let since = Instant::now();
    match simulate(tree, NO_BUG, &["--seeds", &SEEDS_MAX.to_string()])? {
        Verdict::Survived => {
            println!("no bug on: {SEEDS_MAX} seeds pass ({:.0} s)", since.elapsed().as_secs_f64());
            Ok(())
        }
        caught @ Verdict::Caught { .. } => {
            Err(Finding(format!("no bug was on, but a seed failed: {caught}")))
        }
    }
}

fn build(tree: &Path) -> Result<(), Finding> {
    let built = cargo(tree, NO_BUG, "build", &[])?;
    if built.status.success() {
        return Ok(());
    }
    Err(Finding(format!("the planted sources do not build:\n{}", String::from_utf8_lossy(&built.stderr))))
}

/// Runs these seeds of the simulator with a bug on until one fails.
fn simulate(tree: &Path, bug: &str, seeds: &[&str]) -> Result<Verdict, Finding> {
    let ran = cargo(tree, bug, "run", &[&["--", "sim"], seeds].concat())?;
    Ok(first_failed_seed(&String::from_utf8_lossy(&ran.stderr)))
}

fn cargo(tree: &Path, bug: &str, command: &str, arguments: &[&str]) -> Result<Output, Finding> {
    let package = ["--quiet", "--package", "simtest", "--no-default-features"];
    let mut cargo = Command::new("cargo");
    cargo.arg(command).args(package).args(arguments).current_dir(tree).env(SWITCH, bug);
    cargo.output().map_err(|error| Finding(format!("cargo: {error}")))
}

/// The first failed seed in the output of a run.
fn first_failed_seed(output: &str) -> Verdict {
    let failed = output.split("\\n").flat_map(str::lines).find_map(|line| {
        let (seed, rest) = line.strip_prefix("seed ")?.split_once(", step ")?;
        let (_, why) = rest.split_once(": ")?;
        Some((seed.parse().ok()?, why.chars().take(MESSAGE_LENGTH_MAX).collect()))
    });
    failed.map_or(Verdict::Survived, |(seed, why)| Verdict::Caught { seed, why })
}
