//! Valid inputs, from the files of the program if it has them, otherwise from `corpus/`.

use std::fs;
use std::path::PathBuf;

/// A file of the sources.
fn file(path: &str) -> Vec<u8> {
    let root: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", ".."].iter().collect();
    fs::read(root.join(path)).unwrap_or_else(|error| panic!("the sample {path}: {error}"))
}

/// The lines of some files, each a sample.
pub(super) fn lines(paths: &[&str]) -> Vec<Vec<u8>> {
    let of_file = |path: &&str| {
        let text = file(path);
        text.split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(<[u8]>::to_vec)
            .collect::<Vec<_>>()
    };
    paths.iter().flat_map(of_file).collect()
}

/// Whole files, each a sample.
pub(super) fn files(paths: &[&str]) -> Vec<Vec<u8>> {
    paths.iter().map(|path| file(path)).collect()
}
