//! Packs the entries and answers that a program of release 0.2.0 wrote, in the migration's transaction. Nothing is judged
//! here: what was altered before is found in the packed rows as it was in the others.

use rusqlite::params;

use super::read::Source;
use crate::packed::pack;
use crate::row::Texts;
use crate::store::StoreError;
use crate::stored::CARRIED_V1;

/// How many rows are packed at a time.
const PAGE: i64 = 10_000;

pub(super) fn repack(source: Source<'_>) -> Result<(), StoreError> {
    let mut last = (i64::MIN, i64::MIN);
    while let Some(next) = entries_after(source, last)? {
        last = next;
    }
    let mut id = Vec::new();
    while let Some(next) = answers_after(source, &id)? {
        id = next;
    }
    let drop = "DROP TABLE entry_of_0_2; DROP TABLE command_of_0_2";
    source.connection.execute_batch(drop).map_err(|error| super::failure::meaning(&error, source.path))
}

fn entries_after(source: Source<'_>, last: (i64, i64)) -> Result<Option<(i64, i64)>, StoreError> {
    let page = "SELECT stream, version, command, actor, at, kind, body, transfers, hash, cause FROM entry_of_0_2 \
                WHERE ($1, $2) < (stream, version) ORDER BY stream, version LIMIT $3";
    let insert = "INSERT INTO entry (stream, version, command, at, carries, hash, content) \
                  VALUES ($1, $2, $3, $4, $5, $6, $7)";
    let mut insert = source
        .connection
        .prepare_cached(insert)
        .map_err(|error| super::failure::meaning(&error, source.path))?;
    let packed = source.rows(page, [last.0, last.1, PAGE], |row| {
        let place: (i64, i64) = (row.get(0)?, row.get(1)?);
        let text =
            |column| Ok::<_, super::read::Bad>(row.get_ref(column)?.as_str().map_err(rusqlite::Error::from)?);
        let cause = row.get_ref(9)?.as_str_or_null().map_err(rusqlite::Error::from)?;
        let texts = Texts { actor: text(3)?, kind: text(5)?, body: text(6)?, transfers: text(7)?, cause };
        let (command, at, hash): (Vec<u8>, i64, Vec<u8>) = (row.get(2)?, row.get(4)?, row.get(8)?);
        let carries = texts.kind == CARRIED_V1;
        insert.execute(params![place.0, place.1, command, at, carries, hash, texts.packed()])?;
        Ok(place)
    })?;
    Ok(packed.last().copied())
}

fn answers_after(source: Source<'_>, last: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
    let page = "SELECT id, request, answer, digest FROM command_of_0_2 WHERE $1 < id ORDER BY id LIMIT $2";
    let insert = "INSERT INTO command (id, request, answer, digest) VALUES ($1, $2, $3, $4)";
    let mut insert = source
        .connection
        .prepare_cached(insert)
        .map_err(|error| super::failure::meaning(&error, source.path))?;
    let packed = source.rows(page, params![last, PAGE], |row| {
        let (id, request, digest): (Vec<u8>, Vec<u8>, Vec<u8>) = (row.get(0)?, row.get(1)?, row.get(3)?);
        let answer = pack(row.get_ref(2)?.as_bytes().map_err(rusqlite::Error::from)?);
        insert.execute(params![id, request, answer, digest])?;
        Ok(id)
    })?;
    Ok(packed.last().cloned())
}
