//! TLS by the server itself, for a network without a proxy.
//!
//! Certificate and key are read from files, at the start and again with [`Certificate::reload`];
//! open connections keep the certificate with which they began.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig};

/// The first byte of a connection that begins TLS.
pub(crate) const HANDSHAKE: u8 = 0x16;

/// A certificate with its key, as two files in PEM.
#[derive(Debug)]
pub struct Certificate {
    certificate: PathBuf,
    key: PathBuf,
    current: RwLock<Arc<ServerConfig>>,
}

/// Why a certificate cannot be used.
#[derive(Debug)]
pub enum CertificateError {
    /// The file has no certificate in PEM, or cannot be read.
    Certificate(PathBuf, rustls::pki_types::pem::Error),
    /// The file has no private key in PEM, or cannot be read.
    Key(PathBuf, rustls::pki_types::pem::Error),
    /// The two do not belong together, or are of an unknown kind.
    Pair(rustls::Error),
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CertificateError::Certificate(file, error) => {
                write!(f, "{}: no certificate in PEM: {error}", file.display())
            }
            CertificateError::Key(file, error) => {
                write!(f, "{}: no private key in PEM: {error}", file.display())
            }
            CertificateError::Pair(error) => {
                write!(f, "the certificate and the key cannot be used together: {error}")
            }
        }
    }
}

impl std::error::Error for CertificateError {}

impl Certificate {
    /// Reads a certificate (with its chain of intermediate certificates) and its key.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, or the two do not belong together.
    pub fn read(certificate: &Path, key: &Path) -> Result<Certificate, CertificateError> {
        let current = RwLock::new(config(certificate, key)?);
        Ok(Certificate { certificate: certificate.into(), key: key.into(), current })
    }

    /// Reads the files again; when that fails, the old certificate stays in use.
    ///
    /// # Errors
    ///
    /// As [`Certificate::read`].
    pub fn reload(&self) -> Result<(), CertificateError> {
        let fresh = config(&self.certificate, &self.key)?;
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = fresh;
        Ok(())
    }

    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        TlsAcceptor::from(current.clone())
    }
}

fn config(certificate: &Path, key: &Path) -> Result<Arc<ServerConfig>, CertificateError> {
    let no_certificate = |error| CertificateError::Certificate(certificate.into(), error);
    let chain: Vec<_> = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect)
        .map_err(no_certificate)?;
    if chain.is_empty() {
        return Err(no_certificate(rustls::pki_types::pem::Error::NoItemsFound));
    }
    let secret = PrivateKeyDer::from_pem_file(key)
        .map_err(|error| CertificateError::Key(key.into(), error))?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|config| config.with_no_client_auth().with_single_cert(chain, secret))
        .map_err(CertificateError::Pair)?;
    // No HTTP/2: websockets need a connection of their own.
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}
