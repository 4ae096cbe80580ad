//! Helvetica and its bold, two of the fourteen fonts that every reader of PDF has: how wide letters are, and how they are written.

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

/// How wide text is at a size.
pub fn width(text: &str, font: Font, size: f64) -> f64 {
    let widths = if font == Font::Bold { &BOLD } else { &PLAIN };
    let of = |byte: u8| f64::from(widths.get(usize::from(byte).wrapping_sub(32)).copied().unwrap_or(556));
    text.chars().flat_map(bytes).map(of).sum::<f64>() * size / 1_000.0
}

/// Text as a string of a page: brackets and backslashes escaped, what is not ASCII as octal numbers.
pub(super) fn encoded(text: &str) -> String {
    let mut string = String::new();
    for byte in text.chars().flat_map(bytes) {
        match byte {
            b'(' | b')' | b'\\' => string.extend(['\\', char::from(byte)]),
            32..=126 => string.push(char::from(byte)),
            _ => string.push_str(&format!("\\{byte:03o}")),
        }
    }
    string
}

/// A letter in the encoding of the fonts, or what stands for it there.
fn bytes(letter: char) -> Vec<u8> {
    match letter {
        '\u{2212}' => vec![0x96],
        '\u{2019}' => vec![0x92],
        '√' => b"sqrt ".to_vec(),
        _ => {
            let is_there = |byte: &u8| (0x20..0x7f).contains(byte) || 0xa0 <= *byte;
            vec![u8::try_from(letter).ok().filter(is_there).unwrap_or(b'?')]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters() {
        assert_eq!(encoded("a (b) \\ − ± √n"), r"a \(b\) \\ \226 \261 sqrt n");
        assert!((width("AV 1", Font::Plain, 10.0) - 21.68).abs() < 1e-9);
        assert!(width("AV 1", Font::Plain, 10.0) < width("AV 1", Font::Bold, 10.0));
    }
}
