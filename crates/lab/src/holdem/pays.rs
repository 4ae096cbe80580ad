//! What a round of hold'em brings the player, by its outcome.
//!
//! The figures come from [`round::holdem_outcomes`], which settles the tables too: the lab has no pay table of its own.

use std::cmp::Ordering;

use cards::HandOrder;
use money::Odds;
use round::{HoldemHand, Outcome, holdem_outcomes};
use rulebook::{HoldemRules, PlayingArea, Rulebook};

use super::count::Deals;
use crate::exact::{LabError, not_counted, pays::net};

/// What each outcome brings, in Antes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pays {
    ante: AreaPays,
    flop: AreaPays,
    turn: AreaPays,
    river: AreaPays,
    /// By the order of a winning hand: whether the Ante is paid. If not, it stands off.
    ante_is_paid: [bool; 10],
}

/// What the wager on one area brings, in Antes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct AreaPays {
    wager: i64,
    /// By the order of the player's hand.
    win: [i64; 10],
    stand_off: i64,
    lose: i64,
}

impl AreaPays {
    fn new(rules: &HoldemRules, area: PlayingArea, wager: i64) -> AreaPays {
        let brings = |against, order| wager * net(outcome(rules, area, against, order));
        // Only a win depends on the order of the hand.
        let lowest = HandOrder::FiveOddCards;
        AreaPays {
            wager,
            win: HandOrder::ALL.map(|order| brings(Ordering::Greater, order)),
            stand_off: brings(Ordering::Equal, lowest),
            lose: brings(Ordering::Less, lowest),
        }
    }
}

fn outcome(rules: &HoldemRules, area: PlayingArea, against_dealer: Ordering, order: HandOrder) -> Outcome {
    holdem_outcomes(rules, area, &HoldemHand { against_dealer, order, bonus: None }).0
}

impl Pays {
    /// What a fold brings: the Ante is lost (3.9.1).
    pub const FOLD: i64 = -1;

    /// What a book pays. Refused where Turn or River are not paid even money.
    pub fn new(book: &Rulebook, rules: &HoldemRules) -> Result<Pays, LabError> {
        for (key, odds) in [("holdem.turn", rules.turn), ("holdem.river", rules.river)] {
            if odds != Odds::To(1) {
                let reason = format!("{odds}: the counts hold decisions on a wager paid 1 to 1 and no other");
                return not_counted(book, key, reason);
            }
        }
        let of = |area| {
            let times = if area == PlayingArea::Ante { None } else { book.multiple_of_ante(area) };
            AreaPays::new(rules, area, times.unwrap_or(1).into())
        };
        let is_paid =
            |order| matches!(outcome(rules, PlayingArea::Ante, Ordering::Greater, order), Outcome::Paid(_));
        Ok(Pays {
            ante: of(PlayingArea::Ante),
            flop: of(PlayingArea::Flop),
            turn: of(PlayingArea::Turn),
            river: of(PlayingArea::River),
            ante_is_paid: HandOrder::ALL.map(is_paid),
        })
    }

    fn sum(&self, turn: bool, river: bool, of: impl Fn(&AreaPays) -> i64) -> i64 {
        let later = i64::from(turn) * of(&self.turn) + i64::from(river) * of(&self.river);
        of(&self.ante) + of(&self.flop) + later
    }

    /// What a win brings, with a Turn and a River wager or without.
    pub fn win(&self, order: HandOrder, turn: bool, river: bool) -> i64 {
        self.sum(turn, river, |area| area.win[order as usize])
    }

    /// What equal hands bring.
    pub fn stand_off(&self, turn: bool, river: bool) -> i64 {
        self.sum(turn, river, |area| area.stand_off)
    }

    /// What a loss brings: a negative number.
    pub fn lose(&self, turn: bool, river: bool) -> i64 {
        self.sum(turn, river, |area| area.lose)
    }

    /// What is wagered on a hand that is not folded.
    pub fn stake(&self, turn: bool, river: bool) -> i64 {
        self.sum(turn, river, |area| area.wager)
    }

    /// The orders of hand with which a won Ante is paid, as bits, where Ante and Flop wager are paid even money.
    pub(crate) fn ante_paid_even(&self) -> Option<u16> {
        let ante = |order: usize| self.ante.win[order] == i64::from(self.ante_is_paid[order]);
        let flop = |order: usize| self.flop.win[order] == self.flop.wager;
        let even = (0..10).all(|order| ante(order) && flop(order));
        let others =
            [self.ante.stand_off, self.flop.stand_off, self.ante.lose + 1, self.flop.lose + self.flop.wager];
        let paid = self.ante_is_paid.iter().rev().fold(0, |bits, &is_paid| bits << 1 | u16::from(is_paid));
        (even && others == [0; 4]).then_some(paid)
    }

    /// Whether a won Ante is paid with a hand of this order.
    pub(crate) const fn ante_is_paid(&self, order: HandOrder) -> bool {
        self.ante_is_paid[order as usize]
    }

    /// The Flop wager, in Antes.
    pub const fn flop_wager(&self) -> i64 {
        self.flop.wager
    }

    /// The Turn wager, in Antes.
    pub const fn turn_wager(&self) -> i64 {
        self.turn.wager
    }

    /// The River wager, in Antes.
    pub const fn river_wager(&self) -> i64 {
        self.river.wager
    }

    /// Of the deals that are won, those in which the Ante is paid.
    pub fn won_with_ante(&self, deals: &Deals) -> u64 {
        let paid = HandOrder::ALL.into_iter().filter(|&order| self.ante_is_paid[order as usize]);
        paid.map(|order| deals.won_with(order)).sum()
    }

    /// What wins in which the Ante is paid bring, and other wins.
    pub fn win_with_ante_or_without(&self, turn: bool, river: bool) -> [i64; 2] {
        [true, false].map(|paid| {
            let order = HandOrder::ALL.into_iter().find(|&order| self.ante_is_paid[order as usize] == paid);
            order.map_or(0, |order| self.win(order, turn, river))
        })
    }

    /// What some deals bring together.
    pub fn total(&self, deals: &Deals, turn: bool, river: bool) -> i128 {
        let times = |deals: u64, net: i64| i128::from(deals) * i128::from(net);
        let orders = HandOrder::ALL.into_iter();
        let won: i128 = orders.map(|order| times(deals.won_with(order), self.win(order, turn, river))).sum();
        won + times(deals.ties, self.stand_off(turn, river)) + times(deals.losses, self.lose(turn, river))
    }
}
