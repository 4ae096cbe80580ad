//! The words of every choice: what its button says, and what it does.

use journal::{DeskCommand, HouseCommand, OwnCommand, Proposal};
use money::Money;
use round::{CardFault, Command, Decision, Round, Stage};
use rulebook::{PlayingArea, Position};

use super::stage::turned;
use super::words::capital;

/// What a choice is called and does.
pub(super) struct Wording {
    pub(super) label: String,
    pub(super) effect: String,
    /// Whether it is asked for again before it is sent.
    pub(super) confirm: bool,
}

impl Wording {
    pub(super) fn new(label: impl Into<String>, effect: impl Into<String>) -> Wording {
        Wording { label: label.into(), effect: effect.into(), confirm: false }
    }

    fn grave(label: impl Into<String>, effect: impl Into<String>) -> Wording {
        Wording { confirm: true, ..Wording::new(label, effect) }
    }
}

/// What a wager that follows the Ante comes to, for all who are still in.
pub(super) fn following(round: &Round, position: Position, area: PlayingArea) -> Money {
    let ante = round.seat(position).map(|seat| seat.shares(PlayingArea::Ante, None)).unwrap_or_default();
    let standing = ante.iter().filter(|share| share.out.is_none()).map(|share| share.amount);
    let times = round.book().multiple_of_ante(area).unwrap_or(1);
    Money::sum(standing).and_then(|sum| sum.times(times.into())).unwrap_or_default()
}

/// Of a command of the round.
#[expect(clippy::too_many_lines, reason = "one arm a command, in the order of a round")]
pub(super) fn of_round(command: &Command, round: &Round) -> Wording {
    match command {
        Command::InformPlayer { player } => Wording::new(
            "Inform: one hand only",
            format!("{player} is told that one hand only may be viewed."),
        ),
        Command::TakePosition { position, player } => {
            Wording::new(format!("Take {position}"), format!("{player} takes {position}."))
        }
        Command::LeavePosition { position } => Wording::new(
            format!("Leave {position}"),
            format!("{} becomes free.", capital(&position.to_string())),
        ),
        Command::OpenBets {} => Wording::new("Open the bets", "Players may place wagers."),
        Command::PlaceWager { position, area, owner, .. } => {
            Wording::new(format!("Place {area}"), format!("{owner} wagers on the {area} at {position}."))
        }
        Command::TakeBackWager { position, area, owner } => Wording::new(
            format!("Take back the {area}"),
            format!("{owner} takes back the {area} at {position}."),
        ),
        Command::CloseBets {} => {
            let empty = round.seats().all(|(_, seat)| !PlayingArea::ALL.iter().any(|area| seat.has(*area)));
            let effect = if empty {
                "No wager lies on the table. No more are taken."
            } else {
                "No more wagers are taken."
            };
            Wording { confirm: empty, ..Wording::new("Close the bets", effect) }
        }
        Command::DealCard { .. } => {
            let secure = round.next_place().is_some_and(|place| round.is_over_security_card(place));
            let effect = if secure {
                "The next card goes to its place; a security card lies at the bottom."
            } else {
                "The next card goes to its place."
            };
            Wording::new("Deal the next card", effect)
        }
        Command::ReadCard { .. } => Wording::new(
            "Read a card",
            "A card that was dealt unread is entered, or a misread one corrected.",
        ),
        Command::Expose {} => match round.stage() {
            Stage::Exposing(what) => Wording::new(
                format!("Turn {}", turned(what)),
                format!("{} lies open.", capital(turned(what))),
            ),
            Stage::BeforeBets
            | Stage::BetsOpen
            | Stage::Dealing
            | Stage::Deciding(_)
            | Stage::Showing
            | Stage::Settling
            | Stage::Concluded
            | Stage::Void
            | Stage::Closed => Wording::new("Turn the cards", "The cards lie open."),
        },
        Command::ViewHand { position } => {
            Wording::new("View the hand", format!("The Player at {position} views the hand."))
        }
        Command::Decide { position, decision } => decided(round, *position, *decision),
        Command::CorrectDecision { position, decision } => corrected(*position, *decision),
        Command::CorrectWager { position, area, owner, amount } => Wording::grave(
            format!("Correct the {area} to {amount}"),
            format!("The {area} of {owner} at {position} is {amount}; the difference is moved."),
        ),
        Command::ShowHand { position } => {
            Wording::new("Show the hand", format!("The hand at {position} is shown and compared."))
        }
        Command::DeclineComparison { position } => Wording::grave(
            "Decline comparison",
            format!("The hand at {position} stays closed and loses its wagers."),
        ),
        Command::ViewDeclinedHand { position } => Wording::grave(
            "View the declined hand",
            format!("A supervisor views the hand at {position} that declined comparison."),
        ),
        Command::Settle {} => Wording::new("Settle the round", "Every wager is paid, collected or returned."),
        Command::BeginNextRound {} => {
            Wording::new("Begin the next round", "The settlement stands; the next round begins.")
        }
        Command::DeclareBadCards { .. }
        | Command::CountCards { .. }
        | Command::ReportMisdeal { .. }
        | Command::ReportHandled { .. }
        | Command::Reconstruct {}
        | Command::GiveUpReconstruction {}
        | Command::ReportTableCount { .. }
        | Command::ReportExposedCards { .. }
        | Command::ReportHandCount { .. }
        | Command::PermitWithdrawals {}
        | Command::Withdraw { .. }
        | Command::StayIn { .. }
        | Command::ReportNoAnswer { .. }
        | Command::RestrictPlayer { .. }
        | Command::LiftRestriction { .. }
        | Command::ProhibitPlayer { .. }
        | Command::ReadmitPlayer { .. }
        | Command::InvalidateHands { .. }
        | Command::StopAction { .. }
        | Command::ReportAbsent { .. }
        | Command::ReportPowerFailure {}
        | Command::ResumePlay {}
        | Command::MakeRuling { .. } => of_irregularity(command),
    }
}

