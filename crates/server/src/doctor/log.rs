//! The log: whether it can be read, whether it is the house's and the newest, and who else knows of it.

use std::path::Path;
use std::sync::Arc;

use floor::Library;
use journal::acknowledged::{lost, noted};
use journal::archive::{Joined, Shelf};
use journal::checkpoint::{Checkpoint, Signer};
use journal::vault::kind::{CREDENTIAL, VAULT};
use journal::{
    Direction, Event, Moment, Reader, StoreError, Stream, Subject, TableEvent, VaultKey, Version, decode,
};

use super::{About, Bounds, Findings};
use crate::config::Config;
use crate::startup::{FIRST_KEY, Place, library};
use crate::witness::Witness;

/// How far a clock may be behind the newest entry, in milliseconds.
const CLOCK_BEHIND: u64 = 60_000;

/// Before this moment no clock is right: the beginning of 2026.
const CLOCK_LEAST: Moment = Moment(1_767_225_600_000);

/// How many checkpoints a witness may be behind.
const WITNESS_BEHIND: u64 = 20;

/// How many days beyond those that stay in the log an old entry may wait to be archived.
const ARCHIVE_LATE: u16 = 3;

pub(super) fn examine(
    config: &Config,
    place: &Place,
    signer: Option<&Signer>,
    bounds: &Bounds,
    findings: &mut Findings,
) {
    if bounds.now < CLOCK_LEAST {
        findings.wrong(
            About::Clock,
            "The clock of this machine is years behind.",
            "Set it, and let it be kept by NTP (timedatectl set-ntp true).",
        );
    }
    if !place.has_log() {
        findings.advice(About::Database, "There is no log yet.", "The first start of the server makes one.");
        examine_name(config, findings);
        return;
    }
    let mut reader = match place.reader() {
        Ok(reader) => reader,
        Err(error) => {
            findings.wrong(
                About::Database,
                format!("The log in {} cannot be opened: {error}.", place.shown()),
                "Is the database there and running, and is this the program that wrote it or a newer one? If the file is \
                 damaged, restore the newest backup.",
            );
            return;
        }
    };
    let examined = examine_settings(place, findings)
        .and_then(|()| examine_log(config, place, signer, bounds, &mut *reader, findings));
    if let Err(error) = examined {
        findings.wrong(
            About::Log,
            format!("The log cannot be read: {error}."),
            "Run megalink audit verify, which names what is damaged, and restore the newest backup.",
        );
    }
}

/// Whether a house that is not open yet has a name to open with.
fn examine_name(config: &Config, findings: &mut Findings) {
    if config.floor.house_name().is_none() {
        findings.wrong(
            About::Configuration,
            "The house has no name yet, and keeps its first name for life: the server does not open it without one.",
            "Set floor.house in the configuration, or start the server once with --house NAME.",
        );
    }
}

/// What could be lost although it was acknowledged.
fn examine_settings(place: &Place, findings: &mut Findings) -> Result<(), StoreError> {
    for risk in place.risks()? {
        findings.advice(About::DatabaseSettings, risk, "See \"PostgreSQL\" in docs/running.md.");
    }
    Ok(())
}

fn examine_log(
    config: &Config,
    place: &Place,
    signer: Option<&Signer>,
    bounds: &Bounds,
    reader: &mut dyn Reader,
    findings: &mut Findings,
) -> Result<(), StoreError> {
    examine_clock(bounds, reader, findings)?;
    if !reader.heads()?.iter().any(|head| head.stream == Stream::House) {
        examine_name(config, findings);
    }
    let newest = reader.last_checkpoint()?;
    examine_seal(newest.as_ref(), signer, reader, findings)?;
    if let Some(signer) = signer {
        examine_vault(config, signer, reader, findings)?;
    }
    examine_acknowledged(config, place, reader, findings)?;
    if let Ok(library) = library(&config.floor.rulebook_files) {
        examine_books(&library, reader, findings)?;
    }
    if let Some(folder) = &config.storage.archives {
        examine_age(config, bounds, reader, findings)?;
        examine_archives(folder, place.reader()?, findings)?;
    }
    examine_witnesses(config, newest.as_ref(), findings);
    Ok(())
}

