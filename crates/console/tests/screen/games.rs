//! Whole games for two and against the computer, stored in the log.

use hansu_console::screen::{Effect, Input, Question};
use hansu_play::{Command, Offer};
use hansu_records::{Filter, Page, Status};
use hansu_words::Lang;
use ratatui::crossterm::event::KeyCode;

use super::*;

#[test]
fn a_game_for_two_is_played_to_mate_and_kept() {
    let (_folder, log) = log();
    let mut stage = Stage::with_log(Lang::En, BARE, (80, 24), Some(log.clone()));
    stage.begin();
    assert_eq!(log.count(&Filter::default()).expect("counted"), 0, "nothing is kept unplayed");
    stage.play(&["f3", "e5", "g4", "Qh4"]);
    let text = stage.text();
    assert!(text.contains("Black wins by checkmate"), "{text}");
    assert!(text.contains("#♔#"), "the mated king is marked: {text}");
    assert!(text.contains("Qh4#"), "{text}");
    let games = log.list(&Filter::default(), &Page::default()).expect("listed").games;
    assert_eq!(games.len(), 1);
    assert_eq!(games[0].summary.status, Status::Finished);
    assert_eq!(games[0].summary.score.to_string(), "0-1");
    assert_eq!(games[0].summary.source.to_string(), "terminal");
    // Play again.
    stage.key(KeyCode::Char('p'));
    assert!(stage.text().contains("White to move."));
}

#[test]
fn a_game_that_was_left_is_gone_on_with() {
    let (_folder, log) = log();
    let mut stage = Stage::with_log(Lang::En, BARE, (80, 24), Some(log.clone()));
    stage.begin();
    stage.play(&["e4", "e5"]);
    stage.keys(&[KeyCode::Char('q'), KeyCode::Char('y')]);
    stage.keys(&[KeyCode::Esc]);
    let text = stage.text();
    assert!(text.contains("Continue the last game"), "{text}");
    let mut again = Stage::with_log(Lang::En, BARE, (80, 24), Some(log));
    again.key(KeyCode::Enter);
    let text = again.text();
    assert!(text.contains("1.  e4") && text.contains("e5"), "{text}");
    again.play(&["Nf3"]);
    assert!(again.text().contains("2.  Nf3"));
}

#[test]
fn the_same_game_in_two_windows_does_not_split() {
    let (_folder, log) = log();
    let mut one = Stage::with_log(Lang::En, BARE, (80, 24), Some(log.clone()));
    one.begin();
    one.play(&["e4"]);
    let mut two = Stage::with_log(Lang::En, BARE, (80, 24), Some(log));
    two.key(KeyCode::Enter);
    two.play(&["d5"]);
    one.play(&["e5"]);
    let text = one.text();
    assert!(text.contains("continued in another window"), "{text}");
    assert!(text.contains("d5"), "{text}");
    one.play(&["exd5"]);
    assert!(one.text().contains("2.  exd5"), "{}", one.text());
}

#[test]
fn a_refusal_says_why_and_marks_the_proof() {
    let mut stage = Stage::new(Lang::En, BARE, (80, 24));
    stage.begin();
    stage.play(&["e4", "e6", "d4", "Bb4", "Nc3", "Nf6", "c3d5"]);
    let text = stage.text();
    assert!(text.contains("The knight on c3 is pinned by the bishop on b4"), "{text}");
    assert!(text.contains("!♝!"), "{text}");
    // The next key on the board clears it.
    stage.keys(&[KeyCode::Esc]);
    assert!(!stage.text().contains('!'));
}

