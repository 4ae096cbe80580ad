//! Hold'em seats that share their cards: on a flop, every turn, every river and every hand of the Dealer is met.
//!
//! With all cards on the table known, what the Turn wager brings is counted over all that can follow, and what the River
//! wager brings for each turn card that can come. Before the flop weak hole cards are weighed by what each card that is
//! elsewhere changes in their value; what a fold or the Flop wager then brings is counted out on the flop that was dealt.

#![expect(clippy::cast_precision_loss, reason = "what is sampled is rounded; what it is made of is counted")]

use cards::{Card, CardSet, Hand, HandRank, Pair, Rank, Suit};
use rulebook::HoldemRules;

use super::count::{CLASSES, DEALS_PER_HAND, FlopValues, LaterBets, place_of_cards};
use super::exact::class_net;
use super::pays::Pays;
use super::removal::Removal;
use crate::collude::Colluders;
use crate::exact::{Fraction, LabError};
use crate::game::Case;
use crate::simulate::Stream;

struct Seats {
    pays: Pays,
    /// What the Flop wager brings a player alone, by class, in Antes.
    nets: [f64; CLASSES],
    removal: Removal,
    later: LaterBets,
    flops: FlopValues,
    edge: f64,
}

/// What the Ante adds to a wager that is made whatever comes, so that values on flops are near: it is mostly lost or stands
/// off.
const ANTE: f64 = 0.5;

pub(super) fn colluders(case: Case<'_>, rules: &HoldemRules) -> Result<Box<dyn Colluders>, LabError> {
    let pays = Pays::new(case.book, rules)?;
    let classes = case.lab.holdem().classes();
    let fold = -i128::from(DEALS_PER_HAND);
    let nets: [i128; CLASSES] = std::array::from_fn(|place| class_net(&pays, &classes[place].deals));
    let hands = classes.iter().map(|class| i128::from(class.class.combinations()));
    let net: i128 = hands.zip(nets).map(|(hands, net)| hands * net.max(fold)).sum();
    let (later, flops) = LaterBets::with_flop_values(
        pays.flop_wager() as f64 + ANTE,
        pays.turn_wager() as f64,
        pays.river_wager() as f64,
    );
    Ok(Box::new(Seats {
        pays,
        nets: nets.map(|net| Fraction::new(net, DEALS_PER_HAND).value()),
        removal: Removal::new(),
        later,
        flops,
        edge: Fraction::new(net, super::DEALS).value(),
    }))
}

/// The cards that no seat and no flop shows, at most.
const LEFT: usize = 45;

impl Colluders for Seats {
    fn alone(&self) -> f64 {
        self.edge
    }

    fn gain(&self, players: usize, stream: &mut Stream) -> f64 {
        let mut dealt = [Card::new(Rank::Two, Suit::Clubs); 17];
        let dealt = &mut dealt[..2 * players + 3];
        cards::shuffle::deal(dealt, || stream.word());
        let (hands, flop) = dealt.split_at(2 * players);
        let flop = [flop[0], flop[1], flop[2]];
        let seen: CardSet = dealt.iter().copied().collect();
        let left: Vec<Card> = CardSet::FULL.difference(seen).iter().collect();
        let (hands, _) = hands.as_chunks::<2>();
        let shown: CardSet = hands.as_flattened().iter().copied().collect();
        let unseen: Vec<Card> = CardSet::FULL.difference(shown).iter().collect();
        // By seat: wins less losses by the turn card, over rivers and the Dealer's hands; and what Ante and Flop wager bring.
        let mut leads = [[0_i32; LEFT]; 7];
        let mut base = [0_i64; 7];
        let board = flop.iter().fold(Hand::EMPTY, |hand, &card| hand.with(card));
        let lowest = HandRank::from_value(1).expect("ranks are numbered from one");
        for (second, &river) in left.iter().enumerate() {
            for (first, &turn) in left[..second].iter().enumerate() {
                let board = board.with(turn).with(river);
                let mut own = [lowest; 7];
                for (rank, [a, b]) in own.iter_mut().zip(hands) {
                    *rank = board.with_pair(Pair::new(*a, *b)).rank();
                }
                let free = [&left[..first], &left[first + 1..second], &left[second + 1..]].concat();
                let met = met(board, &own[..players], &free);
                for (seat, [wins, losses]) in met.into_iter().enumerate().take(players) {
                    leads[seat][first] += wins - losses;
                    leads[seat][second] += wins - losses;
                    // Turn and river in either order.
                    base[seat] += 2 * self.ante_and_flop(own[seat], [wins, losses], free.len());
                }
            }
        }
        let turns = left.len() as f64;
        let all_deals = turns * (turns - 1.0) * (turns - 2.0) * (turns - 3.0) / 2.0;
        let (turn_wager, river_wager) = (self.pays.turn_wager() as f64, self.pays.river_wager() as f64);
        let gain = |(seat, hand): (usize, &[Card; 2])| {
            let leads = &leads[seat][..left.len()];
            let turn = better(leads.iter().sum(), self.later.bets_turn(*hand, flop));
            let rivers = leads.iter().zip(&left).map(|(&lead, &turn)| {
                better(lead, self.later.bets_river(*hand, [flop[0], flop[1], flop[2], turn]))
            });
            let [best_river, alone_river] =
                rivers.fold([0.0; 2], |[best, alone], [b, a]| [best + b, alone + a]);
            let later = |[turn, river]: [f64; 2]| turn_wager * turn + river_wager * river;
            let value = |wagers| (base[seat] as f64 + later(wagers)) / all_deals;
            let fold = Pays::FOLD as f64;
            let folds_alone = self.nets[place_of_cards(*hand)] <= fold;
            let folds = self.with_others(*hand, hands) <= fold;
            if !folds && !folds_alone {
                return value([turn[0], best_river]) - value([turn[1], alone_river]);
            }
            if folds && folds_alone {
                return 0.0;
            }
            // The flop that was dealt says little of hole cards that are worth so and so much on average. What it says is
            // compared with what it says with nothing known, whose mean over all flops that can come is taken out exactly.
            let mean = self.flops.mean(*hand, &unseen) - self.flops.value(*hand, flop);
            if folds {
                fold - value([turn[1], alone_river]) - mean
            } else {
                value([turn[0], best_river]) + mean - fold
            }
        };
        hands.iter().enumerate().map(gain).sum::<f64>() / hands.len() as f64
    }
}

