//! "Why?": the sentence of every way a wager can end.

use floor::view::Viewer;
use journal::Actor;
use money::Odds;
use round::{Command, Decision, Effect, RuledOutcome, Ruling};
use rulebook::{Means, PlayingArea, Position};

use crate::support::{Cards, Hall, by_player, dealer, dollars, player, shift_manager, wager};
use crate::view_support::{as_player, seen};

/// The sentences of a settled round, as Ann hears them.
fn why(hall: &Hall, name: &str) -> String {
    sentences(hall, name, &as_player("Ann"))
}

fn sentences(hall: &Hall, name: &str, viewer: &Viewer) -> String {
    let settlement = seen(hall, name, viewer).settlement.expect("the round is settled");
    settlement.lines.iter().map(|line| format!("{}\n", line.why)).collect()
}

/// A round at a table with the Bonus too, where there is one.
fn round_of(name: &str, cards: &Cards, decide: impl Fn(Position, PlayingArea) -> Decision) -> Hall {
    let mut hall = Hall::open();
    open(&mut hall, name);
    hall.play(&dealer(), name, Command::CloseBets {});
    hall.finish(name, cards, decide);
    hall
}

fn open(hall: &mut Hall, name: &str) {
    hall.seat(name, 1, "Ann");
    hall.seat(name, 2, "Bob");
    hall.play(&dealer(), name, Command::OpenBets {});
    for (position, who) in [(1, "Ann"), (2, "Bob")] {
        hall.bet(name, position, who, PlayingArea::Ante, dollars(50));
        if hall.round(name).book().areas().contains(&PlayingArea::Bonus) {
            hall.bet(name, position, who, PlayingArea::Bonus, dollars(25));
        }
        hall.bet(name, position, who, PlayingArea::Jackpot, dollars(5));
    }
}

fn wagers(_: Position, _: PlayingArea) -> Decision {
    Decision::Wager
}

fn first_folds(position: Position, _: PlayingArea) -> Decision {
    if position == Position(1) { Decision::Fold } else { Decision::Wager }
}

/// Hold'em compared: won below and from a Straight, lost, equal; the Bonus on and off its table; a Jackpot line.
#[test]
fn holdem_hands_compared() {
    let board = || Cards::default().community("As 7d 7h 2c 3s").dealer("Kh Qc");
    let mut text = String::from("# won below a Straight, and lost\n");
    text += &why(&round_of("H1", &board().hand(1, "Ah Kd").hand(2, "Jc 9d"), wagers), "H1");
    text += "# equal\n";
    text += &why(&round_of("H1", &board().hand(1, "Kd Qd").hand(2, "Ks Qs"), wagers), "H1");
    text += "# a full house, and a flush below the Dealer's four of a kind\n";
    let board = Cards::default().community("As Ad 7h 8h 2h").dealer("Ac Ah");
    text += &why(&round_of("H1", &board.hand(1, "7d 7c").hand(2, "Kh 9h"), wagers), "H1");
    text += "# folded\n";
    let board = Cards::default().community("As 7d 7h 2c 3s").dealer("Kh Qc");
    let hall = round_of("H1", &board.hand(1, "Ah Kd").hand(2, "Jc 9d"), first_folds);
    text += &why(&hall, "H1");
    text += "# the same, as everybody hears it\n";
    text += &sentences(&hall, "H1", &Viewer::Public);
    insta::assert_snapshot!(text);
}

/// Hold'em jackpots: a fixed line, a share of the meter, all of it, and a folded hand that wins.
#[test]
fn jackpots_won() {
    let mut text = String::from("# a straight flush and nothing\n");
    let cards =
        Cards::default().community("9h 8h 7h 2c 3d").dealer("Ks Qs").hand(1, "Jh Th").hand(2, "4c 5d");
    text += &why(&round_of("H1", &cards, wagers), "H1");
    text += "# folded, and a straight flush all the same\n";
    let hall = round_of("H1", &cards, first_folds);
    text += &why(&hall, "H1");
    text += "# the same, as everybody hears it\n";
    text += &sentences(&hall, "H1", &Viewer::Public);
    text += "# four of a kind\n";
    let cards =
        Cards::default().community("9h 9d 9c 2c 3d").dealer("Ks Qs").hand(1, "9s Th").hand(2, "4c 5d");
    text += &why(&round_of("H1", &cards, wagers), "H1");
    insta::assert_snapshot!(text);
}

