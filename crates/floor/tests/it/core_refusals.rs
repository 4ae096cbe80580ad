//! Every reason of the floor's own, at least once: a reason without a row here fails.

use floor::{Command, DeskCommand, HouseCommand, OwnCommand, OwnWager, Reason, Refusal, TableCommand};
use jackpot::{Cause, Department, Person};
use journal::{
    AccountHolder, Actor, CredentialChange, Currency, DayChecks, DayRule, Dealing, DeviceId, DeviceScope,
    Hash, HouseLimits, PlayerKind, Proposal, ReaderFault,
};
use money::{Money, Pool};
use round::{Decision, Effect, RuledOutcome, Ruling};
use rulebook::{Limits, Means, Office, PlayingArea, Position};

use crate::core_rules::{new_text, to_new};
use crate::support::{
    Cards, Hall, MTHB9, THB6, accountant, by_player, checked, commit_salts, counted, dealer, dollars,
    drop_salts, empty, link, manager, open_salt, parameters, player, setup, shift_manager, staff, supervisor,
    table, wager,
};

/// What leads to a refusal for a reason, on a floor as [`Hall::open`] has it.
type Row = (Reason, fn(&mut Hall) -> Refusal);

#[test]
fn every_reason_of_the_floor_has_its_row() {
    let rows: Vec<Row> = [
        people(),
        trust(),
        departments(),
        tables(),
        rounds(),
        later_in_rounds(),
        jackpots(),
        money(),
        devices(),
    ]
    .concat();
    let open = Hall::open();
    for reason in Reason::ALL {
        let mut of_reason = rows.iter().filter(|(listed, _)| listed == reason).peekable();
        assert!(of_reason.peek().is_some(), "{reason:?} has no row");
        for (_, refusal) in of_reason {
            let mut hall = open.clone();
            let refusal = refusal(&mut hall);
            assert_eq!(refusal.reason, format!("{reason:?}"), "{refusal}");
            assert!(refusal.sentence.starts_with(reason.sentence()), "{refusal}");
        }
    }
}

/// No two reasons have one name or one sentence.
#[test]
fn reasons_are_told_apart() {
    for (place, one) in Reason::ALL.iter().enumerate() {
        for other in &Reason::ALL[..place] {
            assert!(one.sentence() != other.sentence(), "{one:?} and {other:?}");
        }
    }
}

fn own_limits(loss: Option<u64>, minutes: Option<u16>) -> Command {
    let limits = journal::PlayLimits { loss: loss.map(dollars), minutes };
    Command::House(HouseCommand::SetPlayLimits { player: player("Ann"), limits })
}

fn register(name: &str) -> Command {
    Command::House(HouseCommand::RegisterPlayer { player: player(name), kind: PlayerKind::Member })
}

/// A key for the shoe of H1, for so many days.
fn shoe_key(hall: &Hall, days: u16) -> Command {
    let (device, scope) = (DeviceId::new("Shoe"), DeviceScope::Shoe { table: table("H1") });
    let (key, until) = (Hash([7; 32]), hall.memory.now.plus_days(days));
    Command::House(HouseCommand::MakeDeviceKey { device, scope, key, until })
}

/// The shoe of H1 has a key, and its reader stopped.
fn stop_reader(hall: &mut Hall) -> Actor {
    let make = shoe_key(hall, 1);
    hall.done(&shift_manager(), &make);
    let (shoe, fault) = (Actor::Device(DeviceId::new("Shoe")), ReaderFault::Lost);
    let own = OwnCommand::StopReader { fault, seen: "read 2 is missing".to_owned() };
    hall.done(&shoe, &Command::Table { table: table("H1"), command: TableCommand::Own(own) });
    shoe
}

fn clear_reader(by_hand: bool) -> Command {
    Command::Table { table: table("H1"), command: TableCommand::Own(OwnCommand::ClearReader { by_hand }) }
}

fn devices() -> Vec<Row> {
    vec![
        (Reason::NoSuchDevice, |hall| {
            let revoke = HouseCommand::RevokeDeviceKey { device: DeviceId::new("none") };
            hall.refused(&shift_manager(), &revoke.into())
        }),
        (Reason::DeviceMayNot, |hall| {
            let make = shoe_key(hall, 1);
            hall.done(&shift_manager(), &make);
            hall.at(&Actor::Device(DeviceId::new("Shoe")), "H1", round::Command::OpenBets {})
                .expect_err("no card")
        }),
        (Reason::DeviceHasKey, |hall| {
            let make = shoe_key(hall, 1);
            hall.done(&shift_manager(), &make);
            hall.refused(&shift_manager(), &make)
        }),
        (Reason::DeviceTimeIsWrong, |hall| {
            let make = shoe_key(hall, 367);
            hall.refused(&shift_manager(), &make)
        }),
        (Reason::ReaderIsStopped, |hall| {
            stop_reader(hall);
            hall.at(&dealer(), "H1", an_ace()).expect_err("play waits")
        }),
        (Reason::CardsAreByHand, |hall| {
            let shoe = stop_reader(hall);
            hall.done(&dealer(), &clear_reader(true));
            hall.at(&shoe, "H1", an_ace()).expect_err("by hand")
        }),
        (Reason::ReaderIsNotStopped, |hall| hall.refused(&dealer(), &clear_reader(true))),
    ]
}