fn corrected(position: Position, decision: Decision) -> Wording {
    let who = capital(&position.to_string());
    let (label, does) = match decision {
        Decision::Fold => ("Correct to a fold", "folds"),
        Decision::Check => ("Correct to a check", "checks"),
        Decision::Wager => ("Correct to a wager", "wagers"),
    };
    Wording::grave(label, format!("{who} {does}; what was entered before is corrected on record."))
}

fn decided(round: &Round, position: Position, decision: Decision) -> Wording {
    let who = capital(&position.to_string());
    match (decision, round.stage()) {
        (Decision::Fold, _) => Wording::grave("Fold", format!("{who} folds.")),
        (Decision::Check, _) => Wording::grave("Check", format!("{who} checks.")),
        (Decision::Wager, Stage::Deciding(area)) => {
            let amount = following(round, position, area);
            Wording::grave(format!("{area} {amount}"), format!("{who} wagers {amount} on the {area}."))
        }
        (Decision::Wager, _) => Wording::grave("Wager", format!("{who} wagers.")),
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "of_round lists every command and sends the rest here")]
fn of_irregularity(command: &Command) -> Wording {
    match command {
        Command::DeclareBadCards { fault } => {
            Wording::grave("Declare the cards bad", format!("{} The round is void.", fault_sentence(*fault)))
        }
        Command::CountCards { counted } => {
            Wording::grave("Record the count", format!("{counted} cards were counted."))
        }
        Command::ReportMisdeal { .. } => Wording::new(
            "Record the misdeal",
            "It is recorded where the cards lie. The hands are moved, or the round is void.",
        ),
        Command::ReportHandled { position } => Wording::new(
            "The Player touched the cards",
            format!(
                "It is recorded that the cards at {position} were touched; hands can no longer be moved."
            ),
        ),
        Command::Reconstruct {} => {
            Wording::new("Move the hands", "Each hand goes to the position it belongs to.")
        }
        Command::GiveUpReconstruction {} => {
            Wording::grave("The hands cannot be moved", "The hands stay where they are. The round is void.")
        }
        Command::ReportTableCount { reconstructed: true } => Wording::new(
            "The cards are corrected",
            "Board and Dealer have the right number of cards; play goes on.",
        ),
        Command::ReportTableCount { reconstructed: false } => {
            Wording::grave("The cards cannot be corrected", "The round is void.")
        }
        Command::ReportExposedCards { cards } => {
            Wording::grave("Record exposed cards", format!("Cards wrongly exposed: {cards}."))
        }
        Command::ReportHandCount { position, reconstructed: true } => Wording::new(
            "The hand is corrected",
            format!("The hand at {position} has the right number of cards; play goes on."),
        ),
        Command::ReportHandCount { position, reconstructed: false } => Wording::grave(
            "The hand cannot be corrected",
            format!("The hand at {position} is out; its wagers go back."),
        ),
        Command::PermitWithdrawals {} => Wording::grave(
            "Permit withdrawals",
            "The other Players of this round may take their wagers back.",
        ),
        Command::Withdraw { player } => {
            Wording::grave("Take all wagers back", format!("{player} takes all wagers of this round back."))
        }
        Command::StayIn { player } => Wording::new(
            "Leave the wagers",
            format!("{player} was asked and leaves all wagers of this round."),
        ),
        Command::ReportNoAnswer { player } => Wording::new(
            "No answer",
            format!("{player} was asked and gave no answer in time; the wagers stay."),
        ),
        Command::RestrictPlayer { player } => {
            Wording::grave("Restrict to one position", format!("{player} may wager on one position only."))
        }
        Command::LiftRestriction { player } => {
            Wording::grave("Lift the restriction", format!("{player} may wager on several positions again."))
        }
        Command::ProhibitPlayer { player, .. } => {
            Wording::grave("Prohibit from play", format!("{player} may not play at any table."))
        }
        Command::ReadmitPlayer { player } => Wording::grave(
            "Readmit to play",
            format!("The prohibition of {player} given at this table is lifted."),
        ),
        Command::InvalidateHands { positions } => Wording::grave(
            "Invalidate hands",
            format!("The hands at {} are out; their wagers go back.", super::words::positions(positions)),
        ),
        Command::StopAction { player, .. } => Wording::grave(
            "Stop the Player's action",
            format!("{player} takes no more decisions in this round."),
        ),
        Command::ReportAbsent { position } => Wording::grave(
            "Not there to decide",
            format!(
                "The Player at {position} was not there to decide; the hand is out and its wagers go back."
            ),
        ),
        Command::ReportPowerFailure {} => Wording::grave(
            "Report a power failure",
            "If no outcome is established, each Player may take all wagers back.",
        ),
        Command::ResumePlay {} => Wording::new("Resume play", "Play goes on after the power failure."),
        Command::MakeRuling { ruling } => {
            let effect = match ruling.effects.as_slice() {
                [] => "The ruling is recorded; play goes on.",
                [round::Effect::Void] => "The ruling is recorded; the round is void.",
                _ => "The ruling is recorded, with what it does to hands and wagers.",
            };
            Wording::grave("Make a ruling", effect)
        }
        _ => unreachable!("{command:?} has its words in of_round"),
    }
}

