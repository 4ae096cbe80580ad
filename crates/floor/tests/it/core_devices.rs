//! Machines with keys, decided by the floor and audited: what a shoe enters carries its name, and a reader that stopped keeps
//! play waiting until somebody has looked.

use floor::audit::Options;
use floor::view::{TableView, Viewer};
use floor::{Command, DeskCommand, HouseCommand, OwnCommand, TableCommand};
use jackpot::{AwardNumber, Person};
use journal::{Actor, DeviceId, DeviceScope, Event, Hash, LinkEvent, ReaderFault, Version};
use round::{Decision, Stage};
use rulebook::{Office, Position};

use crate::audit_support::{given, royal, sealed};
use crate::support::{
    Hall, by_player, cards, checked, dealer, link, manager, shift_manager, staff, supervisor, table,
};

fn shoe() -> Actor {
    Actor::Device(DeviceId::new("Shoe 7"))
}

fn own(command: OwnCommand) -> Command {
    Command::Table { table: table("H1"), command: TableCommand::Own(command) }
}

fn deal(card: &str) -> round::Command {
    round::Command::DealCard { card: cards(card).pop() }
}

fn make(hall: &mut Hall, days: u16) -> Result<(), String> {
    let (device, scope) = (DeviceId::new("Shoe 7"), DeviceScope::Shoe { table: table("H1") });
    let until = hall.memory.now.plus_days(days);
    let command = HouseCommand::MakeDeviceKey { device, scope, key: Hash([7; 32]), until };
    hall.give(&shift_manager(), &command.into()).map(|_| ()).map_err(|refusal| refusal.reason)
}

fn findings(hall: &Hall) -> Vec<String> {
    let report = sealed(&given(hall)).audit(&Options::default());
    report.findings.iter().map(ToString::to_string).collect()
}

/// A key is the highest office's to make and to revoke, holds for its time, and is one a device.
#[test]
fn keys_are_made_and_revoked() {
    let mut hall = Hall::open();
    let revoke = || Command::House(HouseCommand::RevokeDeviceKey { device: DeviceId::new("Shoe 7") });
    assert_eq!(hall.refused(&shift_manager(), &revoke()).reason, "NoSuchDevice");
    assert_eq!(make(&mut hall, 0), Err("DeviceTimeIsWrong".to_owned()));
    assert_eq!(make(&mut hall, 367), Err("DeviceTimeIsWrong".to_owned()));
    make(&mut hall, 30).expect("a key");
    assert_eq!(make(&mut hall, 30), Err("DeviceHasKey".to_owned()));
    assert_eq!(hall.refused(&manager(), &revoke()).reason, "OfficeIsTooLow");
    assert_eq!(hall.refused(&by_player("Ann"), &revoke()).reason, "StaffOnly");
    assert_eq!(hall.refused(&shoe(), &revoke()).reason, "DeviceMayNot");
    hall.done(&shift_manager(), &revoke());
    make(&mut hall, 1).expect("another key");
    hall.ready("H1", &["Ann"]);
    hall.play(&shoe(), "H1", deal("As"));
    hall.wait(24 * 60 * 60 * 1000);
    assert_eq!(hall.at(&shoe(), "H1", deal("Kd")).expect_err("it has run out").reason, "NoSuchDevice");
    make(&mut hall, 1).expect("one that has run out is replaced");
    assert_eq!(findings(&hall), [""; 0]);
}

/// The reader stops: no card, no exposure, no settlement until somebody has looked; by hand, the cards of this round are the
/// Dealer's, and the next round is the reader's again.
#[test]
fn a_stopped_reader_keeps_play_waiting() {
    let mut hall = Hall::open();
    make(&mut hall, 30).expect("a key");
    hall.ready("H1", &["Ann"]);
    hall.play(&shoe(), "H1", deal("As"));
    let stop = || {
        own(OwnCommand::StopReader {
            fault: ReaderFault::Lost,
            seen: "Read 3 came, but read 2 did not.".to_owned(),
        })
    };
    let clear = |by_hand| own(OwnCommand::ClearReader { by_hand });
    assert_eq!(hall.refused(&dealer(), &clear(true)).reason, "ReaderIsNotStopped");
    hall.done(&shoe(), &stop());
    assert_eq!(hall.refused(&shoe(), &stop()).reason, "ReaderIsStopped");
    for by in [shoe(), dealer(), shift_manager()] {
        let refusal = hall.at(&by, "H1", deal("Kd")).expect_err("play waits");
        assert_eq!(refusal.reason, "ReaderIsStopped");
        assert!(refusal.sentence.contains("Read 3 came"), "{refusal}");
    }
    assert_eq!(
        hall.refused(&shoe(), &clear(false)).reason,
        "DeviceMayNot",
        "a machine does not clear itself"
    );
    let dora = Viewer::Staff(Person::new("Dora"), Office::Dealer);
    let (seen, public) = (view(&hall, &dora), view(&hall, &Viewer::Public));
    let said = seen.reader.expect("the Dealer is told");
    assert!(said.sentence.contains("Read 3 came, but read 2 did not. Play waits"), "{}", said.sentence);
    assert!(!public.reader.expect("everybody sees that play waits").sentence.contains("Read 3"));
    let next: Vec<&TableCommand> = seen.choices.iter().take(2).map(|choice| &choice.command).collect();
    let offered = [true, false].map(|by_hand| TableCommand::Own(OwnCommand::ClearReader { by_hand }));
    assert_eq!(next, offered.iter().collect::<Vec<_>>(), "clearing comes before anything else");

    hall.done(&dealer(), &clear(true));
    assert_eq!(hall.at(&shoe(), "H1", deal("Kd")).expect_err("by hand").reason, "CardsAreByHand");
    hall.play(&dealer(), "H1", deal("Kd"));
    hall.done(&dealer(), &clear(false));
    hall.play(&shoe(), "H1", deal("Qh"));
    assert_eq!(findings(&hall), [""; 0]);
}

