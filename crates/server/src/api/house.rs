//! The house and its pit, for those who run them.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use floor::view::{HouseView, PitView};
use journal::{Account, Actor, Amount, Reader};
use round::PlayerId;

use crate::app::App;
use crate::auth::guard::{SignedIn, Staff};
use crate::problem::Problem;

/// The pit: every table, those that need a person first. For the staff.
#[utoipa::path(get, path = "/api/pit", tag = "house",
    responses((status = 200, description = "The pit", body = PitView)))]
pub(super) async fn pit(State(app): State<App>, who: Staff) -> Result<Json<PitView>, Problem> {
    PitView::of(&app.board.floor(), &who.viewer()).map(Json).ok_or_else(Problem::broken)
}

/// The house: who runs it and who plays there. A Player sees themselves.
#[utoipa::path(get, path = "/api/house", tag = "house",
    responses((status = 200, description = "The house", body = HouseView)))]
pub(super) async fn house(State(app): State<App>, who: SignedIn) -> Result<Json<HouseView>, Problem> {
    let wallets = wallets(&app, &who.actor).await?;
    Ok(Json(HouseView::of(&app.board.floor(), &wallets, &who.viewer())))
}

/// The credits that somebody may see: their own, or everybody's for the staff.
async fn wallets(app: &App, actor: &Actor) -> Result<BTreeMap<PlayerId, Amount>, Problem> {
    let own = match actor {
        Actor::Player(player) => Some(player.clone()),
        Actor::Staff(..) | Actor::Acting(..) | Actor::Department(..) | Actor::System => None,
    };
    let look = move |reader: &mut dyn Reader| {
        if let Some(player) = own {
            let amount = reader.balance(&Account::Wallet(player.clone()))?;
            return Ok(BTreeMap::from([(player, amount)]));
        }
        let wallet = |(account, amount)| match account {
            Account::Wallet(player) => Some((player, amount)),
            _ => None,
        };
        Ok(reader.balances()?.into_iter().filter_map(wallet).collect())
    };
    app.vault.read(look).await
}
