//! Players' own randomness in the shuffle: committed before the seed is drawn, opened after it is fixed, and nobody gains
//! by withholding it.

use floor::{Command, Happened, OwnCommand, Shuffle, TableCommand, dealing};
use journal::{Event, Hash, TableEvent};
use round::{CardFault, Decision, Stage};
use rulebook::Position;

use crate::support::{
    Cards, Hall, by_player, chain, commit_salts, dealer, drop_salts, open_salt, player, table,
};

/// H2 with these Players seated and committed, about to begin its second round.
fn committed(players: &[&str]) -> Hall {
    let mut hall = Hall::open();
    for (position, who) in (1..).zip(players) {
        hall.seat("H2", position, who);
        hall.done(&by_player(who), &commit_salts("H2", who, 0));
    }
    hall.whole_round("H2", players, &Cards::default());
    hall.next_round("H2");
    hall
}

fn shuffle(hall: &Hall) -> Shuffle {
    hall.floor.table(&table("H2")).expect("a table").shuffle().expect("committed").clone()
}

fn awaited(hall: &Hall) -> Vec<String> {
    let awaited = hall.floor.table(&table("H2")).expect("a table").awaited();
    awaited.iter().map(ToString::to_string).collect()
}

fn events(happened: &[Happened]) -> Vec<&TableEvent> {
    happened
        .iter()
        .filter_map(|one| if let Event::Table(event) = &one.event { Some(event) } else { None })
        .collect()
}

fn deal() -> Command {
    Command::Table { table: table("H2"), command: TableCommand::Own(OwnCommand::DealAll {}) }
}

/// The deck is fixed with the last salt, whoever opens last, and by nothing but seed and salts.
#[test]
fn every_committed_salt_is_mixed_in() {
    let mut hall = committed(&["Ann", "Bob"]);
    hall.ready("H2", &["Ann", "Bob"]);
    assert_eq!(awaited(&hall), ["Ann", "Bob"]);
    let refusal = hall.refused(&dealer(), &deal());
    assert_eq!(refusal.reason, "SaltsAreAwaited");
    assert!(refusal.sentence.ends_with("Awaited: Ann, Bob."), "{refusal}");
    let mut turned = hall.clone();
    for (hall, order) in [(&mut hall, ["Bob", "Ann"]), (&mut turned, ["Ann", "Bob"])] {
        hall.opens("H2", order[0]);
        assert_eq!(awaited(hall), [order[1]]);
        let one = hall.at(&dealer(), "H2", round::Command::DealCard { card: None });
        assert_eq!(one.expect_err("one is awaited").reason, "SaltsAreAwaited");
        let last = hall.opens("H2", order[1]);
        assert!(matches!(
            events(&last)[..],
            [TableEvent::SaltOpened { .. }, TableEvent::ShuffleSalted { .. }]
        ));
    }
    assert_eq!(shuffle(&hall).salt, shuffle(&turned).salt, "the order of opening changes nothing");
    let fixed = shuffle(&hall);
    let salts: Vec<_> = ["Ann", "Bob"].map(|who| (player(who), chain("H2", who, 0)[23])).to_vec();
    assert_eq!(fixed.salt, Some(dealing::mixed(fixed.commitment, &salts)));
    assert_eq!(fixed.opened(), salts);
    hall.finish("H2", &Cards::default(), |_, _| Decision::Wager);
    hall.next_round("H2");
    // One chain serves many rounds.
    hall.ready("H2", &["Ann", "Bob"]);
    for who in ["Ann", "Bob"] {
        assert_eq!(hall.next_salt("H2", who), Some(chain("H2", who, 0)[22]));
        hall.opens("H2", who);
    }
    hall.finish("H2", &Cards::default(), |_, _| Decision::Wager);
}

