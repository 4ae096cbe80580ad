//! What happens in a round.

use std::sync::Arc;

use money::Odds;
use round::{Asker, Claim, Event, Line, Move, Outcome, Place, Ruling, Settlement};
use rulebook::Position;

use super::command::effects;
use crate::stored::leaves::Leaves;
use crate::stored::listed::{AREAS, DECISIONS, EXPOSURES, FAULTS, HANDS, JACKPOT_CARDS, MEANS, OFFICES};

pub(in crate::stored) fn bys(leaves: &mut Leaves) -> Vec<Asker> {
    let staff = OFFICES.iter().map(|office| Asker::Staff(*office));
    [Asker::Player(leaves.player())].into_iter().chain(staff).collect()
}

pub(in crate::stored) fn places(leaves: &mut Leaves) -> Vec<Place> {
    let (position, card) = (leaves.position(), leaves.byte(1));
    vec![Place::Player(position, card), Place::Community(leaves.byte(4)), Place::Dealer(leaves.byte(0))]
}

pub(in crate::stored) fn odds(leaves: &mut Leaves) -> Vec<Odds> {
    vec![Odds::To(leaves.u32(30)), Odds::For(leaves.u32(400))]
}

pub(in crate::stored) fn outcomes(leaves: &mut Leaves) -> Vec<Outcome> {
    let plain = [Outcome::Won, Outcome::Collected, Outcome::StandOff, Outcome::Returned];
    odds(leaves).into_iter().map(Outcome::Paid).chain(plain).collect()
}

/// A settlement with a line for every outcome, a claim for every hand and every choice of cards.
fn settlement(leaves: &mut Leaves) -> Settlement {
    let lines = outcomes(leaves).into_iter().zip(AREAS.iter().cycle()).map(|(outcome, area)| Line {
        position: leaves.position(),
        area: *area,
        owner: leaves.player(),
        staked: leaves.cents(2_500),
        paid: leaves.cents(75_000),
        returned: leaves.cents(2_400),
        collected: leaves.cents(100),
        outcome,
        rule: leaves.rule(),
        odds_rule: leaves.perhaps(|leaves| leaves.rule_like([4, 1, 0, 0])),
        limit_rule: leaves.perhaps(|leaves| leaves.rule_like([5, 14, 0, 0])),
    });
    let lines = lines.collect();
    let claims = HANDS.iter().zip(JACKPOT_CARDS.iter().cycle()).map(|(hand, cards)| Claim {
        position: leaves.position(),
        owner: leaves.player(),
        hand: *hand,
        cards: *cards,
        percent: leaves.percent(),
        rule: leaves.rule(),
    });
    let claims = claims.collect();
    Settlement {
        void: leaves.perhaps(|leaves| leaves.rule_like([5, 1, 0, 0])),
        lines,
        claims,
        warned: leaves.several(Leaves::player),
    }
}

/// A settlement of a round in which nothing was wagered.
fn empty_settlement() -> Settlement {
    Settlement { void: None, lines: Vec::new(), claims: Vec::new(), warned: Vec::new() }
}

/// A line with nothing that it may be without.
fn bare_line(leaves: &mut Leaves) -> Settlement {
    let Settlement { lines, .. } = settlement(leaves);
    let lines = lines.into_iter().take(1).map(|line| Line { odds_rule: None, limit_rule: None, ..line });
    Settlement { lines: lines.collect(), ..empty_settlement() }
}

fn moves(leaves: &mut Leaves) -> Vec<Move> {
    leaves.several(|leaves| Move { from: leaves.position(), to: Position(leaves.byte(4)) })
}

/// Everything that happens in a round.
pub(in crate::stored) fn round_events(leaves: &mut Leaves) -> Vec<Event> {
    let mut events = usual(leaves);
    events.extend(settled(leaves));
    events.extend(with_words(leaves));
    events.extend(irregular(leaves));
    events.extend(about_players(leaves));
    events
}

fn usual(leaves: &mut Leaves) -> Vec<Event> {
    vec![
        Event::PlayerInformed { player: leaves.player() },
        Event::PositionTaken { position: leaves.position(), player: leaves.player() },
        Event::PositionLeft { position: leaves.position() },
        Event::BetsOpened,
        Event::BetsClosed,
        Event::HandViewed { position: leaves.position() },
        Event::HandHandled { position: leaves.position(), rule: leaves.rule() },
        Event::HandShown { position: leaves.position() },
        Event::RoundClosed,
        Event::CardDealt { place: places(leaves)[0], card: None },
    ]
}

fn settled(leaves: &mut Leaves) -> Vec<Event> {
    let settlements = [settlement(leaves), bare_line(leaves), empty_settlement()];
    settlements.map(|settlement| Event::Settled { settlement: Arc::new(settlement) }).into()
}

