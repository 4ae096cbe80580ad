//! Hold'em: the counts of each class of hole cards, weighed by what the book pays.
//!
//! The counts hold perfect play after the flop for a Turn and a River wager that are paid even money: whatever their
//! size, they are made exactly where a hand wins more than it loses. What the Ante and the Flop wager are paid, and
//! how many Antes each wager is, only weighs them.

use cards::HandOrder;
use money::Odds;
use rulebook::{AfterFold, HoldemRules, PlayingArea, Rulebook};

use super::answer::{
    Action, AfterFolds, Asked, Base, Combined, Decisions, Ending, Exact, HoleCards, Jackpot, OutcomeRow,
    Played, ReadingValue,
};
use super::fraction::Fraction;
use super::kept::Lab;
use super::question::{LabError, Question, not_counted};
use super::streets::StreetJackpot;
use super::{bonus, five_cards, jackpot};
use crate::holdem::{ClassCounts, Counts, DEALS, DEALS_PER_HAND, Deals, HoleClass};

/// What a round brings the player, by its outcome, in Antes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HoldemPays {
    /// The lowest hand with which a won Ante is paid.
    pub ante_pays_from: HandOrder,
    /// What it is then paid.
    pub ante: i64,
    /// The Flop wager, and what it is paid if it wins.
    pub flop: (i64, i64),
    /// The Turn wager, paid even money.
    pub turn: i64,
    /// The River wager, paid even money.
    pub river: i64,
}

impl HoldemPays {
    /// What a book pays, or as the question has it. Refused where Turn or River are not paid even money.
    pub fn new(book: &Rulebook, rules: &HoldemRules, question: &Question) -> Result<HoldemPays, LabError> {
        for (key, odds) in [("holdem.turn", rules.turn), ("holdem.river", rules.river)] {
            if odds != Odds::To(1) {
                let reason = format!("{odds}: the counts hold decisions on a wager paid 1 to 1 and no other");
                return not_counted(book, key, reason);
            }
        }
        let times = |area| i64::from(book.multiple_of_ante(area).unwrap_or(1));
        let flop = times(PlayingArea::Flop);
        Ok(HoldemPays {
            ante_pays_from: question.ante_pays_from.unwrap_or(rules.ante_pays_from),
            ante: to_one(rules.ante),
            flop: (flop, flop * to_one(rules.flop)),
            turn: times(PlayingArea::Turn),
            river: times(PlayingArea::River),
        })
    }

    /// What a win brings.
    pub fn win(&self, order: HandOrder, turn: bool, river: bool) -> i64 {
        let ante = if order < self.ante_pays_from { 0 } else { self.ante };
        ante + self.flop.1 + self.later(turn, river)
    }

    /// What a loss costs, and so what is wagered on a hand that is not folded.
    pub fn stake(&self, turn: bool, river: bool) -> i64 {
        1 + self.flop.0 + self.later(turn, river)
    }

    fn later(&self, turn: bool, river: bool) -> i64 {
        i64::from(turn) * self.turn + i64::from(river) * self.river
    }

    /// What the Flop wager and perfect play after it bring with a class, in Antes over the deals of one hand.
    pub fn net(&self, class: &ClassCounts) -> i128 {
        self.sum(class, |won| won)
    }

    /// The sum over the deals of one hand of the square of what it brings, in Antes.
    fn squares(&self, class: &ClassCounts) -> i128 {
        self.sum(class, |won| won * won)
    }

    fn sum(&self, class: &ClassCounts, of: impl Fn(i128) -> i128) -> i128 {
        played(class)
            .map(|(turn, river, deals)| {
                let wins: i128 = HandOrder::ALL
                    .into_iter()
                    .map(|order| i128::from(deals.won_with(order)) * of(self.win(order, turn, river).into()))
                    .sum();
                wins + i128::from(deals.losses) * of((-self.stake(turn, river)).into())
            })
            .sum()
    }
}

/// Odds "to 1" as a number. The books are checked to pay these wagers at no other.
pub(super) fn to_one(odds: Odds) -> i64 {
    match odds {
        Odds::To(times) => i64::from(times),
        Odds::For(times) => i64::from(times) - 1,
    }
}

/// The deals of a class by what was done on turn and river.
fn played(class: &ClassCounts) -> impl Iterator<Item = (bool, bool, &Deals)> {
    let rivers = |turn: usize| {
        class.deals[turn].iter().enumerate().map(move |(river, deals)| (turn == 1, river == 1, deals))
    };
    (0..2).flat_map(rivers)
}

/// What the player wins with a hand that is not looked at: the Flop wager is made, Turn and River are checked.
pub fn blind_hand(counts: &Counts, pays: &HoldemPays) -> Base {
    let (mut net, mut squares) = (0, 0);
    for class in counts.classes() {
        let deals = class.showdowns();
        let hands = i128::from(class.class.combinations());
        for order in HandOrder::ALL {
            let (won, deals) = (i128::from(pays.win(order, false, false)), i128::from(deals.won_with(order)));
            net += hands * deals * won;
            squares += hands * deals * won * won;
        }
        let (lost, deals) = (i128::from(pays.stake(false, false)), i128::from(deals.losses));
        net -= hands * deals * lost;
        squares += hands * deals * lost * lost;
    }
    Base {
        net: Fraction::over(net, DEALS),
        second_moment: Fraction::over(squares, DEALS),
        wagered: Fraction::over(i128::from(pays.stake(false, false)) * i128::from(DEALS), DEALS),
    }
}

/// The base game with given folds.
struct Game {
    base: Base,
    outcomes: Vec<OutcomeRow>,
    decisions: Decisions,
}

