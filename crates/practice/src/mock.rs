//! A mock table: house players who wager and decide, a shoe that deals in the arranged order, things that go wrong on their
//! time, and the marks of whoever deals. It decides what to do next and does nothing itself.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use automatic::{Act, HousePlayer, Pace, SHOE, SUPERVISOR, Strategy, TRAINER};
use cards::Card;
use floor::view::{self, Choice};
use floor::{Desk, Table};
use jackpot::{Checklist, Custody, Person, TableId};
use journal::{
    Actor, Command as FloorCommand, DeskCommand, HouseCommand, OwnCommand, PlayerKind, TableCommand,
};
use money::Money;
use round::{Asker, Command, Decision, Irregularity, PayingStep, Place, PlayerId, Round, Seat, Stage};
use rulebook::{Means, Office, PlayingArea, Position};
use serde::{Deserialize, Serialize};

use crate::deck::{Wish, arrange};
use crate::happening::{Happening, Incident};
use crate::mark::{self, Judged, Mark, Paid, Refused, RoundSummary, Summary, Verdict};
use crate::scene::{Scene, ScenePlayer, Until};
use crate::script::{Level, Planned, Script};

/// How long a supervisor takes to come.
const CALL_ANSWERED: Duration = Duration::from_millis(800);

/// The chips that a house player brings, in cents.
const CHIPS: u64 = 10_000_000;

/// The most marks that are kept.
const MARKS_MAX: usize = 2_000;

/// Something to do now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doing {
    pub actor: Actor,
    pub command: TableCommand,
}

struct Guest {
    house: HousePlayer,
    /// What the Player does in the first round, where a scene says so.
    scene: Option<ScenePlayer>,
}

/// A mock table.
pub struct Mock {
    level: Level,
    script: Option<Script>,
    /// Whether it is of the theatre.
    is_set: bool,
    seed: u64,
    guests: Vec<Guest>,
    /// The cards that are chosen, by the number of the round.
    wishes: BTreeMap<u64, Wish>,
    deck: Option<(u64, BTreeMap<Place, Card>)>,
    /// How far the first round is played without a Dealer.
    runs: Option<Until>,
    /// What is still to happen.
    plan: VecDeque<Planned>,
    planned: u64,
    incident: Option<Incident>,
    /// What the supervisor does after a call.
    follows: VecDeque<Doing>,
    since: Option<(u64, Stage, Duration)>,
    /// When somebody else last did something, or something happened: from then on the Dealer's time counts.
    ready: Duration,
    /// The last thing that was refused here: it is not tried again before the table changes.
    refused: Option<(u64, Doing)>,
    marks: Vec<Mark>,
    /// What was taken, paid and returned by hand: the number of the round, and the steps of its list.
    paid: (u64, BTreeSet<usize>),
}

/// How a mock table was made, so that it can be made again when its server is started again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "kebab-case")]
pub enum Recipe {
    Level { players: u8, level: Level, seed: u64 },
    Script { script: Script, seed: u64 },
    Scene { scene: Scene, seed: u64 },
}

fn staff(name: &str, office: Office) -> Actor {
    Actor::Staff(Person::new(name), office)
}

fn shoe() -> Actor {
    staff(SHOE, Office::Dealer)
}

/// Who opens the tables of a practice floor.
pub fn trainer() -> Actor {
    of_office(Office::PitManager)
}

/// The practice floor's person of an office.
fn of_office(office: Office) -> Actor {
    match office {
        Office::Dealer => shoe(),
        Office::PitSupervisor => staff(SUPERVISOR, office),
        Office::PitManager => staff(TRAINER, office),
        Office::GamingShiftManager => staff("Manager", office),
    }
}

impl Mock {
    /// A table with so many house players. `number` tells its players from those of other tables.
    pub fn new(id: &TableId, number: u64, players: u8, level: Level, seed: u64) -> Mock {
        let guest = |position| Guest { house: guest(id, number, position), scene: None };
        Mock {
            guests: (1..=players).map(guest).collect(),
            level,
            script: None,
            is_set: false,
            seed,
            wishes: BTreeMap::new(),
            deck: None,
            runs: None,
            plan: VecDeque::new(),
            planned: 0,
            incident: None,
            follows: VecDeque::new(),
            since: None,
            ready: Duration::ZERO,
            refused: None,
            marks: Vec::new(),
            paid: (0, BTreeSet::new()),
        }
    }

