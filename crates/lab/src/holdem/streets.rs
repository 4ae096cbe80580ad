//! A jackpot that is won by street: royal flushes on flop, turn and river, best of seven, and the community's own table.
//!
//! A board belongs to exactly one *event*: what hole cards and board make in the end, what the board makes alone, and
//! with which street a royal flush was complete. An event fixes which lines of the table a wager is paid on, by the
//! book's own order and by the reading `one-jackpot-payout`; so lines may be changed or left out and the count holds.
//!
//! Turn and River wagers do not change what the jackpot pays, so play after the flop is as without it. A fold may lose
//! lines, and is weighed against them.

use cards::HandOrder;
use rulebook::{HoleClass, JackpotCards, JackpotLine, JackpotRules, OneJackpotPayout, Rulebook};

use super::count::{BOARDS_PER_HAND, DEALS, DEALS_PER_HAND, StreetCounts, chart, place_of};
use crate::exact::jackpot::{break_even, fixed_return, fixed_sum, percent_sum, rows};
use crate::exact::{FixedReturn, Fraction, JackpotRow, LabError, PaidTogether, not_counted};

/// The dealer's hands that a hole hand and a board leave.
const DEALER_HANDS: u64 = DEALS_PER_HAND / BOARDS_PER_HAND;

/// A line of the table for one class of hole cards: of the boards of one hand, those on which it is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct StreetLine {
    /// If the hand is played.
    pub played: u64,
    /// If it is folded.
    pub folded: u64,
}

/// The jackpot of a book, counted for every class of hole cards.
#[derive(Clone, Debug)]
pub struct StreetJackpot {
    lines: Vec<JackpotLine>,
    wager_cents: u64,
    /// By class in the order of the chart, then by line.
    boards: Vec<Vec<StreetLine>>,
    /// Two lines that are paid on one board, by class in the order of the chart.
    together: Vec<Vec<([usize; 2], StreetLine)>>,
}

impl StreetJackpot {
    /// The jackpot of a hold'em book for a wager of so many cents. Refused where a line asks for a hand that is not
    /// counted by street.
    pub fn new(book: &Rulebook, wager_cents: u64) -> Result<StreetJackpot, LabError> {
        let rules = &book.jackpot;
        for (place, line) in rules.lines.iter().enumerate() {
            let early = matches!(line.cards, JackpotCards::HoleAndFlop | JackpotCards::HoleToTurn);
            let lowest = if early { HandOrder::RoyalFlush } else { HandOrder::FourOfAKind };
            if line.hand < lowest {
                let key = format!("jackpot.lines {}", place + 1);
                let hand = line.hand.to_string().to_lowercase();
                let reason =
                    format!("a {hand} on these cards is not counted by street; from a {lowest} up they are");
                return not_counted(book, key, reason);
            }
        }
        let (boards, together) = StreetCounts::all().iter().map(|counts| class_lines(rules, counts)).unzip();
        Ok(StreetJackpot { lines: rules.lines.clone(), wager_cents, boards, together })
    }

    pub const fn wager_cents(&self) -> u64 {
        self.wager_cents
    }

    /// The lines of one class of hole cards, in the order of the table.
    pub fn class(&self, class: HoleClass) -> &[StreetLine] {
        &self.boards[place_of(class)]
    }

    /// What a class is paid on average if it is played and if it is folded, in cents, the stake not taken off.
    pub fn class_returns(&self, class: HoleClass, meter_cents: u64) -> [Fraction; 2] {
        [false, true].map(|folded| {
            Fraction::new(self.award(place_of(class), folded, meter_cents), 100 * i128::from(BOARDS_PER_HAND))
        })
    }

    /// The deals of each line with given folds, by class in the order of the chart.
    pub fn deals(&self, folds: &[bool]) -> Vec<u64> {
        let mut deals = vec![0; self.lines.len()];
        for ((class, lines), &fold) in chart().zip(&self.boards).zip(folds) {
            for (sum, line) in deals.iter_mut().zip(lines) {
                *sum += class.combinations() * DEALER_HANDS * if fold { line.folded } else { line.played };
            }
        }
        deals
    }

    /// The deals in which two lines are paid, with given folds.
    pub fn paid_together(&self, folds: &[bool]) -> Vec<PaidTogether> {
        let mut all: Vec<PaidTogether> = Vec::new();
        for ((class, pairs), &fold) in chart().zip(&self.together).zip(folds) {
            for &(lines, boards) in pairs {
                let boards = if fold { boards.folded } else { boards.played };
                let deals = class.combinations() * DEALER_HANDS * boards;
                match all.iter_mut().find(|both| both.lines == lines) {
                    Some(both) => both.deals += deals,
                    None => all.push(PaidTogether { lines, deals }),
                }
            }
        }
        all.retain(|both| 0 < both.deals);
        all
    }