fn an_ace() -> round::Command {
    round::Command::DealCard { card: crate::support::cards("As").pop() }
}

fn people() -> Vec<Row> {
    vec![
        (Reason::HouseIsNotOpen, |_| empty().refused(&dealer(), &register("Eve"))),
        (Reason::HouseIsOpen, |hall| {
            hall.refused(
                &Actor::System,
                &Command::House(HouseCommand::OpenHouse {
                    name: "Again".to_owned(),
                    key: [0; 32],
                    money: Currency::Real,
                    gaming_day: DayRule::default(),
                }),
            )
        }),
        (Reason::NotOfTheStaff, |hall| {
            hall.refused(&Actor::Staff(Person::new("Nobody"), Office::Dealer), &register("Eve"))
        }),
        (Reason::NotOfTheStaff, |hall| {
            hall.refused(&Actor::Staff(Person::new("Dora"), Office::PitManager), &register("Eve"))
        }),
        (Reason::NotAPlayer, |hall| {
            hall.at(&by_player("Nobody"), "H1", round::Command::OpenBets {}).expect_err("not known")
        }),
        (Reason::NotAPlayer, |hall| {
            let inform = round::Command::InformPlayer { player: player("Nobody") };
            hall.at(&dealer(), "H1", inform).expect_err("not known")
        }),
        (Reason::NotToBeForgotten, |hall| {
            let forget = HouseCommand::ForgetGuest { player: player("Ann"), credits: Money::ZERO };
            hall.refused(&Actor::System, &Command::House(forget))
        }),
        (Reason::StaffOnly, |hall| hall.refused(&by_player("Ann"), &register("Eve"))),
        (Reason::OfficeIsTooLow, |hall| {
            let setup = setup(MTHB9, Dealing::Live, None);
            hall.refused(
                &supervisor(),
                &Command::House(HouseCommand::OpenTable { table: table("New"), setup }),
            )
        }),
        (Reason::NameIsWrong, |hall| hall.refused(&dealer(), &register("An\u{200b}n"))),
        (Reason::NotMarkedAsPractice, |_| {
            let (name, key, money) = ("The House".to_owned(), [0; 32], Currency::Practice);
            let gaming_day = DayRule::default();
            let open = HouseCommand::OpenHouse { name, key, money, gaming_day };
            empty().refused(&Actor::System, &Command::House(open))
        }),
        (Reason::NameIsTaken, |hall| hall.refused(&dealer(), &register("ANN"))),
        (Reason::TextIsTooLong, |hall| {
            let (amount, identity) = (dollars(10_000), Some("x".repeat(501)));
            let means = Means::Credits;
            hall.refused(
                &dealer(),
                &Command::House(HouseCommand::BuyIn { player: player("Ann"), amount, means, identity }),
            )
        }),
        (Reason::NoSuchPerson, |hall| {
            two(hall, Proposal::Dismiss { person: Person::new("Nobody") }).expect_err("nobody")
        }),
        (Reason::LastShiftManager, |hall| {
            let dismiss = Proposal::Dismiss { person: Person::new("Gus") };
            hall.two_sign(&staff("Gia"), &accountant(), dismiss).expect_err("two remain")
        }),
        (Reason::LastShiftManager, |hall| {
            let (person, office) = (Person::new("Gus"), Office::Dealer);
            let appoint = Proposal::Appoint { person, office, department: Department::TableGames };
            hall.two_sign(&staff("Gia"), &accountant(), appoint).expect_err("two remain")
        }),
        (Reason::DayIsNotOver, |hall| {
            let today = hall.today();
            hall.two_sign(&manager(), &shift_manager(), sign_day(today)).expect_err("it goes on")
        }),
        (Reason::DayIsSigned, |hall| {
            let yesterday = hall.today() - 1;
            hall.two_sign(&manager(), &shift_manager(), sign_day(yesterday)).expect("it is over");
            hall.two_sign(&manager(), &shift_manager(), sign_day(yesterday)).expect_err("signed")
        }),
        (Reason::HourIsTooSoon, |hall| {
            let change = to_new(new_text("30 to 1", "20 to 1"), hall.memory.now);
            hall.two_sign(&manager(), &accountant(), Proposal::ChangeRules { change }).expect_err("at once")
        }),
        (Reason::RulebookIsWrong, |hall| {
            let from = journal::Moment(hall.memory.now.0 + 3_600_000);
            let change = to_new("version = ten".to_owned(), from);
            hall.two_sign(&manager(), &accountant(), Proposal::ChangeRules { change }).expect_err("no book")
        }),
        (Reason::NothingChanges, |hall| {
            let (person, office) = (Person::new("Dora"), Office::Dealer);
            two(hall, Proposal::Appoint { person, office, department: Department::TableGames })
                .expect_err("already")
        }),
    ]
}

