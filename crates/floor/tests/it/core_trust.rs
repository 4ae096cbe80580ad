//! Nobody is trusted alone: what one person tried as the findings report it, and what happens now.

use floor::permissions::{self, Who};
use floor::{Command, Happened, HouseCommand, OwnCommand, Refusal, TableCommand};
use jackpot::{Cause, Department, Person};
use journal::{AccountHolder, Actor, CredentialChange, Event, HouseEvent, HouseLimits, PlayerKind, Proposal};
use money::{Odds, Pool};
use round::{Command as C, Decision, Effect, RuledOutcome, Ruling, Stage};
use rulebook::{Limits, Means, Office, PlayingArea, Position};

use crate::support::{
    Cards, Hall, accountant, by_player, counted, dealer, dollars, link, manager, player, shift_manager,
    staff, supervisor, table,
};

fn person(name: &str) -> Person {
    Person::new(name)
}

/// Somebody in an office that [`crate::support::STAFF`] does not list.
fn alias(office: Office) -> Actor {
    Actor::Staff(person("Alias"), office)
}

fn appoint(name: &str, office: Office) -> Proposal {
    Proposal::Appoint { person: person(name), office, department: Department::TableGames }
}

fn invite(name: &str) -> Command {
    Command::House(HouseCommand::Invite { who: AccountHolder::Staff(person(name)), row: None })
}

fn set_password(name: &str, how: CredentialChange) -> Command {
    Command::House(HouseCommand::SetCredential { who: AccountHolder::Staff(person(name)), how, row: None })
}

fn adjust() -> Proposal {
    let (cause, amount) = (Cause::MalfunctionTooLow, Pool::try_from(dollars(5_000_000)).expect("fits"));
    let words = "so it was counted".to_owned();
    Proposal::AdjustMeter { link: link("mega"), cause, amount, words, about: Some(counted()) }
}

/// What the confirmation of the newest proposal by somebody does.
fn confirm(hall: &mut Hall, who: &Actor) -> Result<Vec<Happened>, Refusal> {
    let number = hall.floor.house().proposals().map(|(number, _)| number).max().expect("proposed");
    hall.give(who, &Command::House(HouseCommand::Confirm { number }))
}

/// One Gaming Shift Manager appoints an alias, takes its invitation, proposes and confirms alone (finding 5).
#[test]
fn one_manager_does_not_become_two() {
    let mut hall = Hall::open();
    let (gus, gia) = (shift_manager(), staff("Gia"));
    let alone = HouseCommand::Appoint {
        person: person("Alias"),
        office: Office::GamingShiftManager,
        department: Department::TableGames,
    };
    assert_eq!(hall.refused(&gus, &Command::House(alone)).reason, "SystemOnly");
    let proposal = appoint("Alias", Office::GamingShiftManager);
    hall.done(&gus, &Command::House(HouseCommand::Propose { proposal }));
    assert_eq!(confirm(&mut hall, &gus).expect_err("alone").reason, "OnePersonTwice");
    assert_eq!(hall.refused(&gus, &invite("Alias")).reason, "NoSuchPerson");
    // Somebody of another department agrees to the person. The account is still no second person to either of them.
    assert_eq!(confirm(&mut hall, &gia).expect_err("one department").reason, "OneDepartmentTwice");
    confirm(&mut hall, &accountant()).expect("two departments");
    assert_eq!(hall.refused(&staff("Max"), &invite("Alias")).reason, "NotYourInvitation");
    hall.done(&gus, &invite("Alias"));
    hall.done(&accountant(), &invite("Alias"));
    let alias = alias(Office::GamingShiftManager);
    hall.done(&alias, &set_password("Alias", CredentialChange::Invitation));
    hall.pass_days(1);
    for (first, second, proposal) in [
        (&alias, &accountant(), adjust()),
        (&accountant(), &alias, adjust()),
        (&gus, &alias, raised_limits()),
        (&alias, &gus, raised_limits()),
    ] {
        let refusal = hall.two_sign(first, second, proposal).expect_err("not two people");
        assert_eq!(refusal.reason, "NotIndependent");
        assert!(refusal.sentence.contains("within 30 days"), "{refusal}");
        let number = hall.floor.house().proposals().map(|(number, _)| number).max().expect("proposed");
        hall.done(first, &Command::House(HouseCommand::WithdrawProposal { number }));
    }
    // Somebody else, or time, makes them two.
    hall.two_sign(&alias, &staff("Ada"), adjust()).expect("independent");
    hall.pass_days(30);
    hall.two_sign(&alias, &accountant(), adjust()).expect("a month later");
}

