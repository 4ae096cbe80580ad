//! Acting in an office for a time (6.2): who gives it, what it opens, how it ends, and what the audit says afterwards.

use std::collections::BTreeMap;

use floor::audit::{Kind, Options};
use floor::view::{HouseView, PlayersPage, Viewer};
use floor::{Acting, Command, DeskCommand, HouseCommand, Refusal};
use jackpot::{AwardNumber, Person, Signature};
use journal::{Actor, Event, HouseEvent, Moment, Proposal, Stream};
use round::Decision;
use rulebook::Office;

use crate::audit_support::{given, sealed, unsealed};
use crate::support::{
    Hall, accountant, checked, dealer, link, manager, player, shift_manager, staff, supervisor, table,
};

const HOUR: u64 = 60 * 60 * 1000;

fn dora() -> Person {
    Person::new("Dora")
}

/// Dora, a Dealer, in an office that she holds for a time.
fn acting(office: Office) -> Actor {
    Actor::Acting(dora(), office)
}

/// Dora acts in an office from some hours from now until some hours from now.
fn act(hall: &Hall, office: Office, from: u64, until: u64) -> Proposal {
    let at = |hours: u64| Moment(hall.memory.now.0 + hours * HOUR);
    Proposal::AppointActing { person: dora(), office, from: at(from), until: at(until) }
}

fn given_by_two(hall: &mut Hall, proposal: Proposal) {
    hall.two_sign(&manager(), &staff("Sol"), proposal).expect("two departments");
}

fn restrict(hall: &mut Hall, by: &Actor) -> Result<(), Refusal> {
    let lift = round::Command::RestrictPlayer { player: player("Ann") };
    hall.at(by, "H1", lift).map(drop)
}

fn end() -> Command {
    Command::House(HouseCommand::EndActing { person: dora() })
}

/// She does what the office does while its time runs, neither before nor after, and nothing is written when it is over.
#[test]
fn an_acting_office_holds_for_its_time() {
    let mut hall = Hall::open();
    assert_eq!(restrict(&mut hall, &dealer()).expect_err("a Dealer does not").reason, "OfficeIsTooLow");
    let proposal = act(&hall, Office::PitManager, 2, 10);
    given_by_two(&mut hall, proposal);
    assert_eq!(
        restrict(&mut hall, &acting(Office::PitManager)).expect_err("still to come").reason,
        "NotActing"
    );
    hall.wait(2 * HOUR);
    let higher = restrict(&mut hall, &acting(Office::GamingShiftManager)).expect_err("another office");
    assert_eq!(higher.reason, "NotActing");
    restrict(&mut hall, &acting(Office::PitManager)).expect("she acts in that office");
    assert_eq!(hall.floor.house().office(&dora()), Some(Office::Dealer), "her own office stays");
    assert_eq!(hall.floor.house().actor(&dora(), hall.memory.now), Some(acting(Office::PitManager)));
    hall.wait(8 * HOUR);
    let before = hall.log.len();
    let over = round::Command::LiftRestriction { player: player("Ann") };
    assert_eq!(hall.at(&acting(Office::PitManager), "H1", over).expect_err("over").reason, "NotActing");
    assert_eq!(hall.log.len(), before, "nothing happens when the time is over");
    assert_eq!(hall.floor.house().actor(&dora(), hall.memory.now), Some(dealer()));
    let report = sealed(&given(&hall)).audit(&Options::default());
    assert!(report.is_well(), "{report:#?}");
}

