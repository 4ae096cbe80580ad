//! Advice against the whole count.

use cards::{Card, Rank, Suit};
use lab::advice::{Advice, AdviceError, Situation, advise, advise_knowing, chart, parse_cards, situation_at};
use lab::exact::{Action, Fraction, Question};
use rulebook::PlayingArea;

use crate::support::{HOLDEM, LAB, STREETS, STUD, answer, book, cards, changed, wagers};

/// Before the flop advice is what the chart says, for every class, book and pay table.
#[test]
fn hole_cards() {
    for (id, changes) in [
        (HOLDEM, &[][..]),
        (HOLDEM, &["holdem.ante_pays_from=flush"]),
        (HOLDEM, &["holdem.ante=5 to 1", "times_ante.flop=3", "holdem.flop=2 to 1"]),
        (HOLDEM, &["times_ante.turn=2", "times_ante.river=2"]),
        (HOLDEM, &["times_ante.turn=3"]),
        (STREETS, &["jackpot-wager=500", "meter=100000000"]),
    ] {
        let scenario = changed(id, changes).expect("a book");
        let exact = LAB.exact(&scenario.book, &scenario.question).expect("an answer");
        let chart = chart(&LAB, &scenario.book, &scenario.question).expect("a chart");
        assert_eq!(chart.len(), exact.hole_cards.len());
        for (row, (class, advice)) in exact.hole_cards.iter().zip(chart) {
            assert_eq!(class, row.class);
            assert_eq!(
                (advice.choices[0].net, advice.best),
                (row.net, row.play),
                "{} {changes:?}",
                row.class
            );
        }
    }
}

/// The choices before the turn and before the river agree: the value of a check on the turn is the average of
/// the better choice over all turns.
#[test]
fn turn_follows_flop() {
    let (hole, flop): ([Card; 2], [Card; 3]) = (cards("Qh Jh"), cards("Th 4c 2h"));
    for changes in [&[][..], &["times_ante.turn=3", "times_ante.river=2", "holdem.ante=2 to 1"]] {
        let scenario = changed(HOLDEM, changes).expect("a book");
        let ask = |situation| advise(&LAB, &scenario.book, &scenario.question, &situation).expect("advice");
        let on = |board: &[Card]| Situation::of(&hole).with_community(board);
        let flop_advice = ask(on(&flop));
        for (choice, made) in flop_advice.choices.iter().zip([true, false]) {
            let seen = [&hole[..], &flop].concat();
            let mut sum = Fraction::ZERO;
            for turn in crate::support::left(&seen) {
                let board = on(&[flop[0], flop[1], flop[2], turn]);
                let advice = ask(if made { board.with_wager(PlayingArea::Turn) } else { board });
                let best = advice.choices[0].net.max(advice.choices[1].net);
                sum = sum.plus(best.times(Fraction::new(1, 47)));
            }
            assert_eq!(choice.net, sum, "{made} {changes:?}");
        }
    }
}

/// The jackpot is part of a fold only where a fold loses lines of it.
#[test]
fn jackpot_in_advice() {
    let question = wagers(2_500, 500, 100_000_000);
    let fold = Situation::of(&cards::<2>("5d 2c"));
    let joint = advise(&LAB, &book(STREETS), &question, &fold).expect("advice");
    assert_eq!(joint.best, Action::Bet);
    let cents: Vec<Fraction> = joint.choices.iter().filter_map(|choice| choice.combined_cents).collect();
    assert_eq!(joint.other_costs, cents[0].minus(cents[1]));
    let plain = advise(&LAB, &book(HOLDEM), &question, &fold).expect("advice");
    assert_eq!((plain.best, plain.choices[0].combined_cents), (Action::Fold, None));
}

/// Stud: an answer by class of the whole count, for the hands in doubt.
#[test]
fn stud_against_strategy() {
    let exact = answer(STUD, &[]);
    for row in exact.strategy.iter().filter(|row| row.from == row.to && row.from.starts_with("A-K")) {
        let ranks: Vec<Rank> = row.from.split('-').map(rank).collect();
        for up in Rank::ALL {
            let name = if up == Rank::Ten { "10".to_owned() } else { up.letter().to_string() };
            if row.depends.iter().any(|depends| depends.up == name) {
                continue;
            }
            let suits = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Clubs, Suit::Diamonds];
            let hand: Vec<Card> =
                ranks.iter().zip(suits).map(|(&rank, suit)| Card::new(rank, suit)).collect();
            let hand: [Card; 5] = hand.try_into().expect("five cards");
            let advice = advise(
                &LAB,
                &book(STUD),
                &Question::default(),
                &Situation::of(&hand).with_up_card(Card::new(up, Suit::Spades)),
            );
            let bets = advice.expect("advice").best == Action::Bet;
            assert_eq!(bets, row.bets_against.contains(&name.as_str()), "{} against {name}", row.from);
        }
    }
}

fn rank(name: &str) -> Rank {
    let letter = if name == "10" { 'T' } else { name.chars().next().expect("a rank") };
    Rank::ALL.into_iter().find(|rank| rank.letter() == letter).expect("a rank")
}

