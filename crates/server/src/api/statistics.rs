//! Is it honest? What the rounds of some gaming days say about tables, Dealers, Players and cards. Rounds in play are not read.

use ::reports::{Days, GamingDay, Statistics};
use axum::Json;
use axum::extract::State;
use journal::Reader;
use lab::exact::Lab;
use rulebook::Office;
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use super::body::QueryParams;
use super::reports::{Ends, day, log_problem, range, wrong};
use crate::app::App;
use crate::auth::guard::Staff;
use crate::problem::Problem;

/// The longest range, in days: every decision of it is judged while somebody waits.
const DAYS_MAX: u64 = 31;

#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct WhichStatistics {
    /// The first gaming day.
    #[param(example = "2026-11-16")]
    from: String,
    /// The last gaming day; the first where none is named.
    to: Option<String>,
}

/// Is it honest? For every table, Dealer and Player what was won beside what was expected, what every decision cost, and the
/// evidence that a hidden card was known; Jackpots, cards and shuffles beside their exact chances. Of rounds that are over
/// alone. From a Pit Manager up.
#[utoipa::path(get, path = "/api/statistics", tag = "reports", params(WhichStatistics),
    responses((status = 200, description = "The statistics", body = Statistics),
        (status = 422, description = "These are no gaming days", body = Problem,
            content_type = "application/problem+json")))]
pub(super) async fn honesty(
    State(app): State<App>,
    QueryParams(which): QueryParams<WhichStatistics>,
    who: Staff,
) -> Result<Json<Statistics>, Problem> {
    who.may_look_from(Office::PitManager)?;
    let from: GamingDay = which.from.parse().map_err(|error| wrong(&error))?;
    let days: Days = range(from, day(which.to.as_deref())?.unwrap_or(from))?;
    if from.number().saturating_add(DAYS_MAX) <= days.to().number() {
        let words =
            format!("the page judges {DAYS_MAX} days at most; `megalink audit statistics` any number");
        return Err(wrong(&words));
    }
    let permit = app.work.reports.permit().await?;
    let (library, ends) = (app.library(), Ends::whole(&app));
    let read = move |reader: &mut dyn Reader| {
        // Held by the work itself: whoever asks again and again has it done once at a time.
        let _permit = permit;
        let lab = Lab::new();
        let found = ends
            .log(reader, &library)
            .and_then(|mut log| ::reports::statistics(&mut log, &lab, days, &mut |_| {}));
        Ok(found)
    };
    let found = app.vault.read(read).await?;
    found.map(Json).map_err(|error| log_problem(&error))
}
