//! The log of one game in memory, with the behaviour of `hansu_records::Store`.

use std::collections::BTreeMap;

use hansu_journal::summary;
use hansu_live::{LiveGame, Room};
use hansu_play::{Entry, Millis, State, apply};
use hansu_protocol::Snapshot;
use hansu_records::{Append, Appended, Error, GameId, Once, Row, Visibility};

use crate::laws::{BrokenLaw, Law, LawResult, check};
use crate::plan::Time;

/// The visibility of the simulated game.
pub(crate) const VISIBILITY: Visibility = Visibility::Public;

/// The log of one game.
#[derive(Clone)]
pub(crate) struct Log {
    game: GameId,
    entries: Vec<Entry>,
    /// The states after the first 0, 1, 2, … entries.
    states: Vec<State>,
    /// The snapshots of these states, made when needed.
    snapshots: Vec<Option<Snapshot>>,
    appends: Vec<CommittedAppend>,
    clients: BTreeMap<String, u64>,
    beats: BTreeMap<usize, Millis>,
}

/// A committed append.
#[derive(Clone, Debug)]
pub(crate) struct CommittedAppend {
    pub(crate) first: u64,
    pub(crate) last: u64,
    pub(crate) node: usize,
    /// When it was committed.
    pub(crate) kept: Time,
}

impl Log {
    pub(crate) fn new(game: GameId) -> Log {
        Log {
            game,
            entries: Vec::new(),
            states: vec![State::default()],
            snapshots: vec![None],
            appends: Vec::new(),
            clients: BTreeMap::new(),
            beats: BTreeMap::new(),
        }
    }

    pub(crate) fn game(&self) -> GameId {
        self.game
    }

    pub(crate) fn last(&self) -> u64 {
        self.entries.len() as u64
    }

    /// The state after an entry, or after the last one if there is no such entry.
    pub(crate) fn state(&self, seq: u64) -> &State {
        let place = (seq as usize).min(self.entries.len());
        &self.states[place]
    }

    pub(crate) fn entry(&self, seq: u64) -> Option<&Entry> {
        (seq as usize).checked_sub(1).and_then(|place| self.entries.get(place))
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(crate) fn entries_after(&self, seq: u64) -> Vec<Entry> {
        self.entries.get(seq as usize..).map(<[Entry]>::to_vec).unwrap_or_default()
    }

    /// The append that wrote an entry.
    pub(crate) fn append_of(&self, seq: u64) -> Option<&CommittedAppend> {
        self.appends.iter().rev().find(|append| (append.first..=append.last).contains(&seq))
    }

    pub(crate) fn appends(&self) -> &[CommittedAppend] {
        &self.appends
    }

    /// Returns true if this entry is the last of its append.
    pub(crate) fn ends_append(&self, seq: u64) -> bool {
        self.append_of(seq).is_none_or(|append| append.last == seq)
    }

    pub(crate) fn find_command(&self, client: &str) -> Option<u64> {
        self.clients.get(client).copied()
    }

    pub(crate) fn beat(&mut self, node: usize, at: Millis) {
        self.beats.insert(node, at);
    }

    pub(crate) fn last_beat(&self) -> Option<Millis> {
        self.beats.values().copied().max()
    }

    /// What a client must show after an entry, without the chat.
    pub(crate) fn snapshot(&mut self, seq: u64) -> &Snapshot {
        let state = self.state(seq).clone();
        let game = self.game;
        self.snapshots[seq as usize].get_or_insert_with(|| {
            let room = Room::new(game, VISIBILITY, state, Millis::ZERO);
            LiveGame::new(game, room, None, Vec::new(), Default::default(), Millis::ZERO).snapshot()
        })
    }

    /// Commits an append, or returns the store's error.
    pub(crate) fn append(
        &mut self,
        append: &Append,
        node: usize,
        kept: Time,
    ) -> Result<Result<Appended, Error>, BrokenLaw> {
        if let Err(error) = append.limits() {
            return Ok(Err(error));
        }
        if let Some(seq) = append.command_key.as_ref().and_then(|client| self.find_command(client))
        {
            return Ok(Ok(Appended { seq, once: Once::Again }));
        }
        let last_seq = self.last();
        let late = append.begins.is_some() && append.expected != 1;
        if late || append.expected != last_seq + 1 {
            return Ok(Err(Error::Conflict { last_seq }));
        }
        for event in &append.events {
            self.store_entry(&event.body)?;
        }
        let seq = self.last();
        let row = summary(self.state(seq), VISIBILITY);
        let agreed =
            self.state(seq).next_game().filter(|_| self.state(last_seq).next_game().is_none());
        let begun = append.next.as_ref().map(|next| next.game.as_str());
        check(Law::Log, begun == agreed, || {
            format!("{begun:?} begins where {agreed:?} was agreed")
        })?;
        let given = match &append.row {
            Row::Whole(row) => (**row).clone(),
            Row::Played(played) => {
                let mut row = summary(self.state(last_seq), VISIBILITY);
                played.apply(&mut row);
                row
            }
        };
        check(Law::Log, given == row, || format!("the row after {seq} is another"))?;
        self.appends.push(CommittedAppend { first: append.expected, last: seq, node, kept });
        if let Some(client) = &append.command_key {
            self.clients.insert(client.clone(), seq);
        }
        Ok(Ok(Appended { seq, once: Once::First }))
    }

    fn store_entry(&mut self, body: &str) -> LawResult {
        let broken = |how| BrokenLaw { law: Law::Log, how };
        let entry: Entry =
            serde_json::from_str(body).map_err(|error| broken(format!("{body}: {error}")))?;
        let mut state = self.state(self.last()).clone();
        apply(&mut state, &entry).map_err(|misfit| broken(format!("{entry:?}: {misfit}")))?;
        self.entries.push(entry);
        self.states.push(state);
        self.snapshots.push(None);
        Ok(())
    }
}
