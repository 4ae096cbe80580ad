//! The house as a viewer sees it: who runs it, who plays there, and what the viewer may do about it.

use std::collections::BTreeMap;

use jackpot::{Department, Parameters, Person, Post, TableId};
use journal::{
    AccountHolder, Amount, Currency, Dealing, HouseCommand, HouseLimits, LinkId, OpenTable, PlayerKind,
    Proposal, Staffing,
};
use money::{Money, Pool, Rate};
use round::PlayerId;
use rulebook::{Limits, Means, Office};
use serde::Serialize;

use super::Viewer;
use super::choices::Choice;
use super::offers::Staff;
use crate::floor::Floor;
use crate::house::Acting;

/// For how many hours somebody acts in an office where nothing else is said: one shift.
const ACTING_HOURS: u16 = 8;

/// Somebody of the staff.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StaffMember {
    pub person: Person,
    /// The office in Table Games; in another department the lowest, because none is held there.
    pub office: Office,
    pub department: Department,
    /// The office they were last given for a time (6.2), which may be over or still to come.
    pub acting: Option<Acting>,
    /// What the viewer may do: propose to appoint to another office, to dismiss or to invite; give out an invitation.
    pub choices: Vec<Choice<HouseCommand>>,
}

/// A Player of the house.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct KnownPlayer {
    pub player: PlayerId,
    pub kind: PlayerKind,
    /// Their credits: their own, or for the staff.
    pub balance: Option<Money>,
    /// Whether they are prohibited from play: of themselves, or for the staff.
    pub prohibited: bool,
}

/// What the viewer may do for a Player at the counter, by the kind of Player. The sender fills in who it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Counter {
    pub member: Vec<Choice<HouseCommand>>,
    pub guest: Vec<Choice<HouseCommand>>,
    /// For Players of the house.
    pub house: Vec<Choice<HouseCommand>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct HouseView {
    pub name: Option<String>,
    /// What its money is.
    pub money: Option<Currency>,
    /// How far one person may go alone. For the staff.
    pub limits: Option<HouseLimits>,
    /// Why the log was restored from an older copy, where a Gaming Shift Manager has yet to sign for what is lost: until then
    /// no table takes wagers. For the staff.
    pub loss_to_sign: Option<String>,
    /// Who holds an office. For the staff.
    pub staff: Vec<StaffMember>,
    /// The Players by name, upper and lower case alike: those of the page that was asked for for the staff, oneself for a
    /// Player.
    pub players: Vec<KnownPlayer>,
    /// Whether more Players follow: ask for those after the last one.
    pub more_players: bool,
    /// How many Players the house knows. For the staff.
    pub players_count: Option<usize>,
    /// What the viewer may do at the counter.
    pub counter: Counter,
    /// What else the viewer may do: propose to appoint (and so invite staff), register a Player (and so invite one), open a
    /// table, propose to open a link.
    pub choices: Vec<Choice<HouseCommand>>,
}

/// Which Players are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayersPage {
    /// Those whose name begins like this.
    pub name: String,
    /// Those after this name.
    pub after: Option<String>,
    pub limit: usize,
}

impl PlayersPage {
    /// The Players of the page that a viewer may know of, and whether more follow.
    pub fn players(&self, floor: &Floor, viewer: &Viewer) -> (Vec<PlayerId>, bool) {
        let house = floor.house();
        if let Viewer::Player(player) = viewer {
            let known = house.player(player).map(|_| player.clone());
            return (known.into_iter().collect(), false);
        }
        if !viewer.is_staff() {
            return (Vec::new(), false);
        }
        let mut found = house.players_named(&self.name, self.after.as_deref()).cloned();
        let players = found.by_ref().take(self.limit).collect();
        (players, found.next().is_some())
    }
}

