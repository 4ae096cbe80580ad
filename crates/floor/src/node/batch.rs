//! One batch: commands decided in order on the current floor, written in one transaction, and published only then. Where
//! the transaction fails, memory is restored to what the log says.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use jackpot::TableId;
use journal::{
    Account, Actor, Amount, Answered, Books, CommandId, Entry, Event, LinkEvent, Moment, StoreError, Stream,
    TableEvent, Transaction, VaultKey, Wanted,
};

use super::answer::{Answer, Failure, Request, Wrote};
use super::around::Chance;
use super::board::NewEntry;
use super::leases::Leases;
use super::memory::Memory;
use super::upkeep::{BATCH_ENTRIES_MAX, Upkeep};
use crate::dealing::Seed;
use crate::decide::{DecideContext, Decided, Happened, SEED, Stop, seed_key};
use crate::refusal::Refusal;
use crate::streams::streams_of;

/// What becomes of one request.
pub(super) type Reply = Result<Answer, Failure>;

/// Everything a batch results in besides what it does to memory.
#[derive(Default)]
pub(super) struct Outcome {
    /// The replies to the first of the requests; the rest need other streams, and a batch of their own.
    pub(super) replies: Vec<Reply>,
    /// What other nodes had written meanwhile. Holds whether or not the batch was written.
    pub(super) heard: Vec<Arc<NewEntry>>,
    /// Whether entries were taken out of the log that this node does not know yet.
    pub(super) is_behind: bool,
    /// What the batch wrote.
    pub(super) written: Vec<Arc<NewEntry>>,
}

/// What a batch is decided with.
pub(super) struct Batch<'a> {
    pub(super) memory: &'a mut Memory,
    pub(super) chance: &'a mut dyn Chance,
    pub(super) vault_key: &'a VaultKey,
    pub(super) at: Moment,
    /// Which tables are run here, where others may be run elsewhere.
    pub(super) leases: Option<&'a Leases>,
    /// What is sealed, because a long stream is sealed before it is written to.
    pub(super) upkeep: &'a Upkeep,
    /// What the one request is refused with, whatever the floor says: the store refused it.
    pub(super) refuse: Option<Refusal>,
}

