//! The exact value of every choice in one situation.
//!
//! A situation is what a player sees: hole cards; with the flop; with the turn; a stud hand and the up card. Nothing is
//! counted but what can follow from it, so an answer takes milliseconds.

mod parse;

use cards::{Card, CardSet, HandOrder};
use rulebook::{AfterFold, Game, HoldemRules, Rulebook, StudRules};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

pub use parse::{CardsError, parse_cards};

use crate::exact::{
    Action, Fraction, HoldemPays, Lab, LabError, Question, StreetJackpot, pay_table, qualifier,
};
use crate::holdem::{self, AntePays, DEALS_PER_HAND, Deals, HoleClass};
use crate::stud::{self, AdviceError as StudError, DEALER_HANDS};

/// What a player sees when there is a choice to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Situation {
    /// Hold'em: the hole cards.
    HoleCards([Card; 2]),
    /// Hold'em: the hole cards and the flop.
    Flop([Card; 2], [Card; 3]),
    /// Hold'em: the hole cards, flop and turn, and whether the Turn wager was made.
    Turn([Card; 2], [Card; 4], bool),
    /// Stud: the hand and the dealer's up card.
    Stud([Card; 5], Card),
}

impl Situation {
    fn cards(self) -> Vec<Card> {
        match self {
            Situation::HoleCards(hole) => hole.to_vec(),
            Situation::Flop(hole, flop) => [&hole[..], &flop].concat(),
            Situation::Turn(hole, board, _) => [&hole[..], &board].concat(),
            Situation::Stud(hand, up) => [&hand[..], &[up]].concat(),
        }
    }
}

/// What there is to choose, and what it is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Advice {
    /// The wager in question, such as `Flop`.
    pub wager: &'static str,
    /// What the cards are: a class of hole cards, or the order of the hand so far.
    pub hand: String,
    /// The choices, the wager first.
    pub choices: [Choice; 2],
    /// The better one. Where they are level the player checks, or folds.
    pub best: Action,
    /// What the other one costs: in cents where the jackpot is part of the choice, in Antes otherwise.
    pub other_costs: Fraction,
    /// What lies ahead if the wager is made, with perfect play after it.
    pub ahead: Ahead,
}

/// A choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What is done.
    pub action: Action,
    /// What the round then brings, in Antes, without Bonus and jackpot.
    pub net: Fraction,
    /// What Ante and jackpot bring together, in cents, stakes counted as losses; where the jackpot is part of the choice.
    pub combined_cents: Option<Fraction>,
}

impl Serialize for Choice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Choice", 5)?;
        fields.serialize_field("action", &self.action)?;
        fields.serialize_field("net", &self.net)?;
        fields.serialize_field("value", &self.net.value())?;
        if let Some(cents) = self.combined_cents {
            fields.serialize_field("combined_cents", &cents)?;
            fields.serialize_field("combined_value", &cents.value())?;
        }
        fields.end()
    }
}

/// How the hands ahead compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ahead {
    /// Hold'em: wins in which the Ante is paid.
    pub win_with_ante: Option<u64>,
    /// Stud: the dealer has no hand.
    pub no_hand: Option<u64>,
    /// Wins; in hold'em, those in which the Ante stands off.
    pub win: u64,
    /// Equal hands.
    pub stand_off: u64,
    /// Losses.
    pub lose: u64,
    /// All together.
    pub all: u64,
}

impl Serialize for Ahead {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let counts = [
            ("win_with_ante", self.win_with_ante),
            ("no_hand", self.no_hand),
            ("win", Some(self.win)),
            ("stand_off", Some(self.stand_off)),
            ("lose", Some(self.lose)),
            ("all", Some(self.all)),
        ];
        let written = counts.into_iter().filter_map(|(name, deals)| Some((name, deals?.to_string())));
        serializer.collect_map(written)
    }
}

/// Why there is no advice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdviceError {
    /// A card is there twice.
    #[error("{0} is there twice; there is one of each card")]
    Twice(Card),
    /// The situation is one of the other game.
    #[error("{book} is {game}, and has no such situation")]
    OtherGame {
        /// The book.
        book: String,
        /// Its game.
        game: &'static str,
    },
    /// The book asks for what is not counted.
    #[error(transparent)]
    Lab(#[from] LabError),
}

