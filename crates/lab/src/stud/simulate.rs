//! Stud simulated: decisions looked up, hands settled by the settlement of the tables.

use std::cmp::Ordering;

use cards::{Card, HandOrder, HandRank};
use money::Money;
use round::{StudHand, stud_outcomes};
use rulebook::{PlayingArea, StudRules};

use super::count::{Class, Counts, Outcome, Pattern};
use super::exact::{base, ending};
use super::{Pays, Rule, qualifier};
use crate::exact::OutcomeRow;
use crate::game::Lab;
use crate::simulate::dealing::{Dealt, Plan};
use crate::simulate::table::{FOLD as FOLDED, JackpotCards, PlayedHand, Table, net_cents, times_ante};
use crate::simulate::{Expected, Played, Setup, SetupError, Strategy, play_all};

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
const NO_HAND: u8 = 1;
const STAND_OFF: u8 = 2;
const LOSE: u8 = 3;
const WIN: u8 = 4;

/// All ends.
const ENDS: usize = 14;

struct StudTable<'a> {
    rules: &'a StudRules,
    plan: Plan<5, 0>,
    decisions: Decisions,
    /// By the end.
    kinds: [PlayedHand; ENDS],
}

impl<'a> StudTable<'a> {
    fn new(setup: &'a Setup, rules: &'a StudRules, decisions: Decisions) -> StudTable<'a> {
        StudTable {
            rules,
            plan: Plan::new(&setup.book, setup.players),
            decisions,
            kinds: kinds(setup, rules),
        }
    }
}

/// The end of a hand that is compared.
#[inline]
fn end(compared: StudHand) -> u8 {
    match compared.against_dealer {
        _ if !compared.dealer_has_hand => NO_HAND,
        Ordering::Greater => WIN + compared.order as u8,
        Ordering::Equal => STAND_OFF,
        Ordering::Less => LOSE,
    }
}

/// What every end brings, as the settlement of the tables has it.
fn kinds(setup: &Setup, rules: &StudRules) -> [PlayedHand; ENDS] {
    let folded = PlayedHand::folded(setup.ante, Money::ZERO);
    let bet = times_ante(&setup.book, PlayingArea::Bet, setup.ante);
    let mut kinds = [None; ENDS];
    kinds[usize::from(FOLDED)] = Some(folded);
    for dealer_has_hand in [false, true] {
        for against_dealer in [Ordering::Less, Ordering::Equal, Ordering::Greater] {
            for order in HandOrder::ALL {
                let compared = StudHand { dealer_has_hand, against_dealer, order };
                let net = |area, wager| net_cents(stud_outcomes(rules, area, compared).0, wager);
                let (end, base) =
                    (end(compared), net(PlayingArea::Ante, setup.ante) + net(PlayingArea::Bet, bet));
                let known = kinds[usize::from(end)].get_or_insert(PlayedHand { end, base, ..folded });
                assert_eq!(known.base, base, "the end {end} is not always paid the same: {compared:?}");
            }
        }
    }
    kinds.map(|kind| kind.expect("every end is met"))
}

impl Table for StudTable<'_> {
    fn cards(&self) -> usize {
        self.plan.cards
    }

    /// Whether the Bet is made.
    type Decision = bool;

    #[inline]
    fn decide(&self, dealt: &[Dealt], position: usize, decisions: &mut [bool]) {
        for (dealt, decision) in dealt.iter().zip(decisions) {
            // The dealer's last card is the one exposed (3.7, 3.8).
            let [.., up] = dealt.at(&self.plan.dealer);
            *decision = self.decisions.bets(dealt.at(&self.plan.players[position]), up);
        }
    }

    fn kinds(&self) -> &[PlayedHand] {
        &self.kinds
    }

    #[inline]
    fn play(&self, dealt: &Dealt, position: usize, bets: bool) -> usize {
        if !bets {
            return FOLDED.into();
        }
        let hand = dealt.at(&self.plan.players[position]);
        let dealer = dealt.at(&self.plan.dealer);
        end(StudHand::new(self.rules, hand, dealer)).into()
    }

    fn jackpot_cards(&self, dealt: &Dealt, position: usize) -> JackpotCards {
        JackpotCards::new(&dealt.at(&self.plan.players[position]), &[])
    }
}

/// Plays all rounds, with the exact figures of the strategy.
pub(super) fn simulate(
    setup: &Setup,
    lab: &Lab,
    rules: &StudRules,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Played, SetupError> {
    let exact = lab.exact(&setup.book, &setup.question())?;
    let pays = Pays::new(&setup.book, rules)?;
    let stud = lab.stud(qualifier(rules));
    let bets = |pattern: Pattern, class: &Class| match setup.strategy {
        Strategy::Perfect => pays.bets(pattern, class),
        Strategy::NeverFold | Strategy::Blind => true,
        Strategy::AlwaysFold => false,
        Strategy::Rule(name) => Rule::named(name).is_some_and(|rule| rule.bets(pattern, class.up.into())),
    };
    let outcomes = stud.counts.play(bets);
    let mut ends = Vec::new();
    let mut add = |number: u8, hand: Option<HandOrder>, outcome, deals: u64| {
        let net = pays.of(hand.unwrap_or(HandOrder::FiveOddCards), outcome);
        let row = OutcomeRow { hand, turn: None, river: None, result: ending(outcome), deals, net };
        ends.push((usize::from(number), row));
    };
    add(FOLDED, None, Outcome::Fold, outcomes.total(Outcome::Fold));
    add(NO_HAND, None, Outcome::NoHand, outcomes.total(Outcome::NoHand));
    for order in HandOrder::ALL {
        add(WIN + order as u8, Some(order), Outcome::Win, outcomes.deals(order, Outcome::Win));
    }
    add(STAND_OFF, None, Outcome::StandOff, outcomes.total(Outcome::StandOff));
    add(LOSE, None, Outcome::Lose, outcomes.total(Outcome::Lose));
    let table = StudTable::new(setup, rules, Decisions::new(&stud.counts, bets));
    let expected = Expected {
        deals: exact.deals,
        ends,
        base: base(&outcomes, &pays),
        bonus: None,
        jackpot_lines: exact.jackpot.lines.iter().map(|line| line.deals).collect(),
        notes: Vec::new(),
    };
    Ok(Played { expected, tally: play_all(setup, &table, progress) })
}
