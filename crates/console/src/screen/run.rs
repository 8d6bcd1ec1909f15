//! The terminal: raw mode and back whatever happens, signals, and the loop between them. Nothing
//! here runs while nothing happens.

use std::io::{self, Stdout, Write as _};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, ThreadId};

use hansu_journal::now;
use hansu_words::Lang;
use ratatui::Terminal as Screen;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute};
use ratatui::layout::Rect;

use super::app::App;
use super::event::{Effect, Input, NetworkRequest, Thinking};
use super::reading::{LogRequest, answer_all};
use super::settings::Settings;

/// What comes to the loop.
enum Report {
    Input(Input),
    /// The process was asked to stop for a while.
    Suspend,
    /// The process goes on after a stop that it could not prepare for.
    Resumed,
    /// The process was asked to end.
    End,
}

/// A way for helpers to report to the screen.
#[derive(Clone)]
pub struct Reports(Sender<Report>);

impl Reports {
    /// Tells the screen; false when it is gone.
    pub fn tell(&self, input: Input) -> bool {
        self.0.send(Report::Input(input)).is_ok()
    }
}

/// What the screen cannot do itself. Both are called on the screen's thread and must not wait.
pub struct Helpers {
    /// Hands a question to the computer.
    pub think: Box<dyn FnMut(Thinking)>,
    /// Hands a request to the network, with its session.
    pub network: Box<dyn FnMut(u64, NetworkRequest)>,
    /// Keeps settings.
    pub save: Box<dyn FnMut(&Settings)>,
}

/// True while the terminal is ours: to give it back twice would put the cursor over what was
/// written in between.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// Raw mode, until it is dropped.
struct Raw;

impl Raw {
    fn enter() -> io::Result<Raw> {
        enable_raw_mode()?;
        IS_TAKEN.store(true, Ordering::SeqCst);
        let raw = Raw;
        execute!(
            io::stdout(),
            EnterAlternateScreen,
            EnableMouseCapture,
            EnableBracketedPaste,
            cursor::Hide
        )?;
        Ok(raw)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        give_back();
    }
}

/// Leaves the terminal as it was.
fn give_back() {
    if !IS_TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    // There is nothing else to try when the terminal is gone.
    let _ = execute!(
        io::stdout(),
        DisableBracketedPaste,
        DisableMouseCapture,
        LeaveAlternateScreen,
        cursor::Show
    );
    let _ = disable_raw_mode();
}

/// A panic is told on a terminal that can show it. One of a helper thread is not shown at all: it
/// would be written over the board, which goes on.
fn give_back_before_panics(own: ThreadId) {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() == own {
            give_back();
            before(info);
        }
    }));
}

/// Signals of the system, as reports.
#[cfg(unix)]
fn watch_signals(reports: Sender<Report>) -> io::Result<()> {
    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP};
    use signal_hook::iterator::Signals;
    let mut signals = Signals::new([SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP])?;
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            let report = match signal {
                SIGTSTP => Report::Suspend,
                SIGCONT => Report::Resumed,
                _ => Report::End,
            };
            if reports.send(report).is_err() {
                break;
            }
        }
    })?;
    Ok(())
}

#[cfg(not(unix))]
fn watch_signals(_: Sender<Report>) -> io::Result<()> {
    Ok(())
}

/// Stops this process as Ctrl-Z does elsewhere; returns when the shell says `fg`.
#[cfg(unix)]
fn stop() {
    let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP);
}

#[cfg(not(unix))]
fn stop() {}

