//! Published figures (`research/mathematics.md`), and a plain brute force on random subtrees.
#![allow(clippy::cast_precision_loss, reason = "published figures are rounded")]

use std::collections::{HashMap, HashSet};

use cards::{Card, CardSet, HandOrder, HandRank};

use rulebook::HoleClass;

use super::ahead::{Counter, even_money};
use super::class::place_of;
use super::{
    Ahead, BOARDS_PER_HAND, Counts, DEALS, DEALS_PER_HAND, Deals, Share, StreetCounts, StreetLines,
    aces_against_aces, after_flop, after_turn, before_flop, frontier,
};
use crate::exact::{Action, Ending, Exact, Lab, Question};

static LAB: Lab = Lab::new();

fn counted() -> &'static Counts {
    LAB.holdem()
}

/// The game whose Ante is paid from a hand up.
fn solved(ante_pays_from: HandOrder) -> Exact {
    let book = rulebook::embedded().into_iter().find(|book| book.id == "megalink-holdem-v9").expect("a book");
    let question = Question { ante_pays_from: Some(ante_pays_from), ..Question::default() };
    LAB.exact(&book, &question).expect("an answer")
}

fn straight() -> Exact {
    solved(HandOrder::Straight)
}

fn flush() -> Exact {
    solved(HandOrder::Flush)
}

fn class(label: &str) -> HoleClass {
    label.parse().expect("the label of a class")
}

fn cards<const N: usize>(text: &str) -> [Card; N] {
    let cards: Vec<Card> = text.split(' ').map(|card| card.parse().expect("a card")).collect();
    cards.try_into().expect("so many cards")
}

fn rounded(value: f64, digits: usize) -> String {
    format!("{value:.digits$}")
}

/// 2.1 and 7.1: house edge, element of risk, average wager, standard deviation, frequencies.
#[test]
fn headline_figures() {
    let game = straight();
    assert_eq!(rounded(100.0 * game.base.house_edge, 3), "2.037");
    assert_eq!(rounded(game.base.average_wager, 4), "3.8181");
    assert_eq!(rounded(100.0 * game.base.element_of_risk, 4), "0.5335");
    assert_eq!(rounded(game.base.standard_deviation, 6), "3.507271");
    let decisions = &game.decisions;
    assert_eq!(decisions.river_level_deals, Some(1_322_481_600));
    let share = |deals: Option<u64>| {
        deals.expect("hold'em has this wager") as f64 / (DEALS - decisions.fold_deals) as f64
    };
    for deals in [decisions.turn_bet_deals, decisions.river_bet_deals] {
        assert!((0.45..0.5).contains(&share(deals)), "{}", share(deals));
    }
    assert_eq!(rounded(100.0 * flush().base.house_edge, 4), "5.5935");
}

/// 7.1: the published 3.500839 leaves the folds out of the second moment; it is not the standard deviation.
#[test]
fn published_standard_deviation_omits_folds() {
    let game = straight();
    let folded = game.decisions.fold_deals as f64 / DEALS as f64;
    let mean = game.base.net.value();
    let deviation = (game.base.second_moment.value() - folded - mean * mean).sqrt();
    assert!((deviation - 3.500_839).abs() < 1e-4, "{deviation}");
    assert!((game.base.standard_deviation - 3.500_839).abs() > 6e-3);
}

/// 2.1: the hands folded under both rules.
#[test]
fn folds() {
    let labels = |game: Exact| {
        let folds = game.decisions.fold.expect("hold'em lists its folds");
        folds.iter().map(ToString::to_string).collect::<HashSet<_>>()
    };
    let vegas = ["32o", "42o", "52o", "62o", "72o"].map(String::from);
    assert_eq!(labels(straight()), HashSet::from(vegas.clone()));
    let mut atlantic_city = HashSet::from(vegas);
    atlantic_city.insert("43o".into());
    assert_eq!(labels(flush()), atlantic_city);
}

/// 2.2: unsuited hands with a deuce, straight-or-better and flush-or-better Ante.
#[test]
fn hole_card_values() {
    let published = [
        ("32o", "-1.155927", "-1.195592"),
        ("42o", "-1.091604", "-1.135210"),
        ("52o", "-1.019987", "-1.067022"),
        ("62o", "-1.046723", "-1.077817"),
        ("72o", "-1.031301", "-1.050057"),
        ("82o", "-0.896002", "-0.917393"),
        ("92o", "-0.763132", "-0.784523"),
        ("T2o", "-0.613979", "-0.636507"),
        ("J2o", "-0.459414", "-0.478676"),
        ("Q2o", "-0.289690", "-0.305687"),
        ("K2o", "-0.102668", "-0.115400"),
    ];
    let (vegas, atlantic_city) = (straight(), flush());
    for (label, at_straight, at_flush) in published {
        let value = |game: &Exact| rounded(game.hole_cards[place_of(class(label))].net.value(), 6);
        assert_eq!(
            (value(&vegas).as_str(), value(&atlantic_city).as_str()),
            (at_straight, at_flush),
            "{label}"
        );
    }
}

