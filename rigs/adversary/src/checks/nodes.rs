//! Several servers over PostgreSQL and NATS, while any of them is killed or frozen.

use std::time::Duration;

use anyhow::Result;
use hansu_ground::{Nats, Postgres};
use rustix::process::Signal;

use super::kills::Crowd;
use crate::RunOptions;
use crate::http::Http;
use crate::program::{Server, Start};
use crate::report::Check;
use hansu_ground::Random;

/// The number of servers.
const NODES: usize = 3;

/// Kills and freezes nodes, database and bus.
pub(super) fn nodes(options: &RunOptions, check: &mut Check) -> Result<()> {
    if !options.long {
        check.note("only in the long run");
        return Ok(());
    }
    let (Ok(mut postgres), Ok(mut nats)) = (Postgres::start(), Nats::start()) else {
        check.note("not done: PostgreSQL or NATS is not installed (tools/install.sh)");
        return Ok(());
    };
    let database = postgres.fresh()?;
    let bus = nats.address();
    let start = || {
        let arguments = ["--database", &database, "--bus", &bus].map(Into::into).to_vec();
        Server::start(&options.binary, Start { arguments, ..Start::default() })
    };
    let mut servers: Vec<Server> = (0..NODES).map(|_| start()).collect::<Result<_>>()?;
    let addresses: Vec<Http> = servers.iter().map(Server::http).collect();
    let crowd = Crowd::new();
    let mut random = Random::new(options.seed ^ 2);
    let dealt = std::thread::scope(|scope| -> Result<[u64; 7]> {
        for _ in 0..options.games {
            let random = random.fork();
            scope.spawn(|| crowd.play(&addresses, random));
        }
        let mut dealt = [0; 7];
        let mut deal = || -> Result<()> {
            for round in 0..options.rounds {
                crowd.wait_for_moves(options.games)?;
                std::thread::sleep(Duration::from_millis(random.below(300)));
                let kind = usize::try_from(round % 7)?;
                let rest = Duration::from_millis(200 + random.below(2_500));
                let one = usize::try_from(random.below(NODES as u64))?;
                fault(kind, &mut servers[one], &mut postgres, &mut nats, rest)?;
                dealt[kind] += 1;
            }
            crowd.wait_for_moves(2 * options.games)
        };
        let done = deal();
        crowd.stop();
        done.map(|()| dealt)
    })?;
    let [kills, stops, freezes, bases, thaws, buses, hangs] = dealt;
    check.note(format!(
        "nodes: {kills} killed, {stops} stopped, {freezes} frozen; database: {bases} killed, {thaws} frozen; NATS: {buses} killed, {hangs} frozen"
    ));
    let mut audits = Vec::new();
    for http in &addresses {
        audits.push(crowd.audit(*http, check)?);
    }
    check.expect(audits.windows(2).all(|two| two[0] == two[1]), "nodes tell different things");
    if let Some(audit) = audits.first() {
        check.note(audit.line());
    }
    Ok(())
}

fn fault(
    kind: usize,
    server: &mut Server,
    postgres: &mut Postgres,
    nats: &mut Nats,
    rest: Duration,
) -> Result<()> {
    match kind {
        0 => {
            server.kill()?;
            std::thread::sleep(rest);
            server.restart()?;
        }
        1 => {
            server.stop()?;
            server.restart()?;
        }
        2 => {
            server.signal(Signal::STOP)?;
            std::thread::sleep(rest);
            server.signal(Signal::CONT)?;
        }
        3 => {
            postgres.kill()?;
            std::thread::sleep(rest);
            postgres.restart()?;
        }
        4 => {
            postgres.freeze();
            std::thread::sleep(rest);
            postgres.thaw();
        }
        5 => {
            nats.kill()?;
            std::thread::sleep(rest);
            nats.restart()?;
        }
        _ => {
            nats.freeze();
            std::thread::sleep(rest);
            nats.thaw();
        }
    }
    Ok(())
}
