//! The data dictionary says what the program writes.

/// `UPDATE=1` writes it anew.
#[test]
fn the_data_dictionary_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/exports.md");
    let page = reports::dictionary();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &page).expect("it can be written");
    }
    let kept = std::fs::read_to_string(path).expect("docs/exports.md");
    assert!(kept == page, "docs/exports.md is not current; run with UPDATE=1");
}
