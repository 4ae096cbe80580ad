//! The recovery drill: a copy of the log is opened and verified as after a disaster, and its meters are compared with those
//! of the log it was copied from.

use std::path::{Path, PathBuf};

use anyhow::Context;
use floor::Library;
use floor::audit::{self, Meter, Options};
use journal::sqlite::SqliteStore;
use journal::{Reader, Stream};
use server::config::Database;

use super::Pack;
use super::page::{escaped, page};
use crate::audit::{dollars, named, open};

/// The page of the drill.
pub(super) const PAGE: &str = "recovery-drill.html";

/// What a drill does, whether or not there is a log to drill with.
const STEPS: &str = "<h1>Recovery drill</h1>\n<p>A drill shows that the floor can be recovered from a copy of its log, to \
                     the ten-thousandth of a cent. It writes nothing to the log it is made with.</p>\n<ol>\n\
                     <li>The log is copied while it is in use, as <code>megalink backup</code> does. A PostgreSQL database is \
                     copied by its own tools; here it is read where it is.</li>\n\
                     <li>The copy is verified as at a start: every chain, every signed checkpoint, every balance; and every \
                     command is given again to the rules, whose answer must be what the log says.</li>\n\
                     <li>Every meter of the copy is computed from its entries, its transfers and its ledger, which must \
                     agree, and is compared with the meter of the log.</li>\n</ol>\n<h2>Result</h2>\n";

/// Adds the page of the drill. Says whether all was well, or there was nothing to drill with.
pub(super) fn add(pack: &mut Pack, database: Option<&str>, library: &Library) -> anyhow::Result<bool> {
    let drilled = database.map(|database| drill(database, library)).transpose()?;
    let (result, is_well) = match &drilled {
        None => {
            ("<p>No log was given (<code>--database</code>), so nothing was drilled.</p>\n".to_owned(), true)
        }
        Some(drilled) => (drilled.html(), drilled.is_well()),
    };
    pack.add(
        PAGE,
        "Recovery drill: what it does, and its result",
        page("Recovery drill", &(STEPS.to_owned() + &result)),
    );
    Ok(is_well)
}

/// A drill that was made.
struct Drilled {
    entries: u64,
    commands: u64,
    checkpoints: u64,
    findings: Vec<String>,
    /// Each link's meter in the log, and in the copy.
    meters: Vec<(Meter, Meter)>,
}

impl Drilled {
    fn is_well(&self) -> bool {
        self.findings.is_empty() && self.meters.iter().all(|(log, copy)| agree(log, copy))
    }

    fn html(&self) -> String {
        let mut html = format!(
            "<p>{} entries, {} checkpoints and {} commands of the copy were checked.</p>\n",
            self.entries, self.checkpoints, self.commands
        );
        html += "<table>\n<tr><th>link</th><th>entries</th><th>meter in the log</th><th>meter in the copy</th><th></th></tr>\n";
        for (log, copy) in &self.meters {
            let verdict = if agree(log, copy) { "agree" } else { "WRONG: they differ" };
            html += &format!(
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{verdict}</td></tr>\n",
                escaped(&copy.link),
                copy.until,
                dollars(i128::try_from(log.meter).unwrap_or(i128::MAX)),
                dollars(i128::try_from(copy.meter).unwrap_or(i128::MAX)),
            );
        }
        html += "</table>\n";
        for finding in &self.findings {
            html += &format!("<p>WRONG: {}</p>\n", escaped(finding));
        }
        let verdict = if self.is_well() { "All is well." } else { "The drill failed." };
        html + &format!("<p><b>{verdict}</b></p>\n")
    }
}

/// Whether a meter and that of the copy are the same, each explained by its own entries.
fn agree(log: &Meter, copy: &Meter) -> bool {
    log.is_reconciled() && copy.is_reconciled() && log == copy
}

fn drill(database: &str, library: &Library) -> anyhow::Result<Drilled> {
    let copy = match named(database)? {
        Database::Postgres(_) => return check(&mut *open(database)?, &mut *open(database)?, library),
        Database::Sqlite(log) => Copy::of(&log)?,
    };
    let mut copied = SqliteStore::open_read_only(&copy.0).context("opening the copy")?;
    check(&mut *open(database)?, &mut copied, library)
}

fn check(log: &mut dyn Reader, copy: &mut dyn Reader, library: &Library) -> anyhow::Result<Drilled> {
    let report = audit::verify(copy, library, &Options::default(), &mut |_, _| ())?;
    let mut links = Vec::new();
    for head in copy.heads()? {
        if let Stream::Link(link) = head.stream {
            links.push(link.name().to_owned());
        }
    }
    links.sort();
    let meters = links.iter().map(|link| {
        let copied = audit::meter_of(copy, link, None)?;
        Ok((audit::meter_of(log, link, None)?, copied))
    });
    let meters = meters.collect::<Result<Vec<_>, audit::AuditError>>()?;
    let audit::Counts { entries, commands, checkpoints, .. } = report.counts;
    let findings = report.findings.iter().map(ToString::to_string).collect();
    Ok(Drilled { entries, commands, checkpoints, findings, meters })
}

/// A copy of a log beside it, where it is no more readable than the log itself. It goes when the drill is over.
struct Copy(PathBuf);

impl Copy {
    fn of(log: &Path) -> anyhow::Result<Copy> {
        let mut name = log.as_os_str().to_owned();
        name.push(format!(".drill-{}", std::process::id()));
        let copy = Copy(name.into());
        SqliteStore::backup(log, &copy.0).with_context(|| format!("copying {}", log.display()))?;
        Ok(copy)
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        for end in ["", "-wal", "-shm"] {
            let mut name = self.0.as_os_str().to_owned();
            name.push(end);
            // What cannot be removed was not made.
            let _ = std::fs::remove_file(PathBuf::from(name));
        }
    }
}
