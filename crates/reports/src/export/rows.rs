//! The rows of each export, and what their columns mean.

use jackpot::{Event as Jackpot, Pair, Signature};
use journal::{Entry, Event, FoundBy, LinkEvent, Stream, code_text, transfers_text};

use super::lines::Lines;
use super::{Cell, Column, ColumnKind, ExportError, Subject};
use crate::ahead::{ahead, sifted, stretches};
use crate::day::GamingDay;
use crate::log::Log;
use crate::table_day::{Moved, each_seen, event_of};

const fn column(name: &'static str, kind: ColumnKind, optional: bool, meaning: &'static str) -> Column {
    Column { name, kind, optional, meaning }
}

pub(super) const ROUNDS: &[Column] = &[
    column("table_name", ColumnKind::Text, false, "The table."),
    column("round", ColumnKind::Integer, false, "The number of the round at its table."),
    column(
        "settlement",
        ColumnKind::Integer,
        false,
        "1 for the first settlement of the round, 2 and more for corrections. Of a correction every amount is what it changed.",
    ),
    column("settled_at", ColumnKind::Time, false, "When it was settled, by the clock of the node."),
    column("version", ColumnKind::Integer, false, "The entry of the table's stream."),
    column("rulebook", ColumnKind::Text, false, "The id of the rulebook."),
    column(
        "rulebook_digest",
        ColumnKind::Text,
        false,
        "The digest of the rulebook's figures and readings, as the log has it.",
    ),
    column("void_under", ColumnKind::Text, true, "The clause under which the round is void, if it is."),
    column("positions", ColumnKind::Integer, false, "How many positions had wagers."),
    column("staked_ante_cents", ColumnKind::Integer, false, "Wagered on the Ante."),
    column("staked_bonus_cents", ColumnKind::Integer, false, "Wagered on the Bonus."),
    column("staked_flop_cents", ColumnKind::Integer, false, "Wagered on the Flop."),
    column("staked_turn_cents", ColumnKind::Integer, false, "Wagered on the Turn."),
    column("staked_river_cents", ColumnKind::Integer, false, "Wagered on the River."),
    column("staked_bet_cents", ColumnKind::Integer, false, "Wagered on the Bet."),
    column("staked_jackpot_cents", ColumnKind::Integer, false, "Wagered on the Jackpot."),
    column(
        "win_ante_cents",
        ColumnKind::Integer,
        false,
        "What the house won on the Ante: collected less paid, without awards from a meter.",
    ),
    column(
        "win_bonus_cents",
        ColumnKind::Integer,
        false,
        "What the house won on the Bonus: collected less paid, without awards from a meter.",
    ),
    column(
        "win_flop_cents",
        ColumnKind::Integer,
        false,
        "What the house won on the Flop: collected less paid, without awards from a meter.",
    ),
    column(
        "win_turn_cents",
        ColumnKind::Integer,
        false,
        "What the house won on the Turn: collected less paid, without awards from a meter.",
    ),
    column(
        "win_river_cents",
        ColumnKind::Integer,
        false,
        "What the house won on the River: collected less paid, without awards from a meter.",
    ),
    column(
        "win_bet_cents",
        ColumnKind::Integer,
        false,
        "What the house won on the Bet: collected less paid, without awards from a meter.",
    ),
    column(
        "win_jackpot_cents",
        ColumnKind::Integer,
        false,
        "What the house won on the Jackpot: collected less paid, without awards from a meter.",
    ),
    column("staked_cents", ColumnKind::Integer, false, "Wagered on all areas."),
    column(
        "paid_cents",
        ColumnKind::Integer,
        false,
        "Paid by the house on wagers, without awards from a meter.",
    ),
    column("returned_cents", ColumnKind::Integer, false, "Wagers, or parts of them, that went back."),
    column("collected_cents", ColumnKind::Integer, false, "Wagers that the house collected."),
    column("win_cents", ColumnKind::Integer, false, "What the house won: collected less paid."),
];

