//! A second settlement by the auditor of `testkit`, which shares no code with the engine.

use std::collections::BTreeMap;

use cards::{Card, HandOrder};
use floor::Table;
use jackpot::EntryId;
use money::Pool;
use round::{Line, Outcome, Place, Round, Seat, Settlement};
use rulebook::{PlayingArea, Position};
use serde_json::{Value, json};
use testkit::auditor;

use super::{Oracle, Violation, ensure};
use crate::sim::books::{base, changed};
use crate::sim::plan::{MSSP9, THB6};

/// A meter for settlements where the amount does not matter.
const SOME_METER: u64 = 10_000_000;

/// The card at a place, if it was read.
type CardAt<'a> = dyn Fn(Place) -> Option<Card> + 'a;

impl Oracle {
    /// Settles a round a second time and compares the outcome of every wager. Returns the record of the round, if it
    /// can be written as one.
    pub(super) fn second_settlement(
        &self,
        table: &Table,
        settlement: &Settlement,
        id: &EntryId,
    ) -> Result<Option<Value>, Violation> {
        let Some(record) = self.record(table, settlement) else {
            return Ok(None);
        };
        let meter = Pool::from_ten_thousandths(SOME_METER * 10_000);
        let audited = settle(&record, meter, SOME_METER, id)?;
        let awards = awards_of(&audited);
        let mut audited = areas_of(&audited);
        let changed = changed(&table.book().id);
        for line in &settlement.lines {
            let mut second = audited.remove(&(u64::from(line.position.0), area_name(line.area)));
            if let (Some(book), Some((staked, paid, ..))) = (changed, &mut second) {
                // What is over the maximum goes back and is not paid (5.14).
                let limits = table.round().limits();
                let most = match line.area {
                    PlayingArea::Bonus => limits.bonus.as_ref().map(|bonus| bonus.end().cents()),
                    _ => Some(2 * limits.ante.end().cents()),
                };
                *paid = book.paid_instead(line.area, most.map_or(*staked, |most| most.min(*staked)), *paid);
            }
            let claimed = settlement.claims.iter().any(|claim| claim.position == line.position);
            let award = awards.iter().find(|award| award.0 == u64::from(line.position.0));
            let from_meter = award.filter(|_| line.area == PlayingArea::Jackpot).map_or(0, |award| award.2);
            if line.area == PlayingArea::Jackpot {
                ensure!(
                    claimed == award.is_some(),
                    "M5: {id} {}: the settlement and its second settlement disagree on a claim: {record}",
                    line.position
                );
            }
            let first = (
                line.staked.cents(),
                line.paid.cents() + from_meter,
                line.returned.cents(),
                line.collected.cents(),
                outcome_name(line.outcome).to_owned(),
            );
            ensure!(
                second.as_ref() == Some(&first),
                "a second settlement of {id} gives {second:?} for {line:?}; the round was {record}"
            );
        }
        ensure!(audited.is_empty(), "a second settlement of {id} has extra wagers: {audited:?}");
        self.coverage.with(|coverage| coverage.second += 1);
        Ok(Some(record))
    }

