//! A log forged to break the rules of trust: every hash is computed anew, and the audit finds it all the same.

use floor::audit::{Kind, Options};
use floor::{Command, HouseCommand, OwnCommand, TableCommand};
use jackpot::{Department, Person, Signature};
use journal::{
    AccountHolder, Actor, CredentialChange, Event, HouseEvent, Proposal, Stream, TableEvent, command_text,
};
use money::{Money, Odds};
use round::{Decision, Effect, RuledOutcome, Ruling};
use rulebook::{Limits, Office, PlayingArea, Position};

use crate::audit_support::{Given, given, sealed, unsealed};
use crate::support::{Cards, Hall, dealer, dollars, manager, shift_manager, staff, table};

/// What the audit finds about people in a forged history.
fn found(history: &[Given]) -> Vec<String> {
    let report = unsealed(history).audit(&Options::default());
    let people = report.findings.iter().filter(|finding| finding.kind == Kind::People);
    people.map(ToString::to_string).collect()
}

#[track_caller]
fn assert_found(history: &[Given], what: &str) {
    let found = found(history);
    assert!(found.iter().any(|finding| finding.contains(what)), "{what:?} is not in {found:#?}");
}

/// A house in which Gus and Sol appointed Alias, who signed with Sid for Dora's invitation.
fn with_alias() -> Hall {
    let mut hall = Hall::open();
    let appoint = Proposal::Appoint {
        person: Person::new("Alias"),
        office: Office::GamingShiftManager,
        department: Department::TableGames,
    };
    hall.two_sign(&shift_manager(), &staff("Sol"), appoint).expect("two departments");
    let alias = Actor::Staff(Person::new("Alias"), Office::GamingShiftManager);
    let invite = Proposal::InviteStaff { person: Person::new("Dora") };
    hall.two_sign(&staff("Sid"), &alias, invite).expect("independent");
    hall
}

/// The last event of the house that is changed becomes somebody else's, with its command.
fn signed_by(history: &mut [Given], actor: Actor, change: impl Fn(&HouseEvent) -> bool) {
    let by = match &actor {
        Actor::Staff(person, office) => Signature::in_office(person.name(), *office),
        Actor::Department(person, department) => {
            Signature { department: *department, ..Signature::in_office(person.name(), Office::Dealer) }
        }
        Actor::Acting(..) | Actor::Player(_) | Actor::Device(_) | Actor::System => {
            panic!("{actor} signs nothing")
        }
    };
    let lines = history.iter_mut().rev().find_map(|given| {
        let line =
            given.lines.iter_mut().find(|line| matches!(&line.event, Event::House(event) if change(event)));
        line.map(|line| (&mut given.actor, line))
    });
    let (given, line) = lines.expect("there is such an event");
    *given = actor;
    if let Event::House(HouseEvent::Proposed { by: signed, .. } | HouseEvent::Confirmed { by: signed, .. }) =
        &mut line.event
    {
        *signed = by;
    }
}

#[test]
fn an_honest_log_is_well() {
    let mut hall = with_alias();
    let limits = Limits { ante: dollars(25)..=dollars(50_000), bonus: None };
    let higher = Proposal::ChangeTableLimits { table: table("S1"), limits, from: None };
    hall.two_sign(&manager(), &shift_manager(), higher).expect("two people");
    let dora = || AccountHolder::Staff(Person::new("Dora"));
    for who in [staff("Sid"), Actor::Staff(Person::new("Alias"), Office::GamingShiftManager)] {
        hall.done(&who, &Command::House(HouseCommand::Invite { who: dora(), row: None }));
    }
    let how = CredentialChange::Invitation;
    hall.done(&dealer(), &Command::House(HouseCommand::SetCredential { who: dora(), how, row: None }));
    ruled(&mut hall, 10_000);
    hall.two_sign(&shift_manager(), &staff("Sol"), Proposal::Dismiss { person: Person::new("Dora") })
        .expect("two people");
    let report = sealed(&given(&hall)).audit(&Options::default());
    assert!(report.is_well(), "{report:#?}");
}

/// The person who appointed the second signer signs first.
#[test]
fn a_confirmation_by_ones_own_appointee_is_found() {
    let mut history = given(&with_alias());
    signed_by(&mut history, staff("Sol"), |event| {
        matches!(event, HouseEvent::Proposed { proposal: Proposal::InviteStaff { .. }, .. })
    });
    assert_found(&history, "cannot sign together");
}

/// Two of Table Games sign what takes two departments.
#[test]
fn two_of_one_department_are_found() {
    let mut history = given(&with_alias());
    signed_by(&mut history, staff("Max"), |event| {
        matches!(event, HouseEvent::Proposed { proposal: Proposal::InviteStaff { .. }, .. })
    });
    assert_found(&history, "People of two departments must sign");
}

/// One person signs twice.
#[test]
fn a_second_signature_of_the_first_is_found() {
    let mut history = given(&with_alias());
    signed_by(&mut history, Actor::Staff(Person::new("Alias"), Office::GamingShiftManager), |event| {
        matches!(event, HouseEvent::Proposed { proposal: Proposal::InviteStaff { .. }, .. })
    });
    assert_found(&history, "Two different people must sign");
}

