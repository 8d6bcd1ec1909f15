//! Random starts, moves and set-ups from a stream of choices, for tests, oracles and fuzzers.
//!
//! `choose(n)` returns a number below `n`. The caller decides where it comes from: a pseudo-random
//! number, a list that proptest can shrink, or a fuzzer's bytes.

use hansu_chess::{
    Bitboard, Board, Color, Fault, File, Move, Position, Rank, Role, Setup, Square, Variant,
    attacks,
};

/// A source of choices.
pub type Choose<'a> = dyn FnMut(usize) -> usize + 'a;

/// One of the 960 starts.
pub fn chess960_start(choose: &mut Choose<'_>) -> Position {
    let mut row = [None; 8];
    row[2 * choose(4)] = Some(Role::Bishop);
    row[2 * choose(4) + 1] = Some(Role::Bishop);
    let mut place = |nth: usize, role| {
        let free = row.iter_mut().filter(|place| place.is_none()).nth(nth);
        *free.expect("fewer pieces than files") = Some(role);
    };
    place(choose(6), Role::Queen);
    place(choose(5), Role::Knight);
    place(choose(4), Role::Knight);
    for role in [Role::Rook, Role::King, Role::Rook] {
        place(0, role);
    }
    let mut setup = Setup::start();
    for (file, role) in File::ALL.into_iter().zip(row) {
        for color in Color::ALL {
            let at = Square::new(file, Rank::First.seen_by(color));
            setup.board.set(at, role.map(|role| role.of(color)));
        }
    }
    setup.castling = setup.board.of_role(Role::Rook);
    setup.position(Variant::Chess960).expect("a sound start")
}

/// A legal move; castling, en passant, promotion and double steps are chosen more often than a
/// uniform choice would.
pub fn legal_move(position: &Position, choose: &mut Choose<'_>) -> Option<Move> {
    let moves = position.legal_moves();
    let rare: Vec<Move> = moves.iter().copied().filter(|&one| is_rare(one)).collect();
    let among = if !rare.is_empty() && choose(4) == 3 { &rare } else { &moves };
    (!among.is_empty()).then(|| among[choose(among.len())])
}

fn is_rare(step: Move) -> bool {
    let double_step = step.role() == Role::Pawn
        && (step.from().rank() as usize).abs_diff(step.to().rank() as usize) == 2;
    step.castling().is_some()
        || step.is_en_passant()
        || step.promotion().is_some()
        || double_step && step.from().file() != File::H
}

/// A random valid position, with castling rights and en passant where they fit.
pub fn set_up(variant: Variant, choose: &mut Choose<'_>) -> Position {
    let mut setup = Setup::empty();
    setup.turn = Color::ALL[choose(2)];
    place_kings(&mut setup.board, variant, choose);
    if choose(3) == 2 {
        place_en_passant(&mut setup, choose);
    }
    let pieces = [4, 10, 28][choose(3)];
    for _ in 0..choose(pieces) {
        place_piece(&mut setup.board, choose);
    }
    let in_check = |setup: &Setup| setup.faults(variant).contains(Fault::OpponentInCheck);
    if in_check(&setup) {
        setup.turn = !setup.turn;
    }
    while in_check(&setup) {
        let king = setup.board.king(!setup.turn).expect("both kings stand");
        let occupied = setup.board.occupied();
        let attackers = setup.board.attackers(king, setup.turn, occupied);
        setup.board.set(attackers.first().expect("a check"), None);
    }
    setup.castling = castling(&setup.board, variant, choose);
    setup.en_passant = en_passant(&setup, choose);
    setup.halfmoves = choose(120) as u16;
    setup.fullmoves = 1 + choose(200) as u16;
    setup.position(variant).expect("repaired until sound")
}