pub(super) const ENTRIES: &[Column] = &[
    column("stream", ColumnKind::Text, false, "`house`, `table/NAME` or `link/NAME`."),
    column(
        "version",
        ColumnKind::Integer,
        false,
        "The number of the entry in its stream, from 1 without a gap.",
    ),
    column("written_at", ColumnKind::Time, false, "When, by the clock of the node."),
    column(
        "actor",
        ColumnKind::Text,
        false,
        "Who gave the command: `player/NAME`, `staff/OFFICE/NAME`, `device/NAME` or `system`.",
    ),
    column("command", ColumnKind::Text, false, "The id of the command."),
    column(
        "cause",
        ColumnKind::Json,
        true,
        "The command itself, in the first entry that it caused in a stream.",
    ),
    column("kind", ColumnKind::Text, false, "The name of the form of the event."),
    column("body", ColumnKind::Json, false, "The event."),
    column(
        "transfers",
        ColumnKind::Json,
        true,
        "The money that it moved: code, from, to, ten-thousandths of a cent.",
    ),
    column("previous", ColumnKind::Text, false, "The hash of the entry before it."),
    column("hash", ColumnKind::Text, false, "Its hash."),
];

pub(super) const LEDGER: &[Column] = &[
    column("stream", ColumnKind::Text, false, "The stream of the entry that moved the money."),
    column("version", ColumnKind::Integer, false, "The number of the entry."),
    column("transfer", ColumnKind::Integer, false, "Which transfer of the entry, from 1."),
    column("written_at", ColumnKind::Time, false, "When, by the clock of the node."),
    column("actor", ColumnKind::Text, false, "Who gave the command."),
    column("code", ColumnKind::Text, false, "Why it moved, such as `wager`, `paid` or `link.award`."),
    column("from_account", ColumnKind::Text, false, "The account it left."),
    column("to_account", ColumnKind::Text, false, "The account it entered."),
    column("amount", ColumnKind::Integer, false, "How much, in ten-thousandths of a cent; more than 0."),
];

pub(super) const AWARDS: &[Column] = &[
    column("link", ColumnKind::Text, false, "The link."),
    column("award", ColumnKind::Integer, false, "The number of the award, which is the number of its slip."),
    column(
        "step",
        ColumnKind::Text,
        false,
        "What happened: `entered`, `won`, `verified`, `approved`, `identified`, `paid`, `rejected`, `taken-back`, `ruled`, `released`, `replaced` or `slip-printed`.",
    ),
    column("written_at", ColumnKind::Time, false, "When, by the clock of the node."),
    column("version", ColumnKind::Integer, false, "The entry of the link's stream."),
    column(
        "amount_cents",
        ColumnKind::Integer,
        true,
        "The amount of the award after this step; what went back to the meter where it was rejected, taken back or replaced.",
    ),
    column("table_name", ColumnKind::Text, true, "The table, where it was entered."),
    column("round", ColumnKind::Integer, true, "The round, where it was entered."),
    column("position", ColumnKind::Integer, true, "The position, where it was entered."),
    column("player", ColumnKind::Text, true, "The winner, where that was written down."),
    column("hand", ColumnKind::Text, true, "The winning hand, where it was entered."),
    column(
        "meter_before",
        ColumnKind::Integer,
        true,
        "The meter before the award, in ten-thousandths of a cent.",
    ),
    column(
        "meter_after",
        ColumnKind::Integer,
        true,
        "The meter after the award, in ten-thousandths of a cent.",
    ),
    column("clause", ColumnKind::Text, true, "The clause behind it."),
    column("signed_by", ColumnKind::Text, true, "Who signed."),
    column(
        "words",
        ColumnKind::Text,
        true,
        "What was written: a ruling, the record of an identity, how it was paid, why it was rejected.",
    ),
];

/// What every export and every column means, as a page of Markdown.
pub fn dictionary() -> String {
    let mut page = String::from(DICTIONARY);
    for subject in Subject::ALL {
        page.push_str(&format!(
            "\n## {}\n{}\n\n| column | type | meaning |\n|---|---|---|\n",
            subject.name(),
            about(subject)
        ));
        page.push_str("| `gaming_day` | date | The gaming day: from the hour of this date at which the house's gaming days begin, usually 06:00 in Singapore, to that hour of the next. |\n");
        for column in subject.columns() {
            let Column { name, kind, optional, meaning } = column;
            let (kind, may_be_empty) = (kind.name(), if *optional { ", may be empty" } else { "" });
            page.push_str(&format!("| `{name}` | {kind}{may_be_empty} | {meaning} |\n"));
        }
    }
    page
}

const DICTIONARY: &str = "# Data dictionary of the exports

`megalink export rounds|entries|ledger|awards` writes what the log has of some gaming days. Amounts are whole numbers, and the names of their columns
end with their unit. Times are milliseconds since 1970 (UTC). Rows come in the order of days, streams and entries.
In CSV a text that a spreadsheet would take for a formula has a `'` before it; JSON lines have it as it is. `staked_cents` and `win_cents` include the Jackpot; a report's handle and win do not.
The test of this page compares it with the program.

