//! The ids of automatic commands. They are made from the action and the state of the table, so that two nodes, or
//! a restarted node, use the same id for the same action and it is executed once.

use jackpot::TableId;
use journal::{Actor, CommandId, Hash, Version};

use floor::Command;

/// The id of an action at a table whose stream ends at `version`. An answer is kept with its id, so a refused
/// action is retried with another `attempt`.
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

/// The id of a command of the demonstration floor: executed once in the life of a house.
pub(super) fn step_id(command: &Command) -> CommandId {
    id([b"megalink.automatic.demonstration.1", format!("{command:?}").as_bytes()])
}

/// A pseudo-random number that depends only on `parts`.
pub(super) fn draw(parts: &[&[u8]]) -> u64 {
    let first = Hash::of(parts).0.first_chunk().copied().expect("a hash has 32 bytes");
    u64::from_be_bytes(first)
}

/// A UUID of version 8: the first 128 bits of the parts' hash, with the version bits set.
fn id<const N: usize>(parts: [&[u8]; N]) -> CommandId {
    let CommandId(mut bytes) = Hash::of(parts).into();
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    CommandId(bytes)
}
