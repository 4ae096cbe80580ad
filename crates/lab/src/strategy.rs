//! Perfect play in a form people use, and what simpler play costs.

use cards::HandOrder;
use rulebook::{HoleClass, Rulebook};
use serde::Serialize;

use crate::exact::{Base, Fraction, HoleCards, Lab, LabError, Question, StrategyRow};
use crate::game::{Case, game_of};
use crate::holdem::{Frontier, Share};

/// The whole of perfect play, and simpler play beside it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = StrategyAnswer))]
pub struct Strategy {
    /// The strategy in a sentence. It is not part of the serialised form.
    #[serde(skip)]
    pub summary: String,
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
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = PlayAnswer))]
pub struct Play {
    /// Its name in data.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub name: &'static str,
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub says: &'static str,
    /// What it brings.
    #[serde(flatten)]
    pub base: Base,
    /// What it costs against perfect play, in Antes a round.
    pub cost: Fraction,
}

/// So many hands on one table, one viewed and played perfectly, the others blind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = SeveralHandsAnswer))]
pub struct SeveralHands {
    /// How many hands.
    pub hands: u8,
    /// What they bring together, in Antes a round.
    pub net: Fraction,
    /// What that costs against viewing and playing each perfectly.
    pub cost: Fraction,
}

/// Where the bets of a class begin, by the hand made so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = FrontierAnswer))]
pub struct FrontierRow {
    /// The class of hole cards.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub class: HoleClass,
    /// On the turn: every hand that hole cards and flop can make.
    pub turn: Vec<Made>,
    /// On the river: every hand that hole cards, flop and turn can make.
    pub river: Vec<Made>,
}

/// Boards with one hand made so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MadeAnswer))]
pub struct Made {
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub hand: HandOrder,
    /// How many boards there are with it.
    pub boards: u64,
    /// On how many of them the wager is made.
    pub bets: u64,
}

impl FrontierRow {
    pub(crate) fn new(frontier: &Frontier) -> FrontierRow {
        let made = |shares: &[Share]| -> Vec<Made> {
            let orders = HandOrder::ALL.into_iter().zip(shares).filter(|(_, share)| 0 < share.boards);
            orders.map(|(hand, share)| Made { hand, boards: share.boards, bets: share.bets }).collect()
        };
        FrontierRow { class: frontier.class, turn: made(&frontier.turn), river: made(&frontier.river) }
    }
}

/// The boards with one hand made so far.
pub fn share_of(made: &[Made], hand: HandOrder) -> Share {
    let found = made.iter().find(|made| made.hand == hand);
    found.map_or(Share::default(), |made| Share { boards: made.boards, bets: made.bets })
}

/// What a game adds to its strategy.
pub(crate) struct GameStrategy {
    /// The strategy in a sentence.
    pub(crate) summary: String,
    pub(crate) frontier: Vec<FrontierRow>,
    /// Simpler ways to play. What they cost is filled in later.
    pub(crate) plays: Vec<Play>,
}

/// All classes together: of the boards with each hand made so far, on how many perfect play bets.
pub fn by_made_hand(rows: &[FrontierRow]) -> [[Share; 10]; 2] {
    let mut sums = [[Share::default(); 10]; 2];
    for row in rows {
        let hands = row.class.combinations();
        for (sums, all) in sums.iter_mut().zip([&row.turn, &row.river]) {
            for made in all {
                let sum = &mut sums[made.hand as usize];
                sum.boards += hands * made.boards;
                sum.bets += hands * made.bets;
            }
        }
    }
    sums
}

/// The strategy of a book. Refused where the book asks for what the counts do not hold.
pub fn strategy(lab: &Lab, book: &Rulebook, question: &Question) -> Result<Strategy, LabError> {
    let exact = lab.exact(book, question)?;
    // Ways to play are compared on the Ante alone.
    let alone = lab.exact(book, &Question { jackpot_wager_cents: 0, ..*question })?;
    let perfect = Play {
        name: "perfect",
        says: "every decision as it is worth most",
        base: alone.base,
        cost: Fraction::ZERO,
    };
    let GameStrategy { summary, frontier, mut plays } =
        game_of(book).strategy(Case { lab, book, question })?;
    for play in &mut plays {
        play.cost = perfect.base.net.minus(play.base.net);
    }
    let several_hands = several_hands(book, &perfect, &plays);
    plays.insert(0, perfect);
    Ok(Strategy {
        summary,
        rulebook: exact.rulebook,
        hole_cards: exact.hole_cards,
        frontier,
        strategy: exact.strategy,
        plays,
        several_hands,
    })
}

/// Two hands to as many as a table has positions, where the game can be played blind.
fn several_hands(book: &Rulebook, perfect: &Play, plays: &[Play]) -> Vec<SeveralHands> {
    let Some(blind) = plays.iter().find(|play| play.name == "blind") else { return Vec::new() };
    let positions = book.layouts.iter().map(|layout| *layout.positions.end()).max().unwrap_or(1);
    let several = |hands: u8| {
        let others = Fraction::whole(i128::from(hands) - 1);
        SeveralHands {
            hands,
            net: perfect.base.net.plus(blind.base.net.times(others)),
            cost: blind.cost.times(others),
        }
    };
    (2..=positions).map(several).collect()
}
