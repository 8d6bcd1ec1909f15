//! How a client goes from one picture of the game to the next, with no rules of chess and nothing
//! but what the protocol tells.

use hansu_play::{Actor, Entry, Event, Millis, Offer, Sides, Start};
use hansu_protocol::{Happened, Offered, Phase, Ply, Said, Snapshot, Turn};

/// What was said that a client keeps.
const MOST_SAID: usize = 100;

/// Puts an event after a picture.
pub(crate) fn follow(view: &mut Snapshot, happened: Happened) {
    let Happened { entry, san, board, ticking } = happened;
    let mover = turn(view);
    view.seq = entry.seq;
    view.ticking = ticking;
    view.chat.extend(said(&entry, &view.start));
    if view.chat.len() > MOST_SAID {
        view.chat.remove(0);
    }
    match entry.event {
        Event::Started(_) | Event::Chatted { .. } => {}
        Event::Moved { uci, clocks, .. } => {
            let board = board.unwrap_or_else(|| view.first.clone());
            let san = san.unwrap_or_default();
            view.plies.push(Ply { uci: uci.to_string(), san, board, clocks });
            view.clocks = clocks;
            view.offers.retain(|offer| offer.what != Offer::Takeback && offer.by == mover);
        }
        Event::TakenBack { plies, clocks } => {
            view.plies.truncate(view.plies.len().saturating_sub(usize::from(plies)));
            if let Some(last) = view.plies.last_mut() {
                last.clocks = clocks;
            }
            view.clocks = clocks;
            view.offers.clear();
        }
        Event::Offered { what, by } => {
            view.offers.push(Offered { what, by: side(by) });
            view.offers.sort_by_key(|offer| offer.what as usize);
        }
        Event::Declined { what, .. } => view.offers.retain(|offer| offer.what != what),
        Event::Adjourned { clocks } => {
            view.phase = Phase::Adjourned;
            view.clocks = clocks;
            view.offers.clear();
        }
        Event::Resumed => {
            view.phase = Phase::Playing;
            view.offers.clear();
        }
        Event::Left { side } => view.left[side] = Some(entry.at),
        Event::Returned { side } => view.left[side] = None,
        Event::Credited { time } => {
            let later = |left: Option<Millis>| left.map(|left| left.plus(time).min(entry.at));
            view.left = Sides { white: later(view.left.white), black: later(view.left.black) };
        }
        Event::RematchAgreed { next } => {
            view.next = Some(next);
            view.offers.clear();
        }
        Event::Ended { ending, clocks } => {
            view.phase = Phase::Ended;
            view.ending = Some(ending);
            view.clocks = clocks;
            view.offers.clear();
        }
    }
}

/// Who is to move, as the board says.
pub(crate) fn turn(view: &Snapshot) -> Turn {
    let board = view.plies.last().map_or(&view.first, |ply| &ply.board);
    if board.fen.contains(" w ") { Turn::White } else { Turn::Black }
}

pub(crate) fn side(color: hansu_chess::Color) -> Turn {
    match color {
        hansu_chess::Color::White => Turn::White,
        hansu_chess::Color::Black => Turn::Black,
    }
}

/// What somebody said, if an entry is that.
pub(crate) fn said(entry: &Entry, start: &Start) -> Option<Said> {
    let Event::Chatted { from, name, text } = &entry.event else { return None };
    let name = match from {
        Actor::White => start.names.white.clone(),
        Actor::Black => start.names.black.clone(),
        Actor::Both | Actor::System | Actor::Spectator => name.clone().unwrap_or_default(),
    };
    Some(Said { at: entry.at, from: *from, name, text: text.clone() })
}

/// The chat of a game, as far as newcomers are told.
pub(crate) fn chat(entries: &[Entry], start: &Start) -> Vec<Said> {
    let all: Vec<Said> = entries.iter().filter_map(|entry| said(entry, start)).collect();
    all[all.len().saturating_sub(MOST_SAID)..].to_vec()
}
