//! A running script: its table, its rounds, and the rules cited so far.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cards::{Card, CardSet};
use money::{Money, Pool, Rate};
use round::{Asker, Command, Decision, Event, Place, PlayerId, Round, Stage, TableMemory, TableRules};
use rulebook::{Office, PlayingArea, Position, Rule, Rulebook};

use super::answer::Answer;
use super::table::Header;
use super::{commands, events, queries, words};

pub(super) const DEALER: Asker = Asker::Staff(Office::Dealer);

/// A round, with its initial state and its events.
#[derive(Clone, Debug)]
pub(super) struct Played {
    pub(super) round: Round,
    began: TableMemory,
    events: Vec<Event>,
}

impl Played {
    fn new(table: &TableRules, began: TableMemory) -> Played {
        Played { round: Round::new(table, began.clone()), began, events: Vec::new() }
    }
}

/// A meter into which rounds are entered.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Meter {
    pub(super) pool: Pool,
    pub(super) reset: Money,
    pub(super) rate: Rate,
}

/// A running script.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) book: Arc<Rulebook>,
    pub(super) method: usize,
    table: TableRules,
    pub(super) now: Played,
    earlier: Option<Played>,
    /// Every card that the script names, so that other places get different cards.
    named: CardSet,
    /// The cards that the script puts at places of this round; `None` for an unread card.
    hands: BTreeMap<Place, Option<Card>>,
    pub(super) meter: Meter,
    cited: BTreeSet<Rule>,
    /// Whether the script says `shows`, for a clause that no answer can cite.
    pub(super) shows: bool,
}

impl Session {
    pub(super) fn new(book: Arc<Rulebook>, script: &str) -> Session {
        let named =
            script.split(|c: char| !c.is_ascii_alphanumeric()).filter_map(|word| word.parse().ok()).collect();
        let header = Header::usual(&book);
        let table = header
            .rules(&book)
            .unwrap_or_else(|wrong| panic!("the default table of {}: {wrong}", book.citation));
        Session {
            now: Played::new(&table, TableMemory::default()),
            method: 0,
            table,
            book,
            earlier: None,
            named,
            hands: BTreeMap::new(),
            meter: Meter::default(),
            cited: BTreeSet::new(),
            shows: false,
        }
    }

    /// Whether an answer cited a rule.
    pub(super) fn has_cited(&self, rule: Rule) -> bool {
        self.cited.contains(&rule)
    }

    /// Runs one command or question.
    pub(super) fn take(&mut self, line: &str) -> Result<Answer, String> {
        let answer = match line.split_once(' ').unwrap_or((line, "")) {
            ("shows", "") => {
                self.shows = true;
                Answer::plain("")
            }
            ("table", rest) => self.new_table(rest)?,
            ("reading", rest) => self.change_reading(rest)?,
            ("next", "") => self.next_round()?,
            ("earlier:", rest) => self.give_earlier(rest)?,
            ("cards", rest) => self.name_cards(rest).map(|()| Answer::plain(""))?,
            ("deal", rest) => {
                self.name_cards(rest)?;
                self.deal_all()?
            }
            ("seats", rest) => self.seat_players(rest)?,
            ("on", "") => self.play_on()?,
            ("stay", "") => self.all_stay()?,
            ("run", rest) => self.run(rest)?,
            (word, rest) => match queries::ask(self, word, rest)? {
                Some(answer) => answer,
                None => self.command(line)?,
            },
        };
        self.check_citations(&answer)?;
        Ok(answer)
    }

    /// Every cited rule must be in the register of the book.
    fn check_citations(&mut self, answer: &Answer) -> Result<(), String> {
        if let Some(unknown) = answer.rules.iter().find(|rule| self.book.entry(**rule).is_none()) {
            return Err(format!(
                "{} has no rule {unknown}, but it was cited: {}",
                self.book.citation, answer.text
            ));
        }
        self.cited.extend(&answer.rules);
        Ok(())
    }

    fn new_table(&mut self, text: &str) -> Result<Answer, String> {
        let mut header = Header::usual(&self.book);
        header.read(text)?;
        match header.rules(&self.book) {
            Ok(table) => {
                self.method = header.method_place(&self.book);
                self.table = table;
                self.now = Played::new(&self.table, TableMemory::default());
                Ok(Answer::plain(format!("table of {}", header.positions)))
            }
            Err(wrong) => Ok(Answer { refused: true, ..Answer::plain(format!("refused, {wrong}")) }),
        }
    }

