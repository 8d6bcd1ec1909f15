//! Invitations: used once, withdrawn, expired.

use hansu_ground::clients::{Answer, Seat, get, key, post};
use hansu_play::Millis;
use hansu_protocol::{CLOSE_GONE, Invited, Made, Place, SpentInvitation, Wish};
use hansu_server::{Clock, Config};
use serde_json::json;

use crate::house::House;

/// As many as one may expect to follow a link that went to a whole class.
const JOINERS: usize = 20;

/// Why it cannot be used.
fn read(answer: &Answer) -> SpentInvitation {
    serde_json::from_slice(&answer.body).expect("a spent invitation")
}

async fn invite(house: &House, key: &str) -> (Made, String) {
    let new = json!({ "with": "friend", "name": "Anna", "color": "white" });
    let made: Made = post(house.at, "/api/games", &new).key(key).send().await.read();
    let path = format!("/api/invitations/{}", made.invitation.clone().expect("an invitation"));
    (made, path)
}

#[tokio::test]
async fn of_twenty_who_follow_a_link_at_once_one_sits_down() {
    let house = House::open().await;
    let host = key(house.at).await;
    let (made, path) = invite(&house, &host).await;
    let invited: Invited = get(house.at, &path).send().await.read();
    assert_eq!((invited.name.as_str(), invited.game.as_str()), ("Anna", made.game.as_str()));
    let mut joining = tokio::task::JoinSet::new();
    for number in 0..JOINERS {
        let (at, path) = (house.at, path.clone());
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
    let mut black = Seat::take(house.at, &made.game, Some(key)).await;
    assert_eq!(black.snapshot().await.start.names.black, *name);
    let mut white = Seat::take(house.at, &made.game, Some(&host)).await;
    white.go("e2e4").await.unwrap();
    black.reach(2).await;
    black.go("e7e5").await.unwrap();
}

#[tokio::test]
async fn a_guest_who_joins_twice_at_once_gets_the_seat_both_times() {
    let house = House::open().await;
    let (made, path) = invite(&house, &key(house.at).await).await;
    let guest = key(house.at).await;
    let mut joining = tokio::task::JoinSet::new();
    for _ in 0..JOINERS {
        let (at, path, guest) = (house.at, path.clone(), guest.clone());
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
async fn a_withdrawn_invitation_is_gone_for_everybody() {
    let house = House::open().await;
    let host = key(house.at).await;
    let (made, path) = invite(&house, &host).await;
    let mut white = Seat::take(house.at, &made.game, Some(&host)).await;
    // Somebody who only has the link cannot withdraw.
    let mut watching = Seat::take(house.at, &made.game, None).await;
    assert_eq!(watching.refused(Wish::Abort).await, "not_your_game");
    white.send("w", Wish::Abort).await;
    assert_eq!(white.line.end().await, Some(CLOSE_GONE));
    assert_eq!(watching.line.end().await, Some(CLOSE_GONE));
    let gone = (410, "invitation_withdrawn".to_owned());
    assert_eq!(get(house.at, &path).send().await.refusal(), gone);
    assert_eq!(post(house.at, &path, &json!({})).send().await.refusal(), gone);
    // Over HTTP as well.
    let (made, path) = invite(&house, &host).await;
    let abort = json!({ "id": "a", "command": { "type": "abort" } });
    let commands = format!("/api/games/{}/commands", made.game);
    let stranger = post(house.at, &commands, &abort).send().await;
    assert_eq!(stranger.refusal(), (403, "not_your_game".into()));
    assert_eq!(post(house.at, &commands, &abort).key(&host).send().await.status, 200);
    assert_eq!(get(house.at, &path).send().await.refusal(), gone);
}

#[tokio::test]
async fn an_invitation_lasts_a_week_and_a_restart() {
    let house = House::open().await;
    let host = key(house.at).await;
    let (_, path) = invite(&house, &host).await;
    let (_, other) = invite(&house, &host).await;
    let later =
        |days| Config { clock: Clock::start().ahead(Millis::days(days)), ..Config::default() };
    let house = house.restart(later(6)).await;
    assert_eq!(post(house.at, &other, &json!({ "name": "Ben" })).send().await.status, 201);
    let house = house.restart(later(8)).await;
    let gone = (410, "invitation_expired".to_owned());
    assert_eq!(get(house.at, &path).send().await.refusal(), gone);
    assert_eq!(post(house.at, &path, &json!({})).send().await.refusal(), gone);
    // The used one is remembered longer than that.
    let house = house.restart(later(60)).await;
    assert_eq!(get(house.at, &other).send().await.refusal(), (410, "invitation_spent".into()));
}

#[tokio::test]
async fn a_used_link_leads_back_to_the_seat_and_says_so_to_others() {
    let house = House::open().await;
    let (host, guest, third) = (key(house.at).await, key(house.at).await, key(house.at).await);
    let (made, path) = invite(&house, &host).await;
    let own: Invited = get(house.at, &path).key(&host).send().await.read();
    assert!(own.own);
    let seen: Invited = get(house.at, &path).key(&guest).send().await.read();
    assert!(!seen.own);
    let first = post(house.at, &path, &json!({ "name": "Ben" })).key(&guest).send().await;
    assert_eq!(first.status, 201);
    let joined: Made = first.read();
    // The guest joins again, from a link in a chat or because the first answer was lost.
    let again = post(house.at, &path, &json!({ "name": "Ben" })).key(&guest).send().await;
    assert_eq!(again.status, 200);
    assert_eq!(again.read::<Made>(), joined);
    for (who, seat) in [(&host, Place::White), (&guest, joined.seat)] {
        let answer = get(house.at, &path).key(who).send().await;
        assert_eq!(answer.refusal(), (410, "invitation_spent".into()));
        let spent: SpentInvitation = read(&answer);
        assert_eq!((spent.game.as_str(), spent.seat), (made.game.as_str(), Some(seat)));
    }
    // Others hear what happened; of a private game nothing else.
    for answer in [
        get(house.at, &path).key(&third).send().await,
        post(house.at, &path, &json!({ "name": "Eve" })).key(&third).send().await,
        get(house.at, &path).send().await,
    ] {
        assert_eq!(answer.refusal(), (410, "invitation_spent".into()));
        assert!(!answer.text().contains(&made.game), "{}", answer.text());
    }
    let open = json!({ "with": "friend", "color": "white", "visibility": "public" });
    let open: Made = post(house.at, "/api/games", &open).key(&host).send().await.read();
    let path = format!("/api/invitations/{}", open.invitation.expect("an invitation"));
    post(house.at, &path, &json!({ "name": "Ben" })).key(&guest).send().await;
    let spent: SpentInvitation = read(&get(house.at, &path).key(&third).send().await);
    assert_eq!((spent.game, spent.seat), (open.game, None));
}

#[tokio::test]
async fn nonsense_is_no_invitation_and_no_game() {
    let house = House::open().await;
    let long = "a".repeat(2_000);
    for token in ["x", "00000000000000000000000000000000", long.as_str(), "%F0%9F%92%A9", "..%2F.."]
    {
        let answer = get(house.at, &format!("/api/invitations/{token}")).send().await;
        assert_eq!(answer.refusal(), (404, "no_such_invitation".into()), "{token}");
    }
    for fen in ["not a position", "8/8/8/8/8/8/8/8 w - - 0 1"] {
        let new = json!({ "with": "friend", "fen": fen });
        let refused = post(house.at, "/api/games", &new).send().await;
        assert_eq!(refused.refusal(), (422, "bad_position".into()));
    }
    for level in [0, 11] {
        let new = json!({ "with": "computer", "level": level });
        let refused = post(house.at, "/api/games", &new).send().await.refusal();
        assert_eq!(refused, (400, "bad_request".into()), "{level}");
    }
    let name = "x".repeat(65);
    let new = json!({ "with": "friend", "name": name });
    assert_eq!(post(house.at, "/api/games", &new).send().await.refusal().1, "text_too_long");
}

#[tokio::test]
async fn nobody_takes_both_seats_by_following_their_own_link() {
    let house = House::open().await;
    let host = key(house.at).await;
    let (_, path) = invite(&house, &host).await;
    let own = post(house.at, &path, &json!({ "name": "Anna" })).key(&host).send().await;
    assert_eq!(own.refusal(), (403, "own_invitation".into()));
    // The link is as good as before.
    let guest = key(house.at).await;
    let joined = post(house.at, &path, &json!({ "name": "Ben" })).key(&guest).send().await;
    assert_eq!(joined.status, 201);
}

#[tokio::test]
async fn nobody_sits_down_under_a_name_that_looks_like_the_others() {
    let house = House::open().await;
    let names = async |guest: &str| {
        let (made, path) = invite(&house, &key(house.at).await).await;
        let guest = json!({ "name": guest });
        let joined = post(house.at, &path, &guest).key(&key(house.at).await).send().await;
        assert_eq!(joined.status, 201);
        let seen = get(house.at, &format!("/api/games/{}/state", made.game));
        let seen = seen.key(&key(house.at).await).send().await.json();
        let names = &seen["start"]["names"];
        [&names["white"], &names["black"]].map(|name| name.as_str().expect("a name").to_owned())
    };
    assert_eq!(names("Ben").await, ["Anna", "Ben"]);
    assert_eq!(names("anna").await, ["Anna", "anna (2)"]);
    // With Cyrillic letters.
    assert_eq!(names("Аnnа").await, ["Anna", "Аnnа (2)"]);
    assert_eq!(names("").await, ["Anna", "Guest"]);
}
