//! New games, invitations, and commands over HTTP.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use hansu_chess::{Color, Variant};
use hansu_journal::log_time;
use hansu_live::{CommandAnswer, CommandError, CommandKey, CommandRequest};
use hansu_play::{Actor, Moment, Source, Spectators, Start, TimeControl, distinct_name};
use hansu_protocol::{self as wire, Choice, Invited, Made, NewGame, Opponent, Wish};
use hansu_records::{
    Begins, Error, GameId, Invitation, InvitationState, Seat, Side, Uses, Visibility,
};
use hansu_view as view;
use hansu_words::{Lang, ServerRefusal};

use super::App;
use super::body::Body;
use super::devices::identity;
use super::params::PathParams;
use super::player::Player;
use super::problem::Problem;
use super::rows::wire_seat;
use super::sockets::{fresh_game, mark};
use crate::archive;
use crate::beginnings::{InvitationBody, visibility};
use crate::bus::GameNews;
use crate::figures;
use crate::hosted_game::HostedGame;
use crate::keys::Key;
use crate::lobby::first_is_white;

/// The name of a player who joins another, changed if it could be mistaken for the other's. Players
/// without a name keep the word for a guest.
pub(crate) fn beside(name: &str, other: &str) -> String {
    if Lang::ALL.iter().any(|lang| lang.guest() == name) {
        name.to_owned()
    } else {
        distinct_name(name, other)
    }
}

/// A random number.
pub(crate) fn random() -> Result<u64, Error> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|_| Error::NoRandomness)?;
    Ok(u64::from_le_bytes(bytes))
}

/// A fair coin.
pub(crate) fn coin() -> Result<bool, Error> {
    Ok(random()? & 1 == 1)
}

/// Makes a game, or an invitation to one.
pub(crate) async fn create(
    State(app): State<App>,
    player: Player,
    Body(new): Body<NewGame>,
) -> Result<Response, Problem> {
    let lang = player.lang;
    let log = |error| Problem::log(error, lang);
    let (key, headers) = identity(&app, &player)?;
    let id = GameId::random().map_err(log)?;
    let draw = random().map_err(log)?;
    let (variant, fen) = view::setup(new.variant, new.fen.clone(), draw);
    let made = match new.with {
        Opponent::Computer => {
            let asked = new.visibility;
            let start = view::against_computer(new, lang, draw)
                .ok_or_else(|| Problem::of(ServerRefusal::BadRequest, lang))?;
            let (seat, side) = match start.computer.map(|computer| computer.side) {
                Some(Color::White) => (wire::Seat::Black, Side::Black),
                _ => (wire::Seat::White, Side::White),
            };
            let shown = visibility(asked.unwrap_or(wire::Visibility::Private));
            let seats = vec![Seat { side, holder: key.holder() }];
            begin(&app, id, start, shown, Begins { seats, uses: None }, lang).await?;
            Made { game: id.to_string(), seat, invitation: None, link: None }
        }
        Opponent::Local => {
            let asked = new.visibility;
            let start = view::on_one_screen(new, lang, draw);
            let shown = visibility(asked.unwrap_or(wire::Visibility::Private));
            let seats = vec![Seat { side: Side::Both, holder: key.holder() }];
            begin(&app, id, start, shown, Begins { seats, uses: None }, lang).await?;
            Made { game: id.to_string(), seat: wire::Seat::Both, invitation: None, link: None }
        }
        Opponent::Friend => {
            let white = first_is_white(new.color, Choice::Any, coin().map_err(log)?);
            let name = view::name_or_guest(&new.name, lang);
            let setting = Setting {
                variant,
                fen,
                time: new.time,
                spectators: new.spectators,
                shown: new.visibility.unwrap_or(wire::Visibility::Private),
            };
            invite(&app, &key, id, name, white, setting, lang).await?
        }
    };
    Ok((StatusCode::CREATED, headers, Json(made)).into_response())
}

/// The game of an invitation, without names and colours.
struct Setting {
    variant: Variant,
    fen: Option<String>,
    time: TimeControl,
    spectators: Spectators,
    shown: wire::Visibility,
}

