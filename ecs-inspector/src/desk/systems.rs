//! The lists of systems: a tree with times, pausing and stepping, switching systems on and off.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use ecs::stats::{Durations, SystemInfo};

use crate::desk::{Json, to_json};
use crate::lists::SystemLists;
use crate::protocol::answers::{Missed, Reactions, System, SystemTree, Times};
use crate::protocol::failure::{Code, Failure};

/// The number of places of a histogram.
const PLACES: usize = 24;

/// How long measuring continues after the last request, so that scripts, which reconnect each time,
/// get figures.
const MEASURED: Duration = Duration::from_secs(5);

/// The state kept for the lists of systems.
#[derive(Default)]
pub(crate) struct SystemsDesk {
    /// The number of frames until it pauses, 0 once it has paused; `None` if it runs.
    left: Option<u32>,
    /// When the inspector stops measuring; `None` if it does not measure.
    measures: Option<Instant>,
    /// The histograms by the ids of systems.
    histograms: HashMap<String, [Histogram; 2]>,
}

/// A histogram of the durations of a phase.
#[derive(Clone, Default)]
struct Histogram {
    /// The number of calls measured so far.
    calls: u32,
    counts: [u32; PLACES],
}

impl Histogram {
    /// Adds the call measured since the last frame.
    fn record(&mut self, durations: &Durations) {
        if durations.calls() != self.calls {
            self.calls = durations.calls();
            self.counts[place(durations.last())] += 1;
        }
    }
}

/// Returns the place of a duration: 0 below 1 µs, n from 2^(n-1) to below 2^n µs.
fn place(duration: Duration) -> usize {
    let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
    ((u64::BITS - micros.leading_zeros()) as usize).min(PLACES - 1)
}

impl SystemsDesk {
    /// Whether the inspector needs the next frame even if no client is connected.
    pub(crate) fn is_at_work(&self) -> bool {
        self.left.is_some_and(|left| left > 0) || self.measures.is_some()
    }

    /// Whether the lists are paused.
    pub(crate) fn is_paused(&self) -> bool {
        self.left == Some(0)
    }

    /// Finishes a frame; `request` is whether a client may ask how long systems take.
    pub(crate) fn finish_frame<W>(&mut self, systems: &mut dyn SystemLists<W>, request: bool) {
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(1);
            systems.set_suspended(*left == 0);
        }
        if request {
            self.measure(systems);
        }
        match self.measures {
            Some(end) if Instant::now() >= end => self.stop_measuring(systems),
            _ if systems.is_any_measured() => self.record(systems),
            _ => {}
        }
    }

    /// Measures the lists for a while, unless the program already does.
    fn measure<W>(&mut self, systems: &mut dyn SystemLists<W>) {
        if self.measures.is_some() || !systems.is_any_measured() {
            systems.measure(true);
            self.measures = Some(Instant::now() + MEASURED);
        }
    }

    fn stop_measuring<W>(&mut self, systems: &mut dyn SystemLists<W>) {
        systems.measure(false);
        self.measures = None;
        self.histograms = HashMap::new();
    }

    fn record<W>(&mut self, systems: &mut dyn SystemLists<W>) {
        let mut list = 0;
        systems.for_each_infos(&mut |_, infos| {
            for info in infos {
                let histograms = self.histograms.entry(id(list, &info.path));
                let [execute, cleanup] = histograms.or_default();
                execute.record(&info.statistics.execute);
                cleanup.record(&info.statistics.cleanup);
            }
            list += 1;
        });
    }

    /// Pauses the lists.
    pub(crate) fn pause<W>(&mut self, systems: &mut dyn SystemLists<W>) {
        self.left = Some(0);
        systems.set_suspended(true);
    }

    /// Resumes the lists.
    pub(crate) fn resume<W>(&mut self, systems: &mut dyn SystemLists<W>) {
        self.left = None;
        systems.set_suspended(false);
    }

    /// Resumes the lists for some frames.
    pub(crate) fn step<W>(&mut self, systems: &mut dyn SystemLists<W>, frames: u32) {
        self.left = Some(frames);
        systems.set_suspended(frames == 0);
    }

    /// Answers `systems`.
    pub(crate) fn answer<W>(&self, systems: &mut dyn SystemLists<W>) -> Result<Json, Failure> {
        let mut count = 0;
        systems.for_each(&mut |_| count += 1);
        let (mut rows, mut list) = (Vec::new(), 0);
        systems.for_each_infos(&mut |name, infos| {
            let of_list = self.rows(list, infos);
            list += 1;
            if count == 1 {
                return rows = of_list;
            }
            rows.push(whole(id(list - 1, &[]), name, &of_list));
            rows.extend(of_list.into_iter().map(|row| System {
                depth: row.depth + 1,
                ..row
            }));
        });
        for (number, row) in rows.iter_mut().enumerate() {
            row.number = number;
        }
        to_json(&SystemTree {
            paused: self.is_paused(),
            systems: rows,
        })
    }

    /// Returns the systems of the list with this number.
    fn rows(&self, list: usize, infos: &[SystemInfo<'_>]) -> Vec<System> {
        let none = <[Histogram; 2]>::default();
        let rows = infos.iter().map(|info| {
            let id = id(list, &info.path);
            let histograms = self.histograms.get(&id).unwrap_or(&none);
            system(id, info, histograms)
        });
        rows.collect()
    }
}

