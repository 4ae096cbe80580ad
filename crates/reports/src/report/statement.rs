//! What some gaming days were for one Player: every settlement with wagers of theirs, awards, and cash.

use floor::audit::{AuditError, Span, floor_at};
use journal::{Direction, Event, HouseEvent, LinkEvent, Stream, Subject, Version};
use round::PlayerId;

use super::FigureKind::{Cents, Count, Text, Time};
use super::{Section, Value, heading};
use crate::day::Days;
use crate::log::Log;
use crate::table_day::{TableCursor, event_of};

/// The sections of a statement.
pub(super) fn sections(log: &mut Log<'_>, player: &PlayerId, days: Days) -> Result<Vec<Section>, AuditError> {
    let mut rounds = Vec::new();
    let mut money = Vec::new();
    for stream in log.streams() {
        let after = log.last_before(&stream, days.from())?;
        let span = Span { after, up_to: log.last_before(&stream, days.to().next())? };
        match &stream {
            Stream::House => cash(log, player, span, &mut money)?,
            Stream::Table(_) => settlements(log, &stream, player, span, &mut rounds)?,
            Stream::Link(_) => awards(log, &stream, player, span, &mut money)?,
        }
    }
    rounds.sort_by_key(|(at, _)| *at);
    money.sort_by_key(|(at, _)| *at);
    let rows = |rows: Vec<(u64, Vec<Value>)>| rows.into_iter().map(|(_, row)| row).collect::<Vec<_>>();
    let (rounds, money) = (rows(rounds), rows(money));
    let sum = |rows: &[Vec<Value>], place: usize| {
        let values = rows.iter().filter_map(|row| row.get(place));
        values.fold(0_i64, |sum, value| {
            sum.saturating_add(if let Value::Whole(whole) = value { *whole } else { 0 })
        })
    };
    let total = |name: &str, cents: i64| vec![Value::text(&name), Value::Whole(cents)];
    let mut notes = vec!["Amounts of a correction are what it changed.".to_owned()];
    if rounds.is_empty() && money.is_empty() {
        notes.push(
            "The log has nothing of a Player of this name on these days. Check how the name is written."
                .to_owned(),
        );
    }
    let totals = vec![
        vec![Value::text("Player"), Value::text(player)],
        total("Wagered", sum(&rounds, 3)),
        total("Returned", sum(&rounds, 4)),
        total("Paid", sum(&rounds, 5)),
        total("Result of the rounds", sum(&rounds, 6)),
        total("Awards, and cash and credits changed in, less cash changed out", sum(&money, 2)),
    ];
    Ok(vec![
        Section {
            id: "statement",
            title: "Statement of a Player",
            notes,
            columns: vec![heading("what", "what", Text), heading("amount", "amount", Cents)],
            rows: totals,
        },
        Section {
            id: "rounds",
            title: "Rounds",
            notes: Vec::new(),
            columns: vec![
                heading("at", "time", Time),
                heading("table", "table", Text),
                heading("round", "round", Count),
                heading("staked", "wagered", Cents),
                heading("returned", "returned", Cents),
                heading("paid", "paid", Cents),
                heading("result", "result", Cents),
            ],
            rows: rounds,
        },
        Section {
            id: "money",
            title: "Awards, cash and credits",
            notes: Vec::new(),
            columns: vec![
                heading("at", "time", Time),
                heading("what", "what", Text),
                heading("amount", "amount", Cents),
            ],
            rows: money,
        },
    ])
}

type Rows = Vec<(u64, Vec<Value>)>;

fn settlements(
    log: &mut Log<'_>,
    stream: &Stream,
    player: &PlayerId,
    span: Span,
    rows: &mut Rows,
) -> Result<(), AuditError> {
    let Stream::Table(table) = stream else { return Ok(()) };
    let subject = Subject::Settled(player.clone());
    let versions = log.reader.about(stream, &subject, Direction::After(span.after), usize::MAX)?;
    for version in versions.into_iter().filter(|version| *version <= span.up_to) {
        let one = Span { after: Version(version.0.saturating_sub(1)), up_to: version };
        let mut cursor = TableCursor::at(log, table, one)?;
        let Some(entry) = log.reader.entry(stream, version)? else { continue };
        let Some(settled) = cursor.follow(&entry)? else { continue };
        let money = settled.sum(|line| line.owner == *player);
        let result = money.paid.saturating_sub(money.collected);
        let mut row = vec![Value::count(entry.at.0), Value::text(&table), Value::count(cursor.number)];
        row.extend([money.staked, money.returned, money.paid, result].map(Value::Whole));
        rows.push((entry.at.0, row));
    }
    Ok(())
}

fn awards(
    log: &mut Log<'_>,
    stream: &Stream,
    player: &PlayerId,
    span: Span,
    rows: &mut Rows,
) -> Result<(), AuditError> {
    let Stream::Link(link) = stream else { return Ok(()) };
    let floor = floor_at(log.reader, &log.library, stream, span.up_to)?;
    let Some(desk) = floor.link(link) else { return Ok(()) };
    log.each(stream, span, &mut |entry| -> Result<(), AuditError> {
        if let Event::Link(LinkEvent::Jackpot(jackpot::Event::AwardPaid { award, amount, .. })) =
            event_of(&entry)?
            && desk.winner(award).is_some_and(|winner| winner.player == *player)
        {
            let what = format!("Award {award} of {link} was paid");
            rows.push((
                entry.at.0,
                vec![Value::count(entry.at.0), Value::Text(what), Value::count(amount.cents())],
            ));
        }
        Ok(())
    })
}

fn cash(log: &mut Log<'_>, player: &PlayerId, span: Span, rows: &mut Rows) -> Result<(), AuditError> {
    log.each(&Stream::House, span, &mut |entry| -> Result<(), AuditError> {
        let Event::House(event) = event_of(&entry)? else { return Ok(()) };
        let cents = |amount: money::Money| i64::try_from(amount.cents()).unwrap_or(i64::MAX);
        let said = match event {
            HouseEvent::BoughtIn { player: who, amount, .. } => Some((who, "Cash changed in", cents(amount))),
            HouseEvent::CreditsGranted { player: who, amount, .. } => {
                Some((who, "Play credits given", cents(amount)))
            }
            HouseEvent::CashedOut { player: who, amount, .. } => {
                Some((who, "Cash changed out", cents(amount).saturating_neg()))
            }
            HouseEvent::DebtRepaid { player: who, amount } => {
                Some((who, "Debt repaid", cents(amount).saturating_neg()))
            }
            _ => None,
        };
        if let Some((_, what, amount)) = said.filter(|(who, ..)| who == player) {
            rows.push((entry.at.0, vec![Value::count(entry.at.0), Value::text(&what), Value::Whole(amount)]));
        }
        Ok(())
    })
}
