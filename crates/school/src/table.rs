//! A table for exercises: a real round, played by chance up to a moment.

use std::sync::Arc;

use money::Money;
use round::{Asker, Command, Decision, Event, PlayerId, Round, Settlement, Stage, TableMemory, TableRules};
use rulebook::{Limits, Means, Office, PlayingArea, Position, Rulebook, Viewing};

use crate::chance::Chance;
use crate::deal::{Deal, Plant};
use crate::picture::{AreaLimits, JackpotPicture, Picture, Shows};

pub(crate) const DEALER: Asker = Asker::Staff(Office::Dealer);

/// The Players of the exercises.
const NAMES: [&str; 7] = ["Ann", "Ben", "Chloe", "Dev", "Eve", "Farid", "Grace"];

/// What a table of an exercise is like.
#[derive(Clone, Copy)]
pub(crate) struct Setup {
    /// How many hands are dealt.
    pub(crate) hands: usize,
    pub(crate) plant: Plant,
    /// The least Jackpot wager, if it is not left to chance.
    pub(crate) minimum: Option<Money>,
    /// Whether the first Player holds the first two positions.
    pub(crate) two_hands: bool,
    /// Chances in a hundred that a position has a Jackpot wager.
    pub(crate) jackpot: u64,
    /// Chances in a hundred that a hand folds, and that it declines comparison.
    pub(crate) folds: u64,
    pub(crate) declines: u64,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            hands: 2,
            plant: Plant::Nothing,
            minimum: None,
            two_hands: false,
            jackpot: 50,
            folds: 15,
            declines: 5,
        }
    }
}

/// A round in play, with the cards to come.
#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) round: Round,
    pub(crate) deal: Deal,
    pub(crate) book: Arc<Rulebook>,
    pub(crate) limits: Limits,
    pub(crate) minimum: Money,
    pub(crate) method: usize,
    /// The positions with a hand, and their Players.
    pub(crate) hands: Vec<(Position, PlayerId)>,
    /// The last command of the procedure, for the story.
    pub(crate) last: Option<Command>,
    setup: Setup,
}

impl Table {
    /// A table whose Players have taken their positions. No bets are open.
    pub(crate) fn new(chance: &mut Chance, book: &Arc<Rulebook>, setup: Setup) -> Table {
        Table::with_memory(chance, book, setup, TableMemory::default())
    }

    pub(crate) fn with_memory(
        chance: &mut Chance,
        book: &Arc<Rulebook>,
        setup: Setup,
        memory: TableMemory,
    ) -> Table {
        let layout = chance.pick(&book.layouts);
        let most = *layout.positions.end();
        let least = (*layout.positions.start()).max(u8::try_from(setup.hands + 1).unwrap_or(most)).min(most);
        let positions = u8::try_from(chance.between(least.into(), most.into())).unwrap_or(most);
        let limits = limits(chance, book);
        let minimum = setup.minimum.unwrap_or_else(|| Money::from_cents(*chance.pick(&[200, 500, 1_000])));
        let method = chance.below(book.methods.len());
        let name = book.methods[method].name.as_str();
        let rules = TableRules::new(Arc::clone(book), positions, limits.clone(), Some(name), Some(minimum));
        let rules = rules.expect("the settings are chosen from what the book allows");
        let mut places: Vec<u8> = (1..=positions).collect();
        chance.shuffle(&mut places);
        places.truncate(setup.hands);
        places.sort_unstable();
        let hands: Vec<(Position, PlayerId)> =
            places.into_iter().enumerate().map(|(at, place)| (Position(place), player(at, setup))).collect();
        let dealt: Vec<Position> = hands.iter().map(|(position, _)| *position).collect();
        let deal = Deal::new(chance, book, &dealt, setup.plant);
        let round = Round::new(&rules, memory);
        let mut table =
            Table { round, deal, book: Arc::clone(book), limits, minimum, method, hands, last: None, setup };
        table.seat_players();
        table
    }