const fn fault_sentence(fault: CardFault) -> &'static str {
    match fault {
        CardFault::Extra => "There are too many cards.",
        CardFault::Missing => "There are too few cards.",
        CardFault::Foreign => "A card does not belong to the deck.",
        CardFault::Unshuffled => "The cards were not shuffled.",
    }
}

/// Of a command of the table itself.
pub(super) fn of_table(command: &OwnCommand) -> Wording {
    match command {
        OwnCommand::DealAll {} => Wording::new("Deal", "Every card that is due goes to its place."),
        OwnCommand::SetWagers { .. } => Wording::new(
            "Set my wagers",
            "Your wagers in credits are these. Shares of others that would be too little alone go back.",
        ),
        OwnCommand::CommitSalts { .. } => Wording::new(
            "Add my own randomness",
            "From the next round on the shuffle needs a salt that only you know until bets are closed.",
        ),
        OwnCommand::OpenSalt { .. } => {
            Wording::new("Open my salt", "Your salt is mixed into the shuffle, and the cards can be dealt.")
        }
        OwnCommand::DropSalts {} => Wording::new(
            "Go on without salts",
            "5 seconds after bets were closed: whoever has not opened a salt is out, and the shuffle is drawn again.",
        ),
        OwnCommand::ChangeLimits { .. } => {
            Wording::new("Change the limits", "The new limits hold from the next round on.")
        }
        OwnCommand::AnnounceLastRound {} => Wording::new(
            "Announce the last round",
            "The next round in which wagers are placed is the last. After it the table can be closed.",
        ),
        OwnCommand::BringDeck { .. } => Wording::new(
            "Bring a deck",
            "You have inspected this deck: it has 52 different cards. The next rounds are dealt from it.",
        ),
        OwnCommand::CallSupervisor {} => {
            Wording::new("Call a supervisor", "The pit sees that a supervisor is called to this table.")
        }
        OwnCommand::StopReader { .. } => {
            Wording::new("Stop the card reader", "No card is entered until somebody has looked.")
        }
        OwnCommand::ClearReader { by_hand: true } => Wording::new(
            "Enter the cards by hand",
            "You have looked at the cards: those of this round are entered by hand. The reader goes on with the next round.",
        ),
        OwnCommand::ClearReader { by_hand: false } => Wording::new(
            "Go on with the reader",
            "You have looked at the cards: what is entered is right, and nothing is missing.",
        ),
        OwnCommand::AnswerCall {} => Wording::new("A supervisor is here", "The call is answered."),
        OwnCommand::Close {} => Wording::grave("Close the table", "The table is closed."),
        OwnCommand::Reopen { .. } => Wording::new("Open the table again", "The table opens with this setup."),
    }
}

