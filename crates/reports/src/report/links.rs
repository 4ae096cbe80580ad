//! Each link: its accounts from the opening to the closing of the days, by every movement, and its awards.

use std::collections::BTreeMap;

use floor::Floor;
use floor::audit::{AuditError, Span, floor_at};
use journal::{Account, Event, LinkId, Moment, Stream, Transfer, Version, code_text};

use super::FigureKind::{Cents, Count, TenThousandths, Text, Time};
use super::{Section, Value, heading};
use crate::ahead::{ahead, sifted, stretches};
use crate::day::Days;
use crate::export::{Step, award_steps};
use crate::log::Log;
use crate::table_day::event_of;

/// What the accounts of a link hold, in ten-thousandths of a cent: meter, reserve, overflow, awards on their way.
type Accounts = [i64; 4];

pub(super) fn sections(log: &mut Log<'_>, days: Days) -> Result<Vec<Section>, AuditError> {
    let (mut meters, mut awards, mut open) = (Vec::new(), Vec::new(), Vec::new());
    for stream in log.streams() {
        let Stream::Link(link) = &stream else { continue };
        let after = log.last_before(&stream, days.from())?;
        let up_to = log.last_before(&stream, days.to().next())?;
        if up_to == Version(0) {
            continue;
        }
        let span = Span { after, up_to };
        let opening = accounts_in(&floor_at(log.reader, &log.library, &stream, after)?, link);
        let floor = floor_at(log.reader, &log.library, &stream, up_to)?;
        let closing = accounts_in(&floor, link);
        let moved = movements(log, &stream, span, &mut awards)?;
        meters.extend(rows(link, opening, closing, &moved));
        let of_link = floor.link(link).map(|desk| desk.link().open_awards().cloned().collect::<Vec<_>>());
        for award in of_link.unwrap_or_default() {
            open.push(vec![
                Value::text(&link),
                Value::count(award.number.0),
                Value::Text(format!("{:?}", award.state).to_lowercase()),
                Value::count(award.amount.cents()),
                Value::text(&award.entry.table),
                Value::count(award.entry.round),
                Value::text(&award.hand.name()),
            ]);
        }
    }
    let notes = vec![
        "Every movement of the ledger between the opening and the closing of these days, to the ten-thousandth of a cent. The last line \
         of a link is the difference between what the movements come to and what the link's own log says: it must be zero. What the \
         house owes is the closing of all four accounts together."
            .to_owned(),
    ];
    let columns = vec![
        heading("link", "link", Text),
        heading("what", "what", Text),
        heading("meter", "meter", TenThousandths),
        heading("reserve", "reserve", TenThousandths),
        heading("overflow", "overflow", TenThousandths),
        heading("awards", "awards on their way", TenThousandths),
        heading("owed", "owed in all", TenThousandths),
    ];
    let steps = vec![
        heading("at", "time", Time),
        heading("link", "link", Text),
        heading("award", "award", Count),
        heading("step", "step", Text),
        heading("amount", "amount", Cents),
        heading("signed_by", "signed by", Text),
        heading("clause", "clause", Text),
        heading("words", "words", Text),
    ];
    let on_their_way = vec![
        heading("link", "link", Text),
        heading("award", "award", Count),
        heading("state", "state", Text),
        heading("amount", "amount", Cents),
        heading("table", "table", Text),
        heading("round", "round", Count),
        heading("hand", "hand", Text),
    ];
    Ok(vec![
        Section { id: "links", title: "Meters of the links", notes, columns, rows: meters },
        Section { id: "awards", title: "Awards", notes: Vec::new(), columns: steps, rows: awards },
        Section {
            id: "open-awards",
            title: "Awards on their way when the last day ended",
            notes: Vec::new(),
            columns: on_their_way,
            rows: open,
        },
    ])
}

/// What a link's own log says that it holds.
fn accounts_in(floor: &Floor, link: &LinkId) -> Accounts {
    let Some(desk) = floor.link(link) else { return [0; 4] };
    let fine = |pool: money::Pool| i64::try_from(pool.ten_thousandths()).unwrap_or(i64::MAX);
    let balances = desk.link().balances();
    let awards = desk.link().open_awards().map(|award| award.amount.cents()).sum::<u64>();
    let awards = i64::try_from(awards).unwrap_or(i64::MAX).saturating_mul(10_000);
    [fine(balances.meter), fine(balances.reserve), fine(balances.overflow), awards]
}

