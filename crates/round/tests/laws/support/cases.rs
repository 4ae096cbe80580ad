//! The recorded rounds of `cases/rounds.jsonl`, played through by commands.

use cards::Card;
use money::Money;
use round::{CardFault, Command, Decision, Place, PlayerId, Stage, TableMemory, TableRules};
use rulebook::{Limits, Means, PlayingArea, Position};
use serde_json::Value;

use super::plan::Plan;
use super::play::COMMANDS_MAX;
use super::table::book;
use super::walk::{DEALER, MANAGER, Walk};

/// Every recorded round, at its end.
pub(crate) fn played() -> Vec<Walk> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cases/rounds.jsonl");
    let text = std::fs::read_to_string(path).expect("the cases come with the project");
    text.lines().map(|line| play(&serde_json::from_str(line).expect("each line is an object"))).collect()
}

fn play(record: &Value) -> Walk {
    let mut walk = open(record);
    place_wagers(&mut walk, record);
    for _ in 0..COMMANDS_MAX {
        if walk.round.stage() == Stage::Settling {
            irregularities(&mut walk, record);
        }
        if matches!(walk.round.stage(), Stage::Concluded | Stage::Void) {
            return walk;
        }
        let command = next(&walk, record);
        if let Err(refusal) = walk.give(&DEALER, &command) {
            panic!("{}: {command:?}: {refusal}{}", record["id"], walk.story());
        }
    }
    panic!("{} has no end{}", record["id"], walk.story());
}

fn open(record: &Value) -> Walk {
    let table = &record["table"];
    let range = |value: &Value| money(&value[0])..=money(&value[1]);
    let bonus = table["limits"].get("bonus").map(range);
    let limits = Limits { ante: range(&table["limits"]["ante"]), bonus };
    let minimum = money(&record["jackpot"]["minimum_wager"]);
    let book = book(record["rulebook"].as_str().expect("a name"));
    let rules = TableRules::new(book, small(&table["positions"]), limits, None, Some(minimum));
    let players = list(&record["positions"]).iter().map(|seat| player(&seat["player"]));
    let warned = list(&table["warned"]).iter().map(player).collect();
    let memory = TableMemory { informed: players.collect(), warned, ..TableMemory::default() };
    let at = |place: fn(u8) -> Place, value: &Value| -> Vec<(Place, Card)> {
        (0..).map(place).zip(list(value).iter().map(card)).collect()
    };
    let mut plan = at(Place::Community, &record["community"]);
    plan.extend(at(Place::Dealer, &record["dealer"]));
    for seat in list(&record["positions"]) {
        let cards = (0..).zip(list(&seat["cards"]).iter().map(card));
        plan.extend(cards.map(|(at, card)| (Place::Player(position(seat), at), card)));
    }
    Walk::new(rules.expect("the cases' tables are the books'"), memory, Plan::of(plan))
}

fn place_wagers(walk: &mut Walk, record: &Value) {
    let minimum = money(&record["jackpot"]["minimum_wager"]);
    for seat in list(&record["positions"]) {
        let take = Command::TakePosition { position: position(seat), player: player(&seat["player"]) };
        assert!(walk.try_give(&DEALER, &take), "{take:?}");
    }
    assert!(walk.try_give(&DEALER, &Command::OpenBets {}));
    for seat in list(&record["positions"]) {
        let times = seat.get("jackpot").map(|times| minimum.times(small(times).into()).expect("small"));
        let wagers = [
            (PlayingArea::Ante, seat.get("ante").map(money)),
            (PlayingArea::Bonus, seat.get("bonus").map(money)),
            (PlayingArea::Jackpot, times),
        ];
        for (area, amount) in wagers {
            let Some(amount) = amount else { continue };
            let (position, owner, means) = (position(seat), player(&seat["player"]), Means::Chips);
            let place = Command::PlaceWager { position, area, owner, amount, means };
            assert!(walk.try_give(&DEALER, &place), "{place:?}");
        }
    }
    assert!(walk.try_give(&DEALER, &Command::CloseBets {}));
}