/// Shows the program until it is left. `helpers` makes what the screen cannot do itself, from a
/// way to report; `first` are effects that are carried out before anything is read.
///
/// # Errors
///
/// When the terminal cannot be used.
pub fn run(
    app: &mut App,
    first: Vec<Effect>,
    helpers: impl FnOnce(Reports) -> Helpers,
) -> io::Result<()> {
    let (sender, reports) = mpsc::channel();
    let mut helpers = helpers(Reports(sender.clone()));
    give_back_before_panics(thread::current().id());
    watch_signals(sender.clone())?;
    let ask_log = log_reader(app, Reports(sender.clone()))?;
    let mut raw = Raw::enter()?;
    thread::Builder::new().name("keys".to_owned()).spawn(move || {
        while let Ok(event) = event::read() {
            if sender.send(Report::Input(Input::Terminal(event))).is_err() {
                break;
            }
        }
        // A terminal that cannot be read is gone.
        let _ = sender.send(Report::End);
    })?;
    let mut screen = Screen::new(CrosstermBackend::new(io::stdout()))?;
    let size = screen.size()?;
    app.resize(size.width, size.height);
    let mut waiting = first;
    loop {
        for effect in std::mem::take(&mut waiting) {
            match effect {
                Effect::Quit => return Ok(()),
                Effect::Suspend => suspend(&mut raw, &mut screen, app)?,
                Effect::Bell => ring()?,
                Effect::Think(thinking) => (helpers.think)(*thinking),
                Effect::Network { session, request } => (helpers.network)(session, request),
                Effect::Save(settings) => (helpers.save)(&settings),
                Effect::Log(request) => {
                    let _ = ask_log.send((request, app.lang()));
                }
            }
        }
        draw(&mut screen, app)?;
        // All that has come meanwhile is taken before the screen is drawn again.
        let mut report = Some(next(&reports, app));
        while let Some(next) = report {
            match next {
                Report::Input(input) => waiting.extend(app.input(input, now())),
                Report::Suspend => suspend(&mut raw, &mut screen, app)?,
                Report::Resumed => restore(&mut raw, &mut screen, app)?,
                Report::End => return Ok(()),
            }
            report = reports.try_recv().ok().filter(|_| waiting.is_empty());
        }
    }
}

/// A thread that asks the log, so that keys never wait for it.
fn log_reader(app: &App, reports: Reports) -> io::Result<Sender<(LogRequest, Lang)>> {
    let (sender, requests) = mpsc::channel();
    let store = app.log.clone();
    thread::Builder::new().name("log".to_owned()).spawn(move || {
        answer_all(&requests, store.as_deref(), |answer| reports.tell(Input::Log(answer)));
    })?;
    Ok(sender)
}

fn next(reports: &Receiver<Report>, app: &App) -> Report {
    let report = match app.next_tick(now()) {
        Some(wait) => reports.recv_timeout(wait),
        None => reports.recv().map_err(|_| RecvTimeoutError::Disconnected),
    };
    match report {
        Ok(report) => report,
        Err(RecvTimeoutError::Timeout) => Report::Input(Input::Tick),
        Err(RecvTimeoutError::Disconnected) => Report::End,
    }
}

fn draw(screen: &mut Screen<CrosstermBackend<Stdout>>, app: &App) -> io::Result<()> {
    screen.draw(|frame| {
        if let Some((x, y)) = app.draw(frame.buffer_mut(), now()) {
            frame.set_cursor_position((x, y));
        }
    })?;
    Ok(())
}

fn ring() -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(b"\x07")?;
    out.flush()
}

/// To the shell and back.
fn suspend(
    raw: &mut Raw,
    screen: &mut Screen<CrosstermBackend<Stdout>>,
    app: &mut App,
) -> io::Result<()> {
    give_back();
    stop();
    restore(raw, screen, app)
}

/// Takes the terminal again and draws everything anew.
fn restore(
    raw: &mut Raw,
    screen: &mut Screen<CrosstermBackend<Stdout>>,
    app: &mut App,
) -> io::Result<()> {
    // The old one is not dropped: that would give the terminal back.
    std::mem::forget(std::mem::replace(raw, Raw::enter()?));
    let size = screen.size()?;
    app.resize(size.width, size.height);
    // Clearing would ask the terminal where its cursor is, and the answer would go to the thread
    // that reads keys.
    screen.resize(Rect::new(0, 0, size.width, size.height))
}
