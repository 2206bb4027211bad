//! The game's side: takes requests from the server between two frames, and answers them.
//!
//! ```text
//! work.rs      pending queries and watches
//! contexts.rs  the contexts of a world, and the state kept for each
//! list.rs      windows of lists           points.rs   pictures
//! search.rs    searches                   one.rs      an entity, a tree
//! show.rs      values                     part.rs     windows of large values
//! names.rs     names of components        uniques.rs  unique components
//! figures.rs   contents, counts, memory   systems.rs  the lists of systems
//! edit.rs      commands that change entities          set.rs  the command `set`
//! tree.rs      lossless copies of values
//! history.rs   recording, going back      log.rs      the log of changes
//! ```

pub(crate) mod contexts;
pub(crate) mod history;

mod edit;
mod figures;
mod list;
mod log;
mod names;
mod one;
mod part;
mod points;
mod search;
mod set;
mod show;
mod systems;
mod tree;
mod uniques;
mod work;

use std::time::{Duration, Instant};

use ecs::VisitContexts;
use serde::Serialize;
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use self::contexts::{Action, Contexts};
use self::history::HistoryDesk;
use self::log::LogDesk;
use self::search::Search;
use self::systems::SystemsDesk;
use self::work::Work;
use crate::link::{Asker, Client, FromServer, Incoming, What};
use crate::lists::SystemLists;
use crate::protocol::answers;
use crate::protocol::failure::{Code, Failure};
use crate::protocol::request::{Command, Query};

/// An answer as sent.
pub(crate) type Json = Box<RawValue>;

/// The maximum number of watches of a client.
const MOST_WATCHES: usize = 32;
/// The maximum number of requests taken in a frame.
const MOST_TAKEN: usize = 64;
/// The time for taking requests in a frame, not counting the last one started.
const TAKING: Duration = Duration::from_micros(300);
/// The time for answering in a frame, not counting the last answer started.
const ANSWERING: Duration = Duration::from_micros(150);

/// Converts an answer to JSON.
pub(crate) fn to_json(answer: &impl Serialize) -> Result<Json, Failure> {
    to_raw_value(answer).map_err(|error| Code::Rejected.because(error))
}

/// The state that is kept between frames.
pub(crate) struct Desk {
    pub(crate) contexts: Contexts,
    title: String,
    read_only: bool,
    from_server: FromServer,
    frame: u64,
    works: Vec<Work>,
    /// The index of the next work to answer.
    turn: usize,
    /// Whether requests took so long in this frame that answers wait for the next one.
    is_late: bool,
    systems: SystemsDesk,
    history: HistoryDesk,
    log: LogDesk,
}

/// The subject of commands and queries.
pub(crate) struct Program<'a, W> {
    pub(crate) world: &'a mut W,
    pub(crate) systems: &'a mut dyn SystemLists<W>,
}

impl Desk {
    pub(crate) fn new(
        title: String,
        read_only: bool,
        from_server: FromServer,
        history: HistoryDesk,
    ) -> Self {
        Self {
            contexts: Contexts::default(),
            title,
            read_only,
            from_server,
            frame: 0,
            works: Vec::new(),
            turn: 0,
            is_late: false,
            systems: SystemsDesk::default(),
            history,
            log: LogDesk::default(),
        }
    }

    /// Counts a frame; returns whether there is anything to do.
    #[inline]
    pub(crate) fn begin_frame(&mut self) -> bool {
        self.frame += 1;
        self.has_clients() || self.is_at_work()
    }

    #[inline]
    pub(crate) fn has_clients(&self) -> bool {
        self.from_server.shared.is_attentive()
    }

    fn is_at_work(&self) -> bool {
        self.systems.is_at_work() || self.history.is_recording() || self.log.is_at_work()
    }

    /// Whether the systems are paused.
    pub(crate) fn is_paused(&self) -> bool {
        self.systems.is_paused()
    }