/// Two departments give it, never for oneself, to somebody of Table Games, upwards, for 14 days at most.
#[test]
fn two_people_give_an_acting_office() {
    let mut hall = Hall::open();
    let proposal = act(&hall, Office::PitSupervisor, 0, 8);
    let refusal = hall.two_sign(&manager(), &shift_manager(), proposal.clone()).expect_err("one department");
    assert_eq!(refusal.reason, "OneDepartmentTwice");
    let refusal = hall.two_sign(&supervisor(), &staff("Sol"), proposal).expect_err("a Pit Supervisor");
    assert_eq!(refusal.reason, "OfficeIsTooLow");
    let own = Proposal::AppointActing {
        person: Person::new("Mia"),
        office: Office::GamingShiftManager,
        from: hall.memory.now,
        until: Moment(hall.memory.now.0 + HOUR),
    };
    assert_eq!(hall.two_sign(&manager(), &staff("Sol"), own).expect_err("herself").reason, "NotForYourself");
    let wrong = [(8, 8), (8, 7), (0, 14 * 24 + 1)];
    for (from, until) in wrong {
        let proposal = act(&hall, Office::PitSupervisor, from, until);
        let refusal = hall.two_sign(&manager(), &staff("Sol"), proposal).expect_err("no such time");
        assert_eq!(refusal.reason, "ActingTimeIsWrong", "{from} to {until}");
    }
    let proposal = act(&hall, Office::Dealer, 0, 8);
    assert_eq!(
        hall.two_sign(&manager(), &staff("Sol"), proposal).expect_err("her own").reason,
        "NothingChanges"
    );
    let outside = Proposal::AppointActing {
        person: Person::new("Abe"),
        office: Office::PitManager,
        from: hall.memory.now,
        until: Moment(hall.memory.now.0 + HOUR),
    };
    let refusal = hall.two_sign(&manager(), &staff("Sol"), outside).expect_err("of Accounting");
    assert_eq!(refusal.reason, "NotYourDepartment");
    let proposal = act(&hall, Office::PitSupervisor, 0, 14 * 24);
    given_by_two(&mut hall, proposal);
    // Whoever gave her the office does not sign with her.
    let invite = Proposal::InviteStaff { person: Person::new("Dan") };
    let proposal = act(&hall, Office::PitManager, 0, 8);
    hall.two_sign(&shift_manager(), &staff("Sid"), proposal).expect("two others");
    let refusal =
        hall.two_sign(&acting(Office::PitManager), &staff("Sol"), invite.clone()).expect_err("made her");
    assert_eq!(refusal.reason, "NotIndependent");
    hall.two_sign(&acting(Office::PitManager), &accountant(), invite).expect("independent");
}

/// It is ended early by herself or by a Pit Manager; another Dealer cannot. An appointment and a dismissal end it too.
#[test]
fn an_acting_office_is_ended_early() {
    let start = || {
        let mut hall = Hall::open();
        let proposal = act(&hall, Office::PitManager, 0, 8);
        given_by_two(&mut hall, proposal);
        hall
    };
    let mut hall = start();
    assert_eq!(
        hall.refused(&Actor::Staff(Person::new("Dan"), Office::Dealer), &end()).reason,
        "OfficeIsTooLow"
    );
    for by in [acting(Office::PitManager), dealer(), manager(), staff("Sid")] {
        let mut hall = hall.clone();
        hall.done(&by, &end());
        assert_eq!(restrict(&mut hall, &acting(Office::PitManager)).expect_err("ended").reason, "NotActing");
        assert_eq!(hall.refused(&manager(), &end()).reason, "NotActing");
    }
    hall.two_sign(
        &shift_manager(),
        &staff("Sid"),
        Proposal::Appoint {
            person: dora(),
            office: Office::PitSupervisor,
            department: jackpot::Department::TableGames,
        },
    )
    .expect("two departments");
    assert_eq!(restrict(&mut hall, &acting(Office::PitManager)).expect_err("appointed").reason, "NotActing");
    let mut hall = start();
    hall.two_sign(&shift_manager(), &staff("Sid"), Proposal::Dismiss { person: dora() }).expect("two");
    assert_eq!(restrict(&mut hall, &acting(Office::PitManager)).expect_err("dismissed").reason, "NotActing");
}

/// What she proposed in that office cannot be confirmed once its time is over.
#[test]
fn a_proposal_made_while_acting_needs_the_office_until_it_is_confirmed() {
    let mut hall = Hall::open();
    let proposal = act(&hall, Office::PitManager, 0, 8);
    given_by_two(&mut hall, proposal);
    let proposal = Proposal::InviteStaff { person: Person::new("Dan") };
    hall.done(&acting(Office::PitManager), &Command::House(HouseCommand::Propose { proposal }));
    let number = hall.floor.house().proposals().map(|(number, _)| number).max().expect("proposed");
    let confirm = Command::House(HouseCommand::Confirm { number });
    hall.clone().done(&accountant(), &confirm);
    hall.wait(8 * HOUR);
    assert_eq!(hall.refused(&accountant(), &confirm).reason, "NotOfTheStaff");
}

