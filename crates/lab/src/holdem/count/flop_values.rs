//! What every hole hand is about worth on every flop, with nothing else known: what a sample of flops is compared with.
//!
//! Wins less losses and both later wagers are counted exactly; the Ante, which is paid by the order of the hand, is not among
//! them. The mean over any set of flops can be taken flop by flop, and that is all a control variate needs.
#![expect(clippy::cast_precision_loss, reason = "sums over the 47 turns of a flop are below two million")]

use cards::Card;

use super::decide::{HOLES, RankSuit, hole, river_leads, turn_leads};
use super::flops::Flops;
use super::parallel::map;
use super::rivers::Rivers;
use super::standard::{Standards, renamed_place, renamed_places};

/// The showdowns after a flop.
const AFTER_FLOP: f64 = 47.0 * 46.0 * 990.0;

pub struct FlopValues {
    standards: Standards<3>,
    /// By flop in standard suits, in Antes.
    values: Vec<[f32; HOLES]>,
}

impl FlopValues {
    pub(super) fn new(rivers: &Rivers, flops: &Flops, wagers: [f64; 3]) -> FlopValues {
        let standards = Standards::<3>::new();
        let boards = &standards.boards;
        let values = map(boards.len(), [0.0; HOLES], |number, values: &mut [f32; HOLES]| {
            of_flop(rivers, flops, boards[number], wagers, values);
        });
        FlopValues { standards, values }
    }

    pub fn value(&self, hole: [Card; 2], flop: [Card; 3]) -> f64 {
        let (standard, renaming) = self.standards.of(flop);
        let place = renamed_place(hole, renaming);
        self.values[usize::from(standard)][usize::from(place)].into()
    }

    /// The mean over all flops of some cards, none of them a hole card.
    pub fn mean(&self, hole: [Card; 2], cards: &[Card]) -> f64 {
        let places = renamed_places(hole);
        let (mut sum, mut count) = (0.0, 0_u32);
        for (third, &c) in cards.iter().enumerate() {
            for (second, &b) in cards[..third].iter().enumerate() {
                for &a in &cards[..second] {
                    let (standard, renaming) = self.standards.of([a, b, c]);
                    let place = places[usize::from(renaming)];
                    sum += f64::from(self.values[usize::from(standard)][usize::from(place)]);
                    count += 1;
                }
            }
        }
        sum / f64::from(count)
    }
}

fn of_flop(
    rivers: &Rivers,
    flops: &Flops,
    flop: [RankSuit; 3],
    [always, turn, river]: [f64; 3],
    values: &mut [f32; HOLES],
) {
    turn_leads(flops, flop, |from, leads| {
        for (value, &lead) in values[from..].iter_mut().zip(leads) {
            let lead = f64::from(lead);
            *value = ((always * lead + turn * lead.max(0.0)) / AFTER_FLOP) as f32;
        }
    });
    let mut later = [0_i64; HOLES];
    for card in (0..52).map(|card| (card / 4, card % 4)).filter(|card| !flop.contains(card)) {
        let holds = with_card(card);
        let before = holds.map(|place| later[place]);
        river_leads(rivers, [flop[0], flop[1], flop[2], card], |from, leads| {
            let later = later[from..].iter_mut().zip(leads);
            later.for_each(|(sum, &lead)| *sum += i64::from(lead.max(0)));
        });
        // A hole hand with the card on the board has no lead.
        holds.iter().zip(before).for_each(|(&place, before)| later[place] = before);
    }
    for (value, later) in values.iter_mut().zip(later) {
        *value += (river * later as f64 / AFTER_FLOP) as f32;
    }
}

/// The places of the hole hands with a card; two cards of one suit and rank have a place too.
fn with_card((rank, suit): RankSuit) -> [usize; 52] {
    let card = (usize::from(rank), usize::from(suit));
    std::array::from_fn(|other| hole(card, (other / 4, other % 4)))
}

#[cfg(test)]
mod tests {
    use super::super::{LaterBets, after_flop, lead};
    use super::*;

    /// The values are those of the cards dealt out, and a mean is that of its flops.
    #[test]
    fn values_of_flops() {
        let (_, values) = LaterBets::with_flop_values(2.5, 1.0, 3.0);
        let mut state = 5_u32;
        for _ in 0..60 {
            let mut cards = [Card::from_index(0).expect("a card"); 9];
            cards::shuffle::deal(&mut cards, || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                state
            });
            let (hole, flop) = ([cards[0], cards[1]], [cards[2], cards[3], cards[4]]);
            let ahead = after_flop(hole, flop);
            let lead = lead(&ahead.showdowns) as f64;
            let expected = (2.5 * lead + lead.max(0.0) + 3.0 * ahead.later as f64) / AFTER_FLOP;
            let value = values.value(hole, flop);
            assert!((value - expected).abs() < 1e-5, "{hole:?} {flop:?}: {value} {expected}");
            let few = &cards[2..6];
            let flops =
                [[2, 3, 4], [2, 3, 5], [2, 4, 5], [3, 4, 5]].map(|flop| flop.map(|place| cards[place]));
            let mean = flops.map(|flop| values.value(hole, flop)).iter().sum::<f64>() / 4.0;
            assert!((values.mean(hole, few) - mean).abs() < 1e-6);
        }
    }
}
