//! Pages with the client in plain JavaScript, and what they report.

use std::sync::mpsc::Sender;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::response::Html;
use axum::routing::{get, post};
use serde_json::Value;

pub(crate) fn pages(reports: Sender<Value>) -> Router {
    let script = |text| get(async move || ([(CONTENT_TYPE, "text/javascript")], text));
    let report = async move |body: String| _ = reports.send(serde_json::from_str(&body).unwrap());
    Router::new()
        .route("/", get(|| async { Html(include_str!("page.html")) }))
        .route("/rules", get(|| async { Html(include_str!("rules.html")) }))
        .route("/client.mjs", script(include_str!("../../js/client.mjs")))
        .route(
            "/web_transport.mjs",
            script(include_str!("../../js/web_transport.mjs")),
        )
        .route("/report", post(report))
}
