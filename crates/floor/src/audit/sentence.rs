//! Events in sentences.

use cards::Card;
use journal::{HouseEvent, LinkEvent, TableEvent};
use round::{Asker, Decision, Event, Exposure, Line, Outcome, Place, Settlement};
use rulebook::{Means, Rule, Rulebook};

/// A place a card lies at.
pub(super) fn place(place: Place) -> String {
    let nth = |at: u8| u16::from(at).saturating_add(1);
    match place {
        Place::Player(position, at) => format!("card {} of {position}", nth(at)),
        Place::Community(at) => format!("community card {}", nth(at)),
        Place::Dealer(at) => format!("card {} of the Dealer", nth(at)),
    }
}

/// A card that was misread, put right.
pub(super) fn put_right(at: Place, misread: Card, card: Card) -> String {
    format!("{} is put right: {card}, misread as {misread}", place(at))
}

fn by(by: &Asker) -> String {
    match by {
        Asker::Player(player) => player.to_string(),
        Asker::Staff(office) => format!("the {office}"),
    }
}

const fn exposure(what: Exposure) -> &'static str {
    match what {
        Exposure::UpCard => "the Dealer's last card is",
        Exposure::FlopCards => "the flop cards are",
        Exposure::TurnCard => "the turn card is",
        Exposure::RiverCard => "the river card is",
        Exposure::DealerHand => "the Dealer's hand is",
    }
}

fn card(card: Option<Card>) -> String {
    card.map_or_else(|| "unread".to_owned(), |card| card.to_string())
}

/// What happened in a round, as one would tell it.
pub(super) fn of_round(event: &Event) -> String {
    match event {
        Event::PlayerInformed { player } => format!("{player} is told that one hand only may be viewed"),
        Event::PositionTaken { position, player } => format!("{player} takes {position}"),
        Event::PositionLeft { position } => format!("{position} is given up"),
        Event::BetsOpened => "\"Place your bets, please\"".to_owned(),
        Event::WagerPlaced { position, area, owner, amount, means, by: hand } => {
            let means = match means {
                Means::Credits => "credits",
                Means::Chips => "chips",
            };
            let themselves = matches!(hand, Asker::Player(own) if own == owner);
            let placed = if themselves { String::new() } else { format!(", placed by {}", by(hand)) };
            format!("{owner} wagers {amount} in {means} on the {} of {position}{placed}", area.name())
        }
        Event::WagerTakenBack { position, area, owner } => {
            format!("{owner} takes the {} of {position} back", area.name())
        }
        Event::LateRemovalIgnored { position, area, owner, .. } => {
            format!("{owner} takes the {} of {position} off; it wins or loses all the same", area.name())
        }
        Event::BetsClosed => "\"No more bets\"".to_owned(),
        Event::JackpotWagerInvalid { position, .. } => {
            format!("the Jackpot wager of {position} has no Ante and does not stand")
        }
        Event::CardDealt { place: to, card: dealt } => format!("{} is dealt: {}", place(*to), card(*dealt)),
        Event::CardRead { place: at, card } => format!("{} is {card}", place(*at)),
        Event::Exposed { what } => format!("{} turned face up", exposure(*what)),
        Event::HandViewed { position } => format!("the hand of {position} is viewed"),
        Event::Decided { position, area, decision, .. } => match decision {
            Decision::Fold => format!("{position} folds"),
            Decision::Wager => format!("{position} makes the {} wager", area.name()),
            Decision::Check => format!("{position} checks on the {}", area.name()),
        },
        Event::HandShown { position } => format!("the hand of {position} is shown"),
        Event::ComparisonDeclined { position, .. } => format!("{position} declines comparison"),
        Event::DeclinedHandViewed { position, .. } => {
            format!("a supervisor views the declined hand of {position}")
        }
        Event::Settled { settlement } if settlement.void.is_some() => "the void round is settled".to_owned(),
        Event::Settled { .. } => "the round is settled".to_owned(),
        Event::RoundClosed => "the next round is to begin".to_owned(),
        Event::BadCardsDeclared { .. }
        | Event::CardsCounted { .. }
        | Event::MisdealFound { .. }
        | Event::HandsMoved { .. }
        | Event::TableCountCorrected { .. }
        | Event::HandCountCorrected { .. }
        | Event::CardsExposed { .. }
        | Event::HandOut { .. }
        | Event::BonusForfeited { .. }
        | Event::ShareOut { .. }
        | Event::WithdrawalsPermitted { .. }
        | Event::PlayerWithdrew { .. }
        | Event::PlayerRestricted { .. }
        | Event::RestrictionLifted { .. }
        | Event::PlayerProhibited { .. }
        | Event::PlayerReadmitted { .. }
        | Event::ActionStopped { .. }
        | Event::PlayerWarned { .. }
        | Event::PowerFailed { .. }
        | Event::PlayResumed { .. }
        | Event::RulingMade { .. }
        | Event::RoundVoided { .. } => irregularity(event),
    }
}

