//! The plots of a sheet.

use super::Options;
use super::game;
use super::jackpot::{Worth, line_name};
use super::session::Session;
use super::sheet::{Plot, Show};
use super::volatility::{CONFIDENCES, POWERS};
use crate::exact::{Bonus, Exact, Fraction};
use crate::forecast::Awards;
use crate::svg::{Anchor, Drawing, Picture, Scale, WIDTH};

/// What each outcome of the main game adds to the return.
pub(super) fn main_game(exact: &Exact) -> Plot {
    let all = exact.deals;
    let bar = |line: game::GameLine| {
        let adds = Fraction::new(i128::from(line.deals) * i128::from(line.net), all);
        (line.name, adds.value())
    };
    let bars: Vec<(String, f64)> = game::lines(&exact.outcomes).into_iter().map(bar).collect();
    Plot {
        id: "return-main-game",
        title: "Return by outcome".to_owned(),
        caption: "Chance times net, in Antes. All bars together are the net of a round.".to_owned(),
        picture: bars_plot(&bars, Show::Signed(4), "What each outcome of the main game adds to the return"),
    }
}

/// What each line of the Bonus adds.
pub(super) fn bonus(bonus: &Bonus) -> Plot {
    let name = |line: &crate::exact::BonusRow| {
        let dealer = if line.dealer.is_empty() { "" } else { ", dealer AA" };
        let cards = match line.hole_cards.as_slice() {
            [first, .., last] => format!("{first} to {last}"),
            cards => cards.join(" "),
        };
        format!("{cards}{dealer}")
    };
    let mut bars: Vec<(String, f64)> =
        bonus.lines.iter().map(|line| (name(line), line.returned.value())).collect();
    let paid: f64 = bars.iter().map(|(_, adds)| adds).sum();
    bars.push(("all else".to_owned(), bonus.net.value() - paid));
    Plot {
        id: "return-bonus",
        title: "Return by line".to_owned(),
        caption: "Chance times payment, in Bonus wagers.".to_owned(),
        picture: bars_plot(&bars, Show::Signed(4), "What each line of the Bonus adds to the return"),
    }
}

/// What each line of the jackpot adds at a meter.
pub(super) fn jackpot(exact: &Exact, options: &Options) -> Plot {
    let meter = Fraction::whole(options.meter());
    let worth = Worth::new(exact, options);
    let bars: Vec<(String, f64)> = exact
        .jackpot
        .lines
        .iter()
        .map(|line| (line_name(line), worth.line(line, 1, Some(meter)).value()))
        .collect();
    let at = Show::Dollars.number(meter.value());
    Plot {
        id: "return-jackpot",
        title: "Return by line".to_owned(),
        caption: format!("Chance times payment, in wagers, at a meter of {at}."),
        picture: bars_plot(&bars, Show::Number(4), "What each line of the Jackpot adds to the return"),
    }
}

/// Bars to either side of zero, each with its name before it and its value behind it.
fn bars_plot(bars: &[(String, f64)], show: Show, label: &str) -> Picture {
    const ROW: f64 = 17.0;
    const VALUES: f64 = 62.0;
    let most = bars.iter().map(|(_, adds)| *adds).fold(0.0, f64::max);
    let least = bars.iter().map(|(_, adds)| *adds).fold(0.0, f64::min);
    // A letter takes about so much of the width.
    let names = bars.iter().map(|(name, _)| count(name.chars().count())).fold(0.0, f64::max) * 5.9 + 14.0;
    let height = ROW * count(bars.len()) + 8.0;
    let room = if least < 0.0 { VALUES } else { 0.0 };
    let scale = Scale { from: least, to: most.max(least + 1e-9), start: names + room, end: WIDTH - VALUES };
    let zero = scale.at(0.0);
    let mut drawing = Drawing::new(height);
    for (place, (name, adds)) in bars.iter().enumerate() {
        let top = ROW * count(place) + 4.0;
        let (end, middle) = (scale.at(*adds), top + ROW / 2.0);
        let class = if *adds < 0.0 { "bar lost" } else { "bar won" };
        drawing.rect(class, (zero.min(end), top + 2.5), ((end - zero).abs(), ROW - 5.0));
        drawing.words("name", (names - 10.0, middle + 3.5), Anchor::End, name);
        let value = show.number(*adds);
        if *adds < 0.0 {
            drawing.words("value", (end - 5.0, middle + 3.5), Anchor::End, &value);
        } else {
            drawing.words("value", (end + 5.0, middle + 3.5), Anchor::Start, &value);
        }
    }
    drawing.line("axis", (zero, 2.0), (zero, height - 2.0));
    drawing.finish(label)
}

