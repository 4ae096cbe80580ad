//! What one client may use up: so many requests at once and then so many a second, and so many open feeds.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::cookie::token;
use super::devices::is_key;
use super::sessions::TokenDigest;
use crate::app::App;
use crate::caller::Caller;
use crate::config::Limits;
use crate::problem::Problem;

/// More than so many are not remembered: those with nothing used up are forgotten.
const REMEMBERED_MAX: usize = 100_000;

/// Whose requests are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Who {
    Session(TokenDigest),
    Device(TokenDigest),
    Place(IpAddr),
    Guests(IpAddr),
    Lab(IpAddr),
}

/// How many guests may come from one place at once, and then so many a second.
const GUESTS: f64 = 30.0;
const GUESTS_A_SECOND: f64 = 1.0 / 30.0;

/// How many requests a device may make at once, and then so many a second: a shoe deals a card in a second.
const DEVICE: f64 = 60.0;
const DEVICE_A_SECOND: f64 = 10.0;

/// The part of an address's requests that may go to what takes the cores: others wait for them too.
const LAB_PART: f64 = 0.4;

/// Where answers are computed for anybody who asks.
const COMPUTED: [&str; 4] = ["/api/lab/", "/api/drill/", "/api/train/", "/api/practice/"];

/// What is left of somebody's requests, as of a moment.
#[derive(Clone, Copy, Debug)]
struct Left {
    requests: f64,
    at: Instant,
}

/// The requests and feeds of everybody.
#[derive(Debug)]
pub struct Limiter {
    burst: f64,
    a_second: f64,
    left: Mutex<HashMap<Who, Left>>,
    feeds: PerAddress,
}

/// How much of something each address has open: feeds, connections.
#[derive(Clone, Debug)]
pub struct PerAddress {
    open: Arc<Mutex<Open>>,
    each_max: usize,
    all_max: usize,
}

/// What is open, by address and in all.
#[derive(Debug, Default)]
struct Open {
    by_address: HashMap<IpAddr, usize>,
    all: usize,
}

/// One that is open. Dropped, it is open no more.
#[derive(Debug)]
pub struct Permit {
    place: IpAddr,
    open: Arc<Mutex<Open>>,
}

/// Why there is no permit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// This address has as many as it may.
    Address,
    /// All of them together have.
    All,
}

impl PerAddress {
    pub fn new(each_max: usize, all_max: usize) -> PerAddress {
        PerAddress { open: Arc::default(), each_max, all_max }
    }

    /// Opens one more for a caller, or refuses one too many.
    pub fn take(&self, caller: Caller) -> Result<Permit, Full> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if self.all_max <= open.all {
            return Err(Full::All);
        }
        let place = place(caller);
        let count = open.by_address.entry(place).or_insert(0);
        if self.each_max <= *count {
            return Err(Full::Address);
        }
        *count += 1;
        open.all += 1;
        Ok(Permit { place, open: Arc::clone(&self.open) })
    }
}

impl Limiter {
    /// Nobody has used up anything.
    pub fn new(limits: &Limits) -> Limiter {
        Limiter {
            burst: f64::from(limits.requests_burst),
            a_second: f64::from(limits.requests_per_second),
            left: Mutex::default(),
            feeds: PerAddress::new(limits.feeds_per_address, limits.feeds),
        }
    }

    /// Counts a guest who comes in, or refuses one too many: each is remembered for good.
    pub fn guest(&self, caller: Caller) -> Result<(), Problem> {
        let taken = self.take(Who::Guests(place(caller)), Instant::now());
        taken.map_err(|wait| too_many(wait, "Too many guests come from here; wait a moment."))
    }

    /// How many requests at once, and then so many a second.
    const fn rate(&self, who: Who) -> (f64, f64) {
        match who {
            Who::Session(_) | Who::Place(_) => (self.burst, self.a_second),
            Who::Device(_) => (DEVICE, DEVICE_A_SECOND),
            Who::Guests(_) => (GUESTS, GUESTS_A_SECOND),
            Who::Lab(_) => (self.burst * LAB_PART, self.a_second * LAB_PART),
        }
    }

    /// Takes one request, or says how long to wait.
    fn take(&self, who: Who, now: Instant) -> Result<(), Duration> {
        let mut all = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        if REMEMBERED_MAX <= all.len() {
            all.retain(|who, left| self.refilled(*who, *left, now) < self.rate(*who).0);
        }
        let (burst, a_second) = self.rate(who);
        let left = all.entry(who).or_insert(Left { requests: burst, at: now });
        let requests = self.refilled(who, *left, now);
        if requests < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - requests) / a_second.max(0.001)));
        }
        *left = Left { requests: requests - 1.0, at: now };
        Ok(())
    }

    fn refilled(&self, who: Who, left: Left, now: Instant) -> f64 {
        let (burst, a_second) = self.rate(who);
        let since = now.saturating_duration_since(left.at).as_secs_f64();
        since.mul_add(a_second, left.requests).min(burst)
    }

    /// Opens a feed, or refuses one too many.
    pub fn feed(&self, caller: Caller) -> Result<Permit, Problem> {
        self.feeds.take(caller).map_err(|full| match full {
            Full::All => Problem::unavailable("There are too many feeds open; try again in a moment."),
            Full::Address => too_many(Duration::from_secs(5), "You have too many feeds open; close one."),
        })
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.all -= 1;
        if let Some(count) = open.by_address.get_mut(&self.place) {
            *count -= 1;
            if *count == 0 {
                open.by_address.remove(&self.place);
            }
        }
    }
}

/// What counts as one place: an address, or the network that a provider gives one customer.
pub fn place(Caller(address): Caller) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            let network = u128::from(address) & !u128::from(u64::MAX);
            IpAddr::V6(Ipv6Addr::from(network))
        }
    }
}

/// Refuses requests that come too fast. A signed-in client and a device have limits of their own; all others share that of their address.
pub async fn check(State(app): State<App>, caller: Caller, request: Request, next: Next) -> Response {
    if !request.uri().path().starts_with("/api") {
        return next.run(request).await;
    }
    let token = token(&app, request.headers());
    let digest = token.as_deref().map(TokenDigest::of);
    let who = match digest.filter(|digest| app.sessions.knows(*digest)) {
        Some(digest) => Who::Session(digest),
        None => match token.filter(|token| is_key(token)).and_then(|key| app.devices.heard_of(&key)) {
            Some(device) => Who::Device(device.digest()),
            None => Who::Place(place(caller)),
        },
    };
    let now = Instant::now();
    let computes = COMPUTED.iter().any(|prefix| request.uri().path().starts_with(prefix));
    let is_strangers = matches!(who, Who::Place(_)) && computes;
    let lab = if is_strangers { app.limiter.take(Who::Lab(place(caller)), now) } else { Ok(()) };
    match lab.and_then(|()| app.limiter.take(who, now)) {
        Ok(()) => next.run(request).await,
        Err(wait) => too_many(wait, "You ask too often; wait a moment.").into_response(),
    }
}

/// Somebody has to wait.
pub fn too_many(wait: Duration, detail: &str) -> Problem {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() != 0);
    Problem::new(StatusCode::TOO_MANY_REQUESTS, "TooManyRequests", detail).retry_after(seconds.max(1))
}
