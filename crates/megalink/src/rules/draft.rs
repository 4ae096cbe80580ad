//! `megalink rules --draft`: what a change of rules would change, what the lab says of both books, and the command that proposes
//! it.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use floor::{HouseCommand, Library, edge_in_words, figures_changed, read_book};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use journal::{Moment, Proposal, RulesChange};
use lab::exact::Lab;

use crate::tables;

/// A draft of a change of rules.
#[derive(clap::Args)]
pub(crate) struct DraftOptions {
    /// Check a rulebook file that tables would change to, and show what would change.
    #[arg(long, value_name = "FILE", requires = "instead_of")]
    draft: Option<PathBuf>,
    /// The rulebook that tables play under now.
    #[arg(long, value_name = "ID")]
    instead_of: Option<String>,
    /// Write the command that proposes it instead, to be sent to /api/house/commands: the hour from which it holds, in
    /// Singapore, such as 2026-12-01T06:00.
    #[arg(long, value_name = "HOUR", requires_all = ["draft", "reason"])]
    from: Option<DateTime>,
    /// Why, in a sentence.
    #[arg(long, value_name = "WORDS", requires = "from")]
    reason: Option<String>,
}

/// Checks a draft where one is given; `None` where none is.
pub(super) fn run(options: &DraftOptions) -> anyhow::Result<Option<ExitCode>> {
    let (Some(path), Some(instead_of)) = (&options.draft, &options.instead_of) else { return Ok(None) };
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let (after, digest) = read_book(&path.display().to_string(), &text)?;
    let library = Library::embedded();
    let Some((before, figures)) = library.get(instead_of) else {
        let known: Vec<&str> = library.iter().map(|book| book.id.as_str()).collect();
        bail!("there is no rulebook {instead_of:?}; there are {}", known.join(", "));
    };
    if figures == digest {
        bail!("{} has the same figures and readings as {instead_of}: nothing would change", after.id);
    }
    let check = reports::lab_check(&Lab::new(), before, &after);
    let changes = figures_changed(library.text(instead_of).unwrap_or_default(), &text);
    let mut output = io::stdout().lock();
    if let (Some(from), Some(words)) = (options.from, &options.reason) {
        let change = RulesChange {
            instead_of: instead_of.clone(),
            rulebook: after.id,
            digest,
            text: Some(text),
            from: moment(from)?,
            check,
            words: words.clone(),
        };
        let command = HouseCommand::Propose { proposal: Proposal::ChangeRules { change } };
        writeln!(output, "{}", serde_json::to_string(&command)?)?;
        return Ok(Some(ExitCode::SUCCESS));
    }
    let mut table = tables::ruled(&["what", "now", "then"]);
    for edge in &check.edges {
        let shown = |edge: Option<i64>| edge.map_or_else(|| "not counted".to_owned(), edge_in_words);
        table.add_row([format!("edge on the {}", edge.wager), shown(edge.before), shown(edge.after)]);
    }
    for change in changes {
        table.add_row([change.what, change.from, change.to]);
    }
    writeln!(output, "{instead_of} to {}, figures {digest}\n{table}", after.id)?;
    match (check.par, check.uncounted) {
        (Some(par), _) => writeln!(output, "PAR sheet {par}")?,
        (None, why) => writeln!(output, "The lab does not count it: {}", why.unwrap_or_default())?,
    }
    Ok(Some(ExitCode::SUCCESS))
}

/// An hour in Singapore.
fn moment(hour: DateTime) -> anyhow::Result<Moment> {
    let zone = TimeZone::fixed(jiff::tz::offset(8));
    let millis = hour.to_zoned(zone)?.timestamp().as_millisecond();
    Ok(Moment(u64::try_from(millis).context("the hour is before 1970")?))
}
