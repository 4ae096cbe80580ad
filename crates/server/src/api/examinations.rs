//! Supervised examinations: a trainer sets one for somebody else, who takes it once, in the house's time. What it is made
//! from is the house's secret until the answers are handed in.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use jackpot::Person;
use journal::{Actor, Hash, Moment, Seal};
use lab::exact::Lab;
use rulebook::Rulebook;
use school::{CERTIFICATE_FORM, Certificate, Exercise, Given, Level, seed_text};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::{JsonBody, PathParams, QueryParams};
use super::drill::examination::check_house;
use super::drill::{book, wrong};
use super::learners::{ListFormat, WantedFormat, csv, trainers_office};
use crate::app::App;
use crate::auth::guard::{SignedIn, Staff};
use crate::problem::Problem;
use crate::school::{HandedIn, Kept, Sat, Standing, WAITS_DAYS, is_late, not_now, score, was_put_back};

/// For whom an examination is set, and which.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SetForm {
    /// Who is examined: somebody of the staff.
    #[schema(example = "Dan")]
    candidate: String,
    /// The rulebook's id.
    rulebook: String,
    level: Level,
}

/// An examination in the register.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ExaminationRow {
    number: String,
    candidate: String,
    trainer: String,
    rulebook: String,
    level: Level,
    standing: Standing,
    /// When it was set and begun, in milliseconds since 1970.
    set: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    began: Option<u64>,
    /// What it was made from, once the answers were handed in.
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    handed_in: Option<HandedIn>,
}

/// The register.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Register {
    examinations: Vec<ExaminationRow>,
    /// Numbers of examinations that were set and are not here any more: somebody has taken their rows away, or has put
    /// older ones in their place.
    missing: Vec<String>,
}

/// An examination that is being taken. What it is made from is not in it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Sitting {
    number: String,
    rulebook: String,
    level: Level,
    trainer: String,
    /// How much time is left, in seconds, and how much there was.
    left: u32,
    seconds: u32,
    /// How many questions must be answered right.
    needed: usize,
    exercises: Vec<Exercise>,
}

/// The answers to an examination.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SheetForm {
    /// The answers to each exercise, in order; none for an exercise that was left out.
    answers: Vec<Vec<Given>>,
}

/// Sets an examination for somebody of the staff. From a Pit Supervisor up, and never for oneself.
#[utoipa::path(post, path = "/api/school/examinations", tag = "school", request_body = SetForm,
    responses((status = 200, description = "The examination, which its candidate can now begin", body = ExaminationRow)))]
pub(super) async fn set(
    State(app): State<App>,
    who: Staff,
    asked: JsonBody<SetForm>,
) -> Result<Json<ExaminationRow>, Problem> {
    check_house(&app)?;
    who.may_look_from(trainers_office())?;
    if who.post.office().is_none() {
        let detail = "Table Games examines its own people; ask a Pit Supervisor.";
        return Err(Problem::forbidden("TableGamesOnly", detail));
    }
    let form = asked.form;
    let book = book(&app, &form.rulebook)?;
    let candidate = Person::new(&form.candidate);
    if candidate == who.person {
        return Err(Problem::forbidden("OwnExamination", "Nobody examines themselves; ask another trainer."));
    }
    let now = Moment::now();
    if app.board.house().post(&candidate).is_none() {
        return Err(Problem::not_found("Nobody of the staff has this name."));
    }
    let _turn = app.school.turn().await;
    let number = app.school.next_number(&app.config.floor.node).await?;
    let kept = Kept {
        version: 1,
        secret: app.school.secret(&number, candidate.name(), now),
        number,
        candidate: candidate.name().to_owned(),
        trainer: who.person.name().to_owned(),
        digest: digest_of(&app, &form.rulebook),
        rulebook: form.rulebook,
        level: form.level,
        set: now.0,
        began: None,
        handed_in: None,
    };
    app.school.keep(&kept).await?;
    let allowed = allowed(&app, &kept, book).await?;
    Ok(Json(row(&app, &kept, allowed)))
}

/// The register: a trainer sees all of it, everybody else their own examinations.
#[utoipa::path(get, path = "/api/school/examinations", tag = "school", params(WantedFormat),
    responses((status = 200, description = "The examinations, in the order in which they were set", content(
        (Register = "application/json"), (String = "text/csv")))))]
