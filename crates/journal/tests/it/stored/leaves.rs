//! What samples are filled with: plain values that never change, for the golden files, or random ones that like to be
//! extreme.

use cards::Card;
use jackpot::{Parameters, Person, Settings, TableId};
use journal::{Hash, LinkId};
use money::{Money, Percent, Pool, Rate};
use round::PlayerId;
use rulebook::{Citation, Clause, Position, Rule};

/// Letters that a stored text has to escape, or that take several bytes.
const LETTERS: [char; 12] = ['a', 'Z', ' ', '/', '"', '\\', '\n', '\u{0}', '\u{7f}', 'é', '冠', '🂡'];

/// A source of leaf values.
pub(super) enum Leaves {
    /// The same plain value every time.
    Plain,
    /// Values that follow from this state.
    Random(u64),
}

impl Leaves {
    /// A number that is extreme one time in four, of any length otherwise.
    pub(super) fn number(&mut self, plain: u64, most: u64) -> u64 {
        let Leaves::Random(state) = self else { return plain };
        let mut next = || {
            *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ (mixed >> 31)
        };
        match next() % 8 {
            0 => 0,
            1 => most,
            _ => {
                let short = next() >> (next() % 64);
                most.checked_add(1).map_or(short, |count| short % count)
            }
        }
    }

    pub(super) fn byte(&mut self, plain: u8) -> u8 {
        u8::try_from(self.number(plain.into(), u8::MAX.into())).expect("at most a byte")
    }

    pub(super) fn u32(&mut self, plain: u32) -> u32 {
        u32::try_from(self.number(plain.into(), u32::MAX.into())).expect("at most 32 bits")
    }

    pub(super) fn flag(&mut self, plain: bool) -> bool {
        self.number(plain.into(), 1) == 1
    }

    /// One of several; the first is the plain one.
    pub(super) fn pick<T: Clone>(&mut self, values: &[T]) -> T {
        let most = u64::try_from(values.len()).expect("few values") - 1;
        values[usize::try_from(self.number(0, most)).expect("few values")].clone()
    }

    /// Two of something, or up to four.
    pub(super) fn several<T>(&mut self, make: impl Fn(&mut Leaves) -> T) -> Vec<T> {
        (0..self.number(2, 4)).map(|_| make(self)).collect()
    }

    /// Something, or nothing now and then.
    pub(super) fn perhaps<T>(&mut self, make: impl Fn(&mut Leaves) -> T) -> Option<T> {
        self.flag(true).then(|| make(self))
    }

    pub(super) fn text(&mut self, plain: &str) -> String {
        match self {
            Leaves::Plain => plain.to_owned(),
            Leaves::Random(_) => (0..self.number(0, 9)).map(|_| self.pick(&LETTERS)).collect(),
        }
    }

    pub(super) fn player(&mut self) -> PlayerId {
        PlayerId::new(&self.text("anna"))
    }

    pub(super) fn person(&mut self, plain: &str) -> Person {
        Person::new(&self.text(plain))
    }

    pub(super) fn table(&mut self) -> TableId {
        TableId::new(&self.text("7"))
    }

    pub(super) fn link(&mut self) -> LinkId {
        LinkId::new(&self.text("megalink"))
    }

    pub(super) fn position(&mut self) -> Position {
        Position(self.byte(3))
    }

    pub(super) fn money(&mut self) -> Money {
        self.cents(2_500)
    }

    /// Money of which there is more than one amount in a sample.
    pub(super) fn cents(&mut self, plain: u64) -> Money {
        Money::from_cents(self.number(plain, u64::MAX))
    }

    pub(super) fn pool(&mut self, plain: u64) -> Pool {
        Pool::from_ten_thousandths(self.number(plain, u64::MAX))
    }

    pub(super) fn percent(&mut self) -> Percent {
        Percent::new(u8::try_from(self.number(9, 99)).expect("small") + 1).expect("one to a hundred")
    }

    pub(super) fn card(&mut self) -> Card {
        Card::from_index(u8::try_from(self.number(51, 51)).expect("small")).expect("one of 52")
    }

    pub(super) fn rule(&mut self) -> Rule {
        self.rule_like([3, 10, 2, 0])
    }

    /// A rule of which there is more than one in a sample.
    pub(super) fn rule_like(&mut self, plain: [u8; 4]) -> Rule {
        if matches!(self, Leaves::Plain) {
            return Rule::new(plain);
        }
        let mut parts = [0; 4];
        for part in parts.iter_mut().take(usize::try_from(2 + self.number(0, 2)).expect("small")) {
            *part = u8::try_from(self.number(0, 253)).expect("small") + 1;
        }
        let letter = b'A' + u8::try_from(self.number(0, 25)).expect("small");
        self.pick(&[Rule::new(parts), Rule::appendix(letter)])
    }

    pub(super) fn citation(&mut self) -> Citation {
        let books = ["MTHB9", "MTHB6", "MSSP9", "THB6", "A", "ABCDEFG8"];
        Citation::new(self.pick(&books)).expect("a short name")
    }

    pub(super) fn clause(&mut self) -> Clause {
        Clause { book: self.citation(), rule: self.rule() }
    }

    pub(super) fn hash(&mut self) -> Hash {
        Hash(self.bytes())
    }

    pub(super) fn bytes(&mut self) -> [u8; 32] {
        std::array::from_fn(|place| self.byte(u8::try_from(place).expect("small") * 8))
    }

    /// Settings that do not contradict themselves.
    pub(super) fn settings(&mut self) -> Settings {
        let cents = |leaves: &mut Leaves, plain| Money::from_cents(leaves.number(plain, 1 << 40) + 1);
        let (reset, above) = (cents(self, 9_999_999), cents(self, 989_999_999));
        let rate = |leaves: &mut Leaves, plain| {
            Rate::from_basis_points(leaves.number(plain, 5_000)).expect("at most half")
        };
        let (most, least) = match self {
            Leaves::Plain => (20_000_000_000, 0),
            Leaves::Random(_) => (self.number(0, u64::MAX), 1 << 54),
        };
        let settings = Settings::new(Parameters {
            minimum_wager: cents(self, 499),
            contribution: rate(self, 2_300),
            reset,
            reserve: self.perhaps(|leaves| rate(leaves, 200)),
            cap: self.flag(true).then(|| reset.plus(above).expect("both are small")),
            round_contribution_max: Pool::from_ten_thousandths(most.max(least)),
        });
        settings.expect("settings without a contradiction")
    }
}
