//! Every decoder of external input, with its samples and a check of what it accepts.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use floor::Library;
use floor::node::Answer;
use journal::checkpoint::Checkpoint;
use journal::{Account, Actor, Body, CommandId, Hash, Stream};
use money::{Odds, Percent};
use record::{Books, Record};
use rulebook::{HoleClass, Pays, Rule};
use serde::Deserialize;
use server::config::Config;

use super::{command_line, feed, forms, proofs, requests, rulebooks, samples};

/// What became of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was accepted, and is the same after it is written and read again.
    Accepted,
    Refused,
    /// So many inputs of a batch were accepted.
    Several(u64),
}

/// How inputs are written. Some mutations keep this form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Json,
    /// JSON with the fields and spaces of an exported proof.
    Proof,
    /// A line with JSON after it.
    Request,
    Toml,
    Text,
}

/// What became of an input, or what is wrong.
pub(super) type Checked = Result<Outcome, String>;

pub(super) type Decode = dyn Fn(&[u8]) -> Checked + Send + Sync;

/// A decoder with its samples.
pub struct Decoder {
    /// Its name on the command line.
    pub name: &'static str,
    pub(super) form: Form,
    pub(super) samples: Vec<Vec<u8>>,
    pub(super) decode: Box<Decode>,
    /// How many inputs it gets at a time, one on each line.
    pub(super) batch: usize,
    /// The longest time for one input.
    pub(super) time_max: Duration,
}

/// Makes a decoder without its name.
type Make = fn() -> Decoder;

/// The decoders by name. Each is made when it is used.
const ALL: [(&str, Make); 15] = [
    ("record", || {
        let books = Books::new(rulebook::embedded());
        Decoder::new(Form::Json, records(), move |input| record(&books, input))
    }),
    ("record-lines", || {
        let books = Books::new(rulebook::embedded());
        let decoder = Decoder::new(Form::Json, records(), move |input| record_lines(&books, input));
        // Starting a stream is slow, each further line is fast.
        Decoder { batch: 16, ..decoder }
    }),
    ("event", || Decoder::new(Form::Json, events(), event)),
    ("transfers", || Decoder::new(Form::Json, golden("transfers"), transfers)),
    ("checkpoint", || {
        let known = corpus_lines("checkpoints");
        Decoder::new(Form::Json, known.clone(), move |input| checkpoint(&known, input))
    }),
    ("answer", || Decoder::new(Form::Json, corpus_lines("answers"), answer)),
    ("names", || Decoder::new(Form::Text, samples::lines(&["crates/simtest/corpus/names.txt"]), names)),
    ("proof", || {
        let proofs = samples::files(&[
            "crates/simtest/corpus/proofs/award.json",
            "crates/simtest/corpus/proofs/stud-round.json",
            "crates/simtest/corpus/proofs/holdem-round.json",
            "crates/simtest/corpus/proofs/progressive-round.json",
        ]);
        let (library, known) = (Library::embedded(), proofs.clone());
        Decoder::new(Form::Proof, proofs, move |input| proofs::exported(&library, &known, input))
    }),
    ("rulebook", || {
        let played = records();
        Decoder::new(Form::Toml, rulebooks::samples(), move |input| rulebooks::book(&played, input))
    }),
    ("config", || Decoder::new(Form::Toml, vec![short_config()], config)),
    ("forms", || Decoder::new(Form::Json, corpus_lines("forms"), forms::form)),
    ("requests", || Decoder::new(Form::Request, requests::samples(), requests::request)),
    ("slow-requests", || {
        let decoder = Decoder::new(Form::Request, requests::slow_samples(), requests::slow_request);
        Decoder { time_max: TIME_MAX_SLOW, ..decoder }
    }),
    ("feed", || {
        let decoder = Decoder::new(Form::Text, feed::samples(), feed::feed);
        Decoder { time_max: TIME_MAX_SLOW, ..decoder }
    }),
    ("command-line", || {
        let decoder = Decoder::new(Form::Text, command_line::samples(), command_line::command_line);
        Decoder { time_max: TIME_MAX_SLOW, ..decoder }
    }),
];

/// The longest time for one input. A decoder that waits for a process, a socket or the lab gets much more, because on a
/// busy machine it also waits for others.
const TIME_MAX: Duration = Duration::from_millis(50);
const TIME_MAX_SLOW: Duration = Duration::from_mins(1);

impl Decoder {
    fn new(
        form: Form,
        samples: Vec<Vec<u8>>,
        decode: impl Fn(&[u8]) -> Checked + Send + Sync + 'static,
    ) -> Decoder {
        Decoder { name: "", form, samples, decode: Box::new(decode), batch: 1, time_max: TIME_MAX }
    }