fn examine_clock(
    bounds: &Bounds,
    reader: &mut dyn Reader,
    findings: &mut Findings,
) -> Result<(), StoreError> {
    let mut newest = Moment::default();
    for head in reader.heads()? {
        newest = newest.max(reader.entry(&head.stream, head.version)?.map_or(newest, |entry| entry.at));
    }
    let behind = newest.0.saturating_sub(bounds.now.0);
    if CLOCK_BEHIND < behind {
        findings.wrong(
            About::Clock,
            format!("The clock of this machine is {} seconds behind the log.", behind / 1000),
            "Set it, and let it be kept by NTP (timedatectl set-ntp true), before the server starts.",
        );
    }
    Ok(())
}

fn examine_seal(
    newest: Option<&Checkpoint>,
    signer: Option<&Signer>,
    reader: &mut dyn Reader,
    findings: &mut Findings,
) -> Result<(), StoreError> {
    let todo =
        "Run megalink audit verify, which names what was changed, and restore a backup from before it.";
    let headless = reader.headless()?;
    if !headless.is_empty() {
        findings.wrong(
            About::Log,
            format!("The ends of these streams are gone: {}.", headless.join(", ")),
            todo,
        );
    }
    let Some(newest) = newest else { return Ok(()) };
    if let Err(error) = newest.verify() {
        findings.wrong(About::Log, format!("The newest seal of the log is not right: {error}."), todo);
    }
    for head in &newest.heads {
        let there = reader.entry(&head.stream, head.version)?;
        if there.is_none_or(|entry| entry.hash != head.hash) {
            let what = format!("Entry {} of {} is not the one that was sealed.", head.version, head.stream);
            findings.wrong(About::Log, what, todo);
        }
    }
    if signer.is_some_and(|signer| signer.public_key() != newest.key) {
        findings.wrong(
            About::SigningKey,
            "The signing key is not the one that the log was sealed with.",
            "Put the house's own key back from the copy that was kept.",
        );
    }
    Ok(())
}

/// Whether the key of the vault opens what is kept beside the log.
fn examine_vault(
    config: &Config,
    signer: &Signer,
    reader: &mut dyn Reader,
    findings: &mut Findings,
) -> Result<(), StoreError> {
    let key = match config.storage.vault_key.as_deref().map(VaultKey::from_source) {
        None => VaultKey::derived(signer),
        Some(Ok(key)) => key,
        Some(Err(_)) => return Ok(()),
    };
    let Some(stored) = reader.sealed(VAULT, FIRST_KEY)? else { return Ok(()) };
    let opens = key.open(VAULT, FIRST_KEY, &stored).is_some()
        || reader.sealed_all(CREDENTIAL)?.iter().any(|(name, row)| key.open(CREDENTIAL, name, row).is_some());
    if !opens {
        findings.wrong(
            About::VaultKey,
            "The vault key does not open what is kept beside the log: nobody could sign in.",
            "Put the vault key that the house began with where storage.vault_key says; without that setting it follows from \
             the signing key.",
        );
    }
    Ok(())
}

fn examine_acknowledged(
    config: &Config,
    place: &Place,
    reader: &mut dyn Reader,
    findings: &mut Findings,
) -> Result<(), StoreError> {
    match noted(&place.notebook_path(&config.floor.node)) {
        Ok(acknowledged) => {
            for lost in lost(reader, &acknowledged)? {
                findings.wrong(
                    About::Acknowledged,
                    lost.sentence(),
                    "The database is older than what was told to people. Find the newer one; only if it is lost, start with \
                     --accept-rollback and have a Gaming Shift Manager sign.",
                );
            }
        }
        Err(error) => findings.wrong(
            About::Acknowledged,
            format!("What this node acknowledged cannot be read: {error}."),
            "Find out what damaged the file. The log itself is not concerned.",
        ),
    }
    Ok(())
}

