//! The theatre: situations on demand, from chosen cards, from words, or from a recorded round.

use std::collections::BTreeMap;

use cards::{Card, HandOrder};
use money::Money;
use record::{FirstDecision, LaterDecision, Record};
use round::Decision;
use rulebook::{Position, Rulebook};
use serde::{Deserialize, Serialize};

use crate::deck::{ArrangeError, Wish};
use crate::hands::{ImpossibleHands, find_hands};
use crate::happening::Happening;
use crate::script::PLAYERS_MAX;

/// How far a scene is played before somebody takes over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Until {
    /// The wagers lie there, and bets are open.
    Bets,
    /// The cards are dealt, and the first decisions are due.
    #[default]
    Dealt,
    /// The first decisions are made.
    Decided,
    /// Everything is known and can be settled.
    Settling,
    /// It is settled.
    Concluded,
}

/// A Player of a scene.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ScenePlayer {
    pub position: u8,
    /// In cents; five times the minimum where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ante: Option<Money>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bonus: Option<Money>,
    /// The Jackpot wager, as a multiple of the minimum; 0 for none, 1 where it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jackpot: Option<u8>,
    /// The first cards of the hand, or all.
    #[serde(default)]
    pub cards: Vec<Card>,
    /// What the Player decides, in order; to wager where nothing is given.
    #[serde(default)]
    pub decisions: Vec<Decision>,
}

/// A situation at one table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The id of the rulebook.
    pub rulebook: String,
    pub players: Vec<ScenePlayer>,
    /// The first community cards, or all.
    #[serde(default)]
    pub board: Vec<Card>,
    /// The first cards of the Dealer, or all.
    #[serde(default)]
    pub dealer: Vec<Card>,
    #[serde(default)]
    pub until: Until,
    /// What goes wrong once it is played that far, or as soon after as it can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub happens: Option<Happening>,
}