    /// The table after its server was started again: its marks are kept, and its round goes on from where it was.
    pub fn again(self, marks: Vec<Mark>, table: &Table) -> Mock {
        Mock { marks, planned: table.number(), plan: VecDeque::new(), runs: None, ..self }
    }

    /// What is still to be taken, paid and returned by hand, of the whole list.
    pub fn unpaid(&self, round: u64, list: &[PayingStep]) -> Vec<PayingStep> {
        let done = |at: &usize| self.paid.0 == round && self.paid.1.contains(at);
        let by_hand = list.iter().enumerate().filter(|(_, step)| step.means != Means::Credits);
        by_hand.filter(|(at, _)| !done(at)).map(|(_, step)| step.clone()).collect()
    }

    /// The Dealer took, paid or returned something. `list` is what the engine says, in its order.
    pub fn paid(&mut self, table: &Table, list: &[PayingStep], actor: &Actor, given: &Paid, now: Duration) {
        let (Actor::Staff(person, _) | Actor::Acting(person, _)) = actor else { return };
        let round = table.number();
        let due = self.unpaid(round, list);
        let (which, judged) = mark::paid(&due, given);
        if self.paid.0 != round {
            self.paid = (round, BTreeSet::new());
        }
        let step = which.and_then(|at| due.get(at));
        let place = |step: &PayingStep| {
            let mut places = list.iter().enumerate().filter(|(_, other)| *other == step);
            places.find(|(at, _)| !self.paid.1.contains(at)).map(|(at, _)| at)
        };
        let done = step.and_then(place);
        self.paid.1.extend(done);
        self.keep(round, person.name(), mark::paid_in_words(given), judged, now);
    }

    /// A table at which a script is played. `wishes` are the cards of the rounds that name hands.
    pub fn scripted(
        id: &TableId,
        number: u64,
        script: Script,
        wishes: BTreeMap<u64, Wish>,
        seed: u64,
    ) -> Mock {
        let mock = Mock::new(id, number, script.players, Level::Calm, seed);
        Mock { script: Some(script), wishes, ..mock }
    }

    /// A table at which a scene is set: it runs without a Dealer up to the point that the scene names.
    pub fn set(id: &TableId, number: u64, scene: &Scene, seed: u64) -> Mock {
        let mock = Mock::new(id, number, 0, Level::Calm, seed);
        let player = |player: &ScenePlayer| Guest {
            house: guest(id, number, player.position),
            scene: Some(player.clone()),
        };
        let happens = scene.happens.map(|what| Planned { what, position: None });
        Mock {
            guests: scene.players.iter().map(player).collect(),
            wishes: BTreeMap::from([(1, scene.wish())]),
            runs: Some(scene.until),
            plan: happens.into_iter().collect(),
            is_set: true,
            ..mock
        }
    }

    /// The commands that register its house players and give them chips, given by the trainer of the floor.
    pub fn registers(&self) -> Vec<(Actor, FloorCommand)> {
        let commands = self.guests.iter().flat_map(|guest| {
            let player = || guest.house.player.clone();
            let (amount, means) = (Money::from_cents(CHIPS), Means::Chips);
            [
                HouseCommand::RegisterPlayer { player: player(), kind: PlayerKind::House },
                HouseCommand::GrantCredits { player: player(), amount, means },
            ]
        });
        commands.map(|command| (trainer(), FloorCommand::House(command))).collect()
    }

    pub const fn level(&self) -> Level {
        self.level
    }

    pub fn title(&self) -> Option<&str> {
        self.script.as_ref().map(|script| script.title.as_str())
    }

    /// What waits for the Dealer.
    pub const fn incident(&self) -> Option<&Incident> {
        self.incident.as_ref()
    }

    /// What is still to happen.
    pub fn plan(&self) -> impl Iterator<Item = &Planned> {
        self.plan.iter()
    }

    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// How the session went.
    pub fn summary(&self) -> Summary {
        Summary::of(self.marks.iter())
    }

    /// How each round went.
    pub fn rounds(&self) -> Vec<RoundSummary> {
        let mut numbers: Vec<u64> = self.marks.iter().map(|mark| mark.round).collect();
        numbers.dedup();
        let of = |round: u64| {
            let summary = Summary::of(self.marks.iter().filter(|mark| mark.round == round));
            RoundSummary { round, summary }
        };
        numbers.into_iter().map(of).collect()
    }

