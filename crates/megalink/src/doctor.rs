//! `megalink doctor`: what is wrong with this installation, and what to do about it.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use journal::Moment;
use serde_json::json;
use server::doctor::{Bounds, Finding, Level, examine};

use crate::configuration::{self, Options};
use crate::output::with_causes;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    options: Options,
    /// The folder where backups are kept, to see how old the newest is.
    #[arg(long, value_name = "DIR")]
    backups: Option<PathBuf>,
    /// How many hours old the newest backup may be.
    #[arg(long, value_name = "HOURS", default_value_t = 26)]
    backup_hours: u64,
    /// How many MiB must be free where the log is kept.
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    free: u64,
    /// How many milliseconds the disk may take to keep something.
    #[arg(long, value_name = "MS", default_value_t = 25)]
    sync: u64,
    /// For how many days the certificate must still hold.
    #[arg(long, value_name = "DAYS", default_value_t = 21)]
    certificate_days: u64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let findings = match configuration::load(&arguments.options) {
        Ok(loaded) => examine(&loaded.config, &bounds(arguments)),
        Err(error) => vec![Finding {
            about: server::doctor::About::Configuration,
            level: Level::Wrong,
            what: format!("The configuration cannot be read: {}.", with_causes(&error)),
            todo: "Correct it; megalink config example lists every key with its meaning.".to_owned(),
        }],
    };
    let wrong = findings.iter().filter(|finding| finding.level == Level::Wrong).count();
    if arguments.json {
        say!("{}", json!({ "version": env!("CARGO_PKG_VERSION"), "wrong": wrong, "findings": findings }));
    } else {
        print(&findings, wrong);
    }
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn bounds(arguments: &Arguments) -> Bounds {
    Bounds {
        now: Moment::now(),
        free_bytes: arguments.free.saturating_mul(1024 * 1024),
        sync: Duration::from_millis(arguments.sync),
        certificate_days: arguments.certificate_days,
        backups: arguments.backups.clone(),
        backup_hours: arguments.backup_hours,
    }
}

fn print(findings: &[Finding], wrong: usize) {
    for Finding { level, what, todo, .. } in findings {
        let mark = match level {
            Level::Wrong => "WRONG ",
            Level::Advice => "advice",
        };
        say!("{mark}  {what}\n        {todo}");
    }
    match wrong {
        0 => say!("Nothing is wrong."),
        1 => say!("1 thing is wrong."),
        _ => say!("{wrong} things are wrong."),
    }
}
