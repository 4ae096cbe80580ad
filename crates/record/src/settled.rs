//! The answer to a record: what its settlement and its awards come to.

use jackpot::{RoundAwards, enter_round};
use money::{Money, Pool};
use round::{Line, Outcome, Settlement};
use rulebook::{PlayingArea, Rulebook};

use crate::answer::{Answer, AreaAnswer, Areas, AwardAnswer, JackpotAnswer, PositionAnswer, ShareAnswer};
use crate::model::{JackpotState, PositionRecord, Record, RecordError};

/// Enters a settled round into the record's jackpot, and answers.
pub(crate) fn answer<'a>(
    book: &Rulebook,
    record: &'a Record<'_>,
    settlement: &Settlement,
) -> Result<Answer<'a>, RecordError> {
    let (contributed, awards) = match &record.jackpot {
        None => (Pool::ZERO, nothing_awarded()),
        Some(jackpot) => {
            let meter = meter(jackpot)?;
            let contributed = contributed(settlement, jackpot, meter)?;
            (contributed, awards(book, settlement, jackpot, meter, contributed)?)
        }
    };
    Ok(written(record, settlement, contributed, &awards))
}

/// What a round without a jackpot is awarded.
fn nothing_awarded() -> RoundAwards {
    RoundAwards { shares: Vec::new(), meter: Pool::ZERO, restarts: 0 }
}

fn meter(jackpot: &JackpotState) -> Result<Pool, RecordError> {
    if 10_000 <= jackpot.fraction {
        let reason = format!("{} ten-thousandths of a cent is too much; the most is 9999", jackpot.fraction);
        return Err(RecordError::at("jackpot.fraction", reason));
    }
    Pool::from_parts(jackpot.meter, jackpot.fraction)
        .map_err(|overflow| RecordError::at("jackpot.meter", overflow.to_string()))
}

/// What the valid Jackpot wagers add to the meter, up to its cap.
fn contributed(settlement: &Settlement, jackpot: &JackpotState, meter: Pool) -> Result<Pool, RecordError> {
    let rate = jackpot.contribution_bps;
    let whole = settlement.jackpot_wagers().try_fold(Pool::ZERO, |sum, (_, wager)| {
        Pool::contribution(wager, rate).and_then(|part| sum.plus(part))
    });
    let cap = jackpot.cap.map(|cap| Pool::from_parts(cap, 0)).transpose();
    whole
        .and_then(|whole| {
            let room = cap?.map(|cap| cap.minus(meter).unwrap_or(Pool::ZERO));
            Ok(room.map_or(whole, |room| whole.at_most(room)))
        })
        .map_err(|overflow| RecordError::at("jackpot", overflow.to_string()))
}

fn awards(
    book: &Rulebook,
    settlement: &Settlement,
    jackpot: &JackpotState,
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
    enter_round(meter, jackpot.reset, contributed, &book.jackpot.sharing, &claims)
        .map_err(|overflow| RecordError::at("jackpot", overflow.to_string()))
}

fn written<'a>(
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
        positions: record.positions.iter().map(|seat| position(seat, settlement, awards)).collect(),
        jackpot: JackpotAnswer {
            contributed: contributed.ten_thousandths(),
            awards: awards.shares.iter().map(award).collect(),
            meter: awards.meter.displayed(),
            fraction: awards.meter.fraction(),
        },
        warned: settlement.warned.iter().map(ToString::to_string).collect(),
    }
}

fn position(seat: &PositionRecord<'_>, settlement: &Settlement, awards: &RoundAwards) -> PositionAnswer {
    let number = seat.position;
    let mut areas = Areas::default();
    let mut net = 0_i64;
    for line in settlement.lines.iter().filter(|line| line.position.0 == number) {
        let area = area(line, awards);
        net += signed(area.paid) - signed(area.collected);
        if seat.shares.is_empty() || line.area == PlayingArea::Jackpot {
            areas.set(line.area, area);
        } else {
            let share = ShareAnswer { player: line.owner.to_string(), settled: area };
            let whole = areas.take(line.area);
            areas.set(line.area, with_share(whole, share));
        }
    }
    PositionAnswer { position: number, areas, net }
}

/// A wager with a further share. Its outcome and clause are those of the first share that was not returned.
fn with_share(whole: Option<AreaAnswer>, share: ShareAnswer) -> AreaAnswer {
    const FITS: &str = "a wager and its payout fit";
    let Some(mut whole) = whole else {
        return AreaAnswer { shares: vec![share.clone()], ..share.settled };
    };
    let part = &share.settled;
    if whole.outcome == "returned" && part.outcome != "returned" {
        (whole.outcome, whole.clause, whole.limit_clause) = (part.outcome, part.clause, part.limit_clause);
    }
    whole.staked = whole.staked.plus(part.staked).expect(FITS);
    whole.paid = whole.paid.plus(part.paid).expect(FITS);
    whole.returned = whole.returned.plus(part.returned).expect(FITS);
    whole.collected = whole.collected.plus(part.collected).expect(FITS);
    whole.shares.push(share);
    whole
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
        shares: Vec::new(),
    }
}

/// Amounts of one round fit: wagers are limited, and a meter in ten-thousandths of a cent fits in 64 bits.
fn signed(amount: Money) -> i64 {
    i64::try_from(amount.cents()).expect("an amount of one round fits")
}
