//! What FEN, SAN and UCI moves look like, to the letter: tables of what is taken and refused.

use hansu_chess::{
    Board, FenError, Position, Role, San, SanError, Setup, Square, UciError, UciMove, Variant,
};

const BARE: &str = "4k3/8/8/8/8/8/8/4K3";

fn at(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

// -------------------------------------------------------------------------------------------------
// FEN.

#[test]
fn a_board_is_eight_ranks_of_eight_files() {
    // The longest there is: 64 pieces.
    let full = ["pPnNbBrR"; 8].join("/");
    assert_eq!(full.len(), 71);
    let board = Board::from_fen(&full).unwrap();
    assert_eq!(board.occupied().len(), 64);
    assert_eq!(board.piece_at(Square::A8), Some(Role::Pawn.of(hansu_chess::Color::Black)));
    assert_eq!(board.piece_at(Square::H1), Some(Role::Rook.of(hansu_chess::Color::White)));
    for wrong in [
        "",
        "8",
        "8/8/8/8/8/8/8",
        "8/8/8/8/8/8/8/",
        "8/8/8/8/8/8/8/8/",
        "8/8/8/8/8/8/8/8/8",
        "/8/8/8/8/8/8/8/8",
        "/8/8/8/8/8/8/8",
        "8/8/8//8/8/8/8",
        // Short and long ranks, first, last and in between; a long one after a short one.
        "7/8/8/8/8/8/8/8",
        "8/8/8/7/8/8/8/8",
        "8/8/8/8/8/8/8/7",
        "8p/8/8/8/8/8/8/8",
        "p8/8/8/8/8/8/8/8",
        "8/8/8/ppppppppp/8/8/8/8",
        "8/8/8/8/8/8/8/8p",
        "7/pp7/8/8/8/8/8/8",
        "8/8/8/8/8/8/7/p8",
        // Digits side by side, and those that no rank has.
        "44/8/8/8/8/8/8/8",
        "8/8/8/p61/8/8/8/8",
        "9/8/8/8/8/8/8/8",
        "08/8/8/8/8/8/8/8",
        "p0p6/8/8/8/8/8/8/8",
        // Letters that are not pieces.
        "x7/8/8/8/8/8/8/8",
        "7é/8/8/8/8/8/8/8",
        "8/8/8/8/8/8/8/8\\",
    ] {
        assert_eq!(Board::from_fen(wrong), Err(FenError::Board), "{wrong:?}");
    }
    assert_eq!(Board::from_fen(&format!("{full}p")), Err(FenError::Board));
    assert_eq!(Board::from_fen(&format!("{full}/")), Err(FenError::Board));
}

#[test]
fn pieces_and_gaps_are_written_as_they_stand() {
    for board in [
        "8/8/8/8/8/8/8/8",
        "p7/7p/1p6/6p1/p6p/1p4p1/pp4pp/pppppppp",
        "PnBrQk2/2KqRbNp/8/3P4/4p3/1N1b1R1q/Q1B2n1P/r6R",
    ] {
        let mut written = String::new();
        Board::from_fen(board).unwrap().write_ranks(&mut written, '/');
        assert_eq!(written, board);
    }
}

#[test]
fn each_field_of_a_fen_has_its_own_error() {
    for (rest, error) in [
        ("", FenError::Turn),
        ("W - -", FenError::Turn),
        ("white - -", FenError::Turn),
        ("w", FenError::Castling),
        ("w KX -", FenError::Castling),
        ("w K- -", FenError::Castling),
        ("w -- -", FenError::Castling),
        ("w i -", FenError::Castling),
        // The same right twice.
        ("w KK -", FenError::Castling),
        ("w KH -", FenError::Castling),
        ("w -", FenError::EnPassant),
        ("w - e", FenError::EnPassant),
        ("w - e9", FenError::EnPassant),
        ("w - - x", FenError::Halfmoves),
        ("w - - -1", FenError::Halfmoves),
        ("w - - +1", FenError::Halfmoves),
        ("w - - 65536", FenError::Halfmoves),
        ("w - - 0 x", FenError::Fullmoves),
        ("w - - 0 +1", FenError::Fullmoves),
        ("w - - 0 65536", FenError::Fullmoves),
        ("w - - 0 1 -", FenError::TooLong),
    ] {
        let fen = format!("{BARE} {rest}");
        assert_eq!(Setup::from_fen(&fen), Err(error), "{fen}");
    }
    assert_eq!(Setup::from_fen(""), Err(FenError::Board));
}

#[test]
fn counters_are_written_as_they_are_read() {
    for counters in ["0 1", "7 9", "10 10", "99 100", "100 123", "1234 5678", "65535 65535"] {
        let fen = format!("{BARE} b - - {counters}");
        assert_eq!(at(&fen).fen(), fen);
    }
}

#[test]
fn castling_letters_name_the_outermost_rook_or_its_file() {
    // Board, the letters read, X-FEN and Shredder-FEN as written.
    for (board, read, x_fen, shredder) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R", "KQkq", "KQkq", "HAha"),
        ("r3k2r/8/8/8/8/8/8/R3K2R", "HAha", "KQkq", "HAha"),
        ("r3k2r/8/8/8/8/8/8/R3K2R", "qK", "Kq", "Ha"),
        ("rr2k1rr/8/8/8/8/8/8/RR2K1RR", "GBgb", "GBgb", "GBgb"),
        ("rr2k1rr/8/8/8/8/8/8/RR2K1RR", "KQkq", "KQkq", "HAha"),
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1", "KQkq", "KQkq", "GBgb"),
        // The king in the corner's neighbourhood: one wing is a single square.
        ("rk5r/8/8/8/8/8/8/RK5R", "KQkq", "KQkq", "HAha"),
        ("r5kr/8/8/8/8/8/8/R5KR", "HAha", "KQkq", "HAha"),
        // A rook of the other side on the home rank does not count.
        ("4k2r/8/8/8/8/8/8/r3K2R", "Kk", "Kk", "Hh"),
    ] {
        let fen = format!("{board} w {read} - 0 1");
        let position = Position::from_fen(&fen, Variant::Chess960);
        let setup = position.unwrap_or_else(|error| panic!("{fen}: {error}")).setup();
        assert_eq!(setup.fen(), format!("{board} w {x_fen} - 0 1"));
        assert_eq!(setup.shredder_fen(), format!("{board} w {shredder} - 0 1"));
    }
}

