//! What the insider and the accomplice try: every command there is, with greedy and with random figures.

use std::collections::BTreeMap;
use std::sync::Arc;

use floor::{Command, DeskCommand, HouseCommand, OwnCommand, Table, TableCommand};
use jackpot::{
    AwardNumber, Cause, Checklist, Custody, Department, Evidence, Person, RejectCause, Settings, TableId,
};
use journal::{
    AccountHolder, Actor, CredentialChange, Dealing, Hash, HouseLimits, LinkId, PlayerKind, Proposal,
};
use money::{Money, Odds, Pool};
use round::{CardFault, Decision, Effect, FoundPile, PlayerId, RuledOutcome, Ruling, Stage};
use rulebook::{Limits, Means, Office, PlayingArea, Position};

use super::insider::{ACCOMPLICE, HONEST_PLAYER, Hall, INSIDER, dollars, link, outdated, setup};
use crate::node_load::parameters;

/// Names under which the insider would like to sign too.
const ALIASES: [&str; 2] = ["Alias", "Ida"];

impl Hall {
    /// The next attempt.
    pub(super) fn scheme(&mut self) -> (Actor, Command) {
        let actor = self.actor();
        // A settled round is corrected as often as it can be, before the next one begins.
        let settled = |table: &&Arc<Table>| table.round().stage() == Stage::Concluded;
        let settled: Vec<Arc<Table>> = self.node.floor().tables().filter(settled).cloned().collect();
        if let Some(table) = self.dice.any(&settled)
            && self.dice.one_in(2)
        {
            let position = self.position(&table);
            let command = TableCommand::Round(self.undoing(&table, position));
            return (actor, Command::Table { table: table.id().clone(), command });
        }
        let command = match self.dice.below(20) {
            0..=8 => self.at_table(),
            9..=11 => self.at_counter(),
            12 | 13 => self.about_people(),
            14 => self.open_something(),
            15 => self.at_desk(),
            _ => self.two_signatures(),
        };
        let by_player = matches!(&command, Command::Table { command: TableCommand::Round(command), .. }
            if matches!(command, round::Command::Withdraw { .. } | round::Command::PlaceWager { .. }
                | round::Command::TakeBackWager { .. } | round::Command::Decide { .. }));
        if by_player && self.dice.one_in(2) {
            return (Actor::Player(PlayerId::new(ACCOMPLICE)), command);
        }
        (actor, command)
    }

    /// Mostly the insider in their own office; sometimes in another, under an alias, or the accomplice.
    fn actor(&mut self) -> Actor {
        let own = Actor::Staff(Person::new(INSIDER), self.insider);
        match self.dice.below(30) {
            0 => Actor::Staff(Person::new(INSIDER), self.dice.pick(&Office::ALL)),
            1 => Actor::Staff(Person::new(self.dice.pick(&ALIASES)), self.dice.pick(&Office::ALL)),
            2 => Actor::Player(PlayerId::new(ACCOMPLICE)),
            _ => own,
        }
    }

    fn a_table(&mut self) -> Arc<Table> {
        let tables: Vec<_> = self.node.floor().tables().cloned().collect();
        let house: Vec<_> =
            tables.iter().filter(|table| ["L1", "S1"].contains(&table.id().name())).cloned().collect();
        if self.dice.one_in(8) { self.dice.pick(&tables) } else { self.dice.pick(&house) }
    }

    fn a_player(&mut self) -> PlayerId {
        PlayerId::new(match self.dice.below(10) {
            0..=6 => ACCOMPLICE,
            7 | 8 => HONEST_PLAYER,
            _ => "Other",
        })
    }

    fn position(&mut self, table: &Table) -> Position {
        let held: Vec<Position> = table
            .round()
            .seats()
            .filter(|(_, seat)| seat.holder().is_some_and(|holder| holder.name() == ACCOMPLICE))
            .map(|(position, _)| position)
            .collect();
        match self.dice.any(&held) {
            Some(position) if !self.dice.one_in(4) => position,
            _ => Position(u8::try_from(self.dice.within(1, 6)).expect("few")),
        }
    }

    fn amount(&mut self) -> Money {
        self.dice.pick(&[
            Money::from_cents(1),
            dollars(25),
            dollars(999),
            dollars(1_000),
            dollars(10_000),
            Money::from_cents(1_000_001),
            dollars(50_000),
            dollars(1_000_000),
            dollars(1_000_001),
            Money::from_cents(u64::MAX / 20_000),
            Money::from_cents(u64::MAX),
        ])
    }

    fn means(&mut self) -> Means {
        if self.dice.one_in(3) { Means::Chips } else { Means::Credits }
    }

