//! The keys that sign the log, one after the other. The run checks on its own who signed when, and that no verification takes
//! a seal of a key that was replaced.

use std::os::unix::fs::PermissionsExt as _;
use std::sync::OnceLock;

use journal::checkpoint::{Checkpoint, Signer};
use journal::verify::{Known, verify_log};
use journal::{Reader, Stream, Version};

use super::altered::Altered;
use super::oracle::{Violation, ensure};

/// The keys that a house can change to, the same in every run.
pub(crate) fn further_signers() -> &'static [Signer] {
    static ONCE: OnceLock<Vec<Signer>> = OnceLock::new();
    ONCE.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let key = |number: u8| {
            let path = folder.path().join(format!("key {number}"));
            std::fs::write(&path, format!("{number:02x}").repeat(32)).expect("a file");
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).expect("a file of ours");
            Signer::load(&path).expect("a key")
        };
        [17, 18, 19].map(key).to_vec()
    })
}

/// The keys that two people signed for, each with the version of the house's entry, the first at its opening.
pub(crate) type Signed = Vec<(Version, [u8; 32])>;

/// Checks who signed each checkpoint: the house's first key, and after a handover the one it names. Two people signed for that
/// one before, and what they signed is sealed by then. Returns how often the key changed.
pub(crate) fn check_checkpoints(log: &mut dyn Reader, signed: &Signed) -> Result<usize, Violation> {
    let checkpoints = log.checkpoints(0, usize::MAX);
    let checkpoints =
        checkpoints.map_err(|error| Violation(format!("the checkpoints cannot be read: {error}")))?;
    let Some((_, first)) = signed.first() else { return Ok(0) };
    let (mut due, mut changes, mut house) = (*first, 0, Version(0));
    for checkpoint in &checkpoints {
        let number = checkpoint.number;
        ensure!(checkpoint.key == due, "M18: checkpoint {number} is signed by another key than its turn is");
        let head = checkpoint.heads.iter().find(|head| head.stream == Stream::House);
        house = head.map_or(house, |head| house.max(head.version));
        let Some(next) = checkpoint.successor else { continue };
        let by_two = signed.iter().skip(1).any(|(version, key)| *key == next && *version <= house);
        ensure!(by_two, "M18: checkpoint {number} hands over to a key for which no two people signed");
        (due, changes) = (next, changes + 1);
    }
    Ok(changes)
}

/// Checks that the log is refused once its last checkpoint is signed by a key that was replaced, everything else the same.
pub(crate) fn check_retired(log: &mut dyn Reader, first: &Signer) -> Result<(), Violation> {
    let unreadable = |error| Violation(format!("the log cannot be read: {error}"));
    let Some(last) = log.last_checkpoint().map_err(unreadable)? else { return Ok(()) };
    // Whoever has just handed over is not replaced before the next one signs.
    if last.key == first.public_key() || last.successor.is_some() {
        return Ok(());
    }
    let Checkpoint { number, previous, heads, at, .. } = last;
    let forged = Checkpoint::sign(first, number, previous, heads, at);
    let known = Known { keys: vec![first.public_key()], ..Known::default() };
    let mut resealed = Altered::of(log);
    resealed.checkpoints.insert(number, forged);
    let verified = verify_log(&mut resealed, &known, &mut |_| ()).map_err(unreadable)?;
    ensure!(verified.is_err(), "M18: a seal of a key that was replaced is taken");
    Ok(())
}
