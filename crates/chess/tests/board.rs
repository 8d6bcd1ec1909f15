//! Squares, sets of squares, boards and the gate to positions, against models that are too simple
//! to be wrong.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeSet, HashSet};
use std::hash::{Hash, Hasher};

use hansu_chess::{
    Bitboard, Board, Color, Fault, File, Piece, Position, Rank, Role, Setup, Square, Variant,
    attacks,
};

/// Sets of every size: sparse, dense, empty, full, and some that overlap.
fn sets() -> Vec<Bitboard> {
    let mut sets = vec![Bitboard::EMPTY, Bitboard::FULL, Bitboard::DARK];
    sets.extend(Square::ALL.map(Bitboard::of));
    sets.extend(File::ALL.map(Bitboard::from));
    sets.extend(Rank::ALL.map(Bitboard::from));
    let mut bits = 0x0123_4567_89ab_cdef_u64;
    for _ in 0..40 {
        bits = bits.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        sets.push(Bitboard(bits));
    }
    sets
}

fn model(set: Bitboard) -> BTreeSet<usize> {
    (0..64).filter(|&bit| set.0 & (1 << bit) != 0).collect()
}

fn indices(set: Bitboard) -> BTreeSet<usize> {
    set.into_iter().map(Square::index).collect()
}

#[test]
fn a_set_of_squares_is_a_set() {
    for set in sets() {
        let expected = model(set);
        assert_eq!(indices(set), expected);
        assert_eq!(set.len() as usize, expected.len());
        assert_eq!(set.is_empty(), expected.is_empty());
        assert_eq!(set.is_several(), expected.len() > 1);
        assert_eq!(set.first().map(Square::index), expected.first().copied());
        for square in Square::ALL {
            assert_eq!(set.contains(square), expected.contains(&square.index()));
        }
        let squares = set.into_iter();
        assert_eq!(squares.size_hint(), (expected.len(), Some(expected.len())));
        assert_eq!(squares.len(), expected.len());
        let mut rest = set;
        assert_eq!(rest.pop(), set.first());
        assert_eq!(indices(rest), expected.iter().copied().skip(1).collect());
        assert_eq!(model(!set), (0..64).filter(|bit| !expected.contains(bit)).collect());
        assert_eq!(set.mirrored(), set.into_iter().map(Square::mirrored).collect());
        // Once or twice does not matter.
        assert_eq!(set.into_iter().chain(set).collect::<Bitboard>(), set);
    }
}

#[test]
fn two_sets_are_joined_cut_and_told_apart() {
    let sets: Vec<Bitboard> = sets().into_iter().step_by(5).collect();
    for (&a, &b) in sets.iter().flat_map(|a| sets.iter().map(move |b| (a, b))) {
        let (left, right) = (model(a), model(b));
        assert_eq!(model(a | b), &left | &right);
        assert_eq!(model(a & b), &left & &right);
        assert_eq!(model(a ^ b), &left ^ &right);
        assert_eq!(model(a - b), &left - &right);
        assert_eq!(a.meets(b), !left.is_disjoint(&right));
        let (mut or, mut and, mut xor) = (a, a, a);
        or |= b;
        and &= b;
        xor ^= b;
        assert_eq!((or, and, xor), (a | b, a & b, a ^ b));
    }
}

#[test]
fn a_set_is_shown_as_one_sees_the_board() {
    let set: Bitboard =
        [Square::A1, Square::B1, Square::H1, Square::E4, Square::A8].into_iter().collect();
    let shown = "1.......\n........\n........\n........\n....1...\n........\n........\n11.....1\n";
    assert_eq!(format!("{set:?}"), shown);
}

