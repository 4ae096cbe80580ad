//! Blocks of rounds. Each has its own stream of random words, so it does not matter which thread plays it, or when. Only
//! the meter goes through all rounds in order; it is computed afterwards from the claims that blocks report.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use money::{Percent, Pool};

use super::dealing::{Dealt, Stream};
use super::sessions::{KEPT, Session};
use super::setup::{BOUNDED, Setup};
use super::table::{FOLD, Hit, JackpotTable, Paid, PlayedHand, Table};
use super::tally::{Frequencies, Histogram, Moments, Walk};

/// About how many rounds a block has: whole sessions, or one.
const ROUNDS: u64 = 1 << 16;

/// How many rounds are dealt before the first of them is decided.
pub(crate) const BATCH: usize = 64;

/// A table has no more positions.
const POSITIONS: usize = 8;

/// A hand that claims a share of the meter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    /// In which round of all.
    pub(super) round: u64,
    /// At which position, from 0.
    pub(super) position: u8,
    /// The line of the table.
    pub(super) line: u8,
    pub(super) percent: Percent,
    /// What the round brought the hand without the share, in cents.
    pub(super) hand_net: i64,
    /// What it brought all players without shares.
    pub(super) round_net: i64,
}

/// What some rounds came to, without shares of the meter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(super) rounds: u64,
    pub(super) ends: Frequencies,
    pub(super) bonus_lines: Frequencies,
    pub(super) jackpot_lines: Frequencies,
    pub(super) base: Moments,
    pub(super) bonus: Moments,
    /// What lines of odds and fixed amounts paid.
    pub(super) fixed: Moments,
    pub(super) total: Moments,
    pub(super) hands: Histogram,
    /// The house's result, in ten-thousandths of a cent: contributions leave it, and so do reset amounts.
    pub(super) house: Walk,
    pub(super) sessions: Vec<Session>,
    pub(super) claims: Vec<Claim>,
}

impl Tally {
    fn new(ante_cents: i64) -> Tally {
        Tally {
            rounds: 0,
            ends: Frequencies::NONE,
            bonus_lines: Frequencies::NONE,
            jackpot_lines: Frequencies::NONE,
            base: Moments::default(),
            bonus: Moments::default(),
            fixed: Moments::default(),
            total: Moments::default(),
            hands: Histogram::new(ante_cents),
            house: Walk::default(),
            sessions: Vec::new(),
            claims: Vec::new(),
        }
    }

    /// Adds the rounds that follow these.
    fn merge(&mut self, next: Tally) {
        self.rounds += next.rounds;
        self.ends.merge(&next.ends);
        self.bonus_lines.merge(&next.bonus_lines);
        self.jackpot_lines.merge(&next.jackpot_lines);
        self.base.merge(next.base);
        self.bonus.merge(next.bonus);
        self.fixed.merge(next.fixed);
        self.total.merge(next.total);
        self.hands.merge(&next.hands);
        self.house.merge(&next.house);
        self.sessions.extend(next.sessions);
        self.claims.extend(next.claims);
    }
}

/// The wagers of a simulation, as the hot loop wants them.
struct Stakes<'a> {
    players: usize,
    jackpot: Option<JackpotTable<'a>>,
    jackpot_cents: i64,
    /// What a round contributes, in ten-thousandths of a cent.
    contribution: i64,
    reset_cents: i64,
    session_rounds: usize,
    ante_cents: i64,
    seed: u64,
}