impl HouseView {
    /// The house as a viewer sees it; `wallets` are the Players' credits as far as they were looked up.
    pub fn of(
        floor: &Floor,
        wallets: &BTreeMap<PlayerId, Amount>,
        page: &PlayersPage,
        viewer: &Viewer,
    ) -> HouseView {
        let house = floor.house();
        let staff = Staff::of(floor, viewer);
        let (players, more_players) = page.players(floor, viewer);
        let known = |player: PlayerId| {
            let kind = house.player(&player)?;
            let balance = wallets.get(&player).map(|amount| amount.cents().unwrap_or_default());
            let prohibited = house.is_prohibited(&player);
            Some(KnownPlayer { player, kind, balance, prohibited })
        };
        HouseView {
            name: house.name().map(str::to_owned),
            money: house.money(),
            limits: staff.map(|_| *house.limits()),
            loss_to_sign: staff.and_then(|_| house.loss_to_sign()).map(str::to_owned),
            staff: staff.map_or_else(Vec::new, members),
            players: players.into_iter().filter_map(known).collect(),
            more_players,
            players_count: staff.map(|_| house.players_count()),
            counter: staff.map_or_else(Counter::default, counter),
            choices: staff.map_or_else(Vec::new, choices),
        }
    }
}

fn members(staff: Staff<'_>) -> Vec<StaffMember> {
    let member = |(person, Post { department, office }): (&Person, Post)| {
        let another = Office::ALL.into_iter().find(|other| *other != office).unwrap_or(office);
        let tables = Department::TableGames;
        let propose = |proposal| HouseCommand::Propose { proposal };
        let appoint =
            propose(Proposal::Appoint { person: person.clone(), office: another, department: tables });
        let acting = staff.floor.house().acting(person);
        let now = staff.floor.house().latest();
        let higher = Office::ALL.into_iter().find(|other| office < *other);
        let act = higher.map(|office| {
            let (person, from, until) = (person.clone(), now, now.plus_hours(ACTING_HOURS));
            propose(Proposal::AppointActing { person, office, from, until })
        });
        let end_acting = HouseCommand::EndActing { person: person.clone() };
        let dismiss = propose(Proposal::Dismiss { person: person.clone() });
        let again = propose(Proposal::InviteStaff { person: person.clone() });
        let invite = HouseCommand::Invite { who: AccountHolder::Staff(person.clone()), row: None };
        let lost = propose(Proposal::RemoveSecondFactor { person: person.clone() });
        let choices = [
            staff.house(appoint, &["proposal.office", "proposal.department"]),
            act.and_then(|act| staff.house(act, &["proposal.office", "proposal.from", "proposal.until"])),
            staff.house(end_acting, &[]),
            staff.house(dismiss, &[]),
            staff.house(again, &[]),
            staff.house(invite, &[]),
            staff.house(lost, &[]),
        ];
        let choices = choices.into_iter().flatten().collect();
        StaffMember { person: person.clone(), office, department, acting, choices }
    };
    staff.floor.house().staff().map(member).collect()
}

/// What may be done for a kind of Player is tried with one of them.
fn counter(staff: Staff<'_>) -> Counter {
    let of_kind = |kind: PlayerKind| {
        let one = staff.floor.house().one_of(kind);
        one.map_or_else(Vec::new, |player| at_counter(staff, player))
    };
    Counter {
        member: of_kind(PlayerKind::Member),
        guest: of_kind(PlayerKind::Guest),
        house: of_kind(PlayerKind::House),
    }
}

fn at_counter(staff: Staff<'_>, player: &PlayerId) -> Vec<Choice<HouseCommand>> {
    let player = || player.clone();
    let (amount, means, identity) = (Money::from_cents(100), Means::Credits, None::<String>);
    let cash: &[&str] = &["player", "amount", "means", "identity"];
    let granted: &[&str] = &["player", "amount", "means"];
    let credits: &[&str] = &["player", "amount"];
    let all = [
        (HouseCommand::BuyIn { player: player(), amount, means, identity: identity.clone() }, cash),
        (HouseCommand::CashOut { player: player(), amount, means, identity }, cash),
        (HouseCommand::GrantCredits { player: player(), amount, means }, granted),
        (HouseCommand::RepayDebt { player: player(), amount }, credits),
    ];
    let nobody = |choice: Choice<HouseCommand>| Choice { command: of_nobody(choice.command), ..choice };
    all.into_iter().filter_map(|(command, fields)| staff.house(command, fields)).map(nobody).collect()
}

