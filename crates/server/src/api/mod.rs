//! The routes. A handler parses, sends one command or takes one look, and renders; no rule is here.

mod accounts;
mod analysis;
mod answer;
mod audit;
mod body;
mod bulk;
mod coach;
mod commands;
mod describe;
mod devices;
mod drill;
mod examinations;
mod feed;
mod finished;
mod guide;
mod history;
mod house;
mod invitations;
mod lab;
mod learners;
mod links;
mod lobby;
mod own;
mod practice;
mod ready;
mod reports;
mod results;
mod rules;
mod second_factor;
mod session;
mod sheet;
mod shuffles;
mod statistics;
mod tables;
mod trail;
mod train;

use tower_http::compression::CompressionLayer;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

pub use answer::Done;
pub(crate) use answer::look;
pub(crate) use practice::wishes;

/// What is remembered for looking back, and the lab.
#[derive(Default)]
pub struct Work {
    pub(crate) lab: lab::LabWork,
    pub(crate) reports: reports::ReportWork,
}

/// Routes whose answers are long and hold nobody's secrets: they are compressed.
fn long_answers() -> OpenApiRouter<App> {
    OpenApiRouter::default()
        .routes(routes!(lab::exact))
        .routes(routes!(lab::advise::advise))
        .routes(routes!(lab::strategy))
        .routes(routes!(lab::chart::chart))
        .routes(routes!(lab::rules::rules))
        .routes(routes!(lab::what_if))
        .routes(routes!(lab::curve::curve))
        .routes(routes!(lab::session::session))
        .routes(routes!(lab::simulate::simulate))
        .routes(routes!(lab::par::par))
        .routes(routes!(rules::rulebooks))
        .routes(routes!(rules::rulebook))
        .routes(routes!(rules::readings::readings))
        .routes(routes!(rules::changes::draft))
        .routes(routes!(rules::changes::draft_settings))
        .routes(routes!(rules::changes::changes))
        .layer(CompressionLayer::new())
}

/// Every route of the API.
pub fn routes() -> OpenApiRouter<App> {
    let mut router = OpenApiRouter::default()
        .routes(routes!(session::sign_in, session::who, session::sign_out))
        .routes(routes!(session::guest))
        .routes(routes!(session::step_up))
        .routes(routes!(session::password))
        .routes(routes!(second_factor::shown, second_factor::enrol))
        .routes(routes!(second_factor::offer))
        .routes(routes!(second_factor::remove))
        .routes(routes!(invitations::invite))
        .routes(routes!(invitations::take_up))
        .routes(routes!(lobby::lobby))
        .routes(routes!(lobby::me))
        .routes(routes!(results::own_rounds))
        .routes(routes!(own::play))
        .routes(routes!(own::limits))
        .routes(routes!(own::statistics))
        .routes(routes!(tables::table))
        .routes(routes!(tables::rounds))
        .routes(routes!(tables::round))
        .routes(routes!(analysis::analysis))
        .routes(routes!(coach::advice))
        .routes(routes!(commands::table))
        .routes(routes!(ready::ready))
        .routes(routes!(guide::guide))
        .routes(routes!(links::link))
        .routes(routes!(links::desk))
        .routes(routes!(links::meters))
        .routes(routes!(audit::verification))
        .routes(routes!(sheet::sheet))
        .routes(routes!(links::slip))
        .routes(routes!(commands::desk))
        .routes(routes!(devices::devices, devices::make))
        .routes(routes!(devices::own))
        .routes(routes!(finished::finished))
        .routes(routes!(house::pit))
        .routes(routes!(house::house))
        .routes(routes!(accounts::accounts))
        .routes(routes!(accounts::figure))
        .routes(routes!(commands::house))
        .routes(routes!(feed::socket))
        .routes(routes!(feed::events))
        .routes(routes!(feed::house_events))
        .routes(routes!(audit::entries))
        .routes(routes!(trail::trail))
        .routes(routes!(audit::proof))
        .routes(routes!(audit::replay))
        .routes(routes!(reports::report))
        .routes(routes!(reports::export))
        .routes(routes!(statistics::honesty))
        .routes(routes!(bulk::settle))
        .routes(routes!(shuffles::verify))
        .routes(routes!(drill::exercise))
        .routes(routes!(drill::mark))
        .routes(routes!(drill::examination::begin, drill::examination::finish))
        .routes(routes!(drill::examination::verify_certificate))
        .routes(routes!(practice::now))
        .routes(routes!(practice::open))
        .routes(routes!(practice::mock))
        .routes(routes!(practice::happen))
        .routes(routes!(practice::pay))
        .routes(routes!(practice::theatre))
        .routes(routes!(practice::check_script))
        .routes(routes!(drill::course::preview))
        .routes(routes!(drill::course::mark_course))
        .routes(routes!(train::decision))
        .routes(routes!(train::mark_decision))
        .routes(routes!(train::lessons))
        .routes(routes!(learners::record))
        .routes(routes!(learners::class))
        .routes(routes!(examinations::set, examinations::register))
        .routes(routes!(examinations::sit))
        .routes(routes!(examinations::hand_in))
        .merge(long_answers());
    describe::complete(router.get_openapi_mut());
    router
}