    /// The table with given folds.
    pub fn rows(&self, folds: &[bool]) -> Vec<JackpotRow> {
        rows(&self.lines, &self.deals(folds))
    }

    /// What odds and fixed amounts bring with given folds.
    pub fn fixed_return(&self, folds: &[bool]) -> FixedReturn {
        fixed_return(&self.lines, &self.deals(folds), DEALS, self.wager_cents)
    }

    /// The share of the meter won with given folds.
    pub fn meter_weight(&self, folds: &[bool]) -> Fraction {
        Fraction::new(percent_sum(&self.lines, &self.deals(folds)), 100 * i128::from(DEALS))
    }

    /// The least meter at which the wager loses nothing with given folds.
    pub fn break_even_meter(&self, folds: &[bool]) -> Option<u64> {
        break_even(self.fixed_return(folds).cents, self.meter_weight(folds), self.wager_cents)
    }

    /// The classes to fold with the wager down, by class in the order of the chart. `nets` says what playing each is
    /// worth without it, in Antes over the deals of one hand. Where both are level the hand is folded.
    pub fn folds(&self, nets: &[i128], ante_cents: u64, meter_cents: u64) -> Vec<bool> {
        let fold = |place| {
            let [play, fold] = self.values(nets, place, ante_cents, meter_cents);
            play <= fold
        };
        (0..nets.len()).map(fold).collect()
    }

    /// Ante and jackpot together with given folds, in cents a round, all stakes counted as losses.
    pub fn combined(&self, nets: &[i128], folds: &[bool], ante_cents: u64, meter_cents: u64) -> Fraction {
        let chosen = folds.iter().map(|&fold| usize::from(fold)).enumerate();
        let value =
            |(place, choice): (usize, usize)| self.values(nets, place, ante_cents, meter_cents)[choice];
        let hands = chart().map(|class| i128::from(class.combinations()));
        let sum: i128 = hands.zip(chosen.map(value)).map(|(hands, value)| hands * value).sum();
        Fraction::new(sum, 100 * i128::from(DEALS)).minus(Fraction::whole(self.wager_cents))
    }

    /// The least meter at which the wager adds at least what it costs, with the best folds at every meter.
    pub fn joint_break_even_meter(&self, nets: &[i128], ante_cents: u64) -> Option<u64> {
        let alone = |&net: &i128| net <= -i128::from(DEALS_PER_HAND);
        let base_folds: Vec<bool> = nets.iter().map(alone).collect();
        let without: i128 = chart()
            .zip(nets)
            .map(|(class, &net)| i128::from(class.combinations()) * net.max(-i128::from(DEALS_PER_HAND)))
            .sum();
        let without = Fraction::new(without, DEALS).times(Fraction::whole(ante_cents));
        let loses = |meter| {
            let folds = self.folds(nets, ante_cents, meter);
            self.combined(nets, &folds, ante_cents, meter) < without
        };
        // With the best folds the wager is worth no less than with any others, and more the higher the meter.
        let (mut low, mut high) = (0, self.break_even_meter(&base_folds)?);
        while low < high {
            let middle = low.midpoint(high);
            if loses(middle) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Some(low)
    }

    /// What playing and folding a class are worth, in cents over a hundred times the deals of one hand, without the
    /// jackpot's stake, which is lost either way.
    fn values(&self, nets: &[i128], place: usize, ante_cents: u64, meter_cents: u64) -> [i128; 2] {
        let ante = 100 * i128::from(ante_cents);
        let award = |folded| i128::from(DEALER_HANDS) * self.award(place, folded, meter_cents);
        [ante * nets[place] + award(false), -ante * i128::from(DEALS_PER_HAND) + award(true)]
    }

    /// What a class is paid over all boards of one hand, in hundredths of a cent.
    fn award(&self, place: usize, folded: bool, meter_cents: u64) -> i128 {
        let boards = self.boards[place].iter().map(|line| if folded { line.folded } else { line.played });
        let boards: Vec<u64> = boards.collect();
        percent_sum(&self.lines, &boards) * i128::from(meter_cents)
            + 100 * fixed_sum(&self.lines, &boards, self.wager_cents)
    }
}

/// The streets on which a royal flush can be complete.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Street {
    Flop,
    Turn,
    River,
}

/// All that matters of a board for the table.
struct Event {
    /// When a royal flush of hole cards and board was complete, if it was.
    royal: Option<Street>,
    /// The best five of seven; `None` for anything below four of a kind.
    best: Option<HandOrder>,
    board: Option<HandOrder>,
    /// How many boards of one hole hand.
    boards: u64,
}

