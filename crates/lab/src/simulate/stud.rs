//! Stud at the table: decisions looked up, hands settled by the settlement of the tables.

use cards::{Card, HandRank};
use money::Money;
use round::{StudHand, stud_outcomes};
use rulebook::{PlayingArea, Rulebook, StudRules};

use super::dealing::{Dealt, Plan};
use super::setup::{BOUNDED, Setup};
use super::table::{JackpotCards, Played, Table, net_cents};
use crate::stud::{Class, Counts, Pattern};

/// Ranks of up cards.
const RANKS: usize = 13;
/// What a fold, and a Bet whatever the suits, are written as.
const FOLD: u16 = 0;
const BET: u16 = 1;

/// A strategy by hand and up card.
///
/// A decision depends on the value of the hand, the rank of the up card, and sometimes on which of the hand's ranks
/// are in the up card's suit. For each value and rank a number says fold, Bet, or which set of sets of ranks bets.
pub(super) struct Decisions {
    by_hand: Vec<u16>,
    /// Bit `s` for the set `s` of the hand's ranks, counted from its lowest.
    sets: Vec<u32>,
}

impl Decisions {
    /// Bets where `bets` says so.
    pub(super) fn new(counts: &Counts, bets: impl Fn(Pattern, &Class) -> bool) -> Decisions {
        let mut by_hand = vec![FOLD; usize::from(HandRank::COUNT) * RANKS];
        let mut sets: Vec<u32> = Vec::new();
        for ((pattern, classes), row) in counts.patterns().zip(by_hand.chunks_mut(RANKS)) {
            for classes in classes.chunk_by(|one, next| one.up == next.up) {
                let betting = classes.iter().filter(|class| bets(pattern, class));
                let set =
                    betting.clone().fold(0, |set, class| set | 1 << place_of(class.suited, pattern.ranks()));
                row[usize::from(classes[0].up)] = match betting.count() {
                    0 => FOLD,
                    all if all == classes.len() => BET,
                    _ => {
                        sets.push(set);
                        u16::try_from(sets.len()).expect("few decisions depend on suits") + BET
                    }
                };
            }
        }
        Decisions { by_hand, sets }
    }

    /// Whether to Bet.
    #[inline]
    pub(super) fn bets(&self, hand: [Card; 5], up: Card) -> bool {
        let value = usize::from(HandRank::best_of(&hand).value());
        match self.by_hand[(value - 1) * RANKS + up.rank() as usize] {
            FOLD => false,
            BET => true,
            set => self.sets[usize::from(set - BET) - 1] >> suited_place(hand, up) & 1 == 1,
        }
    }
}

/// Which set of the hand's ranks is in the suit of the up card.
fn suited_place(hand: [Card; 5], up: Card) -> u32 {
    let (mut suited, mut ranks) = (0_u16, 0_u16);
    for card in hand {
        let bit = 1 << card.rank() as u16;
        ranks |= bit;
        suited |= if card.suit() == up.suit() { bit } else { 0 };
    }
    place_of(suited, ranks)
}

/// A set of ranks as a number, one bit for each of `ranks` from the lowest.
fn place_of(set: u16, ranks: u16) -> u32 {
    let mut place = 0;
    for (bit, rank) in (0..RANKS).filter(|rank| ranks >> rank & 1 == 1).enumerate() {
        place |= u32::from(set >> rank & 1) << bit;
    }
    place
}

/// Ends of a round as numbers; a win has ten more, by the order of the hand.
pub(super) const NO_HAND: u8 = 1;
pub(super) const STAND_OFF: u8 = 2;
pub(super) const LOSE: u8 = 3;
pub(super) const WIN: u8 = 4;

/// A stud table.
pub(super) struct StudTable<'a> {
    rules: &'a StudRules,
    plan: Plan<5, 0>,
    decisions: Decisions,
    ante: Money,
    bet: Money,
}

impl<'a> StudTable<'a> {
    pub(super) fn new(setup: &'a Setup, rules: &'a StudRules, decisions: Decisions) -> StudTable<'a> {
        StudTable {
            rules,
            plan: Plan::new(&setup.book, setup.players),
            decisions,
            ante: setup.ante,
            bet: times_ante(&setup.book, PlayingArea::Bet, setup.ante),
        }
    }
}

/// What a wager that follows the Ante comes to.
pub(super) fn times_ante(book: &Rulebook, area: PlayingArea, ante: Money) -> Money {
    let times = book.multiple_of_ante(area).unwrap_or(1);
    ante.times(times.into()).expect(BOUNDED)
}

impl Table for StudTable<'_> {
    fn cards(&self) -> usize {
        self.plan.cards
    }

    #[inline]
    fn play(&self, dealt: &Dealt, position: usize) -> Played {
        let hand = dealt.at(&self.plan.players[position]);
        let dealer = dealt.at(&self.plan.dealer);
        // The dealer's last card is the one exposed (3.7, 3.8).
        if !self.decisions.bets(hand, dealer[4]) {
            return Played::folded(self.ante, Money::ZERO);
        }
        let compared = StudHand::new(self.rules, hand, dealer);
        let net = |area, wager| net_cents(stud_outcomes(self.rules, area, compared).0, wager);
        let end = match compared.against_dealer {
            _ if !compared.dealer_has_hand => NO_HAND,
            std::cmp::Ordering::Greater => WIN + compared.order as u8,
            std::cmp::Ordering::Equal => STAND_OFF,
            std::cmp::Ordering::Less => LOSE,
        };
        let base = net(PlayingArea::Ante, self.ante) + net(PlayingArea::Bet, self.bet);
        Played { end, base, bonus: 0, bonus_paid: None }
    }

    fn jackpot_cards(&self, dealt: &Dealt, position: usize) -> JackpotCards {
        JackpotCards::new(&dealt.at(&self.plan.players[position]), &[])
    }
}
