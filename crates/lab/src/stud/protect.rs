//! Stud with known cards of the Dealer.

use rulebook::StudRules;

use super::count::{DEALS, Outcome, known};
use super::{Pays, qualifier};
use crate::exact::{LabError, not_counted};
use crate::game::Case;
use crate::protect::{Known, Protection};

pub(super) fn protect(
    case: Case<'_>,
    rules: &StudRules,
    cards: Known,
    progress: &(dyn Fn(f64) + Sync),
) -> Result<Protection, LabError> {
    let Case { lab, book, question } = case;
    let is_board = cards != Known { dealer: cards.dealer, ..Known::default() };
    if is_board || !(1..=5).contains(&cards.dealer) {
        let what = if is_board { "stud has no flop, turn and river" } else { "these cards are not counted" };
        let reason = format!("{what}; there are: --dealer 1 to --dealer 5, the up card among them");
        return not_counted(book, "known cards", reason);
    }
    if question.ante_pays_from.is_some() {
        return not_counted(book, "ante-pays-from", "in stud a won Ante is paid whatever the hand");
    }
    let pays = Pays::new(book, rules)?;
    if cards.dealer == 1 {
        // Nothing but the up card: the game itself.
        let stud = lab.stud(qualifier(rules));
        let (outcomes, _) = stud.summary().play(&stud.counts, &pays);
        let net = super::exact::base(&outcomes, &pays).net;
        return Ok(Protection::new(book, cards, DEALS, net.numerator(), outcomes.total(Outcome::Fold)));
    }
    let sum = known(cards.dealer.into(), qualifier(rules), &pays, progress);
    let whole = |deals: i128| u64::try_from(deals).expect("deals are counted up from zero");
    Ok(Protection::new(book, cards, whole(sum.deals), sum.net, whole(sum.folded)))
}