/// The value of each choice. Refused where a card is there twice, the situation is one of the other game, or the book
/// asks for what is not counted.
pub fn advise(
    lab: &Lab,
    book: &Rulebook,
    question: &Question,
    situation: Situation,
) -> Result<Advice, AdviceError> {
    question.check()?;
    let mut seen = CardSet::EMPTY;
    for card in situation.cards() {
        if !seen.insert(card) {
            return Err(AdviceError::Twice(card));
        }
    }
    let other = |game| Err(AdviceError::OtherGame { book: book.id.clone(), game });
    match (&book.game, situation) {
        (Game::Stud(rules), Situation::Stud(hand, up)) => stud_bet(book, rules, hand, up),
        (Game::Stud(_), _) => other("stud"),
        (Game::Holdem(_), Situation::Stud(..)) => other("hold'em"),
        (Game::Holdem(rules), Situation::HoleCards(hole)) => flop_wager(lab, book, rules, question, hole),
        (Game::Holdem(rules), Situation::Flop(hole, flop)) => turn_wager(book, rules, question, hole, flop),
        (Game::Holdem(rules), Situation::Turn(hole, board, turn)) => {
            river_wager(book, rules, question, hole, board, turn)
        }
    }
}

/// What the cores are asked with: Antes are paid here, not there.
const NO_ANTE: AntePays = AntePays([0; 10]);

fn flop_wager(
    lab: &Lab,
    book: &Rulebook,
    rules: &HoldemRules,
    question: &Question,
    hole: [Card; 2],
) -> Result<Advice, AdviceError> {
    let pays = HoldemPays::new(book, rules, question)?;
    let class = HoleClass::of(hole);
    let choice = holdem::before_flop(hole, &NO_ANTE);
    let net = if pays.turn == pays.river {
        // The stored value is Ante and Flop, paid or lost, and what Turn and River wagers of one Ante add.
        let later = i128::from(choice.bet) - i128::from(even_money(&choice.showdowns));
        ante_and_flop(&choice.showdowns, &pays) + i128::from(pays.turn) * later
    } else {
        pays.net(lab.holdem().class(class))
    };
    let values = [net, -i128::from(DEALS_PER_HAND)].map(|net| Fraction::new(net, DEALS_PER_HAND));
    let combined = joint_cents(book, question, class, values)?;
    let actions = [Action::Bet, Action::Fold];
    Ok(advice("Flop", class.to_string(), actions, values, combined, ahead(&choice.showdowns, &pays)))
}

/// What Ante and jackpot bring together, where a fold loses lines of a jackpot that is wagered on.
fn joint_cents(
    book: &Rulebook,
    question: &Question,
    class: HoleClass,
    values: [Fraction; 2],
) -> Result<Option<[Fraction; 2]>, LabError> {
    let Some(meter) = question.meter_cents.filter(|_| 0 < question.jackpot_wager_cents) else {
        return Ok(None);
    };
    if book.jackpot.after_fold == AfterFold::EveryLine {
        return Ok(None);
    }
    let jackpot = StreetJackpot::new(book, question.jackpot_wager_cents)?;
    let [played, folded] = jackpot.class_returns(class, meter);
    let stake = Fraction::whole(question.jackpot_wager_cents);
    let cents = |net: Fraction, award: Fraction| {
        net.times(Fraction::whole(question.ante_cents)).plus(award).minus(stake)
    };
    Ok(Some([cents(values[0], played), cents(values[1], folded)]))
}

fn turn_wager(
    book: &Rulebook,
    rules: &HoldemRules,
    question: &Question,
    hole: [Card; 2],
    flop: [Card; 3],
) -> Result<Advice, AdviceError> {
    let pays = HoldemPays::new(book, rules, question)?;
    let choice = holdem::after_flop(hole, flop, &NO_ANTE);
    let deals = &choice.showdowns;
    let river = i128::from(choice.decline) - i128::from(even_money(deals));
    let check = ante_and_flop(deals, &pays) + i128::from(pays.river) * river;
    let bet = check + i128::from(pays.turn) * lead(deals);
    let values = [bet, check].map(|net| Fraction::new(net, choice.denominator));
    let order = best_order(&[&hole[..], &flop].concat());
    Ok(advice("Turn", order, [Action::Bet, Action::Check], values, None, ahead(deals, &pays)))
}

