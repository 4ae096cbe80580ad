//! What the lab answers with, as the API describes it: the lab writes these itself, and the tests here hold what it
//! writes against what is described.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Declares the objects of an answer. All derive the same, and none takes a field that it does not have.
macro_rules! objects {
    ($($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $field:ident: $type:ty),* $(,)? })*) => {
        $(
            $(#[$about])*
            #[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
            #[serde(deny_unknown_fields)]
            pub(in crate::api) struct $name { $($(#[$doc])* $field: $type),* }
        )*
    };
}

mod play;
mod simulation;

pub(in crate::api) use play::{AdviceAnswer, StrategyAnswer};
pub(in crate::api) use simulation::SimulationAnswer;

objects! {
    /// An exact number as a fraction, in decimal digits.
    Exactly {
        /// What stands above the line.
        numerator: String,
        /// What stands below it; positive.
        denominator: String,
    }

    /// A reading and the value it had.
    ReadingAnswer {
        /// Its name.
        name: String,
        /// Its value.
        value: String,
    }

    /// The Ante with all that follows from it, in Antes a round.
    BaseAnswer {
        /// What the Player wins.
        net: Exactly,
        /// What the house keeps of each Ante.
        house_edge: f64,
        /// What the house keeps of all that is wagered.
        element_of_risk: f64,
        /// What is wagered in a round.
        average_wager: f64,
        /// The standard deviation of a round.
        standard_deviation: f64,
        /// The square of what the Player wins.
        second_moment: Exactly,
        /// What the Player wagers.
        wagered: Exactly,
    }

    /// Deals with one outcome.
    OutcomeAnswer {
        /// Stud: the Player's hand.
        #[serde(default)]
        hand: Option<String>,
        /// Hold'em: `bet` or `check` on the Turn; `null` after a fold.
        #[serde(default)]
        turn: Option<String>,
        /// Hold'em: `bet` or `check` on the River; `null` after a fold.
        #[serde(default)]
        river: Option<String>,
        /// `fold`, `win-with-ante`, `no-hand`, `win`, `stand-off` or `lose`.
        result: String,
        /// In how many deals.
        deals: String,
        /// What each of them brings the Player, in Antes.
        net: i64,
    }

    /// How often which decision is made, in deals.
    DecisionsAnswer {
        /// Hold'em: the hole cards folded, lowest first.
        #[serde(default)]
        fold: Vec<String>,
        /// Deals folded.
        fold_deals: String,
        /// Hold'em: deals with a Turn wager.
        #[serde(default)]
        turn_bet_deals: Option<String>,
        /// Hold'em: deals with a River wager.
        #[serde(default)]
        river_bet_deals: Option<String>,
        /// Hold'em: deals in which the River decision was level, and so checked.
        #[serde(default)]
        river_level_deals: Option<String>,
        /// Stud: deals with a Bet.
        #[serde(default)]
        bet_deals: Option<String>,
    }

    /// A class of hole cards.
    HoleCardsAnswer {
        /// The class, such as `AKs`.
        class: String,
        /// How many of the 1,326 hole hands it has.
        combinations: u64,
        /// The value of the Flop wager with perfect play after it, in Antes.
        net: Exactly,
        /// What perfect play does: `bet` or `fold`.
        play: String,
    }

    /// An up card against which suits decide.
    UpCardAnswer {
        /// Its rank.
        up: String,
        /// When the hand bets.
        bets: String,
    }

    /// Stud hands next to each other in value that are played alike.
    StrategyRowAnswer {
        /// The lowest of them.
        from: String,
        /// The highest.
        to: String,
        /// How many of the 2,598,960 hands they are.
        hands: u32,
        /// The ranks of up card they bet against whatever the suits.
        bets_against: Vec<String>,
        /// The ranks of up card against which suits decide.
        depends: Vec<UpCardAnswer>,
    }

    /// A line of the Bonus table.
    BonusLineAnswer {
        /// The Player's hole cards.
        hole_cards: Vec<String>,
        /// The Dealer's, where the line asks for them.
        dealer: Vec<String>,
        /// What it pays, to one.
        pays: u32,
        /// In how many deals it is paid.
        deals: String,
        /// What it adds to the return, in Bonus wagers.
        r#return: Exactly,
    }

    /// The Bonus, in Bonus wagers.
    BonusAnswer {
        /// What the Player wins.
        net: Exactly,
        /// What the house keeps of each Bonus wager.
        house_edge: f64,
        /// The standard deviation of a Bonus wager.
        standard_deviation: f64,
        /// The square of what the Player wins.
        second_moment: Exactly,
        /// The deals the lines are counted over.
        deals: String,
        /// The lines, in the order of the table.
        lines: Vec<BonusLineAnswer>,
        /// Deals of hands in the table that lost the Bonus by a fold.
        folded_deals: String,
    }

    /// A line of the jackpot table.
    JackpotLineAnswer {
        /// The hand.
        hand: String,
        /// The cards it is made of.
        cards: String,
        /// What it pays.
        pays: String,
        /// In how many deals it is paid.
        deals: String,
    }

    /// A multiple of the minimum Jackpot wager.
    MultipleAnswer {
        /// How many times the minimum.
        multiple: u8,
        /// The wager in cents.
        wager_cents: u64,
        /// The least meter at which it loses nothing.
        break_even_meter: Option<u64>,
        /// What the last unit of it brings, its stake taken off, in units.
        #[serde(default)]
        last_unit_net: Option<Exactly>,
        /// What it brings at the meter named, its stake taken off, in cents.
        #[serde(default)]
        net_cents: Option<Exactly>,
    }

    /// Jackpot figures with folds that look at the Ante alone.
    AfterFoldsAnswer {
        /// The hole cards folded, lowest first.
        fold: Vec<String>,
        /// In how many deals each line is paid.
        lines: Vec<String>,
        /// What odds and fixed amounts return.
        fixed_return: Exactly,
        /// What that is in: `wagers` or `cents`.
        fixed_return_in: String,
        /// The same in cents.
        fixed_return_cents: Exactly,
        /// The least meter at which a minimum wager loses nothing.
        break_even_meter: Option<u64>,
    }

    /// The jackpot for one Player, alone in winning: the wager returns `fixed_return_cents` and `meter_weight` of the
    /// meter.
    JackpotAnswer {
        /// The wager these figures are for.
        wager_cents: u64,
        /// The lines, in the order of the table.
        lines: Vec<JackpotLineAnswer>,
        /// What odds and fixed amounts return.
        fixed_return: Exactly,
        /// What that is in: `wagers` or `cents`.
        fixed_return_in: String,
        /// The same in cents.
        fixed_return_cents: Exactly,
        /// The part of the meter that a wager wins on average.
        meter_weight: Exactly,
        /// The least meter, in cents, at which a minimum wager loses nothing.
        break_even_meter: Option<u64>,
        /// Where the wager may be multiplied: what each multiple brings.
        #[serde(default)]
        multiples: Vec<MultipleAnswer>,
        /// Where a fold loses lines of the table: the same if folds look at the Ante alone.
        #[serde(default)]
        base_game_folds: Option<AfterFoldsAnswer>,
        /// What the wager brings at the meter named, its stake taken off, in cents.
        #[serde(default)]
        net_cents: Option<Exactly>,
    }

    /// What the Player wins with folds that look at the Ante alone.
    PlayedAnswer {
        /// The hole cards folded, lowest first.
        fold: Vec<String>,
        /// What the Player wins, in cents a round.
        net: Exactly,
        /// What that loses against the best folds.
        cost: Exactly,
    }

    /// Ante and jackpot together, in cents a round.
    CombinedAnswer {
        /// What the Player wins.
        net: Exactly,
        /// The same, for drawing.
        net_cents: f64,
        /// Where the jackpot is part of the decision to fold.
        #[serde(default)]
        base_game_folds: Option<PlayedAnswer>,
    }

    /// The whole game under perfect play, in exact numbers.
    ExactAnswer {
        /// The rulebook.
        rulebook: String,
        /// The readings it was read by.
        readings: Vec<ReadingAnswer>,
        /// The Ante.
        ante_cents: u64,
        /// The Jackpot wager that is made; 0 for none.
        jackpot_wager_cents: u64,
        /// The meter, where it was named.
        meter_cents: Option<u64>,
        /// How many deals there are, all equally likely.
        deals: String,
        /// The Ante with all that follows from it.
        base: BaseAnswer,
        /// Every outcome that occurs.
        outcomes: Vec<OutcomeAnswer>,
        /// How often which decision is made.
        decisions: DecisionsAnswer,
        /// Hold'em: every class of hole cards, in the order of the chart.
        #[serde(default)]
        hole_cards: Vec<HoleCardsAnswer>,
        /// Stud: what each class of hands does against each up card, lowest first.
        #[serde(default)]
        strategy: Vec<StrategyRowAnswer>,
        /// The Bonus, where the game has one.
        #[serde(default)]
        bonus: Option<BonusAnswer>,
        /// The jackpot.
        jackpot: JackpotAnswer,
        /// Ante and jackpot together, where a Jackpot wager and a meter are named.
        #[serde(default)]
        combined: Option<CombinedAnswer>,
    }

    /// The game as it is, and as it would be.
    WhatIfAnswer {
        /// As it is.
        now: ExactAnswer,
        /// With the changes.
        then: ExactAnswer,
    }
}

#[cfg(test)]
mod tests {
    use lab::advice::{Situation, advise, parse_cards};
    use lab::exact::{Lab, Question};
    use lab::simulate::{JackpotSetup, Setup, run};
    use money::{Money, Pool, Rate};
    use serde::Serialize;
    use serde::de::DeserializeOwned;

    use super::{AdviceAnswer, ExactAnswer, SimulationAnswer, StrategyAnswer};

    /// What the lab wrote is what is described, field by field, and says the same.
    #[track_caller]
    fn described<T: DeserializeOwned + Serialize>(answer: &impl Serialize) {
        let written = serde_json::to_value(answer).expect("an answer has a JSON form");
        if let Err(error) = serde_json::from_value::<T>(written.clone()) {
            panic!("{error}: {written}");
        }
    }

    /// The answers of every book, with a jackpot and without one.
    #[test]
    fn answers_are_as_described() {
        let lab = Lab::new();
        let alone = Question::default();
        let with = Question { jackpot_wager_cents: 500, meter_cents: Some(100_000_000), ..alone };
        let cards = |text: &str| parse_cards(text).expect("cards");
        for book in rulebook::embedded() {
            for question in [alone, with] {
                described::<ExactAnswer>(&lab.exact(&book, &question).expect("an answer"));
                let situation = match book.game {
                    rulebook::Game::Holdem(_) => {
                        Situation::HoleCards(cards("As 2d").try_into().expect("two cards"))
                    }
                    rulebook::Game::Stud(_) => {
                        let hand = cards("As Ks Qd 7h 2c").try_into().expect("five cards");
                        Situation::Stud(hand, cards("9d")[0])
                    }
                };
                described::<AdviceAnswer>(&advise(&lab, &book, &question, situation).expect("advice"));
            }
            let strategy = lab::strategy::strategy(&lab, &book, &with).expect("a strategy");
            described::<StrategyAnswer>(&strategy);
            let mut setup = Setup::new(book);
            (setup.rounds, setup.session_rounds) = (2_000, 100);
            described::<SimulationAnswer>(&run(&setup, &lab, |_| {}).expect("a simulation"));
            setup.jackpot = Some(JackpotSetup {
                units: 1,
                minimum: Money::from_cents(500),
                meter: Pool::try_from(Money::from_cents(10_000_000)).expect("a meter"),
                contribution: Rate::from_basis_points(4_000).expect("a rate"),
                reset: Money::from_cents(10_000_000),
            });
            if matches!(setup.book.game, rulebook::Game::Holdem(_)) {
                setup.bonus = Money::from_cents(500);
            }
            described::<SimulationAnswer>(&run(&setup, &lab, |_| {}).expect("a simulation"));
        }
    }
}
