//! A saved, forked or rewound game goes on as the one that was not: states, timers, initialize phases
//! and reactive systems continue in new lists where those before them stopped.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use ecs::prelude::*;
use ecs::{History, Mark};
use serde::{Deserialize, Serialize};

/// A context of its own, because each component of it is saved and cloned, and one is a state.
#[ecs::context]
struct Play;

#[derive(Component, Clone, Debug, PartialEq, Hash, Serialize, Deserialize)]
#[component(context = Play, unique, state)]
enum Mode {
    Menu,
    Playing { level: u32 },
    Paused,
}

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Play, unique)]
struct Fuse(Timer);

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Play, unique)]
struct Turn(u32);

/// What systems have done, in order.
#[derive(Component, Clone, Default, Serialize, Deserialize)]
#[component(context = Play, unique)]
struct Story(Vec<String>);

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Play)]
struct Made {
    until: u32,
}

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Play)]
struct Old;

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Play)]
struct New;

struct Random(u64);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as u32 % end
    }

    fn mode(&mut self) -> Mode {
        match self.below(4) {
            0 => Mode::Menu,
            1 => Mode::Paused,
            level => Mode::Playing { level },
        }
    }
}

fn tell(game: &mut Play, line: String) {
    let turn = game.turn().0;
    game.update_story(|story| story.0.push(format!("{turn}: {line}")));
}

fn telling(line: String) -> impl FnMut(&mut Play) + Send + Sync + 'static {
    move |game| tell(game, line.clone())
}

/// The next turn; from time to time the state changes, or ends.
fn turn(mut random: Random) -> impl FnMut(&mut Play) + Send + Sync + 'static {
    let (often, seed) = (1 + random.below(4), random.below(1_000));
    move |game| {
        let turn = game.turn().0;
        let mut chance = Random(u64::from(turn * 1_000 + seed));
        chance.below(1);
        if chance.below(often) == 0 {
            match chance.below(6) {
                0 if game.has_mode() => game.remove_mode(),
                1 if game.has_mode() => game.unique_mut::<Mode>().restart(),
                _ => _ = game.set_mode(chance.mode()),
            }
        }
    }
}

fn tick(game: &mut Play) {
    game.update_fuse(|fuse| _ = fuse.0.tick(Duration::from_millis(40)));
    if game.fuse().0.just_finished() {
        let until = game.turn().0 + 5;
        game.create_with(Made { until });
    }
}

/// Adds up to `left` random systems.
fn add(
    mut systems: Systems<Play>,
    game: &mut Play,
    random: &mut Random,
    left: u32,
) -> Systems<Play> {
    for number in 0..left {
        systems = match random.below(9) {
            0 | 1 => systems.on_enter(random.mode(), telling(format!("enter {number}"))),
            2 => systems.on_exit(random.mode(), telling(format!("exit {number}"))),
            3 => systems.on_transition(
                move |game: &mut Play, from: Option<&Mode>, to: Option<&Mode>| {
                    tell(game, format!("{number} from {from:?} to {to:?}"));
                },
            ),
            4 => systems.add(turn(Random(u64::from(random.below(1_000))))),
            5 => {
                let mode = random.mode();
                systems.on_enter(random.mode(), move |game: &mut Play| {
                    _ = game.set_mode(mode.clone())
                })
            }
            6 => systems.on(Phase::Initialize, move |game: &mut Play| {
                game.create_with(Made { until: 30 + number });
                tell(game, format!("initialize {number}"));
            }),
            7 => {
                let some = [
                    Play::all_of::<Made>().entered(),
                    Play::all_of::<Made>().left(),
                ];
                let [entered, left] = some;
                let trigger = if random.below(2) == 0 { entered } else { left };
                systems.for_each_changed(game, trigger, move |game: &mut Play, id| {
                    tell(game, format!("{number} found {id}"));
                })
            }
            _ => {
                let inner = add(Systems::new(), game, random, left / 2);
                let every = 2 + random.below(3);
                systems.add_if(
                    move |game: &Play| game.turn().0.is_multiple_of(every),
                    inner,
                )
            }
        };
    }
    systems
}

/// A list with the same systems for the same seed.
fn systems(game: &mut Play, seed: u64) -> Systems<Play> {
    let random = &mut Random(seed);
    random.below(1);
    let count = 3 + random.below(8);
    let systems = Systems::new()
        .add(|game: &mut Play| game.update_turn(|turn| turn.0 += 1))
        .add(tick)
        .add(Expire::destroy(|game: &Play, made: &Made| {
            made.until <= game.turn().0
        }));
    add(systems, game, random, count).add(turn(Random(seed)))
}

