//! What the sources must keep to, and what must not compile.

mod contexts;
mod first_game;
mod layers;
mod links;
mod llms;
mod model;
mod phrases;
mod ratchet;
mod steps;
mod user_code;
