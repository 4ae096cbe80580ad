//! Irregularities that contradict the rest of their record: what a rule does not allow cannot have happened.

use round::Effect;
use rulebook::{PlayingArea, R5_4, R5_7, R5_7_1, R5_9, R5_10, R5_10_1, R5_16_1, R5_16_2, Rule, Rulebook};

use crate::irregularity::{Irregularity, Reported};
use crate::model::{FirstDecision, LaterDecision, PositionRecord, Record, RecordError};

type Checked = Result<(), RecordError>;

/// Checks the irregularities of a record against its positions.
pub(crate) fn check(book: &Rulebook, record: &Record<'_>) -> Checked {
    for (place, report) in record.irregularities.iter().enumerate() {
        let of = Report { book, record, place, earlier: &record.irregularities[..place] };
        of.check(report)?;
    }
    Ok(())
}

/// Whether a Player who withdrew after a power failure had wagered on an area by then.
pub(crate) fn withdrew_after(record: &Record<'_>, area: PlayingArea, first: bool) -> Option<usize> {
    let wagered = |position: &u8| {
        record.seat(*position).is_some_and(|seat| {
            let bet = seat.decision == Some(FirstDecision::Bet);
            bet && (first || seat.later(area) == Some(LaterDecision::Bet))
        })
    };
    record.irregularities.iter().position(|report| match &report.what {
        Irregularity::PowerFailure { withdraw } => report.at.is_none() && withdraw.iter().any(wagered),
        _ => false,
    })
}

/// The error of a withdrawal when an outcome was established.
pub(crate) fn established(book: &Rulebook, place: usize, why: &str) -> RecordError {
    let clause = book.clause(R5_16_2);
    let reason = format!("{why}, so an outcome was established and nobody may withdraw ({clause})");
    RecordError::at(format!("irregularities[{place}].withdraw"), reason)
}

/// One irregularity of a record.
struct Report<'r> {
    book: &'r Rulebook,
    record: &'r Record<'r>,
    place: usize,
    earlier: &'r [Reported],
}

