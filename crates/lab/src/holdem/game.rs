//! The base game solved from the counts: a re-weighting, in microseconds.

use cards::HandOrder;

use super::class::HoleClass;
use super::counts::{ClassCounts, Counts, DEALS, DEALS_PER_HAND, Deals};

/// What a winning Ante is paid, to one, by the order of the player's hand. Nothing is a stand-off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AntePays(pub [u8; 10]);

impl AntePays {
    /// Even money from `order` up.
    pub fn even_from(order: HandOrder) -> AntePays {
        AntePays(HandOrder::ALL.map(|held| u8::from(order <= held)))
    }
}

impl ClassCounts {
    /// The value of the Flop wager and perfect play after it, in Antes over [`DEALS_PER_HAND`].
    pub fn net(&self, ante: &AntePays) -> i64 {
        self.moment(ante, |won| won)
    }

    /// The sum over deals of the square of what is won, in Antes.
    pub fn second_moment(&self, ante: &AntePays) -> i64 {
        self.moment(ante, |won| won * won)
    }

    fn moment(&self, ante: &AntePays, of: impl Fn(i64) -> i64) -> i64 {
        let mut sum = 0;
        for (wagers, deals) in self.by_wagers() {
            for (&wins, &pays) in deals.wins.iter().zip(&ante.0) {
                sum += wins.cast_signed() * of(wagers + i64::from(pays));
            }
            sum += deals.losses.cast_signed() * of(-wagers - 1);
        }
        sum
    }

    /// The deals with the sum of Flop, Turn and River wagers, in Antes.
    fn by_wagers(&self) -> impl Iterator<Item = (i64, &Deals)> {
        let [[none, river], [turn, both]] = &self.deals;
        [(2, none), (3, river), (3, turn), (4, both)].into_iter()
    }
}

/// The result of a deal for the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Folded before the flop.
    Fold,
    /// Won, and the Ante was paid.
    WinWithAnte,
    /// Won, and the Ante stood off.
    Win,
    /// The hands were equal.
    StandOff,
    /// Lost.
    Lose,
}

/// Deals with one outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutcomeRow {
    /// Whether the Turn wager was made; nothing for a fold.
    pub turn: Option<bool>,
    /// Whether the River wager was made; nothing for a fold.
    pub river: Option<bool>,
    /// How it ended.
    pub result: Outcome,
    /// In how many of [`DEALS`].
    pub deals: u64,
}

/// The base game under perfect play with given folds: all figures in Antes over [`DEALS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// What the player wins.
    pub net: i64,
    /// The sum of squares of what the player wins.
    pub second_moment: i64,
    /// What the player wagers: Ante, Flop, Turn and River.
    pub wagered: u64,
    /// The classes folded.
    pub folds: Vec<HoleClass>,
    /// Deals folded.
    pub fold_deals: u64,
    /// Deals with a Turn wager.
    pub turn_bet_deals: u64,
    /// Deals with a River wager.
    pub river_bet_deals: u64,
    /// Played deals in which the river decision was level, and so checked.
    pub river_level_deals: u64,
    /// Every outcome that occurs.
    pub outcomes: Vec<OutcomeRow>,
}

impl Game {
    /// The player's expected loss in Antes.
    pub fn house_edge(&self) -> f64 {
        -ratio(self.net)
    }

    /// The average of all wagers in Antes.
    pub fn average_wager(&self) -> f64 {
        ratio(self.wagered.cast_signed())
    }

    /// The expected loss for each unit wagered.
    pub fn element_of_risk(&self) -> f64 {
        self.house_edge() / self.average_wager()
    }

    /// The standard deviation of a round in Antes.
    pub fn standard_deviation(&self) -> f64 {
        (ratio(self.second_moment) - ratio(self.net) * ratio(self.net)).sqrt()
    }
}

#[allow(clippy::cast_precision_loss, reason = "for reading only; exact figures are the integers")]
fn ratio(sum: i64) -> f64 {
    sum as f64 / DEALS as f64
}

impl Counts {
    /// Perfect play: a class is folded when playing it is worth no more than the Ante lost.
    pub fn solve(&self, ante: &AntePays) -> Game {
        self.with_folds(ante, |class| class.net(ante) <= -DEALS_PER_HAND.cast_signed())
    }

    /// Perfect play on turn and river, with the folds that `folds` says.
    pub fn with_folds(&self, ante: &AntePays, folds: impl Fn(&ClassCounts) -> bool) -> Game {
        let mut game = Game {
            net: 0,
            second_moment: 0,
            wagered: 0,
            folds: Vec::new(),
            fold_deals: 0,
            turn_bet_deals: 0,
            river_bet_deals: 0,
            river_level_deals: 0,
            outcomes: Vec::new(),
        };
        let mut played = [[Deals::default(); 2]; 2];
        for counts in self.classes() {
            let hands = counts.class.combinations();
            if folds(counts) {
                game.folds.push(counts.class);
                game.fold_deals += hands * DEALS_PER_HAND;
                continue;
            }
            game.net += hands.cast_signed() * counts.net(ante);
            game.second_moment += hands.cast_signed() * counts.second_moment(ante);
            game.river_level_deals += hands * counts.river_level;
            for (sums, deals) in played.as_flattened_mut().iter_mut().zip(counts.deals.as_flattened()) {
                *sums = sums.plus(&deals.times(hands));
            }
        }
        game.finish(ante, &played);
        game
    }
}

impl Game {
    /// Adds the folds, and tells what the rest came to.
    fn finish(&mut self, ante: &AntePays, played: &[[Deals; 2]; 2]) {
        self.net -= self.fold_deals.cast_signed();
        self.second_moment += self.fold_deals.cast_signed();
        let fold = OutcomeRow { turn: None, river: None, result: Outcome::Fold, deals: self.fold_deals };
        self.outcomes.push(fold);
        for (turn, rivers) in played.iter().enumerate() {
            for (river, deals) in rivers.iter().enumerate() {
                let paid =
                    deals.wins.iter().zip(&ante.0).filter(|&(_, &pays)| 0 < pays).map(|(wins, _)| wins).sum();
                let rows = [
                    (Outcome::WinWithAnte, paid),
                    (Outcome::Win, deals.won() - paid),
                    (Outcome::StandOff, deals.ties),
                    (Outcome::Lose, deals.losses),
                ];
                self.outcomes.extend(rows.map(|(result, deals)| OutcomeRow {
                    turn: Some(turn == 1),
                    river: Some(river == 1),
                    result,
                    deals,
                }));
                self.turn_bet_deals += turn as u64 * deals.all();
                self.river_bet_deals += river as u64 * deals.all();
            }
        }
        self.outcomes.retain(|row| 0 < row.deals);
        self.wagered = DEALS + 2 * (DEALS - self.fold_deals) + self.turn_bet_deals + self.river_bet_deals;
    }
}
