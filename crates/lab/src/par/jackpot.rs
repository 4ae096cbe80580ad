//! The jackpot: every line with its chance and its part in the return, and how the meter is funded.
//!
//! In the long run what goes into the meter comes out of it. A wager puts its contribution in, and each award of all of
//! the meter brings a reset amount; so the return of a wager over many restarts is what odds and fixed amounts bring, its
//! contribution, and the chance of a restart times the reset amount. The meter that hands play for is then, on average,
//! what goes in over the share of it that a wager wins.

use rulebook::{HoleClass, JackpotCards, Pays, Rulebook};

use super::game::{FINE, chances};
use super::sheet::{Cell, Section, Show, Table, text};
use super::{Funding, Options};
use crate::exact::{Action, AfterFolds, Exact, Fraction, Jackpot, JackpotRow};

/// The return, long-run growth of the meter included, under which a sheet warns: what one regulator asks for at least.
pub(super) const RETURN_LEAST: (i128, i128) = (70, 100);

/// What the jackpot wager comes to under a way of funding.
pub(super) struct Worth<'a> {
    pub(super) jackpot: &'a Jackpot,
    all: u64,
    options: &'a Options,
}

impl<'a> Worth<'a> {
    pub(super) fn new(exact: &'a Exact, options: &'a Options) -> Worth<'a> {
        Worth { jackpot: &exact.jackpot, all: exact.deals, options }
    }

    fn funding(&self) -> &Funding {
        &self.options.funding
    }

    fn wager(&self, multiple: u8) -> Fraction {
        Fraction::whole(i128::from(self.jackpot.wager_cents) * i128::from(multiple))
    }

    /// What odds and fixed amounts bring a wager of so many units, in wagers.
    pub(super) fn fixed(&self, multiple: u8) -> Fraction {
        let lines = self.jackpot.lines.iter().map(|line| self.line(line, multiple, None));
        lines.fold(Fraction::ZERO, Fraction::plus)
    }

    /// What a line adds to the return of a wager of so many units, in wagers; a share of the meter only at a meter.
    pub(super) fn line(&self, line: &JackpotRow, multiple: u8, meter: Option<Fraction>) -> Fraction {
        let chance = Fraction::new(line.deals.into(), self.all);
        let in_wagers = |cents: Fraction| cents.divided_by(self.wager(multiple)).unwrap_or(Fraction::ZERO);
        let brings = match line.pays {
            Pays::Share(percent) => {
                let share = Fraction::new(percent.value().into(), 100);
                meter.map_or(Fraction::ZERO, |meter| in_wagers(share.times(meter)))
            }
            Pays::Odds(money::Odds::To(times) | money::Odds::For(times)) => Fraction::whole(times),
            Pays::Fixed(amount) => in_wagers(Fraction::whole(amount.cents())),
        };
        chance.times(brings)
    }

    /// What a wager of so many units returns at a meter, in wagers.
    pub(super) fn returned(&self, multiple: u8, meter: Fraction) -> Fraction {
        let share = self.jackpot.meter_weight.times(meter).divided_by(self.wager(multiple));
        self.fixed(multiple).plus(share.unwrap_or(Fraction::ZERO))
    }

    /// The least meter at which a wager of so many units loses nothing, in cents. Where folds look at the jackpot, what they
    /// cost the Ante is in it. A meter shows whole cents, so it is the least of these.
    pub(super) fn break_even(&self, multiple: u8) -> Option<Fraction> {
        let multiples = self.jackpot.multiples.iter().find(|listed| listed.multiple == multiple);
        let meter = multiples.map_or(self.jackpot.break_even_meter, |listed| listed.break_even_meter);
        meter.map(Fraction::whole)
    }

    /// The chance that a wager wins all of the meter.
    fn restart_chance(&self) -> Fraction {
        let whole = self
            .jackpot
            .lines
            .iter()
            .filter(|line| matches!(line.pays, Pays::Share(percent) if percent.value() == 100));
        Fraction::new(whole.map(|line| i128::from(line.deals)).sum(), self.all)
    }

    /// What reset amounts bring a wager of so many units, in wagers.
    pub(super) fn resets(&self, multiple: u8) -> Fraction {
        let cents = self.restart_chance().times(Fraction::whole(self.funding().reset_cents));
        cents.divided_by(self.wager(multiple)).unwrap_or(Fraction::ZERO)
    }

    /// The part of it that the reserve does not bring in, and the house pays.
    pub(super) fn unfunded_resets(&self, multiple: u8) -> Fraction {
        let reserve = Fraction::new(self.funding().reserve_bps.into(), 10_000);
        self.resets(multiple).minus(reserve).max(Fraction::ZERO)
    }

    /// A reserve that takes the rate that pays for the resets on average: the chance that, started empty, it holds less
    /// than a reset at the first award of all of the meter; and what it must start with, in cents, to hold a reset then
    /// with 95 % and with 99 %.
    ///
    /// With a chance of p a wager, the reserve grows by p resets a wager, and the award comes at wager n or earlier with
    /// 1 − (1 − p)ⁿ.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a logarithm gives the start of a reserve, which is rounded up to the cent"
    )]
    fn first_reset(&self) -> Option<(f64, [u64; 2])> {
        let chance = self.restart_chance().value();
        if chance <= 0.0 || self.funding().reset_cents == 0 {
            return None;
        }
        let reset = Fraction::whole(self.funding().reset_cents).value();
        let by_wager = |wagers: f64| 1.0 - (1.0 - chance).powf(wagers);
        let starts_with = |confidence: f64| {
            let wagers = (confidence.ln() / (1.0 - chance).ln()).floor() + 1.0;
            (reset * (1.0 - chance * wagers)).max(0.0).ceil() as u64
        };
        Some((by_wager((1.0 / chance).ceil() - 1.0), [starts_with(0.95), starts_with(0.99)]))
    }

    fn contribution(&self) -> Fraction {
        Fraction::new(self.funding().contribution_bps.into(), 10_000)
    }

    /// The return over many restarts, in wagers.
    pub(super) fn long_run(&self, multiple: u8) -> Fraction {
        self.fixed(multiple).plus(self.contribution()).plus(self.resets(multiple))
    }

    /// The meter that hands play for on average, over many restarts, in cents.
    pub(super) fn mean_meter(&self, multiple: u8) -> Option<Fraction> {
        let into = self.contribution().plus(self.resets(multiple)).times(self.wager(multiple));
        into.divided_by(self.jackpot.meter_weight)
    }

    /// The standard deviation of a wager of one unit at a meter, in wagers.
    #[expect(clippy::cast_precision_loss, reason = "a square root is no fraction")]
    pub(super) fn deviation(&self, meter: Fraction) -> f64 {
        let chance = |deals: u64| deals as f64 / self.all as f64;
        // What a line pays when it is paid.
        let pays = |line: &JackpotRow| {
            let adds = self.line(line, 1, Some(meter)).value();
            if line.deals == 0 { 0.0 } else { adds / chance(line.deals) }
        };
        let (mut mean, mut squares) = (0.0, 0.0);
        for line in &self.jackpot.lines {
            mean += pays(line) * chance(line.deals);
            squares += pays(line).powi(2) * chance(line.deals);
        }
        // Of a deal that pays two lines the square of the sum is more than the sum of the squares.
        for both in &self.jackpot.paid_together {
            let [one, other] = both.lines.map(|place| pays(&self.jackpot.lines[place]));
            squares += 2.0 * one * other * chance(both.deals);
        }
        (squares - mean * mean).max(0.0).sqrt()
    }
}

