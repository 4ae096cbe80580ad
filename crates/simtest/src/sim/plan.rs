//! What a seed decides before the run starts: the floor, the number of nodes, and how often faults happen.

use floor::{Command, HouseCommand, OpenTable};
use jackpot::{Department, Parameters, Person, TableId};
use journal::{Actor, Dealing, HouseLimits, LinkId, PlayerKind, Proposal, Staffing};
use money::{Money, Pool, Rate};
use round::PlayerId;
use rulebook::{Limits, Means, Office};

use super::books::base;
use super::workload::{accountant, staff};
use crate::dice::Dice;

pub(crate) const MTHB9: &str = "megalink-holdem-v9";
pub(crate) const MTHB6: &str = "megalink-holdem-v6";
pub(crate) const MSSP9: &str = "megalink-stud-v9";
pub(crate) const THB6: &str = "holdem-progressive-v6";

/// Two people for each office, and one more for a third signature.
pub(crate) const STAFF: [(&str, Office); 9] = [
    ("Dora", Office::Dealer),
    ("Dan", Office::Dealer),
    ("Sue", Office::PitSupervisor),
    ("Sam", Office::PitSupervisor),
    ("Mia", Office::PitManager),
    ("Max", Office::PitManager),
    ("Gus", Office::GamingShiftManager),
    ("Gia", Office::GamingShiftManager),
    ("Pam", Office::PitManager),
];

/// Who signs for Accounting.
pub(crate) const ACCOUNTANT: &str = "Abe";

/// The Players. The last one has almost no money.
pub(crate) const PLAYERS: [&str; 8] = ["Ann", "Bob", "Cat", "Dov", "Eve", "Fay", "Guy", "Poor"];

#[derive(Clone, Debug)]
pub(crate) struct TablePlan {
    pub(crate) name: TableId,
    pub(crate) setup: OpenTable,
}

/// How often faults happen, in 1,000 unless it says otherwise.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rates {
    /// Messages between clients and nodes: lost, late, sent twice.
    pub(crate) lost: u64,
    pub(crate) late: u64,
    pub(crate) doubled: u64,
    /// Round trips to the database.
    pub(crate) database: u64,
    pub(crate) conflicts: u64,
    /// The mean time between faults of machines, in milliseconds; zero for none.
    pub(crate) machine_every: u64,
}

/// When the nodes get the further keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keys {
    /// With their first start.
    AtOnce,
    /// With the next start: until then the key before signs.
    Later,
}

/// How often the books are closed and archived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Archiving {
    Seldom,
    /// Then entries are also taken out of the log before every node has read them.
    Often,
}

#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) nodes: usize,
    pub(crate) links: Vec<(LinkId, Vec<&'static str>, Parameters)>,
    pub(crate) tables: Vec<TablePlan>,
    pub(crate) rates: Rates,
    /// How many rounds are settled before all faults stop.
    pub(crate) rounds: u64,
    /// How many in 1,000 commands at a table are irregularities.
    pub(crate) irregularities: u64,
    /// How much Players buy in for, in dollars.
    buy_in: u64,
    /// Whether a link closes when everything else is done.
    pub(crate) closes: bool,
    /// Whether the key that signs is changed, and when the nodes get the further keys.
    pub(crate) keys: Option<Keys>,
    /// Whether rules change.
    pub(crate) changes_rules: bool,
    /// Whether limits and settings change at an hour.
    pub(crate) changes_figures: bool,
    pub(crate) archiving: Archiving,
}