fn trust() -> Vec<Row> {
    vec![
        (Reason::SystemOnly, |hall| {
            let (person, office) = (Person::new("Eve"), Office::Dealer);
            hall.refused(
                &shift_manager(),
                &Command::House(HouseCommand::Appoint { person, office, department: Department::TableGames }),
            )
        }),
        (Reason::SetUpIsOver, |hall| {
            let (person, office) = (Person::new("Eve"), Office::Dealer);
            hall.refused(
                &Actor::System,
                &Command::House(HouseCommand::Appoint { person, office, department: Department::TableGames }),
            )
        }),
        (Reason::NotYourAccount, |hall| {
            let (who, how) = (AccountHolder::Player(player("Ann")), CredentialChange::Changed);
            hall.refused(
                &shift_manager(),
                &Command::House(HouseCommand::SetCredential { who, how, row: None }),
            )
        }),
        (Reason::NotAMember, |_| {
            let mut hall = Hall::demonstration();
            let (player, kind) = (player("Guy"), PlayerKind::Guest);
            let guest = HouseCommand::RegisterPlayer { player: player.clone(), kind };
            hall.done(&dealer(), &Command::House(guest));
            hall.refused(
                &dealer(),
                &Command::House(HouseCommand::Invite { who: AccountHolder::Player(player), row: None }),
            )
        }),
        (Reason::NotInvited, |hall| hall.refused(&shift_manager(), &invite("Dora"))),
        (Reason::NotYourInvitation, |hall| {
            two(hall, Proposal::InviteStaff { person: Person::new("Dora") }).expect("two agree");
            hall.refused(&staff("Max"), &invite("Dora"))
        }),
        (Reason::NeedsSupervisor, |hall| {
            hall.seat("H1", 1, "Ann");
            hall.play(&dealer(), "H1", round::Command::OpenBets {});
            hall.bet("H1", 1, "Ann", PlayingArea::Ante, dollars(1_000));
            hall.bet("H1", 1, "Ann", PlayingArea::Bonus, dollars(25));
            hall.play(&dealer(), "H1", round::Command::CloseBets {});
            hall.deal("H1", &Cards::default());
            let count = round::Command::CountCards { counted: 51 };
            hall.at(&dealer(), "H1", count).expect_err("a Dealer alone")
        }),
        (Reason::NoSecondFactor, |hall| {
            let proposal = Proposal::RemoveSecondFactor { person: Person::new("Dora") };
            hall.refused(&shift_manager(), &Command::House(HouseCommand::Propose { proposal }))
        }),
        (Reason::NotActing, |hall| {
            hall.refused(&Actor::Acting(Person::new("Dora"), Office::PitSupervisor), &register("Eve"))
        }),
        (Reason::ActingTimeIsWrong, |hall| {
            let (person, office, now) = (Person::new("Dora"), Office::PitSupervisor, hall.memory.now);
            two(hall, Proposal::AppointActing { person, office, from: now, until: now.plus_days(15) })
                .expect_err("more than 14 days")
        }),
        (Reason::NotForYourself, |hall| {
            let proposal = Proposal::InviteStaff { person: Person::new("Gus") };
            hall.refused(&shift_manager(), &Command::House(HouseCommand::Propose { proposal }))
        }),
        (Reason::NotForYourself, |hall| {
            let appoint = Proposal::Appoint {
                person: Person::new("Mia"),
                office: Office::GamingShiftManager,
                department: Department::TableGames,
            };
            hall.two_sign(&accountant(), &manager(), appoint).expect_err("herself")
        }),
        (Reason::NotIndependent, |hall| {
            two(hall, Proposal::InviteStaff { person: Person::new("Mia") }).expect("two agree");
            let proposal = Proposal::InviteStaff { person: Person::new("Dora") };
            hall.two_sign(&accountant(), &manager(), proposal).expect_err("they invited her")
        }),
        (Reason::LimitsAreWrong, |hall| {
            let limits = HouseLimits { independence_days: 0, ..HouseLimits::default() };
            two(hall, Proposal::ChangeHouseLimits { limits }).expect_err("never independent")
        }),
        (Reason::SigningKeyIsWrong, |hall| {
            let key = hall.floor.house().key().map(journal::Hash).expect("open");
            two(hall, Proposal::ChangeSigningKey { key }).expect_err("it signs already")
        }),
        (Reason::SigningKeyIsWrong, |hall| {
            two(hall, Proposal::ChangeSigningKey { key: journal::Hash([0; 32]) }).expect_err("no key")
        }),
    ]
}

