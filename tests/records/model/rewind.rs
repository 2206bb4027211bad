//! Recorded random programs: rewinding to a mark gives the marked state, going forward gives the
//! state before the rewind, and the same operations give the same log.

use std::collections::BTreeMap;

use ecs::prelude::*;
use ecs::{History, HistoryError};
use proptest::prelude::*;

use ::model::game::{Game, Id, may_name, number_as_of, number_of};
use ::model::make;
use ::model::op::{Kind, Op, Sets};

use super::view::View;
use super::{after, leaves_handles, seen, with_lasting_listeners, without_b};
use ::model::check::check_invariants;
use ::model::faults::is_clone_too_many;
use ::model::game::B;
use ::model::{Player, Real, programs};

/// A checkpoint of a program: its mark, the number of operations before it, and the state.
struct Checkpoint {
    mark: ecs::Mark<Game>,
    done: usize,
    known: (usize, bool),
    state: Vec<String>,
    sum: u64,
    values: Values,
}

/// The numbers in the components of each entity.
type Values = BTreeMap<Id, Vec<(Kind, Option<u64>)>>;

/// The kinds that are recorded.
fn kinds(game: &Game) -> impl Iterator<Item = Kind> + '_ {
    let all = Kind::ALL.into_iter();
    all.filter(|kind| *kind != Kind::B && may_name(game, *kind))
}

fn values(game: &Game) -> Values {
    let all = game.entities().map(|entity| {
        let numbers = kinds(game).map(|kind| (kind, number_of(entity, kind)));
        (entity.id(), numbers.collect())
    });
    all.collect()
}

/// A program being recorded.
struct Recorded {
    real: Real,
    history: History<Game>,
    checkpoints: Vec<Checkpoint>,
    view: View,
}

impl Recorded {
    /// Starts to record after a preparation.
    fn after(preparation: &[Op]) -> Self {
        let mut real = after(preparation);
        let view = View::new(&mut real.game);
        real.forget_log();
        let history = History::builder().without::<B>().record(&mut real.game);
        let checkpoints = Vec::new();
        Self {
            real,
            history,
            checkpoints,
            view,
        }
    }

    /// Reads the past as of each checkpoint that is not ahead, which gives what there was.
    fn read_past(&self) {
        let game = &self.real.game;
        let all = self.checkpoints.iter().flat_map(|it| it.values.keys());
        let mut all: Vec<_> = all.copied().chain(values(game).into_keys()).collect();
        all.sort_unstable();
        all.dedup();
        for checkpoint in &self.checkpoints {
            let past = match self.history.try_at(game, checkpoint.mark) {
                Err(HistoryError::MarkIsAhead { .. }) => continue,
                past => past.unwrap(),
            };
            for &id in &all {
                let there = checkpoint.values.get(&id);
                assert_eq!(past.contains(id), there.is_some(), "{id}");
                for &(kind, number) in there.into_iter().flatten() {
                    if may_name(game, kind) {
                        assert_eq!(number_as_of(&past, id, kind), number, "{kind:?} of {id}");
                    }
                }
            }
        }
    }

    fn mark(&mut self, done: usize) {
        if done % 4 == 1 {
            self.read_past();
        }
        self.checkpoints.push(Checkpoint {
            mark: self.history.mark(&mut self.real.game),
            done,
            known: self.real.known(),
            state: self.seen(),
            sum: self.history.checksum(&mut self.real.game),
            values: values(&self.real.game),
        });
    }

    /// The checksum, recomputed, which equals the present one.
    fn sum(&self) -> u64 {
        let game = &self.real.game;
        let sums = game.entities().map(|entity| game.checksum_of(entity.id()));
        let sum = sums.fold(0, u64::wrapping_add);
        assert_eq!(game.checksum(), sum);
        sum
    }

