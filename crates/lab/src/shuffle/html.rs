//! The report as one page that needs nothing else.

use super::CARDS;
use super::report::{Report, Test, card_name, shown};
use super::special::real;
use crate::svg::{Anchor, Drawing, Scale, WIDTH, escaped};

/// The look of the page, on screen and on paper.
const STYLE: &str = include_str!("../page.css");

pub(super) fn page(report: &Report) -> String {
    let body = [head(report), table(report), plots(report)].concat();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Shuffle report</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )
}

fn head(report: &Report) -> String {
    let (source, decks, tables) = (escaped(&report.source), report.decks, report.tables);
    let verdict = |passes: bool| match passes {
        _ if report.tests.is_empty() => "<span class=\"verdict fails\">not tested</span>",
        true => "<span class=\"verdict\">passes</span>",
        false => "<span class=\"verdict fails\">fails</span>",
    };
    format!(
        "<header>\n<p class=\"kind\">Shuffle report</p>\n<h1>{source}</h1>\n<dl>\n\
         <div><dt>Decks</dt><dd>{decks}</dd></div>\n<div><dt>Tables</dt><dd>{tables}</dd></div>\n\
         <div><dt>All tests at 95 %</dt><dd>{}</dd></div>\n<div><dt>All tests at 99 %</dt><dd>{}</dd></div>\n\
         <div><dt>Made by</dt><dd>{}</dd></div>\n</dl>\n</header>\n\
         <p>A p-value says how often a fair shuffle gives a statistic that is as far off, on either side. Corrected, it allows for the number of tests \
         (Holm): a fair shuffle fails any of them at 95 % in no more than one report of twenty, at 99 % in one of a hundred. The \
         columns \u{201c}alone\u{201d} do not allow for that.</p>\n",
        verdict(report.passes.at_95),
        verdict(report.passes.at_99),
        report.program,
    )
}

fn table(report: &Report) -> String {
    let mut text = String::from(
        "<section id=\"tests\">\n<h2>Tests</h2>\n<table id=\"table-tests\">\n<thead><tr><th scope=\"col\">Test</th>\
         <th scope=\"col\">What is counted</th><th scope=\"col\" class=\"figure\">Statistic</th>\
         <th scope=\"col\" class=\"figure\">Degrees of freedom</th><th scope=\"col\" class=\"figure\">p</th>\
         <th scope=\"col\" class=\"figure\">p, corrected</th><th scope=\"col\">95 % alone</th>\
         <th scope=\"col\">99 % alone</th><th scope=\"col\">95 %</th><th scope=\"col\">99 %</th></tr></thead>\n<tbody>\n",
    );
    for test in &report.tests {
        text += &row(test);
    }
    text += "</tbody>\n</table>\n";
    for skipped in &report.skipped {
        text += &format!("<p>Not made: {}, {} ({}).</p>\n", skipped.family.name(), skipped.name, skipped.why);
    }
    text + "</section>\n"
}

fn row(test: &Test) -> String {
    let verdict = |passes: bool| if passes { "<td>pass</td>" } else { "<td class=\"fails\">fail</td>" };
    let detail = test.detail.as_ref().map_or_else(String::new, |detail| format!("; {}", escaped(detail)));
    let freedom = test.freedom.map_or_else(String::new, |freedom| format!("{freedom:.0}"));
    format!(
        "<tr><th scope=\"row\">{}</th><td>{}{detail}</td><td class=\"figure\">{} {:.4}</td>\
         <td class=\"figure\">{freedom}</td><td class=\"figure\">{}</td><td class=\"figure\">{}</td>{}{}{}{}</tr>\n",
        test.family.name(),
        escaped(test.name),
        test.kind,
        test.statistic,
        shown(test.p),
        shown(test.adjusted),
        verdict(test.alone.at_95),
        verdict(test.alone.at_99),
        verdict(test.together.at_95),
        verdict(test.together.at_99),
    )
}

fn plots(report: &Report) -> String {
    if report.tests.is_empty() {
        return String::new();
    }
    let mut p_values: Vec<f64> = report.tests.iter().map(|test| test.p).collect();
    p_values.sort_by(f64::total_cmp);
    [
        figure(
            "heat",
            "Card by place",
            &heat_map(report),
            "How far each count is from its expected value. Of a fair shuffle about 1 cell in 22 is more than two standard deviations off, 1 in 370 more \
             than three, without pattern.",
        ),
        figure(
            "histogram",
            "P-values of the tests",
            &histogram(&p_values),
            "A fair shuffle gives about as many in each tenth. Counts of rare events have fewer values, so theirs are often large.",
        ),
        figure(
            "quantiles",
            "P-values in order",
            &quantiles(&p_values),
            "Each p-value against the one expected in its place. A fair shuffle stays near the line; a biased one has points far below it on \
             the left.",
        ),
    ]
    .concat()
}

fn figure(id: &str, title: &str, svg: &str, caption: &str) -> String {
    format!("<figure id=\"{id}\">\n<h3>{title}</h3>\n{svg}\n<figcaption>{caption}</figcaption>\n</figure>\n")
}

