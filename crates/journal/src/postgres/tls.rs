//! TLS to the server, with PostgreSQL's own option names: `sslmode` and `sslrootcert` in the URL, or `PGSSLMODE`
//! and `PGSSLROOTCERT` in the environment.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, ring, verify_tls12_signature, verify_tls13_signature,
};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::store::StoreError;

/// How secure the connection must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Never use TLS.
    Disable,
    /// Use TLS if the server offers it.
    Prefer,
    /// Always use TLS, with any server; with a root certificate, the same as `verify-full`.
    Require,
    /// Always use TLS, and check the server's certificate and its name.
    VerifyFull,
}

/// A URL without the options that the driver does not know.
#[derive(Debug)]
pub(super) struct Address {
    pub(super) url: String,
    pub(super) mode: Option<Mode>,
    pub(super) root: Option<PathBuf>,
}

impl Address {
    pub(super) fn parse(url: &str) -> Result<Address, StoreError> {
        let (start, options) =
            if url.contains("://") { url.split_once('?').unwrap_or((url, "")) } else { (url, "") };
        let mut mode = std::env::var("PGSSLMODE").ok();
        let mut root = std::env::var_os("PGSSLROOTCERT").map(PathBuf::from);
        let mut rest = Vec::new();
        for option in options.split('&').filter(|option| !option.is_empty()) {
            match option.split_once('=') {
                Some(("sslmode", value)) => mode = Some(value.to_owned()),
                Some(("sslrootcert", value)) => root = Some(PathBuf::from(percent_decoded(value)?)),
                Some(_) | None => rest.push(option),
            }
        }
        let url = if rest.is_empty() { start.to_owned() } else { format!("{start}?{}", rest.join("&")) };
        Ok(Address { url, mode: mode.as_deref().map(mode_from).transpose()?, root })
    }
}

fn mode_from(text: &str) -> Result<Mode, StoreError> {
    match text {
        "disable" => Ok(Mode::Disable),
        "prefer" => Ok(Mode::Prefer),
        "require" => Ok(Mode::Require),
        "verify-full" => Ok(Mode::VerifyFull),
        _ => Err(StoreError::Schema(format!(
            "sslmode {text:?} is not known; write disable, prefer, require or verify-full"
        ))),
    }
}

fn percent_decoded(text: &str) -> Result<String, StoreError> {
    let wrong = || StoreError::Schema(format!("{text:?} is not valid percent-encoding"));
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next().ok_or_else(wrong)?, rest.next().ok_or_else(wrong)?];
            let digits = std::str::from_utf8(&digits).map_err(|_| wrong())?;
            bytes.push(u8::from_str_radix(digits, 16).map_err(|_| wrong())?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).map_err(|_| wrong())
}

/// Makes TLS connections for a mode, trusting the certificates in a file.
pub(super) fn connector(mode: Mode, root: Option<&Path>) -> Result<MakeRustlsConnect, StoreError> {
    let failed = |error: rustls::Error| StoreError::Schema(format!("cannot set up TLS: {error}"));
    let provider = Arc::new(ring::default_provider());
    let builder =
        ClientConfig::builder_with_provider(Arc::clone(&provider)).with_safe_default_protocol_versions();
    let builder = builder.map_err(failed)?;
    let config = match (mode, root) {
        (Mode::VerifyFull | Mode::Require | Mode::Prefer, Some(root)) => {
            builder.with_root_certificates(roots(root)?).with_no_client_auth()
        }
        (Mode::VerifyFull, None) => {
            return Err(StoreError::Schema(
                "sslmode verify-full needs a root certificate: give its file as sslrootcert or PGSSLROOTCERT"
                    .to_owned(),
            ));
        }
        (Mode::Require | Mode::Prefer, None) | (Mode::Disable, _) => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(AcceptAnyCertificate::new(&provider)))
            .with_no_client_auth(),
    };
    Ok(MakeRustlsConnect::new(config))
}

fn roots(file: &Path) -> Result<RootCertStore, StoreError> {
    let unreadable =
        |what: String| StoreError::Schema(format!("the root certificate {}: {what}", file.display()));
    let mut store = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(file).map_err(|error| unreadable(error.to_string()))? {
        let certificate = certificate.map_err(|error| unreadable(error.to_string()))?;
        store.add(certificate).map_err(|error| unreadable(error.to_string()))?;
    }
    if store.is_empty() {
        return Err(unreadable("it contains no certificate".to_owned()));
    }
    Ok(store)
}

/// Accepts any server certificate, as `require` and `prefer` do: this protects against eavesdropping, not against
/// a false server.
#[derive(Debug)]
struct AcceptAnyCertificate(WebPkiSupportedAlgorithms);

impl AcceptAnyCertificate {
    fn new(provider: &CryptoProvider) -> AcceptAnyCertificate {
        AcceptAnyCertificate(provider.signature_verification_algorithms)
    }
}

impl ServerCertVerifier for AcceptAnyCertificate {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signed, &self.0)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signed, &self.0)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_schemes()
    }
}
