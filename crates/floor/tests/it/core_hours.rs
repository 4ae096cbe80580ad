//! Limits of a table and settings of a link with an hour: two people sign, the table takes the limits when it next opens bets, the
//! link takes the settings at its next restart, and the way back is the same. The audit holds every round against what was signed.

use floor::audit::proof::{check, export_round};
use floor::audit::{self, Kind, Options, library_of, round_of};
use floor::{Command, HouseCommand, Library, OwnCommand, TableCommand};
use jackpot::{Parameters, Settings};
use journal::{Actor, Event, JackpotCheck, JackpotFigures, LinkEvent, Moment, Proposal, Stream, TableEvent};
use money::{Money, Rate};
use rulebook::{Limits, PlayingArea};

use crate::audit_support::{Given, Line, given, royal, sealed, unsealed};
use crate::core_jackpot::pay;
use crate::core_rules::{NEW, new_text, to_new};
use crate::support::{
    Cards, Hall, MSSP9, MTHB9, accountant, dealer, dollars, link, manager, parameters, shift_manager, table,
};

/// An hour, in milliseconds.
const HOUR: u64 = 3_600_000;

fn later(hall: &Hall, millis: u64) -> Moment {
    Moment(hall.memory.now.0 + millis)
}

fn upwards_from(ante: u64) -> Limits {
    Limits { ante: dollars(ante)..=dollars(2_000), bonus: Some(dollars(5)..=dollars(500)) }
}

fn plan(name: &str, limits: Limits, from: Moment) -> Proposal {
    Proposal::ChangeTableLimits { table: table(name), limits, from: Some(from) }
}

fn sign(hall: &mut Hall, proposal: Proposal) {
    hall.two_sign(&manager(), &shift_manager(), proposal).expect("two people sign");
}

/// The smallest Ante of a table by its setup, and that of its round.
fn smallest(hall: &Hall, name: &str) -> (Money, Money) {
    let table = hall.floor.table(&table(name)).expect("a table");
    (*table.setup().limits.ante.start(), *table.round().limits().ante.start())
}

fn is_well(hall: &Hall) {
    let report = sealed(&given(hall)).audit(&Options::default());
    assert!(report.is_well(), "{report:#?}");
}

#[test]
fn a_table_takes_limits_with_the_next_bets_after_their_hour() {
    let mut hall = Hall::open();
    let hour = later(&hall, HOUR);
    sign(&mut hall, plan("H1", upwards_from(100), hour));
    hall.seat("H1", 1, "Ann");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    assert_eq!(smallest(&hall, "H1").1, dollars(25), "before the hour");
    hall.wait(2 * HOUR);
    assert_eq!(smallest(&hall, "H1").1, dollars(25), "a round whose bets are open is played to its end");
    hall.bet("H1", 1, "Ann", PlayingArea::Ante, dollars(25));
    hall.play(&dealer(), "H1", round::Command::CloseBets {});
    hall.finish("H1", &Cards::default(), |_, _| round::Decision::Wager);
    hall.next_round("H1");
    assert_eq!(smallest(&hall, "H1"), (dollars(25), dollars(25)), "between two rounds");
    let opened = hall.play(&dealer(), "H1", round::Command::OpenBets {});
    let taken = TableEvent::LimitsTaken { limits: upwards_from(100), from: hour };
    assert_eq!(opened.first().map(|one| &one.event), Some(&Event::Table(taken)));
    assert_eq!(smallest(&hall, "H1"), (dollars(100), dollars(100)), "from these bets on");
    hall.bet("H1", 1, "Ann", PlayingArea::Ante, dollars(100));
    hall.play(&dealer(), "H1", round::Command::CloseBets {});
    hall.finish("H1", &Cards::default(), |_, _| round::Decision::Wager);
    hall.next_round("H1");
    assert_eq!(smallest(&hall, "H2"), (dollars(25), dollars(25)), "no other table changes");

    let database = sealed(&given(&hall));
    let report = database.audit(&Options::default());
    assert!(report.is_well(), "{report:#?}");
    let library = library_of(&mut database.reader(), &Library::embedded()).expect("a log");
    for number in [1, 2] {
        let tale = round_of(&mut database.reader(), &library, "H1", number).expect("a round");
        assert_eq!(tale.findings, Vec::new(), "round {number}");
        let proof = export_round(&mut database.reader(), &library, "H1", number).expect("a proof");
        let key = Some(database.signer.public_key());
        let checked = check(&proof, &Library::embedded(), key).expect("a proof");
        assert!(checked.is_well(), "round {number}: {:?}", checked.findings.iter().collect::<Vec<_>>());
    }
}

