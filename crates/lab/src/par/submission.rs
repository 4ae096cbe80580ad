//! What a submission needs beyond the plain sheet: strategy, frequencies and volatility of every wager, the meter's future,
//! exposure, protection, evidence by simulation, and what was assumed.

use rulebook::{Pays, PlayingArea, Rulebook};

use super::jackpot::Worth;
use super::sheet::{Cell, Made, Plot, Section, Sheet, Show, Table, text};
use super::volatility::CONFIDENCES;
use super::{Options, plots};
use crate::exact::{Exact, Fraction, Lab, LabError, StrategyRow};
use crate::forecast::{Forecast, Link, Until, awards, course, forecast};
use crate::risk::{Questions, Risk, Stakes, risk};
use crate::simulate::{Estimate, JackpotSetup, Report, Setup, SetupError};
use crate::strategy::{Strategy, strategy};
use crate::{rules, simulate};
use money::{Money, Pool, Rate};

/// The Bonus wager where none is named.
pub const BONUS_CENTS: u64 = 500;

/// What a submission takes beside the book and its options.
pub struct Evidence<'a> {
    pub made: Made,
    /// The Bonus wager, where the game has one.
    pub bonus_cents: u64,
    /// How many rounds are simulated.
    pub rounds: u64,
    pub seed: u64,
    /// Called with the number of rounds simulated since the last call.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// The whole sheet of a submission. Refused where the book asks for what is not counted.
pub fn submission(
    lab: &Lab,
    book: &Rulebook,
    options: &Options,
    evidence: &Evidence<'_>,
) -> Result<Sheet, SetupError> {
    let mut sheet = super::sheet(lab, book, options)?;
    let question = options.question(options.meter());
    let exact = lab.exact(book, &question)?;
    let bonus_cents = if exact.bonus.is_some() { evidence.bonus_cents } else { 0 };
    let link = Link {
        wager_cents: options.jackpot_wager_cents,
        mix: vec![(1, 1)],
        ante_cents: options.ante_cents,
        contribution_bps: options.funding.contribution_bps,
        reset_cents: options.funding.reset_cents,
        meter_cents: options.meter(),
        cap_cents: None,
        must_hit_by_cents: None,
        reserve_bps: options.funding.reserve_bps,
        reserve_cents: 0,
        wagers_an_hour: None,
        resets: 3,
    };
    let forecast = forecast(lab, &[book], &link)?;
    let course = course(&exact, &link);
    let award = awards(&course, Fraction::whole(options.meter()).value(), Until::default());
    let mut meter = meter(&forecast);
    meter.plots.push(plots::award(&award));
    let strategy = strategy(lab, book, &question)?;
    let risk = risk_of(lab, book, options, bonus_cents, &exact)?;
    let report = simulated(lab, book, options, bonus_cents, evidence)?;
    sheet.made = Some(evidence.made.clone());
    sheet.sections.insert(1, assumptions(options, bonus_cents, evidence));
    sheet.sections.extend([
        strategy_section(lab, book, options, &strategy, &exact)?,
        wagers(&exact, options, &risk),
        together(&risk),
        meter,
        exposure(book, &exact, options, bonus_cents),
        blind_hands(&strategy),
    ]);
    sheet.sections.extend(protection(&exact));
    sheet.sections.push(simulation(&report));
    Ok(sheet)
}

fn section(id: &'static str, title: &'static str, says: &str, tables: Vec<Table>) -> Section {
    Section { id, title, text: vec![says.to_owned()], tables, plots: Vec::<Plot>::new() }
}

fn dollars(cents: u64) -> Cell {
    Cell::Exact(Fraction::whole(cents), Show::Dollars)
}

