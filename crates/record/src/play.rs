//! Plays a record through a round, as at a table, and enters it into its jackpot.
//!
//! The round decides everything as it would at a table. A command that the round refuses is an error in the record.

use std::collections::BTreeSet;
use std::sync::Arc;

use cards::Card;
use jackpot::{RoundAwards, enter_round};
use money::{Money, Pool};
use round::{
    Asker, Command, Decision, Line, Outcome, Place, PlayerId, Round, Settlement, Stage, TableMemory,
    TableRules,
};
use rulebook::{Limits, Means, Office, PlayingArea, Position, Rulebook};

use crate::answer::{Answer, AreaAnswer, Areas, AwardAnswer, JackpotAnswer, PositionAnswer};
use crate::check::check;
use crate::contradictions;
use crate::irregularities;
use crate::model::{FirstDecision, LaterDecision, PositionRecord, Record, RecordError};

const DEALER: Asker = Asker::Staff(Office::Dealer);

/// The rulebooks that records may name.
#[derive(Clone, Debug)]
pub struct Books(Vec<Arc<Rulebook>>);

impl Books {
    pub fn new(books: Vec<Rulebook>) -> Books {
        Books(books.into_iter().map(Arc::new).collect())
    }

    /// The book with this id.
    pub fn get(&self, id: &str) -> Option<&Arc<Rulebook>> {
        self.0.iter().find(|book| book.id == id)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Arc<Rulebook>> {
        self.0.iter()
    }
}

/// Settles a record, or says what is wrong with it.
pub fn settle<'a>(books: &Books, record: &'a Record<'_>) -> Result<Answer<'a>, RecordError> {
    let Some(book) = books.get(&record.rulebook) else {
        let known: Vec<&str> = books.iter().map(|book| book.id.as_str()).collect();
        let reason = format!("no rulebook {:?}; there are {}", record.rulebook, known.join(", "));
        return Err(RecordError::at("rulebook", reason));
    };
    let mut round = open(book, record)?;
    check(book, record)?;
    place_wagers(&mut round, record)?;
    play(&mut round, record)?;
    let settlement = round.settlement().expect("a round played to its end is settled");
    let meter = meter(record)?;
    let contributed = contributed(settlement, record)?;
    let awards = awards(book, settlement, record, meter, contributed)?;
    Ok(answer(record, settlement, contributed, &awards))
}

/// A new round at the record's table.
fn open(book: &Arc<Rulebook>, record: &Record<'_>) -> Result<Round, RecordError> {
    let range = |[min, max]: [Money; 2]| min..=max;
    let limits =
        Limits { ante: range(record.table.limits.ante), bonus: record.table.limits.bonus.map(range) };
    let minimum = record.jackpot.minimum_wager;
    if minimum.is_zero() {
        return Err(RecordError::at("jackpot.minimum_wager", "must be more than zero"));
    }
    let table = TableRules::new(Arc::clone(book), record.table.positions, limits, None, Some(minimum))
        .map_err(|error| RecordError::at("table", error.to_string()))?;
    let warned = record.table.warned.iter().map(|name| PlayerId::new(name)).collect();
    // A record does not say whether Players on several positions were told about viewing, so it is assumed.
    let informed: BTreeSet<PlayerId> = several(record).collect();
    Ok(Round::new(&table, TableMemory { warned, informed, ..TableMemory::default() }))
}

/// The players on more than one position.
fn several<'r>(record: &'r Record<'_>) -> impl Iterator<Item = PlayerId> + 'r {
    let again = |(place, position): &(usize, &PositionRecord<'_>)| {
        record.positions[..*place].iter().any(|earlier| earlier.player == position.player)
    };
    record.positions.iter().enumerate().filter(again).map(|(_, position)| PlayerId::new(&position.player))
}

/// Gives a command. If it is refused, the error names the position.
fn give(round: &mut Round, place: usize, field: &str, command: &Command) -> Result<(), RecordError> {
    match round.apply(&DEALER, command) {
        Ok(_) => Ok(()),
        Err(refusal) => Err(RecordError::at(format!("positions[{place}]{field}"), refusal.to_string())),
    }
}

/// Wagers are chips on the felt, so wagers outside the limits are only found at the settlement.
fn place_wagers(round: &mut Round, record: &Record<'_>) -> Result<(), RecordError> {
    let players: Vec<PlayerId> = record.positions.iter().map(|seat| PlayerId::new(&seat.player)).collect();
    for (place, (seat, player)) in record.positions.iter().zip(&players).enumerate() {
        let take = Command::TakePosition { position: Position(seat.position), player: player.clone() };
        give(round, place, ".position", &take)?;
    }
    procedure_step(round, &Command::OpenBets);
    for (place, (seat, player)) in record.positions.iter().zip(&players).enumerate() {
        let jackpot = match seat.jackpot.map(|times| record.jackpot.minimum_wager.times(times.into())) {
            Some(Ok(amount)) => Some(amount),
            Some(Err(overflow)) => {
                return Err(RecordError::at(format!("positions[{place}].jackpot"), overflow.to_string()));
            }
            None => None,
        };
        let wagers = [
            (PlayingArea::Ante, ".ante", seat.ante),
            (PlayingArea::Bonus, ".bonus", seat.bonus),
            (PlayingArea::Jackpot, ".jackpot", jackpot),
        ];
        for (area, field, amount) in wagers {
            let Some(amount) = amount else { continue };
            let (position, owner) = (Position(seat.position), player.clone());
            let means = Means::Chips;
            give(round, place, field, &Command::PlaceWager { position, area, owner, amount, means })?;
        }
    }
    procedure_step(round, &Command::CloseBets);
    Ok(())
}

/// Gives a command that is part of the procedure. A checked record cannot make it fail.
fn procedure_step(round: &mut Round, command: &Command) {
    if let Err(refusal) = round.apply(&DEALER, command) {
        panic!("the round refused {command:?}, a step of the procedure: {refusal}");
    }
}

/// Plays from the deal to the settlement.
fn play(round: &mut Round, record: &Record<'_>) -> Result<(), RecordError> {
    loop {
        match round.stage() {
            Stage::Dealing => deal(round, record),
            Stage::Deciding(area) => {
                check_withdrawals(round, record, area)?;
                decide(round, record, area)?;
            }
            Stage::Exposing(_) => procedure_step(round, &Command::Expose),
            Stage::Showing => show(round, record),
            Stage::Settling => break,
            Stage::BeforeBets | Stage::BetsOpen | Stage::Concluded | Stage::Void | Stage::Closed => {
                panic!("a recorded round is only played from the deal to the settlement")
            }
        }
    }
    irregularities::enter(round, record)?;
    if round.stage() == Stage::Settling {
        procedure_step(round, &Command::Settle);
    }
    Ok(())
}

fn deal(round: &mut Round, record: &Record<'_>) {
    while let Some(place) = round.next_place() {
        let card = card_at(record, place);
        procedure_step(round, &Command::DealCard { card: Some(card) });
    }
}

fn card_at(record: &Record<'_>, place: Place) -> Card {
    match place {
        Place::Player(position, at) => {
            let seat = record.positions.iter().find(|seat| seat.position == position.0);
            seat.expect("cards go to positions of the record").cards[usize::from(at)]
        }
        Place::Community(at) => record.community[usize::from(at)],
        Place::Dealer(at) => record.dealer[usize::from(at)],
    }
}

/// A record does not say when the power failed. A Player who withdrew had placed every wager that the record has, so
/// the power failed after the last of them: by then no outcome may have been established.
fn check_withdrawals(round: &Round, record: &Record<'_>, area: PlayingArea) -> Result<(), RecordError> {
    let first = area == round.book().first_area();
    match contradictions::withdrew_after(record, area, first) {
        Some(place) if round.outcome_is_established() => {
            let why = format!("by the wager on {area} a wager had been won or lost");
            Err(contradictions::established(round.book(), place, &why))
        }
        Some(_) | None => Ok(()),
    }
}

/// One round of decisions, in the order of the record.
fn decide(round: &mut Round, record: &Record<'_>, area: PlayingArea) -> Result<(), RecordError> {
    for (place, seat) in record.positions.iter().enumerate() {
        let position = Position(seat.position);
        if !round.seat(position).is_some_and(round::Seat::is_active) {
            continue;
        }
        let command = match decision_on(seat, area, area == round.book().first_area()) {
            Some(decision) => Command::Decide { position, decision },
            None => Command::ReportAbsent { position },
        };
        give(round, place, ".decision", &command)?;
    }
    Ok(())
}

/// The Player's decision on an area, or `None` if the Player was absent.
fn decision_on(seat: &PositionRecord<'_>, area: PlayingArea, first: bool) -> Option<Decision> {
    if !first {
        return match seat.later(area) {
            Some(LaterDecision::Bet) => Some(Decision::Wager),
            Some(LaterDecision::Check) | None => Some(Decision::Check),
        };
    }
    match seat.decision {
        Some(FirstDecision::Bet) => Some(Decision::Wager),
        Some(FirstDecision::Fold) => Some(Decision::Fold),
        Some(FirstDecision::Absent) | None => None,
    }
}

fn show(round: &mut Round, record: &Record<'_>) {
    for seat in &record.positions {
        let position = Position(seat.position);
        if !round.seat(position).is_some_and(round::Seat::is_active) {
            continue;
        }
        let command = if seat.declines {
            Command::DeclineComparison { position }
        } else {
            Command::ShowHand { position }
        };
        procedure_step(round, &command);
    }
}

fn meter(record: &Record<'_>) -> Result<Pool, RecordError> {
    if 10_000 <= record.jackpot.fraction {
        let reason =
            format!("{} ten-thousandths of a cent is too much; the most is 9999", record.jackpot.fraction);
        return Err(RecordError::at("jackpot.fraction", reason));
    }
    Pool::from_parts(record.jackpot.meter, record.jackpot.fraction)
        .map_err(|overflow| RecordError::at("jackpot.meter", overflow.to_string()))
}

/// What the valid Jackpot wagers add to the meter.
fn contributed(settlement: &Settlement, record: &Record<'_>) -> Result<Pool, RecordError> {
    let rate = record.jackpot.contribution_bps;
    settlement
        .jackpot_wagers()
        .try_fold(Pool::ZERO, |sum, (_, wager)| {
            Pool::contribution(wager, rate).and_then(|part| sum.plus(part))
        })
        .map_err(|overflow| RecordError::at("jackpot", overflow.to_string()))
}

fn awards(
    book: &Rulebook,
    settlement: &Settlement,
    record: &Record<'_>,
    meter: Pool,
    contributed: Pool,
) -> Result<RoundAwards, RecordError> {
    let claim = |claim: &round::Claim| jackpot::Claim {
        position: claim.position,
        hand: claim.hand,
        percent: claim.percent,
        rule: claim.rule,
    };
    let claims: Vec<jackpot::Claim> = settlement.claims.iter().map(claim).collect();
    enter_round(meter, record.jackpot.reset, contributed, &book.jackpot.sharing, &claims)
        .map_err(|overflow| RecordError::at("jackpot", overflow.to_string()))
}

fn answer<'a>(
    record: &'a Record<'_>,
    settlement: &Settlement,
    contributed: Pool,
    awards: &RoundAwards,
) -> Answer<'a> {
    let award = |share: &jackpot::Share| AwardAnswer {
        position: share.position.0,
        hand: share.hand,
        amount: share.amount,
        clause: share.rule,
    };
    Answer {
        id: &record.id,
        round: if settlement.void.is_some() { "void" } else { "settled" },
        positions: record.positions.iter().map(|seat| position(seat.position, settlement, awards)).collect(),
        jackpot: JackpotAnswer {
            contributed: contributed.ten_thousandths(),
            awards: awards.shares.iter().map(award).collect(),
            meter: awards.meter.displayed(),
            fraction: awards.meter.fraction(),
        },
        warned: settlement.warned.iter().map(ToString::to_string).collect(),
    }
}

