//! Every variant of every type that is stored. A list here is matched without a wildcard, so a variant that is added and
//! has no sample breaks the build; commands and events are listed by their own readers, and one without a sample fails a
//! test.

use std::collections::BTreeSet;

use cards::HandOrder;
use jackpot::{AwardState, Cause, Department, PaidBy, RejectCause, Step};
use journal::{
    CredentialChange, Currency, Dealing, LinkEvent, PlayerKind, Proposal, ReaderFault, SecondFactorChange,
    SignInFault, SignInMeans, Staffing, TableEvent,
};
use money::Odds;
use round::{Asker, CardFault, Decision, Effect, Exposure, Outcome, Place, RuledOutcome};
use rulebook::{JackpotCards, Means, Office, PlayingArea};
use serde::Serialize;
use serde::de::DeserializeOwned;

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
    DEPARTMENTS: Department { TableGames, Accounting, Surveillance, Security, Regulator }
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
    STATES: AwardState { Entered, Verified, Approved, Paid, Rejected, Replaced }
    STEPS: Step { Verified, Approved, Paid, Rejected, Ruled }
    REJECT_CAUSES: RejectCause { HandNotQualified, DeckIncomplete, WagerNotStanding, EnteredInError }
    CAUSES: Cause {
        MalfunctionTooLow, MalfunctionTooHigh, OverTheCap, OverflowRelease, ReserveTransfer, SeedRecovery,
    }
    PAID_BY: PaidBy { Chips, Credits, Cash, Cheque }
    PLAYER_KINDS: PlayerKind { Member, Guest, House }
    DEALINGS: Dealing { Software, Live }
    STAFFINGS: Staffing { Automatic, Staffed }
    CURRENCIES: Currency { Play, Real, Practice }
    CREDENTIAL_CHANGES: CredentialChange { SetUp, Invitation, Changed, Withdrawn }
    SECOND_FACTOR_CHANGES: SecondFactorChange { Enrolled, RecoveryCodeUsed, Removed, Lost }
    SIGN_IN_MEANS: SignInMeans { Password, StepUp, PasswordChanged, Invitation }
    READER_FAULTS: ReaderFault { Lost, Doubled, Garbled, Refused, Restarted }
    SIGN_IN_FAULTS: SignInFault { Password, Code, TooMany }
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
            ClearFault,
            AnnounceClosing,
            CloseLink,
            RuleOnAward,
            AdjustMeter,
            Reconfigure,
            UndoRound,
            Rule,
            Appoint,
            AppointActing,
            Dismiss,
            InviteStaff,
            RemoveSecondFactor,
            BuyIn,
            CashOut,
            OpenLink,
            ChangeTableLimits,
            OpenTable,
            ChangeHouseLimits,
            ChangeSigningKey,
            ReleaseAward,
            SettleRound,
            SignDay,
            ChangeRules,
        }
    );
}

/// Checks that there is a sample of every variant.
fn check_all_sampled<T: Serialize + DeserializeOwned>(samples: &[T]) {
    let words: BTreeSet<String> = samples.iter().map(word).collect();
    let missing: Vec<String> = testkit::variants::<T>().difference(&words).cloned().collect();
    assert!(missing.is_empty(), "no sample, and so no golden line: {missing:?}");
}

/// The variant of a sample: the word behind `do`, or the word it is all about.
fn word<T: Serialize>(sample: &T) -> String {
    let value = serde_json::to_value(sample).expect("every form can be written");
    let outer = value.as_object().and_then(|fields| fields.keys().next());
    let word = value.get("do").unwrap_or(&value).as_str().or(outer.map(String::as_str));
    word.expect("a form has a word").to_owned()
}

#[test]
fn every_command_has_a_sample() {
    let plain = &mut Leaves::Plain;
    check_all_sampled(&samples::commands(plain));
    check_all_sampled(&samples::house_commands(plain));
    check_all_sampled(&samples::own_commands(plain));
    check_all_sampled(&samples::desk_commands(plain));
}

#[test]
fn every_event_has_a_sample() {
    let plain = &mut Leaves::Plain;
    check_all_sampled(&samples::round_events(plain));
    check_all_sampled(&samples::jackpot_events(plain));
    check_all_sampled(&samples::house_events(plain));
    let of_rounds = samples::round_events(plain).into_iter().map(TableEvent::Round);
    let of_tables: Vec<TableEvent> = samples::table_events(plain).into_iter().chain(of_rounds).collect();
    all_sampled!(
        of_tables,
        TableEvent {
            Opened,
            PrizeSigned,
            LimitsChanged,
            LimitsPlanned,
            LimitsTaken,
            RulesTaken,
            LastRoundAnnounced,
            Closed,
            RoundBegan,
            Round,
            PlayersAsked,
            MeterShown,
            ShuffleCommitted,
            SaltsCommitted,
            SaltsAwaited,
            SaltOpened,
            SaltsWithheld,
            SeedDiscarded,
            ShuffleSalted,
            ShuffleOpened,
            ShuffleLost,
            DeckBrought,
            SupervisorCalled,
            CallAnswered,
            ReaderStopped,
            ReaderCleared,
        }
    );
    let of_meters = samples::jackpot_events(plain).into_iter().map(LinkEvent::Jackpot);
    let of_links: Vec<LinkEvent> = samples::link_events(plain).into_iter().chain(of_meters).collect();
    all_sampled!(of_links, LinkEvent { Opened, Jackpot, Won, SlipPrinted, BookAdded, SettingsPlanned });
}
