//! A link and its jackpot desk: the meter, and whose the awards are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jackpot::{
    Award, AwardNumber, AwardState, Cause, Evidence, Link, PaidBy, Pair, Person, RejectCause, Settings,
};
use journal::{DayRule, LinkEvent, Moment, Winner};
use money::{Money, Pool};
use round::PlayerId;
use rulebook::{Clause, Means, R4_2, Rulebook};
use serde::{Deserialize, Serialize};

use crate::floor::EvolveError;
use crate::library::Library;
use crate::refusal::{Reason, Refusal};
use crate::table::Table;

/// For how long Players are shown that the meter was adjusted: one day.
const NOTICE_DAYS: u16 = 1;

/// A link with the winners of its awards, and what its log says of them beyond the link's own rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Desk {
    link: Link,
    /// The settings that two people signed for and that wait for a restart from an hour on, by the hour.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    planned: Vec<PlannedSettings>,
    winners: BTreeMap<AwardNumber, Winner>,
    /// When the closing was announced.
    closing_since: Option<Moment>,
    trails: BTreeMap<AwardNumber, Trail>,
    /// How many entries its log has, and which of them are faults.
    entries: u64,
    faults: BTreeSet<u64>,
    notices: Vec<Notice>,
    /// When something last happened to it.
    latest: Moment,
}

/// Settings of a link that wait for a restart from an hour on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedSettings {
    pub settings: Settings,
    pub from: Moment,
    /// Who signed for them.
    pub by: Pair,
}

/// What happened to an award, and when.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trail {
    /// Who dealt or entered cards in its round. Unknown in logs from before that was recorded.
    pub dealt_by: Vec<Person>,
    /// When it was entered.
    pub entered: Moment,
    /// When each of its signatures was given, in their order.
    pub signed: Vec<Moment>,
    /// Why it was rejected.
    pub rejected: Option<RejectCause>,
    /// The rulings on its amount.
    pub rulings: Vec<RulingNote>,
    /// When it was paid, and how.
    pub paid: Option<(Moment, Option<PaidBy>)>,
    /// How many copies of its slip were printed.
    pub copies: u64,
}

/// A ruling on the amount of an award.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulingNote {
    /// The number of its entry in the link's log.
    pub entry: u64,
    pub at: Moment,
    pub words: String,
    pub amount_before: Money,
    pub amount: Money,
    /// The meter before and after it.
    pub meter_before: Pool,
    pub meter_after: Pool,
}

/// What Players are told about the meter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    pub at: Moment,
    pub sentence: String,
}

/// The rulebooks of these names.
fn books_of(library: &Library, books: &[String]) -> Result<Vec<Arc<Rulebook>>, EvolveError> {
    let book = |id: &String| match library.get(id) {
        Some((book, _)) => Ok(Arc::clone(book)),
        None => Err(EvolveError::NoSuchRulebook(id.clone())),
    };
    books.iter().map(book).collect()
}

impl Desk {
    /// A link that has just opened.
    pub(crate) fn open(library: &Library, event: &LinkEvent) -> Result<Desk, EvolveError> {
        let LinkEvent::Opened { books, settings, opening } = event else {
            return Err(EvolveError::NotOpened);
        };
        let link = Link::new(books_of(library, books)?, *settings, *opening)
            .map_err(|error| EvolveError::Link(error.to_string()))?;
        Ok(Desk {
            link,
            planned: Vec::new(),
            winners: BTreeMap::new(),
            closing_since: None,
            trails: BTreeMap::new(),
            entries: 1,
            faults: BTreeSet::new(),
            notices: Vec::new(),
            latest: Moment::default(),
        })
    }

    /// A desk that was carried forward, with the rulebooks of its link.
    pub(crate) fn with_books(self, library: &Library, books: &[String]) -> Result<Desk, EvolveError> {
        let link = self.link.with_books(books_of(library, books)?);
        Ok(Desk { link: link.map_err(|error| EvolveError::Link(error.to_string()))?, ..self })
    }

    /// Its log has one more entry, in which nothing happened to it.
    pub(crate) fn pass_carried(&mut self) {
        self.entries = self.entries.saturating_add(1);
    }

    pub const fn link(&self) -> &Link {
        &self.link
    }

