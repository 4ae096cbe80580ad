//! The record of a round that was played at a table, from its events.
//!
//! Settling the record gives the settlement of the table, to the cent and with the same clauses. It has only cards that
//! the table saw or the settlement needed; every other card is `null`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cards::Card;
use money::Money;
use round::{
    Decision, Event, Move, Place, PlayerId, Round, Seat, Share, Stage, TableMemory, TablePile, TableRules,
    TableRulesError,
};
use rulebook::{
    JackpotCards, Limits, Means, PlayingArea, Position, R5_2, R5_3, R5_7, R5_10_1, R5_10_2, R5_10_3, R5_11,
    R5_16_1, Rule, Rulebook,
};

use crate::irregularity::{Irregularity, Moment, PileRecord, Reported, WithdrawnUnder};
use crate::model::{
    FirstDecision, JackpotState, LaterDecision, LimitsRecord, MeansRecord, PositionRecord, Record,
    ShareRecord, TableRecord,
};
use crate::play::moment_of_stage;

/// A round of a table: what it was played under, and what happened.
#[derive(Clone, Debug)]
pub struct History<'h> {
    /// The record's id.
    pub id: String,
    pub book: &'h Arc<Rulebook>,
    /// The number of positions on the layout.
    pub positions: u8,
    /// The letter of the layout, if the table was opened with one.
    pub layout: Option<char>,
    pub limits: &'h Limits,
    /// The name of the dealing method; the book's usual one if it is missing.
    pub method: Option<&'h str>,
    /// The minimum Jackpot wager, if the table had a link.
    pub jackpot_minimum: Option<Money>,
    /// What the table remembered of its Players before the round.
    pub memory: &'h TableMemory,
    /// Who held which position when the round began.
    pub holders: &'h [(Position, PlayerId)],
    pub events: &'h [Event],
}

/// The record of a round; `None` while it is not settled. `jackpot` is the meter before the round, if the round had a
/// Jackpot wager.
pub fn record_of(
    history: &History<'_>,
    jackpot: Option<JackpotState>,
) -> Result<Option<Record<'static>>, TableRulesError> {
    let rules = TableRules::new(
        Arc::clone(history.book),
        history.positions,
        history.limits.clone(),
        history.method,
        history.jackpot_minimum,
    )?;
    let mut round = Round::new(&rules, history.memory.clone());
    for (position, player) in history.holders {
        round.evolve(&Event::PositionTaken { position: *position, player: player.clone() });
    }
    let mut writer = Writer::new(round);
    for event in history.events {
        writer.note(event);
        writer.round.evolve(event);
    }
    Ok(writer.round.settlement().is_some().then(|| writer.record(history, jackpot)))
}

/// What a Player did when a decision was due.
#[derive(Clone, Copy)]
enum Made {
    Decided(Decision),
    Absent,
}

/// Follows a round and notes what its record needs besides the round itself.
struct Writer {
    round: Round,
    /// The cards dealt so far, and those of each position.
    dealt: u8,
    dealt_to: BTreeMap<Position, u8>,
    made: BTreeMap<(Position, PlayingArea), Made>,
    reports: Vec<Reported>,
    /// How many cards were wrongly exposed so far.
    exposed: u8,
    /// The moves of a misdeal that has not been resolved.
    misdeal: Option<Vec<Move>>,
    /// The hands that the first settlement looked at although they were not shown.
    needed: BTreeSet<Position>,
    is_settled: bool,
    /// Who was warned before the round was settled: at this table or, with the reading, at another.
    warned: BTreeSet<PlayerId>,
}

impl Writer {
    fn new(round: Round) -> Writer {
        Writer {
            warned: round.memory().warned.clone(),
            round,
            dealt: 0,
            dealt_to: BTreeMap::new(),
            made: BTreeMap::new(),
            reports: Vec::new(),
            exposed: 0,
            misdeal: None,
            needed: BTreeSet::new(),
            is_settled: false,
        }
    }

