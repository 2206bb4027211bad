//! What players see of the rooms.

use std::time::{Duration, Instant};

use ecs_rooms::{Error, Viewer};
use ecs_rooms_nats::NatsStore;

use crate::game::Arena;
use crate::{SECRET, room};

/// How long rooms may take to move at all before the run fails.
const PATIENCE: Duration = Duration::from_secs(20);

struct View {
    viewer: Viewer<Arena>,
    copy: Arena,
    seen: Instant,
}

/// Looks at all rooms.
pub(crate) struct Views {
    views: Vec<View>,
}

impl Views {
    pub(crate) fn new(store: &NatsStore, rooms: usize) -> Result<Self, Error> {
        let view = |number| {
            Ok(View {
                viewer: Viewer::new(
                    store.clone(),
                    &room(number),
                    Viewer::<Arena>::key(&SECRET, &room(number)),
                )?,
                copy: Arena::new(),
                seen: Instant::now(),
            })
        };
        let views = (0..rooms).map(view).collect::<Result<_, Error>>()?;
        Ok(Self { views })
    }

    /// Looks for a while, and longer if not all rooms have moved in the last half second. Returns the longest
    /// time that a room was not seen to move.
    pub(crate) fn look(&mut self, time: Duration) -> Result<Duration, Error> {
        let start = Instant::now();
        let mut longest = Duration::ZERO;
        loop {
            for view in &mut self.views {
                if view.viewer.update(&mut view.copy) > 0 {
                    longest = longest.max(view.seen.elapsed());
                    view.seen = Instant::now();
                }
            }
            let is_still = |view: &&View| view.seen.elapsed() > Duration::from_millis(500);
            let still = self.views.iter().filter(is_still).count();
            if start.elapsed() > time && still == 0 {
                return Ok(longest);
            }
            if start.elapsed() > time + PATIENCE {
                return Err(Error::Unknown(format!("{still} rooms do not move")));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
