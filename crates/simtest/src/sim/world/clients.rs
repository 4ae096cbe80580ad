//! The clients, and the network between them and the machines: requests are lost, late, doubled and overtaken, and
//! answers are lost. A client sends the same request again, to the same machine or to another, until it is answered.

use floor::node::{Answer, Failure, Request};
use journal::{CommandId, PlayerKind};
use round::PlayerId;

use super::{Event, World};
use crate::sim::coverage::Fault;
use crate::sim::machine::Sender;
use crate::sim::oracle::{Violation, ensure};

/// How long a client waits for an answer, in milliseconds.
const TIMEOUT_MS: u64 = 400;

impl World {
    /// A client chooses a request from what its machine shows.
    pub(super) fn next_request(&mut self, client: usize) {
        if self.healed || self.clients[client].pending.is_some() {
            return;
        }
        self.note_latest();
        let machine = self.clients[client].machine;
        let Some(node) = self.machines[machine].node.as_ref() else {
            self.clients[client].machine = self.dice.index(self.machines.len());
            return self.schedule(40, Event::NextRequest(client));
        };
        let chosen = match self.clients[client].table.clone() {
            Some(table) => self.workload.at_table(node.floor(), &table),
            None => Some(self.workload.on_floor(node.floor())),
        };
        let Some((actor, command)) = chosen else {
            return self.schedule(100, Event::NextRequest(client));
        };
        let count = self.clients[client].sent + 1;
        self.clients[client].sent = count;
        self.coverage.with(|coverage| coverage.requests += 1);
        let request = Request::new(id(client, count), actor, command);
        self.clients[client].pending = Some((request, 0));
        self.send(client);
    }

    /// Sends the pending request of a client, for the first time or again.
    fn send(&mut self, client: usize) {
        let Some((request, attempts)) = &mut self.clients[client].pending else {
            return;
        };
        *attempts += 1;
        let (request, attempt) = (request.clone(), *attempts);
        let machine = self.clients[client].machine;
        if 1 < attempt {
            self.coverage.with(|coverage| coverage.repeated += 1);
        }
        let timeout = Event::Timeout { sender: client, id: request.id, attempt };
        self.schedule(TIMEOUT_MS, timeout);
        self.transmit(machine, &request, Some(client));
    }

    /// Takes a request through the network.
    pub(super) fn transmit(&mut self, machine: usize, request: &Request, sender: Sender) {
        let rates = self.plan.rates;
        let healed = self.healed;
        let fires = |world: &mut World, rate: u64, fault: Fault| {
            let fires = !healed && world.dice.permille(rate);
            if fires {
                world.coverage.fault(fault);
            }
            fires
        };
        if fires(self, rates.doubled, Fault::RequestDoubled) {
            let after = self.dice.within(1, 2_000);
            let other = if self.dice.one_in(3) { self.dice.index(self.machines.len()) } else { machine };
            self.coverage.with(|coverage| coverage.repeated += 1);
            let request = Box::new(request.clone());
            self.schedule(after, Event::Arrive { machine: other, request, sender });
        }
        if fires(self, rates.lost, Fault::RequestLost) {
            return;
        }
        let mut after = self.dice.within(1, 4);
        if fires(self, rates.late, Fault::RequestLate) {
            after += self.dice.within(50, 1_500);
        }
        let (arrives, there) = (self.now + after, &mut self.machines[machine]);
        if arrives < there.last_arrival {
            self.coverage.fault(Fault::RequestOvertaken);
        }
        there.last_arrival = there.last_arrival.max(arrives);
        self.schedule(after, Event::Arrive { machine, request: Box::new(request.clone()), sender });
    }

    /// A request reaches a machine. If the machine is down, the request is lost.
    pub(super) fn arrive(&mut self, machine: usize, request: Request, sender: Sender) {
        let (now, there) = (self.now, &mut self.machines[machine]);
        if !there.is_up() {
            return;
        }
        there.queue.push((request, sender));
        if there.queue.len() == 1 {
            let wait = there.paused_until.saturating_sub(now);
            let delay = self.dice.below(3);
            self.schedule(wait + delay, Event::Turn(machine));
        }
    }

