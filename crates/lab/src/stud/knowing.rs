//! The value of Bet and fold when more is known than the up card: more of the Dealer's cards, and cards that are elsewhere.

use cards::{Card, CardSet, HandRank};
use rulebook::StudRules;

use super::count::Pattern;
use super::{Pays, qualifier};
use crate::advice::{Advice, AdviceError, Ahead, Part, Situation};
use crate::exact::{Action, Fraction};
use crate::game::Case;

/// How the hands that the Dealer can still make compare: no hand, lower, equal, higher. `known` are the Dealer's cards that
/// are known, `left` all that the others may be.
pub(crate) fn dealer_hands(own: HandRank, qualifier: HandRank, known: &[Card], left: &[Card]) -> [u32; 4] {
    let mut hands = [0; 4];
    deal(known.iter().copied().collect(), 5 - known.len(), left, &mut |dealer| {
        let dealer = HandRank::of_set(dealer);
        let outcome = if dealer < qualifier {
            0
        } else {
            match dealer.cmp(&own) {
                std::cmp::Ordering::Less => 1,
                std::cmp::Ordering::Equal => 2,
                std::cmp::Ordering::Greater => 3,
            }
        };
        hands[outcome] += 1;
    });
    hands
}

/// Calls `take` with `hand` and every set of `more` cards out of `left`.
fn deal(hand: CardSet, more: usize, left: &[Card], take: &mut impl FnMut(CardSet)) {
    if more == 0 {
        take(hand);
        return;
    }
    for (place, &card) in left.iter().enumerate() {
        let mut longer = hand;
        longer.insert(card);
        deal(longer, more - 1, &left[place + 1..], take);
    }
}

/// The rank of hands of a pattern.
pub(super) fn rank_of(pattern: Pattern) -> HandRank {
    let below = Pattern::all().iter().take_while(|&&other| other < pattern).count();
    let value = u16::try_from(below + 1).ok();
    value.and_then(HandRank::from_value).expect("there are as many ranks as patterns")
}

/// The advice with the Dealer's known cards in the situation and `dead` cards elsewhere.
pub(super) fn advise(
    case: Case<'_>,
    rules: &StudRules,
    situation: &Situation,
    dead: &[Card],
) -> Result<Advice, AdviceError> {
    let known = &situation.dealer;
    if !(1..=5).contains(&known.len()) {
        let reason = format!("1 to 5 cards of the Dealer are known, not {}", known.len());
        return Err(Part::Dealer.is_wrong(reason));
    }
    if !situation.community.is_empty() {
        return Err(Part::Community.is_wrong("stud has no community cards"));
    }
    if situation.own.len() != 5 {
        return Err(Part::Own.is_wrong(format!("a stud hand has 5 cards, not {}", situation.own.len())));
    }
    let seen: CardSet = situation.own.iter().chain(known).chain(dead).copied().collect();
    let left: Vec<Card> = CardSet::FULL.difference(seen).iter().collect();
    if left.len() + known.len() < 5 {
        return Err(Part::Dealer.is_wrong("too few cards are left for the Dealer"));
    }
    let pays = Pays::new(case.book, rules)?;
    let own = HandRank::best_of(&situation.own);
    let hands = dealer_hands(own, rank_of(qualifier(rules)), known, &left);
    let [no_hand, win, stand_off, lose] = hands.map(u64::from);
    let all = no_hand + win + stand_off + lose;
    let values = [pays.bet_total(own.order(), hands), Pays::FOLD * all.cast_signed()];
    let values = values.map(|net| Fraction::new(i128::from(net), all));
    let ahead = Ahead { no_hand: Some(no_hand), win_with_ante: None, win, stand_off, lose, all };
    let hand = format!("{}, {}", own.order(), Pattern::of(own));
    let advice = Advice::new("Bet", hand, [Action::Bet, Action::Fold], values, None, ahead);
    Ok(advice.with_silence(case.book))
}