/// Wagers at a table above the house's limit, which two of Table Games may allow.
fn raised_limits() -> Proposal {
    let limits = Limits { ante: dollars(25)..=dollars(50_000), bonus: None };
    Proposal::ChangeTableLimits { table: table("S1"), limits, from: None }
}

/// Inviting a colleague anew takes the account over (finding 5): it takes two departments, each of the two has only one half
/// of the token, and those two never sign with it.
#[test]
fn an_account_is_not_taken_over_alone() {
    let mut hall = Hall::open();
    let (gus, sol, mia) = (shift_manager(), staff("Sol"), manager());
    assert_eq!(hall.refused(&gus, &invite("Mia")).reason, "NotInvited");
    let proposal = Proposal::InviteStaff { person: person("Mia") };
    hall.done(&gus, &Command::House(HouseCommand::Propose { proposal: proposal.clone() }));
    assert_eq!(confirm(&mut hall, &gus).expect_err("alone").reason, "OnePersonTwice");
    assert_eq!(confirm(&mut hall, &mia).expect_err("herself").reason, "OneDepartmentTwice");
    confirm(&mut hall, &sol).expect("two departments");
    hall.done(&gus, &invite("Mia"));
    hall.done(&gus, &invite("Mia"));
    let too_early = hall.refused(&mia, &set_password("Mia", CredentialChange::Invitation));
    assert_eq!(
        too_early.reason, "NotInvited",
        "one of the two alone has no whole token, however often they ask"
    );
    hall.done(&sol, &invite("Mia"));
    assert_eq!(hall.refused(&gus, &invite("Mia")).reason, "NotInvited", "once");
    hall.done(&mia, &set_password("Mia", CredentialChange::Invitation));
    let again = hall.refused(&mia, &set_password("Mia", CredentialChange::Invitation));
    assert_eq!(again.reason, "NotInvited");
    let limits = raised_limits();
    assert_eq!(hall.two_sign(&gus, &mia, limits).expect_err("hers is his").reason, "NotIndependent");
    confirm(&mut hall, &staff("Max")).expect("independent");
}

/// What moves a meter, its terms or people takes two departments, in whichever order they sign.
#[test]
fn two_of_one_department_are_one() {
    let mut hall = Hall::open();
    let (gus, gia, abe, sol) = (shift_manager(), staff("Gia"), accountant(), staff("Sol"));
    let limits = || {
        let limits = HouseLimits { ruling: dollars(5_000), ..HouseLimits::default() };
        Proposal::ChangeHouseLimits { limits }
    };
    for proposal in
        [adjust(), limits(), appoint("Eve", Office::Dealer), Proposal::Dismiss { person: person("Dan") }]
    {
        let refusal = hall.two_sign(&gus, &gia, proposal).expect_err("both of Table Games");
        assert_eq!(refusal.reason, "OneDepartmentTwice");
        assert!(refusal.sentence.contains("Accounting"), "{refusal}");
    }
    assert_eq!(
        hall.two_sign(&abe, &staff("Ada"), adjust()).expect_err("both of Accounting").reason,
        "OneDepartmentTwice"
    );
    assert_eq!(
        hall.two_sign(&gus, &sol, adjust()).expect_err("not of Accounting").reason,
        "NotYourDepartment"
    );
    assert_eq!(hall.two_sign(&abe, &supervisor(), adjust()).expect_err("too low").reason, "OfficeIsTooLow");
    hall.two_sign(&abe, &manager(), adjust()).expect("Accounting first");
    hall.two_sign(&gus, &abe, limits()).expect("Accounting second");
    hall.two_sign(&sol, &gus, appoint("Eve", Office::Dealer)).expect("Surveillance");
    hall.two_sign(&staff("Sid"), &gus, Proposal::Dismiss { person: person("Eve") }).expect("Security");
}

