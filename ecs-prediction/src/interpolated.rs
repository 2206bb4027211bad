//! Showing what others do, a little in the past.

use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::fmt;

use ecs::prelude::EntityId;

use crate::Interpolate;

/// Values of a component as of the last ticks of the server, to be shown between two of them.
///
/// [`record`](Self::record) the values with each delta, [`advance`](Self::advance) the time with each frame, and
/// [`view`](Self::view) values as of that time, which is `delay` ticks behind the newest ones. So there are values before
/// and after it, even if a delta is late or lost. If it is later than all values, the newest ones are shown, or what
/// [`extrapolate`](Self::extrapolate) allows.
///
/// An entity appears and vanishes at the tick in which it did.
///
/// # Examples
///
/// ```
/// use ecs_prediction::Interpolated;
/// # #[ecs::context] struct Game;
/// # use ecs::Context;
/// # let mut game = Game::new();
/// # let id = game.create_entity().id();
///
/// // `f32` here; a component such as `Position` in a game.
/// let mut others = Interpolated::<Game, f32>::new(3.0).snap(100.0);
/// others.record(1, [(id, &10.0)]);
/// others.record(2, [(id, &20.0)]);
/// others.record(4, [(id, &40.0)]); // tick 3 is lost
/// assert_eq!(others.view(id, 1.5), Some(15.0));
/// assert_eq!(others.view(id, 3.0), Some(30.0));
/// assert_eq!(others.view(id, 9.0), Some(40.0));
///
/// let now = others.advance(0.25); // a quarter of a tick has passed
/// assert_eq!(others.view(id, now), Some(12.5)); // as of tick 1.25
/// ```
pub struct Interpolated<C: 'static, T> {
    delay: f64,
    snap: f32,
    extrapolate: f64,
    frames: VecDeque<Frame<C, T>>,
    time: Option<f64>,
    /// How many ticks have passed since the newest values were recorded.
    since: f64,
}

/// The values of one tick, in order of ids.
struct Frame<C: 'static, T> {
    tick: u64,
    values: Vec<(EntityId<C>, T)>,
}

impl<C, T> Frame<C, T> {
    fn time(&self) -> f64 {
        self.tick as f64
    }

    fn get(&self, id: EntityId<C>) -> Option<&T> {
        let place = self.values.binary_search_by_key(&id, |it| it.0);
        place.ok().map(|place| &self.values[place].1)
    }
}

impl<C, T: Interpolate> Interpolated<C, T> {
    /// Shows values that are this many ticks old. Common are two to three times the ticks between two deltas, plus the
    /// jitter of the connection.
    #[must_use]
    pub const fn new(delay: f64) -> Self {
        Self {
            delay,
            snap: f32::INFINITY,
            extrapolate: 0.0,
            frames: VecDeque::new(),
            time: None,
            since: 0.0,
        }
    }

    /// Shows movements that are farther than this in one step (teleports) at once, when their tick comes.
    #[must_use]
    pub const fn snap(mut self, distance: f32) -> Self {
        self.snap = distance;
        self
    }

    /// Continues the last movement for so many ticks if there are no newer values; 0 by default.
    #[must_use]
    pub const fn extrapolate(mut self, ticks: f64) -> Self {
        self.extrapolate = ticks;
        self
    }