/// What each movement did to the accounts, by its code; and the steps of awards, as rows.
fn movements(
    log: &mut Log<'_>,
    stream: &Stream,
    span: Span,
    awards: &mut Vec<Vec<Value>>,
) -> Result<BTreeMap<&'static str, Accounts>, AuditError> {
    let mut moved: BTreeMap<&'static str, Accounts> = BTreeMap::new();
    let Stream::Link(link) = stream else { return Ok(moved) };
    ahead(
        log,
        &stretches(&[(stream.clone(), span)]),
        &|reader, stretch| -> Result<_, AuditError> {
            let (mut moved, mut steps) = (BTreeMap::<&'static str, Accounts>::new(), Vec::new());
            for entry in sifted(reader, stretch, &|_, _| true)? {
                note(&mut moved, &entry.transfers);
                // Most entries are rounds that were entered, which are no step of an award.
                if !entry.body.json.starts_with(ROUND_ENTERED)
                    && let Event::Link(event) = event_of(&entry)?
                {
                    steps.extend(award_steps(event).into_iter().map(|step| (entry.at, step)));
                }
            }
            Ok((moved, steps))
        },
        &mut |_, (part, steps)| {
            for (code, accounts) in part {
                let sums = moved.entry(code).or_default();
                sums.iter_mut().zip(accounts).for_each(|(sum, more)| *sum = sum.saturating_add(more));
            }
            awards.extend(steps.into_iter().map(|(at, step)| step_row(link, at, step)));
            Ok(())
        },
    )?;
    Ok(moved)
}

/// How the stored text of a round that was entered begins.
const ROUND_ENTERED: &str = "{\"round-entered\"";

/// What transfers did to the accounts, by their codes.
fn note(moved: &mut BTreeMap<&'static str, Accounts>, transfers: &[Transfer]) {
    let place = |account: &Account| match account {
        Account::Meter(_) => Some(0),
        Account::Reserve(_) => Some(1),
        Account::Overflow(_) => Some(2),
        Account::Awards(_) => Some(3),
        Account::Cash
        | Account::Granted
        | Account::House
        | Account::Chips
        | Account::Wallet(_)
        | Account::Owed(_)
        | Account::Table(_) => None,
    };
    for transfer in transfers {
        let accounts = moved.entry(code_text(transfer.code)).or_default();
        let mut add = |account: &Account, amount: i64| {
            if let Some(held) = place(account).and_then(|place: usize| accounts.get_mut(place)) {
                *held = held.saturating_add(amount);
            }
        };
        add(&transfer.from, transfer.amount.0.saturating_neg());
        add(&transfer.to, transfer.amount.0);
    }
}

fn step_row(link: &LinkId, at: Moment, step: Step) -> Vec<Value> {
    let text = |text: Option<String>| text.map_or(Value::Empty, Value::Text);
    vec![
        Value::count(at.0),
        Value::text(&link),
        Value::count(step.award),
        Value::text(&step.name),
        step.amount.map_or(Value::Empty, |amount| Value::count(amount.cents())),
        text(step.signed_by),
        text(step.clause),
        text(step.words.or(step.player)),
    ]
}

fn rows(
    link: &LinkId,
    opening: Accounts,
    closing: Accounts,
    moved: &BTreeMap<&'static str, Accounts>,
) -> Vec<Vec<Value>> {
    let row = |what: &str, accounts: Accounts| -> Vec<Value> {
        let owed = accounts.into_iter().fold(0_i64, i64::saturating_add);
        let figures = accounts.into_iter().chain([owed]).map(Value::Whole);
        [Value::text(&link), Value::text(&what)].into_iter().chain(figures).collect()
    };
    let plus = |one: Accounts, other: Accounts| {
        let mut sums = one;
        sums.iter_mut().zip(other).for_each(|(sum, more)| *sum = sum.saturating_add(more));
        sums
    };
    let mut rows = vec![row("opening", opening)];
    let mut computed = opening;
    for (code, accounts) in moved {
        let name = match *code {
            "opening" => "paid in by the house when it opened".to_owned(),
            code => code.trim_start_matches("link.").replace('-', " "),
        };
        rows.push(row(&name, *accounts));
        computed = plus(computed, *accounts);
    }
    rows.push(row("closing", closing));
    rows.push(row("difference", plus(computed, closing.map(i64::saturating_neg))));
    rows
}
