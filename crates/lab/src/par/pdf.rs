//! The sheet as a PDF: text, tables and plots.

use std::fmt::Write;

use super::sheet::{Cell, Look, Plot, Section, Sheet, Table};
use crate::pdf::{
    BRASS, Font, GREEN, Grid, HAIR, INK, LOST, MARGIN, Pages, Paper, SOFT, fill, stroke, width, written,
};
use crate::svg::{Anchor, Shape, WIDTH};

/// The whole document.
pub(super) fn document(sheet: &Sheet) -> Vec<u8> {
    let title = format!("PAR sheet: {}, version {}", sheet.title, sheet.version);
    let mut pages = Pages::new(Paper::Portrait);
    head(sheet, &mut pages);
    for (number, section) in sheet.sections.iter().enumerate() {
        section_on(number + 1, section, &mut pages);
    }
    written(&title, &sheet.program, pages)
}

fn head(sheet: &Sheet, pages: &mut Pages) {
    pages.paragraph("PAR sheet", Font::Plain, 9.0, SOFT);
    pages.paragraph(&sheet.title, Font::Bold, 20.0, INK);
    pages.space(20.0);
    let version = sheet.version.to_string();
    let in_force = sheet.in_force.replace('T', ", ");
    let mut lines = vec![
        ("Rulebook", sheet.rulebook.as_str()),
        ("Version", &version),
        ("Cited as", &sheet.citation),
        ("In force from", &in_force),
        ("Made by", &sheet.program),
    ];
    if let Some(made) = &sheet.made {
        lines.extend([
            ("Made on", made.on.as_str()),
            ("Rulebook, SHA-256", &made.rulebook_digest),
            ("Program, SHA-256", &made.program_digest),
        ]);
    }
    for (name, value) in lines {
        pages.room(12.0);
        pages.at(MARGIN, 0.0, name, Font::Plain, 8.0, SOFT);
        pages.at(MARGIN + 100.0, 0.0, value, Font::Plain, 8.0, INK);
        pages.space(12.0);
    }
    for warning in &sheet.warnings {
        pages.space(4.0);
        pages.paragraph(warning, Font::Bold, 9.0, LOST);
    }
}

fn section_on(number: usize, section: &Section, pages: &mut Pages) {
    pages.space(14.0);
    // A heading stays with what follows it.
    pages.room(130.0);
    pages.paragraph(&format!("{number}  {}", section.title), Font::Bold, 13.0, GREEN);
    pages.space(2.0);
    for text in &section.text {
        pages.paragraph(text, Font::Plain, 8.5, INK);
        pages.space(3.0);
    }
    for table in section.tables.iter().filter(|table| !table.rows.is_empty()) {
        table_on(table, pages);
    }
    section.plots.iter().for_each(|plot| plot_on(plot, pages));
}

/// The text of a cell, and the fraction under it.
fn texts(cell: &Cell, with_fractions: bool) -> (String, String) {
    let fraction =
        cell.fraction().filter(|_| with_fractions).map_or_else(String::new, |fraction| fraction.to_string());
    (cell.shown(), fraction)
}

fn table_on(table: &Table, pages: &mut Pages) {
    let rows = |with_fractions: bool| -> Vec<Vec<(String, String)>> {
        let row = |row: &Vec<Cell>| row.iter().map(|cell| texts(cell, with_fractions)).collect();
        table.rows.iter().map(row).collect()
    };
    let is_figure = |place: usize| {
        0 < place && table.rows.iter().any(|row| !matches!(row[place], Cell::Text(_) | Cell::Empty))
    };
    let grid = |with_fractions: bool| Grid {
        caption: table.caption.clone(),
        titles: table.columns.iter().map(|column| column.title.clone()).collect(),
        rows: rows(with_fractions),
        is_figure: (0..table.columns.len()).map(is_figure).collect(),
        has_heading: table.look == Look::Plain,
        has_total: table.has_total,
    };
    let with = grid(true);
    if table.look == Look::Headline || with.fits(pages) {
        pages.grid(&with);
    } else {
        pages.grid(&grid(false));
    }
}

