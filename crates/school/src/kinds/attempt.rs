//! May it be done? Somebody asks for something, and the round accepts it or refuses it with a clause.

use std::sync::Arc;

use money::Money;
use round::{Asker, Command, Decision, Event, PlayerId, Round, Stage, TableMemory};
use rulebook::{
    Means, Office, PlayingArea, Position, R3_4, R3_4_1, R3_4_3, R3_5, R3_5_3, R3_6, R3_9_1, R3_10_1, R6_2,
    Rule, Rulebook,
};

use super::other_refusals;
use crate::chance::Chance;
use crate::drill::Made;
use crate::picture::Shows;
use crate::table::{Setup, Table};
use crate::words::{self, R3_5_1, R3_5_2};

/// Something that somebody asks for.
pub(super) struct Attempt {
    pub(super) by: Asker,
    pub(super) command: Command,
    pub(super) story: Vec<String>,
    /// The rules it is about, beside what the round cites.
    pub(super) about: Vec<Rule>,
}

type Situation = fn(&mut Chance, &Arc<Rulebook>) -> (Table, Attempt);

const SITUATIONS: [Situation; 21] = [
    before_bets,
    after_bets,
    second_ante,
    bonus_without_ante,
    jackpot_with_ante,
    jackpot_on_another_position,
    jackpot_multiple,
    jackpot_on_a_blind_hand,
    over_the_maximum,
    share,
    placed_by_staff,
    placed_by_another_player,
    second_position,
    restricted,
    restricting,
    second_view,
    wrong_choice,
    early_show,
    viewing_a_declined_hand,
    another_hand,
    prohibiting,
];

pub(super) fn make(chance: &mut Chance, book: &Arc<Rulebook>) -> Made {
    let situation = *chance.pick(&SITUATIONS);
    let (table, attempt) = situation(chance, book);
    let mut made = Made::new(table.picture(Shows::FaceUp), attempt.story.clone());
    ask(chance, &mut made, &table.round, &attempt);
    made
}

/// Asks whether the round accepts it.
pub(super) fn ask(chance: &mut Chance, made: &mut Made, round: &Round, attempt: &Attempt) {
    let question = "May it be done?";
    match round.decide(&attempt.by, &attempt.command) {
        Ok(events) => {
            let rule = events.iter().find_map(Event::rule);
            let cited = words::known(round.book(), rule.into_iter().chain(attempt.about.iter().copied()));
            let others = other_refusals(chance, round::Reason::WordsAreMissing);
            let wrong: Vec<String> = others.into_iter().map(|sentence| format!("No. {sentence}")).collect();
            made.one_of(chance, question, "Yes", wrong, cited, "The rules allow it here.");
        }
        Err(refusal) => {
            let right = format!("No. {}", refusal.reason.sentence());
            let others = other_refusals(chance, refusal.reason).into_iter().take(2);
            let wrong: Vec<String> =
                others.map(|sentence| format!("No. {sentence}")).chain(["Yes".to_owned()]).collect();
            let cited = [refusal.clause.rule].into_iter().chain(attempt.about.iter().copied());
            let cited = words::known(round.book(), cited);
            made.one_of(chance, question, &right, wrong, cited, refusal.reason.sentence());
        }
    }
}

fn table(chance: &mut Chance, book: &Arc<Rulebook>, hands: usize) -> Table {
    Table::new(chance, book, Setup { hands, jackpot: 0, ..Setup::default() })
}

/// A table with bets open and no wagers.
fn open(chance: &mut Chance, book: &Arc<Rulebook>, hands: usize) -> Table {
    let mut table = table(chance, book, hands);
    table.give(&Command::OpenBets {});
    table
}

fn first(table: &Table) -> (Position, PlayerId) {
    table.hands.first().cloned().expect("the table has a Player")
}

fn place(position: Position, area: PlayingArea, owner: &PlayerId, amount: Money, means: Means) -> Command {
    Command::PlaceWager { position, area, owner: owner.clone(), amount, means }
}

