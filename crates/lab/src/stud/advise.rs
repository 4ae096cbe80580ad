//! The exact value of Bet and fold with one hand against one up card.

use cards::{Card, CardSet, HandOrder, HandRank, Rank};
use rulebook::StudRules;

use super::count::{Class, Counter, DEALER_HANDS, Line, Pattern};
use super::{Pays, qualifier};
use crate::advice::{Advice, AdviceError, Ahead, Part, Situation};
use crate::exact::{Action, Fraction};
use crate::game::Case;

/// The one decision of a round: the whole hand against the card the dealer has exposed.
pub(super) fn situation_at(earlier: &[Action], now: &Situation) -> Option<Situation> {
    let up = *now.dealer.last().filter(|_| earlier.is_empty())?;
    Some(Situation { dealer: vec![up], ..Situation::of(&now.own) })
}

pub(super) fn advise(
    case: Case<'_>,
    rules: &StudRules,
    situation: &Situation,
) -> Result<Advice, AdviceError> {
    let [up] = situation.dealer[..] else {
        return Err(Part::Dealer.is_wrong("stud needs the Dealer's one up card"));
    };
    if !situation.community.is_empty() {
        return Err(Part::Community.is_wrong("stud has no community cards"));
    }
    if situation.own.len() != 5 {
        return Err(Part::Own.is_wrong(format!("a stud hand has 5 cards, not {}", situation.own.len())));
    }
    let pays = Pays::new(case.book, rules)?;
    let (pattern, against) = class_of(situation.own.iter().copied().collect(), up, qualifier(rules));
    let values = [pays.bet(pattern, &against), pays.fold()];
    let ahead = Ahead {
        no_hand: Some(against.no_hand.into()),
        win_with_ante: None,
        win: against.win.into(),
        stand_off: against.stand_off.into(),
        lose: against.lose().into(),
        all: DEALER_HANDS.into(),
    };
    let hand = format!("{}, {pattern}", pattern.order());
    let values = values.map(|net| Fraction::new(i128::from(net), DEALER_HANDS));
    let advice = Advice::new("Bet", hand, [Action::Bet, Action::Fold], values, None, ahead);
    Ok(advice.with_silence(case.book))
}

/// A pair or better, or Ace and King.
pub(super) fn casual_player_wagers(situation: &Situation) -> Option<bool> {
    let hand: [Card; 5] = situation.own.as_slice().try_into().ok()?;
    let has = |rank: Rank| hand.iter().any(|card| card.rank() == rank);
    let order = HandRank::best_of(&hand).order();
    Some(HandOrder::FiveOddCards < order || has(Rank::Ace) && has(Rank::King))
}

/// The pattern of a hand, and how the dealer's 163,185 hands that go with an up card compare with it.
pub(super) fn class_of(hand: CardSet, up: Card, qualifier: Pattern) -> (Pattern, Class) {
    let pattern = Pattern::of(HandRank::of_set(hand));
    let suited = hand
        .iter()
        .filter(|card| card.suit() == up.suit())
        .fold(0, |set, card| set | 1 << card.rank() as u16);
    let (line, qualifying) = (Line::at(pattern), Line::at(qualifier));
    let counter = Counter::new(&line, &qualifying).with_up(up.rank() as usize);
    (pattern, counter.expect("a hand of five different cards leaves its up card").class(suited, 1))
}
