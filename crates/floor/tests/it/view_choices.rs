//! What a view offers is what would be taken: no more, and for a Player no less.

use std::collections::HashSet;

use floor::view::{Amounts, Choice, Viewer};
use floor::{Command, OwnCommand, TableCommand};
use journal::{Actor, Hash};
use money::Money;
use round::{Asker, Stage};
use rulebook::{Limits, Means, PlayingArea};

use crate::support::{
    Cards, Hall, TABLES, by_player, commit_salts, dealer, dollars, manager, player, staff, table,
};
use crate::view_support::{Chance, as_player, as_staff, begin, seen, step, viewers};

/// The amounts to try of a choice: its edges, or each of a list.
fn amounts(choice: &Choice<TableCommand>) -> Vec<Money> {
    match choice.amounts.clone() {
        None => Vec::new(),
        Some(Amounts::Exactly(amount)) => vec![amount],
        Some(Amounts::Between { least, most }) => vec![least, most],
        Some(Amounts::OneOf(amounts)) => amounts,
    }
}

/// The commands a choice stands for: its own, with each of its amounts, and filled in where it says so.
fn commands(hall: &Hall, name: &str, choice: &Choice<TableCommand>) -> Vec<TableCommand> {
    use round::Command as Round;
    let mut command = choice.command.clone();
    for field in &choice.fill_in {
        match (*field, &mut command) {
            ("deck", TableCommand::Own(OwnCommand::BringDeck { deck, .. })) => "H1-7".clone_into(deck),
            ("amount" | "card" | "fault" | "receipt" | "ruling.words" | "ruling.effects" | "setup", _) => {}
            ("player", TableCommand::Round(Round::TakePosition { player: who, .. })) => *who = player("Dov"),
            ("anchor", TableCommand::Own(OwnCommand::CommitSalts { anchor, .. })) => *anchor = Hash([5; 32]),
            ("salt", TableCommand::Own(OwnCommand::OpenSalt { player, salt })) => {
                *salt = hall.next_salt(name, player.name()).expect("a chain of the tests");
            }
            (
                "reason",
                TableCommand::Round(Round::ProhibitPlayer { reason, .. } | Round::StopAction { reason, .. }),
            ) => *reason = Some("showed the hand".to_owned()),
            ("limits", TableCommand::Own(OwnCommand::ChangeLimits { limits })) => {
                limits.ante = *limits.ante.start()..=dollars(999);
            }
            (field, command) => panic!("{field} of {command:?} is not to be filled in"),
        }
    }
    match command {
        TableCommand::Round(Round::PlaceWager { position, area, owner, means, .. }) => {
            let wager = |amount| Round::PlaceWager { position, area, owner: owner.clone(), amount, means };
            amounts(choice).into_iter().map(wager).map(TableCommand::Round).collect()
        }
        command => vec![command],
    }
}

/// Everything offered would be taken by the floor.
fn check_offers(hall: &Hall, name: &str) {
    for viewer in viewers() {
        let actor = match &viewer {
            Viewer::Public | Viewer::Auditor => continue,
            Viewer::Player(player) => Actor::Player(player.clone()),
            Viewer::Staff(person, office) => Actor::Staff(person.clone(), *office),
            Viewer::Department(person, department) => Actor::Department(person.clone(), *department),
        };
        for choice in seen(hall, name, &viewer).choices {
            assert!(choice.you_may && !choice.label.is_empty() && !choice.effect.is_empty(), "{choice:?}");
            for command in commands(hall, name, &choice) {
                let mut copy = hall.clone();
                copy.wait(5_000);
                let answer = copy.give(&actor, &Command::Table { table: table(name), command });
                // What takes a Player out of a settled round needs a second signature, which the desk asks for; and there are
                // only as many chips on the floor as were bought.
                let excused = |reason: &str| ["NeedsSecondSignature", "NotEnoughChips"].contains(&reason);
                let excused = answer.as_ref().is_err_and(|refusal| excused(&refusal.reason));
                assert!(answer.is_ok() || excused, "{viewer:?}: {choice:?} is refused: {answer:?}");
            }
        }
    }
}

/// The same command, whatever its amount.
fn without_amount(command: &round::Command) -> round::Command {
    let mut command = command.clone();
    if let round::Command::PlaceWager { amount, .. } = &mut command {
        *amount = Money::ZERO;
    }
    command
}