    /// The round as a record. `None` if a record cannot describe it, for example because of a ruling or a shared hand.
    fn record(&self, table: &Table, settlement: &Settlement) -> Option<Value> {
        let round = table.round();
        let own = self.tables.get(table.id())?;
        if !round.rulings().is_empty() || settlement.lines.iter().any(has_no_record) {
            return None;
        }
        let minimum = table.jackpot_minimum().map_or(500, money::Money::cents);
        let cards = |place: Place| self.cards.card(table.id(), place);
        let mut unused = unused(&cards);
        let (mut positions, mut out) = (Vec::new(), Vec::new());
        let mut open = false;
        for (position, seat) in round.seats().filter(|(_, seat)| seat.has_wagers()) {
            let mut record = position_record(round, position, seat, minimum)?;
            if seat.is_dealt_in() {
                if seat.out().is_some() {
                    out.push(position.0);
                }
                let stands = settlement.void.is_none() && seat.out().is_none();
                let plain = !stands || seat.has_folded() && !seat.has(PlayingArea::Jackpot);
                open |= stands && !seat.has_folded();
                let may_fill = plain || seat.has_declined();
                let place = |at| Place::Player(position, at);
                record["cards"] = pile(&cards, table.book().hand_cards(), place, may_fill, &mut unused)?;
            }
            positions.push(record);
        }
        let board = board(table, settlement, open, &cards, &mut unused)?;
        let mut irregularities = Vec::new();
        if settlement.void.is_some() {
            irregularities.push(json!({ "kind": "foreign-card" }));
        }
        if !out.is_empty() {
            irregularities.push(json!({ "kind": "prohibited", "positions": out }));
        }
        let limits = own.limits.as_ref()?;
        let range = |range: &std::ops::RangeInclusive<money::Money>| {
            json!([range.start().cents(), range.end().cents()])
        };
        let mut limits_record = json!({ "ante": range(&limits.ante) });
        if let Some(bonus) = &limits.bonus {
            limits_record["bonus"] = range(bonus);
        }
        let warned: Vec<&str> = own.warned.iter().map(round::PlayerId::name).collect();
        Some(json!({
            "id": format!("{} {}", table.id(), table.number()),
            "rulebook": base(&table.book().id),
            "table": { "positions": table.setup().positions, "limits": limits_record, "warned": warned },
            "jackpot": { "minimum_wager": minimum, "contribution_bps": 0 },
            "positions": positions,
            "community": board.0,
            "dealer": board.1,
            "irregularities": irregularities,
        }))
    }
}

/// A record cannot describe this: an absent Player may lose the Bonus alone, by a reading that the auditor does not
/// have.
fn has_no_record(line: &Line) -> bool {
    line.rule == rulebook::R5_11 && line.outcome == Outcome::Collected
}

/// A position's wagers and decisions.
fn position_record(round: &Round, position: Position, seat: &Seat, minimum: u64) -> Option<Value> {
    let mut record = json!({ "position": position.0 });
    for area in [PlayingArea::Ante, PlayingArea::Bonus, PlayingArea::Jackpot] {
        let shares = seat.shares(area, None);
        let [share] = &*shares else {
            if shares.is_empty() {
                continue;
            }
            return None;
        };
        if share.out.is_some() && seat.out().is_none() && seat.is_dealt_in() {
            return None;
        }
        let holder = seat.holder().unwrap_or(&share.owner);
        if *holder != share.owner {
            return None;
        }
        record["player"] = json!(share.owner.name());
        let amount = share.amount.cents();
        record[area_name(area)] = match area {
            PlayingArea::Jackpot => json!(amount / minimum),
            _ => json!(amount),
        };
    }
    if seat.is_dealt_in() {
        let first = round.book().first_area();
        let stays = seat.has(first);
        record["decision"] = json!(if seat.has_folded() {
            "fold"
        } else if stays {
            "bet"
        } else {
            "absent"
        });
        if stays && first == PlayingArea::Flop {
            let of = |area: PlayingArea| if seat.has(area) { "bet" } else { "check" };
            record["turn"] = json!(of(PlayingArea::Turn));
            record["river"] = json!(of(PlayingArea::River));
        }
        if seat.has_declined() && stays {
            record["declines"] = json!(true);
        }
    }
    Some(record)
}

/// The cards that nobody has seen. They fill places where the card does not matter.
fn unused(cards: &CardAt<'_>) -> Vec<Card> {
    let hand = |position: u8| (0..5).map(move |at| Place::Player(Position(position), at));
    let places = (0..5).flat_map(|at| [Place::Dealer(at), Place::Community(at)]);
    let seen: Vec<Card> = places.chain((1..=9).flat_map(hand)).filter_map(cards).collect();
    (0..52).filter_map(Card::from_index).filter(|card| !seen.contains(card)).collect()
}

/// The cards of a pile. Cards that were not read are filled in if they do not matter.
fn pile(
    cards: &CardAt<'_>,
    count: usize,
    place: impl Fn(u8) -> Place,
    may_fill: bool,
    unused: &mut Vec<Card>,
) -> Option<Value> {
    let count = u8::try_from(count).expect("a pile is small");
    filled((0..count).map(|at| cards(place(at))).collect(), may_fill, unused)
}

