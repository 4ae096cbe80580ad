//! `megalink signing-key`: the public keys of a house, and a new one to sign next.

use std::path::PathBuf;
use std::process::ExitCode;

use journal::Hash;
use journal::checkpoint::Signer;

/// Which keys.
#[derive(clap::Args)]
#[command(
    after_help = "A new key signs nothing by itself. Copy its file to every node, beside signing.key. Then a Pit Manager and \
                        somebody of Accounting sign the proposal change-signing-key with its public key. From then on it signs \
                        the checkpoints; the last checkpoint of the key before names it. Keep the files of all keys: the key \
                        of the vault is derived from the first."
)]
pub(crate) struct Arguments {
    /// The file of the first key: signing.key in the data directory.
    #[arg(value_name = "FILE")]
    first: PathBuf,
    /// Make the next key beside it.
    #[arg(long)]
    new: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let first = &arguments.first;
    if arguments.new {
        // A further key without a first one would be of no house.
        Signer::load(first)?;
        let (path, signer) = Signer::create_further(first)?;
        say!("{}  {}", Hash(signer.public_key()), path.display());
        return Ok(ExitCode::SUCCESS);
    }
    let all = [Signer::load(first)?].into_iter().chain(Signer::further(first)?);
    for (number, signer) in (1..).zip(all) {
        say!("{}  key {number}", Hash(signer.public_key()));
    }
    Ok(ExitCode::SUCCESS)
}