#[test]
fn squares_are_counted_along_the_ranks() {
    let mut all = (1..=8).flat_map(|rank| ('a'..='h').map(move |file| format!("{file}{rank}")));
    for (index, square) in Square::ALL.into_iter().enumerate() {
        let name = all.next().unwrap();
        assert_eq!((square.to_string(), format!("{square:?}")), (name.clone(), name.clone()));
        assert_eq!(name.parse(), Ok(square));
        assert_eq!((square.index(), Square::from_index(index)), (index, Some(square)));
        assert_eq!(Square::new(square.file(), square.rank()), square);
        assert_eq!(File::from_letter(square.file().letter()), Some(square.file()));
        assert_eq!(Rank::from_digit(square.rank().digit()), Some(square.rank()));
        assert_eq!(square.mirrored().file(), square.file());
        assert_eq!(square.mirrored().rank(), square.rank().seen_by(Color::Black));
        assert_eq!(square.rank().seen_by(Color::White), square.rank());
        for other in Square::ALL {
            let (file, rank) = (Bitboard::from(square.file()), Bitboard::from(square.rank()));
            assert_eq!(file.contains(other), other.file() == square.file(), "{square} {other}");
            assert_eq!(rank.contains(other), other.rank() == square.rank(), "{square} {other}");
        }
    }
    for index in [64, 65, 127, 128, 255, 256, usize::MAX] {
        assert_eq!(Square::from_index(index), None);
    }
    for name in ["", "a", "a0", "a9", "i1", "`1", "A1", "a1 ", " a1", "a11", "1a", "é"] {
        assert!(name.parse::<Square>().is_err(), "{name:?}");
    }
}

#[test]
fn an_offset_stays_on_the_board() {
    for square in Square::ALL {
        let (file, rank) = (square.index() as i8 % 8, square.index() as i8 / 8);
        for files in -8..=8 {
            for ranks in -8..=8 {
                let on_board = (0..8).contains(&(file + files)) && (0..8).contains(&(rank + ranks));
                let index = (rank + ranks) as i32 * 8 + (file + files) as i32;
                let expected = on_board.then(|| Square::ALL[index as usize]);
                assert_eq!(square.offset(files, ranks), expected, "{square} {files} {ranks}");
            }
        }
    }
}

// -------------------------------------------------------------------------------------------------
// Attacks and lines.

/// One step after the other until the edge or a piece.
fn walked(from: Square, directions: &[(i8, i8)], occupied: Bitboard) -> Bitboard {
    let mut reached = Bitboard::EMPTY;
    for &(files, ranks) in directions {
        let mut at = from;
        while let Some(next) = at.offset(files, ranks) {
            reached |= Bitboard::of(next);
            at = next;
            if occupied.contains(at) {
                break;
            }
        }
    }
    reached
}

const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];

#[test]
fn every_piece_attacks_what_it_reaches_step_by_step() {
    for from in Square::ALL {
        let all: Vec<(i8, i8)> = (-2..=2).flat_map(|a| (-2..=2).map(move |b| (a, b))).collect();
        let at = |wanted: fn(i8, i8) -> bool| -> Bitboard {
            all.iter().filter(|s| wanted(s.0, s.1)).filter_map(|s| from.offset(s.0, s.1)).collect()
        };
        let king = at(|a, b| a.abs().max(b.abs()) == 1);
        let knight = at(|a, b| a.abs() * b.abs() == 2);
        let white = at(|a, b| a.abs() == 1 && b == 1);
        let black = at(|a, b| a.abs() == 1 && b == -1);
        assert_eq!(attacks::king(from), king);
        assert_eq!(attacks::knight(from), knight);
        assert_eq!(attacks::pawn(Color::White, from), white);
        assert_eq!(attacks::pawn(Color::Black, from), black);
        for occupied in sets().into_iter().step_by(9) {
            let rook = walked(from, &STRAIGHT, occupied);
            let bishop = walked(from, &DIAGONAL, occupied);
            assert_eq!(attacks::rook(from, occupied), rook);
            assert_eq!(attacks::bishop(from, occupied), bishop);
            assert_eq!(attacks::queen(from, occupied), rook | bishop);
            for color in Color::ALL {
                let pawn = if color == Color::White { white } else { black };
                let expected = [pawn, knight, bishop, rook, rook | bishop, king];
                for (role, expected) in Role::ALL.into_iter().zip(expected) {
                    assert_eq!(attacks::piece(role.of(color), from, occupied), expected);
                }
            }
        }
    }
}

