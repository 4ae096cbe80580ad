//! What the lab says, under the names of `published.toml`.

use std::collections::{BTreeMap, HashSet};

use cards::{Card, CardSet, Hand, HandOrder, HandRank};
use lab::exact::{Base, Ending, Exact, Fraction, Question};
use lab::holdem::{CLASSES, DEALS, DEALS_PER_HAND, Deals, StreetJackpot, chart};
use lab::strategy::strategy;
use lab::stud::{DEALER_HANDS, Pattern};
use rulebook::HoleClass;

use crate::support::{HOLDEM, HOLDEM_V6, LAB, STREETS, STUD, answer, book, cards, changed, deck, left};

/// A figure of the lab.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Figure {
    /// An exact number.
    Exact(Fraction),
    /// A number that is no fraction, such as a root.
    View(f64),
    /// Names.
    Text(String),
}

/// All figures by name.
#[derive(Default)]
pub(crate) struct Figures(BTreeMap<String, Figure>);

impl Figures {
    pub(crate) fn all() -> Figures {
        let mut figures = Figures::default();
        figures.deal_spaces();
        figures.holdem();
        figures.showdowns();
        figures.bonus();
        figures.caribbean();
        figures.stud();
        figures.five_cards();
        figures.five_card_jackpots();
        figures.streets();
        figures.seven_cards();
        figures
    }

    pub(crate) fn get(&self, name: &str) -> &Figure {
        self.0.get(name).unwrap_or_else(|| panic!("published.toml names {name:?}, which no test computes"))
    }

    fn exact(&mut self, name: impl Into<String>, value: Fraction) {
        self.add(name, Figure::Exact(value));
    }

    fn whole(&mut self, name: impl Into<String>, value: impl Into<i128>) {
        self.exact(name, Fraction::whole(value));
    }

    fn share(&mut self, name: impl Into<String>, deals: impl Into<i128>, all: impl Into<i128>) {
        self.exact(name, Fraction::new(deals.into(), all));
    }

    fn add(&mut self, name: impl Into<String>, value: Figure) {
        let name = name.into();
        assert!(self.0.insert(name.clone(), value).is_none(), "{name} twice");
    }

    fn deal_spaces(&mut self) {
        self.whole("stud deals", answer(STUD, &[]).deals);
        self.whole("stud dealer hands", DEALER_HANDS);
        self.whole("holdem deals", answer(HOLDEM, &[]).deals);
        // The order of the dealer's two cards then counts.
        self.whole("holdem deals, one dealer card known", choose(52, 2) * 50 * 49 * choose(48, 3) * 45 * 44);
        let continuations = choose(48, 2) * 46 * 45 * 44;
        self.whole("holdem continuations, one dealer and one flop card known", continuations);
        self.whole("holdem deals of one hole hand", DEALS_PER_HAND);
        self.whole("showdowns", DEALS / 20);
        self.whole("hole hands", chart().map(HoleClass::combinations).sum::<u64>());
        self.whole("hole classes", chart().count() as u64);
        let holes = || subsets::<2>().map(|hole| hole.map(|card| 1_u64 << card));
        let with_card = || {
            let each = |[a, b]: [u64; 2]| {
                (0..52)
                    .map(|card| 1 << card)
                    .filter(move |card| card & (a | b) == 0)
                    .map(move |card| [a | b, card])
            };
            holes().flat_map(each)
        };
        self.whole("hole hands with a dealer card", with_card().count() as u64);
        self.whole("hole classes with a dealer card", classes(with_card()));
        self.whole("five-card hands", hands_by_order().iter().sum::<u64>());
        let hands = subsets::<5>().map(|cards| [cards.iter().fold(0, |set, card| set | 1_u64 << card)]);
        self.whole("five-card classes", classes(hands));
        self.whole("five-card values", HandRank::COUNT);
    }

    fn holdem(&mut self) {
        for (name, from) in [("holdem", "straight"), ("holdem flush", "flush")] {
            let exact = answer(HOLDEM, &[&format!("holdem.ante_pays_from={from}")]);
            self.exact(format!("{name} house edge"), exact.base.net.negated());
            self.add(format!("{name} folds"), Figure::Text(folds(&exact)));
            for cards in &exact.hole_cards {
                self.exact(format!("{name} net {}", cards.class), cards.net);
            }
        }
        let base = answer(HOLDEM, &[]).base;
        self.add("holdem standard deviation", Figure::View(base.standard_deviation));
        self.add("holdem variance", Figure::View(base.standard_deviation.powi(2)));
        let level = answer(HOLDEM, &[]).decisions.river_level_deals;
        self.whole("holdem river level deals", level.expect("hold'em has a River wager"));
        let strategy = strategy(&LAB, &book(HOLDEM), &Question::default()).expect("a strategy");
        for play in strategy.plays.iter().filter(|play| play.name != "perfect") {
            self.exact(format!("holdem {} net", play.name), play.base.net);
            self.exact(format!("holdem {} house edge", play.name), play.base.net.negated());
            self.exact(format!("holdem {} total", play.name), play.base.net.times(Fraction::whole(DEALS)));
        }
    }

