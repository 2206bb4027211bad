//! The list of systems: as a tree with times, paused and stepped, its systems switched on and off.

use std::time::{Duration, Instant};

use ecs::Systems;
use ecs::stats::{Durations, SystemInfo};

use crate::desk::{Json, to_json};
use crate::protocol::answers::{Missed, Reactions, System, SystemTree, Times};
use crate::protocol::failure::{Code, Failure};

/// How many places a histogram has.
const PLACES: usize = 24;

/// How long it is measured behind the last request: so that scripts, which come and go, find something.
const MEASURED: Duration = Duration::from_secs(5);

/// What is kept of the list of systems.
#[derive(Default)]
pub(crate) struct SystemsDesk {
    /// How many frames may pass until it pauses; `None` if it runs.
    left: Option<u32>,
    /// Until when the inspector has it measured; `None` if it does not.
    measures: Option<Instant>,
    histograms: Vec<[Histogram; 2]>,
}

/// How often a phase took how long.
#[derive(Clone, Default)]
struct Histogram {
    /// How many calls had been measured the last time.
    calls: u32,
    counts: [u32; PLACES],
}

impl Histogram {
    /// Takes in what has been measured since the last frame.
    fn note(&mut self, durations: &Durations) {
        if durations.calls() != self.calls {
            self.calls = durations.calls();
            self.counts[place(durations.last())] += 1;
        }
    }
}

/// The place of a duration: 0 below a microsecond, n from 2^(n-1) to below 2^n.
fn place(duration: Duration) -> usize {
    let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
    ((u64::BITS - micros.leading_zeros()) as usize).min(PLACES - 1)
}

impl SystemsDesk {
    /// Whether the next frame is to be seen by the inspector though nobody may be there.
    pub(crate) fn is_at_work(&self) -> bool {
        self.left.is_some_and(|left| left > 0) || self.measures.is_some()
    }

    /// Whether the list does nothing.
    pub(crate) fn is_paused(&self) -> bool {
        self.left == Some(0)
    }

    /// Concludes a frame; `wanted` is whether anybody may want to know how long systems take.
    pub(crate) fn conclude_frame<W>(&mut self, systems: &mut Systems<W>, wanted: bool) {
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(1);
            systems.set_suspended(*left == 0);
        }
        if wanted {
            self.measure(systems);
        }
        match self.measures {
            Some(end) if Instant::now() >= end => self.stop_measuring(systems),
            _ if systems.is_measured() => self.note(&systems.infos()),
            _ => {}
        }
    }

    /// Has the list measured for a while, unless the program does that anyway.
    fn measure<W>(&mut self, systems: &mut Systems<W>) {
        if self.measures.is_some() || !systems.is_measured() {
            systems.measure(true);
            self.measures = Some(Instant::now() + MEASURED);
        }
    }

    fn stop_measuring<W>(&mut self, systems: &mut Systems<W>) {
        systems.measure(false);
        self.measures = None;
        self.histograms = Vec::new();
    }

    fn note(&mut self, infos: &[SystemInfo<'_>]) {
        self.histograms.resize_with(infos.len(), Default::default);
        for ([execute, cleanup], info) in self.histograms.iter_mut().zip(infos) {
            execute.note(&info.statistics.execute);
            cleanup.note(&info.statistics.cleanup);
        }
    }

    /// Has the list do nothing from now on.
    pub(crate) fn pause<W>(&mut self, systems: &mut Systems<W>) {
        self.left = Some(0);
        systems.set_suspended(true);
    }

    /// Has the list run.
    pub(crate) fn resume<W>(&mut self, systems: &mut Systems<W>) {
        self.left = None;
        systems.set_suspended(false);
    }

    /// Has the list run for some frames.
    pub(crate) fn step<W>(&mut self, systems: &mut Systems<W>, frames: u32) {
        self.left = Some(frames);
        systems.set_suspended(frames == 0);
    }

    /// Answers `systems`.
    pub(crate) fn answer<W>(&self, systems: &Systems<W>) -> Result<Json, Failure> {
        let infos = systems.infos();
        let none = <[Histogram; 2]>::default();
        let tree = infos.iter().enumerate().map(|(number, info)| {
            let histograms = self.histograms.get(number).unwrap_or(&none);
            system(number, info, histograms)
        });
        to_json(&SystemTree {
            paused: self.is_paused(),
            systems: tree.collect(),
        })
    }
}

/// Switches the systems of a name on or off.
pub(crate) fn enable<W>(
    systems: &mut Systems<W>,
    name: &str,
    enabled: bool,
) -> Result<(), Failure> {
    let switched = systems.try_set_enabled(name, enabled);
    switched.map_err(|error| Code::UnknownSystem.because(error))
}

fn system<'s>(
    number: usize,
    info: &SystemInfo<'s>,
    [execute, cleanup]: &[Histogram; 2],
) -> System<'s> {
    System {
        number,
        depth: info.depth,
        name: info.name,
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
        true if info.awaits_initialize => "not initialized",
        true if info.passed_over => "passed over",
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