fn next(walk: &Walk, record: &Value) -> Command {
    match walk.round.stage() {
        Stage::Dealing => {
            let place = walk.round.next_place().expect("cards are due while they are dealt");
            Command::DealCard { card: Some(walk.card(place)) }
        }
        Stage::Deciding(area) => due(walk, record, |seat| decision(seat, area)),
        Stage::Exposing(_) => Command::Expose {},
        Stage::Showing => due(walk, record, |seat| {
            let position = position(seat);
            if seat["declines"] == true {
                Command::DeclineComparison { position }
            } else {
                Command::ShowHand { position }
            }
        }),
        _ => Command::Settle {},
    }
}

/// The first position's command that is due.
fn due(walk: &Walk, record: &Value, command: impl Fn(&Value) -> Command) -> Command {
    let mut commands = list(&record["positions"]).iter().map(command);
    commands.find(|command| walk.may(command)).expect("somebody is due")
}

fn decision(seat: &Value, area: PlayingArea) -> Command {
    let position = position(seat);
    let said = match area {
        PlayingArea::Turn => &seat["turn"],
        PlayingArea::River => &seat["river"],
        _ => &seat["decision"],
    };
    match said.as_str() {
        Some("bet") => Command::Decide { position, decision: Decision::Wager },
        Some("fold") => Command::Decide { position, decision: Decision::Fold },
        Some("absent") => Command::ReportAbsent { position },
        _ => Command::Decide { position, decision: Decision::Check },
    }
}

/// What went wrong, reported when everything else is known; a record does not say when it was. What the round refuses
/// by then (a viewed hand, a Player with nothing left) is left out.
fn irregularities(walk: &mut Walk, record: &Value) {
    for irregularity in list(&record["irregularities"]) {
        let commands = match irregularity["kind"].as_str().expect("a kind") {
            "foreign-card" => vec![Command::DeclareBadCards { fault: CardFault::Foreign }],
            "wrong-count-of-deck" => vec![Command::CountCards { counted: 51 }],
            "dealer-or-community-count" => vec![Command::ReportTableCount { reconstructed: false }],
            "cards-exposed" => vec![Command::ReportExposedCards { cards: small(&irregularity["count"]) }],
            "player-count" => {
                let position = Position(small(&irregularity["position"]));
                let count = Command::ReportHandCount { position, reconstructed: false };
                let leave = players_at(walk, &irregularity["withdraw"]).into_iter();
                let leave = leave.map(|player| Command::Withdraw { player });
                [count, Command::PermitWithdrawals {}].into_iter().chain(leave).collect()
            }
            "prohibited" => {
                let players = players_at(walk, &irregularity["positions"]).into_iter();
                players.map(|player| Command::ProhibitPlayer { player, reason: None }).collect()
            }
            "several-hands" => {
                let positions = list(&irregularity["invalid"]).iter().map(|at| Position(small(at))).collect();
                vec![Command::InvalidateHands { positions }]
            }
            kind => panic!("the cases have no {kind}"),
        };
        for command in commands {
            walk.try_give(&MANAGER, &command);
        }
    }
}

fn players_at(walk: &Walk, positions: &Value) -> Vec<PlayerId> {
    let seats = list(positions).iter().filter_map(|at| walk.round.seat(Position(small(at))));
    seats.filter_map(|seat| seat.holder().cloned()).collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn position(seat: &Value) -> Position {
    Position(small(&seat["position"]))
}

fn player(name: &Value) -> PlayerId {
    PlayerId::new(name.as_str().expect("a name"))
}

fn card(text: &Value) -> Card {
    text.as_str().and_then(|text| text.parse().ok()).expect("a card")
}

fn money(cents: &Value) -> Money {
    Money::from_cents(cents.as_u64().expect("cents"))
}

fn small(number: &Value) -> u8 {
    number.as_u64().and_then(|number| u8::try_from(number).ok()).expect("a small number")
}
