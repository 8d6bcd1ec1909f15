//! Commands on a server: adjournment, claims, chat of spectators.

use hansu_play::{Actor, Command, Millis, Offer, Spectators, Start, TimeControl};
use hansu_protocol::{ClientMessage, Turn, Wish};
use ratatui::crossterm::event::KeyCode;

use super::server::Online;

fn wishes(online: &Online) -> Vec<Wish> {
    let wish = |said: &ClientMessage| match said {
        ClientMessage::Command { command, .. } => Some(command.clone()),
        _ => None,
    };
    online.said.iter().filter_map(wish).collect()
}

#[test]
fn a_game_is_adjourned_and_gone_on_with() {
    let mut online = Online::new();
    online.connect();
    online.play(&["e4"]);
    online.black_moves("e7e5");
    online.stage.key(KeyCode::Char('t'));
    online.settle();
    assert!(online.stage.text().contains("Offered: adjournment"), "{}", online.stage.text());
    online.black(&Command::Accept { what: Offer::Adjournment, next: None });
    let text = online.stage.text();
    assert!(text.contains("The game is adjourned."), "{text}");
    assert!(text.contains("t resume"), "{text}");
    // Nothing is played meanwhile.
    online.play(&["Nf3"]);
    assert_eq!(online.host.state().plies(), 2);
    online.stage.key(KeyCode::Char('t'));
    online.settle();
    online.black(&Command::Accept { what: Offer::Resumption, next: None });
    assert!(online.stage.text().contains("Your move."), "{}", online.stage.text());
    online.play(&["Nf3"]);
    assert_eq!(online.host.state().plies(), 3);
}

#[test]
fn an_adjourned_game_can_be_resigned() {
    let mut online = Online::new();
    online.connect();
    online.play(&["e4"]);
    online.black_moves("e7e5");
    online.black(&Command::Offer { what: Offer::Adjournment, next: None });
    assert!(online.stage.text().contains("y Accept"), "{}", online.stage.text());
    online.stage.key(KeyCode::Char('y'));
    online.settle();
    online.stage.keys(&[KeyCode::Char('r'), KeyCode::Char('y')]);
    online.settle();
    let text = online.stage.text();
    assert!(text.contains("Black wins by resignation"), "{text}");
}

#[test]
fn a_win_or_a_draw_is_claimed_from_a_player_who_has_left() {
    for (key, result) in [('1', hansu_play::Claimed::Win), ('2', hansu_play::Claimed::Draw)] {
        let mut online = Online::new();
        online.connect();
        online.play(&["e4"]);
        online.black_moves("e7e5");
        online.stage.key(KeyCode::Char('w'));
        let text = online.stage.text();
        assert!(text.contains("1 a win") && text.contains("2 a draw"), "{text}");
        online.stage.key(KeyCode::Char(key));
        online.settle();
        assert_eq!(wishes(&online).last(), Some(&Wish::ClaimAbsence { result }));
    }
}

#[test]
fn a_draw_is_claimed_with_the_move_that_leads_to_it() {
    let mut online = Online::new();
    online.connect();
    for _ in 0..2 {
        online.play(&["Nf3"]);
        online.black_moves("g8f6");
        online.play(&["Ng1"]);
        online.black_moves("f6g8");
    }
    // The position after Nf3 has stood twice; the third time is written and claimed.
    online.play(&["Nf3="]);
    let text = online.stage.text();
    assert!(text.contains("Draw by threefold repetition"), "{text}");
    let with = Some("g1f3".to_owned());
    assert_eq!(wishes(&online).last(), Some(&Wish::ClaimDraw { with }));
}

#[test]
fn spectators_chat_where_they_may() {
    let start = |spectators| Start { spectators, ..Start::between("Mina", "Jun") };
    let mut online = Online::at(start(Spectators::Silent), Actor::Spectator);
    online.connect();
    online.stage.key(KeyCode::Char('m'));
    assert!(online.stage.text().contains("Only the players chat"), "{}", online.stage.text());
    let mut online = Online::at(start(Spectators::Chat), Actor::Spectator);
    online.connect();
    online.stage.type_text("mwell played");
    online.stage.key(KeyCode::Enter);
    online.settle();
    let (text, name) = ("well played".to_owned(), Some("Mina".to_owned()));
    assert_eq!(wishes(&online), [Wish::Chat { text, name }]);
    assert!(online.stage.text().contains("Mina (watching): well"), "{}", online.stage.text());
}

#[test]
fn the_opponent_is_given_fifteen_seconds() {
    let time = TimeControl::sudden_death(Millis::minutes(5));
    let mut online = Online::at(Start { time, ..Start::between("Mina", "Jun") }, Actor::White);
    online.connect();
    online.stage.key(KeyCode::Char('+'));
    online.settle();
    assert_eq!(wishes(&online), [Wish::GiveTime { to: Turn::Black }]);
    let clocks = online.host.state().clocks().expect("clocks");
    assert_eq!((clocks.white, clocks.black), (Millis::minutes(5), Millis::seconds(315)));
    let text = online.stage.text();
    assert!(text.contains("Black got 15 more seconds."), "{text}");
    assert!(text.contains("5:15") && text.contains("5:00"), "{text}");
    // On one screen the side to move gets them.
    let time = TimeControl::sudden_death(Millis::minutes(5));
    let mut online = Online::at(Start { time, ..Start::between("Mina", "Jun") }, Actor::Both);
    online.connect();
    online.stage.key(KeyCode::Char('+'));
    online.settle();
    assert_eq!(wishes(&online), [Wish::GiveTime { to: Turn::White }]);
}