#[test]
fn a_typed_move_that_is_not_legal_is_told_why() {
    let mut stage = Stage::new(Lang::En, BARE, (80, 24));
    stage.begin();
    stage.play(&["Ke3"]);
    let text = stage.text();
    assert!(text.contains("The king on e1 does not move like that"), "{text}");
    stage.play(&["e2e5"]);
    assert!(stage.text().contains("pawn"), "{}", stage.text());
    stage.play(&["e4", "e6", "d4", "Bb4", "Nc3", "Nf6", "Nd5"]);
    let text = stage.text();
    assert!(text.contains("The knight on c3 is pinned by the bishop on b4"), "{text}");
    assert!(text.contains("!♝!"), "the proof is marked: {text}");
    stage.play(&["Rd3"]);
    assert!(stage.text().contains("rook"), "{}", stage.text());
    stage.play(&["O-O-O"]);
    assert!(stage.text().contains("d1"), "{}", stage.text());
    stage.play(&["xyz"]);
    assert!(stage.text().contains("Moves look like"), "{}", stage.text());
    let mut stage = Stage::new(Lang::Ko, BARE, (80, 24));
    stage.begin();
    stage.play(&["e4", "e6", "d4", "비b4", "nc3", "나f6", "나d5"]);
    let text = stage.text();
    assert!(text.contains("나이트(c3)"), "{text}");
    stage.play(&["a3", "비xc3", "bxc3", "a6", "Bb4"]);
    assert!(stage.text().contains("비숍"), "{}", stage.text());
}

#[test]
fn castling_is_offered_to_both_sides_and_a_choice_castles() {
    let mut stage = Stage::new(Lang::En, BARE, (80, 24));
    stage.begin();
    let moves = ["Nf3", "Nf6", "g3", "g6", "Bg2", "Bg7", "Nc3", "Nc6", "d4", "d5", "Bf4", "Bf5"];
    stage.play(&moves);
    stage.play(&["Qd2", "Qd7"]);
    // The king: the cursor is on e2 at first.
    stage.keys(&[KeyCode::Down, KeyCode::Down, KeyCode::Enter]);
    let text = stage.text();
    assert!(text.contains("The king can castle. Which way?"), "{text}");
    assert!(
        text.contains("1 LEFT") && text.contains("2 RIGHT") && text.contains("3 CANCEL"),
        "{text}"
    );
    stage.key(KeyCode::Char('3'));
    assert!(!stage.text().contains("LEFT"));
    stage.keys(&[KeyCode::Enter, KeyCode::Char('1')]);
    let text = stage.text();
    assert!(text.contains("O-O-O"), "{text}");
}

#[test]
fn a_pawn_that_arrives_asks_what_it_becomes() {
    let mut stage = Stage::new(Lang::En, BARE, (80, 24));
    stage.begin();
    stage.play(&["a4", "b5", "axb5", "a6", "bxa6", "Bb7", "axb7", "Nc6", "b7a8"]);
    let text = stage.text();
    assert!(text.contains("What shall the pawn become?"), "{text}");
    for name in ["queen", "rook", "bishop", "knight", "CANCEL"] {
        assert!(text.contains(name), "{text}");
    }
    stage.keys(&[KeyCode::Right, KeyCode::Enter]);
    assert!(stage.text().contains("bxa8=R"), "{}", stage.text());
}

#[test]
fn the_mouse_clicks_and_drags() {
    use ratatui::crossterm::event::{MouseButton, MouseEventKind};
    let mut stage = Stage::new(Lang::En, BARE, (80, 24));
    stage.begin();
    // Tiles are five columns and two lines; a8 begins at column 2, line 1.
    let at = |file: u16, rank: u16| (2 + 5 * file + 2, 1 + 2 * (8 - rank));
    stage.click(at(4, 2));
    assert!(stage.text().contains('•'), "{}", stage.text());
    stage.click(at(4, 4));
    assert!(stage.text().contains("1.  e4"), "{}", stage.text());
    stage.mouse(MouseEventKind::Down(MouseButton::Left), at(3, 7));
    stage.mouse(MouseEventKind::Drag(MouseButton::Left), at(3, 6));
    stage.mouse(MouseEventKind::Up(MouseButton::Left), at(3, 5));
    assert!(stage.text().contains("d5"), "{}", stage.text());
}

