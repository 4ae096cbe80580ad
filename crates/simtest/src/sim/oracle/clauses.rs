//! Records which clauses were at work when no event cites them. Clauses cited by an event, a refusal or a line of a
//! settlement are recorded where those are read.

use cards::{Card, HandRank};
use floor::Table;
use journal::TableEvent;
use round::{Asker, Event, Exposure, Outcome, Place, Settlement, comparison_rule, order_rule};
use rulebook::{
    Pays, PlayingArea, Position, R2_1, R2_2_2, R3_1, R3_2, R3_4, R3_4_1, R3_5, R3_5_3, R3_5_4, R3_6, R3_10,
    R3_10_2, R3_10_2_1, R3_10_2_2, R3_10_2_3, R3_10_3, R3_10_3_1, R3_10_3_2, R3_10_3_3, R3_12_4, R3_12_6,
    R5_1_2, R5_12_1, R5_15, Rule, Rulebook,
};

use super::Oracle;

const R1_1_2: Rule = Rule::new([1, 1, 2, 0]);
const R1_1_3: Rule = Rule::new([1, 1, 3, 0]);
const R3_3_1_1: Rule = Rule::new([3, 3, 1, 1]);
const R3_3_1_2: Rule = Rule::new([3, 3, 1, 2]);
const R3_3_1_3: Rule = Rule::new([3, 3, 1, 3]);
const R3_5_1: Rule = Rule::new([3, 5, 1, 0]);
const R3_5_2: Rule = Rule::new([3, 5, 2, 0]);
const R3_5_3_1: Rule = Rule::new([3, 5, 3, 1]);
const R5_1: Rule = Rule::new([5, 1, 0, 0]);
const R3_13: Rule = Rule::new([3, 13, 0, 0]);

impl Oracle {
    /// Records the clauses that an event of a table shows at work. The table has applied the event already.
    pub(super) fn cover_clauses(&mut self, table: &Table, event: &TableEvent) {
        let book = table.book();
        let rules = match event {
            TableEvent::Opened { setup } => {
                book.layout_with(setup.positions).map(|layout| layout.appendix).into_iter().collect()
            }
            TableEvent::RoundBegan { .. } => {
                let own = self.tables.get(table.id());
                own.filter(|own| own.limits_breached).map(|_| R5_15).into_iter().collect()
            }
            TableEvent::Round(event) => self.clauses_of_round(table, event),
            _ => Vec::new(),
        };
        for rule in rules.into_iter().filter(|rule| book.entry(*rule).is_some()) {
            self.coverage.clause(book.clause(rule));
        }
    }

    fn clauses_of_round(&self, table: &Table, event: &Event) -> Vec<Rule> {
        match event {
            Event::BetsOpened => vec![R3_1],
            Event::BetsClosed => vec![R3_2],
            Event::PlayerInformed { .. } => vec![R3_4_1],
            Event::HandViewed { .. } => vec![R1_1_2, R1_1_3],
            // Each card of the deck is dealt once, or the round would have refused it.
            Event::CardDealt { .. } => dealing(table).into_iter().chain([R2_1]).collect(),
            Event::Exposed { what: Exposure::DealerHand } => vec![R3_10],
            Event::BadCardsDeclared { .. } if 1 < table.number() => vec![R5_1, R5_1_2],
            Event::WagerPlaced { position, area, by, .. } => placed(table, *position, *area, by),
            Event::WagerTakenBack { position, area: PlayingArea::Jackpot, .. } => {
                let lone = table.round().seat(*position).is_some_and(|seat| !seat.is_dealt_in());
                if lone { vec![R5_12_1] } else { Vec::new() }
            }
            Event::Settled { settlement } => self.clauses_of_settlement(table, settlement),
            _ => Vec::new(),
        }
    }

