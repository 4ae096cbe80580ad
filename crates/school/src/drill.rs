//! An exercise with its right answers, and the marking.

use std::collections::BTreeSet;
use std::sync::Arc;

use cards::{Card, HandRank};
use money::Money;
use round::{ChipStack, DENOMINATIONS, Paying, chips};
use rulebook::{ClauseKind, PlayingArea, Position, Rule, Rulebook};

use crate::chance::Chance;
use crate::exercise::{
    Choice, CitedClause, Exercise, Form, Given, GivenWager, Kind, MarkedQuestion, Marking, Question,
};
use crate::kinds;
use crate::picture::Picture;

/// How many seeds are tried to find an exercise on a clause.
const TRIES: u32 = 400;

/// An exercise and what is right.
#[derive(Clone, Debug)]
pub struct Drill {
    exercise: Exercise,
    answers: Vec<Answer>,
    book: Arc<Rulebook>,
}

/// What is right, as the engine says.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) right: Right,
    /// The rules it rests on.
    pub(crate) cited: Vec<Rule>,
    pub(crate) because: String,
}

/// Which answers are right.
#[derive(Clone, Debug)]
pub(crate) enum Right {
    One(usize),
    Several(BTreeSet<usize>),
    /// The group of each option: groups in ascending order, within a group any order.
    Order(Vec<usize>),
    Amount(Money),
    Wager(GivenWager),
    /// As few chips as a rack allows.
    Chips(Money),
    /// Any five of these cards that make the best hand.
    Five(Vec<Card>),
}

/// Why answers cannot be marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MarkError {
    #[error("the exercise has {needed} questions, and {given} answers were given")]
    Count { needed: usize, given: usize },
    #[error("answer {0} has another form than its question asks for")]
    Form(usize),
}

impl Drill {
    /// The exercise of a seed.
    pub fn new(book: &Arc<Rulebook>, kind: Kind, seed: u32) -> Drill {
        let made = kinds::make(&mut Chance::new(seed, kind.name()), book, kind);
        Drill::of(book, kind, seed, made)
    }

    /// The exercise of a secret number. It cannot be asked for by a seed: there are 64 bits of secrets, and its own is not
    /// shown.
    pub(crate) fn of_secret(book: &Arc<Rulebook>, kind: Kind, secret: u64) -> Drill {
        Drill::of(book, kind, 0, kinds::make(&mut Chance::of_secret(secret), book, kind))
    }

    pub(crate) fn of(book: &Arc<Rulebook>, kind: Kind, seed: u32, made: Made) -> Drill {
        let exercise = Exercise {
            book: book.citation,
            kind,
            seed,
            story: made.story,
            table: made.table,
            seconds: seconds(&made.questions),
            questions: made.questions,
        };
        Drill { exercise, answers: made.answers, book: Arc::clone(book) }
    }

    /// With sentences before its own.
    pub(crate) fn with_story(mut self, sentences: &[String]) -> Drill {
        self.exercise.story.splice(0..0, sentences.iter().cloned());
        self
    }

    /// The first exercise from a seed on that rests on a clause, if one is found soon.
    pub fn about(book: &Arc<Rulebook>, kind: Kind, rule: Rule, seed: u32) -> Option<Drill> {
        let mut seeds = (0..TRIES).map(|step| seed.wrapping_add(step));
        seeds
            .find_map(|seed| Some(Drill::new(book, kind, seed)).filter(|drill| drill.rules().contains(&rule)))
    }

    pub fn exercise(&self) -> &Exercise {
        &self.exercise
    }

    /// The rules that its right answers rest on.
    pub fn rules(&self) -> BTreeSet<Rule> {
        self.answers.iter().flat_map(|answer| answer.cited.iter().copied()).collect()
    }

    /// A right answer to each question.
    pub fn solution(&self) -> Vec<Given> {
        self.answers.iter().map(|answer| answer.right.given()).collect()
    }

    /// Marks what a learner answered. Refused if an answer is missing or has another form than its question.
    pub fn mark(&self, given: &[Given]) -> Result<Marking, MarkError> {
        if given.len() != self.answers.len() {
            return Err(MarkError::Count { needed: self.answers.len(), given: given.len() });
        }
        let mut questions = Vec::with_capacity(given.len());
        for (place, (answer, given)) in self.answers.iter().zip(given).enumerate() {
            let right = answer.right.is(given).ok_or(MarkError::Form(place + 1))?;
            let model = answer.right.given();
            let words = in_words(&self.exercise.questions[place].form, &model);
            let clauses = self.cited(&answer.cited);
            questions.push(MarkedQuestion {
                right,
                answer: model,
                words,
                because: answer.because.clone(),
                clauses,
            });
        }
        Ok(Marking { right: questions.iter().all(|question| question.right), questions })
    }

