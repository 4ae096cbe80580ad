//! Everything that can be asked of a floor, its tables, its links and a round, and what rulings do.

use std::collections::BTreeSet;

use jackpot::{Checklist, Counts, Department, FaultKind, PaidBy, TableId};
use journal::{
    AccountHolder, Command as FloorCommand, DayRule, DeskCommand, HouseCommand, LinkId, OpenTable,
    OwnCommand, OwnWager, PlayLimits, Stream, TableCommand,
};
use round::{Command, Effect, FoundPile, RuledOutcome, Ruling, TablePile};
use rulebook::{Office, PlayingArea};

use super::floor::{
    day_rule, device, device_scopes, digests, identity, limits, lost_stream, moment, proposals, staff_holder,
};
use super::link::{full_checklist, number};
use super::round::{odds, places};
use crate::stored::leaves::Leaves;
use crate::stored::listed::{
    AREAS, CREDENTIAL_CHANGES, CURRENCIES, DEALINGS, DECISIONS, DEPARTMENTS, FAULTS, MEANS, OFFICES,
    PLAYER_KINDS, READER_FAULTS, SECOND_FACTOR_CHANGES, SIGN_IN_FAULTS, SIGN_IN_MEANS, STAFFINGS,
};

/// Everything that can be asked of a floor.
pub(in crate::stored) fn floor_commands(leaves: &mut Leaves) -> Vec<FloorCommand> {
    let mut all: Vec<FloorCommand> = house_commands(leaves).into_iter().map(FloorCommand::House).collect();
    for command in own_commands(leaves) {
        all.push(FloorCommand::Table { table: leaves.table(), command: TableCommand::Own(command) });
    }
    for command in desk_commands(leaves) {
        all.push(FloorCommand::Desk { link: leaves.link(), command });
    }
    for command in commands(leaves) {
        all.push(FloorCommand::Table { table: leaves.table(), command: TableCommand::Round(command) });
    }
    for stream in [Stream::House, Stream::Table(TableId::new("7")), Stream::Link(LinkId::new("mega"))] {
        all.push(FloorCommand::CarryForward { stream });
    }
    all
}

