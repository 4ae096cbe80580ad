//! Marks: what a learner did, held against what the rules and the Dealer's procedure said at that moment.

use floor::view::Choice;
use floor::{Table, view};
use journal::{OwnCommand, TableCommand};
use money::Money;
use round::{Command, Paying, PayingStep, guide};
use rulebook::{Office, PlayingArea, Position};
use serde::{Deserialize, Serialize};

use crate::happening::Incident;

/// How a move is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It was the next step, or what the rules say to what had happened.
    Right,
    /// The rules take it, but it was not the next step.
    Allowed,
    /// The rules refuse it, or nothing called for it.
    Wrong,
    /// Something had happened, and play went on without it.
    Missed,
}

/// A move and its mark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Mark {
    /// The number of the round.
    pub round: u64,
    /// Who moved.
    pub by: String,
    /// What they did, in words.
    pub did: String,
    pub verdict: Verdict,
    /// Why, in a sentence.
    pub because: String,
    /// The clause it rests on, where a rulebook speaks of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
    /// What would have been right, where this was not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expected: Vec<String>,
    /// How long it took since it could be done, in milliseconds.
    pub took_ms: u64,
}

/// What a Dealer takes, pays or returns by hand, as they enter it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Paid {
    pub position: Position,
    pub area: PlayingArea,
    pub does: Paying,
    /// In cents.
    pub amount: Money,
}

/// A refusal, as the floor words it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    pub sentence: String,
    pub clause: Option<String>,
}

/// How several moves went.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Summary {
    pub right: usize,
    pub allowed: usize,
    pub wrong: usize,
    pub missed: usize,
    /// The time of all moves together, in milliseconds.
    pub took_ms: u64,
    /// The clauses of what was wrong or missed, each once.
    pub clauses: Vec<String>,
}

/// How a round went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RoundSummary {
    pub round: u64,
    #[serde(flatten)]
    pub summary: Summary,
}

impl Summary {
    /// The summary of some marks.
    pub fn of<'m>(marks: impl Iterator<Item = &'m Mark>) -> Summary {
        let mut summary = Summary::default();
        for mark in marks {
            *match mark.verdict {
                Verdict::Right => &mut summary.right,
                Verdict::Allowed => &mut summary.allowed,
                Verdict::Wrong => &mut summary.wrong,
                Verdict::Missed => &mut summary.missed,
            } += 1;
            summary.took_ms = summary.took_ms.saturating_add(mark.took_ms);
            let failed = matches!(mark.verdict, Verdict::Wrong | Verdict::Missed);
            summary.clauses.extend(mark.clause.iter().filter(|_| failed).cloned());
        }
        summary.clauses.sort();
        summary.clauses.dedup();
        summary
    }
}

/// What a judgement says.
pub(crate) struct Judged {
    pub(crate) verdict: Verdict,
    pub(crate) because: String,
    pub(crate) clause: Option<String>,
    pub(crate) expected: Vec<String>,
    /// What a supervisor does after a right call, and in which office.
    pub(crate) follows: Option<(Office, Command)>,
}

impl Judged {
    fn new(verdict: Verdict, because: impl Into<String>, clause: Option<String>) -> Judged {
        Judged { verdict, because: because.into(), clause, expected: Vec::new(), follows: None }
    }
}

/// Judges a command that was refused.
pub(crate) fn refused(refusal: &Refused, choices: &[Choice<TableCommand>]) -> Judged {
    let judged = Judged::new(Verdict::Wrong, refusal.sentence.clone(), refusal.clause.clone());
    Judged { expected: next(choices), ..judged }
}

