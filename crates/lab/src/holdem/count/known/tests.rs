//! Cards dealt out one by one, with the evaluator and no other mathematics.

use cards::{Card, Hand, HandOrder, Rank, Suit};

use super::super::ranks::multiset;
use super::ladder::Score;
use super::shape::RankSuit;
use super::streets::{Fives, Street};
use super::sums::{
    CARDS, DECK, Of, Rows, Standard, card, five_row, lane, renamings, standard_boards, street_row, sum_boards,
};
use super::{Board, Values, both, values};

/// Orders from a Straight up, as bits.
const FROM_STRAIGHT: u16 = 0b11_1111_0000;

fn cards((rank, suit): RankSuit) -> Card {
    Card::new(Rank::ALL[rank], Suit::ALL[suit])
}

/// Wins less losses of the hole cards, and what the Ante brings, on a board against each hand of the Dealer that is left.
fn showdowns(own: [usize; 2], dealer: &[usize], board: &[usize]) -> [i64; 2] {
    let on_board = |held: &[usize]| {
        board.iter().chain(held).fold(Hand::EMPTY, |hand, &number| hand.with(cards(card(number)))).rank()
    };
    let mine = on_board(&own);
    let paid = i64::from(HandOrder::Straight <= mine.order());
    let taken = |number: &usize| own.contains(number) || dealer.contains(number) || board.contains(number);
    let left: Vec<usize> = (0..CARDS).filter(|number| !taken(number)).collect();
    let mut sums = [0; 2];
    let mut meet = |held: &[usize]| match mine.cmp(&on_board(held)) {
        std::cmp::Ordering::Greater => sums = [sums[0] + 1, sums[1] + paid],
        std::cmp::Ordering::Equal => {}
        std::cmp::Ordering::Less => sums = [sums[0] - 1, sums[1] - 1],
    };
    match *dealer {
        [a, b] => meet(&[a, b]),
        [a] => left.iter().for_each(|&b| meet(&[a, b])),
        _ => {
            for (second, &b) in left.iter().enumerate() {
                left[..second].iter().for_each(|&a| meet(&[a, b]));
            }
        }
    }
    sums
}

/// Numbers that look random, the same in every run.
fn numbers(mut state: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("31 bits") % below
    }
}

/// Different cards, by number.
fn deal(next: &mut impl FnMut(usize) -> usize, count: usize) -> Vec<usize> {
    let mut deck: Vec<usize> = (0..CARDS).collect();
    (0..count).map(|_| deck.swap_remove(next(deck.len()))).collect()
}

fn board_of(cards: &[usize]) -> Standard {
    let mut suits = [0; 4];
    for &number in cards {
        suits[card(number).1] |= 1 << card(number).0;
    }
    Standard { suits, weight: 1 }
}

/// What all boards of five that a board can become bring, cards to come in order.
fn after(own: [usize; 2], dealer: &[usize], board: &[usize]) -> [i64; 2] {
    if board.len() == 5 {
        return showdowns(own, dealer, board);
    }
    let mut sums = [0; 2];
    for next in 0..CARDS {
        if !own.contains(&next) && !dealer.contains(&next) && !board.contains(&next) {
            let longer: Vec<usize> = board.iter().copied().chain([next]).collect();
            let [lead, ante] = after(own, dealer, &longer);
            sums = [sums[0] + lead, sums[1] + ante];
        }
    }
    sums
}

