//! A whole round with curl alone: the script from the README against the program itself.

use std::path::PathBuf;
use std::process::Command;

use crate::serve::{command, serve_by};

/// Enough time for a script to wager and to decide; nothing else waits.
const PACE: &str = "{ before_bets_ms = 0, bets_ms_min = 2000, bets_ms_max = 4000, deal_ms = 0, expose_ms = 0, \
                    decide_ms_max = 30000, show_ms = 0, settle_ms = 0, next_round_ms = 500, withdraw_ms = 500, think_ms = 0 }";

#[test]
fn a_round_with_curl() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut program = command(folder.path());
    program.env("MEGALINK_FLOOR__PACE", PACE);
    let served = serve_by(program);
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../samples/round.sh");
    let played =
        Command::new("bash").arg(&script).arg(&served.address).output().expect("bash and curl are here");
    let (output, errors) = (String::from_utf8_lossy(&played.stdout), String::from_utf8_lossy(&played.stderr));
    assert!(played.status.success(), "{output}{errors}");
    for sentence in ["Place your bets, please.", "No more bets."] {
        assert!(output.contains(sentence), "{output}{errors}");
    }
    assert!(output.contains("guest") && output.contains("an Ante in round"), "{output}{errors}");
}
