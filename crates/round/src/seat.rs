//! A position in a round: who plays it, what lies on it, what became of it.

use cards::Card;
use money::Money;
use rulebook::{Means, PlayingArea, Position, Rule};

use crate::command::{Decision, PlayerId};

/// Why an amount that was checked when it was placed cannot overflow later.
pub(crate) const BOUNDED: &str = "a wager is at most WAGER_CENTS_MAX, so sums and payouts of it fit";

/// One Player's part of a wager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// Whose it is.
    pub owner: PlayerId,
    /// How much.
    pub amount: Money,
    /// From a terminal or on the felt.
    pub means: Means,
    /// The rule under which it goes back, if it does.
    pub out: Option<Rule>,
    /// How many decisions the hand had taken when it went out; what was wagered after that it has no part in.
    pub(crate) out_after: usize,
}

/// Cards lying in one place, read or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pile {
    cards: [Option<Card>; 5],
    dealt: usize,
}

impl Pile {
    pub(crate) const fn dealt(&self) -> usize {
        self.dealt
    }

    /// Puts the next card down.
    pub(crate) fn put(&mut self, card: Option<Card>) {
        let place = self.cards.get_mut(self.dealt).expect("no pile of these games has more than five cards");
        *place = card;
        self.dealt = self.dealt.saturating_add(1);
    }

    pub(crate) fn card(&self, place: u8) -> Option<Card> {
        self.cards.get(usize::from(place)).copied().flatten()
    }

    pub(crate) fn read(&mut self, place: u8, card: Card) {
        let place = self.cards.get_mut(usize::from(place)).expect("decide checked that a card lies there");
        *place = Some(card);
    }

    /// The first `N` cards, where all of them have been read.
    pub(crate) fn first<const N: usize>(&self) -> Option<[Card; N]> {
        let mut cards = [Card::from_index(0)?; N];
        for (card, place) in cards.iter_mut().zip(&self.cards) {
            *card = (*place)?;
        }
        Some(cards)
    }

    /// Whether the first so many have been read.
    pub(crate) fn are_read(&self, count: usize) -> bool {
        self.cards.iter().take(count).all(Option::is_some)
    }
}

/// How a hand stands at the showdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Exposed for comparison.
    Shown,
    /// Comparison declined.
    Declined,
}

/// A position in a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seat {
    pub(crate) holder: Option<PlayerId>,
    pub(crate) ante: Vec<Share>,
    pub(crate) bonus: Vec<Share>,
    pub(crate) jackpot: Option<Share>,
    pub(crate) hand: Pile,
    pub(crate) viewed: bool,
    pub(crate) first: Option<Decision>,
    pub(crate) turn: Option<Decision>,
    pub(crate) river: Option<Decision>,
    pub(crate) shown: Option<Shown>,
    pub(crate) declined_viewed: bool,
    pub(crate) out: Option<Rule>,
    pub(crate) bonus_forfeited: Option<Rule>,
}

impl Seat {
    /// The Player at the position.
    pub fn holder(&self) -> Option<&PlayerId> {
        self.holder.as_ref()
    }

    /// The shares placed on an area, those of the wagers that follow the Ante among them.
    pub fn shares(&self, area: PlayingArea, times_ante: Option<u8>) -> Vec<Share> {
        let following = |decision: Option<Decision>| {
            let times = times_ante.filter(|_| decision == Some(Decision::Wager));
            times.map_or_else(Vec::new, |times| self.following(area, times))
        };
        match area {
            PlayingArea::Ante => self.ante.clone(),
            PlayingArea::Bonus => self.bonus.clone(),
            PlayingArea::Jackpot => self.jackpot.iter().cloned().collect(),
            PlayingArea::Flop | PlayingArea::Bet => following(self.first),
            PlayingArea::Turn => following(self.turn),
            PlayingArea::River => following(self.river),
        }
    }