// -------------------------------------------------------------------------------------------------
// SAN.

#[test]
fn strict_san_is_one_spelling() {
    for text in [
        "e4", "exd5", "a1=Q", "e8=Q", "e8=R+", "exd8=B", "bxa1=N#", "Nf3", "Nbd2", "N1d2", "Nb1d2",
        "Nxd2", "Nbxd2", "N1xd2", "Nb1xd2", "Bb5+", "Rad1", "R1a3", "Qh4#", "Qh4e1", "Ke2", "Kxe2",
        "O-O", "O-O-O", "O-O+", "O-O-O#",
    ] {
        let san: San = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(san.to_string(), text);
    }
}

#[test]
fn strict_san_refuses_every_other_spelling() {
    for text in [
        "", "+", "#", "e", "4", "e9", "i4", "e0", "44", "ee", "`4", "e4 ", " e4", "e4+ ", "e4++",
        "e4+#", "e4!", "e4?", "e4+!",
        // A pawn writes its file when it takes and only then, its rank never.
        "ee4", "dxe", "xe4", "4e5", "4xe5", "e4e5", "e4xd5", "Pe4", "pe4", "PP", "ixe4",
        // A promotion on the last rank and only there, with `=`, to a piece that exists.
        "e8", "e1", "dxe8", "e7=Q", "exd7=Q", "e8Q", "e8=", "e8=K", "e8=P", "e8=q", "e8=QQ", "=Q",
        "Ne8=Q", "NeQ", "Q=Q", "Ne8Q", // There is one king.
        "Ked2", "K1d2", "Ke1d2", "Kexd2",
        // Castling is written with the letter, once or twice.
        "0-0", "0-0-0", "O-O-O-O", "O-", "O", "OO", "o-o", "O-0", "O-O-0", "N", "Nx", "Nxx",
        "Nxxd2", "Nx1d2", "N-d2", "N9d2", "Nid2", "Nb9d2", "Nbb1d2", "N1bd2", "Nb12d2", "nf3",
        "Zf3", "Nf", "N3", "Nff", "N33", "Nf3x", "한수",
    ] {
        assert_eq!(text.parse::<San>(), Err(SanError::Syntax), "{text:?}");
    }
}

