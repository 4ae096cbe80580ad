//! Other pay tables, and the strategy as it is shown.

use cards::HandOrder;

use super::{COUNTS, card, cards};
use crate::stud::pattern::Pattern;
use crate::stud::{
    AdviceError, DEALER_HANDS, Decision, Odds, Outcome, PayTable, PayTableError, Rule, StrategyRow, advise,
    count_with,
};

const SINGAPORE: [u32; 10] = [1, 1, 2, 3, 4, 5, 7, 20, 50, 250];

fn table(ante: Odds, bet: [Odds; 10]) -> PayTable {
    PayTable::new(ante, ante, bet).expect("a pay table")
}

/// The same odds in other words are the same pay table, in smaller parts.
#[test]
fn odds_in_parts() {
    let whole = table(Odds::to_one(1), SINGAPORE.map(Odds::to_one));
    assert_eq!(whole, PayTable::SINGAPORE);
    let fine = table(Odds { pays: 2, to: 2 }, SINGAPORE.map(|pays| Odds { pays: 3 * pays, to: 3 }));
    assert_eq!(fine.parts(), 6);
    let (one, other) = (COUNTS.play_perfectly(&whole), COUNTS.play_perfectly(&fine));
    assert_eq!(one, other);
    let (one, other) = (one.worth(&whole), other.worth(&fine));
    assert_eq!((6 * one.net, 36 * one.squares, 6 * one.wagered), (other.net, other.squares, other.wagered));
    assert!((one.standard_deviation() - other.standard_deviation()).abs() < 1e-12);
}

/// Odds that cannot be summed exactly are refused.
#[test]
fn odds_refused() {
    let refused = |odds| PayTable::new(Odds::to_one(1), odds, SINGAPORE.map(Odds::to_one)).err();
    assert_eq!(refused(Odds { pays: 1, to: 0 }), Some(PayTableError::ToNothing));
    assert_eq!(refused(Odds::to_one(1_000_001)), Some(PayTableError::TooHigh));
    assert_eq!(refused(Odds { pays: 1, to: 1_000_001 }), Some(PayTableError::TooFine));
    assert_eq!(refused(Odds { pays: 3, to: 2 }), None);
}

/// A pay table may change the strategy too: paid more, A-K hands bet more often; paid nothing, some pairs fold.
#[test]
fn strategy_follows_the_pay_table() {
    let usual = COUNTS.play_perfectly(&PayTable::SINGAPORE);
    let mut more = SINGAPORE.map(Odds::to_one);
    more[0] = Odds::to_one(3);
    let more = COUNTS.play_perfectly(&table(Odds::to_one(1), more));
    assert!(usual.bets() < more.bets());
    let nothing = table(Odds::to_one(0), [Odds::to_one(0); 10]);
    let folds = COUNTS.play_perfectly(&nothing).deals(HandOrder::OnePair, Outcome::Fold);
    assert!(0 < folds);
}

/// A player who may not fold plays blind.
#[test]
fn without_fold() {
    assert_eq!([COUNTS.play_perfectly(&PayTable::SINGAPORE.without_fold())], COUNTS.play_by([Rule::Blind]));
}

/// A dealer who always qualifies never has "no hand".
#[test]
fn dealer_always_qualifies() {
    let counts = count_with(Pattern::all()[0]);
    let [outcomes] = counts.play_by([Rule::Blind]);
    assert_eq!(outcomes.total(Outcome::NoHand), 0);
    // Neither hand is favoured, so as many deals are won as lost.
    assert_eq!(outcomes.total(Outcome::Win), outcomes.total(Outcome::Lose));
}

/// The strategy covers every hand once and says what the classes say.
#[test]
fn strategy_rows() {
    let rows = COUNTS.strategy(&PayTable::SINGAPORE);
    assert_eq!(rows.iter().map(|row| row.hands).sum::<u32>(), 2_598_960);
    let against = |hand: &str| -> Vec<&Decision> {
        let pattern = Pattern::of(cards::HandRank::of_set(cards(hand)));
        let row = rows.iter().find(|row| row.lowest <= pattern && pattern <= row.highest).expect("a row");
        row.against.iter().flatten().collect()
    };
    assert!(against("2c 2d 3h 4s 5c").iter().all(|&decision| *decision == Decision::Bet));
    assert!(against("Ac Qd Jh Ts 9c").iter().all(|&decision| *decision == Decision::Fold));
    assert!(against("Ac Kd Qh Js 2c").iter().all(|&decision| *decision == Decision::Bet));
    assert_eq!(against("Ac Kd Qh 8s 2c")[9].to_string(), "bet with 4 or more in the up card's suit");
    assert_eq!(
        against("Ac Kd 7h 4s 2c")[5].to_string(),
        "bet with 2 or 4 or A-K or more in the up card's suit"
    );
    let (first, last) = (&rows[0], &rows[rows.len() - 1]);
    assert_eq!(
        (first.lowest.to_string(), first.highest.to_string()),
        ("7-5-4-3-2".into(), "A-Q-J-10-9".into())
    );
    assert_eq!((last.lowest.to_string(), last.highest.order()), ("A-K-Q-J-2".into(), HandOrder::RoyalFlush));
    assert_eq!([StrategyRow::up_card(0), StrategyRow::up_card(12)], ["2", "A"]);
}

/// Every class is played as its row of the strategy says.
#[test]
fn strategy_says_what_the_classes_say() {
    let rows = COUNTS.strategy(&PayTable::SINGAPORE);
    for (pattern, classes) in COUNTS.patterns() {
        let row = rows.iter().find(|row| pattern <= row.highest).expect("a row");
        for class in classes {
            let bets = match row.against[usize::from(class.up)].as_ref().expect("a decision") {
                Decision::Fold => false,
                Decision::Bet => true,
                Decision::BetIfSuited(cards) => *cards <= class.suited.count_ones(),
                Decision::BetIfIncluding(sets) => sets.iter().any(|set| class.suited & set == *set),
                Decision::BetIfOneOf(sets) => sets.contains(&class.suited),
            };
            assert_eq!(bets, PayTable::SINGAPORE.bets(pattern, class), "{pattern} {class:?}");
        }
    }
}

/// What `advise` says in parts of an Ante over 163,185 dealer hands.
#[test]
fn advice() {
    let ask = |hand, up| advise(cards(hand), card(up), Pattern::ACE_KING, &PayTable::SINGAPORE);
    let advice = ask("As Kd Qh 8c 2c", "Jc").expect("a hand and an up card");
    assert_eq!(advice.fold, -i64::from(DEALER_HANDS));
    assert_eq!((advice.bet, advice.bets), (-163_703, false));
    assert_eq!(advice.pattern.to_string(), "A-K-Q-8-2");
    assert_eq!(ask("As Kd Qh 8c", "Jc"), Err(AdviceError::NotFiveCards(4)));
    assert_eq!(ask("As Kd Qh 8c 2c", "2c"), Err(AdviceError::UpCardInHand(card("2c"))));
}
