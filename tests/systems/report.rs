//! Statistics and the report.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ecs::prelude::*;

use super::world::{Frozen, Game, Health, Log};

fn walk(_: &mut Game) {}

/// A list with a nested one, a reactive system, and one whose condition is false.
fn systems(game: &mut Game) -> Systems<Game> {
    let inner = Systems::with_name("Melting")
        .for_each_changed(game, Game::all_of::<Frozen>().entered(), |_, _| ())
        .named("melt");
    Systems::with_name("Game")
        .add(walk)
        .add(inner)
        .add_if(|_: &Game| false, Log::default().system("rare"))
}

#[test]
fn a_report_has_a_line_for_each_system() {
    let mut game = Game::new();
    let mut systems = systems(&mut game);
    game.create_many([Frozen, Frozen]);
    systems.set_enabled("walk", false);
    systems.execute(&mut game);
    systems.cleanup(&mut game);
    let expected = "\
Game                    reactions: 1, changes: 2, last: 2
  walk       off
  Melting               reactions: 1, changes: 2, last: 2
    melt                reactions: 1, changes: 2, last: 2
  rare       skipped
";
    assert_eq!(systems.report().to_string(), expected);
}

#[test]
fn a_report_omits_empty_columns() {
    let mut game = Game::new();
    let mut systems = Systems::with_name("Game")
        .add(walk)
        .for_each_changed(&mut game, Game::all_of::<Frozen>().entered(), |_, _| ())
        .named("melt");
    game.create_entity().add_frozen();
    systems.execute(&mut game);
    let expected = "\
Game      reactions: 1, changes: 1, last: 1
  walk
  melt    reactions: 1, changes: 1, last: 1
";
    assert_eq!(systems.report().to_string(), expected);
}

#[test]
fn the_reactions_of_a_list_are_those_of_all_systems_in_it() {
    let mut game = Game::new();
    let frozen = || Game::all_of::<Frozen>().entered();
    let either = frozen().or(Game::all_of::<Health>().entered());
    let inner = Systems::with_name("inner")
        .for_each_changed(&mut game, frozen(), |_, _| ())
        .for_each_changed(&mut game, either, |_, _| ());
    let mut systems = Systems::new().add(inner);
    for created in [3, 2] {
        game.create_many(vec![Frozen; created]);
        game.create_with(Health(1));
        systems.execute(&mut game);
    }
    let infos = systems.infos();
    let reactions = infos.iter().map(|info| info.reactions.unwrap());
    let notified: Vec<_> = reactions.map(|it| (it.calls, it.last, it.total)).collect();
    assert_eq!(notified, [(4, 5, 12), (2, 2, 5), (2, 3, 7)]);
}

#[test]
fn statistics_of_a_name_are_those_of_its_first_system() {
    let mut systems = Systems::new().add(walk).add_if(|_: &Game| false, walk);
    systems.measure(true);
    systems.execute(&mut Game::new());
    assert_eq!(systems.statistics("walk").unwrap().execute.calls(), 1);
}

#[test]
fn a_list_is_printed_with_the_names_in_it() {
    let systems = systems(&mut Game::new());
    let text = r#"Systems { name: "Game", systems: ["walk", "Melting", "melt", "rare"] }"#;
    assert_eq!(format!("{systems:?}"), text);
}

#[test]
fn nothing_is_measured_by_default() {
    let mut game = Game::new();
    let mut systems = systems(&mut game);
    assert!(!systems.is_measured());
    systems.execute(&mut game);
    assert_eq!(systems.statistics("walk").unwrap().execute.calls(), 0);
    assert_eq!(systems.statistics("run"), None);
}

