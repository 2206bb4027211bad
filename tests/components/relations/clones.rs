//! Copies of entities with their descendants.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use ecs::MapIds;
use support::game::{Input, Key};
use support::panic_of;

use super::*;

/// While set, a component's clone panics.
static RAISED: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

#[derive(Component)]
#[component(context = Game, extension)]
struct Brittle(Arc<()>);

impl Clone for Brittle {
    fn clone(&self) -> Self {
        let raised = RAISED.load(std::sync::atomic::Ordering::Relaxed);
        assert!(!raised, "on purpose");
        Self(self.0.clone())
    }
}

#[derive(Component)]
#[component(context = Game, extension)]
struct Rigid(u8);

/// An order that names an entity, or none.
#[derive(Clone, Debug, MapIds, PartialEq)]
enum Order {
    Wait,
    Guard(Id),
    Meet { whom: Id, hour: f32 },
}

/// Contains ids of other entities without a relation.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, extension)]
struct Crew {
    captain: Id,
    sailors: Vec<Id>,
    cook: Option<Id>,
    pay: HashMap<Id, u32>,
    berths: BTreeMap<u8, (Id, &'static str)>,
    orders: Vec<Order>,
    key: EntityId<Input>,
}

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, extension)]
enum Course {
    Anchored,
    To(Id),
    Past { marks: Box<[Id]> },
}

fn with_children() -> CloneOptions<Game> {
    CloneOptions::all().with_descendants::<ChildOf>()
}

fn names(game: &Game, top: Id) -> Vec<&str> {
    let below = game.entity(top).related::<ChildOf>().descendants();
    below.map(|id| game.entity(id).name().0.as_str()).collect()
}

#[test]
fn a_tree_is_copied_with_the_relations_inside_it() {
    let mut game = Game::new();
    let sea = named(&mut game, "sea");
    let ship = child(&mut game, sea, "ship");
    let mast = child(&mut game, ship, "mast");
    child(&mut game, ship, "helm");
    let sail = child(&mut game, mast, "sail");
    game.entity_mut(sail).add_targets(mast);
    game.entity_mut(mast).add_targets(sea);

    let twin = with_children().clone_entity(&mut game, ship).id();
    assert_eq!(names(&game, twin), ["mast", "sail", "helm"]);
    assert_eq!(names(&game, ship), ["mast", "sail", "helm"]);
    assert_eq!(game.entity(sea).children(), [ship, twin]);
    let copied_mast = game.entity(twin).children()[0];
    let copied_sail = game.entity(copied_mast).children()[0];
    assert_eq!(game.entity(copied_sail).targets().0, copied_mast);
    assert_eq!(game.entity(copied_mast).targeted_by(), [copied_sail]);
    assert_eq!(game.entity(sea).targeted_by(), [mast, copied_mast]);
    assert_eq!(game.len(), 9);
}

/// A root and two children, the first of which has a child, all copied.
fn family_of_two(fill: impl FnOnce(&mut Game, [Id; 4])) -> (Game, [Id; 4], [Id; 4]) {
    let mut game = Game::new();
    let root = named(&mut game, "root");
    let first = child(&mut game, root, "first");
    let second = child(&mut game, root, "second");
    let below = child(&mut game, first, "below");
    fill(&mut game, [root, first, second, below]);
    let copy = with_children().clone_entity(&mut game, root).id();
    let children = game.entity(copy).children().to_vec();
    let grandchild = game.entity(children[0]).children()[0];
    let copies = [copy, children[0], children[1], grandchild];
    (game, [root, first, second, below], copies)
}

/// F43.
#[test]
fn relations_between_copied_entities_refer_to_the_copies_in_both_directions() {
    for [from, to] in [[1, 2], [2, 1], [0, 3], [3, 0], [1, 3], [3, 1]] {
        let (game, originals, copies) = family_of_two(|game, ids| {
            game.entity_mut(ids[from]).add_targets(ids[to]);
            game.entity_mut(ids[to]).add_needs(ids[from]);
        });
        for ids in [originals, copies] {
            assert_eq!(game.entity(ids[from]).targets().0, ids[to]);
            assert_eq!(game.entity(ids[to]).targeted_by(), [ids[from]]);
            assert_eq!(game.entity(ids[to]).needs().0, ids[from]);
            assert_eq!(game.entity(ids[from]).needed_by(), [ids[to]]);
        }
        game.storage().check_invariants();
    }
}

