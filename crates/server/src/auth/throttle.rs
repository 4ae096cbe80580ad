//! Wrong passwords cost time. Wrong ones for one account from one address make that pair wait, longer each time. An account
//! that many addresses try, and an address that tries many accounts, wait seconds at most: nobody can keep a whole
//! address out, such as a casino's, or an account's owner at another address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The limits of wrong tries: how many are free, and the longest wait after them.
struct Bounds {
    free: u32,
    longest: Duration,
}

const PAIR: Bounds = Bounds { free: 5, longest: Duration::from_mins(1) };
const ACCOUNT: Bounds = Bounds { free: 20, longest: Duration::from_secs(3) };
const ADDRESS: Bounds = Bounds { free: 50, longest: Duration::from_secs(3) };

/// After so long without a wrong password everything is forgotten.
const FORGET: Duration = Duration::from_hours(1);

/// More than so many are not remembered: the oldest go.
const REMEMBERED_MAX: usize = 100_000;

/// The waits.
#[derive(Debug, Default)]
pub struct Throttle(Mutex<HashMap<Who, Tries>>);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Who {
    Pair(IpAddr, String),
    Account(String),
    Address(IpAddr),
}

impl Who {
    /// Everybody a try counts for. The name may be anything somebody sends.
    fn all(address: IpAddr, name: &str) -> [Who; 3] {
        let name: String = name.to_lowercase().chars().take(64).collect();
        [Who::Pair(address, name.clone()), Who::Account(name), Who::Address(address)]
    }

    const fn bounds(&self) -> Bounds {
        match self {
            Who::Pair(..) => PAIR,
            Who::Account(_) => ACCOUNT,
            Who::Address(_) => ADDRESS,
        }
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
    fn wait(self, bounds: &Bounds, now: Instant) -> Duration {
        let beyond = self.wrong.saturating_sub(bounds.free);
        if beyond == 0 {
            return Duration::ZERO;
        }
        let wait = Duration::from_millis(250).saturating_mul(1 << (beyond - 1).min(20));
        (self.last + wait.min(bounds.longest)).saturating_duration_since(now)
    }
}

impl Throttle {
    /// Whether a try may be made now, or how long to wait.
    pub fn check(&self, address: IpAddr, account: &str, now: Instant) -> Result<(), Duration> {
        let tries = self.0.lock().expect("nothing panics with the tries in hand");
        // Whoever has not been wrong here does not wait, however many others have been.
        if tries.get(&Who::Address(address)).is_none_or(|tries| tries.wrong == 0) {
            return Ok(());
        }
        let wait = |who: &Who| tries.get(who).map_or(Duration::ZERO, |tries| tries.wait(&who.bounds(), now));
        match Who::all(address, account).iter().map(wait).max() {
            None | Some(Duration::ZERO) => Ok(()),
            Some(wait) => Err(wait),
        }
    }

    /// A try, counted as wrong until it is found to be right: so that many at once are many.
    pub fn wrong(&self, address: IpAddr, account: &str, now: Instant) {
        let mut tries = self.0.lock().expect("nothing panics with the tries in hand");
        if REMEMBERED_MAX <= tries.len() {
            tries.retain(|_, tries| now.saturating_duration_since(tries.last) < FORGET);
        }
        if REMEMBERED_MAX <= tries.len() {
            tries.retain(|who, tries| who.bounds().free < tries.wrong);
        }
        for who in Who::all(address, account) {
            let entry = tries.entry(who).or_insert(Tries { wrong: 0, last: now });
            *entry = Tries { wrong: entry.counted(now).saturating_add(1), last: now };
        }
    }

    /// The right one after all: the try is not counted. What else came from that address is, or an attacker with an
    /// account of their own could begin anew whenever they liked.
    pub fn right(&self, address: IpAddr, account: &str) {
        let mut tries = self.0.lock().expect("nothing panics with the tries in hand");
        let [pair, account, address] = Who::all(address, account);
        tries.remove(&pair);
        for who in [account, address] {
            if let Some(tries) = tries.get_mut(&who) {
                tries.wrong = tries.wrong.saturating_sub(1);
            }
        }
    }
}
