//! Commands made up: without looking at the round, around what it allows, or all there are of a kind.

use cards::{Card, CardSet};
use money::{Money, Odds};
use round::{
    Asker, CardFault, Command, Decision, Effect, FoundPile, Legal, Place, PlayerId, Round, RuledOutcome,
    Ruling, WAGER_CENTS_MAX,
};
use rulebook::{Means, Office, PlayingArea, Position};

use super::chance::Chance;
use super::table::PLAYERS;

const FAULTS: [CardFault; 4] =
    [CardFault::Extra, CardFault::Missing, CardFault::Foreign, CardFault::Unshuffled];
const DECISIONS: [Decision; 3] = [Decision::Fold, Decision::Wager, Decision::Check];
const MEANS: [Means; 2] = [Means::Credits, Means::Chips];

/// Somebody of the staff, or one of the Players.
pub(crate) fn somebody(chance: &mut Chance) -> Asker {
    if chance.percent(25) {
        return Asker::Player(chance.pick(&PLAYERS));
    }
    Asker::Staff(if chance.percent(50) { Office::GamingShiftManager } else { chance.pick(&Office::ALL) })
}

/// Positions of the layout and beyond it at both ends.
pub(crate) fn positions(round: &Round) -> Vec<Position> {
    let count = u8::try_from(round.seats().count()).expect("layouts are small");
    (0..=count + 1).chain([u8::MAX]).map(Position).collect()
}

/// Amounts about the limits of Ante and Bonus, what Jackpot wagers may be, and what nothing may.
pub(crate) const AMOUNTS: [u64; 30] = [
    0,
    1,
    2,
    499,
    500,
    501,
    1_000,
    1_500,
    1_501,
    2_000,
    2_500,
    3_000,
    4_999,
    5_000,
    5_001,
    10_000,
    19_999,
    20_000,
    20_001,
    25_000,
    49_999,
    50_000,
    50_001,
    100_000,
    WAGER_CENTS_MAX / 3,
    WAGER_CENTS_MAX / 3 * 3,
    WAGER_CENTS_MAX - 1,
    WAGER_CENTS_MAX,
    WAGER_CENTS_MAX + 1,
    u64::MAX,
];

fn position(round: &Round, chance: &mut Chance) -> Position {
    chance.pick(&positions(round))
}

fn player(chance: &mut Chance) -> PlayerId {
    chance.pick(&PLAYERS)
}

fn card(chance: &mut Chance) -> Card {
    let place = u8::try_from(chance.below(52)).expect("52 is small");
    Card::from_index(place).expect("there are 52")
}

fn place(round: &Round, chance: &mut Chance) -> Place {
    let at = u8::try_from(chance.below(7)).expect("seven is small");
    match chance.below(4) {
        0 => Place::Community(at),
        1 => Place::Dealer(at),
        _ => Place::Player(position(round, chance), at),
    }
}

pub(crate) fn place_wager(round: &Round, chance: &mut Chance) -> Command {
    let (position, owner) = (position(round, chance), player(chance));
    let area = match chance.below(8) {
        0 => chance.pick(&PlayingArea::ALL),
        1 | 2 => PlayingArea::Bonus,
        3 | 4 => PlayingArea::Jackpot,
        _ => PlayingArea::Ante,
    };
    let amount = Money::from_cents(chance.pick(&AMOUNTS));
    Command::PlaceWager { position, area, owner, amount, means: chance.pick(&MEANS) }
}

/// Another amount for a wager, mostly for one that lies there.
pub(crate) fn correct_wager(round: &Round, chance: &mut Chance) -> Command {
    let areas = [PlayingArea::Ante, PlayingArea::Bonus, PlayingArea::Jackpot];
    let area = if chance.percent(90) { chance.pick(&areas) } else { chance.pick(&PlayingArea::ALL) };
    let (position, owner) = (position(round, chance), player(chance));
    let shares = round.seat(position).map(|seat| seat.shares(area, None).into_owned()).unwrap_or_default();
    let owner = shares.first().map_or(owner, |share| share.owner.clone());
    Command::CorrectWager { position, area, owner, amount: Money::from_cents(chance.pick(&AMOUNTS)) }
}

