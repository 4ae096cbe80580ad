//! Tests that compare times do so only where nothing else runs.

/// Whether this run may compare times: the machine does nothing else (`script/soak timed`). A busy one would fail tests
/// that are right.
pub fn compares_times() -> bool {
    std::env::var_os("MEGALINK_TIMES").is_some()
}