/// The same, for what goes wrong.
fn irregularity(event: &Event) -> String {
    if let Some(sentence) = of_player(event).or_else(|| of_hand(event)) {
        return sentence;
    }
    if let Event::BadCardsDeclared { fault, .. } = event {
        return format!("the cards are bad: {fault:?}");
    }
    if let Event::CardsCounted { counted, .. } = event {
        return format!("{counted} cards are counted");
    }
    if let Event::CardsExposed { in_all, .. } = event {
        return format!("{in_all} cards were wrongly exposed by now");
    }
    if let Event::RulingMade { ruling, .. } = event {
        return format!("a ruling: {}", ruling.words);
    }
    let sentence = if let Event::MisdealFound { moves: Some(_), .. } = event {
        "hands lie in wrong places and can be moved"
    } else if let Event::MisdealFound { .. } = event {
        "cards lie in wrong places and cannot be put right"
    } else if let Event::HandsMoved { .. } = event {
        "the hands are moved to their places"
    } else if let Event::TableCountCorrected { .. } = event {
        "the number of cards on the table is put right"
    } else if let Event::WithdrawalsPermitted { .. } = event {
        "the others may withdraw"
    } else if let Event::PowerFailed { established: true, .. } = event {
        "the power failed with an outcome established"
    } else if let Event::PowerFailed { .. } = event {
        "the power failed with no outcome established"
    } else if let Event::PlayResumed { .. } = event {
        "play goes on"
    } else {
        "the round is void, every wager goes back"
    };
    sentence.to_owned()
}

fn of_hand(event: &Event) -> Option<String> {
    Some(if let Event::HandCountCorrected { position, .. } = event {
        format!("the number of cards of {position} is put right")
    } else if let Event::HandOut { position, .. } = event {
        format!("the hand of {position} is out, its wagers go back")
    } else if let Event::BonusForfeited { position, .. } = event {
        format!("the Bonus of {position} is lost")
    } else {
        return None;
    })
}

fn of_player(event: &Event) -> Option<String> {
    Some(if let Event::ShareOut { position, owner, .. } = event {
        format!("the wagers of {owner} on {position} go back")
    } else if let Event::PlayerWithdrew { player, .. } = event {
        format!("{player} withdraws every wager")
    } else if let Event::PlayerRestricted { player, .. } = event {
        format!("{player} may wager on one position only")
    } else if let Event::RestrictionLifted { player, .. } = event {
        format!("{player} may wager on several positions again")
    } else if let Event::PlayerProhibited { player, .. } = event {
        format!("{player} is prohibited from play")
    } else if let Event::PlayerReadmitted { player, .. } = event {
        format!("{player} is let in again")
    } else if let Event::ActionStopped { player, .. } = event {
        format!("{player}'s action is stopped")
    } else if let Event::PlayerWarned { player, .. } = event {
        format!("{player} was under the minimum; from the next round on such wagers go back")
    } else {
        return None;
    })
}

/// The rule an event rests on: the one it cites, or the one a void round was settled under.
pub(super) fn rule_of(event: &Event) -> Option<Rule> {
    if let Event::Settled { settlement } = event { settlement.void } else { event.rule() }
}

