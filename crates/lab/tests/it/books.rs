//! Every book: the answer agrees with itself and with a plain sum over the counts.

use cards::HandOrder;
use lab::exact::{Action, Ending, Exact, Fraction, LabError, Question};
use lab::holdem::{DEALS_PER_HAND, Deals};

use crate::support::{HOLDEM, HOLDEM_V6, LAB, STREETS, STUD, answer, book, changed, wagers};

/// Outcomes add up to all deals, to what is won and to what is wagered.
fn check_sums(exact: &Exact) {
    let sum = |of: &dyn Fn(&lab::exact::OutcomeRow) -> i128| exact.outcomes.iter().map(of).sum::<i128>();
    let deals = |row: &lab::exact::OutcomeRow| i128::from(row.deals);
    assert_eq!(sum(&deals), i128::from(exact.deals));
    let net = |row: &lab::exact::OutcomeRow| i128::from(row.net);
    assert_eq!(sum(&|row| deals(row) * net(row)), exact.base.net.numerator());
    assert_eq!(sum(&|row| deals(row) * net(row) * net(row)), exact.base.second_moment.numerator());
    let folded = sum(&|row| if row.result == Ending::Fold { deals(row) } else { 0 });
    assert_eq!(folded, i128::from(exact.decisions.fold_deals));
    assert_eq!(exact.base.net.denominator(), i128::from(exact.deals));
    assert!(exact.outcomes.iter().all(|row| 0 < row.deals));
}

#[test]
fn outcomes_add_up() {
    for id in [HOLDEM, HOLDEM_V6, STUD, STREETS] {
        check_sums(&answer(id, &[]));
    }
    check_sums(&answer(
        HOLDEM,
        &["holdem.ante=3 to 1", "holdem.flop=2 to 1", "times_ante.turn=3", "times_ante.flop=1"],
    ));
    check_sums(&answer(STUD, &["stud.ante=2 to 1", "stud.bet.flush=9 to 1"]));
    check_sums(&answer(STREETS, &["ante=100", "jackpot-wager=500", "meter=500000000"]));
}

/// The three hold'em books have one base game: a plain sum over the counts, with the payouts written out.
#[test]
fn base_game() {
    let [v9, v6, streets] = [HOLDEM, HOLDEM_V6, STREETS].map(|id| answer(id, &[]));
    assert_eq!((&v9.base, &v9.outcomes, &v9.hole_cards), (&v6.base, &v6.outcomes, &v6.hole_cards));
    assert_eq!((&v9.base, &v9.outcomes, &v9.bonus), (&streets.base, &streets.outcomes, &streets.bonus));
    // A win brings 1 for each Ante wagered after the Ante, and the Ante from a straight up; a loss costs all of it.
    let by_wagers = |[[none, river], [turn, both]]: [[Deals; 2]; 2]| {
        [(2, none), (3, river), (3, turn), (4, both)].map(|(wagers, deals)| {
            let with_ante: u64 = deals.wins[HandOrder::Straight as usize..].iter().sum();
            [(wagers + 1, with_ante), (wagers, deals.won() - with_ante), (-wagers - 1, deals.losses)]
        })
    };
    let [mut net, mut squares, mut wagered, mut folded] = [0_i128; 4];
    for class in LAB.holdem().classes() {
        let hands = i128::from(class.class.combinations());
        let all: Vec<(i128, i128)> = by_wagers(class.deals)
            .as_flattened()
            .iter()
            .map(|&(won, deals): &(i128, u64)| (won, i128::from(deals)))
            .collect();
        let sum = |of: fn(i128) -> i128| all.iter().map(|&(won, deals)| of(won) * deals).sum::<i128>();
        if sum(|won| won) <= -i128::from(DEALS_PER_HAND) {
            folded += hands * i128::from(DEALS_PER_HAND);
            continue;
        }
        net += hands * sum(|won| won);
        squares += hands * sum(|won| won * won);
        let [[none, river], [turn, both]] = class.deals;
        for (stake, deals) in [(3, none), (4, river), (4, turn), (5, both)] {
            wagered += hands * stake * i128::from(deals.all());
        }
    }
    assert_eq!(v9.base.net.numerator(), net - folded);
    assert_eq!(v9.base.second_moment.numerator(), squares + folded);
    assert_eq!(v9.base.wagered.numerator(), wagered + folded);
    assert_eq!(i128::from(v9.decisions.fold_deals), folded);
}

/// Classes that fold lose the Ante; the others are worth more than that; together they are the game.
#[test]
fn hole_cards() {
    let exact = answer(HOLDEM, &[]);
    let mut sum = Fraction::ZERO;
    for cards in &exact.hole_cards {
        assert_eq!(cards.play == Action::Fold, cards.net <= Fraction::whole(-1), "{}", cards.class);
        let net = if cards.play == Action::Fold { Fraction::whole(-1) } else { cards.net };
        sum = sum.plus(net.times(Fraction::new(cards.combinations.into(), 1_326)));
    }
    assert_eq!(sum, exact.base.net);
    assert_eq!(exact.hole_cards.len(), 169);
}

/// Ante and jackpot together are the two apart, where a fold does not touch the jackpot.
#[test]
fn combined_is_a_sum() {
    for id in [HOLDEM, HOLDEM_V6, STUD] {
        let exact = LAB.exact(&book(id), &wagers(2_500, 500, 123_456_789)).expect("an answer");
        let jackpot = exact.jackpot.return_cents(123_456_789).minus(Fraction::whole(500));
        let ante = exact.base.net.times(Fraction::whole(2_500));
        assert_eq!(exact.combined.as_ref().map(|combined| combined.net), Some(ante.plus(jackpot)));
        assert_eq!(exact.jackpot.net_cents, Some(jackpot));
        let base = answer(id, &[]);
        assert_eq!((exact.base, exact.outcomes), (base.base, base.outcomes));
    }
}

