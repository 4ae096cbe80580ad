//! Events, refusals and outcomes of wagers as text for a script.

use cards::Card;
use round::{
    CardFault, Decision, Event, Exposure, Line, Move, Outcome, PlayerId, Refusal, Settlement, Stage,
};
use rulebook::{Means, Position, Rule};

use super::answer::Answer;
use super::words::{place_text, spelled};

pub(super) fn refused(refusal: &Refusal) -> Answer {
    let text = format!("refused {:?}", refusal.reason);
    Answer { refused: true, ..Answer::citing(&text, &[refusal.clause.rule]) }
}

/// An event with the rule it cites.
pub(super) fn event(event: &Event) -> Answer {
    if let Event::Settled { settlement } = event {
        return settled(settlement);
    }
    let rules: Vec<Rule> = event.rule().into_iter().collect();
    Answer::citing(&event_text(event), &rules)
}

/// A settlement is a single word. A script asks for its lines one by one, but all its rules count as cited.
fn settled(settlement: &Settlement) -> Answer {
    let lines = settlement.lines.iter().map(|line| {
        let end = end(line, settlement);
        (format!("P{} {} of {}: {}", line.position.0, line.area, line.owner, end.text), end.rules)
    });
    let (mut details, rules): (Vec<String>, Vec<Vec<Rule>>) = lines.unzip();
    details.extend(settlement.claims.iter().map(|claim| super::queries::claim(claim).text));
    let mut rules = rules.concat();
    rules.extend(settlement.claims.iter().map(|claim| claim.rule));
    Answer { text: "settled".to_owned(), details, rules, refused: false }
}

/// The outcome of a wager.
pub(super) fn end(line: &Line, settlement: &Settlement) -> Answer {
    let back = if line.returned.is_zero() { String::new() } else { format!(", {} back", line.returned) };
    let text = match line.outcome {
        Outcome::Paid(odds) => format!("paid {} at {odds}", line.paid),
        Outcome::Won => won(line, settlement),
        Outcome::Collected => format!("collected {}{back}", line.collected),
        Outcome::StandOff => format!("stand-off {}", line.returned),
        Outcome::Returned => format!("returned {}", line.returned),
    };
    let rules: Vec<Rule> = [Some(line.rule), line.odds_rule, line.limit_rule].into_iter().flatten().collect();
    Answer::citing(&text, &rules)
}

/// What a Jackpot wager won: an amount, a percentage of the meter, or both.
fn won(line: &Line, settlement: &Settlement) -> String {
    let claims = settlement.claims.iter().filter(|claim| claim.position == line.position);
    let mut parts: Vec<String> = claims.map(|claim| claim.percent.to_string()).collect();
    if !line.paid.is_zero() {
        parts.push(line.paid.to_string());
    }
    format!("won {}", parts.join(" and "))
}

pub(super) fn stage(stage: Stage) -> String {
    match stage {
        Stage::BeforeBets => "before bets".to_owned(),
        Stage::BetsOpen => "bets open".to_owned(),
        Stage::Dealing => "dealing".to_owned(),
        Stage::Deciding(area) => format!("deciding {area}"),
        Stage::Exposing(what) => format!("exposing {}", exposure(what)),
        Stage::Showing => "showing".to_owned(),
        Stage::Settling => "settling".to_owned(),
        Stage::Concluded => "concluded".to_owned(),
        Stage::Void => "void".to_owned(),
        Stage::Closed => "closed".to_owned(),
    }
}

const fn exposure(what: Exposure) -> &'static str {
    match what {
        Exposure::UpCard => "up card",
        Exposure::FlopCards => "flop cards",
        Exposure::TurnCard => "turn card",
        Exposure::RiverCard => "river card",
        Exposure::DealerHand => "dealer's hand",
    }
}

pub(super) const fn fault(fault: CardFault) -> &'static str {
    match fault {
        CardFault::Extra => "extra",
        CardFault::Missing => "missing",
        CardFault::Foreign => "foreign",
        CardFault::Unshuffled => "unshuffled",
    }
}