/// What the log has against what the rules make it, where the two are of one kind or not.
pub(super) fn difference(logged: &Event, expected: &Event) -> String {
    if let (Event::Settled { settlement: logged }, Event::Settled { settlement: expected }) =
        (logged, expected)
    {
        return settlements(logged, expected);
    }
    format!("the log has: {}; the rules make it: {}", of_round(logged), of_round(expected))
}

/// The first line two settlements differ in.
pub(super) fn settlements(logged: &Settlement, expected: &Settlement) -> String {
    for line in &expected.lines {
        let same = |other: &&Line| {
            other.position == line.position && other.area == line.area && other.owner == line.owner
        };
        match logged.lines.iter().find(same) {
            None => return format!("the log does not settle the {}", line_text(line)),
            Some(other) if other != line => {
                return format!(
                    "the log settles the {}; the rules settle it {}",
                    line_text(other),
                    ends(line)
                );
            }
            Some(_) => {}
        }
    }
    if logged.lines.len() != expected.lines.len() {
        return "the log settles wagers that nobody placed".to_owned();
    }
    if logged.claims != expected.claims {
        return format!(
            "the log has the claims {:?}; the rules make them {:?}",
            logged.claims, expected.claims
        );
    }
    format!("the log has {logged:?}; the rules make it {expected:?}")
}

/// A line of a settlement.
pub(super) fn line_text(line: &Line) -> String {
    format!("{} of {}, {} of {}, {}", line.area.name(), line.position, line.staked, line.owner, ends(line))
}

/// How a line ends.
fn ends(line: &Line) -> String {
    let Line { paid, returned, collected, rule, .. } = line;
    let outcome = outcome(line.outcome);
    format!("{outcome}: paid {paid}, returned {returned}, collected {collected} under {rule}")
}

/// An outcome, as the rulebooks call it.
pub(super) fn outcome(outcome: Outcome) -> String {
    match outcome {
        Outcome::Paid(odds) => format!("paid {odds}"),
        Outcome::Won => "won".to_owned(),
        Outcome::Collected => "collected".to_owned(),
        Outcome::StandOff => "stand-off".to_owned(),
        Outcome::Returned => "returned".to_owned(),
    }
}

/// What happened to a table, with the rule it cites.
pub(super) fn of_table(event: &TableEvent, book: &Rulebook) -> (String, Option<String>) {
    let plain = |sentence: String| (sentence, None);
    match event {
        TableEvent::Opened { setup } => plain(format!("the table opens under {}", setup.rulebook)),
        TableEvent::LimitsChanged { .. } => plain("other limits hold from the next round on".to_owned()),
        TableEvent::LastRoundAnnounced => plain("the last round is announced".to_owned()),
        TableEvent::Closed => plain("the table closes".to_owned()),
        TableEvent::RoundBegan { number, .. } => plain(format!("round {number} begins")),
        TableEvent::Round(event) => {
            (of_round(event), rule_of(event).map(|rule| book.clause(rule).to_string()))
        }
        TableEvent::ShuffleCommitted { commitment } => {
            plain(format!("a shuffle is committed to: {commitment}"))
        }
        TableEvent::SaltGiven { player, salt } => plain(format!("{player} adds the salt {salt:?}")),
        TableEvent::ShuffleSalted { salt } => plain(format!("the order of the deck is fixed: {salt}")),
        TableEvent::ShuffleOpened { seed } => {
            plain(format!("the shuffle is opened: {}", journal::Hash(*seed)))
        }
    }
}

