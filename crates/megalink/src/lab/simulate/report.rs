//! The report for people: a sentence first, then tables with the exact value beside each estimate.

use std::time::Duration;

use lab::exact::Action;
use lab::simulate::{BonusReport, Estimate, JackpotReport, MeterReport, Report};
use rulebook::{JackpotCards, Rulebook};

use crate::lab::words::{count, percent};
use crate::tables;

/// The whole report.
pub(super) fn text(book: &Rulebook, report: &Report, elapsed: Duration) -> String {
    let mut parts = vec![answer(book, report), figures(report), outcomes(report)];
    parts.extend(report.bonus.as_ref().map(bonus));
    parts.extend(report.jackpot.as_ref().map(jackpot));
    parts.extend([results(report), sessions(report), house(report, elapsed)]);
    parts.extend(report.notes.iter().cloned());
    parts.join("\n\n") + "\n"
}

/// The sentence that answers.
fn answer(book: &Rulebook, report: &Report) -> String {
    let base = &report.base;
    let [low, high] = base.interval.map(|bound| percent(-bound, 3));
    let mut text = format!(
        "{}, version {}: {} rounds of {}, {} play. The house kept {} of each Ante (95 times in 100 between {high} and {low})",
        book.title,
        book.version,
        count(report.rounds),
        if report.players == 1 { "one player".to_owned() } else { format!("{} players", report.players) },
        report.strategy,
        percent(-base.mean, 3),
    );
    if let Some((exact, errors)) = base.expected.zip(base.errors_above) {
        text += &format!("; exactly it is {}, {:.2} standard errors away", percent(-exact, 4), errors.abs());
    }
    text + "."
}

/// The figures of a row: mean, standard error, interval, exact value, standard errors between.
fn cells(estimate: &Estimate, show: impl Fn(f64) -> String) -> [String; 5] {
    let [low, high] = estimate.interval.map(&show);
    [
        show(estimate.mean),
        show(estimate.standard_error).replace('+', ""),
        format!("{low} to {high}"),
        estimate.expected.map(&show).unwrap_or_default(),
        errors(estimate),
    ]
}

fn errors(estimate: &Estimate) -> String {
    estimate.errors_above.map(|errors| format!("{errors:+.2}")).unwrap_or_default()
}

fn figures(report: &Report) -> String {
    let mut table =
        tables::plain(&["figure", "simulated", "± error", "95 % interval", "exactly", "errors between"]);
    let number = |value: f64| format!("{value:+.6}");
    let mut add = |name: &str, estimate: &Estimate| {
        table.add_row(std::iter::once(name.to_owned()).chain(cells(estimate, number)));
    };
    add("Ante and what follows, net in Antes", &report.base);
    if let Some(bonus) = &report.bonus {
        add("Bonus, net in Bonus wagers", &bonus.net);
    }
    if let Some(jackpot) = &report.jackpot {
        add("Jackpot: odds and fixed amounts, in wagers", &jackpot.fixed_return);
        add("Jackpot: shares of the meter, in wagers", &jackpot.award_return);
    }
    if report.bonus.is_some() || report.jackpot.is_some() {
        add("everything, net in Antes", &report.total);
    }
    tables::figures(&mut table, &[1, 2, 3, 4, 5]);
    format!("{table}\nAverage wager on Ante and what follows: {:.6} Antes.", report.average_wager)
}

fn outcomes(report: &Report) -> String {
    let mut table =
        tables::plain(&["outcome", "net", "hands", "simulated", "± error", "exactly", "errors between"]);
    for row in &report.outcomes {
        let outcome = &row.outcome;
        let action = |action: Option<Action>| action.map_or("", Action::name);
        let name = match (outcome.hand, outcome.turn) {
            (Some(hand), _) => format!("{} with {}", outcome.result.name(), hand.to_string().to_lowercase()),
            (None, Some(_)) => {
                format!(
                    "turn {}, river {}: {}",
                    action(outcome.turn),
                    action(outcome.river),
                    outcome.result.name()
                )
            }
            (None, None) => outcome.result.name().to_owned(),
        };
        let frequency = &row.frequency;
        table.add_row([
            name,
            format!("{:+}", outcome.net),
            count(row.hands),
            percent(frequency.mean, 5),
            percent(frequency.standard_error, 5),
            frequency.expected.map(|exact| percent(exact, 5)).unwrap_or_default(),
            errors(frequency),
        ]);
    }
    tables::figures(&mut table, &[1, 2, 3, 4, 5, 6]);
    format!("Outcomes\n{table}")
}

fn bonus(bonus: &BonusReport) -> String {
    let mut table = tables::plain(&["Bonus", "hands", "one in", "exactly", "errors between"]);
    for line in &bonus.lines {
        table.add_row([
            line.pays.clone(),
            count(line.hands),
            one_in(line.frequency.mean),
            line.frequency.expected.map(one_in).unwrap_or_default(),
            errors(&line.frequency),
        ]);
    }
    tables::figures(&mut table, &[1, 2, 3, 4]);
    table.to_string()
}

fn jackpot(jackpot: &JackpotReport) -> String {
    let mut table =
        tables::plain(&["Jackpot", "pays", "hands", "one in", "exactly", "errors between", "awarded"]);
    for line in &jackpot.lines {
        let awarded = if line.awarded.is_zero() { String::new() } else { line.awarded.to_string() };
        table.add_row([
            format!("{}{}", line.hand, place(line.cards)),
            line.pays.to_string(),
            count(line.hands),
            one_in(line.frequency.mean),
            line.frequency.expected.map(one_in).unwrap_or_default(),
            errors(&line.frequency),
            awarded,
        ]);
    }
    tables::figures(&mut table, &[2, 3, 4, 5, 6]);
    format!("{table}\n\n{}{}", meter(&jackpot.meter), intervals(jackpot))
}

