//! Where a round stands, in words: what is awaited, of whom, and what the Dealer says.

use round::{Asker, Command, Decision, Exposure, Reason, Round, Seat, Stage};
use rulebook::{Game, Office, PlayingArea, Position};
use serde::Serialize;

use super::open_cards::Laid;
use super::words;

/// Where a round stands, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StageView {
    /// Where it stands.
    #[serde(flatten)]
    pub stage: Stage,
    /// What is awaited, and of whom.
    pub awaited: String,
    /// The positions it is awaited of, where it is of Players.
    pub positions: Vec<Position>,
    /// What the Dealer says.
    pub call: String,
}

/// What a round awaits, before it is put in words.
pub(super) struct Awaited {
    pub(super) stage: Stage,
    pub(super) positions: Vec<Position>,
}

impl Awaited {
    pub(super) fn of(round: &Round) -> Awaited {
        let stage = round.stage();
        let positions = match stage {
            Stage::Deciding(_) => awaited(round, |position| decides(round, position)),
            Stage::Showing => awaited(round, |position| shows(round, position)),
            Stage::BeforeBets
            | Stage::BetsOpen
            | Stage::Dealing
            | Stage::Exposing(_)
            | Stage::Settling
            | Stage::Concluded
            | Stage::Void
            | Stage::Closed => Vec::new(),
        };
        Awaited { stage, positions }
    }

    pub(super) fn includes(&self, position: Position) -> bool {
        self.positions.contains(&position)
    }

    /// In words.
    pub(super) fn view(&self, round: &Round) -> StageView {
        StageView {
            stage: self.stage,
            awaited: self.sentence(),
            positions: self.positions.clone(),
            call: self.call(round),
        }
    }

    /// What the Dealer says.
    pub(super) fn call(&self, round: &Round) -> String {
        call(round, self.stage)
    }

    fn sentence(&self) -> String {
        let who = || words::positions(&self.positions);
        match self.stage {
            Stage::BeforeBets => "The Dealer opens the round.".to_owned(),
            Stage::BetsOpen => "Players place their wagers; the Dealer closes bets.".to_owned(),
            Stage::Dealing => "The Dealer deals.".to_owned(),
            Stage::Deciding(area @ (PlayingArea::Turn | PlayingArea::River)) => {
                format!("Wager on the {area} or check: {}.", who())
            }
            Stage::Deciding(area) => format!("Fold or wager on the {area}: {}.", who()),
            Stage::Exposing(what) => format!("The Dealer turns {}.", turned(what)),
            Stage::Showing => format!("Show or decline: {}.", who()),
            Stage::Settling => "The Dealer settles the wagers.".to_owned(),
            Stage::Concluded => "The round is settled; the next one may begin.".to_owned(),
            Stage::Void => "The round is void; the next one may begin.".to_owned(),
            Stage::Closed => "The round is over.".to_owned(),
        }
    }
}

fn awaited(round: &Round, asks: impl Fn(Position) -> bool) -> Vec<Position> {
    let active = round.seats().filter(|(_, seat)| Seat::is_active(seat)).map(|(position, _)| position);
    active.filter(|position| asks(*position)).collect()
}

/// Whether a decision is due from a position: the round takes one, or would but for who is stopped or what is open.
fn decides(round: &Round, position: Position) -> bool {
    let wager = Command::Decide { position, decision: Decision::Wager };
    match round.decide(&Asker::Staff(Office::Dealer), &wager) {
        Ok(_) => true,
        Err(refusal) => matches!(refusal.reason, Reason::ActionIsStopped),
    }
}

/// Whether a hand is still to be shown.
fn shows(round: &Round, position: Position) -> bool {
    round.decide(&Asker::Staff(Office::Dealer), &Command::DeclineComparison { position }).is_ok()
}

/// What is turned, in a sentence.
pub(super) const fn turned(what: Exposure) -> &'static str {
    match what {
        Exposure::UpCard => "the Dealer's last card",
        Exposure::FlopCards => "the flop",
        Exposure::TurnCard => "the turn",
        Exposure::RiverCard => "the river",
        Exposure::DealerHand => "the Dealer's hand",
    }
}

/// Whether a Player has made a decision in this round.
fn has_decided(round: &Round) -> bool {
    let areas = round.book().following();
    round.seats().any(|(_, seat)| areas.iter().any(|area| seat.decision(*area).is_some()))
}

/// What the Dealer says at a stage.
fn call(round: &Round, stage: Stage) -> String {
    let words = match stage {
        Stage::BeforeBets => "The next round is about to begin.",
        Stage::BetsOpen => "Place your bets, please.",
        // Bets are closed once; the Dealer's own cards may come after the decisions.
        Stage::Dealing if has_decided(round) => "The Dealer's cards.",
        Stage::Dealing => "No more bets.",
        Stage::Deciding(PlayingArea::Turn) => "Turn or check, please.",
        Stage::Deciding(PlayingArea::River) => "River or check, please.",
        Stage::Deciding(PlayingArea::Bet) => "Fold or Bet, please.",
        Stage::Deciding(
            PlayingArea::Flop | PlayingArea::Ante | PlayingArea::Bonus | PlayingArea::Jackpot,
        ) => "Fold or Flop, please.",
        Stage::Exposing(Exposure::UpCard) => "The Dealer's card.",
        Stage::Exposing(Exposure::FlopCards) => "The flop.",
        Stage::Exposing(Exposure::TurnCard) => "The turn.",
        Stage::Exposing(Exposure::RiverCard) => "The river.",
        Stage::Exposing(Exposure::DealerHand) => "The Dealer's hand.",
        Stage::Showing | Stage::Settling | Stage::Concluded => return dealer_has(round),
        Stage::Void => "The round is void; all wagers are returned.",
        Stage::Closed => "Thank you.",
    };
    words.to_owned()
}

/// The Dealer's hand, announced once it lies open (3.10).
fn dealer_has(round: &Round) -> String {
    dealer_announced(&round.book().game, &Laid::board(round))
}

/// The same, of cards that lie open.
pub(super) fn dealer_announced(game: &Game, laid: &Laid) -> String {
    let whole = laid.order(game, &laid.dealer);
    let Some(hand) = whole.and_then(|_| laid.best(&laid.dealer)) else {
        return "All hands are in.".to_owned();
    };
    if round::is_dealer_hand(game, &laid.dealer) {
        format!("The Dealer has {}.", hand.in_sentence())
    } else {
        "No hand.".to_owned()
    }
}