fn event_text(event: &Event) -> String {
    match event {
        Event::PlayerInformed { player } => format!("{player} informed"),
        Event::PositionTaken { position, player } => format!("{player} at {}", at(*position)),
        Event::PositionLeft { position } => format!("{} left", at(*position)),
        Event::BetsOpened => "bets open".to_owned(),
        Event::WagerPlaced { position, area, owner, amount, means, .. } => {
            let chips = if *means == Means::Chips { " in chips" } else { "" };
            format!("wager {} {area} {amount}{}{chips}", at(*position), by(*position, owner))
        }
        Event::WagerTakenBack { position, area, owner, rule } => {
            let how = if rule.is_some() { "returned" } else { "taken back" };
            format!("{} {area} {how}{}", at(*position), by(*position, owner))
        }
        Event::LateRemovalIgnored { position, area, owner, .. } => {
            format!("{} {area} late removal ignored{}", at(*position), by(*position, owner))
        }
        Event::BetsClosed => "bets closed".to_owned(),
        Event::JackpotWagerInvalid { position, .. } => format!("{} Jackpot invalid", at(*position)),
        Event::CardDealt { place, card } => {
            format!(
                "{} {}",
                place_text(*place),
                card.map_or_else(|| "?".to_owned(), |card: Card| card.to_string())
            )
        }
        Event::CardRead { place, card } => format!("{} is {card}", place_text(*place)),
        Event::Exposed { what } => format!("exposed {}", exposure(*what)),
        Event::HandViewed { position } => format!("{} viewed", at(*position)),
        Event::Decided { position, area, decision, .. } => match decision {
            Decision::Fold => format!("{} folds", at(*position)),
            Decision::Wager => format!("{} wagers {area}", at(*position)),
            Decision::Check => format!("{} checks {area}", at(*position)),
        },
        Event::HandShown { position } => format!("{} shown", at(*position)),
        Event::ComparisonDeclined { position, .. } => format!("{} declines", at(*position)),
        Event::DeclinedHandViewed { position, .. } => format!("{} viewed by staff", at(*position)),
        Event::Settled { .. } => "settled".to_owned(),
        Event::RoundClosed => "round closed".to_owned(),
        Event::HandOut { position, .. } => format!("{} out", at(*position)),
        Event::BonusForfeited { position, .. } => format!("{} Bonus forfeited", at(*position)),
        Event::ShareOut { position, owner, .. } => format!("{owner} out of {}", at(*position)),
        Event::RoundVoided { .. } => "round void".to_owned(),
        _ => irregularity_text(event),
    }
}

/// The events of sections 5 and 6 about findings and decisions.
fn irregularity_text(event: &Event) -> String {
    match event {
        Event::DecisionCorrected { position, area, decision, .. } => match decision {
            Decision::Fold => format!("{} corrected to fold", at(*position)),
            Decision::Wager => format!("{} corrected to {area}", at(*position)),
            Decision::Check => format!("{} corrected to check", at(*position)),
        },
        Event::WagerCorrected { position, area, amount, .. } => {
            format!("{} {area} corrected to {amount}", at(*position))
        }
        Event::BadCardsDeclared { fault: wrong, .. } => format!("{} cards", fault(*wrong)),
        Event::CardsCounted { counted, .. } => format!("{counted} counted"),
        Event::MisdealFound { moves: Some(list), .. } => format!("misdeal, {}", moves("move", list)),
        Event::MisdealFound { moves: None, .. } => "misdeal, cannot be moved".to_owned(),
        Event::HandsMoved { moves: list, .. } => moves("moved", list),
        Event::TableCountCorrected { .. } => "table corrected".to_owned(),
        Event::HandCountCorrected { position, .. } => format!("{} corrected", at(*position)),
        Event::CardsExposed { in_all, .. } => format!("{in_all} exposed"),
        Event::WithdrawalsPermitted { .. } => "withdrawals permitted".to_owned(),
        Event::PlayerWithdrew { player, .. } => format!("{player} withdraws"),
        Event::PlayerStayed { player, answered: true, .. } => format!("{player} stays"),
        Event::PlayerStayed { player, answered: false, .. } => format!("{player} gives no answer"),
        Event::HandHandled { position, .. } => format!("{} handled", at(*position)),
        Event::PlayerRestricted { player, .. } => format!("{player} restricted"),
        Event::RestrictionLifted { player, .. } => format!("{player} no longer restricted"),
        Event::PlayerProhibited { player, .. } => format!("{player} prohibited"),
        Event::PlayerReadmitted { player, .. } => format!("{player} readmitted"),
        Event::ActionStopped { player, .. } => format!("{player} stopped"),
        Event::PlayerWarned { player, .. } => format!("{player} warned"),
        Event::PowerFailed { established: false, .. } => "power failed, no outcome".to_owned(),
        Event::PowerFailed { established: true, .. } => "power failed, an outcome".to_owned(),
        Event::PlayResumed { .. } => "play resumed".to_owned(),
        Event::RulingMade { .. } => "ruled".to_owned(),
        other => spelled(other),
    }
}

fn at(position: Position) -> String {
    format!("P{}", position.0)
}

/// The owner, unless it is the player with the position's number.
fn by(position: Position, owner: &PlayerId) -> String {
    if owner.name() == format!("p{}", position.0) { String::new() } else { format!(" by {owner}") }
}

fn moves(word: &str, moves: &[Move]) -> String {
    let each = moves.iter().map(|each| format!("{} to {}", at(each.from), at(each.to)));
    format!("{word} {}", each.collect::<Vec<_>>().join(", "))
}
