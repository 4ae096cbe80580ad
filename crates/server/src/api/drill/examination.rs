//! An examination to practise: anybody may take it, as often as they like, so it earns no certificate. Supervised ones do
//! (`examinations`). Certificates that were once signed for these are still verified, and it is said what they are.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use journal::{Hash, Moment, Seal};
use school::{Examination, Given, Level, Paper, Score};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{book, wrong};
use crate::api::body::{JsonBody, QueryParams};
use crate::api::examinations::{self, KEY_WAS_REPLACED, NOT_THIS_HOUSE, SignedBy, signed_by};
use crate::app::App;
use crate::problem::Problem;

/// What a signature is for goes into what is signed, so that it serves no other purpose.
const TICKET: &[u8] = b"megalink examination begun 1";
const CERTIFICATE: &[u8] = b"megalink examination certificate 1";

/// What the answers may take longer than the examination allows, to reach the server.
const GRACE_MS: u64 = 10_000;

/// Which examination.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(in crate::api) struct WantedExamination {
    /// The rulebook's id.
    #[param(example = "megalink-holdem-v9")]
    rulebook: String,
    #[param(inline)]
    level: Level,
    /// The number it is made from.
    #[param(example = 1)]
    seed: u32,
}

/// When an examination began, signed by the house.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct Ticket {
    /// In milliseconds since 1970.
    began: u64,
    signature: String,
}

/// An examination that has begun.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::api) struct Begun {
    #[serde(flatten)]
    examination: Examination,
    /// To be sent back with the answers.
    ticket: Ticket,
}

/// The answers to an examination.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct PaperForm {
    /// Who is examined. Nothing depends on it.
    #[serde(default)]
    name: String,
    /// The rulebook's id.
    rulebook: String,
    level: Level,
    seed: u32,
    ticket: Ticket,
    /// The answers to each exercise, in order; none for an exercise that was left out.
    answers: Vec<Vec<Given>>,
}

/// That somebody passed an examination that nobody supervised. None are signed any more.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct Certificate {
    name: String,
    /// The rulebook's id.
    rulebook: String,
    /// The SHA-256 of the rulebook's data.
    digest: String,
    /// The version of the program that marked it, and the SHA-256 of its file.
    version: String,
    program: String,
    level: Level,
    seed: u32,
    right: usize,
    of: usize,
    /// How long it took.
    seconds: u64,
    /// When, in milliseconds since 1970.
    at: u64,
    /// The house's public key, and its signature.
    key: String,
    signature: String,
}

/// How an examination went.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::api) struct Finished {
    score: Score,
    /// Whether the answers came too late.
    late: bool,
    seconds: u64,
    /// Whether enough was right, in time.
    passed: bool,
}

/// A certificate of either kind.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(in crate::api) enum AnyCertificate {
    Supervised(Box<school::Certificate>),
    Unsupervised(Box<Certificate>),
}

/// Picks the kind by the field that only one of them has, so that an error refers to the certificate that was meant.
impl<'de> Deserialize<'de> for AnyCertificate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AnyCertificate, D::Error> {
        let given = serde_json::Value::deserialize(deserializer)?;
        let certificate = if given.get("form").is_some() {
            Deserialize::deserialize(given).map(AnyCertificate::Supervised)
        } else {
            Deserialize::deserialize(given).map(AnyCertificate::Unsupervised)
        };
        certificate.map_err(serde::de::Error::custom)
    }
}

/// Whether a certificate is this house's.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::api) struct Verified {
    valid: bool,
    /// What is wrong with it, or what differs from the program that runs now.
    findings: Vec<String>,
}

/// Begins an examination: its time runs from this answer on.
#[utoipa::path(get, path = "/api/drill/examination", tag = "drill", params(WantedExamination),
    responses((status = 200, description = "The exercises, without their answers", body = Begun)))]
pub(in crate::api) async fn begin(
    State(app): State<App>,
    QueryParams(wanted): QueryParams<WantedExamination>,
) -> Result<Json<Begun>, Problem> {
    check_house(&app)?;
    let book = book(&app, &wanted.rulebook)?;
    let (level, seed) = (wanted.level, wanted.seed);
    let work = move |_: &lab::exact::Lab| Ok(Paper::new(&book, level, seed).examination());
    let examination = app.work.lab.soon(work).await?;
    let began = Moment::now().0;
    let digest = ticket_digest(&wanted.rulebook, level, seed, began);
    let ticket = Ticket { began, signature: Seal::of(&app.signer()?, &digest).signature };
    Ok(Json(Begun { examination, ticket }))
}