fn position(number: u8, settlement: &Settlement, awards: &RoundAwards) -> PositionAnswer {
    let mut areas = Areas::default();
    let mut net = 0_i64;
    for line in settlement.lines.iter().filter(|line| line.position.0 == number) {
        let area = area(line, awards);
        net += signed(area.paid) - signed(area.collected);
        areas.set(line.area, area);
    }
    PositionAnswer { position: number, areas, net }
}

fn area(line: &Line, awards: &RoundAwards) -> AreaAnswer {
    let won = awards
        .shares
        .iter()
        .filter(|share| line.area == PlayingArea::Jackpot && share.position == line.position);
    let paid =
        won.fold(line.paid, |sum, share| sum.plus(share.amount).expect("awards come out of one meter"));
    let outcome = match line.outcome {
        Outcome::Paid(_) | Outcome::Won => "paid",
        Outcome::Collected => "collected",
        Outcome::StandOff => "stand-off",
        Outcome::Returned => "returned",
    };
    AreaAnswer {
        staked: line.staked,
        paid,
        returned: line.returned,
        collected: line.collected,
        outcome,
        clause: line.rule,
        limit_clause: line.limit_rule,
    }
}

/// Amounts of one round fit: wagers are limited, and a meter in ten-thousandths of a cent fits in 64 bits.
fn signed(amount: Money) -> i64 {
    i64::try_from(amount.cents()).expect("an amount of one round fits")
}
