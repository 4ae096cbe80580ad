//! The guide says what will happen: what it offers to somebody is accepted from them, and what it does not offer is
//! refused, at every stage, to every office; where it says that two people sign, two people can.

use floor::view::guide;
use floor::{Command, TableCommand};
use journal::{Actor, Proposal};
use round::{CardFault, Irregularity, Stage};
use rulebook::{Office, PlayingArea, Position};

use crate::support::{Cards, Hall, dealer, manager, player, shift_manager, supervisor, table};

/// Everything a Dealer can report, about the first position.
fn irregularities() -> Vec<Irregularity> {
    let (position, player, area) = (Position(1), player("Ann"), PlayingArea::Ante);
    let faults = [CardFault::Extra, CardFault::Missing, CardFault::Foreign, CardFault::Unshuffled];
    let mut all: Vec<Irregularity> = faults.map(|fault| Irregularity::BadCards { fault }).into();
    all.extend([51, 52].map(|counted| Irregularity::CardsCounted { counted }));
    all.extend([
        Irregularity::Misdeal { piles: Vec::new(), also: vec![round::TablePile::Dealer] },
        Irregularity::TableCount {},
        Irregularity::ExposedCards { cards: 2 },
        Irregularity::HandCount { position },
        Irregularity::NotConfidential { player: player.clone() },
        Irregularity::SeveralHands { player: player.clone() },
        Irregularity::Absent { position },
        Irregularity::LateWager { position, area, player: player.clone() },
        Irregularity::WagerTakenOff { position, area, player: player.clone() },
        Irregularity::LoneJackpotWager { position },
        Irregularity::Declined { position },
        Irregularity::TooManyPositions { player },
        Irregularity::Handled { position },
        Irregularity::Viewed { position },
        Irregularity::DecisionMiskeyed { position },
        Irregularity::PowerFailure {},
        Irregularity::Uncovered { words: "a chip rolled away".to_owned() },
    ]);
    all
}

/// Asks the guide about everything, as every office, and tries each of its choices. How many were tried.
fn check(hall: &Hall, name: &str) -> usize {
    let mut tried = 0;
    let at = hall.floor.table(&table(name)).expect("a table");
    for what in irregularities() {
        for actor in [dealer(), supervisor(), manager(), shift_manager()] {
            let Ok(choices) = guide(&hall.floor, at, &what, &actor, hall.memory.now) else { continue };
            for choice in choices {
                let said = format!("{name} at {:?}: {what:?}, {actor}: {choice:?}", at.round().stage());
                let mut command = choice.command.clone();
                if let TableCommand::Round(
                    round::Command::ProhibitPlayer { reason, .. } | round::Command::StopAction { reason, .. },
                ) = &mut command
                {
                    assert_eq!(choice.fill_in, ["reason"], "{said}");
                    *reason = Some("showed the hand".to_owned());
                }
                let command = Command::Table { table: table(name), command };
                let answer = hall.clone().give(&actor, &command);
                assert_eq!(answer.is_ok(), choice.you_may, "{said}: {answer:?}");
                if choice.second_signature && choice.office <= Some(office_of(&actor)) {
                    check_two_sign(hall, name, &actor, choice.command, &said);
                }
                tried += 1;
            }
        }
    }
    tried
}

fn office_of(actor: &Actor) -> Office {
    match actor {
        Actor::Staff(_, office) | Actor::Acting(_, office) => *office,
        Actor::Department(..) | Actor::Player(_) | Actor::Device(_) | Actor::System => {
            panic!("{actor} is not of the staff")
        }
    }
}

fn check_two_sign(hall: &Hall, name: &str, first: &Actor, command: TableCommand, said: &str) {
    let mut hall = hall.clone();
    let TableCommand::Round(command) = command else { panic!("{said}: not a command of the round") };
    let (id, round) = (table(name), hall.number(name));
    let proposal = match command {
        round::Command::MakeRuling { ruling } => Proposal::Rule { table: id, round, ruling },
        command => Proposal::UndoRound { table: id, round, command },
    };
    let second = if *first == shift_manager() { manager() } else { shift_manager() };
    hall.two_sign(first, &second, proposal).unwrap_or_else(|refusal| panic!("{said}: {refusal}"));
}

/// At every stage of a round, dealt by hand and by software, with Jackpot wagers that the settlement enters.
#[test]
fn the_guide_offers_what_is_accepted() {
    let mut tried = 0;
    for name in ["H1", "H2", "S1", "S2", "T1", "X1"] {
        let mut hall = Hall::open();
        tried += check(&hall, name);
        hall.ready(name, &["Ann", "Bob"]);
        loop {
            tried += check(&hall, name);
            match hall.round(name).stage() {
                Stage::Dealing => hall.deal(name, &Cards::default()),
                Stage::Exposing(_) => drop(hall.play(&dealer(), name, round::Command::Expose {})),
                Stage::Deciding(_) => {
                    for position in [Position(1), Position(2)] {
                        let decision = round::Decision::Wager;
                        hall.play(&dealer(), name, round::Command::Decide { position, decision });
                        tried += check(&hall, name);
                    }
                }
                Stage::Showing => {
                    hall.play(&dealer(), name, round::Command::DeclineComparison { position: Position(1) });
                    tried += check(&hall, name);
                    hall.play(&dealer(), name, round::Command::ShowHand { position: Position(2) });
                }
                Stage::Settling => drop(hall.play(&dealer(), name, round::Command::Settle {})),
                _ => break,
            }
        }
        assert_eq!(hall.round(name).stage(), Stage::Concluded, "{name}");
    }
    assert!(2_000 < tried, "{tried} choices tried");
}
