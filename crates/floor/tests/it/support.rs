//! A floor in memory, driven command by command, with everything that must hold checked after each of them.

use std::collections::BTreeMap;

use cards::Card;
use floor::dealing::Seed;
use floor::{
    Command, DecideContext, Decided, DeskCommand, Floor, Happened, HouseCommand, Library, OpenTable,
    OwnCommand, Refusal, Stop, TableCommand, check, dealing,
};
use jackpot::{Checklist, Custody, Department, Evidence, Parameters, Person, TableId};
use journal::{
    Account, Actor, Amount, Books, Currency, DayRule, Dealing, Event, Hash, HouseLimits, LinkId, Moment,
    PlayerKind, Proposal, Sealed, Staffing, StoreError, Stream, TableEvent,
};
use money::{Money, Pool, Rate};
use round::{Decision, Place, PlayerId, Stage};
use rulebook::{Limits, Means, Office, PlayingArea, Position};
use sha2::{Digest, Sha256};

/// The ids of the four books.
pub(crate) const MTHB9: &str = "megalink-holdem-v9";
pub(crate) const MTHB6: &str = "megalink-holdem-v6";
pub(crate) const MSSP9: &str = "megalink-stud-v9";
pub(crate) const THB6: &str = "holdem-progressive-v6";

/// The staff of [`Hall::open`]: two of each office, and one more who may sign third.
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

/// Those of the staff who are not of Table Games.
pub(crate) const OTHERS: [(&str, Department); 5] = [
    ("Abe", Department::Accounting),
    ("Ada", Department::Accounting),
    ("Sol", Department::Surveillance),
    ("Sid", Department::Security),
    ("Rex", Department::Regulator),
];

/// The members of [`Hall::open`], each with S$50,000.00 of credits.
pub(crate) const MEMBERS: [&str; 4] = ["Ann", "Bob", "Cat", "Dov"];

/// The tables of [`Hall::open`]: name, book, where the cards come from, and the link.
pub(crate) const TABLES: [(&str, &str, Dealing, &str); 8] = [
    ("H1", MTHB9, Dealing::Live, "mega"),
    ("H2", MTHB9, Dealing::Software, "mega"),
    ("S1", MSSP9, Dealing::Live, "mega"),
    ("S2", MSSP9, Dealing::Software, "mega"),
    ("T1", THB6, Dealing::Live, "own"),
    ("T2", THB6, Dealing::Software, "own"),
    ("X1", MTHB6, Dealing::Live, "six"),
    ("X2", MTHB6, Dealing::Software, "six"),
];

/// Somebody of the staff, in the office [`STAFF`] gives them or the department [`OTHERS`] does.
pub(crate) fn staff(name: &str) -> Actor {
    if let Some((_, department)) = OTHERS.iter().find(|(person, _)| *person == name) {
        return Actor::Department(Person::new(name), *department);
    }
    let office = STAFF.iter().find(|(person, _)| *person == name).map(|(_, office)| *office);
    Actor::Staff(Person::new(name), office.expect("one of STAFF"))
}

/// A check list with nothing left out.
pub(crate) fn checked() -> Checklist {
    let custody = Custody {
        camera: "camera 4, 21:07".to_owned(),
        seal: "S-00417".to_owned(),
        deck_in_order: true,
        held_by: "Sid, Security".to_owned(),
    };
    Checklist { cards_checked: true, deck_cards: 52, custody: Some(custody) }
}

/// A count sheet, which shows a malfunction.
pub(crate) fn counted() -> Evidence {
    Evidence::Count { reference: "count sheet 88".to_owned() }
}

pub(crate) fn accountant() -> Actor {
    staff("Abe")
}

pub(crate) fn dealer() -> Actor {
    staff("Dora")
}

pub(crate) fn supervisor() -> Actor {
    staff("Sue")
}

pub(crate) fn manager() -> Actor {
    staff("Mia")
}

pub(crate) fn shift_manager() -> Actor {
    staff("Gus")
}

pub(crate) fn player(name: &str) -> PlayerId {
    PlayerId::new(name)
}

