//! The outcome of every wager and its rule: 3.10, 4.1, 4.2, and the limits of 5.13 and 5.14.

pub(crate) mod comparison;
pub(crate) mod jackpot;
mod limits;

use std::sync::Arc;

use cards::HandOrder;
use money::{Money, Odds, Percent};
use rulebook::{JackpotCards, PlayingArea, Position, R3_9_1, R3_10, R3_10_1, R4_2, R5_13, R6_1, Rule};
use serde::{Deserialize, Serialize};

use crate::command::{Place, PlayerId, RuledOutcome};
use crate::event::Event;
use crate::game::{Judgements, Showdown};
use crate::refusal::{Reason, Refusal};
use crate::seat::{Seat, Share};
use crate::stage::Stage;
use crate::state::Round;

/// The largest wager. With odds of at most 10,000, on at most ten times the Ante, no payout or sum of a round
/// overflows.
pub const WAGER_CENTS_MAX: u64 = 10_000_000_000_000;

/// Why the cards of a comparison are known.
const READ: &str = "a round is settled only after the cards it needs are read";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It wins at these odds.
    Paid(Odds),
    /// A Jackpot wager wins an amount or a share of the meter.
    Won,
    /// It loses.
    Collected,
    /// It neither wins nor loses.
    StandOff,
    /// It is returned: it was not valid, or it is a Bet and the Dealer has no hand.
    Returned,
}

/// The settlement of one Player's wager on one area. Always `staked = returned + collected`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = SettledLine))]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The position of the wager.
    pub position: Position,
    pub area: PlayingArea,
    pub owner: PlayerId,
    /// The amount wagered.
    pub staked: Money,
    /// What is paid on top, without awards from a meter.
    pub paid: Money,
    /// The part of the stake that is returned.
    pub returned: Money,
    /// The part of the stake that the house collects.
    pub collected: Money,
    pub outcome: Outcome,
    /// The rule that decided it.
    pub rule: Rule,
    /// The rule that sets the odds, if it won at odds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub odds_rule: Option<Rule>,
    /// The rule on limits, if it was outside them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_rule: Option<Rule>,
}

/// A hand that wins a share of the meter. The jackpot's controller pays it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = SettledClaim))]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The position of the hand.
    pub position: Position,
    pub owner: PlayerId,
    pub hand: HandOrder,
    pub cards: JackpotCards,
    /// The percentage of the meter.
    pub percent: Percent,
    /// The rule of its pay table.
    pub rule: Rule,
}

/// The settlement of a round: every wager with its outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Settlement {
    /// The rule under which the round is void, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub void: Option<Rule>,
    /// Every wager, position by position in the Dealer's order.
    pub lines: Vec<Line>,
    /// The hands that win a share of the meter, by position.
    pub claims: Vec<Claim>,
    /// The Players whose wager was under the minimum for the first time (5.13).
    pub warned: Vec<PlayerId>,
}

impl Settlement {
    /// The valid Jackpot wagers, which contribute to the meter.
    pub fn jackpot_wagers(&self) -> impl Iterator<Item = (Position, Money)> {
        let standing = |line: &&Line| line.area == PlayingArea::Jackpot && !line.collected.is_zero();
        self.lines.iter().filter(standing).map(|line| (line.position, line.staked))
    }
}

/// The judgement on one wager, before the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Judgement {
    pub(crate) outcome: Outcome,
    pub(crate) rule: Rule,
    pub(crate) odds_rule: Option<Rule>,
}

impl Judgement {
    pub(crate) const fn plain(outcome: Outcome, rule: Rule) -> Judgement {
        Judgement { outcome, rule, odds_rule: None }
    }
}

impl Round {
    /// The Dealer announces the outcome, collects losing wagers and pays winning ones.
    pub(crate) fn decide_settle(&self) -> Result<Vec<Event>, Refusal> {
        self.check_in_play(R3_10)?;
        if self.stage() != Stage::Settling {
            return self.refuse(Reason::NotReadyToSettle, R3_10);
        }
        if self.seats.iter().any(|seat| self.needs_reading(seat)) {
            return self.refuse(Reason::CardNotRead, R4_2);
        }
        Ok(self.settled_events())
    }

