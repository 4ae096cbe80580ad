//! Requests to a node and its answers. An answer is kept under the command's id, a refusal too, so that the same request
//! sent again gets the first answer; a failure is not kept, and sending again is safe.

use journal::{Actor, Command, CommandId, Hash, NodeId, Sealed, Stream, Version, command_text};
use rulebook::{Citation, Clause};
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;

/// Names the digest's purpose, so that no digest of anything else can pass for it.
const DOMAIN: &[u8] = b"megalink.request.1";

/// The stored form's name.
const FORM: &str = "answer.v1";

/// A command, who gives it, and the id its sender knows it by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The sender's id for it, kept until it is answered.
    pub id: CommandId,
    pub actor: Actor,
    pub command: Command,
    /// The digest of what was asked, actor included: another under the same id is an error.
    pub digest: Hash,
    /// What is kept beside the log in the same transaction, if the command is done: the row whose digest it names.
    pub rows: Vec<Sealed>,
}

impl Request {
    /// A request with the digest of its actor and its command.
    pub fn new(id: CommandId, actor: Actor, command: Command) -> Request {
        let digest = Hash::of([DOMAIN, actor.code().as_bytes(), command_text(&command).as_bytes()]);
        Request { id, actor, command, digest, rows: Vec::new() }
    }

    /// The same, with rows that are kept or taken away with it.
    pub fn with_rows(self, rows: Vec<Sealed>) -> Request {
        Request { rows, ..self }
    }
}

/// The entries of one stream that a command wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrote {
    pub stream: Stream,
    /// The first of them.
    pub first: Version,
    /// The last of them.
    pub last: Version,
}

/// The answer to a command. It never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It was done: what it wrote, stream by stream in the order it came to them.
    Done(Vec<Wrote>),
    /// It was refused, and nothing else happened.
    Refused(Refusal),
}

/// Why there is no answer. Nothing of this is kept: the same request may be sent again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The id belongs to another request.
    #[error("command id {0} was used before for another request; use a new id")]
    IdReused(CommandId),
    /// The table is run by another node.
    #[error("the table is run by {}", node.as_ref().map_or("another node", NodeId::name))]
    NotHere {
        /// Which, where it is known.
        node: Option<NodeId>,
    },
    /// There is no space to write to. Nothing happened; the node goes on.
    #[error("the storage is full: {0}; try again when there is space")]
    StorageFull(String),
    /// The database cannot be reached. Sending the same request again tells whether it happened.
    #[error("the database cannot be reached: {0}; try again")]
    Unavailable(String),
    /// Too many requests are waiting. Nothing happened.
    #[error("too many requests are waiting; try again")]
    Busy,
    /// The node has stopped for good and must be restarted. Sending the same request again tells whether it happened.
    #[error("the node has stopped: {0}")]
    Stopped(String),
}

/// A kept answer that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the kept answer cannot be read: {0}")]
pub struct AnswerError(String);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerV1 {
    form: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    done: Option<Vec<(String, u64, u64)>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refused: Option<RefusalV1>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RefusalV1 {
    reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clause: Option<String>,
    sentence: String,
}

impl Answer {
    /// The form it is kept in.
    pub fn to_text(&self) -> String {
        let mut form = AnswerV1 { form: FORM.to_owned(), done: None, refused: None };
        match self {
            Answer::Done(wrote) => {
                let row = |wrote: &Wrote| (wrote.stream.to_string(), wrote.first.0, wrote.last.0);
                form.done = Some(wrote.iter().map(row).collect());
            }
            Answer::Refused(refusal) => {
                form.refused = Some(RefusalV1 {
                    reason: refusal.reason.clone(),
                    clause: refusal.clause.map(|clause| clause.to_string()),
                    sentence: refusal.sentence.clone(),
                });
            }
        }
        serde_json::to_string(&form).expect("numbers and texts can be written as JSON")
    }

    /// An answer from the form it is kept in.
    pub fn from_text(text: &str) -> Result<Answer, AnswerError> {
        let form: AnswerV1 = serde_json::from_str(text).map_err(|error| AnswerError(error.to_string()))?;
        if form.form != FORM {
            return Err(AnswerError(format!("its form is {:?}, not {FORM:?}", form.form)));
        }
        match (form.done, form.refused) {
            (Some(done), None) => done.into_iter().map(wrote).collect::<Result<_, _>>().map(Answer::Done),
            (None, Some(refused)) => refusal(refused).map(Answer::Refused),
            (Some(_), Some(_)) | (None, None) => {
                Err(AnswerError("it must be either done or refused".to_owned()))
            }
        }
    }
}

fn wrote((stream, first, last): (String, u64, u64)) -> Result<Wrote, AnswerError> {
    let stream = stream.parse().map_err(|error| AnswerError(format!("{error}")))?;
    Ok(Wrote { stream, first: Version(first), last: Version(last) })
}

fn refusal(form: RefusalV1) -> Result<Refusal, AnswerError> {
    let RefusalV1 { reason, clause, sentence } = form;
    let clause = clause.map(|text| {
        let (book, rule) = text.split_once(' ')?;
        Some(Clause { book: Citation::new(book)?, rule: rule.parse().ok()? })
    });
    match clause {
        Some(None) => Err(AnswerError("its clause cannot be read".to_owned())),
        Some(clause) => Ok(Refusal { reason, clause, sentence }),
        None => Ok(Refusal { reason, clause: None, sentence }),
    }
}
