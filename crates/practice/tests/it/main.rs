//! Arranged hands, words of the theatre, recorded rounds, scripts. What a mock table does with them is tested on a running
//! practice floor, with the server.

use cards::{Card, CardSet, HandOrder};
use practice::{
    Happening, SceneError, Script, Until, Wish, arrange, embedded, find_hands, from_record, from_words,
};
use record::Record;
use round::{Decision, Place};
use rulebook::{Position, Rulebook, embedded as books};

fn book(citation: &str) -> Rulebook {
    let found = books().into_iter().find(|book| book.citation.to_string() == citation);
    found.expect("the book is embedded")
}

fn cards(text: &str) -> Vec<Card> {
    text.split(' ').map(|card| card.parse().expect("a card")).collect()
}

/// Every wanted hand is what its own cards and the first three of the board make, and no card lies twice.
#[test]
fn found_hands_are_what_was_wanted() {
    for (citation, wanted) in [
        ("MTHB9", vec![HandOrder::RoyalFlush, HandOrder::StraightFlush]),
        ("MTHB9", vec![HandOrder::FullHouse, HandOrder::FourOfAKind, HandOrder::OnePair]),
        ("MSSP9", vec![HandOrder::RoyalFlush, HandOrder::StraightFlush, HandOrder::StraightFlush]),
        ("MSSP9", vec![HandOrder::TwoPairs, HandOrder::Straight, HandOrder::Flush]),
        ("THB6", vec![HandOrder::StraightFlush, HandOrder::StraightFlush]),
    ] {
        for seed in 1..4 {
            let found = find_hands(&book(citation), &wanted, seed).expect("it is possible");
            let mut seen = CardSet::default();
            for card in found.hands.iter().flatten().chain(&found.board) {
                assert!(seen.insert(*card), "{citation}: the {card} lies twice");
            }
            for (hand, order) in found.hands.iter().zip(&wanted) {
                let all: Vec<Card> = hand.iter().chain(&found.board).copied().collect();
                assert_eq!(HandOrder::best_of(&all), *order, "{citation} {all:?}");
            }
        }
    }
}

/// At a hold'em table all share three cards: a Royal and two Straight flushes cannot be there, and it says why.
#[test]
fn impossible_hands_are_refused_with_the_reason() {
    let wanted = [HandOrder::RoyalFlush, HandOrder::StraightFlush, HandOrder::StraightFlush];
    let refused = find_hands(&book("MTHB9"), &wanted, 1).expect_err("there are not enough cards");
    assert!(refused.to_string().contains("share the first three community cards"), "{refused}");
}

#[test]
fn chosen_cards_lie_where_they_were_chosen_and_the_rest_is_a_whole_deck() {
    let order: Vec<Place> = (0..5)
        .map(Place::Community)
        .chain((0..2).map(|card| Place::Player(Position(1), card)))
        .chain((0..2).map(Place::Dealer))
        .collect();
    let wish =
        Wish { hands: [(Position(1), cards("As Ks"))].into(), board: cards("Qs Js Ts"), dealer: cards("2c") };
    let deck = arrange(&order, &wish, 7).expect("it can lie so");
    assert_eq!(deck[&Place::Player(Position(1), 1)], cards("Ks")[0]);
    assert_eq!(deck[&Place::Community(2)], cards("Ts")[0]);
    assert_eq!(deck[&Place::Dealer(0)], cards("2c")[0]);
    let mut seen = CardSet::default();
    assert!(deck.values().all(|card| seen.insert(*card)), "a card lies twice");
    assert_eq!(arrange(&order, &wish, 7).expect("again"), deck, "the same seed gives the same deck");
    let twice = Wish { dealer: cards("As"), ..wish.clone() };
    assert!(arrange(&order, &twice, 7).expect_err("twice").to_string().contains("chosen twice"));
    let many = Wish { board: cards("2s 3s 4s 5s 6s 7s"), ..Wish::default() };
    assert!(arrange(&order, &many, 7).expect_err("too many").to_string().contains("the board"));
}

fn told(words: &str) -> Result<Vec<practice::Scene>, SceneError> {
    let (holdem, stud) = (book("MTHB9"), book("MSSP9"));
    from_words(words, None, &[&holdem, &stud], 1)
}

