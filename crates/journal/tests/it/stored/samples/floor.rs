//! What happens to the house and to its tables.

use jackpot::Terms;
use journal::{AccountHolder, HouseEvent, HouseLimits, Moment, Proposal, TableEvent, TableSetup};
use round::Ruling;
use rulebook::Limits;

use super::command::{commands, effects};
use super::link::{number, signature};
use crate::stored::leaves::Leaves;
use crate::stored::listed::{
    CAUSES, CREDENTIAL_CHANGES, CURRENCIES, DEALINGS, MEANS, OFFICES, PLAYER_KINDS, REJECT_CAUSES,
    SECOND_FACTOR_CHANGES, STAFFINGS,
};

/// Everything that nobody may do alone.
pub(in crate::stored) fn proposals(leaves: &mut Leaves) -> Vec<Proposal> {
    let mut proposals = vec![
        Proposal::RuleOnAward {
            link: leaves.link(),
            award: number(leaves),
            amount: leaves.money(),
            words: leaves.text("the other winner's half"),
        },
        Proposal::Reconfigure { link: leaves.link(), settings: leaves.settings() },
        Proposal::Dismiss { person: leaves.person("ng") },
        Proposal::InviteStaff { person: leaves.person("ng") },
        Proposal::RemoveSecondFactor { person: leaves.person("ng") },
        Proposal::OpenLink {
            link: leaves.link(),
            books: leaves.several(|leaves| leaves.text("megalink-holdem-v9")),
            settings: *leaves.settings().parameters(),
            opening: leaves.pool(100_000_000_000),
        },
        Proposal::ChangeTableLimits { table: leaves.table(), limits: limits(leaves) },
        Proposal::ChangeHouseLimits { limits: house_limits(leaves) },
    ];
    for office in OFFICES {
        proposals.push(Proposal::Appoint { person: leaves.person("ng"), office: *office });
    }
    for means in MEANS {
        for identity in [None, Some(leaves.text("passport 5"))] {
            let (player, amount, means) = (leaves.player(), leaves.money(), *means);
            let given = identity.clone();
            proposals.push(Proposal::BuyIn { player: player.clone(), amount, means, identity: given });
            proposals.push(Proposal::CashOut { player, amount, means, identity });
        }
    }
    let ruling = Ruling { words: leaves.text("the hand was fouled"), effects: effects(leaves) };
    proposals.push(Proposal::Rule { table: leaves.table(), round: 41, ruling });
    for cause in REJECT_CAUSES {
        let (link, award) = (leaves.link(), number(leaves));
        proposals.push(Proposal::RejectAward { link, award, cause: *cause });
    }
    for cause in CAUSES {
        let (link, amount) = (leaves.link(), leaves.pool(30_000));
        let words = leaves.text("the display had stood still");
        proposals.push(Proposal::AdjustMeter { link, cause: *cause, amount, words });
    }
    for command in commands(leaves) {
        proposals.push(Proposal::UndoRound { table: leaves.table(), round: 41, command });
    }
    let (link, award) = (leaves.link(), number(leaves));
    proposals.push(Proposal::ReleaseAward { link, award, words: leaves.text("award 1 is disputed") });
    proposals
}

/// Everything that happens to the house.
pub(in crate::stored) fn house_events(leaves: &mut Leaves) -> Vec<HouseEvent> {
    let mut events = vec![
        HouseEvent::Dismissed { person: leaves.person("ng") },
        HouseEvent::DebtRepaid { player: leaves.player(), amount: leaves.money() },
        HouseEvent::PlayerProhibited { player: leaves.player(), at: leaves.table() },
        HouseEvent::PlayerReadmitted { player: leaves.player(), at: leaves.table() },
        HouseEvent::WarningSet { player: leaves.player(), at: leaves.table(), stands: leaves.flag(true) },
        HouseEvent::Confirmed { number: leaves.number(5, u64::MAX), by: signature(leaves) },
        HouseEvent::Withdrawn { number: leaves.number(5, u64::MAX), by: signature(leaves) },
        HouseEvent::RollbackAccepted {
            to: leaves.number(5, u64::MAX),
            seen: leaves.number(9, u64::MAX),
            lost: leaves.several(Leaves::hash),
            reason: leaves.text("the disk failed"),
        },
    ];
    for money in CURRENCIES {
        events.push(HouseEvent::Opened { name: leaves.text("Marina"), key: leaves.bytes(), money: *money });
    }
    for who in [AccountHolder::Staff(leaves.person("ng")), AccountHolder::Player(leaves.player())] {
        events.push(HouseEvent::Invited { who: who.clone(), row: None });
        events.push(HouseEvent::Invited { who: who.clone(), row: Some(leaves.hash()) });
        events.push(HouseEvent::SessionEnded { who: who.clone(), session: leaves.hash() });
        for how in CREDENTIAL_CHANGES {
            for row in [None, Some(leaves.hash())] {
                events.push(HouseEvent::CredentialSet { who: who.clone(), how: *how, row });
            }
        }
    }
    for how in SECOND_FACTOR_CHANGES {
        let (person, row) = (leaves.person("ng"), leaves.perhaps(Leaves::hash));
        events.push(HouseEvent::SecondFactorSet { person, how: *how, row });
    }
    events.push(HouseEvent::LimitsChanged { limits: house_limits(leaves) });
    for office in OFFICES {
        events.push(HouseEvent::Appointed { person: leaves.person("ng"), office: *office });
    }
    for kind in PLAYER_KINDS {
        events.push(HouseEvent::PlayerRegistered { player: leaves.player(), kind: *kind });
    }
    for means in MEANS {
        let (player, amount, means) = (leaves.player(), leaves.money(), *means);
        let identity = Some(leaves.text("passport 5"));
        events.push(HouseEvent::BoughtIn { player: player.clone(), amount, means, identity: None });
        events.push(HouseEvent::CashedOut { player: player.clone(), amount, means, identity: None });
        events.push(HouseEvent::BoughtIn {
            player: player.clone(),
            amount,
            means,
            identity: identity.clone(),
        });
        events.push(HouseEvent::CashedOut { player, amount, means, identity });
    }
    for means in MEANS {
        let (player, amount) = (leaves.player(), leaves.money());
        events.push(HouseEvent::CreditsGranted { player, amount, means: *means });
    }
    for proposal in proposals(leaves) {
        let (number, by) = (leaves.number(5, u64::MAX), signature(leaves));
        events.push(HouseEvent::Proposed { number, proposal, by });
    }
    events
}