    /// Rules that a settlement depends on but does not cite: orders of hands, comparisons, multiples.
    fn clauses_of_settlement(&self, table: &Table, settlement: &Settlement) -> Vec<Rule> {
        let mut rules = jackpots(table, settlement);
        for line in &settlement.lines {
            match line.rule {
                R3_10_2_1 | R3_10_2_2 | R3_10_2_3 => rules.push(R3_10_2),
                R3_10_3_1 | R3_10_3_2 | R3_10_3_3 => rules.push(R3_10_3),
                _ => {}
            }
        }
        let Some(dealer) = self.best_hand(table, Place::Dealer) else {
            return rules;
        };
        for (position, seat) in table.round().seats().filter(|(_, seat)| seat.is_shown()) {
            let Some(hand) = self.best_hand(table, |at| Place::Player(position, at)) else { continue };
            let rule = comparison_rule(hand, dealer);
            rules.extend([R3_3_1_1, rule, order_rule(hand.order())]);
            if hand == dealer {
                rules.push(R3_3_1_3);
            }
            if rule == R3_12_4 || rule == R3_12_6 {
                rules.push(R3_3_1_2);
            }
            if seat.has(PlayingArea::Jackpot) && !seat.is_viewed() {
                rules.push(R3_5_2);
            }
        }
        rules
    }

    /// Whether a shown hand differs from the Dealer's, with the Dealer's hand and the whole board face up.
    pub(super) fn a_shown_hand_differs(&self, table: &Table) -> bool {
        let (book, round) = (table.book(), table.round());
        let all_open = round.exposed_dealer().len() == book.hand_cards()
            && round.exposed_community().len() == book.community_cards();
        let dealer = self.best_hand(table, Place::Dealer);
        let mut shown = round.seats().filter(|(_, seat)| seat.is_active() && seat.is_shown());
        all_open
            && shown.any(|(position, _)| self.best_hand(table, |at| Place::Player(position, at)) != dealer)
    }

    /// The best five cards of a hand, with the board if there is one.
    fn best_hand(&self, table: &Table, place: impl Fn(u8) -> Place) -> Option<HandRank> {
        let count = |cards: usize| 0..u8::try_from(cards).expect("a pile is small");
        let own = count(table.book().hand_cards()).map(place);
        let board = count(table.book().community_cards()).map(Place::Community);
        let cards: Option<Vec<Card>> =
            own.chain(board).map(|place| self.cards.card(table.id(), place)).collect();
        Some(HandRank::best_of(&cards?))
    }
}

/// The rule of the table's dealing method, and of its dealing device.
fn dealing(table: &Table) -> Vec<Rule> {
    let book = table.book();
    let named = table.setup().method.as_ref().and_then(|name| book.method(name));
    let method = named.or_else(|| book.methods.first());
    method.map_or_else(Vec::new, |method| vec![method.rule, Rulebook::device_rule(method.device)])
}

fn placed(table: &Table, position: Position, area: PlayingArea, by: &Asker) -> Vec<Rule> {
    let mut rules = vec![R2_2_2];
    rules.extend(matches!(by, Asker::Staff(_)).then_some(R3_6));
    let seat = table.round().seat(position);
    let has = |area: PlayingArea| seat.is_some_and(|seat| seat.has(area));
    match area {
        PlayingArea::Ante => {
            rules.push(R3_4);
            rules.extend(has(PlayingArea::Jackpot).then_some(R5_12_1));
        }
        PlayingArea::Jackpot => {
            rules.extend([R3_5_1, R3_5_3, R3_5_4]);
            rules.extend(has(PlayingArea::Ante).then_some(R3_5));
        }
        _ => rules.push(R3_5),
    }
    rules
}

/// The rules of the Jackpot wagers that won, and of their multiples.
fn jackpots(table: &Table, settlement: &Settlement) -> Vec<Rule> {
    let least = table.jackpot_minimum().unwrap_or_default();
    let by_odds = table.book().jackpot.lines.iter().any(|line| matches!(line.pays, Pays::Odds(_)));
    let mut rules = Vec::new();
    for line in settlement.lines.iter().filter(|line| line.outcome == Outcome::Won) {
        rules.push(R3_13);
        if by_odds && least < line.staked && !line.paid.is_zero() {
            rules.push(R3_5_3_1);
        }
        if table.book().community_cards() == 0 {
            rules.push(R3_5_2);
        }
    }
    rules
}
