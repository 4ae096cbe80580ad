//! The meter through all rounds in order, from the claims that blocks reported.
//!
//! Every round contributes the same, so the rounds between two claims are entered with one contribution, their sum:
//! that moves the meter to the same ten-thousandth of a cent. A round with claims is entered by itself.

use money::{Money, Pool};
use rulebook::{JackpotRules, Position};

use super::block::{Claim, Tally};
use super::sessions::KEPT;
use super::setup::{BOUNDED, JackpotSetup, Setup};
use super::tally::Moments;

/// What became of the meter.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MeterRun {
    pub(super) start: Pool,
    pub(super) end: Pool,
    pub(super) highest: Pool,
    pub(super) contributions: Pool,
    pub(super) resets: Money,
    pub(super) awards: Money,
    /// By line: how many awards, and their sum.
    pub(super) by_line: Vec<(u64, Money)>,
    /// Rounds from one award to the next, in order; the first from the start.
    pub(super) gaps: Vec<u64>,
    /// The awards of a round, in cents.
    pub(super) moments: Moments,
    /// The sum over rounds of the meter a hand played for, in cents, and of its square.
    pub(super) played_for: f64,
    pub(super) played_for_squared: f64,
}

/// Enters all rounds. Awards are added to the players' results in `tally`.
pub(super) fn enter(setup: &Setup, jackpot: &JackpotSetup, tally: &mut Tally) -> MeterRun {
    let rules = &setup.book.jackpot;
    let wagers = jackpot.wager().times(setup.players.into()).expect(BOUNDED);
    let contribution = Pool::contribution(wagers, jackpot.contribution).expect(BOUNDED);
    let mut entering = Entering {
        rules,
        reset: jackpot.reset,
        contribution,
        meter: jackpot.meter,
        entered: 0,
        last_award: 0,
        run: MeterRun {
            start: jackpot.meter,
            end: jackpot.meter,
            highest: jackpot.meter,
            contributions: Pool::ZERO,
            resets: Money::ZERO,
            awards: Money::ZERO,
            by_line: vec![(0, Money::ZERO); rules.lines.len()],
            gaps: Vec::new(),
            moments: Moments::default(),
            played_for: 0.0,
            played_for_squared: 0.0,
        },
    };
    let claims = std::mem::take(&mut tally.claims);
    for claims in claims.chunk_by(|one, next| one.round == next.round) {
        entering.enter_round(claims, u64::from(setup.session_rounds), tally);
    }
    tally.claims = claims;
    entering.enter_quiet(setup.rounds);
    entering.run.end = entering.meter;
    entering.run
}

struct Entering<'a> {
    rules: &'a JackpotRules,
    reset: Money,
    contribution: Pool,
    meter: Pool,
    /// How many rounds have been entered.
    entered: u64,
    /// How many rounds had been entered with the last award.
    last_award: u64,
    run: MeterRun,
}

impl Entering<'_> {
    /// Enters the rounds before `round`, in which nobody claims a share.
    fn enter_quiet(&mut self, round: u64) {
        let rounds = round - self.entered;
        let sum = self.contribution.ten_thousandths().checked_mul(rounds).map(Pool::from_ten_thousandths);
        self.contribute(sum.expect(BOUNDED), rounds, &[]);
        self.entered = round;
    }

    /// Enters a round with claims, and adds what is awarded to its players.
    fn enter_round(&mut self, claims: &[Claim], session_rounds: u64, tally: &mut Tally) {
        let round = claims[0].round;
        self.run.gaps.push(round + 1 - self.last_award);
        self.last_award = round + 1;
        self.enter_quiet(round);
        let amounts = self.contribute(self.contribution, 1, claims);
        self.entered += 1;
        let mut in_round = 0;
        for (claim, amount) in claims.iter().zip(amounts) {
            let cents = i64::try_from(amount.cents()).expect(BOUNDED);
            in_round += cents;
            tally.hands.raise(claim.hand_net, cents);
            let session = round / session_rounds;
            if claim.position == 0 && session < KEPT {
                let session =
                    usize::try_from(session).ok().and_then(|session| tally.sessions.get_mut(session));
                let place = usize::try_from(round % session_rounds)
                    .expect("a session's rounds are numbered in 32 bits");
                // The last session may not have been played to its end.
                if let Some(session) = session {
                    session.award(place, cents);
                }
            }
        }
        tally.total.raise(claims[0].round_net, in_round);
        self.run.moments.add(in_round);
    }

    /// Enters a contribution of some rounds, and the claims of the last of them. Says what each claim is awarded.
    fn contribute(&mut self, contribution: Pool, rounds: u64, claims: &[Claim]) -> Vec<Money> {
        self.play_for(rounds);
        let run = &mut self.run;
        let asked: Vec<jackpot::Claim> = claims.iter().map(|claim| self.rules.asked(claim)).collect();
        let entered = jackpot::enter_round(self.meter, self.reset, contribution, &self.rules.sharing, &asked);
        let entered = entered.expect(BOUNDED);
        run.contributions = run.contributions.plus(contribution).expect(BOUNDED);
        run.highest = run.highest.max(self.meter.plus(contribution).expect(BOUNDED));
        let restarts = u64::try_from(entered.restarts).expect("a round has few winners");
        run.resets = self.reset.times(restarts).and_then(|resets| run.resets.plus(resets)).expect(BOUNDED);
        self.meter = entered.meter;
        let award = |claim: &Claim| {
            let is_its =
                |share: &&jackpot::Share| share.position == position(claim) && share.percent == claim.percent;
            let amount = entered.shares.iter().find(is_its).map_or(Money::ZERO, |share| share.amount);
            let line = &mut run.by_line[usize::from(claim.line)];
            *line = (line.0 + 1, line.1.plus(amount).expect(BOUNDED));
            run.awards = run.awards.plus(amount).expect(BOUNDED);
            amount
        };
        claims.iter().map(award).collect()
    }

    /// Adds up the meters that some rounds are about to be played for: each after its own contribution.
    #[expect(clippy::cast_precision_loss, reason = "an expectation, beside which exact awards are shown")]
    fn play_for(&mut self, rounds: u64) {
        const FINE: f64 = 10_000.0;
        let (first, step) =
            (self.meter.ten_thousandths() as f64 / FINE, self.contribution.ten_thousandths() as f64 / FINE);
        let rounds = rounds as f64;
        // The sums of i and of i squared, for i from 1 to the number of rounds.
        let (one, two) =
            (rounds * (rounds + 1.0) / 2.0, rounds * (rounds + 1.0) * (2.0 * rounds + 1.0) / 6.0);
        self.run.played_for += rounds * first + step * one;
        self.run.played_for_squared += rounds * first * first + 2.0 * first * step * one + step * step * two;
    }
}

fn position(claim: &Claim) -> Position {
    Position(claim.position + 1)
}

/// What a claim asks of the jackpot.
trait Asked {
    fn asked(&self, claim: &Claim) -> jackpot::Claim;
}

impl Asked for JackpotRules {
    fn asked(&self, claim: &Claim) -> jackpot::Claim {
        let line = &self.lines[usize::from(claim.line)];
        jackpot::Claim { position: position(claim), hand: line.hand, percent: claim.percent, rule: line.rule }
    }
}
