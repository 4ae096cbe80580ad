//! The Bonus, and the jackpot on five cards.

use super::class::HoleClass;
use super::counts::{ClassCounts, Deals};

/// Hole hands and dealer's hole hands: 1,326 · 1,225.
pub const BONUS_DEALS: u64 = 1_624_350;

/// The lines of the Bonus table (MTHB9 4.1.1), highest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BonusLine {
    /// Two aces, and the dealer has the other two.
    AcesAgainstAces,
    /// Two aces.
    Aces,
    /// Ace and King of one suit.
    AceKingSuited,
    /// Ace and Queen or Jack of one suit.
    AceQueenOrJackSuited,
    /// Ace and King of two suits.
    AceKing,
    /// Kings, Queens or Jacks.
    KingsToJacks,
    /// Ace and Queen or Jack of two suits.
    AceQueenOrJack,
    /// Tens down to Twos.
    TensToTwos,
}

impl BonusLine {
    /// All lines, highest first.
    pub const ALL: [BonusLine; 8] = [
        BonusLine::AcesAgainstAces,
        BonusLine::Aces,
        BonusLine::AceKingSuited,
        BonusLine::AceQueenOrJackSuited,
        BonusLine::AceKing,
        BonusLine::KingsToJacks,
        BonusLine::AceQueenOrJack,
        BonusLine::TensToTwos,
    ];

    /// The line of a class against a dealer without two aces, if it has one.
    pub fn of(class: HoleClass) -> Option<BonusLine> {
        match (class.rank_numbers(), class.is_suited()) {
            ((12, 12), _) => Some(BonusLine::Aces),
            ((12, 11), true) => Some(BonusLine::AceKingSuited),
            ((12, 9 | 10), true) => Some(BonusLine::AceQueenOrJackSuited),
            ((12, 11), false) => Some(BonusLine::AceKing),
            ((12, 9 | 10), false) => Some(BonusLine::AceQueenOrJack),
            ((a, b), _) if a == b => {
                Some(if 9 <= a { BonusLine::KingsToJacks } else { BonusLine::TensToTwos })
            }
            _ => None,
        }
    }

    /// In how many of [`BONUS_DEALS`] the line is met.
    pub fn combinations(self) -> u64 {
        match self {
            BonusLine::AcesAgainstAces => 6,
            BonusLine::Aces => 6 * 1224,
            line => {
                let classes = HoleClass::all().filter(|&class| BonusLine::of(class) == Some(line));
                classes.map(|class| class.combinations() * 1225).sum()
            }
        }
    }
}

/// Two aces against the other two, of all [`super::BOARDS_PER_HAND`] boards that leave four aces out.
///
/// 1,712,304 boards, each in 20 orders of flop, turn and river. The hands tie unless four or five board cards are of
/// the suit of one of the player's aces (or the dealer's): then that ace makes the higher flush. 495 · 36 boards have
/// four of a suit, 792 five. Of these 792, eight are straight flushes by themselves, and the ace betters only the one
/// from nine to king.
pub fn aces_against_aces() -> Deals {
    let flushes = 2 * (495 * 36 + 792);
    let on_board = 2 * 7;
    let mut wins = [0; 10];
    // With the ace: a royal with four of ten to king, or five from nine; a wheel with four of two to five and no six.
    let royals = 2 * (36 + 8);
    let wheels = 2 * (36 + 7);
    wins[9] = 20 * royals;
    wins[8] = 20 * wheels;
    wins[5] = 20 * (flushes - on_board - royals - wheels);
    let losses = wins.iter().sum();
    Deals { wins, ties: 20 * 1_712_304 - 2 * losses, losses }
}

impl ClassCounts {
    /// The deals of a class against a dealer with two aces if `aces`, or without: what the Bonus comes to when it
    /// follows the comparison of hands.
    ///
    /// Only two aces are told apart, as the table asks; for every other class all deals are "without".
    pub fn bonus_deals(&self, aces: bool) -> Deals {
        let all = self.showdowns();
        let against =
            if self.class.rank_numbers() == (12, 12) { aces_against_aces() } else { Deals::default() };
        if aces {
            return against;
        }
        let mut wins = all.wins;
        for (wins, others) in wins.iter_mut().zip(&against.wins) {
            *wins -= others;
        }
        Deals { wins, ties: all.ties - against.ties, losses: all.losses - against.losses }
    }
}

/// Hands of five cards by order, lowest first: hole cards and flop, of 2,598,960.
pub const FIVE_CARD_HANDS: [u64; 10] =
    [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4];
