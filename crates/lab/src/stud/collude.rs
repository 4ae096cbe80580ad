//! Stud seats that share their cards: every hand that the Dealer can still have is met.

use cards::{Card, CardSet, Hand, HandRank, Rank, Suit};
use rulebook::StudRules;

use super::knowing::rank_of;
use super::simulate::Decisions;
use super::{Pays, qualifier};
use crate::collude::Colluders;
use crate::exact::LabError;
use crate::game::Case;
use crate::simulate::Stream;

struct Seats {
    pays: Pays,
    qualifier: HandRank,
    /// What a player alone does.
    alone: Decisions,
    edge: f64,
}

pub(super) fn colluders(case: Case<'_>, rules: &StudRules) -> Result<Box<dyn Colluders>, LabError> {
    let pays = Pays::new(case.book, rules)?;
    let stud = case.lab.stud(qualifier(rules));
    let (outcomes, _) = stud.summary().play(&stud.counts, &pays);
    Ok(Box::new(Seats {
        pays,
        qualifier: rank_of(qualifier(rules)),
        alone: Decisions::new(&stud.counts, |pattern, class| pays.bets(pattern, class)),
        edge: super::exact::base(&outcomes, &pays).net.value(),
    }))
}

/// One seat's hand, and how the Dealer's hands compare with it.
struct Seat {
    hand: [Card; 5],
    rank: HandRank,
    win: u32,
    stand_off: u32,
}

impl Colluders for Seats {
    fn alone(&self) -> f64 {
        self.edge
    }

    fn gain(&self, players: usize, stream: &mut Stream) -> f64 {
        let mut dealt = [Card::new(Rank::Two, Suit::Clubs); 36];
        let dealt = &mut dealt[..=5 * players];
        cards::shuffle::deal(dealt, || stream.word());
        let up = dealt[5 * players];
        let seen: CardSet = dealt.iter().copied().collect();
        let left: Vec<Card> = CardSet::FULL.difference(seen).iter().collect();
        let (hands, _) = dealt.as_chunks::<5>();
        let seat =
            |hand: &[Card; 5]| Seat { hand: *hand, rank: HandRank::best_of(hand), win: 0, stand_off: 0 };
        let mut seats: Vec<Seat> = hands.iter().map(seat).collect();
        let (mut no_hand, mut all) = (0, 0);
        let mut meet = |dealer: HandRank| {
            all += 1;
            if dealer < self.qualifier {
                no_hand += 1;
                return;
            }
            for seat in &mut seats {
                seat.win += u32::from(dealer < seat.rank);
                seat.stand_off += u32::from(dealer == seat.rank);
            }
        };
        let one = Hand::EMPTY.with(up);
        for (d, &fourth) in left.iter().enumerate() {
            let two = one.with(fourth);
            for (c, &third) in left[..d].iter().enumerate() {
                let three = two.with(third);
                for (b, &second) in left[..c].iter().enumerate() {
                    let four = three.with(second);
                    left[..b].iter().for_each(|&first| meet(four.with(first).rank()));
                }
            }
        }
        let gains = seats.iter().map(|seat| {
            let lose = all - no_hand - seat.win - seat.stand_off;
            let bet = self.pays.bet_total(seat.rank.order(), [no_hand, seat.win, seat.stand_off, lose]);
            let fold = Pays::FOLD * i64::from(all);
            let chosen = if self.alone.bets(seat.hand, up) { bet } else { fold };
            bet.max(fold) - chosen
        });
        let gain = i32::try_from(gains.sum::<i64>()).map_or(f64::INFINITY, f64::from);
        gain / f64::from(all) / f64::from(u8::try_from(players).unwrap_or(u8::MAX))
    }
}