/// Those outside Table Games sign, and do nothing else: no table, no desk, no counter, no award. The Regulator not even that.
#[test]
fn other_departments_only_sign() {
    let mut hall = Hall::open();
    let register = HouseCommand::RegisterPlayer { player: player("Eve"), kind: PlayerKind::Member };
    let open = Command::Table { table: table("H1"), command: TableCommand::Round(C::OpenBets {}) };
    let lose = floor::DeskCommand::LoseTable { table: table("H1") };
    let lose = Command::Desk { link: link("mega"), command: lose };
    let deal = Command::Table { table: table("H1"), command: TableCommand::Own(OwnCommand::DealAll {}) };
    for name in ["Abe", "Sol", "Sid", "Rex"] {
        for command in [&Command::House(register.clone()), &open, &lose, &deal] {
            assert_eq!(
                hall.refused(&staff(name), command).reason,
                "NotYourDepartment",
                "{name}: {command:?}"
            );
        }
        let ruling = Proposal::RejectAward {
            link: link("mega"),
            award: jackpot::AwardNumber(1),
            cause: jackpot::RejectCause::EnteredInError,
        };
        let propose = Command::House(HouseCommand::Propose { proposal: ruling });
        assert_eq!(hall.refused(&staff(name), &propose).reason, "NotYourDepartment", "{name}");
    }
    let rex = staff("Rex");
    hall.done(&shift_manager(), &Command::House(HouseCommand::Propose { proposal: adjust() }));
    assert_eq!(confirm(&mut hall, &rex).expect_err("looks only").reason, "NotYourDepartment");
    let number = hall.floor.house().proposals().map(|(number, _)| number).max().expect("proposed");
    let withdraw = Command::House(HouseCommand::WithdrawProposal { number });
    assert_eq!(hall.refused(&rex, &withdraw).reason, "NotYourDepartment");
    assert_eq!(
        hall.refused(&rex, &Command::House(HouseCommand::Propose { proposal: adjust() })).reason,
        "NotYourDepartment"
    );
}

/// A house of Table Games alone is told what is missing, gets somebody of Accounting as it got everybody before, and nothing
/// else until then.
#[test]
fn a_house_gets_its_first_accountant() {
    let mut hall = Hall::of_table_games();
    let (gus, gia) = (shift_manager(), staff("Gia"));
    for proposal in
        [adjust_new_link(), appoint("Eve", Office::Dealer), appoint_to("Sol", Department::Surveillance)]
    {
        let refusal = hall.refused(&gus, &Command::House(HouseCommand::Propose { proposal }));
        assert_eq!(refusal.reason, "DepartmentIsMissing");
        assert!(refusal.sentence.contains("the first person of Accounting"), "{refusal}");
    }
    let first = appoint_to("Abe", Department::Accounting);
    assert_eq!(
        hall.two_sign(&manager(), &staff("Max"), first).expect_err("as today").reason,
        "OfficeIsTooLow"
    );
    confirm(&mut hall, &gia).expect("as before there were departments");
    assert_eq!(hall.floor.house().office(&person("Abe")), None, "no office of Table Games");
    // The lost invitation of whoever is alone outside Table Games is replaced by the same two.
    hall.two_sign(&manager(), &gia, Proposal::InviteStaff { person: person("Abe") })
        .expect("nobody else could");
    // A second one takes the first.
    let second = appoint_to("Ada", Department::Accounting);
    assert_eq!(hall.two_sign(&gus, &gia, second).expect_err("there is one").reason, "OneDepartmentTwice");
    confirm(&mut hall, &accountant()).expect("two departments");
    let eve = appoint("Eve", Office::Dealer);
    hall.two_sign(&gus, &accountant(), eve).expect("two departments");
}

fn appoint_to(name: &str, department: Department) -> Proposal {
    Proposal::Appoint { person: person(name), office: Office::Dealer, department }
}

fn adjust_new_link() -> Proposal {
    let limits = HouseLimits { ruling: dollars(5_000), ..HouseLimits::default() };
    Proposal::ChangeHouseLimits { limits }
}

