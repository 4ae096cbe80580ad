//! A whole floor in memory: its automatic dealer with timers, wallets, seeds and salts.

use automatic::Pace;
use floor::{Command, HouseCommand, TableCommand};
use journal::Actor;
use money::Money;
use round::{PlayerId, Round, Stage};
use rulebook::Means;

use super::play::{Game, People, Played, Playing, Venue, draw_wagers};
use super::policy::Policy;
use crate::dice::Dice;
use crate::evening::{Evening, automatic, millis};
use crate::support::{Hall, commit_salts, manager, open_salt, table};

/// As quick as can be. The pauses leave time to act before hands are shown, and to look at the settlement.
const PACE: Pace = Pace { decide_ms_max: 50, show_ms: 5, settle_ms: 5, next_round_ms: 5, ..Pace::quick() };

/// The name of the table.
const TABLE: &str = "A";

/// Enough for all rounds.
const CREDITS_CENTS: u64 = 100_000_000_000;

/// After so many commands the floor's notes of them are dropped.
const NOTES_MAX: usize = 1_000;

struct FloorTable {
    evening: Evening,
}

/// Plays so many rounds of a policy, and passes each to `score`. What the Players' wallets hold must agree with the
/// settlements.
pub(super) fn play(
    game: &Game,
    id: &str,
    policy: Policy,
    readings: &[(&str, &str)],
    rounds: u64,
    dice: &mut Dice,
    mut score: impl FnMut(&Played),
) {
    let people = People::new();
    let mut table = FloorTable::open(id, readings, &people);
    // Other cards for every policy and seed.
    table.evening.hall.memory.drawn = dice.below(1 << 60);
    for position in policy.positions() {
        while table.round().stage() != Stage::BeforeBets && table.round().stage() != Stage::BetsOpen {
            table.step();
        }
        let player = people.player.clone();
        let take = round::Command::TakePosition { position: *position, player: player.clone() };
        assert!(table.give(&player, take), "position {position} is free");
        table.step();
    }
    for _ in 0..rounds {
        table.salts(policy);
        while table.round().stage() != Stage::BetsOpen {
            table.step();
        }
        let before = table.wallets(&people);
        let withholds = policy == Policy::WithholdsSalts && dice.one_in(2);
        let wagered = draw_wagers(game, policy, false, dice);
        let mut venue = Salting { table: &mut table, withholds };
        let played = Playing { game, people: &people, venue: &mut venue, dice }.round(policy, wagered);
        let won = table.wallets(&people) - before;
        assert_eq!(won, played.net_cents, "the wallets and the settlement disagree");
        score(&played);
        table.forget_notes();
    }
}

impl FloorTable {
    fn open(id: &str, readings: &[(&str, &str)], people: &People) -> FloorTable {
        let mut hall = match readings {
            [] => Hall::demonstration(),
            [(name, value)] => Hall::demonstration_with(name, value),
            _ => panic!("a whole floor is read with one other reading at most"),
        };
        for player in [&people.player, &people.accomplice] {
            let (player, amount) = (player.clone(), Money::from_cents(CREDITS_CENTS));
            let grant = HouseCommand::GrantCredits { player, amount, means: Means::Credits };
            hall.done(&manager(), &Command::House(grant));
        }
        FloorTable { evening: Evening::at_table_of(hall, automatic(id, None), PACE, Vec::new()) }
    }

    fn wallets(&self, people: &People) -> i64 {
        let holds = |player: &PlayerId| self.evening.hall.wallet(player.name());
        i64::try_from(holds(&people.player) + holds(&people.accomplice)).expect("credits fit")
    }

    /// Commits to a chain of salts, where the policy keeps one and has none.
    fn salts(&mut self, policy: Policy) {
        let has_chain = self.evening.hall.next_salt(TABLE, "Ann").is_some();
        if policy == Policy::WithholdsSalts && !has_chain {
            let ann = Actor::Player(PlayerId::new("Ann"));
            // Refused where that chain is the present one; another is taken then.
            let mut chains = (0..4).map(|which| commit_salts(TABLE, "Ann", which));
            let taken = chains.any(|commit| self.evening.give(&ann, &commit).is_ok());
            assert!(taken, "no chain of salts is taken");
        }
    }

    fn forget_notes(&mut self) {
        if NOTES_MAX < self.evening.hall.given.len() {
            self.evening.hall.given.clear();
            self.evening.hall.times.clear();
            self.evening.given.clear();
            self.evening.stages.clear();
        }
    }
}

impl Venue for FloorTable {
    fn round(&self) -> &Round {
        self.evening.hall.round(TABLE)
    }

    fn give(&mut self, player: &PlayerId, command: round::Command) -> bool {
        let command = Command::Table { table: table(TABLE), command: TableCommand::Round(command) };
        self.evening.give(&Actor::Player(player.clone()), &command).is_ok()
    }

    fn fail(&mut self) {
        self.evening.play(&Actor::System, round::Command::ReportPowerFailure {});
    }

    fn step(&mut self) {
        self.evening.pass(millis(1));
    }
}

/// A table whose Player opens salts that are awaited, or does not.
struct Salting<'a> {
    table: &'a mut FloorTable,
    withholds: bool,
}

impl Venue for Salting<'_> {
    fn round(&self) -> &Round {
        self.table.round()
    }

    fn give(&mut self, player: &PlayerId, command: round::Command) -> bool {
        self.table.give(player, command)
    }

    fn fail(&mut self) {
        self.table.fail();
    }

    fn step(&mut self) {
        let hall = &self.table.evening.hall;
        let awaited = !hall.floor.table(&table(TABLE)).expect("a table").awaited().is_empty();
        if awaited
            && !self.withholds
            && let Some(salt) = hall.next_salt(TABLE, "Ann")
        {
            let opened =
                self.table.evening.give(&Actor::Player(PlayerId::new("Ann")), &open_salt(TABLE, "Ann", salt));
            opened.expect("the next salt of the chain");
        }
        self.table.step();
    }
}