    fn cited(&self, rules: &[Rule]) -> Vec<CitedClause> {
        let mut seen = BTreeSet::new();
        let distinct = rules.iter().filter(|rule| seen.insert(**rule));
        let cited = |rule: &Rule| {
            let gist = self.book.entry(*rule).map_or_else(String::new, |entry| entry.gist.clone());
            CitedClause { clause: self.book.clause(*rule), gist }
        };
        distinct.map(cited).collect()
    }

    /// The clauses of sections 3 to 6 that a Dealer must know: what the program or an office decides.
    pub fn clauses_to_learn(book: &Rulebook) -> Vec<Rule> {
        let learned = book.clauses.iter().filter(|entry| {
            matches!(entry.kind, ClauseKind::Decided | ClauseKind::Discretion)
                && entry.number.section().is_some_and(|section| (3..=6).contains(&section))
        });
        learned.map(|entry| entry.number).collect()
    }
}

/// A few seconds to look, and some for each question.
fn seconds(questions: &[Question]) -> u32 {
    let of = |question: &Question| match question.form {
        Form::One { .. } => 6,
        Form::Several { .. } | Form::Amount | Form::Wager => 8,
        Form::Order { .. } | Form::Chips { .. } => 12,
    };
    questions.iter().map(of).sum::<u32>() + 8
}

impl Right {
    /// Whether an answer is right; `None` if it has another form.
    fn is(&self, given: &Given) -> Option<bool> {
        Some(match (self, given) {
            (Right::One(right), Given::One(given)) => right == given,
            (Right::Several(right), Given::Several(given)) => {
                given.len() == right.len() && given.iter().all(|place| right.contains(place))
            }
            (Right::Order(groups), Given::Order(given)) => is_in_order(groups, given),
            (Right::Amount(right), Given::Amount(given)) => right == given,
            (Right::Wager(right), Given::Wager(given)) => right == given,
            (Right::Chips(amount), Given::Chips(given)) => are_fewest(*amount, given),
            (Right::Five(cards), Given::Several(given)) => are_best_five(cards, given),
            _ => return None,
        })
    }

    /// A right answer.
    fn given(&self) -> Given {
        match self {
            Right::One(place) => Given::One(*place),
            Right::Several(places) => Given::Several(places.iter().copied().collect()),
            Right::Order(groups) => {
                let mut places: Vec<usize> = (0..groups.len()).collect();
                places.sort_by_key(|place| groups[*place]);
                Given::Order(places)
            }
            Right::Amount(amount) => Given::Amount(*amount),
            Right::Wager(wager) => Given::Wager(*wager),
            Right::Chips(amount) => Given::Chips(chips(*amount)),
            Right::Five(cards) => Given::Several(best_five(cards)),
        }
    }
}

fn is_in_order(groups: &[usize], given: &[usize]) -> bool {
    let all: BTreeSet<usize> = given.iter().copied().collect();
    let complete = given.len() == groups.len() && all.len() == groups.len();
    let group: Vec<usize> = given.iter().filter_map(|place| groups.get(*place).copied()).collect();
    complete && group.len() == groups.len() && group.is_sorted()
}

fn are_fewest(amount: Money, given: &[ChipStack]) -> bool {
    let mut given: Vec<ChipStack> = given.iter().copied().filter(|stack| stack.count != 0).collect();
    given.sort_by_key(|stack| std::cmp::Reverse(stack.denomination));
    given == chips(amount)
}

/// The places of the five cards that make the best hand.
fn best_five(cards: &[Card]) -> Vec<usize> {
    let best = HandRank::best_of(cards);
    let fives = (0..1_usize << cards.len()).filter(|set| set.count_ones() == 5);
    let chosen = |set: usize| (0..cards.len()).filter(|place| set >> place & 1 == 1).collect::<Vec<usize>>();
    fives.map(chosen).find(|five| rank_of(cards, five) == Some(best)).expect("the best hand has five cards")
}

fn are_best_five(cards: &[Card], given: &[usize]) -> bool {
    let distinct: BTreeSet<usize> = given.iter().copied().collect();
    distinct.len() == 5 && given.len() == 5 && rank_of(cards, given) == Some(HandRank::best_of(cards))
}

