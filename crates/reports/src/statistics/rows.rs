//! The answer, as plain data.

use serde::Serialize;

use super::cards::CardTest;

/// What the rounds of some gaming days say.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Statistics {
    /// The gaming days.
    pub from: String,
    pub to: String,
    /// Rounds that were read, and decisions that were judged.
    pub rounds: u64,
    pub decisions: u64,
    /// Of those who stand out, the share of the honest that is expected at most.
    pub level: f64,
    /// What was left out of the decision test, and why.
    pub left_out: Vec<LeftOut>,
    /// The Players, those with the strongest evidence first.
    pub players: Vec<PlayerStatistics>,
    /// Two Players at one table: did the first know the second's hand? The strongest evidence first.
    pub pairs: Vec<Pair>,
    pub dealers: Vec<Group>,
    pub tables: Vec<Group>,
    /// Jackpots beside their chances.
    pub jackpots: Vec<RareCount>,
    /// Cards of each table and deck, the least likely first.
    pub cards: Vec<CardTest>,
    /// The shuffles of tables dealt by software.
    pub shuffles: Vec<Shuffle>,
}

/// Hands that the decision test leaves out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = LeftOutHands))]
pub struct LeftOut {
    pub why: String,
    pub hands: u64,
}

/// What was won and what was expected, in cents; a Player's as the Player sees it, a table's and a Dealer's as the house.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MoneyResult {
    pub rounds: u64,
    /// Wagered on all areas.
    pub handle_cents: i64,
    /// What was won, without the Jackpot.
    pub result_cents: i64,
    /// What is expected with the decisions that were made.
    pub expected_cents: f64,
    /// The standard deviation.
    pub deviation_cents: f64,
    pub z: f64,
    /// Decisions, and those that were not the best.
    pub decisions: u64,
    pub mistakes: u64,
    /// What the decisions cost: exactly, as a fraction, and for reading.
    pub cost_exact: String,
    pub cost_cents: f64,
}

/// The decision test of one kind of hidden card.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DecisionTest {
    /// What was hidden, in words.
    pub hidden: String,
    pub rounds: u64,
    /// The sum of X and its exact standard deviation, in Antes.
    pub x: f64,
    pub deviation: f64,
    pub z: f64,
    /// The logarithm of the evidence to base ten: with 4, an honest Player comes this far once in 10,000 times at most.
    pub evidence: f64,
    /// The sum of X as it went.
    pub course: Vec<Point>,
    /// The rounds that say most.
    pub telling: Vec<Telling>,
}

/// The sum of X after so many rounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = CoursePoint))]
pub struct Point {
    pub rounds: u64,
    pub x: f64,
    pub deviation: f64,
}

/// A round that says much.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = TellingRound))]
pub struct Telling {
    pub table: String,
    pub round: u64,
    pub x: f64,
    /// How many times likelier the choices are with the hidden card known in one round of four.
    pub times: f64,
}

/// A Player.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PlayerStatistics {
    pub player: String,
    #[serde(flatten)]
    pub result: MoneyResult,
    /// The evidence of all kinds of hidden cards together, as a logarithm to base ten.
    pub evidence: f64,
    /// Whether the Player stands out among all Players and pairs.
    pub stands_out: bool,
    /// By kind of hidden card, the strongest first.
    pub tests: Vec<DecisionTest>,
}

/// Two Players.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = PairStatistics))]
pub struct Pair {
    pub player: String,
    /// Whose hand the first may have known.
    pub neighbour: String,
    pub stands_out: bool,
    pub test: DecisionTest,
}

/// A table or a Dealer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = GroupStatistics))]
pub struct Group {
    pub name: String,
    #[serde(flatten)]
    pub result: MoneyResult,
    /// The evidence over all Players together, as a logarithm to base ten.
    pub evidence: f64,
    /// Whether it stands out among all of its kind.
    pub stands_out: bool,
    pub tests: Vec<DecisionTest>,
}

/// Something rare.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RareCount {
    pub table: String,
    pub rulebook: String,
    /// The wagers, and how many of them won any line.
    pub wagers: u64,
    pub found: u64,
    pub expected: f64,
    /// The exact chance to be at least as far off.
    pub p: f64,
}

/// The shuffles of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ShuffleStatistics))]
pub struct Shuffle {
    pub table: String,
    pub decks: u64,
    /// How many tests were made; none where there are too few decks.
    pub tests: u64,
    /// The least p-value, corrected for their number, and its test.
    pub least: Option<f64>,
    pub test: Option<String>,
    /// Whether it passes at the level of the report.
    pub passes: bool,
}
