//! Where random commands come from: mostly what a table is about to do, and now and then anything at all.

use floor::{Command, DeskCommand, HouseCommand, OwnCommand, OwnWager, TableCommand};
use jackpot::{AwardNumber, Cause, Department, Person, RejectCause, Settings, TableId};
use journal::{Account, Actor, Amount, Dealing, Hash, Moment, PlayerKind, Proposal};
use money::{Money, Odds, Pool};
use round::{CardFault, Decision, Effect, FoundPile, PlayerId, RuledOutcome, Ruling, Stage};
use rulebook::{Limits, Means, Office, PlayingArea, Position};

use crate::support::{
    Cards, Hall, MEMBERS, MSSP9, MTHB9, THB6, chain, checked, counted, dollars, link, parameters, player,
    setup, table,
};

/// The tables that are played on: two live, two dealt from shuffles, three books.
const TABLES: [(&str, &str, Dealing, &str); 4] = [
    ("H1", MTHB9, Dealing::Live, "mega"),
    ("S1", MSSP9, Dealing::Live, "mega"),
    ("S2", MSSP9, Dealing::Software, "mega"),
    ("T2", THB6, Dealing::Software, "own"),
];

/// Every kind of command there is, but for the opening of the house, which is done once.
pub(crate) const KINDS: [&str; 73] = [
    "InviteStaff",
    "Appoint",
    "Dismiss",
    "RegisterPlayer",
    "BuyIn",
    "CashOut",
    "RepayDebt",
    "OpenLink",
    "OpenTable",
    "Propose",
    "Confirm",
    "WithdrawProposal",
    "DealAll",
    "SetWagers",
    "CommitSalts",
    "OpenSalt",
    "DropSalts",
    "ChangeLimits",
    "AnnounceLastRound",
    "Close",
    "Reopen",
    "BringDeck",
    "Verify",
    "Approve",
    "RecordDueDiligence",
    "Pay",
    "LoseTable",
    "RestoreTable",
    "RejectAward",
    "RuleOnAward",
    "AdjustMeter",
    "Reconfigure",
    "UndoRound",
    "InformPlayer",
    "TakePosition",
    "LeavePosition",
    "OpenBets",
    "PlaceWager",
    "TakeBackWager",
    "CloseBets",
    "DealCard",
    "ReadCard",
    "Expose",
    "ViewHand",
    "Decide",
    "ShowHand",
    "DeclineComparison",
    "ViewDeclinedHand",
    "Settle",
    "BeginNextRound",
    "DeclareBadCards",
    "CountCards",
    "ReportMisdeal",
    "Reconstruct",
    "GiveUpReconstruction",
    "ReportTableCount",
    "ReportExposedCards",
    "ReportHandCount",
    "PermitWithdrawals",
    "Withdraw",
    "RestrictPlayer",
    "LiftRestriction",
    "ProhibitPlayer",
    "ReadmitPlayer",
    "InvalidateHands",
    "StopAction",
    "ReportAbsent",
    "ReportPowerFailure",
    "ResumePlay",
    "StayIn",
    "ReportNoAnswer",
    "ReportHandled",
    "MakeRuling",
];

/// A small generator: the same seed gives the same floor (SplitMix64).
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) const fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// Once in so many times.
    fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        let place = self.below(from.len() as u64);
        from[usize::try_from(place).expect("a place in a list")].clone()
    }

    fn position(&mut self) -> Position {
        // Mostly the first few, where somebody sits; once in a while one that is not there.
        let position = if self.one_in(20) { self.below(9) } else { 1 + self.below(4) };
        Position(u8::try_from(position).expect("small"))
    }

    fn player(&mut self) -> PlayerId {
        let who = if self.one_in(30) { "Nobody" } else { self.pick(&["Ann", "Ann", "Bob", "Cat", "Guy"]) };
        player(who)
    }

    fn means(&mut self) -> Means {
        if self.one_in(4) { Means::Chips } else { Means::Credits }
    }

    fn decision(&mut self) -> Decision {
        self.pick(&[Decision::Wager, Decision::Wager, Decision::Check, Decision::Fold])
    }

    fn amount(&mut self) -> Money {
        self.pick(&[
            Money::ZERO,
            Money::from_cents(1),
            Money::from_cents(33_33),
            dollars(100),
            dollars(9_999),
            dollars(20_000),
            Money::from_cents(100_000_000_001),
        ])
    }
}

