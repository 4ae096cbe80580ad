//! A position as a viewer sees it.

use cards::Card;
use money::Money;
use round::{Decision, PlayerId, Round, Seat, Stage};
use rulebook::{Clause, Means, PlayingArea, Position};
use serde::Serialize;

use super::Viewer;
use super::hand::{self, HandView, JackpotHandView};
use super::open_cards::{self, Laid};
use super::stage::Awaited;
use crate::table::Table;

/// One Player's wager on an area.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WagerView {
    /// Whose it is.
    pub owner: PlayerId,
    /// How much.
    pub amount: Money,
    /// Credits from a terminal or chips on the felt.
    pub means: Means,
    /// The clause under which it goes back, where it does.
    pub out: Option<Clause>,
}

/// An area of a position with what lies on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AreaView {
    pub area: PlayingArea,
    /// What all have on it together.
    pub total: Money,
    /// Each Player's part.
    pub wagers: Vec<WagerView>,
}

/// How a hand stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum HandState {
    /// There is none.
    None,
    /// In the round, and nothing is asked of it now.
    In,
    /// A decision is due.
    Deciding,
    /// It is to be shown, or to decline.
    Showing,
    Folded,
    Shown,
    /// It declined comparison.
    Declined,
    /// It is out of the round; its wagers go back.
    Out,
}

/// A position as a viewer sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate fact of the position")]
pub struct SeatView {
    /// Which, from one at the Dealer's left.
    pub position: Position,
    /// The Player there.
    pub holder: Option<PlayerId>,
    /// Whether that is the viewer.
    pub yours: bool,
    /// The areas with a wager on them, in the Dealer's order.
    pub areas: Vec<AreaView>,
    /// The cards dealt here: `null` where one lies face down to this viewer.
    pub cards: Vec<Option<Card>>,
    /// The hand by name, once its cards and those of the board that lie open are five or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hand: Option<HandView>,
    /// The hand that its Jackpot wager is judged by, where that is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jackpot_hand: Option<JackpotHandView>,
    /// How the hand stands.
    pub state: HandState,
    /// Whether its Player has viewed it.
    pub viewed: bool,
    /// The decisions taken, in order.
    pub decisions: Vec<Decision>,
    /// The clause under which the hand is out.
    pub out: Option<Clause>,
    /// The clause under which the hand folded or went out because its Player did not decide in time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timed_out: Option<Clause>,
    /// Whether the Player was warned for a wager under the minimum. For the Player and the staff.
    pub warned: bool,
    /// Whether the Player may wager on one position only. For the Player and the staff.
    pub restricted: bool,
}

impl SeatView {
    pub(super) fn of(
        table: &Table,
        awaited: &Awaited,
        position: Position,
        seat: &Seat,
        laid: &Laid,
        viewer: &Viewer,
    ) -> SeatView {
        let round = table.round();
        let holder = seat.holder();
        let known = holder.filter(|holder| viewer.may_know_of(holder));
        let memory = round.memory();
        SeatView {
            position,
            holder: holder.cloned(),
            yours: holder.is_some_and(|holder| viewer.is_player(holder)),
            areas: areas(round, seat),
            cards: open_cards::hand(seat, viewer),
            hand: hand::of_seat(laid, position),
            jackpot_hand: hand::of_jackpot(round, laid, position, seat),
            state: state(awaited, position, seat),
            viewed: seat.is_viewed(),
            decisions: decisions(seat, round.book().following()),
            out: seat.out().map(|rule| round.book().clause(rule)),
            timed_out: table.timed_out(position),
            warned: known.is_some_and(|holder| memory.warned.contains(holder)),
            restricted: known.is_some_and(|holder| memory.restricted.contains(holder)),
        }
    }
}

fn areas(round: &Round, seat: &Seat) -> Vec<AreaView> {
    let book = round.book();
    let of_area = |area: &PlayingArea| {
        let shares = seat.shares(*area, book.multiple_of_ante(*area));
        let total = Money::sum(shares.iter().map(|share| share.amount)).unwrap_or_default();
        let wager = |share: round::Share| WagerView {
            owner: share.owner,
            amount: share.amount,
            means: share.means,
            out: share.out.map(|rule| book.clause(rule)),
        };
        AreaView { area: *area, total, wagers: shares.iter().cloned().map(wager).collect() }
    };
    book.areas().iter().filter(|area| seat.has(**area)).map(of_area).collect()
}

fn state(awaited: &Awaited, position: Position, seat: &Seat) -> HandState {
    if !seat.is_dealt_in() {
        return HandState::None;
    }
    if seat.out().is_some() {
        return HandState::Out;
    }
    if seat.has_folded() {
        return HandState::Folded;
    }
    if seat.is_shown() {
        return HandState::Shown;
    }
    if seat.has_declined() {
        return HandState::Declined;
    }
    match (awaited.includes(position), awaited.stage) {
        (true, Stage::Deciding(_)) => HandState::Deciding,
        (true, _) => HandState::Showing,
        (false, _) => HandState::In,
    }
}

/// What was decided on each area in turn.
fn decisions(seat: &Seat, following: &[PlayingArea]) -> Vec<Decision> {
    following.iter().map_while(|area| seat.decision(*area)).collect()
}
