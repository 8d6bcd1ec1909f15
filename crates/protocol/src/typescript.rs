//! The TypeScript of the protocol: generated from the Rust types, and checked for differences.
//!
//! `make wire` generates the file (it runs the test with `HANSU_WRITE=1`).

use std::fmt::Write as _;
use std::path::Path;

use hansu_play as play;
use ts_rs::{Config, TS};

fn declare<T: TS>(text: &mut String, config: &Config) {
    // The first paragraph; examples in Rust follow it.
    if let Some(docs) = T::docs() {
        let lines = docs.lines().map(|line| line.trim_start_matches([' ', '/', '*']));
        for line in lines.skip(1).take_while(|line| !line.is_empty()) {
            writeln!(text, "// {line}").expect("writing to a text");
        }
    }
    writeln!(text, "export {}\n", T::decl(config)).expect("writing to a text");
}

fn wire() -> String {
    let config = &Config::new().with_large_int("number");
    let mut text = String::from(
        "// Made from crates/protocol by `make wire`. Do not edit: change the Rust types.\n\n",
    );
    let reasons: Vec<String> =
        play::Reason::all().map(|reason| format!("\"{}\"", reason.code())).collect();
    writeln!(text, "export const VERSION = {};\n", crate::VERSION).expect("writing to a text");
    writeln!(text, "/** Why a game has ended. */\nexport type Reason = {};\n", reasons.join(" | "))
        .expect("writing to a text");
    macro_rules! all {
        ($($kind:ty),* $(,)?) => { $(declare::<$kind>(&mut text, config);)* };
    }
    all!(
        play::Millis,
        play::Sides<String>,
        play::Actor,
        play::Offer,
        play::Claimed,
        play::Source,
        play::Spectators,
        play::Bonus,
        play::Stage,
        play::TimeControl,
        play::Series,
        play::Computer,
        play::Start,
        play::Ending,
        play::Event,
        play::EntryShape,
        crate::Language,
        crate::Wish,
        crate::ClientMessage,
        crate::Seat,
        crate::Turn,
        crate::Refusal,
        crate::Board,
        crate::Ticking,
        crate::Special,
        crate::Moves,
        crate::Happened,
        crate::Phase,
        crate::Ply,
        crate::Offered,
        crate::ChatMessage,
        crate::Visibility,
        crate::Snapshot,
        crate::ServerMessage,
        crate::Choice,
        crate::Kind,
        crate::Seek,
        crate::LobbyMessage,
        crate::OpenSeek,
        crate::LiveGame,
        crate::LobbyNews,
        crate::Opponent,
        crate::NewGame,
        crate::Made,
        crate::Nearby,
        crate::Invited,
        crate::SpentInvitation,
        crate::Me,
        crate::NewKey,
        crate::GivenKey,
        crate::Renewal,
        crate::NewPass,
        crate::Played,
        crate::Guest,
        crate::Posted,
        crate::Done,
        crate::Opening,
        crate::Row,
        crate::Running,
        crate::GameList,
        crate::Game,
        crate::Tally,
        crate::Standing,
        crate::Bucket,
        crate::Statistics,
        crate::PlayerRow,
        crate::PlayerList,
        crate::Run,
        crate::Streaks,
        crate::Rival,
        crate::PlayerPage,
        crate::HeadToHead,
        crate::Tag,
        crate::TagList,
        crate::Note,
        crate::Imported,
        crate::Broken,
        crate::Listed,
        crate::LegalMoves,
        crate::Why,
        crate::Proof,
        crate::AnalysisState,
        crate::Grade,
        crate::Analysis,
        crate::SeenPosition,
        crate::JudgedMove,
        crate::Accuracy,
        crate::AskedLines,
        crate::BestLine,
        crate::FoundLines,
        crate::LinesNews,
        crate::AskedHint,
        crate::Hint,
    );
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

#[test]
fn typescript_says_what_rust_says() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/wire.ts");
    let made = wire();
    if std::env::var_os("HANSU_WRITE").is_some() {
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("web/src");
        std::fs::write(&file, &made).expect("web/src/wire.ts");
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(kept == made, "web/src/wire.ts is behind the Rust types: run `make wire`");
}