/// What happens between two commands: time passes, and now and then a seed is lost.
pub(crate) fn meanwhile(hall: &mut Hall, chance: &mut Chance) {
    if chance.one_in(3) {
        hall.wait(chance.pick(&[10, 2_000, 5_000]));
    }
    if chance.one_in(400) {
        let (name, ..) = chance.pick(&TABLES);
        hall.memory.sealed.remove(&seed_of(hall, name));
    }
}

fn seed_of(hall: &Hall, name: &str) -> (String, String) {
    ("seed".to_owned(), format!("{name}/{}", hall.number(name)))
}

/// Somebody, and something they ask for.
pub(crate) fn any(hall: &Hall, chance: &mut Chance) -> (Actor, Command) {
    let (name, ..) = chance.pick(&TABLES);
    let round = |command| Command::Table { table: table(name), command: TableCommand::Round(command) };
    let over = hall.round(name).stage() == Stage::Concluded;
    let command = match chance.below(100) {
        0..=15 if over => take_it_all(hall, name, chance),
        16..=40 if over => round(irregular(hall, name, chance)),
        0..=65 => at_table(name, next(hall, name, chance)),
        66..=71 => round(irregular(hall, name, chance)),
        72..=79 => over_the_counter(hall, chance),
        80..=88 => at_desk(hall, chance),
        89..=95 => two_people(hall, name, chance),
        _ => house(hall, name, chance),
    };
    (somebody(hall, name, &command, chance), command)
}

/// Mostly whoever may do it.
fn somebody(hall: &Hall, name: &str, command: &Command, chance: &mut Chance) -> Actor {
    let house = hall.floor.house();
    let is_of_house = matches!(command, Command::House(_));
    let people = house.staff().filter(|(_, post)| is_of_house || post.office().is_some());
    let people: Vec<_> = people.map(|(who, post)| (who.clone(), post.office)).collect();
    let (person, office) = chance.pick(&people);
    let staff = house.actor(&person, hall.memory.now).expect("one of the staff");
    if chance.one_in(50) {
        return Actor::System;
    }
    let Command::Table { command: TableCommand::Round(command), .. } = command else {
        return staff;
    };
    match hall.floor.table(&table(name)).map(|table| table.round().who_may(command)) {
        Some(round::Permission::Owner(owner)) if chance.one_in(2) => Actor::Player(owner),
        Some(round::Permission::Staff(least, _)) if office < least && !chance.one_in(4) => {
            Actor::Staff(Person::new("Gus"), Office::GamingShiftManager)
        }
        _ if chance.one_in(10) => Actor::Player(chance.player()),
        _ => staff,
    }
}

fn at_table(name: &str, command: TableCommand) -> Command {
    Command::Table { table: table(name), command }
}

/// What the table is about to do.
fn next(hall: &Hall, name: &str, chance: &mut Chance) -> TableCommand {
    let table = hall.floor.table(&table(name)).expect("a table");
    let (position, player) = (a_hand(hall, name, chance), chance.player());
    if !table.is_open() {
        let (_, book, dealing, link) =
            *TABLES.iter().find(|(other, ..)| *other == name).expect("one of them");
        return TableCommand::Own(OwnCommand::Reopen { setup: setup(book, dealing, Some(link)) });
    }
    let stage = table.round().stage();
    if table.needs_deck() && !chance.one_in(4) {
        let deck = format!("deck {}", chance.below(40));
        return TableCommand::Own(OwnCommand::BringDeck { deck, receipt: None });
    }
    let lost = table.is_software_dealt() && !hall.memory.sealed.contains_key(&seed_of(hall, name));
    if lost && stage.is_in_play() && chance.one_in(2) {
        return TableCommand::Round(round::Command::DeclareBadCards { fault: CardFault::Missing });
    }
    TableCommand::Round(match stage {
        Stage::BeforeBets => match chance.below(9) {
            8 => return commit(name, &player, chance),
            0 | 1 => round::Command::InformPlayer { player },
            2..=4 => round::Command::TakePosition { position, player },
            5 => round::Command::LeavePosition { position },
            _ => round::Command::OpenBets {},
        },
        Stage::BetsOpen => return bets(hall, name, chance),
        Stage::Dealing if !table.awaited().is_empty() && !chance.one_in(4) => {
            return salt(hall, name, &table.awaited(), chance);
        }
        Stage::Dealing if table.is_software_dealt() && !chance.one_in(20) => {
            return TableCommand::Own(OwnCommand::DealAll {});
        }
        Stage::Dealing => deal(hall, name, chance),
        Stage::Deciding(_) => match chance.below(12) {
            0 => round::Command::ViewHand { position },
            1 => round::Command::ReportAbsent { position },
            _ => round::Command::Decide { position, decision: chance.decision() },
        },
        Stage::Exposing(_) => match unread(hall, name, chance) {
            Some(read) => read,
            None => round::Command::Expose {},
        },
        Stage::Showing => match chance.below(4) {
            0 => round::Command::DeclineComparison { position },
            1 => round::Command::ViewDeclinedHand { position },
            _ => match unread(hall, name, chance) {
                Some(read) => read,
                None => round::Command::ShowHand { position },
            },
        },
        Stage::Settling => match unread(hall, name, chance) {
            Some(read) => read,
            None => round::Command::Settle {},
        },
        Stage::Concluded | Stage::Void | Stage::Closed => match chance.below(5) {
            0 if table.is_last_round() => return TableCommand::Own(OwnCommand::Close {}),
            1 => round::Command::ViewDeclinedHand { position },
            _ => round::Command::BeginNextRound {},
        },
    })
}