/// Of a command of the jackpot desk.
pub(super) fn of_desk(command: &DeskCommand) -> Wording {
    match command {
        DeskCommand::Verify { .. } => {
            Wording::new("Verify", "Compare the cards with the hand claimed, count the deck, and sign.")
        }
        DeskCommand::Approve { .. } => Wording::new("Approve", "Approve the award for payment."),
        DeskCommand::RecordDueDiligence { .. } => Wording::new(
            "Record the identity",
            "Establish the winner's identity and record where it is kept.",
        ),
        DeskCommand::PrintSlip { .. } => {
            Wording::new("Print the slip", "The log says that it was printed; a further copy is a duplicate.")
        }
        DeskCommand::Pay { .. } => Wording::new("Pay", "Pay the award; a third person signs."),
        DeskCommand::LoseTable { table } => Wording::grave(
            "The table cannot reach the meter",
            format!("Table {table} takes no Jackpot wagers until it is restored."),
        ),
        DeskCommand::LoseSilentTable { table } => Wording::grave(
            "Nobody is at the console",
            format!("Table {table} takes no Jackpot wagers until somebody opens its console."),
        ),
        DeskCommand::ReportFault { .. } => {
            Wording::grave("Report a fault", "What it concerns is locked until two people clear it.")
        }
        DeskCommand::RestoreTable { table } => Wording::grave(
            "The table reaches the meter again",
            format!("Table {table} takes Jackpot wagers again."),
        ),
    }
}

