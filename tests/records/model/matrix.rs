//! F16: every kind of observer and of reactive system runs every operation, and the library agrees
//! with the oracle.
//!
//! ```text
//! one deep     every subject with every action
//! two things   every subject with every action, followed by another one
//! three deep   every subject subscribes a second one, which subscribes a third one, which acts:
//!              every first subject with every action; the second and third subjects rotate, so
//!              each occurs with several actions, but not with all
//! ```
//!
//! Everything runs if `ECS_TEST_PROGRAMS` is 2,000 or more (`tests/programs`), otherwise a random
//! part.

use std::collections::{BTreeMap, BTreeSet};
use std::slice::from_ref;
use std::sync::LazyLock;

use ::model::op::{Events, Kind, Listen, Node, Op, Pick, Plug, Sets, Target};
use ::model::{chosen, compare, make, programs};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

const NOTHING: Sets = Sets {
    all: 0,
    any: 0,
    none: 0,
};
const HAS_A: Sets = Sets { all: 1, ..NOTHING };
const HAS_B: Sets = Sets { all: 2, ..NOTHING };
const ANY_OF_AC: Sets = Sets { any: 5, ..NOTHING };
const NOT_A: Sets = Sets { none: 1, ..NOTHING };
const NOT_D: Sets = Sets { none: 8, ..NOTHING };
const A_NOT_B: Sets = Sets {
    all: 1,
    none: 2,
    any: 0,
};

/// The first group after those of every context.
const FIRST: u8 = 7;

/// The groups of every case, in order of creation.
const GROUPS: [Sets; 4] = [HAS_A, ANY_OF_AC, NOT_A, A_NOT_B];

/// Every subscription.
const LISTEN: [Listen; 17] = [
    Listen::ToEntered(FIRST),
    Listen::ToLeft(FIRST),
    Listen::ToUpdated(FIRST),
    Listen::ToEntered(FIRST + 2),
    Listen::ToLeft(FIRST + 3),
    Listen::ToUpdated(FIRST + 1),
    Listen::ToCreated,
    Listen::ToDying,
    Listen::ToDestroyed,
    Listen::ToGroupCreated,
    Listen::ToMessage,
    Listen::ToChanges,
    Listen::ToOwnChanges(Target::Nth(0)),
    Listen::ToSet(Kind::A),
    Listen::ToRemoved(Kind::A),
    Listen::ToOwnSet(Target::Nth(0), Kind::A),
    Listen::ToOwnRemoved(Target::Nth(0), Kind::A),
];

/// The observer or system that acts.
#[derive(Clone, Copy)]
enum Subject {
    /// An observer or a listener.
    To(Listen),
    /// A system that receives changed entities.
    Changed,
    /// Systems that run on exit, on entry and while in a state.
    State,
}

impl Subject {
    fn all() -> impl Iterator<Item = Self> {
        let systems = [Self::Changed, Self::State];
        LISTEN.into_iter().map(Self::To).chain(systems)
    }

    /// The operation that adds a subject which acts.
    fn begin(self, script: &[Op]) -> Op {
        let script = script.to_vec();
        match self {
            Self::To(listen) => Op::Subscribe(listen, script),
            Self::Changed => Op::MakeSystems(
                vec![
                    (HAS_A, Events::AddedOrRemoved),
                    (HAS_A, Events::Updated),
                    (NOT_D, Events::Left),
                ],
                script,
            ),
            Self::State => Op::MakeStates(1, script),
        }
    }

    /// Raises every event, with entities from creation to destroy; a pass of each system follows,
    /// if the subject is a system.
    fn raise(self) -> Vec<Op> {
        let raise = raise().into_iter();
        match self {
            Self::To(_) => raise.collect(),
            Self::Changed => raise.flat_map(|op| with_a_pass([op])).collect(),
            Self::State => {
                let states = (0..).map(|nth| Op::SetState(nth % 3 / 2));
                let pairs = raise.zip(states);
                pairs.flat_map(|pair| with_a_pass(pair.into())).collect()
            }
        }
    }
}

/// Operations, followed by a pass of the systems.
fn with_a_pass<const N: usize>(ops: [Op; N]) -> Vec<Op> {
    ops.into_iter().chain((0..3).map(Op::Execute)).collect()
}

/// A template of three entities.
fn tree() -> Vec<Node> {
    let node = |kind, parent| Node {
        values: vec![(Kind::A, 1)],
        kind,
        parent,
    };
    vec![node(Kind::H, 0), node(Kind::H, 0), node(Kind::I, 1)]
}

