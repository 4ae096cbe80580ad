//! What another rulebook would have paid: the commands of a round given to a round of that book, with the same cards.

use std::collections::BTreeMap;
use std::mem::discriminant;
use std::sync::Arc;

use cards::Card;
use jackpot::{AwardNumber, EntryId, TableId, enter_round, split_at};
use journal::{Direction, Event, LinkEvent, LinkId, Reader, Stream, Subject, TableEvent, Version};
use money::{Money, Pool};
use round::{Asker, Command, Line, Place, Round, Settlement, TableRules};
use rulebook::{Office, Position, Rulebook};
use serde::Serialize;

use super::AuditError;
use super::difference::outcome;
use super::groups::{Groups, LoggedEvent};
use super::locate::{at, begins, house_notes, locate, notes_of, parted, table_of};
use super::round_report::at_link;
use super::table::TableAudit;
use crate::dealing::{self, Seed};
use crate::library::Library;
use crate::table::Table;

/// Which rounds are settled again, and under which book.
#[derive(Clone, Debug)]
pub struct AsBook {
    pub table: String,
    /// The round; every one where none is named.
    pub round: Option<u64>,
    pub book: Arc<Rulebook>,
}

/// One wager or award that ends differently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineDifference {
    /// Where.
    pub position: u8,
    /// On which area, or the award of a meter.
    pub area: String,
    /// Whose.
    pub owner: String,
    /// What it brought its owner, wager included, and how.
    pub was: Money,
    pub was_how: String,
    /// What it would have brought.
    pub would: Money,
    pub would_how: String,
}

/// One round under two books.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comparison {
    pub round: u64,
    /// The book it was played under.
    pub rulebook: String,
    /// What it brought its Players, wagers included.
    pub was: Money,
    /// What it would have brought them; `None` where it cannot be said.
    pub would: Option<Money>,
    /// Why it cannot be said.
    pub why_not: Option<String>,
    /// What differs.
    pub differences: Vec<LineDifference>,
}

/// All rounds under two books.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Replayed {
    /// Rounds that were settled under both.
    pub compared: u64,
    /// Rounds that cannot be compared.
    pub not_compared: u64,
    /// Rounds of which something differs.
    pub different: u64,
    /// What the compared rounds brought their Players, in cents.
    pub was: u128,
    /// What they would have brought, in cents.
    pub would: u128,
}

/// What a link made of a round.
#[derive(Clone, Debug)]
struct Entered {
    /// What was displayed when its bets closed.
    meter: Pool,
    /// What came in from then to the entry.
    since: Pool,
    reset: Money,
    awards: BTreeMap<AwardNumber, (Position, Money, String)>,
}

/// A round being gathered.
struct Gathered {
    number: u64,
    before: Table,
    began: TableEvent,
    seed: Option<[u8; 32]>,
}

/// Settles rounds of a table under another book, and hands each comparison over.
pub fn replay(
    reader: &mut dyn Reader,
    library: &Library,
    asked: &AsBook,
    each: &mut dyn FnMut(&Comparison),
) -> Result<Replayed, AuditError> {
    let id = table_of(reader, &asked.table)?;
    if let Some(number) = asked.round {
        return replay_one(reader, library, &id, number, &asked.book, each);
    }
    let mut notes = house_notes(reader)?;
    let mut links: BTreeMap<LinkId, BTreeMap<EntryId, Entered>> = BTreeMap::new();
    for stream in super::locate::streams(reader)? {
        if let Stream::Link(link) = stream {
            let entered = entered(reader, &link, &asked.table)?;
            links.insert(link, entered);
        }
    }
    let mut audit = TableAudit::new(library, &id).with_script();
    let mut gathered: Option<Gathered> = None;
    let mut replayed = Replayed::default();
    let mut last = 0;
    let mut groups = Groups::of(reader, Stream::Table(id.clone()));
    loop {
        let entries = groups.next()?;
        let ended = entries.is_none();
        let group =
            entries.into_iter().flatten().map(LoggedEvent::of).collect::<Result<Vec<LoggedEvent>, _>>()?;
        let parts = if ended { vec![Vec::new()] } else { parted(group) };
        for part in parts {
            if ended || begins(&part).is_some() {
                if let Some(round) = gathered.take() {
                    let comparison = compare(&audit, &round, &links, &asked.book);
                    count(&mut replayed, &comparison);
                    each(&comparison);
                }
                gathered = gather(&audit, &part);
            }
            last = begins(&part).unwrap_or(last);
            if let Some(round) = &mut gathered {
                round.seed = opened(&part).or(round.seed);
            }
            audit.command(&part, &mut notes);
        }
        if ended {
            break;
        }
    }
    Ok(replayed)
}