/// Mostly a position with a hand that is still in.
fn a_hand(hall: &Hall, name: &str, chance: &mut Chance) -> Position {
    let hands = hall.round(name).seats().filter(|(_, seat)| seat.is_active());
    let hands: Vec<Position> = hands.map(|(position, _)| position).collect();
    if hands.is_empty() || chance.one_in(4) { chance.position() } else { chance.pick(&hands) }
}

fn bets(hall: &Hall, name: &str, chance: &mut Chance) -> TableCommand {
    let (mut position, mut owner) = (chance.position(), chance.player());
    let held = hall.round(name).seats().filter_map(|(at, seat)| Some((at, seat.holder()?.clone(), seat)));
    let held: Vec<_> = held.collect();
    let mut area = chance.pick(&[PlayingArea::Ante, PlayingArea::Bonus, PlayingArea::Jackpot]);
    if !held.is_empty() && !chance.one_in(5) {
        let (at, holder, seat) = chance.pick(&held);
        (position, owner) = (at, holder);
        if !seat.has(PlayingArea::Ante) {
            area = PlayingArea::Ante;
        }
    }
    let amount = match area {
        PlayingArea::Jackpot => dollars(chance.pick(&[5, 5, 10, 25])),
        _ => chance.pick(&[dollars(25), dollars(100), dollars(1_000), dollars(7), Money::from_cents(33_33)]),
    };
    match chance.below(16) {
        0 | 1 if hall.round(name).seats().any(|(_, seat)| seat.is_dealt_in()) || chance.one_in(5) => {
            TableCommand::Round(round::Command::CloseBets {})
        }
        2 => TableCommand::Round(round::Command::TakeBackWager { position, area, owner }),
        3 => commit(name, &owner, chance),
        4 => TableCommand::Round(round::Command::TakePosition { position, player: owner }),
        5 | 6 => {
            let seen = hall.floor.table(&table(name)).expect("a table").wagers_of(&owner);
            let wagers = seen.iter().copied().chain([OwnWager { position, area, amount }]).collect();
            TableCommand::Own(OwnCommand::SetWagers { player: owner, wagers, seen })
        }
        _ => {
            let means = chance.means();
            TableCommand::Round(round::Command::PlaceWager { position, area, owner, amount, means })
        }
    }
}

/// A chain of salts, one of several.
fn commit(name: &str, player: &PlayerId, chance: &mut Chance) -> TableCommand {
    let links = chain(name, player.name(), chance.pick(&[0, 1, 2]));
    TableCommand::Own(OwnCommand::CommitSalts { player: player.clone(), anchor: links[links.len() - 1] })
}

/// Mostly the salt that is awaited, sometimes a wrong one; or the Dealer goes on without.
fn salt(hall: &Hall, name: &str, awaited: &[PlayerId], chance: &mut Chance) -> TableCommand {
    let player = chance.pick(awaited);
    let right = hall.next_salt(name, player.name()).filter(|_| !chance.one_in(6));
    match right {
        Some(salt) if !chance.one_in(5) => TableCommand::Own(OwnCommand::OpenSalt { player, salt }),
        None if chance.one_in(2) => {
            TableCommand::Own(OwnCommand::OpenSalt { player, salt: Hash([chance.pick(&[0, 1]); 32]) })
        }
        Some(_) | None => TableCommand::Own(OwnCommand::DropSalts {}),
    }
}

