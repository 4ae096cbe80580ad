//! Everything that reads what somebody else wrote, each with its samples and with what must hold of what it accepts.

use std::fmt::Display;
use std::str::FromStr;

use floor::Library;
use floor::audit::proof;
use floor::node::Answer;
use journal::checkpoint::Checkpoint;
use journal::{Account, Actor, Body, CommandId, Hash, Stream};
use money::{Odds, Percent};
use record::{Books, Record};
use rulebook::{HoleClass, Pays, Rule, Rulebook};
use serde::Deserialize;
use server::config::Config;

use super::{forms, requests, samples};

/// What became of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It was accepted, and is the same written and read again.
    Accepted,
    /// It was refused.
    Refused,
}

/// How inputs are written, for changes that keep to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Json,
    Toml,
    Text,
}

/// What is found of an input: what became of it, or what is wrong.
pub(super) type Found = Result<Seen, String>;

/// Decodes an input.
pub(super) type Decode = dyn Fn(&[u8]) -> Found + Send + Sync;

/// A decoder with its samples.
pub struct Decoder {
    /// Its name on the command line.
    pub name: &'static str,
    pub(super) form: Form,
    pub(super) samples: Vec<Vec<u8>>,
    pub(super) decode: Box<Decode>,
}

impl Decoder {
    fn new(
        name: &'static str,
        form: Form,
        samples: Vec<Vec<u8>>,
        decode: impl Fn(&[u8]) -> Found + Send + Sync + 'static,
    ) -> Decoder {
        Decoder { name, form, samples, decode: Box::new(decode) }
    }

    /// Every decoder.
    pub fn all() -> Vec<Decoder> {
        let records = || samples::lines(&["cases/rounds.jsonl", "samples/rounds.jsonl"]);
        let books = || Books::new(rulebook::embedded());
        let (for_records, for_lines, library) = (books(), books(), Library::embedded());
        let proofs = samples::files(&[
            "crates/proof/corpus/proofs/stud-round.json",
            "crates/proof/corpus/proofs/holdem-round.json",
            "crates/proof/corpus/proofs/progressive-round.json",
        ]);
        let known: Vec<serde_json::Value> =
            proofs.iter().filter_map(|text| serde_json::from_slice(text).ok()).collect();
        let rulebooks = rulebook::embedded_texts().map(|(_, text)| text.as_bytes().to_vec()).collect();
        let played = records();
        let commands = samples::lines(&["crates/proof/corpus/forms.jsonl"]);
        vec![
            Decoder::new("record", Form::Json, records(), move |input| record(&for_records, input)),
            Decoder::new("record-lines", Form::Text, whole_streams(&records()), move |input| {
                record_lines(&for_lines, input)
            }),
            Decoder::new("event", Form::Json, events(), event),
            Decoder::new("transfers", Form::Json, golden("transfers"), transfers),
            Decoder::new("checkpoint", Form::Json, corpus_lines("checkpoints"), checkpoint),
            Decoder::new("answer", Form::Json, corpus_lines("answers"), answer),
            Decoder::new("names", Form::Text, samples::lines(&["crates/proof/corpus/names.txt"]), names),
            Decoder::new("proof", Form::Json, proofs, move |input| exported(&library, &known, input)),
            Decoder::new("rulebook", Form::Toml, rulebooks, move |input| book(&played, input)),
            Decoder::new("config", Form::Toml, vec![server::config::EXAMPLE.as_bytes().to_vec()], config),
            Decoder::new("forms", Form::Json, commands, forms::form),
            Decoder::new("requests", Form::Text, requests::samples(), requests::request),
        ]
    }

    /// Valid inputs.
    pub fn samples(&self) -> impl Iterator<Item = &[u8]> {
        self.samples.iter().map(Vec::as_slice)
    }

    /// The decoder of a name.
    pub fn named(name: &str) -> Option<Decoder> {
        Decoder::all().into_iter().find(|decoder| decoder.name == name)
    }
}

fn corpus_lines(name: &str) -> Vec<Vec<u8>> {
    samples::lines(&[&format!("crates/proof/corpus/{name}.jsonl")])
}

fn golden(name: &str) -> Vec<Vec<u8>> {
    samples::lines(&[&format!("crates/journal/tests/golden/{name}.jsonl")])
}

/// The kinds of stored events.
const KINDS: [&str; 5] = ["house.v1", "table.v1", "table.round.v1", "link.v1", "link.jackpot.v1"];

fn events() -> Vec<Vec<u8>> {
    KINDS.iter().flat_map(|kind| golden(kind)).collect()
}

/// A few records at a time, one a line.
fn whole_streams(records: &[Vec<u8>]) -> Vec<Vec<u8>> {
    records.chunks(3).take(40).map(|some| some.join(&b'\n')).collect()
}

/// Says what is wrong where two things that must be the same are not.
pub(super) fn same<T: PartialEq + std::fmt::Debug>(what: &str, one: &T, other: &T) -> Result<(), String> {
    if one == other { Ok(()) } else { Err(format!("{what}: {one:?} became {other:?}")) }
}

/// A record: written and read again it is the same, and whatever is settled adds up.
fn record(books: &Books, input: &[u8]) -> Found {
    let Ok(record) = serde_json::from_slice::<Record<'_>>(input) else {
        return Ok(Seen::Refused);
    };
    let text = serde_json::to_string(&record).map_err(|error| error.to_string())?;
    let again: Record<'_> = serde_json::from_str(&text).map_err(|error| format!("{text}: {error}"))?;
    same("a record", &format!("{record:?}"), &format!("{again:?}"))?;
    settles(books, &record)
}