/// A Player is offered everything the round would take from them: with credits, and of wagers while bets are open.
fn check_complete(hall: &Hall, name: &str) {
    use round::Command as Round;
    for who in ["Ann", "Bob", "Dov"] {
        let legal = hall.round(name).legal_commands(&Asker::Player(player(who)), &[player(who)]);
        let bets_open = hall.round(name).stage() == Stage::BetsOpen;
        let due = legal.iter().map(|legal| &legal.command).filter(|command| match command {
            Round::PlaceWager { means, .. } => *means == Means::Credits,
            Round::TakeBackWager { .. } => bets_open,
            _ => true,
        });
        let due: HashSet<Round> = due.map(without_amount).collect();
        let offered = seen(hall, name, &as_player(who)).choices;
        let offered: HashSet<Round> = offered
            .iter()
            .filter_map(|choice| match &choice.command {
                TableCommand::Round(command) => Some(without_amount(command)),
                TableCommand::Own(_) => None,
            })
            .collect();
        let missing: Vec<&Round> = due.difference(&offered).collect();
        assert!(missing.is_empty(), "{who} at {name}: {missing:?}");
    }
}

/// While salts are awaited their Players are offered to open them, and the staff to go on without.
#[test]
fn what_is_offered_while_salts_are_awaited() {
    let mut hall = Hall::open();
    hall.seat("H2", 1, "Ann");
    hall.done(&by_player("Ann"), &commit_salts("H2", "Ann", 0));
    hall.whole_round("H2", &["Ann", "Bob"], &Cards::default());
    hall.next_round("H2");
    hall.ready("H2", &["Ann", "Bob"]);
    check_offers(&hall, "H2");
    let offers = |viewer: &Viewer, wanted: fn(&OwnCommand) -> bool| {
        let choices = seen(&hall, "H2", viewer).choices.into_iter();
        choices.filter(|choice| matches!(&choice.command, TableCommand::Own(own) if wanted(own))).count()
    };
    let open = |own: &OwnCommand| matches!(own, OwnCommand::OpenSalt { .. });
    assert_eq!((offers(&as_player("Ann"), open), offers(&as_player("Bob"), open)), (1, 0));
    let dealer = as_staff("Dora");
    assert_eq!(offers(&dealer, |own| matches!(own, OwnCommand::DropSalts {})), 1);
    assert_eq!(offers(&dealer, |own| matches!(own, OwnCommand::DealAll {})), 0);
    let view = seen(&hall, "H2", &Viewer::Public);
    assert_eq!(view.stage.awaited, "The shuffle waits for the salts of Ann.");
}

/// At each step of random rounds of every book: what is offered is taken, and Players are offered all there is.
#[test]
fn offers_are_what_would_be_taken() {
    let opened = Hall::open();
    for (name, ..) in TABLES {
        for seed in 20..22 {
            let (mut hall, mut chance) = (opened.clone(), Chance(seed));
            let deck = chance.deck();
            check_offers(&hall, name);
            check_complete(&hall, name);
            begin(&mut hall, name, &mut chance);
            let mut stage = hall.round(name).stage();
            while step(&mut hall, name, &mut chance, &deck) {
                if hall.round(name).stage() != stage || chance.one_in(6) {
                    check_offers(&hall, name);
                    check_complete(&hall, name);
                }
                stage = hall.round(name).stage();
            }
            check_offers(&hall, name);
        }
    }
}

/// While bets are open: limits less what lies there, the multiples of the Jackpot wager, and what may be taken back.
#[test]
fn wagers_are_offered_with_their_amounts() {
    let mut hall = Hall::open();
    hall.seat("H1", 1, "Ann");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    check_offers(&hall, "H1");
    check_complete(&hall, "H1");
    let offered = |hall: &Hall, who: &str| -> Vec<(String, Vec<u64>)> {
        let choices = seen(hall, "H1", &as_player(who)).choices.into_iter();
        let at_first = choices.filter(|choice| {
            let command = serde_json::to_value(&choice.command).expect("a command can be written");
            command["position"] == 1
        });
        at_first
            .map(|choice| {
                let amounts = amounts(&choice).into_iter().map(Money::cents).collect();
                (choice.label, amounts)
            })
            .collect()
    };
    let named = |offers: &[(&str, Vec<u64>)]| -> Vec<(String, Vec<u64>)> {
        offers.iter().map(|(label, amounts)| ((*label).to_owned(), amounts.clone())).collect()
    };
    let jackpot = vec![500, 1000, 1500, 2000, 2500];
    assert_eq!(
        offered(&hall, "Ann"),
        named(&[
            ("Place Ante", vec![1, 100_000]),
            ("Place Jackpot", jackpot.clone()),
            ("Leave position 1", vec![]),
        ])
    );
    hall.bet("H1", 1, "Ann", PlayingArea::Ante, dollars(900));
    check_offers(&hall, "H1");
    check_complete(&hall, "H1");
    assert_eq!(
        offered(&hall, "Ann"),
        named(&[
            ("Place Bonus", vec![1, 50_000]),
            ("Place Jackpot", jackpot),
            ("Take back the Ante", vec![]),
        ])
    );
    // Another may make up the rest of the Ante, but has no Jackpot wager at a position that is not theirs.
    assert_eq!(offered(&hall, "Bob"), named(&[("Place Ante", vec![1, 10_000])]));
}

