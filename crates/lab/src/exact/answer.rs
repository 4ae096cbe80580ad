//! The answer, as plain data. Its serialised form is that of `megalink lab exact --json`.

use cards::HandOrder;
use rulebook::{HoleClass, JackpotCards, Pays, Reading, Rulebook};
use serde::ser::{SerializeStruct, Serializer};
use serde::{Deserialize, Serialize};

use super::fraction::Fraction;
use super::question::Question;

/// A whole game under perfect play.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ExactAnswer))]
pub struct Exact {
    /// The book's id.
    pub rulebook: String,
    /// The readings it was read by.
    pub readings: Vec<ReadingValue>,
    #[serde(flatten)]
    pub asked: Asked,
    /// How many deals there are, all equally likely.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub deals: u64,
    /// The Ante with all that follows from it.
    pub base: Base,
    /// Every outcome that occurs.
    pub outcomes: Vec<OutcomeRow>,
    /// How often which decision is made.
    pub decisions: Decisions,
    /// Hold'em: every class of hole cards, in the order of the chart.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hole_cards: Vec<HoleCards>,
    /// Stud: what each class of hands does against each up card, lowest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub strategy: Vec<StrategyRow>,
    /// The Bonus, where the game has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bonus: Option<Bonus>,
    pub jackpot: Jackpot,
    /// Ante and jackpot together, where a jackpot wager and a meter are named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub combined: Option<Combined>,
    /// What silence brings at a table without staff, where it is no fold (reading `silence`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub silence: Option<SilenceWorth>,
}

/// A reading and the value it had.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ReadingAnswer))]
pub struct ReadingValue {
    pub name: String,
    pub value: String,
}

impl Exact {
    /// An answer with no outcomes, decisions and strategy yet.
    pub(crate) fn new(book: &Rulebook, asked: Asked, deals: u64, base: Base, jackpot: Jackpot) -> Exact {
        Exact {
            rulebook: book.id.clone(),
            readings: ReadingValue::all(&book.readings),
            asked,
            deals,
            base,
            outcomes: Vec::new(),
            decisions: Decisions::default(),
            hole_cards: Vec::new(),
            strategy: Vec::new(),
            bonus: None,
            jackpot,
            combined: None,
            silence: None,
        }
    }

    /// Whether the rows of [`Exact::outcomes`] go by the player's hand, rather than by the Turn and River wagers.
    pub fn outcomes_are_by_hand(&self) -> bool {
        self.outcomes.iter().any(|row| row.hand.is_some())
    }
}

impl ReadingValue {
    fn all(readings: &[Reading]) -> Vec<ReadingValue> {
        let of =
            |reading: &Reading| ReadingValue { name: reading.name.clone(), value: reading.value.clone() };
        readings.iter().map(of).collect()
    }
}

/// The amounts the answer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = AskedAnswer))]
pub struct Asked {
    pub ante_cents: u64,
    /// The jackpot wager that is made; 0 for none.
    pub jackpot_wager_cents: u64,
    /// The meter, if it is known.
    pub meter_cents: Option<u64>,
}

impl Asked {
    pub(crate) const fn of(question: &Question) -> Asked {
        Asked {
            ante_cents: question.ante_cents,
            jackpot_wager_cents: question.jackpot_wager_cents,
            meter_cents: question.meter_cents,
        }
    }
}

/// The Ante with all that follows from it, without Bonus and jackpot, in Antes a round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = BaseAnswer))]
pub struct Base {
    /// What the player wins, over all deals.
    pub net: Fraction,
    /// What the house keeps of each Ante.
    pub house_edge: f64,
    /// What the house keeps of all that is wagered.
    pub element_of_risk: f64,
    /// What is wagered in a round, in Antes.
    pub average_wager: f64,
    /// The standard deviation of a round, in Antes.
    pub standard_deviation: f64,
    /// The square of what the player wins, over all deals.
    pub second_moment: Fraction,
    /// What the player wagers, over all deals.
    pub wagered: Fraction,
}

impl Base {
    pub(crate) fn new(net: Fraction, second_moment: Fraction, wagered: Fraction) -> Base {
        let house_edge = 0.0 - net.value();
        Base {
            net,
            house_edge,
            element_of_risk: house_edge / wagered.value(),
            average_wager: wagered.value(),
            standard_deviation: deviation(net, second_moment),
            second_moment,
            wagered,
        }
    }
}