impl Event {
    fn qualifies(&self, line: &JackpotLine) -> bool {
        let royal_by = |street| self.royal.is_some_and(|complete| complete <= street);
        match line.cards {
            JackpotCards::Hand => false,
            JackpotCards::HoleAndFlop => royal_by(Street::Flop),
            JackpotCards::HoleToTurn => royal_by(Street::Turn),
            JackpotCards::HoleToRiver => self.best == Some(line.hand),
            JackpotCards::HoleToRiverWithHoleCard => {
                self.best == Some(line.hand) && self.board != Some(line.hand)
            }
            JackpotCards::Community => self.board == Some(line.hand),
        }
    }
}

/// The lines of the table for one class, and those that are paid two at a time.
fn class_lines(
    rules: &JackpotRules,
    counts: &StreetCounts,
) -> (Vec<StreetLine>, Vec<([usize; 2], StreetLine)>) {
    let mut lines = vec![StreetLine::default(); rules.lines.len()];
    let mut together = Vec::new();
    for event in events(counts) {
        for folded in [false, true] {
            let of_boards = |boards: u64| {
                let [played, folded] = if folded { [0, boards] } else { [boards, 0] };
                StreetLine { played, folded }
            };
            let paid = paid_lines(rules, &event, folded);
            for &place in &paid {
                let line = &mut lines[place];
                *(if folded { &mut line.folded } else { &mut line.played }) += event.boards;
            }
            if let [one, other] = paid[..] {
                together.push(([one, other], of_boards(event.boards)));
            }
        }
    }
    (lines, together)
}

/// The lines an event is paid on: the highest, or the player's highest and the community's.
fn paid_lines(rules: &JackpotRules, event: &Event, folded: bool) -> Vec<usize> {
    let open: Vec<&JackpotLine> = rules.lines_for(folded).collect();
    let first = |community: Option<bool>| {
        let is_open = |line: &&JackpotLine| {
            community.is_none_or(|community| community == (line.cards == JackpotCards::Community))
        };
        let line = open.iter().copied().filter(is_open).find(|line| event.qualifies(line))?;
        rules.lines.iter().position(|listed| listed == line)
    };
    match rules.one_payout {
        OneJackpotPayout::Highest => first(None).into_iter().collect(),
        OneJackpotPayout::PlayerAndCommunity => {
            [first(Some(false)), first(Some(true))].into_iter().flatten().collect()
        }
    }
}

/// The boards of one hole hand by event.
fn events(counts: &StreetCounts) -> Vec<Event> {
    use HandOrder::{FourOfAKind, RoyalFlush, StraightFlush};
    let played = &counts.played;
    let beside = royals_beside_straight_flushes(counts.class);
    let on_boards: u64 = beside.iter().sum();
    assert_eq!(
        on_boards,
        counts.folded.community_straight_flush - played.community_straight_flush,
        "royal flushes beside a straight flush on the board, {}",
        counts.class
    );
    let mut events = Vec::new();
    let mut add = |royal, best, board, boards| events.push(Event { royal, best: Some(best), board, boards });
    let royals = [played.royal_on_flop, played.royal_on_turn, played.royal_on_river];
    for ((street, all), beside) in
        [Street::Flop, Street::Turn, Street::River].into_iter().zip(royals).zip(beside)
    {
        add(Some(street), RoyalFlush, None, all - beside);
        add(Some(street), RoyalFlush, Some(StraightFlush), beside);
    }
    add(Some(Street::River), RoyalFlush, Some(RoyalFlush), played.community_royal);
    add(None, StraightFlush, None, played.straight_flush);
    add(None, StraightFlush, Some(StraightFlush), played.community_straight_flush);
    add(None, FourOfAKind, None, played.four);
    add(None, FourOfAKind, Some(FourOfAKind), played.community_four);
    events
}

/// The boards of one hole hand that are a straight flush by themselves and a royal flush with the hole cards, by the
/// street that completes the royal.
///
/// Ace and King of a suit with Queen to 8: the street that brings the last of Queen, Jack and 10. An Ace with King to
/// 9: the street that brings the last of King to 10. There are no others: the royal's other ranks must reach down
/// without a gap.
fn royals_beside_straight_flushes(class: HoleClass) -> [u64; 3] {
    const NINE_TO_KING: u16 = 0b1111_1000_0000;
    let (high, low): (u16, u16) = (1 << class.high() as u16, 1 << class.low() as u16);
    let ace = 1 << 12;
    let suits = if class.suited() { vec![high | low] } else { vec![high, low] };
    let mut boards = [0; 3];
    for own in suits {
        let orders = if class.suited() && own == 0b11 << 11 {
            [2, 6, 12]
        } else if own & ace != 0 && own & NINE_TO_KING == 0 {
            [0, 4, 16]
        } else {
            [0, 0, 0]
        };
        boards.iter_mut().zip(orders).for_each(|(sum, orders)| *sum += orders);
    }
    boards
}