/// How many cards lie where: rarely what is right, often what moving hands would correct.
pub(crate) fn misdeal(round: &Round, chance: &mut Chance) -> Command {
    let right = u8::try_from(round.book().hand_cards()).expect("hands are small");
    let dealt_in = round.seats().filter(|(_, seat)| seat.is_dealt_in());
    let mut piles: Vec<(Position, u8)> = dealt_in.map(|(at, _)| (at, right)).collect();
    let empty = round.seats().filter(|(_, seat)| !seat.is_dealt_in());
    let empty: Vec<Position> = empty.map(|(at, _)| at).collect();
    if !piles.is_empty() && !empty.is_empty() && chance.percent(60) {
        let moved = chance.below(piles.len());
        piles[moved].0 = chance.pick(&empty);
    }
    for _ in 0..chance.below(3).saturating_sub(1) {
        let count = chance.pick(&[0, 1, right, right + 1]);
        piles.push((position(round, chance), count));
    }
    let found = |(position, cards)| FoundPile { position, cards };
    Command::ReportMisdeal { piles: piles.into_iter().map(found).collect(), also: Vec::new() }
}

pub(crate) fn decree(round: &Round, chance: &mut Chance) -> Command {
    let words = chance.pick(&["", "  ", "as the camera shows", "play goes on"]).to_owned();
    let effects = (0..chance.below(3)).map(|_| effect(round, chance)).collect();
    Command::MakeRuling { ruling: Ruling { words, effects } }
}

fn effect(round: &Round, chance: &mut Chance) -> Effect {
    match chance.below(6) {
        0 => Effect::Void,
        1 | 2 => Effect::HandOut { position: position(round, chance) },
        _ => {
            let outcomes = [
                RuledOutcome::Paid(Odds::To(1)),
                RuledOutcome::Paid(Odds::For(3)),
                RuledOutcome::Paid(Odds::To(10_000)),
                RuledOutcome::Paid(Odds::For(10_001)),
                RuledOutcome::Collected,
                RuledOutcome::StandOff,
                RuledOutcome::Returned,
            ];
            Effect::Wager {
                position: position(round, chance),
                area: chance.pick(&PlayingArea::ALL),
                outcome: chance.pick(&outcomes),
            }
        }
    }
}

fn invalidate(round: &Round, chance: &mut Chance) -> Command {
    let count = chance.below(4);
    Command::InvalidateHands { positions: (0..count).map(|_| position(round, chance)).collect() }
}

/// Any command, its parameters anything.
pub(crate) fn arbitrary(round: &Round, chance: &mut Chance) -> Command {
    let at = position(round, chance);
    let reconstructed = chance.percent(50);
    let small = u8::try_from(chance.below(4)).expect("small");
    match chance.below(44) {
        0 => Command::InformPlayer { player: player(chance) },
        1 => Command::TakePosition { position: at, player: player(chance) },
        2 => Command::LeavePosition { position: at },
        3 => Command::OpenBets {},
        4 | 5 => place_wager(round, chance),
        6 => Command::TakeBackWager {
            position: at,
            area: chance.pick(&PlayingArea::ALL),
            owner: player(chance),
        },
        7 => Command::CloseBets {},
        8 => Command::DealCard { card: chance.percent(80).then(|| card(chance)) },
        9 => Command::ReadCard { place: place(round, chance), card: card(chance) },
        10 => Command::Expose {},
        11 => Command::ViewHand { position: at },
        12 => Command::Decide { position: at, decision: chance.pick(&DECISIONS) },
        13 => Command::ShowHand { position: at },
        14 => Command::DeclineComparison { position: at },
        15 => Command::ViewDeclinedHand { position: at },
        16 => Command::Settle {},
        17 => Command::BeginNextRound {},
        18 => Command::DeclareBadCards { fault: chance.pick(&FAULTS) },
        19 => Command::CountCards { counted: 50 + small },
        20 => misdeal(round, chance),
        21 => Command::Reconstruct {},
        22 => Command::GiveUpReconstruction {},
        23 => Command::ReportTableCount { reconstructed },
        24 => Command::ReportExposedCards { cards: small },
        25 => Command::ReportHandCount { position: at, reconstructed },
        26 => Command::PermitWithdrawals {},
        27 => Command::Withdraw { player: player(chance) },
        28 => Command::RestrictPlayer { player: player(chance) },
        29 => Command::LiftRestriction { player: player(chance) },
        30 => Command::ProhibitPlayer { player: player(chance), reason: None },
        31 => Command::ReadmitPlayer { player: player(chance) },
        32 => invalidate(round, chance),
        33 => Command::StopAction { player: player(chance), reason: None },
        34 => Command::ReportAbsent { position: at },
        35 => Command::ReportPowerFailure {},
        36 => Command::ResumePlay {},
        37 => Command::StayIn { player: player(chance) },
        38 => Command::ReportNoAnswer { player: player(chance) },
        39 => Command::ReportHandled { position: at },
        40 => Command::CorrectDecision { position: at, decision: chance.pick(&DECISIONS) },
        41 => correct_wager(round, chance),
        _ => decree(round, chance),
    }
}

