//! The free board, with requests as the page sends them: text in, text out.

use hansu_browser::{Branch, FreeRequest, FreeResponse, GameWorker, Request, Response, Tree};
use hansu_chess::pgn::Reader;
use hansu_protocol::{Kind, Language};
use proptest::prelude::*;

fn ask(request: FreeRequest) -> Result<FreeResponse, (String, String)> {
    let text = serde_json::to_string(&Request::Free(request)).expect("requests are JSON");
    let answer: Response =
        serde_json::from_str(&GameWorker::default().answer(&text)).expect("JSON");
    match (answer.free, answer.error) {
        (Some(answer), None) => Ok(answer),
        (None, Some(why)) => Err((why.code, why.text)),
        other => panic!("one of them: {other:?}"),
    }
}

fn read(text: &str) -> Tree {
    let asked = FreeRequest::Read { text: text.to_owned(), lang: Language::En };
    let Ok(FreeResponse::Tree(tree)) = ask(asked) else { panic!("{text}") };
    tree
}

fn write(tree: Tree) -> String {
    let Ok(FreeResponse::Pgn(pgn)) = ask(FreeRequest::Write { tree, lang: Language::En }) else {
        panic!("a PGN")
    };
    pgn
}

fn wrong(text: &str, lang: Language) -> String {
    ask(FreeRequest::Read { text: text.to_owned(), lang }).expect_err("refused").1
}

/// Comments before, in and after variations, signs, and a variation in a variation.
const RICH: &str = "[White \"Mina\"]\n[Black \"Jun\"]\n\n{First.} 1. e4 $1 {Best by test.} \
    ({Or so:} 1. d4 d5 (1... Nf6 {Indian.}) 2. c4) (1. c4) 1... e5 2. Nf3 Nc6 (2... d6) 1-0";

#[test]
fn a_game_with_variations_is_read_as_a_list_and_written_again() {
    let tree = read(RICH);
    let told: Vec<_> = tree.branches.iter().map(|b| (b.san.as_str(), b.parent)).collect();
    let wanted = [
        ("e4", None),
        ("d4", None),
        ("d5", Some(1)),
        ("Nf6", Some(1)),
        ("c4", Some(2)),
        ("c4", None),
        ("e5", Some(0)),
        ("Nf3", Some(6)),
        ("Nc6", Some(7)),
        ("d6", Some(7)),
    ];
    assert_eq!(told, wanted);
    assert_eq!((tree.result.as_str(), tree.comments.as_slice()), ("1-0", &["First.".into()][..]));
    assert_eq!(
        (tree.branches[0].nags.as_slice(), &*tree.branches[1].before[0]),
        (&[1][..], "Or so:")
    );
    assert!(
        tree.branches[9]
            .board
            .fen
            .starts_with("rnbqkbnr/ppp2ppp/3p4/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w")
    );
    let pgn = write(tree.clone());
    assert_eq!(read(&pgn), tree);
    let one = |text: &str| Reader::new(text.as_bytes()).next_game().expect("one").expect("good");
    assert_eq!(one(&pgn).main, one(RICH).main);
}

#[test]
fn moves_of_other_programs_are_read() {
    let tree = read("e2e4 e7-e5 (c7c5 Ke3) Ng1-f3 += *");
    let moves: Vec<_> = tree.branches.iter().map(|branch| branch.san.as_str()).collect();
    assert_eq!(moves, ["e4", "e5", "c5", "Nf3"]);
    assert!(write(tree).contains("1. e4 e5 (1... c5 {Ke3}) 2. Nf3 *"));
}

#[test]
fn a_fen_is_a_tree_without_moves_and_what_is_wrong_is_said_in_words() {
    let tree = read(" 4k3/8/8/8/8/8/8/R3K3 b Q - 3 9 ");
    assert_eq!((tree.start.as_str(), tree.branches.len()), ("4k3/8/8/8/8/8/8/R3K3 b Q - 3 9", 0));
    assert_eq!(read("4k3/8/8/8/8/8/8/4R1K1 b - - 0 1").check.as_deref(), Some("e8"));
    let free = read("1k6/8/8/8/8/8/8/1K4R1 w G - 0 1");
    assert_eq!(free.variant, Kind::Chess960);
    assert!(write(free).contains("[Variant \"Chess960\"]"));
    let both = "8/8/8/8/8/8/8/8 w - - 0 1";
    assert_eq!(wrong(both, Language::En), "White has no king. Black has no king.");
    assert!(wrong(both, Language::Ko).contains("킹"));
    assert!(wrong("1. e4 e5 2. Ke3", Language::En).contains("Ke3 is not a legal move."));
    assert!(!wrong("", Language::En).is_empty());
    // The rook of a right stands elsewhere.
    let lost = "4k3/8/8/8/8/8/8/4K3 w K - 0 1";
    let asked =
        FreeRequest::Moves { fen: lost.into(), variant: Kind::Standard, lang: Language::En };
    assert_eq!(ask(asked).expect_err("refused").0, "bad_position");
}