    /// Notes an event before the round applies it. Events that follow from an earlier one of the same command are not
    /// noted: the record's round gives them again.
    fn note(&mut self, event: &Event) {
        match event {
            Event::CardDealt { place, .. } => {
                self.dealt = self.dealt.saturating_add(1);
                if let Place::Player(position, _) = place {
                    let cards = self.dealt_to.entry(*position).or_default();
                    *cards = cards.saturating_add(1);
                }
            }
            Event::Decided { position, area, decision, rule } if *rule != R5_10_3 => {
                let made = if *rule == R5_11 { Made::Absent } else { Made::Decided(*decision) };
                self.made.insert((*position, *area), made);
            }
            Event::DecisionCorrected { position, area, decision, .. } => {
                self.made.insert((*position, *area), Made::Decided(*decision));
            }
            // The settlement's own warnings come after bets are closed.
            Event::PlayerWarned { player, .. } if !self.round.stage().is_in_play() && !self.is_settled => {
                self.warned.insert(player.clone());
            }
            Event::HandOut { position, rule } => self.note_out(*position, *rule),
            Event::Settled { settlement } => {
                if !self.is_settled && settlement.void.is_none() {
                    self.needed = self.hands_needed();
                }
                self.is_settled = true;
            }
            _ => {
                if let Some(what) = self.irregularity(event) {
                    self.report(what);
                }
            }
        }
    }

    fn note_out(&mut self, position: Position, rule: Rule) {
        match rule {
            R5_11 => {
                self.made.insert((position, self.round.book().first_area()), Made::Absent);
            }
            R5_7 => {
                let (position, withdraw) = (position.0, Vec::new());
                self.report(Irregularity::PlayerCount { position, withdraw, reconstructed: false });
            }
            R5_10_1 | R5_10_2 => {
                let viewed = self.viewed_with(position);
                let (invalid, viewed) = (vec![position.0], Some(viewed).filter(|viewed| !viewed.is_empty()));
                self.report(Irregularity::SeveralHands { invalid, viewed });
            }
            // The hand is out by a command that is noted itself.
            _ => {}
        }
    }

    /// The viewed hands of the Player at a position.
    fn viewed_with(&self, position: Position) -> Vec<u8> {
        let holder = self.round.seat(position).and_then(Seat::holder);
        let viewed = |(_, seat): &(Position, &Seat)| seat.is_viewed() && seat.holder() == holder;
        self.round.seats().filter(viewed).map(|(position, _)| position.0).collect()
    }

    /// What an event says was irregular.
    fn irregularity(&mut self, event: &Event) -> Option<Irregularity> {
        match event {
            Event::BadCardsDeclared { fault, .. } => Some(Irregularity::BadCards { fault: *fault }),
            Event::CardsCounted { counted, .. } => Some(Irregularity::DeckCount { counted: *counted }),
            Event::CardsExposed { in_all, .. } => {
                let count = in_all.saturating_sub(self.exposed);
                self.exposed = *in_all;
                Some(Irregularity::CardsExposed { count })
            }
            Event::MisdealFound { moves: None, .. } => {
                let also = vec![TablePile::Dealer];
                Some(Irregularity::Misdeal { piles: Vec::new(), also, reconstructed: false })
            }
            Event::MisdealFound { moves, .. } => {
                self.misdeal.clone_from(moves);
                None
            }
            Event::HandsMoved { .. } => self.resolved(true),
            Event::RoundVoided { rule: R5_2 } => self.resolved(false),
            Event::RoundVoided { rule: R5_3 } => {
                Some(Irregularity::DealerOrCommunityCount { reconstructed: false })
            }
            Event::TableCountCorrected { .. } => {
                Some(Irregularity::DealerOrCommunityCount { reconstructed: true })
            }
            Event::HandCountCorrected { position, .. } => Some(Irregularity::PlayerCount {
                position: position.0,
                withdraw: Vec::new(),
                reconstructed: true,
            }),
            Event::LateRemovalIgnored { position, area, owner, .. } => {
                let seat = self.round.seat(*position).and_then(Seat::holder);
                let player = (seat != Some(owner)).then(|| owner.to_string());
                Some(Irregularity::LateRemoval { position: position.0, area: *area, player })
            }
            Event::HandHandled { position, .. } => Some(Irregularity::HandHandled { position: position.0 }),
            Event::HandViewed { position } => Some(Irregularity::HandViewed { position: position.0 }),
            Event::PlayerProhibited { player, .. } => {
                let is_in = self.round.seats().any(|(_, seat)| plays(seat, player));
                let players = vec![player.to_string()];
                is_in.then_some(Irregularity::Prohibited { positions: Vec::new(), players })
            }
            Event::ActionStopped { player, .. } => {
                Some(Irregularity::ActionStopped { player: player.to_string() })
            }
            Event::PowerFailed { .. } => Some(Irregularity::PowerFailure { withdraw: Vec::new() }),
            Event::PlayerWithdrew { player, rule } => {
                let power = *rule == R5_16_1;
                let under = if power { WithdrawnUnder::PowerFailure } else { WithdrawnUnder::WrongHand };
                Some(Irregularity::Withdrawal { player: player.to_string(), under })
            }
            Event::RulingMade { ruling, .. } => {
                Some(Irregularity::Ruling { words: ruling.words.clone(), effects: ruling.effects.clone() })
            }
            _ => None,
        }
    }