fn rank_of(cards: &[Card], places: &[usize]) -> Option<HandRank> {
    let five: Option<Vec<Card>> = places.iter().map(|place| cards.get(*place).copied()).collect();
    five.map(|five| HandRank::best_of(&five))
}

/// An answer in words.
fn in_words(form: &Form, given: &Given) -> String {
    let label = |place: &usize| match form {
        Form::One { options } | Form::Several { options } | Form::Order { options } => {
            options.get(*place).map_or("", |option| option.label.as_str())
        }
        Form::Amount | Form::Wager | Form::Chips { .. } => "",
    };
    let list = |places: &[usize], between: &str| places.iter().map(label).collect::<Vec<_>>().join(between);
    match given {
        Given::One(place) => label(place).to_owned(),
        Given::Several(places) if places.is_empty() => "None of these".to_owned(),
        Given::Several(places) => list(places, ", "),
        Given::Order(places) => list(places, " → "),
        Given::Amount(amount) => amount.to_string(),
        Given::Wager(wager) => wager_in_words(*wager),
        Given::Chips(stacks) => {
            let stack = |stack: &ChipStack| format!("{} × {}", stack.count, stack.denomination);
            stacks.iter().map(stack).collect::<Vec<_>>().join(", ")
        }
    }
}

fn wager_in_words(wager: GivenWager) -> String {
    match wager.does {
        Paying::Take => format!("Take {}", wager.amount),
        Paying::Pay => format!("Pay {}", wager.amount),
        Paying::Return => format!("Leave {} to its Player", wager.amount),
    }
}

/// An exercise while it is made.
pub(crate) struct Made {
    pub(crate) story: Vec<String>,
    pub(crate) table: Picture,
    pub(crate) questions: Vec<Question>,
    pub(crate) answers: Vec<Answer>,
}

impl Made {
    pub(crate) fn new(table: Picture, story: Vec<String>) -> Made {
        Made { story, table, questions: Vec::new(), answers: Vec::new() }
    }

    pub(crate) fn ask(&mut self, ask: impl Into<String>, form: Form, answer: Answer) {
        self.questions.push(Question { ask: ask.into(), form, position: None, area: None });
        self.answers.push(answer);
    }

    /// Says which wager the last question is about.
    pub(crate) fn about(&mut self, position: Position, area: Option<PlayingArea>) {
        if let Some(question) = self.questions.last_mut() {
            (question.position, question.area) = (Some(position), area);
        }
    }

    /// A question with one right option among others, in an order of chance.
    pub(crate) fn one_of(
        &mut self,
        chance: &mut Chance,
        ask: impl Into<String>,
        right: &str,
        wrong: impl IntoIterator<Item = String>,
        cited: Vec<Rule>,
        because: impl Into<String>,
    ) {
        let mut labels = vec![right.to_owned()];
        for label in wrong {
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
        chance.shuffle(&mut labels);
        let place = labels.iter().position(|label| label == right).expect("the right option is in the list");
        self.listed(ask, &labels, place, cited, because);
    }

    /// A question with options that have an order of their own.
    pub(crate) fn listed<L: AsRef<str>>(
        &mut self,
        ask: impl Into<String>,
        labels: &[L],
        right: usize,
        cited: Vec<Rule>,
        because: impl Into<String>,
    ) {
        let options = labels.iter().map(|label| Choice::words(label.as_ref())).collect();
        let answer = Answer { right: Right::One(right), cited, because: because.into() };
        self.ask(ask, Form::One { options }, answer);
    }

    pub(crate) fn yes_or_no(
        &mut self,
        ask: impl Into<String>,
        yes: bool,
        cited: Vec<Rule>,
        because: impl Into<String>,
    ) {
        self.listed(ask, &["Yes", "No"], usize::from(!yes), cited, because);
    }

    pub(crate) fn amount(
        &mut self,
        ask: impl Into<String>,
        amount: Money,
        cited: Vec<Rule>,
        because: impl Into<String>,
    ) {
        let answer = Answer { right: Right::Amount(amount), cited, because: because.into() };
        self.ask(ask, Form::Amount, answer);
    }

    pub(crate) fn chips(&mut self, ask: impl Into<String>, amount: Money, cited: Vec<Rule>) {
        let denominations = DENOMINATIONS.map(Money::from_cents).to_vec();
        let because = format!("{amount} in as few chips as the rack allows, the largest first.");
        self.ask(ask, Form::Chips { denominations }, Answer { right: Right::Chips(amount), cited, because });
    }
}
