//! The full-screen replay of a game: keys and drawing.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, execute, queue};
use hansu_chess::Color;
use hansu_console::Ink;
use hansu_records::Record;
use hansu_words::Lang;

use super::board;
use super::playthrough::{PlayedMove, Playthrough};
use super::text_table::{Side, fitted, padded, screen_size, width};
use super::words::{Label, Sentence};

/// Redraw interval of the time to the next move.
const TICK: Duration = Duration::from_millis(200);
/// Plies that the up and down keys skip.
const LEAP: usize = 10;
/// Width of the board with its digits, in columns.
const BOARD: usize = 26;
/// Width of a move in the list, in columns.
const MOVE: usize = 9;
/// Escape codes around the current move: reverse video on and off.
const MARK: (&str, &str) = ("\u{1b}[7m", "\u{1b}[0m");
const SLOWEST: f64 = 0.01;
const FASTEST: f64 = 1000.0;

/// Where the times of the moves come from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pace {
    /// The log has the time of each move.
    Recorded,
    /// No times are known: each move takes the same time.
    Even,
}

/// What follows after a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum After {
    Stay,
    Leave,
}

/// The state of a replay.
pub(super) struct ReplayScreen<'a> {
    lang: Lang,
    record: &'a Record,
    playthrough: &'a Playthrough,
    waits: &'a [Duration],
    pace: Pace,
    ink: Ink,
    seen_by: Color,
    ply: usize,
    speed: f64,
    /// When the next move is shown automatically; None while paused.
    due: Option<Instant>,
}

impl<'a> ReplayScreen<'a> {
    pub(super) fn new(
        lang: Lang,
        record: &'a Record,
        playthrough: &'a Playthrough,
        waits: &'a [Duration],
        pace: Pace,
    ) -> ReplayScreen<'a> {
        ReplayScreen {
            lang,
            record,
            playthrough,
            waits,
            pace,
            ink: board::wanted_ink(),
            seen_by: Color::White,
            ply: 0,
            speed: 1.0,
            due: None,
        }
    }

    /// Sets the first ply and the speed.
    pub(super) fn begin(&mut self, ply: usize, speed: f64) {
        self.ply = ply.min(self.end());
        self.speed = speed;
    }

    /// Starts the automatic replay; at the end of the game it starts over.
    pub(super) fn start(&mut self) {
        if self.ply == self.end() {
            self.ply = 0;
        }
        self.schedule(Instant::now());
    }

    fn end(&self) -> usize {
        self.playthrough.moves.len()
    }

    fn schedule(&mut self, now: Instant) {
        let wait = self.waits.get(self.ply).map(|wait| wait.as_secs_f64() / self.speed);
        // A wait too long for `Instant` becomes about 34 years; the keys still work.
        let wait = wait.map(|wait| Duration::try_from_secs_f64(wait).unwrap_or(Duration::MAX));
        self.due =
            wait.map(|wait| now.checked_add(wait).unwrap_or(now + Duration::from_secs(1 << 30)));
    }

    /// Goes to a ply. An automatic replay continues from there.
    fn go(&mut self, ply: usize) {
        self.ply = ply.min(self.end());
        if self.due.is_some() {
            self.schedule(Instant::now());
        }
    }

    /// Shows the next move if its time has come.
    fn tick(&mut self, now: Instant) {
        if self.due.is_some_and(|due| due <= now) {
            self.ply = (self.ply + 1).min(self.end());
            self.schedule(now);
        }
    }

    fn scale_speed(&mut self, factor: f64) {
        self.speed = (self.speed * factor).clamp(SLOWEST, FASTEST);
        self.go(self.ply);
    }

    fn key(&mut self, key: KeyEvent) -> After {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd') if control => return After::Leave,
            KeyCode::Char('q' | 'Q' | 'ㅂ') | KeyCode::Esc => return After::Leave,
            KeyCode::Char(' ') if self.due.is_some() => self.due = None,
            KeyCode::Right | KeyCode::Enter | KeyCode::Char(' ' | 'l' | 'n' | 'j') => {
                self.go(self.ply + 1);
            }
            KeyCode::Left | KeyCode::Backspace | KeyCode::Char('h' | 'p' | 'b' | 'k') => {
                self.go(self.ply.saturating_sub(1));
            }
            KeyCode::Down | KeyCode::PageDown => self.go(self.ply.saturating_add(LEAP)),
            KeyCode::Up | KeyCode::PageUp => self.go(self.ply.saturating_sub(LEAP)),
            KeyCode::Home | KeyCode::Char('g') => self.go(0),
            KeyCode::End | KeyCode::Char('G') => self.go(self.end()),
            KeyCode::Char('a' | 'A' | 'ㅁ') if self.due.is_some() => self.due = None,
            KeyCode::Char('a' | 'A' | 'ㅁ') => self.start(),
            KeyCode::Char('+' | '=') => self.scale_speed(2.0),
            KeyCode::Char('-' | '_') => self.scale_speed(0.5),
            KeyCode::Char('f' | 'F' | 'ㄹ') => self.seen_by = self.seen_by.other(),
            _ => {}
        }
        After::Stay
    }

    /// The screen, line by line.
    fn lines(&self, places: usize, now: Instant) -> Vec<String> {
        let game = &self.record.summary;
        let names = places.saturating_sub(14) / 2;
        let (white, black) = (fitted(&game.white, names), fitted(&game.black, names));
        let mut lines = vec![format!("{white} – {black}   {}", game.score), String::new()];
        let (position, last) = self.playthrough.at(self.ply);
        let board = board::pretty(position, last.map(|played| played.mv), self.seen_by, self.ink);
        let moves = self.moves(board.len());
        let roomy = places >= BOARD + 4 + 5 + 2 * MOVE;
        for (rank, row) in board.into_iter().zip(moves) {
            let row = if roomy { row } else { String::new() };
            lines.push(format!("{rank}    {row}"));
        }
        lines.push(String::new());
        lines.push(self.caption(last));
        lines.push(self.status(now));
        let keys = if self.due.is_some() { Sentence::ReplayKeysAuto } else { Sentence::ReplayKeys };
        lines.push(fitted(&keys.text(self.lang), places));
        lines
    }

    /// `12. Nf3 · 23/80 · 0:07`
    fn caption(&self, last: Option<&PlayedMove>) -> String {
        let start = || Label::Start.text(self.lang).to_owned();
        let mut parts = vec![last.map_or_else(start, PlayedMove::caption)];
        parts.push(format!("{}/{}", self.ply, self.end()));
        if let (Pace::Recorded, Some(at)) = (self.pace, self.ply.checked_sub(1)) {
            parts.extend(self.waits.get(at).map(|&wait| clock(wait)));
        }
        parts.join(" · ")
    }

    fn status(&self, now: Instant) -> String {
        let Some(due) = self.due else { return String::new() };
        let mut parts = vec![Label::Auto.text(self.lang).to_owned()];
        parts.push(Sentence::Speed(&factor(self.speed)).text(self.lang));
        parts.push(match self.pace {
            Pace::Recorded => {
                let left = due.saturating_duration_since(now);
                // Rounded up, so that 0:00 does not stand for a second.
                Sentence::NextIn(&clock(left + Duration::from_millis(999))).text(self.lang)
            }
            Pace::Even => Sentence::NoTimes.text(self.lang),
        });
        parts.join(" · ")
    }

    /// The list of moves in `rows` lines, around the current move.
    fn moves(&self, rows: usize) -> Vec<String> {
        let played = &self.playthrough.moves;
        let first = played.first().map_or(1, |step| step.number);
        let row_of = |step: &PlayedMove| usize::from(step.number.saturating_sub(first));
        let current = self.ply.checked_sub(1).and_then(|at| played.get(at)).map_or(0, row_of);
        let all = played.last().map_or(0, |step| row_of(step) + 1);
        let top = current.saturating_sub(rows / 2).min(all.saturating_sub(rows));
        let mut lines = vec![String::new(); rows];
        for (at, step) in played.iter().enumerate() {
            let row = row_of(step);
            let Some(line) = row.checked_sub(top).and_then(|row| lines.get_mut(row)) else {
                continue;
            };
            if line.is_empty() {
                line.push_str(&format!("{:>3}. ", step.number));
                if step.color == Color::Black {
                    line.push_str(&padded("…", MOVE, Side::Left));
                }
            }
            let blanks = " ".repeat(MOVE.saturating_sub(width(&step.san)));
            let (mark, unmark) = if at + 1 == self.ply { MARK } else { ("", "") };
            line.push_str(&format!("{mark}{}{unmark}{blanks}", step.san));
        }
        lines
    }
}

