//! One connection: greeting, lobby, room.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::SystemTime;

use ecs_rooms::Game;
use serde_json::Value;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender, channel, unbounded_channel};
use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use crate::bucket::Bucket;
use crate::end::{End, Event};
use crate::gateway::{Phase, Shared};
use crate::greeting::{greet, next, request};
use crate::hooks::{Hooks, User};
use crate::messages::{Answer, Join, Listed, Packet, Request, VERSION};
use crate::seat::{Seat, is_of_room};
use crate::token;
use crate::transport::{Incoming, Messages, Outgoing, Sender};
use crate::view::{Client, Command, Commands, Pace, Views};

/// How many messages wait for a client that reads slowly.
const QUEUE: usize = 8;

/// What a connection waits for.
enum Woken {
    Message(Incoming),
    Event(Event),
    Outcomes,
    Drain,
    Time,
}

/// The room that a client sees.
struct InRoom<G: Game> {
    join: u64,
    commands: Commands<G>,
    pace: Arc<Pace>,
    seat: Option<Arc<Seat<G>>>,
}

struct Connection<H: Hooks> {
    shared: Arc<Shared<H>>,
    number: u64,
    user: User,
    stream: Messages,
    out: mpsc::Sender<Outgoing>,
    /// For the rooms that it joins.
    sender: UnboundedSender<Event>,
    events: UnboundedReceiver<Event>,
    phase: watch::Receiver<Phase>,
    messages: Bucket,
    requests: Bucket,
    room: Option<InRoom<H::Game>>,
    /// How many times it has joined a room.
    joins: u64,
    began: Instant,
    heard: Instant,
    is_pinged: bool,
    /// Since when the client is in no room.
    idle: Instant,
}

/// Serves a client until it or the gateway ends the connection.
pub(crate) async fn run<H: Hooks>(
    shared: Arc<Shared<H>>,
    sender: impl Sender,
    mut stream: Messages,
) {
    let metrics = shared.clone();
    metrics.metrics.connections_total.add(1);
    let (out, queue) = channel(QUEUE);
    let writer = tokio::spawn(write(shared.clone(), sender, queue));
    let greeted = timeout(shared.options.limits.greeting, greet(&shared, &mut stream)).await;
    // The stream is kept until the client has read why it is closed.
    let (end, _stream) = match greeted.unwrap_or(Err(End::Silent)) {
        Ok(user) => Connection::begin(shared.clone(), user, stream, out.clone()).await,
        Err(end) => (end, stream),
    };
    shared.count(&end);
    if let Some((code, mut reason)) = end.code() {
        while reason.len() > 123 {
            reason.pop(); // a close frame has no more
        }
        let close = Outgoing::Close(code, reason);
        let _ = timeout(shared.options.limits.greeting, out.send(close)).await;
    }
    drop(out);
    let _ = writer.await;
}

/// Passes messages on, until one takes too long.
async fn write<H: Hooks>(
    shared: Arc<Shared<H>>,
    mut sender: impl Sender,
    mut queue: mpsc::Receiver<Outgoing>,
) {
    let patience = shared.options.limits.patience;
    while let Some(message) = queue.recv().await {
        let bytes = message.len();
        let is_last = matches!(message, Outgoing::Close(..));
        let sent = timeout(patience, sender.send(message)).await;
        if is_last || sent != Ok(true) {
            return;
        }
        shared.metrics.messages_sent_total.add(1);
        shared.metrics.bytes_sent_total.add(bytes as u64);
    }
}

impl<H: Hooks> Connection<H> {
    async fn begin(
        shared: Arc<Shared<H>>,
        user: User,
        stream: Messages,
        out: mpsc::Sender<Outgoing>,
    ) -> (End, Messages) {
        let limits = &shared.options.limits;
        let (sender, events) = unbounded_channel();
        let number = shared.users.enter(&shared, user, sender.clone());
        let now = Instant::now();
        let mut connection = Self {
            number,
            user,
            stream,
            out,
            sender,
            events,
            phase: shared.phase.subscribe(),
            messages: Bucket::new(limits.messages_per_second, limits.message_burst),
            requests: Bucket::new(limits.requests_per_second, limits.request_burst),
            room: None,
            joins: 0,
            began: now,
            heard: now,
            is_pinged: false,
            idle: now,
            shared: shared.clone(),
        };
        let end = match connection.serve().await {
            Err(end) => end,
            Ok(never) => match never {},
        };
        connection.hide().await;
        shared.users.leave(&shared, user.number, number);
        (end, connection.stream)
    }

