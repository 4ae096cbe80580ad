//! Power failure (5.16): whether an outcome has been established, judged by what the table can see.

use std::ops::ControlFlow;

use cards::{Card, CardSet};
use rulebook::{Game, HoldemRules, PlayingArea, R5_16, R5_16_1, R5_16_2, StudRules};

use crate::command::{Asker, Command};
use crate::event::Event;
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::settlement::holdem::{HoldemHand, compared as holdem_compared};
use crate::settlement::jackpot::jackpot_lines;
use crate::settlement::stud::{StudHand, compared as stud_compared, dealer_has_hand};
use crate::settlement::{Judgement, Outcome};
use crate::state::Round;

impl Round {
    /// Whether a power failure would be taken from somebody: all that `decide` asks before it judges the outcome.
    pub(crate) fn check_power_failure(&self, by: &Asker) -> Result<(), Refusal> {
        self.check_who(by, &Command::ReportPowerFailure)?;
        self.check_nothing_open(&Command::ReportPowerFailure)?;
        self.check_in_play(R5_16)
    }

    /// With no outcome established each Player may withdraw all wagers or none; with one, play goes on.
    pub(crate) fn decide_power_failure(&self) -> Result<Vec<Event>, Refusal> {
        self.check_in_play(R5_16)?;
        let established = self.outcome_is_established();
        let rule = if established { R5_16_2 } else { R5_16_1 };
        Ok(vec![Event::PowerFailed { established, rule }])
    }

    pub(crate) fn decide_resume(&self) -> Result<Vec<Event>, Refusal> {
        if !self.power_out {
            return self.refuse(Reason::PowerIsOn, R5_16);
        }
        Ok(vec![Event::PlayResumed { rule: R5_16_1 }])
    }

    /// Whether any wager has conclusively won or lost by what lies face up (reading `outcome-established`): a fold, a
    /// declined hand, or cards that decide a wager whatever the hidden ones are.
    pub fn outcome_is_established(&self) -> bool {
        let in_round = || self.seats.iter().filter(|seat| seat.is_dealt_in() && seat.out.is_none());
        in_round().any(|seat| seat.has_folded() || seat.has_declined())
            || in_round().any(|seat| self.jackpot_is_decided(seat) || self.hand_is_decided(seat))
    }

    /// The cards that nobody at the table can see, ranks and suits well mixed: what can go either way then shows it soon.
    fn hidden(&self) -> Vec<Card> {
        let shown = self.seats.iter().filter(|seat| seat.is_shown()).flat_map(Seat::cards).flatten();
        let face_up = self.exposed_community().into_iter().chain(self.exposed_dealer()).chain(shown);
        let mut hidden: Vec<Card> = CardSet::FULL.difference(face_up.collect()).iter().collect();
        hidden
            .sort_by_key(|card| u32::from(card.index()).saturating_add(1).saturating_mul(23).checked_rem(53));
        hidden
    }

    /// Whether a Jackpot wager wins, or loses, whatever the hidden cards are. A stud hand nobody has seen can be
    /// anything.
    fn jackpot_is_decided(&self, seat: &Seat) -> bool {
        let community = self.exposed_community();
        if !seat.jackpot_stands() || (!seat.is_shown() && community.is_empty()) {
            return false;
        }
        let own: Vec<Card> = if seat.is_shown() { seat.cards().flatten().collect() } else { Vec::new() };
        let needed = self.book.jackpot.community_cards().saturating_sub(community.len());
        let hand = self.book.hand_cards().saturating_sub(own.len());
        let mut same = SameResult::default();
        let _ = each_completion(&self.hidden(), hand, needed, |more_own, more_board| {
            let hand = [own.as_slice(), more_own].concat();
            let board = [community.as_slice(), more_board].concat();
            same.add(!jackpot_lines(&self.book.jackpot, &hand, &board, false).is_empty())
        });
        same.is_decided()
    }

    /// Whether a wager on the hand itself is decided once the Dealer's hand lies open.
    fn hand_is_decided(&self, seat: &Seat) -> bool {
        if !self.dealer_exposed {
            return false;
        }
        let areas = self.book.areas().iter().copied();
        let areas: Vec<PlayingArea> =
            areas.filter(|area| *area != PlayingArea::Jackpot && seat.has(*area)).collect();
        match &self.book.game {
            Game::Holdem(rules) => self.holdem_is_decided(rules, seat, &areas),
            Game::Stud(rules) => self.stud_is_decided(rules, seat, &areas),
        }
    }