fn sentence(who: &str, area: PlayingArea, amount: Money, position: Position, means: Means) -> String {
    format!("{who} wants to place {amount} on the {area} at {position}, {}.", words::means(means))
}

fn before_bets(chance: &mut Chance, book: &Arc<Rulebook>) -> (Table, Attempt) {
    let table = table(chance, book, 1);
    let (position, player) = first(&table);
    let amount = table.ante(chance);
    let command = place(position, PlayingArea::Ante, &player, amount, Means::Chips);
    let story = vec![
        "You have not called for bets yet.".to_owned(),
        sentence(player.name(), PlayingArea::Ante, amount, position, Means::Chips),
    ];
    (table, Attempt { by: Asker::Player(player), command, story, about: Vec::new() })
}

fn after_bets(chance: &mut Chance, book: &Arc<Rulebook>) -> (Table, Attempt) {
    let mut table = open(chance, book, 2);
    let (position, player) = first(&table);
    let ante = table.ante(chance);
    table.place(position, PlayingArea::Ante, &player, ante, Means::Chips);
    table.give(&Command::CloseBets {});
    let (late, other) = table.hands[1].clone();
    let amount = table.ante(chance);
    let command = place(late, PlayingArea::Ante, &other, amount, Means::Chips);
    let story = vec![
        "“No more bets” was called.".to_owned(),
        sentence(other.name(), PlayingArea::Ante, amount, late, Means::Chips),
    ];
    (table, Attempt { by: Asker::Player(other), command, story, about: Vec::new() })
}

fn second_ante(chance: &mut Chance, book: &Arc<Rulebook>) -> (Table, Attempt) {
    let mut table = open(chance, book, 1);
    let (position, player) = first(&table);
    let least = *table.limits.ante.start();
    table.place(position, PlayingArea::Ante, &player, least, Means::Chips);
    let command = place(position, PlayingArea::Ante, &player, least, Means::Chips);
    let story = vec![
        "Bets are open.".to_owned(),
        format!("{player} has an Ante and wants to place a second one of {least} on the same area."),
    ];
    (table, Attempt { by: Asker::Player(player), command, story, about: Vec::new() })
}

fn bonus_without_ante(chance: &mut Chance, book: &Arc<Rulebook>) -> (Table, Attempt) {
    if !book.areas().contains(&PlayingArea::Bonus) {
        return jackpot_with_ante(chance, book);
    }
    let table = open(chance, book, 1);
    let (position, player) = first(&table);
    let amount = Money::from_cents(1_000);
    let command = place(position, PlayingArea::Bonus, &player, amount, Means::Chips);
    let story = vec![
        format!("Bets are open. {player} has no Ante."),
        sentence(player.name(), PlayingArea::Bonus, amount, position, Means::Chips),
    ];
    (table, Attempt { by: Asker::Player(player), command, story, about: vec![R3_5] })
}

/// A table on whose first position an Ante lies.
fn with_ante(chance: &mut Chance, book: &Arc<Rulebook>, hands: usize) -> Table {
    let mut table = open(chance, book, hands);
    let (position, player) = first(&table);
    let ante = table.ante(chance);
    table.place(position, PlayingArea::Ante, &player, ante, Means::Chips);
    table
}

fn jackpot_means(table: &Table) -> Means {
    table.book.jackpot.means.first().copied().unwrap_or(Means::Credits)
}

fn jackpot_with_ante(chance: &mut Chance, book: &Arc<Rulebook>) -> (Table, Attempt) {
    let table = with_ante(chance, book, 1);
    let (position, player) = first(&table);
    let times = table.multiple(chance);
    let amount = table.minimum.times(times).expect("a few minimums");
    let means = jackpot_means(&table);
    let command = place(position, PlayingArea::Jackpot, &player, amount, means);
    let story = vec![
        format!("Bets are open. The least Jackpot wager is {}.", table.minimum),
        sentence(player.name(), PlayingArea::Jackpot, amount, position, means),
    ];
    (table, Attempt { by: Asker::Player(player), command, story, about: vec![R3_5, R3_5_1, R3_5_3] })
}

