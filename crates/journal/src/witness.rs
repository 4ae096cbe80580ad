//! Witnesses: somebody elsewhere who has seen the checkpoints. Whoever holds the database and the signing key can write
//! a whole log anew, or put an old one back; they cannot change what a witness has seen.
//!
//! [`Seen`] is what a witness knows and accepts: each checkpoint extends the one before, or nothing is taken.
//! [`compare`] holds a log against what witnesses have seen.

use std::collections::BTreeMap;

use ed25519_dalek::{Signature, Signer as _, VerifyingKey};
use serde::{Deserialize, Serialize};

use crate::checkpoint::{self, Checkpoint, CheckpointError, Signer, Succession, hex, unhex};
use crate::entry::Head;
use crate::names::{Hash, Moment, Stream, Version};
use crate::store::{Reader, StoreError};
use crate::verify::{Finding, Place};

/// The purpose of a witness's signature.
const DOMAIN: &[u8] = b"megalink.witness.cosignature.1";

/// The version of the forms below.
const FORM: u32 = 1;

/// How many streams are named where many have lost entries.
const STREAMS_NAMED_MAX: usize = 8;

/// A witness's signature: it saw the checkpoint, and the checkpoint extends what it saw before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cosignature {
    /// The public key of the witness.
    pub key: [u8; 32],
    /// When it saw the checkpoint, by its clock.
    pub at: Moment,
    /// The signature over the checkpoint's digest and the time.
    pub signature: [u8; 64],
}

impl Cosignature {
    /// Signs a checkpoint as a witness.
    pub fn sign(signer: &Signer, checkpoint: &Checkpoint, at: Moment) -> Cosignature {
        let signature = signer.key.sign(&digest(checkpoint, at).0).to_bytes();
        Cosignature { key: signer.public_key(), at, signature }
    }

    /// Refuses a signature that is not of this checkpoint. The caller must know whether the key is the witness's.
    pub fn verify(&self, checkpoint: &Checkpoint) -> Result<(), CheckpointError> {
        let signature = Signature::from_bytes(&self.signature);
        VerifyingKey::from_bytes(&self.key)
            .and_then(|key| key.verify_strict(&digest(checkpoint, self.at).0, &signature))
            .map_err(|_| CheckpointError::BadSignature(checkpoint.number))
    }
}

fn digest(checkpoint: &Checkpoint, at: Moment) -> Hash {
    Hash::of([DOMAIN, &checkpoint.digest().0, &at.0.to_be_bytes()])
}

/// A checkpoint with the signatures of those who have seen it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cosigned {
    pub checkpoint: Checkpoint,
    pub cosignatures: Vec<Cosignature>,
}

