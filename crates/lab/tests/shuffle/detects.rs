//! Biased shuffles fail, and by the test that is made for their fault.

use lab::shuffle::{Family, Report};

use crate::biased::Biased;
use crate::judged;

const DECKS: u64 = 20_000;

/// Whether a test of the family fails at 99 %, allowing for all tests.
fn fails(report: &Report, family: Family) -> bool {
    report.tests.iter().any(|test| test.family == family && !test.together.at_99)
}

#[test]
fn biased_shuffles_fail() {
    for (biased, family) in [
        (Biased::SwapWithAny, Family::Frequency),
        (Biased::NeverInPlace, Family::Cycles),
        (Biased::Modulo, Family::Frequency),
        (Biased::StopsShort, Family::Frequency),
        (Biased::LastNeverMoves, Family::Frequency),
        (Biased::Riffles(1), Family::RisingSequences),
        (Biased::Riffles(2), Family::RisingSequences),
        (Biased::Riffles(3), Family::RisingSequences),
        (Biased::Riffles(7), Family::RisingSequences),
        (Biased::RifflesOfTheDeckBefore(1), Family::PreviousDeck),
        (Biased::RifflesOfTheDeckBefore(3), Family::PreviousDeck),
        (Biased::RifflesOfTheDeckBefore(7), Family::PreviousDeck),
        (Biased::Cut, Family::Adjacency),
        (Biased::CutOfTheDeckBefore, Family::PreviousDeck),
        (Biased::Clump, Family::Adjacency),
        (Biased::ClumpOfTheDeckBefore, Family::PreviousDeck),
        (Biased::PrefersAPlace, Family::Frequency),
        (Biased::Again(5_000), Family::Collision),
        (Biased::SeedOfBits(24), Family::Collision),
        (Biased::TooEven, Family::Frequency),
    ] {
        let report = judged(&format!("{biased:?}"), 1, biased.decks(DECKS));
        assert!(!report.passes.at_99, "{biased:?} passes");
        assert!(fails(&report, family), "{biased:?} does not fail {family:?}: {:#?}", report.tests);
    }
}

/// Coarse faults need no more decks than a shuffling machine makes in a day.
#[test]
fn five_hundred_decks_find_coarse_faults() {
    for biased in [
        Biased::Riffles(3),
        Biased::RifflesOfTheDeckBefore(3),
        Biased::Cut,
        Biased::CutOfTheDeckBefore,
        Biased::LastNeverMoves,
    ] {
        let report = judged(&format!("{biased:?}"), 1, biased.decks(500));
        assert!(!report.passes.at_99, "{biased:?} passes");
    }
}

/// Each table on its own is fair; only decks of both tables together show the fault.
#[test]
fn tables_that_share_their_chance_fail() {
    for biased in [Biased::SharedStream, Biased::SameDeckARoundLater] {
        let decks = biased.decks(DECKS);
        for table in 0..2 {
            let alone: Vec<_> = decks.iter().skip(table).step_by(2).copied().collect();
            let report = judged("one table", 1, alone);
            assert!(report.passes.at_99, "{biased:?}, table {table}: {:#?}", report.tests);
        }
        let report = judged(&format!("{biased:?}"), 2, decks);
        assert!(
            fails(&report, Family::Interplay) || fails(&report, Family::Collision),
            "{biased:?}: {:#?}",
            report.tests
        );
    }
    let shared = judged("shared", 2, Biased::SharedStream.decks(DECKS));
    assert!(fails(&shared, Family::Interplay), "{:#?}", shared.tests);
}

/// The report names the card and the place.
#[test]
fn the_card_that_prefers_a_place_is_named() {
    let report = judged("Ace of spades", 1, Biased::PrefersAPlace.decks(DECKS));
    let farthest = report.tests.iter().find(|test| test.name == "the card and place farthest off");
    let detail = farthest.and_then(|test| test.detail.as_deref()).expect("the test is made");
    assert!(detail.starts_with("As in place 1: "), "{detail}");
    assert!(report.html().contains("As in place 1: "));
}
