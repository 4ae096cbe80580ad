//! `megalink config`: the configuration of a server.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::configuration::{self, Options};
use crate::output::with_causes;

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Show the configuration that files, environment and flags give. Passwords are masked.
    Show(Arguments),
    /// Check the configuration and list its problems.
    Check(Arguments),
    /// Write an example file with every key, its default and its meaning.
    Example,
}

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Show(arguments) => show(arguments),
        Command::Check(arguments) => Ok(check(arguments)),
        Command::Example => {
            io::stdout().write_all(server::config::EXAMPLE.as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn show(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let loaded = configuration::load(&arguments.options)?;
    let config = loaded.config.masked();
    if arguments.json {
        writeln!(io::stdout(), "{}", serde_json::to_string_pretty(&config)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = String::new();
    for file in &loaded.files {
        text.push_str(&format!("# from {}\n", file.display()));
    }
    text.push_str(&toml::to_string(&config)?);
    io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Problems go to standard output, with exit status 1.
fn check(arguments: &Arguments) -> ExitCode {
    let problems = match configuration::load(&arguments.options) {
        Ok(loaded) => {
            let mut problems = loaded.config.problems();
            problems.extend(server::file_problems(&loaded.config));
            problems
        }
        Err(error) => vec![with_causes(&error)],
    };
    if arguments.json {
        say!("{}", serde_json::json!({ "problems": problems }));
    } else if problems.is_empty() {
        say!("the configuration is valid");
    } else {
        for problem in &problems {
            say!("{problem}");
        }
    }
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