fn jackpot_on_another_position(chance: &mut Chance, book: &Arc<Rulebook>) -> (Table, Attempt) {
    let table = with_ante(chance, book, 2);
    let (position, holder) = first(&table);
    let other = table.hands[1].1.clone();
    let (amount, means) = (table.minimum, jackpot_means(&table));
    let command = place(position, PlayingArea::Jackpot, &other, amount, means);
    let story = vec![
        format!("Bets are open. {holder} sits at {position}."),
        sentence(other.name(), PlayingArea::Jackpot, amount, position, means),
    ];
    (table, Attempt { by: Asker::Player(other), command, story, about: vec![R3_5_1] })
}

fn jackpot_multiple(chance: &mut Chance, book: &Arc<Rulebook>) -> (Table, Attempt) {
    let table = with_ante(chance, book, 1);
    let (position, player) = first(&table);
    let most: u64 = (*book.jackpot.multiples.end()).into();
    let times = chance.between(1, most + 2);
    let amount = table.minimum.times(times).expect("a few minimums");
    let means = jackpot_means(&table);
    let command = place(position, PlayingArea::Jackpot, &player, amount, means);
    let story = vec![
        format!("Bets are open. The least Jackpot wager is {}.", table.minimum),
        sentence(player.name(), PlayingArea::Jackpot, amount, position, means),
    ];
    (table, Attempt { by: Asker::Player(player), command, story, about: vec![R3_5_3] })
}

fn jackpot_on_a_blind_hand(chance: &mut Chance, book: &Arc<Rulebook>) -> (Table, Attempt) {
    let setup = Setup { hands: 2, two_hands: true, jackpot: 0, ..Setup::default() };
    let mut table = Table::new(chance, book, setup);
    table.give(&Command::OpenBets {});
    for (position, player) in table.hands.clone() {
        let ante = table.ante(chance);
        table.place(position, PlayingArea::Ante, &player, ante, Means::Chips);
    }
    let (first, player) = first(&table);
    table.place_jackpot(first, &player, 1);
    let second = table.hands[1].0;
    let (amount, means) = (table.minimum, jackpot_means(&table));
    let command = place(second, PlayingArea::Jackpot, &player, amount, means);
    let story = vec![
        format!("Bets are open. {player} plays two positions and can view the hand of one only."),
        format!("{player} has a Jackpot wager at {first} and wants to place one at {second} too."),
    ];
    (table, Attempt { by: Asker::Player(player), command, story, about: vec![R3_5_2] })
}

fn over_the_maximum(chance: &mut Chance, book: &Arc<Rulebook>) -> (Table, Attempt) {
    let table = open(chance, book, 1);
    let (position, player) = first(&table);
    let over = Money::from_cents(500 * chance.between(0, 4));
    let amount = table.limits.ante.end().plus(over).expect("limits of a table");
    let command = place(position, PlayingArea::Ante, &player, amount, Means::Credits);
    let story = vec![
        "Bets are open.".to_owned(),
        sentence(player.name(), PlayingArea::Ante, amount, position, Means::Credits),
    ];
    (table, Attempt { by: Asker::Player(player), command, story, about: vec![R3_4] })
}

fn share(chance: &mut Chance, book: &Arc<Rulebook>) -> (Table, Attempt) {
    let mut table = open(chance, book, 2);
    let (position, holder) = first(&table);
    let least = *table.limits.ante.start();
    table.place(position, PlayingArea::Ante, &holder, least, Means::Credits);
    let other = table.hands[1].1.clone();
    let most = *table.limits.ante.end();
    let amount = if chance.percent(50) { least } else { most };
    let command = place(position, PlayingArea::Ante, &other, amount, Means::Credits);
    let story = vec![
        format!("Bets are open. {holder} has an Ante of {least} at {position}."),
        format!("{other} wants to add {amount} to it, in credits at the terminal."),
    ];
    (table, Attempt { by: Asker::Player(other), command, story, about: vec![R3_4] })
}

