//! The table of a script.

use std::ops::RangeInclusive;
use std::sync::Arc;

use money::Money;
use round::TableRules;
use rulebook::{Limits, Means, PlayingArea, Rulebook};

use super::words;

/// The settings of a `table` line. Settings that it omits keep their default values.
pub(super) struct Header {
    letter: Option<char>,
    pub(super) positions: u8,
    method: Option<String>,
    ante: RangeInclusive<Money>,
    bonus: Option<RangeInclusive<Money>>,
    jackpot: Option<Money>,
    means: Option<Means>,
}

impl Header {
    pub(super) fn usual(book: &Rulebook) -> Header {
        let dollars = |amount: u64| Money::from_cents(amount * 100);
        let has_bonus = book.areas().contains(&PlayingArea::Bonus);
        Header {
            letter: None,
            positions: 6,
            method: None,
            ante: dollars(25)..=dollars(1000),
            bonus: has_bonus.then(|| dollars(5)..=dollars(500)),
            jackpot: Some(dollars(5)),
            means: None,
        }
    }

    pub(super) fn read(&mut self, text: &str) -> Result<(), String> {
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word:?} needs a value"));
            match word {
                "limits" => self.ante = range(value()?)?,
                "bonus" => self.bonus = Some(range(value()?)?),
                "jackpot" => {
                    self.jackpot =
                        Some(value()?).filter(|word| *word != "none").map(words::money).transpose()?;
                }
                "credits" => self.means = Some(Means::Credits),
                "chips" => self.means = Some(Means::Chips),
                "A" | "B" | "C" | "D" => self.letter = word.chars().next(),
                _ => match word.parse() {
                    Ok(positions) => self.positions = positions,
                    Err(_) => self.method = Some(word.to_owned()),
                },
            }
        }
        Ok(())
    }

    pub(super) fn rules(&self, book: &Arc<Rulebook>) -> Result<TableRules, String> {
        let limits = Limits { ante: self.ante.clone(), bonus: self.bonus.clone() };
        let rules =
            TableRules::new(Arc::clone(book), self.positions, limits, self.method.as_deref(), self.jackpot);
        let rules = rules.and_then(|rules| rules.on_layout(self.letter));
        let rules = rules.and_then(|rules| rules.jackpot_by(self.means));
        rules.map_err(|error| error.to_string())
    }

    pub(super) fn method_place(&self, book: &Rulebook) -> usize {
        let named = |method: &rulebook::Method| self.method.as_ref() == Some(&method.name);
        book.methods.iter().position(named).unwrap_or(0)
    }
}

fn range(word: &str) -> Result<RangeInclusive<Money>, String> {
    let (min, max) = word.split_once('-').ok_or_else(|| format!("{word:?} is not a range of limits"))?;
    Ok(words::money(min)?..=words::money(max)?)
}
