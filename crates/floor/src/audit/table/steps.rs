//! A command of a table as the steps it takes, each of which writes entries.

use ::round::{Asker, Command as InRound, PlayerId, Stage};
use jackpot::TableId;
use journal::{
    Actor, Command, CommandId, DeviceScope, Entry, Event, Hash, HouseCommand, Moment, OpenTable, OwnCommand,
    Proposal, ReaderFault, TableCommand, TableEvent, TableSetup, Version,
};
use rulebook::{Limits, Office};

use super::{Rest, TableAudit, Track};
use crate::audit::cause::{NOT_SIGNED, carried_out, cause_of};
use crate::audit::difference::as_logged;
use crate::audit::finding::Kind;
use crate::audit::groups::LoggedEvent;
use crate::audit::locate::begins;
use crate::audit::matching::{Confirmed, DeckNoted, Notes};
use crate::decide::{ANSWER_AWAITED_MS, DEMONSTRATION, PRACTISED, asker_of, to_set};
use crate::house::{check_may, check_office};
use crate::permissions::{self, Permission};
use crate::rules::{NOTICE_MS, limits_due, rules_due};
use crate::table::Table;

/// One step of a command.
#[derive(Clone, Debug)]
enum Step {
    Open(OpenTable),
    Limits(Limits),
    PlanLimits(Limits, Moment),
    TakeLimits,
    TakeRules,
    LastRound,
    Deck(String, Option<String>),
    Call,
    AnswerCall,
    StopReader(ReaderFault, String),
    ClearReader(bool),
    CommitSalts(PlayerId, Hash),
    OpenSalt(PlayerId, Hash),
    Withhold,
    Discard,
    AwaitSalts,
    Play(Asker, InRound),
    DealAll(Asker),
    FixDeck,
    OpenShuffle,
    AskPlayers,
    ShowMeter,
    Begin,
    Commit,
    Close,
}

/// What follows once salts may be opened: they are awaited, or there are none and the deck is fixed.
const FIX: [Step; 2] = [Step::AwaitSalts, Step::FixDeck];

/// What begins a round.
const BEGIN: [Step; 2] = [Step::Begin, Step::Commit];

