//! The whole of a stud book: the counts of each class of hand and up card, weighed by what the book pays.

use cards::HandOrder;
use rulebook::{Silence, StudRules};

use super::count::{Counts, DEALER_HANDS, DEALS, Outcome, Outcomes};
use super::strategy::{self, Decision};
use super::{Pays, qualifier};
use crate::exact::{
    Asked, Base, Decisions, Ending, EveryWager, Exact, Fraction, Jackpot, LabError, OutcomeRow, SilenceWorth,
    StrategyRow, UpCard, combined, five_cards, not_counted,
};
use crate::game::Case;
use crate::risk::{Joint, JointRow, lines_by_hand};

pub(super) fn exact(case: Case<'_>, rules: &StudRules) -> Result<Exact, LabError> {
    let Case { lab, book, question } = case;
    if question.ante_pays_from.is_some() {
        return not_counted(book, "ante-pays-from", "in stud a won Ante is paid whatever the hand");
    }
    let pays = Pays::new(book, rules)?;
    let stud = lab.stud(qualifier(rules));
    let (outcomes, rows) = stud.summary().play(&stud.counts, &pays);
    let base = base(&outcomes, &pays);
    let jackpot = five_cards::jackpot(book, question, DEALS);
    let combined = combined(question, base.net, &jackpot);
    let folded = outcomes.total(Outcome::Fold);
    let silence = match book.silence {
        Silence::Fold => None,
        Silence::Absent => Some(silence(case, &stud.counts, &pays, &base, &jackpot)),
    };
    Ok(Exact {
        silence,
        outcomes: outcome_rows(&outcomes, &pays),
        decisions: Decisions { fold_deals: folded, bet_deals: Some(DEALS - folded), ..Decisions::default() },
        strategy: rows.iter().map(strategy_row).collect(),
        combined,
        ..Exact::new(book, Asked::of(question), DEALS, base, jackpot)
    })
}

/// A round's main game with the hand that the Jackpot looks at: the outcomes go by the player's hand.
pub(super) fn joint(case: Case<'_>, rules: &StudRules) -> Result<Joint, LabError> {
    let lines = match case.question.jackpot_wager_cents {
        0 => Vec::new(),
        _ => lines_by_hand(&case.book.jackpot),
    };
    let paid = |hand: HandOrder| lines.iter().find(|(of, _)| *of == hand).map_or(0, |(_, line)| *line);
    let exact = exact(case, rules)?;
    let row = |row: &OutcomeRow| JointRow {
        base: row.net,
        bonus: 0,
        lines: row.hand.map_or(0, paid),
        deals: row.deals,
    };
    Ok(Joint { deals: exact.deals, rows: exact.outcomes.iter().map(row).collect() })
}

/// What outcomes are worth.
pub(super) fn base(outcomes: &Outcomes, pays: &Pays) -> Base {
    let (mut net, mut squares, mut wagered) = (0, 0, 0);
    for order in HandOrder::ALL {
        for outcome in Outcome::ALL {
            let deals = i128::from(outcomes.deals(order, outcome));
            let brings = i128::from(pays.of(order, outcome));
            net += deals * brings;
            squares += deals * brings * brings;
            wagered += deals * i128::from(pays.stake(outcome));
        }
    }
    let over = |sum| Fraction::over(sum, DEALS);
    Base::new(over(net), over(squares), over(wagered))
}

/// What silence brings instead of a fold, where all wagers come back to a silent Player.
fn silence(case: Case<'_>, counts: &Counts, pays: &Pays, perfect: &Base, jackpot: &Jackpot) -> SilenceWorth {
    let question = case.question;
    let ante = i128::from(question.ante_cents);
    let (wager, meter) = question.jackpot_named().unwrap_or((0, 0));
    let awards = if wager == 0 { [0; 10] } else { five_cards::awards(&case.book.jackpot, wager, meter) };
    let (mut net, mut hundredths, mut silent_deals) = (0, 0, 0);
    for (pattern, classes) in counts.patterns() {
        let award = awards[pattern.order() as usize] - 100 * i128::from(wager);
        for class in classes {
            let hands = i128::from(class.hands);
            let bet = i128::from(pays.bet(pattern, class));
            net += hands * bet.max(0);
            hundredths += hands * (100 * ante * bet + i128::from(DEALER_HANDS) * award).max(0);
            if bet <= 0 {
                silent_deals += u64::from(class.hands) * u64::from(DEALER_HANDS);
            }
        }
    }
    let net = Fraction::over(net, DEALS);
    let net_cents = Fraction::new(hundredths, 100 * i128::from(DEALS));
    let played = perfect.net.times(Fraction::whole(ante)).plus(jackpot.net_cents.unwrap_or(Fraction::ZERO));
    SilenceWorth {
        net,
        gain: net.minus(perfect.net),
        silent_deals,
        every_wager: EveryWager {
            bonus_cents: 0,
            jackpot_wager_cents: wager,
            net_cents,
            gain_cents: net_cents.minus(played),
        },
    }
}

/// How a round ends, in the words of the answer.
pub(super) const fn ending(outcome: Outcome) -> Ending {
    match outcome {
        Outcome::Fold => Ending::Fold,
        Outcome::NoHand => Ending::NoHand,
        Outcome::Win => Ending::Win,
        Outcome::StandOff => Ending::StandOff,
        Outcome::Lose => Ending::Lose,
    }
}

fn outcome_rows(outcomes: &Outcomes, pays: &Pays) -> Vec<OutcomeRow> {
    let mut rows = Vec::new();
    for order in HandOrder::ALL.into_iter().rev() {
        for outcome in Outcome::ALL {
            let (deals, net) = (outcomes.deals(order, outcome), pays.of(order, outcome));
            let result = ending(outcome);
            rows.push(OutcomeRow { hand: Some(order), turn: None, river: None, result, deals, net });
        }
    }
    rows.retain(|row| 0 < row.deals);
    rows
}

fn strategy_row(row: &strategy::StrategyRow) -> StrategyRow {
    let mut bets_against = Vec::new();
    let mut depends = Vec::new();
    for (place, decision) in row.against.iter().enumerate() {
        let up = strategy::StrategyRow::up_card(place);
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
