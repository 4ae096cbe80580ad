//! What a verification has read is handed out once more, and is what a reader would have read.

use journal::sqlite::SqliteStore;
use journal::verify::{Kept, Opening, verify_period};
use journal::{Entry, Reader, Store as _, Stream, Version};

use crate::suite::{append, id, table};

/// A log of two streams with so many entries each, in pages.
fn log(entries: u64) -> (tempfile::TempDir, SqliteStore) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut store = SqliteStore::open(folder.path().join("floor.db")).expect("a fresh store");
    let mut transaction = store.begin().expect("a transaction begins");
    for number in 0..entries {
        append(&mut *transaction, &Stream::House, id(2 * number), Vec::new());
        append(&mut *transaction, &table("t1"), id(2 * number + 1), Vec::new());
    }
    transaction.commit().expect("the entries are written");
    (folder, store)
}

/// A stream from after a version to its end, so many entries at a time.
fn read(reader: &mut dyn Reader, stream: &Stream, mut after: Version, limit: usize) -> Vec<Entry> {
    let mut all = Vec::new();
    loop {
        let page = reader.entries(stream, after, limit).expect("entries");
        assert!(page.len() <= limit);
        let Some(last) = page.last() else { return all };
        after = last.version;
        all.extend(page);
    }
}

#[test]
fn what_is_kept_is_what_is_read() {
    let (_folder, mut store) = log(2_500);
    let heads = store.heads().expect("heads").into_iter().map(|head| (head.stream.clone(), head));
    let to = Opening { heads: heads.collect(), ..Opening::default() };
    for (room, ahead) in [(0, true), (1_500, false), (4_000, true), (100_000, false)] {
        for limit in [1_000, 1_024, 1_500, 10_000] {
            let mut kept = Kept::at_most(room);
            let checked = verify_period(&mut store, &Opening::default(), &to, ahead, &mut kept);
            let checked = checked.expect("it can be read");
            assert_eq!((checked.entries, checked.findings), (5_000, Vec::new()));
            for (stream, after) in [(Stream::House, Version(7)), (table("t1"), Version(0))] {
                let plain = read(&mut store, &stream, after, limit);
                assert!(read(&mut kept.with(&mut store), &stream, after, limit) == plain, "{room} {limit}");
                // Each is handed out once; whoever asks again reads.
                assert!(read(&mut kept.with(&mut store), &stream, after, limit) == plain, "{room} {limit}");
            }
            let known = store.answered(id(1)).expect("answers");
            assert!(known.is_some());
            assert_eq!(kept.with(&mut store).answered(id(1)).expect("answers"), known);
            assert_eq!(kept.with(&mut store).answered(id(9_999)).expect("answers"), None);
        }
    }
}
