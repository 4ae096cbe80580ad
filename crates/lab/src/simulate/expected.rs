//! What the rounds should come to: the exact figures of the strategy that is played, and the decisions themselves.

use cards::HandOrder;
use rulebook::{AfterFold, HoldemRules, Rulebook, StudRules};

use super::setup::{Setup, SetupError, Strategy};
use super::{holdem, stud};
use crate::exact::{
    Action, Base, Bonus, Ending, Exact, Fraction, HoldemPays, Lab, OutcomeRow, Question, StreetJackpot,
    pay_table, qualifier,
};
use crate::holdem::{Deals, LaterBets};
use crate::stud::{Class, Outcome, Pattern};

/// The exact figures of a strategy.
pub(super) struct Expected {
    /// All deals.
    pub(super) deals: u64,
    /// Every end of a round with its number.
    pub(super) ends: Vec<(usize, OutcomeRow)>,
    /// What each end wagers, in Antes.
    pub(super) base: Base,
    /// The Bonus, where it is known for the strategy.
    pub(super) bonus: Option<Bonus>,
    /// In how many deals each line of the jackpot is paid.
    pub(super) jackpot_lines: Vec<u64>,
    /// What a reader should know.
    pub(super) notes: Vec<String>,
}

/// The question that the exact figures answer.
fn question(setup: &Setup) -> Question {
    let jackpot = setup.jackpot.as_ref();
    Question {
        ante_cents: setup.ante.cents(),
        jackpot_wager_cents: jackpot.map_or(0, |jackpot| jackpot.minimum.cents()),
        meter_cents: jackpot.map(|jackpot| jackpot.meter.displayed().cents()),
        ante_pays_from: None,
    }
}

/// Stud: the decisions, and what they are worth.
pub(super) fn stud(
    setup: &Setup,
    lab: &Lab,
    rules: &StudRules,
) -> Result<(stud::Decisions, Expected), SetupError> {
    let exact = lab.exact(&setup.book, &question(setup))?;
    let pay = pay_table(&setup.book, rules)?;
    let counts = lab.stud(qualifier(&setup.book, rules)?);
    let bets = |pattern: Pattern, class: &Class| match setup.strategy {
        Strategy::Perfect => pay.bets(pattern, class),
        Strategy::NeverFold | Strategy::Blind => true,
        Strategy::AlwaysFold => false,
        Strategy::Rule(rule) => rule.bets(pattern, class.up.into()),
    };
    let outcomes = counts.play(bets);
    let mut ends = Vec::new();
    let mut add = |number: u8, hand, result, deals: u64, parts: i64| {
        let net = parts / pay.parts();
        ends.push((usize::from(number), OutcomeRow { hand, turn: None, river: None, result, deals, net }));
    };
    add(super::table::FOLD, None, Ending::Fold, outcomes.total(Outcome::Fold), pay.fold());
    add(stud::NO_HAND, None, Ending::NoHand, outcomes.total(Outcome::NoHand), pay.no_hand());
    for order in HandOrder::ALL {
        let deals = outcomes.deals(order, Outcome::Win);
        add(stud::WIN + order as u8, Some(order), Ending::Win, deals, pay.win(order));
    }
    add(stud::STAND_OFF, None, Ending::StandOff, outcomes.total(Outcome::StandOff), 0);
    add(stud::LOSE, None, Ending::Lose, outcomes.total(Outcome::Lose), pay.lose());
    let worth = outcomes.worth(&pay);
    let (deals, parts) = (i128::from(exact.deals), i128::from(worth.parts));
    let base = Base {
        net: Fraction::over(worth.net, deals * parts),
        second_moment: Fraction::over(worth.squares, deals * parts * parts),
        wagered: Fraction::over(worth.wagered, deals * parts),
    };
    let jackpot_lines = exact.jackpot.lines.iter().map(|line| line.deals).collect();
    let decisions = stud::Decisions::new(&counts, bets);
    Ok((
        decisions,
        Expected { deals: exact.deals, ends, base, bonus: None, jackpot_lines, notes: Vec::new() },
    ))
}

/// Hold'em: the decisions, and what they are worth.
pub(super) fn holdem(
    setup: &Setup,
    lab: &Lab,
    rules: &HoldemRules,
) -> Result<(holdem::Decisions, Expected), SetupError> {
    let question = question(setup);
    let exact = lab.exact(&setup.book, &question)?;
    let pays = HoldemPays::new(&setup.book, rules, &question)?;
    let folds: Vec<bool> = match setup.strategy {
        Strategy::Perfect => exact.hole_cards.iter().map(|class| class.play == Action::Fold).collect(),
        Strategy::AlwaysFold => vec![true; exact.hole_cards.len()],
        Strategy::NeverFold | Strategy::Blind | Strategy::Rule(_) => vec![false; exact.hole_cards.len()],
    };
    let is_blind = setup.strategy == Strategy::Blind;
    let (mut fold_deals, mut played) = (0, [[Deals::default(); 2]; 2]);
    for (counts, &fold) in lab.holdem().classes().iter().zip(&folds) {
        let hands = counts.class.combinations();
        let mut add = |turn: usize, river: usize, deals: &Deals| {
            played[turn][river] = played[turn][river].plus(&deals.times(hands));
        };
        if fold {
            fold_deals += hands * counts.showdowns().all();
        } else if is_blind {
            add(0, 0, &counts.showdowns());
        } else {
            for (turn, river) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                add(turn, river, &counts.deals[turn][river]);
            }
        }
    }
    let ends = holdem_ends(&pays, fold_deals, &played);
    let base = base_of(&ends, &pays, exact.deals);
    let notes = notes(setup, lab, rules, &question, &folds)?;
    let expected = Expected {
        deals: exact.deals,
        ends,
        base,
        bonus: bonus(setup.strategy, &exact),
        jackpot_lines: jackpot_lines(&setup.book, &exact, &folds)?,
        notes,
    };
    let later = (!is_blind && folds.contains(&false)).then(LaterBets::new);
    Ok((holdem::Decisions::new(&folds, later), expected))
}

