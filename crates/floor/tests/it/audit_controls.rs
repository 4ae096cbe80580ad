//! Controls that the audit looks at again: a log that was written without them, every hash computed anew, is found.

use std::collections::BTreeMap;

use floor::audit::Options;
use floor::view::{TableView, Viewer};
use floor::{Command, DeskCommand, HouseCommand, OwnCommand, TableCommand};
use jackpot::{AwardNumber, Checklist, Person};
use journal::{
    Actor, Event, Hash, Identity, LinkEvent, Moment, Proposal, Stream, TableEvent, Version, command_text,
};
use money::Odds;
use round::{CardFault, Command as InRound, Effect, RuledOutcome, Ruling};
use rulebook::{Office, PlayingArea, Position};

use crate::audit_support::{Given, given, sealed, unsealed};
use crate::support::{
    Cards, Hall, by_player, checked, dealer, dollars, link, manager, player, shift_manager, staff,
    supervisor, table,
};

/// A hall whose log says that a program started which asks for all that is asked for today.
fn started() -> Hall {
    let mut hall = Hall::open();
    let identity = Identity { version: "1".to_owned(), program: Hash([1; 32]), rulebooks: BTreeMap::new() };
    let (node, settings) = ("one".to_owned(), BTreeMap::new());
    hall.done(&Actor::System, &Command::House(HouseCommand::StartService { node, identity, settings }));
    hall
}

fn found(history: &[Given]) -> Vec<String> {
    let report = unsealed(history).audit(&Options::default());
    report.findings.iter().map(ToString::to_string).collect()
}

#[track_caller]
fn assert_found(history: &[Given], what: &str) {
    let found = found(history);
    assert!(found.iter().any(|finding| finding.contains(what)), "{what:?} is not in {found:#?}");
}

#[track_caller]
fn assert_well(hall: &Hall) {
    let report = sealed(&given(hall)).audit(&Options::default());
    assert!(report.is_well(), "{report:#?}");
}

fn desk(command: DeskCommand) -> Command {
    Command::Desk { link: link("mega"), command }
}

fn verify(checklist: Checklist) -> Command {
    desk(DeskCommand::Verify { award: AwardNumber(1), checklist })
}

/// The last command becomes another one, with what it changes in its events.
fn last_becomes(history: &mut [Given], command: &Command, change: impl FnOnce(&mut Event)) {
    let last = history.last_mut().expect("something happened");
    let line = last.lines.first_mut().expect("it wrote something");
    line.cause = Some(command_text(command));
    change(&mut line.event);
}

/// A check list says what became of the cards: camera, seal, deck and who holds them.
#[test]
fn a_check_list_without_custody_is_found() {
    let mut hall = started();
    hall.whole_round("H1", &["Ann"], &crate::core_jackpot::royal());
    hall.done(&supervisor(), &verify(checked()));
    assert_well(&hall);
    let empty_seal = {
        let mut list = checked();
        list.custody.as_mut().expect("filled in").seal = " ".to_owned();
        list
    };
    for list in [Checklist { custody: None, ..checked() }, empty_seal] {
        let mut history = given(&hall);
        last_becomes(&mut history, &verify(list.clone()), |event| {
            if let Event::Link(LinkEvent::Jackpot(jackpot::Event::AwardVerified { checklist, .. })) = event {
                *checklist = list.clone();
            }
        });
        assert_found(&history, "the check list is not complete");
    }
}

/// The three who sign for an award did not make each other a short time ago: refused at the desk, and found in the log.
#[test]
fn the_signatures_of_an_award_are_independent() {
    let mut hall = started();
    hall.whole_round("H1", &["Ann"], &crate::core_jackpot::royal());
    hall.done(&supervisor(), &verify(checked()));
    // Mia and Sol reset the account of Sue, who verified: Mia is no second person beside her.
    let invite = Proposal::InviteStaff { person: Person::new("Sue") };
    hall.two_sign(&manager(), &staff("Sol"), invite).expect("two departments");
    let approve = desk(DeskCommand::Approve { award: AwardNumber(1) });
    let refusal = hall.refused(&manager(), &approve);
    assert_eq!(refusal.reason, "NotIndependent");
    assert!(refusal.sentence.contains("Mia and Sue"), "{refusal}");
    let mut honest = hall.clone();
    honest.done(&staff("Max"), &approve);
    assert_well(&honest);
    let mut history = given(&honest);
    let last = history.last_mut().expect("the approval");
    last.actor = manager();
    let line = last.lines.first_mut().expect("one entry");
    if let Event::Link(LinkEvent::Jackpot(jackpot::Event::AwardApproved { by, .. })) = &mut line.event {
        by.person = Person::new("Mia");
    }
    assert_found(&history, "signed for award 1 together");
    // After the time of the house they sign together again.
    hall.pass_days(30);
    hall.done(&manager(), &approve);
    assert_well(&hall);
}

