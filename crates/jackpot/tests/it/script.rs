//! The only place where the clause tables use the API: rows of `command => answer` against a link.
//!
//! Amounts are cents, pools `cents.fraction` with four digits. A row may continue in lines that start with `=>`
//! or `;`.
//!
//! ```text
//! enter T1/7 MSSP9 terms=0 3:2500 5:500 | 3:straight-flush 5:royal-flush@100%
//! verify 1 ann.PS deck=52 · approve 1 bob.PM · identify 1 ann.PS · pay 1 dan.D
//! reject 1 cyd.PS eve.PM · rule 1 5000 eve.PM gus.GSM · release 2 eve.PM gus.GSM
//! fault clock-went-back · fault contribution-implausible T1 · clear 1 cyd.PS eve.PM
//! announce link=other eve.PM gus.GSM · announce house eve.PM gus.GSM · close eve.PM gus.GSM
//! receive 100.0000 eve.PM gus.GSM
//! reverse T1/7 5.3 cyd.PS eve.PM hands=3,5
//! adjust seed-recovery 100.0000 eve.PM gus.GSM · reconfigure reset=2000000 eve.PM gus.GSM · lose T1 · restore T1
//! ```

use std::sync::{Arc, LazyLock};

use jackpot::{
    AwardNumber, Cause, Checklist, Claim, Command, Counts, Destination, Entry, EntryId, FaultKind,
    FaultNumber, FixedPrize, Link, Pair, Parameters, RejectCause, Settings, Shown, Signature, TableId, Terms,
    Undone, Wager,
};
use money::{Money, Percent, Pool, Rate};
use rulebook::{Citation, Office, Pays, Position, Rulebook, StraightFlushShare};

use crate::event_line::event_line;

/// A book by the name it is cited by.
pub(crate) fn book(citation: &str) -> Arc<Rulebook> {
    static BOOKS: LazyLock<Vec<Arc<Rulebook>>> =
        LazyLock::new(|| rulebook::embedded().into_iter().map(Arc::new).collect());
    let found = BOOKS.iter().find(|book| book.citation.to_string() == citation);
    Arc::clone(found.unwrap_or_else(|| panic!("no book is cited as {citation}")))
}

/// The same book with the other reading for shared straight flushes.
pub(crate) fn reseeded(citation: &str) -> Arc<Rulebook> {
    let id = book(citation).id.clone();
    let text = rulebook::embedded_text(&id).expect("embedded");
    let book =
        Rulebook::parse_with(&id, text, &[("straight-flush-share", "reseeded")]).expect("a reading it knows");
    assert_eq!(book.jackpot.sharing.straight_flush.map(|share| share.1), Some(StraightFlushShare::Reseeded));
    Arc::new(book)
}

/// A pool written as `cents.fraction`.
pub(crate) fn pool(text: &str) -> Pool {
    let (cents, fraction) = text.split_once('.').unwrap_or((text, "0000"));
    assert_eq!(fraction.len(), 4, "{text}: a fraction has four digits");
    Pool::from_parts(cents_of(cents), number(fraction)).expect("a pool of the tests")
}

pub(crate) fn cents_of(text: &str) -> Money {
    Money::from_cents(number(text))
}

fn number<T: std::str::FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("{text:?} is no number"))
}

pub(crate) fn rate(points: u64) -> Rate {
    Rate::from_basis_points(points).expect("a rate of the tests")
}

/// The settings of most tests: minimum 5.00, reset 100,000.00, nothing else.
pub(crate) fn parameters(points: u64) -> Parameters {
    Parameters {
        minimum_wager: cents_of("500"),
        contribution: rate(points),
        reset: cents_of("10000000"),
        reserve: None,
        cap: None,
        round_contribution_max: pool("17500.0000"),
    }
}

/// A link to play the rows against.
pub(crate) fn link(books: &[Arc<Rulebook>], parameters: Parameters, meter: &str) -> Link {
    let settings = Settings::new(parameters).expect("settings of the tests");
    Link::new(books.to_vec(), settings, pool(meter)).expect("a link of the tests")
}