fn placed_by_staff(chance: &mut Chance, book: &Arc<Rulebook>) -> (Table, Attempt) {
    let table = open(chance, book, 1);
    let (position, player) = first(&table);
    let office = *chance.pick(&[Office::Dealer, Office::PitSupervisor, Office::PitManager]);
    let amount = table.ante(chance);
    let command = place(position, PlayingArea::Ante, &player, amount, Means::Chips);
    let story = vec![
        "Bets are open.".to_owned(),
        format!("{player} asks the {office} to place {amount} on the Ante at {position}."),
    ];
    (table, Attempt { by: Asker::Staff(office), command, story, about: vec![R3_6] })
}

fn placed_by_another_player(chance: &mut Chance, book: &Arc<Rulebook>) -> (Table, Attempt) {
    let table = open(chance, book, 2);
    let (position, player) = first(&table);
    let other = table.hands[1].1.clone();
    let amount = table.ante(chance);
    let command = place(position, PlayingArea::Ante, &player, amount, Means::Chips);
    let story = vec![
        "Bets are open.".to_owned(),
        format!("{other} wants to place {amount} of {player}'s money on the Ante at {position}."),
    ];
    (table, Attempt { by: Asker::Player(other), command, story, about: Vec::new() })
}

fn second_position(chance: &mut Chance, book: &Arc<Rulebook>) -> (Table, Attempt) {
    let mut table = table(chance, book, 1);
    let (_, player) = first(&table);
    let told = chance.percent(50);
    if told {
        table.give(&Command::InformPlayer { player: player.clone() });
    }
    let position = table.free_position().expect("the table has a free position");
    let command = Command::TakePosition { position, player: player.clone() };
    let was = if told { "You told" } else { "Nobody told" };
    let story = vec![
        format!("{was} {player} that only one hand may be viewed."),
        format!("{player} holds one position and wants to take {position} too."),
    ];
    (table, Attempt { by: Asker::Player(player), command, story, about: vec![R3_4_1] })
}

fn restricted(chance: &mut Chance, book: &Arc<Rulebook>) -> (Table, Attempt) {
    let mut memory = TableMemory::default();
    memory.restricted.insert(PlayerId::new("Ann"));
    let table = Table::with_memory(chance, book, Setup { hands: 1, ..Setup::default() }, memory);
    let (_, player) = first(&table);
    let position = table.free_position().expect("the table has a free position");
    let command = Command::TakePosition { position, player: player.clone() };
    let story = vec![
        format!("The Pit Manager has restricted {player} to one position."),
        format!("{player} holds one position and wants to take {position} too."),
    ];
    (table, Attempt { by: Asker::Player(player), command, story, about: Vec::new() })
}

fn restricting(chance: &mut Chance, book: &Arc<Rulebook>) -> (Table, Attempt) {
    let table = table(chance, book, 1);
    let (_, player) = first(&table);
    let office = *chance.pick(&Office::ALL);
    let command = Command::RestrictPlayer { player: player.clone() };
    let story = vec![format!("The {office} wants to restrict {player} to one position.")];
    (table, Attempt { by: Asker::Staff(office), command, story, about: vec![R3_4_3, R6_2] })
}

fn second_view(chance: &mut Chance, book: &Arc<Rulebook>) -> (Table, Attempt) {
    let mut table = Table::new(chance, book, Setup { hands: 2, two_hands: true, ..Setup::default() });
    table.play_until(chance, |round| matches!(round.stage(), Stage::Deciding(_)));
    let (seen, player) = first(&table);
    table.give_by(&Asker::Player(player.clone()), &Command::ViewHand { position: seen });
    let position = table.hands[1].0;
    let command = Command::ViewHand { position };
    let story = vec![
        format!("{player} plays two positions and has viewed the hand at {seen}."),
        format!("{player} wants to view the hand at {position} too."),
    ];
    (table, Attempt { by: Asker::Player(player), command, story, about: Vec::new() })
}

