//! Prediction of a client's own inputs, and reconciliation with the server.
//!
//! ```text
//! confirmed ── pending[0] ── pending[1] ── pending[2] ── present
//!     │        points[0]     points[1]     points[2]                 a mark before each tick
//!     └─ the server's state after input `acked`; the mirror is up to date with it
//! ```
//!
//! If the step panics during a replay, there are fewer points than pending inputs until the next one.

use alloc::collections::VecDeque;
use core::fmt;

use ecs::prelude::{Component, Context, EntityId, History, Mirror};
use ecs::{ApplyError, ChangeKind, Delta, Mark, ThreadSafe};

use crate::smoothing::Smoothing;
use crate::{Corrections, Interpolate, PredictionLimit, Shown};

/// Predicts a client's own inputs on a [mirrored](Mirror) context.
///
/// [`tick`](Self::tick) plays an input at once and numbers it; send it to the server with its number. The server
/// plays inputs in order, each once, and sends deltas with the number of the last input played.
/// [`receive`](Self::receive) rewinds the context to the last state of the server, applies the delta, and plays the
/// inputs again that the server has not played yet. If the prediction was right, nothing changes. If it was wrong, the
/// context has the corrected state at once, and [`view`](Self::view) eases towards it.
///
/// All methods take the same context, and panic if given another one. The context is rewound, so
///
/// - the step uses nothing but the context and the input, as for any [rollback](ecs::guide::undo_and_rollback);
/// - what you change between calls is undone by the next delta that changes something. Exclude components of your
///   own, such as sprites, from the history, and pass it to [`with`](Self::with);
/// - entities that a step creates vanish with a rewind and are created again by the replay, perhaps under other ids.
///   The server's entity appears with the delta; from then on the input that has created it is not replayed. Nothing
///   tells the two apart, so do not keep ids of predicted entities;
/// - entities that a step destroys are alive again after a rewind, unless the replay destroys them, too;
/// - observers are not notified of a rewind, but of the delta and of what the steps change, again with each replay.
///   Pass a step without sounds to `receive`. Views use triggers
///   [`with_rewinds`](ecs::guide::undo_and_rollback#who-is-notified).
///
/// # Examples
///
/// See the [crate](crate).
pub struct Predicted<C: Context, I> {
    history: History<C>,
    mirror: Mirror<C>,
    /// The last state of the server, without any prediction.
    confirmed: Mark<C>,
    acked: u64,
    pending: VecDeque<I>,
    points: VecDeque<Point<C>>,
    max_pending: usize,
    smoothing: Smoothing<C>,
    /// A panic has left the context at the server's state, which is not marked yet.
    interrupted: bool,
}

/// `apply` or `rebase` of a mirror.
type Apply<C> = fn(&mut Mirror<C>, &mut C, &Delta<C>) -> Result<(), ApplyError>;

/// The state before a predicted tick.
struct Point<C> {
    mark: Mark<C>,
    /// The number of changes since the confirmed state.
    changes: usize,
}

impl<C: Context, I> Predicted<C, I> {
    /// Records a history of the context, and begins with an empty mirror: the first delta must be
    /// [everything](Delta::is_everything).
    ///
    /// # Panics
    ///
    /// As [`record`](Context::record): if a component is not `Clone`, or if the context has a history.
    #[track_caller]
    pub fn new(context: &mut C) -> Self {
        let history = context.record();
        Self::with(context, history, Mirror::new())
    }

    /// Uses a history that excludes some components, or a mirror that has applied deltas or is [of](Mirror::of) a
    /// loaded context. The present state is that of the server, and no input is pending.
    ///
    /// # Panics
    ///
    /// Panics if the history is of another context, or if observers are being notified of a change.
    #[track_caller]
    pub fn with(context: &mut C, history: History<C>, mirror: Mirror<C>) -> Self {
        let confirmed = history.mark(context);
        Self {
            history,
            mirror,
            confirmed,
            acked: 0,
            pending: VecDeque::new(),
            points: VecDeque::new(),
            max_pending: 64,
            smoothing: Smoothing::new(),
            interrupted: false,
        }
    }

    /// Sets how many inputs can be pending, 64 by default: as many as you send ticks in the longest lag that a
    /// player shall endure. The cost of a replay is linear in it.
    #[must_use]
    pub fn max_pending(mut self, ticks: usize) -> Self {
        self.max_pending = ticks;
        self
    }

    /// Smooths corrections of a component: what is shown eases to the corrected value over a number of ticks.
    /// Corrections farther than `snap` are shown at once. Entities that are not the mirror's are never smoothed.
    ///
    /// Each [`receive`](Self::receive) that replays compares all values of predicted entities: the time is linear in
    /// them.
    #[must_use]
    pub fn smooth<T: Component<C> + Interpolate>(mut self, ticks: u32, snap: f32) -> Self {
        self.smoothing.add::<T>(ticks, snap);
        self
    }

