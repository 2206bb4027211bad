//! What the random programs cover, by hand.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use super::*;

fn ids<const N: usize>(level: &mut Level) -> [Id; N] {
    std::array::from_fn(|n| level.create_with(Kin(n as u8)).id())
}

#[test]
fn undo_and_redo_reach_a_legal_end_through_a_ring() {
    let mut level = Level::new();
    let [root, a, b] = ids(&mut level);
    level
        .entity_mut(a)
        .replace(Below(root))
        .replace(Child(root));
    level.entity_mut(b).replace(Below(a)).replace(Child(a));
    let mut edits = UndoStack::<Level>::all();
    edits.step(&mut level, "Turn around", |level| {
        level
            .entity_mut(b)
            .replace(Below(root))
            .replace(Child(root));
        level.entity_mut(a).replace(Below(b)).replace(Child(b));
    });
    let above = |level: &Level, id| {
        let entity = level.entity(id);
        (entity.below().0, entity.child().0)
    };
    for _ in 0..2 {
        assert_eq!(edits.try_undo(&mut level), Ok(true));
        assert_eq!(above(&level, a), (root, root));
        assert_eq!(above(&level, b), (a, a));
        assert_eq!(edits.try_redo(&mut level), Ok(true));
        assert_eq!(above(&level, b), (root, root));
        assert_eq!(above(&level, a), (b, b));
    }
    level.storage().check_invariants();
}

#[test]
fn destroyed_entities_come_back_under_their_ids_so_all_references_are_right() {
    let mut level = Level::new();
    let [target, keeper, looker] = ids(&mut level);
    level.entity_mut(keeper).replace(Kept(target));
    level.entity_mut(looker).replace(Looks(target));
    let mut edits = UndoStack::<Level>::all();
    let other = edits.step(&mut level, "Replace", |level| {
        level.destroy(target);
        level.create_with(Kin(9)).id() // in the same slot
    });
    assert_eq!(other.index(), target.index());
    edits.undo(&mut level);
    assert!(level.contains(target) && !level.contains(other));
    assert_eq!(level.entity(looker).looks().0, target);
    assert_eq!(level.entity(target).keepers(), [keeper]);

    // No later entity gets the id of the one that is gone, even if the level is saved and loaded.
    let text = serde_json::to_string(&level.save()).unwrap();
    let bytes = postcard::to_stdvec(&level.save()).unwrap();
    let loaded = Level::load(&mut serde_json::Deserializer::from_str(&text)).unwrap();
    let from_bytes = Level::load(&mut postcard::Deserializer::from_bytes(&bytes)).unwrap();
    for mut level in [level, loaded, from_bytes] {
        level.destroy(target);
        let next = level.create_entity().id();
        assert_eq!(next.index(), other.index());
        assert!(next.generation() > other.generation());
        level.storage().check_invariants();
    }
}

#[test]
fn an_entity_whose_slot_is_taken_gets_a_new_id_in_all_steps() {
    let mut level = Level::new();
    let mut edits = UndoStack::<Level>::all();
    let [looker] = ids(&mut level);
    let made = edits.step(&mut level, "Create", |level| level.create_with(Kin(1)).id());
    edits.step(&mut level, "Look", |level| {
        level.entity_mut(looker).replace(Looks(made));
    });
    for _ in 0..100 {
        while edits.undo(&mut level) {}
        let other = level.create_with(Kin(7)).id();
        while edits.redo(&mut level) {}
        let looked = level.entity(looker).looks().0;
        assert_eq!(level.entity(looked).kin(), &Kin(1));
        level.destroy(other);
    }
    level.storage().check_invariants();
}