fn departments() -> Vec<Row> {
    vec![
        (Reason::NotYourDepartment, |hall| hall.refused(&staff("Rex"), &register("Eve"))),
        (Reason::OneDepartmentTwice, |hall| {
            let dismiss = Proposal::Dismiss { person: Person::new("Dan") };
            hall.two_sign(&shift_manager(), &staff("Gia"), dismiss).expect_err("one department")
        }),
        (Reason::DepartmentIsMissing, |_| {
            let mut hall = Hall::of_table_games();
            let proposal = Proposal::Dismiss { person: Person::new("Dan") };
            hall.refused(&shift_manager(), &Command::House(HouseCommand::Propose { proposal }))
        }),
        (Reason::TooNew, |hall| {
            let (person, department) = (Person::new("Eve"), Department::Accounting);
            let office = Office::Dealer;
            two(hall, Proposal::Appoint { person: person.clone(), office, department }).expect("two agree");
            hall.done(&manager(), &adjust());
            let number = hall.floor.house().proposals().map(|(number, _)| number).max().expect("proposed");
            let eve = Actor::Department(person, department);
            hall.refused(&eve, &Command::House(HouseCommand::Confirm { number }))
        }),
        (Reason::ProposalHasExpired, |hall| {
            hall.done(&manager(), &adjust());
            hall.pass_days(8);
            hall.refused(&accountant(), &Command::House(HouseCommand::Confirm { number: 1 }))
        }),
        (Reason::StaffDoNotPlay, |hall| hall.refused(&dealer(), &register("Sue"))),
        (Reason::WordsAreTooFew, |hall| hall.refused(&manager(), &adjust_with("x", Some(counted())))),
        (Reason::EvidenceIsMissing, |hall| hall.refused(&manager(), &adjust_with("it was stuck", None))),
        (Reason::NoSuchEvidence, |hall| {
            let about = Some(jackpot::Evidence::Fault { entry: 1 });
            hall.refused(&manager(), &adjust_with("it was stuck", about))
        }),
        (Reason::DealtTheRound, |hall| {
            hall.whole_round("H1", &["Ann"], &crate::core_jackpot::royal());
            let office = Office::PitSupervisor;
            let department = Department::TableGames;
            two(hall, Proposal::Appoint { person: Person::new("Dora"), office, department })
                .expect("two agree");
            hall.refused(&Actor::Staff(Person::new("Dora"), office), &verify(checked()))
        }),
        (Reason::CustodyIsMissing, |hall| {
            hall.whole_round("H1", &["Ann"], &crate::core_jackpot::royal());
            hall.refused(&supervisor(), &verify(jackpot::Checklist { custody: None, ..checked() }))
        }),
        (Reason::MeansAreWrong, |hall| {
            hall.whole_round("H1", &["Ann"], &crate::core_jackpot::royal());
            let award = jackpot::AwardNumber(1);
            hall.done(&supervisor(), &verify(checked()));
            hall.desk(&manager(), "mega", DeskCommand::Approve { award });
            let reference = "file 7".to_owned();
            hall.desk(&supervisor(), "mega", DeskCommand::RecordDueDiligence { award, reference });
            let command = DeskCommand::Pay { award, means: Some(jackpot::PaidBy::Cash) };
            hall.refused(&dealer(), &Command::Desk { link: link("mega"), command })
        }),
        (Reason::FixedPrizeNeedsTwo, |hall| {
            crate::core_controls::four_of_a_kind(hall, 25);
            hall.at(&dealer(), "H1", round::Command::Settle {}).expect_err("alone")
        }),
    ]
}

/// Two people of two departments who do not depend on each other.
fn sign_day(day: u64) -> Proposal {
    Proposal::SignDay { day, log: Hash([1; 32]), checks: DayChecks::default(), words: String::new() }
}

fn two(hall: &mut Hall, proposal: Proposal) -> Result<Vec<floor::Happened>, Refusal> {
    hall.two_sign(&shift_manager(), &accountant(), proposal)
}

fn invite(name: &str) -> Command {
    Command::House(HouseCommand::Invite { who: AccountHolder::Staff(Person::new(name)), row: None })
}

