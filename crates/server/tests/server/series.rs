//! Series of games: colours change, score and chat go on.

use hansu_ground::clients::{GameClient, Pair};
use hansu_play::Offer;
use hansu_protocol::{ServerMessage, Wish};
use serde_json::{Value, json};

use crate::test_server::TestServer;

#[tokio::test]
async fn rematches_swap_colours_and_take_score_and_chat_along() {
    let server = TestServer::open().await;
    let mut pair = Pair::meet(server.at, json!({})).await;
    assert_eq!(
        pair.white.refusal_code(Wish::Offer { what: Offer::Rematch }).await,
        "game_not_over"
    );
    pair.white.ask(Wish::Chat { text: "good luck".into(), name: None }).await.unwrap();
    let (at, keys) = (pair.at, pair.keys.clone());
    let (mut game, mut white, mut black) = (pair.game, pair.white, pair.black);
    // Anna wins with White, then with Black, then with White: 3 to 0.
    let mut anna_is_white = true;
    for round in 0..3_u32 {
        let loser = if anna_is_white { &mut black } else { &mut white };
        loser.ask(Wish::Resign).await.unwrap();
        // Both offer, in whatever order: the second one agrees.
        white.ask(Wish::Offer { what: Offer::Rematch }).await.unwrap();
        black.ask(Wish::Offer { what: Offer::Rematch }).await.unwrap();
        let next = black.received.iter().rev().find_map(next_game).expect("the next game");
        assert_eq!(white.event("rematch_agreed").await["next"], next);
        assert_eq!(
            white.refusal_code(Wish::Offer { what: Offer::Rematch }).await,
            "rematch_agreed"
        );
        anna_is_white = !anna_is_white;
        let (first, second) = if anna_is_white { (0, 1) } else { (1, 0) };
        white = GameClient::join(at, &next, Some(&keys[first])).await;
        black = GameClient::join(at, &next, Some(&keys[second])).await;
        let snapshot = white.snapshot().await;
        let names = snapshot.start.names.clone();
        let expected = if anna_is_white { ("Anna", "Ben") } else { ("Ben", "Anna") };
        assert_eq!((names.white.as_str(), names.black.as_str()), expected);
        let series = snapshot.start.series.expect("a series");
        assert_eq!((series.previous.as_str(), series.games), (game.as_str(), round + 1));
        let (anna, ben) = if anna_is_white {
            (series.score.white, series.score.black)
        } else {
            (series.score.black, series.score.white)
        };
        assert_eq!((anna, ben), (2 * (round + 1), 0));
        // The chat goes on, with the names of the senders.
        let said: Vec<_> =
            snapshot.chat.iter().map(|s| (s.name.as_str(), s.text.as_str())).collect();
        assert_eq!(said, [("Anna", "good luck")]);
        game = next;
        black.snapshot().await;
        white.go("e2e4").await.unwrap();
    }
}

fn next_game(message: &ServerMessage) -> Option<String> {
    let value = serde_json::to_value(message).expect("JSON");
    value["entry"]["next"].as_str().map(str::to_owned)
}

#[tokio::test]
async fn a_rematch_can_be_declined_and_offered_again_later() {
    let server = TestServer::open().await;
    let mut pair = Pair::meet(server.at, json!({})).await;
    pair.white.ask(Wish::Resign).await.unwrap();
    pair.white.ask(Wish::Offer { what: Offer::Rematch }).await.unwrap();
    pair.black.event("offered").await;
    pair.black.ask(Wish::Decline { what: Offer::Rematch }).await.unwrap();
    pair.white.event("declined").await;
    let path = format!("/api/games/{}/state", pair.game);
    let state = hansu_ground::clients::get(pair.at, &path).send().await.json();
    assert_eq!((&state["next"], &state["offers"]), (&Value::Null, &json!([])));
}
