//! Packs the entries and answers that a program of release 0.2.0 wrote, in the migration's transaction. Nothing is judged
//! here: what was altered before is found in the packed rows as it was in the others.

use super::connect::Connection;
use super::error::AskError;
use crate::packed::pack;
use crate::row::Texts;
use crate::stored::CARRIED_V1;

/// How many rows are packed at a time.
const PAGE: i64 = 10_000;

const ENTRIES: &str = "
    SELECT stream, version, command, actor, at, kind, body, transfers, hash, cause FROM entry_of_0_2
    WHERE (stream, version) > ($1, $2) ORDER BY stream, version LIMIT $3";

const PUT_ENTRIES: &str = "
    INSERT INTO entry (stream, version, command, at, carries, hash, content)
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bytea[], $4::bigint[], $5::boolean[], $6::bytea[], $7::bytea[])";

const ANSWERS: &str =
    "SELECT id, request, answer, digest FROM command_of_0_2 WHERE id > $1 ORDER BY id LIMIT $2";

const PUT_ANSWERS: &str = "
    INSERT INTO command (id, request, answer, digest)
    SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::bytea[])";

pub(super) fn repack(connection: &Connection) -> Result<(), AskError> {
    let mut last = (i64::MIN, i64::MIN);
    while let Some(next) = entries_after(connection, last)? {
        last = next;
    }
    let mut id = Vec::new();
    while let Some(next) = answers_after(connection, &id)? {
        id = next;
    }
    let drop = "DROP TABLE entry_of_0_2; DROP TABLE command_of_0_2";
    connection.wait(None, connection.client.batch_execute(drop))
}

fn entries_after(connection: &Connection, last: (i64, i64)) -> Result<Option<(i64, i64)>, AskError> {
    let rows = connection.wait(None, connection.client.query(ENTRIES, &[&last.0, &last.1, &PAGE]))?;
    let Some(last) = rows.last() else { return Ok(None) };
    let numbers = |column: usize| -> Vec<i64> { rows.iter().map(|row| row.get(column)).collect() };
    let bytes = |column: usize| -> Vec<&[u8]> { rows.iter().map(|row| row.get(column)).collect() };
    let carries: Vec<bool> = rows.iter().map(|row| row.get::<_, &str>(5) == CARRIED_V1).collect();
    let contents: Vec<Vec<u8>> = rows
        .iter()
        .map(|row| {
            let (actor, kind, body) = (row.get(3), row.get(5), row.get(6));
            Texts { actor, kind, body, transfers: row.get(7), cause: row.get(9) }.packed()
        })
        .collect();
    connection.wait(
        None,
        connection.client.execute(
            PUT_ENTRIES,
            &[&numbers(0), &numbers(1), &bytes(2), &numbers(4), &carries, &bytes(8), &contents],
        ),
    )?;
    Ok(Some((last.get(0), last.get(1))))
}

fn answers_after(connection: &Connection, last: &[u8]) -> Result<Option<Vec<u8>>, AskError> {
    let rows = connection.wait(None, connection.client.query(ANSWERS, &[&last, &PAGE]))?;
    let Some(last) = rows.last() else { return Ok(None) };
    let bytes = |column: usize| -> Vec<&[u8]> { rows.iter().map(|row| row.get(column)).collect() };
    let answers: Vec<Vec<u8>> = rows.iter().map(|row| pack(row.get::<_, &str>(2).as_bytes())).collect();
    connection
        .wait(None, connection.client.execute(PUT_ANSWERS, &[&bytes(0), &bytes(1), &answers, &bytes(3)]))?;
    Ok(Some(last.get(0)))
}
