//! Exactly once: the same id gets the first answer, whatever happened in between; and a batch in which some are refused.

use floor::node::{Answer, Failure, Node, Request, Wrote};
use floor::{Command, HouseCommand, Reason, check};
use journal::{Account, Actor, Amount, Currency, Dealing, PlayerKind, Stream, Version};
use money::Money;
use round::PlayerId;
use rulebook::{Citation, Clause};

use crate::node_load::{Dice, boss, buy_in, house_opening, id, next, opening, requests, table};
use crate::node_process::{Place, fresh, setup};

fn opened(place: &Place, tables: usize) -> Node {
    let (mut node, recovery) = place.begin("alone").expect("a fresh log");
    assert!(recovery.opened, "the house was opened");
    for reply in node.turn(&requests(0, opening(tables, Dealing::Software))) {
        assert!(matches!(reply, Ok(Answer::Done(_))), "{reply:?}");
    }
    node
}

fn ask(node: &mut Node, request: &Request) -> Result<Answer, Failure> {
    node.turn(std::slice::from_ref(request)).pop().expect("a reply to a request")
}

fn balance(node: &Node, account: &Account) -> Amount {
    node.reader().expect("a reader").balance(account).expect("a balance")
}

/// The ledger agrees with the floor to the last fraction.
fn assert_accounted_for(node: &Node) {
    let balances = node.reader().expect("a reader").balances().expect("balances");
    assert_eq!(check::check(node.floor(), &balances).figure(), 0);
}

#[test]
fn the_same_id_gets_the_first_answer() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = fresh(folder.path(), 1);
    let mut node = opened(&place, 1);
    let wallet = Account::Wallet(PlayerId::new("T0P1"));
    let before = balance(&node, &wallet);
    let bought = Request::new(id(7, 1), boss(), buy_in(PlayerId::new("T0P1"), 100));
    let refused = Request::new(id(7, 2), boss(), buy_in(PlayerId::new("Nobody"), 100));
    let first = ask(&mut node, &bought).expect("taken");
    let no = ask(&mut node, &refused).expect("an answer");
    assert!(matches!(&no, Answer::Refused(refusal) if refusal.reason == "NotAPlayer"), "{no:?}");
    // Nobody becomes known, and still the first answer stands.
    let known = Command::House(HouseCommand::RegisterPlayer {
        player: PlayerId::new("Nobody"),
        kind: journal::PlayerKind::Member,
    });
    ask(&mut node, &Request::new(id(7, 3), boss(), known)).expect("taken");
    let other = Request::new(id(7, 1), boss(), buy_in(PlayerId::new("T0P1"), 200));
    let check = |node: &mut Node| {
        assert_eq!(ask(node, &bought), Ok(first.clone()));
        assert_eq!(ask(node, &refused), Ok(no.clone()));
        assert_eq!(ask(node, &other), Err(Failure::IdReused(id(7, 1))));
        assert_eq!(balance(node, &wallet).0 - before.0, 100 * 1_000_000, "bought in once");
    };
    check(&mut node);
    drop(node);
    check(&mut place.begin("alone").expect("nothing is wrong").0);
}

#[test]
fn a_command_twice_in_one_batch_is_done_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut node = opened(&fresh(folder.path(), 1), 1);
    let wallet = Account::Wallet(PlayerId::new("T0P1"));
    let before = balance(&node, &wallet);
    let one = Request::new(id(7, 1), boss(), buy_in(PlayerId::new("T0P1"), 100));
    let other = Request::new(id(7, 1), boss(), buy_in(PlayerId::new("T0P1"), 200));
    let replies = node.turn(&[one.clone(), one.clone(), other, one]);
    assert_eq!(replies[0], replies[1]);
    assert_eq!(replies[0], replies[3]);
    assert_eq!(replies[2], Err(Failure::IdReused(id(7, 1))));
    assert_eq!(balance(&node, &wallet).0 - before.0, 100 * 1_000_000, "bought in once");
}

