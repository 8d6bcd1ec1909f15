//! Several real servers over one real PostgreSQL and one real NATS, and what may befall them.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use bytes::Bytes;
use hansu_ground::{Nats, Postgres};
use hyper::{Method, StatusCode};

use crate::measure::Watched;
use crate::program::Program;
use crate::proxy::Proxy;
use crate::web::Web;

/// How long all may take until they know each other. A busy machine is slow.
const MEET: Duration = Duration::from_secs(30);

/// What may befall a town.
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
    /// The last server's wires to PostgreSQL and NATS are cut for a while.
    Cut,
}

/// Servers, a database, a bus.
pub struct Town {
    /// The servers.
    pub nodes: Vec<Program>,
    nats: Nats,
    postgres: Postgres,
    address: String,
    /// The last server's wires.
    wires: [Proxy; 2],
}

fn arguments(database: &str, bus: &str) -> Vec<OsString> {
    ["--database", database, "--bus", bus].map(OsString::from).to_vec()
}

impl Town {
    /// Starts everything, and waits until all know each other. The last server's wires can be cut
    /// when that is asked for.
    ///
    /// # Errors
    ///
    /// When something does not start.
    pub async fn found(nodes: usize, cuts: bool) -> Result<Town> {
        let (postgres, nats) =
            tokio::task::spawn_blocking(|| anyhow::Ok((Postgres::start()?, Nats::start()?)))
                .await??;
        let address = postgres.fresh()?;
        let wires = [Proxy::to(postgres.socket()).await?, Proxy::to(nats.socket()).await?];
        let binary = hansu_ground::hansu()?;
        let mut programs = Vec::new();
        for node in 0..nodes {
            let wired = cuts && node > 0 && node + 1 == nodes;
            let over = |from: SocketAddr, wire: &Proxy, text: &str| match wired {
                true => text.replace(&from.to_string(), &wire.address().to_string()),
                false => text.to_owned(),
            };
            let database = over(postgres.socket(), &wires[0], &address);
            let bus = over(nats.socket(), &wires[1], &nats.address());
            programs.push(Program::start_over(&binary, &arguments(&database, &bus)).await?);
        }
        let town = Town { nodes: programs, nats, postgres, address, wires };
        for node in &town.nodes {
            town.knows_all(node.address()).await?;
        }
        Ok(town)
    }

    /// The servers' addresses.
    pub fn servers(&self) -> Vec<SocketAddr> {
        self.nodes.iter().map(Program::address).collect()
    }

    /// The processes that do the work.
    ///
    /// # Errors
    ///
    /// When a server has ended.
    pub fn watched(&self) -> Result<Watched> {
        let servers = self.nodes.iter().map(Program::process).collect::<Result<_>>()?;
        Ok(Watched { servers, database: self.postgres.processes() })
    }

    /// The log's address.
    pub fn log(&self) -> &str {
        &self.address
    }

    async fn knows_all(&self, server: SocketAddr) -> Result<()> {
        let others = format!("hansu_other_nodes {}", self.nodes.len() - 1);
        let begin = Instant::now();
        loop {
            let mut web = Web::connect(server, 0).await?;
            let (_, figures) = web.ask(Method::GET, "/metrics", None, Bytes::new()).await?;
            let figures = String::from_utf8_lossy(&figures);
            let says = |line: &str| figures.lines().any(|own| own == line);
            if says("hansu_bus_up 1") && says(&others) {
                return Ok(());
            }
            ensure!(begin.elapsed() < MEET, "{server} does not know the others");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Lets something befall it, and mends it after a time.
    ///
    /// # Errors
    ///
    /// When something does not start again.
    pub async fn suffer(&mut self, fault: Fault, away: Duration, which: usize) -> Result<()> {
        self.strike(fault, which).await?;
        tokio::time::sleep(away).await;
        self.repair(fault, which).await
    }

    /// Lets something befall it.
    ///
    /// # Errors
    ///
    /// When what shall be killed does not run.
    pub async fn strike(&mut self, fault: Fault, which: usize) -> Result<()> {
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

    /// Mends what has befallen it.
    ///
    /// # Errors
    ///
    /// When something does not start again.
    pub async fn repair(&mut self, fault: Fault, which: usize) -> Result<()> {
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

    /// Cuts the last server's wires.
    pub fn cut(&self) {
        self.wires.iter().for_each(Proxy::cut);
    }

    /// Mends them.
    pub fn mend(&self) {
        self.wires.iter().for_each(Proxy::mend);
    }

    /// Every game is the same at every server, as PGN and as 기보 with times.
    ///
    /// # Errors
    ///
    /// The first that is not.
    pub async fn agree(&self, games: &[String]) -> Result<()> {
        let mut webs = Vec::new();
        for (number, server) in self.servers().into_iter().enumerate() {
            webs.push(Web::connect(server, number).await?);
        }
        for game in games {
            for what in ["pgn", "record"] {
                let path = format!("/api/games/{game}/{what}");
                let mut first: Option<Bytes> = None;
                for web in &mut webs {
                    let (status, text) = web.ask(Method::GET, &path, None, Bytes::new()).await?;
                    ensure!(status == StatusCode::OK && !text.is_empty(), "{path}: {status}");
                    let first = first.get_or_insert_with(|| text.clone());
                    ensure!(*first == text, "{path} is not the same everywhere");
                }
            }
        }
        Ok(())
    }
}
