//! Checks a parsed book, so that a valid `Rulebook` has no contradictions.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use cards::HandOrder;
use money::Odds;

use crate::book::Rulebook;
use crate::clause::{Citation, ClauseEntry, ClauseKind, Rule};
use crate::dealing::{Method, Receiver};
use crate::error::BookError;
use crate::game::{Game, Outline};
use crate::jackpot::{AfterFold, JackpotCards, JackpotLine, JackpotRules, Pays, Sharing};
use crate::raw;
use crate::readings::{
    DECLINED_COMMUNITY, ROYAL_SHARE, Reading, ReadingValue, SETTLED, Settled, WITHDRAWAL_PERMITTED_BY,
};
use crate::rules;
use crate::table::{Layout, Office, PlayingArea};

/// The key that is wrong, and why.
pub(crate) type Wrong = (String, String);

pub(crate) fn wrong<T>(key: impl Into<String>, reason: impl Into<String>) -> Result<T, Wrong> {
    Err((key.into(), reason.into()))
}

/// Checks a parsed book, with some readings replaced.
pub(crate) fn book(file: &str, raw: raw::Book, changed: &[(&str, &str)]) -> Result<Rulebook, BookError> {
    checked(raw, changed).map_err(|(key, reason)| BookError { file: file.to_owned(), key, reason })
}

fn checked(mut raw: raw::Book, changed: &[(&str, &str)]) -> Result<Rulebook, Wrong> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if raw.id.is_empty() || !raw.id.bytes().all(plain) {
        return wrong("id", "must have only lower-case letters, digits and hyphens");
    }
    if !raw.in_force.starts_with(|first: char| first.is_ascii_digit()) || raw.in_force.len() < 10 {
        return wrong("in_force", "must be a date, such as \"2023-07-04\" or \"2023-07-04T07:00\"");
    }
    let Some(citation) = Citation::new(&raw.citation) else {
        return wrong("citation", "must be one to eight capital letters and digits");
    };
    register(&raw.clauses)?;
    let mut readings = ReadingTable::new(std::mem::take(&mut raw.readings), changed)?;
    let game = Game::take(&mut raw, &mut readings)?;
    let jackpot = jackpot(raw.jackpot, game.rules().outline(), &mut readings)?;
    let withdrawal_permitted_by = readings.take_office(WITHDRAWAL_PERMITTED_BY)?;
    for settled in &SETTLED {
        readings.take_settled(settled)?;
    }
    let book = Rulebook {
        id: raw.id,
        citation,
        title: raw.title,
        version: raw.version,
        in_force: raw.in_force,
        game,
        layouts: layouts(&raw.layouts)?,
        methods: raw.dealing.into_iter().map(method).collect(),
        viewing: raw.one_hand_to_view,
        times_ante: raw.times_ante.into_iter().collect(),
        jackpot,
        withdrawal_permitted_by,
        silence: readings.take()?,
        warned_where: readings.take()?,
        shared_minimum: readings.take()?,
        readings: readings.finish()?,
        clauses: raw.clauses,
    };
    times_ante(&book)?;
    dealing(&book)?;
    citations(&book)?;
    Ok(book)
}

/// Each clause appears once, with a reason if there is no code.
fn register(clauses: &[ClauseEntry]) -> Result<(), Wrong> {
    let mut seen = BTreeSet::new();
    for entry in clauses {
        let key = format!("clauses {}", entry.number);
        if !seen.insert(entry.number) {
            return wrong(key, "is in the register twice");
        }
        if entry.gist.trim().is_empty() {
            return wrong(key, "has no gist");
        }
        let needs_why = matches!(entry.kind, ClauseKind::Physical | ClauseKind::Definition);
        if needs_why != entry.why.is_some() {
            return wrong(key, "physical and definition clauses need `why`; other clauses must not have it");
        }
    }
    Ok(())
}