impl Report<'_> {
    fn check(&self, report: &Reported) -> Checked {
        match &report.what {
            Irregularity::CardsExposed { count: 0 } => {
                self.wrong(".count", "no card was exposed, so nothing happened", R5_4)
            }
            Irregularity::ForeignCard {}
            | Irregularity::BadCards { .. }
            | Irregularity::WrongCountOfDeck {}
            | Irregularity::DeckCount { .. }
            | Irregularity::Misdeal { .. }
            | Irregularity::DealerOrCommunityCount { .. }
            | Irregularity::CardsExposed { .. }
            | Irregularity::Ruling { .. } => Ok(()),
            Irregularity::LateWager { position, .. }
            | Irregularity::HandViewed { position }
            | Irregularity::HandHandled { position } => self.known(&[*position]),
            Irregularity::LateRemoval { position, player, .. } => {
                self.known(&[*position])?;
                self.known_players(player.as_slice())
            }
            Irregularity::PlayerCount { position, withdraw, .. } => {
                self.known(&[*position])?;
                self.known(withdraw)?;
                self.has_hand(*position, ".position", R5_7)?;
                self.withdraws_everywhere(withdraw, Some(*position), R5_7_1)
            }
            Irregularity::Prohibited { positions, players } => {
                self.known(positions)?;
                self.known_players(players)?;
                if positions.is_empty() && players.is_empty() {
                    return self.wrong(".positions", "nobody is named", R5_9);
                }
                Ok(())
            }
            Irregularity::SeveralHands { invalid, viewed } => {
                let says_whose = report.at.is_some() || viewed.is_some();
                self.check_several(invalid, viewed.as_deref().unwrap_or_default(), says_whose)
            }
            Irregularity::ActionStopped { player } | Irregularity::Withdrawal { player, .. } => {
                self.known_players(std::slice::from_ref(player))
            }
            Irregularity::PowerFailure { withdraw } => {
                self.known(withdraw)?;
                self.withdraws_everywhere(withdraw, None, R5_16_1)?;
                if report.at.is_none() { self.nothing_established(withdraw) } else { Ok(()) }
            }
        }
    }

    fn wrong(&self, field: &str, reason: &str, rule: Rule) -> Checked {
        let reason = format!("{reason} ({})", self.book.clause(rule));
        Err(RecordError::at(format!("irregularities[{}]{field}", self.place), reason))
    }

    /// Irregularities may name only positions of the record.
    fn known(&self, positions: &[u8]) -> Checked {
        match positions.iter().find(|position| self.record.seat(**position).is_none()) {
            None => Ok(()),
            Some(position) => {
                let reason = format!("position {position} has no wager in this record");
                Err(RecordError::at(format!("irregularities[{}]", self.place), reason))
            }
        }
    }

    /// The same of Players: at a position, or with a share in its wagers.
    fn known_players(&self, players: &[String]) -> Checked {
        let is_known = |player: &str| self.record.positions.iter().any(|seat| seat.has_player(player));
        match players.iter().find(|player| !is_known(player)) {
            None => Ok(()),
            Some(player) => {
                let reason = format!("{player} has no wager in this record");
                Err(RecordError::at(format!("irregularities[{}]", self.place), reason))
            }
        }
    }

    fn has_hand(&self, position: u8, field: &str, rule: Rule) -> Checked {
        if self.record.seat(position).is_some_and(PositionRecord::has_hand) {
            return Ok(());
        }
        self.wrong(field, &format!("position {position} has no Ante, so it has no hand"), rule)
    }

    /// A Player withdraws all wagers or none. Hands that were out before are not withdrawn.
    fn withdraws_everywhere(&self, withdraw: &[u8], out: Option<u8>, rule: Rule) -> Checked {
        let named = |player: &str| withdraw.iter().any(|position| self.player(*position) == Some(player));
        let stays = self.record.positions.iter().find(|seat| {
            let is_in = !withdraw.contains(&seat.position) && out != Some(seat.position);
            is_in && seat.has_hand() && named(&seat.player) && !self.was_out(seat)
        });
        match stays {
            None => Ok(()),
            Some(seat) => {
                let reason = format!(
                    "{} stays in on position {}, but a Player withdraws all wagers or none",
                    seat.player, seat.position
                );
                self.wrong(".withdraw", &reason, rule)
            }
        }
    }

    /// A folded or declined hand has lost, so nobody may withdraw any more.
    fn nothing_established(&self, withdraw: &[u8]) -> Checked {
        for seat in withdraw.iter().filter_map(|position| self.record.seat(*position)) {
            let lost = match seat.decision {
                Some(FirstDecision::Fold) => "had folded",
                _ if seat.declines => "had declined comparison",
                _ => continue,
            };
            if !self.was_out(seat) {
                let why = format!("position {} {lost}", seat.position);
                return Err(established(self.book, self.place, &why));
            }
        }
        Ok(())
    }

    /// 5.10 is about the hands of one Player, of which one plays on. A record that says neither when it was nor which
    /// hands were viewed, and in which no Player has several positions, does not say whose hands they were: its names
    /// may be those of the positions.
    fn check_several(&self, invalid: &[u8], viewed: &[u8], says_whose: bool) -> Checked {
        self.known(invalid)?;
        self.known(viewed)?;
        if invalid.is_empty() {
            return self.wrong(".invalid", "no hand is named", R5_10_1);
        }
        for position in invalid {
            self.has_hand(*position, ".invalid", R5_10)?;
        }
        if let Some(both) = viewed.iter().find(|position| invalid.contains(position)) {
            return self.wrong(".viewed", &format!("hand {both} was viewed, so it plays on"), R5_10_1);
        }
        let hands_of = |player: &str| -> Vec<u8> {
            let hands = self.record.positions.iter().filter(|seat| seat.has_hand() && seat.player == player);
            hands.map(|seat| seat.position).collect()
        };
        if !says_whose && self.record.positions.iter().all(|seat| hands_of(&seat.player).len() < 2) {
            return Ok(());
        }
        for player in invalid.iter().filter_map(|position| self.player(*position)) {
            let hands = hands_of(player);
            if hands.len() == 1 {
                let reason = format!("{player} has one hand, so it cannot be one of several");
                return self.wrong(".invalid", &reason, R5_10);
            }
            if hands.iter().all(|hand| invalid.contains(hand) || self.was_invalid(*hand)) {
                let reason = format!("all hands of {player} are named, but one must play on");
                return self.wrong(".invalid", &reason, R5_10);
            }
        }
        Ok(())
    }

    /// Whether an earlier irregularity of the same kind named the hand.
    fn was_invalid(&self, position: u8) -> bool {
        self.earlier.iter().any(|report| {
            matches!(&report.what, Irregularity::SeveralHands { invalid, .. } if invalid.contains(&position))
        })
    }

    /// Whether a hand was out before this irregularity.
    fn was_out(&self, seat: &PositionRecord<'_>) -> bool {
        let position = &seat.position;
        let is_named = |named: &[u8]| named.iter().any(|named| self.player(*named) == Some(&*seat.player));
        let out = |report: &Reported| match &report.what {
            Irregularity::PlayerCount { position: wrong, withdraw, reconstructed } => {
                wrong == position && !reconstructed || withdraw.contains(position)
            }
            Irregularity::Prohibited { positions, players } => {
                is_named(positions) || players.iter().any(|name| *name == seat.player)
            }
            Irregularity::SeveralHands { invalid, .. } => invalid.contains(position),
            Irregularity::PowerFailure { withdraw } => withdraw.contains(position),
            Irregularity::Withdrawal { player, .. } | Irregularity::ActionStopped { player } => {
                *player == seat.player
            }
            Irregularity::Ruling { effects, .. } => effects
                .iter()
                .any(|effect| matches!(effect, Effect::HandOut { position: out } if out.0 == *position)),
            Irregularity::ForeignCard {}
            | Irregularity::BadCards { .. }
            | Irregularity::WrongCountOfDeck {}
            | Irregularity::DeckCount { .. }
            | Irregularity::Misdeal { .. }
            | Irregularity::DealerOrCommunityCount { .. }
            | Irregularity::CardsExposed { .. }
            | Irregularity::LateWager { .. }
            | Irregularity::LateRemoval { .. }
            | Irregularity::HandViewed { .. }
            | Irregularity::HandHandled { .. } => false,
        };
        seat.decision == Some(FirstDecision::Absent) || self.earlier.iter().any(out)
    }

    fn player(&self, position: u8) -> Option<&str> {
        self.record.seat(position).map(|seat| &*seat.player)
    }
}
