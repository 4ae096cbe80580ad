//! A table as a viewer sees it now.

use cards::Card;
use jackpot::TableId;
use journal::{Dealing, HouseLimits, Moment, ReaderFault, Staffing, TableCommand, Version};
use round::{Asker, Command, Event, Move, PayingStep, PlayerId, Round, Seat, Stage, paying_steps};
use rulebook::{Citation, Clause, Limits, Office, PlayingArea, R5_2, R5_16_1};
use serde::Serialize;

use super::choices::{self, Choice};
use super::hand::{self, HandView};
use super::meter::{self, JackpotView};
use super::open_cards::{self, Laid};
use super::seat::SeatView;
use super::settlement::SettlementView;
use super::shuffle::ShuffleView;
use super::stage::{Awaited, StageView};
use super::{Viewer, procedure, reader_fault_in_words};
use crate::desk::Desk;
use crate::table::{PlannedLimits, Table};

/// The rulebook a table plays by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RulebookView {
    /// Its id, such as `megalink-holdem-v9`.
    pub id: String,
    /// The short name clauses are cited by, such as `MTHB9`.
    pub citation: Citation,
    pub title: String,
    pub version: u16,
}

/// A power failure before any outcome was established (5.16.1): who may withdraw, until play resumes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PowerView {
    pub clause: Clause,
    /// What may be done.
    pub sentence: &'static str,
    /// The Players who may take all their wagers back.
    pub may_withdraw: Vec<PlayerId>,
    /// The Players who must still be asked before play resumes.
    pub unanswered: Vec<PlayerId>,
}

/// A misdeal that is open (5.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MisdealView {
    pub clause: Clause,
    /// The moves that would correct it.
    pub moves: Vec<Move>,
}

/// A card reader that stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReaderView {
    pub fault: ReaderFault,
    /// What is wrong and what to do.
    pub sentence: String,
    /// Whether somebody has looked, and the cards of this round are entered by hand.
    pub by_hand: bool,
}

impl ReaderView {
    /// What the reader saw may name a card: it is for the staff.
    fn of(table: &Table, viewer: &Viewer) -> Option<ReaderView> {
        let reader = table.reader()?;
        let what = reader_fault_in_words(reader.fault);
        let seen = if viewer.is_staff() { format!(" {}", reader.seen) } else { String::new() };
        let next = if reader.by_hand {
            "The cards of this round are entered by hand."
        } else {
            "Play waits until the Dealer has looked at the cards."
        };
        let sentence = format!("The card reader stopped: {what}.{seen} {next}");
        Some(ReaderView { fault: reader.fault, sentence, by_hand: reader.by_hand })
    }
}

/// Limits that hold from an hour on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PlannedLimitsView {
    pub from: Moment,
    pub limits: Limits,
}

impl PlannedLimitsView {
    fn of(planned: &PlannedLimits) -> PlannedLimitsView {
        PlannedLimitsView { from: planned.from, limits: planned.limits.clone() }
    }
}

/// A ruling given in this round (6.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RulingView {
    /// What was decided, and why.
    pub words: String,
    /// How many wagers and hands it changed.
    pub effects: usize,
}

/// A table as a viewer sees it now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TableView {
    pub table: TableId,
    /// The version of its stream this was seen at: a feed goes on from here.
    pub version: u64,
    pub rulebook: RulebookView,
    /// Why it was opened under a book that was not in force on that day, where it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The letter of its layout's appendix.
    pub layout: char,
    /// How many positions it has.
    pub positions: u8,
    /// The areas of a position, in the Dealer's order.
    pub areas: Vec<PlayingArea>,
    /// The limits of its round.
    pub limits: Limits,
    /// Other limits that hold from the next round on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_limits: Option<Limits>,
    /// Limits that two people signed for and that hold from an hour on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub planned_limits: Vec<PlannedLimitsView>,
    /// How the cards are dealt, by the name of the method.
    pub method: String,
    /// Where its cards come from.
    pub dealing: Dealing,
    /// Who runs it.
    pub staffing: Staffing,
    /// Whether it is open.
    pub open: bool,
    /// Whether its last round was announced.
    pub last_round: bool,
    /// The number of the round that was announced as the last.
    pub last_round_number: Option<u64>,
    /// Its decks, where cards are dealt by hand.
    pub decks: Option<DecksView>,
    /// The number of its round.
    pub round: u64,
    /// Where the round stands.
    pub stage: StageView,
    /// Its positions.
    pub seats: Vec<SeatView>,
    /// The community cards: `null` where one lies face down.
    pub community: Vec<Option<Card>>,
    /// The Dealer's cards, likewise.
    pub dealer: Vec<Option<Card>>,
    /// The Dealer's hand by name, once all of it lies open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dealer_hand: Option<HandView>,
    /// The jackpot it plays for.
    pub jackpot: Option<JackpotView>,
    /// How the round was settled.
    pub settlement: Option<SettlementView>,
    /// Whether the winning cards of this round wait for a supervisor, and the next round with them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unverified: bool,
    /// The Dealer's work list of the settlement. For the staff.
    pub paying: Vec<PayingStep>,
    /// A power failure that is open.
    pub power: Option<PowerView>,
    /// The card reader, where it stopped and does not enter cards yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reader: Option<ReaderView>,
    /// A misdeal that is open.
    pub misdeal: Option<MisdealView>,
    /// The rulings of the round.
    pub rulings: Vec<RulingView>,
    /// The shuffle, where cards come from one.
    pub shuffle: Option<ShuffleView>,
    /// What this viewer may do now; for the staff the next step of the procedure comes first.
    pub choices: Vec<Choice<TableCommand>>,
}

