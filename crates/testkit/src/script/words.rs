//! The words of a script: positions, players, areas, cards, amounts, offices.

use cards::Card;
use money::Money;
use round::{Asker, Place, PlayerId};
use rulebook::{Office, PlayingArea, Position, Rulebook};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

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

/// What has no word of its own in scripts, by the word of its stored form: `take-off P1 Ante p2`.
pub(super) fn form<T: DeserializeOwned>(tag: &str, word: &str, rest: &str) -> Result<T, String> {
    let mut fields = Map::from_iter([(tag.to_owned(), json!(word))]);
    for each in rest.split_whitespace() {
        let area = PlayingArea::ALL.into_iter().find(|area| area.name() == each);
        let (name, value) = match (position(each), area) {
            (Ok(position), _) => ("position", json!(position)),
            (Err(_), Some(area)) => ("area", json!(area)),
            (Err(_), None) => ("player", json!(player(each)?)),
        };
        fields.insert(name.to_owned(), value);
    }
    serde_json::from_value(Value::Object(fields)).map_err(|error| format!("{word:?}: {error}"))
}

/// The same the other way round, for commands and events.
pub(super) fn spelled<T: Serialize>(form: &T) -> String {
    let value = json!(form);
    let outer = value.as_object().and_then(|outer| outer.iter().next());
    let (word, fields) = match (value["do"].as_str(), outer) {
        (Some(word), _) => (word, &value),
        (None, Some((word, fields))) => (word.as_str(), fields),
        (None, None) => (value.as_str().unwrap_or_default(), &value),
    };
    let mut words = vec![word.to_owned()];
    words.extend(fields["position"].as_u64().map(|position| format!("P{position}")));
    words.extend(PlayingArea::ALL.iter().find(|area| json!(area) == fields["area"]).map(ToString::to_string));
    words.extend(fields["player"].as_str().map(str::to_owned));
    words.join(" ")
}
