//! The staff's next thing to do, with the words to announce, and a short list of what else may be done. Each candidate
//! is put to the round.

use round::{Asker, CardFault, Command, PlayerId, Ruling, Stage};
use rulebook::Office;

use super::choices::{Asking, Choice};
use super::stage::Awaited;
use crate::table::Table;

/// Everything short that somebody of the staff may do now, the next thing of the procedure first.
pub(super) fn of_staff(table: &Table, awaited: &Awaited, office: Office) -> Vec<Choice> {
    let asking = Asking { table, by: Asker::Staff(office) };
    let mut choices = next(&asking, awaited);
    if let Some(first) = choices.first_mut() {
        first.next = true;
    }
    choices.extend(further(&asking));
    choices
}

/// The procedure: what is open is dealt with first, then the Dealer's order of work.
fn next(asking: &Asking<'_>, awaited: &Awaited) -> Vec<Choice> {
    let open = [
        ("resume_play", Command::ResumePlay),
        ("reconstruct", Command::Reconstruct),
        ("give_up_reconstruction", Command::GiveUpReconstruction),
    ];
    let open: Vec<Choice> = taken(asking, open);
    if !open.is_empty() {
        return open;
    }
    match awaited.stage {
        Stage::Deciding(_) => {
            let mut choices: Vec<Choice> =
                awaited.positions.iter().flat_map(|position| asking.decisions(*position)).collect();
            let absent = |position: &rulebook::Position| {
                let report = Command::ReportAbsent { position: *position };
                asking.takes(&report).then(|| Choice::at("report_absent", *position))
            };
            choices.extend(awaited.positions.iter().filter_map(absent));
            choices
        }
        Stage::Showing => awaited.positions.iter().flat_map(|position| asking.showing(*position)).collect(),
        Stage::Concluded | Stage::Void if asking.table.is_last_round() => {
            vec![announced("close", "This table is closed. Thank you for playing.")]
        }
        Stage::BeforeBets
        | Stage::BetsOpen
        | Stage::Dealing
        | Stage::Exposing(_)
        | Stage::Settling
        | Stage::Concluded
        | Stage::Void
        | Stage::Closed => by_the_dealer(asking, awaited),
    }
}

fn announced(does: &'static str, words: &str) -> Choice {
    Choice { announce: Some(words.to_owned()), ..Choice::plain(does) }
}

/// The Dealer's own steps, of which at most one is due.
fn by_the_dealer(asking: &Asking<'_>, awaited: &Awaited) -> Vec<Choice> {
    let software = asking.table.is_software_dealt();
    let deal = if software { "deal_all" } else { "deal_card" };
    let steps = [
        (announced("open_bets", "Place your bets, please."), Command::OpenBets),
        (announced("close_bets", "No more bets."), Command::CloseBets),
        (Choice::plain(deal), Command::DealCard { card: None }),
        (announced("expose", &awaited.view(asking.round()).call), Command::Expose),
        (announced("settle", &awaited.view(asking.round()).call), Command::Settle),
        (announced("begin_next_round", "The next round is about to begin."), Command::BeginNextRound),
    ];
    steps.into_iter().filter(|(_, command)| asking.takes(command)).map(|(choice, _)| choice).take(1).collect()
}

fn taken(asking: &Asking<'_>, all: impl IntoIterator<Item = (&'static str, Command)>) -> Vec<Choice> {
    let taken = all.into_iter().filter(|(_, command)| asking.takes(command));
    taken.map(|(does, _)| Choice::plain(does)).collect()
}

/// What may be needed besides. What has gone wrong is found in the guide to irregularities.
fn further(asking: &Asking<'_>) -> Vec<Choice> {
    let ruling = Ruling { words: "play goes on".to_owned(), effects: Vec::new() };
    let mut choices = taken(
        asking,
        [
            ("permit_withdrawals", Command::PermitWithdrawals),
            ("declare_bad_cards", Command::DeclareBadCards { fault: CardFault::Foreign }),
            ("make-ruling", Command::MakeRuling { ruling }),
        ],
    );
    let declined = asking.round().seats().filter(|(_, seat)| seat.has_declined());
    for (position, _) in declined {
        let view = Command::ViewDeclinedHand { position };
        choices.extend(asking.takes(&view).then(|| Choice::at("view_declined_hand", position)));
    }
    let mut players: Vec<&PlayerId> = asking.round().seats().filter_map(|(_, seat)| seat.holder()).collect();
    players.sort_unstable();
    players.dedup();
    for player in players {
        choices.extend(about(asking, player));
    }
    choices
}

/// What may be done about a Player.
fn about(asking: &Asking<'_>, player: &PlayerId) -> Vec<Choice> {
    let own = || player.clone();
    let all = [
        ("inform_player", Command::InformPlayer { player: own() }),
        ("withdraw", Command::Withdraw { player: own() }),
        ("restrict_player", Command::RestrictPlayer { player: own() }),
        ("lift_restriction", Command::LiftRestriction { player: own() }),
        ("prohibit_player", Command::ProhibitPlayer { player: own() }),
        ("stop_action", Command::StopAction { player: own() }),
    ];
    let choices = taken(asking, all);
    choices.into_iter().map(|choice| Choice { player: Some(player.name().to_owned()), ..choice }).collect()
}
