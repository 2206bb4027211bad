//! The clock of a list that runs in fixed steps.

#[cfg(feature = "serde")]
use alloc::format;
#[cfg(feature = "serde")]
use alloc::string::String;
use core::num::NonZeroU64;
use core::time::Duration;

/// A clock for a list that runs in fixed steps, independent of the frame rate. It accumulates the time
/// that frames take and tells when the next step is due.
///
/// It is a plain value that a program keeps in its world. It never reads the system clock: the program
/// [passes in](Self::advance) the elapsed time, so the same times produce the same steps. A list that
/// [repeats while](crate::Systems::repeat_while) a step is due runs once per step. Each step executes
/// the list and cleans it up, so one-frame components that the list cleans up last one step.
///
/// After a long frame, several steps are due, but at most [eight](Self::at_most). Time beyond that is
/// [dropped](Self::dropped), so that a program whose steps are too slow does not fall further and further
/// behind.
///
/// # Where to keep it
///
/// A clock in a plain field of the world is neither saved nor rewound: a [history](crate::History)
/// restores components and nothing else. That is right for most games. To save and rewind the clock with a
/// context, make it a unique component, and take steps by updating it:
///
/// ```
/// # use ecs::prelude::*;
/// # use std::time::Duration;
/// # #[ecs::context] pub struct Game;
/// #[derive(Component)]
/// #[component(context = Game, unique)]
/// struct Clock(FixedSteps);
///
/// let mut game = Game::new();
/// game.set_clock(FixedSteps::per_second(50));
/// let mut systems = Systems::new()
///     .add(|game: &mut Game| drop(game.create_entity()))
///     .repeat_while(|game: &mut Game| game.update_clock(|clock| clock.0.take_step()));
/// game.update_clock(|clock| clock.0.advance(Duration::from_millis(70)));
/// systems.execute(&mut game);
/// assert_eq!((game.len(), game.clock().0.taken()), (1 + 3, 3));
/// ```
///
/// # In data files
///
/// With the feature `serde`, a text format needs the time step only, in `seconds`; the other fields are those
/// that a save contains, in nanoseconds. What no program could make, such as `at_most: 0`, is an error that
/// names the field.
///
/// ```
/// # #[cfg(feature = "serde")] {
/// # use ecs::FixedSteps;
/// let steps: FixedSteps = serde_json::from_str(r#"{"seconds": 0.02, "at_most": 3}"#).unwrap();
/// assert_eq!(steps, FixedSteps::per_second(50).at_most(3));
/// let never = serde_json::from_str::<FixedSteps>(r#"{"seconds": 0.02, "at_most": 0}"#);
/// assert!(never.unwrap_err().to_string().starts_with("`at_most` of a clock must be at least 1"));
/// # }
/// ```
///
/// # Pitfalls
///
/// - A frame can have no step at all. If a list outside the steps cleans up one-frame components, steps
///   may never see them; add `CleanupSystems` to the list of the steps instead.
/// - The outermost list [defragments](crate::Systems::defragmenting) once per frame, which changes the
///   order of iteration. If several machines must compute identical steps, switch that off and call
///   [`defragment_for`](crate::StorageMut::defragment_for) in the cleanup phase of the steps.
/// - While the list of the steps is switched off or paused, do not call [`advance`](Self::advance), or call
///   [`clear`](Self::clear) afterwards. Otherwise the steps that are due run all at once when it resumes.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// use std::time::Duration;
///
/// #[derive(Contexts)]
/// struct World {
///     game: Game,
///     #[contexts(skip)]
///     steps: FixedSteps,
/// }
///
/// let mut world = World { game: Game::new(), steps: FixedSteps::per_second(50) };
/// let physics = Systems::with_name("Physics")
///     .add(|world: &mut World| {
///         let dt = world.steps.timestep().as_secs_f32();
///         let moving = world.game.query_mut::<(&mut Position, &Velocity)>();
///         moving.for_each(|(position, velocity)| position.0 += velocity.0 * dt);
///     })
///     .repeat_while(|world: &mut World| world.steps.take_step());
/// let mut systems = Systems::new().add(physics);
///
/// let ball = world.game.create_with((Position(0.0), Velocity(100.0))).id();
/// for frame in [15, 15, 15] {
///     world.steps.advance(Duration::from_millis(frame));
///     systems.execute(&mut world);
///     systems.cleanup(&mut world);
/// }
/// assert_eq!(world.game.entity(ball).position().0, 4.0); // two steps of 20 ms
/// assert_eq!(world.steps.fraction(), 0.25); // and 5 ms of the next one, to interpolate by
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FixedSteps {
    /// In nanoseconds, as all times here.
    timestep: NonZeroU64,
    at_most: u32,
    /// The accumulated time that no step has used yet.
    accumulated: u64,
    dropped: u64,
    taken: u64,
}