    /// The trainer makes something happen, as soon as the round has come to its moment.
    pub fn happen(&mut self, planned: Planned) {
        self.plan.push_back(planned);
    }

    /// What is to be done at the table now, by anybody but the Dealer.
    pub fn next(&mut self, table: &Table, now: Duration, pace: &Pace) -> Option<Doing> {
        if !table.is_open() {
            return None;
        }
        self.follow(table, now);
        if self.runs.is_some_and(|until| 1 < table.number() || is_there(table.round(), until)) {
            self.runs = None;
        }
        if let Some(doing) = self.follows.pop_front() {
            return Some(doing);
        }
        if table.calls_supervisor() && self.ready.saturating_add(CALL_ANSWERED) <= now {
            let answer = TableCommand::Own(OwnCommand::AnswerCall {});
            return Some(Doing { actor: of_office(Office::PitSupervisor), command: answer });
        }
        if self.incident.is_some() {
            return None;
        }
        if let Some(doing) = self.due(table, now) {
            return Some(doing);
        }
        if self.incident.is_some() {
            return None;
        }
        let doing = self.work(table, now, pace)?;
        let again =
            self.refused.as_ref().is_some_and(|(round, last)| *round == table.number() && *last == doing);
        (!again).then_some(doing)
    }

    /// The supervisor who was called verifies the award of the round. At a table of the theatre people do that at the desk.
    pub fn verifies(&self, table: &Table, desk: &Desk) -> Option<(Actor, FloorCommand)> {
        let award = desk.unverified(table)?;
        if self.is_set || table.calls_supervisor() || !table.has_called() {
            return None;
        }
        let custody = Custody {
            camera: "camera 1".to_owned(),
            seal: format!("{} {}", table.id(), table.number()),
            deck_in_order: true,
            held_by: "Security".to_owned(),
        };
        let checklist = Checklist { cards_checked: true, deck_cards: 52, custody: Some(custody) };
        let link = table.setup().link.clone()?;
        let command =
            FloorCommand::Desk { link, command: DeskCommand::Verify { award: award.number, checklist } };
        Some((of_office(Office::PitSupervisor), command))
    }

    /// What [`Mock::next`] wanted was done, or was refused.
    pub fn answered(&mut self, table: &Table, doing: Doing, done: bool, now: Duration) {
        self.refused = (!done).then_some((table.number(), doing));
        self.ready = now;
    }

    /// The Dealer gave a command. `before` is the table, and `choices` what it offered them and `list` what was to be paid
    /// before that.
    pub fn moved(
        &mut self,
        before: &Table,
        (choices, list): (&[Choice<TableCommand>], &[PayingStep]),
        actor: &Actor,
        command: &TableCommand,
        outcome: Result<(), &Refused>,
        now: Duration,
    ) {
        let (Actor::Staff(person, office) | Actor::Acting(person, office)) = actor else { return };
        let judged = match (outcome, &self.incident) {
            (Err(refusal), _) => mark::refused(refusal, choices),
            (Ok(()), None) => mark::in_procedure(command, choices),
            (Ok(()), Some(incident)) => mark::in_incident(before, incident, command, *office),
        };
        if outcome.is_ok() {
            self.incident = None;
            self.refused = None;
        }
        let did = view::command_in_words(before, command);
        let unpaid = self.unpaid(before.number(), list);
        let settles = outcome.is_ok() && matches!(command, TableCommand::Round(Command::Settle {}));
        if settles && !unpaid.is_empty() {
            self.keep(before.number(), person.name(), did.clone(), mark::unpaid(&unpaid), now);
        }
        self.keep(before.number(), person.name(), did, judged, now);
    }

    /// Somebody named an irregularity under "Something is wrong".
    pub fn named(&mut self, table: &Table, actor: &Actor, what: &Irregularity, now: Duration) {
        let (Actor::Staff(person, _) | Actor::Acting(person, _)) = actor else { return };
        let Some(judged) = mark::named(table, self.incident.as_ref(), what) else { return };
        if judged.verdict == Verdict::Right {
            self.incident = None;
        }
        let name =
            serde_json::to_value(what).ok().and_then(|form| Some(form.get("what")?.as_str()?.to_owned()));
        let did = format!("Named “{}”", name.unwrap_or_default().replace('-', " "));
        self.keep(table.number(), person.name(), did, judged, now);
    }

