//! Counts within each deck: neighbours, runs, gaps, hands, sets completed, orders.

use cards::{Card, Hand};

use super::special::real;
use super::statistic::{Part, Statistic, against, even};
use super::view::{Products, add};
use super::{CARDS, Order, Values, exact, values};

/// The decks from which every pair of cards in every two neighbouring places is expected often enough.
const DECKS_FOR_PAIRS: u64 = 52 * 51 * 5;

/// How many cards the windows of the overlapping orders have, and in how many orders they come.
const WINDOW: usize = 4;
const WINDOW_ORDERS: usize = 24;
const WINDOWS: usize = CARDS - WINDOW + 1;

/// Ten hands of five cards, dealt five at a time.
const IN_A_ROW: usize = 10;
/// Eight hands, dealt one card at a time: seven positions and the Dealer.
const AROUND: usize = 8;
/// Two cards to each of seven positions, after five community cards; each with the flop.
const WITH_FLOP: usize = 7;

/// Counts of many decks.
#[derive(Clone)]
pub(super) struct Decks {
    counted: u64,
    /// By place, then by the card there, then by the card in the next place.
    neighbours: Vec<u64>,
    up_and_down: Vec<u64>,
    high_and_low: Vec<u64>,
    colours: Vec<u64>,
    /// By rank, then by the places from its first card to its second.
    gaps: Vec<u64>,
    /// By hand, then by its order.
    in_a_row: Vec<u64>,
    around: Vec<u64>,
    with_flop: Vec<u64>,
    suits_collected: Vec<u64>,
    ranks_collected: Vec<u64>,
    orders: Vec<u64>,
    windows: Vec<u64>,
    places: Products,
}

impl Default for Decks {
    fn default() -> Decks {
        let counts = || vec![0; CARDS + 1];
        Decks {
            counted: 0,
            neighbours: vec![0; (CARDS - 1) * CARDS * CARDS],
            up_and_down: counts(),
            high_and_low: counts(),
            colours: counts(),
            gaps: vec![0; 13 * (CARDS + 1)],
            in_a_row: vec![0; IN_A_ROW * 10],
            around: vec![0; AROUND * 10],
            with_flop: vec![0; WITH_FLOP * 10],
            suits_collected: counts(),
            ranks_collected: counts(),
            orders: vec![0; 120],
            windows: vec![0; WINDOW_ORDERS],
            places: Products::default(),
        }
    }
}

impl Decks {
    pub(super) fn add(&mut self, deck: &Order, values: &Values) {
        self.counted += 1;
        for (place, pair) in deck.windows(2).enumerate() {
            self.neighbours[(place * CARDS + usize::from(pair[0])) * CARDS + usize::from(pair[1])] += 1;
        }
        self.add_runs(deck);
        self.add_kinds(deck);
        self.add_hands(deck);
        self.add_orders(deck);
        self.places.add(values, values);
    }

    fn add_runs(&mut self, deck: &Order) {
        let (mut turns, mut crossed, mut recoloured) = (0, 0, 0);
        let mut rose_before = deck[0] < deck[1];
        for pair in deck.windows(2) {
            let rose = pair[0] < pair[1];
            turns += usize::from(rose != rose_before);
            rose_before = rose;
            crossed += usize::from((pair[0] < 26) != (pair[1] < 26));
            recoloured += usize::from(is_red(pair[0]) != is_red(pair[1]));
        }
        self.up_and_down[turns + 1] += 1;
        self.high_and_low[crossed + 1] += 1;
        self.colours[recoloured + 1] += 1;
    }

    /// Gaps between cards of a rank, and how long it takes to see every suit and every rank.
    fn add_kinds(&mut self, deck: &Order) {
        // For each rank the place of its first card, until its second has come.
        let mut first = [None; 13];
        let mut second = 0_u16;
        let (mut suits, mut ranks) = (0_u8, 0_u16);
        for (place, card) in deck.iter().enumerate() {
            let (rank, suit) = (usize::from(card / 4), card % 4);
            if suits != 0b1111 {
                suits |= 1 << suit;
                self.suits_collected[place + 1] += u64::from(suits == 0b1111);
            }
            if ranks != 0x1FFF {
                ranks |= 1 << rank;
                self.ranks_collected[place + 1] += u64::from(ranks == 0x1FFF);
            }
            match first[rank] {
                None => first[rank] = Some(place),
                Some(before) if second & (1 << rank) == 0 => {
                    second |= 1 << rank;
                    self.gaps[rank * (CARDS + 1) + place - before] += 1;
                }
                Some(_) => {}
            }
        }
    }

