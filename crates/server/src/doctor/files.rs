//! Files: keys, permissions, rulebooks, certificates, the program itself, archives, backups.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use journal::archive::Archive;
use journal::checkpoint::Signer;
use journal::{Currency, VaultKey};

use super::{About, Bounds, Findings};
use crate::config::Config;
use crate::identity;
use crate::startup::{NOTE, Place, library};

const DAY: u64 = 24 * 60 * 60;

/// Looks at the files; the signing key, where it can be used.
pub(super) fn examine(
    config: &Config,
    place: &Place,
    bounds: &Bounds,
    findings: &mut Findings,
) -> Option<Signer> {
    examine_permissions(place, findings);
    let note = place.directory.join(NOTE);
    if note.exists() {
        findings.advice(
            About::SignInNote,
            format!("{} still has the first passwords.", note.display()),
            "Give everybody their own, let them choose another, and delete the file.",
        );
    }
    let signer = examine_signing_key(place, findings);
    if let Some(Err(error)) = config.storage.vault_key.as_deref().map(VaultKey::from_source) {
        findings.wrong(
            About::VaultKey,
            format!("The vault key cannot be used: {error}."),
            "Put the key where storage.vault_key says, from the copy that was kept. Without it nobody can sign in.",
        );
    }
    match library(&config.floor.rulebook_files) {
        Ok(library) => examine_program(config, &library, signer.as_ref(), findings),
        Err(error) => findings.wrong(
            About::Rulebooks,
            format!("A rulebook cannot be used: {error}."),
            "Correct floor.rulebook_files, or put the file back.",
        ),
    }
    examine_certificate(config, bounds, findings);
    if let Some(folder) = &config.storage.archives {
        examine_archives(folder, findings);
    }
    signer
}

/// Files that only their owner may read.
fn examine_permissions(place: &Place, findings: &mut Findings) {
    for path in place.secret_files() {
        let Ok(about) = fs::metadata(&path) else { continue };
        let mode = about.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            let right = if about.is_dir() { "700" } else { "600" };
            findings.wrong(
                About::Permissions,
                format!("Others may open {} (mode {mode:o}).", path.display()),
                format!("Run: chmod {right} {}", path.display()),
            );
        }
    }
}

fn examine_signing_key(place: &Place, findings: &mut Findings) -> Option<Signer> {
    match Signer::load(&place.signing_key) {
        Ok(signer) => Some(signer),
        Err(_) if !place.signing_key.exists() && !place.has_log() => None,
        Err(error) => {
            findings.wrong(
                About::SigningKey,
                format!("The signing key cannot be used: {error}."),
                "Put the house's key back from the copy that was kept. A new one does not help: the log was begun with the old one.",
            );
            None
        }
    }
}

fn examine_program(
    config: &Config,
    library: &floor::Library,
    signer: Option<&Signer>,
    findings: &mut Findings,
) {
    let Some(signer) = signer else { return };
    let checked = identity::running(library).map_err(|error| error.to_string()).and_then(|identity| {
        identity::check_manifest(&config.server, &identity, signer.public_key())
            .map_err(|error| error.clone())
    });
    if let Err(what) = checked {
        findings.wrong(
            About::Program,
            format!("This program is not the one that the manifest names: {what}."),
            "Install the program of the manifest, or have the new one signed (megalink identity --write).",
        );
    }
}

/// Whether people can sign in from other machines.
pub(super) fn examine_reach(config: &Config, money: Currency, findings: &mut Findings) {
    let is_open = !config.server.listen.ip().is_loopback();
    if is_open && !config.is_secure() && money == Currency::Real {
        findings.wrong(
            About::Certificate,
            format!("{} is open to other machines by plain HTTP: nobody can sign in from them.", config.server.listen),
            "Set server.certificate and server.certificate_key; or put a proxy with TLS in front and its address into \
             server.origin. See \"TLS\" in docs/running.md.",
        );
    }
}

fn examine_certificate(config: &Config, bounds: &Bounds, findings: &mut Findings) {
    if let Err(error) = crate::serve::check_certificate(&config.server) {
        findings.wrong(
            About::Certificate,
            format!("The certificate cannot be used: {error}."),
            "Correct server.certificate and server.certificate_key.",
        );
        return;
    }
    let Some(path) = &config.server.certificate else { return };
    match crate::serve::certificate_ends(path) {
        Ok(ends) => {
            let now = bounds.now.0 / 1000;
            let days = ends.saturating_sub(now) / DAY;
            if ends <= now {
                findings.wrong(
                    About::Certificate,
                    format!("The certificate {} has run out.", path.display()),
                    "Renew it, and send the server SIGHUP: it reads the files again.",
                );
            } else if days < bounds.certificate_days {
                findings.wrong(
                    About::Certificate,
                    format!("The certificate {} runs out in {days} days.", path.display()),
                    "Renew it, and send the server SIGHUP: it reads the files again.",
                );
            }
        }
        Err(error) => findings.wrong(
            About::Certificate,
            format!("It cannot be read when the certificate {} runs out: {error}.", path.display()),
            "Check that the file is a certificate chain in PEM form.",
        ),
    }
}

fn examine_archives(folder: &Path, findings: &mut Findings) {
    if let Err(error) = Archive::open_folder(folder) {
        findings.wrong(
            About::Archives,
            format!("The archives in {} cannot be read: {error}.", folder.display()),
            "Put the missing or damaged file back from a copy; megalink archive verify checks all of them.",
        );
    }
}

/// How old the newest backup is.
pub(super) fn examine_backups(bounds: &Bounds, findings: &mut Findings) {
    let Some(folder) = &bounds.backups else {
        findings.advice(
            About::Backups,
            "Backups were not looked at.",
            "Name their folder with --backups. megalink backup makes one while the server runs.",
        );
        return;
    };
    let age = |path: fs::DirEntry| {
        let written = path.metadata().ok().filter(fs::Metadata::is_file)?.modified().ok()?;
        Some(SystemTime::now().duration_since(written).unwrap_or_default())
    };
    let newest = fs::read_dir(folder).ok().and_then(|files| files.flatten().filter_map(age).min());
    let most = Duration::from_secs(bounds.backup_hours.saturating_mul(60 * 60));
    let todo = "Find out why no backup was made, and make one now: megalink backup FILE.";
    match newest {
        None => findings.wrong(About::Backups, format!("There is no backup in {}.", folder.display()), todo),
        Some(age) if most < age => {
            let hours = age.as_secs() / 3600;
            findings.wrong(About::Backups, format!("The newest backup is {hours} hours old."), todo);
        }
        Some(_) => {}
    }
}