/// Why there is no such scene.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SceneError {
    #[error(
        "{0:?} is not understood; say hands, such as \"a royal and two straight flushes on one table\", \"award race on two tables\", or \"power failure after a fold\""
    )]
    NotUnderstood(String),
    #[error("say what is to be seen")]
    Nothing,
    #[error("at most {PLAYERS_MAX} hands at a table, and at most 4 tables")]
    TooMany,
    #[error("there is no rulebook {0:?}")]
    NoBook(String),
    #[error("position {0}: positions are 1 to {PLAYERS_MAX}, each named once")]
    Position(u8),
    #[error("a scene has at least one Player")]
    NoPlayers,
    #[error(transparent)]
    Impossible(#[from] ImpossibleHands),
    #[error(transparent)]
    Cards(#[from] ArrangeError),
    #[error("{0} cards were chosen for {1}, and {2} are dealt there")]
    Count(usize, String, usize),
    #[error("the record: {0}")]
    Record(String),
}

impl Scene {
    /// Refuses a scene that cannot be set.
    pub fn check(&self, book: &Rulebook) -> Result<(), SceneError> {
        if self.players.is_empty() {
            return Err(SceneError::NoPlayers);
        }
        let count = |cards: &[Card], whose: &dyn ToString, most: usize| {
            if most < cards.len() {
                return Err(SceneError::Count(cards.len(), whose.to_string(), most));
            }
            Ok(())
        };
        for (place, player) in self.players.iter().enumerate() {
            let is_named_before = self.players[..place].iter().any(|other| other.position == player.position);
            if is_named_before || !(1..=PLAYERS_MAX).contains(&player.position) {
                return Err(SceneError::Position(player.position));
            }
            count(&player.cards, &Position(player.position), book.hand_cards())?;
        }
        count(&self.board, &"the board", book.community_cards())?;
        count(&self.dealer, &"the Dealer", book.hand_cards())?;
        self.wish().cards()?;
        Ok(())
    }

    /// The cards that it takes.
    pub fn wish(&self) -> Wish {
        let hands = self.players.iter().map(|player| (Position(player.position), player.cards.clone()));
        let hands: BTreeMap<Position, Vec<Card>> = hands.collect();
        Wish { hands, board: self.board.clone(), dealer: self.dealer.clone() }
    }
}

/// What a word or two of the theatre mean.
#[derive(Clone, Copy)]
enum Meaning {
    Hand(HandOrder),
    Happens(Happening),
    Tables,
    Race,
    Folds,
    Settled,
}

const PHRASES: &[(&[&str], Meaning)] = &[
    (&["royal", "flush"], Meaning::Hand(HandOrder::RoyalFlush)),
    (&["royal"], Meaning::Hand(HandOrder::RoyalFlush)),
    (&["straight", "flush"], Meaning::Hand(HandOrder::StraightFlush)),
    (&["four", "of", "a", "kind"], Meaning::Hand(HandOrder::FourOfAKind)),
    (&["full", "house"], Meaning::Hand(HandOrder::FullHouse)),
    (&["flush"], Meaning::Hand(HandOrder::Flush)),
    (&["straight"], Meaning::Hand(HandOrder::Straight)),
    (&["three", "of", "a", "kind"], Meaning::Hand(HandOrder::ThreeOfAKind)),
    (&["two", "pair"], Meaning::Hand(HandOrder::TwoPairs)),
    (&["one", "pair"], Meaning::Hand(HandOrder::OnePair)),
    (&["pair"], Meaning::Hand(HandOrder::OnePair)),
    (&["award", "race"], Meaning::Race),
    (&["table"], Meaning::Tables),
    (&["fold"], Meaning::Folds),
    (&["settled"], Meaning::Settled),
    (&["late", "bet"], Meaning::Happens(Happening::LateBet)),
    (&["misdeal"], Meaning::Happens(Happening::Misdeal)),
    (&["power", "failure"], Meaning::Happens(Happening::PowerFailure)),
    (&["exposed", "card"], Meaning::Happens(Happening::ExposedCard)),
    (&["missing", "card"], Meaning::Happens(Happening::BadDeck)),
    (&["argument"], Meaning::Happens(Happening::Argues)),
    (&["absent", "player"], Meaning::Happens(Happening::Leaves)),
];

const NUMBERS: &[(&str, usize)] =
    &[("a", 1), ("an", 1), ("one", 1), ("two", 2), ("three", 3), ("four", 4), ("five", 5), ("six", 6)];

const FILLERS: &[&str] = &["and", "on", "at", "with", "after", "before", "the", "is", "then", "same"];

/// A word without the ending of several.
fn singular(word: &str) -> &str {
    match word {
        "flushes" => "flush",
        "houses" => "house",
        "straights" => "straight",
        "royals" => "royal",
        "pairs" => "pair",
        "tables" => "table",
        "folds" => "fold",
        "bets" => "bet",
        "cards" => "card",
        other => other,
    }
}

fn number(word: &str) -> Option<usize> {
    let known = NUMBERS.iter().find(|(name, _)| *name == word).map(|(_, count)| *count);
    known.or_else(|| word.parse().ok().filter(|count| (1..=9).contains(count)))
}

/// The scenes that words ask for, one for each table: under this book, or under the first in which the hands can be dealt
/// together.
pub fn from_words(
    words: &str,
    book: Option<&Rulebook>,
    books: &[&Rulebook],
    seed: u64,
) -> Result<Vec<Scene>, SceneError> {
    let lower = words.to_lowercase();
    let said = lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let said: Vec<&str> = said.map(singular).collect();
    let (mut hands, mut tables, mut count) = (Vec::new(), 1, 1);
    let (mut happens, mut race, mut folds, mut settled) = (None, false, false, false);
    let mut rest: &[&str] = &said;
    while let Some((first, further)) = rest.split_first() {
        let longest = PHRASES.iter().filter(|(phrase, _)| rest.starts_with(phrase));
        if let Some((phrase, meaning)) = longest.max_by_key(|(phrase, _)| phrase.len()) {
            match meaning {
                Meaning::Hand(order) => hands.extend(std::iter::repeat_n(*order, count)),
                Meaning::Happens(happening) => happens = Some(*happening),
                Meaning::Tables => tables = count,
                Meaning::Race => race = true,
                Meaning::Folds => folds = true,
                Meaning::Settled => settled = true,
            }
            (count, rest) = (1, &rest[phrase.len()..]);
        } else if let Some(named) = number(first) {
            (count, rest) = (named, further);
        } else if FILLERS.contains(first) {
            rest = further;
        } else {
            return Err(SceneError::NotUnderstood((*first).to_owned()));
        }
    }
    if race {
        tables = tables.max(2);
        hands.resize(hands.len().max(tables), HandOrder::StraightFlush);
    }
    if hands.is_empty() && happens.is_none() && !folds {
        return Err(SceneError::Nothing);
    }
    if 4 < tables || usize::from(PLAYERS_MAX) * tables < hands.len() {
        return Err(SceneError::TooMany);
    }
    let of_table = |table: usize| hands.iter().copied().skip(table).step_by(tables).collect::<Vec<_>>();
    let mut scenes = Vec::new();
    for table in 0..tables {
        let wanted = of_table(table);
        let seed = seed.wrapping_add(u64::try_from(table).unwrap_or(0));
        let (book, found) = if let Some(book) = book {
            (book, find_hands(book, &wanted, seed)?)
        } else {
            let mut tried = books.iter().map(|book| (*book, find_hands(book, &wanted, seed)));
            let first = tried.next().ok_or(SceneError::Nothing)?;
            let possible = |(_, found): &(_, Result<_, ImpossibleHands>)| found.is_ok();
            let (book, found) = if possible(&first) { first } else { tried.find(possible).unwrap_or(first) };
            (book, found?)
        };
        let until = match (settled, race, folds) {
            (true, _, _) => Until::Concluded,
            (false, true, _) => Until::Settling,
            (false, false, true) => Until::Decided,
            (false, false, false) if happens.is_some() => Until::Bets,
            (false, false, false) => Until::Dealt,
        };
        scenes.push(scene(book, found.board, found.hands, folds, until, happens));
    }
    Ok(scenes)
}

fn scene(
    book: &Rulebook,
    board: Vec<Card>,
    hands: Vec<Vec<Card>>,
    folds: bool,
    until: Until,
    happens: Option<Happening>,
) -> Scene {
    // A fold is seen best beside a hand that stays in.
    let count = hands.len().max(if folds { 2 } else { 1 });
    let mut hands = hands.into_iter();
    let player = |position: u8| ScenePlayer {
        position,
        cards: hands.next().unwrap_or_default(),
        decisions: if folds && position == 1 { vec![Decision::Fold] } else { Vec::new() },
        ..ScenePlayer::default()
    };
    let players = (1..=u8::try_from(count).unwrap_or(PLAYERS_MAX)).map(player).collect();
    Scene { rulebook: book.id.clone(), players, board, dealer: Vec::new(), until, happens }
}

/// The scene of a recorded round, up to `until`. Its own irregularities are not repeated: a record that has some is refused.
pub fn from_record(record: &Record<'_>, until: Until) -> Result<Scene, SceneError> {
    let refused = |why: &str| Err(SceneError::Record(why.to_owned()));
    if !record.irregularities.is_empty() {
        return refused(
            "irregularities: a scene sets the round without them; leave them out and let them happen",
        );
    }
    if record.positions.iter().any(|seat| !seat.shares.is_empty()) {
        return refused("positions.shares: a scene has one Player a position; give ante and bonus");
    }
    let cards = |cards: &[Option<Card>]| cards.iter().map_while(|card| *card).collect::<Vec<Card>>();
    let later = |decision: LaterDecision| match decision {
        LaterDecision::Bet => Decision::Wager,
        LaterDecision::Check | LaterDecision::Absent | LaterDecision::Silent => Decision::Check,
    };
    let mut players = Vec::new();
    for seat in &record.positions {
        if !(1..=PLAYERS_MAX).contains(&seat.position) {
            return Err(SceneError::Position(seat.position));
        }
        let first = seat.decision.map(|decision| match decision {
            FirstDecision::Bet => Decision::Wager,
            FirstDecision::Fold | FirstDecision::Absent | FirstDecision::Silent => Decision::Fold,
        });
        let further = [seat.turn, seat.river].into_iter().flatten().map(later);
        players.push(ScenePlayer {
            position: seat.position,
            ante: seat.ante,
            bonus: seat.bonus,
            jackpot: Some(seat.jackpot.unwrap_or(0)),
            cards: cards(&seat.cards),
            decisions: first.into_iter().chain(further).collect(),
        });
    }
    Ok(Scene {
        rulebook: record.rulebook.to_string(),
        players,
        board: cards(&record.community),
        dealer: cards(&record.dealer),
        until,
        happens: None,
    })
}