#[test]
fn measuring_includes_nested_and_later_lists() {
    let mut game = Game::new();
    let mut systems = systems(&mut game);
    systems.measure(true);
    systems.push(Systems::with_name("Late").add(walk).named("late"));
    for _ in 0..3 {
        systems.execute(&mut game);
    }
    systems.cleanup(&mut game);
    for name in ["walk", "Melting", "melt", "Late", "late"] {
        let statistics = systems.statistics(name).unwrap();
        let calls = (statistics.execute.calls(), statistics.cleanup.calls());
        assert_eq!(calls, (3, 1), "{name}");
    }
    assert_eq!(systems.statistics("rare").unwrap().execute.calls(), 0);
    let text = systems.report().to_string();
    let walks = text.lines().find(|line| line.contains("walk")).unwrap();
    assert!(walks.contains("execute: calls 3, last "), "{text}");
    assert!(walks.contains("cleanup: calls 1, last "), "{text}");

    systems.reset_statistics();
    systems.measure(false);
    systems.execute(&mut game);
    systems.cleanup(&mut game);
    let statistics = systems.statistics("melt").unwrap();
    assert_eq!(
        (statistics.execute.calls(), statistics.cleanup.calls()),
        (0, 0)
    );
}

/// A clock for tests, and systems that take a known time.
#[derive(Clone, Default)]
struct Milliseconds(Arc<AtomicU64>);

impl Milliseconds {
    fn now(&self) -> impl Fn() -> Duration + Send + Sync + 'static {
        let now = self.0.clone();
        move || Duration::from_millis(now.load(Ordering::Relaxed))
    }

    fn system(&self, duration: u64) -> impl FnMut(&mut Game) + Send + Sync + 'static {
        let now = self.0.clone();
        move |_| _ = now.fetch_add(duration, Ordering::Relaxed)
    }
}

#[test]
fn times_by_a_given_clock_are_exact() {
    let (clock, mut game) = (Milliseconds::default(), Game::new());
    let inner = Systems::with_name("Inner")
        .add(clock.system(5))
        .named("five");
    let mut systems = Systems::with_name("Game").add(inner);
    systems.set_clock(clock.now());
    systems.measure(true);
    systems.push(Systems::with_name("Late").on(Phase::Cleanup, clock.system(2)));
    for _ in 0..2 {
        systems.execute(&mut game);
        systems.cleanup(&mut game);
    }
    let times = |name| {
        let statistics = systems.statistics(name).unwrap();
        let [execute, cleanup] = [statistics.execute, statistics.cleanup];
        (execute.sum().as_millis(), cleanup.sum().as_millis())
    };
    assert_eq!(times("five"), (10, 0));
    assert_eq!(times("Inner"), (10, 0));
    assert_eq!(times("Late"), (0, 4));
    let text = systems.report().to_string();
    let expected = "execute: calls 2, last 5.0ms, mean 5.0ms, min 5.0ms, max 5.0ms";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn a_nested_list_keeps_its_clock_unless_the_outer_list_has_one() {
    let [own, outer] = [Milliseconds::default(), Milliseconds::default()];
    let mut inner = Systems::with_name("Inner").add(own.system(5)).named("five");
    inner.set_clock(own.now());
    let mut systems = Systems::new().add(inner);
    systems.measure(true);
    systems.execute(&mut Game::new());
    let last = |systems: &Systems<Game>| systems.statistics("five").unwrap().execute.last();
    assert_eq!(last(&systems), Duration::from_millis(5));
    systems.set_clock(outer.now());
    systems.execute(&mut Game::new());
    assert_eq!(last(&systems), Duration::ZERO);
}

#[test]
fn a_clock_that_goes_back_measures_no_time() {
    let ticks = AtomicU64::new(100);
    let mut systems = Systems::new().add(walk);
    systems.set_clock(move || Duration::from_millis(ticks.fetch_sub(1, Ordering::Relaxed)));
    systems.measure(true);
    systems.execute(&mut Game::new());
    let execute = systems.statistics("walk").unwrap().execute;
    assert_eq!((execute.calls(), execute.max()), (1, Duration::ZERO));
}
