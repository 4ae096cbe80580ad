//! A shuffle checked: the deck that a seed and its salts make.

use axum::Json;
use axum::http::StatusCode;
use cards::Card;
use floor::Salt;
use floor::dealing::{self, Seed};
use jackpot::TableId;
use journal::Hash;
use round::PlayerId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::JsonBody;
use crate::problem::Problem;

/// A shuffle that was opened.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ShuffleForm {
    #[schema(example = "MTHB9-1")]
    table: String,
    #[schema(example = 1)]
    round: u64,
    /// The seed, in 64 hexadecimal digits.
    #[schema(example = "0000000000000000000000000000000000000000000000000000000000000000")]
    seed: String,
    /// The Players' salts.
    #[serde(default)]
    salts: Vec<SaltForm>,
    /// The seeds that were drawn before and not used, in order.
    #[serde(default)]
    discarded: Vec<DrawForm>,
}

/// A seed that was drawn and not used.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DrawForm {
    /// The seed, in 64 hexadecimal digits.
    #[schema(example = "0000000000000000000000000000000000000000000000000000000000000000")]
    seed: String,
    /// Those who were to open a salt.
    #[serde(default)]
    salts: Vec<SaltForm>,
}

/// A Player's salt.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SaltForm {
    /// Whose.
    player: String,
    /// What they were committed to, in 64 hexadecimal digits.
    #[schema(example = "0000000000000000000000000000000000000000000000000000000000000000")]
    anchor: String,
    /// The salt they opened, in 64 hexadecimal digits; `null` where they withheld it.
    #[serde(default)]
    #[schema(example = "0000000000000000000000000000000000000000000000000000000000000000")]
    salt: Option<String>,
}

/// What the shuffle makes.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Shuffled {
    /// The digest that was to be published before bets.
    commitment: String,
    /// The digests that were to be published for the seeds that were not used.
    discarded: Vec<String>,
    /// The salts mixed.
    salt: String,
    /// The deck, first card dealt first.
    #[schema(value_type = Vec<String>)]
    deck: Vec<Card>,
    /// What is wrong with the salts: one that is not what its Player was committed to, a chain that does not go on.
    wrong: Vec<String>,
}

/// The deck that a seed and its salts make: compare the commitments with those published, and the cards with those dealt.
#[utoipa::path(post, path = "/api/shuffles/verify", tag = "audit", request_body = ShuffleForm,
    responses((status = 200, description = "The shuffle", body = Shuffled)))]
pub(super) async fn verify(asked: JsonBody<ShuffleForm>) -> Result<Json<Shuffled>, Problem> {
    let ShuffleForm { table, round, seed, salts, discarded } = asked.form;
    let table = TableId::new(&table);
    let seed = Seed(hash(&seed, "seed")?.0);
    let commitment = dealing::commitment(&table, round, seed);
    let (mut commitments, mut draws) = (Vec::new(), Vec::new());
    for draw in discarded {
        let seed = Seed(hash(&draw.seed, "discarded")?.0);
        commitments.push(dealing::commitment(&table, round, seed).to_string());
        draws.push(read(draw.salts)?);
    }
    let salts = read(salts)?;
    let opened: Vec<(PlayerId, Hash)> =
        salts.iter().filter_map(|one| Some((one.player.clone(), one.salt?))).collect();
    let salt = dealing::mixed(commitment, &opened);
    draws.push(salts);
    Ok(Json(Shuffled {
        commitment: commitment.to_string(),
        discarded: commitments,
        salt: salt.to_string(),
        deck: dealing::deck(seed, salt).cards().to_vec(),
        wrong: dealing::wrong_links(&table, &draws),
    }))
}

fn read(salts: Vec<SaltForm>) -> Result<Vec<Salt>, Problem> {
    let one = |form: SaltForm| {
        let anchor = hash(&form.anchor, "salts")?;
        let salt = form.salt.map(|salt| hash(&salt, "salts")).transpose()?;
        Ok(Salt { player: PlayerId::new(&form.player), anchor, salt })
    };
    salts.into_iter().map(one).collect()
}

fn hash(text: &str, field: &'static str) -> Result<Hash, Problem> {
    text.parse().map_err(|error: journal::HashError| {
        let detail = format!("A seed, an anchor or a salt cannot be read: {error}.");
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "FormIsWrong", detail).at(field)
    })
}