    /// The award of a table's present round that nobody has verified yet.
    pub fn unverified(&self, table: &Table) -> Option<&Award> {
        let is_of_round =
            |award: &Award| award.entry.table == *table.id() && award.entry.round == table.number();
        self.link.open_awards().find(|award| is_of_round(award) && award.state == AwardState::Entered)
    }

    /// The settings that two people signed for and that wait for a restart from an hour on, by the hour.
    pub fn planned(&self) -> &[PlannedSettings] {
        &self.planned
    }

    /// The settings that the next restart lets in, as far as they wait already; without such, those in force.
    pub(crate) fn coming_settings(&self) -> Settings {
        *self.link.scheduled().unwrap_or_else(|| self.link.settings())
    }

    /// The settings that a restart after a moment lets in, as far as is signed for.
    pub(crate) fn settings_at(&self, at: Moment) -> Settings {
        let held = self.planned.iter().rfind(|planned| planned.from <= at);
        held.map_or_else(|| self.coming_settings(), |planned| planned.settings)
    }

    /// When the closing was announced.
    pub const fn closing_since(&self) -> Option<Moment> {
        self.closing_since
    }

    /// Whose an award is.
    pub fn winner(&self, award: AwardNumber) -> Option<&Winner> {
        self.winners.get(&award)
    }

    /// What happened to an award, and when.
    pub fn trail(&self, award: AwardNumber) -> Option<&Trail> {
        self.trails.get(&award)
    }

    /// What Players are told about the meter, the newest first.
    pub fn notices(&self) -> impl Iterator<Item = &Notice> {
        let stands = |notice: &&Notice| self.latest <= notice.at.plus_days(NOTICE_DAYS);
        self.notices.iter().rev().filter(stands)
    }

    /// What a Player was paid of this link's awards on the gaming day of a moment.
    pub(crate) fn paid_on_gaming_day(&self, player: &PlayerId, at: Moment, days: DayRule) -> Money {
        let day = days.day_of(at);
        let paid = self.trails.iter().filter_map(|(number, trail)| {
            let (when, _) = trail.paid.filter(|(when, _)| days.day_of(*when) == day)?;
            let is_theirs = self.winner(*number).is_some_and(|winner| winner.player == *player);
            self.link.award(*number).filter(|_| is_theirs && when <= at).map(|award| award.amount)
        });
        Money::sum(paid).unwrap_or(jackpot::DUE_DILIGENCE_FROM)
    }

    /// Refuses what does not exist at this link.
    pub(crate) fn check_evidence(&self, about: Option<&Evidence>) -> Result<(), Refusal> {
        let exists = match about {
            None | Some(Evidence::Count { .. }) => true,
            Some(Evidence::Fault { entry }) => self.faults.contains(entry),
            Some(Evidence::Award { award }) => self.link.award(*award).is_some(),
            Some(Evidence::Round { entry }) => {
                let last = self.link.last_round_of(&entry.table);
                last.is_some_and(|last| (1..=last).contains(&entry.round))
            }
        };
        if exists { Ok(()) } else { Err(Reason::NoSuchEvidence.refuse()) }
    }

    /// Refuses a verification by whoever dealt or entered the cards of the award's round.
    pub(crate) fn check_verifier(&self, number: AwardNumber, person: &Person) -> Result<(), Refusal> {
        let dealt = self.trail(number).is_some_and(|trail| trail.dealt_by.contains(person));
        match self.link.award(number).filter(|_| dealt) {
            Some(award) => Err(Reason::DealtTheRound.under(Clause { book: award.clause.book, rule: R4_2 })),
            None => Ok(()),
        }
    }

    /// Who has signed for an award so far.
    pub(crate) fn signers(&self, number: AwardNumber) -> Vec<Person> {
        let signed = self.link.award(number).into_iter().flat_map(|award| &award.signatures);
        signed.map(|signed| signed.by.person.clone()).collect()
    }

    /// Refuses a means of payment that is not that of the wager.
    pub(crate) fn check_means(&self, number: AwardNumber, means: Option<PaidBy>) -> Result<(), Refusal> {
        let (Some(means), Some(winner)) = (means, self.winner(number)) else {
            return Ok(());
        };
        let fits = match winner.means {
            Means::Credits => means == PaidBy::Credits,
            Means::Chips => means != PaidBy::Credits,
        };
        if fits { Ok(()) } else { Err(Reason::MeansAreWrong.refuse()) }
    }