/// Everybody who sees the office sees that it is held for a time: in the log, on the staff's page, with each signature.
#[test]
fn an_acting_office_is_shown_as_one() {
    let mut hall = Hall::open();
    let proposal = act(&hall, Office::PitSupervisor, 0, 8);
    let Proposal::AppointActing { from, until, .. } = proposal.clone() else { panic!("it is that proposal") };
    given_by_two(&mut hall, proposal);
    let view = HouseView::of(
        &hall.floor,
        &BTreeMap::default(),
        &PlayersPage::default(),
        &Viewer::Staff(Person::new("Mia"), Office::PitManager),
    );
    let member = view.staff.iter().find(|member| member.person == dora()).expect("on the staff");
    assert_eq!(member.acting, Some(Acting { office: Office::PitSupervisor, from, until }));
    assert_eq!(member.office, Office::Dealer);
    let offered = |what: &str| {
        member.choices.iter().any(|choice| {
            serde_json::to_value(&choice.command).expect("a command").to_string().contains(what)
        })
    };
    assert!(offered("end-acting") && offered("appoint-acting"), "{:#?}", member.choices);
    let by = acting(Office::PitSupervisor);
    assert_eq!(by.to_string(), "acting Pit Supervisor Dora");
    assert_eq!(by.code(), "staff/acting-pit-supervisor/Dora");
    assert_eq!(by.code().parse::<Actor>().expect("it is read again"), by);
    let proposal =
        Proposal::ClearFault { link: link("mega"), fault: jackpot::FaultNumber(1), words: "x".into() };
    let happened = hall.done(&by, &Command::House(HouseCommand::Propose { proposal }));
    let signed = happened.iter().find_map(|one| match &one.event {
        Event::House(HouseEvent::Proposed { by, .. }) => Some(by.clone()),
        _ => None,
    });
    let signed: Signature = signed.expect("a signature");
    assert_eq!(signed.title(), "acting Pit Supervisor");
    // Her own view offers what the office may do.
    let viewer = Viewer::Staff(dora(), Office::PitSupervisor);
    let view = HouseView::of(&hall.floor, &BTreeMap::default(), &PlayersPage::default(), &viewer);
    assert!(view.staff.iter().all(|member| member.choices.is_empty() || member.person == dora()));
}

/// A command dated after the time was over, or given in an office that was never given, is found at a table and in the
/// house.
#[test]
fn the_audit_finds_commands_after_the_time() {
    let mut hall = Hall::open();
    let proposal = act(&hall, Office::PitManager, 0, 8);
    given_by_two(&mut hall, proposal);
    restrict(&mut hall, &acting(Office::PitManager)).expect("she acts in that office");
    let honest = given(&hall);
    assert!(sealed(&honest).audit(&Options::default()).is_well());
    let at_table = |history: &[crate::audit_support::Given]| {
        let report = unsealed(history).audit(&Options::default());
        let about = Stream::Table(table("H1")).to_string();
        report.findings.iter().any(|finding| {
            let text = finding.to_string();
            finding.kind == Kind::People
                && text.contains("did not act in that office")
                && text.contains(&about)
        })
    };
    assert!(!at_table(&honest));
    let mut late = honest.clone();
    late.last_mut().expect("the restriction").at.0 += 8 * HOUR;
    assert!(at_table(&late), "after its end");
    let mut higher = honest.clone();
    higher.last_mut().expect("the restriction").actor = acting(Office::GamingShiftManager);
    assert!(at_table(&higher), "an office she was not given");
    let mut ended = hall.clone();
    ended.done(&manager(), &end());
    let mut after = given(&ended);
    let mut again = honest.last().expect("the restriction").clone();
    again.at = Moment(hall.memory.now.0 + HOUR);
    after.push(again);
    assert!(at_table(&after), "after it was ended early");
    // In the house the command is given again at its time.
    let proposal = Proposal::InviteStaff { person: Person::new("Dan") };
    hall.done(&acting(Office::PitManager), &Command::House(HouseCommand::Propose { proposal }));
    let mut history = given(&hall);
    history.last_mut().expect("the proposal").at.0 += 8 * HOUR;
    let report = unsealed(&history).audit(&Options::default());
    let found =
        report.findings.iter().any(|finding| finding.to_string().contains("does not act in that office"));
    assert!(found, "{report:#?}");
}

/// Whoever dealt a round does not verify its awards, also if they acted in another office meanwhile.
#[test]
fn an_acting_supervisor_who_dealt_does_not_verify() {
    let mut hall = Hall::open();
    let (from, until) = (hall.memory.now, Moment(hall.memory.now.0 + 8 * HOUR));
    let (person, office) = (Person::new("Dan"), Office::PitSupervisor);
    given_by_two(&mut hall, Proposal::AppointActing { person: person.clone(), office, from, until });
    let dan = Actor::Acting(person, office);
    hall.ready("H1", &["Ann"]);
    let cards = crate::core_jackpot::royal();
    let place = hall.round("H1").next_place().expect("cards are due");
    hall.play(&dan, "H1", round::Command::DealCard { card: Some(cards.at(place)) });
    hall.finish("H1", &cards, |_, _| Decision::Wager);
    let verify = DeskCommand::Verify { award: AwardNumber(1), checklist: checked() };
    let verify = Command::Desk { link: link("mega"), command: verify };
    assert_eq!(hall.refused(&dan, &verify).reason, "DealtTheRound");
    hall.done(&supervisor(), &verify);
}
