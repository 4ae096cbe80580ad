//! The one decision of stud, and what a hidden card of the Dealer changed in it.
#![expect(clippy::cast_precision_loss, reason = "sums over the Dealer's hands are far below 2 to the 52nd")]

use cards::Hand as Cards;
use cards::{Card, CardSet, HandRank};
use rulebook::StudRules;

use super::knowing::rank_of;
use super::{Outcome, Pays, qualifier};
use crate::advice::{AdviceError, Part, Situation};
use crate::game::Case;
use crate::honest::{Hand, Hidden, HiddenCase, Judged, JudgedChoice, Kind};

/// What the Dealer's hands come to against one hand.
struct Met {
    /// What the Bet brings by a hidden card, by index, and over how many hands each.
    by_card: [i64; 52],
    hands_with: i64,
    /// The Dealer's hands without a hand, lower, equal and higher.
    outcomes: [i64; 4],
}

const OUTCOMES: [Outcome; 4] = [Outcome::NoHand, Outcome::Win, Outcome::StandOff, Outcome::Lose];

/// The terms on which a hand meets the Dealer's.
struct Terms {
    own: HandRank,
    qualifier: HandRank,
    /// What the Bet brings by outcome, in Antes.
    values: [i64; 4],
}

impl Terms {
    fn new(case: Case<'_>, rules: &StudRules, own: &[Card]) -> Result<Terms, AdviceError> {
        if own.len() != 5 {
            return Err(Part::Own.is_wrong(format!("a stud hand has 5 cards, not {}", own.len())));
        }
        let pays = Pays::new(case.book, rules)?;
        let own = HandRank::best_of(own);
        let values = OUTCOMES.map(|outcome| pays.of(own.order(), outcome));
        Ok(Terms { own, qualifier: rank_of(qualifier(rules)), values })
    }

    fn outcome(&self, dealer: HandRank) -> usize {
        if dealer < self.qualifier {
            return 0;
        }
        match dealer.cmp(&self.own) {
            std::cmp::Ordering::Less => 1,
            std::cmp::Ordering::Equal => 2,
            std::cmp::Ordering::Greater => 3,
        }
    }

    /// All hands of the Dealer with this up card and four of the cards that are left.
    fn met(&self, up: Card, left: &[Card]) -> Met {
        let mut met = Met { by_card: [0; 52], hands_with: 0, outcomes: [0; 4] };
        let mut sums = [0_i64; 52];
        let one = Cards::EMPTY.with(up);
        for (d, &fourth) in left.iter().enumerate() {
            let two = one.with(fourth);
            let mut of_fourth = 0;
            for (c, &third) in left[..d].iter().enumerate() {
                let three = two.with(third);
                let mut of_third = 0;
                for (b, &second) in left[..c].iter().enumerate() {
                    let four = three.with(second);
                    let mut of_second = 0;
                    for (sum, &first) in sums.iter_mut().zip(&left[..b]) {
                        let outcome = self.outcome(four.with(first).rank());
                        met.outcomes[outcome] += 1;
                        *sum += self.values[outcome];
                        of_second += self.values[outcome];
                    }
                    sums[b] += of_second;
                    of_third += of_second;
                }
                sums[c] += of_third;
                of_fourth += of_third;
            }
            sums[d] += of_fourth;
        }
        left.iter().zip(sums).for_each(|(card, sum)| met.by_card[usize::from(card.index())] = sum);
        let n = i64::try_from(left.len()).expect("a deck is small");
        met.hands_with = (n - 1) * (n - 2) * (n - 3) / 6;
        met
    }
}

/// The Dealer's up card, which is the last, and the cards that the Player does not see.
fn seen(hand: &Hand<'_>) -> Option<(Card, CardSet)> {
    let up = hand.dealer.get(4).copied().flatten()?;
    let seen: CardSet = hand.own.iter().copied().chain([up]).collect();
    Some((up, CardSet::FULL.difference(seen)))
}

pub(super) fn judge(case: Case<'_>, rules: &StudRules, hand: &Hand<'_>) -> Result<Judged, AdviceError> {
    let Some((&action, (up, unseen))) = hand.actions.first().zip(seen(hand)) else {
        return Ok(Judged::default());
    };
    let terms = Terms::new(case, rules, hand.own)?;
    let advice = super::advise::advise(case, rules, &Situation::of(hand.own).with_up_card(up))?;
    let choices = vec![JudgedChoice::first(case, &advice, action)];
    let left: Vec<Card> = unseen.iter().collect();
    let met = terms.met(up, &left);
    let fold = Pays::FOLD as f64;
    let mut hidden = Vec::new();
    for (place, card) in (0..4).zip(hand.dealer) {
        let gain = |card: Card| met.by_card[usize::from(card.index())] as f64 / met.hands_with as f64 - fold;
        let of_card =
            |card| Hidden::card(Kind::DealerCard(place), unseen, card, |card| [gain(card), 0.0, 0.0]);
        hidden.extend(card.and_then(of_card));
    }
    if let Some(dealer) = hand.dealer.iter().copied().collect::<Option<Vec<Card>>>() {
        let all = met.outcomes.iter().sum::<i64>() as f64;
        let of_outcome = |(value, hands): (i64, i64)| HiddenCase {
            weight: hands as f64 / all,
            gains: [value as f64 - fold, 0.0, 0.0],
        };
        let cases = terms.values.into_iter().zip(met.outcomes).map(of_outcome).collect();
        let actual = terms.outcome(HandRank::best_of(&dealer));
        hidden.push(Hidden { kind: Kind::Outcome, cases, actual });
    }
    Ok(Judged { choices, hidden })
}

pub(super) fn gains_without(
    case: Case<'_>,
    rules: &StudRules,
    hand: &Hand<'_>,
    elsewhere: &[Card],
) -> Result<[f64; 3], AdviceError> {
    let terms = Terms::new(case, rules, hand.own)?;
    let (up, unseen) = seen(hand).ok_or_else(|| Part::Dealer.is_wrong("the up card is not known"))?;
    let left: Vec<Card> = unseen.iter().filter(|card| !elsewhere.contains(card)).collect();
    let met = terms.met(up, &left);
    let all = met.outcomes.iter().sum::<i64>();
    let brought: i64 = terms.values.iter().zip(met.outcomes).map(|(value, hands)| value * hands).sum();
    Ok([brought as f64 / all as f64 - Pays::FOLD as f64, 0.0, 0.0])
}
