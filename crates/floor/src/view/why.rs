//! "Why?": one plain sentence for each wager of a settlement, with its figures and clauses. A hand is named only where
//! it lies open to whoever asks.

use std::fmt::Write as _;

use cards::BestFive;
use jackpot::Award;
use money::{Money, Odds};
use round::{Line, Outcome, Settlement, jackpot_lines};
use rulebook::{
    JackpotCards, Pays, PlayingArea, Position, R3_9_1, R3_10_1, R3_10_2, R3_10_2_1, R3_10_2_2, R3_10_3,
    R3_10_3_1, R3_10_3_2, R3_10_4, R4_1_1, R5_7_1, R5_11, R5_12_2, R5_13, R5_14, R5_16_1, R6_1, Rulebook,
};

use super::Viewer;
use super::open_cards::Laid;
use super::words::{a_hand, clause, push_money};

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
            let _ = write!(text, "{and} {} of the meter", claim.percent);
            let awards = self.awards.iter().filter(|award| {
                award.position == line.position && award.hand == claim.hand && award.percent == claim.percent
            });
            for award in awards {
                let _ = write!(text, ", {} as {}", award.amount, award.number);
            }
            and = " and";
        }
    }

    fn push_reason(&self, text: &mut String, line: &Line, subject: &Subject) {
        let Subject { who, whose, was } = subject;
        if line.area == PlayingArea::Jackpot && matches!(line.outcome, Outcome::Won | Outcome::Collected) {
            return self.push_jackpot_reason(text, line, subject);
        }
        let _ = match line.rule {
            _ if self.settlement.void == Some(line.rule) => write!(text, "the round is void"),
            R3_10_2 | R3_10_3_1 => return self.push_higher(text, line, subject),
            R3_10_3 | R3_10_3_2 => return self.push_lower(text, line.position),
            R3_10_4 => match self.both(line.position) {
                Some((own, dealer)) => write!(text, "{}", own.compared(&dealer)),
                None => write!(text, "{whose} hand and the Dealer's are equal"),
            },
            R4_1_1 => return self.push_bonus(text, line, whose),
            R3_9_1 => write!(text, "{who} folded"),
            R3_10_1 => write!(text, "{who} declined comparison"),
            R3_10_2_1 | R3_10_2_2 => write!(text, "the Dealer has no hand"),
            R5_7_1 | R5_16_1 => write!(text, "{who} withdrew"),
            R5_11 => write!(text, "{who} {was} not there to decide"),
            R5_12_2 => write!(text, "no Ante lay beside it"),
            R5_13 => write!(text, "it is under the minimum, and {who} {was} warned before"),
            R6_1 => write!(text, "so it was ruled"),
            _ => write!(text, "the hand is out of the round"),
        };
    }

    fn push_higher(&self, text: &mut String, line: &Line, subject: &Subject) {
        let _ = write!(text, "{} won", subject.who);
        if let Some((own, dealer)) = self.both(line.position) {
            let _ = write!(text, " because {}", own.compared(&dealer));
        }
        let stands_off = line.outcome == Outcome::StandOff;
        if let Some(order) = self.book.game.rules().ante_pays_from().filter(|_| stands_off) {
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

    fn push_jackpot_reason(&self, text: &mut String, line: &Line, subject: &Subject) {
        let Subject { who, whose, .. } = subject;
        let folded = line.rule == R3_9_1;
        let _ = match (line.outcome, line.rule) {
            (Outcome::Won, _) => write!(text, "{}", self.jackpot_hands(line, folded)),
            (_, R3_10_1) => write!(text, "{who} declined comparison"),
            (_, R6_1) => write!(text, "so it was ruled"),
            (_, _) => {
                if folded {
                    let _ = write!(text, "{who} folded, and ");
                }
                match self.jackpot_hand(line.position, folded) {
                    Some((cards, hand)) => write!(
                        text,
                        "{} {}, which is not on the Jackpot table",
                        counted_cards(whose, cards),
                        hand.in_sentence()
                    ),
                    None => write!(text, "no line of the Jackpot table is met"),
                }
            }
        };
    }

    /// The hands a Jackpot wager won with: a share of the meter is known to all, the rest where the hand lies open.
    fn jackpot_hands(&self, line: &Line, folded: bool) -> String {
        let claims = self.settlement.claims.iter().filter(|claim| claim.position == line.position);
        let mut hands: Vec<String> = claims.map(|claim| claim.hand.to_string()).collect();
        if line.paid.is_zero() {
            return hands.join(" and ");
        }
        let own = self.laid.hand(line.position);
        let fixed = own.map_or_else(Vec::new, |hand| {
            jackpot_lines(&self.book.jackpot, hand, &self.laid.community, folded)
        });
        let fixed = fixed.iter().filter(|line| !matches!(line.pays, Pays::Share(_)));
        hands.extend(fixed.map(|line| format!("{} at {}", line.hand, line.pays)));
        if hands.is_empty() { "a line of the Jackpot table is met".to_owned() } else { hands.join(" and ") }
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
    let _ = match (line.limit_rule, counted(line)) {
        (Some(R5_14), Some(counted)) => write!(text, "; {counted} of it counts within the maximum"),
        (Some(R5_14), None) => write!(text, "; it is over the maximum"),
        (Some(R5_13), _) if line.rule != R5_13 => {
            write!(text, "; under the minimum, it is settled this once")
        }
        (Some(_) | None, _) => Ok(()),
    };
}

/// How much of a wager was settled: what lost, or what was paid on.
fn counted(line: &Line) -> Option<Money> {
    match line.outcome {
        Outcome::Paid(Odds::To(times)) => line.paid.cents().checked_div(times.into()).map(Money::from_cents),
        Outcome::StandOff | Outcome::Returned => None,
        Outcome::Paid(Odds::For(_)) | Outcome::Won | Outcome::Collected => Some(line.collected),
    }
}
