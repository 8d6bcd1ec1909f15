//! The refusals of the server.

use std::collections::BTreeSet;

use hansu_words::{Lang, ServerRefusal};

use crate::{check, play, sentences};

#[test]
fn every_refusal_has_a_sentence_with_advice() {
    for lang in Lang::ALL {
        let mut seen = BTreeSet::new();
        for &refusal in ServerRefusal::ALL {
            let text = lang.server_refusal(refusal);
            check(lang, text);
            // For a text that is not a move, the notation alone is enough.
            let enough = refusal == ServerRefusal::BadMove || sentences(text).len() > 1;
            assert!(enough, "{text}");
            assert!(seen.insert(text), "{refusal}");
        }
    }
}

#[test]
fn the_list_has_every_refusal_once() {
    // A variant missing from the list leaves a gap in the numbers, or makes them end early.
    let numbers: BTreeSet<usize> =
        ServerRefusal::ALL.iter().map(|&refusal| refusal as usize).collect();
    assert_eq!(numbers, (0..ServerRefusal::ALL.len()).collect());
    let last = ServerRefusal::ALL.last().copied();
    assert_eq!(last, Some(ServerRefusal::NotNearby));
    assert!(ServerRefusal::ALL.iter().all(|&refusal| known(refusal)));
}

/// Fails to compile when a variant is added: then add it to `ServerRefusal::ALL` too.
const fn known(refusal: ServerRefusal) -> bool {
    match refusal {
        ServerRefusal::Busy
        | ServerRefusal::TooFast
        | ServerRefusal::BadMessage
        | ServerRefusal::BadMove
        | ServerRefusal::NoSuchGame
        | ServerRefusal::NoSuchInvitation
        | ServerRefusal::InvitationSpent
        | ServerRefusal::InvitationWithdrawn
        | ServerRefusal::InvitationExpired
        | ServerRefusal::TooManyInvitations
        | ServerRefusal::NotYourGame
        | ServerRefusal::ForeignOrigin
        | ServerRefusal::ForeignHost
        | ServerRefusal::NoEvents
        | ServerRefusal::BadName
        | ServerRefusal::Unsure
        | ServerRefusal::BadRequest
        | ServerRefusal::TooLarge
        | ServerRefusal::NoSeek
        | ServerRefusal::OwnSeek
        | ServerRefusal::OwnInvitation
        | ServerRefusal::Private
        | ServerRefusal::NotFound
        | ServerRefusal::Unavailable
        | ServerRefusal::ClockInDoubt
        | ServerRefusal::TooManyConnections
        | ServerRefusal::MethodNotAllowed
        | ServerRefusal::SlowRequest
        | ServerRefusal::NoKey
        | ServerRefusal::NoSuchPass
        | ServerRefusal::AnalysisBudget
        | ServerRefusal::NoHint
        | ServerRefusal::NotNearby
        | ServerRefusal::ImportBudget
        | ServerRefusal::StillPlayed => true,
    }
}

#[test]
fn codes_are_plain_and_mean_one_thing() {
    let codes: BTreeSet<_> = ServerRefusal::ALL.iter().map(|refusal| refusal.code()).collect();
    assert_eq!(codes.len(), ServerRefusal::ALL.len());
    for code in &codes {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
        assert!(
            code.bytes().all(plain) && !code.starts_with('_') && !code.ends_with('_'),
            "{code}"
        );
    }
    for &refusal in ServerRefusal::ALL {
        // `NoSeek` is `no_seek`.
        let name = format!("{refusal:?}");
        let words = name.split_inclusive(char::is_uppercase).count() - 1;
        assert_eq!(refusal.code().split('_').count(), words, "{refusal}");
        assert_eq!(refusal.code().replace('_', ""), name.to_lowercase(), "{refusal}");
        assert_eq!(refusal.to_string(), refusal.code());
    }
    // On the wire, the codes of games and moves are in the same field.
    let others: BTreeSet<_> =
        play::refusals().iter().map(hansu_play::Refusal::code).chain(["bad_position"]).collect();
    assert!(codes.is_disjoint(&others));
    assert!(codes.is_disjoint(&crate::rules::codes()));
}