    fn showdowns(&mut self) {
        let add = |sum: Deals, class: &lab::holdem::ClassCounts| {
            sum.plus(&class.showdowns().times(class.class.combinations()))
        };
        let all = LAB.holdem().classes().iter().fold(Deals::default(), add);
        for (name, deals) in [("won", all.won()), ("tied", all.ties), ("lost", all.losses)] {
            // A set of five board cards stands for 20 orders of flop, turn and river.
            self.share(format!("showdowns {name}"), deals, 20);
        }
        for (name, hole, dealers) in [
            ("33 against 22", "3c 3d", &["2c 2d", "2c 2h", "2c 2s", "2d 2h", "2d 2s", "2h 2s"][..]),
            ("32o against 22", "3c 2d", &["2c 2h", "2c 2s", "2h 2s"]),
        ] {
            let sum = dealers.iter().map(|dealer| against(cards(hole), cards(dealer)));
            let [won, tied, lost] =
                sum.fold([0; 3], |sum, one| [sum[0] + one[0], sum[1] + one[1], sum[2] + one[2]]);
            // The source's totals are twice those of one hole hand.
            for (result, count) in [("won", won), ("tied", tied), ("lost", lost), ("all", won + tied + lost)]
            {
                self.whole(format!("{name} {result}"), 2 * count);
            }
        }
    }

    fn bonus(&mut self) {
        let bonus = answer(HOLDEM, &[]).bonus.expect("hold'em has a Bonus");
        let names = ["AA against AA", "AA", "AKs", "AQs AJs", "AKo", "KK QQ JJ", "AQo AJo", "TT to 22"];
        for (name, line) in names.into_iter().zip(&bonus.lines) {
            self.whole(format!("bonus deals {name}"), line.deals);
            self.share(format!("bonus share {name}"), line.deals, bonus.deals);
            self.exact(format!("bonus return {name}"), line.returned);
        }
        let paid: u64 = bonus.lines.iter().map(|line| line.deals).sum();
        self.whole("bonus deals lost", bonus.deals - paid);
        self.share("bonus share lost", bonus.deals - paid, bonus.deals);
        self.share("bonus hit rate", paid, bonus.deals);
        self.exact("bonus net", bonus.net);
        self.exact("bonus house edge", bonus.net.negated());
        self.add("bonus standard deviation", Figure::View(bonus.standard_deviation));
    }

    /// Stud with the royal flush at 100 to 1, played in every way.
    fn caribbean(&mut self) {
        let scenario = changed(STUD, &["stud.bet.royal-flush=100 to 1"]).expect("a pay table");
        for play in strategy(&LAB, &scenario.book, &scenario.question).expect("a strategy").plays {
            self.play(&format!("caribbean {}", play.name), &play.base);
        }
    }

    fn play(&mut self, name: &str, base: &Base) {
        let edge = base.net.negated();
        let deals = Fraction::whole(answer(STUD, &[]).deals);
        self.exact(format!("{name} total loss"), edge.times(deals));
        self.exact(format!("{name} house edge"), edge.reduced());
        self.exact(
            format!("{name} element of risk"),
            edge.divided_by(base.wagered).expect("something is wagered"),
        );
        self.add(format!("{name} standard deviation"), Figure::View(base.standard_deviation));
        // A Bet is two Antes on top of one.
        let bets = base.wagered.minus(Fraction::whole(1)).times(Fraction::new(1, 2));
        self.exact(format!("{name} bet share"), bets);
    }

    fn stud(&mut self) {
        let exact = answer(STUD, &[]);
        self.play("stud", &exact.base);
        let strategy = strategy(&LAB, &book(STUD), &Question::default()).expect("a strategy");
        let blind = strategy.plays.iter().find(|play| play.name == "blind").expect("blind play");
        self.play("stud blind", &blind.base);
        let dearer = answer(STUD, &["stud.bet.royal-flush=350 to 1"]);
        self.exact("stud worth of 100 on the royal", dearer.base.net.minus(exact.base.net));
        for row in exact.outcomes.iter().filter(|row| row.result == Ending::Win) {
            self.whole(format!("stud wins {}", row.hand.expect("stud rows have a hand").name()), row.deals);
        }
        for ending in [Ending::Fold, Ending::NoHand, Ending::Lose, Ending::StandOff] {
            let deals: u64 =
                exact.outcomes.iter().filter(|row| row.result == ending).map(|row| row.deals).sum();
            self.share(format!("stud share {}", ending.name()), deals, exact.deals);
        }
        self.share("stud share bet", exact.deals - exact.decisions.fold_deals, exact.deals);
        self.exact("stud average wager", exact.base.wagered);
        let share = Fraction::new(5_223, 10_000);
        let wager = Fraction::whole(1).plus(share.plus(share));
        self.exact("stud average wager from the share of bets rounded to 52.23 %", wager);
    }

