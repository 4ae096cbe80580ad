//! What each reading is worth: the figures of the game under every value it may have.

use axum::extract::State;
use axum::response::Response;
use cards::HandOrder;
use jackpot::{Claim, enter_round};
use lab::exact::{Exact, Fraction, Lab, Question};
use money::{Money, Pool};
use rulebook::{Pays, Position, Reading, Rulebook};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::body::{PathParams, QueryParams};
use crate::api::lab::{Ratio, lab_problem, text, wrong};
use crate::app::App;
use crate::problem::Problem;

/// The meter and the reset amount that effects are shown at, where none are named, in cents.
const METER_CENTS: u64 = 128_407_735;
const RESET_CENTS: u64 = 10_000_000;

/// The largest meter that sharing is shown at.
const METER_CENTS_MAX: u64 = 1_000_000_000_000;

/// At which amounts effects are shown.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::api) struct Amounts {
    /// The Ante in cents; 2500 where none is named.
    ante: Option<u64>,
    /// The Jackpot wager in cents; 500 where none is named.
    jackpot_wager: Option<u64>,
    /// The meter in cents; 128407735 where none is named.
    meter: Option<u64>,
    /// The reset amount in cents; 10000000 where none is named.
    reset: Option<u64>,
}

/// The figures of a game under one value of a reading.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(in crate::api) struct ReadingFigures {
    /// What the house keeps of each Ante.
    ante_edge: Ratio,
    /// What the house keeps of each Bonus wager.
    bonus_edge: Option<Ratio>,
    /// What odds and fixed amounts of the jackpot return, in cents.
    jackpot_fixed_return: Ratio,
    /// What the Jackpot wager brings at the meter, its stake taken off, in cents.
    jackpot_net: Ratio,
    /// What each of two straight flushes of one round is awarded, in cents, where they are paid of the meter.
    two_straight_flushes: Vec<u64>,
    /// What each of two royal flushes of one round is awarded, in cents, where that can happen.
    two_royal_flushes: Vec<u64>,
    /// What a Player at a table without staff gains by staying silent instead of folding, with the Ante alone, in Antes a
    /// round.
    silence_gain: Ratio,
    /// The same with a Bonus wager as large as the Ante, where there is one, and the Jackpot wager, in cents a round.
    silence_gain_every_wager: Ratio,
}

/// A value a reading may have.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::api) struct ReadingValueView {
    value: String,
    /// Whether it is the one in force.
    in_force: bool,
    /// The figures under it; `null` where the lab does not count the game under it.
    figures: Option<ReadingFigures>,
}

/// A reading, and what its values are worth.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::api) struct ReadingEffect {
    name: String,
    /// The clause it is about.
    clause: String,
    /// The number of that clause.
    number: String,
    /// What the text leaves open.
    question: String,
    /// Why it is read so.
    reason: String,
    /// The values it may have, the one in force among them.
    values: Vec<ReadingValueView>,
    /// Whether any of the figures differ. Where none do, it matters only when something out of the ordinary happens.
    differs: bool,
}

/// The readings of a rulebook and what they are worth.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::api) struct ReadingEffects {
    rulebook: String,
    /// The Ante that figures are for, in cents.
    ante: u64,
    jackpot_wager: u64,
    meter: u64,
    /// The reset amount.
    reset: u64,
    readings: Vec<ReadingEffect>,
}

/// The readings of a rulebook with their effect in money: the game counted under every value each may have.
#[utoipa::path(get, path = "/api/rulebooks/{rulebook}/readings", tag = "rules",
    params(("rulebook" = String, Path, description = "The rulebook's id", example = "megalink-holdem-v9"), Amounts),
    responses((status = 200, description = "The readings", body = ReadingEffects),
        (status = 422, description = "This cannot be asked", body = Problem,
            content_type = "application/problem+json")))]
pub(in crate::api) async fn readings(
    State(app): State<App>,
    PathParams(id): PathParams<String>,
    QueryParams(amounts): QueryParams<Amounts>,
) -> Result<Response, Problem> {
    let book = app.library().get(&id).map(|(book, _)| book.clone());
    let book = book.ok_or_else(|| Problem::not_found("There is no rulebook of this id."))?;
    let asked = Asked::of(&amounts)?;
    let question = format!("readings {id} {}", text(&amounts)?);
    let work = move |lab: &Lab| text(&asked.effects(lab, &book)?);
    app.work.lab.answer(question, work).await
}

/// What figures are asked for.
#[derive(Clone, Copy, Debug)]
struct Asked {
    question: Question,
    meter: Money,
    reset: Money,
}