/// Limits changed for the next round: this one still offers its own.
#[test]
fn changed_limits_are_not_offered_before_their_round() {
    let mut hall = Hall::open();
    hall.seat("H1", 1, "Ann");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    let limits = Limits { ante: dollars(50)..=dollars(200), bonus: Some(dollars(10)..=dollars(100)) };
    hall.table(&manager(), "H1", TableCommand::Own(OwnCommand::ChangeLimits { limits }));
    let ante = |hall: &Hall| {
        let choices = seen(hall, "H1", &as_player("Ann")).choices;
        let ante = choices.iter().find(|choice| choice.label == "Place Ante").map(amounts);
        ante.unwrap_or_default().into_iter().map(Money::cents).collect::<Vec<_>>()
    };
    assert_eq!(ante(&hall), [1, 100_000]);
    let choices = seen(&hall, "H1", &as_player("Ann")).choices;
    let reaches: Vec<_> = choices.iter().filter_map(|choice| choice.reaches).collect();
    assert_eq!(reaches, [dollars(25)], "the minimum of the round in play");
    check_offers(&hall, "H1");
}

/// A table that lost its link takes no Jackpot wagers and says so; the others go on.
#[test]
fn a_lost_table_offers_no_jackpot_wager() {
    let mut hall = Hall::open();
    for name in ["H1", "S1"] {
        hall.seat(name, 1, "Ann");
        hall.play(&dealer(), name, round::Command::OpenBets {});
    }
    hall.desk(&dealer(), "mega", floor::DeskCommand::LoseTable { table: table("H1") });
    let jackpot = |hall: &Hall, name: &str| {
        let view = seen(hall, name, &as_player("Ann"));
        let offered = view.choices.iter().any(|choice| choice.label == "Place Jackpot");
        (view.jackpot.expect("linked").reachable, offered)
    };
    assert_eq!((jackpot(&hall, "H1"), jackpot(&hall, "S1")), ((false, false), (true, true)));
}

/// The power fails before anything is decided: Players may withdraw, the staff may resume (5.16.1).
#[test]
fn a_power_failure_offers_withdrawal_until_play_resumes() {
    let mut hall = Hall::open();
    hall.ready("H2", &["Ann", "Bob"]);
    hall.play(&Actor::System, "H2", round::Command::ReportPowerFailure {});
    let view = seen(&hall, "H2", &as_player("Ann"));
    let power = view.power.expect("the power is out");
    assert_eq!(power.may_withdraw, [player("Ann"), player("Bob")]);
    let offered = |view: &floor::view::TableView| -> Vec<TableCommand> {
        let commands = view.choices.iter().map(|choice| choice.command.clone());
        commands.filter(|command| matches!(command, TableCommand::Round(_))).collect()
    };
    let withdraw = round::Command::Withdraw { player: player("Ann") };
    let stay = round::Command::StayIn { player: player("Ann") };
    let answers = [TableCommand::Round(withdraw), TableCommand::Round(stay.clone())];
    assert_eq!(offered(&seen(&hall, "H2", &as_player("Ann"))), answers);
    let first = seen(&hall, "H2", &as_staff("Dora")).choices.into_iter().next().expect("something is next");
    assert_eq!((first.command, first.next), (TableCommand::Round(stay), true));
    hall.play(&by_player("Ann"), "H2", round::Command::Withdraw { player: player("Ann") });
    assert_eq!(seen(&hall, "H2", &Viewer::Public).power.expect("still out").may_withdraw, [player("Bob")]);
    hall.resume(&staff("Dora"), "H2");
    assert_eq!(seen(&hall, "H2", &Viewer::Public).power, None);
}