/// What has a word in it, once for each word.
fn with_words(leaves: &mut Leaves) -> Vec<Event> {
    let mut events = Vec::new();
    for (by, means) in bys(leaves).into_iter().zip(MEANS.iter().cycle()) {
        let (position, area, owner) = (leaves.position(), leaves.pick(AREAS), leaves.player());
        events.push(Event::WagerPlaced { position, area, owner, amount: leaves.money(), means: *means, by });
    }
    for area in AREAS {
        let (position, area, owner) = (leaves.position(), *area, leaves.player());
        events.push(Event::WagerTakenBack { position, area, owner, rule: None });
    }
    let (position, area, owner) = (leaves.position(), leaves.pick(AREAS), leaves.player());
    events.push(Event::LateRemovalIgnored { position, area, owner, rule: leaves.rule() });
    for place in places(leaves) {
        events.push(Event::CardDealt { place, card: Some(leaves.card()) });
        events.push(Event::CardRead { place, card: leaves.card() });
    }
    events.extend(EXPOSURES.iter().map(|what| Event::Exposed { what: *what }));
    for decision in DECISIONS {
        let (position, area, decision) = (leaves.position(), leaves.pick(AREAS), *decision);
        events.push(Event::Decided { position, area, decision, rule: leaves.rule() });
        let before = leaves.pick(DECISIONS);
        events.push(Event::DecisionCorrected { position, area, before, decision, rule: leaves.rule() });
    }
    for fault in FAULTS {
        events.push(Event::BadCardsDeclared { fault: *fault, rule: leaves.rule() });
    }
    events
}

fn irregular(leaves: &mut Leaves) -> Vec<Event> {
    let ruling =
        Ruling { words: leaves.text("the \"Ante\" goes back,\nas agreed"), effects: effects(leaves) };
    vec![
        Event::JackpotWagerInvalid { position: leaves.position(), rule: leaves.rule() },
        Event::ComparisonDeclined { position: leaves.position(), rule: leaves.rule() },
        Event::DeclinedHandViewed { position: leaves.position(), rule: leaves.rule() },
        Event::CardsCounted { counted: leaves.byte(51), rule: leaves.rule() },
        Event::MisdealFound { moves: None, rule: leaves.rule() },
        Event::MisdealFound { moves: Some(moves(leaves)), rule: leaves.rule() },
        Event::HandsMoved { moves: moves(leaves), rule: leaves.rule() },
        Event::TableCountCorrected { rule: leaves.rule() },
        Event::HandCountCorrected { position: leaves.position(), rule: leaves.rule() },
        Event::CardsExposed { in_all: leaves.byte(2), rule: leaves.rule() },
        Event::HandOut { position: leaves.position(), rule: leaves.rule() },
        Event::BonusForfeited { position: leaves.position(), rule: leaves.rule() },
        Event::WithdrawalsPermitted { rule: leaves.rule() },
        Event::PowerFailed { established: true, rule: leaves.rule() },
        Event::PowerFailed { established: false, rule: leaves.rule() },
        Event::PlayResumed { rule: leaves.rule() },
        Event::RulingMade { ruling, rule: leaves.rule() },
        Event::RoundVoided { rule: leaves.rule() },
    ]
}

fn about_players(leaves: &mut Leaves) -> Vec<Event> {
    vec![
        Event::ShareOut { position: leaves.position(), owner: leaves.player(), rule: leaves.rule() },
        Event::PlayerWithdrew { player: leaves.player(), rule: leaves.rule() },
        Event::PlayerRestricted { player: leaves.player(), rule: leaves.rule() },
        Event::RestrictionLifted { player: leaves.player(), rule: leaves.rule() },
        Event::PlayerProhibited { player: leaves.player(), rule: leaves.rule(), reason: None },
        Event::PlayerProhibited {
            player: leaves.player(),
            rule: leaves.rule(),
            reason: Some(leaves.text("showed the hand")),
        },
        Event::PlayerReadmitted { player: leaves.player(), rule: leaves.rule() },
        Event::ActionStopped { player: leaves.player(), rule: leaves.rule(), reason: None },
        Event::ActionStopped {
            player: leaves.player(),
            rule: leaves.rule(),
            reason: Some(leaves.text("played three hands")),
        },
        Event::WagerCorrected {
            position: leaves.position(),
            area: leaves.pick(AREAS),
            owner: leaves.player(),
            before: leaves.money(),
            amount: leaves.money(),
            rule: leaves.rule(),
        },
        Event::PlayerWarned { player: leaves.player(), rule: leaves.rule() },
        Event::PlayerStayed { player: leaves.player(), answered: leaves.flag(true), rule: leaves.rule() },
        Event::WagerTakenBack {
            position: leaves.position(),
            area: leaves.pick(AREAS),
            owner: leaves.player(),
            rule: Some(leaves.rule()),
        },
    ]
}
