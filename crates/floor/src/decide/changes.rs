//! What a proposal would change: every value as it is and as it would be, for whoever signs second and for the log.

use std::fmt::Display;

use jackpot::{Account, Parameters, Post};
use journal::{Change, Hash, HouseLimits, JackpotCheck, JackpotFigures, Moment, Proposal};
use money::{Money, Rate};
use rulebook::Limits;

use super::Decider;
use super::rules::edge_in_words;
use crate::view::local_date_and_time;

/// What stands where there is nothing.
pub(super) const NONE: &str = "none";

impl Decider<'_> {
    /// Every value that a proposal would change. Nothing where it changes no value, or is about something that is not there.
    pub(super) fn changes_of(&self, proposal: &Proposal) -> Vec<Change> {
        match proposal {
            Proposal::Reconfigure { link, settings, from, check } => {
                let Ok(desk) = self.link(link) else { return Vec::new() };
                let present = from.map_or_else(|| desk.coming_settings(), |from| desk.settings_at(from));
                let mut changes = changed(&figures(present.parameters()), &figures(settings.parameters()));
                changes.extend(check.iter().flat_map(of_jackpot));
                changes.extend(from.map(hour));
                changes
            }
            Proposal::OpenLink { settings, opening, books, .. } => {
                let terms = [("meter", opening.displayed().to_string()), ("rulebooks", books.join(", "))];
                let all = terms.into_iter().chain(figures(settings)).filter(|(_, to)| to != NONE);
                all.map(|(what, to)| change(what, NONE, to)).collect()
            }
            Proposal::AdjustMeter { link, cause, amount, .. } => {
                let Ok(desk) = self.link(link) else { return Vec::new() };
                let meter = desk.link().meter();
                let is_raised = cause.movement().target() == Account::Meter;
                let after = if is_raised { meter.plus(*amount).ok() } else { meter.minus(*amount) };
                let to = after.map_or_else(|| NONE.to_owned(), |after| after.displayed().to_string());
                vec![change("meter", meter.displayed(), to)]
            }
            Proposal::RuleOnAward { link, award, amount, .. } => {
                let award = self.link(link).ok().and_then(|desk| desk.link().award(*award));
                award.map(|award| change("amount", award.amount, amount)).into_iter().collect()
            }
            Proposal::Appoint { person, office, department } => {
                let held = self.house().post(person);
                let from = held.map_or_else(|| NONE.to_owned(), |post| post.to_string());
                vec![change("office", from, Post::new(*department, *office))]
            }
            Proposal::AppointActing { person, office, from, until } => {
                let held = self.house().post(person);
                let from_office = held.map_or_else(|| NONE.to_owned(), |post| post.to_string());
                vec![
                    change("office", from_office, format_args!("acting {office}")),
                    change("from", NONE, local_date_and_time(*from)),
                    change("until", NONE, local_date_and_time(*until)),
                ]
            }
            Proposal::Dismiss { person } => {
                let held = self.house().post(person);
                held.map(|post| change("office", post, NONE)).into_iter().collect()
            }
            Proposal::ChangeTableLimits { table, limits, from } => match self.table(table) {
                Ok(table) => {
                    let present = table.limits_at(from.unwrap_or(self.ground.now()));
                    let mut changes = changed(&wagers(present), &wagers(limits));
                    changes.extend(from.map(hour));
                    changes
                }
                Err(_) => Vec::new(),
            },
            Proposal::ChangeSigningKey { key } => match self.house().key() {
                Some(now) => vec![change("signing key", Hash(now), key)],
                None => Vec::new(),
            },
            Proposal::ChangeHouseLimits { limits } => {
                changed(&of_house(self.house().limits()), &of_house(limits))
            }
            Proposal::CloseLink { link } => {
                let Ok(desk) = self.link(link) else { return Vec::new() };
                let held = desk.link().balances();
                let held = [("meter", held.meter), ("reserve", held.reserve), ("overflow", held.overflow)];
                held.map(|(what, from)| change(what, from.displayed(), Money::ZERO)).into()
            }
            Proposal::ChangeRules { change } => self.changes_of_rules(change),
            Proposal::RejectAward { .. }
            | Proposal::SignDay { .. }
            | Proposal::ClearFault { .. }
            | Proposal::AnnounceClosing { .. }
            | Proposal::OpenTable { .. }
            | Proposal::ReleaseAward { .. }
            | Proposal::UndoRound { .. }
            | Proposal::Rule { .. }
            | Proposal::SettleRound { .. }
            | Proposal::InviteStaff { .. }
            | Proposal::RemoveSecondFactor { .. }
            | Proposal::BuyIn { .. }
            | Proposal::CashOut { .. } => Vec::new(),
        }
    }
}