    /// Whether there is a wager on an area.
    pub fn has(&self, area: PlayingArea) -> bool {
        match area {
            PlayingArea::Ante => !self.ante.is_empty(),
            PlayingArea::Bonus => !self.bonus.is_empty(),
            PlayingArea::Jackpot => self.jackpot.is_some(),
            PlayingArea::Flop | PlayingArea::Bet => self.first == Some(Decision::Wager),
            PlayingArea::Turn => self.turn == Some(Decision::Wager),
            PlayingArea::River => self.river == Some(Decision::Wager),
        }
    }

    /// Each participant's wager follows their own Ante (3.4), of those who were still in when it was decided on.
    fn following(&self, area: PlayingArea, times: u8) -> Vec<Share> {
        let follow = |share: &Share| {
            let amount = share.amount.times(times.into()).expect(BOUNDED);
            Share { amount, ..share.clone() }
        };
        let place = match area {
            PlayingArea::Ante | PlayingArea::Bonus | PlayingArea::Jackpot => 0,
            PlayingArea::Flop | PlayingArea::Bet => 1,
            PlayingArea::Turn => 2,
            PlayingArea::River => 3,
        };
        let was_in = |share: &&Share| share.out.is_none() || place <= share.out_after;
        self.ante.iter().filter(was_in).map(follow).collect()
    }

    /// How many decisions the hand has taken.
    pub(crate) fn decisions(&self) -> usize {
        [self.first, self.turn, self.river].iter().flatten().count()
    }

    /// Every wager placed here before the close.
    pub(crate) fn wagers(&self) -> impl Iterator<Item = &Share> {
        self.ante.iter().chain(&self.bonus).chain(&self.jackpot)
    }

    /// Whether any wager lies here.
    pub fn has_wagers(&self) -> bool {
        !self.ante.is_empty() || !self.bonus.is_empty() || self.jackpot.is_some()
    }

    /// Whether a hand is dealt here: a position with an Ante.
    pub fn is_dealt_in(&self) -> bool {
        !self.ante.is_empty()
    }

    /// Whether the hand is still in the round and has not folded.
    pub fn is_active(&self) -> bool {
        self.is_dealt_in() && self.out.is_none() && self.first != Some(Decision::Fold)
    }

    /// Whether the hand was viewed.
    pub const fn is_viewed(&self) -> bool {
        self.viewed
    }

    /// Whether the hand folded.
    pub fn has_folded(&self) -> bool {
        self.first == Some(Decision::Fold)
    }

    /// Whether comparison was declined.
    pub fn has_declined(&self) -> bool {
        self.shown == Some(Shown::Declined)
    }

    /// Whether the hand was exposed for comparison.
    pub fn is_shown(&self) -> bool {
        self.shown == Some(Shown::Shown)
    }

    /// The rule under which the hand is out, if it is.
    pub const fn out(&self) -> Option<Rule> {
        self.out
    }

    /// The cards of the hand, unread ones as `None`.
    pub fn cards(&self) -> impl Iterator<Item = Option<Card>> {
        self.hand.cards.into_iter().take(self.hand.dealt)
    }

    /// Whether the Jackpot wager still stands: not returned with the hand, and not without an Ante.
    pub(crate) fn jackpot_stands(&self) -> bool {
        self.out.is_none() && self.jackpot.as_ref().is_some_and(|wager| wager.out.is_none())
    }

    /// The decision taken on an area.
    pub(crate) fn decision(&self, area: PlayingArea) -> Option<Decision> {
        match area {
            PlayingArea::Flop | PlayingArea::Bet => self.first,
            PlayingArea::Turn => self.turn,
            PlayingArea::River => self.river,
            PlayingArea::Ante | PlayingArea::Bonus | PlayingArea::Jackpot => None,
        }
    }
}

/// The place of a position in a list that starts with the first.
pub(crate) fn index(position: Position) -> usize {
    usize::from(position.0).saturating_sub(1)
}
