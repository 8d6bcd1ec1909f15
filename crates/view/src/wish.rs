//! Wishes of clients as commands of the game.

use hansu_chess::Color;
use hansu_play::{Actor, Command, Offer};
use hansu_protocol::{LONGEST_ID, Turn, Wish};
use hansu_words::ServerRefusal;

/// Returns true if a text can be the id of a command: visible ASCII, 1 to [`LONGEST_ID`] bytes.
pub fn is_command_id(id: &str) -> bool {
    !id.is_empty() && id.len() <= LONGEST_ID && id.bytes().all(|b| b.is_ascii_graphic())
}

/// The command for a wish. `next_game` makes the id of the next game, for a rematch.
///
/// # Errors
///
/// When a text is not a move, or no id can be made.
pub fn command(
    wish: Wish,
    actor: Actor,
    next_game: impl FnOnce() -> Option<String>,
) -> Result<Command, ServerRefusal> {
    let uci = |text: &str| text.parse().map_err(|_| ServerRefusal::BadMove);
    let next = |what| match what {
        Offer::Rematch => next_game().map(Some).ok_or(ServerRefusal::Unavailable),
        _ => Ok(None),
    };
    Ok(match wish {
        Wish::Move { uci: step } => Command::Move { uci: uci(&step)? },
        Wish::Resign => Command::Resign,
        Wish::Offer { what } => Command::Offer { what, next: next(what)? },
        Wish::Accept { what } => Command::Accept { what, next: next(what)? },
        Wish::Decline { what } => Command::Decline { what },
        Wish::ClaimDraw { with } => {
            Command::ClaimDraw { with: with.as_deref().map(uci).transpose()? }
        }
        Wish::ClaimAbsence { result } => Command::ClaimAbsence { result },
        Wish::Abort => Command::Abort,
        Wish::GiveTime { to: Turn::White } => Command::GiveTime { to: Color::White },
        Wish::GiveTime { to: Turn::Black } => Command::GiveTime { to: Color::Black },
        Wish::Chat { text, name } => {
            // Players are known by their seats.
            let name = name.filter(|_| actor == Actor::Spectator);
            Command::Chat { text, name }
        }
    })
}
