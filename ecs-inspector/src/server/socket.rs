//! The WebSocket: one task per client, which reads its requests and writes the answers of the game.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{FromRequestParts as _, Request};
use axum::response::Response;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::sync::mpsc;
use tokio::time::{interval, timeout};

use super::api::{failed, read_only};
use super::{MOST_BYTES, ServerState};
use crate::link::{Asker, Attention, Client, What};
use crate::protocol::failure::{Code, Failure};
use crate::protocol::params::{some_id, some_unwatch};
use crate::protocol::request::{Command, Query, unreadable};

/// The time between pings of a client.
const PING: Duration = Duration::from_secs(10);

/// Upgrades a request to a WebSocket.
pub(super) async fn respond(shared: Arc<ServerState>, request: Request) -> Response {
    let Ok(place) = shared.clients.clone().try_acquire_owned() else {
        return failed(&Code::Busy.because("too many clients are connected"));
    };
    let (mut parts, _) = request.into_parts();
    let upgrade = match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
        Ok(upgrade) => upgrade
            .max_message_size(MOST_BYTES)
            .max_frame_size(MOST_BYTES),
        Err(rejection) => return failed(&Code::BadRequest.because(rejection)),
    };
    // A program may count its connections by an extension of the request.
    let kept = (place, parts.extensions);
    upgrade.on_upgrade(async move |socket| {
        talk(shared, socket).await;
        drop(kept);
    })
}

/// Serves a client until it disconnects or stops reading.
async fn talk(shared: Arc<ServerState>, mut socket: WebSocket) {
    let _wanted = Attention::new(&shared.to_game.shared);
    let (client, mut unread) = Client::new();
    if shared
        .to_game
        .send(Asker::Socket(client.clone(), 0), What::Hello)
        .is_err()
    {
        return; // the queue of the game is full
    }
    let mut pings = interval(PING);
    let mut pongs_missing = 0;
    let mut ended = pin!(shared.to_game.ended());
    loop {
        let message = tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => heard(&shared, &client, &text),
                Some(Ok(Message::Binary(_))) => Some(unasked(&binary())),
                Some(Ok(Message::Pong(_))) => { pongs_missing = 0; None }
                Some(Ok(Message::Ping(_))) => None,
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            }.map(|text| Message::Text(text.into())),
            message = next(&mut unread) => match message {
                Some(text) => Some(Message::Text(text.into())),
                None => return,
            },
            () = &mut ended => return,
            _ = pings.tick() => {
                pongs_missing += 1;
                if pongs_missing > 3 { return; }
                Some(Message::Ping(Default::default()))
            }
        };
        let Some(message) = message else { continue };
        if !matches!(
            timeout(shared.manners.patience, socket.send(message)).await,
            Ok(Ok(()))
        ) {
            return; // the client does not read, or is gone
        }
    }
}

async fn next(unread: &mut mpsc::Receiver<String>) -> Option<String> {
    unread.recv().await
}

/// A message of a client: an object with one of these keys.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Spoken {
    #[serde(default, deserialize_with = "some_id")]
    id: Option<u64>,
    get: Option<String>,
    watch: Option<String>,
    #[serde(rename = "do")]
    command: Option<String>,
    #[serde(default, deserialize_with = "some_unwatch")]
    unwatch: Option<u64>,
    params: Option<Box<RawValue>>,
}

/// Passes a message to the game; returns an immediate answer, if there is one.
fn heard(shared: &ServerState, client: &Arc<Client>, text: &str) -> Option<String> {
    let spoken: Spoken = match serde_json::from_str(text) {
        Ok(spoken) => spoken,
        Err(error) => return Some(unasked(&unreadable(error))),
    };
    let id = spoken.id;
    let passed = parse(shared, spoken).and_then(|(id, what)| {
        let asker = Asker::Socket(client.clone(), id);
        shared.to_game.send(asker, what)
    });
    passed.err().map(|failure| match id {
        Some(id) => json!({ "id": id, "error": failure }).to_string(),
        None => unasked(&failure),
    })
}

fn parse(shared: &ServerState, spoken: Spoken) -> Result<(u64, What), Failure> {
    let Spoken {
        id,
        get,
        watch,
        command,
        unwatch,
        params,
    } = spoken;
    let params = params.as_ref().map_or("{}", |params| params.get());
    let what = match (get, watch, command, unwatch) {
        (None, None, None, Some(id)) => return Ok((id, What::Unwatch)),
        (Some(name), None, None, None) => What::Get(Query::parse(&name, params)?),
        (None, Some(name), None, None) => What::Watch(Query::parse(&name, params)?),
        (None, None, Some(_), None) if shared.manners.read_only => return Err(read_only()),
        (None, None, Some(name), None) => What::Do(Command::parse(&name, params)?),
        _ => return Err(Code::BadRequest.because("expected one of get, watch, do and unwatch")),
    };
    let id = id.ok_or_else(|| Code::BadRequest.because("the `id` is missing"))?;
    Ok((id, what))
}

fn binary() -> Failure {
    Code::BadRequest.because("messages must be text")
}

/// Returns an error that belongs to no particular request.
fn unasked(failure: &Failure) -> String {
    json!({ "error": failure }).to_string()
}