/// Every amount that no rulebook names, with where it comes from.
fn assumptions(options: &Options, bonus_cents: u64, evidence: &Evidence<'_>) -> Section {
    let usual = Options::default();
    let columns = [("assumption", "assumption"), ("value", "value"), ("source", "where it comes from")];
    let mut table = Table::new("assumptions", "", &columns);
    let mut add = |name: &str, value: Cell, is_usual: bool| {
        let source = if is_usual { "assumed: the program's own amount" } else { "named for this sheet" };
        table.row(vec![text(name), value, text(source)]);
    };
    let rate = |points: u16| Cell::Exact(Fraction::new(points.into(), 10_000), Show::Percent(2));
    let (funding, own) = (options.funding, usual.funding);
    add("Ante", dollars(options.ante_cents), options.ante_cents == usual.ante_cents);
    if 0 < bonus_cents {
        add("Bonus wager", dollars(bonus_cents), bonus_cents == BONUS_CENTS);
    }
    add(
        "Jackpot wager",
        dollars(options.jackpot_wager_cents),
        options.jackpot_wager_cents == usual.jackpot_wager_cents,
    );
    add(
        "Contribution to the meter",
        rate(funding.contribution_bps),
        funding.contribution_bps == own.contribution_bps,
    );
    add("Contribution to the reserve", rate(funding.reserve_bps), funding.reserve_bps == own.reserve_bps);
    add("Reset amount", dollars(funding.reset_cents), funding.reset_cents == own.reset_cents);
    add("Meter that figures are for", dollars(options.meter()), options.meter_cents.is_none());
    add("Seed of the simulation", Cell::Whole(evidence.seed.into()), evidence.seed == 1);
    let says = "No rulebook names these. What rests on them holds for these values alone. Assumed throughout: one deck, every order \
                of it equally likely; a player who plays as the section says and makes the same wagers in every round; nobody else \
                who wins a share of the meter in the same round.";
    section("assumptions", "Assumptions", says, vec![table])
}

fn strategy_section(
    lab: &Lab,
    book: &Rulebook,
    options: &Options,
    strategy: &Strategy,
    exact: &Exact,
) -> Result<Section, LabError> {
    let mut tables = Vec::new();
    if let Some(fold) = &exact.decisions.fold {
        let mut table = Table::new("strategy", "Perfect play", &[("decision", "decision"), ("when", "when")]);
        let folds: Vec<String> = fold.iter().map(ToString::to_string).collect();
        table.row(vec![text("Fold"), text(folds.join(", "))]);
        table.row(vec![text("Flop wager"), text("all other hole cards")]);
        for street in ["Turn wager", "River wager"] {
            table.row(vec![text(street), text("the hand wins more of all that can follow than it loses")]);
        }
        tables.push(table);
    } else {
        let columns = [("hands", "hands"), ("bet", "Bet against"), ("suits", "where suits decide")];
        let mut table = Table::new("strategy", "Perfect play", &columns);
        for row in &strategy.strategy {
            table.row(stud_row(row));
        }
        tables.push(table);
    }
    let shipped = rules::conditions(lab, book)?.shipped;
    if let Some((name, list)) = shipped.iter().find(|(name, _)| ["five-lines", "three-rules"].contains(name))
    {
        let price = rules::price(lab, book, &options.question(options.meter()), list)?;
        let caption = format!(
            "Rules that a person can use (list {name}): they cost {} of an Ante against perfect play",
            Show::Percent(4).number(price.cost.total)
        );
        let columns = [("rule", "rule"), ("cost_without", "the list without it costs more, of an Ante")];
        let mut table = Table::new("rules-to-use", caption, &columns);
        for rule in &price.rules {
            table.row(vec![text(&rule.rule), Cell::Rounded(rule.cost_without, Show::Percent(4))]);
        }
        tables.push(table);
    }
    let columns = [
        ("play", "play"),
        ("says", "says"),
        ("house_edge", "house edge"),
        ("cost", "costs against perfect play"),
    ];
    let mut table = Table::new("plays", "What simpler play costs", &columns);
    for play in &strategy.plays {
        table.row(vec![
            text(play.name),
            text(play.says),
            Cell::Exact(play.base.net.negated(), Show::Percent(4)),
            Cell::Exact(play.cost, Show::Percent(4)),
        ]);
    }
    tables.push(table);
    Ok(section("strategy", "Strategy", &strategy.summary, tables))
}

