//! The terminal: raw mode, which every way out restores, signals, and the event loop. The loop
//! sleeps until an event arrives.

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
use super::event::{Effect, Input, NetworkRequest, ThinkRequest};
use super::log_request::{LogRequest, answer_all};
use super::settings::Settings;

/// An event of the loop.
enum Report {
    Input(Input),
    /// SIGTSTP: suspend the process.
    Suspend,
    /// SIGCONT: the process continues, perhaps after a SIGSTOP that it could not handle.
    Resumed,
    /// A signal that ends the process, or a terminal that is gone.
    End,
}

/// Sends inputs from the helpers to the screen.
#[derive(Clone)]
pub struct Reports(Sender<Report>);

impl Reports {
    /// Sends an input to the screen. Returns false if the screen is gone.
    pub fn send(&self, input: Input) -> bool {
        self.0.send(Report::Input(input)).is_ok()
    }
}

/// What the screen cannot do itself. All are called on the screen's thread and must not block.
pub struct Helpers {
    /// Hands a question to the computer.
    pub think: Box<dyn FnMut(ThinkRequest)>,
    /// Hands a request to the network, with the number of its session.
    pub network: Box<dyn FnMut(u64, NetworkRequest)>,
    /// Saves the settings.
    pub save: Box<dyn FnMut(&Settings)>,
}

/// True while the terminal is in raw mode. Restoring it twice would put the cursor over text that was
/// written in between.
static IS_RAW: AtomicBool = AtomicBool::new(false);

/// Raw mode and the alternate screen; dropping it restores the terminal.
struct RawMode;

impl RawMode {
    fn enter() -> io::Result<RawMode> {
        enable_raw_mode()?;
        IS_RAW.store(true, Ordering::SeqCst);
        let raw = RawMode;
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

impl Drop for RawMode {
    fn drop(&mut self) {
        restore_terminal();
    }
}

/// Restores the terminal.
fn restore_terminal() {
    if !IS_RAW.swap(false, Ordering::SeqCst) {
        return;
    }
    // If the terminal is gone, nothing else can be done.
    let _ = execute!(
        io::stdout(),
        DisableBracketedPaste,
        DisableMouseCapture,
        LeaveAlternateScreen,
        cursor::Show
    );
    let _ = disable_raw_mode();
}

/// Restores the terminal before the message of a panic is printed. A panic of a helper thread prints
/// nothing: its message would be written over the board, which stays.
fn restore_terminal_before_panics(own: ThreadId) {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() == own {
            restore_terminal();
            before(info);
        }
    }));
}

/// Starts a thread that turns signals into reports.
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

/// Suspends this process, as Ctrl-Z does elsewhere. Returns when the shell resumes it.
#[cfg(unix)]
fn suspend_process() {
    let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP);
}

#[cfg(not(unix))]
fn suspend_process() {}

/// Runs the full-screen program until it ends. `helpers` creates the helpers, which report through
/// its argument; the effects `first` are carried out before any input is read.
///
/// # Errors
///
/// If the terminal cannot be used.
pub fn run(
    app: &mut App,
    first: Vec<Effect>,
    helpers: impl FnOnce(Reports) -> Helpers,
) -> io::Result<()> {
    let (sender, reports) = mpsc::channel();
    let mut helpers = helpers(Reports(sender.clone()));
    restore_terminal_before_panics(thread::current().id());
    watch_signals(sender.clone())?;
    let ask_log = start_log_thread(app, Reports(sender.clone()))?;
    let mut raw = RawMode::enter()?;
    thread::Builder::new().name("keys".to_owned()).spawn(move || {
        while let Ok(event) = event::read() {
            if sender.send(Report::Input(Input::Terminal(event))).is_err() {
                break;
            }
        }
        // An error of reading means that the terminal is gone.
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
        // All waiting reports are handled before the screen is drawn again.
        let mut report = Some(next_report(&reports, app));
        while let Some(next) = report {
            match next {
                Report::Input(input) => waiting.extend(app.input(input, now())),
                Report::Suspend => suspend(&mut raw, &mut screen, app)?,
                Report::Resumed => retake_terminal(&mut raw, &mut screen, app)?,
                Report::End => return Ok(()),
            }
            report = reports.try_recv().ok().filter(|_| waiting.is_empty());
        }
    }
}

/// Starts a thread that answers requests to the log, so that keys never wait for it.
fn start_log_thread(app: &App, reports: Reports) -> io::Result<Sender<(LogRequest, Lang)>> {
    let (sender, requests) = mpsc::channel();
    let store = app.log.clone();
    thread::Builder::new().name("log".to_owned()).spawn(move || {
        answer_all(&requests, store.as_deref(), |answer| reports.send(Input::Log(answer)));
    })?;
    Ok(sender)
}

fn next_report(reports: &Receiver<Report>, app: &App) -> Report {
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

/// Suspends the process and takes the terminal again afterwards.
fn suspend(
    raw: &mut RawMode,
    screen: &mut Screen<CrosstermBackend<Stdout>>,
    app: &mut App,
) -> io::Result<()> {
    restore_terminal();
    suspend_process();
    retake_terminal(raw, screen, app)
}

/// Takes the terminal again and redraws the whole screen.
fn retake_terminal(
    raw: &mut RawMode,
    screen: &mut Screen<CrosstermBackend<Stdout>>,
    app: &mut App,
) -> io::Result<()> {
    // The old value is not dropped: that would restore the terminal.
    std::mem::forget(std::mem::replace(raw, RawMode::enter()?));
    let size = screen.size()?;
    app.resize(size.width, size.height);
    // `Terminal::clear` would ask the terminal for its cursor position, and the thread that reads
    // keys would get the answer.
    screen.resize(Rect::new(0, 0, size.width, size.height))
}
