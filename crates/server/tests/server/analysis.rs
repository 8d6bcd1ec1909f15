//! Games that are over, analysed by the server.

use std::time::Duration;

use hansu_ground::clients::{Pair, get, key, request};
use hansu_protocol::{AnalysisState, Grade};
use hansu_records::{Analyses as _, KeptAnalysis};
use serde_json::{Value, json};

use crate::test_server::TestServer;

const MATE: &str = "[White \"Mina\"]\n[Black \"Jun\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";

/// Imports a game, and returns its id.
async fn imported(server: &TestServer, pgn: &str) -> String {
    let path = "/api/import?visibility=public";
    request(server.at, "POST", path).key(&key(server.at).await).body(pgn).send().await;
    let list = get(server.at, "/api/games").send().await.json();
    list["games"][0]["id"].as_str().expect("a game").to_owned()
}

async fn state(server: &TestServer, game: &str, query: &str) -> AnalysisState {
    let path = format!("/api/games/{game}/analysis{query}");
    get(server.at, &path).send().await.read()
}

async fn ask(server: &TestServer, game: &str) -> AnalysisState {
    let path = format!("/api/games/{game}/analysis");
    request(server.at, "POST", &path).send().await.read()
}

/// Waits until the analysis is finished.
async fn finished(server: &TestServer, game: &str) -> hansu_protocol::Analysis {
    for _ in 0..1_200 {
        match state(server, game, "").await {
            AnalysisState::Finished { analysis } => return analysis,
            AnalysisState::None => panic!("it was forgotten"),
            AnalysisState::Queued { .. } | AnalysisState::Running { .. } => {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
    panic!("it never ends");
}

#[tokio::test]
async fn a_game_is_analysed_once_kept_and_told_in_both_languages() {
    let server = TestServer::open().await;
    let game = imported(&server, MATE).await;
    assert_eq!(state(&server, &game, "").await, AnalysisState::None);
    let asked = ask(&server, &game).await;
    assert_ne!(asked, AnalysisState::None);
    let analysis = finished(&server, &game).await;
    assert_eq!((analysis.positions.len(), analysis.moves.len()), (5, 4));
    assert_eq!(analysis.moves[2].grade, Grade::Blunder);
    assert!(analysis.moves[2].text.contains("It is checkmate."), "{:?}", analysis.moves[2]);
    assert_eq!(analysis.positions[3].best.as_deref(), Some("d8h4"));
    let done = AnalysisState::Finished { analysis: analysis.clone() };
    assert_eq!(ask(&server, &game).await, done, "a second call shows the first one's");
    let AnalysisState::Finished { analysis: korean } = state(&server, &game, "?lang=ko").await
    else {
        panic!("it is there")
    };
    assert!(korean.moves[2].text.contains("체크메이트예요."), "{:?}", korean.moves[2]);
    // It is in the log, also after a restart.
    let server = server.restart(hansu_server::Config::default()).await;
    assert_eq!(state(&server, &game, "").await, done);
    server.stop().await;
}

#[tokio::test]
async fn a_game_that_is_played_or_not_there_is_not_analysed() {
    let server = TestServer::open().await;
    let mut pair = Pair::meet(server.at, json!({})).await;
    pair.play("e2e4 e7e5").await;
    let path = format!("/api/games/{}/analysis", pair.game);
    let refused = request(server.at, "POST", &path).key(&pair.keys[0]).send().await;
    assert_eq!(refused.refusal(), (409, "still_played".into()));
    assert_eq!(state(&server, &pair.game, "").await, AnalysisState::None);
    for method in ["GET", "POST"] {
        let unknown = request(server.at, method, "/api/games/AAAAAAAAAAAA/analysis").send().await;
        assert_eq!(unknown.refusal(), (404, "no_such_game".into()));
        let wrong = request(server.at, method, "/api/games/!/analysis").send().await;
        assert_eq!(wrong.refusal().0, 404);
    }
    pair.white.ask(hansu_protocol::Wish::Resign).await.expect("an end");
    assert_ne!(ask(&server, &pair.game).await, AnalysisState::None);
    assert_eq!(finished(&server, &pair.game).await.moves.len(), 2);
}

#[tokio::test]
async fn an_analysis_that_was_interrupted_is_gone_on_with() {
    let server = TestServer::open().await;
    let game = imported(&server, "1. e4 e5 2. Nf3 Nc6 1/2-1/2").await;
    // Two of five positions; only the stored text says that the end is worth 7.77.
    let body = "1\n777 f1b5\n-5 b8c6".to_owned();
    let left = KeptAnalysis { nodes: 1_000, done: 2, total: 5, at: 1, body };
    server.store.keep_analysis(game.parse().expect("an id"), left).expect("kept");
    assert_eq!(state(&server, &game, "").await, AnalysisState::None);
    let key = key(server.at).await;
    let path = format!("/api/games/{game}/analysis");
    let asked: Value = request(server.at, "POST", &path).key(&key).send().await.read();
    assert_ne!(asked["state"], "none");
    let analysis = finished(&server, &game).await;
    assert_eq!((analysis.nodes, analysis.positions[4].score), (1_000, Some(777)));
}
