//! Bugs planted inside the product: small patches kept as text, applied to a copy of the sources. All of them are built
//! into one program, each behind a switch, and run under the simulator one at a time until they are caught. A harness that
//! misses one has lost a tooth.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

use crate::Finding;

/// How many seeds a bug may survive.
const SEEDS_MAX: u64 = 1_000;

/// How much of what broke is told.
const WORDS_MAX: usize = 240;

/// What stands in a patch for "this bug is on", and the variable of the environment that turns one on.
const SWITCH: &str = "PLANTED";

/// What turns none on.
const NO_BUG: &str = "";

/// A file of the crate that every crate with a bug in it knows, and what is added to it.
const SWITCH_FILE: &str = "crates/money/src/lib.rs";
const SWITCH_TEXT: &str = r#"
/// Whether a bug is on.
pub fn planted(bug: &str) -> bool {
    static ON: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    ON.get_or_init(|| std::env::var("PLANTED").unwrap_or_default()) == bug
}
"#;

/// What may be asked of a run.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A copy of the sources, which is changed
    #[arg(long)]
    pub tree: PathBuf,
    /// Only the bugs of these names
    pub names: Vec<String>,
}

/// A bug: one piece of one file, and what stands there instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// The name of its file, without the ending.
    pub name: String,
    /// What it does, in a sentence.
    pub what: String,
    /// Which file it changes, from the root of the sources.
    pub file: PathBuf,
    /// What stands there.
    pub find: String,
    /// What stands there instead, with `PLANTED` where the bug is asked about.
    pub replace: String,
}

impl Patch {
    fn parse(name: &str, text: &str) -> Option<Patch> {
        let (what, rest) = text.split_once('\n')?;
        let (file, rest) = rest.strip_prefix("file: ")?.split_once("\n--- find\n")?;
        let (find, replace) = rest.split_once("\n--- replace\n")?;
        Some(Patch {
            name: name.to_owned(),
            what: what.to_owned(),
            file: file.into(),
            find: find.to_owned(),
            replace: replace.trim_end_matches('\n').to_owned(),
        })
    }

    /// The file with the bug in it; an error where what it changes does not stand there exactly once.
    pub fn apply(&self, text: &str) -> Result<String, Finding> {
        match text.matches(&self.find).count() {
            1 => {
                let switch = format!("money::planted(\"{}\")", self.name);
                Ok(text.replacen(&self.find, &self.replace.replace(SWITCH, &switch), 1))
            }
            count => Err(Finding(format!("{}: stands {count} times in {}", self.name, self.file.display()))),
        }
    }
}

/// Every patch of the folder, by name.
pub fn patches(folder: &Path) -> Result<Vec<Patch>, Finding> {
    let unreadable = |error: std::io::Error| Finding(format!("{}: {error}", folder.display()));
    let mut patches = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let text = std::fs::read_to_string(&path).map_err(unreadable)?;
        let parsed = Patch::parse(&name, &text);
        patches.push(parsed.ok_or_else(|| Finding(format!("{name} is no patch")))?);
    }
    patches.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(patches)
}

/// What came of a bug.
#[derive(Debug)]
enum End {
    Caught { seed: u64, why: String },
    Survived,
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            End::Caught { seed, why } => write!(f, "caught at seed {seed}: {why}"),
            End::Survived => write!(f, "NOT CAUGHT within {SEEDS_MAX} seeds"),
        }
    }
}

/// Plants all bugs, turns on one after the other, tells what came of each, and says which were not caught.
pub fn run(args: &Args) -> Result<(), Finding> {
    let began = Instant::now();
    let patches = patches(&args.tree.join("crates/simtest/planted"))?;
    if let Some(unknown) = args.names.iter().find(|name| patches.iter().all(|patch| patch.name != **name)) {
        return Err(Finding(format!("there is no planted bug {unknown}")));
    }
    plant(&args.tree, &patches)?;
    build(&args.tree)?;
    println!("{} bugs planted ({:.0} s)", patches.len(), began.elapsed().as_secs_f64());
    if args.names.is_empty() {
        without_a_bug(&args.tree)?;
    }
    let (mut missed, mut caught, mut seeds) = (Vec::new(), 0_u64, 0_u64);
    for patch in patches.iter().filter(|patch| args.names.is_empty() || args.names.contains(&patch.name)) {
        let since = Instant::now();
        let end = simulate(&args.tree, &patch.name)?;
        println!("{}: {end} ({:.0} s)", patch.name, since.elapsed().as_secs_f64());
        match end {
            End::Caught { seed, .. } => (caught, seeds) = (caught + 1, seeds + seed),
            End::Survived => missed.push(patch.name.as_str()),
        }
    }
    let minutes = began.elapsed().as_secs_f64() / 60.0;
    println!("{caught} bugs caught in {seeds} seeds, {} not caught, {minutes:.0} minutes", missed.len());
    if missed.is_empty() {
        return Ok(());
    }
    Err(Finding(format!("not caught: {}", missed.join(", "))))
}

/// Changes the sources: every bug, and the switch they are turned on by.
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

/// The same seeds with no bug turned on: were one of them to break, it would seem to catch whatever is planted.
fn without_a_bug(tree: &Path) -> Result<(), Finding> {
    let since = Instant::now();
    match simulate(tree, NO_BUG)? {
        End::Survived => {
            println!("none turned on: {SEEDS_MAX} seeds pass ({:.0} s)", since.elapsed().as_secs_f64());
            Ok(())
        }
        caught @ End::Caught { .. } => {
            Err(Finding(format!("no bug was turned on, and yet one was {caught}")))
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

/// Runs the simulator with a bug turned on until a seed breaks.
fn simulate(tree: &Path, bug: &str) -> Result<End, Finding> {
    let ran = cargo(tree, bug, "run", &["--", "sim", "--seeds", &SEEDS_MAX.to_string()])?;
    Ok(first_broken(&String::from_utf8_lossy(&ran.stderr)))
}

fn cargo(tree: &Path, bug: &str, verb: &str, further: &[&str]) -> Result<Output, Finding> {
    let proof = ["--quiet", "--package", "simtest", "--no-default-features"];
    let mut cargo = Command::new("cargo");
    cargo.arg(verb).args(proof).args(further).current_dir(tree).env(SWITCH, bug);
    cargo.output().map_err(|error| Finding(format!("cargo: {error}")))
}

/// The first broken seed of what a run said, in the order of seeds.
fn first_broken(said: &str) -> End {
    let broken = said.split("\\n").flat_map(str::lines).find_map(|line| {
        let (seed, rest) = line.strip_prefix("seed ")?.split_once(", step ")?;
        let (_, why) = rest.split_once(": ")?;
        Some((seed.parse().ok()?, why.chars().take(WORDS_MAX).collect()))
    });
    broken.map_or(End::Survived, |(seed, why)| End::Caught { seed, why })
}