/// A change that was signed by mistake is taken back before its hour, by the limits that hold now from the same hour.
#[test]
fn limits_are_taken_back_before_their_hour() {
    let mut hall = Hall::open();
    let (hour, present) =
        (later(&hall, HOUR), crate::support::setup(MTHB9, journal::Dealing::Live, None).limits);
    let nothing = hall.two_sign(&manager(), &shift_manager(), plan("H1", present.clone(), hour));
    assert_eq!(nothing.expect_err("they hold anyway").reason, "NothingChanges");
    sign(&mut hall, plan("H1", upwards_from(100), hour));
    let again = hall.two_sign(&manager(), &shift_manager(), plan("H1", upwards_from(100), hour));
    assert_eq!(again.expect_err("signed for").reason, "NothingChanges");
    sign(&mut hall, plan("H1", present, hour));
    hall.wait(2 * HOUR);
    hall.seat("H1", 1, "Ann");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    assert_eq!(smallest(&hall, "H1"), (dollars(25), dollars(25)));
    is_well(&hall);
}

/// What is changed at once after an hour is not undone by the limits of that hour, at a table that stood still meanwhile. One
/// that closes forgets what was to come.
#[test]
fn limits_changed_after_an_hour_stay() {
    let mut hall = Hall::open();
    let hour = later(&hall, HOUR);
    sign(&mut hall, plan("H1", upwards_from(100), hour));
    let far = later(&hall, 9 * HOUR);
    sign(&mut hall, plan("H1", upwards_from(300), far));
    hall.wait(2 * HOUR);
    hall.table(&manager(), "H1", TableCommand::Own(OwnCommand::ChangeLimits { limits: upwards_from(50) }));
    hall.seat("H1", 1, "Ann");
    hall.whole_round("H1", &["Ann"], &Cards::default());
    hall.next_round("H1");
    assert_eq!(smallest(&hall, "H1"), (dollars(50), dollars(50)));
    hall.table(&manager(), "H1", TableCommand::Own(OwnCommand::AnnounceLastRound {}));
    hall.whole_round("H1", &["Ann"], &Cards::default());
    hall.table(&manager(), "H1", TableCommand::Own(OwnCommand::Close {}));
    assert_eq!(hall.floor.table(&table("H1")).expect("a table").planned(), []);
    is_well(&hall);
}

/// Carried forward before the hour, and before bets open after it.
#[test]
fn what_is_to_come_is_carried_forward() {
    let mut hall = Hall::open();
    let hour = later(&hall, HOUR);
    sign(&mut hall, plan("H1", upwards_from(100), hour));
    let proposal = settings_from(hour, contribution(3_000));
    hall.two_sign(&manager(), &accountant(), proposal).expect("two departments sign");
    for stream in [Stream::Table(table("H1")), Stream::Link(link("mega"))] {
        hall.done(&Actor::System, &Command::CarryForward { stream });
    }
    hall.wait(2 * HOUR);
    hall.whole_round("H1", &["Ann"], &royal());
    hall.next_round("H1");
    assert_eq!(smallest(&hall, "H1").0, dollars(100));
    pay(&mut hall, 1);
    assert_eq!(rate(&hall), 3_000);
    is_well(&hall);
}