/// A Player, acting for themselves.
pub(crate) fn by_player(name: &str) -> Actor {
    Actor::Player(player(name))
}

pub(crate) fn table(name: &str) -> TableId {
    TableId::new(name)
}

pub(crate) fn link(name: &str) -> LinkId {
    LinkId::new(name)
}

/// A day in June 2023: version 9 came into force in July.
const BEFORE_VERSION_9: Moment = Moment(1_687_000_000_000);

/// Whole dollars.
pub(crate) fn dollars(amount: u64) -> Money {
    Money::from_cents(amount * 100)
}

/// Whole dollars, as the ledger keeps them.
pub(crate) fn fine(amount: i64) -> Amount {
    Amount(amount * 1_000_000)
}

/// Cards written one after the other, such as `Ah Kh`.
pub(crate) fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().expect("a card")).collect()
}

/// The figures of the links of [`Hall::open`]: S$5.00 at least, a tenth to the meter, restarting from S$50,000.00.
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

/// What a table of a book is opened as: S$25.00 to S$1,000.00, six positions, staffed.
pub(crate) fn setup(book: &str, dealing: Dealing, link: Option<&str>) -> OpenTable {
    let has_bonus = book != MSSP9;
    OpenTable {
        rulebook: book.to_owned(),
        positions: 6,
        layout: None,
        jackpot_means: None,
        limits: Limits {
            ante: dollars(25)..=dollars(1_000),
            bonus: has_bonus.then(|| dollars(5)..=dollars(500)),
        },
        method: None,
        dealing,
        staffing: Staffing::Staffed,
        link: link.map(LinkId::new),
        reason: None,
    }
}

/// A book's text with another value of a reading.
fn with_reading(text: &str, reading: &str, value: &str) -> String {
    let head = format!("[readings.{reading}]\nvalue = \"");
    let (before, rest) = text.split_once(&head).expect("every book has this reading");
    let (_, after) = rest.split_once('"').expect("a value ends");
    format!("{before}{head}{value}\"{after}")
}

/// Money, seeds and chance, in memory. Chance is a counter: the same commands give the same floor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pub(crate) balances: BTreeMap<Account, Amount>,
    pub(crate) sealed: BTreeMap<(String, String), Vec<u8>>,
    /// How many seeds were drawn; what a seed is depends on it alone.
    pub(crate) drawn: u64,
    /// The time of the next command.
    pub(crate) now: Moment,
}

impl Memory {
    pub(crate) fn holds(&self, account: &Account) -> Amount {
        self.balances.get(account).copied().unwrap_or_default()
    }
}

impl DecideContext for Memory {
    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError> {
        Ok(self.holds(account))
    }

    fn books(&mut self) -> Result<Books, StoreError> {
        let balances = self.balances.iter().filter(|(_, held)| **held != Amount::ZERO);
        let balances = balances.map(|(account, held)| (account.clone(), *held)).collect();
        Ok(Books { balances, ..Books::default() })
    }

    fn seed(&mut self, table: &TableId, round: u64) -> Result<Option<Seed>, StoreError> {
        let kept = self.sealed.get(&("seed".to_owned(), format!("{table}/{round}")));
        Ok(kept.and_then(|seed| seed.as_slice().try_into().ok()).map(Seed))
    }

    fn draw(&mut self) -> Result<Seed, StoreError> {
        self.drawn += 1;
        Ok(Seed(Sha256::digest(self.drawn.to_be_bytes()).into()))
    }

    fn now(&self) -> Moment {
        self.now
    }
}

/// A floor with its money and seeds, and a second floor that hears of nothing but the events.
#[derive(Clone, Debug)]
pub(crate) struct Hall {
    pub(crate) floor: Floor,
    replayed: Floor,
    pub(crate) memory: Memory,
    pub(crate) log: Vec<Happened>,
    /// Every command that was taken: who gave it, what it did, and what is kept beside the log.
    pub(crate) given: Vec<(Actor, Command, Vec<Happened>, Vec<Sealed>)>,
    /// When each of them was taken.
    pub(crate) times: Vec<Moment>,
}

