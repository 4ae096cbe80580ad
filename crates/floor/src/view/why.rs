//! "Why?": one plain sentence for each wager of a settlement, with its figures and clauses. A hand is named only where
//! it lies open to whoever asks.

use std::fmt::Write as _;

use cards::{BestFive, Card, HandOrder};
use jackpot::{Award, AwardNumber};
use money::{Money, Odds};
use round::{Claim, Line, Outcome, Settlement, jackpot_lines};
use rulebook::{
    JackpotCards, Pays, PlayingArea, Position, R3_9_1, R3_10_1, R3_10_2, R3_10_2_1, R3_10_2_2, R3_10_3,
    R3_10_3_1, R3_10_3_2, R3_10_4, R4_1_1, R5_7_1, R5_11, R5_12_2, R5_13, R5_14, R5_16_1, R6_1, Rulebook,
};

use serde::Serialize;

use super::Viewer;
use super::hand::{HandView, JackpotHandView};
use super::open_cards::Laid;
use super::words::{a_hand, clause, push_money};

/// What the end of a wager rests on, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    RoundVoid,
    /// The Player's hand beat the Dealer's.
    Higher,
    /// The Dealer's hand beat the Player's.
    Lower,
    Equal,
    OnBonusTable,
    NotOnBonusTable,
    OnJackpotTable,
    NotOnJackpotTable,
    Folded,
    Declined,
    NoDealerHand,
    Withdrew,
    /// The Player was not there to decide.
    Absent,
    /// A Jackpot wager without an Ante.
    NoAnte,
    UnderMinimum,
    Ruled,
    HandOut,
}

/// How a wager out of its limits was settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LimitEffect {
    /// A part of it counts.
    PartCounts,
    OverMaximum,
    /// Under the minimum, settled once.
    SettledOnce,
}

/// What a Jackpot wager won with one hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WonWith {
    pub hand: HandOrder,
    /// What the pay table says: "10% of the meter", "100 for 1".
    pub pays: String,
    /// The award of the meter, once it is entered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub award: Option<AwardNumber>,
    /// Its amount.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<Money>,
}

/// What the sentence of a wager's end is made of, for those who say it in another language. The hands compared are part
/// of the settlement. Cards are here only where they lie open to the viewer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Because {
    pub reason: EndReason,
    /// The lowest hand that the Ante pays, where it stands off although the Player's hand won.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ante_pays_from: Option<HandOrder>,
    /// The hole cards that a Bonus wager was judged by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hole_cards: Vec<Card>,
    /// The hand that a losing Jackpot wager was judged by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jackpot_hand: Option<JackpotHandView>,
    /// Whether a losing Jackpot wager lay on a hand that folded.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub folded: bool,
    /// What a Jackpot wager won with.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub won_with: Vec<WonWith>,
    /// How limits changed what was settled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitEffect>,
    /// How much of the wager was settled, where only a part of it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted: Option<Money>,
}

const OF_THE_METER: &str = " of the meter";

/// What an explanation draws on.
pub(super) struct Why<'a> {
    pub(super) book: &'a Rulebook,
    /// The book's short name.
    pub(super) citation: &'a str,
    pub(super) settlement: &'a Settlement,
    pub(super) laid: &'a Laid,
    pub(super) viewer: &'a Viewer,
    /// The awards of the round, where they are known.
    pub(super) awards: &'a [&'a Award],
}

/// Whom a sentence is about: "you", or a position.
struct Subject {
    who: String,
    whose: String,
    was: &'static str,
}

impl Subject {
    fn of(line: &Line, viewer: &Viewer) -> Subject {
        if viewer.is_player(&line.owner) {
            return Subject { who: "you".to_owned(), whose: "your".to_owned(), was: "were" };
        }
        let who = line.position.to_string();
        Subject { whose: format!("{who}'s"), who, was: "was" }
    }
}

