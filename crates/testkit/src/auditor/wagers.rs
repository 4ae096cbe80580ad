//! Every wager except the jackpot's: its amount, what the hands decide, and what the limits change.

use super::Line;
use super::hands::{
    Card, FIVE_ODD_CARDS, FLUSH, FOUR_OF_A_KIND, FULL_HOUSE, ROYAL_FLUSH, STRAIGHT, STRAIGHT_FLUSH,
    THREE_OF_A_KIND, TWO_PAIRS, best_of,
};
use super::record::{Book, Decision, Position, Record};

/// A wager on the table, with the limits that apply to it.
pub(super) struct Wager {
    pub(super) area: &'static str,
    pub(super) staked: i128,
    minimum: i128,
    maximum: i128,
}

/// The result of a wager before its limits are applied.
#[derive(Clone, Copy)]
enum Verdict {
    /// Won at these odds to one.
    Paid(i128),
    Collected,
    StandOff,
    Returned,
}

/// The wagers of a position, except the jackpot's.
pub(super) fn wagers_of(record: &Record, position: &Position) -> Vec<Wager> {
    let Some(ante) = position.ante else {
        return vec![];
    };
    let (minimum, maximum) = record.ante_limits;
    let mut wagers = vec![Wager { area: "ante", staked: ante, minimum, maximum }];
    if let Some(bonus) = position.bonus {
        let (minimum, maximum) = record.bonus_limits.expect("a Bonus is read only where it has limits");
        wagers.push(Wager { area: "bonus", staked: bonus, minimum, maximum });
    }
    if position.decision == Some(Decision::Bet) {
        // MTHB9 3.9.2 and MSSP9 3.9.2: twice the Ante, so twice its limits.
        let area = if record.book == Book::Mssp9 { "bet" } else { "flop" };
        wagers.push(Wager { area, staked: 2 * ante, minimum: 2 * minimum, maximum: 2 * maximum });
        // MTHB9 3.9.2: the Ante again.
        if position.turn {
            wagers.push(Wager { area: "turn", staked: ante, minimum, maximum });
        }
        if position.river {
            wagers.push(Wager { area: "river", staked: ante, minimum, maximum });
        }
    }
    wagers
}

/// Settles one wager of a hand that is played out.
pub(super) fn settle_wager(record: &Record, position: &Position, wager: &Wager) -> Line {
    let verdict = match record.book {
        Book::Mssp9 => stud_verdict(record, position, wager.area),
        Book::Mthb9 | Book::Mthb6 | Book::Thb6 => holdem_verdict(record, position, wager.area),
    };
    let warned = record.warned.contains(&position.player);
    hold_against_limits(verdict, wager, warned)
}

/// The three hold'em books, which have the same rules here.
fn holdem_verdict(record: &Record, position: &Position, area: &str) -> Verdict {
    // MTHB9 3.9.1: a fold loses Ante and Bonus; there are no other wagers.
    if position.decision == Some(Decision::Fold) {
        return Verdict::Collected;
    }
    // MTHB9 3.10.1: a hand kept from comparison counts as lower; the reading bonus-follows loses the Bonus with it.
    if position.declines {
        return Verdict::Collected;
    }
    // MTHB9 1.1.3, 4.1.1 and the reading bonus-follows: the hole cards alone.
    if area == "bonus" {
        return bonus_verdict(&position.cards, &record.dealer);
    }

    let mut players_seven = position.cards.clone();
    players_seven.extend(&record.community);
    let mut dealers_seven = record.dealer.clone();
    dealers_seven.extend(&record.community);
    let player = best_of(&players_seven);
    let dealer = best_of(&dealers_seven);

    if player < dealer {
        // MTHB9 3.10.3.
        return Verdict::Collected;
    }
    if player == dealer {
        // MTHB9 3.10.4.
        return Verdict::StandOff;
    }
    // MTHB9 3.10.2: the Ante wins from a straight up only.
    if area == "ante" && player.0 < STRAIGHT {
        return Verdict::StandOff;
    }
    Verdict::Paid(1)
}

