//! What happened to a table.

use journal::{Entry, ReaderFault, TableEvent};
use round::PlayerId;
use rulebook::{Limits, R5_16_1, R6_2};

use super::Described;
use super::round::of_round;
use crate::table::Table;
use crate::view::EventKind;
use crate::view::feed::{DiscardedDraw, Facts, Salted};
use crate::view::{Viewer, local_date_and_time, words};

/// What an event of a table says; `table` is as of it.
pub(crate) fn of_table(
    entry: &Entry,
    event: &TableEvent,
    table: &Table,
    viewer: &Viewer,
) -> Option<Described> {
    let facts = Facts::default;
    let said = match event {
        TableEvent::Opened { setup } => {
            let mut words = format!("Table {} opens: {}.", table.id(), table.book().title);
            if let Some(reason) = &setup.reason {
                words.push_str(&format!(" The reason: {reason}."));
            }
            let limits = Some(setup.limits.clone());
            Described::new(
                EventKind::Opened,
                words,
                Facts { table: Some(table.id().clone()), limits, ..facts() },
            )
        }
        TableEvent::LimitsChanged { limits } => limited(EventKind::LimitsChanged, "the next round", limits),
        TableEvent::LimitsPlanned { limits, from } => {
            limited(EventKind::LimitsPlanned, &local_date_and_time(*from), limits)
        }
        TableEvent::LimitsTaken { limits, .. } => limited(EventKind::LimitsTaken, "this round", limits),
        TableEvent::RulesTaken { rulebook, .. } => {
            let words =
                format!("From this round on the table plays under {rulebook}: {}.", table.book().title);
            Described::new(EventKind::RulesTaken, words, facts())
        }
        TableEvent::LastRoundAnnounced => {
            let is_this = table.last_round() == Some(table.number());
            let words = if is_this { "This is the last round." } else { "The next round is the last." };
            Described::new(EventKind::LastRoundAnnounced, words, facts())
        }
        TableEvent::Closed => Described::new(EventKind::Closed, "The table is closed.", facts()),
        TableEvent::RoundBegan { number, .. } => {
            let words = format!("Round {number} is about to begin.");
            Described::new(EventKind::RoundBegan, words, Facts { round: Some(*number), ..facts() })
        }
        TableEvent::DeckBrought { deck, .. } => {
            let words = format!("Deck {deck} was inspected and brought to the table.");
            Described::new(EventKind::DeckBrought, words, facts())
        }
        TableEvent::SupervisorCalled => {
            let clause = Some(table.book().clause(R6_2));
            let words = "A supervisor is called to the table.";
            Described::new(EventKind::SupervisorCalled, words, Facts { clause, ..facts() })
        }
        TableEvent::CallAnswered => {
            Described::new(EventKind::CallAnswered, "A supervisor comes to the table.", facts())
        }
        TableEvent::ReaderStopped { fault, seen } => {
            // What it saw is for those who look at the cards.
            let seen = if viewer.is_staff() { format!(" {seen}") } else { String::new() };
            let words = format!("The card reader stopped: {}.{seen}", reader_fault_in_words(*fault));
            Described::new(EventKind::ReaderStopped, words, facts())
        }
        TableEvent::ReaderCleared { by_hand: true } => {
            let words = "The cards of this round are entered by hand.";
            Described::new(EventKind::ReaderCleared, words, facts())
        }
        TableEvent::ReaderCleared { by_hand: false } => {
            Described::new(EventKind::ReaderCleared, "The card reader goes on.", facts())
        }
        TableEvent::Round(event) => return of_round(entry, event, table, viewer),
        TableEvent::PlayersAsked { .. } => {
            let words = "Each Player with wagers is asked whether to take them back.";
            let clause = Some(table.book().clause(R5_16_1));
            Described::new(EventKind::PlayersAsked, words, Facts { clause, ..facts() })
        }
        TableEvent::MeterShown { shown } => {
            let meter = shown.displayed;
            let facts = Facts { meter: Some(meter), ..facts() };
            Described::new(EventKind::MeterShown, format!("The meter shows {meter}."), facts)
        }
        TableEvent::PrizeSigned { slip, position, amount, clause, by, .. } => {
            let staff = viewer.is_staff();
            let [first, second] = by.both().map(|signed| format!("{} {}", signed.title(), signed.person));
            let words = format!("A Jackpot prize of {amount} is signed for: slip {slip}, {position}.");
            let facts = Facts {
                number: Some(*slip),
                position: Some(*position),
                amount: Some(*amount),
                clause: Some(*clause),
                words: staff.then(|| format!("signed by {first} and {second}")),
                ..facts()
            };
            Described::new(EventKind::PrizeSigned, words, facts)
        }
        TableEvent::ShuffleCommitted { .. }
        | TableEvent::SaltsCommitted { .. }
        | TableEvent::SaltsAwaited { .. }
        | TableEvent::SaltOpened { .. }
        | TableEvent::SaltsWithheld { .. }
        | TableEvent::SeedDiscarded { .. }
        | TableEvent::ShuffleSalted { .. }
        | TableEvent::ShuffleOpened { .. }
        | TableEvent::ShuffleLost => return of_shuffle(event, table),
    };
    Some(said)
}

