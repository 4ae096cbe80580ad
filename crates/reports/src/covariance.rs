//! What the results of two positions of one hold'em round have in common: they play against one Dealer's hand and with one
//! board. Counted over every deal of a board, a Dealer's hand and two hands, whose Players each play perfectly with what they
//! see themselves.
//!
//! For a board and a Dealer's hand the sum over two hands that share no card is, by inclusion and exclusion,
//! `S² - Σ T(c)² + Q`: all hands with all hands, less those that share a card, where a hand with itself was taken off twice.
//! `S` is the sum of what all hands bring, `T(c)` of those with a card, `Q` of the squares. Boards that look the same when suits
//! change names are counted once, with their number.
//!
//! The sums are kept, for they take some minutes of two cores to count. A test counts a part of them again, and others compare
//! single boards with every pair of hands, one by one; `UPDATE=1 cargo test --release -p reports --lib covariance` writes them anew.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    reason = "counts of deals fit, and lose nothing that matters in a covariance"
)]

#[cfg(test)]
mod counting;

use cards::{Card, CardSet, HandOrder, Rank, Suit};
use money::Odds;
use rulebook::{BonusFollows, BonusLine, Game, HoldemRules, HoleClass, PlayingArea, Rulebook};

/// One line a part of the boards: the sums of [`PairSums`] in their order.
const SUMS: &str = include_str!("covariance.txt");

/// Cards as numbers: four times the rank and the suit.
const CARDS: usize = 52;
/// All pairs of cards.
const PAIRS: usize = 1_326;

/// What a book pays, in Antes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Terms {
    /// The wagers on Flop, Turn and River.
    flop: i32,
    turn: i32,
    river: i32,
    /// The Ante is paid from this order on.
    ante_from: HandOrder,
    /// What a Bonus of one brings with each pair of cards, by [`pair_place`], whatever the Dealer has.
    bonus: Vec<i32>,
    /// What it brings with two Aces against two Aces.
    aces_against_aces: i32,
}

impl Terms {
    /// The terms of a book, if its wagers are paid even money.
    fn of(book: &Rulebook, rules: &HoldemRules) -> Option<Terms> {
        let even = [rules.ante, rules.flop, rules.turn, rules.river];
        let times = |area| book.multiple_of_ante(area).map(i32::from);
        let (flop, turn, river) =
            (times(PlayingArea::Flop)?, times(PlayingArea::Turn)?, times(PlayingArea::River)?);
        let aces = [Card::new(Rank::Ace, Suit::Clubs), Card::new(Rank::Ace, Suit::Spades)];
        let brings = |line: &BonusLine| match line.pays {
            Odds::To(odds) => i32::try_from(odds).ok(),
            Odds::For(_) => None,
        };
        let all: Vec<Card> = CardSet::FULL.iter().collect();
        let mut bonus = vec![-1; PAIRS];
        for high in 1..CARDS {
            for low in 0..high {
                let class = HoleClass::of([all[high], all[low]]);
                let mut lines = rules.bonus.iter().filter(|line| line.dealer.is_empty());
                if let Some(line) = lines.find(|line| line.hole_cards.contains(&class)) {
                    bonus[pair_place(high, low)] = brings(line)?;
                }
            }
        }
        let against_aces = rules.bonus.iter().find(|line| !line.dealer.is_empty());
        let aces_against_aces = match against_aces {
            None => bonus[pair_place(CARDS - 1, CARDS - 2)],
            Some(line) => brings(line)?,
        };
        let aces = vec![HoleClass::of(aces)];
        let needs_dealer = rules.bonus.iter().filter(|line| !line.dealer.is_empty());
        let is_plain = needs_dealer.clone().all(|line| line.hole_cards == aces && line.dealer == aces)
            && needs_dealer.count() <= 1
            && rules.bonus_follows == BonusFollows::HoleCards;
        (even == [Odds::To(1); 4] && is_plain).then_some(Terms {
            flop,
            turn,
            river,
            ante_from: rules.ante_pays_from,
            bonus,
            aces_against_aces,
        })
    }

    /// The terms that the kept sums were counted with.
    fn counted() -> Option<Terms> {
        let books = rulebook::embedded();
        let book = books.iter().find(|book| book.id == "megalink-holdem-v9")?;
        let Game::Holdem(rules) = &book.game else { return None };
        Terms::of(book, rules)
    }

    /// Whether an Ante with its later wagers brings the same under both.
    fn has_antes_of(&self, other: &Terms) -> bool {
        (self.flop, self.turn, self.river, self.ante_from)
            == (other.flop, other.turn, other.river, other.ante_from)
    }
}

/// How the results of one round vary together, in squares of an Ante or a Bonus of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Together {
    /// The covariance of what the Antes of two positions bring, with their later wagers.
    pub(crate) antes: f64,
    /// The same where a Bonus is wagered. `None` where the book pays it otherwise than the sums were counted with.
    pub(crate) bonus: Option<BonusTogether>,
}