impl Why<'_> {
    /// "Ante 50.00 stands off: you won because Two pairs, Queens and Sixes, beat a pair of Tens; the Ante pays from a Straight
    /// up (MTHB9 3.10.2)".
    pub(super) fn sentence(&self, line: &Line) -> String {
        let subject = Subject::of(line, self.viewer);
        let mut text = String::with_capacity(128);
        text.push_str(line.area.name());
        text.push(' ');
        push_money(&mut text, line.staked);
        text.push(' ');
        self.push_end(&mut text, line);
        text.push_str(": ");
        self.push_reason(&mut text, line, &subject);
        push_limit(&mut text, line);
        text.push_str(" (");
        text.push_str(&clause(self.citation, line.rule));
        for rule in [line.odds_rule, line.limit_rule].into_iter().flatten() {
            if rule != line.rule {
                let _ = write!(text, ", {rule}");
            }
        }
        text.push(')');
        text
    }

    fn push_end(&self, text: &mut String, line: &Line) {
        match line.outcome {
            Outcome::Paid(odds) => {
                text.push_str("is paid ");
                push_money(text, line.paid);
                let _ = write!(text, " at {odds}");
            }
            Outcome::Won => self.push_won(text, line),
            Outcome::Collected => text.push_str("is collected"),
            Outcome::StandOff => text.push_str("stands off"),
            Outcome::Returned => text.push_str("is returned"),
        }
    }

    /// What a Jackpot wager wins: fixed amounts, shares of the meter, or both.
    fn push_won(&self, text: &mut String, line: &Line) {
        text.push_str("wins");
        let mut and = "";
        if !line.paid.is_zero() {
            let _ = write!(text, " {}", line.paid);
            and = " and";
        }
        for claim in self.settlement.claims.iter().filter(|claim| claim.position == line.position) {
            let _ = write!(text, "{and} {}{OF_THE_METER}", claim.percent);
            if let Some(award) = self.award_of(claim) {
                let _ = write!(text, ", {} as {}", award.amount, award.number);
            }
            and = " and";
        }
    }

    /// The parts of the sentence.
    pub(super) fn because(&self, line: &Line) -> Because {
        let reason = self.reason(line);
        let is = |of: EndReason| reason == of;
        let bonus = is(EndReason::OnBonusTable) || is(EndReason::NotOnBonusTable);
        let folded = is(EndReason::NotOnJackpotTable) && line.rule == R3_9_1;
        let judged =
            is(EndReason::NotOnJackpotTable).then(|| self.jackpot_hand(line.position, folded)).flatten();
        let hand = self.laid.hand(line.position).filter(|_| bonus);
        let limit = limit_effect(line);
        Because {
            reason,
            ante_pays_from: self.ante_pays_from(line, reason),
            hole_cards: hand.and_then(|hand| hand.get(..2)).unwrap_or_default().to_vec(),
            jackpot_hand: judged.map(|(of, five)| JackpotHandView { of, hand: HandView::from(&five) }),
            folded,
            won_with: if is(EndReason::OnJackpotTable) { self.won_with(line) } else { Vec::new() },
            counted: limit.filter(|limit| *limit == LimitEffect::PartCounts).and_then(|_| counted(line)),
            limit,
        }
    }

    fn reason(&self, line: &Line) -> EndReason {
        if line.area == PlayingArea::Jackpot && matches!(line.outcome, Outcome::Won | Outcome::Collected) {
            return match (line.outcome, line.rule) {
                (Outcome::Won, _) => EndReason::OnJackpotTable,
                (_, R3_10_1) => EndReason::Declined,
                (_, R6_1) => EndReason::Ruled,
                (_, _) => EndReason::NotOnJackpotTable,
            };
        }
        match line.rule {
            _ if self.settlement.void == Some(line.rule) => EndReason::RoundVoid,
            R3_10_2 | R3_10_3_1 => EndReason::Higher,
            R3_10_3 | R3_10_3_2 => EndReason::Lower,
            R3_10_4 => EndReason::Equal,
            R4_1_1 if matches!(line.outcome, Outcome::Paid(_)) => EndReason::OnBonusTable,
            R4_1_1 => EndReason::NotOnBonusTable,
            R3_9_1 => EndReason::Folded,
            R3_10_1 => EndReason::Declined,
            R3_10_2_1 | R3_10_2_2 => EndReason::NoDealerHand,
            R5_7_1 | R5_16_1 => EndReason::Withdrew,
            R5_11 => EndReason::Absent,
            R5_12_2 => EndReason::NoAnte,
            R5_13 => EndReason::UnderMinimum,
            R6_1 => EndReason::Ruled,
            _ => EndReason::HandOut,
        }
    }

    fn push_reason(&self, text: &mut String, line: &Line, subject: &Subject) {
        let Subject { who, whose, was } = subject;
        let reason = self.reason(line);
        let _ = match reason {
            EndReason::RoundVoid => write!(text, "the round is void"),
            EndReason::Higher => return self.push_higher(text, line, subject),
            EndReason::Lower => return self.push_lower(text, line.position),
            EndReason::Equal => match self.both(line.position) {
                Some((own, dealer)) => write!(text, "{}", own.compared(&dealer)),
                None => write!(text, "{whose} hand and the Dealer's are equal"),
            },
            EndReason::OnBonusTable | EndReason::NotOnBonusTable => {
                return self.push_bonus(text, line, whose);
            }
            EndReason::OnJackpotTable => write!(text, "{}", self.jackpot_hands(line)),
            EndReason::NotOnJackpotTable => return self.push_not_on_jackpot_table(text, line, subject),
            EndReason::Folded => write!(text, "{who} folded"),
            EndReason::Declined => write!(text, "{who} declined comparison"),
            EndReason::NoDealerHand => write!(text, "the Dealer has no hand"),
            EndReason::Withdrew => write!(text, "{who} withdrew"),
            EndReason::Absent => write!(text, "{who} {was} not there to decide"),
            EndReason::NoAnte => write!(text, "no Ante lay beside it"),
            EndReason::UnderMinimum => write!(text, "it is under the minimum, and {who} {was} warned before"),
            EndReason::Ruled => write!(text, "so it was ruled"),
            EndReason::HandOut => write!(text, "the hand is out of the round"),
        };
    }

    /// The lowest hand that the Ante pays, where that is why it stands off.
    fn ante_pays_from(&self, line: &Line, reason: EndReason) -> Option<HandOrder> {
        let stands_off = reason == EndReason::Higher && line.outcome == Outcome::StandOff;
        self.book.game.rules().ante_pays_from().filter(|_| stands_off)
    }

    fn push_higher(&self, text: &mut String, line: &Line, subject: &Subject) {
        let _ = write!(text, "{} won", subject.who);
        if let Some((own, dealer)) = self.both(line.position) {
            let _ = write!(text, " because {}", own.compared(&dealer));
        }
        if let Some(order) = self.ante_pays_from(line, EndReason::Higher) {
            let _ = write!(text, "; the Ante pays from {} up", a_hand(order));
        }
    }

    fn push_lower(&self, text: &mut String, position: Position) {
        text.push_str("the Dealer won");
        if let Some((own, dealer)) = self.both(position) {
            let _ = write!(text, " because {}", own.compared(&dealer));
        }
    }

    fn push_bonus(&self, text: &mut String, line: &Line, whose: &str) {
        let hand = self.laid.hand(line.position);
        let named = hand.and_then(|hand| round::bonus_cards(&self.book.game, hand));
        let named = named.map_or_else(String::new, |named| format!(", {named},"));
        let _ = match line.outcome {
            Outcome::Paid(_) => write!(text, "{whose} hole cards{named} are on the Bonus table"),
            Outcome::Won | Outcome::Collected | Outcome::StandOff | Outcome::Returned => {
                write!(text, "{whose} hole cards{named} are not on the Bonus table")
            }
        };
    }

    fn push_not_on_jackpot_table(&self, text: &mut String, line: &Line, subject: &Subject) {
        let Subject { who, whose, .. } = subject;
        let folded = line.rule == R3_9_1;
        if folded {
            let _ = write!(text, "{who} folded, and ");
        }
        let _ = match self.jackpot_hand(line.position, folded) {
            Some((cards, hand)) => write!(
                text,
                "{} {}, which is not on the Jackpot table",
                counted_cards(whose, cards),
                hand.in_sentence()
            ),
            None => write!(text, "no line of the Jackpot table is met"),
        };
    }

    /// The hands a Jackpot wager won with, in words.
    fn jackpot_hands(&self, line: &Line) -> String {
        let named = |won: &WonWith| {
            if won.pays.ends_with(OF_THE_METER) {
                won.hand.to_string()
            } else {
                format!("{} at {}", won.hand, won.pays)
            }
        };
        let hands: Vec<String> = self.won_with(line).iter().map(named).collect();
        if hands.is_empty() { "a line of the Jackpot table is met".to_owned() } else { hands.join(" and ") }
    }

    /// What a Jackpot wager won with: a share of the meter is known to all, the rest where the hand lies open.
    fn won_with(&self, line: &Line) -> Vec<WonWith> {
        let claims = self.settlement.claims.iter().filter(|claim| claim.position == line.position);
        let mut won: Vec<WonWith> = claims
            .map(|claim| {
                let award = self.award_of(claim);
                WonWith {
                    hand: claim.hand,
                    pays: format!("{}{OF_THE_METER}", claim.percent),
                    award: award.map(|award| award.number),
                    amount: award.map(|award| award.amount),
                }
            })
            .collect();
        if line.paid.is_zero() {
            return won;
        }
        let folded = line.rule == R3_9_1;
        let own = self.laid.hand(line.position);
        let fixed = own.map_or_else(Vec::new, |hand| {
            jackpot_lines(&self.book.jackpot, hand, &self.laid.community, folded)
        });
        let fixed = fixed.iter().filter(|line| !matches!(line.pays, Pays::Share(_)));
        won.extend(fixed.map(|line| WonWith {
            hand: line.hand,
            pays: line.pays.to_string(),
            award: None,
            amount: None,
        }));
        won
    }

    /// The award of the meter that a hand was entered for.
    fn award_of(&self, claim: &Claim) -> Option<&Award> {
        let is_its = |award: &&&Award| {
            award.position == claim.position && award.hand == claim.hand && award.percent == claim.percent
        };
        self.awards.iter().find(is_its).copied()
    }

    fn both(&self, position: Position) -> Option<(BestFive, BestFive)> {
        self.laid.both(&self.book.game, self.laid.hand(position)?)
    }

    /// The hand that a Jackpot wager is judged by, where it lies open.
    fn jackpot_hand(&self, position: Position, folded: bool) -> Option<(JackpotCards, BestFive)> {
        let hand = self.laid.hand(position)?;
        round::jackpot_hand(&self.book.jackpot, hand, &self.laid.community, folded)
    }
}

