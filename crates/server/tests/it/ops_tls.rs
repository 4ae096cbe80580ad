//! TLS without a proxy.

use std::path::Path;
use std::sync::Arc;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use server::ServeError;
use server::config::Config;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::ops_serve::{Served, read_to_end, serve};
use crate::support::until;

const REQUEST: &[u8] = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

/// A certificate for this machine that vouches for itself, its files in a directory.
pub(crate) fn certificate(directory: &Path) -> CertificateDer<'static> {
    let names = vec!["localhost".to_owned()];
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(names).expect("a certificate");
    std::fs::write(directory.join("chain.pem"), cert.pem()).expect("a file");
    std::fs::write(directory.join("key.pem"), signing_key.serialize_pem()).expect("a file");
    cert.der().clone()
}

fn private(config: &mut Config, directory: &TempDir) {
    config.server.certificate = Some(directory.path().join("chain.pem"));
    config.server.certificate_key = Some(directory.path().join("key.pem"));
}

/// Connects as somebody who trusts one certificate alone.
async fn connect(served: &Served, trusted: CertificateDer<'static>) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted).expect("a certificate");
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions of TLS")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("localhost").expect("a name");
    TlsConnector::from(Arc::new(config)).connect(name, served.connect().await).await
}

#[tokio::test]
async fn a_certificate_makes_it_private() {
    let (files, other) =
        (tempfile::tempdir().expect("a directory"), tempfile::tempdir().expect("a directory"));
    let own = certificate(files.path());
    let served = serve(|config| private(config, &files)).await;
    let mut stream = connect(&served, own).await.expect("the certificate is trusted");
    stream.write_all(REQUEST).await.expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("it answers and closes");
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\"well\""), "{answer}");
    assert!(connect(&served, certificate(other.path())).await.is_err(), "another certificate is trusted");
    let mut plain = served.connect().await;
    plain.write_all(REQUEST).await.expect("it reads");
    let answer = read_to_end(plain).await;
    assert!(!answer.contains("HTTP/1.1"), "plain HTTP is answered: {answer}");
    served.end().await.expect("it stops in order");
}

/// A renewed certificate is used without a restart; one that cannot be used does not take its place.
#[tokio::test]
async fn a_certificate_is_read_again() {
    let files = tempfile::tempdir().expect("a directory");
    let first = certificate(files.path());
    let served = serve(|config| private(config, &files)).await;
    connect(&served, first.clone()).await.expect("the first certificate is trusted");
    std::fs::write(files.path().join("key.pem"), "no key").expect("a file");
    served.app.reload.notify_one();
    let second = certificate(files.path());
    served.app.reload.notify_one();
    until("the second certificate is used", async || connect(&served, second.clone()).await.is_ok()).await;
    assert!(connect(&served, first).await.is_err(), "the first certificate is used no more");
    served.end().await.expect("it stops in order");
}

/// Other nodes come by a second address, on a private network, without TLS.
#[tokio::test]
async fn the_internal_address_is_plain() {
    let files = tempfile::tempdir().expect("a directory");
    certificate(files.path());
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let internal = free.local_addr().expect("an address");
    drop(free);
    let served = serve(|config| {
        private(config, &files);
        config.server.internal_listen = Some(internal);
    })
    .await;
    let answer = reqwest::get(format!("http://{internal}/healthz")).await.expect("it answers");
    assert_eq!(answer.status(), 200);
    served.end().await.expect("it stops in order");
}

/// What cannot be used as a certificate keeps the server from serving at all, rather than serving without.
#[tokio::test]
async fn a_certificate_that_cannot_be_used_is_an_error() {
    let files = tempfile::tempdir().expect("a directory");
    certificate(files.path());
    std::fs::write(files.path().join("key.pem"), "no key").expect("a file");
    let ended = crate::ops_serve::try_to_serve(|config| private(config, &files)).await;
    assert!(matches!(ended, Err(ServeError::Certificate(_))), "{ended:?}");
}
