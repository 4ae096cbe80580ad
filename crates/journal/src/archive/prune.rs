//! What may be taken out of a live log because an archive has it: everything before the newest entry that carries each
//! stream forward to the closing, so that the log can be started and verified from that closing on.

use std::collections::{BTreeMap, HashSet};

use crate::names::{CommandId, Stream, Version};
use crate::store::{Reader, StoreError};
use crate::verify::Opening;

/// How many entries are read at a time.
const PAGE: usize = 1000;

/// What is taken out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pruning {
    /// Up to which version of each stream.
    pub up_to: BTreeMap<Stream, Version>,
    /// Whether every answer stays.
    pub keeps_answers: bool,
    /// The commands whose answers stay in any case, because entries of theirs stay.
    pub(crate) kept: HashSet<CommandId>,
}

impl Pruning {
    /// What may be taken out of a log when everything up to a closing is in archives.
    pub fn of(reader: &mut dyn Reader, to: &Opening) -> Result<Pruning, StoreError> {
        let mut pruning = Pruning::default();
        for stream in to.heads.keys() {
            let end = to.end_of(stream).version;
            let stays = match (stream, &to.closed_by) {
                (Stream::House, Some(closed_by)) => Some(closed_by.version),
                (_, _) => reader.carried(stream, end)?,
            };
            let Some(stays) = stays else {
                pruning.keep(reader, stream, Version(0), end)?;
                continue;
            };
            let up_to = Version(stays.0.saturating_sub(1));
            pruning.keep(reader, stream, up_to, end)?;
            pruning.up_to.insert(stream.clone(), up_to);
        }
        Ok(pruning)
    }

    /// Notes the commands of entries that stay although they are archived.
    fn keep(
        &mut self,
        reader: &mut dyn Reader,
        stream: &Stream,
        mut after: Version,
        end: Version,
    ) -> Result<(), StoreError> {
        while after < end {
            let left = usize::try_from(end.0.saturating_sub(after.0)).unwrap_or(PAGE).min(PAGE);
            let entries = reader.entries(stream, after, left)?;
            let Some(last) = entries.last() else { break };
            after = last.version;
            self.kept.extend(entries.iter().map(|entry| entry.command));
        }
        Ok(())
    }

    /// Of the commands of entries that go, those whose answers go too.
    pub(crate) fn going(&self, commands: impl Iterator<Item = CommandId>) -> Vec<CommandId> {
        let goes = |command: &CommandId| !self.keeps_answers && !self.kept.contains(command);
        let mut going: Vec<CommandId> = commands.filter(goes).collect();
        going.sort_unstable();
        going.dedup();
        going
    }
}