    /// The places of unread cards that the settlement needs.
    pub fn cards_to_read(&self) -> Vec<Place> {
        let hands = self.seats().filter(|(_, seat)| self.needs_reading(seat));
        let cards = hands.flat_map(|(position, _)| self.hand_places(position));
        cards.filter(|place| self.order.contains(place) && !self.is_read(*place)).collect()
    }

    /// A folded hand must be turned over if its Jackpot wager still depends on its cards.
    fn needs_reading(&self, seat: &Seat) -> bool {
        let looks =
            self.book.jackpot.lines_for(seat.has_folded()).any(|line| line.cards != JackpotCards::Community);
        let in_jackpot = seat.jackpot_stands() && looks && !seat.has_declined();
        (in_jackpot || seat.is_shown() && seat.out.is_none()) && !self.hand_is_read(seat)
    }

    /// The settlement of the round as it is now, with the warnings it gives.
    pub(crate) fn settled_events(&self) -> Vec<Event> {
        let settlement = Arc::new(self.settle());
        let warning = |player: &PlayerId| Event::PlayerWarned { player: player.clone(), rule: R5_13 };
        let first_time = settlement.warned.iter().filter(|player| !self.memory.warned.contains(*player));
        let mut events: Vec<Event> = first_time.map(warning).collect();
        events.push(Event::Settled { settlement });
        events
    }

    /// Settles every wager.
    pub(crate) fn settle(&self) -> Settlement {
        let wagers = self.seats.len().saturating_mul(self.book.areas().len());
        let lines = Vec::with_capacity(wagers);
        let mut settlement =
            Settlement { void: self.voided_under, lines, claims: Vec::new(), warned: Vec::new() };
        for (position, seat) in self.seats() {
            if !seat.has_wagers() {
                continue;
            }
            let facts = self.facts(seat);
            for area in self.book.areas() {
                if seat.has(*area) {
                    self.settle_area(position, seat, *area, &facts, &mut settlement);
                }
            }
        }
        settlement
    }

    fn settle_area(
        &self,
        position: Position,
        seat: &Seat,
        area: PlayingArea,
        facts: &Facts,
        settlement: &mut Settlement,
    ) {
        let shares = seat.shares(area, self.book.multiple_of_ante(area));
        if area == PlayingArea::Jackpot {
            return self.settle_jackpot(position, seat, &shares, facts, settlement);
        }
        let judgement = match self.ended_early(position, seat, area) {
            Some(judgement) => judgement,
            None => self.judge(facts, area),
        };
        self.settle_shares(position, area, &shares, judgement, settlement);
    }

    /// The outcome of a wager that was decided by an irregularity or a ruling.
    pub(crate) fn ended_early(
        &self,
        position: Position,
        seat: &Seat,
        area: PlayingArea,
    ) -> Option<Judgement> {
        if let Some(rule) = self.voided_under {
            return Some(Judgement::plain(Outcome::Returned, rule));
        }
        if let Some(rule) = seat.bonus_forfeited.filter(|_| area == PlayingArea::Bonus) {
            return Some(Judgement::plain(Outcome::Collected, rule));
        }
        if let Some(rule) = seat.out {
            return Some(Judgement::plain(Outcome::Returned, rule));
        }
        let outcome = match self.ruled.get(&(position, area))? {
            RuledOutcome::Paid(odds) => Outcome::Paid(*odds),
            RuledOutcome::Collected => Outcome::Collected,
            RuledOutcome::StandOff => Outcome::StandOff,
            RuledOutcome::Returned => Outcome::Returned,
        };
        Some(Judgement::plain(outcome, R6_1))
    }

