//! A witness at a web address: `POST` takes a checkpoint, `GET` says which were seen. Blocking, because whoever sends
//! has a thread of its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::http::{Method, Request, StatusCode, Uri, header};
use hyper_util::rt::TokioIo;
use journal::Hash;
use journal::checkpoint::Checkpoint;
use journal::witness::Cosigned;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::{AskError, SendError};

/// The longest answer that is read.
const ANSWER_MAX: usize = 256 * 1024 * 1024;

/// How much of an answer in words is reported.
const WORDS_MAX: usize = 500;

/// Where systems keep the certificates they trust.
const SYSTEM_ROOTS: [&str; 4] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/cert.pem",
    "/etc/ssl/ca-bundle.pem",
];

/// What a witness answers when it refuses.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Refusal {
    /// The version of this form.
    pub(super) v: u32,
    /// What differs, in a sentence.
    pub(super) refused: String,
    /// Where checkpoints between are missing, the newest one seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) send_after: Option<u64>,
}

/// A web address.
#[derive(Clone, Debug)]
pub(super) struct Address {
    uri: Uri,
    host: String,
    port: u16,
    is_tls: bool,
    root: Option<PathBuf>,
    timeout: Duration,
}

impl Address {
    pub(super) fn new(url: &str, root: Option<&Path>, timeout: Duration) -> Result<Address, String> {
        let wrong = || format!("url: {url:?} is not an address that begins with http:// or https://");
        let uri: Uri = url.parse().map_err(|_| wrong())?;
        let is_tls = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            Some(_) | None => return Err(wrong()),
        };
        let host = uri.host().ok_or_else(wrong)?.trim_matches(['[', ']']).to_owned();
        let port = uri.port_u16().unwrap_or(if is_tls { 443 } else { 80 });
        Ok(Address { uri, host, port, is_tls, root: root.map(Path::to_owned), timeout })
    }

    /// Sends a checkpoint. Returns it with the witness's signature, where it answers with one.
    pub(super) fn send(&self, checkpoint: &Checkpoint) -> Result<Option<Cosigned>, SendError> {
        let (status, answer) =
            self.exchange(Method::POST, &self.uri, checkpoint.to_text()).map_err(SendError::Unreachable)?;
        let words = || String::from_utf8_lossy(&answer).trim().chars().take(WORDS_MAX).collect::<String>();
        if status.is_success() {
            let text = String::from_utf8_lossy(&answer);
            return Ok(Cosigned::from_text(text.trim()).ok().filter(|line| line.checkpoint == *checkpoint));
        }
        if status != StatusCode::CONFLICT {
            return Err(SendError::Unreachable(format!("{} answered {status}: {}", self.uri, words())));
        }
        match serde_json::from_slice(&answer) {
            Ok(Refusal { send_after: Some(newest), .. }) => Err(SendError::Behind(newest)),
            Ok(Refusal { refused, .. }) => Err(SendError::Refused(refused)),
            Err(_) => Err(SendError::Refused(format!("{} answered {status}: {}", self.uri, words()))),
        }
    }

    /// What was seen of a house after a checkpoint, and in any case the newest; `None` if the address only takes
    /// checkpoints.
    pub(super) fn seen(&self, house: [u8; 32], mut after: u64) -> Result<Option<Vec<Cosigned>>, AskError> {
        let mut seen: Vec<Cosigned> = Vec::new();
        loop {
            let Some(page) = self.page(house, after)? else {
                return Ok(None);
            };
            let newest = page.last().map_or(0, |line| line.checkpoint.number);
            let known = seen.last().map_or(0, |line| line.checkpoint.number);
            let before = seen.len();
            seen.extend(page.into_iter().filter(|line| known < line.checkpoint.number));
            // The page holds those that follow, and the newest: when they meet, that is all.
            let gap = seen.windows(2).position(|pair| match pair {
                [one, next] => one.checkpoint.number.checked_add(1) != Some(next.checkpoint.number),
                _ => false,
            });
            match gap {
                Some(position) if before <= position && newest != known => {
                    seen.truncate(position.saturating_add(1));
                    after = seen.last().map_or(after, |line| line.checkpoint.number);
                }
                Some(_) | None => return Ok(Some(seen)),
            }
        }
    }

    fn page(&self, house: [u8; 32], after: u64) -> Result<Option<Vec<Cosigned>>, AskError> {
        let mark = if self.uri.query().is_some() { '&' } else { '?' };
        let uri = format!("{}{mark}house={}&after={after}", self.uri, Hash(house));
        let uri: Uri = uri.parse().map_err(|_| AskError::Unreachable(format!("{uri} is not an address")))?;
        let (status, answer) =
            self.exchange(Method::GET, &uri, String::new()).map_err(AskError::Unreachable)?;
        match status {
            StatusCode::OK => {}
            StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED | StatusCode::NOT_IMPLEMENTED => {
                return Ok(None);
            }
            _ => return Err(AskError::Unreachable(format!("{} answered {status}", self.uri))),
        }
        let text = String::from_utf8_lossy(&answer);
        let read = |line: &str| {
            Cosigned::from_text(line).map_err(|error| AskError::Changed(format!("{}: {error}", self.uri)))
        };
        text.lines().filter(|line| !line.trim().is_empty()).map(read).collect::<Result<_, _>>().map(Some)
    }

    /// One request and its answer, in time.
    fn exchange(&self, method: Method, uri: &Uri, body: String) -> Result<(StatusCode, Bytes), String> {
        let failed = |error: std::io::Error| format!("{}: {error}", self.uri);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        runtime.block_on(async {
            match tokio::time::timeout(self.timeout, self.ask(method, uri, body)).await {
                Ok(answer) => answer.map_err(|what| format!("{}: {what}", self.uri)),
                Err(_) => Err(format!("{} did not answer within {:?}", self.uri, self.timeout)),
            }
        })
    }

    async fn ask(&self, method: Method, uri: &Uri, body: String) -> Result<(StatusCode, Bytes), String> {
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, uri.authority().map_or(self.host.as_str(), |authority| authority.as_str()))
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body))
            .map_err(|error| error.to_string())?;
        let stream =
            TcpStream::connect((self.host.as_str(), self.port)).await.map_err(|error| error.to_string())?;
        if !self.is_tls {
            return exchange(stream, request).await;
        }
        let name = ServerName::try_from(self.host.clone()).map_err(|error| error.to_string())?;
        let connector = TlsConnector::from(Arc::new(tls(self.root.as_deref())?));
        let stream = connector.connect(name, stream).await.map_err(|error| error.to_string())?;
        exchange(stream, request).await
    }
}

async fn exchange(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    request: Request<Body>,
) -> Result<(StatusCode, Bytes), String> {
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
        .await
        .map_err(|error| error.to_string())?;
    // It ends when the answer was read and the sender is gone; what goes wrong before, the sender reports.
    let driver = tokio::spawn(connection);
    let answer = sender.send_request(request).await.map_err(|error| error.to_string())?;
    let status = answer.status();
    let body =
        to_bytes(Body::new(answer.into_body()), ANSWER_MAX).await.map_err(|error| error.to_string())?;
    driver.abort();
    Ok((status, body))
}

/// TLS that trusts the certificates of a file, or those that the system trusts.
fn tls(root: Option<&Path>) -> Result<ClientConfig, String> {
    let system = || SYSTEM_ROOTS.iter().map(Path::new).find(|path| path.exists());
    let file =
        root.or_else(system).ok_or("no root certificates were found; name a file as root_certificate")?;
    let unreadable =
        |error: &dyn std::fmt::Display| format!("the root certificates {}: {error}", file.display());
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(file).map_err(|error| unreadable(&error))? {
        roots.add(certificate.map_err(|error| unreadable(&error))?).map_err(|error| unreadable(&error))?;
    }
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}