    /// Does the work of this frame.
    pub(crate) fn attend<W: VisitContexts>(&mut self, mut program: Program<'_, W>) {
        let wanted = self.has_clients();
        let ran = program.systems.is_any_running();
        self.systems
            .finish_frame(program.systems, wanted || self.log.is_on);
        self.history
            .finish_frame(&mut self.contexts, program.world, ran);
        let was_late = std::mem::take(&mut self.is_late);
        self.take_requests(&mut program);
        let watches = self.works.iter().filter_map(Work::watched_log);
        self.log.observe(&mut self.contexts, program.world, watches);
        self.log.finish_frame(self.frame);
        if !self.is_late || was_late {
            self.answer_works(&mut program);
        }
        self.from_server.shared.note_frame(self.frame);
    }

    fn take_requests<W: VisitContexts>(&mut self, program: &mut Program<'_, W>) {
        self.works.retain(|work| !work.is_over());
        let start = Instant::now();
        for _ in 0..MOST_TAKEN {
            self.is_late = start.elapsed() > TAKING;
            if self.is_late {
                return;
            }
            let Ok(Incoming { from, what }) = self.from_server.queue.try_recv() else {
                return;
            };
            match what {
                What::Hello => self.greet(&from, program),
                What::Get(query) => self.works.push(Work::new(from, query, false)),
                What::Watch(query) => self.watch(from, query),
                What::Unwatch => self.works.retain(|work| !work.is_watch_of(&from)),
                What::Do(command) => {
                    let done = self.obey(&command, program);
                    Work::new(from, Query::World, false).answer(self.frame, done);
                }
            }
        }
    }

    fn greet<W: VisitContexts>(&mut self, from: &Asker, program: &mut Program<'_, W>) {
        let (Asker::Socket(client, _), Ok(world)) = (from, self.world(program)) else {
            return;
        };
        Client::send(client, format!("{{\"hello\":{world}}}"));
    }

    fn watch(&mut self, from: Asker, query: Query) {
        self.works.retain(|work| !work.is_watch_of(&from));
        let watches = self.works.iter().filter(|work| work.is_of_client(&from));
        let too_many = watches.count() >= MOST_WATCHES;
        let mut work = Work::new(from, query, !too_many);
        if too_many {
            let message = format!("a client has at most {MOST_WATCHES} watches");
            return work.answer(self.frame, Err(Code::Busy.because(message)));
        }
        self.works.push(work);
    }

    /// Answers due queries in turn while there is time.
    fn answer_works<W: VisitContexts>(&mut self, program: &mut Program<'_, W>) {
        let (mut works, start) = (std::mem::take(&mut self.works), Instant::now());
        let count = works.len();
        for nth in 0..count {
            let at = (self.turn + nth) % count;
            if works[at].is_due() {
                self.answer_work(&mut works[at], program);
            }
            if start.elapsed() > ANSWERING {
                self.turn = at + 1;
                break;
            }
        }
        works.retain(|work| !work.is_over());
        self.works = works;
    }

    fn answer_work<W: VisitContexts>(&mut self, work: &mut Work, program: &mut Program<'_, W>) {
        let mut search = std::mem::take(&mut work.search);
        let mut up_to = None;
        let answer = match &work.query {
            Query::Entities(_) => self.list(&work.query, &mut search, work.again, program),
            Query::Points(asked) => {
                let scan = &mut work.scan;
                let answer = points::AnswerPoints { asked, scan };
                self.in_context(program, asked.context.as_deref(), answer)
            }
            Query::Log(read) => {
                let known = match work.is_new() {
                    true => log::check(read, &mut self.contexts, program.world),
                    false => Ok(()),
                };
                let answer = known.and_then(|()| self.log.answer(read));
                answer.map(|(json, is_any, last)| {
                    up_to = Some(last);
                    (is_any || !work.again || work.is_new()).then_some(json)
                })
            }
            query => self.answer(query, program).map(Some),
        };
        work.search = search;
        if let Some(answer) = answer.transpose() {
            work.answer(self.frame, answer);
        }
        if let (Query::Log(read), Some(last)) = (&mut work.query, up_to) {
            read.since = last;
        }
    }

    /// Answers a list, unless it was requested once and its search is not complete.
    fn list<W: VisitContexts>(
        &mut self,
        query: &Query,
        search: &mut Search,
        again: bool,
        program: &mut Program<'_, W>,
    ) -> Result<Option<Json>, Failure> {
        let Query::Entities(list) = query else {
            return Ok(None);
        };
        let answer = list::AnswerList { list, search };
        let (json, complete) = self.in_context(program, list.context.as_deref(), answer)?;
        Ok((again || complete).then_some(json))
    }

