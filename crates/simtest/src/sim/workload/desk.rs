//! Requests at the jackpot desk, proposals, the counter, and appointments.

use std::sync::Arc;

use floor::{Command, Desk, DeskCommand, Floor, HouseCommand, Table};
use jackpot::{
    AwardNumber, AwardState, Cause, Checklist, Custody, Department, Evidence, FaultKind, Parameters, Person,
    RejectCause, Settings, TableId,
};
use journal::{Hash, JackpotCheck, LinkId, Moment, PlayerKind, Proposal};
use money::{Money, Pool, Rate};
use round::{PlayerId, Stage};
use rulebook::{Limits, Means, Office};

use super::{Workload, is_member};
use crate::sim::books::change_from;
use crate::sim::keys::further_signers;
use crate::sim::plan::dollars;

/// A change of rules is signed at least a minute before its hour; somewhat more here, because time passes meanwhile.
const NOTICE_MS: u64 = 70_000;

impl Workload {
    fn link(&mut self, floor: &Floor) -> Option<(LinkId, Arc<Desk>)> {
        let links: Vec<_> = floor.links().map(|(id, desk)| (id.clone(), Arc::clone(desk))).collect();
        self.dice.any(&links)
    }

    fn table(&mut self, floor: &Floor) -> Option<Arc<Table>> {
        let tables: Vec<_> = floor.tables().cloned().collect();
        self.dice.any(&tables)
    }

    /// An open award, or a number that may not exist.
    fn award(&mut self, desk: &Desk) -> AwardNumber {
        let open: Vec<AwardNumber> = desk.link().open_awards().map(|award| award.number).collect();
        self.dice.any(&open).unwrap_or(AwardNumber(1))
    }

    /// A step of an award from its entry to its payment.
    pub(super) fn at_desk(&mut self, floor: &Floor) -> Command {
        let Some((link, desk)) = self.link(floor) else {
            return self.at_counter(floor);
        };
        let award = self.award(&desk);
        let state = desk.link().award(award).map(|award| award.state);
        let is_locked = !desk.link().faults().is_empty();
        let command = match (state, self.dice.below(12)) {
            (_, 0) => self.lose_or_restore(floor),
            // While something is locked, people sign that it is in order again.
            (_, 1..=4) if is_locked => return self.proposal_or_signature(floor),
            (_, 9) if !is_locked && self.dice.one_in(3) => self.link_fault(floor),
            (Some(AwardState::Entered), 1..=8) => {
                let deck_cards = if self.dice.one_in(10) { 51 } else { 52 };
                let checklist = Checklist { cards_checked: true, deck_cards, custody: Some(custody()) };
                DeskCommand::Verify { award, checklist }
            }
            (Some(AwardState::Verified), 1..=8) => DeskCommand::Approve { award },
            (Some(AwardState::Approved), 1..=4) => {
                DeskCommand::RecordDueDiligence { award, reference: "file".to_owned() }
            }
            (None, _) => return self.proposal_or_signature(floor),
            _ => DeskCommand::Pay { award, means: None },
        };
        Command::Desk { link, command }
    }

    fn lose_or_restore(&mut self, floor: &Floor) -> DeskCommand {
        let lost = |table: &&Arc<Table>| {
            let link = table.setup().link.as_ref().and_then(|link| floor.link(link));
            link.is_some_and(|desk| desk.link().is_lost(table.id()))
        };
        let lost: Vec<TableId> = floor.tables().filter(lost).map(|table| table.id().clone()).collect();
        match (self.dice.any(&lost), self.table(floor)) {
            (Some(table), _) => DeskCommand::RestoreTable { table },
            (None, Some(table)) => DeskCommand::LoseTable { table: table.id().clone() },
            (None, None) => DeskCommand::RestoreTable { table: TableId::new("T1") },
        }
    }

    /// A fault that the server reports of what only it sees: its log, its clock, a sign, a table's wagers.
    fn link_fault(&mut self, floor: &Floor) -> DeskCommand {
        let kind = self.dice.pick(&[
            FaultKind::LogWrong,
            FaultKind::ClockWentBack,
            FaultKind::DisplayDiffers,
            FaultKind::ContributionImplausible,
        ]);
        let of_table = kind == FaultKind::ContributionImplausible;
        let table = self.table(floor).filter(|_| of_table).map(|table| table.id().clone());
        DeskCommand::ReportFault { kind, table, seen: "something is wrong".to_owned(), counted: None }
    }

