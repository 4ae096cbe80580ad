//! What silence is worth where wagers come back to a silent Player (reading `silence`), against plain sums and dealing.

use cards::{Card, HandRank};
use lab::advice::{Situation, advise};
use lab::exact::{Action, Exact, Fraction, HoleCards, Question};
use lab::lookup::{WithoutWager, lookup};
use rulebook::{HoleClass, Pays, Rulebook};

use crate::support::{HOLDEM, HOLDEM_V6, LAB, STREETS, STUD, book, deck, numbers, read_otherwise, wagers};

fn absent(id: &str, question: &Question) -> Exact {
    LAB.exact(&read_otherwise(id, "silence", "absent"), question).expect("counted")
}

/// Where silence is a fold there is nothing to gain, and no answer speaks of it. The other value changes nothing of
/// perfect play at a table with staff.
#[test]
fn a_fold_gains_nothing() {
    for id in [HOLDEM, HOLDEM_V6, STREETS, STUD] {
        let folds = LAB.exact(&book(id), &Question::default()).expect("counted");
        assert_eq!(folds.silence, None);
        let returned = absent(id, &Question::default());
        assert_eq!((returned.base, &returned.outcomes), (folds.base, &folds.outcomes));
    }
}

/// In hold'em a class of hole cards is wagered on if it wins, or else all comes back; after the Flop wager nothing
/// changes.
#[test]
fn holdem_by_class() {
    for id in [HOLDEM, HOLDEM_V6, STREETS] {
        let exact = absent(id, &Question::default());
        let worth = exact.silence.expect("silence is no fold");
        let mean = |of: &dyn Fn(&HoleCards) -> Fraction| {
            let classes = exact.hole_cards.iter();
            let sum = classes.map(|class| of(class).times(Fraction::whole(class.combinations)));
            sum.fold(Fraction::ZERO, Fraction::plus).times(Fraction::new(1, 1_326))
        };
        assert_eq!(worth.net, mean(&|class| class.net.max(Fraction::ZERO)), "{id}");
        assert_eq!(worth.gain, worth.net.minus(exact.base.net));
        let silent = exact.hole_cards.iter().filter(|class| class.net <= Fraction::ZERO);
        let silent: u64 = silent.map(|class| class.combinations).sum();
        assert_eq!(worth.silent_deals, silent * (exact.deals / 1_326), "{id}");

        // With a Bonus as large as the Ante, paid on the hole cards alone.
        let with_bonus = mean(&|class| class.net.plus(bonus(class.class)).max(Fraction::ZERO));
        let ante = Fraction::whole(Question::ANTE_CENTS);
        assert_eq!(worth.every_wager.net_cents, with_bonus.times(ante), "{id}");
        let perfect = exact.base.net.plus(exact.bonus.expect("a Bonus").net);
        assert_eq!(worth.every_wager.gain_cents, with_bonus.minus(perfect).times(ante), "{id}");
    }
}

/// The Bonus table as the books have it, by hole cards: 1,000 to 1 for two Aces against two Aces.
fn bonus(class: HoleClass) -> Fraction {
    let label = class.to_string();
    let [high, low] = [0, 1].map(|at| label.as_bytes()[at]);
    let is_pair = high == low;
    let pays = match label.as_str() {
        "AA" => return Fraction::new(1_000 + 1_224 * 30, 1_225),
        "AKs" => 25,
        "AQs" | "AJs" => 20,
        "AKo" => 15,
        "KK" | "QQ" | "JJ" => 10,
        "AQo" | "AJo" => 5,
        _ if is_pair => 3,
        _ => -1,
    };
    Fraction::whole(pays)
}

/// A Bonus that an absent Player loses makes silence cost it.
#[test]
fn a_lost_bonus_makes_silence_cost() {
    let text = rulebook::embedded_text(HOLDEM).expect("an embedded book");
    let readings = [("silence", "absent"), ("absent-bonus", "collected")];
    let both = Rulebook::parse_with(HOLDEM, text, &readings).expect("both readings");
    let costs = LAB.exact(&both, &Question::default()).expect("counted").silence.expect("no fold");
    let free = absent(HOLDEM, &Question::default()).silence.expect("no fold");
    assert_eq!(costs.net, free.net);
    assert!(costs.every_wager.gain_cents < free.every_wager.gain_cents);
}

