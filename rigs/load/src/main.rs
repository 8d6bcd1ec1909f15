//! `hansu-load`: parses the arguments and runs one of the commands.

use std::net::SocketAddr;

use anyhow::Result;
use clap::{Parser, Subcommand};
use hansu_load::{abuse, computer, echo, kill, nodes, play, reconnect, soak};

/// Load, crashes and abuse for hansu serve
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Play(play::Play),
    Reconnect(reconnect::Reconnect),
    Kill(kill::Kill),
    Nodes(nodes::Nodes),
    Soak(soak::Soak),
    Abuse(abuse::Abuse),
    Computer(computer::Computer),
    /// A bare websocket echo with the server's settings
    Echo {
        /// The address to listen on
        #[arg(long, default_value = "127.0.0.1:9001")]
        listen: SocketAddr,

        /// Messages of up to 64 MiB, for the Autobahn suite
        #[arg(long)]
        suite: bool,
    },
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    play::raise_limits();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        match arguments.command {
            Command::Play(play) => play.run().await,
            Command::Reconnect(reconnect) => reconnect.run().await,
            Command::Kill(kill) => kill.run().await,
            Command::Nodes(nodes) => nodes.run().await,
            Command::Soak(soak) => soak.run().await,
            Command::Abuse(abuse) => abuse.run().await,
            Command::Computer(computer) => computer.run().await,
            Command::Echo { listen, suite } => {
                let size = if suite { echo::Size::Suite } else { echo::Size::Game };
                echo::serve(listen, size).await
            }
        }
    })
}
