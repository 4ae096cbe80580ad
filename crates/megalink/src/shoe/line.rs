//! The lines between a shoe and this program.

use cards::Card;

/// What a shoe says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// It read a card.
    Card { number: u64, card: Card },
    /// It has just been switched on, and this will be the number of its next read.
    Hello { next: u64 },
}

/// A line that is none of these, or that was damaged on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Garbled;

/// Reads a numbered line: `C NUMBER CARD CHECKSUM` or `H NUMBER CHECKSUM`.
pub(super) fn numbered(line: &[u8]) -> Result<Said, Garbled> {
    let text = std::str::from_utf8(line).map_err(|_| Garbled)?;
    let (said, sum) = text.rsplit_once(' ').ok_or(Garbled)?;
    if sum != checksum(said) {
        return Err(Garbled);
    }
    let number = |digits: &str| {
        let is_plain = digits.bytes().all(|digit| digit.is_ascii_digit());
        digits.parse::<u64>().ok().filter(|number| is_plain && *number != 0).ok_or(Garbled)
    };
    match *said.split(' ').collect::<Vec<&str>>() {
        ["C", digits, card] => {
            Ok(Said::Card { number: number(digits)?, card: card.parse().map_err(|_| Garbled)? })
        }
        ["H", digits] => Ok(Said::Hello { next: number(digits)? }),
        _ => Err(Garbled),
    }
}

/// Reads a plain line: a card, the way people and labels write it.
pub(super) fn plain(line: &[u8]) -> Result<Card, Garbled> {
    let text = std::str::from_utf8(line).map_err(|_| Garbled)?;
    Card::parse_loose(text.trim()).map_err(|_| Garbled)
}

/// What this program says to a shoe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// Everything up to this number was taken.
    Taken(u64),
    /// Send again, from this number on.
    Again(u64),
    /// Play waits: send nothing until the next line.
    Wait,
}

impl Answer {
    /// As it is written, with its checksum.
    pub(super) fn line(self) -> String {
        let said = match self {
            Answer::Taken(number) => format!("A {number}"),
            Answer::Again(number) => format!("N {number}"),
            Answer::Wait => "W 0".to_owned(),
        };
        format!("{said} {}\r\n", checksum(&said))
    }
}

/// CRC-16/CCITT-FALSE (polynomial 0x1021, beginning with 0xFFFF), as four hexadecimal digits in capitals.
pub(super) fn checksum(text: &str) -> String {
    let sum = text.bytes().fold(0xFFFF_u16, |sum, byte| {
        (0..8).fold(sum ^ (u16::from(byte) << 8), |sum, _| {
            if sum & 0x8000 == 0 { sum << 1 } else { (sum << 1) ^ 0x1021 }
        })
    });
    format!("{sum:04X}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check value that every description of this checksum gives.
    #[test]
    fn the_checksum_is_the_one_it_says() {
        assert_eq!(checksum("123456789"), "29B1");
    }

    #[test]
    fn lines_are_read_strictly() {
        let card = |text: &str| numbered(format!("{text} {}", checksum(text)).as_bytes());
        let ace: Card = "As".parse().expect("a card");
        assert_eq!(card("C 17 As"), Ok(Said::Card { number: 17, card: ace }));
        assert_eq!(card("H 1"), Ok(Said::Hello { next: 1 }));
        for wrong in ["C 0 As", "C +1 As", "C 1 Ax", "C 1", "C  1 As", "D 1 As", "H x", "", "C 1 As As"] {
            assert_eq!(card(wrong), Err(Garbled), "{wrong:?}");
        }
        for damaged in ["C 17 As 0000", "C 17 As", "", " ", "\u{e9} 1"] {
            assert_eq!(numbered(damaged.as_bytes()), Err(Garbled), "{damaged:?}");
        }
        assert_eq!(numbered(&[0xFF, b' ', b'1']), Err(Garbled));
    }

    /// No line with one bit turned passes for another.
    #[test]
    fn every_turned_bit_is_noticed() {
        let line = format!("C 17 As {}", checksum("C 17 As"));
        for bit in 0..line.len() * 8 {
            let mut bytes = line.clone().into_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(numbered(&bytes), Err(Garbled), "bit {bit}");
        }
    }
}