#[test]
fn moves_are_listed_played_and_refused() {
    let fen = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1".to_owned();
    let (variant, lang) = (Kind::Standard, Language::En);
    let asked = FreeRequest::Moves { fen: fen.clone(), variant, lang };
    let Ok(FreeResponse::Moves(moves)) = ask(asked) else { panic!("moves") };
    assert!(moves.moves.iter().any(|one| one.san == "O-O"));
    let play = |uci: &str| {
        ask(FreeRequest::Play { fen: fen.clone(), variant, r#move: uci.to_owned(), lang })
    };
    let Ok(FreeResponse::Played(played)) = play("a7a8q") else { panic!("a move") };
    assert_eq!((played.san.as_str(), played.board.check.as_deref()), ("a8=Q+", Some("e8")));
    assert_eq!(played.board.fen, "Q3k3/8/8/8/8/8/8/4K2R b K - 0 1");
    for bad in ["a7a8", "e1e4", "e8e7", "x"] {
        assert_eq!(play(bad).expect_err("refused").0, "bad_move", "{bad}");
    }
}

#[test]
fn an_invalid_tree_is_refused() {
    let tree = read(RICH);
    let refused = |change: fn(&mut Tree)| {
        let mut tree = tree.clone();
        change(&mut tree);
        ask(FreeRequest::Write { tree, lang: Language::En }).expect_err("refused").0
    };
    assert_eq!(refused(|tree| tree.branches[2].parent = Some(2)), "bad_request");
    assert_eq!(refused(|tree| tree.branches[0].parent = Some(usize::MAX - 1)), "bad_request");
    assert_eq!(refused(|tree| tree.branches[6].uci = "e2e4".into()), "bad_move");
    assert_eq!(refused(|tree| tree.start = "nonsense".into()), "bad_position");
    // Variations of variations of variations: each knight's move beside another's.
    let mut deep = tree.clone();
    let sample = deep.branches[0].clone();
    deep.branches.clear();
    for at in 0..500 {
        let parent = (at > 0).then(|| deep.branches.len() - 1);
        let aside = if at % 2 == 0 { "b1c3" } else { "b8c6" };
        let on = ["g1f3", "g8f6", "f3g1", "f6g8"][at % 4];
        for uci in [aside, on] {
            deep.branches.push(Branch { parent, uci: uci.to_owned(), ..sample.clone() });
        }
    }
    let told = ask(FreeRequest::Write { tree: deep, lang: Language::En });
    assert_eq!(told.expect_err("refused").0, "too_large");
}

proptest! {
    #[test]
    fn any_text_is_answered(text in "[ -~가-힣/\n\\[\\]{}()1-8kqrbnpKQRBNP]{0,80}") {
        let _ = ask(FreeRequest::Read { text, lang: Language::Ko });
    }

    /// A random tree is read back as it was.
    #[test]
    fn trees_are_read_as_they_were_written(picks in prop::collection::vec((0usize..40, 0usize..40), 0..40)) {
        let mut tree = read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        for (parent, pick) in picks {
            let parent = tree.branches.len().checked_sub(1).map(|last| parent.min(last)).filter(|_| parent > 0);
            let fen = parent.map_or(tree.start.clone(), |at| tree.branches[at].board.fen.clone());
            let asked = FreeRequest::Moves { fen: fen.clone(), variant: Kind::Standard, lang: Language::En };
            let Ok(FreeResponse::Moves(moves)) = ask(asked) else { panic!("moves") };
            let Some(step) = moves.moves.get(pick % moves.moves.len().max(1)) else { continue };
            if tree.branches.iter().any(|b| b.parent == parent && b.uci == step.uci) { continue }
            let asked = FreeRequest::Play { fen, variant: Kind::Standard, r#move: step.uci.clone(), lang: Language::En };
            let Ok(FreeResponse::Played(mut played)) = ask(asked) else { panic!("a move") };
            played.parent = parent;
            tree.branches.push(played);
        }
        let once = read(&write(tree.clone()));
        prop_assert_eq!(once.branches.len(), tree.branches.len());
        prop_assert_eq!(write(once.clone()), write(tree));
        prop_assert_eq!(read(&write(once.clone())), once);
    }
}
