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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// What a drawing is made of. Its class says how it looks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    Line { class: String, from: (f64, f64), to: (f64, f64) },
    Rect { class: String, corner: (f64, f64), size: (f64, f64) },
    Dot { class: String, at: (f64, f64) },
    Path { class: String, points: Vec<(f64, f64)> },
    Words { class: String, at: (f64, f64), anchor: Anchor, words: String },
}

/// A drawing in the making.
pub(crate) struct Drawing {
    height: f64,
    shapes: Vec<Shape>,
}

/// A drawing that is done.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    pub(crate) height: f64,
    pub(crate) shapes: Vec<Shape>,
    /// As it stands in a page.
    pub svg: String,
}

impl Drawing {
    pub(crate) fn new(height: f64) -> Drawing {
        Drawing { height, shapes: Vec::new() }
    }

    pub(crate) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        self.shapes.push(Shape::Line { class: class.to_owned(), from, to });
    }

    pub(crate) fn rect(&mut self, class: &str, corner: (f64, f64), size: (f64, f64)) {
        self.shapes.push(Shape::Rect { class: class.to_owned(), corner, size });
    }

    pub(crate) fn dot(&mut self, class: &str, at: (f64, f64)) {
        self.shapes.push(Shape::Dot { class: class.to_owned(), at });
    }

    /// A line through points.
    pub(crate) fn path(&mut self, class: &str, points: impl IntoIterator<Item = (f64, f64)>) {
        self.shapes.push(Shape::Path { class: class.to_owned(), points: points.into_iter().collect() });
    }

    pub(crate) fn words(&mut self, class: &str, at: (f64, f64), anchor: Anchor, words: &str) {
        self.shapes.push(Shape::Words { class: class.to_owned(), at, anchor, words: words.to_owned() });
    }

    /// The drawing, with what it says for those who do not see it.
    pub(crate) fn finish(self, label: &str) -> Picture {
        let Drawing { height, shapes } = self;
        let label = escaped(label);
        let body: String = shapes.iter().map(|shape| shape.svg() + "\n").collect();
        let svg = format!(
            "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{label}\">\n{body}</svg>"
        );
        Picture { height, shapes, svg }
    }
}

impl Shape {
    fn svg(&self) -> String {
        match self {
            Shape::Line { class, from: (x1, y1), to: (x2, y2) } => {
                format!(r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#)
            }
            Shape::Rect { class, corner: (x, y), size: (width, height) } => format!(
                r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}"/>"#
            ),
            Shape::Dot { class, at: (x, y) } => {
                format!(r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="3"/>"#)
            }
            Shape::Path { class, points } => {
                let mut steps = String::new();
                for (x, y) in points {
                    let letter = if steps.is_empty() { 'M' } else { 'L' };
                    write!(steps, "{letter}{x:.2} {y:.2}").expect("a string takes all");
                }
                format!(r#"<path class="{class}" d="{steps}"/>"#)
            }
            Shape::Words { class, at: (x, y), anchor, words } => {
                let anchor = match anchor {
                    Anchor::Start => "start",
                    Anchor::Middle => "middle",
                    Anchor::End => "end",
                };
                let words = escaped(words);
                format!(
                    r#"<text class="{class}" x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{words}</text>"#
                )
            }
        }
    }
}

/// Words as they may stand in a page.
pub(crate) fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
