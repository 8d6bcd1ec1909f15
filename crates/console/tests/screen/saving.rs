//! Games exported to files, and a slow log.

use std::path::Path;

use hansu_chess::pgn::{GameResult, Reader, Record};
use hansu_console::screen::{LogAnswer, LogRequest};
use hansu_words::Lang;
use ratatui::crossterm::event::KeyCode;

use super::*;

/// Saves the game on the screen under a name and returns what the screen says.
fn save(stage: &mut Stage, file: &Path) -> String {
    stage.key(KeyCode::Char('s'));
    assert!(stage.text().contains("Save as: hansu"), "{}", stage.text());
    let clear = KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL);
    stage.input(Input::Terminal(Event::Key(clear)));
    stage.type_text(file.to_str().expect("text"));
    stage.key(KeyCode::Enter);
    // A long path is wrapped.
    stage.text().replace('\n', "")
}

fn read(file: &Path) -> Record {
    let text = std::fs::read_to_string(file).expect("a file");
    Reader::new(text.as_bytes()).next_game().expect("a game").expect("PGN")
}

#[test]
fn a_finished_game_is_saved_and_no_file_is_overwritten() {
    let (folder, log) = log();
    let mut stage = Stage::with_log(Lang::En, BARE, (160, 30), Some(log));
    stage.begin();
    stage.play(&["f3", "e5", "g4", "Qh4"]);
    let file = folder.path().join("mate");
    let text = save(&mut stage, &file);
    assert!(text.contains("Saved: ") && text.contains("mate.pgn"), "{text}");
    let game = read(&folder.path().join("mate.pgn"));
    assert_eq!(game.result, GameResult::BlackWins);
    assert_eq!(game.moves().count(), 4);
    assert_eq!(game.tags.value("Reason"), Some("checkmate"), "as the log knows it");
    // The same name again.
    let before = std::fs::read(folder.path().join("mate.pgn")).expect("read");
    let text = save(&mut stage, &file);
    assert!(text.contains("Not saved, there is such a file already"), "{text}");
    assert_eq!(std::fs::read(folder.path().join("mate.pgn")).expect("read"), before);
    // A folder that is not there.
    let text = save(&mut stage, &folder.path().join("none").join("x.pgn"));
    assert!(text.contains("Not saved: "), "{text}");
    // From the list of past games.
    stage.keys(&[KeyCode::Char('q'), KeyCode::Esc]);
    stage.keys(&[KeyCode::Home, KeyCode::Down, KeyCode::Down, KeyCode::Down, KeyCode::Enter]);
    stage.key(KeyCode::Enter);
    let file = folder.path().join("again.pgn");
    let text = save(&mut stage, &file);
    assert!(text.contains("Saved: "), "{text}");
    assert_eq!(std::fs::read(&file).expect("read"), before);
}

#[test]
fn a_game_that_is_not_in_the_log_is_saved_from_the_screen() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut stage = Stage::new(Lang::En, BARE, (160, 30));
    stage.key(KeyCode::Enter);
    stage.keys(&[KeyCode::Down, KeyCode::Char('M'), KeyCode::Char('n'), KeyCode::Home]);
    stage.key(KeyCode::Enter);
    stage.play(&["e4", "e5"]);
    stage.keys(&[KeyCode::Char('r'), KeyCode::Char('y')]);
    let file = folder.path().join("game.pgn");
    let text = save(&mut stage, &file);
    assert!(text.contains("Saved: "), "{text}");
    let game = read(&file);
    assert_eq!(game.result, GameResult::BlackWins);
    assert_eq!(game.tags.value("White"), Some("Mn"));
    assert_eq!(game.moves().count(), 2);
    assert!(game.tags.value("Date").is_some_and(|date| date.starts_with("20")), "{game}");
}

#[test]
fn the_name_that_is_suggested_can_be_a_name_of_a_file() {
    let mut stage = Stage::new(Lang::Ko, BARE, (160, 30));
    stage.key(KeyCode::Enter);
    stage.key(KeyCode::Down);
    stage.type_text("미나/../준");
    stage.keys(&[KeyCode::Home, KeyCode::Enter]);
    stage.key(KeyCode::Char('s'));
    let text = stage.text();
    assert!(text.contains("파일 이름: hansu-미나----준-20"), "{text}");
}

#[test]
fn keys_are_taken_while_the_log_is_being_read() {
    let (_folder, log) = log();
    let mut stage = Stage::with_log(Lang::En, BARE, (80, 24), Some(log.clone()));
    stage.begin();
    stage.play(&["f3", "e5", "g4", "Qh4"]);
    stage.keys(&[KeyCode::Char('q'), KeyCode::Esc]);
    stage.is_log_quick = false;
    stage.keys(&[KeyCode::Home, KeyCode::Down, KeyCode::Down, KeyCode::Down, KeyCode::Enter]);
    assert!(stage.text().contains("Reading …"), "{}", stage.text());
    // A search is typed before the list arrives.
    stage.type_text("/ab");
    assert!(stage.text().contains("Search: ab"), "{}", stage.text());
    let asked: Vec<LogRequest> = stage
        .effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Log(request) => Some(request.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(asked.len(), 3, "{asked:?}");
    // The first answer is too old to be shown.
    let first = asked[0].clone().answer(Some(log.as_ref()), Lang::En, stage.now);
    assert!(matches!(&first, LogAnswer::Games { games: Ok(games), .. } if games.len() == 1));
    stage.input(Input::Log(first));
    assert!(stage.text().contains("Reading …"), "{}", stage.text());
    stage.answer_log();
    assert!(stage.text().contains("No games found."), "{}", stage.text());
    // Back in the menu a late answer changes nothing.
    stage.keys(&[KeyCode::Esc]);
    let late = stage.effects.pop();
    stage.keys(&[KeyCode::Esc]);
    let menu = stage.text();
    if let Some(Effect::Log(request)) = late {
        stage.input(Input::Log(request.answer(Some(log.as_ref()), Lang::En, stage.now)));
    }
    assert_eq!(stage.text(), menu);
    // Statistics come later, too.
    stage.effects.clear();
    stage.keys(&[KeyCode::Down, KeyCode::Enter]);
    assert!(stage.text().contains("Reading …"), "{}", stage.text());
    stage.answer_log();
    assert!(stage.text().contains("1 game"), "{}", stage.text());
}
