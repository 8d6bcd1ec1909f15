//! A server in this process, on a port and in a folder of its own.

use std::net::SocketAddr;
use std::sync::Arc;

use hansu_records::SqliteStore;
use hansu_server::{Config, Server};
use tempfile::TempDir;
use tokio::net::TcpListener;

pub(crate) struct House {
    pub(crate) at: SocketAddr,
    pub(crate) store: Arc<SqliteStore>,
    server: Server,
    folder: TempDir,
}

impl House {
    pub(crate) async fn open() -> House {
        House::with(Config::default()).await
    }

    pub(crate) async fn with(config: Config) -> House {
        House::within(tempfile::tempdir().expect("a folder"), config).await
    }

    async fn within(folder: TempDir, config: Config) -> House {
        let store = SqliteStore::open(&folder.path().join("games.db")).expect("a log");
        let store = Arc::new(store);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let server = Server::start(listener, store.clone(), config).await.expect("a server");
        House { at: server.address(), store, server, folder }
    }

    /// Stops in good order, and starts again on the same log.
    pub(crate) async fn restart(self, config: Config) -> House {
        let House { store, server, folder, .. } = self;
        server.stop().await;
        drop(store);
        House::within(folder, config).await
    }

    pub(crate) async fn stop(self) {
        self.server.stop().await;
    }
}
