//! The page's files over HTTP: paths, compression, caching.

use hansu_ground::clients::{get, request};
use hansu_server::Config;
use hansu_server::page::{File, Page};

use crate::test_server::TestServer;

const fn file(path: &'static str, plain: &'static str) -> File {
    File { path, tag: "\"1\"", plain: plain.as_bytes(), gzip: None, brotli: None }
}

const FILES: &[File] = &[
    File {
        tag: "\"2\"",
        gzip: Some(b"as gzip"),
        brotli: Some(b"as brotli"),
        ..file("/assets/board-1a2b.js", "as it is")
    },
    File { gzip: Some(b"as gzip"), ..file("/assets/rules-1a2b.wasm", "as it is") },
    file("/worker.js", "keeps files"),
    file("/no-worker.js", "keeps no files"),
    file("/views/home.en.html", "home"),
    file("/views/home.ko.html", "처음"),
    file("/views/past.en.html", "a game"),
    file("/views/missing.en.html", "nothing here"),
];

fn config() -> Config {
    Config { page: Page(FILES), ..Config::default() }
}

#[tokio::test]
async fn a_file_is_packed_as_the_browser_understands_it() {
    let server = TestServer::with(config()).await;
    for (path, accepted, body, encoding) in [
        ("/assets/board-1a2b.js", "gzip, deflate, br", "as brotli", Some("br")),
        ("/assets/board-1a2b.js", "gzip;q=0.5", "as gzip", Some("gzip")),
        ("/assets/board-1a2b.js", "broom", "as it is", None),
        ("/assets/rules-1a2b.wasm", "br, gzip", "as gzip", Some("gzip")),
        ("/worker.js", "br, gzip", "keeps files", None),
    ] {
        let answer = get(server.at, path).header("accept-encoding", accepted).send().await;
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!((answer.text(), answer.header("content-encoding")), (body, encoding), "{path}");
        assert_eq!(answer.header("vary"), Some("accept-encoding, accept-language"));
    }
}

#[tokio::test]
async fn only_files_whose_names_change_are_kept_for_ever() {
    let server = TestServer::with(config()).await;
    let asked = get(server.at, "/assets/board-1a2b.js").send().await;
    assert_eq!(asked.header("cache-control"), Some("public, max-age=31536000, immutable"));
    assert_eq!(asked.header("content-type"), Some("text/javascript; charset=utf-8"));
    let asked = get(server.at, "/").send().await;
    assert_eq!(asked.header("cache-control"), Some("no-cache"));
    assert_eq!((asked.text(), asked.header("etag")), ("home", Some("\"1\"")));
    for (known, status) in [("\"0\", \"1\"", 304), ("\"0\"", 200)] {
        let answer = get(server.at, "/").header("if-none-match", known).send().await;
        assert_eq!(answer.status, status, "{known}");
    }
}

#[tokio::test]
async fn an_address_shows_its_view_in_the_language_of_the_reader() {
    let server = TestServer::with(config()).await;
    let browser = "text/html";
    for (path, lang, status, body) in [
        ("/", "en", 200, "home"),
        ("/", "ko-KR, en;q=0.5", 200, "처음"),
        ("/games/AAAAAAAAAAAA", "en", 200, "a game"),
        ("/nothing", "en", 404, "nothing here"),
    ] {
        let asked = get(server.at, path).header("accept", browser);
        let answer = asked.header("accept-language", lang).send().await;
        assert_eq!((answer.status, answer.text()), (status, body), "{path} {lang}");
    }
    let posted = request(server.at, "POST", "/").send().await;
    assert_eq!(posted.refusal(), (405, "method_not_allowed".into()));
}

#[tokio::test]
async fn browsers_can_be_told_to_keep_nothing() {
    for (no_worker, body) in [(false, "keeps files"), (true, "keeps no files")] {
        let server = TestServer::with(Config { no_worker, ..config() }).await;
        assert_eq!(get(server.at, "/worker.js").send().await.text(), body);
    }
}