fn view(hall: &Hall, viewer: &Viewer) -> TableView {
    let table = hall.floor.table(&table("H1")).expect("a table");
    TableView::of(table, None, hall.floor.house().limits(), Version(1), viewer)
}

/// A shoe enters the cards of a round that wins the jackpot, and one of the staff conducts it.
fn read_by_the_shoe(hall: &mut Hall, conductor: &Actor) {
    hall.ready("H1", &["Ann"]);
    loop {
        while let Some(place) = hall.round("H1").next_place() {
            hall.play(&shoe(), "H1", round::Command::DealCard { card: Some(royal().at(place)) });
        }
        let position = Position(1);
        let command = match hall.round("H1").stage() {
            Stage::Exposing(_) => round::Command::Expose {},
            Stage::Deciding(_) => round::Command::Decide { position, decision: Decision::Wager },
            Stage::Showing => round::Command::ShowHand { position },
            _ => break,
        };
        hall.play(conductor, "H1", command);
    }
}

fn verify() -> Command {
    let command = DeskCommand::Verify { award: AwardNumber(1), checklist: checked() };
    Command::Desk { link: link("mega"), command }
}

/// Whoever made the key that the shoe entered the cards with has seen it, and could have entered them: they do not verify the
/// award, also not after the key was revoked.
#[test]
fn whoever_made_the_key_of_a_shoe_does_not_verify() {
    let mut hall = Hall::open();
    make(&mut hall, 30).expect("a key");
    read_by_the_shoe(&mut hall, &dealer());
    hall.done(&shift_manager(), &HouseCommand::RevokeDeviceKey { device: DeviceId::new("Shoe 7") }.into());
    hall.play(&dealer(), "H1", round::Command::Settle {});
    let refusal = hall.refused(&shift_manager(), &verify());
    assert_eq!(
        (refusal.reason.as_str(), refusal.clause.map(|clause| clause.rule.to_string())),
        ("DealtTheRound", Some("4.2".to_owned()))
    );
    let honest = hall.clone();
    hall.done(&supervisor(), &verify());
    assert_eq!(findings(&hall), [""; 0]);

    // A log in which the maker verified, and one that does not name the maker beside those who dealt.
    let mut forged = given(&hall);
    for given in &mut forged {
        let verifies = |line: &crate::audit_support::Line| {
            matches!(&line.event, Event::Link(LinkEvent::Jackpot(jackpot::Event::AwardVerified { .. })))
        };
        if given.lines.iter().any(verifies) {
            given.actor = shift_manager();
        }
    }
    let report = sealed(&forged).audit(&Options::default());
    assert!(report.findings.iter().any(|found| found.to_string().contains("does not verify")), "{report:?}");
    let mut forged = given(&honest);
    for line in forged.iter_mut().flat_map(|given| &mut given.lines) {
        if let Event::Link(LinkEvent::Won { dealt_by, .. }) = &mut line.event {
            dealt_by.retain(|person| *person == Person::new("Dora"));
        }
    }
    assert!(!sealed(&forged).audit(&Options::default()).is_well(), "it leaves out who made the key");
}

/// A shoe enters the cards, and whoever conducted the round still does not verify its award. The audit finds a log that does not
/// name them.
#[test]
fn whoever_conducts_a_round_of_a_shoe_does_not_verify() {
    let mut hall = Hall::open();
    make(&mut hall, 30).expect("a key");
    read_by_the_shoe(&mut hall, &supervisor());
    hall.play(&dealer(), "H1", round::Command::Settle {});
    assert_eq!(hall.refused(&supervisor(), &verify()).reason, "DealtTheRound");
    hall.done(&staff("Sam"), &verify());
    assert_eq!(findings(&hall), [""; 0]);
    let mut given = given(&hall);
    for line in given.iter_mut().flat_map(|given| &mut given.lines) {
        if let Event::Link(LinkEvent::Won { dealt_by, .. }) = &mut line.event {
            dealt_by.clear();
        }
    }
    assert!(!sealed(&given).audit(&Options::default()).is_well(), "it says that nobody dealt");
}

/// An entry by a device that never had a key for the table is a finding.
#[test]
fn a_forged_device_is_found() {
    let mut hall = Hall::open();
    make(&mut hall, 30).expect("a key");
    hall.ready("H1", &["Ann"]);
    hall.play(&shoe(), "H1", deal("As"));
    let mut given = given(&hall);
    for entry in &mut given {
        if entry.actor == shoe() {
            entry.actor = Actor::Device(DeviceId::new("Shoe 8"));
        }
    }
    let report = sealed(&given).audit(&Options::default());
    let said: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    assert!(
        said.iter().any(|said| said.contains("device Shoe 8 never had a key for the cards of this table")),
        "{said:#?}"
    );
}
