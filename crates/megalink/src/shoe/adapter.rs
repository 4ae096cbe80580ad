//! What is done with each read: entered once, asked for again, or play is stopped.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::Context;
use cards::Card;
use journal::{CommandId, Hash, ReaderFault};
use serde::{Deserialize, Serialize};

use super::Form;
use super::line::{Answer, Said, numbered, plain};
use super::table::{Entered, ReaderState, TableClient};

/// How many lines in a row may be garbled before play is stopped.
const GARBLED_MAX: u32 = 3;

/// How many numbers before the next one are known by their cards.
const REMEMBERED: usize = 52;

/// How far the adapter has come. No card is kept: only numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    /// Another one whenever counting begins anew.
    series: String,
    /// The number of the next read.
    next: u64,
}

/// The state, in its file.
pub(super) struct Kept {
    path: PathBuf,
    state: State,
}

impl Kept {
    /// Reads the file, or begins anew where there is none.
    pub(super) fn load(path: &Path) -> anyhow::Result<Kept> {
        let state = match fs::read_to_string(path) {
            Ok(text) => serde_json::from_str(&text).with_context(|| {
                format!("{} is not a state of this program; move it away", path.display())
            })?,
            Err(error) if error.kind() == ErrorKind::NotFound => State { series: new_series()?, next: 1 },
            Err(error) => return Err(error).with_context(|| format!("reading {}", path.display())),
        };
        let kept = Kept { path: path.to_owned(), state };
        kept.save()?;
        Ok(kept)
    }

    pub(super) const fn next(&self) -> u64 {
        self.state.next
    }

    /// Goes on with this number.
    fn go_on(&mut self, next: u64) -> anyhow::Result<()> {
        self.state.next = next;
        self.save()
    }

    /// Counts anew, with this number.
    fn begin(&mut self, next: u64) -> anyhow::Result<()> {
        self.state = State { series: new_series()?, next };
        self.save()
    }

    /// Writes the file so that it is whole, whenever the power fails.
    fn save(&self) -> anyhow::Result<()> {
        let new = self.path.with_extension("new");
        let write = || {
            let mut file = File::create(&new)?;
            file.write_all(serde_json::to_string(&self.state)?.as_bytes())?;
            file.sync_all()?;
            fs::rename(&new, &self.path)?;
            let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
            File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
        };
        write().with_context(|| format!("writing {}", self.path.display()))
    }

    /// The id of a read: the same whenever it is tried again, also after a restart.
    fn id(&self, number: u64, attempt: u32) -> CommandId {
        let parts = [self.state.series.clone(), number.to_string(), attempt.to_string()];
        Hash::of(std::iter::once("megalink.shoe.1".to_owned()).chain(parts)).into()
    }
}

fn new_series() -> anyhow::Result<String> {
    random_id().map(|id| id.to_string())
}

fn random_id() -> anyhow::Result<CommandId> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")
        .and_then(|mut random| std::io::Read::read_exact(&mut random, &mut bytes))
        .context("reading /dev/urandom")?;
    Ok(CommandId(bytes))
}

pub(super) struct Adapter {
    table: TableClient,
    kept: Kept,
    form: Form,
    patience: Duration,
    /// The cards of the last reads, to tell a repeated line from another card under the same number.
    read: Vec<(u64, Card)>,
    /// The highest number seen beyond the next one, and when a read was first missed.
    missed: Option<(u64, Instant)>,
    garbled: u32,
    /// Whether the cards of this round are entered by hand.
    by_hand: bool,
}

impl Adapter {
    pub(super) fn new(table: TableClient, kept: Kept, form: Form, patience: Duration) -> Adapter {
        let (read, missed, garbled, by_hand) = (Vec::new(), None, 0, false);
        Adapter { table, kept, form, patience, read, missed, garbled, by_hand }
    }

