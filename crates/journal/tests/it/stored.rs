//! The stored forms: what is written is read back the same, what was written once is read for ever, and nothing else is
//! read at all.

mod golden;
mod leaves;
mod listed;
mod played;
mod random;
mod refused;
mod samples;

use journal::{Body, Event, decode, encode, is_canonical};

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
