//! The stored form of transfers: `[["wager","wallet/anna","table/7",25000000]]`, the empty text for none.
//!
//! An entry's hash covers the text written from its transfers, so each list has exactly one valid text: anything
//! else, even an extra space, is refused.

use std::borrow::Cow;
use std::fmt::Write as _;

use jackpot::Movement;
use serde::Deserialize;

use super::{FormError, JSON};
use crate::ledger::{Account, Amount, Code, Transfer};

/// The name of the form in errors.
const KIND: &str = "transfers";

/// Transfers as they are stored and hashed; the empty text if there are none. Written by hand, because every entry that is
/// read is held against it.
pub fn transfers_text(transfers: &[Transfer]) -> String {
    let mut text = String::new();
    if transfers.is_empty() {
        return text;
    }
    text.reserve(TRANSFER_LENGTH.saturating_mul(transfers.len()));
    for (number, Transfer { code, from, to, amount }) in transfers.iter().enumerate() {
        text.push_str(if number == 0 { "[[\"" } else { "],[\"" });
        text.push_str(code_text(*code));
        text.push_str("\",");
        put_name(&mut text, from);
        text.push(',');
        put_name(&mut text, to);
        write!(text, ",{}", amount.0).expect("a string takes everything");
    }
    text.push_str("]]");
    text
}

/// As long as most transfers are.
const TRANSFER_LENGTH: usize = 64;

/// Writes an account as JSON.
fn put_name(text: &mut String, account: &Account) {
    text.push('"');
    let start = text.len();
    write!(text, "{account}").expect("a string takes everything");
    let name = text.get(start..).unwrap_or_default();
    if name.bytes().any(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
        let escaped = serde_json::to_string(name).expect(JSON);
        text.truncate(start.saturating_sub(1));
        text.push_str(&escaped);
    } else {
        text.push('"');
    }
}

/// Reads transfers from their stored text.
pub fn transfers_from_text(text: &str) -> Result<Vec<Transfer>, FormError> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let wrong = |what: &dyn ToString| FormError { kind: KIND.to_owned(), what: what.to_string() };
    let quadruples: Vec<(Text<'_>, Text<'_>, Text<'_>, i64)> =
        serde_json::from_str(text).map_err(|error| wrong(&error))?;
    let mut transfers = Vec::with_capacity(quadruples.len());
    for (code, from, to, amount) in &quadruples {
        let code = code_from_text(&code.0).ok_or_else(|| wrong(&format!("{:?} is not a code", code.0)))?;
        let account = |name: &str| name.parse::<Account>().map_err(|error| wrong(&error));
        if *amount < 1 {
            return Err(wrong(&format!("{amount} is not an amount that can move")));
        }
        transfers.push(Transfer {
            code,
            from: account(&from.0)?,
            to: account(&to.0)?,
            amount: Amount(*amount),
        });
    }
    if transfers_text(&transfers) != text {
        return Err(wrong(&"the text differs from the one written for these transfers"));
    }
    Ok(transfers)
}

/// A name, borrowed from the stored text unless it contains escapes.
#[derive(Deserialize)]
#[serde(transparent)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// Declares the codes with their texts, for writing and reading.
macro_rules! codes {
    ($($code:ident = $text:literal,)* ; $($movement:ident = $of_link:literal,)*) => {
        /// A code as stored, such as `wager` or `link.award`.
        pub const fn code_text(code: Code) -> &'static str {
            match code {
                $(Code::$code => $text,)*
                $(Code::Link(Movement::$movement) => $of_link,)*
            }
        }

        /// The code of a stored text.
        fn code_from_text(text: &str) -> Option<Code> {
            match text {
                $($text => Some(Code::$code),)*
                $($of_link => Some(Code::Link(Movement::$movement)),)*
                _ => None,
            }
        }
    };
}

codes! {
    BuyIn = "buy-in",
    CashOut = "cash-out",
    Grant = "grant",
    GrantEnded = "grant-ended",
    Wager = "wager",
    TakenBack = "taken-back",
    Returned = "returned",
    Collected = "collected",
    Paid = "paid",
    Corrected = "corrected",
    Lent = "lent",
    Repaid = "repaid",
    Opening = "opening",
    ;
    Contribution = "link.contribution",
    ContributionOverCap = "link.contribution-over-cap",
    ContributionToReserve = "link.contribution-to-reserve",
    ContributionReversed = "link.contribution-reversed",
    OverCapReversed = "link.over-cap-reversed",
    ReserveReversed = "link.reserve-reversed",
    ReversalShortfall = "link.reversal-shortfall",
    ResetByHouse = "link.reset-by-house",
    ResetByReserve = "link.reset-by-reserve",
    ResetBackToHouse = "link.reset-back-to-house",
    ResetBackToReserve = "link.reset-back-to-reserve",
    Award = "link.award",
    AwardRestored = "link.award-restored",
    AwardRaised = "link.award-raised",
    AwardLowered = "link.award-lowered",
    AwardPaid = "link.award-paid",
    MeterRaised = "link.meter-raised",
    MeterLowered = "link.meter-lowered",
    CapEnforced = "link.cap-enforced",
    OverflowReleased = "link.overflow-released",
    ReserveTransferred = "link.reserve-transferred",
    SeedRecovered = "link.seed-recovered",
    ResetByOverflow = "link.reset-by-overflow",
    ResetBackToOverflow = "link.reset-back-to-overflow",
    MeterMovedOut = "link.meter-moved-out",
    ReserveMovedOut = "link.reserve-moved-out",
    OverflowMovedOut = "link.overflow-moved-out",
    MovedIn = "link.moved-in",
    MovedInOverCap = "link.moved-in-over-cap",
}