    fn at_table(&mut self) -> Command {
        let table = self.a_table();
        let command = if self.dice.one_in(10) {
            TableCommand::Own(self.own(&table))
        } else {
            TableCommand::Round(self.in_round(&table))
        };
        Command::Table { table: table.id().clone(), command }
    }

    fn own(&mut self, table: &Table) -> OwnCommand {
        let player = self.a_player();
        let hash = Hash::of([&[u8::try_from(self.dice.below(99)).unwrap_or_default()][..]]);
        match self.dice.below(9) {
            0 => OwnCommand::DealAll {},
            1 => OwnCommand::CommitSalts { player, anchor: hash },
            6 => OwnCommand::OpenSalt { player, salt: hash },
            7 => OwnCommand::DropSalts {},
            2 | 3 => OwnCommand::ChangeLimits { limits: self.table_limits() },
            4 if self.dice.one_in(6) => OwnCommand::AnnounceLastRound {},
            5 => OwnCommand::Close {},
            _ => {
                let most = self.amount();
                let stud = table.book().community_cards() == 0;
                OwnCommand::Reopen { setup: setup(stud, table.setup().dealing, most, Some(link())) }
            }
        }
    }

    fn table_limits(&mut self) -> Limits {
        let (ante, bonus) = (self.amount(), self.amount());
        let bonus = self.dice.one_in(2).then(|| dollars(5)..=bonus.max(dollars(5)));
        Limits { ante: dollars(25)..=ante.max(dollars(25)), bonus }
    }

    fn in_round(&mut self, table: &Table) -> round::Command {
        use round::Command as C;
        let (position, player) = (self.position(table), self.a_player());
        // What pays most: a round that is lost, undone; a wager that is lost, ruled on.
        let over = matches!(table.round().stage(), Stage::Concluded | Stage::Settling | Stage::Showing);
        if over && self.dice.one_in(2) {
            return self.undoing(table, position);
        }
        match self.dice.below(24) {
            0 | 1 => C::MakeRuling { ruling: self.ruling(table, position) },
            2..=4 => {
                let area = self.dice.pick(&PlayingArea::ALL);
                let (amount, means) = (self.amount(), self.means());
                C::PlaceWager { position, area, owner: player, amount, means }
            }
            5 | 6 => {
                let area = self.dice.pick(&PlayingArea::ALL);
                C::TakeBackWager { position, area, owner: player }
            }
            7 => C::TakePosition { position, player },
            8 => C::OpenBets {},
            9 => C::CloseBets {},
            10 | 11 => {
                let wanted = ["Ah", "Kh", "Qh", "Jh", "Th"].map(|card| card.parse().expect("a card"));
                C::DealCard { card: Some(self.dice.pick(&wanted)) }
            }
            12 => {
                let index = u8::try_from(self.dice.below(52)).expect("few");
                let card = cards::Card::from_index(index).expect("one of 52");
                let place = round::Place::Player(position, u8::try_from(self.dice.below(5)).expect("few"));
                C::ReadCard { place, card }
            }
            13 => C::Decide {
                position,
                decision: self.dice.pick(&[Decision::Fold, Decision::Wager, Decision::Check]),
            },
            14 => C::Settle {},
            15 => C::ViewDeclinedHand { position },
            16 => C::LeavePosition { position },
            17 if self.dice.one_in(6) => C::ReportPowerFailure {},
            18 => match self.dice.below(5) {
                0 if self.dice.one_in(6) => {
                    C::ProhibitPlayer { player, reason: Some("showed the hand".to_owned()) }
                }
                1 => C::ReadmitPlayer { player },
                2 => C::RestrictPlayer { player },
                3 => C::LiftRestriction { player },
                _ => C::StopAction { player, reason: Some("showed the hand".to_owned()) },
            },
            19 => C::InvalidateHands { positions: vec![position] },
            20 => C::ReportAbsent { position },
            21 => C::BeginNextRound {},
            _ => self.undoing(table, position),
        }
    }

    /// What gives wagers back, or more.
    fn undoing(&mut self, table: &Table, position: Position) -> round::Command {
        use round::Command as C;
        let player = self.a_player();
        match self.dice.below(16) {
            0 => C::DeclareBadCards {
                fault: self.dice.pick(&[CardFault::Extra, CardFault::Missing, CardFault::Foreign]),
            },
            1 => C::CountCards { counted: self.dice.pick(&[51, 52, 53]) },
            2 => C::ReportTableCount { reconstructed: self.dice.one_in(2) },
            3 => C::ReportExposedCards { cards: 1 },
            4 | 5 => C::ReportHandCount { position, reconstructed: self.dice.one_in(3) },
            6 => C::PermitWithdrawals {},
            7 | 8 => C::Withdraw { player },
            9 => C::GiveUpReconstruction {},
            10 => C::ReportMisdeal { piles: vec![FoundPile { position, cards: 2 }], also: Vec::new() },
            _ => C::MakeRuling { ruling: self.ruling(table, position) },
        }
    }

