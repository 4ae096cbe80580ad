//! Guided handling: for a round and an irregularity, what the rules allow now, who may decide it, and what each
//! choice would do to every wager. A Dealer's console shows exactly this.

use money::Money;
use rulebook::{Clause, Means, Office, PlayingArea, Position, R3_10_1, R5_12_1, R5_12_2, Rule};
use serde::{Deserialize, Serialize};

use super::DECK;
use crate::command::{Asker, CardFault, Command, Decision, Effect, FoundPile, PlayerId, Ruling, TablePile};
use crate::event::Event;
use crate::offices::Permission;
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::settlement::{Judgement, Outcome};
use crate::stage::Stage;
use crate::state::Round;

/// What went wrong, in the words of the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "what", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Irregularity {
    /// Cards are extra, missing, foreign or unshuffled.
    BadCards { fault: CardFault },
    /// The cards were counted by hand.
    CardsCounted { counted: u8 },
    /// The cards were dealt incorrectly: the cards at each position, in the order dealt, and whether the board or the
    /// Dealer was dealt incorrectly too.
    Misdeal {
        piles: Vec<FoundPile>,
        #[serde(default)]
        also: Vec<TablePile>,
    },
    /// The board or the Dealer has the wrong number of cards.
    TableCount {},
    /// Cards were wrongly exposed.
    ExposedCards { cards: u8 },
    /// A hand has the wrong number of cards.
    HandCount { position: Position },
    /// A hand was not kept confidential.
    NotConfidential { player: PlayerId },
    /// A Player controls several hands in error.
    SeveralHands { player: PlayerId },
    /// A Player is absent when a decision is due.
    Absent { position: Position },
    /// A wager is placed after "No more bets".
    LateWager { position: Position, area: PlayingArea, player: PlayerId },
    /// A wager is removed after "No more bets".
    WagerTakenOff { position: Position, area: PlayingArea, player: PlayerId },
    /// A Jackpot wager has no Ante.
    LoneJackpotWager { position: Position },
    /// A hand declines comparison.
    Declined { position: Position },
    /// A Player takes too many positions.
    TooManyPositions { player: PlayerId },
    /// A Player touched the cards of a hand without viewing them.
    Handled { position: Position },
    /// A Player viewed a hand at the table, perhaps not the first.
    Viewed { position: Position },
    /// A decision was keyed wrongly.
    DecisionMiskeyed { position: Position },
    /// The amount of a wager was keyed wrongly; the right one.
    WagerMiskeyed { position: Position, area: PlayingArea, player: PlayerId, amount: Money },
    /// The power failed.
    PowerFailure {},
    /// No rule covers it; described in words.
    Uncovered { words: String },
}

/// What a choice would do to one Player's wager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WagerEffect {
    /// The position of the wager.
    pub position: Position,
    pub area: PlayingArea,
    pub owner: PlayerId,
    pub amount: Money,
    /// The rule under which it would be returned, if it would.
    pub returned_under: Option<Rule>,
    /// The rule under which it would be lost because of this choice alone, if it would.
    pub collected_under: Option<Rule>,
}

/// A choice for handling an irregularity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The command that carries it out.
    pub command: Command,
    /// Who may give it.
    pub who: Permission,
    /// The clause that allows it.
    pub clause: Clause,
    /// What it would do to every wager on the table.
    pub wagers: Vec<WagerEffect>,
}

/// The choices that the rules allow now, or why there are none.
pub fn guide(round: &Round, irregularity: &Irregularity) -> Result<Vec<Choice>, Refusal> {
    if let Irregularity::LoneJackpotWager { position } = irregularity
        && round.seat(*position).and_then(|seat| seat.jackpot.as_ref()?.out) == Some(R5_12_2)
    {
        // After "No more bets" there is no choice: the wager is returned when the round ends.
        return round.refuse(Reason::LoneJackpotReturns, R5_12_2);
    }
    let mut refused = None;
    let mut choices = Vec::new();
    for command in remedies(round, irregularity) {
        match round.decide(&Asker::Staff(Office::GamingShiftManager), &command) {
            Ok(events) => choices.push(choice(round, command, &events)),
            Err(refusal) => refused = refused.or(Some(refusal)),
        }
    }
    match refused {
        Some(refusal) if choices.is_empty() => Err(refusal),
        _ => Ok(choices),
    }
}