fn filled(cards: Vec<Option<Card>>, may_fill: bool, unused: &mut Vec<Card>) -> Option<Value> {
    let fill = |card: Option<Card>| card.or_else(|| if may_fill { unused.pop() } else { None });
    let cards: Option<Vec<Card>> = cards.into_iter().map(fill).collect();
    Some(json!(cards?.iter().map(ToString::to_string).collect::<Vec<_>>()))
}

/// The board and the Dealer's hand. If no hand is compared, only the cards that a Jackpot wager needs matter.
fn board(
    table: &Table,
    settlement: &Settlement,
    open: bool,
    cards: &CardAt<'_>,
    unused: &mut Vec<Card>,
) -> Option<(Value, Value)> {
    let book = table.book();
    let mut ends = settlement.lines.iter();
    let in_jackpot = ends.any(|line| line.area == PlayingArea::Jackpot && line.outcome != Outcome::Returned);
    let looks = match base(&book.id) {
        MSSP9 => 0,
        THB6 => 5,
        _ => 3,
    };
    let is_read = (0..looks).all(|at| cards(Place::Community(at)).is_some());
    let may_fill = !open && (!in_jackpot || is_read);
    let community = pile(cards, book.community_cards(), Place::Community, may_fill, unused)?;
    Some((community, pile(cards, book.hand_cards(), Place::Dealer, !open, unused)?))
}

/// The auditor's settlement of a record, with a meter.
pub(super) fn settle(record: &Value, meter: Pool, reset: u64, id: &EntryId) -> Result<Value, Violation> {
    let mut record = record.clone();
    record["jackpot"]["meter"] = json!(meter.displayed().cents());
    record["jackpot"]["fraction"] = json!(meter.fraction());
    record["jackpot"]["reset"] = json!(reset);
    auditor::settle(&record)
        .map_err(|error| Violation(format!("the record of {id} cannot be settled: {error}: {record}")))
}

/// The awards of a settlement: position, hand, cents.
pub(super) fn awards_of(audited: &Value) -> Vec<(u64, String, u64)> {
    let awards = audited["jackpot"]["awards"].as_array().cloned().unwrap_or_default();
    let one = |award: &Value| {
        let number = |name: &str| award[name].as_u64().unwrap_or_default();
        (number("position"), award["hand"].as_str().unwrap_or_default().to_owned(), number("amount"))
    };
    awards.iter().map(one).collect()
}

/// What a settlement leaves on the meter, in ten-thousandths of a cent.
pub(super) fn meter_of(audited: &Value) -> u64 {
    let part = |name: &str| audited["jackpot"][name].as_u64().unwrap_or_default();
    part("meter") * 10_000 + part("fraction")
}

type Ends = BTreeMap<(u64, &'static str), (u64, u64, u64, u64, String)>;

fn areas_of(audited: &Value) -> Ends {
    let mut ends = Ends::new();
    for position in audited["positions"].as_array().into_iter().flatten() {
        let number = position["position"].as_u64().unwrap_or_default();
        for area in PlayingArea::ALL.map(area_name) {
            let Some(line) = position["areas"].get(area) else { continue };
            let cents = |name: &str| line[name].as_u64().unwrap_or(u64::MAX);
            let outcome = line["outcome"].as_str().unwrap_or_default().to_owned();
            let end = (cents("staked"), cents("paid"), cents("returned"), cents("collected"), outcome);
            ends.insert((number, area), end);
        }
    }
    ends
}

pub(super) const fn area_name(area: PlayingArea) -> &'static str {
    match area {
        PlayingArea::Ante => "ante",
        PlayingArea::Bonus => "bonus",
        PlayingArea::Flop => "flop",
        PlayingArea::Turn => "turn",
        PlayingArea::River => "river",
        PlayingArea::Bet => "bet",
        PlayingArea::Jackpot => "jackpot",
    }
}

pub(super) const fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Paid(_) | Outcome::Won => "paid",
        Outcome::Collected => "collected",
        Outcome::StandOff => "stand-off",
        Outcome::Returned => "returned",
    }
}

/// The auditor's name of a hand that wins a share of the meter.
pub(super) fn hand_name(hand: HandOrder) -> &'static str {
    match hand {
        HandOrder::RoyalFlush => "royal-flush",
        HandOrder::StraightFlush => "straight-flush",
        _ => "another hand",
    }
}
