//! What happened to the house: for the staff, and to each Player what is their own.

use jackpot::{Department, Post, TableId};
use journal::{
    AccountHolder, CredentialChange, Currency, DayRule, DeviceScope, HouseEvent, Moment, Proposal,
    SecondFactorChange,
};
use money::Money;
use round::PlayerId;
use rulebook::Office;

use super::Described;
use super::service::of_service;
use crate::view::EventKind;
use crate::view::desk::proposal_in_words;
use crate::view::feed::Facts;
use crate::view::{Viewer, words};

/// What an event of the house says.
#[expect(clippy::too_many_lines, reason = "one arm an event, in the order of the events")]
pub(crate) fn of_house(event: &HouseEvent, viewer: &Viewer) -> Option<Described> {
    let own = |player: &PlayerId| viewer.may_know_of(player).then_some(());
    let staff = || viewer.is_staff().then_some(());
    let said = match event {
        HouseEvent::Opened { name, money, gaming_day, .. } => {
            Described::new(EventKind::HouseOpened, opened(name, *money, *gaming_day), Facts::default())
        }
        HouseEvent::LimitsChanged { limits } => {
            staff()?;
            let sentence = proposal_in_words(&Proposal::ChangeHouseLimits { limits: *limits }, &[]);
            Described::new(EventKind::HouseLimitsChanged, sentence, Facts::default())
        }
        HouseEvent::SigningKeyChanged { key } => {
            staff()?;
            let sentence = proposal_in_words(&Proposal::ChangeSigningKey { key: *key }, &[]);
            Described::new(EventKind::SigningKeyChanged, sentence, Facts::default())
        }
        HouseEvent::DaySigned { .. } | HouseEvent::FindingNoted { .. } => of_day(event, viewer)?,
        HouseEvent::DeviceKeyMade { device, scope, until, .. } => {
            staff()?;
            let until = words::local_date_and_time(*until);
            let sentence = format!("Device {device} has a key until {until}: it {}.", scope_in_words(scope));
            Described::new(EventKind::DeviceKeyMade, sentence, Facts::default())
        }
        HouseEvent::DeviceKeyRevoked { device } => {
            staff()?;
            let sentence = format!("The key of device {device} is revoked.");
            Described::new(EventKind::DeviceKeyRevoked, sentence, Facts::default())
        }
        HouseEvent::RulesChanged { change } => {
            staff()?;
            let sentence = proposal_in_words(&Proposal::ChangeRules { change: change.clone() }, &[]);
            Described::new(EventKind::RulesChanged, sentence, Facts::default())
        }
        HouseEvent::Invited { who, .. } => {
            let facts = of_account(who, viewer)?;
            let sentence = format!("{} is invited to choose a password.", name(who));
            Described::new(EventKind::Invited, sentence, facts)
        }
        HouseEvent::CredentialSet { who, how, .. } => {
            let facts = of_account(who, viewer)?;
            Described::new(EventKind::CredentialSet, format!("{} {}", name(who), changed(*how)), facts)
        }
        HouseEvent::SecondFactorSet { person, how, .. } => {
            staff()?;
            let facts = Facts { person: Some(person.clone()), ..Facts::default() };
            Described::new(EventKind::SecondFactorSet, format!("{person} {}", factor_changed(*how)), facts)
        }
        HouseEvent::SessionEnded { who, .. } => {
            let facts = of_account(who, viewer)?;
            Described::new(EventKind::SessionEnded, format!("A session of {} ends.", name(who)), facts)
        }
        HouseEvent::SessionBegan { .. }
        | HouseEvent::SignInRefused { .. }
        | HouseEvent::CommandDenied { .. }
        | HouseEvent::ServiceStarted { .. }
        | HouseEvent::ServiceStopped { .. }
        | HouseEvent::RollbackAccepted { .. }
        | HouseEvent::RollbackSigned { .. } => return of_service(event, viewer),
        HouseEvent::Appointed { person, office, department } => {
            staff()?;
            let post = Post::new(*department, *office);
            appointed(EventKind::Appointed, person, Some(post), works_from_here(person, post))
        }
        HouseEvent::ActingEnded { person } => staff().map(|()| acts_no_longer(person))?,
        HouseEvent::ActingAppointed { person, office, from, until } => {
            staff().map(|()| acts(person, *office, [*from, *until]))?
        }
        HouseEvent::Dismissed { person } => staff().map(|()| dismissed(person))?,
        HouseEvent::PlayerRegistered { player, kind } => own(player).map(|()| registered(player, *kind))?,
        HouseEvent::GuestForgotten { player, credits } => {
            own(player).map(|()| forgotten(player, *credits))?
        }
        HouseEvent::BoughtIn { player, amount, identity, .. } => {
            own(player)?;
            let sentence = format!("{player} buys in {amount}.");
            money(EventKind::BoughtIn, player, *amount, sentence, identity.as_ref())
        }
        HouseEvent::CreditsGranted { player, amount, .. } => {
            own(player)?;
            let sentence = format!("{player} is given {amount} to play.");
            money(EventKind::CreditsGranted, player, *amount, sentence, None)
        }
        HouseEvent::CashedOut { player, amount, identity, .. } => {
            own(player)?;
            let sentence = format!("{player} cashes out {amount}.");
            money(EventKind::CashedOut, player, *amount, sentence, identity.as_ref())
        }
        HouseEvent::DebtRepaid { player, amount } => {
            own(player)?;
            money(EventKind::DebtRepaid, player, *amount, format!("{player} gives back {amount}."), None)
        }
        HouseEvent::PlayLimitsSet { player, limits } => {
            own(player)?;
            let sentence =
                format!("{player} sets own limits for a gaming day: {}.", words::play_limits(limits));
            Described::new(EventKind::PlayLimitsSet, sentence, of_player(player, None))
        }
        HouseEvent::PlayerProhibited { player, at, reason } => {
            own(player)?;
            let sentence =
                format!("{player} is prohibited at every table.{}", words::because(reason.as_deref()));
            decided_at(EventKind::PlayerProhibited, player, at, sentence)
        }
        HouseEvent::PlayerReadmitted { player, at } => {
            own(player)?;
            let sentence = format!("{player} is admitted again at every table.");
            decided_at(EventKind::PlayerReadmitted, player, at, sentence)
        }
        HouseEvent::WarningSet { player, at, stands } => {
            own(player)?;
            decided_at(EventKind::PlayerWarned, player, at, warning(player, at, *stands))
        }
        HouseEvent::Proposed { number, proposal, by, changes, .. } => {
            staff()?;
            let sentence = proposal_in_words(proposal, changes);
            numbered(EventKind::Proposed, *number, by, format!("Proposal {number}: {sentence}"))
        }
        HouseEvent::Confirmed { number, by } => {
            staff()?;
            numbered(EventKind::Confirmed, *number, by, format!("Proposal {number} is confirmed."))
        }
        HouseEvent::Withdrawn { number, by } => {
            staff()?;
            numbered(EventKind::Withdrawn, *number, by, format!("Proposal {number} is withdrawn."))
        }
    };
    Some(said)
}

