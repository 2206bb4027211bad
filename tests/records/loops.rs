//! A loop beside each kind of subscriber gives the same results as `for_each`.

use std::mem::take;
use std::sync::{Arc, Mutex};

use ecs::prelude::*;
use ecs::{Feed, Grid, History, IndexHandle, Mirror};
use support::game::{Game, GameEntity, Health, Id, Position, Team};

/// A game with a subscriber of each kind.
struct Scene {
    game: Game,
    ids: Vec<Id>,
    notes: Arc<Mutex<Vec<String>>>,
    moved: Collector<Game>,
    by_tens: EntityIndex<Game, i32>,
    grid: IndexHandle<Game, Grid<Game, 2>>,
    history: History<Game>,
    feed: Feed<Game>,
    mirror: (Game, Mirror<Game>),
}

fn scene() -> Scene {
    let mut game = Game::new();
    let all = (0..200).map(|n| (Position(n), Team("red"), Health(9)));
    let ids = game.create_many(all);
    let moved = game.collector(Game::all_of::<Position>().updated());
    let by_tens = game.entity_index(Game::all_of::<Position>(), |e| e.position().0 / 10);
    let at = |entity: GameEntity<'_>| [entity.position().0 as f32, 0.0];
    let grid = game.index_with(Game::all_of::<Position>(), at, Grid::new(16.0));
    let notes = Arc::new(Mutex::new(Vec::new()));
    let group = game.group(Game::any_of::<(Position, Team)>());
    let log = notes.clone();
    group.on_updated(
        &mut game,
        move |game: &mut Game, change: &Change<'_, Game>| {
            let (id, position) = (change.entity(), change.previous::<Position>());
            let note = format!("{id} {position:?} {:?}", change.previous::<Team>());
            log.lock().unwrap().push(note);
            if game.entity(id).position().0 % 3 == 0 {
                game.entity_mut(id).update_health(|health| health.0 -= 1);
            }
        },
    );
    let history = game.record();
    let feed = game.feed::<(Position, Team, Health)>();
    Scene {
        game,
        ids,
        notes,
        moved,
        by_tens,
        grid,
        history,
        feed,
        mirror: (Game::new(), Mirror::new()),
    }
}

impl Scene {
    /// What each of the subscribers has of the present state and of the changes since the last call.
    fn seen(&mut self) -> Vec<String> {
        let (game, (copy, mirror)) = (&mut self.game, &mut self.mirror);
        let delta = self.feed.take(game);
        mirror.apply(copy, &delta).unwrap();
        let copied = copy.query::<(&Position, &Team, &Health)>();
        let drained = self.moved.drain(game);
        let checksum = self.history.checksum(game);
        let near = self.grid.get(game).within([1005.0, 0.0], 20.0);
        let seen = vec![
            format!("{drained:?}"),
            format!("{:?}", self.by_tens.get(game, &100).ids()),
            format!("{:?}", near.collect::<Vec<_>>()),
            format!("{:?}", game.entities_with_team(&"blue").ids()),
            format!("{:?}", copied.iter().collect::<Vec<_>>()),
            format!("{} {checksum:x}", self.history.len(game)),
            format!("{:?}", take(&mut *self.notes.lock().unwrap())),
        ];
        game.storage().check_invariants();
        seen
    }
}

fn write((position, team): (&mut Position, &mut Team)) {
    position.0 += 1000;
    *team = Team("blue");
}

type Form = fn(&mut Game, &[Id]);

/// Forms of writing to the first 101 entities.
const FORMS: [Form; 2] = [
    |game, ids| {
        let query = game.query_mut::<(&mut Position, &mut Team)>();
        query.among(&ids[..101]).for_each(write);
    },
    |game, ids| {
        for (id, position, team) in game
            .query_mut::<(Id, &mut Position, &mut Team)>()
            .iter_mut()
        {
            write((position, team));
            if id == ids[100] {
                break;
            }
        }
    },
];

#[test]
fn subscribers_of_all_kinds_see_the_same_as_with_a_closure() {
    let [closure, looped] = FORMS.map(|form| {
        let mut scene = scene();
        let mut seen = vec![scene.seen()];
        let mark = scene.history.mark(&mut scene.game);
        form(&mut scene.game, &scene.ids);
        seen.push(scene.seen());
        let later = scene.history.mark(&mut scene.game);
        scene.history.rewind(&mut scene.game, mark);
        seen.push(scene.seen());
        scene.history.forward(&mut scene.game, later);
        seen.push(scene.seen());
        assert_ne!(seen[0][1..6], seen[1][1..6]);
        assert_eq!(seen[0][1..5], seen[2][1..5]);
        assert_eq!(seen[1][1..5], seen[3][1..5]);
        seen
    });
    assert_eq!(closure, looped);
}

#[test]
fn undo_reverts_what_a_loop_has_written() {
    let Scene { mut game, ids, .. } = scene();
    let mut edits = UndoStack::<Game>::only::<(Position, Team)>();
    edits.step(&mut game, "move", |game| FORMS[1](game, &ids));
    assert_eq!(game.entity(ids[100]).position().0, 1100);
    assert!(edits.undo(&mut game));
    let positions = game.query::<&Position>();
    assert!(positions.iter().map(|position| position.0).eq(0..200));
    assert_eq!(game.entities_with_team(&"blue").len(), 0);
    assert!(edits.redo(&mut game));
    assert_eq!(game.entities_with_team(&"blue").len(), 101);
}
