//! The second factor of a person of the staff: enrolling, and removing it.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use floor::node::Request;
use floor::{Command, HouseCommand};
use jackpot::Person;
use journal::{Actor, SecondFactorChange};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::JsonBody;
use super::session::{check_own, check_own_password, random_id};
use crate::app::App;
use crate::auth::accounts::RowChange;
use crate::auth::guard::Account;
use crate::auth::second_factor::SecondFactors;
use crate::caller::Caller;
use crate::problem::Problem;

/// Whether there is a second factor.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SecondFactorView {
    /// Whether a code is asked for besides the password.
    enrolled: bool,
    /// Whether the office needs one: without it nothing else can be done.
    required: bool,
    /// How many recovery codes are left.
    recovery_codes_left: usize,
}

/// A secret that is offered. It is kept once a code of it was given.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SecondFactorOffer {
    /// Names the offer when it is confirmed.
    nonce: String,
    /// The secret, to be typed into an authenticator.
    secret: String,
    /// The secret with its name, as authenticators read it.
    address: String,
    /// The same as a QR code: an SVG image.
    picture: String,
}

/// Confirms an offer.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Enrolment {
    /// Of the offer.
    #[schema(max_length = 100)]
    nonce: String,
    #[schema(format = Password, max_length = 1000)]
    password: String,
    /// The code that the authenticator shows.
    #[schema(max_length = 100, example = "492039")]
    code: String,
}

/// The recovery codes, which are shown once.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RecoveryCodes {
    /// Each takes the place of a code of the authenticator once.
    recovery_codes: Vec<String>,
}

/// The password, and a code.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SecondFactorRemoval {
    #[schema(format = Password, max_length = 1000)]
    password: String,
    /// The code that the authenticator shows, or a recovery code.
    #[schema(max_length = 100, example = "492039")]
    code: String,
}

/// Whether you have a second factor, and whether your office needs one. For the staff.
#[utoipa::path(get, path = "/api/second-factor", operation_id = "second_factor", tag = "session",
    responses((status = 200, description = "Whether there is one", body = SecondFactorView)))]
pub(super) async fn shown(State(app): State<App>, who: Account) -> Result<Json<SecondFactorView>, Problem> {
    let person = person(&who)?;
    let enrolled = app.second_factors.is_enrolled(&person);
    let recovery_codes_left = app.second_factors.recovery_codes_left(&person).await?;
    Ok(Json(SecondFactorView {
        enrolled,
        required: app.requires_second_factor(&who.actor),
        recovery_codes_left,
    }))
}

/// Offers a secret for an authenticator. Nothing changes before a code of it is given. For the staff.
#[utoipa::path(post, path = "/api/second-factor/offer", operation_id = "offer_second_factor", tag = "session",
    responses((status = 200, description = "A secret", body = SecondFactorOffer)))]
pub(super) async fn offer(State(app): State<App>, who: Account) -> Result<Json<SecondFactorOffer>, Problem> {
    let person = person(&who)?;
    check_not_enrolled(&app, &person)?;
    let offer = app.second_factors.offer(&person, &who.session);
    let (nonce, secret) = (offer.nonce, offer.secret);
    Ok(Json(SecondFactorOffer { nonce, secret, address: offer.address, picture: offer.picture }))
}

/// Enrols a second factor: from here on a code is asked for wherever the password is. For the staff.
///
/// The answer has ten recovery codes, which are not shown again.
#[utoipa::path(post, path = "/api/second-factor", operation_id = "enrol_second_factor", tag = "session",
    request_body = Enrolment,
    responses((status = 200, description = "Enrolled", body = RecoveryCodes)))]
pub(super) async fn enrol(
    State(app): State<App>,
    caller: Caller,
    who: Account,
    asked: JsonBody<Enrolment>,
) -> Result<Json<RecoveryCodes>, Problem> {
    let (person, Enrolment { nonce, password, code }) = (person(&who)?, asked.form);
    check_not_enrolled(&app, &person)?;
    check_own_password(&app, caller, &who.session, &password).await?;
    let confirmed = app.second_factors.confirm(&person, &who.session, &nonce, &code);
    let Some((RowChange { digest, rows }, recovery_codes)) = confirmed else {
        let detail =
            "This is not the code of this secret. Check the clock of your device, and give the next code.";
        return Err(Problem::forbidden("CodeIsWrong", detail).at("code"));
    };
    let how = SecondFactorChange::Enrolled;
    let command = HouseCommand::SetSecondFactor { person, how, row: Some(digest) };
    let request = Request::new(random_id(), who.actor, Command::House(command));
    app.ask(request.with_rows(rows)).await?;
    Ok(Json(RecoveryCodes { recovery_codes }))
}

/// Removes your second factor, with the password and a code. For the staff.
///
/// Who has lost the authenticator and the recovery codes asks two managers, who propose it.
#[utoipa::path(post, path = "/api/second-factor/removal", operation_id = "remove_second_factor", tag = "session",
    request_body = SecondFactorRemoval,
    responses((status = 204, description = "Removed")))]
pub(super) async fn remove(
    State(app): State<App>,
    caller: Caller,
    who: Account,
    asked: JsonBody<SecondFactorRemoval>,
) -> Result<Response, Problem> {
    let (person, SecondFactorRemoval { password, code }) = (person(&who)?, asked.form);
    if !app.second_factors.is_enrolled(&person) {
        return Err(Problem::new(StatusCode::CONFLICT, "NoSecondFactor", "You have no second factor."));
    }
    check_own(&app, caller, &who, &password, Some(&code)).await?;
    let (rows, how) = (SecondFactors::removal(&person), SecondFactorChange::Removed);
    let command = HouseCommand::SetSecondFactor { person, how, row: None };
    let request = Request::new(random_id(), who.actor, Command::House(command));
    app.ask(request.with_rows(rows)).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// The person of the staff who asks.
fn person(who: &Account) -> Result<Person, Problem> {
    match &who.actor {
        Actor::Staff(person, _) | Actor::Acting(person, _) | Actor::Department(person, _) => {
            Ok(person.clone())
        }
        Actor::Player(_) | Actor::Device(_) | Actor::System => {
            Err(Problem::forbidden("StaffOnly", "This is for the staff; please ask the Dealer."))
        }
    }
}

fn check_not_enrolled(app: &App, person: &Person) -> Result<(), Problem> {
    if app.second_factors.is_enrolled(person) {
        let detail = "You have a second factor already; remove it first.";
        return Err(Problem::new(StatusCode::CONFLICT, "HasSecondFactor", detail));
    }
    Ok(())
}
