//! An auditor at a log that nodes go on writing to.

use journal::postgres::PostgresStore;
use journal::verify::{Known, verify_log};
use journal::{StoreError, Stream};
use testkit::postgres::Server;

use super::{connect, cut_off};
use crate::suite::{verified, write};

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
    let report = verified(&mut *reader);
    assert_eq!(report.entries, 1);
}

/// A log that cannot be read is not one that was found wrong.
#[test]
fn a_log_that_goes_away() {
    let server = Server::shared();
    let url = server.new_database();
    write(&mut connect(&url), &Stream::House, 1, Vec::new());
    let mut reader = PostgresStore::open_read_only(&url).expect("a log");
    verified(&mut *reader);
    cut_off(server, &url);
    let error = verify_log(&mut *reader, &Known::default(), &mut |_| ()).expect_err("it cannot be read");
    assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
}

/// A database without a log is not made into one by looking at it.
#[test]
fn nothing_is_made_by_reading() {
    let url = Server::shared().new_database();
    for _ in 0..2 {
        let error = PostgresStore::open_read_only(&url).map(|_| ()).expect_err("there is no log");
        assert!(error.to_string().contains("it contains no log"), "{error}");
    }
}
