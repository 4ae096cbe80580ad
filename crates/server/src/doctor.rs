//! What is wrong with an installation, in plain words with what to do about it. Everything is looked at from the outside: a
//! server may be running or not, and nothing is changed but a small file that is written to time the disk, and removed.

mod disk;
mod files;
mod log;

use std::path::PathBuf;
use std::time::Duration;

use floor::audit::opening_of;
use journal::Moment;
use serde::Serialize;

use crate::config::Config;
use crate::startup::{Place, other_house};

/// How much something matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// It works, and could be safer.
    Advice,
    /// It is wrong.
    Wrong,
}

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum About {
    Configuration,
    DataDirectory,
    DiskSpace,
    DiskSpeed,
    Memory,
    Permissions,
    SignInNote,
    SigningKey,
    VaultKey,
    Rulebooks,
    Certificate,
    Program,
    Database,
    DatabaseSettings,
    Clock,
    Log,
    Acknowledged,
    Archives,
    Backups,
    Witnesses,
}

/// Something that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub about: About,
    pub level: Level,
    /// What is the matter.
    pub what: String,
    /// What to do.
    pub todo: String,
}

/// From where on something is wrong.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// What the clock says.
    pub now: Moment,
    /// How many bytes must be free where the log is kept.
    pub free_bytes: u64,
    /// How long it may take until something written is on the disk.
    pub sync: Duration,
    /// For how many days the certificate must still hold.
    pub certificate_days: u64,
    /// The folder of backups, where it is to be looked at.
    pub backups: Option<PathBuf>,
    /// How many hours old the newest backup may be.
    pub backup_hours: u64,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            now: Moment::now(),
            free_bytes: 2 * 1024 * 1024 * 1024,
            sync: Duration::from_millis(25),
            certificate_days: 21,
            backups: None,
            backup_hours: 26,
        }
    }
}

/// What was found so far.
#[derive(Default)]
struct Findings(Vec<Finding>);

impl Findings {
    fn wrong(&mut self, about: About, what: impl Into<String>, todo: impl Into<String>) {
        self.add(about, Level::Wrong, what, todo);
    }

    fn advice(&mut self, about: About, what: impl Into<String>, todo: impl Into<String>) {
        self.add(about, Level::Advice, what, todo);
    }

    fn add(&mut self, about: About, level: Level, what: impl Into<String>, todo: impl Into<String>) {
        self.0.push(Finding { about, level, what: what.into(), todo: todo.into() });
    }
}

/// Looks at the installation that a configuration describes. What is wrong comes first.
pub fn examine(config: &Config, bounds: &Bounds) -> Vec<Finding> {
    let mut findings = Findings::default();
    match Place::found(&config.storage) {
        Ok(place) => {
            disk::examine(&place, bounds, &mut findings);
            let signer = files::examine(config, &place, bounds, &mut findings);
            let log = place.has_log().then(|| place.reader().ok()).flatten();
            let opened = log.and_then(|mut log| opening_of(&mut *log));
            if let Some(other) = opened.as_ref().and_then(|opened| other_house(&config.floor, opened)) {
                findings.wrong(
                    About::Configuration,
                    format!("The server does not start: {other}."),
                    "Name the folder of your house with --data (storage.directory), or its database.",
                );
            }
            let money = opened.map_or(config.floor.money(), |opened| opened.money);
            files::examine_reach(config, money, &mut findings);
            log::examine(config, &place, signer.as_ref(), bounds, &mut findings);
        }
        Err(error) => findings.wrong(
            About::Configuration,
            format!("It is not known where the data is: {error}."),
            "Set storage.directory in the configuration.",
        ),
    }
    files::examine_backups(bounds, &mut findings);
    let Findings(mut all) = findings;
    all.sort_by_key(|finding| std::cmp::Reverse(finding.level));
    all
}
