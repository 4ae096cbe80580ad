//! How often a Player wagers where a wager gains so much: what their next choice is compared with.

/// The bounds between classes of decisions, by what the wager gains by the cards that lie open, in Antes.
const BOUNDS: [f64; 11] = [-0.6, -0.3, -0.15, -0.07, -0.03, 0.0, 0.03, 0.07, 0.15, 0.3, 0.6];

/// How many decisions the expectation of perfect play counts for.
const PRIOR: f64 = 3.0;

/// How sure perfect play is taken to be before the Player was seen to decide.
const SURE: f64 = 0.97;

/// How far an expectation stays from certainty.
const LEAST: f64 = 0.01;

/// The choices of one Player so far, by decision of the round and what the wager gained. Only their own choices and the
/// cards they saw are in it, so it knows nothing of what was hidden.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Habit([[(u32, u32); BOUNDS.len() + 1]; 3]);

impl Habit {
    fn class(gain: f64) -> usize {
        BOUNDS.iter().take_while(|bound| **bound < gain).count()
    }

    /// How likely this Player is to wager at a decision of the round, where the wager gains so much.
    pub fn expected(&self, decision: usize, gain: f64) -> f64 {
        let (made, of) = self.0[decision][Habit::class(gain)];
        let perfect = if 0.0 < gain { SURE } else { 1.0 - SURE };
        let expected = (f64::from(made) + PRIOR * perfect) / (f64::from(of) + PRIOR);
        expected.clamp(LEAST, 1.0 - LEAST)
    }

    /// Notes a choice, after it was judged.
    pub fn note(&mut self, decision: usize, gain: f64, wagered: bool) {
        let (made, of) = &mut self.0[decision][Habit::class(gain)];
        *made = made.saturating_add(u32::from(wagered));
        *of = of.saturating_add(1);
    }
}
