//! HTTP requests: `GET /api/<query>`, `POST /api/<command>`.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::Response;
use serde_json::json;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::{MOST_BYTES, ServerState};
use crate::link::{Answer, Asker, Attention, What};
use crate::protocol::failure::{Code, Failure};
use crate::protocol::request::{Command, Query};

/// How long a client waits for a frame of the game.
const FRAME: Duration = Duration::from_secs(2);
/// How many times as long it waits if the game has frames but no answer yet, as in searches.
const MOST_WAITS: u32 = 15;

/// Answers a request.
pub(super) async fn respond(shared: &ServerState, request: Request) -> Response {
    match answer(shared, request).await {
        Ok(json) => ok(json.get().to_owned()),
        Err(failure) => failed(&failure),
    }
}

async fn answer(shared: &ServerState, request: Request) -> Answer {
    let name = request.uri().path().trim_start_matches("/api/").to_owned();
    let what = match *request.method() {
        Method::GET => What::Get(Query::parse(&name, &from_query(&request))?),
        Method::POST => What::Do(command(shared, &name, request).await?),
        _ => return Err(Code::BadMethod.because("use GET for queries and POST for commands")),
    };
    ask(shared, what).await
}

/// Returns the parameters of a query string as a JSON object of strings; a parameter that occurs
/// several times is a list of them.
fn from_query(request: &Request) -> String {
    let query = request.uri().query().unwrap_or("");
    let pairs = form_urlencoded::parse(query.as_bytes());
    let mut texts = BTreeMap::<_, Vec<_>>::new();
    for (name, text) in pairs.filter(|(name, _)| name != "token") {
        texts.entry(name).or_default().push(text);
    }
    let params = texts.into_iter().map(|(name, texts)| match &texts[..] {
        [text] => (name, json!(text)),
        texts => (name, json!(texts)),
    });
    json!(params.collect::<BTreeMap<_, _>>()).to_string()
}

async fn command(shared: &ServerState, name: &str, request: Request) -> Result<Command, Failure> {
    if shared.manners.read_only {
        return Err(read_only());
    }
    let is_json = is_json(request.headers());
    let body = body(request.into_body(), shared.manners.patience).await?;
    if body.is_empty() {
        return Command::parse(name, "{}");
    }
    if !is_json {
        let message = "the body of a command has the `Content-Type` `application/json`";
        return Err(Code::BadContentType.because(message));
    }
    let params = str::from_utf8(&body).map_err(|error| Code::BadRequest.because(error))?;
    Command::parse(name, params)
}

pub(super) fn read_only() -> Failure {
    Code::ReadOnly.because("this inspector is read-only")
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next());
    kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

async fn body(body: Body, patience: Duration) -> Result<Bytes, Failure> {
    let too_large = || Code::TooLarge.because(format!("a body has at most {MOST_BYTES} bytes"));
    let read = timeout(patience, to_bytes(body, MOST_BYTES)).await;
    let read = read.map_err(|_| Code::BadRequest.because("the body is incomplete"))?;
    read.map_err(|_| too_large())
}

/// Sends a request to the game, and waits while the game has frames.
async fn ask(shared: &ServerState, what: What) -> Answer {
    let (sender, mut receiver) = oneshot::channel();
    let _wanted = Attention::new(&shared.to_game.shared);
    shared.to_game.send(Asker::Once(sender), what)?;
    for _ in 0..MOST_WAITS {
        let frame = shared.to_game.shared.frame();
        match timeout(FRAME, &mut receiver).await {
            Ok(Ok(answer)) => return answer,
            Ok(Err(_)) => return Err(Code::Timeout.because("the game has ended")),
            Err(_) if shared.to_game.shared.frame() == frame => break,
            Err(_) => {}
        }
    }
    Err(Code::Timeout.because("the game does not call `update`"))
}

fn ok(json: String) -> Response {
    respond_with(StatusCode::OK, json)
}

/// Returns an error as a response.
pub(super) fn failed(failure: &Failure) -> Response {
    let status = StatusCode::from_u16(failure.code.status());
    let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    respond_with(status, json!({ "error": failure }).to_string())
}

fn respond_with(status: StatusCode, json: String) -> Response {
    let mut response = Response::new(Body::from(json));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
