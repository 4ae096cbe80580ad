//! A position as a viewer sees it.

use cards::Card;
use round::{Decision, Round, Seat, Stage};
use rulebook::{Means, PlayingArea, Position};
use serde::Serialize;

use super::stage::Awaited;
use super::{Cents, Viewer, sight};

/// One Player's wager on an area.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WagerView {
    /// Whose it is.
    pub owner: String,
    /// How much.
    pub amount: Cents,
    /// `credits` from a terminal or `chips` on the felt.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub means: Means,
    /// The clause under which it goes back, where it does.
    pub out: Option<String>,
}

/// An area of a position with what lies on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AreaView {
    /// Which.
    pub area: &'static str,
    /// What all have on it together.
    pub total: Cents,
    /// Each Player's part.
    pub wagers: Vec<WagerView>,
}

/// How a hand stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum HandState {
    /// There is none.
    None,
    /// In the round, and nothing is asked of it now.
    In,
    /// A decision is due.
    Deciding,
    /// It is to be shown, or to decline.
    Showing,
    /// It folded.
    Folded,
    /// It was shown.
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
    pub position: u8,
    /// The Player there.
    pub holder: Option<String>,
    /// Whether that is the viewer.
    pub yours: bool,
    /// The areas with a wager on them, in the Dealer's order.
    pub areas: Vec<AreaView>,
    /// The cards dealt here: `null` where one lies face down to this viewer.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<Option<String>>))]
    pub cards: Vec<Option<Card>>,
    /// How the hand stands.
    pub state: HandState,
    /// Whether its Player has viewed it.
    pub viewed: bool,
    /// The decisions taken, in order: `fold`, `wager` or `check`.
    pub decisions: Vec<&'static str>,
    /// The clause under which the hand is out.
    pub out: Option<String>,
    /// Whether the Player was warned for a wager under the minimum. For the Player and the staff.
    pub warned: bool,
    /// Whether the Player may wager on one position only. For the Player and the staff.
    pub restricted: bool,
}

impl SeatView {
    pub(super) fn of(
        round: &Round,
        awaited: &Awaited,
        position: Position,
        seat: &Seat,
        viewer: &Viewer,
    ) -> SeatView {
        let holder = seat.holder();
        let known = holder.filter(|holder| viewer.may_know_of(holder));
        let memory = round.memory();
        SeatView {
            position: position.0,
            holder: holder.map(|holder| holder.name().to_owned()),
            yours: holder.is_some_and(|holder| viewer.is_player(holder)),
            areas: areas(round, seat),
            cards: sight::hand(round, position, seat, viewer),
            state: state(awaited, position, seat),
            viewed: seat.is_viewed(),
            decisions: decisions(seat, round.book().following()),
            out: seat.out().map(|rule| round.book().clause(rule).to_string()),
            warned: known.is_some_and(|holder| memory.warned.contains(holder)),
            restricted: known.is_some_and(|holder| memory.restricted.contains(holder)),
        }
    }
}

fn areas(round: &Round, seat: &Seat) -> Vec<AreaView> {
    let book = round.book();
    let of_area = |area: &PlayingArea| {
        let shares = seat.shares(*area, book.multiple_of_ante(*area));
        let total = shares.iter().fold(0_u64, |sum, share| sum.saturating_add(share.amount.cents()));
        let wager = |share: round::Share| WagerView {
            owner: share.owner.name().to_owned(),
            amount: share.amount.into(),
            means: share.means,
            out: share.out.map(|rule| book.clause(rule).to_string()),
        };
        AreaView { area: area.name(), total: Cents(total), wagers: shares.into_iter().map(wager).collect() }
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
fn decisions(seat: &Seat, following: &[PlayingArea]) -> Vec<&'static str> {
    let word = |area: &PlayingArea| match seat.decision(*area)? {
        Decision::Fold => Some("fold"),
        Decision::Wager => Some("wager"),
        Decision::Check => Some("check"),
    };
    following.iter().map_while(word).collect()
}
