//! A real terminal for tests: tmux with a server of its own, gone with the test.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Timeout for a text to appear; the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(60);
/// Delay between two checks.
const LOOK: Duration = Duration::from_millis(30);

static COUNT: AtomicU32 = AtomicU32::new(0);

/// A window of a tmux.
pub(crate) struct Tmux {
    socket: String,
}

impl Tmux {
    /// Runs a command line in a window of this size, with `data` as its data folder.
    pub(crate) fn start((width, height): (u16, u16), data: &Path, line: &str) -> Tmux {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let socket = format!("hansu-{}-{number}", std::process::id());
        let tmux = Tmux { socket };
        let data = data.display();
        let settings = "LC_ALL=C.UTF-8 TERM=tmux-256color COLORTERM= NO_COLOR= PS1='$ '";
        let line = format!("env {settings} HANSU_DATA='{data}' {line}");
        let (width, height) = (width.to_string(), height.to_string());
        let new = ["-u", "-f", "/dev/null", "new-session", "-d", "-x", &width, "-y", &height];
        tmux.run(&[&new[..], &[line.as_str()]].concat());
        tmux
    }

    fn command(&self, arguments: &[&str]) -> std::process::Output {
        let mut command = Command::new("tmux");
        command.env_remove("TMUX").args(["-L", &self.socket]).args(arguments);
        command.output().expect("tmux is installed: tools/install.sh does it")
    }

    fn run(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "tmux {arguments:?}: {error}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Presses keys by their names in tmux.
    pub(crate) fn press(&self, keys: &[&str]) {
        self.run(&[&["send-keys"], keys].concat());
    }

    /// Types a text as it is.
    pub(crate) fn type_text(&self, text: &str) {
        self.run(&["send-keys", "-l", text]);
    }

    /// Types a move after a colon and waits until it is in the list.
    pub(crate) fn play(&self, text: &str) {
        self.type_text(&format!(":{text}"));
        self.press(&["Enter"]);
        self.wait_for(&format!(" {text}"));
    }

    pub(crate) fn resize(&self, width: u16, height: u16) {
        self.run(&["resize-window", "-x", &width.to_string(), "-y", &height.to_string()]);
    }

    /// The text of the window.
    pub(crate) fn text(&self) -> String {
        self.run(&["capture-pane", "-p"])
    }

    /// A variable of tmux for the window, such as `alternate_on`.
    pub(crate) fn fact(&self, name: &str) -> String {
        self.run(&["display-message", "-p", &format!("#{{{name}}}")]).trim().to_owned()
    }

    /// Waits until the window contains a text, and returns all its text.
    pub(crate) fn wait_for(&self, text: &str) -> String {
        self.wait(text, |shown| shown.contains(text))
    }

    pub(crate) fn wait(&self, what: &str, is_there: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        loop {
            let shown = self.text();
            if is_there(&shown) {
                return shown;
            }
            assert!(begun.elapsed() < PATIENCE, "{what} is not shown:\n{shown}");
            std::thread::sleep(LOOK);
        }
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        self.command(&["kill-server"]);
    }
}