/// Who was appointed a short time ago signs for no money and no terms, first or second; those of the set-up do at once.
#[test]
fn a_new_signature_does_not_count_at_once() {
    let mut hall = Hall::open();
    let (gus, abe, eve) =
        (shift_manager(), accountant(), Actor::Department(person("Eve"), Department::Accounting));
    hall.two_sign(&gus, &abe, appoint_to("Eve", Department::Accounting)).expect("two departments");
    let hours = |hours: u64| hours * 60 * 60 * 1000;
    hall.wait(hours(23));
    for (first, second) in [(manager(), eve.clone()), (eve.clone(), manager())] {
        let refusal = hall.two_sign(&first, &second, adjust()).expect_err("too new");
        assert_eq!(refusal.reason, "TooNew");
        assert!(refusal.sentence.contains("Eve, 24 hours"), "{refusal}");
    }
    // People may be signed for: it is neither money nor terms.
    hall.two_sign(&manager(), &eve, appoint("Eli", Office::Dealer)).expect("no money");
    hall.wait(hours(1));
    hall.two_sign(&manager(), &eve, adjust()).expect("a day later");
    // Whoever moves to another department is new there; another office of the same department makes nobody new.
    hall.two_sign(&gus, &abe, appoint("Pam", Office::GamingShiftManager)).expect("two departments");
    hall.two_sign(&Actor::Staff(person("Pam"), Office::GamingShiftManager), &staff("Ada"), adjust())
        .expect("known");
    hall.two_sign(&gus, &staff("Sid"), appoint_to("Dan", Department::Accounting)).expect("two departments");
    let dan = Actor::Department(person("Dan"), Department::Accounting);
    assert_eq!(hall.two_sign(&manager(), &dan, adjust()).expect_err("new there").reason, "TooNew");
    // In a demonstration it counts at once.
    let mut play = Hall::demonstration();
    play.two_sign(&gus, &abe, appoint_to("Eve", Department::Accounting)).expect("two departments");
    play.two_sign(&manager(), &eve, adjust()).expect("play money");
}

/// A reset writes the log, and so does every other change of a credential (finding 14).
#[test]
fn every_credential_is_in_the_log() {
    let mut hall = Hall::open();
    let who = AccountHolder::Staff(person("Dora"));
    hall.two_sign(&shift_manager(), &staff("Sol"), Proposal::InviteStaff { person: person("Dora") })
        .expect("two people");
    hall.done(&shift_manager(), &invite("Dora"));
    hall.done(&staff("Sol"), &invite("Dora"));
    assert_eq!(
        hall.refused(&shift_manager(), &set_password("Dora", CredentialChange::Invitation)).reason,
        "NotYourAccount"
    );
    hall.done(&dealer(), &set_password("Dora", CredentialChange::Invitation));
    hall.done(&dealer(), &set_password("Dora", CredentialChange::Changed));
    assert!(hall.floor.house().has_password(&who));
    hall.two_sign(&shift_manager(), &staff("Sol"), Proposal::InviteStaff { person: person("Dora") })
        .expect("two people");
    hall.done(&shift_manager(), &invite("Dora"));
    hall.done(&staff("Sol"), &invite("Dora"));
    assert!(hall.floor.house().is_invited(&who));
    hall.two_sign(&shift_manager(), &staff("Sol"), Proposal::Dismiss { person: person("Dora") })
        .expect("two people");
    assert!(!hall.floor.house().is_invited(&who) && !hall.floor.house().has_password(&who), "all of it ends");
    let said = |happened: &Happened| match &happened.event {
        Event::House(HouseEvent::Invited { who: of, .. }) if *of == who => Some("invited".to_owned()),
        Event::House(HouseEvent::CredentialSet { who: of, how, .. }) if *of == who => {
            Some(format!("{how:?}"))
        }
        _ => None,
    };
    let log: Vec<String> = hall.log.iter().filter_map(said).collect();
    assert_eq!(log, ["invited", "invited", "Invitation", "Changed", "invited", "invited", "Withdrawn"]);
}

