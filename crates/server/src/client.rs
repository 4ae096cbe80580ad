//! A small HTTP client for programs that ask one server now and then: one request and its answer at a time, over TLS where the
//! address says so. Blocking, because whoever asks has a thread of its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::http::{Method, Request, StatusCode, Uri, header};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// The longest answer that is read.
const ANSWER_MAX: usize = 256 * 1024 * 1024;

/// Where systems keep the certificates they trust.
const SYSTEM_ROOTS: [&str; 4] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/cert.pem",
    "/etc/ssl/ca-bundle.pem",
];

/// A server at a web address.
#[derive(Clone, Debug)]
pub struct Client {
    uri: Uri,
    host: String,
    port: u16,
    is_tls: bool,
    root: Option<PathBuf>,
    timeout: Duration,
}

impl Client {
    /// Asks at this address, and trusts the certificates of a file, or else those that the system trusts.
    pub fn new(url: &str, root: Option<&Path>, timeout: Duration) -> Result<Client, String> {
        let wrong = || format!("url: {url:?} is not an address that begins with http:// or https://");
        let uri: Uri = url.parse().map_err(|_| wrong())?;
        let is_tls = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            Some(_) | None => return Err(wrong()),
        };
        let host = uri.host().ok_or_else(wrong)?.trim_matches(['[', ']']).to_owned();
        let port = uri.port_u16().unwrap_or(if is_tls { 443 } else { 80 });
        Ok(Client { uri, host, port, is_tls, root: root.map(Path::to_owned), timeout })
    }

    /// The address.
    pub const fn uri(&self) -> &Uri {
        &self.uri
    }

    /// Gets what is at a path, which may have a query: the status, and the answer.
    pub fn get(&self, path: &str, headers: &[(&str, &str)]) -> Result<(u16, Vec<u8>), String> {
        let (status, answer) = self.exchange(&Method::GET, path, headers, "")?;
        Ok((status.as_u16(), answer.to_vec()))
    }

    /// Sends JSON to a path: the status, and the answer.
    pub fn post(&self, path: &str, headers: &[(&str, &str)], body: &str) -> Result<(u16, Vec<u8>), String> {
        let (status, answer) = self.exchange(&Method::POST, path, headers, body)?;
        Ok((status.as_u16(), answer.to_vec()))
    }

    /// One request with JSON and its answer, in time. The path may have a query.
    pub(crate) fn exchange(
        &self,
        method: &Method,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Result<(StatusCode, Bytes), String> {
        let failed = |error: std::io::Error| format!("{}: {error}", self.uri);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        runtime.block_on(async {
            match tokio::time::timeout(self.timeout, self.ask(method, path, headers, body)).await {
                Ok(answer) => answer.map_err(|what| format!("{}: {what}", self.uri)),
                Err(_) => Err(format!("{} did not answer within {:?}", self.uri, self.timeout)),
            }
        })
    }

    async fn ask(
        &self,
        method: &Method,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Result<(StatusCode, Bytes), String> {
        let host = self.uri.authority().map_or(self.host.as_str(), |authority| authority.as_str());
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, host)
            .header(header::CONTENT_TYPE, "application/json");
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let request = request.body(Body::from(body.to_owned())).map_err(|error| error.to_string())?;
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