fn deviation(net: Fraction, second_moment: Fraction) -> f64 {
    let mean = net.value();
    (second_moment.value() - mean * mean).max(0.0).sqrt()
}

/// A Player who views the hand and stays silent wherever that brings more than the first wager. All wagers come back to
/// a silent Player (5.11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = SilenceAnswer))]
pub struct SilenceWorth {
    /// What the Player wins with the Ante alone, in Antes a round.
    pub net: Fraction,
    /// How much more that is than perfect play wins.
    pub gain: Fraction,
    /// Deals in which the Player stays silent.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub silent_deals: u64,
    /// The same with every wager of the game placed.
    pub every_wager: EveryWager,
}

/// What silence brings with a Bonus wager as large as the Ante, and with the jackpot wager that is named, at its meter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = EveryWagerAnswer))]
pub struct EveryWager {
    /// The Bonus wager; 0 where the game has none.
    pub bonus_cents: u64,
    /// The jackpot wager; 0 where none is named, or no meter.
    pub jackpot_wager_cents: u64,
    /// What the Player wins with all wagers together, in cents a round.
    pub net_cents: Fraction,
    /// How much more that is than perfect play wins with the same wagers, in cents a round.
    pub gain_cents: Fraction,
}

/// What is done where a wager may be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ActionAnswer))]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// No wager, and the hand goes on.
    Check,
    /// The wager is made.
    Bet,
    /// No wager, and the hand is over.
    Fold,
}

impl Action {
    /// The name in data.
    pub const fn name(self) -> &'static str {
        match self {
            Action::Check => "check",
            Action::Bet => "bet",
            Action::Fold => "fold",
        }
    }
}

/// How a round ends for the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = EndingAnswer))]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The hand was folded.
    Fold,
    /// Hold'em: won, and the Ante was paid.
    WinWithAnte,
    /// Stud: the dealer has no hand.
    NoHand,
    /// Won; in hold'em, the Ante stood off.
    Win,
    /// The hands were equal.
    StandOff,
    /// Lost.
    Lose,
}

impl Ending {
    /// The name in data.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Fold => "fold",
            Ending::WinWithAnte => "win-with-ante",
            Ending::NoHand => "no-hand",
            Ending::Win => "win",
            Ending::StandOff => "stand-off",
            Ending::Lose => "lose",
        }
    }
}

/// Deals with one outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = OutcomeAnswer))]
pub struct OutcomeRow {
    /// Stud: the player's hand.
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub hand: Option<HandOrder>,
    /// Hold'em: what was done on the turn; `None` after a fold.
    pub turn: Option<Action>,
    /// Hold'em: what was done on the river; `None` after a fold.
    pub river: Option<Action>,
    /// How it ended.
    pub result: Ending,
    /// In how many deals.
    pub deals: u64,
    /// What each of them brings the player, in Antes.
    pub net: i64,
}

impl Serialize for OutcomeRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("OutcomeRow", 5)?;
        if let Some(hand) = self.hand {
            fields.serialize_field("hand", hand.name())?;
        } else {
            fields.serialize_field("turn", &self.turn)?;
            fields.serialize_field("river", &self.river)?;
        }
        fields.serialize_field("result", &self.result)?;
        fields.serialize_field("deals", &self.deals.to_string())?;
        fields.serialize_field("net", &self.net)?;
        fields.end()
    }
}

/// How often which decision is made, in deals. Decisions that the game does not have are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = DecisionsAnswer))]
pub struct Decisions {
    /// Hold'em: the classes of hole cards folded, lowest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Vec<String>>))]
    pub fold: Option<Vec<HoleClass>>,
    /// Deals folded.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub fold_deals: u64,
    /// Hold'em: deals with a Turn wager.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_text_option")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub turn_bet_deals: Option<u64>,
    /// Hold'em: deals with a River wager.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_text_option")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub river_bet_deals: Option<u64>,
    /// Hold'em: played deals in which the river decision was level, and so checked.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_text_option")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub river_level_deals: Option<u64>,
    /// Stud: deals with a Bet.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_text_option")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub bet_deals: Option<u64>,
}

