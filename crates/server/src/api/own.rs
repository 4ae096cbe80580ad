//! What is a Player's own to keep: the gaming day so far, the limits they set themselves, and how they have played.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use floor::day::PlayerDay;
use floor::view::Viewer;
use floor::{Command, HouseCommand};
use jackpot::TableId;
use journal::{Actor, Moment, PlayLimits, Reader, Stream};
use lab::exact::{Fraction, Lab, Question};
use round::PlayerId;
use rulebook::{PlayingArea, Rulebook};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::body::{JsonBody, Key, QueryParams};
use super::lab::{Ratio, lab_problem, text};
use super::results::{self, OwnRound};
use super::{analysis, commands, history};
use crate::app::App;
use crate::auth::guard::SignedIn;
use crate::problem::Problem;

/// How many rounds statistics are made of where no number is given, and at most.
const USUAL: usize = 50;
const MOST: usize = 100;

/// What a Player did on this gaming day, at all tables together. Awards of a meter are aside.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct OwnDay {
    rounds: u64,
    /// What was wagered, in cents.
    staked: i64,
    /// What came back, stakes and payouts together, in cents.
    returned: i64,
    /// What the day brought, in cents; below zero for a loss.
    net: i64,
    /// How many minutes were played: the rounds wagered in, from beginning to settlement.
    minutes: u64,
}

/// Limits that do not hold yet.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Coming {
    limits: PlayLimits,
    /// When they hold, in milliseconds since 1970 (UTC).
    from: u64,
}

/// A Player's gaming day and own limits.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct OwnPlay {
    today: OwnDay,
    /// The limits that hold now.
    limits: PlayLimits,
    /// Higher limits that were asked for and hold later.
    coming: Option<Coming>,
    /// How many hours pass before a limit is raised.
    raised_after_hours: u16,
    /// Whether you are prohibited from play.
    prohibited: bool,
    /// Why you are prohibited from play, where you are and a reason was given.
    prohibited_because: Option<String>,
}

/// Your gaming day so far, and the limits you set for it.
#[utoipa::path(get, path = "/api/me/play", tag = "lobby",
    responses((status = 200, description = "Your play", body = OwnPlay)))]
pub(super) async fn play(State(app): State<App>, who: SignedIn) -> Result<Json<OwnPlay>, Problem> {
    Ok(Json(own_play(&app, own(&who)?)))
}

/// Sets your limits for a gaming day: what you may lose, and how long you may play.
///
/// A lower limit holds at once. A higher one, or none, holds 24 hours later.
#[utoipa::path(post, path = "/api/me/limits", tag = "lobby",
    request_body(content = PlayLimits, example = json!({ "loss": 20000, "minutes": 120 })),
    responses((status = 200, description = "Your play", body = OwnPlay)))]
pub(super) async fn limits(
    State(app): State<App>,
    who: SignedIn,
    Key(id): Key,
    asked: JsonBody<PlayLimits>,
) -> Result<Json<OwnPlay>, Problem> {
    let player = own(&who)?.clone();
    let command = HouseCommand::SetPlayLimits { player: player.clone(), limits: asked.form };
    let asking = commands::Asking { id, text: &asked.text, about: &Stream::House, rows: Vec::new() };
    commands::send(&app, who.actor.clone(), asking, Command::House(command)).await.map(|_| ())?;
    Ok(Json(own_play(&app, &player)))
}

fn own(who: &SignedIn) -> Result<&PlayerId, Problem> {
    match &who.actor {
        Actor::Player(player) => Ok(player),
        Actor::Staff(..) | Actor::Acting(..) | Actor::Department(..) | Actor::Device(_) | Actor::System => {
            let detail = "This is for Players; the staff do not play here.";
            Err(Problem::new(StatusCode::CONFLICT, "StaffDoNotPlay", detail))
        }
    }
}

fn own_play(app: &App, player: &PlayerId) -> OwnPlay {
    const MINUTE: u64 = 60_000;
    let now = Moment::now();
    let (tables, house) = (app.board.tables(), app.board.house());
    let today = house.day_rule().day_of(now);
    let days = tables.iter().map(|table| table.day().player(player, today));
    let day = days.fold(PlayerDay::default(), PlayerDay::and);
    let coming = house.coming_limits(player, now);
    OwnPlay {
        today: OwnDay {
            rounds: day.rounds,
            staked: day.staked,
            returned: day.returned,
            net: day.lost().saturating_neg(),
            minutes: day.played / MINUTE,
        },
        limits: house.play_limits(player, now),
        coming: coming.map(|coming| Coming { limits: coming.limits, from: coming.from.0 }),
        raised_after_hours: floor::RAISED_AFTER_HOURS,
        prohibited: house.is_prohibited(player),
        prohibited_because: house.prohibited_because(player).map(str::to_owned),
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct WhichRounds {
    /// Of how many rounds, the latest: 50 where no number is given, 100 at most.
    #[param(minimum = 1, maximum = 100)]
    rounds: Option<usize>,
}

/// How a Player has played lately.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(super) struct OwnStatistics {
    /// Of how many rounds; void ones are aside.
    rounds: u64,
    /// What was wagered on all areas, in cents.
    staked: i64,
    /// What came back, in cents; awards of a meter aside.
    returned: i64,
    /// What Ante and the wagers that follow it brought, in cents: this is what is compared with the expectation.
    played: i64,
    /// What they bring on average with perfect play, in cents.
    expected: f64,
    /// The standard deviation of that, in cents: two of three Players are within one of it, nineteen of twenty within two.
    deviation: f64,
    /// How many decisions were looked at: those of hands that you viewed.
    decisions: u64,
    /// How many of them were mistakes.
    mistakes: u64,
    /// What these cost on average, in cents.
    cost: f64,
    /// The dearest of them.
    worst: Vec<Mistake>,
}

/// A decision that another would have been better than.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Mistake {
    table: TableId,
    round: u64,
    /// The entry of the table's stream.
    version: u64,
    /// What was decided, and what was better: `bet`, `check` or `fold`.
    decision: &'static str,
    better: &'static str,
    /// What the cards were.
    hand: String,
    /// What it cost, in cents.
    cost: Ratio,
}