fn begin(seed: u64) -> (Play, Systems<Play>) {
    let mut game = Play::new();
    game.set_turn(0);
    game.set_story(Vec::new());
    game.set_fuse(Timer::repeating(Duration::from_millis(100)));
    let mut systems = systems(&mut game, seed);
    systems.initialize(&mut game);
    (game, systems)
}

fn run(game: &mut Play, systems: &mut Systems<Play>) -> String {
    systems.execute(game);
    systems.cleanup(game);
    text(game)
}

fn text(game: &Play) -> String {
    serde_json::to_string(&game.save()).unwrap()
}

fn from_text(game: &Play) -> Play {
    Play::load(&mut serde_json::Deserializer::from_str(&text(game))).unwrap()
}

fn from_bytes(game: &Play) -> Play {
    let bytes = postcard::to_stdvec(&game.save()).unwrap();
    Play::load(&mut postcard::Deserializer::from_bytes(&bytes)).unwrap()
}

/// Runs a program to a turn at which nothing is pending; `None` if there is none.
fn until(turn: u32, seed: u64) -> Option<(Play, Systems<Play>)> {
    let (mut game, mut systems) = begin(seed);
    (0..turn).for_each(|_| _ = run(&mut game, &mut systems));
    for _ in 0..20 {
        if game.save().pending().is_empty() {
            return Some((game, systems));
        }
        run(&mut game, &mut systems);
    }
    None
}

fn programs() -> u64 {
    10 * u64::from(model::programs(100).cases)
}

/// Runs random programs; a copy with new systems must go on like the original.
#[track_caller]
fn assert_continues(copy: impl Fn(&Play) -> Play) {
    let mut compared = 0;
    for seed in 0..programs() {
        let turn = Random(seed).below(30);
        let Some((mut game, mut old)) = until(turn, seed) else {
            continue;
        };
        let mut other = copy(&game);
        assert_eq!(text(&game), text(&other), "program {seed}");
        let mut new = systems(&mut other, seed);
        new.resume(&mut other);
        for later in 0..20 {
            let expected = run(&mut game, &mut old);
            let found = run(&mut other, &mut new);
            assert_eq!(
                expected, found,
                "program {seed}, {later} turns after turn {turn}"
            );
        }
        compared += 1;
    }
    assert!(compared > programs() / 2, "{compared}");
}

#[test]
fn a_game_loaded_from_text_goes_on_as_the_saved_one() {
    assert_continues(from_text);
}

#[test]
fn a_game_loaded_from_bytes_goes_on_as_the_saved_one() {
    assert_continues(from_bytes);
}

#[test]
fn a_fork_with_new_systems_goes_on_as_its_original() {
    assert_continues(|game| game.fork());
}

#[test]
fn a_rewound_game_goes_on_as_it_did() {
    for seed in 0..programs() {
        let (mut game, mut systems) = begin(seed);
        let history = game.record();
        let random = &mut Random(seed);
        random.below(1);
        (0..=random.below(10)).for_each(|_| _ = run(&mut game, &mut systems));
        let mut marks: Vec<(Mark<Play>, String)> = Vec::new();
        let mut mark = |game: &mut Play, history: &History<Play>| {
            let text = text(game);
            marks.push((history.mark(game), text));
        };
        mark(&mut game, &history);
        for _ in 0..12 {
            run(&mut game, &mut systems);
            mark(&mut game, &history);
        }
        let mut present = marks.len() - 1;
        for at in [random.below(12), 11, random.below(12), random.below(12)] {
            let at = at as usize;
            let (mark, then) = &marks[at];
            let _undone = match at <= present {
                true => history.rewind(&mut game, *mark),
                false => history.forward(&mut game, *mark),
            };
            present = at;
            assert_eq!(text(&game), *then, "program {seed}, mark {at}");
        }
        let at = random.below(1 + present as u32) as usize;
        history.rewind(&mut game, marks[at].0);
        for (_, then) in &marks[at + 1..] {
            assert_eq!(run(&mut game, &mut systems), *then, "program {seed}");
        }
    }
}