    async fn serve(&mut self) -> Result<std::convert::Infallible, End> {
        self.welcome().await?;
        if self.phase.borrow_and_update().is_draining() {
            self.drain().await?;
        }
        loop {
            match self.wait().await? {
                Woken::Message(message) => self.obey(message).await?,
                Woken::Event(event) => self.hear(event).await?,
                Woken::Outcomes => self.report().await?,
                Woken::Drain => self.drain().await?,
                Woken::Time => self.look()?,
            }
        }
    }

    async fn wait(&mut self) -> Result<Woken, End> {
        let deadline = self.deadline();
        let (seat, joins) = (
            self.room.as_ref().and_then(|room| room.seat.clone()),
            self.joins,
        );
        let outcomes = async {
            match &seat {
                Some(seat) => seat.report.changed.notified().await,
                None => pending().await,
            }
        };
        let commands = self.room.as_ref().map(|room| room.commands.clone());
        let failed = async {
            match &commands {
                Some(commands) => commands.closed().await,
                None => pending().await,
            }
        };
        Ok(tokio::select! {
            biased; // what others say before what the client says
            Some(event) = self.events.recv() => Woken::Event(event),
            () = self.out.closed() => return Err(End::TooSlow),
            () = failed => Woken::Event(Event::Left(joins, "the room cannot be shown".to_owned())),
            () = outcomes => Woken::Outcomes,
            Ok(()) = self.phase.changed() => Woken::Drain,
            () = sleep_until(deadline) => Woken::Time,
            message = next(&mut self.stream) => Woken::Message(message?),
        })
    }

    async fn send(&self, message: Outgoing) -> Result<(), End> {
        // The other end closes if the client does not read.
        self.out.send(message).await.map_err(|_| End::TooSlow)
    }

    async fn answer(&self, answer: Answer<'_>) -> Result<(), End> {
        self.send(answer.to_message()).await
    }

    async fn welcome(&self) -> Result<(), End> {
        let options = &self.shared.options;
        let expires = SystemTime::now() + options.limits.token;
        let welcome = Answer::Welcome {
            version: VERSION,
            game: <H::Game as Game>::VERSION,
            user: self.user.number,
            token: token::make(&options.secret, self.user, expires),
            expires: token::seconds(expires),
            room: self
                .shared
                .users
                .seat(self.user.number)
                .map(|seat| seat.room.clone()),
        };
        self.answer(welcome).await
    }

    /// When something is to be done if nothing happens before.
    fn deadline(&self) -> Instant {
        let limits = &self.shared.options.limits;
        let silence = match self.is_pinged {
            true => self.heard + limits.silence,
            false => self.heard + limits.silence / 2,
        };
        let mut deadline = silence.min(self.began + limits.token / 2);
        if self.room.is_none() {
            deadline = deadline.min(self.idle + limits.lobby);
        }
        match &*self.phase.borrow() {
            Phase::Serving => deadline,
            Phase::Draining { until, .. } => deadline.min(*until),
            Phase::Stopped => self.began, // it is over
        }
    }

    /// A deadline has come.
    fn look(&mut self) -> Result<(), End> {
        let (limits, now) = (&self.shared.options.limits, Instant::now());
        let is_over = match &*self.phase.borrow() {
            Phase::Serving => false,
            Phase::Draining { until, .. } => *until <= now,
            Phase::Stopped => true,
        };
        if is_over || self.began + limits.token / 2 <= now {
            return Err(End::Moves);
        }
        let is_idle = self.room.is_none() && self.idle + limits.lobby <= now;
        if is_idle || self.heard + limits.silence <= now {
            return Err(End::Silent);
        }
        self.is_pinged = true;
        // If there is no place, other messages are on their way.
        let _ = self.out.try_send(Outgoing::Ping);
        Ok(())
    }

    async fn drain(&mut self) -> Result<(), End> {
        let phase = self.phase.borrow_and_update().clone();
        if let Phase::Draining { url, until } = phase {
            let seconds = until
                .saturating_duration_since(Instant::now())
                .as_secs_f64();
            let url = url.as_deref();
            self.answer(Answer::Reconnect { url, seconds }).await?;
        }
        Ok(())
    }

    async fn hear(&mut self, event: Event) -> Result<(), End> {
        match event {
            Event::Left(join, _) if self.room.as_ref().is_none_or(|room| room.join != join) => {
                Ok(())
            }
            Event::Left(_, reason) => self.fail(&reason).await,
            Event::TooSlow => Err(End::TooSlow),
            Event::TakenOver => Err(End::TakenOver),
            Event::Kicked(reason) => Err(End::Kicked(reason)),
        }
    }

