//! The shuffle as far as it is public: what was committed to, what was mixed in, and, once opened, everything needed to
//! deal the round again.

use jackpot::TableId;
use journal::Hash;
use round::PlayerId;
use serde::Serialize;

use super::Viewer;
use super::feed::{DiscardedDraw, Salted};
use crate::table::{Shuffle, Table};

/// The shuffle of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ShuffleView {
    /// The digest of the seed, published before bets.
    pub commitment: Hash,
    /// Those who are to open a salt, once bets are closed, by name.
    pub salts: Vec<Salted>,
    /// Those of them whose salt is still awaited: the order of the deck is not fixed before all are open.
    pub awaited: Vec<PlayerId>,
    /// The salts mixed into one digest, once the order of the deck is fixed.
    pub salt: Option<Hash>,
    /// The seeds that were drawn for this round and not used, because salts were withheld.
    pub discarded: Vec<DiscardedDraw>,
    /// What the viewer's own chain of salts is committed to in this round.
    pub own_anchor: Option<Hash>,
    /// The same from the next round on, where they have committed to a new chain.
    pub own_next_anchor: Option<Hash>,
    /// The shuffle of the round before, opened.
    pub previous: Option<OpenedShuffle>,
}

/// A shuffle that can be checked. The commitment is SHA-256 over the parts `megalink.shuffle.commitment.1`, table,
/// round, seed; an anchor over `megalink.shuffle.chain.2`, table, Player and salt; the mixed salt over
/// `megalink.shuffle.salts.2`, commitment and each Player with their salt, in the order of names; the key over
/// `megalink.shuffle.key.1`, seed and mixed salt. Each part is preceded by its length in eight bytes. The key starts
/// ChaCha20, whose words shuffle the deck.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OpenedShuffle {
    pub table: TableId,
    pub round: u64,
    /// The digest published before bets.
    pub commitment: Hash,
    /// The Players' salts, by name.
    pub salts: Vec<Salted>,
    /// The salts mixed; `null` where the round never came to that.
    pub salt: Option<Hash>,
    pub seed: Hash,
    /// The seeds drawn before this one and not used, because salts were withheld.
    pub discarded: Vec<DiscardedDraw>,
}

impl ShuffleView {
    pub(super) fn of(table: &Table, viewer: &Viewer) -> Option<ShuffleView> {
        let previous = table.previous_shuffle().and_then(|(round, shuffle)| opened(table, *round, shuffle));
        let shuffle = table.shuffle()?;
        let own = if let Viewer::Player(player) = viewer { Some(player) } else { None };
        Some(ShuffleView {
            commitment: shuffle.commitment,
            salts: Salted::all(&shuffle.salts),
            awaited: table.awaited(),
            salt: shuffle.salt,
            discarded: DiscardedDraw::all(shuffle),
            own_anchor: own.and_then(|player| table.anchor(player)),
            own_next_anchor: own.and_then(|player| table.next_anchor(player)),
            previous,
        })
    }
}

fn opened(table: &Table, round: u64, shuffle: &Shuffle) -> Option<OpenedShuffle> {
    Some(OpenedShuffle {
        table: table.id().clone(),
        round,
        commitment: shuffle.commitment,
        salts: Salted::all(&shuffle.salts),
        salt: shuffle.salt,
        seed: Hash(shuffle.seed?),
        discarded: DiscardedDraw::all(shuffle),
    })
}
