//! The questions of a script: about the round, the book, the cards or a meter.

use std::collections::BTreeSet;

use cards::{Card, CardSet, HandRank};
use jackpot::enter_round;
use money::{Pool, Rate};
use round::{Choice, Claim, Permission, Place, Settlement, WagerEffect, comparison_rule, guide, order_rule};
use rulebook::{R2_1, R2_2_2, Rule, Rulebook};

use super::answer::Answer;
use super::session::Session;
use super::{commands, events, words};

/// Answers a question, or `None` if the word is not a question.
pub(super) fn ask(session: &mut Session, word: &str, rest: &str) -> Result<Option<Answer>, String> {
    let answer = match word {
        "stage" => Answer::plain(events::stage(session.now.round.stage())),
        "end" => end(session, rest)?,
        "claims" => Answer::joined(settlement(session)?.claims.iter().map(claim).collect(), "none"),
        "order" => order(session),
        "areas" => areas(&session.book),
        "deck" => deck(),
        "layout" => layout(&session.book, rest)?,
        "methods" => methods(&session.book),
        "rank" => rank(rest)?,
        "compare" => compare(rest)?,
        "guide" => guided(session, rest)?,
        "warned" => warned(session),
        "meter" => set_meter(session, rest)?,
        "enter" => enter(session)?,
        _ => return Ok(None),
    };
    Ok(Some(answer))
}

fn settlement(session: &Session) -> Result<&Settlement, String> {
    session.now.round.settlement().ok_or_else(|| "the round is not settled".to_owned())
}

/// The outcome of a wager, by owner if several Players share it.
fn end(session: &Session, rest: &str) -> Result<Answer, String> {
    let settlement = settlement(session)?;
    let (position, area) = commands::position_and_area(&session.book, rest)?;
    let lines = settlement.lines.iter().filter(|line| line.position == position && line.area == area);
    let lines: Vec<_> = lines.collect();
    let several = 1 < lines.len();
    let ends = lines.into_iter().map(|line| {
        let mut end = events::end(line, settlement);
        if several {
            end.text = format!("{} {}", line.owner, end.text);
        }
        end
    });
    Ok(Answer::joined(ends.collect(), "no wager"))
}

pub(super) fn claim(claim: &Claim) -> Answer {
    let text = format!("P{} {} {} of the meter", claim.position.0, claim.hand, claim.percent);
    Answer::citing(&text, &[claim.rule])
}

/// The dealing order, card by card. Cards dealt after the decisions follow a vertical bar.
fn order(session: &Session) -> Answer {
    let method = &session.book.methods[session.method];
    let waits = Rulebook::dealer_waits(method);
    let mut piles: Vec<(String, usize)> = Vec::new();
    let round = &session.now.round;
    for place in round.deal_order() {
        let mut pile = match place {
            Place::Player(position, _) => format!("P{}", position.0),
            Place::Community(_) => "board".to_owned(),
            Place::Dealer(_) if waits => "| dealer".to_owned(),
            Place::Dealer(_) => "dealer".to_owned(),
        };
        if round.is_over_security_card(*place) {
            pile.push_str("/security");
        }
        match piles.last_mut() {
            Some((last, count)) if *last == pile => *count += 1,
            _ => piles.push((pile, 1)),
        }
    }
    let times = |(pile, count): &(String, usize)| {
        if *count == 1 { pile.clone() } else { format!("{pile}*{count}") }
    };
    Answer::citing(&piles.iter().map(times).collect::<Vec<_>>().join(" "), &[method.rule])
}

/// The cards that can be dealt.
fn deck() -> Answer {
    let cards: Vec<Card> = CardSet::FULL.iter().collect();
    let ranks: BTreeSet<char> = cards.iter().map(|card| card.rank().letter()).collect();
    let suits: BTreeSet<char> = cards.iter().map(|card| card.suit().letter()).collect();
    let text = format!("{} different cards, {} ranks, {} suits", cards.len(), ranks.len(), suits.len());
    Answer::citing(&text, &[R2_1])
}

fn areas(book: &Rulebook) -> Answer {
    let names: Vec<&str> = book.areas().iter().map(|area| area.name()).collect();
    Answer::citing(&names.join(" "), &[R2_2_2])
}

fn layout(book: &Rulebook, rest: &str) -> Result<Answer, String> {
    let found = book.layouts.iter().find(|layout| layout.letter.to_string() == rest);
    let layout = found.ok_or_else(|| format!("there is no layout {rest}"))?;
    let text = format!("{} to {} positions", layout.positions.start(), layout.positions.end());
    Ok(Answer::citing(&text, &[layout.appendix]))
}

/// The dealing methods, each with its own rule and the rule of its device.
fn methods(book: &Rulebook) -> Answer {
    let method = |method: &rulebook::Method| {
        let rules: &[Rule] = &[Rulebook::device_rule(method.device), method.rule];
        Answer::citing(&method.name, rules)
    };
    Answer::joined(book.methods.iter().map(method).collect(), "none")
}

