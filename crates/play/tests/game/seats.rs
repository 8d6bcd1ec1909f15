//! Who may do what: seats, starts, endings, chat, presence, claims.

use hansu_chess::Color::{self, Black, White};
use hansu_chess::{FenError, Reason as Rule, Variant};
use hansu_play::{
    ABSENCE, ABSENCE_UNTIMED, Actor, Claimed, Command, Ending, Entry, Event, MAX_CHAT, MAX_ENTRIES,
    Millis, Offer, Phase, Refusal, Sides, Spectators, Start, TimeControl as Time, apply,
};

use crate::fixture::{GameFixture, offer, seconds, step};

const EVERYBODY: [Actor; 5] =
    [Actor::White, Actor::Black, Actor::Both, Actor::System, Actor::Spectator];

fn start() -> Start {
    Start::between("Mina", "Jun")
}

fn starting(start: Start) -> Result<Vec<Event>, Refusal> {
    GameFixture::empty().act(Actor::System, &Command::Start(start), 5)
}

#[test]
fn nothing_happens_before_the_start_and_it_starts_once() {
    let mut game = GameFixture::empty();
    for command in [
        Command::Resign,
        step("e2e4"),
        offer(Offer::Draw),
        Command::Flag,
        Command::Chat { text: "hi".to_owned(), name: None },
        Command::Leave { side: White },
        Command::Return { side: White },
        Command::Credit { time: Millis(1) },
    ] {
        for actor in EVERYBODY {
            assert_eq!(game.act(actor, &command, 1), Err(Refusal::NotStarted), "{command:?}");
        }
    }
    let start = Command::Start(start());
    assert_eq!(game.act(Actor::Spectator, &start, 5), Err(Refusal::NotSeated));
    game.act(Actor::White, &start, 5).unwrap();
    assert_eq!((game.state.phase(), game.state.started_at()), (Phase::Playing, Some(Millis(5))));
    assert_eq!(game.act(Actor::White, &start, 6), Err(Refusal::AlreadyStarted));
}

