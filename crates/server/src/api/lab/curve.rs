//! What the Jackpot wager is worth as the meter rises.

use axum::extract::State;
use axum::response::Response;
use lab::exact::{Exact, Lab, Question};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{LabForm, Ratio, lab_problem, scenario, text, wrong};
use crate::api::body::JsonBody;
use crate::app::App;
use crate::problem::Problem;

/// The most meters asked about at once.
const METERS_MAX: usize = 200;

/// A game and the meters it is asked about.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct CurveForm {
    /// The game; a Jackpot wager of 500 cents where none is named.
    game: LabForm,
    /// The meters in cents, 200 at most.
    #[schema(min_items = 1, max_items = 200)]
    meters: Vec<u64>,
}

/// What the Jackpot wager is worth at one meter.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::api) struct CurvePoint {
    /// The meter in cents.
    meter: u64,
    /// What the Jackpot wager brings, its stake taken off, in cents.
    jackpot_net: Ratio,
    /// What the house keeps of it: below zero the wager wins.
    jackpot_edge: f64,
    /// What Ante and Jackpot wager bring together, in cents a round.
    combined_net: Ratio,
    /// Hold'em: the hole cards to fold, lowest first.
    fold: Vec<String>,
}

/// What the Jackpot wager is worth against the meter.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::api) struct Curve {
    /// The Jackpot wager in cents.
    wager: u64,
    /// What odds and fixed amounts return, in cents, with the folds of the first meter.
    fixed_return: Ratio,
    /// The part of the meter that it wins on average, likewise: between changes of the folds the curve is the straight
    /// line of the two.
    meter_weight: Ratio,
    /// The least meter, in cents, at which it loses nothing.
    break_even_meter: Option<u64>,
    /// The points, in the order asked for.
    points: Vec<CurvePoint>,
}

/// What the Jackpot wager is worth at each of several meters, exactly.
#[utoipa::path(post, path = "/api/lab/curve", tag = "lab",
    request_body(content = CurveForm,
        example = json!({ "game": { "rulebook": "megalink-stud-v9" }, "meters": [10_000_000, 20_000_000] })),
    responses((status = 200, description = "The curve", body = Curve)))]
pub(in crate::api) async fn curve(
    State(app): State<App>,
    asked: JsonBody<CurveForm>,
) -> Result<Response, Problem> {
    if !(1..=METERS_MAX).contains(&asked.form.meters.len()) {
        return Err(wrong("meters", &format!("name 1 to {METERS_MAX} meters")));
    }
    let scenario = scenario(&app, &asked.form.game, true)?;
    let meters = asked.form.meters;
    let work = move |lab: &Lab| {
        let at = |meter: &u64| {
            let question = Question {
                jackpot_wager_cents: scenario.question.jackpot_unit_cents(),
                meter_cents: Some(*meter),
                ..scenario.question
            };
            let exact = lab.exact(&scenario.book, &question).map_err(|error| lab_problem(&error))?;
            Ok((*meter, exact))
        };
        let all: Vec<(u64, Exact)> = meters.iter().map(at).collect::<Result<_, Problem>>()?;
        text(&answer(&all).ok_or_else(Problem::broken)?)
    };
    app.work.lab.answer(format!("curve {}", asked.text), work).await
}

fn answer(all: &[(u64, Exact)]) -> Option<Curve> {
    let jackpot = &all.first()?.1.jackpot;
    Some(Curve {
        wager: jackpot.wager_cents,
        fixed_return: jackpot.fixed_return.cents.into(),
        meter_weight: jackpot.meter_weight.into(),
        break_even_meter: jackpot.break_even_meter,
        points: all.iter().map(|(meter, exact)| point(*meter, exact)).collect::<Option<_>>()?,
    })
}

fn point(meter: u64, exact: &Exact) -> Option<CurvePoint> {
    let wager = lab::exact::Fraction::whole(exact.jackpot.wager_cents);
    let net = exact.jackpot.return_cents(meter).minus(wager);
    let fold = exact.decisions.fold.iter().flatten().map(ToString::to_string).collect();
    Some(CurvePoint {
        meter,
        jackpot_net: net.into(),
        jackpot_edge: -net.divided_by(wager)?.value(),
        combined_net: exact.combined.as_ref()?.net.into(),
        fold,
    })
}
