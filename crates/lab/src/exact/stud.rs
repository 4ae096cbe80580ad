//! Stud: the counts of each class of hand and up card, weighed by what the book pays.

use cards::{HandOrder, Rank};
use rulebook::{PlayingArea, Rulebook, StudRules};

use super::answer::{Asked, Base, Decisions, Ending, Exact, OutcomeRow, ReadingValue, StrategyRow, UpCard};
use super::holdem::to_one;
use super::kept::Lab;
use super::question::{LabError, Question, not_counted};
use super::summary::{Totals, brings};
use super::{five_cards, jackpot};
use crate::stud::{self, DEALS, Decision, Odds, Outcome, Outcomes, Pattern, PayTable};

/// The lowest hand with which the dealer has one. Refused unless the two ranks are Ace and King: hands without two
/// lower ranks do not all lie below the hands with them, and the counts draw one line.
pub fn qualifier(book: &Rulebook, rules: &StudRules) -> Result<Pattern, LabError> {
    if rules.dealer_needs != [Rank::Ace, Rank::King] {
        let [high, low] = rules.dealer_needs.map(Rank::letter);
        let reason = format!("a dealer who needs {high} and {low} is not counted; one who needs AK is");
        return not_counted(book, "stud.dealer_needs", reason);
    }
    Ok(Pattern::ACE_KING)
}

/// What a book pays. Refused where the Bet is not twice the Ante, or odds are too high to be summed.
pub fn pay_table(book: &Rulebook, rules: &StudRules) -> Result<PayTable, LabError> {
    let times = book.multiple_of_ante(PlayingArea::Bet);
    if times != Some(2) {
        let reason = format!(
            "a Bet of {} times the Ante is not counted; one of twice the Ante is",
            times.unwrap_or(0)
        );
        return not_counted(book, "times_ante.bet", reason);
    }
    let odds = |odds| Odds::to_one(u32::try_from(to_one(odds)).unwrap_or(u32::MAX));
    let ante = odds(rules.ante);
    let bet = HandOrder::ALL.map(|order| odds(rules.bet.odds(order)));
    PayTable::new(ante, ante, bet).or_else(|error| not_counted(book, "stud.bet", error.to_string()))
}

/// The whole of a stud book.
pub(super) fn exact(
    lab: &Lab,
    book: &Rulebook,
    rules: &StudRules,
    question: &Question,
) -> Result<Exact, LabError> {
    if question.ante_pays_from.is_some() {
        return not_counted(book, "ante-pays-from", "in stud a won Ante is paid whatever the hand");
    }
    let pay = pay_table(book, rules)?;
    let (totals, rows) = lab.stud_play(qualifier(book, rules)?, &pay);
    let base = totals.base(&pay);
    let jackpot = five_cards::jackpot(book, question, DEALS);
    let combined = jackpot::combined(question, base.net, &jackpot);
    Ok(Exact {
        rulebook: book.id.clone(),
        readings: ReadingValue::all(&book.readings),
        asked: Asked::of(question),
        deals: DEALS,
        base,
        outcomes: outcome_rows(&totals, &pay),
        decisions: Decisions::Stud { fold_deals: totals.folded(), bet_deals: DEALS - totals.folded() },
        hole_cards: Vec::new(),
        strategy: rows.iter().map(strategy_row).collect(),
        bonus: None,
        jackpot,
        combined,
    })
}

/// What outcomes are worth.
pub fn base(outcomes: &Outcomes, pay: &PayTable) -> Base {
    Totals::from(outcomes).base(pay)
}

fn outcome_rows(totals: &Totals, pay: &PayTable) -> Vec<OutcomeRow> {
    let mut rows = Vec::new();
    for order in HandOrder::ALL.into_iter().rev() {
        for outcome in Outcome::ALL {
            let result = match outcome {
                Outcome::Fold => Ending::Fold,
                Outcome::NoHand => Ending::NoHand,
                Outcome::Win => Ending::Win,
                Outcome::StandOff => Ending::StandOff,
                Outcome::Lose => Ending::Lose,
            };
            let (deals, net) = (totals.deals(order, outcome), brings(pay, order, outcome));
            rows.push(OutcomeRow { hand: Some(order), turn: None, river: None, result, deals, net });
        }
    }
    rows.retain(|row| 0 < row.deals);
    rows
}

fn strategy_row(row: &stud::StrategyRow) -> StrategyRow {
    let mut bets_against = Vec::new();
    let mut depends = Vec::new();
    for (place, decision) in row.against.iter().enumerate() {
        let up = stud::StrategyRow::up_card(place);
        match decision {
            None | Some(Decision::Fold) => {}
            Some(Decision::Bet) => bets_against.push(up),
            Some(decision) => depends.push(UpCard { up, bets: decision.to_string() }),
        }
    }
    StrategyRow {
        from: row.lowest.to_string(),
        to: row.highest.to_string(),
        hands: row.hands,
        bets_against,
        depends,
    }
}