/// What cannot be is refused, with the reason.
#[test]
fn refusals() {
    let ask = |id, situation: &Situation| advise(&LAB, &book(id), &Question::default(), situation);
    let reason = |id, situation| ask(id, &situation).expect_err("no advice").to_string();
    let [ace, two, five] = cards("As 2c 5c");
    let (hole, hand) = (Situation::of(&cards::<2>("As Kd")), Situation::of(&cards::<5>("As Kd 2c 3c 4c")));
    let twice = hole.clone().with_community(&cards::<3>("2c As 7h"));
    assert_eq!(ask(HOLDEM, &twice), Err(AdviceError::Twice(ace)));
    assert_eq!(ask(STUD, &hand.clone().with_up_card(two)), Err(AdviceError::Twice(two)));
    assert_eq!(reason(HOLDEM, hand.clone()), "there are 2 hole cards, not 5");
    assert_eq!(reason(HOLDEM, hole.clone().with_up_card(five)), "hold'em has no up card");
    assert_eq!(
        reason(HOLDEM, hole.clone().with_community(&[five])),
        "a decision is made with 0, 3 or 4 community cards, not 1"
    );
    assert_eq!(reason(STUD, hand.clone()), "stud needs the Dealer's one up card");
    assert_eq!(reason(STUD, hole.with_up_card(five)), "a stud hand has 5 cards, not 2");
    assert_eq!(
        reason(STUD, hand.with_up_card(five).with_community(&cards::<1>("9d"))),
        "stud has no community cards"
    );
    let chart = chart(&LAB, &book(STUD), &Question::default()).expect_err("stud has no hole cards");
    assert_eq!(chart.to_string(), "megalink-stud-v9: a chart of hole cards is not available for this game");
}

/// What was seen at each decision is a part of what is seen now.
#[test]
fn earlier_decisions() {
    let (hole, board) = (cards::<2>("As Kd"), cards::<5>("2c 3c 4c 9d Th"));
    let now = Situation::of(&hole).with_community(&board);
    let seen = |earlier: &[Action]| situation_at(&book(HOLDEM), earlier, &now);
    let on = |community: usize| Situation::of(&hole).with_community(&board[..community]);
    assert_eq!(seen(&[]), Some(on(0)));
    assert_eq!(seen(&[Action::Bet]), Some(on(3).with_wager(PlayingArea::Flop)));
    assert_eq!(seen(&[Action::Bet, Action::Check]), Some(on(4).with_wager(PlayingArea::Flop)));
    let both = on(4).with_wager(PlayingArea::Flop).with_wager(PlayingArea::Turn);
    assert_eq!(seen(&[Action::Bet, Action::Bet]), Some(both));
    assert_eq!(seen(&[Action::Bet; 3]), None);
    assert_eq!(situation_at(&book(HOLDEM), &[Action::Bet], &Situation::of(&hole)), None);
    let stud = Situation::of(&cards::<5>("As Kd 2c 3c 4c")).with_up_card(board[3]);
    assert_eq!(situation_at(&book(STUD), &[], &stud), Some(stud.clone()));
    assert_eq!(situation_at(&book(STUD), &[Action::Bet], &stud), None);
}

/// Nothing known beyond the table gives the advice of the table, and a card known to be the Dealer's changes it.
#[test]
fn advice_with_known_cards() {
    let (holdem, stud, question) = (book(HOLDEM), book(STUD), Question::default());
    let own = Situation::of(&cards::<2>("Ks 7d"));
    for board in ["As Kd 2c", "As Kd 2c 9h"] {
        let situation = own.clone().with_community(&parse_cards(board).expect("cards"));
        let table = advise(&LAB, &holdem, &question, &situation);
        let known = advise_knowing(&LAB, &holdem, &question, &situation, &[]);
        let values = |advice: Result<Advice, _>| advice.map(|advice| advice.choices.map(|choice| choice.net));
        assert_eq!(values(table), values(known), "{board}");
    }
    let hand = Situation::of(&cards::<5>("As Kd Qh 8c 2c")).with_up_card(cards::<1>("Jc")[0]);
    let table = advise(&LAB, &stud, &question, &hand).expect("a situation");
    let known = advise_knowing(&LAB, &stud, &question, &hand, &[]).expect("a situation");
    assert_eq!(table, known);
    // With three Jacks at the Dealer nothing but a fold is left.
    let mut seen = hand.clone();
    seen.dealer.extend(cards::<3>("Jd Jh Ts"));
    assert_eq!(advise_knowing(&LAB, &stud, &question, &seen, &[]).expect("a situation").best, Action::Fold);
    let twice = advise_knowing(&LAB, &stud, &question, &hand, &cards::<1>("As"));
    assert_eq!(twice.expect_err("a card twice").to_string(), "As is there twice; there is one of each card");
}

/// One known card of the Dealer before the flop: what the cases of `lab protect` come to for these hole cards.
#[test]
fn advice_before_the_flop_with_a_known_card() {
    let mut situation = Situation::of(&cards::<2>("Ks 7d"));
    situation.dealer = cards::<1>("Ah").to_vec();
    let advice =
        advise_knowing(&LAB, &book(HOLDEM), &Question::default(), &situation, &[]).expect("a situation");
    let all = 18_424_u64 * 46 * 45 * 44;
    assert_eq!(advice.ahead.all, all);
    let [bet, fold] = advice.choices.map(|choice| choice.net);
    assert_eq!(fold, Fraction::whole(-1));
    assert!(bet < Fraction::whole(0), "{bet}");
}
