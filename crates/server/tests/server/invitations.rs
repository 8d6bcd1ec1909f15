//! Invitations: used once, withdrawn, expired.

use hansu_ground::clients::{GameClient, Response, get, key, post};
use hansu_play::Millis;
use hansu_protocol::{self as wire, CLOSE_GONE, Invited, Made, SpentInvitation, Wish};
use hansu_server::{Clock, Config};
use serde_json::json;

use crate::test_server::TestServer;

/// The number of guests when a link went to a whole class.
const JOINERS: usize = 20;

/// Why it cannot be used.
fn read(answer: &Response) -> SpentInvitation {
    serde_json::from_slice(&answer.body).expect("a spent invitation")
}

async fn invite(server: &TestServer, key: &str) -> (Made, String) {
    let new = json!({ "with": "friend", "name": "Anna", "color": "white" });
    let made: Made = post(server.at, "/api/games", &new).key(key).send().await.read();
    let path = format!("/api/invitations/{}", made.invitation.clone().expect("an invitation"));
    (made, path)
}

#[tokio::test]
async fn of_twenty_guests_with_one_link_one_gets_the_seat() {
    let server = TestServer::open().await;
    let host = key(server.at).await;
    let (made, path) = invite(&server, &host).await;
    let invited: Invited = get(server.at, &path).send().await.read();
    assert_eq!((invited.name.as_str(), invited.game.as_str()), ("Anna", made.game.as_str()));
    let mut joining = tokio::task::JoinSet::new();
    for number in 0..JOINERS {
        let (at, path) = (server.at, path.clone());
        joining.spawn(async move {
            let key = key(at).await;
            let name = format!("Guest {number}");
            (post(at, &path, &json!({ "name": name })).key(&key).send().await, key, name)
        });
    }
    let (mut seated, mut late) = (Vec::new(), 0);
    while let Some(joined) = joining.join_next().await {
        let (answer, key, name) = joined.unwrap();
        match answer.status {
            201 => seated.push((key, name)),
            410 => {
                assert_eq!(answer.refusal().1, "invitation_spent");
                late += 1;
            }
            404 => {
                assert_eq!(answer.refusal().1, "no_such_invitation");
                late += 1;
            }
            _ => panic!("{answer:?}"),
        }
    }
    assert_eq!((seated.len(), late), (1, JOINERS - 1));
    let (key, name) = &seated[0];
    let mut black = GameClient::join(server.at, &made.game, Some(key)).await;
    assert_eq!(black.snapshot().await.start.names.black, *name);
    let mut white = GameClient::join(server.at, &made.game, Some(&host)).await;
    white.go("e2e4").await.unwrap();
    black.reach(2).await;
    black.go("e7e5").await.unwrap();
}

#[tokio::test]
async fn a_guest_who_joins_twice_at_once_gets_the_seat_both_times() {
    let server = TestServer::open().await;
    let (made, path) = invite(&server, &key(server.at).await).await;
    let guest = key(server.at).await;
    let mut joining = tokio::task::JoinSet::new();
    for _ in 0..JOINERS {
        let (at, path, guest) = (server.at, path.clone(), guest.clone());
        joining.spawn(async move {
            post(at, &path, &json!({ "name": "Ben" })).key(&guest).send().await
        });
    }
    let mut first = 0;
    while let Some(joined) = joining.join_next().await {
        let answer = joined.unwrap();
        assert!(matches!(answer.status, 200 | 201), "{answer:?}");
        first += usize::from(answer.status == 201);
        assert_eq!(answer.read::<Made>().game, made.game);
    }
    assert_eq!(first, 1);
}

#[tokio::test]
async fn a_withdrawn_invitation_is_gone_for_all() {
    let server = TestServer::open().await;
    let host = key(server.at).await;
    let (made, path) = invite(&server, &host).await;
    let mut white = GameClient::join(server.at, &made.game, Some(&host)).await;
    // A client that only has the link cannot withdraw it.
    let mut watching = GameClient::join(server.at, &made.game, None).await;
    assert_eq!(watching.refusal_code(Wish::Abort).await, "not_your_game");
    white.send("w", Wish::Abort).await;
    assert_eq!(white.connection.read_to_end().await, Some(CLOSE_GONE));
    assert_eq!(watching.connection.read_to_end().await, Some(CLOSE_GONE));
    let gone = (410, "invitation_withdrawn".to_owned());
    assert_eq!(get(server.at, &path).send().await.refusal(), gone);
    assert_eq!(post(server.at, &path, &json!({})).send().await.refusal(), gone);
    // Over HTTP as well.
    let (made, path) = invite(&server, &host).await;
    let abort = json!({ "id": "a", "command": { "type": "abort" } });
    let commands = format!("/api/games/{}/commands", made.game);
    let stranger = post(server.at, &commands, &abort).send().await;
    assert_eq!(stranger.refusal(), (403, "not_your_game".into()));
    assert_eq!(post(server.at, &commands, &abort).key(&host).send().await.status, 200);
    assert_eq!(get(server.at, &path).send().await.refusal(), gone);
}

