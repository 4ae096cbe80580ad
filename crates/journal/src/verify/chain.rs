//! The chains: versions without a gap, each entry's hash over what it says, each link to the one before, and the command
//! behind it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::mpsc::{self, SendError};
use std::thread;

use super::{Finding, Kept, Opening, Place, Progress};
use crate::entry::{Entry, Head};
use crate::ledger::{Account, Transfer};
use crate::names::{CommandId, Stream, Version};
use crate::store::{Answered, Reader, StoreError};

/// How many entries are read at a time.
const PAGE: usize = 1024;

/// How many pages may wait to be checked.
const PAGES_WAITING: usize = 4;

/// What the streams turned out to be.
#[derive(Default)]
pub(super) struct Chains {
    /// The first thing wrong with each stream, and no more.
    pub(super) findings: Vec<Finding>,
    /// Whether every stream could be read to its end.
    pub(super) were_read: bool,
    pub(super) entries: u64,
    pub(super) transfers: u64,
    /// What each account holds by the transfers.
    pub(super) balances: HashMap<Account, i128>,
    /// Where each stream ends, and whether it is whole to there.
    pub(super) ends: BTreeMap<Stream, End>,
}

/// Where a stream ends.
pub(super) struct End {
    pub(super) version: Version,
    /// The first version that is wrong.
    pub(super) first_wrong: Option<Version>,
}

/// Takes over what was read, with the stream's position among the heads.
type Sink<'a> = dyn FnMut(usize, Read) -> ControlFlow<()> + 'a;

/// What the reading thread hands over of one stream.
enum Read {
    Page { entries: Vec<Entry>, answers: Vec<Answered>, unanswered: Vec<CommandId> },
    Broken(StoreError),
}

/// Which part of every stream is checked, and how it is read.
pub(super) struct Part<'a> {
    pub(super) opening: &'a Opening,
    pub(super) heads: &'a [Head],
    /// Whether the heads are the ends of the log. Where they are those of closed books, what follows them is left alone.
    pub(super) are_ends: bool,
    /// Whether a second thread reads ahead. It pays where there is a processor for it.
    pub(super) ahead: bool,
}

/// Reads and checks every stream from an opening to its head. What was read is handed over to be kept.
pub(super) fn verify_chains(
    reader: &mut dyn Reader,
    part: &Part<'_>,
    kept: &mut Kept,
    progress: &mut dyn FnMut(Progress),
) -> Result<Chains, StoreError> {
    let Part { opening, heads, .. } = *part;
    let to_come = |head: &Head| head.version.0.saturating_sub(opening.end_of(&head.stream).version.0);
    let of = heads.iter().map(to_come).fold(0, u64::saturating_add);
    let balances = opening.balances.iter().map(|(account, held)| (account.clone(), i128::from(held.0)));
    let mut chains = Chains { were_read: true, balances: balances.collect(), ..Chains::default() };
    let mut each: Vec<Chain<'_>> =
        heads.iter().map(|head| Chain::new(head, opening.end_of(&head.stream))).collect();
    let mut check = |position: usize, read: Read| -> Result<(), StoreError> {
        let chain = each.get_mut(position).expect("as many streams are read as there are");
        match read {
            Read::Page { entries, answers, unanswered } => {
                chains.page(chain, &entries, &unanswered);
                kept.page(entries, answers);
                progress(Progress { entries: chains.entries, of });
                Ok(())
            }
            Read::Broken(error) => chains.broken(chain, error),
        }
    };
    if part.ahead { read_ahead(reader, part, &mut check) } else { read_here(reader, part, &mut check) }?;
    for chain in each {
        chains.end(chain);
    }
    Ok(chains)
}

/// Takes what was read of the stream at a position.
type Check<'a> = dyn FnMut(usize, Read) -> Result<(), StoreError> + 'a;

