//! The inspector as used by a program: started once, updated every frame.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};

use ecs::{Context, SharedContext, Template, VisitContexts};

use crate::builder::InspectorBuilder;
use crate::desk::{Desk, Program};
use crate::lists::SystemLists;
use crate::server::Server;

/// The environment variable that [`Inspector::from_env`] reads.
const VARIABLE: &str = "ECS_INSPECTOR";
/// The default address.
const ADDRESS: &str = "127.0.0.1:7777";

/// Shows a running program to a browser and to scripts.
///
/// A server runs on a separate thread. Requests are answered once a frame, when the program calls
/// [`update`](Self::update). Dropping the inspector stops the server; paused systems stay paused until
/// [`set_suspended`](ecs::Systems::set_suspended) is called.
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
/// let mut inspector = Inspector::serve("127.0.0.1:0")?; // 0: any free port
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

/// The state of a running inspector.
struct Running {
    desk: Desk,
    /// With its URL. `None` if another server has a router to it.
    server: Option<(Server, String)>,
}

impl Inspector {
    /// Starts an inspector at a loopback address, such as `127.0.0.1:7777`.
    ///
    /// # Errors
    ///
    /// If it cannot listen on the address, or if this is not a loopback address: other machines could
    /// then change the program, so a [token](InspectorBuilder::token) is required.
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

    /// Starts an inspector if the environment variable `ECS_INSPECTOR` is set: to `1` for
    /// `127.0.0.1:7777`, or to an address. Otherwise the inspector is off, and
    /// [`update`](Self::update) does nothing.
    ///
    /// `ECS_INSPECTOR_TOKEN` sets the [token](InspectorBuilder::token).
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

    /// Creates an inspector that is off: [`update`](Self::update) does nothing.
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

    /// Returns a builder for the options of an inspector.
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

    pub(crate) fn running(desk: Desk, server: Option<(Server, String)>) -> Self {
        Self {
            running: Some(Box::new(Running { desk, server })),
        }
    }

    /// Answers the requests since the last frame. Call it once a frame, after the cleanup of systems.
    ///
    /// While no client is connected, it only counts the frame. Otherwise it works for a fraction of a
    /// millisecond, however large the values of components are, and does the rest in later frames.
    /// `Serialize` and `Debug` of components are stopped as soon as there is enough to show; other user
    /// code that an edit runs (observers, `Clone`, `Drop`) is not interrupted.
    ///
    /// # Examples
    ///
    /// With a world of several contexts:
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
    /// let mut steps = Systems::<World>::with_name("Steps"); // with several lists of systems
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

    /// Adds a template under a name, from which users can create entities.
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
    pub fn add_template<C: Context + SharedContext>(&mut self, name: &str, template: Template<C>) {
        if let Some(running) = &mut self.running {
            let kept = running.desk.contexts.of_type::<C>();
            kept.templates.retain(|(known, _)| known != name);
            kept.templates.push((name.to_owned(), template));
        }
    }

    /// Returns whether it is running.
    pub fn is_on(&self) -> bool {
        self.running.is_some()
    }

    /// Returns whether a user has paused the systems. A program that does more than run them may want
    /// to wait, too; one with fixed steps should not advance their clock meanwhile.
    pub fn is_paused(&self) -> bool {
        self.running.as_ref().is_some_and(|it| it.desk.is_paused())
    }

    /// Returns whether a client is connected or waits for an answer.
    pub fn has_clients(&self) -> bool {
        let running = self.running.as_ref();
        running.is_some_and(|it| it.desk.has_clients())
    }

    /// Returns the address on which it listens, or `None` if it is off or has a
    /// [router](InspectorBuilder::into_router).
    pub fn address(&self) -> Option<SocketAddr> {
        let (server, _) = self.running.as_ref()?.server.as_ref()?;
        Some(server.address)
    }

    /// Returns the URL of its page, with the token if there is one, or `None` if it is off or has a
    /// [router](InspectorBuilder::into_router).
    pub fn url(&self) -> Option<&str> {
        let (_, url) = self.running.as_ref()?.server.as_ref()?;
        Some(url)
    }
}

impl InspectorBuilder {
    /// Starts an inspector if the environment variable is set. See [`Inspector::from_env`].
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
