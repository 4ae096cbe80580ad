//! What every request can reach, and all routes in one table.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use automatic::ConductedNode;
use axum::{Router, middleware};
use floor::Library;
use floor::node::{Answer, Board, Failure, Request, Service, Wrote};
use floor::view::Viewer;
use journal::checkpoint::Signer;
use journal::{Actor, CommandId, Currency, Hash, Identity, Stream, Version};
use metrics_exporter_prometheus::PrometheusHandle;
use rulebook::Rulebook;
use tokio::sync::{Notify, oneshot};
use tokio_util::sync::CancellationToken;

use crate::api::Work;
use crate::auth::accounts::Accounts;
use crate::auth::devices::Devices;
use crate::auth::limits::Limiter;
use crate::auth::refusals::Refusals;
use crate::auth::second_factor::SecondFactors;
use crate::auth::sessions::Sessions;
use crate::auth::throttle::Throttle;
use crate::config::{Config, SecondFactor};
use crate::departures::Departures;
use crate::displays::Displays;
use crate::heartbeat::Heartbeat;
use crate::hub::Hub;
use crate::keys::HouseKeys;
use crate::peers::Peers;
use crate::practice::Practice;
use crate::problem::Problem;
use crate::recent::Recent;
use crate::school::School;
use crate::vault::Vault;
use crate::verification::Verification;
use crate::witness::Couriers;
use crate::writing::Writing;
use crate::{auth, caller, openapi, peers, spans, web};

/// What every request can reach. Cheap to copy.
#[derive(Clone)]
pub struct App(Arc<AppState>);

/// See [`App`].
pub struct AppState {
    /// The configuration.
    pub config: Config,
    /// What runs here.
    pub identity: Identity,
    /// The house's keys: the present one signs certificates of examinations.
    pub(crate) keys: HouseKeys,
    /// The running node.
    pub service: Arc<Service>,
    /// The floor as it was last committed.
    pub board: Arc<Board>,
    /// The dealer of the tables without staff.
    pub conducted: Arc<ConductedNode>,
    /// The mock tables, on a practice floor.
    pub practice: Option<Practice>,
    /// The live feeds.
    pub hub: Hub,
    /// The newest entries.
    pub recent: Arc<Recent>,
    /// What is kept beside the log, and the log for reading.
    pub vault: Vault,
    /// Who can sign in.
    pub accounts: Accounts,
    /// Who is signed in.
    pub sessions: Sessions,
    /// The machines that have a key.
    pub devices: Devices,
    /// What the staff gives besides the password.
    pub second_factors: SecondFactors,
    /// Wrong passwords.
    pub throttle: Throttle,
    /// Refused sign-ins and denied commands that the log has yet to count.
    pub refusals: Refusals,
    /// Requests by address.
    pub limiter: Limiter,
    /// Players who play by a session, and get up when it is over.
    pub departures: Departures,
    /// When each staffed table was last heard from.
    pub heartbeat: Heartbeat,
    /// What the meters showed lately.
    pub displays: Displays,
    /// The other nodes on the same log.
    pub peers: Peers,
    /// The witnesses of the log, and what they have been sent.
    pub(crate) couriers: Couriers,
    /// How far the older part of the log has been verified since the start.
    pub(crate) verification: Verification,
    /// Learners and examinations.
    pub(crate) school: Arc<School>,
    /// What is remembered for looking back, and the lab.
    pub work: Work,
    /// What is measured.
    pub metrics: PrometheusHandle,
    /// Whether this node can write.
    pub writing: Writing,
    /// What could be lost although it was acknowledged, each in a sentence.
    pub risks: Vec<String>,
    /// Rings when the files that may be replaced while it serves are to be read again.
    pub reload: Notify,
    /// Cancelled when the server stops: feeds end.
    pub stopping: CancellationToken,
    /// Whether it serves: started, and not stopping.
    pub ready: AtomicBool,
}

impl Deref for App {
    type Target = AppState;

    fn deref(&self) -> &AppState {
        &self.0
    }
}

impl App {
    /// The app over its parts.
    pub fn new(state: AppState) -> App {
        App(Arc::new(state))
    }

    /// The rulebooks: those the program was given, and those the house changed to.
    pub fn library(&self) -> Library {
        self.board.library()
    }

    /// One of them.
    pub fn book(&self, id: &str) -> Option<Arc<Rulebook>> {
        self.library().get(id).map(|(book, _)| Arc::clone(book))
    }

    /// All of them, for settling recorded rounds.
    pub fn books(&self) -> record::Books {
        record::Books::new(self.library().iter().map(|book| (**book).clone()).collect())
    }

