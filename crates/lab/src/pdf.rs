//! A PDF: text and tables on numbered A4 pages, in two of the fonts that every reader of PDF has. Names and words in Chinese are
//! in a third one, which is named and not brought along; what they say is in the file, for searching and copying.
//!
//! A PDF is numbered objects and a table of where each begins. Nothing here needs more than eight kinds of them, so they are
//! written out; the streams are not compressed, and the same pages give the same bytes.

mod font;

use std::collections::BTreeSet;

pub use font::{Font, width};
use font::{Run, outside, runs};

/// How the paper lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    Portrait,
    Landscape,
}

impl Paper {
    const fn size(self) -> (f64, f64) {
        match self {
            Paper::Portrait => (595.0, 842.0),
            Paper::Landscape => (842.0, 595.0),
        }
    }
}

pub const MARGIN: f64 = 46.0;
/// The lowest line of text above the foot.
const BOTTOM: f64 = 56.0;

pub const INK: [f64; 3] = [0.10, 0.12, 0.11];
pub const SOFT: [f64; 3] = [0.42, 0.45, 0.43];
pub const GREEN: [f64; 3] = [0.07, 0.37, 0.25];
pub(crate) const BRASS: [f64; 3] = [0.60, 0.42, 0.08];
pub const LOST: [f64; 3] = [0.64, 0.20, 0.16];
pub(crate) const HAIR: [f64; 3] = [0.82, 0.84, 0.82];

/// The name of the Chinese font in the content of a page.
const CHINESE: &str = "F3";

const SIZE: f64 = 7.2;
const SMALL: f64 = 5.2;
const LINE: f64 = 9.0;
const GAP: f64 = 8.0;

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// What stands above it, if anything.
    pub caption: String,
    pub titles: Vec<String>,
    /// Each cell with what stands under it in small letters, if anything.
    pub rows: Vec<Vec<(String, String)>>,
    /// Which columns are set to the right.
    pub is_figure: Vec<bool>,
    /// Whether the titles are shown.
    pub has_heading: bool,
    /// Whether its last row is a sum.
    pub has_total: bool,
}

impl Grid {
    /// Whether no cell has to be broken into lines.
    pub fn fits(&self, pages: &Pages) -> bool {
        self.natural().iter().sum::<f64>() <= self.room(pages)
    }

    /// How wide each column is where nothing is broken into lines.
    fn natural(&self) -> Vec<f64> {
        let column = |place: usize| {
            let head = width(&self.titles[place], Font::Bold, SIZE);
            self.rows.iter().fold(head, |most, row| {
                let (shown, fraction) = &row[place];
                most.max(width(shown, Font::Plain, SIZE)).max(width(fraction, Font::Plain, SMALL))
            })
        };
        (0..self.titles.len()).map(column).collect()
    }

    /// How wide all columns may be together.
    fn room(&self, pages: &Pages) -> f64 {
        pages.across() - GAP * count(self.titles.len().saturating_sub(1))
    }
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

pub(crate) fn stroke([r, g, b]: [f64; 3]) -> String {
    format!("{r:.2} {g:.2} {b:.2} RG ")
}

pub(crate) fn fill([r, g, b]: [f64; 3]) -> String {
    format!("{r:.2} {g:.2} {b:.2} rg ")
}

/// Pages in the making. `y` is the line of the next text, from the foot of the page.
pub struct Pages {
    paper: Paper,
    done: Vec<String>,
    page: String,
    y: f64,
    /// The letters that are written in the Chinese font.
    chinese: BTreeSet<u16>,
}

impl Pages {
    /// An empty document.
    pub fn new(paper: Paper) -> Pages {
        Pages {
            paper,
            done: Vec::new(),
            page: String::new(),
            y: paper.size().1 - MARGIN,
            chinese: BTreeSet::new(),
        }
    }

    /// How wide a line may be.
    pub fn across(&self) -> f64 {
        self.paper.size().0 - 2.0 * MARGIN
    }

    /// Where the present line is, from the foot of the page.
    pub(crate) const fn line(&self) -> f64 {
        self.y
    }

