//! Leases with one server. The server holds the file's lock, so every earlier lease holder is gone; otherwise
//! leases work as with several servers.

use std::time::Duration;

use jackpot::TableId;
use rusqlite::{Row, params};

use super::SqliteStore;
use super::read::{Bad, corrupt, integer};
use crate::names::NodeId;
use crate::store::{Lease, StoreError};

/// The node name of a free lease.
const NOBODY: &str = "";

impl SqliteStore {
    /// Ends the leases of servers that had the file open before.
    pub(super) fn end_old_leases(&mut self) -> Result<(), StoreError> {
        let held =
            self.source()?.one("SELECT 1 FROM lease WHERE node <> $1 LIMIT 1", [NOBODY], |_| Ok(()))?;
        if held.is_some() {
            self.write(0, |store| store.execute("UPDATE lease SET node = $1, until = 0", [NOBODY]))?;
        }
        Ok(())
    }

    pub(super) fn take_lease(
        &mut self,
        table: &TableId,
        node: &NodeId,
        term: Duration,
    ) -> Result<Option<Lease>, StoreError> {
        let (now, until) = self.term(term)?;
        let upsert = "INSERT INTO lease (table_name, node, epoch, until) VALUES ($1, $2, 1, $3) \
                      ON CONFLICT (table_name) DO UPDATE SET \
                          epoch = CASE WHEN node = excluded.node THEN epoch ELSE epoch + 1 END, \
                          node = excluded.node, until = excluded.until \
                      WHERE node = excluded.node OR until <= $4 \
                      RETURNING table_name, node, epoch";
        let row = params![table.name(), node.name(), until, now];
        self.write(0, |store| store.source()?.one(upsert, row, lease_row))
    }

    pub(super) fn renew_leases(&mut self, node: &NodeId, term: Duration) -> Result<Vec<Lease>, StoreError> {
        let (_, until) = self.term(term)?;
        let update = "UPDATE lease SET until = $1 WHERE node = $2 RETURNING table_name, node, epoch";
        let row = params![until, node.name()];
        let mut renewed = self.write(0, |store| store.source()?.rows(update, row, lease_row))?;
        renewed.sort_by(|a, b| a.table.cmp(&b.table));
        Ok(renewed)
    }

    pub(super) fn release_lease(&mut self, lease: &Lease) -> Result<(), StoreError> {
        let update =
            "UPDATE lease SET node = $1, until = 0 WHERE table_name = $2 AND node = $3 AND epoch = $4";
        let row = params![NOBODY, lease.table.name(), lease.node.name(), integer(lease.epoch)];
        self.write(0, |store| store.execute(update, row)).map(drop)
    }

    pub(super) fn current_leases(&self) -> Result<Vec<Lease>, StoreError> {
        let (now, _) = self.term(Duration::ZERO)?;
        let query = "SELECT table_name, node, epoch FROM lease WHERE $1 < until ORDER BY table_name";
        self.source()?.rows(query, [now], lease_row)
    }

    /// The present time, and the time when a term that starts now will end.
    fn term(&self, term: Duration) -> Result<(i64, i64), StoreError> {
        let now = i64::try_from(self.source()?.now()?.0).unwrap_or(i64::MAX);
        let term = i64::try_from(term.as_millis()).unwrap_or(i64::MAX);
        Ok((now, now.saturating_add(term)))
    }
}

fn lease_row(row: &Row<'_>) -> Result<Lease, Bad> {
    let (table, node, epoch): (String, String, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let bad = |_| corrupt(&format!("lease of {table}"), 0, "its epoch is negative".to_owned());
    let epoch = u64::try_from(epoch).map_err(bad)?;
    Ok(Lease { table: TableId::new(&table), node: NodeId::new(&node), epoch })
}
