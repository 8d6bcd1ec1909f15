//! Questions to the computer: lines of any position, hints in games against it.

use hansu_ground::clients::{GameClient, Pair, get, key, post};
use hansu_protocol::{Hint, LinesNews, Made, Wish};
use serde_json::{Value, json};

use crate::test_server::TestServer;

/// All messages of a search.
async fn lines(server: &TestServer, asked: Value) -> Vec<LinesNews> {
    let answer = post(server.at, "/api/analyse", &asked).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.text().lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

#[tokio::test]
async fn the_lines_of_a_position_are_told_until_they_are_all_there() {
    let server = TestServer::open().await;
    // White mates in one; three lines, one of them the mate.
    let asked = json!({ "fen": "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "nodes": 20_000 });
    let news = lines(&server, asked).await;
    assert_eq!(news.first(), Some(&LinesNews::Queued { place: 1 }));
    let Some(LinesNews::Finished { found }) = news.last() else { panic!("{news:?}") };
    assert_eq!(found.lines.len(), 3);
    let best = &found.lines[0];
    assert_eq!(
        (best.mate, best.chance, best.line.as_slice()),
        (Some(1), 1000, &["Ra8#".into()][..])
    );
    assert_eq!((best.best.as_deref(), best.moves.as_slice()), (Some("a1a8"), &["a1a8".into()][..]));
    assert!(found.limit == 20_000 && found.nodes <= 21_000, "{found:?}");
    // Moves before the position, Black to move, one line; more nodes than the limit.
    let asked = json!({ "moves": ["f2f3", "e7e5", "g2g4"], "lines": 1, "nodes": u64::MAX });
    let news = lines(&server, asked).await;
    let Some(LinesNews::Finished { found }) = news.last() else { panic!("{news:?}") };
    assert_eq!((found.limit, found.lines.len()), (1_000_000, 1));
    assert_eq!((found.lines[0].mate, found.lines[0].chance), (Some(-1), 0));
    // A position in which the game is over has no lines.
    let news = lines(&server, json!({ "moves": ["f2f3", "e7e5", "g2g4", "d8h4"] })).await;
    let Some(LinesNews::Finished { found }) = news.last() else { panic!("{news:?}") };
    assert_eq!((found.lines[0].mate, found.lines[0].best.as_deref()), (Some(0), None));
}

#[tokio::test]
async fn what_is_no_position_is_not_looked_at() {
    let server = TestServer::open().await;
    for (asked, code) in [
        (json!({ "fen": "8/8/8/8/8/8/8/8 w - - 0 1" }), "bad_position"),
        (json!({ "moves": ["e2e5"] }), "bad_move"),
        (json!({ "moves": ["nonsense"] }), "bad_move"),
        (json!({ "moves": 5 }), "bad_request"),
    ] {
        let refused = post(server.at, "/api/analyse", &asked).send().await;
        assert_eq!(refused.refusal(), (400, code.into()), "{asked}");
    }
    let many = json!({ "moves": vec!["g1f3"; 2_000] });
    assert_eq!(post(server.at, "/api/analyse", &many).send().await.refusal().0, 413);
}

#[tokio::test]
async fn hints_are_for_ones_own_turn_against_the_computer_and_never_against_a_person() {
    let server = TestServer::open().await;
    let want = |what: &str| json!({ "want": what });
    let path = |game: &str| format!("/api/games/{game}/hint");
    // No hints between people: not for players, not for spectators, not for two on one screen.
    let pair = Pair::meet(server.at, json!({})).await;
    for kind in [want("move"), want("threat"), json!({ "want": "warning", "uci": "e2e4" })] {
        for key in &pair.keys {
            let refused = post(server.at, &path(&pair.game), &kind).key(key).send().await;
            assert_eq!(refused.refusal(), (409, "no_hint".into()), "{kind}");
        }
        let refused = post(server.at, &path(&pair.game), &kind).send().await;
        assert_eq!(refused.refusal(), (403, "not_your_game".into()));
    }
    let mine = key(server.at).await;
    let local = json!({ "with": "local", "name": "A", "other": "B" });
    let made: Made = post(server.at, "/api/games", &local).key(&mine).send().await.read();
    let refused = post(server.at, &path(&made.game), &want("move")).key(&mine).send().await;
    assert_eq!(refused.refusal(), (409, "no_hint".into()));
    // Against the computer: a queen and a rook that attack each other.
    let new = json!({
        "with": "computer", "name": "Mina", "color": "white", "level": 1,
        "fen": "6k1/5ppp/8/8/8/8/q7/R5K1 w - - 0 1",
    });
    let made: Made = post(server.at, "/api/games", &new).key(&mine).send().await.read();
    let ask = async |asked: Value| {
        post(server.at, &path(&made.game), &asked).key(&mine).send().await.read::<Hint>()
    };
    let hint = ask(want("move")).await;
    assert_eq!((hint.uci.as_deref(), hint.san.as_deref()), (Some("a1a2"), Some("Rxa2")));
    let hint = ask(want("threat")).await;
    assert_eq!((hint.uci.as_deref(), hint.san.as_deref()), (Some("a2a1"), Some("Qxa1+")));
    let hint = ask(json!({ "want": "warning", "uci": "g1f1" })).await;
    assert_eq!(hint.uci.as_deref(), Some("a2a1"));
    assert!(hint.text.as_deref().is_some_and(|text| text.contains("Qxa1")), "{hint:?}");
    let hint = ask(json!({ "want": "warning", "uci": "a1a2" })).await;
    assert_eq!((hint.uci, hint.text), (None, None));
    let wrong = post(server.at, &path(&made.game), &json!({ "want": "warning", "uci": "a1h8" }));
    assert_eq!(wrong.key(&mine).send().await.refusal(), (400, "bad_move".into()));
    // Other clients get none, and there is none after the end.
    let refused = post(server.at, &path(&made.game), &want("move")).send().await;
    assert_eq!(refused.refusal(), (403, "not_your_game".into()));
    let mut seat = GameClient::join(server.at, &made.game, Some(&mine)).await;
    seat.ask(Wish::Resign).await.expect("an end");
    let refused = post(server.at, &path(&made.game), &want("move")).key(&mine).send().await;
    assert_eq!(refused.refusal(), (409, "no_hint".into()));
    let unknown = get(server.at, "/api/games/AAAAAAAAAAAA/hint").send().await;
    assert_eq!(unknown.refusal().0, 405);
}