/// A large fixed prize is settled by two, each prize with its slip.
#[test]
fn a_large_fixed_prize_without_slip_is_found() {
    let mut hall = started();
    crate::core_controls::four_of_a_kind(&mut hall, 25);
    let round = hall.number("H1");
    hall.two_sign(&supervisor(), &manager(), Proposal::SettleRound { table: table("H1"), round })
        .expect("two");
    assert_well(&hall);
    let mut history = given(&hall);
    let last = history.last_mut().expect("the settlement");
    let before = last.lines.len();
    last.lines.retain(|line| !matches!(line.event, Event::Table(TableEvent::PrizeSigned { .. })));
    assert!(last.lines.len() < before, "it had a slip");
    assert_found(&history, "two people did not sign for");
}

/// What a table says its meter showed is what the meter was.
#[test]
fn another_amount_on_the_meter_is_found() {
    let mut hall = started();
    hall.whole_round("H1", &["Ann"], &Cards::default());
    hall.next_round("H1");
    hall.whole_round("S1", &["Bob"], &Cards::default());
    assert_well(&hall);
    let mut history = given(&hall);
    let shown =
        history.iter_mut().flat_map(|given| &mut given.lines).find_map(|line| match &mut line.event {
            Event::Table(TableEvent::MeterShown { shown }) => Some(shown),
            _ => None,
        });
    let shown = shown.expect("bets were closed");
    shown.displayed = shown.displayed.plus(dollars(1)).expect("fits");
    assert_found(&history, "never showed");
}

fn bring(at: &str, deck: &str) -> Command {
    let own = OwnCommand::BringDeck { deck: deck.to_owned(), receipt: None };
    Command::Table { table: table(at), command: TableCommand::Own(own) }
}

/// A deck in quarantine at one table is refused at every table; a Pit Supervisor brings it back after an inspection.
#[test]
fn a_bad_deck_is_refused_at_every_table() {
    let mut hall = started();
    hall.done(&dealer(), &bring("H1", "D 7"));
    hall.ready("H1", &["Ann"]);
    hall.play(&dealer(), "H1", InRound::DeclareBadCards { fault: CardFault::Extra });
    hall.pass_days(1);
    for name in ["H1", "S1", "X1"] {
        let refusal = hall.refused(&dealer(), &bring(name, "D 7"));
        assert_eq!(refusal.reason, "DeckIsQuarantined", "{name}");
    }
    hall.done(&supervisor(), &bring("S1", "D 7"));
    let mut own = hall.clone();
    own.done(&supervisor(), &bring("H1", "D 7"));
    assert_well(&own);
    for (hall, what) in
        [(&own, "which a Pit Supervisor must inspect first"), (&hall, "in quarantine at table H1")]
    {
        let mut history = given(hall);
        history.last_mut().expect("the deck").actor = dealer();
        assert_found(&history, what);
    }
}

/// Before the staff records that a Player gave no answer, 20 seconds have passed (5.16.1).
#[test]
fn no_answer_recorded_too_early_is_found() {
    let mut hall = started();
    hall.ready("H1", &["Ann"]);
    hall.play(&dealer(), "H1", InRound::ReportPowerFailure {});
    let silent = InRound::ReportNoAnswer { player: player("Ann") };
    hall.wait(18_000);
    assert_eq!(hall.at(&dealer(), "H1", silent.clone()).expect_err("too early").reason, "PlayersHaveTime");
    hall.wait(2_000);
    hall.play(&dealer(), "H1", silent);
    assert_well(&hall);
    let mut history = given(&hall);
    let last = history.last_mut().expect("no answer");
    last.at = Moment(last.at.0 - 2_000);
    assert_found(&history, "20 seconds to answer");
}

/// The list beside the guide offers bad cards to whoever may declare them: a Dealer where little lies on the round, a Pit
/// Supervisor where more does, nobody once the round is settled: then the cards are counted.
#[test]
fn bad_cards_are_offered_to_who_may_declare_them() {
    let offered = |hall: &Hall, office: Office| {
        let viewer = Viewer::Staff(Person::new("Dora"), office);
        let (floor, id) = (&hall.floor, table("H1"));
        let view =
            TableView::of(floor.table(&id).expect("open"), None, floor.house().limits(), Version(1), &viewer);
        let mut choices = view.choices.into_iter();
        let bad = choices
            .find(|choice| matches!(choice.command, TableCommand::Round(InRound::DeclareBadCards { .. })));
        bad.map(|choice| choice.you_may)
    };
    let declare = |hall: &Hall, by: &Actor| {
        hall.clone().at(by, "H1", InRound::DeclareBadCards { fault: CardFault::Foreign }).map(drop)
    };
    let round = |ante: u64| {
        let mut hall = started();
        hall.seat("H1", 1, "Ann");
        hall.play(&dealer(), "H1", InRound::OpenBets {});
        hall.bet("H1", 1, "Ann", PlayingArea::Ante, dollars(ante));
        hall.play(&dealer(), "H1", InRound::CloseBets {});
        hall.deal("H1", &Cards::default());
        hall
    };
    let small = round(1_000);
    assert_eq!(offered(&small, Office::Dealer), Some(true));
    declare(&small, &dealer()).expect("within the limit");
    let mut large = round(1_000);
    large.play(
        &by_player("Ann"),
        "H1",
        InRound::Decide { position: Position(1), decision: round::Decision::Wager },
    );
    assert_eq!(offered(&large, Office::Dealer), None);
    assert_eq!(declare(&large, &dealer()).expect_err("a Dealer alone").reason, "NeedsSupervisor");
    assert_eq!(offered(&large, Office::PitSupervisor), Some(true));
    declare(&large, &supervisor()).expect("a Pit Supervisor");
    large.finish("H1", &Cards::default(), |_, _| round::Decision::Wager);
    assert_eq!(declare(&large, &supervisor()).expect_err("the cards were counted").reason, "RoundIsOver");
    assert_eq!(offered(&large, Office::PitSupervisor), None);
}