/// Returns the id of a system in answers: the number of its list, and the numbers of its path.
fn id(list: usize, path: &[usize]) -> String {
    let numbers = path.iter();
    numbers.fold(list.to_string(), |id, number| format!("{id}.{number}"))
}

/// Switches the systems of a name on or off, in all lists.
pub(crate) fn enable<W>(
    systems: &mut dyn SystemLists<W>,
    name: &str,
    enabled: bool,
) -> Result<(), Failure> {
    let (mut is_known, mut errors) = (false, Vec::new());
    systems.for_each(&mut |list| match list.try_set_enabled(name, enabled) {
        Ok(()) => is_known = true,
        Err(error) => errors.push(error.to_string()),
    });
    match is_known {
        true => Ok(()),
        false => Err(Code::UnknownSystem.because(errors.join("; "))),
    }
}

/// Returns a row for a list, if there are several, with the total times of its systems.
fn whole(id: String, name: &str, rows: &[System]) -> System {
    let outer = || rows.iter().filter(|row| row.depth == 0);
    System {
        id,
        number: 0,
        depth: 0,
        name: name.to_owned(),
        list: true,
        enabled: true,
        state: "",
        execute: sum(outer().map(|row| &row.execute)),
        cleanup: sum(outer().map(|row| &row.cleanup)),
        reactions: None,
        missed: Vec::new(),
    }
}

fn sum<'t>(times: impl Iterator<Item = &'t Times>) -> Times {
    times.fold(Times::default(), |sum, times| Times {
        calls: sum.calls.max(times.calls),
        last: sum.last.saturating_add(times.last),
        mean: sum.mean.saturating_add(times.mean),
        worst: sum.worst.saturating_add(times.worst),
        histogram: Vec::new(),
    })
}

fn system(id: String, info: &SystemInfo<'_>, [execute, cleanup]: &[Histogram; 2]) -> System {
    System {
        id,
        number: 0,
        depth: info.depth,
        name: info.name.to_owned(),
        list: false,
        enabled: info.is_enabled,
        state: state(info),
        execute: times(&info.statistics.execute, execute),
        cleanup: times(&info.statistics.cleanup, cleanup),
        reactions: info.reactions.map(|it| Reactions {
            calls: it.calls,
            last: it.last,
            total: it.total,
        }),
        missed: info.missed.iter().map(missed).collect(),
    }
}

fn missed(missed: &ecs::stats::Missed) -> Missed {
    Missed {
        component: missed.component,
        entities: missed.entities,
    }
}

fn state(info: &SystemInfo<'_>) -> &'static str {
    match info.is_enabled {
        false => "off",
        true if info.needs_initialize => "not initialized",
        true if info.skipped => "skipped",
        true => "",
    }
}

fn times(durations: &Durations, histogram: &Histogram) -> Times {
    let used = histogram.counts.iter().rposition(|count| *count > 0);
    let used = used.map_or(0, |last| last + 1);
    Times {
        calls: durations.calls(),
        last: nanos(durations.last()),
        mean: nanos(durations.mean()),
        worst: nanos(durations.max()),
        histogram: histogram.counts[..used].to_vec(),
    }
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
