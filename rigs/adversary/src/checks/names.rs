//! Names and chat: shown texts have no invisible or misleading characters.

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use crate::RunOptions;
use crate::http::{Http, TIMEOUT, escape};
use crate::program::{Server, Start};
use crate::report::Check;
use crate::socket::Socket;
use crate::test_game::Seats;

/// Texts with characters that are invisible, change the text's direction or cover others.
const HIDDEN: [&str; 30] = [
    "An\u{200b}na",
    "An\u{200c}na",
    "An\u{200e}na",
    "An\u{200f}na",
    "An\u{202a}na",
    "An\u{202e}na",
    "An\u{2060}na",
    "An\u{2066}na\u{2069}",
    "An\u{feff}na",
    "An\u{ad}na",
    "An\u{61c}na",
    "An\u{3164}na",
    "An\u{115f}na",
    "An\u{1160}na",
    "An\u{ffa0}na",
    "An\u{2800}na",
    "An\u{e0041}na",
    "An\u{e0001}na",
    "An\u{180e}na",
    "An\u{34f}na",
    "An\u{17b4}na",
    "An\u{0}na",
    "An\u{7}na",
    "An\u{1b}[31mna",
    "An\u{7f}na",
    "An\u{85}na",
    "An\u{2028}na",
    "An\nna",
    "Anna\u{200d}",
    "An\u{fe0f}na",
];

/// Texts without any visible character.
const BLANK: [&str; 6] =
    ["\u{3164}", "\u{2800}\u{2800}", "\u{200b}", "\u{a0}", "\u{3000}", "\u{ad}"];

/// Valid names, and how they are shown.
const WELCOME: [(&str, &str); 9] = [
    ("Zoe\u{308}", "Zo\u{eb}"),
    ("\u{1112}\u{1161}\u{11ab}", "\u{d55c}"),
    ("한수", "한수"),
    ("👩\u{200d}👩\u{200d}👧", "👩\u{200d}👩\u{200d}👧"),
    ("❤\u{fe0f}", "❤\u{fe0f}"),
    ("🇰🇷 Kim", "🇰🇷 Kim"),
    ("Nguyễn Văn A", "Nguyễn Văn A"),
    ("O'Brien <b>&amp;", "O'Brien <b>&amp;"),
    ("  Anna  ", "Anna"),
];

/// The first character of a text that must not be shown. ZWJ and variation selectors are not judged
/// here, since emoji need them; [`HIDDEN`] tests the server's own rules for them.
pub(super) fn forbidden(text: &str) -> Option<u32> {
    let bad = |sign: &char| {
        matches!(u32::from(*sign),
            0x200B | 0x200C | 0x200E | 0x200F | 0x202A..=0x202E | 0x2060..=0x206F | 0xFEFF | 0xAD
            | 0x61C | 0x3164 | 0x115F | 0x1160 | 0xFFA0 | 0x2800 | 0xE0000..=0xE0FFF | 0x180E | 0x34F
            | 0x2028 | 0x2029 | 0x7F..=0x9F)
            || (u32::from(*sign) < 0x20 && *sign != '\n' && *sign != '\t')
    };
    text.chars().find(bad).map(u32::from)
}

/// Checks names of players and spectators, chat, tags and notes.
pub(super) fn names(options: &RunOptions, check: &mut Check) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut server = Server::start(&options.binary, Start::over(folder.path()))?;
    let http = server.http();
    let key = http.key()?;
    let stacked = format!("Z{}algo", "\u{301}".repeat(20));
    let long = "x".repeat(65);
    let bad: Vec<&str> =
        HIDDEN.iter().chain(&BLANK).copied().chain([stacked.as_str(), long.as_str()]).collect();
    let seats =
        Seats::make(http, ["Anna", "Ben"], &json!({"spectators": "chat", "visibility": "public"}))?;
    for text in &bad {
        let shown = text.escape_unicode();
        let made =
            http.post("/api/games", &key, &json!({"with": "local", "name": text, "other": "Ben"}))?;
        let blank = text.trim().is_empty();
        // A blank name may count as missing; then the server shows a default name.
        let named =
            made.status == 201 && blank && has_visible_names(http, made.json()["game"].as_str())?;
        check.expect(is_refusal(made.status) || named, format!("a name {shown}: {}", made.brief()));
        let made = http.post(
            "/api/games",
            &key,
            &json!({"with": "local", "name": "Anna", "other": text}),
        )?;
        let named =
            made.status == 201 && blank && has_visible_names(http, made.json()["game"].as_str())?;
        check.expect(
            is_refusal(made.status) || named,
            format!("another's name {shown}: {}", made.brief()),
        );
        if *text == long {
            continue;
        }
        let said = json!({"type": "chat", "text": text});
        let answer = seats.command(
            http,
            &seats.white,
            &format!("c{shown}").chars().take(60).collect::<String>(),
            &said,
        )?;
        check.expect(is_refusal(answer.status), format!("chat {shown}: {}", answer.brief()));
        let answer = http.request(
            "PUT",
            &format!("/api/games/{}/tags/{}", seats.game, escape(text)),
            &seats.white,
            None,
        )?;
        check.expect(is_refusal(answer.status), format!("a tag {shown}: {}", answer.brief()));
        let note = json!({"note": text});
        let answer = http.request(
            "PUT",
            &format!("/api/games/{}/note", seats.game),
            &seats.white,
            Some(&note),
        )?;
        // A note may have several lines, and an empty text removes it.
        let lines = *text == "An\nna" || blank;
        check.expect(
            is_refusal(answer.status) || lines,
            format!("a note {shown}: {}", answer.brief()),
        );
    }
    for (text, shown) in WELCOME {
        let made =
            http.post("/api/games", &key, &json!({"with": "local", "name": text, "other": "Ben"}))?;
        let game = made.json()["game"].as_str().unwrap_or_default().to_owned();
        let state = http.get(&format!("/api/games/{game}/state"), "")?.json();
        let name = &state["start"]["names"]["white"];
        check.expect(name == shown, format!("{text:?} became {name}: {}", made.brief()));
    }
    lookalikes(http, check)?;
    spectators(http, &seats, check)?;
    // After a restart a spectator without a key counts as a new one, even with the same command id.
    server.kill()?;
    server.restart()?;
    let watcher = Socket::enter(http, &seats.game, "", 0)?;
    let again = json!({"type": "chat", "text": "once more", "name": "Anna"});
    let answer = watcher.command("hi", &again)?;
    check.expect(answer["type"] == "ack", format!("a spectator after a restart: {answer}"));
    let chat = seats.state(http)?["chat"].to_string();
    let kept = chat.contains("I resign") && chat.contains("once more");
    check.expect(kept, format!("a spectator's words are gone: {chat}"));
    Ok(())
}

