//! The users of a gateway: who is connected, and in which room each has a seat.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use ecs_rooms::Game;
use tokio::sync::mpsc::UnboundedSender;

use crate::end::Event;
use crate::gateway::{Shared, lock};
use crate::hooks::{Hooks, User};
use crate::seat::Seat;

pub(crate) struct Users<G: Game>(Mutex<Known<G>>);

struct Known<G: Game> {
    users: HashMap<u64, Present<G>>,
    /// The number of the last connection.
    last: u64,
}

/// A user who is connected, or was a moment ago.
struct Present<G: Game> {
    connection: u64,
    epoch: u64,
    events: UnboundedSender<Event>,
    seat: Option<Arc<Seat<G>>>,
}

impl<G: Game> Default for Users<G> {
    fn default() -> Self {
        Self(Mutex::new(Known {
            users: HashMap::new(),
            last: 0,
        }))
    }
}

impl<G: Game> Users<G> {
    /// A user has connected: an earlier connection ends. Returns the number of the connection.
    pub(crate) fn enter<H: Hooks<Game = G>>(
        &self,
        shared: &Shared<H>,
        user: User,
        events: UnboundedSender<Event>,
    ) -> u64 {
        let mut known = lock(&self.0);
        known.last += 1;
        let connection = known.last;
        let before = known.users.remove(&user.number);
        match &before {
            Some(before) => _ = before.events.send(Event::TakenOver),
            None => shared.metrics.users.add(1),
        }
        let present = Present {
            connection,
            epoch: user.epoch,
            events,
            seat: before.and_then(|before| before.seat),
        };
        known.users.insert(user.number, present);
        connection
    }

    /// A connection has ended. The user's player stays in its room for a while.
    pub(crate) fn leave<H: Hooks<Game = G>>(
        &self,
        shared: &Arc<Shared<H>>,
        user: u64,
        connection: u64,
    ) {
        let known = lock(&self.0);
        let present = known.users.get(&user);
        let has_seat = present.is_some_and(|it| it.connection == connection && it.seat.is_some());
        drop(known);
        if !has_seat {
            return self.forget(shared, user, connection);
        }
        let shared = shared.clone();
        tokio::spawn(async move {
            tokio::time::sleep(shared.options.limits.absence).await;
            shared.users.forget(&shared, user, connection);
        });
    }

    fn forget<H: Hooks<Game = G>>(&self, shared: &Shared<H>, user: u64, connection: u64) {
        let mut known = lock(&self.0);
        let is_last = |present: &Present<G>| present.connection == connection;
        let present = match known.users.get(&user).is_some_and(is_last) {
            true => known.users.remove(&user),
            false => None, // the user has come back
        };
        drop(known); // a player that is dropped calls the store
        shared.metrics.users.remove(present.iter().count() as u64);
    }

    pub(crate) fn seat(&self, user: u64) -> Option<Arc<Seat<G>>> {
        lock(&self.0).users.get(&user)?.seat.clone()
    }

    /// Sets the seat of a user, unless another connection has taken over.
    pub(crate) fn sit(&self, user: u64, connection: u64, seat: Option<Arc<Seat<G>>>) {
        let mut known = lock(&self.0);
        let present = known.users.get_mut(&user);
        let present = present.filter(|present| present.connection == connection);
        let before = present.and_then(|present| std::mem::replace(&mut present.seat, seat));
        drop(known);
        drop(before); // calls the store
    }

    /// Ends the connection of a user. Returns the epoch, and the room where the player was.
    pub(crate) fn kick(&self, user: u64, reason: &str) -> Option<(u64, Option<String>)> {
        let mut known = lock(&self.0);
        let present = known.users.get_mut(&user)?;
        let _ = present.events.send(Event::Kicked(reason.to_owned()));
        let (epoch, seat) = (present.epoch, present.seat.take());
        drop(known);
        Some((epoch, seat.map(|seat| seat.room.clone())))
    }

    /// Whether there are inputs without an outcome that a client knows.
    pub(crate) fn have_open_inputs(&self) -> bool {
        let known = lock(&self.0);
        let mut seats = known
            .users
            .values()
            .filter_map(|present| present.seat.as_ref());
        seats.any(|seat| seat.report.has_open())
    }
}
