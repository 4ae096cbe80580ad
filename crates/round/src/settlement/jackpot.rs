//! Jackpot hands: the lines of the pay table that a wager is paid on (4.2, 4.2.1).

use arrayvec::ArrayVec;
use cards::{BestFive, Card, HandOrder, Rank, Suit};
use money::{Money, Percent};
use rulebook::{JackpotCards, JackpotLine, JackpotRules, OneJackpotPayout, Pays, PlayingArea, Position};

use crate::seat::{BOUNDED, CARDS_MAX, Seat};
use crate::settlement::Line;
use crate::state::Round;

/// The lines a hand is paid on: the highest it qualifies for, or two if the reading `one-jackpot-payout` pays the
/// community cards separately. `hand` are the Player's own cards, `community` those on the board.
pub fn jackpot_lines(
    rules: &JackpotRules,
    hand: &[Card],
    community: &[Card],
    folded: bool,
) -> Vec<JackpotLine> {
    let mut orders = Orders::new(hand, community);
    let hits = rules.lines_for(folded).filter(|line| orders.qualifies(line));
    match rules.one_payout {
        OneJackpotPayout::Highest => hits.take(1).copied().collect(),
        OneJackpotPayout::PlayerAndCommunity => {
            let (board, own): (Vec<_>, Vec<_>) = hits.partition(|line| line.cards == JackpotCards::Community);
            own.into_iter().take(1).chain(board.into_iter().take(1)).copied().collect()
        }
    }
}

/// The cards a Jackpot wager is judged by, and what the best five of them are: those of the highest line that is met, or of
/// the line that takes in the most cards face up. `None` while too few are.
pub fn jackpot_hand(
    rules: &JackpotRules,
    hand: &[Card],
    community: &[Card],
    folded: bool,
) -> Option<(JackpotCards, BestFive)> {
    let met = jackpot_lines(rules, hand, community, folded).first().map(|line| line.cards);
    let judged = rules.lines_for(folded).map(|line| line.cards);
    let known = judged.filter(|cards| cards.community_cards() <= community.len());
    let cards = met
        .or_else(|| known.max_by_key(|cards| (cards.community_cards(), *cards != JackpotCards::Community)))?;
    let own = if cards == JackpotCards::Community { &[] } else { hand };
    let all: Vec<Card> = own.iter().chain(community.iter().take(cards.community_cards())).copied().collect();
    (5..=7).contains(&all.len()).then(|| (cards, BestFive::of(&all)))
}

/// The orders of hand that a pay table needs. Most lines use the same cards, so each order is computed once.
struct Orders<'a> {
    hand: &'a [Card],
    community: &'a [Card],
    /// By the number of community cards beside the Player's own.
    with_hand: [Option<HandOrder>; 6],
    alone: Option<HandOrder>,
}

impl<'a> Orders<'a> {
    fn new(hand: &'a [Card], community: &'a [Card]) -> Orders<'a> {
        Orders { hand, community, with_hand: [None; 6], alone: None }
    }

    /// Whether a line pays for these cards. It does not while cards that it needs are missing.
    fn qualifies(&mut self, line: &JackpotLine) -> bool {
        let needed = line.cards.community_cards();
        if self.community.len() < needed {
            return false;
        }
        match line.cards {
            JackpotCards::Hand
            | JackpotCards::HoleAndFlop
            | JackpotCards::HoleToTurn
            | JackpotCards::HoleToRiver => self.with_hand(needed) == line.hand,
            JackpotCards::HoleToRiverWithHoleCard => {
                self.with_hand(needed) == line.hand && self.alone() != line.hand
            }
            JackpotCards::Community => self.alone() == line.hand,
        }
    }

    /// The Player's own cards with the first `community` cards of the board.
    fn with_hand(&mut self, community: usize) -> HandOrder {
        let Orders { hand, community: board, with_hand, .. } = self;
        let find = || {
            let mut cards = [Card::new(Rank::Two, Suit::Clubs); 7];
            let both = hand.iter().chain(board.iter().take(community));
            let count = cards.iter_mut().zip(both).map(|(place, card)| *place = *card).count();
            HandOrder::best_of(cards.get(..count).unwrap_or(&cards))
        };
        *with_hand.get_mut(community).expect("a board has at most five cards").get_or_insert_with(find)
    }

    /// The five community cards by themselves.
    fn alone(&mut self) -> HandOrder {
        *self.alone.get_or_insert_with(|| HandOrder::best_of(self.community))
    }
}

/// What the house pays for a line, or the percentage of the meter that it claims.
pub(crate) fn fixed_payout(pays: Pays, wager: Money) -> Result<Money, Percent> {
    match pays {
        Pays::Share(percent) => Err(percent),
        Pays::Odds(odds) => Ok(wager.paid_at(odds).expect(BOUNDED)),
        Pays::Fixed(amount) => Ok(amount),
    }
}

impl Round {
    /// The fixed Jackpot payouts of the settlement: position, the highest hand they are paid for, amount.
    pub fn fixed_prizes(&self) -> Vec<(Position, HandOrder, Money)> {
        let paid = |line: &&Line| line.area == PlayingArea::Jackpot && !line.paid.is_zero();
        let lines = self.settlement().into_iter().flat_map(|settlement| &settlement.lines).filter(paid);
        let prize = |line: &Line| {
            let seat = self.seat(line.position)?;
            // A ruling may pay a hand that nobody has read: it is no hand of the pay table.
            if seat.cards().any(|card| card.is_none()) {
                return None;
            }
            let hits = self.jackpot_hits(seat);
            let fixed = hits.iter().find(|hit| !matches!(hit.pays, Pays::Share(_)))?;
            Some((line.position, fixed.hand, line.paid))
        };
        lines.filter_map(prize).collect()
    }

    /// The lines a valid Jackpot wager is paid on.
    pub(crate) fn jackpot_hits(&self, seat: &Seat) -> Vec<JackpotLine> {
        let hand: ArrayVec<Card, CARDS_MAX> = seat.cards().flatten().collect();
        let community: ArrayVec<Card, CARDS_MAX> = self.community_seen().flatten().collect();
        jackpot_lines(&self.book.jackpot, &hand, &community, seat.has_folded())
    }
}