/// At live tables every other round has a hand that wins the meter; now and then a card is dealt unread.
fn deal(hall: &Hall, name: &str, chance: &mut Chance) -> round::Command {
    let round = hall.round(name);
    let card = round.next_place().map(|place| rigged(hall, name).at(place));
    round::Command::DealCard { card: card.filter(|_| !chance.one_in(10)) }
}

/// At live tables a card that was dealt unread is read when something is due.
fn unread(hall: &Hall, name: &str, chance: &mut Chance) -> Option<round::Command> {
    let table = hall.floor.table(&table(name)).expect("a table");
    if table.is_software_dealt() || chance.one_in(4) {
        return None;
    }
    let round = table.round();
    let mut places = round.deal_order().iter().filter(|place| round.has_dealt(**place));
    let place = *places.find(|place| !round.is_read(**place))?;
    Some(round::Command::ReadCard { place, card: rigged(hall, name).at(place) })
}

fn rigged(hall: &Hall, name: &str) -> Cards {
    let number = hall.floor.table(&table(name)).expect("a table").number();
    let stud = name.starts_with('S');
    match (number % 3, stud) {
        (0, false) => Cards::default().hand(1, "Ah Kh").community("Qh Jh Th 2c 3d"),
        (0, true) => Cards::default().hand(1, "Ah Kh Qh Jh Th").hand(2, "As Ks Qs Js Ts"),
        (1, false) => Cards::default().hand(1, "5h 6h").hand(2, "Th Jh").community("7h 8h 9h 2c 3d"),
        (1, true) => Cards::default().hand(1, "5h 6h 7h 8h 9h").hand(2, "5s 6s 7s 8s 9s"),
        _ => Cards::default(),
    }
}

/// Anything that can go wrong.
fn irregular(hall: &Hall, name: &str, chance: &mut Chance) -> round::Command {
    let (position, mut player) = (a_hand(hall, name, chance), chance.player());
    let wagering = players(hall, name, chance);
    if let Some(prohibited) = hall.round(name).memory().prohibited.first() {
        player = prohibited.clone();
    }
    let reconstructed = chance.one_in(2);
    match chance.below(27) {
        0 => round::Command::CountCards { counted: chance.pick(&[51, 52, 52]) },
        1 => round::Command::ReportTableCount { reconstructed },
        2 => round::Command::DeclareBadCards { fault: CardFault::Foreign },
        3 | 4 => round::Command::ReportHandCount { position, reconstructed: chance.one_in(4) },
        5 | 6 => round::Command::PermitWithdrawals {},
        7 | 8 => round::Command::Withdraw { player: wagering },
        // What it finds takes long to judge in stud, so it is asked for rarely.
        9 if chance.one_in(if name.starts_with('S') { 30 } else { 3 }) => {
            round::Command::ReportPowerFailure {}
        }
        9..=12 => match hall.round(name).unanswered().into_iter().next() {
            Some(player) if chance.one_in(2) => round::Command::ReportNoAnswer { player },
            Some(player) => round::Command::StayIn { player },
            None => round::Command::ResumePlay {},
        },
        26 => round::Command::ReportHandled { position },
        13 => round::Command::ReportExposedCards { cards: 1 },
        14 => round::Command::ReportMisdeal { piles: misdealt(hall, name), also: Vec::new() },
        15 => round::Command::Reconstruct {},
        16 => round::Command::GiveUpReconstruction {},
        17 => round::Command::RestrictPlayer { player },
        18 => round::Command::LiftRestriction { player },
        19 if chance.one_in(8) => {
            round::Command::ProhibitPlayer { player, reason: Some("showed the hand".to_owned()) }
        }
        19 | 20 => round::Command::ReadmitPlayer { player },
        21 | 24 | 25 => {
            round::Command::InvalidateHands { positions: vec![last_of_several(hall, name, position)] }
        }
        22 if chance.one_in(3) => {
            round::Command::StopAction { player, reason: Some("showed the hand".to_owned()) }
        }
        _ => round::Command::MakeRuling { ruling: ruling(position, chance) },
    }
}

/// The last hand of somebody who holds several, or the one given.
fn last_of_several(hall: &Hall, name: &str, position: Position) -> Position {
    let round = hall.round(name);
    let hands: Vec<_> = round.seats().filter(|(_, seat)| seat.is_active()).collect();
    let several = hands.iter().enumerate().rev().find(|(place, (_, seat))| {
        hands.iter().take(*place).any(|(_, earlier)| earlier.holder() == seat.holder())
    });
    several.map_or(position, |(_, (position, _))| *position)
}

