//! Rounds a second of the simulator, on one core, by processor time: `cargo bench -p lab --bench simulate`. Names of books, or parts of them,
//! choose: `-- holdem-v9`.

use std::fs;
use std::time::Instant;

use lab::exact::Lab;
use lab::simulate::{JackpotSetup, Setup, Strategy, run};
use money::{Money, Pool, Rate};

fn main() {
    let lab = Lab::new();
    println!(
        "{:24} {:12} {:>7} {:>8} {:>12} {:>16} {:>8}",
        "book", "strategy", "players", "jackpot", "rounds", "rounds/s a core", "ns/round"
    );
    let named: Vec<String> = std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    let is_asked = |book: &rulebook::Rulebook| {
        named.is_empty() || named.iter().any(|name| book.id.contains(name.as_str()))
    };
    for book in rulebook::embedded().into_iter().filter(is_asked) {
        let has_bonus = book.areas().contains(&rulebook::PlayingArea::Bonus);
        for (strategy, players, jackpot) in [
            (Strategy::Perfect, 1, false),
            (Strategy::Blind, 1, false),
            (Strategy::Perfect, 1, true),
            (Strategy::Perfect, 6, true),
        ] {
            let mut setup = Setup::new(book.clone());
            setup.threads = 1;
            setup.rounds = 4_000_000 / u64::from(players);
            (setup.strategy, setup.players) = (strategy, players);
            setup.bonus = if has_bonus && jackpot { Money::from_cents(500) } else { Money::ZERO };
            setup.jackpot = jackpot.then(jackpot_of);
            measure(&setup, &lab);
        }
    }
}

fn jackpot_of() -> JackpotSetup {
    JackpotSetup {
        units: 1,
        minimum: Money::from_cents(JackpotSetup::MINIMUM_CENTS),
        meter: Pool::try_from(Money::from_cents(JackpotSetup::RESET_CENTS)).expect("a small meter"),
        contribution: Rate::from_basis_points(JackpotSetup::CONTRIBUTION_BPS).expect("a rate"),
        reset: Money::from_cents(JackpotSetup::RESET_CENTS),
    }
}

/// The time of the rounds is what a long run takes beyond a short one: counting and tables are in both.
#[expect(clippy::cast_precision_loss, reason = "a speed, for reading")]
fn measure(setup: &Setup, lab: &Lab) {
    let short = Setup { rounds: 1, ..setup.clone() };
    run(&short, lab, |_| ()).expect("the books are simulated");
    let before = seconds();
    run(&short, lab, |_| ()).expect("the books are simulated");
    let between = seconds();
    run(setup, lab, |_| ()).expect("the books are simulated");
    let spent = (seconds() - between) - (between - before);
    println!(
        "{:24} {:12} {:>7} {:>8} {:>12} {:>16.0} {:>8.1}",
        setup.book.id,
        setup.strategy.name(),
        setup.players,
        if setup.jackpot.is_some() { "yes" } else { "no" },
        setup.rounds,
        setup.rounds as f64 / spent,
        spent / setup.rounds as f64 * 1e9
    );
}

/// Processor time of this thread where the system tells it, else time on the wall.
fn seconds() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    match text.split(' ').next().and_then(|field| field.parse::<f64>().ok()) {
        Some(nanoseconds) => nanoseconds / 1e9,
        None => START.with(Instant::elapsed).as_secs_f64(),
    }
}

thread_local! {
    static START: Instant = Instant::now();
}
