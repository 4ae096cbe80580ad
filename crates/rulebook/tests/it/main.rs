//! The books as they come with the program, and the errors of those that contradict themselves.

use std::collections::BTreeSet;

use rulebook::{
    AfterFold, BookError, ClauseKind, Game, HoleClass, JackpotCards, PlayingArea, Receiver, Rule, Rulebook,
    Viewing,
};

fn text(id: &str) -> &'static str {
    rulebook::embedded_text(id).unwrap_or_else(|| panic!("{id} is embedded"))
}

/// The error a changed book gives.
fn refused(id: &str, from: &str, to: &str) -> BookError {
    let original = text(id);
    assert!(original.contains(from), "{id} does not say {from:?}");
    let changed = original.replacen(from, to, 1);
    match Rulebook::parse("changed.toml", &changed) {
        Ok(_) => panic!("{id} with {to:?} was taken"),
        Err(error) => error,
    }
}

#[test]
fn the_four_books_are_there() {
    let books = rulebook::embedded();
    let cited: Vec<String> = books.iter().map(|book| book.citation.to_string()).collect();
    assert_eq!(cited, ["MTHB9", "MTHB6", "MSSP9", "THB6"]);
}

/// The table of what differs between the books.
#[test]
fn what_differs_is_data() {
    let books = &rulebook::embedded()[..4];
    let positions = |book: &Rulebook| -> Vec<(char, u8, u8)> {
        book.layouts.iter().map(|it| (it.letter, *it.positions.start(), *it.positions.end())).collect()
    };
    assert_eq!(positions(&books[0]), [('A', 1, 6), ('B', 1, 6), ('C', 1, 7), ('D', 1, 7)]);
    assert_eq!(positions(&books[1]), [('A', 4, 6), ('B', 4, 6), ('C', 4, 6), ('D', 4, 6)]);
    assert_eq!(positions(&books[2]), [('A', 1, 7), ('B', 1, 7), ('C', 1, 7), ('D', 1, 7)]);
    assert_eq!(positions(&books[3]), [('A', 4, 7)]);
    let told: Vec<bool> = books.iter().map(|book| book.viewing == Viewing::PlayerIsTold).collect();
    assert_eq!(told, [true, false, true, false]);
    let most: Vec<u8> = books.iter().map(|book| *book.jackpot.multiples.end()).collect();
    assert_eq!(most, [5, 1, 5, 1]);
    let community_only: Vec<bool> =
        books.iter().map(|book| book.jackpot.after_fold == AfterFold::CommunityLines).collect();
    assert_eq!(community_only, [false, false, false, true]);
    let pays = |book: &Rulebook| -> Vec<String> {
        book.jackpot.lines.iter().map(|line| format!("{} {}", line.hand.name(), line.pays)).collect()
    };
    assert_eq!(pays(&books[0]), pays(&books[2]), "both version 9 books pay alike");
    assert_eq!(
        pays(&books[1]),
        [
            "royal-flush 100%",
            "straight-flush 10%",
            "four-of-a-kind $2,000.00",
            "full-house $200.00",
            "flush $100.00"
        ]
    );
    let sharing: Vec<Option<Rule>> =
        books.iter().map(|book| book.jackpot.sharing.straight_flush.map(|(rule, _)| rule)).collect();
    let rule = |text: &str| -> Option<Rule> { text.parse().ok() };
    assert_eq!(sharing, [rule("3.15.1"), rule("3.15.1"), rule("3.15.2"), None]);
    let methods: Vec<usize> = books.iter().map(|book| book.methods.len()).collect();
    assert_eq!(methods, [4, 2, 2, 2]);
}

#[test]
fn games_differ_in_their_areas() {
    for book in rulebook::embedded() {
        let (areas, follows): (usize, &[(PlayingArea, u8)]) = match book.game {
            Game::Holdem(_) => {
                (6, &[(PlayingArea::Flop, 2), (PlayingArea::Turn, 1), (PlayingArea::River, 1)])
            }
            Game::Stud(_) => (3, &[(PlayingArea::Bet, 2)]),
        };
        assert_eq!(book.areas().len(), areas);
        assert_eq!(book.times_ante, follows);
    }
}

#[test]
fn every_method_deals_a_whole_table() {
    for book in rulebook::embedded() {
        for method in &book.methods {
            let hand = u32::try_from(book.hand_cards()).expect("small");
            assert_eq!(method.cards_for(Receiver::Players), hand, "{} {}", book.id, method.name);
            assert_eq!(method.cards_for(Receiver::Dealer), hand, "{} {}", book.id, method.name);
        }
    }
}

