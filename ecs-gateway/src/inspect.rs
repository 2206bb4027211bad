//! The inspector: for each room that an operator looks at, a thread plays a copy along with the log.

use std::collections::HashMap;
use std::fmt::Display;
use std::io;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::thread;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, ORIGIN};
use axum::response::{IntoResponse as _, Response};
use ecs_inspector::{Inspector, InspectorBuilder};
use ecs_rooms::{Error, Session, follow};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use serde_json::json;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout};

use crate::gateway::{Shared, lock};
use crate::hooks::Hooks;
use crate::server::{has_token, may_connect};
use crate::token::is_equal;

/// How many rooms are inspected at once. Each costs what a host needs to play it.
const MOST: usize = 8;

/// All rooms that are inspected.
struct Inspections<H: Hooks> {
    shared: Arc<Shared<H>>,
    token: String,
    /// Serves the files of the page, which are requested without the token.
    files: Router,
    rooms: Mutex<HashMap<String, Inspection>>,
}

/// A room that is inspected.
struct Inspection {
    router: Router,
    /// The time of the last request.
    asked: Instant,
}

/// Returns the routes of the inspector, if it is served.
pub(crate) fn router<H: Hooks>(shared: &Arc<Shared<H>>) -> io::Result<Router> {
    let Some(token) = shared.options.inspector_token.clone() else {
        return Ok(Router::new());
    };
    let inspections = Inspections {
        shared: shared.clone(),
        files: builder(&token).into_router()?.1,
        token,
        rooms: Mutex::default(),
    };
    let router = Router::new().fallback(inspect::<H>);
    let router = router.with_state(Arc::new(inspections));
    Ok(Router::new().nest_service("/inspect/{room}", router))
}

fn builder(token: &str) -> InspectorBuilder {
    Inspector::builder().token(token).read_only(true)
}

async fn inspect<H: Hooks>(
    State(inspections): State<Arc<Inspections<H>>>,
    Path(room): Path<String>,
    mut request: Request,
) -> Response {
    let shared = &inspections.shared;
    if shared.phase.borrow().is_draining() {
        return failed(
            StatusCode::SERVICE_UNAVAILABLE,
            "draining",
            "the gateway is drained",
        );
    }
    if !may_connect(&shared.options.origins, request.headers()) {
        return failed(
            StatusCode::FORBIDDEN,
            "bad_origin",
            "this origin may not connect",
        );
    }
    request.headers_mut().remove(ORIGIN); // a proxy may have changed the host, to which the inspector would compare it
    let router = match inspections.allows(&request) {
        true => inspections.find(room).await,
        false => Ok(inspections.files.clone()), // rejects what needs the token
    };
    match router {
        Ok(router) => {
            let Ok(response) = TowerToHyperService::new(router).call(request).await;
            response
        }
        Err((status, code, message)) => failed(status, code, &message),
    }
}

impl<H: Hooks> Inspections<H> {
    /// Whether a request has the token.
    fn allows(&self, request: &Request) -> bool {
        let query = request.uri().query().unwrap_or_default();
        let mut query = form_urlencoded::parse(query.as_bytes());
        let is_token = |given: &str| is_equal(given.as_bytes(), self.token.as_bytes());
        has_token(request.headers(), &self.token)
            || query.any(|(name, given)| name == "token" && is_token(&given))
    }

    /// Returns the inspector of a room. The first request starts it, and waits for the first tick of the copy.
    async fn find(self: Arc<Self>, room: String) -> Result<Router, Failure> {
        let patience = self.shared.options.limits.greeting;
        let (router, began) = self.start(&room)?;
        let Some(began) = began else {
            return Ok(router);
        };
        let failed = |status, code, error: &dyn Display| Err((status, code, error.to_string()));
        match timeout(patience, began).await {
            Ok(Ok(Err(error @ Error::Limit(_)))) => {
                failed(StatusCode::NOT_FOUND, "unknown_room", &error)
            }
            Ok(Ok(Err(error))) => failed(StatusCode::BAD_GATEWAY, "failed", &error),
            Ok(Err(_)) => failed(StatusCode::BAD_GATEWAY, "failed", &"the game has panicked"),
            Ok(Ok(Ok(()))) | Err(_) => Ok(router),
        }
    }