/// F43.
#[test]
fn ids_inside_of_copies_are_those_of_copies() {
    let mut elsewhere = Input::new();
    let key = elsewhere.create_many([(); 9].map(|()| Key('a')))[2];
    let mut outside = None;
    let crew = |[root, first, second, below]: [Id; 4], outside: Id| Crew {
        captain: second,
        sailors: vec![first, outside, below],
        cook: Some(root),
        pay: [(first, 1), (outside, 2)].into(),
        berths: [(3, (below, "aft"))].into(),
        orders: vec![
            Order::Wait,
            Order::Guard(second),
            Order::Meet {
                whom: root,
                hour: 0.5,
            },
            Order::Guard(outside),
        ],
        key,
    };
    let past = |ids: [Id; 4], outside: Id| Course::Past {
        marks: [ids[0], outside].into(),
    };
    let (game, originals, copies) = family_of_two(|game, ids| {
        let alone = *outside.insert(named(game, "outside"));
        game.entity_mut(ids[1])
            .add(crew(ids, alone))
            .add(Course::To(ids[3]));
        game.entity_mut(ids[2]).add(past(ids, alone));
        game.entity_mut(ids[3]).add(Course::Anchored);
    });
    for ids in [originals, copies] {
        let outside = outside.unwrap();
        assert_eq!(game.entity(ids[1]).crew(), &crew(ids, outside));
        assert_eq!(game.entity(ids[1]).course(), &Course::To(ids[3]));
        assert_eq!(game.entity(ids[2]).course(), &past(ids, outside));
        assert_eq!(game.entity(ids[3]).course(), &Course::Anchored);
    }
}

#[test]
fn a_copy_by_itself_keeps_the_ids_inside() {
    let mut game = Game::new();
    let id = named(&mut game, "here");
    game.entity_mut(id).add(Course::To(id));
    let copy = game.clone_entity(id).id();
    assert_eq!(game.entity(copy).course(), &Course::To(id));
}

#[test]
fn descendants_keep_their_relation_with_any_options() {
    let mut game = Game::new();
    let root = named(&mut game, "root");
    let ship = child(&mut game, root, "ship");
    let mast = child(&mut game, ship, "mast");
    game.entity_mut(mast).add_targets(ship);
    let few = CloneOptions::only::<Name>().with_descendants::<ChildOf>();
    let all_but = with_children().without::<(ChildOf, Targets)>();
    for copying in [few, all_but] {
        let copy = copying.clone_entity(&mut game, ship).id();
        assert!(!game.entity(copy).has_child_of());
        assert_eq!(names(&game, copy), ["mast"]);
        assert!(!game.entity(game.entity(copy).children()[0]).has_targets());
    }
    assert_eq!(game.entity(root).children(), [ship]);
}

#[test]
fn a_tree_is_not_copied_to_an_entity_that_is_there() {
    let mut game = Game::new();
    let ship = named(&mut game, "ship");
    child(&mut game, ship, "mast");
    let other = game.create_entity().id();
    let copied = with_children().try_copy(&mut game, ship, other);
    let template = with_children().template(&game, ship);
    let applied = template.try_apply_to(&mut game, other, ecs::OnConflict::Replace);
    for (rejected, id) in [(copied, ship), (applied, other)] {
        let rejected = rejected.unwrap_err();
        assert_eq!(rejected.kind(), ErrorKind::DescendantsNotCopied);
        assert_eq!(
            rejected.to_string(),
            format!(
                "cannot copy entity {id} of context `Game`: a tree is copied to new entities alone, along a \
                 relation that is neither unique nor has a primary index; leave out its descendants, and its entries by `without` of `CloneOptions`"
            )
        );
    }
    assert!(game.entity(other).is_empty());
}

