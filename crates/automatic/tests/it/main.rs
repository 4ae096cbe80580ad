//! Tables without staff, on the same hall that the floor's own tests use.

mod conductor;
mod dealer;
mod evening;
mod floor_shown;
mod irregular;
mod players;
mod readiness;
mod reading_silence;
mod serving;
#[allow(dead_code, reason = "the floor's own tests use the rest of it")]
#[path = "../../../floor/tests/it/support.rs"]
mod support;