    /// Sends the outcomes that the client does not know.
    async fn report(&mut self) -> Result<(), End> {
        let room = self.room.as_ref();
        let Some(seat) = room.and_then(|room| room.seat.as_ref()) else {
            return Ok(());
        };
        let (outcomes, over) = seat.report.take(self.number);
        if !outcomes.is_empty() {
            let answer = Answer::outcomes(outcomes);
            if let Answer::Outcomes { rejected, .. } = &answer {
                self.shared
                    .metrics
                    .inputs_rejected_total
                    .add(rejected.len() as u64);
            }
            self.answer(answer).await?;
        }
        match over {
            None => Ok(()),
            Some(reason) if is_of_room(reason) => self.fail(&reason.to_string()).await,
            Some(reason) => Err(End::of(reason)),
        }
    }

    async fn obey(&mut self, message: Incoming) -> Result<(), End> {
        (self.heard, self.is_pinged) = (Instant::now(), false);
        slow(&self.shared, &mut self.messages).await;
        let metrics = &self.shared.metrics;
        metrics.messages_received_total.add(1);
        match message {
            Incoming::Binary(bytes) => {
                metrics.bytes_received_total.add(bytes.len() as u64);
                self.take(&bytes)
            }
            Incoming::Text(text) => {
                metrics.bytes_received_total.add(text.len() as u64);
                let request = request(&text)?;
                slow(&self.shared, &mut self.requests).await;
                self.request(request).await
            }
            Incoming::Pong => Ok(()),
        }
    }

    /// Takes an input or an acknowledgement. Those of a room that is over are skipped.
    fn take(&mut self, bytes: &[u8]) -> Result<(), End> {
        let packet =
            Packet::read(bytes).ok_or_else(|| End::malformed("no input and no acknowledgement"))?;
        let Some(room) = &self.room else {
            return Ok(());
        };
        match packet {
            Packet::Input { number, bytes } => {
                let seat = room.seat.as_ref();
                let seat = seat.ok_or_else(|| End::malformed("an input of a spectator"))?;
                let most = self.shared.options.limits.open_inputs;
                let is_new = seat.input(number, bytes, most)?;
                self.shared.metrics.inputs_total.add(is_new.into());
            }
            Packet::Acknowledge { number, heard } => {
                if number > room.pace.sent.load(Ordering::Relaxed) {
                    return Err(End::malformed("an acknowledgement of what was not sent"));
                }
                room.pace.acknowledged.fetch_max(number, Ordering::Relaxed);
                if let Some(seat) = &room.seat {
                    seat.acknowledge(self.number, heard);
                }
            }
        }
        Ok(())
    }

    async fn request(&mut self, request: Request) -> Result<(), End> {
        match request {
            Request::Hello { .. } => Err(End::malformed("a second greeting")),
            Request::List => {
                let list = self.shared.lobby.list(&self.shared.options.limits).await;
                let rooms = list.map(|list| list.iter().map(Listed::from).collect());
                self.answer_or_error(rooms.map(|rooms| Answer::Rooms { rooms }))
                    .await
            }
            Request::Create { options } => self.open(false, options).await,
            Request::Quick { options } => self.open(true, options).await,
            Request::Join(join) => self.join(join).await,
            Request::Leave => {
                self.leave().await;
                let reason = "you have left";
                self.answer(Answer::Left { reason }).await
            }
            Request::Lost => {
                if let Some(room) = &self.room {
                    room.pace.is_lost.store(true, Ordering::Relaxed);
                }
                Ok(())
            }
        }
    }

    async fn answer_or_error(&self, answer: Result<Answer<'_>, String>) -> Result<(), End> {
        match answer {
            Ok(answer) => self.answer(answer).await,
            Err(text) => self.answer(Answer::Error { text: &text }).await,
        }
    }

    async fn open(&self, quick: bool, options: Value) -> Result<(), End> {
        let Shared { hooks, lobby, .. } = &*self.shared;
        let (limits, user) = (&self.shared.options.limits, self.user.number);
        let room = match quick {
            true => lobby.quick(hooks, limits, user, &options).await,
            false => lobby.create(hooks, limits, user, &options).await,
        };
        let answer = room.as_ref().map(|room| Answer::Room { room });
        self.answer_or_error(answer.map_err(String::clone)).await
    }

