//! Random events and commands, and damaged texts.

use journal::{
    Body, command_from_text, command_text, decode, encode, is_canonical, transfers_from_text, transfers_text,
};
use proptest::prelude::*;

use super::leaves::Leaves;
use super::samples;
use super::{check, check_command};

/// Damage to a text: what is done, where, and with which byte.
type Damage = (u8, prop::sample::Index, u8);

fn damaged(text: &str, damage: &[Damage]) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    for (what, place, byte) in damage {
        if bytes.is_empty() {
            break;
        }
        let place = place.index(bytes.len());
        match what % 5 {
            0 => bytes[place] = *byte,
            1 => bytes[place] ^= 1 << (byte % 8),
            2 => bytes.insert(place, *byte),
            3 => drop(bytes.remove(place)),
            _ => bytes.truncate(place),
        }
    }
    String::from_utf8(bytes).ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Every kind of event, filled with random values, is read back the same.
    #[test]
    fn random_events_are_read_back(seed: u64) {
        for (kind, events) in samples::by_kind(&mut Leaves::Random(seed)) {
            for event in &events {
                prop_assert_eq!(check(event).kind, kind);
            }
        }
    }

    /// Every kind of command, filled with random values, is read back the same.
    #[test]
    fn random_commands_are_read_back(seed: u64) {
        for command in samples::floor_commands(&mut Leaves::Random(seed)) {
            check_command(&command);
        }
    }

    /// A damaged text of a command is refused, or is some command: never a panic.
    #[test]
    fn damaged_commands(seed: u64, damage: [Vec<Damage>; 16]) {
        let commands = samples::floor_commands(&mut Leaves::Random(seed));
        for (command, damage) in commands.iter().zip(damage.iter().cycle()) {
            let text = command_text(command);
            let Some(broken) = damaged(&text, damage) else { continue };
            let Ok(read) = command_from_text(&broken) else { continue };
            prop_assert_eq!(command_from_text(&command_text(&read)), Ok(read.clone()), "read from {}", broken);
            prop_assert!(read != *command || broken == text || command_text(&read) != broken);
        }
    }

    /// Random transfers are read back the same.
    #[test]
    fn random_transfers_are_read_back(seed: u64) {
        for transfers in samples::transfers(&mut Leaves::Random(seed)) {
            prop_assert_eq!(transfers_from_text(&transfers_text(&transfers)), Ok(transfers));
        }
    }

    /// No two events have the same text.
    #[test]
    fn different_events_have_different_texts(one: u64, other: u64) {
        let events = |seed| samples::by_kind(&mut Leaves::Random(seed)).into_iter().flat_map(|(_, events)| events);
        for (one, other) in events(one).zip(events(other)) {
            prop_assert_eq!(one == other, encode(&one) == encode(&other));
        }
    }

    /// A damaged text is refused, or is some other event: never a panic, and never the same event again in another
    /// text that passes for its own.
    #[test]
    fn damaged_events(seed: u64, damage: [Vec<Damage>; 16]) {
        for (kind, events) in samples::by_kind(&mut Leaves::Random(seed)) {
            for (event, damage) in events.iter().zip(damage.iter().cycle()) {
                let body = encode(event);
                let Some(json) = damaged(&body.json, damage) else { continue };
                let broken = Body { kind: kind.to_owned(), json };
                let Ok(read) = decode(&broken) else { continue };
                prop_assert_eq!(&decode(&encode(&read)), &Ok(read.clone()), "read from {:?}", broken);
                prop_assert_eq!(is_canonical(&broken), Ok(broken == encode(&read)));
                prop_assert!(read != *event || broken == body || is_canonical(&broken) == Ok(false));
            }
        }
    }

    /// The text of transfers is the only one they are read from.
    #[test]
    fn damaged_transfers(seed: u64, damage: [Vec<Damage>; 16]) {
        let samples = samples::transfers(&mut Leaves::Random(seed));
        for (transfers, damage) in samples.iter().zip(damage.iter().cycle()) {
            let Some(text) = damaged(&transfers_text(transfers), damage) else { continue };
            if let Ok(read) = transfers_from_text(&text) {
                prop_assert_eq!(transfers_text(&read), text);
            }
        }
    }

    /// No text of any kind panics.
    #[test]
    fn any_text(json in "\\PC{0,80}", words in "[\\[\\]{}:,\"a-z0-9-]{0,80}") {
        for (kind, _) in samples::by_kind(&mut Leaves::Plain) {
            for json in [&json, &words] {
                let body = Body { kind: kind.to_owned(), json: json.clone() };
                prop_assert!(decode(&body).is_err() || is_canonical(&body).is_ok());
            }
        }
        prop_assert!(command_from_text(&json).is_err() && command_from_text(&words).is_err());
        prop_assert!(transfers_from_text(&json).is_err() || json.is_empty());
    }
}