/// The same command without the Player it was tried with.
fn of_nobody(mut command: HouseCommand) -> HouseCommand {
    if let HouseCommand::BuyIn { player, .. }
    | HouseCommand::CashOut { player, .. }
    | HouseCommand::GrantCredits { player, .. }
    | HouseCommand::RepayDebt { player, .. } = &mut command
    {
        *player = PlayerId::new("");
    }
    command
}

fn choices(staff: Staff<'_>) -> Vec<Choice<HouseCommand>> {
    let name = free_name(staff);
    let propose = |proposal| HouseCommand::Propose { proposal };
    // A house without Accounting can appoint nobody else.
    let appoint = |department| {
        let person = Person::new(&name);
        propose(Proposal::Appoint { person, office: Office::Dealer, department })
    };
    let appoint_fields = ["proposal.person", "proposal.office", "proposal.department"];
    let appoint = staff
        .house(appoint(Department::TableGames), &appoint_fields)
        .or_else(|| staff.house(appoint(Department::Accounting), &appoint_fields));
    let register = HouseCommand::RegisterPlayer { player: PlayerId::new(&name), kind: PlayerKind::Member };
    let limits = *staff.floor.house().limits();
    let limits = HouseLimits { independence_days: limits.independence_days.saturating_add(1), ..limits };
    let all: [(Option<HouseCommand>, &[&str]); 5] = [
        (Some(HouseCommand::SignRollback {}), &[]),
        (Some(register), &["player"]),
        (open_table(staff, &name), &["table", "setup"]),
        (
            open_link(staff, &name),
            &["proposal.link", "proposal.books", "proposal.settings", "proposal.opening"],
        ),
        (Some(propose(Proposal::ChangeHouseLimits { limits })), &["proposal.limits"]),
    ];
    let others = all.into_iter().filter_map(|(command, fields)| staff.house(command?, fields));
    appoint.into_iter().chain(others).collect()
}

/// A name that nobody and nothing has.
fn free_name(staff: Staff<'_>) -> String {
    let house = staff.floor.house();
    let taken = |name: &String| {
        house.player(&PlayerId::new(name)).is_some()
            || house.post(&Person::new(name)).is_some()
            || staff.floor.table(&TableId::new(name)).is_some()
            || staff.floor.link(&LinkId::new(name)).is_some()
    };
    (1..=u64::MAX).map(|number| format!("New {number}")).find(|name| !taken(name)).unwrap_or_default()
}

fn open_table(staff: Staff<'_>, name: &str) -> Option<HouseCommand> {
    let book = staff.floor.library().iter().next()?;
    let layout = book.layouts.first()?;
    let positions = *layout.positions.end();
    let amounts = Money::from_cents(2_500)..=Money::from_cents(100_000);
    let bonus = book.areas().contains(&rulebook::PlayingArea::Bonus).then(|| amounts.clone());
    let setup = OpenTable {
        rulebook: book.id.clone(),
        positions,
        layout: Some(layout.letter),
        jackpot_means: book.jackpot.means.first().copied(),
        limits: Limits { ante: amounts, bonus },
        method: None,
        dealing: Dealing::Live,
        staffing: Staffing::Staffed,
        link: None,
        reason: None,
    };
    Some(HouseCommand::OpenTable { table: TableId::new(name), setup })
}

fn open_link(staff: Staff<'_>, name: &str) -> Option<HouseCommand> {
    let book = staff.floor.library().iter().next()?;
    let cents = Money::from_cents;
    let settings = Parameters {
        minimum_wager: cents(500),
        contribution: Rate::from_basis_points(2_000).ok()?,
        reset: cents(10_000_000),
        reserve: None,
        cap: None,
        round_contribution_max: Pool::try_from(cents(10_000_000)).ok()?,
    };
    let opening = Pool::try_from(settings.reset).ok()?;
    let books = vec![book.id.clone()];
    let proposal = Proposal::OpenLink { link: LinkId::new(name), books, settings, opening };
    Some(HouseCommand::Propose { proposal })
}
