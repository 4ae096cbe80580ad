//! A PAR sheet: everything a test laboratory asks of a game, exact, on one page.
//!
//! A [`Sheet`] is sections of tables made from [`crate::exact`]; the page, the JSON and the CSV are written from the
//! same tables. Every exact figure is kept as a fraction; only square roots, confidence bounds and the distribution of a
//! session are not.

mod compare;
mod data;
mod game;
mod html;
mod jackpot;
mod pdf;
mod plots;
mod session;
mod sheet;
mod submission;
mod volatility;

pub use compare::{Design, compare};
pub use session::{Session, sessions};
pub use sheet::{Cell, Column, Look, Made, Picture, Plot, Section, Sheet, Show, Table};
pub use submission::{BONUS_CENTS, Evidence, submission};

use rulebook::{AfterFold, Rulebook};

use crate::exact::{Fraction, Lab, LabError, Question};
use crate::simulate::JackpotSetup;

/// What the table chooses and a sheet is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The Ante. It matters where Ante and jackpot are weighed against each other.
    pub ante_cents: u64,
    /// The minimum jackpot wager.
    pub jackpot_wager_cents: u64,
    /// The meter to show figures at; the reset amount where none is named.
    pub meter_cents: Option<u64>,
    /// How the meter is funded.
    pub funding: Funding,
    /// How many rounds the session that is drawn has.
    pub session_rounds: u32,
    /// The lowest hand with which a won Ante is paid, if not the book's own.
    pub ante_pays_from: Option<cards::HandOrder>,
}

/// How a meter is funded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Funding {
    /// How much of a wager goes to the meter, in ten-thousandths.
    pub contribution_bps: u16,
    /// How much goes to the reserve that pays for resets, in ten-thousandths.
    pub reserve_bps: u16,
    /// What the meter restarts from.
    pub reset_cents: u64,
}

impl Default for Options {
    /// The amounts used where the rulebook names none: ours, not the house's.
    fn default() -> Options {
        Options {
            ante_cents: Question::ANTE_CENTS,
            jackpot_wager_cents: Question::JACKPOT_WAGER_CENTS,
            meter_cents: None,
            funding: Funding {
                contribution_bps: u16::try_from(JackpotSetup::CONTRIBUTION_BPS).unwrap_or(0),
                reserve_bps: 0,
                reset_cents: JackpotSetup::RESET_CENTS,
            },
            session_rounds: 500,
            ante_pays_from: None,
        }
    }
}

impl Options {
    /// The meter that figures are shown at.
    pub(crate) fn meter(&self) -> u64 {
        self.meter_cents.unwrap_or(self.funding.reset_cents)
    }

    fn question(&self, meter_cents: u64) -> Question {
        Question {
            ante_cents: self.ante_cents,
            jackpot_wager_cents: self.jackpot_wager_cents,
            meter_cents: Some(meter_cents),
            ante_pays_from: self.ante_pays_from,
        }
    }
}

/// The longest session that is drawn.
pub const SESSION_ROUNDS_MAX: u32 = 2_000;

/// The sheet of a book. Refused where the book asks for what is not counted.
pub fn sheet(lab: &Lab, book: &Rulebook, options: &Options) -> Result<Sheet, LabError> {
    // One player plays one way: every section is of the play that is best for Ante and Jackpot together.
    let joint = lab.exact(book, &options.question(options.meter()))?;
    let base = &joint;
    let drawn = options.session_rounds.clamp(1, SESSION_ROUNDS_MAX);
    let mut lengths = vec![100, 500, 1_000, drawn];
    lengths.sort_unstable();
    lengths.dedup();
    let sessions = sessions(&base.outcomes, base.deals, &lengths);

    let mut main_game = game::main_game(base);
    main_game.plots.push(plots::main_game(base));
    let mut volatility = volatility::section(base);
    volatility.plots.push(plots::funnel(base));
    let mut session = volatility::sessions(base, &sessions);
    session.plots.extend(
        sessions.iter().find(|session| session.rounds == drawn).map(|session| plots::session(base, session)),
    );
    let mut jackpot = jackpot::section(book, &joint, options);
    if let Some(folds) = &joint.jackpot.base_game_folds {
        let alone = Question { jackpot_wager_cents: 0, meter_cents: None, ..options.question(0) };
        let alone = lab.exact(book, &alone)?;
        jackpot.tables.push(jackpot::strategies(&joint, &alone, folds, options));
    }
    let multiples: Vec<u8> = book.jackpot.multiples.clone().collect();
    jackpot.plots.push(plots::jackpot(&joint, options));
    jackpot.plots.push(plots::edge_against_meter(&joint, options, &multiples));
    jackpot.plots.push(plots::combined_edge(&combined(lab, book, options, &joint)?, options));

    let mut sections = vec![
        game::summary(base, jackpot::headline(&joint, options)),
        game::rules(book),
        game::readings(book),
        main_game,
    ];
    if let Some(bonus) = &base.bonus {
        let mut section = game::bonus(bonus);
        section.plots.push(plots::bonus(bonus));
        sections.push(section);
    }
    sections.extend([jackpot, jackpot::funding(&joint, options), volatility, session]);
    Ok(Sheet {
        rulebook: book.id.clone(),
        title: book.title.clone(),
        version: book.version,
        citation: book.citation.to_string(),
        in_force: book.in_force.clone(),
        program: format!("Megalink {}", env!("CARGO_PKG_VERSION")),
        made: None,
        warnings: jackpot::warning(&joint, options).into_iter().collect(),
        sections,
    })
}

/// Ante and jackpot together at meters from zero to beyond break-even, in cents a round. Where folds look at the
/// meter every point is solved for itself; else the net is a straight line.
fn combined(
    lab: &Lab,
    book: &Rulebook,
    options: &Options,
    joint: &crate::exact::Exact,
) -> Result<Vec<(u64, Fraction)>, LabError> {
    // The meter that makes up for the loss on the Ante too, and a little more.
    let lacks = lab
        .exact(book, &options.question(0))?
        .combined
        .map_or(Fraction::ZERO, |combined| combined.net.negated());
    let even = lacks.divided_by(joint.jackpot.meter_weight).map_or(0, Fraction::ceiling);
    let end = u64::try_from(even).unwrap_or(0).clamp(1_000_000, Question::CENTS_MAX / 2);
    let end = end + end / 8;
    let points = if book.jackpot.after_fold == AfterFold::EveryLine { 1 } else { 24 };
    let at = |point: u64| {
        let meter = end * point / points;
        let exact = lab.exact(book, &options.question(meter))?;
        Ok((meter, exact.combined.map_or(Fraction::ZERO, |combined| combined.net)))
    };
    (0..=points).map(at).collect()
}

impl Sheet {
    /// The page: one file that needs nothing else.
    pub fn html(&self) -> String {
        html::page(self)
    }

    /// The sheet as a PDF of numbered pages.
    pub fn pdf(&self) -> Vec<u8> {
        pdf::document(self)
    }

    /// Every table as CSV, one line a cell.
    pub fn csv(&self) -> String {
        data::csv(&self.sections)
    }
}

impl Section {
    /// Its tables as CSV, one line a cell.
    pub fn csv(&self) -> String {
        data::csv(std::slice::from_ref(self))
    }
}