    fn ruling(&mut self, table: &Table, position: Position) -> Ruling {
        let areas: Vec<PlayingArea> = table
            .round()
            .seat(position)
            .map(|seat| PlayingArea::ALL.into_iter().filter(|area| seat.has(*area)).collect())
            .unwrap_or_default();
        let count = self.dice.within(1, 2);
        let effects = (0..count)
            .map(|_| {
                let area = self.dice.any(&areas).unwrap_or(PlayingArea::Ante);
                let outcome = self.dice.pick(&[
                    RuledOutcome::StandOff,
                    RuledOutcome::Returned,
                    RuledOutcome::Collected,
                    RuledOutcome::Paid(Odds::To(1)),
                    RuledOutcome::Paid(Odds::To(9)),
                    RuledOutcome::Paid(Odds::For(2)),
                    RuledOutcome::Paid(Odds::For(10_000)),
                ]);
                match self.dice.below(12) {
                    0 => Effect::Void,
                    1 => Effect::HandOut { position },
                    _ => Effect::Wager { position, area, outcome },
                }
            })
            .collect();
        Ruling { words: "so ruled".to_owned(), effects }
    }

    fn at_counter(&mut self) -> Command {
        let (player, mut amount, means) = (self.a_player(), self.amount(), self.means());
        if self.dice.one_in(3) {
            let purse = match means {
                Means::Credits => journal::Account::Wallet(player.clone()),
                Means::Chips => journal::Account::Chips,
            };
            amount = self.ledger.holds(&purse).cents().unwrap_or(amount);
        }
        let identity = (!self.dice.one_in(6)).then(|| "passport".to_owned());
        match self.dice.below(7) {
            0..=2 => HouseCommand::BuyIn { player, amount, means, identity },
            3 | 4 => HouseCommand::CashOut { player, amount, means, identity },
            5 => HouseCommand::GrantCredits { player, amount, means },
            _ => HouseCommand::RepayDebt { player, amount },
        }
        .into()
    }

    fn a_person(&mut self) -> Person {
        Person::new(self.dice.pick(&["Alias", "Ida", INSIDER, "Gus", "Gia", "Mia"]))
    }

    fn about_people(&mut self) -> Command {
        let (person, player) = (self.a_person(), self.a_player());
        let who = if self.dice.one_in(2) {
            AccountHolder::Staff(person.clone())
        } else {
            AccountHolder::Player(player.clone())
        };
        match self.dice.below(7) {
            0 => HouseCommand::Appoint {
                person,
                office: self.dice.pick(&Office::ALL),
                department: Department::TableGames,
            },
            1 | 2 => HouseCommand::Invite { who, row: None },
            3 => HouseCommand::SetCredential {
                who,
                how: self.dice.pick(&[
                    CredentialChange::SetUp,
                    CredentialChange::Invitation,
                    CredentialChange::Changed,
                    CredentialChange::Withdrawn,
                ]),
                row: None,
            },
            4 => HouseCommand::RegisterPlayer {
                player,
                kind: self.dice.pick(&[PlayerKind::Member, PlayerKind::Guest, PlayerKind::House]),
            },
            5 => self.about_the_service(who),
            _ => HouseCommand::AcceptRollback {
                to: 1,
                seen: 9,
                lost: Vec::new(),
                reason: "why not".to_owned(),
                streams: Vec::new(),
                to_be_signed: false,
            },
        }
        .into()
    }

    /// What only the server records: who came, who was turned away, what runs.
    fn about_the_service(&mut self, who: AccountHolder) -> HouseCommand {
        let (node, from) = ("one".to_owned(), "10.0.0.9".to_owned());
        match self.dice.below(6) {
            4 => HouseCommand::ForgetGuest { player: self.a_player(), credits: self.amount() },
            0 => {
                let session = journal::Hash::of([from.as_bytes()]);
                HouseCommand::BeginSession { who, session, how: journal::SignInMeans::Password, from }
            }
            1 => HouseCommand::RefuseSignIn { who: Some(who), from: Some(from), why: None, times: 1 },
            2 => HouseCommand::DenyCommand { who: Some(who), what: None, reason: None, times: 9 },
            3 => HouseCommand::StopService { node },
            _ => {
                let (version, program) = ("0".to_owned(), journal::Hash([0; 32]));
                let identity = journal::Identity { version, program, rulebooks: BTreeMap::new() };
                HouseCommand::StartService { node, identity, settings: BTreeMap::new() }
            }
        }
    }

