//! Witnesses of a real server on a SQLite file: what they are sent, what they remember, and what a start makes of it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use floor::node::Request as Ask;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use journal::checkpoint::{Checkpoint, Signer};
use journal::sqlite::SqliteStore;
use journal::vault::kind::COSIGNATURE;
use journal::witness::{Cosignature, Cosigned};
use journal::{
    Actor, CommandId, GENESIS, Hash, Head, HouseCommand, Moment, PlayerKind, Reader, Stream, Version,
};
use serde_json::Value;
use server::config::{Config, Witness};
use server::witness::WitnessService;
use server::{App, Listening, StartupError, serve_until};
use tempfile::TempDir;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::ops_first::start_after;
use super::support::{config, until};

/// A house with its files.
struct House {
    directory: TempDir,
    config: Config,
}

impl House {
    fn new(witness: impl FnOnce(&Path) -> Witness) -> House {
        let directory = tempfile::tempdir().expect("a directory");
        let mut config = config(&directory);
        config.server.listen = ([127, 0, 0, 1], 0).into();
        config.witness = vec![Witness { name: "vault".to_owned(), ..witness(directory.path()) }];
        House { directory, config }
    }

    fn log(&self) -> PathBuf {
        self.directory.path().join("megalink.db")
    }

    async fn start(&self) -> Result<App, StartupError> {
        start_after(&self.config).await.map(|started| started.app)
    }

    /// Runs the house once: registers so many Players, then stops in order.
    async fn run(&self, players: u32) {
        let app = self.start().await.expect("it starts");
        for _ in 0..players {
            register(&app).await;
        }
        stop(app).await;
    }

    async fn refused(&self) -> String {
        self.start().await.map(drop).expect_err("it does not start").to_string()
    }

    /// The checkpoints of the log.
    fn checkpoints(&self) -> Vec<Checkpoint> {
        let mut reader = SqliteStore::open_read_only(self.log()).expect("the log");
        reader.checkpoints(0, usize::MAX).expect("checkpoints")
    }

    /// What is kept of a kind beside the log.
    fn kept(&self, kind: &str) -> Vec<(String, Vec<u8>)> {
        SqliteStore::open_read_only(self.log()).expect("the log").sealed_all(kind).expect("it can be read")
    }

    /// Puts an older copy of the log back.
    fn restore(&self, copy: &Path) {
        for suffix in ["-wal", "-shm"] {
            let beside = self.directory.path().join(format!("megalink.db{suffix}"));
            // They are there only after a crash.
            let _ = fs::remove_file(beside);
        }
        fs::copy(copy, self.log()).expect("it can be put back");
    }
}

async fn register(app: &App) {
    let player = round::PlayerId::new(&format!("P{}", uuid::Uuid::new_v4().simple()));
    let command = HouseCommand::RegisterPlayer { player, kind: PlayerKind::Member };
    let id = CommandId(uuid::Uuid::new_v4().into_bytes());
    app.ask(Ask::new(id, Actor::System, command.into())).await.expect("it is registered");
}

/// Stops in order: the log is sealed, and its last checkpoint sent.
async fn stop(app: App) {
    let listening = Listening::bind(&app.config.server).await.expect("there is a free port");
    let token = CancellationToken::new();
    token.cancel();
    serve_until(app, listening, token).await.expect("it stops in order");
}

/// What `/readyz` says of the only witness.
async fn health(app: &App) -> Value {
    app.ready.store(true, std::sync::atomic::Ordering::Relaxed);
    let mut request = Request::get("/readyz").body(Body::empty()).expect("a request");
    let address: std::net::SocketAddr = ([127, 0, 0, 1], 1).into();
    request.extensions_mut().insert(axum::extract::ConnectInfo(address));
    let answer = server::app(app.clone()).oneshot(request).await.expect("an answer");
    let body = axum::body::to_bytes(answer.into_body(), usize::MAX).await.expect("a body");
    serde_json::from_slice::<Value>(&body).expect("JSON")["witnesses"][0].clone()
}

fn folder(directory: &Path) -> Witness {
    Witness { folder: Some(directory.join("vault")), ..Witness::default() }
}

fn file(directory: &Path) -> Witness {
    Witness { file: Some(directory.join("book")), ..Witness::default() }
}