fn stud_row(row: &StrategyRow) -> Vec<Cell> {
    let hands = if row.from == row.to { row.from.clone() } else { format!("{} to {}", row.from, row.to) };
    let against = match row.bets_against.len() {
        0 => "none".to_owned(),
        13 => "all".to_owned(),
        _ => row.bets_against.join(" "),
    };
    let suits: Vec<String> = row.depends.iter().map(|up| format!("{}: {}", up.up, up.bets)).collect();
    vec![text(hands), text(against), text(suits.join("; "))]
}

/// Risk of all wagers.
fn risk_of(
    lab: &Lab,
    book: &Rulebook,
    options: &Options,
    bonus_cents: u64,
    exact: &Exact,
) -> Result<Risk, LabError> {
    let funding = options.funding;
    // The house pays what the reserve does not: of every reset the share that it is short of in the long run.
    let worth = Worth::new(exact, options);
    let paid = worth.unfunded_resets(1).times(Fraction::whole(funding.reset_cents));
    let paid = paid.divided_by(worth.resets(1)).map_or(0, Fraction::ceiling);
    let stakes = Stakes {
        ante_cents: options.ante_cents,
        bonus_cents,
        jackpot_cents: options.jackpot_wager_cents,
        meter_cents: options.meter(),
        set_aside_bps: funding.contribution_bps + funding.reserve_bps,
        reset_cents: u64::try_from(paid).unwrap_or(funding.reset_cents),
    };
    let asked = Questions {
        rounds: vec![100, 500, 1_000],
        bankrolls_cents: [20, 40, 80, 160].map(|antes| antes * exact.asked.ante_cents).to_vec(),
        seats: 1,
        rounds_an_hour: 1,
        with_rule_lists: false,
    };
    risk(lab, book, &options.question(options.meter()), &stakes, &asked)
}

/// Every wager for itself: how often it wins, stands off and loses, how far it strays, and the bounds.
fn wagers(exact: &Exact, options: &Options, risk: &Risk) -> Section {
    let columns = [("wager", "wager"), ("won", "won"), ("level", "level"), ("lost", "lost")];
    let mut frequencies =
        Table::new("frequencies", "How often each wager wins, stands off and loses", &columns);
    let share = |deals: u64, all: u64| Cell::Exact(Fraction::new(deals.into(), all), Show::Percent(4));
    let main = |of: fn(i64) -> bool| {
        let deals: u64 = exact.outcomes.iter().filter(|row| of(row.net)).map(|row| row.deals).sum();
        share(deals, exact.deals)
    };
    let all = exact.deals;
    frequencies.row(vec![
        text("Ante and what follows"),
        main(|net| 0 < net),
        main(|net| net == 0),
        main(|net| net < 0),
    ]);
    if let Some(bonus) = &exact.bonus {
        let paid: u64 = bonus.lines.iter().map(|line| line.deals).sum();
        frequencies.row(vec![
            text("Bonus"),
            share(paid, bonus.deals),
            share(0, bonus.deals),
            share(bonus.deals - paid, bonus.deals),
        ]);
    }
    let hit = exact.jackpot.hit_deals();
    frequencies.row(vec![text("Jackpot, any line"), share(hit, all), share(0, all), share(all - hit, all)]);

    let columns = [
        ("wager", "wager"),
        ("return", "return"),
        ("deviation", "standard deviation"),
        ("volatility", "volatility index, 90 %"),
        ("within_4", "95 % within, 10,000 rounds"),
        ("within_6", "1,000,000 rounds"),
        ("within_8", "100,000,000 rounds"),
    ];
    let mut bounds = Table::new("wager-bounds", "Return of each wager and how far it strays", &columns);
    let mut add = |name: &str, returned: Cell, deviation: f64| {
        let mut cells = vec![
            text(name),
            returned,
            Cell::Rounded(deviation, Show::Number(4)),
            Cell::Rounded(CONFIDENCES[0].1 * deviation, Show::Number(4)),
        ];
        let within =
            |rounds: f64| Cell::Rounded(CONFIDENCES[1].1 * deviation / rounds.sqrt(), Show::Percent(3));
        cells.extend([1e4, 1e6, 1e8].map(within));
        bounds.row(cells);
    };
    let one = Fraction::whole(1);
    let returned = |net: Fraction| Cell::Exact(one.plus(net), Show::Percent(4));
    add("Ante and what follows, in Antes", returned(exact.base.net), exact.base.standard_deviation);
    if let Some(bonus) = &exact.bonus {
        add("Bonus, in wagers", returned(bonus.net), bonus.standard_deviation);
    }
    let worth = Worth::new(exact, options);
    let meter = Fraction::whole(options.meter());
    add(
        "Jackpot at this meter, in wagers",
        Cell::Exact(worth.returned(1, meter), Show::Percent(4)),
        worth.deviation(meter),
    );
    if let Some(all) = risk.wagers.last() {
        let ante = Fraction::whole(options.ante_cents).value();
        let returned = Cell::Rounded(1.0 + all.net_cents / ante, Show::Percent(4));
        let has_jackpot = risk.wagers.iter().any(|wager| wager.wager == "Jackpot");
        let name = if has_jackpot { "all together, in Antes" } else { "Ante and Bonus together, in Antes" };
        add(name, returned, all.standard_deviation_cents / ante);
    }
    let says = "Every wager for itself, and all of one player together. Won is more than was staked, level as much. Bounds are normal \
                approximations around the return.";
    section("wagers", "Every wager", says, vec![frequencies, bounds])
}

