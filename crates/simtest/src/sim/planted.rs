//! Bugs planted where the harness can reach without touching the product: at the disk, at the store, in what is told.
//! Each must be caught, or the harness has no teeth.

mod store;

use floor::view::Viewer;
use journal::Store;
use round::PlayerId;

use self::store::Faulty;
use super::oracle::{CardTracker, SwapViewer};
use crate::disk::{Disk, Flaw};

/// Lists the bugs with what each does.
macro_rules! bugs {
    ($($name:ident $words:literal,)*) => {
        /// A bug, or none.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum PlantedBug {
            /// The product as it is.
            #[default]
            None,
            $(#[doc = $words] $name),*
        }

        impl PlantedBug {
            /// Every bug.
            pub const ALL: &[PlantedBug] = &[$(PlantedBug::$name),*];

            /// What it does.
            pub const fn words(self) -> &'static str {
                match self {
                    PlantedBug::None => "nothing",
                    $(PlantedBug::$name => $words),*
                }
            }
        }
    };
}

bugs! {
    LogNotSynced "the write-ahead log is not synced at a commit",
    AnsweredBeforeWritten "a commit is reported done and made with the next one",
    DoneTwice "a command that was answered is not recognised",
    AnswerForgotten "now and then an answer is not kept",
    StaleOwnerAccepted "a node that lost a table may go on writing to it",
    EntryDropped "now and then the last entry of a commit is not written",
    EntryChanged "now and then another body is written than was hashed",
    TransferDropped "now and then a transfer is not booked",
    TransferDoubled "now and then a transfer is booked twice",
    SeedForgotten "now and then the seed of a shuffle is not kept",
    FullTakenForDone "a commit that found the disk full is reported done",
    HandShownToAll "everybody is shown what one Player sees",
    HandShownToAnother "a Player is shown what another sees",
}

impl PlantedBug {
    /// A bug of the disk.
    pub(crate) fn on_disk(self, disk: &Disk) {
        if self == PlantedBug::LogNotSynced {
            disk.flaw(Flaw::LogIsNotSynced);
        }
    }

    /// A bug of the store.
    pub(crate) fn on_store(self, store: Box<dyn Store>) -> Box<dyn Store> {
        match self {
            PlantedBug::None
            | PlantedBug::LogNotSynced
            | PlantedBug::HandShownToAll
            | PlantedBug::HandShownToAnother => store,
            _ => Box::new(Faulty::new(store, self)),
        }
    }

    /// A bug of the views.
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