impl<'a> Stakes<'a> {
    fn new(setup: &'a Setup) -> Stakes<'a> {
        let cents = |cents: u64| i64::try_from(cents).expect(BOUNDED);
        let jackpot = setup.jackpot.as_ref();
        let wager = jackpot.map(super::JackpotSetup::wager);
        let contribution = jackpot.zip(wager).map_or(Pool::ZERO, |(jackpot, wager)| {
            let wagers = wager.times(setup.players.into()).expect(BOUNDED);
            Pool::contribution(wagers, jackpot.contribution).expect(BOUNDED)
        });
        Stakes {
            players: setup.players.into(),
            jackpot: wager.map(|wager| JackpotTable::new(&setup.book.jackpot, wager)),
            jackpot_cents: wager.map_or(0, |wager| cents(wager.cents())),
            contribution: cents(contribution.ten_thousandths()),
            reset_cents: jackpot.map_or(0, |jackpot| cents(jackpot.reset.cents())),
            session_rounds: setup.session_rounds as usize,
            ante_cents: cents(setup.ante.cents()),
            seed: setup.seed,
        }
    }

    /// What a round brings the house that pays so many cents, in ten-thousandths of a cent.
    const fn house_result(&self, paid_cents: i64) -> i64 {
        -10_000 * paid_cents - self.contribution
    }
}

/// Plays all rounds of a simulation. `progress` is called with the rounds of each block, from any thread.
pub(crate) fn play_all(setup: &Setup, table: &impl Table, progress: &(dyn Fn(u64) + Sync)) -> Tally {
    let stakes = Stakes::new(setup);
    let session = u64::from(setup.session_rounds);
    let size = (ROUNDS / session).max(1) * session;
    let blocks = setup.rounds.div_ceil(size);
    let next = AtomicU64::new(0);
    let played = Mutex::new(Vec::new());
    let work = || {
        loop {
            let block = next.fetch_add(1, Ordering::Relaxed);
            if blocks <= block {
                return;
            }
            let rounds = block * size..setup.rounds.min((block + 1) * size);
            let tally = play(&stakes, table, block, rounds);
            progress(tally.rounds);
            played.lock().expect("no worker panics with the list in hand").push((block, tally));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..setup.workers() {
            scope.spawn(work);
        }
        work();
    });
    let mut played = played.into_inner().expect("no worker panicked");
    played.sort_unstable_by_key(|(block, _)| *block);
    let mut sum = Tally::new(stakes.ante_cents);
    for (_, tally) in played {
        sum.merge(tally);
    }
    sum
}

/// Plays the rounds of one block.
fn play<T: Table>(stakes: &Stakes<'_>, table: &T, block: u64, rounds: Range<u64>) -> Tally {
    let mut stream = Stream::new(stakes.seed, block);
    let mut batch = [const { Dealt::new() }; BATCH];
    let mut decisions = [[T::Decision::default(); BATCH]; POSITIONS];
    let mut alone = Alone::new(stakes, table);
    let mut tally = Tally::new(stakes.ante_cents);
    let mut session = SessionAtPlay { nets: Vec::with_capacity(stakes.session_rounds), is_open: false };
    let mut first = rounds.start;
    while first < rounds.end {
        let count = usize::try_from(rounds.end - first).map_or(BATCH, |left| left.min(BATCH));
        batch[..count].iter_mut().for_each(|dealt| dealt.deal(table.cards(), &mut stream));
        for (position, decisions) in decisions[..stakes.players].iter_mut().enumerate() {
            table.decide(&batch[..count], position, &mut decisions[..count]);
        }
        for (place, (dealt, round)) in batch[..count].iter().zip(first..).enumerate() {
            let is_done = stakes.players == 1
                && alone.play(stakes, table, dealt, decisions[0][place], &mut session, &mut tally.house);
            if !is_done {
                let decisions = std::array::from_fn(|position| decisions[position][place]);
                play_round(stakes, table, (dealt, round), &decisions, &mut session, &mut tally);
            }
            if session.nets.len() == stakes.session_rounds {
                session.end(round / stakes.session_rounds as u64, &mut tally);
            }
        }
        first += count as u64;
    }
    alone.add_to(table.kinds(), &mut tally);
    tally
}

/// Plays one round of all positions.
fn play_round<T: Table>(
    stakes: &Stakes<'_>,
    table: &T,
    (dealt, round): (&Dealt, u64),
    decisions: &[T::Decision; POSITIONS],
    session: &mut SessionAtPlay,
    tally: &mut Tally,
) {
    let mut ends = [FOLD; POSITIONS];
    let mut sums = Sums::default();
    for (position, end) in ends[..stakes.players].iter_mut().enumerate() {
        let played = table.kinds()[table.play(dealt, position, decisions[position])];
        *end = played.end;
        tally.ends.add(played.end);
        if let Some(line) = played.bonus_paid {
            tally.bonus_lines.add(line);
            sums.bonus_lines |= 1 << line;
        }
        sums.base += played.base;
        sums.bonus += played.bonus;
        let mut net = played.base + played.bonus;
        if let Some(jackpot) = &stakes.jackpot {
            net -= stakes.jackpot_cents;
            let hits = jackpot.hits(&table.jackpot_cards(dealt, position), played.end == FOLD);
            net += take_hits(&hits, round, position, &mut sums, tally);
            close_claims(&hits, net, position == 0, session, tally);
        }
        sums.net += net;
        tally.hands.add(net);
        if position == 0 {
            session.nets.push(net);
        }
    }
    ends[..stakes.players].iter().for_each(|end| tally.ends.end_round(*end));
    end_round(stakes, &sums, tally);
}

/// Rounds of one player that no line of the Jackpot concerns. They come to few different results: these are counted, and added up when the
/// block is over. Only what depends on the order of rounds is done round by round.
struct Alone {
    /// By kind: what it brings the player, and the house.
    nets: Vec<(i64, i64)>,
    rounds: Vec<u64>,
}

impl Alone {
    fn new(stakes: &Stakes<'_>, table: &impl Table) -> Alone {
        let net = |played: &PlayedHand| played.base + played.bonus - stakes.jackpot_cents;
        let nets: Vec<(i64, i64)> =
            table.kinds().iter().map(|played| (net(played), stakes.house_result(net(played)))).collect();
        Alone { rounds: vec![0; nets.len()], nets }
    }