#[test]
fn clauses_say_what_they_ask() {
    for book in rulebook::embedded() {
        for entry in &book.clauses {
            let needs_why = matches!(entry.kind, ClauseKind::Physical | ClauseKind::Definition);
            assert_eq!(entry.why.is_some(), needs_why, "{}", book.clause(entry.number));
            assert!(entry.gist.len() < 400, "{} is no gist", book.clause(entry.number));
        }
        let numbers: BTreeSet<Rule> = book.clauses.iter().map(|entry| entry.number).collect();
        assert_eq!(numbers.len(), book.clauses.len());
    }
}

#[test]
fn rules_are_read_and_written_alike() {
    for text in ["3.10.2", "3.3.1.1", "1.1", "Appendix A", "5.16.2"] {
        let rule: Rule = text.parse().expect("a rule number");
        let mut written = Vec::new();
        rule.write(&mut written);
        assert_eq!((rule.to_string().as_str(), written.as_slice()), (text, text.as_bytes()));
    }
    for text in ["", "3", "3.", "3.0", "a.b", "1.2.3.4.5", "Appendix", "Appendix a", "3.300"] {
        assert!(text.parse::<Rule>().is_err(), "{text:?}");
    }
    let sorted: Vec<Rule> =
        ["3.9.1", "3.10", "3.10.2", "6.2", "Appendix A"].map(|text| text.parse().expect("one")).into();
    assert!(sorted.is_sorted(), "rules sort as they stand in the book");
}

#[test]
fn hole_cards_have_169_classes() {
    let all = HoleClass::all();
    assert_eq!(all.len(), 169);
    assert_eq!(all.iter().map(|class| class.combinations()).sum::<u64>(), 1_326);
    for class in all {
        assert_eq!(class.to_string().parse(), Ok(class));
    }
    assert!("KA".parse::<HoleClass>().is_err() && "AAs".parse::<HoleClass>().is_err());
}