/// What happened to a link, with the clause it cites.
pub(super) fn of_link(event: &LinkEvent) -> (String, Option<String>) {
    use jackpot::Event as Jackpot;
    let event = match event {
        LinkEvent::Opened { .. } => return ("the link opens".to_owned(), None),
        LinkEvent::Won { winners } => {
            let names: Vec<String> =
                winners.iter().map(|winner| format!("{} is {}'s", winner.award, winner.player)).collect();
            return (names.join(", "), None);
        }
        LinkEvent::Jackpot(event) => event,
    };
    match event {
        Jackpot::RoundEntered { entry, wagers, contribution, balances, .. } => {
            let fed = super::transfers::dollars(contribution.meter.ten_thousandths().into());
            let text = format!(
                "{entry} is entered: {} Jackpot wagers feed the meter {fed}, which shows {}",
                wagers.len(),
                balances.meter.displayed()
            );
            (text, None)
        }
        Jackpot::AwardEntered { award, .. } => {
            let text = format!(
                "{}: {} to {} for a {} at {} of {} displayed; the meter shows {} after it",
                award.number,
                award.amount,
                award.position,
                award.hand,
                award.percent,
                award.displayed,
                award.after.displayed()
            );
            (text, Some(award.clause.to_string()))
        }
        Jackpot::SettingsApplied { .. } => ("new settings are in force".to_owned(), None),
        Jackpot::AwardVerified { award, by, .. } => (format!("{award} is verified by {}", by.person), None),
        Jackpot::AwardApproved { award, by } => (format!("{award} is approved by {}", by.person), None),
        Jackpot::DueDiligenceRecorded { award, reference, .. } => {
            (format!("the winner of {award} is identified: {reference}"), None)
        }
        Jackpot::AwardPaid { award, amount, by } => {
            (format!("{award} is paid: {amount} by {}", by.person), None)
        }
        Jackpot::AwardRejected { restoration, cause, clause, .. } => {
            let text =
                format!("{} is rejected: {cause:?}; {} goes back", restoration.award, restoration.amount);
            (text, Some(clause.to_string()))
        }
        Jackpot::AwardTakenBack { restoration, clause, .. } => {
            let text = format!("{} is taken back: {} goes back", restoration.award, restoration.amount);
            (text, Some(clause.to_string()))
        }
        Jackpot::RulingMade { award, amount_before, amount, words, clause, .. } => (
            format!("{award} is ruled {amount} instead of {amount_before}: {words}"),
            Some(clause.to_string()),
        ),
        Jackpot::EntryReversed { entry, positions, clause, .. } => {
            let text = format!("wagers of {entry} go back: {} positions", positions.len());
            (text, Some(clause.to_string()))
        }
        Jackpot::MeterAdjusted { cause, amount, words, clause, .. } => {
            let amount = super::transfers::dollars(amount.ten_thousandths().into());
            (format!("the meter is adjusted by {amount}: {cause:?}, {words}"), Some(clause.to_string()))
        }
        Jackpot::ReconfigurationScheduled { .. } => {
            ("new settings wait for the next restart".to_owned(), None)
        }
        Jackpot::TableLost { table } => (format!("table {table} cannot reach the link"), None),
        Jackpot::TableRestored { table } => (format!("table {table} reaches the link again"), None),
    }
}

/// What happened to the house.
pub(super) fn of_house(event: &HouseEvent) -> String {
    match event {
        HouseEvent::Confirmed { number, by } => format!("proposal {number} is confirmed by {}", by.person),
        HouseEvent::PlayerProhibited { player, .. } => format!("{player} is prohibited at every table"),
        HouseEvent::PlayerReadmitted { player, .. } => format!("{player} is let in again at every table"),
        HouseEvent::Proposed { number, by, .. } => format!("proposal {number} is made by {}", by.person),
        HouseEvent::Withdrawn { number, .. } => format!("proposal {number} is withdrawn"),
        HouseEvent::Opened { name, .. } => format!("the house {name} opens"),
        HouseEvent::Appointed { person, office } => format!("{person} is appointed {office}"),
        HouseEvent::Dismissed { person } => format!("{person} is dismissed"),
        HouseEvent::PlayerRegistered { player, .. } => format!("{player} is registered"),
        HouseEvent::BoughtIn { player, amount, .. } => format!("{player} buys in for {amount}"),
        HouseEvent::CreditsGranted { player, amount } => format!("{player} is given {amount} to play with"),
        HouseEvent::CashedOut { player, amount, .. } => format!("{player} cashes out {amount}"),
        HouseEvent::DebtRepaid { player, amount } => format!("{player} gives back {amount}"),
    }
}
