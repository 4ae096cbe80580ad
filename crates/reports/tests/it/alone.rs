//! What is read ahead by several threads is what one thread reads, byte for byte.

use floor::Library;
use journal::checkpoint::Checkpoint;
use journal::sqlite::SqliteReader;
use journal::{
    Account, Amount, Answered, CommandId, Direction, Entry, Head, Reader, StoreError, Stream, Subject,
    Version,
};
use reports::{Days, Format, Log, Reporter, export};

use crate::month::{days, now, reader};

/// A log that has no second connection and decodes every entry, as a database elsewhere does.
struct Alone(SqliteReader);

impl Reader for Alone {
    fn heads(&mut self) -> Result<Vec<Head>, StoreError> {
        self.0.heads()
    }

    fn entries(&mut self, stream: &Stream, after: Version, limit: usize) -> Result<Vec<Entry>, StoreError> {
        self.0.entries(stream, after, limit)
    }

    fn carried(&mut self, stream: &Stream, up_to: Version) -> Result<Option<Version>, StoreError> {
        self.0.carried(stream, up_to)
    }

    fn about(
        &mut self,
        stream: &Stream,
        subject: &Subject,
        wanted: Direction,
        limit: usize,
    ) -> Result<Vec<Version>, StoreError> {
        self.0.about(stream, subject, wanted, limit)
    }

    fn answered(&mut self, command: CommandId) -> Result<Option<Answered>, StoreError> {
        self.0.answered(command)
    }

    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError> {
        self.0.balance(account)
    }

    fn balances(&mut self) -> Result<Vec<(Account, Amount)>, StoreError> {
        self.0.balances()
    }

    fn sealed(&mut self, kind: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.0.sealed(kind, key)
    }

    fn sealed_all(&mut self, kind: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        self.0.sealed_all(kind)
    }

    fn checkpoints_back(&mut self, up_to: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
        self.0.checkpoints_back(up_to, limit)
    }

    fn checkpoints(&mut self, after: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
        self.0.checkpoints(after, limit)
    }
}

fn lines(reader: &mut dyn Reader, subject: reports::Subject, days: Days, format: Format) -> Vec<u8> {
    let (library, mut output) = (Library::embedded(), Vec::new());
    let mut log = Log::new(reader, &library).expect("a log");
    export(&mut log, subject, days, format, &mut output).expect("exported");
    output
}

#[test]
fn threads_read_what_one_reads() {
    let day = Days::new(days().from().next(), days().from().next().next()).expect("in order");
    for subject in reports::Subject::ALL {
        for format in [Format::Csv, Format::Jsonl] {
            let together = lines(&mut reader(), subject, day, format);
            let alone = lines(&mut Alone(reader()), subject, day, format);
            assert!(together == alone, "{} as {format:?}", subject.name());
        }
    }
    let report = |reader: &mut dyn Reader| {
        let library = Library::embedded();
        let mut log = Log::new(reader, &library).expect("a log");
        Reporter::default().report(&mut log, days(), now()).expect("a report").html()
    };
    assert!(report(&mut reader()) == report(&mut Alone(reader())), "a report");
}

/// Entries that are looked at and not wanted are not handed over, and a stretch that is not whole says so.
#[test]
fn a_sieve_lets_through_what_is_wanted() {
    let (mut reader, stream) = (reader(), Stream::Table(crate::node_load::table(0)));
    let is_wanted = |kind: &str, name: &str| kind == "table.round.v1" && name == "settled";
    let sifted = reader.sifted(&stream, Version(3), 500, &is_wanted).expect("entries");
    assert_eq!((sifted.up_to, sifted.is_torn), (Version(503), false));
    let mut all = reader.entries(&stream, Version(3), 500).expect("entries");
    all.retain(|entry| entry.body.kind == "table.round.v1" && entry.body.json.starts_with("{\"settled\""));
    assert!(!all.is_empty() && all == sifted.entries, "{} and {}", all.len(), sifted.entries.len());
}