/// A link of one book with the usual settings.
pub(crate) fn link_of(citation: &str, points: u64, meter: &str) -> Link {
    link(&[book(citation)], parameters(points), meter)
}

/// Plays rows for a clause, which one of the answers must cite.
pub(crate) fn check(clause: &str, link: Link, rows: &str) -> Link {
    let mut cited = false;
    let link = play_each(link, rows, |answer| {
        cited |= answer.contains(&format!("({clause})"));
    });
    assert!(cited, "no answer cites {clause}");
    link
}

/// Plays rows. Each answer must be as written; a refusal must change nothing; the events must give the same link
/// again; and every account must add up after every row.
pub(crate) fn play(link: Link, rows: &str) -> Link {
    play_each(link, rows, |_| {})
}

fn play_each(mut link: Link, rows: &str, mut seen: impl FnMut(&str)) -> Link {
    for row in joined(rows) {
        let (command, expected) = row.split_once(" => ").unwrap_or_else(|| panic!("{row}: no answer"));
        let command = parse(&link, command);
        let before = link.clone();
        let answer = match link.apply(&command) {
            Ok(events) => {
                let mut replayed = before;
                for event in &events {
                    replayed.evolve(event);
                }
                assert_eq!(replayed, link, "{row}");
                event_line(&events)
            }
            Err(refusal) => {
                assert_eq!(before, link, "{row}: a refused command changed something");
                format!("refused {:?} ({})", refusal.reason, refusal.clause)
            }
        };
        assert_eq!(answer, expected, "{row}");
        link.reconcile().unwrap_or_else(|error| panic!("{row}: {error}"));
        seen(&answer);
    }
    link
}

/// Gives commands that must be accepted, whatever their answer.
pub(crate) fn unchecked(mut link: Link, commands: &str) -> Link {
    for row in joined(commands) {
        let command = parse(&link, &row);
        link.apply(&command).unwrap_or_else(|refusal| panic!("{row}: {refusal}"));
    }
    link
}

/// The rows that bring an award of at least S$10,000.00 up to its payment.
pub(crate) fn approved(award: u64) -> String {
    [verified(&[award]), signed(award)].concat()
}

/// The rows in which the cards of awards are checked.
pub(crate) fn verified(awards: &[u64]) -> String {
    awards.iter().map(|award| format!("verify {award} ann.PS => verified {award}\n")).collect()
}

/// The rows that bring a verified award of at least S$10,000.00 up to its payment.
pub(crate) fn signed(award: u64) -> String {
    format!(
        "
        approve {award} bob.PM => approved {award}
        identify {award} ann.PS => identified {award}
        "
    )
}

/// Rows without blank lines, each in one piece.
fn joined(rows: &str) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    for line in rows.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let glue = match line.get(..1) {
            Some("=") => " ",
            Some(";") => "",
            _ => "\n",
        };
        match joined.last_mut().filter(|_| glue != "\n") {
            Some(row) => row.extend([glue, line]),
            None => joined.push(line.to_owned()),
        }
    }
    joined
}

