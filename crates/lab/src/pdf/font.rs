//! Helvetica and its bold, two of the fourteen fonts that every reader of PDF has: how wide letters are, and how they are written.
//! Chinese is written in a font of Adobe's collection GB1, which readers bring along or put another one in the place of.

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Font {
    Plain,
    Bold,
}

impl Font {
    /// The name in the content of a page.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Font::Plain => "F1",
            Font::Bold => "F2",
        }
    }

    /// The name that readers know it by.
    pub(super) const fn base(self) -> &'static str {
        match self {
            Font::Plain => "Helvetica",
            Font::Bold => "Helvetica-Bold",
        }
    }
}

/// The widths of the letters from the space to the tilde, in thousandths of the size, as Adobe's metrics have them.
const PLAIN: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
    556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];
const BOLD: [u16; 95] = [
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278,
    556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584,
    556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556,
    333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
];

/// What stands in WinAnsi's places from 0x80 to 0x9f, in their order; a space where nothing does.
const FURTHER: &str = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

/// The characters of Adobe-GB1 that are written with it, first and last: Greek and Cyrillic letters, numerals, punctuation, kana,
/// Bopomofo, ideographs and full-width forms. All of these have a glyph there.
const CHINESE: [(u16, u16); 18] = [
    (0x0391, 0x03a1),
    (0x03a3, 0x03a9),
    (0x03b1, 0x03c1),
    (0x03c3, 0x03c9),
    (0x0401, 0x0401),
    (0x0410, 0x044f),
    (0x0451, 0x0451),
    (0x2160, 0x216b),
    (0x2460, 0x2469),
    (0x3000, 0x3003),
    (0x3005, 0x3017),
    (0x3041, 0x3093),
    (0x30a1, 0x30f6),
    (0x3105, 0x3129),
    (0x4e00, 0x9fa5),
    (0xff01, 0xff5e),
    (0xffe0, 0xffe1),
    (0xffe3, 0xffe5),
];

/// A piece of text in one font.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Run {
    /// In one of the two fonts, in the encoding of Windows.
    Latin(Vec<u8>),
    /// In the Chinese font, in UCS-2.
    Chinese(Vec<u16>),
}

impl Run {
    /// How it is written: brackets and backslashes escaped, what is not ASCII as octal numbers; Chinese as hexadecimal ones.
    pub(super) fn encoded(&self) -> String {
        match self {
            Run::Latin(bytes) => {
                let mut string = "(".to_owned();
                for byte in bytes {
                    match byte {
                        b'(' | b')' | b'\\' => string.extend(['\\', char::from(*byte)]),
                        32..=126 => string.push(char::from(*byte)),
                        _ => string.push_str(&format!("\\{byte:03o}")),
                    }
                }
                string.push(')');
                string
            }
            Run::Chinese(letters) => {
                let digits: String = letters.iter().map(|letter| format!("{letter:04X}")).collect();
                format!("<{digits}>")
            }
        }
    }
}

/// Text in pieces of one font each.
pub(super) fn runs(text: &str) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for letter in text.chars() {
        match (chinese(letter), runs.last_mut()) {
            (Some(letter), Some(Run::Chinese(letters))) => letters.push(letter),
            (Some(letter), _) => runs.push(Run::Chinese(vec![letter])),
            (None, Some(Run::Latin(written))) => written.extend(bytes(letter)),
            (None, _) => runs.push(Run::Latin(bytes(letter))),
        }
    }
    runs
}

/// How wide text is at a size.
pub fn width(text: &str, font: Font, size: f64) -> f64 {
    let widths = if font == Font::Bold { &BOLD } else { &PLAIN };
    let of = |byte: u8| f64::from(widths.get(usize::from(byte).wrapping_sub(32)).copied().unwrap_or(556));
    let letter = |letter: char| match chinese(letter) {
        Some(_) => 1_000.0,
        None => bytes(letter).into_iter().map(of).sum::<f64>(),
    };
    text.chars().map(letter).sum::<f64>() * size / 1_000.0
}

/// Text that a reader shows outside the pages: as it is where it is ASCII, else in UTF-16.
pub(super) fn outside(text: &str) -> String {
    if text.is_ascii() {
        return Run::Latin(text.bytes().collect()).encoded();
    }
    Run::Chinese(std::iter::once(0xfeff).chain(text.encode_utf16()).collect()).encoded()
}

/// A letter in the encoding of the Chinese font, where it is written with that.
fn chinese(letter: char) -> Option<u16> {
    let letter = u16::try_from(u32::from(letter)).ok()?;
    CHINESE.iter().any(|(first, last)| (*first..=*last).contains(&letter)).then_some(letter)
}

/// A letter in the encoding of the two fonts, or what stands for it there. One that no font has is written as its number: whoever
/// reads it can look it up.
fn bytes(letter: char) -> Vec<u8> {
    let is_there = |byte: &u8| (0x20..0x7f).contains(byte) || 0xa0 <= *byte;
    if let Some(byte) = u8::try_from(letter).ok().filter(is_there) {
        return vec![byte];
    }
    let further = FURTHER.chars().position(|other| other == letter && other != ' ');
    match (letter, further.and_then(|place| u8::try_from(place).ok())) {
        ('\u{2212}', _) => vec![0x96],
        ('√', _) => b"sqrt ".to_vec(),
        (_, Some(place)) => vec![0x80 + place],
        (_, None) => format!("<U+{:04X}>", u32::from(letter)).into_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        runs(text).iter().map(Run::encoded).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn letters() {
        assert_eq!(written("a (b) \\ − ± √n"), r"(a \(b\) \\ \226 \261 sqrt n)");
        assert_eq!(written("“€”…"), r"(\223\200\224\205)");
        assert!((width("AV 1", Font::Plain, 10.0) - 21.68).abs() < 1e-9);
        assert!(width("AV 1", Font::Plain, 10.0) < width("AV 1", Font::Bold, 10.0));
    }

    /// Chinese has a font of its own; what no font has is written as its number.
    #[test]
    fn letters_of_other_scripts() {
        assert_eq!(written("Mr 陈伟, 2"), "(Mr ) <96484F1F> (, 2)");
        assert_eq!(written("ễ\u{1f0a1}\n"), "(<U+1EC5><U+1F0A1><U+000A>)");
        assert!((width("陈伟", Font::Bold, 10.0) - 20.0).abs() < 1e-9);
        assert_eq!(outside("Report"), "(Report)");
        assert_eq!(outside("陈"), "<FEFF9648>");
    }
}