fn works_from_here(person: &jackpot::Person, post: Post) -> String {
    match post.office() {
        Some(office) => format!("{person} is {office} from here on."),
        None => format!("{person} is of {} from here on.", post.department),
    }
}

fn acts(person: &jackpot::Person, office: Office, time: [Moment; 2]) -> Described {
    let [from, until] = time.map(words::local_date_and_time);
    let sentence = format!("{person} is acting {office} from {from} until {until}.");
    let post = Post::new(Department::TableGames, office);
    appointed(EventKind::ActingAppointed, person, Some(post), sentence)
}

fn dismissed(person: &jackpot::Person) -> Described {
    appointed(EventKind::Dismissed, person, None, format!("{person} holds no office any more."))
}

fn acts_no_longer(person: &jackpot::Person) -> Described {
    let sentence = format!("{person} no longer acts in another office.");
    appointed(EventKind::ActingEnded, person, None, sentence)
}

fn opened(name: &str, money: Currency, gaming_day: DayRule) -> String {
    let opened = match money {
        Currency::Play => format!("{name} opens as a demonstration with play money."),
        Currency::Real => format!("{name} opens for real money."),
        Currency::Practice => format!("{name} opens as a practice floor, without money."),
    };
    if gaming_day.is_default() { opened } else { format!("{opened} A gaming day is {gaming_day}.") }
}

fn registered(player: &PlayerId, kind: journal::PlayerKind) -> Described {
    let sentence = format!("{player} is registered as a {}.", words::kind(kind));
    Described::new(EventKind::PlayerRegistered, sentence, of_player(player, None))
}

fn forgotten(player: &PlayerId, credits: Money) -> Described {
    let sentence = format!("{player}, a guest who left, is forgotten; {credits} go back.");
    money(EventKind::GuestForgotten, player, credits, sentence, None)
}

