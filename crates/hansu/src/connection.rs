//! A connection to a server, plain or with TLS. One thread reads it while another writes.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio_rustls::rustls::client::ClientConnection;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{self, ClientConfig, RootCertStore};

/// The root certificates that this machine trusts. `SSL_CERT_FILE` replaces them.
pub(crate) fn authorities() -> Vec<CertificateDer<'static>> {
    rustls_native_certs::load_native_certs().certs
}

/// The TLS configuration that trusts these root certificates.
pub(crate) fn config(
    authorities: &[CertificateDer<'static>],
) -> Result<ClientConfig, rustls::Error> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(authorities.iter().cloned());
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions()?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

/// A connection. Clones share it. Each write is complete before the next begins, so that the answer
/// to a ping cannot get into the middle of a message.
#[derive(Clone)]
pub(crate) struct Connection(Arc<Inner>);

struct Inner {
    stream: TcpStream,
    writing: Mutex<Option<ClientConnection>>,
    is_secure: bool,
}

impl Connection {
    pub(crate) fn plain(stream: TcpStream) -> Connection {
        let writing = Mutex::new(None);
        Connection(Arc::new(Inner { stream, writing, is_secure: false }))
    }

    /// With TLS. The first write starts the TLS handshake.
    pub(crate) fn secure(
        stream: TcpStream,
        config: Arc<ClientConfig>,
        name: ServerName<'static>,
    ) -> Result<Connection, rustls::Error> {
        let writing = Mutex::new(Some(ClientConnection::new(config, name)?));
        Ok(Connection(Arc::new(Inner { stream, writing, is_secure: true })))
    }

    pub(crate) fn set_read_timeout(&self, limit: Duration) -> io::Result<()> {
        self.0.stream.set_read_timeout(Some(limit))
    }

    /// Closes the connection for all clones.
    pub(crate) fn shut_down(&self) {
        // The server may be gone already; errors change nothing.
        let _ = self.0.stream.shutdown(Shutdown::Both);
    }

    fn lock(&self) -> MutexGuard<'_, Option<ClientConnection>> {
        self.0.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes all pending TLS records to the socket.
    fn send(&self, session: &mut ClientConnection) -> io::Result<()> {
        while session.wants_write() {
            session.write_tls(&mut &self.0.stream)?;
        }
        Ok(())
    }
}

impl Read for Connection {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if !self.0.is_secure {
            return (&self.0.stream).read(bytes);
        }
        loop {
            if let Some(session) = &mut *self.lock() {
                match session.reader().read(bytes) {
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    read => return read,
                }
            }
            // Wait for data without holding the lock, so that writers are not blocked.
            self.0.stream.peek(&mut [0])?;
            if let Some(session) = &mut *self.lock() {
                session.read_tls(&mut &self.0.stream)?;
                let done = session.process_new_packets();
                // On a TLS error the server still gets the alert that says why.
                let sent = self.send(session);
                done.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
                sent?;
            }
        }
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut *self.lock() {
            None => {
                (&self.0.stream).write_all(bytes)?;
                Ok(bytes.len())
            }
            Some(session) => {
                let taken = session.writer().write(bytes)?;
                self.send(session)?;
                Ok(taken)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        (&self.0.stream).flush()
    }
}