/// Reads on a second thread while this one checks.
fn read_ahead(reader: &mut dyn Reader, part: &Part<'_>, check: &mut Check<'_>) -> Result<(), StoreError> {
    let (sender, receiver) = mpsc::sync_channel(PAGES_WAITING);
    thread::scope(|scope| {
        // It ends early only where nothing more can be read.
        scope.spawn(move || {
            read_streams(reader, part, &mut |position, read| match sender.send((position, read)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(SendError(_)) => ControlFlow::Break(()),
            })
        });
        receiver.into_iter().try_for_each(|(position, read)| check(position, read))
    })
}

/// Reads and checks by turns.
fn read_here(reader: &mut dyn Reader, part: &Part<'_>, check: &mut Check<'_>) -> Result<(), StoreError> {
    let mut checked = Ok(());
    let _ = read_streams(reader, part, &mut |position, read| {
        checked = check(position, read);
        if checked.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    checked
}

/// Where the reading of a stream is.
struct Reading<'a> {
    position: usize,
    stream: &'a Stream,
    after: Version,
    /// The last version to read.
    up_to: Version,
    limit: usize,
}

/// Sends the streams page by page, a page of each in turn: commands given at about the same time stand together, and are
/// looked up together.
fn read_streams(reader: &mut dyn Reader, part: &Part<'_>, send: &mut Sink<'_>) -> ControlFlow<()> {
    let Part { opening, heads, are_ends, .. } = *part;
    let mut open: Vec<Reading<'_>> = heads
        .iter()
        .enumerate()
        .map(|(position, head)| {
            let after = opening.end_of(&head.stream).version;
            let up_to = if are_ends { Version(u64::MAX) } else { head.version };
            Reading { position, stream: &head.stream, after, up_to, limit: PAGE }
        })
        .collect();
    while !open.is_empty() {
        let mut going_on = Vec::with_capacity(open.len());
        for mut place in open {
            if read_next(reader, &mut place, send)? {
                going_on.push(place);
            }
        }
        open = going_on;
    }
    ControlFlow::Continue(())
}

/// Sends the next page of a stream, and says whether there may be another. Breaks off where no stream can be read: how much
/// was read is then the same each time, however fast it is checked.
fn read_next(reader: &mut dyn Reader, place: &mut Reading<'_>, send: &mut Sink<'_>) -> ControlFlow<(), bool> {
    loop {
        let due = place.after.next().0;
        let left = usize::try_from(place.up_to.0.saturating_sub(place.after.0)).unwrap_or(usize::MAX);
        if left == 0 {
            return ControlFlow::Continue(false);
        }
        match read_page(reader, place.stream, place.after, place.limit.min(left)) {
            Ok(None) => return ControlFlow::Continue(false),
            Ok(Some((last, page))) => {
                place.after = last;
                send(place.position, page)?;
                return ControlFlow::Continue(true);
            }
            // What stands before a row that cannot be read may be wrong too, and comes first.
            Err(StoreError::Corrupt { version, .. }) if place.limit == PAGE && due < version => {
                let before = usize::try_from(version.saturating_sub(due)).unwrap_or(PAGE);
                place.limit = before.min(PAGE.saturating_sub(1));
            }
            Err(error) => {
                let is_wrong = matches!(error, StoreError::Corrupt { .. });
                send(place.position, Read::Broken(error))?;
                return if is_wrong { ControlFlow::Continue(false) } else { ControlFlow::Break(()) };
            }
        }
    }
}

/// The page after a version, with the answers to its commands and those that nobody answered, and the last version on it.
fn read_page(
    reader: &mut dyn Reader,
    stream: &Stream,
    after: Version,
    limit: usize,
) -> Result<Option<(Version, Read)>, StoreError> {
    let entries = reader.entries(stream, after, limit)?;
    let Some(last) = entries.last().map(|entry| entry.version) else {
        return Ok(None);
    };
    let mut commands: Vec<CommandId> = entries.iter().map(|entry| entry.command).collect();
    commands.dedup();
    let answers = reader.answers(&commands)?;
    let answered: HashSet<CommandId> = answers.iter().map(|answered| answered.command).collect();
    commands.retain(|command| !answered.contains(command));
    Ok(Some((last, Read::Page { entries, answers, unanswered: commands })))
}

/// One stream on its way through.
struct Chain<'a> {
    head: &'a Head,
    last: Head,
    first_wrong: Option<Version>,
}

