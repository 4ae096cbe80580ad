//! A floor to put load on: tables with Players of their own, and the next thing to do at each of them. Used by the
//! tests, the kill command and the benchmark alike.

use floor::node::Request;
use floor::{Command, HouseCommand, OpenTable, OwnCommand, Table, TableCommand};
use jackpot::{Department, Parameters, Person, TableId};
use journal::{Actor, CommandId, Dealing, LinkId, PlayerKind, Staffing};
use money::{Money, Pool, Rate};
use round::{Decision, Place, PlayerId, Stage};
use rulebook::{Limits, Means, Office, PlayingArea, Position};

/// How many Players each table has.
pub(crate) const SEATS: u8 = 3;

/// Who does everything that the staff does.
pub(crate) fn boss() -> Actor {
    Actor::Staff(Person::new("Gus"), Office::GamingShiftManager)
}

pub(crate) fn link() -> LinkId {
    LinkId::new("mega")
}

pub(crate) fn table(number: usize) -> TableId {
    TableId::new(&format!("T{number}"))
}

pub(crate) fn player(table: &TableId, position: Position) -> PlayerId {
    PlayerId::new(&format!("{table}P{}", position.0))
}

fn dollars(amount: u64) -> Money {
    Money::from_cents(amount * 100)
}

/// An id nobody else has: of one sender, rising with time as a client's would.
pub(crate) fn id(sender: u64, number: u64) -> CommandId {
    let mut id = [0; 16];
    id[..8].copy_from_slice(&number.to_be_bytes());
    id[8..].copy_from_slice(&sender.to_be_bytes());
    CommandId(id)
}

/// Whole numbers that look random and are the same every time (`SplitMix64`).
#[derive(Clone, Debug)]
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % below
    }
}

/// The figures of the link: S$5.00 at least, a tenth to the meter, restarting from S$50,000.00.
pub(crate) fn parameters() -> Parameters {
    Parameters {
        minimum_wager: dollars(5),
        contribution: Rate::from_basis_points(1_000).expect("a tenth"),
        reset: dollars(50_000),
        reserve: None,
        cap: None,
        round_contribution_max: Pool::try_from(dollars(1_000)).expect("fits"),
    }
}

/// Hold'em at tables of even number, stud at the others.
fn setup(number: usize, dealing: Dealing) -> OpenTable {
    let holdem = number.is_multiple_of(2);
    OpenTable {
        rulebook: if holdem { "megalink-holdem-v9" } else { "megalink-stud-v9" }.to_owned(),
        positions: 6,
        layout: None,
        jackpot_means: None,
        limits: Limits {
            ante: dollars(25)..=dollars(1_000),
            bonus: holdem.then(|| dollars(5)..=dollars(500)),
        },
        method: None,
        dealing,
        staffing: Staffing::Staffed,
        link: Some(link()),
        reason: None,
    }
}

/// Everything that makes a floor of so many tables out of a house, in order.
pub(crate) fn opening(tables: usize, dealing: Dealing) -> Vec<(Actor, Command)> {
    let tables = (0..tables).flat_map(|number| table_opening(number, dealing));
    house_opening().into_iter().chain(tables).collect()
}

/// The one who does everything, and the link.
pub(crate) fn house_opening() -> Vec<(Actor, Command)> {
    let (person, office) = (Person::new("Gus"), Office::GamingShiftManager);
    let books = vec!["megalink-holdem-v9".to_owned(), "megalink-stud-v9".to_owned()];
    let opening = Pool::try_from(dollars(100_000)).expect("fits");
    let open =
        Command::House(HouseCommand::OpenLink { link: link(), books, settings: parameters(), opening });
    vec![
        (
            Actor::System,
            Command::House(HouseCommand::Appoint { person, office, department: Department::TableGames }),
        ),
        (Actor::System, open),
    ]
}

/// A table with its Players.
pub(crate) fn table_opening(number: usize, dealing: Dealing) -> Vec<(Actor, Command)> {
    let table = table(number);
    let mut commands = Vec::new();
    for position in (1..=SEATS).map(Position) {
        let player = player(&table, position);
        let register =
            Command::House(HouseCommand::RegisterPlayer { player: player.clone(), kind: PlayerKind::Member });
        commands.extend([(boss(), register), (boss(), buy_in(player, 10_000_000))]);
    }
    commands.push((boss(), Command::House(HouseCommand::OpenTable { table, setup: setup(number, dealing) })));
    commands
}

/// So many dollars of play credits.
pub(crate) fn buy_in(player: PlayerId, amount: u64) -> Command {
    Command::House(HouseCommand::GrantCredits { player, amount: dollars(amount), means: Means::Credits })
}

