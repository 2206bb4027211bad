//! Contexts with one to three hundred components, and late components (F27, F31).

use std::collections::{BTreeMap, BTreeSet};

use ecs::__private::{IndexCell, index_of};
use ecs::prelude::*;
use ecs::{ComponentIndex, ComponentNames};
use support::panic_of;
use wide::{Picked, Wide, part, pick};

use super::wide_records;

/// A group of each kind for each number, and its predicate.
type Expectation = (Group<Wide>, Box<dyn Fn(&BTreeSet<usize>) -> bool>);

fn groups_about(wide: &mut Wide, number: usize, last: usize) -> Vec<Expectation> {
    pick(&[number]);
    let has = Wide::all_of::<Picked>();
    let lacks = Wide::none_of::<Picked>();
    pick(&[number, last]);
    let both = Wide::all_of::<Picked>();
    let either = Wide::any_of::<Picked>();
    let mixed = has.clone().none_of::<Picked>();
    pick(&[last, number, last]);
    assert_eq!(
        wide.group(Wide::all_of::<Picked>()),
        wide.group(both.clone())
    );
    vec![
        (wide.group(has), Box::new(move |set| set.contains(&number))),
        (
            wide.group(lacks),
            Box::new(move |set| !set.contains(&number)),
        ),
        (
            wide.group(both),
            Box::new(move |set| set.contains(&number) && set.contains(&last)),
        ),
        (
            wide.group(either),
            Box::new(move |set| set.contains(&number) || set.contains(&last)),
        ),
        (wide.group(mixed), Box::new(|_| false)),
    ]
}

/// Checks the members of groups and the values of entities.
fn assert_agrees(
    wide: &Wide,
    groups: &[Expectation],
    model: &BTreeMap<EntityId<Wide>, BTreeSet<usize>>,
) {
    for (id, set) in model {
        let entity = wide.entity(*id);
        assert!(
            set.iter()
                .all(|number| (part(*number).get)(entity) == Some(*number as u16))
        );
        assert_eq!(entity.component_indices().len(), set.len());
    }
    for (group, matches) in groups {
        let members = model
            .iter()
            .filter(|(_, set)| matches(set))
            .map(|(id, _)| *id);
        assert!(members.eq(group.ids(wide)), "{}", group.display(wide));
    }
}

/// Creates entities with one of the numbers, with all components, and with all but one.
fn entities_with(
    wide: &mut Wide,
    numbers: &[usize],
    width: usize,
) -> BTreeMap<EntityId<Wide>, BTreeSet<usize>> {
    let one = numbers.iter().map(|number| vec![*number]);
    let but_one = |gap: &usize| (0..width).filter(|number| number != gap).collect();
    let sets = one
        .chain([(0..width).collect()])
        .chain(numbers.iter().map(but_one));
    let create = |set: Vec<usize>| {
        let id = wide.create_with(Picked(set.clone())).id();
        (id, BTreeSet::from_iter(set))
    };
    sets.map(create).collect()
}

/// Checks a context with `width` components at the edges of words.
fn try_width(wide: &mut Wide, width: usize) {
    // The components are numbered on first use.
    (0..width).for_each(|number| _ = (part(number).index)());
    let edges = [0, 1, 30, 31, 32, 62, 63, 64, 65, 127, 128, 129];
    let numbers: Vec<_> = edges
        .into_iter()
        .chain([width - 1])
        .filter(|n| *n < width)
        .collect();
    let last = width - 1;
    let mut groups: Vec<_> = numbers
        .iter()
        .flat_map(|number| groups_about(wide, *number, last))
        .collect();
    let mut model = entities_with(wide, &numbers, width);
    groups.extend(groups_about(wide, 0, last));
    assert_agrees(wide, &groups, &model);
    for (&id, set) in &mut model {
        for &number in &numbers {
            (part(number).toggle)(wide, id, number as u16);
            if !set.remove(&number) {
                set.insert(number);
            }
        }
    }
    assert_agrees(wide, &groups, &model);
    model.keys().for_each(|id| wide.destroy(*id));
    model.clear();
    assert_agrees(wide, &groups, &model);
}

/// F27, F31: contexts with 1, 31, 32, 33, … 300 components: a new one for each width, and an old
/// one with groups created before most components; and the records of one.
#[test]
fn contexts_of_every_width_work() {
    let mut old = Wide::new();
    for width in [1, 31, 32, 33, 63, 64, 65, 128, 129, 300] {
        let mut new = Wide::new();
        try_width(&mut new, width);
        assert_eq!(new.components().len(), width);
        try_width(&mut old, width);
        assert_eq!(old.components().len(), width);
        wide_records::check(width);
    }
    let notified = panic_of(|| _ = old.create_with(Picked(vec![299, 0, 299])));
    assert!(notified.contains("twice"), "{notified}");
    assert!(old.is_empty());
}

/// Gets new components at run time.
#[ecs::context]
struct Growing;

#[derive(Component)]
#[component(context = Growing)]
struct Linked;

/// Written by hand, without a link-time registration.
#[derive(Debug, PartialEq)]
struct Late(u8);

impl Components<Growing> for Late {
    fn visit(each: &mut dyn FnMut(ComponentIndex<Growing>)) {
        each(index_of::<Growing, Self>());
    }
}

impl Component<Growing> for Late {
    const NAMES: &'static ComponentNames = &ComponentNames {
        context: "Growing",
        component: "Late",
        accessor: "late",
    };

    fn cell() -> &'static IndexCell<Growing, Self> {
        static CELL: IndexCell<Growing, Late> = IndexCell::new();
        &CELL
    }
}

/// F27: a component first used after groups, collectors, entities and the context itself were
/// created.
#[test]
fn a_late_component_fits_in() {
    let (mut growing, mut other) = (Growing::new(), Growing::new());
    let everything = growing.group(Growing::all_of::<()>());
    let linked = growing.group(Growing::all_of::<Linked>());
    let ids = growing.create_many([Linked, Linked]);
    assert_eq!(growing.components().len(), 1);
    assert!(!growing.entity(ids[0]).has::<Late>());
    let late = growing.group(Growing::all_of::<(Late, Linked)>());
    let same = growing.group(Growing::all_of::<(Linked, Late, Linked)>());
    assert_eq!(late, same);
    let collector = growing.collector(Growing::any_of::<Late>().any_change());
    growing.entity_mut(ids[1]).add(Late(3)).replace(Late(4));
    assert_eq!(
        (late.ids(&growing), growing.components().len()),
        (vec![ids[1]], 2)
    );
    assert_eq!((everything.len(&growing), linked.len(&growing)), (2, 2));
    assert_eq!(collector.drain(&mut growing), [ids[1]]);
    growing.entity_mut(ids[1]).remove_all();
    assert!(late.is_empty(&growing) && linked.ids(&growing) == [ids[0]]);

    let id = other.create_entity().id();
    assert!(other.query::<&Late>().iter().next().is_none());
    assert!(other.view::<Late>().get(id).is_none());
    other.entity_mut(id).add(Late(5));
    assert_eq!(other.query::<&Late>().single(), Some(&Late(5)));
}