/// One cent less than the break-even meter, and the wager loses.
#[test]
fn break_even_meters() {
    for id in [HOLDEM, HOLDEM_V6, STUD] {
        let at = |meter| {
            let exact = LAB.exact(&book(id), &wagers(2_500, 500, meter)).expect("an answer");
            exact.jackpot.net_cents.expect("a wager and a meter")
        };
        let meter = answer(id, &[]).jackpot.break_even_meter.expect("the meter is won sometimes");
        assert!(Fraction::ZERO <= at(meter) && at(meter - 1) < Fraction::ZERO, "{id} {meter}");
    }
}

/// Shares of the meter are not multiplied: each further unit brings what fixed payouts bring, whatever the meter.
#[test]
fn multiples() {
    for id in [HOLDEM, STUD] {
        let exact = LAB.exact(&book(id), &wagers(2_500, 500, 300_000_000)).expect("an answer");
        let nets: Vec<Fraction> =
            exact.jackpot.multiples.iter().filter_map(|multiple| multiple.net_cents).collect();
        assert_eq!(nets.len(), 5);
        let unit = exact.jackpot.fixed_return.amount.minus(Fraction::whole(1));
        for pair in nets.windows(2) {
            assert_eq!(pair[1].minus(pair[0]), unit.times(Fraction::whole(500)));
        }
        let meters: Vec<_> =
            exact.jackpot.multiples.iter().filter_map(|multiple| multiple.break_even_meter).collect();
        assert_eq!(meters, [107_994_737, 215_989_474, 323_984_211, 431_978_948, 539_973_685]);
    }
    for id in [HOLDEM_V6, STREETS] {
        assert!(answer(id, &[]).jackpot.multiples.is_empty());
    }
}

/// What the counts do not hold is refused with its key and the reason.
#[test]
fn refusals() {
    let refused = |id: &str, changes: &[&str]| {
        let scenario = changed(id, changes).expect("a book that parses");
        LAB.exact(&scenario.book, &scenario.question).expect_err("not counted").to_string()
    };
    assert_eq!(
        refused(HOLDEM, &["holdem.turn=2 to 1"]),
        "megalink-holdem-v9: holdem.turn: 2 to 1: the counts hold decisions on a wager paid 1 to 1 and no other"
    );
    assert!(
        refused(STREETS, &["jackpot.lines.flush.hole-to-river=$5.00"])
            .contains("jackpot.lines 9: a flush on these cards")
    );
    let stud = Question { ante_pays_from: Some(HandOrder::Flush), ..Question::default() };
    assert!(LAB.exact(&book(STUD), &stud).is_err());
    let nothing = Question { ante_cents: 0, ..Question::default() };
    assert_eq!(LAB.exact(&book(STUD), &nothing), Err(LabError::NoAnte));
    let much = wagers(2_500, 500, Question::CENTS_MAX + 1);
    assert_eq!(
        LAB.exact(&book(STUD), &much),
        Err(LabError::TooLarge { name: "meter", cents: Question::CENTS_MAX + 1 })
    );
    let most = wagers(Question::CENTS_MAX, Question::CENTS_MAX, Question::CENTS_MAX);
    for id in [HOLDEM, HOLDEM_V6, STUD, STREETS] {
        assert!(LAB.exact(&book(id), &most).is_ok(), "{id}");
    }
}

/// A Bet of another size and a dealer who needs something else weigh the same counts. A dealer who needs less has a hand
/// more often, and one who needs a pair less often, which the player likes to see.
#[test]
fn other_stud_games() {
    let net = |changes: &[&str]| answer(STUD, changes).base.net;
    assert_eq!(net(&["times_ante.bet=2"]), net(&[]));
    // With a Bet of one Ante a round is smaller, with three it is larger; both by the outcomes they bring.
    for times in [1, 3] {
        let exact = answer(STUD, &[&format!("times_ante.bet={times}")]);
        for row in &exact.outcomes {
            let bet: i64 = match (row.result, row.hand.map(|hand| hand as usize)) {
                (Ending::Lose, _) => -times,
                (Ending::Win, Some(order)) => times * [1, 1, 2, 3, 4, 5, 7, 20, 50, 250][order],
                _ => 0,
            };
            let ante = match row.result {
                Ending::Win | Ending::NoHand => 1,
                Ending::Lose | Ending::Fold => -1,
                _ => 0,
            };
            assert_eq!(row.net, ante + bet, "{times}: {row:?}");
        }
    }
    let no_hand = |needs: &str| {
        let exact = answer(STUD, &[&format!("stud.dealer_needs={needs}")]);
        // All deals but folds, by whether the dealer has a hand; a fold hides it.
        let bets = exact.outcomes.iter().filter(|row| row.result == Ending::NoHand);
        bets.map(|row| row.deals).sum::<u64>()
    };
    assert!(no_hand("AQ") < no_hand("AK") && no_hand("AK") < no_hand("22"));
    // With 2-2 to qualify five odd cards never do: 1,302,540 of 2,598,960 hands.
    assert!(no_hand("22") < 19_933_230_517_200 / 2_598_960 * 1_302_540);
}

/// Stud's strategy covers every hand once, and decisions say what outcomes say.
#[test]
fn stud_strategy() {
    let exact = answer(STUD, &[]);
    assert_eq!(exact.strategy.iter().map(|row| row.hands).sum::<u32>(), 2_598_960);
    let bet_deals = exact.decisions.bet_deals.expect("stud has a Bet");
    assert_eq!(exact.decisions.fold_deals + bet_deals, exact.deals);
}
