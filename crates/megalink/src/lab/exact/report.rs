//! The answer for people: a sentence first, then tables.

use cards::Rank;
use lab::exact::{Action, Bonus, Exact, Fraction, Jackpot, SilenceWorth, StrategyRow};
use lab::what_if::Change;
use rulebook::{Pays, Rulebook};

use crate::lab::words::{both, count, dollar_value, dollars, percent, share};
use crate::tables;

/// The whole answer.
pub(super) fn text(book: &Rulebook, exact: &Exact, changes: &[Change]) -> String {
    let mut parts = vec![answer(book, exact, changes), headline(exact), outcomes(exact), decisions(exact)];
    if !exact.strategy.is_empty() {
        parts.push(strategy(&exact.strategy));
    }
    if !exact.hole_cards.is_empty() {
        parts.push(chart(exact));
    }
    parts.extend(exact.bonus.as_ref().map(bonus));
    parts.push(jackpot(exact));
    parts.extend(exact.silence.as_ref().map(|worth| silence(exact, worth)));
    parts.join("\n\n") + "\n"
}

/// The sentence that answers.
fn answer(book: &Rulebook, exact: &Exact, changes: &[Change]) -> String {
    let base = &exact.base;
    let keeps = if base.net < Fraction::ZERO { "the house keeps" } else { "the player gains" };
    let mut lines = vec![format!(
        "{}, version {}: with perfect play {keeps} {} of each Ante, {} of all that is wagered.",
        book.title,
        book.version,
        percent(base.house_edge.abs(), 4),
        percent(base.element_of_risk.abs(), 4),
    )];
    if let Some(combined) = &exact.combined {
        let verb = if combined.net < Fraction::ZERO { "costs" } else { "gains" };
        lines.push(format!(
            "With an Ante of {}, a jackpot wager of {} and a meter of {} a round {verb} {} on average.",
            dollars(exact.asked.ante_cents),
            dollars(exact.asked.jackpot_wager_cents),
            dollars(exact.asked.meter_cents.unwrap_or(0)),
            dollar_value(
                if combined.net < Fraction::ZERO { combined.net.negated() } else { combined.net },
                6
            ),
        ));
    }
    let other: Vec<String> = book
        .readings
        .iter()
        .filter(|reading| reading.values.first() != Some(&reading.value.as_str()))
        .filter(|reading| 1 < reading.values.len())
        .map(|reading| format!("{}={}", reading.name, reading.value))
        .collect();
    let made: Vec<String> =
        changes.iter().map(|change| format!("{}={:?}", change.key, change.value)).collect();
    for (what, list) in [("Readings", other), ("Changed", made)] {
        if !list.is_empty() {
            lines.push(format!("{what}: {}.", list.join(", ")));
        }
    }
    lines.join("\n")
}

fn headline(exact: &Exact) -> String {
    let mut table = tables::plain(&["figure", "value", "exactly"]);
    let base = &exact.base;
    let edge = base.net.negated().reduced();
    table.add_row(["deals", &count(exact.deals), ""]);
    table.add_row(["house edge, of an Ante", &percent(base.house_edge, 7), &edge.to_string()]);
    let risk = edge.divided_by(base.wagered).unwrap_or(Fraction::ZERO);
    table.add_row(["element of risk, of all wagers", &percent(base.element_of_risk, 7), &risk.to_string()]);
    let wager = base.wagered.reduced();
    table.add_row(["average wager, in Antes", &format!("{:.9}", base.average_wager), &wager.to_string()]);
    table.add_row(["standard deviation, in Antes", &format!("{:.9}", base.standard_deviation), ""]);
    tables::figures(&mut table, &[1]);
    table.to_string()
}

/// What silence brings at a table without staff, where it is no fold.
fn silence(exact: &Exact, worth: &SilenceWorth) -> String {
    let every = &worth.every_wager;
    let mut table = tables::plain(&["figure", "value", "exactly"]);
    let net = worth.net.reduced();
    table.add_row(["the player wins, of an Ante", &percent(net.value(), 7), &net.to_string()]);
    table.add_row([
        "more than perfect play, of an Ante",
        &percent(worth.gain.value(), 7),
        &worth.gain.to_string(),
    ]);
    table.add_row(["silent", &share(worth.silent_deals, exact.deals), ""]);
    table.add_row(["the player wins with every wager, in dollars", &dollar_value(every.net_cents, 6), ""]);
    table.add_row(["more than perfect play with every wager", &dollar_value(every.gain_cents, 6), ""]);
    tables::figures(&mut table, &[1]);
    format!(
        "Silence instead of a fold, where wagers come back to a silent Player (silence=absent)\n{table}\nEvery wager: \
         Ante {}, Bonus {}, Jackpot {}.",
        dollars(exact.asked.ante_cents),
        dollars(every.bonus_cents),
        dollars(every.jackpot_wager_cents),
    )
}

