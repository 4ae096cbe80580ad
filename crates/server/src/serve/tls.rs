//! TLS without a proxy: a certificate chain and its key, as PEM files.

use std::path::Path;
use std::sync::Arc;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::ServeError;

/// What makes streams private with a certificate.
pub(super) fn acceptor(chain: &Path, key: &Path) -> Result<TlsAcceptor, ServeError> {
    let fails = |path: &Path, error: &dyn std::fmt::Display| {
        ServeError::Certificate(format!("{}: {error}", path.display()))
    };
    let certificates = CertificateDer::pem_file_iter(chain).map_err(|error| fails(chain, &error))?;
    let certificates: Vec<CertificateDer<'static>> =
        certificates.collect::<Result<_, _>>().map_err(|error| fails(chain, &error))?;
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| fails(key, &error))?;
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| fails(chain, &error))?
        .with_no_client_auth()
        .with_single_cert(certificates, secret)
        .map_err(|error| fails(chain, &error))?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}