fn tables() -> Vec<Row> {
    vec![
        (Reason::NoSuchRulebook, |hall| {
            let setup = setup("nothing", Dealing::Live, None);
            hall.refused(&manager(), &Command::House(HouseCommand::OpenTable { table: table("New"), setup }))
        }),
        (Reason::NoSuchTable, |hall| {
            hall.refused(&dealer(), &at("Nowhere", TableCommand::Round(round::Command::OpenBets {})))
        }),
        (Reason::NoSuchTable, |hall| {
            let command = DeskCommand::LoseTable { table: table("T1") };
            hall.refused(&dealer(), &Command::Desk { link: link("mega"), command })
        }),
        (Reason::NoSuchLink, |hall| {
            let setup = setup(MTHB9, Dealing::Live, Some("nothing"));
            hall.refused(&manager(), &Command::House(HouseCommand::OpenTable { table: table("New"), setup }))
        }),
        (Reason::NotInForce, |hall| {
            let setup =
                floor::OpenTable { reason: None, ..setup(crate::support::MTHB6, Dealing::Live, None) };
            hall.refused(&manager(), &Command::House(HouseCommand::OpenTable { table: table("New"), setup }))
        }),
        (Reason::TableIsOpen, |hall| {
            let setup = setup(MTHB9, Dealing::Live, None);
            hall.refused(&manager(), &at("H1", TableCommand::Own(OwnCommand::Reopen { setup })))
        }),
        (Reason::TableIsClosed, |hall| {
            hall.table(&supervisor(), "H1", TableCommand::Own(OwnCommand::AnnounceLastRound {}));
            hall.table(&supervisor(), "H1", TableCommand::Own(OwnCommand::Close {}));
            hall.refused(&dealer(), &at("H1", TableCommand::Round(round::Command::OpenBets {})))
        }),
        (Reason::SetupIsWrong, |hall| {
            let setup = floor::OpenTable { positions: 9, ..setup(MTHB9, Dealing::Live, None) };
            hall.refused(&manager(), &Command::House(HouseCommand::OpenTable { table: table("New"), setup }))
        }),
        (Reason::SetupIsWrong, |hall| {
            let setup = setup(THB6, Dealing::Live, Some("mega"));
            hall.refused(&manager(), &Command::House(HouseCommand::OpenTable { table: table("New"), setup }))
        }),
        (Reason::LinkIsWrong, |hall| {
            let books = vec![MTHB9.to_owned(), THB6.to_owned()];
            let (link, parameters, opening) = (link("new"), parameters(), Pool::ZERO);
            let proposal = Proposal::OpenLink { link, books, settings: parameters, opening };
            hall.refused(&shift_manager(), &Command::House(HouseCommand::Propose { proposal }))
        }),
        (Reason::TablesPlayForIt, |hall| {
            announce_closing(hall, "mega");
            let proposal = Proposal::CloseLink { link: link("mega") };
            hall.refused(&shift_manager(), &Command::House(HouseCommand::Propose { proposal }))
        }),
        (Reason::NoticeIsShort, |hall| {
            let opening = Pool::try_from(parameters().reset).expect("fits");
            let (books, settings) = (vec![MTHB9.to_owned()], parameters());
            let open = Proposal::OpenLink { link: link("new"), books, settings, opening };
            hall.two_sign(&staff("Max"), &accountant(), open).expect("two people may");
            announce_closing(hall, "new");
            let proposal = Proposal::CloseLink { link: link("new") };
            hall.refused(&shift_manager(), &Command::House(HouseCommand::Propose { proposal }))
        }),
        (Reason::LimitsAreTooHigh, |hall| {
            let most = Money::from_cents(100_000_001);
            let limits = Limits { ante: dollars(1)..=most, bonus: Some(dollars(1)..=dollars(2)) };
            hall.refused(&manager(), &at("H1", TableCommand::Own(OwnCommand::ChangeLimits { limits })))
        }),
        (Reason::LastRoundNotAnnounced, |hall| {
            hall.refused(&supervisor(), &at("H1", TableCommand::Own(OwnCommand::Close {})))
        }),
        (Reason::LastRoundIsToCome, |hall| {
            hall.whole_round("H1", &["Ann"], &Cards::default());
            hall.table(&supervisor(), "H1", TableCommand::Own(OwnCommand::AnnounceLastRound {}));
            hall.refused(&supervisor(), &at("H1", TableCommand::Own(OwnCommand::Close {})))
        }),
        (Reason::DeckIsNeeded, |hall| {
            found_foreign(hall);
            hall.at(&dealer(), "H1", round::Command::BeginNextRound {}).expect_err("no deck")
        }),
        (Reason::DeckIsQuarantined, |hall| {
            let bring = || {
                let own = OwnCommand::BringDeck { deck: "H1-7".to_owned(), receipt: None };
                at("H1", TableCommand::Own(own))
            };
            hall.done(&dealer(), &bring());
            found_foreign(hall);
            hall.refused(&dealer(), &bring())
        }),
        (Reason::LastRoundIsOver, |hall| {
            hall.table(&supervisor(), "H1", TableCommand::Own(OwnCommand::AnnounceLastRound {}));
            hall.whole_round("H1", &["Ann"], &Cards::default());
            hall.at(&dealer(), "H1", round::Command::BeginNextRound {}).expect_err("the last round")
        }),
        (Reason::LastRoundIsAnnounced, |hall| {
            hall.table(&supervisor(), "H1", TableCommand::Own(OwnCommand::AnnounceLastRound {}));
            hall.refused(&supervisor(), &at("H1", TableCommand::Own(OwnCommand::AnnounceLastRound {})))
        }),
        (Reason::RoundIsInPlay, |hall| {
            hall.table(&supervisor(), "H1", TableCommand::Own(OwnCommand::AnnounceLastRound {}));
            hall.play(&dealer(), "H1", round::Command::OpenBets {});
            hall.refused(&supervisor(), &at("H1", TableCommand::Own(OwnCommand::Close {})))
        }),
    ]
}

/// A round in which a foreign card is found.
fn found_foreign(hall: &mut Hall) {
    hall.ready("H1", &["Ann"]);
    hall.play(&dealer(), "H1", round::Command::DeclareBadCards { fault: round::CardFault::Foreign });
}

