//! Refused sign-ins and denied commands go into the log, but nobody can fill the log with them. In each hour the first few
//! of one account and address get an entry each; the others are counted, and one entry at the end of the hour says how
//! many there were. In all there are so many entries an hour; what is beyond that is counted together. The staff's
//! accounts have an hour of their own, so that noise about other names does not hide what is tried with theirs.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use floor::node::Request;
use floor::{Command, HouseCommand};
use journal::{AccountHolder, Actor, SignInFault};

use super::sessions::random_id;
use crate::app::App;

/// How many entries one account and address get in an hour.
const ENTRIES_EACH: u32 = 5;

/// How many entries there are in an hour, besides those that count.
const ENTRIES_IN_ALL: u32 = 60;

/// For how long they are counted.
const HOUR: Duration = Duration::from_hours(1);

/// How often it is looked whether an hour is over.
pub(crate) const LOOKED: Duration = Duration::from_secs(30);

/// Whose they are: an account, where there is one of the name, and an address, of sign-ins.
type Whose = (Option<AccountHolder>, Option<IpAddr>);

/// What is counted at present.
#[derive(Debug, Default)]
pub struct Refusals {
    sign_ins: Mutex<Both>,
    commands: Mutex<Both>,
}

#[derive(Debug, Default)]
struct Both {
    staff: Hour,
    others: Hour,
}

impl Both {
    fn of(&mut self, whose: &Whose) -> &mut Hour {
        match whose.0 {
            Some(AccountHolder::Staff(_)) => &mut self.staff,
            Some(AccountHolder::Player(_)) | None => &mut self.others,
        }
    }

    /// The counts of hours that are over, or of all where the server stops.
    fn take(&mut self, now: Option<Instant>) -> Vec<(Option<Whose>, u64)> {
        let mut counts = self.staff.take(now);
        counts.extend(self.others.take(now));
        counts
    }
}

/// One hour: what was written in it, and what was only counted.
#[derive(Debug, Default)]
struct Hour {
    since: Option<Instant>,
    written: u32,
    each: BTreeMap<Whose, Count>,
    /// Those of accounts and addresses that got no entry any more.
    rest: u64,
}

#[derive(Debug, Default)]
struct Count {
    written: u32,
    held: u64,
}

impl Hour {
    /// Notes one, and says whether it gets an entry of its own.
    fn note(&mut self, whose: Whose, now: Instant) -> bool {
        self.since.get_or_insert(now);
        let is_full = ENTRIES_IN_ALL <= self.written;
        if is_full && !self.each.contains_key(&whose) {
            self.rest = self.rest.saturating_add(1);
            return false;
        }
        let count = self.each.entry(whose).or_default();
        if is_full || ENTRIES_EACH <= count.written {
            count.held = count.held.saturating_add(1);
            return false;
        }
        count.written += 1;
        self.written += 1;
        true
    }

    /// What was only counted, once the hour is over; `None` for those that are counted together.
    fn take(&mut self, now: Option<Instant>) -> Vec<(Option<Whose>, u64)> {
        let is_over = |since: Instant| now.is_none_or(|now| HOUR <= now.saturating_duration_since(since));
        if !self.since.is_some_and(is_over) {
            return Vec::new();
        }
        let Hour { each, rest, .. } = std::mem::take(self);
        let each = each.into_iter().map(|(whose, count)| (Some(whose), count.held));
        each.chain([(None, rest)]).filter(|(_, held)| *held != 0).collect()
    }
}

/// A sign-in was refused.
pub(crate) async fn sign_in(app: &App, who: Option<AccountHolder>, from: IpAddr, why: SignInFault) {
    let gets_entry = {
        let (whose, mut both) = ((who.clone(), Some(from)), lock(&app.refusals.sign_ins));
        both.of(&whose).note(whose, Instant::now())
    };
    if gets_entry {
        let (from, why) = (Some(from.to_string()), Some(why));
        record(app, HouseCommand::RefuseSignIn { who, from, why, times: 1 }).await;
    }
}

/// Somebody asked for what takes another office.
pub(crate) async fn command(app: &App, who: AccountHolder, what: &str, reason: &str) {
    let gets_entry = {
        let (whose, mut both) = ((Some(who.clone()), None), lock(&app.refusals.commands));
        both.of(&whose).note(whose, Instant::now())
    };
    if gets_entry {
        let (what, reason) = (Some(what.to_owned()), Some(reason.to_owned()));
        record(app, HouseCommand::DenyCommand { who: Some(who), what, reason, times: 1 }).await;
    }
}

/// Writes the counts of hours that are over.
pub(crate) async fn write_counts(app: App) {
    write(&app, Some(Instant::now())).await;
}

/// Writes every count: the server stops.
pub(crate) async fn write_all_counts(app: &App) {
    write(app, None).await;
}

async fn write(app: &App, now: Option<Instant>) {
    let sign_ins = lock(&app.refusals.sign_ins).take(now);
    for (whose, times) in sign_ins {
        let (who, from) = whose.unwrap_or_default();
        let from = from.map(|address| address.to_string());
        record(app, HouseCommand::RefuseSignIn { who, from, why: None, times }).await;
    }
    let commands = lock(&app.refusals.commands).take(now);
    for (whose, times) in commands {
        let (who, _) = whose.unwrap_or_default();
        record(app, HouseCommand::DenyCommand { who, what: None, reason: None, times }).await;
    }
}

/// Writes an entry. Whoever was refused is refused all the same where it cannot be written.
async fn record(app: &App, command: HouseCommand) {
    let request = Request::new(random_id(), Actor::System, Command::House(command));
    if let Err(problem) = app.ask(request).await {
        tracing::warn!(reason = problem.reason, "a refusal could not be written into the log");
    }
}

fn lock(both: &Mutex<Both>) -> MutexGuard<'_, Both> {
    both.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(last: u8) -> Whose {
        (None, Some(IpAddr::from([10, 0, 0, last])))
    }

    #[test]
    fn one_address_gets_a_few_entries_and_then_a_count() {
        let (mut hour, now) = (Hour::default(), Instant::now());
        let written = (0..1000).filter(|_| hour.note(from(1), now)).count();
        assert_eq!(written, 5);
        assert_eq!(hour.take(Some(now + HOUR / 2)), [], "the hour is not over");
        assert_eq!(hour.take(Some(now + HOUR)), [(Some(from(1)), 995)]);
        assert!(hour.note(from(1), now + HOUR), "another hour begins");
        assert_eq!(hour.take(None), [], "nothing was only counted in it");
    }

    #[test]
    fn many_addresses_together_get_no_more_than_so_many() {
        let (mut hour, now) = (Hour::default(), Instant::now());
        let tries = (0..3).flat_map(|_| 0..=255_u8);
        let written = tries.filter(|last| hour.note(from(*last), now)).count();
        assert_eq!(written, 60);
        let counts = hour.take(Some(now + HOUR));
        assert!(counts.len() <= 61, "{}", counts.len());
        let counted: u64 = counts.iter().map(|(_, times)| times).sum();
        assert_eq!(counted, 3 * 256 - 60, "every one is written or counted");
    }

    #[test]
    fn noise_about_other_names_does_not_hide_what_is_tried_with_the_staffs() {
        let (mut both, now) = (Both::default(), Instant::now());
        for last in 0..=255 {
            both.of(&from(last)).note(from(last), now);
        }
        let staff = (Some(AccountHolder::Staff(jackpot::Person::new("Gus"))), from(1).1);
        assert!(both.of(&staff).note(staff.clone(), now));
    }
}
