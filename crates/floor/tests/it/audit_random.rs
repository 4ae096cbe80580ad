//! Random commands by random people, written down and audited: whatever a floor takes, the auditor can follow.

use floor::audit::Options;
use proptest::prelude::*;

use crate::audit_support::{given, sealed};
use crate::core_random::commands;
use crate::support::Hall;

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_a_floor_takes_can_be_followed(seed: u64) {
        let mut hall = Hall::open();
        hall.lift_limits();
        let mut chance = commands::Chance::new(seed);
        for _ in 0..3_000 {
            commands::meanwhile(&mut hall, &mut chance);
            let (actor, command) = commands::any(&hall, &mut chance);
            // What is refused is written nowhere.
            let _ = hall.give(&actor, &command);
        }
        let report = sealed(&given(&hall)).audit(&Options::default());
        let findings: Vec<String> = report.findings.iter().take(5).map(ToString::to_string).collect();
        prop_assert!(report.is_well(), "{}: {findings:#?}", report.figure);
    }
}