    /// A table as somebody wrote it, with the first of the book's layouts and methods. Refused where the rules refuse it.
    pub(crate) fn written(
        book: &Arc<Rulebook>,
        limits: Limits,
        minimum: Money,
        hands: Vec<(Position, PlayerId)>,
        deal: Deal,
    ) -> Result<Table, String> {
        let positions = book.layouts.first().map_or(1, |layout| *layout.positions.end());
        let method = book.methods.first().ok_or("the book has no dealing method")?;
        let rules =
            TableRules::new(Arc::clone(book), positions, limits.clone(), Some(&method.name), Some(minimum));
        let round = Round::new(&rules.map_err(|error| error.to_string())?, TableMemory::default());
        let (setup, book) = (Setup::default(), Arc::clone(book));
        let mut table =
            Table { round, deal, book, limits, minimum, method: 0, hands: hands.clone(), last: None, setup };
        for (position, player) in hands {
            table.ask(&Command::TakePosition { position, player })?;
        }
        Ok(table)
    }

    /// Gives a command that may be refused.
    pub(crate) fn ask(&mut self, command: &Command) -> Result<(), String> {
        let refused = |refusal: round::Refusal| refusal.to_string();
        self.round.apply(&DEALER, command).map(drop).map_err(refused)
    }

    fn seat_players(&mut self) {
        let needs_telling = self.setup.two_hands && self.book.viewing == Viewing::PlayerIsTold;
        if let Some((_, player)) = self.hands.first().filter(|_| needs_telling) {
            self.give(&Command::InformPlayer { player: player.clone() });
        }
        for (position, player) in self.hands.clone() {
            self.give(&Command::TakePosition { position, player });
        }
    }

    /// Gives a command of the procedure.
    pub(crate) fn give(&mut self, command: &Command) -> Vec<Event> {
        self.give_by(&DEALER, command)
    }

    pub(crate) fn give_by(&mut self, by: &Asker, command: &Command) -> Vec<Event> {
        match self.round.apply(by, command) {
            Ok(events) => events,
            Err(refusal) => panic!("an exercise gave {command:?}, which was refused: {refusal}"),
        }
    }

    pub(crate) fn place(
        &mut self,
        position: Position,
        area: PlayingArea,
        owner: &PlayerId,
        amount: Money,
        means: Means,
    ) {
        self.give(&Command::PlaceWager { position, area, owner: owner.clone(), amount, means });
    }

    /// Opens bets, and places an Ante on every hand, with other wagers by chance.
    pub(crate) fn bets(&mut self, chance: &mut Chance) {
        self.give(&Command::OpenBets {});
        for (position, player) in self.hands.clone() {
            let ante = self.ante(chance);
            self.place(position, PlayingArea::Ante, &player, ante, Means::Chips);
            if self.limits.bonus.is_some() && chance.percent(60) {
                let bonus = Money::from_cents(500 * chance.between(1, 20));
                self.place(position, PlayingArea::Bonus, &player, bonus, Means::Chips);
            }
            if chance.percent(self.setup.jackpot) {
                let times = self.multiple(chance);
                self.place_jackpot(position, &player, times);
            }
        }
    }

    pub(crate) fn place_jackpot(&mut self, position: Position, player: &PlayerId, times: u64) {
        let amount = self.minimum.times(times).expect("a few minimums");
        let means = *self.book.jackpot.means.first().expect("a book has a way to place the wager");
        self.place(position, PlayingArea::Jackpot, player, amount, means);
    }

    /// A multiple of the Jackpot minimum that the book allows.
    pub(crate) fn multiple(&self, chance: &mut Chance) -> u64 {
        let multiples = &self.book.jackpot.multiples;
        chance.between((*multiples.start()).into(), (*multiples.end()).into())
    }

    /// An Ante within the limits, in steps of 5.00.
    pub(crate) fn ante(&self, chance: &mut Chance) -> Money {
        let (least, most) = (self.limits.ante.start().cents(), self.limits.ante.end().cents());
        let steps = ((most - least) / 500).min(20);
        Money::from_cents(least + 500 * chance.between(0, steps))
    }

    /// Plays by chance until `stop` says so or the round is over.
    pub(crate) fn play_until(&mut self, chance: &mut Chance, stop: impl Fn(&Round) -> bool) {
        while !stop(&self.round) && self.step(chance) {}
    }