#[test]
fn lines_run_from_edge_to_edge_and_what_is_between_leaves_the_ends_out() {
    for a in Square::ALL {
        for b in Square::ALL {
            let mut between = Bitboard::EMPTY;
            let mut line = Bitboard::EMPTY;
            for &(files, ranks) in STRAIGHT.iter().chain(&DIAGONAL) {
                let ahead = walked(a, &[(files, ranks)], Bitboard::EMPTY);
                if ahead.contains(b) {
                    let back = walked(a, &[(-files, -ranks)], Bitboard::EMPTY);
                    line = ahead | back | Bitboard::of(a);
                    between = walked(a, &[(files, ranks)], Bitboard::of(b)) - Bitboard::of(b);
                }
            }
            assert_eq!(attacks::between(a, b), between, "{a} {b}");
            assert_eq!(attacks::line(a, b), line, "{a} {b}");
        }
    }
}

// -------------------------------------------------------------------------------------------------
// Boards and the gate.

#[test]
fn a_board_holds_what_was_set() {
    let mut board = Board::empty();
    let mut expected: [Option<Piece>; 64] = [None; 64];
    let mut number = 1_usize;
    for _ in 0..2000 {
        number = number.wrapping_mul(48_271) % 0x7fff_ffff;
        let at = Square::ALL[number / 64 % 64];
        let piece = match number / 4096 % 13 {
            12 => None,
            other => Some(Role::ALL[other % 6].of(Color::ALL[other / 6])),
        };
        board.set(at, piece);
        expected[at.index()] = piece;
        assert_eq!(Square::ALL.map(|at| board.piece_at(at)), expected);
    }
    let of = |wanted: &dyn Fn(Piece) -> bool| -> Bitboard {
        Square::ALL.into_iter().filter(|at| expected[at.index()].is_some_and(wanted)).collect()
    };
    assert_eq!(board.occupied(), of(&|_| true));
    for color in Color::ALL {
        assert_eq!(board.of_color(color), of(&|piece| piece.color == color));
        for role in Role::ALL {
            assert_eq!(board.of_role(role), of(&|piece| piece.role == role));
            assert_eq!(board.of(role.of(color)), of(&|piece| piece == role.of(color)));
        }
    }
    let listed: Vec<(Square, Piece)> = board.pieces().collect();
    let stand = Square::ALL.into_iter().filter_map(|at| Some((at, expected[at.index()]?)));
    assert_eq!(listed, stand.collect::<Vec<_>>());
    let mirrored = board.mirrored();
    for at in Square::ALL {
        let other = expected[at.index()].map(|piece| piece.role.of(!piece.color));
        assert_eq!(mirrored.piece_at(at.mirrored()), other);
        assert_eq!(board.role_at(at), expected[at.index()].map(|piece| piece.role));
        assert_eq!(board.color_at(at), expected[at.index()].map(|piece| piece.color));
    }
}

#[test]
fn attackers_are_those_whose_attacks_reach() {
    let fen = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R";
    let board = Board::from_fen(fen).unwrap();
    for occupied in [board.occupied(), Bitboard::EMPTY, Bitboard::DARK] {
        for square in Square::ALL {
            for by in Color::ALL {
                let expected: Bitboard = board
                    .pieces()
                    .filter(|&(at, piece)| {
                        piece.color == by && attacks::piece(piece, at, occupied).contains(square)
                    })
                    .map(|(at, _)| at)
                    .collect();
                assert_eq!(board.attackers(square, by, occupied), expected, "{square}");
            }
        }
    }
}

fn faults(fen: &str, variant: Variant) -> Vec<Fault> {
    let setup = Setup::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let faults = setup.faults(variant);
    let all: Vec<Fault> = faults.iter().collect();
    assert_eq!(faults.is_empty(), all.is_empty());
    assert!(all.iter().all(|&fault| faults.contains(fault)));
    assert_eq!(setup.position(variant).err(), (!all.is_empty()).then_some(faults));
    all
}