    /// The visible state and the order of iteration; pools are not part of it.
    fn seen(&self) -> Vec<String> {
        let mut lines = seen(&self.real);
        let rows = self.real.game.query::<Id>();
        lines[0] += &format!(" rows {:?}", rows.iter().collect::<Vec<_>>());
        lines
    }

    /// Forgets the checkpoints before the current one. Checkpoints without a change in between are
    /// the same position.
    fn forget_before(&mut self, at: usize) -> Result<(), TestCaseError> {
        let game = &mut self.real.game;
        self.history.forget_before(game, self.checkpoints[at].mark);
        let forgotten: Vec<Checkpoint> = self.checkpoints.drain(..at).collect();
        let present = &self.checkpoints[0];
        for Checkpoint { mark, state, .. } in forgotten {
            let went = self.history.try_rewind(&mut self.real.game, mark);
            prop_assert!(went.is_err() || state == present.state, "{:?}", went);
        }
        prop_assert_eq!(&self.seen(), &present.state);
        Ok(())
    }

    fn travel(&mut self, from: usize, to: usize) {
        let Checkpoint { mark, .. } = self.checkpoints[to];
        match from < to {
            true => self.history.forward(&mut self.real.game, mark),
            false => self.history.rewind(&mut self.real.game, mark),
        };
    }

    /// Seeks to a checkpoint, back or forward. If the clone of a removed value held there panics,
    /// nothing has changed; if that of a key panics, all state is final.
    fn go_to(&mut self, from: usize, to: usize) -> Result<(), TestCaseError> {
        let (before, sum) = (self.seen(), self.sum());
        self.read_past();
        if is_clone_too_many((to % 3) as u8, || self.travel(from, to)) {
            check_invariants(&self.real.game);
            if (self.seen(), self.sum()) == (before, sum) {
                self.travel(from, to);
            }
        }
        let Checkpoint { state, sum, .. } = &self.checkpoints[to];
        prop_assert_eq!(&self.seen(), state, "at moment {}", to);
        prop_assert_eq!(&self.history.checksum(&mut self.real.game), sum);
        prop_assert_eq!(self.sum(), *sum);
        check_invariants(&self.real.game);
        if to.is_multiple_of(2) {
            prop_assert!(self.view.is_right(&mut self.real.game));
        }
        Ok(())
    }
}

/// Whether a history records an operation completely, so that a rewind undoes all of it.
pub(super) fn is_followed(op: &Op) -> bool {
    match op {
        Op::Defragment
        | Op::Reset
        | Op::Send(_)
        | Op::DrainInbox(_)
        | Op::ClearInbox(_)
        | Op::DrainRemoved(_) => false,
        Op::ForEach(_, script) | Op::Each(_, script) | Op::Edit(script, _) => {
            script.iter().all(is_followed)
        }
        _ => leaves_handles(op) && !op.is_untracked(),
    }
}

fn followed(program: Vec<Op>) -> Vec<Op> {
    without_b(program, is_followed)
}

/// The preparation with the group of the view last, so that groups have the same numbers without a
/// view, and with collected removed values, of which marks hold clones.
fn prepared(preparation: Vec<Op>) -> Vec<Op> {
    let preparation = super::prepared(preparation, is_followed).into_iter();
    let of_view = Op::MakeGroup(Sets::of(Kind::A));
    preparation.chain([of_view, Op::MakeRemoved]).collect()
}

