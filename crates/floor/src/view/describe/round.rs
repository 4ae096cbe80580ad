//! What happened in a round. Cards are shown as they lay to the viewer at that moment.

use cards::Card;
use journal::{Actor, Entry};
use round::{CardFault, Decision, Event, Exposure, Place, PlayerId, Round, Settlement};
use rulebook::{Clause, PlayingArea, Position, R3_4, R5_11, Rule};

use super::Described;
use crate::table::Table;
use crate::view::EventKind;
use crate::view::feed::{Facts, LaidCard};
use crate::view::hand::{self, HandView};
use crate::view::open_cards::Laid;
use crate::view::settlement::LineView;
use crate::view::stage::{dealer_announced, turned};
use crate::view::why::Why;
use crate::view::{Viewer, words};

/// What an event of a round says; `table` is as of it.
pub(super) fn of_round(entry: &Entry, event: &Event, table: &Table, viewer: &Viewer) -> Option<Described> {
    if whose(event).is_some_and(|player| !viewer.may_know_of(player)) {
        return None;
    }
    let teller = Teller { entry, table, viewer };
    let said = teller.before_the_deal(event).or_else(|| teller.in_play(event));
    Some(said.or_else(|| teller.of_a_player(event)).unwrap_or_else(|| teller.at_the_table(event)))
}

/// The Player an event concerns alone: only that Player and the staff see it.
fn whose(event: &Event) -> Option<&PlayerId> {
    if let Event::PlayerInformed { player }
    | Event::PlayerRestricted { player, .. }
    | Event::RestrictionLifted { player, .. }
    | Event::PlayerProhibited { player, .. }
    | Event::PlayerReadmitted { player, .. }
    | Event::ActionStopped { player, .. }
    | Event::PlayerWarned { player, .. } = event
    {
        return Some(player);
    }
    None
}

struct Teller<'a> {
    entry: &'a Entry,
    table: &'a Table,
    viewer: &'a Viewer,
}