/// The limits from some time on.
fn limited(kind: EventKind, from: &str, limits: &Limits) -> Described {
    let words = format!("From {from} on the Ante is {} to {}.", limits.ante.start(), limits.ante.end());
    Described::new(kind, words, Facts { limits: Some(limits.clone()), ..Facts::default() })
}

/// What an event of a shuffle says: the same to everybody, for everybody is to check it.
fn of_shuffle(event: &TableEvent, table: &Table) -> Option<Described> {
    let facts = Facts::default;
    let said = match event {
        TableEvent::ShuffleCommitted { commitment } => {
            let again = table.shuffle().is_some_and(|shuffle| !shuffle.discarded.is_empty());
            let words = if again {
                "Another shuffle is drawn and committed to."
            } else {
                "The shuffle is committed to."
            };
            let commitment = Some(words::hash(*commitment));
            Described::new(EventKind::ShuffleCommitted, words, Facts { commitment, ..facts() })
        }
        TableEvent::SaltsCommitted { player, anchor } => {
            let words = format!("{player} adds own randomness to the shuffles from the next round on.");
            let (player, anchor) = (Some(player.clone()), Some(words::hash(*anchor)));
            Described::new(EventKind::SaltsCommitted, words, Facts { player, anchor, ..facts() })
        }
        TableEvent::SaltsAwaited { players, .. } => {
            let words = format!("The shuffle waits for the salts of {}.", listed(players));
            Described::new(EventKind::SaltsAwaited, words, Facts { players: players.clone(), ..facts() })
        }
        TableEvent::SaltOpened { player, salt } => {
            let words = format!("{player} opens a salt.");
            let (player, salt) = (Some(player.clone()), Some(words::hash(*salt)));
            Described::new(EventKind::SaltOpened, words, Facts { player, salt, ..facts() })
        }
        TableEvent::SaltsWithheld { players } => {
            let words = format!("Not opened in time: the salts of {}. They are out.", listed(players));
            Described::new(EventKind::SaltsWithheld, words, Facts { players: players.clone(), ..facts() })
        }
        TableEvent::SeedDiscarded { seed } => {
            let last = table.shuffle().and_then(|shuffle| shuffle.discarded.last());
            let facts = Facts {
                seed: Some(words::hex(seed)),
                commitment: last.map(|last| words::hash(last.commitment)),
                salts: last.map_or_else(Vec::new, |last| Salted::all(&last.salts)),
                ..facts()
            };
            Described::new(EventKind::SeedDiscarded, "This shuffle is opened and not used.", facts)
        }
        TableEvent::ShuffleSalted { salt } => {
            let salts = table.shuffle().map_or_else(Vec::new, |shuffle| Salted::all(&shuffle.salts));
            let facts = Facts { salt: Some(words::hash(*salt)), salts, ..facts() };
            Described::new(EventKind::ShuffleSalted, "The order of the deck is fixed.", facts)
        }
        TableEvent::ShuffleOpened { seed } => {
            let facts = Facts { seed: Some(words::hex(seed)), ..ended(table) };
            Described::new(EventKind::ShuffleOpened, "The shuffle is opened for everybody to check.", facts)
        }
        TableEvent::ShuffleLost => {
            let words = "The seed of the shuffle is lost: nobody can check it.";
            Described::new(EventKind::ShuffleLost, words, ended(table))
        }
        TableEvent::Opened { .. }
        | TableEvent::LimitsChanged { .. }
        | TableEvent::LimitsPlanned { .. }
        | TableEvent::LimitsTaken { .. }
        | TableEvent::RulesTaken { .. }
        | TableEvent::LastRoundAnnounced
        | TableEvent::Closed
        | TableEvent::PrizeSigned { .. }
        | TableEvent::RoundBegan { .. }
        | TableEvent::DeckBrought { .. }
        | TableEvent::SupervisorCalled
        | TableEvent::CallAnswered
        | TableEvent::ReaderStopped { .. }
        | TableEvent::ReaderCleared { .. }
        | TableEvent::PlayersAsked { .. }
        | TableEvent::MeterShown { .. }
        | TableEvent::Round(_) => return None,
    };
    Some(said)
}

/// What is public of the shuffle that has just ended.
fn ended(table: &Table) -> Facts {
    let Some((round, shuffle)) = table.previous_shuffle() else {
        return Facts::default();
    };
    Facts {
        round: Some(*round),
        commitment: Some(words::hash(shuffle.commitment)),
        salt: shuffle.salt.map(words::hash),
        salts: Salted::all(&shuffle.salts),
        discarded: DiscardedDraw::all(shuffle),
        ..Facts::default()
    }
}

/// Why a card reader stopped.
pub(crate) const fn reader_fault_in_words(fault: ReaderFault) -> &'static str {
    match fault {
        ReaderFault::Lost => "a read was lost",
        ReaderFault::Doubled => "a card was read twice",
        ReaderFault::Garbled => "a read cannot be understood",
        ReaderFault::Refused => "the table does not take a card that was read",
        ReaderFault::Restarted => "the reader began to count anew",
    }
}

fn listed(players: &[PlayerId]) -> String {
    players.iter().map(PlayerId::name).collect::<Vec<&str>>().join(", ")
}