/// A clock as it is saved, not checked yet.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(rename = "FixedSteps")]
pub(super) struct StoredSteps {
    pub(super) timestep: u64,
    pub(super) at_most: u32,
    pub(super) accumulated: u64,
    pub(super) dropped: u64,
    pub(super) taken: u64,
}

#[cfg(feature = "serde")]
impl FixedSteps {
    /// The clock, if its methods can bring it to this state.
    pub(super) fn checked(stored: StoredSteps) -> Result<Self, String> {
        let StoredSteps {
            timestep,
            at_most,
            accumulated,
            dropped,
            taken,
        } = stored;
        let Some(least) = NonZeroU64::new(timestep) else {
            let message =
                "`timestep` of a clock must be at least 1 ns; write `seconds`, for example 0.02";
            return Err(message.into());
        };
        if at_most == 0 {
            return Err(format!(
                "`at_most` of a clock must be at least 1, or no step would be due; leave it out \
                 for {}",
                Self::AT_MOST
            ));
        }
        if accumulated / least > u64::from(at_most) {
            return Err(format!(
                "`accumulated` of this clock must be less than {at_most} + 1 steps of {timestep} \
                 ns, not {accumulated}; leave it out to start at 0"
            ));
        }
        Ok(Self {
            timestep: least,
            at_most,
            accumulated,
            dropped,
            taken,
        })
    }
}

impl FixedSteps {
    /// How many steps can be due at once by default.
    pub(super) const AT_MOST: u32 = 8;

    /// Creates a clock with this time step. At most eight steps are due at once.
    ///
    /// # Panics
    ///
    /// Panics if `timestep` is zero, or longer than 584 years.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::time::Duration;
    /// let steps = ecs::FixedSteps::new(Duration::from_millis(20));
    /// assert_eq!(steps, ecs::FixedSteps::per_second(50));
    /// ```
    #[track_caller]
    pub fn new(timestep: Duration) -> Self {
        let nanos = u64::try_from(timestep.as_nanos()).ok();
        let Some(timestep) = nanos.and_then(NonZeroU64::new) else {
            panic!("a step takes between 1 ns and 584 years, not {timestep:?}");
        };
        Self {
            timestep,
            at_most: Self::AT_MOST,
            accumulated: 0,
            dropped: 0,
            taken: 0,
        }
    }

    /// Creates a clock with this many steps per second. The time step is rounded down to whole
    /// nanoseconds.
    ///
    /// # Panics
    ///
    /// Panics if `steps` is zero, or more than 1,000,000,000.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(ecs::FixedSteps::per_second(60).timestep().as_nanos(), 16_666_666);
    /// ```
    #[track_caller]
    pub fn per_second(steps: u32) -> Self {
        let timestep = Duration::from_secs(1).checked_div(steps);
        Self::new(timestep.unwrap_or_default())
    }

    /// Sets how many steps can be due at once; zero counts as one. Accumulated time beyond that is dropped.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::time::Duration;
    /// let mut steps = ecs::FixedSteps::per_second(10).at_most(3);
    /// steps.advance(Duration::from_secs(60));
    /// assert_eq!(steps.due(), 3);
    /// ```
    #[must_use = "the clock is returned"]
    pub fn at_most(mut self, steps: u32) -> Self {
        self.at_most = steps.max(1);
        self.accumulate(0);
        self
    }

