//! Finished rounds as records: settling one gives what the table gave, to the cent and with the same clauses.

use std::collections::BTreeMap;

use floor::Library;
use floor::audit::{self, AuditError, LineReport, round_of};
use jackpot::EntryId;
use journal::{Event, LinkEvent, Reader, decode};
use money::Money;
use record::{Answer, AreaAnswer, Books, Record};

use crate::audit_support::{Database, a_day, given, sealed};
use crate::support::{TABLES, THB6, table};

/// The records of a table, as lines of JSON.
fn lines(database: &Database, table: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let written = audit::records(&mut database.reader(), &Library::embedded(), table, None, &mut |record| {
        lines.push(serde_json::to_string(record).expect("a record is plain data"));
    });
    assert_eq!(written.expect("the log is sound"), lines.len() as u64);
    lines
}

/// The awards of each round, by position, of rounds of which nothing was taken back.
fn awards(database: &Database) -> BTreeMap<EntryId, BTreeMap<u8, Money>> {
    use jackpot::Event as Jackpot;
    let mut awards: BTreeMap<EntryId, BTreeMap<u8, Money>> = BTreeMap::new();
    let mut undone = Vec::new();
    let mut reader = database.reader();
    for head in reader.heads().expect("heads") {
        for entry in reader.entries(&head.stream, journal::Version(0), usize::MAX).expect("entries") {
            let Ok(Event::Link(LinkEvent::Jackpot(event))) = decode(&entry.body) else { continue };
            match event {
                Jackpot::RoundEntered { entry, .. } => drop(awards.entry(entry).or_default()),
                Jackpot::AwardEntered { award, .. } => {
                    awards.entry(award.entry.clone()).or_default().insert(award.position.0, award.amount);
                }
                Jackpot::EntryReversed { entry, .. } => undone.push(entry),
                _ => {}
            }
        }
    }
    awards.retain(|entry, _| !undone.contains(entry));
    awards
}

/// A wager of the answer: of a share where there are several.
fn settled<'a>(answer: &'a Answer<'_>, line: &LineReport) -> &'a AreaAnswer {
    let position = answer.positions.iter().find(|seat| seat.position == line.position).expect("its position");
    let (_, whole) = position.areas.iter().find(|(area, _)| area.name() == line.area).expect("its area");
    let share = whole.shares.iter().find(|share| share.player == line.owner);
    share.map_or(whole, |share| &share.settled)
}

#[test]
fn every_finished_round_settles_as_it_was_settled() {
    let database = sealed(&given(&a_day()));
    let (books, awards) = (Books::new(rulebook::embedded()), awards(&database));
    let (mut rounds, mut irregular, mut awarded) = (0, 0, 0);
    for (name, ..) in TABLES {
        for text in lines(&database, name) {
            let record: Record<'_> = serde_json::from_str(&text).expect("it can be read again");
            let answer = record::settle(&books, &record).unwrap_or_else(|error| panic!("{error}: {text}"));
            let number = record.id.split(' ').next_back().and_then(|number| number.parse().ok());
            let number: u64 = number.expect("the id ends with the number of the round");
            let tale = round_of(&mut database.reader(), &Library::embedded(), name, number).expect("a round");
            let book = books.get(&record.rulebook).expect("an embedded book");
            let from_meter = awards.get(&EntryId { table: table(name), round: number });
            for line in tale.settlement.expect("it was settled") {
                let recorded = settled(&answer, &line);
                let award = from_meter
                    .filter(|_| line.area == "Jackpot")
                    .and_then(|awards| awards.get(&line.position))
                    .map_or(0, |award| award.cents());
                let live = [line.staked, line.paid, line.returned, line.collected].map(Money::cents);
                let live = [live[0], live[1] + award, live[2], live[3]];
                let ours = [recorded.staked, recorded.paid, recorded.returned, recorded.collected];
                if from_meter.is_some() || line.area != "Jackpot" {
                    assert_eq!(ours.map(Money::cents), live, "{line:?}\n{text}");
                }
                assert_eq!(book.clause(recorded.clause).to_string(), line.clause, "{text}");
            }
            rounds += 1;
            irregular += usize::from(!record.irregularities.is_empty());
            awarded += answer.jackpot.awards.len();
        }
    }
    assert!(20 < rounds && 2 < irregular && 2 < awarded, "{rounds} rounds, {irregular}, {awarded} awards");
}

/// A card that nobody at the table saw is not in a record.
#[test]
fn a_record_has_no_hidden_card() {
    let database = sealed(&given(&a_day()));
    // In the second round of every table the hand at position 1 folds. Its Jackpot wager looks at its cards, but not in
    // the stand-alone game, where only the community table is left (THB6 4.2.1).
    let mut hidden = 0;
    for (name, ..) in TABLES {
        for text in lines(&database, name) {
            let record: Record<'_> = serde_json::from_str(&text).expect("it can be read again");
            let folded = |seat: &&record::PositionRecord<'_>| {
                seat.decision == Some(record::FirstDecision::Fold)
                    && (record.rulebook == THB6 || seat.jackpot.is_none())
            };
            for seat in record.positions.iter().filter(folded) {
                assert!(seat.cards.iter().all(Option::is_none), "{text}");
                hidden += 1;
            }
        }
    }
    assert!(0 < hidden, "a hand was folded unseen");
}

#[test]
fn only_a_finished_round_has_a_record() {
    let database = sealed(&given(&a_day()));
    let ask = |table: &str, number: u64| {
        let mut records = 0;
        let asked = Some(number);
        audit::records(&mut database.reader(), &Library::embedded(), table, asked, &mut |_| records += 1)
            .map(|_| records)
    };
    assert_eq!(ask("H1", 1).expect("it is over"), 1);
    assert!(matches!(ask("H1", 999), Err(AuditError::NoSuchRound { .. })));
    assert!(matches!(ask("Z9", 1), Err(AuditError::NoSuchTable { .. })));
    let in_play = lines(&database, "H2").len() as u64 + 1;
    assert!(matches!(ask("H2", in_play), Err(AuditError::NotOver { .. })));
}