/// What was signed for a gaming day, or found about its figures: for the staff.
fn of_day(event: &HouseEvent, viewer: &Viewer) -> Option<Described> {
    viewer.is_staff().then_some(())?;
    if let HouseEvent::DaySigned { day, log, checks, words } = event {
        let signed = Proposal::SignDay { day: *day, log: *log, checks: *checks, words: words.clone() };
        return Some(Described::new(EventKind::DaySigned, proposal_in_words(&signed, &[]), Facts::default()));
    }
    let HouseEvent::FindingNoted { day, about, words, by } = event else { return None };
    let day = words::local_date(*day);
    let sentence = format!("{} notes about {about} on gaming day {day}: {words}", by.person);
    let facts = Facts { person: Some(by.person.clone()), ..at_post(Some(by.post())) };
    Some(Described::new(EventKind::FindingNoted, sentence, facts))
}

/// What the key of a device opens.
pub fn scope_in_words(scope: &DeviceScope) -> String {
    match scope {
        DeviceScope::Shoe { table } => format!("enters the cards of table {table}"),
        DeviceScope::Sign { link } => format!("reads link {link}"),
        DeviceScope::Accounting {} => "reads reports and exports".to_owned(),
        DeviceScope::Follower {} => "follows finished rounds and awards".to_owned(),
    }
}

/// What became of a password.
const fn changed(how: CredentialChange) -> &'static str {
    match how {
        CredentialChange::SetUp => "receives a password from the system.",
        CredentialChange::Invitation => "chooses a password with an invitation.",
        CredentialChange::Changed => "changes the password.",
        CredentialChange::Withdrawn => "can no longer sign in.",
    }
}

/// What became of a second factor.
const fn factor_changed(how: SecondFactorChange) -> &'static str {
    match how {
        SecondFactorChange::Enrolled => "signs in with a second factor from here on.",
        SecondFactorChange::RecoveryCodeUsed => "signs with a recovery code, which is used up.",
        SecondFactorChange::Removed => "removes the second factor.",
        SecondFactorChange::Lost => "has lost the second factor; two people remove it.",
    }
}

/// Whose account it is, where the viewer may know of it.
pub(super) fn of_account(who: &AccountHolder, viewer: &Viewer) -> Option<Facts> {
    match who {
        AccountHolder::Staff(person) => {
            viewer.is_staff().then(|| Facts { person: Some(person.clone()), ..Facts::default() })
        }
        AccountHolder::Player(player) => viewer.may_know_of(player).then(|| of_player(player, None)),
    }
}

pub(super) fn name(who: &AccountHolder) -> &str {
    match who {
        AccountHolder::Staff(person) => person.name(),
        AccountHolder::Player(player) => player.name(),
    }
}

fn of_player(player: &PlayerId, amount: Option<Money>) -> Facts {
    Facts { player: Some(player.clone()), amount, ..Facts::default() }
}

fn money(
    kind: EventKind,
    player: &PlayerId,
    amount: Money,
    sentence: String,
    identity: Option<&String>,
) -> Described {
    Described::new(kind, sentence, Facts { words: identity.cloned(), ..of_player(player, Some(amount)) })
}

fn appointed(kind: EventKind, person: &jackpot::Person, post: Option<Post>, sentence: String) -> Described {
    let facts = Facts { person: Some(person.clone()), ..at_post(post) };
    Described::new(kind, sentence, facts)
}

fn numbered(kind: EventKind, number: u64, by: &jackpot::Signature, sentence: String) -> Described {
    let facts = Facts { number: Some(number), person: Some(by.person.clone()), ..at_post(Some(by.post())) };
    Described::new(kind, sentence, facts)
}

/// Where somebody works: their office, or their department outside Table Games.
fn at_post(post: Option<Post>) -> Facts {
    let office = post.and_then(Post::office);
    let department = post.map(|post| post.department).filter(|department| !department.is_table_games());
    Facts { office, department, ..Facts::default() }
}

/// What was decided about a Player at one table and holds at every one.
fn decided_at(kind: EventKind, player: &PlayerId, at: &TableId, sentence: String) -> Described {
    Described::new(kind, sentence, Facts { table: Some(at.clone()), ..of_player(player, None) })
}

fn warning(player: &PlayerId, at: &TableId, stands: bool) -> String {
    if stands {
        format!("{player} is warned at every table: wagers under the minimum are returned from now on.")
    } else {
        format!("The warning of {player} at {at} no longer stands.")
    }
}