/// Gaming days that are not the usual ones: from 04:30, by a clock nine hours ahead of UTC.
pub(crate) fn early_days() -> DayRule {
    DayRule {
        begins: "04:30".parse().expect("a time of day"),
        utc_offset: "+09:00".parse().expect("an offset"),
    }
}

/// An empty floor, its house not opened.
pub(crate) fn empty() -> Hall {
    empty_with(Library::embedded())
}

/// An empty floor that plays by these books.
fn empty_with(library: Library) -> Hall {
    let floor = Floor::new(library);
    let memory = Memory { now: Moment(1_700_000_000_000), ..Memory::default() };
    let (log, given, times) = (Vec::new(), Vec::new(), Vec::new());
    Hall { replayed: floor.clone(), floor, memory, log, given, times }
}

impl Hall {
    /// The same house on the day after it opened, with play money instead of cash.
    pub(crate) fn demonstration() -> Hall {
        Hall::open_for(Currency::Play, Library::embedded(), DayRule::default())
    }

    /// The same with the embedded books, read with another value of one reading.
    pub(crate) fn demonstration_with(reading: &str, value: &str) -> Hall {
        let texts: Vec<(&str, String)> = rulebook::embedded_texts()
            .map(|(file, text)| (file, with_reading(text, reading, value)))
            .collect();
        let library = Library::of(texts.iter().map(|(file, text)| (*file, text.as_str())));
        Hall::open_for(Currency::Play, library.expect("a reading has this value"), DayRule::default())
    }

    /// On the day after it opened, for real money: a house with [`STAFF`], [`MEMBERS`], the links `mega` (MTHB9 and MSSP9), `own` (THB6) and `six` (MTHB6), each
    /// with S$100,000.00 on its meter, and [`TABLES`].
    pub(crate) fn open() -> Hall {
        Hall::open_for(Currency::Real, Library::embedded(), DayRule::default())
    }

    /// The same with other rulebooks.
    pub(crate) fn open_with(library: Library) -> Hall {
        Hall::open_for(Currency::Real, library, DayRule::default())
    }

    /// The same with gaming days of its own.
    pub(crate) fn open_by(gaming_day: DayRule) -> Hall {
        Hall::open_for(Currency::Real, Library::embedded(), gaming_day)
    }

    /// The gaming day of the house.
    pub(crate) fn today(&self) -> u64 {
        self.floor.house().day_rule().day_of(self.memory.now)
    }

    /// Waits until so many milliseconds before the next gaming day.
    pub(crate) fn wait_for_the_turn(&mut self, before: u64) {
        let turns = self.floor.house().day_rule().begins(self.today() + 1);
        self.memory.now = Moment(turns.0 - before);
    }

    fn open_for(money: Currency, library: Library, gaming_day: DayRule) -> Hall {
        let mut hall = empty_with(library);
        hall.appoint_staff(money, gaming_day);
        hall.open_links();
        for name in MEMBERS {
            let (player, kind) = (player(name), PlayerKind::Member);
            hall.done(&dealer(), &Command::House(HouseCommand::RegisterPlayer { player, kind }));
            hall.buy_in(name, dollars(50_000), Means::Credits);
        }
        for (name, book, dealing, link) in TABLES {
            let setup = setup(book, dealing, Some(link));
            hall.open_table(name, setup);
        }
        hall.pass_days(1);
        hall
    }

    /// Opens a table, at a time when its book was in force: version 6 before version 9.
    pub(crate) fn open_table(&mut self, name: &str, setup: OpenTable) -> Vec<Happened> {
        let later = if setup.rulebook == MTHB6 { self.memory.now.0 - BEFORE_VERSION_9.0 } else { 0 };
        self.memory.now.0 -= later;
        let table = table(name);
        let happened = self.done(&manager(), &Command::House(HouseCommand::OpenTable { table, setup }));
        self.memory.now.0 += later;
        happened
    }