    /// A misdeal that moving whole hands could correct: where they lay.
    fn resolved(&mut self, reconstructed: bool) -> Option<Irregularity> {
        let moves = self.misdeal.take()?;
        let pile = |(to, cards): (&Position, &u8)| {
            let from = moves.iter().find(|each| each.to == *to).map_or(*to, |each| each.from);
            PileRecord { position: from.0, cards: *cards }
        };
        let piles = self.dealt_to.iter().map(pile).collect();
        Some(Irregularity::Misdeal { piles, also: Vec::new(), reconstructed })
    }

    /// Notes an irregularity with its moment. Before bets and after a void round there is nothing that it could change;
    /// while bets are open a Player who is prohibited leaves no wager behind.
    fn report(&mut self, what: Irregularity) {
        let Some(at) = moment_of_stage(self.round.stage()) else { return };
        if at == Moment::Bets && matches!(what, Irregularity::Prohibited { .. }) {
            return;
        }
        let dealt = (at == Moment::Dealing).then_some(self.dealt);
        self.reports.push(Reported { what, at: Some(at), decided: self.decided(), dealt });
    }

    /// The positions that have decided at this stage.
    fn decided(&self) -> Vec<u8> {
        let first = self.round.book().first_area();
        let has_decided = |seat: &Seat| match self.round.stage() {
            Stage::Deciding(area) => {
                seat.decision(area).is_some() || area == first && seat.out() == Some(R5_11)
            }
            Stage::Showing => seat.is_shown() || seat.has_declined(),
            _ => false,
        };
        let seats = self.round.seats().filter(|(_, seat)| seat.has_wagers() && has_decided(seat));
        seats.map(|(position, _)| position.0).collect()
    }

    /// The hands whose cards the settlement needs although nobody shows them: a valid Jackpot wager looks at them.
    fn hands_needed(&self) -> BTreeSet<Position> {
        let looks = |seat: &Seat| {
            let mut lines = self.round.book().jackpot.lines_for(seat.has_folded());
            lines.any(|line| line.cards != JackpotCards::Community)
        };
        let in_jackpot = |seat: &Seat| seat.has(PlayingArea::Jackpot) && !seat.has_declined() && looks(seat);
        let needed = self.round.seats().filter(|(_, seat)| seat.out().is_none() && in_jackpot(seat));
        needed.map(|(position, _)| position).collect()
    }

