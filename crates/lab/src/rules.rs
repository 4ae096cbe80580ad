//! Lists of rules that a person can learn, and their exact price.
//!
//! A list is a text, one rule a line:
//!
//! ```text
//! # Anything after a hash is a remark.
//! fold: 32o 42o 52o
//! turn: pair
//! turn: flush draw, overcard
//! river: pair, no board trips
//! ```
//!
//! `fold` names classes of hole cards. `turn`, `river` and, in stud, `bet` make their wager where all conditions of the line
//! hold; `no` before a condition turns it round. Where no line makes a wager the player checks, or in stud folds.

use rulebook::{HoleClass, Rulebook};
use serde::Serialize;

use crate::advice::{Advice, Situation};
use crate::exact::{Action, Fraction, Lab, LabError, Question, not_counted};
use crate::game::{Case, game_of};

/// What a line is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Street {
    Turn,
    River,
    /// Stud's one wager.
    Bet,
}

/// One line of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// These classes of hole cards are folded.
    Fold(Vec<HoleClass>),
    /// The wager is made where all of the first conditions hold and none of the second, as bits.
    Wager { street: Street, all: u32, none: u32 },
}

impl Rule {
    /// Whether the rule makes the wager of a street.
    pub(crate) fn wagers(&self, on: Street, conditions: u32) -> bool {
        match *self {
            Rule::Fold(_) => false,
            Rule::Wager { street, all, none } => {
                street == on && conditions & all == all && conditions & none == 0
            }
        }
    }
}

/// A list with the text of each line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleList {
    pub(crate) rules: Vec<(String, Rule)>,
}

/// What a rule list looks at in a situation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// Hole cards alone.
    Hole(HoleClass),
    /// The street whose wager is due, and the conditions that hold, as bits.
    Street(Street, u32),
}

/// What one of the lists that come with the program says in a situation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RuleSays {
    /// The list, such as `five-lines`.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub list: &'static str,
    /// The rule that applies, as it is written in the list; none where no rule makes the wager.
    pub rule: Option<String>,
    /// What the list does.
    pub action: Action,
    /// What that costs here against the better choice: in cents where the jackpot is part of the choice, in Antes otherwise.
    pub cost: Fraction,
}

/// What a list costs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = RulesPrice))]
pub struct Price {
    /// The book's id.
    pub rulebook: String,
    /// What the house keeps of an Ante.
    pub house_edge: f64,
    pub cost: Cost,
    pub rules: Vec<PricedRule>,
}

/// What a list costs against perfect play, in Antes a round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = RulesCost))]
pub struct Cost {
    /// With what other folds cost.
    pub total: f64,
    pub turn: f64,
    pub river: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PricedRule {
    /// The line as it was written.
    pub rule: String,
    /// How much more the list costs without it.
    pub cost_without: f64,
}

/// The best list of its length that a search found for one street.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = FoundRules))]
pub struct Found {
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub street: &'static str,
    pub rules: Vec<String>,
    /// What it costs against perfect play on that street, in Antes a round.
    pub cost: f64,
}

impl RuleList {
    /// Reads a list. The error names the line and the words that can stand there.
    pub fn parse(text: &str, game: &GameConditions) -> Result<RuleList, String> {
        let mut rules = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            let rule = rule(line, game).map_err(|error| format!("line {}: {error}", number + 1))?;
            rules.push((line.to_owned(), rule));
        }
        if rules.is_empty() { Err("a list has at least one rule".to_owned()) } else { Ok(RuleList { rules }) }
    }

    /// The list without one of its rules.
    pub(crate) fn without(&self, place: usize) -> RuleList {
        let mut rules = self.rules.clone();
        rules.remove(place);
        RuleList { rules }
    }

    /// Whether the list makes the wager of a street where these conditions hold.
    pub(crate) fn wagers(&self, street: Street, conditions: u32) -> bool {
        self.rules.iter().any(|(_, rule)| rule.wagers(street, conditions))
    }

    /// Whether the list makes the wager that is due, and the first rule that says so.
    pub(crate) fn says(&self, seen: Seen) -> (bool, Option<&str>) {
        let rule = self.rules.iter().find(|(_, rule)| match (seen, rule) {
            (Seen::Hole(class), Rule::Fold(classes)) => classes.contains(&class),
            (Seen::Street(street, conditions), rule) => rule.wagers(street, conditions),
            (Seen::Hole(_), Rule::Wager { .. }) => false,
        });
        let rule = rule.map(|(text, _)| text.as_str());
        (matches!(seen, Seen::Hole(_)) == rule.is_none(), rule)
    }

