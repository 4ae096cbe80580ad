//! People and the network between them and the machines: requests lost, late, doubled and overtaken; answers lost; the
//! same request sent again, to the same machine or to another, until it is answered.

use floor::node::{Answer, Failure, Request};
use journal::{CommandId, PlayerKind};
use round::PlayerId;

use super::{Event, World};
use crate::sim::books::{Broken, hold};
use crate::sim::marks::Fault;
use crate::sim::node::Sender;

/// How long somebody waits for an answer, in milliseconds.
const PATIENCE: u64 = 400;

impl World {
    /// Somebody asks for something, by what the machine they use shows.
    pub(super) fn think(&mut self, asker: usize) {
        if self.calm || self.askers[asker].waits.is_some() {
            return;
        }
        let machine = self.askers[asker].machine;
        let Some(node) = self.machines[machine].node.as_ref() else {
            self.askers[asker].machine = self.dice.place(self.machines.len());
            return self.later(40, Event::Think(asker));
        };
        let wish = match self.askers[asker].table.clone() {
            Some(table) => self.people.at_table(node.floor(), &table),
            None => Some(self.people.on_floor(node.floor())),
        };
        let Some((actor, command)) = wish else {
            return self.later(100, Event::Think(asker));
        };
        let count = self.askers[asker].asked + 1;
        self.askers[asker].asked = count;
        self.marks.with(|marks| marks.requests += 1);
        let request = Request::new(id(asker, count), actor, command);
        self.askers[asker].waits = Some((request, 0));
        self.send(asker);
    }

    /// Sends what somebody waits for, again or for the first time.
    fn send(&mut self, asker: usize) {
        let Some((request, attempts)) = &mut self.askers[asker].waits else {
            return;
        };
        *attempts += 1;
        let (request, attempt) = (request.clone(), *attempts);
        let machine = self.askers[asker].machine;
        if 1 < attempt {
            self.marks.with(|marks| marks.repeated += 1);
        }
        let timeout = Event::Timeout { sender: asker, id: request.id, attempt };
        self.later(PATIENCE, timeout);
        self.carry(machine, &request, Some(asker));
    }

    /// The network carries a request.
    pub(super) fn carry(&mut self, machine: usize, request: &Request, sender: Sender) {
        let rates = self.plan.rates;
        let calm = self.calm;
        let fires = |world: &mut World, rate: u64, fault: Fault| {
            let fires = !calm && world.dice.permille(rate);
            if fires {
                world.marks.with(|marks| marks.fault(fault));
            }
            fires
        };
        if fires(self, rates.doubled, Fault::RequestDoubled) {
            let after = self.dice.within(1, 2_000);
            let other = if self.dice.one_in(3) { self.dice.place(self.machines.len()) } else { machine };
            self.marks.with(|marks| marks.repeated += 1);
            let request = Box::new(request.clone());
            self.later(after, Event::Arrive { machine: other, request, sender });
        }
        if fires(self, rates.lost, Fault::RequestLost) {
            return;
        }
        let mut after = self.dice.within(1, 4);
        if fires(self, rates.late, Fault::RequestLate) {
            after += self.dice.within(50, 1_500);
        }
        let (arrives, there) = (self.now + after, &mut self.machines[machine]);
        if arrives < there.awaited {
            self.marks.with(|marks| marks.fault(Fault::RequestOvertaken));
        }
        there.awaited = there.awaited.max(arrives);
        self.later(after, Event::Arrive { machine, request: Box::new(request.clone()), sender });
    }

    /// A request reaches a machine; where nobody is there it is lost.
    pub(super) fn arrive(&mut self, machine: usize, request: Request, sender: Sender) {
        let (now, there) = (self.now, &mut self.machines[machine]);
        if !there.is_up() {
            return;
        }
        there.queue.push((request, sender));
        if there.queue.len() == 1 {
            let wait = there.frozen_until.saturating_sub(now);
            let gathers = self.dice.below(3);
            self.later(wait + gathers, Event::Turn(machine));
        }
    }

