//! For how long shards have no ticks.

use std::sync::mpsc::{TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

use ecs_rooms::{Error, Host, Store};

/// The number of shards of the options for tests.
const SHARDS: u32 = 4;

/// Opens rooms in all shards: one without rooms has no ticks.
pub(crate) fn open_all(host: &Host) {
    (0..20).for_each(|room| _ = host.open(&format!("room{room}"), 7).unwrap());
}

/// The log of a shard, which is read from its end.
struct Log {
    name: String,
    read_to: u64,
    last: Instant,
}

impl Log {
    fn new(store: &dyn Store, shard: u32) -> Self {
        let name = format!("log/{shard}");
        let after = match store.read(&name, 0, 1) {
            Err(Error::Forgotten { first }) => first - 1,
            _ => 0,
        };
        let records = store.read(&name, after, usize::MAX).unwrap();
        Self {
            name,
            read_to: records.last().map_or(0, |record| record.number),
            last: Instant::now(),
        }
    }

    /// Reads on. Returns for how long there has been no tick.
    fn silence(&mut self, store: &dyn Store) -> Duration {
        let silence = self.last.elapsed();
        let records = store.read(&self.name, self.read_to, 9_999).unwrap();
        self.read_to = records.last().map_or(self.read_to, |record| record.number);
        if records.iter().any(|record| record.is_mark) {
            self.last = Instant::now();
        }
        silence
    }
}

/// Whether each shard has had ticks.
pub(crate) fn all_tick(store: &dyn Store) -> bool {
    let marks = |log: &str| {
        store.read(log, 0, 9_999).map_or(9, |records| {
            records.iter().filter(|record| record.is_mark).count()
        })
    };
    (0..SHARDS).all(|shard| marks(&format!("log/{shard}")) > 5)
}

/// The longest time in which a shard had no tick, while something is done.
pub(crate) fn longest_silence(store: &dyn Store, act: impl FnOnce()) -> Duration {
    let (acting, is_over) = channel::<()>();
    thread::scope(|scope| {
        let watch = scope.spawn(move || {
            let mut logs: Vec<_> = (0..SHARDS).map(|shard| Log::new(store, shard)).collect();
            let mut longest = Duration::ZERO;
            while is_over.try_recv() == Err(TryRecvError::Empty) {
                for log in &mut logs {
                    longest = longest.max(log.silence(store));
                }
                thread::sleep(Duration::from_millis(1));
            }
            longest
        });
        let acting = acting; // until it is dropped, also by a panic
        act();
        drop(acting);
        watch.join().unwrap()
    })
}