/// Salts committed after the seed was drawn take part from the next round on, and a new chain replaces the old one.
#[test]
fn salts_are_fixed_before_the_seed_is_drawn() {
    let mut hall = Hall::open();
    hall.seat("H2", 1, "Ann");
    hall.done(&by_player("Ann"), &commit_salts("H2", "Ann", 0));
    assert_eq!(hall.refused(&dealer(), &commit_salts("H2", "Ann", 0)).reason, "NothingChanges");
    assert_eq!(hall.refused(&by_player("Bob"), &commit_salts("H2", "Ann", 1)).reason, "StaffOnly");
    hall.ready("H2", &["Ann"]);
    assert_eq!(awaited(&hall), [""; 0], "the seed of this round was drawn before");
    assert!(shuffle(&hall).salt.is_some());
    hall.finish("H2", &Cards::default(), |_, _| Decision::Wager);
    hall.next_round("H2");
    hall.done(&dealer(), &commit_salts("H2", "Ann", 1));
    hall.ready("H2", &["Ann"]);
    assert_eq!(hall.next_salt("H2", "Ann"), Some(chain("H2", "Ann", 0)[23]), "still the old chain");
    hall.opens("H2", "Ann");
    hall.finish("H2", &Cards::default(), |_, _| Decision::Wager);
    hall.next_round("H2");
    hall.ready("H2", &["Ann"]);
    assert_eq!(hall.next_salt("H2", "Ann"), Some(chain("H2", "Ann", 1)[23]));
}

/// A salt is the next of the chain, of this Player at this table, once.
#[test]
fn a_wrong_opening_is_refused() {
    let mut hall = committed(&["Ann", "Bob"]);
    hall.ready("H2", &["Ann", "Bob"]);
    let own = chain("H2", "Ann", 0);
    for wrong in [own[24], own[22], chain("H2", "Bob", 0)[23], chain("H3", "Ann", 0)[23], Hash([0; 32])] {
        assert_eq!(hall.refused(&by_player("Ann"), &open_salt("H2", "Ann", wrong)).reason, "SaltIsWrong");
    }
    assert_eq!(hall.refused(&by_player("Bob"), &open_salt("H2", "Ann", own[23])).reason, "StaffOnly");
    hall.opens("H2", "Ann");
    for again in [own[23], own[22]] {
        assert_eq!(hall.refused(&by_player("Ann"), &open_salt("H2", "Ann", again)).reason, "NoSaltIsAwaited");
    }
}

/// Whoever withholds a salt is out; the seed is shown and drawn anew, and the others open the next of their chains.
#[test]
fn a_withheld_salt_costs_the_deck_and_the_chain() {
    let mut hall = committed(&["Ann", "Bob", "Cat"]);
    hall.ready("H2", &["Ann", "Bob", "Cat"]);
    let closed = hall.times.last().expect("bets were closed").0;
    hall.opens("H2", "Ann");
    hall.opens("H2", "Cat");
    let first = shuffle(&hall);
    hall.memory.now.0 = closed + 4_999;
    assert_eq!(hall.refused(&dealer(), &drop_salts("H2")).reason, "SaltsHaveTime");
    assert_eq!(hall.refused(&by_player("Ann"), &drop_salts("H2")).reason, "StaffOnly");
    hall.wait(1);
    let dropped = hall.done(&dealer(), &drop_salts("H2"));
    let [withheld, discarded, drawn, waiting] = events(&dropped)[..] else { panic!("{dropped:?}") };
    assert_eq!(withheld, &TableEvent::SaltsWithheld { players: vec![player("Bob")] });
    let TableEvent::SeedDiscarded { seed } = discarded else { panic!("{discarded:?}") };
    assert_eq!(dealing::commitment(&table("H2"), 2, dealing::Seed(*seed)), first.commitment);
    let TableEvent::ShuffleCommitted { commitment } = drawn else { panic!("{drawn:?}") };
    assert_ne!(*commitment, first.commitment);
    assert!(matches!(waiting, TableEvent::SaltsAwaited { players, .. } if players.len() == 2));
    assert_eq!(awaited(&hall), ["Ann", "Cat"]);
    let ann = chain("H2", "Ann", 0);
    assert_eq!(hall.refused(&by_player("Ann"), &open_salt("H2", "Ann", ann[23])).reason, "SaltIsWrong");
    assert_eq!(hall.refused(&dealer(), &drop_salts("H2")).reason, "SaltsHaveTime", "the time begins anew");
    hall.opens("H2", "Cat");
    hall.wait(5_000);
    hall.done(&dealer(), &drop_salts("H2"));
    assert_eq!(awaited(&hall), ["Cat"]);
    hall.opens("H2", "Cat");
    let last = shuffle(&hall);
    assert_eq!(last.discarded.len(), 2);
    assert_eq!(last.opened(), [(player("Cat"), chain("H2", "Cat", 0)[21])]);
    hall.finish("H2", &Cards::default(), |_, _| Decision::Wager);
    // Bob may come back with another chain.
    hall.done(&by_player("Bob"), &commit_salts("H2", "Bob", 1));
    hall.next_round("H2");
    hall.ready("H2", &["Ann", "Bob", "Cat"]);
    assert_eq!(awaited(&hall), ["Bob", "Cat"]);
}

