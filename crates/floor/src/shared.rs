//! A sorted map whose copies share what is the same. Copying it costs nothing, and a change to a copy copies only the few
//! nodes above it: the house is copied for every change to it, while others still read the one before, and has as many
//! Players as ever came.

use std::borrow::Borrow;
use std::fmt;
use std::ops::Bound;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How many children or entries a node has at most.
const FULL: usize = 32;

/// A sorted map.
#[derive(Clone)]
pub(crate) struct SharedMap<K, V> {
    root: Arc<Node<K, V>>,
    len: usize,
}

/// A sorted set.
pub(crate) type SharedSet<K> = SharedMap<K, ()>;

#[derive(Clone)]
enum Node<K, V> {
    Leaf(Vec<(K, V)>),
    /// Children that are not empty, each with its least key or a lesser one.
    Branch(Vec<(K, Arc<Node<K, V>>)>),
}

impl<K, V> Default for SharedMap<K, V> {
    fn default() -> SharedMap<K, V> {
        SharedMap { root: Arc::new(Node::Leaf(Vec::new())), len: 0 }
    }
}

impl<K: Ord + Clone, V: Clone> SharedMap<K, V> {
    pub(crate) fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let mut node = &*self.root;
        loop {
            match node {
                Node::Leaf(entries) => {
                    let at = entries.binary_search_by(|(own, _)| own.borrow().cmp(key)).ok()?;
                    return entries.get(at).map(|(_, value)| value);
                }
                Node::Branch(children) => node = &children.get(child_of(children, key))?.1,
            }
        }
    }

    pub(crate) fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.get(key).is_some()
    }

    /// Puts a value in, and gives back the one that was there.
    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        let (earlier, split) = Arc::make_mut(&mut self.root).insert(key, value);
        if let Some((least, right)) = split {
            let left = Arc::clone(&self.root);
            let least_left = left.least().cloned();
            let children = least_left.map(|least| (least, left)).into_iter().chain([(least, right)]);
            self.root = Arc::new(Node::Branch(children.collect()));
        }
        self.len = self.len.saturating_add(usize::from(earlier.is_none()));
        earlier
    }

    pub(crate) fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        // Nothing is copied for what is not there.
        self.get(key)?;
        let removed = Arc::make_mut(&mut self.root).remove(key);
        if Arc::make_mut(&mut self.root).is_empty() {
            *self = SharedMap::default();
            return removed;
        }
        self.len = self.len.saturating_sub(1);
        while let Node::Branch(children) = &*self.root
            && let [(_, only)] = children.as_slice()
        {
            self.root = Arc::clone(only);
        }
        removed
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Every entry, by key.
    pub(crate) fn iter(&self) -> Entries<'_, K, V> {
        Entries { waiting: vec![Part::of(&self.root)] }
    }

    /// Every entry after a key, by key.
    pub(crate) fn after<Q: Ord + ?Sized>(&self, key: Bound<&Q>) -> Entries<'_, K, V>
    where
        K: Borrow<Q>,
    {
        let is_before = |own: &K| match key {
            Bound::Included(key) => own.borrow() < key,
            Bound::Excluded(key) => own.borrow() <= key,
            Bound::Unbounded => false,
        };
        let mut waiting = Vec::new();
        let mut node = &*self.root;
        loop {
            match node {
                Node::Leaf(entries) => {
                    let from = entries.partition_point(|(own, _)| is_before(own));
                    waiting.push(Part::Leaf(entries.get(from..).unwrap_or_default().iter()));
                    return Entries { waiting };
                }
                Node::Branch(children) => {
                    let at = children.partition_point(|(least, _)| is_before(least)).saturating_sub(1);
                    let rest = children.get(at.saturating_add(1)..).unwrap_or_default();
                    waiting.push(Part::Branch(rest.iter()));
                    let Some((_, child)) = children.get(at) else { return Entries { waiting } };
                    node = child;
                }
            }
        }
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &K> {
        self.iter().map(|(key, _)| key)
    }
}

/// Which child has a key, if any has.
fn child_of<K: Ord + Borrow<Q>, Q: Ord + ?Sized, N>(children: &[(K, N)], key: &Q) -> usize {
    children.partition_point(|(least, _)| least.borrow() <= key).saturating_sub(1)
}

/// What is split off a node that has become too large: its least key and itself.
type Split<K, V> = Option<(K, Arc<Node<K, V>>)>;

impl<K: Ord + Clone, V: Clone> Node<K, V> {
    fn is_empty(&self) -> bool {
        match self {
            Node::Leaf(entries) => entries.is_empty(),
            Node::Branch(children) => children.is_empty(),
        }
    }

    fn least(&self) -> Option<&K> {
        match self {
            Node::Leaf(entries) => entries.first().map(|(key, _)| key),
            Node::Branch(children) => children.first().map(|(key, _)| key),
        }
    }