#[test]
fn an_hour_is_neither_too_near_nor_too_far() {
    let mut hall = Hall::open();
    for millis in [30_000, 367 * 24 * HOUR] {
        let from = later(&hall, millis);
        for proposal in [plan("H1", upwards_from(100), from), settings_from(from, contribution(3_000))] {
            let refused = hall.refused(&manager(), &Command::House(HouseCommand::Propose { proposal }));
            assert_eq!(refused.reason, "HourIsTooSoon");
        }
    }
    let from = later(&hall, 60_000);
    let propose = HouseCommand::Propose { proposal: plan("H1", upwards_from(100), from) };
    hall.done(&manager(), &Command::House(propose));
    hall.wait(1);
    let refused = hall.refused(&shift_manager(), &Command::House(HouseCommand::Confirm { number: 1 }));
    assert_eq!(refused.reason, "HourIsTooSoon", "the second person signs a minute before at the latest");
}

/// A table that has to change its book later gets no limits that the later book does not have, whichever is signed first.
#[test]
fn limits_fit_the_book_that_is_to_come() {
    let without_bonus = Limits { ante: dollars(25)..=dollars(1_000), bonus: None };
    let mut hall = Hall::open();
    let hour = later(&hall, HOUR);
    let refused = hall.two_sign(&manager(), &shift_manager(), plan("H1", without_bonus, hour));
    assert_eq!(refused.expect_err("hold'em has a Bonus").reason, "SetupIsWrong");
    sign(&mut hall, plan("H1", upwards_from(100), hour));
    let change = to_new(new_text("pays = \"30 to 1\"", "pays = \"20 to 1\""), hour);
    hall.two_sign(&manager(), &accountant(), Proposal::ChangeRules { change }).expect("it goes on under it");
    hall.wait(2 * HOUR);
    hall.seat("H1", 1, "Ann");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    let table = hall.floor.table(&table("H1")).expect("a table");
    assert_eq!(table.setup().rulebook, NEW);
    assert_eq!(smallest(&hall, "H1"), (dollars(100), dollars(100)), "both from the same hour");
    is_well(&hall);
}

fn change(hall: &mut Hall, ante: u64) {
    let limits = upwards_from(ante);
    hall.table(&manager(), "H1", TableCommand::Own(OwnCommand::ChangeLimits { limits }));
}

/// The smallest Ante in the record of each round of a table. Each round has a proof without findings.
fn recorded(hall: &Hall) -> Vec<Money> {
    let database = sealed(&given(hall));
    let report = database.audit(&Options::default());
    assert!(report.is_well(), "{report:#?}");
    let library = library_of(&mut database.reader(), &Library::embedded()).expect("a log");
    let mut smallest = Vec::new();
    audit::records(&mut database.reader(), &library, "H1", None, &mut |record| {
        smallest.push(record.table.limits.ante[0]);
    })
    .expect("the log is sound");
    for number in (1..).take(smallest.len()) {
        let proof = export_round(&mut database.reader(), &library, "H1", number).expect("a proof");
        let checked =
            check(&proof, &Library::embedded(), Some(database.signer.public_key())).expect("a proof");
        assert!(checked.is_well(), "round {number}: {:?}", checked.findings.iter().collect::<Vec<_>>());
    }
    smallest
}

/// A manager changes limits in the middle of a round, after an hour has come: the record has the limits that the round was played
/// under, and the proof of the next round knows that those of the hour were taken.
#[test]
fn a_record_has_the_limits_that_its_round_was_played_under() {
    let mut hall = Hall::open();
    let hour = later(&hall, HOUR);
    sign(&mut hall, plan("H1", upwards_from(100), hour));
    hall.ready("H1", &["Ann"]);
    hall.wait(2 * HOUR);
    change(&mut hall, 50);
    assert_eq!(smallest(&hall, "H1"), (dollars(50), dollars(25)));
    hall.finish("H1", &Cards::default(), |_, _| round::Decision::Wager);
    hall.next_round("H1");
    hall.whole_round("H1", &["Ann"], &Cards::default());
    hall.next_round("H1");
    assert_eq!(recorded(&hall), [dollars(25), dollars(50)]);
}

