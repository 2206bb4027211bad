//! Pending queries: answered once, or repeatedly as watches.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;

use super::Json;
use super::points::Scan;
use super::search::Search;
use crate::link::{Asker, Client};
use crate::protocol::failure::{Code, Failure};
use crate::protocol::params::ReadLog;
use crate::protocol::request::Query;

/// A pending query.
pub(crate) struct Work {
    pub(crate) query: Query,
    pub(crate) search: Search,
    pub(crate) scan: Scan,
    /// Whether it is answered again whenever the answer changes.
    pub(crate) again: bool,
    asker: Option<Asker>,
    /// The last answer, without the number of the frame.
    last: Option<String>,
    /// The earliest time of the next answer.
    due: Instant,
}

impl Work {
    pub(crate) fn new(asker: Asker, query: Query, again: bool) -> Self {
        Self {
            query,
            search: Search::default(),
            scan: Scan::default(),
            again,
            asker: Some(asker),
            last: None,
            due: Instant::now(),
        }
    }

    /// Whether it has not been answered yet.
    pub(crate) fn is_new(&self) -> bool {
        self.last.is_none()
    }

    /// Whether it is the watch of this client and number.
    pub(crate) fn is_watch_of(&self, asker: &Asker) -> bool {
        match (&self.asker, asker) {
            (Some(Asker::Socket(client, id)), Asker::Socket(other, other_id)) => {
                self.again && Arc::ptr_eq(client, other) && id == other_id
            }
            _ => false,
        }
    }

    /// Whether it is a watch of this client.
    pub(crate) fn is_of_client(&self, asker: &Asker) -> bool {
        match (&self.asker, asker) {
            (Some(Asker::Socket(client, _)), Asker::Socket(other, _)) => {
                self.again && Arc::ptr_eq(client, other)
            }
            _ => false,
        }
    }

    /// Returns the parameters, if this is a watch of the log.
    pub(crate) fn watched_log(&self) -> Option<&ReadLog> {
        match &self.query {
            Query::Log(read) if self.again => Some(read),
            _ => None,
        }
    }

    /// Whether no client waits for it any more.
    pub(crate) fn is_over(&self) -> bool {
        match &self.asker {
            None => true,
            Some(Asker::Once(sender)) => sender.is_closed(),
            Some(Asker::Socket(client, _)) => client.has_gone(),
        }
    }

    /// Whether it is due in this frame.
    pub(crate) fn is_due(&self) -> bool {
        let is_behind = match &self.asker {
            Some(Asker::Socket(client, _)) => self.again && client.is_behind(),
            _ => false,
        };
        !is_behind && (!self.is_slow() || Instant::now() >= self.due)
    }

    fn is_slow(&self) -> bool {
        self.pause().is_some()
    }

    /// Returns the minimum time between two answers of a watch.
    fn pause(&self) -> Option<Duration> {
        match self.query {
            Query::Systems | Query::Points(_) => Some(Duration::from_millis(100)),
            Query::Memory(_) => Some(Duration::from_secs(1)),
            Query::World => Some(Duration::from_millis(250)),
            _ => None,
        }
    }

    /// Sends an answer, unless it equals the previous one.
    pub(crate) fn answer(&mut self, frame: u64, answer: Result<Json, Failure>) {
        if let Some(pause) = self.pause() {
            self.due = Instant::now() + pause;
        }
        match self.asker.take() {
            Some(Asker::Once(sender)) => _ = sender.send(answer), // fails if the client is gone
            Some(Asker::Socket(client, id)) => self.send(client, id, frame, answer),
            None => {}
        }
    }

    fn send(&mut self, client: Arc<Client>, id: u64, frame: u64, answer: Result<Json, Failure>) {
        let goes_on = self.again && !answer.as_ref().is_err_and(ends_watch);
        let rest = match &answer {
            Ok(json) => format!("\"data\":{json}"),
            Err(failure) => format!("\"error\":{}", json!(failure)),
        };
        let is_new = self.last.as_ref() != Some(&rest);
        if is_new && client.send(format!("{{\"id\":{id},\"frame\":{frame},{rest}}}")) {
            self.last = Some(rest);
        }
        if goes_on {
            self.asker = Some(Asker::Socket(client, id));
        }
    }
}

/// Whether asking again is useless. A destroyed entity can be revived by a seek in the history.
fn ends_watch(failure: &Failure) -> bool {
    failure.code != Code::UnknownEntity
}
