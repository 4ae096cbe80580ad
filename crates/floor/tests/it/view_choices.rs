//! What a view offers is what would be taken: no more, and for a Player no less.

use std::collections::BTreeSet;

use floor::view::{Amounts, Choice, Viewer};
use floor::{Command, OwnCommand, TableCommand};
use journal::Actor;
use money::Money;
use round::{Asker, CardFault, Decision, PlayerId, Ruling};
use rulebook::{Limits, Means, PlayingArea, Position};

use crate::support::{Hall, TABLES, by_player, dealer, dollars, manager, player, staff, table};
use crate::view_support::{Chance, as_player, as_staff, begin, seen, step, viewers};

fn area(choice: &Choice) -> PlayingArea {
    let area = PlayingArea::ALL.into_iter().find(|area| Some(area.name()) == choice.area);
    area.expect("an area")
}

/// The amounts to try of a choice: its edges, or each of a list.
fn amounts(choice: &Choice) -> Vec<Money> {
    match choice.amounts.clone() {
        None => Vec::new(),
        Some(Amounts::Exactly(amount)) => vec![Money::from_cents(amount.0)],
        Some(Amounts::Between { least, most }) => {
            vec![Money::from_cents(least.0), Money::from_cents(most.0)]
        }
        Some(Amounts::OneOf(amounts)) => {
            amounts.into_iter().map(|amount| Money::from_cents(amount.0)).collect()
        }
    }
}

/// The commands a choice stands for.
fn commands(choice: &Choice, who: Option<&PlayerId>) -> Vec<TableCommand> {
    use round::Command as Round;
    let position = || Position(choice.position.expect("a position"));
    let whom = || match (&choice.player, who) {
        (Some(name), _) => player(name),
        (None, Some(who)) => who.clone(),
        (None, None) => panic!("{choice:?} names nobody"),
    };
    let command = match choice.does {
        "place_wager" => {
            let (position, area, owner, means) = (position(), area(choice), whom(), Means::Credits);
            let wager = |amount| Round::PlaceWager { position, area, owner: owner.clone(), amount, means };
            return amounts(choice).into_iter().map(wager).map(TableCommand::Round).collect();
        }
        "deal_all" => return vec![TableCommand::Own(OwnCommand::DealAll)],
        "close" => return vec![TableCommand::Own(OwnCommand::Close)],
        "take_back_wager" => Round::TakeBackWager { position: position(), area: area(choice), owner: whom() },
        "take_position" => Round::TakePosition { position: position(), player: whom() },
        "leave_position" => Round::LeavePosition { position: position() },
        "view_hand" => Round::ViewHand { position: position() },
        "decide" => {
            let decision = match choice.decision {
                Some("fold") => Decision::Fold,
                Some("check") => Decision::Check,
                _ => Decision::Wager,
            };
            Round::Decide { position: position(), decision }
        }
        "show_hand" => Round::ShowHand { position: position() },
        "decline_comparison" => Round::DeclineComparison { position: position() },
        "view_declined_hand" => Round::ViewDeclinedHand { position: position() },
        "report_absent" => Round::ReportAbsent { position: position() },
        "withdraw" => Round::Withdraw { player: whom() },
        "inform_player" => Round::InformPlayer { player: whom() },
        "restrict_player" => Round::RestrictPlayer { player: whom() },
        "lift_restriction" => Round::LiftRestriction { player: whom() },
        "prohibit_player" => Round::ProhibitPlayer { player: whom() },
        "stop_action" => Round::StopAction { player: whom() },
        "open_bets" => Round::OpenBets,
        "close_bets" => Round::CloseBets,
        "deal_card" => Round::DealCard { card: None },
        "expose" => Round::Expose,
        "settle" => Round::Settle,
        "begin_next_round" => Round::BeginNextRound,
        "resume_play" => Round::ResumePlay,
        "reconstruct" => Round::Reconstruct,
        "give_up_reconstruction" => Round::GiveUpReconstruction,
        "permit_withdrawals" => Round::PermitWithdrawals,
        "declare_bad_cards" => Round::DeclareBadCards { fault: CardFault::Foreign },
        "make-ruling" => {
            Round::MakeRuling { ruling: Ruling { words: "play goes on".to_owned(), effects: Vec::new() } }
        }
        other => panic!("{other} is no command"),
    };
    vec![TableCommand::Round(command)]
}

