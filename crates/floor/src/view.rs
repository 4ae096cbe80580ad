//! What each viewer may see now, and what they are told of what happened.
//!
//! A view is made from the floor as it stands, for one [`Viewer`], and holds nothing that viewer may not know: no card
//! that lies face down but in the Player's own viewed hand, no salt of another before the deck is fixed, no money of
//! another. A [`Told`] is one entry of the log as a viewer may hear of it, judged by what was public at that entry
//! alone, so the same entry reads the same whenever it is told. What a viewer may do next is found by asking the round,
//! never by rules written here. The types are also what an API sends: whole cents, cards as `As`, clauses as
//! `MTHB9 3.10.2`.

mod choices;
mod describe;
mod desk;
mod feed;
mod house;
mod link;
mod meter;
mod paying;
mod pit;
mod procedure;
mod seat;
mod settlement;
mod shuffle;
mod sight;
mod slip;
mod stage;
mod table;
mod why;
mod words;

use jackpot::{Person, Total};
use round::PlayerId;
use rulebook::Office;
use serde::Serialize;

pub use choices::{Amounts, Choice};
pub(crate) use describe::{Described, of_house, of_link, of_table, place_words};
pub use desk::{AwardOnDesk, DeskView, MetersView, Moved, NextStep, ProposalView, Statement};
pub use feed::{Context, EventView, Facts, FeedError, LaidCard, Salted, feed, tell};
pub use house::{HouseView, KnownPlayer, StaffMember};
pub use link::{LinkState, LinkView, SettingsView};
pub use meter::{AwardView, JackpotView};
pub use paying::{ChipStack, Paying, PayingStep, chips};
pub use pit::{Need, NeedKind, PitRow, PitView};
pub use seat::{AreaView, HandState, SeatView, WagerView};
pub use settlement::{Ended, LineView, SettlementView};
pub use shuffle::{OpenedShuffle, ShuffleView};
pub use slip::{SignatureView, SlipView};
pub use stage::{StageName, StageView};
pub use table::{LimitsView, MisdealView, MoveView, PowerView, RulebookView, RulingView, TableView};
pub use words::{amount_in_words, date_and_time};

/// Who looks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// Anybody: the lobby, a wall screen.
    Public,
    /// A Player.
    Player(PlayerId),
    /// Somebody of the staff, in an office.
    Staff(Person, Office),
    /// The auditor, who has the log itself and sees all that is in it.
    Auditor,
}

impl Viewer {
    /// Whether it is this Player.
    pub(crate) fn is_player(&self, player: &PlayerId) -> bool {
        matches!(self, Viewer::Player(own) if own == player)
    }

    /// Whether it is the auditor.
    pub(crate) const fn is_auditor(&self) -> bool {
        matches!(self, Viewer::Auditor)
    }

    /// Whether it is somebody of the staff, or the auditor.
    pub(crate) const fn is_staff(&self) -> bool {
        matches!(self, Viewer::Staff(..) | Viewer::Auditor)
    }

    /// Whether it is this Player or the staff: those whom a Player's own affairs concern.
    pub(crate) fn may_know_of(&self, player: &PlayerId) -> bool {
        self.is_staff() || self.is_player(player)
    }
}

/// An amount in whole cents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct Cents(pub u64);

impl From<money::Money> for Cents {
    fn from(amount: money::Money) -> Cents {
        Cents(amount.cents())
    }
}

/// An amount in ten-thousandths of a cent, as decimal digits: meters and their sums outgrow what a page's numbers keep.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct Fine(pub String);

impl From<money::Pool> for Fine {
    fn from(pool: money::Pool) -> Fine {
        Fine(pool.ten_thousandths().to_string())
    }
}

impl From<Total> for Fine {
    fn from(total: Total) -> Fine {
        Fine(total.ten_thousandths().to_string())
    }
}

impl From<journal::Amount> for Fine {
    fn from(amount: journal::Amount) -> Fine {
        Fine(amount.0.to_string())
    }
}