/// Every checkpoint arrives, in order; an older copy does not start, and says what is missing; a rollback is accepted
/// once, with a reason.
#[tokio::test]
async fn a_folder_knows_more_than_an_older_copy() {
    let mut house = House::new(folder);
    house.run(1).await;
    let old = house.directory.path().join("old.db");
    fs::copy(house.log(), &old).expect("a copy");
    let before = house.checkpoints().len();
    house.run(3).await;
    let checkpoints = house.checkpoints();
    assert!(before < checkpoints.len());
    let vault = house.directory.path().join("vault");
    for checkpoint in &checkpoints {
        let text = fs::read_to_string(vault.join(format!("{:012}.checkpoint", checkpoint.number)));
        assert_eq!(text.expect("it was sent"), checkpoint.to_text() + "\n");
    }
    house.restore(&old);
    for _ in 0..2 {
        let said = house.refused().await;
        let newest = checkpoints.len();
        assert!(said.contains(&format!("the witness vault has seen checkpoint {newest} of ")), "{said}");
        assert!(
            said.contains("stream house was seen to reach entry ") && said.contains(" missing"),
            "{said}"
        );
    }
    house.config.accept_rollback = Some("the disk failed".to_owned());
    let app = house.start().await.expect("it is accepted");
    assert_eq!(app.board.house().rollbacks()[0].1, "the disk failed");
    // The folder does not take another log's checkpoints, and says so; play goes on.
    until("the folder refuses", async || health(&app).await["state"] == "refuses").await;
    register(&app).await;
    stop(app).await;
    house.config.accept_rollback = None;
    house.run(1).await;
}

/// What is kept in a folder is not believed where it was changed, and a folder that lost what it took is noticed.
#[tokio::test]
async fn a_folder_that_was_tampered_with() {
    let house = House::new(folder);
    house.run(2).await;
    house.run(2).await;
    let newest = house.checkpoints().len();
    let path = house.directory.path().join(format!("vault/{newest:012}.checkpoint"));
    let text = fs::read_to_string(&path).expect("it was sent");
    fs::write(&path, text.replace("\"at\":1", "\"at\":2")).expect("it can be changed");
    let said = house.refused().await;
    assert!(said.contains("what it keeps is not what it was sent") && said.contains("signature"), "{said}");
    // That it took the last one of a run is noted with the next, so two are missed.
    fs::remove_file(&path).expect("it can be removed");
    let before = house.directory.path().join(format!("vault/{:012}.checkpoint", newest - 1));
    let kept = fs::read(&before).expect("it was sent");
    fs::remove_file(&before).expect("it can be removed");
    let said = house.refused().await;
    assert!(said.contains(&format!("it took checkpoints up to {}", newest - 1)), "{said}");
    fs::write(&before, kept).expect("it can be put back");
    // One that the power cut off was not acknowledged, and is completed.
    fs::write(&path, &text[..text.len() / 2]).expect("it can be cut off");
    house.run(1).await;
    assert_eq!(fs::read_to_string(&path).expect("it is there"), text);
}

/// A file goes on after a line that a power failure cut off, and is not believed where a line was changed.
#[tokio::test]
async fn a_file_of_checkpoints() {
    let house = House::new(file);
    house.run(2).await;
    let book = house.directory.path().join("book");
    let whole = fs::read_to_string(&book).expect("it was written");
    assert_eq!(whole.lines().count(), house.checkpoints().len());
    // A checkpoint that was cut off was not acknowledged, so it is sent again.
    fs::write(&book, &whole[..whole.len() - 40]).expect("it can be cut off");
    let connection = rusqlite::Connection::open(house.log()).expect("the log");
    let forget = "UPDATE sealed SET value = CAST('1' AS BLOB) WHERE kind = 'witness'";
    connection.execute(forget, []).expect("the note is older too");
    drop(connection);
    house.run(1).await;
    let text = fs::read_to_string(&book).expect("it was written");
    assert_eq!(text.lines().count(), house.checkpoints().len() + 1, "the piece that was cut off stays");
    house.run(1).await;
    fs::write(&book, text.replacen("\"number\":1,", "\"number\":7,", 1)).expect("it can be changed");
    let said = house.refused().await;
    assert!(said.contains("what it keeps is not what it was sent") && said.contains("line 2"), "{said}");
}