    /// A proposal, or its second signature.
    pub(super) fn proposal_or_signature(&mut self, floor: &Floor) -> Command {
        let numbers: Vec<u64> = floor.house().proposals().map(|(number, _)| number).collect();
        match self.dice.any(&numbers) {
            Some(number) if self.dice.one_in(5) => Command::House(HouseCommand::WithdrawProposal { number }),
            Some(number) => Command::House(HouseCommand::Confirm { number }),
            None => match self.proposal(floor) {
                Some(proposal) => Command::House(HouseCommand::Propose { proposal }),
                None => self.at_counter(floor),
            },
        }
    }

    /// Another key for the log, or other rules, in runs that change them.
    fn change_of_house(&mut self, floor: &Floor) -> Option<Proposal> {
        if self.plan.keys.is_some() && self.dice.one_in(5) {
            let key = Hash(self.dice.pick(further_signers()).public_key());
            return Some(Proposal::ChangeSigningKey { key });
        }
        if self.plan.changes_rules && self.dice.one_in(3) {
            let from = self.latest.0 + NOTICE_MS + self.dice.below(NOTICE_MS);
            let table = self.table(floor)?;
            let change = change_from(floor.library(), &table.setup().rulebook, Moment(from))?;
            return Some(Proposal::ChangeRules { change });
        }
        if self.plan.changes_figures && self.dice.one_in(2) {
            return self.change_of_figures(floor);
        }
        None
    }

    /// Other limits of a table or settings of a link, most often from an hour on.
    fn change_of_figures(&mut self, floor: &Floor) -> Option<Proposal> {
        let from = Moment(self.latest.0 + NOTICE_MS + self.dice.below(NOTICE_MS));
        if self.dice.one_in(2) {
            let (link, desk) = self.link(floor)?;
            let settings = self.other_settings(*desk.link().settings().parameters())?;
            let check = |book: &Arc<rulebook::Rulebook>| JackpotCheck {
                rulebook: book.id.clone(),
                before: None,
                after: None,
                uncounted: Some("a simulation".to_owned()),
            };
            let check = desk.link().books().iter().map(check).collect();
            return Some(Proposal::Reconfigure { link, settings, from: Some(from), check });
        }
        let table = self.table(floor)?;
        let present = &table.setup().limits;
        let most = Money::from_cents(present.ante.end().cents() + 100 * self.dice.below(3));
        let limits = Limits { ante: *present.ante.start()..=most, bonus: present.bonus.clone() };
        let from = (!self.dice.one_in(4)).then_some(from);
        Some(Proposal::ChangeTableLimits { table: table.id().clone(), limits, from })
    }

    fn proposal(&mut self, floor: &Floor) -> Option<Proposal> {
        if let Some(proposal) = self.change_of_house(floor) {
            return Some(proposal);
        }
        let (link, desk) = self.link(floor)?;
        let award = self.award(&desk);
        let has_award = desk.link().award(award).is_some();
        let words = || "agreed after a count".to_owned();
        let waits = desk.link().award(award).is_some_and(|award| desk.link().waits_for(award).is_some());
        let fault = desk.link().faults().first().map(|fault| fault.number);
        if let Some(fault) = fault.filter(|_| self.dice.one_in(3)) {
            return Some(Proposal::ClearFault { link, fault, words: words() });
        }
        // Settings are filed most often while an award that restarts the meter is open.
        if has_award && self.dice.one_in(8) {
            let settings = self.other_settings(*desk.link().settings().parameters())?;
            return Some(Proposal::Reconfigure { link, settings, from: None, check: Vec::new() });
        }
        Some(match self.dice.below(8) {
            1 if waits => Proposal::ReleaseAward { link, award, words: words() },
            0 | 1 if has_award => {
                Proposal::RejectAward { link, award, cause: self.dice.pick(&RejectCause::ALL) }
            }
            2 if has_award => {
                let amount = dollars(1 + self.dice.below(9_000));
                Proposal::RuleOnAward { link, award, amount, words: words() }
            }
            3 => {
                let amount = Pool::from_ten_thousandths(1 + self.dice.below(2_000_000));
                let cause = self.dice.pick(&Cause::ALL);
                let about = match cause {
                    Cause::SeedRecovery => Some(Evidence::Award { award }),
                    _ => Some(Evidence::Count { reference: "count sheet".to_owned() }),
                };
                Proposal::AdjustMeter { link, cause, amount, words: words(), about }
            }
            4 => {
                let settings = self.other_settings(*desk.link().settings().parameters())?;
                Proposal::Reconfigure { link, settings, from: None, check: Vec::new() }
            }
            _ => {
                let settled: Vec<_> = floor
                    .tables()
                    .filter(|table| table.round().stage() == Stage::Concluded)
                    .cloned()
                    .collect();
                let table = self.dice.any(&settled)?;
                let command = self.undoing(&table);
                Proposal::UndoRound { table: table.id().clone(), round: table.number(), command }
            }
        })
    }

