//! Several stores on one database, as several servers have them.

use std::collections::HashMap;
use std::sync::Barrier;

use hansu_ground::Postgres;
use hansu_records::stats::{Facet, Viewer};
use hansu_records::{
    Append, Appended, Archive, Begins, Error, Filter, GameId, Holder, Invitation, Invitations, Log,
    Once, PostgresStore, Score, Seat, Side, Status, Uses,
};

use super::{append, given, open};

const NODES: usize = 2;
const GAMES: usize = 6;
const EACH: usize = 40;

fn ids(number: usize) -> Vec<GameId> {
    (0..number).map(|_| GameId::random().expect("an id")).collect()
}

/// All threads append to all games, each in another order, and one of them ends each game.
#[test]
fn nodes_that_race_on_the_same_games_lose_and_double_nothing() {
    let server = Postgres::shared().expect("a server");
    let address = server.fresh().expect("a place");
    let nodes: Vec<PostgresStore> = (0..NODES).map(|_| open(&address)).collect();
    let games = ids(GAMES);
    let told: Vec<(GameId, String, u64)> = std::thread::scope(|scope| {
        let racers: Vec<_> = (0..4 * NODES)
            .map(|racer| {
                let (node, games) = (&nodes[racer % NODES], &games);
                scope.spawn(move || race(node, games, racer))
            })
            .collect();
        racers.into_iter().flat_map(|racer| racer.join().expect("no panic")).collect()
    });
    let mut by_game: HashMap<GameId, HashMap<String, u64>> = HashMap::new();
    for (game, text, seq) in told {
        assert_eq!(by_game.entry(game).or_default().insert(text, seq), None);
    }
    for &game in &games {
        let events = nodes[0].events(game, 0, 10_000).expect("events");
        assert_eq!(events, nodes[1].events(game, 0, 10_000).expect("events"));
        let told = &by_game[&game];
        assert_eq!((events.len(), told.len()), (4 * NODES * EACH, 4 * NODES * EACH));
        for (event, seq) in events.iter().zip(1..) {
            assert_eq!((event.seq, told.get(&event.body)), (seq, Some(&seq)));
        }
    }
    for node in &nodes {
        assert_eq!(node.check(), Ok(()));
    }
}

fn race(store: &PostgresStore, games: &[GameId], racer: usize) -> Vec<(GameId, String, u64)> {
    let mut last: HashMap<GameId, u64> = HashMap::new();
    let mut told = Vec::new();
    for number in 0..EACH {
        for step in 0..games.len() {
            // Forwards or backwards, each from another game.
            let step = if racer.is_multiple_of(2) { step } else { games.len() - 1 - step };
            let game = games[(step + racer) % games.len()];
            let text = format!("{racer} {number} {step}");
            let seq = loop {
                let expected = last.get(&game).copied().unwrap_or(0) + 1;
                match store.append(append(game, expected, &text)) {
                    Ok(answer) => {
                        assert_eq!(answer.once, Once::First);
                        break answer.seq;
                    }
                    Err(Error::Conflict { last_seq }) => drop(last.insert(game, last_seq)),
                    Err(Error::Busy) => {}
                    Err(other) => panic!("{other}"),
                }
            };
            last.insert(game, seq);
            told.push((game, text, seq));
        }
    }
    told
}

fn seat(side: Side, holder: u8) -> Seat {
    Seat { side, holder: Holder([holder; 32]) }
}

#[test]
fn an_invitation_is_used_once_whichever_node_is_asked() {
    let server = Postgres::shared().expect("a server");
    let address = server.fresh().expect("a place");
    let nodes: Vec<PostgresStore> = (0..NODES).map(|_| open(&address)).collect();
    for round in 0..20 {
        let invitation = Invitation {
            hash: [round; 32],
            game: GameId::random().expect("an id"),
            body: "{}".to_owned(),
            holder: Holder([1; 32]),
            made: 0,
            expires: 5_000,
            state: hansu_records::InvitationState::Open,
        };
        // If two nodes write the same invitation, only one succeeds.
        let start = Barrier::new(NODES);
        let kept: Vec<Result<(), Error>> = std::thread::scope(|scope| {
            let (start, invitation) = (&start, &invitation);
            let all = nodes.iter().map(|node| {
                scope.spawn(move || {
                    start.wait();
                    node.invite(invitation.clone())
                })
            });
            let all: Vec<_> = all.collect();
            all.into_iter().map(|one| one.join().expect("no panic")).collect()
        });
        assert_eq!(kept.iter().filter(|answer| answer.is_ok()).count(), 1, "{kept:?}");
        let start = Barrier::new(8);
        let answers: Vec<_> = std::thread::scope(|scope| {
            let guests: Vec<_> = (0..8)
                .map(|guest: u8| {
                    let (node, start, invitation) =
                        (&nodes[usize::from(guest) % NODES], &start, &invitation);
                    scope.spawn(move || {
                        let begins = Begins {
                            seats: vec![seat(Side::White, 1), seat(Side::Black, 10 + guest)],
                            uses: Some(Uses::Invitation(invitation.hash)),
                        };
                        let first = append(invitation.game, 1, &format!("guest {guest}"));
                        start.wait();
                        node.append(Append { begins: Some(begins), ..first })
                    })
                })
                .collect();
            guests.into_iter().map(|guest| guest.join().expect("no panic")).collect()
        });
        let winners: Vec<usize> = (0..8).filter(|guest| answers[*guest].is_ok()).collect();
        assert_eq!(winners.len(), 1, "{answers:?}");
        assert_eq!(answers.iter().filter(|answer| **answer == Err(Error::Spent)).count(), 7);
        let seats = nodes[1].seats(invitation.game).expect("seats");
        assert_eq!(seats[1], seat(Side::Black, 10 + winners[0] as u8));
    }
}

