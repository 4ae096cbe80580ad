//! Exercises that people write: a file says which situations, and never what is right. The engine plays each situation and gives
//! the answers, so a file cannot be wrong about a rule. `docs/drill.md` has the format.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use cards::{Card, CardSet};
use money::Money;
use round::{Command, Decision, PlayerId, Stage};
use rulebook::{Limits, Means, PlayingArea, Position, Rule, Rulebook};
use serde::Deserialize;
use toml::Spanned;

use crate::chance::Chance;
use crate::deal::Deal;
use crate::drill::Drill;
use crate::exercise::Kind;
use crate::kinds::{hand, pay};
use crate::table::Table;

/// The most exercises of a course.
const EXERCISES_MAX: usize = 100;

/// Words that somebody might write an answer under.
const ANSWERS: [&str; 8] = ["answer", "answers", "right", "correct", "solution", "result", "outcome", "paid"];

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, {field}: {reason}")]
pub struct CourseError {
    /// From one.
    pub line: usize,
    pub field: String,
    pub reason: String,
}

/// Exercises in the order in which they were written.
#[derive(Clone, Debug)]
pub struct Course {
    pub title: String,
    pub book: Arc<Rulebook>,
    /// Each with the line it begins at.
    pub drills: Vec<(usize, Drill)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: String,
    book: Spanned<String>,
    exercise: Spanned<Vec<Spanned<Written>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    kind: Spanned<Kind>,
    #[serde(default)]
    story: Vec<String>,
    seed: Option<Spanned<u32>>,
    clause: Option<Spanned<String>>,
    cards: Option<Spanned<String>>,
    community: Option<Spanned<String>>,
    dealer: Option<Spanned<String>>,
    #[serde(default)]
    limits: Option<WrittenLimits>,
    /// The least Jackpot wager.
    jackpot_minimum: Option<Spanned<String>>,
    #[serde(default)]
    seat: Vec<Spanned<Seat>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLimits {
    ante: [Spanned<String>; 2],
    bonus: Option<[Spanned<String>; 2]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Seat {
    position: Spanned<u8>,
    player: String,
    cards: Spanned<String>,
    ante: Spanned<String>,
    bonus: Option<Spanned<String>>,
    jackpot: Option<Spanned<String>>,
    /// What the Player decides, in order: `wager`, `check` or `fold`.
    #[serde(default)]
    decisions: Vec<Spanned<WrittenDecision>>,
    /// Whether the Player declines to show the hand.
    #[serde(default)]
    declines: bool,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum WrittenDecision {
    Wager,
    Check,
    Fold,
}

impl Course {
    /// Reads a file and has the engine play every situation. Refused where something is unknown, missing or against the
    /// rules, with the line and the field.
    pub fn parse(text: &str, books: &[Arc<Rulebook>]) -> Result<Course, CourseError> {
        let file: File = toml::from_str(text).map_err(|error| unreadable(text, &error))?;
        let reader = Reader { text };
        let named = |book: &&Arc<Rulebook>| {
            book.id == *file.book.get_ref() || book.citation.to_string() == *file.book.get_ref()
        };
        let book = books.iter().find(named).cloned().ok_or_else(|| {
            let known: Vec<String> = books.iter().map(|book| book.citation.to_string()).collect();
            reader.at(
                &file.book,
                "book",
                format!("there is no such rulebook; there are {}", known.join(", ")),
            )
        })?;
        let written = file.exercise.get_ref();
        if written.is_empty() || EXERCISES_MAX < written.len() {
            let reason = format!("a course has 1 to {EXERCISES_MAX} exercises");
            return Err(reader.at(&file.exercise, "exercise", reason));
        }
        let mut drills = Vec::with_capacity(written.len());
        for (place, one) in written.iter().enumerate() {
            let line = reader.line(one.span());
            drills.push((line, reader.drill(&book, one, u32::try_from(place).unwrap_or(u32::MAX))?));
        }
        Ok(Course { title: file.title, book, drills })
    }
}

/// An error of the TOML itself, or of a field that is not known.
fn unreadable(text: &str, error: &toml::de::Error) -> CourseError {
    let span = error.span().unwrap_or(0..0);
    let line = Reader { text }.line(span.clone());
    let message = error.message().to_owned();
    // An unknown or missing field is named in the message; elsewhere the key stands on the line.
    let quoted = message.split('`').nth(1).map(str::to_owned);
    let key = text.lines().nth(line - 1).and_then(|line| line.split('=').next());
    let key = key.map(|key| key.trim().trim_matches(['[', ']']).to_owned());
    let field = quoted.or(key).filter(|field| !field.is_empty()).unwrap_or_else(|| "file".to_owned());
    let reason = if message.contains("unknown field") && ANSWERS.contains(&field.as_str()) {
        "a file has no answers: the engine gives them".to_owned()
    } else {
        message.lines().next().unwrap_or_default().to_owned()
    };
    CourseError { line, field, reason }
}

/// Knows where in the text something stands.
struct Reader<'t> {
    text: &'t str,
}

impl Reader<'_> {
    fn line(&self, span: Range<usize>) -> usize {
        self.text.get(..span.start).map_or(1, |before| before.matches('\n').count() + 1)
    }

    fn at<T>(&self, place: &Spanned<T>, field: &str, reason: impl Into<String>) -> CourseError {
        CourseError { line: self.line(place.span()), field: field.to_owned(), reason: reason.into() }
    }

    fn drill(&self, book: &Arc<Rulebook>, one: &Spanned<Written>, place: u32) -> Result<Drill, CourseError> {
        let written = one.get_ref();
        let kind = *written.kind.get_ref();
        let own = written.cards.is_some()
            || written.community.is_some()
            || written.dealer.is_some()
            || !written.seat.is_empty();
        let mut chance = Chance::new(place, "course");
        let drill = match kind {
            Kind::ReadTheHand if own => {
                let deal = self.hand(book, one)?;
                Drill::of(book, kind, 0, hand::ask(&mut chance, book, &deal))
            }
            Kind::PayTheTable if own => {
                let table = self.table(book, one)?;
                Drill::of(book, kind, 0, pay::ask(&mut chance, &table))
            }
            _ if own => {
                let reason = "only read-the-hand and pay-the-table take cards; name a seed or a clause";
                return Err(self.at(&written.kind, "kind", reason));
            }
            _ => self.found(book, written)?,
        };
        Ok(drill.with_story(&written.story))
    }

    /// An exercise that the engine finds: by its seed, or about a clause.
    fn found(&self, book: &Arc<Rulebook>, written: &Written) -> Result<Drill, CourseError> {
        let kind = *written.kind.get_ref();
        let seed = written.seed.as_ref().map(|seed| *seed.get_ref());
        let Some(clause) = &written.clause else {
            let missing =
                || self.at(&written.kind, "seed", "name a seed, a clause, or the cards of the situation");
            return Ok(Drill::new(book, kind, seed.ok_or_else(missing)?));
        };
        let rule: Option<Rule> = clause.get_ref().parse().ok().filter(|rule| book.entry(*rule).is_some());
        let rule =
            rule.ok_or_else(|| self.at(clause, "clause", format!("{} has no such clause", book.citation)))?;
        Drill::about(book, kind, rule, seed.unwrap_or(1)).ok_or_else(|| {
            self.at(clause, "clause", format!("no exercise of the kind {} rests on it", kind.name()))
        })
    }

    fn hand(&self, book: &Rulebook, one: &Spanned<Written>) -> Result<Deal, CourseError> {
        let written = one.get_ref();
        let mut seen = CardSet::EMPTY;
        let own = written.cards.as_ref().ok_or_else(|| self.at(one, "cards", "write the Player's cards"))?;
        let own = self.cards(own, "cards", book.hand_cards(), &mut seen)?;
        let (community, dealer) = self.shared(book, one, &mut seen)?;
        Ok(Deal { hands: BTreeMap::from([(Position(1), own)]), community, dealer })
    }

    /// The community cards and the Dealer's.
    fn shared(
        &self,
        book: &Rulebook,
        one: &Spanned<Written>,
        seen: &mut CardSet,
    ) -> Result<(Vec<Card>, Vec<Card>), CourseError> {
        let written = one.get_ref();
        let community = match &written.community {
            Some(community) => self.cards(community, "community", book.community_cards(), seen)?,
            None if book.community_cards() == 0 => Vec::new(),
            None => return Err(self.at(one, "community", "write the five Community cards")),
        };
        let dealer =
            written.dealer.as_ref().ok_or_else(|| self.at(one, "dealer", "write the Dealer's cards"))?;
        Ok((community, self.cards(dealer, "dealer", book.hand_cards(), seen)?))
    }

    fn cards(
        &self,
        text: &Spanned<String>,
        field: &str,
        count: usize,
        seen: &mut CardSet,
    ) -> Result<Vec<Card>, CourseError> {
        let cards = lab::advice::parse_cards(text.get_ref())
            .map_err(|error| self.at(text, field, error.to_string()))?;
        if cards.len() != count {
            return Err(self.at(text, field, format!("there are {count} cards here, not {}", cards.len())));
        }
        match cards.iter().find(|card| !seen.insert(**card)) {
            Some(twice) => Err(self.at(text, field, format!("{twice} is there twice"))),
            None => Ok(cards),
        }
    }

    fn money(&self, text: &Spanned<String>, field: &str) -> Result<Money, CourseError> {
        amount(text.get_ref()).ok_or_else(|| self.at(text, field, "write an amount as \"25.00\""))
    }

    /// A round as it was written, ready to be settled.
    fn table(&self, book: &Arc<Rulebook>, one: &Spanned<Written>) -> Result<Table, CourseError> {
        let written = one.get_ref();
        if written.seat.is_empty() {
            return Err(self.at(one, "seat", "write at least one [[exercise.seat]]"));
        }
        let mut seen = CardSet::EMPTY;
        let mut hands = BTreeMap::new();
        let mut players = Vec::new();
        for seat in &written.seat {
            let Seat { position, player, cards, .. } = seat.get_ref();
            let cards = self.cards(cards, "seat.cards", book.hand_cards(), &mut seen)?;
            if hands.insert(Position(*position.get_ref()), cards).is_some() {
                return Err(self.at(position, "seat.position", "another hand lies there"));
            }
            players.push((Position(*position.get_ref()), PlayerId::new(player)));
        }
        let (community, dealer) = self.shared(book, one, &mut seen)?;
        let deal = Deal { hands, community, dealer };
        let minimum = match &written.jackpot_minimum {
            Some(text) => self.money(text, "jackpot_minimum")?,
            None => Money::from_cents(500),
        };
        let limits = self.limits(book, written.limits.as_ref())?;
        let table = Table::written(book, limits, minimum, players, deal);
        let mut table = table.map_err(|reason| self.at(one, "seat", reason))?;
        self.play(&mut table, one)?;
        Ok(table)
    }

    fn limits(&self, book: &Rulebook, written: Option<&WrittenLimits>) -> Result<Limits, CourseError> {
        let money = |text: &Spanned<String>| self.money(text, "limits");
        let has_bonus = book.areas().contains(&PlayingArea::Bonus);
        let Some(written) = written else {
            let bonus = has_bonus.then_some(Money::from_cents(500)..=Money::from_cents(50_000));
            return Ok(Limits { ante: Money::from_cents(2_500)..=Money::from_cents(100_000), bonus });
        };
        let [least, most] = &written.ante;
        let bonus = match &written.bonus {
            Some([least, most]) => Some(money(least)?..=money(most)?),
            None => None,
        };
        Ok(Limits { ante: money(least)?..=money(most)?, bonus })
    }

    /// Plays the round: wagers, cards, decisions. What the rules refuse is said of the seat that asked for it.
    fn play(&self, table: &mut Table, one: &Spanned<Written>) -> Result<(), CourseError> {
        let written = one.get_ref();
        let refused = |reason: String| self.at(one, "seat", reason);
        table.ask(&Command::OpenBets {}).map_err(refused)?;
        for seat in &written.seat {
            self.wagers(table, seat)?;
        }
        loop {
            let command = match table.round.stage() {
                Stage::BetsOpen => Command::CloseBets {},
                Stage::Dealing => {
                    let place = table.round.next_place().expect("a card is due while dealing");
                    Command::DealCard { card: Some(table.deal.at(place)) }
                }
                Stage::Deciding(area) => self.decision(table, written, area)?,
                Stage::Exposing(_) => Command::Expose {},
                Stage::Showing => showing(table, written),
                Stage::Settling => return Ok(()),
                Stage::BeforeBets | Stage::Concluded | Stage::Void | Stage::Closed => {
                    return Err(refused("the round does not come to a settlement".to_owned()));
                }
            };
            table.ask(&command).map_err(refused)?;
        }
    }

    fn wagers(&self, table: &mut Table, seat: &Spanned<Seat>) -> Result<(), CourseError> {
        let Seat { position, player, ante, bonus, jackpot, .. } = seat.get_ref();
        let jackpot_means = *table.book.jackpot.means.first().expect("a book has a way to place the wager");
        let placed = [
            (Some(ante), PlayingArea::Ante, "seat.ante", Means::Chips),
            (bonus.as_ref(), PlayingArea::Bonus, "seat.bonus", Means::Chips),
            (jackpot.as_ref(), PlayingArea::Jackpot, "seat.jackpot", jackpot_means),
        ];
        for (text, area, field, means) in placed {
            let Some(text) = text else { continue };
            let (position, owner) = (Position(*position.get_ref()), PlayerId::new(player));
            let amount = self.money(text, field)?;
            let command = Command::PlaceWager { position, area, owner, amount, means };
            table.ask(&command).map_err(|reason| self.at(text, field, reason))?;
        }
        Ok(())
    }

    /// The next decision, as its Player wrote it.
    fn decision(&self, table: &Table, written: &Written, area: PlayingArea) -> Result<Command, CourseError> {
        let (position, _) =
            crate::table::undecided(&table.round, area).expect("a hand has a decision to make");
        let seat = written.seat.iter().find(|seat| *seat.get_ref().position.get_ref() == position.0);
        let seat = seat.expect("every hand was written");
        let place = table.book.following().iter().position(|of| *of == area).unwrap_or(0);
        let decision = seat.get_ref().decisions.get(place).ok_or_else(|| {
            self.at(
                seat,
                "seat.decisions",
                format!("say what is decided on the {area}: wager, check or fold"),
            )
        })?;
        let decision = match decision.get_ref() {
            WrittenDecision::Wager => Decision::Wager,
            WrittenDecision::Check => Decision::Check,
            WrittenDecision::Fold => Decision::Fold,
        };
        let command = Command::Decide { position, decision };
        let tried = table.round.decide(&crate::table::DEALER, &command);
        tried.map_err(|refusal| self.at(seat, "seat.decisions", refusal.to_string()))?;
        Ok(command)
    }
}

/// An amount as people write it: dollars, with two digits of cents or none.
fn amount(text: &str) -> Option<Money> {
    let (dollars, cents) = text.split_once('.').unwrap_or((text, "00"));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let plain = !dollars.is_empty() && cents.len() == 2 && digits(dollars) && digits(cents);
    let cents: u64 = plain.then(|| cents.parse().ok())??;
    let dollars: u64 = dollars.parse().ok()?;
    Some(Money::from_cents(dollars.checked_mul(100)?.checked_add(cents)?))
}

fn showing(table: &Table, written: &Written) -> Command {
    let mut waiting =
        table.round.seats().filter(|(_, seat)| seat.is_active() && !seat.is_shown() && !seat.has_declined());
    let (position, _) = waiting.next().expect("a hand is to be shown");
    let declines = written
        .seat
        .iter()
        .any(|seat| *seat.get_ref().position.get_ref() == position.0 && seat.get_ref().declines);
    if declines { Command::DeclineComparison { position } } else { Command::ShowHand { position } }
}
