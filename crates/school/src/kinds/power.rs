//! Power failure: whether an outcome was established, and what each Player may do then.

use std::sync::Arc;

use round::{Asker, Command, Event, Irregularity, Stage, guide};
use rulebook::{R5_16_1, R5_16_2, Rulebook};

use super::wrong::ask_wagers;
use crate::chance::Chance;
use crate::drill::Made;
use crate::picture::Shows;
use crate::table::{DEALER, Setup, Table};
use crate::words;

pub(super) fn make(chance: &mut Chance, book: &Arc<Rulebook>) -> Made {
    let setup =
        Setup { hands: 2, folds: *chance.pick(&[0, 40]), declines: 20, jackpot: 30, ..Setup::default() };
    let mut table = Table::new(chance, book, setup);
    table.play_until(chance, |round| round.stage().is_in_play());
    let mut steps = chance.between(0, 26);
    while 0 < steps {
        let before = table.clone();
        table.step(chance);
        if !table.round.stage().is_in_play() {
            table = before;
            break;
        }
        steps -= 1;
    }
    let story =
        vec![stage_words(&table), "The power fails. When it is back, the round lies as it was.".to_owned()];
    let mut made = Made::new(table.picture(Shows::FaceUp), story);
    let events = table.give(&Command::ReportPowerFailure {});
    let established =
        events.iter().any(|event| matches!(event, Event::PowerFailed { established: true, .. }));
    let rule = if established { R5_16_2 } else { R5_16_1 };
    made.yes_or_no(
        "By what the table can see: is any wager already won or lost for certain?",
        established,
        vec![rule],
        "A folded or declined hand has lost, and open cards can decide a wager; anything else is still open.",
    );
    let mut players: Vec<_> = table.hands.iter().map(|(_, player)| player.clone()).collect();
    players.dedup();
    let player = chance.pick(&players).clone();
    made.story.push(format!("{player} asks to take back all wagers."));
    let withdraw = Command::Withdraw { player: player.clone() };
    let may = table.round.decide(&Asker::Player(player.clone()), &withdraw).is_ok();
    let cited = match table.round.decide(&Asker::Player(player.clone()), &withdraw) {
        Ok(_) => vec![R5_16_1],
        Err(refusal) => words::known(book, [refusal.clause.rule]),
    };
    let because =
        if may { "Nothing is established: all wagers, or none." } else { "The round is played to its end." };
    made.yes_or_no(format!("May {player} take back all wagers?"), may, cited.clone(), because);
    let position = table.hands.iter().find(|(_, holder)| *holder == player).map(|(position, _)| *position);
    if let Some(position) = position {
        let part =
            Command::TakeBackWager { position, area: rulebook::PlayingArea::Ante, owner: player.clone() };
        let events = table.round.decide(&Asker::Player(player.clone()), &part).unwrap_or_default();
        let taken = events.iter().any(|event| matches!(event, Event::WagerTakenBack { .. }));
        made.yes_or_no(
            format!("May {player} take back the Ante and leave the rest?"),
            taken,
            vec![rule],
            "A Player takes back all wagers or none.",
        );
    }
    if let Ok(choices) = guide(&table.round, &Irregularity::PowerFailure {})
        && let Some(choice) = choices.iter().find(|choice| choice.command == withdraw)
    {
        ask_wagers(&mut made, book, choice, 4);
        let others = table.round.unanswered().len();
        let mut after = table.clone();
        after.give_by(&Asker::Player(player), &withdraw);
        let resumes = after.round.decide(&DEALER, &Command::ResumePlay {}).is_ok();
        if 1 < others && after.round.stage() != Stage::Settling {
            made.yes_or_no(
                "May play go on before the other Players have been asked?",
                resumes,
                vec![R5_16_1],
                "Every Player with wagers is asked first.",
            );
        }
    }
    made
}

fn stage_words(table: &Table) -> String {
    match table.round.stage() {
        Stage::Dealing => "The cards are being dealt.".to_owned(),
        Stage::Deciding(area) => format!("The Players decide on the {area}."),
        Stage::Exposing(what) => format!("Next, {} will be turned.", words::exposed(what)),
        Stage::Showing => "The hands are being shown.".to_owned(),
        Stage::Settling => "All hands have been compared.".to_owned(),
        Stage::BeforeBets | Stage::BetsOpen | Stage::Concluded | Stage::Void | Stage::Closed => {
            "No round is in play.".to_owned()
        }
    }
}