    fn insert(&mut self, key: K, value: V) -> (Option<V>, Split<K, V>) {
        match self {
            Node::Leaf(entries) => {
                match entries.binary_search_by(|(own, _)| own.cmp(&key)) {
                    Ok(at) => {
                        let earlier = entries.get_mut(at).map(|(_, own)| std::mem::replace(own, value));
                        return (earlier, None);
                    }
                    Err(at) => entries.insert(at, (key, value)),
                }
                let split = split(entries).map(|right| Node::Leaf(right).split_off());
                (None, split.flatten())
            }
            Node::Branch(children) => {
                let at = child_of(children, &key);
                let Some((least, child)) = children.get_mut(at) else {
                    *self = Node::Leaf(vec![(key, value)]);
                    return (None, None);
                };
                if key < *least {
                    *least = key.clone();
                }
                let (earlier, grown) = Arc::make_mut(child).insert(key, value);
                if let Some(grown) = grown {
                    children.insert(at.saturating_add(1), grown);
                }
                let split = split(children).map(|right| Node::Branch(right).split_off());
                (earlier, split.flatten())
            }
        }
    }

    fn split_off(self) -> Split<K, V> {
        let least = self.least().cloned()?;
        Some((least, Arc::new(self)))
    }

    fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        match self {
            Node::Leaf(entries) => {
                let at = entries.binary_search_by(|(own, _)| own.borrow().cmp(key)).ok()?;
                Some(entries.remove(at).1)
            }
            Node::Branch(children) => {
                let at = child_of(children, key);
                let child = Arc::make_mut(&mut children.get_mut(at)?.1);
                let removed = child.remove(key);
                if child.is_empty() {
                    children.remove(at);
                }
                removed
            }
        }
    }
}

/// The upper half of what has become too large.
fn split<T>(parts: &mut Vec<T>) -> Option<Vec<T>> {
    (FULL < parts.len()).then(|| parts.split_off(parts.len() / 2))
}

/// What is left of a node.
enum Part<'a, K, V> {
    Leaf(std::slice::Iter<'a, (K, V)>),
    Branch(std::slice::Iter<'a, (K, Arc<Node<K, V>>)>),
}

impl<'a, K, V> Part<'a, K, V> {
    fn of(node: &'a Node<K, V>) -> Part<'a, K, V> {
        match node {
            Node::Leaf(entries) => Part::Leaf(entries.iter()),
            Node::Branch(children) => Part::Branch(children.iter()),
        }
    }
}

/// Entries of a map, by key.
pub(crate) struct Entries<'a, K, V> {
    /// What is left of the nodes from the root down.
    waiting: Vec<Part<'a, K, V>>,
}

impl<'a, K, V> Iterator for Entries<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<(&'a K, &'a V)> {
        loop {
            match self.waiting.last_mut()? {
                Part::Leaf(entries) => match entries.next() {
                    Some((key, value)) => return Some((key, value)),
                    None => drop(self.waiting.pop()),
                },
                Part::Branch(children) => match children.next() {
                    Some((_, child)) => self.waiting.push(Part::of(child)),
                    None => drop(self.waiting.pop()),
                },
            }
        }
    }
}

impl<K: Ord + Clone, V: Clone> FromIterator<(K, V)> for SharedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> SharedMap<K, V> {
        let mut map = SharedMap::default();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}

/// Written as a list of pairs, because a key need not be a text.
impl<K: Ord + Clone + Serialize, V: Clone + Serialize> Serialize for SharedMap<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, K: Ord + Clone + Deserialize<'de>, V: Clone + Deserialize<'de>> Deserialize<'de>
    for SharedMap<K, V>
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SharedMap<K, V>, D::Error> {
        Ok(Vec::<(K, V)>::deserialize(deserializer)?.into_iter().collect())
    }
}

impl<K: Ord + Clone + fmt::Debug, V: Clone + fmt::Debug> fmt::Debug for SharedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K: Ord + Clone, V: Clone + PartialEq> PartialEq for SharedMap<K, V> {
    fn eq(&self, other: &SharedMap<K, V>) -> bool {
        Arc::ptr_eq(&self.root, &other.root) || self.len == other.len && self.iter().eq(other.iter())
    }
}

impl<K: Ord + Clone, V: Clone + Eq> Eq for SharedMap<K, V> {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// It is what the standard map is, and a copy stays what it was.
        #[test]
        fn it_is_a_map(changes in prop::collection::vec((0_u16..400, any::<bool>(), 0_u16..400), 0..1500)) {
            let (mut model, mut map) = (BTreeMap::new(), SharedMap::default());
            let mut copies = Vec::new();
            for (at, (key, inserts, after)) in changes.into_iter().enumerate() {
                if inserts {
                    prop_assert_eq!(map.insert(key, at), model.insert(key, at));
                } else {
                    prop_assert_eq!(map.remove(&key), model.remove(&key));
                }
                prop_assert_eq!(map.get(&key), model.get(&key));
                prop_assert_eq!(map.len(), model.len());
                prop_assert!(map.after(Bound::Excluded(&after)).take(40).eq(
                    model.range((Bound::Excluded(after), Bound::Unbounded)).take(40)
                ));
                if at % 100 == 0 {
                    copies.push((map.clone(), model.clone()));
                }
            }
            for (map, model) in &copies {
                prop_assert!(map.iter().eq(model.iter()));
                let text = serde_json::to_string(map).expect("it can be written");
                let again: SharedMap<u16, usize> = serde_json::from_str(&text).expect("it can be read");
                prop_assert_eq!(&again, map);
            }
        }
    }
}
