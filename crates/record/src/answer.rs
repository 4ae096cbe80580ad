//! The answer to a record, and its JSON. The JSON is written by hand, because writing takes a quarter of a batch's
//! time.

use cards::HandOrder;
use money::Money;
use rulebook::{ByArea, PlayingArea, Rule};

/// A settled record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<'a> {
    /// The record's id.
    pub id: &'a str,
    /// `settled` or `void`.
    pub round: &'static str,
    /// Every position of the record.
    pub positions: Vec<PositionAnswer>,
    /// The jackpot after the round.
    pub jackpot: JackpotAnswer,
    /// Players with a wager under the minimum for the first time. From the next round on, such wagers are returned
    /// (5.13).
    pub warned: Vec<String>,
}

/// A settled position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionAnswer {
    pub position: u8,
    pub areas: Areas,
    /// The amount paid minus the amount collected.
    pub net: i64,
}

/// The wagers of a position, by area.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Areas(ByArea<Option<AreaAnswer>>);

/// A settled wager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AreaAnswer {
    /// The amount wagered.
    pub staked: Money,
    /// The amount paid on top.
    pub paid: Money,
    /// The part of the stake that is returned.
    pub returned: Money,
    /// The part of the stake that the house collects.
    pub collected: Money,
    /// `paid`, `collected`, `stand-off` or `returned`.
    pub outcome: &'static str,
    /// The rule that decided it.
    pub clause: Rule,
    /// The rule on limits, if the wager was outside them.
    pub limit_clause: Option<Rule>,
    /// Each Player's part, if the record gives the shares of the wager.
    pub shares: Vec<ShareAnswer>,
}

/// One Player's part of a settled wager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareAnswer {
    pub player: String,
    /// The same as of a whole wager; it has no shares itself.
    pub settled: AreaAnswer,
}

/// The jackpot after a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JackpotAnswer {
    /// What the round's wagers added, in ten-thousandths of a cent.
    pub contributed: u64,
    /// The percentage awards, in the order paid.
    pub awards: Vec<AwardAnswer>,
    /// The displayed amount, in cents.
    pub meter: Money,
    /// The rest of the meter, in ten-thousandths of a cent.
    pub fraction: u16,
}

/// A percentage award.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AwardAnswer {
    pub position: u8,
    pub hand: HandOrder,
    pub amount: Money,
    /// The rule behind the award.
    pub clause: Rule,
}

impl Areas {
    /// The wagers, in the Dealer's order.
    pub fn iter(&self) -> impl Iterator<Item = (PlayingArea, &AreaAnswer)> {
        self.0.iter().filter_map(|(area, answer)| Some((area, answer.as_ref()?)))
    }

    pub(crate) fn take(&mut self, area: PlayingArea) -> Option<AreaAnswer> {
        self.0[area].take()
    }

    pub(crate) fn set(&mut self, area: PlayingArea, answer: AreaAnswer) {
        self.0[area] = Some(answer);
    }
}

impl Answer<'_> {
    /// Appends the answer as one JSON object.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"id\":");
        text(out, self.id);
        out.extend_from_slice(b",\"round\":\"");
        out.extend_from_slice(self.round.as_bytes());
        out.extend_from_slice(b"\",\"positions\":[");
        list(out, &self.positions, |out, position| position.write_json(out));
        out.extend_from_slice(b"],\"jackpot\":");
        self.jackpot.write_json(out);
        if !self.warned.is_empty() {
            out.extend_from_slice(b",\"warned\":[");
            list(out, &self.warned, |out, player| text(out, player));
            out.push(b']');
        }
        out.push(b'}');
    }
}

impl PositionAnswer {
    fn write_json(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"position\":");
        number(out, self.position.into());
        out.extend_from_slice(b",\"areas\":{");
        for (place, (area, answer)) in self.areas.iter().enumerate() {
            if place != 0 {
                out.push(b',');
            }
            out.push(b'"');
            let name = out.len();
            out.extend_from_slice(area.name().as_bytes());
            out[name..].make_ascii_lowercase();
            out.extend_from_slice(b"\":");
            answer.write_json(out);
        }
        out.extend_from_slice(b"},\"net\":");
        if self.net < 0 {
            out.push(b'-');
        }
        number(out, self.net.unsigned_abs());
        out.push(b'}');
    }
}

impl AreaAnswer {
    fn write_json(&self, out: &mut Vec<u8>) {
        out.push(b'{');
        self.write_fields(out);
        if !self.shares.is_empty() {
            out.extend_from_slice(b",\"shares\":[");
            list(out, &self.shares, |out, share| {
                out.extend_from_slice(b"{\"player\":");
                text(out, &share.player);
                out.push(b',');
                share.settled.write_fields(out);
                out.push(b'}');
            });
            out.push(b']');
        }
        out.push(b'}');
    }

    fn write_fields(&self, out: &mut Vec<u8>) {
        let amounts = [
            (&b"\"staked\":"[..], self.staked),
            (b",\"paid\":", self.paid),
            (b",\"returned\":", self.returned),
            (b",\"collected\":", self.collected),
        ];
        for (name, amount) in amounts {
            out.extend_from_slice(name);
            number(out, amount.cents());
        }
        out.extend_from_slice(b",\"outcome\":\"");
        out.extend_from_slice(self.outcome.as_bytes());
        out.extend_from_slice(b"\",\"clause\":\"");
        self.clause.write(out);
        if let Some(rule) = self.limit_clause {
            out.extend_from_slice(b"\",\"limit_clause\":\"");
            rule.write(out);
        }
        out.push(b'"');
    }
}

impl JackpotAnswer {
    fn write_json(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"contributed\":");
        number(out, self.contributed);
        out.extend_from_slice(b",\"awards\":[");
        list(out, &self.awards, |out, award| award.write_json(out));
        out.extend_from_slice(b"],\"meter\":");
        number(out, self.meter.cents());
        out.extend_from_slice(b",\"fraction\":");
        number(out, self.fraction.into());
        out.push(b'}');
    }
}

impl AwardAnswer {
    fn write_json(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"position\":");
        number(out, self.position.into());
        out.extend_from_slice(b",\"hand\":\"");
        out.extend_from_slice(self.hand.name().as_bytes());
        out.extend_from_slice(b"\",\"amount\":");
        number(out, self.amount.cents());
        out.extend_from_slice(b",\"clause\":\"");
        self.clause.write(out);
        out.extend_from_slice(b"\"}");
    }
}

/// Writes items separated by commas.
fn list<T>(out: &mut Vec<u8>, items: &[T], write: impl Fn(&mut Vec<u8>, &T)) {
    for (place, item) in items.iter().enumerate() {
        if place != 0 {
            out.push(b',');
        }
        write(out, item);
    }
}

/// Writes a string with quotes and escapes.
fn text(out: &mut Vec<u8>, text: &str) {
    serde_json::to_writer(out, text).expect("writing text to memory does not fail");
}

/// Writes a whole number in digits.
fn number(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}