    /// Begins a new page where so much does not fit; says whether it did.
    pub fn room(&mut self, tall: f64) -> bool {
        let is_full = self.y - tall < BOTTOM;
        if is_full {
            self.done.push(std::mem::take(&mut self.page));
            self.y = self.paper.size().1 - MARGIN;
        }
        is_full
    }

    /// Leaves so much room.
    pub fn space(&mut self, tall: f64) {
        self.y -= tall;
    }

    pub(crate) fn add(&mut self, what: &str) {
        self.page.push_str(what);
    }

    pub(crate) fn words(&mut self, x: f64, y: f64, words: &str, font: Font, size: f64, colour: [f64; 3]) {
        if words.is_empty() {
            return;
        }
        let mut line = format!("BT {}", fill(colour));
        for (place, run) in runs(words).iter().enumerate() {
            let name = match run {
                Run::Latin(_) => font.name(),
                Run::Chinese(letters) => {
                    self.chinese.extend(letters);
                    CHINESE
                }
            };
            let begin = if place == 0 { format!("{x:.2} {y:.2} Td ") } else { String::new() };
            line += &format!("/{name} {size:.2} Tf {begin}{} Tj ", run.encoded());
        }
        line += "ET\n";
        self.add(&line);
    }

    /// Words on the present line, or so far under it.
    pub fn at(&mut self, x: f64, under: f64, words: &str, font: Font, size: f64, colour: [f64; 3]) {
        self.words(x, self.y - under, words, font, size, colour);
    }

    fn rule(&mut self, colour: [f64; 3]) {
        let (from, to, y) = (MARGIN, self.paper.size().0 - MARGIN, self.y);
        self.add(&format!("q 0.5 w {}{from:.2} {y:.2} m {to:.2} {y:.2} l S Q\n", stroke(colour)));
    }

    /// Text across the page, in as many lines as it takes.
    pub fn paragraph(&mut self, text: &str, font: Font, size: f64, colour: [f64; 3]) {
        for line in wrapped(text, font, size, self.across()) {
            self.room(size * 1.35);
            self.space(size * 1.35);
            self.at(MARGIN, 0.0, &line, font, size, colour);
        }
    }

    /// A table. Its heading is repeated on each page that it goes on to.
    ///
    /// # Panics
    /// Where a row has fewer cells than there are titles.
    pub fn grid(&mut self, grid: &Grid) {
        self.space(6.0);
        let mut widths = grid.natural();
        narrow(&mut widths, grid.room(self));
        if !grid.caption.is_empty() {
            self.room(50.0);
            self.paragraph(&grid.caption, Font::Bold, 8.5, INK);
            self.space(1.0);
        }
        self.room(40.0);
        self.space(LINE);
        if grid.has_heading {
            self.heading(grid, &widths);
        }
        let last = grid.rows.len().saturating_sub(1);
        for (number, row) in grid.rows.iter().enumerate() {
            let lines: Vec<Vec<String>> = row
                .iter()
                .zip(&widths)
                .map(|((shown, _), width)| wrapped(shown, Font::Plain, SIZE, *width))
                .collect();
            let has_fraction = row.iter().any(|(_, fraction)| !fraction.is_empty());
            let tall = LINE * count(lines.iter().map(Vec::len).max().unwrap_or(1))
                + if has_fraction { 6.5 } else { 0.0 };
            if self.room(tall) && grid.has_heading {
                self.space(LINE);
                self.heading(grid, &widths);
            }
            let font = if grid.has_total && number == last { Font::Bold } else { Font::Plain };
            self.row(&lines, &widths, &grid.is_figure, font, INK);
            let mut left = MARGIN;
            for (((_, fraction), width_of), is_figure) in row.iter().zip(&widths).zip(&grid.is_figure) {
                let by = if *is_figure { width_of - width(fraction, Font::Plain, SMALL) } else { 0.0 };
                self.at(left + by, LINE - 2.5, fraction, Font::Plain, SMALL, SOFT);
                left += width_of + GAP;
            }
            self.space(tall + 1.5);
        }
        self.space(2.0);
    }