fn choice(round: &Round, command: Command, events: &[Event]) -> Choice {
    let mut after = round.clone();
    for event in events {
        after.evolve(event);
    }
    let who = round.who_may(&command);
    let rule = events.iter().find_map(Event::rule).unwrap_or(R5_12_1);
    Choice { who, clause: round.clause(rule), wagers: wagers(round, &after, rule), command }
}

/// The commands that deal with an irregularity, whether or not they would be accepted now.
fn remedies(round: &Round, irregularity: &Irregularity) -> Vec<Command> {
    match irregularity {
        // Once the round is settled, a count decides (5.8): that all cards are there, or that one is missing or extra.
        Irregularity::BadCards { fault: CardFault::Extra } if round.stage() == Stage::Concluded => {
            vec![
                Command::CountCards { counted: DECK },
                Command::CountCards { counted: DECK.saturating_add(1) },
            ]
        }
        Irregularity::BadCards { fault: CardFault::Missing } if round.stage() == Stage::Concluded => {
            vec![
                Command::CountCards { counted: DECK },
                Command::CountCards { counted: DECK.saturating_sub(1) },
            ]
        }
        Irregularity::BadCards { fault } => vec![Command::DeclareBadCards { fault: *fault }],
        Irregularity::CardsCounted { counted } => vec![Command::CountCards { counted: *counted }],
        Irregularity::Misdeal { piles, also } if round.misdeal.is_none() => {
            vec![Command::ReportMisdeal { piles: piles.clone(), also: also.clone() }]
        }
        Irregularity::Misdeal { .. } => vec![Command::Reconstruct {}, Command::GiveUpReconstruction {}],
        Irregularity::TableCount {} => both(|reconstructed| Command::ReportTableCount { reconstructed }),
        Irregularity::ExposedCards { cards } => vec![Command::ReportExposedCards { cards: *cards }],
        Irregularity::HandCount { position } => {
            let mut commands =
                both(|reconstructed| Command::ReportHandCount { position: *position, reconstructed });
            commands.push(Command::PermitWithdrawals {});
            commands.extend(withdrawals(round).filter(|_| round.withdrawals_permitted));
            commands
        }
        Irregularity::NotConfidential { player } => {
            vec![Command::ProhibitPlayer { player: player.clone(), reason: None }]
        }
        Irregularity::SeveralHands { player } => several_hands(round, player),
        Irregularity::Absent { position } => vec![Command::ReportAbsent { position: *position }],
        Irregularity::LateWager { position, area, player: owner } => {
            let (position, area, owner) = (*position, *area, owner.clone());
            let (amount, means) = (*round.limits.ante.start(), Means::Chips);
            vec![Command::PlaceWager { position, area, owner, amount, means }]
        }
        Irregularity::WagerTakenOff { position, area, player: owner } => {
            vec![Command::TakeBackWager { position: *position, area: *area, owner: owner.clone() }]
        }
        Irregularity::LoneJackpotWager { position } => lone_jackpot(round, *position),
        Irregularity::Declined { position } => vec![
            Command::DeclineComparison { position: *position },
            Command::ViewDeclinedHand { position: *position },
        ],
        Irregularity::TooManyPositions { player } => vec![Command::RestrictPlayer { player: player.clone() }],
        Irregularity::Handled { position } => vec![Command::ReportHandled { position: *position }],
        Irregularity::Viewed { position } => vec![Command::ViewHand { position: *position }],
        Irregularity::DecisionMiskeyed { position } => {
            let decisions = [Decision::Wager, Decision::Check, Decision::Fold];
            let correct = |decision| Command::CorrectDecision { position: *position, decision };
            decisions.into_iter().map(correct).collect()
        }
        Irregularity::WagerMiskeyed { position, area, player, amount } => {
            let (position, area, owner, amount) = (*position, *area, player.clone(), *amount);
            vec![Command::CorrectWager { position, area, owner, amount }]
        }
        Irregularity::PowerFailure {} => power_failure(round),
        Irregularity::Uncovered { words } => uncovered(words),
    }
}