DuckDB makes Parquet of exports as CSV (`--format csv --out rounds.csv`), with a folder for each gaming day:

```sql
COPY (SELECT * REPLACE (make_timestamp_ms(settled_at) AS settled_at)
      FROM read_csv('rounds.csv', quote = '\"', types = {'table_name': 'VARCHAR'}))
TO 'rounds' (FORMAT parquet, PARTITION_BY gaming_day);

COPY (SELECT * REPLACE (make_timestamp_ms(written_at) AS written_at) FROM read_csv('entries.csv', quote = '\"'))
TO 'entries' (FORMAT parquet, PARTITION_BY gaming_day);

COPY (SELECT * REPLACE (make_timestamp_ms(written_at) AS written_at) FROM read_csv('ledger.csv', quote = '\"'))
TO 'ledger' (FORMAT parquet, PARTITION_BY gaming_day);

COPY (SELECT * REPLACE (make_timestamp_ms(written_at) AS written_at)
      FROM read_csv('awards.csv', quote = '\"', types = {'link': 'VARCHAR', 'table_name': 'VARCHAR', 'player': 'VARCHAR', 'words': 'VARCHAR'}))
TO 'awards' (FORMAT parquet, PARTITION_BY gaming_day);
```

Times are then timestamps. The days are read as one table:

```sql
SELECT rulebook, sum(staked_cents) / 100.0 AS handle, sum(win_cents) / 100.0 AS win
FROM read_parquet('rounds/*/*.parquet', hive_partitioning = true)
WHERE gaming_day BETWEEN '2026-11-01' AND '2026-11-30' GROUP BY ALL ORDER BY ALL;
```
";

const fn about(subject: Subject) -> &'static str {
    match subject {
        Subject::Rounds => {
            "One row for each settlement of a round, on the gaming day it was settled. A correction is a row of its own, on the \
             day it was made: sums over days are what the days came to. As JSON lines, each finished round is a record in the \
             form of [records.md](records.md) instead, on the day it was settled first, and `megalink settle` checks it; the books that the \
             house changed to stand before them."
        }
        Subject::Entries => "Every entry of the log, from which everything else follows.",
        Subject::Ledger => "Every transfer of money from one account to another.",
        Subject::Awards => "Every step of every award from a meter.",
    }
}

fn text(value: &impl ToString) -> Cell<'static> {
    Cell::Owned(value.to_string())
}

fn integer(value: u64) -> Cell<'static> {
    Cell::Integer(i64::try_from(value).unwrap_or(i64::MAX))
}

/// Every settlement of a day.
pub(super) fn rounds(log: &mut Log<'_>, day: GamingDay, lines: &mut Lines<'_>) -> Result<u64, ExportError> {
    let mut tables = Vec::new();
    for stream in log.streams() {
        let span = log.span(&stream, day)?;
        if let Stream::Table(table) = stream
            && span.after < span.up_to
        {
            tables.push((table, span));
        }
    }
    let (mut written, library) = (0_u64, log.library.clone());
    each_seen(log, &tables, FoundBy::Index, &mut |place,
                                                  cursor,
                                                  seen,
                                                  settled|
     -> Result<(), ExportError> {
        let (Some(settled), Some((table, _))) = (settled, tables.get(place)) else { return Ok(()) };
        let void = settled.settlement.void;
        let clause = void.and_then(|rule| Some(library.get(&cursor.rulebook)?.0.clause(rule)));
        let mut positions: Vec<u8> = settled.settlement.lines.iter().map(|line| line.position.0).collect();
        positions.dedup();
        let areas = settled.by_area();
        let all = areas.iter().copied().fold(Moved::default(), Moved::plus);
        let mut cells = Vec::with_capacity(ROUNDS.len());
        cells.extend([
            Cell::Text(table.name()),
            integer(cursor.number),
            integer(cursor.settlements.into()),
            integer(seen.at.0),
            integer(seen.version.0),
            Cell::Text(&cursor.rulebook),
            Cell::Text(&cursor.digest),
            clause.as_ref().map_or(Cell::Empty, text),
            integer(u64::try_from(positions.len()).unwrap_or_default()),
        ]);
        cells.extend(areas.map(|moved| Cell::Integer(moved.staked)));
        cells.extend(areas.map(|moved| Cell::Integer(moved.win())));
        cells.extend([all.staked, all.paid, all.returned, all.collected, all.win()].map(Cell::Integer));
        written = written.saturating_add(1);
        Ok(lines.row(&cells)?)
    })?;
    Ok(written)
}