/// A house that nobody runs yet is set up by the system; from the first signature on it is not.
#[test]
fn the_system_appoints_only_at_first() {
    let mut hall = Hall::staffed(journal::Currency::Real);
    let system = Command::House(HouseCommand::Appoint {
        person: person("Eve"),
        office: Office::Dealer,
        department: Department::TableGames,
    });
    hall.done(&Actor::System, &system);
    hall.two_sign(&shift_manager(), &accountant(), appoint("Eli", Office::Dealer)).expect("two people");
    let late = HouseCommand::Appoint {
        person: person("Late"),
        office: Office::Dealer,
        department: Department::TableGames,
    };
    assert_eq!(hall.refused(&Actor::System, &Command::House(late)).reason, "SetUpIsOver");
}

/// A round at H1 with an Ante of S$1,000.00, dealt.
fn dealt(hall: &mut Hall) {
    hall.seat("H1", 1, "Ann");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    hall.bet("H1", 1, "Ann", PlayingArea::Ante, dollars(1_000));
    hall.play(&dealer(), "H1", round::Command::CloseBets {});
    hall.deal("H1", &Cards::default());
}

fn pay(area: PlayingArea, times: u32) -> Ruling {
    let outcome = RuledOutcome::Paid(Odds::To(times));
    Ruling {
        words: "so ruled".to_owned(),
        effects: vec![Effect::Wager { position: Position(1), area, outcome }],
    }
}

/// One session ruled that an Ante of S$1,000.00 is paid S$10,000,000.00 (finding 7): in play and after the settlement.
#[test]
fn a_large_ruling_takes_two() {
    for settled in [false, true] {
        let mut hall = Hall::open();
        dealt(&mut hall);
        if settled {
            hall.finish("H1", &Cards::default(), |_, _| Decision::Wager);
        }
        let ruling = pay(PlayingArea::Ante, 10_000);
        let alone = round::Command::MakeRuling { ruling: ruling.clone() };
        let refusal = hall.at(&shift_manager(), "H1", alone).expect_err("alone");
        assert_eq!((refusal.reason.as_str(), refusal.clause.is_some()), ("AboveLimit", true), "{refusal}");
        let proposal = Proposal::Rule { table: table("H1"), round: hall.number("H1"), ruling };
        let refusal =
            hall.two_sign(&manager(), &staff("Max"), proposal).expect_err("no Gaming Shift Manager");
        assert_eq!(refusal.reason, "OfficeIsTooLow");
        let next = hall.at(&dealer(), "H1", round::Command::BeginNextRound {}).expect_err("it waits");
        assert!(!settled || next.reason == "UndoingIsProposed", "{next}");
        confirm(&mut hall, &shift_manager()).expect("two people");
        if !settled {
            hall.finish("H1", &Cards::default(), |_, _| Decision::Wager);
        }
        assert!(1_000_000_000 < hall.wallet("Ann"), "paid as two people ruled");
    }
}

/// Before the settlement a ruling that returns wagers, stands them off, takes a hand out or voids the round gives back what
/// may be lost: above the limit it takes two people, as one that pays does.
#[test]
fn a_large_return_takes_two() {
    let of = |outcome| Effect::Wager { position: Position(1), area: PlayingArea::Flop, outcome };
    for effect in [
        of(RuledOutcome::Returned),
        of(RuledOutcome::StandOff),
        Effect::HandOut { position: Position(1) },
        Effect::Void,
    ] {
        let mut hall = Hall::open();
        dealt(&mut hall);
        // The Flop wager of S$2,000.00 lies, and the Turn card is not out.
        hall.play(
            &by_player("Ann"),
            "H1",
            round::Command::Decide { position: Position(1), decision: Decision::Wager },
        );
        let ruling = Ruling { words: "so ruled".to_owned(), effects: vec![effect] };
        let alone = round::Command::MakeRuling { ruling: ruling.clone() };
        let refusal = hall.at(&shift_manager(), "H1", alone).expect_err("alone");
        assert_eq!((refusal.reason.as_str(), refusal.clause.is_some()), ("AboveLimit", true), "{refusal}");
        let ante =
            Effect::Wager { position: Position(1), area: PlayingArea::Ante, outcome: RuledOutcome::Returned };
        let small = Ruling { words: "so ruled".to_owned(), effects: vec![ante] };
        hall.at(&shift_manager(), "H1", round::Command::MakeRuling { ruling: small })
            .expect("up to the limit");
        let proposal = Proposal::Rule { table: table("H1"), round: hall.number("H1"), ruling };
        hall.two_sign(&shift_manager(), &staff("Gia"), proposal).expect("two people");
    }
}