fn outcomes(exact: &Exact) -> String {
    let by_hand = exact.outcomes_are_by_hand();
    let head: &[&str] = if by_hand {
        &["hand", "result", "net", "deals", "share"]
    } else {
        &["turn", "river", "result", "net", "deals", "share"]
    };
    let mut table = tables::plain(head);
    for row in &exact.outcomes {
        let action = |action: Option<Action>| action.map_or("", Action::name).to_owned();
        let mut cells = match row.hand {
            Some(hand) => vec![hand.to_string()],
            None => vec![action(row.turn), action(row.river)],
        };
        let net = format!("{:+}", row.net);
        cells.extend([row.result.name().to_owned(), net, count(row.deals), share(row.deals, exact.deals)]);
        table.add_row(cells);
    }
    let figures = if by_hand { [2, 3, 4] } else { [3, 4, 5] };
    tables::figures(&mut table, &figures);
    format!("Outcomes\n{table}")
}

fn decisions(exact: &Exact) -> String {
    let mut table = tables::plain(&["decision", "deals", "share"]);
    let mut add = |name: &str, deals: u64| {
        table.add_row([name.to_owned(), count(deals), share(deals, exact.deals)]);
    };
    let mut note = String::new();
    for (name, deals) in exact.decisions.rows() {
        add(name, deals);
    }
    if let Some(fold) = &exact.decisions.fold {
        let classes: Vec<String> = fold.iter().map(ToString::to_string).collect();
        let classes = if classes.is_empty() { "no hand".to_owned() } else { classes.join(", ") };
        note = format!("\nFolded: {classes}.");
    }
    tables::figures(&mut table, &[1, 2]);
    format!("Decisions\n{table}{note}")
}

/// The 169 classes: what the Flop wager and perfect play after it are worth, folds in brackets.
fn chart(exact: &Exact) -> String {
    let mut head = vec![String::new()];
    head.extend(Rank::ALL.iter().rev().map(|rank| rank.letter().to_string()));
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let mut table = tables::plain(&head);
    for (row, rank) in exact.hole_cards.chunks(13).zip(Rank::ALL.iter().rev()) {
        let cell = |cards: &lab::exact::HoleCards| {
            let value = format!("{:.2}", cards.net.value());
            if cards.play == Action::Fold { format!("({value})") } else { value }
        };
        table.add_row(std::iter::once(rank.letter().to_string()).chain(row.iter().map(cell)));
    }
    tables::figures(&mut table, &(1..14).collect::<Vec<_>>());
    format!(
        "Hole cards: the value of the Flop wager and perfect play after it, in Antes; suited above the diagonal, folds in \
         brackets\n{table}"
    )
}

fn strategy(rows: &[StrategyRow]) -> String {
    let mut table = tables::plain(&["hands", "of 2,598,960", "bets against", "suits decide against"]);
    for row in rows {
        let hands = if row.from == row.to { row.from.clone() } else { format!("{} to {}", row.from, row.to) };
        let always = match row.bets_against.len() {
            0 => "-".to_owned(),
            13 => "all".to_owned(),
            _ => row.bets_against.join(" "),
        };
        let depends: Vec<&str> = row.depends.iter().map(|up| up.up).collect();
        table.add_row([hands, count(row.hands), always, depends.join(" ")]);
    }
    tables::figures(&mut table, &[1]);
    format!("Strategy (`megalink lab strategy` says when suits decide)\n{table}")
}