pub(super) async fn register(
    State(app): State<App>,
    QueryParams(wanted): QueryParams<WantedFormat>,
    who: Staff,
) -> Result<Response, Problem> {
    let all = app.school.examinations().await?;
    let mut missing = missing(&all);
    missing.extend(all.iter().filter(|kept| app.school.is_put_back(kept)).map(|kept| kept.number.clone()));
    missing.sort();
    let trains = who.may_look_from(trainers_office()).is_ok();
    let mut examinations = Vec::new();
    for kept in all.into_iter().filter(|kept| trains || kept.candidate == who.person.name()) {
        let allowed = match app.book(&kept.rulebook) {
            Some(book) if kept.began.is_some() && kept.handed_in.is_none() => {
                allowed(&app, &kept, book).await?
            }
            Some(_) | None => 0,
        };
        examinations.push(row(&app, &kept, allowed));
    }
    match wanted.format {
        ListFormat::Json => {
            let missing = if trains { missing } else { Vec::new() };
            Ok(Json(Register { examinations, missing }).into_response())
        }
        ListFormat::Csv => Ok(csv(&register_rows(&examinations))),
    }
}

/// Begins an examination, or goes on with it: its time runs from the first time on.
#[utoipa::path(post, path = "/api/school/examinations/{number}/begin", tag = "school",
    params(("number" = String, Path, description = "The number in the register", example = "main-000001")),
    responses((status = 200, description = "The exercises, without their answers", body = Sitting)))]
pub(super) async fn sit(
    State(app): State<App>,
    PathParams(number): PathParams<String>,
    who: SignedIn,
) -> Result<Json<Sitting>, Problem> {
    check_house(&app)?;
    let _turn = app.school.turn().await;
    let mut kept = own(&app, &who, &number).await?;
    let book = unchanged(&app, &kept)?;
    let now = Moment::now();
    if kept.began.is_none() {
        // Nobody begins what could not be certified.
        app.signer()?;
        if is_too_old(&kept, now) {
            let detail = "This examination was set too long ago; ask the trainer for another.";
            return Err(not_now("TimeIsOver", detail));
        }
        kept.began = Some(now.0);
        app.school.sat(&who.actor, &kept, Sat::Begun).await?;
        app.school.begins(&number);
    }
    let examination = examination_of(&app, &kept, book).await?;
    let took = app.school.took(&kept, now).unwrap_or(0);
    if is_late(examination.seconds, took) {
        return Err(not_now(
            "TimeIsOver",
            "The time of this examination is over; ask the trainer for another.",
        ));
    }
    let spent = u32::try_from(took / 1000).unwrap_or(u32::MAX);
    let left = examination.seconds.saturating_sub(spent);
    app.school.sits(&kept.candidate, left);
    Ok(Json(Sitting {
        number,
        rulebook: kept.rulebook,
        level: kept.level,
        trainer: kept.trainer,
        left,
        seconds: examination.seconds,
        needed: examination.needed,
        exercises: examination.exercises,
    }))
}

/// Hands in the answers, once. The score comes back, and a certificate if it was passed in time.
#[utoipa::path(post, path = "/api/school/examinations/{number}/answers", tag = "school",
    params(("number" = String, Path, description = "The number in the register", example = "main-000001")),
    request_body = SheetForm,
    responses((status = 200, description = "The examination with its result", body = ExaminationRow)))]
pub(super) async fn hand_in(
    State(app): State<App>,
    PathParams(number): PathParams<String>,
    who: SignedIn,
    asked: JsonBody<SheetForm>,
) -> Result<Json<ExaminationRow>, Problem> {
    check_house(&app)?;
    let _turn = app.school.turn().await;
    let mut kept = own(&app, &who, &number).await?;
    let book = unchanged(&app, &kept)?;
    let now = Moment::now();
    let Some(took) = app.school.took(&kept, now) else {
        return Err(not_now("NotBegun", "This examination was not begun; begin it first."));
    };
    let (of, answers) = (kept.clone(), asked.form.answers);
    let sheet = answers.clone();
    let work = move |_: &Lab| {
        let paper = of.paper(&book);
        let score = paper.mark(&sheet).map_err(|error| wrong(&error.to_string()))?;
        Ok((score, paper.examination().seconds))
    };
    let (score, allowed) = app.work.lab.examined(work).await?;
    let late = is_late(allowed, took);
    let mut handed_in = HandedIn {
        at: now.0,
        seconds: took / 1000,
        late,
        right: score.right,
        of: score.of,
        needed: score.needed,
        answers,
        certificate: None,
    };
    if score.is_enough() && !late {
        handed_in.certificate = Some(certificate(&app, &kept, &handed_in)?);
    }
    kept.handed_in = Some(handed_in);
    app.school.sat(&who.actor, &kept, Sat::HandedIn).await?;
    app.school.rises(&kept.candidate);
    Ok(Json(row(&app, &kept, allowed)))
}

