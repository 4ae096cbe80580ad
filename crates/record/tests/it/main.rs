//! Recorded rounds: the cases to the cent, the auditor's agreement, and clear errors for what is no record.

mod contradictions;
mod examples;
mod irregular;
mod random;
mod tables;

use std::io::{self, Read};

use record::{Books, settle_lines};
use serde_json::Value;
use testkit::auditor::{self, without_clauses};
use testkit::generator::Generator;

fn books() -> Books {
    Books::new(rulebook::embedded())
}

/// Settles the records and gives the answers line by line.
fn answers(text: &str) -> Vec<Value> {
    let (answers, _) = settle_lines(&books(), text);
    let text = String::from_utf8(answers).expect("answers are text");
    text.lines().map(|line| serde_json::from_str(line).expect("answers are JSON")).collect()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a case is JSON")).collect()
}

#[test]
fn every_recorded_case_settles_to_the_cent() {
    let rounds = include_str!("../../../../cases/rounds.jsonl");
    let expected = lines(include_str!("../../../../cases/settlements.jsonl"));
    let settled = answers(rounds);
    assert_eq!(settled.len(), expected.len());
    for (ours, theirs) in settled.iter().zip(&expected) {
        assert_eq!(without_clauses(ours), without_clauses(theirs), "case {}", theirs["id"]);
    }
}

/// The answers to the cases are the same bytes as ever: clauses, order and form too.
#[test]
fn the_answers_to_the_cases_do_not_change() {
    let (answers, _) = settle_lines(&books(), include_str!("../../../../cases/rounds.jsonl"));
    // FNV-1a: enough to notice any change.
    let digest = answers.iter().fold(0xCBF2_9CE4_8422_2325_u64, |digest, byte| {
        (digest ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3)
    });
    assert_eq!((answers.len(), digest), (398_832, 0xF862_1B53_5598_70A2));
}