/// The name of a line.
pub(super) fn line_name(line: &JackpotRow) -> String {
    let place = match line.cards {
        JackpotCards::Hand => "",
        JackpotCards::HoleAndFlop => ", on the flop",
        JackpotCards::HoleToTurn => ", on the turn",
        JackpotCards::HoleToRiver => ", in seven cards",
        JackpotCards::HoleToRiverWithHoleCard => ", on the river",
        JackpotCards::Community => ", on the board",
    };
    format!("{}{place}", line.hand)
}

/// The pay table at a meter.
pub(super) fn section(book: &Rulebook, exact: &Exact, options: &Options) -> Section {
    let worth = Worth::new(exact, options);
    let meter = Fraction::whole(options.meter());
    let wager = Show::Dollars.number(worth.wager(1).value());
    let columns = [
        ("line", "line"),
        ("pays", "pays"),
        ("deals", "deals"),
        ("chance", "chance"),
        ("one_in", "one in"),
        ("contribution", "adds to the return"),
    ];
    let mut table = Table::new("jackpot", "", &columns);
    for line in &exact.jackpot.lines {
        let [deals, chance, one_in, _] = chances(line.deals, exact.deals, Fraction::ZERO);
        let adds = Cell::Exact(worth.line(line, 1, Some(meter)), Show::Number(FINE));
        table.row(vec![text(line_name(line)), text(line.pays.to_string()), deals, chance, one_in, adds]);
    }
    for both in &exact.jackpot.paid_together {
        let twice = i128::from(both.deals);
        let chance = Fraction::new(-twice, exact.deals);
        let [one, other] = both.lines.map(|place| line_name(&exact.jackpot.lines[place]));
        table.row(vec![
            text(format!("in two lines: {one}; {other}")),
            Cell::Empty,
            Cell::Whole(-twice),
            Cell::Exact(chance, Show::Number(FINE)),
            Cell::Empty,
            Cell::Exact(Fraction::ZERO, Show::Number(FINE)),
        ]);
    }
    let [deals, chance, one_in, _] = chances(exact.jackpot.hit_deals(), exact.deals, Fraction::ZERO);
    let adds = Cell::Exact(worth.returned(1, meter), Show::Number(FINE));
    table.total(vec![text("any line"), Cell::Empty, deals, chance, one_in, adds]);
    let mut says = vec![format!(
        "For a wager of {wager} and a meter of {}, in wagers. The wager itself is always collected, so what lines pay is the \
         whole return. One player is counted: what several winners of one round share is not.",
        Show::Dollars.number(meter.value()),
    )];
    if 1 < *book.jackpot.multiples.end() {
        let more = "Shares of the meter are not multiplied: each unit after the first returns odds and fixed amounts alone.";
        says.push(more.to_owned());
    }
    if exact.jackpot.base_game_folds.is_some() {
        says.push(folds_say(exact));
    }
    let tables = vec![table, figures(&worth, meter), multiples(book, &worth, meter)];
    Section { id: "jackpot", title: "Jackpot", text: says, tables, plots: Vec::new() }
}

