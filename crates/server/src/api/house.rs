//! The house and its pit, for those who run them.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use floor::view::{HouseView, PitView, PlayersPage};
use journal::{Account, Amount, Moment, Reader, StoreError};
use round::PlayerId;
use serde::Deserialize;
use utoipa::IntoParams;

use super::body::QueryParams;
use crate::app::App;
use crate::auth::guard::{SignedIn, Staff};
use crate::problem::Problem;

/// How many Players are sent where no limit is given, and at most.
const USUAL: usize = 100;
const MOST: usize = 200;

/// The pit: every table, those that need a person first. For the staff.
#[utoipa::path(get, path = "/api/pit", tag = "house",
    responses((status = 200, description = "The pit", body = PitView)))]
pub(super) async fn pit(State(app): State<App>, who: Staff) -> Result<Json<PitView>, Problem> {
    PitView::of(&app.board.floor(), &who.viewer(), Moment::now()).map(Json).ok_or_else(Problem::broken)
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct WhichPlayers {
    /// Players whose name begins like this; upper and lower case are the same.
    name: Option<String>,
    /// Players after this name: the last one of the page before.
    after: Option<String>,
    /// How many Players: 100 where none is given, 200 at most.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<usize>,
}

/// The house: who runs it and who plays there. A Player sees themselves.
#[utoipa::path(get, path = "/api/house", tag = "house", params(WhichPlayers),
    responses((status = 200, description = "The house", body = HouseView)))]
pub(super) async fn house(
    State(app): State<App>,
    QueryParams(which): QueryParams<WhichPlayers>,
    who: SignedIn,
) -> Result<Json<HouseView>, Problem> {
    let WhichPlayers { name, after, limit } = which;
    let limit = limit.unwrap_or(USUAL).clamp(1, MOST);
    let page = PlayersPage { name: name.unwrap_or_default(), after, limit };
    let viewer = who.viewer();
    let (players, _) = page.players(&app.board.floor(), &viewer);
    let look = move |reader: &mut dyn Reader| {
        let wallet = |player: PlayerId| {
            let amount = reader.balance(&Account::Wallet(player.clone()))?;
            Ok((player, amount))
        };
        players.into_iter().map(wallet).collect::<Result<BTreeMap<PlayerId, Amount>, StoreError>>()
    };
    let wallets = app.vault.look_up(look).await?;
    Ok(Json(HouseView::of(&app.board.floor(), &wallets, &page, &viewer)))
}