/// Random hole cards and boards of three, four and five cards, many of them of few suits, with one card of the Dealer known:
/// the rows say what the cards dealt out say.
#[test]
fn rows_dealt_out() {
    let mut next = numbers(3);
    let scores = [Score::Lead, Score::Ante(FROM_STRAIGHT)];
    let fives = scores.map(Fives::new);
    let fours = [0, 1].map(|score| Street::fours(&fives[score]));
    let flops = Street::flops(&fours[0]);
    for trial in 0..600 {
        let size = if trial % 60 == 0 { 3 } else { 4 + trial % 2 };
        let deck = deal(&mut next, CARDS);
        // In two of three trials the cards come from the first two suits.
        let few = deck.iter().copied().filter(|number| trial % 3 == 0 || *number < 26);
        let drawn: Vec<usize> = few.take(3 + size).collect();
        let (own, known, board) = ([drawn[0], drawn[1]], drawn[2], &drawn[3..]);
        let expected = after(own, &[known], board);
        let standard = board_of(board);
        let mut row = [0; DECK];
        let pair = (card(own[0]), card(own[1]));
        for (score, &expected) in expected.iter().enumerate() {
            match size {
                3 if score == 0 => {
                    street_row(&flops, multiset(standard.ranks::<3>()), &standard.shapes(1), pair, &mut row);
                }
                3 => continue,
                4 => {
                    let ranks = multiset(standard.ranks::<4>());
                    street_row(&fours[score], ranks, &standard.shapes(2), pair, &mut row);
                }
                _ => {
                    let ranks = multiset(standard.ranks::<5>());
                    five_row(&fives[score], ranks, standard.shapes(3).first(), pair, &mut row);
                }
            }
            assert_eq!(i64::from(row[lane(card(known))]), expected, "{own:?} {known} {board:?} {score}");
        }
    }
}

/// Boards in standard suits stand for all boards.
#[test]
fn standard_boards_stand_for_all() {
    for (size, boards, all) in [(3, 1_755, 22_100), (4, 16_432, 270_725), (5, 134_459, 2_598_960)] {
        let standard = standard_boards(size);
        assert_eq!(standard.len(), boards);
        assert_eq!(standard.iter().map(|board| i64::from(board.weight)).sum::<i64>(), all);
    }
}

/// Sums over boards in standard suits, renamed, are those over all boards with given cards.
#[test]
fn renamed_sums() {
    let flops = &Street::flops(&Street::fours(&Fives::new(Score::Lead)));
    let rows_of = |board: &Standard| {
        let (ranks, shapes) = (multiset(board.ranks::<3>()), board.shapes(1));
        move |a, b, row: &mut _| street_row(flops, ranks, &shapes, (a, b), row)
    };
    let [by_card, together] = [Rows::ByCard, Rows::Together].map(|rows| {
        let [_, above] = sum_boards(3, rows, Of::AboveZero, &|_| {}, rows_of);
        above.expect("scores above zero were summed")
    });
    let mut next = numbers(5);
    for _ in 0..20 {
        let [a, b, dealer, known] = deal(&mut next, 4).try_into().expect("four cards");
        let (mut with_card, mut in_all) = (0, 0);
        let others: Vec<usize> = (0..CARDS).filter(|number| ![a, b, known].contains(number)).collect();
        for (second, &d) in others.iter().enumerate() {
            for &c in &others[..second] {
                let mut row = [0; DECK];
                rows_of(&board_of(&[known, c, d]))(card(a), card(b), &mut row);
                if c != dealer && d != dealer {
                    with_card += i64::from(row[lane(card(dealer))].max(0));
                }
                let free = others.iter().filter(|number| **number != c && **number != d);
                in_all += i64::from((free.map(|&number| row[lane(card(number))]).sum::<i32>() / 2).max(0));
            }
        }
        assert_eq!(by_card.renamed(&renamings(), [a, b], Some(dealer), known), 24 * with_card);
        assert_eq!(together.renamed(&renamings(), [a, b], None, known), 24 * in_all);
    }
}

/// With nothing known the values are those of the game: the house edge of the exact count.
#[test]
fn nothing_known_is_the_game() {
    let cases = values(FROM_STRAIGHT, false, Board::Nothing, &|_| {});
    assert_eq!(cases.len(), 169);
    let net = |case: &Values| 2 * case.lead + case.ante + case.turn + case.river;
    let best = |case: &Values| i128::from(case.cases) * i128::from(net(case).max(-case.deals));
    let (net, deals): (i128, i128) = (
        cases.iter().map(best).sum(),
        cases.iter().map(|case| i128::from(case.cases) * i128::from(case.deals)).sum(),
    );
    assert_eq!(deals, 55_627_620_048_000);
    assert_eq!(net * 28_381_438_800, -578_107_733 * deals);
}

