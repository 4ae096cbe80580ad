//! The value of each choice when more is known than the table shows: cards of the Dealer, and cards that are elsewhere.
//!
//! What can follow is dealt out, all of it, with the evaluator.

use cards::{Card, CardSet, Hand, HandOrder, HandRank, Pair};
use rayon::prelude::*;
use rulebook::{HoldemRules, HoleClass, PlayingArea};

use super::pays::Pays;
use crate::advice::{Advice, AdviceError, Ahead, Part, Situation};
use crate::exact::{Action, Fraction};
use crate::game::Case;

/// All that can follow, counted over deals: the cards of the board to come in order, and the Dealer's hands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outlook {
    /// Wins by order of hand.
    pub(crate) wins: [u64; 10],
    pub(crate) ties: u64,
    pub(crate) losses: u64,
    /// What a later Turn wager of one Ante brings, made where it wins more than it loses; and a later River wager.
    pub(crate) turn: i64,
    pub(crate) river: i64,
}

/// Showdowns on one board.
#[derive(Clone, Copy, Default)]
struct Showdowns {
    wins: u64,
    ties: u64,
    losses: u64,
}

/// What follows for hole cards on the board so far: none, three or four cards. `left` are all cards that may still come, to
/// the board or to the Dealer, of whom `dealer` is known.
pub(crate) fn outlook(own: [Card; 2], board: &[Card], dealer: &[Card], left: &[Card]) -> Outlook {
    let missing = 5 - board.len();
    let sets = sets(left.len(), missing);
    let known = board.iter().fold(Hand::EMPTY, |hand, &card| hand.with(card));
    let showdowns = |set: &[u8; 5]| {
        let cards = set[..missing].iter().map(|&place| left[usize::from(place)]);
        let board = cards.fold(known, Hand::with);
        let mine = board.with_pair(Pair::new(own[0], own[1])).rank();
        let free: Vec<Card> = (0..left.len())
            .filter(|place| !set[..missing].iter().any(|&taken| usize::from(taken) == *place))
            .map(|place| left[place])
            .collect();
        (mine.order(), met(board, mine, &free, dealer))
    };
    let results: Vec<(HandOrder, Showdowns)> = sets.par_iter().map(showdowns).collect();
    let orders = [1, 1, 2, 6, 4, 20][missing];
    let mut outlook = Outlook::default();
    for (order, showdowns) in &results {
        outlook.wins[*order as usize] += orders * showdowns.wins;
        outlook.ties += orders * showdowns.ties;
        outlook.losses += orders * showdowns.losses;
    }
    let lead = |showdowns: &Showdowns| showdowns.wins.cast_signed() - showdowns.losses.cast_signed();
    let leads = sets.iter().zip(results.iter().map(|(_, showdowns)| lead(showdowns)));
    let above_zero = |leads: Vec<i64>| leads.into_iter().map(|lead| lead.max(0)).sum::<i64>();
    match missing {
        // A board of five has five sets of four, each with any of its cards last; and ten flops, with two orders after them.
        5 => {
            outlook.river = 4 * above_zero(by_part::<4>(left.len(), leads.clone()));
            outlook.turn = above_zero(by_part::<3>(left.len(), leads.map(|(set, lead)| (set, 2 * lead))));
        }
        2 => outlook.river = above_zero(by_part::<1>(left.len(), leads)),
        _ => {}
    }
    outlook
}

/// The hands of the Dealer that are left, met by a hand on a whole board.
fn met(board: Hand, mine: HandRank, free: &[Card], dealer: &[Card]) -> Showdowns {
    let mut showdowns = Showdowns::default();
    let mut meet = |theirs: HandRank| match mine.cmp(&theirs) {
        std::cmp::Ordering::Greater => showdowns.wins += 1,
        std::cmp::Ordering::Equal => showdowns.ties += 1,
        std::cmp::Ordering::Less => showdowns.losses += 1,
    };
    match *dealer {
        [] => {
            for (second, &b) in free.iter().enumerate() {
                let one = board.with(b);
                free[..second].iter().for_each(|&a| meet(one.with(a).rank()));
            }
        }
        [a] => {
            let one = board.with(a);
            for &b in free {
                meet(one.with(b).rank());
            }
        }
        [a, b, ..] => meet(board.with_pair(Pair::new(a, b)).rank()),
    }
    showdowns
}

/// Sums by the subsets of `N` cards of each set.
fn by_part<'a, const N: usize>(deck: usize, sets: impl Iterator<Item = (&'a [u8; 5], i64)>) -> Vec<i64> {
    let mut sums = vec![0; choose(deck, N)];
    let size = if N == 1 { 2 } else { 5 };
    let parts: Vec<[u8; 5]> = self::sets(size, N);
    for (set, lead) in sets {
        for part in &parts {
            let place: usize = (0..N).map(|i| choose(usize::from(set[usize::from(part[i])]), i + 1)).sum();
            sums[place] += lead;
        }
    }
    sums
}

