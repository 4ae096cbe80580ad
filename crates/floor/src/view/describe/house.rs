//! What happened to the house: for the staff, and to each Player what is their own.

use jackpot::TableId;
use journal::{
    AccountHolder, CredentialChange, Currency, HouseEvent, Identity, Proposal, SecondFactorChange,
    ServiceChange, SignInFault, SignInMeans,
};
use money::Money;
use round::PlayerId;
use rulebook::Office;

use super::Described;
use crate::view::EventKind;
use crate::view::desk::proposal_in_words;
use crate::view::feed::Facts;
use crate::view::{Viewer, words};

/// What an event of the house says.
pub(crate) fn of_house(event: &HouseEvent, viewer: &Viewer) -> Option<Described> {
    let own = |player: &PlayerId| viewer.may_know_of(player).then_some(());
    let staff = || viewer.is_staff().then_some(());
    let said = match event {
        HouseEvent::Opened { name, money, .. } => {
            Described::new(EventKind::HouseOpened, opened(name, *money), Facts::default())
        }
        HouseEvent::LimitsChanged { limits } => {
            staff()?;
            let sentence = proposal_in_words(&Proposal::ChangeHouseLimits { limits: *limits });
            Described::new(EventKind::HouseLimitsChanged, sentence, Facts::default())
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
        HouseEvent::SessionBegan { who, how, from, .. } => {
            let facts = of_account(who, viewer)?;
            let sentence = format!("{} signs in {} from {from}.", name(who), signed_in(*how));
            Described::new(EventKind::SessionBegan, sentence, facts)
        }
        HouseEvent::SignInRefused { who, from, why, times } => {
            staff()?;
            let facts = of_anybody(who.as_ref(), viewer);
            let sentence = sign_in_refused(who.as_ref(), from.as_deref(), *why, *times);
            Described::new(EventKind::SignInRefused, sentence, facts)
        }
        HouseEvent::CommandDenied { who, what, reason, times } => {
            staff()?;
            let facts = of_anybody(who.as_ref(), viewer);
            let sentence = denied(who.as_ref(), what.as_deref(), reason.as_deref(), *times);
            Described::new(EventKind::CommandDenied, sentence, facts)
        }
        HouseEvent::ServiceStarted { node, identity, changes, unfinished, .. } => {
            staff()?;
            let sentence = started(node, identity, changes, *unfinished);
            Described::new(EventKind::ServiceStarted, sentence, Facts::default())
        }
        HouseEvent::ServiceStopped { node } => {
            staff()?;
            let sentence = format!("Node {node} stops in order.");
            Described::new(EventKind::ServiceStopped, sentence, Facts::default())
        }
        HouseEvent::RollbackAccepted { to, seen, reason, .. } => {
            staff()?;
            let sentence = format!(
                "The log was restored from an older copy: checkpoints {} to {seen} are lost. {reason}",
                to.saturating_add(1)
            );
            Described::new(EventKind::RollbackAccepted, sentence, Facts::default())
        }
        HouseEvent::Appointed { person, office } => {
            staff()?;
            let sentence = format!("{person} is {office} from here on.");
            appointed(EventKind::Appointed, person, Some(*office), sentence)
        }
        HouseEvent::Dismissed { person } => {
            staff()?;
            appointed(EventKind::Dismissed, person, None, format!("{person} holds no office any more."))
        }
        HouseEvent::PlayerRegistered { player, kind } => {
            own(player)?;
            let sentence = format!("{player} is known as a {}.", words::kind(*kind));
            Described::new(EventKind::PlayerRegistered, sentence, of_player(player, None))
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
        HouseEvent::PlayerProhibited { player, at } => {
            own(player)?;
            let sentence = format!("{player} is prohibited at every table.");
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
        HouseEvent::Proposed { number, proposal, by } => {
            staff()?;
            let sentence = proposal_in_words(proposal);
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

/// How somebody signed in.
const fn signed_in(how: SignInMeans) -> &'static str {
    match how {
        SignInMeans::Password => "with the password",
        SignInMeans::StepUp => "again, with the password repeated,",
        SignInMeans::PasswordChanged => "with a changed password",
        SignInMeans::Invitation => "with the password chosen by invitation",
    }
}

fn sign_in_refused(
    who: Option<&AccountHolder>,
    from: Option<&str>,
    why: Option<SignInFault>,
    times: u64,
) -> String {
    let who = match (who, from) {
        (Some(who), _) => name(who),
        (None, Some(_)) => "a name that nobody has",
        (None, None) => "several names",
    };
    let from = from.unwrap_or("several addresses");
    let why = match why {
        Some(SignInFault::Password) => ": the name or the password was wrong",
        Some(SignInFault::Code) => ": the code of the second factor was wrong",
        Some(SignInFault::TooMany) => ": there had been too many wrong tries",
        None => "",
    };
    match times {
        1 => format!("A sign-in as {who} from {from} is refused{why}."),
        _ => format!("{times} further sign-ins as {who} from {from} were refused{why}."),
    }
}

fn denied(who: Option<&AccountHolder>, what: Option<&str>, reason: Option<&str>, times: u64) -> String {
    let who = who.map_or("several people", name);
    match (what, reason) {
        (Some(what), Some(reason)) => format!("{who} asks for {what}, which is denied: {reason}."),
        (Some(what), None) => format!("{who} asks for {what}, which is denied."),
        (None, _) => format!("{times} further commands of {who} were denied."),
    }
}

fn started(node: &str, identity: &Identity, changes: &[ServiceChange], unfinished: bool) -> String {
    let (version, program) = (&identity.version, identity.program);
    let mut sentence = format!("Node {node} starts with version {version}, program {program}.");
    if unfinished {
        sentence.push_str(" It had not stopped in order.");
    }
    if !changes.is_empty() {
        sentence.push_str(&format!(" Different from the last start: {}.", changes_in_words(changes)));
    }
    sentence
}

/// What is different at a start.
pub fn changes_in_words(changes: &[ServiceChange]) -> String {
    let word = |change: &ServiceChange| match change {
        ServiceChange::Program => "the program".to_owned(),
        ServiceChange::Rulebook(id) => format!("the rulebook {id}"),
        ServiceChange::Setting(key) => format!("the setting {key}"),
    };
    changes.iter().map(word).collect::<Vec<String>>().join(", ")
}

fn opened(name: &str, money: Currency) -> String {
    match money {
        Currency::Play => format!("{name} opens as a demonstration with play money."),
        Currency::Real => format!("{name} opens for real money."),
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
fn of_account(who: &AccountHolder, viewer: &Viewer) -> Option<Facts> {
    match who {
        AccountHolder::Staff(person) => {
            viewer.is_staff().then(|| Facts { person: Some(person.clone()), ..Facts::default() })
        }
        AccountHolder::Player(player) => viewer.may_know_of(player).then(|| of_player(player, None)),
    }
}

/// The same where the account may be unknown.
fn of_anybody(who: Option<&AccountHolder>, viewer: &Viewer) -> Facts {
    who.and_then(|who| of_account(who, viewer)).unwrap_or_default()
}

fn name(who: &AccountHolder) -> &str {
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

fn appointed(
    kind: EventKind,
    person: &jackpot::Person,
    office: Option<Office>,
    sentence: String,
) -> Described {
    let facts = Facts { person: Some(person.clone()), office, ..Facts::default() };
    Described::new(kind, sentence, facts)
}

fn numbered(kind: EventKind, number: u64, by: &jackpot::Signature, sentence: String) -> Described {
    let facts = Facts {
        number: Some(number),
        person: Some(by.person.clone()),
        office: Some(by.office),
        ..Facts::default()
    };
    Described::new(kind, sentence, facts)
}

/// What was decided about a Player at one table and holds at every one.
fn decided_at(kind: EventKind, player: &PlayerId, at: &TableId, sentence: String) -> Described {
    Described::new(kind, sentence, Facts { table: Some(at.clone()), ..of_player(player, None) })
}

fn warning(player: &PlayerId, at: &TableId, stands: bool) -> String {
    if stands {
        format!("{player} is warned at every table: wagers under the minimum go back from now on.")
    } else {
        format!("The warning of {player} at {at} no longer stands.")
    }
}