/// Stud: the Dealer has no hand, a higher and a lower hand, a declined one.
#[test]
fn stud_hands_compared() {
    let mut text = String::from("# no hand\n");
    let cards = Cards::default().dealer("2c 4d 6h 8s Tc").hand(1, "Ah Ad 9s 9d 3c").hand(2, "3d 5d 7h 9h Jc");
    text += &why(&round_of("S1", &cards, wagers), "S1");
    text += "# higher and lower\n";
    let cards = Cards::default().dealer("Kc Kd 6h 8s Tc").hand(1, "Ah Ad 9s 9d 3c").hand(2, "3d 5d 7h 9h Jc");
    text += &why(&round_of("S1", &cards, wagers), "S1");
    text += "# declined\n";
    let mut hall = Hall::open();
    open(&mut hall, "S1");
    hall.play(&dealer(), "S1", Command::CloseBets {});
    hall.deal("S1", &cards);
    hall.play(&dealer(), "S1", Command::Expose {});
    for position in [Position(1), Position(2)] {
        hall.play(&dealer(), "S1", Command::Decide { position, decision: Decision::Wager });
    }
    if hall.round("S1").next_place().is_some() {
        hall.deal("S1", &cards);
    }
    hall.play(&dealer(), "S1", Command::Expose {});
    hall.play(&by_player("Ann"), "S1", Command::DeclineComparison { position: Position(1) });
    hall.play(&by_player("Bob"), "S1", Command::ShowHand { position: Position(2) });
    hall.play(&dealer(), "S1", Command::Settle {});
    text += &why(&hall, "S1");
    insta::assert_snapshot!(text);
}

/// Out of limits on the felt, a Jackpot wager without an Ante, an absent Player, a withdrawal, a ruling, a void round.
#[test]
fn what_ends_otherwise() {
    let cards =
        Cards::default().community("As 7d 7h 2c 3s").dealer("Kh Qc").hand(1, "Ah Kd").hand(2, "Jc 9d");
    let mut text =
        String::from("# over the maximum and under the minimum, in chips; a Jackpot wager alone\n");
    let mut hall = Hall::open();
    for (position, who) in [(1, "Ann"), (2, "Bob"), (3, "Cat")] {
        hall.buy_in(who, dollars(5_000), Means::Chips);
        hall.seat("H1", position, who);
    }
    hall.play(&dealer(), "H1", Command::OpenBets {});
    for (position, who, amount) in [(1, "Ann", 1_500), (2, "Bob", 10)] {
        hall.play(&dealer(), "H1", wager(position, who, PlayingArea::Ante, dollars(amount), Means::Chips));
    }
    hall.bet("H1", 3, "Cat", PlayingArea::Jackpot, dollars(5));
    hall.play(&dealer(), "H1", Command::CloseBets {});
    hall.finish("H1", &cards, wagers);
    text += &why(&hall, "H1");
    text += "# absent, and a ruling\n";
    let mut hall = Hall::open();
    open(&mut hall, "H1");
    hall.play(&dealer(), "H1", Command::CloseBets {});
    hall.deal("H1", &cards);
    hall.play(&dealer(), "H1", Command::ReportAbsent { position: Position(1) });
    let effect = Effect::Wager {
        position: Position(2),
        area: PlayingArea::Bonus,
        outcome: RuledOutcome::Paid(Odds::To(3)),
    };
    let ruling = Ruling { words: "a promised Bonus".to_owned(), effects: vec![effect] };
    hall.play(&shift_manager(), "H1", Command::MakeRuling { ruling });
    hall.finish("H1", &cards, wagers);
    text += &why(&hall, "H1");
    text += "# withdrawn\n";
    let mut hall = Hall::open();
    open(&mut hall, "H1");
    hall.play(&dealer(), "H1", Command::CloseBets {});
    hall.play(&Actor::System, "H1", Command::ReportPowerFailure {});
    hall.play(&by_player("Ann"), "H1", Command::Withdraw { player: player("Ann") });
    hall.resume(&dealer(), "H1");
    hall.finish("H1", &cards, wagers);
    text += &why(&hall, "H1");
    text += "# void\n";
    let mut hall = Hall::open();
    open(&mut hall, "H1");
    hall.play(&dealer(), "H1", Command::CloseBets {});
    hall.play(&dealer(), "H1", Command::DeclareBadCards { fault: round::CardFault::Foreign });
    text += &why(&hall, "H1");
    insta::assert_snapshot!(text);
}
