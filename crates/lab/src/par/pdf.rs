//! The sheet as a PDF: text, tables and plots on numbered A4 pages, in two of the fonts that every reader of PDF has.
//!
//! A PDF is numbered objects and a table of where each begins. Nothing here needs more than eight kinds of them, so they are
//! written out; the streams are not compressed, and the same sheet gives the same bytes.

mod font;

use std::fmt::Write;

use super::sheet::{Cell, Look, Plot, Section, Sheet, Table};
use crate::svg::{Anchor, Shape, WIDTH};
use font::{Font, encoded, width};

const PAGE: (f64, f64) = (595.0, 842.0);
const MARGIN: f64 = 46.0;
const ACROSS: f64 = PAGE.0 - 2.0 * MARGIN;
/// The lowest line of text above the foot.
const BOTTOM: f64 = 56.0;

const INK: [f64; 3] = [0.10, 0.12, 0.11];
const SOFT: [f64; 3] = [0.42, 0.45, 0.43];
const GREEN: [f64; 3] = [0.07, 0.37, 0.25];
const BRASS: [f64; 3] = [0.60, 0.42, 0.08];
const LOST: [f64; 3] = [0.64, 0.20, 0.16];
const HAIR: [f64; 3] = [0.82, 0.84, 0.82];

/// The whole document.
pub(super) fn document(sheet: &Sheet) -> Vec<u8> {
    let title = format!("PAR sheet: {}, version {}", sheet.title, sheet.version);
    let mut pages = Pages::new();
    head(sheet, &mut pages);
    for (number, section) in sheet.sections.iter().enumerate() {
        section_on(number + 1, section, &mut pages);
    }
    written(&title, &sheet.program, &pages.done())
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

const SIZE: f64 = 7.2;
const SMALL: f64 = 5.2;
const LINE: f64 = 9.0;
const GAP: f64 = 8.0;

/// The text of a cell, and the fraction under it.
fn texts(cell: &Cell, with_fractions: bool) -> (String, String) {
    let fraction =
        cell.fraction().filter(|_| with_fractions).map_or_else(String::new, |fraction| fraction.to_string());
    (cell.shown(), fraction)
}

fn table_on(table: &Table, pages: &mut Pages) {
    pages.space(6.0);
    let natural = |with_fractions: bool| -> Vec<f64> {
        let column = |place: usize| {
            let head = width(&table.columns[place].title, Font::Bold, SIZE);
            table.rows.iter().fold(head, |most, row| {
                let (shown, fraction) = texts(&row[place], with_fractions);
                most.max(width(&shown, Font::Plain, SIZE)).max(width(&fraction, Font::Plain, SMALL))
            })
        };
        (0..table.columns.len()).map(column).collect()
    };
    let room = ACROSS - GAP * count(table.columns.len() - 1);
    let with = natural(true);
    let with_fractions = with.iter().sum::<f64>() <= room || table.look == Look::Headline;
    let mut widths = if with_fractions { with } else { natural(false) };
    narrow(&mut widths, room);
    let is_figure: Vec<bool> = (0..table.columns.len())
        .map(|place| {
            0 < place && table.rows.iter().any(|row| !matches!(row[place], Cell::Text(_) | Cell::Empty))
        })
        .collect();
    if !table.caption.is_empty() {
        pages.room(50.0);
        pages.paragraph(&table.caption, Font::Bold, 8.5, INK);
        pages.space(1.0);
    }
    let header = |pages: &mut Pages| {
        let titles: Vec<Vec<String>> = table
            .columns
            .iter()
            .zip(&widths)
            .map(|(column, width)| wrapped(&column.title, Font::Bold, SIZE, *width))
            .collect();
        let lines = titles.iter().map(Vec::len).max().unwrap_or(1);
        pages.row(&titles, &widths, &is_figure, Font::Bold, SOFT);
        pages.space(LINE * count(lines) - LINE + 3.0);
        pages.rule(HAIR);
        pages.space(LINE);
    };
    pages.room(40.0);
    if table.look == Look::Plain {
        pages.space(LINE);
        header(pages);
    } else {
        pages.space(LINE);
    }
    let last = table.rows.len() - 1;
    for (number, row) in table.rows.iter().enumerate() {
        let cells: Vec<(String, String)> = row.iter().map(|cell| texts(cell, with_fractions)).collect();
        let lines: Vec<Vec<String>> = cells
            .iter()
            .zip(&widths)
            .map(|((shown, _), width)| wrapped(shown, Font::Plain, SIZE, *width))
            .collect();
        let has_fraction = cells.iter().any(|(_, fraction)| !fraction.is_empty());
        let tall = LINE * count(lines.iter().map(Vec::len).max().unwrap_or(1))
            + if has_fraction { 6.5 } else { 0.0 };
        if pages.room(tall) && table.look == Look::Plain {
            pages.space(LINE);
            header(pages);
        }
        let font = if table.has_total && number == last { Font::Bold } else { Font::Plain };
        pages.row(&lines, &widths, &is_figure, font, INK);
        let mut left = MARGIN;
        for (((_, fraction), width_of), is_figure) in cells.iter().zip(&widths).zip(&is_figure) {
            let by = if *is_figure { width_of - width(fraction, Font::Plain, SMALL) } else { 0.0 };
            pages.at(left + by, LINE - 2.5, fraction, Font::Plain, SMALL, SOFT);
            left += width_of + GAP;
        }
        pages.space(tall + 1.5);
    }
    pages.space(2.0);
}

/// Makes columns fit: the widest ones give way.
fn narrow(widths: &mut [f64], room: f64) {
    while room < widths.iter().sum() {
        let most = widths.iter().copied().fold(0.0, f64::max);
        let over = widths.iter().sum::<f64>() - room;
        let widest = widths.iter().filter(|width| most - 0.5 <= **width).count();
        let less = (over / count(widest)).clamp(0.5, 12.0);
        widths.iter_mut().filter(|width| most - 0.5 <= **width).for_each(|width| *width -= less);
    }
}

fn plot_on(plot: &Plot, pages: &mut Pages) {
    let scale = ACROSS / WIDTH;
    let tall = plot.picture.height * scale;
    pages.space(8.0);
    pages.room(tall + 40.0);
    pages.paragraph(&plot.title, Font::Bold, 8.5, INK);
    pages.space(tall + 6.0);
    let top = pages.y + tall;
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

fn stroke([r, g, b]: [f64; 3]) -> String {
    format!("{r:.2} {g:.2} {b:.2} RG ")
}

fn fill([r, g, b]: [f64; 3]) -> String {
    format!("{r:.2} {g:.2} {b:.2} rg ")
}

/// Pages in the making. `y` is the line of the next text, from the foot of the page.
struct Pages {
    done: Vec<String>,
    page: String,
    y: f64,
}

impl Pages {
    fn new() -> Pages {
        Pages { done: Vec::new(), page: String::new(), y: PAGE.1 - MARGIN }
    }

    fn done(mut self) -> Vec<String> {
        self.done.push(self.page);
        self.done
    }

    /// Begins a new page where so much does not fit; says whether it did.
    fn room(&mut self, tall: f64) -> bool {
        let is_full = self.y - tall < BOTTOM;
        if is_full {
            self.done.push(std::mem::take(&mut self.page));
            self.y = PAGE.1 - MARGIN;
        }
        is_full
    }

    fn space(&mut self, tall: f64) {
        self.y -= tall;
    }

    fn add(&mut self, what: &str) {
        self.page.push_str(what);
    }

    fn words(&mut self, x: f64, y: f64, words: &str, font: Font, size: f64, colour: [f64; 3]) {
        if !words.is_empty() {
            let name = font.name();
            let line = format!(
                "BT {}/{name} {size:.2} Tf {x:.2} {y:.2} Td ({}) Tj ET\n",
                fill(colour),
                encoded(words)
            );
            self.add(&line);
        }
    }

    /// Words on the present line, or so far under it.
    fn at(&mut self, x: f64, under: f64, words: &str, font: Font, size: f64, colour: [f64; 3]) {
        self.words(x, self.y - under, words, font, size, colour);
    }

    fn rule(&mut self, colour: [f64; 3]) {
        let (from, to, y) = (MARGIN, PAGE.0 - MARGIN, self.y);
        self.add(&format!("q 0.5 w {}{from:.2} {y:.2} m {to:.2} {y:.2} l S Q\n", stroke(colour)));
    }

    fn paragraph(&mut self, text: &str, font: Font, size: f64, colour: [f64; 3]) {
        for line in wrapped(text, font, size, ACROSS) {
            self.room(size * 1.35);
            self.space(size * 1.35);
            self.at(MARGIN, 0.0, &line, font, size, colour);
        }
    }

    /// A row of a table: each cell in lines of its own.
    fn row(
        &mut self,
        cells: &[Vec<String>],
        widths: &[f64],
        is_figure: &[bool],
        font: Font,
        colour: [f64; 3],
    ) {
        let mut left = MARGIN;
        for ((lines, across), is_figure) in cells.iter().zip(widths).zip(is_figure) {
            for (number, line) in lines.iter().enumerate() {
                let by = if *is_figure { across - width(line, font, SIZE) } else { 0.0 };
                self.at(left + by, LINE * count(number), line, font, SIZE, colour);
            }
            left += across + GAP;
        }
    }
}

/// Text in lines that fit; a word that is too long for a line is cut.
fn wrapped(text: &str, font: Font, size: f64, room: f64) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let mut word = word.to_owned();
        loop {
            let longer = if line.is_empty() { word.clone() } else { format!("{line} {word}") };
            if width(&longer, font, size) <= room + 0.01 {
                line = longer;
                break;
            }
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
                continue;
            }
            let letters: Vec<char> = word.chars().collect();
            let fits = (1..=letters.len()).rev().find(|&count| {
                count == 1 || width(&letters[..count].iter().collect::<String>(), font, size) <= room
            });
            let (first, rest) = letters.split_at(fits.unwrap_or(letters.len()));
            lines.push(first.iter().collect());
            if rest.is_empty() {
                break;
            }
            word = rest.iter().collect();
        }
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

#[expect(clippy::cast_precision_loss, reason = "columns, lines and pages are few")]
fn count(number: usize) -> f64 {
    number as f64
}

/// The file: catalogue, pages, fonts, a page and its content by turns, and what the document is called.
fn written(title: &str, program: &str, pages: &[String]) -> Vec<u8> {
    const FIRST_PAGE: usize = 6;
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>"
            .to_owned(),
        {
            let kids: Vec<String> =
                (0..pages.len()).map(|page| format!("{} 0 R", FIRST_PAGE + 2 * page)).collect();
            format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), pages.len())
        },
    ];
    for font in [Font::Plain, Font::Bold] {
        objects.push(format!(
            "<< /Type /Font /Subtype /Type1 /BaseFont /{} /Encoding /WinAnsiEncoding >>",
            font.base()
        ));
    }
    objects.push(format!("<< /Title ({}) /Producer ({}) >>", encoded(title), encoded(program)));
    for (number, page) in pages.iter().enumerate() {
        let foot = format!("page {} of {}", number + 1, pages.len());
        let mut last = Pages { done: Vec::new(), page: page.clone(), y: 30.0 };
        last.at(MARGIN, 0.0, title, Font::Plain, 7.0, SOFT);
        last.at(PAGE.0 - MARGIN - width(&foot, Font::Plain, 7.0), 0.0, &foot, Font::Plain, 7.0, SOFT);
        let content = last.page;
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {} {}] /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> \
             /Contents {} 0 R >>",
            PAGE.0,
            PAGE.1,
            FIRST_PAGE + 2 * number + 1
        ));
        objects.push(format!("<< /Length {} >>\nstream\n{content}endstream", content.len()));
    }
    let mut file = "%PDF-1.4\n".to_owned();
    let mut places = String::new();
    for (number, object) in objects.iter().enumerate() {
        places += &format!("{:010} 00000 n \n", file.len());
        file += &format!("{} 0 obj\n{object}\nendobj\n", number + 1);
    }
    let (table, size) = (file.len(), objects.len() + 1);
    file += &format!("xref\n0 {size}\n0000000000 65535 f \n{places}");
    file += &format!("trailer\n<< /Size {size} /Root 1 0 R /Info 5 0 R >>\nstartxref\n{table}\n%%EOF\n");
    file.into_bytes()
}