fn rounds() -> Vec<Row> {
    vec![
        (Reason::NotBetweenRounds, |hall| {
            hall.ready("H1", &["Ann"]);
            let stream = journal::Stream::Table(table("H1"));
            hall.refused(&Actor::System, &Command::CarryForward { stream })
        }),
        (Reason::NotTheState, |hall| {
            // A cent that no transfer moved.
            hall.memory.balances.entry(journal::Account::House).or_default().0 += 10_000;
            let stream = journal::Stream::House;
            hall.refused(&Actor::System, &Command::CarryForward { stream })
        }),
        (Reason::LossIsNotSigned, |hall| {
            hall.done(&Actor::System, &crate::core_loss::accepted());
            let command =
                TableCommand::Round(wager(1, "Ann", PlayingArea::Ante, dollars(25), Means::Credits));
            hall.refused(&by_player("Ann"), &Command::Table { table: table("H1"), command })
        }),
        (Reason::UndoingIsProposed, |hall| {
            hall.whole_round("H1", &["Ann"], &Cards::default());
            hall.done(&supervisor(), &propose_void("H1"));
            hall.at(&dealer(), "H1", round::Command::BeginNextRound {}).expect_err("proposed")
        }),
        (Reason::PlayersHaveTime, |hall| {
            hall.ready("H1", &["Ann"]);
            hall.play(&dealer(), "H1", round::Command::ReportPowerFailure {});
            let silent = round::Command::ReportNoAnswer { player: player("Ann") };
            let refusal = hall.at(&dealer(), "H1", silent.clone()).expect_err("asked a moment ago");
            hall.wait(20_000);
            hall.play(&dealer(), "H1", silent);
            refusal
        }),
        (Reason::ReasonIsMissing, |hall| {
            let prohibit = round::Command::ProhibitPlayer { player: player("Ann"), reason: None };
            hall.at(&shift_manager(), "S1", prohibit).expect_err("why?")
        }),
        (Reason::NotYourLimits, |hall| hall.refused(&by_player("Bob"), &own_limits(Some(100), None))),
        (Reason::LossLimitReached, |hall| {
            hall.done(&by_player("Ann"), &own_limits(Some(50), None));
            hall.seat("H1", 1, "Ann");
            hall.play(&dealer(), "H1", round::Command::OpenBets {});
            let ante = wager(1, "Ann", PlayingArea::Ante, dollars(100), Means::Credits);
            hall.at(&by_player("Ann"), "H1", ante).expect_err("more than she may lose")
        }),
        (Reason::TimeLimitReached, |hall| {
            hall.done(&by_player("Ann"), &own_limits(None, Some(1)));
            hall.ready("H1", &["Ann"]);
            hall.wait(60_000);
            hall.finish("H1", &Cards::default(), |_, _| Decision::Fold);
            hall.next_round("H1");
            hall.play(&dealer(), "H1", round::Command::OpenBets {});
            let ante = wager(1, "Ann", PlayingArea::Ante, dollars(100), Means::Credits);
            hall.at(&by_player("Ann"), "H1", ante).expect_err("longer than she may play")
        }),
        (Reason::WagersHaveChanged, |hall| {
            hall.ready("H1", &["Ann"]);
            hall.finish("H1", &Cards::default(), |_, _| Decision::Fold);
            hall.next_round("H1");
            hall.play(&dealer(), "H1", round::Command::OpenBets {});
            let ante = OwnWager { position: Position(1), area: PlayingArea::Ante, amount: dollars(100) };
            let (player, seen) = (player("Ann"), [ante].into());
            let set = OwnCommand::SetWagers { player, wagers: [ante].into(), seen };
            hall.refused(&by_player("Ann"), &at("H1", TableCommand::Own(set)))
        }),
        (Reason::SupervisorIsCalled, |hall| {
            let call = Command::Table {
                table: table("H1"),
                command: TableCommand::Own(OwnCommand::CallSupervisor {}),
            };
            hall.done(&dealer(), &call);
            hall.refused(&dealer(), &call)
        }),
        (Reason::NobodyCalled, |hall| {
            let answer =
                Command::Table { table: table("H1"), command: TableCommand::Own(OwnCommand::AnswerCall {}) };
            hall.refused(&supervisor(), &answer)
        }),
    ]
}

fn later_in_rounds() -> Vec<Row> {
    vec![
        (Reason::PlayerIsProhibited, |hall| {
            hall.play(
                &shift_manager(),
                "S1",
                round::Command::ProhibitPlayer {
                    player: player("Ann"),
                    reason: Some("showed the hand".to_owned()),
                },
            );
            let take = round::Command::TakePosition { position: Position(1), player: player("Ann") };
            hall.at(&by_player("Ann"), "H1", take).expect_err("prohibited")
        }),
        (Reason::SoftwareDeals, |hall| {
            let card = Some("Ah".parse().expect("a card"));
            hall.at(&dealer(), "H2", round::Command::DealCard { card }).expect_err("software deals")
        }),
        (Reason::TooLateToView, |hall| {
            hall.ready("H2", &["Ann", "Bob"]);
            decline_first(hall, "H2");
            let view = round::Command::ViewDeclinedHand { position: Position(1) };
            hall.at(&supervisor(), "H2", view).expect_err("the round is over")
        }),
        (Reason::NoShuffle, |hall| {
            hall.refused(&dealer(), &at("H1", TableCommand::Own(OwnCommand::DealAll {})))
        }),
        (Reason::NotAtTheTable, |hall| hall.refused(&by_player("Ann"), &commit_salts("H2", "Ann", 0))),
        (Reason::NoSaltIsAwaited, |hall| {
            salted(hall);
            let salt = hall.next_salt("H2", "Ann").expect("a chain");
            hall.refused(&by_player("Ann"), &open_salt("H2", "Ann", salt))
        }),
        (Reason::SaltIsWrong, |hall| {
            salted(hall);
            hall.ready("H2", &["Ann"]);
            hall.refused(&by_player("Ann"), &open_salt("H2", "Ann", Hash([1; 32])))
        }),
        (Reason::SaltsHaveTime, |hall| {
            salted(hall);
            hall.ready("H2", &["Ann"]);
            hall.refused(&dealer(), &drop_salts("H2"))
        }),
        (Reason::SaltsAreAwaited, |hall| {
            salted(hall);
            hall.ready("H2", &["Ann"]);
            hall.refused(&dealer(), &at("H2", TableCommand::Own(OwnCommand::DealAll {})))
        }),
        (Reason::SeedIsLost, |hall| {
            hall.ready("H2", &["Ann"]);
            hall.memory.sealed.clear();
            hall.refused(&dealer(), &at("H2", TableCommand::Own(OwnCommand::DealAll {})))
        }),
    ]
}

