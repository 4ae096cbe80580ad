//! How far results stray: all wagers of a round together, sessions, ruin, and the house's bankroll.
//!
//! [`Joint`] is the exact distribution of a round under perfect play: what the main game, the Bonus and the hand that the
//! Jackpot looks at come to in the same deal. Amounts turn it into cents; `session` convolves it.

mod session;

use cards::HandOrder;
use rulebook::{JackpotLine, JackpotRules, Pays, Rulebook};
use serde::Serialize;

use crate::exact::jackpot::{fixed_sum, percent_sum};
use crate::exact::{Lab, LabError, Question};
use crate::game::{Case, game_of};
use crate::rules::{self, RuleList};

use session::gcd;
pub use session::{Outcomes, Ruin, Session, ruin, sessions};

/// Everything a round can come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joint {
    /// How many deals there are.
    pub deals: u64,
    pub rows: Vec<JointRow>,
}

/// Deals that come to the same in every wager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointRow {
    /// What the main game brings, in Antes.
    pub base: i64,
    /// What the Bonus brings, in Bonus wagers; 0 without one.
    pub bonus: i64,
    /// The lines of the Jackpot's table that are paid, one bit each, from the first.
    pub lines: u32,
    pub deals: u64,
}

/// What is wagered in every round, and how the meter is funded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stakes {
    pub ante_cents: u64,
    /// The Bonus; 0 for none.
    pub bonus_cents: u64,
    /// The Jackpot wager, all its units; 0 for none.
    pub jackpot_cents: u64,
    /// The meter that shares are taken of.
    pub meter_cents: u64,
    /// How much of a Jackpot wager goes to meter and reserve, in ten-thousandths.
    pub set_aside_bps: u16,
    /// What the house pays when the meter restarts; 0 where a reserve does.
    pub reset_cents: u64,
}

/// What is asked beside the stakes.
#[derive(Clone, Debug, PartialEq)]
pub struct Questions {
    /// The lengths of sessions, in rounds.
    pub rounds: Vec<u32>,
    /// Bankrolls, in cents.
    pub bankrolls_cents: Vec<u64>,
    /// How many seats are played at the table.
    pub seats: u8,
    /// How many rounds are dealt in an hour.
    pub rounds_an_hour: u32,
    /// Whether the rule lists that come with the program are priced.
    pub with_rule_lists: bool,
}

/// The most rounds of a session.
pub const ROUNDS_MAX: u32 = 20_000;
/// The finest step of results, in parts of the widest loss of a round, by the rounds of the longest session: a finer one
/// would take too long. With a step of any size the mean is exact, and the variance of a round is off by less than a quarter
/// of its square.
fn steps_of_a_loss(rounds: u32) -> i64 {
    (400_000 / i64::from(rounds.max(1))).clamp(64, 4_096)
}

