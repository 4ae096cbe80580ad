//! What the simulation asks of a table: one position of one round, played and settled.

use cards::{Card, Hand, HandOrder};
use money::{Money, Percent};
use round::{Outcome, jackpot_lines};
use rulebook::{JackpotCards as Cards, JackpotRules, Pays, PlayingArea, Rulebook};

use super::dealing::Dealt;
use super::setup::BOUNDED;

/// A table whose players follow a fixed strategy.
pub(crate) trait Table: Sync {
    /// How many cards a round takes.
    fn cards(&self) -> usize;

    /// What a player decides in a round.
    type Decision: Copy + Default;

    /// The decisions of one position in each of some rounds. Taken together, what is looked up for one of them does not
    /// wait for another.
    fn decide(&self, dealt: &[Dealt], position: usize, decisions: &mut [Self::Decision]);

    /// All that a hand can come to, as the settlement of the tables pays it. A fold is the first.
    fn kinds(&self) -> &[PlayedHand];

    /// Plays the Ante, what follows from it, and the Bonus of one position: which of [`Table::kinds`] it comes to.
    fn play(&self, dealt: &Dealt, position: usize, decision: Self::Decision) -> usize;

    /// The cards a Jackpot wager looks at.
    fn jackpot_cards(&self, dealt: &Dealt, position: usize) -> JackpotCards;
}

/// How a fold is numbered in every game.
pub(crate) const FOLD: u8 = 0;

/// How a hand ended, in cents for its player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlayedHand {
    /// The end as a number of its game.
    pub(crate) end: u8,
    /// The Ante and what follows from it.
    pub(crate) base: i64,
    pub(crate) bonus: i64,
    /// At which of the Bonus table's odds it was paid.
    pub(crate) bonus_paid: Option<u8>,
}

impl PlayedHand {
    /// A fold loses Ante and Bonus (3.9.1).
    pub(crate) fn folded(ante: Money, bonus: Money) -> PlayedHand {
        let lost = |wager| net_cents(Outcome::Collected, wager);
        PlayedHand { end: FOLD, base: lost(ante), bonus: lost(bonus), bonus_paid: None }
    }
}

/// What a wager that follows the Ante comes to.
pub(crate) fn times_ante(book: &Rulebook, area: PlayingArea, ante: Money) -> Money {
    let times = book.multiple_of_ante(area).unwrap_or(1);
    ante.times(times.into()).expect(BOUNDED)
}

/// What an outcome brings the player of a wager, in cents.
#[inline]
pub(crate) fn net_cents(outcome: Outcome, wager: Money) -> i64 {
    let cents = |money: Money| i64::try_from(money.cents()).expect(BOUNDED);
    match outcome {
        Outcome::Paid(odds) => cents(wager.returned_at(odds).expect(BOUNDED)) - cents(wager),
        Outcome::Collected => -cents(wager),
        Outcome::StandOff | Outcome::Returned => 0,
        Outcome::Won => panic!("only a Jackpot wager wins an amount"),
    }
}

/// The cards a Jackpot wager looks at: the hand, and the community cards.
pub(crate) struct JackpotCards {
    cards: [Card; 7],
    hand: usize,
    community: usize,
}

impl JackpotCards {
    #[inline]
    pub(crate) fn new(hand: &[Card], community: &[Card]) -> JackpotCards {
        let mut cards = [hand[0]; 7];
        cards[..hand.len()].copy_from_slice(hand);
        cards[hand.len()..hand.len() + community.len()].copy_from_slice(community);
        JackpotCards { cards, hand: hand.len(), community: community.len() }
    }

    /// The order of hand that the cards a line looks at make, by the one evaluator.
    #[inline]
    fn order(&self, looked_at: Cards) -> HandOrder {
        let cards = match looked_at {
            Cards::Community => &self.cards[self.hand..self.hand + self.community],
            Cards::Hand
            | Cards::HoleAndFlop
            | Cards::HoleToTurn
            | Cards::HoleToRiver
            | Cards::HoleToRiverWithHoleCard => &self.cards[..self.hand + looked_at.community_cards()],
        };
        // Cards that are dealt are distinct.
        cards.iter().copied().collect::<Hand>().rank().order()
    }
}

/// A line that a Jackpot wager is paid on.
#[derive(Clone, Copy)]
pub(crate) struct Hit {
    /// Its place in the table.
    pub(crate) line: u8,
    pub(crate) pays: Paid,
}

/// What a line pays.
#[derive(Clone, Copy)]
pub(crate) enum Paid {
    /// So many cents, by the house.
    Cents(i64),
    /// A share of the meter.
    Share(Percent),
}

/// The Jackpot wager of every player.
pub(crate) struct JackpotTable<'a> {
    rules: &'a JackpotRules,
    pub(crate) wager: Money,
    /// The cards that lines look at, each once, with the orders of hand asked for there, one bit an order.
    asked: Vec<(Cards, u16)>,
}

impl<'a> JackpotTable<'a> {
    pub(crate) fn new(rules: &'a JackpotRules, wager: Money) -> JackpotTable<'a> {
        let mut asked: Vec<(Cards, u16)> = Vec::new();
        for line in &rules.lines {
            match asked.iter_mut().find(|(cards, _)| *cards == line.cards) {
                Some((_, orders)) => *orders |= 1 << line.hand as u16,
                None => asked.push((line.cards, 1 << line.hand as u16)),
            }
        }
        JackpotTable { rules, wager, asked }
    }

    /// Whether the cards make a hand of a line.
    #[inline]
    pub(crate) fn may_hit(&self, cards: &JackpotCards) -> bool {
        let made = |&(looked_at, orders): &(Cards, u16)| orders >> cards.order(looked_at) as u16 & 1 == 1;
        self.asked.iter().any(made)
    }

    /// The lines a hand is paid on. The settlement of the tables is asked wherever the cards make a hand of a line.
    #[inline]
    pub(crate) fn hits(&self, cards: &JackpotCards, folded: bool) -> Vec<Hit> {
        if !self.may_hit(cards) {
            return Vec::new();
        }
        let (hand, community) = cards.cards.split_at(cards.hand);
        let lines = jackpot_lines(self.rules, hand, &community[..cards.community], folded);
        let hit = |paid: &rulebook::JackpotLine| {
            let line =
                self.rules.lines.iter().position(|line| line == paid).expect("a line paid is in the table");
            Hit { line: u8::try_from(line).expect("a Jackpot table is short"), pays: self.pays(paid.pays) }
        };
        lines.iter().map(hit).collect()
    }

    /// A Jackpot wager is always collected, so all that a line pays counts (3.13).
    fn pays(&self, pays: Pays) -> Paid {
        let cents = |money: Money| Paid::Cents(i64::try_from(money.cents()).expect(BOUNDED));
        match pays {
            Pays::Share(percent) => Paid::Share(percent),
            Pays::Odds(odds) => cents(self.wager.paid_at(odds).expect(BOUNDED)),
            Pays::Fixed(amount) => cents(amount),
        }
    }
}
