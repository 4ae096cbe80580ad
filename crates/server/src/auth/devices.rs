//! Machines that ask: a key opens what its scope names, at one table or one link, and nothing else. What keys there are is in
//! the log of the house alone; beside it stands only when each was last used.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{FromRequestParts, MatchedPath, RawPathParams, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use journal::vault::kind::DEVICE_USED;
use journal::{DeviceId, DeviceScope, Event, HouseEvent, Moment, Reader, Sealed, Stream, Version, decode};

use super::cookie::token;
use super::sessions::{TokenDigest, random_token};
use crate::app::App;
use crate::problem::Problem;
use crate::vault::Vault;

/// What the key of a device begins with, so that people and programs see what it is.
pub const PREFIX: &str = "device-";

/// How often it is noted that a device was used.
const NOTED: Duration = Duration::from_mins(1);

/// How often an open feed looks whether its device may still follow it.
const LOOKED: Duration = Duration::from_millis(250);

/// How many entries of the house are read at once that this node has not heard of yet.
const UNHEARD: usize = 1000;

/// A device that asks. Its scope opens the route it asks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownDevice {
    pub id: DeviceId,
    pub scope: DeviceScope,
    pub until: Moment,
    digest: TokenDigest,
}

impl KnownDevice {
    /// The digest of its key.
    pub(super) const fn digest(&self) -> TokenDigest {
        self.digest
    }
}

/// The devices of the house.
#[derive(Debug)]
pub struct Devices {
    vault: Vault,
    noted: Mutex<HashMap<DeviceId, Instant>>,
}

/// A new key.
pub fn new_key() -> String {
    format!("{PREFIX}{}", random_token())
}

/// The key of a device that a request carries, whether or not it opens anything.
pub fn key(app: &App, headers: &HeaderMap) -> Option<String> {
    token(app, headers).filter(|token| is_key(token))
}

/// Whether a token is the key of a device, and not of a session.
pub fn is_key(token: &str) -> bool {
    token.starts_with(PREFIX)
}

impl Devices {
    pub fn new(vault: Vault) -> Devices {
        Devices { vault, noted: Mutex::default() }
    }

    /// The device that has a key, as far as this node has heard.
    pub fn heard_of(&self, key: &str) -> Option<KnownDevice> {
        self.by_digest(TokenDigest::of(key))
    }

    fn by_digest(&self, digest: TokenDigest) -> Option<KnownDevice> {
        let house = self.vault.board().house();
        let (id, device) = house.device_of_key(&digest.hash(), Moment::now())?;
        Some(KnownDevice { id: id.clone(), scope: device.scope.clone(), until: device.until, digest })
    }

    /// The device that has a key. Another node may have made or revoked it a moment ago: what this one has not heard of is read
    /// from the log.
    async fn find(&self, key: &str) -> Result<Option<KnownDevice>, Problem> {
        let digest = TokenDigest::of(key);
        let (known, after) = {
            let heard = self.vault.board().head(&Stream::House).map_or(Version(0), |head| head.version);
            (self.by_digest(digest), heard)
        };
        let unheard = move |reader: &mut dyn Reader| {
            let (mut known, mut after) = (known, after);
            loop {
                let entries = reader.entries(&Stream::House, after, UNHEARD)?;
                let Some(last) = entries.last() else { return Ok(known) };
                after = last.version;
                for entry in &entries {
                    follow(&mut known, digest, decode(&entry.body).ok());
                }
            }
        };
        self.vault.look_up(unheard).await
    }

    /// Notes that a device was used, now and then.
    async fn note_use(&self, id: &DeviceId) -> Result<(), Problem> {
        {
            let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
            if noted.get(id).is_some_and(|at| at.elapsed() < NOTED) {
                return Ok(());
            }
            noted.insert(id.clone(), Instant::now());
        }
        let value = serde_json::to_vec(&Moment::now()).expect("a number has a JSON form");
        let row = Sealed { kind: DEVICE_USED.to_owned(), key: id.name().to_lowercase(), value: Some(value) };
        self.vault.put(vec![row]).await
    }

    /// When each device was last used, to the minute, by its name in lower case.
    pub async fn last_used(&self) -> Result<HashMap<String, Moment>, Problem> {
        let all = self.vault.all(DEVICE_USED).await?;
        let noted = |(name, bytes): (String, Vec<u8>)| Some((name, serde_json::from_slice(&bytes).ok()?));
        Ok(all.into_iter().filter_map(noted).collect())
    }

    /// Waits until the key of a device no longer holds.
    pub async fn ended(&self, device: &KnownDevice) {
        let mut every = tokio::time::interval(LOOKED);
        every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        while self.by_digest(device.digest).is_some() {
            every.tick().await;
        }
    }
}

/// What an entry of the house does to a key.
fn follow(known: &mut Option<KnownDevice>, digest: TokenDigest, event: Option<Event>) {
    let Some(Event::House(event)) = event else { return };
    if let HouseEvent::DeviceKeyMade { device: id, scope, key, until } = event {
        if key == digest.hash() && Moment::now() < until {
            *known = Some(KnownDevice { id, scope, until, digest });
        }
    } else if let HouseEvent::DeviceKeyRevoked { device } = event
        && known.as_ref().is_some_and(|known| known.id == device)
    {
        *known = None;
    }
}

/// Refuses a key that opens nothing, and everything that the scope of a key does not open.
pub async fn check(State(app): State<App>, request: Request, next: Next) -> Response {
    let Some(key) = key(&app, request.headers()) else { return next.run(request).await };
    match admit(&app, &key, request).await {
        Ok(request) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

async fn admit(app: &App, key: &str, request: Request) -> Result<Request, Problem> {
    let Some(device) = app.devices.find(key).await? else {
        let detail =
            "This key of a device is unknown, revoked or has run out; a Gaming Shift Manager makes another.";
        return Err(Problem::new(StatusCode::UNAUTHORIZED, "DeviceKeyIsUnknown", detail));
    };
    let (mut parts, body) = request.into_parts();
    if !is_open_to(&device.scope, &mut parts, app).await {
        return Err(Problem::forbidden("DeviceMayNot", "The key of this device does not open this."));
    }
    app.devices.note_use(&device.id).await?;
    parts.extensions.insert(device);
    Ok(Request::from_parts(parts, body))
}

/// Whether a scope opens what a request asks for. What a shoe may enter, the floor says.
async fn is_open_to(scope: &DeviceScope, parts: &mut Parts, app: &App) -> bool {
    let Some(route) = parts.extensions.get::<MatchedPath>().map(|route| route.as_str().to_owned()) else {
        return false;
    };
    let Ok(params) = RawPathParams::from_request_parts(parts, app).await else { return false };
    let at: Vec<&str> = params.iter().map(|(_, value)| value).collect();
    let reads = matches!(parts.method, Method::GET | Method::HEAD);
    if reads && route == "/api/device" {
        return true;
    }
    match scope {
        DeviceScope::Shoe { table } => {
            let route = route.as_str();
            let opens = reads && route == "/api/tables/{table}"
                || parts.method == Method::POST && route == "/api/tables/{table}/commands";
            opens && at == [table.name()]
        }
        DeviceScope::Sign { link } => match route.as_str() {
            "/api/links/{link}" => reads && at == [link.name()],
            "/api/streams/{kind}/{name}/feed" => reads && at == ["link", link.name()],
            _ => false,
        },
        DeviceScope::Accounting {} => {
            reads && matches!(route.as_str(), "/api/reports" | "/api/exports/{what}")
        }
        DeviceScope::Follower {} => reads && route == "/api/finished",
    }
}