/// Every hand one position too far to the right.
fn misdealt(hall: &Hall, name: &str) -> Vec<FoundPile> {
    let round = hall.round(name);
    let cards = u8::try_from(round.book().hand_cards()).expect("a hand is small");
    let hands = round.seats().filter(|(_, seat)| seat.is_dealt_in());
    hands.map(|(position, _)| FoundPile { position: Position(position.0 + 1), cards }).collect()
}

fn ruling(position: Position, chance: &mut Chance) -> Ruling {
    let area = chance.pick(&PlayingArea::ALL);
    let outcome = chance.pick(&[
        RuledOutcome::Collected,
        RuledOutcome::StandOff,
        RuledOutcome::Returned,
        RuledOutcome::Paid(Odds::To(3)),
        RuledOutcome::Paid(Odds::For(10_000)),
    ]);
    let effect = match chance.below(8) {
        0 => Effect::Void,
        1 => Effect::HandOut { position },
        _ => Effect::Wager { position, area, outcome },
    };
    let effects = if chance.one_in(4) { Vec::new() } else { vec![effect] };
    Ruling { words: "so ruled".to_owned(), effects }
}

fn over_the_counter(hall: &Hall, chance: &mut Chance) -> Command {
    let (player, amount, means) = (chance.player(), chance.amount(), chance.means());
    let owes = |player: &&str| hall.memory.holds(&Account::Owed(PlayerId::new(player))) < Amount::ZERO;
    if let Some(debtor) = MEMBERS.into_iter().find(owes) {
        let (player, identity) = (PlayerId::new(debtor), None);
        return match chance.below(3) {
            0 => Command::House(HouseCommand::BuyIn {
                player,
                amount: dollars(500),
                means: Means::Credits,
                identity,
            }),
            _ => Command::House(HouseCommand::RepayDebt { player, amount }),
        };
    }
    let identity = Some("passport".to_owned()).filter(|_| !chance.one_in(5));
    match chance.below(5) {
        0 | 1 => Command::House(HouseCommand::BuyIn { player, amount, means, identity }),
        2 if chance.one_in(2) => {
            let all = hall.memory.holds(&Account::Wallet(player.clone())).cents().unwrap_or(amount);
            Command::House(HouseCommand::CashOut { player, amount: all, means: Means::Credits, identity })
        }
        2 => Command::House(HouseCommand::CashOut { player, amount, means, identity }),
        3 => Command::House(HouseCommand::GrantCredits { player, amount, means }),
        _ => Command::House(HouseCommand::RepayDebt { player, amount }),
    }
}

/// Somebody who played leaves with all they have, before anybody finds the round wrong.
fn take_it_all(hall: &Hall, name: &str, chance: &mut Chance) -> Command {
    let player = players(hall, name, chance);
    let all = hall.memory.holds(&Account::Wallet(player.clone())).cents().unwrap_or_default();
    let identity = Some("passport".to_owned());
    Command::House(HouseCommand::CashOut { player, amount: all, means: Means::Credits, identity })
}

/// Mostly somebody who has a wager in the round.
fn players(hall: &Hall, name: &str, chance: &mut Chance) -> PlayerId {
    let antes =
        hall.round(name).seats().flat_map(|(_, seat)| seat.shares(PlayingArea::Ante, None).into_owned());
    let owners: Vec<PlayerId> = antes.map(|share| share.owner).collect();
    if owners.is_empty() || chance.one_in(4) { chance.player() } else { chance.pick(&owners) }
}

fn award(hall: &Hall, chance: &mut Chance) -> AwardNumber {
    let open: Vec<AwardNumber> = {
        let desk = hall.floor.link(&link("mega")).expect("a link");
        desk.link().open_awards().map(|award| award.number).collect()
    };
    if open.is_empty() { AwardNumber(chance.below(3)) } else { chance.pick(&open) }
}

fn at_desk(hall: &Hall, chance: &mut Chance) -> Command {
    let award = award(hall, chance);
    let table = TableId::new(chance.pick(&TABLES).0);
    let command = match chance.below(9) {
        0 | 1 => DeskCommand::Verify { award, checklist: checked() },
        2 | 3 => DeskCommand::Approve { award },
        4 => DeskCommand::RecordDueDiligence { award, reference: "file".to_owned() },
        5 => DeskCommand::Pay { award, means: None },
        6 if chance.one_in(3) => DeskCommand::LoseTable { table },
        _ => DeskCommand::RestoreTable { table },
    };
    Command::Desk { link: link("mega"), command }
}

