//! Enters the irregularities of a record into the round.
//!
//! A hand that is already out stays out under its first rule, and a void round stays void. A later irregularity that
//! concerns them is not entered again.

use round::{
    CardFault, Command, Event, FoundPile, PlayerId, Reason, RecordedOut, Refusal, Ruling, TablePile,
};
use rulebook::{Means, PlayingArea, Position, R5_2, R5_5, R5_6, R5_7_1, R5_10_3, R5_16_1, Rule};

use crate::irregularity::{Irregularity, PileRecord, Reported, WithdrawnUnder};
use crate::model::RecordError;
use crate::play::Game;

/// What is wrong with an irregularity: the field, and why.
struct Wrong {
    field: &'static str,
    reason: String,
}

impl From<Refusal> for Wrong {
    fn from(refusal: Refusal) -> Wrong {
        Wrong { field: "", reason: refusal.to_string() }
    }
}

/// Enters an irregularity.
pub(crate) fn enter(game: &mut Game<'_>, place: usize, report: &Reported) -> Result<(), RecordError> {
    game.enter(report)
        .map_err(|wrong| RecordError::at(format!("irregularities[{place}]{}", wrong.field), wrong.reason))
}

impl Game<'_> {
    fn enter(&mut self, report: &Reported) -> Result<(), Wrong> {
        let when = report.at;
        // While the power is out, Players withdraw and rulings are made. Anything else waits until play goes on.
        let waits = !matches!(
            report.what,
            Irregularity::Withdrawal { under: WithdrawnUnder::PowerFailure, .. }
                | Irregularity::Ruling { .. }
        );
        if waits {
            self.resume();
        }
        match &report.what {
            Irregularity::ForeignCard {} => {
                self.order(&Command::DeclareBadCards { fault: CardFault::Foreign })
            }
            Irregularity::BadCards { fault } => self.order(&Command::DeclareBadCards { fault: *fault }),
            // The record does not give the count; any wrong number has the same effect.
            Irregularity::WrongCountOfDeck {} => self.order(&Command::CountCards { counted: 0 }),
            Irregularity::DeckCount { counted } => self.order(&Command::CountCards { counted: *counted }),
            Irregularity::Misdeal { piles, also, reconstructed } => self.misdeal(piles, also, *reconstructed),
            Irregularity::DealerOrCommunityCount { reconstructed } => {
                self.order(&Command::ReportTableCount { reconstructed: *reconstructed })
            }
            Irregularity::CardsExposed { count } => {
                self.order(&Command::ReportExposedCards { cards: *count })
            }
            Irregularity::LateWager { position, area, amount, player, means } => {
                let means = means.unwrap_or(Means::Chips);
                let (position, area, owner) = self.wager(*position, *area, player.as_deref());
                self.late_wager(&Command::PlaceWager { position, area, owner, amount: *amount, means })
            }
            Irregularity::LateRemoval { position, area, player } => {
                let (position, area, owner) = self.wager(*position, *area, player.as_deref());
                self.late_removal(&Command::TakeBackWager { position, area, owner })
            }
            Irregularity::PlayerCount { position, withdraw, reconstructed } => {
                for position in self.still_in(&[*position]) {
                    self.order(&Command::ReportHandCount { position, reconstructed: *reconstructed })?;
                }
                if when.is_none() && !reconstructed {
                    return self.take_out(RecordedOut::WithdrawnAfterWrongHand, withdraw);
                }
                self.withdraw_all(withdraw, WithdrawnUnder::WrongHand)
            }
            Irregularity::Prohibited { positions, players } => self.prohibit(positions, players),
            Irregularity::SeveralHands { invalid, viewed } if when.is_some() || viewed.is_some() => {
                self.invalidate(invalid, viewed.as_deref().unwrap_or_default())
            }
            Irregularity::SeveralHands { invalid, .. } => self.take_out(RecordedOut::SeveralHands, invalid),
            Irregularity::HandHandled { position } => {
                self.order(&Command::ReportHandled { position: Position(*position) })
            }
            Irregularity::HandViewed { position } => {
                self.order(&Command::ViewHand { position: Position(*position) })
            }
            Irregularity::ActionStopped { .. } if when.is_none() => Err(self.wrong(
                ".at",
                "is missing: only decisions that were still due are concerned",
                R5_10_3,
            )),
            Irregularity::ActionStopped { player } => {
                self.order(&Command::StopAction { player: PlayerId::new(player), reason: None })
            }
            Irregularity::PowerFailure { withdraw } if when.is_none() => {
                self.take_out(RecordedOut::WithdrawnAfterPowerFailure, withdraw)
            }
            Irregularity::PowerFailure { withdraw } => {
                self.order(&Command::ReportPowerFailure {})?;
                self.withdraw_all(withdraw, WithdrawnUnder::PowerFailure)
            }
            Irregularity::Withdrawal { player, under } => self.withdraw(PlayerId::new(player), *under),
            Irregularity::Ruling { words, effects } => {
                let ruling = Ruling { words: words.clone(), effects: effects.clone() };
                self.order(&Command::MakeRuling { ruling })
            }
        }
    }

    fn order(&mut self, command: &Command) -> Result<(), Wrong> {
        self.give_as_staff(command)?;
        Ok(())
    }

    fn wrong(&self, field: &'static str, reason: &str, rule: Rule) -> Wrong {
        Wrong { field, reason: format!("{reason} ({})", self.round.book().clause(rule)) }
    }

    /// Whole hands are moved if that corrects the deal; otherwise the round is void.
    fn misdeal(
        &mut self,
        piles: &[PileRecord],
        also: &[TablePile],
        reconstructed: bool,
    ) -> Result<(), Wrong> {
        let found = |pile: &PileRecord| FoundPile { position: Position(pile.position), cards: pile.cards };
        let (piles, also) = (piles.iter().map(found).collect(), also.to_vec());
        let events = self.give_as_staff(&Command::ReportMisdeal { piles, also })?;
        let can_be = events.iter().any(|event| matches!(event, Event::MisdealFound { moves: Some(_), .. }));
        match (can_be, reconstructed) {
            (true, true) => self.order(&Command::Reconstruct {}),
            (true, false) => self.order(&Command::GiveUpReconstruction {}),
            (false, false) => Ok(()),
            (false, true) => {
                Err(self.wrong(".reconstructed", "moving complete hands does not correct this deal", R5_2))
            }
        }
    }

    fn wager(
        &self,
        position: u8,
        area: PlayingArea,
        player: Option<&str>,
    ) -> (Position, PlayingArea, PlayerId) {
        let holder = self.record.seat(position).map(|seat| &*seat.player);
        (Position(position), area, PlayerId::new(player.or(holder).unwrap_or_default()))
    }

    /// The round refuses the wager, and nothing changes.
    fn late_wager(&mut self, command: &Command) -> Result<(), Wrong> {
        match self.give_as_staff(command) {
            Err(refusal) if refusal.clause.rule == R5_5 => Ok(()),
            Err(refusal) => Err(refusal.into()),
            Ok(_) => Err(self.wrong(".at", "bets were open, so this wager was not late", R5_5)),
        }
    }

    /// The removal is recorded, and the wager stays in play.
    fn late_removal(&mut self, command: &Command) -> Result<(), Wrong> {
        let events = self.give_as_staff(command)?;
        if events.iter().all(|event| matches!(event, Event::LateRemovalIgnored { .. })) {
            return Ok(());
        }
        Err(self.wrong(".at", "bets were open, so this wager was taken back in time", R5_6))
    }

    fn prohibit(&mut self, positions: &[u8], players: &[String]) -> Result<(), Wrong> {
        let at_positions = self.players_at(positions);
        for player in at_positions.into_iter().chain(players.iter().map(|name| PlayerId::new(name))) {
            if !self.round.memory().prohibited.contains(&player) {
                self.order(&Command::ProhibitPlayer { player, reason: None })?;
            }
        }
        Ok(())
    }

    /// Viewed hands play on. If the round accepts one view for each Player, the others need none: they are not named.
    fn invalidate(&mut self, invalid: &[u8], viewed: &[u8]) -> Result<(), Wrong> {
        for position in viewed.iter().copied().map(Position) {
            if self.round.seat(position).is_some_and(round::Seat::is_viewed) {
                continue;
            }
            match self.give_as_staff(&Command::ViewHand { position }) {
                Err(refusal) if refusal.reason != Reason::AnotherHandIsViewed => return Err(refusal.into()),
                Ok(_) | Err(_) => {}
            }
        }
        self.order(&Command::InvalidateHands { positions: invalid.iter().copied().map(Position).collect() })
    }

    fn withdraw_all(&mut self, positions: &[u8], under: WithdrawnUnder) -> Result<(), Wrong> {
        let hands: Vec<u8> = self.still_in(positions).iter().map(|position| position.0).collect();
        self.players_at(&hands).into_iter().try_for_each(|player| self.withdraw(player, under))
    }

    /// A Player withdraws all wagers under the rule that the record names.
    fn withdraw(&mut self, player: PlayerId, under: WithdrawnUnder) -> Result<(), Wrong> {
        let rule = match under {
            WithdrawnUnder::PowerFailure => R5_16_1,
            WithdrawnUnder::WrongHand => {
                self.permit_withdrawals()?;
                R5_7_1
            }
        };
        let events = self.give_as_staff(&Command::Withdraw { player })?;
        let withdrew =
            |event: &Event| matches!(event, Event::PlayerWithdrew { rule: under, .. } if *under == rule);
        if events.iter().any(withdrew) {
            return Ok(());
        }
        Err(self.wrong(".under", "the power had not failed", rule))
    }

    fn permit_withdrawals(&mut self) -> Result<(), Wrong> {
        match self.give_as_staff(&Command::PermitWithdrawals {}) {
            Err(refusal) if refusal.reason != Reason::WithdrawalsPermitted => Err(refusal.into()),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Takes out hands as a record names them that does not say when.
    fn take_out(&mut self, why: RecordedOut, positions: &[u8]) -> Result<(), Wrong> {
        let hands = self.still_in(positions);
        self.round.take_out_recorded(why, &hands)?;
        Ok(())
    }

    /// The positions whose hand is not out yet.
    fn still_in(&self, positions: &[u8]) -> Vec<Position> {
        let is_in = |position: &Position| {
            self.round.seat(*position).is_some_and(|seat| seat.is_dealt_in() && seat.out().is_none())
        };
        positions.iter().copied().map(Position).filter(is_in).collect()
    }

    /// The Players at some positions, each once.
    fn players_at(&self, positions: &[u8]) -> Vec<PlayerId> {
        let named = self.record.positions.iter().filter(|seat| positions.contains(&seat.position));
        let mut players: Vec<PlayerId> = Vec::new();
        for player in named.map(|seat| PlayerId::new(&seat.player)) {
            if !players.contains(&player) {
                players.push(player);
            }
        }
        players
    }
}
