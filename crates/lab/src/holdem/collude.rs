//! Hold'em seats that share their cards: on a flop, every turn, every river and every hand of the Dealer is met.
//!
//! Before the flop a seat decides by its own cards. With all cards on the table known, what the Turn wager brings is counted
//! over all that can follow, and what the River wager brings for each turn card that can come.

use cards::{Card, CardSet, Hand, HandRank, Pair, Rank, Suit};
use rulebook::HoldemRules;

use super::count::{CLASSES, DEALS_PER_HAND, LaterBets, place_of_cards};
use super::exact::class_net;
use super::pays::Pays;
use crate::collude::Colluders;
use crate::exact::{Fraction, LabError};
use crate::game::Case;
use crate::simulate::Stream;

struct Seats {
    pays: Pays,
    folds: [bool; CLASSES],
    later: LaterBets,
    edge: f64,
}

pub(super) fn colluders(case: Case<'_>, rules: &HoldemRules) -> Result<Box<dyn Colluders>, LabError> {
    let pays = Pays::new(case.book, rules)?;
    let classes = case.lab.holdem().classes();
    let fold = -i128::from(DEALS_PER_HAND);
    let nets: [i128; CLASSES] = std::array::from_fn(|place| class_net(&pays, &classes[place].deals));
    let hands = classes.iter().map(|class| i128::from(class.class.combinations()));
    let net: i128 = hands.zip(nets).map(|(hands, net)| hands * net.max(fold)).sum();
    Ok(Box::new(Seats {
        pays,
        folds: nets.map(|net| net <= fold),
        later: LaterBets::new(),
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
        // Wins less losses of each seat by the turn card, over rivers and the Dealer's hands.
        let mut leads = [[0_i32; LEFT]; 7];
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
                for (seat, lead) in met(board, &own[..players], &free).into_iter().enumerate().take(players) {
                    leads[seat][first] += lead;
                    leads[seat][second] += lead;
                }
            }
        }
        let turns = left.len() as f64;
        let of_turn = (turns - 1.0) * (turns - 2.0) * (turns - 3.0) / 2.0;
        let gain = |(seat, hand): (usize, &[Card; 2])| {
            if self.folds[place_of_cards(*hand)] {
                return 0.0;
            }
            let leads = &leads[seat][..left.len()];
            let better = |lead: i32, bets: bool| f64::from(lead.max(0) - if bets { lead } else { 0 });
            let turn = better(leads.iter().sum(), self.later.bets_turn(*hand, flop));
            let rivers = leads.iter().zip(&left).map(|(&lead, &turn)| {
                better(lead, self.later.bets_river(*hand, [flop[0], flop[1], flop[2], turn]))
            });
            let (turn_wager, river_wager) = (self.pays.turn_wager() as f64, self.pays.river_wager() as f64);
            (turn_wager * turn + river_wager * rivers.sum::<f64>()) / (turns * of_turn)
        };
        hands.iter().enumerate().map(gain).sum::<f64>() / hands.len() as f64
    }
}

/// Wins less losses of each seat on a whole board, over the Dealer's hands that are left.
fn met(board: Hand, own: &[HandRank], free: &[Card]) -> [i32; 7] {
    let mut leads = [0; 7];
    for (second, &b) in free.iter().enumerate() {
        let one = board.with(b);
        for &a in &free[..second] {
            let dealer = one.with(a).rank();
            for (lead, own) in leads.iter_mut().zip(own) {
                *lead += i32::from(dealer < *own) - i32::from(*own < dealer);
            }
        }
    }
    leads
}
