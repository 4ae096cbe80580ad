//! What the log has against what the rules make it: events as the log writes them, settlements line by line.

use journal::{Event, HouseEvent, LinkEvent, TableEvent, encode};
use round::{Line, Outcome, Settlement};

/// An event as the log writes it.
pub(super) fn as_logged(event: &Event) -> String {
    encode(event).json
}

/// Two events that should be one.
pub(super) fn difference(logged: &Event, expected: &Event) -> String {
    if let (
        Event::Table(TableEvent::Round(round::Event::Settled { settlement: logged })),
        Event::Table(TableEvent::Round(round::Event::Settled { settlement: expected })),
    ) = (logged, expected)
        && let Some(what) = settlements(logged, expected)
    {
        return what;
    }
    format!("the log has {}; the rules make it {}", as_logged(logged), as_logged(expected))
}

/// An event of a round, as one of its table's stream.
pub(super) fn of_round(event: &round::Event) -> Event {
    Event::Table(TableEvent::Round(event.clone()))
}

/// An event of a meter, as one of its link's stream.
pub(super) fn of_meter(event: &jackpot::Event) -> Event {
    Event::Link(LinkEvent::Jackpot(event.clone()))
}

/// An event of the house, as one of its stream.
pub(super) fn of_house(event: &HouseEvent) -> Event {
    Event::House(event.clone())
}

/// The first line two settlements differ in.
fn settlements(logged: &Settlement, expected: &Settlement) -> Option<String> {
    for line in &expected.lines {
        let same = |other: &&Line| {
            other.position == line.position && other.area == line.area && other.owner == line.owner
        };
        match logged.lines.iter().find(same) {
            None => return Some(format!("the log does not settle the {}", line_text(line))),
            Some(other) if other != line => {
                let (settled, rules) = (line_text(other), ends(line));
                return Some(format!("the log settles the {settled}; the rules settle it {rules}"));
            }
            Some(_) => {}
        }
    }
    (logged.lines.len() != expected.lines.len())
        .then(|| "the log settles wagers that nobody placed".to_owned())
}

fn line_text(line: &Line) -> String {
    format!("{} of {}, {} of {}, {}", line.area.name(), line.position, line.staked, line.owner, ends(line))
}

fn ends(line: &Line) -> String {
    let Line { paid, returned, collected, rule, .. } = line;
    let outcome = outcome(line.outcome);
    format!("{outcome}: paid {paid}, returned {returned}, collected {collected} under {rule}")
}

/// An outcome, as the rulebooks call it.
pub(super) fn outcome(outcome: Outcome) -> String {
    match outcome {
        Outcome::Paid(odds) => format!("paid {odds}"),
        Outcome::Won => "won".to_owned(),
        Outcome::Collected => "collected".to_owned(),
        Outcome::StandOff => "stand-off".to_owned(),
        Outcome::Returned => "returned".to_owned(),
    }
}
