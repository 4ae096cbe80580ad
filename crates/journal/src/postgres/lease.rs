//! Which node runs which table. Times come from the database's clock when the statement runs, never from a
//! node's.

use std::time::Duration;

use jackpot::TableId;
use tokio_postgres::Row;

use super::read::number;
use super::session::Session;
use crate::names::NodeId;
use crate::store::{Lease, StoreError};

/// The epoch rises with every change of owner, and also when a node takes back its own expired lease: the earlier
/// holder may have stalled, and its late writes must be refused.
const TAKE: &str = "
    INSERT INTO lease (table_name, node, epoch, until)
    VALUES ($1, $2, 1, clock_timestamp() + $3::bigint * interval '1 millisecond')
    ON CONFLICT (table_name) DO UPDATE SET
        node = excluded.node,
        epoch = CASE WHEN lease.until > clock_timestamp() THEN lease.epoch ELSE lease.epoch + 1 END,
        until = clock_timestamp() + $3::bigint * interval '1 millisecond'
    WHERE lease.node = excluded.node OR lease.until <= clock_timestamp()
    RETURNING table_name, node, epoch";

/// Locks rows in order, as the commit does.
const RENEW: &str = "
    WITH held AS (
        SELECT table_name FROM lease WHERE node = $1 AND until > '-infinity' ORDER BY table_name FOR UPDATE
    )
    UPDATE lease SET until = clock_timestamp() + $2::bigint * interval '1 millisecond'
    FROM held WHERE lease.table_name = held.table_name
    RETURNING lease.table_name, node, epoch";

/// Keeps the row, for its epoch.
const RELEASE: &str = "
    UPDATE lease SET until = '-infinity' WHERE table_name = $1 AND node = $2 AND epoch = $3
    RETURNING table_name";

const HELD: &str = "
    SELECT table_name, node, epoch FROM lease WHERE until > clock_timestamp() ORDER BY table_name";

pub(super) fn take(
    session: &mut Session,
    table: &TableId,
    node: &NodeId,
    term: Duration,
) -> Result<Option<Lease>, StoreError> {
    let rows = session.write(TAKE, &[&table.name(), &node.name(), &milliseconds(term)])?;
    rows.first().map(lease).transpose()
}

pub(super) fn renew(session: &mut Session, node: &NodeId, term: Duration) -> Result<Vec<Lease>, StoreError> {
    let rows = session.write(RENEW, &[&node.name(), &milliseconds(term)])?;
    let mut leases = rows.iter().map(lease).collect::<Result<Vec<Lease>, StoreError>>()?;
    leases.sort_by(|a, b| a.table.cmp(&b.table));
    Ok(leases)
}

pub(super) fn release(session: &mut Session, lease: &Lease) -> Result<(), StoreError> {
    session.write(RELEASE, &[&lease.table.name(), &lease.node.name(), &number(lease.epoch)])?;
    Ok(())
}

pub(super) fn held(session: &mut Session) -> Result<Vec<Lease>, StoreError> {
    session.read(HELD, &[])?.iter().map(lease).collect()
}

/// A term in milliseconds, at most a thousand years, which the database can add to a date.
fn milliseconds(term: Duration) -> i64 {
    const THOUSAND_YEARS: i64 = 365_000 * 24 * 60 * 60 * 1000;
    i64::try_from(term.as_millis()).map_or(THOUSAND_YEARS, |term| term.min(THOUSAND_YEARS))
}

fn lease(row: &Row) -> Result<Lease, StoreError> {
    let epoch: i64 = row.get(2);
    Ok(Lease {
        table: TableId::new(row.get(0)),
        node: NodeId::new(row.get(1)),
        epoch: u64::try_from(epoch).map_err(|_| StoreError::Corrupt {
            stream: format!("lease of {}", row.get::<_, &str>(0)),
            version: 0,
            what: format!("{epoch} is not an epoch"),
        })?,
    })
}