    fn holdem_is_decided(&self, rules: &HoldemRules, seat: &Seat, areas: &[PlayingArea]) -> bool {
        let (Some(dealer), Some(board)) = (self.dealer.first(), self.board.first()) else {
            return false;
        };
        let judge = |hole: [Card; 2]| {
            let hand = HoldemHand::new(rules, hole, dealer, board);
            move |area| holdem_compared(rules, area, &hand)
        };
        if let Some(hole) = seat.hand.first().filter(|_| seat.is_shown()) {
            return areas.iter().any(|area| won_or_lost(judge(hole)(*area)).is_some());
        }
        areas.iter().any(|area| {
            let mut same = SameResult::default();
            let _ = each_completion(&self.hidden(), 2, 0, |own, _| match *own {
                [first, second] => same.add_outcome(judge([first, second])(*area)),
                _ => ControlFlow::Break(()),
            });
            same.is_decided()
        })
    }

    /// With no hand for the Dealer every Ante still in is paid, whatever the cards. Any hand nobody has seen may hold the
    /// same cards, so the first of them stands for all.
    fn stud_is_decided(&self, rules: &StudRules, seat: &Seat, areas: &[PlayingArea]) -> bool {
        let Some(dealer) = self.dealer.first() else {
            return false;
        };
        if !dealer_has_hand(rules, dealer) {
            return true;
        }
        let judge = |hand: [Card; 5], area| stud_compared(rules, area, StudHand::new(rules, hand, dealer));
        if let Some(hand) = seat.hand.first().filter(|_| seat.is_shown()) {
            return areas.iter().any(|area| won_or_lost(judge(hand, *area)).is_some());
        }
        let unseen = |other: &&Seat| other.is_active() && !other.is_shown();
        if self.seats.iter().find(unseen).is_none_or(|first| !std::ptr::eq(first, seat)) {
            return false;
        }
        areas.iter().any(|area| {
            let mut same = SameResult::default();
            let _ = each_completion(&self.hidden(), 5, 0, |own, _| match <[Card; 5]>::try_from(own) {
                Ok(hand) => same.add_outcome(judge(hand, *area)),
                Err(_) => ControlFlow::Break(()),
            });
            same.is_decided()
        })
    }
}

/// Whether a wager wins (`true`) or loses (`false`); a stand-off or a return is neither.
fn won_or_lost(judgement: Judgement) -> Option<bool> {
    match judgement.outcome {
        Outcome::Paid(_) | Outcome::Won => Some(true),
        Outcome::Collected => Some(false),
        Outcome::StandOff | Outcome::Returned => None,
    }
}

/// Whether all results so far are the same.
#[derive(Default)]
struct SameResult {
    first: Option<bool>,
    differs: bool,
}

impl SameResult {
    fn add(&mut self, won: bool) -> ControlFlow<()> {
        self.differs = *self.first.get_or_insert(won) != won;
        if self.differs { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn add_outcome(&mut self, judgement: Judgement) -> ControlFlow<()> {
        if let Some(won) = won_or_lost(judgement) {
            return self.add(won);
        }
        self.differs = true;
        ControlFlow::Break(())
    }

    const fn is_decided(&self) -> bool {
        self.first.is_some() && !self.differs
    }
}

/// Calls `visit` with every choice of `own` cards for a hand and `board` more for the table.
fn each_completion(
    hidden: &[Card],
    own: usize,
    board: usize,
    mut visit: impl FnMut(&[Card], &[Card]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    each_choice(hidden, own, &mut Vec::new(), &mut |hand| {
        let rest: Vec<Card> = hidden.iter().copied().filter(|card| !hand.contains(card)).collect();
        each_choice(&rest, board, &mut Vec::new(), &mut |more| visit(hand, more))
    })
}

/// Calls `visit` with every choice of `count` cards.
fn each_choice(
    from: &[Card],
    count: usize,
    chosen: &mut Vec<Card>,
    visit: &mut impl FnMut(&[Card]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if chosen.len() == count {
        return visit(chosen);
    }
    for (place, card) in from.iter().enumerate() {
        chosen.push(*card);
        let rest = from.get(place.saturating_add(1)..).unwrap_or(&[]);
        let flow = each_choice(rest, count, chosen, visit);
        chosen.pop();
        flow?;
    }
    ControlFlow::Continue(())
}