    /// Time passes.
    pub(crate) fn pass_days(&mut self, days: u64) {
        self.wait(days * 24 * 60 * 60 * 1000);
    }

    /// Opens the links, as the system that sets a house up.
    fn open_links(&mut self) {
        for (name, books) in [("mega", vec![MTHB9, MSSP9]), ("own", vec![THB6]), ("six", vec![MTHB6])] {
            let books = books.into_iter().map(str::to_owned).collect();
            let opening = Pool::try_from(dollars(100_000)).expect("fits");
            let open = Command::House(HouseCommand::OpenLink {
                link: link(name),
                books,
                settings: parameters(),
                opening,
            });
            self.done(&Actor::System, &open);
        }
    }

    /// Proposes something as one person, and confirms it as another; what the confirmation did, or why it is refused.
    pub(crate) fn two_sign(
        &mut self,
        first: &Actor,
        second: &Actor,
        proposal: Proposal,
    ) -> Result<Vec<Happened>, Refusal> {
        self.give(first, &Command::House(HouseCommand::Propose { proposal }))?;
        let number = self.floor.house().proposals().map(|(number, _)| number).max().expect("proposed");
        self.give(second, &Command::House(HouseCommand::Confirm { number }))
    }

    /// A house with [`STAFF`] and nothing else.
    pub(crate) fn staffed(money: Currency) -> Hall {
        Hall::staffed_with(money, Library::embedded())
    }

    /// The same with other rulebooks.
    pub(crate) fn staffed_with(money: Currency, library: Library) -> Hall {
        let mut hall = empty_with(library);
        hall.appoint_staff(money, DayRule::default());
        hall
    }

    /// A house of real money with [`STAFF`] and nobody outside Table Games, as there were before departments.
    pub(crate) fn of_table_games() -> Hall {
        let mut hall = empty();
        hall.open_house(Currency::Real, DayRule::default());
        for (name, office) in STAFF {
            let (person, department) = (Person::new(name), Department::TableGames);
            let appoint = HouseCommand::Appoint { person, office, department };
            hall.done(&Actor::System, &Command::House(appoint));
        }
        hall
    }

    fn open_house(&mut self, money: Currency, gaming_day: DayRule) {
        let (name, key) = ("The House".to_owned(), [7; 32]);
        let open = HouseCommand::OpenHouse { name, key, money, gaming_day };
        self.done(&Actor::System, &Command::House(open));
    }

    fn appoint_staff(&mut self, money: Currency, gaming_day: DayRule) {
        self.open_house(money, gaming_day);
        let of_tables = STAFF.map(|(name, office)| (name, office, Department::TableGames));
        let others = OTHERS.map(|(name, department)| (name, Office::Dealer, department));
        for (name, office, department) in of_tables.into_iter().chain(others) {
            let person = Person::new(name);
            self.done(&Actor::System, &Command::House(HouseCommand::Appoint { person, office, department }));
        }
    }

    /// Gives a command, and checks everything that must hold afterwards; a refusal has changed nothing.
    pub(crate) fn give(&mut self, actor: &Actor, command: &Command) -> Result<Vec<Happened>, Refusal> {
        let decided = match self.floor.decide(actor, command, &mut self.memory) {
            Ok(decided) => decided,
            Err(Stop::Refused(refusal)) => return Err(refusal),
            Err(Stop::Store(error)) => panic!("{command:?}: {error}"),
        };
        let sealed = decided.sealed.clone();
        let happened = self.accept(actor, command, decided);
        self.given.push((actor.clone(), command.clone(), happened.clone(), sealed));
        self.times.push(self.memory.now);
        self.wait(1_000);
        Ok(happened)
    }

    /// Lets so many milliseconds pass.
    pub(crate) fn wait(&mut self, millis: u64) {
        self.memory.now.0 += millis;
    }

    /// Gives a command that must be taken.
    pub(crate) fn done(&mut self, actor: &Actor, command: &Command) -> Vec<Happened> {
        match self.give(actor, command) {
            Ok(happened) => happened,
            Err(refusal) => panic!("{actor}: {command:?} was refused: {} ({refusal})", refusal.reason),
        }
    }