/// Where a fold loses lines, the folds are those of this Ante, wager and meter.
fn folds_say(exact: &Exact) -> String {
    let folds = exact.hole_cards.iter().rev().filter(|class| class.play == Action::Fold);
    let folded: Vec<String> = folds.map(|class| class.class.to_string()).collect();
    format!(
        "A fold keeps the lines on the board alone, so the Jackpot is part of the decision to fold. With this wager and an \
         Ante of {} perfect play folds {}; the break-even meter makes up for what that costs the Ante too.",
        Show::Dollars.number(Fraction::whole(exact.asked.ante_cents).value()),
        folded.join(", "),
    )
}

fn figures(worth: &Worth<'_>, meter: Fraction) -> Table {
    let mut table = Table::new("jackpot-figures", "", &[("figure", "figure"), ("value", "value")]);
    let returned = worth.returned(1, meter);
    let deviation = worth.deviation(meter);
    for (name, cell) in [
        ("Wager", Cell::Exact(worth.wager(1), Show::Dollars)),
        ("Meter", Cell::Exact(meter, Show::Dollars)),
        ("Return of odds and fixed amounts", Cell::Exact(worth.fixed(1), Show::Percent(6))),
        ("Share of the meter won by a wager", Cell::Exact(worth.jackpot.meter_weight, Show::Number(12))),
        ("Return at this meter", Cell::Exact(returned, Show::Percent(6))),
        ("House edge at this meter", Cell::Exact(Fraction::whole(1).minus(returned), Show::Percent(6))),
        ("Standard deviation at this meter, in wagers", Cell::Rounded(deviation, Show::Number(4))),
    ] {
        table.row(vec![text(name), cell]);
    }
    table
}

