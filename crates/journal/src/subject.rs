//! What an entry is about, so that it can be found without reading the stream it stands in. The stores keep these
//! subjects beside the entries, written in the same transaction. They say nothing that the entries do not say: a
//! store that has lost them makes them again.

use std::collections::BTreeSet;
use std::fmt;

use jackpot::{AwardNumber, EntryId};
use round::PlayerId;

use crate::entry::Body;
use crate::event::{Event, HouseEvent, LinkEvent, TableEvent};
use crate::row::event_name;
use crate::stored::{TABLE_ROUND_V1, TABLE_V1, decode};

/// The event that settles a round.
const SETTLED: &str = "settled";

/// The ordinary events of a round that are about a subject. Most are not, and need not be read.
const ORDINARY_ABOUT: [&str; 2] = ["player-informed", SETTLED];

/// The other events of a table that its settlements depend on.
const AROUND: [&str; 3] = ["opened", "rules-taken", "round-began"];

/// What entries of a stream can be looked up by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// The beginning of every round of a table.
    Rounds,
    /// The beginning of one round of a table.
    Round(u64),
    /// The opening of the house, a table or a link; of a table each time it opened.
    Opened,
    /// New limits of the house or of a table.
    Limits,
    /// What was signed for a table or a link and holds from an hour on.
    Planned,
    /// Another key that signs for the house.
    SigningKey,
    /// The changes of rules that the house signed for, and those that a table took.
    Rules,
    /// The slips of fixed prizes that a table gave out.
    Slips,
    /// What a table remembers of a Player from round to round; what the house wrote of their admission and warnings.
    Player(PlayerId),
    /// A Player's chain of salts at a table.
    Salts(PlayerId),
    /// The settlements of a table that a Player had wagers in.
    Settled(PlayerId),
    /// What the reports of a table are made of: see [`is_reported`].
    Reported,
    /// A proposal to the house.
    Proposal(u64),
    /// The starts and stops of nodes.
    Service,
    /// The settings of a link, in force or scheduled.
    Settings,
    /// What a link made of a round of a table.
    Entered(EntryId),
    /// An award of a link, from its entry to its end.
    Award(AwardNumber),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Rounds => write!(f, "rounds"),
            Subject::Round(number) => write!(f, "round/{number}"),
            Subject::Opened => write!(f, "opened"),
            Subject::Limits => write!(f, "limits"),
            Subject::Planned => write!(f, "planned"),
            Subject::SigningKey => write!(f, "signing-key"),
            Subject::Rules => write!(f, "rules"),
            Subject::Slips => write!(f, "slips"),
            Subject::Player(player) => write!(f, "player/{player}"),
            Subject::Salts(player) => write!(f, "salts/{player}"),
            Subject::Settled(player) => write!(f, "settled/{player}"),
            Subject::Reported => write!(f, "reported"),
            Subject::Proposal(number) => write!(f, "proposal/{number}"),
            Subject::Service => write!(f, "service"),
            Subject::Settings => write!(f, "settings"),
            Subject::Entered(entry) => write!(f, "entered/{}/{}", entry.round, entry.table),
            Subject::Award(number) => write!(f, "award/{}", number.0),
        }
    }
}

/// A row of the index: an entry of a stream is about a subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Indexed {
    /// The number and the name of the stream in its database.
    pub number: i64,
    pub stream: String,
    pub subject: String,
    pub version: u64,
}

impl Default for Indexed {
    /// Before every row.
    fn default() -> Indexed {
        Indexed { number: i64::MIN, stream: String::new(), subject: String::new(), version: 0 }
    }
}

/// Which entries about a subject are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Those before a version, the newest first.
    Before(crate::names::Version),
    /// Those after a version, the oldest first.
    After(crate::names::Version),
}

/// Whether the event of a round with this name is nothing out of the ordinary.
pub fn is_ordinary(name: &str) -> bool {
    matches!(
        name,
        "player-informed"
            | "position-taken"
            | "position-left"
            | "bets-opened"
            | "wager-placed"
            | "wager-taken-back"
            | "bets-closed"
            | "card-dealt"
            | "card-read"
            | "exposed"
            | "hand-viewed"
            | "decided"
            | "hand-shown"
            | "comparison-declined"
            | "declined-hand-viewed"
            | SETTLED
            | "round-closed"
            | "play-resumed"
    )
}

/// Whether reports are made of an entry of this kind with an event of this name: the settlements of a table, all that is out
/// of the ordinary, and what these depend on. Most entries of a table are not.
pub fn is_reported(kind: &str, name: &str) -> bool {
    match kind {
        TABLE_ROUND_V1 => name == SETTLED || !is_ordinary(name),
        TABLE_V1 => AROUND.contains(&name),
        _ => false,
    }
}

/// What an event is about.
pub fn subjects(event: &Event) -> BTreeSet<Subject> {
    match event {
        Event::House(event) => of_house(event).into_iter().collect(),
        Event::Table(event) => of_table(event),
        Event::Link(event) => of_link(event),
        Event::Carried(_) => BTreeSet::new(),
    }
}