#[tokio::test]
async fn an_invitation_lasts_a_week_and_a_restart() {
    let server = TestServer::open().await;
    let host = key(server.at).await;
    let (_, path) = invite(&server, &host).await;
    let (_, other) = invite(&server, &host).await;
    let later =
        |days| Config { clock: Clock::start().ahead(Millis::days(days)), ..Config::default() };
    let server = server.restart(later(6)).await;
    assert_eq!(post(server.at, &other, &json!({ "name": "Ben" })).send().await.status, 201);
    let server = server.restart(later(8)).await;
    let gone = (410, "invitation_expired".to_owned());
    assert_eq!(get(server.at, &path).send().await.refusal(), gone);
    assert_eq!(post(server.at, &path, &json!({})).send().await.refusal(), gone);
    // The used one is remembered longer than that.
    let server = server.restart(later(60)).await;
    assert_eq!(get(server.at, &other).send().await.refusal(), (410, "invitation_spent".into()));
}

#[tokio::test]
async fn a_used_link_leads_back_to_the_seat_and_says_so_to_others() {
    let server = TestServer::open().await;
    let (host, guest, third) = (key(server.at).await, key(server.at).await, key(server.at).await);
    let (made, path) = invite(&server, &host).await;
    let own: Invited = get(server.at, &path).key(&host).send().await.read();
    assert!(own.own);
    let seen: Invited = get(server.at, &path).key(&guest).send().await.read();
    assert!(!seen.own);
    let first = post(server.at, &path, &json!({ "name": "Ben" })).key(&guest).send().await;
    assert_eq!(first.status, 201);
    let joined: Made = first.read();
    // The guest joins again, from a link in a chat or because the first answer was lost.
    let again = post(server.at, &path, &json!({ "name": "Ben" })).key(&guest).send().await;
    assert_eq!(again.status, 200);
    assert_eq!(again.read::<Made>(), joined);
    for (who, seat) in [(&host, wire::Seat::White), (&guest, joined.seat)] {
        let answer = get(server.at, &path).key(who).send().await;
        assert_eq!(answer.refusal(), (410, "invitation_spent".into()));
        let spent: SpentInvitation = read(&answer);
        assert_eq!((spent.game.as_str(), spent.seat), (made.game.as_str(), Some(seat)));
    }
    // Other clients learn what happened, and nothing else of a private game.
    for answer in [
        get(server.at, &path).key(&third).send().await,
        post(server.at, &path, &json!({ "name": "Eve" })).key(&third).send().await,
        get(server.at, &path).send().await,
    ] {
        assert_eq!(answer.refusal(), (410, "invitation_spent".into()));
        assert!(!answer.text().contains(&made.game), "{}", answer.text());
    }
    let open = json!({ "with": "friend", "color": "white", "visibility": "public" });
    let open: Made = post(server.at, "/api/games", &open).key(&host).send().await.read();
    let path = format!("/api/invitations/{}", open.invitation.expect("an invitation"));
    post(server.at, &path, &json!({ "name": "Ben" })).key(&guest).send().await;
    let spent: SpentInvitation = read(&get(server.at, &path).key(&third).send().await);
    assert_eq!((spent.game, spent.seat), (open.game, None));
}

#[tokio::test]
async fn nonsense_is_no_invitation_and_no_game() {
    let server = TestServer::open().await;
    let long = "a".repeat(2_000);
    for token in ["x", "00000000000000000000000000000000", long.as_str(), "%F0%9F%92%A9", "..%2F.."]
    {
        let answer = get(server.at, &format!("/api/invitations/{token}")).send().await;
        assert_eq!(answer.refusal(), (404, "no_such_invitation".into()), "{token}");
    }
    for fen in ["not a position", "8/8/8/8/8/8/8/8 w - - 0 1"] {
        let new = json!({ "with": "friend", "fen": fen });
        let refused = post(server.at, "/api/games", &new).send().await;
        assert_eq!(refused.refusal(), (422, "bad_position".into()));
    }
    for level in [0, 11] {
        let new = json!({ "with": "computer", "level": level });
        let refused = post(server.at, "/api/games", &new).send().await.refusal();
        assert_eq!(refused, (400, "bad_request".into()), "{level}");
    }
    let name = "x".repeat(65);
    let new = json!({ "with": "friend", "name": name });
    assert_eq!(post(server.at, "/api/games", &new).send().await.refusal().1, "text_too_long");
}

#[tokio::test]
async fn a_player_cannot_accept_the_own_invitation() {
    let server = TestServer::open().await;
    let host = key(server.at).await;
    let (_, path) = invite(&server, &host).await;
    let own = post(server.at, &path, &json!({ "name": "Anna" })).key(&host).send().await;
    assert_eq!(own.refusal(), (403, "own_invitation".into()));
    // The link can still be used.
    let guest = key(server.at).await;
    let joined = post(server.at, &path, &json!({ "name": "Ben" })).key(&guest).send().await;
    assert_eq!(joined.status, 201);
}

#[tokio::test]
async fn a_guest_whose_name_looks_like_the_hosts_gets_another() {
    let server = TestServer::open().await;
    let names = async |guest: &str| {
        let (made, path) = invite(&server, &key(server.at).await).await;
        let guest = json!({ "name": guest });
        let joined = post(server.at, &path, &guest).key(&key(server.at).await).send().await;
        assert_eq!(joined.status, 201);
        let seen = get(server.at, &format!("/api/games/{}/state", made.game));
        let seen = seen.key(&key(server.at).await).send().await.json();
        let names = &seen["start"]["names"];
        [&names["white"], &names["black"]].map(|name| name.as_str().expect("a name").to_owned())
    };
    assert_eq!(names("Ben").await, ["Anna", "Ben"]);
    assert_eq!(names("anna").await, ["Anna", "anna (2)"]);
    // With Cyrillic letters.
    assert_eq!(names("Аnnа").await, ["Anna", "Аnnа (2)"]);
    assert_eq!(names("").await, ["Anna", "Guest"]);
}
