//! The money each event moves. Derived from the event and what it happened to, so that an auditor gets the same.

use jackpot::{Account as Pot, PaidBy, TableId};
use journal::{Account, Amount, Code, Currency, HouseEvent, LinkEvent, LinkId, TableEvent, Transfer};
use money::{Money, Pool};
use round::{Line, PlayerId, Round, Settlement};
use rulebook::{Means, PlayingArea, Position};

use crate::desk::Desk;
use crate::table::Table;

/// Why an amount can be kept: limits, buy-ins and meters are bounded when they come in.
const BOUNDED: &str = "amounts are checked to fit the ledger when they come onto the floor";

/// Money in the ledger's unit.
pub(crate) fn fine(amount: Money) -> Amount {
    Amount::try_from(amount).expect(BOUNDED)
}

fn fine_pool(amount: Pool) -> Amount {
    Amount::try_from(amount).expect(BOUNDED)
}

/// One transfer, or none of nothing and none from a place to itself.
fn transfer(code: Code, from: Account, to: Account, amount: Amount) -> Option<Transfer> {
    (amount != Amount::ZERO && from != to).then_some(Transfer { code, from, to, amount })
}

/// Where a Player's money comes from and goes to.
fn purse(player: &PlayerId, means: Means) -> Account {
    match means {
        Means::Credits => Account::Wallet(player.clone()),
        Means::Chips => Account::Chips,
    }
}

/// What an event of the house moves.
pub(crate) fn of_house(event: &HouseEvent) -> Vec<Transfer> {
    let moved = if let HouseEvent::BoughtIn { player, amount, means, .. } = event {
        transfer(Code::BuyIn, Account::Cash, purse(player, *means), fine(*amount))
    } else if let HouseEvent::CreditsGranted { player, amount, means } = event {
        transfer(Code::Grant, Account::Granted, purse(player, *means), fine(*amount))
    } else if let HouseEvent::GuestForgotten { player, credits } = event {
        let wallet = purse(player, Means::Credits);
        transfer(Code::GrantEnded, wallet, Account::Granted, fine(*credits))
    } else if let HouseEvent::CashedOut { player, amount, means, .. } = event {
        transfer(Code::CashOut, purse(player, *means), Account::Cash, fine(*amount))
    } else if let HouseEvent::DebtRepaid { player, amount } = event {
        let owed = Account::Owed(player.clone());
        transfer(Code::Repaid, purse(player, Means::Credits), owed, fine(*amount))
    } else {
        None
    };
    moved.into_iter().collect()
}

/// Whether an event gives wagers back to their owners, so that what lay there before must be known.
pub(crate) fn takes_back(event: &TableEvent) -> bool {
    matches!(
        event,
        TableEvent::Round(
            round::Event::WagerTakenBack { .. }
                | round::Event::DecisionCorrected { before: round::Decision::Wager, .. }
        )
    )
}

/// What an event of a table moves, `after` being the table after it, and `before` the one before where a wager is taken
/// back. An event that changes what lies on the table and is missing here fails the check of the one figure.
pub(crate) fn of_table(before: Option<&Table>, after: &Table, event: &TableEvent) -> Vec<Transfer> {
    let TableEvent::Round(event) = event else {
        return Vec::new();
    };
    let table = || Account::Table(after.id().clone());
    if let round::Event::WagerPlaced { owner, amount, means, .. } = event {
        return transfer(Code::Wager, purse(owner, *means), table(), fine(*amount)).into_iter().collect();
    }
    if let round::Event::WagerTakenBack { position, area, owner, .. } = event {
        let before = before.expect("a wager is taken back at a table that was there").round();
        let (amount, means) = share(before, *position, *area, owner).expect("a wager taken back was there");
        return transfer(Code::TakenBack, table(), purse(owner, means), fine(amount)).into_iter().collect();
    }
    if let round::Event::Decided { position, area, decision: round::Decision::Wager, .. }
    | round::Event::DecisionCorrected { position, area, decision: round::Decision::Wager, .. } = event
    {
        return followed(after, *position, *area, |purse, amount| {
            transfer(Code::Wager, purse, table(), amount)
        });
    }
    if let round::Event::DecisionCorrected { position, area, before: round::Decision::Wager, .. } = event {
        let before = before.expect("a decision is corrected at a table that was there");
        return followed(before, *position, *area, |purse, amount| {
            transfer(Code::TakenBack, table(), purse, amount)
        });
    }
    if let round::Event::WagerCorrected { position, area, owner, before, amount, .. } = event {
        let (_, means) = share(after.round(), *position, *area, owner).expect("a corrected wager is there");
        let moved = if let Some(more) = amount.minus(*before) {
            transfer(Code::Wager, purse(owner, means), table(), fine(more))
        } else {
            let less = before.minus(*amount).unwrap_or_default();
            transfer(Code::TakenBack, table(), purse(owner, means), fine(less))
        };
        return moved.into_iter().collect();
    }
    if let round::Event::Settled { settlement } = event {
        return match after.earlier() {
            None => settled(after.id(), after.round(), settlement),
            Some(earlier) => corrected(after.round(), earlier, settlement),
        };
    }
    Vec::new()
}

/// What each participant's wager on an area that follows the Ante moves.
fn followed(
    table: &Table,
    position: Position,
    area: PlayingArea,
    moves: impl Fn(Account, Amount) -> Option<Transfer>,
) -> Vec<Transfer> {
    let times = table.book().multiple_of_ante(area);
    let seat = table.round().seat(position).expect("decisions are taken at positions of the layout");
    let shares = seat.shares(area, times);
    shares.iter().filter_map(|share| moves(purse(&share.owner, share.means), fine(share.amount))).collect()
}