fn is_refusal(status: u16) -> bool {
    matches!(status, 400 | 404 | 422)
}

/// Returns true if both players of a game have visible names.
fn has_visible_names(http: Http, game: Option<&str>) -> Result<bool> {
    let state = http.get(&format!("/api/games/{}/state", game.unwrap_or_default()), "")?.json();
    let seen = |name: &Value| {
        name.as_str().is_some_and(|name| forbidden(name).is_none() && !name.trim().is_empty())
    };
    Ok(seen(&state["start"]["names"]["white"]) && seen(&state["start"]["names"]["black"]))
}

/// A guest whose name equals or resembles the host's is refused, or shown with an addition.
fn lookalikes(http: Http, check: &mut Check) -> Result<()> {
    for name in ["Anna", "\u{410}nn\u{430}", "ANNA", "Anna ", "Ａｎｎａ"] {
        let (host, guest) = (http.key()?, http.key()?);
        let wish = json!({"with": "friend", "name": "Anna", "color": "white"});
        let made = http.post("/api/games", &host, &wish)?.json();
        let token = made["invitation"].as_str().context("a token")?;
        let path = format!("/api/invitations/{token}");
        let taken = http.post(&path, &guest, &json!({"name": name}))?;
        let game = made["game"].as_str().unwrap_or_default();
        let state = http.get(&format!("/api/games/{game}/state"), "")?.json();
        let shown = state["start"]["names"]["black"].as_str().unwrap_or_default();
        let more = shown.chars().count() > name.trim().chars().count();
        let apart = is_refusal(taken.status) || taken.status == 201 && more;
        check.expect(apart, format!("Anna's guest {name} is shown as {shown:?}"));
    }
    Ok(())
}

/// A spectator with a player's name is distinguishable from the player in chat.
fn spectators(http: Http, seats: &Seats, check: &mut Check) -> Result<()> {
    let white = Socket::enter(http, &seats.game, &seats.white, 0)?;
    white.wait(TIMEOUT, |told| told["type"] == "snapshot")?;
    let watcher = Socket::enter(http, &seats.game, "", 0)?;
    watcher.wait(TIMEOUT, |told| told["type"] == "snapshot")?;
    let answer =
        watcher.command("hi", &json!({"type": "chat", "text": "I resign", "name": "Anna"}))?;
    check.expect(answer["type"] == "ack", format!("a spectator's chat: {answer}"));
    let own = white.command("own", &json!({"type": "chat", "text": "I do not"}))?;
    check.expect(own["type"] == "ack", format!("a player's chat: {own}"));
    let chat = seats.state(http)?["chat"].clone();
    let lines = chat.as_array().cloned().unwrap_or_default();
    let line =
        |text: &str| lines.iter().find(|line| line["text"] == text).cloned().unwrap_or_default();
    let (stranger, player) = (line("I resign"), line("I do not"));
    // The entries differ in the sender, not only in text and time.
    let who = |line: &Value| {
        let mut line = line.clone();
        if let Some(line) = line.as_object_mut() {
            ["text", "at", "seq", "id"].iter().for_each(|field| {
                line.remove(*field);
            });
        }
        line
    };
    check.expect(
        !stranger.is_null() && !player.is_null() && who(&stranger) != who(&player),
        format!("chat: {chat}"),
    );
    for name in HIDDEN.iter().chain(&BLANK) {
        let said = json!({"type": "chat", "text": "hello", "name": name});
        let answer = http.post(
            &format!("/api/games/{}/commands", seats.game),
            "",
            &json!({"id": "x", "command": said}),
        )?;
        check.expect(
            is_refusal(answer.status) || name.trim().is_empty(),
            format!("a spectator {}: {}", name.escape_unicode(), answer.brief()),
        );
    }
    Ok(())
}
