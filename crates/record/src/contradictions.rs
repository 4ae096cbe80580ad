//! Irregularities that contradict the rest of their record: what a rule does not allow cannot have happened.

use rulebook::{PlayingArea, R5_4, R5_7, R5_7_1, R5_9, R5_10, R5_10_1, R5_16_1, R5_16_2, Rule, Rulebook};

use crate::model::{FirstDecision, Irregularity, LaterDecision, PositionRecord, Record, RecordError};

type Checked = Result<(), RecordError>;

/// Checks the irregularities of a record against its positions.
pub(crate) fn check(book: &Rulebook, record: &Record<'_>) -> Checked {
    for (place, irregularity) in record.irregularities.iter().enumerate() {
        let of = Report { book, record, place, earlier: &record.irregularities[..place] };
        of.check(irregularity)?;
    }
    Ok(())
}

/// Whether a Player who withdrew after a power failure had wagered on an area by then.
pub(crate) fn withdrew_after(record: &Record<'_>, area: PlayingArea, first: bool) -> Option<usize> {
    let wagered = |position: &u8| {
        seat(record, *position).is_some_and(|seat| {
            let bet = seat.decision == Some(FirstDecision::Bet);
            bet && (first || seat.later(area) == Some(LaterDecision::Bet))
        })
    };
    record.irregularities.iter().position(|irregularity| match irregularity {
        Irregularity::PowerFailure { withdraw } => withdraw.iter().any(wagered),
        Irregularity::ForeignCard {}
        | Irregularity::WrongCountOfDeck {}
        | Irregularity::DealerOrCommunityCount {}
        | Irregularity::CardsExposed { .. }
        | Irregularity::PlayerCount { .. }
        | Irregularity::Prohibited { .. }
        | Irregularity::SeveralHands { .. } => false,
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
    earlier: &'r [Irregularity],
}

impl Report<'_> {
    fn check(&self, irregularity: &Irregularity) -> Checked {
        match irregularity {
            Irregularity::CardsExposed { count: 0 } => {
                self.wrong(".count", "no card was exposed, so nothing happened", R5_4)
            }
            Irregularity::ForeignCard {}
            | Irregularity::WrongCountOfDeck {}
            | Irregularity::DealerOrCommunityCount {}
            | Irregularity::CardsExposed { .. } => Ok(()),
            Irregularity::PlayerCount { position, withdraw } => {
                self.known(std::slice::from_ref(position))?;
                self.known(withdraw)?;
                self.has_hand(*position, ".position", R5_7)?;
                self.withdraws_everywhere(withdraw, Some(*position), R5_7_1)
            }
            Irregularity::Prohibited { positions } => {
                self.known(positions)?;
                if positions.is_empty() {
                    return self.wrong(".positions", "nobody is named", R5_9);
                }
                Ok(())
            }
            Irregularity::SeveralHands { invalid } => self.check_several(invalid),
            Irregularity::PowerFailure { withdraw } => {
                self.known(withdraw)?;
                self.withdraws_everywhere(withdraw, None, R5_16_1)?;
                self.nothing_established(withdraw)
            }
        }
    }

    fn wrong(&self, field: &str, reason: &str, rule: Rule) -> Checked {
        let reason = format!("{reason} ({})", self.book.clause(rule));
        Err(RecordError::at(format!("irregularities[{}]{field}", self.place), reason))
    }

    /// Irregularities may name only positions of the record.
    fn known(&self, positions: &[u8]) -> Checked {
        match positions.iter().find(|position| seat(self.record, **position).is_none()) {
            None => Ok(()),
            Some(position) => {
                let reason = format!("position {position} has no wager in this record");
                Err(RecordError::at(format!("irregularities[{}]", self.place), reason))
            }
        }
    }

    fn has_hand(&self, position: u8, field: &str, rule: Rule) -> Checked {
        if seat(self.record, position).is_some_and(|seat| seat.ante.is_some()) {
            return Ok(());
        }
        self.wrong(field, &format!("position {position} has no Ante, so it has no hand"), rule)
    }

    /// A Player withdraws all wagers or none. Hands that were out before are not withdrawn.
    fn withdraws_everywhere(&self, withdraw: &[u8], out: Option<u8>, rule: Rule) -> Checked {
        let named = |player: &str| withdraw.iter().any(|position| self.player(*position) == Some(player));
        let stays = self.record.positions.iter().find(|seat| {
            let is_in = !withdraw.contains(&seat.position) && out != Some(seat.position);
            is_in && seat.ante.is_some() && named(&seat.player) && !self.was_out(seat)
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
        for seat in withdraw.iter().filter_map(|position| seat(self.record, *position)) {
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

    /// 5.10 is about the hands of one Player, one of which plays on. If no Player of the record has several positions,
    /// the record does not say whose hands they were: its names may be those of the positions.
    fn check_several(&self, invalid: &[u8]) -> Checked {
        self.known(invalid)?;
        if invalid.is_empty() {
            return self.wrong(".invalid", "no hand is named", R5_10_1);
        }
        for position in invalid {
            self.has_hand(*position, ".invalid", R5_10)?;
        }
        let hands = |player: &str| {
            let hands = self.record.positions.iter().filter(|seat| seat.ante.is_some());
            hands.filter(|seat| seat.player == player).count()
        };
        if !self.record.positions.iter().any(|seat| 1 < hands(&seat.player)) {
            return Ok(());
        }
        for player in invalid.iter().filter_map(|position| self.player(*position)) {
            if hands(player) == 1 {
                let reason = format!("{player} has one hand, so it cannot be one of several");
                return self.wrong(".invalid", &reason, R5_10);
            }
            let of_player = |seat: &&PositionRecord<'_>| seat.player == player && seat.ante.is_some();
            let mut hands = self.record.positions.iter().filter(of_player);
            if hands.all(|seat| invalid.contains(&seat.position) || self.was_invalid(seat.position)) {
                let reason = format!("all hands of {player} are named, but one must play on");
                return self.wrong(".invalid", &reason, R5_10);
            }
        }
        Ok(())
    }

    /// Whether an earlier irregularity of the same kind named the hand.
    fn was_invalid(&self, position: u8) -> bool {
        self.earlier.iter().any(|irregularity| {
            matches!(irregularity, Irregularity::SeveralHands { invalid } if invalid.contains(&position))
        })
    }

    /// Whether a hand was out before this irregularity.
    fn was_out(&self, seat: &PositionRecord<'_>) -> bool {
        let position = &seat.position;
        let out = |irregularity: &Irregularity| match irregularity {
            Irregularity::ForeignCard {}
            | Irregularity::WrongCountOfDeck {}
            | Irregularity::DealerOrCommunityCount {}
            | Irregularity::CardsExposed { .. } => false,
            Irregularity::PlayerCount { position: wrong, withdraw } => {
                wrong == position || withdraw.contains(position)
            }
            Irregularity::Prohibited { positions } => {
                positions.iter().any(|named| self.player(*named) == Some(&*seat.player))
            }
            Irregularity::SeveralHands { invalid } => invalid.contains(position),
            Irregularity::PowerFailure { withdraw } => withdraw.contains(position),
        };
        seat.decision == Some(FirstDecision::Absent) || self.earlier.iter().any(out)
    }

    fn player(&self, position: u8) -> Option<&str> {
        seat(self.record, position).map(|seat| &*seat.player)
    }
}

fn seat<'r>(record: &'r Record<'r>, position: u8) -> Option<&'r PositionRecord<'r>> {
    record.positions.iter().find(|seat| seat.position == position)
}
