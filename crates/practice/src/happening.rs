//! What customers and cards do to a Dealer: each happening as the people at the table see it, and as the guide to
//! irregularities takes it. What follows from it is the round's to say.

use money::Money;
use round::{CardFault, FoundPile, Irregularity, Place, PlayerId, Round, Seat, Stage, guide};
use rulebook::{PlayingArea, Position};
use serde::{Deserialize, Serialize};

use crate::chance::pick;

/// Something that goes wrong, or makes work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Happening {
    /// A wager after "No more bets".
    LateBet,
    /// A wager taken off after "No more bets".
    TakesOff,
    /// Chips under others: the wager is another amount than was entered.
    UnreadableChips,
    /// A Player wants a second position.
    TwoPositions,
    /// A wager above the maximum or below the minimum.
    OutOfLimits,
    /// Another Player adds to a wager.
    Shares,
    /// A hand lies where it does not belong.
    Misdeal,
    /// A card is turned over during the deal.
    ExposedCard,
    /// A Player touches the cards.
    TouchesCards,
    /// A Player shows the hand to a neighbour.
    ShowsCards,
    /// A Player leaves before a decision.
    Leaves,
    /// A Player wants a ruling on what no rule covers.
    Argues,
    /// The deck lacks a card.
    BadDeck,
    PowerFailure,
}

/// When something can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    BetsOpen,
    BetsClosed,
    MidDeal,
    Dealt,
    Deciding,
    InPlay,
}

/// Something that happened and waits for the Dealer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incident {
    pub happening: Happening,
    /// What people at the table see and say.
    pub words: String,
    /// The same as the guide takes it.
    pub what: Irregularity,
}

impl Happening {
    /// Every happening, in the order of a round.
    pub const ALL: [Happening; 14] = [
        Happening::TwoPositions,
        Happening::OutOfLimits,
        Happening::Shares,
        Happening::LateBet,
        Happening::TakesOff,
        Happening::UnreadableChips,
        Happening::ExposedCard,
        Happening::Misdeal,
        Happening::TouchesCards,
        Happening::ShowsCards,
        Happening::Leaves,
        Happening::Argues,
        Happening::BadDeck,
        Happening::PowerFailure,
    ];