/// Two hands on a board of three or four cards, and the boards on which a win does not pay the Ante.
#[test]
fn two_hands_dealt_out() {
    let check = both::Check::new(FROM_STRAIGHT);
    let mut next = numbers(9);
    for group in 0..12 {
        let ranks = [next(13), next(13)];
        let lead_of = check.leads(ranks);
        for trial in 0..25 {
            let size = 3 + usize::from(trial != 0);
            let suits = if trial % 3 == 0 { 4 } else { 2 };
            let [p, q] = [next(suits), next(suits)];
            let own =
                [ranks[0] + 13 * p, ranks[1] + 13 * if ranks[0] == ranks[1] { (p + 1) % suits } else { q }];
            let deck = deal(&mut next, CARDS);
            let few = deck.iter().copied().filter(|number| *number < 13 * suits && !own.contains(number));
            let drawn: Vec<usize> = few.take(2 + size).collect();
            let (dealer, board) = ([drawn[0], drawn[1]], &drawn[2..]);
            let [lead, _] = after(own, &dealer, board);
            assert_eq!(lead_of(&board_of(board), own, dealer), lead, "{group} {own:?} {dealer:?} {board:?}");
        }
    }
    let [a, b, c, d] = deal(&mut next, 4).try_into().expect("four cards");
    let [lead, ante] = over_all_boards([a, b], [c, d]);
    assert_eq!(check.unpaid([a, b], [c, d]), lead - ante);
}

/// Both cards of the Dealer known, all of it: the figures that were counted by matrices of 351 by 351 hands for every board.
#[test]
fn both_cards_known() {
    let cases = both::values(FROM_STRAIGHT, &|_| {});
    let net = |case: &Values| 2 * case.lead + case.ante + case.turn + case.river;
    let all = |of: &dyn Fn(&Values) -> i64| -> i128 {
        cases.iter().map(|case| i128::from(case.cases) * i128::from(of(case))).sum()
    };
    let deals = all(&|case| case.deals);
    assert_eq!(deals, 55_627_620_048_000);
    assert_eq!(all(&|case| net(case).max(-case.deals)) * 1_158_908_751_000, 345_979_270_019 * deals);
    // What one hand wins the other loses.
    assert_eq!(all(&|case| case.lead), 0);
}

/// Wins less losses and what the Ante brings, over all boards of five.
fn over_all_boards(own: [usize; 2], dealer: [usize; 2]) -> [i64; 2] {
    let left: Vec<Card> = (0..CARDS)
        .filter(|number| !own.contains(number) && !dealer.contains(number))
        .map(|number| cards(card(number)))
        .collect();
    let hands = [own, dealer].map(|[a, b]| Hand::EMPTY.with(cards(card(a))).with(cards(card(b))));
    let mut sums = [0; 2];
    let n = left.len();
    for a in 0..n {
        for b in 0..a {
            for c in 0..b {
                for d in 0..c {
                    let four = hands.map(|hand| hand.with(left[a]).with(left[b]).with(left[c]).with(left[d]));
                    for last in &left[..d] {
                        let [mine, theirs] = four.map(|hand| hand.with(*last).rank());
                        let paid = i64::from(HandOrder::Straight <= mine.order());
                        match mine.cmp(&theirs) {
                            std::cmp::Ordering::Greater => sums = [sums[0] + 1, sums[1] + paid],
                            std::cmp::Ordering::Equal => {}
                            std::cmp::Ordering::Less => sums = [sums[0] - 1, sums[1] - 1],
                        }
                    }
                }
            }
        }
    }
    sums
}