    /// Who gets the awards that a link enters anew: whoever had the award before.
    pub(crate) fn winners_anew(&self, events: &[jackpot::Event]) -> Vec<Winner> {
        let winner = |event: &jackpot::Event| {
            let jackpot::Event::AwardEntered { award, .. } = event else {
                return None;
            };
            let before = self.winner(award.corrects?)?;
            Some(Winner { award: award.number, ..before.clone() })
        };
        events.iter().filter_map(winner).collect()
    }

    /// Who dealt the round of the awards that a link enters anew.
    pub(crate) fn dealers_anew(&self, events: &[jackpot::Event]) -> Vec<Person> {
        let corrected = events.iter().find_map(|event| {
            let jackpot::Event::AwardEntered { award, .. } = event else { return None };
            award.corrects
        });
        let trail = corrected.and_then(|award| self.trail(award));
        trail.map(|trail| trail.dealt_by.clone()).unwrap_or_default()
    }

    /// A refusal of the link, with the award that is paid first where that is the reason.
    pub(crate) fn refusal(&self, command: &jackpot::Command, refusal: jackpot::Refusal) -> Refusal {
        let waits = |award: AwardNumber| self.link.award(award).and_then(|award| self.link.waits_for(award));
        if let jackpot::Command::Pay { award, .. } = command
            && refusal.reason == jackpot::Reason::EarlierAwardIsOpen
            && let Some((first, _)) = waits(*award)
        {
            return Refusal { sentence: paid_first(first), ..refusal.into() };
        }
        refusal.into()
    }

    /// Writes one event, which happened at this time.
    pub(crate) fn evolve(
        &mut self,
        library: &Library,
        event: &LinkEvent,
        at: Moment,
    ) -> Result<(), EvolveError> {
        self.entries = self.entries.saturating_add(1);
        self.latest = self.latest.max(at);
        match event {
            LinkEvent::Opened { .. } => return Err(EvolveError::OpenedTwice),
            LinkEvent::Jackpot(event) => {
                let before = self.link.meter();
                self.link.evolve(event);
                self.note(event, before, at);
                if let jackpot::Event::ClosingAnnounced { .. } = event {
                    self.closing_since = Some(at);
                }
                // What was planned for an hour that has come waits in the link by now, or something that was signed later does.
                if let jackpot::Event::RoundEntered { .. } | jackpot::Event::ReconfigurationScheduled { .. } =
                    event
                {
                    self.planned.retain(|planned| at < planned.from);
                }
            }
            LinkEvent::Won { winners, dealt_by } => {
                for winner in winners {
                    self.winners.insert(winner.award, winner.clone());
                    self.trail_mut(winner.award).dealt_by.clone_from(dealt_by);
                }
            }
            LinkEvent::SlipPrinted { award, copy, .. } => self.trail_mut(*award).copies = *copy,
            LinkEvent::SettingsPlanned { settings, from, by } => {
                self.planned.retain(|planned| planned.from != *from);
                self.planned.push(PlannedSettings { settings: *settings, from: *from, by: by.clone() });
                self.planned.sort_by_key(|planned| planned.from);
            }
            LinkEvent::BookAdded { book } => {
                let present = self.link.books().iter().map(|book| book.id.clone());
                let books: Vec<String> = present.chain([book.clone()]).collect();
                let link = self.link.clone().with_books(books_of(library, &books)?);
                self.link = link.map_err(|error| EvolveError::Link(error.to_string()))?;
            }
        }
        Ok(())
    }

    fn trail_mut(&mut self, award: AwardNumber) -> &mut Trail {
        self.trails.entry(award).or_default()
    }

