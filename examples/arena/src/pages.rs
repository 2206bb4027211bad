//! The page and what it loads.

use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;

const SCRIPT: &str = "text/javascript";

pub(crate) fn router(wasm: Vec<u8>) -> Router {
    let files = [
        ("/", "text/html", include_str!("../page/index.html")),
        ("/arena.mjs", SCRIPT, include_str!("../page/arena.mjs")),
        ("/draw.mjs", SCRIPT, include_str!("../page/draw.mjs")),
        ("/hands.mjs", SCRIPT, include_str!("../page/hands.mjs")),
        ("/hud.mjs", SCRIPT, include_str!("../page/hud.mjs")),
    ];
    let mut router = Router::new();
    for (path, kind, text) in files {
        router = router.route(
            path,
            get(move || async move { ([(CONTENT_TYPE, kind)], text) }),
        );
    }
    let wasm = Bytes::from(wasm);
    let kind = [(CONTENT_TYPE, "application/wasm")];
    router.route("/arena.wasm", get(move || async move { (kind, wasm) }))
}