/// `0:07`, `12:34`, `1:02:03`
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        hours => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// `2`, `0.5`
fn factor(speed: f64) -> String {
    let text = format!("{speed:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Runs the replay until the user quits, then restores the terminal.
pub(super) fn run(show: &mut ReplayScreen<'_>, out: &mut impl Write) -> io::Result<()> {
    let _screen = RawTerminal::enter(out)?;
    loop {
        draw(show, out)?;
        let wait = show.due.map(|due| due.saturating_duration_since(Instant::now()).min(TICK));
        let happened = match wait {
            Some(wait) => event::poll(wait)?,
            None => true,
        };
        if happened
            && let Event::Key(key) = event::read()?
            && key.kind != KeyEventKind::Release
            && show.key(key) == After::Leave
        {
            return Ok(());
        }
        show.tick(Instant::now());
    }
}

fn draw(show: &ReplayScreen<'_>, out: &mut impl Write) -> io::Result<()> {
    let (places, height) = screen_size();
    queue!(out, cursor::MoveTo(0, 0))?;
    let lines = show.lines(places, Instant::now());
    for (at, line) in lines.iter().take(height).enumerate() {
        if at > 0 {
            out.write_all(b"\r\n")?;
        }
        out.write_all(line.as_bytes())?;
        queue!(out, Clear(ClearType::UntilNewLine))?;
    }
    queue!(out, Clear(ClearType::FromCursorDown))?;
    out.flush()
}

/// Raw mode and the alternate screen; dropping it restores the terminal.
struct RawTerminal;

impl RawTerminal {
    fn enter(out: &mut impl Write) -> io::Result<RawTerminal> {
        terminal::enable_raw_mode()?;
        let screen = RawTerminal;
        // Restore first, so that a panic message can be read on the normal screen.
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore_terminal();
            tell(panic);
        }));
        // Without this handler a signal would leave the terminal without echo.
        let _ = ctrlc::set_handler(|| {
            restore_terminal();
            #[allow(clippy::exit)] // a signal ends the program
            std::process::exit(130);
        });
        execute!(out, EnterAlternateScreen, cursor::Hide)?;
        Ok(screen)
    }
}

