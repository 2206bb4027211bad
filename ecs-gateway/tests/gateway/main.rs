//! A gateway with clients, and with those that break the rules.

mod attacks;
mod browser;
mod chromium;
mod client;
mod density;
mod failures;
mod game;
#[cfg(feature = "inspector")]
mod inspect;
mod lobby;
mod pages;
mod playing;
mod server;

/// Options with a token of the inspector.
fn inspected(options: ecs_gateway::Options) -> ecs_gateway::Options {
    #[cfg(feature = "inspector")]
    let options = ecs_gateway::Options {
        inspector_token: Some("s e+cret".to_owned()),
        ..options
    };
    options
}