    /// The classes of hole cards that are folded.
    pub(crate) fn folds(&self) -> Vec<HoleClass> {
        let classes = self.rules.iter().filter_map(|(_, rule)| match rule {
            Rule::Fold(classes) => Some(classes),
            Rule::Wager { .. } => None,
        });
        classes.flatten().copied().collect()
    }
}

/// The words of a game's lists.
pub struct GameConditions {
    /// The streets, by their names.
    pub streets: &'static [(&'static str, Street)],
    /// The conditions in the order of their bits.
    pub conditions: &'static [&'static str],
    /// Whether hole cards can be folded.
    pub folds: bool,
    /// Lists that come with the program, by name.
    pub shipped: &'static [(&'static str, &'static str)],
    /// The list of somebody who knows the game a little.
    pub beginner: &'static str,
}

fn rule(line: &str, game: &GameConditions) -> Result<Rule, String> {
    let streets = || {
        let names = game.streets.iter().map(|(name, _)| format!("{name}:"));
        game.folds.then(|| "fold:".to_owned()).into_iter().chain(names).collect::<Vec<_>>().join(", ")
    };
    let Some((street, rest)) = line.split_once(':') else {
        return Err(format!("{line:?} does not begin with one of {}", streets()));
    };
    if game.folds && street.trim() == "fold" {
        let class = |word: &str| word.parse::<HoleClass>().map_err(|error| error.to_string());
        return Ok(Rule::Fold(rest.split_whitespace().map(class).collect::<Result<_, _>>()?));
    }
    let Some(&(_, street)) = game.streets.iter().find(|(name, _)| *name == street.trim()) else {
        return Err(format!("{:?} is none of {}", street.trim(), streets()));
    };
    let (mut all, mut none) = (0, 0);
    for condition in rest.split(',').map(str::trim) {
        let (bits, name) = match condition.strip_prefix("no ") {
            Some(name) => (&mut none, name.trim()),
            None => (&mut all, condition),
        };
        if name.is_empty() {
            let there = game.conditions.join(", ");
            return Err(format!("{line:?} lacks a condition between its commas; there are {there}"));
        }
        let Some(bit) = game.conditions.iter().position(|known| *known == name) else {
            return Err(format!("no condition {name:?}; there are {}", game.conditions.join(", ")));
        };
        *bits |= 1 << bit;
    }
    Ok(Rule::Wager { street, all, none })
}

/// What each list that comes with the program says in a situation, beside its exact advice.
pub(crate) fn says(case: Case<'_>, situation: &Situation, advice: &Advice) -> Vec<RuleSays> {
    let game = game_of(case.book);
    let (Some(seen), Ok(words)) = (game.seen(situation), game.conditions(case)) else { return Vec::new() };
    let says = |&(list, text): &(&'static str, &str)| {
        let rules = RuleList::parse(text, &words).ok()?;
        let (wagers, rule) = rules.says(seen);
        let action = advice.choices[usize::from(!wagers)].action;
        let cost = if action == advice.best { Fraction::ZERO } else { advice.other_costs };
        Some(RuleSays { list, rule: rule.map(str::to_owned), action, cost })
    };
    words.shipped.iter().filter_map(says).collect()
}

/// The words and lists of a book's game. Refused where the game has no rule lists.
pub fn conditions(lab: &Lab, book: &Rulebook) -> Result<GameConditions, LabError> {
    game_of(book).conditions(Case { lab, book, question: &Question::default() })
}

/// The exact price of a list, given by its text. Refused where a line is not understood.
pub fn price(lab: &Lab, book: &Rulebook, question: &Question, list: &str) -> Result<Price, LabError> {
    question.check()?;
    let case = Case { lab, book, question };
    let game = game_of(book);
    match RuleList::parse(list, &game.conditions(case)?) {
        Ok(list) => game.price(case, &list),
        Err(reason) => not_counted(book, "rules", reason),
    }
}

/// The lists that come with the program for a book's game, by name, with their exact prices.
pub fn shipped(
    lab: &Lab,
    book: &Rulebook,
    question: &Question,
) -> Result<Vec<(&'static str, Price)>, LabError> {
    let lists = conditions(lab, book)?.shipped;
    lists.iter().map(|(name, text)| Ok((*name, price(lab, book, question, text)?))).collect()
}

/// The most lines a street that a search goes to: beyond them hardly anything is gained, and nobody learns them.
pub const LINES_MAX: usize = 24;

/// The best lists of one to `lines` rules for each street. Refused where the game has no search.
pub fn search(lab: &Lab, book: &Rulebook, question: &Question, lines: usize) -> Result<Vec<Found>, LabError> {
    question.check()?;
    if !(1..=LINES_MAX).contains(&lines) {
        let reason = format!("lists of 1 to {LINES_MAX} lines a street are searched, not {lines}");
        return not_counted(book, "search", reason);
    }
    game_of(book).search(Case { lab, book, question }, lines)
}