/// What a stored event is about. One that cannot be read is about nothing: whoever reads the log says so.
pub(crate) fn of_body(body: &Body) -> BTreeSet<Subject> {
    let name = event_name(body);
    if body.kind == TABLE_ROUND_V1 && is_ordinary(name) && !ORDINARY_ABOUT.contains(&name) {
        return BTreeSet::new();
    }
    decode(body).map(|event| subjects(&event)).unwrap_or_default()
}

fn of_house(event: &HouseEvent) -> Option<Subject> {
    match event {
        HouseEvent::Opened { .. } => Some(Subject::Opened),
        HouseEvent::LimitsChanged { .. } => Some(Subject::Limits),
        HouseEvent::SigningKeyChanged { .. } => Some(Subject::SigningKey),
        HouseEvent::RulesChanged { .. } => Some(Subject::Rules),
        HouseEvent::ServiceStarted { .. } | HouseEvent::ServiceStopped { .. } => Some(Subject::Service),
        HouseEvent::PlayLimitsSet { player, .. }
        | HouseEvent::PlayerProhibited { player, .. }
        | HouseEvent::PlayerReadmitted { player, .. }
        | HouseEvent::WarningSet { player, .. } => Some(Subject::Player(player.clone())),
        HouseEvent::Proposed { number, .. } => Some(Subject::Proposal(*number)),
        HouseEvent::Appointed { .. }
        | HouseEvent::ActingAppointed { .. }
        | HouseEvent::ActingEnded { .. }
        | HouseEvent::Dismissed { .. }
        | HouseEvent::Invited { .. }
        | HouseEvent::CredentialSet { .. }
        | HouseEvent::SecondFactorSet { .. }
        | HouseEvent::SessionEnded { .. }
        | HouseEvent::SessionBegan { .. }
        | HouseEvent::SignInRefused { .. }
        | HouseEvent::CommandDenied { .. }
        | HouseEvent::PlayerRegistered { .. }
        | HouseEvent::GuestForgotten { .. }
        | HouseEvent::BoughtIn { .. }
        | HouseEvent::CreditsGranted { .. }
        | HouseEvent::CashedOut { .. }
        | HouseEvent::DebtRepaid { .. }
        | HouseEvent::Confirmed { .. }
        | HouseEvent::Withdrawn { .. }
        | HouseEvent::RollbackAccepted { .. }
        | HouseEvent::DaySigned { .. }
        | HouseEvent::FindingNoted { .. }
        | HouseEvent::DeviceKeyMade { .. }
        | HouseEvent::DeviceKeyRevoked { .. }
        | HouseEvent::RollbackSigned { .. } => None,
    }
}

fn of_table(event: &TableEvent) -> BTreeSet<Subject> {
    match event {
        TableEvent::Opened { .. } => BTreeSet::from([Subject::Opened, Subject::Reported]),
        TableEvent::LimitsChanged { .. } | TableEvent::LimitsTaken { .. } => {
            BTreeSet::from([Subject::Limits])
        }
        TableEvent::LimitsPlanned { .. } => BTreeSet::from([Subject::Planned]),
        TableEvent::RulesTaken { .. } => BTreeSet::from([Subject::Rules, Subject::Reported]),
        TableEvent::RoundBegan { number, .. } => {
            BTreeSet::from([Subject::Rounds, Subject::Round(*number), Subject::Reported])
        }
        TableEvent::PrizeSigned { .. } => BTreeSet::from([Subject::Slips]),
        TableEvent::SaltsCommitted { player, .. } | TableEvent::SaltOpened { player, .. } => {
            BTreeSet::from([Subject::Salts(player.clone())])
        }
        TableEvent::SaltsWithheld { players } => players.iter().cloned().map(Subject::Salts).collect(),
        TableEvent::Round(event) => of_round(event),
        TableEvent::LastRoundAnnounced
        | TableEvent::Closed
        | TableEvent::DeckBrought { .. }
        | TableEvent::SupervisorCalled
        | TableEvent::CallAnswered
        | TableEvent::ReaderStopped { .. }
        | TableEvent::ReaderCleared { .. }
        | TableEvent::PlayersAsked { .. }
        | TableEvent::MeterShown { .. }
        | TableEvent::ShuffleCommitted { .. }
        | TableEvent::SaltsAwaited { .. }
        | TableEvent::SeedDiscarded { .. }
        | TableEvent::ShuffleSalted { .. }
        | TableEvent::ShuffleOpened { .. }
        | TableEvent::ShuffleLost => BTreeSet::new(),
    }
}