pub(super) fn change(what: &str, from: impl Display, to: impl Display) -> Change {
    Change { what: what.to_owned(), from: from.to_string(), to: to.to_string() }
}

/// The values that are not the same, of two lists with the same names.
fn changed(from: &[(&str, String)], to: &[(&str, String)]) -> Vec<Change> {
    let pairs = from.iter().zip(to).filter(|((_, from), (_, to))| from != to);
    pairs.map(|((what, from), (_, to))| change(what, from, to)).collect()
}

/// The hour that a change holds from.
pub(super) fn hour(from: Moment) -> Change {
    change("holds from", NONE, local_date_and_time(from))
}

/// What the lab says of the Jackpot wager under a book.
fn of_jackpot(check: &JackpotCheck) -> Vec<Change> {
    let JackpotCheck { rulebook, before, after, uncounted } = check;
    if let Some(uncounted) = uncounted {
        return vec![change(&format!("Jackpot under {rulebook}"), NONE, uncounted)];
    }
    let shown = |figures: &Option<JackpotFigures>| -> [String; 2] {
        let none = || "not counted".to_owned();
        let hold = figures.map_or_else(none, |figures| edge_in_words(figures.hold));
        let meter = figures.and_then(|figures| figures.break_even).map(Money::from_cents);
        [hold, meter.map_or_else(none, |meter| meter.to_string())]
    };
    let names =
        [format!("hold on the Jackpot under {rulebook}"), format!("break-even meter under {rulebook}")];
    let pairs = names.iter().zip(shown(before).into_iter().zip(shown(after)));
    pairs.map(|(what, (from, to))| change(what, from, to)).collect()
}

fn or_none(value: Option<impl Display>) -> String {
    value.map_or_else(|| NONE.to_owned(), |value| value.to_string())
}

/// The figures of a link, by name.
fn figures(parameters: &Parameters) -> Vec<(&'static str, String)> {
    let Parameters { minimum_wager, contribution, reserve, reset, cap, round_contribution_max } = parameters;
    vec![
        ("minimum wager", minimum_wager.to_string()),
        ("contribution", percent(*contribution)),
        ("reserve", or_none(reserve.map(percent))),
        ("reset amount", reset.to_string()),
        ("cap", or_none(*cap)),
        ("most a round contributes", round_contribution_max.displayed().to_string()),
    ]
}

/// A rate in percent.
fn percent(rate: Rate) -> String {
    let points = u64::from(rate);
    format!("{}.{:02}%", points / 100, points % 100)
}

/// The smallest and largest wagers of a table, by area.
fn wagers(limits: &Limits) -> Vec<(&'static str, String)> {
    let range = |least: &Money, most: &Money| format!("{least} to {most}");
    let bonus = limits.bonus.as_ref().map(|bonus| range(bonus.start(), bonus.end()));
    vec![("Ante", range(limits.ante.start(), limits.ante.end())), ("Bonus", or_none(bonus))]
}

/// The limits of the house, by name.
fn of_house(limits: &HouseLimits) -> Vec<(&'static str, String)> {
    let HouseLimits { cash, cash_per_day, cash_max, ruling, wager, .. } = limits;
    let HouseLimits { independence_days, waiting_hours, proposal_days, fixed_prize, .. } = limits;
    vec![
        ("cash at once", cash.to_string()),
        ("cash of one Player on one day", cash_per_day.to_string()),
        ("cash with two signatures", cash_max.to_string()),
        ("rulings of a round", ruling.to_string()),
        ("largest wager", wager.to_string()),
        ("days until people who made each other sign together", independence_days.to_string()),
        ("hours until a new person signs for money", waiting_hours.to_string()),
        ("days until a proposal expires", proposal_days.to_string()),
        ("fixed prize that two sign for", fixed_prize.to_string()),
    ]
}