impl Drop for RawTerminal {
    fn drop(&mut self) {
        restore_terminal();
    }
}

fn restore_terminal() {
    // If the terminal is gone, nothing else can be done.
    let _ = execute!(io::stdout(), LeaveAlternateScreen, cursor::Show);
    let _ = terminal::disable_raw_mode();
}

#[cfg(test)]
mod tests {
    use hansu_chess::Game;
    use hansu_records::{GameId, Source, Summary};

    use super::*;

    /// Two moves, after five seconds and after one.
    fn game() -> (Record, Playthrough, [Duration; 2]) {
        let mut game = Game::start();
        for step in ["e4", "e5"] {
            game.play_san(step).unwrap();
        }
        let mut summary = Summary::new("Mina", "Jun", Source::Terminal);
        summary.follow(&game);
        let id = GameId::random().unwrap();
        let record = Record { id, summary, last_seq: 0, tags: Vec::new(), note: None };
        let playthrough = Playthrough::replay(&record.summary).unwrap();
        (record, playthrough, [5, 1].map(Duration::from_secs))
    }

    fn press(show: &mut ReplayScreen<'_>, code: KeyCode) -> After {
        show.key(KeyEvent::new(code, KeyModifiers::NONE))
    }

    #[test]
    fn keys_stay_within_the_game() {
        let (record, playthrough, waits) = game();
        let mut show = ReplayScreen::new(Lang::En, &record, &playthrough, &waits, Pace::Recorded);
        let steps = [
            (KeyCode::Left, 0),
            (KeyCode::Right, 1),
            (KeyCode::Char(' '), 2),
            (KeyCode::Right, 2),
            (KeyCode::Home, 0),
            (KeyCode::End, 2),
            (KeyCode::Up, 0),
            (KeyCode::Down, 2),
            (KeyCode::Backspace, 1),
            (KeyCode::Char('x'), 1),
        ];
        for (code, ply) in steps {
            assert_eq!(press(&mut show, code), After::Stay);
            assert_eq!(show.ply, ply, "{code:?}");
        }
        for code in [KeyCode::Char('q'), KeyCode::Esc] {
            assert_eq!(press(&mut show, code), After::Leave);
        }
        let interrupt = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(show.key(interrupt), After::Leave);
    }

    #[test]
    fn moves_come_by_themselves_when_their_time_has_come() {
        let (record, playthrough, waits) = game();
        let mut show = ReplayScreen::new(Lang::En, &record, &playthrough, &waits, Pace::Recorded);
        show.begin(0, 2.0);
        show.start();
        let start = show.due.unwrap() - Duration::from_millis(2_500);
        show.tick(start + Duration::from_millis(2_400));
        assert_eq!(show.ply, 0);
        show.tick(start + Duration::from_millis(2_500));
        assert_eq!(show.ply, 1);
        show.tick(start + Duration::from_millis(3_000));
        assert_eq!((show.ply, show.due), (2, None));
        // At the end it starts over; a space pauses it.
        press(&mut show, KeyCode::Char('a'));
        assert_eq!(show.ply, 0);
        assert!(show.due.is_some());
        press(&mut show, KeyCode::Char(' '));
        assert_eq!((show.ply, show.due), (0, None));
    }

    #[test]
    fn speeds_have_limits() {
        let (record, playthrough, _) = game();
        let waits = [Duration::MAX; 2];
        let mut show = ReplayScreen::new(Lang::En, &record, &playthrough, &waits, Pace::Recorded);
        show.start();
        for (key, speed) in [('+', FASTEST), ('-', SLOWEST)] {
            for _ in 0..40 {
                press(&mut show, KeyCode::Char(key));
            }
            assert!((show.speed - speed).abs() < 1e-9);
        }
    }

    #[test]
    fn the_screen_fits_and_marks_the_move() {
        let (record, playthrough, waits) = game();
        for lang in Lang::ALL {
            let mut show = ReplayScreen::new(lang, &record, &playthrough, &waits, Pace::Recorded);
            show.begin(2, 1.0);
            let lines = show.lines(80, Instant::now());
            assert!(lines.len() <= 24, "{lines:?}");
            assert!(lines.iter().any(|line| line.contains("\u{1b}[7me5\u{1b}[0m")), "{lines:?}");
            assert!(lines.iter().any(|line| line == "1... e5 · 2/2 · 0:01"), "{lines:?}");
            let keys = lines.last().unwrap();
            assert!(width(keys) <= 80 && !keys.ends_with('…'), "{keys}");
        }
    }
}
