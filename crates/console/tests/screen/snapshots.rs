//! Screens that a person has approved. `HANSU_WRITE=1` writes them again.

use std::path::PathBuf;

use hansu_words::Lang;
use ratatui::crossterm::event::KeyCode;

use super::*;

const SIZES: [(u16, u16); 4] = [(40, 20), (80, 24), (100, 30), (120, 40)];

fn compare(name: &str, shown: &str) {
    let file: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "tests", "screens", &format!("{name}.txt")].iter().collect();
    if std::env::var_os("HANSU_WRITE").is_some() {
        std::fs::write(&file, shown).expect("written");
        return;
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(kept == shown, "{name} looks different now:\n{shown}\nbefore:\n{kept}");
}

#[test]
fn a_game_looks_as_it_did() {
    for lang in Lang::ALL {
        for (width, height) in SIZES {
            let mut stage = Stage::new(lang, BARE, (width, height));
            stage.begin();
            stage.play(&["e4", "d5", "exd5", "Qxd5", "Nc3", "Qxg2", "Bxg2", "Nf6"]);
            stage.keys(&[KeyCode::Right, KeyCode::Right, KeyCode::Right, KeyCode::Enter]);
            compare(&format!("game-{lang}-{width}x{height}"), &stage.text());
        }
    }
}

#[test]
fn drawn_pieces_look_as_they_did() {
    let mut stage = Stage::new(Lang::En, COLOURS, (120, 40));
    stage.begin();
    compare("drawn-120x40", &stage.text());
    let mut stage = Stage::new(Lang::En, COLOURS, (160, 60));
    stage.begin();
    compare("drawn-160x60", &stage.text());
}

#[test]
fn a_refusal_and_a_choice_look_as_they_did() {
    for lang in Lang::ALL {
        for (width, height) in [(40, 20), (80, 24)] {
            let mut stage = Stage::new(lang, BARE, (width, height));
            stage.begin();
            stage.play(&["e4", "e6", "d4", "Bb4", "Nc3", "Nf6", "c3d5"]);
            compare(&format!("refusal-{lang}-{width}x{height}"), &stage.text());
            stage.play(&["Nf3", "d6", "Be2", "Bd7"]);
            stage.keys(&[KeyCode::Down, KeyCode::Down, KeyCode::Enter]);
            compare(&format!("castling-{lang}-{width}x{height}"), &stage.text());
        }
    }
}

#[test]
fn menus_and_help_look_as_they_did() {
    for lang in Lang::ALL {
        let mut stage = Stage::new(lang, BARE, (40, 20));
        compare(&format!("menu-{lang}"), &stage.text());
        for (row, name) in [(1, "computer"), (2, "server"), (5, "settings")] {
            stage.key(KeyCode::Home);
            stage.keys(&vec![KeyCode::Down; row]);
            stage.key(KeyCode::Enter);
            compare(&format!("{name}-{lang}"), &stage.text());
            stage.key(KeyCode::Esc);
        }
        stage.key(KeyCode::Home);
        stage.begin();
        stage.key(KeyCode::Char('?'));
        compare(&format!("help-{lang}"), &stage.text());
    }
}

#[test]
fn letters_and_ascii_stand_in_where_there_is_nothing_else() {
    let terminal = Terminal { depth: Depth::Sixteen, is_unicode: false };
    let mut stage = Stage::new(Lang::En, terminal, (80, 24));
    stage.begin();
    stage.play(&["e4", "d5", "exd5"]);
    stage.keys(&[KeyCode::Up, KeyCode::Enter]);
    let text = stage.text();
    assert!(text.is_ascii(), "{text}");
    compare("ascii-80x24", &text);
}

#[test]
fn too_small_a_window_says_so() {
    for lang in Lang::ALL {
        let mut stage = Stage::new(lang, BARE, (39, 20));
        let text = stage.text();
        assert!(text.contains("40"), "{text}");
        stage.input(Input::Terminal(Event::Resize(40, 20)));
    }
}