/// The first of some commands, replaced by another with one event.
fn replaced(hall: &Hall, actor: &Actor, command: HouseCommand, event: HouseEvent) -> Vec<Given> {
    let mut history = given(hall);
    let mut forged = history.last().expect("something happened").clone();
    forged.actor = actor.clone();
    let mut line = history
        .iter()
        .flat_map(|given| &given.lines)
        .find(|line| line.stream == Stream::House)
        .expect("the house has a log")
        .clone();
    line.cause = Some(command_text(&Command::House(command)));
    (line.event, line.transfers) = (Event::House(event), Vec::new());
    forged.lines = vec![line];
    history.push(forged);
    history
}

/// Somebody is appointed, a password set and an invitation given out without the two who must agree.
#[test]
fn what_one_person_cannot_do_is_found() {
    let hall = with_alias();
    let (person, office) = (Person::new("Zoe"), Office::Dealer);
    let appoint =
        HouseCommand::Appoint { person: person.clone(), office, department: Department::TableGames };
    let appointed = HouseEvent::Appointed { person, office, department: Department::TableGames };
    for (actor, what) in [(shift_manager(), "Only the system"), (Actor::System, "has been set up")] {
        assert_found(&replaced(&hall, &actor, appoint.clone(), appointed.clone()), what);
    }
    let who = AccountHolder::Staff(Person::new("Mia"));
    let invite = HouseCommand::Invite { who: who.clone(), row: None };
    let history = replaced(
        &hall,
        &shift_manager(),
        invite,
        HouseEvent::Invited { who: who.clone(), row: None, half_by: None },
    );
    assert_found(&history, "There is no open invitation");
    let how = CredentialChange::Invitation;
    let set = HouseCommand::SetCredential { who: who.clone(), how, row: None };
    let history = replaced(&hall, &manager(), set, HouseEvent::CredentialSet { who, how, row: None });
    assert_found(&history, "There is no open invitation");
}

/// An appointment that was confirmed leaves out what follows from it.
#[test]
fn a_confirmation_without_its_effect_is_found() {
    let mut history = given(&with_alias());
    for given in &mut history {
        given.lines.retain(|line| {
            !matches!(&line.event, Event::House(HouseEvent::Appointed { person, .. }) if person.name() == "Alias")
        });
    }
    assert_found(&history, "what must follow is missing");
}

/// Two people rule that an Ante of S$1,000.00 is paid so many times.
fn ruled(hall: &mut Hall, times: u32) {
    hall.seat("H1", 1, "Ann");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    hall.bet("H1", 1, "Ann", PlayingArea::Ante, dollars(1_000));
    hall.play(&dealer(), "H1", round::Command::CloseBets {});
    hall.finish("H1", &Cards::default(), |_, _| Decision::Wager);
    let outcome = RuledOutcome::Paid(Odds::To(times));
    let effects = vec![Effect::Wager { position: Position(1), area: PlayingArea::Ante, outcome }];
    let ruling = Ruling { words: "so ruled".to_owned(), effects };
    let proposal = Proposal::Rule { table: table("H1"), round: hall.number("H1"), ruling };
    hall.two_sign(&manager(), &shift_manager(), proposal).expect("two people");
}

/// A ruling that pays a fortune, given by one person as the log would have it.
#[test]
fn a_large_ruling_of_one_is_found() {
    let mut hall = Hall::open();
    ruled(&mut hall, 10_000);
    let mut history = given(&hall);
    for given in &mut history {
        given.lines.retain(|line| {
            !matches!(
                &line.event,
                Event::House(
                    HouseEvent::Proposed { proposal: Proposal::Rule { .. }, .. }
                        | HouseEvent::Confirmed { .. }
                )
            )
        });
        for line in &mut given.lines {
            if let Event::Table(TableEvent::Round(round::Event::RulingMade { ruling, .. })) = &line.event {
                let command = TableCommand::Round(round::Command::MakeRuling { ruling: ruling.clone() });
                line.cause = Some(command_text(&Command::Table { table: table("H1"), command }));
            }
        }
    }
    history.retain(|given| !given.lines.is_empty());
    assert_found(&history, "this needs two signatures");
}

/// Table limits that one person raised above the house's.
#[test]
fn high_limits_of_one_are_found() {
    let mut hall = Hall::open();
    let limits = |most: Money| Limits { ante: dollars(25)..=most, bonus: None };
    let change = |most| Command::Table {
        table: table("S1"),
        command: TableCommand::Own(OwnCommand::ChangeLimits { limits: limits(most) }),
    };
    hall.done(&manager(), &change(dollars(10_000)));
    let mut history = given(&hall);
    let line = history.last_mut().and_then(|given| given.lines.first_mut()).expect("it was changed");
    line.cause = Some(command_text(&change(dollars(10_001))));
    line.event = Event::Table(TableEvent::LimitsChanged { limits: limits(dollars(10_001)) });
    assert_found(&history, "this needs two signatures");
}
