//! Bugs planted in the test harness itself, at the disk, the store and the feed, so that the product stays unchanged.
//! If one is not caught, a check is missing.

mod store;

use floor::view::Viewer;
use journal::Store;
use round::PlayerId;

use self::store::Faulty;
use super::oracle::{CardTracker, SwapViewer};
use crate::disk::{Disk, Flaw};

/// Lists the bugs, each with a seed that catches it and its description.
macro_rules! bugs {
    ($($name:ident $seed:literal $description:literal,)*) => {
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

            /// A seed that caught it. A change of the program may change what a seed meets; the test says which one to write down.
            pub const fn known_seed(self) -> u64 {
                match self {
                    PlantedBug::None => 0,
                    $(PlantedBug::$name => $seed),*
                }
            }

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
    LogNotSynced 1 "the write-ahead log is not synced at a commit",
    AnsweredBeforeCommit 1 "a commit is reported as done but only written with the next one",
    RetryNotRecognised 1 "a command that was answered before is not recognised",
    AnswerLost 1 "one in 16 commits loses its answers",
    StaleOwnerAccepted 1 "a node that lost a table can still write to it",
    EntryDropped 1 "one in 16 commits loses its last entry",
    EntryChanged 1 "one in 16 commits writes another body than it hashed",
    TransferDropped 1 "one in 16 commits loses a transfer",
    TransferDoubled 1 "one in 16 commits books a transfer twice",
    SeedLost 1 "one in 16 commits loses the seed of its shuffle",
    FullReportedAsDone 1 "a commit that finds the disk full is reported as done",
    HandShownToAll 1 "everybody sees what one Player sees",
    HandShownToAnother 1 "a Player sees what another Player sees",
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