    /// Gives a command that must be refused, and says for which reason.
    pub(crate) fn refused(&mut self, actor: &Actor, command: &Command) -> Refusal {
        match self.give(actor, command) {
            Ok(happened) => panic!("{actor}: {command:?} was taken: {happened:?}"),
            Err(refusal) => refusal,
        }
    }

    fn accept(&mut self, actor: &Actor, command: &Command, decided: Decided) -> Vec<Happened> {
        let streams = floor::streams_of(command, &self.floor);
        let (happened, sealed) = (decided.happened.clone(), decided.sealed.clone());
        for one in &happened {
            assert!(streams.contains(&one.stream), "{command:?} wrote to {} unannounced", one.stream);
            self.check_shuffle(one);
            self.move_money(one);
        }
        for thing in sealed {
            match thing.value {
                Some(value) => self.memory.sealed.insert((thing.kind, thing.key), value),
                None => self.memory.sealed.remove(&(thing.kind, thing.key)),
            };
        }
        self.floor.accept(decided);
        for one in &happened {
            let at = self.memory.now();
            self.replayed
                .evolve(&one.stream, &one.event, at, actor)
                .expect("an event that happened can be replayed");
        }
        self.check_all(&happened);
        self.log.extend(happened.iter().cloned());
        happened
    }

    /// Every transfer is of something, between two accounts, and leaves none below zero that may not be.
    fn move_money(&mut self, happened: &Happened) {
        for moved in &happened.transfers {
            assert!(Amount::ZERO < moved.amount && moved.from != moved.to, "{moved:?}");
            let source = self.memory.holds(&moved.from).minus(moved.amount).expect("fits");
            let short = source < Amount::ZERO && !moved.from.may_be_negative();
            assert!(!short, "{} fell below zero: {happened:?}", moved.from);
            self.memory.balances.insert(moved.from.clone(), source);
            let target = self.memory.holds(&moved.to).plus(moved.amount).expect("fits");
            self.memory.balances.insert(moved.to.clone(), target);
        }
    }

    /// A seed is opened only when its round is over, and is the one committed to.
    fn check_shuffle(&self, happened: &Happened) {
        let (Stream::Table(id), Event::Table(TableEvent::ShuffleOpened { seed })) =
            (&happened.stream, &happened.event)
        else {
            return;
        };
        let table = self.floor.table(id).expect("a shuffle is opened at a table that was there");
        let shuffle = table.shuffle().expect("a shuffle is opened that was committed to");
        assert_eq!(dealing::commitment(id, table.number(), Seed(*seed)), shuffle.commitment);
        assert!(!table.round().stage().is_in_play(), "the shuffle of a round in play was opened");
    }

    fn check_all(&self, happened: &[Happened]) {
        assert_eq!(self.floor.house(), self.replayed.house(), "replay differs");
        for one in happened {
            match &one.stream {
                Stream::House => {}
                Stream::Table(id) => {
                    assert_eq!(self.floor.table(id), self.replayed.table(id), "replay differs");
                    self.check_hidden(id, &one.event);
                }
                Stream::Link(id) => assert_eq!(self.floor.link(id), self.replayed.link(id), "replay differs"),
            }
        }
        let balances: Vec<_> = self.memory.balances.clone().into_iter().collect();
        let balance = check::check(&self.floor, &balances);
        assert_eq!(balance.figure(), 0, "not accounted for after {happened:?}: {balance:?}");
    }

