//! Who is signed in. A session is a random token of 256 bits that only its holder has; the server keeps its digest, in
//! the store, so that every node knows it and a restart forgets nobody. It ends when it is idle or old, when its holder
//! signs out, and at once when their account or office changes. The log says which sessions ended before their time, and a
//! session names the password it began by: an old row that somebody puts back is no session.

mod live;

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use floor::node::Request;
use floor::{Command, House, HouseCommand};
use jackpot::Person;
use journal::{AccountHolder, Actor, CommandId, Hash, Moment, Sealed, SignInMeans, Stream};
use round::PlayerId;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;

use journal::vault::kind::{SESSION, SESSION_USED as USED};

use self::live::Live;
use crate::problem::Problem;
use crate::vault::Vault;

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
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Subject {
    Player(String),
    /// Somebody of the staff.
    Staff(String),
}

impl Subject {
    /// The same as the log names them.
    pub fn holder(&self) -> AccountHolder {
        match self {
            Subject::Player(name) => AccountHolder::Player(PlayerId::new(name)),
            Subject::Staff(name) => AccountHolder::Staff(Person::new(name)),
        }
    }
}

/// A session as it is kept. Moments are seconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    subject: Subject,
    /// The actor they were when it began: in another office the session is over.
    actor: String,
    begun: u64,
    /// When it was last used, as far as is known.
    used: u64,
    stepped_up: Option<u64>,
    /// The row of the password it began by: with another password the session is over.
    #[serde(default)]
    credential: Option<Hash>,
    /// How long the house's log was when it began. A node that has not read so far does not know that password yet.
    #[serde(default)]
    house: u64,
}

impl Kept {
    /// Whether the log has ended the session: by itself, or with its password.
    fn is_over(&self, digest: TokenDigest, vault: &Vault) -> bool {
        let house = vault.board().house();
        let is_behind = version(vault) < self.house;
        let is_other = !is_behind && house.session_credential(&self.subject.holder()) != self.credential;
        is_other || house.has_ended(&digest.hash())
    }
}