/// A command as written in a row.
pub(crate) fn parse(link: &Link, text: &str) -> Command {
    let words: Vec<&str> = text.split_whitespace().collect();
    let award = || AwardNumber(number(words[1]));
    let by = |place: usize| signature(words[place]);
    let pair = |place: usize| Pair { first: by(place), second: by(place + 1) };
    let option = |name: &str| words.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
    let said = || option("words").unwrap_or("as found by the technician").to_owned();
    match words[0] {
        "enter" => Command::Enter { entry: entry(link, &words[1..]) },
        "verify" => {
            let deck_cards = option("deck").map_or(52, number);
            let checklist =
                Checklist { cards_checked: !words.contains(&"unchecked"), deck_cards, custody: None };
            Command::Verify { award: award(), checklist, by: by(2) }
        }
        "approve" => Command::Approve { award: award(), by: by(2) },
        "identify" => {
            let reference = option("record").unwrap_or("file 7").to_owned();
            Command::RecordDueDiligence { award: award(), reference, by: by(2) }
        }
        "pay" => Command::Pay { award: award(), means: None, by: by(2) },
        "reject" => Command::Reject { award: award(), cause: RejectCause::HandNotQualified, by: pair(2) },
        "rule" => {
            Command::RuleOnAward { award: award(), amount: cents_of(words[2]), words: said(), by: pair(3) }
        }
        "release" => Command::ReleaseAward { award: award(), words: said(), by: pair(2) },
        "reverse" => {
            let hands = |list: &str| {
                list.split(',').filter(|at| !at.is_empty()).map(|at| Position(number(at))).collect()
            };
            let undone = option("hands").map_or(Undone::Round, |list| Undone::Hands(hands(list)));
            let rule = words[2].parse().expect("a rule");
            Command::ReverseEntry { entry: entry_id(words[1]), undone, rule, by: pair(3) }
        }
        "fixed" => {
            let prizes = words.iter().filter_map(|word| word.strip_prefix("fixed="));
            let rule = words[2].parse().expect("a rule");
            Command::CorrectFixed { entry: entry_id(words[1]), fixed: prizes.map(fixed).collect(), rule }
        }
        "adjust" => {
            let (cause, amount) = (cause(words[1]), pool(words[2]));
            Command::Adjust { cause, amount, words: said(), about: None, by: pair(3) }
        }
        "reconfigure" => Command::Reconfigure { settings: changed(link, &option), by: pair(words.len() - 2) },
        "fault" => {
            let table = words.get(2).filter(|word| !word.contains('=')).map(|table| TableId::new(table));
            let counted = option("counted").map(|text| {
                let (wagers, cents) = text.split_once('/').expect("wagers/cents");
                Counts { wagers: number(wagers), cents: number(cents) }
            });
            Command::ReportFault { kind: fault(words[1]), table, seen: "as measured".to_owned(), counted }
        }
        "clear" => Command::ClearFault { fault: FaultNumber(number(words[1])), words: said(), by: pair(2) },
        "announce" => {
            let to = option("link").map_or(Destination::House, |link| Destination::Link(link.to_owned()));
            Command::AnnounceClosing { to, words: said(), by: pair(2) }
        }
        "close" => Command::Close { by: pair(1) },
        "receive" => Command::Receive { from: "other".to_owned(), amount: pool(words[1]), by: pair(2) },
        "lose" => Command::LoseTable { table: TableId::new(words[1]), silent: words.contains(&"silent") },
        "restore" => Command::RestoreTable { table: TableId::new(words[1]) },
        other => panic!("{other:?} is no command of these tests"),
    }
}

fn entry_id(text: &str) -> EntryId {
    let (table, round) = text.split_once('/').expect("table/round");
    EntryId { table: TableId::new(table), round: number(round) }
}

fn entry(link: &Link, words: &[&str]) -> Entry {
    let mut entry = Entry {
        id: entry_id(words[0]),
        book: link.books()[0].citation,
        terms: link.terms(),
        wagers: Vec::new(),
        claims: Vec::new(),
        fixed: Vec::new(),
        shown: None,
        counted: None,
    };
    let mut claiming = false;
    for word in &words[1..] {
        match word.split_once([':', '=']) {
            Some(("terms", terms)) => entry.terms = Terms(number(terms)),
            Some(("shown", cents)) => entry.shown = Some(Shown { entries: 0, displayed: cents_of(cents) }),
            Some(("fixed", prize)) => entry.fixed.push(fixed(prize)),
            Some(("counted", text)) => {
                let (wagers, cents) = text.split_once('/').expect("wagers/cents");
                entry.counted = Some(Counts { wagers: number(wagers), cents: number(cents) });
            }
            Some((at, hand)) if claiming => entry.claims.push(claim(entry.book, at, hand)),
            Some((at, amount)) => {
                entry.wagers.push(Wager { position: Position(number(at)), amount: cents_of(amount) });
            }
            None if *word == "|" => claiming = true,
            None => entry.book = Citation::new(word).expect("a citation"),
        }
    }
    entry
}