/// The three situations that everybody asks for first.
#[test]
fn words_become_scenes() {
    let scenes = told("royal and two straight flushes on one table").expect("understood");
    assert_eq!(scenes.len(), 1);
    assert_eq!(scenes[0].rulebook, "megalink-stud-v9", "hold'em cannot");
    let orders: Vec<HandOrder> =
        scenes[0].players.iter().map(|player| HandOrder::best_of(&player.cards)).collect();
    assert_eq!(orders, [HandOrder::RoyalFlush, HandOrder::StraightFlush, HandOrder::StraightFlush]);

    let race = told("Award race on two tables").expect("understood");
    assert_eq!(race.len(), 2);
    assert!(race.iter().all(|scene| scene.until == Until::Settling && scene.players.len() == 1));
    assert_ne!(race[0].players[0].cards, race[1].players[0].cards, "two tables, two decks");

    let dark = told("power failure after a fold").expect("understood");
    assert_eq!(dark[0].happens, Some(Happening::PowerFailure));
    assert_eq!(dark[0].players[0].decisions, [Decision::Fold]);
    assert_eq!((dark[0].players.len(), dark[0].until), (2, Until::Decided));

    assert_eq!(told("two elephants"), Err(SceneError::NotUnderstood("elephants".to_owned())));
    assert_eq!(told("and the"), Err(SceneError::Nothing));
    assert_eq!(told("nine straights"), Err(SceneError::NotUnderstood("nine".to_owned())));
    assert_eq!(told("9 straights"), Err(SceneError::TooMany));
}

const RECORD: &str = r#"{"id":"r","rulebook":"megalink-holdem-v9","table":{"positions":6,"limits":{"ante":[2500,100000]}},
 "jackpot":null,"positions":[{"position":1,"player":"Ann","ante":5000,"cards":["Qc","Qd"],"decision":"bet","turn":"check","river":"bet"},
 {"position":2,"player":"Bob","ante":2500,"cards":["Ac","Td"],"decision":"fold"}],
 "community":["3h","4s","6s","9d","Jh"],"dealer":["Kc","Kd"]}"#;

#[test]
fn a_recorded_round_becomes_a_scene() {
    let record: Record<'_> = serde_json::from_str(RECORD).expect("a record");
    let scene = from_record(&record, Until::Settling).expect("a scene");
    scene.check(&book("MTHB9")).expect("it can be set");
    assert_eq!(scene.board, cards("3h 4s 6s 9d Jh"));
    assert_eq!(scene.players[0].decisions, [Decision::Wager, Decision::Check, Decision::Wager]);
    assert_eq!(scene.players[1].decisions, [Decision::Fold]);
    assert_eq!(scene.players[0].jackpot, Some(0), "no Jackpot wager in the record, none at the table");
    let odd =
        RECORD.replace("\"community\"", "\"irregularities\":[{\"kind\":\"foreign-card\"}],\"community\"");
    let record: Record<'_> = serde_json::from_str(&odd).expect("a record");
    let refused = from_record(&record, Until::Dealt).expect_err("it has an irregularity");
    assert!(refused.to_string().contains("irregularities"), "{refused}");
}

#[test]
fn a_scene_that_cannot_be_is_refused() {
    let holdem = book("MTHB9");
    let scene = |text: &str| serde_json::from_str::<practice::Scene>(text).expect("a form").check(&holdem);
    let wrong = |text: &str, expected: &str| {
        let refused = scene(text).expect_err(expected).to_string();
        assert!(refused.contains(expected), "{refused}");
    };
    let head = r#"{"rulebook":"megalink-holdem-v9","players":"#;
    wrong(&format!("{head}[]}}"), "at least one Player");
    wrong(&format!(r#"{head}[{{"position":9}}]}}"#), "position 9");
    wrong(&format!(r#"{head}[{{"position":1}},{{"position":1}}]}}"#), "each named once");
    wrong(&format!(r#"{head}[{{"position":1,"cards":["As","Ks","Qs"]}}]}}"#), "2 are dealt there");
    wrong(&format!(r#"{head}[{{"position":1,"cards":["As"]}}],"board":["As"]}}"#), "chosen twice");
}

/// The scripts of the program can be played, and a script with a mistake says where it is.
#[test]
fn scripts_are_checked() {
    let all = books();
    let find = |id: &str| all.iter().find(|book| book.id == id);
    for (name, text) in embedded() {
        Script::parse(text, find).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    let good = embedded()[0].1;
    for (from, to, at) in [
        ("megalink-holdem-v9", "moon-v1", "rulebook"),
        ("players = 3", "players = 9", "players"),
        ("position = 2", "position = 6", "rounds[0].happens[0].position"),
        ("a straight flush", "an elephant", "rounds[2].hands"),
        ("a straight flush", "four pairs", "rounds[2].hands"),
        ("late-bet", "early-bet", "script"),
        ("title", "heading", "script"),
    ] {
        let error = Script::parse(&good.replacen(from, to, 1), find).expect_err(at);
        assert_eq!(error.at, at, "{error}");
    }
}
