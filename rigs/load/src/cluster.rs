//! Several real servers over one real PostgreSQL and one real NATS, with faults to inject.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use bytes::Bytes;
use hansu_ground::{Nats, Postgres};
use hyper::{Method, StatusCode};

use crate::api::ApiClient;
use crate::measure::MeasuredProcesses;
use crate::program::Program;
use crate::proxy::Proxy;

/// Timeout for all nodes to find each other, long enough for a busy machine.
const MEET_TIMEOUT: Duration = Duration::from_secs(30);

/// A fault that can be injected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A server is killed and started again.
    Node,
    /// PostgreSQL is killed and started again.
    Database,
    /// NATS is killed and started again.
    Bus,
    /// NATS hangs for a while.
    Freeze,
    /// The last server's connections to PostgreSQL and NATS are cut for a while.
    Cut,
}

/// Servers with their database and bus.
pub struct Cluster {
    /// The servers.
    pub nodes: Vec<Program>,
    nats: Nats,
    postgres: Postgres,
    address: String,
    /// The last server's proxies to PostgreSQL and NATS.
    proxies: [Proxy; 2],
}

fn arguments(database: &str, bus: &str) -> Vec<OsString> {
    ["--database", database, "--bus", bus].map(OsString::from).to_vec()
}

impl Cluster {
    /// Starts everything and waits until all nodes know each other. With `cuts` the last server
    /// reaches PostgreSQL and NATS through proxies that can be cut.
    ///
    /// # Errors
    ///
    /// When something does not start.
    pub async fn start(nodes: usize, cuts: bool) -> Result<Cluster> {
        let (postgres, nats) =
            tokio::task::spawn_blocking(|| anyhow::Ok((Postgres::start()?, Nats::start()?)))
                .await??;
        let address = postgres.fresh()?;
        let proxies = [Proxy::to(postgres.socket()).await?, Proxy::to(nats.socket()).await?];
        let binary = hansu_ground::hansu()?;
        let mut programs = Vec::new();
        for node in 0..nodes {
            let proxied = cuts && node > 0 && node + 1 == nodes;
            let over = |from: SocketAddr, proxy: &Proxy, text: &str| match proxied {
                true => text.replace(&from.to_string(), &proxy.address().to_string()),
                false => text.to_owned(),
            };
            let database = over(postgres.socket(), &proxies[0], &address);
            let bus = over(nats.socket(), &proxies[1], &nats.address());
            programs.push(Program::start_over(&binary, &arguments(&database, &bus)).await?);
        }
        let cluster = Cluster { nodes: programs, nats, postgres, address, proxies };
        for node in &cluster.nodes {
            cluster.wait_for_others(node.address()).await?;
        }
        Ok(cluster)
    }

    /// The servers' addresses.
    pub fn servers(&self) -> Vec<SocketAddr> {
        self.nodes.iter().map(Program::address).collect()
    }

    /// The processes of the servers and of the database.
    ///
    /// # Errors
    ///
    /// When a server has ended.
    pub fn processes(&self) -> Result<MeasuredProcesses> {
        let servers = self.nodes.iter().map(Program::process).collect::<Result<_>>()?;
        Ok(MeasuredProcesses { servers, database: self.postgres.processes() })
    }

    /// The log's address.
    pub fn log(&self) -> &str {
        &self.address
    }

    async fn wait_for_others(&self, server: SocketAddr) -> Result<()> {
        let others = format!("hansu_other_nodes {}", self.nodes.len() - 1);
        let begin = Instant::now();
        loop {
            let mut api = ApiClient::connect(server, 0).await?;
            let (_, figures) = api.request(Method::GET, "/metrics", None, Bytes::new()).await?;
            let figures = String::from_utf8_lossy(&figures);
            let says = |line: &str| figures.lines().any(|own| own == line);
            if says("hansu_bus_up 1") && says(&others) {
                return Ok(());
            }
            ensure!(begin.elapsed() < MEET_TIMEOUT, "{server} does not know the others");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Injects a fault and repairs it after a time.
    ///
    /// # Errors
    ///
    /// When something does not start again.
    pub async fn inject_fault(&mut self, fault: Fault, away: Duration, which: usize) -> Result<()> {
        self.begin_fault(fault, which).await?;
        tokio::time::sleep(away).await;
        self.repair_fault(fault, which).await
    }

    /// Begins a fault.
    ///
    /// # Errors
    ///
    /// When the process to be killed does not run.
    pub async fn begin_fault(&mut self, fault: Fault, which: usize) -> Result<()> {
        let which = which % self.nodes.len();
        match fault {
            Fault::Node => self.nodes[which].kill().await?,
            Fault::Database => self.postgres.kill()?,
            Fault::Bus => self.nats.kill()?,
            Fault::Freeze => self.nats.freeze(),
            Fault::Cut => self.cut(),
        }
        Ok(())
    }

    /// Repairs a fault.
    ///
    /// # Errors
    ///
    /// When something does not start again.
    pub async fn repair_fault(&mut self, fault: Fault, which: usize) -> Result<()> {
        let which = which % self.nodes.len();
        match fault {
            Fault::Node => self.nodes[which].restart().await?,
            Fault::Database => tokio::task::block_in_place(|| self.postgres.restart())?,
            Fault::Bus => tokio::task::block_in_place(|| self.nats.restart())?,
            Fault::Freeze => self.nats.thaw(),
            Fault::Cut => self.mend(),
        }
        Ok(())
    }

    /// Cuts the last server's proxies.
    pub fn cut(&self) {
        self.proxies.iter().for_each(Proxy::cut);
    }

    /// Ends the cut.
    pub fn mend(&self) {
        self.proxies.iter().for_each(Proxy::mend);
    }

    /// Checks that every game is the same at every server, as PGN and as 기보 with times.
    ///
    /// # Errors
    ///
    /// The first game that differs.
    pub async fn check_agreement(&self, games: &[String]) -> Result<()> {
        let mut apis = Vec::new();
        for (number, server) in self.servers().into_iter().enumerate() {
            apis.push(ApiClient::connect(server, number).await?);
        }
        for game in games {
            for what in ["pgn", "record"] {
                let path = format!("/api/games/{game}/{what}");
                let mut first: Option<Bytes> = None;
                for api in &mut apis {
                    let (status, text) =
                        api.request(Method::GET, &path, None, Bytes::new()).await?;
                    ensure!(status == StatusCode::OK && !text.is_empty(), "{path}: {status}");
                    let first = first.get_or_insert_with(|| text.clone());
                    ensure!(*first == text, "{path} is not the same everywhere");
                }
            }
        }
        Ok(())
    }
}
