//! Takes periods out of the database that archives have, each in one step.

use super::period;
use super::read::number;
use super::session::Session;
use crate::archive::Pruning;
use crate::store::StoreError;

/// How many entries are copied at most to let the rest of their periods go.
const COPIED_MAX: i64 = 100_000;

const MARK: &str = "
    INSERT INTO archived (stream, version)
        SELECT stream.id, has.version FROM unnest($1::text[], $2::bigint[]) AS has (name, version)
        JOIN stream ON stream.name = has.name
    ON CONFLICT (stream) DO UPDATE SET version = greatest(archived.version, excluded.version)";

const PRESENT_MAY_GO: &str = "SELECT journal_may_go(journal_period(), $1)";

const DROP: &str = "SELECT journal_drop_periods($1, $2)";

/// Takes out the periods that archives have, and returns how many entries went. What archives have of the others stays until
/// they have the rest.
pub(super) fn take_out(session: &mut Session, pruning: &Pruning) -> Result<usize, StoreError> {
    let archived = pruning.up_to.iter().filter(|(_, up_to)| 0 < up_to.0);
    let (names, versions): (Vec<String>, Vec<i64>) =
        archived.map(|(stream, up_to)| (stream.to_string(), number(up_to.0))).unzip();
    session.write(MARK, &[&names, &versions])?;
    let rows = session.read(PRESENT_MAY_GO, &[&COPIED_MAX])?;
    if rows.first().is_some_and(|row| row.get(0)) {
        period::end(session)?;
    }
    let rows = period::alone(session, |session| session.write(DROP, &[&COPIED_MAX, &pruning.keeps_answers]))?;
    let gone = rows.first().map_or(0, |row| row.get::<_, i64>(0));
    Ok(usize::try_from(gone).unwrap_or(0))
}