impl<'a> Chain<'a> {
    fn new(head: &'a Head, last: Head) -> Chain<'a> {
        Chain { head, last, first_wrong: None }
    }

    /// What is wrong with the next entry, and at which version.
    fn fault(&self, entry: &Entry, unanswered: &[CommandId]) -> Option<(Version, String)> {
        let due = self.last.version.next();
        if entry.version != due {
            return Some((due, format!("it is missing; {} follows", entry.version)));
        }
        let what = if entry.previous != self.last.hash {
            "it is not chained to the entry before it".to_owned()
        } else if entry.digest() != entry.hash {
            "its hash is not that of what it says".to_owned()
        } else if unanswered.contains(&entry.command) {
            format!("the answer to its command {} is gone", entry.command)
        } else {
            return None;
        };
        Some((due, what))
    }

    /// What is wrong with the stream's head, when all entries went by.
    fn fault_of_head(&self) -> Option<(Version, String)> {
        let (last, head) = (&self.last, self.head);
        if last.version < head.version {
            Some((last.version.next(), format!("it is missing; the stream should end with {}", head.version)))
        } else if head.version < last.version {
            Some((head.version.next(), format!("it stands after the end of the stream, {}", head.version)))
        } else if head.hash != last.hash {
            Some((head.version, "the stream should end with an entry of another hash".to_owned()))
        } else {
            None
        }
    }
}

impl Chains {
    fn page(&mut self, chain: &mut Chain<'_>, entries: &[Entry], unanswered: &[CommandId]) {
        for entry in entries {
            if chain.first_wrong.is_none()
                && let Some((version, what)) = chain.fault(entry, unanswered)
            {
                self.found(chain, version, what);
            }
            chain.last = entry.head();
            self.entries = self.entries.saturating_add(1);
            for transfer in &entry.transfers {
                self.transfer(transfer);
            }
        }
    }

    fn broken(&mut self, chain: &mut Chain<'_>, error: StoreError) -> Result<(), StoreError> {
        let mut finding = Finding::try_from(error)?;
        self.were_read = false;
        if chain.first_wrong.is_none() {
            if let Place::Entry(_, version) = &finding.place {
                chain.first_wrong = Some(*version);
            } else {
                // The file itself gave out somewhere after the last entry read.
                let version = chain.last.version.next();
                chain.first_wrong = Some(version);
                finding.place = Place::Entry(chain.head.stream.clone(), version);
            }
            self.findings.push(finding);
        }
        Ok(())
    }

    fn end(&mut self, mut chain: Chain<'_>) {
        if chain.first_wrong.is_none()
            && let Some((version, what)) = chain.fault_of_head()
        {
            self.found(&mut chain, version, what);
        }
        let end = End { version: chain.last.version, first_wrong: chain.first_wrong };
        self.ends.insert(chain.last.stream, end);
    }

    fn found(&mut self, chain: &mut Chain<'_>, version: Version, what: String) {
        chain.first_wrong = Some(version);
        self.findings.push(Finding { place: Place::Entry(chain.head.stream.clone(), version), what });
    }

    fn transfer(&mut self, transfer: &Transfer) {
        self.transfers = self.transfers.saturating_add(1);
        let amount = i128::from(transfer.amount.0);
        self.moved(&transfer.from, amount.checked_neg().expect("half the range of an i64"));
        self.moved(&transfer.to, amount);
    }

    fn moved(&mut self, account: &Account, amount: i128) {
        let sum = match self.balances.get_mut(account) {
            Some(sum) => sum,
            None => self.balances.entry(account.clone()).or_default(),
        };
        *sum = sum.checked_add(amount).expect("2 to the 64th transfers of an i64 fit into an i128");
    }
}