    /// The titles of a table's columns.
    fn heading(&mut self, grid: &Grid, widths: &[f64]) {
        let titles: Vec<Vec<String>> = grid
            .titles
            .iter()
            .zip(widths)
            .map(|(title, width)| wrapped(title, Font::Bold, SIZE, *width))
            .collect();
        let lines = titles.iter().map(Vec::len).max().unwrap_or(1);
        self.row(&titles, widths, &grid.is_figure, Font::Bold, SOFT);
        self.space(LINE * count(lines) - LINE + 3.0);
        self.rule(HAIR);
        self.space(LINE);
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

/// The objects of the Chinese font, the first with this number: a font of Adobe's collection GB1 that readers of PDF know by name,
/// and what the letters that are used mean, so that they can be searched for and copied without knowing the collection.
fn chinese_font(number: usize, letters: &BTreeSet<u16>) -> [String; 4] {
    const NAME: &str = "STSong-Light";
    let letters: Vec<&u16> = letters.iter().collect();
    let meanings: String = letters
        .chunks(100)
        .map(|chunk| {
            let lines: String =
                chunk.iter().map(|letter| format!("<{letter:04X}> <{letter:04X}>\n")).collect();
            format!("{} beginbfchar\n{lines}endbfchar\n", chunk.len())
        })
        .collect();
    let map = format!(
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) \
         /Supplement 0 >> def\n/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n1 begincodespacerange\n<0000> <FFFF>\n\
         endcodespacerange\n{meanings}endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
    );
    [
        format!(
            "<< /Type /Font /Subtype /Type0 /BaseFont /{NAME} /Encoding /UniGB-UCS2-H /DescendantFonts [{} 0 R] /ToUnicode {} 0 R >>",
            number + 1,
            number + 3
        ),
        format!(
            "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /{NAME} /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) \
             /Supplement 2 >> /FontDescriptor {} 0 R /DW 1000 >>",
            number + 2
        ),
        format!(
            "<< /Type /FontDescriptor /FontName /{NAME} /Flags 6 /FontBBox [-25 -254 1000 880] /ItalicAngle 0 /Ascent 880 \
             /Descent -120 /CapHeight 880 /StemV 93 >>"
        ),
        format!("<< /Length {} >>\nstream\n{map}endstream", map.len()),
    ]
}

/// The file: catalogue, pages, fonts, a page and its content by turns, and what the document is called.
pub fn written(title: &str, program: &str, document: Pages) -> Vec<u8> {
    const FIRST_PAGE: usize = 6;
    let Pages { paper, done: mut pages, page, mut chinese, .. } = document;
    pages.push(page);
    chinese.extend(runs(title).iter().flat_map(|run| match run {
        Run::Latin(_) => [].as_slice(),
        Run::Chinese(letters) => letters,
    }));
    let third = if chinese.is_empty() {
        String::new()
    } else {
        format!(" /{CHINESE} {} 0 R", FIRST_PAGE + 2 * pages.len())
    };
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
    objects.push(format!("<< /Title {} /Producer {} >>", outside(title), outside(program)));
    for (number, page) in pages.iter().enumerate() {
        let foot = format!("page {} of {}", number + 1, pages.len());
        let mut last = Pages { page: page.clone(), y: 30.0, ..Pages::new(paper) };
        last.at(MARGIN, 0.0, title, Font::Plain, 7.0, SOFT);
        last.at(paper.size().0 - MARGIN - width(&foot, Font::Plain, 7.0), 0.0, &foot, Font::Plain, 7.0, SOFT);
        let content = last.page;
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {} {}] /Resources << /Font << /F1 3 0 R /F2 4 0 R{third} >> >> \
             /Contents {} 0 R >>",
            paper.size().0,
            paper.size().1,
            FIRST_PAGE + 2 * number + 1
        ));
        objects.push(format!("<< /Length {} >>\nstream\n{content}endstream", content.len()));
    }
    if !chinese.is_empty() {
        objects.extend(chinese_font(objects.len() + 1, &chinese));
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
