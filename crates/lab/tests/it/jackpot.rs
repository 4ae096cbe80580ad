//! The jackpot by street against the real settlement, board by board, and the joint decision against a plain sum.

use cards::{Card, HandOrder, HandRank};
use lab::exact::{Action, Fraction};
use lab::holdem::{BOARDS_PER_HAND, StreetCounts, StreetJackpot, StreetLines};
use round::jackpot_lines;
use rulebook::{HoleClass, Rulebook};

use crate::brute_force::for_each_five;
use crate::support::{LAB, STREETS, answer, book, cards, changed, left, read_otherwise, wagers};

/// All boards of a hole hand with something to pay, in all 20 orders, settled as at a table.
fn check_class(book: &Rulebook, hole: [Card; 2]) {
    let mut settled = vec![[0_u64; 2]; book.jackpot.lines.len()];
    for_each_five(&left(&hole), |board| {
        if HandRank::best_of(&[&hole[..], board].concat()).order() < HandOrder::FourOfAKind {
            return;
        }
        for turn in 0..5 {
            for river in (0..5).filter(|&river| river != turn) {
                let flop = (0..5).filter(|&place| place != turn && place != river);
                let community: Vec<Card> = flop.chain([turn, river]).map(|place| board[place]).collect();
                for (choice, folded) in [false, true].into_iter().enumerate() {
                    for line in jackpot_lines(&book.jackpot, &hole, &community, folded) {
                        let place = book.jackpot.lines.iter().position(|listed| *listed == line);
                        settled[place.expect("a line of the table")][choice] += 1;
                    }
                }
            }
        }
    });
    let counted = StreetJackpot::new(book, 500).expect("a book the lab counts");
    let counted: Vec<[u64; 2]> =
        counted.class(HoleClass::of(hole)).iter().map(|line| [line.played, line.folded]).collect();
    assert_eq!(counted, settled, "{hole:?}");
}

/// By both readings of `one-jackpot-payout`, and with lines taken away.
#[test]
fn lines_as_settled() {
    let usual = book(STREETS);
    let both = read_otherwise(STREETS, "one-jackpot-payout", "player-and-community");
    let fewer = [
        "jackpot.lines.royal-flush.hole-to-river-with-hole-card=none",
        "jackpot.lines.straight-flush.hole-to-river=none",
    ];
    let fewer = changed(STREETS, &fewer).expect("a table").book;
    for hole in ["As Ks", "Ah Kd", "9h 8h", "5c 2d", "7c 7d"] {
        for book in [&usual, &both, &fewer] {
            check_class(book, cards(hole));
        }
    }
}

/// What the table of THB6 4.2 pays over the boards of one hand, in cents, with its amounts written out.
fn award(lines: &StreetLines, meter: u64) -> Fraction {
    let royals = 100 * lines.royal_on_flop + 25 * lines.royal_on_turn + 5 * lines.royal_on_river;
    let fixed = 1_000_000 * lines.community_royal
        + 150_000 * (lines.straight_flush + lines.community_straight_flush)
        + 30_000 * (lines.four + lines.community_four);
    let cents = i128::from(royals) * i128::from(meter) + 100 * i128::from(fixed);
    Fraction::new(cents, 100 * BOARDS_PER_HAND)
}

/// The joint decision from the counts of streets, with the jackpot's amounts written out.
#[test]
fn joint_decision() {
    let alone = answer(STREETS, &[]);
    for (ante, jackpot, meter) in [
        (2_500, 500, 0),
        (2_500, 500, 10_000_000),
        (100, 500, 10_000_000),
        (5_000, 1_000, 98_765_432),
        (2_500, 500, 1_000_000_000_000),
        (1_000_000, 500, 50_000_000),
    ] {
        let (mut net, mut folds) = (Fraction::whole(-i128::from(jackpot)), Vec::new());
        for cards in &alone.hole_cards {
            let counts = StreetCounts::of(cards.class);
            let play = cards.net.times(Fraction::whole(ante)).plus(award(&counts.played, meter));
            let fold = award(&counts.folded, meter).minus(Fraction::whole(ante));
            if play <= fold {
                folds.push(cards.class);
            }
            net = net.plus(play.max(fold).times(Fraction::new(cards.combinations.into(), 1_326)));
        }
        let exact = LAB.exact(&book(STREETS), &wagers(ante, jackpot, meter)).expect("an answer");
        let combined = exact.combined.expect("a wager and a meter");
        assert_eq!(combined.net, net, "{ante} {jackpot} {meter}");
        let found: Vec<HoleClass> = exact
            .hole_cards
            .iter()
            .filter(|cards| cards.play == Action::Fold)
            .map(|cards| cards.class)
            .collect();
        assert_eq!(found, folds, "{ante} {jackpot} {meter}");
        let base = combined.base_game_folds.expect("folds that look at the Ante alone");
        assert_eq!(combined.net.minus(base.net), base.cost);
        assert!(Fraction::ZERO <= base.cost);
    }
}