impl TableAudit<'_> {
    /// What one command did, or the part of it that concerns one round.
    pub(in crate::audit) fn command(&mut self, group: &[LoggedEvent], notes: &mut Notes) {
        notes.counts.commands();
        let (Some(first), Some(last)) = (group.first(), group.last()) else { return };
        let steps = match self.rest {
            Rest::Begin(command) if command == first.entry.command => Some(BEGIN.to_vec()),
            Rest::Unknown if begins(group).is_some() && first.entry.cause.is_none() => {
                self.note_opened_by_two(first.entry.command, notes);
                Some(BEGIN.to_vec())
            }
            Rest::Begin(_) | Rest::Unknown | Rest::None => {
                self.check_complete(notes);
                self.steps(group, notes)
            }
        };
        (self.rest, self.last) = (Rest::None, last.entry.version);
        let rest = match steps {
            Some(steps) if self.track == Track::Followed => self.take_all(&steps, group, notes),
            Some(_) => group,
            None => {
                self.lose_round();
                group
            }
        };
        self.take_as_they_are(rest, notes);
    }

    /// The first round of a table that two people opened begins with their command, also where the opening itself is not
    /// followed.
    fn note_opened_by_two(&self, command: CommandId, notes: &mut Notes) {
        if let Some(Confirmed { proposal: Proposal::OpenTable { table, .. }, done, .. }) =
            notes.confirmed.get_mut(&command)
            && *table == self.id
        {
            *done = true;
        }
    }

    /// Says so where a command should have begun the next round and did not.
    pub(in crate::audit) fn check_complete(&self, notes: &mut Notes) {
        if let Rest::Begin(_) = self.rest {
            self.finding(Kind::Rules, self.last, "the next round must begin here and does not", notes);
        }
    }

    /// The version findings about entries are said at.
    pub(super) fn at(&self, rest: &[LoggedEvent]) -> Version {
        rest.first().map_or(self.last, |item| item.entry.version)
    }

    fn lose_round(&mut self) {
        if self.track == Track::Followed {
            self.track = Track::RoundLost;
            self.has_lost_round = true;
        }
    }

    /// The steps of the command that some entries keep. `None` where there is no command of this table, which is said.
    fn steps(&self, group: &[LoggedEvent], notes: &mut Notes) -> Option<Vec<Step>> {
        let entry = &group.first()?.entry;
        let command = cause_of(group, notes)?;
        let mut steps = Vec::new();
        match command {
            Command::House(command @ HouseCommand::OpenTable { .. }) => {
                self.check_may(&entry.actor, permissions::of_house(&command), entry.version, notes);
                if let HouseCommand::OpenTable { table, setup } = command
                    && table == self.id
                {
                    steps.push(Step::Open(setup));
                    steps.extend(BEGIN);
                }
            }
            Command::House(HouseCommand::Confirm { .. }) => {
                let Some(signed) = self.signed(entry.command, notes) else {
                    self.finding(Kind::People, entry.version, NOT_SIGNED, notes);
                    return None;
                };
                steps = signed;
            }
            Command::Table { table, command } if table == self.id && is_of_device(&entry.actor) => {
                self.check_device(&entry.actor, &command, entry.version, notes);
                steps = match command {
                    TableCommand::Round(command) => in_round(entry.actor.by(), command),
                    TableCommand::Own(command) => self.own(entry.actor.by(), command),
                };
            }
            Command::Table { table, command } if table == self.id => match command {
                TableCommand::Round(command) => {
                    self.check_answer_awaited(&entry.actor, &command, entry, notes);
                    steps = in_round(entry.actor.by(), command);
                }
                TableCommand::Own(command) => {
                    self.check_may(&entry.actor, permissions::of_table(&command), entry.version, notes);
                    self.check_own(&entry.actor, &command, entry.version, notes);
                    self.check_deck_office(&entry.actor, &command, entry, notes);
                    steps = self.own(entry.actor.by(), command);
                }
            },
            Command::House(_)
            | Command::Table { .. }
            | Command::Desk { .. }
            | Command::CarryForward { .. } => {}
        }
        if steps.is_empty() {
            let what = "the command that caused this does nothing to this table";
            self.finding(Kind::Form, entry.version, what, notes);
            return None;
        }
        Some(steps)
    }

    /// What two people signed about this table, and who asks the round for it.
    fn signed(&self, command: CommandId, notes: &mut Notes) -> Option<Vec<Step>> {
        let Confirmed { proposal, pair, .. } = carried_out(command, notes)?;
        let is_here =
            |table: &TableId, round: u64| *table == self.id && Some(round) == self.table().map(Table::number);
        if let Proposal::UndoRound { table, round, command } = proposal {
            return is_here(table, *round).then(|| in_round(asker_of(pair), command.clone()));
        }
        if let Proposal::Rule { table, round, ruling } = proposal {
            let command = InRound::MakeRuling { ruling: ruling.clone() };
            return is_here(table, *round).then(|| in_round(asker_of(pair), command));
        }
        if let Proposal::SettleRound { table, round } = proposal {
            return is_here(table, *round).then(|| in_round(asker_of(pair), InRound::Settle {}));
        }
        if let Proposal::ChangeTableLimits { table, limits, from } = proposal {
            return (*table == self.id).then(|| match from {
                None => vec![Step::TakeLimits, Step::Limits(limits.clone())],
                Some(from) => vec![Step::PlanLimits(limits.clone(), *from)],
            });
        }
        if let Proposal::OpenTable { table, setup } = proposal {
            let open = || std::iter::once(Step::Open(setup.clone())).chain(BEGIN).collect();
            return (*table == self.id).then(open);
        }
        None
    }

    /// The steps of what a table does outside the rules of a round.
    fn own(&self, by: Asker, command: OwnCommand) -> Vec<Step> {
        match command {
            OwnCommand::DealAll {} => vec![Step::DealAll(by)],
            OwnCommand::SetWagers { player, wagers, .. } => {
                let given = self.table().and_then(|table| to_set(table, &player, &wagers).ok());
                given.into_iter().flatten().map(|command| Step::Play(by.clone(), command)).collect()
            }
            OwnCommand::CommitSalts { player, anchor } => vec![Step::CommitSalts(player, anchor)],
            OwnCommand::OpenSalt { player, salt } => vec![Step::OpenSalt(player, salt), Step::FixDeck],
            OwnCommand::DropSalts {} => {
                [Step::Withhold, Step::Discard, Step::Commit].into_iter().chain(FIX).collect()
            }
            OwnCommand::ChangeLimits { limits } => vec![Step::TakeLimits, Step::Limits(limits)],
            OwnCommand::AnnounceLastRound {} => vec![Step::LastRound],
            OwnCommand::BringDeck { deck, receipt } => vec![Step::Deck(deck, receipt)],
            OwnCommand::CallSupervisor {} => vec![Step::Call],
            OwnCommand::AnswerCall {} => vec![Step::AnswerCall],
            OwnCommand::StopReader { fault, seen } => vec![Step::StopReader(fault, seen)],
            OwnCommand::ClearReader { by_hand } => vec![Step::ClearReader(by_hand)],
            OwnCommand::Close {} => {
                let stage = self.table().map(|table| table.round().stage());
                let ends = matches!(stage, Some(Stage::Concluded | Stage::Void));
                let end = ends.then_some(Step::Play(by, InRound::BeginNextRound {}));
                end.into_iter().chain([Step::OpenShuffle, Step::Close]).collect()
            }
            OwnCommand::Reopen { setup } => std::iter::once(Step::Open(setup)).chain(BEGIN).collect(),
        }
    }

    /// A device enters cards at the table that its key names, and not while they are entered by hand.
    fn check_device(&self, actor: &Actor, command: &TableCommand, version: Version, notes: &mut Notes) {
        let Actor::Device(device) = actor else { return };
        let scope = DeviceScope::Shoe { table: self.id.clone() };
        let asked = Command::Table { table: self.id.clone(), command: command.clone() };
        if !permissions::is_opened_by(&scope, &asked) {
            self.finding(Kind::People, version, format!("{actor} may not do this with any key"), notes);
        }
        let by_hand = self.table().and_then(Table::reader).is_some_and(|reader| reader.by_hand);
        if by_hand && matches!(command, TableCommand::Round(_)) {
            let what = format!("{actor} entered a card while cards were entered by hand");
            self.finding(Kind::Rules, version, what, notes);
        }
        notes.entered_by.entry((device.clone(), self.id.clone())).or_insert(version);
    }

    fn check_may(&self, actor: &Actor, permission: Permission, version: Version, notes: &mut Notes) {
        if let Err(refusal) = check_may(actor, permission) {
            self.finding(Kind::People, version, format!("{actor} may not do this: {refusal}"), notes);
        }
    }

    /// Players have 20 seconds to answer before the staff records that there was no answer (5.16.1).
    fn check_answer_awaited(&self, actor: &Actor, command: &InRound, entry: &Entry, notes: &mut Notes) {
        if let (InRound::ReportNoAnswer { .. }, Actor::Staff(..) | Actor::Acting(..), Some(since)) =
            (command, actor, self.table().and_then(Table::asked))
            && entry.at.0.saturating_sub(since.0) < ANSWER_AWAITED_MS
        {
            let what = "no answer was recorded before the Players had had 20 seconds to answer";
            self.finding(Kind::Rules, entry.version, what, notes);
        }
    }

    /// A deck that was found bad comes back after a Pit Supervisor has inspected it, at every table.
    fn check_deck_office(&self, actor: &Actor, command: &OwnCommand, entry: &Entry, notes: &mut Notes) {
        let OwnCommand::BringDeck { deck, .. } = command else { return };
        if check_office(actor, Office::PitSupervisor, None).is_ok() {
            return;
        }
        if self.table().is_some_and(|table| table.quarantined().contains(deck)) {
            let what = format!("{actor} brought deck {deck} back, which a Pit Supervisor must inspect first");
            self.finding(Kind::People, entry.version, what, notes);
        }
        let (stream, version) = (self.stream.clone(), entry.version);
        notes.brought.push(DeckNoted {
            deck: deck.clone(),
            table: self.id.clone(),
            at: entry.at,
            stream,
            version,
        });
    }

    /// A Player's salts are the Player's own, or passed on by the staff. Wagers are set as they were seen.
    fn check_own(&self, actor: &Actor, command: &OwnCommand, version: Version, notes: &mut Notes) {
        if let OwnCommand::CommitSalts { player, .. } | OwnCommand::OpenSalt { player, .. } = command
            && let Actor::Player(own) = actor
            && own != player
        {
            let what = format!("{actor} may not add a salt for {player}");
            self.finding(Kind::People, version, what, notes);
        }
        if let OwnCommand::SetWagers { player, seen, .. } = command
            && self.table().is_some_and(|table| table.wagers_of(player) != *seen)
        {
            let what = format!("{player} was shown other wagers than those that lay there");
            self.finding(Kind::Rules, version, what, notes);
        }
    }

    /// Follows the steps of a command as far as they go; the entries they did not take.
    fn take_all<'g>(
        &mut self,
        steps: &[Step],
        group: &'g [LoggedEvent],
        notes: &mut Notes,
    ) -> &'g [LoggedEvent] {
        let mut rest = group;
        for step in steps {
            let is_absent = matches!(step, Step::ShowMeter) && !shows_meter(rest)
                || matches!(step, Step::TakeRules) && !self.takes_rules(rest, notes)
                || matches!(step, Step::TakeLimits) && !self.takes_limits(rest, notes);
            if !self.is_due(step) || is_absent {
                continue;
            }
            if let (Step::Begin, [], Some(last)) = (step, rest, group.last()) {
                self.rest = Rest::Begin(last.entry.command);
                return rest;
            }
            let taken = self.take(step, rest, notes).and_then(|taken| rest.get(taken..));
            let Some(later) = taken else {
                self.lose_round();
                return rest;
            };
            rest = later;
            if self.track == Track::Lost {
                return rest;
            }
        }
        // The slips of prizes stand after the settlement that pays them.
        while let [item, later @ ..] = rest
            && let Event::Table(event @ TableEvent::PrizeSigned { by, .. }) = &item.event
        {
            let signed = notes.confirmed.get(&item.entry.command).map(|confirmed| &confirmed.pair);
            if signed != Some(by) {
                self.finding(Kind::People, item.entry.version, NOT_SIGNED, notes);
            }
            self.happened(item, event, notes);
            rest = later;
        }
        if let (Some(more), Track::Followed) = (rest.first(), self.track) {
            let what = format!("its command does not cause this: {}", as_logged(&more.event));
            self.finding(Kind::Rules, more.entry.version, what, notes);
            self.lose_round();
        }
        rest
    }

    /// Whether a table takes other rules here. Says so where it had to, or may not.
    fn takes_rules(&self, rest: &[LoggedEvent], notes: &mut Notes) -> bool {
        let (Some(item), Some(table)) = (rest.first(), self.table()) else { return false };
        let (at, version) = (item.entry.at, item.entry.version);
        if let Event::Table(TableEvent::RulesTaken { .. }) = &item.event {
            let due = rules_due(table, self.library, at).map(Event::Table);
            // Whoever reads one round knows the books and not always the changes.
            if self.library.has_changes() && due.as_ref() != Some(&item.event) {
                let what = "the table takes rules that two people did not sign for, or not for this hour";
                self.finding(Kind::Rules, version, what, notes);
            }
            return true;
        }
        // A node may have learned of a change a little later, or have a clock that is behind: the book has to be one that held at
        // some moment of the last minute.
        let since = Moment(at.0.saturating_sub(NOTICE_MS));
        let mut held = self.library.hours(since, at).map(|hour| rules_due(table, self.library, hour));
        let first = held.next().flatten();
        if let Some(TableEvent::RulesTaken { rulebook, .. }) = held.fold(first, Option::and) {
            let played = &table.setup().rulebook;
            let what =
                format!("bets open under {played}, but the tables under it play under {rulebook} by now");
            self.finding(Kind::Rules, version, what, notes);
        }
        false
    }

    /// Whether a table takes limits of an hour here. Says so where it had to, or may not.
    fn takes_limits(&self, rest: &[LoggedEvent], notes: &mut Notes) -> bool {
        let (Some(item), Some(table)) = (rest.first(), self.table()) else { return false };
        let due = limits_due(table, item.entry.at).map(Event::Table);
        let is_taken = matches!(&item.event, Event::Table(TableEvent::LimitsTaken { .. }));
        if is_taken && due.as_ref() != Some(&item.event) {
            let what = "the table takes limits that two people did not sign for, or not for this hour";
            self.finding(Kind::Rules, item.entry.version, what, notes);
        } else if !is_taken && due.is_some() {
            let what = "the table goes on without the limits that two people signed for this hour";
            self.finding(Kind::Rules, item.entry.version, what, notes);
        }
        is_taken
    }

    /// Whether a step writes anything: only a software-dealt table has a shuffle.
    fn is_due(&self, step: &Step) -> bool {
        match step {
            Step::OpenShuffle => self.table.as_ref().is_some_and(|table| table.shuffle().is_some()),
            Step::AwaitSalts => self.table.as_ref().is_some_and(|table| !table.expected().is_empty()),
            Step::FixDeck => self
                .table
                .as_ref()
                .is_some_and(|table| table.shuffle().is_some() && table.awaited().is_empty()),
            Step::Commit => self.table.as_ref().is_some_and(Table::is_software_dealt),
            Step::AskPlayers => {
                self.table.as_ref().is_some_and(|table| !table.round().unanswered().is_empty())
            }
            Step::ShowMeter => self
                .table
                .as_ref()
                .is_some_and(|table| table.setup().link.is_some() && table.plays_for_meter()),
            Step::Open(_)
            | Step::Limits(_)
            | Step::PlanLimits(..)
            | Step::TakeLimits
            | Step::TakeRules
            | Step::LastRound
            | Step::Deck(..)
            | Step::Call
            | Step::AnswerCall
            | Step::StopReader(..)
            | Step::ClearReader(_)
            | Step::CommitSalts(..)
            | Step::OpenSalt(..)
            | Step::Withhold
            | Step::Discard
            | Step::Play(..)
            | Step::DealAll(_)
            | Step::Begin
            | Step::Close => true,
        }
    }

    /// Follows one step; how many entries it wrote, or `None` where the round is lost.
    fn take(&mut self, step: &Step, rest: &[LoggedEvent], notes: &mut Notes) -> Option<usize> {
        match step {
            Step::Play(by, command) => return self.play(by, command, rest, notes),
            Step::DealAll(by) => return self.deal_all(by, rest, notes),
            Step::Open(_)
            | Step::Limits(_)
            | Step::PlanLimits(..)
            | Step::TakeLimits
            | Step::TakeRules
            | Step::LastRound
            | Step::Deck(..)
            | Step::Call
            | Step::AnswerCall
            | Step::StopReader(..)
            | Step::ClearReader(_)
            | Step::CommitSalts(..)
            | Step::OpenSalt(..)
            | Step::Withhold
            | Step::Discard
            | Step::AwaitSalts
            | Step::FixDeck
            | Step::OpenShuffle
            | Step::AskPlayers
            | Step::ShowMeter
            | Step::Begin
            | Step::Commit
            | Step::Close => {}
        }
        let Some(item) = rest.first() else {
            let what = format!("what must follow is missing: {}", step.words());
            self.finding(Kind::Rules, self.last, what, notes);
            return None;
        };
        let (version, event) = (item.entry.version, &item.event);
        let Event::Table(event) = event else {
            self.finding(Kind::Form, version, "this event does not belong to a table", notes);
            return None;
        };
        let what =
            || format!("the log has {}; its command makes it: {}", as_logged(&item.event), step.words());
        match step.fits(event) {
            None => {
                self.finding(Kind::Rules, version, what(), notes);
                return None;
            }
            Some(false) => self.finding(Kind::Rules, version, what(), notes),
            Some(true) => {}
        }
        self.happened(item, event, notes);
        Some(1)
    }

    /// Entries that follow no command: what is no part of the round still happens to its table, and the next round is
    /// followed again. That they were not followed has been said.
    fn take_as_they_are(&mut self, rest: &[LoggedEvent], notes: &mut Notes) {
        for item in rest {
            let Event::Table(event) = &item.event else {
                self.finding(Kind::Form, item.entry.version, "this event does not belong to a table", notes);
                continue;
            };
            let in_round = matches!(event, TableEvent::Round(_));
            if self.track == Track::RoundLost && matches!(event, TableEvent::RoundBegan { .. }) {
                self.track = Track::Followed;
                if let Some(table) = &mut self.table {
                    let _ = table.evolve(self.library, &TableEvent::Round(::round::Event::RoundClosed));
                }
            }
            match self.track {
                Track::Followed if !in_round => self.happened(item, event, notes),
                Track::RoundLost if !in_round => {
                    if let Some(table) = &mut self.table {
                        let _ = table.evolve(self.library, event);
                    }
                }
                Track::Followed | Track::RoundLost | Track::Lost => {}
            }
        }
    }
}