/// The decks of a table whose cards are dealt by hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DecksView {
    /// The deck it deals from; `null` where none was named.
    pub in_use: Option<String>,
    /// Whether a deck was found bad, and another must be brought before the next round.
    pub needed: bool,
    /// The decks that were found bad here and not inspected since.
    pub quarantined: Vec<String>,
}

impl DecksView {
    fn of(table: &Table) -> DecksView {
        DecksView {
            in_use: table.deck_in_use().map(str::to_owned),
            needed: table.needs_deck(),
            quarantined: table.quarantined().iter().cloned().collect(),
        }
    }
}

impl TableView {
    /// A table as a viewer sees it; `desk` is that of the link it plays for.
    pub fn of(
        table: &Table,
        desk: Option<&Desk>,
        limits: &HouseLimits,
        version: Version,
        viewer: &Viewer,
    ) -> TableView {
        let (round, setup, book) = (table.round(), table.setup(), table.book());
        let awaited = Awaited::of(round);
        let laid = Laid::of(round, viewer);
        let link = setup.link.as_ref().zip(desk);
        let rulings = round.rulings().iter();
        TableView {
            table: table.id().clone(),
            version: version.0,
            rulebook: RulebookView {
                id: book.id.clone(),
                citation: book.citation,
                title: book.title.clone(),
                version: book.version,
            },
            reason: setup.reason.clone(),
            layout: setup
                .layout
                .or_else(|| book.layout_with(setup.positions).map(|layout| layout.letter))
                .unwrap_or(' '),
            positions: setup.positions,
            areas: book.areas().to_vec(),
            limits: table.round().limits().clone(),
            planned_limits: table.planned().iter().map(PlannedLimitsView::of).collect(),
            next_limits: Some(&setup.limits).filter(|limits| *limits != table.round().limits()).cloned(),
            method: method(table),
            dealing: setup.dealing,
            staffing: setup.staffing,
            open: table.is_open(),
            last_round: table.is_last_round(),
            last_round_number: table.last_round(),
            decks: (!table.is_software_dealt()).then(|| DecksView::of(table)),
            round: table.number(),
            stage: stage(table, desk, &awaited),
            seats: round
                .seats()
                .map(|(position, seat)| SeatView::of(table, &awaited, position, seat, &laid, viewer))
                .collect(),
            community: open_cards::community(round),
            dealer: open_cards::dealer(round),
            dealer_hand: hand::of_dealer(round, &laid),
            jackpot: link.map(|(link, desk)| JackpotView::of(table, link, desk)),
            settlement: settlement(table, desk, &laid, viewer),
            unverified: procedure::AwardOfRound::of(table, desk) != procedure::AwardOfRound::None,
            paying: paying_list(table, viewer),
            reader: ReaderView::of(table, viewer),
            power: power(round),
            misdeal: misdeal(round),
            rulings: rulings
                .map(|ruling| RulingView { words: ruling.words.clone(), effects: ruling.effects.len() })
                .collect(),
            shuffle: ShuffleView::of(table, viewer),
            choices: choices(table, desk, limits, &awaited, viewer),
        }
    }
}

