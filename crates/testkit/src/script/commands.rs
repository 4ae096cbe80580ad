//! Converts a script's words to a command of the round, and back.

use money::Money;
use round::{
    CardFault, Command, Decision, Effect, FoundPile, Irregularity, PlayerId, Round, RuledOutcome, Ruling,
    Stage, TablePile,
};
use rulebook::{Means, PlayingArea, Position, Rulebook};

use super::{events, words};

/// The position of a `place` line, if nobody holds it yet and it may still be taken.
pub(super) fn unseated(round: &Round, text: &str) -> Option<Position> {
    let position = words::position(text.strip_prefix("place ")?.split(' ').next()?).ok()?;
    let open = matches!(round.stage(), Stage::BeforeBets | Stage::BetsOpen);
    let seat = round.seat(position).filter(|_| open)?;
    seat.holder().is_none().then_some(position)
}

pub(super) fn parse(book: &Rulebook, round: &Round, text: &str) -> Result<Command, String> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let position = || words::position(rest);
    let player = || words::player(rest);
    let decision = |decision| position().map(|position| Command::Decide { position, decision });
    Ok(match word {
        "open" => Command::OpenBets {},
        "close" => Command::CloseBets {},
        "inform" => Command::InformPlayer { player: player()? },
        "sit" => {
            let (position, player) = rest.split_once(' ').ok_or("write: sit POSITION PLAYER")?;
            Command::TakePosition { position: words::position(position)?, player: words::player(player)? }
        }
        "leave" => Command::LeavePosition { position: position()? },
        "place" => place(book, round, rest)?,
        "take" => take(book, round, rest)?,
        "card" => Command::DealCard { card: words::maybe_card(rest)? },
        "read" => {
            let (place, card) = rest.split_once(' ').ok_or("write: read PLACE CARD")?;
            Command::ReadCard { place: words::place(place)?, card: words::card(card)? }
        }
        "expose" => Command::Expose {},
        "view" => Command::ViewHand { position: position()? },
        "fold" => decision(Decision::Fold)?,
        "bet" => decision(Decision::Wager)?,
        "check" => decision(Decision::Check)?,
        "show" => Command::ShowHand { position: position()? },
        "decline" => Command::DeclineComparison { position: position()? },
        "peek" => Command::ViewDeclinedHand { position: position()? },
        "settle" => Command::Settle {},
        "begin-next" => Command::BeginNextRound {},
        _ => irregularity(book, word, rest)?,
    })
}

fn irregularity(book: &Rulebook, word: &str, rest: &str) -> Result<Command, String> {
    let player = || words::player(rest);
    Ok(match word {
        "bad-cards" => Command::DeclareBadCards { fault: fault(rest)? },
        "count" => Command::CountCards { counted: number(rest)? },
        "misdeal" => {
            let (piles, also) = piles(rest)?;
            Command::ReportMisdeal { piles, also }
        }
        "handled" => Command::ReportHandled { position: words::position(rest)? },
        "move-hands" => Command::Reconstruct {},
        "give-up" => Command::GiveUpReconstruction {},
        "table-count" => Command::ReportTableCount { reconstructed: is_corrected(rest)? },
        "exposed-cards" => Command::ReportExposedCards { cards: number(rest)? },
        "hand-count" => {
            let (position, how) = rest.split_once(' ').unwrap_or((rest, ""));
            Command::ReportHandCount {
                position: words::position(position)?,
                reconstructed: is_corrected(how)?,
            }
        }
        "correct" => {
            let (position, what) = rest.split_once(' ').ok_or("correct P1 fold")?;
            let decision = match what {
                "fold" => Decision::Fold,
                "bet" => Decision::Wager,
                "check" => Decision::Check,
                _ => return Err(format!("{what:?} is not a decision")),
            };
            Command::CorrectDecision { position: words::position(position)?, decision }
        }
        "correct-wager" => {
            let [position, area, amount] = rest.split_whitespace().collect::<Vec<_>>()[..] else {
                return Err("correct-wager P1 Ante 25".to_owned());
            };
            let position = words::position(position)?;
            let owner = PlayerId::new(&format!("p{}", position.0));
            let (area, amount) = (words::area(book, area)?, words::money(amount)?);
            Command::CorrectWager { position, area, owner, amount }
        }
        "permit" => Command::PermitWithdrawals {},
        "withdraw" => Command::Withdraw { player: player()? },
        "stay" => Command::StayIn { player: player()? },
        "no-answer" => Command::ReportNoAnswer { player: player()? },
        "restrict" => Command::RestrictPlayer { player: player()? },
        "lift" => Command::LiftRestriction { player: player()? },
        "prohibit" => Command::ProhibitPlayer { player: player()?, reason: None },
        "readmit" => Command::ReadmitPlayer { player: player()? },
        "invalidate" => {
            let positions = rest.split_whitespace().map(words::position).collect::<Result<_, _>>()?;
            Command::InvalidateHands { positions }
        }
        "stop" => Command::StopAction { player: player()?, reason: None },
        "absent" => Command::ReportAbsent { position: words::position(rest)? },
        "power-failure" => Command::ReportPowerFailure {},
        "resume" => Command::ResumePlay {},
        "ruling" => Command::MakeRuling { ruling: ruling(book, rest)? },
        _ => words::form("do", word, rest)?,
    })
}

