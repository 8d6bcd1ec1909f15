//! Imports of PGN files: a key is needed, games are private, and there is a budget.

use anyhow::Result;
use serde_json::Value;

use crate::RunOptions;
use crate::http::{Http, Response};
use crate::program::{Server, Start};
use crate::report::Check;

/// Games that one key may import in an hour.
const BUDGET: u64 = 20_000;

fn bring(http: Http, key: &str, query: &str, file: &[u8]) -> Result<Response> {
    let bearer = format!("Bearer {key}");
    let headers = [("Authorization", bearer.as_str())];
    let headers = if key.is_empty() { &[] } else { headers.as_slice() };
    http.send("POST", &format!("/api/import{query}"), headers, Some(file))
}

fn list(http: Http, key: &str, query: &str) -> Result<Vec<Value>> {
    let told = http.get(&format!("/api/games?{query}"), key)?.json();
    Ok(told["games"].as_array().cloned().unwrap_or_default())
}

/// Checks key, visibility, deletion, names, size and budget.
pub(super) fn imports(options: &RunOptions, check: &mut Check) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let server = Server::start(&options.binary, Start::over(folder.path()))?;
    let http = server.http();
    let (owner, stranger) = (http.key()?, http.key()?);
    let file = b"[White \"Eva\"]\n[Black \"Fritz\"]\n\n1. e4 e5 1-0\n";
    for key in ["", "zz", "' OR 1=1"] {
        let answer = bring(http, key, "", file)?;
        check.expect(answer.status == 401, format!("without a key: {}", answer.brief()));
        check.expect(answer.code() == "no_key", format!("without a key: {}", answer.brief()));
    }
    check.expect(list(http, "", "source=import")?.is_empty(), "refused, and kept all the same");

    let answer = bring(http, &owner, "", file)?;
    check.expect(answer.json()["added"] == 1, format!("an import: {}", answer.brief()));
    let again = bring(http, &owner, "", file)?;
    check.expect(again.json()["duplicates"] == 1, format!("twice: {}", again.brief()));
    check.expect(list(http, "", "source=import")?.is_empty(), "private unless asked for");
    check.expect(list(http, &stranger, "mine=true")?.is_empty(), "a stranger has it");
    let answer = bring(
        http,
        &owner,
        "?visibility=public",
        b"[White \"Gil\"]\n[Black \"Han\"]\n\n1. d4 d5 0-1\n",
    )?;
    check.expect(answer.json()["added"] == 1, format!("a public one: {}", answer.brief()));
    check.expect(list(http, "", "source=import")?.len() == 1, "public when asked for");

    let own = list(http, &owner, "mine=true")?;
    check.expect(own.len() == 2, format!("the owner's: {}", own.len()));
    for game in own.iter().filter_map(|game| game["id"].as_str()) {
        let path = format!("/api/games/{game}");
        for key in ["", &stranger, "zz"] {
            let answer = http.request("DELETE", &path, key, None)?;
            let no = matches!(answer.status, 401 | 403 | 404);
            check.expect(no, format!("deleted by another: {}", answer.brief()));
        }
        check.expect(http.get(&path, &owner)?.status == 200, "gone by another's hand");
        let answer = http.request("DELETE", &path, &owner, None)?;
        check.expect(answer.status < 300, format!("deleted by its owner: {}", answer.brief()));
        check.expect(http.get(&path, &owner)?.status == 404, "deleted, and still there");
    }

    rubbish(http, &owner, check)?;
    if options.long {
        budget(options, check)?;
    } else {
        check.note("budget of 20,000: only in the long run");
    }
    Ok(())
}

/// Files that are not PGN, too large, or full of characters that must not be shown.
fn rubbish(http: Http, owner: &str, check: &mut Check) -> Result<()> {
    let files: [&[u8]; 6] = [
        b"",
        b"\0\0\0\xff\xfe",
        b"[White \"A\"",
        &[b'('; 100_000],
        &[b'{'; 100_000],
        b"1. e4 e4 e4 e4 1. Ke9 Zz9 *",
    ];
    for file in files {
        let answer = bring(http, owner, "", file)?;
        let calm = answer.status == 200 && answer.json()["added"] == 0
            || matches!(answer.status, 400 | 422);
        check.expect(calm, format!("rubbish: {}", answer.brief()));
    }
    let answer = bring(http, owner, "", &vec![b' '; (4 << 20) + 1])?;
    check.expect(answer.status == 413, format!("more than 4 MiB: {}", answer.brief()));
    let name = "A\u{200b}\u{202e}n\u{3164}na";
    let file = format!(
        "[White \"{name}\"]\n[Black \"\u{2800}\"]\n[Event \"a\u{1}b\u{feff}\"]\n\n1. c4 *\n"
    );
    bring(http, owner, "?visibility=public", file.as_bytes())?;
    let told = http.get("/api/games?source=import&opening=A10", "")?.text();
    let told = format!("{told}{}", http.get("/api/players", "")?.text());
    let shown = super::names::forbidden(&told);
    check.expect(shown.is_none(), format!("texts of files show U+{shown:04X?}: {told}"));
    Ok(())
}

/// The limit of one key in an hour.
fn budget(options: &RunOptions, check: &mut Check) -> Result<()> {
    // A new server, because imports of other keys from this address count as well.
    let folder = tempfile::tempdir()?;
    let server = Server::start(&options.binary, Start::over(folder.path()))?;
    let http = server.http();
    let owner = http.key()?;
    let (mut added, mut begin) = (0, 0);
    // Sends a little more than the budget, in files of less than 4 MiB.
    while begin < BUDGET + 2_000 {
        let games = begin..begin + 5_500;
        let file: String = games
            .clone()
            .map(|number| format!("[White \"P{number}\"]\n\n1. e4 e5 *\n\n"))
            .collect();
        begin = games.end;
        let answer = bring(http, &owner, "", file.as_bytes())?;
        let told = answer.json();
        added += told["added"].as_u64().unwrap_or(0);
        if answer.status == 429 || told["more"] == true {
            break;
        }
    }
    check.expect(added == BUDGET, format!("{added} games were taken, and {BUDGET} may be"));
    let answer = bring(http, &owner, "", b"[White \"One\"]\n\n1. d4 *\n")?;
    check.expect(
        answer.status == 429 && answer.code() == "import_budget",
        format!("one more: {}", answer.brief()),
    );
    check.expect(answer.header("retry-after").is_some(), "one more, without Retry-After");
    check.note(format!("{added} games brought"));
    Ok(())
}