    fn change_reading(&mut self, text: &str) -> Result<Answer, String> {
        let reading = text.split_once(' ').ok_or("write: reading NAME VALUE")?;
        let source = rulebook::embedded_text(&self.book.id).expect("the books of the tests are embedded");
        let book =
            Rulebook::parse_with(&self.book.id, source, &[reading]).map_err(|error| error.to_string())?;
        self.book = Arc::new(book);
        self.new_table("")
    }

    fn next_round(&mut self) -> Result<Answer, String> {
        let answer = self.give(&DEALER, &Command::BeginNextRound {})?;
        if !answer.refused {
            self.replays()?;
            let next = Played::new(&self.table, self.now.round.memory().clone());
            self.earlier = Some(std::mem::replace(&mut self.now, next));
            self.hands.clear();
        }
        Ok(answer)
    }

    fn give_earlier(&mut self, line: &str) -> Result<Answer, String> {
        let earlier = self.earlier.take().ok_or("there is no earlier round")?;
        let now = std::mem::replace(&mut self.now, earlier);
        let answer = self.take(line);
        self.earlier = Some(std::mem::replace(&mut self.now, now));
        answer
    }

    /// Gives a command of the round, by the named person or the Dealer.
    fn command(&mut self, line: &str) -> Result<Answer, String> {
        let (by, text) = words::speaker(line)?;
        if let Some(position) = commands::unseated(&self.now.round, text) {
            let player = PlayerId::new(&format!("p{}", position.0));
            self.give(&DEALER, &Command::TakePosition { position, player })?;
        }
        let command = commands::parse(&self.book, &self.now.round, text)?;
        self.give(&by, &command)
    }

    /// Places the same wagers on several positions. All of them must be accepted.
    fn seat_players(&mut self, text: &str) -> Result<Answer, String> {
        let mut answers = Vec::new();
        for line in commands::seat_lines(text)? {
            let answer = self.command(&line)?;
            if answer.refused {
                return Err(format!("{line}: {}", answer.text));
            }
            answers.push(answer);
        }
        Ok(Answer::joined(answers, "nothing"))
    }

    /// Gives a command. A refusal must change nothing and must cite this book.
    pub(super) fn give(&mut self, by: &Asker, command: &Command) -> Result<Answer, String> {
        let before = self.now.round.clone();
        match self.now.round.apply(by, command) {
            Ok(happened) => {
                let answers = happened.iter().map(events::event).collect();
                happened.iter().try_for_each(check_stakes)?;
                self.now.events.extend(happened);
                Ok(Answer::joined(answers, "nothing"))
            }
            Err(refusal) if before != self.now.round => Err(format!("{refusal} changed the round")),
            Err(refusal) if refusal.clause.book != self.book.citation => {
                Err(format!("{refusal} cites another book"))
            }
            Err(refusal) => Ok(events::refused(&refusal)),
        }
    }

    /// Gives a command that must be accepted, because it is part of the procedure.
    fn must(&mut self, command: &Command) -> Result<Answer, String> {
        let answer = self.give(&DEALER, command)?;
        self.check_citations(&answer)?;
        if answer.refused { Err(format!("{command:?} was {}", answer.text)) } else { Ok(answer) }
    }

    /// Replaying all events must give the present round.
    pub(super) fn replays(&self) -> Result<(), String> {
        let mut again = Round::new(&self.table, self.now.began.clone());
        for event in &self.now.events {
            again.evolve(event);
        }
        if again == self.now.round {
            Ok(())
        } else {
            Err("replaying the events gives a different round".to_owned())
        }
    }

    fn name_cards(&mut self, text: &str) -> Result<(), String> {
        for pile in text.split(';').map(str::trim).filter(|pile| !pile.is_empty()) {
            let (name, cards) = pile.split_once(' ').ok_or_else(|| format!("{pile:?} has no cards"))?;
            let place = words::pile(name)?;
            for (at, word) in (0..).zip(cards.split_whitespace()) {
                self.hands.insert(place(at), words::maybe_card(word)?);
            }
        }
        Ok(())
    }

    /// Deals every card that is due.
    fn deal_all(&mut self) -> Result<Answer, String> {
        if self.now.round.next_place().is_none() {
            return self.give(&DEALER, &Command::DealCard { card: None });
        }
        let mut answers = Vec::new();
        while let Some(place) = self.now.round.next_place() {
            let card = match self.hands.get(&place) {
                Some(card) => *card,
                None => Some(self.filler()),
            };
            let answer = self.give(&DEALER, &Command::DealCard { card })?;
            let refused = answer.refused;
            answers.push(answer);
            if refused {
                break;
            }
        }
        Ok(Answer::joined(answers, "nothing"))
    }