fn place_kings(board: &mut Board, variant: Variant, choose: &mut Choose<'_>) {
    for color in Color::ALL {
        let home = Rank::First.seen_by(color);
        // Half of the kings stand at home with rooks, so that castling is possible.
        let at_home = choose(2) == 0;
        let mut king = match variant {
            _ if !at_home && choose(2) == 0 => Square::ALL[choose(64)],
            _ if !at_home => Square::new(File::ALL[choose(8)], Rank::Fifth.seen_by(color)),
            Variant::Standard => Square::new(File::E, home),
            Variant::Chess960 => Square::new(File::ALL[1 + choose(6)], home),
        };
        if let Some(other) = board.king(!color) {
            let taken = attacks::king(other) | board.occupied();
            let free = Square::ALL.into_iter().cycle().skip(king.index());
            king = free.take(64).find(|&at| !taken.contains(at)).expect("room");
        }
        board.set(king, Some(Role::King.of(color)));
        if at_home {
            for _ in 0..2 {
                let corner = [Square::new(File::A, home), Square::new(File::H, home)][choose(2)];
                let rook = match variant {
                    Variant::Standard => corner,
                    Variant::Chess960 => Square::new(File::ALL[choose(8)], home),
                };
                if board.piece_at(rook).is_none() {
                    board.set(rook, Some(Role::Rook.of(color)));
                }
            }
        }
    }
}

/// Two pawns side by side as after a double step, and perhaps an enemy slider in line with the
/// king: chance alone would produce this once in ten thousand set-ups.
fn place_en_passant(setup: &mut Setup, choose: &mut Choose<'_>) {
    let (us, file) = (setup.turn, choose(7));
    let (taker, taken) = if choose(2) == 0 { (file, file + 1) } else { (file + 1, file) };
    let rank = Rank::Fifth.seen_by(us);
    let mut pawns = Bitboard::EMPTY;
    for (file, color) in [(taker, us), (taken, !us)] {
        let at = Square::new(File::ALL[file], rank);
        if setup.board.role_at(at) != Some(Role::King) {
            setup.board.set(at, Some(Role::Pawn.of(color)));
            pawns |= Bitboard::of(at);
        }
    }
    let king = setup.board.king(us).expect("both kings stand");
    let role = [Role::Rook, Role::Bishop, Role::Queen][choose(3)];
    // The squares from which a slider attacks the king once both pawns are gone.
    let open = attacks::piece(role.of(!us), king, setup.board.occupied() - pawns);
    let free: Vec<Square> = (open - setup.board.occupied()).into_iter().collect();
    if !free.is_empty() {
        let at = free[choose(free.len())];
        setup.board.set(at, Some(role.of(!us)));
    }
}

fn place_piece(board: &mut Board, choose: &mut Choose<'_>) {
    const ROLES: [Role; 9] = [
        Role::Pawn,
        Role::Pawn,
        Role::Pawn,
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
    ];
    let piece = ROLES[choose(9)].of(Color::ALL[choose(2)]);
    let at = Square::ALL[choose(64)];
    let pawn = piece.role == Role::Pawn;
    let on_edge = matches!(at.rank(), Rank::First | Rank::Eighth);
    if board.piece_at(at).is_none()
        && !(pawn && (on_edge || board.of(piece).len() == 8))
        && board.of_color(piece.color).len() < 16
    {
        board.set(at, Some(piece));
    }
}

fn castling(board: &Board, variant: Variant, choose: &mut Choose<'_>) -> Bitboard {
    let mut setup = Setup::empty();
    setup.board = *board;
    for rook in board.of_role(Role::Rook) {
        let before = setup.castling;
        setup.castling |= Bitboard::of(rook);
        if setup.faults(variant).contains(Fault::Castling) || choose(3) == 2 {
            setup.castling = before;
        }
    }
    setup.castling
}

fn en_passant(setup: &Setup, choose: &mut Choose<'_>) -> Option<Square> {
    let passed: Vec<Square> = Square::ALL
        .into_iter()
        .filter(|&square| {
            let mut guess = *setup;
            guess.en_passant = Some(square);
            !guess.faults(Variant::Chess960).contains(Fault::EnPassant)
        })
        .collect();
    // One choice more than there are squares: then the result is `None`.
    passed.get(choose(passed.len() + 1)).copied()
}
