//! A shuffle checked: the deck that a seed and its salts make.

use axum::Json;
use cards::Card;
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
    /// The Players' salts, in the order they were given.
    #[serde(default)]
    salts: Vec<SaltForm>,
}

/// A Player's salt.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SaltForm {
    /// Whose.
    player: String,
    salt: String,
}

/// What the shuffle makes.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Shuffled {
    /// The digest that was to be published before bets.
    commitment: String,
    /// The salts mixed.
    salt: String,
    /// The deck, first card dealt first.
    #[schema(value_type = Vec<String>)]
    deck: Vec<Card>,
}

/// The deck that a seed and its salts make: compare the commitment with the one published, and the cards with those dealt.
#[utoipa::path(post, path = "/api/shuffles/verify", tag = "audit", request_body = ShuffleForm,
    responses((status = 200, description = "The shuffle", body = Shuffled)))]
pub(super) async fn verify(asked: JsonBody<ShuffleForm>) -> Result<Json<Shuffled>, Problem> {
    let ShuffleForm { table, round, seed, salts } = asked.form;
    let seed: Hash = seed.parse().map_err(|error: journal::HashError| {
        let detail = format!("The seed cannot be read: {error}.");
        Problem::new(axum::http::StatusCode::UNPROCESSABLE_ENTITY, "FormIsWrong", detail).at("seed")
    })?;
    let seed = Seed(seed.0);
    let commitment = dealing::commitment(&TableId::new(&table), round, seed);
    let salts: Vec<(PlayerId, String)> =
        salts.into_iter().map(|salted| (PlayerId::new(&salted.player), salted.salt)).collect();
    let salt = dealing::mixed(commitment, &salts);
    let deck = dealing::deck(seed, salt).cards().to_vec();
    Ok(Json(Shuffled { commitment: commitment.to_string(), salt: salt.to_string(), deck }))
}
