//! Advice and strategy.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Exactly, HoleCardsAnswer, StrategyRowAnswer};

objects! {
    /// A choice.
    ChoiceAnswer {
        /// `bet`, `check` or `fold`.
        action: String,
        /// What the round then brings, in Antes, without Bonus and jackpot.
        net: Exactly,
        /// The same, for drawing.
        value: f64,
        /// What Ante and jackpot bring together, in cents; where the jackpot is part of the choice.
        #[serde(default)]
        combined_cents: Option<Exactly>,
        /// The same, for drawing.
        #[serde(default)]
        combined_value: Option<f64>,
    }

    /// How the hands ahead compare, in deals.
    AheadAnswer {
        /// Hold'em: wins in which the Ante is paid.
        #[serde(default)]
        win_with_ante: Option<String>,
        /// Stud: the Dealer has no hand.
        #[serde(default)]
        no_hand: Option<String>,
        /// Wins; in hold'em, those in which the Ante stands off.
        win: String,
        /// Equal hands.
        stand_off: String,
        /// Losses.
        lose: String,
        /// All together.
        all: String,
    }

    /// What there is to choose, and what it is worth.
    AdviceAnswer {
        /// The wager in question: `Flop`, `Turn`, `River` or `Bet`.
        wager: String,
        /// What the cards are: a class of hole cards, or the order of the hand so far.
        hand: String,
        /// The choices, the wager first.
        choices: Vec<ChoiceAnswer>,
        /// The better one.
        best: String,
        /// What the other one costs: in cents where the jackpot is part of the choice, in Antes otherwise.
        other_costs: Exactly,
        /// What lies ahead if the wager is made, with perfect play after it.
        ahead: AheadAnswer,
    }

    /// Boards with one hand made so far.
    MadeAnswer {
        /// The hand.
        hand: String,
        /// How many boards there are with it.
        boards: u64,
        /// On how many of them the wager is made.
        bets: u64,
    }

    /// Where the bets of a class begin, by the hand made so far.
    FrontierAnswer {
        /// The class of hole cards.
        class: String,
        /// On the Turn.
        turn: Vec<MadeAnswer>,
        /// On the River.
        river: Vec<MadeAnswer>,
    }

    /// A way to play, and what it is worth, in Antes a round.
    PlayAnswer {
        /// Its name.
        name: String,
        /// What it says.
        says: String,
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
        /// What it costs against perfect play.
        cost: Exactly,
    }

    /// So many hands of one Player, one viewed and played perfectly, the others blind.
    SeveralHandsAnswer {
        /// How many hands.
        hands: u8,
        /// What they bring together, in Antes a round.
        net: Exactly,
        /// What that costs against viewing and playing each perfectly.
        cost: Exactly,
    }

    /// Perfect play in a form people use, and simpler play beside it.
    StrategyAnswer {
        /// The rulebook.
        rulebook: String,
        /// Hold'em: every class of hole cards, in the order of the chart.
        #[serde(default)]
        hole_cards: Vec<HoleCardsAnswer>,
        /// Hold'em: where bets on Turn and River begin.
        #[serde(default)]
        frontier: Vec<FrontierAnswer>,
        /// Stud: what each class of hands does against each up card.
        #[serde(default)]
        strategy: Vec<StrategyRowAnswer>,
        /// Perfect play first, then simpler ways to play.
        plays: Vec<PlayAnswer>,
        /// Several hands, one viewed and the others blind.
        several_hands: Vec<SeveralHandsAnswer>,
    }
}
