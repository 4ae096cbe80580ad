//! The decision test keeps its promises: it finds those who know a hidden card, and leaves the honest alone whatever their
//! style.

use lab::exact::Lab;
use lab::honest::{Kind, stand_out};
use rayon::prelude::*;
use rulebook::Rulebook;

use crate::trial::{Knows, STYLES, Style, Trial};

fn book(id: &str) -> Rulebook {
    rulebook::embedded().into_iter().find(|book| book.id == id).expect("a book")
}

/// Honest Players of every style: the sum of X stays within its exact deviation, and its squares are what they should be.
#[test]
fn the_honest_are_left_alone() {
    let (lab, book) = (Lab::new(), book("megalink-holdem-v9"));
    let players: Vec<(f64, f64)> = (0..60_u64)
        .into_par_iter()
        .map(|seed| {
            let style = STYLES[usize::try_from(seed).expect("few") % STYLES.len()];
            let mut trial = Trial::new(&lab, &book, style, Knows::Nothing, 1_000 + seed);
            (0..30).for_each(|_| trial.play());
            (trial.ln(), trial.of(Kind::DealerCard(0)).z())
        })
        .collect();
    let logs: Vec<f64> = players.iter().map(|(log, _)| *log).collect();
    assert_eq!(stand_out(&logs, 0.01).iter().filter(|out| **out).count(), 0, "{logs:?}");
    // The squares of 60 values of z: a chi-square of 60, between its quantiles of one in ten thousand.
    let squares: f64 = players.iter().map(|(_, z)| z * z).sum();
    assert!((25.0..115.0).contains(&squares), "{squares}");
    let mean: f64 = players.iter().map(|(_, z)| z).sum::<f64>() / 60.0;
    assert!(mean.abs() < 4.0 / 60.0_f64.sqrt(), "{mean}");
    // The evidence has mean one, so of 60 at most a few pass ten.
    assert!(logs.iter().filter(|log| 10.0_f64.ln() < **log).count() <= 20, "{logs:?}");
}

/// A hole-carder who sees one card in one round of four stands out among a thousand after some hundred rounds; one who always
/// does after some dozens.
#[test]
fn a_hole_carder_is_found() {
    let (lab, book) = (Lab::new(), book("megalink-holdem-v9"));
    for (share, rounds) in [(0.25, 900), (1.0, 200)] {
        let mut trial = Trial::new(&lab, &book, Style::Perfect, Knows::DealerCard(share), 7);
        // Among a thousand others at a level of one in a hundred.
        let enough = 100_000.0_f64.ln();
        while trial.ln() < enough && trial.rounds < rounds {
            trial.play();
        }
        assert!(enough <= trial.ln(), "{share}: {} after {rounds} rounds", trial.ln());
        // The evidence is there before z is; z follows.
        while trial.rounds < rounds.min(400) {
            trial.play();
        }
        let z = trial.of(Kind::DealerCard(0)).z();
        assert!(3.0 < z, "{share}: {z}");
    }
}

/// One who looks at the card only to fold or not before the flop, and then plays by what lies open, stands out too.
#[test]
fn a_hole_carder_who_only_folds_is_found() {
    let (lab, book) = (Lab::new(), book("megalink-holdem-v9"));
    let mut trial = Trial::new(&lab, &book, Style::Perfect, Knows::DealerCardBeforeFlop, 7);
    while trial.ln() < 100_000.0_f64.ln() && trial.rounds < 1_000 {
        trial.play();
    }
    assert!(100_000.0_f64.ln() <= trial.ln(), "{} after {}", trial.ln(), trial.rounds);
    assert!(3.0 < trial.of(Kind::FoldDealerCard(0)).z());
    assert!(trial.of(Kind::DealerCard(0)).z().abs() < 4.0);
}

/// In stud too.
#[test]
fn a_hole_carder_is_found_in_stud() {
    let (lab, book) = (Lab::new(), book("megalink-stud-v9"));
    let mut trial = Trial::new(&lab, &book, Style::Perfect, Knows::DealerCard(1.0), 7);
    while trial.ln() < 100_000.0_f64.ln() && trial.rounds < 1_500 {
        trial.play();
    }
    assert!(100_000.0_f64.ln() <= trial.ln(), "{} after {}", trial.ln(), trial.rounds);
}
