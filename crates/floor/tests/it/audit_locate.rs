//! A round is found by looking it up: what is read for it does not grow with the log.

use floor::Library;
use floor::audit::proof::{check, export_award, export_round};
use floor::audit::{AsBook, AuditError, replay, round_of};
use journal::checkpoint::Checkpoint;
use journal::sqlite::{SqliteReader, SqliteStore};
use journal::{
    Account, Amount, Answered, CommandId, Direction, Entry, Event, Head, Reader, StoreError, Stream, Subject,
    Version, decode, subjects,
};

use crate::audit_support::{Database, a_day, given, sealed};
use crate::support::{Cards, manager, player};

/// Changes rows of the index behind the program's back: its guards are taken away, and put back as they were.
pub(crate) fn change_index(database: &Database, sql: &str) {
    let file = rusqlite::Connection::open(&database.path).expect("a file");
    let select = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'subject'";
    let guards: Vec<(String, String)> = file
        .prepare(select)
        .and_then(|mut query| query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect())
        .expect("the guards can be read");
    for (name, _) in &guards {
        file.execute_batch(&format!("DROP TRIGGER {name}")).expect("an insider can");
    }
    assert_ne!(file.execute(sql, []).expect("an insider can"), 0, "{sql}");
    for (_, guard) in &guards {
        file.execute_batch(guard).expect("and hides it");
    }
}

/// A reader that counts the entries and checkpoints it reads.
struct Counting {
    inner: SqliteReader,
    read: usize,
}

impl Reader for Counting {
    fn heads(&mut self) -> Result<Vec<Head>, StoreError> {
        self.inner.heads()
    }

    fn entries(&mut self, stream: &Stream, after: Version, limit: usize) -> Result<Vec<Entry>, StoreError> {
        let entries = self.inner.entries(stream, after, limit)?;
        self.read += entries.len();
        Ok(entries)
    }

    fn about(
        &mut self,
        stream: &Stream,
        subject: &Subject,
        wanted: Direction,
        limit: usize,
    ) -> Result<Vec<Version>, StoreError> {
        let versions = self.inner.about(stream, subject, wanted, limit)?;
        self.read += versions.len();
        Ok(versions)
    }

    fn answered(&mut self, command: CommandId) -> Result<Option<Answered>, StoreError> {
        self.inner.answered(command)
    }

    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError> {
        self.inner.balance(account)
    }

    fn balances(&mut self) -> Result<Vec<(Account, Amount)>, StoreError> {
        self.inner.balances()
    }

    fn sealed(&mut self, kind: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.inner.sealed(kind, key)
    }

    fn sealed_all(&mut self, kind: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        self.inner.sealed_all(kind)
    }

    fn checkpoints(&mut self, after: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
        let checkpoints = self.inner.checkpoints(after, limit)?;
        self.read += checkpoints.len();
        Ok(checkpoints)
    }

    fn checkpoints_back(&mut self, up_to: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
        let checkpoints = self.inner.checkpoints_back(up_to, limit)?;
        self.read += checkpoints.len();
        Ok(checkpoints)
    }

    fn carried(&mut self, stream: &Stream, up_to: Version) -> Result<Option<Version>, StoreError> {
        self.inner.carried(stream, up_to)
    }
}

/// A day, and as many rounds more at one table.
fn day_and(rounds: usize) -> Database {
    let mut hall = a_day();
    for _ in 0..rounds {
        hall.whole_round("H1", &["Ann", "Bob"], &Cards::default());
        hall.next_round("H1");
    }
    sealed(&given(&hall))
}

/// How much is read to answer something.
fn cost(database: &Database, ask: impl FnOnce(&mut Counting)) -> usize {
    let mut reader = Counting { inner: database.reader(), read: 0 };
    ask(&mut reader);
    reader.read
}

fn as_version_6(round: u64) -> AsBook {
    let library = Library::embedded();
    let (book, _) = library.get("megalink-holdem-v6").expect("it is embedded");
    AsBook { table: "H1".to_owned(), round: Some(round), book: std::sync::Arc::clone(book) }
}