    /// Notes what an event says of an award, and what Players are told of the meter.
    fn note(&mut self, event: &jackpot::Event, meter_before: Pool, at: Moment) {
        use jackpot::Event;
        let entry = self.entries;
        match event {
            Event::AwardEntered { award, .. } => {
                let ruled = award.ruling.as_ref().map(|ruling| RulingNote {
                    entry,
                    at,
                    words: ruling.words.clone(),
                    amount_before: Money::ZERO,
                    amount: award.amount,
                    meter_before: award.before,
                    meter_after: award.after,
                });
                let trail = self.trail_mut(award.number);
                trail.entered = at;
                trail.rulings.extend(ruled);
            }
            Event::AwardRejected { restoration, cause, .. } => {
                self.trail_mut(restoration.award).rejected = Some(*cause);
            }
            Event::RulingMade { award, amount_before, amount, words, balances, .. } => {
                self.trail_mut(*award).rulings.push(RulingNote {
                    entry,
                    at,
                    words: words.clone(),
                    amount_before: *amount_before,
                    amount: *amount,
                    meter_before,
                    meter_after: balances.meter,
                });
            }
            Event::AwardPaid { award, means, .. } => self.trail_mut(*award).paid = Some((at, *means)),
            Event::TableLost { .. } | Event::FaultFound { .. } => {
                self.faults.insert(entry);
            }
            Event::MeterAdjusted { cause, words, balances, .. } => {
                self.notices.retain(|notice| at <= notice.at.plus_days(NOTICE_DAYS));
                let (from, to) = (meter_before.displayed(), balances.meter.displayed());
                let cause = adjustment_in_words(*cause);
                let sentence = format!("The meter was adjusted from {from} to {to}: {cause}. {words}");
                self.notices.push(Notice { at, sentence });
            }
            Event::RoundEntered { .. }
            | Event::SettingsApplied { .. }
            | Event::AwardVerified { .. }
            | Event::AwardApproved { .. }
            | Event::DueDiligenceRecorded { .. }
            | Event::AwardTakenBack { .. }
            | Event::AwardReplaced { .. }
            | Event::AwardReleased { .. }
            | Event::EntryReversed { .. }
            | Event::ReconfigurationScheduled { .. }
            | Event::FaultCleared { .. }
            | Event::ClosingAnnounced { .. }
            | Event::LinkClosed { .. }
            | Event::MoneyReceived { .. }
            | Event::FixedPrizesCorrected { .. }
            | Event::TableRestored { .. } => {}
        }
        if let Some(award) = signed_award(event).and_then(|award| self.link.award(award)) {
            let (number, signatures) = (award.number, award.signatures.len());
            self.trail_mut(number).signed.resize(signatures, at);
        }
    }
}

/// The award that an event brings a signature.
fn signed_award(event: &jackpot::Event) -> Option<AwardNumber> {
    use jackpot::Event;
    match event {
        Event::AwardVerified { award, .. }
        | Event::AwardApproved { award, .. }
        | Event::AwardPaid { award, .. }
        | Event::RulingMade { award, .. } => Some(*award),
        Event::AwardRejected { restoration, .. } | Event::AwardTakenBack { restoration, .. } => {
            Some(restoration.award)
        }
        Event::AwardEntered { award, .. } => Some(award.number),
        Event::RoundEntered { .. }
        | Event::SettingsApplied { .. }
        | Event::DueDiligenceRecorded { .. }
        | Event::AwardReplaced { .. }
        | Event::AwardReleased { .. }
        | Event::EntryReversed { .. }
        | Event::MeterAdjusted { .. }
        | Event::ReconfigurationScheduled { .. }
        | Event::FaultFound { .. }
        | Event::FaultCleared { .. }
        | Event::ClosingAnnounced { .. }
        | Event::LinkClosed { .. }
        | Event::MoneyReceived { .. }
        | Event::TableLost { .. }
        | Event::FixedPrizesCorrected { .. }
        | Event::TableRestored { .. } => None,
    }
}

/// Why a meter was adjusted, for Players.
pub(crate) const fn adjustment_in_words(cause: Cause) -> &'static str {
    match cause {
        Cause::MalfunctionTooLow => "a malfunction had left it too low",
        Cause::MalfunctionTooHigh => "a malfunction had left it too high",
        Cause::OverTheCap => "it stood above its cap",
        Cause::OverflowRelease => "overflow was added to it",
        Cause::ReserveTransfer => "reserve was added to it",
        Cause::SeedRecovery => "the house took back a reset that it had paid",
    }
}

/// Which award is paid first, and what would let another be paid before it.
pub(crate) fn paid_first(first: &Award) -> String {
    let Award { number, entry, position, hand, .. } = first;
    format!(
        "First {number} is paid: {hand}, {position}, {entry}. This award waits until that one is paid or rejected, or \
         until a Gaming Shift Manager and a Pit Manager release this award because that one is disputed."
    )
}
