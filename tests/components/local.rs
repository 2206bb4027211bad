//! Local contexts, whose components need not be `Send` or `Sync`.

mod leaving;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use ecs::prelude::*;
use ecs::{ContextVisitor, Index, SharedContext, VisitContexts};

/// A local context.
#[ecs::context(local)]
pub struct Canvas;

/// A shared context beside the local one, in one world with it.
#[ecs::context]
pub struct Scores;

/// A handle of an engine.
#[derive(Component, Clone)]
#[component(context = Canvas, transient, event(any(set, removed), self(set)))]
struct Sprite(Rc<Cell<u32>>);

#[derive(Component, Clone)]
#[component(context = Canvas, unique, transient)]
struct Window(Rc<str>);

#[derive(Component, Clone)]
#[component(context = Canvas, many)]
struct Layer(Rc<str>);

#[derive(Component, Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
#[component(context(Canvas, Scores))]
struct Place(#[component(index)] u32);

#[derive(Component, Clone, Default)]
#[component(context = Canvas, cleanup(remove), pooled, transient)]
struct Touched(Rc<RefCell<Vec<u32>>>);

fn sprite(number: u32) -> (Sprite, Rc<Cell<u32>>) {
    let cell = Rc::new(Cell::new(number));
    (Sprite(cell.clone()), cell)
}

#[test]
fn components_and_observers_hold_reference_counted_values() {
    let mut canvas = Canvas::new();
    let (first, cell) = sprite(1);
    let log = Rc::new(RefCell::new(Vec::new()));
    let sprites = canvas.group(Canvas::all_of::<Sprite>());
    let seen = log.clone();
    sprites.on_updated(
        &mut canvas,
        move |canvas: &mut Canvas, change: &Change<'_, Canvas>| {
            let before = change.previous::<Sprite>().unwrap().0.get();
            let now = canvas.entity(change.entity()).sprite().0.get();
            seen.borrow_mut().push((before, now));
        },
    );
    let created = log.clone();
    let on_created = move |_: &mut Canvas, _| created.borrow_mut().push((0, 0));
    canvas.observers().on_created(on_created);

    let id = canvas.create_with((first, Place(3))).id();
    canvas.entity_mut(id).replace_sprite(Rc::new(Cell::new(2)));
    assert_eq!(*log.borrow(), [(0, 0), (1, 2)]);
    assert_eq!(Rc::strong_count(&cell), 1); // the replaced value has been dropped
    assert!(canvas.entities_with_place(&3).eq([canvas.entity(id)]));
    drop(canvas);
    assert_eq!(Rc::strong_count(&log), 1);
}

#[test]
fn queries_loops_and_views_reach_them() {
    let mut canvas = Canvas::new();
    canvas.create_many((0..100).map(|number| (sprite(number).0, Place(number))));
    canvas
        .query_mut::<(&mut Sprite, &Place)>()
        .for_each(|(sprite, place)| {
            sprite.0.set(sprite.0.get() + place.0);
        });
    let sum: u32 = canvas
        .query::<&Sprite>()
        .iter()
        .map(|sprite| sprite.0.get())
        .sum();
    assert_eq!(sum, 2 * 4_950);
    let view = canvas.view::<Sprite>();
    assert!(canvas.entities().all(|it| view.get(it.id()).is_some()));
}

#[test]
fn a_history_keeps_and_drops_them() {
    let mut canvas = Canvas::new();
    let history = canvas.record();
    let (first, cell) = sprite(1);
    let id = canvas.create_with(first).id();
    let start = history.mark(&mut canvas);
    canvas.entity_mut(id).replace_sprite(Rc::new(Cell::new(2)));
    canvas.destroy(id);
    assert_eq!(Rc::strong_count(&cell), 2); // kept for an undo
    history.rewind(&mut canvas, start);
    assert_eq!(canvas.entity(id).sprite().0.get(), 1);
    assert!(Rc::ptr_eq(&canvas.entity(id).sprite().0, &cell));
    history.release(&mut canvas);
    canvas.destroy_all();
    assert_eq!(Rc::strong_count(&cell), 1);
}

