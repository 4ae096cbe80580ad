//! The tests by name, with one verdict over all of them.

use cards::{Card, HandOrder};
use serde::Serialize;

use super::statistic::{Part, Statistic};
use super::view::View;
use super::{CARDS, Counts, DECKS_MIN};

/// The groups of tests, by the names that regulators use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    Frequency,
    Serial,
    Runs,
    Gap,
    Poker,
    CouponCollector,
    Permutation,
    Overlap,
    KolmogorovSmirnov,
    Collision,
    Correlation,
    Adjacency,
    RisingSequences,
    Cycles,
    /// Each deck against the deck before at its table.
    PreviousDeck,
    /// Each deck against the deck dealt before at another table.
    Interplay,
    /// The random words below a software shuffle.
    Bits,
}

impl Family {
    /// The name in a sentence.
    pub const fn name(self) -> &'static str {
        match self {
            Family::Frequency => "Frequency",
            Family::Serial => "Serial",
            Family::Runs => "Runs",
            Family::Gap => "Gap",
            Family::Poker => "Poker",
            Family::CouponCollector => "Coupon collector",
            Family::Permutation => "Permutation",
            Family::Overlap => "Overlap",
            Family::KolmogorovSmirnov => "Kolmogorov-Smirnov",
            Family::Collision => "Collision",
            Family::Correlation => "Correlation",
            Family::Adjacency => "Adjacency",
            Family::RisingSequences => "Rising sequences",
            Family::Cycles => "Cycles",
            Family::PreviousDeck => "Previous deck",
            Family::Interplay => "Interplay of tables",
            Family::Bits => "Bits",
        }
    }
}

/// The verdicts at the two levels that regulators name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Passes {
    pub at_95: bool,
    pub at_99: bool,
}

impl Passes {
    fn of(p: f64) -> Passes {
        Passes { at_95: 0.05 <= p, at_99: 0.01 <= p }
    }
}

/// One test with its verdicts.
#[derive(Clone, Debug, Serialize)]
pub struct Test {
    pub family: Family,
    /// What is counted.
    pub name: &'static str,
    /// What the statistic is: `chi-square`, `deviation` (in standard deviations), `count` or `distance`.
    pub kind: &'static str,
    pub statistic: f64,
    /// Degrees of freedom of a chi-square.
    pub freedom: Option<f64>,
    /// How likely a fair shuffle gives a statistic that is as far off.
    pub p: f64,
    /// The same, corrected for the number of tests (Holm).
    pub adjusted: f64,
    /// What the test says on its own. Of twenty tests of a fair shuffle one fails at 95 %.
    pub alone: Passes,
    /// What it says as one of all these tests.
    pub together: Passes,
    /// Where the statistic comes from, or what was expected.
    pub detail: Option<String>,
}

/// A p-value for people: four digits, or its power of ten where they would all be zero.
pub fn shown(p: f64) -> String {
    if p < 0.0001 { format!("{p:.1e}") } else { format!("{p:.4}") }
}

/// A test that was not made.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Skipped {
    pub family: Family,
    pub name: &'static str,
    pub why: &'static str,
}

/// All tests of a source of decks.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Where the decks come from.
    pub source: String,
    /// The program that wrote the report.
    pub program: &'static str,
    pub decks: u64,
    pub tables: u64,
    /// The verdict over all tests: it fails if any of them fails as one of all.
    pub passes: Passes,
    pub tests: Vec<Test>,
    pub skipped: Vec<Skipped>,
    /// How often each card (by number, `2c 2d 2h 2s 3c` to `As`) was in each place: by place, then by card.
    pub card_by_place: Vec<Vec<u64>>,
}

impl Report {
    /// The page with its plots, complete in one file.
    pub fn html(&self) -> String {
        super::html::page(self)
    }
}

/// Tests in the making.
#[derive(Default)]
struct Tests {
    made: Vec<(Family, &'static str, Statistic)>,
    skipped: Vec<Skipped>,
}

impl Tests {
    fn add(&mut self, family: Family, name: &'static str, statistic: impl Into<Option<Statistic>>) {
        match statistic.into() {
            Some(statistic) => self.made.push((family, name, statistic)),
            None => self.skipped.push(Skipped { family, name, why: "too few decks" }),
        }
    }

