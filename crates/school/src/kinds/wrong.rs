//! Something is wrong: which rule applies, who may decide, and what happens to each wager.

use std::sync::Arc;

use round::{
    Asker, CardFault, Choice as Remedy, Command, Effect, FoundPile, Irregularity, Place, PlayerId, Ruling,
    Stage, TablePile, guide,
};
use rulebook::{Means, Office, PlayingArea, Position, R5_1_1, R5_1_2, Rule, Rulebook};

use super::{ask_clause, ask_offices, other_refusals};
use crate::chance::Chance;
use crate::drill::Made;
use crate::picture::Shows;
use crate::table::{Setup, Table};
use crate::words::{self, R5_1};

/// The most wagers that are asked about.
const WAGERS_MAX: usize = 4;

/// Something that went wrong at a table.
struct Incident {
    table: Table,
    what: Irregularity,
    story: Vec<String>,
    /// The command of the choice that the story leads to; the first if there is none.
    wanted: Option<Command>,
}

type Situation = fn(&mut Chance, &Arc<Rulebook>) -> Incident;

const SITUATIONS: [Situation; 21] = [
    bad_cards,
    bad_cards_too_late,
    counted,
    misdeal,
    misdeal_void,
    table_count,
    exposed_cards,
    hand_count,
    withdrawals,
    withdrawn,
    not_confidential,
    several_hands,
    stopped,
    absent,
    late_wager,
    taken_off,
    lone_jackpot,
    lone_jackpot_late,
    declined,
    too_many_positions,
    uncovered,
];

pub(super) fn make(chance: &mut Chance, book: &Arc<Rulebook>) -> Made {
    let situation = *chance.pick(&SITUATIONS);
    let incident = situation(chance, book);
    let mut made = Made::new(incident.table.picture(Shows::FaceUp), incident.story);
    match guide(&incident.table.round, &incident.what) {
        Ok(remedies) => {
            let wanted = |remedy: &&Remedy| Some(&remedy.command) == incident.wanted.as_ref();
            let remedy = remedies.iter().find(wanted).or_else(|| remedies.first());
            let remedy = remedy.expect("the guide gives a choice or a refusal");
            ask_rule(chance, &mut made, book, remedy.clause.rule);
            ask_offices(&mut made, &incident.table.round, &remedy.command);
            ask_wagers(&mut made, book, remedy, WAGERS_MAX);
        }
        Err(refusal) => {
            let wrong = other_refusals(chance, refusal.reason);
            let cited = with_parent(book, refusal.clause.rule);
            let sentence = refusal.reason.sentence();
            made.one_of(chance, "What do the rules say?", sentence, wrong, cited, sentence);
        }
    }
    made
}

fn ask_rule(chance: &mut Chance, made: &mut Made, book: &Rulebook, rule: Rule) {
    ask_clause(chance, made, book, rule);
    if let Some(answer) = made.answers.last_mut() {
        answer.cited = with_parent(book, rule);
    }
}

/// A rule on bad cards is learned with the clause that says when it applies.
fn with_parent(book: &Rulebook, rule: Rule) -> Vec<Rule> {
    let parent = (rule == R5_1_1 || rule == R5_1_2).then_some(R5_1);
    words::known(book, [rule].into_iter().chain(parent))
}

/// Asks what a choice does to each wager.
pub(super) fn ask_wagers(made: &mut Made, book: &Rulebook, remedy: &Remedy, most: usize) {
    for effect in remedy.wagers.iter().take(most) {
        let (right, rule) = match (effect.returned_under, effect.collected_under) {
            (Some(rule), _) => (1, rule),
            (None, Some(rule)) => (2, rule),
            (None, None) => (0, remedy.clause.rule),
        };
        let wager = words::wager(&effect.owner, effect.area, effect.position);
        let because = ["Nothing about it changes.", "It is returned.", "It is collected."][right];
        made.listed(
            format!("{} ({}): what happens to it?", words::capital(&wager), effect.amount),
            &["It stays in play", "It goes back to its Player", "It is lost"],
            right,
            words::known(book, [rule]),
            because,
        );
        made.about(effect.position, Some(effect.area));
    }
}

