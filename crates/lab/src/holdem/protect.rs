//! Hold'em with known cards: the counts of [`super::count::known`], weighed by what the book pays.

use rulebook::HoldemRules;

use super::count::known::{Board, Values, both_values, values};
use super::pays::Pays;
use crate::exact::{LabError, not_counted};
use crate::game::Case;
use crate::protect::{Known, Protection};

/// The combinations that are counted.
const COMBINATIONS: &str = "nothing; --dealer 1; --dealer 2; --flop 1; --turn; --river; --dealer 1 with one of --flop 1, \
                            --turn and --river";

pub(super) fn protect(
    case: Case<'_>,
    rules: &HoldemRules,
    known: Known,
    progress: &(dyn Fn(f64) + Sync),
) -> Result<Protection, LabError> {
    let book = case.book;
    let known = Known {
        dealer: known.dealer,
        flop: Some(known.flop.unwrap_or(0)),
        turn: Some(known.turn.unwrap_or(false)),
        river: Some(known.river.unwrap_or(false)),
    };
    let board = match (known.flop, known.turn, known.river) {
        (Some(0), Some(false), Some(false)) => Some(Board::Nothing),
        (Some(1), Some(false), Some(false)) => Some(Board::FlopCard),
        (Some(0), Some(true), Some(false)) => Some(Board::Turn),
        (Some(0), Some(false), Some(true)) => Some(Board::River),
        _ => None,
    };
    let pays = Pays::new(book, rules)?;
    let Some(ante_paid) = pays.ante_paid_even() else {
        let reason =
            "with known cards an Ante paid 1 to 1 and a Flop wager paid 1 to 1 are counted, and no others";
        return not_counted(book, "holdem", reason);
    };
    let cases = match (known.dealer, board) {
        (2, Some(Board::Nothing)) => both_values(ante_paid, progress),
        (dealer @ 0..=1, Some(board)) => values(ante_paid, dealer == 1, board, progress),
        _ => {
            let reason = format!("these cards together are not counted; there are: {COMBINATIONS}");
            return not_counted(book, "known cards", reason);
        }
    };
    let (mut net, mut deals, mut folded) = (0, 0, 0);
    for case in &cases {
        let played = played(&pays, case);
        let fold = Pays::FOLD * case.deals;
        net += i128::from(case.cases) * i128::from(played.max(fold));
        let of_case = case.cases * case.deals.unsigned_abs();
        deals += of_case;
        folded += if played <= fold { of_case } else { 0 };
    }
    Ok(Protection::new(book, known, deals, net, folded))
}

/// What a case brings over its deals if it is not folded.
fn played(pays: &Pays, case: &Values) -> i64 {
    pays.flop_wager() * case.lead
        + case.ante
        + pays.turn_wager() * case.turn
        + pays.river_wager() * case.river
}