/// A Dealer alone makes no round void on which more lies than the limit: not by bad cards (5.1), a table count (5.3) or a
/// wrong count (5.8). A Pit Supervisor does.
#[test]
fn a_dealer_alone_undoes_no_large_round() {
    let ways = [
        C::DeclareBadCards { fault: round::CardFault::Missing },
        C::ReportTableCount { reconstructed: false },
        C::CountCards { counted: 51 },
    ];
    for command in ways {
        for (ante, may) in [(1_000, true), (500, true), (500, false)] {
            let mut hall = Hall::open();
            hall.seat("H1", 1, "Ann");
            hall.play(&dealer(), "H1", C::OpenBets {});
            hall.bet("H1", 1, "Ann", PlayingArea::Ante, dollars(ante));
            hall.play(&dealer(), "H1", C::CloseBets {});
            hall.deal("H1", &Cards::default());
            if may {
                hall.play(&dealer(), "H1", command.clone());
            } else {
                // With the Flop wager of S$1,000.00 it is S$1,500.00.
                hall.play(
                    &by_player("Ann"),
                    "H1",
                    C::Decide { position: Position(1), decision: Decision::Wager },
                );
                let refusal = hall.at(&dealer(), "H1", command.clone()).expect_err("alone");
                assert_eq!(refusal.reason, "NeedsSupervisor", "{command:?}");
                assert!(refusal.clause.is_some_and(|clause| clause.to_string().contains(" 5.")), "{refusal}");
                hall.play(&staff("Sue"), "H1", command.clone());
            }
            let round = hall.floor.table(&table("H1")).expect("a table").round().stage();
            assert_eq!(round, Stage::Void, "{command:?}");
        }
    }
}

/// Rulings of one round count together, so that a large one is not made of small ones.
#[test]
fn small_rulings_add_up() {
    let mut hall = Hall::open();
    dealt(&mut hall);
    hall.play(&shift_manager(), "H1", round::Command::MakeRuling { ruling: pay(PlayingArea::Ante, 1) });
    hall.finish("H1", &Cards::default(), |_, _| Decision::Wager);
    let more = round::Command::MakeRuling { ruling: pay(PlayingArea::Flop, 1) };
    assert_eq!(hall.at(&shift_manager(), "H1", more).expect_err("together").reason, "AboveLimit");
    let words = Ruling { words: "noted".to_owned(), effects: Vec::new() };
    hall.play(&shift_manager(), "H1", round::Command::MakeRuling { ruling: words });
}

fn buy_in(amount: u64) -> Command {
    let (player, amount, means) = (player("Ann"), dollars(amount), Means::Credits);
    Command::House(HouseCommand::BuyIn { player, amount, means, identity: Some("passport".to_owned()) })
}

/// A Dealer bought in a billion 9,123 times (finding 15).
#[test]
fn a_dealer_brings_in_so_much_and_no_more() {
    let mut hall = Hall::open();
    assert_eq!(hall.refused(&dealer(), &buy_in(1_000_000_000)).reason, "AboveCeiling");
    assert_eq!(hall.refused(&dealer(), &buy_in(10_001)).reason, "AboveLimit");
    let taken = (0..9_123).filter(|_| hall.give(&dealer(), &buy_in(10_000)).is_ok()).count();
    assert_eq!(taken, 5, "S$50,000.00 for one Player on one day");
    let (player, means, identity) = (player("Ann"), Means::Credits, Some("passport".to_owned()));
    let large = |amount| Proposal::BuyIn {
        player: player.clone(),
        amount: dollars(amount),
        means,
        identity: identity.clone(),
    };
    hall.two_sign(&supervisor(), &manager(), large(1_000_000)).expect("two people");
    let refusal = hall.two_sign(&supervisor(), &manager(), large(1_000_001)).expect_err("nobody at all");
    assert_eq!(refusal.reason, "AboveCeiling");
    hall.pass_days(1);
    hall.done(&dealer(), &buy_in(10_000));
}

