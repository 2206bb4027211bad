//! Rooms that are shown: a copy of each, and a feed for each client.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ecs::{Context as _, Feed};
use ecs_rooms::{Game, State, Viewer};
use tokio::sync::mpsc::{Sender, UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::end::Event;
use crate::gateway::{Shared, lock};
use crate::hooks::Hooks;
use crate::messages::{DELTA, LATE_DELTA};
use crate::seat::Report;
use crate::transport::Outgoing;

/// How long a room may take to begin.
const BEGIN: Duration = Duration::from_secs(2);

/// What a connection has to say to the room that it sees.
pub(crate) enum Command<G> {
    Join(Client<G>),
    /// Nothing is sent any more once this is answered.
    Leave {
        connection: u64,
        done: oneshot::Sender<()>,
    },
}

pub(crate) type Commands<G> = UnboundedSender<Command<G>>;

/// What a connection and the room that it sees share.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    /// The number of the last delta that was sent.
    pub(crate) sent: AtomicU64,
    /// The number of the last one that the client has.
    pub(crate) acknowledged: AtomicU64,
    /// Whether the client needs everything.
    pub(crate) is_lost: AtomicBool,
}

/// A client of a room.
pub(crate) struct Client<G> {
    pub(crate) connection: u64,
    pub(crate) join: u64,
    pub(crate) player: Option<u64>,
    pub(crate) report: Option<Arc<Report>>,
    pub(crate) has_baselines: bool,
    pub(crate) pace: Arc<Pace>,
    pub(crate) out: Sender<Outgoing>,
    pub(crate) events: UnboundedSender<Event>,
    pub(crate) feed: Option<Feed<G>>,
    /// Since when it reads too slowly.
    pub(crate) held: Option<Instant>,
}

impl<G> Client<G> {
    /// It reads slowly: its feed collects, and sends the latest values later. Returns whether it may go on so.
    fn waits(&mut self, patience: Duration) -> bool {
        let since = *self.held.get_or_insert_with(Instant::now);
        let is_patient = since.elapsed() < patience;
        if !is_patient {
            let _ = self.events.send(Event::TooSlow);
        }
        is_patient
    }

    /// Tells it that it sees nothing any more.
    fn part(&self, reason: &str) {
        let _ = self.events.send(Event::Left(self.join, reason.to_owned()));
    }
}

/// The rooms that are shown, by name.
pub(crate) struct Views<G>(Mutex<HashMap<String, Commands<G>>>);

impl<G> Default for Views<G> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<G: Game> Views<G> {
    /// Shows a room to a client. Returns the way to the room, or why it cannot be shown.
    pub(crate) async fn join<H: Hooks<Game = G>>(
        shared: &Arc<Shared<H>>,
        room: &str,
        client: Client<G>,
    ) -> Result<Commands<G>, String> {
        let client = &mut Some(client);
        if let Some(commands) = shared.views.pass(room, client) {
            return Ok(commands);
        }
        let (store, name) = (shared.store.clone(), room.to_owned());
        let key = Viewer::<G>::key(&shared.options.secret, room);
        let viewer = move || Viewer::new(store, &name, key);
        let viewer = tokio::task::spawn_blocking(viewer).await; // the store may block
        let viewer = viewer.map_err(|error| error.to_string())?;
        let viewer = viewer.map_err(|error| error.to_string())?;
        if let Some(commands) = shared.views.pass(room, client) {
            return Ok(commands); // another client was faster
        }
        let (sender, commands) = unbounded_channel();
        if let Some(client) = client.take() {
            let _ = sender.send(Command::Join(client));
        }
        lock(&shared.views.0).insert(room.to_owned(), sender.clone());
        let view = View::new(shared.clone(), room.to_owned(), viewer, commands);
        let (shared, room) = (shared.clone(), room.to_owned());
        tokio::spawn(async move {
            shared.metrics.rooms.add(1);
            let _ = tokio::spawn(view.run()).await; // code of the game may have panicked
            shared.metrics.rooms.remove(1);
            let mut views = lock(&shared.views.0);
            if views
                .get(&room)
                .is_some_and(|commands| commands.is_closed())
            {
                views.remove(&room);
            }
        });
        Ok(sender)
    }

    /// Passes a client to a room, if that is shown already.
    fn pass(&self, room: &str, client: &mut Option<Client<G>>) -> Option<Commands<G>> {
        let views = lock(&self.0);
        let commands = views.get(room).filter(|commands| !commands.is_closed())?;
        // It does not end meanwhile, because it does so under the lock, or by a panic that the client notices.
        let _ = commands.send(Command::Join(client.take()?));
        Some(commands.clone())
    }
}

/// A room that is shown.
struct View<H: Hooks> {
    shared: Arc<Shared<H>>,
    room: String,
    viewer: Viewer<H::Game>,
    copy: H::Game,
    index: H::Index,
    commands: UnboundedReceiver<Command<H::Game>>,
    clients: Vec<Client<H::Game>>,
    began: Instant,
    /// Since when there are no clients.
    left: Option<Instant>,
}

