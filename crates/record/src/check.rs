//! Checks a record before it is played: it must be complete, with distinct cards and known positions.

use cards::{Card, CardSet};
use rulebook::{PlayingArea, R5_12_2, Rulebook};

use crate::contradictions;
use crate::model::{FirstDecision, LATER, PositionRecord, Record, RecordError};

type Checked = Result<(), RecordError>;

/// Checks a record against its book.
pub(crate) fn check(book: &Rulebook, record: &Record<'_>) -> Checked {
    let mut seen = CardSet::EMPTY;
    let mut taken = 0_u64;
    for (place, position) in record.positions.iter().enumerate() {
        let at = |field: &str| format!("positions[{place}]{field}");
        let number = position.position;
        if number == 0 || record.table.positions < number {
            let reason = format!("the layout has positions 1 to {}, not {number}", record.table.positions);
            return Err(RecordError::at(at(".position"), reason));
        }
        if taken & (1 << number) != 0 {
            return Err(RecordError::at(at(".position"), format!("position {number} appears twice")));
        }
        taken |= 1 << number;
        distinct(&mut seen, &position.cards, || at(".cards"))?;
        check_position(book, record, position, &at)?;
    }
    count(&record.community, book.community_cards(), || "community".to_owned())?;
    distinct(&mut seen, &record.community, || "community".to_owned())?;
    count(&record.dealer, book.hand_cards(), || "dealer".to_owned())?;
    distinct(&mut seen, &record.dealer, || "dealer".to_owned())?;
    contradictions::check(book, record)
}

fn distinct(seen: &mut CardSet, cards: &[Card], path: impl Fn() -> String) -> Checked {
    for card in cards {
        if !seen.insert(*card) {
            return Err(RecordError::at(path(), format!("{card} appears twice in the round")));
        }
    }
    Ok(())
}

fn count(cards: &[Card], due: usize, path: impl Fn() -> String) -> Checked {
    if cards.len() == due {
        return Ok(());
    }
    Err(RecordError::at(path(), format!("{} cards, but this game needs {due}", cards.len())))
}

fn check_position(
    book: &Rulebook,
    record: &Record<'_>,
    position: &PositionRecord<'_>,
    at: &impl Fn(&str) -> String,
) -> Checked {
    let wrong = |field: &str, reason: &str| Err(RecordError::at(at(field), reason));
    if position.bonus.is_some() {
        if !book.areas().contains(&PlayingArea::Bonus) {
            return wrong(".bonus", "this game has no Bonus");
        }
        if record.table.limits.bonus.is_none() {
            return Err(RecordError::at("table.limits.bonus", "is missing, but a Bonus was wagered"));
        }
    }
    if !position.cards.is_empty() || position.ante.is_some() {
        count(&position.cards, book.hand_cards(), || at(".cards"))?;
    }
    if position.ante.is_none() {
        let played = position.decision.is_some() || position.declines || !position.cards.is_empty();
        let later = LATER.into_iter().any(|(area, _)| position.later(area).is_some());
        if position.jackpot.is_some() && (played || later) {
            let reason = format!(
                "a position without an Ante has no hand: no cards, no decision ({})",
                book.clause(R5_12_2)
            );
            return wrong(if position.cards.is_empty() { ".decision" } else { ".cards" }, &reason);
        }
        return match (position.jackpot, position.bonus) {
            (Some(_), None) => Ok(()),
            (_, Some(_)) => wrong(".bonus", "a Bonus needs an Ante"),
            (None, None) => wrong("", "a position needs an Ante, or a Jackpot wager without one (5.12.2)"),
        };
    }
    match position.decision {
        None => wrong(".decision", "is missing; it must be \"bet\", \"fold\" or \"absent\""),
        Some(FirstDecision::Bet) => {
            for (area, _) in LATER {
                let field = || format!(".{}", area.name().to_ascii_lowercase());
                match (book.following().contains(&area), position.later(area)) {
                    (true, None) => return wrong(&field(), "is missing; it must be \"bet\" or \"check\""),
                    (false, Some(_)) => return wrong(&field(), "this game has no such decision"),
                    (true, Some(_)) | (false, None) => {}
                }
            }
            Ok(())
        }
        Some(FirstDecision::Fold | FirstDecision::Absent) => {
            let later = LATER.into_iter().any(|(area, _)| position.later(area).is_some());
            if later || position.declines {
                return wrong(
                    ".decision",
                    "a hand that did not bet has no turn, river or comparison to decline",
                );
            }
            Ok(())
        }
    }
}