    fn keep(&mut self, round: u64, by: &str, did: String, judged: Judged, now: Duration) {
        let Judged { verdict, because, clause, expected, follows } = judged;
        if let Some((office, command)) = follows {
            let command = TableCommand::Round(with_reason(command));
            self.follows.push_back(Doing { actor: of_office(office), command });
        }
        let took_ms = u64::try_from(now.saturating_sub(self.ready).as_millis()).unwrap_or(u64::MAX);
        self.ready = now;
        if self.marks.len() < MARKS_MAX {
            let by = by.to_owned();
            self.marks.push(Mark { round, by, did, verdict, because, clause, expected, took_ms });
        }
    }

    /// Keeps up with the table: a new stage, a new round and what is to happen in it.
    fn follow(&mut self, table: &Table, now: Duration) {
        let (number, stage) = (table.number(), table.round().stage());
        if !matches!(self.since, Some((known, at, _)) if (known, at) == (number, stage)) {
            self.since = Some((number, stage, now));
            self.refused = None;
        }
        if self.planned < number {
            self.planned = number;
            let scripted = self.script.as_ref().map(|script| {
                let place = usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
                script.rounds.get(place).map(|round| round.happens.clone()).unwrap_or_default()
            });
            self.plan.extend(scripted.unwrap_or_else(|| self.level.plan(self.seed, number)));
        }
    }

    /// The next thing that is to happen, where its moment has come: it waits for the Dealer, or a wager is placed.
    fn due(&mut self, table: &Table, now: Duration) -> Option<Doing> {
        if self.runs.is_some() {
            return None;
        }
        let round = table.round();
        let place = self
            .plan
            .iter()
            .position(|planned| planned.what.fits(round) && self.all_wagered(table, planned.what))?;
        let planned = self.plan.remove(place)?;
        let position = planned.position.map(Position);
        let wager = match planned.what {
            Happening::OutOfLimits => Mock::out_of_limits(round, position),
            Happening::Shares => Mock::share(round, position),
            other => {
                let seed = self.seed ^ table.number();
                self.incident = other.at(round, position, seed);
                if self.incident.is_some() {
                    self.ready = now;
                }
                None
            }
        }?;
        Some(Doing { actor: shoe(), command: TableCommand::Round(wager) })
    }

    /// Whether something that needs all wagers may happen: everybody has placed theirs.
    fn all_wagered(&self, table: &Table, what: Happening) -> bool {
        what.fits(table.round()) && (table.round().stage() != Stage::BetsOpen || self.wager(table).is_none())
    }

    /// A Bonus or, in a game without one, a further chip on the Ante that goes over the maximum.
    fn out_of_limits(round: &Round, position: Option<Position>) -> Option<Command> {
        let most = *round.limits().ante.end();
        Mock::on_position(round, position, |position, owner| Command::PlaceWager {
            position,
            area: PlayingArea::Ante,
            owner: owner.clone(),
            amount: most,
            means: Means::Chips,
        })
    }

    /// A neighbour adds a minimum Ante to a position.
    fn share(round: &Round, position: Option<Position>) -> Option<Command> {
        let least = *round.limits().ante.start();
        let neighbour = |owner: &PlayerId| {
            let others = round.seats().filter_map(|(_, seat)| seat.holder());
            others.into_iter().find(|other| *other != owner).cloned()
        };
        Mock::on_position(round, position, |position, owner| Command::PlaceWager {
            position,
            area: PlayingArea::Ante,
            owner: neighbour(owner).unwrap_or_else(|| owner.clone()),
            amount: least,
            means: Means::Chips,
        })
    }

    /// A command about the wanted position, or the first at which the round takes it.
    fn on_position(
        round: &Round,
        wanted: Option<Position>,
        command: impl Fn(Position, &PlayerId) -> Command,
    ) -> Option<Command> {
        let by = Asker::Staff(Office::Dealer);
        let mut seats: Vec<(Position, &Seat)> = round.seats().collect();
        seats.sort_by_key(|(position, _)| Some(*position) != wanted);
        let mut commands =
            seats.into_iter().filter_map(|(position, seat)| Some(command(position, seat.holder()?)));
        commands.find(|command| round.decide(&by, command).is_ok())
    }

