//! A server in the test process, with its own port and folder.

use std::net::SocketAddr;
use std::sync::Arc;

use hansu_records::SqliteStore;
use hansu_server::{Config, Server};
use tempfile::TempDir;
use tokio::net::TcpListener;

pub(crate) struct TestServer {
    pub(crate) at: SocketAddr,
    pub(crate) store: Arc<SqliteStore>,
    server: Server,
    folder: TempDir,
}

impl TestServer {
    pub(crate) async fn open() -> TestServer {
        TestServer::with(Config::default()).await
    }

    pub(crate) async fn with(config: Config) -> TestServer {
        TestServer::within(tempfile::tempdir().expect("a folder"), config).await
    }

    async fn within(folder: TempDir, config: Config) -> TestServer {
        let store = SqliteStore::open(&folder.path().join("games.db")).expect("a log");
        let store = Arc::new(store);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let server = Server::start(listener, store.clone(), config).await.expect("a server");
        TestServer { at: server.address(), store, server, folder }
    }

    /// Shuts down gracefully, and starts again on the same log.
    pub(crate) async fn restart(self, config: Config) -> TestServer {
        let TestServer { store, server, folder, .. } = self;
        server.stop().await;
        drop(store);
        TestServer::within(folder, config).await
    }

    pub(crate) async fn stop(self) {
        self.server.stop().await;
    }
}
