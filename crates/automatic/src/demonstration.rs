//! A demonstration floor: all four rulebooks, two links and a table with its own meter, staff for every office,
//! house players who leave positions free for guests, a table of each game for one Player alone, and one for the staff to
//! deal.

use jackpot::{Department, Parameters, Person, Post, TableId};
use journal::{CommandId, Dealing, LinkId, PlayerKind, Staffing};
use money::{Money, Pool, Rate};
use round::PlayerId;
use rulebook::{Limits, Means, Office, Position};

use super::naming::step_id;
use super::player::{HousePlayer, Strategy};
use floor::Floor;
use floor::{Command, HouseCommand, OpenTable};

/// The name of the demonstration house.
pub const HOUSE_NAME: &str = "Megalink Demonstration House";

const HOLDEM: &str = "megalink-holdem-v9";
const STUD: &str = "megalink-stud-v9";
const HOLDEM_V6: &str = "megalink-holdem-v6";
const STAND_ALONE: &str = "holdem-progressive-v6";

/// Two people hold the highest office, and the other departments have somebody, so that actions with two signatures can be
/// shown.
const STAFF: &[(&str, Post)] = &[
    ("Tan Wei Ling", in_office(Office::GamingShiftManager)),
    ("Rajan Pillai", in_office(Office::GamingShiftManager)),
    ("Siti Rahman", in_office(Office::PitManager)),
    ("Marcus Lee", in_office(Office::PitSupervisor)),
    ("Grace Ong", in_office(Office::PitSupervisor)),
    ("Daniel Koh", in_office(Office::Dealer)),
    ("Priya Nair", in_office(Office::Dealer)),
    ("Lakshmi Menon", of(Department::Accounting)),
    ("Faizal Hamid", of(Department::Surveillance)),
    ("Joseph Tay", of(Department::Security)),
    ("Evelyn Chua", of(Department::Regulator)),
];

pub(super) const fn in_office(office: Office) -> Post {
    Post::new(Department::TableGames, office)
}

pub(super) const fn of(department: Department) -> Post {
    Post::new(department, Office::Dealer)
}

/// A link: name, rulebooks, contribution and reserve in hundredths of a percent, reset and opening meter in dollars.
struct DemonstrationLink {
    name: &'static str,
    books: &'static [&'static str],
    contribution: u64,
    reserve: u64,
    reset: u64,
    opening: u64,
}

const LINKS: &[DemonstrationLink] = &[
    DemonstrationLink {
        name: "Megalink",
        books: &[HOLDEM, STUD],
        contribution: 2_500,
        reserve: 500,
        reset: 100_000,
        opening: 268_413,
    },
    DemonstrationLink {
        name: "Megalink v6",
        books: &[HOLDEM_V6],
        contribution: 3_000,
        reserve: 500,
        reset: 50_000,
        opening: 121_987,
    },
    DemonstrationLink {
        name: "THB6-1 meter",
        books: &[STAND_ALONE],
        contribution: 2_000,
        reserve: 500,
        reset: 25_000,
        opening: 41_250,
    },
];

/// A table: name, rulebook, link, positions, and the house players with their positions.
struct DemonstrationTable {
    name: &'static str,
    book: &'static str,
    link: &'static str,
    positions: u8,
    staffing: Staffing,
    players: &'static [(u8, &'static str, Strategy)],
}

const TABLES: &[DemonstrationTable] = &[
    DemonstrationTable {
        name: "MTHB9-1",
        book: HOLDEM,
        link: "Megalink",
        positions: 6,
        staffing: Staffing::Automatic,
        players: &[
            (2, "Aisha (house)", Strategy::Casual),
            (4, "Benedict (house)", Strategy::Perfect),
            (5, "Chee Keong (house)", Strategy::Casual),
        ],
    },
    DemonstrationTable {
        name: "MTHB9-2",
        book: HOLDEM,
        link: "Megalink",
        positions: 7,
        staffing: Staffing::Automatic,
        players: &[(3, "Dewi (house)", Strategy::Casual), (6, "Edwin (house)", Strategy::Casual)],
    },
    DemonstrationTable {
        name: "MSSP9-1",
        book: STUD,
        link: "Megalink",
        positions: 7,
        staffing: Staffing::Automatic,
        players: &[
            (1, "Farah (house)", Strategy::Casual),
            (3, "Gopal (house)", Strategy::Perfect),
            (5, "Hui Min (house)", Strategy::Casual),
            (7, "Irene (house)", Strategy::Casual),
        ],
    },
    DemonstrationTable {
        name: "MSSP9-2",
        book: STUD,
        link: "Megalink",
        positions: 7,
        staffing: Staffing::Automatic,
        players: &[(2, "Jamal (house)", Strategy::Casual), (6, "Kavitha (house)", Strategy::Casual)],
    },
    DemonstrationTable {
        name: "MTHB6-1",
        book: HOLDEM_V6,
        link: "Megalink v6",
        positions: 6,
        staffing: Staffing::Automatic,
        players: &[
            (1, "Lionel (house)", Strategy::Casual),
            (3, "Mei Hua (house)", Strategy::Perfect),
            (6, "Nadia (house)", Strategy::Casual),
        ],
    },
    DemonstrationTable {
        name: "THB6-1",
        book: STAND_ALONE,
        link: "THB6-1 meter",
        positions: 7,
        staffing: Staffing::Automatic,
        players: &[
            (2, "Oliver (house)", Strategy::Casual),
            (4, "Puspa (house)", Strategy::Casual),
            (7, "Qing (house)", Strategy::Perfect),
        ],
    },
    DemonstrationTable {
        name: "MTHB9-SOLO",
        book: HOLDEM,
        link: "Megalink",
        positions: 1,
        staffing: Staffing::Automatic,
        players: &[],
    },
    DemonstrationTable {
        name: "MSSP9-SOLO",
        book: STUD,
        link: "Megalink",
        positions: 1,
        staffing: Staffing::Automatic,
        players: &[],
    },
    DemonstrationTable {
        name: "MTHB9-LIVE",
        book: HOLDEM,
        link: "Megalink",
        positions: 6,
        staffing: Staffing::Staffed,
        players: &[],
    },
    DemonstrationTable {
        name: "MSSP9-LIVE",
        book: STUD,
        link: "Megalink",
        positions: 7,
        staffing: Staffing::Staffed,
        players: &[],
    },
];