/// Whether what the meter shows was noted. Logs of 0.2.0 do not have it.
fn shows_meter(rest: &[LoggedEvent]) -> bool {
    let first = rest.first().map(|item| &item.event);
    matches!(first, Some(Event::Table(TableEvent::MeterShown { .. })))
}

/// The steps of a command of the round.
fn in_round(by: Asker, command: InRound) -> Vec<Step> {
    let fixes = command == InRound::CloseBets {};
    let ends = command == InRound::BeginNextRound {};
    let asks = command == InRound::ReportPowerFailure {};
    let opens = (command == InRound::OpenBets {}).then_some([Step::TakeRules, Step::TakeLimits]);
    let mut steps: Vec<Step> = opens.into_iter().flatten().chain([Step::Play(by, command)]).collect();
    if fixes {
        steps.push(Step::ShowMeter);
        steps.extend(FIX);
    }
    if asks {
        steps.push(Step::AskPlayers);
    }
    if ends {
        steps.push(Step::OpenShuffle);
        steps.extend(BEGIN);
    }
    steps
}

impl Step {
    /// Whether an event is what this step writes; `None` where it is of another kind.
    fn fits(&self, event: &TableEvent) -> Option<bool> {
        match (self, event) {
            (Step::Open(asked), TableEvent::Opened { setup }) => Some(is_opened_as(setup, asked)),
            (Step::Limits(asked), TableEvent::LimitsChanged { limits }) => Some(limits == asked),
            (Step::PlanLimits(asked, hour), TableEvent::LimitsPlanned { limits, from }) => {
                Some((limits, from) == (asked, hour))
            }
            (Step::CommitSalts(who, asked), TableEvent::SaltsCommitted { player, anchor: salt })
            | (Step::OpenSalt(who, asked), TableEvent::SaltOpened { player, salt }) => {
                Some((player, salt) == (who, asked))
            }
            (Step::Deck(asked, checked), TableEvent::DeckBrought { deck, receipt }) => {
                Some((deck, receipt) == (asked, checked))
            }
            (Step::StopReader(asked, saw), TableEvent::ReaderStopped { fault, seen }) => {
                Some((fault, seen) == (asked, saw))
            }
            (Step::ClearReader(asked), TableEvent::ReaderCleared { by_hand }) => Some(by_hand == asked),
            (Step::LastRound, TableEvent::LastRoundAnnounced)
            | (Step::TakeRules, TableEvent::RulesTaken { .. })
            | (Step::TakeLimits, TableEvent::LimitsTaken { .. })
            | (Step::Call, TableEvent::SupervisorCalled)
            | (Step::AnswerCall, TableEvent::CallAnswered)
            | (Step::FixDeck, TableEvent::ShuffleSalted { .. })
            | (Step::AwaitSalts, TableEvent::SaltsAwaited { .. })
            | (Step::Withhold, TableEvent::SaltsWithheld { .. })
            | (Step::Discard, TableEvent::SeedDiscarded { .. })
            | (Step::OpenShuffle, TableEvent::ShuffleOpened { .. } | TableEvent::ShuffleLost)
            | (Step::AskPlayers, TableEvent::PlayersAsked { .. })
            | (Step::ShowMeter, TableEvent::MeterShown { .. })
            | (Step::Begin, TableEvent::RoundBegan { .. })
            | (Step::Commit, TableEvent::ShuffleCommitted { .. })
            | (Step::Close, TableEvent::Closed) => Some(true),
            (_, _) => None,
        }
    }