fn two_people(hall: &Hall, name: &str, chance: &mut Chance) -> Command {
    let numbers: Vec<u64> = hall.floor.house().proposals().map(|(number, _)| number).collect();
    let number = if numbers.is_empty() { 1 } else { chance.pick(&numbers) };
    match chance.below(8) {
        0..=3 => Command::House(HouseCommand::Confirm { number }),
        4 | 5 => Command::House(HouseCommand::WithdrawProposal { number }),
        _ => Command::House(HouseCommand::Propose { proposal: proposal(hall, name, chance) }),
    }
}

fn proposal(hall: &Hall, name: &str, chance: &mut Chance) -> Proposal {
    let (link, award) = (link("mega"), award(hall, chance));
    match chance.below(6) {
        0 => Proposal::RejectAward { link, award, cause: chance.pick(&RejectCause::ALL) },
        1 => {
            let (amount, words) = (dollars(1 + chance.below(9_000)), "agreed".to_owned());
            Proposal::RuleOnAward { link, award, amount, words }
        }
        2 => {
            let amount = Pool::from_ten_thousandths(1 + chance.below(2_000_000));
            let (cause, words) = (chance.pick(&Cause::ALL), "found at the count".to_owned());
            Proposal::AdjustMeter { link, cause, amount, words, about: Some(counted()) }
        }
        3 => {
            let minimum_wager = dollars(chance.pick(&[5, 5, 10]));
            let figures = jackpot::Parameters { minimum_wager, ..parameters() };
            let settings = Settings::new(figures).expect("sound");
            Proposal::Reconfigure { link, settings, from: None, check: Vec::new() }
        }
        _ => {
            let (round, command) = (hall.number(name), irregular(hall, name, chance));
            Proposal::UndoRound { table: table(name), round, command }
        }
    }
}

fn house(hall: &Hall, name: &str, chance: &mut Chance) -> Command {
    let person = Person::new(chance.pick(&["Pam", "Zoe", "Dan"]));
    let new = format!("new {}", chance.below(50));
    let propose = |proposal| Command::House(HouseCommand::Propose { proposal });
    match chance.below(14) {
        0 | 1 => propose(Proposal::Appoint {
            person,
            office: chance.pick(&Office::ALL),
            department: Department::TableGames,
        }),
        2 => propose(match chance.below(4) {
            0 => Proposal::Dismiss { person },
            1 => {
                let from = Moment(hall.memory.now.0 + chance.below(3) * 60_000);
                let until = Moment(from.0 + chance.below(5) * 60_000);
                Proposal::AppointActing { person, office: chance.pick(&Office::ALL), from, until }
            }
            2 => return Command::House(HouseCommand::EndActing { person }),
            _ => Proposal::InviteStaff { person },
        }),
        3 | 4 => {
            let names = [player("Guy"), player(&new)];
            Command::House(HouseCommand::RegisterPlayer {
                player: chance.pick(&names),
                kind: PlayerKind::Member,
            })
        }
        5 => {
            let opening = Pool::try_from(parameters().reset).expect("fits");
            let books = vec![MTHB9.to_owned()];
            propose(Proposal::OpenLink { link: link(&new), books, settings: parameters(), opening })
        }
        6 => {
            let setup = setup(MTHB9, Dealing::Software, None);
            Command::House(HouseCommand::OpenTable { table: table(&new), setup })
        }
        7 => {
            let most = dollars(500 + chance.below(500));
            let bonus = (!name.starts_with('S')).then(|| dollars(5)..=dollars(100));
            at_table(
                name,
                TableCommand::Own(OwnCommand::ChangeLimits {
                    limits: Limits { ante: dollars(25)..=most, bonus },
                }),
            )
        }
        8 => at_table(name, TableCommand::Own(OwnCommand::AnnounceLastRound {})),
        9 => at_table(name, TableCommand::Own(OwnCommand::Close {})),
        _ => Command::House(HouseCommand::BuyIn {
            player: player(MEMBERS[0]),
            amount: dollars(5_000),
            means: chance.means(),
            identity: Some("passport".to_owned()),
        }),
    }
}