/// Everything that can be asked of the house.
pub(in crate::stored) fn house_commands(leaves: &mut Leaves) -> Vec<HouseCommand> {
    let mut commands = vec![
        HouseCommand::Invite { who: AccountHolder::Staff(leaves.person("ng")), row: None },
        HouseCommand::Invite { who: AccountHolder::Player(leaves.player()), row: Some(leaves.hash()) },
        HouseCommand::EndSession { who: AccountHolder::Player(leaves.player()), session: leaves.hash() },
        HouseCommand::SetPlayLimits {
            player: leaves.player(),
            limits: PlayLimits { loss: Some(leaves.money()), minutes: Some(120) },
        },
        HouseCommand::SetPlayLimits { player: leaves.player(), limits: PlayLimits::default() },
        HouseCommand::RepayDebt { player: leaves.player(), amount: leaves.money() },
        HouseCommand::OpenLink {
            link: leaves.link(),
            books: leaves.several(|leaves| leaves.text("megalink-holdem-v9")),
            settings: *leaves.settings().parameters(),
            opening: leaves.pool(100_000_000_000),
        },
        HouseCommand::Confirm { number: leaves.number(5, u64::MAX) },
        HouseCommand::WithdrawProposal { number: leaves.number(5, u64::MAX) },
        HouseCommand::AcceptRollback {
            to: leaves.number(5, u64::MAX),
            seen: leaves.number(9, u64::MAX),
            lost: leaves.several(Leaves::hash),
            reason: leaves.text("the disk failed"),
            streams: Vec::new(),
            to_be_signed: false,
        },
        HouseCommand::AcceptRollback {
            to: leaves.number(5, u64::MAX),
            seen: leaves.number(9, u64::MAX),
            lost: Vec::new(),
            reason: leaves.text("the disk failed"),
            streams: leaves.several(lost_stream),
            to_be_signed: true,
        },
        HouseCommand::SignRollback {},
        HouseCommand::NoteFinding {
            day: leaves.number(20_773, u64::MAX),
            about: leaves.text("table 7"),
            words: leaves.text("one Player won three times"),
        },
    ];
    commands.extend(service_commands(leaves));
    for scope in device_scopes(leaves) {
        let (device, key) = (device(leaves), leaves.hash());
        commands.push(HouseCommand::MakeDeviceKey { device, scope, key, until: moment(leaves) });
    }
    commands.push(HouseCommand::RevokeDeviceKey { device: device(leaves) });
    for money in CURRENCIES {
        commands.push(HouseCommand::OpenHouse {
            name: leaves.text("Marina"),
            key: leaves.bytes(),
            money: *money,
            gaming_day: DayRule::default(),
        });
    }
    for how in CREDENTIAL_CHANGES {
        let who = AccountHolder::Staff(leaves.person("ng"));
        commands.push(HouseCommand::SetCredential { who: who.clone(), how: *how, row: None });
        commands.push(HouseCommand::SetCredential { who, how: *how, row: Some(leaves.hash()) });
    }
    for how in SECOND_FACTOR_CHANGES {
        let (person, row) = (leaves.person("ng"), leaves.perhaps(Leaves::hash));
        commands.push(HouseCommand::SetSecondFactor { person, how: *how, row });
    }
    for office in OFFICES {
        let (person, department) = (leaves.person("ng"), Department::TableGames);
        commands.push(HouseCommand::Appoint { person, office: *office, department });
    }
    for department in &DEPARTMENTS[1..] {
        let (person, office) = (leaves.person("ng"), Office::Dealer);
        commands.push(HouseCommand::Appoint { person, office, department: *department });
    }
    commands.extend(
        PLAYER_KINDS.iter().map(|kind| HouseCommand::RegisterPlayer { player: leaves.player(), kind: *kind }),
    );
    for means in MEANS {
        let (player, amount) = (leaves.player(), leaves.money());
        commands.push(HouseCommand::GrantCredits { player, amount, means: *means });
        for identity in [None, Some(leaves.text("passport 5"))] {
            let (player, amount, means) = (leaves.player(), leaves.money(), *means);
            let given = identity.clone();
            commands.push(HouseCommand::BuyIn { player: player.clone(), amount, means, identity: given });
            commands.push(HouseCommand::CashOut { player, amount, means, identity });
        }
    }
    for setup in setups(leaves) {
        commands.push(HouseCommand::OpenTable { table: leaves.table(), setup });
    }
    commands.extend(proposals(leaves).into_iter().map(|proposal| HouseCommand::Propose { proposal }));
    commands.push(HouseCommand::EndActing { person: leaves.person("ng") });
    commands.push(HouseCommand::ForgetGuest { player: leaves.player(), credits: leaves.money() });
    let (name, key) = (leaves.text("Marina"), leaves.bytes());
    let (money, gaming_day) = (leaves.pick(CURRENCIES), day_rule(leaves));
    commands.push(HouseCommand::OpenHouse { name, key, money, gaming_day });
    commands
}

/// What the server records: who came, who was turned away, what runs.
fn service_commands(leaves: &mut Leaves) -> Vec<HouseCommand> {
    let mut commands = Vec::new();
    for how in SIGN_IN_MEANS {
        let (who, from) = (AccountHolder::Staff(leaves.person("ng")), leaves.text("10.0.0.9"));
        commands.push(HouseCommand::BeginSession { who, session: leaves.hash(), how: *how, from });
    }
    for why in SIGN_IN_FAULTS {
        let (who, from) = (leaves.perhaps(staff_holder), leaves.perhaps(|leaves| leaves.text("10.0.0.9")));
        let times = leaves.number(1, u64::MAX);
        commands.push(HouseCommand::RefuseSignIn { who, from, why: Some(*why), times });
    }
    commands.push(HouseCommand::RefuseSignIn { who: None, from: None, why: None, times: 7 });
    commands.push(HouseCommand::DenyCommand {
        who: Some(staff_holder(leaves)),
        what: Some(leaves.text("open-table")),
        reason: Some(leaves.text("OfficeIsTooLow")),
        times: leaves.number(1, u64::MAX),
    });
    commands.push(HouseCommand::DenyCommand { who: None, what: None, reason: None, times: 7 });
    commands.push(HouseCommand::StartService {
        node: leaves.text("one"),
        identity: identity(leaves),
        settings: digests(leaves, "server.listen"),
    });
    commands.push(HouseCommand::StopService { node: leaves.text("one") });
    commands
}

