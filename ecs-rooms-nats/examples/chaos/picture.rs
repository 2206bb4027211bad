//! A picture of a run: each line is a room, its color says who plays it.

use std::fmt::Write as _;
use std::ops::Range;

use crate::scenario::NAMES;
use crate::timeline::{Event, Mark};

/// Of the five workers; visible on light and dark pages.
const COLORS: [&str; 5] = ["#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#9c755f"];

/// The size of the lines, in pixels.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 36.0;
const TOP: f64 = 34.0;

/// What is shorter is not shown as a gap, in microseconds.
const GAP: u64 = 200_000;

/// Draws a run, with rooms of these shards.
pub(crate) fn draw(marks: &[Mark], shards: &[u32], events: &[Event], times: Range<u64>) -> String {
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" \
         font-size=\"11\" fill=\"currentColor\" role=\"img\">\n<title>Rooms over time, colored by the \
         process that plays them</title>\n",
        LEFT + WIDTH + 8.0,
        TOP + HEIGHT + 50.0
    );
    let x = |time: u64| {
        let time = time.clamp(times.start, times.end) - times.start;
        LEFT + WIDTH * time as f64 / (times.end - times.start).max(1) as f64
    };
    let mut rooms = shards.to_vec();
    rooms.sort_unstable(); // rooms of a shard move together
    let line = HEIGHT / rooms.len().max(1) as f64;
    for (owner, color) in COLORS.iter().enumerate() {
        let mut path = String::new();
        for (row, shard) in rooms.iter().enumerate() {
            let y = TOP + line * (row as f64 + 0.5);
            for span in spans(marks, *shard, owner, &times) {
                let (from, to) = (x(span.start), x(span.end));
                let _ = write!(path, "M{from:.1} {y:.1}h{:.1}", to - from);
            }
        }
        if !path.is_empty() {
            let width = line * 0.8;
            let _ = writeln!(
                text,
                "<path stroke=\"{color}\" stroke-width=\"{width:.2}\" d=\"{path}\"/>"
            );
            let at = LEFT + 70.0 * owner as f64;
            let (below, name) = (TOP + HEIGHT + 34.0, NAMES[owner]);
            let _ = writeln!(
                text,
                "<rect x=\"{at}\" y=\"{}\" width=\"12\" height=\"12\" fill=\"{color}\"/><text x=\"{}\" \
                 y=\"{below}\">{name}</text>",
                below - 10.0,
                at + 18.0
            );
        }
    }
    frame(&mut text, rooms.len(), &times, x);
    for event in events.iter().filter(|event| event.name != "play") {
        let (at, bottom) = (x(event.time), TOP + HEIGHT + 3.0);
        let (name, worker) = (event.name, event.worker);
        let _ = writeln!(
            text,
            "<path stroke=\"currentColor\" stroke-dasharray=\"3 2\" d=\"M{at:.1} {}V{bottom}\"/><text \
             x=\"{at:.1}\" y=\"12\" text-anchor=\"middle\">{name}<tspan x=\"{at:.1}\" dy=\"13\">{worker}</tspan></text>",
            TOP - 5.0
        );
    }
    text + "</svg>\n"
}

/// The axes.
fn frame(text: &mut String, rooms: usize, times: &Range<u64>, x: impl Fn(u64) -> f64) {
    let (middle, below) = (TOP + HEIGHT / 2.0, TOP + HEIGHT + 15.0);
    let _ = writeln!(
        text,
        "<text x=\"12\" y=\"{middle}\" text-anchor=\"middle\" transform=\"rotate(-90 12 {middle})\">{rooms} rooms</text>"
    );
    let seconds = (times.end - times.start) / 1_000_000;
    for second in (0..=seconds).step_by(5) {
        let at = x(times.start + second * 1_000_000);
        let _ = writeln!(
            text,
            "<text x=\"{at:.1}\" y=\"{below}\" text-anchor=\"middle\">{second} s</text>"
        );
    }
}

/// When a worker played a shard, without interruption.
fn spans(marks: &[Mark], shard: u32, owner: usize, times: &Range<u64>) -> Vec<Range<u64>> {
    let mut spans: Vec<Range<u64>> = Vec::new();
    let mut is_its = false;
    for mark in marks.iter().filter(|mark| mark.shard == shard) {
        if !times.contains(&mark.time) {
            continue;
        }
        let was_its = std::mem::replace(&mut is_its, mark.owner == owner);
        if !is_its {
            continue;
        }
        // A mark ends a tick.
        match spans.last_mut() {
            Some(span) if was_its && mark.time < span.end + GAP => span.end = mark.time,
            _ => spans.push(mark.time.saturating_sub(50_000)..mark.time),
        }
    }
    spans
}