fn wrong_choice(chance: &mut Chance, book: &Arc<Rulebook>) -> (Table, Attempt) {
    let mut table = Table::new(chance, book, Setup { hands: 1, folds: 0, ..Setup::default() });
    let areas = book.following();
    let area = *chance.pick(areas);
    table.play_until(chance, |round| round.stage() == Stage::Deciding(area));
    let (position, player) = first(&table);
    let decision = *chance.pick(&[Decision::Fold, Decision::Check]);
    let command = Command::Decide { position, decision };
    let wants = match decision {
        Decision::Fold => "fold",
        Decision::Check => "check",
        Decision::Wager => "wager",
    };
    let story = vec![format!("The decision on the {area} is due. {player} wants to {wants}.")];
    (table, Attempt { by: Asker::Player(player), command, story, about: vec![R3_9_1] })
}

fn early_show(chance: &mut Chance, book: &Arc<Rulebook>) -> (Table, Attempt) {
    let mut table = Table::new(chance, book, Setup { hands: 1, folds: 0, ..Setup::default() });
    let first_area = book.first_area();
    table.play_until(chance, |round| round.stage() == Stage::Deciding(first_area));
    let (position, player) = first(&table);
    let command = Command::ShowHand { position };
    let story = vec![
        "The Dealer's hand is still closed.".to_owned(),
        format!("{player} wants to turn over the hand at {position} for comparison."),
    ];
    (table, Attempt { by: Asker::Player(player), command, story, about: Vec::new() })
}

fn viewing_a_declined_hand(chance: &mut Chance, book: &Arc<Rulebook>) -> (Table, Attempt) {
    let setup = Setup { hands: 1, folds: 0, declines: 100, ..Setup::default() };
    let mut table = Table::new(chance, book, setup);
    table.play_until(chance, |round| round.stage() == Stage::Settling);
    let (position, player) = first(&table);
    let office = *chance.pick(&Office::ALL);
    let command = Command::ViewDeclinedHand { position };
    let story = vec![
        format!("{player} has declined to show the hand at {position}."),
        format!("The {office} wants to view it."),
    ];
    (table, Attempt { by: Asker::Staff(office), command, story, about: vec![R3_10_1, R6_2] })
}

fn another_hand(chance: &mut Chance, book: &Arc<Rulebook>) -> (Table, Attempt) {
    let mut table = Table::new(chance, book, Setup { hands: 2, folds: 0, ..Setup::default() });
    let first_area = book.first_area();
    table.play_until(chance, |round| round.stage() == Stage::Deciding(first_area));
    let (position, player) = first(&table);
    let other = table.hands[1].1.clone();
    let command = Command::Decide { position, decision: Decision::Wager };
    let story = vec![format!("{other} wants to make the wager of {player}'s hand at {position}.")];
    (table, Attempt { by: Asker::Player(other), command, story, about: Vec::new() })
}

fn prohibiting(chance: &mut Chance, book: &Arc<Rulebook>) -> (Table, Attempt) {
    let mut table = Table::new(chance, book, Setup { hands: 2, folds: 0, ..Setup::default() });
    let first_area = book.first_area();
    table.play_until(chance, |round| round.stage() == Stage::Deciding(first_area));
    let (_, player) = first(&table);
    let office = *chance.pick(&Office::ALL);
    let (command, what) = if chance.percent(50) {
        (Command::ProhibitPlayer { player: player.clone(), reason: None }, "prohibit further play by")
    } else {
        (Command::StopAction { player: player.clone(), reason: None }, "stop the action of")
    };
    let story = vec![format!("The {office} wants to {what} {player}.")];
    (table, Attempt { by: Asker::Staff(office), command, story, about: vec![R6_2] })
}
