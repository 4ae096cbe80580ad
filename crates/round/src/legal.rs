//! The commands that are possible next. Every command of a finite list is tried with `decide`; those it accepts are
//! legal.

use std::ops::RangeInclusive;

use cards::CardSet;
use money::Money;
use rulebook::{Means, PlayingArea, Position, Rule, SharedMinimum};

use crate::command::{Asker, CardFault, Command, Decision, PlayerId, Ruling, TablePile};
use crate::event::Event;
use crate::refusal::{Reason, Refusal};
use crate::settlement::WAGER_CENTS_MAX;
use crate::state::Round;

/// A command that would be accepted now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Legal {
    /// The command. Free parameters (the piles of a misdeal, the words of a ruling) are examples; other valid values
    /// work too.
    pub command: Command,
    /// For an Ante or a Bonus, placed or corrected: every amount that would be accepted.
    pub amounts: Option<RangeInclusive<Money>>,
    /// The first rule cited by its events, if any.
    pub rule: Option<Rule>,
}

/// Which legal commands to find, and how.
#[derive(Clone, Copy)]
pub struct LegalQuery<'a> {
    /// Who would give them.
    pub by: &'a Asker,
    /// The Players who may place wagers and take positions.
    pub players: &'a [PlayerId],
    /// Whether unread cards can be read whenever a command needs them, as with a software shuffle.
    pub reads_cards: bool,
    /// Whether to try each unseen card at each place, which makes a long list.
    pub every_card: bool,
    /// Commands for which this is false are not tried. A view needs only a few, and trying all is slow.
    pub wanted: &'a dyn Fn(&Command) -> bool,
}

impl Round {
    /// Everything that `by` may do next. `players` are those who may place wagers and take positions.
    pub fn legal_commands(&self, by: &Asker, players: &[PlayerId]) -> Vec<Legal> {
        self.legal(LegalQuery { by, players, reads_cards: false, every_card: true, wanted: &|_| true })
    }

    pub fn legal(&self, query: LegalQuery<'_>) -> Vec<Legal> {
        let mut legal = self.legal_wagers(query);
        let corrections = self.legal_corrections(query.players).into_iter();
        legal.extend(
            corrections
                .filter(|legal| (query.wanted)(&legal.command) && self.takes(query, &legal.command).is_ok()),
        );
        for command in self.candidates(query) {
            if (query.wanted)(&command)
                && let Ok(rule) = self.takes(query, &command)
            {
                legal.push(Legal { command, amounts: None, rule });
            }
        }
        legal
    }

    /// The rule cited by a command that would be accepted, or why it would be refused. For a power failure the
    /// outcome is not judged here, because that is slow.
    fn takes(&self, query: LegalQuery<'_>, command: &Command) -> Result<Option<Rule>, Refusal> {
        if matches!(command, Command::ReportPowerFailure {}) {
            return self.check_power_failure(query.by).map(|()| None);
        }
        match self.decide(query.by, command) {
            Ok(events) => Ok(events.iter().find_map(Event::rule)),
            Err(refusal) if query.reads_cards && refusal.reason == Reason::CardNotRead => Ok(None),
            Err(refusal) => Err(refusal),
        }
    }

    /// Wagers on Ante and Bonus, with the amounts that keep the area within its limits. Jackpot wagers are listed one
    /// by one.
    fn legal_wagers(&self, query: LegalQuery<'_>) -> Vec<Legal> {
        let mut legal = Vec::new();
        for (position, area, owner) in self.places(query.players) {
            for means in [Means::Credits, Means::Chips] {
                let wager =
                    |amount| Command::PlaceWager { position, area, owner: owner.clone(), amount, means };
                let amounts = self.amounts(position, area, means);
                for amounts in amounts {
                    let command = wager(*amounts.start());
                    if !(query.wanted)(&command) {
                        continue;
                    }
                    let is_one = amounts.start() == amounts.end();
                    let takes_max = is_one || self.takes(query, &wager(*amounts.end())).is_ok();
                    if let (Ok(rule), true) = (self.takes(query, &command), takes_max) {
                        let amounts = Some(amounts).filter(|_| area != PlayingArea::Jackpot);
                        legal.push(Legal { command, amounts, rule });
                    }
                }
            }
        }
        legal
    }

    fn places(&self, players: &[PlayerId]) -> Vec<(Position, PlayingArea, PlayerId)> {
        let areas = [PlayingArea::Ante, PlayingArea::Bonus, PlayingArea::Jackpot];
        let at = |position: Position| {
            let of =
                move |area: PlayingArea| players.iter().map(move |player| (position, area, player.clone()));
            areas.into_iter().flat_map(of)
        };
        self.seats().flat_map(|(position, _)| at(position)).collect()
    }

