//! The whole floor under faults.

use std::collections::BTreeMap;
use std::path::Path;

use rayon::prelude::*;
use simtest::planted;
use simtest::sim::{self, PlantedBug};

/// The same seed gives the same log, bit for bit.
#[test]
fn the_same_seed_gives_the_same_log() {
    (1..=6_u64).into_par_iter().for_each(|seed| {
        let [first, second] = [(), ()].map(|()| sim::simulate(seed, PlantedBug::None).log);
        assert_eq!(first, second, "seed {seed}");
        assert!(first.is_ok(), "seed {seed}: {first:?}");
    });
}

/// Each bug planted in the test harness is caught by its known seed; where the program changed what that seed meets, by another.
#[test]
fn planted_bugs_are_caught() {
    PlantedBug::ALL.par_iter().for_each(|bug| {
        let caught = std::iter::once(bug.known_seed())
            .chain(1..=1_000)
            .find_map(|seed| sim::simulate(seed, *bug).log.err().map(|why| (seed, why)));
        let (seed, why) = caught.unwrap_or_else(|| panic!("not caught: {}", bug.description()));
        println!("{}: seed {seed}, {}", bug.description(), why.chars().take(160).collect::<String>());
        if seed != bug.known_seed() {
            println!("write the seed down: it was {}", bug.known_seed());
        }
    });
}

/// The patches that `script/planted` applies still match the sources, and there are enough of them.
#[test]
fn planted_patches_still_apply() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let patches = planted::patches(&root.join("planted")).expect("patches can be read");
    let mut sources: BTreeMap<&Path, String> = BTreeMap::new();
    for patch in &patches {
        let source = || std::fs::read_to_string(root.join("../..").join(&patch.file)).expect("a source file");
        let text = sources.entry(&patch.file).or_insert_with(source);
        let changed = patch.apply(text).unwrap_or_else(|finding| panic!("{finding}"));
        assert!(patch.replace.contains("PLANTED"), "{} cannot be turned off", patch.name);
        assert_ne!(changed, *text, "{} changes nothing", patch.name);
        *text = changed;
    }
    assert!(25 <= patches.len(), "{} patches", patches.len());
}
