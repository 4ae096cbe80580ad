//! An auditor at a log that nodes go on writing to.

use journal::Stream;
use journal::postgres::PostgresStore;
use journal::verify::{Known, verify_log};
use testkit::postgres::Server;

use super::connect;
use crate::suite::write;

/// What is read is the log of one moment, however much is written meanwhile.
#[test]
fn a_log_is_read_as_it_stood() {
    let url = Server::shared().new_database();
    let mut writer = connect(&url);
    write(&mut writer, &Stream::House, 1, Vec::new());
    let mut reader = PostgresStore::open_read_only(&url).expect("a log");
    write(&mut writer, &Stream::House, 2, Vec::new());
    let heads = reader.heads().expect("heads");
    assert_eq!(heads.iter().map(|head| head.version.0).collect::<Vec<_>>(), [1]);
    let report = verify_log(&mut *reader, &Known::default(), &mut |_| ()).expect("in order");
    assert_eq!(report.entries, 1);
}

/// A database without a log is not made into one by looking at it.
#[test]
fn nothing_is_made_by_reading() {
    let url = Server::shared().new_database();
    for _ in 0..2 {
        let error = PostgresStore::open_read_only(&url).map(|_| ()).expect_err("there is no log");
        assert!(error.to_string().contains("there is no log in it"), "{error}");
    }
}
