//! Recording contexts, with a mark at the end of each frame, and seeking to marks.
//!
//! Marks have consecutive numbers. All contexts are marked together, so a number means the same frame
//! in each:
//!
//! ```text
//! first ─────────────── at ──────────── last
//! 320                   650             919     marks after `at` are discarded when the game
//!                                               continues or a user changes something
//! ```

use ecs::{ComponentIndex, Context, History, SharedContext, VisitContexts};

use super::contexts::{Contexts, EachAction, Kept};
use super::names::Names;
use crate::desk::{Json, to_json};
use crate::protocol::answers;
use crate::protocol::failure::{Code, Failure};
use crate::protocol::params::Record;

/// The state of recording.
pub(crate) struct HistoryDesk {
    pub(crate) limit: usize,
    recording: Option<Recording>,
    rejected: Option<String>,
    /// The excluded components, as the request named them.
    excluded: Vec<String>,
}

/// The numbers of the existing marks.
#[derive(Clone, Copy)]
struct Recording {
    first: u64,
    last: u64,
    at: u64,
}

impl HistoryDesk {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            limit,
            recording: None,
            rejected: None,
            excluded: Vec::new(),
        }
    }

    /// Whether each frame is marked.
    pub(crate) fn is_recording(&self) -> bool {
        self.recording.is_some()
    }

    /// Starts to record all contexts, or none on an error.
    pub(crate) fn record<W: VisitContexts>(
        &mut self,
        contexts: &mut Contexts,
        world: &mut W,
        record: &Record,
    ) -> Result<(), Failure> {
        if record.on == self.is_recording() {
            return Ok(());
        }
        self.recording = None;
        self.excluded.clear();
        if record.on {
            self.begin(contexts, world, &record.exclude.0)
        } else {
            contexts.with_each(world, Stop);
            self.rejected = None;
            Ok(())
        }
    }

    fn begin<W: VisitContexts>(
        &mut self,
        contexts: &mut Contexts,
        world: &mut W,
        exclude: &[String],
    ) -> Result<(), Failure> {
        let Unknown(unknown) = contexts.with_each(world, Unknown(exclude.to_vec()));
        if let Some(name) = unknown.first() {
            let message = format!("no context has a component `{name}`");
            return Err(Code::UnknownComponent.because(message));
        }
        let begin = Begin {
            exclude,
            rejected: None,
        };
        let rejected = contexts.with_each(world, begin).rejected;
        self.rejected.clone_from(&rejected);
        if let Some(rejected) = rejected {
            contexts.with_each(world, Stop);
            return Err(Code::Rejected.because(rejected));
        }
        self.excluded = exclude.to_vec();
        self.recording = Some(Recording {
            first: 0,
            last: 0,
            at: 0,
        });
        Ok(())
    }

    /// Marks the end of a frame, if the systems have run or a user has changed something.
    pub(crate) fn finish_frame<W: VisitContexts>(
        &mut self,
        contexts: &mut Contexts,
        world: &mut W,
        ran: bool,
    ) {
        let Some(recording) = self.recording else {
            return;
        };
        if !ran && !contexts.with_each(world, HasChanged(false)).0 {
            return;
        }
        let kept = (recording.at - recording.first) as usize + 1;
        let most = self.limit;
        let marked = contexts.with_each(
            world,
            MarkFrame {
                kept,
                most,
                error: None,
            },
        );
        if let Some(error) = marked.error {
            self.rejected = Some(error);
            self.recording = None;
            contexts.with_each(world, Stop);
            return;
        }
        let last = recording.at + 1;
        let first = recording.first.max((last + 1).saturating_sub(most as u64));
        self.recording = Some(Recording {
            first,
            last,
            at: last,
        });
    }

    /// Seeks all contexts to a mark.
    pub(crate) fn look<W: VisitContexts>(
        &mut self,
        contexts: &mut Contexts,
        world: &mut W,
        mark: u64,
    ) -> Result<(), Failure> {
        self.finish_frame(contexts, world, false); // marks changes since the last mark
        let recording = self
            .recording
            .filter(|it| (it.first..=it.last).contains(&mark));
        let unknown = || Code::UnknownMark.because(format!("there is no mark {mark}"));
        let recording = recording.ok_or_else(unknown)?;
        let go = Go {
            from: (recording.at - recording.first) as usize,
            to: (mark - recording.first) as usize,
            error: None,
        };
        match contexts.with_each(world, go).error {
            None => {
                self.recording = Some(Recording {
                    at: mark,
                    ..recording
                });
                Ok(())
            }
            Some(error) => Err(Code::Rejected.because(error)),
        }
    }

    /// Answers `history`.
    pub(crate) fn answer<W: VisitContexts>(
        &self,
        contexts: &mut Contexts,
        world: &mut W,
        paused: bool,
    ) -> Result<Json, Failure> {
        let Changes(changes) = contexts.with_each(world, Changes(0));
        to_json(&answers::History {
            recording: self.recording.is_some(),
            excluded: self.excluded.clone(),
            rejected: self.rejected.clone(),
            paused,
            first: self.recording.map(|it| it.first),
            last: self.recording.map(|it| it.last),
            at: self.recording.map(|it| it.at),
            limit: self.limit,
            changes,
        })
    }
}

