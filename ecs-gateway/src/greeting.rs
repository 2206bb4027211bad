//! Reads what a client says, and first of all who it is.

use std::time::SystemTime;

use ecs_rooms::Game;
use futures_util::StreamExt as _;

use crate::end::End;
use crate::gateway::Shared;
use crate::hooks::{Hooks, Login, User};
use crate::messages::{Request, VERSION};
use crate::token;
use crate::transport::{Incoming, Messages};

/// Returns the next message.
pub(crate) async fn next(messages: &mut Messages) -> Result<Incoming, End> {
    messages.next().await.unwrap_or(Err(End::Gone))
}

pub(crate) fn request(text: &str) -> Result<Request, End> {
    serde_json::from_str(text).map_err(|error| End::malformed(error.to_string()))
}

/// Reads the greeting.
pub(crate) async fn greet<H: Hooks>(
    shared: &Shared<H>,
    messages: &mut Messages,
) -> Result<User, End> {
    let text = loop {
        match next(messages).await? {
            Incoming::Text(text) => break text,
            Incoming::Binary(_) => return Err(End::malformed("a greeting is expected")),
            Incoming::Pong => {}
        }
    };
    let Request::Hello {
        version,
        game,
        token,
        login,
    } = request(&text)?
    else {
        return Err(End::malformed("a greeting is expected"));
    };
    let playing = <H::Game as Game>::VERSION;
    if version != VERSION || game.is_some_and(|game| game != playing) {
        let text = format!(
            "this is version {VERSION} of the protocol and {playing} of the game; load the page again"
        );
        return Err(End::Rejected(text));
    }
    let login = match token {
        Some(token) => {
            let user = token::read(&shared.options.secret, &token, SystemTime::now());
            let reject = || End::Rejected("the token has expired or is not valid".to_owned());
            Login::Returning(user.ok_or_else(reject)?)
        }
        None => Login::New(login),
    };
    let user = shared.hooks.log_in(login).await.map_err(End::Rejected)?;
    match user.number < 1 << 53 {
        true => Ok(user),
        false => Err(End::Rejected(
            "numbers of users must be less than 2^53".to_owned(),
        )),
    }
}