/// What a request is made with.
#[derive(Clone, Debug)]
pub struct Session {
    /// Whose.
    pub subject: Subject,
    /// The actor they were when it began.
    pub actor: String,
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
        self.hash().to_string()
    }

    /// As bytes, for what is bound to a session.
    pub(super) const fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// As the log names it.
    pub(crate) const fn hash(self) -> Hash {
        Hash(self.0)
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

    /// Begins a session and hands out its token. The log says that somebody of the staff signed in.
    pub async fn begin(
        &self,
        subject: Subject,
        actor: &Actor,
        how: SignInMeans,
        from: IpAddr,
    ) -> Result<String, Problem> {
        let asker = actor.clone();
        let token = random_token();
        let digest = TokenDigest::of(&token);
        let now = seconds();
        let actor = actor.code();
        let (credential, house) = {
            let board = self.vault.board();
            (board.house().session_credential(&subject.holder()), version(&self.vault))
        };
        let stepped_up = (how == SignInMeans::StepUp).then_some(now);
        let kept = Kept { subject, actor, begun: now, used: now, stepped_up, credential, house };
        let value = serde_json::to_vec(&kept).expect("a session has a JSON form");
        let rows = vec![sealed(SESSION, digest.key(), Some(value))];
        match &kept.subject {
            Subject::Player(_) => self.vault.put(rows).await?,
            Subject::Staff(_) => {
                let (who, from) = (kept.subject.holder(), from.to_string());
                let began = HouseCommand::BeginSession { who, session: digest.hash(), how, from };
                let request = Request::new(random_id(), asker, Command::House(began));
                self.vault.record(request.with_rows(rows)).await?;
            }
        }
        self.live().insert(digest, Live::new(kept, Some(Instant::now())));
        Ok(token)
    }

    /// The session of a token, if there is one that has not ended. Notes that it was used.
    pub async fn find(&self, token: &str) -> Result<Option<Session>, Problem> {
        let digest = TokenDigest::of(token);
        if !self.is_known(digest) {
            let kept = self.stored(digest).await?;
            self.learn(digest, kept);
        }
        let Some((session, note)) = self.use_now(digest) else {
            if self.knows(digest) {
                self.let_go(digest).await?;
            }
            return Ok(None);
        };
        if let Some(used) = note {
            let value = serde_json::to_vec(&used).expect("a number has a JSON form");
            self.vault.put(vec![sealed(USED, digest.key(), Some(value))]).await?;
        }
        Ok(Some(session))
    }

    /// Whether this node knows of a session, without asking the store.
    pub fn knows(&self, digest: TokenDigest) -> bool {
        self.live().contains_key(&digest)
    }

    /// Whether the store need not be asked about a session. Whether it has run out is for the store to say: another node
    /// may have used it.
    fn is_known(&self, digest: TokenDigest) -> bool {
        let runs = |live: &Live| live.asked.elapsed() < FRESH && !live.has_run_out(&self.lifetimes);
        self.live().get(&digest).is_some_and(runs)
    }

    /// A session as the store has it, with the use that was noted last.
    async fn stored(&self, digest: TokenDigest) -> Result<Option<Kept>, Problem> {
        let key = digest.key();
        let kept = self.vault.get(SESSION, &key).await?;
        let Some(kept) = kept.and_then(|bytes| serde_json::from_slice::<Kept>(&bytes).ok()) else {
            return Ok(None);
        };
        if kept.is_over(digest, &self.vault) {
            Vault::report_put_back(SESSION, &key);
            return Ok(None);
        }
        let used = self.vault.get(USED, &key).await?.map_or(0, |bytes| noted(&bytes));
        Ok(Some(Kept { used: used.max(kept.used), ..kept }))
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
                known.update_used(kept.used);
                known.kept = Kept { used: known.kept.used, ..kept };
            }
            (Some(kept), None) => {
                live.insert(digest, Live::new(kept, None));
            }
            (None, known) => {
                if let Some(known) = known {
                    known.ended.cancel();
                }
                live.remove(&digest);
            }
        }
    }

    /// Uses a session, if it has not run out; and the moment to note, now and then.
    fn use_now(&self, digest: TokenDigest) -> Option<(Session, Option<u64>)> {
        let mut all = self.live();
        let live = all.get_mut(&digest)?;
        if live.has_run_out(&self.lifetimes) || live.kept.is_over(digest, &self.vault) {
            return None;
        }
        live.used = Instant::now();
        live.kept.used = seconds();
        let is_noted = live.noted.is_some_and(|at| at.elapsed() < NOTED);
        let note = (!is_noted).then_some(live.kept.used);
        if note.is_some() {
            live.noted = Some(live.used);
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

    /// Ends a session before its time: its holder signed out, or may not go on. The log says so, and its row goes with
    /// that entry.
    pub async fn end(&self, digest: TokenDigest, by: &Actor) -> Result<(), Problem> {
        let known = self.live().get(&digest).map(|live| live.kept.clone());
        let kept = match known {
            Some(kept) => Some(kept),
            None => self.stored(digest).await?,
        };
        if let Some(kept) = kept.filter(|kept| !kept.is_over(digest, &self.vault)) {
            self.record_end(&kept.subject, digest.hash(), by).await?;
        }
        self.drop_live(digest);
        Ok(())
    }

    /// Writes to the log that a session ended, and takes its row away with that.
    async fn record_end(&self, subject: &Subject, session: Hash, by: &Actor) -> Result<(), Problem> {
        let command = Command::House(HouseCommand::EndSession { who: subject.holder(), session });
        let request =
            Request::new(random_id(), by.clone(), command).with_rows(taken_away(&session.to_string()));
        match self.vault.record(request).await {
            // Somebody else ended it at the same moment.
            Err(_) if self.vault.board().house().has_ended(&session) => Ok(()),
            done => done,
        }
    }

    /// Takes away a session that has run out, or that the log has ended. It says so itself wherever it appears again.
    async fn let_go(&self, digest: TokenDigest) -> Result<(), Problem> {
        self.drop_live(digest);
        self.vault.put(taken_away(&digest.key())).await
    }

    fn drop_live(&self, digest: TokenDigest) {
        if let Some(live) = self.live().remove(&digest) {
            live.ended.cancel();
        }
    }

    /// Ends every session of somebody whose office changed, open feeds included.
    pub async fn end_all_of(&self, subject: &Subject) -> Result<(), Problem> {
        for session in self.of(subject).await? {
            let session = session.parse().expect("a session is kept under the digest of its token");
            self.record_end(subject, session, &Actor::System).await?;
        }
        self.forget(subject);
        Ok(())
    }

    /// What takes every session of somebody away whose password changes: they are over with it.
    pub async fn removal(&self, subject: &Subject) -> Result<Vec<Sealed>, Problem> {
        Ok(self.of(subject).await?.iter().flat_map(|key| taken_away(key)).collect())
    }

    /// Whether somebody is signed in, here or on another node.
    pub async fn has_any(&self, subject: &Subject) -> Result<bool, Problem> {
        Ok(!self.of(subject).await?.is_empty())
    }

    /// The keys of somebody's sessions.
    async fn of(&self, subject: &Subject) -> Result<Vec<String>, Problem> {
        let whose = |bytes: &[u8]| serde_json::from_slice::<Kept>(bytes).ok().map(|kept| kept.subject);
        let mut all = self.vault.all(SESSION).await?;
        all.retain(|(_, bytes)| whose(bytes).as_ref() == Some(subject));
        Ok(all.into_iter().map(|(key, _)| key).collect())
    }

    /// Rings when a session ends that somebody has on this node, if they have one.
    pub fn one_of(&self, subject: &Subject) -> Option<CancellationToken> {
        let all = self.live();
        all.values().find(|live| live.kept.subject == *subject).map(|live| live.ended.clone())
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
        for digest in self.those(|live| live.is_old(&self.lifetimes)) {
            self.let_go(digest).await?;
        }
        let is_other = |live: &Live| {
            let actor = live.kept.subject.actor(house).map(|actor| actor.code());
            actor.as_ref() != Some(&live.kept.actor)
        };
        for digest in self.those(is_other) {
            self.end(digest, &Actor::System).await?;
        }
        let asked = Instant::now();
        let stand = self.tidy().await?;
        // One that began while the store was asked may not be in its answer yet.
        self.live().retain(|digest, live| {
            if let Some(used) = stand.get(&digest.key()) {
                // The store has just said so: the next request need not ask again.
                live.asked = live.asked.max(asked);
                live.update_used(*used);
                return true;
            }
            let stays = asked < live.first_seen;
            if !stays {
                live.ended.cancel();
            }
            stays
        });
        for digest in self.those(|live| live.is_idle(&self.lifetimes)) {
            self.let_go(digest).await?;
        }
        Ok(())
    }

    /// Takes out of the store what is too old, and the notes of sessions that have ended. When each of the others was
    /// last used.
    async fn tidy(&self) -> Result<HashMap<String, u64>, Problem> {
        // A session is there before its first note, so a note whose session is not found after it is of one that has ended.
        let notes = self.vault.all(USED).await?;
        let sessions = self.vault.all(SESSION).await?;
        let oldest = seconds().saturating_sub(self.lifetimes.absolute.as_secs());
        let (mut stand, mut over) = (HashMap::new(), Vec::new());
        for (key, bytes) in sessions {
            let kept = serde_json::from_slice::<Kept>(&bytes).ok();
            let kept = kept.zip(key.parse::<Hash>().ok()).filter(|(kept, _)| oldest <= kept.begun);
            let is_over = |(kept, key): &(Kept, Hash)| kept.is_over(TokenDigest(key.0), &self.vault);
            match kept {
                Some(kept) if is_over(&kept) => {
                    Vault::report_put_back(SESSION, &key);
                    over.push(sealed(SESSION, key, None));
                }
                Some((kept, _)) => drop(stand.insert(key, kept.used)),
                None => over.push(sealed(SESSION, key, None)),
            }
        }
        for (key, bytes) in notes {
            match stand.get_mut(&key) {
                Some(used) => *used = noted(&bytes).max(*used),
                None => over.push(sealed(USED, key, None)),
            }
        }
        if !over.is_empty() {
            self.vault.put(over).await?;
        }
        Ok(stand)
    }

    /// The sessions here of which something is true.
    fn those(&self, are: impl Fn(&Live) -> bool) -> Vec<TokenDigest> {
        let those = |(digest, live): (&TokenDigest, &Live)| are(live).then_some(*digest);
        self.live().iter().filter_map(those).collect()
    }

    fn live(&self) -> std::sync::MutexGuard<'_, HashMap<TokenDigest, Live>> {
        self.live.lock().expect("nothing panics with the sessions in hand")
    }
}