/// What one correction may not give, several may not give either.
#[test]
fn corrections_of_one_round_are_counted_together() {
    let mut hall = Hall::open();
    for (position, name) in [(1, "Ann"), (2, "Bob")] {
        hall.seat("H1", position, name);
    }
    hall.play(&dealer(), "H1", C::OpenBets {});
    for (position, name) in [(1, "Ann"), (2, "Bob")] {
        hall.bet("H1", position, name, PlayingArea::Ante, dollars(600));
    }
    hall.play(&dealer(), "H1", C::CloseBets {});
    hall.finish("H1", &Cards::default(), |_, _| Decision::Fold);
    let returned = |position| {
        let outcome = RuledOutcome::Returned;
        let effects = vec![Effect::Wager { position: Position(position), area: PlayingArea::Ante, outcome }];
        let ruling = Ruling { words: "returned".to_owned(), effects };
        let command = TableCommand::Round(C::MakeRuling { ruling });
        Command::Table { table: table("H1"), command }
    };
    hall.done(&shift_manager(), &returned(1));
    assert_eq!(hall.refused(&shift_manager(), &returned(2)).reason, "AboveLimit");
}

/// A guest with play credits was awarded a real jackpot (finding 6): in a house of real money there is no guest, no
/// Player of the house and no play credit, whoever asks; in a house of play money there is no cash.
#[test]
fn play_money_and_real_money_never_meet() {
    let mut real = Hall::open();
    let register = |kind| Command::House(HouseCommand::RegisterPlayer { player: player("Guy"), kind });
    let grant = |name| {
        Command::House(HouseCommand::GrantCredits {
            player: player(name),
            amount: dollars(5),
            means: Means::Credits,
        })
    };
    for actor in [Actor::System, dealer(), shift_manager()] {
        for kind in [PlayerKind::Guest, PlayerKind::House] {
            assert_eq!(real.refused(&actor, &register(kind)).reason, "RealMoney");
        }
    }
    for actor in [Actor::System, shift_manager()] {
        assert_eq!(real.refused(&actor, &grant("Ann")).reason, "RealMoney");
    }
    let mut play = Hall::demonstration();
    play.done(&Actor::System, &register(PlayerKind::Guest));
    play.done(&manager(), &grant("Guy"));
    play.done(&manager(), &grant("Ann"));
    assert_eq!(play.refused(&dealer(), &buy_in(1)).reason, "PlayMoney");
    assert_eq!(play.cash_out("Ann", dollars(1)).expect_err("no cash").reason, "PlayMoney");
    assert_eq!(play.cash_out("Ann", dollars(20_000)).expect_err("no cash").reason, "PlayMoney");
    assert_eq!(play.memory.holds(&journal::Account::Cash), journal::Amount::ZERO);
}

/// A guest is forgotten by the system alone, with exactly what they hold, and only when nothing is left to be done.
#[test]
fn a_guest_is_forgotten_in_order() {
    let mut hall = Hall::demonstration();
    let guest = player("Guy");
    hall.done(
        &Actor::System,
        &Command::House(HouseCommand::RegisterPlayer { player: guest.clone(), kind: PlayerKind::Guest }),
    );
    hall.done(
        &manager(),
        &Command::House(HouseCommand::GrantCredits {
            player: guest.clone(),
            amount: dollars(500),
            means: Means::Credits,
        }),
    );
    let forget = |name, amount| {
        Command::House(HouseCommand::ForgetGuest { player: player(name), credits: dollars(amount) })
    };
    assert_eq!(hall.refused(&shift_manager(), &forget("Guy", 500)).reason, "SystemOnly");
    assert_eq!(hall.refused(&Actor::System, &forget("Guy", 499)).reason, "NotToBeForgotten");
    assert_eq!(hall.refused(&Actor::System, &forget("Ann", 0)).reason, "NotToBeForgotten");
    hall.seat("H1", 1, "Guy");
    assert_eq!(hall.refused(&Actor::System, &forget("Guy", 500)).reason, "NotToBeForgotten");
    hall.play(&dealer(), "H1", C::LeavePosition { position: rulebook::Position(1) });
    let granted = hall.memory.holds(&journal::Account::Granted);
    hall.done(&Actor::System, &forget("Guy", 500));
    assert_eq!(hall.wallet("Guy"), 0);
    let back = crate::support::fine(500);
    assert_eq!(hall.memory.holds(&journal::Account::Granted), granted.plus(back).expect("fits"));
    assert_eq!(hall.refused(&by_player("Guy"), &forget("Guy", 0)).reason, "NotAPlayer");
}