/// Of a command of the house.
pub(super) fn of_house(command: &HouseCommand) -> Wording {
    match command {
        HouseCommand::OpenHouse { .. } => Wording::new("Open the house", "The house opens."),
        HouseCommand::AcceptRollback { .. } => {
            Wording::grave("Accept a rollback", "An older log continues, although a witness has seen more.")
        }
        HouseCommand::SignRollback {} => Wording::grave(
            "Sign for what was lost",
            "You sign, beside the operator who started the older log, that what it lacks is lost. Tables take wagers again.",
        ),
        HouseCommand::NoteFinding { .. } => {
            Wording::new("Write down what was found", "It stands in the log of the house, with your name.")
        }
        HouseCommand::MakeDeviceKey { .. } => Wording::new(
            "Make a key",
            "Whoever has the key may do what its scope says, until it runs out or is revoked. It is shown once.",
        ),
        HouseCommand::RevokeDeviceKey { .. } => {
            Wording::grave("Revoke the key", "The device can do nothing from this moment on.")
        }
        HouseCommand::Appoint { .. } => {
            Wording::new("Appoint", "The person holds this office from now on and must sign in again.")
        }
        HouseCommand::EndActing { .. } => {
            Wording::new("End acting", "The person has their own office again and must sign in again.")
        }
        HouseCommand::Invite { .. } => Wording::new(
            "Give out the invitation",
            "Whoever opens its link chooses the password. It is shown once.",
        ),
        HouseCommand::SetCredential { .. } => {
            Wording::new("Set the password", "The password is another one.")
        }
        HouseCommand::SetSecondFactor { .. } => {
            Wording::new("Set the second factor", "The second factor is another one.")
        }
        HouseCommand::BeginSession { .. } => Wording::new("Sign in", "A session begins."),
        HouseCommand::EndSession { .. } => Wording::new("Sign out", "The session ends."),
        HouseCommand::RefuseSignIn { .. } => {
            Wording::new("Record a refused sign-in", "Somebody could not sign in.")
        }
        HouseCommand::DenyCommand { .. } => {
            Wording::new("Record a denied command", "Somebody asked for what takes another office.")
        }
        HouseCommand::StartService { .. } => {
            Wording::new("Start a node", "The log says what program and which rulebooks run.")
        }
        HouseCommand::StopService { .. } => Wording::new("Stop a node", "The node stops in order."),
        HouseCommand::RegisterPlayer { .. } => {
            Wording::new("Register a Player", "The Player becomes known to the house.")
        }
        HouseCommand::ForgetGuest { .. } => Wording::new(
            "Forget a guest",
            "The guest has left; what they held goes back, and their rounds stay.",
        ),
        HouseCommand::BuyIn { .. } => Wording::new("Buy in", "Cash is changed into credits or chips."),
        HouseCommand::GrantCredits { .. } => {
            Wording::new("Grant credits", "The Player receives credits to play with that are nobody's money.")
        }
        HouseCommand::CashOut { .. } => Wording::new("Cash out", "Credits or chips are changed into cash."),
        HouseCommand::SetPlayLimits { .. } => Wording::new(
            "Set own limits",
            "What the Player may lose and how long they may play on a gaming day. A higher limit holds 24 hours later.",
        ),
        HouseCommand::RepayDebt { .. } => {
            Wording::new("Repay a debt", "The debt is paid out of the Player's credits.")
        }
        HouseCommand::OpenLink { .. } => {
            Wording::new("Open a link", "A jackpot opens; the house funds its meter.")
        }
        HouseCommand::OpenTable { .. } => Wording::new("Open a table", "A table opens with this setup."),
        HouseCommand::Propose { proposal } => of_proposal(proposal),
        HouseCommand::Confirm { number } => Wording::grave(
            "Confirm",
            format!("Proposal {number} gets its second signature and is carried out."),
        ),
        HouseCommand::WithdrawProposal { number } => {
            Wording::new("Withdraw", format!("Proposal {number} is withdrawn."))
        }
    }
}