/// Marks an examination that somebody practised.
#[utoipa::path(post, path = "/api/drill/examination", tag = "drill", request_body = PaperForm,
    responses((status = 200, description = "The score, and whether it is enough", body = Finished)))]
pub(in crate::api) async fn finish(
    State(app): State<App>,
    asked: JsonBody<PaperForm>,
) -> Result<Json<Finished>, Problem> {
    check_house(&app)?;
    let form = asked.form;
    let book = book(&app, &form.rulebook)?;
    let now = Moment::now().0;
    let digest = ticket_digest(&form.rulebook, form.level, form.seed, form.ticket.began);
    let seal = Seal { key: Hash(app.signer()?.public_key()), signature: form.ticket.signature.clone() };
    if !seal.holds(&digest) || now < form.ticket.began {
        let detail = "This examination was not begun here; begin it again.";
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "NotBegun", detail));
    }
    let (level, seed, answers) = (form.level, form.seed, form.answers);
    let work = move |_: &lab::exact::Lab| {
        let paper = Paper::new(&book, level, seed);
        let score = paper.mark(&answers).map_err(|error| wrong(&error.to_string()))?;
        Ok((score, paper.examination().seconds))
    };
    let (score, allowed) = app.work.lab.soon(work).await?;
    let took = now - form.ticket.began;
    let late = u64::from(allowed) * 1000 + GRACE_MS < took;
    let seconds = took / 1000;
    Ok(Json(Finished { score, late, seconds, passed: score.is_enough() && !late }))
}

/// Verifies a certificate with the house's key and its register.
#[utoipa::path(post, path = "/api/drill/certificate", tag = "drill", request_body = AnyCertificate,
    responses((status = 200, description = "Whether it is this house's, unchanged", body = Verified)))]
pub(in crate::api) async fn verify_certificate(
    State(app): State<App>,
    asked: JsonBody<AnyCertificate>,
) -> Result<Json<Verified>, Problem> {
    let (mut findings, rulebook, digest) = match &asked.form {
        AnyCertificate::Supervised(certificate) => {
            let findings = examinations::findings(&app, certificate).await?;
            (findings, &certificate.rulebook, &certificate.digest)
        }
        AnyCertificate::Unsupervised(certificate) => {
            let Certificate { key, signature, .. } = certificate.as_ref();
            // No register has these, so only the present key vouches for them.
            let findings = match signed_by(&app, key, signature, &certificate.digest()) {
                SignedBy::PresentKey => Vec::new(),
                SignedBy::EarlierKey => vec![KEY_WAS_REPLACED.to_owned()],
                SignedBy::Nobody => vec![NOT_THIS_HOUSE.to_owned()],
            };
            (findings, &certificate.rulebook, &certificate.digest)
        }
    };
    let valid = findings.is_empty();
    if valid && matches!(asked.form, AnyCertificate::Unsupervised(_)) {
        findings.push("Nobody supervised this examination.".to_owned());
    }
    let runs = app.library().digests().get(rulebook).map(ToString::to_string);
    if valid && runs.as_ref() != Some(digest) {
        findings.push("The rulebook has changed since then.".to_owned());
    }
    Ok(Json(Verified { valid, findings }))
}

/// Refuses an examination where nobody could sign its certificate: a practice floor is no house.
pub(in crate::api) fn check_house(app: &App) -> Result<(), Problem> {
    if app.is_practice() {
        let detail = "A practice floor signs no certificate; take the examination on the house's own floor.";
        return Err(Problem::forbidden("PracticeFloor", detail));
    }
    Ok(())
}

fn ticket_digest(rulebook: &str, level: Level, seed: u32, began: u64) -> Hash {
    let parts: [&[u8]; 5] =
        [TICKET, rulebook.as_bytes(), level.name().as_bytes(), &seed.to_be_bytes(), &began.to_be_bytes()];
    Hash::of(parts)
}

impl Certificate {
    /// What is signed: everything but the signature.
    fn digest(&self) -> Hash {
        let unsigned = Certificate { signature: String::new(), ..self.clone() };
        let text = serde_json::to_vec(&unsigned).expect("texts and numbers can be written as JSON");
        Hash::of([CERTIFICATE, &text])
    }
}
