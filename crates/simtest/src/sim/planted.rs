//! Bugs planted in the test harness itself, at the disk, the store and the feed, so that the product stays unchanged.
//! If one is not caught, a check is missing.

mod store;

use floor::view::Viewer;
use journal::Store;
use round::PlayerId;

use self::store::Faulty;
use super::oracle::{CardTracker, SwapViewer};
use crate::disk::{Disk, Flaw};

/// Lists the bugs with their descriptions.
macro_rules! bugs {
    ($($name:ident $description:literal,)*) => {
        /// A bug to plant in a run, or none.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum PlantedBug {
            /// No bug.
            #[default]
            None,
            $(#[doc = $description] $name),*
        }

        impl PlantedBug {
            /// Every bug.
            pub const ALL: &[PlantedBug] = &[$(PlantedBug::$name),*];

            /// One line for people.
            pub const fn description(self) -> &'static str {
                match self {
                    PlantedBug::None => "no bug",
                    $(PlantedBug::$name => $description),*
                }
            }
        }
    };
}

bugs! {
    LogNotSynced "the write-ahead log is not synced at a commit",
    AnsweredBeforeCommit "a commit is reported as done but only written with the next one",
    RetryNotRecognised "a command that was answered before is not recognised",
    AnswerLost "one in 16 commits loses its answers",
    StaleOwnerAccepted "a node that lost a table can still write to it",
    EntryDropped "one in 16 commits loses its last entry",
    EntryChanged "one in 16 commits writes another body than it hashed",
    TransferDropped "one in 16 commits loses a transfer",
    TransferDoubled "one in 16 commits books a transfer twice",
    SeedLost "one in 16 commits loses the seed of its shuffle",
    FullReportedAsDone "a commit that finds the disk full is reported as done",
    HandShownToAll "everybody sees what one Player sees",
    HandShownToAnother "a Player sees what another Player sees",
}

impl PlantedBug {
    pub(crate) fn on_disk(self, disk: &Disk) {
        if self == PlantedBug::LogNotSynced {
            disk.flaw(Flaw::LogIsNotSynced);
        }
    }

    pub(crate) fn on_store(self, store: Box<dyn Store>) -> Box<dyn Store> {
        match self {
            PlantedBug::None
            | PlantedBug::LogNotSynced
            | PlantedBug::HandShownToAll
            | PlantedBug::HandShownToAnother => store,
            _ => Box::new(Faulty::new(store, self)),
        }
    }

    pub(crate) fn card_tracker(self) -> CardTracker {
        let swap_viewer: SwapViewer = match self {
            PlantedBug::HandShownToAll => |viewer| match viewer {
                Viewer::Public => Viewer::Player(PlayerId::new("Bob")),
                other => other.clone(),
            },
            PlantedBug::HandShownToAnother => |viewer| match viewer {
                Viewer::Player(_) => Viewer::Player(PlayerId::new("Bob")),
                other => other.clone(),
            },
            _ => Viewer::clone,
        };
        CardTracker::new(swap_viewer)
    }
}