impl Teller<'_> {
    fn round(&self) -> &Round {
        self.table.round()
    }

    fn clause(&self, rule: Rule) -> Clause {
        self.table.book().clause(rule)
    }

    fn hand(&self, position: Position) -> Vec<LaidCard> {
        let dealt = self.round().seat(position).map_or(0, |seat| seat.cards().count());
        self.cards(self.round().hand_places(position).take(dealt))
    }

    fn cards(&self, places: impl Iterator<Item = Place>) -> Vec<LaidCard> {
        places.map(|place| LaidCard::of(self.round(), place, self.viewer)).collect()
    }

    /// What the entry moved, in whole cents.
    fn moved(&self) -> Option<money::Money> {
        let amounts = self.entry.transfers.iter().filter_map(|moved| moved.amount.cents());
        let sum = money::Money::sum(amounts).ok()?;
        (!sum.is_zero()).then_some(sum)
    }

    /// From taking a position to the close of bets.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not described here is described further on, and the last of these lists every event"
    )]
    fn before_the_deal(&self, event: &Event) -> Option<Described> {
        let said = match event {
            Event::PositionTaken { position, player } => Described::new(
                EventKind::PositionTaken,
                format!("{player} takes {position}."),
                about(*position, Some(player)),
            ),
            Event::PositionLeft { position } => Described::new(
                EventKind::PositionLeft,
                format!("{} is free.", capital(*position)),
                about(*position, None),
            ),
            Event::BetsOpened => {
                Described::new(EventKind::BetsOpened, "Place your bets, please.", Facts::default())
            }
            Event::WagerPlaced { position, area, owner, amount, means, .. } => {
                let sentence = format!("{area} {amount} at {position} for {owner}.");
                let facts =
                    Facts { amount: Some(*amount), means: Some(*means), ..on(*position, *area, owner) };
                Described::new(EventKind::WagerPlaced, sentence, facts)
            }
            Event::WagerTakenBack { position, area, owner, rule } => {
                let sentence = match rule {
                    None => format!("{owner} takes back the {area} at {position}."),
                    Some(R3_4) => {
                        format!(
                            "The {area} at {position} is under the minimum: {owner}'s credits are returned."
                        )
                    }
                    Some(_) => format!("The {area} of {owner} at {position} is returned."),
                };
                let clause = rule.map(|rule| self.clause(rule));
                let facts = Facts { amount: self.moved(), clause, ..on(*position, *area, owner) };
                Described::new(EventKind::WagerTakenBack, sentence, facts)
            }
            Event::BetsClosed => Described::new(EventKind::BetsClosed, "No more bets.", Facts::default()),
            Event::JackpotWagerInvalid { position, rule } => {
                let sentence =
                    format!("The Jackpot wager at {position} has no Ante beside it and is returned.");
                let facts = Facts { clause: Some(self.clause(*rule)), ..about(*position, None) };
                Described::new(EventKind::JackpotWagerInvalid, sentence, facts)
            }
            _ => return None,
        };
        Some(said)
    }

    /// Cards, decisions, hands, the settlement.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not described here is described further on, and the last of these lists every event"
    )]
    fn in_play(&self, event: &Event) -> Option<Described> {
        let said = match event {
            Event::CardDealt { place, card } => {
                let dealt = if self.viewer.is_auditor() { "A card is dealt:" } else { "A card" };
                self.card(EventKind::CardDealt, *place, *card, dealt)
            }
            Event::CardRead { place, card } => {
                self.card(EventKind::CardRead, *place, Some(*card), &self.reading(*place))
            }
            Event::Exposed { what } => self.exposed(*what),
            Event::HandViewed { position } => {
                let facts = Facts { cards: self.hand(*position), ..about(*position, None) };
                Described::new(
                    EventKind::HandViewed,
                    format!("{} views its hand.", capital(*position)),
                    facts,
                )
            }
            Event::HandHandled { position, rule } => {
                let facts = Facts { clause: Some(self.clause(*rule)), ..about(*position, None) };
                let sentence = format!("The Player at {position} touches the cards.");
                Described::new(EventKind::HandHandled, sentence, facts)
            }
            Event::Decided { position, area, decision, rule } => {
                self.decided(*position, *area, *decision, *rule)
            }
            Event::DecisionCorrected { position, area, decision, rule, .. } => {
                self.corrected(*position, *area, *decision, *rule)
            }
            Event::WagerCorrected { position, area, owner, before, amount, rule } => {
                let sentence = format!(
                    "The {area} of {owner} at {position} was entered wrongly: it is {amount}, not {before}."
                );
                let clause = Some(self.clause(*rule));
                let facts = Facts { amount: Some(*amount), clause, ..on(*position, *area, owner) };
                Described::new(EventKind::WagerCorrected, sentence, facts)
            }
            Event::HandShown { position } => self.shown(*position),
            Event::ComparisonDeclined { position, rule } => {
                let facts = Facts { clause: Some(self.clause(*rule)), ..about(*position, None) };
                let sentence = format!("{} declines comparison.", capital(*position));
                Described::new(EventKind::ComparisonDeclined, sentence, facts)
            }
            Event::DeclinedHandViewed { position, rule } => {
                let cards = self.hand(*position);
                let facts = Facts { cards, clause: Some(self.clause(*rule)), ..about(*position, None) };
                let who = match &self.entry.actor {
                    Actor::Staff(person, _) | Actor::Acting(person, _) if self.viewer.is_staff() => {
                        person.to_string()
                    }
                    Actor::Staff(..)
                    | Actor::Acting(..)
                    | Actor::Department(..)
                    | Actor::Player(_)
                    | Actor::Device(_)
                    | Actor::System => "A supervisor".to_owned(),
                };
                let sentence = format!("{who} views the hand declined at {position}.");
                Described::new(EventKind::DeclinedHandViewed, sentence, facts)
            }
            Event::Settled { settlement } => self.settled(settlement),
            Event::RoundClosed => Described::new(
                EventKind::RoundClosed,
                "The round stands as it was settled.",
                Facts::default(),
            ),
            _ => return None,
        };
        Some(said)
    }

    /// A card at a place, as it lies there to the viewer; to the auditor as the log has it.
    fn card(&self, kind: EventKind, place: Place, logged: Option<Card>, what: &str) -> Described {
        let mut card = LaidCard::of(self.round(), place, self.viewer);
        let to = if self.viewer.is_auditor() {
            card.card = logged;
            place_words(place)
        } else {
            match place {
                Place::Player(position, _) => position.to_string(),
                Place::Community(_) => "the board".to_owned(),
                Place::Dealer(_) => "the Dealer".to_owned(),
            }
        };
        let joined = if what.ends_with(':') { format!("{what} {to}") } else { format!("{what} to {to}") };
        let sentence = match card.card {
            Some(card) => format!("{joined}, {}.", card.in_signs()),
            None => format!("{joined}."),
        };
        let position = match place {
            Place::Player(position, _) => Some(position),
            Place::Community(_) | Place::Dealer(_) => None,
        };
        Described::new(kind, sentence, Facts { position, cards: vec![card], ..Facts::default() })
    }

    /// A first reading, or the correction of a misread card: the table is as of the event, so a place that counts as
    /// misread was corrected by it.
    fn reading(&self, place: Place) -> String {
        match &self.entry.actor {
            Actor::Staff(_, office) if self.round().was_misread(place) => {
                format!("A misread card is corrected by the {office}:")
            }
            Actor::Acting(_, office) if self.round().was_misread(place) => {
                format!("A misread card is corrected by the acting {office}:")
            }
            Actor::Staff(..)
            | Actor::Acting(..)
            | Actor::Department(..)
            | Actor::Player(_)
            | Actor::Device(_)
            | Actor::System => "A card is read:".to_owned(),
        }
    }

    fn exposed(&self, what: Exposure) -> Described {
        let cards = self.cards(self.round().places_exposed(what).into_iter());
        let sentence = format!("{}: {}.", words::capital(turned(what)), listed(&cards));
        let hand = match what {
            Exposure::DealerHand => hand::of_dealer(self.round(), &Laid::board(self.round())),
            Exposure::UpCard | Exposure::FlopCards | Exposure::TurnCard | Exposure::RiverCard => None,
        };
        Described::new(
            EventKind::Exposed,
            sentence,
            Facts { cards, hand, exposed: Some(what), ..Facts::default() },
        )
    }

    fn decided(&self, position: Position, area: PlayingArea, decision: Decision, rule: Rule) -> Described {
        let amount = if decision == Decision::Wager { self.moved() } else { None };
        let who = self.who_decided(position);
        let sentence = match (decision, amount) {
            (Decision::Fold, _) => format!("{who} folds."),
            (Decision::Check, _) => format!("{who} checks."),
            (Decision::Wager, Some(amount)) => format!("{who} wagers {amount} on the {area}."),
            (Decision::Wager, None) => format!("{who} wagers on the {area}."),
        };
        let facts = Facts {
            area: Some(area),
            decision: Some(decision),
            amount,
            clause: Some(self.clause(rule)),
            ..about(position, None)
        };
        Described::new(EventKind::Decided, sentence, facts)
    }

    fn corrected(&self, position: Position, area: PlayingArea, decision: Decision, rule: Rule) -> Described {
        let is = match decision {
            Decision::Fold => "folds".to_owned(),
            Decision::Check => "checks".to_owned(),
            Decision::Wager => format!("wagers on the {area}"),
        };
        let sentence = format!("The decision at {position} was entered wrongly: {position} {is}.");
        let amount = if decision == Decision::Wager { self.moved() } else { None };
        let facts = Facts {
            area: Some(area),
            decision: Some(decision),
            amount,
            clause: Some(self.clause(rule)),
            ..about(position, None)
        };
        Described::new(EventKind::DecisionCorrected, sentence, facts)
    }

    /// A position that decides. The system makes a decision only at a table without staff, when the time for it is over
    /// (reading `silence`).
    fn who_decided(&self, position: Position) -> String {
        match self.entry.actor {
            Actor::System => format!("{} did not decide in time:", capital(position)),
            Actor::Staff(..)
            | Actor::Acting(..)
            | Actor::Department(..)
            | Actor::Device(_)
            | Actor::Player(_) => capital(position),
        }
    }

    fn shown(&self, position: Position) -> Described {
        let cards = self.hand(position);
        let laid = Laid::of(self.round(), self.viewer);
        let best = laid.hand(position).and_then(|hand| laid.best(hand));
        let named = best.map_or_else(String::new, |best| format!(", {}", best.in_sentence()));
        let sentence = format!("{} shows {}{named}.", capital(position), listed(&cards));
        let hand = best.as_ref().map(HandView::from);
        Described::new(EventKind::HandShown, sentence, Facts { cards, hand, ..about(position, None) })
    }

    fn settled(&self, settlement: &Settlement) -> Described {
        let (book, laid) = (self.table.book(), Laid::of(self.round(), self.viewer));
        let citation = book.citation.to_string();
        let viewer = self.viewer;
        let why = Why { book, citation: &citation, settlement, laid: &laid, viewer, awards: &[] };
        let lines = settlement.lines.iter().map(|line| LineView::of(line, &why)).collect();
        let compared = hand::compared(book, settlement, &laid);
        let sentence = match (settlement.void, self.table.earlier()) {
            (Some(_), _) => "All wagers are returned.".to_owned(),
            (None, Some(_)) => "The round is settled again.".to_owned(),
            (None, None) => format!("{} The wagers are settled.", dealer_announced(&book.game, &laid)),
        };
        let clause = settlement.void.map(|rule| self.clause(rule));
        Described::new(EventKind::Settled, sentence, Facts { compared, clause, lines, ..Facts::default() })
    }
}

