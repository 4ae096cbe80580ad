//! What is kept of many rounds: sums of money, evidence, cards.
#![expect(
    clippy::cast_precision_loss,
    clippy::as_conversions,
    reason = "amounts and counts are far below 2 to the 52nd"
)]

use std::collections::{BTreeMap, BTreeSet};

use floor::Library;
use jackpot::TableId;
use lab::exact::{Exact, Fraction, Lab, Question};
use lab::honest::{Evidence, Habit, Kind, Step, stand_out, step, together};
use lab::shuffle::special::binomial_both;
use lab::shuffle::{DECKS_MIN, Listed, Order};
use rayon::prelude::*;
use round::{Outcome, PlayerId};
use rulebook::{PlayingArea, Position, Rulebook};

use super::LEVEL;
use super::cards::{DeckCounts, mark};
use super::gather::PlayedRound;
use super::judge::{JudgedHand, Why, hands};
use super::rows::{
    DecisionTest, Group, LeftOut, MoneyResult, Pair, PlayerStatistics, Point, RareCount, Shuffle, Statistics,
    Telling,
};
use crate::day::Days;
use crate::expected::correlation;

/// How many points of a course are kept, and how many rounds that say most.
const POINTS: usize = 64;
const TELLING: usize = 12;

/// How many decks of a table are kept for the tests of its shuffle.
const DECKS_MAX: usize = 200_000;

/// How many Players and pairs are told with their course and their rounds.
const TOLD: usize = 100;

/// Money won, and what was expected of it.
#[derive(Clone, Default)]
struct Sum {
    rounds: u64,
    handle: i64,
    result: i64,
    expected: f64,
    variance: f64,
    decisions: u64,
    mistakes: u64,
    cost: Option<Fraction>,
}

impl Sum {
    fn decide(&mut self, hand: &JudgedHand) {
        for choice in &hand.judged.choices {
            self.decisions = self.decisions.saturating_add(1);
            if Fraction::ZERO < choice.cost_cents {
                self.mistakes = self.mistakes.saturating_add(1);
                self.cost = Some(self.cost.unwrap_or(Fraction::ZERO).plus(choice.cost_cents));
            }
        }
    }

    /// As the Player sees it, or as the house does.
    fn result(&self, of_house: bool) -> MoneyResult {
        let cost = self.cost.unwrap_or(Fraction::ZERO);
        let sign = if of_house { -1.0 } else { 1.0 };
        let expected = sign * (self.expected - cost.value());
        let result = if of_house { self.result.saturating_neg() } else { self.result };
        let deviation = self.variance.sqrt();
        MoneyResult {
            rounds: self.rounds,
            handle_cents: self.handle,
            result_cents: result,
            expected_cents: expected,
            deviation_cents: deviation,
            z: if 0.0 < deviation { (result as f64 - expected) / deviation } else { 0.0 },
            decisions: self.decisions,
            mistakes: self.mistakes,
            cost_exact: format!("{}/{}", cost.numerator(), cost.denominator()),
            cost_cents: cost.value(),
        }
    }
}

/// Evidence with its course.
#[derive(Clone, Default)]
struct Course {
    evidence: Evidence,
    points: Vec<Point>,
    /// Every so many rounds there is a point.
    every: u64,
    telling: Vec<Telling>,
}

impl Course {
    fn add(&mut self, table: &TableId, round: u64, steps: &[Step]) {
        let before = self.evidence;
        self.evidence.add_round(steps);
        self.every = self.every.max(1);
        if self.evidence.rounds.is_multiple_of(self.every) {
            self.points.push(self.point());
        }
        if POINTS <= self.points.len() {
            self.every = self.every.saturating_mul(2);
            let mut at = 0_u64;
            self.points.retain(|_| {
                at = at.saturating_add(1);
                at.is_multiple_of(2)
            });
        }
        let x = self.evidence.x - before.x;
        let times = steps.iter().map(|step| step.factors[1]).sum::<f64>() / (steps.len().max(1) as f64);
        let place = self.telling.partition_point(|other| times <= other.times);
        if place < TELLING && 1.0 < times {
            self.telling.insert(place, Telling { table: table.to_string(), round, x, times });
            self.telling.truncate(TELLING);
        }
    }