/// A list that reports one state, and its log; no save contains it.
/// The order of iteration after each of some cleanups, during which one entity has a combination of
/// components that is new at first.
fn orders(game: &mut Play) -> Vec<Vec<EntityId<Play>>> {
    let mut systems = Systems::new();
    systems.cleanup(game);
    let id = game.entities().nth(50).unwrap().id();
    game.entity_mut(id).set_new(true);
    let all = (0..40).map(|_| {
        systems.cleanup(game);
        game.query::<EntityId<Play>>().iter().collect()
    });
    all.collect()
}

#[test]
fn entities_are_moved_as_before_by_a_rewound_and_a_loaded_game() {
    for count in [65, 100, 1_000] {
        let mut game = Play::new();
        for n in 0..count {
            game.create_with(Made { until: n }).set_old(n * 7 % 5 < 2);
        }
        let before = from_text(&game);
        let history = game.record();
        let mark = history.mark(&mut game);
        let first = orders(&mut game);
        history.rewind(&mut game, mark);
        let mut copies = [before, from_text(&game), from_bytes(&game)];
        assert_eq!(orders(&mut game), first, "{count}, rewound");
        for copy in &mut copies {
            assert_eq!(orders(copy), first, "{count}, loaded");
        }
    }
}

fn watching() -> (Systems<Play>, impl Fn() -> Vec<&'static str>) {
    let log = Arc::new(Mutex::new(Vec::new()));
    let note = |line: &'static str| {
        let log = log.clone();
        move |_: &mut Play| log.lock().unwrap().push(line)
    };
    let systems = Systems::new()
        .on_exit(Mode::Menu, note("exit menu"))
        .on_enter(Mode::Menu, note("enter menu"));
    (systems, move || std::mem::take(&mut *log.lock().unwrap()))
}

fn in_menu() -> Play {
    let (mut game, (mut systems, log)) = (Play::new(), watching());
    game.set_mode(Mode::Menu);
    systems.execute(&mut game);
    assert_eq!(log(), ["enter menu"]);
    game
}

#[test]
fn a_saved_state_is_not_entered_again_and_is_left() {
    for load in [from_text, from_bytes] {
        let (mut game, (mut systems, log)) = (load(&in_menu()), watching());
        systems.execute(&mut game);
        assert_eq!(log(), [""; 0]);
        game.set_mode(Mode::Paused);
        systems.execute(&mut game);
        assert_eq!(log(), ["exit menu"]);

        let (mut game, (mut systems, log)) = (load(&in_menu()), watching());
        game.remove_mode(); // before the first execute
        let mut game = load(&game);
        systems.execute(&mut game);
        assert_eq!(log(), ["exit menu"]);
    }
}

#[test]
fn a_new_list_takes_over_what_a_dropped_one_has_entered() {
    let (mut game, (mut systems, log)) = (in_menu(), watching());
    systems.execute(&mut game);
    assert_eq!(log(), [""; 0]);
    let (mut second, log) = watching();
    second.execute(&mut game);
    assert_eq!(log(), ["enter menu"], "the first list still exists");
}

#[test]
fn a_reset_forgets_what_was_entered() {
    let (mut game, (mut systems, log)) = (in_menu(), watching());
    systems.execute(&mut game);
    game.reset();
    systems.execute(&mut game);
    assert_eq!(log(), [""; 0]);
    game.set_mode(Mode::Menu);
    systems.execute(&mut game);
    assert_eq!(log(), ["enter menu"]);
}

#[test]
fn a_reset_keeps_the_order_of_systems_for_states() {
    let list = || {
        let inner = Systems::new().on_enter(Mode::Paused, |_: &mut Play| ());
        let list = Systems::new().while_in(Mode::Paused, inner);
        list.on_enter(Mode::Menu, |_| ())
            .on_transition(|_: &mut Play, _: Option<&Mode>, _: Option<&Mode>| ())
    };
    let (mut game, mut systems) = (Play::new(), list());
    game.set_mode(Mode::Paused);
    systems.execute(&mut game);
    game.reset();
    game.set_mode(Mode::Menu);
    systems.execute(&mut game); // skips the inner list

    let mut loaded = Play::new();
    loaded.set_mode(Mode::Menu);
    let mut new = list();
    new.execute(&mut loaded);
    let entered = |game: &Play| {
        let text = text(game);
        text[text.find("entered").unwrap()..].to_string()
    };
    assert_eq!(entered(&loaded), entered(&game));
    let mut loaded = from_text(&game);
    list().execute(&mut loaded);
    assert_eq!(text(&loaded), text(&game));
}