#[test]
fn every_settled_wager_cites_a_clause_of_its_book() {
    let rounds = lines(include_str!("../../../../cases/rounds.jsonl"));
    let books = books();
    let mut checked = 0;
    for (round, answer) in rounds.iter().zip(answers(include_str!("../../../../cases/rounds.jsonl"))) {
        let book =
            books.get(round["rulebook"].as_str().expect("a case names its book")).expect("and we have it");
        for position in answer["positions"].as_array().expect("positions") {
            for area in position["areas"].as_object().expect("areas").values() {
                let clause = area["clause"].as_str().expect("every wager cites its clause");
                let rule = clause.parse().expect("a clause is a rule number");
                assert!(book.entry(rule).is_some(), "{} does not have {clause}", book.citation);
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 3_107, "every wager of the cases was looked at");
}

/// The engine and a second settlement written from the texts alone agree on random rounds full of rare hands.
#[test]
fn the_auditor_agrees_on_random_rounds() {
    const ROUNDS: usize = 20_000;
    let mut generator = Generator::new(20_230_704);
    let records: Vec<Value> = (0..ROUNDS).map(|_| generator.next_record()).collect();
    let text: String = records.iter().map(|record| format!("{record}\n")).collect();
    let answers = answers(&text);
    assert_eq!(answers.len(), ROUNDS);
    for (record, answer) in records.iter().zip(&answers) {
        let audited = auditor::settle(record).unwrap_or_else(|error| panic!("auditor: {error}\n{record}"));
        assert_eq!(without_clauses(answer), without_clauses(&audited), "\n{record}");
    }
}

/// A broken line gets an error in its place; the records around it are settled all the same.
#[test]
fn broken_records_are_refused_and_the_rest_settled() {
    const LINES: usize = 4_000;
    let mut generator = Generator::new(97);
    let good = generator.next_record();
    let mut text = String::new();
    let mut faults = Vec::with_capacity(LINES);
    for _ in 0..LINES {
        let (line, why) = generator.next_broken();
        if line.trim().is_empty() {
            continue;
        }
        text += &format!("{}\n{good}\n", line.replace('\n', " "));
        faults.push((line, why));
    }
    let answers = answers(&text);
    assert_eq!(answers.len(), 2 * faults.len());
    let settled = without_clauses(&answers[1]);
    for (pair, (line, why)) in answers.chunks_exact(2).zip(&faults) {
        let error =
            pair[0]["error"].as_str().unwrap_or_else(|| panic!("{why} was settled: {line}\n{}", pair[0]));
        assert!(10 < error.len(), "{why}: {error:?} explains nothing");
        assert_eq!(without_clauses(&pair[1]), settled, "the record after {why} was touched by it");
    }
}

/// A fault put into a record.
type Change<'a> = &'a dyn Fn(&mut Value);

/// One error a row: what is wrong in it, and where.
#[test]
fn errors_say_which_and_where() {
    let record = |change: &dyn Fn(&mut Value)| {
        let mut record: Value = serde_json::from_str(
            r#"{"id":"x","rulebook":"megalink-holdem-v9","table":{"positions":2,"limits":{"ante":[2500,100000],"bonus":[500,50000]}},
            "jackpot":{"meter":100000000,"reset":10000000,"minimum_wager":500,"contribution_bps":2500},
            "positions":[{"position":1,"player":"P1","ante":5000,"jackpot":1,"cards":["Jc","Jd"],"decision":"bet","turn":"check","river":"bet"}],
            "dealer":["3s","5s"],"community":["Jh","8c","8s","Kh","8h"]}"#,
        )
        .expect("the record is JSON");
        change(&mut record);
        record.to_string()
    };
    let rows: [(Change<'_>, &str); 14] = [
        (
            &|r| r["rulebook"] = "megalink-holdem-v7".into(),
            "rulebook: no rulebook \"megalink-holdem-v7\"; there are",
        ),
        (&|r| r["dealer"][0] = "Jc".into(), "dealer: Jc appears twice in the round"),
        (&|r| r["community"] = serde_json::json!(["Jh"]), "community: 1 cards, but this game needs 5"),
        (
            &|r| r["positions"][0]["position"] = 3.into(),
            "positions[0].position: the layout has positions 1 to 2, not 3",
        ),
        (
            &|r| r["positions"][0]["jackpot"] = 6.into(),
            "positions[0].jackpot: The Jackpot wager must be one of",
        ),
        (
            &|r| r["positions"][0]["ante"] = u64::MAX.into(),
            "positions[0].ante: The amount is larger than this system",
        ),
        (
            &|r| r["positions"][0]["cards"] = serde_json::json!(["Jc"]),
            "positions[0].cards: 1 cards, but this game needs 2",
        ),
        (&|r| r["positions"][0]["cards"][0] = "Xc".into(), "positions[0].cards[0]: `Xc` is not a card"),
        (&|r| r["positions"][0]["decision"] = Value::Null, "positions[0].decision: is missing"),
        (&|r| r["table"]["positions"] = 9.into(), "table: this rulebook has no layout with 9 positions"),
        (
            &|r| r["table"]["limits"]["ante"] = serde_json::json!([5, 4]),
            "table: limits: the minimum is above",
        ),
        (&|r| r["jackpot"]["meter"] = u64::MAX.into(), "jackpot.meter: the amount is too large"),
        (
            &|r| r["jackpot"]["contribution_bps"] = 10_001.into(),
            "jackpot.contribution_bps: 10001 basis points",
        ),
        (
            &|r| r["irregularities"] = serde_json::json!([{"kind":"flood"}]),
            "irregularities[0]: unknown variant `flood`, expected one of `foreign-card`",
        ),
    ];
    for (change, expected) in rows {
        let answer = &answers(&record(change))[0];
        let error = answer["error"].as_str().unwrap_or_else(|| panic!("{expected}: settled as {answer}"));
        assert!(error.starts_with(expected), "{error}\nshould begin with\n{expected}");
        assert_eq!(answer["id"], "x");
    }
    assert_eq!(answers(&record(&|_| {}))[0]["round"], "settled");
}

/// An endless line is refused without being kept, and what follows it is settled.
#[test]
fn a_line_without_end_does_not_fill_the_memory() {
    let good = Generator::new(5).next_record();
    let text = format!("{}\n{good}\n", "x".repeat(5 << 20));
    let answers = answers(&text);
    assert_eq!(answers.len(), 2);
    assert!(
        answers[0]["error"].as_str().is_some_and(|error| error.contains("longer than")),
        "{}",
        answers[0]
    );
    assert!(answers[1]["round"].is_string(), "{}", answers[1]);
}

/// What was read before reading failed is answered, and then the failure is told.
#[test]
fn a_stream_that_breaks_off_is_answered_up_to_there() {
    /// Reading it fails.
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the line is cut"))
        }
    }
    let line = format!("{}\n", Generator::new(3).next_record());
    // Some blocks, so that the reader runs ahead and has failed while the first is settled.
    let records = (3 << 20) / line.len();
    let text = line.repeat(records);
    let mut answers = Vec::new();
    let error = record::settle_stream(&mut books(), text.as_bytes().chain(Broken), &mut answers, |_| {})
        .expect_err("the line is cut");
    assert_eq!(error.to_string(), "the line is cut");
    let answers = String::from_utf8(answers).expect("answers are text");
    assert_eq!(answers.lines().count(), records);
}

