//! Power failure (5.16): whether an outcome was established, judged by the cards that the table can see.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use cards::{Card, CardSet};
use rulebook::{PlayingArea, R5_16, R5_16_1, R5_16_2};

use crate::command::{Asker, Command, PlayerId};
use crate::event::{Event, Exposure};
use crate::game::Showdown;
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::settlement::jackpot::jackpot_lines;
use crate::settlement::{Judgement, Outcome};
use crate::state::Round;

impl Round {
    /// Whether a power failure would be accepted from `by`: all checks that `decide` makes before it judges the
    /// outcome.
    pub(crate) fn check_power_failure(&self, by: &Asker) -> Result<(), Refusal> {
        self.check_who(by, &Command::ReportPowerFailure {})?;
        self.check_nothing_open(&Command::ReportPowerFailure {})?;
        self.check_in_play(R5_16)
    }

    /// If no outcome is established, each Player may withdraw all wagers or none. Otherwise play goes on.
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
        if !self.unanswered().is_empty() {
            return self.refuse(Reason::PlayersNotAsked, R5_16_1);
        }
        Ok(vec![Event::PlayResumed { rule: R5_16_1 }])
    }

    /// A Player who was asked leaves all wagers, or gives no answer.
    pub(crate) fn decide_stay(&self, player: &PlayerId, answered: bool) -> Result<Vec<Event>, Refusal> {
        if !self.power_out {
            return self.refuse(Reason::PowerIsOn, R5_16);
        }
        if !self.unanswered().contains(player) {
            return self.refuse(Reason::NothingToAnswer, R5_16_1);
        }
        Ok(vec![Event::PlayerStayed { player: player.clone(), answered, rule: R5_16_1 }])
    }

    /// Whether play waits because the power failed and Players may withdraw.
    pub const fn is_interrupted(&self) -> bool {
        self.power_out
    }

    /// The Players who must be asked whether to withdraw before play resumes (5.16.1).
    pub fn unanswered(&self) -> BTreeSet<PlayerId> {
        if !self.power_out {
            return BTreeSet::new();
        }
        let in_round = self.seats.iter().filter(|seat| seat.is_dealt_in() && seat.out.is_none());
        let wagers = in_round.flat_map(Seat::wagers).filter(|share| share.out.is_none());
        wagers.map(|share| share.owner.clone()).filter(|owner| !self.asked.contains(owner)).collect()
    }

    /// Whether any wager has certainly won or lost by the cards face up (reading `outcome-established`): a folded
    /// hand, a declined hand, or cards that decide a wager whatever the hidden cards are.
    pub fn outcome_is_established(&self) -> bool {
        let in_round = || self.seats.iter().filter(|seat| seat.is_dealt_in() && seat.out.is_none());
        in_round().any(|seat| seat.has_folded() || seat.has_declined())
            || in_round().any(|seat| self.jackpot_is_decided(seat) || self.hand_is_decided(seat))
    }

    /// The cards that nobody at the table can see, with ranks and suits mixed, so that the search soon finds two
    /// different results if there are any.
    fn hidden(&self) -> Vec<Card> {
        let shown = self.seats.iter().filter(|seat| seat.is_shown()).flat_map(Seat::cards).flatten();
        let face_up = self.exposed_community().into_iter().chain(self.exposed_dealer()).chain(shown);
        let mut hidden: Vec<Card> = CardSet::FULL.difference(face_up.collect()).iter().collect();
        hidden
            .sort_by_key(|card| u32::from(card.index()).saturating_add(1).saturating_mul(23).checked_rem(53));
        hidden
    }

    /// Whether a Jackpot wager wins, or loses, whatever the hidden cards are. An unseen stud hand can be anything.
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

    /// Whether a wager on the hand itself is decided once the Dealer's hand is face up.
    fn hand_is_decided(&self, seat: &Seat) -> bool {
        if !self.is_exposed(Exposure::DealerHand) {
            return false;
        }
        let (Some(dealer), Some(community)) = (self.dealer.read_cards(), self.board.read_cards()) else {
            return false;
        };
        if !self.play().dealer_has_hand(&dealer) {
            return true;
        }
        let areas = self.compared_areas(seat);
        let judge =
            |hand: &[Card]| self.play().judge(Showdown { hand, dealer: &dealer, community: &community });
        if let Some(hand) = seat.hand.read_cards().filter(|_| seat.is_shown()) {
            let judgements = judge(&hand);
            return areas.iter().any(|area| judgements[*area].and_then(won_or_lost).is_some());
        }
        if self.is_like_earlier_hand(seat, &areas) {
            return false;
        }
        let mut same: Vec<(PlayingArea, SameResult)> =
            areas.into_iter().map(|area| (area, SameResult::default())).collect();
        let _ = each_completion(&self.hidden(), self.book.hand_cards(), 0, |own, _| {
            let judgements = judge(own);
            same.retain_mut(|(area, same)| same.add_outcome(judgements[*area]).is_continue());
            if same.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        same.iter().any(|(_, same)| same.is_decided())
    }

    /// The areas with a wager that a comparison settles.
    fn compared_areas(&self, seat: &Seat) -> Vec<PlayingArea> {
        let areas = self.book.areas().iter().copied();
        areas.filter(|area| *area != PlayingArea::Jackpot && seat.has(*area)).collect()
    }

    /// Whether an earlier unseen hand has the same wagers. Both can hold the same cards, so they have the same
    /// result, and judging it again only takes time.
    fn is_like_earlier_hand(&self, seat: &Seat, areas: &[PlayingArea]) -> bool {
        let earlier = self.seats.iter().take_while(|other| !std::ptr::eq(*other, seat));
        let mut unseen = earlier.filter(|other| other.is_active() && !other.is_shown());
        unseen.any(|other| self.compared_areas(other) == areas)
    }
}

/// Whether a wager wins (`true`) or loses (`false`). `None` for a stand-off or a return.
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

    fn add_outcome(&mut self, judgement: Option<Judgement>) -> ControlFlow<()> {
        if let Some(won) = judgement.and_then(won_or_lost) {
            return self.add(won);
        }
        self.differs = true;
        ControlFlow::Break(())
    }

    const fn is_decided(&self) -> bool {
        self.first.is_some() && !self.differs
    }
}

/// Calls `visit` with every choice of `own` cards for a hand and `board` cards for the table.
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
