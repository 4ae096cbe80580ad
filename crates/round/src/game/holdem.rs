//! Hold'em: decisions before flop, turn and river, the best five of seven (MTHB9 3.9, 3.10.2 to 3.10.4, 4.1.1).

use std::cmp::Ordering;

use cards::{Card, HandOrder, HandRank};
use money::Odds;
use rulebook::{
    AbsentBonus, BonusFollows, HoldemRules, HoleClass, PlayingArea, R3_10_2, R3_10_3, R3_10_4, R4_1_1, R4_2,
    Rule,
};

use super::{Judgements, Play, Showdown, Step, Turned, judged};
use crate::event::Exposure;
use crate::settlement::{Judgement, Outcome};

/// When all Players are out, only the cards that Jackpot wagers need are turned.
const STEPS: &[Step] = &[
    Step::Decide(PlayingArea::Flop),
    Step::Turn(Turned::community(Exposure::FlopCards, 0..3)),
    Step::Decide(PlayingArea::Turn),
    Step::Turn(Turned::community(Exposure::TurnCard, 3..4)),
    Step::Decide(PlayingArea::River),
    Step::Turn(Turned::community(Exposure::RiverCard, 4..5)),
];

/// The areas that a comparison settles.
const COMPARED: [PlayingArea; 5] =
    [PlayingArea::Ante, PlayingArea::Bonus, PlayingArea::Flop, PlayingArea::Turn, PlayingArea::River];

impl Play for HoldemRules {
    fn steps(&self) -> &'static [Step] {
        STEPS
    }

    fn order(&self, hand: &[Card], community: &[Card]) -> Option<HandOrder> {
        let (hole, board) = (hand.first_chunk()?, community.first_chunk()?);
        Some(best_of_seven(*hole, *board).order())
    }

    fn judge(&self, showdown: Showdown<'_>) -> Judgements {
        let hand = HoldemHand::new(
            self,
            cards_of(showdown.hand),
            cards_of(showdown.dealer),
            cards_of(showdown.community),
        );
        judged(&COMPARED, R4_2, |area| compared(self, area, &hand))
    }

    fn bonus_cards(&self, hand: &[Card]) -> Option<String> {
        hand.first_chunk().map(|hole| HoleClass::of(*hole).in_words())
    }

    fn absent_loses_bonus(&self) -> bool {
        self.absent_bonus == AbsentBonus::Collected
    }
}

fn cards_of<const N: usize>(cards: &[Card]) -> [Card; N] {
    *cards.first_chunk().expect("a showdown has all cards of the game")
}

/// A hand compared with the Dealer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HoldemHand {
    /// The Player's hand against the Dealer's.
    pub against_dealer: Ordering,
    /// The Player's order of hand.
    pub order: HandOrder,
    /// What the Bonus table pays for the hole cards, if anything.
    pub bonus: Option<Odds>,
}

impl HoldemHand {
    /// Compares the best five of seven.
    pub fn new(rules: &HoldemRules, hole: [Card; 2], dealer: [Card; 2], community: [Card; 5]) -> HoldemHand {
        let player = best_of_seven(hole, community);
        let dealers = best_of_seven(dealer, community);
        let bonus = rules.bonus.iter().find(|line| line.pays_for(hole, dealer)).map(|line| line.pays);
        HoldemHand { against_dealer: player.cmp(&dealers), order: player.order(), bonus }
    }
}

/// The best five of two hole cards and the community cards (3.10).
fn best_of_seven(hole: [Card; 2], community: [Card; 5]) -> HandRank {
    let mut cards = [hole[0]; 7];
    cards[1] = hole[1];
    cards[2..].copy_from_slice(&community);
    HandRank::best_of(&cards)
}

/// The outcome of a wager when hands are compared, and its rule.
pub fn holdem_outcomes(rules: &HoldemRules, area: PlayingArea, hand: &HoldemHand) -> (Outcome, Rule) {
    let judgement = compared(rules, area, hand);
    (judgement.outcome, judgement.rule)
}

fn compared(rules: &HoldemRules, area: PlayingArea, hand: &HoldemHand) -> Judgement {
    match area {
        PlayingArea::Ante => ante(rules, hand),
        PlayingArea::Bonus => bonus(rules, hand),
        PlayingArea::Flop => judge_by_hand(rules.flop, hand),
        PlayingArea::Turn => judge_by_hand(rules.turn, hand),
        PlayingArea::River => judge_by_hand(rules.river, hand),
        PlayingArea::Bet | PlayingArea::Jackpot => panic!("{area} is not settled by comparing hold'em hands"),
    }
}

fn ante(rules: &HoldemRules, hand: &HoldemHand) -> Judgement {
    match hand.against_dealer {
        Ordering::Greater if hand.order < rules.ante_pays_from => {
            Judgement::plain(Outcome::StandOff, R3_10_2)
        }
        Ordering::Greater => won(rules.ante),
        Ordering::Less => Judgement::plain(Outcome::Collected, R3_10_3),
        Ordering::Equal => Judgement::plain(Outcome::StandOff, R3_10_4),
    }
}

fn judge_by_hand(odds: Odds, hand: &HoldemHand) -> Judgement {
    match hand.against_dealer {
        Ordering::Greater => won(odds),
        Ordering::Less => Judgement::plain(Outcome::Collected, R3_10_3),
        Ordering::Equal => Judgement::plain(Outcome::StandOff, R3_10_4),
    }
}

fn won(odds: Odds) -> Judgement {
    Judgement { outcome: Outcome::Paid(odds), rule: R3_10_2, odds_rule: Some(R4_1_1) }
}

fn bonus(rules: &HoldemRules, hand: &HoldemHand) -> Judgement {
    let lost_with_hand = match rules.bonus_follows {
        BonusFollows::HoleCards => false,
        BonusFollows::Showdown => hand.against_dealer == Ordering::Less,
    };
    match hand.bonus {
        _ if lost_with_hand => Judgement::plain(Outcome::Collected, R3_10_3),
        Some(odds) => Judgement { outcome: Outcome::Paid(odds), rule: R4_1_1, odds_rule: Some(R4_1_1) },
        None => Judgement::plain(Outcome::Collected, R4_1_1),
    }
}