/// Where the round stands; before cards are dealt the shuffle may still wait for salts.
fn stage(table: &Table, desk: Option<&Desk>, awaited: &Awaited) -> StageView {
    let mut stage = awaited.view(table.round());
    if procedure::AwardOfRound::of(table, desk) != procedure::AwardOfRound::None {
        "The round is settled. The cards and the deck stay where they are until a supervisor has verified the award."
            .clone_into(&mut stage.awaited);
    }
    if stage.stage == Stage::BeforeBets && table.setup().staffing == Staffing::Staffed && table.is_open() {
        "Waiting for the Dealer to open the bets.".clone_into(&mut stage.call);
    }
    let salts = table.awaited();
    if salts.is_empty() {
        return stage;
    }
    let names: Vec<&str> = salts.iter().map(PlayerId::name).collect();
    StageView { awaited: format!("The shuffle waits for the salts of {}.", names.join(", ")), ..stage }
}

fn method(table: &Table) -> String {
    let usual = || table.book().methods.first().map(|method| method.name.clone()).unwrap_or_default();
    table.setup().method.clone().unwrap_or_else(usual)
}

fn settlement(table: &Table, desk: Option<&Desk>, laid: &Laid, viewer: &Viewer) -> Option<SettlementView> {
    let settlement = table.round().settlement()?;
    let awards = meter::awards_of_round(table, desk);
    Some(SettlementView::of(table.book(), settlement, laid, viewer, &awards))
}

/// The Dealer's work list: of the settlement made, or of the one that would be made now.
fn paying_list(table: &Table, viewer: &Viewer) -> Vec<PayingStep> {
    let round = table.round();
    if !viewer.is_staff() {
        return Vec::new();
    }
    if let Some(settlement) = round.settlement() {
        return paying_steps(round, settlement);
    }
    let events = round.decide(&Asker::Staff(Office::Dealer), &Command::Settle {}).unwrap_or_default();
    let settled = events
        .iter()
        .find_map(|event| if let Event::Settled { settlement } = event { Some(settlement) } else { None });
    settled.map_or_else(Vec::new, |settlement| paying_steps(round, settlement))
}

/// Whether a power failure is open: Players are asked, then play resumes.
pub(super) fn power(round: &Round) -> Option<PowerView> {
    let dealer = Asker::Staff(Office::Dealer);
    if !round.stage().is_in_play() || !round.is_interrupted() {
        return None;
    }
    let may =
        |player: &PlayerId| round.decide(&dealer, &Command::Withdraw { player: player.clone() }).is_ok();
    Some(PowerView {
        clause: round.book().clause(R5_16_1),
        sentence: "The power failed: each Player may take all wagers back, or play on.",
        may_withdraw: owners(round).filter(may).collect(),
        unanswered: round.unanswered().into_iter().collect(),
    })
}

/// Everybody with a wager on the table, once each, by name.
pub(super) fn owners(round: &Round) -> impl Iterator<Item = PlayerId> {
    let of_seat = |seat: &Seat| {
        let areas = round.book().areas().iter();
        let shares =
            areas.flat_map(|area| seat.shares(*area, round.book().multiple_of_ante(*area)).into_owned());
        shares.map(|share| share.owner).collect::<Vec<_>>()
    };
    let owners: std::collections::BTreeSet<PlayerId> =
        round.seats().flat_map(|(_, seat)| of_seat(seat)).collect();
    owners.into_iter()
}

/// Whether a misdeal is open: the round says which moves would correct it.
pub(super) fn misdeal(round: &Round) -> Option<MisdealView> {
    if !round.stage().is_in_play() {
        return None;
    }
    let events = round.decide(&Asker::Staff(Office::Dealer), &Command::Reconstruct {}).ok()?;
    let moves = events
        .iter()
        .find_map(|event| if let Event::HandsMoved { moves, .. } = event { Some(moves) } else { None })?;
    Some(MisdealView { clause: round.book().clause(R5_2), moves: moves.clone() })
}

fn choices(
    table: &Table,
    desk: Option<&Desk>,
    limits: &HouseLimits,
    awaited: &Awaited,
    viewer: &Viewer,
) -> Vec<Choice<TableCommand>> {
    match viewer {
        Viewer::Player(player) if table.is_open() => choices::of_player(table, desk, player),
        Viewer::Public | Viewer::Auditor | Viewer::Player(_) | Viewer::Department(..) => Vec::new(),
        Viewer::Staff(_, office) => procedure::of_staff(table, desk, limits, awaited, *office),
    }
}