/// An examination of whoever asks that was not handed in yet.
async fn own(app: &App, who: &SignedIn, number: &str) -> Result<Kept, Problem> {
    let kept = app.school.examination(number).await?;
    let name = match &who.actor {
        Actor::Staff(person, _) | Actor::Acting(person, _) | Actor::Department(person, _) => person.name(),
        Actor::Player(_) | Actor::Device(_) | Actor::System => "",
    };
    if kept.candidate != name {
        return Err(Problem::forbidden("NotYourExamination", "This examination was set for somebody else."));
    }
    if app.school.is_put_back(&kept) {
        return Err(was_put_back(&kept));
    }
    if kept.handed_in.is_some() {
        return Err(not_now("HandedIn", "This examination was handed in; it is marked once."));
    }
    Ok(kept)
}

/// Whether an examination has waited for its candidate too long.
fn is_too_old(kept: &Kept, now: Moment) -> bool {
    const DAY_MS: u64 = 24 * 60 * 60 * 1_000;
    kept.set.saturating_add(WAITS_DAYS * DAY_MS) < now.0
}

/// The rulebook of an examination, if it is still the one that the examination was set under.
fn unchanged(app: &App, kept: &Kept) -> Result<Arc<Rulebook>, Problem> {
    let book = book(app, &kept.rulebook)?;
    if digest_of(app, &kept.rulebook) == kept.digest {
        return Ok(book);
    }
    let detail = "The rulebook has changed since this examination was set; ask the trainer for another.";
    Err(not_now("RulebookHasChanged", detail))
}

fn digest_of(app: &App, rulebook: &str) -> String {
    app.library().digests().get(rulebook).map(ToString::to_string).unwrap_or_default()
}

async fn examination_of(app: &App, kept: &Kept, book: Arc<Rulebook>) -> Result<school::Examination, Problem> {
    let kept = kept.clone();
    app.work.lab.examined(move |_: &Lab| Ok(kept.paper(&book).examination())).await
}

/// How many seconds an examination allows.
async fn allowed(app: &App, kept: &Kept, book: Arc<Rulebook>) -> Result<u32, Problem> {
    Ok(examination_of(app, kept, book).await?.seconds)
}

fn row(app: &App, kept: &Kept, allowed: u32) -> ExaminationRow {
    let standing = match kept.standing(allowed, app.school.took(kept, Moment::now())) {
        Standing::Set if is_too_old(kept, Moment::now()) => Standing::Lapsed,
        standing => standing,
    };
    ExaminationRow {
        number: kept.number.clone(),
        candidate: kept.candidate.clone(),
        trainer: kept.trainer.clone(),
        rulebook: kept.rulebook.clone(),
        level: kept.level,
        standing,
        set: kept.set,
        began: kept.began,
        seed: kept.handed_in.as_ref().map(|_| seed_text(kept.secret)),
        handed_in: kept.handed_in.clone(),
    }
}

/// Numbers below the highest of each node that are not there.
fn missing(all: &[Kept]) -> Vec<String> {
    let mut nodes: std::collections::BTreeMap<&str, Vec<u64>> = std::collections::BTreeMap::new();
    for kept in all {
        if let Some((node, number)) = kept.number.rsplit_once('-') {
            nodes.entry(node).or_default().extend(number.parse::<u64>());
        }
    }
    let of_node = |(node, numbers): (&str, Vec<u64>)| {
        let last = numbers.iter().copied().max().unwrap_or(0);
        let absent = (1..last).filter(move |number| !numbers.contains(number));
        absent.map(|number| format!("{node}-{number:06}")).collect::<Vec<_>>()
    };
    nodes.into_iter().flat_map(of_node).collect()
}