#[test]
fn the_gate_finds_every_fault_and_no_other() {
    use Color::{Black, White};
    for (fen, expected) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", vec![]),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", vec![Fault::NoKing(White)]),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", vec![Fault::NoKing(Black)]),
        ("8/8/8/8/8/8/8/8 w - - 0 1", vec![Fault::NoKing(White), Fault::NoKing(Black)]),
        ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", vec![Fault::ManyKings(White)]),
        ("k3k3/8/8/8/8/8/8/4K3 w - - 0 1", vec![Fault::ManyKings(Black)]),
        // Sixteen pieces and eight pawns are the most.
        ("4k3/8/8/8/8/NNNN4/PPPPPPPP/NNN1K3 w - - 0 1", vec![]),
        ("4k3/8/8/8/8/NNNN4/PPPPPPPP/NNNNK3 w - - 0 1", vec![Fault::ManyPieces(White)]),
        ("nnnnk3/pppppppp/nnnn4/8/8/8/8/4K3 b - - 0 1", vec![Fault::ManyPieces(Black)]),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", vec![Fault::ManyPawns(White)]),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", vec![Fault::ManyPawns(Black)]),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", vec![Fault::PawnOnEdge]),
        ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", vec![Fault::PawnOnEdge]),
        ("4k3/P6p/8/8/8/8/P6p/4K3 w - - 0 1", vec![]),
        ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", vec![Fault::OpponentInCheck]),
        ("4k3/8/8/8/8/8/8/4RK2 b - - 0 1", vec![]),
        ("8/8/8/8/8/8/4k3/4K3 w - - 0 1", vec![Fault::OpponentInCheck]),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", vec![Fault::MoveNumber]),
        // Castling: king and rook at home, on the right side, of the right colour.
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", vec![]),
        ("4k3/8/8/8/8/8/8/R3K3 w K - 0 1", vec![Fault::Castling]),
        ("4k3/8/8/8/8/8/8/R3K2r b K - 0 1", vec![Fault::OpponentInCheck, Fault::Castling]),
        ("4k3/8/8/8/8/8/8/R2K3R w K - 0 1", vec![Fault::Castling]),
        ("4k3/8/8/8/8/8/4K3/R6R w K - 0 1", vec![Fault::Castling]),
        ("r3k3/8/8/8/8/8/8/4K3 w k - 0 1", vec![Fault::Castling]),
        ("4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1", vec![Fault::Castling]),
        // En passant: a pawn has just passed, two empty squares behind it.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", vec![]),
        ("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", vec![]),
        ("4k3/8/8/3pP3/8/8/8/4K3 b - d6 0 1", vec![Fault::EnPassant]),
        ("4k3/8/8/8/3Pp3/8/8/4K3 w - d3 0 1", vec![Fault::EnPassant]),
        ("4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1", vec![Fault::EnPassant]),
        ("4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1", vec![Fault::EnPassant]),
        ("4k3/8/8/3nP3/8/8/8/4K3 w - d6 0 1", vec![Fault::EnPassant]),
        ("4k3/8/8/3PP3/8/8/8/4K3 w - d6 0 1", vec![Fault::EnPassant]),
        ("4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1", vec![Fault::EnPassant]),
        ("4k3/8/3p4/4P3/8/8/8/4K3 w - d7 0 1", vec![Fault::EnPassant]),
        ("4k3/8/8/8/8/8/3p4/4K3 w - d3 0 1", vec![Fault::EnPassant]),
    ] {
        assert_eq!(faults(fen, Variant::Standard), expected, "{fen}");
    }
}

#[test]
fn chess960_takes_any_one_rook_on_each_side_of_a_king_at_home() {
    for (fen, standard, chess960) in [
        ("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", false, true),
        ("4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1", false, true),
        ("1r1k2r1/8/8/8/8/8/8/4K3 w kq - 0 1", false, true),
        ("4k3/8/8/8/8/8/8/RR2K3 w AB - 0 1", false, false),
        ("4k3/8/8/8/8/8/8/4KRR1 w FG - 0 1", false, false),
        ("4k3/8/8/8/8/8/8/R3K3 w E - 0 1", false, false),
        ("4k3/8/8/8/8/8/4K3/R6R w AH - 0 1", false, false),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", true, true),
    ] {
        let fault = |sound: bool| if sound { vec![] } else { vec![Fault::Castling] };
        assert_eq!(faults(fen, Variant::Standard), fault(standard), "{fen}");
        assert_eq!(faults(fen, Variant::Chess960), fault(chess960), "{fen}");
    }
}

