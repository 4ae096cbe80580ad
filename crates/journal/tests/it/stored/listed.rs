//! Every variant of every type that is stored. Each list is matched without a wildcard, so a variant that is added and
//! has no sample breaks the build here or fails a test.

use cards::HandOrder;
use jackpot::{AwardState, Cause, Event as JackpotEvent, RejectCause, Step};
use journal::{
    CredentialChange, Currency, Dealing, DeskCommand, HouseCommand, HouseEvent, LinkEvent, OwnCommand,
    PlayerKind, Proposal, Staffing, TableEvent,
};
use money::Odds;
use round::{
    Asker, CardFault, Command, Decision, Effect, Event as RoundEvent, Exposure, Outcome, Place, RuledOutcome,
};
use rulebook::{JackpotCards, Means, Office, PlayingArea};

use super::leaves::Leaves;
use super::samples;

/// Declares a closed list of words, in full.
macro_rules! words {
    ($($list:ident: $type:ident { $($variant:ident),* $(,)? })*) => {$(
        pub(super) const $list: &[$type] = {
            const fn in_full(word: $type) -> $type {
                match word {
                    $($type::$variant => word,)*
                }
            }
            &[$(in_full($type::$variant)),*]
        };
    )*};
}

words! {
    AREAS: PlayingArea { Ante, Bonus, Flop, Turn, River, Bet, Jackpot }
    MEANS: Means { Credits, Chips }
    OFFICES: Office { Dealer, PitSupervisor, PitManager, GamingShiftManager }
    HANDS: HandOrder {
        FiveOddCards, OnePair, TwoPairs, ThreeOfAKind, Straight, Flush, FullHouse, FourOfAKind, StraightFlush, RoyalFlush,
    }
    JACKPOT_CARDS: JackpotCards {
        Hand, HoleAndFlop, HoleToTurn, HoleToRiver, HoleToRiverWithHoleCard, Community,
    }
    DECISIONS: Decision { Fold, Wager, Check }
    FAULTS: CardFault { Extra, Missing, Foreign, Unshuffled }
    EXPOSURES: Exposure { UpCard, FlopCards, TurnCard, RiverCard, DealerHand }
    STATES: AwardState { Entered, Verified, Approved, Paid, Rejected }
    STEPS: Step { Verified, Approved, Paid, Rejected, Ruled }
    REJECT_CAUSES: RejectCause { HandNotQualified, DeckIncomplete, WagerNotStanding, EnteredInError }
    CAUSES: Cause {
        MalfunctionTooLow, MalfunctionTooHigh, OverTheCap, OverflowRelease, ReserveTransfer, SeedRecovery,
    }
    PLAYER_KINDS: PlayerKind { Member, Guest, House }
    DEALINGS: Dealing { Software, Live }
    STAFFINGS: Staffing { Automatic, Staffed }
    CURRENCIES: Currency { Play, Real }
    CREDENTIAL_CHANGES: CredentialChange { SetUp, Invitation, Changed, Withdrawn }
}

/// Checks that there is a sample of every variant, all of which must be named.
macro_rules! all_sampled {
    ($samples:expr, $type:ident { $($variant:ident),* $(,)? }) => {{
        let samples = $samples;
        let in_full = |sample: &$type| match sample {
            $($type::$variant { .. } => {})*
        };
        samples.iter().for_each(in_full);
        $(
            let sampled = samples.iter().any(|sample| matches!(sample, $type::$variant { .. }));
            assert!(sampled, "{} has no sample, and so no golden line", stringify!($variant));
        )*
    }};
}

#[test]
fn every_part_has_a_sample() {
    let plain = &mut Leaves::Plain;
    all_sampled!(samples::bys(plain), Asker { Player, Staff });
    all_sampled!(samples::places(plain), Place { Player, Community, Dealer });
    all_sampled!(samples::odds(plain), Odds { To, For });
    all_sampled!(samples::outcomes(plain), Outcome { Paid, Won, Collected, StandOff, Returned });
    all_sampled!(samples::ruled_outcomes(plain), RuledOutcome { Paid, Collected, StandOff, Returned });
    all_sampled!(samples::effects(plain), Effect { Void, HandOut, Wager });
    all_sampled!(
        samples::proposals(plain),
        Proposal {
            RejectAward,
            RuleOnAward,
            AdjustMeter,
            Reconfigure,
            UndoRound,
            Rule,
            Appoint,
            Dismiss,
            InviteStaff,
            BuyIn,
            CashOut,
            OpenLink,
            ChangeTableLimits,
            ChangeHouseLimits,
        }
    );
}

