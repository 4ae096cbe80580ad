//! Other pay tables, and the strategy as it is shown.

use std::sync::LazyLock;

use cards::{HandOrder, HandRank};
use rulebook::Game;

use super::{COUNTS, SINGAPORE, UNITED_STATES, card, cards, pays, play_perfectly};
use crate::stud::count::{Class, Outcome, Pattern, count_with};
use crate::stud::summary::Summary;
use crate::stud::{Decision, Pays, Rule, StrategyRow, advise};

static SUMMARY: LazyLock<Summary> = LazyLock::new(|| Summary::new(&COUNTS));

fn strategy(pays: &Pays) -> Vec<StrategyRow> {
    SUMMARY.play(&COUNTS, pays).1
}

/// Odds that cannot be summed exactly are refused.
#[test]
fn odds_refused() {
    let books = rulebook::embedded();
    let book = books.iter().find(|book| book.id == "megalink-stud-v9").expect("a stud book");
    let Game::Stud(rules) = &book.game else { panic!("a stud book has the rules of stud") };
    let refused = |ante| {
        let rules = rulebook::StudRules { ante: money::Odds::To(ante), ..rules.clone() };
        Pays::new(book, &rules).err().map(|error| error.to_string())
    };
    let too_high = "megalink-stud-v9: stud.bet: odds of more than a million to 1";
    assert_eq!(refused(1_000_001).as_deref(), Some(too_high));
    assert_eq!(refused(1_000_000), None);
}

/// A pay table may change the strategy too: paid more, A-K hands bet more often; paid nothing, some pairs fold.
#[test]
fn strategy_follows_the_pay_table() {
    let usual = play_perfectly(&pays(1, SINGAPORE));
    let mut more = SINGAPORE;
    more[0] = 3;
    assert!(usual.bets() < play_perfectly(&pays(1, more)).bets());
    let folds = play_perfectly(&pays(0, [0; 10])).deals(HandOrder::OnePair, Outcome::Fold);
    assert!(0 < folds);
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
    let rows = strategy(&pays(1, SINGAPORE));
    assert_eq!(rows.iter().map(|row| row.hands).sum::<u32>(), 2_598_960);
    let against = |hand: &str| -> Vec<&Decision> {
        let pattern = Pattern::of(HandRank::of_set(cards(hand)));
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

/// Whether a row of the strategy bets a class.
fn row_bets(row: &StrategyRow, class: &Class) -> bool {
    match row.against[usize::from(class.up)].as_ref().expect("a decision") {
        Decision::Fold => false,
        Decision::Bet => true,
        Decision::BetIfSuited(cards) => *cards <= class.suited.count_ones(),
        Decision::BetIfIncluding(sets) => sets.iter().any(|set| class.suited & set == *set),
        Decision::BetIfOneOf(sets) => sets.contains(&class.suited),
    }
}

/// By bounds or class by class, outcomes and strategy are what every class says, also where much is in doubt.
#[test]
fn strategy_says_what_the_classes_say() {
    let with = |ante, odd, pair| {
        let mut bet = SINGAPORE;
        (bet[0], bet[1]) = (odd, pair);
        pays(ante, bet)
    };
    let tables = [pays(1, SINGAPORE), pays(1, UNITED_STATES), with(1, 9, 1), with(0, 0, 0), with(3, 1, 1)];
    for pays in tables {
        let (outcomes, rows) = SUMMARY.play(&COUNTS, &pays);
        assert_eq!(outcomes, play_perfectly(&pays));
        let mut rows = rows.iter().peekable();
        for (pattern, classes) in COUNTS.patterns() {
            while rows.peek().is_some_and(|row| row.highest < pattern) {
                rows.next();
            }
            let row = rows.peek().expect("a row for every pattern");
            for class in classes {
                assert_eq!(row_bets(row, class), pays.bets(pattern, class), "{pattern} {class:?}");
            }
        }
    }
}

/// The value of a Bet over 163,185 dealer hands, in Antes.
#[test]
fn advice() {
    let pays = pays(1, SINGAPORE);
    let (pattern, against) = advise::class_of(cards("As Kd Qh 8c 2c"), card("Jc"), Pattern::ACE_KING);
    assert_eq!((pays.bet(pattern, &against), pays.fold()), (-163_703, -163_185));
    assert!(!pays.bets(pattern, &against));
    assert_eq!(pattern.to_string(), "A-K-Q-8-2");
}
