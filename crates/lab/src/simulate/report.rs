//! What a simulation found, as plain data. Its serialised form is that of `megalink lab simulate --json`.

use cards::HandOrder;
use money::Money;
use rulebook::{JackpotCards, Pays};
use serde::Serialize;

use super::estimate::Estimate;
use crate::exact::OutcomeRow;

/// A whole simulation. Nothing in it depends on how many threads worked.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = SimulationAnswer))]
pub struct Report {
    /// The book's id.
    pub rulebook: String,
    /// How the players played.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub strategy: &'static str,
    pub seed: u64,
    /// Rounds dealt.
    pub rounds: u64,
    /// Players in each.
    pub players: u8,
    /// Hands, one a player a round.
    pub hands: u64,
    /// The wagers of each player.
    pub wagers: Wagers,
    /// The Ante with all that follows from it: net a hand, in Antes.
    pub base: Estimate,
    /// All wagers on Ante and what follows, a hand, in Antes.
    pub average_wager: f64,
    /// Everything together: net a hand, in Antes.
    pub total: Estimate,
    /// How hands ended, and how often each way.
    pub outcomes: Vec<OutcomeEstimate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bonus: Option<BonusReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jackpot: Option<JackpotReport>,
    /// Results of single hands, everything together.
    pub results: Vec<Bin>,
    /// The first player's sessions.
    pub sessions: Sessions,
    pub house: House,
    /// What a reader should know.
    pub notes: Vec<String>,
}

/// The wagers of each player, in cents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = WagersAnswer))]
pub struct Wagers {
    #[cfg_attr(feature = "schema", schema(value_type = u64))]
    pub ante: Money,
    /// The Bonus; 0 for none.
    #[cfg_attr(feature = "schema", schema(value_type = u64))]
    pub bonus: Money,
    /// The Jackpot wager; 0 for none.
    #[cfg_attr(feature = "schema", schema(value_type = u64))]
    pub jackpot: Money,
}

/// How often hands ended in one way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = OutcomeEstimateAnswer))]
pub struct OutcomeEstimate {
    /// The way, with what it brings and in how many deals it should come.
    #[serde(flatten)]
    pub outcome: OutcomeRow,
    /// Hands that ended so.
    pub hands: u64,
    /// The share of all hands.
    pub frequency: Estimate,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = BonusReportAnswer))]
pub struct BonusReport {
    /// Net a Bonus wager.
    pub net: Estimate,
    /// How often each payment came.
    pub lines: Vec<BonusEstimate>,
}

/// How often the Bonus was paid at some odds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = BonusEstimateAnswer))]
pub struct BonusEstimate {
    /// The odds.
    pub pays: String,
    /// Hands paid so.
    pub hands: u64,
    /// The share of all hands.
    pub frequency: Estimate,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = JackpotReportAnswer))]
pub struct JackpotReport {
    /// What odds and fixed amounts paid a wager, in wagers.
    pub fixed_return: Estimate,
    /// What shares of the meter paid a wager, in wagers. Expected is what the meters played for were worth to hands
    /// that win alone.
    pub award_return: Estimate,
    /// How often each line was paid.
    pub lines: Vec<LineEstimate>,
    /// Rounds between awards.
    pub intervals: Option<Intervals>,
    /// What became of the meter.
    pub meter: MeterReport,
}

/// How often a line of the jackpot table was paid.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = LineEstimateAnswer))]
pub struct LineEstimate {
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub hand: HandOrder,
    /// The cards it is made of.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub cards: JackpotCards,
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub pays: Pays,
    /// Hands paid on it.
    pub hands: u64,
    /// The share of all hands.
    pub frequency: Estimate,
    /// What it took from the meter in all, in cents.
    #[cfg_attr(feature = "schema", schema(value_type = u64))]
    pub awarded: Money,
}

/// Rounds from one share of the meter to the next, the first from the start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = IntervalsAnswer))]
pub struct Intervals {
    /// How many there were.
    pub awards: u64,
    pub mean: f64,
    /// What the mean should be, for hands that win alone.
    pub expected: f64,
    pub shortest: u64,
    /// The one in the middle.
    pub median: u64,
    pub longest: u64,
}

/// What became of the meter, in ten-thousandths of a cent where it says so: `end` is `start` and `contributions` and
/// `resets` less `awards`, to the last of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MeterReportAnswer))]
pub struct MeterReport {
    /// The meter at the start, in ten-thousandths of a cent.
    pub start_ten_thousandths: u64,
    /// The meter at the end.
    pub end_ten_thousandths: u64,
    /// The highest it stood.
    pub highest_ten_thousandths: u64,
    /// All contributions.
    pub contributions_ten_thousandths: u64,
    /// All reset amounts put in, in cents.
    #[cfg_attr(feature = "schema", schema(value_type = u64))]
    pub resets: Money,
    /// All awards, in cents.
    #[cfg_attr(feature = "schema", schema(value_type = u64))]
    pub awards: Money,
}

/// Hands that brought between so many and so many Antes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = BinAnswer))]
pub struct Bin {
    /// From; none for everything below.
    pub from: Option<i64>,
    /// To, exclusive; none for everything above.
    pub to: Option<i64>,
    pub hands: u64,
}

/// Sessions of the first player.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = SessionsAnswer))]
pub struct Sessions {
    /// Rounds of each.
    pub rounds: u32,
    /// How many were kept.
    pub count: u64,
    /// The share that ended ahead.
    pub ahead: f64,
    /// What they ended at, in Antes.
    pub end: Vec<Percentile>,
    /// The chance to have lost a bankroll at some time within a session.
    pub ruin: Vec<Ruin>,
    /// Percentiles of the bankroll as sessions went on, in Antes.
    pub course: Vec<CourseAt>,
    /// The first sessions, in Antes at the same places.
    pub paths: Vec<Vec<f64>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = PercentileAnswer))]
pub struct Percentile {
    /// Which, in per cent.
    pub percent: u8,
    /// Its value.
    pub antes: f64,
}

/// The chance to lose a bankroll.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = RuinAnswer))]
pub struct Ruin {
    /// The bankroll, in Antes.
    pub bankroll: f64,
    pub chance: f64,
    pub standard_error: f64,
}

/// Percentiles at one place of a session.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = CourseAnswer))]
pub struct CourseAt {
    /// After how many rounds.
    pub rounds: u64,
    pub percentiles: Vec<Percentile>,
}

/// The house's result. What goes to the meter leaves it, and so does each reset amount; what the meter pays does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = HouseAnswer))]
pub struct House {
    /// What it won in all, in ten-thousandths of a cent.
    pub result_ten_thousandths: i64,
    /// The most it was ever down from where it began: what it had to hold.
    pub most_down_ten_thousandths: i64,
    /// The deepest fall from a height to a later low.
    pub deepest_fall_ten_thousandths: i64,
}