/// From the value of each class and what the jackpot pays it: fold where playing brings no more.
#[test]
fn joint_decision_from_classes() {
    let alone = answer(STREETS, &[]);
    let jackpot = StreetJackpot::new(&book(STREETS), 500).expect("a book the lab counts");
    for (ante, meter, folded) in [
        (2_500, 100_000_000, 4),
        (50_000, 100_000_000, 5),
        (500, 100_000_000, 1),
        (100, 100_000_000, 0),
        (2_500, 0, 4),
    ] {
        let mut net = Fraction::ZERO;
        let mut folds = 0;
        for cards in &alone.hole_cards {
            let [played, folded] = jackpot.class_returns(cards.class, meter);
            let play = cards.net.times(Fraction::whole(ante)).plus(played);
            let fold = Fraction::whole(-i128::from(ante)).plus(folded);
            folds += usize::from(play <= fold);
            net = net.plus(play.max(fold).times(Fraction::new(cards.combinations.into(), 1_326)));
        }
        let exact = LAB.exact(&book(STREETS), &wagers(ante, 500, meter)).expect("an answer");
        assert_eq!(
            exact.combined.map(|combined| combined.net),
            Some(net.minus(Fraction::whole(500))),
            "{ante} {meter}"
        );
        let found = exact.hole_cards.iter().filter(|cards| cards.play == Action::Fold).count();
        assert_eq!((found, folds), (folded, folded), "{ante} {meter}");
    }
}

/// A huge meter: hands that can make a royal flush are played, and no others because of it.
#[test]
fn a_meter_that_changes_folds() {
    // With an Ante this large the fixed amounts are nothing, and only a great meter moves a decision.
    let folds = |meter| {
        let exact = LAB.exact(&book(STREETS), &wagers(10_000_000, 500, meter)).expect("an answer");
        exact
            .hole_cards
            .iter()
            .filter(|cards| cards.play == Action::Fold)
            .map(|cards| cards.class.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(folds(100_000_000), ["72o", "62o", "52o", "42o", "32o"]);
    // None of these can make a royal flush with a hole card, so no meter makes them play.
    assert_eq!(folds(1_000_000_000_000_000), ["72o", "62o", "52o", "42o", "32o"]);
    // Where the Ante pays only from a flush up and nothing is paid on wins, more hands fold, and the meter draws those
    // with a ten or better back in.
    let poor = ["holdem.flop=0 to 1", "ante=10000000", "jackpot-wager=500"];
    let poor_folds = |meter: &str| {
        let exact = answer(STREETS, &[&poor[..], &[meter]].concat());
        exact
            .hole_cards
            .into_iter()
            .filter(|cards| cards.play == Action::Fold)
            .map(|cards| cards.class)
            .collect::<Vec<_>>()
    };
    let (small, great) = (poor_folds("meter=0"), poor_folds("meter=1000000000000000"));
    let high = |class: &HoleClass| cards::Rank::Ten <= class.high();
    assert!(small.iter().any(high), "{small:?}");
    assert!(!great.iter().any(high), "{great:?}");
    assert!(great.len() < small.len());
}

/// At the joint break-even meter the wager loses nothing against not making it; a cent less, and it does.
#[test]
fn joint_break_even() {
    let alone = answer(STREETS, &[]).base.net.times(Fraction::whole(2_500));
    let at = |meter| LAB.exact(&book(STREETS), &wagers(2_500, 500, meter)).expect("an answer");
    let meter = at(0).jackpot.break_even_meter.expect("the meter is won sometimes");
    let net = |meter| at(meter).combined.expect("a wager and a meter").net;
    assert!(alone <= net(meter) && net(meter - 1) < alone);
    let base = at(0).jackpot.base_game_folds.expect("other folds").break_even_meter.expect("a meter");
    assert!(meter <= base);
}