/// Bytes changed, dropped, doubled and swapped at random: an answer for every line, and never a panic.
#[test]
fn no_input_panics() {
    let mut generator = Generator::new(11);
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % u64::try_from(below).expect("it fits")).expect("it fits")
    };
    let mut text = Vec::new();
    let mut lines = 0;
    for _ in 0..20_000 {
        let mut line = generator.next_record().to_string().into_bytes();
        for _ in 0..=random(3) {
            if line.is_empty() {
                break;
            }
            let (at, other) = (random(line.len()), random(line.len()));
            match random(8) {
                5.. if line[at].is_ascii_digit() => line[at] = b"0123456789"[random(10)],
                5.. => {}
                0 => line[at] = b"0123456789{}[]\",:-eE\\null"[random(25)],
                1 => drop(line.remove(at)),
                2 => line.insert(at, line[other]),
                3 => line.swap(at, other),
                _ => line.truncate(at.max(1)),
            }
        }
        line.retain(|byte| *byte != b'\n');
        lines += usize::from(!line.trim_ascii().is_empty());
        text.extend_from_slice(&line);
        text.push(b'\n');
    }
    let mut answers = Vec::new();
    let summary = record::settle_stream(&mut books(), text.as_slice(), &mut answers, |_| {})
        .expect("memory can be read");
    assert_eq!(usize::try_from(summary.settled + summary.errors), Ok(lines));
    assert!(1_000 < summary.errors && 1_000 < summary.settled, "{summary:?}: both kinds were tried");
    for answer in answers.split(|byte| *byte == b'\n').filter(|answer| !answer.is_empty()) {
        let answer: Value = serde_json::from_slice(answer).expect("every answer is JSON");
        assert!(answer["round"].is_string() || answer["error"].is_string(), "{answer}");
    }
}

/// A house that changed its rules exports its books before its rounds: they are settled without being given any. A book that comes
/// again is passed over, and one that cannot be read is an error of its own.
#[test]
fn a_stream_brings_its_books() {
    const NEW: &str = "megalink-holdem-v10";
    let text = rulebook::embedded_text("megalink-holdem-v9").expect("embedded");
    let named = text.replace("megalink-holdem-v9", NEW).replace("\"MTHB9\"", "\"MTHB10\"");
    let named = named.replace("version = 9\n", "version = 10\n");
    let round = include_str!("../../../../samples/rounds.jsonl").lines().next().expect("a round");
    let round = round.replace("megalink-holdem-v9", NEW);
    assert!(
        answers(&round)[0]["error"].as_str().is_some_and(|why| why.contains("no rulebook")),
        "without its book"
    );
    let mut stream = Vec::new();
    record::write_books(&mut stream, [(NEW, named.as_str())]).expect("memory can be written");
    let book = String::from_utf8(stream).expect("text");
    let told = answers(&format!("{book}{round}\n{book}{round}"));
    assert_eq!(told.len(), 2, "a book has no answer: {told:?}");
    assert!(told.iter().all(|answer| answer["round"] == "settled" || answer["error"].is_null()), "{told:?}");
    let late = answers(&format!("{round}\n{book}{round}"));
    assert!(late[1]["error"].as_str().is_some_and(|why| why.contains("before the records")), "{late:?}");
    let broken = answers(&format!("{}\n{round}", r#"{"book":"megalink-holdem-v10","text":"version = "}"#));
    assert!(broken[0]["error"].as_str().is_some_and(|why| why.contains("not a valid book")), "{broken:?}");
}

/// The book of the next version, with some text replaced, as a line of a stream; and a round under it.
fn next_book(from: &str, to: &str) -> (String, String) {
    const NEW: &str = "megalink-holdem-v10";
    let text = rulebook::embedded_text("megalink-holdem-v9").expect("embedded");
    let text = text.replace("megalink-holdem-v9", NEW).replace("\"MTHB9\"", "\"MTHB10\"");
    let text = text.replace("version = 9\n", "version = 10\n");
    assert!(text.contains(from), "the book has {from:?}");
    let mut line = Vec::new();
    record::write_books(&mut line, [(NEW, text.replace(from, to).as_str())]).expect("memory can be written");
    let round = include_str!("../../../../samples/rounds.jsonl").lines().next().expect("a round");
    (String::from_utf8(line).expect("text"), round.replace("megalink-holdem-v9", NEW))
}

/// A book that is known by its id but has other figures is an error, wherever it stands. Other words are not.
#[test]
fn a_book_with_other_figures_does_not_pass_for_a_known_one() {
    let line = |from: &str, to: &str| {
        let text = rulebook::embedded_text("megalink-holdem-v9").expect("embedded");
        assert!(text.contains(from), "the book has {from:?}");
        let mut line = Vec::new();
        record::write_books(&mut line, [("megalink-holdem-v9", text.replace(from, to).as_str())])
            .expect("memory can be written");
        String::from_utf8(line).expect("text")
    };
    let round = include_str!("../../../../samples/rounds.jsonl").lines().next().expect("a round");
    assert!(round.contains("megalink-holdem-v9"));
    let told = answers(&format!("{}{round}\n", line("30 to 1", "40 to 1")));
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0]["error"].as_str().is_some_and(|why| why.contains("other figures")), "{told:?}");
    let told = answers(&format!("{round}\n{}", line("30 to 1", "40 to 1")));
    assert!(told[1]["error"].as_str().is_some_and(|why| why.contains("other figures")), "{told:?}");
    let told = answers(&format!("{}{round}\n", line("gist = \"", "gist = \"In short: ")));
    assert_eq!(told.len(), 1, "{told:?}");
    let ((first, round), (second, _)) = (next_book("30 to 1", "30 to 1"), next_book("30 to 1", "40 to 1"));
    let told = answers(&format!("{first}{second}{round}\n"));
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0]["error"].as_str().is_some_and(|why| why.contains("other figures")), "{told:?}");
}