fn table(chance: &mut Chance, book: &Arc<Rulebook>) -> Table {
    Table::new(chance, book, Setup { hands: 2, folds: 0, declines: 0, ..Setup::default() })
}

/// A table that is played for a while after the bets were closed.
fn in_play(chance: &mut Chance, book: &Arc<Rulebook>) -> Table {
    let mut table = table(chance, book);
    let first = book.first_area();
    table.play_until(chance, |round| round.stage() == Stage::Deciding(first));
    let mut steps = chance.between(0, 6);
    while 0 < steps && table.round.stage() != Stage::Settling {
        table.step(chance);
        steps -= 1;
    }
    table
}

/// A table whose cards are dealt and not touched yet.
fn dealt(chance: &mut Chance, book: &Arc<Rulebook>, setup: Setup) -> Table {
    let mut table = Table::new(chance, book, setup);
    let first = book.first_area();
    table.play_until(chance, |round| round.stage() == Stage::Deciding(first));
    table
}

fn settled(chance: &mut Chance, book: &Arc<Rulebook>) -> Table {
    let mut table = table(chance, book);
    table.play_until(chance, |round| round.stage() == Stage::Concluded);
    table
}

fn first(table: &Table) -> (Position, PlayerId) {
    table.hands.first().cloned().expect("the table has a Player")
}

fn fault(chance: &mut Chance) -> (CardFault, &'static str) {
    let faults = [
        (CardFault::Extra, "The deck turns out to have a card too many."),
        (CardFault::Missing, "The deck turns out to lack a card."),
        (CardFault::Foreign, "A card of another deck turns up."),
        (CardFault::Unshuffled, "It turns out that the cards were not shuffled."),
    ];
    *chance.pick(&faults)
}

fn bad_cards(chance: &mut Chance, book: &Arc<Rulebook>) -> Incident {
    let table = in_play(chance, book);
    let (fault, words) = fault(chance);
    let story = vec![words.to_owned()];
    Incident { table, what: Irregularity::BadCards { fault }, story, wanted: None }
}

fn bad_cards_too_late(chance: &mut Chance, book: &Arc<Rulebook>) -> Incident {
    let mut table = settled(chance, book);
    table.give(&Command::BeginNextRound {});
    let (fault, words) = fault(chance);
    let story = vec![
        "The round on the table was settled, and the next one has begun.".to_owned(),
        format!("{words} Somebody wants the settled round to be void."),
    ];
    Incident { table, what: Irregularity::BadCards { fault }, story, wanted: None }
}

fn counted(chance: &mut Chance, book: &Arc<Rulebook>) -> Incident {
    let late = chance.percent(40);
    let table = if late { settled(chance, book) } else { in_play(chance, book) };
    let counted = *chance.pick(&[50, 51, 51, 52, 53]);
    let when =
        if late { "The round is settled; the next one has not begun." } else { "The round is in play." };
    let story = vec![
        format!("{when} There is doubt about the number of cards."),
        format!("You count them by hand: {counted}."),
    ];
    Incident { table, what: Irregularity::CardsCounted { counted }, story, wanted: None }
}