/// A save in which an entity refers to a later one.
fn save() -> Vec<Op> {
    vec![
        Op::CreateWith(vec![(Kind::A, 1)]),
        Op::CreateWith(vec![(Kind::C, 2)]),
        Op::Add(Target::Nth(0), Kind::H, 1),
    ]
}

/// Actions on the context.
fn actions_on_context() -> Vec<Op> {
    let mut actions = vec![
        Op::Create,
        Op::CreateWith(vec![(Kind::A, 7), (Kind::C, 7)]),
        Op::CreateWith(vec![(Kind::A, 7), (Kind::A, 8)]),
        Op::CreateMany(vec![vec![(Kind::A, 1)], vec![(Kind::B, 2)]]),
        Op::AddMany(Kind::A, 3, Pick::These(vec![2, 0, 3])),
        Op::AddMany(Kind::D, 3, Pick::These(vec![2, 1])),
        Op::RemoveMany(Kind::C, Pick::These(vec![1, 2])),
        Op::Defragment,
        Op::DestroyAll,
        Op::Reset,
        Op::MakeGroup(HAS_A),
        Op::MakeGroup(HAS_B),
        Op::MakeGroup(NOT_D),
        Op::MakeCollector(vec![(HAS_A, Events::Added), (HAS_B, Events::Left)]),
        Op::MakeCollector(vec![(NOT_D, Events::AddedOrRemoved)]),
        Op::Drain(0),
        Op::Clear(0),
        Op::Deactivate(0),
        Op::Activate(1),
        Op::Release(0),
        Op::ClearObservers,
        Op::CreateTree(tree(), None),
        Op::MakeTransitions(vec![Op::Create]),
        Op::PlugIn(0, true, Plug::State(0), vec![Op::Create]),
        Op::Expire(Kind::A, 3, false),
        Op::Expire(Kind::N, 3, true),
        Op::Merge(save(), false),
        Op::Merge(save(), true),
        Op::Reload(save(), false),
    ];
    actions.extend((0..4).map(Op::Unsubscribe));
    actions.extend([Op::Guard(0), Op::Guard(2), Op::DropGuard(0)]);
    let looped = [Op::Destroy(Target::It), Op::Remove(Target::It, Kind::A)];
    actions.extend(looped.map(|op| Op::ForEach(FIRST + 1, vec![op])));
    let react = vec![Op::Replace(Target::It, Kind::B, 8)];
    actions.extend(LISTEN.map(|listen| Op::Subscribe(listen, react.clone())));
    actions
}

/// Actions on an entity: the notified one, or another one.
fn actions_on(target: Target) -> Vec<Op> {
    let mut actions = vec![
        Op::RemoveAll(target),
        Op::Destroy(target),
        Op::UseAfterDestroy(target, Kind::A, 6),
        Op::Insert(target, vec![(Kind::A, 6), (Kind::D, 6)]),
        Op::AddAll(target, vec![(Kind::B, 6), (Kind::D, 6)]),
        Op::Touch(target, Kind::A),
        Op::Untracked(target, Kind::A, 6),
        Op::Swap(target, Kind::A, 2),
        Op::Swap(target, Kind::C, 0),
    ];
    for kind in Kind::ALL {
        actions.extend([
            Op::Add(target, kind, 3),
            Op::Replace(target, kind, 4),
            Op::Update(target, kind, 5),
            Op::Remove(target, kind),
            Op::Take(target, kind),
        ]);
    }
    actions
}

/// The name of an operation or a subject, without its fields.
fn name(it: &impl std::fmt::Debug) -> String {
    let text = format!("{it:?}");
    text.split(['(', ' ']).next().unwrap_or_default().to_owned()
}

/// The operations of observers in random programs.
static SCRIPTS: LazyLock<Vec<Op>> = LazyLock::new(|| {
    fn add(program: &[Op], scripts: &mut Vec<Op>) {
        for op in program {
            if let Op::Subscribe(_, script) = op {
                scripts.extend_from_slice(script);
                add(script, scripts);
            }
        }
    }
    let choices = TestRng::deterministic_rng(RngAlgorithm::XorShift);
    let mut runner = TestRunner::new_with_rng(programs(1), choices);
    let mut scripts = Vec::new();
    for _ in 0..200 {
        let program = make::program().new_tree(&mut runner).unwrap();
        add(&program.current(), &mut scripts);
    }
    scripts
});

/// Two random operations of each kind not in the list, so new operations enter the matrix
/// automatically.
fn others(actions: &[Op]) -> Vec<Op> {
    let mut found: BTreeMap<_, _> = actions.iter().map(|op| (name(op), 2)).collect();
    let mut others = SCRIPTS.clone();
    others.retain(|op| {
        let count = found.entry(name(op)).or_insert(0);
        *count += 1;
        *count <= 2
    });
    others
}

