//! What runs, from which log, who came and who was turned away: for the staff.

use journal::acknowledged::LostStream;
use journal::{AccountHolder, HouseEvent, Identity, ServiceChange, SignInFault, SignInMeans};

use super::Described;
use super::house::{name, of_account};
use crate::view::feed::Facts;
use crate::view::{EventKind, Viewer};

/// What such an event of the house says.
pub(super) fn of_service(event: &HouseEvent, viewer: &Viewer) -> Option<Described> {
    viewer.is_staff().then_some(())?;
    if let HouseEvent::SessionBegan { who, how, from, .. } = event {
        let sentence = format!("{} signs in {} from {from}.", name(who), signed_in(*how));
        return Some(Described::new(EventKind::SessionBegan, sentence, of_account(who, viewer)?));
    }
    if let HouseEvent::SignInRefused { who, from, why, times } = event {
        let sentence = sign_in_refused(who.as_ref(), from.as_deref(), *why, *times);
        return Some(Described::new(EventKind::SignInRefused, sentence, of_anybody(who.as_ref(), viewer)));
    }
    if let HouseEvent::CommandDenied { who, what, reason, times } = event {
        let sentence = denied(who.as_ref(), what.as_deref(), reason.as_deref(), *times);
        return Some(Described::new(EventKind::CommandDenied, sentence, of_anybody(who.as_ref(), viewer)));
    }
    if let HouseEvent::ServiceStarted { node, identity, changes, unfinished, .. } = event {
        let sentence = started(node, identity, changes, *unfinished);
        return Some(Described::new(EventKind::ServiceStarted, sentence, Facts::default()));
    }
    if let HouseEvent::RollbackSigned { by } = event {
        let sentence =
            format!("{} signs for what was lost with the older log; tables take wagers again.", by.person);
        return Some(Described::new(EventKind::RollbackSigned, sentence, Facts::default()));
    }
    if let HouseEvent::RollbackAccepted { to, seen, reason, streams, .. } = event {
        let first = to.saturating_add(1);
        let mut lost: Vec<String> = streams.iter().map(LostStream::sentence).collect();
        if *to < *seen {
            lost.insert(0, format!("checkpoints {first} to {seen}"));
        }
        let sentence =
            format!("The log was restored from an older copy. Lost: {}. {reason}", lost.join("; "));
        return Some(Described::new(EventKind::RollbackAccepted, sentence, Facts::default()));
    }
    let HouseEvent::ServiceStopped { node } = event else { return None };
    let sentence = format!("Node {node} stops in order.");
    Some(Described::new(EventKind::ServiceStopped, sentence, Facts::default()))
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

/// Whose account it is, where that is known.
fn of_anybody(who: Option<&AccountHolder>, viewer: &Viewer) -> Facts {
    who.and_then(|who| of_account(who, viewer)).unwrap_or_default()
}
