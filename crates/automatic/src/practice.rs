//! The practice floor: staff of every office and the links of the four books, all named as practice. Its tables are opened
//! one by one, for each exercise.

use floor::{Command, Floor, HouseCommand, PRACTICE};
use jackpot::{Department, Person, Post};
use journal::{CommandId, Staffing};
use rulebook::Office;

use super::demonstration::{in_office, link_of, of, open_links, open_table};
use super::naming::step_id;

/// The name of a practice floor.
pub const PRACTICE_HOUSE: &str = "PRACTICE FLOOR";

/// The card-reading shoe of a practice floor, which enters the cards in the order they are arranged in.
pub const SHOE: &str = "Shoe";

/// Who answers a call on a practice floor where nobody else does.
pub const SUPERVISOR: &str = "Supervisor";

/// Who opens its tables.
pub const TRAINER: &str = "Trainer";

const STAFF: &[(&str, Post)] = &[
    ("Learner", in_office(Office::Dealer)),
    (SHOE, in_office(Office::Dealer)),
    (SUPERVISOR, in_office(Office::PitSupervisor)),
    ("Second Supervisor", in_office(Office::PitSupervisor)),
    (TRAINER, in_office(Office::PitManager)),
    ("Manager", in_office(Office::GamingShiftManager)),
    ("Second Manager", in_office(Office::GamingShiftManager)),
    ("Accountant", of(Department::Accounting)),
    ("Surveillance", of(Department::Surveillance)),
];

/// The commands that set a practice floor up, like those of the demonstration.
pub fn practice_floor(floor: &Floor) -> Vec<(CommandId, Command)> {
    let missing = STAFF.iter().filter(|(name, _)| floor.house().post(&Person::new(name)).is_none());
    let appoint = |(name, post): &(&str, Post)| {
        let (person, Post { department, office }) = (Person::new(name), *post);
        Command::House(HouseCommand::Appoint { person, office, department })
    };
    let mut commands: Vec<Command> = missing.map(appoint).collect();
    commands.extend(open_links(floor, &format!("{PRACTICE} ")));
    commands.into_iter().map(|command| (step_id(&command), command)).collect()
}

/// Opens a table of a practice floor, which the staff run and the shoe deals. `None` for a book that no link plays for.
pub fn practice_table(name: &str, book: &str, positions: u8) -> Option<Command> {
    let link = format!("{PRACTICE} {}", link_of(book)?);
    Some(open_table(name, book, positions, Staffing::Staffed, &link))
}