impl Batch<'_> {
    /// Decides and writes requests. `outcome.heard` is filled also when it fails.
    pub(super) fn run(
        mut self,
        mut transaction: Box<dyn Transaction + '_>,
        requests: &[&Request],
        outcome: &mut Outcome,
    ) -> Result<(), StoreError> {
        let streams = self.streams(requests);
        let wanted = self.wanted(requests, &streams);
        self.lock(&mut *transaction, &wanted, outcome)?;
        if !outcome.heard.is_empty() && !self.streams(requests).is_subset(&streams) {
            return Ok(());
        }
        let is_long = |stream: &Stream| self.upkeep.is_long(stream, self.memory.head(stream).version);
        if !outcome.heard.is_empty() && streams.iter().any(is_long) {
            return Ok(());
        }
        let before = self.memory.keep(&streams);
        let done = self.decide_all(&mut *transaction, requests, &streams, outcome);
        let written = match done {
            Ok(false) => return Ok(()),
            Ok(true) => transaction.commit(),
            Err(error) => Err(error),
        };
        if written.is_err() {
            self.memory.put_back(before);
            outcome.written.clear();
            outcome.replies.clear();
        }
        written
    }

    fn streams(&self, requests: &[&Request]) -> BTreeSet<Stream> {
        requests.iter().flat_map(|request| streams_of(&request.command, &self.memory.floor)).collect()
    }

    /// What the requests are likely to need. What is missing here is asked for when it is needed.
    fn wanted(&self, requests: &[&Request], streams: &BTreeSet<Stream>) -> Wanted {
        let mut accounts = BTreeSet::from([Account::House, Account::Chips]);
        let mut sealed = Vec::new();
        for stream in streams {
            match stream {
                Stream::House => accounts.extend([Account::Cash, Account::Granted]),
                Stream::Link(link) => accounts.extend([
                    Account::Meter(link.clone()),
                    Account::Reserve(link.clone()),
                    Account::Overflow(link.clone()),
                    Account::Awards(link.clone()),
                ]),
                Stream::Table(id) => {
                    accounts.insert(Account::Table(id.clone()));
                    let Some(table) = self.memory.floor.table(id) else { continue };
                    let players = table.round().seats().filter_map(|(_, seat)| seat.holder().cloned());
                    accounts.extend(players.map(Account::Wallet));
                    sealed.push((SEED.to_owned(), seed_key(id, table.number())));
                }
            }
        }
        let players = requests.iter().filter_map(|request| match &request.actor {
            Actor::Player(player) => Some(Account::Wallet(player.clone())),
            Actor::Staff(..)
            | Actor::Acting(..)
            | Actor::Department(..)
            | Actor::Device(_)
            | Actor::System => None,
        });
        accounts.extend(players);
        Wanted {
            streams: streams
                .iter()
                .map(|stream| (stream.clone(), self.memory.head(stream).version))
                .collect(),
            commands: requests.iter().map(|request| request.id).collect(),
            accounts: accounts.into_iter().collect(),
            sealed,
        }
    }

    /// Locks the streams in their order and folds what others have added.
    fn lock(
        &mut self,
        transaction: &mut dyn Transaction,
        wanted: &Wanted,
        outcome: &mut Outcome,
    ) -> Result<(), StoreError> {
        let locked = transaction.open(wanted)?;
        for there in locked {
            let stream = &there.stream;
            if self.memory.head(stream).version < there.version && !self.hear(transaction, stream, outcome)? {
                outcome.is_behind = true;
                return Err(StoreError::Conflict("what is new was taken out of the log".to_owned()));
            }
            let known = self.memory.head(stream);
            if known != there {
                return Err(StoreError::Corrupt {
                    stream: stream.to_string(),
                    version: there.version.0,
                    what: format!("the log ends with {}, but {known:?} was acknowledged", there.hash),
                });
            }
        }
        Ok(())
    }

    /// Folds what others have added to a stream. False where some of it was taken out of the log.
    fn hear(
        &mut self,
        transaction: &mut dyn Transaction,
        stream: &Stream,
        outcome: &mut Outcome,
    ) -> Result<bool, StoreError> {
        let entries = transaction.entries(stream, self.memory.head(stream).version)?;
        if self.memory.lacks(&entries) {
            return Ok(false);
        }
        // The text of the book may be in an entry of the house that is not known here yet.
        if entries.iter().any(names_a_book) && !self.hear(transaction, &Stream::House, outcome)? {
            return Ok(false);
        }
        outcome.heard.extend(self.memory.fold(entries)?);
        Ok(true)
    }

    /// Decides requests in order, and says whether there is anything to write.
    fn decide_all(
        &mut self,
        transaction: &mut dyn Transaction,
        requests: &[&Request],
        streams: &BTreeSet<Stream>,
        outcome: &mut Outcome,
    ) -> Result<bool, StoreError> {
        let ids: Vec<CommandId> = requests.iter().map(|request| request.id).collect();
        let mut known = HashMap::new();
        for answered in transaction.answered(&ids)? {
            known.insert(answered.command, (answered.request, read_answer(&answered)?));
        }
        let (mut fenced, mut any) = (BTreeSet::new(), false);
        for request in requests {
            if let Some((digest, answer)) = known.get(&request.id) {
                let same = *digest == request.digest;
                outcome.replies.push(if same {
                    Ok(answer.clone())
                } else {
                    Err(Failure::IdReused(request.id))
                });
                continue;
            }
            let needs = streams_of(&request.command, &self.memory.floor);
            if !needs.iter().all(|stream| streams.contains(stream))
                || BATCH_ENTRIES_MAX <= outcome.written.len()
            {
                break;
            }
            let answer = self.decide(transaction, request, &mut outcome.written)?;
            fenced.extend(needs.into_iter().filter_map(|stream| match stream {
                Stream::Table(table) => Some(table),
                Stream::House | Stream::Link(_) => None,
            }));
            transaction.answer(Answered {
                command: request.id,
                request: request.digest,
                answer: answer.to_text(),
            });
            known.insert(request.id, (request.digest, answer.clone()));
            outcome.replies.push(Ok(answer));
            any = true;
        }
        self.fence(transaction, &fenced)?;
        Ok(any)
    }

    /// Nothing may be written unless these tables are still run here.
    fn fence(&self, transaction: &mut dyn Transaction, tables: &BTreeSet<TableId>) -> Result<(), StoreError> {
        let Some(leases) = self.leases else {
            return Ok(());
        };
        for table in tables {
            match leases.own(table) {
                Some(lease) => transaction.fence(lease),
                None => return Err(StoreError::Fenced(table.clone())),
            }
        }
        Ok(())
    }

    /// Decides one request, and writes what it does into the transaction.
    fn decide(
        &mut self,
        transaction: &mut dyn Transaction,
        request: &Request,
        written: &mut Vec<Arc<NewEntry>>,
    ) -> Result<Answer, StoreError> {
        if let Some(refusal) = &self.refuse {
            return Ok(Answer::Refused(refusal.clone()));
        }
        let mut ground =
            OnTransaction { transaction, chance: self.chance, vault_key: self.vault_key, at: self.at };
        match self.memory.floor.decide(&request.actor, &request.command, &mut ground) {
            Ok(decided) => Ok(Answer::Done(self.write(transaction, request, decided, written))),
            Err(Stop::Refused(refusal)) => Ok(Answer::Refused(refusal)),
            Err(Stop::Store(error)) => Err(error),
        }
    }

    fn write(
        &mut self,
        transaction: &mut dyn Transaction,
        request: &Request,
        mut decided: Decided,
        written: &mut Vec<Arc<NewEntry>>,
    ) -> Vec<Wrote> {
        let mut wrote: Vec<Wrote> = Vec::new();
        for happened in std::mem::take(&mut decided.happened) {
            let Happened { stream, event, transfers, table } = happened;
            let head = self.memory.head(&stream);
            let (body, actor) = (journal::encode(&event), request.actor.clone());
            let earlier = wrote.iter_mut().find(|wrote| wrote.stream == stream);
            let cause = earlier.is_none().then(|| journal::command_text(&request.command));
            let entry = Entry::caused(cause, &head, request.id, actor, self.at, body, transfers);
            self.memory.advance(entry.head());
            if let Some(earlier) = earlier {
                earlier.last = entry.version;
            } else {
                let (stream, first) = (entry.stream.clone(), entry.version);
                wrote.push(Wrote { stream, first, last: first });
            }
            transaction.append(entry.clone());
            written.push(Arc::new(NewEntry { entry, event, table }));
        }
        for sealed in std::mem::take(&mut decided.sealed).into_iter().chain(request.rows.iter().cloned()) {
            transaction.keep(self.vault_key.seal(sealed));
        }
        self.memory.floor.accept(decided);
        wrote
    }
}