    /// Says which entities are predicted, by default all of the mirror: the values of others are not corrections when
    /// the server changes them, and are not smoothed. They are checked with each [`receive`](Self::receive) that replays.
    #[must_use]
    pub fn only(mut self, is_predicted: impl Fn(C::Entity<'_>) -> bool + ThreadSafe) -> Self {
        self.smoothing.only(is_predicted);
        self
    }

    /// Plays one tick with an input, and returns the number under which the input is to be sent: 1, 2, 3, …
    ///
    /// # Panics
    ///
    /// If the step panics, the input has no number and is not pending. What the step has changed stays until the
    /// next delta that changes something.
    ///
    /// # Errors
    ///
    /// [`PredictionLimit`], if too many inputs are pending: the server is silent or far behind. Nothing has changed.
    /// Show that the connection is lost, [send](Self::pending) again what is pending, and try again later.
    #[track_caller]
    pub fn tick(
        &mut self,
        context: &mut C,
        input: I,
        mut step: impl FnMut(&mut C, &I),
    ) -> Result<u64, PredictionLimit> {
        self.recover(context);
        let pending = self.pending.len();
        if pending >= self.max_pending {
            return Err(PredictionLimit { pending });
        }
        let (mark, changes) = (self.history.mark(context), self.history.len(context));
        self.smoothing.tick();
        step(context, &input);
        self.points.push_back(Point { mark, changes });
        self.pending.push_back(input);
        Ok(self.last_number())
    }

    /// Applies a delta of the server, which has played the inputs up to number `acked`, and replays the others.
    ///
    /// If the delta is empty, and the acknowledged ticks have changed nothing, nothing is rewound or replayed.
    ///
    /// A number that is smaller than an earlier one is ignored. A number of the future means that this client has been
    /// restarted: no input is pending then, and the next one has the number after it.
    ///
    /// Complexity: linear in the changes of the delta and of all pending ticks, and in the values of smoothed
    /// components.
    ///
    /// # Panics
    ///
    /// As [`Mirror::apply`]. If the step panics, the delta has been applied and its input was replayed in part; the next
    /// call replays all pending inputs.
    ///
    /// # Errors
    ///
    /// Those of [`Mirror::apply`], for lost and repeated deltas among others. The context is as before, with its
    /// prediction, except after [`ApplyError::Incomplete`]: what was applied of the delta stays, and all pending
    /// inputs have been replayed.
    #[track_caller]
    pub fn receive(
        &mut self,
        context: &mut C,
        delta: &Delta<C>,
        acked: u64,
        step: impl FnMut(&mut C, &I),
    ) -> Result<Corrections, ApplyError> {
        self.reconcile(context, delta, acked, step, Mirror::apply)
    }

    /// Like [`receive`](Self::receive), but follows another feed from a delta that is everything: see
    /// [`Mirror::rebase`].
    #[track_caller]
    pub fn rebase(
        &mut self,
        context: &mut C,
        delta: &Delta<C>,
        acked: u64,
        step: impl FnMut(&mut C, &I),
    ) -> Result<Corrections, ApplyError> {
        self.reconcile(context, delta, acked, step, Mirror::rebase)
    }

    #[track_caller]
    fn reconcile(
        &mut self,
        context: &mut C,
        delta: &Delta<C>,
        acked: u64,
        step: impl FnMut(&mut C, &I),
        apply: Apply<C>,
    ) -> Result<Corrections, ApplyError> {
        self.recover(context);
        let played = usize::try_from(acked.saturating_sub(self.acked)).unwrap_or(usize::MAX);
        let played = played.min(self.pending.len());
        if delta.is_empty() && self.are_idle(context, played) {
            apply(&mut self.mirror, context, delta)?;
            self.confirm(context, played);
            self.acknowledge(played, acked);
            return Ok(Corrections::default());
        }
        self.smoothing.before(context, &self.mirror);
        let applied = self.apply_to_confirmed(context, delta, apply);
        match applied {
            Ok(()) => self.acknowledge(played, acked),
            Err(ApplyError::Incomplete) => {}
            Err(error) => return Err(error),
        }
        self.replay(context, step);
        let mut corrections = self.smoothing.after(context);
        corrections.replayed = self.pending.len();
        applied.map(|()| corrections)
    }

    /// Rewinds to the server's last state and applies a delta to it, which becomes the confirmed state; or after an
    /// error that has changed nothing, returns to the present.
    #[track_caller]
    fn apply_to_confirmed(
        &mut self,
        context: &mut C,
        delta: &Delta<C>,
        apply: Apply<C>,
    ) -> Result<(), ApplyError> {
        let present = self.history.mark(context);
        let points = core::mem::take(&mut self.points);
        self.history.rewind(context, self.confirmed);
        self.interrupted = true;
        let applied = apply(&mut self.mirror, context, delta);
        self.interrupted = false;
        match applied {
            Ok(()) | Err(ApplyError::Incomplete) => self.mark_confirmed(context),
            Err(_) => {
                self.history.forward(context, present);
                self.points = points;
            }
        }
        applied
    }

    /// Whether the first pending ticks have changed nothing, nor anyone else before or between them.
    fn are_idle(&self, context: &C, ticks: usize) -> bool {
        let is_complete = self.points.len() == self.pending.len();
        let changes = match self.points.get(ticks) {
            Some(point) => point.changes,
            None => self.history.len(context),
        };
        is_complete && changes == 0
    }

    /// Confirms the first pending ticks without a rewind, because they have changed nothing.
    fn confirm(&mut self, context: &mut C, played: usize) {
        if played > 0 {
            self.points.drain(..played);
            match self.points.front() {
                Some(point) => self.confirmed = point.mark,
                None => self.confirmed = self.history.mark(context),
            }
            self.history.forget_before(context, self.confirmed);
        }
    }

    fn acknowledge(&mut self, played: usize, acked: u64) {
        self.pending.drain(..played);
        self.acked = self.acked.max(acked);
    }

    fn replay(&mut self, context: &mut C, mut step: impl FnMut(&mut C, &I)) {
        for input in &self.pending {
            let (mark, changes) = (self.history.mark(context), self.history.len(context));
            self.points.push_back(Point { mark, changes });
            step(context, input);
        }
    }

    /// Marks the state of the server if a panic while it was applied has prevented that.
    #[track_caller]
    fn recover(&mut self, context: &mut C) {
        if self.interrupted {
            self.mark_confirmed(context);
            self.interrupted = false;
        }
    }

    #[track_caller]
    fn mark_confirmed(&mut self, context: &mut C) {
        self.confirmed = self.history.mark(context);
        self.history.forget_before(context, self.confirmed);
    }

    fn last_number(&self) -> u64 {
        self.acked.saturating_add(self.pending.len() as u64)
    }

    /// Returns the pending inputs with their numbers, in order. Send all of them each time, so that a lost message
    /// costs nothing; the server skips those that it has played.
    pub fn pending(&self) -> impl ExactSizeIterator<Item = (u64, &I)> {
        let first = self.acked.saturating_add(1);
        let numbered = move |(place, input)| (first.saturating_add(place as u64), input);
        self.pending.iter().enumerate().map(numbered)
    }

    /// Returns the number of the last input that the server has played, 0 if there is none.
    pub const fn acked(&self) -> u64 {
        self.acked
    }

    /// Returns the mirror, to translate ids of the server.
    pub const fn mirror(&self) -> &Mirror<C> {
        &self.mirror
    }

    /// Returns the values of a component in the last state of the server, of the mirror's entities, in no particular
    /// order: what [`Interpolated::record`](crate::Interpolated::record) needs.
    ///
    /// Complexity: linear in the values, and in the changes since.
    pub fn confirmed<'c, T: Component<C>>(
        &'c self,
        context: &'c C,
    ) -> impl Iterator<Item = (EntityId<C>, &'c T)> {
        let at = (!self.interrupted).then(|| self.history.at(context, self.confirmed));
        let present = context.query::<EntityId<C>>().iter();
        let destroyed = self.history.changes(context);
        let destroyed = destroyed.filter(|change| change.kind() == ChangeKind::Destroyed);
        let ids = present.chain(destroyed.map(|change| change.entity()));
        let ids = ids.filter(|id| self.mirror.origin(*id).is_some());
        ids.filter_map(move |id| Some((id, at.as_ref()?.get(id)?)))
    }

    /// Returns the values of a component as they are to be shown: at a fraction between the previous tick and the
    /// present one (1), with what is left of the offsets of [smoothed](Self::smooth) corrections.
    ///
    /// With a fraction of 1, an input is visible in the frame in which it is made.
    ///
    /// Complexity: with a smaller fraction, and if several values are read, linear in the changes of the last tick.
    #[track_caller]
    pub fn view<'c, T>(&'c self, context: &'c C, fraction: f32) -> Shown<'c, C, T>
    where
        T: Component<C> + Interpolate,
    {
        let point = self.points.back().filter(|_| fraction < 1.0);
        let previous = point.and_then(|point| self.history.try_at(context, point.mark).ok());
        let present = context.view();
        let offsets = self.smoothing.of();
        Shown::new(present, previous, offsets, fraction)
    }
}

impl<C: Context, I> fmt::Debug for Predicted<C, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Predicted")
            .field("acked", &self.acked)
            .field("pending", &self.pending.len())
            .finish_non_exhaustive()
    }
}
