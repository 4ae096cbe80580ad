//! Hearing of what other nodes commit, and finding out what was missed.

use std::time::Duration;

use journal::{Listener, Store, StoreError, Stream, Version};
use testkit::postgres::Server;

use super::{connect, link, until};
use crate::suite::{append, id, table, write};

const SOON: Duration = Duration::from_millis(50);
/// Longer than any test: who waits for it has not heard what was said.
const LONG: Duration = Duration::from_mins(5);

fn listener(store: &dyn Store) -> Box<dyn Listener> {
    store.listener().expect("a listener").expect("there can be other nodes")
}

/// The first answer is where everything stands, later ones are what was written.
#[test]
fn what_another_node_commits_is_heard() {
    let url = Server::shared().new_database();
    let mut writer = connect(&url);
    write(&mut writer, &Stream::House, 1, Vec::new());
    let mut listener = listener(&connect(&url));
    assert_eq!(listener.wait(LONG).expect("wait"), [(Stream::House, Version(1))]);

    let mut transaction = writer.begin().expect("begin");
    append(&mut *transaction, &table("of: odd\u{e9} name"), id(2), Vec::new());
    append(&mut *transaction, &link(), id(3), Vec::new());
    append(&mut *transaction, &link(), id(4), Vec::new());
    transaction.commit().expect("commit");
    let heard = listener.wait(LONG).expect("wait");
    assert_eq!(heard, [(table("of: odd\u{e9} name"), Version(1)), (link(), Version(2))]);
    assert_eq!(listener.wait(SOON).expect("wait"), [], "nothing is said twice");

    let mut transaction = writer.begin().expect("begin");
    append(&mut *transaction, &link(), id(5), Vec::new());
    drop(transaction);
    assert_eq!(listener.wait(SOON).expect("wait"), [], "what was not committed never was");
}

/// A transaction of more streams than a notification has room for is heard of all the same.
#[test]
fn many_streams_at_once_are_asked_for() {
    let url = Server::shared().new_database();
    let mut writer = connect(&url);
    let mut listener = listener(&writer);
    assert_eq!(listener.wait(LONG).expect("wait"), []);
    let mut transaction = writer.begin().expect("begin");
    let names: Vec<String> = (100..300).map(|number| format!("{number}-{}", "x".repeat(60))).collect();
    for (number, name) in (1..).zip(&names) {
        append(&mut *transaction, &table(name), id(number), Vec::new());
    }
    transaction.commit().expect("commit");
    let heard = listener.wait(LONG).expect("wait");
    assert_eq!(heard, names.iter().map(|name| (table(name), Version(1))).collect::<Vec<_>>());
}

/// A notification that never came is made up for by looking; so is everything while the server was away.
#[test]
fn what_was_missed_is_found() {
    let server = Server::start(&[]);
    let url = server.new_database();
    let mut writer = connect(&url);
    let mut listener = listener(&writer);
    assert_eq!(listener.wait(LONG).expect("wait"), []);
    let silent =
        "INSERT INTO stream (name, version, hash) VALUES ('table/t9', 3, decode(repeat('00', 32), 'hex'))";
    server.try_sql(&url, silent).expect("insert");
    assert_eq!(listener.wait(SOON).expect("wait"), [(table("t9"), Version(3))]);

    server.kill();
    until("the listener notices", || match listener.wait(LONG) {
        Ok(heard) => panic!("heard {heard:?} of a dead server"),
        Err(error) => matches!(error, StoreError::Unavailable(_)),
    });
    server.restart();
    write(&mut writer, &table("t1"), 1, Vec::new());
    let mut heard = listener.wait(LONG);
    until("the listener is back", || {
        if heard.is_err() {
            heard = listener.wait(LONG);
        }
        heard.is_ok()
    });
    assert_eq!(heard.expect("wait"), [(table("t1"), Version(1)), (table("t9"), Version(3))]);
    write(&mut writer, &table("t1"), 2, Vec::new());
    assert_eq!(listener.wait(LONG).expect("wait"), [(table("t1"), Version(2))], "and listens again");
}
