//! A state that was carried forward and then forged by somebody who has the keys of the house: the hashes of what follows and
//! the seals are made anew, so that only the state itself is wrong.

use std::collections::BTreeMap;

use journal::checkpoint::{Checkpoint, Signer};
use journal::{Entry, Event, Reader, StoreError, Stream, Version, decode};

use super::altered::Altered;
use super::keys::further_signers;
use crate::dice::Dice;

/// What is forged, by the text before its figure: the meter of a link, and how many slips a table has written.
const FIGURES: [&str; 2] = ["\"balances\":{\"meter\":{\"cents\":", "\"slips\":"];

/// The log with one forged state, and its stream. `None` where no table or link was carried forward since the books were
/// closed: those name the ends of the streams, and would be another forgery.
pub(crate) fn forge<'a>(
    log: &'a mut dyn Reader,
    first: &Signer,
    dice: &mut Dice,
) -> Result<Option<(Altered<'a>, Stream)>, StoreError> {
    let closed = closed_books(log)?;
    let mut carried = Vec::new();
    for head in log.heads()?.into_iter().filter(|head| head.stream != Stream::House) {
        let known = closed.get(&head.stream).copied().unwrap_or_default();
        let newest = log.carried(&head.stream, head.version)?.filter(|newest| known < *newest);
        carried.extend(newest.map(|newest| (head.stream, newest)));
    }
    let Some((stream, version)) = dice.any(&carried) else { return Ok(None) };
    let entries = log.entries(&stream, Version(version.0 - 1), usize::MAX)?;
    let mut altered = Altered::of(log);
    altered.entries = rewritten(entries);
    altered.checkpoints = resealed(&mut altered, first)?;
    Ok(Some((altered, stream)))
}

/// The ends of the streams that the newest books name.
fn closed_books(log: &mut dyn Reader) -> Result<BTreeMap<Stream, Version>, StoreError> {
    let Some(newest) = log.carried(&Stream::House, Version(u64::MAX))? else { return Ok(BTreeMap::new()) };
    let entry = log.entry(&Stream::House, newest)?;
    let books = match entry.and_then(|entry| decode(&entry.body).ok()) {
        Some(Event::Carried(carried)) => carried.books,
        Some(Event::House(_) | Event::Table(_) | Event::Link(_)) | None => None,
    };
    let heads = books.into_iter().flat_map(|books| books.heads);
    Ok(heads.map(|head| (head.stream, head.version)).collect())
}

/// The entries of a stream with another figure in the first one, chained anew.
fn rewritten(entries: Vec<Entry>) -> BTreeMap<(Stream, Version), Entry> {
    let mut previous = None;
    let entries = entries.into_iter().map(|mut entry| {
        match previous {
            None => entry.body.json = with_another_figure(&entry.body.json),
            Some(previous) => entry.previous = previous,
        }
        entry.hash = entry.digest();
        previous = Some(entry.hash);
        ((entry.stream.clone(), entry.version), entry)
    });
    entries.collect()
}

/// The text of a state with its figure one higher.
fn with_another_figure(json: &str) -> String {
    let found = FIGURES.iter().find_map(|before| json.split_once(before).map(|parts| (*before, parts)));
    let (before, (start, rest)) = found.expect("the state of a table or a link has such a figure");
    let end = rest.find(|letter: char| !letter.is_ascii_digit()).expect("a state ends with a bracket");
    let figure: u64 = rest[..end].parse().expect("a figure");
    format!("{start}{before}{}{}", figure + 1, &rest[end..])
}

/// The checkpoints that seal what was rewritten, and those after them, signed anew with the same keys.
fn resealed(altered: &mut Altered<'_>, first: &Signer) -> Result<BTreeMap<u64, Checkpoint>, StoreError> {
    let mut resealed = BTreeMap::new();
    let mut previous = None;
    for mut checkpoint in altered.checkpoints(0, usize::MAX)? {
        let mut is_other = false;
        for head in &mut checkpoint.heads {
            if let Some(entry) = altered.entries.get(&(head.stream.clone(), head.version)) {
                (*head, is_other) = (entry.head(), true);
            }
        }
        if is_other || previous.is_some() {
            let Checkpoint { number, heads, at, key, successor, .. } = checkpoint;
            let mut signers = std::iter::once(first).chain(further_signers());
            let signer =
                signers.find(|signer| signer.public_key() == key).expect("a key of the house").clone();
            let signer = successor.map_or(signer.clone(), |next| signer.handing_over_to(next));
            let before = previous.unwrap_or(checkpoint.previous);
            let forged = Checkpoint::sign(&signer, number, before, heads, at);
            previous = Some(forged.digest());
            resealed.insert(number, forged);
        }
    }
    Ok(resealed)
}
