//! What a command does, or why it is refused. Nothing here writes to the floor: a command works on copies of what it
//! changes, and [`Floor::accept`] puts them in place.

mod cards;
mod changes;
mod entry;
mod house;
mod names;
mod proposal;
mod rounds;
mod rules;
mod table;
mod wagers;

use std::collections::BTreeMap;
use std::sync::Arc;

use jackpot::{Pair, TableId};
use journal::{
    Account, Actor, Amount, Books, Carried, Code, Command, Event, HouseEvent, LinkEvent, LinkId, Moment,
    Sealed, StoreError, Stream, TableCommand, TableEvent, Transfer,
};
use rulebook::{Clause, Office, R6_2};

use crate::dealing::Seed;
use crate::desk::Desk;
use crate::floor::Floor;
use crate::house::{House, check_may, check_office};
use crate::library::Library;
use crate::moves;
use crate::permissions;
use crate::refusal::{Reason, Refusal};
use crate::table::Table;

pub(crate) use cards::cards_to_read;
pub(crate) use entry::{Entered, corrected_prizes, undone_under};
pub(crate) use house::{AMOUNT_MAX, DEMONSTRATION, PRACTISED, WAGER_MAX, check_amount, largest};
pub(crate) use journal::vault::kind::SEED;
pub use names::{PRACTICE, check_name, is_practice_name};
pub(crate) use names::{check_free, check_text};
pub(crate) use proposal::check_custody;
pub(crate) use proposal::{desk_command, signed_command};
pub use rules::{edge_in_words, figures_changed};
pub(crate) use table::{
    ANSWER_AWAITED_MS, corrected_payment, gives, prizes_from, ruled_gift, staked, voided_by_dealer,
    waiting_prizes,
};
pub(crate) use wagers::to_set;

/// Under which key a round's seed is kept.
pub(crate) fn seed_key(table: &TableId, round: u64) -> String {
    format!("{table}/{round}")
}

/// What a decision needs to know beyond the floor: money, sealed seeds, chance and the time.
pub trait DecideContext {
    /// What an account holds.
    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError>;

    /// The seed of a round's shuffle that was kept when it was committed to. `None` where it is gone or does not open.
    fn seed(&mut self, table: &TableId, round: u64) -> Result<Option<Seed>, StoreError>;

    /// A new seed, from the operating system.
    fn draw(&mut self) -> Result<Seed, StoreError>;

    /// The books at this moment, where a floor is written to a log.
    fn books(&mut self) -> Result<Books, StoreError> {
        Err(StoreError::Failed("there are no books here".to_owned()))
    }

    /// The time that the entries get.
    fn now(&self) -> Moment;
}

/// The context of a command that is only tried.
struct Rehearsal {
    now: Moment,
}

impl DecideContext for Rehearsal {
    fn balance(&mut self, _: &Account) -> Result<Amount, StoreError> {
        Ok(Amount(i64::MAX / 4))
    }

    fn seed(&mut self, _: &TableId, _: u64) -> Result<Option<Seed>, StoreError> {
        Ok(None)
    }

    fn draw(&mut self) -> Result<Seed, StoreError> {
        Ok(Seed([0; 32]))
    }

    fn now(&self) -> Moment {
        self.now
    }
}

/// Why a command was not decided.
#[derive(Debug)]
pub enum Stop {
    Refused(Refusal),
    /// The store could not be asked.
    Store(StoreError),
}

impl<R: Into<Refusal>> From<R> for Stop {
    fn from(refusal: R) -> Stop {
        Stop::Refused(refusal.into())
    }
}

/// One event with the money it moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happened {
    /// To whom.
    pub stream: Stream,
    pub event: Event,
    /// The money it moved.
    pub transfers: Vec<Transfer>,
    /// The table as of this event, where it happened to one.
    pub table: Option<Arc<Table>>,
}

/// Everything a command causes.
#[derive(Debug, Default)]
pub struct Decided {
    /// What happened, in order.
    pub happened: Vec<Happened>,
    /// What is kept beside the log.
    pub sealed: Vec<Sealed>,
    house: Option<House>,
    table: Option<Arc<Table>>,
    links: BTreeMap<LinkId, Desk>,
}