/// Which cards a line looks at, where it is not the five that every hand has.
const fn place(cards: JackpotCards) -> &'static str {
    match cards {
        JackpotCards::Hand | JackpotCards::HoleAndFlop => "",
        JackpotCards::HoleToTurn => " on the turn",
        JackpotCards::HoleToRiver => " in seven cards",
        JackpotCards::HoleToRiverWithHoleCard => " on the river",
        JackpotCards::Community => " on the board",
    }
}

fn meter(meter: &MeterReport) -> String {
    const FINE: u64 = 10_000;
    let cents = |fine: u64| money::Money::from_cents(fine / FINE).to_string();
    let mut table = tables::plain(&["Meter", "amount"]);
    for (name, amount) in [
        ("at the start", cents(meter.start_ten_thousandths)),
        ("contributions", cents(meter.contributions_ten_thousandths)),
        ("reset amounts", meter.resets.to_string()),
        ("awards", format!("-{}", meter.awards)),
        ("at the end", cents(meter.end_ten_thousandths)),
        ("highest", cents(meter.highest_ten_thousandths)),
    ] {
        table.add_row([name.to_owned(), amount]);
    }
    tables::figures(&mut table, &[1]);
    table.to_string()
}

fn intervals(jackpot: &JackpotReport) -> String {
    let Some(between) = &jackpot.intervals else { return "\nNo share of the meter was won.".to_owned() };
    format!(
        "\n{} shares of the meter were won, one in {:.0} rounds (exactly {:.0}); the shortest wait {}, the middle one {}, the longest {}.",
        count(between.awards),
        between.mean,
        between.expected,
        count(between.shortest),
        count(between.median),
        count(between.longest),
    )
}

#[expect(clippy::cast_precision_loss, reason = "shares, for reading")]
fn results(report: &Report) -> String {
    let mut table = tables::plain(&["result of a hand, in Antes", "hands", "share", ""]);
    let most = report.results.iter().map(|bin| bin.hands).max().unwrap_or(1).max(1);
    for bin in report.results.iter().filter(|bin| bin.hands != 0) {
        let name = match (bin.from, bin.to) {
            (Some(from), Some(to)) => format!("{from} to under {to}"),
            (None, Some(to)) => format!("under {to}"),
            (Some(from), None) => format!("{from} and more"),
            (None, None) => "any".to_owned(),
        };
        let bar = "█".repeat(usize::try_from(bin.hands * 40 / most).unwrap_or(0));
        table.add_row([name, count(bin.hands), percent(bin.hands as f64 / report.hands as f64, 4), bar]);
    }
    tables::figures(&mut table, &[0, 1, 2]);
    table.to_string()
}

fn sessions(report: &Report) -> String {
    let sessions = &report.sessions;
    if sessions.count == 0 {
        return format!("No session of {} rounds was completed.", sessions.rounds);
    }
    let mut head = vec!["session, in Antes".to_owned()];
    head.extend(sessions.end.iter().map(|at| format!("{} %", at.percent)));
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let mut table = tables::plain(&head);
    let quarters = sessions.course.len() / 4;
    for course in sessions.course.iter().skip(quarters - 1).step_by(quarters) {
        let values = course.percentiles.iter().map(|at| format!("{:+.1}", at.antes));
        table.add_row(std::iter::once(format!("after {} rounds", course.rounds)).chain(values));
    }
    tables::figures(&mut table, &(1..head.len()).collect::<Vec<_>>());
    let mut ruin = tables::plain(&["bankroll, in Antes", "lost within a session", "± error"]);
    for row in &sessions.ruin {
        ruin.add_row([format!("{}", row.bankroll), percent(row.chance, 2), percent(row.standard_error, 2)]);
    }
    tables::figures(&mut ruin, &[0, 1, 2]);
    format!(
        "{} sessions of {} rounds; {} ended ahead. So many per cent of them stood at or below:\n{table}\n\n{ruin}",
        count(sessions.count),
        sessions.rounds,
        percent(sessions.ahead, 1),
    )
}

fn house(report: &Report, elapsed: Duration) -> String {
    let house = &report.house;
    let seconds = elapsed.as_secs_f64();
    #[expect(clippy::cast_precision_loss, reason = "a speed, for reading")]
    let speed = report.rounds as f64 / seconds;
    format!(
        "The house won {}. It was never more than {} down, and its deepest fall from a height was {}.\n{seconds:.2} s, {:.1} million rounds a second.",
        dollars(house.result_ten_thousandths),
        dollars(house.most_down_ten_thousandths),
        dollars(house.deepest_fall_ten_thousandths),
        speed / 1e6,
    )
}

/// Ten-thousandths of a cent as dollars and cents.
fn dollars(ten_thousandths: i64) -> String {
    let sign = if ten_thousandths < 0 { "-" } else { "" };
    format!("{sign}{}", money::Money::from_cents(ten_thousandths.unsigned_abs() / 10_000))
}

fn one_in(chance: f64) -> String {
    if chance == 0.0 { "never".to_owned() } else { format!("{:.1}", 1.0 / chance) }
}
