//! Refused commands, endings and offers of a game between two seats.

use std::collections::BTreeSet;

use hansu_chess::{Color, FenError, Position, Square};
use hansu_play::{Ending, Offer, Reason, Refusal};
use hansu_words::Lang;

use crate::check;

/// Every refusal that is not about a single move or a FEN. The match fails to compile when a variant
/// is added: then add it to this list too.
pub(crate) fn refusals() -> Vec<Refusal> {
    fn known(refusal: Refusal) {
        match refusal {
            Refusal::Move(_)
            | Refusal::Position(_)
            | Refusal::PositionOver
            | Refusal::BadTime
            | Refusal::TextEmpty
            | Refusal::TextTooLong
            | Refusal::TextControl
            | Refusal::BadId
            | Refusal::NotStarted
            | Refusal::AlreadyStarted
            | Refusal::NotSeated
            | Refusal::SystemOnly
            | Refusal::NotYourSeat
            | Refusal::NotYourTurn
            | Refusal::GameOver
            | Refusal::GameNotOver
            | Refusal::Adjourned
            | Refusal::NotAdjourned
            | Refusal::NothingOffered
            | Refusal::AlreadyOffered
            | Refusal::OfferedTooSoon
            | Refusal::NothingToTakeBack
            | Refusal::TooLateToAbort
            | Refusal::NothingToClaim
            | Refusal::OpponentThere
            | Refusal::NotUnderWay
            | Refusal::TimeLeft
            | Refusal::NoClock
            | Refusal::NoGift
            | Refusal::EnoughGiven
            | Refusal::RematchAgreed
            | Refusal::ChatClosed
            | Refusal::Unchanged
            | Refusal::LogFull => {}
        }
    }
    let all = vec![
        Refusal::PositionOver,
        Refusal::BadTime,
        Refusal::TextEmpty,
        Refusal::TextTooLong,
        Refusal::TextControl,
        Refusal::BadId,
        Refusal::NotStarted,
        Refusal::AlreadyStarted,
        Refusal::NotSeated,
        Refusal::SystemOnly,
        Refusal::NotYourSeat,
        Refusal::NotYourTurn,
        Refusal::GameOver,
        Refusal::GameNotOver,
        Refusal::Adjourned,
        Refusal::NotAdjourned,
        Refusal::NothingOffered,
        Refusal::AlreadyOffered,
        Refusal::OfferedTooSoon,
        Refusal::NothingToTakeBack,
        Refusal::TooLateToAbort,
        Refusal::NothingToClaim,
        Refusal::OpponentThere,
        Refusal::NotUnderWay,
        Refusal::TimeLeft,
        Refusal::NoClock,
        Refusal::NoGift,
        Refusal::EnoughGiven,
        Refusal::RematchAgreed,
        Refusal::ChatClosed,
        Refusal::Unchanged,
        Refusal::LogFull,
    ];
    all.iter().copied().for_each(known);
    all
}

#[test]
fn every_refused_command_has_a_sentence_with_advice() {
    let position = Position::start();
    for lang in Lang::ALL {
        let mut seen = BTreeSet::new();
        for refusal in refusals() {
            let text = lang.play_refusal(refusal, &position);
            check(lang, &text);
            // The reason and the advice: more than one sentence.
            assert!(crate::sentences(&text).len() > 1, "{text}");
            assert!(seen.insert(text), "{refusal}");
        }
    }
}

#[test]
fn refused_moves_and_positions_have_the_sentences_of_the_rules() {
    let position = Position::start();
    let blocked = position.refusal(Square::A1, Square::A3, None).expect("a refusal");
    for lang in Lang::ALL {
        assert_eq!(
            lang.play_refusal(Refusal::Move(blocked), &position),
            lang.refusal(blocked, &position)
        );
        assert_eq!(
            lang.play_refusal(Refusal::Position(FenError::Turn), &position),
            lang.fen_error(FenError::Turn)
        );
    }
}

#[test]
fn whose_turn_it_is_comes_from_the_position() {
    let position: Position =
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".parse().expect("a position");
    let text = Lang::En.play_refusal(Refusal::NotYourTurn, &position);
    assert!(text.starts_with("It is Black's turn."), "{text}");
    let text = Lang::Ko.play_refusal(Refusal::NotYourTurn, &position);
    assert!(text.starts_with("지금은 흑 차례예요."), "{text}");
}