/// Stud, dealt: the mean of what each hand brings, wagered on or silent, lies within five standard errors.
#[test]
fn stud_dealt() {
    const HANDS: u32 = 12_000;
    let question = wagers(2_500, 500, 128_407_735);
    let read = read_otherwise(STUD, "silence", "absent");
    let worth = absent(STUD, &question).silence.expect("no fold");
    let mut number = numbers(11);
    let mut cards: Vec<Card> = deck().collect();
    let (mut ante, mut every) = (Mean::default(), Mean::default());
    for _ in 0..HANDS {
        for place in 0..6 {
            let other = place + number(52 - place);
            cards.swap(place, other);
        }
        let situation = Situation::of(&cards[..5]).with_up_card(cards[5]);
        let advice = advise(&LAB, &read, &Question::default(), &situation).expect("advice");
        let bet = advice.choices[0].value;
        ante.add(bet.max(0.0));
        let order = HandRank::best_of(&cards[..5]).order();
        let line = read.jackpot.lines.iter().find(|line| line.hand == order);
        let award = line.map_or(0.0, |line| match line.pays {
            Pays::Share(percent) => f64::from(percent.value()) / 100.0 * 128_407_735.0,
            Pays::Odds(money::Odds::For(times)) => 500.0 * f64::from(times),
            Pays::Odds(money::Odds::To(_)) | Pays::Fixed(_) => panic!("stud pays for one, or of the meter"),
        });
        // Straight flushes are too rare to be met here; their part of the value is added exactly.
        let is_rare = matches!(line.map(|line| line.pays), Some(Pays::Share(_)));
        every.add(if is_rare { 0.0 } else { (2_500.0 * bet + award - 500.0).max(0.0) });
    }
    let rare: f64 = [(36.0, 12_840_773.5), (4.0, 128_407_735.0)]
        .map(|(hands, award)| hands / 2_598_960.0 * award)
        .into_iter()
        .sum();
    assert!(ante.is_near(worth.net.value(), 0.0), "{ante:?} {}", worth.net.value());
    // A Bet with such a hand wins at most 300 Antes, 40 hands in 2,598,960.
    let bet_of_rare = 40.0 / 2_598_960.0 * 300.0 * 2_500.0;
    assert!(every.is_near(worth.every_wager.net_cents.value() - rare, bet_of_rare), "{every:?}");
    assert!(0.4 < worth.gain.value(), "more than 40 % of an Ante: {}", worth.gain.value());
}

#[derive(Debug, Default)]
struct Mean {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    /// Whether an exact mean, known up to `slack`, is within five standard errors.
    fn is_near(&self, exact: f64, slack: f64) -> bool {
        let mean = self.sum / self.count;
        let error = ((self.squares / self.count - mean * mean) / self.count).sqrt();
        (mean - exact).abs() < 5.0 * error + slack
    }
}

/// The coach says what silence brings where it is no fold, at the first decision only.
#[test]
fn advice_on_silence() {
    let low = Situation::of(&crate::support::cards::<2>("2c 7d"));
    let ask = |book: &Rulebook, situation: &Situation| {
        advise(&LAB, book, &Question::default(), situation).expect("advice")
    };
    let folds = ask(&book(HOLDEM), &low);
    assert_eq!((folds.silence, folds.silence_is_best()), (None, false));
    let read = read_otherwise(HOLDEM, "silence", "absent");
    let returned = ask(&read, &low);
    assert_eq!((returned.silence, returned.silence_is_best()), (Some(Fraction::ZERO), true));
    assert!(!ask(&read, &Situation::of(&crate::support::cards::<2>("Ac Ad"))).silence_is_best());
    let flop = low.with_community(&crate::support::cards::<3>("Kh Qs 9h"));
    assert_eq!(ask(&read, &flop).silence, None);
}

/// What is looked up is what is counted.
#[test]
fn decisions_looked_up() {
    let mut number = numbers(5);
    let mut cards: Vec<Card> = deck().collect();
    for (id, own, open, hands) in [(HOLDEM, 2, [0, 3, 4].as_slice(), 30), (STUD, 5, &[0], 400)] {
        let (book, table) = (book(id), lookup(&LAB, &book(id)).expect("tables"));
        for _ in 0..hands {
            for place in 0..9 {
                let other = place + number(52 - place);
                cards.swap(place, other);
            }
            for &community in open {
                let situation = Situation::of(&cards[..own]).with_community(&cards[own..own + community]);
                let situation = if id == STUD { situation.with_up_card(cards[8]) } else { situation };
                let advice = advise(&LAB, &book, &Question::default(), &situation).expect("advice");
                let lost = table.wagers(&situation, WithoutWager::Lost);
                assert_eq!(lost, Some(advice.best == Action::Bet), "{situation:?}");
                if community == 0 {
                    let wins = Fraction::ZERO < advice.choices[0].net;
                    assert_eq!(table.wagers(&situation, WithoutWager::Returned), Some(wins));
                }
            }
        }
    }
}
