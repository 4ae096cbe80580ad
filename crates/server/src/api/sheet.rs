//! What players are told about a link: how it is funded, what it pays, how likely that is, what comes back in the long
//! run, and worked examples of shared awards. Made from the settings in force and the lab's exact figures.

use axum::extract::State;
use axum::response::Response;
use cards::HandOrder;
use jackpot::{Claim, Parameters, enter_round};
use journal::LinkId;
use lab::exact::{Fraction, Lab, Question};
use money::{Money, Pool};
use rulebook::{Pays, Position, Rulebook};
use serde::Serialize;
use utoipa::ToSchema;

use super::body::PathParams;
use super::lab::{Ratio, lab_problem, text};
use crate::app::App;
use crate::problem::Problem;

/// What players are told about a link.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LinkSheet {
    link: String,
    /// The settings in force: minimum wager, contribution, reserve, reset amount and cap.
    settings: Parameters,
    /// What the meter displays, in cents.
    displayed: u64,
    /// The games that play for it.
    games: Vec<SheetGame>,
}

/// A game on the sheet.
#[derive(Debug, Serialize, ToSchema)]
struct SheetGame {
    rulebook: String,
    title: String,
    /// The fewest and the most minimum wagers that may be wagered at once.
    multiples_least: u8,
    multiples_most: u8,
    lines: Vec<SheetLine>,
    /// What comes back of a minimum wager at the present meter, as a part of the wager.
    returned_now: Ratio,
    /// What comes back in the long run: fixed payouts, and all that is contributed to meter and reserve. What the house
    /// pays for resets comes on top.
    returned_in_the_long_run: Ratio,
    /// The meter at which a minimum wager returns as much as it costs, in cents.
    break_even: Option<u64>,
    /// What hands of one round are awarded together, at the present meter.
    examples: Vec<SheetExample>,
}

/// A line of the pay table.
#[derive(Debug, Serialize, ToSchema)]
struct SheetLine {
    hand: HandOrder,
    /// What it pays, as printed.
    pays: String,
    /// What it would be awarded now for a minimum wager, in cents.
    amount_now: u64,
    chance: Ratio,
}

/// Hands of one round that win from the meter together.
#[derive(Debug, Serialize, ToSchema)]
struct SheetExample {
    /// The hands, in the order paid.
    hands: Vec<HandOrder>,
    /// What each is awarded, in cents.
    awards: Vec<u64>,
    /// The clause that says so.
    clause: String,
    /// What the meter displays afterwards, in cents.
    left: u64,
}

/// What players are told about a link: how the meter is funded, what is paid and how likely it is, what comes back, and
/// examples of shared awards.
#[utoipa::path(get, path = "/api/links/{link}/sheet", tag = "links",
    params(("link" = String, Path, description = "The link", example = "Megalink")),
    responses((status = 200, description = "The sheet", body = LinkSheet)))]
pub(super) async fn sheet(
    State(app): State<App>,
    PathParams(link): PathParams<String>,
) -> Result<Response, Problem> {
    let no_link = || Problem::not_found("There is no link of this name.");
    let desk = app.board.link(&LinkId::new(&link)).ok_or_else(no_link)?;
    let settings = *desk.link().settings().parameters();
    let displayed = desk.link().displayed();
    let books: Vec<Rulebook> = desk.link().books().iter().map(|book| Rulebook::clone(book)).collect();
    let question = format!("sheet {link} {} {}", text(&settings)?, displayed.cents());
    let work = move |lab: &Lab| {
        let games = books.iter().map(|book| game(lab, book, &settings, displayed));
        let games = games.collect::<Result<_, Problem>>()?;
        text(&LinkSheet { link: link.clone(), settings, displayed: displayed.cents(), games })
    };
    app.work.lab.answer(question, work).await
}

fn game(lab: &Lab, book: &Rulebook, settings: &Parameters, displayed: Money) -> Result<SheetGame, Problem> {
    let wager = settings.minimum_wager;
    let question = Question { jackpot_wager_cents: wager.cents(), ..Question::default() };
    let exact = lab.exact(book, &question).map_err(|error| lab_problem(&error))?;
    let jackpot = &exact.jackpot;
    let part = |cents: Fraction| cents.times(Fraction::new(1, i128::from(wager.cents())));
    let points =
        u64::from(settings.contribution).saturating_add(u64::from(settings.reserve.unwrap_or_default()));
    let contributed = Fraction::new(i128::from(points), 10_000);
    let lines = jackpot.lines.iter().map(|line| SheetLine {
        hand: line.hand,
        pays: paid(line.pays),
        amount_now: amount(line.pays, wager, displayed).cents(),
        chance: Fraction::new(i128::from(line.deals), i128::from(exact.deals)).into(),
    });
    Ok(SheetGame {
        rulebook: book.id.clone(),
        title: book.title.clone(),
        multiples_least: *book.jackpot.multiples.start(),
        multiples_most: *book.jackpot.multiples.end(),
        lines: lines.collect(),
        returned_now: part(jackpot.return_cents(displayed.cents())).into(),
        returned_in_the_long_run: part(jackpot.fixed_return.cents).plus(contributed).into(),
        break_even: jackpot.break_even_meter,
        examples: examples(book, settings, displayed)?,
    })
}

/// What a line pays, as printed.
fn paid(pays: Pays) -> String {
    match pays {
        Pays::Share(percent) => format!("{percent} of the meter"),
        Pays::Odds(odds) => odds.to_string(),
        Pays::Fixed(amount) => format!("${amount}"),
    }
}

/// What a line brings a minimum wager now.
fn amount(pays: Pays, wager: Money, displayed: Money) -> Money {
    match pays {
        Pays::Share(percent) => percent.of(displayed),
        Pays::Odds(odds) => wager.paid_at(odds).unwrap_or_default(),
        Pays::Fixed(amount) => amount,
    }
}

/// Two lower hands together, two of the highest where that can be, and one of each.
fn examples(book: &Rulebook, settings: &Parameters, displayed: Money) -> Result<Vec<SheetExample>, Problem> {
    let line = |hand: HandOrder| {
        book.jackpot.lines.iter().find_map(move |line| match line.pays {
            Pays::Share(percent) if line.hand == hand => Some((hand, percent, line.rule)),
            Pays::Share(_) | Pays::Odds(_) | Pays::Fixed(_) => None,
        })
    };
    let (royal, flush) = (line(HandOrder::RoyalFlush), line(HandOrder::StraightFlush));
    let sharing = &book.jackpot.sharing;
    let together = [
        [flush, flush].map(|line| line.filter(|_| sharing.straight_flush.is_some())),
        [flush, royal],
        [royal, royal].map(|line| line.filter(|_| sharing.royal_flush.is_some())),
    ];
    let mut examples = Vec::new();
    for hands in together {
        let [Some(first), Some(second)] = hands else { continue };
        let claim =
            |place: u8, (hand, percent, rule)| Claim { position: Position(place), hand, percent, rule };
        let meter = Pool::try_from(displayed).map_err(|_| Problem::broken())?;
        let claims = [claim(1, first), claim(2, second)];
        let round = enter_round(meter, settings.reset, Pool::ZERO, sharing, &claims);
        let round = round.map_err(|_| Problem::broken())?;
        let Some(last) = round.shares.last() else { continue };
        examples.push(SheetExample {
            hands: round.shares.iter().map(|share| share.hand).collect(),
            awards: round.shares.iter().map(|share| share.amount.cents()).collect(),
            clause: book.clause(if first.0 == second.0 { last.rule } else { sharing.royal_last }).to_string(),
            left: round.meter.displayed().cents(),
        });
    }
    Ok(examples)
}