pub(super) fn setups(leaves: &mut Leaves) -> Vec<OpenTable> {
    let mut setups: Vec<OpenTable> = DEALINGS
        .iter()
        .zip(STAFFINGS)
        .map(|(dealing, staffing)| OpenTable {
            rulebook: leaves.text("megalink-holdem-v9"),
            positions: leaves.byte(7),
            layout: None,
            jackpot_means: None,
            limits: limits(leaves),
            method: leaves.perhaps(|leaves| leaves.text("shuffler")),
            dealing: *dealing,
            staffing: *staffing,
            link: leaves.perhaps(Leaves::link),
            reason: None,
        })
        .collect();
    setups.push(OpenTable { method: None, link: None, ..setups[0].clone() });
    setups.push(OpenTable { layout: Some('C'), jackpot_means: Some(MEANS[0]), ..setups[0].clone() });
    setups.push(OpenTable { reason: Some(leaves.text("training")), ..setups[0].clone() });
    setups
}

fn own_wager(leaves: &mut Leaves, area: PlayingArea) -> OwnWager {
    OwnWager { position: leaves.position(), area, amount: leaves.money() }
}

/// Everything that can be asked of a table outside the rules of a round.
pub(in crate::stored) fn own_commands(leaves: &mut Leaves) -> Vec<OwnCommand> {
    let mut commands = vec![
        OwnCommand::DealAll {},
        OwnCommand::CommitSalts { player: leaves.player(), anchor: leaves.hash() },
        OwnCommand::OpenSalt { player: leaves.player(), salt: leaves.hash() },
        OwnCommand::DropSalts {},
        OwnCommand::ChangeLimits { limits: limits(leaves) },
        OwnCommand::AnnounceLastRound {},
        OwnCommand::Close {},
        OwnCommand::CallSupervisor {},
        OwnCommand::AnswerCall {},
    ];
    commands.extend(setups(leaves).into_iter().map(|setup| OwnCommand::Reopen { setup }));
    commands.push(OwnCommand::BringDeck {
        deck: leaves.text("H1-7"),
        receipt: leaves.perhaps(|leaves| leaves.text("R 20881")),
    });
    for fault in READER_FAULTS {
        commands.push(OwnCommand::StopReader { fault: *fault, seen: leaves.text("17 came after 15") });
    }
    commands.extend([true, false].map(|by_hand| OwnCommand::ClearReader { by_hand }));
    let wagers = AREAS.iter().map(|area| own_wager(leaves, *area)).collect();
    commands.push(OwnCommand::SetWagers { player: leaves.player(), wagers, seen: BTreeSet::new() });
    commands
}

/// Everything that can be asked at a jackpot desk.
pub(in crate::stored) fn desk_commands(leaves: &mut Leaves) -> Vec<DeskCommand> {
    let (cards_checked, deck_cards) = (leaves.flag(true), leaves.byte(52));
    let checklist = Checklist { cards_checked, deck_cards, custody: None };
    vec![
        DeskCommand::Verify { award: number(leaves), checklist },
        DeskCommand::Approve { award: number(leaves) },
        DeskCommand::RecordDueDiligence { award: number(leaves), reference: leaves.text("passport 5") },
        DeskCommand::Pay { award: number(leaves), means: None },
        DeskCommand::LoseTable { table: leaves.table() },
        DeskCommand::RestoreTable { table: leaves.table() },
        DeskCommand::Verify { award: number(leaves), checklist: full_checklist(leaves) },
        DeskCommand::Pay { award: number(leaves), means: Some(PaidBy::Cheque) },
        DeskCommand::PrintSlip { award: number(leaves) },
        DeskCommand::LoseSilentTable { table: leaves.table() },
        DeskCommand::ReportFault {
            kind: FaultKind::CountsDiffer,
            table: leaves.perhaps(Leaves::table),
            seen: leaves.text("as measured"),
            counted: Some(Counts {
                wagers: leaves.number(7, u64::MAX),
                cents: leaves.number(3_500, u64::MAX),
            }),
        },
    ]
}

pub(in crate::stored) fn ruled_outcomes(leaves: &mut Leaves) -> Vec<RuledOutcome> {
    let plain = [RuledOutcome::Collected, RuledOutcome::StandOff, RuledOutcome::Returned];
    odds(leaves).into_iter().map(RuledOutcome::Paid).chain(plain).collect()
}

