//! A command as a form, so that what a guide proposes can be sent as it is.

use money::Odds;
use round::{CardFault, Decision, Effect, Place, PlayerId, RuledOutcome};
use rulebook::{Means, PlayingArea};

use super::{
    AreaForm, DecisionForm, EffectForm, FaultForm, MeansForm, OutcomeForm, PileForm, PlaceForm, TableForm,
};

impl TableForm {
    /// A command to the round as a form, so that what a guide proposes can be sent as it is.
    pub fn of(command: &round::Command) -> TableForm {
        use round::Command as To;
        let name = |player: &PlayerId| player.name().to_owned();
        match command {
            To::TakePosition { position, player } => {
                TableForm::TakePosition { position: position.0, player: Some(name(player)) }
            }
            To::LeavePosition { position } => TableForm::LeavePosition { position: position.0 },
            To::InformPlayer { player } => TableForm::InformPlayer { player: name(player) },
            To::OpenBets => TableForm::OpenBets,
            To::PlaceWager { position, area, owner, amount, means } => TableForm::PlaceWager {
                position: position.0,
                area: (*area).into(),
                amount: amount.cents(),
                owner: Some(name(owner)),
                means: (*means).into(),
            },
            To::TakeBackWager { position, area, owner } => TableForm::TakeBackWager {
                position: position.0,
                area: (*area).into(),
                owner: Some(name(owner)),
            },
            To::CloseBets => TableForm::CloseBets,
            To::DealCard { card } => TableForm::DealCard { card: *card },
            To::ReadCard { place, card } => TableForm::ReadCard { place: (*place).into(), card: *card },
            To::Expose => TableForm::Expose,
            To::ViewHand { position } => TableForm::ViewHand { position: position.0 },
            To::Decide { position, decision } => {
                TableForm::Decide { position: position.0, decision: (*decision).into() }
            }
            To::ShowHand { position } => TableForm::ShowHand { position: position.0 },
            To::DeclineComparison { position } => TableForm::DeclineComparison { position: position.0 },
            To::ViewDeclinedHand { position } => TableForm::ViewDeclinedHand { position: position.0 },
            To::Settle => TableForm::Settle,
            To::BeginNextRound => TableForm::BeginNextRound,
            To::DeclareBadCards { fault } => TableForm::DeclareBadCards { fault: (*fault).into() },
            To::CountCards { counted } => TableForm::CountCards { counted: *counted },
            To::ReportMisdeal { piles } => TableForm::ReportMisdeal {
                piles: piles
                    .iter()
                    .map(|(position, cards)| PileForm { position: position.0, cards: *cards })
                    .collect(),
            },
            To::Reconstruct => TableForm::Reconstruct,
            To::GiveUpReconstruction => TableForm::GiveUpReconstruction,
            To::ReportTableCount { reconstructed } => {
                TableForm::ReportTableCount { reconstructed: *reconstructed }
            }
            To::ReportExposedCards { cards } => TableForm::ReportExposedCards { cards: *cards },
            To::ReportHandCount { position, reconstructed } => {
                TableForm::ReportHandCount { position: position.0, reconstructed: *reconstructed }
            }
            To::PermitWithdrawals => TableForm::PermitWithdrawals,
            To::Withdraw { player } => TableForm::Withdraw { player: Some(name(player)) },
            To::RestrictPlayer { player } => TableForm::RestrictPlayer { player: name(player) },
            To::LiftRestriction { player } => TableForm::LiftRestriction { player: name(player) },
            To::ProhibitPlayer { player } => TableForm::ProhibitPlayer { player: name(player) },
            To::ReadmitPlayer { player } => TableForm::ReadmitPlayer { player: name(player) },
            To::InvalidateHands { positions } => TableForm::InvalidateHands {
                positions: positions.iter().map(|position| position.0).collect(),
            },
            To::StopAction { player } => TableForm::StopAction { player: name(player) },
            To::ReportAbsent { position } => TableForm::ReportAbsent { position: position.0 },
            To::ReportPowerFailure => TableForm::ReportPowerFailure,
            To::ResumePlay => TableForm::ResumePlay,
            To::MakeRuling { ruling } => TableForm::MakeRuling {
                words: ruling.words.clone(),
                effects: ruling.effects.iter().copied().map(Into::into).collect(),
            },
        }
    }
}

impl From<PlayingArea> for AreaForm {
    fn from(area: PlayingArea) -> AreaForm {
        match area {
            PlayingArea::Ante => AreaForm::Ante,
            PlayingArea::Bonus => AreaForm::Bonus,
            PlayingArea::Flop => AreaForm::Flop,
            PlayingArea::Turn => AreaForm::Turn,
            PlayingArea::River => AreaForm::River,
            PlayingArea::Bet => AreaForm::Bet,
            PlayingArea::Jackpot => AreaForm::Jackpot,
        }
    }
}

impl From<Means> for MeansForm {
    fn from(means: Means) -> MeansForm {
        match means {
            Means::Credits => MeansForm::Credits,
            Means::Chips => MeansForm::Chips,
        }
    }
}

impl From<Decision> for DecisionForm {
    fn from(decision: Decision) -> DecisionForm {
        match decision {
            Decision::Fold => DecisionForm::Fold,
            Decision::Wager => DecisionForm::Wager,
            Decision::Check => DecisionForm::Check,
        }
    }
}

impl From<CardFault> for FaultForm {
    fn from(fault: CardFault) -> FaultForm {
        match fault {
            CardFault::Extra => FaultForm::Extra,
            CardFault::Missing => FaultForm::Missing,
            CardFault::Foreign => FaultForm::Foreign,
            CardFault::Unshuffled => FaultForm::Unshuffled,
        }
    }
}

impl From<Place> for PlaceForm {
    fn from(place: Place) -> PlaceForm {
        match place {
            Place::Player(position, at) => PlaceForm::Player { position: position.0, at },
            Place::Community(at) => PlaceForm::Community { at },
            Place::Dealer(at) => PlaceForm::Dealer { at },
        }
    }
}

impl From<Effect> for EffectForm {
    fn from(effect: Effect) -> EffectForm {
        match effect {
            Effect::Void => EffectForm::Void,
            Effect::HandOut(position) => EffectForm::HandOut { position: position.0 },
            Effect::Wager(position, area, outcome) => {
                EffectForm::Wager { position: position.0, area: area.into(), outcome: outcome.into() }
            }
        }
    }
}

impl From<RuledOutcome> for OutcomeForm {
    fn from(outcome: RuledOutcome) -> OutcomeForm {
        match outcome {
            RuledOutcome::Paid(Odds::To(odds)) => OutcomeForm::PaidTo(odds),
            RuledOutcome::Paid(Odds::For(odds)) => OutcomeForm::PaidFor(odds),
            RuledOutcome::Collected => OutcomeForm::Collected,
            RuledOutcome::StandOff => OutcomeForm::StandOff,
            RuledOutcome::Returned => OutcomeForm::Returned,
        }
    }
}
