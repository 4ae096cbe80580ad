//! Who can sign in: a name of the floor with the hash of its password, kept beside the log. Invitations are the same,
//! with a token in the place of a name.

use std::sync::Arc;

use floor::KeptRow;
use journal::vault::kind::{CREDENTIAL, INVITATION, SECOND_FACTOR, SECOND_FACTOR_USED};
use journal::{Hash, Sealed};
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

use super::passwords::{self, PasswordError};
use super::sessions::{Subject, TokenDigest};
use crate::problem::Problem;
use crate::vault::Vault;

/// An account as it is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    subject: Subject,
    hash: String,
}

/// An invitation as it is kept: whose it is, and until when it may be taken up, in seconds since 1970.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Invited {
    subject: Subject,
    until: u64,
    /// The digest of the other half of the token, for somebody of the staff: two people give out one half each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    other_half: Option<String>,
}

/// What stands between the halves of a token.
const BETWEEN_HALVES: char = '.';

/// For how long an invitation can be taken up.
const INVITATION_SECONDS: u64 = 3 * 24 * 60 * 60;

#[derive(Clone, Debug)]
pub struct Accounts {
    vault: Vault,
    /// A hash takes much memory and some time: only so many are made at once.
    hashing: Arc<Semaphore>,
}

/// What changes beside the log together with an entry of it: the rows, and the digest of the new one for the entry.
#[derive(Debug)]
pub struct RowChange {
    pub digest: Hash,
    pub rows: Vec<Sealed>,
}

/// How many passwords are looked at or hashed at once.
const HASHED_AT_ONCE: usize = 4;

impl Accounts {
    /// The accounts of a vault.
    pub fn new(vault: Vault) -> Accounts {
        Accounts { vault, hashing: Arc::new(Semaphore::new(HASHED_AT_ONCE)) }
    }

