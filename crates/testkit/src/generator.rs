//! Random valid records of all four rulebooks in the style of `cases/`, with many rare hands; and records with
//! exactly one fault.
//!
//! Cases that the format does not define are not generated: positions are in ascending order, a Turn and River
//! decision goes with every Flop wager, irregularities name positions with wagers, and a player who withdraws does so
//! everywhere and before anything is won or lost.

mod broken;
mod chance;
mod deal;
mod plans;

use serde_json::{Value, json};

use chance::Chance;
use deal::{Deal, HOLDEM_PLANTS, Plant, STUD_PLANTS, deal_holdem, deal_stud, name};

/// A source of records, the same for the same seed.
pub struct Generator {
    chance: Chance,
    made: u64,
    planted: &'static str,
}

/// What the generator needs to know about a rulebook.
#[derive(Clone, Copy)]
struct Book {
    id: &'static str,
    stud: bool,
    positions_min: u64,
    positions_max: u64,
    multiples: u64,
}

const BOOKS: [Book; 4] = [
    Book { id: "megalink-holdem-v9", stud: false, positions_min: 1, positions_max: 7, multiples: 5 },
    Book { id: "megalink-holdem-v6", stud: false, positions_min: 4, positions_max: 6, multiples: 1 },
    Book { id: "megalink-stud-v9", stud: true, positions_min: 1, positions_max: 7, multiples: 5 },
    Book { id: "holdem-progressive-v6", stud: false, positions_min: 4, positions_max: 7, multiples: 1 },
];

/// A minimum and a maximum.
type Limits = (u64, u64);

/// A position before its wagers: its player, and its hand if it has one.
struct Seat {
    position: u64,
    player: String,
    hand: Option<usize>,
}

impl Seat {
    fn is_hand_of(&self, player: &str) -> bool {
        self.hand.is_some() && self.player == player
    }
}

impl Generator {
    /// A generator whose records depend only on `seed`.
    pub fn new(seed: u64) -> Generator {
        Generator { chance: Chance::new(seed), made: 0, planted: "nothing" }
    }

    /// The next valid record.
    pub fn next_record(&mut self) -> Value {
        let book = self.chance.pick(&BOOKS);
        let plant = self.choose_plant(book);
        self.planted = plant.0;
        let needed = u64::try_from(plant.1).expect("a few hands");

        let table_positions = self.chance.between(book.positions_min.max(needed), book.positions_max);
        let seats = self.seats(table_positions, needed);
        let hands = seats.iter().filter(|seat| seat.hand.is_some()).count();
        let deal = if book.stud {
            deal_stud(&mut self.chance, plant.0, hands)
        } else {
            deal_holdem(&mut self.chance, plant.0, hands)
        };

        let minimum = self.chance.pick(&[500, 1_000, 2_500, 5_000, 10_000, 12_345]);
        let times = self.chance.pick(&[1, 10, 20, 40, 100]);
        let ante_limits = (minimum, minimum * times);
        let bonus_limits = self.chance.pick(&[(500, 50_000), (500, 50_000), (100, 2_500), (777, 77_777)]);
        let positions: Vec<Value> =
            seats.iter().map(|seat| self.position(book, seat, &deal, ante_limits, bonus_limits)).collect();

        let mut record = json!({
            "id": format!("g{}", self.made),
            "rulebook": book.id,
            "table": { "positions": table_positions, "limits": { "ante": [ante_limits.0, ante_limits.1] } },
            "jackpot": self.jackpot(),
            "positions": positions,
            "dealer": deal.dealer.iter().copied().map(name).collect::<Vec<String>>(),
        });
        self.made += 1;
        if !book.stud {
            record["table"]["limits"]["bonus"] = json!([bonus_limits.0, bonus_limits.1]);
            record["community"] = deal.community.iter().copied().map(name).collect();
        }
        if let Some(warned) = self.warned(&seats) {
            record["table"]["warned"] = warned;
        }
        if self.chance.percent(18) {
            let count = self.chance.pick(&[1, 1, 1, 1, 1, 2]);
            let mut irregularities: Vec<Value> = (0..count).map(|_| self.irregularity(&seats)).collect();
            // Two of them could invalidate all hands of a player.
            if irregularities.iter().all(|irregularity| irregularity["kind"] == "several-hands") {
                irregularities.truncate(1);
            }
            for irregularity in &irregularities {
                stay_undecided(&mut record, irregularity);
            }
            record["irregularities"] = irregularities.into();
        }
        record
    }

    /// A line that is not a valid record, and its fault. There is exactly one fault.
    pub fn next_broken(&mut self) -> (String, &'static str) {
        broken::next_broken(self)
    }

