//! Random commands by random people: whatever is asked of a floor, the driver's checks hold after every command.

pub(crate) mod commands;

use std::collections::BTreeSet;

use floor::{Command, HouseCommand, TableCommand};
use proptest::prelude::*;

use crate::support::Hall;

/// Gives random commands, and says which kinds were taken.
fn soak(seed: u64, steps: usize) -> BTreeSet<String> {
    let mut hall = Hall::open();
    // What one person may do alone is tested elsewhere.
    hall.lift_limits();
    let mut chance = commands::Chance::new(seed);
    let mut taken = BTreeSet::new();
    for _ in 0..steps {
        commands::meanwhile(&mut hall, &mut chance);
        let (actor, command) = commands::any(&hall, &mut chance);
        if hall.give(&actor, &command).is_ok() {
            taken.extend(kinds(&command));
        }
    }
    taken
}

/// The names of a command and of what it proposes.
fn kinds(command: &Command) -> Vec<String> {
    let name = |value: &dyn std::fmt::Debug| {
        let text = format!("{value:?}");
        text.split([' ', '{', '(']).next().unwrap_or_default().to_owned()
    };
    match command {
        Command::House(command @ HouseCommand::Propose { proposal }) => vec![name(command), name(proposal)],
        Command::House(command) => vec![name(command)],
        Command::Table { command: TableCommand::Round(command), .. } => vec![name(command)],
        Command::Table { command: TableCommand::Own(command), .. } => vec![name(command)],
        Command::Desk { command, .. } => vec![name(command)],
        Command::CarryForward { .. } => vec![name(command)],
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_asked_the_books_balance(seed: u64) {
        soak(seed, 3_000);
    }
}

/// The random commands are worth something: everything that can be asked is asked, and taken, sooner or later.
#[test]
fn everything_that_can_be_asked_is_taken() {
    let taken: BTreeSet<String> = (1..=16).flat_map(|seed| soak(seed, 10_000)).collect();
    let missing: Vec<_> = commands::KINDS.iter().filter(|kind| !taken.contains(**kind)).collect();
    assert!(missing.is_empty(), "never taken: {missing:?}");
}