/// A manager changes limits before bets open, and then the hour of others comes: the round is played under those of the hour.
#[test]
fn limits_of_an_hour_are_taken_after_others_were_changed() {
    let mut hall = Hall::open();
    let hour = later(&hall, HOUR);
    sign(&mut hall, plan("H1", upwards_from(100), hour));
    change(&mut hall, 50);
    assert_eq!(smallest(&hall, "H1"), (dollars(50), dollars(25)), "from the next round on");
    hall.wait(2 * HOUR);
    hall.seat("H1", 1, "Ann");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    assert_eq!(smallest(&hall, "H1"), (dollars(100), dollars(100)));
    hall.bet("H1", 1, "Ann", PlayingArea::Ante, dollars(100));
    hall.play(&dealer(), "H1", round::Command::CloseBets {});
    hall.finish("H1", &Cards::default(), |_, _| round::Decision::Wager);
    hall.next_round("H1");
    assert_eq!(recorded(&hall), [dollars(100)]);
}

/// A manager changes limits before bets open: the table takes the book of the hour all the same.
#[test]
fn a_change_of_limits_keeps_no_book_away() {
    let mut hall = Hall::open();
    let hour = later(&hall, HOUR);
    let rules = to_new(new_text("pays = \"30 to 1\"", "pays = \"20 to 1\""), hour);
    hall.two_sign(&manager(), &accountant(), Proposal::ChangeRules { change: rules }).expect("signed");
    hall.wait(2 * HOUR);
    change(&mut hall, 50);
    hall.seat("H1", 1, "Ann");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    assert_eq!(hall.floor.table(&table("H1")).expect("a table").setup().rulebook, NEW);
    assert_eq!(smallest(&hall, "H1"), (dollars(50), dollars(25)), "limits from the next round on");
    hall.bet("H1", 1, "Ann", PlayingArea::Ante, dollars(25));
    hall.play(&dealer(), "H1", round::Command::CloseBets {});
    hall.finish("H1", &Cards::default(), |_, _| round::Decision::Wager);
    hall.next_round("H1");
    assert_eq!(recorded(&hall), [dollars(25)]);
}

/// Whether a change at once changes anything is asked of the limits that hold by now.
#[test]
fn limits_are_compared_with_those_that_hold() {
    let mut hall = Hall::open();
    let hour = later(&hall, HOUR);
    let present = hall.floor.table(&table("H1")).expect("a table").setup().limits.clone();
    sign(&mut hall, plan("H1", upwards_from(100), hour));
    hall.wait(2 * HOUR);
    let at_once = |limits: &Limits| Command::Table {
        table: table("H1"),
        command: TableCommand::Own(OwnCommand::ChangeLimits { limits: limits.clone() }),
    };
    assert_eq!(hall.refused(&manager(), &at_once(&upwards_from(100))).reason, "NothingChanges");
    hall.done(&manager(), &at_once(&present));
    assert_eq!(smallest(&hall, "H1"), (dollars(25), dollars(100)), "the way back, from the next round on");
    is_well(&hall);
}

/// A change of rules is held against the settings that a link will have too.
#[test]
fn a_book_fits_the_settings_that_are_to_come() {
    let mut hall = Hall::open();
    let hour = later(&hall, HOUR);
    let rules = to_new(new_text("multiples = [1, 5]", "multiples = [1, 40]"), hour);
    let proposal = || Proposal::ChangeRules { change: rules.clone() };
    hall.clone().two_sign(&manager(), &accountant(), proposal()).expect("it fits those in force");
    let settings = settings_from(hour, contribution(9_000));
    hall.two_sign(&manager(), &accountant(), settings).expect("two departments sign");
    let refused = hall.two_sign(&manager(), &accountant(), proposal());
    assert_eq!(refused.expect_err("a round could not be entered").reason, "LinkIsWrong");
}

