//! A game as a library with a C interface: seven functions, declared in `game.h`.
//!
//! ```text
//! cargo build --release -p c_abi
//! cc examples/c_abi/main.c -Ltarget/release -lc_abi -Wl,-rpath,target/release -o c_abi && ./c_abi
//! ```
//!
//! The program `main.c` plays it; the test compiles and runs that program. What to look at:
//!
//! - **Handles are opaque.** C has a pointer to a [`Session`]: the context with its systems.
//! - **Entities are numbers** ([`EntityId::to_bits`]). C may keep them as long as it likes: the number of a
//!   destroyed entity is an error, never another entity.
//! - **Components are `repr(C)`**, so C receives the values themselves.
//! - **C reacts, too.** [`game_changed`] returns the entities that have changed since its last call.
//! - **Errors and panics become messages** (`call`). After a panic the context is still valid, so the game
//!   goes on.

#![expect(unsafe_code, reason = "functions called from C take pointers")]

use std::any::Any;
use std::error::Error;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use ecs::prelude::*;

/// The context; C sees no more of it than its entities.
#[ecs::context]
pub struct Game;

/// Where an entity is.
#[derive(Component, Clone, Copy)]
#[component(context = Game)]
#[repr(C)]
pub struct Position {
    x: i32,
    y: i32,
}

/// How far an entity moves in a step.
#[derive(Component, Clone, Copy)]
#[component(context = Game)]
#[repr(C)]
pub struct Velocity {
    dx: i32,
    dy: i32,
}

/// What C knows as `Game`.
pub struct Session {
    game: Game,
    systems: Systems<Game>,
    moved: Collector<Game>,
    /// What [`game_changed`] has returned.
    changed: Vec<u64>,
    /// The message that [`call`] has returned.
    error: CString,
}

fn step(game: &mut Game) {
    let movers = game.query_mut::<(&mut Position, &Velocity)>();
    movers.for_each(|(position, velocity)| {
        let x = position.x.checked_add(velocity.dx).expect("in the field");
        let y = position.y.checked_add(velocity.dy).expect("in the field");
        *position = Position { x, y };
    });
}

/// Creates a game, or returns `NULL`.
#[unsafe(no_mangle)]
pub extern "C" fn game_new() -> *mut Session {
    let new = || {
        let mut game = Game::new();
        let moved = game.collector(Game::all_of::<Position>().any_change());
        Box::new(Session {
            game,
            systems: Systems::new().add(step),
            moved,
            changed: Vec::new(),
            error: CString::default(),
        })
    };
    catch_unwind(new).map_or(ptr::null_mut(), Box::into_raw)
}

/// Frees a game. `NULL` is ignored.
///
/// # Safety
///
/// The game is `NULL`, or comes from [`game_new`] and has not been freed; no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn game_free(game: *mut Session) {
    if !game.is_null() {
        // SAFETY: the pointer comes from `Box::into_raw`, and the caller gives it up.
        let session = unsafe { Box::from_raw(game) };
        drop(catch_unwind(AssertUnwindSafe(|| drop(session))));
    }
}

/// Creates an entity.
///
/// # Safety
///
/// See [`game_free`]. `entity` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn game_create(
    game: *mut Session,
    position: Position,
    velocity: Velocity,
    entity: *mut u64,
) -> *const c_char {
    // SAFETY: the caller's promise.
    unsafe {
        call(game, |session| {
            let created = session.game.try_create_with((position, velocity))?;
            entity.write(created.id().to_bits());
            Ok(())
        })
    }
}

/// Destroys an entity.
///
/// # Safety
///
/// See [`game_free`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn game_destroy(game: *mut Session, entity: u64) -> *const c_char {
    // SAFETY: the caller's promise.
    unsafe { call(game, |session| Ok(session.game.try_destroy(id(entity)?)?)) }
}

/// Moves all entities.
///
/// # Safety
///
/// See [`game_free`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn game_step(game: *mut Session) -> *const c_char {
    // SAFETY: the caller's promise.
    unsafe {
        call(game, |session| {
            session.systems.execute(&mut session.game);
            session.systems.cleanup(&mut session.game);
            Ok(())
        })
    }
}

/// Reads the position of an entity.
///
/// # Safety
///
/// See [`game_free`]. `position` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn game_position(
    game: *mut Session,
    entity: u64,
    position: *mut Position,
) -> *const c_char {
    // SAFETY: the caller's promise.
    unsafe {
        call(game, |session| {
            let entity = session.game.try_entity(id(entity)?)?;
            position.write(*entity.position());
            Ok(())
        })
    }
}

/// Returns the entities that were created, moved or destroyed since the last call.
///
/// # Safety
///
/// See [`game_free`]. `entities` and `count` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn game_changed(
    game: *mut Session,
    entities: *mut *const u64,
    count: *mut usize,
) -> *const c_char {
    // SAFETY: the caller's promise.
    unsafe {
        call(game, |session| {
            let ids = session.moved.drain(&mut session.game);
            session.changed.clear();
            session.changed.extend(ids.iter().map(|id| id.to_bits()));
            entities.write(session.changed.as_ptr());
            count.write(session.changed.len());
            Ok(())
        })
    }
}

fn id(bits: u64) -> Result<EntityId<Game>, String> {
    EntityId::from_bits(bits).ok_or_else(|| format!("{bits} is not an entity"))
}

/// Calls `action`; returns `NULL`, or the message of its error or panic. Unwinding into C would abort the
/// process.
///
/// # Safety
///
/// See [`game_free`].
unsafe fn call(
    game: *mut Session,
    action: impl FnOnce(&mut Session) -> Result<(), Box<dyn Error>>,
) -> *const c_char {
    // SAFETY: the caller's promise. No function calls back into C, so this is the only reference.
    let Some(session) = (unsafe { game.as_mut() }) else {
        return c"the game is NULL".as_ptr();
    };
    // Asserted, because a context is valid after a panic.
    let outcome = catch_unwind(AssertUnwindSafe(|| action(session)));
    let message = match outcome {
        Ok(Ok(())) => return ptr::null(),
        Ok(Err(error)) => error.to_string(),
        Err(payload) => format!("panic: {}", text(&*payload)),
    };
    session.error = CString::new(message.replace('\0', " ")).unwrap_or_default();
    session.error.as_ptr()
}

fn text(payload: &(dyn Any + Send)) -> &str {
    let literal = payload.downcast_ref::<&str>().copied();
    let text = literal.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("without a message")
}