    async fn join(&mut self, join: Join) -> Result<(), End> {
        self.hide().await;
        self.joins += 1;
        let seat = match join.spectate {
            true => Ok(None),
            false => self.sit(join.clone()).await.map(Some),
        };
        let seat = match seat {
            Ok(seat) => seat,
            Err(Some(text)) => return self.fail(&text).await,
            Err(None) => return Err(End::Moves),
        };
        if seat.is_none() {
            self.leave().await; // a spectator has no player in another room
        }
        let joined = Answer::Joined {
            room: &join.room,
            player: seat.as_ref().map(|_| self.user.number),
            connection: seat.as_ref().map_or(0, |seat| seat.connection),
            inputs: seat.as_ref().map_or(0, |seat| seat.report.last()),
        };
        self.answer(joined).await?;
        let pace = Arc::new(Pace::default());
        let client = self.client(&join, seat.as_deref(), pace.clone());
        match Views::join(&self.shared, &join.room, client).await {
            Ok(commands) => {
                let join = self.joins;
                if let Some(seat) = &seat {
                    seat.report.begin(self.number);
                }
                self.room = Some(InRoom {
                    join,
                    commands,
                    pace,
                    seat,
                });
                self.report().await // what an earlier connection did not get
            }
            Err(text) => self.fail(&text).await,
        }
    }

    /// A room cannot be joined, or shown any more: the client is in none.
    async fn fail(&mut self, reason: &str) -> Result<(), End> {
        self.leave().await;
        self.answer(Answer::Left { reason }).await
    }

    /// What the room knows of this connection.
    fn client(
        &self,
        join: &Join,
        seat: Option<&Seat<H::Game>>,
        pace: Arc<Pace>,
    ) -> Client<H::Game> {
        Client {
            connection: self.number,
            join: self.joins,
            player: seat.map(|_| self.user.number),
            report: seat.map(|seat| seat.report.clone()),
            has_baselines: join.baselines,
            pace,
            out: self.out.clone(),
            events: self.sender.clone(),
            feed: None,
            held: None,
        }
    }

    /// Returns the seat of the user in a room: the one that is there, or a new one. An error says why there is none, or
    /// nothing if the client should come again.
    async fn sit(&self, join: Join) -> Result<Arc<Seat<H::Game>>, Option<String>> {
        if let Some(seat) = self.shared.users.seat(self.user.number)
            && (&seat.room, seat.connection) == (&join.room, join.connection)
            && seat.made.elapsed() < self.shared.options.limits.token / 2
        {
            seat.resume(&join);
            self.begin_playing(&seat).await?; // it may have been elsewhere meanwhile
            return Ok(seat);
        }
        let (shared, user) = (self.shared.clone(), self.user);
        let seat = tokio::task::spawn_blocking(move || {
            let expires = SystemTime::now() + shared.options.limits.token;
            let store = shared.store.clone();
            Seat::new(store, &shared.options.secret, &join, user, expires)
        });
        let seat = seat.await.map_err(|error| Some(error.to_string()))?;
        let mut seat = seat.map_err(|error| Some(error.to_string()))?;
        seat.connection = self.begin_playing(&seat).await?;
        let seat = Arc::new(seat);
        let (user, connection) = (user.number, self.number);
        self.shared.users.sit(user, connection, Some(seat.clone()));
        Ok(seat)
    }

    /// Waits until the room can know that the player is there. Returns the number of its connection.
    async fn begin_playing(&self, seat: &Seat<H::Game>) -> Result<u64, Option<String>> {
        let patience = self.shared.options.limits.greeting;
        let begun = timeout(patience, seat.connect()).await;
        let begun = begun.map_err(|_| None)?; // the store is slow
        begun.map_err(|error| Some(error.to_string()))
    }

    /// The client does not see the room any more; its player may still be there.
    async fn hide(&mut self) {
        if let Some(room) = self.room.take() {
            let (done, hidden) = oneshot::channel();
            let connection = self.number;
            let _ = room.commands.send(Command::Leave { connection, done });
            let _ = hidden.await; // an error if the room is over
        }
        self.idle = Instant::now();
    }

    /// The player leaves the room.
    async fn leave(&mut self) {
        self.hide().await;
        self.shared.users.sit(self.user.number, self.number, None);
    }
}

/// Waits as long as a client has to, that sends too much.
async fn slow<H: Hooks>(shared: &Shared<H>, bucket: &mut Bucket) {
    let wait = bucket.take();
    if !wait.is_zero() {
        shared.metrics.slowed_total.add(1);
        sleep(wait).await;
    }
}