    fn add_hands(&mut self, deck: &Order) {
        let card = |place: usize| Card::from_index(deck[place]).expect("a card of the deck");
        let count = |counts: &mut [u64], hand: usize, places: [usize; 5]| {
            let order = places.map(card).into_iter().collect::<Hand>().rank().order();
            counts[hand * 10 + order as usize] += 1;
        };
        for hand in 0..IN_A_ROW {
            count(&mut self.in_a_row, hand, [0, 1, 2, 3, 4].map(|place| hand * 5 + place));
        }
        for hand in 0..AROUND {
            count(&mut self.around, hand, [0, 1, 2, 3, 4].map(|turn| turn * AROUND + hand));
        }
        for hand in 0..WITH_FLOP {
            count(&mut self.with_flop, hand, [0, 1, 2, 5 + 2 * hand, 6 + 2 * hand]);
        }
    }

    fn add_orders(&mut self, deck: &Order) {
        for five in deck[..50].chunks_exact(5) {
            self.orders[number_of(five)] += 1;
        }
        let falls = |place: usize, by: usize| usize::from(deck[place + by] < deck[place]);
        for start in 0..WINDOWS {
            let first = falls(start, 1) + falls(start, 2) + falls(start, 3);
            let second = falls(start + 1, 1) + falls(start + 1, 2);
            self.windows[first * 6 + second * 2 + falls(start + 2, 1)] += 1;
        }
    }

    pub(super) fn plus(mut self, other: &Decks) -> Decks {
        self.counted += other.counted;
        for (to, from) in [
            (&mut self.neighbours, &other.neighbours),
            (&mut self.up_and_down, &other.up_and_down),
            (&mut self.high_and_low, &other.high_and_low),
            (&mut self.colours, &other.colours),
            (&mut self.gaps, &other.gaps),
            (&mut self.in_a_row, &other.in_a_row),
            (&mut self.around, &other.around),
            (&mut self.with_flop, &other.with_flop),
            (&mut self.suits_collected, &other.suits_collected),
            (&mut self.ranks_collected, &other.ranks_collected),
            (&mut self.orders, &other.orders),
            (&mut self.windows, &other.windows),
        ] {
            add(to, from);
        }
        self.places.plus(&other.places);
        self
    }

    /// Which two cards are neighbours anywhere in the deck.
    pub(super) fn neighbours(&self, part: Part) -> Statistic {
        let mut table = vec![0.0; CARDS * CARDS];
        for cells in self.neighbours.chunks_exact(CARDS * CARDS) {
            table.iter_mut().zip(cells).for_each(|(sum, count)| *sum += real(*count));
        }
        let mut single = vec![0.0; CARDS * CARDS];
        (0..CARDS - 1).for_each(|card| single[card * CARDS + card + 1] = 1.0);
        part.statistic(&table, &single, self.counted)
    }

    /// Which two cards are in each two neighbouring places.
    pub(super) fn neighbours_by_place(&self) -> Option<Statistic> {
        if self.counted < DECKS_FOR_PAIRS {
            return None;
        }
        let of = |(place, cells): (usize, &[u64])| {
            let cells = cells.iter().enumerate();
            let two_cards: Vec<u64> =
                cells.filter(|(cell, _)| cell / CARDS != cell % CARDS).map(|(_, count)| *count).collect();
            (format!("places {} and {}", place + 1, place + 2), even(&two_cards))
        };
        Statistic::worst(self.neighbours.chunks_exact(CARDS * CARDS).enumerate().map(of).collect())
    }

    pub(super) fn runs_up_and_down(&self) -> Option<Statistic> {
        against(&self.up_and_down, &exact::runs_up_and_down())
    }

    pub(super) fn runs_high_and_low(&self) -> Option<Statistic> {
        against(&self.high_and_low, &exact::runs_of_two_kinds())
    }

    pub(super) fn runs_of_colour(&self) -> Option<Statistic> {
        against(&self.colours, &exact::runs_of_two_kinds())
    }

    pub(super) fn gaps(&self) -> Option<Statistic> {
        let chances = exact::gaps_in_a_deck();
        let ranks = self.gaps.chunks_exact(CARDS + 1).zip(cards::Rank::ALL);
        let of = |(counts, rank): (&[u64], cards::Rank)| {
            Some((format!("rank {}", rank.letter()), against(counts, &chances)?))
        };
        Statistic::worst(ranks.map(of).collect::<Option<_>>()?)
    }

    pub(super) fn hands_in_a_row(&self) -> Option<Statistic> {
        hands(&self.in_a_row)
    }

    pub(super) fn hands_around(&self) -> Option<Statistic> {
        hands(&self.around)
    }

    pub(super) fn hands_with_flop(&self) -> Option<Statistic> {
        hands(&self.with_flop)
    }

    /// How many of the ten hands in a row have an order that is rare enough to be counted on its own.
    pub(super) fn rare_hands(&self, order: cards::HandOrder) -> Statistic {
        let place = order as usize;
        let count = self.in_a_row.iter().skip(place).step_by(10).sum();
        let mean = real(self.counted) * 10.0 * exact::hands()[place];
        Statistic::poisson(count, mean)
    }

