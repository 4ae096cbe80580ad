//! What silence brings instead of a fold, where all wagers come back to a silent Player (reading `silence`).

use rulebook::{AbsentBonus, HoldemRules};

use super::bonus;
use super::count::{Counts, DEALS, DEALS_PER_HAND, cards_of_class};
use super::streets::StreetJackpot;
use crate::exact::{Bonus, EveryWager, Exact, Fraction, SilenceWorth, five_cards};
use crate::game::Case;

/// The hole hands.
const HANDS: u64 = 1_326;

/// Weighs every class of hole cards: the Flop wager with perfect play after it, or silence. `nets` are what the Flop
/// wager brings by class, over all deals of a hand; `exact` is perfect play.
pub(super) fn silence(
    case: Case<'_>,
    rules: &HoldemRules,
    counts: &Counts,
    nets: &[i128],
    streets: Option<&StreetJackpot>,
    exact: &Exact,
) -> SilenceWorth {
    let (mut net, mut perfect, mut silent_deals) = (0, 0, 0);
    for (class, &brings) in counts.classes().iter().zip(nets) {
        let hands = class.class.combinations();
        // Perfect play with the Ante alone: with a jackpot wager it may fold other hands.
        perfect += i128::from(hands) * brings.max(-i128::from(DEALS_PER_HAND));
        if 0 < brings {
            net += i128::from(hands) * brings;
        } else {
            silent_deals += hands * DEALS_PER_HAND;
        }
    }
    let net = Fraction::over(net, DEALS);
    let gain = net.minus(Fraction::over(perfect, DEALS));
    SilenceWorth {
        net,
        gain,
        silent_deals,
        every_wager: every_wager(case, rules, counts, nets, streets, exact),
    }
}

fn every_wager(
    case: Case<'_>,
    rules: &HoldemRules,
    counts: &Counts,
    nets: &[i128],
    streets: Option<&StreetJackpot>,
    exact: &Exact,
) -> EveryWager {
    let question = case.question;
    let ante = Fraction::whole(question.ante_cents);
    let (wager, meter) = question.jackpot_named().unwrap_or((0, 0));
    let awards = five_cards::awards(&case.book.jackpot, wager, meter);
    let jackpot = |class: rulebook::HoleClass| match streets {
        _ if wager == 0 => Fraction::ZERO,
        Some(streets) => streets.class_returns(class, meter)[0],
        None => five_cards::award_with_flop(cards_of_class(class), &awards),
    };
    let silent = match rules.absent_bonus {
        AbsentBonus::Returned => Fraction::ZERO,
        AbsentBonus::Collected => ante.negated(),
    };
    let mut sum = Fraction::ZERO;
    for (class, &brings) in counts.classes().iter().zip(nets) {
        let antes = Fraction::new(brings, DEALS_PER_HAND).plus(bonus::class_net(class, rules));
        let played = antes.times(ante).plus(jackpot(class.class)).minus(Fraction::whole(wager));
        sum = sum.plus(played.max(silent).times(Fraction::whole(class.class.combinations())));
    }
    let net_cents = sum.times(Fraction::new(1, HANDS));
    let of_bonus = exact.bonus.as_ref().map_or(Fraction::ZERO, |bonus: &Bonus| bonus.net.times(ante));
    let combined = exact.combined.as_ref().map_or_else(|| exact.base.net.times(ante), |both| both.net);
    EveryWager {
        bonus_cents: question.ante_cents,
        jackpot_wager_cents: wager,
        net_cents,
        gain_cents: net_cents.minus(combined.plus(of_bonus)),
    }
}