impl Plan {
    pub(crate) fn draw(dice: &mut Dice) -> Plan {
        let nodes = if dice.one_in(2) { 1 } else { usize::try_from(dice.within(2, 5)).expect("few") };
        let many = if dice.one_in(8) { 20 } else { 5 };
        let count = dice.within(1, many);
        // Games whose tables may share a meter. The books of version 6 each have their own.
        let families: [(&str, &[&str]); 3] = [("mega", &[MTHB9, MSSP9]), ("six", &[MTHB6]), ("own", &[THB6])];
        let first: usize = dice.pick(&[0, 0, 0, 1, 2]);
        let second = dice.one_in(2).then(|| (first + 1 + dice.index(2)) % 3);
        let mut links = Vec::new();
        for family in std::iter::once(first).chain(second) {
            let (name, books) = families[family];
            links.push((LinkId::new(name), books.to_vec(), parameters(dice)));
        }
        let tables = (1..=count).map(|number| table(number, &links, dice)).collect();
        let rounds = 7 + dice.below(10);
        let (rates, irregularities) = (Rates::draw(dice), dice.pick(&[0, 40, 80, 200]));
        // With small amounts a correction may take back more than the Player has.
        let buy_in = dice.clone().pick(&[90_000, 700]);
        let closes = dice.clone().one_in(3);
        // Drawn apart, so that the other runs stay as they are.
        let mut apart = Dice::new(dice.clone().roll() ^ 0x4b45_5953);
        let keys = apart.one_in(4).then(|| if apart.one_in(3) { Keys::Later } else { Keys::AtOnce });
        let changes_rules = apart.one_in(3);
        let changes_figures = apart.one_in(3);
        let archiving = if apart.one_in(8) { Archiving::Often } else { Archiving::Seldom };
        Plan {
            nodes,
            links,
            tables,
            rates,
            rounds,
            irregularities,
            buy_in,
            closes,
            keys,
            changes_rules,
            changes_figures,
            archiving,
        }
    }

    /// The commands that set the floor up, in order.
    pub(crate) fn opening(&self) -> Vec<(Actor, Command)> {
        let system = |command| (Actor::System, command);
        let of_tables = STAFF.iter().map(|(name, office)| (*name, *office, Department::TableGames));
        let mut first: Vec<_> = of_tables
            .chain([(ACCOUNTANT, Office::Dealer, Department::Accounting)])
            .map(|(name, office, department)| {
                let person = Person::new(name);
                Command::House(HouseCommand::Appoint { person, office, department })
            })
            .collect();
        for (link, books, parameters) in &self.links {
            let books = books.iter().map(|book| (*book).to_owned()).collect();
            let opening = Pool::try_from(dollars(100_000)).expect("fits");
            first.push(Command::House(HouseCommand::OpenLink {
                link: link.clone(),
                books,
                settings: *parameters,
                opening,
            }));
        }
        let mut commands = Vec::new();
        for name in PLAYERS {
            let (player, kind) = (PlayerId::new(name), PlayerKind::Member);
            commands.push(Command::House(HouseCommand::RegisterPlayer { player: player.clone(), kind }));
            commands.extend(self.first_money(name, &player));
        }
        let (signed, others): (Vec<&TablePlan>, Vec<&TablePlan>) =
            self.tables.iter().partition(|table| table.setup.reason.is_some());
        for table in others {
            let (table, setup) = (table.name.clone(), table.setup.clone());
            commands.push(Command::House(HouseCommand::OpenTable { table, setup }));
        }
        let (first, commands) = (first.into_iter().map(system), commands.into_iter().map(system));
        first.chain(higher_limits()).chain(commands).chain(signed_openings(&signed)).collect()
    }

    fn first_money(&self, name: &str, player: &PlayerId) -> Vec<Command> {
        let identity = Some("passport".to_owned());
        let amount = if name == "Poor" { dollars(60) } else { dollars(self.buy_in) };
        [Means::Credits, Means::Chips]
            .map(|means| {
                Command::House(HouseCommand::BuyIn {
                    player: player.clone(),
                    amount,
                    means,
                    identity: identity.clone(),
                })
            })
            .to_vec()
    }
}

/// Two people let one person change the amounts that the workload changes.
fn higher_limits() -> Vec<(Actor, Command)> {
    let limits = HouseLimits {
        cash: dollars(100_000),
        cash_per_day: dollars(100_000_000),
        ruling: dollars(100_000),
        fixed_prize: dollars(100_000_000),
        ..HouseLimits::default()
    };
    let proposal = Proposal::ChangeHouseLimits { limits };
    vec![
        (staff("Gus"), Command::House(HouseCommand::Propose { proposal })),
        (accountant(), Command::House(HouseCommand::Confirm { number: 1 })),
    ]
}

