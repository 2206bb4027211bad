//! What the methods and tasks of a store share: the connection, its streams, and writes to them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_nats::jetstream::context::{ContextBuilder, CreateStreamErrorKind, PublishErrorKind};
use async_nats::jetstream::{self, ErrorCode, stream};
use async_nats::{Client, HeaderMap};
use ecs_rooms::Error;

use crate::cells::Cells;
use crate::tail::{self, Tail};
use crate::{PATIENCE, lock, shielded, unknown};

/// How long servers before 2.10 keep records.
const OLD: Duration = Duration::from_secs(3_600);

type Wake = Arc<dyn Fn() -> bool + Send + Sync>;

/// What tasks share.
pub(crate) struct Engine {
    pub(crate) client: Client,
    pub(crate) context: jetstream::Context,
    pub(crate) name: String,
    replicas: usize,
    pub(crate) saves: stream::Stream,
    pub(crate) cells: Cells,
    logs: tokio::sync::Mutex<HashMap<String, stream::Stream>>,
    pub(crate) tails: Mutex<HashMap<String, Arc<Tail>>>,
    /// Of each log the last record that this process has written: reading waits for it.
    pub(crate) written: Mutex<HashMap<String, u64>>,
    pub(crate) watching: Mutex<Vec<(String, Wake)>>,
}

/// A name as one token of a subject, and in the name of a stream.
fn token(name: &str) -> String {
    name.replace('/', "=")
}