/// The commands that set up the missing parts of the demonstration floor. The system sends them in order, in a
/// house that is open. The ids never change: a repeated command is executed once, and what the staff undid stays
/// undone.
pub fn demonstration(floor: &Floor) -> Vec<(CommandId, Command)> {
    let mut commands = Vec::new();
    for (name, Post { department, office }) in STAFF {
        let person = Person::new(name);
        if floor.house().post(&person).is_none() {
            let (office, department) = (*office, *department);
            commands.push(Command::House(HouseCommand::Appoint { person, office, department }));
        }
    }
    for player in house_players() {
        if floor.house().player(&player.player).is_none() {
            let name = player.player;
            commands.push(Command::House(HouseCommand::RegisterPlayer {
                player: name.clone(),
                kind: PlayerKind::House,
            }));
            commands.push(Command::House(HouseCommand::GrantCredits {
                player: name,
                amount: dollars(5_000),
                means: Means::Credits,
            }));
        }
    }
    commands.extend(open_links(floor, ""));
    let tables = TABLES.iter().filter(|table| floor.table(&TableId::new(table.name)).is_none());
    commands.extend(
        tables.map(|table| open_table(table.name, table.book, table.positions, table.staffing, table.link)),
    );
    commands.into_iter().map(|command| (step_id(&command), command)).collect()
}

/// Opens the links that are missing, with `prefix` before each name.
pub(super) fn open_links(floor: &Floor, prefix: &str) -> Vec<Command> {
    let named = LINKS.iter().map(|link| (LinkId::new(&format!("{prefix}{}", link.name)), link));
    named.filter(|(name, _)| floor.link(name).is_none()).map(|(name, link)| open_link(name, link)).collect()
}

/// The link that a rulebook plays for.
pub(super) fn link_of(book: &str) -> Option<&'static str> {
    LINKS.iter().find(|link| link.books.contains(&book)).map(|link| link.name)
}

/// The house players of the demonstration floor. They sit down by themselves.
pub fn house_players() -> Vec<HousePlayer> {
    let of_table = |table: &DemonstrationTable| {
        let name = TableId::new(table.name);
        let players = table.players.iter().map(move |(position, player, strategy)| HousePlayer {
            player: PlayerId::new(player),
            table: name.clone(),
            position: Position(*position),
            strategy: *strategy,
        });
        players.collect::<Vec<_>>()
    };
    TABLES.iter().flat_map(of_table).collect()
}

fn open_link(name: LinkId, link: &DemonstrationLink) -> Command {
    /// Seven positions at five times the minimum, contributing the whole wager, in ten-thousandths of a cent.
    const ROUND_MAX: u64 = 7 * 5 * 500 * 10_000;
    let rate = |points| Rate::from_basis_points(points).expect("the demonstration's rates are rates");
    let opening = dollars(link.opening).try_into().expect("the demonstration's meters are small");
    let parameters = Parameters {
        minimum_wager: dollars(5),
        contribution: rate(link.contribution),
        reset: dollars(link.reset),
        reserve: Some(rate(link.reserve)),
        cap: None,
        round_contribution_max: Pool::from_ten_thousandths(ROUND_MAX),
    };
    let books = link.books.iter().map(|book| (*book).to_owned()).collect();
    Command::House(HouseCommand::OpenLink { link: name, books, settings: parameters, opening })
}

/// A table with the limits of the demonstration: dealt by the program, or by the staff from a shoe.
pub(super) fn open_table(name: &str, book: &str, positions: u8, staffing: Staffing, link: &str) -> Command {
    let has_bonus = book != STUD;
    let setup = OpenTable {
        rulebook: book.to_owned(),
        positions,
        layout: None,
        jackpot_means: None,
        limits: Limits {
            ante: dollars(10)..=dollars(500),
            bonus: has_bonus.then(|| dollars(5)..=dollars(100)),
        },
        method: None,
        dealing: match staffing {
            Staffing::Automatic => Dealing::Software,
            Staffing::Staffed => Dealing::Live,
        },
        staffing,
        link: Some(LinkId::new(link)),
        reason: None,
    };
    Command::House(HouseCommand::OpenTable { table: TableId::new(name), setup })
}

fn dollars(dollars: u64) -> Money {
    Money::from_cents(dollars.saturating_mul(100))
}
