//! What happened to a table.

use journal::{Entry, TableEvent};

use super::Described;
use super::round::of_round;
use crate::table::Table;
use crate::view::EventKind;
use crate::view::feed::{Facts, Salted};
use crate::view::{Viewer, words};

/// What an event of a table says; `table` is as of it.
pub(in crate::view) fn of_table(
    entry: &Entry,
    event: &TableEvent,
    table: &Table,
    viewer: &Viewer,
) -> Option<Described> {
    let facts = Facts::default;
    let said = match event {
        TableEvent::Opened { setup } => {
            let words = format!("Table {} opens: {}.", table.id(), table.book().title);
            let limits = Some(setup.limits.clone());
            Described::new(
                EventKind::Opened,
                words,
                Facts { table: Some(table.id().clone()), limits, ..facts() },
            )
        }
        TableEvent::LimitsChanged { limits } => {
            let words = format!(
                "From the next round on the Ante is {} to {}.",
                limits.ante.start(),
                limits.ante.end()
            );
            Described::new(EventKind::LimitsChanged, words, Facts { limits: Some(limits.clone()), ..facts() })
        }
        TableEvent::LastRoundAnnounced => {
            Described::new(EventKind::LastRoundAnnounced, "This is the last round.", facts())
        }
        TableEvent::Closed => Described::new(EventKind::Closed, "The table is closed.", facts()),
        TableEvent::RoundBegan { number, .. } => {
            let words = format!("Round {number} is about to begin.");
            Described::new(EventKind::RoundBegan, words, Facts { round: Some(*number), ..facts() })
        }
        TableEvent::Round(event) => return of_round(entry, event, table, viewer),
        TableEvent::ShuffleCommitted { commitment } => {
            let commitment = Some(words::hash(*commitment));
            let words = "The shuffle is committed to.";
            Described::new(EventKind::ShuffleCommitted, words, Facts { commitment, ..facts() })
        }
        TableEvent::SaltGiven { player, salt } => {
            // Another's salt is nobody's to know before the deck is fixed, the staff's neither.
            let salt = viewer.is_player(player).then(|| salt.clone());
            let words = format!("{player} adds a salt to the shuffle.");
            Described::new(
                EventKind::SaltGiven,
                words,
                Facts { player: Some(player.clone()), salt, ..facts() },
            )
        }
        TableEvent::ShuffleSalted { salt } => {
            let salts = table.shuffle().map_or_else(Vec::new, |shuffle| Salted::all(&shuffle.salts));
            let facts = Facts { salt: Some(words::hash(*salt)), salts, ..facts() };
            Described::new(EventKind::ShuffleSalted, "The order of the deck is fixed.", facts)
        }
        TableEvent::ShuffleOpened { seed } => {
            let previous = table.previous_shuffle();
            let shuffle = previous.map(|(_, shuffle)| shuffle);
            let facts = Facts {
                round: previous.map(|(round, _)| *round),
                seed: Some(words::hex(seed)),
                commitment: shuffle.map(|shuffle| words::hash(shuffle.commitment)),
                salt: shuffle.and_then(|shuffle| shuffle.salt).map(words::hash),
                salts: shuffle.map_or_else(Vec::new, |shuffle| Salted::all(&shuffle.salts)),
                ..facts()
            };
            Described::new(EventKind::ShuffleOpened, "The shuffle is opened for everybody to check.", facts)
        }
    };
    Some(said)
}