/// The table of MTHB9 4.1.1, the same in MTHB6 and THB6.
fn bonus_verdict(hole: &[Card], dealer: &[Card]) -> Verdict {
    let high = hole[0].0.max(hole[1].0);
    let low = hole[0].0.min(hole[1].0);
    let suited = hole[0].1 == hole[1].1;
    let dealer_has_aces = dealer[0].0 == 14 && dealer[1].0 == 14;
    match (high, low, suited) {
        (14, 14, _) if dealer_has_aces => Verdict::Paid(1000),
        (14, 14, _) => Verdict::Paid(30),
        (14, 13, true) => Verdict::Paid(25),
        (14, 12 | 11, true) => Verdict::Paid(20),
        (14, 13, false) => Verdict::Paid(15),
        (13, 13, _) | (12, 12, _) | (11, 11, _) => Verdict::Paid(10),
        (14, 12 | 11, false) => Verdict::Paid(5),
        (high, low, _) if high == low => Verdict::Paid(3),
        _ => Verdict::Collected,
    }
}

fn stud_verdict(record: &Record, position: &Position, area: &str) -> Verdict {
    // MSSP9 3.9.1.
    if position.decision == Some(Decision::Fold) {
        return Verdict::Collected;
    }
    let player = best_of(&position.cards);
    let dealer = best_of(&record.dealer);

    // MSSP9 3.10.2: odd cards without both an Ace and a King are not a hand.
    let ace = record.dealer.iter().any(|card| card.0 == 14);
    let king = record.dealer.iter().any(|card| card.0 == 13);
    let dealer_has_a_hand = dealer.0 > FIVE_ODD_CARDS || (ace && king);
    if !dealer_has_a_hand {
        // MSSP9 3.10.2.1 and 3.10.2.2, also for a Player who declines: the reading declined-no-hand.
        return if area == "bet" { Verdict::Returned } else { Verdict::Paid(1) };
    }
    // MSSP9 3.10.1.
    if position.declines {
        return Verdict::Collected;
    }
    if player < dealer {
        // MSSP9 3.10.3.2.
        return Verdict::Collected;
    }
    if player == dealer {
        // MSSP9 3.10.4.
        return Verdict::StandOff;
    }
    // MSSP9 3.10.3.1, 4.1.1 and 4.1.2.
    if area == "ante" {
        return Verdict::Paid(1);
    }
    match player.0 {
        ROYAL_FLUSH => Verdict::Paid(250),
        STRAIGHT_FLUSH => Verdict::Paid(50),
        FOUR_OF_A_KIND => Verdict::Paid(20),
        FULL_HOUSE => Verdict::Paid(7),
        FLUSH => Verdict::Paid(5),
        STRAIGHT => Verdict::Paid(4),
        THREE_OF_A_KIND => Verdict::Paid(3),
        TWO_PAIRS => Verdict::Paid(2),
        _ => Verdict::Paid(1),
    }
}

/// 5.13 and 5.14, with the same words in all four books.
fn hold_against_limits(verdict: Verdict, wager: &Wager, warned: bool) -> Line {
    let staked = wager.staked;
    // 5.13: settled once; a Player who already had that once gets it back, win or lose.
    if warned && staked < wager.minimum {
        return Line::returned(staked);
    }
    // 5.14: won or lost up to the maximum only, and the excess is returned.
    let counted = staked.min(wager.maximum);
    match verdict {
        Verdict::Paid(odds) => {
            Line { staked, paid: counted * odds, returned: staked, collected: 0, outcome: "paid" }
        }
        Verdict::Collected => {
            Line { staked, paid: 0, returned: staked - counted, collected: counted, outcome: "collected" }
        }
        Verdict::StandOff => Line { staked, paid: 0, returned: staked, collected: 0, outcome: "stand-off" },
        Verdict::Returned => Line::returned(staked),
    }
}
