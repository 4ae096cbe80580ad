//! Jackpot: whether a hand wins, how much, and in which order several are paid.

use std::sync::Arc;

use ::jackpot::{RoundAwards, enter_round};
use cards::{Card, HandOrder};
use money::{Money, Pool};
use round::{Line, Outcome, Settlement, Stage, jackpot_lines};
use rulebook::{JackpotCards, JackpotLine, PlayingArea, Rule, Rulebook};

use super::signing;
use crate::chance::Chance;
use crate::deal::Plant;
use crate::drill::Made;
use crate::picture::{JackpotPicture, Shows};
use crate::table::{Setup, Table};
use crate::words::{self, R3_5_3_1, R3_13};

/// The orders that a pay table of a book may name, and one below them.
const ORDERS: [HandOrder; 7] = [
    HandOrder::RoyalFlush,
    HandOrder::StraightFlush,
    HandOrder::FourOfAKind,
    HandOrder::FullHouse,
    HandOrder::Flush,
    HandOrder::Straight,
    HandOrder::ThreeOfAKind,
];

pub(super) fn make(chance: &mut Chance, book: &Arc<Rulebook>) -> Made {
    let order = *chance.pick(&ORDERS);
    let (hands, plant) = match chance.below(8) {
        0..3 => (1, Plant::Jackpot(order)),
        3 => (1, if book.community_cards() == 0 { Plant::Jackpot(order) } else { Plant::Board(order) }),
        4 => (2, Plant::Both(*chance.pick(&[HandOrder::StraightFlush, HandOrder::RoyalFlush]))),
        5 => (2, Plant::RoyalAndStraightFlush),
        6 => return signing::signatures(chance, book),
        _ => return signing::two_tables(chance, book),
    };
    let folds = *chance.pick(&[0, 0, 50]);
    let setup = Setup { hands, plant, jackpot: 100, folds, declines: 5, ..Setup::default() };
    let mut table = Table::new(chance, book, setup);
    table.play_until(chance, |round| round.stage() == Stage::Settling);
    let reset = Money::from_cents(10_000_000);
    let meter = Money::from_cents(chance.between(1_000, 9_000) * 10_000 + chance.between(0, 9_999));
    let settlement = table.settlement();
    let awards = entered(book, &settlement, meter, reset);
    let mut picture = table.picture(Shows::All);
    picture.jackpot = Some(JackpotPicture { minimum: table.minimum, meter: Some(meter), reset: Some(reset) });
    let story = vec![
        "The round is over. The meter shows what it stands at with the wagers of this round.".to_owned(),
    ];
    let mut made = Made::new(picture, story);
    for line in settlement.lines.iter().filter(|line| line.area == PlayingArea::Jackpot) {
        ask_hand(&mut made, &table, line);
        ask_amount(&mut made, &table, line, &awards);
    }
    signing::ask_order(chance, &mut made, &table, &settlement, meter);
    made
}

/// What the engine awards for a settled round.
pub(super) fn entered(book: &Rulebook, settlement: &Settlement, meter: Money, reset: Money) -> RoundAwards {
    let meter = Pool::try_from(meter).expect("a meter of an exercise");
    enter_round(meter, reset, Pool::ZERO, &book.jackpot.sharing, &claims(settlement))
        .expect("the amounts of an exercise are small")
}

pub(super) fn claims(settlement: &Settlement) -> Vec<::jackpot::Claim> {
    let claim = |claim: &round::Claim| ::jackpot::Claim {
        position: claim.position,
        hand: claim.hand,
        percent: claim.percent,
        rule: claim.rule,
    };
    settlement.claims.iter().map(claim).collect()
}

/// Asks which line of the pay table a wager wins on.
fn ask_hand(made: &mut Made, table: &Table, line: &Line) {
    let book = &table.book;
    let mut labels: Vec<String> = book.jackpot.lines.iter().map(line_words).collect();
    labels.push("Nothing".to_owned());
    let won = hit(table, line).filter(|_| line.outcome == Outcome::Won);
    let place = won.and_then(|won| book.jackpot.lines.iter().position(|line| *line == won));
    let right = place.unwrap_or(book.jackpot.lines.len());
    let rules = words::known(book, [line.rule].into_iter().chain(won.map(|won| won.rule)));
    let because = match won {
        Some(won) => format!("The hand qualifies: {}.", line_words(&won)),
        None if line.outcome == Outcome::Returned => "The wager is returned.".to_owned(),
        None => "The hand qualifies for no line, or may not be paid on it.".to_owned(),
    };
    made.listed(
        format!("What does {} at {} win of the jackpot?", line.owner, line.position),
        &labels,
        right,
        rules,
        because,
    );
    made.about(line.position, Some(PlayingArea::Jackpot));
}

fn hit(table: &Table, line: &Line) -> Option<JackpotLine> {
    let seat = table.round.seat(line.position)?;
    let hand: Vec<Card> = seat.cards().flatten().collect();
    let community: Vec<Card> = table.round.community().into_iter().flatten().collect();
    jackpot_lines(&table.book.jackpot, &hand, &community, seat.has_folded()).first().copied()
}

/// Asks what the hand is paid: by the house, or from the meter.
fn ask_amount(made: &mut Made, table: &Table, line: &Line, awards: &RoundAwards) {
    if line.outcome != Outcome::Won {
        return;
    }
    let shares: Vec<_> = awards.shares.iter().filter(|share| share.position == line.position).collect();
    let awarded = Money::sum(shares.iter().map(|share| share.amount)).expect("awards of an exercise");
    let amount = line.paid.plus(awarded).expect("awards of an exercise");
    let multiplied = (table.minimum < line.staked).then_some(R3_5_3_1);
    let rules: Vec<Rule> = shares
        .iter()
        .map(|share| share.rule)
        .chain(line.odds_rule)
        .chain(multiplied)
        .chain([R3_13])
        .collect();
    let because = match shares.first() {
        Some(share) if 1 < share.sharers => format!(
            "{} hands share; the meter stood at {} when their turn came. Each gets {}.",
            share.sharers, share.displayed, share.amount
        ),
        Some(share) => format!(
            "{} of the {} that the meter shows when its turn comes: {}.",
            share.percent, share.displayed, share.amount
        ),
        None => format!("The house pays {} for a wager of {}.", line.paid, line.staked),
    };
    made.amount(
        format!(
            "How much is {} at {} paid for the Jackpot wager of {}?",
            line.owner, line.position, line.staked
        ),
        amount,
        words::known(&table.book, rules),
        because,
    );
    made.about(line.position, Some(PlayingArea::Jackpot));
}

pub(super) fn line_words(line: &JackpotLine) -> String {
    let cards = match line.cards {
        JackpotCards::Hand => "",
        JackpotCards::HoleAndFlop => " with the Flop cards",
        JackpotCards::HoleToTurn => " at the Turn card",
        JackpotCards::HoleToRiver => " of all seven cards",
        JackpotCards::HoleToRiverWithHoleCard => " at the River card, with a Hole card",
        JackpotCards::Community => " of the Community cards alone",
    };
    format!("{}{cards}: {}", line.hand, line.pays)
}
