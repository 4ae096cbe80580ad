//! The desk model: any command at any time, any number of times. So its state is only the state of the link.

use jackpot::{Command, Link};

use super::explore::{Model, Next, fingerprint_of};
use super::invariants::Ledger;
use super::scenario::{self, CLAIMS, Scenario};

pub(super) struct DeskModel {
    commands: Vec<Command>,
}

/// The link, and a simple ledger of everything that has happened to it.
pub(super) struct DeskState {
    link: Link,
    ledger: Ledger,
}

impl DeskModel {
    /// A scenario, with or without the table that only contributes.
    pub(super) fn of(scenario: Scenario, whole: bool) -> DeskModel {
        let mut entries = scenario.entries();
        let undo = scenario::reverse(&entries);
        if !whole {
            entries.pop();
        }
        let mut commands: Vec<Command> = entries.into_iter().map(|entry| Command::Enter { entry }).collect();
        commands.extend(Some(undo).filter(|_| whole));
        // Where one of two hands of a round is rejected, the other has a further award.
        for award in 1..=CLAIMS + 1 {
            commands.extend([
                scenario::verify(award),
                scenario::approve(award),
                scenario::pay(award),
                scenario::reject(award),
            ]);
        }
        DeskModel { commands }
    }
}

impl Model for DeskModel {
    type State = DeskState;

    fn first(&self) -> DeskState {
        let link = scenario::link();
        DeskState { ledger: Ledger::open(&link), link }
    }

    fn fingerprint(&self, state: &DeskState) -> u64 {
        fingerprint_of(&(
            state.link.awards(),
            state.link.balances(),
            state.link.meters().wagers.count,
            &state.ledger,
        ))
    }

    fn check(&self, state: &DeskState) -> Result<(), String> {
        state.ledger.check(&state.link)
    }

    fn steps(&self, state: &DeskState) -> Vec<(u16, Next<DeskState>)> {
        let step = |command: &Command| {
            let Ok(events) = state.link.decide(command) else {
                return Next::Same;
            };
            let mut link = state.link.clone();
            for event in &events {
                link.evolve(event);
            }
            match state.ledger.after(command, &state.link, &events, &link) {
                Ok(ledger) => Next::State(DeskState { link, ledger }),
                Err(what) => Next::Broken(what),
            }
        };
        (0..).zip(&self.commands).map(|(number, command)| (number, step(command))).collect()
    }

    fn describe(&self, step: u16) -> String {
        describe(&self.commands, step)
    }

    fn check_end(&self, state: &DeskState) -> Result<(), String> {
        let first = state.link.awards().iter().filter(|award| award.corrects.is_none()).count();
        let awards = u64::try_from(first).unwrap_or(u64::MAX);
        if awards != CLAIMS || state.link.open_awards().next().is_some() {
            return Err(format!("not every award is paid or rejected at the end: {:?}", state.link.awards()));
        }
        Ok(())
    }
}

/// A short description of a command.
pub(super) fn describe(commands: &[Command], number: u16) -> String {
    match commands.get(usize::from(number)) {
        Some(Command::Enter { entry }) => format!("enter {}", entry.id),
        Some(Command::Verify { award, .. }) => format!("verify {award}"),
        Some(Command::Approve { award, .. }) => format!("approve {award}"),
        Some(Command::Pay { award, .. }) => format!("pay {award}"),
        Some(Command::Reject { award, .. }) => format!("reject {award}"),
        Some(Command::ReverseEntry { entry, .. }) => format!("reverse {entry}"),
        Some(Command::Adjust { .. }) => "adjust the meter".to_owned(),
        other => format!("{other:?}"),
    }
}
