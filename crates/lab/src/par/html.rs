//! The sheet as one page that needs nothing else.

use super::sheet::{Cell, Look, Plot, Section, Sheet, Table};
use crate::exact::Fraction;
use crate::svg::escaped;

/// The look of the page, on screen and on paper.
const STYLE: &str = include_str!("../page.css");

pub(super) fn page(sheet: &Sheet) -> String {
    let title = escaped(&format!("PAR sheet: {}, version {}", sheet.title, sheet.version));
    let mut body = head(sheet);
    for (number, section) in sheet.sections.iter().enumerate() {
        body += &section_html(number + 1, section);
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )
}

fn head(sheet: &Sheet) -> String {
    let mut text =
        format!("<header>\n<p class=\"kind\">PAR sheet</p>\n<h1>{}</h1>\n<dl>\n", escaped(&sheet.title));
    let version = sheet.version.to_string();
    for (name, value) in [
        ("Rulebook", &sheet.rulebook),
        ("Version", &version),
        ("Cited as", &sheet.citation),
        ("In force from", &sheet.in_force.replace('T', ", ")),
        ("Made by", &sheet.program),
    ] {
        text.extend(["<div><dt>", name, "</dt><dd>", &escaped(value), "</dd></div>\n"]);
    }
    if let Some(made) = &sheet.made {
        for (name, value) in [
            ("Made on", &made.on),
            ("Rulebook, SHA-256", &made.rulebook_digest),
            ("Program, SHA-256", &made.program_digest),
        ] {
            text.extend(["<div><dt>", name, "</dt><dd>", &escaped(value), "</dd></div>\n"]);
        }
    }
    text += "</dl>\n</header>\n";
    for warning in &sheet.warnings {
        text.extend(["<p class=\"warning\">", &escaped(warning), "</p>\n"]);
    }
    text
}

fn section_html(number: usize, section: &Section) -> String {
    let mut text = format!(
        "<section id=\"{}\">\n<h2><span class=\"number\">{number}</span>{}</h2>\n",
        section.id,
        escaped(section.title)
    );
    for paragraph in &section.text {
        text.extend(["<p>", &escaped(paragraph), "</p>\n"]);
    }
    for table in &section.tables {
        text += &match table.look {
            Look::Plain => table_html(table),
            Look::Headline => headline_html(table),
        };
    }
    for plot in &section.plots {
        text += &plot_html(plot);
    }
    text + "</section>\n"
}

fn plot_html(plot: &Plot) -> String {
    format!(
        "<figure id=\"{}\">\n<h3>{}</h3>\n{}\n<figcaption>{}</figcaption>\n</figure>\n",
        plot.id,
        escaped(&plot.title),
        plot.picture.svg,
        escaped(&plot.caption)
    )
}

/// A few large figures.
fn headline_html(table: &Table) -> String {
    let mut text = format!("<div class=\"headline\" id=\"table-{}\">\n", table.id);
    for row in &table.rows {
        let [name, value] = row.as_slice() else { continue };
        let (name, shown, fraction) = (escaped(&name.shown()), escaped(&value.shown()), fraction_html(value));
        text.extend([
            "<div><span class=\"what\">",
            &name,
            "</span><span class=\"large\">",
            &shown,
            "</span>",
            &fraction,
        ]);
        text += "</div>\n";
    }
    text + "</div>\n"
}

fn table_html(table: &Table) -> String {
    let mut text = format!("<table id=\"table-{}\" class=\"columns-{}\">\n", table.id, table.columns.len());
    if !table.caption.is_empty() {
        text.extend(["<caption>", &escaped(&table.caption), "</caption>\n"]);
    }
    // What names a row stands to the left, figure or not.
    let is_figure: Vec<bool> =
        (0..table.columns.len()).map(|place| 0 < place && is_figure(table, place)).collect();
    text += "<thead><tr>";
    for (column, is_figure) in table.columns.iter().zip(&is_figure) {
        let class = if *is_figure { " class=\"figure\"" } else { "" };
        text.extend(["<th scope=\"col\"", class, ">", &escaped(&column.title), "</th>"]);
    }
    text += "</tr></thead>\n<tbody>\n";
    let last = table.rows.len() - 1;
    for (number, row) in table.rows.iter().enumerate() {
        text += if table.has_total && number == last { "<tr class=\"total\">" } else { "<tr>" };
        for (place, cell) in row.iter().enumerate() {
            text += &cell_html(cell, is_figure[place], place == 0);
        }
        text += "</tr>\n";
    }
    text + "</tbody>\n</table>\n"
}

/// Whether a column holds figures, which stand to the right.
fn is_figure(table: &Table, place: usize) -> bool {
    table.rows.iter().any(|row| !matches!(row[place], Cell::Text(_) | Cell::Empty))
}

fn cell_html(cell: &Cell, is_figure: bool, names_row: bool) -> String {
    let shown = escaped(&cell.shown());
    let fraction = fraction_html(cell);
    match (names_row, is_figure) {
        (true, _) => format!("<th scope=\"row\">{shown}</th>"),
        (false, false) => format!("<td>{shown}</td>"),
        (false, true) => format!("<td class=\"figure\">{shown}{fraction}</td>"),
    }
}

/// The fraction under a figure.
fn fraction_html(cell: &Cell) -> String {
    let html = |fraction: Fraction| {
        format!("<span class=\"fraction\">{}</span>", fraction.to_string().replace('-', "\u{2212}"))
    };
    cell.fraction().map(html).unwrap_or_default()
}
