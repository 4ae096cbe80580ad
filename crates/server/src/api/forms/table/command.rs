//! A form as the command it asks for.

use floor::{OpenTable, TableCommand};
use journal::{Dealing, LinkId, Staffing};
use money::{Money, Odds};
use round::{CardFault, Decision, Effect, Place, PlayerId, RuledOutcome, Ruling};
use rulebook::{Limits, Means, PlayingArea, Position};

use super::{
    AreaForm, DealingForm, DecisionForm, EffectForm, FaultForm, LimitsForm, MeansForm, OutcomeForm,
    PlaceForm, SetupForm, StaffingForm, TableForm,
};
use crate::api::forms::{Asker, FormError};

impl From<AreaForm> for PlayingArea {
    fn from(area: AreaForm) -> PlayingArea {
        match area {
            AreaForm::Ante => PlayingArea::Ante,
            AreaForm::Bonus => PlayingArea::Bonus,
            AreaForm::Flop => PlayingArea::Flop,
            AreaForm::Turn => PlayingArea::Turn,
            AreaForm::River => PlayingArea::River,
            AreaForm::Bet => PlayingArea::Bet,
            AreaForm::Jackpot => PlayingArea::Jackpot,
        }
    }
}

impl From<MeansForm> for Means {
    fn from(means: MeansForm) -> Means {
        match means {
            MeansForm::Credits => Means::Credits,
            MeansForm::Chips => Means::Chips,
        }
    }
}

impl From<DecisionForm> for Decision {
    fn from(decision: DecisionForm) -> Decision {
        match decision {
            DecisionForm::Fold => Decision::Fold,
            DecisionForm::Wager => Decision::Wager,
            DecisionForm::Check => Decision::Check,
        }
    }
}

impl From<FaultForm> for CardFault {
    fn from(fault: FaultForm) -> CardFault {
        match fault {
            FaultForm::Extra => CardFault::Extra,
            FaultForm::Missing => CardFault::Missing,
            FaultForm::Foreign => CardFault::Foreign,
            FaultForm::Unshuffled => CardFault::Unshuffled,
        }
    }
}

impl From<PlaceForm> for Place {
    fn from(place: PlaceForm) -> Place {
        match place {
            PlaceForm::Player { position, at } => Place::Player(Position(position), at),
            PlaceForm::Community { at } => Place::Community(at),
            PlaceForm::Dealer { at } => Place::Dealer(at),
        }
    }
}

impl From<EffectForm> for Effect {
    fn from(effect: EffectForm) -> Effect {
        match effect {
            EffectForm::Void => Effect::Void,
            EffectForm::HandOut { position } => Effect::HandOut(Position(position)),
            EffectForm::Wager { position, area, outcome } => {
                Effect::Wager(Position(position), area.into(), outcome.into())
            }
        }
    }
}

impl From<OutcomeForm> for RuledOutcome {
    fn from(outcome: OutcomeForm) -> RuledOutcome {
        match outcome {
            OutcomeForm::PaidTo(odds) => RuledOutcome::Paid(Odds::To(odds)),
            OutcomeForm::PaidFor(odds) => RuledOutcome::Paid(Odds::For(odds)),
            OutcomeForm::Collected => RuledOutcome::Collected,
            OutcomeForm::StandOff => RuledOutcome::StandOff,
            OutcomeForm::Returned => RuledOutcome::Returned,
        }
    }
}

impl From<LimitsForm> for Limits {
    fn from(limits: LimitsForm) -> Limits {
        let range = |[least, most]: [u64; 2]| Money::from_cents(least)..=Money::from_cents(most);
        Limits { ante: range(limits.ante), bonus: limits.bonus.map(range) }
    }
}

impl From<SetupForm> for OpenTable {
    fn from(setup: SetupForm) -> OpenTable {
        OpenTable {
            rulebook: setup.rulebook,
            positions: setup.positions,
            limits: setup.limits.into(),
            method: setup.method,
            dealing: match setup.dealing {
                DealingForm::Software => Dealing::Software,
                DealingForm::Live => Dealing::Live,
            },
            staffing: match setup.staffing {
                StaffingForm::Automatic => Staffing::Automatic,
                StaffingForm::Staffed => Staffing::Staffed,
            },
            link: setup.link.as_deref().map(LinkId::new),
        }
    }
}