#[test]
fn snapshots_templates_undo_stacks_and_buffers_hold_them() {
    let mut canvas = Canvas::new();
    let (first, cell) = sprite(5);
    let mut buffer = CommandBuffer::new();
    buffer.create((first, Place(1)));
    let other = cell.clone();
    buffer.run(move |canvas: &mut Canvas| {
        canvas.create_with(Sprite(other));
    });
    assert_eq!(buffer.apply(&mut canvas), 0);
    assert_eq!((canvas.len(), Rc::strong_count(&cell)), (2, 3));

    let snapshot = canvas.snapshot();
    canvas.destroy_all();
    assert_eq!(Rc::strong_count(&cell), 3);
    canvas.restore(&snapshot);
    assert_eq!(Rc::strong_count(&cell), 5);
    drop(snapshot);

    let template = Template::new().with(Sprite(cell.clone()));
    template.create(&mut canvas);
    let mut edits = UndoStack::all();
    edits.step(&mut canvas, "clear", |canvas: &mut Canvas| {
        canvas.destroy_all()
    });
    assert!(canvas.is_empty());
    edits.undo(&mut canvas);
    assert_eq!(canvas.query::<&Sprite>().iter().count(), 3);
    drop((canvas, template, edits));
    assert_eq!(Rc::strong_count(&cell), 1);
}

#[test]
fn messages_events_and_removed_values_carry_them() {
    let mut canvas = Canvas::new();
    let (inbox, other) = (canvas.inbox::<Rc<str>>(), canvas.inbox::<Rc<str>>());
    let log = Rc::new(RefCell::new(Vec::new()));
    let heard = log.clone();
    canvas.on_message(move |_: &mut Canvas, text: &Rc<str>| heard.borrow_mut().push(text.clone()));
    canvas.send::<Rc<str>>("resized".into());
    assert!(inbox.drain(&mut canvas).iter().eq(&*log.borrow()));
    let snapshot = canvas.snapshot();
    assert_eq!(other.drain(&mut canvas).len(), 1);
    canvas.restore(&snapshot); // brings unread messages back
    assert_eq!(other.drain(&mut canvas).len(), 1);

    let (any, own) = (log.clone(), log.clone());
    canvas.on_any_sprite_removed(move |_| any.borrow_mut().push("removed".into()));
    let lost = canvas.removed_values::<Sprite>();
    let (first, cell) = sprite(4);
    let mut entity = canvas.create_with(first);
    entity.on_sprite_set(move |entity: CanvasEntityMut<'_>| {
        own.borrow_mut()
            .push(entity.sprite().0.get().to_string().into());
    });
    let id = entity.replace_sprite(cell.clone()).id();
    canvas.events().deliver();
    canvas.destroy(id);
    canvas.events().deliver();
    let texts: Vec<_> = log.borrow().iter().map(|text| text.to_string()).collect();
    assert_eq!(texts, ["resized", "4", "removed"]);
    assert_eq!(Rc::strong_count(&cell), 2);
    assert!(Rc::ptr_eq(&lost.drain(&mut canvas)[0].1.0, &cell));
    assert_eq!(Rc::strong_count(&cell), 1);
}

#[test]
fn uniques_entries_pools_and_indexes_work() {
    let mut canvas = Canvas::new();
    canvas.set_window("main".into());
    assert_eq!(&*canvas.window().0, "main");
    let mut entity = canvas.create_entity();
    entity.add_layer("back".into());
    entity.add_layer("front".into());
    let layers: Vec<_> = entity
        .all_layer()
        .map(|(_, layer)| layer.0.clone())
        .collect();
    assert_eq!(layers.join(","), "back,front");

    let touches = Rc::new(RefCell::new(vec![1]));
    entity.add_touched(touches.clone());
    let mut cleanup = CleanupSystems::new(&mut canvas);
    cleanup.run(&mut canvas);
    assert_eq!(Rc::strong_count(&touches), 2); // in the pool
    drop(canvas);
    assert_eq!(Rc::strong_count(&touches), 1);
}