impl Asked {
    fn of(amounts: &Amounts) -> Result<Asked, Problem> {
        let (meter, reset) = (amounts.meter.unwrap_or(METER_CENTS), amounts.reset.unwrap_or(RESET_CENTS));
        for (field, cents) in [("meter", meter), ("reset", reset)] {
            if METER_CENTS_MAX < cents {
                return Err(wrong(
                    field,
                    &format!("the most that is counted with is {METER_CENTS_MAX} cents"),
                ));
            }
        }
        let question = Question {
            ante_cents: amounts.ante.unwrap_or(Question::ANTE_CENTS),
            jackpot_wager_cents: amounts.jackpot_wager.unwrap_or(Question::JACKPOT_WAGER_CENTS).max(1),
            meter_cents: Some(meter),
            ante_pays_from: None,
        };
        Ok(Asked { question, meter: Money::from_cents(meter), reset: Money::from_cents(reset) })
    }

    fn effects(&self, lab: &Lab, book: &Rulebook) -> Result<ReadingEffects, Problem> {
        let in_force = lab.exact(book, &self.question).map_err(|error| lab_problem(&error))?;
        let in_force = self.figures(book, &in_force)?;
        let effects = book.readings.iter().map(|reading| self.effect(lab, book, reading, &in_force));
        Ok(ReadingEffects {
            rulebook: book.id.clone(),
            ante: self.question.ante_cents,
            jackpot_wager: self.question.jackpot_wager_cents,
            meter: self.meter.cents(),
            reset: self.reset.cents(),
            readings: effects.collect::<Result<_, _>>()?,
        })
    }

    fn effect(
        &self,
        lab: &Lab,
        book: &Rulebook,
        reading: &Reading,
        in_force: &ReadingFigures,
    ) -> Result<ReadingEffect, Problem> {
        let mut values = Vec::new();
        for value in &reading.values {
            let is_in_force = *value == reading.value;
            let figures =
                if is_in_force { Some(in_force.clone()) } else { self.under(lab, book, reading, value)? };
            values.push(ReadingValueView { value: (*value).to_owned(), in_force: is_in_force, figures });
        }
        let differs =
            values.iter().any(|value| value.figures.as_ref().is_some_and(|under| under != in_force));
        Ok(ReadingEffect {
            name: reading.name.clone(),
            clause: book.clause(reading.clause).to_string(),
            number: reading.clause.to_string(),
            question: reading.question.clone(),
            reason: reading.reason.clone(),
            values,
            differs,
        })
    }

    /// The figures under another value; none where the lab does not count it.
    fn under(
        &self,
        lab: &Lab,
        book: &Rulebook,
        reading: &Reading,
        value: &str,
    ) -> Result<Option<ReadingFigures>, Problem> {
        let Some(text) = rulebook::embedded_text(&book.id) else {
            return Ok(None);
        };
        let file = format!("{}.toml", book.id);
        let other = Rulebook::parse_with(&file, text, &[(reading.name.as_str(), value)]);
        let Ok(other) = other else {
            return Ok(None);
        };
        match lab.exact(&other, &self.question) {
            Ok(exact) => self.figures(&other, &exact).map(Some),
            Err(_) => Ok(None),
        }
    }

    fn figures(&self, book: &Rulebook, exact: &Exact) -> Result<ReadingFigures, Problem> {
        let wager = Fraction::whole(exact.jackpot.wager_cents);
        let silence = exact.silence.as_ref();
        Ok(ReadingFigures {
            ante_edge: exact.base.net.negated().into(),
            bonus_edge: exact.bonus.as_ref().map(|bonus| bonus.net.negated().into()),
            jackpot_fixed_return: exact.jackpot.fixed_return.cents.into(),
            jackpot_net: exact.jackpot.return_cents(self.meter.cents()).minus(wager).into(),
            two_straight_flushes: self.two(book, HandOrder::StraightFlush)?,
            two_royal_flushes: self.two(book, HandOrder::RoyalFlush)?,
            silence_gain: silence.map_or(Fraction::ZERO, |worth| worth.gain).into(),
            silence_gain_every_wager: silence
                .map_or(Fraction::ZERO, |worth| worth.every_wager.gain_cents)
                .into(),
        })
    }

    /// What two hands of one order in one round are awarded, where the book lets them share the meter.
    fn two(&self, book: &Rulebook, hand: HandOrder) -> Result<Vec<u64>, Problem> {
        let sharing = &book.jackpot.sharing;
        let shared = match hand {
            HandOrder::RoyalFlush => sharing.royal_flush.is_some(),
            _ => sharing.straight_flush.is_some(),
        };
        let line = book.jackpot.lines.iter().find_map(|line| match line.pays {
            Pays::Share(percent) if line.hand == hand => Some((percent, line.rule)),
            Pays::Share(_) | Pays::Odds(_) | Pays::Fixed(_) => None,
        });
        let Some((percent, rule)) = line.filter(|_| shared) else {
            return Ok(Vec::new());
        };
        let claim = |position: u8| Claim { position: Position(position), hand, percent, rule };
        let pool = |amount: Money| Pool::try_from(amount).map_err(|_| Problem::broken());
        let awards = enter_round(pool(self.meter)?, self.reset, Pool::ZERO, sharing, &[claim(1), claim(2)]);
        let awards = awards.map_err(|_| Problem::broken())?;
        Ok(awards.shares.iter().map(|share| share.amount.cents()).collect())
    }
}