    /// What was planted in the last record; "nothing" if nothing was.
    pub fn planted(&self) -> &'static str {
        self.planted
    }

    /// All values that [`Generator::planted`] can return.
    pub fn plants() -> Vec<&'static str> {
        let mut plants = vec!["nothing"];
        plants.extend(HOLDEM_PLANTS.iter().map(|plant| plant.0));
        plants.extend(STUD_PLANTS.iter().map(|plant| plant.0));
        plants
    }

    fn choose_plant(&mut self, book: Book) -> Plant {
        if self.chance.percent(40) {
            return ("nothing", 1);
        }
        if book.stud { self.chance.pick(&STUD_PLANTS) } else { self.chance.pick(&HOLDEM_PLANTS) }
    }

    /// The seats, in ascending order of position. At least `needed` have a hand.
    fn seats(&mut self, table_positions: u64, needed: u64) -> Vec<Seat> {
        let taken = self.chance.between(needed, table_positions);
        let mut numbers: Vec<u64> = (1..=table_positions).collect();
        self.chance.shuffle(&mut numbers);
        let spare = numbers.split_off(usize::try_from(taken).expect("a few positions"));
        numbers.sort_unstable();

        let mut seats = Vec::new();
        for (hand, position) in numbers.iter().enumerate() {
            seats.push(Seat { position: *position, player: format!("P{position}"), hand: Some(hand) });
        }
        // One player on several positions.
        if seats.len() > 1 && self.chance.percent(20) {
            let owner = seats[0].player.clone();
            let second = 1 + self.chance.index(seats.len() - 1);
            for (i, seat) in seats.iter_mut().enumerate() {
                if i == second || self.chance.percent(30) {
                    seat.player.clone_from(&owner);
                }
            }
        }
        // A jackpot wager alone, without Ante and cards.
        if let Some(position) = spare.first()
            && self.chance.percent(12)
        {
            seats.push(Seat { position: *position, player: format!("P{position}"), hand: None });
            seats.sort_by_key(|seat| seat.position);
        }
        seats
    }

    fn position(&mut self, book: Book, seat: &Seat, deal: &Deal, ante: Limits, bonus: Limits) -> Value {
        let mut entry = json!({ "position": seat.position, "player": seat.player });
        let Some(hand) = seat.hand else {
            entry["jackpot"] = json!(self.chance.between(1, book.multiples));
            return entry;
        };
        let special = deal.special.contains(&hand);
        entry["ante"] = json!(self.wager(ante));
        entry["cards"] = deal.hands[hand].iter().copied().map(name).collect();
        if !book.stud && self.chance.percent(if special { 80 } else { 55 }) {
            entry["bonus"] = json!(self.wager(bonus));
        }
        if self.chance.percent(if special { 88 } else { 65 }) {
            entry["jackpot"] = json!(self.chance.between(1, book.multiples));
        }
        let decision = self.chance.pick(&["bet", "bet", "bet", "bet", "bet", "bet", "bet", "fold", "fold"]);
        let decision = if self.chance.percent(5) { "absent" } else { decision };
        entry["decision"] = json!(decision);
        if decision == "bet" {
            if !book.stud {
                entry["turn"] = json!(self.chance.pick(&["bet", "check"]));
                entry["river"] = json!(self.chance.pick(&["bet", "check"]));
            }
            if self.chance.percent(6) {
                entry["declines"] = json!(true);
            } else if self.chance.percent(3) {
                entry["declines"] = json!(false);
            }
        }
        entry
    }

    /// A wager: mostly within the limits, sometimes exactly at a limit or outside.
    fn wager(&mut self, (minimum, maximum): Limits) -> u64 {
        match self.chance.below(20) {
            0 => minimum,
            1 => maximum,
            2 => minimum - 1,
            3 => maximum + 1,
            4 => self.chance.between(1, minimum),
            5 => self.chance.between(maximum, maximum * 3),
            6..=8 => self.chance.between(minimum, maximum),
            _ => (self.chance.between(minimum, maximum) / 500 * 500).max(minimum),
        }
    }

    fn jackpot(&mut self) -> Value {
        let meter = match self.chance.below(20) {
            0 => self.chance.below(100),
            1 => self.chance.below(20_000),
            2 | 3 => self.chance.below(10_000_000),
            4 => self.chance.between(1_000_000_000, 1_000_000_000_000),
            5 => self.chance.between(1_000_000_000_000, 100_000_000_000_000),
            _ => self.chance.between(10_000_000, 300_000_000),
        };
        let random_rate = self.chance.between(1, 9_999);
        let rate = self.chance.pick(&[2_500, 6_175, 7_333, 7_333, 3_333, 1, 9_999, 10_000, 0, random_rate]);
        let mut jackpot = json!({
            "meter": meter,
            "reset": self.chance.pick(&[10_000_000_u64, 10_000_000, 10_000_000, 5_000_003, 1, 25_000_001, 0]),
            "minimum_wager": self.chance.pick(&[500, 500, 500, 100, 250, 1_000, 333, 777, 1]),
            "contribution_bps": rate,
        });
        if self.chance.percent(90) {
            let random_fraction = self.chance.below(10_000);
            jackpot["fraction"] = json!(self.chance.pick(&[random_fraction, random_fraction, 0, 9_999]));
        }
        jackpot
    }

    /// Some players at the table, and sometimes one who is not.
    fn warned(&mut self, seats: &[Seat]) -> Option<Value> {
        if !self.chance.percent(30) {
            return None;
        }
        let mut players: Vec<String> = Vec::new();
        for seat in seats {
            if self.chance.percent(40) && !players.contains(&seat.player) {
                players.push(seat.player.clone());
            }
        }
        if self.chance.percent(10) {
            players.push("P99".to_string());
        }
        Some(json!(players))
    }

    fn irregularity(&mut self, seats: &[Seat]) -> Value {
        match self.chance.below(13) {
            0 => json!({ "kind": "foreign-card" }),
            1 => json!({ "kind": "wrong-count-of-deck" }),
            2 => json!({ "kind": "dealer-or-community-count" }),
            3 => json!({ "kind": "cards-exposed", "count": self.chance.between(2, 4) }),
            4 => json!({ "kind": "cards-exposed", "count": 1 }),
            5 | 6 => {
                let with_cards: Vec<u64> =
                    seats.iter().filter(|seat| seat.hand.is_some()).map(|seat| seat.position).collect();
                let position = self.chance.pick(&with_cards);
                let withdraw = self.some_players(seats, 25);
                json!({ "kind": "player-count", "position": position, "withdraw": withdraw })
            }
            7 | 8 => {
                let player = seats[self.chance.index(seats.len())].player.clone();
                json!({ "kind": "prohibited", "positions": positions_of(seats, &player) })
            }
            9 | 10 => {
                // All but one of a player's hands. If nobody has several, the record names its positions, not its
                // players, and any hand may be invalid.
                let hands = |player: &str| seats.iter().filter(|seat| seat.is_hand_of(player)).count();
                let several = seats.iter().any(|seat| 1 < hands(&seat.player));
                let hands: Vec<&Seat> = seats
                    .iter()
                    .filter(|seat| seat.hand.is_some() && (!several || 1 < hands(&seat.player)))
                    .collect();
                let player = hands[self.chance.index(hands.len())].player.clone();
                let mut invalid: Vec<u64> =
                    seats.iter().filter(|seat| seat.is_hand_of(&player)).map(|seat| seat.position).collect();
                if invalid.len() > 1 {
                    let viewed = self.chance.index(invalid.len());
                    invalid.remove(viewed);
                }
                json!({ "kind": "several-hands", "invalid": invalid })
            }
            _ => {
                let share = self.chance.pick(&[0, 40, 100]);
                json!({ "kind": "power-failure", "withdraw": self.some_players(seats, share) })
            }
        }
    }

    /// All positions of some players. Each player is chosen with this probability.
    fn some_players(&mut self, seats: &[Seat], percent: u64) -> Vec<u64> {
        let mut chosen: Vec<&str> = Vec::new();
        let mut passed: Vec<&str> = Vec::new();
        for seat in seats {
            if !chosen.contains(&seat.player.as_str()) && !passed.contains(&seat.player.as_str()) {
                if self.chance.percent(percent) {
                    chosen.push(&seat.player);
                } else {
                    passed.push(&seat.player);
                }
            }
        }
        let mut positions: Vec<u64> = Vec::new();
        for player in chosen {
            positions.extend(positions_of(seats, player));
        }
        self.chance.shuffle(&mut positions);
        positions
    }
}

/// A hand that was withdrawn after a power failure had won or lost nothing by then (5.16.1): it had not folded, had not
/// declined comparison, and had no wager on Turn or River.
fn stay_undecided(record: &mut Value, irregularity: &Value) {
    if irregularity["kind"] != "power-failure" {
        return;
    }
    let withdrew = irregularity["withdraw"].as_array().cloned().unwrap_or_default();
    for position in record["positions"].as_array_mut().into_iter().flatten() {
        let hand = position.as_object_mut().expect("a position is an object");
        if !withdrew.contains(&hand["position"]) || hand.get("decision").is_none_or(|made| made == "absent") {
            continue;
        }
        if hand["decision"] == "fold" {
            hand.insert("decision".to_owned(), json!("absent"));
        }
        hand.remove("declines");
        for area in ["turn", "river"] {
            if hand.contains_key(area) {
                hand.insert(area.to_owned(), json!("check"));
            }
        }
    }
}

fn positions_of(seats: &[Seat], player: &str) -> Vec<u64> {
    seats.iter().filter(|seat| seat.player == player).map(|seat| seat.position).collect()
}

#[cfg(test)]
mod tests;
