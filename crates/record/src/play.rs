//! Plays a record through a round, as at a table, and enters it into its jackpot.
//!
//! The round decides everything as it would at a table. A command that the round refuses is an error in the record.

use cards::Card;
use round::{Asker, Command, Decision, Event, Exposure, Place, Refusal, Round, Stage};
use rulebook::{Office, PlayingArea, Position, Silence};

use crate::answer::Answer;
use crate::books::Books;
use crate::check::check;
use crate::contradictions;
use crate::irregularities;
use crate::irregularity::{Irregularity, Moment, Reported};
use crate::model::{FirstDecision, LATER, LaterDecision, PositionRecord, Record, RecordError};
use crate::placing::open;
use crate::settled;

const DEALER: Asker = Asker::Staff(Office::Dealer);

/// Settles a record, or says what is wrong with it.
pub fn settle<'a>(books: &Books, record: &'a Record<'_>) -> Result<Answer<'a>, RecordError> {
    let Some(book) = books.get(&record.rulebook) else {
        let known: Vec<&str> = books.iter().map(|book| book.id.as_str()).collect();
        let reason = format!("no rulebook {:?}; there are {}", record.rulebook, known.join(", "));
        return Err(RecordError::at("rulebook", reason));
    };
    let round = open(book, record)?;
    check(book, record)?;
    let mut game = Game { round, record, entered: 0, dealt: 0 };
    game.place_wagers()?;
    game.play()?;
    let settlement = game.round.settlement().expect("a round played to its end is settled");
    settled::answer(book, record, settlement)
}

/// A record in play.
pub(crate) struct Game<'r> {
    pub(crate) round: Round,
    pub(crate) record: &'r Record<'r>,
    /// How many irregularities have been entered.
    entered: usize,
    /// How many cards have been dealt.
    dealt: usize,
}