/// What goes wrong, and what is decided about Players.
impl Teller<'_> {
    /// What concerns one Player.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not described here is described further on, and the last of these lists every event"
    )]
    fn of_a_player(&self, event: &Event) -> Option<Described> {
        let reason = match event {
            Event::PlayerProhibited { reason, .. } | Event::ActionStopped { reason, .. } => reason.as_deref(),
            _ => None,
        };
        let (kind, player, words) = match event {
            Event::PlayerInformed { player } => {
                (EventKind::PlayerInformed, player, "is told that one hand only may be viewed")
            }
            Event::PlayerRestricted { player, .. } => {
                (EventKind::PlayerRestricted, player, "may wager on one position only")
            }
            Event::RestrictionLifted { player, .. } => {
                (EventKind::RestrictionLifted, player, "may wager on several positions again")
            }
            Event::PlayerProhibited { player, .. } => {
                (EventKind::PlayerProhibited, player, "is prohibited from play")
            }
            Event::PlayerReadmitted { player, .. } => {
                (EventKind::PlayerReadmitted, player, "is admitted to play again")
            }
            Event::ActionStopped { player, .. } => {
                (EventKind::ActionStopped, player, "takes no more decisions")
            }
            Event::PlayerWarned { player, .. } => (
                EventKind::PlayerWarned,
                player,
                "is warned: wagers under the minimum are returned from now on",
            ),
            Event::PlayerWithdrew { player, .. } => {
                (EventKind::PlayerWithdrew, player, "takes all wagers back")
            }
            Event::PlayerStayed { player, answered: true, .. } => {
                (EventKind::PlayerStayed, player, "leaves all wagers after the power failure")
            }
            Event::PlayerStayed { player, answered: false, .. } => {
                (EventKind::PlayerStayed, player, "gives no answer after the power failure: the wagers stay")
            }
            _ => return None,
        };
        let facts = Facts {
            player: Some(player.clone()),
            clause: event.rule().map(|rule| self.clause(rule)),
            ..Facts::default()
        };
        Some(Described::new(kind, format!("{player} {words}.{}", words::because(reason)), facts))
    }

    #[expect(clippy::too_many_lines, reason = "one arm an event, in the order of the events")]
    fn at_the_table(&self, event: &Event) -> Described {
        let clause = event.rule().map(|rule| self.clause(rule));
        let at = |position: Position| Facts { clause, ..about(position, None) };
        let plain = || Facts { clause, ..Facts::default() };
        match event {
            Event::LateRemovalIgnored { position, area, owner, .. } => {
                let sentence = format!(
                    "The {area} at {position} was taken off after the close; it stands all the same."
                );
                let facts = Facts { clause, ..on(*position, *area, owner) };
                Described::new(EventKind::LateRemovalIgnored, sentence, facts)
            }
            Event::BadCardsDeclared { fault, .. } => Described::new(
                EventKind::BadCardsDeclared,
                format!("The cards are wrong: {}.", fault_words(*fault)),
                plain(),
            ),
            Event::CardsCounted { counted, .. } => Described::new(
                EventKind::CardsCounted,
                format!("The cards were counted: {counted}."),
                plain(),
            ),
            Event::MisdealFound { moves, .. } => {
                let sentence = match moves {
                    Some(_) => "Cards were misdealt; moving the hands corrects it.",
                    None => "Cards were misdealt, and moving hands cannot correct it.",
                };
                Described::new(EventKind::MisdealFound, sentence, plain())
            }
            Event::HandsMoved { .. } => {
                Described::new(EventKind::HandsMoved, "The hands were moved to where they belong.", plain())
            }
            Event::TableCountCorrected { .. } => {
                let sentence = "The number of cards on the table was corrected.";
                Described::new(EventKind::TableCountCorrected, sentence, plain())
            }
            Event::HandCountCorrected { position, .. } => {
                let sentence = format!("The number of cards at {position} was corrected.");
                Described::new(EventKind::HandCountCorrected, sentence, at(*position))
            }
            Event::CardsExposed { in_all, .. } => Described::new(
                EventKind::CardsExposed,
                format!("Cards wrongly exposed: {in_all} by now."),
                plain(),
            ),
            Event::HandOut { position, rule } => {
                let sentence = match (&self.entry.actor, *rule) {
                    (Actor::System, R5_11) => {
                        format!("{} did not decide in time: its wagers are returned.", capital(*position))
                    }
                    _ => format!("The hand at {position} is out; its wagers are returned."),
                };
                Described::new(EventKind::HandOut, sentence, at(*position))
            }
            Event::BonusForfeited { position, .. } => Described::new(
                EventKind::BonusForfeited,
                format!("The Bonus at {position} is lost."),
                at(*position),
            ),
            Event::ShareOut { position, owner, .. } => {
                let sentence = format!("{owner}'s part of the wagers at {position} is returned.");
                Described::new(
                    EventKind::ShareOut,
                    sentence,
                    Facts { player: Some(owner.clone()), ..at(*position) },
                )
            }
            Event::WithdrawalsPermitted { .. } => Described::new(
                EventKind::WithdrawalsPermitted,
                "Players of this round may withdraw.",
                plain(),
            ),
            Event::PowerFailed { established: true, .. } => Described::new(
                EventKind::PowerFailed,
                "The power failed after an outcome; play goes on.",
                plain(),
            ),
            Event::PowerFailed { established: false, .. } => Described::new(
                EventKind::PowerFailed,
                "The power failed: each Player may take all wagers back.",
                plain(),
            ),
            Event::PlayResumed { .. } => Described::new(EventKind::PlayResumed, "Play goes on.", plain()),
            Event::RulingMade { ruling, .. } => {
                let facts = Facts { words: Some(ruling.words.clone()), ..plain() };
                Described::new(EventKind::RulingMade, format!("It is ruled: {}", ruling.words), facts)
            }
            Event::RoundVoided { .. } => {
                Described::new(EventKind::RoundVoided, "The round is void; all wagers are returned.", plain())
            }
            Event::PlayerInformed { .. }
            | Event::PositionTaken { .. }
            | Event::PositionLeft { .. }
            | Event::BetsOpened
            | Event::WagerPlaced { .. }
            | Event::WagerTakenBack { .. }
            | Event::BetsClosed
            | Event::JackpotWagerInvalid { .. }
            | Event::CardDealt { .. }
            | Event::CardRead { .. }
            | Event::Exposed { .. }
            | Event::HandViewed { .. }
            | Event::HandHandled { .. }
            | Event::PlayerStayed { .. }
            | Event::Decided { .. }
            | Event::DecisionCorrected { .. }
            | Event::WagerCorrected { .. }
            | Event::HandShown { .. }
            | Event::ComparisonDeclined { .. }
            | Event::DeclinedHandViewed { .. }
            | Event::Settled { .. }
            | Event::RoundClosed
            | Event::PlayerWithdrew { .. }
            | Event::PlayerRestricted { .. }
            | Event::RestrictionLifted { .. }
            | Event::PlayerProhibited { .. }
            | Event::PlayerReadmitted { .. }
            | Event::ActionStopped { .. }
            | Event::PlayerWarned { .. } => unreachable!("described before it comes here: {event:?}"),
        }
    }
}