/// Settings with an hour say for each book of the link what the lab counts.
#[test]
fn settings_of_an_hour_are_counted_for_each_book() {
    let mut hall = Hall::open();
    let from = later(&hall, HOUR);
    let Proposal::Reconfigure { link, settings, check, .. } = settings_from(from, contribution(3_000)) else {
        panic!("settings");
    };
    let (one, twice) = (vec![check[0].clone()], vec![check[0].clone(), check[0].clone()]);
    for check in [Vec::new(), one, twice] {
        let (link, from) = (link.clone(), Some(from));
        let proposal = Proposal::Reconfigure { link, settings, from, check };
        let refused = hall.refused(&manager(), &Command::House(HouseCommand::Propose { proposal }));
        assert_eq!(refused.reason, "LinkIsWrong");
    }
    // The link gets a book between the two signatures.
    let proposal = settings_from(from, contribution(3_000));
    hall.done(&manager(), &Command::House(HouseCommand::Propose { proposal }));
    let rules = to_new(new_text("pays = \"30 to 1\"", "pays = \"20 to 1\""), from);
    hall.done(
        &manager(),
        &Command::House(HouseCommand::Propose { proposal: Proposal::ChangeRules { change: rules } }),
    );
    hall.done(&accountant(), &Command::House(HouseCommand::Confirm { number: 2 }));
    let refused = hall.refused(&accountant(), &Command::House(HouseCommand::Confirm { number: 1 }));
    assert_eq!(refused.reason, "LinkIsWrong");
}

fn contribution(points: u64) -> Settings {
    let contribution = Rate::from_basis_points(points).expect("a rate");
    Settings::new(Parameters { contribution, ..parameters() }).expect("they do not contradict themselves")
}

fn settings_from(from: Moment, settings: Settings) -> Proposal {
    let figures = |hold| Some(JackpotFigures { hold, break_even: Some(12_345_600) });
    let check = |book: &str| JackpotCheck {
        rulebook: book.to_owned(),
        before: figures(300_000_000),
        after: figures(250_000_000),
        uncounted: None,
    };
    let check = vec![check(MTHB9), check(MSSP9)];
    Proposal::Reconfigure { link: link("mega"), settings, from: Some(from), check }
}

/// The contribution in force, in ten-thousandths.
fn rate(hall: &Hall) -> u64 {
    let desk = hall.floor.link(&link("mega")).expect("a link");
    u64::from(desk.link().settings().parameters().contribution)
}

/// A restart before the hour does not let the settings in; the first one after it does, once its award is paid.
#[test]
fn a_link_takes_settings_at_its_first_restart_after_their_hour() {
    let mut hall = Hall::open();
    let before = rate(&hall);
    let hour = later(&hall, HOUR);
    let refused = hall.two_sign(&manager(), &shift_manager(), settings_from(hour, contribution(3_000)));
    assert_eq!(refused.expect_err("one department").reason, "OneDepartmentTwice");
    let proposal = settings_from(hour, contribution(3_000));
    hall.two_sign(&manager(), &accountant(), proposal).expect("two departments sign");
    hall.whole_round("H1", &["Ann"], &royal());
    hall.next_round("H1");
    pay(&mut hall, 1);
    assert_eq!(rate(&hall), before, "a restart before the hour");
    hall.wait(2 * HOUR);
    hall.whole_round("H1", &["Ann"], &Cards::default());
    hall.next_round("H1");
    assert_eq!(rate(&hall), before, "no restart");
    hall.whole_round("H1", &["Ann"], &royal());
    assert_eq!(rate(&hall), before, "the award may still be rejected");
    pay(&mut hall, 2);
    assert_eq!(rate(&hall), 3_000);
    is_well(&hall);
}

#[test]
fn settings_are_taken_back_before_their_hour() {
    let mut hall = Hall::open();
    let before = rate(&hall);
    let hour = later(&hall, HOUR);
    for settings in [contribution(3_000), contribution(before)] {
        let proposal = settings_from(hour, settings);
        hall.two_sign(&manager(), &accountant(), proposal).expect("two departments sign");
    }
    let again = hall.two_sign(&manager(), &accountant(), settings_from(hour, contribution(before)));
    assert_eq!(again.expect_err("it is so").reason, "NothingChanges");
    hall.wait(2 * HOUR);
    hall.whole_round("H1", &["Ann"], &royal());
    pay(&mut hall, 1);
    assert_eq!(rate(&hall), before);
    is_well(&hall);
}

