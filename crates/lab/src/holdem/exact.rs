//! The whole of a hold'em book: the counts of each class of hole cards, weighed by what the book pays.
//!
//! The counts hold perfect play after the flop for a Turn and a River wager that are paid even money: whatever their
//! size, they are made exactly where a hand wins more than it loses. What the Ante and the Flop wager are paid, and
//! how many Antes each wager is, only weighs them.

use rulebook::{AfterFold, HoldemRules, HoleClass, Silence};

use super::bonus;
use super::count::{ClassCounts, Counts, DEALS, DEALS_PER_HAND, Deals, chart};
use super::pays::Pays;
use super::silence;
use super::streets::StreetJackpot;
use crate::exact::{
    Action, AfterFolds, Asked, Base, Combined, CombinedAfterFolds, Decisions, Ending, Exact, Fraction,
    HoleCards, Jackpot, LabError, OutcomeRow, Question, combined, five_cards,
};
use crate::game::Case;

/// Turn check or bet, then river check or bet, in the order of the outcome rows.
const LATER_WAGERS: [(bool, bool); 4] = [(false, false), (false, true), (true, false), (true, true)];

/// Deals by what was done on the turn, then on the river: 0 for a check, 1 for a bet.
pub(super) type ByWagers = [[Deals; 2]; 2];

/// What a class brings over the deals of one hole hand, if it is not folded.
pub(super) fn class_net(pays: &Pays, deals: &ByWagers) -> i128 {
    LATER_WAGERS
        .into_iter()
        .map(|(turn, river)| pays.total(&deals[usize::from(turn)][usize::from(river)], turn, river))
        .sum()
}

/// The base game played in some way.
#[derive(Default)]
pub(super) struct BaseGame {
    fold_deals: u64,
    deals: ByWagers,
}

impl BaseGame {
    /// Plays every class of hole cards as `play` says; `None` is a fold.
    pub(super) fn new(counts: &Counts, play: impl Fn(&ClassCounts) -> Option<ByWagers>) -> BaseGame {
        let mut game = BaseGame::default();
        for class in counts.classes() {
            let hands = class.class.combinations();
            let Some(deals) = play(class) else {
                game.fold_deals += hands * DEALS_PER_HAND;
                continue;
            };
            for (sum, deals) in game.deals.as_flattened_mut().iter_mut().zip(deals.as_flattened()) {
                *sum = sum.plus(&deals.times(hands));
            }
        }
        game
    }

    /// Every outcome, those that never occur too: a fold first, then four results for each of [`LATER_WAGERS`].
    pub(super) fn rows(&self, pays: &Pays) -> Vec<OutcomeRow> {
        let row =
            |turn, river, result, deals, net| OutcomeRow { hand: None, turn, river, result, deals, net };
        let mut rows = vec![row(None, None, Ending::Fold, self.fold_deals, Pays::FOLD)];
        for (turn, river) in LATER_WAGERS {
            let deals = &self.deals[usize::from(turn)][usize::from(river)];
            let with_ante = pays.won_with_ante(deals);
            let [win_with_ante, win] = pays.win_with_ante_or_without(turn, river);
            let action = |bets| Some(if bets { Action::Bet } else { Action::Check });
            let row = |result, deals, net| row(action(turn), action(river), result, deals, net);
            rows.extend([
                row(Ending::WinWithAnte, with_ante, win_with_ante),
                row(Ending::Win, deals.won() - with_ante, win),
                row(Ending::StandOff, deals.ties, pays.stand_off(turn, river)),
                row(Ending::Lose, deals.losses, pays.lose(turn, river)),
            ]);
        }
        rows
    }

    pub(super) fn base(&self, pays: &Pays) -> Base {
        let rows = self.rows(pays);
        let sum = |of: &dyn Fn(&OutcomeRow) -> i64| {
            let terms = rows.iter().map(|row| i128::from(row.deals) * i128::from(of(row)));
            Fraction::over(terms.sum(), DEALS)
        };
        let bets = |action| action == Some(Action::Bet);
        let stake = |row: &OutcomeRow| match row.result {
            Ending::Fold => 1,
            _ => pays.stake(bets(row.turn), bets(row.river)),
        };
        Base::new(sum(&|row| row.net), sum(&|row| row.net * row.net), sum(&stake))
    }

    fn decisions(&self, counts: &Counts, folds: &[bool]) -> Decisions {
        let all = |turn: usize, river: usize| self.deals[turn][river].all();
        let played = counts.classes().iter().zip(folds).filter(|&(_, &fold)| !fold);
        let level = played.map(|(class, _)| class.class.combinations() * class.river_level).sum();
        Decisions {
            fold: Some(folded(folds)),
            fold_deals: self.fold_deals,
            turn_bet_deals: Some(all(1, 0) + all(1, 1)),
            river_bet_deals: Some(all(0, 1) + all(1, 1)),
            river_level_deals: Some(level),
            bet_deals: None,
        }
    }
}

