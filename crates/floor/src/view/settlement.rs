//! A settlement as a viewer sees it: every wager with its end and why.

use jackpot::Award;
use money::Money;
use round::{Line, Outcome, PlayerId, Settlement};
use rulebook::{Clause, PlayingArea, Position, Rulebook};
use serde::Serialize;

use super::Viewer;
use super::hand::{self, ComparedView};
use super::meter::AwardView;
use super::open_cards::Laid;
use super::why::{Because, Why};

/// One wager to its end. What was staked is what was returned and collected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LineView {
    /// Where it lay.
    pub position: Position,
    pub area: PlayingArea,
    /// Whose it was.
    pub owner: PlayerId,
    /// What lay there.
    pub staked: Money,
    /// What is paid on top, awards of the meter aside.
    pub paid: Money,
    /// What goes back of the stake.
    pub returned: Money,
    /// What the house takes of the stake.
    pub collected: Money,
    /// How it ended.
    pub outcome: Outcome,
    /// The clause that decided it.
    pub clause: Clause,
    /// The clause of the odds.
    pub odds_clause: Option<Clause>,
    /// The clause of the limits, where it was out of them.
    pub limit_clause: Option<Clause>,
    /// Why, in a sentence.
    pub why: String,
    /// What that sentence is made of.
    pub because: Because,
}

impl LineView {
    pub(super) fn of(line: &Line, why: &Why<'_>) -> LineView {
        let clause = |rule| why.book.clause(rule);
        LineView {
            position: line.position,
            area: line.area,
            owner: line.owner.clone(),
            staked: line.staked,
            paid: line.paid,
            returned: line.returned,
            collected: line.collected,
            outcome: line.outcome,
            clause: clause(line.rule),
            odds_clause: line.odds_rule.map(clause),
            limit_clause: line.limit_rule.map(clause),
            why: why.sentence(line),
            because: why.because(line),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SettlementView {
    /// The clause under which the round is void, where it is.
    pub void: Option<Clause>,
    /// Every wager, position by position in the Dealer's order.
    pub lines: Vec<LineView>,
    /// The hands compared with the Dealer's, by position, where they lie open.
    pub compared: Vec<ComparedView>,
    /// The awards of the meter entered for this round.
    pub awards: Vec<AwardView>,
}

impl SettlementView {
    pub(super) fn of(
        book: &Rulebook,
        settlement: &Settlement,
        laid: &Laid,
        viewer: &Viewer,
        awards: &[&Award],
    ) -> SettlementView {
        let citation = book.citation.to_string();
        let why = Why { book, citation: &citation, settlement, laid, viewer, awards };
        SettlementView {
            void: settlement.void.map(|rule| book.clause(rule)),
            lines: settlement.lines.iter().map(|line| LineView::of(line, &why)).collect(),
            compared: hand::compared(book, settlement, laid),
            awards: awards.iter().map(|award| AwardView::of(award)).collect(),
        }
    }
}
