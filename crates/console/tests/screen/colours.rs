//! The colours of the board, in each depth.

use hansu_words::Lang;
use ratatui::crossterm::event::KeyCode;
use ratatui::style::Color;

use super::*;

/// The background of a square's tile at 80×24: tiles are five columns and two lines.
fn paper(buffer: &Buffer, file: u16, rank: u16) -> Color {
    buffer[(2 + 5 * file, 1 + 2 * (8 - rank))].bg
}

fn stage(depth: Depth) -> Stage {
    let mut stage = Stage::new(Lang::En, Terminal { depth, is_unicode: true }, (80, 24));
    stage.begin();
    stage
}

#[test]
fn targets_are_pink_and_a_mated_king_is_red() {
    let mut stage = stage(Depth::True);
    stage.keys(&[KeyCode::Up, KeyCode::Enter]);
    let buffer = stage.buffer();
    assert_eq!(paper(&buffer, 4, 4), Color::Rgb(0xf7, 0xa8, 0xc4), "e4 is light");
    assert_eq!(paper(&buffer, 4, 3), Color::Rgb(0xe8, 0x8d, 0xae), "e3 is dark");
    assert_eq!(paper(&buffer, 4, 5), Color::Rgb(0xa9, 0x8a, 0x66), "e5 is dark");
    stage.key(KeyCode::Esc);
    stage.play(&["f3", "e5", "g4", "Qh4"]);
    let buffer = stage.buffer();
    assert_eq!(paper(&buffer, 4, 1), Color::Rgb(0xd6, 0x45, 0x45));
    assert_eq!(paper(&buffer, 7, 4), Color::Rgb(0xd8, 0xb9, 0x5a), "the last move");
}

#[test]
fn every_depth_uses_only_colours_that_it_has() {
    for depth in Depth::ALL {
        let mut stage = stage(depth);
        stage.keys(&[KeyCode::Up, KeyCode::Enter]);
        for cell in stage.buffer().content() {
            for colour in [cell.fg, cell.bg] {
                let fits = match colour {
                    Color::Reset => true,
                    Color::Rgb(..) => depth == Depth::True,
                    Color::Indexed(_) => depth == Depth::Many,
                    _ => depth == Depth::Sixteen,
                };
                assert!(fits, "{colour:?} in {depth:?}");
            }
        }
    }
}

#[test]
fn without_colours_the_signs_say_the_same() {
    let mut bare = stage(Depth::None);
    let mut coloured = stage(Depth::Many);
    for stage in [&mut bare, &mut coloured] {
        stage.play(&["e4", "d5"]);
        stage.keys(&[KeyCode::Up, KeyCode::Up, KeyCode::Up, KeyCode::Enter]);
    }
    // Without colours, empty dark tiles have a dot.
    let signs = |text: String| -> Vec<String> {
        text.lines().map(|line| line.replace('·', " ").trim_end().to_owned()).collect()
    };
    assert_eq!(signs(bare.text()), signs(coloured.text()));
    assert!(bare.text().contains("(♟)"), "{}", bare.text());
}