#[expect(clippy::cast_precision_loss, reason = "rows of a plot are few")]
const fn count(number: usize) -> f64 {
    number as f64
}

/// The frame of a plot with two axes.
struct Frame {
    x: Scale,
    y: Scale,
}

const HEIGHT: f64 = 240.0;
const LEFT: f64 = 62.0;
const BOTTOM: f64 = 198.0;
const TOP: f64 = 14.0;

impl Frame {
    fn new((x_from, x_to): (f64, f64), (y_from, y_to): (f64, f64), right: f64) -> Frame {
        Frame {
            x: Scale { from: x_from, to: x_to, start: LEFT, end: WIDTH - right },
            y: Scale { from: y_from, to: y_to, start: BOTTOM, end: TOP },
        }
    }

    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (self.x.at(x), self.y.at(y))
    }

    /// Lines across at round values, and both axes with their names.
    fn axes(&self, drawing: &mut Drawing, x: &Axis<'_>, y: &Axis<'_>) {
        for tick in self.y.ticks(7.0) {
            let at = self.y.at(tick);
            drawing.line("grid", (self.x.start, at), (self.x.end, at));
            drawing.words("tick", (self.x.start - 8.0, at + 3.5), Anchor::End, &(y.tick)(tick));
        }
        for tick in self.x.ticks(8.0) {
            let at = self.x.at(tick);
            drawing.line("axis", (at, BOTTOM), (at, BOTTOM + 4.0));
            drawing.words("tick", (at, BOTTOM + 16.0), Anchor::Middle, &(x.tick)(tick));
        }
        drawing.line("axis", (self.x.start, BOTTOM), (self.x.end, BOTTOM));
        drawing.words("axis-name", (self.x.end, BOTTOM + 33.0), Anchor::End, x.name);
        drawing.words("axis-name", (0.0, TOP - 4.0), Anchor::Start, y.name);
    }
}

/// An axis: what it measures, and how its ticks are written.
struct Axis<'a> {
    name: &'a str,
    tick: &'a dyn Fn(f64) -> String,
}

/// Per cent on an axis.
fn percent_tick(value: f64) -> String {
    let text = Show::Percent(1).number(value);
    text.replace(".0 %", " %")
}

