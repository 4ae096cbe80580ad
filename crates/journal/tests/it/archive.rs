//! Archives beside a log: what may be taken out because of them, what is read of them and when, and files that do not belong
//! there.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use journal::archive::{Archive, Archived, ENDING, Joined, archive_until};
use journal::checkpoint::Signer;
use journal::sqlite::SqliteStore;
use journal::{
    Actor, Body, Carried, CommandId, DayRule, Entry, Event, FoundBy, Happened, Moment, Reader, StateText,
    Store, StoreError, Stream, Version, encode,
};

use crate::suite::{answer, id, table, verified};

const DAY: u64 = 24 * 60 * 60 * 1000;

/// The streams of the log besides the house's. The last writes on the first day only.
const TABLES: [&str; 3] = ["t1", "t2", "idle"];

/// A log whose books are closed every day.
struct Log {
    folder: tempfile::TempDir,
    store: SqliteStore,
    signer: Signer,
    /// What makes its entries other ones than those of another log.
    name: String,
    days: u64,
    commands: u64,
}

impl Log {
    fn new(name: &str) -> Log {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let store = SqliteStore::open(folder.path().join("floor.db")).expect("a fresh store");
        let signer = Signer::generate().expect("a key");
        fs::create_dir(folder.path().join("archives")).expect("a folder");
        Log { folder, store, signer, name: name.to_owned(), days: 0, commands: 0 }
    }

    /// So many days, with so many entries of each stream.
    fn of_days(name: &str, days: u64, entries: u64) -> Log {
        let mut log = Log::new(name);
        for _ in 0..days {
            log.day(entries);
        }
        log
    }

    fn archives(&self) -> PathBuf {
        self.folder.path().join("archives")
    }

    fn write(&mut self, stream: &Stream, bodies: impl Iterator<Item = Body>) {
        let at = Moment(1_790_000_000_000 + self.days * DAY);
        let mut transaction = self.store.begin().expect("a transaction begins");
        for body in bodies {
            self.commands += 1;
            let (head, command) = (transaction.lock(stream).expect("a stream"), id(self.commands));
            transaction.append(Entry::caused(None, &head, command, Actor::System, at, body, Vec::new()));
            transaction.answer(answer(command));
        }
        transaction.commit().expect("it is written");
    }