fn layouts(raw: &BTreeMap<String, [u8; 2]>) -> Result<Vec<Layout>, Wrong> {
    if raw.is_empty() {
        return wrong("layouts", "a book needs at least one layout");
    }
    let layout = |(name, [min, max]): (&String, &[u8; 2])| {
        let key = format!("layouts.{name}");
        let [letter @ b'A'..=b'Z'] = name.as_bytes() else {
            return wrong(key, "a layout must be named by the letter of its appendix");
        };
        if *min == 0 || max < min || 12 < *max {
            return wrong(key, format!("[{min}, {max}] is not a range of positions within 1 to 12"));
        }
        let appendix = Rule::appendix(*letter);
        Ok(Layout { appendix, letter: char::from(*letter), positions: *min..=*max })
    };
    raw.iter().map(layout).collect()
}

fn method(raw: raw::Dealing) -> Method {
    let steps = raw.steps.repeat(usize::from(raw.repeat));
    Method { name: raw.name, device: raw.device, rule: raw.clause, steps }
}

/// Each method must give all receivers their cards, and one deck must be enough for a full table.
fn dealing(book: &Rulebook) -> Result<(), Wrong> {
    if book.methods.is_empty() {
        return wrong("dealing", "a book needs at least one dealing method");
    }
    let outline = book.game.rules().outline();
    let (hand, community) = (u32::from(outline.hand_cards), u32::from(outline.community_cards));
    let seats = book.layouts.iter().map(|layout| u32::from(*layout.positions.end())).max().unwrap_or(0);
    let mut names = BTreeSet::new();
    for method in &book.methods {
        let key = format!("dealing {}", method.name);
        if !names.insert(&method.name) {
            return wrong(key, "two methods have this name");
        }
        for (receiver, cards) in
            [(Receiver::Players, hand), (Receiver::Dealer, hand), (Receiver::Community, community)]
        {
            let dealt = method.cards_for(receiver);
            if dealt != cards {
                return wrong(key, format!("deals {dealt} cards to {receiver:?}; the game has {cards}"));
            }
        }
        let late = |step: &crate::dealing::Step| step.after_decisions && step.to != Receiver::Dealer;
        if method.steps.iter().any(late) {
            return wrong(key, "only the Dealer's own cards may wait for the decisions");
        }
    }
    if 52 < seats * hand + hand + community {
        return wrong("layouts", format!("{seats} positions need more than 52 cards"));
    }
    Ok(())
}

/// The wagers that follow the Ante must be those of the game.
fn times_ante(book: &Rulebook) -> Result<(), Wrong> {
    let expected = book.following();
    let found: Vec<PlayingArea> = book.times_ante.iter().map(|(area, _)| *area).collect();
    if found != expected {
        return wrong("times_ante", format!("must list {expected:?}, but lists {found:?}"));
    }
    match book.times_ante.iter().find(|(_, times)| !(1..=TIMES_ANTE_MAX).contains(times)) {
        Some((area, times)) => {
            wrong("times_ante", format!("{area}: must be 1 to {TIMES_ANTE_MAX} times the Ante, not {times}"))
        }
        None => Ok(()),
    }
}

/// Only Jackpot wagers are spent. All others are kept when they win.
pub(crate) fn keeps_the_wager(key: &str, odds: Odds) -> Result<(), Wrong> {
    match odds {
        Odds::To(times) => can_be_paid(key, u64::from(times), ODDS_MAX),
        Odds::For(_) => {
            wrong(key, format!("{odds}: this wager is kept when it wins, so its odds must be \"to 1\""))
        }
    }
}

/// Within these bounds no payout of a round overflows.
const TIMES_ANTE_MAX: u8 = 10;
const ODDS_MAX: u64 = 10_000;
const FIXED_CENTS_MAX: u64 = 100_000_000_000_000;

fn can_be_paid(key: &str, figure: u64, max: u64) -> Result<(), Wrong> {
    if figure <= max {
        Ok(())
    } else {
        wrong(key, format!("{figure} is more than this system can pay; the most is {max}"))
    }
}