pub(in crate::stored) fn effects(leaves: &mut Leaves) -> Vec<Effect> {
    let mut effects = vec![Effect::Void, Effect::HandOut { position: leaves.position() }];
    for outcome in ruled_outcomes(leaves) {
        effects.push(Effect::Wager { position: leaves.position(), area: leaves.pick(AREAS), outcome });
    }
    effects
}

/// Everything that is asked of a round.
pub(in crate::stored) fn commands(leaves: &mut Leaves) -> Vec<Command> {
    let mut commands = plain();
    commands.extend(on_wagers(leaves));
    commands.extend(on_positions(leaves));
    commands.extend(on_players(leaves));
    commands.extend(on_cards(leaves));
    commands
}

fn plain() -> Vec<Command> {
    vec![
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
    ]
}

fn on_wagers(leaves: &mut Leaves) -> Vec<Command> {
    let mut commands = Vec::new();
    for (area, means) in AREAS.iter().zip(MEANS.iter().cycle()) {
        let (position, area, means) = (leaves.position(), *area, *means);
        let (owner, amount) = (leaves.player(), leaves.money());
        commands.push(Command::PlaceWager { position, area, owner: owner.clone(), amount, means });
        commands.push(Command::TakeBackWager { position, area, owner });
    }
    let words = leaves.text("the \"Ante\" goes back,\nas agreed");
    commands.push(Command::MakeRuling { ruling: Ruling { words, effects: effects(leaves) } });
    commands
}

fn on_positions(leaves: &mut Leaves) -> Vec<Command> {
    let mut commands = vec![
        Command::TakePosition { position: leaves.position(), player: leaves.player() },
        Command::LeavePosition { position: leaves.position() },
        Command::ViewHand { position: leaves.position() },
        Command::ShowHand { position: leaves.position() },
        Command::DeclineComparison { position: leaves.position() },
        Command::ViewDeclinedHand { position: leaves.position() },
        Command::ReportHandCount { position: leaves.position(), reconstructed: leaves.flag(true) },
        Command::InvalidateHands { positions: leaves.several(Leaves::position) },
        Command::ReportAbsent { position: leaves.position() },
        Command::ReportMisdeal {
            piles: leaves.several(|leaves| FoundPile { position: leaves.position(), cards: leaves.byte(2) }),
            also: Vec::new(),
        },
        Command::ReportMisdeal { piles: Vec::new(), also: vec![TablePile::Community, TablePile::Dealer] },
        Command::ReportHandled { position: leaves.position() },
        Command::CorrectWager {
            position: leaves.position(),
            area: leaves.pick(AREAS),
            owner: leaves.player(),
            amount: leaves.money(),
        },
    ];
    for decision in DECISIONS {
        commands.push(Command::Decide { position: leaves.position(), decision: *decision });
        commands.push(Command::CorrectDecision { position: leaves.position(), decision: *decision });
    }
    commands
}

fn on_players(leaves: &mut Leaves) -> Vec<Command> {
    vec![
        Command::InformPlayer { player: leaves.player() },
        Command::Withdraw { player: leaves.player() },
        Command::RestrictPlayer { player: leaves.player() },
        Command::LiftRestriction { player: leaves.player() },
        Command::ProhibitPlayer { player: leaves.player(), reason: None },
        Command::ProhibitPlayer { player: leaves.player(), reason: Some(leaves.text("showed the hand")) },
        Command::ReadmitPlayer { player: leaves.player() },
        Command::StopAction { player: leaves.player(), reason: None },
        Command::StopAction { player: leaves.player(), reason: Some(leaves.text("played three hands")) },
        Command::StayIn { player: leaves.player() },
        Command::ReportNoAnswer { player: leaves.player() },
    ]
}

fn on_cards(leaves: &mut Leaves) -> Vec<Command> {
    let mut commands = vec![
        Command::DealCard { card: Some(leaves.card()) },
        Command::CountCards { counted: leaves.byte(51) },
        Command::ReportTableCount { reconstructed: leaves.flag(false) },
        Command::ReportExposedCards { cards: leaves.byte(2) },
    ];
    for place in places(leaves) {
        commands.push(Command::ReadCard { place, card: leaves.card() });
    }
    commands.extend(FAULTS.iter().map(|fault| Command::DeclareBadCards { fault: *fault }));
    commands
}