/// How many of the dearest mistakes are named.
const WORST: usize = 5;

/// How you have played in your latest rounds: against expectation, and what mistakes cost.
#[utoipa::path(get, path = "/api/me/statistics", tag = "lobby", params(WhichRounds),
    responses((status = 200, description = "The statistics", body = OwnStatistics)))]
pub(super) async fn statistics(
    State(app): State<App>,
    QueryParams(which): QueryParams<WhichRounds>,
    who: SignedIn,
) -> Result<Json<OwnStatistics>, Problem> {
    let player = own(&who)?.clone();
    let limit = which.rounds.unwrap_or(USUAL).clamp(1, MOST);
    let rounds = results::latest(&app, &player, Moment(u64::MAX), limit).await?;
    let rounds: Vec<OwnRound> = rounds.into_iter().filter(|round| !round.void).collect();
    let mut all = OwnStatistics::default();
    let mut variance = 0.0;
    for round in &rounds {
        let book = app.board.table(&round.table).map(|table| Arc::clone(table.book()));
        let Some(book) = book else { continue };
        all.add(round);
        let Average { net, deviation } = average(&app, &book).await?;
        let ante = cents(round.staked_on(PlayingArea::Ante));
        all.expected += net * ante;
        variance += (deviation * ante).powi(2);
    }
    all.deviation = variance.sqrt();
    add_mistakes(&app, &player, &rounds, &mut all).await?;
    Ok(Json(all))
}

impl OwnStatistics {
    fn add(&mut self, round: &OwnRound) {
        self.rounds += 1;
        self.staked += signed(round.staked);
        self.returned += signed(round.returned);
        self.played += round.played();
    }
}

fn signed(amount: money::Money) -> i64 {
    i64::try_from(amount.cents()).unwrap_or(i64::MAX)
}

fn cents(amount: money::Money) -> f64 {
    Fraction::whole(amount.cents()).value()
}

/// What a round brings on average with perfect play, in Antes, and how far it is from that.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
struct Average {
    net: f64,
    deviation: f64,
}

/// The average of a book's game, counted once.
async fn average(app: &App, book: &Arc<Rulebook>) -> Result<Average, Problem> {
    let counted = Arc::clone(book);
    let work = move |lab: &Lab| {
        let question = Question { jackpot_wager_cents: 0, meter_cents: None, ..Question::default() };
        let exact = lab.exact(&counted, &question).map_err(|error| lab_problem(&error))?;
        text(&Average { net: exact.base.net.value(), deviation: exact.base.standard_deviation })
    };
    let said = app.work.lab.text(format!("average {}", book.id), work).await?;
    serde_json::from_str(&said).map_err(|_| Problem::broken())
}

/// Looks at every decision of the rounds, a table at a time.
async fn add_mistakes(
    app: &App,
    player: &PlayerId,
    rounds: &[OwnRound],
    all: &mut OwnStatistics,
) -> Result<(), Problem> {
    let mut by_table: BTreeMap<TableId, Vec<u64>> = BTreeMap::new();
    for round in rounds {
        by_table.entry(round.table.clone()).or_default().push(round.round);
    }
    let mut mistakes = Vec::new();
    let mut cost = Fraction::ZERO;
    for (table, numbers) in by_table {
        let (stream, library) = (Stream::Table(table.clone()), app.library());
        let read = move |reader: &mut dyn Reader| history::stories(reader, &library, &stream, &numbers);
        let stories = app.vault.read(read).await?;
        let viewer = Viewer::Player(player.clone());
        let work = move |lab: &Lab| {
            let hands = |story: &history::Story| {
                let number = story.table.number();
                Ok(analysis::hands(lab, story, &viewer)?.into_iter().map(move |hand| (number, hand)))
            };
            let all: Result<Vec<_>, Problem> = stories.iter().map(hands).collect();
            Ok(all?.into_iter().flatten().collect::<Vec<_>>())
        };
        for (round, hand) in app.work.lab.soon(work).await? {
            if hand.player.as_ref() != Some(player) {
                continue;
            }
            for made in hand.decisions {
                all.decisions += 1;
                if made.mistake {
                    cost = cost.plus(made.exact_cost);
                    mistakes.push((
                        made.exact_cost,
                        Mistake {
                            table: table.clone(),
                            round,
                            version: made.version,
                            decision: made.decision,
                            better: made.advice.best.name(),
                            hand: made.advice.hand,
                            cost: made.cost,
                        },
                    ));
                }
            }
        }
    }
    mistakes.sort_by(|(one, _), (other, _)| other.value().total_cmp(&one.value()));
    all.mistakes = u64::try_from(mistakes.len()).unwrap_or(u64::MAX);
    all.cost = cost.value();
    all.worst = mistakes.into_iter().take(WORST).map(|(_, mistake)| mistake).collect();
    Ok(())
}