    /// The names of all decoders.
    pub fn names() -> impl Iterator<Item = &'static str> {
        ALL.iter().map(|(name, _)| *name)
    }

    /// Every decoder.
    pub fn all() -> Vec<Decoder> {
        Decoder::names().filter_map(Decoder::named).collect()
    }

    /// The decoder with this name.
    pub fn named(name: &str) -> Option<Decoder> {
        let (name, make) = ALL.iter().find(|(known, _)| *known == name)?;
        Some(Decoder { name, ..make() })
    }

    /// Valid inputs.
    pub fn samples(&self) -> impl Iterator<Item = &[u8]> {
        self.samples.iter().map(Vec::as_slice)
    }
}

fn records() -> Vec<Vec<u8>> {
    samples::lines(&["cases/rounds.jsonl", "samples/rounds.jsonl"])
}

fn corpus_lines(name: &str) -> Vec<Vec<u8>> {
    samples::lines(&[&format!("crates/simtest/corpus/{name}.jsonl")])
}

fn golden(name: &str) -> Vec<Vec<u8>> {
    samples::lines(&[&format!("crates/journal/tests/golden/{name}.jsonl")])
}

/// The kinds of stored events.
const KINDS: [&str; 5] = ["house.v1", "table.v1", "table.round.v1", "link.v1", "link.jackpot.v1"];

fn events() -> Vec<Vec<u8>> {
    KINDS.iter().flat_map(|kind| golden(kind)).collect()
}

/// An error if two values differ that must be equal.
pub(super) fn same<T: PartialEq + std::fmt::Debug>(what: &str, one: &T, other: &T) -> Result<(), String> {
    if one == other { Ok(()) } else { Err(format!("{what}: {one:?} became {other:?}")) }
}

/// A record is the same after it is written and read again, and its settlement adds up.
fn record(books: &Books, input: &[u8]) -> Checked {
    let Ok(record) = serde_json::from_slice::<Record<'_>>(input) else {
        return Ok(Outcome::Refused);
    };
    let text = serde_json::to_string(&record).map_err(|error| error.to_string())?;
    let again: Record<'_> = serde_json::from_str(&text).map_err(|error| format!("{text}: {error}"))?;
    same("a record", &format!("{record:?}"), &format!("{again:?}"))?;
    settles(books, &record)
}

/// Settles a record and checks the sums.
pub(super) fn settles(books: &Books, record: &Record<'_>) -> Checked {
    let Ok(answer) = record::settle(books, record) else {
        return Ok(Outcome::Refused);
    };
    let mut text = Vec::new();
    answer.write_json(&mut text);
    serde_json::from_slice::<serde_json::Value>(&text).map_err(|error| format!("its settlement: {error}"))?;
    for position in &answer.positions {
        let mut net = 0_i128;
        for (area, line) in position.areas.iter() {
            let ends = u128::from(line.returned.cents()) + u128::from(line.collected.cents());
            same(&format!("{area:?}"), &u128::from(line.staked.cents()), &ends)?;
            net += i128::from(line.paid.cents()) - i128::from(line.collected.cents());
        }
        same("net", &net, &i128::from(position.net))?;
    }
    Ok(Outcome::Accepted)
}

/// A stream of records: every line that is not empty gets an answer.
fn record_lines(books: &Books, input: &[u8]) -> Checked {
    let mut answers = Vec::new();
    let summary = record::settle_stream(&mut books.clone(), input, &mut answers, |_| {})
        .map_err(|error| error.to_string())?;
    let asked = input.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count();
    let answered = answers.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count();
    same("lines and answers", &asked, &answered)?;
    same("counted", &u64::try_from(asked).unwrap_or(0), &(summary.settled + summary.errors))?;
    Ok(Outcome::Several(summary.settled))
}

/// A stored event of any kind: it is the same after it is encoded and decoded again, and then canonical.
fn event(input: &[u8]) -> Checked {
    let Ok(json) = std::str::from_utf8(input) else {
        return Ok(Outcome::Refused);
    };
    let mut seen = Outcome::Refused;
    for kind in KINDS {
        let body = Body { kind: kind.to_owned(), json: json.to_owned() };
        let Ok(event) = journal::decode(&body) else {
            continue;
        };
        let written = journal::encode(&event);
        same("an event", &Ok(event), &journal::decode(&written))?;
        same("canonical", &Ok(true), &journal::is_canonical(&written))?;
        same("canonical as given", &Ok(written == body), &journal::is_canonical(&body))?;
        seen = Outcome::Accepted;
    }
    Ok(seen)
}

