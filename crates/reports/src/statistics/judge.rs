//! The decisions of a round, judged. Nothing here depends on other rounds, so many are judged at once.

use std::collections::BTreeMap;

use floor::Library;
use jackpot::TableId;
use lab::exact::{Action, Lab, Question};
use lab::honest::{Hand, Hidden, Judged, judge, neighbour};
use lab::simulate::Stream;
use round::{Decision, Place, PlayerId};
use rulebook::{AfterFold, PlayingArea, Position};

use super::gather::PlayedRound;

/// A hand with its decisions judged.
pub(super) struct JudgedHand {
    pub(super) player: PlayerId,
    pub(super) judged: Judged,
    /// What each neighbour's hand changed.
    pub(super) neighbours: Vec<(PlayerId, Hidden)>,
}

/// Why a hand is not in the decision test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Why {
    Void,
    Irregular,
    Several,
    Unseen,
    Declined,
    NotCounted,
}

impl Why {
    pub(super) const fn words(self) -> &'static str {
        match self {
            Why::Void => "the round was void",
            Why::Irregular => "something irregular happened in the round",
            Why::Several => "the Player held several positions, and saw more than one hand",
            Why::Unseen => "the hand was folded and never seen",
            Why::Declined => {
                "the hand stayed in and was never seen; its Player is not tested, for losing hands are hidden more often"
            }
            Why::NotCounted => "the lab does not count the game",
        }
    }
}

/// The hands of a round: judged, or why not.
pub(super) fn hands(
    lab: &Lab,
    library: &Library,
    table: &TableId,
    round: &PlayedRound,
) -> Vec<Result<JudgedHand, (Why, PlayerId)>> {
    let Some((book, _)) = library.get(&round.book) else { return Vec::new() };
    let community = round.cards_at(book.community_cards(), Place::Community);
    let dealt = round.cards.keys().filter(|place| matches!(place, Place::Dealer(_))).count();
    let dealer = round.cards_at(if book.community_cards() == 0 { 5 } else { dealt.max(2) }, Place::Dealer);
    let mut seats: BTreeMap<&PlayerId, u32> = BTreeMap::new();
    for position in round.decisions.keys() {
        let holder = round.holders.get(position).map(|holder| seats.entry(holder).or_default());
        if let Some(count) = holder {
            *count = count.saturating_add(1);
        }
    }
    let hand_of = |position: Position| -> Option<Vec<cards::Card>> {
        round.cards_at(book.hand_cards(), |at| Place::Player(position, at)).into_iter().collect()
    };
    let one = |(position, decisions): (&Position, &Vec<Decision>)| {
        let player = round.holders.get(position)?;
        let refused = if round.settlement.void.is_some() {
            Some(Why::Void)
        } else if round.irregular {
            Some(Why::Irregular)
        } else if seats.get(player).is_some_and(|count| 1 < *count) {
            Some(Why::Several)
        } else {
            None
        };
        if let Some(why) = refused {
            return Some(Err((why, player.clone())));
        }
        let Some(own) = hand_of(*position) else {
            let why = if decisions.contains(&Decision::Fold) { Why::Unseen } else { Why::Declined };
            return Some(Err((why, player.clone())));
        };
        let actions: Vec<Action> = decisions.iter().copied().map(action).collect();
        let hand = Hand { own: &own, community: &community, dealer: &dealer, actions: &actions };
        let wager = |area: PlayingArea| -> u64 {
            let lines = round.settlement.lines.iter();
            let own = lines.filter(|line| line.position == *position && line.area == area);
            own.filter(|line| line.owner == *player).map(|line| line.staked.cents()).sum()
        };
        let matters = book.jackpot.after_fold != AfterFold::EveryLine;
        let question = Question {
            ante_cents: wager(PlayingArea::Ante).max(1),
            jackpot_wager_cents: if matters { wager(PlayingArea::Jackpot) } else { 0 },
            meter_cents: round.meter_cents,
            ante_pays_from: None,
        };
        let Ok(judged) = judge(lab, book, &question, &hand) else {
            return Some(Err((Why::NotCounted, player.clone())));
        };
        let mut neighbours = Vec::new();
        // A hand that is seen only because it stayed is not like one drawn at random: every hand must be known.
        if round.order.is_some() {
            let mut draw = Stream::new(round.number, seed(table, *position));
            for (other, name) in
                round.holders.iter().filter(|(other, name)| *other != position && *name != player)
            {
                let cards = hand_of(*other).filter(|_| round.decisions.contains_key(other));
                let hidden = cards.and_then(|cards| neighbour(lab, book, &hand, &judged, &cards, &mut draw));
                neighbours.extend(hidden.map(|hidden| (name.clone(), hidden)));
            }
        }
        Some(Ok(JudgedHand { player: player.clone(), judged, neighbours }))
    };
    round.decisions.iter().filter_map(one).collect()
}

/// A number for the draws of a position: of its table's name and place, and of no card.
fn seed(table: &TableId, position: Position) -> u64 {
    let mix = |sum: u64, byte: u8| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    table.name().bytes().chain([position.0]).fold(0xcbf2_9ce4_8422_2325, mix)
}

const fn action(decision: Decision) -> Action {
    match decision {
        Decision::Fold => Action::Fold,
        Decision::Check => Action::Check,
        Decision::Wager => Action::Bet,
    }
}