/// A chosen reading is chosen in every book, also in one that comes with the records.
#[test]
fn a_reading_is_chosen_in_a_book_that_comes_with_the_records() {
    let mut books = Books::with_readings(vec![("bonus-follows".to_owned(), "showdown".to_owned())]);
    for (file, text) in rulebook::embedded_texts() {
        books.add(file, text).expect("embedded");
    }
    let (book, round) = next_book("30 to 1", "30 to 1");
    let text = format!("{book}{round}\n");
    let mut answers = Vec::new();
    record::settle_stream(&mut books, text.as_bytes(), &mut answers, |_| {}).expect("memory can be read");
    let id = "megalink-holdem-v10";
    let read = books.get(id).expect("it came").reading("bonus-follows").expect("it has it");
    assert_eq!(read.value, "showdown");
    assert_eq!(books.brought().map(|(id, _)| id).collect::<Vec<_>>(), [id]);
}

/// Books at the head are taken however few bytes arrive at a time.
#[test]
fn books_that_arrive_in_small_pieces_are_taken() {
    /// One line at a time: the first at once, the others when the reader has them all.
    struct Lines<'t>(Vec<&'t [u8]>);
    impl Read for Lines<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let Some(line) = self.0.first_mut() else { return Ok(0) };
            let length = line.len().min(into.len()).min(40_000);
            let (now, rest) = line.split_at(length);
            into[..length].copy_from_slice(now);
            *line = rest;
            if rest.is_empty() {
                self.0.remove(0);
            }
            Ok(length)
        }
    }
    /// Slow to write to, so that the reader is ahead.
    struct Slow(Vec<u8>);
    impl io::Write for Slow {
        fn write(&mut self, answers: &[u8]) -> io::Result<usize> {
            self.0.extend_from_slice(answers);
            Ok(answers.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            std::thread::sleep(std::time::Duration::from_millis(20));
            Ok(())
        }
    }
    let (book, round) = next_book("30 to 1", "30 to 1");
    let named = |version: u8| {
        let id = format!("megalink-holdem-v{version}");
        let book = book.replace("megalink-holdem-v10", &id).replace("MTHB10", &format!("MTHB{version}"));
        let book = book.replace("version = 10\\n", &format!("version = {version}\\n"));
        (book, round.replace("megalink-holdem-v10", &id) + "\n")
    };
    let streams: Vec<(String, String)> = (10..16).map(named).collect();
    let lines = streams.iter().map(|(book, _)| book).chain(streams.iter().map(|(_, round)| round));
    let lines = lines.map(String::as_bytes).collect();
    let mut answers = Slow(Vec::new());
    let summary = record::settle_stream(&mut books(), Lines(lines), &mut answers, |_| {}).expect("read");
    let answers = String::from_utf8(answers.0).expect("text");
    assert_eq!((summary.settled, summary.errors), (6, 0), "{answers}");
}