fn rank(rest: &str) -> Result<Answer, String> {
    let order = HandRank::best_of(&words::cards(rest)?).order();
    Ok(Answer::citing(&order.to_string(), &[order_rule(order)]))
}

fn compare(rest: &str) -> Result<Answer, String> {
    let (one, other) = rest.split_once(" v ").ok_or("write: compare CARDS v CARDS")?;
    let (one, other) = (HandRank::best_of(&words::cards(one)?), HandRank::best_of(&words::cards(other)?));
    let text = match one.cmp(&other) {
        std::cmp::Ordering::Greater => "the first",
        std::cmp::Ordering::Less => "the second",
        std::cmp::Ordering::Equal => "stand-off",
    };
    Ok(Answer::citing(text, &[comparison_rule(one, other)]))
}

/// The choices of guided handling: the command, who may give it, and which wagers it would return.
fn guided(session: &Session, rest: &str) -> Result<Answer, String> {
    let irregularity = commands::guided_irregularity(rest)?;
    match guide(&session.now.round, &irregularity) {
        Ok(choices) => {
            if let Some(foreign) = choices.iter().find(|choice| choice.clause.book != session.book.citation) {
                return Err(format!("{:?} cites another book", foreign.clause));
            }
            Ok(Answer::joined(choices.iter().map(choice).collect(), "nothing"))
        }
        Err(refusal) => Ok(events::refused(&refusal)),
    }
}

fn choice(choice: &Choice) -> Answer {
    let who = match &choice.who {
        Permission::Staff(office, _) => office.to_string(),
        Permission::Owner(player) => player.to_string(),
        Permission::Holder(position, _) => format!("P{}", position.0),
    };
    let named = |verb: &str, ends: fn(&WagerEffect) -> bool| {
        let wagers = choice.wagers.iter().filter(|wager| ends(wager));
        let names: Vec<String> =
            wagers.map(|wager| format!("P{} {}", wager.position.0, wager.area)).collect();
        (!names.is_empty()).then(|| format!("{verb} {}", names.join(", ")))
    };
    let returns = named("returns", |wager| wager.returned_under.is_some());
    let loses = named("loses", |wager| wager.collected_under.is_some());
    let ends: Vec<String> = returns.into_iter().chain(loses).collect();
    let effect = if ends.is_empty() { "all stand".to_owned() } else { ends.join(" and ") };
    let mut rules = vec![choice.clause.rule];
    rules.extend(choice.wagers.iter().filter_map(|wager| wager.returned_under.or(wager.collected_under)));
    Answer::citing(&format!("{} by {who}: {effect}", commands::text(&choice.command)), &rules)
}

fn warned(session: &Session) -> Answer {
    let names: Vec<&str> = session.now.round.memory().warned.iter().map(round::PlayerId::name).collect();
    Answer::plain(if names.is_empty() { "none".to_owned() } else { names.join(" ") })
}

/// `100000 reset 50000 rate 100`.
fn set_meter(session: &mut Session, rest: &str) -> Result<Answer, String> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let after =
        |name: &str| words.iter().position(|word| *word == name).and_then(|place| words.get(place + 1));
    let pool = words.first().ok_or("write: meter AMOUNT reset AMOUNT")?;
    session.meter.pool = Pool::try_from(words::money(pool)?).map_err(|error| error.to_string())?;
    if let Some(reset) = after("reset") {
        session.meter.reset = words::money(reset)?;
    }
    if let Some(rate) = after("rate") {
        let points = rate.parse().map_err(|_| format!("{rate:?} is not a rate"))?;
        session.meter.rate = Rate::from_basis_points(points)?;
    }
    Ok(Answer::plain(""))
}

/// Enters the whole round into the meter: its contributions, then its claims.
fn enter(session: &mut Session) -> Result<Answer, String> {
    let settlement = settlement(session)?.clone();
    let meter = session.meter;
    let wagers = settlement.jackpot_wagers().map(|(_, wager)| Pool::contribution(wager, meter.rate));
    let contributed = wagers.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
    let sum = contributed.into_iter().try_fold(Pool::ZERO, Pool::plus).map_err(|error| error.to_string())?;
    let claims = settlement.claims.iter().map(|claim| jackpot::Claim {
        position: claim.position,
        hand: claim.hand,
        percent: claim.percent,
        rule: claim.rule,
    });
    let claims: Vec<jackpot::Claim> = claims.collect();
    let awards = enter_round(meter.pool, meter.reset, sum, &session.book.jackpot.sharing, &claims);
    let awards = awards.map_err(|error| error.to_string())?;
    let mut answers: Vec<Answer> = awards.shares.iter().map(award).collect();
    answers.push(Answer::plain(format!("meter {}", awards.meter.displayed())));
    session.meter.pool = awards.meter;
    Ok(Answer::joined(answers, "nothing"))
}

fn award(share: &jackpot::Share) -> Answer {
    Answer::citing(&format!("P{} {} {}", share.position.0, share.hand, share.amount), &[share.rule])
}