/// Both who sign see the hour and what the lab says beside the figures.
#[test]
fn both_who_sign_see_the_hour_and_the_lab() {
    let mut hall = Hall::open();
    let proposal = settings_from(later(&hall, HOUR), contribution(3_000));
    hall.done(&manager(), &Command::House(HouseCommand::Propose { proposal }));
    let (_, open) = hall.floor.house().proposals().next().expect("it waits");
    let of = |what: &str| {
        let found = open.changes.iter().find(|change| change.what == what);
        found.map(|change| (change.from.as_str(), change.to.as_str()))
    };
    assert_eq!(of("contribution").map(|(_, to)| to), Some("30.00%"));
    assert_eq!(of(&format!("hold on the Jackpot under {MTHB9}")), Some(("30.0000000 %", "25.0000000 %")));
    assert_eq!(of(&format!("break-even meter under {MTHB9}")), Some(("123,456.00", "123,456.00")));
    assert!(of("holds from").is_some(), "{:?}", open.changes);
}

/// The findings of a history in which limits and settings are taken, with some entries forged by somebody who cannot sign.
fn forged(change: impl Fn(&mut Vec<Line>)) -> Vec<String> {
    let mut hall = Hall::open();
    let hour = later(&hall, HOUR);
    sign(&mut hall, plan("H1", upwards_from(100), hour));
    let proposal = settings_from(hour, contribution(3_000));
    hall.two_sign(&manager(), &accountant(), proposal).expect("two departments sign");
    hall.wait(2 * HOUR);
    hall.whole_round("H1", &["Ann"], &Cards::default());
    let mut history: Vec<Given> = given(&hall);
    for given in &mut history {
        change(&mut given.lines);
    }
    let report = unsealed(&history).audit(&Options::default());
    let findings = report.findings.iter().filter(|finding| finding.kind != Kind::Chain);
    findings.map(ToString::to_string).collect()
}

/// How the entries of a command are forged.
type Forging<'a> = &'a dyn Fn(&mut Vec<Line>);

fn without(lines: &mut Vec<Line>, gone: impl Fn(&Event) -> bool) {
    if let Some(place) = lines.iter().position(|line| gone(&line.event)) {
        let Line { cause, stream, .. } = lines.remove(place);
        if let Some(next) = lines.iter_mut().find(|line| line.stream == stream) {
            next.cause = next.cause.take().or(cause);
        }
    }
}

#[test]
fn the_audit_finds_what_came_too_early_or_was_not_signed() {
    assert_eq!(forged(|_| ()), Vec::<String>::new(), "nothing is wrong with it as it is");
    let is_waiting = |event: &Event| {
        matches!(event, Event::Link(LinkEvent::Jackpot(jackpot::Event::ReconfigurationScheduled { .. })))
    };
    let cases: [(&str, Forging<'_>); 6] = [
        ("goes on without the limits", &|lines| {
            without(lines, |event| matches!(event, Event::Table(TableEvent::LimitsTaken { .. })));
        }),
        ("takes limits that two people did not sign for", &|lines| {
            for line in lines {
                if let Event::Table(TableEvent::LimitsTaken { limits, .. }) = &mut line.event {
                    *limits = upwards_from(50);
                }
            }
        }),
        ("the limits that were signed for an hour", &|lines| {
            for line in lines {
                if let Event::Table(TableEvent::LimitsPlanned { from, .. }) = &mut line.event {
                    from.0 -= HOUR / 2;
                }
            }
        }),
        ("do not wait", &|lines| without(lines, is_waiting)),
        ("takes settings that two people did not sign for", &|lines| {
            for line in lines {
                if let Event::Link(LinkEvent::Jackpot(jackpot::Event::ReconfigurationScheduled {
                    settings,
                    ..
                })) = &mut line.event
                {
                    *settings = contribution(1_000);
                }
            }
        }),
        ("are not those that two people signed for", &|lines| {
            for line in lines {
                if let Event::Link(LinkEvent::SettingsPlanned { from, .. }) = &mut line.event {
                    from.0 -= HOUR / 2;
                }
            }
        }),
    ];
    for (part, change) in cases {
        let found = forged(change);
        assert!(found.iter().any(|found| found.contains(part)), "{part}: {found:?}");
    }
}