    pub(super) fn suits_collected(&self) -> Option<Statistic> {
        against(&self.suits_collected, &exact::collected_in_a_deck(4, 13))
    }

    pub(super) fn ranks_collected(&self) -> Option<Statistic> {
        against(&self.ranks_collected, &exact::collected_in_a_deck(13, 4))
    }

    /// The orders of five cards. Cards that are apart have independent orders, so all ten fives count alike.
    pub(super) fn orders(&self) -> Statistic {
        even(&self.orders)
    }

    /// The orders of four cards in windows that overlap, with the covariance that the overlap makes.
    pub(super) fn windows(&self) -> Statistic {
        let expected = real(self.counted) * real(WINDOWS as u64) / real(WINDOW_ORDERS as u64);
        let off: Vec<f64> = self.windows.iter().map(|count| real(*count) - expected).collect();
        let free = WINDOW_ORDERS - 1;
        let solved = solve(window_covariance(), off[..free].to_vec());
        let sum: f64 = solved.iter().zip(&off).map(|(one, other)| one * other).sum();
        Statistic::chi_square(sum / real(self.counted), real(free as u64))
    }

    /// Every place with every other place of the same deck, by the numbers of their cards.
    pub(super) fn correlation_of_places(&self) -> Statistic {
        let in_order: Order = std::array::from_fn(|card| u8::try_from(card).expect("52 cards"));
        let values = values(&in_order);
        let mut single = Products::default();
        single.add(&values, &values);
        Part::Together.statistic(&self.places.sums(), &single.sums(), self.counted)
    }
}

/// The orders of several hands of the same decks.
fn hands(counts: &[u64]) -> Option<Statistic> {
    let chances = exact::hands();
    let of = |(number, counts): (usize, &[u64])| {
        Some((format!("hand {}", number + 1), against(counts, &chances)?))
    };
    Statistic::worst(counts.chunks_exact(10).enumerate().map(of).collect::<Option<_>>()?)
}

fn is_red(card: u8) -> bool {
    matches!(card % 4, 1 | 2)
}

/// The number of an order among all orders of its cards, from zero.
fn number_of(cards: &[u8]) -> usize {
    let mut number = 0;
    for (place, card) in cards.iter().enumerate() {
        let later_and_lower = cards[place + 1..].iter().filter(|later| *later < card).count();
        number = number * (cards.len() - place) + later_and_lower;
    }
    number
}

/// The covariance of the counts of all but one order in one deck. Windows that do not overlap are independent; those
/// that do are counted over all orders of the cards in both.
fn window_covariance() -> Vec<Vec<f64>> {
    let free = WINDOW_ORDERS - 1;
    let each = 1.0 / real(WINDOW_ORDERS as u64);
    let mut covariance = vec![vec![0.0; free]; free];
    for shift in 0..WINDOW {
        let mut joint = vec![vec![0_u64; WINDOW_ORDERS]; WINDOW_ORDERS];
        let mut orders = 0;
        each_order(&mut (0_u8..).take(WINDOW + shift).collect::<Vec<_>>(), 0, &mut |order| {
            joint[number_of(&order[..WINDOW])][number_of(&order[shift..])] += 1;
            orders += 1;
        });
        let windows = real((WINDOWS - shift) as u64);
        let together = |one: usize, other: usize| real(joint[one][other]) / real(orders) - each * each;
        for (one, row) in covariance.iter_mut().enumerate() {
            for (other, sum) in row.iter_mut().enumerate() {
                // A window and itself are one pair, a window and a later one are two.
                let both = if shift == 0 { 0.0 } else { together(other, one) };
                *sum += windows * (together(one, other) + both);
            }
        }
    }
    covariance
}

/// Calls `take` with every order of the items from `start` on.
fn each_order(items: &mut Vec<u8>, start: usize, take: &mut impl FnMut(&[u8])) {
    if start == items.len() {
        take(items);
        return;
    }
    for place in start..items.len() {
        items.swap(start, place);
        each_order(items, start + 1, take);
        items.swap(start, place);
    }
}

/// Solves a symmetric positive system by elimination.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for pivot in 0..size {
        let row = matrix[pivot].clone();
        for below in pivot + 1..size {
            let times = matrix[below][pivot] / row[pivot];
            matrix[below].iter_mut().zip(&row).for_each(|(to, from)| *to -= times * from);
            right[below] -= times * right[pivot];
        }
    }
    for place in (0..size).rev() {
        let known: f64 = (place + 1..size).map(|later| matrix[place][later] * right[later]).sum();
        right[place] = (right[place] - known) / matrix[place][place];
    }
    right
}