    /// The amounts to try on an area: what is left within its limits, or each multiple of the Jackpot minimum.
    fn amounts(&self, position: Position, area: PlayingArea, means: Means) -> Vec<RangeInclusive<Money>> {
        if area == PlayingArea::Jackpot {
            let Some(minimum) = self.jackpot_minimum else {
                return Vec::new();
            };
            let multiples = self.book.jackpot.multiples.clone();
            return multiples
                .filter_map(|times| minimum.times(times.into()).ok())
                .map(|amount| amount..=amount)
                .collect();
        }
        let shares = self.seat(position).map(|seat| seat.shares(area, None)).unwrap_or_default();
        let placed = Money::sum(shares.iter().map(|share| share.amount)).unwrap_or(Money::ZERO);
        let cent = Money::from_cents(1);
        let (min, max) = match self.limits_of(area).filter(|_| means == Means::Credits) {
            Some(limits) => (*limits.start(), *limits.end()),
            None => (cent, Money::from_cents(WAGER_CENTS_MAX)),
        };
        let may_be_under = self.book.shared_minimum == SharedMinimum::Wager;
        let min = if may_be_under { cent } else { min.minus(placed).unwrap_or(cent).max(cent) };
        max.minus(placed).filter(|max| min <= *max).map(|max| min..=max).into_iter().collect()
    }

    /// All other commands, for the positions, Players and cards of this round.
    fn candidates(&self, query: LegalQuery<'_>) -> Vec<Command> {
        let players = query.players;
        let mut commands = vec![
            Command::OpenBets {},
            Command::CloseBets {},
            Command::DealCard { card: None },
            Command::Expose {},
            Command::Settle {},
            Command::BeginNextRound {},
            Command::Reconstruct {},
            Command::GiveUpReconstruction {},
            Command::PermitWithdrawals {},
            Command::ReportPowerFailure {},
            Command::ResumePlay {},
            Command::ReportTableCount { reconstructed: true },
            Command::ReportTableCount { reconstructed: false },
            Command::ReportExposedCards { cards: 1 },
            Command::ReportExposedCards { cards: 2 },
            Command::CountCards { counted: 52 },
            Command::CountCards { counted: 51 },
            Command::ReportMisdeal { piles: Vec::new(), also: vec![TablePile::Dealer] },
            Command::MakeRuling { ruling: Ruling { words: "play goes on".to_owned(), effects: Vec::new() } },
        ];
        let faults = [CardFault::Extra, CardFault::Missing, CardFault::Foreign, CardFault::Unshuffled];
        commands.extend(faults.map(|fault| Command::DeclareBadCards { fault }));
        commands.extend(players.iter().flat_map(for_player));
        commands.extend(self.seats().flat_map(|(position, _)| for_position(position)));
        for (position, _) in self.seats() {
            commands.extend(
                players.iter().map(|player| Command::TakePosition { position, player: player.clone() }),
            );
        }
        commands.extend(self.take_backs(players));
        if query.every_card {
            commands.extend(self.card_commands());
        }
        if (query.wanted)(&Command::InvalidateHands { positions: Vec::new() }) {
            commands.extend(self.hand_sets().map(|positions| Command::InvalidateHands { positions }));
        }
        commands
    }

    fn take_backs(&self, players: &[PlayerId]) -> Vec<Command> {
        let mut commands = Vec::new();
        for (position, _) in self.seats() {
            for area in self.book.areas() {
                for owner in players {
                    commands.push(Command::TakeBackWager { position, area: *area, owner: owner.clone() });
                }
            }
        }
        commands
    }

    /// Each unseen card as the next card, and at each place that has a card.
    fn card_commands(&self) -> Vec<Command> {
        let unseen = || CardSet::FULL.difference(self.seen).iter();
        let mut commands: Vec<Command> =
            unseen().map(|card| Command::DealCard { card: Some(card) }).collect();
        for place in self.order.iter().take(self.dealt) {
            commands.extend(unseen().map(|card| Command::ReadCard { place: *place, card }));
        }
        commands
    }

    /// Every set of positions except the empty one.
    fn hand_sets(&self) -> impl Iterator<Item = Vec<Position>> {
        let positions: Vec<Position> = self.seats().map(|(position, _)| position).collect();
        let sets = 1_u16.checked_shl(u32::try_from(positions.len()).unwrap_or(0)).unwrap_or(1);
        (1..sets).map(move |set| {
            let chosen = positions.iter().enumerate().filter(|(place, _)| {
                set.checked_shr(u32::try_from(*place).unwrap_or(0)).unwrap_or(0) & 1 == 1
            });
            chosen.map(|(_, position)| *position).collect()
        })
    }
}

fn for_player(player: &PlayerId) -> [Command; 9] {
    let player = || player.clone();
    [
        Command::InformPlayer { player: player() },
        Command::Withdraw { player: player() },
        Command::StayIn { player: player() },
        Command::ReportNoAnswer { player: player() },
        Command::RestrictPlayer { player: player() },
        Command::LiftRestriction { player: player() },
        Command::ProhibitPlayer { player: player(), reason: None },
        Command::ReadmitPlayer { player: player() },
        Command::StopAction { player: player(), reason: None },
    ]
}

fn for_position(position: Position) -> [Command; 15] {
    [
        Command::LeavePosition { position },
        Command::ViewHand { position },
        Command::Decide { position, decision: Decision::Fold },
        Command::Decide { position, decision: Decision::Wager },
        Command::Decide { position, decision: Decision::Check },
        Command::CorrectDecision { position, decision: Decision::Fold },
        Command::CorrectDecision { position, decision: Decision::Wager },
        Command::CorrectDecision { position, decision: Decision::Check },
        Command::ShowHand { position },
        Command::DeclineComparison { position },
        Command::ViewDeclinedHand { position },
        Command::ReportHandCount { position, reconstructed: true },
        Command::ReportHandCount { position, reconstructed: false },
        Command::ReportAbsent { position },
        Command::ReportHandled { position },
    ]
}