impl Floor {
    /// What `command` would bring about, or why it is refused.
    pub fn decide(
        &self,
        actor: &Actor,
        command: &Command,
        ground: &mut dyn DecideContext,
    ) -> Result<Decided, Stop> {
        let (decided, held) = (Decided::default(), BTreeMap::new());
        let mut work = Decider { floor: self, actor, ground, decided, held, pair: None, library: None };
        work.check_actor(command)?;
        work.decide(command)?;
        Ok(work.decided)
    }

    /// Why `command` would be refused now, if it would. Seeds are not opened and money is taken to be there: what only
    /// they would refuse is not found.
    pub fn would_refuse(&self, actor: &Actor, command: &Command, now: Moment) -> Option<Refusal> {
        match self.decide(actor, command, &mut Rehearsal { now }) {
            Ok(_) | Err(Stop::Store(_)) => None,
            // Without the seed the cards cannot be read; what else the round would say is asked of the round.
            Err(Stop::Refused(refusal)) if refusal.is_lost_seed() => {
                let Command::Table { table, command: TableCommand::Round(command) } = command else {
                    return None;
                };
                let refused = self.table(table)?.round().decide(&actor.by(), command).err()?;
                (refused.reason != round::Reason::CardNotRead).then(|| refused.into())
            }
            Err(Stop::Refused(refusal)) => Some(refusal),
        }
    }

    /// Puts what was decided in place.
    pub fn accept(&mut self, decided: Decided) {
        if let Some(house) = decided.house {
            self.put_house(Arc::new(house)).expect("a decided house has only rulebooks that were read");
        }
        if let Some(table) = decided.table {
            let id = table.id().clone();
            self.put_table(&id, Some(table));
        }
        for (id, desk) in decided.links {
            self.put_link(&id, Some(Arc::new(desk)));
        }
    }
}

/// A command being decided: the copies it works on, and what it has brought about so far.
struct Decider<'a> {
    floor: &'a Floor,
    actor: &'a Actor,
    ground: &'a mut dyn DecideContext,
    decided: Decided,
    /// What the accounts touched hold by now.
    held: BTreeMap<Account, Amount>,
    /// Both signatures, where this carries out what two people signed.
    pair: Option<Pair>,
    /// The rulebooks, where the command changes them.
    library: Option<Library>,
}

