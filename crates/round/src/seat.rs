//! A position in a round: its Player, its wagers, its hand and its decisions.

use std::borrow::Cow;

use arrayvec::ArrayVec;
use cards::Card;
use money::Money;
use rulebook::{ByArea, Means, PlayingArea, Position, Rule};

use crate::command::{Decision, PlayerId};

/// Why an amount that was checked when it was placed cannot overflow later.
pub(crate) const BOUNDED: &str = "a wager is at most WAGER_CENTS_MAX, so sums and payouts of it fit";

/// One Player's part of a wager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    pub owner: PlayerId,
    pub amount: Money,
    /// Credits from a terminal, or chips on the felt.
    pub means: Means,
    /// The rule under which it is returned, if it is.
    pub out: Option<Rule>,
    /// How many decisions the hand had made when the share went out. The share has no part in later wagers.
    pub(crate) out_after: usize,
}

/// No game deals more cards than this to one place. Lists of this size are kept off the heap: every round has one for each
/// hand, and a settlement needs three more.
pub(crate) const CARDS_MAX: usize = 8;

/// Cards lying in one place, read or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pile(ArrayVec<Option<Card>, CARDS_MAX>);

impl Pile {
    pub(crate) fn dealt(&self) -> usize {
        self.0.len()
    }

    /// Adds the next card.
    pub(crate) fn put(&mut self, card: Option<Card>) {
        self.0.push(card);
    }

    pub(crate) fn card(&self, place: u8) -> Option<Card> {
        self.0.get(usize::from(place)).copied().flatten()
    }

    pub(crate) fn read(&mut self, place: u8, card: Card) {
        let place = self.0.get_mut(usize::from(place)).expect("decide checked that a card lies there");
        *place = Some(card);
    }

    /// The cards, where all of them have been read.
    pub(crate) fn read_cards(&self) -> Option<ArrayVec<Card, CARDS_MAX>> {
        self.0.iter().copied().collect()
    }
}

/// What a hand did at the showdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Exposed for comparison.
    Shown,
    /// Comparison declined.
    Declined,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seat {
    pub(crate) holder: Option<PlayerId>,
    pub(crate) ante: Vec<Share>,
    pub(crate) bonus: Vec<Share>,
    pub(crate) jackpot: Option<Share>,
    pub(crate) hand: Pile,
    pub(crate) viewed: bool,
    /// Whether the Player touched the cards without viewing them.
    pub(crate) handled: bool,
    /// The decision on each area where one was made.
    pub(crate) decisions: ByArea<Option<Decision>>,
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

    /// The shares placed on an area. `times_ante` is the multiple for an area that follows the Ante.
    pub fn shares(&self, area: PlayingArea, times_ante: Option<u8>) -> Cow<'_, [Share]> {
        match (area, times_ante) {
            (PlayingArea::Ante, _) => self.ante.as_slice().into(),
            (PlayingArea::Bonus, _) => self.bonus.as_slice().into(),
            (PlayingArea::Jackpot, _) => self.jackpot.as_slice().into(),
            (PlayingArea::Flop | PlayingArea::Turn | PlayingArea::River | PlayingArea::Bet, times) => {
                let times = times.filter(|_| self.has(area));
                times.map_or(Cow::Borrowed(&[]), |times| self.following(area, times).into())
            }
        }
    }

    /// How many decisions the hand has made.
    pub(crate) fn decided(&self) -> usize {
        self.decisions.iter().filter(|(_, made)| made.is_some()).count()
    }

    /// Whether the hand has made a decision.
    pub fn has_decided(&self) -> bool {
        self.decided() != 0
    }

    pub fn has(&self, area: PlayingArea) -> bool {
        match area {
            PlayingArea::Ante => !self.ante.is_empty(),
            PlayingArea::Bonus => !self.bonus.is_empty(),
            PlayingArea::Jackpot => self.jackpot.is_some(),
            PlayingArea::Flop | PlayingArea::Turn | PlayingArea::River | PlayingArea::Bet => {
                self.decision(area) == Some(Decision::Wager)
            }
        }
    }

    /// Each participant's wager is a multiple of their own Ante (3.4). Only those who were still in at the decision
    /// take part.
    fn following(&self, area: PlayingArea, times: u8) -> Vec<Share> {
        let follow = |share: &Share| {
            let amount = share.amount.times(times.into()).expect(BOUNDED);
            Share { amount, ..share.clone() }
        };
        let earlier = self
            .decisions
            .iter()
            .take_while(|(other, _)| *other != area)
            .filter_map(|(_, made)| *made)
            .count();
        let was_in = |share: &&Share| share.out.is_none() || earlier < share.out_after;
        self.ante.iter().filter(was_in).map(follow).collect()
    }

    /// Every wager placed here before "No more bets".
    pub(crate) fn wagers(&self) -> impl Iterator<Item = &Share> {
        self.ante.iter().chain(&self.bonus).chain(&self.jackpot)
    }

    /// Whether a Player holds the position, or has a wager here.
    pub fn is_of(&self, player: &PlayerId) -> bool {
        self.holder.as_ref() == Some(player) || self.wagers().any(|share| share.owner == *player)
    }

    /// Whether any wager lies here.
    pub fn has_wagers(&self) -> bool {
        !self.ante.is_empty() || !self.bonus.is_empty() || self.jackpot.is_some()
    }

    /// Whether a hand is dealt here: only a position with an Ante gets one.
    pub fn is_dealt_in(&self) -> bool {
        !self.ante.is_empty()
    }

    /// Whether the hand is still in the round and has not folded.
    pub fn is_active(&self) -> bool {
        self.is_dealt_in() && self.out.is_none() && !self.has_folded()
    }

    /// Whether the hand was viewed.
    pub const fn is_viewed(&self) -> bool {
        self.viewed
    }

    /// Whether the Player touched the cards, which ends the reconstruction of a misdeal (5.2).
    pub(crate) fn is_handled(&self) -> bool {
        self.handled || self.viewed || self.decided() != 0
    }

    /// Whether the hand folded.
    pub fn has_folded(&self) -> bool {
        self.decisions.iter().any(|(_, decision)| *decision == Some(Decision::Fold))
    }

    /// Whether comparison was declined.
    pub fn has_declined(&self) -> bool {
        self.shown == Some(Shown::Declined)
    }

    /// Whether a supervisor has viewed the hand after it declined comparison (3.10.1).
    pub const fn was_viewed_declined(&self) -> bool {
        self.declined_viewed
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
        self.hand.0.iter().copied()
    }

    /// Whether the Jackpot wager is valid: it has an Ante and was not returned with the hand.
    pub(crate) fn jackpot_stands(&self) -> bool {
        self.out.is_none() && self.jackpot.as_ref().is_some_and(|wager| wager.out.is_none())
    }

    /// The decision taken on an area.
    pub fn decision(&self, area: PlayingArea) -> Option<Decision> {
        self.decisions[area]
    }
}

/// The index of a position in a list that starts with position 1.
pub(crate) fn index(position: Position) -> usize {
    usize::from(position.0).saturating_sub(1)
}