/// One line of what a witness keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// It saw a checkpoint.
    Seen(Cosigned),
    /// Its keeper accepted that the log went back to a checkpoint. What was seen after that one stays in the file and
    /// no longer counts.
    Rollback {
        /// The last checkpoint that still counts.
        to: u64,
        /// Why, in the keeper's words.
        reason: String,
        /// When, by the keeper's clock.
        at: Moment,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SeenForm {
    v: u32,
    checkpoint: checkpoint::Form,
    #[serde(default)]
    cosignatures: Vec<CosignatureForm>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CosignatureForm {
    key: String,
    at: u64,
    signature: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RollbackForm {
    v: u32,
    rollback: ToForm,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ToForm {
    to: u64,
    reason: String,
    at: u64,
}

/// Any of the lines: a checkpoint alone, one with cosignatures, a rollback.
#[derive(Deserialize)]
#[serde(untagged)]
enum AnyForm {
    Seen(SeenForm),
    Rollback(RollbackForm),
    Plain(checkpoint::Form),
}

impl From<&Cosignature> for CosignatureForm {
    fn from(cosignature: &Cosignature) -> CosignatureForm {
        let Cosignature { key, at, signature } = cosignature;
        CosignatureForm { key: hex(key), at: at.0, signature: hex(signature) }
    }
}

impl TryFrom<CosignatureForm> for Cosignature {
    type Error = CheckpointError;

    fn try_from(form: CosignatureForm) -> Result<Cosignature, CheckpointError> {
        let CosignatureForm { key, at, signature } = form;
        Ok(Cosignature { key: unhex(&key)?, at: Moment(at), signature: unhex(&signature)? })
    }
}

impl Cosignature {
    /// As JSON, to be kept beside the log.
    pub fn to_text(&self) -> String {
        serde_json::to_string(&CosignatureForm::from(self)).expect("numbers and texts can be written as JSON")
    }

    /// Reads it back. Does not check the signature.
    pub fn from_text(text: &str) -> Result<Cosignature, CheckpointError> {
        let form: CosignatureForm =
            serde_json::from_str(text).map_err(|error| CheckpointError::Form(error.to_string()))?;
        Cosignature::try_from(form)
    }
}

impl Cosigned {
    /// One line of JSON.
    pub fn to_text(&self) -> String {
        let form = SeenForm {
            v: FORM,
            checkpoint: checkpoint::Form::from(&self.checkpoint),
            cosignatures: self.cosignatures.iter().map(CosignatureForm::from).collect(),
        };
        serde_json::to_string(&form).expect("numbers and texts can be written as JSON")
    }

    /// Reads a checkpoint from its line, with or without cosignatures. Does not check any signature.
    pub fn from_text(text: &str) -> Result<Cosigned, CheckpointError> {
        match Line::from_text(text)? {
            Line::Seen(seen) => Ok(seen),
            Line::Rollback { .. } => Err(CheckpointError::Form("it is a rollback".to_owned())),
        }
    }
}

impl Line {
    /// One line of JSON.
    pub fn to_text(&self) -> String {
        match self {
            Line::Seen(seen) => seen.to_text(),
            Line::Rollback { to, reason, at } => {
                let rollback = ToForm { to: *to, reason: reason.clone(), at: at.0 };
                serde_json::to_string(&RollbackForm { v: FORM, rollback })
                    .expect("numbers and texts can be written as JSON")
            }
        }
    }

    /// Reads a line. Does not check any signature.
    pub fn from_text(text: &str) -> Result<Line, CheckpointError> {
        let form: AnyForm = serde_json::from_str(text)
            .map_err(|_| CheckpointError::Form("it is neither a checkpoint nor a rollback".to_owned()))?;
        let version = |v: u32| {
            let wrong =
                || CheckpointError::Form(format!("its version is {v}, and this program knows {FORM}"));
            if v == FORM { Ok(()) } else { Err(wrong()) }
        };
        match form {
            AnyForm::Seen(SeenForm { v, checkpoint, cosignatures }) => {
                version(v)?;
                let cosignatures =
                    cosignatures.into_iter().map(Cosignature::try_from).collect::<Result<_, _>>()?;
                Ok(Line::Seen(Cosigned { checkpoint: Checkpoint::try_from(checkpoint)?, cosignatures }))
            }
            AnyForm::Rollback(RollbackForm { v, rollback: ToForm { to, reason, at } }) => {
                version(v)?;
                Ok(Line::Rollback { to, reason, at: Moment(at) })
            }
            AnyForm::Plain(form) => {
                Ok(Line::Seen(Cosigned { checkpoint: Checkpoint::try_from(form)?, cosignatures: Vec::new() }))
            }
        }
    }
}

/// Why a witness does not take a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The signature is not of what the checkpoint says.
    #[error("checkpoint {0} has a signature that does not match its key")]
    Signature(u64),
    /// Another house's checkpoint.
    #[error("checkpoint {number} is signed with the key {given}, but the house seen here has the key {seen}")]
    OtherHouse { number: u64, given: Hash, seen: Hash },
    /// Checkpoints between are missing here. Not a fault of the log: they must be sent first.
    #[error(
        "checkpoint {number} does not follow checkpoint {newest}, the newest seen here; send those between first"
    )]
    Gap { number: u64, newest: u64 },
    /// Another checkpoint of the same number was seen.
    #[error(
        "checkpoint {number} was seen here before with the digest {seen}, and this one has the digest {given}: the \
         log was written anew"
    )]
    Fork { number: u64, seen: Hash, given: Hash },
    /// It does not extend the newest one.
    #[error(
        "checkpoint {number} names {given} as the checkpoint before it, but the one seen here has the digest {seen}: \
         the log was written anew"
    )]
    NotChained { number: u64, seen: Hash, given: Hash },
    /// A stream has become shorter.
    #[error(
        "checkpoint {number} ends the stream {stream} at entry {given}, but entry {seen} was seen here: entries were \
         removed"
    )]
    Shorter { number: u64, stream: String, given: u64, seen: u64 },
    /// An entry has become another one.
    #[error(
        "checkpoint {number} has another entry {version} of the stream {stream} than was seen here: the stream was \
         written anew"
    )]
    OtherEntry { number: u64, stream: String, version: u64 },
}

/// Whether a checkpoint was new to a witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// It was, and extends what was seen.
    New,
    /// The same was seen before.
    Known,
}

/// What a witness has seen of one house.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    house: Option<[u8; 32]>,
    digests: BTreeMap<u64, Hash>,
    heads: BTreeMap<Stream, (Version, Hash)>,
}