/// All wagers of one player together.
fn together(risk: &Risk) -> Section {
    let names: Vec<&str> =
        risk.wagers.iter().map(|wager| wager.wager).filter(|name| *name != "all together").collect();
    let place =
        |name: &str| ["main game", "Bonus", "Jackpot"].iter().position(|wager| *wager == name).unwrap_or(0);
    let mut columns = vec![("wager", "wager"), ("deviation", "standard deviation")];
    let ids = ["main_game", "bonus", "jackpot"];
    columns.extend(names.iter().map(|name| (ids[place(name)], *name)));
    let mut table = Table::new("correlation", "Correlation of the wagers of a round", &columns);
    for one in &names {
        let deviation = |name: &str| risk.covariance[place(name)][place(name)].sqrt();
        let mut cells = vec![text(*one), Cell::Rounded(deviation(one), Show::Dollars)];
        for other in &names {
            let covariance = risk.covariance[place(one)][place(other)];
            cells.push(Cell::Rounded(covariance / (deviation(one) * deviation(other)), Show::Signed(6)));
        }
        table.row(cells);
    }
    let columns = [
        ("rounds", "rounds"),
        ("mean", "on average"),
        ("deviation", "standard deviation"),
        ("ahead", "ahead"),
        ("p5", "5 %"),
        ("p50", "50 %"),
        ("p95", "95 %"),
    ];
    let mut sessions = Table::new("sessions-together", "Sessions with every wager", &columns);
    for session in &risk.sessions {
        let at = |chance: f64| {
            let found =
                session.percentiles.iter().find(|percentile| (percentile.chance - chance).abs() < 1e-9);
            found
                .and_then(|percentile| percentile.net_cents)
                .map_or(Cell::Empty, |cents| Cell::Exact(Fraction::whole(cents), Show::Dollars))
        };
        sessions.row(vec![
            Cell::Whole(session.rounds.into()),
            Cell::Rounded(session.net_cents, Show::Dollars),
            Cell::Rounded(session.standard_deviation_cents, Show::Dollars),
            Cell::Rounded(session.ahead, Show::Percent(2)),
            at(0.05),
            at(0.5),
            at(0.95),
        ]);
    }
    let columns = [("bankroll", "bankroll"), ("rounds", "rounds"), ("chance", "lost with")];
    let mut ruin = Table::new("ruin", "The chance to lose a bankroll", &columns);
    for one in &risk.ruin {
        ruin.row(vec![
            dollars(one.bankroll_cents),
            Cell::Whole(one.rounds.into()),
            Cell::Rounded(one.chance, Show::Percent(4)),
        ]);
    }
    let says = "All wagers of one player in the same round, with what they have to do with each other: the exact distribution of a round, \
                convolved with itself.";
    section("together", "All wagers together", says, vec![table, sessions, ruin])
}