    fn five_cards(&mut self) {
        let orders = hands_by_order();
        for order in HandOrder::ALL {
            self.whole(format!("five-card {}", order.name()), orders[order as usize]);
        }
        self.whole("pair or better", orders[1..].iter().sum::<u64>());
        let patterns: Vec<Pattern> =
            (1..=HandRank::COUNT).filter_map(HandRank::from_value).map(Pattern::of).collect();
        let sum = |from: &dyn Fn(&&Pattern) -> bool| {
            patterns.iter().filter(from).map(|pattern| u64::from(pattern.hands())).sum::<u64>()
        };
        self.whole("A-K high", sum(&|pattern| pattern.is_ace_king()));
        let qualifying = sum(&|pattern| Pattern::ACE_KING <= **pattern);
        self.whole("qualifying hands", qualifying);
        self.share("qualifying share", qualifying, 2_598_960);
        let lowest = patterns
            .iter()
            .position(|&pattern| pattern == Pattern::ACE_KING)
            .expect("A-K-4-3-2 is a pattern");
        self.add("lowest qualifier", Figure::Text(patterns[lowest].to_string()));
        self.add("highest without", Figure::Text(patterns[lowest - 1].to_string()));
    }

    /// Tables for a stake of one dollar, by what four of a kind, full house and flush pay.
    fn five_card_jackpots(&mut self) {
        for pays in ["100/75/50", "150/100/50", "500/100/50", "500/150/50", "500/150/75", "500/250/100"] {
            let amounts: Vec<&str> = pays.split('/').collect();
            let line = |hand: &str, pays: &str| format!("jackpot.lines.{hand}={pays} for 1");
            let lines = [
                line("four-of-a-kind", amounts[0]),
                line("full-house", amounts[1]),
                line("flush", amounts[2]),
            ];
            let exact = answer(
                STUD,
                &[&lines[0], &lines[1], &lines[2], "jackpot.lines.straight=none", "jackpot-wager=100"],
            );
            self.exact(format!("fixed return {pays}"), exact.jackpot.fixed_return.amount);
            self.exact(format!("break-even {pays}"), break_even_dollars(&exact));
        }
        let stud = answer(STUD, &["jackpot-wager=100"]);
        let weight = stud.jackpot.meter_weight;
        self.exact("meter worth, cents of 10000 dollars", weight.times(Fraction::whole(1_000_000)));
        self.exact("meter worth, dollars of 1000000", weight.times(Fraction::whole(1_000_000)));
        self.exact("v9 fixed return", stud.jackpot.fixed_return.amount);
        self.exact("v9 break-even of one dollar", break_even_dollars(&stud));
        let further = stud.jackpot.multiples[1].last_unit_net.expect("a second unit");
        self.exact("v9 edge of a further unit", further.negated());
        let v6 = answer(HOLDEM_V6, &["jackpot-wager=500"]);
        self.exact("v6 fixed return in dollars", v6.jackpot.fixed_return.cents.times(Fraction::new(1, 100)));
        self.exact("v6 break-even of five dollars", break_even_dollars(&v6));
    }

    /// The jackpot by street, for a hand that never folds.
    fn streets(&mut self) {
        let jackpot = StreetJackpot::new(&book(STREETS), 500).expect("a book the lab counts");
        let rows = jackpot.rows(&[false; CLASSES]);
        let boards: Vec<u64> = rows.iter().map(|row| row.deals / 990).collect();
        for (name, boards) in ["on flop", "on turn", "on river", "on board"].into_iter().zip(&boards) {
            self.whole(format!("streets royal {name}"), *boards);
        }
        self.whole("streets royals", boards[..4].iter().sum::<u64>());
        // A seven-card hand stands for 420 ways to be two hole cards, a flop, a turn and a river.
        self.share("streets straight flush", boards[4], 420);
        self.share("streets four of a kind", boards[6], 420);
        let weight = jackpot.meter_weight(&[false; CLASSES]);
        self.exact("streets meter weight", weight);
        self.exact("streets meter worth, dollars of 1000000", weight.times(Fraction::whole(1_000_000)));
        // A hand that always folds keeps the board's own table: 1,081 hole hands and 20 orders for each board.
        let folded = jackpot.rows(&[true; CLASSES]);
        for (name, line) in [("royal", 3), ("straight flush", 5), ("four of a kind", 7)] {
            self.share(format!("streets community {name}"), folded[line].deals, 990 * 1_081 * 20);
        }
    }