#[test]
fn a_start_is_checked() {
    let named = |white: &str| Start {
        names: Sides { white: white.to_owned(), black: "Jun".to_owned() },
        ..start()
    };
    let from = |fen: &str, variant| Start { fen: Some(fen.to_owned()), variant, ..start() };
    let at = |fen| starting(from(fen, Variant::Standard));
    assert_eq!(starting(named("  ")), Err(Refusal::TextEmpty));
    assert_eq!(starting(named("a\u{7}")), Err(Refusal::TextControl));
    assert_eq!(starting(named(&"x".repeat(65))), Err(Refusal::TextTooLong));
    assert_eq!(starting(named(" 민아 ")), Ok(vec![Event::Started(named("민아"))]));
    let endless = Start { time: Time::sudden_death(Millis(1)), ..start() };
    assert_eq!(starting(endless), Err(Refusal::BadTime));
    assert_eq!(at("8/8 w - - 0 1"), Err(Refusal::Position(FenError::Board)));
    assert_eq!(at("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), Err(Refusal::PositionOver));
    let locked = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 b - - 0 1";
    assert_eq!(at(locked), Err(Refusal::PositionOver));
    let shuffled = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1";
    assert!(matches!(at(shuffled), Err(Refusal::Position(_))));
    assert!(starting(from(shuffled, Variant::Chess960)).is_ok());
}

#[test]
fn a_start_position_is_kept_in_one_spelling() {
    let game = GameFixture::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - -", Time::Unlimited);
    let fen = game.state.start().and_then(|start| start.fen.clone());
    assert_eq!(fen.as_deref(), Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
}

#[test]
fn castling_is_kept_in_one_spelling() {
    for (variant, spelling) in [(Variant::Standard, "e1g1"), (Variant::Chess960, "e1h1")] {
        for uci in ["e1g1", "e1h1"] {
            let mut game = GameFixture::with(Start {
                fen: Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1".to_owned()),
                variant,
                ..start()
            });
            let Event::Moved { uci, .. } = game.play(uci, 1).unwrap()[0] else {
                panic!("a move");
            };
            assert_eq!(uci.to_string(), spelling);
        }
    }
}

#[test]
fn an_actor_cannot_play_for_another_seat() {
    let mut game = GameFixture::timed(Time::sudden_death(seconds(60)));
    for actor in EVERYBODY {
        let expected = match actor {
            Actor::White | Actor::Both => continue,
            Actor::Black => Refusal::NotYourTurn,
            Actor::System | Actor::Spectator => Refusal::NotSeated,
        };
        assert_eq!(game.act(actor, &step("e2e4"), 1), Err(expected));
    }
    for actor in [Actor::System, Actor::Spectator] {
        for command in [
            Command::Resign,
            offer(Offer::Draw),
            crate::fixture::accept(Offer::Draw),
            crate::fixture::decline(Offer::Draw),
            Command::ClaimDraw { with: None },
            Command::ClaimAbsence { result: Claimed::Draw },
        ] {
            assert_eq!(game.act(actor, &command, 1), Err(Refusal::NotSeated), "{command:?}");
        }
    }
    for command in [Command::Flag, Command::Abort] {
        assert_eq!(game.act(Actor::Spectator, &command, 99_000), Err(Refusal::NotSeated));
    }
    game.act(Actor::Both, &step("e2e4"), 1).unwrap();
    game.act(Actor::Both, &step("e7e5"), 1).unwrap();
    assert_eq!(game.state.plies(), 2);
}

#[test]
fn a_refused_move_says_why() {
    let mut game = GameFixture::timed(Time::Unlimited);
    let refusal = game.play("f1c4", 1).unwrap_err();
    assert_eq!(
        refusal,
        Refusal::Move(hansu_chess::Refusal::Blocked { at: hansu_chess::Square::E2 })
    );
    assert_eq!(refusal.code(), "blocked");
    assert_eq!(game.state.plies(), 0);
}

#[test]
fn resignation_gives_the_game_to_the_other_side() {
    for (actor, ending) in [
        (Actor::White, "black resignation"),
        (Actor::Black, "white resignation"),
        (Actor::Both, "black resignation"),
    ] {
        let mut game = GameFixture::timed(Time::Unlimited);
        game.act(actor, &Command::Resign, 1).unwrap();
        assert_eq!(game.ending(), ending);
        assert_eq!(game.act(actor, &Command::Resign, 2), Err(Refusal::GameOver));
    }
    // On one screen the side to move gives up.
    let mut game = GameFixture::timed(Time::Unlimited);
    game.play("e2e4", 1).unwrap();
    game.act(Actor::Both, &Command::Resign, 2).unwrap();
    assert_eq!(game.ending(), "white resignation");
}

#[test]
fn a_game_ends_by_itself_with_its_last_move() {
    for (fen, uci, ending) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "white checkmate"),
        ("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", "f2f7", "nobody stalemate"),
        ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1e2", "nobody dead_position"),
        ("4k3/8/8/p1p1p1p1/P1P1P3/6P1/8/4K3 w - - 0 1", "g3g4", "nobody locked_pawns"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 149 90", "a1a2", "nobody seventy_five_moves"),
    ] {
        let mut game = GameFixture::from_fen(fen, Time::sudden_death(seconds(60)));
        let events = game.play(uci, 1_000);
        let Ok([Event::Moved { clocks: moved, .. }, Event::Ended { clocks: ended, .. }]) =
            events.as_deref()
        else {
            panic!("{fen}: {events:?}");
        };
        assert_eq!((game.ending().as_str(), moved), (ending, ended));
        assert_eq!(game.play(uci, 1_000), Err(Refusal::GameOver));
    }
}

#[test]
fn locked_pawns_end_a_game_when_it_is_decided_and_not_when_it_is_read() {
    let game =
        GameFixture::from_fen("4k3/8/8/p1p1p1p1/P1P1P3/6P1/8/4K3 w - - 0 1", Time::Unlimited);
    // An older log: the move that locks the pawns, and then others.
    let mut state = game.state.clone();
    for uci in ["g3g4", "e8e7", "e1e2"] {
        let event = Event::Moved {
            uci: uci.parse().unwrap(),
            received: state.at(),
            lag: Millis::ZERO,
            clocks: None,
        };
        let entry = Entry { seq: state.seq() + 1, at: state.at(), event };
        apply(&mut state, &entry).unwrap_or_else(|misfit| panic!("{uci}: {misfit}"));
    }
    assert_eq!((state.phase(), state.plies()), (Phase::Playing, 3));
    // A draw fits there; a win does not.
    for (winner, fits) in [(None, true), (Some(White), false)] {
        let ending = Ending { winner, reason: Rule::LockedPawns.into() };
        let event = Event::Ended { ending, clocks: None };
        let entry = Entry { seq: state.seq() + 1, at: state.at(), event };
        assert_eq!(apply(&mut state.clone(), &entry).is_ok(), fits);
    }
}

#[test]
fn a_fifth_repetition_ends_the_game() {
    let mut game = GameFixture::timed(Time::Unlimited);
    for _ in 0..7 {
        game.shuffle(1);
    }
    game.play("f3g1", 1).unwrap();
    assert_eq!(game.ending(), "-");
    game.play("f6g8", 1).unwrap();
    assert_eq!(game.ending(), "nobody fivefold_repetition");
}

#[test]
fn a_game_is_aborted_only_before_both_have_moved() {
    for actor in [Actor::White, Actor::Black, Actor::Both, Actor::System] {
        let mut game = GameFixture::timed(Time::Unlimited);
        game.clone().act(actor, &Command::Abort, 1).unwrap();
        game.play("e2e4", 1).unwrap();
        let mut aborted = game.clone();
        aborted.act(actor, &Command::Abort, 1).unwrap();
        assert_eq!(aborted.ending(), "nobody abort");
        assert_eq!(aborted.state.ending().unwrap().result(), "*");
        game.play("e7e5", 1).unwrap();
        assert_eq!(game.act(actor, &Command::Abort, 1), Err(Refusal::TooLateToAbort));
        game.act(Actor::White, &Command::Resign, 1).unwrap();
        assert_eq!(game.act(actor, &Command::Abort, 1), Err(Refusal::GameOver));
        assert_eq!(game.act(actor, &Command::Flag, 1), Err(Refusal::GameOver));
    }
}

#[test]
fn chat_is_for_players_and_for_spectators_when_allowed() {
    let say = |text: &str, name: Option<&str>| Command::Chat {
        text: text.to_owned(),
        name: name.map(str::to_owned),
    };
    let mut game = GameFixture::timed(Time::Unlimited);
    assert_eq!(game.act(Actor::Spectator, &say("e4!", None), 1), Err(Refusal::ChatClosed));
    let mut open = GameFixture::with(Start { spectators: Spectators::Chat, ..start() });
    let events = open.act(Actor::Spectator, &say(" e4! ", Some("Ara")), 1).unwrap();
    let (name, text) = (Some("Ara".to_owned()), "e4!".to_owned());
    assert_eq!(events, [Event::Chatted { from: Actor::Spectator, name, text }]);
    assert_eq!(
        open.act(Actor::Spectator, &say("e4!", Some("A\u{202E}")), 1),
        Err(Refusal::TextControl)
    );
    // A player has a name already.
    let events = game.act(Actor::White, &say("hi", Some("Jun")), 1).unwrap();
    assert_eq!(events, [Event::Chatted { from: Actor::White, name: None, text: "hi".to_owned() }]);
    assert_eq!(game.act(Actor::White, &say("a\nb", None), 1), Err(Refusal::TextControl));
    assert_eq!(game.act(Actor::White, &say(" ", None), 1), Err(Refusal::TextEmpty));
    assert!(game.act(Actor::White, &say(&"수".repeat(MAX_CHAT), None), 1).is_ok());
    let long = "수".repeat(MAX_CHAT + 1);
    assert_eq!(game.act(Actor::White, &say(&long, None), 1), Err(Refusal::TextTooLong));
    game.act(Actor::White, &Command::Resign, 1).unwrap();
    assert!(game.act(Actor::Black, &say("thanks", None), 1).is_ok());
}

#[test]
fn presence_is_reported_by_the_server_or_by_the_player() {
    let mut game = GameFixture::timed(Time::Unlimited);
    let leave = |side| Command::Leave { side };
    let back = |side| Command::Return { side };
    for (actor, side, refusal) in [
        (Actor::White, Black, Refusal::NotYourSeat),
        (Actor::Black, White, Refusal::NotYourSeat),
        (Actor::Spectator, White, Refusal::NotSeated),
    ] {
        assert_eq!(game.act(actor, &leave(side), 1), Err(refusal));
        assert_eq!(game.act(actor, &back(side), 1), Err(refusal));
    }
    for (actor, side) in
        [(Actor::White, White), (Actor::Black, Black), (Actor::Both, White), (Actor::System, Black)]
    {
        assert_eq!(game.act(actor, &back(side), 7), Err(Refusal::Unchanged));
        game.act(actor, &leave(side), 7).unwrap();
        assert_eq!(game.state.away_since(side), Some(Millis(7)));
        assert_eq!(game.state.away_since(!side), None);
        assert_eq!(game.act(actor, &leave(side), 8), Err(Refusal::Unchanged));
        game.act(actor, &back(side), 7).unwrap();
        assert_eq!(game.state.away_since(side), None);
    }
    game.act(Actor::White, &Command::Resign, 9).unwrap();
    assert!(game.act(Actor::System, &leave(White), 9).is_ok());
}

fn left_by(side: Color, time: Time) -> GameFixture {
    let mut game = GameFixture::under_way(time);
    game.act(Actor::System, &Command::Leave { side }, 1_000).unwrap();
    game
}

#[test]
fn a_game_is_claimed_from_a_player_who_has_left_long_enough() {
    for (time, most) in
        [(Time::sudden_death(seconds(600)), ABSENCE), (Time::Unlimited, ABSENCE_UNTIMED)]
    {
        for (result, ending) in
            [(Claimed::Win, "white abandonment"), (Claimed::Draw, "nobody abandonment")]
        {
            let claim = Command::ClaimAbsence { result };
            let mut game = left_by(Black, time.clone());
            let when = 1_000 + most.0;
            assert_eq!(game.act(Actor::White, &claim, when - 1), Err(Refusal::OpponentThere));
            assert_eq!(game.act(Actor::Black, &claim, when), Err(Refusal::OpponentThere));
            let mut returned = game.clone();
            returned.act(Actor::Black, &Command::Return { side: Black }, when - 1).unwrap();
            assert_eq!(returned.act(Actor::White, &claim, when), Err(Refusal::OpponentThere));
            game.act(Actor::White, &claim, when).unwrap();
            assert_eq!(game.ending(), ending);
        }
    }
}

#[test]
fn a_claim_needs_both_to_have_moved_and_players_who_should_be_there() {
    let claim = Command::ClaimAbsence { result: Claimed::Win };
    let mut game = GameFixture::timed(Time::Unlimited);
    game.play("e2e4", 1).unwrap();
    game.act(Actor::System, &Command::Leave { side: Black }, 1).unwrap();
    assert_eq!(game.act(Actor::White, &claim, 999_999), Err(Refusal::NotUnderWay));
    let mut slow = left_by(Black, Time::Correspondence { days: 7 });
    assert_eq!(slow.act(Actor::White, &claim, 999_999), Err(Refusal::OpponentThere));
}

#[test]
fn a_side_that_cannot_mate_claims_only_a_draw() {
    let mut game = GameFixture::from_fen("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", Time::Unlimited);
    game.play("e1d1", 1).unwrap();
    game.play("e8d8", 1).unwrap();
    game.act(Actor::System, &Command::Leave { side: White }, 1).unwrap();
    let claim = Command::ClaimAbsence { result: Claimed::Win };
    game.act(Actor::Black, &claim, 999_999).unwrap();
    assert_eq!(game.ending(), "nobody abandonment");
}

#[test]
fn a_full_log_takes_moves_and_the_end_but_no_talk() {
    let mut game = GameFixture::under_way(Time::Unlimited);
    let say = Command::Chat { text: "hi".to_owned(), name: None };
    let (leave, back) = (Command::Leave { side: Black }, Command::Return { side: Black });
    for _ in game.state.seq()..MAX_ENTRIES {
        game.act(Actor::White, &say, 1).unwrap();
    }
    assert_eq!(game.state.seq(), MAX_ENTRIES);
    for command in [say, offer(Offer::Draw)] {
        assert_eq!(game.act(Actor::Black, &command, 1), Err(Refusal::LogFull), "{command:?}");
    }
    // After all that chat, leaving and returning is still recorded, up to a bound.
    for _ in 0..1_000 {
        game.act(Actor::Black, &leave, 1).unwrap();
        game.act(Actor::Black, &back, 1).unwrap();
    }
    assert_eq!(game.act(Actor::Black, &leave, 1), Err(Refusal::LogFull));
    game.play("g1f3", 1).unwrap();
    game.act(Actor::White, &Command::Resign, 1).unwrap();
    assert_eq!(game.ending(), "black resignation");
}
