//! `megalink identity`: what this program and its rulebooks are, by their digests; signed, or compared with what was signed.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use journal::checkpoint::Signer;
use journal::{Hash, Identity, Manifest};

use crate::audit::{LogBooks, public_key};

/// What to do with the identity.
#[derive(clap::Args)]
#[command(
    after_help = "A manifest is signed with the house's key (signing.key in the data directory) or with any other \
                        such key, for example that of whoever examined the program. A server with server.manifest set \
                        starts only what its manifest names."
)]
pub(crate) struct Arguments {
    /// Compare what runs with this manifest. Exit status 1 where something differs.
    #[arg(long, value_name = "FILE", conflicts_with = "write")]
    check: Option<PathBuf>,
    /// Write a manifest of what runs, signed with the key given by --signing-key.
    #[arg(long, value_name = "FILE", requires = "signing_key")]
    write: Option<PathBuf>,
    /// The file of the signing key: to sign with, or whose public key the manifest is to be signed with.
    #[arg(long, value_name = "FILE")]
    signing_key: Option<PathBuf>,
    /// The public key that the manifest is to be signed with: 64 hexadecimal digits.
    #[arg(long, value_name = "HEX", value_parser = public_key, conflicts_with = "signing_key")]
    public_key: Option<[u8; 32]>,
    /// Write JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    books: LogBooks,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let runs =
        server::identity::running(&arguments.books.library()?).context("reading the program's own file")?;
    let signer = arguments.signing_key.as_ref().map(|path| Signer::load(path)).transpose()?;
    if let (Some(path), Some(signer)) = (&arguments.write, &signer) {
        let text = Manifest::sign(signer, runs).to_text();
        fs::write(path, text).with_context(|| format!("writing {}", path.display()))?;
        say!("{} is signed with the key {}", path.display(), Hash(signer.public_key()));
        return Ok(ExitCode::SUCCESS);
    }
    let Some(path) = &arguments.check else {
        print(&runs, arguments.json)?;
        return Ok(ExitCode::SUCCESS);
    };
    let Some(key) = arguments.public_key.or_else(|| signer.map(|signer| signer.public_key())) else {
        bail!("say whose signature counts: --public-key HEX, or --signing-key FILE");
    };
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let manifest = match Manifest::from_text(&text, key) {
        Ok(manifest) => manifest,
        Err(error) => return Ok(report(arguments, path, &[error.to_string()])),
    };
    Ok(report(arguments, path, &runs.differences(&manifest.identity)))
}

/// Says what differs, and gives the exit status.
fn report(arguments: &Arguments, path: &std::path::Path, differences: &[String]) -> ExitCode {
    if arguments.json {
        say!("{}", serde_json::json!({ "well": differences.is_empty(), "differences": differences }));
    } else if differences.is_empty() {
        say!("All is well: the program and its rulebooks are those of {}.", path.display());
    } else {
        for difference in differences {
            say!("WRONG {}: {difference}", path.display());
        }
    }
    if differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn print(runs: &Identity, json: bool) -> anyhow::Result<()> {
    if json {
        say!("{}", serde_json::to_string_pretty(runs)?);
        return Ok(());
    }
    say!("version   {}\nprogram   {}", runs.version, runs.program);
    let width = runs.rulebooks.keys().map(String::len).max().unwrap_or(0);
    for (id, digest) in &runs.rulebooks {
        say!("rulebook  {id:<width$}  {digest}");
    }
    Ok(())
}