#[test]
fn a_korean_keyboard_that_was_left_on_types_moves_as_well() {
    let mut stage = Stage::new(Lang::Ko, BARE, (80, 24));
    stage.begin();
    for c in ['ㄷ', '2', 'ㄷ', '4'] {
        stage.key(KeyCode::Char(c));
    }
    stage.key(KeyCode::Enter);
    assert!(stage.text().contains("1.  e4"), "{}", stage.text());
}

#[test]
fn h_moves_the_cursor_and_begins_moves_of_the_h_file() {
    let mut stage = Stage::new(Lang::En, BARE, (80, 24));
    stage.begin();
    for text in ["h4", "g5", "hxg5", "h5", "gxh6"] {
        stage.type_text(text);
        stage.key(KeyCode::Enter);
    }
    let text = stage.text();
    assert!(["1.  h4", "2.  hxg5", "3.  gxh6"].iter().all(|seen| text.contains(seen)), "{text}");
}

#[test]
fn only_h_right_before_a_digit_begins_a_move() {
    let mut stage = Stage::new(Lang::En, BARE, (80, 24));
    stage.begin();
    // The first key shows the cursor on e2, then it goes to d2, d3 and c3.
    stage.type_text("hhk");
    stage.key(KeyCode::Left);
    stage.type_text("4");
    stage.type_text("h,4");
    assert!(!stage.text().contains("h4"), "{}", stage.text());
    stage.type_text(".ll");
    // From d3 back to d2, and from there to c2; the digit takes the cursor back to d2.
    stage.type_text("jh4");
    assert!(stage.text().contains("h4"), "{}", stage.text());
    stage.keys(&[KeyCode::Esc, KeyCode::Enter, KeyCode::Up, KeyCode::Up, KeyCode::Enter]);
    assert!(stage.text().contains("1.  d4"), "{}", stage.text());
}

#[test]
fn clocks_run_and_a_flag_falls() {
    let mut stage = Stage::new(Lang::En, BARE, (80, 24));
    // The form for two: the clock is the fourth row, one minute its first.
    stage.key(KeyCode::Enter);
    stage.keys(&[KeyCode::Down, KeyCode::Down, KeyCode::Down, KeyCode::Right, KeyCode::Home]);
    stage.key(KeyCode::Enter);
    assert!(stage.text().contains("1:00"), "{}", stage.text());
    stage.play(&["e4", "e5"]);
    // The first move of each side is free, then White's clock runs.
    assert!(stage.app.next_tick(stage.now).is_some());
    stage.now = stage.now.plus(hansu_play::Millis::seconds(30));
    assert!(stage.text().contains("0:30"), "{}", stage.text());
    stage.now = stage.now.plus(hansu_play::Millis::seconds(25));
    assert!(stage.text().contains("0:05.0"), "{}", stage.text());
    stage.now = stage.now.plus(hansu_play::Millis::seconds(10));
    stage.input(Input::Tick);
    let text = stage.text();
    assert!(text.contains("Black wins on time"), "{text}");
    assert_eq!(stage.app.next_tick(stage.now), None, "nothing runs after the end");
}

#[test]
fn an_untimed_game_and_the_menu_never_wake_up() {
    let mut stage = Stage::new(Lang::En, BARE, (80, 24));
    assert_eq!(stage.app.next_tick(stage.now), None);
    stage.begin();
    stage.play(&["e4"]);
    assert_eq!(stage.app.next_tick(stage.now), None);
}

/// Answers for the computer: a fixed move for each position.
fn answer(stage: &mut Stage, moves: &[(&str, &str)]) {
    while let Some(at) = stage.effects.iter().position(|e| matches!(e, Effect::Think(_))) {
        let Effect::Think(thinking) = stage.effects.remove(at) else { return };
        let command = match thinking.question {
            Question::Draw => Command::Decline { what: Offer::Draw },
            Question::Move => {
                let game = thinking.state.game();
                let last = game.moves().last().map(|step| step.uci(game.variant()).to_string());
                let found = moves.iter().find(|(before, _)| Some(*before) == last.as_deref());
                let uci = found.expect("an answer").1.parse().expect("a move");
                Command::Move { uci }
            }
        };
        stage.input(Input::Thought {
            game: thinking.game,
            seq: thinking.seq,
            command: Some(command),
        });
    }
}