/// Hands over the entries of all streams on a day, with the name of their stream. They are read ahead.
fn each_entry(
    log: &mut Log<'_>,
    day: GamingDay,
    each: &mut dyn FnMut(&str, &Entry) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let mut streams = Vec::new();
    for stream in log.streams() {
        let span = log.span(&stream, day)?;
        streams.push((stream, span));
    }
    ahead(
        log,
        &stretches(&streams),
        &|reader, stretch| Ok(sifted(reader, stretch, &|_, _| true)?),
        &mut |stretch, entries: Vec<Entry>| {
            let name = stretch.stream.to_string();
            entries.iter().try_for_each(|entry| each(&name, entry))
        },
    )
}

/// Every entry of a day.
pub(super) fn entries(log: &mut Log<'_>, day: GamingDay, lines: &mut Lines<'_>) -> Result<u64, ExportError> {
    let mut written = 0_u64;
    each_entry(log, day, &mut |stream, entry| {
        let transfers = transfers_text(&entry.transfers);
        written = written.saturating_add(1);
        Ok(lines.row(&[
            Cell::Text(stream),
            integer(entry.version.0),
            integer(entry.at.0),
            Cell::Owned(entry.actor.code()),
            text(&entry.command),
            entry.cause.as_deref().map_or(Cell::Empty, Cell::Text),
            Cell::Text(&entry.body.kind),
            Cell::Text(&entry.body.json),
            if transfers.is_empty() { Cell::Empty } else { Cell::Text(&transfers) },
            text(&entry.previous),
            text(&entry.hash),
        ])?)
    })?;
    Ok(written)
}

/// Every transfer of a day.
pub(super) fn ledger(log: &mut Log<'_>, day: GamingDay, lines: &mut Lines<'_>) -> Result<u64, ExportError> {
    let mut written = 0_u64;
    each_entry(log, day, &mut |stream, entry| {
        for (transfer, number) in entry.transfers.iter().zip(1_u64..) {
            lines.row(&[
                Cell::Text(stream),
                integer(entry.version.0),
                integer(number),
                integer(entry.at.0),
                Cell::Owned(entry.actor.code()),
                Cell::Text(code_text(transfer.code)),
                text(&transfer.from),
                text(&transfer.to),
                Cell::Integer(transfer.amount.0),
            ])?;
            written = written.saturating_add(1);
        }
        Ok(())
    })?;
    Ok(written)
}

/// What a step of an award says.
#[derive(Default)]
pub(crate) struct Step {
    pub(crate) award: u64,
    pub(crate) name: &'static str,
    pub(crate) amount: Option<money::Money>,
    pub(crate) entered: Option<Box<jackpot::Award>>,
    pub(crate) player: Option<String>,
    pub(crate) clause: Option<String>,
    pub(crate) signed_by: Option<String>,
    pub(crate) words: Option<String>,
}

/// A step that says no more than who signed it.
fn plain(award: jackpot::AwardNumber, name: &'static str, signed_by: Option<String>) -> Step {
    Step { award: award.0, name, signed_by, ..Step::default() }
}

/// What an award gave back to the meter.
fn back(name: &'static str, restoration: &jackpot::Restoration) -> Step {
    let (award, amount) = (restoration.award.0, Some(restoration.amount));
    Step { award, name, amount, ..Step::default() }
}

