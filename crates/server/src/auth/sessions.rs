//! Who is signed in. A session is a random token of 256 bits that only its holder has; the server keeps its digest, in
//! the store, so that every node knows it and a restart forgets nobody. It ends when it is idle or old, when its holder
//! signs out, and at once when their account or office changes.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use floor::House;
use jackpot::Person;
use journal::{Actor, Sealed};
use round::PlayerId;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;

use crate::problem::Problem;
use crate::vault::Vault;

/// What the kind of a sealed thing is called that holds a session.
const SESSION: &str = "session";

/// For how long another node's word on a session is taken before it is asked again.
const FRESH: Duration = Duration::from_secs(3);

/// How often sessions are looked through for those that are over.
pub const SWEPT: Duration = Duration::from_secs(2);

/// How often it is written down that a session was used.
const NOTED: Duration = Duration::from_mins(1);

/// How long sessions last.
#[derive(Clone, Copy, Debug)]
pub struct Lifetimes {
    /// Without a request.
    pub idle: Duration,
    /// In all.
    pub absolute: Duration,
    /// For how long a repeated password counts.
    pub step_up: Duration,
}

/// Whose a session is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Subject {
    /// A Player's.
    Player(String),
    /// Somebody of the staff.
    Staff(String),
}

/// A session as it is kept. Moments are seconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    subject: Subject,
    /// As whom the floor heard them when it began: in another office it is over.
    actor: String,
    begun: u64,
    used: u64,
    stepped_up: Option<u64>,
}

/// A session as this node knows it. Its age here is by a clock that never jumps.
#[derive(Debug)]
struct Live {
    kept: Kept,
    begun: Instant,
    used: Instant,
    asked: Instant,
    noted: Instant,
    /// When this node first heard of it.
    heard: Instant,
    stepped_up: Option<Instant>,
    ended: CancellationToken,
}

/// What a request is made with.
#[derive(Clone, Debug)]
pub struct Session {
    /// Whose.
    pub subject: Subject,
    /// As whom the floor heard them when it began.
    pub actor: String,
    /// Which.
    pub digest: TokenDigest,
    /// Whether the password was repeated lately.
    pub stepped_up: bool,
    /// Rings when the session ends.
    pub ended: CancellationToken,
}

/// The digest of a token: what the server knows a session by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TokenDigest([u8; 32]);

impl TokenDigest {
    /// Of a token as its holder sends it.
    pub fn of(token: &str) -> TokenDigest {
        TokenDigest(Sha256::digest(token.as_bytes()).into())
    }

    /// As a key of the vault.
    pub(super) fn key(self) -> String {
        journal::Hash(self.0).to_string()
    }
}

/// Every session.
#[derive(Debug)]
pub struct Sessions {
    vault: Vault,
    lifetimes: Lifetimes,
    live: Mutex<HashMap<TokenDigest, Live>>,
}

impl Sessions {
    /// None yet on this node; what the store has is found when it is asked for.
    pub fn new(vault: Vault, lifetimes: Lifetimes) -> Sessions {
        Sessions { vault, lifetimes, live: Mutex::default() }
    }

    /// How many sessions this node knows.
    pub fn count(&self) -> usize {
        self.live().len()
    }

    /// Begins a session and hands out its token.
    pub async fn begin(&self, subject: Subject, actor: &Actor, stepped_up: bool) -> Result<String, Problem> {
        let token = random_token();
        let digest = TokenDigest::of(&token);
        let now = seconds();
        let actor = actor.code();
        let kept = Kept { subject, actor, begun: now, used: now, stepped_up: stepped_up.then_some(now) };
        self.keep(digest, Some(&kept)).await?;
        self.live().insert(digest, Live::new(kept, Instant::now()));
        Ok(token)
    }