impl Decisions {
    /// Every decision the game has, with its name and deals.
    pub fn rows(&self) -> Vec<(&'static str, u64)> {
        let rows = [
            ("fold", Some(self.fold_deals)),
            ("turn bet", self.turn_bet_deals),
            ("river bet", self.river_bet_deals),
            ("river level, checked", self.river_level_deals),
            ("bet", self.bet_deals),
        ];
        rows.into_iter().filter_map(|(name, deals)| Some((name, deals?))).collect()
    }
}

/// A class of hole cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = HoleCardsAnswer))]
pub struct HoleCards {
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub class: HoleClass,
    /// How many of the 1,326 hole hands it has.
    pub combinations: u64,
    /// The value of making the Flop wager and playing perfectly after it, in Antes, better than a fold or not.
    pub net: Fraction,
    /// What perfect play does.
    pub play: Action,
}

/// Stud hands next to each other in value that are played alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = StrategyRowAnswer))]
pub struct StrategyRow {
    /// The lowest of them, such as `A-K-4-3-2`.
    pub from: String,
    /// The highest of them.
    pub to: String,
    /// How many of the 2,598,960 hands they are.
    pub hands: u32,
    /// The ranks of up card it bets against whatever the suits.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub bets_against: Vec<&'static str>,
    /// The ranks of up card against which suits decide.
    pub depends: Vec<UpCard>,
}

/// An up card against which the decision depends on which of the hand's cards share its suit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = UpCardAnswer))]
pub struct UpCard {
    /// Its rank.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub up: &'static str,
    /// When the hand bets.
    pub bets: String,
}

/// The Bonus, in Bonus wagers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = BonusAnswer))]
pub struct Bonus {
    /// What the player wins.
    pub net: Fraction,
    /// What the house keeps of each Bonus wager.
    pub house_edge: f64,
    /// The standard deviation of a Bonus wager.
    pub standard_deviation: f64,
    /// The square of what the player wins.
    pub second_moment: Fraction,
    /// The deals the lines are counted over.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub deals: u64,
    /// The lines, in the order of the table.
    pub lines: Vec<BonusRow>,
    /// Deals of hands in the table that lost the Bonus by a fold.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub folded_deals: u64,
}

impl Bonus {
    /// A Bonus with no lines yet.
    pub(crate) fn new(net: Fraction, second_moment: Fraction) -> Bonus {
        Bonus {
            net,
            house_edge: 0.0 - net.value(),
            standard_deviation: deviation(net, second_moment),
            second_moment,
            deals: 0,
            lines: Vec::new(),
            folded_deals: 0,
        }
    }
}

/// A line of the Bonus table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = BonusLineAnswer))]
pub struct BonusRow {
    /// The player's hole cards.
    pub hole_cards: Vec<String>,
    /// The dealer's, where the line asks for them.
    pub dealer: Vec<String>,
    /// What it pays, to one.
    pub pays: u32,
    /// In how many of [`Bonus::deals`] it is paid.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub deals: u64,
    /// What it adds to the return, in Bonus wagers.
    #[serde(rename = "return")]
    pub returned: Fraction,
}

/// The jackpot for one player, alone in winning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = JackpotAnswer))]
pub struct Jackpot {
    /// The wager these figures are for.
    pub wager_cents: u64,
    /// The lines, in the order of the table.
    pub lines: Vec<JackpotRow>,
    /// Deals in which two lines are paid together. They are in [`Jackpot::lines`] twice.
    #[serde(skip)]
    pub paid_together: Vec<PaidTogether>,
    /// What odds and fixed amounts bring, on average.
    #[serde(flatten)]
    pub fixed_return: FixedReturn,
    /// The share of the meter that a wager wins, on average.
    pub meter_weight: Fraction,
    /// The least meter, in cents, at which a minimum wager loses nothing; none if the meter is never won.
    pub break_even_meter: Option<u64>,
    /// Where the wager may be multiplied: what each multiple brings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub multiples: Vec<Multiple>,
    /// Where a fold loses lines of the table: the same figures if folds look at the Ante alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_game_folds: Option<AfterFolds>,
    /// What the wager brings at the meter named, its stake taken off, in cents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub net_cents: Option<Fraction>,
}