#[test]
fn entities_that_had_the_same_slot_come_back_together_or_not_at_all() {
    let mut level = Level::new();
    let [owner, first, spare] = ids(&mut level);
    let seated = level.create_with(Seat(1)).id();
    level.destroy(spare);
    let mut edits = UndoStack::<Level>::all();
    edits.step(&mut level, "Destroy", |level| {
        level.destroy(seated);
        level.destroy(first);
    });
    let second = level.create_with(Kin(2)).id();
    assert_eq!(second.index(), first.index());
    edits.amend(&mut level, |level| level.destroy(second));
    level.entity_mut(owner).add(Seat(1));
    let before = serde_json::to_value(level.save()).unwrap();
    assert!(edits.try_undo(&mut level).is_err());
    assert_eq!(serde_json::to_value(level.save()).unwrap(), before);
    level.storage().check_invariants();

    level.entity_mut(owner).remove::<Seat>();
    edits.redo(&mut level);
    assert!(edits.undo(&mut level));
    assert_eq!(level.len(), 4);
    assert!(level.contains(seated) && level.contains(first) != level.contains(second));
    level.storage().check_invariants();
}

#[test]
fn an_undo_that_is_rejected_leaves_all_slots_as_they_were() {
    let mut level = Level::new();
    let [first, second] = ids(&mut level);
    let last = level.create_with(Only(1)).id();
    let mut edits = UndoStack::<Level>::all();
    edits.step(&mut level, "Destroy", |level| level.destroy(last));
    level.destroy(first);
    level.destroy(second);
    let owner = level.create_with(Only(2)).id();
    let before = serde_json::to_value(level.save()).unwrap();
    assert!(edits.try_undo(&mut level).is_err());
    level.storage().check_invariants();
    assert_eq!(serde_json::to_value(level.save()).unwrap(), before);
    level.destroy(owner);
    edits.redo(&mut level);
    assert!(edits.undo(&mut level) && level.contains(last));
    level.storage().check_invariants();
}

#[test]
fn after_a_reload_nothing_is_undone_or_redone() {
    let (mut level, mut other) = (Level::new(), Level::new());
    let [keeper, _, target] = ids(&mut level);
    let mut edits = UndoStack::<Level>::all();
    edits.step(&mut level, "Keep", |level| {
        level.entity_mut(keeper).add(Kept(target));
    });
    ids::<2>(&mut other);
    let save = serde_json::to_string(&other.save()).unwrap();
    let from = &mut serde_json::Deserializer::from_str(&save);
    level.reload(from).unwrap();
    let error = edits.try_undo(&mut level).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownState);
    let error = edits.try_redo(&mut level).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownState);
    assert!(!level.entity(keeper).has::<Kept>());
    level.storage().check_invariants();
}

#[test]
fn a_component_that_an_observer_takes_comes_back() {
    let mut level = Level::new();
    let id = level.create_with((Plain(1), Pooled(5))).id();
    let plain = level.group(Level::all_of::<Plain>());
    plain.on_updated(&mut level, |level, change| {
        drop(level.entity_mut(change.entity()).try_take::<Pooled>());
    });
    let mut edits = UndoStack::<Level>::all();
    edits.step(&mut level, "Hit", |level| {
        _ = level.entity_mut(id).replace(Plain(2))
    });
    assert!(!level.entity(id).has::<Pooled>());
    edits.undo(&mut level);
    assert_eq!(level.entity(id).get(), Some(&Pooled(5)));
}

#[test]
fn what_observers_change_in_reaction_to_undo_and_redo_is_not_kept() {
    let mut level = Level::new();
    let id = level.create_with(Plain(1)).id();
    let plain = level.group(Level::all_of::<Plain>());
    plain.on_updated(&mut level, |level, _| _ = level.create_with(Kin(1)));
    let mut edits = UndoStack::<Level>::all();
    edits.step(&mut level, "Hit", |level| {
        _ = level.entity_mut(id).replace(Plain(2))
    });
    assert_eq!(level.len(), 2);
    for _ in 0..3 {
        edits.undo(&mut level);
        assert_eq!((level.len(), level.entity(id).plain().0), (1, 1));
        edits.redo(&mut level);
        assert_eq!((level.len(), level.entity(id).plain().0), (2, 2));
    }
}