/// Settles one round under another book, reading no more than it needs.
fn replay_one(
    reader: &mut dyn Reader,
    library: &Library,
    table: &TableId,
    number: u64,
    book: &Arc<Rulebook>,
    each: &mut dyn FnMut(&Comparison),
) -> Result<Replayed, AuditError> {
    let located = locate(reader, library, table, number)?;
    let mut links = BTreeMap::new();
    if let Some(link) = located.before.setup().link.clone() {
        let entry = EntryId { table: table.clone(), round: number };
        let rounds =
            entered_once(reader, &link, &entry)?.map(|entered| (entry, entered)).into_iter().collect();
        links.insert(link, rounds);
    }
    let mut audit = TableAudit::resumed(library, located.before.clone()).with_script();
    let mut notes = notes_of(reader, &located.groups.concat())?;
    let mut gathered = None;
    for group in &located.groups {
        gathered = gathered.or_else(|| gather(&audit, group));
        if let Some(round) = &mut gathered {
            round.seed = opened(group).or(round.seed);
        }
        audit.command(group, &mut notes);
    }
    let mut replayed = Replayed::default();
    if let Some(round) = gathered {
        let comparison = compare(&audit, &round, &links, book);
        count(&mut replayed, &comparison);
        each(&comparison);
    }
    Ok(replayed)
}

/// What a link made of one round.
fn entered_once(
    reader: &mut dyn Reader,
    link: &LinkId,
    round: &EntryId,
) -> Result<Option<Entered>, AuditError> {
    let stream = Stream::Link(link.clone());
    let about = at_link(reader, link, round)?;
    let Some(first) = about.first().map(|item| item.entry.version) else { return Ok(None) };
    let mut items = Vec::new();
    for version in reader.about(&stream, &Subject::Settings, Direction::After(Version(0)), usize::MAX)? {
        if version < first {
            items.push(at(reader, &stream, version)?);
        }
    }
    items.extend(about);
    let (mut rounds, mut reset) = (BTreeMap::new(), Money::ZERO);
    for item in items {
        take(&item.event, round.table.name(), &mut rounds, &mut reset);
    }
    Ok(rounds.remove(round))
}

fn count(replayed: &mut Replayed, comparison: &Comparison) {
    let Some(would) = comparison.would else {
        replayed.not_compared = replayed.not_compared.saturating_add(1);
        return;
    };
    replayed.compared = replayed.compared.saturating_add(1);
    replayed.different = replayed.different.saturating_add((!comparison.differences.is_empty()).into());
    replayed.was = replayed.was.saturating_add(comparison.was.cents().into());
    replayed.would = replayed.would.saturating_add(would.cents().into());
}

fn gather(audit: &TableAudit<'_>, part: &[LoggedEvent]) -> Option<Gathered> {
    let number = begins(part)?;
    let before = audit.table()?.clone();
    let Event::Table(began) = &part.first()?.event else {
        return None;
    };
    Some(Gathered { number, before, began: began.clone(), seed: None })
}

fn opened(part: &[LoggedEvent]) -> Option<[u8; 32]> {
    part.iter().find_map(|item| {
        if let Event::Table(TableEvent::ShuffleOpened { seed }) = &item.event { Some(*seed) } else { None }
    })
}

/// What a link made of the rounds of a table.
fn entered(
    reader: &mut dyn Reader,
    link: &LinkId,
    table: &str,
) -> Result<BTreeMap<EntryId, Entered>, AuditError> {
    let mut rounds: BTreeMap<EntryId, Entered> = BTreeMap::new();
    let mut reset = Money::ZERO;
    let mut groups = Groups::of(reader, Stream::Link(link.clone()));
    while let Some(entries) = groups.next()? {
        for entry in entries {
            take(&LoggedEvent::of(entry)?.event, table, &mut rounds, &mut reset);
        }
    }
    Ok(rounds)
}