/// Break-even and long-run return for each multiple of the minimum.
fn multiples(book: &Rulebook, worth: &Worth<'_>, meter: Fraction) -> Table {
    let columns = [
        ("multiple", "times the minimum"),
        ("wager", "wager"),
        ("return", "return at this meter"),
        ("break_even", "break-even meter"),
        ("long_run", "long-run return"),
        ("mean_meter", "mean meter played for"),
    ];
    let is_multiplied = 1 < *book.jackpot.multiples.end();
    let caption = if is_multiplied { "By multiple of the minimum" } else { "Break-even and the long run" };
    let mut table = Table::new("multiples", caption, &columns);
    for multiple in book.jackpot.multiples.clone() {
        let cents = |fraction: Option<Fraction>| {
            fraction.map_or(Cell::Empty, |cents| Cell::Exact(cents, Show::Dollars))
        };
        table.row(vec![
            Cell::Whole(multiple.into()),
            Cell::Exact(worth.wager(multiple), Show::Dollars),
            Cell::Exact(worth.returned(multiple, meter), Show::Percent(4)),
            cents(worth.break_even(multiple)),
            Cell::Exact(worth.long_run(multiple), Show::Percent(4)),
            cents(worth.mean_meter(multiple)),
        ]);
    }
    table
}

/// How the meter is funded, and how often it is won.
pub(super) fn funding(exact: &Exact, options: &Options) -> Section {
    let worth = Worth::new(exact, options);
    let Funding { contribution_bps, reserve_bps, reset_cents } = options.funding;
    let mut table = Table::new("funding", "", &[("figure", "figure"), ("value", "value")]);
    let points = |points: u16| Fraction::new(points.into(), 10_000);
    let needed = worth.resets(1);
    let mut add = |name: &str, cell: Cell| table.row(vec![text(name), cell]);
    add("Contribution to the meter, of a wager", Cell::Exact(points(contribution_bps), Show::Percent(2)));
    add("Contribution to the reserve, of a wager", Cell::Exact(points(reserve_bps), Show::Percent(2)));
    add("Reset amount", Cell::Exact(Fraction::whole(reset_cents), Show::Dollars));
    add("Reserve rate that pays for the resets on average", Cell::Exact(needed, Show::Percent(6)));
    if let Some((short, starts)) = worth.first_reset() {
        let short = Cell::Rounded(short, Show::Percent(2));
        add("At that rate from an empty reserve: first reset not covered", short);
        for (percent, cents) in [95, 99].into_iter().zip(starts) {
            let name = format!("Start of a reserve that covers the first reset with {percent} %");
            add(&name, Cell::Exact(Fraction::whole(cents), Show::Dollars));
        }
    }
    let unfunded = worth.unfunded_resets(1);
    add("Resets beyond the reserve, paid by the house", Cell::Exact(unfunded, Show::Percent(6)));
    let set_aside = points(reserve_bps).plus(unfunded).minus(needed);
    if Fraction::ZERO < set_aside {
        add("Reserve beyond the resets, kept for the jackpot", Cell::Exact(set_aside, Show::Percent(6)));
    }
    add("Return of odds and fixed amounts", Cell::Exact(worth.fixed(1), Show::Percent(6)));
    add("Long-run return, growth of the meter included", Cell::Exact(worth.long_run(1), Show::Percent(6)));
    let kept = Fraction::whole(1).minus(worth.long_run(1)).minus(set_aside);
    add("Long-run house edge", Cell::Exact(kept, Show::Percent(6)));
    let mut says = vec![
        "These amounts are the table's to choose; the rulebook names none. In the long run all that goes into the meter is \
         paid out of it: the long-run return is what odds and fixed amounts bring, the contribution, and the chance of a \
         restart times the reset amount."
            .to_owned(),
    ];
    says.extend(warning(exact, options));
    Section {
        id: "funding",
        title: "Jackpot funding",
        text: says,
        tables: vec![table, intervals(&worth)],
        plots: Vec::new(),
    }
}