/// A legal command with its free parameters filled in: an amount of its range, a misdeal, a ruling.
pub(crate) fn filled_in(round: &Round, legal: &Legal, chance: &mut Chance) -> Command {
    match (&legal.command, &legal.amounts) {
        (Command::PlaceWager { position, area, owner, means, .. }, Some(amounts)) => {
            let within = AMOUNTS.iter().map(|cents| Money::from_cents(*cents));
            let mut within: Vec<Money> = within.filter(|amount| amounts.contains(amount)).collect();
            within.extend([*amounts.start(), *amounts.end()]);
            let amount = chance.pick(&within);
            Command::PlaceWager {
                position: *position,
                area: *area,
                owner: owner.clone(),
                amount,
                means: *means,
            }
        }
        (Command::CorrectWager { position, area, owner, .. }, Some(amounts)) => Command::CorrectWager {
            position: *position,
            area: *area,
            owner: owner.clone(),
            amount: if chance.percent(50) { *amounts.start() } else { *amounts.end() },
        },
        (Command::ReportMisdeal { .. }, _) => misdeal(round, chance),
        (Command::MakeRuling { .. }, _) if chance.percent(70) => decree(round, chance),
        (command, _) => command.clone(),
    }
}

/// Every command without free parameters, over all positions, Players, areas and places, and a few cards.
pub(crate) fn universe(round: &Round, chance: &mut Chance) -> Vec<Command> {
    let mut commands = vec![
        Command::OpenBets {},
        Command::CloseBets {},
        Command::DealCard { card: None },
        Command::Expose {},
        Command::Settle {},
        Command::BeginNextRound {},
        Command::Reconstruct {},
        Command::GiveUpReconstruction {},
        Command::PermitWithdrawals {},
        Command::ReportPowerFailure {},
        Command::ResumePlay {},
        Command::ReportTableCount { reconstructed: true },
        Command::ReportTableCount { reconstructed: false },
    ];
    commands.extend(FAULTS.map(|fault| Command::DeclareBadCards { fault }));
    commands.extend(CardSet::FULL.iter().map(|card| Command::DealCard { card: Some(card) }));
    for player in PLAYERS.iter() {
        commands.extend(of_player(player));
    }
    for at in positions(round) {
        commands.extend(of_position(at));
        let of_place = |place: u8| [Place::Player(at, place), Place::Community(place), Place::Dealer(place)];
        for place in (0..6).flat_map(of_place) {
            commands.extend((0..2).map(|_| Command::ReadCard { place, card: card(chance) }));
        }
        for player in PLAYERS.iter() {
            commands.push(Command::TakePosition { position: at, player: player.clone() });
            for area in PlayingArea::ALL {
                commands.push(Command::TakeBackWager { position: at, area, owner: player.clone() });
            }
        }
    }
    commands
}

fn of_player(player: &PlayerId) -> [Command; 9] {
    let player = || player.clone();
    [
        Command::InformPlayer { player: player() },
        Command::Withdraw { player: player() },
        Command::StayIn { player: player() },
        Command::ReportNoAnswer { player: player() },
        Command::RestrictPlayer { player: player() },
        Command::LiftRestriction { player: player() },
        Command::ProhibitPlayer { player: player(), reason: None },
        Command::ReadmitPlayer { player: player() },
        Command::StopAction { player: player(), reason: None },
    ]
}

fn of_position(position: Position) -> Vec<Command> {
    let mut commands = vec![
        Command::LeavePosition { position },
        Command::ViewHand { position },
        Command::ShowHand { position },
        Command::DeclineComparison { position },
        Command::ViewDeclinedHand { position },
        Command::ReportHandCount { position, reconstructed: true },
        Command::ReportHandCount { position, reconstructed: false },
        Command::ReportAbsent { position },
        Command::ReportHandled { position },
    ];
    commands.extend(DECISIONS.map(|decision| Command::Decide { position, decision }));
    commands.extend(DECISIONS.map(|decision| Command::CorrectDecision { position, decision }));
    commands
}