fn plot_on(plot: &Plot, pages: &mut Pages) {
    let scale = pages.across() / WIDTH;
    let tall = plot.picture.height * scale;
    pages.space(8.0);
    pages.room(tall + 40.0);
    pages.paragraph(&plot.title, Font::Bold, 8.5, INK);
    pages.space(tall + 6.0);
    let top = pages.line() + tall;
    let place = |(x, y): (f64, f64)| (MARGIN + x * scale, top - y * scale);
    for shape in &plot.picture.shapes {
        draw(shape, &place, scale, pages);
    }
    pages.space(10.0);
    pages.paragraph(&plot.caption, Font::Plain, 7.5, SOFT);
}

/// The colour of a class, as the page has it.
fn colour(class: &str) -> [f64; 3] {
    let has = |name: &str| class.split(' ').any(|word| word == name);
    let shade = |from: [f64; 3], part: f64| from.map(|value| 1.0 - (1.0 - value) * part);
    let faint = [("k2", 0.82), ("k3", 0.66), ("k4", 0.52), ("k5", 0.4)];
    let part = faint.into_iter().find(|(name, _)| has(name)).map_or(1.0, |(_, part)| part);
    let colours = [
        ("lost", LOST),
        ("c0", [0.73, 0.82, 0.77]),
        ("c1", [0.83, 0.89, 0.85]),
        ("c2", [0.91, 0.94, 0.92]),
        ("green", GREEN),
        ("won", GREEN),
        ("brass", BRASS),
        ("mark", BRASS),
        ("even", BRASS),
        ("grid", HAIR),
        ("tick", SOFT),
        ("axis-name", SOFT),
        ("value", SOFT),
    ];
    shade(colours.into_iter().find(|(name, _)| has(name)).map_or(INK, |(_, colour)| colour), part)
}

fn draw(shape: &Shape, place: &dyn Fn((f64, f64)) -> (f64, f64), scale: f64, pages: &mut Pages) {
    let dashes = |class: &str| match class {
        "zero" => "[2 2] 0 d ",
        "mark" => "[4 3] 0 d ",
        _ if class.contains("normal") => "[3 3] 0 d ",
        _ => "",
    };
    match shape {
        Shape::Line { class, from, to } => {
            let ((x1, y1), (x2, y2)) = (place(*from), place(*to));
            let (colour, dash) = (stroke(colour(class)), dashes(class));
            pages.add(&format!("q 0.6 w {dash}{colour}{x1:.2} {y1:.2} m {x2:.2} {y2:.2} l S Q\n"));
        }
        Shape::Rect { class, corner, size } => {
            let (x, y) = place(*corner);
            let (across, down) = (size.0 * scale, size.1 * scale);
            pages.add(&format!(
                "q {}{x:.2} {:.2} {across:.2} {down:.2} re f Q\n",
                fill(colour(class)),
                y - down
            ));
        }
        Shape::Dot { class, at } => {
            let (x, y) = place(*at);
            pages.add(&format!("q {}{:.2} {:.2} 4 4 re f Q\n", fill(colour(class)), x - 2.0, y - 2.0));
        }
        Shape::Path { class, points } => {
            let mut steps = String::new();
            for (number, point) in points.iter().enumerate() {
                let (x, y) = place(*point);
                let letter = if number == 0 { 'm' } else { 'l' };
                write!(steps, "{x:.2} {y:.2} {letter} ").expect("a string takes all");
            }
            let is_area = class.split(' ').any(|word| word == "area");
            let colour = colour(class);
            let (colour, end) = if is_area { (fill(colour), "f") } else { (stroke(colour), "S") };
            pages.add(&format!("q 1 w {}{colour}{steps}{end} Q\n", dashes(class)));
        }
        Shape::Words { class, at, anchor, words } => {
            let size = 11.0 * scale;
            let long = width(words, Font::Plain, size);
            let (x, y) = place(*at);
            let x = match anchor {
                Anchor::Start => x,
                Anchor::Middle => x - long / 2.0,
                Anchor::End => x - long,
            };
            pages.words(x, y, words, Font::Plain, size, colour(class));
        }
    }
}