/// Two people open the tables whose book is not in force any more. The first proposal of a floor is that of its limits.
fn signed_openings(tables: &[&TablePlan]) -> Vec<(Actor, Command)> {
    let sign = |(number, table): (u64, &&TablePlan)| {
        let proposal = Proposal::OpenTable { table: table.name.clone(), setup: table.setup.clone() };
        [
            (staff("Gus"), Command::House(HouseCommand::Propose { proposal })),
            (staff("Gia"), Command::House(HouseCommand::Confirm { number })),
        ]
    };
    (2..).zip(tables).flat_map(sign).collect()
}

impl Rates {
    /// Some runs have no faults, some have very many.
    fn draw(dice: &mut Dice) -> Rates {
        let most = dice.pick(&[0, 20, 60, 200]);
        let mut up_to = |most: u64| if most == 0 { 0 } else { dice.below(most) };
        let rates = Rates {
            lost: up_to(most),
            late: up_to(most * 2),
            doubled: up_to(most * 2),
            database: up_to(most / 4),
            conflicts: up_to(most / 2),
            machine_every: 0,
        };
        Rates { machine_every: dice.pick(&[0, 300, 1_000, 4_000]), ..rates }
    }
}

pub(crate) fn dollars(amount: u64) -> Money {
    Money::from_cents(amount * 100)
}

/// Rates that leave odd remainders, with and without a reserve or a cap.
fn parameters(dice: &mut Dice) -> Parameters {
    let rate = |points: u64| Rate::from_basis_points(points).expect("a rate");
    let cap = dice.one_in(5).then(|| dollars(100_001 + dice.below(50)));
    Parameters {
        minimum_wager: dollars(5),
        contribution: rate(dice.pick(&[1_000, 1_733, 2_500, 333])),
        reset: Money::from_cents(dice.pick(&[5_000_000, 2_500_001, 999_999])),
        reserve: dice.one_in(2).then(|| rate(dice.pick(&[500, 77]))),
        cap,
        round_contribution_max: Pool::try_from(dollars(1_000)).expect("fits"),
    }
}

fn table(number: u64, links: &[(LinkId, Vec<&'static str>, Parameters)], dice: &mut Dice) -> TablePlan {
    let (link, books, _) = dice.pick(links);
    let book = dice.pick(&books);
    let dealing = if dice.one_in(3) { Dealing::Software } else { Dealing::Live };
    let positions = match book {
        MTHB6 => dice.within(4, 6),
        THB6 => dice.within(4, 7),
        _ => dice.within(5, 7),
    };
    let method = methods(book, dice);
    let setup = OpenTable {
        rulebook: book.to_owned(),
        positions: u8::try_from(positions).expect("few"),
        layout: None,
        jackpot_means: None,
        limits: limits(book, dollars(1_000)),
        method,
        dealing,
        staffing: Staffing::Staffed,
        link: (!dice.one_in(12)).then_some(link),
        reason: (book == MTHB6).then(|| "a simulation".to_owned()),
    };
    TablePlan { name: TableId::new(&format!("T{number}")), setup }
}

/// An Ante from S$25.00 to `most`, and a Bonus if the book has one.
pub(crate) fn limits(book: &str, most: Money) -> Limits {
    Limits { ante: dollars(25)..=most, bonus: (base(book) != MSSP9).then(|| dollars(5)..=dollars(500)) }
}

/// One of the book's dealing methods, or none for its default.
fn methods(book: &str, dice: &mut Dice) -> Option<String> {
    let library = super::library();
    let (book, _) = library.get(book)?;
    let names: Vec<String> = book.methods.iter().map(|method| method.name.clone()).collect();
    if dice.one_in(2) { None } else { dice.any(&names) }
}
