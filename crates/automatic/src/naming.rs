//! The ids of automatic commands: made from what is done and where the table stood, so that two nodes, or one that was
//! started again, name the same act alike and it is done once.

use jackpot::TableId;
use journal::{Actor, CommandId, Hash, Version};

use floor::Command;

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
    id([
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
    id([b"megalink.automatic.demonstration.1", format!("{command:?}").as_bytes()])
}

/// A number that is as good as drawn by lot, and the same whenever it is asked for.
pub(super) fn lot(parts: &[&[u8]]) -> u64 {
    let first = Hash::of(parts).0.first_chunk().copied().expect("a hash has 32 bytes");
    u64::from_be_bytes(first)
}

/// A UUID of version 8: the first 128 bits of the parts' hash, with the marks of the version.
fn id<const N: usize>(parts: [&[u8]; N]) -> CommandId {
    let CommandId(mut bytes) = Hash::of(parts).into();
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    CommandId(bytes)
}