/// A program that fails stops nobody; when it works again it gets all it missed.
#[tokio::test]
async fn a_program_that_fails_at_first() {
    let mut house = House::new(|directory| {
        let script = directory.join("take");
        let text = "#!/bin/sh\nd=$(dirname \"$0\")\n[ -e \"$d/works\" ] || { echo 'no paper' >&2; exit 3; }\n\
                    cat >> \"$d/printed\"\n";
        fs::write(&script, text).expect("a script");
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("that runs");
        let command = Some(vec![script.to_str().expect("text").to_owned()]);
        Witness { command, ..Witness::default() }
    });
    let app = house.start().await.expect("it starts");
    register(&app).await;
    until("it fails", async || health(&app).await["state"] == "unreachable").await;
    assert!(1 <= health(&app).await["behind"].as_u64().expect("a number"));
    fs::write(house.directory.path().join("works"), "").expect("there is paper again");
    until("it has all", async || health(&app).await["behind"] == 0).await;
    stop(app).await;
    let printed = fs::read_to_string(house.directory.path().join("printed")).expect("it was printed");
    let lines: Vec<String> = house.checkpoints().iter().map(Checkpoint::to_text).collect();
    assert_eq!(printed.lines().collect::<Vec<_>>(), lines);
    // It is asked at a start by a second program.
    let printed = house.directory.path().join("printed");
    house.config.witness[0].latest =
        Some(["tail", "-n1", printed.to_str().expect("text")].map(str::to_owned).to_vec());
    house.run(1).await;
    let longer = fs::read_to_string(&printed).expect("printed");
    assert!(lines.len() < longer.lines().count());
}

/// Serves a witness on a socket until the handle is dropped.
fn serve_witness(listener: tokio::net::TcpListener, folder: &Path) -> WitnessService {
    let service = WitnessService::open(folder, Vec::new()).expect("a witness");
    let router = service.router();
    tokio::spawn(async move { axum::serve(listener, router).await });
    service
}

/// The witness's machine is down, then up: play goes on, it gets what it missed, and its signatures are kept.
#[tokio::test]
async fn a_witness_that_is_down_and_then_up() {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
    let url = format!("http://{}/checkpoint", listener.local_addr().expect("its address"));
    let mut house = House::new(|_| Witness { url: Some(url), timeout_seconds: 1, ..Witness::default() });
    // Nobody answers yet.
    house.config.witness[0].required = true;
    let said = house.refused().await;
    assert!(said.contains("it cannot be reached") && said.contains("required = false"), "{said}");
    house.config.witness[0].required = false;
    let app = house.start().await.expect("it starts with a warning");
    register(&app).await;
    until("it is not reached", async || health(&app).await["state"] == "unreachable").await;
    let kept = tempfile::tempdir().expect("a folder");
    let service = serve_witness(listener, kept.path());
    until("it has all", async || {
        let health = health(&app).await;
        health["state"] == "well" && health["behind"] == 0
    })
    .await;
    stop(app).await;
    let checkpoints = house.checkpoints();
    assert_eq!(service.newest(), [(checkpoints[0].key, checkpoints.len() as u64)]);
    // The signature of the last one came when the log was closed, and comes again with the next start.
    house.config.witness[0].required = true;
    house.config.witness[0].key = Some(Hash(service.public_key()).to_string());
    let app = house.start().await.expect("it starts");
    until("it has all again", async || {
        let health = health(&app).await;
        health["state"] == "well" && health["behind"] == 0
    })
    .await;
    stop(app).await;
    let cosignatures = house.kept(COSIGNATURE);
    for checkpoint in &checkpoints {
        let key = format!("{:020}/vault", checkpoint.number);
        let (_, text) = cosignatures.iter().find(|(name, _)| *name == key).expect("it is kept");
        let text = String::from_utf8(text.clone()).expect("text");
        let cosignature = Cosignature::from_text(&text).expect("a cosignature");
        assert_eq!(cosignature.key, service.public_key());
        cosignature.verify(checkpoint).expect("it is of this checkpoint");
    }
    // Somebody else at the same address is not the witness.
    house.config.witness[0].key = Some(Hash([7; 32]).to_string());
    let said = house.refused().await;
    assert!(said.contains("does not carry the witness's signature"), "{said}");
}

/// Serves a witness over TLS, with the certificate in a directory.
fn serve_privately(listener: tokio::net::TcpListener, service: &WitnessService, directory: &Path) {
    let chain = CertificateDer::pem_file_iter(directory.join("chain.pem")).expect("a chain");
    let chain = chain.collect::<Result<_, _>>().expect("certificates");
    let key = PrivateKeyDer::from_pem_file(directory.join("key.pem")).expect("a key");
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions of TLS")
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .expect("a certificate");
    let (acceptor, router) = (TlsAcceptor::from(Arc::new(config)), service.router());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (acceptor, router) = (acceptor.clone(), router.clone());
            tokio::spawn(async move {
                // Whoever does not trust the certificate leaves.
                let Ok(stream) = acceptor.accept(stream).await else { return };
                let answer = service_fn(move |request: Request<hyper::body::Incoming>| {
                    router.clone().oneshot(request.map(Body::new))
                });
                let served = hyper::server::conn::http1::Builder::new();
                let _ = served.serve_connection(TokioIo::new(stream), answer).await;
            });
        }
    });
}