/// Settles a record, and adds up what it says.
fn settles(books: &Books, record: &Record<'_>) -> Found {
    let Ok(answer) = record::settle(books, record) else {
        return Ok(Seen::Refused);
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
    Ok(Seen::Accepted)
}

/// A stream of records: every line that is not empty has its answer.
fn record_lines(books: &Books, input: &[u8]) -> Found {
    let mut answers = Vec::new();
    let summary =
        record::settle_stream(books, input, &mut answers, |_| {}).map_err(|error| error.to_string())?;
    let asked = input.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count();
    let answered = answers.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count();
    same("lines and answers", &asked, &answered)?;
    same("counted", &u64::try_from(asked).unwrap_or(0), &(summary.settled + summary.errors))?;
    Ok(if summary.errors == 0 { Seen::Accepted } else { Seen::Refused })
}

/// A stored event of any kind: encoded and decoded again it is the same, and canonical then.
fn event(input: &[u8]) -> Found {
    let Ok(json) = std::str::from_utf8(input) else {
        return Ok(Seen::Refused);
    };
    let mut seen = Seen::Refused;
    for kind in KINDS {
        let body = Body { kind: kind.to_owned(), json: json.to_owned() };
        let Ok(event) = journal::decode(&body) else {
            continue;
        };
        let written = journal::encode(&event);
        same("an event", &Ok(event), &journal::decode(&written))?;
        same("canonical", &Ok(true), &journal::is_canonical(&written))?;
        same("canonical as given", &Ok(written == body), &journal::is_canonical(&body))?;
        seen = Seen::Accepted;
    }
    Ok(seen)
}

fn transfers(input: &[u8]) -> Found {
    let read = std::str::from_utf8(input).ok().map(journal::transfers_from_text);
    let Some(Ok(transfers)) = read else {
        return Ok(Seen::Refused);
    };
    let text = journal::transfers_text(&transfers);
    same("transfers", &Ok(transfers), &journal::transfers_from_text(&text))?;
    Ok(Seen::Accepted)
}

/// A checkpoint. Whose signature is right is one of the samples, word for word.
fn checkpoint(input: &[u8]) -> Found {
    let read = std::str::from_utf8(input).ok().map(Checkpoint::from_text);
    let Some(Ok(checkpoint)) = read else {
        return Ok(Seen::Refused);
    };
    let text = checkpoint.to_text();
    let again = Checkpoint::from_text(&text).map_err(|error| format!("{text}: {error}"))?;
    same("a checkpoint", &checkpoint, &again)?;
    if checkpoint.verify().is_ok() && !corpus_lines("checkpoints").contains(&text.clone().into_bytes()) {
        return Err(format!("the signature of a changed checkpoint holds: {text}"));
    }
    Ok(Seen::Accepted)
}

fn answer(input: &[u8]) -> Found {
    let read = std::str::from_utf8(input).ok().map(Answer::from_text);
    let Some(Ok(answer)) = read else {
        return Ok(Seen::Refused);
    };
    same("an answer", &Ok(answer.clone()), &Answer::from_text(&answer.to_text()))?;
    Ok(Seen::Accepted)
}

/// Everything that is read from a few letters.
fn names(input: &[u8]) -> Found {
    let Ok(text) = std::str::from_utf8(input) else {
        return Ok(Seen::Refused);
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
    Ok(if accepted { Seen::Accepted } else { Seen::Refused })
}

/// Whether a text is read as a thing, which is the same once written and read again.
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

/// An exported proof, with the key it names itself. One that holds says what a sample says.
fn exported(library: &Library, known: &[serde_json::Value], input: &[u8]) -> Found {
    let Ok(text) = std::str::from_utf8(input) else {
        return Ok(Seen::Refused);
    };
    match proof::check(text, library, None) {
        Ok(checked) if checked.is_well() => {
            let told: serde_json::Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
            if known.contains(&told) { Ok(Seen::Accepted) } else { Err("a changed proof holds".to_owned()) }
        }
        Ok(_) | Err(_) => Ok(Seen::Refused),
    }
}

/// A rulebook: one that is taken can be played, whatever was changed in it.
fn book(played: &[Vec<u8>], input: &[u8]) -> Found {
    let Ok(text) = std::str::from_utf8(input) else {
        return Ok(Seen::Refused);
    };
    let Ok(book) = Rulebook::parse("fuzzed.toml", text) else {
        return Ok(Seen::Refused);
    };
    same("a rulebook", &Ok(book.clone()), &Rulebook::parse("fuzzed.toml", text))?;
    let id = book.id.clone();
    let books = Books::new(vec![book]);
    for line in played.iter().step_by(7) {
        let mut record: Record<'_> = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        record.rulebook = id.as_str().into();
        settles(&books, &record)?;
    }
    Ok(Seen::Accepted)
}

/// A configuration file, read as the command line reads it.
fn config(input: &[u8]) -> Found {
    let Ok(text) = std::str::from_utf8(input) else {
        return Ok(Seen::Refused);
    };
    let table = text.parse::<toml::Table>().ok();
    let Some(Ok(config)) = table.map(Config::deserialize) else {
        return Ok(Seen::Refused);
    };
    config.problems();
    config.masked();
    config.server.reached_at();
    let written = toml::to_string(&config).map_err(|error| format!("it cannot be written: {error}"))?;
    let again: Config = toml::from_str(&written).map_err(|error| format!("{written}: {error}"))?;
    same("a configuration", &config, &again)?;
    Ok(Seen::Accepted)
}