/// A place that a card lies at.
pub(crate) fn place_words(place: Place) -> String {
    let nth = |at: u8| u16::from(at).saturating_add(1);
    match place {
        Place::Player(position, at) => format!("card {} of {position}", nth(at)),
        Place::Community(at) => format!("community card {}", nth(at)),
        Place::Dealer(at) => format!("card {} of the Dealer", nth(at)),
    }
}

fn about(position: Position, player: Option<&PlayerId>) -> Facts {
    Facts { position: Some(position), player: player.cloned(), ..Facts::default() }
}

fn on(position: Position, area: PlayingArea, owner: &PlayerId) -> Facts {
    Facts { area: Some(area), ..about(position, Some(owner)) }
}

fn capital(position: Position) -> String {
    words::capital(&position.to_string())
}

/// Cards in a sentence.
fn listed(cards: &[LaidCard]) -> String {
    let text = |laid: &LaidCard| laid.card.map_or_else(|| "a card".to_owned(), Card::in_signs);
    cards.iter().map(text).collect::<Vec<_>>().join(" ")
}

const fn fault_words(fault: CardFault) -> &'static str {
    match fault {
        CardFault::Extra => "there are too many",
        CardFault::Missing => "there are too few",
        CardFault::Foreign => "one does not belong to the deck",
        CardFault::Unshuffled => "they were not shuffled",
    }
}
