//! What a learner sees of a table.

use cards::Card;
use money::Money;
use round::{PlayerId, Round};
use rulebook::{Means, PlayingArea, Position};
use serde::Serialize;

/// A table as it lies before the learner. A card that lies face down is `null`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = DrillTable))]
pub struct Picture {
    /// The number of positions on the layout.
    pub positions: u8,
    /// The dealing method, by its name in the rulebook's data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    pub limits: Vec<AreaLimits>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jackpot: Option<JackpotPicture>,
    pub community: Vec<Option<Card>>,
    pub dealer: Vec<Option<Card>>,
    /// The positions with a Player.
    pub seats: Vec<SeatPicture>,
    /// The Players who were settled once under the minimum.
    pub warned: Vec<PlayerId>,
}

/// The limits of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AreaLimits {
    pub area: PlayingArea,
    pub least: Money,
    pub most: Money,
}

/// The jackpot of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct JackpotPicture {
    pub minimum: Money,
    /// What the meter displays, with the wagers of this round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meter: Option<Money>,
    /// The amount from which the meter restarts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reset: Option<Money>,
}

/// What became of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum HandPicture {
    /// No hand is dealt here.
    None,
    /// It is in play.
    In,
    Folded,
    /// It declined comparison.
    Declined,
    /// It is out of the round.
    Out,
}

/// A position with a Player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SeatPicture {
    pub position: Position,
    pub player: PlayerId,
    pub wagers: Vec<WagerPicture>,
    pub cards: Vec<Option<Card>>,
    pub hand: HandPicture,
    /// Whether the Player has viewed the hand.
    pub viewed: bool,
}

/// One Player's wager on an area.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WagerPicture {
    pub area: PlayingArea,
    pub owner: PlayerId,
    pub amount: Money,
    pub means: Means,
}

/// Which cards of the hands the learner sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shows {
    /// What lies face up.
    FaceUp,
    /// All cards of the hands that are compared or in the jackpot, with the board and the Dealer's.
    All,
}

impl Picture {
    /// A round as the table sees it.
    pub(crate) fn of(round: &Round, limits: Vec<AreaLimits>, shows: Shows) -> Picture {
        let (community, dealer) = match shows {
            Shows::FaceUp => (face_up_community(round), face_up_dealer(round)),
            Shows::All => (round.community(), round.dealer_cards()),
        };
        let seats = round.seats().filter_map(|(position, _)| seat(round, position, shows)).collect();
        Picture {
            positions: u8::try_from(round.seats().count()).unwrap_or(u8::MAX),
            method: None,
            limits,
            jackpot: None,
            community,
            dealer,
            seats,
            warned: round.memory().warned.iter().cloned().collect(),
        }
    }
}

fn face_up_community(round: &Round) -> Vec<Option<Card>> {
    let open = round.exposed_community().len();
    let at = |(place, card): (usize, Option<Card>)| card.filter(|_| place < open);
    round.community().into_iter().enumerate().map(at).collect()
}

fn face_up_dealer(round: &Round) -> Vec<Option<Card>> {
    let open = round.exposed_dealer();
    round.dealer_cards().into_iter().map(|card| card.filter(|card| open.contains(card))).collect()
}

fn seat(round: &Round, position: Position, shows: Shows) -> Option<SeatPicture> {
    let seat = round.seat(position)?;
    let player = seat.holder()?.clone();
    let mut wagers = Vec::new();
    for area in round.book().areas() {
        let shares = seat.shares(*area, round.book().multiple_of_ante(*area));
        wagers.extend(shares.iter().map(|share| WagerPicture {
            area: *area,
            owner: share.owner.clone(),
            amount: share.amount,
            means: share.means,
        }));
    }
    let hand = if !seat.is_dealt_in() {
        HandPicture::None
    } else if seat.out().is_some() {
        HandPicture::Out
    } else if seat.has_folded() {
        HandPicture::Folded
    } else if seat.has_declined() {
        HandPicture::Declined
    } else {
        HandPicture::In
    };
    let open = match shows {
        Shows::FaceUp => seat.is_shown(),
        Shows::All => {
            hand == HandPicture::In || hand == HandPicture::Folded && seat.has(PlayingArea::Jackpot)
        }
    };
    let cards = seat.cards().map(|card| card.filter(|_| open)).collect();
    Some(SeatPicture { position, player, wagers, cards, hand, viewed: seat.is_viewed() })
}