fn choose(n: usize, k: usize) -> usize {
    (0..k).fold(1, |product, i| product * n.saturating_sub(i) / (i + 1))
}

/// All sets of `size` places below `deck`, each in rising order.
fn sets(deck: usize, size: usize) -> Vec<[u8; 5]> {
    let mut all = vec![[0; 5]];
    for member in 0..size {
        let from = |set: &[u8; 5]| if member == 0 { 0 } else { set[member - 1] + 1 };
        let end = u8::try_from(deck).expect("a deck is small");
        all = all
            .iter()
            .flat_map(|set| {
                (from(set)..end).map(|next| {
                    let mut longer = *set;
                    longer[member] = next;
                    longer
                })
            })
            .collect();
    }
    all
}

/// The advice with the Dealer's known cards in the situation and `dead` cards elsewhere.
pub(super) fn advise(
    case: Case<'_>,
    rules: &HoldemRules,
    situation: &Situation,
    dead: &[Card],
) -> Result<Advice, AdviceError> {
    let [first, second] = situation.own[..] else {
        let count = situation.own.len();
        return Err(Part::Own.is_wrong(format!("there are 2 hole cards, not {count}")));
    };
    if 2 < situation.dealer.len() {
        let reason = format!("the Dealer has 2 cards, not {}", situation.dealer.len());
        return Err(Part::Dealer.is_wrong(reason));
    }
    let board = &situation.community;
    if !matches!(board.len(), 0 | 3 | 4) {
        let reason = format!("a decision is made with 0, 3 or 4 community cards, not {}", board.len());
        return Err(Part::Community.is_wrong(reason));
    }
    let own = [first, second];
    let seen: CardSet = own.iter().chain(board).chain(&situation.dealer).chain(dead).copied().collect();
    let left: Vec<Card> = CardSet::FULL.difference(seen).iter().collect();
    if left.len() + board.len() + situation.dealer.len() < 7 {
        return Err(Part::Dealer.is_wrong("too few cards are left for the board and the Dealer"));
    }
    let pays = Pays::new(case.book, rules)?;
    let outlook = outlook(own, board, &situation.dealer, &left);
    let turn_made = situation.wagers.contains(&PlayingArea::Turn);
    let base = base(&pays, &outlook, board.len() == 4 && turn_made);
    let river = i128::from(pays.river_wager()) * i128::from(outlook.river);
    let all = outlook.all();
    let hand = || HandRank::best_of(&[&own[..], board].concat()).order().to_string();
    let (name, hand, actions, values) = match board.len() {
        0 => {
            let turn = i128::from(pays.turn_wager()) * i128::from(outlook.turn);
            let fold = i128::from(Pays::FOLD) * i128::from(all);
            let hand = HoleClass::of(own).to_string();
            ("Flop", hand, [Action::Bet, Action::Fold], [base + turn + river, fold])
        }
        3 => {
            let bet = i128::from(pays.turn_wager()) * i128::from(outlook.lead());
            ("Turn", hand(), [Action::Bet, Action::Check], [base + river + bet, base + river])
        }
        _ => {
            let bet = i128::from(pays.river_wager()) * i128::from(outlook.lead());
            ("River", hand(), [Action::Bet, Action::Check], [base + bet, base])
        }
    };
    let values = values.map(|net| Fraction::new(net, all));
    let paid = |order: HandOrder| pays.ante_is_paid(order);
    let with_ante = HandOrder::ALL
        .into_iter()
        .filter(|&order| paid(order))
        .map(|order| outlook.wins[order as usize])
        .sum();
    let ahead = Ahead {
        win_with_ante: Some(with_ante),
        no_hand: None,
        win: outlook.wins.iter().sum::<u64>() - with_ante,
        stand_off: outlook.ties,
        lose: outlook.losses,
        all,
    };
    let advice = Advice::new(name, hand, actions, values, None, ahead);
    Ok(if board.is_empty() { advice.with_silence(case.book) } else { advice })
}

/// What Ante, Flop wager and a Turn wager made bring.
fn base(pays: &Pays, outlook: &Outlook, turn: bool) -> i128 {
    let times = |deals: u64, net: i64| i128::from(deals) * i128::from(net);
    let wins = HandOrder::ALL.into_iter().zip(outlook.wins);
    wins.map(|(order, wins)| times(wins, pays.win(order, turn, false))).sum::<i128>()
        + times(outlook.ties, pays.stand_off(turn, false))
        + times(outlook.losses, pays.lose(turn, false))
}

impl Outlook {
    pub(crate) fn all(&self) -> u64 {
        self.wins.iter().sum::<u64>() + self.ties + self.losses
    }

    fn lead(&self) -> i64 {
        self.wins.iter().sum::<u64>().cast_signed() - self.losses.cast_signed()
    }
}
