//! Translates PostgreSQL errors into store errors.

use std::error::Error as _;
use std::time::Duration;

use jackpot::TableId;
use tokio_postgres::error::SqlState;

use crate::store::StoreError;

/// Why a question to the server has no answer.
#[derive(Debug)]
pub(super) enum AskError {
    /// What the server or the connection says.
    Said(tokio_postgres::Error),
    /// Nothing came for so long.
    Silent(Duration),
}

impl From<tokio_postgres::Error> for AskError {
    fn from(error: tokio_postgres::Error) -> AskError {
        AskError::Said(error)
    }
}

impl AskError {
    /// Whether the connection can no longer be used.
    pub(super) fn is_lost(&self) -> bool {
        match self {
            AskError::Said(error) => {
                error.is_closed() || matches!(said_error(error), StoreError::Unavailable(_))
            }
            AskError::Silent(_) => true,
        }
    }
}

/// The store error for an error of the server or the connection.
pub(super) fn store_error(error: &AskError) -> StoreError {
    match error {
        AskError::Said(error) => said_error(error),
        AskError::Silent(time) => {
            StoreError::Unavailable(format!("the server has not answered for {} s", time.as_secs()))
        }
    }
}

fn said_error(error: &tokio_postgres::Error) -> StoreError {
    let Some(refused) = error.as_db_error() else {
        return StoreError::Unavailable(with_cause(error));
    };
    let detail = refused.detail().unwrap_or_default();
    let said = || match refused.detail() {
        Some(detail) => format!("{} ({detail})", refused.message()),
        None => refused.message().to_owned(),
    };
    match refused.code().code() {
        "MLF01" => StoreError::Fenced(TableId::new(detail)),
        "MLS01" => match detail.parse() {
            Ok(account) => StoreError::Short(account),
            Err(_) => StoreError::Failed(said()),
        },
        "MLC01" => StoreError::Conflict(said()),
        code => match_code(code, said()),
    }
}

fn match_code(code: &str, said: String) -> StoreError {
    const CONFLICTS: [&SqlState; 4] = [
        &SqlState::UNIQUE_VIOLATION,
        &SqlState::T_R_SERIALIZATION_FAILURE,
        &SqlState::T_R_DEADLOCK_DETECTED,
        &SqlState::LOCK_NOT_AVAILABLE,
    ];
    const FULL: [&SqlState; 3] =
        [&SqlState::DISK_FULL, &SqlState::READ_ONLY_SQL_TRANSACTION, &SqlState::INSUFFICIENT_PRIVILEGE];
    let is = |state: &&SqlState| state.code() == code;
    if CONFLICTS.iter().any(is) {
        return StoreError::Conflict(said);
    }
    if FULL.iter().any(is) {
        return StoreError::Full(said);
    }
    if code == SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT.code() {
        // This node stalled in a transaction, and the server has ended it.
        return StoreError::Unavailable(said);
    }
    match code.get(..2) {
        // Connections, resources, authorisation, and an operator's action or a timeout: a later attempt may
        // succeed.
        Some("08" | "28" | "53" | "57") => StoreError::Unavailable(said),
        // No such database, table, column or function.
        Some("3D" | "3F" | "42") => StoreError::Schema(said),
        Some(_) | None => StoreError::Failed(format!("{said} (code {code})")),
    }
}

fn with_cause(error: &tokio_postgres::Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which errors mean that nothing happened, which may succeed later, and which are errors of ours.
    #[test]
    fn codes_of_the_server() {
        let named = |code: &str| match match_code(code, String::new()) {
            StoreError::Full(_) => "full",
            StoreError::Failed(_) => "failed",
            StoreError::Unavailable(_) => "unavailable",
            StoreError::Conflict(_) => "conflict",
            StoreError::Schema(_) => "schema",
            other @ (StoreError::Fenced(_) | StoreError::Short(_) | StoreError::Corrupt { .. }) => {
                panic!("{code} became {other}")
            }
        };
        let table = [
            ("23505", "conflict"),    // unique_violation
            ("40001", "conflict"),    // serialization_failure
            ("40P01", "conflict"),    // deadlock_detected
            ("55P03", "conflict"),    // lock_not_available
            ("53100", "full"),        // disk_full
            ("25006", "full"),        // read_only_sql_transaction
            ("42501", "full"),        // insufficient_privilege
            ("53300", "unavailable"), // too_many_connections
            ("57014", "unavailable"), // query_canceled
            ("25P03", "unavailable"), // idle_in_transaction_session_timeout
            ("57P01", "unavailable"), // admin_shutdown
            ("57P03", "unavailable"), // cannot_connect_now
            ("08006", "unavailable"), // connection_failure
            ("28P01", "unavailable"), // invalid_password
            ("42P01", "schema"),      // undefined_table
            ("3D000", "schema"),      // invalid_catalog_name
            ("58030", "failed"),      // io_error
            ("XX001", "failed"),      // data_corrupted
            ("40003", "failed"),      // statement_completion_unknown
            ("23514", "failed"),      // check_violation
        ];
        for (code, meaning) in table {
            assert_eq!(named(code), meaning, "{code}");
        }
    }
}