/// An answer as it was kept.
pub(super) fn read_answer(answered: &Answered) -> Result<Answer, StoreError> {
    Answer::from_text(&answered.answer).map_err(|error| StoreError::Corrupt {
        stream: format!("command {}", answered.command),
        version: 0,
        what: error.to_string(),
    })
}

/// Balances and seeds as a transaction sees them, randomness and the time.
struct OnTransaction<'a> {
    transaction: &'a mut dyn Transaction,
    chance: &'a mut dyn Chance,
    vault_key: &'a VaultKey,
    at: Moment,
}

impl DecideContext for OnTransaction<'_> {
    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError> {
        self.transaction.balance(account)
    }

    fn seed(&mut self, table: &TableId, round: u64) -> Result<Option<Seed>, StoreError> {
        let key = seed_key(table, round);
        let Some(stored) = self.transaction.sealed(SEED, &key)? else {
            return Ok(None);
        };
        // A row that does not open is as good as none: it was altered, or stored with another key.
        let seed = self.vault_key.open(SEED, &key, &stored).and_then(|seed| seed.try_into().ok());
        Ok(seed.map(Seed))
    }

    fn draw(&mut self) -> Result<Seed, StoreError> {
        self.chance.draw().map(Seed).map_err(StoreError::Failed)
    }

    fn books(&mut self) -> Result<Books, StoreError> {
        self.transaction.books()
    }

    fn now(&self) -> Moment {
        self.at
    }
}

/// Whether an entry names a rulebook that the house may have changed to.
pub(super) fn names_a_book(entry: &Entry) -> bool {
    if journal::is_play(&entry.body) {
        return false;
    }
    matches!(
        journal::decode(&entry.body),
        Ok(Event::Link(LinkEvent::BookAdded { .. } | LinkEvent::Opened { .. })
            | Event::Table(TableEvent::RulesTaken { .. } | TableEvent::Opened { .. }))
    )
}
