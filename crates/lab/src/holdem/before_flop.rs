//! What the Flop wager gains over a fold when one card is known that lies face down: a card of the Dealer, one of the flop,
//! the turn or the river.
//!
//! Only hole cards are in the table with which some card changes the best choice; with all others a hidden card decides
//! nothing. The table is kept, for it takes half a minute to count and depends on the cards and the usual wagers alone. A test
//! counts a class of it again, flop by flop; `UPDATE=1 cargo test -p lab --lib before_flop` writes it anew.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use cards::Card;
use rulebook::HoleClass;

use super::pays::Pays;

/// One line a class and place of the hidden card: both names, and by rank what the hand brings, in Antes over all deals, with a
/// card of the suit of the lower card, of the higher card's suit (where it is another), and of any other suit. A dash stands
/// for the hand's own cards.
const TABLE: &str = include_str!("before_flop.txt");

/// Where the hidden card lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Lies {
    WithDealer,
    OnFlop,
    OnTurn,
    OnRiver,
}

impl Lies {
    const ALL: [Lies; 4] = [Lies::WithDealer, Lies::OnFlop, Lies::OnTurn, Lies::OnRiver];

    const fn name(self) -> &'static str {
        match self {
            Lies::WithDealer => "dealer",
            Lies::OnFlop => "flop",
            Lies::OnTurn => "turn",
            Lies::OnRiver => "river",
        }
    }

    /// The deals that follow two hole cards and the hidden card: flop, turn and river in order, and the Dealer's cards.
    const fn deals(self) -> i64 {
        match self {
            Lies::WithDealer => 49 * 48 * 47 / 6 * 46 * 45 * 44,
            Lies::OnFlop => 49 * 48 / 2 * 47 * 46 * 990,
            Lies::OnTurn | Lies::OnRiver => 49 * 48 * 47 / 6 * 46 * 990,
        }
    }
}

/// What hole cards bring by rank of the hidden card and by its suit: that of the lower card, of the higher, another.
type Nets = [[Option<i64>; 3]; 13];

/// The usual wagers: Flop, Turn and River in Antes, and the orders of hand with which a won Ante is paid.
const USUAL: ([i64; 3], Option<u16>) = ([2, 1, 1], Some(0b11_1111_0000));

/// What the Flop wager gains over a fold, in Antes, with `hidden` known; none where no card changes the choice, or where the
/// book's wagers are not those of the table.
pub(super) fn gain(pays: &Pays, own: [Card; 2], lies: Lies, hidden: Card) -> Option<f64> {
    let wagers = [pays.flop_wager(), pays.turn_wager(), pays.river_wager()];
    if (wagers, pays.ante_paid_even()) != USUAL {
        return None;
    }
    let nets = table().get(&(HoleClass::of(own), lies))?;
    let [low, high] = if own[1].rank() < own[0].rank() { [own[1], own[0]] } else { own };
    let suit = match hidden.suit() {
        suit if suit == low.suit() => 0,
        suit if suit == high.suit() => usize::from(low.rank() != high.rank()),
        _ => 2,
    };
    let net = nets[hidden.rank() as usize][suit]?;
    #[expect(clippy::cast_precision_loss, reason = "numbers far below 2 to the 52nd")]
    Some((net - Pays::FOLD * lies.deals()) as f64 / lies.deals() as f64)
}

fn table() -> &'static BTreeMap<(HoleClass, Lies), Nets> {
    static READ: OnceLock<BTreeMap<(HoleClass, Lies), Nets>> = OnceLock::new();
    READ.get_or_init(|| TABLE.lines().map(parse).collect())
}

fn parse(line: &str) -> ((HoleClass, Lies), Nets) {
    let mut words = line.split_whitespace();
    let class: HoleClass = words.next().and_then(|word| word.parse().ok()).expect("a line names its class");
    let name = words.next();
    let lies = Lies::ALL.into_iter().find(|lies| Some(lies.name()) == name).expect("and a place");
    let mut nets = [[None; 3]; 13];
    for rank in &mut nets {
        for &suit in suits(class) {
            rank[suit] = words.next().expect("a number for each card").parse().ok();
        }
    }
    ((class, lies), nets)
}

/// The suits that hole cards tell apart: of the lower card, of the higher, others. The suits of a pair are alike.
fn suits(class: HoleClass) -> &'static [usize] {
    if class.suited() || class.low() == class.high() { &[0, 2] } else { &[0, 1, 2] }
}

#[cfg(test)]
mod tests;
