//! What the only writer of a database keeps in memory: rows by name, with their ids. It holds only what is
//! durable, so a failed transaction needs no undo here.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// Named rows of one table, with their ids.
#[derive(Debug)]
pub(super) struct Register<K, V> {
    rows: HashMap<K, (i64, V)>,
    last: i64,
}

/// The row id of a name, existing or new.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) id: i64,
    pub(super) is_new: bool,
}

impl<K: Eq + Hash + Ord, V> Register<K, V> {
    /// The rows of a table.
    pub(super) fn new(rows: impl Iterator<Item = (i64, K, V)>) -> Register<K, V> {
        let rows: HashMap<K, (i64, V)> = rows.map(|(id, name, value)| (name, (id, value))).collect();
        let last = rows.values().map(|(id, _)| *id).max().unwrap_or_default();
        Register { rows, last }
    }

    /// The value of a name.
    pub(super) fn get(&self, name: &K) -> Option<&V> {
        self.rows.get(name).map(|(_, value)| value)
    }

    /// Every name with its value, in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.rows.iter().map(|(name, (_, value))| (name, value))
    }

    /// The row ids of some names; names without a row get the next numbers.
    pub(super) fn places<'k>(&self, names: impl Iterator<Item = &'k K>) -> BTreeMap<&'k K, Place> {
        let mut last = self.last;
        names
            .map(|name| {
                if let Some((id, _)) = self.rows.get(name) {
                    return (name, Place { id: *id, is_new: false });
                }
                last = last.checked_add(1).expect("a table has fewer than 2 to the 63rd rows");
                (name, Place { id: last, is_new: true })
            })
            .collect()
    }

    /// Records what was written.
    pub(super) fn set(&mut self, name: K, id: i64, value: V) {
        self.last = self.last.max(id);
        self.rows.insert(name, (id, value));
    }
}
