//! A server and a client play the same game over a simulated link.

mod failures;
mod game;
mod interpolated;
mod lag;
mod link;
mod programs;
mod session;
mod smoothing;