fn meter(forecast: &Forecast) -> Section {
    let columns = [
        ("chance", "with a chance of"),
        ("award", "the next award of all of the meter is at most"),
        ("within", "give or take"),
        ("wagers", "it comes within wagers"),
        ("share_wagers", "any share within wagers"),
    ];
    let mut table = Table::new("meter", "", &columns);
    let Forecast { award, next_award, next_share, .. } = forecast;
    for (place, percentile) in award.percentiles.iter().enumerate() {
        let wagers = |wait: &crate::forecast::Wait| Cell::Whole(wait.percentiles[place].wagers.into());
        table.row(vec![
            Cell::Rounded(percentile.chance, Show::Percent(0)),
            Cell::Rounded(percentile.cents.middle(), Show::Dollars),
            Cell::Rounded(percentile.cents.within(), Show::Dollars),
            next_award.as_ref().map_or(Cell::Empty, wagers),
            wagers(next_share),
        ]);
    }
    let mut figures = Table::new("meter-figures", "", &[("figure", "figure"), ("value", "value")]);
    let mut add = |name: &str, cell: Cell| figures.row(vec![text(name), cell]);
    for (name, cents) in
        [("Next award on average", award.mean), ("Its standard deviation", award.standard_deviation)]
    {
        add(name, cents.map_or(Cell::Empty, |cents| Cell::Rounded(cents, Show::Dollars)));
    }
    for pass in &forecast.passes {
        let name =
            format!("Chance that the meter passes the break-even of {} times the minimum", pass.multiple);
        add(&name, Cell::Rounded(pass.chance.middle(), Show::Percent(4)));
    }
    for need in &forecast.funding.needs {
        let name = format!(
            "Reserve today, at the rate that is set, that pays for the next {} resets with {}",
            forecast.funding.resets,
            Show::Percent(0).number(need.chance)
        );
        add(&name, dollars(need.start_cents));
    }
    let says = format!(
        "From a meter of {}. Wagers until an award are geometric, exactly; the award is computed between a bound from below and one \
         from above, which stand beside it.",
        Show::Dollars.number(Fraction::whole(forecast.meter_cents).value())
    );
    section("meter", "Meter and intervals", &says, vec![table, figures])
}

/// The most that one round can cost the house.
fn exposure(book: &Rulebook, exact: &Exact, options: &Options, bonus_cents: u64) -> Section {
    let columns = [
        ("wager", "wager"),
        ("most", "the most it wins"),
        ("paid", "paid by the house"),
        ("one_in", "one in"),
    ];
    let mut table = Table::new("exposure", "", &columns);
    let mut sum = Fraction::ZERO;
    let mut add = |name: &str, most: String, cents: Fraction, deals: u64, all: u64| {
        sum = sum.plus(cents);
        let chance = Fraction::new(deals.into(), all);
        let one_in = Fraction::whole(1)
            .divided_by(chance)
            .map_or(Cell::Empty, |one_in| Cell::Exact(one_in, Show::OneIn));
        table.row(vec![text(name), text(most), Cell::Exact(cents, Show::Dollars), one_in]);
    };
    let most = exact.outcomes.iter().map(|row| row.net).max().unwrap_or(0);
    let deals: u64 = exact.outcomes.iter().filter(|row| row.net == most).map(|row| row.deals).sum();
    let ante = Fraction::whole(options.ante_cents);
    add(
        "Ante and what follows",
        format!("{most} Antes"),
        ante.times(Fraction::whole(most)),
        deals,
        exact.deals,
    );
    if let Some(line) = exact.bonus.as_ref().and_then(|bonus| bonus.lines.iter().max_by_key(|line| line.pays))
    {
        let cents = Fraction::whole(bonus_cents).times(Fraction::whole(line.pays));
        let all = exact.bonus.as_ref().map_or(1, |bonus| bonus.deals);
        add("Bonus", format!("{} to 1", line.pays), cents, line.deals, all);
    }
    let wager = Fraction::whole(options.jackpot_wager_cents * u64::from(*book.jackpot.multiples.end()));
    let paid = |pays: Pays| match pays {
        Pays::Share(percent) if percent.value() == 100 => Fraction::whole(options.funding.reset_cents),
        Pays::Share(_) => Fraction::ZERO,
        Pays::Odds(money::Odds::To(times) | money::Odds::For(times)) => wager.times(Fraction::whole(times)),
        Pays::Fixed(amount) => Fraction::whole(amount.cents()),
    };
    if let Some(line) = exact.jackpot.lines.iter().max_by_key(|line| paid(line.pays)) {
        let name = match line.pays {
            Pays::Share(_) => "Jackpot: the reset after an award",
            Pays::Odds(_) | Pays::Fixed(_) => "Jackpot: the highest line that the house pays",
        };
        add(name, line.pays.to_string(), paid(line.pays), line.deals, exact.deals);
    }
    table.row(vec![
        text("one seat, no more than"),
        Cell::Empty,
        Cell::Exact(sum, Show::Dollars),
        Cell::Empty,
    ]);
    let seats = book.layouts.iter().map(|layout| *layout.positions.end()).max().unwrap_or(1);
    let all = sum.times(Fraction::whole(seats));
    table.row(vec![
        text(format!("{seats} seats, no more than")),
        Cell::Empty,
        Cell::Exact(all, Show::Dollars),
        Cell::Empty,
    ]);
    let areas = book.areas().contains(&PlayingArea::Bonus);
    let says = format!(
        "The most that a round takes from the house at the amounts of this sheet{}, the Jackpot at its highest multiple. The \
         meter itself is what wagers have put in; the house pays for the reset. A bound: not all of it can come in one round.",
        if areas { ", Bonus as large as it is assumed" } else { "" }
    );
    section("exposure", "Exposure", &says, vec![table])
}