    /// Does some hashing on a thread that may take its time.
    async fn hashed<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let permit = Arc::clone(&self.hashing).acquire_owned().await.map_err(|_| Problem::broken())?;
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(permit);
            done
        });
        done.await.map_err(|_| Problem::broken())
    }

    /// Whom a name and a password belong to. Takes the same time whether or not there is such a name.
    pub async fn check(&self, name: &str, password: &str) -> Result<Option<Subject>, Problem> {
        let kept = self.kept(name).await?;
        let password = password.to_owned();
        self.hashed(move || {
            let hash = kept.as_ref().map(|kept| kept.hash.as_str());
            passwords::matches(&password, hash).then(|| kept.map(|kept| kept.subject)).flatten()
        })
        .await
    }

    /// The account of a name. One that the log does not name is none: an old copy that somebody put back.
    async fn kept(&self, name: &str) -> Result<Option<Kept>, Problem> {
        let key = key(name);
        let Some(row) = self.vault.row(CREDENTIAL, &key).await? else { return Ok(None) };
        let Ok(kept) = serde_json::from_slice::<Kept>(&row.value) else { return Ok(None) };
        let known = self.vault.board().house().credential(&kept.subject.holder());
        Ok(newest(known, row.digest, CREDENTIAL, &key).then_some(kept))
    }

    /// Looks at a password for somebody and hashes it. It is kept with the entry of the log that names its row. Every
    /// invitation of theirs is used up with it: one that was kept could set the password again.
    pub async fn prepare(&self, subject: &Subject, password: &str) -> Result<RowChange, Problem> {
        if self.holder(subject.name()).await?.is_some_and(|holder| holder != *subject) {
            let detail = "Somebody else signs in by this name; choose another.";
            return Err(Problem::new(axum::http::StatusCode::CONFLICT, "NameIsTaken", detail));
        }
        let (password, name) = (password.to_owned(), subject.name().to_owned());
        let hash = self.hashed(move || passwords::hash(&password, &name)).await?.map_err(weak)?;
        let kept = Kept { subject: subject.clone(), hash };
        let value = serde_json::to_vec(&kept).expect("an account has a JSON form");
        let row = Sealed { kind: CREDENTIAL.to_owned(), key: key(subject.name()), value: Some(value) };
        let (digest, mut rows) = (self.vault.digest(&row), self.invitations_of(subject).await?);
        rows.push(row);
        Ok(RowChange { digest, rows })
    }

    /// What takes every invitation of somebody away.
    async fn invitations_of(&self, subject: &Subject) -> Result<Vec<Sealed>, Problem> {
        let is_theirs = |bytes: &[u8]| {
            serde_json::from_slice::<Invited>(bytes).is_ok_and(|other| other.subject == *subject)
        };
        let mut theirs = self.vault.all(INVITATION).await?;
        theirs.retain(|(_, bytes)| is_theirs(bytes));
        let gone = |(key, _)| Sealed { kind: INVITATION.to_owned(), key, value: None };
        Ok(theirs.into_iter().map(gone).collect())
    }

    /// Who signs in by a name, if somebody does: Players and staff come in at the same door.
    pub async fn holder(&self, name: &str) -> Result<Option<Subject>, Problem> {
        Ok(self.kept(name).await?.map(|kept| kept.subject))
    }

    /// What takes somebody's account and invitations away.
    pub async fn removal(&self, subject: &Subject) -> Result<Vec<Sealed>, Problem> {
        let mut rows = self.invitations_of(subject).await?;
        for kind in [CREDENTIAL, SECOND_FACTOR, SECOND_FACTOR_USED] {
            rows.push(Sealed { kind: kind.to_owned(), key: key(subject.name()), value: None });
        }
        Ok(rows)
    }

    /// An invitation for somebody: the holder of the token may choose the password. It takes the place of earlier
    /// invitations, and is kept with the entry of the log that names its row.
    pub async fn invite(&self, subject: &Subject) -> Result<(String, RowChange), Problem> {
        let token = super::sessions::random_token();
        let key = TokenDigest::of(&token).key();
        let change = self.keep_invitation(subject, key, None).await?;
        Ok((token, change))
    }

    /// The second half of an invitation, whose first half was given out before.
    pub async fn invite_by_second_half(&self, subject: &Subject) -> Result<(String, RowChange), Problem> {
        let token = super::sessions::random_token();
        let half = TokenDigest::of(&token).key();
        let gone = self.invitations_of(subject).await?;
        let first = gone.into_iter().next().map(|row| row.key).ok_or_else(no_invitation)?;
        let change = self.keep_invitation(subject, first, Some(half)).await?;
        Ok((token, change))
    }

    async fn keep_invitation(
        &self,
        subject: &Subject,
        key: String,
        other_half: Option<String>,
    ) -> Result<RowChange, Problem> {
        let until = super::sessions::seconds().saturating_add(INVITATION_SECONDS);
        let invited = Invited { subject: subject.clone(), until, other_half };
        let value = Some(serde_json::to_vec(&invited).expect("an invitation has a JSON form"));
        let row = Sealed { kind: INVITATION.to_owned(), key, value };
        let (digest, mut rows) = (self.vault.digest(&row), self.invitations_of(subject).await?);
        rows.retain(|other| other.key != row.key);
        rows.push(row);
        Ok(RowChange { digest, rows })
    }

    /// Whom a token invites: of the staff its two halves in either order, with a dot between them.
    pub async fn invited(&self, token: &str) -> Result<Subject, Problem> {
        let Some((one, other)) = token.split_once(BETWEEN_HALVES) else {
            return self.invited_by(token, None).await;
        };
        match self.invited_by(one, Some(other)).await {
            Ok(subject) => Ok(subject),
            Err(_) => self.invited_by(other, Some(one)).await,
        }
    }

    async fn invited_by(&self, token: &str, other: Option<&str>) -> Result<Subject, Problem> {
        let key = TokenDigest::of(token).key();
        let row = self.vault.row(INVITATION, &key).await?.ok_or_else(no_invitation)?;
        let invited: Invited = serde_json::from_slice(&row.value).map_err(|_| no_invitation())?;
        // One that the log does not know is none: it was used, another took its place, or its holder was dismissed.
        let known = self.vault.board().house().invitation(&invited.subject.holder());
        let is_whole = match invited.subject {
            Subject::Player(_) => other.is_none(),
            Subject::Staff(_) => {
                invited.other_half.is_some()
                    && invited.other_half == other.map(|half| TokenDigest::of(half).key())
            }
        };
        let is_newest = newest(known, row.digest, INVITATION, &key);
        let stands = is_newest && is_whole && super::sessions::seconds() < invited.until;
        if stands { Ok(invited.subject) } else { Err(no_invitation()) }
    }
}

/// Whether a row is the one the log names; another is reported.
pub(super) fn newest(known: Option<KeptRow>, digest: Hash, kind: &str, key: &str) -> bool {
    let is_newest = known.is_some_and(|known| known.is(digest));
    if !is_newest {
        Vault::report_put_back(kind, key);
    }
    is_newest
}

/// What is said of an invitation that cannot be taken up.
pub fn no_invitation() -> Problem {
    Problem::not_found("This invitation is unknown, used or too old; ask for another.")
}

/// Names are compared without case, so that nobody can pass for another.
pub(super) fn key(name: &str) -> String {
    name.to_lowercase()
}

fn weak(error: PasswordError) -> Problem {
    let detail = format!("This password cannot be used: {error}.");
    Problem::new(axum::http::StatusCode::UNPROCESSABLE_ENTITY, "PasswordIsWeak", detail).at("password")
}