fn bonus(bonus: &Bonus) -> String {
    let mut table = tables::plain(&["hole cards", "dealer", "pays", "deals", "share", "return"]);
    for line in &bonus.lines {
        table.add_row([
            line.hole_cards.join(" "),
            line.dealer.join(" "),
            format!("{} to 1", line.pays),
            count(line.deals),
            share(line.deals, bonus.deals),
            format!("{:.6}", line.returned.value()),
        ]);
    }
    tables::figures(&mut table, &[2, 3, 4, 5]);
    let folded = match bonus.folded_deals {
        0 => String::new(),
        deals => {
            format!("\nA fold loses the Bonus: {} deals of hands in the table are folded.", count(deals))
        }
    };
    format!(
        "Bonus: the house keeps {} of each Bonus wager (net {} of {} deals), standard deviation {:.6}\n{table}{folded}",
        percent(bonus.house_edge, 4),
        bonus.net,
        count(bonus.deals),
        bonus.standard_deviation,
    )
}

fn jackpot(exact: &Exact) -> String {
    let jackpot = &exact.jackpot;
    let mut table = tables::plain(&["hand", "cards", "pays", "deals", "one in", "return"]);
    for line in &jackpot.lines {
        let cards = serde_json::to_value(line.cards).ok();
        let cards = cards.as_ref().and_then(|name| name.as_str()).unwrap_or_default();
        let chance = Fraction::over(line.deals.into(), exact.deals);
        let one_in =
            if line.deals == 0 { "never".to_owned() } else { format!("{:.1}", 1.0 / chance.value()) };
        let returned = match line.pays {
            Pays::Share(percent) => {
                format!("{:.4e} of the meter", f64::from(percent.value()) / 100.0 * chance.value())
            }
            Pays::Odds(money::Odds::For(times) | money::Odds::To(times)) => {
                format!("{:.6} of the wager", f64::from(times) * chance.value())
            }
            Pays::Fixed(amount) => dollar_value(Fraction::whole(amount.cents()).times(chance), 6),
        };
        table.add_row([
            line.hand.to_string(),
            cards.to_owned(),
            line.pays.to_string(),
            count(line.deals),
            one_in,
            returned,
        ]);
    }
    tables::figures(&mut table, &[2, 3, 4]);
    let mut lines = vec![jackpot_sentence(jackpot), table.to_string()];
    if !jackpot.multiples.is_empty() {
        lines.extend([String::new(), multiples(jackpot)]);
    }
    if let Some(alone) = &jackpot.base_game_folds {
        lines.push(format!(
            "If folds look at the Ante alone, odds and fixed amounts bring {} and the wager breaks even at {}.",
            dollar_value(alone.fixed_return.cents, 6),
            meter(alone.break_even_meter),
        ));
    }
    if let Some(played) = exact.combined.as_ref().and_then(|combined| combined.base_game_folds.as_ref()) {
        let cost = dollar_value(played.cost, 6);
        lines.push(format!("To leave the jackpot out of the decision to fold would cost {cost} a round."));
    }
    lines.push("Sharing between several winners at a table is left out.".to_owned());
    lines.join("\n")
}

fn jackpot_sentence(jackpot: &Jackpot) -> String {
    let fixed = match jackpot.fixed_return.unit {
        "wagers" => format!("{} of the wager", both(jackpot.fixed_return.amount, 6)),
        _ => dollar_value(jackpot.fixed_return.cents, 6),
    };
    format!(
        "Jackpot: a wager of {} brings {fixed} in fixed payouts and {} of the meter; it breaks even at a meter of {}",
        dollars(jackpot.wager_cents),
        jackpot.meter_weight,
        meter(jackpot.break_even_meter),
    )
}

fn multiples(jackpot: &Jackpot) -> String {
    let mut table =
        tables::plain(&["units", "wager", "breaks even at", "last unit brings", "net at the meter"]);
    for multiple in &jackpot.multiples {
        table.add_row([
            multiple.multiple.to_string(),
            dollars(multiple.wager_cents),
            meter(multiple.break_even_meter),
            multiple.last_unit_net.map_or_else(String::new, |net| percent(net.value(), 4)),
            multiple.net_cents.map_or_else(String::new, |net| dollar_value(net, 4)),
        ]);
    }
    tables::figures(&mut table, &[0, 1, 2, 3, 4]);
    format!("Multiples of the wager: shares of the meter are not multiplied\n{table}")
}

fn meter(cents: Option<u64>) -> String {
    cents.map_or_else(|| "no meter".to_owned(), dollars)
}