/// The steps of awards that an event of a link takes.
pub(crate) fn award_steps(event: LinkEvent) -> Vec<Step> {
    let signed = |by: &Signature| Some(format!("{} ({})", by.person, by.title()));
    let pair = |by: &Pair| Some(by.both().map(|by| format!("{} ({})", by.person, by.title())).join(", "));
    let step = match event {
        LinkEvent::Opened { .. } | LinkEvent::BookAdded { .. } | LinkEvent::SettingsPlanned { .. } => {
            return Vec::new();
        }
        LinkEvent::Won { winners, .. } => {
            let won = |winner: journal::Winner| Step {
                award: winner.award.0,
                name: "won",
                player: Some(winner.player.to_string()),
                ..Step::default()
            };
            return winners.into_iter().map(won).collect();
        }
        LinkEvent::SlipPrinted { award, copy, by } => Step {
            award: award.0,
            name: "slip-printed",
            signed_by: signed(&by),
            words: Some(format!("copy {copy}")),
            ..Step::default()
        },
        LinkEvent::Jackpot(event) => match event {
            Jackpot::AwardEntered { award, .. } => Step {
                award: award.number.0,
                name: "entered",
                amount: Some(award.amount),
                clause: Some(award.clause.to_string()),
                entered: Some(award),
                ..Step::default()
            },
            Jackpot::AwardVerified { award, by, .. } => plain(award, "verified", signed(&by)),
            Jackpot::AwardApproved { award, by } => plain(award, "approved", signed(&by)),
            Jackpot::DueDiligenceRecorded { award, reference, by } => Step {
                award: award.0,
                name: "identified",
                signed_by: signed(&by),
                words: Some(reference),
                ..Step::default()
            },
            Jackpot::AwardPaid { award, amount, by, means } => Step {
                award: award.0,
                name: "paid",
                amount: Some(amount),
                signed_by: signed(&by),
                words: means.and_then(|means| serde_json::to_value(means).ok()?.as_str().map(str::to_owned)),
                ..Step::default()
            },
            Jackpot::AwardRejected { restoration, cause, by, clause, .. } => Step {
                clause: Some(clause.to_string()),
                signed_by: pair(&by),
                words: serde_json::to_string(&cause).ok(),
                ..back("rejected", &restoration)
            },
            Jackpot::AwardTakenBack { restoration, by, clause, .. } => Step {
                clause: Some(clause.to_string()),
                signed_by: pair(&by),
                ..back("taken-back", &restoration)
            },
            Jackpot::AwardReplaced { restoration, clause, .. } => {
                Step { clause: Some(clause.to_string()), ..back("replaced", &restoration) }
            }
            Jackpot::RulingMade { award, amount, words, by, clause, .. } => Step {
                award: award.0,
                name: "ruled",
                amount: Some(amount),
                clause: Some(clause.to_string()),
                signed_by: pair(&by),
                words: Some(words),
                ..Step::default()
            },
            Jackpot::AwardReleased { award, words, by, clause } => Step {
                award: award.0,
                name: "released",
                clause: Some(clause.to_string()),
                signed_by: pair(&by),
                words: Some(words),
                ..Step::default()
            },
            Jackpot::RoundEntered { .. }
            | Jackpot::SettingsApplied { .. }
            | Jackpot::EntryReversed { .. }
            | Jackpot::FixedPrizesCorrected { .. }
            | Jackpot::MeterAdjusted { .. }
            | Jackpot::ReconfigurationScheduled { .. }
            | Jackpot::FaultFound { .. }
            | Jackpot::FaultCleared { .. }
            | Jackpot::ClosingAnnounced { .. }
            | Jackpot::LinkClosed { .. }
            | Jackpot::MoneyReceived { .. }
            | Jackpot::TableLost { .. }
            | Jackpot::TableRestored { .. } => return Vec::new(),
        },
    };
    vec![step]
}

/// Every step of an award on a day.
pub(super) fn awards(log: &mut Log<'_>, day: GamingDay, lines: &mut Lines<'_>) -> Result<u64, ExportError> {
    let mut written = 0_u64;
    for stream in log.streams() {
        let Stream::Link(link) = &stream else { continue };
        let span = log.span(&stream, day)?;
        log.each(&stream, span, &mut |entry| -> Result<(), ExportError> {
            let Event::Link(event) = event_of(&entry)? else { return Ok(()) };
            for step in award_steps(event) {
                let entered = step.entered.as_deref();
                let owned = |text: Option<String>| text.map_or(Cell::Empty, Cell::Owned);
                lines.row(&[
                    Cell::Text(link.name()),
                    integer(step.award),
                    Cell::Text(step.name),
                    integer(entry.at.0),
                    integer(entry.version.0),
                    step.amount.map_or(Cell::Empty, |amount| integer(amount.cents())),
                    entered.map_or(Cell::Empty, |award| text(&award.entry.table)),
                    entered.map_or(Cell::Empty, |award| integer(award.entry.round)),
                    entered.map_or(Cell::Empty, |award| integer(award.position.0.into())),
                    owned(step.player),
                    entered.map_or(Cell::Empty, |award| Cell::Text(award.hand.name())),
                    entered.map_or(Cell::Empty, |award| integer(award.before.ten_thousandths())),
                    entered.map_or(Cell::Empty, |award| integer(award.after.ten_thousandths())),
                    owned(step.clause),
                    owned(step.signed_by),
                    owned(step.words),
                ])?;
                written = written.saturating_add(1);
            }
            Ok(())
        })?;
    }
    Ok(written)
}