    /// A card that the script does not name and that is not dealt yet, in an order that makes no good hands.
    fn filler(&self) -> Card {
        let dealt = |event: &Event| match event {
            Event::CardDealt { card, .. } => *card,
            Event::CardRead { card, .. } => Some(*card),
            _ => None,
        };
        let seen: CardSet = self.now.events.iter().filter_map(dealt).collect();
        let order =
            (0..52_u8).filter_map(|place| Card::from_index(place.wrapping_mul(19).wrapping_add(5) % 52));
        let free: Vec<Card> = order.filter(|card| !seen.contains(*card)).collect();
        let unnamed = free.iter().find(|card| !self.named.contains(**card));
        // A long script may name every card. Then any card that this round does not name will do.
        let other = || free.iter().find(|card| !self.hands.values().any(|named| *named == Some(**card)));
        *unnamed.or_else(other).expect("a round never uses the whole deck")
    }

    /// After a power failure everybody who has not answered leaves the wagers.
    fn all_stay(&mut self) -> Result<Answer, String> {
        let mut last = Answer::default();
        for player in self.now.round.unanswered() {
            last = self.must(&Command::StayIn { player })?;
        }
        Ok(last)
    }

    /// Does the Dealer's routine steps (close, deal, turn) until somebody must decide.
    fn play_on(&mut self) -> Result<Answer, String> {
        let mut last = Answer::default();
        loop {
            last = match self.now.round.stage() {
                Stage::BetsOpen => self.must(&Command::CloseBets {})?,
                Stage::Dealing => self.deal_all()?,
                Stage::Exposing(_) => self.must(&Command::Expose {})?,
                stage => {
                    return Ok(Answer { text: events::stage(stage), ..last });
                }
            };
            if last.refused {
                return Ok(last);
            }
        }
    }

    /// Plays to the settlement. Everybody stays in and checks or wagers on Turn and River.
    fn run(&mut self, how: &str) -> Result<Answer, String> {
        let later = match how {
            "" => Decision::Check,
            "wagering" => Decision::Wager,
            _ => return Err(format!("{how:?} is not a way to run")),
        };
        loop {
            let answer = self.play_on()?;
            if answer.refused {
                return Ok(answer);
            }
            match self.now.round.stage() {
                Stage::Deciding(area) if area == self.book.first_area() => {
                    self.decide_all(area, Decision::Wager)?;
                }
                Stage::Deciding(area) => self.decide_all(area, later)?,
                Stage::Showing => self.show_all()?,
                Stage::Settling => return self.must(&Command::Settle {}),
                stage => return Ok(Answer::plain(events::stage(stage))),
            }
        }
    }

    fn decide_all(&mut self, area: PlayingArea, decision: Decision) -> Result<(), String> {
        for position in self.active() {
            if self.now.round.stage() == Stage::Deciding(area) {
                self.give(&DEALER, &Command::Decide { position, decision })?;
            }
        }
        if self.now.round.stage() == Stage::Deciding(area) {
            Err("a hand cannot decide".to_owned())
        } else {
            Ok(())
        }
    }

    fn show_all(&mut self) -> Result<(), String> {
        for position in self.active() {
            self.give(&DEALER, &Command::ShowHand { position })?;
        }
        if self.now.round.stage() == Stage::Showing {
            Err("a hand cannot be shown".to_owned())
        } else {
            Ok(())
        }
    }

    fn active(&self) -> Vec<Position> {
        let seats = self.now.round.seats().filter(|(_, seat)| seat.is_active());
        seats.map(|(position, _)| position).collect()
    }
}

/// Every stake must be returned or collected to the cent, and a void round must pay nothing.
fn check_stakes(event: &Event) -> Result<(), String> {
    let Event::Settled { settlement } = event else {
        return Ok(());
    };
    for line in &settlement.lines {
        if line.returned.plus(line.collected) != Ok(line.staked) {
            return Err(format!("{line:?} does not add up"));
        }
        if settlement.void.is_some() && (line.returned != line.staked || !line.paid.is_zero()) {
            return Err(format!("{line:?} moved money on a void round"));
        }
    }
    Ok(())
}
