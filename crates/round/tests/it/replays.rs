//! Whole rounds as command scripts in `replays/*.txt`, what they bring beside them as snapshots.

use std::collections::BTreeSet;
use std::path::Path;

/// Every replay brings what its snapshot says, and no book is without one.
#[test]
fn rounds_replay() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/replays");
    let mut books = BTreeSet::new();
    let mut scripts: Vec<_> = std::fs::read_dir(&folder)
        .expect("the replays are part of the sources")
        .map(|entry| entry.expect("a folder that can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    scripts.sort();
    for path in scripts {
        let script = std::fs::read_to_string(&path).expect("a text file");
        let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a plain file name");
        let transcript =
            testkit::script::transcript(&script).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
        books.extend(script.lines().next().and_then(|line| line.strip_prefix("book ")).map(str::to_owned));
        insta::with_settings!({ snapshot_path => &folder, prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, transcript);
        });
    }
    for book in rulebook::embedded() {
        let name = testkit::script::tested_as(&book);
        assert!(books.contains(&name), "{} has no replay", book.citation);
    }
}
