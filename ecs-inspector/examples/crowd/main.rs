//! A crowd of 100,000 walkers at 60 frames a second, for the inspector: `cargo run --release -p
//! ecs-inspector --example crowd`, then <http://127.0.0.1:7777>.
//!
//! `crowd [entities] [frames]` sets other numbers; `ECS_INSPECTOR=127.0.0.1:8000` sets the address.

mod components;
mod systems;

use std::time::{Duration, Instant};

use ecs_inspector::Inspector;

use self::components::{Crowd, templates};

/// The default number of frames: three hours.
const MOST: usize = 3 * 3600 * 60;
/// The duration of a frame.
const FRAME: Duration = Duration::from_nanos(1_000_000_000 / 60);

fn main() -> std::io::Result<()> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<usize>());
    let mut number = |default| numbers.next().and_then(Result::ok).unwrap_or(default);
    let (entities, frames) = (number(100_000), number(MOST));
    let mut crowd = components::create(entities);
    let mut systems = systems::all(&mut crowd);
    systems.initialize(&mut crowd);
    let mut inspector = inspector()?;
    println!(
        "{entities} entities at {}",
        inspector.url().unwrap_or("no address")
    );
    let mut updates = Vec::new();
    for _ in 0..frames {
        let end = Instant::now() + FRAME;
        systems.execute(&mut crowd);
        systems.cleanup(&mut crowd);
        let start = Instant::now();
        inspector.update(&mut crowd, &mut systems);
        updates.push(start.elapsed());
        std::thread::sleep(end.saturating_duration_since(Instant::now()));
    }
    tell(&mut updates);
    Ok(())
}

/// Prints how long updates of the inspector have taken.
fn tell(updates: &mut [Duration]) {
    updates.sort_unstable();
    let of = |part: usize| {
        updates
            .get(updates.len() * part / 100)
            .copied()
            .unwrap_or_default()
    };
    println!(
        "updates: {:?} in the middle, {:?} at the 99th percent",
        of(50),
        of(99)
    );
}

/// Starts the inspector at the address in the environment, or at the usual one.
fn inspector() -> std::io::Result<Inspector> {
    let builder = Inspector::builder().title("A crowd");
    let mut inspector = match std::env::var_os("ECS_INSPECTOR") {
        Some(_) => builder.from_env()?,
        None => builder.serve("127.0.0.1:7777")?,
    };
    for (name, template) in templates() {
        inspector.add_template::<Crowd>(name, template);
    }
    Ok(inspector)
}
