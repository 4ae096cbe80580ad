//! The shuffle as far as it is public: what was committed to, what was mixed in, and, once opened, everything needed to
//! deal the round again.

use jackpot::TableId;
use journal::Hash;
use serde::Serialize;

use super::Viewer;
use super::feed::Salted;
use crate::table::{Shuffle, Table};

/// The shuffle of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ShuffleView {
    /// The digest of the seed, published before bets.
    pub commitment: Hash,
    /// How many Players have added a salt.
    pub salts_given: usize,
    /// The viewer's own salt.
    pub own_salt: Option<String>,
    /// The salts mixed into one digest, once bets are closed.
    pub salt: Option<Hash>,
    /// Every Player's salt in the order given, once bets are closed.
    pub salts: Vec<Salted>,
    /// The shuffle of the round before, opened.
    pub previous: Option<OpenedShuffle>,
}

/// A shuffle that can be checked. The commitment is SHA-256 over the parts `megalink.shuffle.commitment.1`, table,
/// round, seed; the salt over `megalink.shuffle.salts.1`, commitment and each Player with their salt; the key over
/// `megalink.shuffle.key.1`, seed and salt. Each part is preceded by its length in eight bytes. The key starts ChaCha20,
/// whose words shuffle the deck.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OpenedShuffle {
    pub table: TableId,
    pub round: u64,
    /// The digest published before bets.
    pub commitment: Hash,
    /// The Players' salts, in order.
    pub salts: Vec<Salted>,
    /// The salts mixed; `null` where the round never came to the close of bets.
    pub salt: Option<Hash>,
    pub seed: Hash,
}

impl ShuffleView {
    pub(super) fn of(table: &Table, viewer: &Viewer) -> Option<ShuffleView> {
        let previous = table.previous_shuffle().and_then(|(round, shuffle)| opened(table, *round, shuffle));
        let shuffle = table.shuffle()?;
        let own = shuffle.salts.iter().find(|(player, _)| viewer.is_player(player));
        let fixed = shuffle.salt.is_some();
        Some(ShuffleView {
            commitment: shuffle.commitment,
            salts_given: shuffle.salts.len(),
            own_salt: own.map(|(_, salt)| salt.clone()),
            salt: shuffle.salt,
            salts: if fixed { Salted::all(&shuffle.salts) } else { Vec::new() },
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
    })
}