/// The cards that a Jackpot line counts, in a sentence.
fn counted_cards(whose: &str, cards: JackpotCards) -> String {
    match cards {
        JackpotCards::Hand => format!("{whose} hand is"),
        JackpotCards::HoleAndFlop => format!("{whose} cards with the flop are"),
        JackpotCards::HoleToTurn => format!("{whose} cards with flop and turn are"),
        JackpotCards::HoleToRiver | JackpotCards::HoleToRiverWithHoleCard => {
            format!("{whose} cards with the board are")
        }
        JackpotCards::Community => "the board alone is".to_owned(),
    }
}

/// A wager out of its limits: how much of it counted.
fn push_limit(text: &mut String, line: &Line) {
    let _ = match (limit_effect(line), counted(line)) {
        (Some(LimitEffect::PartCounts), Some(counted)) => {
            write!(text, "; {counted} of it counts within the maximum")
        }
        (Some(LimitEffect::PartCounts | LimitEffect::OverMaximum), _) => {
            write!(text, "; it is over the maximum")
        }
        (Some(LimitEffect::SettledOnce), _) => write!(text, "; under the minimum, it is settled this once"),
        (None, _) => Ok(()),
    };
}

fn limit_effect(line: &Line) -> Option<LimitEffect> {
    match line.limit_rule {
        Some(R5_14) if counted(line).is_some() => Some(LimitEffect::PartCounts),
        Some(R5_14) => Some(LimitEffect::OverMaximum),
        Some(R5_13) if line.rule != R5_13 => Some(LimitEffect::SettledOnce),
        Some(_) | None => None,
    }
}

/// How much of a wager was settled: what lost, or what was paid on.
fn counted(line: &Line) -> Option<Money> {
    match line.outcome {
        Outcome::Paid(Odds::To(times)) => line.paid.cents().checked_div(times.into()).map(Money::from_cents),
        Outcome::StandOff | Outcome::Returned => None,
        Outcome::Paid(Odds::For(_)) | Outcome::Won | Outcome::Collected => Some(line.collected),
    }
}
