//! The engine of a simulated deployment: it executes requests; the world decides when, and who sees the outcome.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::memory::Cells;
use crate::store::Record;

#[derive(Default)]
pub(crate) struct Log {
    /// All records, those that were forgotten, too.
    pub(crate) records: Vec<Record>,
    pub(crate) forgotten: usize,
    last_mark: u64,
}

#[derive(Default)]
pub(crate) struct Engine {
    pub(crate) logs: BTreeMap<u32, Log>,
    pub(crate) cells: Cells,
}

/// A write.
#[derive(Clone)]
pub(crate) enum Write {
    Append {
        shard: u32,
        bytes: Vec<u8>,
    },
    Mark {
        shard: u32,
        after: u64,
        bytes: Vec<u8>,
    },
    Put {
        key: String,
        revision: Option<u64>,
        value: Vec<u8>,
    },
    Forget {
        shard: u32,
        before: u64,
    },
}

impl Engine {
    pub(crate) fn write(&mut self, write: Write) -> Result<u64, Error> {
        match write {
            Write::Append { shard, bytes } => Ok(self.push(shard, false, bytes)),
            Write::Mark {
                shard,
                after,
                bytes,
            } => {
                if self.logs.entry(shard).or_default().last_mark != after {
                    return Err(Error::Conflict);
                }
                let number = self.push(shard, true, bytes);
                self.logs.entry(shard).or_default().last_mark = number;
                Ok(number)
            }
            Write::Put {
                key,
                revision,
                value,
            } => self.cells.put(&key, revision, value),
            Write::Forget { shard, before } => {
                let log = self.logs.entry(shard).or_default();
                let kept = before.min(log.last_mark).saturating_sub(1) as usize;
                log.forgotten = log.forgotten.max(kept);
                Ok(0)
            }
        }
    }

    pub(crate) fn last_mark(&self, shard: u32) -> &[u8] {
        let log = self.logs.get(&shard);
        let last = log.and_then(|log| log.records.get((log.last_mark as usize).checked_sub(1)?));
        last.map_or(&[], |record| &record.bytes)
    }

    fn push(&mut self, shard: u32, is_mark: bool, bytes: Vec<u8>) -> u64 {
        let records = &mut self.logs.entry(shard).or_default().records;
        let number = records.len() as u64 + 1;
        records.push(Record {
            number,
            is_mark,
            bytes,
        });
        number
    }

    pub(crate) fn read(&self, shard: u32, after: u64, count: usize) -> Result<Vec<Record>, Error> {
        let Some(log) = self.logs.get(&shard) else {
            return Ok(Vec::new());
        };
        if (after as usize) < log.forgotten {
            return Err(Error::Forgotten {
                first: log.forgotten as u64 + 1,
            });
        }
        Ok(log
            .records
            .iter()
            .skip(after as usize)
            .take(count)
            .cloned()
            .collect())
    }
}
