//! The terminal is restored after every way out of the board.

use hansu_console::Depth;
use hansu_console::screen::{App, Effect, Helpers, Settings, Terminal, run};
use hansu_words::Lang;

use super::*;

/// A shell in a terminal, in which a board was opened.
fn shell(data: &tempfile::TempDir, line: &str) -> Tmux {
    let shell = Tmux::start((80, 24), data.path(), "sh");
    shell.wait_for("$");
    shell.type_text(line);
    shell.press(&["Enter"]);
    shell
}

fn open_board(data: &tempfile::TempDir) -> Tmux {
    let shell = shell(data, &format!("{HANSU} board --lang en"));
    shell.wait_for("Two players here");
    assert_eq!(shell.fact("alternate_on"), "1");
    shell
}

/// Waits for the prompt: characters that are typed earlier may be lost with the old terminal modes.
fn wait_for_prompt(shell: &Tmux) {
    shell.wait("the prompt", |shown| {
        shown.lines().rev().find(|line| !line.trim().is_empty()).is_some_and(|it| it.trim() == "$")
    });
}

/// Asserts that the terminal echoes and reads line by line, and that screen and mouse are restored.
fn is_as_before(shell: &Tmux) {
    wait_for_prompt(shell);
    // Typed characters are seen only where the terminal echoes.
    shell.type_text("stty -a | tr ' ' '\\n' | grep -x -e icanon -e echo -e isig; echo mode-told");
    shell.press(&["Enter"]);
    let shown = shell.wait("the modes", |shown| shown.lines().any(|line| line == "mode-told"));
    wait_for_prompt(shell);
    for mode in ["icanon", "echo", "isig"] {
        assert!(shown.lines().any(|line| line.trim_end_matches(';') == mode), "{mode}: {shown}");
    }
    assert_eq!(shell.fact("alternate_on"), "0");
    assert_eq!(shell.fact("mouse_any_flag"), "0");
    assert_eq!(shell.fact("cursor_flag"), "1");
}

#[test]
fn after_leaving_by_the_menu_and_by_ctrl_c() {
    for key in ["q", "C-c"] {
        let data = folder();
        let shell = open_board(&data);
        shell.press(&[key]);
        is_as_before(&shell);
    }
}

#[test]
fn after_signals_that_end_a_program() {
    for signal in ["TERM", "HUP", "INT"] {
        let data = folder();
        let shell = open_board(&data);
        let shell_id = shell.fact("pane_pid");
        // The board is the only child of the shell that tmux runs.
        let kill = format!("-{signal}");
        let killed = Command::new("pkill").args([kill.as_str(), "-P", &shell_id]).status();
        assert!(killed.expect("pkill").success());
        is_as_before(&shell);
    }
}

#[test]
fn while_it_is_suspended_and_the_board_comes_back() {
    let data = folder();
    let shell = open_board(&data);
    shell.press(&["Enter"]);
    shell.wait_for("White's name");
    shell.press(&["Enter"]);
    shell.wait_for("White to move.");
    shell.play("e4");
    shell.press(&["C-z"]);
    is_as_before(&shell);
    shell.type_text("fg");
    shell.press(&["Enter"]);
    shell.wait_for("Black to move.");
    assert_eq!(shell.fact("alternate_on"), "1");
    shell.play("e5");
    shell.press(&["C-c"]);
    wait_for_prompt(&shell);
}

/// Not a test by itself: the next test runs it in a terminal.
#[test]
#[ignore = "panics, in a terminal of another test"]
fn a_board_that_panics() {
    let terminal = Terminal { depth: Depth::Many, is_unicode: true };
    let settings = Settings::new(Lang::En);
    let mut app = App::new(settings.clone(), terminal, None, "test");
    let helpers = |_| Helpers {
        think: Box::new(drop),
        network: Box::new(|_, _| ()),
        save: Box::new(|_| panic!("on purpose")),
    };
    let _ = run(&mut app, vec![Effect::Save(settings)], helpers);
}

#[test]
fn after_a_panic_which_is_told() {
    let data = folder();
    let own = std::env::current_exe().expect("this program");
    // Without a backtrace the whole message fits the window.
    let line = format!(
        "RUST_BACKTRACE=0 {} --exact restored::a_board_that_panics --ignored --nocapture",
        own.display()
    );
    let shell = shell(&data, &line);
    let shown = shell.wait_for("test result: FAILED");
    assert!(shown.contains("on purpose"), "{shown}");
    is_as_before(&shell);
}