/// 2.4, 2.5, 7.2: all showdowns, the blind hand, and the game without folds.
#[test]
fn totals() {
    let mut all = Deals::default();
    for counts in counted().classes() {
        let deals = counts.showdowns();
        assert_eq!(deals.all(), DEALS_PER_HAND);
        all = all.plus(&deals.times(counts.class.combinations()));
    }
    // A showdown of unordered board cards stands for 20 deals.
    assert_eq!(all.all(), 20 * 2_781_381_002_400);
    assert_eq!(all.won(), 20 * 1_334_125_369_292);
    assert_eq!(all.ties, 20 * 113_130_263_816);
    assert_eq!(all.losses, 20 * 1_334_125_369_292);
    let with_ante: u64 = all.wins[4..].iter().sum();
    assert_eq!(with_ante.cast_signed() - all.losses.cast_signed(), -20 * 1_091_045_880_324);
    let never: i128 = straight()
        .hole_cards
        .iter()
        .map(|cards| {
            let net = cards.net.numerator() * i128::from(DEALS_PER_HAND) / cards.net.denominator();
            i128::from(cards.combinations) * net
        })
        .sum();
    assert_eq!(never, -1_307_043_010_448);
}

/// Outcomes add up to what the totals say.
#[test]
fn outcomes_agree_with_totals() {
    let game = straight();
    let (mut net, mut wagered, mut deals) = (0, 0, 0);
    for row in &game.outcomes {
        let bets = |action| i128::from(action == Some(Action::Bet));
        let wagers = 2 + bets(row.turn) + bets(row.river);
        let won = match row.result {
            Ending::Fold => -1,
            Ending::WinWithAnte => wagers + 1,
            Ending::Win => wagers,
            Ending::StandOff => 0,
            Ending::Lose => -wagers - 1,
            Ending::NoHand => panic!("the dealer always has a hand in hold'em"),
        };
        net += won * i128::from(row.deals);
        wagered += if row.result == Ending::Fold { 1 } else { wagers + 1 } * i128::from(row.deals);
        deals += row.deals;
    }
    assert_eq!(deals, DEALS);
    assert_eq!((net, wagered), (game.base.net.numerator(), game.base.wagered.numerator()));
}

/// 5.2: the jackpot by street.
#[test]
fn street_jackpot() {
    let mut sum = [0; 8];
    let mut folded = [0; 8];
    let lines = |lines: &StreetLines| {
        [
            lines.royal_on_flop,
            lines.royal_on_turn,
            lines.royal_on_river,
            lines.community_royal,
            lines.straight_flush,
            lines.community_straight_flush,
            lines.four,
            lines.community_four,
        ]
    };
    for counts in StreetCounts::all() {
        let hands = counts.class.combinations();
        for (sum, line) in sum.iter_mut().zip(lines(&counts.played)) {
            *sum += hands * line;
        }
        for (sum, line) in folded.iter_mut().zip(lines(&counts.folded)) {
            *sum += hands * line;
        }
    }
    assert_eq!(sum[..4], [86_480, 432_400, 1_210_720, 86_480]);
    assert_eq!(sum[4] + sum[5], 37_260 * 420);
    assert_eq!(sum[6] + sum[7], 224_848 * 420);
    // A board of five stands for 20 orders and the 1,081 hole hands it leaves.
    assert_eq!(folded, [0, 0, 0, 4 * 20 * 1081, 0, 36 * 20 * 1081, 0, 624 * 20 * 1081]);
    let boards = 1326 * BOARDS_PER_HAND;
    assert_eq!(boards, 56_189_515_200);
    // The meter's weight, 59 / 12,994,800.
    assert_eq!((100 * sum[0] + 25 * sum[1] + 5 * sum[2]) * 12_994_800, 59 * 100 * boards);
}

/// Section 3: the Bonus.
#[test]
fn bonus() {
    let bonus = straight().bonus.expect("hold'em has a Bonus");
    let deals: Vec<u64> = bonus.lines.iter().map(|line| line.deals).collect();
    assert_eq!(deals, [6, 7_344, 4_900, 9_800, 14_700, 22_050, 29_400, 66_150]);
    let pays: Vec<u32> = bonus.lines.iter().map(|line| line.pays).collect();
    assert_eq!(pays, [1000, 30, 25, 20, 15, 10, 5, 3]);
    assert_eq!((bonus.deals, bonus.net), (1_624_350, crate::exact::Fraction::new(-138_730, 1_624_350)));
}