/// What a wager brings that is made where it wins more than it loses, and one that is made or not.
fn better(lead: i32, bets: bool) -> [f64; 2] {
    [f64::from(lead.max(0)), if bets { f64::from(lead) } else { 0.0 }]
}

impl Seats {
    /// What Ante and Flop wager bring on a whole board, over the Dealer's hands.
    fn ante_and_flop(&self, own: HandRank, [wins, losses]: [i32; 2], free: usize) -> i64 {
        let all = i64::try_from(free * (free - 1) / 2).expect("a deck is small");
        let (wins, losses) = (i64::from(wins), i64::from(losses));
        wins * self.pays.win(own.order(), false, false)
            + losses * self.pays.lose(false, false)
            + (all - wins - losses) * self.pays.stand_off(false, false)
    }

    /// What hole cards are worth with the cards of the other seats elsewhere: what each alone changes, all together. The
    /// fewer cards are left, the more each of them counts.
    fn with_others(&self, own: [Card; 2], hands: &[[Card; 2]]) -> f64 {
        let others = hands.as_flattened().iter().filter(|card| !own.contains(card));
        let changes: Option<f64> = others.map(|&card| self.removal.change(own, card)).sum();
        let cards = 2.0 * (hands.len() as f64 - 1.0);
        self.nets[place_of_cards(own)] + changes.unwrap_or(0.0) * 49.0 / (50.0 - cards)
    }
}

/// The Dealer's hands that are left on a whole board, at most.
const HANDS: usize = (LEFT - 2) * (LEFT - 3) / 2;

/// Wins and losses of each seat on a whole board, over the Dealer's hands that are left.
fn met(board: Hand, own: &[HandRank], free: &[Card]) -> [[i32; 2]; 7] {
    let mut ranks = [0_i16; HANDS];
    let mut places = ranks.iter_mut();
    for (second, &b) in free.iter().enumerate() {
        let one = board.with(b);
        for (&a, place) in free[..second].iter().zip(&mut places) {
            *place = number(one.with(a).rank());
        }
    }
    let ranks = &ranks[..free.len() * (free.len() - 1) / 2];
    let mut met = [[0; 2]; 7];
    for (met, &own) in met.iter_mut().zip(own) {
        let own = number(own);
        // Each count for itself, in 16 bits and without a check, so that many are taken at a time: there are 903 hands at most.
        *met = [count(ranks, |rank| rank < own), count(ranks, |rank| own < rank)];
    }
    met
}

#[inline]
fn count(ranks: &[i16], is: impl Fn(i16) -> bool) -> i32 {
    ranks.iter().fold(0_i16, |sum, &rank| sum.wrapping_add(is(rank).into())).into()
}

/// A rank as a number of 16 bits.
fn number(rank: HandRank) -> i16 {
    rank.value().cast_signed()
}
