//! `megalink witness`: somebody elsewhere who has seen the checkpoints of a house.

use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use journal::{Hash, Moment};
use server::config::Log;
use server::witness::{Book, WitnessService};

use crate::audit::public_key;
use crate::serve::{reason, write_log};

#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// The folder of its files and of its key, created if it does not exist.
    #[arg(long, value_name = "DIR", required = true)]
    data: Option<PathBuf>,
    /// The address and port to listen on. A proxy adds TLS.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7787")]
    listen: SocketAddr,
    /// The public key of a house to serve. May be repeated; without it, the witness serves every house.
    #[arg(long, value_name = "HEX", value_parser = public_key)]
    house: Vec<[u8; 32]>,
}

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Accept that a house restored an older log after a disaster. What was seen later stays in the file and no longer
    /// counts. Stop the witness first.
    AcceptRollback {
        /// The file of the house: HOUSE.checkpoints in the witness's folder, or the file of a file witness.
        file: PathBuf,
        /// The last checkpoint that still counts.
        #[arg(long, value_name = "NUMBER")]
        to: u64,
        /// Why. It is written into the file.
        #[arg(long, value_name = "TEXT", value_parser = reason)]
        reason: String,
    },
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match (&arguments.command, &arguments.data) {
        (Some(Command::AcceptRollback { file, to, reason }), _) => accept_rollback(file, *to, reason),
        (None, Some(data)) => serve(arguments, data),
        (None, None) => bail!("name the witness's folder with --data"),
    }
}

fn accept_rollback(file: &Path, to: u64, reason: &str) -> anyhow::Result<ExitCode> {
    if !file.is_file() {
        bail!("there is no file {}", file.display());
    }
    let mut book = Book::open(file)?;
    book.lock()?;
    book.trim()?;
    let newest = book.seen().newest();
    book.accept_rollback(to, reason, Moment::now())?;
    say!("{} counts checkpoints up to {to} from here on; it had seen {newest}", file.display());
    Ok(ExitCode::SUCCESS)
}

fn serve(arguments: &Arguments, data: &Path) -> anyhow::Result<ExitCode> {
    write_log(&Log::default())?;
    let service = WitnessService::open(data, arguments.house.clone())?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().context("starting threads")?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(arguments.listen)
            .await
            .with_context(|| format!("cannot listen on {}", arguments.listen))?;
        let mut text = format!(
            "\nMegalink witness\n\n  Address   http://{}/checkpoint\n  Key       {}\n  Keeps     {}\n",
            listener.local_addr()?,
            Hash(service.public_key()),
            data.display()
        );
        for (house, newest) in service.newest() {
            text.push_str(&format!("            house {}: checkpoint {newest}\n", Hash(house)));
        }
        text.push_str("  Stop      Ctrl-C\n\n");
        // If nobody reads standard output any more, the witness continues.
        let _ = std::io::stdout().write_all(text.as_bytes());
        server::witness::serve(&service, listener).await.context("serving")
    })?;
    Ok(ExitCode::SUCCESS)
}