fn blind_hands(strategy: &Strategy) -> Section {
    let columns = [("hands", "hands"), ("net", "net, in Antes"), ("cost", "costs against viewing all")];
    let mut table = Table::new("blind-hands", "", &columns);
    for several in &strategy.several_hands {
        table.row(vec![
            Cell::Whole(several.hands.into()),
            Cell::Exact(several.net, Show::Signed(6)),
            Cell::Exact(several.cost, Show::Number(6)),
        ]);
    }
    let says = "A player with several hands views one and plays it perfectly; the others are played blind.";
    section("blind-hands", "Blind hands", says, vec![table])
}

const PROTECTION: &str = include_str!("protection.txt");

/// What known cards are worth, from counts that are kept, where they are of this pay table.
fn protection(exact: &Exact) -> Option<Section> {
    let lines: Vec<(Fraction, &str)> = PROTECTION.lines().filter_map(kept).collect();
    let own = lines.iter().position(|(net, _)| *net == exact.base.net)?;
    let rest = lines[own + 1..].iter().take_while(|(_, known)| !known.starts_with("nothing"));
    let columns =
        [("known", "known from the start"), ("edge", "player's edge"), ("gain", "more than without")];
    let mut table = Table::new("protection", "", &columns);
    for (net, known) in lines[own..=own].iter().chain(rest) {
        table.row(vec![
            text(*known),
            Cell::Exact(*net, Show::Percent(4)),
            Cell::Exact(net.minus(exact.base.net), Show::Percent(4)),
        ]);
    }
    let says = "What perfect play is worth when cards are known that the table does not show, main game alone, of an Ante: what a flashed, \
                marked or exposed card costs. Counted exactly, and kept with the program.";
    Some(section("protection", "Game protection", says, vec![table, collusion(exact.base.net)]))
}

/// What seats gain that share their cards, from samples that are kept.
fn collusion(alone: Fraction) -> Table {
    let columns = [
        ("seats", "seats that share their cards"),
        ("edge", "a seat's edge, sampled"),
        ("half-width", "half of the 95 % interval"),
        ("gain", "more than alone"),
    ];
    let title = "Every seat plays its own hand perfectly given all hands that are shared";
    let mut table = Table::new("collusion", title, &columns);
    let begins = |line: &str, net: &dyn Fn(Fraction) -> bool| {
        kept(line).is_some_and(|(of, known)| known.starts_with("nothing") && net(of))
    };
    let own = PROTECTION.lines().skip_while(|line| !begins(line, &|net| net == alone)).skip(1);
    for line in own.take_while(|line| !begins(line, &|_| true)) {
        let mut words = line.strip_prefix("~ ").into_iter().flat_map(str::split_whitespace);
        let mut number = || words.next()?.parse::<f64>().ok();
        if let (Some(seats), Some(edge), Some(half_width)) = (number(), number(), number()) {
            table.row(vec![
                Cell::Rounded(seats, Show::Number(0)),
                Cell::Rounded(edge, Show::Percent(2)),
                Cell::Rounded(half_width, Show::Percent(2)),
                Cell::Rounded(edge - alone.value(), Show::Percent(2)),
            ]);
        }
    }
    table
}