impl Seen {
    /// The number of the newest checkpoint, zero if there is none.
    pub fn newest(&self) -> u64 {
        self.digests.last_key_value().map_or(0, |(number, _)| *number)
    }

    /// The key that signs the house's next checkpoint, once one was seen.
    pub const fn house(&self) -> Option<[u8; 32]> {
        self.house
    }

    /// Whether a checkpoint of this number was seen.
    pub fn has(&self, number: u64) -> bool {
        self.digests.contains_key(&number)
    }

    /// Whether a checkpoint may be taken: the house's, signed, and an extension of all that was seen.
    pub fn check(&self, checkpoint: &Checkpoint) -> Result<News, Refused> {
        let number = checkpoint.number;
        checkpoint.verify().map_err(|_| Refused::Signature(number))?;
        self.check_place(checkpoint)
    }

    /// The same without the signature, which a chain of digests makes needless for all but its end.
    pub fn check_place(&self, checkpoint: &Checkpoint) -> Result<News, Refused> {
        let (number, given) = (checkpoint.number, checkpoint.digest());
        if self.digests.get(&number) == Some(&given) {
            return Ok(News::Known);
        }
        if let Some(house) = self.house.filter(|house| *house != checkpoint.key) {
            return Err(Refused::OtherHouse { number, given: Hash(checkpoint.key), seen: Hash(house) });
        }
        if let Some(seen) = self.digests.get(&number) {
            return Err(Refused::Fork { number, seen: *seen, given });
        }
        let Some((newest, seen)) = self.digests.last_key_value() else {
            return Ok(News::New);
        };
        if Some(number) != newest.checked_add(1) {
            return Err(Refused::Gap { number, newest: *newest });
        }
        if checkpoint.previous != *seen {
            return Err(Refused::NotChained { number, seen: *seen, given: checkpoint.previous });
        }
        for Head { stream, version, hash } in &checkpoint.heads {
            let Some((seen, seen_hash)) = self.heads.get(stream) else {
                continue;
            };
            let stream = stream.to_string();
            if version < seen {
                return Err(Refused::Shorter { number, stream, given: version.0, seen: seen.0 });
            }
            if version == seen && hash != seen_hash {
                return Err(Refused::OtherEntry { number, stream, version: version.0 });
            }
        }
        Ok(News::New)
    }

    /// Remembers a checkpoint that was checked.
    pub fn take(&mut self, checkpoint: &Checkpoint) {
        self.house = Some(checkpoint.next_key());
        self.digests.insert(checkpoint.number, checkpoint.digest());
        for Head { stream, version, hash } in &checkpoint.heads {
            self.heads.insert(stream.clone(), (*version, *hash));
        }
    }
}

/// The checkpoints a witness has seen, oldest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witnessed {
    /// The name of the witness.
    pub witness: String,
    pub checkpoints: Vec<Checkpoint>,
}

/// A rollback that the house accepted and wrote into its log: checkpoints after `to`, up to `seen`, are of the log that
/// was lost. That holds for a witness that has seen nothing since; one that went on with the house is compared in full.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcceptedRollback {
    /// The last checkpoint of the log that was restored.
    pub to: u64,
    /// The newest checkpoint that a witness had seen.
    pub seen: u64,
    /// The digests of the newest checkpoints that the witnesses had seen.
    pub lost: Vec<Hash>,
}

impl AcceptedRollback {
    /// Whether it explains why the log does not have a checkpoint, of a witness whose newest one has this digest.
    fn explains(&self, number: u64, newest: Option<Hash>) -> bool {
        self.to < number && number <= self.seen && newest.is_some_and(|newest| self.lost.contains(&newest))
    }
}

/// How a log compares with what witnesses have seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// What is missing or different, one finding a witness.
    pub findings: Vec<Finding>,
    /// The first checkpoint that is missing or different.
    pub first: Option<u64>,
    /// The newest checkpoint that any witness has seen.
    pub newest: u64,
    /// The digests of the newest checkpoints of the witnesses that differ.
    pub lost: Vec<Hash>,
}