/// Takes over what an entry of a link says of the rounds of a table.
fn take(event: &Event, table: &str, rounds: &mut BTreeMap<EntryId, Entered>, reset: &mut Money) {
    use jackpot::Event as Jackpot;
    let Event::Link(event) = event else { return };
    match event {
        LinkEvent::Opened { settings, .. }
        | LinkEvent::Jackpot(Jackpot::SettingsApplied { settings, .. }) => {
            *reset = settings.parameters().reset;
        }
        LinkEvent::Jackpot(Jackpot::RoundEntered { entry, shown, balances, .. })
            if entry.table.name() == table =>
        {
            let (meter, since) = split_at(balances.meter, *shown);
            let round = Entered { meter, since, reset: *reset, awards: BTreeMap::new() };
            rounds.insert(entry.clone(), round);
        }
        LinkEvent::Jackpot(Jackpot::AwardEntered { award, .. }) => {
            if let Some(round) = rounds.get_mut(&award.entry) {
                let end = (award.position, award.amount, award.clause.to_string());
                round.awards.insert(award.number, end);
            }
        }
        // Hands that did not stand: the round is what it is without them.
        LinkEvent::Jackpot(
            Jackpot::AwardTakenBack { restoration, .. } | Jackpot::AwardReplaced { restoration, .. },
        ) => {
            for round in rounds.values_mut() {
                round.awards.remove(&restoration.award);
            }
        }
        LinkEvent::Jackpot(Jackpot::EntryReversed { entry, contribution, .. }) => {
            if let Some(round) = rounds.get_mut(entry) {
                round.meter = round.meter.minus(contribution.meter).unwrap_or(Pool::ZERO);
            }
        }
        LinkEvent::Jackpot(_)
        | LinkEvent::Won { .. }
        | LinkEvent::SlipPrinted { .. }
        | LinkEvent::SettingsPlanned { .. }
        | LinkEvent::BookAdded { .. } => {}
    }
}

/// A round under its own book and under another.
fn compare(
    audit: &TableAudit<'_>,
    round: &Gathered,
    links: &BTreeMap<LinkId, BTreeMap<EntryId, Entered>>,
    book: &Arc<Rulebook>,
) -> Comparison {
    let own = audit.table().unwrap_or(&round.before).book();
    let entry = EntryId { table: round.before.id().clone(), round: round.number };
    let link = round.before.setup().link.as_ref();
    let entered = link.and_then(|link| links.get(link)?.get(&entry));
    let none = Comparison {
        round: round.number,
        rulebook: own.id.clone(),
        was: Money::ZERO,
        would: None,
        why_not: None,
        differences: Vec::new(),
    };
    let table = audit.table().filter(|_| audit.is_followed());
    let Some(settled) = table.and_then(|table| table.round().settlement()) else {
        let why_not = Some("the round was not settled".to_owned());
        return Comparison { why_not, ..none };
    };
    let awarded = entered.into_iter().flat_map(|entered| entered.awards.values());
    let was = ends(settled, own, awarded);
    let total = sum(was.values());
    let other = play_as(audit, round, book).and_then(|settlement| {
        let awards = awards(book, &settlement, entered)?;
        Ok(ends(&settlement, book, awards.iter()))
    });
    match other {
        Err(why_not) => Comparison { was: total, why_not: Some(why_not), ..none },
        Ok(would) => {
            let differences = differences(&was, &would);
            Comparison { was: total, would: Some(sum(would.values())), differences, ..none }
        }
    }
}

/// How wagers and awards ended: by position, area and owner, what they brought and how.
type Ends = BTreeMap<(u8, String, String), (Money, String)>;

fn sum<'a>(ends: impl Iterator<Item = &'a (Money, String)>) -> Money {
    Money::sum(ends.map(|(amount, _)| *amount)).unwrap_or(Money::from_cents(u64::MAX))
}

fn ends<'a>(
    settlement: &Settlement,
    book: &Rulebook,
    awards: impl Iterator<Item = &'a (Position, Money, String)>,
) -> Ends {
    let line = |line: &Line| {
        let brought = line.returned.plus(line.paid).unwrap_or(Money::from_cents(u64::MAX));
        let how = format!("{} ({})", outcome(line.outcome), book.clause(line.rule));
        ((line.position.0, line.area.name().to_owned(), line.owner.to_string()), (brought, how))
    };
    let mut ends: Ends = settlement.lines.iter().map(line).collect();
    for (position, amount, clause) in awards {
        let owner = settlement.claims.iter().find(|claim| claim.position == *position);
        let owner = owner.map_or_else(String::new, |claim| claim.owner.to_string());
        let end = ends.entry((position.0, "Jackpot award".to_owned(), owner)).or_default();
        let so_far = end.0.plus(*amount).unwrap_or(Money::from_cents(u64::MAX));
        *end = (so_far, format!("awarded ({clause})"));
    }
    ends
}

fn differences(was: &Ends, would: &Ends) -> Vec<LineDifference> {
    let nothing = (Money::ZERO, "nothing".to_owned());
    let mut keys: Vec<_> = was.keys().chain(would.keys()).collect();
    keys.sort();
    keys.dedup();
    let differs =
        |key: &&&(u8, String, String)| was.get(**key).map(|end| end.0) != would.get(**key).map(|end| end.0);
    let difference = |key: &(u8, String, String)| {
        let (was, was_how) = was.get(key).unwrap_or(&nothing).clone();
        let (would, would_how) = would.get(key).unwrap_or(&nothing).clone();
        let (position, area, owner) = key.clone();
        LineDifference { position, area, owner, was, was_how, would, would_how }
    };
    keys.iter().filter(differs).map(|key| difference(key)).collect()
}