    /// Sends an answer back.
    pub(super) fn answer(
        &mut self,
        machine: usize,
        request: Request,
        sender: Sender,
        reply: Result<Answer, Failure>,
    ) {
        if !self.healed && self.dice.permille(self.plan.rates.lost) {
            self.coverage.fault(Fault::AnswerLost);
            return;
        }
        let after = self.dice.within(1, 4);
        self.schedule(after, Event::Reply { sender, request: Box::new(request), reply, machine });
    }

    pub(super) fn replied(
        &mut self,
        sender: Sender,
        request: &Request,
        reply: Result<Answer, Failure>,
        machine: usize,
    ) -> Result<(), Violation> {
        let Some(client) = sender else {
            ensure!(reply.is_err(), "another request was accepted under the used id {}", request.id);
            if let Err(Failure::IdReused(_)) = reply {
                self.coverage.fault(Fault::IdReused);
            }
            return Ok(());
        };
        let is_pending =
            self.clients[client].pending.as_ref().is_some_and(|(pending, _)| pending.id == request.id);
        match reply {
            Ok(answer) => {
                self.acknowledge(request, &answer)?;
                if is_pending {
                    self.clients[client].pending = None;
                    self.clients[client].machine = machine;
                    self.sometimes_reuse_id(machine, request);
                    let slow = self.clients[client].table.is_none();
                    let after = self.dice.within(1, if slow { 60 } else { 30 });
                    self.schedule(after, Event::NextRequest(client));
                }
            }
            Err(Failure::IdReused(id)) => {
                return Err(Violation(format!(
                    "M8: {id} was rejected as used for another request, but it is the same: {:?}",
                    request.command
                )));
            }
            Err(failure) if is_pending => self.try_another_machine(client, &failure),
            Err(_) => {}
        }
        Ok(())
    }

    /// M8: the same request always has the same answer.
    fn acknowledge(&mut self, request: &Request, answer: &Answer) -> Result<(), Violation> {
        let text = answer.to_text();
        if let Some((_, first)) = self.acknowledged.get(&request.id) {
            ensure!(*first == text, "M8: {} was answered with {first}, and later with {text}", request.id);
            return Ok(());
        }
        if let Answer::Refused(refusal) = answer
            && let Some(clause) = refusal.clause
        {
            self.coverage.clause(clause);
        }
        self.coverage.with(|coverage| coverage.acknowledged += 1);
        self.acknowledged.insert(request.id, (request.digest, text));
        Ok(())
    }

    /// Sometimes sends another request under an id that was used.
    fn sometimes_reuse_id(&mut self, machine: usize, request: &Request) {
        if self.healed || !self.dice.permille(8) {
            return;
        }
        let (player, kind) = (PlayerId::new("Impostor"), PlayerKind::Guest);
        let command = floor::Command::House(floor::HouseCommand::RegisterPlayer { player, kind });
        let other = Request::new(request.id, crate::sim::workload::staff("Gus"), command);
        self.transmit(machine, &other, None);
    }

    fn try_another_machine(&mut self, client: usize, failure: &Failure) {
        let there = match failure {
            Failure::NotHere { node: Some(node) } => {
                self.machines.iter().position(|machine| machine.name == node.name())
            }
            _ => None,
        };
        self.clients[client].machine = there.unwrap_or_else(|| self.dice.index(self.machines.len()));
    }

    /// Sends a request again, under the same id, if it was not answered.
    pub(super) fn timed_out(&mut self, client: usize, id: CommandId, attempt: u32) {
        let still_pending = self.clients[client]
            .pending
            .as_ref()
            .is_some_and(|(request, attempts)| request.id == id && *attempts == attempt);
        if !still_pending {
            return;
        }
        if 2 < attempt || !self.machines[self.clients[client].machine].is_up() {
            self.clients[client].machine = self.dice.index(self.machines.len());
        }
        self.send(client);
    }
}

fn id(client: usize, count: u64) -> CommandId {
    let mut id = [0; 16];
    id[..8].copy_from_slice(&count.to_be_bytes());
    id[8..].copy_from_slice(&(client as u64 + 1).to_be_bytes());
    CommandId(id)
}
