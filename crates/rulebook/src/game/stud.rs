//! Stud: five cards each, no community cards, one wager that follows the Ante.

use std::collections::BTreeMap;

use cards::{HandOrder, Rank};
use money::Odds;
use serde::Deserialize;

use super::{GameRules, Outline, PayLine};
use crate::figures::Figures;
use crate::jackpot::JackpotCards;
use crate::readings::DeclinedNoHand;
use crate::rules;
use crate::table::PlayingArea;
use crate::validate::{ReadingTable, Wrong, keeps_the_wager, wrong};

const OUTLINE: Outline = Outline {
    name: "stud",
    areas: &[PlayingArea::Ante, PlayingArea::Bet, PlayingArea::Jackpot],
    following: &[PlayingArea::Bet],
    hand_cards: 5,
    community_cards: 0,
    jackpot_cards: &[JackpotCards::Hand],
    several_royals: true,
    cited: rules::STUD,
};

/// The rules of a stud game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudRules {
    /// The two ranks that the Dealer needs if the hand has no pair or better (3.10.2), higher first. Where both are the
    /// same, the Dealer needs a pair of them or better.
    pub dealer_needs: [Rank; 2],
    /// The odds of a winning Ante.
    pub ante: Odds,
    /// The odds of a winning Bet, by the winning hand.
    pub bet: Figures,
    /// Reading `declined-no-hand`.
    pub declined_no_hand: DeclinedNoHand,
}

/// The table `[stud]` of a book, not yet checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Written {
    dealer_needs: String,
    ante: Odds,
    bet: BTreeMap<HandOrder, Odds>,
}

impl Written {
    pub(crate) fn checked(&self, readings: &mut ReadingTable) -> Result<StudRules, Wrong> {
        keeps_the_wager("stud.ante", self.ante)?;
        let letters: Vec<char> = self.dealer_needs.chars().collect();
        let ranks: Vec<Rank> = letters
            .iter()
            .filter_map(|letter| Rank::ALL.into_iter().find(|rank| rank.letter() == *letter))
            .collect();
        let [high, low] = ranks[..] else {
            return wrong("stud.dealer_needs", "write the two ranks the Dealer needs, such as \"AK\"");
        };
        if high < low || letters.len() != 2 {
            return wrong("stud.dealer_needs", "write two ranks, the higher one first");
        }
        let mut odds = [Odds::To(1); 10];
        for (place, order) in odds.iter_mut().zip(HandOrder::ALL) {
            let Some(pays) = self.bet.get(&order) else {
                return wrong("stud.bet", format!("lacks {}", order.name()));
            };
            keeps_the_wager("stud.bet", *pays)?;
            *place = *pays;
        }
        Ok(StudRules {
            dealer_needs: [high, low],
            ante: self.ante,
            bet: Figures::new(odds),
            declined_no_hand: readings.take()?,
        })
    }
}

impl GameRules for StudRules {
    fn outline(&self) -> &'static Outline {
        &OUTLINE
    }

    fn pay_lines(&self) -> Vec<PayLine> {
        let ante = PayLine {
            area: PlayingArea::Ante,
            what: "a better hand, or the Dealer has none".to_owned(),
            pays: self.ante,
            keys: vec!["stud.ante".to_owned()],
        };
        let bet = HandOrder::ALL.into_iter().map(|order| PayLine {
            area: PlayingArea::Bet,
            what: order.to_string(),
            pays: self.bet.odds(order),
            keys: vec![format!("stud.bet.{}", order.name())],
        });
        std::iter::once(ante).chain(bet).collect()
    }

    fn pays_in_words(&self) -> String {
        let [high, low] = self.dealer_needs.map(Rank::letter);
        let bet = HandOrder::ALL.into_iter().rev().map(|order| self.bet.odds(order).to_string());
        let bet = bet.map(|odds| odds.replace(" to 1", "")).collect::<Vec<_>>().join("/");
        format!("Ante {}; Bet {bet} to 1; the Dealer needs {high}-{low}", self.ante)
    }

    fn bonus_in_words(&self) -> Option<String> {
        None
    }
}
