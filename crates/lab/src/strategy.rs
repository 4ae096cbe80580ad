//! Perfect play in a form people use, and what simpler play costs.

use std::sync::OnceLock;

use cards::HandOrder;
use rulebook::{Game, HoldemRules, Rulebook, StudRules};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::exact::{
    Base, Fraction, HoldemPays, HoleCards, Lab, LabError, Question, StrategyRow, blind_hand, pay_table,
    qualifier, stud_base,
};
use crate::holdem::{ClassCounts, Counts, DEALS, DEALS_PER_HAND, Frontier, HoleClass, Share, frontier};
use crate::stud::Rule;

/// The whole of perfect play, and simpler play beside it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Strategy {
    /// The book's id.
    pub rulebook: String,
    /// Hold'em: what to do with each class of hole cards, in the order of the chart.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hole_cards: Vec<HoleCards>,
    /// Hold'em: where bets on turn and river begin, by class and by the hand made so far.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub frontier: Vec<FrontierRow>,
    /// Stud: what each class of hands does against each up card.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub strategy: Vec<StrategyRow>,
    /// Perfect play first, then simpler ways to play.
    pub plays: Vec<Play>,
    /// A player on several hands who views one and plays the others blind.
    pub several_hands: Vec<SeveralHands>,
}

/// A way to play, and what it is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Play {
    /// Its name in data.
    pub name: &'static str,
    /// What it says.
    pub says: &'static str,
    /// What it brings.
    #[serde(flatten)]
    pub base: Base,
    /// What it costs against perfect play, in Antes a round.
    pub cost: Fraction,
}

/// So many hands on one table, one viewed and played perfectly, the others blind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SeveralHands {
    /// How many hands.
    pub hands: u8,
    /// What they bring together, in Antes a round.
    pub net: Fraction,
    /// What that costs against viewing and playing each perfectly.
    pub cost: Fraction,
}

/// Where the bets of a class begin, on turn or river, by the hand made so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrontierRow {
    /// The class, and how many boards there are with each hand, and on how many of them it bets.
    pub frontier: Frontier,
}

impl Serialize for FrontierRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let made = |shares: &[Share]| -> Vec<Made> {
            let orders = HandOrder::ALL.into_iter().zip(shares).filter(|(_, share)| 0 < share.boards);
            orders.map(|(hand, share)| Made { hand, boards: share.boards, bets: share.bets }).collect()
        };
        let mut fields = serializer.serialize_struct("FrontierRow", 3)?;
        fields.serialize_field("class", &self.frontier.class.to_string())?;
        fields.serialize_field("turn", &made(&self.frontier.turn))?;
        fields.serialize_field("river", &made(&self.frontier.river))?;
        fields.end()
    }
}

/// Boards with one hand made so far.
#[derive(Serialize)]
struct Made {
    hand: HandOrder,
    boards: u64,
    bets: u64,
}

/// All classes together: of the boards with each hand made so far, on how many perfect play bets.
pub fn by_made_hand(rows: &[FrontierRow]) -> [[Share; 10]; 2] {
    let mut sums = [[Share::default(); 10]; 2];
    for FrontierRow { frontier } in rows {
        let hands = frontier.class.combinations();
        for (sums, shares) in sums.iter_mut().zip([&frontier.turn, &frontier.river]) {
            for (sum, share) in sums.iter_mut().zip(shares) {
                sum.boards += hands * share.boards;
                sum.bets += hands * share.bets;
            }
        }
    }
    sums
}

/// The strategy of a book. Refused where the book asks for what the counts do not hold.
pub fn strategy(lab: &Lab, book: &Rulebook, question: &Question) -> Result<Strategy, LabError> {
    let exact = lab.exact(book, question)?;
    let mut strategy = Strategy {
        rulebook: exact.rulebook,
        hole_cards: exact.hole_cards,
        frontier: Vec::new(),
        strategy: exact.strategy,
        plays: Vec::new(),
        several_hands: Vec::new(),
    };
    // Ways to play are compared on the Ante alone.
    let alone = lab.exact(book, &Question { jackpot_wager_cents: 0, ..*question })?;
    let perfect = Play {
        name: "perfect",
        says: "every decision as it is worth most",
        base: alone.base,
        cost: Fraction::ZERO,
    };
    let mut plays = match &book.game {
        Game::Holdem(rules) => {
            strategy.frontier =
                frontiers().iter().map(|frontier| FrontierRow { frontier: *frontier }).collect();
            holdem_plays(lab, book, rules, question)?
        }
        Game::Stud(rules) => stud_plays(lab, book, rules)?,
    };
    for play in &mut plays {
        play.cost = perfect.base.net.minus(play.base.net);
    }
    let positions = book.layouts.iter().map(|layout| *layout.positions.end()).max().unwrap_or(1);
    if let Some(blind) = plays.iter().find(|play| play.name == "blind") {
        let several = |hands: u8| {
            let others = Fraction::whole(i128::from(hands) - 1);
            SeveralHands {
                hands,
                net: perfect.base.net.plus(blind.base.net.times(others)),
                cost: blind.cost.times(others),
            }
        };
        strategy.several_hands = (2..=positions).map(several).collect();
    }
    strategy.plays = std::iter::once(perfect).chain(plays).collect();
    Ok(strategy)
}