    /// Plays a round, unless its cards make a hand of the Jackpot's table.
    #[inline]
    fn play<T: Table>(
        &mut self,
        stakes: &Stakes<'_>,
        table: &T,
        dealt: &Dealt,
        decision: T::Decision,
        session: &mut SessionAtPlay,
        house: &mut Walk,
    ) -> bool {
        if let Some(jackpot) = &stakes.jackpot
            && jackpot.may_hit(&table.jackpot_cards(dealt, 0))
        {
            return false;
        }
        let kind = table.play(dealt, 0, decision);
        let (net, of_house) = self.nets[kind];
        self.rounds[kind] += 1;
        house.step(of_house);
        session.nets.push(net);
        true
    }

    fn add_to(&self, kinds: &[PlayedHand], tally: &mut Tally) {
        for ((played, &(net, _)), &rounds) in kinds.iter().zip(&self.nets).zip(&self.rounds) {
            tally.rounds += rounds;
            tally.ends.add_rounds(played.end, rounds);
            if let Some(line) = played.bonus_paid {
                tally.bonus_lines.add_rounds(line, rounds);
            }
            tally.base.add_rounds(played.base, rounds);
            tally.bonus.add_rounds(played.bonus, rounds);
            tally.total.add_rounds(net, rounds);
            tally.hands.add_hands(net, rounds);
        }
    }
}

/// The session that is being played.
struct SessionAtPlay {
    nets: Vec<i64>,
    is_open: bool,
}

impl SessionAtPlay {
    fn end(&mut self, number: u64, tally: &mut Tally) {
        if number < KEPT {
            tally.sessions.push(Session::of(&self.nets, self.is_open));
        }
        self.nets.clear();
        self.is_open = false;
    }
}

/// What a round came to for all its players.
#[derive(Default)]
struct Sums {
    base: i64,
    bonus: i64,
    fixed: i64,
    net: i64,
    restarts: i64,
    /// The lines met in the round, one bit each.
    bonus_lines: u32,
    jackpot_lines: u32,
    /// Where the round's claims begin among all.
    claims: usize,
}

/// Records the lines a hand is paid on, and returns what the house pays for them.
#[inline]
fn take_hits(hits: &[Hit], round: u64, position: usize, sums: &mut Sums, tally: &mut Tally) -> i64 {
    let mut paid = 0;
    for hit in hits {
        tally.jackpot_lines.add(hit.line);
        sums.jackpot_lines |= 1 << hit.line;
        match hit.pays {
            Paid::Cents(cents) => paid += cents,
            Paid::Share(percent) => {
                sums.restarts += i64::from(percent == Percent::ALL);
                sums.claims += 1;
                let position = u8::try_from(position).expect("a table has few positions");
                let claim = Claim { round, position, line: hit.line, percent, hand_net: 0, round_net: 0 };
                tally.claims.push(claim);
            }
        }
    }
    sums.fixed += paid;
    paid
}

/// Completes the claims of a hand with what its round brought it otherwise.
#[inline]
fn close_claims(hits: &[Hit], net: i64, is_first: bool, session: &mut SessionAtPlay, tally: &mut Tally) {
    let claims = hits.iter().filter(|hit| matches!(hit.pays, Paid::Share(_))).count();
    let all = tally.claims.len();
    for claim in &mut tally.claims[all - claims..] {
        claim.hand_net = net;
        session.is_open |= is_first;
    }
}

/// Adds a round to the sums.
#[inline]
fn end_round(stakes: &Stakes<'_>, sums: &Sums, tally: &mut Tally) {
    tally.rounds += 1;
    tally.base.add(sums.base);
    tally.bonus.add(sums.bonus);
    tally.fixed.add(sums.fixed);
    tally.total.add(sums.net);
    tally.house.step(stakes.house_result(sums.net + sums.restarts * stakes.reset_cents));
    for (lines, counts) in
        [(sums.bonus_lines, &mut tally.bonus_lines), (sums.jackpot_lines, &mut tally.jackpot_lines)]
    {
        let mut lines = lines;
        while lines != 0 {
            counts.end_round(u8::try_from(lines.trailing_zeros()).expect("a line's bit is below 32"));
            lines &= lines - 1;
        }
    }
    let all = tally.claims.len();
    for claim in &mut tally.claims[all - sums.claims..] {
        claim.round_net = sums.net;
    }
}