    fn open_something(&mut self) -> Command {
        let (number, most) = (self.dice.below(4), self.amount());
        let opening = Pool::try_from(self.amount().min(dollars(1_000_000))).expect("fits");
        match self.dice.below(3) {
            0 => HouseCommand::OpenLink {
                link: LinkId::new(&format!("link {number}")),
                books: vec!["megalink-holdem-v9".to_owned()],
                settings: parameters(),
                opening,
            },
            1 => HouseCommand::OpenTable {
                table: TableId::new(&format!("New {number}")),
                setup: outdated(most),
            },
            _ => HouseCommand::OpenTable {
                table: TableId::new(&format!("New {number}")),
                setup: setup(self.dice.one_in(2), Dealing::Live, most, Some(link())),
            },
        }
        .into()
    }

    fn award(&mut self) -> AwardNumber {
        let desk = Arc::clone(self.node.floor().link(&link()).expect("the link of the house"));
        let open: Vec<AwardNumber> = desk.link().open_awards().map(|award| award.number).collect();
        self.dice.any(&open).unwrap_or(AwardNumber(1))
    }

    fn at_desk(&mut self) -> Command {
        let (award, table) = (self.award(), self.a_table().id().clone());
        let command = match self.dice.below(8) {
            0 | 1 => {
                let custody = Some(Custody {
                    camera: "camera 4".to_owned(),
                    seal: "S-00417".to_owned(),
                    deck_in_order: true,
                    held_by: "Security".to_owned(),
                });
                DeskCommand::Verify {
                    award,
                    checklist: Checklist { cards_checked: true, deck_cards: 52, custody },
                }
            }
            2 | 3 => DeskCommand::Approve { award },
            4 => DeskCommand::RecordDueDiligence { award, reference: "file".to_owned() },
            5 | 6 => DeskCommand::Pay { award, means: None },
            _ if self.dice.one_in(3) => DeskCommand::LoseTable { table },
            _ => DeskCommand::RestoreTable { table },
        };
        Command::Desk { link: link(), command }
    }

    fn two_signatures(&mut self) -> Command {
        let open: Vec<u64> = self.node.floor().house().proposals().map(|(number, _)| number).collect();
        match self.dice.below(8) {
            0..=2 => HouseCommand::Confirm { number: self.dice.any(&open).unwrap_or(1) },
            3 | 4 => HouseCommand::WithdrawProposal { number: self.dice.any(&open).unwrap_or(1) },
            _ => HouseCommand::Propose { proposal: self.proposal() },
        }
        .into()
    }

    fn proposal(&mut self) -> Proposal {
        let (person, player, amount, means) = (self.a_person(), self.a_player(), self.amount(), self.means());
        let (table, award, words) = (self.a_table(), self.award(), "agreed after a count".to_owned());
        let (round, identity) = (table.number(), Some("passport".to_owned()));
        let small = amount.min(dollars(1_000_000));
        match self.dice.below(15) {
            0 => Proposal::RejectAward { link: link(), award, cause: self.dice.pick(&RejectCause::ALL) },
            1 => Proposal::RuleOnAward { link: link(), award, amount, words },
            2 => {
                let amount = Pool::try_from(small).expect("fits");
                let about = Some(Evidence::Count { reference: "count sheet".to_owned() });
                Proposal::AdjustMeter {
                    link: link(),
                    cause: self.dice.pick(&Cause::ALL),
                    amount,
                    words,
                    about,
                }
            }
            3 => {
                let settings = Settings::new(parameters()).expect("sound");
                Proposal::Reconfigure { link: link(), settings, from: None, check: Vec::new() }
            }
            4 => {
                let position = self.position(&table);
                let command = self.undoing(&table, position);
                Proposal::UndoRound { table: table.id().clone(), round, command }
            }
            5 => {
                let position = self.position(&table);
                let ruling = self.ruling(&table, position);
                Proposal::Rule { table: table.id().clone(), round, ruling }
            }
            6 | 7 => Proposal::Appoint {
                person,
                office: self.dice.pick(&Office::ALL),
                department: Department::TableGames,
            },
            8 => Proposal::Dismiss { person },
            9 if self.dice.one_in(2) => {
                let (office, from) = (self.dice.pick(&Office::ALL), self.moment());
                Proposal::AppointActing { person, office, from, until: from.plus_days(1) }
            }
            9 => Proposal::InviteStaff { person },
            10 => Proposal::BuyIn { player, amount, means, identity },
            11 => Proposal::CashOut { player, amount, means, identity },
            12 => Proposal::ChangeTableLimits {
                table: table.id().clone(),
                limits: self.table_limits(),
                from: None,
            },
            13 => Proposal::OpenTable { table: TableId::new("New 9"), setup: outdated(small) },
            _ => {
                let limits = HouseLimits { ruling: small, ..HouseLimits::default() };
                Proposal::ChangeHouseLimits { limits }
            }
        }
    }
}