/// Two aces against two aces, board by board.
#[test]
fn aces_against_aces_by_brute_force() {
    let [a, b, c, d] = cards("Ac Ad Ah As");
    let left: Vec<Card> = deck().filter(|card| ![a, b, c, d].contains(card)).collect();
    let mut deals = Deals::default();
    for_each_five(&left, |board| {
        let player = HandRank::of_set(board.union(set(&[a, b])));
        let dealer = HandRank::of_set(board.union(set(&[c, d])));
        tally_one(&mut deals, player, dealer, 20);
    });
    assert_eq!(deals, aces_against_aces());
}

fn for_each_five(cards: &[Card], mut of: impl FnMut(CardSet)) {
    for (e, fifth) in cards.iter().enumerate() {
        for (d, fourth) in cards[..e].iter().enumerate() {
            for (c, third) in cards[..d].iter().enumerate() {
                for (b, second) in cards[..c].iter().enumerate() {
                    for first in &cards[..b] {
                        of(set(&[*first, *second, *third, *fourth, *fifth]));
                    }
                }
            }
        }
    }
}

fn deck() -> impl Iterator<Item = Card> {
    (0..52).filter_map(Card::from_index)
}

fn set(cards: &[Card]) -> CardSet {
    CardSet::from_bits(cards.iter().fold(0, |bits, card| bits | 1 << card.index()))
        .expect("cards of one deck")
}

fn tally_one(deals: &mut Deals, player: HandRank, dealer: HandRank, times: u64) {
    match player.cmp(&dealer) {
        std::cmp::Ordering::Greater => deals.wins[player.order() as usize] += times,
        std::cmp::Ordering::Equal => deals.ties += times,
        std::cmp::Ordering::Less => deals.losses += times,
    }
}

/// The dealer's 990 hands, one by one.
fn by_brute_force(hole: [Card; 2], board: CardSet) -> Deals {
    let player = HandRank::of_set(board.union(set(&hole)));
    let left: Vec<Card> = deck().filter(|&card| !hole.contains(&card) && !board.contains(card)).collect();
    let mut deals = Deals::default();
    for (i, &first) in left.iter().enumerate() {
        for &second in &left[..i] {
            tally_one(&mut deals, player, HandRank::of_set(board.union(set(&[first, second]))), 1);
        }
    }
    deals
}

/// What lies ahead after the flop, by every turn, river and dealer's hand.
fn flop_by_brute_force(hole: [Card; 2], flop: [Card; 3]) -> Ahead {
    let seen = [hole[0], hole[1], flop[0], flop[1], flop[2]];
    let left: Vec<Card> = deck().filter(|card| !seen.contains(card)).collect();
    let n = left.len();
    let mut boards = vec![Deals::default(); n * n];
    for turn in 0..n {
        for river in 0..turn {
            let deals = by_brute_force(hole, set(&[flop[0], flop[1], flop[2], left[turn], left[river]]));
            boards[turn * n + river] = deals;
            boards[river * n + turn] = deals;
        }
    }
    let (mut showdowns, mut later) = (Deals::default(), 0);
    for turn in boards.chunks(n) {
        let deals = turn.iter().fold(Deals::default(), Deals::plus);
        showdowns = showdowns.plus(&deals);
        // A River wager of one Ante, made where it wins more than it loses.
        later += (deals.won().cast_signed() - deals.losses.cast_signed()).max(0);
    }
    Ahead { showdowns, later }
}

/// Numbers that look random, the same in every run.
fn numbers(mut state: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % below as u64) as usize
    }
}

/// Random hole cards and flops: all that can follow, counted one by one.
#[test]
fn flops_agree_with_brute_force() {
    let mut next = numbers(4);
    let mut states = vec![
        (cards("2s 7s"), cards("Ts Js Qs")),
        (cards("As Kd"), cards("Ts Js Qs")),
        (cards("9h 9c"), cards("9d 8s 8c")),
        (cards("Ah 2h"), cards("3h 4h 9c")),
    ];
    for _ in 0..4 {
        let mut pack: Vec<Card> = deck().collect();
        let mut draw = || pack.swap_remove(next(pack.len()));
        states.push(([draw(), draw()], [draw(), draw(), draw()]));
    }
    for (hole, flop) in states {
        assert_eq!(after_flop(hole, flop), flop_by_brute_force(hole, flop), "{hole:?} {flop:?}");
    }
}

