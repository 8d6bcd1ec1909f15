//! How a connection to the database is encrypted.

use std::fmt;
use std::future::Future;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::Socket;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::{TlsConnector, client, rustls};

use crate::Error;

/// Which certificates are accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Trust {
    /// Any certificate. What is sent cannot be read on the way, but an attacker on the way could
    /// answer in place of the database.
    Any,
    /// A certificate for the host's name, signed by an authority of the system.
    System,
    /// A certificate for the host's name, signed by an authority in this file (PEM).
    File(String),
}

/// Makes encrypted connections.
#[derive(Clone)]
pub(crate) struct Tls(TlsConnector);

impl Tls {
    /// # Errors
    ///
    /// [`Error::Tls`] when there is no authority to trust.
    pub(crate) fn new(trust: &Trust) -> Result<Tls, Error> {
        let provider = Arc::new(ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider.clone())
            .with_safe_default_protocol_versions()
            .map_err(|_| Error::Tls)?;
        let config = match trust {
            Trust::Any => config
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(AnyCertificate(provider))),
            Trust::System => config.with_root_certificates(system()?),
            Trust::File(file) => config.with_root_certificates(authorities(Path::new(file))?),
        };
        Ok(Tls(TlsConnector::from(Arc::new(config.with_no_client_auth()))))
    }
}

fn system() -> Result<RootCertStore, Error> {
    let mut roots = RootCertStore::empty();
    // Systems may have some invalid certificates among the good ones.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() { Err(Error::Tls) } else { Ok(roots) }
}

fn authorities(file: &Path) -> Result<RootCertStore, Error> {
    let mut roots = RootCertStore::empty();
    for authority in CertificateDer::pem_file_iter(file).map_err(|_| Error::Tls)? {
        let authority = authority.map_err(|_| Error::Tls)?;
        roots.add(authority).map_err(|_| Error::Tls)?;
    }
    if roots.is_empty() { Err(Error::Tls) } else { Ok(roots) }
}

/// The TLS handshake failed.
#[derive(Debug)]
pub(crate) struct HandshakeError(io::Error);

impl HandshakeError {
    /// True if one side has refused the other, false if the connection was lost.
    pub(crate) fn is_refusal(&self) -> bool {
        let cause = self.0.get_ref().and_then(|cause| cause.downcast_ref::<rustls::Error>());
        cause.is_some()
    }
}

impl fmt::Display for HandshakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no encrypted connection: {}", self.0)
    }
}

impl std::error::Error for HandshakeError {}

impl MakeTlsConnect<Socket> for Tls {
    type Stream = Encrypted;
    type TlsConnect = Connect;
    type Error = HandshakeError;

    fn make_tls_connect(&mut self, host: &str) -> Result<Connect, HandshakeError> {
        // A Unix socket has no host name; it is never encrypted.
        Ok(Connect { connector: self.0.clone(), name: ServerName::try_from(host.to_owned()).ok() })
    }
}

/// Encrypts one connection.
pub(crate) struct Connect {
    connector: TlsConnector,
    name: Option<ServerName<'static>>,
}

impl TlsConnect<Socket> for Connect {
    type Stream = Encrypted;
    type Error = HandshakeError;
    type Future = Pin<Box<dyn Future<Output = Result<Encrypted, HandshakeError>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
        Box::pin(async move {
            let name =
                self.name.ok_or_else(|| HandshakeError(io::ErrorKind::InvalidInput.into()))?;
            let stream = self.connector.connect(name, socket).await.map_err(HandshakeError)?;
            Ok(Encrypted(Box::new(stream)))
        })
    }
}

/// An encrypted connection.
pub(crate) struct Encrypted(Box<client::TlsStream<Socket>>);

impl TlsStream for Encrypted {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for Encrypted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Encrypted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

/// Accepts any certificate, but only from a server that has its private key.
#[derive(Debug)]
struct AnyCertificate(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
