//! The files of the page, compiled into the program.

use axum::body::Body;
use axum::extract::{OriginalUri, Request};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, LOCATION,
};
use axum::http::{Method, StatusCode};
use axum::response::Response;

use super::api::failed;
use crate::protocol::failure::Code;

/// A path, the content type, and the content.
type File = (&'static str, &'static str, &'static str);

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";

const FILES: [File; 25] = [
    ("/", HTML, include_str!("../../page/index.html")),
    ("/style.css", CSS, include_str!("../../page/style.css")),
    ("/app.js", JS, include_str!("../../page/app.js")),
    ("/canvas.js", JS, include_str!("../../page/canvas.js")),
    ("/card.js", JS, include_str!("../../page/card.js")),
    ("/colors.js", JS, include_str!("../../page/colors.js")),
    ("/counts.js", JS, include_str!("../../page/counts.js")),
    ("/dom.js", JS, include_str!("../../page/dom.js")),
    ("/entities.js", JS, include_str!("../../page/entities.js")),
    ("/entity.js", JS, include_str!("../../page/entity.js")),
    ("/fields.js", JS, include_str!("../../page/fields.js")),
    ("/history.js", JS, include_str!("../../page/history.js")),
    ("/keys.js", JS, include_str!("../../page/keys.js")),
    ("/link.js", JS, include_str!("../../page/link.js")),
    ("/log.js", JS, include_str!("../../page/log.js")),
    ("/memory.js", JS, include_str!("../../page/memory.js")),
    ("/parts.js", JS, include_str!("../../page/parts.js")),
    ("/picker.js", JS, include_str!("../../page/picker.js")),
    ("/saved.js", JS, include_str!("../../page/saved.js")),
    ("/systems.js", JS, include_str!("../../page/systems.js")),
    ("/theme.js", JS, include_str!("../../page/theme.js")),
    ("/tree.js", JS, include_str!("../../page/tree.js")),
    ("/uniques.js", JS, include_str!("../../page/uniques.js")),
    ("/values.js", JS, include_str!("../../page/values.js")),
    ("/virtual.js", JS, include_str!("../../page/virtual.js")),
];

/// Allows no foreign resources, and no frames in other pages.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// Returns the file at the path of a request.
pub(super) fn respond(request: &Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return failed(&Code::BadMethod.because("use GET for pages"));
    }
    let path = request.uri().path();
    match FILES.iter().find(|(known, ..)| *known == path) {
        Some((_, kind, text)) => file(kind, text),
        None => missing(),
    }
}

/// Redirects a request of the page whose path below a router has no slash at the end, which relative links need.
pub(super) fn with_slash(request: &Request) -> Option<Response> {
    let original = request.extensions().get::<OriginalUri>()?;
    let (_, last) = original.path().rsplit_once('/')?;
    let query = original
        .query()
        .map_or(String::new(), |it| format!("?{it}"));
    let location = HeaderValue::try_from(format!("./{last}/{query}")).ok()?;
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::TEMPORARY_REDIRECT;
    response.headers_mut().insert(LOCATION, location);
    (!last.is_empty()).then_some(response)
}

fn file(kind: &'static str, text: &'static str) -> Response {
    let mut response = Response::new(Body::from(text));
    let headers = response.headers_mut();
    let all: [(HeaderName, &str); 4] = [
        (CONTENT_TYPE, kind),
        (CONTENT_SECURITY_POLICY, POLICY),
        (CACHE_CONTROL, "no-cache"),
        (HeaderName::from_static("referrer-policy"), "no-referrer"),
    ];
    for (name, value) in all {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn missing() -> Response {
    let mut response = Response::new(Body::from("there is no such page\n"));
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}