    /// The session of a token, if there is one that has not ended. Notes that it was used.
    pub async fn find(&self, token: &str) -> Result<Option<Session>, Problem> {
        let digest = TokenDigest::of(token);
        let known = self.live().get(&digest).is_some_and(|live| live.asked.elapsed() < FRESH);
        if !known {
            let kept = self.vault.get(SESSION, &digest.key()).await?;
            self.learn(digest, kept.and_then(|bytes| serde_json::from_slice(&bytes).ok()));
        }
        let Some((session, note)) = self.use_now(digest) else {
            if self.knows(digest) {
                self.end(digest).await?;
            }
            return Ok(None);
        };
        if let Some(kept) = note {
            self.keep(digest, Some(&kept)).await?;
        }
        Ok(Some(session))
    }

    /// Whether this node knows of a session, without asking the store.
    pub fn knows(&self, digest: TokenDigest) -> bool {
        self.live().contains_key(&digest)
    }

    /// What the store says of a session.
    fn learn(&self, digest: TokenDigest, kept: Option<Kept>) {
        let mut live = self.live();
        match (kept, live.get_mut(&digest)) {
            (Some(kept), Some(known)) => {
                known.asked = Instant::now();
                if known.kept.stepped_up < kept.stepped_up {
                    known.stepped_up = Some(Instant::now());
                }
                known.kept = kept;
            }
            (Some(kept), None) => {
                live.insert(digest, Live::new(kept, Instant::now()));
            }
            (None, known) => {
                if let Some(known) = known {
                    known.ended.cancel();
                }
                live.remove(&digest);
            }
        }
    }

    /// Uses a session, if it has not run out; and what to note of it, now and then.
    fn use_now(&self, digest: TokenDigest) -> Option<(Session, Option<Kept>)> {
        let mut all = self.live();
        let live = all.get_mut(&digest)?;
        if live.has_run_out(&self.lifetimes) {
            return None;
        }
        live.used = Instant::now();
        live.kept.used = seconds();
        let note = (NOTED <= live.noted.elapsed()).then(|| live.kept.clone());
        if note.is_some() {
            live.noted = Instant::now();
        }
        let stepped_up = live.stepped_up.is_some_and(|at| at.elapsed() < self.lifetimes.step_up);
        let session = Session {
            subject: live.kept.subject.clone(),
            actor: live.kept.actor.clone(),
            digest,
            stepped_up,
            ended: live.ended.clone(),
        };
        Some((session, note))
    }

    /// Ends a session: its holder signed out, or it ran out.
    pub async fn end(&self, digest: TokenDigest) -> Result<(), Problem> {
        if let Some(live) = self.live().remove(&digest) {
            live.ended.cancel();
        }
        self.keep(digest, None).await
    }

    /// Ends every session of somebody whose account or office changed, open feeds included.
    pub async fn end_all_of(&self, subject: &Subject) -> Result<(), Problem> {
        for (key, bytes) in self.vault.all(SESSION).await? {
            let whose = serde_json::from_slice::<Kept>(&bytes).ok().map(|kept| kept.subject);
            if whose.as_ref() == Some(subject) {
                self.vault.put(vec![Sealed { kind: SESSION.to_owned(), key, value: None }]).await?;
            }
        }
        self.forget(subject);
        Ok(())
    }

    /// Whether somebody is signed in, here or on another node.
    pub async fn has_any(&self, subject: &Subject) -> Result<bool, Problem> {
        let all = self.vault.all(SESSION).await?;
        let whose = |bytes: &[u8]| serde_json::from_slice::<Kept>(bytes).ok().map(|kept| kept.subject);
        Ok(all.iter().any(|(_, bytes)| whose(bytes).as_ref() == Some(subject)))
    }

    /// Ends what this node knows of somebody's sessions, at once.
    pub fn forget(&self, subject: &Subject) {
        self.live().retain(|_, live| {
            let stays = live.kept.subject != *subject;
            if !stays {
                live.ended.cancel();
            }
            stays
        });
    }