/// Those before and after a refused one are done, each on what those before it left; what a wallet holds is spent once.
#[test]
fn a_refused_neighbour_fails_nobody() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut real = setup("alone");
    real.money = Currency::Real;
    let (mut node, _) = fresh(folder.path(), 1).begin_as(real).expect("the node begins");
    node.turn(&requests(0, house_opening()));
    let (player, means) = (PlayerId::new("Ann"), rulebook::Means::Credits);
    let ask = |number, command| Request::new(id(8, number), boss(), Command::House(command));
    let register = HouseCommand::RegisterPlayer { player: player.clone(), kind: PlayerKind::Member };
    let buy_in = |cents| HouseCommand::BuyIn {
        player: player.clone(),
        amount: Money::from_cents(cents),
        means,
        identity: None,
    };
    let amount = Money::from_cents(10_000);
    let cash_out = HouseCommand::CashOut { player: player.clone(), amount, means, identity: None };
    node.turn(&[ask(1, register), ask(2, buy_in(10_000))]);
    let nobody = Actor::Player(PlayerId::new("Nobody"));
    let stranger = Request::new(id(8, 5), nobody, Command::House(buy_in(100)));
    let replies = node.turn(&[ask(3, cash_out.clone()), ask(4, cash_out), stranger, ask(6, buy_in(100))]);
    assert!(matches!(replies[0], Ok(Answer::Done(_))), "{replies:?}");
    let reason = |reply: &Result<Answer, Failure>| match reply {
        Ok(Answer::Refused(refusal)) => refusal.reason.clone(),
        other => panic!("{other:?} is no refusal"),
    };
    assert_eq!(reason(&replies[1]), "NotEnoughCredits");
    assert_eq!(reason(&replies[2]), "NotAPlayer");
    assert!(matches!(replies[3], Ok(Answer::Done(_))), "{replies:?}");
    assert_eq!(balance(&node, &Account::Wallet(player)), Amount(1_000_000));
    assert_accounted_for(&node);
}

/// What one command of a batch opens the next may use, though its streams were not known when the batch began; and
/// batches are played as single commands are.
#[test]
fn a_batch_may_use_what_it_opens() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut node = opened(&fresh(folder.path(), 1), 2);
    let mut dice = Dice(1);
    for number in 0..200 {
        let batch: Vec<Request> = (0..2)
            .map(|at| {
                let (actor, command) = next(node.floor().table(&table(at)).expect("open"), &mut dice);
                Request::new(id(dice.roll(u64::MAX), number), actor, command)
            })
            .collect();
        for reply in node.turn(&batch) {
            assert!(matches!(reply, Ok(Answer::Done(_))), "{reply:?}");
        }
    }
    assert_accounted_for(&node);
}

/// The stored form, never to be changed.
#[test]
fn stored_answers() {
    let wrote = |stream, first, last| Wrote { stream, first: Version(first), last: Version(last) };
    let under =
        Clause { book: Citation::new("MTHB9").expect("a citation"), rule: "3.5.3".parse().expect("a rule") };
    let appendix = Clause { rule: "Appendix A".parse().expect("a rule"), ..under };
    let table = [
        (
            Answer::Done(vec![
                wrote(Stream::Table(table(1)), 5, 9),
                wrote(Stream::Link(journal::LinkId::new("mega")), 2, 2),
                wrote(Stream::House, 1, 1),
            ]),
            r#"{"form":"answer.v1","done":[["table/T1",5,9],["link/mega",2,2],["house",1,1]]}"#,
        ),
        (Answer::Done(Vec::new()), r#"{"form":"answer.v1","done":[]}"#),
        (
            Answer::Refused(Reason::NotAPlayer.refuse()),
            r#"{"form":"answer.v1","refused":{"reason":"NotAPlayer","sentence":"This Player is not registered; register them first."}}"#,
        ),
        (
            Answer::Refused(floor::Refusal {
                sentence: "No.".to_owned(),
                ..Reason::TableIsLost.under(under)
            }),
            r#"{"form":"answer.v1","refused":{"reason":"TableIsLost","clause":"MTHB9 3.5.3","sentence":"No."}}"#,
        ),
        (
            Answer::Refused(floor::Refusal {
                sentence: "No.".to_owned(),
                ..Reason::NoAmount.under(appendix)
            }),
            r#"{"form":"answer.v1","refused":{"reason":"NoAmount","clause":"MTHB9 Appendix A","sentence":"No."}}"#,
        ),
    ];
    for (answer, text) in table {
        assert_eq!(answer.to_text(), text);
        assert_eq!(Answer::from_text(text), Ok(answer));
    }
    let wrong = [
        "",
        "{}",
        r#"{"form":"answer.v1"}"#,
        r#"{"form":"answer.v2","done":[]}"#,
        r#"{"form":"answer.v1","done":[],"more":1}"#,
        r#"{"form":"answer.v1","done":[["nowhere",1,1]]}"#,
        r#"{"form":"answer.v1","refused":{"reason":"A","clause":"3.5","sentence":"B"}}"#,
    ];
    for text in wrong {
        assert!(Answer::from_text(text).is_err(), "{text}");
    }
}