proptest! {
    #![proptest_config(programs(5))]

    /// Seeking to any checkpoints, in any order, gives the states they had.
    #[test]
    fn every_checkpoint_can_become_the_present_again(
        preparation in make::preparation().prop_map(prepared),
        program in make::edited_steps().prop_map(followed),
        every in 1usize..5,
        tour in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
    ) {
        let mut recorded = Recorded::after(&preparation);
        recorded.mark(0);
        for (at, op) in program.iter().enumerate() {
            recorded.real.play(op);
            if at % every == 0 {
                recorded.mark(at + 1);
            }
        }
        let mut at = recorded.checkpoints.len() - 1;
        recorded.go_to(at, at)?;
        for stop in tour {
            let to = stop.index(recorded.checkpoints.len());
            recorded.go_to(at, to)?;
            at = to;
        }
    }

    /// Checkpoints before a visited one may be forgotten: then they are rejected without a change,
    /// and all others stay reachable.
    #[test]
    fn forgotten_checkpoints_are_rejected_and_all_others_can_become_the_present(
        preparation in make::preparation().prop_map(prepared),
        program in make::edited_steps().prop_map(followed),
        tour in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..8),
    ) {
        let mut recorded = Recorded::after(&preparation);
        recorded.mark(0);
        for (at, op) in program.iter().enumerate() {
            recorded.real.play(op);
            recorded.mark(at + 1);
        }
        let mut at = recorded.checkpoints.len() - 1;
        for (stop, forgets) in tour {
            let to = stop.index(recorded.checkpoints.len());
            recorded.go_to(at, to)?;
            at = to;
            if forgets {
                recorded.forget_before(at)?;
                at = 0;
            }
        }
    }

    /// Operations repeated from a mark give the same ids, log and state.
    #[test]
    fn the_same_operations_give_the_same_log_again(
        preparation in make::listened_preparation().prop_map(prepared),
        program in make::steps().prop_map(followed),
        back_to in any::<prop::sample::Index>(),
    ) {
        let preparation = with_lasting_listeners(preparation, &[&program]);
        let mut recorded = Recorded::after(&preparation);
        let mut logs = Vec::new();
        for (at, op) in program.iter().enumerate() {
            recorded.mark(at);
            logs.push(recorded.real.play(op));
        }
        recorded.mark(program.len());
        let (end, back_to) = (recorded.checkpoints.len() - 1, back_to.index(recorded.checkpoints.len()));
        recorded.go_to(end, back_to)?;
        let Checkpoint { done, known, .. } = recorded.checkpoints[back_to];
        recorded.real.forget_known(known);
        for (at, op) in program.iter().enumerate().skip(done) {
            prop_assert_eq!(&recorded.real.play(op), &logs[at], "log of step {}: {:?}", at, op);
            prop_assert_eq!(&recorded.seen(), &recorded.checkpoints[at + 1].state, "after step {}", at);
            let sum = recorded.history.checksum(&mut recorded.real.game);
            prop_assert_eq!((sum, sum), (recorded.checkpoints[at + 1].sum, recorded.sum()));
        }
    }

    /// Changes made after a rewind can be undone as well.
    #[test]
    fn every_checkpoint_of_a_program_that_goes_back_can_become_the_present_again(
        preparation in make::preparation().prop_map(prepared),
        detours in prop::collection::vec(
            (make::edited_steps().prop_map(followed), any::<prop::sample::Index>()),
            1..6,
        ),
    ) {
        let mut recorded = Recorded::after(&preparation);
        recorded.mark(0);
        for (program, back_to) in detours {
            for op in &program {
                recorded.real.play(op);
                recorded.mark(0);
            }
            let (end, back_to) = (recorded.checkpoints.len() - 1, back_to.index(recorded.checkpoints.len()));
            recorded.go_to(end, back_to)?;
            recorded.checkpoints.truncate(back_to + 1);
            let known = recorded.checkpoints[back_to].known;
            recorded.real.forget_known(known);
        }
    }

    /// A history does not affect what it records.
    #[test]
    fn a_history_does_not_affect_what_it_records(
        preparation in make::preparation().prop_map(prepared),
        program in make::edited_steps().prop_map(followed),
    ) {
        let mut recorded = Recorded::after(&preparation);
        let mut plain = after(&preparation);
        let _view = View::new(&mut plain.game); // for its group
        plain.forget_log();
        for op in &program {
            prop_assert_eq!(recorded.real.play(op), plain.play(op));
        }
        prop_assert_eq!(&recorded.seen()[1..], &plain.state()[1..]);
    }
}