/// The irregularity for guided handling.
pub(super) fn guided_irregularity(text: &str) -> Result<Irregularity, String> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    Ok(match word {
        "bad-cards" => Irregularity::BadCards { fault: fault(rest)? },
        "count" => Irregularity::CardsCounted { counted: number(rest)? },
        "misdeal" => {
            let (piles, also) = piles(rest)?;
            Irregularity::Misdeal { piles, also }
        }
        "table-count" => Irregularity::TableCount {},
        "exposed-cards" => Irregularity::ExposedCards { cards: number(rest)? },
        "hand-count" => Irregularity::HandCount { position: words::position(rest)? },
        "not-confidential" => Irregularity::NotConfidential { player: words::player(rest)? },
        "several-hands" => Irregularity::SeveralHands { player: words::player(rest)? },
        "absent" => Irregularity::Absent { position: words::position(rest)? },
        "lone-jackpot" => Irregularity::LoneJackpotWager { position: words::position(rest)? },
        "declined" => Irregularity::Declined { position: words::position(rest)? },
        "too-many-positions" => Irregularity::TooManyPositions { player: words::player(rest)? },
        "power-failure" => Irregularity::PowerFailure {},
        "uncovered" => Irregularity::Uncovered { words: rest.to_owned() },
        _ => words::form("what", word, rest)?,
    })
}

/// The command of a choice, in the words of a script.
pub(super) fn text(command: &Command) -> String {
    let suffix = |reconstructed: bool| if reconstructed { " corrected" } else { "" };
    match command {
        Command::DeclareBadCards { fault } => format!("bad-cards {}", events::fault(*fault)),
        Command::CountCards { counted } => format!("count {counted}"),
        Command::ReportMisdeal { .. } => "misdeal".to_owned(),
        Command::Reconstruct {} => "move-hands".to_owned(),
        Command::GiveUpReconstruction {} => "give-up".to_owned(),
        Command::ReportTableCount { reconstructed } => format!("table-count{}", suffix(*reconstructed)),
        Command::ReportExposedCards { cards } => format!("exposed-cards {cards}"),
        Command::ReportHandCount { position, reconstructed } => {
            format!("hand-count P{}{}", position.0, suffix(*reconstructed))
        }
        Command::PermitWithdrawals {} => "permit".to_owned(),
        Command::Withdraw { player } => format!("withdraw {player}"),
        Command::StayIn { player } => format!("stay {player}"),
        Command::ReportNoAnswer { player } => format!("no-answer {player}"),
        Command::RestrictPlayer { player } => format!("restrict {player}"),
        Command::ProhibitPlayer { player, .. } => format!("prohibit {player}"),
        Command::InvalidateHands { positions } => {
            let hands = positions.iter().map(|position| format!(" P{}", position.0));
            format!("invalidate{}", hands.collect::<String>())
        }
        Command::StopAction { player, .. } => format!("stop {player}"),
        Command::ReportAbsent { position } => format!("absent P{}", position.0),
        Command::PlaceWager { position, area, amount, .. } => {
            format!("place P{} {area} {amount}", position.0)
        }
        Command::TakeBackWager { position, area, .. } => format!("take P{} {area}", position.0),
        Command::DeclineComparison { position } => format!("decline P{}", position.0),
        Command::ViewDeclinedHand { position } => format!("peek P{}", position.0),
        Command::ReportPowerFailure {} => "power-failure".to_owned(),
        Command::ResumePlay {} => "resume".to_owned(),
        Command::MakeRuling { ruling } if ruling.effects.is_empty() => "ruling".to_owned(),
        Command::MakeRuling { .. } => "ruling void".to_owned(),
        other => words::spelled(other),
    }
}

/// `P1 Ante 25 by p2 chips`.
fn place(book: &Rulebook, round: &Round, text: &str) -> Result<Command, String> {
    let mut list = text.split_whitespace();
    let mut word = || list.next().ok_or("write: place POSITION AREA AMOUNT");
    let position = words::position(word()?)?;
    let area = words::area(book, word()?)?;
    let amount: Money = words::money(word()?)?;
    let (mut owner, mut means) = (holder(round, position), Means::Credits);
    while let Some(word) = list.next() {
        match word {
            "chips" => means = Means::Chips,
            "by" => owner = words::player(list.next().unwrap_or_default())?,
            _ => return Err(format!("{word:?} is not an option of a wager")),
        }
    }
    Ok(Command::PlaceWager { position, area, owner, amount, means })
}