    fn in_context<W: VisitContexts, T>(
        &mut self,
        program: &mut Program<'_, W>,
        name: Option<&str>,
        action: impl Action<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        self.contexts.with_one(program.world, name, action)?
    }

    fn answer<W: VisitContexts>(
        &mut self,
        query: &Query,
        program: &mut Program<'_, W>,
    ) -> Result<Json, Failure> {
        match query {
            Query::World => self.world(program),
            Query::Entity(one) => {
                self.in_context(program, one.context.as_deref(), one::AnswerOne(one))
            }
            Query::Value(part) => {
                self.in_context(program, part.context.as_deref(), part::AnswerPart(part))
            }
            Query::Tree(tree) => {
                self.in_context(program, tree.context.as_deref(), one::AnswerTree(tree))
            }
            Query::Counts(of) => {
                self.in_context(program, of.context.as_deref(), figures::AnswerCounts)
            }
            Query::Uniques(of) => {
                self.in_context(program, of.context.as_deref(), uniques::AnswerUniques)
            }
            Query::Memory(of) => {
                self.in_context(program, of.context.as_deref(), figures::AnswerMemory)
            }
            Query::Systems => self.systems.answer(program.systems),
            Query::History => {
                let paused = self.systems.is_paused();
                self.history
                    .answer(&mut self.contexts, program.world, paused)
            }
            Query::Entities(_) | Query::Points(_) | Query::Log(_) => to_json(&json!({})), // answered elsewhere
        }
    }

    fn world<W: VisitContexts>(&mut self, program: &mut Program<'_, W>) -> Result<Json, Failure> {
        let infos = self
            .contexts
            .with_each(program.world, figures::Infos::default());
        to_json(&answers::World {
            inspector: env!("CARGO_PKG_VERSION"),
            title: &self.title,
            read_only: self.read_only,
            contexts: infos.shown,
            local: infos.local,
        })
    }

    fn obey<W: VisitContexts>(
        &mut self,
        command: &Command,
        program: &mut Program<'_, W>,
    ) -> Result<Json, Failure> {
        self.log.set_actor(Some("inspector"));
        let done = match command {
            Command::Replace(write) => self.put(write, true, program),
            Command::Add(write) => self.put(write, false, program),
            Command::Set(set) => {
                let action = set::SetField(set);
                self.in_context(program, set.context.as_deref(), action)
            }
            Command::Remove(remove) => {
                let action = edit::TakeAway(remove);
                self.in_context(program, remove.context.as_deref(), action)
            }
            Command::Create(create) => {
                let action = edit::Make(create);
                self.in_context(program, create.context.as_deref(), action)
            }
            Command::Destroy(one) => {
                self.in_context(program, one.context.as_deref(), edit::Destroy(one))
            }
            command => self
                .control(command, program)
                .and_then(|()| to_json(&json!({}))),
        };
        self.log.set_actor(None);
        done
    }

    fn put<W: VisitContexts>(
        &mut self,
        write: &crate::protocol::params::Write,
        replaces: bool,
        program: &mut Program<'_, W>,
    ) -> Result<Json, Failure> {
        let action = edit::Put { write, replaces };
        self.in_context(program, write.context.as_deref(), action)
    }

    /// Executes a command about the program as a whole.
    fn control<W: VisitContexts>(
        &mut self,
        command: &Command,
        program: &mut Program<'_, W>,
    ) -> Result<(), Failure> {
        match command {
            Command::Pause => self.systems.pause(program.systems),
            Command::Resume => self.systems.resume(program.systems),
            Command::Step(step) => self.systems.step(program.systems, step.frames),
            Command::Enable(enable) => {
                systems::enable(program.systems, &enable.system, enable.enabled)?;
            }
            Command::Record(record) => {
                self.history
                    .record(&mut self.contexts, program.world, record)?;
            }
            Command::Look(look) => {
                self.history
                    .look(&mut self.contexts, program.world, look.mark)?;
                self.systems.pause(program.systems);
            }
            Command::Log(switch) => self.log.is_on = switch.on,
            _ => {}
        }
        Ok(())
    }
}