/// Judges a command that was done while nothing waited: `choices` are those of whoever gave it, before it was done.
pub(crate) fn in_procedure(command: &TableCommand, choices: &[Choice<TableCommand>]) -> Judged {
    let offered = choices.iter().filter(|choice| is_choice(command, choice)).max_by_key(|choice| choice.next);
    match offered {
        Some(choice) => {
            let clause = choice.clause.map(|clause| clause.to_string());
            // What is asked for the next round alone: it sweeps cards that nobody has verified.
            if choice.confirm && matches!(command, TableCommand::Round(Command::BeginNextRound {})) {
                let expected = next(choices);
                let waits = || vec!["Wait for the supervisor".to_owned()];
                let judged = Judged::new(Verdict::Wrong, choice.effect.clone(), clause);
                return Judged { expected: if expected.is_empty() { waits() } else { expected }, ..judged };
            }
            if choice.next {
                Judged::new(Verdict::Right, "It is the next step.", clause)
            } else {
                let judged =
                    Judged::new(Verdict::Allowed, "It may be done now; it was not the next step.", clause);
                Judged { expected: next(choices), ..judged }
            }
        }
        None if is_entry(command) => {
            Judged::new(Verdict::Allowed, "Cards, positions and wagers are entered.", None)
        }
        None => {
            let judged = Judged::new(Verdict::Wrong, "Nothing at the table called for it.", None);
            Judged { expected: next(choices), ..judged }
        }
    }
}

/// Judges a command that was done while something waited.
pub(crate) fn in_incident(
    table: &Table,
    incident: &Incident,
    command: &TableCommand,
    office: Office,
) -> Judged {
    let round = table.round();
    let remedies = match guide(round, &incident.what) {
        Ok(remedies) => remedies,
        Err(refusal) => {
            let because = format!("It was passed over: {} {}", incident.words, refusal.reason.sentence());
            let judged = Judged::new(Verdict::Missed, because, Some(refusal.clause.to_string()));
            return Judged { expected: vec!["Name it under “Something is wrong”".to_owned()], ..judged };
        }
    };
    if let TableCommand::Round(command) = command
        && let Some(remedy) = remedies.iter().find(|remedy| is_same(command, &remedy.command))
    {
        return Judged::new(Verdict::Right, "The rules say so.", Some(remedy.clause.to_string()));
    }
    let is_alike = |remedy: &&round::Choice| matches!(command, TableCommand::Round(given) if std::mem::discriminant(given) == std::mem::discriminant(&remedy.command));
    if let Some(remedy) = remedies.iter().find(is_alike) {
        let because = format!("It is the right step, but not with what happened: {}", incident.words);
        return Judged::new(Verdict::Wrong, because, Some(remedy.clause.to_string()));
    }
    let allowed = |least: Option<Office>| least.is_none_or(|least| least <= office);
    let first = remedies.first();
    let decides = first.and_then(|remedy| remedy.who.office());
    let calls = matches!(command, TableCommand::Own(OwnCommand::CallSupervisor {}));
    let clause = first.map(|remedy| remedy.clause.to_string());
    if calls && !allowed(decides) {
        let because =
            format!("A {} decides this.", decides.map_or_else(String::new, |office| office.to_string()));
        let follows = first.and_then(|remedy| Some((remedy.who.office()?, remedy.command.clone())));
        return Judged { follows, ..Judged::new(Verdict::Right, because, clause) };
    }
    let words =
        |remedy: &round::Choice| view::command_in_words(table, &TableCommand::Round(remedy.command.clone()));
    let mut expected: Vec<String> = remedies.iter().map(words).collect();
    if !allowed(decides) {
        expected = vec!["Call a supervisor".to_owned()];
    }
    let judged = Judged::new(Verdict::Missed, format!("It was passed over: {}", incident.words), clause);
    Judged { expected, ..judged }
}

/// Judges what somebody named under "Something is wrong"; `None` where naming it is only the first half.
pub(crate) fn named(
    table: &Table,
    incident: Option<&Incident>,
    what: &round::Irregularity,
) -> Option<Judged> {
    let Some(incident) = incident else {
        return Some(Judged::new(Verdict::Wrong, "Nothing of the kind has happened.", None));
    };
    if std::mem::discriminant(&incident.what) != std::mem::discriminant(what) {
        let because = format!("That is not what happened: {}", incident.words);
        return Some(Judged::new(Verdict::Wrong, because, None));
    }
    match guide(table.round(), &incident.what) {
        // Where the rules only say no, naming it is all there is to do.
        Err(refusal) => {
            Some(Judged::new(Verdict::Right, refusal.reason.sentence(), Some(refusal.clause.to_string())))
        }
        Ok(_) => None,
    }
}