/// Games that end on all nodes change the same counters.
#[test]
fn what_nodes_count_together_is_right() {
    let server = Postgres::shared().expect("a server");
    let address = server.fresh().expect("a place");
    let nodes: Vec<PostgresStore> = (0..NODES).map(|_| open(&address)).collect();
    let each = 60;
    std::thread::scope(|scope| {
        for racer in 0..4 * NODES {
            let node = &nodes[racer % NODES];
            scope.spawn(move || {
                for number in 0..each {
                    let game = GameId::random().expect("an id");
                    let mut first = append(game, 1, "start");
                    given(&mut first).white = format!("Anna {}", number % 3);
                    given(&mut first).reason = Some("checkmate".to_owned());
                    node.append(first.clone()).expect("a game");
                    let mut end = Append { expected: 2, command_key: None, ..first };
                    given(&mut end).status = Status::Finished;
                    given(&mut end).score = Score::White;
                    node.append(end).expect("an end");
                }
            });
        }
    });
    let all = (4 * NODES * each) as u64;
    for node in &nodes {
        assert_eq!(node.totals(Viewer::Keeper).map(|tally| tally.white), Ok(all));
        assert_eq!(node.count(&Filter::default()), Ok(all));
        assert_eq!(
            node.player(Viewer::Keeper, "ben").map(|player| player.expect("Ben").black.losses),
            Ok(all)
        );
        let reasons = node.by(Viewer::Keeper, Facet::Reason, None).expect("reasons");
        assert_eq!((reasons.len(), reasons[0].tally.white), (1, all));
        let players = node.players(Viewer::Keeper, 10).expect("players");
        assert_eq!(players.len(), 4);
        assert_eq!(players[0].name, "Ben");
        assert_eq!(node.check(), Ok(()));
    }
}

#[test]
fn nodes_have_the_time_of_the_database() {
    let server = Postgres::shared().expect("a server");
    let store = open(&server.address());
    let before = hansu_records::dates::now();
    let clock = store.clock().expect("a clock");
    let after = hansu_records::dates::now();
    assert!((before - 1..=after + 1).contains(&clock), "{before} {clock} {after}");
}

#[test]
fn a_resend_is_known_at_whichever_node_it_arrives() {
    let server = Postgres::shared().expect("a server");
    let address = server.fresh().expect("a place");
    let nodes = [open(&address), open(&address)];
    let game = ids(1)[0];
    let name = |seq: u64| format!("command {seq}");
    let first = |seq| Ok(Appended { seq, once: Once::First });
    let again = |seq| Ok(Appended { seq, once: Once::Again });
    // Each node writes some events, so that each has seen only some of them.
    for seq in 1..=100 {
        let node = &nodes[usize::from(seq % 5 < 2)];
        assert_eq!(node.append(append(game, seq, &name(seq))), first(seq));
        for older in (1..=seq).filter(|older| older + 20 > seq || (older + seq) % 7 == 0) {
            let node = &nodes[usize::from((seq + older) % 2 == 0)];
            assert_eq!(node.append(append(game, seq + 1, &name(older))), again(older), "{seq}");
        }
    }
    // A game with the same id, after the first was deleted.
    nodes[1].delete(game).expect("no game");
    assert_eq!(nodes[1].append(append(game, 1, "new 1")), first(1));
    assert_eq!(nodes[0].append(append(game, 2, "new 1")), again(1));
    assert_eq!(nodes[0].append(append(game, 2, "command 100")), first(2));
    // Again, with more events than the other node has seen of the second game.
    nodes[1].delete(game).expect("no game");
    for seq in 1..=5 {
        assert_eq!(nodes[1].append(append(game, seq, &format!("newest {seq}"))), first(seq));
    }
    assert_eq!(nodes[0].append(append(game, 6, "newest 1")), again(1));
    assert_eq!(nodes[0].append(append(game, 6, "command 100")), first(6));
}
