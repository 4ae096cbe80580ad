//! The ids of automatic commands: made from what is done and where the table stood, so that two nodes, or one that was
//! started again, name the same act alike and it is done once.

use jackpot::TableId;
use journal::{Actor, CommandId, Version};
use sha2::{Digest, Sha256};

use crate::command::Command;

/// The id of an act at a table whose stream ends with `version`. An answer is kept with its id, so an act that was
/// refused is tried again under another `attempt`.
pub(super) fn act_id(
    table: &TableId,
    version: Version,
    attempt: u32,
    actor: &Actor,
    command: &Command,
) -> CommandId {
    let (actor, command) = (actor.code(), format!("{command:?}"));
    id(&[
        b"megalink.automatic.act.1",
        table.name().as_bytes(),
        &version.0.to_be_bytes(),
        &attempt.to_be_bytes(),
        actor.as_bytes(),
        command.as_bytes(),
    ])
}

/// The id of a step in setting up the demonstration floor: once in the life of a house.
pub(super) fn step_id(command: &Command) -> CommandId {
    id(&[b"megalink.automatic.demonstration.1", format!("{command:?}").as_bytes()])
}

/// A number that is as good as drawn by lot, and the same whenever it is asked for.
pub(super) fn lot(parts: &[&[u8]]) -> u64 {
    let digest = digest(parts);
    let first = digest.first_chunk().expect("a digest has 32 bytes");
    u64::from_be_bytes(*first)
}

/// A UUID of version 8: the digest's first 128 bits, with the marks of the version.
fn id(parts: &[&[u8]]) -> CommandId {
    let digest = digest(parts);
    let mut bytes: [u8; 16] = *digest.first_chunk().expect("a digest has 32 bytes");
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    CommandId(bytes)
}

/// SHA-256 over the parts, each preceded by its length.
fn digest(parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for part in parts {
        let length = u64::try_from(part.len()).expect("no part is 2 to the 64th bytes long");
        hasher.update(length.to_be_bytes());
        hasher.update(part);
    }
    hasher.finalize().into()
}