impl Game<'_> {
    /// Gives a command. If it is refused, the error names the place in the record.
    pub(crate) fn give(
        &mut self,
        path: impl Fn() -> String,
        command: &Command,
    ) -> Result<Vec<Event>, RecordError> {
        self.round.apply(&DEALER, command).map_err(|refusal| RecordError::at(path(), refusal.to_string()))
    }

    /// Gives a command for a position.
    pub(crate) fn give_at(
        &mut self,
        place: usize,
        field: &str,
        command: &Command,
    ) -> Result<(), RecordError> {
        self.give(|| format!("positions[{place}]{field}"), command).map(|_| ())
    }

    /// Gives a command that is part of the procedure. A checked record cannot make it fail.
    pub(crate) fn procedure_step(&mut self, command: &Command) {
        if let Err(refusal) = self.round.apply(&DEALER, command) {
            panic!("the round refused {command:?}, a step of the procedure: {refusal}");
        }
    }

    /// Plays from the deal to the settlement, and enters the irregularities on the way.
    fn play(&mut self) -> Result<(), RecordError> {
        loop {
            self.enter_due()?;
            let stage = self.round.stage();
            if stage.is_in_play() {
                self.resume();
            }
            match stage {
                Stage::Dealing => self.deal(),
                Stage::Deciding(area) => self.decide(area)?,
                Stage::Exposing(what) => self.expose(what)?,
                Stage::Showing => self.show()?,
                Stage::Settling => {
                    self.check_no_moment_missed()?;
                    self.give(|| "positions".to_owned(), &Command::Settle {})?;
                }
                Stage::Concluded | Stage::Void => break,
                Stage::BeforeBets | Stage::BetsOpen | Stage::Closed => {
                    panic!("a recorded round is only played from the deal to the settlement")
                }
            }
        }
        if self.record.is_timed() {
            self.check_decisions_were_made()?;
        }
        Ok(())
    }

    /// Play goes on after a power failure.
    pub(crate) fn resume(&mut self) {
        if self.round.is_interrupted() {
            // Whoever did not withdraw stays.
            for player in self.round.unanswered() {
                self.procedure_step(&Command::StayIn { player });
            }
            self.procedure_step(&Command::ResumePlay {});
        }
    }

    /// Enters the irregularities that happen now. In a void round nothing more happens.
    pub(crate) fn enter_due(&mut self) -> Result<(), RecordError> {
        let record = self.record;
        while let Some(report) = record.irregularities.get(self.entered) {
            let now = self.moment();
            if now.is_none() || now != Some(self.moment_of(report)) || self.is_dealt_later(report) {
                break;
            }
            let place = self.entered;
            self.make_decisions_before(place, report)?;
            if self.moment() != now {
                let reason = "all hands had decided by then, so it happened at the next stage";
                return Err(RecordError::at(format!("irregularities[{place}].decided"), reason));
            }
            irregularities::enter(self, place, report)?;
            self.entered += 1;
        }
        Ok(())
    }

    fn is_dealt_later(&self, report: &Reported) -> bool {
        self.moment() == Some(Moment::Dealing) && self.dealt < usize::from(report.dealt.unwrap_or(0))
    }

    /// The stage of the round, as a record names it.
    fn moment(&self) -> Option<Moment> {
        moment_of_stage(self.round.stage())
    }

    /// When an irregularity happened. If the record does not say, it is entered before the settlement; only a misdeal is
    /// entered as soon as the cards are dealt, because nobody has handled them yet.
    fn moment_of(&self, report: &Reported) -> Moment {
        let is_misdeal = matches!(report.what, Irregularity::Misdeal { .. });
        match (report.at, is_misdeal, self.round.book().community_cards()) {
            (Some(at), ..) => at,
            (None, true, 0) => Moment::UpCard,
            (None, true, _) => Moment::Flop,
            (None, false, _) => Moment::Settling,
        }
    }

    /// Makes the decisions that a record says were made before an irregularity.
    fn make_decisions_before(&mut self, place: usize, report: &Reported) -> Result<(), RecordError> {
        for position in &report.decided {
            let Some(at) = self.record.positions.iter().position(|seat| seat.position == *position) else {
                let reason = format!("position {position} has no wager in this record");
                return Err(RecordError::at(format!("irregularities[{place}].decided"), reason));
            };
            match self.round.stage() {
                Stage::Deciding(area) => self.decide_at(at, area)?,
                Stage::Showing => self.show_at(at)?,
                _ => {
                    let reason = "nobody decides at that stage";
                    return Err(RecordError::at(format!("irregularities[{place}].decided"), reason));
                }
            }
        }
        Ok(())
    }

    /// Everything that happened before the settlement must have been entered by now.
    fn check_no_moment_missed(&self) -> Result<(), RecordError> {
        let next = self.record.irregularities.get(self.entered);
        if next.is_none_or(|report| self.moment_of(report) == Moment::Concluded) {
            return Ok(());
        }
        let reason = "the round was not at this stage any more, or never; list irregularities in the order in \
                      which they happened";
        Err(RecordError::at(format!("irregularities[{}].at", self.entered), reason))
    }

    /// Deals the cards, one by one if something happens during the deal.
    fn deal(&mut self) {
        let next = self.record.irregularities.get(self.entered);
        let one_by_one = next.is_some_and(|report| self.moment_of(report) == Moment::Dealing);
        while let Some(place) = self.round.next_place() {
            let card = self.card_at(place);
            self.procedure_step(&Command::DealCard { card });
            self.dealt += 1;
            if one_by_one {
                break;
            }
        }
    }

    fn card_at(&self, place: Place) -> Option<Card> {
        let (cards, at) = match place {
            Place::Player(position, at) => {
                let seat = self.record.seat(position.0);
                (&seat.expect("cards go to positions of the record").cards, at)
            }
            Place::Community(at) => (&self.record.community, at),
            Place::Dealer(at) => (&self.record.dealer, at),
        };
        cards.get(usize::from(at)).copied().flatten()
    }

    fn expose(&mut self, what: Exposure) -> Result<(), RecordError> {
        let path = match what {
            Exposure::UpCard | Exposure::DealerHand => "dealer",
            Exposure::FlopCards | Exposure::TurnCard | Exposure::RiverCard => "community",
        };
        self.give(|| path.to_owned(), &Command::Expose {}).map(|_| ())
    }

    /// One round of decisions, in the order of the record.
    fn decide(&mut self, area: PlayingArea) -> Result<(), RecordError> {
        self.check_withdrawals(area)?;
        (0..self.record.positions.len()).try_for_each(|place| self.decide_at(place, area))
    }

    /// A record need not say when the power failed. A Player who withdrew had placed every wager that the record has, so
    /// the power failed after the last of them: by then no outcome may have been established.
    fn check_withdrawals(&self, area: PlayingArea) -> Result<(), RecordError> {
        let first = area == self.round.book().first_area();
        match contradictions::withdrew_after(self.record, area, first) {
            Some(place) if self.round.outcome_is_established() => {
                let why = format!("by the wager on {area} a wager had been won or lost");
                Err(contradictions::established(self.round.book(), place, &why))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// The decision of one position, if it is due.
    fn decide_at(&mut self, place: usize, area: PlayingArea) -> Result<(), RecordError> {
        let seat = &self.record.positions[place];
        let position = Position(seat.position);
        let is_due = |seat: &round::Seat| seat.is_active() && seat.decision(area).is_none();
        if !self.round.seat(position).is_some_and(is_due) {
            return Ok(());
        }
        let first = area == self.round.book().first_area();
        let Some(action) = action_on(seat, area, first, self.round.book().silence) else {
            return Err(RecordError::at(decision_path(place, area, first), "is missing"));
        };
        let command = match action {
            Action::Decides(decision) => Command::Decide { position, decision },
            Action::IsAbsent => Command::ReportAbsent { position },
        };
        self.resume();
        self.give_at(place, ".decision", &command)
    }

    fn show(&mut self) -> Result<(), RecordError> {
        (0..self.record.positions.len()).try_for_each(|place| self.show_at(place))
    }

    fn show_at(&mut self, place: usize) -> Result<(), RecordError> {
        let seat = &self.record.positions[place];
        let position = Position(seat.position);
        let is_due = |seat: &round::Seat| seat.is_active() && !seat.is_shown() && !seat.has_declined();
        if !self.round.seat(position).is_some_and(is_due) {
            return Ok(());
        }
        self.resume();
        if seat.declines {
            return self.give_at(place, ".declines", &Command::DeclineComparison { position });
        }
        self.give_at(place, ".cards", &Command::ShowHand { position })
    }

    /// A decision of the record that its Player cannot have made, because the hand was out or the round void by then.
    fn check_decisions_were_made(&self) -> Result<(), RecordError> {
        let book = self.round.book();
        for (place, seat) in self.record.positions.iter().enumerate() {
            let played = self.round.seat(Position(seat.position));
            let later = LATER.iter().map(|(area, _)| (*area, false));
            for (area, first) in std::iter::once((book.first_area(), true)).chain(later) {
                let made = played.and_then(|played| played.decision(area));
                let wrong = match action_on(seat, area, first, book.silence) {
                    None => false,
                    Some(Action::Decides(decision)) => made != Some(decision),
                    Some(Action::IsAbsent) if first => played.is_none_or(|played| played.out().is_none()),
                    Some(Action::IsAbsent) => made != Some(Decision::Check),
                };
                let shows = first && seat.declines && !played.is_some_and(round::Seat::has_declined);
                if wrong || shows {
                    let rule = played.and_then(round::Seat::out).or(self.void_under());
                    let under = rule.map_or_else(String::new, |rule| format!(" ({})", book.clause(rule)));
                    let reason = format!("this was no longer the Player's to decide{under}");
                    let declines = || format!("positions[{place}].declines");
                    let path = if wrong { decision_path(place, area, first) } else { declines() };
                    return Err(RecordError::at(path, reason));
                }
            }
        }
        Ok(())
    }

    fn void_under(&self) -> Option<rulebook::Rule> {
        self.round.settlement().and_then(|settlement| settlement.void)
    }

    /// Gives a command for an irregularity. Every office may be needed; the highest may act for every other (6.2).
    pub(crate) fn give_as_staff(&mut self, command: &Command) -> Result<Vec<Event>, Refusal> {
        self.round.apply(&Asker::Staff(Office::GamingShiftManager), command)
    }
}

/// What a Player did when a decision was due.
enum Action {
    Decides(Decision),
    IsAbsent,
}

/// What the record says a Player did on an area, if it says anything.
fn action_on(seat: &PositionRecord<'_>, area: PlayingArea, first: bool, silence: Silence) -> Option<Action> {
    let silent = |decision| match silence {
        Silence::Fold => Action::Decides(decision),
        Silence::Absent => Action::IsAbsent,
    };
    if !first {
        return seat.later(area).map(|decision| match decision {
            LaterDecision::Bet => Action::Decides(Decision::Wager),
            LaterDecision::Check => Action::Decides(Decision::Check),
            LaterDecision::Absent => Action::IsAbsent,
            LaterDecision::Silent => silent(Decision::Check),
        });
    }
    seat.decision.map(|decision| match decision {
        FirstDecision::Bet => Action::Decides(Decision::Wager),
        FirstDecision::Fold => Action::Decides(Decision::Fold),
        FirstDecision::Absent => Action::IsAbsent,
        FirstDecision::Silent => silent(Decision::Fold),
    })
}

/// The name of an area's field.
fn name(area: PlayingArea) -> String {
    area.name().to_ascii_lowercase()
}

/// Where a record has the decision on an area.
fn decision_path(place: usize, area: PlayingArea, first: bool) -> String {
    let field = if first { "decision".to_owned() } else { name(area) };
    format!("positions[{place}].{field}")
}

/// A stage, as a record names it. Before bets and after the round a record has nothing to say.
pub(crate) fn moment_of_stage(stage: Stage) -> Option<Moment> {
    match stage {
        Stage::BetsOpen => Some(Moment::Bets),
        Stage::Dealing => Some(Moment::Dealing),
        Stage::Deciding(PlayingArea::Flop) => Some(Moment::Flop),
        Stage::Deciding(PlayingArea::Turn) => Some(Moment::Turn),
        Stage::Deciding(PlayingArea::River) => Some(Moment::River),
        Stage::Deciding(_) => Some(Moment::Bet),
        Stage::Exposing(Exposure::UpCard) => Some(Moment::UpCard),
        Stage::Exposing(Exposure::FlopCards) => Some(Moment::FlopCards),
        Stage::Exposing(Exposure::TurnCard) => Some(Moment::TurnCard),
        Stage::Exposing(Exposure::RiverCard) => Some(Moment::RiverCard),
        Stage::Exposing(Exposure::DealerHand) => Some(Moment::DealerHand),
        Stage::Showing => Some(Moment::Showing),
        Stage::Settling => Some(Moment::Settling),
        Stage::Concluded => Some(Moment::Concluded),
        Stage::BeforeBets | Stage::Void | Stage::Closed => None,
    }
}