/// What wagers come to, in cents a round.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Risk {
    pub rulebook: String,
    /// Each wager alone, then all together.
    pub wagers: Vec<WagerRisk>,
    /// The covariances of main game, Bonus and Jackpot, in cents squared, in this order.
    pub covariance: [[f64; 3]; 3],
    /// Results are counted in steps of so many cents; what is no multiple of it, such as shares of the meter, is shared out
    /// between the two next to it.
    pub step_cents: u64,
    pub sessions: Vec<SessionRisk>,
    /// The chance to lose a bankroll within a session, for each bankroll and length.
    pub ruin: Vec<RuinRisk>,
    pub house: HouseRisk,
    /// What the house wins in an hour, by how the players play.
    pub hour: Vec<HourRisk>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WagerRisk {
    pub wager: &'static str,
    pub net_cents: f64,
    pub standard_deviation_cents: f64,
    /// How often the wager brings more than it takes, as much, and less.
    pub won: f64,
    pub level: f64,
    pub lost: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SessionRisk {
    pub rounds: u32,
    pub net_cents: f64,
    pub standard_deviation_cents: f64,
    pub ahead: f64,
    pub level: f64,
    /// The chance that the session wins all of the meter. It counts above every other result.
    pub wins_meter: f64,
    pub percentiles: Vec<SessionPercentile>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SessionPercentile {
    pub chance: f64,
    /// So many per cent of sessions end at or below this; none where they win all of the meter.
    pub net_cents: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RuinRisk {
    pub bankroll_cents: u64,
    pub rounds: u32,
    pub chance: f64,
}

/// The house against one seat, and the bankroll that all seats take at most.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HouseRisk {
    /// What a round of one seat brings the house, contributions and resets taken off.
    pub net_cents: f64,
    pub standard_deviation_cents: f64,
    pub seats: u8,
    /// A bankroll that the house ever loses with no more than this chance.
    pub bankrolls: Vec<HouseBankroll>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HouseBankroll {
    pub chance: f64,
    /// None where the house has no edge.
    pub cents: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HourRisk {
    pub strategy: String,
    /// What the house keeps of an Ante.
    pub house_edge: f64,
    /// What it wins in an hour of all seats with all wagers.
    pub win_cents: f64,
}

pub const PERCENTILES: [f64; 7] = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];
const HOUSE_CHANCES: [f64; 3] = [0.05, 0.01, 0.001];

/// The exact distribution of a round. Refused where the game or its jackpot is not counted.
pub fn joint(lab: &Lab, book: &Rulebook, question: &Question, with_bonus: bool) -> Result<Joint, LabError> {
    question.check()?;
    game_of(book).joint(Case { lab, book, question }, with_bonus)
}

/// The hands of a Jackpot whose lines all look at the same five cards, each with its line, one bit.
pub(crate) fn lines_by_hand(rules: &JackpotRules) -> Vec<(HandOrder, u32)> {
    let line = |hand: HandOrder| {
        let is_line = |line: &JackpotLine| line.hand == hand;
        rules.lines.iter().any(is_line).then(|| (hand, line_bit(rules, is_line)))
    };
    HandOrder::ALL.into_iter().filter_map(line).collect()
}

/// The bit of the first line of a table that is looked for.
pub(crate) fn line_bit(rules: &JackpotRules, is_line: impl Fn(&JackpotLine) -> bool) -> u32 {
    1 << rules.lines.iter().position(is_line).expect("a line that is paid is in the table")
}

/// The cents that some lines pay, each rounded down as it is paid.
fn paid_cents(rules: &JackpotRules, lines: u32, wager_cents: u64, meter_cents: u64) -> i128 {
    let paid = |line: &JackpotLine| {
        let one = std::slice::from_ref(line);
        percent_sum(one, &[1]) * i128::from(meter_cents) / 100 + fixed_sum(one, &[1], wager_cents)
    };
    paid_lines(rules, lines).map(paid).sum()
}

/// Some lines of a table, by their bits.
fn paid_lines(rules: &JackpotRules, lines: u32) -> impl Iterator<Item = &JackpotLine> {
    rules.lines.iter().enumerate().filter(move |(place, _)| lines >> place & 1 == 1).map(|(_, line)| line)
}

/// Whether a line pays all of the meter.
fn pays_meter(line: &JackpotLine) -> bool {
    matches!(line.pays, Pays::Share(percent) if percent.value() == 100)
}

/// A round in cents: what each wager brings, and the chance.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Round {
    base: f64,
    bonus: f64,
    /// What the Jackpot brings, its stake taken off.
    jackpot: f64,
    /// What the house gets of all of it.
    house: f64,
    wins_meter: bool,
    chance: f64,
}

impl Round {
    fn net(&self) -> f64 {
        self.base + self.bonus + self.jackpot
    }
}

/// What stakes come to. Refused where a round is not counted.
pub fn risk(
    lab: &Lab,
    book: &Rulebook,
    question: &Question,
    stakes: &Stakes,
    asked: &Questions,
) -> Result<Risk, LabError> {
    let question = Question {
        ante_cents: stakes.ante_cents,
        jackpot_wager_cents: stakes.jackpot_cents,
        meter_cents: Some(stakes.meter_cents),
        ..*question
    };
    for (name, cents) in [("Bonus", stakes.bonus_cents), ("reset amount", stakes.reset_cents)] {
        if Question::CENTS_MAX < cents {
            return Err(LabError::TooLarge { name, cents });
        }
    }
    let with_bonus = 0 < stakes.bonus_cents;
    let joint = joint(lab, book, &question, with_bonus)?;
    let rounds = rounds(book, &joint, stakes);
    let wagers = [
        ("main game", true, of(&rounds, |round| round.base)),
        ("Bonus", with_bonus, of(&rounds, |round| round.bonus)),
        ("Jackpot", 0 < stakes.jackpot_cents, of(&rounds, |round| round.jackpot)),
        ("all together", true, of(&rounds, Round::net)),
    ];
    let named = |(wager, _, risk): (&'static str, bool, WagerRisk)| WagerRisk { wager, ..risk };
    let lengths = sorted(&asked.rounds);
    let step = step(&rounds, lengths.last().copied().unwrap_or(1));
    let outcomes = outcomes(&rounds, step);
    let together = of(&rounds, Round::net);
    let ruined = ruin(&outcomes, &lengths);
    let bankroll = |(length, ruin): (&u32, &Ruin), bankroll_cents: u64| {
        // Lost with the first step that does not leave a cent of it.
        let steps = i64::try_from(bankroll_cents.div_ceil(step.unsigned_abs())).unwrap_or(i64::MAX);
        RuinRisk { bankroll_cents, rounds: *length, chance: ruin.chance(steps) }
    };
    let ruin = asked
        .bankrolls_cents
        .iter()
        .flat_map(|&cents| lengths.iter().zip(&ruined).map(move |of| (of, cents)))
        .map(|(of, cents)| bankroll(of, cents))
        .collect();
    Ok(Risk {
        rulebook: book.id.clone(),
        wagers: wagers.into_iter().filter(|(_, is_made, _)| *is_made).map(named).collect(),
        covariance: covariance(&rounds),
        step_cents: step.unsigned_abs(),
        sessions: sessions(&outcomes, &lengths)
            .iter()
            .map(|one| session_risk(one, step, &together))
            .collect(),
        ruin,
        house: house(&rounds, asked.seats),
        hour: hour(lab, book, &question, &rounds, stakes, asked)?,
    })
}

fn sorted(lengths: &[u32]) -> Vec<u32> {
    let mut lengths = lengths.to_vec();
    lengths.sort_unstable();
    lengths.dedup();
    lengths
}

/// Every row of a joint distribution in cents. An award is rounded down to the cent, as it is paid.
#[expect(clippy::cast_precision_loss, reason = "cents are far below 2^52; chances are floats")]
fn rounds(book: &Rulebook, joint: &Joint, stakes: &Stakes) -> Vec<Round> {
    let wager = stakes.jackpot_cents as f64;
    let aside = wager * f64::from(stakes.set_aside_bps) / 10_000.0;
    let row = |row: &JointRow| {
        let (base, bonus) =
            (row.base as f64 * stakes.ante_cents as f64, row.bonus as f64 * stakes.bonus_cents as f64);
        let cents = |meter| paid_cents(&book.jackpot, row.lines, stakes.jackpot_cents, meter) as f64;
        let wins_meter = paid_lines(&book.jackpot, row.lines).any(pays_meter);
        let reset = if wins_meter { stakes.reset_cents as f64 } else { 0.0 };
        Round {
            base,
            bonus,
            jackpot: cents(stakes.meter_cents) - wager,
            house: -base - bonus + wager - aside - cents(0) - reset,
            wins_meter,
            chance: row.deals as f64 / joint.deals as f64,
        }
    };
    joint.rows.iter().map(row).collect()
}

/// Mean, deviation and frequencies of something in a round.
fn of(rounds: &[Round], what: impl Fn(&Round) -> f64) -> WagerRisk {
    let sum =
        |of: &dyn Fn(f64) -> f64| rounds.iter().map(|round| round.chance * of(what(round))).sum::<f64>();
    let mean = sum(&|net| net);
    let share = |holds: fn(f64) -> bool| sum(&|net| f64::from(u8::from(holds(net))));
    WagerRisk {
        wager: "",
        net_cents: mean,
        standard_deviation_cents: sum(&|net| (net - mean).powi(2)).sqrt(),
        won: share(|net| 0.0 < net),
        level: share(|net| net == 0.0),
        lost: share(|net| net < 0.0),
    }
}

fn covariance(rounds: &[Round]) -> [[f64; 3]; 3] {
    let wagers: [fn(&Round) -> f64; 3] = [|round| round.base, |round| round.bonus, |round| round.jackpot];
    let mean = |of: &dyn Fn(&Round) -> f64| rounds.iter().map(|round| round.chance * of(round)).sum::<f64>();
    let means = wagers.map(|of| mean(&of));
    std::array::from_fn(|one| {
        std::array::from_fn(|other| {
            mean(&|round| (wagers[one](round) - means[one]) * (wagers[other](round) - means[other]))
        })
    })
}

/// The largest number of cents of which every result is a multiple, shares of the meter left aside; more where that would be
/// too fine.
#[expect(clippy::cast_possible_truncation, reason = "results are whole cents")]
fn step(rounds: &[Round], longest: u32) -> i64 {
    let common = |sum: i64, net: f64| gcd(sum, net as i64);
    let wagers = rounds.iter().fold(0, |sum, round| common(common(sum, round.base), round.bonus));
    let step = rounds
        .iter()
        .filter(|round| round.jackpot <= 0.0)
        .fold(wagers, |sum, round| common(sum, round.jackpot));
    let widest = rounds.iter().map(|round| -round.net() as i64).max().unwrap_or(1);
    step.max(widest / steps_of_a_loss(longest)).max(1)
}

/// Results in steps with their chances, those that win all of the meter apart.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "results are whole cents, and parts of a step"
)]
fn outcomes(rounds: &[Round], step: i64) -> Outcomes {
    let mut outcomes = Outcomes::default();
    for round in rounds {
        if round.wins_meter {
            outcomes.wins_meter += round.chance;
        } else {
            // Between two steps a result is shared out so that its mean stays.
            let net = round.net() as i64;
            let (below, rest) = (net.div_euclid(step), net.rem_euclid(step));
            let part = rest as f64 / step as f64;
            outcomes.add(below, round.chance * (1.0 - part));
            if 0 < rest {
                outcomes.add(below + 1, round.chance * part);
            }
        }
    }
    outcomes
}

fn session_risk(session: &Session, step: i64, round: &WagerRisk) -> SessionRisk {
    let rounds = f64::from(session.rounds);
    SessionRisk {
        rounds: session.rounds,
        net_cents: round.net_cents * rounds,
        standard_deviation_cents: round.standard_deviation_cents * rounds.sqrt(),
        ahead: session.chance(|result| 0 < result) + session.wins_meter,
        level: session.chance(|result| result == 0),
        wins_meter: session.wins_meter,
        percentiles: PERCENTILES
            .into_iter()
            .map(|chance| SessionPercentile {
                chance,
                net_cents: session.percentile(chance).map(|result| result * step),
            })
            .collect(),
    }
}

/// The house's side. The chance ever to lose u is at most e^(−r u), with r > 0 the root of E e^(r · loss) = 1 (Lundberg). Seats that
/// play against one Dealer are not independent; however they hang together, the exponential of their sum is on average no
/// more than that of one seat with as many times the wagers (Hölder), so as many times the bankroll is enough.
fn house(rounds: &[Round], seats: u8) -> HouseRisk {
    let risk = of(rounds, |round| round.house);
    let losses: Vec<(f64, f64)> = rounds.iter().map(|round| (-round.house, round.chance)).collect();
    let rate = adjustment(&losses);
    let bankroll = |chance: f64| HouseBankroll {
        chance,
        cents: rate.map(|rate| whole_cents(-chance.ln() / rate * f64::from(seats))),
    };
    HouseRisk {
        net_cents: risk.net_cents,
        standard_deviation_cents: risk.standard_deviation_cents,
        seats,
        bankrolls: HOUSE_CHANCES.map(bankroll).to_vec(),
    }
}

/// The r > 0 with E e^(r · loss) = 1, from losses with their chances; none where they lose nothing on average.
pub fn adjustment(losses: &[(f64, f64)]) -> Option<f64> {
    let grows =
        |rate: f64| 1.0 < losses.iter().map(|(loss, chance)| chance * (rate * loss).exp()).sum::<f64>();
    let mean: f64 = losses.iter().map(|(loss, chance)| loss * chance).sum();
    if 0.0 <= mean || losses.iter().all(|(loss, _)| *loss <= 0.0) {
        return None;
    }
    let mut most = 1e-12;
    while !grows(most) {
        most *= 2.0;
    }
    let mut least = most / 2.0;
    for _ in 0..100 {
        let middle = f64::midpoint(least, most);
        if grows(middle) {
            most = middle;
        } else {
            least = middle;
        }
    }
    Some(least)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rounded up, and not negative")]
fn whole_cents(cents: f64) -> u64 {
    cents.max(0.0).ceil() as u64
}

/// The house's win in an hour. Another way to play changes the main game, and by its folds the Jackpot where a fold loses lines; the Bonus is as under
/// perfect play.
#[expect(clippy::cast_precision_loss, reason = "cents are far below 2^52")]
fn hour(
    lab: &Lab,
    book: &Rulebook,
    question: &Question,
    rounds: &[Round],
    stakes: &Stakes,
    asked: &Questions,
) -> Result<Vec<HourRisk>, LabError> {
    let all = of(rounds, |round| round.house).net_cents;
    let ante = stakes.ante_cents as f64;
    let edge = -of(rounds, |round| round.base).net_cents / ante;
    let times = f64::from(asked.seats) * f64::from(asked.rounds_an_hour);
    let one = |strategy: &str, house_edge: f64, jackpot_saves: f64| HourRisk {
        strategy: strategy.to_owned(),
        house_edge,
        win_cents: times * (all + (house_edge - edge) * ante + jackpot_saves),
    };
    let mut hour = vec![one("perfect", edge, 0.0)];
    if asked.with_rule_lists {
        let perfect = lab.exact(book, question)?;
        let paid = |deals: &[u64]| -> f64 {
            let resets: u64 = book
                .jackpot
                .lines
                .iter()
                .zip(deals)
                .filter(|(line, _)| pays_meter(line))
                .map(|(_, deals)| deals)
                .sum();
            let fixed = fixed_sum(&book.jackpot.lines, deals, stakes.jackpot_cents) as f64;
            (fixed + resets as f64 * stakes.reset_cents as f64) / perfect.deals as f64
        };
        let as_played: Vec<u64> = perfect.jackpot.lines.iter().map(|line| line.deals).collect();
        let case = Case { lab, book, question };
        let conditions = rules::conditions(lab, book)?;
        for &(name, text) in conditions.shipped {
            let list =
                RuleList::parse(text, &conditions).expect("the lists that come with the program are read");
            let deals = match stakes.jackpot_cents {
                0 => None,
                _ => game_of(book).jackpot_deals(case, &list.folds())?,
            };
            let saves = deals.map_or(0.0, |deals| paid(&as_played) - paid(&deals));
            hour.push(one(name, rules::price(lab, book, question, text)?.house_edge, saves));
        }
    }
    Ok(hour)
}