/// The `place` lines of a `seats` line, such as `1-3,6 ante 25 bonus 5`: position by position, its areas in order.
pub(super) fn seat_lines(text: &str) -> Result<Vec<String>, String> {
    const FORM: &str = "write: seats POSITIONS AREA AMOUNT, such as seats 1-3,6 ante 25 bonus 5";
    let (positions, wagers) = text.split_once(' ').ok_or(FORM)?;
    let wagers: Vec<&str> = wagers.split_whitespace().collect();
    let (wagers, []) = wagers.as_chunks::<2>() else {
        return Err(FORM.to_owned());
    };
    let mut lines = Vec::new();
    for range in positions.split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        for position in number(first)?..=number(last)? {
            let place = |[area, amount]: &[&str; 2]| format!("place P{position} {} {amount}", capital(area));
            lines.extend(wagers.iter().map(place));
        }
    }
    Ok(lines)
}

/// `Ante` for `ante`.
fn capital(word: &str) -> String {
    let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
    first.to_uppercase() + rest
}

/// `P1 Ante by p2`.
fn take(book: &Rulebook, round: &Round, text: &str) -> Result<Command, String> {
    let (wager, owner) = match text.split_once(" by ") {
        Some((wager, owner)) => (wager, Some(words::player(owner)?)),
        None => (text, None),
    };
    let (position, area): (Position, PlayingArea) = position_and_area(book, wager)?;
    let owner = owner.unwrap_or_else(|| holder(round, position));
    Ok(Command::TakeBackWager { position, area, owner })
}

/// `P1 Ante`.
pub(super) fn position_and_area(book: &Rulebook, text: &str) -> Result<(Position, PlayingArea), String> {
    let (position, area) = text.split_once(' ').ok_or("write: POSITION AREA")?;
    Ok((words::position(position)?, words::area(book, area)?))
}

fn holder(round: &Round, position: Position) -> PlayerId {
    let holder = round.seat(position).and_then(round::Seat::holder).cloned();
    holder.unwrap_or_else(|| PlayerId::new(&format!("p{}", position.0)))
}

fn fault(word: &str) -> Result<CardFault, String> {
    let all = [CardFault::Extra, CardFault::Missing, CardFault::Foreign, CardFault::Unshuffled];
    all.into_iter()
        .find(|each| events::fault(*each) == word)
        .ok_or_else(|| format!("{word:?} is not a fault of cards"))
}

fn number(word: &str) -> Result<u8, String> {
    word.parse().map_err(|_| format!("{word:?} is not a number"))
}

fn is_corrected(word: &str) -> Result<bool, String> {
    match word {
        "" => Ok(false),
        "corrected" => Ok(true),
        _ => Err(format!("{word:?} should be `corrected` or nothing")),
    }
}

/// `P1 2, P3 2, board, dealer`.
fn piles(text: &str) -> Result<(Vec<FoundPile>, Vec<TablePile>), String> {
    let (mut piles, mut also) = (Vec::new(), Vec::new());
    for pile in text.split(',').map(str::trim) {
        match (pile, pile.split_once(' ')) {
            ("board", _) => also.push(TablePile::Community),
            ("dealer", _) => also.push(TablePile::Dealer),
            (_, Some((position, count))) => {
                piles.push(FoundPile { position: words::position(position)?, cards: number(count)? });
            }
            (_, None) => return Err("write: POSITION COUNT, POSITION COUNT, board, dealer".to_owned()),
        }
    }
    Ok((piles, also))
}

/// `words | void; out P1; P1 Ante paid 1 to 1; P1 Bonus returned`.
fn ruling(book: &Rulebook, text: &str) -> Result<Ruling, String> {
    let (said, effects) = text.split_once('|').unwrap_or((text, ""));
    let effects = effects.split(';').map(str::trim).filter(|effect| !effect.is_empty());
    let effects = effects.map(|effect| ruled(book, effect)).collect::<Result<_, _>>()?;
    Ok(Ruling { words: said.trim().to_owned(), effects })
}

fn ruled(book: &Rulebook, text: &str) -> Result<Effect, String> {
    if text == "void" {
        return Ok(Effect::Void);
    }
    if let Some(position) = text.strip_prefix("out ") {
        return words::position(position).map(|position| Effect::HandOut { position });
    }
    let [position, area, how] = text.splitn(3, ' ').collect::<Vec<_>>()[..] else {
        return Err(format!("{text:?} is not an effect of a ruling"));
    };
    let outcome = match how {
        "collected" => RuledOutcome::Collected,
        "stand-off" => RuledOutcome::StandOff,
        "returned" => RuledOutcome::Returned,
        _ => RuledOutcome::Paid(
            how.strip_prefix("paid ").ok_or("write: paid ODDS, collected, stand-off or returned")?.parse()?,
        ),
    };
    Ok(Effect::Wager { position: words::position(position)?, area: words::area(book, area)?, outcome })
}