    /// The key that signs for the house now.
    pub(crate) fn signer(&self) -> Result<Signer, Problem> {
        let signer = self.board.house().key().and_then(|key| self.keys.of(key));
        let detail =
            "The key that signs for the house is not on this node; copy its file beside the first key.";
        signer.ok_or_else(|| Problem::unavailable(detail))
    }

    /// Whether it serves.
    pub fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Relaxed) && self.board.stopped().is_none()
    }

    /// Whether guests may come in: only where the money is play money.
    pub fn takes_guests(&self) -> bool {
        self.config.floor.guests && self.board.house().money() == Some(Currency::Play)
    }

    /// Whether the money is real.
    pub fn plays_for_real(&self) -> bool {
        self.board.house().money() == Some(Currency::Real)
    }

    /// Whether this is a practice floor, by its own log.
    pub fn is_practice(&self) -> bool {
        self.board.house().money() == Some(Currency::Practice)
    }

    /// Whether somebody's office needs a second factor.
    pub fn requires_second_factor(&self, actor: &Actor) -> bool {
        match (self.config.floor.second_factor, actor) {
            (SecondFactor::RequiredFor(least), Actor::Staff(_, office) | Actor::Acting(_, office)) => {
                least <= *office
            }
            // Who signs with a manager is protected like one.
            (SecondFactor::RequiredFor(_), Actor::Department(..)) => true,
            (SecondFactor::RequiredFor(_) | SecondFactor::Optional, _) => false,
        }
    }

    /// Whether somebody must enrol a second factor before anything else.
    pub fn must_enrol(&self, actor: &Actor) -> bool {
        match actor {
            Actor::Staff(person, _) | Actor::Acting(person, _) | Actor::Department(person, _) => {
                self.requires_second_factor(actor) && !self.second_factors.is_enrolled(person)
            }
            Actor::Player(_) | Actor::Device(_) | Actor::System => false,
        }
    }

    /// Asks the floor for something. The answer comes when it is durable; dropping the future changes nothing of that.
    pub async fn ask(&self, request: Request) -> Result<Vec<Wrote>, Problem> {
        let (sender, receiver) = oneshot::channel();
        self.service.submit_with(request, Box::new(move |reply| drop(sender.send(reply))));
        let Some(reply) = self.writing.in_time(receiver).await else {
            return Err(Problem::silent_database());
        };
        match reply {
            Ok(Ok(Answer::Done(wrote))) => Ok(wrote),
            Ok(Ok(Answer::Refused(refusal))) => {
                let clause = refusal.clause.map_or_else(|| "none".to_owned(), |clause| clause.to_string());
                let reason = refusal.reason.clone();
                metrics::counter!("megalink_refusals_total", "reason" => reason, "clause" => clause)
                    .increment(1);
                Err(refusal.into())
            }
            Ok(Err(failure)) => Err(failure.into()),
            Err(_) => Err(Problem::from(Failure::Stopped("its thread has ended".to_owned()))),
        }
    }

    /// Where a stream ends.
    pub fn version(&self, stream: &Stream) -> Version {
        self.board.head(stream).map_or(Version(0), |head| head.version)
    }
}

/// As whom somebody looks.
pub(crate) fn viewer(actor: Option<&Actor>) -> Viewer {
    match actor {
        None | Some(Actor::Device(_) | Actor::System) => Viewer::Public,
        Some(Actor::Player(player)) => Viewer::Player(player.clone()),
        Some(Actor::Staff(person, office) | Actor::Acting(person, office)) => {
            Viewer::Staff(person.clone(), *office)
        }
        Some(Actor::Department(person, department)) => Viewer::Department(person.clone(), *department),
    }
}

/// A request whose digest is that of its actor and of its body as it was read.
pub(crate) fn request(id: CommandId, actor: Actor, command: floor::Command, digest: Hash) -> Request {
    Request { id, actor, command, digest, rows: Vec::new() }
}

/// Every route. The layer added last here runs first: a request gets an id and a caller, it
/// is logged, it is checked, and what another node must answer is sent there.
pub fn app(app: App) -> Router {
    let (routes, description) = openapi::router().split_for_parts();
    let routes = routes.merge(openapi::file(&description)).fallback(web::page);
    let routes = routes.layer(middleware::from_fn_with_state(app.clone(), peers::forward));
    let routes = auth::protect(routes.with_state(app.clone()), &app);
    routes
        .layer(middleware::from_fn(spans::follow))
        .layer(middleware::from_fn_with_state(app, caller::identify))
}