async fn invite(
    app: &App,
    key: &Key,
    id: GameId,
    name: String,
    white: bool,
    setting: Setting,
    lang: Lang,
) -> Result<Made, Problem> {
    let Setting { variant, fen, time, spectators, shown } = setting;
    let (host, seat) = if white {
        (wire::Turn::White, wire::Seat::White)
    } else {
        (wire::Turn::Black, wire::Seat::Black)
    };
    // Everything but the guest's name is checked now, so that the game can begin when the guest
    // comes.
    let names = |guest: &str| {
        let (white, black) = if white { (name.as_str(), guest) } else { (guest, name.as_str()) };
        hansu_play::Sides { white: white.to_owned(), black: black.to_owned() }
    };
    let start = Start {
        names: names("?"),
        variant,
        fen,
        time,
        source: Source::Online,
        spectators,
        series: None,
        computer: None,
    };
    let judged = hansu_play::decide(
        &hansu_play::State::default(),
        Actor::System,
        &hansu_play::Command::Start(start.clone()),
        app.hub.now(),
    );
    if let Err(refusal) = judged {
        let state = hansu_play::State::default();
        return Err(Problem::refused(view::refusal(refusal, &state, lang)));
    }
    let token = Key::random().map_err(|error| Problem::log(error, lang))?;
    let wanted =
        InvitationBody { start: Start { names: names(""), ..start }, host, visibility: shown };
    app.hub
        .invite(id, token.hash(), key.holder(), &wanted)
        .await
        .map_err(|error| Problem::log(error, lang))?;
    let invitation = token.reveal();
    let link = app.shared_address().map(|url| format!("{url}/join/{invitation}"));
    Ok(Made { game: id.to_string(), seat, invitation: Some(invitation), link })
}

async fn begin(
    app: &App,
    id: GameId,
    start: Start,
    shown: Visibility,
    begins: Begins,
    lang: Lang,
) -> Result<(), Problem> {
    let taken = begins.uses.is_some();
    let begun = app.hub.begin(id, start, shown, begins, lang).await;
    match begun.map_err(|why| Problem::hosting(why, lang))? {
        (_, CommandAnswer::Done { .. }) => Ok(()),
        // Another guest was faster.
        (_, CommandAnswer::Refused { why, .. }) if taken && is_begun(why) => {
            Err(Problem::of(ServerRefusal::InvitationSpent, lang))
        }
        (_, CommandAnswer::Refused { why, refusal, .. }) => {
            Err(Problem::not_done(why, refusal, lang))
        }
    }
}

fn is_begun(why: CommandError) -> bool {
    why == CommandError::Refused(hansu_play::Refusal::AlreadyStarted)
}

/// An invitation that can be used.
struct Found {
    invitation: Invitation,
    wanted: InvitationBody,
}

/// The invitation of a link, or why it cannot be used.
async fn find(app: &App, token: &str, player: &Player) -> Result<Found, Problem> {
    let lang = player.lang;
    let unknown = || Problem::of(ServerRefusal::NoSuchInvitation, lang);
    let hash = token.parse::<Key>().map_err(|_| unknown())?.hash();
    let found = app.ask(lang, move |store| store.invitation(&hash)).await?;
    let invitation = found.ok_or_else(unknown)?;
    match invitation.state {
        InvitationState::Open if invitation.expires <= log_time(app.hub.now()) => {
            Err(Problem::of(ServerRefusal::InvitationExpired, lang))
        }
        InvitationState::Open => {
            let wanted = serde_json::from_str(&invitation.body)
                .map_err(|_| Problem::log(Error::Damaged, lang))?;
            Ok(Found { invitation, wanted })
        }
        InvitationState::Withdrawn => Err(Problem::of(ServerRefusal::InvitationWithdrawn, lang)),
        InvitationState::Used => Err(used(app, invitation.game, player).await?),
    }
}

/// The answer for a used invitation. It names the game to its players, and to all when it is
/// public.
async fn used(app: &App, game: GameId, player: &Player) -> Result<Problem, Problem> {
    let (lang, holder) = (player.lang, player.holder());
    let (seats, record) =
        app.ask(lang, move |store| Ok((store.seats(game)?, store.record(game)?))).await?;
    let seat =
        seats.iter().find(|seat| Some(seat.holder) == holder).and_then(|seat| wire_seat(seat.side));
    let public = record.is_some_and(|record| record.summary.visibility == Visibility::Public);
    Ok(if seat.is_some() || public {
        Problem::used(game, seat, lang)
    } else {
        Problem::of(ServerRefusal::InvitationSpent, lang)
    })
}

/// Who invites, and to which game.
pub(crate) async fn invited(
    State(app): State<App>,
    player: Player,
    PathParams(token): PathParams<String>,
) -> Result<Json<Invited>, Problem> {
    let Found { invitation, wanted } = find(&app, &token, &player).await?;
    let InvitationBody { start, host, .. } = wanted;
    let (name, seat) = match host {
        wire::Turn::White => (start.names.white, wire::Seat::Black),
        wire::Turn::Black => (start.names.black, wire::Seat::White),
    };
    Ok(Json(Invited {
        game: invitation.game.to_string(),
        name,
        seat,
        time: start.time,
        variant: view::kind(start.variant),
        fen: start.fen,
        source: start.source,
        expires: hansu_play::Millis(invitation.expires.max(0).cast_unsigned()),
        own: player.holder() == Some(invitation.holder),
    }))
}