/// Cents on an axis, as thousands or millions of dollars.
fn dollar_tick(cents: f64) -> String {
    let dollars = cents / 100.0;
    let short = |value: f64| {
        let text = format!("{value:.2}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    match dollars {
        _ if dollars < 0.5 => "0".to_owned(),
        _ if dollars < 999_999.0 => format!("${}k", short(dollars / 1_000.0)),
        _ => format!("${}m", short(dollars / 1_000_000.0)),
    }
}

/// The house edge of the jackpot wager against the meter, a line for every multiple.
pub(super) fn edge_against_meter(exact: &Exact, options: &Options, multiples: &[u8]) -> Plot {
    let worth = Worth::new(exact, options);
    let end = meter_end(&worth, multiples);
    let edge = |multiple, meter: f64| {
        let (fixed, at) = (
            worth.returned(multiple, Fraction::ZERO).value(),
            worth.returned(multiple, Fraction::whole(1_000_000)).value(),
        );
        1.0 - fixed - (at - fixed) * meter / 1_000_000.0
    };
    let least = multiples.iter().map(|&multiple| edge(multiple, end)).fold(0.0, f64::min);
    let most = multiples.iter().map(|&multiple| edge(multiple, 0.0)).fold(0.0, f64::max);
    let frame = Frame::new((0.0, end), (least.max(-0.6), (most * 1.08).min(1.0)), 74.0);
    let mut drawing = Drawing::new(HEIGHT);
    frame.axes(
        &mut drawing,
        &Axis { name: "meter", tick: &dollar_tick },
        &Axis { name: "house edge of the Jackpot wager", tick: &percent_tick },
    );
    let zero = frame.y.at(0.0);
    drawing.line("zero", (frame.x.start, zero), (frame.x.end, zero));
    for &multiple in multiples.iter().rev() {
        // A line ends where it leaves the frame.
        let highest = edge(multiple, 0.0);
        let leaves = end * (highest - frame.y.from) / (highest - edge(multiple, end));
        let leaves = leaves.min(end);
        let class = format!("curve brass k{multiple}");
        drawing.path(&class, [frame.at(0.0, highest), frame.at(leaves, edge(multiple, leaves))]);
        if let Some(even) =
            worth.break_even(multiple).map(Fraction::value).filter(|even| (0.0..=end).contains(even))
        {
            drawing.dot("even", frame.at(even, 0.0));
        }
        let (x, y) = frame.at(leaves, edge(multiple, leaves));
        if 1 < multiples.len() {
            drawing.words(
                "name",
                (x + 7.0, y.min(BOTTOM - 10.0) + 3.5),
                Anchor::Start,
                &format!("× {multiple}"),
            );
        }
    }
    mark_meter(&mut drawing, &frame, options);
    Plot {
        id: "edge-jackpot",
        title: "Edge of the Jackpot wager against the meter".to_owned(),
        caption: if multiples.len() == 1 {
            "The dot marks the break-even meter.".to_owned()
        } else {
            "House edge for each multiple of the minimum wager; dots mark the break-even meters.".to_owned()
        },
        picture: drawing.finish("House edge of the Jackpot wager against the meter"),
    }
}

/// Up to which meter a plot goes: a little beyond the highest break-even that is not too far away.
fn meter_end(worth: &Worth<'_>, multiples: &[u8]) -> f64 {
    let evens: Vec<f64> =
        multiples.iter().filter_map(|&multiple| worth.break_even(multiple)).map(Fraction::value).collect();
    let first = evens.first().copied().unwrap_or(1e8).max(1e6);
    evens.iter().copied().filter(|even| *even <= 3.2 * first).fold(first, f64::max) * 1.15
}

fn mark_meter(drawing: &mut Drawing, frame: &Frame, options: &Options) {
    let Some(meter) = options.meter_cents else { return };
    #[expect(clippy::cast_precision_loss, reason = "a place in a plot")]
    let meter = meter as f64;
    if (frame.x.from..=frame.x.to).contains(&meter) {
        let at = frame.x.at(meter);
        drawing.line("mark", (at, TOP), (at, BOTTOM));
        drawing.words("tick", (at + 5.0, TOP + 14.0), Anchor::Start, &Show::Dollars.number(meter));
    }
}

/// The edge of Ante and jackpot together against the meter. `nets` are meters and nets of a round, in cents.
pub(super) fn combined_edge(nets: &[(u64, Fraction)], options: &Options) -> Plot {
    let staked = Fraction::whole(options.ante_cents + options.jackpot_wager_cents);
    let edge = |net: Fraction| net.negated().divided_by(staked).unwrap_or(Fraction::ZERO).value();
    #[expect(clippy::cast_precision_loss, reason = "places in a plot")]
    let points: Vec<(f64, f64)> = nets.iter().map(|(meter, net)| (*meter as f64, edge(*net))).collect();
    let ys = || points.iter().map(|point| point.1);
    let end = points.last().map_or(1.0, |point| point.0);
    let frame = Frame::new((0.0, end), (ys().fold(0.0, f64::min), ys().fold(0.0, f64::max) * 1.08), 74.0);
    let mut drawing = Drawing::new(HEIGHT);
    frame.axes(
        &mut drawing,
        &Axis { name: "meter", tick: &dollar_tick },
        &Axis { name: "house edge of Ante and Jackpot together, of the two wagers", tick: &percent_tick },
    );
    let zero = frame.y.at(0.0);
    drawing.line("zero", (frame.x.start, zero), (frame.x.end, zero));
    drawing.path("curve green", points.iter().map(|&(meter, edge)| frame.at(meter, edge)));
    mark_meter(&mut drawing, &frame, options);
    let amounts = [options.ante_cents, options.jackpot_wager_cents]
        .map(|cents| Show::Dollars.number(Fraction::whole(cents).value()));
    Plot {
        id: "edge-combined",
        title: "Edge of the combined game against the meter".to_owned(),
        caption: format!(
            "An Ante of {} and a Jackpot wager of {}, perfect play at every meter; the edge is the loss of a round over the \
             two wagers.",
            amounts[0], amounts[1]
        ),
        picture: drawing.finish("House edge of the combined game against the meter"),
    }
}

/// The distribution of a session, with the normal curve beside it.
///
/// In stud nearly every result of a round is an odd number of Antes, so that every other result of a session hardly
/// comes: neighbours are drawn together, and a bin ends with 0 so that none is both ahead and not.
pub(super) fn session(exact: &Exact, session: &Session) -> Plot {
    let rounds = f64::from(session.rounds);
    let (mean, deviation) = (exact.base.net.value() * rounds, exact.base.standard_deviation * rounds.sqrt());
    let width = (deviation / 40.0).ceil() * 2.0;
    let (low, high) = (mean - 3.6 * deviation, mean + 3.9 * deviation);
    let bins = bins(session, width, (low, high));
    let most = bins.iter().map(|bin| bin.1).fold(0.0, f64::max);
    let frame = Frame::new((low, high), (0.0, most * 1.12), 20.0);
    let mut drawing = Drawing::new(HEIGHT);
    frame.axes(
        &mut drawing,
        &Axis { name: "result of the session, in Antes", tick: &|value| Show::Signed(0).number(value) },
        &Axis { name: &format!("chance of a result within {width:.0} Antes"), tick: &percent_tick },
    );
    for ahead in [false, true] {
        let side = bins.iter().copied().filter(|(start, _)| (0.0 <= *start) == ahead);
        let steps: Vec<(f64, f64)> =
            side.flat_map(|(start, chance)| [(start, chance), (start + width, chance)]).collect();
        let Some(((first, _), (last, _))) = steps.first().zip(steps.last()) else { continue };
        let outline = std::iter::once((*first, 0.0)).chain(steps.iter().copied()).chain([(*last, 0.0)]);
        drawing.path(if ahead { "area won" } else { "area lost" }, outline.map(|(x, y)| frame.at(x, y)));
    }
    let normal = |result: f64| {
        // Results are whole: those of a bin lie half an Ante above its bounds, on average.
        let off = (result + 0.5 - mean) / deviation;
        width * (-off * off / 2.0).exp() / (deviation * std::f64::consts::TAU.sqrt())
    };
    let steps = (0..=240_u32).map(|step| low + (high - low) * f64::from(step) / 240.0);
    drawing.path("curve normal", steps.map(|result| frame.at(result, normal(result))));
    let zero = frame.x.at(0.0);
    drawing.line("zero", (zero, TOP), (zero, BOTTOM));
    let ahead = Show::Percent(1).number(session.chance(|result| 0 < result));
    drawing.words("name", (zero + 8.0, TOP + 10.0), Anchor::Start, &format!("ahead {ahead}"));
    Plot {
        id: "session",
        title: format!("Distribution of a session of {} rounds", session.rounds),
        caption: "The outcome table convolved with itself round by round; the dashed curve is the normal approximation with the \
                  same mean and deviation."
            .to_owned(),
        picture: drawing.finish("Distribution of the result of a session"),
    }
}

/// Where each bin begins and its chance. A bin holds the results above its start, up to and with its end.
#[expect(clippy::cast_precision_loss, reason = "places in a plot")]
fn bins(session: &Session, width: f64, (low, high): (f64, f64)) -> Vec<(f64, f64)> {
    let mut bins: Vec<(f64, f64)> = Vec::new();
    for (result, chance) in session.results() {
        let result = result as f64;
        match bins.last_mut() {
            Some(bin) if result <= bin.0 + width => bin.1 += chance,
            _ => bins.push((((result / width).ceil() - 1.0) * width, chance)),
        }
    }
    bins.retain(|(start, _)| low <= *start && start + width <= high);
    bins
}

/// Confidence bounds on the actual return against the number of rounds.
pub(super) fn funnel(exact: &Exact) -> Plot {
    let (net, deviation) = (exact.base.net.value(), exact.base.standard_deviation);
    let (first, last) = (f64::from(*POWERS.start()), f64::from(*POWERS.end()));
    let half = |power: f64, quantile: f64| quantile * deviation / 10_f64.powf(power).sqrt();
    let most = half(first, CONFIDENCES[2].1) * 1.04;
    let frame = Frame::new((first, last), (1.0 + net - most, 1.0 + net + most), 44.0);
    let mut drawing = Drawing::new(HEIGHT);
    let powers = |power: f64| {
        let name = ["1,000", "10,000", "100,000", "1 million", "10 million", "100 million"];
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "ticks are the powers 3 to 8"
        )]
        let place = (power - first).round() as usize;
        name.get(place).map_or_else(String::new, |name| (*name).to_owned())
    };
    let whole = |power: f64| if power.fract().abs() < 1e-6 { powers(power) } else { String::new() };
    frame.axes(
        &mut drawing,
        &Axis { name: "rounds", tick: &whole },
        &Axis { name: "actual return of an Ante", tick: &percent_tick },
    );
    for (place, (_, quantile)) in CONFIDENCES.iter().enumerate().rev() {
        let along = |step: u32| first + (last - first) * f64::from(step) / 120.0;
        let above = (0..=120).map(|step| frame.at(along(step), 1.0 + net + half(along(step), *quantile)));
        let below =
            (0..=120).rev().map(|step| frame.at(along(step), 1.0 + net - half(along(step), *quantile)));
        drawing.path(&format!("area c{place}"), above.chain(below));
    }
    let at = frame.y.at(1.0 + net);
    drawing.line("curve green", (frame.x.start, at), (frame.x.end, at));
    for (place, (confidence, quantile)) in CONFIDENCES.iter().enumerate() {
        let inner = place.checked_sub(1).map_or(0.0, |inner| half(first, CONFIDENCES[inner].1));
        // Halfway between the bands, the innermost near its edge.
        let height = if place == 0 {
            half(first, *quantile) * 0.82
        } else {
            f64::midpoint(inner, half(first, *quantile))
        };
        let (x, y) = frame.at(first, 1.0 + net - height);
        drawing.words("name", (x + 5.0, y + 4.0), Anchor::Start, &format!("{confidence} %"));
    }
    Plot {
        id: "confidence",
        title: "Confidence bounds on the actual return".to_owned(),
        caption: "Expected return ± quantile × standard deviation / √n, for 90, 95 and 99 %.".to_owned(),
        picture: drawing.finish("Confidence bounds on the actual return against the number of rounds"),
    }
}

/// How the next award of all of the meter is distributed.
pub(super) fn award(awards: &Awards) -> Plot {
    let end = awards.percentile(0.995).most;
    let frame = Frame::new((0.0, end), (0.0, 1.1), 20.0);
    let mut drawing = Drawing::new(HEIGHT);
    frame.axes(
        &mut drawing,
        &Axis { name: "award", tick: &dollar_tick },
        &Axis { name: "chance of an award of no more", tick: &percent_tick },
    );
    let steps = (0..=240_u32).map(|step| end * f64::from(step) / 240.0);
    drawing.path("curve green", steps.map(|cents| frame.at(cents, awards.chance_up_to(cents).middle())));
    Plot {
        id: "award",
        title: "The next award of all of the meter".to_owned(),
        caption: "The middle between the bounds.".to_owned(),
        picture: drawing.finish("Chance of an award of no more than an amount"),
    }
}
