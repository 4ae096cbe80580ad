//! Drawing: scales, axes, lines and words, as SVG that takes its colours and type from the page.

use std::fmt::Write;

/// How wide every plot is, in its own units. The page scales it.
pub(crate) const WIDTH: f64 = 720.0;

/// From values to places.
#[derive(Clone, Copy)]
pub(crate) struct Scale {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) start: f64,
    pub(crate) end: f64,
}

impl Scale {
    pub(crate) fn at(&self, value: f64) -> f64 {
        self.start + (value - self.from) / (self.to - self.from) * (self.end - self.start)
    }

    /// Round values across the scale, about so many.
    pub(crate) fn ticks(&self, about: f64) -> Vec<f64> {
        let step = step((self.to - self.from).abs() / about);
        let (low, high) = (self.from.min(self.to), self.from.max(self.to));
        let first = (low / step - 1e-9).ceil();
        let mut ticks = Vec::new();
        let mut number = first;
        while number * step <= high + 1e-9 * step {
            ticks.push(number * step);
            number += 1.0;
        }
        ticks
    }
}

/// The next step of 1, 2 or 5 times a power of ten.
fn step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let times = [1.0, 2.0, 5.0, 10.0].into_iter().find(|times| least <= times * power * 1.000_001);
    times.unwrap_or(10.0) * power
}

/// Where words stand against their place.
#[derive(Clone, Copy)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A drawing in the making.
pub(crate) struct Drawing {
    height: f64,
    body: String,
}

impl Drawing {
    pub(crate) fn new(height: f64) -> Drawing {
        Drawing { height, body: String::new() }
    }

    pub(crate) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.add(&format!(r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#));
    }

    pub(crate) fn rect(&mut self, class: &str, corner: (f64, f64), size: (f64, f64)) {
        let ((x, y), (width, height)) = (corner, size);
        self.add(&format!(
            r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}"/>"#
        ));
    }

    pub(crate) fn dot(&mut self, class: &str, (x, y): (f64, f64)) {
        self.add(&format!(r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="3"/>"#));
    }

    /// A line through points.
    pub(crate) fn path(&mut self, class: &str, points: impl IntoIterator<Item = (f64, f64)>) {
        let mut steps = String::new();
        for (x, y) in points {
            let letter = if steps.is_empty() { 'M' } else { 'L' };
            write!(steps, "{letter}{x:.2} {y:.2}").expect("a string takes all");
        }
        self.add(&format!(r#"<path class="{class}" d="{steps}"/>"#));
    }

    pub(crate) fn words(&mut self, class: &str, (x, y): (f64, f64), anchor: Anchor, words: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let words = escaped(words);
        self.add(&format!(
            r#"<text class="{class}" x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{words}</text>"#
        ));
    }

    fn add(&mut self, element: &str) {
        self.body.push_str(element);
        self.body.push('\n');
    }

    /// The drawing, with what it says for those who do not see it.
    pub(crate) fn finish(self, label: &str) -> String {
        let (height, label) = (self.height, escaped(label));
        format!(
            "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{label}\">\n{}</svg>",
            self.body
        )
    }
}

/// Words as they may stand in a page.
pub(crate) fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