impl TableForm {
    /// The command, where `asker` stands in for a Player who is not named.
    pub fn command(self, asker: &Asker) -> Result<TableCommand, FormError> {
        match self {
            TableForm::DealAll => Ok(TableCommand::DealAll),
            TableForm::GiveSalt { salt, player } => {
                Ok(TableCommand::GiveSalt { player: asker.player(player)?, salt })
            }
            TableForm::ChangeLimits { limits } => Ok(TableCommand::ChangeLimits { limits: limits.into() }),
            TableForm::AnnounceLastRound => Ok(TableCommand::AnnounceLastRound),
            TableForm::Close => Ok(TableCommand::Close),
            TableForm::Reopen { setup } => Ok(TableCommand::Reopen { setup: setup.into() }),
            in_round => in_round.round_command(asker).map(TableCommand::Round),
        }
    }

    /// The command to the round.
    pub fn round_command(self, asker: &Asker) -> Result<round::Command, FormError> {
        use round::Command as To;
        let player = |name: String| PlayerId::new(&name);
        Ok(match self {
            TableForm::TakePosition { position, player } => {
                To::TakePosition { position: Position(position), player: asker.player(player)? }
            }
            TableForm::LeavePosition { position } => To::LeavePosition { position: Position(position) },
            TableForm::InformPlayer { player: name } => To::InformPlayer { player: player(name) },
            TableForm::OpenBets => To::OpenBets,
            TableForm::PlaceWager { position, area, amount, owner, means } => To::PlaceWager {
                position: Position(position),
                area: area.into(),
                owner: asker.player(owner)?,
                amount: Money::from_cents(amount),
                means: means.into(),
            },
            TableForm::TakeBackWager { position, area, owner } => To::TakeBackWager {
                position: Position(position),
                area: area.into(),
                owner: asker.player(owner)?,
            },
            TableForm::CloseBets => To::CloseBets,
            TableForm::DealCard { card } => To::DealCard { card },
            TableForm::ReadCard { place, card } => To::ReadCard { place: place.into(), card },
            TableForm::Expose => To::Expose,
            TableForm::ViewHand { position } => To::ViewHand { position: Position(position) },
            TableForm::Decide { position, decision } => {
                To::Decide { position: Position(position), decision: decision.into() }
            }
            TableForm::ShowHand { position } => To::ShowHand { position: Position(position) },
            TableForm::DeclineComparison { position } => {
                To::DeclineComparison { position: Position(position) }
            }
            TableForm::ViewDeclinedHand { position } => To::ViewDeclinedHand { position: Position(position) },
            TableForm::Settle => To::Settle,
            TableForm::BeginNextRound => To::BeginNextRound,
            TableForm::DeclareBadCards { fault } => To::DeclareBadCards { fault: fault.into() },
            TableForm::CountCards { counted } => To::CountCards { counted },
            TableForm::ReportMisdeal { piles } => To::ReportMisdeal {
                piles: piles.into_iter().map(|pile| (Position(pile.position), pile.cards)).collect(),
            },
            TableForm::Reconstruct => To::Reconstruct,
            TableForm::GiveUpReconstruction => To::GiveUpReconstruction,
            TableForm::ReportTableCount { reconstructed } => To::ReportTableCount { reconstructed },
            TableForm::ReportExposedCards { cards } => To::ReportExposedCards { cards },
            TableForm::ReportHandCount { position, reconstructed } => {
                To::ReportHandCount { position: Position(position), reconstructed }
            }
            TableForm::PermitWithdrawals => To::PermitWithdrawals,
            TableForm::Withdraw { player } => To::Withdraw { player: asker.player(player)? },
            TableForm::RestrictPlayer { player: name } => To::RestrictPlayer { player: player(name) },
            TableForm::LiftRestriction { player: name } => To::LiftRestriction { player: player(name) },
            TableForm::ProhibitPlayer { player: name } => To::ProhibitPlayer { player: player(name) },
            TableForm::ReadmitPlayer { player: name } => To::ReadmitPlayer { player: player(name) },
            TableForm::InvalidateHands { positions } => {
                To::InvalidateHands { positions: positions.into_iter().map(Position).collect() }
            }
            TableForm::StopAction { player: name } => To::StopAction { player: player(name) },
            TableForm::ReportAbsent { position } => To::ReportAbsent { position: Position(position) },
            TableForm::ReportPowerFailure => To::ReportPowerFailure,
            TableForm::ResumePlay => To::ResumePlay,
            TableForm::MakeRuling { words, effects } => To::MakeRuling {
                ruling: Ruling { words, effects: effects.into_iter().map(Into::into).collect() },
            },
            TableForm::DealAll
            | TableForm::GiveSalt { .. }
            | TableForm::ChangeLimits { .. }
            | TableForm::AnnounceLastRound
            | TableForm::Close
            | TableForm::Reopen { .. } => return Err(FormError::NotOfARound),
        })
    }
}
