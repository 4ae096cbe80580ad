//! Takes entries out of the database that archives have.

use super::read::number;
use super::session::Session;
use crate::archive::Pruning;
use crate::names::{CommandId, Stream, Version};
use crate::store::StoreError;

const DUE: &str = "
    SELECT version, command FROM entry
    WHERE stream = (SELECT id FROM stream WHERE name = $1) AND version <= $2 ORDER BY version LIMIT $3";

const MARK: &str = "
    INSERT INTO archived (stream, version, taken, hash)
        SELECT stream, $2, version, hash FROM entry
        WHERE stream = (SELECT id FROM stream WHERE name = $1) AND version = $3
    ON CONFLICT (stream) DO UPDATE SET version = greatest(archived.version, excluded.version),
        taken = excluded.taken, hash = excluded.hash";

const TAKE_OUT: &str =
    "DELETE FROM entry WHERE stream = (SELECT id FROM stream WHERE name = $1) AND version <= $2";

const LIST: &str = "INSERT INTO archived_command (id) SELECT unnest($1::bytea[]) ON CONFLICT DO NOTHING";

const TAKE_OUT_ANSWERS: &str = "DELETE FROM command WHERE id = ANY ($1)";

const UNLIST: &str = "DELETE FROM archived_command WHERE id = ANY ($1)";

/// Takes out up to so many entries of the first stream that has any to take out.
pub(super) fn take_out(
    session: &mut Session,
    pruning: &Pruning,
    at_most: usize,
) -> Result<usize, StoreError> {
    for (stream, up_to) in &pruning.up_to {
        let taken = take_out_of(session, stream, *up_to, pruning, at_most)?;
        if 0 < taken {
            return Ok(taken);
        }
    }
    Ok(0)
}

fn take_out_of(
    session: &mut Session,
    stream: &Stream,
    up_to: Version,
    pruning: &Pruning,
    at_most: usize,
) -> Result<usize, StoreError> {
    let (name, limit) = (stream.to_string(), i64::try_from(at_most).unwrap_or(i64::MAX));
    let rows = session.read(DUE, &[&name, &number(up_to.0), &limit])?;
    let Some(last) = rows.last().map(|row| row.get::<_, i64>(0)) else { return Ok(0) };
    let commands = rows.iter().filter_map(|row| row.get::<_, &[u8]>(1).try_into().ok().map(CommandId));
    let going: Vec<Vec<u8>> = pruning.going(commands).iter().map(|id| id.0.to_vec()).collect();
    session.begin()?;
    let done = (|| {
        session.write(MARK, &[&name, &number(up_to.0), &last])?;
        session.write(TAKE_OUT, &[&name, &last])?;
        session.write(LIST, &[&going])?;
        session.write(TAKE_OUT_ANSWERS, &[&going])?;
        session.write(UNLIST, &[&going])?;
        session.commit()
    })();
    session.roll_back();
    done.map(|()| rows.len())
}