impl Subject {
    /// The name they sign in with.
    pub fn name(&self) -> &str {
        match self {
            Subject::Player(name) | Subject::Staff(name) => name,
        }
    }

    /// Which actor somebody is on the floor: a Player, or staff in the office they hold or act in now. `None` where they are neither
    /// any more.
    pub fn actor(&self, house: &House) -> Option<Actor> {
        match self {
            Subject::Player(name) => {
                let player = PlayerId::new(name);
                house.player(&player).map(|_| Actor::Player(player))
            }
            Subject::Staff(name) => house.actor(&Person::new(name), Moment::now()),
        }
    }
}

/// How long the house's log is, as far as this node has read it.
fn version(vault: &Vault) -> u64 {
    vault.board().head(&Stream::House).map_or(0, |head| head.version.0)
}

/// The moment that a note of a session's use tells.
fn noted(bytes: &[u8]) -> u64 {
    serde_json::from_slice(bytes).unwrap_or(0)
}

fn sealed(kind: &str, key: String, value: Option<Vec<u8>>) -> Sealed {
    Sealed { kind: kind.to_owned(), key, value }
}

/// Takes a session out of the store, with the note of its use.
fn taken_away(key: &str) -> Vec<Sealed> {
    [SESSION, USED].map(|kind| sealed(kind, key.to_owned(), None)).to_vec()
}

/// An id for a command of the server's own. Nobody knows it beforehand, so nobody can use it up.
pub(super) fn random_id() -> CommandId {
    Hash::of([random_token().as_bytes()]).into()
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