/// Where all withhold, the house's fresh seed alone fixes the deck.
#[test]
fn nobody_left_to_wait_for() {
    let mut hall = committed(&["Ann"]);
    hall.ready("H2", &["Ann"]);
    hall.wait(5_000);
    let dropped = hall.done(&dealer(), &drop_salts("H2"));
    assert!(matches!(events(&dropped)[..], [_, _, _, TableEvent::ShuffleSalted { .. }]), "{dropped:?}");
    assert_eq!(hall.refused(&dealer(), &drop_salts("H2")).reason, "NoSaltIsAwaited");
    hall.finish("H2", &Cards::default(), |_, _| Decision::Wager);
}

/// Only those who hold a position when bets close are awaited; a chain is forgotten with the position.
#[test]
fn whoever_leaves_is_not_awaited() {
    let mut hall = committed(&["Ann", "Bob"]);
    hall.play(&by_player("Bob"), "H2", round::Command::LeavePosition { position: Position(2) });
    hall.ready("H2", &["Ann"]);
    assert_eq!(awaited(&hall), ["Ann"]);
    hall.opens("H2", "Ann");
    hall.finish("H2", &Cards::default(), |_, _| Decision::Wager);
    hall.next_round("H2");
    hall.ready("H2", &["Ann", "Bob"]);
    assert_eq!(awaited(&hall), ["Ann"]);
}

/// A round that is void while salts are awaited awaits none any more.
#[test]
fn a_void_round_awaits_no_salts() {
    let mut hall = committed(&["Ann"]);
    hall.ready("H2", &["Ann"]);
    hall.play(&dealer(), "H2", round::Command::DeclareBadCards { fault: CardFault::Foreign });
    assert_eq!(hall.round("H2").stage(), Stage::Void);
    let salt = hall.next_salt("H2", "Ann").expect("a chain");
    assert_eq!(hall.refused(&by_player("Ann"), &open_salt("H2", "Ann", salt)).reason, "NoSaltIsAwaited");
    hall.wait(5_000);
    assert_eq!(hall.refused(&dealer(), &drop_salts("H2")).reason, "NoSaltIsAwaited");
    hall.next_round("H2");
    hall.ready("H2", &["Ann"]);
    hall.opens("H2", "Ann");
    hall.finish("H2", &Cards::default(), |_, _| Decision::Wager);
}

/// A power failure while salts are awaited changes nothing of that.
#[test]
fn salts_are_opened_during_a_power_failure() {
    let mut hall = committed(&["Ann"]);
    hall.ready("H2", &["Ann"]);
    hall.play(&dealer(), "H2", round::Command::ReportPowerFailure {});
    hall.opens("H2", "Ann");
    hall.resume(&dealer(), "H2");
    hall.finish("H2", &Cards::default(), |_, _| Decision::Wager);
}

/// With the seed lost while salts are awaited, the round can only be void.
#[test]
fn a_lost_seed_is_not_drawn_again() {
    let mut hall = committed(&["Ann"]);
    hall.ready("H2", &["Ann"]);
    hall.memory.sealed.clear();
    hall.wait(5_000);
    assert_eq!(hall.refused(&dealer(), &drop_salts("H2")).reason, "SeedIsLost");
    hall.play(&dealer(), "H2", round::Command::DeclareBadCards { fault: CardFault::Missing });
    hall.next_round("H2");
    hall.ready("H2", &["Ann"]);
    hall.opens("H2", "Ann");
}