    /// Adds the time that has passed since the last call; call it once per frame. Returns the time that
    /// is dropped because too many steps would be due, usually zero.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::time::Duration;
    /// let mut steps = ecs::FixedSteps::per_second(10);
    /// assert_eq!(steps.advance(Duration::from_millis(250)), Duration::ZERO);
    /// assert_eq!(steps.due(), 2);
    /// assert_eq!(steps.advance(Duration::from_secs(1)), Duration::from_millis(400));
    /// assert_eq!((steps.due(), steps.fraction()), (8, 1.0));
    /// ```
    pub fn advance(&mut self, elapsed: Duration) -> Duration {
        let elapsed = u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX);
        Duration::from_nanos(self.accumulate(elapsed))
    }

    /// Adds time, and returns how much is dropped.
    fn accumulate(&mut self, elapsed: u64) -> u64 {
        let accumulated = self.accumulated.saturating_add(elapsed);
        let beyond = (accumulated / self.timestep).saturating_sub(self.at_most.into());
        let dropped = beyond * self.timestep.get(); // never more than `accumulated`
        self.accumulated = accumulated - dropped;
        self.dropped = self.dropped.saturating_add(dropped);
        dropped
    }

    /// Takes the next step if one is due, and returns whether it was: the condition for
    /// [`repeat_while`](crate::Systems::repeat_while).
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::time::Duration;
    /// let mut steps = ecs::FixedSteps::per_second(10);
    /// steps.advance(Duration::from_millis(150));
    /// assert!(steps.take_step() && !steps.take_step());
    /// ```
    pub fn take_step(&mut self) -> bool {
        let is_due = self.accumulated >= self.timestep.get();
        if is_due {
            self.accumulated -= self.timestep.get();
            self.taken = self.taken.saturating_add(1);
        }
        is_due
    }

    /// Discards the accumulated time, for example after a pause or when a level starts.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::time::Duration;
    /// let mut steps = ecs::FixedSteps::per_second(10);
    /// steps.advance(Duration::from_millis(350));
    /// steps.clear();
    /// assert_eq!((steps.due(), steps.fraction()), (0, 0.0));
    /// ```
    pub fn clear(&mut self) {
        self.accumulated = 0;
    }

    /// Returns the duration of one step.
    pub fn timestep(&self) -> Duration {
        Duration::from_nanos(self.timestep.get())
    }

    /// Returns how many steps are due.
    pub fn due(&self) -> u64 {
        self.accumulated / self.timestep
    }

    /// Returns how many steps have been taken.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::time::Duration;
    /// let mut steps = ecs::FixedSteps::per_second(10);
    /// steps.advance(Duration::from_millis(350));
    /// while steps.take_step() {}
    /// assert_eq!((steps.taken(), steps.elapsed()), (3, Duration::from_millis(300)));
    /// ```
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// Returns the simulated time: the duration of all steps taken.
    pub fn elapsed(&self) -> Duration {
        Duration::from_nanos(self.taken.saturating_mul(self.timestep.get()))
    }

    /// Returns the time dropped so far because too many steps would have been due. If it keeps growing,
    /// the steps are too slow.
    pub fn dropped(&self) -> Duration {
        Duration::from_nanos(self.dropped)
    }

    /// Returns the fraction of the next step that has passed, from 0 to 1; 1 if a step is due. Views
    /// interpolate by it between the last two steps: `before + (after - before) * fraction`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::time::Duration;
    /// let mut steps = ecs::FixedSteps::per_second(10);
    /// steps.advance(Duration::from_millis(175));
    /// steps.take_step();
    /// assert_eq!(steps.fraction(), 0.75);
    /// ```
    pub fn fraction(&self) -> f32 {
        let timestep = self.timestep.get();
        (self.accumulated.min(timestep) as f64 / timestep as f64) as f32
    }
}
