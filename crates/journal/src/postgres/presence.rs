//! Which nodes are connected. Each holds a lock of the server on its writing connection, which the server frees when that
//! connection ends: a process that dies is seen at once, long before its leases end. A machine that is cut off is not, and
//! its leases have to end.

use super::session::Session;
use crate::names::{Hash, NodeId};
use crate::store::{Presence, StoreError};

/// The first half of the locks' names. The number is arbitrary.
const NODES: i32 = 1_835_363_950;

/// Shared, so that a node which is started again does not wait for what is left of its predecessor.
const HOLD: &str = "SELECT pg_advisory_lock_shared($1, $2)";

const LOOK: &str = "
    SELECT
        (SELECT coalesce(array_agg(DISTINCT objid::bigint), '{}') FROM pg_locks
            WHERE locktype = 'advisory' AND classid = $1::bigint::oid AND objsubid = 2 AND granted
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())),
        coalesce(array_agg(DISTINCT node) FILTER (WHERE until > clock_timestamp()), '{}'),
        coalesce(sum(epoch), 0)::bigint,
        count(*) FILTER (WHERE until > clock_timestamp())
    FROM lease";

const END_LEASES: &str = "
    UPDATE lease SET until = '-infinity' WHERE table_name IN (
        SELECT table_name FROM lease WHERE node = $1 AND until > '-infinity' ORDER BY table_name FOR UPDATE
    ) AND NOT EXISTS (
        SELECT FROM pg_locks
        WHERE locktype = 'advisory' AND classid = $2::bigint::oid AND objid = $3::bigint::oid AND objsubid = 2
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    )";

/// Holds the node's lock on the present connection, and looks who else holds one.
pub(super) fn look(session: &mut Session, node: &NodeId) -> Result<Presence, StoreError> {
    hold(session, node)?;
    let mut rows = session.read(LOOK, &[&i64::from(NODES)])?;
    if !session.is_held() {
        // The connection was lost, and another one opened to look.
        hold(session, node)?;
        rows = session.read(LOOK, &[&i64::from(NODES)])?;
    }
    let row = rows.first().ok_or_else(|| StoreError::Failed("a count has no result".to_owned()))?;
    let (connected, holders): (Vec<i64>, Vec<String>) = (row.get(0), row.get(1));
    let holders = holders.into_iter().map(|name| NodeId::new(&name));
    let gone = holders.filter(|holder| holder != node && !connected.contains(&shown(holder))).collect();
    session.note_alone(connected.len() <= 1);
    Ok(Presence { nodes: connected.len(), gone, mark: (row.get(2), row.get(3)) })
}

/// Ends the leases of a node that does not hold its lock.
pub(super) fn end_leases(session: &mut Session, node: &NodeId) -> Result<(), StoreError> {
    session.write(END_LEASES, &[&node.name(), &i64::from(NODES), &shown(node)]).map(drop)
}

fn hold(session: &mut Session, node: &NodeId) -> Result<(), StoreError> {
    if session.is_held() {
        return Ok(());
    }
    session.read(HOLD, &[&NODES, &key(node)])?;
    session.note_held();
    Ok(())
}

/// The second half of the name of a node's lock.
fn key(node: &NodeId) -> i32 {
    let [first, second, third, fourth, ..] =
        Hash::of([b"megalink.node.1".as_slice(), node.name().as_bytes()]).0;
    i32::from_be_bytes([first, second, third, fourth])
}

/// The same as the server shows it, without a sign.
fn shown(node: &NodeId) -> i64 {
    i64::from(u32::from_be_bytes(key(node).to_be_bytes()))
}