/// Table limits above the house's, and the house's own, take two.
#[test]
fn limits_take_two() {
    let mut hall = Hall::open();
    let limits = Limits { ante: dollars(25)..=dollars(50_000), bonus: None };
    let alone = TableCommand::Own(OwnCommand::ChangeLimits { limits: limits.clone() });
    let alone = Command::Table { table: table("S1"), command: alone };
    assert_eq!(hall.refused(&manager(), &alone).reason, "AboveLimit");
    let proposal = Proposal::ChangeTableLimits { table: table("S1"), limits, from: None };
    hall.two_sign(&manager(), &shift_manager(), proposal).expect("two people");
    let house = HouseLimits { ruling: dollars(5_000), ..HouseLimits::default() };
    let proposal = Proposal::ChangeHouseLimits { limits: house };
    hall.two_sign(&manager(), &accountant(), proposal).expect("two people");
    assert_eq!(*hall.floor.house().limits(), house);
}

/// The permission table says of a round what the rulebooks say.
#[test]
fn the_table_of_permissions_agrees_with_the_round() {
    let hall = Hall::open();
    let round = hall.round("H1");
    let (position, who) = (Position(1), player("Ann"));
    let ruling = Ruling { words: String::new(), effects: Vec::new() };
    let (area, means, amount) = (PlayingArea::Ante, Means::Credits, dollars(1));
    let card = "As".parse().expect("a card");
    let all = [
        C::InformPlayer { player: who.clone() },
        C::TakePosition { position, player: who.clone() },
        C::LeavePosition { position },
        C::OpenBets {},
        C::PlaceWager { position, area, owner: who.clone(), amount, means },
        C::TakeBackWager { position, area, owner: who.clone() },
        C::CloseBets {},
        C::DealCard { card: None },
        C::ReadCard { place: round::Place::Dealer(0), card },
        C::Expose {},
        C::ViewHand { position },
        C::Decide { position, decision: Decision::Fold },
        C::ShowHand { position },
        C::DeclineComparison { position },
        C::ViewDeclinedHand { position },
        C::Settle {},
        C::BeginNextRound {},
        C::DeclareBadCards { fault: round::CardFault::Extra },
        C::CountCards { counted: 52 },
        C::ReportMisdeal { piles: Vec::new(), also: Vec::new() },
        C::Reconstruct {},
        C::GiveUpReconstruction {},
        C::ReportTableCount { reconstructed: true },
        C::ReportExposedCards { cards: 1 },
        C::ReportHandCount { position, reconstructed: true },
        C::PermitWithdrawals {},
        C::Withdraw { player: who.clone() },
        C::RestrictPlayer { player: who.clone() },
        C::LiftRestriction { player: who.clone() },
        C::ProhibitPlayer { player: who.clone(), reason: Some("showed the hand".to_owned()) },
        C::ReadmitPlayer { player: who.clone() },
        C::InvalidateHands { positions: Vec::new() },
        C::StopAction { player: who, reason: Some("showed the hand".to_owned()) },
        C::ReportAbsent { position },
        C::ReportPowerFailure {},
        C::ResumePlay {},
        C::MakeRuling { ruling },
    ];
    for command in all {
        let office = round.who_may(&command).office();
        let listed = match permissions::of_round(&command).who {
            Who::Staff(office) => Some(office),
            Who::Player => None,
            other => panic!("{command:?}: {other:?}"),
        };
        assert_eq!(listed, office, "{command:?}");
    }
}
