//! TLS without a proxy: a certificate chain and its key, as PEM files.

use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::ServeError;

/// Makes streams private with a certificate, which may be replaced while it serves. A cheap handle.
#[derive(Clone)]
pub(super) struct Acceptor(Arc<RwLock<TlsAcceptor>>);

impl Acceptor {
    pub(super) fn new(chain: &Path, key: &Path) -> Result<Acceptor, ServeError> {
        Ok(Acceptor(Arc::new(RwLock::new(read(chain, key)?))))
    }

    /// Reads the files again. Connections that are open keep the certificate they have.
    pub(super) fn reload(&self, chain: &Path, key: &Path) -> Result<(), ServeError> {
        let read = read(chain, key)?;
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = read;
        Ok(())
    }

    /// With the certificate that was read last.
    pub(super) fn current(&self) -> TlsAcceptor {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn read(chain: &Path, key: &Path) -> Result<TlsAcceptor, ServeError> {
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
