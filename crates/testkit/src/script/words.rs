//! The words of a script: positions, players, areas, cards, amounts, offices.

use cards::Card;
use money::Money;
use round::{Asker, Place, PlayerId};
use rulebook::{Office, PlayingArea, Position, Rulebook};

/// `P3`.
pub(super) fn position(word: &str) -> Result<Position, String> {
    let number = word.strip_prefix('P').and_then(|number| number.parse().ok());
    number.map(Position).ok_or_else(|| format!("{word:?} is not a position"))
}

/// `p3`.
pub(super) fn player(word: &str) -> Result<PlayerId, String> {
    if word.starts_with('p') { Ok(PlayerId::new(word)) } else { Err(format!("{word:?} is not a player")) }
}

/// `Ante`; `First` is the Flop or the Bet.
pub(super) fn area(book: &Rulebook, word: &str) -> Result<PlayingArea, String> {
    if word == "First" {
        return Ok(book.first_area());
    }
    let found = PlayingArea::ALL.into_iter().find(|area| area.name() == word);
    found.ok_or_else(|| format!("{word:?} is not an area"))
}

pub(super) fn card(word: &str) -> Result<Card, String> {
    word.parse().map_err(|error: cards::CardError| error.to_string())
}

/// `As`, or `?` for a card that is not read.
pub(super) fn maybe_card(word: &str) -> Result<Option<Card>, String> {
    if word == "?" { Ok(None) } else { card(word).map(Some) }
}

/// Several cards, separated by spaces.
pub(super) fn cards(text: &str) -> Result<Vec<Card>, String> {
    text.split_whitespace().map(card).collect()
}

/// `25`, `24.99` or `1,000`.
pub(super) fn money(word: &str) -> Result<Money, String> {
    let wrong = || format!("{word:?} is not an amount");
    let digits = word.replace(',', "");
    let (dollars, cents) = digits.split_once('.').unwrap_or((&digits, "00"));
    if cents.len() != 2 {
        return Err(wrong());
    }
    format!("{dollars}{cents}").parse().map(Money::from_cents).map_err(|_| wrong())
}

/// `P1.0`, `board.3` or `dealer.1`.
pub(super) fn place(word: &str) -> Result<Place, String> {
    let wrong = || format!("{word:?} is not a place for a card");
    let (pile, at) = word.split_once('.').ok_or_else(wrong)?;
    let at = at.parse().map_err(|_| wrong())?;
    match pile {
        "board" => Ok(Place::Community(at)),
        "dealer" => Ok(Place::Dealer(at)),
        _ => position(pile).map(|position| Place::Player(position, at)),
    }
}

/// The places of a pile, in order, by the name of the pile.
pub(super) fn pile(word: &str) -> Result<impl Fn(u8) -> Place, String> {
    let position = if matches!(word, "board" | "dealer") { None } else { Some(position(word)?) };
    let board = word == "board";
    Ok(move |at| match position {
        Some(position) => Place::Player(position, at),
        None if board => Place::Community(at),
        None => Place::Dealer(at),
    })
}

/// Who gives the command, and the command. The Dealer if nobody is named.
pub(super) fn speaker(line: &str) -> Result<(Asker, &str), String> {
    let Some((who, command)) = line.split_once(": ") else {
        return Ok((Asker::Staff(Office::Dealer), line));
    };
    let by = match who {
        "dealer" => Asker::Staff(Office::Dealer),
        "supervisor" => Asker::Staff(Office::PitSupervisor),
        "manager" => Asker::Staff(Office::PitManager),
        "shift" => Asker::Staff(Office::GamingShiftManager),
        _ => Asker::Player(player(who)?),
    };
    Ok((by, command))
}

/// A place as text.
pub(super) fn place_text(place: Place) -> String {
    match place {
        Place::Player(position, at) => format!("P{}.{at}", position.0),
        Place::Community(at) => format!("board.{at}"),
        Place::Dealer(at) => format!("dealer.{at}"),
    }
}