fn jackpot(raw: raw::Jackpot, game: &Outline, readings: &mut ReadingTable) -> Result<JackpotRules, Wrong> {
    let [min, max] = raw.multiples;
    let multiples: RangeInclusive<u8> = min..=max;
    if min != 1 || multiples.is_empty() {
        return wrong("jackpot.multiples", format!("[{min}, {max}] must be a range that starts at 1"));
    }
    if raw.means.is_empty() {
        return wrong("jackpot.means", "name at least one means for the Jackpot wager");
    }
    lines(&raw.lines, game, max)?;
    let community = |line: &raw::Line| line.cards == JackpotCards::Community;
    if raw.after_fold == AfterFold::CommunityLines && !raw.lines.iter().any(community) {
        return wrong(
            "jackpot.after_fold",
            "a folded hand keeps the community lines, but the table has none",
        );
    }
    let share = |order: HandOrder| {
        let pool = |line: &raw::Line| line.hand == order && matches!(line.pays, Pays::Share(_));
        raw.lines.iter().any(pool)
    };
    if raw.straight_flushes_share.is_some() != share(HandOrder::StraightFlush) {
        return wrong(
            "jackpot.straight_flushes_share",
            "is required if a straight flush pays a percentage, and not allowed otherwise",
        );
    }
    if raw.royal_flushes_share.is_some() != game.several_royals {
        return wrong(
            "jackpot.royal_flushes_share",
            "is required if two hands of a round can be royal flushes, and not allowed otherwise",
        );
    }
    if raw.royal_flushes_share.is_some() {
        readings.take_settled(&ROYAL_SHARE)?;
    }
    if raw.lines.iter().any(community) {
        readings.take_settled(&DECLINED_COMMUNITY)?;
    }
    let straight_flush = match raw.straight_flushes_share {
        Some(rule) => Some((rule, readings.take()?)),
        None => None,
    };
    Ok(JackpotRules {
        multiples,
        means: raw.means,
        after_fold: raw.after_fold,
        linked_games: raw.linked_games,
        lines: raw.lines.iter().map(line).collect(),
        sharing: Sharing {
            straight_flush,
            royal_flush: raw.royal_flushes_share,
            royal_last: raw.royal_last,
            award_base: readings.take()?,
        },
        one_payout: readings.take()?,
    })
}

fn line(raw: &raw::Line) -> JackpotLine {
    JackpotLine { hand: raw.hand, cards: raw.cards, pays: raw.pays, rule: raw.clause }
}

/// The lines must run from the highest hand down, use cards that the game has, and multiply only amounts that can be
/// multiplied.
fn lines(lines: &[raw::Line], game: &Outline, max_multiple: u8) -> Result<(), Wrong> {
    let mut last = HandOrder::RoyalFlush;
    for (place, line) in lines.iter().enumerate() {
        let key = format!("jackpot.lines {}", place + 1);
        if last < line.hand {
            return wrong(key, "lines must run from the highest hand down");
        }
        last = line.hand;
        if !game.jackpot_cards.contains(&line.cards) {
            return wrong(key, format!("{:?} are not cards of this game", line.cards));
        }
        match line.pays {
            Pays::Odds(Odds::To(times) | Odds::For(times)) => can_be_paid(&key, u64::from(times), ODDS_MAX)?,
            Pays::Fixed(amount) => can_be_paid(&key, amount.cents(), FIXED_CENTS_MAX)?,
            Pays::Share(_) => {}
        }
        if matches!(line.pays, Pays::Fixed(_)) && max_multiple != 1 {
            return wrong(key, "a fixed amount is not allowed if the wager may be a multiple of the minimum");
        }
        let same = |other: &&raw::Line| other.hand == line.hand && other.cards == line.cards;
        if lines.iter().filter(same).count() != 1 {
            return wrong(key, "the same hand on the same cards appears twice");
        }
    }
    if lines.first().is_none_or(|line| !matches!(line.pays, Pays::Share(percent) if percent.value() == 100)) {
        return wrong("jackpot.lines", "the first line must pay 100% of the meter");
    }
    Ok(())
}