/// How a Bonus varies with the other wagers of its round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BonusTogether {
    /// With the Ante of its own position,
    pub(crate) own_ante: f64,
    /// with that of another,
    pub(crate) other_ante: f64,
    /// with the Bonus of another.
    pub(crate) bonuses: f64,
}

/// How the results of the positions of one round vary together under a book, exactly. `None` where it is not counted: another
/// game, or other wagers and odds.
pub(crate) fn together(book: &Rulebook) -> Option<Together> {
    let Game::Holdem(rules) = &book.game else { return None };
    let (terms, counted) = (Terms::of(book, rules)?, Terms::counted()?);
    if !terms.has_antes_of(&counted) {
        return None;
    }
    let sums = kept();
    let antes = sums.covariance(sums.ante_ante, sums.ante, sums.ante);
    if terms != counted {
        return Some(Together { antes, bonus: None });
    }
    let (bonus, bonuses) = bonus_moments(&terms);
    let product = |sum: i128| ratio(sum, sums.deals) - ratio(sums.ante, sums.deals) * bonus;
    let bonus = BonusTogether {
        own_ante: product(sums.own_bonus),
        other_ante: product(sums.ante_bonus),
        bonuses: bonuses - bonus * bonus,
    };
    Some(Together { antes, bonus: Some(bonus) })
}

/// What a Bonus brings on the average, and what two of one round bring multiplied.
fn bonus_moments(terms: &Terms) -> (f64, f64) {
    // Over the first so many cards: the sum over pairs, and over two pairs that share no card.
    let over = |cards: usize| {
        let (mut sum, mut squares, mut with) = (0_i128, 0_i128, vec![0_i128; cards]);
        for high in 1..cards {
            for low in 0..high {
                let brings = i128::from(terms.bonus[pair_place(high, low)]);
                (sum, squares) = (sum + brings, squares + brings * brings);
                with[high] += brings;
                with[low] += brings;
            }
        }
        let shared: i128 = with.iter().map(|with| with * with).sum();
        (sum, sum * sum - shared + squares)
    };
    let (sum, product) = over(CARDS);
    let aces = terms.bonus[pair_place(CARDS - 1, CARDS - 2)];
    let more = f64::from(terms.aces_against_aces - aces);
    // Two Aces against two Aces: six hands of the Dealer, and one that is left. A third hand has none.
    let chance = 6.0 / (1_326.0 * 1_225.0);
    let without_aces = ratio(over(CARDS - 4).0, 1_128);
    let mean = ratio(sum, 1_326) + more * chance;
    (mean, ratio(product, 1_326 * 1_225) + 2.0 * more * chance * without_aces)
}

#[expect(clippy::cast_precision_loss, reason = "a covariance is for an interval that people read")]
fn ratio(sum: i128, of: i128) -> f64 {
    sum as f64 / of as f64
}

/// Sums over all deals of a board (flop, turn and river told apart), a Dealer's hand and two hands, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PairSums {
    /// How many deals there are.
    deals: i128,
    /// What the Ante with its later wagers brings the first Player, in Antes,
    ante: i128,
    /// its square,
    ante_squared: i128,
    /// its product with what it brings the second,
    ante_ante: i128,
    /// with the first Player's own Bonus,
    own_bonus: i128,
    /// with the second Player's Bonus.
    ante_bonus: i128,
}

impl PairSums {
    fn read(line: &str) -> Option<PairSums> {
        let mut numbers = line.split(' ').map(|number| number.parse::<i128>().ok());
        let mut next = || numbers.next().flatten();
        Some(PairSums {
            deals: next()?,
            ante: next()?,
            ante_squared: next()?,
            ante_ante: next()?,
            own_bonus: next()?,
            ante_bonus: next()?,
        })
    }

    fn plus(self, other: PairSums) -> PairSums {
        PairSums {
            deals: self.deals + other.deals,
            ante: self.ante + other.ante,
            ante_squared: self.ante_squared + other.ante_squared,
            ante_ante: self.ante_ante + other.ante_ante,
            own_bonus: self.own_bonus + other.own_bonus,
            ante_bonus: self.ante_bonus + other.ante_bonus,
        }
    }

    fn covariance(&self, product: i128, one: i128, other: i128) -> f64 {
        ratio(product, self.deals) - ratio(one, self.deals) * ratio(other, self.deals)
    }
}

/// The sums over all boards.
fn kept() -> PairSums {
    SUMS.lines().filter_map(PairSums::read).fold(PairSums::default(), PairSums::plus)
}

/// The place of two cards among all pairs: each card with each one numbered below it.
fn pair_place(one: usize, other: usize) -> usize {
    let (high, low) = if one < other { (other, one) } else { (one, other) };
    high * (high - 1) / 2 + low
}