#[test]
fn a_round_is_found_without_reading_what_lies_before_it() {
    let library = Library::embedded();
    let (short, long) = (day_and(10), day_and(100));
    let mut entries = 0;
    for head in long.reader().heads().expect("heads") {
        entries += usize::try_from(head.version.0).expect("few entries");
    }
    // The tenth round before the last of either: what lies around it is the same.
    let costs = |database: &Database, number: u64| {
        let report = cost(database, |reader| {
            let report = round_of(reader, &library, "H1", number).expect("a report");
            assert_eq!(report.findings, [], "nothing is wrong with round {number}");
            assert!(report.settlement.is_some(), "round {number} was settled");
        });
        let proof = cost(database, |reader| {
            let text = export_round(reader, &library, "H1", number).expect("a proof");
            let key = Some(database.signer.public_key());
            assert!(check(&text, &library, key).expect("a proof").is_well(), "round {number}");
        });
        let again = cost(database, |reader| {
            let replayed = replay(reader, &library, &as_version_6(number), &mut |_| ()).expect("settled");
            assert_eq!((replayed.compared, replayed.not_compared), (1, 0), "round {number}");
        });
        [report, proof, again]
    };
    let (early, late) = (costs(&short, 8), costs(&long, 98));
    for (early, late) in early.into_iter().zip(late) {
        // A checkpoint is found by halving, which takes one step more in a log of twice the length.
        assert!(late < 2 * early, "{late} read in a log of {entries} entries, {early} in a short one");
    }
    assert!(4 * late.iter().max().copied().unwrap_or_default() < entries, "{late:?} of {entries}");
    let of_award = |database: &Database| {
        cost(database, |reader| drop(export_award(reader, &library, "mega", 1).expect("a proof")))
    };
    assert!(of_award(&long) < 2 * of_award(&short), "an early award costs the same in a long log");
}

#[test]
fn a_round_or_award_that_is_not_there_is_refused_with_the_last_there_is() {
    let (database, library) = (day_and(0), Library::embedded());
    let refused = round_of(&mut database.reader(), &library, "H1", 99).expect_err("there is none");
    assert!(matches!(refused, AuditError::NoSuchRound { round: 99, last: 6, .. }), "{refused}");
    let refused = export_award(&mut database.reader(), &library, "mega", 99).expect_err("there is none");
    assert!(matches!(refused, AuditError::NoSuchAward { award: 99, last: 5, .. }), "{refused}");
}

/// Whoever empties the index gains nothing: it is made again from the entries at the next start. A row that points
/// elsewhere is said to be wrong.
#[test]
fn an_index_that_was_lost_is_made_again() {
    let database = day_and(0);
    let indexed = |database: &Database| {
        let mut reader = database.reader();
        let mut found = Vec::new();
        for head in reader.heads().expect("heads") {
            for entry in reader.entries(&head.stream, Version(0), usize::MAX).expect("entries") {
                for subject in subjects(&decode(&entry.body).expect("an event")) {
                    let after = Direction::After(Version(entry.version.0 - 1));
                    let first = reader.about(&head.stream, &subject, after, 1).expect("an index");
                    assert_eq!(first, [entry.version], "{} {subject}", head.stream);
                    found.push((head.stream.clone(), subject, entry.version));
                }
            }
        }
        found
    };
    let before = indexed(&database);
    assert!(100 < before.len(), "{}", before.len());
    change_index(&database, "DELETE FROM subject");
    let nothing = database.reader().about(&Stream::House, &Subject::Opened, Direction::After(Version(0)), 1);
    assert_eq!(nothing.expect("an index"), []);
    drop(SqliteStore::open(&database.path).expect("it starts"));
    assert_eq!(indexed(&database), before);

    change_index(&database, "UPDATE subject SET version = version + 1 WHERE subject = 'round/2'");
    let library = Library::embedded();
    let wrong = round_of(&mut database.reader(), &library, "H1", 2).expect_err("it points elsewhere");
    assert!(matches!(wrong, AuditError::Broken(_)), "{wrong}");
    let first = database.reader().entries(&Stream::House, Version(0), 1).expect("entries").pop();
    assert!(matches!(decode(&first.expect("an entry").body), Ok(Event::House(_))));
}

/// What a table remembers of its Players from long ago is looked up.
#[test]
fn what_a_table_remembers_is_found() {
    let mut hall = a_day();
    hall.play(&manager(), "H1", round::Command::RestrictPlayer { player: player("Bob") });
    for _ in 0..20 {
        hall.whole_round("H1", &["Ann", "Bob"], &Cards::default());
        hall.next_round("H1");
    }
    let (database, library) = (sealed(&given(&hall)), Library::embedded());
    let last = hall.number("H1") - 1;
    let report = round_of(&mut database.reader(), &library, "H1", last).expect("a report");
    assert_eq!(report.findings, []);
    let text = export_round(&mut database.reader(), &library, "H1", last).expect("a proof");
    assert!(text.contains("player-restricted"), "Bob was restricted twenty rounds ago");
    let key = Some(database.signer.public_key());
    let checked = check(&text, &library, key).expect("a proof");
    assert!(checked.is_well(), "{:?}", checked.findings);
}