fn kept(line: &str) -> Option<(Fraction, &str)> {
    let (fraction, known) = line.split_once(' ')?;
    let (above, below) = fraction.split_once('/')?;
    Some((Fraction::new(above.parse().ok()?, below.parse::<i128>().ok()?), known))
}

fn simulated(
    lab: &Lab,
    book: &Rulebook,
    options: &Options,
    bonus_cents: u64,
    evidence: &Evidence<'_>,
) -> Result<Report, SetupError> {
    let reset = Money::from_cents(options.funding.reset_cents);
    let pool = |money: Money| Pool::try_from(money).unwrap_or(Pool::ZERO);
    let mut setup = Setup::new(book.clone());
    setup.rounds = evidence.rounds;
    setup.seed = evidence.seed;
    setup.ante = Money::from_cents(options.ante_cents);
    setup.bonus = Money::from_cents(bonus_cents);
    setup.ante_pays_from = options.ante_pays_from;
    setup.jackpot =
        Rate::from_basis_points(options.funding.contribution_bps.into()).ok().map(|contribution| {
            JackpotSetup {
                units: *book.jackpot.multiples.start(),
                minimum: Money::from_cents(options.jackpot_wager_cents),
                meter: pool(Money::from_cents(options.meter())),
                contribution,
                reset,
            }
        });
    simulate::run(&setup, lab, evidence.progress)
}

fn simulation(report: &Report) -> Section {
    let columns = [
        ("figure", "figure"),
        ("found", "found"),
        ("error", "standard error"),
        ("expected", "exact"),
        ("off", "standard errors apart"),
    ];
    let mut table = Table::new("simulation", "", &columns);
    let mut add = |name: &str, estimate: &Estimate, show: Show| {
        let unsigned = match show {
            Show::Signed(decimals) => Show::Number(decimals),
            Show::Number(_) | Show::Percent(_) | Show::OneIn | Show::Dollars => show,
        };
        let cell =
            |value: Option<f64>, show: Show| value.map_or(Cell::Empty, |value| Cell::Rounded(value, show));
        let expected = match (estimate.exact, estimate.expected) {
            (Some(exact), _) => Cell::Exact(exact, show),
            (None, expected) => cell(expected, show),
        };
        table.row(vec![
            text(name),
            Cell::Rounded(estimate.mean, show),
            Cell::Rounded(estimate.standard_error, unsigned),
            expected,
            cell(estimate.errors_above, Show::Signed(2)),
        ]);
    };
    add("Ante and what follows, net in Antes", &report.base, Show::Signed(6));
    for row in report.outcomes.iter().filter(|row| row.outcome.result == crate::exact::Ending::Fold) {
        add("folded", &row.frequency, Show::Percent(4));
    }
    if let Some(bonus) = &report.bonus {
        add("Bonus, net in wagers", &bonus.net, Show::Signed(6));
    }
    if let Some(jackpot) = &report.jackpot {
        add("Jackpot: odds and fixed amounts, in wagers", &jackpot.fixed_return, Show::Number(6));
        add("Jackpot: shares of the meter, in wagers", &jackpot.award_return, Show::Number(6));
    }
    let says = format!(
        "{} rounds with seed {}, dealt by the shuffle of the tables and settled by their settlement. The same seed gives the same rounds \
         again.",
        super::sheet::thousands(&report.rounds.to_string()),
        report.seed
    );
    section("simulation", "Evidence by simulation", &says, vec![table])
}