    /// Ends the sessions that are over, so that their feeds end with them: run out, ended by another node, or of
    /// somebody whose office has changed. What is too old is taken out of the store.
    pub async fn sweep(&self, house: &House) -> Result<(), Problem> {
        for digest in self.over(house) {
            self.end(digest).await?;
        }
        let oldest = seconds().saturating_sub(self.lifetimes.absolute.as_secs());
        let mut stands = HashSet::new();
        let asked = Instant::now();
        for (key, bytes) in self.vault.all(SESSION).await? {
            let begun = serde_json::from_slice::<Kept>(&bytes).map_or(0, |kept| kept.begun);
            if begun < oldest {
                self.vault.put(vec![Sealed { kind: SESSION.to_owned(), key, value: None }]).await?;
            } else {
                stands.insert(key);
            }
        }
        // One that began while the store was asked may not be in its answer yet.
        self.live().retain(|digest, live| {
            if stands.contains(&digest.key()) {
                // The store has just said so: the next request need not ask again.
                live.asked = live.asked.max(asked);
                return true;
            }
            let stays = asked < live.heard;
            if !stays {
                live.ended.cancel();
            }
            stays
        });
        Ok(())
    }

    /// The sessions here that have run out, or whose holder is heard as somebody else now.
    fn over(&self, house: &House) -> Vec<TokenDigest> {
        let all = self.live();
        let over = all.iter().filter(|(_, live)| {
            let actor = live.kept.subject.actor(house).map(|actor| actor.code());
            live.has_run_out(&self.lifetimes) || actor.as_ref() != Some(&live.kept.actor)
        });
        over.map(|(digest, _)| *digest).collect()
    }

    async fn keep(&self, digest: TokenDigest, kept: Option<&Kept>) -> Result<(), Problem> {
        let value = kept.map(|kept| serde_json::to_vec(kept).expect("a session has a JSON form"));
        self.vault.put(vec![Sealed { kind: SESSION.to_owned(), key: digest.key(), value }]).await
    }

    fn live(&self) -> std::sync::MutexGuard<'_, HashMap<TokenDigest, Live>> {
        self.live.lock().expect("nothing panics with the sessions in hand")
    }
}

impl Live {
    /// A session this node hears of: as old as the store says, as far as this node's clock can tell.
    fn new(kept: Kept, now: Instant) -> Live {
        let ago = |moment: u64| {
            let age = Duration::from_secs(seconds().saturating_sub(moment));
            now.checked_sub(age).unwrap_or(now)
        };
        Live {
            begun: ago(kept.begun),
            used: ago(kept.used),
            stepped_up: kept.stepped_up.map(ago),
            asked: now,
            noted: now,
            heard: now,
            ended: CancellationToken::new(),
            kept,
        }
    }

    fn has_run_out(&self, lifetimes: &Lifetimes) -> bool {
        lifetimes.absolute <= self.begun.elapsed() || lifetimes.idle <= self.used.elapsed()
    }
}

impl Subject {
    /// The name they sign in with.
    pub fn name(&self) -> &str {
        match self {
            Subject::Player(name) | Subject::Staff(name) => name,
        }
    }

    /// As whom the floor hears somebody: a Player, or staff in the office they hold now. `None` where they are neither
    /// any more.
    pub fn actor(&self, house: &House) -> Option<Actor> {
        match self {
            Subject::Player(name) => {
                let player = PlayerId::new(name);
                house.player(&player).map(|_| Actor::Player(player))
            }
            Subject::Staff(name) => {
                let person = Person::new(name);
                house.office(&person).map(|office| Actor::Staff(person, office))
            }
        }
    }
}

/// A new token: 256 bits from the operating system, in hexadecimal.
pub(super) fn random_token() -> String {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    journal::Hash(bytes).to_string()
}

/// Seconds since 1970, for what is kept.
pub(super) fn seconds() -> u64 {
    u64::try_from(jiff::Timestamp::now().as_second()).unwrap_or(0)
}
