//! Hold'em: two hole cards each, five community cards, wagers on Flop, Turn and River.

use std::collections::BTreeSet;

use cards::HandOrder;
use money::Odds;
use serde::Deserialize;

use super::{GameRules, Outline, PayLine};
use crate::figures::BonusLine;
use crate::hole::HoleClass;
use crate::jackpot::JackpotCards;
use crate::readings::{AbsentBonus, BonusFollows, DEALER_CARDS_AFTER_RIVER};
use crate::rules;
use crate::table::PlayingArea;
use crate::validate::{ReadingTable, Wrong, keeps_the_wager, wrong};

const OUTLINE: Outline = Outline {
    name: "holdem",
    areas: &[
        PlayingArea::Ante,
        PlayingArea::Bonus,
        PlayingArea::Flop,
        PlayingArea::Turn,
        PlayingArea::River,
        PlayingArea::Jackpot,
    ],
    following: &[PlayingArea::Flop, PlayingArea::Turn, PlayingArea::River],
    hand_cards: 2,
    community_cards: 5,
    jackpot_cards: &[
        JackpotCards::HoleAndFlop,
        JackpotCards::HoleToTurn,
        JackpotCards::HoleToRiver,
        JackpotCards::HoleToRiverWithHoleCard,
        JackpotCards::Community,
    ],
    several_royals: false,
    cited: rules::HOLDEM,
};

/// The rules of a hold'em game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoldemRules {
    /// The lowest winning order of hand that also wins the Ante (3.10.2).
    pub ante_pays_from: HandOrder,
    /// The odds of a winning Ante.
    pub ante: Odds,
    /// The odds of a winning Flop.
    pub flop: Odds,
    /// The odds of a winning Turn.
    pub turn: Odds,
    /// The odds of a winning River.
    pub river: Odds,
    /// The Bonus table. The first line that matches pays.
    pub bonus: Vec<BonusLine>,
    /// Reading `bonus-follows`.
    pub bonus_follows: BonusFollows,
    /// Reading `absent-bonus`.
    pub absent_bonus: AbsentBonus,
}

/// The table `[holdem]` of a book, not yet checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Written {
    ante_pays_from: HandOrder,
    ante: Odds,
    flop: Odds,
    turn: Odds,
    river: Odds,
    bonus: Vec<WrittenBonus>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenBonus {
    hole_cards: Vec<HoleClass>,
    #[serde(default)]
    dealer: Vec<HoleClass>,
    pays: Odds,
}

impl Written {
    pub(crate) fn checked(self, readings: &mut ReadingTable) -> Result<HoldemRules, Wrong> {
        for (key, odds) in
            [("ante", self.ante), ("flop", self.flop), ("turn", self.turn), ("river", self.river)]
        {
            keeps_the_wager(&format!("holdem.{key}"), odds)?;
        }
        readings.take_settled(&DEALER_CARDS_AFTER_RIVER)?;
        Ok(HoldemRules {
            ante_pays_from: self.ante_pays_from,
            ante: self.ante,
            flop: self.flop,
            turn: self.turn,
            river: self.river,
            bonus: bonus(self.bonus)?,
            bonus_follows: readings.take()?,
            absent_bonus: readings.take()?,
        })
    }
}

fn bonus(written: Vec<WrittenBonus>) -> Result<Vec<BonusLine>, Wrong> {
    let mut bonus = Vec::with_capacity(written.len());
    let mut paid = BTreeSet::new();
    for line in written {
        keeps_the_wager("holdem.bonus", line.pays)?;
        if line.hole_cards.is_empty() {
            return wrong("holdem.bonus", "a line must name its hole cards");
        }
        for class in &line.hole_cards {
            // A line that also needs the Dealer's cards may be above the line without them.
            if !paid.insert((*class, line.dealer.is_empty()))
                || (!line.dealer.is_empty() && paid.contains(&(*class, true)))
            {
                return wrong(
                    "holdem.bonus",
                    format!("{class} appears twice, and its second line can never pay"),
                );
            }
        }
        bonus.push(BonusLine { hole_cards: line.hole_cards, dealer: line.dealer, pays: line.pays });
    }
    Ok(bonus)
}

impl GameRules for HoldemRules {
    fn outline(&self) -> &'static Outline {
        &OUTLINE
    }

    fn pay_lines(&self) -> Vec<PayLine> {
        let line = |area, key: &str, what: String, pays| {
            let keys = vec![format!("holdem.{key}")];
            PayLine { area, what, pays, keys }
        };
        let better = || "a better hand".to_owned();
        let from = format!("a better hand, {} or higher", self.ante_pays_from);
        let mut lines = vec![
            line(PlayingArea::Ante, "ante", from, self.ante),
            line(PlayingArea::Flop, "flop", better(), self.flop),
            line(PlayingArea::Turn, "turn", better(), self.turn),
            line(PlayingArea::River, "river", better(), self.river),
        ];
        lines.extend(self.bonus.iter().map(bonus_pay_line));
        lines
    }

    fn pays_in_words(&self) -> String {
        format!("Ante {} from a {} up", self.ante, self.ante_pays_from)
    }

    fn bonus_in_words(&self) -> Option<String> {
        let line = |line: &BonusLine| {
            let against = if line.dealer.is_empty() {
                String::new()
            } else {
                format!(" against {}", names(&line.dealer).join(" "))
            };
            format!("{}{against} {}", names(&line.hole_cards).join(" "), line.pays)
        };
        Some(self.bonus.iter().map(line).collect::<Vec<_>>().join("; "))
    }

    fn ante_pays_from(&self) -> Option<HandOrder> {
        Some(self.ante_pays_from)
    }
}

fn bonus_pay_line(line: &BonusLine) -> PayLine {
    let (hole_cards, dealer) = (names(&line.hole_cards), names(&line.dealer));
    let mut what = hole_cards.join(", ");
    if !dealer.is_empty() {
        what.push_str(" against ");
        what.push_str(&dealer.join(", "));
    }
    // A key names at most one class of the Dealer's hole cards.
    let tail = dealer.first().map_or_else(String::new, |dealer| format!(".{dealer}"));
    let keys = hole_cards.iter().map(|class| format!("holdem.bonus.{class}{tail}")).collect();
    PayLine { area: PlayingArea::Bonus, what, pays: line.pays, keys }
}

fn names(classes: &[HoleClass]) -> Vec<String> {
    classes.iter().map(ToString::to_string).collect()
}