/// The frontiers of all classes. They rest on the cards alone, so they are counted once.
fn frontiers() -> &'static [Frontier] {
    static FRONTIERS: OnceLock<Vec<Frontier>> = OnceLock::new();
    FRONTIERS.get_or_init(frontier)
}

fn stud_plays(lab: &Lab, book: &Rulebook, rules: &StudRules) -> Result<Vec<Play>, LabError> {
    let table = pay_table(book, rules)?;
    let outcomes = lab.stud(qualifier(book, rules)?).play_by(Rule::ALL);
    let play = |(rule, outcomes): (Rule, _)| Play {
        name: rule.name(),
        says: rule_says(rule),
        base: stud_base(&outcomes, &table),
        cost: Fraction::ZERO,
    };
    Ok(Rule::ALL.into_iter().zip(outcomes).map(play).collect())
}

const fn rule_says(rule: Rule) -> &'static str {
    match rule {
        Rule::ThreeRules => {
            "bet a pair or better; bet Ace-King where the up card, 2 to Queen, pairs a card; where it is an Ace or King and \
             the hand has a Queen or Jack; where it pairs nothing, the hand has a Queen and its fourth card is higher"
        }
        Rule::AceKingJackEightThree => "bet Ace-King-Jack-8-3 or better",
        Rule::PairOrMatchedAceKing => {
            "bet a pair or better, and Ace-King where the up card pairs a card of the hand"
        }
        Rule::Pair => "bet a pair or better",
        Rule::AceKing => "bet Ace-King or better",
        Rule::Blind => "bet without looking",
    }
}

fn holdem_plays(
    lab: &Lab,
    book: &Rulebook,
    rules: &HoldemRules,
    question: &Question,
) -> Result<Vec<Play>, LabError> {
    let pays = HoldemPays::new(book, rules, question)?;
    let counts = lab.holdem();
    let play = |name, says, base| Play { name, says, base, cost: Fraction::ZERO };
    Ok(vec![
        play("never-fold", "never fold; turn and river as they are worth most", never_folding(counts, &pays)),
        play(
            "bet-always",
            "make the Turn and the River wager always; fold what loses more than the Ante",
            always(counts, &pays, true),
        ),
        play(
            "check-always",
            "make neither; fold what loses more than the Ante",
            always(counts, &pays, false),
        ),
        play("blind", "make the Flop wager without looking, and no other", blind_hand(counts, &pays)),
    ])
}

fn never_folding(counts: &Counts, pays: &HoldemPays) -> Base {
    let mut sums = Sums::default();
    for class in counts.classes() {
        for (turn, rivers) in class.deals.iter().enumerate() {
            for (river, deals) in rivers.iter().enumerate() {
                sums.add(class.class, deals, pays, [turn == 1, river == 1]);
            }
        }
    }
    sums.base()
}

/// Turn and river both bet always or both never; a class that then loses more than the Ante is folded.
fn always(counts: &Counts, pays: &HoldemPays, bets: bool) -> Base {
    let mut sums = Sums::default();
    for class in counts.classes() {
        let mut one = Sums::default();
        one.add(class.class, &class.showdowns(), pays, [bets, bets]);
        let folded = Sums::folded(class);
        let chosen = if one.net <= folded.net { folded } else { one };
        sums.net += chosen.net;
        sums.squares += chosen.squares;
        sums.wagered += chosen.wagered;
    }
    sums.base()
}

/// Sums over deals, in Antes.
#[derive(Clone, Copy, Default)]
struct Sums {
    net: i128,
    squares: i128,
    wagered: i128,
}

impl Sums {
    fn folded(class: &ClassCounts) -> Sums {
        let deals = i128::from(class.class.combinations()) * i128::from(DEALS_PER_HAND);
        Sums { net: -deals, squares: deals, wagered: deals }
    }

    fn add(
        &mut self,
        class: HoleClass,
        deals: &crate::holdem::Deals,
        pays: &HoldemPays,
        [turn, river]: [bool; 2],
    ) {
        let hands = i128::from(class.combinations());
        let stake = i128::from(pays.stake(turn, river));
        let won = |order| (i128::from(deals.won_with(order)), i128::from(pays.win(order, turn, river)));
        let lost = std::iter::once((i128::from(deals.losses), -stake));
        for (deals, net) in HandOrder::ALL.into_iter().map(won).chain(lost) {
            self.net += hands * deals * net;
            self.squares += hands * deals * net * net;
        }
        self.wagered += hands * i128::from(deals.all()) * stake;
    }

    fn base(&self) -> Base {
        let over = |sum| Fraction::over(sum, DEALS);
        Base { net: over(self.net), second_moment: over(self.squares), wagered: over(self.wagered) }
    }
}