/// A fixed payout, as `position/hand/cents`.
fn fixed(text: &str) -> FixedPrize {
    let mut parts = text.split('/');
    let mut part = || parts.next().expect("position/hand/cents");
    let (at, hand, cents) = (part(), part(), part());
    let order = cards::HandOrder::ALL.into_iter().find(|order| order.name() == hand);
    FixedPrize {
        position: Position(number(at)),
        hand: order.expect("an order of hand"),
        amount: cents_of(cents),
    }
}

/// A claim on the line of a hand: the first in the pay table, or the one of a given percentage.
fn claim(citation: Citation, at: &str, hand: &str) -> Claim {
    let (name, percent) = match hand.split_once('@') {
        Some((name, percent)) => (name, Some(percent.parse::<Percent>().expect("a percentage"))),
        None => (hand, None),
    };
    let known = ["MTHB9", "MTHB6", "MSSP9", "THB6"].into_iter().find(|known| citation.to_string() == *known);
    let book = book(known.unwrap_or("MTHB9"));
    let order =
        cards::HandOrder::ALL.into_iter().find(|order| order.name() == name).expect("an order of hand");
    let line = book.jackpot.lines.iter().find_map(|line| match line.pays {
        Pays::Share(listed) if line.hand == order && percent.is_none_or(|percent| percent == listed) => {
            Some((listed, line.rule))
        }
        Pays::Share(_) | Pays::Odds(_) | Pays::Fixed(_) => None,
    });
    let (percent, rule) = line.unwrap_or_else(|| (percent.expect("a line"), rulebook::R4_2));
    Claim { position: Position(number(at)), hand: order, percent, rule }
}

fn signature(text: &str) -> Signature {
    let (person, office) = text.split_once('.').unwrap_or_else(|| panic!("{text}: write person.office"));
    let office = match office {
        "D" => Office::Dealer,
        "PS" => Office::PitSupervisor,
        "PM" => Office::PitManager,
        "GSM" => Office::GamingShiftManager,
        other => panic!("{other} is no office"),
    };
    Signature::in_office(person, office)
}

fn fault(text: &str) -> FaultKind {
    match text {
        "contribution-implausible" => FaultKind::ContributionImplausible,
        "counts-differ" => FaultKind::CountsDiffer,
        "books-differ" => FaultKind::BooksDiffer,
        "clock-went-back" => FaultKind::ClockWentBack,
        "display-differs" => FaultKind::DisplayDiffers,
        "log-wrong" => FaultKind::LogWrong,
        other => panic!("{other} is no fault"),
    }
}

fn cause(text: &str) -> Cause {
    match text {
        "too-low" => Cause::MalfunctionTooLow,
        "too-high" => Cause::MalfunctionTooHigh,
        "over-the-cap" => Cause::OverTheCap,
        "overflow-release" => Cause::OverflowRelease,
        "reserve-transfer" => Cause::ReserveTransfer,
        "seed-recovery" => Cause::SeedRecovery,
        other => panic!("{other} is no cause"),
    }
}

/// The settings in force, changed as a row says.
fn changed<'a>(link: &Link, option: &impl Fn(&str) -> Option<&'a str>) -> Settings {
    let mut figures = *link.settings().parameters();
    if let Some(minimum) = option("minimum") {
        figures.minimum_wager = cents_of(minimum);
    }
    if let Some(points) = option("rate") {
        figures.contribution = rate(number(points));
    }
    if let Some(reset) = option("reset") {
        figures.reset = cents_of(reset);
    }
    if let Some(cap) = option("cap") {
        figures.cap = Some(cents_of(cap));
    }
    Settings::new(figures).expect("settings of the tests")
}