#[test]
fn sentences_about_bounds_contain_the_numbers() {
    let position = Position::start();
    for lang in Lang::ALL {
        for (refusal, numbers) in [
            (Refusal::BadTime, &["1", "24", "60", "8", "365"][..]),
            (Refusal::TextTooLong, &["64", "300"]),
            (Refusal::BadId, &["1", "64"]),
            (Refusal::OpponentThere, &["1", "3"]),
        ] {
            let text = lang.play_refusal(refusal, &position);
            let found: Vec<&str> =
                text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).collect();
            for number in numbers {
                assert!(found.contains(number), "{number}: {text}");
            }
        }
    }
}

#[test]
fn every_sentence_about_an_ending_names_the_winner() {
    for lang in Lang::ALL {
        for reason in Reason::all() {
            for winner in [None, Some(Color::White), Some(Color::Black)] {
                let text = lang.ending(Ending { winner, reason });
                check(lang, &text);
                let (won, drawn) = match lang {
                    Lang::En => (" wins", "Draw"),
                    Lang::Ko => (" 이겼어요", "비겼어요"),
                };
                let counts = reason != Reason::Abort;
                assert_eq!(text.contains(won), winner.is_some() && counts, "{text}");
                assert_eq!(text.contains(drawn), winner.is_none() && counts, "{text}");
                if let (Some(winner), true) = (winner, counts) {
                    let named = match lang {
                        Lang::En => format!("{} wins", lang.color(winner)),
                        Lang::Ko => format!("{}이 이겼어요", lang.color(winner)),
                    };
                    assert!(text.contains(&named), "{text}");
                }
            }
        }
    }
}

#[test]
fn endings_beyond_the_rules_say_who_and_why() {
    let ending = |winner, reason| Ending { winner, reason };
    for (ending, english, korean) in [
        (
            ending(Some(Color::Black), Reason::Timeout),
            "Black wins on time: White's clock has run out.",
            "백의 시간이 다 되어 흑이 이겼어요.",
        ),
        (
            ending(None, Reason::TimeoutDraw),
            "Draw: a clock has run out, but the other side could never give mate.",
            "시간이 다 됐지만 상대에게 체크메이트할 기물이 없어 비겼어요.",
        ),
        (
            ending(Some(Color::White), Reason::Abandonment),
            "White wins: Black has left and not come back.",
            "흑이 자리를 비우고 돌아오지 않아 백이 이겼어요.",
        ),
        (
            ending(None, Reason::Abandonment),
            "Draw: a player has left and not come back.",
            "한쪽이 자리를 비우고 돌아오지 않아 비겼어요.",
        ),
        (
            ending(None, Reason::Abort),
            "The game was aborted before both sides had moved, so it does not count.",
            "양쪽이 모두 수를 두기 전에 취소된 게임이라 전적에 들어가지 않아요.",
        ),
        (
            ending(Some(Color::White), hansu_chess::Reason::Checkmate.into()),
            "White wins by checkmate.",
            "체크메이트로 백이 이겼어요.",
        ),
    ] {
        assert_eq!(Lang::En.ending(ending), english);
        assert_eq!(Lang::Ko.ending(ending), korean);
    }
}

#[test]
fn reasons_and_offers_have_names_of_their_own() {
    for lang in Lang::ALL {
        let reasons: BTreeSet<_> = Reason::all().map(|reason| lang.ending_reason(reason)).collect();
        assert_eq!(reasons.len(), Reason::all().count());
        for reason in hansu_chess::Reason::ALL {
            assert_eq!(lang.ending_reason(reason.into()), lang.reason(reason));
        }
        let offers: BTreeSet<_> = Offer::ALL.iter().map(|&offer| lang.offer(offer)).collect();
        assert_eq!(offers.len(), Offer::ALL.len());
        for word in reasons.into_iter().chain(offers) {
            let hangul = word.chars().any(|c| ('가'..='힣').contains(&c));
            assert_eq!(hangul, lang == Lang::Ko, "{word}");
            assert!(!word.ends_with(['.', ' ']), "{word}");
        }
    }
}
