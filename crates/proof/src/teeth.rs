//! Bugs planted inside the product: small patches kept as text, applied to a copy of the sources one at a time, built and
//! run under the simulator until they are caught. A harness that misses one has lost a tooth.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::Finding;

/// How many seeds a bug may survive.
const SEEDS_MAX: u64 = 1_000;

/// What may be asked of a run.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A copy of the sources, which is changed and changed back
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
    /// What stands there instead.
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
            1 => Ok(text.replacen(&self.find, &self.replace, 1)),
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

/// Plants one bug after the other, and says which were not caught.
pub fn run(args: &Args) -> Result<(), Finding> {
    let mut missed = Vec::new();
    for patch in patches(&args.tree.join("crates/proof/planted"))? {
        if !args.names.is_empty() && !args.names.contains(&patch.name) {
            continue;
        }
        let began = Instant::now();
        let caught = bite(&args.tree, &patch)?;
        let said = caught.as_deref().unwrap_or("NOT CAUGHT");
        println!("{} | {} | {said} | {:.0} s", patch.name, patch.what, began.elapsed().as_secs_f64());
        if caught.is_none() {
            missed.push(patch.name);
        }
    }
    if missed.is_empty() {
        return Ok(());
    }
    Err(Finding(format!("not caught within {SEEDS_MAX} seeds: {}", missed.join(", "))))
}

/// Plants a bug, runs the simulator, and takes it out again. What caught it, where something did.
fn bite(tree: &Path, patch: &Patch) -> Result<Option<String>, Finding> {
    let source = tree.join(&patch.file);
    let failed = |error: std::io::Error| Finding(format!("{}: {error}", source.display()));
    let text = std::fs::read_to_string(&source).map_err(failed)?;
    std::fs::write(&source, patch.apply(&text)?).map_err(failed)?;
    let seeds = SEEDS_MAX.to_string();
    let arguments =
        ["run", "--quiet", "-p", "proof", "--no-default-features", "--", "sim", "--seeds", &seeds];
    let building = ["build", "--quiet", "-p", "proof", "--no-default-features"];
    let built = Command::new("cargo").args(building).current_dir(tree).status();
    let ran = Command::new("cargo").args(arguments).current_dir(tree).output();
    std::fs::write(&source, text).map_err(failed)?;
    if !built.map_err(failed)?.success() {
        return Err(Finding(format!("{} does not build", patch.name)));
    }
    let said = String::from_utf8_lossy(&ran.map_err(failed)?.stderr).into_owned();
    let line = said.lines().find(|line| line.contains("seed ") && line.contains(", step "));
    Ok(line.map(|line| line.trim_start_matches("Error: Finding(\"").chars().take(160).collect()))
}