    fn work(&mut self, table: &Table, now: Duration, pace: &Pace) -> Option<Doing> {
        let round = table.round();
        if round.is_interrupted() {
            let asked = round.unanswered().into_iter().find(|player| self.is_guest(player))?;
            let actor = Actor::Player(asked.clone());
            return Some(Doing { actor, command: TableCommand::Round(Command::StayIn { player: asked }) });
        }
        let own = match round.stage() {
            Stage::BetsOpen => self.wager(table).map(|command| (shoe(), command)),
            Stage::Dealing => self.deal(table).map(|card| (shoe(), Command::DealCard { card: Some(card) })),
            Stage::BeforeBets | Stage::Deciding(_) | Stage::Showing => self.play(table, now, pace),
            Stage::Exposing(_) | Stage::Settling | Stage::Concluded | Stage::Void | Stage::Closed => None,
        };
        let (actor, command) = own.or_else(|| self.run(table).map(|command| (shoe(), command)))?;
        Some(Doing { actor, command: TableCommand::Round(command) })
    }

    /// Whether the cards of a Player are chosen in this round: such a hand plays for the jackpot and stays in.
    fn is_wished(&self, table: &Table, guest: &Guest) -> bool {
        let wish = self.wishes.get(&table.number());
        wish.and_then(|wish| wish.hands.get(&guest.house.position)).is_some_and(|cards| !cards.is_empty())
    }

    fn is_guest(&self, player: &PlayerId) -> bool {
        self.guests.iter().any(|guest| guest.house.player == *player)
    }

    /// The next step of the Dealer, while the scene is still being set.
    fn run(&self, table: &Table) -> Option<Command> {
        self.runs?;
        let (round, stage) = (table.round(), table.round().stage());
        let by = Asker::Staff(Office::Dealer);
        match stage {
            Stage::BeforeBets => {
                let seated = round.seats().filter_map(|(_, seat)| seat.holder().cloned());
                let inform = seated.map(|player| Command::InformPlayer { player });
                let mut inform = inform.filter(|inform| round.decide(&by, inform).is_ok());
                let informs = round.book().viewing == rulebook::Viewing::PlayerIsTold;
                Some(inform.next().filter(|_| informs).unwrap_or(Command::OpenBets {}))
            }
            Stage::BetsOpen => Some(Command::CloseBets {}),
            Stage::Exposing(_) => Some(Command::Expose {}),
            Stage::Settling => Some(Command::Settle {}),
            Stage::Dealing
            | Stage::Deciding(_)
            | Stage::Showing
            | Stage::Concluded
            | Stage::Void
            | Stage::Closed => None,
        }
    }

    /// The next wager that a house player puts down. The shoe's attendant enters the chips.
    fn wager(&self, table: &Table) -> Option<Command> {
        let (round, by) = (table.round(), Asker::Staff(Office::Dealer));
        let commands = self.guests.iter().flat_map(|guest| {
            let seat = round.seats().find(|(_, seat)| seat.holder() == Some(&guest.house.player));
            let wagers = seat.map(|(position, seat)| {
                (position, seat, guest.wagers(table, self.seed, self.is_wished(table, guest)))
            });
            wagers
                .into_iter()
                .flat_map(|(position, seat, wagers)| {
                    let missing = wagers.into_iter().filter(|(area, _)| !seat.has(*area));
                    missing.map(move |(area, amount)| (position, area, amount))
                })
                .map(|(position, area, amount)| {
                    let (owner, means) = (guest.house.player.clone(), Means::Chips);
                    Command::PlaceWager { position, area, owner, amount, means }
                })
                .collect::<Vec<_>>()
        });
        commands.into_iter().find(|command| round.decide(&by, command).is_ok())
    }

    /// The next card of the arranged deck.
    fn deal(&mut self, table: &Table) -> Option<Card> {
        let round = table.round();
        let place = round.next_place()?;
        if self.deck.as_ref().is_none_or(|(known, _)| *known != table.number()) {
            let seed = self.seed.wrapping_add(table.number().wrapping_mul(0x9e37));
            let none = Wish::default();
            let wish = self.wishes.get(&table.number()).unwrap_or(&none);
            // What was checked when it was chosen fits the deal; a position that stayed free changes nothing.
            let deck =
                arrange(round.deal_order(), wish, seed).or_else(|_| arrange(round.deal_order(), &none, seed));
            self.deck = Some((table.number(), deck.ok()?));
        }
        self.deck.as_ref()?.1.get(&place).copied()
    }

