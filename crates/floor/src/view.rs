//! What each viewer may see now, and which part of each entry of the log.
//!
//! A view is made from the floor as it stands, for one [`Viewer`], and holds nothing that viewer may not know: no card
//! that lies face down but in the Player's own viewed hand, no money of
//! another. An [`EventView`] is one entry of the log as a viewer may see it. It depends on what was public at that entry
//! alone, so the same entry reads the same at any later time. What a viewer may do next is found by asking the round,
//! never by rules written here. The types are also what an API sends, in the words of the rulebooks' own types: whole
//! cents, cards as `As`, clauses as `MTHB9 3.10.2`.

mod choices;
mod describe;
mod desk;
mod event_kind;
mod feed;
mod hand;
mod house;
mod link;
mod meter;
mod offers;
mod open_cards;
mod pit;
mod procedure;
mod seat;
mod settlement;
mod shuffle;
mod slip;
mod stage;
mod table;
mod why;
mod wording;
mod words;

use jackpot::{Department, Person, Post, Total};
use round::PlayerId;
use rulebook::Office;
use serde::Serialize;

pub use choices::{Amounts, Becomes, Choice, WagerChange};
pub(crate) use describe::{Described, of_house, of_link, of_table, place_words, reader_fault_in_words};
pub use describe::{changes_in_words, scope_in_words};
pub use desk::{
    AwardOnDesk, CountedView, DeskView, LevelView, MetersView, Moved, ProposalView, Statement, WaitView,
};
pub use event_kind::EventKind;
pub use feed::{Context, DiscardedDraw, EventView, Facts, FeedError, LaidCard, Salted, event_view, feed};
pub use hand::{ComparedView, Comparison, HandView, JackpotHandView};
pub use house::{Counter, HouseView, KnownPlayer, PlayersPage, StaffMember};
pub use link::{ClosingView, FaultView, LinkState, LinkView, NoticeView};
pub use meter::{AwardView, JackpotView};
pub use pit::{DayView, Need, NeedKind, PitRow, PitView};
pub use procedure::guide;
pub use seat::{AreaView, HandState, SeatView, WagerView};
pub use settlement::{LineView, SettlementView};
pub use shuffle::{OpenedShuffle, ShuffleView};
pub use slip::{ProgramView, SlipRuling, SlipSignature, SlipView};
pub use stage::StageView;
pub use table::{DecksView, MisdealView, PowerView, ReaderView, RulebookView, RulingView, TableView};
pub use why::{Because, EndReason, LimitEffect, WonWith};
pub use words::{amount_in_words, date_and_time, local_date_and_time};

/// What a command to a table is called, as on its button.
pub fn command_in_words(table: &crate::table::Table, command: &journal::TableCommand) -> String {
    match command {
        journal::TableCommand::Round(command) => wording::of_round(command, table.round()).label,
        journal::TableCommand::Own(command) => wording::of_table(command).label,
    }
}

/// Who looks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// Anybody: the lobby, a wall screen.
    Public,
    Player(PlayerId),
    /// Somebody of the staff, in an office.
    Staff(Person, Office),
    /// Somebody of another department than Table Games.
    Department(Person, Department),
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
        matches!(self, Viewer::Staff(..) | Viewer::Department(..) | Viewer::Auditor)
    }

    /// Who of the staff it is, and where they work.
    pub fn post(&self) -> Option<(&Person, Post)> {
        match self {
            Viewer::Staff(person, office) => Some((person, Post::new(Department::TableGames, *office))),
            Viewer::Department(person, department) => Some((person, Post::new(*department, Office::Dealer))),
            Viewer::Public | Viewer::Player(_) | Viewer::Auditor => None,
        }
    }

    /// Whether it is this Player or the staff: those whom a Player's own affairs concern.
    pub(crate) fn may_know_of(&self, player: &PlayerId) -> bool {
        self.is_staff() || self.is_player(player)
    }
}

/// An amount to the ten-thousandth of a cent, in the form of a pool. Below zero, both parts are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ExactAmount {
    /// Whole cents.
    pub cents: i64,
    /// Ten-thousandths of a cent beyond them; left out where there are none.
    #[serde(skip_serializing_if = "is_zero")]
    pub fraction: i16,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference to the field")]
const fn is_zero(fraction: &i16) -> bool {
    *fraction == 0
}

impl ExactAmount {
    /// So many ten-thousandths of a cent.
    pub fn from_ten_thousandths(amount: i128) -> ExactAmount {
        let cents = i64::try_from(amount / 10_000).expect("no account holds 2 to the 63rd cents");
        let fraction = i16::try_from(amount % 10_000).expect("a remainder of 10,000 fits sixteen bits");
        ExactAmount { cents, fraction }
    }
}

impl From<money::Pool> for ExactAmount {
    fn from(pool: money::Pool) -> ExactAmount {
        ExactAmount::from_ten_thousandths(pool.ten_thousandths().into())
    }
}

impl From<Total> for ExactAmount {
    fn from(total: Total) -> ExactAmount {
        let amount = i128::try_from(total.ten_thousandths()).expect("no link sees 2 to the 127th");
        ExactAmount::from_ten_thousandths(amount)
    }
}

impl From<journal::Amount> for ExactAmount {
    fn from(amount: journal::Amount) -> ExactAmount {
        ExactAmount::from_ten_thousandths(amount.0.into())
    }
}