/// Whether the wagers of a question make the jackpot part of the decision to fold, and at which meter.
pub(super) fn joint_meter(case: Case<'_>) -> Option<u64> {
    let matters = case.book.jackpot.after_fold == AfterFold::CommunityLines;
    case.question.meter_cents.filter(|_| matters && 0 < case.question.jackpot_wager_cents)
}

pub(super) fn exact(case: Case<'_>, rules: &HoldemRules) -> Result<Exact, LabError> {
    let Case { lab, book, question } = case;
    let pays = Pays::new(book, rules)?;
    let streets = if five_cards::is_five_cards(&book.jackpot) {
        None
    } else {
        Some(StreetJackpot::new(book, question.jackpot_unit_cents())?)
    };
    let counts = lab.holdem();
    let nets: Vec<i128> = counts.classes().iter().map(|class| class_net(&pays, &class.deals)).collect();
    let base_folds: Vec<bool> = nets.iter().map(|&net| net <= -i128::from(DEALS_PER_HAND)).collect();
    // Where a fold loses lines of the jackpot, a wager on it is part of the decision to fold.
    let folds = match (&streets, joint_meter(case)) {
        (Some(streets), Some(meter)) => streets.folds(&nets, question.ante_cents, meter),
        _ => base_folds.clone(),
    };
    let is_folded = |class: &ClassCounts| folds[super::place_of(class.class)];
    let game = BaseGame::new(counts, |class| (!is_folded(class)).then_some(class.deals));
    let base = game.base(&pays);
    let (jackpot, combined) = match &streets {
        None => {
            let jackpot = five_cards::jackpot(book, question, DEALS);
            let combined = combined(question, base.net, &jackpot);
            (jackpot, combined)
        }
        Some(streets) => streets_answer(streets, question, &nets, &base_folds, &folds),
    };
    let hole_card = |((class, &net), &fold): ((&ClassCounts, &i128), &bool)| HoleCards {
        class: class.class,
        combinations: class.class.combinations(),
        net: Fraction::new(net, DEALS_PER_HAND),
        play: if fold { Action::Fold } else { Action::Bet },
    };
    let mut outcomes = game.rows(&pays);
    outcomes.retain(|row| 0 < row.deals);
    let exact = Exact {
        outcomes,
        decisions: game.decisions(counts, &folds),
        hole_cards: counts.classes().iter().zip(&nets).zip(&folds).map(hole_card).collect(),
        bonus: Some(bonus::bonus(counts, rules, &folds)),
        combined,
        ..Exact::new(book, Asked::of(question), DEALS, base, jackpot)
    };
    let silence = match book.silence {
        Silence::Fold => None,
        Silence::Absent => Some(silence::silence(case, rules, counts, &nets, streets.as_ref(), &exact)),
    };
    Ok(Exact { silence, ..exact })
}

/// The jackpot by street with the folds in force, and beside it with those that look at the Ante alone.
fn streets_answer(
    streets: &StreetJackpot,
    question: &Question,
    nets: &[i128],
    base_folds: &[bool],
    folds: &[bool],
) -> (Jackpot, Option<Combined>) {
    let ante = question.ante_cents;
    let joint = question.meter_cents.filter(|_| 0 < question.jackpot_wager_cents);
    let alone = AfterFolds {
        fold: folded(base_folds),
        lines: streets.deals(base_folds),
        fixed_return: streets.fixed_return(base_folds),
        break_even_meter: streets.break_even_meter(base_folds),
    };
    let mut jackpot = Jackpot {
        wager_cents: streets.wager_cents(),
        lines: streets.rows(folds),
        paid_together: streets.paid_together(folds),
        fixed_return: streets.fixed_return(folds),
        meter_weight: streets.meter_weight(folds),
        break_even_meter: alone.break_even_meter,
        multiples: Vec::new(),
        base_game_folds: Some(alone),
        net_cents: None,
    };
    let Some(meter) = joint else { return (jackpot, None) };
    let stake = Fraction::whole(streets.wager_cents());
    jackpot.net_cents = Some(jackpot.return_cents(meter).minus(stake));
    jackpot.break_even_meter = streets.joint_break_even_meter(nets, ante);
    let net = streets.combined(nets, folds, ante, meter);
    let base_net = streets.combined(nets, base_folds, ante, meter);
    let alone = CombinedAfterFolds { fold: folded(base_folds), net: base_net, cost: net.minus(base_net) };
    (jackpot, Some(Combined::new(net, Some(alone))))
}

/// The classes marked, lowest first.
fn folded(folds: &[bool]) -> Vec<HoleClass> {
    let mut classes: Vec<HoleClass> =
        chart().zip(folds).filter(|&(_, &fold)| fold).map(|(class, _)| class).collect();
    classes.reverse();
    classes
}