/// Each contradiction is named with its file, its key and its reason.
#[test]
#[expect(clippy::too_many_lines, reason = "one row a contradiction")]
fn contradictory_books_are_refused() {
    let rows = [
        ("megalink-holdem-v9", "A = [1, 6]", "A = [6, 1]", "layouts.A", "is not a range of positions"),
        ("megalink-holdem-v9", "A = [1, 6]", "AA = [1, 6]", "layouts.AA", "letter of its appendix"),
        ("megalink-holdem-v9", "A = [1, 6]", "E = [1, 6]", "layouts", "Appendix E is cited"),
        ("megalink-stud-v9", "A = [1, 7]", "A = [1, 10]", "layouts", "10 positions need more than 52 cards"),
        ("megalink-holdem-v9", "citation = \"MTHB9\"", "citation = \"mthb\"", "citation", "capital letters"),
        ("megalink-holdem-v9", "flop = 2", "flop = 0", "times_ante", "must be 1 to 10 times the Ante, not 0"),
        ("megalink-holdem-v9", "river = 1\n", "", "times_ante", "must list"),
        ("megalink-holdem-v9", "ante = \"1 to 1\"", "ante = \"2 for 1\"", "holdem.ante", "kept when it wins"),
        (
            "megalink-holdem-v9",
            "ante = \"1 to 1\"",
            "ante = \"10001 to 1\"",
            "holdem.ante",
            "more than this system can pay",
        ),
        (
            "megalink-holdem-v9",
            "pays = \"400 for 1\"",
            "pays = \"99999 for 1\"",
            "jackpot.lines 3",
            "more than this",
        ),
        ("megalink-holdem-v9", "ante = \"1 to 1\"", "ante = \"even\"", "line", "are not odds"),
        (
            "megalink-holdem-v9",
            "hole_cards = [\"AKo\"]",
            "hole_cards = [\"AKs\"]",
            "holdem.bonus",
            "can never pay",
        ),
        (
            "megalink-holdem-v9",
            "multiples = [1, 5]",
            "multiples = [0, 5]",
            "jackpot.multiples",
            "starts at 1",
        ),
        (
            "megalink-holdem-v6",
            "multiples = [1, 1]",
            "multiples = [1, 2]",
            "jackpot.lines",
            "a fixed amount is not allowed",
        ),
        (
            "megalink-holdem-v9",
            "pays = \"400 for 1\"",
            "pays = \"400 to 1\"",
            "line",
            "odds must be \"for 1\"",
        ),
        ("megalink-holdem-v9", "pays = \"100%\"", "pays = \"90%\"", "jackpot.lines", "must pay 100%"),
        (
            "megalink-holdem-v9",
            "straight_flushes_share = \"3.15.1\"\n",
            "",
            "jackpot.straight_flushes_share",
            "is required",
        ),
        (
            "megalink-holdem-v9",
            "after_fold = \"every-line\"",
            "after_fold = \"community-lines\"",
            "jackpot.after_fold",
            "none",
        ),
        (
            "megalink-stud-v9",
            "dealer_needs = \"AK\"",
            "dealer_needs = \"KA\"",
            "stud.dealer_needs",
            "higher one first",
        ),
        ("megalink-stud-v9", "flush = \"5 to 1\"\n", "", "stud.bet", "lacks flush"),
        (
            "megalink-stud-v9",
            "cards = \"hand\"",
            "cards = \"community\"",
            "jackpot.lines 1",
            "not cards of this game",
        ),
        (
            "megalink-holdem-v9",
            "value = \"hole-cards\"",
            "value = \"never\"",
            "readings.bonus-follows",
            "not one of its values",
        ),
        (
            "megalink-holdem-v9",
            "[readings.odd-cents]",
            "[readings.even-cents]",
            "readings.odd-cents",
            "is missing",
        ),
        (
            "megalink-holdem-v9",
            "[readings.odd-cents]",
            "[readings.x]\nvalue=\"1\"\nclause=\"3.4\"\nquestion=\"q\"\nreason=\"r\"\n[readings.odd-cents]",
            "readings.x",
            "no such reading",
        ),
        ("megalink-holdem-v9", "number = \"5.5\"", "number = \"5.6\"", "clauses 5.6", "twice"),
        ("megalink-holdem-v9", "number = \"5.5\"", "number = \"9.9\"", "clauses", "5.5 is cited"),
        ("megalink-holdem-v9", "number = \"5.5\"", "number = \"five\"", "line", "is not a rule such as"),
        ("megalink-holdem-v9", "id = ", "name = ", "line", "unknown field `name`"),
        ("megalink-holdem-v9", "device = \"manual\"", "device = \"shoe\"", "line", "unknown variant `shoe`"),
        (
            "megalink-holdem-v9",
            "    { to = \"community\", cards = 5 },\n",
            "",
            "dealing method-a",
            "deals 0 cards to Community",
        ),
        ("megalink-holdem-v9", "[holdem]", "[[", "line", ""),
    ];
    for (id, from, to, key, reason) in rows {
        let error = refused(id, from, to);
        assert_eq!(error.file, "changed.toml");
        assert!(
            error.key.starts_with(key),
            "{to:?}: key {:?} should begin with {key:?} ({error})",
            error.key
        );
        assert!(error.reason.contains(reason), "{to:?}: {:?} should say {reason:?}", error.reason);
    }
}

/// A later version that changes only figures is a new file and no new code.
#[test]
fn a_new_version_is_a_new_file() {
    let newer = text("megalink-holdem-v9")
        .replace("MTHB9", "MTHB10")
        .replace("megalink-holdem-v9", "megalink-holdem-v10")
        .replace("version = 9", "version = 10")
        .replace("multiples = [1, 5]", "multiples = [1, 10]")
        .replace("pays = \"400 for 1\"", "pays = \"500 for 1\"")
        .replace("A = [1, 6]", "A = [1, 5]");
    let book = Rulebook::parse("megalink-holdem-v10.toml", &newer).expect("figures may change");
    assert_eq!((book.version, *book.jackpot.multiples.end()), (10, 10));
    assert!(book.jackpot.lines.iter().all(|line| line.cards == JackpotCards::HoleAndFlop));
    assert_eq!(book.clause("3.10.2".parse().expect("a rule")).to_string(), "MTHB10 3.10.2");
}

#[test]
fn a_reading_can_be_changed() {
    let id = "megalink-holdem-v9";
    let literal = Rulebook::parse_with("b.toml", text(id), &[("bonus-follows", "showdown")])
        .expect("it has two values");
    assert_eq!(literal.reading("bonus-follows").map(|reading| reading.value.as_str()), Some("showdown"));
    let error =
        Rulebook::parse_with("b.toml", text(id), &[("declined-no-hand", "lost")]).expect_err("stud's alone");
    assert!(error.to_string().contains("no such reading; there are absent-bonus"), "{error}");
}