/// Cannot be cloned, so copies are no descendants by it.
#[derive(Component, Clone)]
#[component(context = Game, extension, unique)]
struct HeirOf(#[component(relation(acyclic))] Id);

#[test]
fn descendants_whose_relation_cannot_be_copied_are_rejected() {
    let mut game = Game::new();
    let king = named(&mut game, "king");
    let copying = CloneOptions::all().with_descendants::<HeirOf>();
    assert_eq!(copying.clone_entity(&mut game, king).name().0, "king");
    let heir = game.create_with(HeirOf(king)).id();
    let rejected = copying
        .try_clone_entity(&mut game, king)
        .map(|_| ())
        .unwrap_err();
    assert_eq!(rejected.kind(), ErrorKind::DescendantsNotCopied);
    assert_eq!((rejected.entity(), game.len()), (Some(heir.raw()), 3));
}

/// Has ordered sources.
#[derive(Component, Clone)]
#[component(context = Game, extension)]
struct Waits(#[component(relation(reverse = line, ordered))] Id);

#[test]
fn copies_keep_the_order_of_the_originals() {
    let mut game = Game::new();
    let door = named(&mut game, "door");
    let ship = named(&mut game, "ship");
    let parts: Vec<_> = ["a", "b", "c"]
        .map(|name| child(&mut game, ship, name))
        .into();
    let first = game.create_with(Waits(door)).id();
    for (nth, to) in [(2, ship), (0, ship), (1, ship)] {
        game.entity_mut(parts[nth]).add(Waits(to));
    }
    for nth in [1, 0] {
        game.entity_mut(parts[nth]).replace(Waits(door));
    }
    game.entity_mut(ship).add(Waits(door));
    for nth in [2, 0, 1] {
        let id = game
            .create_with((ChildOf { parent: parts[nth] }, Waits(ship)))
            .id();
        game.entity_mut(id).add_name(format!("of {nth}"));
    }
    let line = |game: &Game, id: Id| -> Vec<String> {
        let line = game.entity(id).related::<Waits>().sources().iter();
        let name = |id: &Id| {
            game.entity(*id)
                .get_name()
                .map_or(String::new(), |it| it.0.clone())
        };
        line.map(name).collect()
    };
    let before = game.entity(door).related::<Waits>().sources().to_vec();
    assert_eq!(line(&game, ship), ["c", "of 2", "of 0", "of 1"]);
    assert_eq!(line(&game, door), ["", "b", "a", "ship"]);

    let copy = game.clone_tree::<ChildOf>(ship).id();
    game.storage().check_invariants();
    assert_eq!(names(&game, copy), names(&game, ship));
    assert_eq!(line(&game, copy), ["c", "of 2", "of 0", "of 1"]);
    let after = ["", "b", "a", "ship", "b", "a", "ship"];
    assert_eq!(line(&game, door), after);
    assert_eq!(game.entity(door).related::<Waits>().sources()[..4], before);
    assert_eq!(before[0], first);
}

/// F02.
#[test]
fn unique_components_are_rejected_anywhere_in_a_tree() {
    let mut game = Game::new();
    let ship = named(&mut game, "ship");
    let mast = child(&mut game, ship, "mast");
    for at in [ship, mast] {
        game.entity_mut(at).add(Flagship);
        let rejected = with_children().try_clone_entity(&mut game, ship).map(drop);
        let rejected = rejected.unwrap_err();
        assert_eq!(
            (rejected.kind(), rejected.entity()),
            (ErrorKind::OnlyOnce, Some(at.raw()))
        );
        assert_eq!(
            panic_of(|| _ = game.clone_tree::<ChildOf>(ship)),
            format!(
                "cannot copy component `Flagship` of entity {at} of context `Game`: it is unique or has a \
                 primary index, so the copy of the tree cannot have it again; leave it out by `without` \
                 of `CloneOptions`"
            )
        );
        assert_eq!(game.len(), 2);
        let copying = with_children().without::<Flagship>();
        let copy = copying.clone_entity(&mut game, ship).id();
        assert_eq!(names(&game, copy), ["mast"]);
        game.many(&[copy, game.entity(copy).children()[0]])
            .destroy();
        game.entity_mut(at).remove::<Flagship>();
    }
}

#[derive(Component, Clone)]
#[component(context = Game, extension, unique)]
struct Flagship;

/// F02: whichever copy fails, the next ids are the same as without it.
#[test]
fn a_tree_that_is_rejected_has_used_no_id() {
    let next = |failing: Option<usize>| {
        let mut game = Game::new();
        let ship = named(&mut game, "ship");
        let mut all = vec![ship];
        for _ in 0..5 {
            all.push(child(&mut game, ship, "part"));
        }
        let [gone, free, also] = ["gone", "free", "also"].map(|name| named(&mut game, name));
        if let Some(failing) = failing {
            let (times, whom) = (1, gone);
            game.entity_mut(all[failing]).add(Remembers { times, whom });
        }
        game.many(&[also, gone, free]).destroy();
        let rejected = failing.map(|_| with_children().try_clone_entity(&mut game, ship).is_err());
        assert_ne!(rejected, Some(false));
        game.storage().check_invariants();
        [(); 6].map(|()| game.create_entity().id())
    };
    for failing in 0..6 {
        assert_eq!(next(Some(failing)), next(None), "{failing}");
    }
}

#[test]
fn options_hold_for_all_that_are_copied() {
    let mut game = Game::new();
    let ship = named(&mut game, "ship");
    let mast = child(&mut game, ship, "mast");
    assert_eq!(game.entity_mut(mast).add_rigid(1).rigid().0, 1);
    let rejected = with_children()
        .try_clone_entity(&mut game, ship)
        .map(|_| ());
    assert_eq!(rejected.unwrap_err().kind(), ErrorKind::NotClone);
    assert_eq!(game.len(), 2);
    let copying = with_children().without::<Rigid>();
    let twin = copying.clone_entity(&mut game, ship).id();
    assert_eq!(names(&game, twin), ["mast"]);
    let alone = game.clone_entity(ship);
    assert!(alone.children().is_empty());
    game.destroy(ship);
    let dead = copying.try_clone_entity(&mut game, ship).map(|_| ());
    assert_eq!(dead.unwrap_err().kind(), ErrorKind::NotAlive);
}

#[test]
fn observers_see_all_copies_complete() {
    let mut game = Game::new();
    let ship = named(&mut game, "ship");
    child(&mut game, ship, "mast");
    child(&mut game, ship, "helm");
    let by_name = game.entity_index(Game::all_of::<Name>(), |entity| entity.name().0.clone());
    let children = game.group(Game::all_of::<ChildOf>());
    let created = game.collector(Game::all_of::<Name>().entered());
    created.clear(&mut game);
    let log = Arc::new(Mutex::new(Vec::new()));
    let (first, second) = (log.clone(), log.clone());
    game.observers().on_created(move |game, id| {
        assert_eq!((game.len(), by_name.get(game, "mast").len()), (6, 2));
        let name = &game.entity(id).name().0;
        first.lock().unwrap().push(format!("created {name}"));
    });
    children.on_entered(&mut game, move |game, change| {
        let name = &game.entity(change.entity()).name().0;
        second.lock().unwrap().push(format!("child {name}"));
    });
    with_children().clone_entity(&mut game, ship);
    let notified = [
        "created ship",
        "created mast",
        "child mast",
        "created helm",
        "child helm",
    ];
    assert_eq!(*log.lock().unwrap(), notified);
    assert_eq!(created.len(&game), 3);
}

#[test]
fn a_target_that_has_died_is_rejected_to_copies() {
    let mut game = Game::new();
    let ship = named(&mut game, "ship");
    let mast = child(&mut game, ship, "mast");
    let whom = named(&mut game, "gone");
    game.entity_mut(mast)
        .add_remembers(Remembers { times: 1, whom });
    game.destroy(whom);
    for copying in [with_children(), CloneOptions::all()] {
        let rejected = copying.try_clone_entity(&mut game, mast).map(|_| ());
        assert_eq!(rejected.unwrap_err().kind(), ErrorKind::TargetNotAlive);
    }
    let rejected = with_children()
        .try_clone_entity(&mut game, ship)
        .map(|_| ());
    assert_eq!(rejected.unwrap_err().kind(), ErrorKind::TargetNotAlive);
    assert_eq!((game.len(), game.entity(ship).children()), (2, &[mast][..]));
    game.storage().check_invariants(); // nothing is left of earlier copies
}

#[test]
fn a_clone_that_panics_leaves_no_trace() {
    let mut game = Game::new();
    let token = Arc::new(());
    let ship = game
        .create_with((called("ship"), Brittle(token.clone())))
        .id();
    let mast = child(&mut game, ship, "mast");
    game.create_with((ChildOf { parent: mast }, Brittle(token.clone())));
    let copying = CloneOptions::all().with_descendants::<ChildOf>();
    let clone = |game: &mut Game| {
        let clone = std::panic::AssertUnwindSafe(|| copying.clone_entity(game, ship).id());
        std::panic::catch_unwind(clone)
    };
    let next = game.create_entity().id();
    game.destroy(next);
    RAISED.store(true, std::sync::atomic::Ordering::Relaxed);
    assert!(clone(&mut game).is_err());
    RAISED.store(false, std::sync::atomic::Ordering::Relaxed);
    assert_eq!((game.len(), Arc::strong_count(&token)), (3, 3));
    let twin = clone(&mut game).unwrap();
    assert_eq!((twin.index(), Arc::strong_count(&token)), (next.index(), 5));
}

#[test]
fn long_chains_are_copied() {
    let mut game = Game::new();
    let top = named(&mut game, "top");
    let mut last = top;
    for _ in 0..10_000 {
        last = child(&mut game, last, "link");
    }
    let twin = with_children().clone_entity(&mut game, top).id();
    assert_eq!(names(&game, twin).len(), 10_000);
}

#[test]
fn observers_of_creates_and_destroys_are_notified_of_each_copy() {
    let mut game = Game::new();
    let ship = named(&mut game, "ship");
    child(&mut game, ship, "mast");
    let notified = Arc::new(Mutex::new(Vec::new()));
    let note = notified.clone();
    game.observers()
        .on_created(move |game, id| note.lock().unwrap().push(game.entity(id).name().0.clone()));
    with_children().clone_entity(&mut game, ship);
    assert_eq!(*notified.lock().unwrap(), ["ship", "mast"]);
}
