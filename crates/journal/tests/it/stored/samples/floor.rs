//! What happens to the house and to its tables.

use std::collections::BTreeMap;

use jackpot::{Cause, Department, FaultNumber, Signature, Terms};
use journal::acknowledged::LostStream;
use journal::{
    AccountHolder, Change, DayChecks, DayRule, Dealing, DeviceId, DeviceScope, EdgeChange, Hash, HouseEvent,
    HouseLimits, Identity, JackpotCheck, JackpotFigures, LabCheck, Moment, PlayLimits, Proposal, RulesChange,
    ServiceChange, Staffing, TableEvent, TableSetup,
};
use money::Money;
use round::Ruling;
use rulebook::{Limits, Office};

use super::command::{commands, effects, setups};
use super::link::{destinations, evidence, number, pair, shown, signature};
use crate::stored::leaves::Leaves;
use crate::stored::listed::{
    CAUSES, CREDENTIAL_CHANGES, CURRENCIES, DEALINGS, DEPARTMENTS, MEANS, OFFICES, PLAYER_KINDS,
    READER_FAULTS, REJECT_CAUSES, SECOND_FACTOR_CHANGES, SIGN_IN_FAULTS, SIGN_IN_MEANS, STAFFINGS,
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
        Proposal::Reconfigure {
            link: leaves.link(),
            settings: leaves.settings(),
            from: None,
            check: Vec::new(),
        },
        Proposal::Dismiss { person: leaves.person("ng") },
        Proposal::InviteStaff { person: leaves.person("ng") },
        Proposal::RemoveSecondFactor { person: leaves.person("ng") },
        Proposal::OpenLink {
            link: leaves.link(),
            books: leaves.several(|leaves| leaves.text("megalink-holdem-v9")),
            settings: *leaves.settings().parameters(),
            opening: leaves.pool(100_000_000_000),
        },
        Proposal::ChangeTableLimits { table: leaves.table(), limits: limits(leaves), from: None },
        Proposal::ChangeHouseLimits { limits: house_limits(leaves) },
        Proposal::ChangeSigningKey { key: leaves.hash() },
        Proposal::ChangeRules { change: rules_change(leaves) },
        Proposal::ChangeRules {
            change: RulesChange {
                text: None,
                check: LabCheck {
                    edges: Vec::new(),
                    par: None,
                    uncounted: Some(leaves.text("no such game")),
                },
                ..rules_change(leaves)
            },
        },
        Proposal::SignDay {
            day: leaves.number(20_773, u64::MAX),
            log: leaves.hash(),
            checks: DayChecks::default(),
            words: String::new(),
        },
        Proposal::SignDay {
            day: leaves.number(20_773, u64::MAX),
            log: leaves.hash(),
            checks: day_checks(leaves),
            words: leaves.text("an award waits for its winner"),
        },
    ];
    for office in OFFICES {
        let (person, department) = (leaves.person("ng"), Department::TableGames);
        proposals.push(Proposal::Appoint { person, office: *office, department });
    }
    for department in &DEPARTMENTS[1..] {
        let (person, office) = (leaves.person("ng"), Office::Dealer);
        proposals.push(Proposal::Appoint { person, office, department: *department });
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
    proposals.extend(adjustments(leaves));
    proposals.push(Proposal::SettleRound { table: leaves.table(), round: 41 });
    for command in commands(leaves) {
        proposals.push(Proposal::UndoRound { table: leaves.table(), round: 41, command });
    }
    for setup in setups(leaves) {
        proposals.push(Proposal::OpenTable { table: leaves.table(), setup });
    }
    let (link, award) = (leaves.link(), number(leaves));
    proposals.push(Proposal::ReleaseAward { link, award, words: leaves.text("award 1 is disputed") });
    let fault = FaultNumber(leaves.number(3, u64::MAX));
    let (link, words) = (leaves.link(), leaves.text("the sensor was replaced"));
    proposals.push(Proposal::ClearFault { link, fault, words });
    for to in destinations(leaves) {
        let (link, words) = (leaves.link(), leaves.text("the game ends"));
        proposals.push(Proposal::AnnounceClosing { link, to, words });
    }
    proposals.push(Proposal::CloseLink { link: leaves.link() });
    let (person, office) = (leaves.person("ng"), leaves.pick(OFFICES));
    let (from, until) = (moment(leaves), moment(leaves));
    proposals.push(Proposal::AppointActing { person, office, from, until });
    proposals.extend(of_an_hour(leaves));
    proposals
}

