//! Stud: one decision with the Dealer's last card face up, and a Dealer who may have no hand (MSSP9 3.9 to 3.10.4,
//! 4.1).

use std::cmp::Ordering;

use cards::{Card, HandOrder, HandRank, Rank};
use rulebook::{
    DeclinedNoHand, PlayingArea, R3_10_1, R3_10_2_1, R3_10_2_2, R3_10_2_3, R3_10_3_1, R3_10_3_2, R3_10_3_3,
    R3_10_4, R4_1_1, R4_1_2, Rule, StudRules,
};

use super::{Judgements, Play, Showdown, Step, Turned, judged};
use crate::settlement::{Judgement, Outcome};

/// The Dealer's last card is turned before any Player decides.
const STEPS: &[Step] = &[Step::Turn(Turned::up_card(4..5)), Step::Decide(PlayingArea::Bet)];

impl Play for StudRules {
    fn steps(&self) -> &'static [Step] {
        STEPS
    }

    fn order(&self, hand: &[Card], _community: &[Card]) -> Option<HandOrder> {
        hand.first_chunk::<5>().map(|hand| HandOrder::best_of(hand))
    }

    fn dealer_has_hand(&self, dealer: &[Card]) -> bool {
        dealer.first_chunk().is_none_or(|dealer| dealer_has_hand(self, *dealer))
    }

    fn judge(&self, showdown: Showdown<'_>) -> Judgements {
        let hand = StudHand::new(self, cards_of(showdown.hand), cards_of(showdown.dealer));
        let jackpot = if hand.dealer_has_hand { R3_10_3_3 } else { R3_10_2_3 };
        judged(&[PlayingArea::Ante, PlayingArea::Bet], jackpot, |area| compared(self, area, hand))
    }

    /// A declined hand when the Dealer has no hand (reading `declined-no-hand`).
    fn judge_declined(&self, area: PlayingArea, dealer_has_hand: bool) -> Judgement {
        match self.declined_no_hand {
            DeclinedNoHand::AntePaid if !dealer_has_hand => no_hand(self, area),
            DeclinedNoHand::AntePaid | DeclinedNoHand::Lost => Judgement::plain(Outcome::Collected, R3_10_1),
        }
    }
}

fn cards_of(cards: &[Card]) -> [Card; 5] {
    *cards.first_chunk().expect("a showdown has all cards of the game")
}

/// A hand compared with the Dealer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StudHand {
    /// Whether the Dealer has a hand.
    pub dealer_has_hand: bool,
    /// The Player's hand against the Dealer's.
    pub against_dealer: Ordering,
    /// The Player's order of hand.
    pub order: HandOrder,
}

impl StudHand {
    /// Compares five cards with five.
    #[inline]
    pub fn new(rules: &StudRules, hand: [Card; 5], dealer: [Card; 5]) -> StudHand {
        let player = HandRank::best_of(&hand);
        StudHand {
            dealer_has_hand: dealer_has_hand(rules, dealer),
            against_dealer: player.cmp(&HandRank::best_of(&dealer)),
            order: player.order(),
        }
    }
}

/// Whether the Dealer's cards are at least an Ace and a King (3.10.2), or what else the book asks for: two ranks or a
/// higher hand, a pair where both are the same.
#[inline]
pub fn dealer_has_hand(rules: &StudRules, dealer: [Card; 5]) -> bool {
    let [high, low] = rules.dealer_needs;
    let mut ranks = dealer.map(Card::rank);
    match HandOrder::best_of(&dealer) {
        HandOrder::FiveOddCards => {
            ranks.sort_unstable_by_key(|rank| std::cmp::Reverse(*rank));
            low < high && [high, low] <= [ranks[0], ranks[1]]
        }
        HandOrder::OnePair => {
            let is_pair = |rank: &Rank| 1 < ranks.iter().filter(|other| *other == rank).count();
            low < high || ranks.iter().any(|rank| high <= *rank && is_pair(rank))
        }
        HandOrder::TwoPairs
        | HandOrder::ThreeOfAKind
        | HandOrder::Straight
        | HandOrder::Flush
        | HandOrder::FullHouse
        | HandOrder::FourOfAKind
        | HandOrder::StraightFlush
        | HandOrder::RoyalFlush => true,
    }
}

/// The outcome of a wager when hands are compared, and its rule.
#[inline]
pub fn stud_outcomes(rules: &StudRules, area: PlayingArea, hand: StudHand) -> (Outcome, Rule) {
    let judgement = compared(rules, area, hand);
    (judgement.outcome, judgement.rule)
}

#[inline]
fn compared(rules: &StudRules, area: PlayingArea, hand: StudHand) -> Judgement {
    let (odds, odds_rule) = match area {
        PlayingArea::Ante => (rules.ante, R4_1_1),
        PlayingArea::Bet => (rules.bet.odds(hand.order), R4_1_2),
        PlayingArea::Bonus
        | PlayingArea::Flop
        | PlayingArea::Turn
        | PlayingArea::River
        | PlayingArea::Jackpot => {
            panic!("{area} is not settled by comparing stud hands")
        }
    };
    if !hand.dealer_has_hand {
        return no_hand(rules, area);
    }
    match hand.against_dealer {
        Ordering::Greater => {
            Judgement { outcome: Outcome::Paid(odds), rule: R3_10_3_1, odds_rule: Some(odds_rule) }
        }
        Ordering::Less => Judgement::plain(Outcome::Collected, R3_10_3_2),
        Ordering::Equal => Judgement::plain(Outcome::StandOff, R3_10_4),
    }
}

/// "No hand": Bets are returned, Antes are paid.
fn no_hand(rules: &StudRules, area: PlayingArea) -> Judgement {
    if area == PlayingArea::Bet {
        return Judgement::plain(Outcome::Returned, R3_10_2_1);
    }
    Judgement { outcome: Outcome::Paid(rules.ante), rule: R3_10_2_2, odds_rule: Some(R4_1_1) }
}