/// Every rule cited by code or data must be in the register.
fn citations(book: &Rulebook) -> Result<(), Wrong> {
    let game = book.game.rules().outline().cited;
    let sharing = &book.jackpot.sharing;
    let named = rules::EVERY_GAME.iter().chain(game).map(|rule| ("clauses", *rule));
    let layouts = book.layouts.iter().map(|layout| ("layouts", layout.appendix));
    let methods = book.methods.iter().map(|method| ("dealing", method.rule));
    let lines = book.jackpot.lines.iter().map(|line| ("jackpot.lines", line.rule));
    let readings = book.readings.iter().map(|reading| ("readings", reading.clause));
    let shares =
        [Some(sharing.royal_last), sharing.royal_flush, sharing.straight_flush.map(|(rule, _)| rule)];
    let shares = shares.into_iter().flatten().map(|rule| ("jackpot", rule));
    for (key, rule) in named.chain(layouts).chain(methods).chain(lines).chain(readings).chain(shares) {
        if book.entry(rule).is_none() {
            return wrong(key, format!("{rule} is cited but is not in the clause register"));
        }
    }
    Ok(())
}

/// The readings of a file, taken out one by one. None may be missing or left over.
pub(crate) struct ReadingTable {
    left: BTreeMap<String, raw::ReadingText>,
    taken: Vec<Reading>,
}

impl ReadingTable {
    fn new(
        mut readings: BTreeMap<String, raw::ReadingText>,
        changed: &[(&str, &str)],
    ) -> Result<ReadingTable, Wrong> {
        for (name, value) in changed {
            let Some(reading) = readings.get_mut(*name) else {
                let known: Vec<&str> = readings.keys().map(String::as_str).collect();
                return wrong(
                    format!("readings.{name}"),
                    format!("no such reading; there are {}", known.join(", ")),
                );
            };
            (*value).clone_into(&mut reading.value);
        }
        Ok(ReadingTable { left: readings, taken: Vec::new() })
    }

    /// Takes the reading of a type.
    pub(crate) fn take<T: ReadingValue>(&mut self) -> Result<T, Wrong> {
        let names = T::VALUES.iter().map(|(name, _)| *name).collect();
        let place = self.take_one_of(T::NAME, names)?;
        Ok(T::VALUES[place].1)
    }

    /// Takes a reading that has only one possible value.
    pub(crate) fn take_settled(&mut self, settled: &Settled) -> Result<(), Wrong> {
        self.take_one_of(settled.name, vec![settled.value]).map(|_| ())
    }

    /// Takes a reading whose value is an office.
    fn take_office(&mut self, name: &str) -> Result<Office, Wrong> {
        let names = vec!["dealer", "pit-supervisor", "pit-manager", "gaming-shift-manager"];
        self.take_one_of(name, names).map(|place| Office::ALL[place])
    }

    /// Takes a reading and returns the index of its value in `values`.
    fn take_one_of(&mut self, name: &str, values: Vec<&'static str>) -> Result<usize, Wrong> {
        let key = format!("readings.{name}");
        let Some(text) = self.left.remove(name) else {
            return wrong(key, "is missing");
        };
        let Some(place) = values.iter().position(|value| *value == text.value) else {
            return wrong(key, format!("{:?} is not one of its values: {}", text.value, values.join(", ")));
        };
        let raw::ReadingText { value, clause, question, reason } = text;
        self.taken.push(Reading { name: name.to_owned(), value, values, clause, question, reason });
        Ok(place)
    }

    fn finish(self) -> Result<Vec<Reading>, Wrong> {
        match self.left.keys().next() {
            Some(name) => wrong(format!("readings.{name}"), "this game has no such reading"),
            None => Ok(self.taken),
        }
    }
}
