//! Compares the description of the API with the server, and the documents with the messages.

use std::collections::BTreeSet;

use hansu_ground::clients::{get, request};
use hansu_protocol::{ClientMessage, LobbyMessage, LobbyNews, ServerMessage};
use serde_json::Value;

use crate::test_server::TestServer;

const METHODS: [&str; 5] = ["GET", "POST", "PUT", "DELETE", "PATCH"];

fn operations(document: &Value) -> BTreeSet<(String, String)> {
    let paths = document["paths"].as_object().expect("paths");
    paths
        .iter()
        .flat_map(|(path, item)| {
            let methods = item.as_object().expect("methods").keys();
            methods.map(move |method| (path.clone(), method.to_uppercase()))
        })
        .collect()
}

#[tokio::test]
async fn every_described_method_is_taken_and_no_other() {
    let server = TestServer::open().await;
    let document = get(server.at, "/api/openapi.json").send().await.json();
    let described = operations(&document);
    let paths: BTreeSet<&String> = described.iter().map(|(path, _)| path).collect();
    assert!(paths.len() > 20);
    for path in paths {
        let real = path
            .replace("{id}", "AAAAAAAAAAAA")
            .replace("{token}", "x")
            .replace("{name}", "anna")
            .replace("{other}", "ben")
            .replace("{tag}", "club");
        for method in METHODS {
            let known = described.contains(&(path.clone(), method.to_owned()));
            let answer = request(server.at, method, &real).send().await;
            assert_eq!(answer.status != 405, known, "{method} {path}: {answer:?}");
            if !known {
                assert_eq!(answer.refusal().1, "method_not_allowed");
            }
            // HEAD works like GET, with the same status and no body.
            if known && method == "GET" && !path.ends_with("/socket") {
                let head = request(server.at, "HEAD", &real).send().await;
                assert_eq!((head.status, head.body.len()), (answer.status, 0), "{path}");
            }
        }
    }
}

#[tokio::test]
async fn the_description_is_whole_in_both_languages() {
    let server = TestServer::open().await;
    let english = get(server.at, "/api/openapi.json?lang=en").send().await.json();
    let korean = get(server.at, "/api/openapi.json?lang=ko").send().await.json();
    assert_eq!(operations(&english), operations(&korean));
    assert!(english["openapi"].as_str().unwrap().starts_with("3.1"));
    let schemas = english["components"]["schemas"].as_object().unwrap();
    for reference in references(&english) {
        let name = reference.strip_prefix("#/components/schemas/").expect(&reference);
        assert!(schemas.contains_key(name), "{reference}");
    }
    let mut ids = BTreeSet::new();
    for (path, item) in english["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            assert!(ids.insert(operation["operationId"].to_string()), "{method} {path}");
            let other = korean["paths"][path][method]["summary"].as_str().unwrap();
            assert!(other.chars().any(|c| ('가'..='힣').contains(&c)), "{other}");
            let own = operation["summary"].as_str().unwrap();
            assert!(!own.chars().any(|c| ('가'..='힣').contains(&c)), "{own}");
        }
    }
    for (lang, word) in [("en", "Takes"), ("ko", "받는 것")] {
        let page = get(server.at, &format!("/api?lang={lang}")).send().await;
        assert_eq!(page.status, 200);
        assert!(page.header("content-type").unwrap().starts_with("text/html"));
        assert!(page.text().contains(word) && page.text().contains("/api/style.css"));
    }
    let style = get(server.at, "/api/style.css").send().await;
    assert!(style.header("content-type").unwrap().starts_with("text/css"));
}

fn references(value: &Value) -> Vec<String> {
    match value {
        Value::Object(map) => map
            .iter()
            .flat_map(|(key, inner)| match inner.as_str() {
                Some(text) if key == "$ref" => vec![text.to_owned()],
                _ => references(inner),
            })
            .collect(),
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

const PROTOCOL: &str = include_str!("../../../../docs/protocol.md");
const API: &str = include_str!("../../../../docs/api.md");

/// Blocks of code in a language.
fn blocks<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    let open = format!("```{language}\n");
    text.split(&open).skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect()
}

#[test]
fn the_examples_of_the_protocol_are_messages() {
    let mut read = 0;
    for block in blocks(PROTOCOL, "json") {
        for line in block.lines().filter(|line| !line.trim().is_empty()) {
            let (mark, json) = line.split_once(' ').unwrap_or_else(|| panic!("no arrow: {line}"));
            let understood = match mark {
                "→" => serde_json::from_str::<ClientMessage>(json).map(|_| ()),
                "←" => serde_json::from_str::<ServerMessage>(json).map(|_| ()),
                "⇒" => serde_json::from_str::<LobbyMessage>(json).map(|_| ()),
                "⇐" => serde_json::from_str::<LobbyNews>(json).map(|_| ()),
                _ => panic!("no arrow: {line}"),
            };
            understood.unwrap_or_else(|error| panic!("{error}: {line}"));
            read += 1;
        }
    }
    assert!(read > 20, "{read}");
}

/// The names of all variants, as TypeScript has them, so that none is forgotten in the document.
#[test]
fn the_document_of_the_protocol_names_every_message_and_every_close_code() {
    let wire = include_str!("../../../../web/src/wire.ts");
    for message in ["ClientMessage", "ServerMessage", "Wish", "LobbyMessage", "LobbyNews", "Event"]
    {
        let (_, declared) = wire
            .split_once(&format!("type {message} ="))
            .unwrap_or_else(|| panic!("{message} is not in wire.ts"));
        let declared = declared.split("\n\n//").next().unwrap_or_default();
        let declared = declared.split("export ").next().unwrap_or_default();
        let names: Vec<&str> = declared
            .split("\"type\": \"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .collect();
        assert!(names.len() > 2, "{message}");
        for name in names {
            assert!(PROTOCOL.contains(&format!("`{name}`")), "{message}: {name}");
        }
    }
    for code in [
        hansu_protocol::CLOSE_VERSION,
        hansu_protocol::CLOSE_MALFORMED,
        hansu_protocol::CLOSE_FLOOD,
        hansu_protocol::CLOSE_SLOW,
        hansu_protocol::CLOSE_GONE,
        hansu_protocol::CLOSE_RESTART,
    ] {
        assert!(PROTOCOL.contains(&code.to_string()), "{code}");
    }
}

#[tokio::test]
async fn the_document_of_the_api_names_every_address() {
    let server = TestServer::open().await;
    let document = get(server.at, "/api/openapi.json").send().await.json();
    for (path, method) in operations(&document) {
        assert!(API.contains(&format!("`{method} {path}`")), "`{method} {path}`");
    }
}

/// A browser that follows a broken link gets the page, which says so; programs get the same answer
/// as everywhere.
#[tokio::test]
async fn a_browser_is_shown_that_there_is_no_page() {
    let server = TestServer::open().await;
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    let shown = get(server.at, "/nothing").header("accept", browser).send().await;
    assert_eq!(shown.status, 404);
    assert!(shown.header("content-type").unwrap().starts_with("text/html"), "{shown:?}");
    for (path, accept) in [("/nothing", "application/json"), ("/api/nothing", browser)] {
        let told = get(server.at, path).header("accept", accept).send().await;
        assert_eq!(told.refusal(), (404, "not_found".into()), "{path}");
    }
}
