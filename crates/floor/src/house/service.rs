//! What runs: the last start of every node, to compare the next one with.

use std::collections::BTreeMap;

use journal::identity::{Identity, ServiceChange, different};
use journal::{Hash, HouseEvent};
use serde::{Deserialize, Serialize};

use super::House;
use crate::decide::check_text;
use crate::refusal::Refusal;

/// Names the purpose of the digest of a configuration.
const CONFIGURATION: &[u8] = b"megalink.configuration.1";

/// The start of a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceStart {
    /// What runs there.
    pub identity: Identity,
    /// The digest of each setting that is not the default.
    settings: BTreeMap<String, Hash>,
    /// Whether it has stopped in order since.
    is_stopped: bool,
}

/// The last start of every node, and which of them was the last of all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Services {
    nodes: BTreeMap<String, ServiceStart>,
    latest: Option<String>,
}

impl Services {
    pub(super) fn started(&mut self, node: &str, identity: &Identity, settings: &BTreeMap<String, Hash>) {
        let (identity, settings) = (identity.clone(), settings.clone());
        self.nodes.insert(node.to_owned(), ServiceStart { identity, settings, is_stopped: false });
        self.latest = Some(node.to_owned());
    }

    pub(super) fn stopped(&mut self, node: &str) {
        if let Some(start) = self.nodes.get_mut(node) {
            start.is_stopped = true;
        }
    }

    /// The start to compare a node's next one with: its own last one. A new node is compared with the last start of any.
    fn before(&self, node: &str) -> Option<&ServiceStart> {
        self.nodes.get(node).or_else(|| self.nodes.get(self.latest.as_ref()?))
    }
}

impl House {
    /// Whether starts of nodes are recorded here.
    pub(crate) fn has_recorded_starts(&self) -> bool {
        !self.services.nodes.is_empty()
    }

    /// The last start of a node.
    pub fn last_start(&self, node: &str) -> Option<&ServiceStart> {
        self.services.nodes.get(node)
    }

    /// The start of a node as the log says it: with what is different from the start before. Settings are the node's own,
    /// so a new node has none to compare with.
    pub(crate) fn start_service(
        &self,
        node: &str,
        identity: &Identity,
        settings: &BTreeMap<String, Hash>,
    ) -> Result<HouseEvent, Refusal> {
        check_text(node)?;
        let before = self.services.before(node);
        let mut changes = before.map_or_else(Vec::new, |before| identity.changes_since(&before.identity));
        let own = self.last_start(node);
        if let Some(own) = own {
            changes.extend(different(&own.settings, settings).map(ServiceChange::Setting));
        }
        Ok(HouseEvent::ServiceStarted {
            node: node.to_owned(),
            identity: identity.clone(),
            settings: settings.clone(),
            configuration: configuration(settings),
            changes,
            unfinished: own.is_some_and(|own| !own.is_stopped),
        })
    }
}

/// One digest of the whole configuration.
fn configuration(settings: &BTreeMap<String, Hash>) -> Hash {
    let each = settings.iter().flat_map(|(key, digest)| [key.as_bytes(), &digest.0]);
    Hash::of(std::iter::once(CONFIGURATION).chain(each))
}