/// What the claims would have been awarded out of the meter as it stood.
fn awards(
    book: &Rulebook,
    settlement: &Settlement,
    entered: Option<&Entered>,
) -> Result<Vec<(Position, Money, String)>, String> {
    if settlement.claims.is_empty() {
        return Ok(Vec::new());
    }
    let Some(entered) = entered else {
        return Err("a hand would claim a share of a meter, and the round was entered into none".to_owned());
    };
    let claims = settlement.claims.iter().map(|claim| jackpot::Claim {
        position: claim.position,
        hand: claim.hand,
        percent: claim.percent,
        rule: claim.rule,
    });
    let claims: Vec<jackpot::Claim> = claims.collect();
    let awards = enter_round(entered.meter, entered.reset, entered.since, &book.jackpot.sharing, &claims);
    let awards = awards.map_err(|_| "an award would be too large".to_owned())?;
    let award = |share: &jackpot::Share| (share.position, share.amount, book.clause(share.rule).to_string());
    Ok(awards.shares.iter().map(award).collect())
}

/// Plays the commands of a round under another book.
fn play_as(audit: &TableAudit<'_>, gathered: &Gathered, book: &Arc<Rulebook>) -> Result<Settlement, String> {
    let TableEvent::RoundBegan { jackpot_minimum, positions, .. } = &gathered.began else {
        return Err("the round has no beginning".to_owned());
    };
    let own = audit.table().unwrap_or(&gathered.before).book();
    if discriminant(&own.game) != discriminant(&book.game) {
        return Err(format!("{} and {} are different games", own.citation, book.citation));
    }
    let setup = gathered.before.setup();
    let method = setup.method.as_deref().filter(|name| book.method(name).is_some());
    let rules =
        TableRules::new(Arc::clone(book), setup.positions, setup.limits.clone(), method, *jackpot_minimum);
    let rules = rules.map_err(|error| format!("no table of {} is like this one: {error}", book.citation))?;
    let mut round = Round::new(&rules, gathered.before.round().memory().clone());
    for (position, player) in positions {
        round.evolve(&round::Event::PositionTaken { position: *position, player: player.clone() });
    }
    let cards = cards(audit, gathered);
    for (by, command) in audit.script() {
        give(&mut round, by, command, &cards, book)?;
    }
    round.settlement().cloned().ok_or_else(|| "the round would not have been settled".to_owned())
}

/// The cards of a round: all of the deck where its shuffle was opened, else those that were read.
fn cards(audit: &TableAudit<'_>, gathered: &Gathered) -> BTreeMap<Place, Card> {
    let mut cards: BTreeMap<Place, Card> = BTreeMap::new();
    let Some(table) = audit.table() else {
        return cards;
    };
    let shuffle = table.previous_shuffle().filter(|(number, _)| *number == gathered.number);
    let salt = shuffle.and_then(|(_, shuffle)| shuffle.salt);
    if let (Some(seed), Some(salt)) = (gathered.seed, salt) {
        let deck = dealing::deck(Seed(seed), salt);
        cards.extend(table.round().deal_order().iter().copied().zip(deck.cards().iter().copied()));
    }
    cards.extend(audit.known().iter().map(|known| (known.place, known.card)));
    cards
}

/// Gives a round of another book one command. Cards are read as they are dealt: which of them the book looks at is its
/// own business.
fn give(
    round: &mut Round,
    by: &Asker,
    command: &Command,
    cards: &BTreeMap<Place, Card>,
    book: &Rulebook,
) -> Result<(), String> {
    let refused =
        |refusal: round::Refusal| format!("{} would not have let it come to this: {refusal}", book.citation);
    if matches!(command, Command::ReadCard { .. } | Command::BeginNextRound {}) {
        return Ok(());
    }
    if !matches!(command, Command::DealCard { .. }) {
        return round.apply(by, command).map(|_| ()).map_err(|refusal| {
            if refusal.reason == round::Reason::CardNotRead {
                return format!("{} looks at cards that were never read: {refusal}", book.citation);
            }
            refused(refusal)
        });
    }
    let dealer = Asker::Staff(Office::Dealer);
    let place = round.next_place();
    round.apply(by, &Command::DealCard { card: None }).map_err(refused)?;
    if let Some(place) = place
        && let Some(card) = cards.get(&place)
    {
        round.apply(&dealer, &Command::ReadCard { place, card: *card }).map_err(refused)?;
    }
    Ok(())
}