    /// Takes lines until there are no more.
    pub(super) fn run(&mut self, lines: &Receiver<Vec<u8>>, answers: &mut dyn Write) -> anyhow::Result<()> {
        if self.form == Form::Numbered {
            // Whatever the shoe sent while nobody listened comes again.
            say(answers, Answer::Again(self.kept.next()))?;
        }
        loop {
            let wait = self
                .missed
                .map_or(Duration::from_hours(1), |(_, since)| self.patience.saturating_sub(since.elapsed()));
            match lines.recv_timeout(wait) {
                Ok(line) => self.take(&line, answers)?,
                Err(RecvTimeoutError::Timeout) => self.give_up(answers)?,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    fn take(&mut self, line: &[u8], answers: &mut dyn Write) -> anyhow::Result<()> {
        match self.form {
            Form::Numbered => match numbered(line) {
                Ok(Said::Card { number, card }) => self.card(number, card, answers),
                Ok(Said::Hello { next }) => self.hello(next, answers),
                Err(_) => self.garbled(answers),
            },
            Form::Plain => {
                let next = self.kept.next();
                if let Ok(card) = plain(line) {
                    return self.enter(next, card, answers);
                }
                // What was typed cannot be asked for again.
                let seen = format!("A label cannot be read (read {next}).");
                self.stop(ReaderFault::Garbled, &seen, None, answers)
            }
        }
    }

    /// A numbered read: the next one, one that came before, or one after a gap.
    fn card(&mut self, number: u64, card: Card, answers: &mut dyn Write) -> anyhow::Result<()> {
        self.garbled = 0;
        let next = self.kept.next();
        if number == next {
            self.missed = self.missed.filter(|(highest, _)| number < *highest);
            return self.enter(number, card, answers);
        }
        if number < next {
            let other = self.read.iter().any(|(known, read)| *known == number && *read != card);
            if other {
                let seen = format!("Read {number} came twice, with two different cards.");
                return self.stop(ReaderFault::Doubled, &seen, Some(next), answers);
            }
            return say(answers, Answer::Taken(next.saturating_sub(1)));
        }
        let (highest, since) = self.missed.unwrap_or((number, Instant::now()));
        self.missed = Some((highest.max(number), since));
        say(answers, Answer::Again(next))
    }

    /// The shoe was switched on.
    fn hello(&mut self, shoe: u64, answers: &mut dyn Write) -> anyhow::Result<()> {
        let next = self.kept.next();
        if shoe == next || shoe < next && shoe != 1 {
            return say(answers, Answer::Again(next));
        }
        if shoe == 1 {
            self.kept.begin(1)?;
            self.read.clear();
            let seen = format!("The reader counts from 1 again; read {next} was expected.");
            return self.stop(ReaderFault::Restarted, &seen, Some(1), answers);
        }
        let seen = format!("The reader goes on with read {shoe}; read {next} was expected.");
        self.stop(ReaderFault::Lost, &seen, Some(shoe), answers)
    }

    fn garbled(&mut self, answers: &mut dyn Write) -> anyhow::Result<()> {
        self.garbled = self.garbled.saturating_add(1);
        let next = self.kept.next();
        if self.garbled < GARBLED_MAX {
            return say(answers, Answer::Again(next));
        }
        let seen = format!("Read {next} cannot be understood, also after it was sent again.");
        self.stop(ReaderFault::Garbled, &seen, None, answers)
    }

    /// A read that is missing did not come in time.
    fn give_up(&mut self, answers: &mut dyn Write) -> anyhow::Result<()> {
        let Some((highest, _)) = self.missed else { return Ok(()) };
        let next = self.kept.next();
        let seen = format!("Read {highest} came, but read {next} did not.");
        self.stop(ReaderFault::Lost, &seen, Some(highest.saturating_add(1)), answers)
    }

    /// Enters a read, once.
    fn enter(&mut self, number: u64, card: Card, answers: &mut dyn Write) -> anyhow::Result<()> {
        if self.by_hand {
            self.by_hand = self.table.reader()? == ReaderState::ByHand;
            if self.by_hand {
                return self.taken(number, card, answers);
            }
        }
        let mut attempt = 0;
        loop {
            match self.table.enter(self.kept.id(number, attempt), card)? {
                Entered::Done => return self.taken(number, card, answers),
                Entered::ByHand => {
                    self.by_hand = true;
                    return self.taken(number, card, answers);
                }
                Entered::Stopped => {
                    self.answer(Answer::Wait, answers)?;
                    if self.table.cleared()? == ReaderState::ByHand {
                        self.by_hand = true;
                        return self.taken(number, card, answers);
                    }
                    attempt = attempt.saturating_add(1);
                }
                // Without numbers of its own, the line after a restart may be another card than the one that was tried.
                Entered::NumberIsUsed if self.form == Form::Plain => {
                    let next = number.saturating_add(1);
                    self.kept.go_on(next)?;
                    return self.enter(next, card, answers);
                }
                Entered::NumberIsUsed => {
                    let seen = format!("Read {number} came twice, with two different cards.");
                    return self.stop(ReaderFault::Doubled, &seen, Some(number.saturating_add(1)), answers);
                }
                Entered::Refused { reason, sentence } => {
                    let twice = reason == "CardSeenTwice";
                    let fault = if twice { ReaderFault::Doubled } else { ReaderFault::Refused };
                    let seen = if twice {
                        format!("Read {number} is a card that was seen in this round before.")
                    } else {
                        format!("Read {number}: {sentence}")
                    };
                    return self.stop(fault, &seen, Some(number.saturating_add(1)), answers);
                }
            }
        }
    }

    /// A read is done with.
    fn taken(&mut self, number: u64, card: Card, answers: &mut dyn Write) -> anyhow::Result<()> {
        self.kept.go_on(number.saturating_add(1))?;
        self.read.push((number, card));
        let over = self.read.len().saturating_sub(REMEMBERED);
        self.read.drain(..over);
        self.answer(Answer::Taken(number), answers)
    }

    /// Stops play and tells the Dealer, waits until somebody has looked, and goes on with a number.
    fn stop(
        &mut self,
        fault: ReaderFault,
        seen: &str,
        next: Option<u64>,
        answers: &mut dyn Write,
    ) -> anyhow::Result<()> {
        eprintln!("megalink: the reader is stopped: {seen}");
        self.answer(Answer::Wait, answers)?;
        self.table.stop(random_id()?, fault, seen)?;
        self.by_hand = self.table.cleared()? == ReaderState::ByHand;
        let how = if self.by_hand { "the cards of this round are entered by hand" } else { "it goes on" };
        eprintln!("megalink: the reader was cleared: {how}");
        (self.garbled, self.missed) = (0, None);
        if let Some(next) = next {
            self.kept.go_on(next)?;
        }
        self.answer(Answer::Taken(self.kept.next().saturating_sub(1)), answers)
    }

    /// Answers a shoe; whoever types listens to nobody.
    fn answer(&self, answer: Answer, answers: &mut dyn Write) -> anyhow::Result<()> {
        match self.form {
            Form::Numbered => say(answers, answer),
            Form::Plain => Ok(()),
        }
    }
}

fn say(answers: &mut dyn Write, answer: Answer) -> anyhow::Result<()> {
    answers.write_all(answer.line().as_bytes()).and_then(|()| answers.flush()).context("answering the reader")
}