/// Two lines of the jackpot table that one wager is paid on in the same deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaidTogether {
    /// Their places in the table.
    pub lines: [usize; 2],
    pub deals: u64,
}

impl Jackpot {
    /// The deals in which any line is paid, each counted once.
    pub fn hit_deals(&self) -> u64 {
        let twice: u64 = self.paid_together.iter().map(|both| both.deals).sum();
        self.lines.iter().map(|line| line.deals).sum::<u64>() - twice
    }

    /// What the wager returns at a meter of so many cents, in cents; its stake is not taken off.
    pub fn return_cents(&self, meter_cents: u64) -> Fraction {
        self.fixed_return.cents.plus(self.meter_weight.times(Fraction::whole(meter_cents)))
    }
}

/// What odds and fixed amounts bring, on average.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = FixedReturnAnswer))]
pub struct FixedReturn {
    /// In units of the wager where all such lines pay odds, in cents otherwise.
    #[serde(rename = "fixed_return")]
    pub amount: Fraction,
    /// Which of the two: `wagers` or `cents`.
    #[serde(rename = "fixed_return_in")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub unit: &'static str,
    /// In cents, for the wager of [`Jackpot::wager_cents`].
    #[serde(rename = "fixed_return_cents")]
    pub cents: Fraction,
}

/// A line of the jackpot table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = JackpotLineAnswer))]
pub struct JackpotRow {
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub hand: HandOrder,
    /// The cards it is made of.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub cards: JackpotCards,
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub pays: Pays,
    /// In how many of [`Exact::deals`] it is paid.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub deals: u64,
}

/// A multiple of the minimum jackpot wager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MultipleAnswer))]
pub struct Multiple {
    /// How many times the minimum.
    pub multiple: u8,
    pub wager_cents: u64,
    /// The least meter at which it loses nothing.
    pub break_even_meter: Option<u64>,
    /// What the last unit of it brings, its stake taken off, in units: odds are multiplied, shares of the meter not.
    /// `None` for the first, which brings the meter too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_unit_net: Option<Fraction>,
    /// What it brings at the meter named, its stake taken off, in cents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub net_cents: Option<Fraction>,
}

/// Jackpot figures with given folds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = AfterFoldsAnswer))]
pub struct AfterFolds {
    /// The classes folded, lowest first.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub fold: Vec<HoleClass>,
    /// In how many deals each line is paid, in the order of the table.
    #[serde(serialize_with = "as_texts")]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub lines: Vec<u64>,
    /// What odds and fixed amounts bring, on average.
    #[serde(flatten)]
    pub fixed_return: FixedReturn,
    /// The least meter at which a minimum wager loses nothing.
    pub break_even_meter: Option<u64>,
}

/// Ante and jackpot together, in cents a round, all stakes counted as losses.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = CombinedAnswer))]
pub struct Combined {
    /// What the player wins.
    pub net: Fraction,
    /// The same, for reading.
    pub net_cents: f64,
    /// Where the jackpot is part of the decision to fold: what the player wins if folds look at the Ante alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_game_folds: Option<CombinedAfterFolds>,
}

impl Combined {
    pub(crate) fn new(net: Fraction, base_game_folds: Option<CombinedAfterFolds>) -> Combined {
        Combined { net, net_cents: net.value(), base_game_folds }
    }
}

/// What the player wins with given folds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = PlayedAnswer))]
pub struct CombinedAfterFolds {
    /// The classes folded, lowest first.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub fold: Vec<HoleClass>,
    /// What the player wins, in cents a round.
    pub net: Fraction,
    /// What that loses against the best folds.
    pub cost: Fraction,
}

pub(crate) fn as_text<S: Serializer>(number: &impl ToString, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&number.to_string())
}

#[expect(clippy::ref_option, reason = "serde calls it with a reference to the field")]
pub(crate) fn as_text_option<S: Serializer>(
    number: &Option<impl ToString>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match number {
        Some(number) => as_text(number, serializer),
        None => serializer.serialize_none(),
    }
}

fn as_texts<S: Serializer, T: ToString>(list: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(list.iter().map(ToString::to_string))
}