/// The base game if the classes that `folds` marks are folded and all else is played perfectly.
fn game(counts: &Counts, pays: &HoldemPays, folds: &[bool]) -> Game {
    let (mut net, mut squares) = (0, 0);
    let (mut folded, mut fold_deals, mut river_level_deals) = (Vec::new(), 0, 0);
    let mut sums = [[Deals::default(); 2]; 2];
    for (class, &fold) in counts.classes().iter().zip(folds) {
        let hands = class.class.combinations();
        if fold {
            folded.push(class.class);
            fold_deals += hands * DEALS_PER_HAND;
            continue;
        }
        net += i128::from(hands) * pays.net(class);
        squares += i128::from(hands) * pays.squares(class);
        river_level_deals += hands * class.river_level;
        for (turn, river, deals) in played(class) {
            let sum = &mut sums[usize::from(turn)][usize::from(river)];
            *sum = sum.plus(&deals.times(hands));
        }
    }
    folded.reverse();
    let all = |turn: usize, river: usize| sums[turn][river].all();
    let outcomes = outcomes(pays, fold_deals, &sums);
    let wagered = |row: &OutcomeRow| {
        let bet = |action| action == Some(Action::Bet);
        let stake = if row.result == Ending::Fold { 1 } else { pays.stake(bet(row.turn), bet(row.river)) };
        i128::from(stake) * i128::from(row.deals)
    };
    Game {
        base: Base {
            net: Fraction::over(net - i128::from(fold_deals), DEALS),
            second_moment: Fraction::over(squares + i128::from(fold_deals), DEALS),
            wagered: Fraction::over(outcomes.iter().map(wagered).sum(), DEALS),
        },
        outcomes,
        decisions: Decisions::Holdem {
            fold: folded,
            fold_deals,
            turn_bet_deals: all(1, 0) + all(1, 1),
            river_bet_deals: all(0, 1) + all(1, 1),
            river_level_deals,
        },
    }
}

fn outcomes(pays: &HoldemPays, fold_deals: u64, sums: &[[Deals; 2]; 2]) -> Vec<OutcomeRow> {
    let fold =
        OutcomeRow { hand: None, turn: None, river: None, result: Ending::Fold, deals: fold_deals, net: -1 };
    let mut rows = vec![fold];
    for (turn, river) in [(false, false), (false, true), (true, false), (true, true)] {
        let deals = &sums[usize::from(turn)][usize::from(river)];
        let paid = HandOrder::ALL.into_iter().filter(|&order| pays.ante_pays_from <= order);
        let with_ante: u64 = paid.map(|order| deals.won_with(order)).sum();
        let action = |bet| Some(if bet { Action::Bet } else { Action::Check });
        let row = |result, deals, net| OutcomeRow {
            hand: None,
            turn: action(turn),
            river: action(river),
            result,
            deals,
            net,
        };
        let won = pays.win(HandOrder::RoyalFlush, turn, river);
        rows.extend([
            row(Ending::WinWithAnte, with_ante, won),
            row(Ending::Win, deals.won() - with_ante, won - pays.ante),
            row(Ending::StandOff, deals.ties, 0),
            row(Ending::Lose, deals.losses, -pays.stake(turn, river)),
        ]);
    }
    rows.retain(|row| 0 < row.deals);
    rows
}

/// The whole of a hold'em book.
pub(super) fn exact(
    lab: &Lab,
    book: &Rulebook,
    rules: &HoldemRules,
    question: &Question,
) -> Result<Exact, LabError> {
    let pays = HoldemPays::new(book, rules, question)?;
    let streets = if five_cards::is_five_cards(&book.jackpot) {
        None
    } else {
        Some(StreetJackpot::new(book, question.jackpot_unit_cents())?)
    };
    let counts = lab.holdem();
    let nets: Vec<i128> = counts.classes().iter().map(|class| pays.net(class)).collect();
    let base_folds: Vec<bool> = nets.iter().map(|&net| net <= -i128::from(DEALS_PER_HAND)).collect();
    let wagers = question.meter_cents.filter(|_| 0 < question.jackpot_wager_cents);
    // Where a fold loses lines of the jackpot, a wager on it is part of the decision to fold.
    let folds = match (&streets, wagers) {
        (Some(streets), Some(meter)) if book.jackpot.after_fold == AfterFold::CommunityLines => {
            streets.folds(&nets, question.ante_cents, meter)
        }
        _ => base_folds.clone(),
    };
    let game_now = game(counts, &pays, &folds);
    let (jackpot, combined) = match &streets {
        None => {
            let jackpot = five_cards::jackpot(book, question, DEALS);
            let combined = jackpot::combined(question, game_now.base.net, &jackpot);
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
    Ok(Exact {
        rulebook: book.id.clone(),
        readings: ReadingValue::all(&book.readings),
        asked: Asked::of(question),
        deals: DEALS,
        base: game_now.base,
        outcomes: game_now.outcomes,
        decisions: game_now.decisions,
        hole_cards: counts.classes().iter().zip(&nets).zip(&folds).map(hole_card).collect(),
        strategy: Vec::new(),
        bonus: Some(bonus::bonus(counts, rules, &folds)),
        jackpot,
        combined,
    })
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
    let played = Played { fold: folded(base_folds), net: base_net, cost: net.minus(base_net) };
    (jackpot, Some(Combined { net, base_game_folds: Some(played) }))
}

/// The classes marked, lowest first.
fn folded(folds: &[bool]) -> Vec<HoleClass> {
    let mut classes: Vec<HoleClass> =
        HoleClass::all().zip(folds).filter(|&(_, &fold)| fold).map(|(class, _)| class).collect();
    classes.reverse();
    classes
}
