//! The inspector as used by a program: started once, updated every frame.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};

use ecs::{Context, Template, VisitContexts};

use crate::builder::InspectorBuilder;
use crate::desk::{Desk, Program};
use crate::lists::SystemLists;
use crate::server::Server;

/// The variable that [`Inspector::from_env`] asks for.
const VARIABLE: &str = "ECS_INSPECTOR";
/// Where it listens if the variable does not say.
const ADDRESS: &str = "127.0.0.1:7777";

/// Shows a running program to a browser, and to scripts.
///
/// It has a server on a thread of its own, and answers once a frame, when the program calls
/// [`update`](Self::update). Dropping it ends the server; systems that are paused by then stay so,
/// until [`set_suspended`](ecs::Systems::set_suspended).
///
/// # Examples
///
/// ```
/// use ecs::prelude::*;
/// use ecs_inspector::Inspector;
///
/// #[ecs::context]
/// pub struct Game;
///
/// # fn main() -> std::io::Result<()> {
/// let mut game = Game::new();
/// let mut systems = Systems::new().add(|game: &mut Game| drop(game.create_entity().id()));
/// let mut inspector = Inspector::serve("127.0.0.1:0")?; // 0: a port that is free
/// println!("look at {}", inspector.url().unwrap());
/// for _frame in 0..3 {
///     systems.execute(&mut game);
///     systems.cleanup(&mut game);
///     inspector.update(&mut game, &mut systems);
/// }
/// # Ok(()) }
/// ```
pub struct Inspector {
    running: Option<Box<Running>>,
}

/// What there is while it runs.
struct Running {
    desk: Desk,
    server: Server,
    url: String,
}

impl Inspector {
    /// Starts an inspector at an address of this machine, as `127.0.0.1:7777`.
    ///
    /// # Errors
    ///
    /// If the address cannot be listened to, or is not a loopback address: then others could change
    /// the program, so it needs a [token](InspectorBuilder::token).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs_inspector::Inspector;
    /// let inspector = Inspector::serve("127.0.0.1:0").unwrap();
    /// assert!(inspector.address().unwrap().ip().is_loopback());
    /// assert!(Inspector::serve("0.0.0.0:0").is_err());
    /// ```
    pub fn serve(address: impl ToSocketAddrs) -> io::Result<Self> {
        Self::builder().serve(address)
    }

    /// Starts an inspector if the environment says so: `ECS_INSPECTOR=1` for `127.0.0.1:7777`, or
    /// an address. Otherwise the inspector is off, and [`update`](Self::update) does nothing.
    ///
    /// `ECS_INSPECTOR_TOKEN` is the [token](InspectorBuilder::token).
    ///
    /// # Errors
    ///
    /// Those of [`serve`](Self::serve).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs_inspector::Inspector;
    /// let inspector = Inspector::from_env().unwrap();
    /// assert!(!inspector.is_on()); // the variable is not set
    /// ```
    pub fn from_env() -> io::Result<Self> {
        Self::builder().from_env()
    }

    /// Makes an inspector that is off: [`update`](Self::update) does nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs_inspector::Inspector;
    /// assert_eq!(Inspector::off().url(), None);
    /// ```
    pub fn off() -> Self {
        Self { running: None }
    }

    /// Starts to choose how an inspector is to be.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs_inspector::Inspector;
    /// let inspector = Inspector::builder().read_only(true).serve("127.0.0.1:0").unwrap();
    /// # drop(inspector);
    /// ```
    pub fn builder() -> InspectorBuilder {
        InspectorBuilder::new()
    }

    pub(crate) fn running(desk: Desk, server: Server, url: String) -> Self {
        Self {
            running: Some(Box::new(Running { desk, server, url })),
        }
    }

    /// Answers what has been asked since the last frame. Call it once a frame, behind the systems'
    /// cleanup.
    ///
    /// While no client is connected, it only counts the frame. Otherwise it works for a
    /// fraction of a millisecond, however large the values of components are; the rest is done in later
    /// frames. `Serialize` and `Debug` of components are stopped as soon as there is enough to show;
    /// other user code that an edit runs (observers, `Clone`, `Drop`) is not interrupted.
    ///
    /// # Examples
    ///
    /// For a world of several contexts, too:
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs_inspector::Inspector;
    /// # #[ecs::context] pub struct Game;
    /// # #[ecs::context] pub struct Input;
    /// #[derive(Contexts)]
    /// struct World { game: Game, input: Input }
    ///
    /// let mut world = World { game: Game::new(), input: Input::new() };
    /// let mut systems = Systems::<World>::new();
    /// let mut inspector = Inspector::off();
    /// inspector.update(&mut world, &mut systems);
    ///
    /// let mut steps = Systems::<World>::with_name("Steps"); // and for several lists
    /// inspector.update(&mut world, &mut [&mut steps, &mut systems]);
    /// ```
    #[inline]
    pub fn update<W, S>(&mut self, world: &mut W, systems: &mut S)
    where
        W: VisitContexts,
        S: SystemLists<W> + ?Sized,
    {
        if let Some(running) = &mut self.running
            && running.desk.begin_frame()
        {
            let systems = &mut { systems };
            running.desk.attend(Program { world, systems });
        }
    }

    /// Offers a template: entities can be created from it, under a name.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs_inspector::Inspector;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone)] #[component(context = Game)] struct Health(u32);
    /// let mut inspector = Inspector::serve("127.0.0.1:0").unwrap();
    /// inspector.add_template("orc", Template::<Game>::new().with(Health(9)));
    /// ```
    pub fn add_template<C: Context>(&mut self, name: &str, template: Template<C>) {
        if let Some(running) = &mut self.running {
            let kept = running.desk.contexts.of_type::<C>();
            kept.templates.retain(|(known, _)| known != name);
            kept.templates.push((name.to_owned(), template));
        }
    }

    /// Returns whether it runs.
    pub fn is_on(&self) -> bool {
        self.running.is_some()
    }

    /// Returns whether a user has paused the systems. A program that does more than run them may want
    /// to wait, too; one with fixed steps should not advance their clock meanwhile.
    pub fn is_paused(&self) -> bool {
        self.running.as_ref().is_some_and(|it| it.desk.is_paused())
    }

    /// Returns where it listens, or `None` if it is off.
    pub fn address(&self) -> Option<SocketAddr> {
        Some(self.running.as_ref()?.server.address)
    }

    /// Returns the address of its page, with the token if there is one, or `None` if it is off.
    pub fn url(&self) -> Option<&str> {
        Some(&self.running.as_ref()?.url)
    }
}

impl InspectorBuilder {
    /// Starts an inspector if the environment says so. See [`Inspector::from_env`].
    ///
    /// # Errors
    ///
    /// Those of [`serve`](Self::serve).
    pub fn from_env(self) -> io::Result<Inspector> {
        let token = std::env::var(format!("{VARIABLE}_TOKEN")).ok();
        let builder = match token {
            Some(token) => self.token(&token),
            None => self,
        };
        match std::env::var(VARIABLE).as_deref() {
            Err(_) | Ok("" | "0") => Ok(Inspector::off()),
            Ok("1") => builder.serve(ADDRESS),
            Ok(address) => builder.serve(address),
        }
    }
}

impl std::fmt::Debug for Inspector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inspector")
            .field("address", &self.address())
            .finish()
    }
}
