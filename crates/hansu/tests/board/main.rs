//! `hansu board` in a real terminal: games, servers that stop, and a terminal that is always
//! restored.

#![cfg(unix)]

mod restored;
mod tmux;

use std::process::Command;

use hansu_ground::process::Process;
use tmux::Tmux;

const HANSU: &str = env!("CARGO_BIN_EXE_hansu");

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

#[test]
fn a_game_for_two_is_played_to_mate_and_is_in_the_log() {
    let data = folder();
    let board = Tmux::start((80, 24), data.path(), &format!("{HANSU} board --lang en"));
    board.wait_for("Two players here");
    board.press(&["Enter"]);
    board.wait_for("White's name");
    board.press(&["Enter"]);
    board.wait_for("White to move.");
    for step in ["f3", "e5", "g4", "Qh4"] {
        board.play(step);
    }
    board.wait_for("Black wins by checkmate");
    board.press(&["q"]);
    board.wait_for("Begin");
    let listed = Command::new(HANSU)
        .args(["games", "list", "--lang", "en", "--data"])
        .arg(data.path())
        .output()
        .expect("hansu games list");
    let text = String::from_utf8_lossy(&listed.stdout);
    assert!(text.contains("0-1"), "{text}");
}

#[test]
fn a_typed_move_is_explained_and_a_past_game_is_found_and_saved() {
    let data = folder();
    let board = Tmux::start((160, 30), data.path(), &format!("{HANSU} board --lang en"));
    board.wait_for("Two players here");
    board.press(&["Enter", "Down"]);
    board.wait_for("White's name");
    board.type_text("Mina");
    board.press(&["Home", "Enter"]);
    board.wait_for("White to move.");
    for step in ["e4", "e6", "d4", "Bb4", "Nc3", "Nf6"] {
        board.play(step);
    }
    board.type_text(":Nd5");
    board.press(&["Enter"]);
    board.wait_for("The knight on c3 is pinned by the bishop on b4");
    board.press(&["r"]);
    board.wait_for("Resign this game?");
    board.press(&["y"]);
    board.wait_for("Black wins by resignation");
    board.press(&["q"]);
    board.wait_for("Begin");
    board.press(&["Escape"]);
    board.wait_for("Two players here");
    board.press(&["Home", "Down", "Down", "Down", "Enter"]);
    board.wait_for("Mina");
    board.type_text("/nobody");
    board.wait_for("No games found.");
    board.press(&["Escape"]);
    board.wait_for("Mina");
    board.press(&["Enter"]);
    board.wait_for("Start · 0/6");
    let file = data.path().join("saved.pgn");
    for answer in ["Saved: ", "Not saved, there is such a file already"] {
        board.type_text("s");
        board.wait_for("Save as: hansu-Mina");
        board.press(&["C-u"]);
        board.type_text(&file.display().to_string());
        board.press(&["Enter"]);
        board.wait_for(answer);
    }
    let text = std::fs::read_to_string(&file).expect("the file");
    assert!(text.contains("[White \"Mina\"]") && text.contains("3. Nc3 Nf6 0-1"), "{text}");
}

#[test]
fn the_computer_answers_and_every_size_is_drawn() {
    let data = folder();
    let line = format!("{HANSU} board --lang ko --computer 1 --name 미나");
    let board = Tmux::start((120, 40), data.path(), &line);
    board.wait_for("둘 차례예요.");
    board.play("e4");
    board.wait("the computer's move", |shown| {
        let row = shown.lines().find_map(|line| line.split_once("1.  e4"));
        row.is_some_and(|(_, rest)| !rest.trim().is_empty())
    });
    for (width, height) in [(40, 20), (200, 60), (39, 10), (80, 24)] {
        board.resize(width, height);
        let expected = if width < 40 { "40" } else { "미나" };
        board.wait_for(expected);
    }
}

#[test]
fn two_terminals_play_over_a_server_that_is_killed_and_comes_back() {
    let (at_server, mina, jun) = (folder(), folder(), folder());
    let mut server = Process::start(HANSU, at_server.path(), "warn");
    let address = server.at;
    let line = format!("{HANSU} invite http://{address} --name Mina --color white --lang en");
    let white = Tmux::start((100, 30), mina.path(), &line);
    let shown = white.wait_for("/join/");
    // The link may be broken over two lines; a wide window shows it whole.
    let link = shown.split_whitespace().find(|word| word.contains("/join/")).expect("a link");
    let line = format!("{HANSU} join {link} --name 준 --lang ko");
    let black = Tmux::start((60, 24), jun.path(), &line);
    white.wait_for("Your move.");
    white.play("e4");
    black.wait_for("둘 차례예요.");
    black.play("e5");
    white.wait_for(" e5");
    // Chat with Hangul.
    black.type_text("m");
    black.wait_for("채팅:");
    black.type_text("안녕하세요");
    black.press(&["Enter"]);
    white.wait_for("준: 안녕하세요");
    // The server is killed; White moves meanwhile, and the move arrives.
    server.signal("-KILL");
    let _ = server.child.wait();
    white.wait_for("The connection is gone.");
    white.type_text(":Nf3");
    white.press(&["Enter"]);
    let mut command = Command::new(HANSU);
    command.args(["serve", "--listen", &address.to_string(), "--data"]).arg(at_server.path());
    command.env("LANG", "en_US.UTF-8");
    let _server = Process::spawn(command);
    black.wait_for(" Nf3");
    black.wait_for("둘 차례예요.");
    // Black's terminal is closed and finds its seat again with the same link.
    drop(black);
    let black = Tmux::start((80, 24), jun.path(), &line);
    black.wait_for("둘 차례예요.");
    black.play("Nc6");
    white.wait_for(" Nc6");
    white.press(&["r"]);
    white.wait_for("Resign this game?");
    white.press(&["y"]);
    black.wait_for("기권");
    // And again.
    black.press(&["p"]);
    white.wait_for("The other side offers: rematch.");
    white.press(&["y"]);
    black.wait_for("둘 차례예요.");
    black.play("d4");
    white.wait_for(" d4");
}

#[test]
fn two_terminals_meet_in_the_lobby() {
    let (at_server, mina, jun) = (folder(), folder(), folder());
    let server = Process::start(HANSU, at_server.path(), "warn");
    let open = |data: &tempfile::TempDir, name: &str| {
        let board =
            Tmux::start((80, 24), data.path(), &format!("{HANSU} board --lang en --name {name}"));
        board.wait_for("A game on a server");
        board.press(&["Down", "Down", "Enter"]);
        board.wait_for("Link or address");
        board.type_text(&format!("http://{}", server.at));
        board.press(&["End", "Up", "Enter"]);
        board
    };
    let one = open(&mina, "Mina");
    one.wait_for("No one is looking for a game right now.");
    one.press(&["s"]);
    one.wait_for("Looking for an opponent.");
    let two = open(&jun, "Jun");
    two.wait_for("Mina");
    two.press(&["Enter"]);
    one.wait_for(" – ");
    two.wait_for(" – ");
    let is_white = |board: &Tmux| {
        board
            .wait("a turn", |shown| shown.contains("Your move.") || shown.contains("to move."))
            .contains("Your move.")
    };
    let (white, black) = if is_white(&one) { (&one, &two) } else { (&two, &one) };
    white.play("e4");
    black.wait_for(" e4");
}

#[test]
fn a_pipe_is_told_that_a_board_needs_a_terminal() {
    let output = Command::new(HANSU).args(["board", "--lang", "en"]).output().expect("hansu board");
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("the board needs a terminal"), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
}