#[expect(clippy::too_many_lines, reason = "one arm a proposal, in the order of the proposals")]
fn of_proposal(proposal: &Proposal) -> Wording {
    let second = "Nothing happens until a second person confirms.";
    match proposal {
        Proposal::RejectAward { .. } => {
            Wording::new("Propose to reject", format!("The award would go back onto the meter. {second}"))
        }
        Proposal::RuleOnAward { .. } => {
            Wording::new("Propose a ruling", format!("The award would have the ruled amount. {second}"))
        }
        Proposal::ReleaseAward { .. } => Wording::new(
            "Propose to release",
            format!("The award could be paid while an earlier one is disputed. {second}"),
        ),
        Proposal::AdjustMeter { .. } => Wording::new(
            "Propose an adjustment",
            format!("The meter would be adjusted by this amount. {second}"),
        ),
        Proposal::Reconfigure { .. } => Wording::new(
            "Propose other settings",
            format!("The settings would change when the meter next restarts. {second}"),
        ),
        Proposal::ClearFault { .. } => {
            Wording::new("Propose to clear the fault", format!("What it locks would work again. {second}"))
        }
        Proposal::AnnounceClosing { .. } => Wording::grave(
            "Propose to announce the closing",
            format!("Players would be told that this jackpot closes and where its money goes. {second}"),
        ),
        Proposal::CloseLink { .. } => Wording::grave(
            "Propose to close the link",
            format!("All that the link holds would be moved as announced, and it would be closed. {second}"),
        ),
        Proposal::UndoRound { .. } => Wording::new(
            "Propose to undo the round",
            format!("The settled round, or hands of it, would be undone. {second}"),
        ),
        Proposal::Rule { .. } => {
            Wording::new("Propose a ruling", format!("The wagers would be paid as ruled. {second}"))
        }
        Proposal::SettleRound { .. } => Wording::new(
            "Propose to settle",
            format!("The round would be settled, and its fixed Jackpot prize gets a slip. {second}"),
        ),
        Proposal::Appoint { .. } => Wording::new(
            "Propose to appoint",
            format!("The person would hold this office and have to sign in again. {second}"),
        ),
        Proposal::AppointActing { .. } => Wording::new(
            "Propose to act",
            format!("The person would act in this office for that time and have to sign in again. {second}"),
        ),
        Proposal::Dismiss { .. } => Wording::grave(
            "Propose to dismiss",
            format!("The person would hold no office any more and be signed out. {second}"),
        ),
        Proposal::InviteStaff { .. } => Wording::new(
            "Propose to invite",
            format!(
                "The person could choose another password, with an invitation of which each of you gives out one half. {second}"
            ),
        ),
        Proposal::RemoveSecondFactor { .. } => Wording::new(
            "Propose to remove the second factor",
            format!("The person would sign in with the password alone, and could enrol again. {second}"),
        ),
        Proposal::BuyIn { .. } => Wording::new(
            "Propose to buy in",
            format!("Cash would be changed into credits or chips. {second}"),
        ),
        Proposal::CashOut { .. } => Wording::new(
            "Propose to cash out",
            format!("Credits or chips would be changed into cash. {second}"),
        ),
        Proposal::OpenLink { .. } => Wording::new(
            "Propose to open a link",
            format!("A jackpot would open; the house funds its meter. {second}"),
        ),
        Proposal::ChangeTableLimits { .. } => Wording::new(
            "Propose other limits",
            format!("The table would have other limits, from the next round or an hour on. {second}"),
        ),
        Proposal::OpenTable { .. } => Wording::new(
            "Propose to open a table",
            format!("The table would open under a book that is not in force, for the reason given. {second}"),
        ),
        Proposal::SignDay { .. } => Wording::new(
            "Propose to sign for a gaming day",
            format!(
                "The day's report would be signed for; what comes to light later is a correction in a later day. {second}"
            ),
        ),
        Proposal::ChangeSigningKey { .. } => Wording::grave(
            "Propose another signing key",
            format!(
                "Another key would sign the log. Every node needs its file first; the old key signs for it. {second}"
            ),
        ),
        Proposal::ChangeRules { .. } => Wording::new(
            "Propose a change of rules",
            format!(
                "Tables would change to another rulebook at the hour given, between two rounds. {second}"
            ),
        ),
        Proposal::ChangeHouseLimits { .. } => Wording::new(
            "Propose other limits of the house",
            format!("What one person may do alone would change. {second}"),
        ),
    }
}
