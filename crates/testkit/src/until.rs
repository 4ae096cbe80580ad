//! Waiting for a fact, never for a time.

use std::thread;
use std::time::{Duration, Instant};

/// Far more than any fact takes on a busy machine. A test that fails by it is wrong about the fact.
pub const PATIENCE: Duration = Duration::from_mins(2);

/// How long a wait pauses before it looks again.
pub const PAUSE: Duration = Duration::from_millis(10);

/// Waits until something holds.
#[track_caller]
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    until_some(what, || holds().then_some(()));
}

/// Waits until something is there.
#[track_caller]
pub fn until_some<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "not within {PATIENCE:?}: {what}");
        thread::sleep(PAUSE);
    }
}
