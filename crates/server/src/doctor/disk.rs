//! The disk: room, speed, and whether it is one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use super::{About, Bounds, Findings};
use crate::startup::Place;

/// How often the disk is timed: the middle one counts.
const TIMED: usize = 9;

/// The kind of a file system that is gone with the power, as the system numbers it.
const TMPFS: i64 = 0x0102_1994;
const RAMFS: i64 = 0x8584_58f6;

/// One mebibyte.
const MEBI: u64 = 1024 * 1024;

pub(super) fn examine(place: &Place, bounds: &Bounds, findings: &mut Findings) {
    let folder = place.data_folder();
    if !folder.is_dir() {
        findings.wrong(
            About::DataDirectory,
            format!("There is no data directory {}.", folder.display()),
            "Start the server once, which makes it, or set storage.directory to where it is.",
        );
        return;
    }
    examine_space(&folder, bounds, findings);
    if is_memory(&folder) {
        findings.wrong(
            About::Memory,
            format!("{} is in memory: everything is lost with the power.", folder.display()),
            "Move the data directory to a disk, and set storage.directory.",
        );
    }
    match time_to_disk(&folder) {
        Ok(took) if bounds.sync <= took => findings.wrong(
            About::DiskSpeed,
            format!(
                "The disk takes {} ms to keep something: every command waits for that.",
                took.as_millis()
            ),
            "Use a disk with a write cache that survives a power failure, and let nothing else load it.",
        ),
        Ok(_) => {}
        Err(error) => findings.wrong(
            About::DataDirectory,
            format!("Nothing can be written to {}: {error}.", folder.display()),
            "Run this as the user of the server, and let that user own the data directory.",
        ),
    }
}

fn examine_space(folder: &Path, bounds: &Bounds, findings: &mut Findings) {
    let Ok(room) = rustix::fs::statvfs(folder) else { return };
    let free = room.f_bavail.saturating_mul(room.f_frsize);
    if free < bounds.free_bytes {
        findings.wrong(
            About::DiskSpace,
            format!("Only {} MiB are free where {} is.", free / MEBI, folder.display()),
            "Make room, or set storage.archives so that closed days move elsewhere. A full disk stops every table.",
        );
    }
}

fn is_memory(folder: &Path) -> bool {
    rustix::fs::statfs(folder).is_ok_and(|system| system.f_type == TMPFS || system.f_type == RAMFS)
}

/// How long it takes until something written is on the disk.
fn time_to_disk(folder: &Path) -> io::Result<Duration> {
    let path = folder.join(format!("doctor-{}", std::process::id()));
    let timed = time_writes(&path);
    fs::remove_file(&path)?;
    timed
}

fn time_writes(path: &Path) -> io::Result<Duration> {
    let mut file = File::options().write(true).create_new(true).open(path)?;
    let mut times = Vec::with_capacity(TIMED);
    for _ in 0..TIMED {
        let began = Instant::now();
        file.write_all(&[0; 4096])?;
        file.sync_data()?;
        times.push(began.elapsed());
    }
    times.sort_unstable();
    Ok(times.get(TIMED / 2).copied().unwrap_or_default())
}