fn river_wager(
    book: &Rulebook,
    rules: &HoldemRules,
    question: &Question,
    hole: [Card; 2],
    board: [Card; 4],
    turn: bool,
) -> Result<Advice, AdviceError> {
    let pays = HoldemPays::new(book, rules, question)?;
    let choice = holdem::after_turn(hole, board, turn, &NO_ANTE);
    let deals = &choice.showdowns;
    let check = ante_and_flop(deals, &pays) + i128::from(turn) * i128::from(pays.turn) * lead(deals);
    let bet = check + i128::from(pays.river) * lead(deals);
    let values = [bet, check].map(|net| Fraction::new(net, choice.denominator));
    let order = best_order(&[&hole[..], &board].concat());
    Ok(advice("River", order, [Action::Bet, Action::Check], values, None, ahead(deals, &pays)))
}

fn stud_bet(book: &Rulebook, rules: &StudRules, hand: [Card; 5], up: Card) -> Result<Advice, AdviceError> {
    let pay = pay_table(book, rules)?;
    let found = stud::advise(hand.into_iter().collect(), up, qualifier(book, rules)?, &pay);
    let found = found.unwrap_or_else(|error: StudError| panic!("six different cards: {error}"));
    let denominator = i128::from(DEALER_HANDS) * i128::from(pay.parts());
    let values = [found.bet, found.fold].map(|net| Fraction::new(i128::from(net), denominator));
    let against = found.against;
    let ahead = Ahead {
        win_with_ante: None,
        no_hand: Some(against.no_hand.into()),
        win: against.win.into(),
        stand_off: against.stand_off.into(),
        lose: against.lose().into(),
        all: DEALER_HANDS.into(),
    };
    let hand = format!("{}, {}", found.pattern.order(), found.pattern);
    Ok(advice("Bet", hand, [Action::Bet, Action::Fold], values, None, ahead))
}

fn advice(
    wager: &'static str,
    hand: String,
    actions: [Action; 2],
    values: [Fraction; 2],
    combined: Option<[Fraction; 2]>,
    ahead: Ahead,
) -> Advice {
    let [bet, other] = combined.unwrap_or(values);
    let difference = bet.minus(other);
    let is_bet = Fraction::ZERO < difference;
    let choice = |place: usize| Choice {
        action: actions[place],
        net: values[place],
        combined_cents: combined.map(|cents| cents[place]),
    };
    Advice {
        wager,
        hand,
        choices: [choice(0), choice(1)],
        best: actions[usize::from(!is_bet)],
        other_costs: if is_bet { difference } else { difference.negated() },
        ahead,
    }
}

/// Wins less losses.
fn lead(deals: &Deals) -> i128 {
    i128::from(deals.won()) - i128::from(deals.losses)
}

/// What the cores count for an Ante that is not paid and a Flop wager of twice the Ante at even money.
fn even_money(deals: &Deals) -> i64 {
    2 * (deals.won().cast_signed() - deals.losses.cast_signed()) - deals.losses.cast_signed()
}

/// What Ante and Flop wager bring.
fn ante_and_flop(deals: &Deals, pays: &HoldemPays) -> i128 {
    let won: i128 = HandOrder::ALL
        .into_iter()
        .map(|order| i128::from(deals.won_with(order)) * i128::from(pays.win(order, false, false)))
        .sum();
    won - i128::from(deals.losses) * i128::from(pays.stake(false, false))
}

fn ahead(deals: &Deals, pays: &HoldemPays) -> Ahead {
    let paid = HandOrder::ALL.into_iter().filter(|&order| pays.ante_pays_from <= order);
    let with_ante = paid.map(|order| deals.won_with(order)).sum();
    Ahead {
        win_with_ante: Some(with_ante),
        no_hand: None,
        win: deals.won() - with_ante,
        stand_off: deals.ties,
        lose: deals.losses,
        all: deals.all(),
    }
}

fn best_order(cards: &[Card]) -> String {
    cards::HandRank::best_of(cards).order().to_string()
}
