//! The places for connections. If all are taken, a new connection closes the one that has been idle
//! longest, since browsers keep idle connections open. If none is idle, each connection is closed
//! after its current response.

use std::future::Future;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::header::{CONNECTION, HeaderValue};
use axum::response::Response;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// The maximum number of connections. WebSockets do not count.
const MOST_CONNECTIONS: usize = 64;

/// All places.
pub(super) struct Places {
    free: Arc<Semaphore>,
    taken: Arc<Taken>,
}

#[derive(Default)]
struct Taken {
    seats: Mutex<Vec<Arc<Seat>>>,
    /// Counts the times that a connection became idle.
    time: AtomicU64,
    /// Whether a new connection waits for a place.
    is_wanted: AtomicBool,
}

impl Taken {
    fn seats(&self) -> MutexGuard<'_, Vec<Arc<Seat>>> {
        self.seats.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tick(&self) -> u64 {
        self.time.fetch_add(1, Relaxed)
    }
}

impl Places {
    pub(super) fn new() -> Self {
        Self {
            free: Arc::new(Semaphore::new(MOST_CONNECTIONS)),
            taken: Arc::default(),
        }
    }

    /// Takes a place, from an idle connection if none is free.
    pub(super) async fn take(&self) -> Place {
        if self.free.available_permits() == 0 {
            self.taken.is_wanted.store(true, Relaxed);
            let seats = self.taken.seats();
            let idle = seats.iter().filter(|seat| !seat.is_busy.load(Relaxed));
            if let Some(seat) = idle.min_by_key(|seat| seat.since.load(Relaxed)) {
                seat.wanted.notify_one();
            }
        }
        let free = self.free.clone().acquire_owned().await;
        self.taken.is_wanted.store(false, Relaxed);
        let seat = Arc::new(Seat {
            is_busy: AtomicBool::new(false),
            since: AtomicU64::new(self.taken.tick()),
            wanted: Notify::new(),
            all: self.taken.clone(),
        });
        self.taken.seats().push(seat.clone());
        Place {
            seat,
            _free: free.ok(),
        }
    }
}

/// The place of a connection, until it is dropped.
pub(super) struct Place {
    seat: Arc<Seat>,
    _free: Option<OwnedSemaphorePermit>,
}

impl Place {
    pub(super) fn seat(&self) -> Arc<Seat> {
        self.seat.clone()
    }

    /// Waits until another connection takes the place.
    pub(super) async fn is_attentive(&self) {
        self.seat.wanted.notified().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let seat = &self.seat;
        seat.all.seats().retain(|other| !Arc::ptr_eq(other, seat));
    }
}

/// The state of a connection.
pub(super) struct Seat {
    /// Whether a request is being answered.
    is_busy: AtomicBool,
    /// When it became idle, in ticks.
    since: AtomicU64,
    wanted: Notify,
    all: Arc<Taken>,
}

impl Seat {
    /// Answers a request; closes the connection afterwards if another one waits for a place.
    pub(super) async fn answering(&self, response: impl Future<Output = Response>) -> Response {
        self.is_busy.store(true, Relaxed);
        let mut response = response.await;
        self.is_busy.store(false, Relaxed);
        self.since.store(self.all.tick(), Relaxed);
        if self.all.is_wanted.load(Relaxed) && !response.headers().contains_key(CONNECTION) {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(CONNECTION, close);
        }
        response
    }
}
