//! A turn: requests in, replies out. A batch that fails is split or retried where that can help.

use std::time::Duration;

use jackpot::TableId;
use journal::{Account, CommandId, StoreError, Stream};

use super::Node;
use super::answer::{Answer, Failure, Request};
use super::batch::{Batch, Outcome, Reply, read_answer};
use crate::refusal::{Reason, Refusal};
use crate::streams::streams_of;

/// How often a batch is decided again after a write conflict.
const TRIES_MAX: u32 = 8;

/// How often a batch is tried on a database that cannot be reached. Each try opens a new connection.
const CONNECTIONS_MAX: u32 = 2;

/// How long a database that cannot be reached is not tried again, so that it can restart.
const LEFT_ALONE: Duration = Duration::from_millis(100);

/// Requests that go into one batch, by their places in the turn.
struct Group {
    members: Vec<usize>,
    tries: u32,
}

/// What is asked in a turn and what has been replied so far.
struct Turn<'a> {
    requests: &'a [Request],
    replies: Vec<Option<Reply>>,
    /// The group that comes next is the last.
    groups: Vec<Group>,
}

impl Turn<'_> {
    fn reply(&mut self, members: &[usize], failure: &Failure) {
        for member in members {
            if let Some(reply) = self.replies.get_mut(*member) {
                *reply = Some(Err(failure.clone()));
            }
        }
    }

    fn requests(&self, members: &[usize]) -> Vec<&Request> {
        members.iter().filter_map(|member| self.requests.get(*member)).collect()
    }

    /// Puts a group's first replies in place, and the rest into a group that comes next.
    fn done(&mut self, group: Group, replies: Vec<Reply>) {
        let mut members = group.members.into_iter();
        let any = !replies.is_empty();
        for (reply, member) in replies.into_iter().zip(members.by_ref()) {
            if let Some(place) = self.replies.get_mut(member) {
                *place = Some(reply);
            }
        }
        let tries = if any { 0 } else { group.tries.saturating_add(1) };
        self.push(members.collect(), tries);
    }

    fn push(&mut self, members: Vec<usize>, tries: u32) {
        if !members.is_empty() {
            self.groups.push(Group { members, tries });
        }
    }

    /// Puts a group next, unless it was tried too often.
    fn push_or_fail(&mut self, members: Vec<usize>, tries: u32, tries_max: u32, error: &StoreError) {
        if tries < tries_max {
            self.push(members, tries);
        } else {
            self.reply(&members, &Failure::Unavailable(error.to_string()));
        }
    }
}

impl Node {
    /// Answers requests, each after everything of it is durable, and carries forward what is due. Replies stand in the
    /// order of the requests.
    pub fn turn(&mut self, requests: &[Request]) -> Vec<Result<Answer, Failure>> {
        let replies = self.answer(requests);
        self.carry();
        replies
    }

    /// Answers requests like [`Node::turn`], and leaves it to [`Node::carry`] to carry streams forward: those who asked need
    /// not wait for that.
    pub fn answer(&mut self, requests: &[Request]) -> Vec<Result<Answer, Failure>> {
        let run = |node: &mut Node| {
            let replies = node.run(requests);
            node.report_refused(requests, &replies);
            Ok(replies)
        };
        match self.guarded(run) {
            Ok(replies) => replies,
            Err(failure) => requests.iter().map(|_| Err(failure.clone())).collect(),
        }
    }

    pub(super) fn run(&mut self, requests: &[Request]) -> Vec<Reply> {
        let replies = requests.iter().map(|_| None).collect();
        let mut turn = Turn { requests, replies, groups: Vec::new() };
        if let Some((until, why)) = &self.away
            && self.setup.clock.monotonic() < *until
        {
            let away = Failure::Unavailable(why.clone());
            return requests.iter().map(|_| Err(away.clone())).collect();
        }
        let here = self.reply_from_elsewhere(&mut turn);
        turn.push(here, 0);
        while let Some(group) = turn.groups.pop() {
            if let Some(why) = &self.stopped {
                turn.reply(&group.members, &Failure::Stopped(why.clone()));
                continue;
            }
            match self.attempt(&turn.requests(&group.members), None) {
                Ok(replies) if replies.is_empty() && TRIES_MAX <= group.tries => {
                    let failure = Failure::Unavailable("gave up after repeated write conflicts".to_owned());
                    turn.reply(&group.members, &failure);
                }
                Ok(replies) => turn.done(group, replies),
                Err(error) => self.try_again(&mut turn, group, error),
            }
        }
        let replies = turn.replies.into_iter();
        replies.map(|reply| reply.expect("every request of a turn is in a group or has its reply")).collect()
    }

    /// One batch. Publishes what it made durable.
    fn attempt(&mut self, requests: &[&Request], refuse: Option<Refusal>) -> Result<Vec<Reply>, StoreError> {
        self.seal_before_writing()?;
        let mut outcome = Outcome::default();
        let batch = Batch {
            memory: &mut self.memory,
            chance: &mut *self.setup.chance,
            vault_key: &self.setup.vault_key,
            at: self.setup.clock.now(),
            leases: self.leases.as_ref(),
            upkeep: &self.upkeep,
            refuse,
        };
        let written =
            self.store.begin().and_then(|transaction| batch.run(transaction, requests, &mut outcome));
        self.upkeep.wrote(outcome.written.len());
        let mut entries = outcome.heard;
        entries.extend(outcome.written);
        self.upkeep.grew(&entries);
        self.carrying.grew(&entries, self.memory.floor.house().day_rule());
        self.tell(entries);
        if outcome.is_behind {
            self.start_anew()?;
        }
        written.map(|()| outcome.replies)
    }

