//! A simulation.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Exactly;

objects! {
    /// The mean of something over many hands.
    EstimateAnswer {
        /// The mean.
        mean: f64,
        /// Its standard error.
        standard_error: f64,
        /// The interval that covers the true value in 95 of 100 simulations.
        interval: [f64; 2],
        /// The exact value, where it is known.
        #[serde(default)]
        exact: Option<Exactly>,
        /// The exact value for reading, or an expectation that depends on how the meter went.
        #[serde(default)]
        expected: Option<f64>,
        /// How many standard errors the mean lies above it.
        #[serde(default)]
        errors_above: Option<f64>,
    }

    /// The wagers of each Player, in cents.
    WagersAnswer {
        /// The Ante.
        ante: u64,
        /// The Bonus.
        bonus: u64,
        /// The Jackpot wager.
        jackpot: u64,
    }

    /// How often hands ended in one way.
    OutcomeEstimateAnswer {
        /// Stud: the Player's hand.
        #[serde(default)]
        hand: Option<String>,
        /// Hold'em: `bet` or `check` on the Turn.
        #[serde(default)]
        turn: Option<String>,
        /// Hold'em: `bet` or `check` on the River.
        #[serde(default)]
        river: Option<String>,
        /// How it ended.
        result: String,
        /// In how many deals it should.
        deals: String,
        /// What it brings, in Antes.
        net: i64,
        /// Hands that ended so.
        hands: u64,
        /// Their share.
        frequency: EstimateAnswer,
    }

    /// How often the Bonus was paid at some odds.
    BonusEstimateAnswer {
        /// The odds.
        pays: String,
        /// Hands paid so.
        hands: u64,
        /// Their share.
        frequency: EstimateAnswer,
    }

    /// The Bonus.
    BonusReportAnswer {
        /// Net a Bonus wager.
        net: EstimateAnswer,
        /// How often each payment came.
        lines: Vec<BonusEstimateAnswer>,
    }

    /// How often a line of the jackpot table was paid.
    LineEstimateAnswer {
        /// The hand.
        hand: String,
        /// The cards it is made of.
        cards: String,
        /// What it pays.
        pays: String,
        /// Hands paid on it.
        hands: u64,
        /// Their share.
        frequency: EstimateAnswer,
        /// What it took from the meter, in cents.
        awarded: u64,
    }

    /// Rounds from one share of the meter to the next.
    IntervalsAnswer {
        /// How many there were.
        awards: u64,
        /// Their mean.
        mean: f64,
        /// What it should be.
        expected: f64,
        /// The shortest.
        shortest: u64,
        /// The one in the middle.
        median: u64,
        /// The longest.
        longest: u64,
    }

    /// What became of the meter.
    MeterReportAnswer {
        /// At the start, in ten-thousandths of a cent.
        start_ten_thousandths: u64,
        /// At the end.
        end_ten_thousandths: u64,
        /// The highest it stood.
        highest_ten_thousandths: u64,
        /// All contributions.
        contributions_ten_thousandths: u64,
        /// All reset amounts put in, in cents.
        resets: u64,
        /// All awards, in cents.
        awards: u64,
    }

    /// The jackpot.
    JackpotReportAnswer {
        /// What odds and fixed amounts paid a wager, in wagers.
        fixed_return: EstimateAnswer,
        /// What shares of the meter paid a wager, in wagers.
        award_return: EstimateAnswer,
        /// How often each line was paid.
        lines: Vec<LineEstimateAnswer>,
        /// Rounds between awards.
        intervals: Option<IntervalsAnswer>,
        /// What became of the meter.
        meter: MeterReportAnswer,
    }

    /// Hands that brought between so many and so many Antes.
    BinAnswer {
        /// From; `null` for everything below.
        from: Option<i64>,
        /// To, exclusive; `null` for everything above.
        to: Option<i64>,
        /// Hands.
        hands: u64,
    }

    /// A percentile.
    PercentileAnswer {
        /// Which, in per cent.
        percent: u8,
        /// Its value.
        antes: f64,
    }

    /// The chance to lose a bankroll within a session.
    RuinAnswer {
        /// The bankroll, in Antes.
        bankroll: f64,
        /// The chance.
        chance: f64,
        /// Its standard error.
        standard_error: f64,
    }

    /// Percentiles at one place of a session.
    CourseAnswer {
        /// After how many rounds.
        rounds: u64,
        /// The percentiles.
        percentiles: Vec<PercentileAnswer>,
    }

    /// Sessions of the first Player.
    SessionsAnswer {
        /// Rounds of each.
        rounds: u32,
        /// How many were kept.
        count: u64,
        /// The share that ended ahead.
        ahead: f64,
        /// What they ended at, in Antes.
        end: Vec<PercentileAnswer>,
        /// The chance to have lost a bankroll at some time.
        ruin: Vec<RuinAnswer>,
        /// Percentiles as sessions went on.
        course: Vec<CourseAnswer>,
        /// The first sessions, in Antes at the same places.
        paths: Vec<Vec<f64>>,
    }

    /// The house's result, in ten-thousandths of a cent.
    #[expect(clippy::struct_field_names, reason = "the lab names the unit in each")]
    HouseAnswer {
        /// What it won.
        result_ten_thousandths: i64,
        /// The most it was ever down from where it began.
        most_down_ten_thousandths: i64,
        /// The deepest fall from a height to a later low.
        deepest_fall_ten_thousandths: i64,
    }

    /// What a simulation found.
    SimulationAnswer {
        /// The rulebook.
        rulebook: String,
        /// How the Players played.
        strategy: String,
        /// The seed.
        seed: u64,
        /// Rounds dealt.
        rounds: u64,
        /// Players in each.
        players: u8,
        /// Hands, one a Player a round.
        hands: u64,
        /// The wagers of each Player.
        wagers: WagersAnswer,
        /// The Ante with all that follows from it: net a hand, in Antes.
        base: EstimateAnswer,
        /// All wagers on Ante and what follows, a hand, in Antes.
        average_wager: f64,
        /// Everything together: net a hand, in Antes.
        total: EstimateAnswer,
        /// How hands ended.
        outcomes: Vec<OutcomeEstimateAnswer>,
        /// The Bonus.
        #[serde(default)]
        bonus: Option<BonusReportAnswer>,
        /// The jackpot.
        #[serde(default)]
        jackpot: Option<JackpotReportAnswer>,
        /// Results of single hands, everything together.
        results: Vec<BinAnswer>,
        /// The first Player's sessions.
        sessions: SessionsAnswer,
        /// The house.
        house: HouseAnswer,
        /// What a reader should know.
        notes: Vec<String>,
    }
}
