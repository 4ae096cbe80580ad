//! Enters the irregularities of a record into the round before it is settled.
//!
//! A hand that is already out stays out under its first rule, and a void round stays void. A later irregularity that
//! concerns them is not entered again.

use round::{Asker, CardFault, Command, PlayerId, RecordedOut, Refusal, Round, Stage};
use rulebook::{Office, Position};

use crate::model::{Irregularity, Record, RecordError};

/// The highest office may act for every other (6.2).
const STAFF: Asker = Asker::Staff(Office::GamingShiftManager);

/// Enters all irregularities, in the order of the record.
pub(crate) fn enter(round: &mut Round, record: &Record<'_>) -> Result<(), RecordError> {
    for (place, irregularity) in record.irregularities.iter().enumerate() {
        if round.stage() == Stage::Void {
            break;
        }
        enter_one(round, record, irregularity)
            .map_err(|refusal| RecordError::at(format!("irregularities[{place}]"), refusal.to_string()))?;
    }
    Ok(())
}

fn enter_one(round: &mut Round, record: &Record<'_>, irregularity: &Irregularity) -> Result<(), Refusal> {
    match irregularity {
        Irregularity::ForeignCard {} => give(round, &Command::DeclareBadCards { fault: CardFault::Foreign }),
        // The record does not give the count; any wrong number has the same effect.
        Irregularity::WrongCountOfDeck {} => give(round, &Command::CountCards { counted: 0 }),
        Irregularity::DealerOrCommunityCount {} => {
            give(round, &Command::ReportTableCount { reconstructed: false })
        }
        Irregularity::CardsExposed { count } => give(round, &Command::ReportExposedCards { cards: *count }),
        Irregularity::PlayerCount { position, withdraw } => {
            for position in still_in(round, &[*position]) {
                give(round, &Command::ReportHandCount { position, reconstructed: false })?;
            }
            take_out(round, RecordedOut::WithdrawnAfterWrongHand, withdraw)
        }
        Irregularity::Prohibited { positions } => {
            for player in players(record, positions) {
                if !round.memory().prohibited.contains(&player) {
                    give(round, &Command::ProhibitPlayer { player })?;
                }
            }
            Ok(())
        }
        Irregularity::SeveralHands { invalid } => take_out(round, RecordedOut::SeveralHands, invalid),
        Irregularity::PowerFailure { withdraw } => {
            take_out(round, RecordedOut::WithdrawnAfterPowerFailure, withdraw)
        }
    }
}

fn give(round: &mut Round, command: &Command) -> Result<(), Refusal> {
    round.apply(&STAFF, command).map(|_| ())
}

fn take_out(round: &mut Round, why: RecordedOut, positions: &[u8]) -> Result<(), Refusal> {
    let hands = still_in(round, positions);
    round.take_out_recorded(why, &hands).map(|_| ())
}

/// The positions whose hand is not out yet.
fn still_in(round: &Round, positions: &[u8]) -> Vec<Position> {
    let is_in = |position: &Position| {
        round.seat(*position).is_some_and(|seat| seat.is_dealt_in() && seat.out().is_none())
    };
    positions.iter().copied().map(Position).filter(is_in).collect()
}

/// The Players at some positions.
fn players<'r>(record: &'r Record<'_>, positions: &'r [u8]) -> impl Iterator<Item = PlayerId> + 'r {
    let named = record.positions.iter().filter(|seat| positions.contains(&seat.position));
    named.map(|seat| PlayerId::new(&seat.player))
}
