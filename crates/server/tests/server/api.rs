//! The HTTP API: lists, games, texts, statistics, import, rules, figures.

use hansu_ground::clients::{Pair, get, key, request};
use hansu_protocol as wire;
use hansu_protocol::Wish;
use serde_json::{Value, json};

use crate::test_server::TestServer;

const CLUB: &str = r#"[Event "Club"]
[White "Anna"]
[Black "Ben"]
[Date "2025.03.01"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[Event "Club"]
[White "Ben"]
[Black "Anna"]
[Date "2025.04.01"]
[Result "1/2-1/2"]

1. d4 d5 1/2-1/2

[White "Broken"]
[Black "Game"]

1. e4 e5 2. Ke3 *
"#;

async fn import(server: &TestServer, pgn: &str) -> Value {
    let path = "/api/import?visibility=public";
    request(server.at, "POST", path).key(&key(server.at).await).body(pgn).send().await.json()
}

fn names(list: &Value) -> Vec<(String, String)> {
    let name = |game: &Value, side: &str| game[side].as_str().unwrap().to_owned();
    let games = list["games"].as_array().unwrap().iter();
    games.map(|game| (name(game, "white"), name(game, "black"))).collect()
}

#[tokio::test]
async fn a_file_is_imported_once_and_its_broken_games_are_told() {
    let server = TestServer::open().await;
    let report = import(&server, CLUB).await;
    assert_eq!(
        (&report["added"], &report["duplicates"], &report["broken"]),
        (&json!(2), &json!(0), &json!(1))
    );
    assert_eq!(report["errors"].as_array().map(Vec::len), Some(1));
    assert!(report["errors"][0]["line"].as_u64().unwrap() > 15, "{report}");
    assert!(!report["errors"][0]["text"].as_str().unwrap().is_empty());
    let again = import(&server, CLUB).await;
    assert_eq!((&again["added"], &again["duplicates"]), (&json!(0), &json!(2)));
    assert_eq!(import(&server, "").await["added"], 0);
    assert_eq!(import(&server, "what is this?").await["added"], 0);
    let large = request(server.at, "POST", "/api/import").body(vec![b' '; 4 * 1024 * 1024 + 1]);
    assert_eq!(large.send().await.refusal(), (413, "too_large".into()));
}

#[tokio::test]
async fn games_are_listed_searched_and_paged() {
    let server = TestServer::open().await;
    import(&server, CLUB).await;
    let mut pair = Pair::meet(server.at, json!({ "visibility": "public" })).await;
    pair.play("e2e4").await;
    let list = |query: &str| {
        let path = format!("/api/games?{query}");
        async move { get(server.at, &path).send().await.read::<Value>() }
    };
    let (anna_ben, ben_anna) =
        (("Anna".to_owned(), "Ben".to_owned()), ("Ben".to_owned(), "Anna".to_owned()));
    let all = list("").await;
    assert_eq!(names(&all), [anna_ben.clone(), ben_anna.clone(), anna_ben.clone()]);
    assert_eq!(all["next"], Value::Null);
    for (query, games) in [
        ("white=anna", 2),
        ("black=Anna", 1),
        ("player=ben&result=1/2-1/2", 1),
        ("result=white", 1),
        ("result=1-0&reason=checkmate", 1),
        ("since=2025-03&until=2025-03", 1),
        ("since=2025&until=2025", 2),
        ("opening=C", 1),
        ("shortest=3", 1),
        ("longest=1", 1),
        ("source=import", 2),
        ("source=online&status=live", 1),
        ("status=finished", 2),
        ("text=club", 2),
        ("text=%EC%97%86%EC%9D%8C", 0),
        ("tag=nothing", 0),
        // Forms send empty fields too.
        ("player=&text=&mine=false", 3),
    ] {
        assert_eq!(names(&list(query).await).len(), games, "{query}");
    }
    // Page by page, either way, everything comes once.
    for order in ["newest", "oldest"] {
        let (mut seen, mut after) = (Vec::new(), String::new());
        loop {
            let page = list(&format!("order={order}&limit=1&after={after}")).await;
            seen.extend(names(&page));
            match page["next"].as_str() {
                Some(next) => next.clone_into(&mut after),
                None => break,
            }
        }
        let mut expected = names(&all);
        if order == "oldest" {
            expected.reverse();
        }
        assert_eq!(seen, expected);
    }
    // The answer has exactly the fields of its type.
    let typed: wire::GameList = get(server.at, "/api/games").send().await.read();
    assert_eq!(serde_json::to_value(typed).unwrap(), all);
}

#[tokio::test]
async fn a_game_is_told_as_pgn_and_as_the_terminal_writes_it() {
    let server = TestServer::open().await;
    let mut pair = Pair::meet(server.at, json!({})).await;
    pair.play("f2f3 e7e5 g2g4 d8h4").await;
    let path = |rest: &str| format!("/api/games/{}{rest}", pair.game);
    let record = get(server.at, &path("/record")).send().await;
    assert_eq!(record.text(), "1. f3\te5\n2. g4\tQh4#\n0-1\n");
    assert_eq!(record.header("content-type"), Some("text/plain; charset=utf-8"));
    let pgn = get(server.at, &path("/pgn")).send().await;
    assert!(pgn.text().contains("1. f3 e5 2. g4 Qh4# 0-1"), "{}", pgn.text());
    assert!(pgn.text().contains("[White \"Anna\"]"));
    let name = format!("attachment; filename=\"hansu-{}.pgn\"", pair.game);
    assert_eq!(pgn.header("content-disposition"), Some(name.as_str()));
    let one: wire::Game = get(server.at, &path("")).key(&pair.keys[1]).send().await.read();
    assert_eq!(one.seat, Some(wire::Seat::Black));
    assert_eq!((one.live, one.game.result.as_str()), (false, "0-1"));
    // An exported game is recognised when it is imported.
    assert_eq!(import(&server, pgn.text()).await["duplicates"], 1);
}

#[tokio::test]
async fn results_are_counted() {
    let server = TestServer::open().await;
    import(&server, CLUB).await;
    let mut pair = Pair::meet(server.at, json!({ "visibility": "public" })).await;
    pair.black.ask(Wish::Resign).await.unwrap();
    let all: wire::Statistics = get(server.at, "/api/statistics").send().await.read();
    assert_eq!((all.games, all.totals.white, all.totals.draws), (3, 2, 1));
    assert!(all.reasons.iter().any(|bucket| bucket.label == "resignation"));
    assert!(all.months.iter().any(|bucket| bucket.label == "2025-03"));
    assert_eq!(all.sources.iter().map(|bucket| bucket.tally.white).sum::<u64>(), 2);
    assert!(!all.openings.is_empty());
    let players: wire::PlayerList = get(server.at, "/api/players?limit=1").send().await.read();
    assert_eq!(players.players.len(), 1);
    let anna: wire::PlayerPage = get(server.at, "/api/players/anna").send().await.read();
    assert_eq!((anna.player.name.as_str(), anna.player.both.wins), ("Anna", 2));
    assert_eq!((anna.streaks.unbeaten.games, anna.streaks.current), (3, 1));
    assert_eq!((anna.opponents.len(), anna.opponents[0].standing.draws), (1, 1));
    let path = "/api/players/Ben/against/Anna";
    let against: wire::HeadToHead = get(server.at, path).send().await.read();
    assert_eq!((against.games, against.both.losses, against.black.losses), (3, 2, 2));
    assert_eq!(get(server.at, "/api/players/Ben/against/Cho").send().await.refusal().0, 404);
}

#[tokio::test]
async fn moves_and_refusals_of_any_position() {
    let server = TestServer::open().await;
    let start: wire::LegalMoves = get(server.at, "/api/moves").send().await.read();
    assert_eq!((start.moves.len(), start.targets.targets["e2"].as_str()), (20, "e3e4"));
    assert_eq!(start.moves[0], wire::Listed { uci: "a2a3".into(), san: "a3".into() });
    let fen = "fen=4k3/8/b7/8/8/8/8/4K2R%20w%20K%20-%200%201";
    let path = format!("/api/moves?{fen}&variant=chess960");
    let moves: wire::LegalMoves = get(server.at, &path).send().await.read();
    assert!(moves.check.is_none() && !moves.targets.special.contains_key("e1h1"));
    let why = get(server.at, &format!("/api/why?{fen}&move=e1g1&lang=en")).send().await.json();
    assert_eq!(why["move"], "e1g1");
    assert_eq!(why["refusal"]["code"], "castling_through_attack");
    assert_eq!(why["refusal"]["by"], json!(["a6"]));
    assert!(why["text"].as_str().unwrap().contains("f1"));
    let korean = get(server.at, &format!("/api/why?{fen}&move=e1g1&lang=ko")).send().await.json();
    assert_ne!(korean["text"], why["text"]);
    let legal = get(server.at, "/api/why?move=e2e4").send().await.json();
    assert_eq!(legal, json!({ "move": "e2e4", "refusal": null }));
    let mate = "fen=rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR%20w%20KQkq%20-%201%203";
    let over: wire::LegalMoves = get(server.at, &format!("/api/moves?{mate}")).send().await.read();
    assert_eq!((over.over.as_deref(), over.check.as_deref()), (Some("checkmate"), Some("e1")));
    let bad = get(server.at, "/api/moves?fen=nonsense").send().await;
    assert_eq!(bad.refusal(), (400, "bad_position".into()));
}

#[tokio::test]
async fn large_answers_are_compressed_for_clients_that_accept_it() {
    let server = TestServer::open().await;
    let ask = || get(server.at, "/api/openapi.json");
    let plain = ask().send().await;
    let packed = ask().header("accept-encoding", "gzip").send().await;
    assert_eq!(plain.header("content-encoding"), None);
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    assert!(packed.body.starts_with(&[0x1f, 0x8b]) && packed.body.len() * 4 < plain.body.len());
    let small = get(server.at, "/healthz").header("accept-encoding", "gzip").send().await;
    assert_eq!((small.header("content-encoding"), small.text()), (None, "ok\n"));
}

#[tokio::test]
async fn figures_tell_how_long_commits_and_commands_took() {
    let server = TestServer::open().await;
    let mut pair = Pair::meet(server.at, json!({})).await;
    pair.play("e2e4 e7e5").await;
    pair.white.go("e1e8").await.unwrap_err();
    assert_eq!(get(server.at, "/readyz").send().await.text(), "ok\n");
    let figures = get(server.at, "/metrics").send().await;
    for figure in [
        "hansu_commit_seconds_bucket{le=\"0.015\"}",
        "hansu_command_seconds_count",
        "hansu_commands_total{command=\"move\"}",
        "hansu_refusals_total{code=\"",
        "hansu_requests_total{route=\"/api/invitations/{token}\",status=\"201\"}",
    ] {
        assert!(figures.text().contains(figure), "{figure}: {}", figures.text());
    }
    // No text from clients gets into a label.
    assert!(!figures.text().contains(&pair.game) && !figures.text().contains(&pair.keys[0]));
    let proxied = get(server.at, "/metrics").header("x-forwarded-for", "203.0.113.9").send().await;
    assert_eq!(proxied.refusal().0, 404);
}
