//! Random steps, undo and redo, with rewinds or restores to any state in between: the steps that are done there can
//! be undone, by their names.

use ecs::{History, Mark, Snapshot};

use super::*;

/// What a stack should have: numbers of steps.
#[derive(Clone, Default)]
struct Expected {
    done: Vec<u64>,
    undone: Vec<u64>,
    /// Changes with each step, undo and redo.
    stamp: u64,
}

/// A state to return to, and what the stack has there.
struct Place {
    mark: Option<Mark<Level>>,
    snapshot: Option<Snapshot<Level>>,
    expected: Expected,
    state: Value,
}

struct Editor {
    level: Level,
    edits: UndoStack<Level>,
    history: Option<History<Level>>,
    places: Vec<Place>,
    expected: Expected,
    /// What it had when the present state was reached.
    reached: Expected,
    /// The state before each step that is done, unless other changes are left in it.
    before: Vec<(u64, Value)>,
    made: u64,
    /// Whether all changes were those of steps that are kept.
    is_exact: bool,
}

impl Editor {
    fn step(&mut self, random: &mut Random, amends: bool) {
        self.use_stack();
        let before = state_of(&self.level);
        self.made += 1;
        let change = |level: &mut Level| {
            (0..3).for_each(|_| random.change(level));
            level.create_with(Pooled(9)); // so something has changed
        };
        let expected = &mut self.expected;
        match amends {
            true => self.edits.amend(&mut self.level, change),
            false => self
                .edits
                .step(&mut self.level, self.made.to_string(), change),
        }
        if amends {
            let Some(last) = expected.done.pop() else {
                self.before.clear(); // the changes are not recorded
                self.is_exact = false;
                return;
            };
            let at = self.before.iter().position(|(step, _)| *step == last);
            self.before
                .extend(at.map(|at| (self.made, self.before[at].1.clone())));
        } else {
            self.before.push((self.made, before));
        }
        expected.done.push(self.made);
        expected.undone.clear();
        expected.stamp = self.made;
        self.reached = expected.clone();
    }

    fn turn(&mut self, back: bool, when: &str) {
        self.use_stack();
        let expected = &mut self.expected;
        let (from, to) = match back {
            true => (&mut expected.done, &mut expected.undone),
            false => (&mut expected.undone, &mut expected.done),
        };
        let step = from.pop();
        to.extend(step);
        let turned = match back {
            true => self.edits.try_undo(&mut self.level),
            false => self.edits.try_redo(&mut self.level),
        };
        if turned.is_ok() || self.before.iter().any(|it| Some(it.0) == step) {
            assert_eq!(turned, Ok(step.is_some()), "{when}");
        }
        let Some(step) = step else { return };
        self.made += 1;
        self.expected.stamp = self.made;
        self.reached = self.expected.clone();
        let before = self.before.iter().find(|it| it.0 == step && back);
        if let Some((_, before)) = before {
            assert_eq!(state_of(&self.level), *before, "{when}");
        }
    }

    fn keep(&mut self) {
        let expected = self.reached.clone();
        let Self { level, history, .. } = self;
        let mark = history.as_ref().map(|history| history.mark(level));
        self.places.push(Place {
            snapshot: mark.is_none().then(|| level.snapshot()),
            mark,
            expected,
            state: state_of(level),
        });
    }

    fn go_to(&mut self, at: usize, when: &str) {
        let Place {
            mark,
            snapshot,
            expected,
            state,
        } = &self.places[at];
        match (&self.history, mark, snapshot) {
            (Some(history), Some(mark), _) => _ = history.rewind(&mut self.level, *mark),
            (_, _, Some(snapshot)) => self.level.restore(snapshot),
            _ => unreachable!("a place has one of them"),
        }
        assert_eq!(state_of(&self.level), *state, "{when}");
        self.reached = expected.clone();
        if self.history.is_some() {
            self.places.truncate(at + 1);
        }
    }

    /// What the stack should have in the present state. Nothing is discarded before it is used.
    fn expected(&self) -> Expected {
        let (own, reached) = (&self.expected, &self.reached);
        if own.stamp == reached.stamp {
            return own.clone();
        }
        let all = own.done.iter().chain(own.undone.iter().rev()).copied();
        Expected {
            done: all.filter(|step| reached.done.contains(step)).collect(),
            undone: Vec::new(),
            stamp: reached.stamp,
        }
    }

    /// The stack is used.
    fn use_stack(&mut self) {
        self.expected = self.expected();
        if self.expected.done != self.reached.done {
            self.before.clear(); // changes of steps that are no longer kept are left
            self.is_exact = false;
        }
    }

    fn check(&self, when: &str) {
        let names = (
            self.edits.undo_name(&self.level),
            self.edits.redo_name(&self.level),
        );
        let are_there = (names.0.is_some(), names.1.is_some());
        let expected = self.expected();
        let expected = (!expected.done.is_empty(), !expected.undone.is_empty());
        // Entities of changes that are left may have taken slots, so that others got new ids.
        let is_known = self.is_exact || are_there != (false, false);
        assert!(!is_known || are_there == expected, "{when}: {names:?}");
        self.level.storage().check_invariants();
    }
}

fn run(seed: u64) {
    let mut random = Random(support::Random(seed));
    let mut level = Level::new();
    for n in 0..6 {
        level.create_with((Plain(n + 10), Pooled(n)));
    }
    (0..20).for_each(|_| random.change(&mut level));
    let mut editor = Editor {
        history: seed.is_multiple_of(2).then(|| level.record()),
        level,
        edits: UndoStack::all(),
        places: Vec::new(),
        expected: Expected::default(),
        reached: Expected::default(),
        before: Vec::new(),
        made: 0,
        is_exact: true,
    };
    editor.keep();
    for turn in 0..40 {
        let when = format!("seed {seed}, {turn}");
        match random.0.below(10) {
            0..=2 => editor.step(&mut random, false),
            3 => editor.step(&mut random, true),
            4 | 5 => editor.turn(true, &when),
            6 => editor.turn(false, &when),
            7 | 8 => editor.keep(),
            _ => {
                let at = random.0.below(editor.places.len() as u32) as usize;
                editor.go_to(at, &when);
            }
        }
        editor.check(&when);
    }
}

#[test]
fn steps_that_are_done_after_a_rewind_or_restore_can_be_undone() {
    (0..programs()).for_each(run);
}