/// Every end with its number, as the table numbers them.
fn holdem_ends(pays: &HoldemPays, fold_deals: u64, played: &[[Deals; 2]; 2]) -> Vec<(usize, OutcomeRow)> {
    let fold =
        OutcomeRow { hand: None, turn: None, river: None, result: Ending::Fold, deals: fold_deals, net: -1 };
    let mut ends = vec![(usize::from(super::table::FOLD), fold)];
    for (turn, river) in [(false, false), (false, true), (true, false), (true, true)] {
        let deals = &played[usize::from(turn)][usize::from(river)];
        let paid = HandOrder::ALL.into_iter().filter(|order| pays.ante_pays_from <= *order);
        let with_ante: u64 = paid.map(|order| deals.won_with(order)).sum();
        let (won, lost) = (pays.win(HandOrder::RoyalFlush, turn, river), -pays.stake(turn, river));
        let action = |bets| Some(if bets { Action::Bet } else { Action::Check });
        for (number, result, deals, net) in [
            (holdem::WIN_WITH_ANTE, Ending::WinWithAnte, with_ante, won),
            (holdem::WIN, Ending::Win, deals.won() - with_ante, won - pays.ante),
            (holdem::STAND_OFF, Ending::StandOff, deals.ties, 0),
            (holdem::LOSE, Ending::Lose, deals.losses, lost),
        ] {
            let row = OutcomeRow { hand: None, turn: action(turn), river: action(river), result, deals, net };
            ends.push((usize::from(holdem::end(turn, river, number)), row));
        }
    }
    ends
}

/// What the ends of hold'em are worth together.
fn base_of(ends: &[(usize, OutcomeRow)], pays: &HoldemPays, all: u64) -> Base {
    let sum = |of: &dyn Fn(&OutcomeRow) -> i64| {
        let terms = ends.iter().map(|(_, row)| i128::from(row.deals) * i128::from(of(row)));
        Fraction::over(terms.sum(), all)
    };
    let bet = |action| action == Some(Action::Bet);
    Base {
        net: sum(&|row| row.net),
        second_moment: sum(&|row| row.net * row.net),
        wagered: sum(&|row| {
            if row.result == Ending::Fold { 1 } else { pays.stake(bet(row.turn), bet(row.river)) }
        }),
    }
}

/// The Bonus does not depend on turn and river, only on hands of its table that are folded.
fn bonus(strategy: Strategy, exact: &Exact) -> Option<Bonus> {
    let bonus = exact.bonus.clone()?;
    match strategy {
        Strategy::Perfect => Some(bonus),
        Strategy::NeverFold | Strategy::Blind if bonus.folded_deals == 0 => Some(bonus),
        Strategy::NeverFold | Strategy::Blind | Strategy::Rule(_) => None,
        Strategy::AlwaysFold => Some(Bonus {
            net: Fraction::whole(-1),
            second_moment: Fraction::whole(1),
            lines: bonus.lines.into_iter().map(|line| crate::exact::BonusRow { deals: 0, ..line }).collect(),
            ..bonus
        }),
    }
}

fn jackpot_lines(book: &Rulebook, exact: &Exact, folds: &[bool]) -> Result<Vec<u64>, SetupError> {
    match book.jackpot.after_fold {
        AfterFold::EveryLine => Ok(exact.jackpot.lines.iter().map(|line| line.deals).collect()),
        AfterFold::CommunityLines => Ok(StreetJackpot::new(book, exact.jackpot.wager_cents)?.deals(folds)),
    }
}

/// Perfect play looks at the meter before the first round; it says so where a higher meter would change it.
fn notes(
    setup: &Setup,
    lab: &Lab,
    rules: &HoldemRules,
    question: &Question,
    folds: &[bool],
) -> Result<Vec<String>, SetupError> {
    if setup.strategy != Strategy::Perfect || setup.jackpot.is_none() {
        return Ok(Vec::new());
    }
    if setup.book.jackpot.after_fold == AfterFold::EveryLine {
        return Ok(Vec::new());
    }
    let pays = HoldemPays::new(&setup.book, rules, question)?;
    let nets: Vec<i128> = lab.holdem().classes().iter().map(|class| pays.net(class)).collect();
    let streets = StreetJackpot::new(&setup.book, question.jackpot_unit_cents())?;
    let at = |meter| streets.folds(&nets, question.ante_cents, meter);
    let reset = setup.jackpot.map_or(0, |jackpot| jackpot.reset.cents());
    let changes = [reset, Question::CENTS_MAX / 1_000].into_iter().any(|meter| at(meter) != folds);
    let note = "Folds are those of the meter at the start; at another meter some would differ.";
    Ok(if changes { vec![note.to_owned()] } else { Vec::new() })
}