/// The book of every table that was opened.
fn examine_books(
    library: &Library,
    reader: &mut dyn Reader,
    findings: &mut Findings,
) -> Result<(), StoreError> {
    for head in reader.heads()? {
        let Stream::Table(table) = &head.stream else { continue };
        let opened =
            reader.about(&head.stream, &Subject::Opened, Direction::Before(Version(u64::MAX)), 1)?.pop();
        let Some(opened) = opened else { continue };
        let entry = reader.entry(&head.stream, opened)?;
        if let Some(Ok(Event::Table(TableEvent::Opened { setup }))) = entry.map(|entry| decode(&entry.body))
            && library.get(&setup.rulebook).is_none()
        {
            findings.wrong(
                About::Rulebooks,
                format!("Table {table} is open under the rulebook {}, which is not here.", setup.rulebook),
                "Add its file to floor.rulebook_files: without it the server does not start.",
            );
        }
    }
    Ok(())
}

/// Whether the archives are of this log, and reach its beginning. That they can be read is examined with the files.
fn examine_archives(folder: &Path, live: Box<dyn Reader>, findings: &mut Findings) -> Result<(), StoreError> {
    let Ok(shelf) = Shelf::open(folder) else { return Ok(()) };
    let missing = match Joined::on(live, Arc::new(shelf)) {
        Ok(mut joined) => joined.missing_up_to()?,
        Err(StoreError::Corrupt { stream, what, .. }) => {
            findings.wrong(
                About::Archives,
                format!("The archives do not belong to the log: {stream}: {what}."),
                "Remove what is of another log, put what is missing back, and run megalink archive verify.",
            );
            return Ok(());
        }
        Err(error) => return Err(error),
    };
    if let Some(missing) = missing {
        findings.wrong(
            About::Archives,
            format!(
                "The beginning of the log is missing, up to entry {missing} of the house: neither the log nor an archive in {} \
                 has it.",
                folder.display()
            ),
            "Put the missing archives back from a copy; megalink archive verify checks all of them.",
        );
    }
    Ok(())
}

/// Whether archiving keeps up: how old the oldest entry of the live log is.
fn examine_age(
    config: &Config,
    bounds: &Bounds,
    reader: &mut dyn Reader,
    findings: &mut Findings,
) -> Result<(), StoreError> {
    let Some(oldest) = reader.entries(&Stream::House, Version(0), 1)?.pop() else { return Ok(()) };
    let most = config.storage.keep_days.saturating_add(ARCHIVE_LATE);
    if oldest.at.plus_days(most) < bounds.now {
        findings.wrong(
            About::Archives,
            format!("The log has entries that are older than {most} days: archiving does not keep up."),
            "Look in the log of the server for why it does not archive; megalink archive write does it by hand.",
        );
    }
    Ok(())
}

fn examine_witnesses(config: &Config, newest: Option<&Checkpoint>, findings: &mut Findings) {
    if config.witness.is_empty() {
        findings.advice(
            About::Witnesses,
            "No witness keeps the checkpoints of this log elsewhere.",
            "Whoever holds this machine could rewrite the log. See \"Witnesses\" in docs/running.md.",
        );
    }
    let Some(newest) = newest else { return };
    for settings in &config.witness {
        let name = &settings.name;
        let seen = Witness::of(settings).and_then(|witness| {
            let after = newest.number.saturating_sub(1);
            witness.seen(newest.key, after).map_err(|error| error.to_string())
        });
        let seen = match seen {
            Ok(Some(seen)) => seen.iter().map(|checkpoint| checkpoint.number).max().unwrap_or(0),
            // It takes checkpoints, and does not say which.
            Ok(None) => continue,
            Err(error) => {
                findings.wrong(
                    About::Witnesses,
                    format!("Witness {name} cannot be asked: {error}."),
                    "Find out whether it runs and can be reached, and correct its settings.",
                );
                continue;
            }
        };
        if newest.number < seen {
            findings.wrong(
                About::Witnesses,
                format!("Witness {name} has seen checkpoint {seen}, but the log ends at {}.", newest.number),
                "An older log was put back. Find the newer one.",
            );
        } else if seen.saturating_add(WITNESS_BEHIND) < newest.number {
            findings.wrong(
                About::Witnesses,
                format!("Witness {name} has seen checkpoint {seen} of {} only.", newest.number),
                "Find out why it does not take checkpoints: /readyz of the server says what it answered.",
            );
        }
    }
}