impl Decider<'_> {
    fn decide(&mut self, command: &Command) -> Result<(), Stop> {
        match command {
            Command::House(command) => self.at_house(command),
            Command::Table { table, command } => self.at_table(table, command),
            Command::Desk { link, command } => self.at_desk(link, command),
            Command::CarryForward { stream } => self.carry_forward(stream),
        }
    }

    /// Carries a stream forward: the state that the log has it in, and with the house's the books of all. What is written must
    /// be what a start gets back from it.
    fn carry_forward(&mut self, stream: &Stream) -> Result<(), Stop> {
        if *self.actor != Actor::System {
            return Err(Reason::SystemOnly.refuse().into());
        }
        let state = self.floor.state_of(stream).ok_or_else(|| Reason::NotBetweenRounds.refuse())?;
        let mut books = None;
        if *stream == Stream::House {
            let mut closed = self.ground.books().map_err(Stop::Store)?;
            closed.heads.retain(|head| head.stream != Stream::House);
            let sum = closed.balances.iter().fold(0_i128, |sum, (_, held)| sum.saturating_add(held.0.into()));
            if sum != 0 {
                return Err(Reason::NotTheState.because(&format!("The accounts sum to {sum}.")).into());
            }
            books = Some(closed);
        }
        let carried = Carried { state, books };
        let checked = self.floor.check_carried(stream, &carried);
        checked.map_err(|error| Reason::NotTheState.because(&error))?;
        if let Stream::Link(id) = stream {
            let mut desk = Desk::clone(self.link(id)?);
            desk.pass_carried();
            self.decided.links.insert(id.clone(), desk);
        }
        let table = if let Stream::Table(id) = stream { self.floor.table(id).cloned() } else { None };
        let (stream, event) = (stream.clone(), Event::Carried(carried));
        self.decided.happened.push(Happened { stream, event, transfers: Vec::new(), table });
        Ok(())
    }

    /// Refuses those the house does not know; a command of the house is refused there.
    fn check_actor(&self, command: &Command) -> Result<(), Refusal> {
        match command {
            Command::House(_) | Command::CarryForward { .. } => Ok(()),
            Command::Table { .. } | Command::Desk { .. } => {
                self.house().check_actor(self.actor, self.ground.now())?;
                match self.actor {
                    Actor::Department(..) => check_may(self.actor, permissions::of(command)),
                    Actor::Device(device) => self.house().check_device(device, command, self.ground.now()),
                    Actor::Staff(..) | Actor::Acting(..) | Actor::Player(_) | Actor::System => Ok(()),
                }
            }
        }
    }

    /// Refuses anybody below an office; cites a table's book where there is one.
    fn check_office(&self, least: Office, clause: Option<Clause>) -> Result<(), Refusal> {
        check_office(self.actor, least, clause)
    }

    /// Who asks the round.
    fn by(&self) -> round::Asker {
        self.pair.as_ref().map_or_else(|| self.actor.by(), asker_of)
    }

    /// The house as it is by now.
    fn house(&self) -> &House {
        self.decided.house.as_ref().unwrap_or(self.floor.house())
    }

    /// The rulebooks by now.
    fn library(&self) -> &Library {
        self.library.as_ref().unwrap_or(self.floor.library())
    }

    /// A table as it is by now.
    fn table(&self, id: &TableId) -> Result<&Table, Refusal> {
        let changed = self.decided.table.as_ref().filter(|table| table.id() == id);
        match changed.or_else(|| self.floor.table(id)) {
            Some(table) => Ok(table),
            None => Err(Reason::NoSuchTable.refuse()),
        }
    }

    /// Every table as it is by now.
    fn tables(&self) -> impl Iterator<Item = &Table> {
        self.floor.tables().map(|table| {
            let changed = self.decided.table.as_ref().filter(|changed| changed.id() == table.id());
            changed.unwrap_or(table).as_ref()
        })
    }

    /// A link as it is by now.
    fn link(&self, id: &LinkId) -> Result<&Desk, Refusal> {
        let changed = self.decided.links.get(id);
        match changed.or_else(|| self.floor.link(id).map(Arc::as_ref)) {
            Some(desk) => Ok(desk),
            None => Err(Reason::NoSuchLink.refuse()),
        }
    }

    /// Something happened to the house.
    fn house_happened(&mut self, event: HouseEvent) -> Result<(), Stop> {
        let transfers = moves::of_house(&event);
        self.move_money(&transfers)?;
        let house = self.decided.house.get_or_insert_with(|| House::clone(self.floor.house()));
        house.evolve(&event, self.ground.now());
        house.note_maker(self.actor, &event);
        if let HouseEvent::RulesChanged { .. } = event {
            let library = self.floor.library().of_house(house);
            self.library = Some(library.map_err(|error| Reason::RulebookIsWrong.because(&error))?);
        }
        self.happened(Stream::House, Event::House(event), transfers);
        Ok(())
    }

    /// Something happened to a table.
    fn table_happened(&mut self, id: &TableId, event: TableEvent) -> Result<(), Stop> {
        let library = self.library.as_ref().unwrap_or(self.floor.library());
        let changed = self.decided.table.take().filter(|table| table.id() == id);
        let table = changed.or_else(|| self.floor.table(id).cloned());
        // Only to take a wager back one must know what lay there before.
        let takes_back = moves::takes_back(&event);
        let before = table.clone().filter(|_| takes_back);
        let after = match table {
            Some(mut table) => {
                let copy = Arc::make_mut(&mut table);
                let evolved = copy.evolve(library, &event);
                copy.note_dealer(self.actor, &event);
                copy.note_day(self.floor.house().day_rule(), self.actor, self.ground.now(), &event);
                evolved.map(|()| table)
            }
            None => Table::opened(id, library, &event).map(Arc::new),
        };
        let after = after.map_err(|error| Reason::SetupIsWrong.because(&error))?;
        let mut transfers = moves::of_table(before.as_deref(), &after, &event);
        self.check_corrected_limit(&after, &transfers)?;
        self.record_shortfall_as_debt(&mut transfers)?;
        if let TableEvent::Round(event) = &event {
            self.check_all_follow(&after, event)?;
        }
        self.move_money(&transfers)?;
        self.decided.table = Some(Arc::clone(&after));
        let (stream, event) = (Stream::Table(id.clone()), Event::Table(event));
        self.decided.happened.push(Happened { stream, event, transfers, table: Some(after) });
        Ok(())
    }

    /// Something happened to a link.
    fn link_happened(&mut self, id: &LinkId, event: LinkEvent) -> Result<(), Stop> {
        let changed = self.decided.links.remove(id);
        let desk = changed.or_else(|| self.floor.link(id).map(|desk| Desk::clone(desk)));
        let money = self.house().money().unwrap_or_default();
        let transfers = moves::of_link(id, desk.as_ref(), &event, money);
        self.move_money(&transfers)?;
        let after = match desk {
            Some(mut desk) => desk.evolve(self.library(), &event, self.ground.now()).map(|()| desk),
            None => Desk::open(self.library(), &event),
        };
        let after = after.map_err(|error| Reason::LinkIsWrong.because(&error))?;
        self.decided.links.insert(id.clone(), after);
        self.happened(Stream::Link(id.clone()), Event::Link(event), transfers);
        Ok(())
    }

    fn happened(&mut self, stream: Stream, event: Event, transfers: Vec<Transfer>) {
        self.decided.happened.push(Happened { stream, event, transfers, table: None });
    }

    /// What an account holds by now.
    fn balance(&mut self, account: &Account) -> Result<Amount, Stop> {
        if let Some(held) = self.held.get(account) {
            return Ok(*held);
        }
        let held = self.ground.balance(account).map_err(Stop::Store)?;
        self.held.insert(account.clone(), held);
        Ok(held)
    }

    /// Moves money, or says who has too little of it.
    fn move_money(&mut self, transfers: &[Transfer]) -> Result<(), Stop> {
        for moved in transfers {
            let source = self.balance(&moved.from)?;
            let target = self.balance(&moved.to)?;
            let too_large = |_| Reason::AmountTooLarge.refuse();
            let source = source.minus(moved.amount).map_err(too_large)?;
            if source < Amount::ZERO && !moved.from.may_be_negative() {
                return Err(too_little(&moved.from).into());
            }
            let target = target.plus(moved.amount).map_err(too_large)?;
            self.held.insert(moved.from.clone(), source);
            self.held.insert(moved.to.clone(), target);
        }
        Ok(())
    }

    /// A correction takes from a wallet what is still there, with what the same correction has brought it; the rest
    /// becomes a debt of the Player.
    fn record_shortfall_as_debt(&mut self, transfers: &mut Vec<Transfer>) -> Result<(), Stop> {
        let too_large = |_| Reason::AmountTooLarge.refuse();
        let mut left: BTreeMap<Account, Amount> = BTreeMap::new();
        let mut debts = Vec::new();
        for moved in transfers.iter_mut().filter(|moved| moved.code == Code::Corrected) {
            if let Account::Wallet(player) = &moved.from {
                let held = self.left(&left, &moved.from)?;
                let taken = moved.amount.min(held);
                let short = moved.amount.minus(taken).map_err(too_large)?;
                if Amount::ZERO < short {
                    let (code, from) = (Code::Lent, Account::Owed(player.clone()));
                    debts.push(Transfer { code, from, to: moved.to.clone(), amount: short });
                }
                moved.amount = taken;
                left.insert(moved.from.clone(), held.minus(taken).map_err(too_large)?);
            } else if let Account::Wallet(_) = &moved.to {
                let held = self.left(&left, &moved.to)?;
                left.insert(moved.to.clone(), held.plus(moved.amount).map_err(too_large)?);
            }
        }
        transfers.retain(|moved| moved.amount != Amount::ZERO);
        transfers.extend(debts);
        Ok(())
    }

    /// What an account has left while a correction is being made.
    fn left(&mut self, left: &BTreeMap<Account, Amount>, account: &Account) -> Result<Amount, Stop> {
        left.get(account).map_or_else(|| self.balance(account), |held| Ok(*held))
    }
}

/// Who has too little.
fn too_little(account: &Account) -> Refusal {
    match account {
        Account::Wallet(player) => Reason::NotEnoughCredits.because(&format_args!("({player})")),
        Account::Chips => Reason::NotEnoughChips.refuse(),
        Account::Cash
        | Account::Granted
        | Account::House
        | Account::Owed(_)
        | Account::Table(_)
        | Account::Meter(_)
        | Account::Reserve(_)
        | Account::Overflow(_)
        | Account::Awards(_) => panic!("unexpected debit: {account} would go negative"),
    }
}

/// Who asks the round where two people signed: the higher of their offices.
pub(crate) fn asker_of(pair: &Pair) -> round::Asker {
    round::Asker::Staff(pair.first.office.max(pair.second.office))
}

/// The office rule of a table's book.
fn office_rule(table: &Table) -> Clause {
    table.book().clause(R6_2)
}