/// Expected wagers between awards, line by line.
fn intervals(worth: &Worth<'_>) -> Table {
    let columns = [
        ("line", "share of the meter"),
        ("pays", "pays"),
        ("chance", "chance"),
        ("wagers", "wagers between awards"),
        ("contributed", "contributed between them"),
    ];
    let mut table = Table::new("intervals", "Expected interval between awards", &columns);
    let mut any = Fraction::ZERO;
    let into = worth.contribution().times(worth.wager(1));
    let mut row = |name: String, pays: Cell, chance: Fraction| {
        let between = Fraction::whole(1).divided_by(chance);
        let exact = |fraction: Option<Fraction>, show| {
            fraction.map_or(Cell::Empty, |fraction| Cell::Exact(fraction, show))
        };
        let contributed = between.map(|between| between.times(into));
        table.row(vec![
            text(name),
            pays,
            Cell::Exact(chance, Show::Number(FINE)),
            exact(between, Show::Number(2)),
            exact(contributed, Show::Dollars),
        ]);
    };
    for line in worth.jackpot.lines.iter().filter(|line| matches!(line.pays, Pays::Share(_))) {
        let chance = Fraction::new(line.deals.into(), worth.all);
        any = any.plus(chance);
        row(line_name(line), text(line.pays.to_string()), chance);
    }
    row("any share".to_owned(), Cell::Empty, any);
    table
}

/// The return of a minimum wager over many restarts, in wagers, and what it rests on that no rulebook says.
pub(super) fn headline(exact: &Exact, options: &Options) -> (Fraction, String) {
    let worth = Worth::new(exact, options);
    let Funding { contribution_bps, reset_cents, .. } = options.funding;
    let assumed = format!(
        "Assumed, for the rulebook names none: a Jackpot wager of {}, of which {} goes to a meter that restarts at {}{}. The          long-run return of the Jackpot holds for these amounts alone.",
        Show::Dollars.number(worth.wager(1).value()),
        Show::Percent(2).number(Fraction::new(contribution_bps.into(), 10_000).value()),
        Show::Dollars.number(Fraction::whole(reset_cents).value()),
        if *options == Options::default() { " (the program's own amounts, no house's)" } else { "" },
    );
    (worth.long_run(1), assumed)
}

/// Where the jackpot is part of the decision to fold: what each way to fold brings, Ante and Jackpot of one player.
pub(super) fn strategies(joint: &Exact, alone: &Exact, folds: &AfterFolds, options: &Options) -> Table {
    let columns = [
        ("strategy", "folds that look at"),
        ("folds", "fold"),
        ("house_edge", "house edge, of an Ante"),
        ("long_run", "Jackpot: long-run return"),
    ];
    let mut table =
        Table::new("strategies", "Ante and Jackpot of one player, by what a fold looks at", &columns);
    let names =
        |classes: &[HoleClass]| classes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let worth = Worth::new(joint, options);
    let fixed = folds.fixed_return.cents.divided_by(worth.wager(1)).unwrap_or(Fraction::ZERO);
    let rows = [
        ("Ante and Jackpot, as in this sheet", joint, worth.long_run(1)),
        ("the Ante alone", alone, worth.long_run(1).minus(worth.fixed(1)).plus(fixed)),
    ];
    for (name, exact, long_run) in rows {
        table.row(vec![
            text(name),
            text(names(exact.decisions.fold.as_deref().unwrap_or_default())),
            Cell::Exact(exact.base.net.negated(), Show::Percent(4)),
            Cell::Exact(long_run, Show::Percent(4)),
        ]);
    }
    table
}

/// What a regulator would object to.
pub(super) fn warning(exact: &Exact, options: &Options) -> Option<String> {
    let long_run = Worth::new(exact, options).long_run(1);
    let least = Fraction::new(RETURN_LEAST.0, RETURN_LEAST.1);
    (long_run < least).then(|| {
        format!(
            "The Jackpot wager returns {} in the long run, growth of the meter included: less than {}.",
            Show::Percent(2).number(long_run.value()),
            Show::Percent(0).number(least.value()),
        )
    })
}