/// A ruling after the settlement pays another fixed prize: the lifetime meters follow, and none of them goes down. A log in
/// which the link was not told is found.
#[test]
fn a_ruled_fixed_prize_is_counted_anew() {
    let mut hall = started();
    crate::core_controls::four_of_a_kind(&mut hall, 5);
    hall.play(&dealer(), "H1", InRound::Settle {});
    let meters = |hall: &Hall| {
        let levels = hall.floor.link(&link("mega")).expect("open").link().meters().levels;
        let (_, level) = levels.first().copied().expect("one line was hit");
        (level.hits.count, level.hits.amount.cents(), level.hits.amount_reversed.cents(), level.paid.cents())
    };
    let (count, amount, _, paid) = meters(&hall);
    assert_eq!((count, paid), (1, amount));
    let rule = |odds: u32| {
        let effect = Effect::Wager {
            position: Position(1),
            area: PlayingArea::Jackpot,
            outcome: RuledOutcome::Paid(Odds::For(odds)),
        };
        let ruling = Ruling { words: "the line was misread".to_owned(), effects: vec![effect] };
        Proposal::Rule { table: table("H1"), round: 1, ruling }
    };
    let before = u32::try_from(amount / 500).expect("few");
    hall.two_sign(&manager(), &shift_manager(), rule(before + 10)).expect("two people");
    assert_eq!(meters(&hall), (1, amount + 5_000, 0, amount + 5_000));
    let raised = given(&hall);
    hall.two_sign(&manager(), &shift_manager(), rule(before - 10)).expect("two people");
    assert_eq!(meters(&hall), (1, amount + 5_000, 10_000, amount + 5_000));
    assert_well(&hall);
    let mut untold = raised;
    let last = untold.last_mut().expect("the ruling");
    last.lines.retain(|line| !matches!(line.stream, Stream::Link(_)));
    assert_found(&untold, "counts the old ones");
}

/// A log in which no node recorded a start may be of a program of today: what its link counted anew is no finding, and
/// neither is that one of an earlier program counted nothing.
#[test]
fn a_ruled_fixed_prize_in_a_log_without_starts() {
    let mut hall = Hall::open();
    crate::core_controls::four_of_a_kind(&mut hall, 5);
    hall.play(&dealer(), "H1", InRound::Settle {});
    let effect = Effect::Wager {
        position: Position(1),
        area: PlayingArea::Jackpot,
        outcome: RuledOutcome::Paid(Odds::For(2)),
    };
    let ruling = Ruling { words: "the line was misread".to_owned(), effects: vec![effect] };
    let rule = Proposal::Rule { table: table("H1"), round: 1, ruling };
    hall.two_sign(&manager(), &shift_manager(), rule).expect("two people");
    assert_well(&hall);
    let mut untold = given(&hall);
    let last = untold.last_mut().expect("the ruling");
    last.lines.retain(|line| !matches!(line.stream, Stream::Link(_)));
    let found = found(&untold);
    assert!(!found.iter().any(|what| what.contains("counts the old ones")), "{found:?}");
}

/// A ruling may pay the Jackpot wager of a hand whose cards nobody read: it is on no line of the pay table, before the
/// settlement and after it.
#[test]
fn a_ruled_prize_of_an_unread_hand_is_on_no_line() {
    let effect = Effect::Wager {
        position: Position(1),
        area: PlayingArea::Jackpot,
        outcome: RuledOutcome::Paid(Odds::For(2)),
    };
    let ruling = Ruling { words: "so ruled".to_owned(), effects: vec![effect] };
    for before in [true, false] {
        let mut hall = started();
        hall.ready("S2", &["Ann"]);
        let rule = InRound::MakeRuling { ruling: ruling.clone() };
        if before {
            hall.play(&shift_manager(), "S2", rule.clone());
        }
        hall.finish("S2", &Cards::default(), |_, _| round::Decision::Fold);
        if !before {
            hall.play(&shift_manager(), "S2", rule);
        }
        let levels = hall.floor.link(&link("mega")).expect("open").link().meters().levels;
        assert_eq!(levels, []);
        assert_well(&hall);
    }
}