/// Every hand lies one position from where it belongs, as far as there are free ones.
fn misdeal(chance: &mut Chance, book: &Arc<Rulebook>) -> Incident {
    let setup = Setup { hands: 2, folds: 0, declines: 0, ..Setup::default() };
    let mut table = dealt(chance, book, setup);
    let Some(free) = table.free_position() else { return bad_cards(chance, book) };
    let cards = u8::try_from(book.hand_cards()).unwrap_or(u8::MAX);
    let right: Vec<Position> = table.hands.iter().map(|(position, _)| *position).collect();
    let place = chance.below(right.len());
    let mut found = right.clone();
    found[place] = free;
    let piles = found.iter().map(|position| FoundPile { position: *position, cards }).collect();
    let report = Command::ReportMisdeal { piles, also: Vec::new() };
    table.give(&report);
    let gives_up = chance.percent(40);
    let wanted = if gives_up { Command::GiveUpReconstruction {} } else { Command::Reconstruct {} };
    let end = if gives_up { "The hands cannot be moved any more." } else { "The hands can be moved." };
    let story = vec![
        format!("Nobody has touched a card. The hand of {} was dealt to {free}.", right[place]),
        end.to_owned(),
    ];
    let what = Irregularity::Misdeal { piles: Vec::new(), also: Vec::new() };
    Incident { table, what, story, wanted: Some(wanted) }
}

fn misdeal_void(chance: &mut Chance, book: &Arc<Rulebook>) -> Incident {
    let setup = Setup { hands: 2, folds: 0, declines: 0, ..Setup::default() };
    let table = dealt(chance, book, setup);
    let what = Irregularity::Misdeal { piles: Vec::new(), also: vec![TablePile::Dealer] };
    let story = vec!["Nobody has touched a card. The Dealer's cards were dealt to a wrong place.".to_owned()];
    Incident { table, what, story, wanted: None }
}

fn table_count(chance: &mut Chance, book: &Arc<Rulebook>) -> Incident {
    let table = in_play(chance, book);
    let reconstructed = chance.percent(40);
    let whose = if book.community_cards() == 0 { "The Dealer has" } else { "The Community cards have" };
    let end = if reconstructed { "It can be put in order." } else { "It cannot be put in order." };
    let story = vec![format!("{whose} one card too many."), end.to_owned()];
    let wanted = Some(Command::ReportTableCount { reconstructed });
    Incident { table, what: Irregularity::TableCount {}, story, wanted }
}

fn exposed_cards(chance: &mut Chance, book: &Arc<Rulebook>) -> Incident {
    let mut table = table(chance, book);
    table.play_until(chance, |round| round.stage() == Stage::Dealing);
    for _ in 0..chance.between(1, 3) {
        if matches!(table.round.next_place(), Some(Place::Player(..) | Place::Community(_))) {
            table.step(chance);
        }
    }
    let cards = *chance.pick(&[1, 2, 2, 3]);
    let words = if cards == 1 { "One card is" } else { "Several cards are" };
    let story = vec![format!("{words} wrongly exposed during the deal: {cards} in all.")];
    Incident { table, what: Irregularity::ExposedCards { cards }, story, wanted: None }
}

fn hand_count(chance: &mut Chance, book: &Arc<Rulebook>) -> Incident {
    let late = chance.percent(30);
    let table = if late { settled(chance, book) } else { in_play(chance, book) };
    let (position, player) = first(&table);
    let reconstructed = !late && chance.percent(35);
    let end = if reconstructed { "It can be put in order." } else { "It cannot be put in order." };
    let when = if late { "The round is settled; the next one has not begun. " } else { "" };
    let story =
        vec![format!("{when}{player}'s hand at {position} has a wrong number of cards."), end.to_owned()];
    let wanted = Some(Command::ReportHandCount { position, reconstructed });
    Incident { table, what: Irregularity::HandCount { position }, story, wanted }
}

/// A table on which one hand is out for a wrong number of cards.
fn one_hand_out(chance: &mut Chance, book: &Arc<Rulebook>) -> (Table, Position, PlayerId) {
    let mut table = in_play(chance, book);
    let (position, player) = first(&table);
    table.give(&Command::ReportHandCount { position, reconstructed: false });
    (table, position, player)
}