    /// At a table dealt from a shuffle no card is in the log before its time: it lies face up by now, its hand was
    /// viewed or shown, or the round is settled.
    fn check_hidden(&self, id: &TableId, event: &Event) {
        let table = self.floor.table(id).expect("something happened to it");
        if !table.is_software_dealt() {
            return;
        }
        let round = table.round();
        let (place, card) = match event {
            Event::Table(TableEvent::Round(round::Event::CardDealt { place, card: Some(card) })) => {
                panic!("{card} went to {place:?} face up")
            }
            Event::Table(TableEvent::Round(round::Event::CardRead { place, card })) => (*place, *card),
            _ => return,
        };
        let seen = round.stage() == Stage::Concluded
            || match place {
                Place::Player(position, _) => {
                    let seat = round.seat(position).expect("a position of the layout");
                    seat.is_viewed() || seat.is_shown() || seat.has_declined()
                }
                Place::Community(_) => round.exposed_community().contains(&card),
                Place::Dealer(_) => round.exposed_dealer().contains(&card),
            };
        assert!(seen, "{card} at {place:?} is in the log before its time");
    }
}

/// The chain of salts of a Player at a table, the anchor last. There are several: `which` tells them apart.
pub(crate) fn chain(name: &str, who: &str, which: u8) -> Vec<Hash> {
    let mut links = vec![Hash::of([name.as_bytes(), who.as_bytes(), &[which]])];
    for _ in 0..24 {
        let last = *links.last().expect("a chain begins with a secret");
        links.push(dealing::link(&table(name), &player(who), last));
    }
    links
}

pub(crate) fn commit_salts(name: &str, who: &str, which: u8) -> Command {
    let anchor = *chain(name, who, which).last().expect("an anchor");
    let command = OwnCommand::CommitSalts { player: player(who), anchor };
    Command::Table { table: table(name), command: TableCommand::Own(command) }
}

pub(crate) fn open_salt(name: &str, who: &str, salt: Hash) -> Command {
    let command = OwnCommand::OpenSalt { player: player(who), salt };
    Command::Table { table: table(name), command: TableCommand::Own(command) }
}

pub(crate) fn drop_salts(name: &str) -> Command {
    Command::Table { table: table(name), command: TableCommand::Own(OwnCommand::DropSalts {}) }
}

/// Short ways to say what is said often.
impl Hall {
    /// The next salt of a Player's chain, if it is one of [`chain`] and not used up.
    pub(crate) fn next_salt(&self, name: &str, who: &str) -> Option<Hash> {
        let anchor = self.floor.table(&table(name)).expect("a table").anchor(&player(who))?;
        let chains = (0..4).flat_map(|which| chain(name, who, which));
        chains.into_iter().find(|salt| dealing::link(&table(name), &player(who), *salt) == anchor)
    }

    /// A Player opens the next salt of their chain.
    pub(crate) fn opens(&mut self, name: &str, who: &str) -> Vec<Happened> {
        let salt = self.next_salt(name, who).expect("a chain that goes on");
        self.done(&by_player(who), &open_salt(name, who, salt))
    }

    pub(crate) fn buy_in(&mut self, name: &str, amount: Money, means: Means) {
        let (player, identity) = (player(name), Some("passport".to_owned()));
        if self.floor.house().money() == Some(Currency::Play) {
            self.done(&manager(), &Command::House(HouseCommand::GrantCredits { player, amount, means }));
            return;
        }
        let mut left = amount;
        while !left.is_zero() {
            // As much as one person may change.
            let (player, amount, identity) = (player.clone(), left.min(dollars(10_000)), identity.clone());
            self.done(&dealer(), &Command::House(HouseCommand::BuyIn { player, amount, means, identity }));
            left = left.minus(amount).expect("no more than is left");
        }
    }

    /// Changes credits into cash, with a second signature where it takes one.
    pub(crate) fn cash_out(&mut self, name: &str, amount: Money) -> Result<Vec<Happened>, Refusal> {
        let (player, means, identity) = (player(name), Means::Credits, Some("passport".to_owned()));
        if dollars(10_000) < amount {
            let proposal = Proposal::CashOut { player, amount, means, identity };
            return self.two_sign(&supervisor(), &manager(), proposal);
        }
        self.give(&supervisor(), &Command::House(HouseCommand::CashOut { player, amount, means, identity }))
    }