    /// Settings with one figure changed.
    fn other_settings(&mut self, figures: Parameters) -> Option<Settings> {
        let rate = |points: u64| Rate::from_basis_points(points).ok();
        let other = match self.dice.below(4) {
            0 => Parameters { reset: Money::from_cents(figures.reset.cents() + 100), ..figures },
            1 => Parameters { contribution: rate(self.dice.pick(&[999, 1_250, 2_001]))?, ..figures },
            2 => Parameters { reserve: self.dice.pick(&[None, rate(50), rate(333)]), ..figures },
            _ => Parameters {
                cap: self.dice.pick(&[None, Some(dollars(100_050)), Some(dollars(99_999))]),
                ..figures
            },
        };
        Settings::new(other).ok()
    }

    /// Buys or cashes out credits or chips.
    pub(super) fn at_counter(&mut self, floor: &Floor) -> Command {
        let player = self.player();
        let amount = self.amount();
        let means = if self.dice.one_in(4) { Means::Chips } else { Means::Credits };
        let identity = Some("passport".to_owned()).filter(|_| !self.dice.one_in(5));
        if !is_member(floor, &player) {
            return match self.dice.below(3) {
                0 => Command::House(HouseCommand::BuyIn { player, amount, means, identity }),
                _ => Command::House(HouseCommand::GrantCredits { player, amount, means }),
            };
        }
        match self.dice.below(6) {
            0..=2 => Command::House(HouseCommand::BuyIn { player, amount, means, identity }),
            3 | 4 => Command::House(HouseCommand::CashOut { player, amount, means, identity }),
            _ => Command::House(HouseCommand::RepayDebt { player, amount }),
        }
    }

    /// A Player cashes out what they won in a round that is about to be undone. The correction may then find too
    /// little.
    pub(super) fn cash_out_before_undo(&mut self, floor: &Floor) -> Option<Command> {
        let mut undone = floor.house().proposals().filter_map(|(_, open)| match &open.proposal {
            Proposal::UndoRound { table, .. } => floor.table(table)?.round().settlement(),
            _ => None,
        });
        let won: Vec<_> = undone.next()?.lines.iter().filter(|line| !line.paid.is_zero()).cloned().collect();
        let line = self.dice.any(&won).filter(|_| self.dice.one_in(2))?;
        let amount = line.returned.plus(line.paid).ok()?;
        let identity = Some("passport".to_owned());
        Some(Command::House(HouseCommand::CashOut {
            player: line.owner,
            amount,
            means: Means::Credits,
            identity,
        }))
    }

    fn amount(&mut self) -> Money {
        self.dice.pick(&[
            Money::ZERO,
            Money::from_cents(1),
            Money::from_cents(3_333),
            dollars(100),
            dollars(9_999),
            dollars(20_000),
            dollars(60_000),
        ])
    }

    /// Appoints and dismisses staff, and registers Players.
    pub(super) fn in_office(&mut self, floor: &Floor) -> Command {
        let person = Person::new(self.dice.pick(&["Pam", "Zoe"]));
        let propose = |proposal| Command::House(HouseCommand::Propose { proposal });
        match self.dice.below(6) {
            0 | 1 => propose(Proposal::Appoint {
                person,
                office: self.dice.pick(&Office::ALL),
                department: Department::TableGames,
            }),
            2 => propose(Proposal::Dismiss { person }),
            3 => {
                let player = PlayerId::new(&format!("new {}", self.dice.below(20)));
                let kind = self.dice.pick(&[PlayerKind::Member, PlayerKind::Guest]);
                Command::House(HouseCommand::RegisterPlayer { player, kind })
            }
            4 => match floor.house().guests().map(|(guest, _)| guest.clone()).next() {
                Some(player) => Command::House(HouseCommand::ForgetGuest { player, credits: Money::ZERO }),
                None => self.at_counter(floor),
            },
            _ => self.at_counter(floor),
        }
    }
}

/// How cards and deck were secured, as everybody fills it in.
pub(crate) fn custody() -> Custody {
    Custody {
        camera: "camera 4".to_owned(),
        seal: "S-00417".to_owned(),
        deck_in_order: true,
        held_by: "Security".to_owned(),
    }
}