fn heat_map(report: &Report) -> String {
    const SIDE: f64 = 12.5;
    const LEFT: f64 = 40.0;
    const TOP: f64 = 20.0;
    let expected = real(report.decks) / 52.0;
    let deviation = (expected * 51.0 / 52.0).sqrt();
    let at = |start: f64, number: usize| start + real(number as u64) * SIDE;
    let mut drawing = Drawing::new(at(TOP, CARDS) + 40.0);
    for (place, counts) in report.card_by_place.iter().enumerate() {
        for (card, count) in counts.iter().enumerate() {
            let class = class_of((real(*count) - expected) / deviation);
            drawing.rect(&format!("heat {class}"), (at(LEFT, place), at(TOP, card)), (SIDE, SIDE));
        }
    }
    for number in (0..CARDS).step_by(4) {
        drawing.words("tick", (LEFT - 6.0, at(TOP, number) + 10.0), Anchor::End, &card_name(number));
        let place = (number + 1).to_string();
        drawing.words("tick", (at(LEFT, number) + SIDE / 2.0, TOP - 6.0), Anchor::Middle, &place);
    }
    let names = [
        ("low4", "below -4"),
        ("low3", "-4 to -3"),
        ("low2", "-3 to -2"),
        ("near", "-2 to 2"),
        ("high2", "2 to 3"),
        ("high3", "3 to 4"),
        ("high4", "above 4"),
    ];
    for ((class, name), number) in names.into_iter().zip(0_u32..) {
        let (x, y) = (LEFT + f64::from(number) * 92.0, at(TOP, CARDS) + 18.0);
        drawing.rect(&format!("heat {class}"), (x, y), (SIDE, SIDE));
        drawing.words("tick", (x + SIDE + 5.0, y + 10.0), Anchor::Start, name);
    }
    drawing.finish("Heat map of card by place, in standard deviations from the expected count").svg
}

fn class_of(deviation: f64) -> &'static str {
    match deviation {
        off if off < -4.0 => "low4",
        off if off < -3.0 => "low3",
        off if off < -2.0 => "low2",
        off if off <= 2.0 => "near",
        off if off <= 3.0 => "high2",
        off if off <= 4.0 => "high3",
        _ => "high4",
    }
}

const TOP: f64 = 10.0;
const BOTTOM: f64 = 220.0;
const ACROSS: Scale = Scale { from: 0.0, to: 1.0, start: 50.0, end: WIDTH - 20.0 };

/// The axes of a plot over 0 to 1.
fn axes(drawing: &mut Drawing, up: &Scale, about: f64) {
    for tick in up.ticks(about) {
        drawing.line("grid", (ACROSS.start, up.at(tick)), (ACROSS.end, up.at(tick)));
        drawing.words(
            "tick",
            (ACROSS.start - 6.0, up.at(tick) + 4.0),
            Anchor::End,
            &format!("{}", round(tick)),
        );
    }
    for tick in ACROSS.ticks(10.0) {
        let name = format!("{}", round(tick));
        drawing.words("tick", (ACROSS.at(tick), BOTTOM + 16.0), Anchor::Middle, &name);
    }
    drawing.line("axis", (ACROSS.start, BOTTOM), (ACROSS.end, BOTTOM));
}

fn round(value: f64) -> f64 {
    // Zero is added so that no tick is minus zero.
    (value * 10.0).round() / 10.0 + 0.0
}

fn histogram(p_values: &[f64]) -> String {
    let mut counts = [0_u32; 10];
    for p in p_values {
        let tenth = (1..10_u32).take_while(|tenth| f64::from(*tenth) / 10.0 <= *p).count();
        counts[tenth] += 1;
    }
    let most = f64::from(counts.into_iter().max().unwrap_or(1));
    let up = Scale { from: 0.0, to: most, start: BOTTOM, end: TOP };
    let mut drawing = Drawing::new(BOTTOM + 30.0);
    axes(&mut drawing, &up, 5.0);
    for (count, tenth) in counts.into_iter().zip(0_u32..) {
        let (left, right) = (ACROSS.at(f64::from(tenth) / 10.0), ACROSS.at(f64::from(tenth + 1) / 10.0));
        let height = BOTTOM - up.at(f64::from(count));
        drawing.rect("bar won", (left + 1.0, BOTTOM - height), (right - left - 2.0, height));
    }
    let expected = up.at(real(p_values.len() as u64) / 10.0);
    drawing.line("mark", (ACROSS.start, expected), (ACROSS.end, expected));
    drawing.finish("Histogram of the p-values in tenths").svg
}

fn quantiles(p_values: &[f64]) -> String {
    let up = Scale { from: 0.0, to: 1.0, start: BOTTOM, end: TOP };
    let mut drawing = Drawing::new(BOTTOM + 30.0);
    axes(&mut drawing, &up, 5.0);
    drawing.line("mark", (ACROSS.at(0.0), up.at(0.0)), (ACROSS.at(1.0), up.at(1.0)));
    let count = real(p_values.len() as u64);
    for (p, place) in p_values.iter().zip(1_u64..) {
        drawing.dot("dot", (ACROSS.at(real(place) / (count + 1.0)), up.at(*p)));
    }
    drawing.finish("P-values in order against those expected of a fair shuffle").svg
}