#[test]
fn lenient_san_takes_what_people_write() {
    for (text, meant) in [
        ("e4!", "e4"),
        ("e4?!", "e4"),
        ("e4+!?", "e4+"),
        ("e8Q", "e8=Q"),
        ("e8R", "e8=R"),
        ("e8B", "e8=B"),
        ("e8N+", "e8=N+"),
        ("dxe8=Q", "dxe8=Q"),
        ("0-0", "O-O"),
        ("0-0-0", "O-O-O"),
        ("0-0-0#!!", "O-O-O#"),
        ("O-O", "O-O"),
        ("e2e4", "e2e4"),
        ("e4xd5", "e4xd5"),
        ("4xd5", "4xd5"),
        ("xd5", "xd5"),
        ("ed5", "ed5"),
        ("e8", "e8"),
        ("Ke1d2", "Ke1d2"),
        ("Ked2", "Ked2"),
        ("K1d2", "K1d2"),
    ] {
        let san = San::lenient(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(san.to_string(), meant, "{text}");
    }
    for text in [
        "", "!", "!e4", "e4!+", "e8=", "e8=K", "e8K", "e8=Z", "Ne8Q", "Ne8=Q", "00", "0-", "=Q",
        "Q",
    ] {
        assert_eq!(San::lenient(text), Err(SanError::Syntax), "{text:?}");
    }
}

/// Position, text, the squares of the move or the error.
type Judged = (&'static str, &'static str, Result<&'static str, SanError>);

fn judge(rows: &[Judged], read: impl Fn(&str) -> Result<San, SanError>) {
    for &(fen, text, expected) in rows {
        let step = read(text).and_then(|san| san.to_move(&at(fen)));
        let uci = step.map(|step| step.uci(Variant::Chess960).to_string());
        assert_eq!(uci.as_deref(), expected.as_ref().map(|&uci| uci), "{text} in {fen}");
    }
}

const ILLEGAL: Result<&str, SanError> = Err(SanError::Illegal);
const AMBIGUOUS: Result<&str, SanError> = Err(SanError::Ambiguous);

#[test]
fn strict_san_is_what_would_be_written() {
    // Bishops on b1 and f1, rooks on a3 and h3, a queen on d1, all round d3.
    let crowd = "6k1/8/8/8/8/R6R/8/1B1Q1B1K w - - 0 1";
    let knights = "4k3/8/8/1N6/8/1N3N2/8/4K3 w - - 0 1";
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    judge(
        &[
            (start, "Nf3", Ok("g1f3")),
            (start, "Ngf3", ILLEGAL),
            (start, "N1f3", ILLEGAL),
            (start, "Nxf3", ILLEGAL),
            (start, "Nf3+", ILLEGAL),
            (start, "Nf3#", ILLEGAL),
            (start, "Nd2", ILLEGAL),
            (start, "e5", ILLEGAL),
            (start, "e2", ILLEGAL),
            (start, "exd3", ILLEGAL),
            (start, "O-O", ILLEGAL),
            (start, "Ke2", ILLEGAL),
            (start, "Ra3", ILLEGAL),
            (start, "Bc4", ILLEGAL),
            (start, "Qd4", ILLEGAL),
            (knights, "Nd4", AMBIGUOUS),
            (knights, "Nbd4", AMBIGUOUS),
            (knights, "N3d4", AMBIGUOUS),
            (knights, "Nfd4", Ok("f3d4")),
            (knights, "N5d4", Ok("b5d4")),
            (knights, "Nb3d4", Ok("b3d4")),
            (knights, "Nb5d4", ILLEGAL),
            (knights, "Nf3d4", ILLEGAL),
            (crowd, "Rd3", AMBIGUOUS),
            (crowd, "Rad3", Ok("a3d3")),
            (crowd, "Bd3", AMBIGUOUS),
            (crowd, "Bbd3", Ok("b1d3")),
            (crowd, "Qd3", Ok("d1d3")),
            // Never another kind of piece, nor another's way to move.
            (crowd, "Bh1", ILLEGAL),
            (crowd, "Ra2", Ok("a3a2")),
            (crowd, "Ba2+", Ok("b1a2")),
            (crowd, "Bb3", ILLEGAL),
            (crowd, "Rb4", ILLEGAL),
            (crowd, "Nb3", ILLEGAL),
        ],
        str::parse,
    );
}

#[test]
fn a_slider_is_told_apart_only_from_those_of_its_own_way() {
    // A bishop in line with the target, or a rook on its diagonal, needs no disambiguation.
    for (fen, step, san) in [
        ("k7/8/8/8/8/B2B4/8/7K w - - 0 1", "a3c1", "Bc1"),
        ("k7/8/8/8/8/3B4/8/3B3K w - - 0 1", "d3b5", "Bb5"),
        ("7k/8/8/3B4/8/8/8/3B2K1 w - - 0 1", "d1b3", "B1b3"),
        ("7k/8/8/1B6/8/8/8/3B2K1 w - - 0 1", "d1b3", "Bb3"),
        ("7k/8/8/8/R7/8/8/3R3K w - - 0 1", "d1a1", "Rda1"),
        ("7k/8/8/8/R7/8/8/3R3K w - - 0 1", "d1d2", "Rd2"),
        ("7k/8/1R6/8/8/8/8/3R2K1 w - - 0 1", "d1d4", "Rd4"),
        // Three queens: file, rank and both.
        ("1k6/8/8/8/Q2Q4/8/8/3Q3K w - - 0 1", "a4d7", "Qad7"),
        ("1k6/8/8/8/Q6Q/8/8/3K3Q w - - 0 1", "h4e1", "Q4e1"),
        ("6k1/2K5/8/8/4Q2Q/8/8/7Q w - - 0 1", "h4e1", "Qh4e1"),
    ] {
        let position = at(fen);
        let step = step.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        let written = position.san(step).to_string();
        assert_eq!(written.trim_end_matches(['+', '#']), san, "{fen}");
    }
}

#[test]
fn pinned_rivals_need_no_telling_apart() {
    let pinned = "4r2k/8/8/8/4N3/8/8/1N2K3 w - - 0 1";
    judge(
        &[(pinned, "Nd2", Ok("b1d2")), (pinned, "Nbd2", ILLEGAL), (pinned, "Nc5", ILLEGAL)],
        str::parse,
    );
    judge(&[(pinned, "Nbd2", Ok("b1d2")), (pinned, "Nec3", ILLEGAL)], San::lenient);
}

#[test]
fn pawns_in_san() {
    let white = "r1b1k3/1P6/8/3pP3/1p6/5n2/P3P1P1/5K2 w q d6 0 1";
    let black = "5k2/p3p1p1/5N2/1P6/3Pp3/8/1p6/R1B1K3 b Q d3 0 1";
    judge(
        &[
            (white, "a3", Ok("a2a3")),
            (white, "a4", Ok("a2a4")),
            (white, "a5", ILLEGAL),
            (white, "a6", ILLEGAL),
            (white, "e3", Ok("e2e3")),
            (white, "e4", Ok("e2e4")),
            (white, "e6", Ok("e5e6")),
            (white, "g3", Ok("g2g3")),
            (white, "f3", ILLEGAL),
            (white, "gxf3", Ok("g2f3")),
            (white, "exf3", Ok("e2f3")),
            (white, "axb3", ILLEGAL),
            (white, "axb4", ILLEGAL),
            (white, "exd3", ILLEGAL),
            (white, "exd6", Ok("e5d6")),
            (white, "exf6", ILLEGAL),
            (white, "d6", ILLEGAL),
            (white, "b8=Q", Ok("b7b8q")),
            (white, "b8=N", Ok("b7b8n")),
            (white, "bxa8=R", Ok("b7a8r")),
            (white, "bxc8=Q+", Ok("b7c8q")),
            (white, "bxc8=Q", ILLEGAL),
            (white, "bxc8=N", Ok("b7c8n")),
            (white, "cxb8=Q", ILLEGAL),
            (white, "a1=Q", ILLEGAL),
            (black, "a6", Ok("a7a6")),
            (black, "a5", Ok("a7a5")),
            (black, "a4", ILLEGAL),
            (black, "e6", Ok("e7e6")),
            (black, "e5", Ok("e7e5")),
            (black, "e3", Ok("e4e3")),
            (black, "f6", ILLEGAL),
            (black, "gxf6", Ok("g7f6")),
            (black, "exd3", Ok("e4d3")),
            (black, "exf3", ILLEGAL),
            (black, "b1=Q", Ok("b2b1q")),
            (black, "bxa1=R", Ok("b2a1r")),
            (black, "bxc1=Q+", Ok("b2c1q")),
            (black, "h8=Q", ILLEGAL),
        ],
        str::parse,
    );
    judge(
        &[
            (white, "e2e4", Ok("e2e4")),
            (white, "e3e4", ILLEGAL),
            (white, "ee4", Ok("e2e4")),
            (white, "5e6", Ok("e5e6")),
            (white, "2e6", ILLEGAL),
            (white, "gf3", Ok("g2f3")),
            (white, "g2xf3", Ok("g2f3")),
            (white, "g3xf3", ILLEGAL),
            (white, "exe4", ILLEGAL),
            (white, "xe4", ILLEGAL),
            (white, "b8", ILLEGAL),
            (white, "a3Q", ILLEGAL),
            (white, "b8Q", Ok("b7b8q")),
            (white, "e1", ILLEGAL),
            (black, "e8", ILLEGAL),
            (white, "h8Q", ILLEGAL),
        ],
        San::lenient,
    );
}

#[test]
fn pinned_pawns_and_pawns_in_check_in_san() {
    for (fen, text, expected) in [
        // Pinned along the diagonal, the file and the rank.
        ("k7/8/8/7b/8/5P2/4K3/8 w - - 0 1", "f4", ILLEGAL),
        ("k3r3/8/8/8/8/3p4/4P3/4K3 w - - 0 1", "exd3", ILLEGAL),
        ("k3r3/8/8/8/8/3p4/4P3/4K3 w - - 0 1", "e4", Ok("e2e4")),
        // En passant that would uncover a check along the rank.
        ("k7/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "exd6", ILLEGAL),
        ("k7/8/8/3pP2r/8/8/8/K7 w - d6 0 1", "exd6", Ok("e5d6")),
        // Two pawns may take: only one is pinned.
        ("4k3/4r3/8/2PpP3/8/8/8/4K3 w - d6 0 1", "exd6", ILLEGAL),
        ("4k3/4r3/8/2PpP3/8/8/8/4K3 w - d6 0 1", "cxd6", Ok("c5d6")),
        // The double step gives check, and taking the pawn in passing ends it.
        ("4k3/8/8/2Pp4/4K3/8/8/8 w - d6 0 1", "cxd6", Ok("c5d6")),
        // A double step does not jump.
        ("4k3/8/8/8/8/4n3/4P3/3K4 w - - 0 1", "e4", ILLEGAL),
        ("4k3/8/8/8/4n3/8/4P3/3K4 w - - 0 1", "e4", ILLEGAL),
        ("4k3/8/8/8/8/8/8/3K2n1 w - - 0 1", "e4", ILLEGAL),
    ] {
        judge(&[(fen, text, expected)], str::parse);
        judge(&[(fen, text, expected)], San::lenient);
    }
}

#[test]
fn check_and_mate_are_seen_by_any_piece() {
    for (fen, step, san) in [
        // Directly, by each kind of piece.
        ("4k3/8/8/3P4/8/8/8/4K3 w - - 0 1", "d5d6", "d6"),
        ("4k3/8/3P4/8/8/8/8/4K3 w - - 0 1", "d6d7", "d7+"),
        ("4K3/8/8/8/8/3p4/8/4k3 b - - 0 1", "d3d2", "d2"),
        ("4k3/8/8/8/8/3p4/8/4K3 b - - 0 1", "d3d2", "d2+"),
        ("4k3/8/8/4N3/8/8/8/4K3 w - - 0 1", "e5g6", "Ng6"),
        ("4k3/8/8/4N3/8/8/8/4K3 w - - 0 1", "e5f3", "Nf3"),
        ("4k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "d5c7", "Nc7+"),
        ("4k3/8/8/8/8/8/8/3BK3 w - - 0 1", "d1a4", "Ba4+"),
        ("4k3/8/8/8/8/8/8/3BK3 w - - 0 1", "d1b3", "Bb3"),
        ("4k3/8/8/8/8/8/8/R2K4 w - - 0 1", "a1a8", "Ra8+"),
        ("4k3/8/8/8/8/8/8/R2K4 w - - 0 1", "a1a4", "Ra4"),
        ("4k3/8/8/8/8/8/8/Q2K4 w - - 0 1", "a1a4", "Qa4+"),
        ("4k3/8/8/8/8/8/8/Q2K4 w - - 0 1", "a1e5", "Qe5+"),
        ("4k3/8/8/8/8/8/8/Q2K4 w - - 0 1", "a1a2", "Qa2"),
        // By the piece behind, straight and diagonally, whatever leaves.
        ("4k3/8/8/8/8/4N3/4R3/4K3 w - - 0 1", "e3c4", "Nc4+"),
        ("4k3/8/8/8/8/4B3/4Q3/4K3 w - - 0 1", "e3c5", "Bc5+"),
        ("4k3/8/2N5/1B6/8/8/8/4K3 w - - 0 1", "c6a5", "Na5+"),
        ("4k3/8/2R5/1Q6/8/8/8/4K3 w - - 0 1", "c6c1", "Rc1+"),
        ("4k3/8/8/8/8/4K3/8/4R3 w - - 0 1", "e3f3", "Kf3+"),
        ("4k3/8/2P5/1B6/8/8/8/4K3 w - - 0 1", "c6c7", "c7+"),
        ("k7/8/8/8/3Pp3/8/1B6/4K3 b - d3 0 1", "e4d3", "exd3"),
        // Not by a piece behind that which has taken the one in between.
        ("4k3/8/8/4p3/8/3N4/8/4R1K1 w - - 0 1", "d3e5", "Nxe5"),
        ("4k3/8/2p5/B7/N7/8/8/4K3 w - - 0 1", "a4c5", "Nc5"),
        ("4k3/8/8/1p6/B7/2N5/8/4K3 w - - 0 1", "c3b5", "Nxb5"),
        // By the rook that castles, and by en passant.
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
        ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+"),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O"),
        ("8/8/8/k2pP2R/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6+"),
        // By the promoted piece, through the square that its pawn has left.
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "a8=Q+"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8r", "a8=R+"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8b", "a8=B"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a8=N"),
        ("8/P7/2k5/8/8/8/8/4K3 w - - 0 1", "a7a8b", "a8=B+"),
        ("8/P7/1k6/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a8=N+"),
        ("8/P7/1k6/8/8/8/8/4K3 w - - 0 1", "a7a8q", "a8=Q"),
        ("8/3P4/8/3k4/8/8/8/4K3 w - - 0 1", "d7d8r", "d8=R+"),
        // Mate.
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"),
        ("6rk/6pp/8/6N1/8/8/8/4K3 w - - 0 1", "g5f7", "Nf7#"),
    ] {
        let position = at(fen);
        let step = step.parse::<UciMove>().unwrap().to_move(&position);
        let step = step.unwrap_or_else(|refusal| panic!("{fen} {san}: {refusal:?}"));
        assert_eq!(position.san(step).to_string(), san, "{fen}");
        assert_eq!(san.parse::<San>().unwrap().to_move(&position), Ok(step), "{fen} {san}");
    }
}

#[test]
fn castling_in_san_is_judged_like_every_move() {
    let both = "r3k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    let attacked = "r3k2r/8/8/8/8/8/8/R3K2R b kq - 0 1";
    judge(
        &[
            (both, "O-O", Ok("e1h1")),
            (both, "O-O-O", Ok("e1a1")),
            (both, "O-O+", ILLEGAL),
            (attacked, "O-O", Ok("e8h8")),
            ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "O-O", ILLEGAL),
            ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "O-O-O", Ok("e1a1")),
            ("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O", ILLEGAL),
            ("4k3/8/8/8/8/8/8/R3K1NR w KQ - 0 1", "O-O", ILLEGAL),
        ],
        str::parse,
    );
}

// -------------------------------------------------------------------------------------------------
// UCI moves, and the texts of all errors.

#[test]
fn uci_moves_are_two_squares_and_perhaps_a_letter() {
    for text in ["e2e4", "a1h8", "h8a1", "e7e8q", "e7e8r", "e7e8b", "e7e8n", "e2e4n"] {
        assert_eq!(text.parse::<UciMove>().map(|uci| uci.to_string()), Ok(text.to_owned()));
    }
    for text in [
        "", "e2", "e2e", "e2e4qq", "e2e4 ", "e2e4Q", "e2e4k", "e2e4p", "e2i4", "e0e4", "i2e4",
        "e2e9", "E2E4", "0000", "e2-e4", "é2e", "e2é", "e2e4é",
    ] {
        assert_eq!(text.parse::<UciMove>(), Err(UciError), "{text:?}");
    }
}

#[test]
fn every_error_says_what_was_expected() {
    use std::collections::HashSet;
    let faults = match "8/8/8/8/8/8/8/8 w - - 0 1".parse::<Position>() {
        Err(error @ FenError::Faults(_)) => error,
        other => panic!("{other:?}"),
    };
    let texts = [
        FenError::Board.to_string(),
        FenError::Turn.to_string(),
        FenError::Castling.to_string(),
        FenError::EnPassant.to_string(),
        FenError::Halfmoves.to_string(),
        FenError::Fullmoves.to_string(),
        FenError::TooLong.to_string(),
        faults.to_string(),
        SanError::Syntax.to_string(),
        SanError::Illegal.to_string(),
        SanError::Ambiguous.to_string(),
        UciError.to_string(),
        "z9".parse::<Square>().unwrap_err().to_string(),
    ];
    assert!(texts.iter().all(|text| text.len() > 10), "{texts:#?}");
    assert_eq!(texts.iter().collect::<HashSet<_>>().len(), texts.len(), "{texts:#?}");
}