    fn point(&self) -> Point {
        let Evidence { rounds, x, variance, .. } = self.evidence;
        Point { rounds, x, deviation: variance.sqrt() }
    }

    fn test(&self, kind: Kind, is_told: bool) -> DecisionTest {
        let Evidence { rounds, x, variance, .. } = self.evidence;
        let mut course = if is_told { self.points.clone() } else { Vec::new() };
        if is_told && course.last().is_none_or(|last| last.rounds < rounds) {
            course.push(self.point());
        }
        DecisionTest {
            hidden: kind.words(),
            rounds,
            x,
            deviation: variance.sqrt(),
            z: self.evidence.z(),
            evidence: self.evidence.ln() / std::f64::consts::LN_10,
            course,
            telling: if is_told { self.telling.clone() } else { Vec::new() },
        }
    }
}

/// Evidence by what was hidden.
type Courses = BTreeMap<Kind, Course>;

/// The mean of the evidence of all kinds, as a natural logarithm.
fn all_kinds(courses: &Courses) -> f64 {
    together(&courses.values().map(|course| course.evidence.ln()).collect::<Vec<f64>>())
}

fn tests(courses: &Courses, is_told: bool) -> Vec<DecisionTest> {
    let mut tests: Vec<DecisionTest> =
        courses.iter().map(|(kind, course)| course.test(*kind, is_told)).collect();
    tests.sort_by(|one, other| other.evidence.total_cmp(&one.evidence));
    tests
}

/// Jackpot wagers of a table under a book.
#[derive(Clone, Copy, Default)]
struct Hits {
    wagers: u64,
    found: u64,
}

/// Everything that is kept.
pub(super) struct Tally<'a> {
    lab: &'a Lab,
    books: BTreeMap<String, Option<(Exact, f64)>>,
    rounds: u64,
    decisions: u64,
    left_out: BTreeMap<Why, u64>,
    /// Players of whom a hand stayed in and was never seen.
    declined: BTreeSet<PlayerId>,
    players: BTreeMap<PlayerId, (Sum, Courses)>,
    /// By table, for what a Player did elsewhere later is not to be known here earlier.
    habits: BTreeMap<PlayerId, Habit>,
    pairs: BTreeMap<(PlayerId, PlayerId), Course>,
    dealers: BTreeMap<String, (Sum, Courses)>,
    tables: BTreeMap<String, (Sum, Courses)>,
    hits: BTreeMap<(String, String), Hits>,
    decks: BTreeMap<(String, Option<String>), DeckCounts>,
    orders: BTreeMap<String, Vec<Order>>,
    table: Option<TableId>,
}