fn jackpots() -> Vec<Row> {
    vec![
        (Reason::TableIsLost, |hall| {
            hall.desk(&dealer(), "mega", DeskCommand::LoseTable { table: table("H1") });
            hall.seat("H1", 1, "Ann");
            hall.play(&dealer(), "H1", round::Command::OpenBets {});
            let wager = wager(1, "Ann", PlayingArea::Jackpot, dollars(5), Means::Credits);
            hall.at(&by_player("Ann"), "H1", wager).expect_err("lost")
        }),
        (Reason::EntryMustWait, |hall| {
            hall.ready("H1", &["Ann"]);
            hall.desk(&dealer(), "mega", DeskCommand::LoseTable { table: table("H1") });
            hall.deal("H1", &Cards::default());
            let fold = round::Command::Decide { position: Position(1), decision: Decision::Fold };
            hall.play(&by_player("Ann"), "H1", fold);
            hall.play(&dealer(), "H1", round::Command::Expose {});
            hall.at(&dealer(), "H1", round::Command::Settle {}).expect_err("lost")
        }),
        (Reason::JackpotIsEntered, |hall| {
            hall.whole_round("H1", &["Ann"], &royal());
            let effect = Effect::Wager {
                position: Position(1),
                area: PlayingArea::Jackpot,
                outcome: RuledOutcome::Collected,
            };
            let ruling = Ruling { words: "no award".to_owned(), effects: vec![effect] };
            hall.at(&shift_manager(), "H1", round::Command::MakeRuling { ruling }).expect_err("entered")
        }),
        (Reason::NeedsSecondSignature, |hall| {
            hall.whole_round("H1", &["Ann"], &Cards::default());
            hall.at(&supervisor(), "H1", round::Command::CountCards { counted: 51 }).expect_err("entered")
        }),
        (Reason::NotAnUndoing, |hall| {
            let (table, command) = (table("H1"), round::Command::OpenBets {});
            let proposal = Proposal::UndoRound { table, round: 1, command };
            hall.refused(&supervisor(), &Command::House(HouseCommand::Propose { proposal }))
        }),
        (Reason::NoRoundToUndo, |hall| hall.refused(&supervisor(), &propose_void("H1"))),
        (Reason::NoSuchRound, |hall| {
            let ruling = Ruling { words: "so ruled".to_owned(), effects: Vec::new() };
            two(hall, Proposal::Rule { table: table("H1"), round: 9, ruling }).expect_err("not there")
        }),
        (Reason::NoSuchProposal, |hall| {
            hall.refused(&supervisor(), &Command::House(HouseCommand::Confirm { number: 1 }))
        }),
        (Reason::OnePersonTwice, |hall| {
            hall.done(&shift_manager(), &adjust());
            hall.refused(&shift_manager(), &Command::House(HouseCommand::Confirm { number: 1 }))
        }),
        (Reason::NotOfTheStaff, |hall| {
            hall.done(&manager(), &adjust());
            let number = hall.floor.house().proposals().map(|(number, _)| number).max().expect("proposed");
            two(hall, Proposal::Dismiss { person: Person::new("Mia") }).expect("two agree");
            hall.refused(&shift_manager(), &Command::House(HouseCommand::Confirm { number }))
        }),
        (Reason::NotYours, |hall| {
            hall.done(&shift_manager(), &adjust());
            hall.refused(&supervisor(), &Command::House(HouseCommand::WithdrawProposal { number: 1 }))
        }),
    ]
}

fn money() -> Vec<Row> {
    vec![
        (Reason::NoAmount, |hall| hall.refused(&dealer(), &buy_in("Ann", Money::ZERO, None))),
        (Reason::AmountTooLarge, |hall| {
            let amount = Money::from_cents(100_000_000_001);
            hall.refused(&dealer(), &buy_in("Ann", amount, Some("passport")))
        }),
        (Reason::RealMoney, |hall| {
            let grant = Command::House(HouseCommand::GrantCredits {
                player: player("Ann"),
                amount: dollars(1),
                means: Means::Credits,
            });
            hall.refused(&manager(), &grant)
        }),
        (Reason::RealMoney, |hall| hall.refused(&Actor::System, &guest("Guy"))),
        (Reason::PlayMoney, |_| Hall::demonstration().refused(&dealer(), &buy_in("Ann", dollars(1), None))),
        (Reason::PlayMoney, |_| {
            Hall::demonstration().refused(&supervisor(), &cash_out("Ann", dollars(1), Means::Credits))
        }),
        (Reason::AboveLimit, |hall| {
            hall.refused(&dealer(), &buy_in("Ann", dollars(10_001), Some("passport")))
        }),
        (Reason::AboveLimit, |hall| {
            for _ in 0..5 {
                hall.done(&dealer(), &buy_in("Ann", dollars(10_000), Some("passport")));
            }
            hall.refused(&dealer(), &buy_in("Ann", dollars(1), Some("passport")))
        }),
        (Reason::AboveLimit, |hall| {
            let limits = Limits { ante: dollars(25)..=dollars(10_001), bonus: None };
            let command = TableCommand::Own(OwnCommand::ChangeLimits { limits });
            hall.refused(&manager(), &Command::Table { table: table("S1"), command })
        }),
        (Reason::AboveCeiling, |hall| {
            let (player, amount) = (player("Ann"), dollars(1_000_001));
            let (means, identity) = (Means::Credits, Some("passport".to_owned()));
            two(hall, Proposal::BuyIn { player, amount, means, identity }).expect_err("too much for anybody")
        }),
        (Reason::IdentityIsMissing, |hall| {
            hall.done(&dealer(), &buy_in("Ann", Money::from_cents(999_999), None));
            hall.refused(&dealer(), &buy_in("Ann", dollars(10_000), Some("  ")))
        }),
        (Reason::NotEnoughCredits, |hall| {
            let (player, amount) = (player("Ann"), dollars(50_001));
            let (means, identity) = (Means::Credits, Some("passport".to_owned()));
            let proposal = Proposal::CashOut { player, amount, means, identity };
            hall.two_sign(&supervisor(), &manager(), proposal).expect_err("not there")
        }),
        (Reason::NotEnoughChips, |hall| {
            hall.refused(&supervisor(), &cash_out("Ann", dollars(1), Means::Chips))
        }),
        (Reason::NotSoMuchOwed, |hall| {
            hall.refused(
                &dealer(),
                &Command::House(HouseCommand::RepayDebt { player: player("Ann"), amount: dollars(1) }),
            )
        }),
        (Reason::DebtIsOpen, |hall| {
            owe(hall);
            hall.done(&dealer(), &buy_in("Ann", dollars(1), None));
            hall.refused(&supervisor(), &cash_out("Ann", dollars(1), Means::Credits))
        }),
    ]
}