/// The certificate, signed with the key that the house has now.
fn certificate(app: &App, kept: &Kept, handed_in: &HandedIn) -> Result<Certificate, Problem> {
    let answers = serde_json::to_vec(&handed_in.answers).map_err(|_| Problem::broken())?;
    let score = score(handed_in);
    let signer = app.signer()?;
    let mut certificate = Certificate {
        form: CERTIFICATE_FORM.to_owned(),
        house: app.board.house().name().unwrap_or_default().to_owned(),
        number: kept.number.clone(),
        candidate: kept.candidate.clone(),
        trainer: kept.trainer.clone(),
        rulebook: kept.rulebook.clone(),
        digest: kept.digest.clone(),
        version: app.identity.version.clone(),
        program: app.identity.program.to_string(),
        level: kept.level,
        seed: seed_text(kept.secret),
        answers: Hash::of([answers.as_slice()]).to_string(),
        right: score.right,
        of: score.of,
        needed: score.needed,
        seconds: handed_in.seconds,
        at: handed_in.at,
        key: Hash(signer.public_key()).to_string(),
        signature: String::new(),
    };
    certificate.signature = Seal::of(&signer, &Hash::of([certificate.message().as_slice()])).signature;
    Ok(certificate)
}

/// Which of the house's keys signed something.
pub(super) enum SignedBy {
    PresentKey,
    EarlierKey,
    Nobody,
}

pub(super) const NOT_THIS_HOUSE: &str = "The signature is not this house's, or something was changed.";
pub(super) const KEY_WAS_REPLACED: &str =
    "It was signed by a key that was replaced, and the register has no such examination.";

pub(super) fn signed_by(app: &App, key: &str, signature: &str, digest: &Hash) -> SignedBy {
    let house = app.board.house();
    let Some(key) = key.parse::<Hash>().ok().filter(|key| house.keys().contains(&key.0)) else {
        return SignedBy::Nobody;
    };
    if !(Seal { key, signature: signature.to_owned() }).holds(digest) {
        SignedBy::Nobody
    } else if house.key() == Some(key.0) {
        SignedBy::PresentKey
    } else {
        SignedBy::EarlierKey
    }
}

/// What is to be said against a certificate: nothing where it is this house's, unchanged, and in the register.
pub(super) async fn findings(app: &App, certificate: &Certificate) -> Result<Vec<String>, Problem> {
    if floor::is_practice_name(&certificate.house) {
        return Ok(vec!["It is of a practice floor, which signs no certificate.".to_owned()]);
    }
    let digest = Hash::of([certificate.message().as_slice()]);
    let lost = match signed_by(app, &certificate.key, &certificate.signature, &digest) {
        SignedBy::PresentKey if certificate.form == CERTIFICATE_FORM => {
            "It was signed here, but the register has no such examination any more."
        }
        SignedBy::EarlierKey if certificate.form == CERTIFICATE_FORM => KEY_WAS_REPLACED,
        SignedBy::PresentKey | SignedBy::EarlierKey | SignedBy::Nobody => {
            return Ok(vec![NOT_THIS_HOUSE.to_owned()]);
        }
    };
    let kept = match app.school.examination(&certificate.number).await {
        Ok(kept) => kept.handed_in.and_then(|handed_in| handed_in.certificate),
        Err(problem) if problem.status == StatusCode::NOT_FOUND.as_u16() => None,
        Err(problem) => return Err(problem),
    };
    if kept.as_ref() == Some(certificate) {
        return Ok(Vec::new());
    }
    Ok(vec![lost.to_owned()])
}

fn register_rows(all: &[ExaminationRow]) -> Vec<Vec<String>> {
    let head = [
        "number",
        "candidate",
        "trainer",
        "rulebook",
        "level",
        "standing",
        "set",
        "began",
        "handed_in",
        "seconds",
        "late",
        "right",
        "of",
        "needed",
        "seed",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for one in all {
        let handed_in = |text: fn(&HandedIn) -> String| one.handed_in.as_ref().map(text).unwrap_or_default();
        let standing = serde_json::to_value(one.standing).ok();
        rows.push(vec![
            one.number.clone(),
            one.candidate.clone(),
            one.trainer.clone(),
            one.rulebook.clone(),
            one.level.name().to_owned(),
            standing.and_then(|standing| standing.as_str().map(str::to_owned)).unwrap_or_default(),
            one.set.to_string(),
            one.began.map(|began| began.to_string()).unwrap_or_default(),
            handed_in(|sheet| sheet.at.to_string()),
            handed_in(|sheet| sheet.seconds.to_string()),
            handed_in(|sheet| sheet.late.to_string()),
            handed_in(|sheet| sheet.right.to_string()),
            handed_in(|sheet| sheet.of.to_string()),
            handed_in(|sheet| sheet.needed.to_string()),
            one.seed.clone().unwrap_or_default(),
        ]);
    }
    rows
}