impl<'a> Tally<'a> {
    pub(super) const fn new(lab: &'a Lab) -> Tally<'a> {
        Tally {
            lab,
            books: BTreeMap::new(),
            rounds: 0,
            decisions: 0,
            left_out: BTreeMap::new(),
            declined: BTreeSet::new(),
            players: BTreeMap::new(),
            habits: BTreeMap::new(),
            pairs: BTreeMap::new(),
            dealers: BTreeMap::new(),
            tables: BTreeMap::new(),
            hits: BTreeMap::new(),
            decks: BTreeMap::new(),
            orders: BTreeMap::new(),
            table: None,
        }
    }

    /// Rounds of one table, in order.
    pub(super) fn add(&mut self, library: &Library, table: &TableId, rounds: &[PlayedRound]) {
        if self.table.as_ref() != Some(table) {
            self.habits.clear();
            self.table = Some(table.clone());
        }
        let lab = self.lab;
        let judged: Vec<_> = rounds.par_iter().map(|round| hands(lab, library, table, round)).collect();
        for (round, hands) in rounds.iter().zip(judged) {
            self.rounds = self.rounds.saturating_add(1);
            let Some((book, _)) = library.get(&round.book) else { continue };
            let mut seen = Vec::new();
            for hand in hands {
                match hand {
                    Ok(hand) => seen.push(hand),
                    Err((why, player)) => {
                        if why == Why::Declined {
                            self.declined.insert(player);
                        }
                        let count = self.left_out.entry(why).or_default();
                        *count = count.saturating_add(1);
                    }
                }
            }
            self.money(table, book, round, &seen);
            self.evidence(table, round, &seen);
            self.cards(table, book, round);
        }
    }

    fn exact(&mut self, book: &Rulebook) -> Option<&(Exact, f64)> {
        let lab = self.lab;
        let counted = self.books.entry(book.id.clone()).or_insert_with(|| {
            let exact = lab.exact(book, &Question::default()).ok()?;
            let correlation = correlation(book, &exact);
            Some((exact, correlation))
        });
        counted.as_ref()
    }

    fn money(&mut self, table: &TableId, book: &Rulebook, round: &PlayedRound, seen: &[JudgedHand]) {
        let Some((exact, correlation)) = self.exact(book).cloned() else { return };
        let (net, deviation) = (exact.base.net.value(), exact.base.standard_deviation);
        let bonus =
            exact.bonus.as_ref().map_or((0.0, 0.0), |bonus| (bonus.net.value(), bonus.standard_deviation));
        let cents = |amount: money::Money| i64::try_from(amount.cents()).unwrap_or(i64::MAX);
        let mut own: BTreeMap<&PlayerId, Sum> = BTreeMap::new();
        let mut deviations: BTreeMap<(&PlayerId, Position), f64> = BTreeMap::new();
        for line in &round.settlement.lines {
            let sum = own.entry(&line.owner).or_default();
            let staked = cents(line.staked);
            sum.handle = sum.handle.saturating_add(staked);
            if line.area == PlayingArea::Jackpot || line.outcome == Outcome::Returned {
                continue;
            }
            sum.result = sum.result.saturating_add(cents(line.paid)).saturating_sub(cents(line.collected));
            let (mean, spread) = match line.area {
                PlayingArea::Ante => (net, deviation),
                PlayingArea::Bonus => bonus,
                _ => continue,
            };
            sum.expected += mean * staked as f64;
            *deviations.entry((&line.owner, line.position)).or_default() += spread * staked as f64;
        }
        // Ante and Bonus of one hand, and the hands of one Player, move as one at most.
        for ((owner, _), deviation) in &deviations {
            if let Some(sum) = own.get_mut(owner) {
                sum.variance = (sum.variance.sqrt() + deviation).powi(2);
            }
        }
        for hand in seen {
            if let Some(sum) = own.get_mut(&hand.player) {
                sum.decide(hand);
            }
        }
        let squares: f64 = deviations.values().map(|deviation| deviation * deviation).sum();
        let all: f64 = deviations.values().sum();
        let mut whole =
            Sum { rounds: 1, variance: squares + correlation * (all * all - squares), ..Sum::default() };
        for (owner, sum) in own {
            self.decisions = self.decisions.saturating_add(sum.decisions);
            whole.add(&Sum { rounds: 0, variance: 0.0, ..sum.clone() });
            let (kept, _) = self.players.entry(owner.clone()).or_default();
            kept.add(&Sum { rounds: 1, ..sum });
        }
        let (kept, _) = self.tables.entry(table.to_string()).or_default();
        kept.add(&whole);
        if let Some(dealer) = &round.dealer {
            let (kept, _) = self.dealers.entry(dealer.clone()).or_default();
            kept.add(&whole);
        }
    }

    fn evidence(&mut self, table: &TableId, round: &PlayedRound, seen: &[JudgedHand]) {
        let mut steps: BTreeMap<Kind, Vec<Step>> = BTreeMap::new();
        for hand in seen {
            let habit = self.habits.entry(hand.player.clone()).or_default();
            let (_, courses) = self.players.entry(hand.player.clone()).or_default();
            for hidden in &hand.judged.hidden {
                let step = step(&hand.judged, hidden, habit);
                courses.entry(hidden.kind).or_default().add(table, round.number, &[step]);
                steps.entry(hidden.kind).or_default().push(step);
            }
            for (neighbour, hidden) in &hand.neighbours {
                let step = step(&hand.judged, hidden, habit);
                let pair = (hand.player.clone(), neighbour.clone());
                self.pairs.entry(pair).or_default().add(table, round.number, &[step]);
            }
            for (decision, choice) in hand.judged.choices.iter().enumerate() {
                habit.note(decision, choice.gain.value(), choice.wagered);
            }
        }
        for (kind, steps) in &steps {
            let (_, courses) = self.tables.entry(table.to_string()).or_default();
            courses.entry(*kind).or_default().add(table, round.number, steps);
            if let Some(dealer) = &round.dealer {
                let (_, courses) = self.dealers.entry(dealer.clone()).or_default();
                courses.entry(*kind).or_default().add(table, round.number, steps);
            }
        }
    }

    fn cards(&mut self, table: &TableId, book: &Rulebook, round: &PlayedRound) {
        if round.settlement.void.is_none() {
            let dealer = if book.community_cards() == 0 { 5 } else { 2 };
            let key = (table.to_string(), round.deck.clone());
            self.decks.entry(key).or_default().add(round, book.community_cards(), dealer);
        }
        if let Some(order) = &round.order {
            let orders = self.orders.entry(table.to_string()).or_default();
            let indices: Vec<u8> = order.cards().iter().map(|card| card.index()).collect();
            orders.extend(Order::try_from(indices).ok().filter(|_| orders.len() < DECKS_MAX));
        }
        let hits = self.hits.entry((table.to_string(), book.id.clone())).or_default();
        for (position, _) in round.settlement.jackpot_wagers() {
            let claims = round.settlement.claims.iter().any(|claim| claim.position == position);
            let is_paid = round.settlement.lines.iter().any(|line| {
                line.position == position && line.area == PlayingArea::Jackpot && !line.paid.is_zero()
            });
            hits.wagers = hits.wagers.saturating_add(1);
            hits.found = hits.found.saturating_add(u64::from(claims || is_paid));
        }
    }

    /// The answer.
    pub(super) fn finish(mut self, days: Days) -> Statistics {
        for player in &self.declined {
            // What is known of their hands depends on how they ended.
            self.players.entry(player.clone()).and_modify(|(_, courses)| courses.clear());
        }
        self.pairs.retain(|(player, _), _| !self.declined.contains(player));
        let (players, pairs) = self.people();
        let groups = |groups: &BTreeMap<String, (Sum, Courses)>| groups_of(groups);
        let (dealers, tables) = (groups(&self.dealers), groups(&self.tables));
        let mut jackpots = Vec::new();
        for ((table, rulebook), Hits { wagers, found }) in std::mem::take(&mut self.hits) {
            let Some((exact, _)) = self.books.get(&rulebook).and_then(Option::as_ref) else { continue };
            if 0 < wagers {
                let chance = exact.jackpot.hit_deals() as f64 / exact.deals as f64;
                let p = binomial_both(found, wagers, chance);
                jackpots.push(RareCount {
                    table,
                    rulebook,
                    wagers,
                    found,
                    expected: wagers as f64 * chance,
                    p,
                });
            }
        }
        let decks = self.decks.iter();
        let mut cards: Vec<_> =
            decks.flat_map(|((table, deck), counts)| counts.tests(table, deck.as_deref())).collect();
        mark(&mut cards, LEVEL);
        cards.sort_by(|one, other| one.p.total_cmp(&other.p));
        let shuffles =
            std::mem::take(&mut self.orders).into_iter().map(|(table, orders)| shuffle(table, orders));
        Statistics {
            from: days.from().to_string(),
            to: days.to().to_string(),
            rounds: self.rounds,
            decisions: self.decisions,
            level: LEVEL,
            left_out: self
                .left_out
                .iter()
                .map(|(why, hands)| LeftOut { why: why.words().to_owned(), hands: *hands })
                .collect(),
            players,
            pairs,
            dealers,
            tables,
            jackpots,
            cards,
            shuffles: shuffles.collect(),
        }
    }

    /// Players and pairs, by their evidence; who stands out is decided for all of them together.
    fn people(&self) -> (Vec<PlayerStatistics>, Vec<Pair>) {
        let mut logs: Vec<f64> = self.players.values().map(|(_, courses)| all_kinds(courses)).collect();
        logs.extend(self.pairs.values().map(|course| course.evidence.ln()));
        let out = stand_out(&logs, LEVEL);
        let mut players: Vec<(f64, &PlayerId, &(Sum, Courses), bool)> = Vec::new();
        for (((player, kept), log), is_out) in self.players.iter().zip(&logs).zip(&out) {
            players.push((*log, player, kept, *is_out));
        }
        players.sort_by(|one, other| other.0.total_cmp(&one.0));
        let players =
            players.into_iter().enumerate().map(|(place, (log, player, (sum, courses), stands_out))| {
                PlayerStatistics {
                    player: player.to_string(),
                    result: sum.result(false),
                    evidence: log / std::f64::consts::LN_10,
                    stands_out,
                    tests: tests(courses, place < TOLD),
                }
            });
        let rest = logs.iter().zip(&out).skip(self.players.len());
        let mut pairs: Vec<_> = self.pairs.iter().zip(rest).collect();
        pairs.sort_by(|(_, (one, _)), (_, (other, _))| other.total_cmp(one));
        let pairs =
            pairs.into_iter().take(TOLD).map(|(((player, neighbour), course), (_, stands_out))| Pair {
                player: player.to_string(),
                neighbour: neighbour.to_string(),
                stands_out: *stands_out,
                test: course.test(Kind::Neighbour, true),
            });
        (players.collect(), pairs.collect())
    }
}

impl Sum {
    fn add(&mut self, other: &Sum) {
        self.rounds = self.rounds.saturating_add(other.rounds);
        self.handle = self.handle.saturating_add(other.handle);
        self.result = self.result.saturating_add(other.result);
        self.expected += other.expected;
        self.variance += other.variance;
        self.decisions = self.decisions.saturating_add(other.decisions);
        self.mistakes = self.mistakes.saturating_add(other.mistakes);
        if let Some(cost) = other.cost {
            self.cost = Some(self.cost.unwrap_or(Fraction::ZERO).plus(cost));
        }
    }
}

fn groups_of(groups: &BTreeMap<String, (Sum, Courses)>) -> Vec<Group> {
    let logs: Vec<f64> = groups.values().map(|(_, courses)| all_kinds(courses)).collect();
    let out = stand_out(&logs, LEVEL);
    let mut all: Vec<(f64, Group)> = Vec::new();
    for (((name, (sum, courses)), log), stands_out) in groups.iter().zip(logs).zip(out) {
        let (name, result) = (name.clone(), sum.result(true));
        let evidence = log / std::f64::consts::LN_10;
        all.push((log, Group { name, result, evidence, stands_out, tests: tests(courses, true) }));
    }
    all.sort_by(|one, other| other.0.total_cmp(&one.0));
    all.into_iter().map(|(_, group)| group).collect()
}

fn shuffle(table: String, orders: Vec<Order>) -> Shuffle {
    let decks = orders.len() as u64;
    if decks < DECKS_MIN {
        return Shuffle { table, decks, tests: 0, least: None, test: None, passes: true };
    }
    let report = lab::shuffle::test(&Listed { name: table.clone(), tables: 1, orders }, |_| {});
    let least = report.tests.iter().min_by(|one, other| one.adjusted.total_cmp(&other.adjusted));
    Shuffle {
        table,
        decks,
        tests: report.tests.len() as u64,
        least: least.map(|test| test.adjusted),
        test: least.map(|test| test.name.to_owned()),
        passes: report.passes.at_99,
    }
}