fn withdrawals(chance: &mut Chance, book: &Arc<Rulebook>) -> Incident {
    let (table, position, player) = one_hand_out(chance, book);
    let story = vec![
        format!("{player}'s hand at {position} had a wrong number of cards and is out."),
        "The other Player asks to take the wagers back, and is permitted to.".to_owned(),
    ];
    let wanted = Some(Command::PermitWithdrawals {});
    Incident { table, what: Irregularity::HandCount { position }, story, wanted }
}

fn withdrawn(chance: &mut Chance, book: &Arc<Rulebook>) -> Incident {
    let (mut table, position, player) = one_hand_out(chance, book);
    let permits = Asker::Staff(Office::GamingShiftManager);
    table.give_by(&permits, &Command::PermitWithdrawals {});
    let other = table.hands[1].1.clone();
    let story = vec![
        format!("{player}'s hand at {position} had a wrong number of cards and is out."),
        format!("Withdrawals were permitted, and {other} takes all wagers back."),
    ];
    let wanted = Some(Command::Withdraw { player: other });
    Incident { table, what: Irregularity::HandCount { position }, story, wanted }
}

fn not_confidential(chance: &mut Chance, book: &Arc<Rulebook>) -> Incident {
    let table = in_play(chance, book);
    let (_, player) = first(&table);
    let did = *chance.pick(&["tells the others what the hand is", "looks into the hand of another Player"]);
    let story = vec![format!("{player} {did}, not for the first time. Further play is to be prohibited.")];
    Incident { table, what: Irregularity::NotConfidential { player }, story, wanted: None }
}

fn two_hands(chance: &mut Chance, book: &Arc<Rulebook>) -> (Table, PlayerId, Option<Position>) {
    let setup = Setup { hands: 2, two_hands: true, folds: 0, ..Setup::default() };
    let mut table = dealt(chance, book, setup);
    let (_, player) = first(&table);
    let viewed = chance.percent(60).then(|| table.hands[chance.below(2)].0);
    if let Some(position) = viewed {
        table.give_by(&Asker::Player(player.clone()), &Command::ViewHand { position });
    }
    (table, player, viewed)
}

fn several_hands(chance: &mut Chance, book: &Arc<Rulebook>) -> Incident {
    let (table, player, viewed) = two_hands(chance, book);
    let seen = match viewed {
        Some(position) => format!("{player} has viewed the hand at {position}."),
        None => "No hand has been viewed.".to_owned(),
    };
    let story = vec![format!("{player} controls two hands because of wagers placed in error."), seen];
    Incident { table, what: Irregularity::SeveralHands { player }, story, wanted: None }
}

fn stopped(chance: &mut Chance, book: &Arc<Rulebook>) -> Incident {
    let (table, player, _) = two_hands(chance, book);
    let story =
        vec![format!("{player} tries to control several hands. The action of {player} is to be stopped.")];
    let wanted = Some(Command::StopAction { player: player.clone(), reason: None });
    Incident { table, what: Irregularity::SeveralHands { player }, story, wanted }
}

fn absent(chance: &mut Chance, book: &Arc<Rulebook>) -> Incident {
    let mut table = table(chance, book);
    let area = *chance.pick(book.following());
    table.play_until(chance, |round| round.stage() == Stage::Deciding(area));
    let (position, player) = first(&table);
    let story = vec![format!("The decision on the {area} is due at {position}, and {player} is not there.")];
    Incident { table, what: Irregularity::Absent { position }, story, wanted: None }
}

fn late_wager(chance: &mut Chance, book: &Arc<Rulebook>) -> Incident {
    let table = in_play(chance, book);
    let Some(position) = table.free_position() else { return taken_off(chance, book) };
    let player = PlayerId::new("Zoe");
    let story = vec![format!("After “No more bets”, {player} puts an Ante on {position}.")];
    let what = Irregularity::LateWager { position, area: PlayingArea::Ante, player };
    Incident { table, what, story, wanted: None }
}