/// Returns a stream, which is created if it does not exist. A server that creates it for another host at that
/// moment rejects its name or subjects; soon after it is there.
async fn get_or_create(
    context: &jetstream::Context,
    config: stream::Config,
) -> Result<stream::Stream, Error> {
    let end = Instant::now() + PATIENCE;
    loop {
        let error = match context.get_or_create_stream(config.clone()).await {
            Ok(stream) => return Ok(stream),
            Err(error) => error,
        };
        let is_taken = match error.kind() {
            CreateStreamErrorKind::JetStream(error) => matches!(
                error.error_code(),
                ErrorCode::STREAM_SUBJECT_OVERLAP | ErrorCode::STREAM_NAME_EXIST
            ),
            _ => false,
        };
        if !is_taken || Instant::now() > end {
            return Err(unknown(error));
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

impl Engine {
    pub(crate) async fn connect(url: &str, name: String, replicas: usize) -> Result<Self, Error> {
        let options = async_nats::ConnectOptions::new().max_reconnects(None);
        let client = options.connect(url).await.map_err(unknown)?;
        let context = ContextBuilder::new()
            .timeout(PATIENCE)
            .ack_timeout(PATIENCE / 2)
            .max_ack_inflight(20_000);
        let context = context.build(client.clone());
        let config = |kind: &str, subject: &str| stream::Config {
            name: format!("{name}_{kind}"),
            subjects: vec![format!("{name}.{subject}.>")],
            max_messages_per_subject: 1,
            num_replicas: replicas,
            allow_direct: true,
            ..Default::default()
        };
        let cells = get_or_create(&context, config("cells", "cell")).await?;
        let saves = get_or_create(&context, config("saves", "save")).await?;
        Ok(Self {
            client,
            context,
            name,
            replicas,
            saves,
            cells: Cells::new(cells),
            logs: tokio::sync::Mutex::default(),
            tails: Mutex::default(),
            written: Mutex::default(),
            watching: Mutex::default(),
        })
    }

    pub(crate) fn subject_of_topic(&self, topic: &str) -> String {
        format!("{}.topic.{}", self.name, topic.replace('/', "."))
    }

    fn subject_of_log(&self, log: &str) -> String {
        format!("{}.log.{}", self.name, token(log))
    }

    /// The stream of a log, which is created if it does not exist.
    pub(crate) async fn log(&self, log: &str) -> Result<stream::Stream, Error> {
        let mut logs = self.logs.lock().await;
        if let Some(stream) = logs.get(log) {
            return Ok(stream.clone());
        }
        let config = stream::Config {
            name: format!("{}_{}", self.name, token(log)),
            subjects: vec![format!("{}.*", self.subject_of_log(log))],
            num_replicas: self.replicas,
            allow_direct: true,
            max_age: if self.is_old() { OLD } else { Duration::ZERO },
            ..Default::default()
        };
        let stream = get_or_create(&self.context, config).await?;
        logs.insert(log.to_owned(), stream.clone());
        Ok(stream)
    }

    /// Publishes, if the last message of the subject has this number.
    async fn publish(
        &self,
        subject: String,
        after: Option<u64>,
        bytes: Vec<u8>,
    ) -> Result<u64, Error> {
        let mut headers = HeaderMap::new();
        if let Some(after) = after {
            headers.insert(
                "Nats-Expected-Last-Subject-Sequence",
                after.to_string().as_str(),
            );
        }
        let sent = self
            .context
            .publish_with_headers(subject, headers, bytes.into())
            .await;
        let acknowledged = match sent {
            Ok(acknowledged) => acknowledged.await,
            Err(error) => Err(error),
        };
        acknowledged
            .map(|it| it.sequence)
            .map_err(|error| match error.kind() {
                PublishErrorKind::WrongLastSequence => Error::Conflict,
                _ => unknown(error),
            })
    }

    pub(crate) async fn append(
        &self,
        log: String,
        after: Option<u64>,
        bytes: Vec<u8>,
    ) -> Result<u64, Error> {
        self.log(&log).await?;
        let kind = if after.is_some() { "mark" } else { "in" };
        let subject = format!("{}.{kind}", self.subject_of_log(&log));
        let mut outcome = self.publish(subject.clone(), after, bytes.clone()).await;
        // If the last mark is so old that it is gone, the server takes the next one for the first.
        if let (Err(Error::Conflict), Some(after)) = (&outcome, after)
            && self.is_gone(&log, &subject, after).await
        {
            outcome = self.publish(subject, Some(0), bytes).await;
        }
        let number = outcome?;
        let mut written = lock(&self.written);
        let last = written.entry(log.clone()).or_default();
        *last = number.max(*last);
        drop(written);
        self.wake(&log);
        Ok(number)
    }

    /// Whether the server is older than 2.10. Those lose more of a log than a purge should remove.
    fn is_old(&self) -> bool {
        let version = self.client.server_info().version;
        let mut numbers = version
            .split('.')
            .map_while(|number| number.parse::<u32>().ok());
        numbers.next().is_some_and(|major| {
            major < 2 || major == 2 && numbers.next().is_some_and(|minor| minor < 10)
        })
    }

    /// Whether a record is gone, and there are no messages of a subject.
    async fn is_gone(&self, log: &str, subject: &str, record: u64) -> bool {
        let Ok(stream) = self.log(log).await else {
            return false;
        };
        let last = stream.get_last_raw_message_by_subject(subject).await;
        let is_none = last
            .is_err_and(|error| error.kind() == stream::LastRawMessageErrorKind::NoMessageFound);
        is_none
            && stream
                .get_info()
                .await
                .is_ok_and(|info| info.state.first_sequence > record)
    }

    pub(crate) async fn forget(&self, log: String, before: u64) -> Result<(), Error> {
        if self.is_old() {
            return Ok(()); // records have an age
        }
        let stream = self.log(&log).await?;
        let marks = format!("{}.mark", self.subject_of_log(&log));
        let last = stream
            .get_last_raw_message_by_subject(&marks)
            .await
            .map_err(unknown)?;
        let before = before.min(last.sequence);
        let purged = stream.purge().sequence(before).await;
        purged.map_err(unknown)?;
        if let Some(tail) = lock(&self.tails).get(&log) {
            tail.forget(before);
        }
        Ok(())
    }

    pub(crate) async fn put(
        &self,
        key: String,
        revision: Option<u64>,
        value: Vec<u8>,
    ) -> Result<u64, Error> {
        let is_save = key.starts_with("save/");
        let kind = if is_save { "" } else { "cell." };
        let subject = format!("{}.{kind}{}", self.name, key.replace('/', "."));
        if is_save && value.is_empty() {
            return self.remove_save(&subject).await;
        }
        let mut outcome = self.publish(subject.clone(), revision, value.clone()).await;
        // A cell that was removed is an empty message.
        if !is_save && outcome == Err(Error::Conflict) && revision == Some(0) {
            let last = self
                .cells
                .stream
                .get_last_raw_message_by_subject(&subject)
                .await
                .map_err(unknown)?;
            if last.payload.is_empty() {
                outcome = self.publish(subject, Some(last.sequence), value).await;
            }
        }
        if let (Ok(revision), false) = (&outcome, is_save) {
            self.cells.written(*revision);
        }
        outcome
    }

    async fn remove_save(&self, subject: &str) -> Result<u64, Error> {
        let Ok(last) = self.saves.get_last_raw_message_by_subject(subject).await else {
            return Ok(1); // there is none
        };
        self.saves
            .delete_message(last.sequence)
            .await
            .map_err(unknown)?;
        Ok(last.sequence)
    }

    /// Wakes those that watch a log or a cell.
    pub(crate) fn wake(&self, name: &str) {
        let is_meant = |(watched, _): &&(String, Wake)| name.starts_with(watched);
        let meant: Vec<_> = lock(&self.watching)
            .iter()
            .filter(is_meant)
            .cloned()
            .collect();
        for (_, wake) in meant {
            if !shielded(|| wake()).unwrap_or(false) {
                lock(&self.watching).retain(|(_, other)| !Arc::ptr_eq(&wake, other));
            }
        }
    }

    /// The tail of a log that has the record after number `after`, or begins there.
    pub(crate) async fn tail(
        self: &Arc<Self>,
        log: String,
        after: u64,
    ) -> Result<Arc<Tail>, Error> {
        let tail = tail::follow(self.clone(), log.clone(), after).await?;
        lock(&self.tails).insert(log, tail.clone());
        Ok(tail)
    }
}