    /// A day: entries, every stream that wrote carried forward, the books closed and sealed.
    fn day(&mut self, entries: u64) {
        let writing = if self.days == 0 { TABLES.len() } else { TABLES.len() - 1 };
        let mut streams: Vec<Stream> = TABLES[..writing].iter().map(|name| table(name)).collect();
        streams.push(Stream::House);
        for stream in streams {
            let name = self.name.clone();
            self.write(
                &stream,
                (0..entries).map(|number| {
                    let json = format!(r#"{{"settled":"{name} {number}"}}"#);
                    Body { kind: "table.round.v1".to_owned(), json }
                }),
            );
            let books = (stream == Stream::House).then(|| {
                let mut books = self.store.begin().expect("a transaction").books().expect("books");
                books.heads.retain(|head| head.stream != Stream::House);
                books
            });
            let state = StateText::of(&self.days);
            self.write(&stream, std::iter::once(encode(&Event::Carried(Carried { state, books }))));
        }
        self.store.checkpoint(&self.signer).expect("sealed");
        self.days += 1;
    }

    fn reader(&self) -> Box<dyn Reader> {
        self.store.reader().expect("a reader")
    }

    fn archive(&self) -> Result<Archived, StoreError> {
        archive_until(&mut *self.reader(), &self.archives(), Moment(u64::MAX), DayRule::default())
    }

    fn prune(&mut self, archived: &Archived) -> usize {
        let mut taken = 0;
        loop {
            match self.store.prune(&archived.pruning, 100).expect("taken out") {
                0 => return taken,
                more => taken += more,
            }
        }
    }

    fn joined(&self) -> Result<Joined, StoreError> {
        Joined::open(self.reader(), &self.archives())
    }

    /// Archives everything, and takes it out of the log.
    fn move_out(&mut self) {
        let archived = self.archive().expect("archived");
        assert!(0 < self.prune(&archived));
    }

    /// Everything as it was written, to compare with: each stream with its entries.
    fn all(&mut self) -> Vec<(Stream, Vec<Entry>)> {
        let heads = self.store.heads().expect("heads");
        let all = heads.into_iter().map(|head| {
            let entries = self.store.entries(&head.stream, Version(0), usize::MAX).expect("entries");
            (head.stream, entries)
        });
        all.collect()
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with(ENDING));
    files.sort();
    files
}

fn name(file: &Path) -> String {
    file.file_name().expect("a name").to_string_lossy().into_owned()
}

/// Puts the archives of one folder into another.
fn put(from: &Path, to: &Path) {
    for file in files(from) {
        fs::copy(&file, to.join(name(&file))).expect("copied");
    }
}

/// Where the end of a file begins that is read when it is opened.
fn end_of(bytes: &[u8]) -> usize {
    let trailer = &bytes[bytes.len() - 40..];
    usize::try_from(u64::from_be_bytes(trailer[..8].try_into().expect("8 bytes"))).expect("small")
}

#[track_caller]
fn assert_names<T>(outcome: Result<T, StoreError>, file: &Path) -> String {
    let error = outcome.map(|_| ()).expect_err("it is refused").to_string();
    assert!(error.contains(&name(file)), "{error}");
    error
}

/// Archives of another house whose versions are the same say nothing about this log: nothing is taken out of it.
#[test]
fn archives_of_another_house_do_not_let_anything_go() {
    let (mut here, there) = (Log::of_days("here", 3, 4), Log::of_days("there", 3, 4));
    there.archive().expect("archived");
    put(&there.archives(), &here.archives());
    let last = files(&here.archives()).pop().expect("three files");
    assert_names(here.archive(), &last);
    assert_names(here.joined(), &last);
    assert_eq!(verified(&mut here.store).entries, 3 * 3 * 5 + 5);
}

/// The same where the file comes while the log is read.
#[test]
fn an_archive_of_another_house_that_comes_later_is_named() {
    let (mut here, mut there) = (Log::of_days("here", 2, 4), Log::of_days("there", 2, 4));
    here.move_out();
    there.move_out();
    let mut joined = here.joined().expect("they fit");
    assert_eq!(joined.answered(id(999)).expect("no such command"), None);
    let own = files(&here.archives()).pop().expect("two files");
    fs::remove_file(&own).expect("removed");
    fs::remove_file(&files(&here.archives())[0]).expect("removed");
    put(&there.archives(), &here.archives());
    assert_names(joined.answered(id(998)), &own);
}

/// Archives that this program did not write are read and checked before anything is taken out because of them.
#[test]
fn a_damaged_archive_does_not_let_anything_go() {
    let mut log = Log::of_days("here", 3, 4);
    log.archive().expect("archived");
    let second = files(&log.archives()).remove(1);
    let whole = fs::read(&second).expect("bytes");
    let mut bytes = whole.clone();
    bytes[30] ^= 1;
    fs::write(&second, &bytes).expect("written");
    assert_names(log.archive(), &second);
    fs::write(&second, &whole).expect("put back");
    log.move_out();
    let mut joined = log.joined().expect("they fit");
    assert_eq!(verified(&mut joined).entries, 3 * 3 * 5 + 5);
}

/// What no archive has stays, also where later archives fit.
#[test]
fn what_a_missing_archive_had_stays_in_the_log() {
    let mut log = Log::of_days("here", 3, 4);
    log.archive().expect("archived");
    let first = files(&log.archives()).remove(0);
    fs::rename(&first, log.folder.path().join("first")).expect("moved");
    let error = log.archive().map(|_| ()).expect_err("the first day is in no archive").to_string();
    assert!(error.contains("entries 1 to"), "{error}");
    fs::rename(log.folder.path().join("first"), &first).expect("put back");
    log.move_out();
    assert_eq!(verified(&mut log.joined().expect("they fit")).entries, 3 * 3 * 5 + 5);
}

/// A reader that has seen the log before knows what was taken out since: that needs no archive any more.
#[test]
fn what_was_taken_out_is_not_asked_for_again() {
    let mut log = Log::of_days("here", 2, 4);
    let mut joined = log.joined().expect("nothing is archived");
    for _ in 0..2 {
        let archived = archive_until(&mut joined, &log.archives(), Moment(u64::MAX), DayRule::default())
            .expect("archived");
        assert!(0 < log.prune(&archived));
        fs::remove_file(&files(&log.archives())[0]).expect("moved elsewhere");
        log.day(4);
    }
}

/// However a log is cut into archives, reading all of it gives what was written.
#[test]
fn log_and_archives_read_as_one() {
    let mut log = Log::new("here");
    for _ in 0..3 {
        log.day(7);
        log.day(2);
        log.archive().expect("archived");
    }
    let all = log.all();
    log.move_out();
    log.day(3);
    let more = log.all();
    let joined = log.joined().expect("they fit");
    let mut joined = joined.another().expect("readable").expect("another");
    for ((stream, entries), (_, later)) in all.into_iter().zip(more) {
        let later: Vec<Entry> =
            later.into_iter().filter(|entry| entries.last().expect("some").version < entry.version).collect();
        let entries: Vec<Entry> = entries.into_iter().chain(later).collect();
        let carried: Vec<Version> = entries
            .iter()
            .filter(|entry| entry.body.kind == journal::CARRIED_V1)
            .map(|entry| entry.version)
            .collect();
        for after in 0..=entries.len() {
            let version = Version(after as u64);
            for limit in [1, 5, usize::MAX] {
                let due: Vec<Entry> = entries.iter().skip(after).take(limit).cloned().collect();
                assert!(joined.entries(&stream, version, limit).expect("entries") == due, "{stream} {after}");
                let due: Vec<Happened> = due.into_iter().map(Happened::from).collect();
                assert!(joined.happened(&stream, version, limit).expect("entries") == due, "{stream}");
            }
            let newest = carried.iter().rev().find(|carried| **carried <= version).copied();
            assert_eq!(joined.carried(&stream, version).expect("readable"), newest, "{stream} {after}");
            let last = entries.last().expect("some").version;
            let reported = joined.reported(&stream, version, last, FoundBy::Entries).expect("readable");
            assert_eq!(reported.expect("all of it").len(), entries.len() - after - newer(&carried, version));
        }
        let commands: Vec<CommandId> = entries.iter().map(|entry| entry.command).collect();
        assert_eq!(joined.answers(&commands).expect("answers").len(), commands.len());
        assert_eq!(joined.missing_answers(&commands).expect("answers"), []);
    }
    assert_eq!(joined.missing_answers(&[id(1), id(999_999)]).expect("answers"), [id(999_999)]);
}

/// How many entries after a version carry a stream forward: they are not reported.
fn newer(carried: &[Version], after: Version) -> usize {
    carried.iter().filter(|version| after < **version).count()
}

/// A start reads the end of each file only, which does not grow with what is in it, and the log is read without its archives.
#[test]
fn a_start_reads_no_index() {
    let mut log = Log::of_days("here", 20, 3);
    log.day(6_000);
    log.move_out();
    let heads = log.store.heads().expect("heads");
    let all = files(&log.archives());
    assert_eq!(all.len(), 21);
    let mut ends = Vec::new();
    for file in &all {
        let mut bytes = fs::read(file).expect("bytes");
        let end = end_of(&bytes);
        ends.push(bytes.len() - end);
        bytes[20..end].fill(0);
        fs::write(file, &bytes).expect("written");
    }
    // The last has twenty times as many blocks as the others.
    assert!(ends.iter().all(|end| *end < ends[1] + 60), "{ends:?}");
    let mut joined = log.joined().expect("no index is read");
    let mut another = joined.another().expect("no index is read").expect("another");
    for head in heads {
        for joined in [&mut joined as &mut dyn Reader, &mut *another] {
            let newest = joined.entry(&head.stream, head.version).expect("it is in the log");
            assert_eq!(newest.expect("the newest").head(), head);
            assert!(joined.carried(&head.stream, head.version).expect("it is in the log").is_some());
        }
    }
    assert_names(joined.entry(&table("t1"), Version(2)), &all[0]);
    assert_names(joined.entry(&table("t2"), Version(30)), &all[7]);
}

/// An archive that was cut off anywhere is refused, and named.
#[test]
fn an_archive_that_was_cut_off_is_named() {
    let mut log = Log::of_days("here", 2, 4);
    log.move_out();
    let file = files(&log.archives()).remove(0);
    let whole = fs::read(&file).expect("bytes");
    for length in [0, 10, 20, 30, 45, whole.len() / 2, whole.len() - 41, whole.len() - 1] {
        fs::write(&file, &whole[..length]).expect("written");
        let error = Archive::open(&file).map(|_| ()).expect_err("cut off").to_string();
        assert!(error.contains(&name(&file)), "{error}");
        assert_names(log.joined(), &file);
    }
}

/// A file that is put back, or comes while a log is read, is read.
#[test]
fn files_that_come_later_are_read() {
    let mut log = Log::of_days("here", 3, 4);
    let before = log.all();
    let mut joined = log.joined().expect("nothing is archived");
    log.move_out();
    for (stream, entries) in &before {
        assert!(joined.entries(stream, Version(0), usize::MAX).expect("entries") == *entries, "{stream}");
    }
    // An older one is put back.
    let first = files(&log.archives()).remove(0);
    let aside = log.folder.path().join("first");
    fs::rename(&first, &aside).expect("moved");
    let mut joined = log.joined().expect("the rest follows");
    let found = joined.entries(&table("t1"), Version(0), 1).expect("entries");
    assert_eq!(found[0].version, Version(6), "the first that is there");
    fs::rename(&aside, &first).expect("put back");
    assert_eq!(joined.entries(&table("t1"), Version(0), 1).expect("entries")[0].version, Version(1));
}

/// Answers to commands that wrote nothing go with the books they were given before; later ones stay.
#[test]
fn answers_to_refused_commands_go_too() {
    let mut log = Log::of_days("here", 1, 4);
    let refuse = |log: &mut Log, number: u64| {
        let mut transaction = log.store.begin().expect("a transaction begins");
        transaction.answer(answer(id(number)));
        transaction.commit().expect("it is written");
    };
    for number in 1_000..1_300 {
        refuse(&mut log, number);
    }
    log.day(4);
    refuse(&mut log, 2_000);
    let mut archived = log.archive().expect("archived");
    archived.pruning.keeps_answers = true;
    log.prune(&archived);
    assert!(log.store.answered(id(1_000)).expect("readable").is_some(), "every answer stays");
    archived.pruning.keeps_answers = false;
    log.prune(&archived);
    let left = (1_000..1_300).filter(|number| log.store.answered(id(*number)).expect("readable").is_some());
    assert_eq!(left.count(), 0);
    assert!(log.store.answered(id(2_000)).expect("readable").is_some(), "it is newer");
    drop(log.store);
    SqliteStore::open(log.folder.path().join("floor.db")).expect("it opens again");
}

/// Files whose names end otherwise are left alone.
#[test]
fn other_files_are_left_alone() {
    let mut log = Log::of_days("here", 2, 4);
    log.move_out();
    let mut file = fs::File::create(log.archives().join("notes.txt")).expect("a file");
    file.write_all(b"tape 7").expect("written");
    assert_eq!(verified(&mut log.joined().expect("they fit")).entries, 2 * 3 * 5 + 5);
}
