//! Takes entries out of the file that archives have. Their room is used again for new ones.

use rusqlite::params;

use super::SqliteStore;
use super::read::integer;
use crate::archive::Pruning;
use crate::names::{CommandId, Stream, Version};
use crate::store::StoreError;

impl SqliteStore {
    /// Takes out up to so many entries of the first stream that has any to take out, and then answers to refused commands.
    pub(super) fn take_out(&mut self, pruning: &Pruning, at_most: usize) -> Result<usize, StoreError> {
        for (stream, up_to) in &pruning.up_to {
            let taken = self.take_out_of(stream, *up_to, pruning, at_most)?;
            if 0 < taken {
                return Ok(taken);
            }
        }
        match pruning.up_to.get(&Stream::House) {
            Some(up_to) if !pruning.keeps_answers => self.take_out_refused(*up_to, at_most),
            Some(_) | None => Ok(0),
        }
    }

    /// Takes out up to so many answers to commands that wrote nothing, given before the books were closed after an entry of the
    /// house.
    fn take_out_refused(&mut self, up_to: Version, at_most: usize) -> Result<usize, StoreError> {
        let select = "SELECT id FROM command WHERE house <= $1 ORDER BY house LIMIT $2";
        let limit = i64::try_from(at_most).unwrap_or(i64::MAX);
        let refused = self
            .source()?
            .rows(select, params![integer(up_to.0), limit], |row| Ok(CommandId(row.get(0)?)))?;
        if !refused.is_empty() {
            self.write(refused.len(), |store| store.delete_answers(&refused))?;
        }
        Ok(refused.len())
    }

    /// Deletes answers. The database lets only those go that are listed.
    fn delete_answers(&self, commands: &[CommandId]) -> Result<usize, StoreError> {
        for command in commands {
            self.execute("INSERT INTO archived_command (id) VALUES ($1)", [command.0])?;
            self.execute("DELETE FROM command WHERE id = $1", [command.0])?;
        }
        self.execute("DELETE FROM archived_command", [])
    }

    fn take_out_of(
        &mut self,
        stream: &Stream,
        up_to: Version,
        pruning: &Pruning,
        at_most: usize,
    ) -> Result<usize, StoreError> {
        let id = "SELECT id FROM stream WHERE name = $1";
        let Some(id) = self.source()?.one(id, [stream.to_string()], |row| Ok(row.get::<_, i64>(0)?))? else {
            return Ok(0);
        };
        let select = "SELECT version, command FROM entry WHERE stream = $1 AND version <= $2 \
                      ORDER BY version LIMIT $3";
        let limit = i64::try_from(at_most).unwrap_or(i64::MAX);
        let rows = self.source()?.rows(select, params![id, integer(up_to.0), limit], |row| {
            Ok((row.get::<_, i64>(0)?, CommandId(row.get(1)?)))
        })?;
        let Some((last, _)) = rows.last().copied() else { return Ok(0) };
        let going = pruning.going(rows.iter().map(|(_, command)| *command));
        self.write(rows.len(), |store| {
            let mark = "INSERT INTO archived (stream, version, taken, hash) \
                        SELECT stream, ?2, version, hash FROM entry WHERE stream = ?1 AND version = ?3 \
                        ON CONFLICT (stream) DO UPDATE SET version = max(archived.version, excluded.version), \
                        taken = excluded.taken, hash = excluded.hash";
            store.execute(mark, [id, integer(up_to.0), last])?;
            store.execute("DELETE FROM entry WHERE stream = $1 AND version <= $2", [id, last])?;
            store.delete_answers(&going)
        })?;
        Ok(rows.len())
    }
}