fn at(name: &str, command: TableCommand) -> Command {
    Command::Table { table: table(name), command }
}

/// Ann adds salts to the shuffles of H2.
fn salted(hall: &mut Hall) {
    hall.seat("H2", 1, "Ann");
    hall.done(&by_player("Ann"), &commit_salts("H2", "Ann", 0));
    hall.whole_round("H2", &["Ann"], &Cards::default());
    hall.next_round("H2");
}

fn propose_void(name: &str) -> Command {
    let command = round::Command::CountCards { counted: 51 };
    Command::House(HouseCommand::Propose {
        proposal: Proposal::UndoRound { table: table(name), round: 1, command },
    })
}

fn verify(checklist: jackpot::Checklist) -> Command {
    let command = DeskCommand::Verify { award: jackpot::AwardNumber(1), checklist };
    Command::Desk { link: link("mega"), command }
}

fn adjust_with(words: &str, about: Option<jackpot::Evidence>) -> Command {
    let amount = Pool::try_from(dollars(1)).expect("fits");
    let (link, cause, words) = (link("mega"), Cause::MalfunctionTooLow, words.to_owned());
    let proposal = Proposal::AdjustMeter { link, cause, amount, words, about };
    Command::House(HouseCommand::Propose { proposal })
}

fn adjust() -> Command {
    let amount = Pool::try_from(dollars(1)).expect("fits");
    let (link, cause, words) = (link("mega"), Cause::MalfunctionTooLow, "the meter was stuck".to_owned());
    let proposal = Proposal::AdjustMeter { link, cause, amount, words, about: Some(counted()) };
    Command::House(HouseCommand::Propose { proposal })
}

fn buy_in(who: &str, amount: Money, identity: Option<&str>) -> Command {
    let identity = identity.map(str::to_owned);
    Command::House(HouseCommand::BuyIn { player: player(who), amount, means: Means::Credits, identity })
}

fn cash_out(who: &str, amount: Money, means: Means) -> Command {
    let identity = Some("passport".to_owned());
    Command::House(HouseCommand::CashOut { player: player(who), amount, means, identity })
}

fn guest(name: &str) -> Command {
    Command::House(HouseCommand::RegisterPlayer { player: player(name), kind: PlayerKind::Guest })
}

fn royal() -> Cards {
    Cards::default().hand(1, "Ah Kh").community("Qh Jh Th 2c 3d")
}

/// Everybody wagers to the end, the first position declines comparison, and the round is settled.
fn decline_first(hall: &mut Hall, name: &str) {
    while hall.round(name).stage() != round::Stage::Showing {
        match hall.round(name).stage() {
            round::Stage::Dealing => hall.deal(name, &Cards::default()),
            round::Stage::Deciding(_) => {
                for position in [Position(1), Position(2)] {
                    let decide = round::Command::Decide { position, decision: Decision::Wager };
                    hall.play(&dealer(), name, decide);
                }
            }
            _ => drop(hall.play(&dealer(), name, round::Command::Expose {})),
        }
    }
    hall.play(&dealer(), name, round::Command::DeclineComparison { position: Position(1) });
    hall.play(&dealer(), name, round::Command::ShowHand { position: Position(2) });
    hall.play(&dealer(), name, round::Command::Settle {});
}

/// Ann wins, cashes out all she has, and the round is found void: she owes what she won.
fn owe(hall: &mut Hall) {
    hall.seat("H1", 1, "Ann");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    hall.bet("H1", 1, "Ann", PlayingArea::Ante, dollars(100));
    hall.play(&dealer(), "H1", round::Command::CloseBets {});
    hall.finish("H1", &royal(), |_, _| Decision::Wager);
    let all = Money::from_cents(hall.wallet("Ann"));
    hall.cash_out("Ann", all).expect("she has it");
    hall.pass_days(1);
    hall.play(&supervisor(), "H1", round::Command::CountCards { counted: 51 });
}

/// Two people announce that a link closes.
fn announce_closing(hall: &mut Hall, name: &str) {
    let (to, words) = (jackpot::Destination::House, "the game ends".to_owned());
    let announce = Proposal::AnnounceClosing { link: link(name), to, words };
    hall.two_sign(&staff("Max"), &accountant(), announce).expect("two people may");
}