#[test]
fn the_computer_answers_takes_back_and_declines_a_draw() {
    let (_folder, log) = log();
    let mut stage = Stage::with_log(Lang::En, BARE, (80, 24), Some(log.clone()));
    stage.keys(&[KeyCode::Down, KeyCode::Enter, KeyCode::Enter]);
    assert!(stage.text().contains("Squirrel"), "{}", stage.text());
    stage.play(&["e4"]);
    assert!(stage.text().contains("The computer is thinking."), "{}", stage.text());
    // A planned move, while the computer thinks.
    stage.play(&["d2d4"]);
    assert!(stage.text().contains("as soon as it is your turn"), "{}", stage.text());
    answer(&mut stage, &[("e2e4", "e7e5"), ("d2d4", "e5d4")]);
    let text = stage.text();
    assert!(text.contains("2.  d4") && text.contains("exd4"), "{text}");
    stage.key(KeyCode::Char('o'));
    answer(&mut stage, &[]);
    assert!(stage.text().contains("Declined: draw."), "{}", stage.text());
    stage.key(KeyCode::Char('u'));
    let text = stage.text();
    assert!(text.contains("Moves were taken back.") && !text.contains("2.  d4"), "{text}");
    let games = log.list(&Filter::default(), &Page::default()).expect("listed").games;
    assert_eq!(games[0].summary.source.to_string(), "computer");
}

#[test]
fn a_thought_about_an_older_position_is_not_played() {
    let mut stage = Stage::new(Lang::En, BARE, (80, 24));
    stage.keys(&[KeyCode::Down, KeyCode::Enter, KeyCode::Enter]);
    stage.play(&["e4"]);
    let thought = stage.effects.iter().find_map(|effect| match effect {
        Effect::Think(thinking) => Some((thinking.game, thinking.seq)),
        _ => None,
    });
    let (game, seq) = thought.expect("asked");
    stage.key(KeyCode::Char('u'));
    let command = Some(Command::Move { uci: "e7e5".parse().expect("a move") });
    stage.input(Input::Thought { game, seq, command: command.clone() });
    assert!(!stage.text().contains("e5"), "{}", stage.text());
    // Nor is one about another game.
    stage.keys(&[KeyCode::Char('q'), KeyCode::Char('y'), KeyCode::Enter]);
    stage.play(&["d4"]);
    stage.input(Input::Thought { game, seq, command });
    assert!(!stage.text().contains("e5"), "{}", stage.text());
}

#[test]
fn the_bell_rings_for_the_other_side_and_only_if_wanted() {
    for is_wanted in [false, true] {
        let mut settings = Settings::new(Lang::En);
        settings.bell = is_wanted;
        let mut stage = Stage::new(Lang::En, BARE, (80, 24));
        stage.app = App::new(settings, BARE, None, "test");
        stage.keys(&[KeyCode::Down, KeyCode::Enter, KeyCode::Enter]);
        stage.play(&["e4"]);
        assert!(!stage.effects.contains(&Effect::Bell), "not for the own move");
        answer(&mut stage, &[("e2e4", "e7e5")]);
        assert_eq!(stage.effects.contains(&Effect::Bell), is_wanted);
    }
}

