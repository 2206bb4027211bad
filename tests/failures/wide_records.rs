//! Saves, snapshots, histories and mirrors of contexts with one to three hundred components (F31).
//! `widths` calls it for each width, because components are numbered once per process.

use ecs::prelude::*;
use ecs::{History, Mirror, Snapshot};
use wide::{EDGES, Picked, Wide, WideEntity, part, pick};

type Id = EntityId<Wide>;

/// The parts at the edges by entity.
fn picture(wide: &Wide) -> Vec<(Id, Vec<u16>)> {
    wide.storage().check_invariants();
    let width = wide.components().len();
    let values = |it: WideEntity<'_>| {
        let edges = EDGES.iter().filter(|edge| **edge < width);
        edges.filter_map(|edge| (part(*edge).get)(it)).collect()
    };
    wide.entities().map(|it| (it.id(), values(it))).collect()
}

/// Creates entities with one of the edges, with two neighbors, with all, with all but one, with
/// none.
fn populate(wide: &mut Wide, edges: &[usize]) {
    let but_one = |gap: &usize| edges.iter().copied().filter(|edge| edge != gap).collect();
    let sets = edges.iter().map(|edge| vec![*edge]);
    let sets = sets.chain(edges.windows(2).map(<[usize]>::to_vec));
    let sets = sets.chain([edges.to_vec(), Vec::new()]);
    let sets: Vec<Vec<usize>> = sets.chain(edges.iter().map(but_one)).collect();
    let gone = wide.create_with(Picked(edges.to_vec())).id();
    sets.into_iter()
        .for_each(|set| _ = wide.create_with(Picked(set)));
    wide.destroy(gone);
}

/// Toggles the parts of every second entity, destroys another one, and creates one.
fn change(wide: &mut Wide, edges: &[usize]) {
    let ids: Vec<Id> = wide.entities().map(|it| it.id()).collect();
    for id in ids.iter().step_by(2) {
        let toggle = |edge: &usize| (part(*edge).toggle)(wide, *id, *edge as u16 + 1_000);
        edges.iter().for_each(toggle);
    }
    wide.destroy(ids[1]);
    wide.create_with(Picked(edges.to_vec()));
}

fn is_saved(wide: &Wide) {
    let text = serde_json::to_string(&wide.save()).unwrap();
    let bytes = postcard::to_stdvec(&wide.save()).unwrap();
    let loaded = [
        Wide::load(&mut serde_json::Deserializer::from_str(&text)).unwrap(),
        Wide::load(&mut postcard::Deserializer::from_bytes(&bytes)).unwrap(),
    ];
    for loaded in &loaded {
        assert_eq!(picture(loaded), picture(wide));
    }
}

fn is_restored(wide: &mut Wide, edges: &[usize]) {
    let builder = between(wide).fold(Snapshot::builder(), |all, one| (part(one).not_taken)(all));
    let (before, snapshot) = (picture(wide), builder.snapshot(wide));
    change(wide, edges);
    assert_ne!(picture(wide), before);
    let mut other = Wide::new();
    for one in [wide, &mut other] {
        one.restore(&snapshot);
        assert_eq!(picture(one), before);
    }
}

/// The parts between the edges, which cannot be cloned.
fn between(wide: &Wide) -> impl Iterator<Item = usize> + use<> {
    let all = 0..wide.components().len();
    all.filter(|number| !EDGES.contains(number))
}

fn is_rewound(wide: &mut Wide, edges: &[usize]) {
    let builder = between(wide).fold(History::builder(), |all, one| (part(one).not_recorded)(all));
    let history = builder.record(wide);
    let (before, start) = (picture(wide), history.mark(wide));
    change(wide, edges);
    let (after, end) = (picture(wide), history.mark(wide));
    history.rewind(wide, start);
    assert_eq!(picture(wide), before);
    history.forward(wide, end);
    assert_eq!(picture(wide), after);
    history.release(wide);
}

fn is_mirrored(wide: &mut Wide, edges: &[usize]) {
    let (mut copy, mut mirror) = (Wide::new(), Mirror::new());
    pick(edges);
    let feed = wide.feed::<Picked>();
    for _ in 0..3 {
        mirror.apply(&mut copy, &feed.take(wide)).unwrap();
        let mut here = picture(wide);
        here.retain(|(_, values)| !values.is_empty());
        here.iter_mut()
            .for_each(|(id, _)| *id = mirror.local(*id).unwrap());
        here.sort();
        let mut there = picture(&copy);
        there.retain(|(_, values)| !values.is_empty());
        assert_eq!(there, here);
        change(wide, edges);
    }
}

/// Saves, restores, rewinds and mirrors a context with this many components, which are all that
/// were used so far: the parts at the edges of words, with the others between them.
pub(crate) fn check(width: usize) {
    let mut wide = Wide::new();
    let edges = EDGES.iter().copied().filter(|edge| *edge < width);
    let edges: Vec<usize> = edges.collect();
    populate(&mut wide, &edges);
    is_saved(&wide);
    is_restored(&mut wide, &edges);
    is_rewound(&mut wide, &edges);
    is_mirrored(&mut wide, &edges);
    is_saved(&wide);
    assert_eq!(wide.components().len(), width);
}