    /// A Jackpot wager is always collected; what it wins is paid on top (3.13).
    fn settle_jackpot(
        &self,
        position: Position,
        seat: &Seat,
        shares: &[Share],
        facts: &Facts,
        settlement: &mut Settlement,
    ) {
        let Some(wager) = shares.first() else { return };
        let mut line = Line {
            position,
            area: PlayingArea::Jackpot,
            owner: wager.owner.clone(),
            staked: wager.amount,
            paid: Money::ZERO,
            returned: Money::ZERO,
            collected: wager.amount,
            outcome: Outcome::Collected,
            rule: R4_2,
            odds_rule: None,
            limit_rule: None,
        };
        let ended = wager.out.map(|rule| Judgement::plain(Outcome::Returned, rule));
        if let Some(judgement) = ended.or_else(|| self.ended_early(position, seat, PlayingArea::Jackpot)) {
            limits::end(&mut line, judgement, wager.amount);
        } else if let Facts::Declined = facts {
            line.rule = R3_10_1;
        } else {
            line.rule = facts.jackpot_rule();
            self.pay_jackpot(seat, &mut line, &mut settlement.claims);
        }
        settlement.lines.push(line);
    }

    /// Pays the lines a hand qualifies for. Fixed amounts and odds are paid now; percentages become claims on the
    /// meter.
    fn pay_jackpot(&self, seat: &Seat, line: &mut Line, claims: &mut Vec<Claim>) {
        for hit in self.jackpot_hits(seat) {
            line.outcome = Outcome::Won;
            line.odds_rule = Some(hit.rule);
            match jackpot::fixed_payout(hit.pays, line.staked) {
                Ok(amount) => line.paid = line.paid.plus(amount).expect(crate::seat::BOUNDED),
                Err(percent) => claims.push(Claim {
                    position: line.position,
                    owner: line.owner.clone(),
                    hand: hit.hand,
                    cards: hit.cards,
                    percent,
                    rule: hit.rule,
                }),
            }
        }
    }
}

/// What the settlement of a hand is based on.
pub(crate) enum Facts {
    Folded,
    /// The hand declined comparison.
    Declined,
    Compared(Judgements),
    /// The hand was never compared: its wagers ended early.
    None,
}

impl Facts {
    /// The rule under which the Jackpot pay table applies.
    fn jackpot_rule(&self) -> Rule {
        match self {
            Facts::Folded => R3_9_1,
            Facts::Compared(judgements) => judgements[PlayingArea::Jackpot].map_or(R4_2, |each| each.rule),
            Facts::Declined | Facts::None => R4_2,
        }
    }
}

impl Round {
    /// What the settlement of a hand is based on. Its cards have been checked to be read.
    pub(crate) fn facts(&self, seat: &Seat) -> Facts {
        if self.voided_under.is_some() || seat.out.is_some() || !seat.is_dealt_in() {
            return Facts::None;
        }
        if seat.has_folded() {
            return Facts::Folded;
        }
        if seat.has_declined() {
            return Facts::Declined;
        }
        let (hand, dealer) = (seat.hand.read_cards().expect(READ), self.dealer.read_cards().expect(READ));
        let community = self.board.read_cards().expect(READ);
        let showdown = Showdown { hand: &hand, dealer: &dealer, community: &community };
        Facts::Compared(self.play().judge(showdown))
    }

    /// The judgement on a valid wager, except the Jackpot's.
    pub(crate) fn judge(&self, facts: &Facts, area: PlayingArea) -> Judgement {
        let judgement = match facts {
            Facts::Folded => Some(Judgement::plain(Outcome::Collected, R3_9_1)),
            Facts::Declined => Some(self.play().judge_declined(area, self.dealer_has_hand())),
            Facts::Compared(judgements) => judgements[area],
            Facts::None => None,
        };
        judgement.unwrap_or_else(|| {
            panic!("a valid wager on {area} must belong to a hand that folded, declined or was compared")
        })
    }

    /// Whether the Dealer has a hand. True while the cards are unknown.
    fn dealer_has_hand(&self) -> bool {
        self.dealer.read_cards().is_none_or(|cards| self.play().dealer_has_hand(&cards))
    }
}
