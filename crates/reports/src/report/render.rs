//! A report as a page to read or print, and as comma-separated values.

use journal::Currency;

use super::{FigureKind, NOT_OVER, Report, Section, StreamEnd, Value, time_in_words};
use crate::csv;

const STYLE: &str = "body{font:14px/1.4 system-ui,sans-serif;margin:2rem auto;max-width:78rem;padding:0 1rem;color:#111;background:#fff}\
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.85rem}\
.wide{overflow-x:auto}th,td{border-bottom:1px solid #ccc;padding:.2rem .5rem;text-align:left;vertical-align:top}th{border-bottom:2px solid #111}\
.number{text-align:right;white-space:nowrap}.flag{font-weight:700}.small{font-size:.75rem;word-break:break-all}\
@media print{body{margin:0;max-width:none}.wide{overflow:visible}table{font-size:7pt}tr{break-inside:avoid}h2{break-after:avoid}@page{size:A4 landscape;margin:12mm}}";

impl Report {
    /// The days it is about.
    pub fn days(&self) -> String {
        if self.from == self.to { self.from.clone() } else { format!("{} to {}", self.from, self.to) }
    }

    /// What it is called.
    pub(super) fn title(&self) -> String {
        format!("{}: gaming day {}", self.house, self.days())
    }

    /// What the money is, and what a gaming day is.
    pub(super) fn money_in_words(&self) -> String {
        let money = match self.money {
            Currency::Real => "Real money.",
            Currency::Play => "Play money.",
            Currency::Practice => {
                return "PRACTICE FLOOR: no money, no real meter, no evidence of play.".to_owned();
            }
        };
        format!("{money} A gaming day is {}.", self.gaming_day)
    }

    /// A page that needs nothing else, to be read or printed.
    pub fn html(&self) -> String {
        let title = self.title();
        let mut page = format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
             <title>{0}</title><style>{STYLE}</style></head>\n<body><h1>{0}</h1>\n",
            escaped(&title)
        );
        let money = self.money_in_words();
        let open = if self.is_over { String::new() } else { format!(" <strong>{NOT_OVER}</strong>") };
        page.push_str(&format!("<p>{money}{open}</p>\n"));
        page.push_str(&format!("<p class=\"small\">Made from the log with the head {}.</p>\n", self.log));
        for section in &self.sections {
            html_section(&mut page, section);
        }
        page.push_str("<h2>Ends of the log's streams</h2>\n<div class=\"wide\"><table class=\"small\"><tr><th>stream</th><th>entry</th><th>hash</th></tr>\n");
        for StreamEnd { stream, version, hash } in &self.heads {
            page.push_str(&format!(
                "<tr><td>{}</td><td class=\"number\">{version}</td><td>{hash}</td></tr>\n",
                escaped(stream)
            ));
        }
        page.push_str("</table></div>\n</body></html>\n");
        page
    }

    /// One line for each value: section, row, column, value. Amounts are whole numbers, as in JSON.
    pub fn csv(&self) -> String {
        let mut lines = String::from("section,row,column,value\r\n");
        let mut line = |section: &str, row: usize, column: &str, value: &str| {
            lines.push_str(&format!("{section},{row},{column},{}\r\n", csv::field(value)));
        };
        for (column, value) in
            [("house", &self.house), ("from", &self.from), ("to", &self.to), ("log", &self.log)]
        {
            line("report", 1, column, value);
        }
        if self.money == Currency::Practice {
            line("report", 1, "floor", "PRACTICE: no money, no real meter, no evidence of play");
        }
        for section in &self.sections {
            for (row, number) in section.rows.iter().zip(1_usize..) {
                for (column, value) in section.columns.iter().zip(row) {
                    match value {
                        Value::Text(text) => line(section.id, number, column.id, text),
                        Value::Whole(whole) => line(section.id, number, column.id, &whole.to_string()),
                        Value::Empty => {}
                    }
                }
            }
        }
        lines
    }
}

fn html_section(page: &mut String, section: &Section) {
    page.push_str(&format!("<h2 id=\"{}\">{}</h2>\n", section.id, escaped(section.title)));
    for note in &section.notes {
        page.push_str(&format!("<p>{}</p>\n", escaped(note)));
    }
    if section.rows.is_empty() {
        page.push_str("<p>None.</p>\n");
        return;
    }
    page.push_str("<div class=\"wide\"><table><tr>");
    let class = |kind: FigureKind| {
        if matches!(kind, FigureKind::Text | FigureKind::Time) { "" } else { " class=\"number\"" }
    };
    for column in &section.columns {
        page.push_str(&format!("<th{}>{}</th>", class(column.kind), escaped(column.name)));
    }
    page.push_str("</tr>\n");
    for row in &section.rows {
        page.push_str("<tr>");
        for (column, value) in section.columns.iter().zip(row) {
            let flag = column.id.ends_with("outside") && *value != Value::Empty;
            let class = if flag { " class=\"flag\"" } else { class(column.kind) };
            page.push_str(&format!("<td{class}>{}</td>", escaped(&shown(column.kind, value))));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table></div>\n");
}

/// A value for people.
pub(super) fn shown(kind: FigureKind, value: &Value) -> String {
    let whole = match value {
        Value::Text(text) => return text.clone(),
        Value::Empty => return String::new(),
        Value::Whole(whole) => *whole,
    };
    match kind {
        FigureKind::Text | FigureKind::Count => whole.to_string(),
        FigureKind::Cents => dollars(whole),
        FigureKind::TenThousandths => {
            let cents = dollars(whole.checked_div(10_000).unwrap_or_default());
            let sign = if whole < 0 && !cents.starts_with('-') { "-" } else { "" };
            format!("{sign}{cents}{:04}", whole.unsigned_abs().checked_rem(10_000).unwrap_or_default())
        }
        FigureKind::BasisPoints => percent(whole),
        FigureKind::Time => time_in_words(whole),
    }
}

/// Cents as dollars.
fn dollars(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}", money::Money::from_cents(cents.unsigned_abs()))
}

/// Hundredths of a per cent.
pub(super) fn percent(points: i64) -> String {
    let (sign, points) = (if points < 0 { "-" } else { "" }, points.unsigned_abs());
    let (whole, rest) =
        (points.checked_div(100).unwrap_or_default(), points.checked_rem(100).unwrap_or_default());
    format!("{sign}{whole}.{rest:02} %")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
