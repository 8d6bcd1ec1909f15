//! The page of statistics: results in the log as bars.

use hansu_play::Reason;
use hansu_records::stats::{Bucket, Facet, PlayerStats, Tally, Viewer};
use hansu_records::{Error, Store};
use hansu_words::{Lang, Screen};

use super::canvas::{Canvas, TextStyle, padded, width};

/// The most players and reasons that are shown.
const MAX_ROWS: usize = 12;

/// The statistics of the log.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Stats {
    totals: Tally,
    players: Vec<PlayerStats>,
    reasons: Vec<Bucket>,
    note: String,
}

impl Stats {
    pub(super) fn read(store: &dyn Store) -> Result<Stats, Error> {
        let (totals, players) =
            (store.totals(Viewer::Keeper)?, store.players(Viewer::Keeper, MAX_ROWS)?);
        let mut reasons = store.by(Viewer::Keeper, Facet::Reason, None)?;
        reasons.truncate(MAX_ROWS);
        Ok(Stats { totals, players, reasons, note: String::new() })
    }

    /// A page with only a message.
    pub(super) fn with_note(note: &str) -> Stats {
        Stats { note: note.to_owned(), ..Stats::default() }
    }

    pub(crate) fn draw(&self, canvas: &mut Canvas<'_>, lang: Lang) {
        let area = canvas.area();
        let (x, word) = (area.x + 2, |phrase| lang.screen(phrase));
        canvas.text(area, x, area.y + 1, word(Screen::Statistics), TextStyle::Accent);
        let games = lang.screen_games(self.totals.games());
        let mut y = area.y + 3;
        let bottom = area.bottom().saturating_sub(2);
        let end = if self.totals.games() == 0 { word(Screen::NoGames) } else { &games };
        let note = if self.note.is_empty() { end } else { &self.note };
        canvas.text(area, x, y, note, TextStyle::Bold);
        y += 1;
        let places = usize::from(area.width.saturating_sub(32)).clamp(5, 60);
        let most = self.totals.games().max(1);
        for (phrase, count) in [
            (Screen::WhiteWins, self.totals.white),
            (Screen::Draws, self.totals.draws),
            (Screen::BlackWins, self.totals.black),
        ] {
            let line = format!(
                "{} {:>6}  {}",
                padded(word(phrase), 12),
                count,
                bar('█', count, most, places)
            );
            canvas.text(area, x, y, &line, TextStyle::Plain);
            y += 1;
        }
        y += 1;
        let reasons = self.reasons.iter().take(usize::from(bottom.saturating_sub(y)) / 2);
        for bucket in reasons {
            let reason = Reason::from_code(&bucket.label);
            let name = reason.map_or("–", |reason| lang.ending_reason(reason));
            let count = bucket.tally.games();
            let line =
                format!("{} {:>3}  {}", padded(name, 15), count, bar('▒', count, most, places));
            canvas.text(area, x, y, &line, TextStyle::Plain);
            y += 1;
        }
        y += 1;
        if !self.players.is_empty() && y + 1 < bottom {
            let legend = format!(
                "{}  █ {}  ▒ {}  ░ {}",
                word(Screen::Players),
                word(Screen::Wins),
                word(Screen::DrawnGames),
                word(Screen::Losses)
            );
            canvas.text(area, x, y, &legend, TextStyle::Bold);
            y += 1;
        }
        let longest = self.players.iter().map(|player| player.both().games()).max().unwrap_or(1);
        for player in &self.players {
            if y >= bottom {
                break;
            }
            let all = player.both();
            let mut line = format!("{} {:>6}  ", padded(&player.name, 12), all.games());
            for (sign, count) in [('█', all.wins), ('▒', all.draws), ('░', all.losses)] {
                line.push_str(&bar(sign, count, longest.max(1), places));
            }
            debug_assert!(width(&line) <= places + 30);
            canvas.text(area, x, y, &line, TextStyle::Plain);
            y += 1;
        }
        let keys = word(Screen::Back);
        canvas.text(
            area,
            x,
            area.bottom().saturating_sub(1),
            &format!("Esc {keys}"),
            TextStyle::Muted,
        );
    }
}

/// A bar of `sign`; a count of `most` fills `places` columns.
fn bar(sign: char, count: u64, most: u64, places: usize) -> String {
    let places = u64::try_from(places).unwrap_or(0);
    let length = usize::try_from(count.saturating_mul(places) / most.max(1)).unwrap_or(0);
    std::iter::repeat_n(sign, length).collect()
}
