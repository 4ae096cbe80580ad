//! The stored forms: what is written is read back the same, every form ever written is still read, and nothing else is.

mod golden;
mod leaves;
mod listed;
mod played;
mod random;
mod refused;
mod samples;

use journal::{
    Body, Command, Event, Subject, command_from_text, command_text, decode, encode, is_canonical,
    is_reported, subjects,
};

/// Checks that an event is read back the same from its one text, and gives that text.
fn check(event: &Event) -> Body {
    let body = encode(event);
    match decode(&body) {
        Ok(read) => assert_eq!(read, *event, "read back from {body:?}"),
        Err(error) => panic!("{event:?} was stored as {body:?}, which cannot be read: {error}"),
    }
    assert_eq!(is_canonical(&body), Ok(true), "{body:?}");
    body
}

/// Checks that a command is read back the same from its one text, and gives that text.
fn check_command(command: &Command) -> String {
    let text = command_text(command);
    match command_from_text(&text) {
        Ok(read) => assert_eq!((&read, command_text(&read)), (command, text.clone())),
        Err(error) => panic!("{command:?} was stored as {text}, which cannot be read: {error}"),
    }
    text
}

/// What is reported is told by the name of an event and by the event alike: one is looked at where nothing is decoded.
#[test]
fn an_event_is_reported_by_its_name_and_by_itself() {
    for (kind, events) in samples::by_kind(&mut leaves::Leaves::Plain) {
        for event in events {
            let body = encode(&event);
            let name = body.json.split('"').nth(1).unwrap_or_default();
            let is_about = subjects(&event).contains(&Subject::Reported);
            assert_eq!(is_reported(kind, name), is_about, "{body:?}");
        }
    }
}