    /// What a trainer reads on the button.
    pub const fn title(self) -> &'static str {
        match self {
            Happening::LateBet => "A late bet",
            Happening::TakesOff => "A wager is taken off",
            Happening::UnreadableChips => "Unreadable chips",
            Happening::TwoPositions => "Wants two positions",
            Happening::OutOfLimits => "A wager out of limits",
            Happening::Shares => "A shared wager",
            Happening::Misdeal => "A misdeal",
            Happening::ExposedCard => "An exposed card",
            Happening::TouchesCards => "Touches the cards",
            Happening::ShowsCards => "Shows the cards",
            Happening::Leaves => "Leaves the table",
            Happening::Argues => "Argues",
            Happening::BadDeck => "A card is missing",
            Happening::PowerFailure => "The power fails",
        }
    }

    const fn when(self) -> When {
        match self {
            Happening::TwoPositions | Happening::OutOfLimits | Happening::Shares => When::BetsOpen,
            Happening::LateBet | Happening::TakesOff | Happening::UnreadableChips => When::BetsClosed,
            Happening::ExposedCard => When::MidDeal,
            Happening::Misdeal | Happening::TouchesCards => When::Dealt,
            Happening::ShowsCards | Happening::Leaves | Happening::Argues | Happening::BadDeck => {
                When::Deciding
            }
            Happening::PowerFailure => When::InPlay,
        }
    }

    /// Whether the round has come to a moment when it can happen.
    pub fn fits(self, round: &Round) -> bool {
        let dealt = round.deal_order().iter().any(|place| round.has_dealt(*place));
        let untouched = !round.seats().any(|(_, seat)| seat.has_decided() || seat.is_viewed());
        match (self.when(), round.stage()) {
            (When::BetsOpen, Stage::BetsOpen) => round.seats().any(|(_, seat)| seat.has(PlayingArea::Ante)),
            (When::BetsClosed, Stage::Dealing) => !dealt,
            (When::MidDeal, Stage::Dealing) => dealt,
            (When::Dealt, Stage::Deciding(area)) => area == round.book().first_area() && untouched,
            (When::Deciding | When::InPlay, Stage::Deciding(_))
            | (When::InPlay, Stage::Exposing(_) | Stage::Showing | Stage::Settling) => true,
            _ => false,
        }
    }

    /// What happens now, with this Player or one that follows from the seed; `None` where the rules know of no such case at
    /// this moment. Wagers out of limits and shared ones are not incidents: they lie there, and the round goes on.
    pub fn at(self, round: &Round, position: Option<Position>, seed: u64) -> Option<Incident> {
        let seats: Vec<(Position, &Seat)> = round.seats().filter(|(_, seat)| seat.is_active()).collect();
        let chosen = position.and_then(|position| seats.iter().find(|(at, _)| *at == position).copied());
        let (position, seat) = chosen.or_else(|| pick(&seats, seed, "whom"))?;
        let player = seat.holder()?.clone();
        let free = round.seats().find(|(_, seat)| seat.holder().is_none()).map(|(position, _)| position);
        let (what, words) = self.told(round, position, seat, &player, free)?;
        let incident = Incident { happening: self, words, what };
        match guide(round, &incident.what) {
            Ok(remedies) => !remedies.is_empty(),
            // That a late wager does not count is the answer.
            Err(_) => self == Happening::LateBet,
        }
        .then_some(incident)
    }

    fn told(
        self,
        round: &Round,
        position: Position,
        seat: &Seat,
        player: &PlayerId,
        free: Option<Position>,
    ) -> Option<(Irregularity, String)> {
        let player = player.clone();
        let area = PlayingArea::Ante;
        Some(match self {
            Happening::LateBet => {
                let area = if seat.has(PlayingArea::Jackpot) { area } else { PlayingArea::Jackpot };
                let words =
                    format!("“Wait, that is mine!” {player} puts another chip on the {area} at {position}.");
                (Irregularity::LateWager { position, area, player }, words)
            }
            Happening::TakesOff => {
                let words = format!("{player} quietly takes the Ante off {position}.");
                (Irregularity::WagerTakenOff { position, area, player }, words)
            }
            Happening::UnreadableChips => {
                let amount = another_amount(round, seat)?;
                let words = format!(
                    "The stack on the Ante at {position} has other chips underneath. You count {amount}, not what was entered."
                );
                (Irregularity::WagerMiskeyed { position, area, player, amount }, words)
            }
            Happening::TwoPositions => {
                let words = match free {
                    Some(free) => format!(
                        "{player} at {position} puts chips on {free} too: “I play both.” It slows the table down; one position is enough."
                    ),
                    None => format!(
                        "{player} at {position} wants a second position. It slows the table down; one position is enough."
                    ),
                };
                (Irregularity::TooManyPositions { player }, words)
            }
            Happening::Misdeal => misdeal(round, position, free?)?,
            Happening::ExposedCard => {
                let words = "A card turns over on its way out of the shoe. Everybody has seen it.".to_owned();
                (Irregularity::ExposedCards { cards: 1 }, words)
            }
            Happening::TouchesCards => {
                let words =
                    format!("{player} reaches over and pushes the cards at {position} about, face down.");
                (Irregularity::Handled { position }, words)
            }
            Happening::ShowsCards => {
                let words = format!(
                    "{player} shows the hand to the neighbour again, although warned. The floor wants {player} to stop playing."
                );
                (Irregularity::NotConfidential { player }, words)
            }
            Happening::Leaves => {
                let words = format!(
                    "{player} answers the telephone and walks off. The decision at {position} is due."
                );
                (Irregularity::Absent { position }, words)
            }
            Happening::Argues => {
                let words = format!(
                    "{player} insists that a chip rolled off the layout before the cards came, and wants a decision."
                );
                (Irregularity::Uncovered { words: words.clone() }, words)
            }
            Happening::BadDeck => {
                let words = "The shoe reports 51 cards. A card is missing from the deck.".to_owned();
                (Irregularity::BadCards { fault: CardFault::Missing }, words)
            }
            Happening::PowerFailure => {
                let words = "The lights go out. The screens come back after a minute.".to_owned();
                (Irregularity::PowerFailure {}, words)
            }
            Happening::OutOfLimits | Happening::Shares => return None,
        })
    }
}

/// What the Ante comes to once every chip is counted.
fn another_amount(round: &Round, seat: &Seat) -> Option<Money> {
    let entered = seat.shares(PlayingArea::Ante, None).first()?.amount;
    let (least, most) = (*round.limits().ante.start(), *round.limits().ante.end());
    let more = Money::sum([entered, least]).ok()?;
    if more <= most { Some(more) } else { Some(least).filter(|least| *least != entered) }
}

/// The hand of a position lies at a free one.
fn misdeal(round: &Round, position: Position, free: Position) -> Option<(Irregularity, String)> {
    let cards = u8::try_from(round.book().hand_cards()).ok()?;
    let mut dealt: Vec<Position> = Vec::new();
    for place in round.deal_order() {
        if let Place::Player(at, _) = place
            && !dealt.contains(at)
        {
            dealt.push(*at);
        }
    }
    let lies = |at: Position| if at == position { free } else { at };
    let piles = dealt.into_iter().map(|at| FoundPile { position: lies(at), cards }).collect();
    let words = format!("The hand of {position} lies at {free}. Nobody has touched a card.");
    Some((Irregularity::Misdeal { piles, also: Vec::new() }, words))
}