    /// Retries a group whose batch was not written, or replies with the failure.
    fn try_again(&mut self, turn: &mut Turn<'_>, group: Group, error: StoreError) {
        let Group { members, tries } = group;
        let next = tries.saturating_add(1);
        match error {
            StoreError::Fenced(table) => {
                self.lose(&table);
                let (lost, rest) = self.split(turn, members, &table);
                turn.reply(&lost, &Failure::NotHere { node: self.runs(&table) });
                let tries = if lost.is_empty() { next } else { tries };
                turn.push_or_fail(rest, tries, TRIES_MAX, &StoreError::Fenced(table));
            }
            StoreError::Unavailable(_) => {
                if CONNECTIONS_MAX <= next {
                    let until = self.setup.clock.monotonic().saturating_add(LEFT_ALONE);
                    self.away = Some((until, error.to_string()));
                }
                turn.push_or_fail(members, next, CONNECTIONS_MAX, &error);
            }
            StoreError::Short(account) if members.len() == 1 && TRIES_MAX <= tries => {
                self.refuse_short(turn, &members, &account);
            }
            StoreError::Conflict(_) | StoreError::Short(_) => {
                // Retry each alone, so that one failure cannot fail the rest. The last pushed comes first.
                for member in members.into_iter().rev() {
                    turn.push_or_fail(vec![member], next, TRIES_MAX.saturating_add(1), &error);
                }
            }
            StoreError::Full(_)
            | StoreError::Failed(_)
            | StoreError::Corrupt { .. }
            | StoreError::Schema(_) => {
                let failure = self.failure(error);
                turn.reply(&members, &failure);
            }
        }
    }

    /// Those of a group that concern a table, and the others.
    fn split(&self, turn: &Turn<'_>, members: Vec<usize>, table: &TableId) -> (Vec<usize>, Vec<usize>) {
        let stream = Stream::Table(table.clone());
        members.into_iter().partition(|member| {
            let request = turn.requests.get(*member);
            request.is_some_and(|request| streams_of(&request.command, &self.memory.floor).contains(&stream))
        })
    }

    /// The store refused what the floor accepted: other commands keep spending the money first. So it is refused.
    fn refuse_short(&mut self, turn: &mut Turn<'_>, members: &[usize], account: &Account) {
        let refusal = match account {
            Account::Wallet(player) => Reason::NotEnoughCredits.because(&format_args!("({player})")),
            Account::Chips => Reason::NotEnoughChips.refuse(),
            Account::Cash
            | Account::Granted
            | Account::House
            | Account::Owed(_)
            | Account::Table(_)
            | Account::Meter(_)
            | Account::Reserve(_)
            | Account::Overflow(_)
            | Account::Awards(_) => {
                let failure = self.stop(format!("unexpected debit: {account} would go negative"));
                return turn.reply(members, &failure);
            }
        };
        match self.attempt(&turn.requests(members), Some(refusal)) {
            Ok(replies) => turn.done(Group { members: members.to_vec(), tries: 0 }, replies),
            Err(error) => {
                let failure = self.failure(error);
                turn.reply(members, &failure);
            }
        }
    }

    /// Replies to the requests whose tables are not run here: the first answer, or which node to ask. Returns the others.
    fn reply_from_elsewhere(&mut self, turn: &mut Turn<'_>) -> Vec<usize> {
        if self.leases.is_none() {
            return (0..turn.requests.len()).collect();
        }
        let (mut here, mut elsewhere) = (Vec::new(), Vec::new());
        for (member, request) in turn.requests.iter().enumerate() {
            match self.table_elsewhere(request) {
                Ok(None) => here.push(member),
                Ok(Some(table)) => elsewhere.push((member, request, table)),
                Err(error) => {
                    let failure = self.failure(error);
                    turn.reply(&[member], &failure);
                }
            }
        }
        if elsewhere.is_empty() {
            return here;
        }
        let ids: Vec<CommandId> = elsewhere.iter().map(|(_, request, _)| request.id).collect();
        let answers = self.store.answers(&ids).map_err(|error| self.failure(error));
        for (member, request, table) in elsewhere {
            let reply = match &answers {
                Err(failure) => Err(failure.clone()),
                Ok(answers) => match answers.iter().find(|answered| answered.command == request.id) {
                    None => Err(Failure::NotHere { node: self.runs(&table) }),
                    Some(answered) if answered.request != request.digest => {
                        Err(Failure::IdReused(request.id))
                    }
                    Some(answered) => read_answer(answered).map_err(|error| self.failure(error)),
                },
            };
            turn.done(Group { members: vec![member], tries: 0 }, vec![reply]);
        }
        here
    }

    /// A table that a request concerns and that is not run here.
    fn table_elsewhere(&mut self, request: &Request) -> Result<Option<TableId>, StoreError> {
        for stream in streams_of(&request.command, &self.memory.floor) {
            if let Stream::Table(table) = stream
                && !self.may_run(&table)?
            {
                return Ok(Some(table));
            }
        }
        Ok(None)
    }
}