    /// Records all values of a tick. Values of a tick that is not newer than the last one are ignored: if the ticks of
    /// a server begin again, begin with a new `Interpolated`.
    ///
    /// They are those of a [query](ecs::Context::query) for `(EntityId, &T)`, or with a prediction in the same context,
    /// those that are [confirmed](crate::Predicted::confirmed). Values that are no longer needed are dropped.
    ///
    /// Complexity: *n* log *n* in the number of values.
    pub fn record<'v>(&mut self, tick: u64, values: impl IntoIterator<Item = (EntityId<C>, &'v T)>)
    where
        T: 'v,
    {
        let newest = self.frames.back();
        if newest.is_some_and(|newest| tick <= newest.tick) {
            return;
        }
        let values = values.into_iter().map(|(id, value)| (id, value.clone()));
        let mut values: Vec<_> = values.collect();
        values.sort_by_key(|it| it.0);
        self.frames.push_back(Frame { tick, values });
        self.since = 0.0;

        // A frame is needed as long as the one after it is not shown alone. A time that does not advance keeps
        // a bounded number of them.
        let shown = tick as f64 - self.delay;
        let shown = self.time.map_or(shown, |time| time.min(shown));
        let shown = shown.max(tick as f64 - self.delay - self.slack());
        while self.frames.get(1).is_some_and(|it| it.time() <= shown) && self.frames.len() > 2 {
            self.frames.pop_front();
        }
    }

    /// Advances the time by a number of ticks, usually a fraction for each frame, and returns it.
    ///
    /// It is kept `delay` ticks behind the newest values: if it is off because deltas are early or late, it runs up to
    /// 10 % faster or slower. It jumps if it is off by more than twice the delay and four ticks, and never runs backwards
    /// otherwise.
    pub fn advance(&mut self, ticks: f64) -> f64 {
        let newest = self.frames.back().map_or(0.0, Frame::time);
        self.since += ticks;
        let target = newest + self.since - self.delay;
        let time = match self.time {
            Some(time) => {
                let off = target - (time + ticks);
                match off.abs() > self.slack() {
                    true => target,
                    false => time + ticks * (1.0 + (off * 0.1).clamp(-0.1, 0.1)),
                }
            }
            None => target,
        };
        let latest = (newest + self.extrapolate).max(self.time.unwrap_or(time));
        let time = time.min(latest);
        self.time = (!self.frames.is_empty()).then_some(time);
        time
    }

    /// How far the time may be off.
    fn slack(&self) -> f64 {
        2.0 * self.delay + 4.0
    }

    /// Returns the value of an entity as of a time in ticks; `None` if it does not have one then.
    ///
    /// Complexity: logarithmic in the number of values.
    #[must_use]
    pub fn view(&self, id: EntityId<C>, time: f64) -> Option<T> {
        let place = self.place(time)?;
        let value = self.frames[place].get(id)?;
        Some(self.between(place, id, value, time))
    }

    /// Returns all entities that have a value as of a time in ticks, with their values, in order of ids.
    pub fn iter(&self, time: f64) -> impl Iterator<Item = (EntityId<C>, T)> {
        let place = self.place(time);
        let values = place.map_or(&[][..], |place| &self.frames[place].values);
        values.iter().map(move |(id, value)| {
            let place = place.unwrap_or_default(); // there is none without values
            (*id, self.between(place, *id, value, time))
        })
    }

    /// The last frame that is not after a time.
    fn place(&self, time: f64) -> Option<usize> {
        let after = self.frames.partition_point(|frame| frame.time() <= time);
        after.checked_sub(1)
    }

    /// A value of a frame, moved towards the next frame.
    fn between(&self, place: usize, id: EntityId<C>, value: &T, time: f64) -> T {
        let (frame, after) = (&self.frames[place], self.frames.get(place + 1));
        let (other, passed) = match (after, place.checked_sub(1)) {
            (Some(after), _) => (after, time - frame.time()),
            (None, Some(before)) => {
                let passed = (time - frame.time()).min(self.extrapolate);
                (&self.frames[before], passed)
            }
            (None, None) => return value.clone(),
        };
        let Some(of_other) = other.get(id) else {
            return value.clone();
        };
        let (from, to) = match after {
            Some(_) => (value, of_other),
            None => (of_other, value),
        };
        if passed <= 0.0 || from.distance(to) > self.snap {
            return value.clone();
        }
        let ticks = frame.tick.abs_diff(other.tick) as f64;
        value.shifted(from, to, (passed / ticks) as f32)
    }
}

impl<C, T> fmt::Debug for Interpolated<C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interpolated")
            .field("delay", &self.delay)
            .field("ticks", &self.frames.len())
            .field("time", &self.time)
            .finish_non_exhaustive()
    }
}