#[test]
fn every_command_has_a_sample() {
    all_sampled!(
        samples::commands(&mut Leaves::Plain),
        Command {
            InformPlayer,
            TakePosition,
            LeavePosition,
            OpenBets,
            PlaceWager,
            TakeBackWager,
            CloseBets,
            DealCard,
            ReadCard,
            Expose,
            ViewHand,
            Decide,
            ShowHand,
            DeclineComparison,
            ViewDeclinedHand,
            Settle,
            BeginNextRound,
            DeclareBadCards,
            CountCards,
            ReportMisdeal,
            Reconstruct,
            GiveUpReconstruction,
            ReportTableCount,
            ReportExposedCards,
            ReportHandCount,
            PermitWithdrawals,
            Withdraw,
            RestrictPlayer,
            LiftRestriction,
            ProhibitPlayer,
            ReadmitPlayer,
            InvalidateHands,
            StopAction,
            ReportAbsent,
            ReportPowerFailure,
            ResumePlay,
            MakeRuling,
        }
    );
}

#[test]
fn every_command_of_a_floor_has_a_sample() {
    let plain = &mut Leaves::Plain;
    all_sampled!(
        samples::house_commands(plain),
        HouseCommand {
            OpenHouse,
            Appoint,
            Invite,
            SetCredential,
            RegisterPlayer,
            BuyIn,
            GrantCredits,
            CashOut,
            RepayDebt,
            OpenLink,
            OpenTable,
            Propose,
            Confirm,
            WithdrawProposal,
        }
    );
    all_sampled!(
        samples::own_commands(plain),
        OwnCommand { DealAll, GiveSalt, ChangeLimits, AnnounceLastRound, Close, Reopen }
    );
    all_sampled!(
        samples::desk_commands(plain),
        DeskCommand { Verify, Approve, RecordDueDiligence, Pay, LoseTable, RestoreTable }
    );
}

#[test]
fn every_event_of_a_round_has_a_sample() {
    all_sampled!(
        samples::round_events(&mut Leaves::Plain),
        RoundEvent {
            PlayerInformed,
            PositionTaken,
            PositionLeft,
            BetsOpened,
            WagerPlaced,
            WagerTakenBack,
            LateRemovalIgnored,
            BetsClosed,
            JackpotWagerInvalid,
            CardDealt,
            CardRead,
            Exposed,
            HandViewed,
            Decided,
            HandShown,
            ComparisonDeclined,
            DeclinedHandViewed,
            Settled,
            RoundClosed,
            BadCardsDeclared,
            CardsCounted,
            MisdealFound,
            HandsMoved,
            TableCountCorrected,
            HandCountCorrected,
            CardsExposed,
            HandOut,
            BonusForfeited,
            ShareOut,
            WithdrawalsPermitted,
            PlayerWithdrew,
            PlayerRestricted,
            RestrictionLifted,
            PlayerProhibited,
            PlayerReadmitted,
            ActionStopped,
            PlayerWarned,
            PowerFailed,
            PlayResumed,
            RulingMade,
            RoundVoided,
        }
    );
}

#[test]
fn every_event_of_a_meter_has_a_sample() {
    all_sampled!(
        samples::jackpot_events(&mut Leaves::Plain),
        JackpotEvent {
            RoundEntered,
            AwardEntered,
            SettingsApplied,
            AwardVerified,
            AwardApproved,
            DueDiligenceRecorded,
            AwardPaid,
            AwardRejected,
            AwardTakenBack,
            RulingMade,
            EntryReversed,
            MeterAdjusted,
            ReconfigurationScheduled,
            TableLost,
            TableRestored,
        }
    );
}

#[test]
fn every_event_of_a_floor_has_a_sample() {
    let plain = &mut Leaves::Plain;
    all_sampled!(
        samples::house_events(plain),
        HouseEvent {
            Opened,
            Appointed,
            Dismissed,
            Invited,
            CredentialSet,
            LimitsChanged,
            PlayerRegistered,
            BoughtIn,
            CreditsGranted,
            CashedOut,
            DebtRepaid,
            PlayerProhibited,
            PlayerReadmitted,
            Proposed,
            Confirmed,
            Withdrawn,
        }
    );
    let of_rounds = samples::round_events(plain).into_iter().map(TableEvent::Round);
    let of_tables: Vec<TableEvent> = samples::table_events(plain).into_iter().chain(of_rounds).collect();
    all_sampled!(
        of_tables,
        TableEvent {
            Opened,
            LimitsChanged,
            LastRoundAnnounced,
            Closed,
            RoundBegan,
            Round,
            ShuffleCommitted,
            SaltGiven,
            ShuffleSalted,
            ShuffleOpened,
        }
    );
    let of_meters = samples::jackpot_events(plain).into_iter().map(LinkEvent::Jackpot);
    let of_links: Vec<LinkEvent> = samples::link_events(plain).into_iter().chain(of_meters).collect();
    all_sampled!(of_links, LinkEvent { Opened, Jackpot, Won });
}