/// A witness behind TLS is believed by its certificate alone.
#[tokio::test]
async fn a_witness_behind_tls() {
    let (own, other) = (tempfile::tempdir().expect("a directory"), tempfile::tempdir().expect("a directory"));
    crate::ops_tls::certificate(own.path());
    crate::ops_tls::certificate(other.path());
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
    let port = listener.local_addr().expect("its address").port();
    let kept = tempfile::tempdir().expect("a folder");
    let service = WitnessService::open(kept.path(), Vec::new()).expect("a witness");
    serve_privately(listener, &service, own.path());
    let mut house = House::new(|_| Witness {
        url: Some(format!("https://localhost:{port}/checkpoint")),
        root_certificate: Some(own.path().join("chain.pem")),
        key: Some(Hash(service.public_key()).to_string()),
        required: true,
        ..Witness::default()
    });
    house.run(1).await;
    let checkpoints = house.checkpoints();
    assert_eq!(service.newest(), [(checkpoints[0].key, checkpoints.len() as u64)]);
    house.config.witness[0].root_certificate = Some(other.path().join("chain.pem"));
    let said = house.refused().await;
    assert!(said.contains("it cannot be reached") && said.contains("certificate"), "{said}");
}

fn head(version: u64, mark: u8) -> Head {
    Head { stream: Stream::House, version: Version(version), hash: Hash([mark; 32]) }
}

/// Sends a checkpoint to a witness, and returns the status and the answer.
async fn post(router: &Router, checkpoint: &Checkpoint) -> (StatusCode, String) {
    let request = Request::post("/checkpoint").body(Body::from(checkpoint.to_text())).expect("a request");
    let answer = router.clone().oneshot(request).await.expect("an answer");
    let status = answer.status();
    let body = axum::body::to_bytes(answer.into_body(), usize::MAX).await.expect("a body");
    (status, String::from_utf8(body.to_vec()).expect("text"))
}

/// The service takes what extends, from whichever node it comes, and refuses a fork, a gap and a shorter log in words;
/// what it refused leaves no trace, also after a restart.
#[tokio::test]
async fn the_service_refuses_what_does_not_extend() {
    let folder = tempfile::tempdir().expect("a folder");
    let house = Signer::generate().expect("a key");
    let first = Checkpoint::sign(&house, 1, GENESIS, vec![head(3, 1)], Moment(5));
    let second = Checkpoint::sign(&house, 2, first.digest(), vec![head(5, 2)], Moment(6));
    let third = Checkpoint::sign(&house, 3, second.digest(), vec![head(9, 3)], Moment(7));
    let forked = Checkpoint::sign(&house, 2, first.digest(), vec![head(5, 9)], Moment(6));
    let shorter = Checkpoint::sign(&house, 4, third.digest(), vec![head(8, 2)], Moment(8));
    let mut open = WitnessService::open(folder.path(), Vec::new()).expect("a witness");
    // Two nodes of one house send the same checkpoints, one a little later.
    for checkpoint in [&first, &second, &first, &third, &second, &third] {
        let (status, answer) = post(&open.router(), checkpoint).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        let Cosigned { checkpoint: seen, cosignatures } =
            Cosigned::from_text(answer.trim()).expect("cosigned");
        assert_eq!((&seen, cosignatures[0].key), (checkpoint, open.public_key()));
        cosignatures[0].verify(checkpoint).expect("it signed this one");
    }
    for _ in 0..2 {
        for (checkpoint, says) in [
            (&forked, "checkpoint 2 was seen here before with the digest"),
            (&shorter, "ends the stream house at entry 8, but entry 9 was seen here"),
        ] {
            let (status, answer) = post(&open.router(), checkpoint).await;
            assert_eq!(status, StatusCode::CONFLICT, "{answer}");
            assert!(answer.contains(says), "{answer}");
        }
        let later = Checkpoint::sign(&house, 9, third.digest(), vec![head(20, 2)], Moment(8));
        let (status, answer) = post(&open.router(), &later).await;
        assert_eq!((status, answer.contains("\"send_after\":3")), (StatusCode::CONFLICT, true), "{answer}");
        drop(open);
        open = WitnessService::open(folder.path(), Vec::new()).expect("it opens again");
        assert_eq!(open.newest(), [(house.public_key(), 3)]);
    }
    drop(open);
    let picky = WitnessService::open(folder.path(), vec![[1; 32]]).expect("a witness of another house");
    assert_eq!(post(&picky.router(), &third).await.0, StatusCode::FORBIDDEN);
}
