//! `load computer`: many games against the computer, which must not disturb people's games.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use futures_util::{SinkExt as _, StreamExt as _};
use hansu_play::TimeControl;
use hansu_protocol::{Made, NewGame, Opponent};
use hyper::header::{AUTHORIZATION, HeaderValue};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio_websockets::{ClientBuilder, Message};

use crate::abuse::{Others, median};
use crate::api::{self, ApiClient};
use crate::opening;
use crate::play::raise_limits;
use crate::player::{Socket, hello};
use crate::report::Latency;

/// How long a person waits before answering the computer's move.
const HUMAN_PAUSE: Duration = Duration::from_secs(1);

/// Time for all games to begin before anything is measured.
const BEGINNING: Duration = Duration::from_secs(5);

/// Moves that are made before anything is measured: the log's WAL file has then been restarted.
const WARM_UP: f64 = 20_000.0;

/// Many games against the computer beside games between people
#[derive(Args, Clone, Debug)]
pub struct Computer {
    /// Games against the computer
    #[arg(long, default_value_t = 100)]
    pub against: usize,

    /// The computer's level
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u8).range(1..=10))]
    pub level: u8,

    /// Games between people
    #[arg(long, default_value_t = 500)]
    pub games: usize,

    /// Moves a second in them
    #[arg(long, default_value_t = 200.0)]
    pub rate: f64,

    /// Seconds for which latency is measured in each round, with the computer and without it
    #[arg(long, default_value_t = 10)]
    pub seconds: u64,

    /// Rounds; the result is that of the median round
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    pub rounds: u64,
}

impl Computer {
    /// Runs.
    ///
    /// # Errors
    ///
    /// When the computer does not move.
    pub async fn run(self) -> Result<()> {
        raise_limits();
        let (mut middles, mut tails) = (Vec::new(), Vec::new());
        let time = Duration::from_secs(self.seconds);
        for _ in 0..self.rounds {
            // A new server: after a round the computer still owes a move in every game.
            let binary = hansu_ground::hansu()?;
            let others = Others::start(&binary, self.games, self.rate.max(1.0)).await?;
            tokio::time::sleep(Duration::from_secs_f64(WARM_UP / self.rate)).await;
            let calm = Latency::of(&others.latencies(time).await);
            let against = Against::start(others.program.address(), self.against, self.level);
            tokio::time::sleep(BEGINNING).await;
            let before = against.moves.load(Ordering::Relaxed);
            let busy = Latency::of(&others.latencies(time).await);
            let moves = against.moves.load(Ordering::Relaxed) - before;
            against.stop().await?;
            others.stop().await?;
            println!("calm:     {calm}");
            println!(
                "computer: {busy}; {:.1} moves a second by it",
                moves as f64 / self.seconds as f64
            );
            ensure!(moves > 0, "the computer has not moved");
            middles.push(busy.p50 / calm.p50);
            tails.push(busy.p99 / calm.p99);
        }
        println!("people's p50 against calm: {:.2} in {middles:.2?}", median(&mut middles.clone()));
        println!("people's p99 against calm: {:.2} in {tails:.2?}", median(&mut tails.clone()));
        Ok(())
    }
}

/// Games against the computer that go on until they are stopped.
struct Against {
    tasks: JoinSet<Result<()>>,
    /// Moves of the computer.
    moves: Arc<AtomicU64>,
}

impl Against {
    fn start(server: SocketAddr, count: usize, level: u8) -> Against {
        let moves = Arc::new(AtomicU64::new(0));
        let mut tasks = JoinSet::new();
        for number in 0..count {
            let moves = moves.clone();
            tasks.spawn(async move {
                loop {
                    play(server, number, level, &moves).await?;
                }
            });
        }
        Against { tasks, moves }
    }

    /// Ends all games.
    ///
    /// # Errors
    ///
    /// The first error of a game; games end only by being stopped.
    async fn stop(mut self) -> Result<()> {
        if let Some(ended) = self.tasks.try_join_next() {
            ended??;
        }
        self.tasks.shutdown().await;
        Ok(())
    }
}

/// Plays one game with random moves until it is over.
async fn play(server: SocketAddr, number: usize, level: u8, moves: &AtomicU64) -> Result<()> {
    let mut api = ApiClient::connect(server, number).await?;
    let key = opening::key(&mut api).await?;
    let new = NewGame {
        with: Opponent::Computer,
        level: Some(level),
        time: TimeControl::Unlimited,
        ..opening::between_friends(&format!("Person {number}"))
    };
    let made: Made = api.post("/api/games", Some(&key), &new).await?;
    let stream = api::connect(server, number).await?;
    let uri = format!("ws://{server}/api/games/{}/socket", made.game).parse()?;
    let header = HeaderValue::from_str(&format!("Bearer {key}"))?;
    let builder = ClientBuilder::from_uri(uri).add_header(AUTHORIZATION, header)?;
    let mut socket: Socket = builder.connect_on(stream).await?.0;
    socket.send(hello(0)).await?;
    let mut own = 0;
    let mut choice = number;
    while let Some(message) = socket.next().await {
        let message = message?;
        let Some(text) = message.as_text() else { continue };
        let received: Value = serde_json::from_str(text)?;
        match received["type"].as_str() {
            Some("event") if received["entry"]["type"] == "ended" => break,
            Some("event") if received["entry"]["type"] == "moved" => {
                own = 1 - own;
                moves.fetch_add(1 - own, Ordering::Relaxed);
            }
            Some("turn") => {
                tokio::time::sleep(HUMAN_PAUSE).await;
                choice = choice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_041);
                let Some(uci) = any_move(&received["moves"], choice >> 33) else { continue };
                let command = json!({"type": "move", "uci": uci});
                let id = format!("{choice:x}");
                let text = json!({"type": "command", "id": id, "command": command}).to_string();
                socket.send(Message::text(text)).await?;
            }
            Some("refused") => anyhow::bail!("refused: {text}"),
            _ => {}
        }
    }
    Ok(())
}

/// One of the moves of a `turn` message.
fn any_move(moves: &Value, choice: usize) -> Option<String> {
    let targets = moves["targets"].as_object()?;
    let all: Vec<String> = targets
        .iter()
        .flat_map(|(from, to)| {
            let squares = to.as_str().unwrap_or_default().as_bytes().chunks_exact(2);
            squares.map(move |square| format!("{from}{}", String::from_utf8_lossy(square)))
        })
        .collect();
    let chosen = all.get(choice % all.len().max(1)).context("no move").ok()?;
    let promotes = moves["special"][chosen.as_str()] == "promotion";
    Some(if promotes { format!("{chosen}q") } else { chosen.clone() })
}