    /// Returns the router of a room, and the outcome of its start if this is the first request.
    fn start(self: Arc<Self>, room: &str) -> Result<(Router, Option<Began>), Failure> {
        let busy = |error: &dyn Display| (StatusCode::TOO_MANY_REQUESTS, "busy", error.to_string());
        let mut rooms = lock(&self.rooms);
        let asked = Instant::now();
        if let Some(inspection) = rooms.get_mut(room) {
            inspection.asked = asked;
            return Ok((inspection.router.clone(), None));
        }
        if rooms.len() >= MOST {
            return Err(busy(&format!("{MOST} rooms are inspected already")));
        }
        let made = builder(&self.token).title(room).into_router();
        let (inspector, router) = made.map_err(|error| busy(&error))?;
        let inspection = Inspection {
            router: router.clone(),
            asked,
        };
        rooms.insert(room.to_owned(), inspection);
        drop(rooms);
        self.shared.metrics.rooms_inspected.add(1);
        let copy = Copy {
            inspections: self,
            room: room.to_owned(),
            is_listed: true,
        };
        let (begin, began) = oneshot::channel();
        let thread = thread::Builder::new().name("inspector".to_owned());
        let started = thread.spawn(move || copy.run(inspector, begin));
        started.map_err(|error| busy(&error))?;
        Ok((router, Some(began)))
    }
}

/// Why a room is not inspected: the status, the code, the message.
type Failure = (StatusCode, &'static str, String);

/// An error as the inspector has them, so that its page shows it.
fn failed(status: StatusCode, code: &str, message: &str) -> Response {
    let error = json!({ "error": { "code": code, "message": message } });
    (
        status,
        [(CONTENT_TYPE, "application/json")],
        error.to_string(),
    )
        .into_response()
}

/// Whether a copy could be played.
type Began = oneshot::Receiver<Result<(), Error>>;

/// The copy of a room, listed until it is dropped, also by a panic in code of the game.
struct Copy<H: Hooks> {
    inspections: Arc<Inspections<H>>,
    room: String,
    is_listed: bool,
}

impl<H: Hooks> Copy<H> {
    fn run(mut self, mut inspector: Inspector, begin: oneshot::Sender<Result<(), Error>>) {
        let mut begin = Some(begin);
        let mut send = |result| _ = begin.take().map(|begin| begin.send(result));
        let (shared, room) = (self.inspections.shared.clone(), self.room.clone());
        let (store, secret) = (&*shared.store, &shared.options.secret);
        let followed = follow::<Session<H::Game>>(store, &room, secret, |_, session| {
            inspector.update(&mut session.game, &mut session.systems);
            send(Ok(()));
            match self.goes_on(&inspector) {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        drop(self); // the next request starts another one
        send(followed.map(|_| ()));
    }

    /// Whether there are clients, or were a moment ago. If not, it is no longer listed.
    fn goes_on(&mut self, inspector: &Inspector) -> bool {
        let shared = &self.inspections.shared;
        let linger = shared.options.limits.linger;
        let mut rooms = lock(&self.inspections.rooms);
        let inspection = rooms.get_mut(&self.room);
        let is_wanted = inspection.is_some_and(|inspection| {
            if inspector.has_clients() {
                inspection.asked = Instant::now();
            }
            inspection.asked.elapsed() < linger
        });
        let goes_on = is_wanted && !shared.phase.borrow().is_draining();
        if !goes_on {
            rooms.remove(&self.room);
            self.is_listed = false;
        }
        goes_on
    }
}

impl<H: Hooks> Drop for Copy<H> {
    fn drop(&mut self) {
        if self.is_listed {
            lock(&self.inspections.rooms).remove(&self.room);
        }
        self.inspections.shared.metrics.rooms_inspected.remove(1);
    }
}