#[test]
fn past_games_are_searched_and_replayed() {
    let (_folder, log) = log();
    let mut stage = Stage::with_log(Lang::En, BARE, (80, 24), Some(log));
    stage.begin();
    stage.play(&["f3", "e5", "g4", "Qh4"]);
    stage.keys(&[KeyCode::Char('q'), KeyCode::Esc]);
    // Past games are the fourth row of the menu.
    stage.keys(&[KeyCode::Home, KeyCode::Down, KeyCode::Down, KeyCode::Down, KeyCode::Enter]);
    let text = stage.text();
    assert!(text.contains("0-1") && text.contains("Past games"), "{text}");
    stage.keys(&[KeyCode::Char('/'), KeyCode::Char('x'), KeyCode::Char('y'), KeyCode::Enter]);
    assert!(stage.text().contains("No games found."), "{}", stage.text());
    stage.keys(&[KeyCode::Char('/'), KeyCode::Esc, KeyCode::Enter]);
    assert!(stage.text().contains("Start · 0/4"), "{}", stage.text());
    stage.keys(&[KeyCode::Right, KeyCode::Right]);
    assert!(stage.text().contains("e5 · 2/4"), "{}", stage.text());
    stage.key(KeyCode::End);
    assert!(stage.text().contains("Black wins by checkmate"), "{}", stage.text());
    // And counted.
    stage.keys(&[KeyCode::Char('q'), KeyCode::Esc, KeyCode::Down, KeyCode::Enter]);
    let text = stage.text();
    assert!(text.contains("1 game") && text.contains("checkmate"), "{text}");
}

#[test]
fn settings_are_chosen_and_told_to_be_kept() {
    let mut stage = Stage::new(Lang::En, BARE, (80, 24));
    stage.keys(&[KeyCode::End, KeyCode::Up, KeyCode::Enter]);
    assert!(stage.text().contains("Language"), "{}", stage.text());
    // The language, then the bell.
    stage.key(KeyCode::Right);
    assert!(stage.text().contains("언어"), "{}", stage.text());
    stage.keys(&[KeyCode::Down, KeyCode::Down, KeyCode::Down, KeyCode::Right, KeyCode::Esc]);
    let saved = stage.effects.iter().rev().find_map(|effect| match effect {
        Effect::Save(settings) => Some(settings.clone()),
        _ => None,
    });
    let saved = saved.expect("saved");
    assert!(saved.bell);
    assert_eq!(saved.lang, Lang::Ko);
    assert!(stage.text().contains("둘이서 한 화면으로"), "{}", stage.text());
}

#[test]
fn a_move_that_cannot_be_kept_is_not_played() {
    let (_folder, log) = log();
    let mut stage = Stage::with_log(Lang::En, BARE, (80, 24), Some(log.clone()));
    stage.begin();
    stage.play(&["e4"]);
    let games = log.list(&Filter::default(), &Page::default()).expect("listed").games;
    log.delete(games[0].id).expect("deleted");
    stage.play(&["e5"]);
    let text = stage.text();
    assert!(text.contains("This could not be saved, so it was not played."), "{text}");
    assert!(!text.contains(" e5"), "{text}");
    // It is still Black's turn here.
    stage.key(KeyCode::Esc);
    assert!(stage.text().contains("Black to move."), "{}", stage.text());
}

#[test]
fn a_move_for_which_the_disk_has_no_room_is_not_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.db");
    drop(SqliteStore::open(&file).expect("a new log"));
    // The file may not grow: the disk is full.
    let options = hansu_records::Options { most_pages: Some(1), ..Default::default() };
    let store = SqliteStore::open_with(&file, options).expect("a log");
    let mut stage = Stage::with_log(Lang::En, BARE, (80, 24), Some(Arc::new(store)));
    stage.begin();
    // The free space in the last pages may still take a game or two.
    for number in 0..200 {
        let step = ["g1f3", "g8f6", "f3g1", "f6g8"][number % 4];
        let to_move = if number % 2 == 0 { "White to move." } else { "Black to move." };
        stage.play(&[step]);
        let text = stage.text();
        if text.contains("This could not be saved") {
            stage.key(KeyCode::Esc);
            let text = stage.text();
            assert!(text.contains(to_move), "{text}");
            return;
        }
        if text.contains("p rematch") {
            stage.key(KeyCode::Char('p'));
        }
    }
    panic!("the log never filled up");
}