/// Everything offered would be taken by the floor.
fn check_offers(hall: &Hall, name: &str) {
    for viewer in viewers() {
        let (actor, who) = match &viewer {
            Viewer::Public | Viewer::Auditor => continue,
            Viewer::Player(player) => (Actor::Player(player.clone()), Some(player)),
            Viewer::Staff(person, office) => (Actor::Staff(person.clone(), *office), None),
        };
        for choice in seen(hall, name, &viewer).choices {
            for command in commands(&choice, who) {
                // What undoes a settled round needs a second signature, which the desk asks for.
                let mut copy = hall.clone();
                let answer = copy.give(&actor, &Command::Table { table: table(name), command });
                let signed = answer.as_ref().is_err_and(|refusal| refusal.reason == "NeedsSecondSignature");
                assert!(answer.is_ok() || signed, "{viewer:?}: {choice:?} is refused: {answer:?}");
            }
        }
    }
}

/// A choice or a command, in short, to compare them.
type Short = (&'static str, Option<u8>, Option<&'static str>, Option<&'static str>);

fn short(command: &round::Command) -> Option<Short> {
    use round::Command as Round;
    let at = |does, position: &Position| Some((does, Some(position.0), None, None));
    match command {
        Round::PlaceWager { position, area, means: Means::Credits, .. } => {
            Some(("place_wager", Some(position.0), Some(area.name()), None))
        }
        Round::TakePosition { position, .. } => at("take_position", position),
        Round::LeavePosition { position } => at("leave_position", position),
        Round::ViewHand { position } => at("view_hand", position),
        Round::ShowHand { position } => at("show_hand", position),
        Round::DeclineComparison { position } => at("decline_comparison", position),
        Round::Withdraw { .. } => Some(("withdraw", None, None, None)),
        Round::Decide { position, decision } => {
            let decision = match decision {
                Decision::Fold => "fold",
                Decision::Wager => "wager",
                Decision::Check => "check",
            };
            Some(("decide", Some(position.0), None, Some(decision)))
        }
        _ => None,
    }
}

/// A Player is offered everything the round would take from them.
fn check_complete(hall: &Hall, name: &str) {
    for who in ["Ann", "Bob", "Dov"] {
        let legal = hall.round(name).legal_commands(&Asker::Player(player(who)), &[player(who)]);
        let legal: BTreeSet<Short> = legal.iter().filter_map(|legal| short(&legal.command)).collect();
        let offered = seen(hall, name, &as_player(who)).choices;
        let offered: BTreeSet<Short> = offered
            .iter()
            .map(|choice| {
                let area = choice.area.filter(|_| choice.does == "place_wager");
                (choice.does, choice.position, area, choice.decision)
            })
            .collect();
        assert!(legal.is_subset(&offered), "{who} at {name}: {:?}", legal.difference(&offered));
    }
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
    hall.play(&dealer(), "H1", round::Command::OpenBets);
    check_offers(&hall, "H1");
    check_complete(&hall, "H1");
    let offered = |hall: &Hall, who: &str| -> Vec<(&'static str, Option<&'static str>, Vec<u64>)> {
        let choices = seen(hall, "H1", &as_player(who)).choices.into_iter();
        let at_first = choices.filter(|choice| choice.position == Some(1));
        at_first
            .map(|choice| {
                let amounts = amounts(&choice).into_iter().map(Money::cents).collect();
                (choice.does, choice.area, amounts)
            })
            .collect()
    };
    let jackpot = vec![500, 1000, 1500, 2000, 2500];
    assert_eq!(
        offered(&hall, "Ann"),
        [
            ("place_wager", Some("Ante"), vec![2500, 100_000]),
            ("place_wager", Some("Jackpot"), jackpot.clone()),
            ("leave_position", None, vec![]),
        ]
    );
    hall.bet("H1", 1, "Ann", PlayingArea::Ante, dollars(900));
    check_offers(&hall, "H1");
    check_complete(&hall, "H1");
    assert_eq!(
        offered(&hall, "Ann"),
        [
            ("place_wager", Some("Bonus"), vec![500, 50_000]),
            ("place_wager", Some("Jackpot"), jackpot),
            ("take_back_wager", Some("Ante"), vec![]),
        ]
    );
    // Another may make up the rest of the Ante, but has no Jackpot wager at a position that is not theirs.
    assert_eq!(offered(&hall, "Bob"), [("place_wager", Some("Ante"), vec![1, 10_000])]);
}

/// Limits changed for the next round: this one still offers its own.
#[test]
fn changed_limits_are_not_offered_before_their_round() {
    let mut hall = Hall::open();
    hall.seat("H1", 1, "Ann");
    hall.play(&dealer(), "H1", round::Command::OpenBets);
    let limits = Limits { ante: dollars(50)..=dollars(200), bonus: Some(dollars(10)..=dollars(100)) };
    hall.table(&manager(), "H1", TableCommand::Own(OwnCommand::ChangeLimits { limits }));
    let ante = |hall: &Hall| {
        let choices = seen(hall, "H1", &as_player("Ann")).choices;
        let ante = choices.iter().find(|choice| choice.area == Some("Ante")).map(amounts);
        ante.unwrap_or_default().into_iter().map(Money::cents).collect::<Vec<_>>()
    };
    assert_eq!(ante(&hall), [2500, 100_000]);
    check_offers(&hall, "H1");
}

/// A table that lost its link takes no Jackpot wagers and says so; the others go on.
#[test]
fn a_lost_table_offers_no_jackpot_wager() {
    let mut hall = Hall::open();
    for name in ["H1", "S1"] {
        hall.seat(name, 1, "Ann");
        hall.play(&dealer(), name, round::Command::OpenBets);
    }
    hall.desk(&dealer(), "mega", floor::DeskCommand::LoseTable { table: table("H1") });
    let jackpot = |hall: &Hall, name: &str| {
        let view = seen(hall, name, &as_player("Ann"));
        let offered = view.choices.iter().any(|choice| choice.area == Some("Jackpot"));
        (view.jackpot.expect("linked").reachable, offered)
    };
    assert_eq!((jackpot(&hall, "H1"), jackpot(&hall, "S1")), ((false, false), (true, true)));
}

/// The power fails before anything is decided: Players may withdraw, the staff may resume (5.16.1).
#[test]
fn a_power_failure_offers_withdrawal_until_play_resumes() {
    let mut hall = Hall::open();
    hall.ready("H2", &["Ann", "Bob"]);
    hall.play(&Actor::System, "H2", round::Command::ReportPowerFailure);
    let view = seen(&hall, "H2", &as_player("Ann"));
    let power = view.power.expect("the power is out");
    assert_eq!(power.may_withdraw, ["Ann", "Bob"]);
    let does = |view: &floor::view::TableView| -> Vec<&str> {
        view.choices.iter().map(|choice| choice.does).collect()
    };
    assert_eq!(does(&seen(&hall, "H2", &as_player("Ann"))), ["withdraw"]);
    let first = seen(&hall, "H2", &as_staff("Dora")).choices.into_iter().next().expect("something is next");
    assert_eq!((first.does, first.next), ("resume_play", true));
    hall.play(&by_player("Ann"), "H2", round::Command::Withdraw { player: player("Ann") });
    assert_eq!(seen(&hall, "H2", &Viewer::Public).power.expect("still out").may_withdraw, ["Bob"]);
    hall.play(&staff("Dora"), "H2", round::Command::ResumePlay);
    assert_eq!(seen(&hall, "H2", &Viewer::Public).power, None);
}