/// Random boards of four: the river decision.
#[test]
fn turns_agree_with_brute_force() {
    let mut next = numbers(9);
    for _ in 0..20 {
        let mut pack: Vec<Card> = deck().collect();
        let mut draw = || pack.swap_remove(next(pack.len()));
        let (hole, board) = ([draw(), draw()], [draw(), draw(), draw(), draw()]);
        let mut all = Deals::default();
        for &river in &pack {
            all = all.plus(&by_brute_force(hole, set(&board).union(set(&[river]))));
        }
        assert_eq!(after_turn(hole, board), all);
    }
}

/// Hole hands through all flops one by one, by way of the boards that [`after_flop`] counts: the same deals, decision
/// by decision. Flops that renaming idle suits makes of each other are gone through once.
#[test]
fn count_agrees_flop_by_flop() {
    let renamings: &[[u8; 4]] =
        &[[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 1, 3], [0, 2, 3, 1], [0, 3, 1, 2], [0, 3, 2, 1]];
    for (hole, label, renamings) in [("6c 5c", "65s", renamings), ("7c 2d", "72o", &renamings[..2])] {
        let hole = cards(hole);
        let mut counter = Counter::new(hole);
        let (mut deals, mut level) = ([[Deals::default(); 2]; 2], 0);
        for (flop, times) in standard_flops(hole, renamings) {
            let turns = counter.turns(flop);
            let lead = |deals: &Deals| deals.won().cmp(&deals.losses);
            let turn = lead(&turns.iter().fold(Deals::default(), Deals::plus)).is_gt();
            for showdowns in turns {
                let river = lead(&showdowns);
                let cell = &mut deals[usize::from(turn)][usize::from(river.is_gt())];
                *cell = cell.plus(&showdowns.times(times));
                level += times * u64::from(river.is_eq()) * showdowns.all();
            }
        }
        let counts = counted().class(class(label));
        assert_eq!((counts.deals, counts.river_level), (deals, level), "{label}");
    }
}

/// One flop of each kind, with their number.
fn standard_flops(hole: [Card; 2], renamings: &[[u8; 4]]) -> Vec<([Card; 3], u64)> {
    let left: Vec<Card> = deck().filter(|card| !hole.contains(card)).collect();
    let mut seen = HashMap::<[u8; 3], u64>::new();
    for (i, a) in left.iter().enumerate() {
        for (j, b) in left[..i].iter().enumerate() {
            for c in &left[..j] {
                let renamed = renamings.iter().map(|suits| {
                    let mut cards =
                        [a, b, c].map(|card| card.index() / 4 * 4 + suits[usize::from(card.index() % 4)]);
                    cards.sort_unstable();
                    cards
                });
                *seen.entry(renamed.min().expect("there are renamings")).or_default() += 1;
            }
        }
    }
    let card = |index| Card::from_index(index).expect("a card");
    seen.into_iter().map(|(flop, times)| (flop.map(card), times)).collect()
}

/// The stored values before the flop are those of the full count.
#[test]
fn stored_values() {
    let mut table = String::new();
    for counts in counted().classes() {
        let [[none, river], [turn, both]] = &counts.deals;
        let lead = |deals: &Deals| deals.won().cast_signed() - deals.losses.cast_signed();
        let later = lead(river) + lead(turn) + 2 * lead(both);
        let all = [none, river, turn, both].into_iter().fold(Deals::default(), Deals::plus);
        let wins: Vec<String> = all.wins.iter().map(u64::to_string).collect();
        let value = even_money(&all) + later;
        table += &format!("{} {value} {} {}\n", counts.class, all.ties, wins.join(" "));
        let hole = super::cards_of_class(counts.class);
        assert_eq!(before_flop(hole), Ahead { showdowns: all, later }, "{}", counts.class);
    }
    assert_eq!(table, include_str!("start.txt"));
}

/// The frontier counts the same decisions as the deals do.
#[test]
fn frontier_agrees_with_count() {
    for row in frontier() {
        let counts = counted().class(row.class);
        let sum = |shares: &[Share], of: fn(&Share) -> u64| shares.iter().map(of).sum::<u64>();
        assert_eq!(sum(&row.turn, |share| share.boards), 19_600, "{}", row.class);
        assert_eq!(sum(&row.river, |share| share.boards), 230_300, "{}", row.class);
        assert_eq!(sum(&row.turn, |share| share.bets), counts.flops_bet(), "{}", row.class);
        // A board of four stands for four flops with their turn.
        assert_eq!(
            4 * sum(&row.river, |share| share.bets),
            counts.turns_bet().iter().sum::<u64>(),
            "{}",
            row.class
        );
    }
    let seven_two = &frontier()[place_of(class("72o"))];
    assert_eq!(seven_two.turn_with(HandOrder::FullHouse), Share { boards: 18, bets: 18 });
}