#[test]
fn castling_rights_belong_on_the_home_ranks() {
    for at in Square::ALL {
        let mut setup = Setup::from_fen("4k3/8/8/8/8/8/8/4K3 w - -").unwrap();
        setup.board.set(Square::A1, Some(Role::Rook.of(Color::White)));
        setup.castling = Bitboard::of(at);
        assert_eq!(setup.faults(Variant::Chess960).is_empty(), at == Square::A1, "{at}");
    }
    let mut kingless = Setup::from_fen("4k3/8/8/8/8/8/8/R7 w Q -").unwrap();
    let expected = [Fault::NoKing(Color::White), Fault::Castling];
    assert_eq!(kingless.faults(Variant::Chess960).iter().collect::<Vec<_>>(), expected);
    kingless.castling = Bitboard::EMPTY;
    assert!(!kingless.faults(Variant::Chess960).contains(Fault::Castling));
}

#[test]
fn faults_are_listed_in_words() {
    let setup = Setup::from_fen("8/8/8/8/8/8/8/p3K3 w - - 0 0").unwrap();
    let faults = setup.faults(Variant::Standard);
    assert_eq!(
        faults.to_string(),
        "black has no king; a pawn stands on the first or last rank; move numbers start at 1"
    );
    assert_eq!(format!("{faults:?}"), "{NoKing(Black), PawnOnEdge, MoveNumber}");
    let words: HashSet<String> = [
        Fault::NoKing(Color::White),
        Fault::ManyKings(Color::White),
        Fault::ManyPieces(Color::White),
        Fault::ManyPawns(Color::White),
        Fault::PawnOnEdge,
        Fault::OpponentInCheck,
        Fault::Castling,
        Fault::EnPassant,
        Fault::MoveNumber,
    ]
    .map(|fault| fault.to_string())
    .into();
    assert_eq!(words.len(), 9);
}

#[test]
fn positions_differ_in_any_one_thing_that_counts() {
    let fens = [
        "4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1",
        "4k3/8/8/3pP3/8/8/8/4K2R w K - 0 1",
        "4k3/8/8/3pP3/8/8/8/4K2R w - d6 0 1",
        "4k3/8/8/3pP3/8/8/8/4K2R w - - 0 1",
        "4k3/8/8/3pP3/8/8/8/4K2R b K - 0 1",
        "4k3/8/8/3pP3/8/8/8/4K2R b - - 0 1",
        "4k3/8/8/3pP3/8/8/8/4KR2 w - d6 0 1",
        "4k3/8/8/4P3/8/8/8/4K2R w - - 0 1",
        "4k3/8/8/4N3/8/8/8/4K2R w - - 0 1",
        "4k3/8/8/4n3/8/8/8/4K2R w - - 0 1",
    ];
    let hash = |position: &Position| {
        let mut hasher = DefaultHasher::new();
        position.hash(&mut hasher);
        hasher.finish()
    };
    for a in fens {
        for b in fens {
            let (one, other): (Position, Position) = (a.parse().unwrap(), b.parse().unwrap());
            assert_eq!(one == other, a == b, "{a} {b}");
            assert_eq!(one.key() == other.key(), a == b, "{a} {b}");
            assert_eq!(hash(&one) == hash(&other), a == b, "{a} {b}");
        }
    }
    assert_eq!(Position::default(), Position::start());
    let shown = format!("{:?}", Position::start());
    assert_eq!(shown, "Position(rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1)");
}

/// Keys may be stored: they stay what they are. (Computed a second time by a program in another
/// language from the words in `zobrist.rs`.)
#[test]
fn keys_never_change() {
    for (fen, key) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0xf5ef_3d1a_d910_e876_u64),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", 0xbe28_3253_c3e1_3ce1),
        ("r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 0 1", 0x9410_cff4_503c_5184),
    ] {
        let position: Position = fen.parse().unwrap();
        assert_eq!(format!("{:#018x}", position.key()), format!("{key:#018x}"), "{fen}");
    }
}
