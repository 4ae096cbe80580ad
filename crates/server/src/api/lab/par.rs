//! PAR sheets to download.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use lab::exact::Lab;
use lab::par::{Funding, Options, SESSION_ROUNDS_MAX, sheet};
use money::Rate;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::session::check_work;
use super::{LabForm, lab_problem, scenario, text, wrong};
use crate::api::body::QueryParams;
use crate::app::App;
use crate::problem::Problem;

/// A sheet is a page that needs nothing else: it carries its styles and pictures, and runs no script.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'; sandbox";

/// The largest reset amount that a sheet is made for.
const RESET_CENTS_MAX: u64 = 1_000_000_000_000;

/// The format of a sheet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(in crate::api) enum SheetFormat {
    /// A page, to be read or printed.
    #[default]
    Html,
    /// Its tables as JSON.
    Json,
    /// Its tables as CSV, one line a cell.
    Csv,
}

impl SheetFormat {
    const fn kind(self) -> &'static str {
        match self {
            SheetFormat::Html => "text/html; charset=utf-8",
            SheetFormat::Json => "application/json",
            SheetFormat::Csv => "text/csv; charset=utf-8",
        }
    }

    const fn ending(self) -> &'static str {
        match self {
            SheetFormat::Html => "html",
            SheetFormat::Json => "json",
            SheetFormat::Csv => "csv",
        }
    }
}

#[derive(Clone, Debug, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::api) struct WhichSheet {
    /// The rulebook's id.
    #[param(example = "megalink-stud-v9")]
    rulebook: String,
    /// The format; `html` by default.
    #[serde(default)]
    #[param(inline)]
    format: SheetFormat,
    /// Whether it is to be saved as a file rather than shown.
    #[serde(default)]
    download: bool,
    /// The Ante in cents; 2500 where none is named.
    ante: Option<u64>,
    /// The minimum Jackpot wager in cents; 500 where none is named.
    jackpot_wager: Option<u64>,
    /// The meter in cents; the reset amount where none is named.
    meter: Option<u64>,
    /// How much of a Jackpot wager goes to the meter, in ten-thousandths; 4000 where none is named.
    contribution_bps: Option<u64>,
    /// How much goes to the reserve that pays for resets, in ten-thousandths.
    reserve_bps: Option<u64>,
    /// What the meter restarts from in cents; 10000000 where none is named.
    reset: Option<u64>,
    /// How many rounds the session that is drawn has; 500 where none is named.
    #[param(minimum = 1, maximum = 2000)]
    session: Option<u32>,
    /// Readings other than the usual ones: `NAME=VALUE`, several with `;` between them.
    readings: Option<String>,
    /// Figures changed: `KEY=VALUE`, several with `;` between them.
    changes: Option<String>,
}

/// A PAR sheet: everything a test laboratory asks of a game, exact, on one page.
#[utoipa::path(get, path = "/api/lab/par", tag = "lab", params(WhichSheet),
    responses((status = 200, description = "The sheet", content(
            (String = "text/html"), (String = "text/csv"), (Object = "application/json"))),
        (status = 422, description = "This cannot be asked", body = Problem,
            content_type = "application/problem+json")))]
pub(in crate::api) async fn par(
    State(app): State<App>,
    QueryParams(which): QueryParams<WhichSheet>,
) -> Result<Response, Problem> {
    let form = LabForm {
        rulebook: which.rulebook.clone(),
        readings: pairs("readings", which.readings.as_deref())?,
        changes: pairs("changes", which.changes.as_deref())?,
        ante: which.ante,
        jackpot_wager: which.jackpot_wager,
        meter: which.meter,
    };
    let scenario = scenario(&app, &form, true)?;
    let options = options(&which, &scenario)?;
    let changed: Vec<String> = form.changes.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    let format = which.format;
    let question = format!("par {}", text(&which)?);
    let work = move |lab: &Lab| {
        // A sheet has sessions of a thousand rounds in any case.
        let base = lab.exact(&scenario.book, &scenario.question).map_err(|error| lab_problem(&error))?;
        check_work(&base.outcomes, options.session_rounds.max(1_000))?;
        let mut sheet = sheet(lab, &scenario.book, &options).map_err(|error| lab_problem(&error))?;
        if !changed.is_empty() {
            sheet.warnings.insert(0, format!("Figures changed from the rulebook: {}.", changed.join("; ")));
        }
        match format {
            SheetFormat::Html => Ok(sheet.html()),
            SheetFormat::Json => text(&sheet),
            SheetFormat::Csv => Ok(sheet.csv()),
        }
    };
    let sheet = app.work.lab.text(question, work).await?;
    let mut response = sheet.to_string().into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(format.kind()));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    let shown = if which.download { "attachment" } else { "inline" };
    let file = format!("{shown}; filename=\"par-{}.{}\"", which.rulebook, format.ending());
    if let Ok(file) = HeaderValue::from_str(&file) {
        headers.insert(header::CONTENT_DISPOSITION, file);
    }
    Ok(response)
}

/// What the sheet is for.
fn options(which: &WhichSheet, scenario: &lab::what_if::Scenario) -> Result<Options, Problem> {
    let usual = Options::default();
    let rate = |field: &'static str, points: u64| {
        let rate = Rate::from_basis_points(points).map(Rate::basis_points);
        rate.map_err(|error| wrong(field, &error))
    };
    let contribution = which.contribution_bps.or(scenario.link.contribution_basis_points);
    let funding = Funding {
        contribution_bps: match contribution {
            None => usual.funding.contribution_bps,
            Some(points) => rate("contribution_bps", points)?,
        },
        reserve_bps: rate("reserve_bps", which.reserve_bps.unwrap_or(0))?,
        reset_cents: which.reset.or(scenario.link.reset_cents).unwrap_or(usual.funding.reset_cents),
    };
    if 10_000 < u32::from(funding.contribution_bps) + u32::from(funding.reserve_bps) {
        return Err(wrong("reserve_bps", "contribution and reserve are more than the whole wager together"));
    }
    if RESET_CENTS_MAX < funding.reset_cents {
        return Err(wrong("reset", &format!("the most that is counted with is {RESET_CENTS_MAX} cents")));
    }
    let session_rounds = which.session.unwrap_or(usual.session_rounds);
    if !(1..=SESSION_ROUNDS_MAX).contains(&session_rounds) {
        return Err(wrong("session", &format!("a session of 1 to {SESSION_ROUNDS_MAX} rounds is drawn")));
    }
    Ok(Options {
        ante_cents: scenario.question.ante_cents,
        jackpot_wager_cents: scenario.question.jackpot_unit_cents(),
        meter_cents: scenario.question.meter_cents,
        funding,
        session_rounds,
        ante_pays_from: None,
    })
}

/// Names and values out of `NAME=VALUE;NAME=VALUE`.
fn pairs(field: &'static str, text: Option<&str>) -> Result<BTreeMap<String, String>, Problem> {
    let pair = |part: &str| match part.split_once('=') {
        Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
        None => Err(wrong(field, "write NAME=VALUE, several with ; between them")),
    };
    let parts = text.unwrap_or_default().split(';').filter(|part| !part.trim().is_empty());
    parts.map(pair).collect()
}
