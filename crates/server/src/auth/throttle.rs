//! Wrong passwords cost time: a growing wait for each address, and a short one for an account that many addresses try.
//! Somebody who knows the password is never kept out by somebody who does not: an address without a wrong password of
//! its own never waits.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How many tries are free.
const FREE: u32 = 5;

/// The longest wait for one address, and for an account from everywhere.
const ADDRESS_MAX: Duration = Duration::from_mins(15);
const ACCOUNT_MAX: Duration = Duration::from_secs(3);

/// After so long without a wrong password everything is forgotten.
const FORGET: Duration = Duration::from_hours(1);

/// More than so many are not remembered: the oldest go.
const REMEMBERED_MAX: usize = 100_000;

/// The waits.
#[derive(Debug, Default)]
pub struct Throttle(Mutex<HashMap<Who, Tries>>);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Who {
    Address(IpAddr),
    Account(String),
}

impl Who {
    /// An account by its name, which may be anything somebody sends.
    fn account(name: &str) -> Who {
        Who::Account(name.to_lowercase().chars().take(64).collect())
    }
}

#[derive(Clone, Copy, Debug)]
struct Tries {
    wrong: u32,
    last: Instant,
}

impl Tries {
    /// How many still count: one less with every minute of peace.
    fn counted(self, now: Instant) -> u32 {
        let minutes = now.saturating_duration_since(self.last).as_secs() / 60;
        self.wrong.saturating_sub(u32::try_from(minutes).unwrap_or(u32::MAX))
    }

    /// How long no further try is looked at: doubling from a quarter of a second after the free ones. Of two that come
    /// at once the later one's moment may be here already, so the free ones wait for nothing, not even for that.
    fn wait(self, most: Duration, now: Instant) -> Duration {
        let beyond = self.wrong.saturating_sub(FREE);
        if beyond == 0 {
            return Duration::ZERO;
        }
        let wait = Duration::from_millis(250).saturating_mul(1 << (beyond - 1).min(20));
        (self.last + wait.min(most)).saturating_duration_since(now)
    }
}

impl Throttle {
    /// Whether a try may be made now, or how long to wait.
    pub fn check(&self, address: IpAddr, account: &str, now: Instant) -> Result<(), Duration> {
        let tries = self.0.lock().expect("nothing panics with the tries in hand");
        let wait = |who: &Who, most| tries.get(who).map_or(Duration::ZERO, |tries| tries.wait(most, now));
        if tries.get(&Who::Address(address)).is_none_or(|tries| tries.wrong == 0) {
            return Ok(());
        }
        let address = wait(&Who::Address(address), ADDRESS_MAX);
        let account = wait(&Who::account(account), ACCOUNT_MAX);
        match address.max(account) {
            Duration::ZERO => Ok(()),
            wait => Err(wait),
        }
    }

    /// A try, counted as wrong until it is found to be right: so that many at once are many.
    pub fn wrong(&self, address: IpAddr, account: &str, now: Instant) {
        let mut tries = self.0.lock().expect("nothing panics with the tries in hand");
        if REMEMBERED_MAX <= tries.len() {
            tries.retain(|_, tries| now.saturating_duration_since(tries.last) < FORGET);
        }
        if REMEMBERED_MAX <= tries.len() {
            tries.retain(|_, tries| FREE < tries.wrong);
        }
        for who in [Who::Address(address), Who::account(account)] {
            let entry = tries.entry(who).or_insert(Tries { wrong: 0, last: now });
            *entry = Tries { wrong: entry.counted(now).saturating_add(1), last: now };
        }
    }

    /// The right one after all: the try is not counted. What else came from that address is, or an attacker with an
    /// account of their own could begin anew whenever they liked.
    pub fn right(&self, address: IpAddr, account: &str) {
        let mut tries = self.0.lock().expect("nothing panics with the tries in hand");
        tries.remove(&Who::account(account));
        if let Some(tries) = tries.get_mut(&Who::Address(address)) {
            tries.wrong = tries.wrong.saturating_sub(1);
        }
    }
}
