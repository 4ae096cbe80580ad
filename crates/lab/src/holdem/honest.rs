//! Decisions of hold'em, and what a hidden card changed in them.
//!
//! After the Flop wager nothing is folded, so every such hand decides on Turn and River. Both are judged together: what was
//! hidden until the last of them is one of the cards that were unseen then, each as likely as the others. The decision before
//! the flop is judged by itself, so that whoever saw a card only there, or only later, is found as well.
#![expect(clippy::cast_precision_loss, reason = "leads are far below 2 to the 52nd")]

use cards::{Card, CardSet};
use rulebook::HoldemRules;

use super::advise;
use super::before_flop::{self, Lies};
use super::count::{Leads, leads, shown_down};
use super::pays::Pays;
use crate::advice::{AdviceError, Part, Situation};
use crate::exact::{Action, Fraction};
use crate::game::Case;
use crate::honest::{Hand, Hidden, HiddenCase, Judged, JudgedChoice, Kind};

/// Hole cards and board of a hand that decided on Turn and River.
struct Streets {
    own: [Card; 2],
    board: [Card; 4],
}

impl Streets {
    fn of(hand: &Hand<'_>) -> Option<Streets> {
        let own = hand.own.try_into().ok()?;
        let board: Vec<Card> = hand.community.iter().copied().take(4).collect::<Option<_>>()?;
        let has_decided = hand.actions.first() == Some(&Action::Bet) && hand.actions.len() == 3;
        Some(Streets { own, board: board.try_into().ok()? }).filter(|_| has_decided)
    }

    /// The cards that nobody at the table saw with so many cards on the board.
    fn unseen(&self, board: usize) -> CardSet {
        CardSet::FULL.difference(self.own.iter().chain(&self.board[..board]).copied().collect())
    }

    /// The leads at both decisions, without cards that are elsewhere.
    fn leads(&self, elsewhere: CardSet) -> [Leads; 2] {
        [3, 4].map(|board| leads(self.own, &self.board[..board], self.unseen(board).difference(elsewhere)))
    }
}

pub(super) fn judge(case: Case<'_>, rules: &HoldemRules, hand: &Hand<'_>) -> Result<Judged, AdviceError> {
    let pays = Pays::new(case.book, rules)?;
    let Some(&first) = hand.actions.first() else { return Ok(Judged::default()) };
    let advice = advise::advise(case, rules, &Situation::of(hand.own))?;
    let mut judged = Judged {
        choices: vec![JudgedChoice::first(case, &advice, first)],
        hidden: before_flop(&pays, hand).unwrap_or_default(),
    };
    let Some(streets) = Streets::of(hand) else { return Ok(judged) };
    let [turn, river] = streets.leads(CardSet::EMPTY);
    let wagers = [pays.turn_wager(), pays.river_wager()];
    for (place, (leads, wager)) in (1..).zip([&turn, &river].into_iter().zip(wagers)) {
        let gain = Fraction::new(i128::from(wager) * i128::from(leads.lead()), leads.deals);
        let action = hand.actions[place];
        judged.choices.push(JudgedChoice::later(case, gain, action));
    }
    judged.hidden.extend(hidden(hand, &streets, [&turn, &river], wagers));
    Ok(judged)
}

/// What each card that lay face down changed in the first decision; none where no card changes the choice.
fn before_flop(pays: &Pays, hand: &Hand<'_>) -> Option<Vec<Hidden>> {
    let own: [Card; 2] = hand.own.try_into().ok()?;
    let unseen = CardSet::FULL.difference(own.into_iter().collect());
    let of = |kind: Kind, lies: Lies, card: Option<&Option<Card>>| {
        let card = (*card?)?;
        before_flop::gain(pays, own, lies, card)?;
        let gains = |card| [before_flop::gain(pays, own, lies, card).unwrap_or_default(), 0.0, 0.0];
        Hidden::card(kind, unseen, card, gains)
    };
    let dealer = (0..2).map(|place: u8| {
        (Kind::FoldDealerCard(place), Lies::WithDealer, hand.dealer.get(usize::from(place)))
    });
    let flop = (0..3)
        .map(|place: u8| (Kind::FoldFlopCard(place), Lies::OnFlop, hand.community.get(usize::from(place))));
    let turn = (Kind::FoldTurnCard, Lies::OnTurn, hand.community.get(3));
    let river = (Kind::FoldRiverCard, Lies::OnRiver, hand.community.get(4));
    let all = dealer.chain(flop).chain([turn, river]);
    Some(all.filter_map(|(kind, lies, card)| of(kind, lies, card)).collect())
}

fn hidden(hand: &Hand<'_>, streets: &Streets, [turn, river]: [&Leads; 2], wagers: [i64; 2]) -> Vec<Hidden> {
    let [turn_wager, river_wager] = wagers.map(|wager| wager as f64);
    let ratio = |lead: i64, deals: i64| lead as f64 / deals as f64;
    let by_dealer =
        |leads: &Leads, card: Card| ratio(leads.by_dealer[usize::from(card.index())], leads.dealer_deals);
    let by_board =
        |leads: &Leads, card: Card| ratio(leads.by_board[usize::from(card.index())], leads.board_deals);
    let mut all = Vec::new();
    for (place, card) in (0..2).zip(hand.dealer) {
        let gains = |card| [0.0, turn_wager * by_dealer(turn, card), river_wager * by_dealer(river, card)];
        all.extend(
            card.and_then(|card| Hidden::card(Kind::DealerCard(place), streets.unseen(4), card, gains)),
        );
    }
    let gains = |card| [0.0, turn_wager * by_board(turn, card), 0.0];
    all.extend(Hidden::card(Kind::TurnCard, streets.unseen(3), streets.board[3], gains));
    let [Some(first), Some(second), ..] = *hand.dealer else { return all };
    let Some(&Some(last)) = hand.community.get(4) else { return all };
    let gains = |card| [0.0, turn_wager * by_board(turn, card), river_wager * by_board(river, card)];
    all.extend(Hidden::card(Kind::RiverCard, streets.unseen(4), last, gains));
    let [a, b, c, d] = streets.board;
    let result = shown_down(streets.own, [first, second], [a, b, c, d, last]);
    let stand_offs = river.deals - river.wins - river.losses;
    let results = [(1.0, river.wins), (0.0, stand_offs), (-1.0, river.losses)];
    let of_result = |(sign, deals): (f64, i64)| HiddenCase {
        weight: ratio(deals, river.deals),
        gains: [0.0, sign * turn_wager, sign * river_wager],
    };
    let actual = usize::try_from(1 - result).unwrap_or_default();
    all.push(Hidden { kind: Kind::Outcome, cases: results.map(of_result).to_vec(), actual });
    all
}

pub(super) fn gains_without(
    case: Case<'_>,
    rules: &HoldemRules,
    hand: &Hand<'_>,
    elsewhere: &[Card],
) -> Result<[f64; 3], AdviceError> {
    let pays = Pays::new(case.book, rules)?;
    let Some(streets) = Streets::of(hand) else {
        return Err(Part::Community.is_wrong("the hand did not decide on Turn and River"));
    };
    let [turn, river] = streets.leads(elsewhere.iter().copied().collect());
    let gain = |leads: &Leads, wager: i64| wager as f64 * leads.lead() as f64 / leads.deals as f64;
    Ok([0.0, gain(&turn, pays.turn_wager()), gain(&river, pays.river_wager())])
}
