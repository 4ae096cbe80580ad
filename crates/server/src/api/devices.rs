//! The keys of machines: made, listed and revoked by people, and asked about by the machines themselves.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use floor::view::scope_in_words;
use floor::{Command, DEVICE_DAYS_MAX, HouseCommand, permissions};
use journal::{DeviceId, DeviceScope, Moment, Stream};
use rulebook::Office;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::{JsonBody, Key};
use super::commands::{Asking, send};
use crate::app::App;
use crate::auth::devices::{KnownDevice, new_key};
use crate::auth::guard::{DeviceCaller, Staff};
use crate::auth::sessions::TokenDigest;
use crate::problem::Problem;

/// A device, what its key opens, and for how long.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct DeviceView {
    device: DeviceId,
    scope: DeviceScope,
    /// What the key opens, in words.
    opens: String,
    /// When the key was made.
    since: Moment,
    /// Until when it holds.
    until: Moment,
    /// Whether it still holds.
    holds: bool,
    /// When it was last used, to the minute; `null` where it never was.
    last_used: Option<Moment>,
}

/// The devices that have a key, also one that has run out. From a Pit Manager up.
#[utoipa::path(get, path = "/api/devices", tag = "devices",
    responses((status = 200, description = "The devices, by name", body = Vec<DeviceView>)))]
pub(super) async fn devices(State(app): State<App>, who: Staff) -> Result<Json<Vec<DeviceView>>, Problem> {
    who.may_look_from(Office::PitManager)?;
    let used = app.devices.last_used().await?;
    let (house, now) = (app.board.house(), Moment::now());
    let view = |(id, device): (&DeviceId, &floor::Device)| DeviceView {
        device: id.clone(),
        opens: scope_in_words(&device.scope),
        scope: device.scope.clone(),
        since: device.since,
        until: device.until,
        holds: device.holds(now),
        // One of the same name may have had a key before.
        last_used: used.get(&id.name().to_lowercase()).copied().filter(|used| device.since <= *used),
    };
    Ok(Json(house.devices().map(view).collect()))
}

/// A key to make.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DeviceForm {
    /// The name of the device: it stands in the log with everything it does.
    #[schema(example = "Shoe 7")]
    device: DeviceId,
    scope: DeviceScope,
    /// For how many days the key holds.
    #[schema(minimum = 1, maximum = 366)]
    days: u16,
}

#[derive(Debug, Serialize, ToSchema)]
pub(super) struct NewKey {
    device: DeviceId,
    /// The key. It is shown only now; the house keeps its digest.
    key: String,
    /// Until when it holds.
    until: Moment,
}

/// Makes a key for a device.
///
/// By a Gaming Shift Manager with a repeated password (`/api/session/step-up`). The key is in this answer and nowhere else: a
/// retry with the same `Idempotency-Key` is refused; if the answer was lost, revoke the key and make another.
#[utoipa::path(post, path = "/api/devices", tag = "devices",
    request_body(content = DeviceForm,
        example = json!({ "device": "Shoe 7", "scope": { "kind": "shoe", "table": "MTHB9-1" }, "days": 90 })),
    responses((status = 200, description = "The key", body = NewKey)))]
pub(super) async fn make(
    State(app): State<App>,
    who: Staff,
    Key(id): Key,
    asked: JsonBody<DeviceForm>,
) -> Result<Json<NewKey>, Problem> {
    let DeviceForm { device, scope, days } = asked.form;
    let key = new_key();
    let until = Moment::now().plus_days(days.min(DEVICE_DAYS_MAX));
    let digest = TokenDigest::of(&key).hash();
    let command =
        HouseCommand::MakeDeviceKey { device: device.clone(), scope: scope.clone(), key: digest, until };
    if permissions::of_house(&command).password {
        who.check_stepped_up()?;
    }
    check_days(days)?;
    if let Some(refusal) =
        app.board.floor().would_refuse(&who.actor, &Command::House(command.clone()), Moment::now())
    {
        return Err(refusal.into());
    }
    check_place(&app, &scope)?;
    // With the digest of the key in it, a retry is another command under the same id.
    let text = serde_json::to_string(&command).map_err(|_| Problem::broken())?;
    let asking = Asking { id, text: &text, about: &Stream::House, rows: Vec::new() };
    send(&app, who.actor, asking, Command::House(command)).await.map(|_| ())?;
    Ok(Json(NewKey { device, key, until }))
}

fn check_days(days: u16) -> Result<(), Problem> {
    if (1..=DEVICE_DAYS_MAX).contains(&days) {
        return Ok(());
    }
    let detail = format!("A key holds for 1 to {DEVICE_DAYS_MAX} days.");
    Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "FormIsWrong", detail).at("days"))
}

/// A key for a table or a link that is not there would open something later that nobody thought of.
fn check_place(app: &App, scope: &DeviceScope) -> Result<(), Problem> {
    match scope {
        DeviceScope::Shoe { table } if app.board.table(table).is_none() => {
            Err(Problem::not_found("There is no table of this name.").at("scope.table"))
        }
        DeviceScope::Sign { link } if app.board.link(link).is_none() => {
            Err(Problem::not_found("There is no link of this name.").at("scope.link"))
        }
        DeviceScope::Shoe { .. }
        | DeviceScope::Sign { .. }
        | DeviceScope::Accounting {}
        | DeviceScope::Follower {} => Ok(()),
    }
}

/// The device that asks, by its key.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct OwnDevice {
    device: DeviceId,
    scope: DeviceScope,
    /// Until when the key holds.
    until: Moment,
}

/// Which device a key belongs to, and what it opens. For devices.
#[utoipa::path(get, path = "/api/device", tag = "devices",
    responses((status = 200, description = "The device", body = OwnDevice)))]
pub(super) async fn own(DeviceCaller(device): DeviceCaller) -> Json<OwnDevice> {
    let KnownDevice { id, scope, until, .. } = device;
    Json(OwnDevice { device: id, scope, until })
}
