//! Which command brought events about. A round writes down enough to tell, so its commands can be given again.

use round::{Command, Event, FoundPile, Move, Round};
use rulebook::{Position, R5_2, R5_3, R5_7, R5_10_1, R5_10_2, R5_11};

/// The command of a round whose events begin with these, `exposed` being how many cards were wrongly exposed before.
/// `None` where no command begins like this.
pub(super) fn round_command(round: &Round, events: &[&Event], exposed: u8) -> Option<Command> {
    let first = *events.first()?;
    Some(match first {
        Event::PlayerInformed { player } => Command::InformPlayer { player: player.clone() },
        Event::PositionTaken { position, player } => {
            Command::TakePosition { position: *position, player: player.clone() }
        }
        Event::PositionLeft { position } => Command::LeavePosition { position: *position },
        Event::BetsOpened => Command::OpenBets,
        Event::WagerPlaced { position, area, owner, amount, means, .. } => Command::PlaceWager {
            position: *position,
            area: *area,
            owner: owner.clone(),
            amount: *amount,
            means: *means,
        },
        Event::WagerTakenBack { position, area, owner }
        | Event::LateRemovalIgnored { position, area, owner, .. } => {
            Command::TakeBackWager { position: *position, area: *area, owner: owner.clone() }
        }
        Event::BetsClosed => Command::CloseBets,
        Event::CardDealt { card, .. } => Command::DealCard { card: *card },
        Event::CardRead { place, card } => Command::ReadCard { place: *place, card: *card },
        Event::Exposed { .. } => Command::Expose,
        Event::HandViewed { position } => Command::ViewHand { position: *position },
        Event::Decided { position, rule, .. } if *rule == R5_11 => {
            Command::ReportAbsent { position: *position }
        }
        Event::Decided { position, decision, .. } => {
            Command::Decide { position: *position, decision: *decision }
        }
        Event::HandShown { position } => Command::ShowHand { position: *position },
        Event::ComparisonDeclined { position, .. } => Command::DeclineComparison { position: *position },
        Event::DeclinedHandViewed { position, .. } => Command::ViewDeclinedHand { position: *position },
        // Whoever is warned is warned by the settlement that follows.
        Event::PlayerWarned { .. } | Event::Settled { .. } => Command::Settle,
        Event::RoundClosed => Command::BeginNextRound,
        Event::BadCardsDeclared { .. }
        | Event::CardsCounted { .. }
        | Event::MisdealFound { .. }
        | Event::HandsMoved { .. }
        | Event::TableCountCorrected { .. }
        | Event::HandCountCorrected { .. }
        | Event::CardsExposed { .. }
        | Event::HandOut { .. }
        | Event::BonusForfeited { .. }
        | Event::ShareOut { .. }
        | Event::WithdrawalsPermitted { .. }
        | Event::PlayerWithdrew { .. }
        | Event::PlayerRestricted { .. }
        | Event::RestrictionLifted { .. }
        | Event::PlayerProhibited { .. }
        | Event::PlayerReadmitted { .. }
        | Event::ActionStopped { .. }
        | Event::PowerFailed { .. }
        | Event::PlayResumed { .. }
        | Event::RulingMade { .. }
        | Event::RoundVoided { .. }
        | Event::JackpotWagerInvalid { .. } => return irregularity(round, events, exposed),
    })
}

/// The same, for the sections on what goes wrong.
fn irregularity(round: &Round, events: &[&Event], exposed: u8) -> Option<Command> {
    let first = *events.first()?;
    Some(match first {
        Event::BadCardsDeclared { fault, .. } => Command::DeclareBadCards { fault: *fault },
        Event::CardsCounted { counted, .. } => Command::CountCards { counted: *counted },
        Event::MisdealFound { moves, .. } => Command::ReportMisdeal { piles: piles(round, moves.as_deref()) },
        Event::HandsMoved { .. } => Command::Reconstruct,
        Event::TableCountCorrected { .. } => Command::ReportTableCount { reconstructed: true },
        Event::HandCountCorrected { position, .. } => {
            Command::ReportHandCount { position: *position, reconstructed: true }
        }
        Event::CardsExposed { in_all, .. } => {
            Command::ReportExposedCards { cards: in_all.checked_sub(exposed)? }
        }
        Event::HandOut { position, rule } if *rule == R5_7 => {
            Command::ReportHandCount { position: *position, reconstructed: false }
        }
        Event::HandOut { rule, .. } if *rule == R5_10_1 || *rule == R5_10_2 => {
            Command::InvalidateHands { positions: hands_out(events) }
        }
        Event::HandOut { position, rule } | Event::BonusForfeited { position, rule } if *rule == R5_11 => {
            Command::ReportAbsent { position: *position }
        }
        Event::WithdrawalsPermitted { .. } => Command::PermitWithdrawals,
        Event::PlayerWithdrew { player, .. } => Command::Withdraw { player: player.clone() },
        Event::PlayerRestricted { player, .. } => Command::RestrictPlayer { player: player.clone() },
        Event::RestrictionLifted { player, .. } => Command::LiftRestriction { player: player.clone() },
        Event::PlayerProhibited { player, .. } => Command::ProhibitPlayer { player: player.clone() },
        Event::PlayerReadmitted { player, .. } => Command::ReadmitPlayer { player: player.clone() },
        Event::ActionStopped { player, .. } => Command::StopAction { player: player.clone() },
        Event::PowerFailed { .. } => Command::ReportPowerFailure,
        Event::PlayResumed { .. } => Command::ResumePlay,
        Event::RulingMade { ruling, .. } => Command::MakeRuling { ruling: ruling.clone() },
        Event::RoundVoided { rule } if *rule == R5_2 => Command::GiveUpReconstruction,
        Event::RoundVoided { rule } if *rule == R5_3 => Command::ReportTableCount { reconstructed: false },
        Event::HandOut { .. }
        | Event::BonusForfeited { .. }
        | Event::RoundVoided { .. }
        | Event::ShareOut { .. }
        | Event::JackpotWagerInvalid { .. }
        | Event::PlayerInformed { .. }
        | Event::PositionTaken { .. }
        | Event::PositionLeft { .. }
        | Event::BetsOpened
        | Event::WagerPlaced { .. }
        | Event::WagerTakenBack { .. }
        | Event::LateRemovalIgnored { .. }
        | Event::BetsClosed
        | Event::CardDealt { .. }
        | Event::CardRead { .. }
        | Event::Exposed { .. }
        | Event::HandViewed { .. }
        | Event::Decided { .. }
        | Event::HandShown { .. }
        | Event::ComparisonDeclined { .. }
        | Event::DeclinedHandViewed { .. }
        | Event::PlayerWarned { .. }
        | Event::Settled { .. }
        | Event::RoundClosed => return None,
    })
}

fn hands_out(events: &[&Event]) -> Vec<Position> {
    let out = events
        .iter()
        .map_while(|event| if let Event::HandOut { position, .. } = event { Some(*position) } else { None });
    out.collect()
}

/// Piles that need these moves: a whole hand where each moved one came from and where each other one belongs. Without
/// a way to put it right, piles that have none.
fn piles(round: &Round, moves: Option<&[Move]>) -> Vec<FoundPile> {
    let Some(moves) = moves else {
        return Vec::new();
    };
    let cards = u8::try_from(round.book().hand_cards()).unwrap_or(u8::MAX);
    let belongs = round.seats().filter(|(_, seat)| seat.is_dealt_in());
    let pile = |(to, _)| moves.iter().find(|each| each.to == to).map_or(to, |each| each.from);
    belongs.map(pile).map(|position| FoundPile { position, cards }).collect()
}
