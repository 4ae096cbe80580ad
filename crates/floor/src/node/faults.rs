//! What a node finds wrong by itself: counts that differ, an implausible contribution, accounts that do not add up, a
//! clock that went back. Each becomes a fault of the link it concerns, which two people clear.

use jackpot::{FaultKind, Reason, TableId};
use journal::{Actor, Command, CommandId, DeskCommand, Hash, LinkId, Moment, TableCommand, command_text};

use super::Node;
use super::answer::{Answer, Failure, Request};

/// A clock that goes back by less is corrected as clocks are, and nothing is wrong.
const BACK_MAX_MS: u64 = 5_000;

/// What a link refuses because of a fault.
const REFUSED_FOR: [(Reason, FaultKind); 2] = [
    (Reason::CountsDiffer, FaultKind::CountsDiffer),
    (Reason::ContributionImplausible, FaultKind::ContributionImplausible),
];

/// What was found on a link.
struct Found {
    link: LinkId,
    kind: FaultKind,
    table: Option<TableId>,
    seen: String,
}

impl Node {
    /// Reports what the replies to some requests show to be wrong.
    pub(super) fn report_refused(&mut self, requests: &[Request], replies: &[Result<Answer, Failure>]) {
        let found = requests.iter().zip(replies).filter_map(|(request, reply)| {
            let (Command::Table { table, command: TableCommand::Round(_) }, Ok(Answer::Refused(refusal))) =
                (&request.command, reply)
            else {
                return None;
            };
            let found = |(reason, _): &(Reason, FaultKind)| refusal.reason == format!("{reason:?}");
            let (_, kind) = REFUSED_FOR.into_iter().find(found)?;
            let link = self.memory.floor.link_of(table)?.clone();
            Some(Found { link, kind, table: Some(table.clone()), seen: refusal.sentence.clone() })
        });
        let found = found.collect();
        self.report(found);
    }

    /// Looks at every link: whether its accounts add up, and whether the clock is before its newest entry.
    pub(super) fn watch(&mut self) {
        let (now, newest) =
            (self.setup.clock.now(), self.upkeep.newest.max(self.memory.floor.house().latest()));
        let mut found = Vec::new();
        for (link, desk) in self.memory.floor.links().filter(|(_, desk)| !desk.link().is_closed()) {
            if let Err(discrepancy) = desk.link().reconcile() {
                let (link, seen) = (link.clone(), discrepancy.to_string());
                found.push(Found { link, kind: FaultKind::BooksDiffer, table: None, seen });
            }
            if let Some(seen) = went_back(now, newest) {
                found.push(Found { link: link.clone(), kind: FaultKind::ClockWentBack, table: None, seen });
            }
        }
        self.report(found);
    }

    /// Writes faults that are not known yet. What cannot be written now shows again.
    fn report(&mut self, found: Vec<Found>) {
        let requests: Vec<Request> = found.into_iter().filter_map(|found| self.fault_report(found)).collect();
        if !requests.is_empty() {
            let _ = self.run(&requests);
        }
    }

    fn fault_report(&self, found: Found) -> Option<Request> {
        let Found { link, kind, table, seen } = found;
        let desk = self.memory.floor.link(&link)?;
        let known = |fault: &jackpot::Fault| fault.kind == kind && fault.table == table;
        if desk.link().faults().iter().any(known) {
            return None;
        }
        let counts = |table: &TableId| self.memory.floor.table(table).map(|table| table.counted());
        let counted = table.as_ref().filter(|_| kind == FaultKind::CountsDiffer).and_then(counts);
        let command =
            Command::Desk { link, command: DeskCommand::ReportFault { kind, table, seen, counted } };
        let number = desk.link().faults_found().saturating_add(1).to_string();
        let digest =
            Hash::of([b"fault report".as_slice(), number.as_bytes(), command_text(&command).as_bytes()]);
        Some(Request::new(CommandId::from(digest), Actor::System, command))
    }
}

/// What is wrong with a clock that is before the newest entry.
fn went_back(now: Moment, newest: Moment) -> Option<String> {
    let back = newest.0.saturating_sub(now.0);
    (BACK_MAX_MS < back)
        .then(|| format!("The clock is {} s before the newest entry of the log.", back / 1000))
}
