//! The floor over HTTP: an API others can build on, live feeds, and the pages.
//!
//! [`app`] is the whole of it as one router; a request is parsed, becomes one command to the floor or one look at it, and
//! is rendered. No rule is here. `api` has the routes, `auth` who may ask, `hub` the live feeds, `problem` what goes
//! wrong; `startup` opens the store and begins the floor, `serve` listens. This is the only crate that knows HTTP.
#![expect(
    clippy::result_large_err,
    reason = "a problem is what a request ends with; how large it is costs nothing beside sending it"
)]

pub mod api;
mod app;
mod archiving;
pub mod auth;
mod caller;
pub mod client;
pub mod clock;
pub mod config;
mod departures;
mod displays;
pub mod doctor;
mod forgetting;
mod heartbeat;
mod hub;
pub mod identity;
mod keys;
mod measured;
mod noting;
mod openapi;
mod ops;
mod peers;
mod practice;
mod problem;
mod recent;
mod school;
mod serve;
mod spans;
mod startup;
mod vault;
mod verification;
mod view;
mod web;
pub mod witness;
mod writing;

pub use app::{App, AppState, app};
pub use openapi::description;
pub use problem::Problem;
pub use serve::{Listening, ServeError, serve, serve_until};
pub use startup::{SignIn, Started, StartupError, file_problems, sqlite_file, start};
pub use web::WITHOUT_PAGES;
