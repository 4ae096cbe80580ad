//! The parts of a round that differ between games: the steps between deal and showdown, the cards they turn, the
//! order of hands and their comparison. Everything else is the same in every game.
//!
//! Each game has a file here and one of the same name in `rulebook/src/game`. Only [`of`] knows which games there
//! are.

pub(crate) mod holdem;
pub(crate) mod stud;

use std::ops::Range;

use cards::{Card, HandOrder};
use rulebook::{ByArea, Game, PlayingArea, R3_9_2, R3_10, R3_10_1, Receiver, Rule};

use crate::event::Exposure;
use crate::settlement::{Judgement, Outcome};

/// The play of a book's game.
pub(crate) fn of(game: &Game) -> &dyn Play {
    match game {
        Game::Holdem(rules) => rules,
        Game::Stud(rules) => rules,
    }
}

/// The parts of play that differ between games.
pub(crate) trait Play {
    /// The Dealer's steps from the deal to the showdown, in order (3.9). The showdown is the same in every game.
    fn steps(&self) -> &'static [Step];

    /// The order of a hand with the community cards; `None` while cards are missing.
    fn order(&self, hand: &[Card], community: &[Card]) -> Option<HandOrder>;

    /// Whether the Dealer has a hand. If not, every Ante still in is paid, whatever the Players hold.
    fn dealer_has_hand(&self, _dealer: &[Card]) -> bool {
        true
    }

    /// The outcome of a wager on each area when hands are compared. For the Jackpot it only gives the rule under
    /// which the pay table applies.
    fn judge(&self, showdown: Showdown<'_>) -> Judgements;

    /// The outcome of a wager, except the Jackpot's, on a hand that declined comparison.
    fn judge_declined(&self, _area: PlayingArea, _dealer_has_hand: bool) -> Judgement {
        Judgement::plain(Outcome::Collected, R3_10_1)
    }

    /// The cards that decide the Bonus, in words.
    fn bonus_cards(&self, _hand: &[Card]) -> Option<String> {
        None
    }

    /// Whether an absent Player loses the Bonus (reading `absent-bonus`).
    fn absent_loses_bonus(&self) -> bool {
        false
    }
}

/// The outcome of the wager on each area of a game.
pub(crate) type Judgements = ByArea<Option<Judgement>>;

/// The cards of a comparison, all of them read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Showdown<'a> {
    pub(crate) hand: &'a [Card],
    pub(crate) dealer: &'a [Card],
    pub(crate) community: &'a [Card],
}

/// Judges the areas of a game one by one. `jackpot` is the rule under which the Jackpot pay table applies.
fn judged(areas: &[PlayingArea], jackpot: Rule, judge: impl Fn(PlayingArea) -> Judgement) -> Judgements {
    ByArea::from_fn(|area| {
        if area == PlayingArea::Jackpot {
            return Some(Judgement::plain(Outcome::Collected, jackpot));
        }
        areas.contains(&area).then(|| judge(area))
    })
}

/// A step between the deal and the showdown.
#[derive(Debug)]
pub(crate) enum Step {
    /// Every active hand decides on this area.
    Decide(PlayingArea),
    /// Cards are turned face up.
    Turn(Turned),
}

/// Cards that are turned face up at the same time.
#[derive(Clone, Debug)]
pub(crate) struct Turned {
    pub(crate) what: Exposure,
    /// Who has the cards.
    pub(crate) of: Receiver,
    /// Which of those cards, counted from zero.
    pub(crate) cards: Range<u8>,
    /// The rule for turning them; `None` for the rule on dealing.
    pub(crate) rule: Option<Rule>,
}

impl Turned {
    /// Community cards, turned after the decisions on an area.
    const fn community(what: Exposure, cards: Range<u8>) -> Turned {
        Turned { what, of: Receiver::Community, cards, rule: Some(R3_9_2) }
    }

    /// A card that the Dealer turns as part of the deal.
    const fn up_card(cards: Range<u8>) -> Turned {
        Turned { what: Exposure::UpCard, of: Receiver::Dealer, cards, rule: None }
    }

    /// The Dealer's whole hand, turned for the comparison in every game.
    pub(crate) const fn dealer_hand(cards: u8) -> Turned {
        Turned { what: Exposure::DealerHand, of: Receiver::Dealer, cards: 0..cards, rule: Some(R3_10) }
    }
}

/// The order of a hand with the community cards as its game counts it; `None` while cards are missing.
pub fn hand_order(game: &Game, hand: &[Card], community: &[Card]) -> Option<HandOrder> {
    of(game).order(hand, community)
}

/// Whether these cards are a hand for the Dealer. In some games any cards are.
pub fn is_dealer_hand(game: &Game, dealer: &[Card]) -> bool {
    of(game).dealer_has_hand(dealer)
}

/// The cards that decide the Bonus, in words, if the game has a Bonus.
pub fn bonus_cards(game: &Game, hand: &[Card]) -> Option<String> {
    of(game).bonus_cards(hand)
}
