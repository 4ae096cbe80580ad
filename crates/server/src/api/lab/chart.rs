//! Every starting hand with the value of each choice: the chart of 13 by 13.

use axum::extract::State;
use axum::response::Response;
use lab::advice::{self, Advice};
use lab::exact::Lab;
use lab::what_if::Scenario;
use rulebook::HoleClass;
use serde::Serialize;
use utoipa::ToSchema;

use super::advise::advice_problem;
use super::{LabForm, Ratio, scenario, text};
use crate::api::body::JsonBody;
use crate::app::App;
use crate::problem::Problem;

/// A class of hole cards.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::api) struct ChartCell {
    /// The class, such as `AKs`.
    class: String,
    /// How many of the 1,326 hole hands it has.
    combinations: u64,
    /// `bet` or `fold`, whichever is worth more.
    best: &'static str,
    /// What the Flop wager is worth with perfect play after it, in Antes.
    bet: Ratio,
    /// What a fold is worth, in Antes.
    fold: Ratio,
    /// What Ante and Jackpot wager bring together with the Flop wager, in cents; where the jackpot is part of the choice.
    bet_cents: Option<Ratio>,
    /// The same with a fold.
    fold_cents: Option<Ratio>,
    /// What the other choice costs: in cents where the jackpot is part of the choice, in Antes otherwise.
    mistake: Ratio,
    /// How often the hand wins at the showdown.
    wins: f64,
    /// How often it stands off.
    stands_off: f64,
}

#[derive(Debug, Serialize, ToSchema)]
pub(in crate::api) struct Chart {
    rulebook: String,
    /// What `mistake` is in: `antes` or `cents`.
    mistakes_in: &'static str,
    /// The 169 classes by rows, aces first: pairs on the diagonal, suited hands right of it, unsuited hands left of it.
    cells: Vec<ChartCell>,
}

/// Every class of hole cards with the value of each choice and what a mistake costs. Stud has its rows in
/// `/api/lab/strategy`.
#[utoipa::path(post, path = "/api/lab/chart", tag = "lab",
    request_body(content = LabForm, example = json!({ "rulebook": "megalink-holdem-v9" })),
    responses((status = 200, description = "The chart", body = Chart)))]
pub(in crate::api) async fn chart(
    State(app): State<App>,
    asked: JsonBody<LabForm>,
) -> Result<Response, Problem> {
    let scenario = scenario(&app, &asked.form, true)?;
    let work = move |lab: &Lab| text(&of(lab, &scenario)?);
    app.work.lab.answer(format!("chart {}", asked.text), work).await
}

fn of(lab: &Lab, scenario: &Scenario) -> Result<Chart, Problem> {
    let chart = advice::chart(lab, &scenario.book, &scenario.question);
    let chart = chart.map_err(|error| advice_problem(&error))?;
    let cells: Vec<ChartCell> = chart.iter().map(|(class, advice)| of_class(*class, advice)).collect();
    let in_cents = cells.iter().any(|cell| cell.bet_cents.is_some());
    let mistakes_in = if in_cents { "cents" } else { "antes" };
    Ok(Chart { rulebook: scenario.book.id.clone(), mistakes_in, cells })
}

#[expect(clippy::cast_precision_loss, reason = "shares for drawing; the values beside them are exact")]
fn of_class(class: HoleClass, advice: &Advice) -> ChartCell {
    let [bet, fold] = advice.choices;
    let ahead = advice.ahead;
    let share = |deals: u64| deals as f64 / ahead.all as f64;
    ChartCell {
        class: class.to_string(),
        combinations: class.combinations(),
        best: advice.best.name(),
        bet: bet.net.into(),
        fold: fold.net.into(),
        bet_cents: bet.combined_cents.map(Ratio::from),
        fold_cents: fold.combined_cents.map(Ratio::from),
        mistake: advice.other_costs.into(),
        wins: share(ahead.win + ahead.win_with_ante.unwrap_or(0)),
        stands_off: share(ahead.stand_off),
    }
}
