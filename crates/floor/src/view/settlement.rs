//! A settlement as a viewer sees it: every wager with its end and why.

use jackpot::Award;
use round::{Line, Outcome, Settlement};
use rulebook::Rulebook;
use serde::Serialize;

use super::meter::AwardView;
use super::sight::Laid;
use super::why::Why;
use super::{Cents, Viewer, words};

/// How a wager ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// It won at odds.
    Paid,
    /// A Jackpot wager won.
    Won,
    /// It lost.
    Collected,
    /// It neither won nor lost.
    StandOff,
    /// It went back.
    Returned,
}

impl Ended {
    const fn of(outcome: Outcome) -> Ended {
        match outcome {
            Outcome::Paid(_) => Ended::Paid,
            Outcome::Won => Ended::Won,
            Outcome::Collected => Ended::Collected,
            Outcome::StandOff => Ended::StandOff,
            Outcome::Returned => Ended::Returned,
        }
    }
}

/// One wager to its end. What was staked is what was returned and collected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LineView {
    /// Where it lay.
    pub position: u8,
    /// On which area.
    pub area: &'static str,
    /// Whose it was.
    pub owner: String,
    /// What lay there.
    pub staked: Cents,
    /// What is paid on top, awards of the meter aside.
    pub paid: Cents,
    /// What goes back of the stake.
    pub returned: Cents,
    /// What the house takes of the stake.
    pub collected: Cents,
    /// How it ended.
    pub outcome: Ended,
    /// At which odds it won, such as `2 to 1`.
    pub odds: Option<String>,
    /// The clause that decided it.
    pub clause: String,
    /// The clause of the odds.
    pub odds_clause: Option<String>,
    /// The clause of the limits, where it was out of them.
    pub limit_clause: Option<String>,
    /// Why, in a sentence.
    pub why: String,
}

impl LineView {
    pub(super) fn of(line: &Line, why: &Why<'_>) -> LineView {
        let clause = |rule| words::clause(why.citation, rule);
        let odds = match line.outcome {
            Outcome::Paid(odds) => Some(odds.to_string()),
            Outcome::Won | Outcome::Collected | Outcome::StandOff | Outcome::Returned => None,
        };
        LineView {
            position: line.position.0,
            area: line.area.name(),
            owner: line.owner.name().to_owned(),
            staked: line.staked.into(),
            paid: line.paid.into(),
            returned: line.returned.into(),
            collected: line.collected.into(),
            outcome: Ended::of(line.outcome),
            odds,
            clause: clause(line.rule),
            odds_clause: line.odds_rule.map(clause),
            limit_clause: line.limit_rule.map(clause),
            why: why.sentence(line),
        }
    }
}

/// A settlement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SettlementView {
    /// The clause under which the round is void, where it is.
    pub void: Option<String>,
    /// Every wager, position by position in the Dealer's order.
    pub lines: Vec<LineView>,
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
            void: settlement.void.map(|rule| book.clause(rule).to_string()),
            lines: settlement.lines.iter().map(|line| LineView::of(line, &why)).collect(),
            awards: awards.iter().map(|award| AwardView::of(award)).collect(),
        }
    }
}
