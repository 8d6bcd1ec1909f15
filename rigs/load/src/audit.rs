//! Compares what players received with the log: nothing acknowledged may be lost, duplicated or
//! reordered.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, ensure};
use hansu_play::{Entry, Event, State, apply};
use hansu_records::{Archive, GameId, SqliteStore, Store, log_file};

use crate::player::{Journal, hash, hash_moves};

/// How much was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Audit {
    /// Games.
    pub games: u64,
    /// Events in the log.
    pub events: u64,
    /// Acknowledgements.
    pub acknowledged: u64,
    /// Events that players received.
    pub heard: u64,
    /// Snapshots that players received.
    pub snapshots: u64,
    /// Moves that were sent and are in the log but were never acknowledged, which is allowed.
    pub unheard: u64,
    /// Clock credits for times when the server was away.
    pub credits: u64,
}

/// What the log has about a game.
struct Logged {
    /// The hashes of the events' bytes; event `n` is at index `n - 1`.
    hashes: Vec<u64>,
    /// The numbers of the moves.
    moves: Vec<u64>,
    /// The hashes of the game's moves after the events with these numbers.
    standing: BTreeMap<u64, u64>,
    credits: u64,
}

/// Compares journals with the log of a server that has stopped.
///
/// # Errors
///
/// The first difference.
pub fn audit(data: &Path, journals: &[Journal]) -> Result<Audit> {
    let store = SqliteStore::open(&log_file(data))?;
    store.check().context("the log is not sound")?;
    compare(&store, journals)
}

/// Compares journals with a log.
///
/// # Errors
///
/// The first difference.
pub fn compare(store: &dyn Store, journals: &[Journal]) -> Result<Audit> {
    let mut by_game: BTreeMap<&str, Vec<&Journal>> = BTreeMap::new();
    for journal in journals {
        by_game.entry(&journal.game).or_default().push(journal);
    }
    let mut audit = Audit::default();
    for (game, journals) in by_game {
        compare_game(store, game, &journals, &mut audit).with_context(|| format!("game {game}"))?;
    }
    Ok(audit)
}

fn compare_game(
    store: &dyn Store,
    name: &str,
    journals: &[&Journal],
    audit: &mut Audit,
) -> Result<()> {
    let game: GameId = name.parse().map_err(|_| anyhow!("no name of a game"))?;
    let wanted = journals.iter().flat_map(|journal| journal.snapshots.iter().map(|(seq, _)| *seq));
    let logged = read(store, game, &wanted.collect())?;
    audit.games += 1;
    audit.events += logged.hashes.len() as u64;
    audit.credits += logged.credits;
    let mut done = HashSet::new();
    for journal in journals {
        let Journal { side, moves, acknowledged, received, snapshots, .. } = journal;
        for &(seq, hash) in received {
            let at = usize::try_from(seq)?.checked_sub(1).context("event 0")?;
            let kept = logged.hashes.get(at);
            ensure!(kept.is_some(), "{side:?} heard event {seq}, which is lost");
            ensure!(kept == Some(&hash), "{side:?} heard another event {seq} than the log has");
        }
        for &(seq, hash) in snapshots {
            let kept = logged.standing.get(&seq);
            ensure!(kept == Some(&hash), "{side:?} saw another game after event {seq}");
        }
        let mut last = 0;
        for &(id, seq) in acknowledged {
            let kept = store.find_command(game, &side.client(id))?;
            ensure!(
                kept == Some(seq),
                "{side:?}'s command {id} was acknowledged as {seq}; the log says {kept:?}"
            );
            ensure!(seq > last, "{side:?}'s command {id} came as {seq} after {last}");
            last = seq;
        }
        let known: HashSet<u64> = acknowledged.iter().map(|(id, _)| *id).collect();
        for &id in moves {
            let kept = store.find_command(game, &side.client(id))?;
            let Some(seq) = kept else { continue };
            ensure!(done.insert(seq), "event {seq} is two moves");
            audit.unheard += u64::from(!known.contains(&id));
        }
        audit.acknowledged += acknowledged.len() as u64;
        audit.heard += received.len() as u64;
        audit.snapshots += snapshots.len() as u64;
    }
    // The log stores a command's key with its last event: a mating move is followed by the end.
    let named =
        logged.moves.iter().filter(|&&seq| done.contains(&seq) || done.contains(&(seq + 1)));
    ensure!(
        named.count() == logged.moves.len() && done.len() == logged.moves.len(),
        "{} moves were sent and done, the log has {}",
        done.len(),
        logged.moves.len()
    );
    Ok(())
}

fn read(store: &dyn Store, game: GameId, wanted: &BTreeSet<u64>) -> Result<Logged> {
    let mut logged =
        Logged { hashes: Vec::new(), moves: Vec::new(), standing: BTreeMap::new(), credits: 0 };
    let mut state = State::default();
    loop {
        let after = logged.hashes.len() as u64;
        let events = store.events(game, after, 1_000)?;
        for event in &events {
            let next = logged.hashes.len() as u64 + 1;
            ensure!(event.seq == next, "event {} where {next} should be", event.seq);
            let entry: Entry = serde_json::from_str(&event.body)?;
            apply(&mut state, &entry).map_err(|misfit| anyhow!("{next}: {misfit:?}"))?;
            logged.hashes.push(hash(&event.body));
            match entry.event {
                Event::Moved { .. } => logged.moves.push(event.seq),
                Event::Credited { .. } => logged.credits += 1,
                _ => {}
            }
            if wanted.contains(&event.seq) {
                let variant = state.game().variant();
                let moves = state.game().moves().iter().map(|step| step.uci(variant).to_string());
                logged.standing.insert(event.seq, hash_moves(moves));
            }
        }
        if events.is_empty() {
            return Ok(logged);
        }
    }
}
