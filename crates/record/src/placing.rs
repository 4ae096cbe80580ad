//! The table of a record, and its wagers up to "No more bets".

use std::collections::BTreeSet;
use std::sync::Arc;

use money::Money;
use round::{Command, Event, PlayerId, Round, Stage, TableMemory, TableRules};
use rulebook::{Limits, Means, PlayingArea, Position, R3_4, Rulebook};

use crate::model::{PositionRecord, Record, RecordError};
use crate::play::Game;

/// A new round at the record's table.
pub(crate) fn open(book: &Arc<Rulebook>, record: &Record<'_>) -> Result<Round, RecordError> {
    let range = |[min, max]: [Money; 2]| min..=max;
    let table = &record.table;
    let limits = Limits { ante: range(table.limits.ante), bonus: table.limits.bonus.map(range) };
    let minimum = record.jackpot.as_ref().map(|jackpot| jackpot.minimum_wager);
    if minimum.is_some_and(Money::is_zero) {
        return Err(RecordError::at("jackpot.minimum_wager", "must be more than zero"));
    }
    let method = table.method.as_deref();
    let rules = TableRules::new(Arc::clone(book), table.positions, limits, method, minimum)
        .map_err(|error| RecordError::at("table", error.to_string()))?;
    let warned = table.warned.iter().map(|name| PlayerId::new(name)).collect();
    let named =
        |names: &[String]| -> BTreeSet<PlayerId> { names.iter().map(|name| PlayerId::new(name)).collect() };
    // Most records do not say whether Players on several positions were told about viewing, so it is assumed.
    let informed = match &table.informed {
        Some(informed) => named(informed),
        None => several(record).collect(),
    };
    let (restricted, prohibited) = (named(&table.restricted), named(&table.prohibited));
    Ok(Round::new(&rules, TableMemory { informed, warned, restricted, prohibited }))
}

/// The players on more than one position.
fn several<'r>(record: &'r Record<'_>) -> impl Iterator<Item = PlayerId> + 'r {
    let again = |(place, position): &(usize, &PositionRecord<'_>)| {
        record.positions[..*place].iter().any(|earlier| earlier.player == position.player)
    };
    record.positions.iter().enumerate().filter(again).map(|(_, position)| PlayerId::new(&position.player))
}

impl Game<'_> {
    /// Wagers are chips on the felt unless the record says otherwise, so wagers outside the limits are only found at the
    /// settlement.
    pub(crate) fn place_wagers(&mut self) -> Result<(), RecordError> {
        for (place, seat) in self.record.positions.iter().enumerate() {
            let (position, player) = (Position(seat.position), PlayerId::new(&seat.player));
            self.give_at(place, ".position", &Command::TakePosition { position, player })?;
        }
        self.procedure_step(&Command::OpenBets {});
        for (place, seat) in self.record.positions.iter().enumerate() {
            self.place_wagers_at(place, seat)?;
        }
        self.enter_due()?;
        if self.round.stage() == Stage::BetsOpen {
            self.close_bets()?;
        }
        Ok(())
    }

    fn place_wagers_at(&mut self, place: usize, seat: &PositionRecord<'_>) -> Result<(), RecordError> {
        let means = seat.means.clone().unwrap_or_default();
        let holder = self.round.seat(Position(seat.position)).and_then(|seat| seat.holder().cloned());
        let holder = holder.expect("the Player has taken the position");
        self.place_wager(place, ".ante", (PlayingArea::Ante, seat.ante, means.ante), &holder)?;
        self.place_wager(place, ".bonus", (PlayingArea::Bonus, seat.bonus, means.bonus), &holder)?;
        for (at, share) in seat.shares.iter().enumerate() {
            let player = PlayerId::new(&share.player);
            let ante = (PlayingArea::Ante, share.ante, share.means);
            self.place_wager(place, &format!(".shares[{at}].ante"), ante, &player)?;
            let bonus = (PlayingArea::Bonus, share.bonus, share.means);
            self.place_wager(place, &format!(".shares[{at}].bonus"), bonus, &player)?;
        }
        let jackpot = (PlayingArea::Jackpot, self.jackpot_wager(place, seat)?, means.jackpot);
        self.place_wager(place, ".jackpot", jackpot, &holder)
    }

    fn jackpot_wager(&self, place: usize, seat: &PositionRecord<'_>) -> Result<Option<Money>, RecordError> {
        let Some(times) = seat.jackpot else { return Ok(None) };
        let at = || format!("positions[{place}].jackpot");
        let Some(jackpot) = &self.record.jackpot else {
            return Err(RecordError::at(at(), "the record has no jackpot"));
        };
        let amount = jackpot.minimum_wager.times(times.into());
        amount.map(Some).map_err(|overflow| RecordError::at(at(), overflow.to_string()))
    }

    fn place_wager(
        &mut self,
        place: usize,
        field: &str,
        (area, amount, means): (PlayingArea, Option<Money>, Option<Means>),
        owner: &PlayerId,
    ) -> Result<(), RecordError> {
        let Some(amount) = amount else { return Ok(()) };
        let position = Position(self.record.positions[place].position);
        let (owner, means) = (owner.clone(), means.unwrap_or(Means::Chips));
        self.give_at(place, field, &Command::PlaceWager { position, area, owner, amount, means })
    }

    /// "No more bets". Credits under the minimum would be returned now, so a record cannot have them.
    fn close_bets(&mut self) -> Result<(), RecordError> {
        let events = self.give(|| "positions".to_owned(), &Command::CloseBets {})?;
        for event in events {
            if let Event::WagerTakenBack { position, area, .. } = event {
                let place = self.record.positions.iter().position(|seat| seat.position == position.0);
                let path = format!("positions[{}]", place.unwrap_or_default());
                let clause = self.round.book().clause(R3_4);
                let reason = format!("a terminal takes no credits on {area} under the minimum ({clause})");
                return Err(RecordError::at(path, reason));
            }
        }
        Ok(())
    }
}
