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
    let timed = record.is_timed();
    count(&record.community, book.community_cards(), timed, || "community".to_owned())?;
    distinct(&mut seen, &record.community, || "community".to_owned())?;
    count(&record.dealer, book.hand_cards(), timed, || "dealer".to_owned())?;
    distinct(&mut seen, &record.dealer, || "dealer".to_owned())?;
    check_layout(book, record)?;
    contradictions::check(book, record)
}

/// A record may name its layout, which must then have so many positions.
fn check_layout(book: &Rulebook, record: &Record<'_>) -> Checked {
    let Some(letter) = record.table.layout else { return Ok(()) };
    let Some(layout) = book.layouts.iter().find(|layout| layout.letter == letter) else {
        return Err(RecordError::at("table.layout", format!("this rulebook has no layout {letter:?}")));
    };
    if layout.positions.contains(&record.table.positions) {
        return Ok(());
    }
    let (positions, clause) = (record.table.positions, book.clause(layout.appendix));
    Err(RecordError::at("table.layout", format!("it does not have {positions} positions ({clause})")))
}

fn distinct(seen: &mut CardSet, cards: &[Option<Card>], path: impl Fn() -> String) -> Checked {
    for card in cards.iter().flatten() {
        if !seen.insert(*card) {
            return Err(RecordError::at(path(), format!("{card} appears twice in the round")));
        }
    }
    Ok(())
}

/// In a record that says when something happened, cards may be missing altogether: they were never dealt.
fn count(cards: &[Option<Card>], due: usize, timed: bool, path: impl Fn() -> String) -> Checked {
    if cards.len() == due || timed && cards.is_empty() {
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
    if !position.shares.is_empty() {
        check_shares(position, at)?;
    }
    if position.bonus.is_some() || position.shares.iter().any(|share| share.bonus.is_some()) {
        if !book.areas().contains(&PlayingArea::Bonus) {
            return wrong(".bonus", "this game has no Bonus");
        }
        if record.table.limits.bonus.is_none() {
            return Err(RecordError::at("table.limits.bonus", "is missing, but a Bonus was wagered"));
        }
    }
    if !position.cards.is_empty() || position.has_hand() {
        count(&position.cards, book.hand_cards(), record.is_timed(), || at(".cards"))?;
    }
    if !position.has_hand() {
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
        None if record.is_timed() => Ok(()),
        None => wrong(".decision", "is missing; it must be \"bet\", \"fold\" or \"absent\""),
        Some(FirstDecision::Bet) => {
            for (area, _) in LATER {
                let field = || format!(".{}", area.name().to_ascii_lowercase());
                match (book.following().contains(&area), position.later(area)) {
                    (true, None) if record.is_timed() => {}
                    (true, None) => return wrong(&field(), "is missing; it must be \"bet\" or \"check\""),
                    (false, Some(_)) => return wrong(&field(), "this game has no such decision"),
                    (true, Some(_)) | (false, None) => {}
                }
            }
            Ok(())
        }
        Some(FirstDecision::Fold | FirstDecision::Absent | FirstDecision::Silent) => {
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

/// Shares stand in place of the position's own `ante` and `bonus`, and each is a wager.
fn check_shares(position: &PositionRecord<'_>, at: &impl Fn(&str) -> String) -> Checked {
    if position.ante.is_some() || position.bonus.is_some() {
        let reason = "give either `ante` and `bonus`, or `shares` with those of every Player";
        return Err(RecordError::at(at(".shares"), reason));
    }
    let empty = position.shares.iter().position(|share| share.ante.is_none() && share.bonus.is_none());
    match empty {
        None => Ok(()),
        Some(place) => {
            Err(RecordError::at(at(&format!(".shares[{place}]")), "a share is an Ante or a Bonus"))
        }
    }
}