/// One Player's wager on an area: how much, and by which means. What follows the Ante is paid as the Ante was.
fn share(round: &Round, position: Position, area: PlayingArea, owner: &PlayerId) -> Option<(Money, Means)> {
    let shares = round.seat(position)?.shares(area, round.book().multiple_of_ante(area));
    shares.iter().find(|share| share.owner == *owner).map(|share| (share.amount, share.means))
}

fn means_of(round: &Round, line: &Line) -> Means {
    let found = share(round, line.position, line.area, &line.owner);
    found.expect("every line of a settlement is about a wager of its round").1
}

/// Every wager to its end: back to its owner, or to the house; and what the house pays on it.
fn settled(table: &TableId, round: &Round, settlement: &Settlement) -> Vec<Transfer> {
    let mut moved = Vec::new();
    for line in &settlement.lines {
        let purse = || purse(&line.owner, means_of(round, line));
        let felt = || Account::Table(table.clone());
        moved.extend(transfer(Code::Returned, felt(), purse(), fine(line.returned)));
        moved.extend(transfer(Code::Collected, felt(), Account::House, fine(line.collected)));
        moved.extend(transfer(Code::Paid, Account::House, purse(), fine(line.paid)));
    }
    moved
}

/// A round settled anew: the difference, wager by wager. The wagers left the table with the first settlement, so it is
/// between the house and the owner alone. What the house gives comes first, so that nobody is short of it.
fn corrected(round: &Round, earlier: &Settlement, settlement: &Settlement) -> Vec<Transfer> {
    let brought = |line: &Line| fine(line.returned).plus(fine(line.paid)).expect(BOUNDED);
    let same = |one: &Line, other: &Line| {
        one.position == other.position && one.area == other.area && one.owner == other.owner
    };
    let (mut given, mut taken) = (Vec::new(), Vec::new());
    for line in &settlement.lines {
        let before = earlier.lines.iter().find(|other| same(line, other));
        let before = brought(before.expect("a round settled anew has the wagers it had"));
        let more = brought(line).minus(before).expect(BOUNDED);
        let purse = purse(&line.owner, means_of(round, line));
        let less = Amount::ZERO.minus(more).expect(BOUNDED);
        if Amount::ZERO < more {
            given.extend(transfer(Code::Corrected, Account::House, purse, more));
        } else {
            taken.extend(transfer(Code::Corrected, purse, Account::House, less));
        }
    }
    given.into_iter().chain(taken).collect()
}

/// What the wagers of a round bring their owners beyond an earlier settlement, those aside that bring less.
pub(crate) fn gained(earlier: &Settlement, settlement: &Settlement) -> Amount {
    let brought = |line: &Line| fine(line.returned).plus(fine(line.paid)).expect(BOUNDED);
    let mut gained = Amount::ZERO;
    for line in &settlement.lines {
        let before = earlier.lines.iter().find(|other| {
            line.position == other.position && line.area == other.area && line.owner == other.owner
        });
        let more = brought(line).minus(before.map(brought).unwrap_or_default()).expect(BOUNDED);
        gained = gained.plus(more.max(Amount::ZERO)).expect(BOUNDED);
    }
    gained
}

/// What an event of a link moves, in a house with this money.
pub(crate) fn of_link(
    link: &LinkId,
    desk: Option<&Desk>,
    event: &LinkEvent,
    money: Currency,
) -> Vec<Transfer> {
    match event {
        LinkEvent::Opened { opening, .. } => {
            let meter = Account::Meter(link.clone());
            transfer(Code::Opening, Account::House, meter, fine_pool(*opening)).into_iter().collect()
        }
        LinkEvent::Won { .. }
        | LinkEvent::SlipPrinted { .. }
        | LinkEvent::BookAdded { .. }
        | LinkEvent::SettingsPlanned { .. } => Vec::new(),
        LinkEvent::Jackpot(event) => {
            let winner = || {
                let jackpot::Event::AwardPaid { award, means, .. } = event else {
                    unreachable!("only a payment moves money to a winner: {event:?}")
                };
                let winner = desk.and_then(|desk| desk.winner(*award));
                let winner = winner.expect("every award has its winner noted when it is entered");
                // Where it is not said otherwise an attendant pays a wager of chips in cash, booked apart. Where there is no
                // cash, what was given to play with goes back.
                match (winner.means, money) {
                    (Means::Credits, _) => Account::Wallet(winner.player.clone()),
                    (Means::Chips, Currency::Real) if *means == Some(PaidBy::Chips) => Account::Chips,
                    (Means::Chips, Currency::Real) => Account::Cash,
                    (Means::Chips, Currency::Play | Currency::Practice) => Account::Granted,
                }
            };
            let moved = event.transfers().into_iter().filter_map(|moved| {
                let end = |pot: Pot| pot_account(link, pot, &winner);
                let (from, to) = (end(moved.movement.source()), end(moved.movement.target()));
                transfer(Code::Link(moved.movement), from, to, fine_pool(moved.amount))
            });
            moved.collect()
        }
    }
}

/// A link's place for money, in the ledger. The Players' Jackpot wagers were collected by the house when the round was
/// settled, so what they bring the meter comes from there.
fn pot_account(link: &LinkId, pot: Pot, winner: &impl Fn() -> Account) -> Account {
    match pot {
        Pot::Wagers | Pot::House => Account::House,
        Pot::Meter => Account::Meter(link.clone()),
        Pot::Reserve => Account::Reserve(link.clone()),
        Pot::Overflow => Account::Overflow(link.clone()),
        Pot::Awards => Account::Awards(link.clone()),
        Pot::Winners => winner(),
    }
}
