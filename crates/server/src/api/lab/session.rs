//! The exact distribution of a session's result, by convolution round by round.

use axum::extract::State;
use axum::response::Response;
use lab::exact::{Base, Lab, OutcomeRow, Question};
use lab::par::{SESSION_ROUNDS_MAX, Session, sessions};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{LabForm, lab_problem, scenario, text, wrong};
use crate::api::body::JsonBody;
use crate::app::App;
use crate::problem::Problem;

/// The percentiles in the answer.
const PERCENTS: [u8; 9] = [1, 5, 10, 25, 50, 75, 90, 95, 99];

/// The losses in the answer, in Antes.
const LOSSES: [i64; 7] = [10, 20, 50, 100, 200, 500, 1000];

/// At how many points of the session the answer has percentiles.
const MARKS: u32 = 20;

/// Into how many bars the results between the outermost percentiles are put, at most.
const BARS: i64 = 60;

/// The most that rounds times the distance between best and worst result may be: a changed pay table with a huge
/// payout would block the lab for other users.
const WORK_MAX: i64 = 2_000_000;

/// A game and how long it is played.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct SessionForm {
    /// The game. The session is of the Ante and all that follows from it, played perfectly; Bonus and jackpot are
    /// simulated by `/api/lab/simulate`.
    game: LabForm,
    /// How many rounds, 2000 at most.
    #[schema(minimum = 1, maximum = 2000, example = 100)]
    rounds: u32,
}

#[derive(Debug, Serialize, ToSchema)]
pub(in crate::api) struct PercentileView {
    /// Which, in per cent.
    percent: u8,
    /// The result that so many of a hundred sessions do not exceed, in Antes.
    antes: i64,
}

/// Results next to each other.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::api) struct Bar {
    /// The lowest result, in Antes.
    from: i64,
    /// The highest.
    to: i64,
    /// How likely they are.
    chance: f64,
}

/// The chance of a loss.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::api) struct LossView {
    /// So many Antes or more.
    antes: i64,
    /// How likely a session ends so.
    chance: f64,
}

/// How sessions stand after some of their rounds.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::api) struct CourseView {
    /// After how many rounds.
    rounds: u32,
    /// The percentiles there.
    percentiles: Vec<PercentileView>,
}

/// What a session can come to.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::api) struct SessionOutcome {
    /// How many rounds.
    rounds: u32,
    /// What it brings on average, in Antes.
    mean: f64,
    /// Its standard deviation, in Antes.
    standard_deviation: f64,
    /// The chance to end ahead.
    ahead: f64,
    /// The chance to end level.
    level: f64,
    /// The chance to end behind.
    behind: f64,
    /// The percentiles of the result.
    percentiles: Vec<PercentileView>,
    /// The chance of losses.
    losses: Vec<LossView>,
    /// The distribution: the first and the last bar hold everything beyond.
    bars: Vec<Bar>,
    /// The percentiles as the session goes on.
    course: Vec<CourseView>,
}

/// What so many rounds can come to, and how likely.
#[utoipa::path(post, path = "/api/lab/session", tag = "lab",
    request_body(content = SessionForm,
        example = json!({ "game": { "rulebook": "megalink-stud-v9" }, "rounds": 100 })),
    responses((status = 200, description = "The session", body = SessionOutcome)))]
pub(in crate::api) async fn session(
    State(app): State<App>,
    asked: JsonBody<SessionForm>,
) -> Result<Response, Problem> {
    let rounds = asked.form.rounds;
    if !(1..=SESSION_ROUNDS_MAX).contains(&rounds) {
        return Err(wrong("rounds", &format!("a session has 1 to {SESSION_ROUNDS_MAX} rounds")));
    }
    let scenario = scenario(&app, &asked.form.game, true)?;
    let work = move |lab: &Lab| {
        let question = Question { jackpot_wager_cents: 0, meter_cents: None, ..scenario.question };
        let exact = lab.exact(&scenario.book, &question).map_err(|error| lab_problem(&error))?;
        check_work(&exact.outcomes, rounds)?;
        let mut marks: Vec<u32> = (1..=MARKS).map(|mark| (rounds * mark).div_ceil(MARKS)).collect();
        marks.dedup();
        text(&outcome(&exact.base, &sessions(&exact.outcomes, exact.deals, &marks))?)
    };
    app.work.lab.answer(format!("session {}", asked.text), work).await
}

/// Refuses a session whose distribution would take too long.
pub(super) fn check_work(outcomes: &[OutcomeRow], rounds: u32) -> Result<(), Problem> {
    let nets = || outcomes.iter().map(|row| row.net);
    let distance = nets().max().unwrap_or(0) - nets().min().unwrap_or(0);
    if WORK_MAX < distance.saturating_mul(i64::from(rounds)) {
        return Err(wrong("rounds", "with payouts this large, sessions this long are not counted"));
    }
    Ok(())
}

fn outcome(base: &Base, course: &[Session]) -> Result<SessionOutcome, Problem> {
    let whole = course.last().ok_or_else(Problem::broken)?;
    let rounds = f64::from(whole.rounds);
    let loss = |antes: i64| LossView { antes, chance: whole.chance(|result| result <= -antes) };
    Ok(SessionOutcome {
        rounds: whole.rounds,
        mean: base.net.value() * rounds,
        standard_deviation: base.standard_deviation * rounds.sqrt(),
        ahead: whole.chance(|result| 0 < result),
        level: whole.chance(|result| result == 0),
        behind: whole.chance(|result| result < 0),
        percentiles: percentiles(whole),
        losses: LOSSES.into_iter().map(loss).collect(),
        bars: bars(whole),
        course: course
            .iter()
            .map(|session| CourseView { rounds: session.rounds, percentiles: percentiles(session) })
            .collect(),
    })
}

fn percentiles(session: &Session) -> Vec<PercentileView> {
    let one = |percent: u8| PercentileView { percent, antes: session.percentile(f64::from(percent) / 100.0) };
    PERCENTS.into_iter().map(one).collect()
}

/// The distribution in bars of equal width; what lies far out is in the first and the last.
fn bars(session: &Session) -> Vec<Bar> {
    let (low, high) = (session.percentile(0.002), session.percentile(0.998));
    let results = high - low + 1;
    let width = (results + BARS - 1) / BARS;
    let count = (results + width - 1) / width;
    let mut bars: Vec<Bar> = (0..count)
        .map(|at| Bar { from: low + at * width, to: low + (at + 1) * width - 1, chance: 0.0 })
        .collect();
    for (result, chance) in session.results() {
        let at = ((result - low).max(0) / width).min(count - 1);
        if let Some(bar) = usize::try_from(at).ok().and_then(|at| bars.get_mut(at)) {
            bar.chance += chance;
            (bar.from, bar.to) = (bar.from.min(result), bar.to.max(result));
        }
    }
    bars
}