impl<H: Hooks> View<H> {
    fn new(
        shared: Arc<Shared<H>>,
        room: String,
        viewer: Viewer<H::Game>,
        commands: UnboundedReceiver<Command<H::Game>>,
    ) -> Self {
        let mut copy = H::Game::default();
        let index = shared.hooks.index(&mut copy);
        Self {
            index,
            shared,
            room,
            viewer,
            copy,
            commands,
            clients: Vec::new(),
            began: Instant::now(),
            left: None,
        }
    }

    async fn run(mut self) {
        loop {
            let linger = self.shared.options.limits.linger;
            let end = self.left.unwrap_or_else(Instant::now) + linger;
            tokio::select! {
                () = self.viewer.changed() => {}
                command = self.commands.recv() => self.obey(command),
                () = tokio::time::sleep_until(end), if self.left.is_some() => {
                    let mut views = lock(&self.shared.views.0);
                    if self.commands.is_empty() {
                        views.remove(&self.room);
                        return;
                    }
                }
            }
            while let Ok(command) = self.commands.try_recv() {
                self.obey(Some(command));
            }
            let has_moved = self.viewer.update(&mut self.copy) > 0;
            if self.viewer.tick() > 0 {
                self.show(has_moved);
            }
            if let Some(reason) = self.ended() {
                let mut views = lock(&self.shared.views.0);
                views.remove(&self.room);
                self.commands.close();
                drop(views);
                while let Ok(command) = self.commands.try_recv() {
                    self.obey(Some(command));
                }
                return self.clients.iter().for_each(|client| client.part(&reason));
            }
            self.left = match self.clients.is_empty() {
                true => self.left.or_else(|| Some(Instant::now())),
                false => None,
            };
        }
    }

    fn obey(&mut self, command: Option<Command<H::Game>>) {
        match command {
            Some(Command::Join(mut client)) => {
                let feed = self.copy.feed::<<H::Game as Game>::View>();
                if client.has_baselines {
                    feed.acknowledge(&mut self.copy, 0);
                }
                client.feed = Some(feed);
                self.clients.push(client);
            }
            Some(Command::Leave { connection, done }) => {
                self.clients
                    .retain(|client| client.connection != connection);
                let _ = done.send(());
            }
            None => {}
        }
    }

    /// Why there is nothing to show any more.
    fn ended(&self) -> Option<String> {
        match self.viewer.state() {
            State::Ended(_) if self.viewer.tick() == 0 && self.began.elapsed() < BEGIN => None,
            State::Ended(reason) => Some(reason.to_string()),
            State::Unreadable(_) => Some("the room has another version of the game".to_owned()),
            _ => None,
        }
    }

    /// Sends a delta to each client that can take one; if nothing `has_moved`, to new ones and those that need everything.
    fn show(&mut self, has_moved: bool) {
        let start = std::time::Instant::now();
        let mut clients = std::mem::take(&mut self.clients);
        clients.retain_mut(|client| {
            let is_due = has_moved
                || client.pace.sent.load(Ordering::Relaxed) == 0
                || client.pace.is_lost.load(Ordering::Relaxed);
            !is_due || self.show_to(client)
        });
        self.clients = clients;
        self.shared
            .metrics
            .delta_microseconds_total
            .add_micros(start.elapsed());
    }

    /// Returns whether the client stays.
    fn show_to(&mut self, client: &mut Client<H::Game>) -> bool {
        let (limits, metrics) = (&self.shared.options.limits, &self.shared.metrics);
        let acknowledged = client.pace.acknowledged.load(Ordering::Relaxed);
        let in_flight = client.pace.sent.load(Ordering::Relaxed) - acknowledged;
        let place = client.out.try_reserve().ok();
        let place = place.filter(|_| in_flight < limits.deltas_in_flight);
        let (Some(place), Some(feed)) = (place, &mut client.feed) else {
            metrics.deltas_held_total.add(1);
            return client.waits(limits.patience);
        };
        client.held = None;
        if client.has_baselines {
            feed.acknowledge(&mut self.copy, acknowledged);
        }
        let (hooks, index, player) = (&self.shared.hooks, &self.index, client.player);
        hooks.show(&self.copy, index, player, feed);
        let delta = match client.pace.is_lost.swap(false, Ordering::Relaxed) {
            true => feed.take_all(&mut self.copy),
            false => feed.take(&mut self.copy),
        };
        let (tick, number) = (self.viewer.tick(), delta.number());
        let input = client.report.as_ref().map_or(0, |it| it.shown(tick));
        let head = (tick, number, input);
        let bytes = match client.has_baselines {
            true => postcard::to_stdvec(&(LATE_DELTA, client.join, head, delta)),
            false => postcard::to_stdvec(&(DELTA, head, delta)),
        };
        let Ok(bytes) = bytes else {
            client.part("a component of the view cannot be written");
            return false;
        };
        client.pace.sent.store(number, Ordering::Relaxed);
        metrics.deltas_total.add(1);
        // If some are lost one after the other, the next ones come on the stream, which loses none.
        let is_trusted = number > 1 && in_flight < limits.deltas_in_flight / 2;
        let carry = match client.has_baselines && is_trusted {
            true => Outgoing::Datagram,
            false => Outgoing::Binary,
        };
        place.send(carry(bytes.into()));
        true
    }
}
