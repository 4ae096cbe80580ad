//! What is asked of a round, and what rulings do.

use round::{Command, Effect, FoundPile, RuledOutcome, Ruling};

use super::round::{odds, places};
use crate::stored::leaves::Leaves;
use crate::stored::listed::{AREAS, DECISIONS, FAULTS, MEANS};

pub(in crate::stored) fn ruled_outcomes(leaves: &mut Leaves) -> Vec<RuledOutcome> {
    let plain = [RuledOutcome::Collected, RuledOutcome::StandOff, RuledOutcome::Returned];
    odds(leaves).into_iter().map(RuledOutcome::Paid).chain(plain).collect()
}

pub(in crate::stored) fn effects(leaves: &mut Leaves) -> Vec<Effect> {
    let mut effects = vec![Effect::Void, Effect::HandOut { position: leaves.position() }];
    for outcome in ruled_outcomes(leaves) {
        effects.push(Effect::Wager { position: leaves.position(), area: leaves.pick(AREAS), outcome });
    }
    effects
}

/// Everything that is asked of a round.
pub(in crate::stored) fn commands(leaves: &mut Leaves) -> Vec<Command> {
    let mut commands = plain();
    commands.extend(on_wagers(leaves));
    commands.extend(on_positions(leaves));
    commands.extend(on_players(leaves));
    commands.extend(on_cards(leaves));
    commands
}

fn plain() -> Vec<Command> {
    vec![
        Command::OpenBets,
        Command::CloseBets,
        Command::DealCard { card: None },
        Command::Expose,
        Command::Settle,
        Command::BeginNextRound,
        Command::Reconstruct,
        Command::GiveUpReconstruction,
        Command::PermitWithdrawals,
        Command::ReportPowerFailure,
        Command::ResumePlay,
    ]
}

fn on_wagers(leaves: &mut Leaves) -> Vec<Command> {
    let mut commands = Vec::new();
    for (area, means) in AREAS.iter().zip(MEANS.iter().cycle()) {
        let (position, area, means) = (leaves.position(), *area, *means);
        let (owner, amount) = (leaves.player(), leaves.money());
        commands.push(Command::PlaceWager { position, area, owner: owner.clone(), amount, means });
        commands.push(Command::TakeBackWager { position, area, owner });
    }
    let words = leaves.text("the \"Ante\" goes back,\nas agreed");
    commands.push(Command::MakeRuling { ruling: Ruling { words, effects: effects(leaves) } });
    commands
}

fn on_positions(leaves: &mut Leaves) -> Vec<Command> {
    let mut commands = vec![
        Command::TakePosition { position: leaves.position(), player: leaves.player() },
        Command::LeavePosition { position: leaves.position() },
        Command::ViewHand { position: leaves.position() },
        Command::ShowHand { position: leaves.position() },
        Command::DeclineComparison { position: leaves.position() },
        Command::ViewDeclinedHand { position: leaves.position() },
        Command::ReportHandCount { position: leaves.position(), reconstructed: leaves.flag(true) },
        Command::InvalidateHands { positions: leaves.several(Leaves::position) },
        Command::ReportAbsent { position: leaves.position() },
        Command::ReportMisdeal {
            piles: leaves.several(|leaves| FoundPile { position: leaves.position(), cards: leaves.byte(2) }),
        },
    ];
    for decision in DECISIONS {
        commands.push(Command::Decide { position: leaves.position(), decision: *decision });
    }
    commands
}

fn on_players(leaves: &mut Leaves) -> Vec<Command> {
    vec![
        Command::InformPlayer { player: leaves.player() },
        Command::Withdraw { player: leaves.player() },
        Command::RestrictPlayer { player: leaves.player() },
        Command::LiftRestriction { player: leaves.player() },
        Command::ProhibitPlayer { player: leaves.player() },
        Command::ReadmitPlayer { player: leaves.player() },
        Command::StopAction { player: leaves.player() },
    ]
}

fn on_cards(leaves: &mut Leaves) -> Vec<Command> {
    let mut commands = vec![
        Command::DealCard { card: Some(leaves.card()) },
        Command::CountCards { counted: leaves.byte(51) },
        Command::ReportTableCount { reconstructed: leaves.flag(false) },
        Command::ReportExposedCards { cards: leaves.byte(2) },
    ];
    for place in places(leaves) {
        commands.push(Command::ReadCard { place, card: leaves.card() });
    }
    commands.extend(FAULTS.iter().map(|fault| Command::DeclareBadCards { fault: *fault }));
    commands
}