fn house_limits(leaves: &mut Leaves) -> HouseLimits {
    HouseLimits {
        cash: leaves.money(),
        cash_per_day: leaves.money(),
        cash_max: leaves.money(),
        ruling: leaves.money(),
        wager: leaves.money(),
        independence_days: 30,
    }
}

pub(super) fn limits(leaves: &mut Leaves) -> Limits {
    Limits {
        ante: leaves.cents(1_000)..=leaves.cents(50_000),
        bonus: leaves.perhaps(|leaves| leaves.cents(500)..=leaves.cents(10_000)),
    }
}

/// Everything that happens to a table, its rounds aside.
pub(in crate::stored) fn table_events(leaves: &mut Leaves) -> Vec<TableEvent> {
    let setup = |leaves: &mut Leaves, dealing, staffing| TableSetup {
        rulebook: leaves.text("megalink-holdem-v9"),
        rulebook_digest: leaves.hash(),
        positions: leaves.byte(7),
        layout: None,
        jackpot_means: None,
        limits: limits(leaves),
        method: leaves.perhaps(|leaves| leaves.text("shuffler")),
        dealing,
        staffing,
        link: leaves.perhaps(Leaves::link),
    };
    let mut events: Vec<TableEvent> = DEALINGS
        .iter()
        .zip(STAFFINGS)
        .map(|(dealing, staffing)| TableEvent::Opened { setup: setup(leaves, *dealing, *staffing) })
        .collect();
    let bare = TableSetup { method: None, link: None, ..setup(leaves, DEALINGS[0], STAFFINGS[0]) };
    events.extend([
        TableEvent::Opened { setup: bare },
        TableEvent::LimitsChanged { limits: limits(leaves) },
        TableEvent::LimitsChanged { limits: Limits { bonus: None, ..limits(leaves) } },
        TableEvent::LastRoundAnnounced,
        TableEvent::Closed,
        TableEvent::RoundBegan {
            number: leaves.number(41, u64::MAX),
            terms: leaves.perhaps(|leaves| Terms(leaves.u32(2))),
            jackpot_minimum: leaves.perhaps(Leaves::money),
            positions: leaves.several(|leaves| (leaves.position(), leaves.player())),
            deck: None,
        },
        TableEvent::RoundBegan {
            number: 42,
            terms: None,
            jackpot_minimum: None,
            positions: Vec::new(),
            deck: None,
        },
        TableEvent::ShuffleCommitted { commitment: leaves.hash() },
        TableEvent::SaltsCommitted { player: leaves.player(), anchor: leaves.hash() },
        TableEvent::SaltsAwaited {
            players: leaves.several(Leaves::player),
            since: Moment(leaves.number(1_700_000_000_000, u64::MAX)),
        },
        TableEvent::SaltOpened { player: leaves.player(), salt: leaves.hash() },
        TableEvent::SaltsWithheld { players: leaves.several(Leaves::player) },
        TableEvent::SeedDiscarded { seed: leaves.bytes() },
        TableEvent::ShuffleSalted { salt: leaves.hash() },
        TableEvent::ShuffleOpened { seed: leaves.bytes() },
        TableEvent::ShuffleLost,
        TableEvent::DeckBrought {
            deck: leaves.text("H1-7"),
            receipt: leaves.perhaps(|leaves| leaves.text("R 20881")),
        },
        TableEvent::RoundBegan {
            number: 43,
            terms: None,
            jackpot_minimum: None,
            positions: Vec::new(),
            deck: Some(leaves.text("H1-7")),
        },
        TableEvent::PlayersAsked { since: Moment(leaves.number(1_700_000_000_000, u64::MAX)) },
        TableEvent::Opened {
            setup: TableSetup {
                layout: Some('C'),
                jackpot_means: Some(MEANS[0]),
                ..setup(leaves, DEALINGS[0], STAFFINGS[0])
            },
        },
    ]);
    events
}