/// Holds a log against what witnesses have seen, and says what is missing or different. That the log is in order by
/// itself, from its first checkpoint to its last, is for [`crate::verify`] to say.
pub fn compare(
    reader: &mut dyn Reader,
    house: [u8; 32],
    witnessed: &[Witnessed],
    accepted: &[AcceptedRollback],
) -> Result<Comparison, StoreError> {
    let mut comparison = Comparison::default();
    for one in witnessed {
        let newest = one.checkpoints.last().map_or(0, |checkpoint| checkpoint.number);
        comparison.newest = comparison.newest.max(newest);
        if let Some((number, what)) = difference(reader, house, one, accepted)? {
            comparison.first = Some(comparison.first.map_or(number, |first| first.min(number)));
            comparison.lost.extend(one.checkpoints.last().map(Checkpoint::digest));
            comparison.findings.push(Finding { place: Place::Witness(one.witness.clone()), what });
        }
    }
    Ok(comparison)
}

/// How a log differs from what one witness has seen, and from which checkpoint on.
fn difference(
    reader: &mut dyn Reader,
    house: [u8; 32],
    witnessed: &Witnessed,
    accepted: &[AcceptedRollback],
) -> Result<Option<(u64, String)>, StoreError> {
    let witness = &witnessed.witness;
    let mut lost: Vec<&Checkpoint> = Vec::new();
    let succession = Succession::of(reader)?;
    let newest = witnessed.checkpoints.last().map(Checkpoint::digest);
    for seen in &witnessed.checkpoints {
        let number = seen.number;
        if !succession.trusted(house).contains(&seen.key) || seen.verify().is_err() {
            let what = format!(
                "the witness {witness} keeps a checkpoint {number} that the house did not sign: what it keeps was \
                 changed, or it is the witness of another house"
            );
            return Ok(Some((number, what)));
        }
        if accepted.iter().any(|rollback| rollback.explains(number, newest)) {
            continue;
        }
        let here = reader.checkpoints(number.saturating_sub(1), 1)?.into_iter().next();
        match here.filter(|here| here.number == number) {
            Some(here) if here.digest() == seen.digest() => {}
            Some(here) => {
                let what = format!(
                    "the witness {witness} has seen another checkpoint {number}: signed {}, digest {}; the one in \
                     this log was signed {} and has the digest {}. The log was written anew{}",
                    date(seen.at),
                    seen.digest(),
                    date(here.at),
                    here.digest(),
                    other_entries(reader, seen)?
                );
                return Ok(Some((number, what)));
            }
            None => lost.push(seen),
        }
    }
    match (lost.first(), lost.last()) {
        (Some(first), Some(newest)) => Ok(Some((first.number, missing(reader, witness, newest, &lost)?))),
        (_, None) | (None, _) => Ok(None),
    }
}

/// Which of the entries that a checkpoint seals are other ones in the log.
fn other_entries(reader: &mut dyn Reader, seen: &Checkpoint) -> Result<String, StoreError> {
    let mut words = String::new();
    for head in &seen.heads {
        if let Some(what) = contradiction(reader, head)? {
            words.push_str(&format!("; {what}"));
        }
    }
    Ok(words)
}

/// What a log lacks of what a witness has seen.
fn missing(
    reader: &mut dyn Reader,
    witness: &str,
    newest: &Checkpoint,
    lost: &[&Checkpoint],
) -> Result<String, StoreError> {
    let mut ends: BTreeMap<&Stream, &Head> = BTreeMap::new();
    for head in lost.iter().flat_map(|checkpoint| &checkpoint.heads) {
        ends.insert(&head.stream, head);
    }
    let mut parts = Vec::new();
    for head in ends.values() {
        parts.extend(contradiction(reader, head)?);
    }
    let ends_with = match reader.last_checkpoint()? {
        Some(end) => format!("this log ends with checkpoint {} of {}", end.number, date(end.at)),
        None => "this log has no checkpoint".to_owned(),
    };
    let mut words = format!(
        "the witness {witness} has seen checkpoint {} of {}; {ends_with}",
        newest.number,
        date(newest.at)
    );
    if parts.is_empty() {
        words.push_str(": its entries are here, but the checkpoints were removed");
    } else {
        let more = parts.len().saturating_sub(STREAMS_NAMED_MAX);
        parts.truncate(STREAMS_NAMED_MAX);
        words.push_str(": ");
        words.push_str(&parts.join("; "));
        if 0 < more {
            words.push_str(&format!("; and the same of {more} more streams"));
        }
    }
    Ok(words)
}

/// How a stream of the log differs from its end as a witness has seen it.
fn contradiction(reader: &mut dyn Reader, seen: &Head) -> Result<Option<String>, StoreError> {
    let (stream, version) = (&seen.stream, seen.version);
    let entry = reader.entries(stream, Version(version.0.saturating_sub(1)), 1)?.into_iter().next();
    if let Some(entry) = entry {
        let other = format!(
            "entry {} of stream {stream} is another one than the witness has seen",
            grouped(version.0)
        );
        return Ok((entry.head() != *seen).then_some(other));
    }
    let end = reader.heads()?.into_iter().find(|head| head.stream == *stream);
    let end = end.map_or(0, |head| head.version.0.min(version.0));
    let gone = version.0.saturating_sub(end);
    let are = if gone == 1 { "entry is" } else { "entries are" };
    Ok(Some(format!(
        "stream {stream} was seen to reach entry {}, and here it ends at entry {}: {} {are} missing",
        grouped(version.0),
        grouped(end),
        grouped(gone)
    )))
}