    fn words(&self) -> &'static str {
        match self {
            Step::Open(_) => "the table opens as asked",
            Step::Limits(_) => "the limits that were asked for",
            Step::PlanLimits(..) => "the limits that were signed for an hour",
            Step::TakeLimits => "the table takes the limits of an hour that has come",
            Step::TakeRules => "the table takes the rules that hold by now",
            Step::LastRound => "the last round is announced",
            Step::Deck(..) => "the deck that was brought",
            Step::Call => "a supervisor is called",
            Step::AnswerCall => "a supervisor comes",
            Step::StopReader(..) => "the card reader stops",
            Step::ClearReader(_) => "the card reader is cleared",
            Step::CommitSalts(..) => "the salts that were committed to",
            Step::OpenSalt(..) => "the salt that was opened",
            Step::Withhold => "those who withheld a salt are dropped",
            Step::Discard => "the seed is opened and not used",
            Step::AwaitSalts => "salts are awaited",
            Step::Play(..) | Step::DealAll(_) => "the round goes on",
            Step::FixDeck => "the order of the deck is fixed",
            Step::OpenShuffle => "the shuffle is opened",
            Step::ShowMeter => "what the meter shows is noted",
            Step::AskPlayers => "each Player is asked whether to withdraw",
            Step::Begin => "the next round begins",
            Step::Commit => "a shuffle is committed to",
            Step::Close => "the table closes",
        }
    }
}

const fn is_of_device(actor: &Actor) -> bool {
    matches!(actor, Actor::Device(_))
}

/// Whether a table was opened as it was asked for. Which text of its rulebook it was opened under is checked elsewhere.
fn is_opened_as(setup: &TableSetup, asked: &OpenTable) -> bool {
    let asked = asked.clone();
    let as_asked = TableSetup {
        rulebook: asked.rulebook,
        rulebook_digest: setup.rulebook_digest,
        positions: asked.positions,
        layout: asked.layout,
        jackpot_means: asked.jackpot_means,
        limits: asked.limits,
        method: asked.method,
        dealing: asked.dealing,
        staffing: asked.staffing,
        link: asked.link,
        // It is compared with the changes of the house where it takes them.
        changes: setup.changes,
        // Demonstrations and practice floors give a reason by themselves.
        reason: asked.reason.or_else(|| {
            setup.reason.clone().filter(|reason| [DEMONSTRATION, PRACTISED].contains(&reason.as_str()))
        }),
    };
    *setup == as_asked
}