    /// An answer on its way back.
    pub(super) fn answer(
        &mut self,
        machine: usize,
        request: Request,
        sender: Sender,
        reply: Result<Answer, Failure>,
    ) {
        if !self.calm && self.dice.permille(self.plan.rates.lost) {
            self.marks.with(|marks| marks.fault(Fault::AnswerLost));
            return;
        }
        let after = self.dice.within(1, 4);
        self.later(after, Event::Reply { sender, request: Box::new(request), reply, machine });
    }

    pub(super) fn replied(
        &mut self,
        sender: Sender,
        request: &Request,
        reply: Result<Answer, Failure>,
        machine: usize,
    ) -> Result<(), Broken> {
        let Some(asker) = sender else {
            hold!(reply.is_err(), "{} was used, and another request under it was taken", request.id);
            if let Err(Failure::IdReused(_)) = reply {
                self.marks.with(|marks| marks.fault(Fault::IdReused));
            }
            return Ok(());
        };
        let waits = self.askers[asker].waits.as_ref().is_some_and(|(waits, _)| waits.id == request.id);
        match reply {
            Ok(answer) => {
                self.acknowledge(request, &answer)?;
                if waits {
                    self.askers[asker].waits = None;
                    self.askers[asker].machine = machine;
                    self.sometimes_reuse(machine, request);
                    let slow = self.askers[asker].table.is_none();
                    let after = self.dice.within(1, if slow { 60 } else { 30 });
                    self.later(after, Event::Think(asker));
                }
            }
            Err(Failure::IdReused(id)) => {
                return Err(Broken(format!("M8: {id} is not known as what it was: {:?}", request.command)));
            }
            Err(failure) if waits => self.ask_elsewhere(asker, &failure),
            Err(_) => {}
        }
        Ok(())
    }

    /// M8: the same request has one answer for ever.
    fn acknowledge(&mut self, request: &Request, answer: &Answer) -> Result<(), Broken> {
        let text = answer.to_text();
        if let Some((_, first)) = self.acknowledged.get(&request.id) {
            hold!(*first == text, "M8: {} was answered {first}, and then {text}", request.id);
            return Ok(());
        }
        if let Answer::Refused(refusal) = answer
            && let Some(clause) = refusal.clause
        {
            self.marks.with(|marks| marks.clause(clause));
        }
        self.marks.with(|marks| marks.acknowledged += 1);
        self.acknowledged.insert(request.id, (request.digest, text));
        Ok(())
    }

    /// Another request under an id that was used.
    fn sometimes_reuse(&mut self, machine: usize, request: &Request) {
        if self.calm || !self.dice.permille(8) {
            return;
        }
        let (player, kind) = (PlayerId::new("Impostor"), PlayerKind::Guest);
        let command = floor::Command::House(floor::HouseCommand::RegisterPlayer { player, kind });
        let other = Request::new(request.id, crate::sim::people::staff("Gus"), command);
        self.carry(machine, &other, None);
    }

    fn ask_elsewhere(&mut self, asker: usize, failure: &Failure) {
        let there = match failure {
            Failure::NotHere { node: Some(node) } => {
                self.machines.iter().position(|machine| machine.name == node.name())
            }
            _ => None,
        };
        self.askers[asker].machine = there.unwrap_or_else(|| self.dice.place(self.machines.len()));
    }

    /// What was not answered is asked again, under the same id.
    pub(super) fn timed_out(&mut self, asker: usize, id: CommandId, attempt: u32) {
        let still = self.askers[asker]
            .waits
            .as_ref()
            .is_some_and(|(request, attempts)| request.id == id && *attempts == attempt);
        if !still {
            return;
        }
        if 2 < attempt || !self.machines[self.askers[asker].machine].is_up() {
            self.askers[asker].machine = self.dice.place(self.machines.len());
        }
        self.send(asker);
    }
}

/// An id nobody else has.
fn id(asker: usize, count: u64) -> CommandId {
    let mut id = [0; 16];
    id[..8].copy_from_slice(&count.to_be_bytes());
    id[8..].copy_from_slice(&(asker as u64 + 1).to_be_bytes());
    CommandId(id)
}