    /// What a house player does of their own: sits down, looks, decides, shows.
    fn play(&self, table: &Table, now: Duration, pace: &Pace) -> Option<(Actor, Command)> {
        let since = self.since.map_or(Duration::ZERO, |(_, _, at)| now.saturating_sub(at));
        // Nobody waits while a scene is set.
        let since = if self.runs.is_some() { Duration::from_hours(1) } else { since };
        self.guests.iter().find_map(|guest| {
            let actor = Actor::Player(guest.house.player.clone());
            let act = guest.house.next(table, since, pace);
            if matches!(act, Some(Act::At(_))) {
                return None;
            }
            if let Some(command) = guest.decides(table, self.is_wished(table, guest)) {
                return Some((actor, command));
            }
            match act? {
                Act::Now(TableCommand::Round(command)) => Some((actor, command)),
                Act::Now(TableCommand::Own(_)) | Act::At(_) => None,
            }
        })
    }
}

impl Guest {
    /// The wagers of this Player, the Ante first.
    fn wagers(&self, table: &Table, seed: u64, is_wished: bool) -> Vec<(PlayingArea, Money)> {
        let limits = &table.setup().limits;
        let least = *limits.ante.start();
        let scene = self.scene.clone().filter(|_| table.number() == 1).unwrap_or_default();
        let usual = least.times(5).unwrap_or(least).min(*limits.ante.end());
        let mut wagers = vec![(PlayingArea::Ante, scene.ante.unwrap_or(usual))];
        wagers.extend(scene.bonus.map(|bonus| (PlayingArea::Bonus, bonus)));
        // Without a scene, two of three play for the jackpot.
        let draw = crate::chance::draw(seed, &format!("{} {}", self.house.player, table.number())) % 3;
        let multiple = scene.jackpot.unwrap_or(u8::from(self.scene.is_some() || is_wished || draw < 2));
        let jackpot = table.jackpot_minimum().filter(|_| 0 < multiple);
        let jackpot = jackpot.and_then(|minimum| minimum.times(multiple.into()).ok());
        wagers.extend(jackpot.map(|amount| (PlayingArea::Jackpot, amount)));
        wagers
    }

    /// What the scene says that this Player decides now. Without a word of the scene the Player wagers.
    fn decides(&self, table: &Table, is_wished: bool) -> Option<Command> {
        let scene = self.scene.as_ref().filter(|_| table.number() == 1);
        if scene.is_none() && !is_wished {
            return None;
        }
        let round = table.round();
        let Stage::Deciding(area) = round.stage() else { return None };
        let (position, _) = round.seats().find(|(_, seat)| seat.holder() == Some(&self.house.player))?;
        let place = round.book().following().iter().position(|other| *other == area)?;
        let said = scene.and_then(|scene| scene.decisions.get(place)).copied();
        let wanted = said.unwrap_or(Decision::Wager);
        let by = Asker::Player(self.house.player.clone());
        let decide = |decision| Command::Decide { position, decision };
        let taken = |command: &Command| round.decide(&by, command).is_ok();
        Some(decide(wanted)).filter(taken)
    }
}

fn guest(table: &TableId, number: u64, position: u8) -> HousePlayer {
    const NAMES: [&str; 6] = ["Ann", "Bea", "Carl", "Dan", "Eva", "Finn"];
    let name = NAMES.get(usize::from(position.saturating_sub(1))).copied().unwrap_or("Somebody");
    HousePlayer {
        player: PlayerId::new(&format!("{name} {number}")),
        table: table.clone(),
        position: Position(position),
        strategy: Strategy::Casual,
    }
}

/// Whether a scene has been played as far as it is to be.
fn is_there(round: &Round, until: Until) -> bool {
    match (until, round.stage()) {
        (Until::Bets, stage) => stage == Stage::BetsOpen,
        (Until::Dealt, stage) => stage == Stage::Deciding(round.book().first_area()),
        (Until::Decided, _) => round.seats().any(|(_, seat)| seat.has_decided()),
        (Until::Settling, stage) => stage == Stage::Settling,
        (Until::Concluded, stage) => stage == Stage::Concluded,
    }
}

/// The command with a reason, where one is told to the Player.
fn with_reason(mut command: Command) -> Command {
    if let Command::ProhibitPlayer { reason, .. } | Command::StopAction { reason, .. } = &mut command {
        *reason = Some("as the supervisor decided at the table".to_owned());
    }
    command
}