fn transfers(input: &[u8]) -> Checked {
    let read = std::str::from_utf8(input).ok().map(journal::transfers_from_text);
    let Some(Ok(transfers)) = read else {
        return Ok(Outcome::Refused);
    };
    let text = journal::transfers_text(&transfers);
    same("transfers", &Ok(transfers), &journal::transfers_from_text(&text))?;
    Ok(Outcome::Accepted)
}

/// A checkpoint. Only the samples have a valid signature.
fn checkpoint(known: &[Vec<u8>], input: &[u8]) -> Checked {
    let read = std::str::from_utf8(input).ok().map(Checkpoint::from_text);
    let Some(Ok(checkpoint)) = read else {
        return Ok(Outcome::Refused);
    };
    let text = checkpoint.to_text();
    let again = Checkpoint::from_text(&text).map_err(|error| format!("{text}: {error}"))?;
    same("a checkpoint", &checkpoint, &again)?;
    if checkpoint.verify().is_ok() && !known.iter().any(|known| known == text.as_bytes()) {
        return Err(format!("the signature of a changed checkpoint holds: {text}"));
    }
    Ok(Outcome::Accepted)
}

fn answer(input: &[u8]) -> Checked {
    let read = std::str::from_utf8(input).ok().map(Answer::from_text);
    let Some(Ok(answer)) = read else {
        return Ok(Outcome::Refused);
    };
    same("an answer", &Ok(answer.clone()), &Answer::from_text(&answer.to_text()))?;
    Ok(Outcome::Accepted)
}

/// Everything that is parsed from a few characters.
fn names(input: &[u8]) -> Checked {
    let Ok(text) = std::str::from_utf8(input) else {
        return Ok(Outcome::Refused);
    };
    let mut accepted = false;
    accepted |= named::<Stream>(text, Stream::to_string)?;
    accepted |= named::<Actor>(text, Actor::code)?;
    accepted |= named::<Account>(text, Account::to_string)?;
    accepted |= named::<CommandId>(text, CommandId::to_string)?;
    accepted |= named::<Hash>(text, Hash::to_string)?;
    accepted |= named::<cards::Card>(text, cards::Card::to_string)?;
    accepted |= named::<Odds>(text, Odds::to_string)?;
    accepted |= named::<Percent>(text, Percent::to_string)?;
    accepted |= named::<Pays>(text, Pays::to_string)?;
    accepted |= named::<Rule>(text, Rule::to_string)?;
    accepted |= text.parse::<HoleClass>().is_ok() | rulebook::Citation::new(text).is_some();
    Ok(if accepted { Outcome::Accepted } else { Outcome::Refused })
}

/// Whether the text can be parsed. If so, the value must be the same after it is written and parsed again.
fn named<T: FromStr<Err: Display> + PartialEq + std::fmt::Debug>(
    text: &str,
    written: impl Fn(&T) -> String,
) -> Result<bool, String> {
    let Ok(thing) = text.parse::<T>() else {
        return Ok(false);
    };
    let text = written(&thing);
    let again = text.parse::<T>().map_err(|error| format!("{thing:?} is written {text:?}: {error}"))?;
    same("a name", &thing, &again)?;
    Ok(true)
}

/// The example configuration without its comments, but with the settings that are commented out.
fn short_config() -> Vec<u8> {
    let written = |line: &str| {
        let line = line.strip_prefix("# ").filter(|line| line.split(' ').nth(1) == Some("=")).unwrap_or(line);
        (!line.is_empty() && !line.starts_with('#')).then(|| format!("{line}\n"))
    };
    server::config::EXAMPLE.lines().filter_map(written).collect::<String>().into_bytes()
}

/// A configuration file, parsed as the command line does.
fn config(input: &[u8]) -> Checked {
    let Ok(text) = std::str::from_utf8(input) else {
        return Ok(Outcome::Refused);
    };
    let table = text.parse::<toml::Table>().ok();
    let Some(Ok(config)) = table.map(Config::deserialize) else {
        return Ok(Outcome::Refused);
    };
    config.problems();
    config.masked();
    config.server.reached_at();
    let written =
        toml::to_string(&config).map_err(|error| format!("the configuration cannot be written: {error}"))?;
    let again: Config = toml::from_str(&written).map_err(|error| format!("{written}: {error}"))?;
    same("a configuration", &config, &again)?;
    Ok(Outcome::Accepted)
}