/// The names that no context has a component of.
struct Unknown(Vec<String>);

impl EachAction for Unknown {
    fn run<C: Context + SharedContext>(&mut self, _: &mut C, kept: &mut Kept<C>) {
        self.0
            .retain(|name| excluded_here(name, &kept.names).is_none());
    }
}

/// Returns the component of this context with the name `Name` or `Context.Name`.
fn excluded_here<C: Context + SharedContext>(
    name: &str,
    names: &Names<C>,
) -> Option<ComponentIndex<C>> {
    let own = match name.split_once('.') {
        Some((context, name)) => (context == C::NAME).then_some(name)?,
        None => name,
    };
    names.find(own).ok()
}

/// Starts to record each context and marks it, or keeps the error.
struct Begin<'e> {
    exclude: &'e [String],
    rejected: Option<String>,
}

impl EachAction for Begin<'_> {
    fn run<C: Context + SharedContext>(&mut self, context: &mut C, kept: &mut Kept<C>) {
        let excluded = self.exclude.iter();
        let excluded = excluded.filter_map(|name| excluded_here(name, &kept.names));
        let builder = History::builder().without_indices(excluded);
        let begun = builder.try_record(context);
        let marked = begun.and_then(|history| Ok((history.try_mark(context)?, history)));
        match marked {
            Ok((mark, history)) => {
                kept.changes = history.len(context);
                kept.history = Some(history);
                kept.marks = [mark].into();
            }
            Err(error) => self.rejected = Some(error.to_string()),
        }
    }
}

/// Stops all recordings of the inspector.
struct Stop;

impl EachAction for Stop {
    fn run<C: Context + SharedContext>(&mut self, context: &mut C, kept: &mut Kept<C>) {
        kept.marks.clear();
        if let Some(history) = kept.history.take() {
            history.release(context);
        }
    }
}

/// Whether a context has changed since its last mark or seek.
struct HasChanged(bool);

impl EachAction for HasChanged {
    fn run<C: Context + SharedContext>(&mut self, context: &mut C, kept: &mut Kept<C>) {
        let changes = kept.history.as_ref().map(|history| history.len(context));
        self.0 |= changes.is_some_and(|changes| changes != kept.changes);
    }
}

/// Marks each context after its first `kept` marks, and keeps only the last `most` marks.
struct MarkFrame {
    kept: usize,
    most: usize,
    error: Option<String>,
}

impl EachAction for MarkFrame {
    fn run<C: Context + SharedContext>(&mut self, context: &mut C, kept: &mut Kept<C>) {
        let Some(history) = &kept.history else {
            self.error = Some(format!(
                "the recorded `{}` has been replaced by another one",
                C::NAME
            ));
            return;
        };
        match history.try_mark(context) {
            Err(error) => self.error = Some(error.to_string()),
            Ok(mark) => {
                kept.marks.truncate(self.kept);
                kept.marks.push_back(mark);
                if kept.marks.len() > self.most {
                    kept.marks.pop_front();
                    // Fails if the program has reset the context since; nothing is kept then.
                    _ = history.try_forget_before(context, kept.marks[0]);
                }
                kept.changes = history.len(context);
            }
        }
    }
}

/// Seeks each context from one of its marks to another.
struct Go {
    from: usize,
    to: usize,
    error: Option<String>,
}

impl EachAction for Go {
    fn run<C: Context + SharedContext>(&mut self, context: &mut C, kept: &mut Kept<C>) {
        let (Some(history), Some(&mark)) = (&kept.history, kept.marks.get(self.to)) else {
            self.error = Some(format!(
                "the recorded `{}` has been replaced by another one",
                C::NAME
            ));
            return;
        };
        let gone = match self.to <= self.from {
            true => history.try_rewind(context, mark),
            false => history.try_forward(context, mark),
        };
        kept.changes = history.len(context);
        if let Err(error) = gone {
            self.error = Some(error.to_string());
        }
    }
}

/// Counts the changes kept in all histories.
struct Changes(usize);

impl EachAction for Changes {
    fn run<C: Context + SharedContext>(&mut self, context: &mut C, kept: &mut Kept<C>) {
        self.0 += kept
            .history
            .as_ref()
            .map_or(0, |history| history.len(context));
    }
}
