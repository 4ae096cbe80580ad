//! The books: every account, and the one figure that must be zero.

use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use floor::check::{Balance, check};
use floor::view::ExactAmount;
use journal::{Account, Amount, Reader};
use rulebook::Office;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::guard::Staff;
use crate::problem::Problem;

/// For how long a figure other than zero is computed again: the floor goes on while its books are read.
const RETRY_FOR: Duration = Duration::from_secs(2);

#[derive(Debug, Serialize, ToSchema)]
pub(super) struct AccountView {
    /// Whose, or of what.
    account: String,
    holds: ExactAmount,
}

#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Books {
    /// What is not accounted for. It must be zero.
    figure: ExactAmount,
    /// The accounts that hold something else than the floor says.
    unaccounted: Vec<String>,
    /// Every account.
    accounts: Vec<AccountView>,
}

/// The books: every account, and the one figure that must be zero. From a Pit Manager up.
#[utoipa::path(get, path = "/api/accounts", tag = "house",
    responses((status = 200, description = "The books", body = Books)))]
pub(super) async fn accounts(State(app): State<App>, who: Staff) -> Result<Json<Books>, Problem> {
    who.may_look_from(Office::PitManager)?;
    let (balances, balance) = settled(&app).await?;
    let account = |(account, holds): (Account, Amount)| AccountView {
        account: account.to_string(),
        holds: holds.into(),
    };
    Ok(Json(Books {
        figure: unaccounted_for(&balance),
        unaccounted: balance.unaccounted.iter().map(|off| off.account.to_string()).collect(),
        accounts: balances.into_iter().map(account).collect(),
    }))
}

/// The one figure alone, which pages ask for again and again.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CheckFigure {
    /// What is not accounted for. It must be zero.
    figure: ExactAmount,
}

/// What is not accounted for, without the accounts. From a Pit Manager up.
#[utoipa::path(get, path = "/api/accounts/figure", tag = "house",
    responses((status = 200, description = "The figure", body = CheckFigure)))]
pub(super) async fn figure(State(app): State<App>, who: Staff) -> Result<Json<CheckFigure>, Problem> {
    who.may_look_from(Office::PitManager)?;
    let (_, balance) = settled(&app).await?;
    Ok(Json(CheckFigure { figure: unaccounted_for(&balance) }))
}

/// What is not accounted for, as views show it.
fn unaccounted_for(balance: &Balance) -> ExactAmount {
    ExactAmount::from_ten_thousandths(balance.figure().cast_signed())
}

/// The balances and the figure, read until both are of one moment.
async fn settled(app: &App) -> Result<(Vec<(Account, Amount)>, Balance), Problem> {
    let began = Instant::now();
    loop {
        let balances = app.vault.read(|reader: &mut dyn Reader| reader.balances()).await?;
        let balance = check(&app.board.floor(), &balances);
        if balance.figure() == 0 || RETRY_FOR < began.elapsed() {
            return Ok((balances, balance));
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