#[test]
fn a_snapshot_and_a_reload_bring_back_what_was_entered() {
    let (mut game, (mut systems, log)) = (Play::new(), watching());
    let file = text(&game);
    let before = game.snapshot();
    game.set_mode(Mode::Menu);
    systems.execute(&mut game);
    let inside = game.snapshot();
    game.restore(&before);
    systems.execute(&mut game);
    assert_eq!(log(), ["enter menu"]);
    game.restore(&inside);
    systems.execute(&mut game);
    assert_eq!(log(), [""; 0]);
    game.reload(&mut serde_json::Deserializer::from_str(&file))
        .unwrap();
    game.set_mode(Mode::Menu);
    systems.execute(&mut game);
    assert_eq!(log(), ["enter menu"]);
}

#[test]
fn a_save_without_the_state_has_nothing_entered() {
    let game = in_menu();
    let file = serde_json::to_string(&game.save().without::<Mode>()).unwrap();
    assert!(!file.contains("entered"), "{file}");
    let ids: Vec<_> = game.entities().map(|entity| entity.id()).collect();
    let part = serde_json::to_string(&game.save().only(ids)).unwrap();
    assert!(!part.contains("entered"), "{part}");
}

#[test]
fn a_restart_that_no_system_has_seen_is_saved_and_rewound() {
    let (mut game, (mut systems, log)) = (in_menu(), watching());
    systems.execute(&mut game);
    assert_eq!(log(), [""; 0]);
    let before = game.snapshot();
    game.unique_mut::<Mode>().restart();
    let restarted = game.snapshot();
    let file = text(&game);
    game.restore(&before);
    systems.execute(&mut game);
    assert_eq!(log(), [""; 0]);
    game.restore(&restarted);
    systems.execute(&mut game);
    assert_eq!(log(), ["exit menu", "enter menu"]);
    game.reload(&mut serde_json::Deserializer::from_str(&file))
        .unwrap();
    systems.execute(&mut game);
    assert_eq!(log(), ["exit menu", "enter menu"]);

    game.unique_mut::<Mode>().restart();
    systems.clear(&mut game);
    systems.execute(&mut game);
    assert_eq!(log(), [""; 0]);
}

/// A tool without the state.
mod tool {
    #[ecs::context]
    pub(super) struct Play;
}

#[test]
fn entered_states_that_are_unknown_are_skipped_or_kept() {
    let game = in_menu();
    let bytes = postcard::to_stdvec(&game.save()).unwrap();
    let from = |bytes| postcard::Deserializer::from_bytes(bytes);
    let mut loader = ecs::Loader::<tool::Play>::new();
    assert!(loader.load(&mut from(&bytes)).is_err());
    assert!(loader.error().unwrap().contains("`Mode`"), "{loader:?}");
    let mut loader = loader.skip_unknown();
    assert!(loader.load(&mut from(&bytes)).is_ok(), "{loader:?}");
    let mut loader = ecs::Loader::<tool::Play>::new().keep_unknown();
    let tool = loader.load(&mut from(&bytes)).unwrap();
    let bytes = postcard::to_stdvec(&tool.save()).unwrap();
    let loaded = Play::load(&mut from(&bytes)).unwrap();
    assert_eq!(text(&loaded), text(&game));

    let json = text(&game);
    let from = &mut serde_json::Deserializer::from_str(&json);
    let tool = loader.load(from).unwrap();
    assert_eq!(serde_json::to_string(&tool.save()).unwrap(), json);
}

#[test]
fn broken_entered_states_are_errors() {
    let file = text(&in_menu());
    assert!(file.contains(r#"["Mode","entered","Menu"]"#), "{file}");
    for (from, to, error) in [
        ("\"entered\",", "\"eaten\",", "`eaten` is not what"),
        (
            "\"entered\",\"Menu\"",
            "\"entered\",\"Bar\"",
            "an entered state `Mode`",
        ),
        ("\"entered\",\"Menu\"", "\"entered\"", "three parts"),
        ("[\"Mode\",\"entered\"", "[\"Moda\",\"entered\"", "`Moda`"),
    ] {
        let broken = file.replace(from, to);
        let loaded = Play::load(&mut serde_json::Deserializer::from_str(&broken));
        let found = loaded.err().unwrap().to_string();
        assert!(found.contains(error), "{found}");
    }
}