    fn record(mut self, history: &History<'_>, jackpot: Option<JackpotState>) -> Record<'static> {
        self.drop_views();
        let seats = self.round.seats().filter(|(_, seat)| seat.has_wagers());
        let minimum = history.jackpot_minimum;
        let positions: Vec<PositionRecord<'static>> =
            seats.map(|(position, seat)| self.position(position, seat, minimum)).collect();
        let playing = |player: &&PlayerId| positions.iter().any(|seat| seat.has_player(player.name()));
        let named = |players: &BTreeSet<PlayerId>| -> Vec<String> {
            players.iter().filter(playing).map(ToString::to_string).collect()
        };
        let range = |range: &std::ops::RangeInclusive<Money>| [*range.start(), *range.end()];
        let book = self.round.book();
        let table = TableRecord {
            positions: history.positions,
            limits: LimitsRecord {
                ante: range(&history.limits.ante),
                bonus: history.limits.bonus.as_ref().map(range),
            },
            warned: named(&self.warned).into_iter().map(Cow::Owned).collect(),
            layout: history.layout,
            method: history.method.map(str::to_owned),
            informed: Some(named(&self.round.memory().informed)).filter(|informed| !informed.is_empty()),
            restricted: Vec::new(),
            prohibited: Vec::new(),
        };
        let full = |mut cards: Vec<Option<Card>>, count: usize| {
            cards.resize(count, None);
            cards
        };
        Record {
            id: Cow::Owned(history.id.clone()),
            rulebook: Cow::Owned(book.id.clone()),
            table,
            jackpot,
            community: full(self.round.community(), book.community_cards()),
            dealer: full(self.round.dealer_cards(), book.hand_cards()),
            positions,
            irregularities: self.reports,
        }
    }

    /// Which hands were viewed only matters where a Player had several in error.
    fn drop_views(&mut self) {
        let holder = |position: u8| self.round.seat(Position(position)).and_then(Seat::holder);
        let several: Vec<&PlayerId> = self
            .reports
            .iter()
            .filter_map(|report| match &report.what {
                Irregularity::SeveralHands { invalid, .. } => invalid.first().copied().and_then(holder),
                _ => None,
            })
            .collect();
        let matters = |report: &Reported| match report.what {
            Irregularity::HandViewed { position } => {
                holder(position).is_some_and(|holder| several.contains(&holder))
            }
            _ => true,
        };
        let kept = self.reports.iter().filter(|report| matters(report)).cloned().collect();
        self.reports = kept;
    }

    fn position(&self, position: Position, seat: &Seat, minimum: Option<Money>) -> PositionRecord<'static> {
        let holder = seat.holder().map_or("", PlayerId::name);
        let ante = seat.shares(PlayingArea::Ante, None);
        let bonus = seat.shares(PlayingArea::Bonus, None);
        let jackpot = seat.shares(PlayingArea::Jackpot, None);
        let own = |shares: &[Share]| shares.iter().all(|share| share.owner.name() == holder);
        let is_shared = !own(&ante) || !own(&bonus);
        let amount = |shares: &[Share]| shares.first().filter(|_| !is_shared).map(|share| share.amount);
        let by_credits = |shares: &[Share]| {
            shares.first().map(|share| share.means).filter(|means| *means == Means::Credits)
        };
        let unshared = |means: Option<Means>| means.filter(|_| !is_shared);
        let means = MeansRecord {
            ante: unshared(by_credits(&ante)),
            bonus: unshared(by_credits(&bonus)),
            jackpot: by_credits(&jackpot),
        };
        let times =
            |wager: &Share| wager.amount.multiple_of(minimum?).and_then(|times| u8::try_from(times).ok());
        PositionRecord {
            position: position.0,
            player: Cow::Owned(holder.to_owned()),
            ante: amount(&ante),
            bonus: amount(&bonus),
            jackpot: jackpot.first().and_then(times),
            shares: if is_shared { shares(&ante, &bonus) } else { Vec::new() },
            means: Some(means).filter(|means| *means != MeansRecord::default()),
            cards: self.cards(position, seat),
            decision: self.first_decision(position),
            turn: self.later_decision(position, PlayingArea::Turn),
            river: self.later_decision(position, PlayingArea::River),
            declines: seat.has_declined(),
        }
    }

    /// The cards of a hand, as far as the settlement needed them.
    fn cards(&self, position: Position, seat: &Seat) -> Vec<Option<Card>> {
        if !seat.is_dealt_in() {
            return Vec::new();
        }
        let is_needed = seat.is_shown() || self.needed.contains(&position);
        let mut cards: Vec<Option<Card>> = seat.cards().map(|card| card.filter(|_| is_needed)).collect();
        cards.resize(self.round.book().hand_cards(), None);
        cards
    }

    fn first_decision(&self, position: Position) -> Option<FirstDecision> {
        let made = self.made.get(&(position, self.round.book().first_area()))?;
        Some(match made {
            Made::Decided(Decision::Wager) => FirstDecision::Bet,
            Made::Decided(Decision::Fold | Decision::Check) => FirstDecision::Fold,
            Made::Absent => FirstDecision::Absent,
        })
    }

    fn later_decision(&self, position: Position, area: PlayingArea) -> Option<LaterDecision> {
        let made = self.made.get(&(position, area))?;
        Some(match made {
            Made::Decided(Decision::Wager) => LaterDecision::Bet,
            Made::Decided(Decision::Fold | Decision::Check) => LaterDecision::Check,
            Made::Absent => LaterDecision::Absent,
        })
    }
}

/// Whether a Player holds a hand of the round, or has a wager on one.
fn plays(seat: &Seat, player: &PlayerId) -> bool {
    let owns = |area| seat.shares(area, None).iter().any(|share| share.owner == *player);
    seat.has_wagers()
        && (seat.holder() == Some(player) || owns(PlayingArea::Ante) || owns(PlayingArea::Bonus))
}

/// The shares in the order in which they were placed.
fn shares(ante: &[Share], bonus: &[Share]) -> Vec<ShareRecord> {
    let share = |share: &Share, area: PlayingArea| ShareRecord {
        player: share.owner.to_string(),
        ante: (area == PlayingArea::Ante).then_some(share.amount),
        bonus: (area == PlayingArea::Bonus).then_some(share.amount),
        means: Some(share.means).filter(|means| *means == Means::Credits),
    };
    let antes = ante.iter().map(|one| share(one, PlayingArea::Ante));
    antes.chain(bonus.iter().map(|one| share(one, PlayingArea::Bonus))).collect()
}