fn both(command: impl Fn(bool) -> Command) -> Vec<Command> {
    vec![command(true), command(false)]
}

/// The hands to invalidate: those not viewed, or all but the first dealt if none was viewed. If every hand was viewed,
/// all play on.
fn several_hands(round: &Round, player: &PlayerId) -> Vec<Command> {
    let theirs = |(_, seat): &(Position, &Seat)| {
        seat.is_dealt_in() && seat.out.is_none() && seat.holder.as_ref() == Some(player)
    };
    let hands: Vec<(Position, &Seat)> = round.seats().filter(theirs).collect();
    let none_viewed = !hands.iter().any(|(_, seat)| seat.viewed);
    let unviewed = hands.iter().filter(|(_, seat)| !seat.viewed).map(|(position, _)| *position);
    let positions: Vec<Position> = unviewed.skip(usize::from(none_viewed)).collect();
    let stop = Command::StopAction { player: player.clone(), reason: None };
    let invalidate = (!positions.is_empty()).then_some(Command::InvalidateHands { positions });
    invalidate.into_iter().chain(std::iter::once(stop)).collect()
}

/// Before "No more bets": take it back, or place the minimum Ante. After it, the wager is already invalid.
fn lone_jackpot(round: &Round, position: Position) -> Vec<Command> {
    let holder = round.seat(position).filter(|seat| seat.jackpot.is_some() && seat.ante.is_empty());
    let Some(owner) = holder.and_then(|seat| seat.holder.clone()) else {
        return Vec::new();
    };
    let means = Means::Credits;
    let amount = *round.limits.ante.start();
    let area = PlayingArea::Jackpot;
    let take_back = Command::TakeBackWager { position, area, owner: owner.clone() };
    if round.stage() != Stage::BetsOpen {
        return Vec::new();
    }
    vec![Command::PlaceWager { position, area: PlayingArea::Ante, owner, amount, means }, take_back]
}

/// First report it; then each Player is asked, and play resumes.
fn power_failure(round: &Round) -> Vec<Command> {
    if !round.power_out {
        return vec![Command::ReportPowerFailure {}];
    }
    let answers = round.unanswered().into_iter().flat_map(|player| {
        [
            Command::Withdraw { player: player.clone() },
            Command::StayIn { player: player.clone() },
            Command::ReportNoAnswer { player },
        ]
    });
    answers.chain(std::iter::once(Command::ResumePlay {})).collect()
}

/// The withdrawals of all Players who have a wager on the table.
fn withdrawals(round: &Round) -> impl Iterator<Item = Command> {
    let mut players: Vec<&PlayerId> =
        round.seats.iter().flat_map(Seat::wagers).map(|share| &share.owner).collect();
    players.sort_unstable();
    players.dedup();
    players.into_iter().map(|player| Command::Withdraw { player: player.clone() })
}

/// Play goes on, or the round is void. A ruling on single wagers is made in its own words.
fn uncovered(words: &str) -> Vec<Command> {
    let ruling = |effects| Command::MakeRuling { ruling: Ruling { words: words.to_owned(), effects } };
    vec![ruling(Vec::new()), ruling(vec![Effect::Void])]
}

/// Every wager on the table, and whether it would be returned. `rule` applies if the choice simply removes it.
fn wagers(before: &Round, after: &Round, rule: Rule) -> Vec<WagerEffect> {
    let mut effects = Vec::new();
    for (position, seat) in before.seats() {
        for area in before.book.areas() {
            for share in seat.shares(*area, before.book.multiple_of_ante(*area)).iter() {
                let (returned_under, collected_under) = after.end_of(position, *area, &share.owner, rule);
                let (owner, amount, area) = (share.owner.clone(), share.amount, *area);
                effects.push(WagerEffect { position, area, owner, amount, returned_under, collected_under });
            }
        }
    }
    effects
}