/// Commands as requests of one sender.
pub(crate) fn requests(sender: u64, commands: Vec<(Actor, Command)>) -> Vec<Request> {
    let numbered = (1..).zip(commands);
    numbered.map(|(number, (actor, command))| Request::new(id(sender, number), actor, command)).collect()
}

/// What comes next at a table: everybody plays, most to the end. After a power failure some withdraw, and play resumes.
pub(crate) fn next(table: &Table, dice: &mut Dice) -> (Actor, Command) {
    next_with(table, dice, &|place| unreachable!("no card is staged at {place:?}"))
}

/// The same, with the cards of a live table.
pub(crate) fn next_with(
    table: &Table,
    dice: &mut Dice,
    staged: &dyn Fn(Place) -> cards::Card,
) -> (Actor, Command) {
    let round = table.round();
    let of_round = |actor: Actor, command: round::Command| {
        let command = TableCommand::Round(command);
        (actor, Command::Table { table: table.id().clone(), command })
    };
    let by_boss = |command| of_round(boss(), command);
    if round.is_interrupted() {
        let asked = round.unanswered().into_iter().next();
        let resume = asked.map_or(round::Command::ResumePlay {}, |player| round::Command::StayIn { player });
        let leaver = player(table.id(), Position(1));
        let withdraw = round::Command::Withdraw { player: leaver.clone() };
        let is_leaving = dice.roll(3) == 0 && round.decide(&boss().by(), &withdraw).is_ok();
        return if is_leaving { of_round(Actor::Player(leaver), withdraw) } else { by_boss(resume) };
    }
    let active = || round.seats().filter(|(_, seat)| seat.is_active()).map(|(position, _)| position);
    match round.stage() {
        Stage::BeforeBets => match empty_seat(table) {
            Some(position) => {
                let player = player(table.id(), position);
                of_round(Actor::Player(player.clone()), round::Command::TakePosition { position, player })
            }
            None => by_boss(round::Command::OpenBets {}),
        },
        Stage::BetsOpen => match missing_wager(table) {
            Some((owner, wager)) => of_round(Actor::Player(owner), wager),
            None => by_boss(round::Command::CloseBets {}),
        },
        Stage::Dealing if table.is_software_dealt() => (
            boss(),
            Command::Table { table: table.id().clone(), command: TableCommand::Own(OwnCommand::DealAll {}) },
        ),
        Stage::Dealing => {
            let place = round.next_place().expect("a card is due while cards are dealt");
            by_boss(round::Command::DealCard { card: Some(staged(place)) })
        }
        Stage::Exposing(_) => by_boss(round::Command::Expose {}),
        Stage::Deciding(area) => {
            let out = if matches!(area, PlayingArea::Flop | PlayingArea::Bet) {
                Decision::Fold
            } else {
                Decision::Check
            };
            let decision = if dice.roll(8) == 0 { out } else { Decision::Wager };
            let decide = |position| round::Command::Decide { position, decision };
            let open = active().find(|position| round.decide(&boss().by(), &decide(*position)).is_ok());
            let position = open.expect("somebody has still to decide");
            of_round(Actor::Player(player(table.id(), position)), decide(position))
        }
        Stage::Showing => {
            let waits = |(position, seat): (Position, &round::Seat)| {
                (seat.is_active() && !seat.is_shown() && !seat.has_declined()).then_some(position)
            };
            let position = round.seats().find_map(waits).expect("somebody has still to show");
            by_boss(round::Command::ShowHand { position })
        }
        Stage::Settling => by_boss(round::Command::Settle {}),
        Stage::Concluded | Stage::Void | Stage::Closed => by_boss(round::Command::BeginNextRound {}),
    }
}

fn empty_seat(table: &Table) -> Option<Position> {
    let is_empty =
        |position: &Position| table.round().seat(*position).is_some_and(|seat| seat.holder().is_none());
    (1..=SEATS).map(Position).find(is_empty)
}

fn missing_wager(table: &Table) -> Option<(PlayerId, round::Command)> {
    for (position, seat) in table.round().seats() {
        let Some(owner) = seat.holder() else { continue };
        for (area, amount) in [(PlayingArea::Ante, dollars(25)), (PlayingArea::Jackpot, dollars(5))] {
            if !seat.has(area) {
                let owner = owner.clone();
                let means = Means::Credits;
                let wager =
                    round::Command::PlaceWager { position, area, owner: owner.clone(), amount, means };
                return Some((owner, wager));
            }
        }
    }
    None
}