    /// Two people lift the limits of the house as far as the ledger goes.
    pub(crate) fn lift_limits(&mut self) {
        let most = dollars(1_000_000_000);
        let limits = HouseLimits {
            cash: most,
            cash_per_day: dollars(100_000_000_000),
            cash_max: most,
            ruling: dollars(100_000_000_000),
            wager: dollars(1_000_000),
            ..HouseLimits::default()
        };
        let proposal = Proposal::ChangeHouseLimits { limits };
        self.two_sign(&shift_manager(), &accountant(), proposal).expect("two people may");
    }

    /// Gives a table's round a command.
    pub(crate) fn at(
        &mut self,
        actor: &Actor,
        name: &str,
        command: round::Command,
    ) -> Result<Vec<Happened>, Refusal> {
        let command = TableCommand::Round(command);
        self.give(actor, &Command::Table { table: table(name), command })
    }

    /// Gives a table's round a command that must be taken.
    pub(crate) fn play(&mut self, actor: &Actor, name: &str, command: round::Command) -> Vec<Happened> {
        let command = TableCommand::Round(command);
        self.done(actor, &Command::Table { table: table(name), command })
    }

    /// Gives a table a command that must be taken.
    pub(crate) fn table(&mut self, actor: &Actor, name: &str, command: TableCommand) -> Vec<Happened> {
        self.done(actor, &Command::Table { table: table(name), command })
    }

    /// Gives a link's desk a command that must be taken.
    pub(crate) fn desk(&mut self, actor: &Actor, name: &str, command: DeskCommand) -> Vec<Happened> {
        self.done(actor, &Command::Desk { link: link(name), command })
    }

    /// After a power failure everybody who has not answered leaves the wagers, and play goes on.
    pub(crate) fn resume(&mut self, actor: &Actor, name: &str) {
        for player in self.round(name).unanswered() {
            self.play(actor, name, round::Command::StayIn { player });
        }
        self.play(actor, name, round::Command::ResumePlay {});
    }

    pub(crate) fn seat(&mut self, name: &str, position: u8, who: &str) {
        let take = round::Command::TakePosition { position: Position(position), player: player(who) };
        self.play(&by_player(who), name, take);
    }

    /// Places a wager in credits, by the Player.
    pub(crate) fn bet(&mut self, name: &str, position: u8, who: &str, area: PlayingArea, amount: Money) {
        self.play(&by_player(who), name, wager(position, who, area, amount, Means::Credits));
    }

    /// Opens bets where they are not, seats Players at positions from the first on, each with an Ante of S$100.00 and
    /// a Jackpot wager of S$5.00, and closes bets.
    pub(crate) fn ready(&mut self, name: &str, players: &[&str]) {
        for (position, who) in (1..).zip(players) {
            let seat = self.round(name).seat(Position(position));
            if seat.expect("of the layout").holder().is_none() {
                self.seat(name, position, who);
            }
        }
        self.play(&dealer(), name, round::Command::OpenBets {});
        for (position, who) in (1..).zip(players) {
            self.bet(name, position, who, PlayingArea::Ante, dollars(100));
            self.bet(name, position, who, PlayingArea::Jackpot, dollars(5));
        }
        self.play(&dealer(), name, round::Command::CloseBets {});
    }

    /// Plays a round on to its settlement: cards as `cards` has them at a live table, hands shown, decisions by
    /// `decide`.
    pub(crate) fn finish(
        &mut self,
        name: &str,
        cards: &Cards,
        decide: impl Fn(Position, PlayingArea) -> Decision,
    ) {
        loop {
            match self.round(name).stage() {
                Stage::Settling => break,
                Stage::Dealing => self.deal(name, cards),
                Stage::Exposing(_) => {
                    self.play(&dealer(), name, round::Command::Expose {});
                }
                Stage::Deciding(area) => {
                    for position in self.active(name) {
                        let decision = decide(position, area);
                        self.play(&dealer(), name, round::Command::Decide { position, decision });
                    }
                }
                Stage::Showing => {
                    for position in self.active(name) {
                        self.play(&dealer(), name, round::Command::ShowHand { position });
                    }
                }
                stage => panic!("{name} is at {stage:?}; no round is in play"),
            }
        }
        self.play(&dealer(), name, round::Command::Settle {});
    }