/// Accepts an invitation: the game begins. A guest who sends the request again gets the same seat.
pub(crate) async fn join(
    State(app): State<App>,
    player: Player,
    PathParams(token): PathParams<String>,
    Body(guest): Body<wire::Guest>,
) -> Result<Response, Problem> {
    let lang = player.lang;
    let (key, headers) = identity(&app, &player)?;
    let Found { invitation, wanted } = match find(&app, &token, &player).await {
        Ok(found) => found,
        Err(problem) => {
            let made = problem.seat().ok_or(problem)?;
            return Ok((headers, Json(made)).into_response());
        }
    };
    let (id, holder) = (invitation.game, invitation.holder);
    if key.holder() == holder {
        return Err(Problem::of(ServerRefusal::OwnInvitation, lang));
    }
    let InvitationBody { mut start, host, visibility: shown } = wanted;
    let name = view::name_or_guest(&guest.name, lang);
    let (seat, side, others) = match host {
        wire::Turn::White => {
            start.names.black = beside(&name, &start.names.white);
            (wire::Seat::Black, Side::Black, Side::White)
        }
        wire::Turn::Black => {
            start.names.white = beside(&name, &start.names.black);
            (wire::Seat::White, Side::White, Side::Black)
        }
    };
    let seats = vec![Seat { side: others, holder }, Seat { side, holder: key.holder() }];
    // The host may be connected to the game already.
    app.hub.hosted_game(id).await.map_err(|why| Problem::hosting(why, lang))?;
    let begins = Begins { seats, uses: Some(Uses::Invitation(invitation.hash)) };
    if let Err(problem) = begin(&app, id, start, visibility(shown), begins, lang).await {
        // The guest may have sent two requests at once, and the other one has begun the game.
        let used = find(&app, &token, &player).await.err();
        let made = used.and_then(|used| used.seat()).ok_or(problem)?;
        return Ok((headers, Json(made)).into_response());
    }
    let made = Made { game: id.to_string(), seat, invitation: None, link: None };
    Ok((StatusCode::CREATED, headers, Json(made)).into_response())
}

/// Parses the id of a game.
pub(crate) fn game(id: &str, lang: Lang) -> Result<GameId, Problem> {
    id.parse().map_err(|_| Problem::of(ServerRefusal::NoSuchGame, lang))
}

/// Carries out a command in a game and waits for the answer.
pub(crate) async fn command(
    State(app): State<App>,
    player: Player,
    PathParams(id): PathParams<String>,
    Body(posted): Body<wire::Posted>,
) -> Result<Json<wire::Done>, Problem> {
    let lang = player.lang;
    let id = game(&id, lang)?;
    let hosted = app.hub.hosted_game(id).await.map_err(|why| Problem::hosting(why, lang))?;
    let actor = hosted.actor(player.holder());
    if !view::is_command_id(&posted.id) {
        return Err(Problem::of(ServerRefusal::BadRequest, lang));
    }
    if posted.command == Wish::Abort && hosted.is_waiting() {
        withdraw(&app, &hosted, actor, lang).await?;
        return Ok(Json(wire::Done { seq: 0 }));
    }
    figures::count_command(&posted.command);
    let command =
        view::command(posted.command, actor, fresh_game).map_err(|why| Problem::of(why, lang))?;
    let by = app.hub.fresh_id();
    let who = mark(&player);
    let asked = CommandRequest {
        by: Some(app.hub.asker(by, lang)),
        actor,
        command,
        moment: Moment::at(app.hub.now()),
        key: Some(CommandKey::new(actor, &who, &posted.id)),
        begins: None,
    };
    match app.hub.call(&hosted, asked).await {
        Ok(CommandAnswer::Done { seq }) => Ok(Json(wire::Done { seq })),
        Ok(CommandAnswer::Refused { why, refusal, .. }) => {
            Err(Problem::not_done(why, refusal, lang))
        }
        Err(_) => Err(Problem::of(ServerRefusal::Unavailable, lang)),
    }
}

/// Withdraws an invitation.
pub(crate) async fn withdraw(
    app: &App,
    hosted: &HostedGame,
    actor: Actor,
    lang: Lang,
) -> Result<(), Problem> {
    if actor == Actor::Spectator {
        return Err(Problem::of(ServerRefusal::NotYourGame, lang));
    }
    let id = hosted.id();
    app.ask(lang, move |store| store.withdraw(id)).await?;
    app.hub.games.remove(id);
    hosted.dismiss();
    app.hub.bus.send_to_game(id, &GameNews::Withdrawn);
    Ok(())
}

/// The state of a game. One that is over is read from the log, without a live game.
pub(crate) async fn snapshot(
    State(app): State<App>,
    player: Player,
    PathParams(id): PathParams<String>,
) -> Result<Json<wire::Snapshot>, Problem> {
    let lang = player.lang;
    let id = game(&id, lang)?;
    if app.hub.games.get(id).is_none() {
        let over = app.ask(lang, move |store| archive::snapshot(store, id)).await?;
        if let Some(over) = over {
            return Ok(Json(over));
        }
    }
    let hosted = app.hub.hosted_game(id).await.map_err(|why| Problem::hosting(why, lang))?;
    Ok(Json(hosted.snapshot()))
}