fn actions() -> Vec<Op> {
    let parts = [
        actions_on_context(),
        actions_on(Target::It),
        actions_on(Target::Nth(1)),
    ];
    let actions = parts.concat();
    let others = others(&actions);
    [actions, others].concat()
}

/// Raises every event, with entities from creation to destroy.
fn raise() -> Vec<Op> {
    vec![
        Op::Create,
        Op::Add(Target::Nth(3), Kind::A, 1),
        Op::Replace(Target::Nth(3), Kind::A, 2),
        Op::Add(Target::Nth(3), Kind::B, 1),
        Op::Update(Target::Nth(0), Kind::A, 3),
        Op::Deliver(false),
        Op::Remove(Target::Nth(0), Kind::A),
        Op::MakeGroup(Sets { any: 10, ..NOTHING }),
        Op::Destroy(Target::Nth(3)),
        Op::Destroy(Target::Nth(2)),
        Op::Destroy(Target::Nth(1)),
        Op::CreateWith(vec![(Kind::A, 1), (Kind::D, 1)]),
        Op::Drain(0),
        Op::Deliver(true),
        Op::Send(5),
        Op::DestroyAll,
        Op::Deliver(false),
    ]
}

/// A subject that acts, between two of the same kind that only listen.
fn program(subject: Subject, script: &[Op]) -> Vec<Op> {
    let mut program: Vec<_> = GROUPS.map(Op::MakeGroup).into();
    program.push(Op::MakeCollector(vec![(HAS_A, Events::Added)]));
    program.push(Op::MakeCollector(vec![
        (NOT_A, Events::Left),
        (HAS_B, Events::Updated),
    ]));
    program.extend([Op::MakeInbox, Op::MakeRemoved]);
    program.push(Op::CreateWith(vec![(Kind::A, 1)]));
    program.push(Op::CreateWith(vec![
        (Kind::A, 1),
        (Kind::B, 1),
        (Kind::C, 1),
    ]));
    program.push(Op::CreateWith(vec![(Kind::C, 1)]));
    let three = [&[], script, &[]];
    program.extend(three.map(|script| subject.begin(script)));
    program.extend(LISTEN.map(|witness| Op::Subscribe(witness, Vec::new())));
    program.extend(subject.raise());
    program
}

/// Runs the chosen part of the programs.
fn run(programs: Vec<Vec<Op>>) {
    for program in chosen(programs) {
        compare(&program).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// F16: every event with every action inside its observer, every system with every action in its
/// pass.
#[test]
fn every_observer_may_do_everything() {
    let actions = actions();
    let of = |subject| {
        let actions = actions.iter();
        actions.map(move |it| program(subject, from_ref(it)))
    };
    run(Subject::all().flat_map(of).collect());
}

/// F16: the same in pairs: an observer runs two actions.
#[test]
fn every_observer_may_do_two_things() {
    let actions = actions();
    let second = |at: usize| actions[(at * 7 + 3) % actions.len()].clone();
    let pairs = actions.iter().enumerate();
    let pairs: Vec<_> = pairs.map(|(at, it)| [it.clone(), second(at)]).collect();
    let of = |subject| pairs.iter().map(move |pair| program(subject, pair));
    run(Subject::all().flat_map(of).collect());
}

/// F16: every observer and system subscribes another observer, which subscribes a third one, which
/// acts. The events are raised twice, so that each observer is called.
#[test]
fn observers_three_deep_may_do_everything() {
    let nth = |at: usize| LISTEN[at % LISTEN.len()];
    let mut programs = Vec::new();
    for (at, action) in actions().into_iter().enumerate() {
        let third = Op::Subscribe(nth(at + at / LISTEN.len()), vec![action]);
        let second = Op::Subscribe(nth(at / 3), vec![third]);
        for first in Subject::all() {
            programs.push([program(first, from_ref(&second)), first.raise()].concat());
        }
    }
    run(programs);
}

/// The matrix contains all actions and subscriptions of observers in programs.
#[test]
fn the_matrix_has_every_operation_and_every_subject() {
    let actions: BTreeSet<_> = actions().iter().map(name).collect();
    let subjects: BTreeSet<_> = LISTEN.iter().map(name).collect();
    for op in &*SCRIPTS {
        assert!(actions.contains(&name(op)), "{op:?}");
        if let Op::Subscribe(to, _) = op {
            assert!(subjects.contains(&name(to)), "{to:?}");
        }
    }
    assert!(actions.len() > 60, "{actions:?}");
}