    /// A whole round: Players as [`Hall::ready`] has them, everybody wagering to the end.
    pub(crate) fn whole_round(&mut self, name: &str, players: &[&str], cards: &Cards) {
        self.ready(name, players);
        self.finish(name, cards, |_, _| Decision::Wager);
    }

    /// Begins the next round, after a bad deck with another one.
    pub(crate) fn next_round(&mut self, name: &str) {
        if self.floor.table(&table(name)).expect("a table").needs_deck() {
            let deck = format!("spare {}", self.number(name));
            self.table(&dealer(), name, TableCommand::Own(OwnCommand::BringDeck { deck, receipt: None }));
        }
        self.play(&dealer(), name, round::Command::BeginNextRound {});
    }

    /// Every card that is due.
    pub(crate) fn deal(&mut self, name: &str, cards: &Cards) {
        if self.floor.table(&table(name)).expect("a table").is_software_dealt() {
            self.table(&dealer(), name, TableCommand::Own(OwnCommand::DealAll {}));
            return;
        }
        while let Some(place) = self.round(name).next_place() {
            let card = Some(cards.at(place));
            self.play(&dealer(), name, round::Command::DealCard { card });
        }
    }

    fn active(&self, name: &str) -> Vec<Position> {
        let round = self.round(name);
        round.seats().filter(|(_, seat)| seat.is_active()).map(|(position, _)| position).collect()
    }

    pub(crate) fn round(&self, name: &str) -> &round::Round {
        self.floor.table(&table(name)).expect("a table").round()
    }

    /// The number of a table's round.
    pub(crate) fn number(&self, name: &str) -> u64 {
        self.floor.table(&table(name)).expect("a table").number()
    }

    /// What a Player's wallet holds, in cents.
    pub(crate) fn wallet(&self, name: &str) -> u64 {
        let held = self.memory.holds(&Account::Wallet(player(name)));
        held.cents().expect("a wallet holds whole cents, not below zero").cents()
    }

    /// What a link's meter holds.
    pub(crate) fn meter(&self, name: &str) -> Pool {
        self.floor.link(&link(name)).expect("a link").link().meter()
    }
}

/// A wager as a command.
pub(crate) fn wager(
    position: u8,
    who: &str,
    area: PlayingArea,
    amount: Money,
    means: Means,
) -> round::Command {
    round::Command::PlaceWager { position: Position(position), area, owner: player(who), amount, means }
}

/// Which cards a live table is dealt: those named, and otherwise cards of no use from the low end of the deck.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cards {
    named: BTreeMap<Place, Card>,
}

impl Cards {
    pub(crate) fn hand(self, position: u8, text: &str) -> Cards {
        self.named(text, |at| Place::Player(Position(position), at))
    }

    pub(crate) fn community(self, text: &str) -> Cards {
        self.named(text, Place::Community)
    }

    pub(crate) fn dealer(self, text: &str) -> Cards {
        self.named(text, Place::Dealer)
    }

    fn named(mut self, text: &str, place: impl Fn(u8) -> Place) -> Cards {
        self.named.extend((0..).zip(cards(text)).map(|(at, card)| (place(at), card)));
        self
    }

    /// The card of a place. A place that has none named always gets the same, which no other place gets.
    pub(crate) fn at(&self, place: Place) -> Card {
        if let Some(card) = self.named.get(&place) {
            return *card;
        }
        let number = match place {
            Place::Dealer(at) => at,
            Place::Community(at) => 5 + at,
            Place::Player(position, at) => 5 + 5 * position.0 + at,
        };
        // Every 23rd card of the deck: neighbours have nothing to do with each other.
        let unnamed = (0..52_u8)
            .map(|index| Card::from_index(u8::try_from(u32::from(index) * 23 % 52).expect("a card")));
        let unnamed = unnamed.flatten().filter(|card| !self.named.values().any(|named| named == card));
        unnamed.cycle().nth(usize::from(number)).expect("a deck has so many cards")
    }
}