/// Every cause and evidence of another amount on a meter.
fn adjustments(leaves: &mut Leaves) -> Vec<Proposal> {
    let mut adjustments = Vec::new();
    for cause in CAUSES {
        let (link, amount) = (leaves.link(), leaves.pool(30_000));
        let words = leaves.text("the display had stood still");
        adjustments.push(Proposal::AdjustMeter { link, cause: *cause, amount, words, about: None });
    }
    for about in evidence(leaves) {
        let (link, amount, cause) = (leaves.link(), leaves.pool(30_000), Cause::MalfunctionTooHigh);
        let words = leaves.text("the display had stood still");
        adjustments.push(Proposal::AdjustMeter { link, cause, amount, words, about: Some(about) });
    }
    adjustments
}

/// What is signed for an hour.
fn of_an_hour(leaves: &mut Leaves) -> [Proposal; 2] {
    let settings = Proposal::Reconfigure {
        link: leaves.link(),
        settings: leaves.settings(),
        from: Some(moment(leaves)),
        check: jackpot_checks(leaves),
    };
    let (table, limits) = (leaves.table(), limits(leaves));
    [settings, Proposal::ChangeTableLimits { table, limits, from: Some(moment(leaves)) }]
}

pub(super) fn device(leaves: &mut Leaves) -> DeviceId {
    DeviceId::new(&leaves.text("Shoe 7"))
}

pub(super) fn device_scopes(leaves: &mut Leaves) -> [DeviceScope; 4] {
    [
        DeviceScope::Shoe { table: leaves.table() },
        DeviceScope::Sign { link: leaves.link() },
        DeviceScope::Accounting {},
        DeviceScope::Follower {},
    ]
}

pub(super) fn moment(leaves: &mut Leaves) -> Moment {
    Moment(leaves.number(1_700_000_000_000, u64::MAX))
}

