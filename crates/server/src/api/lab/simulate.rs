//! Rounds dealt and settled, with Bonus, jackpot and several Players: what is not counted is simulated.

use axum::extract::State;
use axum::response::Response;
use lab::exact::Lab;
use lab::simulate::{JackpotSetup, Report, Setup, Strategy, run};
use lab::what_if::Scenario;
use money::{Money, Pool, Rate};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{LabForm, scenario, text, wrong};
use crate::api::body::JsonBody;
use crate::app::App;
use crate::problem::Problem;

/// The most rounds of one simulation.
const ROUNDS_MAX: u64 = 300_000;

/// The most hands, one a Player a round.
const HANDS_MAX: u64 = 600_000;

/// The most rounds of one session: there are some sessions in every simulation.
const SESSION_ROUNDS_MAX: u32 = 2_000;

/// What is simulated.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct SimulationForm {
    /// The game, with its Ante, and with its Jackpot wager and the meter at the start where there is one.
    game: LabForm,
    /// How many rounds: 100000 where none is named, 300000 at most.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 300_000)]
    rounds: Option<u64>,
    /// How many rounds a session has: 500 where none is named, 2000 at most.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 2000)]
    session_rounds: Option<u32>,
    /// The seed: the same one gives the same answer.
    #[serde(default)]
    seed: u64,
    /// How many Players sit at the table; one where none is named.
    #[serde(default)]
    players: Option<u8>,
    /// How they play: `perfect`, `never-fold`, `always-fold`, `blind`; in stud also `three-rules`, `a-k-j-8-3`,
    /// `pair-or-matched-a-k`, `pair` and `a-k`.
    #[serde(default)]
    strategy: Option<String>,
    /// Each Player's Bonus in cents.
    #[serde(default)]
    bonus: u64,
    /// How many times the minimum each Jackpot wager is; the minimum is the game's `jackpot_wager`.
    #[serde(default)]
    jackpot_units: Option<u8>,
    /// How much of a Jackpot wager goes to the meter, in ten-thousandths; 4000 where none is named.
    #[serde(default)]
    contribution_bps: Option<u64>,
    /// What the meter restarts from in cents; 10000000 where none is named.
    #[serde(default)]
    reset: Option<u64>,
    /// A bankroll in cents to ask about.
    #[serde(default)]
    bankroll: Option<u64>,
}

/// Simulates, beside the exact figures. The answer is that of `megalink lab simulate --json`.
#[utoipa::path(post, path = "/api/lab/simulate", tag = "lab",
    request_body(content = SimulationForm,
        example = json!({ "game": { "rulebook": "megalink-stud-v9" }, "rounds": 10_000, "seed": 1 })),
    responses((status = 200, description = "What was found", body = Report)))]
pub(in crate::api) async fn simulate(
    State(app): State<App>,
    asked: JsonBody<SimulationForm>,
) -> Result<Response, Problem> {
    let setup = setup(&asked.form, scenario(&app, &asked.form.game, true)?)?;
    let work = move |lab: &Lab| {
        let report = run(&setup, lab, |_| {});
        text(&report.map_err(|error| wrong("game", &error.to_string()))?)
    };
    app.work.lab.answer(format!("simulate {}", asked.text), work).await
}

fn setup(form: &SimulationForm, scenario: Scenario) -> Result<Setup, Problem> {
    let rounds = form.rounds.unwrap_or(100_000);
    if !(1..=ROUNDS_MAX).contains(&rounds) {
        return Err(wrong("rounds", &format!("1 to {ROUNDS_MAX} rounds are simulated")));
    }
    let players = form.players.unwrap_or(1);
    if HANDS_MAX < rounds.saturating_mul(players.into()) {
        return Err(wrong(
            "rounds",
            &format!("{HANDS_MAX} hands are simulated at most, one a Player a round"),
        ));
    }
    let session_rounds = form.session_rounds.unwrap_or(500);
    if !(1..=SESSION_ROUNDS_MAX).contains(&session_rounds) {
        return Err(wrong("session_rounds", &format!("a session has 1 to {SESSION_ROUNDS_MAX} rounds")));
    }
    let strategy = match &form.strategy {
        None => Strategy::Perfect,
        Some(name) => name.parse().map_err(|error: String| wrong("strategy", &error))?,
    };
    let jackpot = jackpot(form, &scenario)?;
    let mut setup = Setup::new(scenario.book);
    setup.rounds = rounds;
    setup.seed = form.seed;
    setup.players = players;
    setup.strategy = strategy;
    setup.ante = Money::from_cents(scenario.question.ante_cents);
    setup.bonus = Money::from_cents(form.bonus);
    setup.jackpot = jackpot;
    setup.session_rounds = session_rounds;
    // The tables need the cores too.
    setup.threads = std::thread::available_parallelism().map_or(1, |cores| cores.get().div_ceil(2));
    setup.bankroll = form.bankroll.map(Money::from_cents);
    Ok(setup)
}

/// The jackpot, if there is a wager on it.
fn jackpot(form: &SimulationForm, scenario: &Scenario) -> Result<Option<JackpotSetup>, Problem> {
    let question = &scenario.question;
    let units = form.jackpot_units.unwrap_or(u8::from(0 < question.jackpot_wager_cents));
    if units == 0 {
        return Ok(None);
    }
    let points = form.contribution_bps.or(scenario.link.contribution_basis_points);
    let reset = form.reset.or(scenario.link.reset_cents).unwrap_or(JackpotSetup::RESET_CENTS);
    let meter = Money::from_cents(question.meter_cents.unwrap_or(reset));
    let contribution = Rate::from_basis_points(points.unwrap_or(JackpotSetup::CONTRIBUTION_BPS));
    Ok(Some(JackpotSetup {
        units,
        minimum: Money::from_cents(question.jackpot_unit_cents()),
        meter: Pool::try_from(meter).map_err(|error| wrong("meter", &error.to_string()))?,
        contribution: contribution.map_err(|error| wrong("contribution_bps", &error))?,
        reset: Money::from_cents(reset),
    }))
}