/// Judges a step of paying against those that are still to be done, in their order. Also says which of them it was.
pub(crate) fn paid(due: &[PayingStep], given: &Paid) -> (Option<usize>, Judged) {
    let is_there =
        |step: &PayingStep| (step.position, step.area, step.does) == (given.position, given.area, given.does);
    let exact = due.iter().position(|step| is_there(step) && step.amount == given.amount);
    let found = exact.or_else(|| due.iter().position(is_there));
    let first = due.first().map(step_in_words).into_iter().collect();
    let Some((at, step)) = found.and_then(|at| Some((at, due.get(at)?))) else {
        let judged = Judged::new(Verdict::Wrong, "Nothing of the kind is to be done.", None);
        return (None, Judged { expected: first, ..judged });
    };
    let clause = Some(step.clause.to_string());
    let judged = if exact.is_none() {
        let judged = Judged::new(Verdict::Wrong, "It is another amount.", clause);
        Judged { expected: vec![step_in_words(step)], ..judged }
    } else if at != 0 {
        let judged = Judged::new(Verdict::Wrong, "Something else comes before it.", clause);
        Judged { expected: first, ..judged }
    } else {
        Judged::new(Verdict::Right, "It is the next step.", clause)
    };
    (Some(at), judged)
}

/// Judges a settlement while steps of paying were left out.
pub(crate) fn unpaid(due: &[PayingStep]) -> Judged {
    let because = "The round was settled before everything was taken, paid and returned.";
    let clause = due.first().map(|step| step.clause.to_string());
    let judged = Judged::new(Verdict::Missed, because, clause);
    Judged { expected: due.iter().map(step_in_words).collect(), ..judged }
}

fn step_in_words(PayingStep { position, area, does, amount, .. }: &PayingStep) -> String {
    paid_in_words(&Paid { position: *position, area: *area, does: *does, amount: *amount })
}

/// "Pay 100.00 on the Flop at position 1".
pub(crate) fn paid_in_words(Paid { position, area, does, amount }: &Paid) -> String {
    let does = match does {
        Paying::Take => "Take",
        Paying::Pay => "Pay",
        Paying::Return => "Return",
    };
    format!("{does} {amount} on the {area} at position {}", position.0)
}

fn next(choices: &[Choice<TableCommand>]) -> Vec<String> {
    choices.iter().filter(|choice| choice.next).map(|choice| choice.label.clone()).collect()
}

/// Whether a command is what a choice offers, but for what its sender fills in.
fn is_choice(command: &TableCommand, choice: &Choice<TableCommand>) -> bool {
    let form = |command: &TableCommand| {
        let mut form = serde_json::to_value(command).unwrap_or_default();
        if let Some(fields) = form.as_object_mut() {
            for path in choice.fill_in.iter().copied().chain(["amount", "means"]) {
                fields.remove(path.split('.').next().unwrap_or(path));
            }
            // Each hand decides for itself.
            if fields.get("do").is_some_and(|name| name == "decide") {
                fields.remove("decision");
            }
        }
        form
    };
    form(command) == form(&choice.command)
}

/// Whether two commands are the same but for the reason that is given with them, and the words of a ruling.
fn is_same(given: &Command, remedy: &Command) -> bool {
    match (given, remedy) {
        (Command::ProhibitPlayer { player, .. }, Command::ProhibitPlayer { player: other, .. })
        | (Command::StopAction { player, .. }, Command::StopAction { player: other, .. }) => player == other,
        (Command::MakeRuling { .. }, Command::MakeRuling { .. }) => true,
        _ => given == remedy,
    }
}

/// Whether a command only enters what lies on the table.
fn is_entry(command: &TableCommand) -> bool {
    matches!(
        command,
        TableCommand::Round(
            Command::DealCard { .. }
                | Command::ReadCard { .. }
                | Command::TakePosition { .. }
                | Command::PlaceWager { .. }
                | Command::TakeBackWager { .. }
                | Command::ViewHand { .. }
                | Command::InformPlayer { .. }
                | Command::Decide { .. }
        )
    )
}
