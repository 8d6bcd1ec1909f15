//! Opening the server to the local network, from the page.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use hansu_protocol as wire;
use hansu_words::ServerRefusal;

use super::App;
use super::player::Player;
use super::problem::Problem;

/// Opens the server to the local network. Only for requests from the server's own machine.
pub(crate) async fn open(
    State(app): State<App>,
    player: Player,
    headers: HeaderMap,
) -> Result<Json<wire::Nearby>, Problem> {
    // A proxy on this machine that is not in the settings names the client's address in a header.
    let direct = !headers.contains_key("x-forwarded-for") && !headers.contains_key("forwarded");
    let here = direct && player.address.is_loopback();
    let url = here.then(|| app.local_network.open(&app)).flatten();
    let url = url.ok_or_else(|| Problem::of(ServerRefusal::NotNearby, player.lang))?;
    Ok(Json(wire::Nearby { url }))
}
