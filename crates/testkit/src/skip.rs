//! Reports tests that cannot run on this machine as skipped, with the reason.

use std::fs::OpenOptions;
use std::io::Write as _;

/// Reports that the running test cannot run here, and why. The test must then return. If `CI` is set, the test fails
/// instead.
///
/// The test harness cannot report a skipped test, so the line goes to the file that `script/test` names in
/// `MEGALINK_SKIPPED` and counts.
pub fn skip(why: &str) {
    assert!(std::env::var_os("CI").is_none(), "this test must run in CI but cannot: {why}");
    let thread = std::thread::current();
    let line = format!("skipped {}: {why}\n", thread.name().unwrap_or("a test"));
    let Some(path) = std::env::var_os("MEGALINK_SKIPPED") else {
        eprint!("{line}");
        return;
    };
    let file = OpenOptions::new().create(true).append(true).open(&path);
    file.and_then(|mut file| file.write_all(line.as_bytes()))
        .unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
}