fn taken_off(chance: &mut Chance, book: &Arc<Rulebook>) -> Incident {
    let table = in_play(chance, book);
    let (position, player) = first(&table);
    let story = vec![format!("After “No more bets”, {player} takes the Ante off {position}.")];
    let what = Irregularity::WagerTakenOff { position, area: PlayingArea::Ante, player };
    Incident { table, what, story, wanted: None }
}

fn with_lone_jackpot(chance: &mut Chance, book: &Arc<Rulebook>) -> (Table, Position, PlayerId) {
    let mut table = table(chance, book);
    table.give(&Command::OpenBets {});
    let (position, player) = first(&table);
    table.place_jackpot(position, &player, 1);
    let (other, owner) = table.hands[1].clone();
    let ante = table.ante(chance);
    table.place(other, PlayingArea::Ante, &owner, ante, Means::Chips);
    (table, position, player)
}

fn lone_jackpot(chance: &mut Chance, book: &Arc<Rulebook>) -> Incident {
    let (table, position, player) = with_lone_jackpot(chance, book);
    let cancels = chance.percent(60);
    let area = PlayingArea::Jackpot;
    let wanted = cancels.then(|| Command::TakeBackWager { position, area, owner: player.clone() });
    let end = if cancels { "cancels it" } else { "adds an Ante" };
    let story = vec![
        format!("Bets are open. {player} has a Jackpot wager at {position} and no Ante."),
        format!("When told, {player} {end}."),
    ];
    Incident { table, what: Irregularity::LoneJackpotWager { position }, story, wanted }
}

fn lone_jackpot_late(chance: &mut Chance, book: &Arc<Rulebook>) -> Incident {
    let (mut table, position, player) = with_lone_jackpot(chance, book);
    table.give(&Command::CloseBets {});
    let story = vec![format!(
        "After “No more bets” you see that {player}'s Jackpot wager at {position} has no Ante."
    )];
    Incident { table, what: Irregularity::LoneJackpotWager { position }, story, wanted: None }
}

fn declined(chance: &mut Chance, book: &Arc<Rulebook>) -> Incident {
    let mut table = table(chance, book);
    table.play_until(chance, |round| round.stage() == Stage::Showing);
    let (position, player) = first(&table);
    let views = chance.percent(40);
    let mut story = vec![format!("{player} declines to show the hand at {position}.")];
    let decline = Command::DeclineComparison { position };
    let wanted = if views {
        table.give(&decline);
        story.push("A supervisor is to view it.".to_owned());
        Command::ViewDeclinedHand { position }
    } else {
        decline
    };
    Incident { table, what: Irregularity::Declined { position }, story, wanted: Some(wanted) }
}

fn too_many_positions(chance: &mut Chance, book: &Arc<Rulebook>) -> Incident {
    let setup = Setup { hands: 2, two_hands: true, ..Setup::default() };
    let table = Table::new(chance, book, setup);
    let (_, player) = first(&table);
    let story = vec![format!("The table is crowded. {player} is to be restricted to one position.")];
    Incident { table, what: Irregularity::TooManyPositions { player }, story, wanted: None }
}

fn uncovered(chance: &mut Chance, book: &Arc<Rulebook>) -> Incident {
    let table = in_play(chance, book);
    let words = *chance.pick(&[
        "A drink is spilled over the layout and the cards stick together.",
        "A Player claims that the Dealer nodded at another Player's question.",
        "A fire alarm sounds and everybody leaves the table.",
    ]);
    let void = chance.percent(50);
    let end = if void { "the round is void" } else { "play goes on" };
    let story = vec![words.to_owned(), format!("No rule covers it. It is ruled that {end}.")];
    let effects = if void { vec![Effect::Void] } else { Vec::new() };
    let ruling = Ruling { words: words.to_owned(), effects };
    let wanted = Some(Command::MakeRuling { ruling });
    Incident { table, what: Irregularity::Uncovered { words: words.to_owned() }, story, wanted }
}