    fn decks(&mut self, counts: &Counts) {
        let Counts { decks, sequence, from_new, .. } = counts;
        let card = |place: usize, card: usize| format!("{} in place {}", card_name(card), place + 1);
        self.add(Family::Frequency, "each card in each place", from_new.frequency());
        self.add(Family::Frequency, "the card and place farthest off", from_new.farthest_cell(card));
        self.add(Family::Serial, "which two cards are neighbours", decks.neighbours(Part::Together));
        self.add(Family::Serial, "which of two neighbours is first", decks.neighbours(Part::Direction));
        self.add(Family::Serial, "two cards in two places, worst places", decks.neighbours_by_place());
        self.add(Family::Runs, "runs up and down", decks.runs_up_and_down());
        self.add(Family::Runs, "runs above and below the median", decks.runs_high_and_low());
        self.add(Family::Runs, "runs of red and black", decks.runs_of_colour());
        self.add(Family::Gap, "first to second card of a rank", decks.gaps());
        self.add(Family::Gap, "decks between first cards of a rank", sequence.gaps());
        self.add(Family::Poker, "hands dealt five cards at a time", decks.hands_in_a_row());
        self.add(Family::Poker, "hands dealt one card at a time", decks.hands_around());
        self.add(Family::Poker, "two cards with the flop", decks.hands_with_flop());
        self.add(Family::Poker, "straight flushes", decks.rare_hands(HandOrder::StraightFlush));
        self.add(Family::Poker, "royal flushes", decks.rare_hands(HandOrder::RoyalFlush));
        self.add(Family::CouponCollector, "cards until every suit is out", decks.suits_collected());
        self.add(Family::CouponCollector, "cards until every rank is out", decks.ranks_collected());
        self.add(Family::CouponCollector, "decks until every rank was first", sequence.collected());
        self.add(Family::Permutation, "orders of five cards", decks.orders());
        self.add(Family::Overlap, "orders of four cards, overlapping", decks.windows());
        self.add(Family::KolmogorovSmirnov, "place among all orders, first cards", sequence.evenly(false));
        self.add(Family::KolmogorovSmirnov, "place among all orders, last cards", sequence.evenly(true));
        let (five, eleven) = sequence.again();
        self.add(Family::Collision, "decks that begin with the same five cards", five);
        self.add(Family::Collision, "decks that begin with the same eleven cards", eleven);
        self.add(Family::Correlation, "each place with each other place", decks.correlation_of_places());
        self.add(Family::Correlation, "serial, with the 16 decks before", sequence.serial_correlation());
        self.add(Family::Adjacency, "neighbours of a new deck kept", from_new.neighbours_kept());
        self.add(Family::Adjacency, "neighbours of a new deck turned", from_new.neighbours_turned());
        self.add(Family::RisingSequences, "rising sequences of a new deck", from_new.rising_sequences());
        self.add(Family::Cycles, "cards in the place of a new deck", from_new.fixed_points());
        self.add(Family::Cycles, "cycles from a new deck", from_new.cycles());
    }

    /// A deck against another one.
    fn pairs(&mut self, family: Family, view: &View) {
        if view.shuffles < DECKS_MIN {
            self.skipped.push(Skipped { family, name: "all", why: "too few decks" });
            return;
        }
        let cell = |place: usize, before: usize| format!("from place {} to place {}", before + 1, place + 1);
        self.add(family, "each place from each place", view.frequency());
        self.add(family, "the two places farthest off", view.farthest_cell(cell));
        self.add(family, "correlation of each place with each place", view.correlation());
        self.add(family, "neighbours kept", view.neighbours_kept());
        self.add(family, "neighbours turned", view.neighbours_turned());
        self.add(family, "rising sequences", view.rising_sequences());
        self.add(family, "cards that stay in place", view.fixed_points());
        self.add(family, "cycles", view.cycles());
    }
}

pub(super) fn report(source: String, decks: u64, tables: u64, counts: &Counts) -> Report {
    let mut tests = Tests::default();
    if decks < DECKS_MIN {
        tests.skipped.push(Skipped { family: Family::Frequency, name: "all", why: "fewer than 200 decks" });
    } else {
        tests.decks(counts);
        tests.pairs(Family::PreviousDeck, &counts.from_before);
        if let Some(view) = &counts.between_tables {
            tests.pairs(Family::Interplay, view);
        }
        if let Some(bits) = &counts.bits {
            tests.add(Family::Bits, "as many ones as zeros (mono-bit)", bits.ones());
            tests.add(Family::Bits, "runs of equal bits", bits.runs());
            tests.add(Family::Bits, "each byte", bits.bytes());
        }
    }
    let adjusted = holm(&tests.made.iter().map(|(_, _, statistic)| statistic.p).collect::<Vec<_>>());
    let judged: Vec<Test> = tests.made.into_iter().zip(adjusted).map(judge).collect();
    Report {
        source,
        program: concat!("megalink ", env!("CARGO_PKG_VERSION")),
        decks,
        tables,
        passes: Passes {
            at_95: judged.iter().all(|test| test.together.at_95),
            at_99: judged.iter().all(|test| test.together.at_99),
        },
        tests: judged,
        skipped: tests.skipped,
        card_by_place: counts.from_new.cells.chunks_exact(CARDS).map(<[u64]>::to_vec).collect(),
    }
}

fn judge(((family, name, statistic), adjusted): ((Family, &'static str, Statistic), f64)) -> Test {
    let Statistic { kind, value, freedom, p, detail } = statistic;
    Test {
        family,
        name,
        kind,
        statistic: value,
        freedom,
        p,
        adjusted,
        alone: Passes::of(p),
        together: Passes::of(adjusted),
        detail,
    }
}

/// Holm's correction: the least p-value counts as many times as there are tests, the next once less, and so on. Whatever
/// the tests have to do with each other, a fair shuffle has one below a level no more often than the level says.
fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut by_size: Vec<usize> = (0..p_values.len()).collect();
    by_size.sort_by(|one, other| p_values[*one].total_cmp(&p_values[*other]));
    let mut adjusted = vec![1.0; p_values.len()];
    let mut least = 0.0;
    for (place, left) in by_size.into_iter().zip((0..=p_values.len()).rev()) {
        least = f64::min(1.0, f64::max(least, p_values[place] * super::special::real(left as u64)));
        adjusted[place] = least;
    }
    adjusted
}

/// A card by its number.
pub(super) fn card_name(card: usize) -> String {
    u8::try_from(card).ok().and_then(Card::from_index).expect("a card of the deck").to_string()
}

#[cfg(test)]
mod tests {
    use super::holm;

    /// The textbook's example: 0.01, 0.04, 0.03 and 0.005 become 0.03, 0.06, 0.06 and 0.02.
    #[test]
    fn holms_correction() {
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (found, expected) in adjusted.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((found - expected).abs() < 1e-12, "{adjusted:?}");
        }
    }
}