/// The sum of the keys of all entities.
#[derive(Default)]
struct Sum(u32);

impl Index<Canvas> for Sum {
    type Key = u32;

    fn update(&mut self, _: EntityId<Canvas>, old: Option<&u32>, new: Option<&u32>) {
        self.0 = self.0 - old.unwrap_or(&0) + new.unwrap_or(&0);
    }

    fn clear(&mut self) {
        self.0 = 0;
    }
}

#[test]
fn key_functions_capture_them() {
    let mut canvas = Canvas::new();
    let factor = Rc::new(Cell::new(10));
    let by = factor.clone();
    let key = move |entity: CanvasEntity<'_>| entity.sprite().0.get() * by.get();
    let index = canvas.entity_index(Canvas::all_of::<Sprite>(), key.clone());
    let sum = canvas.index_with(Canvas::all_of::<Sprite>(), key, Sum::default());
    canvas.create_many([1, 2].map(|number| sprite(number).0));
    assert_eq!(index.get(&canvas, &20).count(), 1);
    assert_eq!(sum.get(&canvas).0, 30);
}

#[test]
fn a_local_context_is_saved_copied_and_mirrored() {
    let mut canvas = Canvas::new();
    canvas.create_with((sprite(1).0, Place(7)));
    let text = serde_json::to_string(&canvas.save()).unwrap();
    let from = &mut serde_json::Deserializer::from_str(&text);
    let mut loaded = ecs::Loader::<Canvas>::new().load(from).unwrap();
    assert_eq!(loaded.query::<&Place>().single(), Some(&Place(7)));

    let feed = canvas.feed::<(Sprite, Place)>();
    let delta = feed.take(&mut canvas);
    loaded.destroy_all();
    Mirror::new().apply(&mut loaded, &delta).unwrap();
    assert_eq!(
        loaded
            .query::<&Sprite>()
            .single()
            .map(|sprite| sprite.0.get()),
        Some(1)
    );
}

#[derive(Contexts)]
struct World {
    canvas: Canvas,
    scores: Scores,
}

#[derive(Default)]
struct Visits(Vec<(&'static str, bool)>);

impl ContextVisitor for Visits {
    fn visit<C: Context>(&mut self, _: &mut C) {
        self.0.push((C::NAME, false));
    }

    fn visit_shared<C: Context + SharedContext>(&mut self, context: &mut C) {
        // What generic code can do with a shared context alone: any closure that is `Send + Sync` fits.
        let observers = context.observers();
        let subscription = observers.on_created(|context: &mut C, id| {
            assert!(context.contains(id));
        });
        context.create_entity();
        context.unsubscribe(subscription);
        self.0.push((C::NAME, true));
    }
}

#[test]
fn systems_run_on_worlds_with_local_contexts() {
    let mut world = World {
        canvas: Canvas::new(),
        scores: Scores::new(),
    };
    let mut systems = Systems::new()
        .add(|world: &mut World| {
            world.canvas.create_with(sprite(2).0);
        })
        .for_each_changed(
            &mut world,
            Canvas::all_of::<Sprite>().entered(),
            |world: &mut World, id| {
                let number = world.canvas.entity(id).sprite().0.get();
                world.scores.create_with(Place(number));
            },
        )
        .defragmenting(true);
    systems.initialize(&mut world);
    systems.execute(&mut world);
    systems.cleanup(&mut world);
    assert_eq!(world.scores.query::<&Place>().single(), Some(&Place(2)));

    let mut visits = Visits::default();
    world.visit_contexts(&mut visits);
    assert_eq!(visits.0, [("Canvas", false), ("Scores", true)]);
}