fn of_round(event: &round::Event) -> BTreeSet<Subject> {
    let mut subjects = if let round::Event::PlayerInformed { player }
    | round::Event::PlayerRestricted { player, .. }
    | round::Event::RestrictionLifted { player, .. }
    | round::Event::PlayerProhibited { player, .. }
    | round::Event::PlayerReadmitted { player, .. }
    | round::Event::PlayerWarned { player, .. } = event
    {
        BTreeSet::from([Subject::Player(player.clone())])
    } else if let round::Event::Settled { settlement } = event {
        settlement.lines.iter().map(|line| Subject::Settled(line.owner.clone())).collect()
    } else {
        BTreeSet::new()
    };
    if is_round_event_reported(event) {
        subjects.insert(Subject::Reported);
    }
    subjects
}

/// What [`is_reported`] says by the name of an event.
const fn is_round_event_reported(event: &round::Event) -> bool {
    use round::Event as Round;
    match event {
        Round::PlayerInformed { .. }
        | Round::PositionTaken { .. }
        | Round::PositionLeft { .. }
        | Round::BetsOpened
        | Round::WagerPlaced { .. }
        | Round::WagerTakenBack { .. }
        | Round::BetsClosed
        | Round::CardDealt { .. }
        | Round::CardRead { .. }
        | Round::Exposed { .. }
        | Round::HandViewed { .. }
        | Round::Decided { .. }
        | Round::HandShown { .. }
        | Round::ComparisonDeclined { .. }
        | Round::DeclinedHandViewed { .. }
        | Round::RoundClosed
        | Round::PlayResumed { .. } => false,
        Round::Settled { .. }
        | Round::LateRemovalIgnored { .. }
        | Round::JackpotWagerInvalid { .. }
        | Round::HandHandled { .. }
        | Round::DecisionCorrected { .. }
        | Round::WagerCorrected { .. }
        | Round::BadCardsDeclared { .. }
        | Round::CardsCounted { .. }
        | Round::MisdealFound { .. }
        | Round::HandsMoved { .. }
        | Round::TableCountCorrected { .. }
        | Round::HandCountCorrected { .. }
        | Round::CardsExposed { .. }
        | Round::HandOut { .. }
        | Round::BonusForfeited { .. }
        | Round::ShareOut { .. }
        | Round::WithdrawalsPermitted { .. }
        | Round::PlayerWithdrew { .. }
        | Round::PlayerStayed { .. }
        | Round::PlayerRestricted { .. }
        | Round::RestrictionLifted { .. }
        | Round::PlayerProhibited { .. }
        | Round::PlayerReadmitted { .. }
        | Round::ActionStopped { .. }
        | Round::PlayerWarned { .. }
        | Round::PowerFailed { .. }
        | Round::RulingMade { .. }
        | Round::RoundVoided { .. } => true,
    }
}

fn of_link(event: &LinkEvent) -> BTreeSet<Subject> {
    use jackpot::Event as Jackpot;
    match event {
        LinkEvent::Opened { .. } => BTreeSet::from([Subject::Opened, Subject::Settings]),
        LinkEvent::Won { winners, .. } => winners.iter().map(|winner| Subject::Award(winner.award)).collect(),
        LinkEvent::SlipPrinted { award, .. } => BTreeSet::from([Subject::Award(*award)]),
        LinkEvent::BookAdded { .. } => BTreeSet::from([Subject::Settings]),
        LinkEvent::SettingsPlanned { .. } => BTreeSet::from([Subject::Planned]),
        LinkEvent::Jackpot(event) => match event {
            Jackpot::RoundEntered { entry, .. }
            | Jackpot::EntryReversed { entry, .. }
            | Jackpot::FixedPrizesCorrected { entry, .. } => {
                BTreeSet::from([Subject::Entered(entry.clone())])
            }
            Jackpot::AwardEntered { award, .. } => {
                BTreeSet::from([Subject::Entered(award.entry.clone()), Subject::Award(award.number)])
            }
            Jackpot::AwardVerified { award, .. }
            | Jackpot::AwardApproved { award, .. }
            | Jackpot::DueDiligenceRecorded { award, .. }
            | Jackpot::AwardPaid { award, .. }
            | Jackpot::AwardReleased { award, .. }
            | Jackpot::RulingMade { award, .. } => BTreeSet::from([Subject::Award(*award)]),
            Jackpot::AwardRejected { restoration, .. }
            | Jackpot::AwardTakenBack { restoration, .. }
            | Jackpot::AwardReplaced { restoration, .. } => {
                BTreeSet::from([Subject::Award(restoration.award)])
            }
            Jackpot::SettingsApplied { .. } | Jackpot::ReconfigurationScheduled { .. } => {
                BTreeSet::from([Subject::Settings])
            }
            Jackpot::MeterAdjusted { .. }
            | Jackpot::FaultFound { .. }
            | Jackpot::FaultCleared { .. }
            | Jackpot::ClosingAnnounced { .. }
            | Jackpot::LinkClosed { .. }
            | Jackpot::MoneyReceived { .. }
            | Jackpot::TableLost { .. }
            | Jackpot::TableRestored { .. } => BTreeSet::new(),
        },
    }
}