/// A time for people to read.
pub(crate) fn date(at: Moment) -> String {
    let read = i64::try_from(at.0).ok().and_then(|at| jiff::Timestamp::from_millisecond(at).ok());
    read.map_or_else(|| "an unreadable date".to_owned(), |at| at.strftime("%F %H:%M UTC").to_string())
}

/// A number with a comma after every three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position != 0 && digits.len().saturating_sub(position).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::GENESIS;

    fn head(version: u64, mark: u8) -> Head {
        Head { stream: Stream::House, version: Version(version), hash: Hash([mark; 32]) }
    }

    #[test]
    fn numbers_are_grouped() {
        let texts = [0, 7, 999, 1000, 104_233, 1_000_000].map(grouped);
        assert_eq!(texts, ["0", "7", "999", "1,000", "104,233", "1,000,000"]);
    }

    #[test]
    fn every_line_is_read_as_it_is_written() {
        let (house, witness) = (Signer::generate().expect("a key"), Signer::generate().expect("a key"));
        let checkpoint = Checkpoint::sign(&house, 1, GENESIS, vec![head(3, 1)], Moment(5));
        let cosignature = Cosignature::sign(&witness, &checkpoint, Moment(9));
        cosignature.verify(&checkpoint).expect("its own signature");
        let other = Checkpoint::sign(&house, 2, GENESIS, vec![head(3, 1)], Moment(5));
        assert!(cosignature.verify(&other).is_err());
        assert_eq!(Cosignature::from_text(&cosignature.to_text()).expect("a cosignature"), cosignature);
        let plain = Cosigned { checkpoint: checkpoint.clone(), cosignatures: Vec::new() };
        assert_eq!(Line::from_text(&checkpoint.to_text()).expect("a checkpoint"), Line::Seen(plain));
        let seen = Line::Seen(Cosigned { checkpoint, cosignatures: vec![cosignature] });
        let rollback = Line::Rollback { to: 7, reason: "the disk burnt".to_owned(), at: Moment(4) };
        for line in [seen, rollback] {
            assert_eq!(Line::from_text(&line.to_text()).expect("a line"), line);
        }
        let newer = r#"{"v":2,"rollback":{"to":7,"reason":"","at":4}}"#;
        assert!(Line::from_text(newer).expect_err("a later version").to_string().contains("version is 2"));
    }

    /// Each refusal names what differs.
    #[test]
    fn only_what_extends_is_taken() {
        let house = Signer::generate().expect("a key");
        let first = Checkpoint::sign(&house, 1, GENESIS, vec![head(3, 1)], Moment(5));
        let mut seen = Seen::default();
        assert_eq!(seen.check(&first), Ok(News::New));
        seen.take(&first);
        assert_eq!(seen.check(&first), Ok(News::Known));
        let next = |number, heads| Checkpoint::sign(&house, number, first.digest(), heads, Moment(6));
        let says = |checkpoint: &Checkpoint| seen.check(checkpoint).expect_err("it differs").to_string();
        assert!(says(&next(1, vec![head(4, 1)])).contains("seen here before with the digest"));
        assert!(says(&next(3, vec![head(4, 1)])).contains("does not follow checkpoint 1"));
        assert!(says(&next(2, vec![head(2, 1)])).contains("at entry 2, but entry 3 was seen here"));
        assert!(says(&next(2, vec![head(3, 2)])).contains("another entry 3 of the stream house"));
        let elsewhere = Checkpoint::sign(&house, 2, GENESIS, vec![head(4, 1)], Moment(6));
        assert!(says(&elsewhere).contains("as the checkpoint before it"));
        let mut unsigned = next(2, vec![head(4, 1)]);
        unsigned.at = Moment(7);
        assert!(says(&unsigned).contains("signature"));
        let mallory = Signer::generate().expect("a key");
        let other = Checkpoint::sign(&mallory, 2, first.digest(), vec![head(4, 1)], Moment(6));
        assert!(says(&other).contains("the house seen here has the key"));
        assert_eq!(seen.check(&next(2, vec![head(4, 2)])), Ok(News::New));
    }
}
