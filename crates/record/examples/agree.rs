//! Settles random rounds of all four books, rare hands planted, with the engine and with the auditor, and compares.
//!
//! `cargo run --release -p record --example agree -- [ROUNDS] [SEED]`

use std::process::ExitCode;

use record::{Books, settle_lines};
use serde_json::Value;
use testkit::auditor;
use testkit::generator::Generator;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let mut number =
        |default: u64| arguments.next().map_or(Ok(default), |text| text.replace('_', "").parse());
    let (Ok(rounds), Ok(seed)) = (number(1_000_000), number(1)) else {
        eprintln!("usage: agree [ROUNDS] [SEED], both whole numbers");
        return ExitCode::from(2);
    };
    let books = Books::new(rulebook::embedded());
    let mut generator = Generator::new(seed);
    let mut done = 0;
    while done < rounds {
        let batch: Vec<Value> = (0..10_000.min(rounds - done)).map(|_| generator.next_record()).collect();
        if let Some(disagreement) = first_disagreement(&books, &batch) {
            eprintln!("{disagreement}\nafter {done} rounds of seed {seed}");
            return ExitCode::from(1);
        }
        done += u64::try_from(batch.len()).expect("a batch is small");
        eprint!("\r{done} of {rounds} rounds agree");
    }
    println!("\n{rounds} rounds of seed {seed}: engine and auditor agree on every cent");
    ExitCode::SUCCESS
}

fn first_disagreement(books: &Books, batch: &[Value]) -> Option<String> {
    let text: String = batch.iter().map(|record| format!("{record}\n")).collect();
    let (answers, _) = settle_lines(books, &text);
    let answers = String::from_utf8(answers).expect("answers are text");
    batch.iter().zip(answers.lines()).find_map(|(record, line)| {
        let answer = auditor::without_clauses(&serde_json::from_str(line).expect("answers are JSON"));
        let audited = auditor::settle(record).map(|audited| auditor::without_clauses(&audited));
        (audited.as_ref() != Ok(&answer)).then(|| format!("{record}\nengine  {answer}\nauditor {audited:?}"))
    })
}