/// Everything that happens to the house.
pub(in crate::stored) fn house_events(leaves: &mut Leaves) -> Vec<HouseEvent> {
    let mut events = vec![
        HouseEvent::Dismissed { person: leaves.person("ng") },
        HouseEvent::DebtRepaid { player: leaves.player(), amount: leaves.money() },
        HouseEvent::PlayerProhibited { player: leaves.player(), at: leaves.table(), reason: None },
        HouseEvent::PlayerProhibited {
            player: leaves.player(),
            at: leaves.table(),
            reason: Some(leaves.text("showed the hand")),
        },
        HouseEvent::PlayLimitsSet {
            player: leaves.player(),
            limits: PlayLimits { loss: Some(leaves.money()), minutes: Some(120) },
        },
        HouseEvent::PlayLimitsSet { player: leaves.player(), limits: PlayLimits::default() },
        HouseEvent::PlayerReadmitted { player: leaves.player(), at: leaves.table() },
        HouseEvent::WarningSet { player: leaves.player(), at: leaves.table(), stands: leaves.flag(true) },
        HouseEvent::Confirmed { number: leaves.number(5, u64::MAX), by: signature(leaves) },
        HouseEvent::Withdrawn { number: leaves.number(5, u64::MAX), by: signature(leaves) },
        HouseEvent::RollbackAccepted {
            to: leaves.number(5, u64::MAX),
            seen: leaves.number(9, u64::MAX),
            lost: leaves.several(Leaves::hash),
            reason: leaves.text("the disk failed"),
            streams: Vec::new(),
            to_be_signed: false,
        },
        HouseEvent::RollbackAccepted {
            to: leaves.number(5, u64::MAX),
            seen: leaves.number(9, u64::MAX),
            lost: Vec::new(),
            reason: leaves.text("the disk failed"),
            streams: leaves.several(lost_stream),
            to_be_signed: true,
        },
        HouseEvent::RollbackSigned { by: signature(leaves) },
        HouseEvent::DaySigned {
            day: leaves.number(20_773, u64::MAX),
            log: leaves.hash(),
            checks: day_checks(leaves),
            words: leaves.text("an award waits for its winner"),
        },
        HouseEvent::FindingNoted {
            day: leaves.number(20_773, u64::MAX),
            about: leaves.text("table 7"),
            words: leaves.text("one Player won three times"),
            by: signature(leaves),
        },
        HouseEvent::RulesChanged { change: rules_change(leaves) },
    ];
    for money in CURRENCIES {
        let (name, key, gaming_day) = (leaves.text("Marina"), leaves.bytes(), DayRule::default());
        events.push(HouseEvent::Opened { name, key, money: *money, gaming_day });
    }
    for who in [AccountHolder::Staff(leaves.person("ng")), AccountHolder::Player(leaves.player())] {
        events.push(HouseEvent::Invited { who: who.clone(), row: None, half_by: None });
        events.push(HouseEvent::Invited { who: who.clone(), row: Some(leaves.hash()), half_by: None });
        let half_by = Some(leaves.person("lim"));
        events.push(HouseEvent::Invited { who: who.clone(), row: Some(leaves.hash()), half_by });
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
    events.extend(service_events(leaves));
    events.push(HouseEvent::LimitsChanged { limits: house_limits(leaves) });
    events.push(HouseEvent::SigningKeyChanged { key: leaves.hash() });
    for office in OFFICES {
        let (person, department) = (leaves.person("ng"), Department::TableGames);
        events.push(HouseEvent::Appointed { person, office: *office, department });
    }
    for department in &DEPARTMENTS[1..] {
        let (person, office) = (leaves.person("ng"), Office::Dealer);
        events.push(HouseEvent::Appointed { person, office, department: *department });
    }
    for kind in PLAYER_KINDS {
        events.push(HouseEvent::PlayerRegistered { player: leaves.player(), kind: *kind });
    }
    events.extend(cash_events(leaves));
    for proposal in proposals(leaves) {
        let (number, by) = (leaves.number(5, u64::MAX), signature(leaves));
        events.push(HouseEvent::Proposed { number, proposal, by, expires: None, changes: Vec::new() });
    }
    events.extend(later_events(leaves));
    events
}

/// Cash that changes hands, and play credits.
fn cash_events(leaves: &mut Leaves) -> Vec<HouseEvent> {
    let mut events = Vec::new();
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
    events
}

/// What was added since.
fn later_events(leaves: &mut Leaves) -> Vec<HouseEvent> {
    let mut events = Vec::new();
    let (number, by) = (leaves.number(5, u64::MAX), signature(leaves));
    let proposal = Proposal::Dismiss { person: leaves.person("ng") };
    let expires = Some(Moment(leaves.number(1_700_000_000_000, u64::MAX)));
    let change = |leaves: &mut Leaves| Change {
        what: leaves.text("contribution"),
        from: leaves.text("25%"),
        to: leaves.text("10%"),
    };
    let changes = leaves.several(change);
    events.push(HouseEvent::Proposed { number, proposal, by, expires, changes });
    let (waiting_hours, proposal_days, fixed_prize) = (48, 3, Money::from_cents(500_000));
    let limits = HouseLimits { waiting_hours, proposal_days, fixed_prize, ..house_limits(leaves) };
    events.push(HouseEvent::LimitsChanged { limits });
    let (person, office) = (leaves.person("ng"), leaves.pick(OFFICES));
    let (from, until) = (moment(leaves), moment(leaves));
    events.push(HouseEvent::ActingAppointed { person, office, from, until });
    events.push(HouseEvent::ActingEnded { person: leaves.person("ng") });
    let by = Signature { acting: true, ..signature(leaves) };
    events.push(HouseEvent::Confirmed { number: leaves.number(5, u64::MAX), by });
    for scope in device_scopes(leaves) {
        let (device, key) = (device(leaves), leaves.hash());
        events.push(HouseEvent::DeviceKeyMade { device, scope, key, until: moment(leaves) });
    }
    events.push(HouseEvent::DeviceKeyRevoked { device: device(leaves) });
    let (name, key) = (leaves.text("Marina"), leaves.bytes());
    let (money, gaming_day) = (leaves.pick(CURRENCIES), day_rule(leaves));
    events.push(HouseEvent::Opened { name, key, money, gaming_day });
    events
}

/// Gaming days that begin at any minute.
pub(super) fn day_rule(leaves: &mut Leaves) -> DayRule {
    let text = |minutes: u64| format!("{:02}:{:02}", minutes / 60, minutes % 60);
    let begins = text(leaves.number(270, 24 * 60 - 1));
    let ahead = text(leaves.number(540, 14 * 60));
    let sign = if leaves.flag(false) && ahead != "00:00" { '-' } else { '+' };
    DayRule {
        begins: begins.parse().expect("a time of day"),
        utc_offset: format!("{sign}{ahead}").parse().expect("an offset"),
    }
}

/// What runs, who came and who was turned away.
fn service_events(leaves: &mut Leaves) -> Vec<HouseEvent> {
    let mut events = Vec::new();
    for how in SIGN_IN_MEANS {
        let (who, from) = (staff_holder(leaves), leaves.text("10.0.0.9"));
        events.push(HouseEvent::SessionBegan { who, session: leaves.hash(), how: *how, from });
    }
    for why in SIGN_IN_FAULTS {
        let (who, from) = (leaves.perhaps(staff_holder), leaves.perhaps(|leaves| leaves.text("10.0.0.9")));
        let times = leaves.number(1, u64::MAX);
        events.push(HouseEvent::SignInRefused { who, from, why: Some(*why), times });
    }
    events.push(HouseEvent::SignInRefused { who: None, from: None, why: None, times: 7 });
    events.push(HouseEvent::CommandDenied {
        who: Some(staff_holder(leaves)),
        what: Some(leaves.text("open-table")),
        reason: Some(leaves.text("OfficeIsTooLow")),
        times: leaves.number(1, u64::MAX),
    });
    events.push(HouseEvent::CommandDenied { who: None, what: None, reason: None, times: 7 });
    for changes in [
        Vec::new(),
        vec![
            ServiceChange::Program,
            ServiceChange::Rulebook(leaves.text("megalink-holdem-v9")),
            ServiceChange::Setting(leaves.text("server.listen")),
        ],
    ] {
        events.push(HouseEvent::ServiceStarted {
            node: leaves.text("one"),
            identity: identity(leaves),
            settings: digests(leaves, "server.listen"),
            configuration: leaves.hash(),
            changes,
            unfinished: leaves.flag(false),
        });
    }
    events.push(HouseEvent::ServiceStopped { node: leaves.text("one") });
    let (player, credits) = (leaves.player(), leaves.money());
    events.push(HouseEvent::GuestForgotten { player, credits });
    events
}

pub(in crate::stored) fn staff_holder(leaves: &mut Leaves) -> AccountHolder {
    AccountHolder::Staff(leaves.person("ng"))
}

pub(in crate::stored) fn identity(leaves: &mut Leaves) -> Identity {
    let (version, program) = (leaves.text("0.2.0"), leaves.hash());
    Identity { version, program, rulebooks: digests(leaves, "megalink-holdem-v9") }
}

/// Digests by name.
pub(in crate::stored) fn digests(leaves: &mut Leaves, name: &str) -> BTreeMap<String, Hash> {
    BTreeMap::from([(leaves.text(name), leaves.hash())])
}

fn house_limits(leaves: &mut Leaves) -> HouseLimits {
    HouseLimits {
        cash: leaves.money(),
        cash_per_day: leaves.money(),
        cash_max: leaves.money(),
        ruling: leaves.money(),
        wager: leaves.money(),
        independence_days: 30,
        waiting_hours: 24,
        proposal_days: 7,
        fixed_prize: Money::from_cents(1_000_000),
    }
}

pub(super) fn limits(leaves: &mut Leaves) -> Limits {
    Limits {
        ante: leaves.cents(1_000)..=leaves.cents(50_000),
        bonus: leaves.perhaps(|leaves| leaves.cents(500)..=leaves.cents(10_000)),
    }
}

/// A table with everything that can be left out.
fn setup(leaves: &mut Leaves, dealing: Dealing, staffing: Staffing) -> TableSetup {
    TableSetup {
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
        reason: None,
        changes: 0,
    }
}

/// Everything that happens to a table, its rounds aside.
pub(in crate::stored) fn table_events(leaves: &mut Leaves) -> Vec<TableEvent> {
    let mut events: Vec<TableEvent> = DEALINGS
        .iter()
        .zip(STAFFINGS)
        .map(|(dealing, staffing)| TableEvent::Opened { setup: setup(leaves, *dealing, *staffing) })
        .collect();
    let bare = TableSetup { method: None, link: None, ..setup(leaves, DEALINGS[0], STAFFINGS[0]) };
    events.extend([
        TableEvent::Opened { setup: bare },
        TableEvent::PrizeSigned {
            slip: leaves.number(3, u64::MAX),
            position: leaves.position(),
            player: leaves.player(),
            amount: leaves.money(),
            clause: leaves.clause(),
            by: pair(leaves),
        },
        TableEvent::LimitsChanged { limits: limits(leaves) },
        TableEvent::RulesTaken {
            rulebook: leaves.text("megalink-holdem-v10"),
            digest: leaves.hash(),
            changes: leaves.number(1, u64::MAX),
        },
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
        TableEvent::SupervisorCalled,
        TableEvent::CallAnswered,
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
        TableEvent::Opened {
            setup: TableSetup {
                reason: Some(leaves.text("training")),
                ..setup(leaves, DEALINGS[0], STAFFINGS[0])
            },
        },
        TableEvent::MeterShown { shown: shown(leaves) },
    ]);
    for fault in READER_FAULTS {
        events.push(TableEvent::ReaderStopped { fault: *fault, seen: leaves.text("17 came after 15") });
    }
    events.extend([true, false].map(|by_hand| TableEvent::ReaderCleared { by_hand }));
    events.push(TableEvent::LimitsPlanned { limits: limits(leaves), from: moment(leaves) });
    events.push(TableEvent::LimitsTaken { limits: limits(leaves), from: moment(leaves) });
    events
}

pub(super) fn lost_stream(leaves: &mut Leaves) -> LostStream {
    LostStream {
        stream: leaves.text("house"),
        acknowledged: leaves.number(120, u64::MAX),
        at: Moment(leaves.number(1_700_000_000_000, u64::MAX)),
        kept: leaves.number(100, u64::MAX),
    }
}

fn day_checks(leaves: &mut Leaves) -> DayChecks {
    DayChecks {
        open_awards: leaves.number(1, u64::MAX),
        disputed_rounds: leaves.number(2, u64::MAX),
        tables_in_play: leaves.number(3, u64::MAX),
        difference: -4,
    }
}

/// What the lab says of a link's settings: of a book that it counts, and of one that it does not.
fn jackpot_checks(leaves: &mut Leaves) -> Vec<JackpotCheck> {
    let before = JackpotFigures { hold: 264_100_000, break_even: Some(leaves.number(12_000_000, u64::MAX)) };
    let after = JackpotFigures { hold: -1, break_even: None };
    let rulebook = leaves.text("megalink-holdem-v9");
    let counted = JackpotCheck { rulebook, before: Some(before), after: Some(after), uncounted: None };
    let (rulebook, uncounted) = (leaves.text("megalink-stud-v9"), Some(leaves.text("no such game")));
    vec![counted, JackpotCheck { rulebook, before: None, after: None, uncounted }]
}

fn rules_change(leaves: &mut Leaves) -> RulesChange {
    let (wager, before, after) = (leaves.text("Ante"), Some(20_400_000), Some(-1));
    let counted = EdgeChange { wager, before, after };
    let uncounted = EdgeChange { wager: leaves.text("Bonus"), before: None, after: None };
    RulesChange {
        instead_of: leaves.text("megalink-holdem-v9"),
        rulebook: leaves.text("megalink-holdem-v10"),
        digest: leaves.hash(),
        text: Some(leaves.text("version = 10")),
        from: Moment(leaves.number(1_700_000_000_000, u64::MAX)),
        check: LabCheck { edges: vec![counted, uncounted], par: Some(leaves.hash()), uncounted: None },
        words: leaves.text("a lower pay table from March on"),
    }
}