    fn seven_cards(&mut self) {
        let mut orders = [0_u64; 10];
        let cards: Vec<Card> = deck().collect();
        for i in 0..52 {
            for j in 0..i {
                let two = Hand::EMPTY.with(cards[i]).with(cards[j]);
                for k in 0..j {
                    for l in 0..k {
                        let four = two.with(cards[k]).with(cards[l]);
                        for m in 0..l {
                            for n in 0..m {
                                let six = four.with(cards[m]).with(cards[n]);
                                for &last in &cards[..n] {
                                    orders[six.with(last).rank().order() as usize] += 1;
                                }
                            }
                        }
                    }
                }
            }
        }
        for order in &HandOrder::ALL[..8] {
            self.whole(format!("seven-card {}", order.name()), orders[*order as usize]);
        }
        self.whole("seven-card straight-flush and royal-flush", orders[8] + orders[9]);
        self.whole("seven-card hands", orders.iter().sum::<u64>());
    }
}

/// The classes folded, lowest first.
fn folds(exact: &Exact) -> String {
    let fold = exact.decisions.fold.as_ref().expect("hold'em lists its folds");
    let mut names: Vec<String> = fold.iter().map(ToString::to_string).collect();
    names.sort_unstable();
    names.join(" ")
}

fn break_even_dollars(exact: &Exact) -> Fraction {
    let jackpot = &exact.jackpot;
    let lacks = Fraction::whole(jackpot.wager_cents).minus(jackpot.fixed_return.cents);
    let meter = lacks.divided_by(jackpot.meter_weight).expect("the meter is won sometimes");
    assert_eq!(jackpot.break_even_meter.map(i128::from), Some(meter.ceiling()));
    meter.times(Fraction::new(1, 100))
}

/// Two hands on every board: won, tied, lost.
fn against(hole: [Card; 2], dealer: [Card; 2]) -> [u64; 3] {
    let mut result = [0; 3];
    crate::brute_force::for_each_five(&left(&[&hole[..], &dealer].concat()), |board| {
        let board: Hand = board.iter().copied().collect();
        let [mine, theirs] = [hole, dealer].map(|own| board.with(own[0]).with(own[1]).rank());
        result[usize::from(mine <= theirs) + usize::from(mine < theirs)] += 1;
    });
    result
}

/// How many of the 2,598,960 hands are of each order, lowest first.
fn hands_by_order() -> [u64; 10] {
    let mut hands = [0; 10];
    for rank in (1..=HandRank::COUNT).filter_map(HandRank::from_value) {
        hands[rank.order() as usize] += u64::from(Pattern::of(rank).hands());
    }
    hands
}

fn choose(all: u64, some: u64) -> u64 {
    (0..some).fold(1, |ways, taken| ways * (all - taken) / (taken + 1))
}

/// The sets of `N` of 52 cards, lowest first.
fn subsets<const N: usize>() -> impl Iterator<Item = [u8; N]> {
    let mut next = Some(std::array::from_fn(|place| u8::try_from(place).expect("few cards")));
    std::iter::from_fn(move || {
        let set: [u8; N] = next?;
        let most = |place: usize| 52 - u8::try_from(N - place).expect("few cards");
        next = (0..N).rev().find(|&place| set[place] < most(place)).map(|place| {
            let mut after = set;
            after[place] += 1;
            for later in place + 1..N {
                after[later] = after[later - 1] + 1;
            }
            after
        });
        Some(set)
    })
}

/// How many classes lists of card sets have up to a renaming of suits.
fn classes<const N: usize>(lists: impl Iterator<Item = [u64; N]>) -> u64 {
    let renamings: Vec<[u8; 4]> = (0..256_u32)
        .map(|code| {
            [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6]
                .map(|suit| u8::try_from(suit).expect("a suit"))
        })
        .filter(|suits| (0..4).all(|suit| suits.contains(&suit)))
        .collect();
    let rename = |set: u64, suits: &[u8; 4]| {
        let cards = CardSet::from_bits(set).expect("cards");
        cards
            .iter()
            .fold(0, |set, card| set | 1_u64 << (card.index() / 4 * 4 + suits[usize::from(card.index() % 4)]))
    };
    let standard = |list: [u64; N]| renamings.iter().map(|suits| list.map(|set| rename(set, suits))).min();
    lists.map(standard).collect::<HashSet<_>>().len() as u64
}