#[test]
fn entities_keep_their_ids_beside_observers_that_create_others_in_reaction() {
    let mut level = Level::new();
    let id = level.create_with(Plain(1)).id();
    let plain = level.group(Level::all_of::<Plain>());
    plain.on_left(&mut level, |level, _| _ = level.create_with(Kin(1)));
    plain.on_entered(&mut level, |level, _| _ = level.create_with(Kin(2)));
    let kin = level.group(Level::all_of::<Kin>());
    kin.on_left(&mut level, |level, _| _ = level.create_with(Pooled(3)));
    let mut edits = UndoStack::<Level>::all();
    edits.step(&mut level, "Kill", |level| level.destroy(id));
    let wreck = kin.single(&level).unwrap().id();
    let other = level.create_with(Plain(4)).id();
    for _ in 0..3 {
        edits.undo(&mut level);
        assert_eq!(level.entity(id).get(), Some(&Plain(1)));
        assert!(!level.contains(wreck) && level.contains(other));
        edits.redo(&mut level);
        assert!(!level.contains(id) && level.contains(other));
        assert_eq!(level.entity(wreck).get(), Some(&Kin(1)));
    }
    level.storage().check_invariants();
}

#[test]
fn the_place_among_siblings_comes_back() {
    let mut level = Level::new();
    let [one, two, a, b, c] = ids(&mut level);
    for id in [a, b, c] {
        level.entity_mut(id).replace(Child(one));
    }
    let mut edits = UndoStack::<Level>::all();
    edits.step(&mut level, "Drag", |level| {
        _ = level.entity_mut(a).replace(Child(two))
    });
    edits.amend(&mut level, |level| {
        _ = level.entity_mut(a).replace(Child(one))
    });
    assert_eq!(level.entity(one).children(), [b, c, a]);
    edits.step(&mut level, "Delete", |level| level.destroy(c));
    for _ in 0..2 {
        edits.undo(&mut level);
        assert_eq!(level.entity(one).children(), [b, c, a]);
        edits.undo(&mut level);
        assert_eq!(level.entity(one).children(), [a, b, c]);
        edits.redo(&mut level);
        assert_eq!(level.entity(one).children(), [b, c, a]);
        edits.redo(&mut level);
        assert_eq!(level.entity(one).children(), [b, a]);
    }
}

#[test]
fn steps_that_change_nothing_are_not_kept() {
    let mut level = Level::new();
    let [id, target] = ids(&mut level);
    level
        .entity_mut(id)
        .replace(Plain(1))
        .replace(Child(target))
        .set_flag(true);
    let mut edits = UndoStack::<Level>::all();
    edits.step(&mut level, "Nothing", |level| {
        level.entity_mut(id).replace(Plain(2)).set_flag(false);
        level.entity_mut(id).replace(Plain(1)).set_flag(true);
        level.entity_mut(id).remove::<Child>();
        level.entity_mut(id).replace(Child(target));
        let made = level.create_with(Kin(5)).id();
        level.destroy(made);
    });
    assert_eq!(edits_of(&edits), 0);
    assert_eq!(edits.undo_name(&level), None);
}

/// The calls of `Clone`.
static CLONES: AtomicUsize = AtomicUsize::new(0);

/// Has a component that cannot be saved.
#[ecs::context]
struct Canvas;

#[derive(Component, Debug, PartialEq)]
#[component(context = Canvas)]
struct Paint(u32);

impl Clone for Paint {
    fn clone(&self) -> Self {
        CLONES.fetch_add(1, Relaxed);
        Self(self.0)
    }
}

#[test]
fn amending_a_step_costs_what_it_adds() {
    for count in [10, 1_000] {
        let mut canvas = Canvas::new();
        let cells = canvas.create_many((0..count).map(Paint));
        let mut edits = UndoStack::<Canvas>::only::<Paint>();
        edits.step(&mut canvas, "Paint", |canvas| {
            canvas
                .query_mut::<&mut Paint>()
                .for_each(|paint| paint.0 += 1);
        });
        let before = CLONES.load(Relaxed);
        for &cell in &cells[..10] {
            edits.amend(&mut canvas, |canvas| {
                _ = canvas.entity_mut(cell).replace(Paint(0))
            });
        }
        assert!(
            CLONES.load(Relaxed) - before <= 20,
            "the value before and the one after"
        );
        edits.undo(&mut canvas);
        assert_eq!(canvas.entity(cells[3]).paint(), &Paint(3));
    }
}