    /// Takes the next step of the procedure; false if the round is over.
    pub(crate) fn step(&mut self, chance: &mut Chance) -> bool {
        let command = match self.round.stage() {
            Stage::BeforeBets => {
                self.bets(chance);
                self.last = Some(Command::OpenBets {});
                return true;
            }
            Stage::BetsOpen => Command::CloseBets {},
            Stage::Dealing => {
                let place = self.round.next_place().expect("a card is due while dealing");
                Command::DealCard { card: Some(self.deal.at(place)) }
            }
            Stage::Deciding(area) => self.decision(chance, area),
            Stage::Exposing(_) => Command::Expose {},
            Stage::Showing => self.showing(chance),
            Stage::Settling => Command::Settle {},
            Stage::Concluded | Stage::Void | Stage::Closed => return false,
        };
        self.give(&command);
        self.last = Some(command);
        true
    }

    fn decision(&self, chance: &mut Chance, area: PlayingArea) -> Command {
        let (position, _) = undecided(&self.round, area).expect("a hand has a decision to make");
        let first = area == self.book.first_area();
        let decision = match (first, chance.percent(if first { self.setup.folds } else { 50 })) {
            (true, true) => Decision::Fold,
            (false, true) => Decision::Check,
            (_, false) => Decision::Wager,
        };
        Command::Decide { position, decision }
    }

    fn showing(&self, chance: &mut Chance) -> Command {
        let mut waiting = self
            .round
            .seats()
            .filter(|(_, seat)| seat.is_active() && !seat.is_shown() && !seat.has_declined());
        let (position, _) = waiting.next().expect("a hand is to be shown");
        if chance.percent(self.setup.declines) {
            Command::DeclineComparison { position }
        } else {
            Command::ShowHand { position }
        }
    }

    /// The settlement that the engine would make now.
    pub(crate) fn settlement(&self) -> Settlement {
        let mut round = self.round.clone();
        if round.stage() == Stage::Settling {
            round.apply(&DEALER, &Command::Settle {}).expect("a round that is ready can be settled");
        }
        round.settlement().expect("the round is settled").clone()
    }

    /// The limits of every area.
    pub(crate) fn area_limits(&self) -> Vec<AreaLimits> {
        let of = |area: &PlayingArea| {
            let range = match area {
                PlayingArea::Ante => self.limits.ante.clone(),
                PlayingArea::Bonus => self.limits.bonus.clone()?,
                PlayingArea::Jackpot => return None,
                PlayingArea::Flop | PlayingArea::Turn | PlayingArea::River | PlayingArea::Bet => {
                    self.limits.times_ante(self.book.multiple_of_ante(*area)?).ok()?
                }
            };
            Some(AreaLimits { area: *area, least: *range.start(), most: *range.end() })
        };
        self.book.areas().iter().filter_map(of).collect()
    }

    pub(crate) fn picture(&self, shows: Shows) -> Picture {
        let mut picture = Picture::of(&self.round, self.area_limits(), shows);
        picture.method = Some(self.book.methods[self.method].name.clone());
        picture.jackpot = Some(JackpotPicture { minimum: self.minimum, meter: None, reset: None });
        picture
    }

    /// A position where nobody sits.
    pub(crate) fn free_position(&self) -> Option<Position> {
        self.round.seats().find(|(_, seat)| seat.holder().is_none()).map(|(position, _)| position)
    }
}

/// The next hand that has to decide.
pub(crate) fn undecided(round: &Round, area: PlayingArea) -> Option<(Position, PlayerId)> {
    let mut waiting = round.seats().filter(|(_, seat)| seat.is_active() && seat.decision(area).is_none());
    waiting.next().and_then(|(position, seat)| Some((position, seat.holder()?.clone())))
}

fn player(at: usize, setup: Setup) -> PlayerId {
    let name = if setup.two_hands && at == 1 { NAMES[0] } else { NAMES[at % NAMES.len()] };
    PlayerId::new(name)
}

fn limits(chance: &mut Chance, book: &Rulebook) -> Limits {
    let least = Money::from_cents(*chance.pick(&[1_000, 2_500, 5_000, 10_000]));
    let most = least.times(*chance.pick(&[10, 20, 40])).expect("limits of a table");
    let has_bonus = book.areas().contains(&PlayingArea::Bonus);
    let bonus = has_bonus.then_some(Money::from_cents(500)..=Money::from_cents(50_000));
    Limits { ante: least..=most, bonus }
}