impl Round {
    /// The rules under which a wager would be returned or lost, if it would. A wager that is no longer there was
    /// removed while bets were open.
    fn end_of(
        &self,
        position: Position,
        area: PlayingArea,
        owner: &PlayerId,
        taken_off: Rule,
    ) -> (Option<Rule>, Option<Rule>) {
        let Some(seat) = self.seat(position) else {
            return (None, None);
        };
        let shares = seat.shares(area, self.book.multiple_of_ante(area));
        let Some(share) = shares.iter().find(|share| share.owner == *owner) else {
            return (Some(taken_off), None);
        };
        if share.out.is_some() {
            return (share.out, None);
        }
        let ended = self.ended_early(position, seat, area).or_else(|| self.given_up(seat, area));
        let rule =
            |outcome| ended.filter(|judgement| judgement.outcome == outcome).map(|judgement| judgement.rule);
        (rule(Outcome::Returned), rule(Outcome::Collected))
    }

    /// The judgement on a folded or declined hand, as far as it follows from that alone. The Jackpot wager of a
    /// folded hand is still in play.
    fn given_up(&self, seat: &Seat, area: PlayingArea) -> Option<Judgement> {
        if area == PlayingArea::Jackpot {
            return seat.has_declined().then_some(Judgement::plain(Outcome::Collected, R3_10_1));
        }
        (seat.has_folded() || seat.has_declined()).then(|| self.judge(&self.facts(seat), area))
    }
}

impl Event {
    /// The rule that an event cites, if any.
    pub fn rule(&self) -> Option<Rule> {
        match self {
            Event::WagerTakenBack { rule, .. } => *rule,
            Event::LateRemovalIgnored { rule, .. }
            | Event::JackpotWagerInvalid { rule, .. }
            | Event::Decided { rule, .. }
            | Event::DecisionCorrected { rule, .. }
            | Event::WagerCorrected { rule, .. }
            | Event::ComparisonDeclined { rule, .. }
            | Event::DeclinedHandViewed { rule, .. }
            | Event::BadCardsDeclared { rule, .. }
            | Event::CardsCounted { rule, .. }
            | Event::MisdealFound { rule, .. }
            | Event::HandsMoved { rule, .. }
            | Event::TableCountCorrected { rule }
            | Event::HandCountCorrected { rule, .. }
            | Event::CardsExposed { rule, .. }
            | Event::HandOut { rule, .. }
            | Event::BonusForfeited { rule, .. }
            | Event::ShareOut { rule, .. }
            | Event::WithdrawalsPermitted { rule }
            | Event::PlayerWithdrew { rule, .. }
            | Event::PlayerStayed { rule, .. }
            | Event::HandHandled { rule, .. }
            | Event::PlayerRestricted { rule, .. }
            | Event::RestrictionLifted { rule, .. }
            | Event::PlayerProhibited { rule, .. }
            | Event::PlayerReadmitted { rule, .. }
            | Event::ActionStopped { rule, .. }
            | Event::PlayerWarned { rule, .. }
            | Event::PowerFailed { rule, .. }
            | Event::PlayResumed { rule }
            | Event::RulingMade { rule, .. }
            | Event::RoundVoided { rule } => Some(*rule),
            Event::PlayerInformed { .. }
            | Event::PositionTaken { .. }
            | Event::PositionLeft { .. }
            | Event::BetsOpened
            | Event::WagerPlaced { .. }
            | Event::BetsClosed
            | Event::CardDealt { .. }
            | Event::CardRead { .. }
            | Event::Exposed { .. }
            | Event::HandViewed { .. }
            | Event::HandShown { .. }
            | Event::Settled { .. }
            | Event::RoundClosed => None,
        }
    }
}
