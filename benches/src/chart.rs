//! Draws the ratios to the best peer as SVG.
//!
//! ```text
//! row name │ ◄── less than the best peer ──┃── more ──►  │ the best peer, its figure
//! ```
//! Each row has a bar for `ecs` and, if it exists, a bar for `ecs bulk`. Both begin at the line of the
//! best peer; the axis is logarithmic.

use std::fmt::Write as _;

use crate::comparison::Comparison;
use crate::report::figure;
use crate::systems::{BULK, OURS};

/// The file of the chart.
pub const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/chart.svg");

const WIDTH: f64 = 900.0;
/// Where the bars begin; row names are to the left.
pub const LEFT: f64 = 214.0;
/// Where the bars end; peers are to the right.
pub const RIGHT: f64 = 716.0;
/// Space for the ratio after the longest possible bar.
pub const MARGIN: f64 = 44.0;
/// The top of the first row.
const TOP: f64 = 124.0;
/// The distance between rows.
const STEP: f64 = 30.0;
/// The height of a bar.
const BAR: f64 = 10.0;

/// The colors of the light and the dark theme.
const STYLE: &str = "\
.card{fill:#ffffff}.text{fill:#1f2328}.soft{fill:#59636e}.grid{stroke:#d9dee4}\
.peer{stroke:#1f2328}.one{fill:#2b6cb0}.bulk{fill:#dd8b2e}\
@media(prefers-color-scheme:dark){\
.card{fill:#0d1117}.text{fill:#f0f6fc}.soft{fill:#9198a1}.grid{stroke:#2a313a}\
.peer{stroke:#f0f6fc}.one{fill:#58a6ff}.bulk{fill:#e3a34f}}";

/// Returns the chart of all rows with something to compare.
pub fn svg(rows: &[Comparison]) -> String {
    let rows: Vec<_> = rows
        .iter()
        .filter(|row| row.to_best_peer(OURS).is_some())
        .collect();
    let axis = Axis::of(&rows);
    let bottom = TOP + STEP * rows.len() as f64;
    let mut svg = frame(bottom + 34.0);
    axis.draw(&mut svg, bottom);
    for (at, row) in rows.into_iter().enumerate() {
        draw_row(&mut svg, &axis, row, TOP + STEP * at as f64);
    }
    svg + "</svg>\n"
}

/// The range of the axis, in halvings and doublings.
struct Axis {
    halvings: f64,
    doublings: f64,
}

/// The end of the axis; a longer bar is drawn with an open end.
const MOST: f64 = 5.0;

impl Axis {
    fn of(rows: &[&Comparison]) -> Self {
        let of = |row: &&Comparison| [OURS, BULK].map(|name| row.to_best_peer(name));
        let ratios = || rows.iter().flat_map(of).flatten();
        let least = ratios().map(|ratio| -ratio.log2()).fold(1.0, f64::max);
        let most = ratios().map(f64::log2).fold(2.0, f64::max);
        Self {
            halvings: least.ceil().min(MOST),
            doublings: most.ceil().min(MOST),
        }
    }

    /// Returns the position of a ratio, clamped to the axis.
    fn x(&self, ratio: f64) -> f64 {
        let doubling = (RIGHT - LEFT - 2.0 * MARGIN) / (self.halvings + self.doublings);
        let doublings = ratio.log2().clamp(-self.halvings, self.doublings);
        LEFT + MARGIN + doubling * (self.halvings + doublings)
    }

    /// Draws a line for each doubling, with labels above and below.
    fn draw(&self, svg: &mut String, bottom: f64) {
        for power in -self.halvings as i32..=self.doublings as i32 {
            let x = self.x(2f64.powi(power));
            let (class, width) = if power == 0 {
                ("peer", 1.5)
            } else {
                ("grid", 1.0)
            };
            line(svg, class, width, (x, TOP - 8.0), (x, bottom + 2.0));
            let name = match power {
                negative if negative < 0 => format!("1/{}", 1 << -negative),
                positive => format!("{}×", 1 << positive),
            };
            text(svg, "soft", "middle", (x, TOP - 14.0), 11, &name);
            text(svg, "soft", "middle", (x, bottom + 17.0), 11, &name);
        }
        let (less, more) = (self.x(1.0) - 6.0, self.x(1.0) + 6.0);
        text(
            svg,
            "text",
            "end",
            (less, TOP - 30.0),
            11,
            "← ecs takes less",
        );
        text(
            svg,
            "text",
            "start",
            (more, TOP - 30.0),
            11,
            "ecs takes more →",
        );
    }
}

/// Returns the card, the title, the legend and the column headings.
fn frame(height: f64) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         width=\"{WIDTH}\" height=\"{height}\" role=\"img\" \
         font-family=\"system-ui,-apple-system,Segoe UI,Helvetica,Arial,sans-serif\">\n\
         <title>ecs beside the best of its peers, row by row</title>\n\
         <style>{STYLE}</style>\n\
         <rect class=\"card\" width=\"{WIDTH}\" height=\"{height}\" rx=\"8\"/>\n"
    );
    let title = "Time or memory of ecs, by that of the best peer in each row (1×)";
    text(&mut svg, "text", "start", (24.0, 34.0), 17, title);
    for (x, class, name) in [
        (24.0, "one", "ecs: calls for one entity, query by item"),
        (322.0, "bulk", "ecs bulk: calls for many, query by slices"),
    ] {
        bar(&mut svg, class, (x, 53.0), 14.0);
        text(&mut svg, "text", "start", (x + 20.0, 62.0), 12, name);
    }
    text(
        &mut svg,
        "soft",
        "start",
        (RIGHT + 12.0, TOP - 14.0),
        11,
        "the best peer",
    );
    svg
}

fn draw_row(svg: &mut String, axis: &Axis, row: &Comparison, top: f64) {
    let middle = top + STEP / 2.0;
    let id = format!("{:?}", row.row.id);
    text(svg, "text", "start", (24.0, middle + 1.0), 12, &id);
    text(svg, "soft", "start", (72.0, middle + 1.0), 12, row.row.name);
    if let Some((name, best)) = row.best_peer() {
        let peer = format!("{name} {} {}", figure(best), row.unit());
        text(
            svg,
            "soft",
            "start",
            (RIGHT + 12.0, middle + 1.0),
            12,
            &peer,
        );
    }
    let bars = [("one", OURS), ("bulk", BULK)];
    let bars = bars.map(|(class, name)| Some((class, row.to_best_peer(name)?)));
    let bars: Vec<_> = bars.into_iter().flatten().collect();
    let first = middle - 3.0 - BAR / 2.0 * bars.len() as f64;
    for (at, (class, ratio)) in bars.into_iter().enumerate() {
        draw_bar(svg, axis, class, ratio, first + (BAR + 1.0) * at as f64);
    }
}

/// Draws a bar from the line of the best peer to a ratio, which is written at its end.
fn draw_bar(svg: &mut String, axis: &Axis, class: &str, ratio: f64, top: f64) {
    let (from, to) = (axis.x(1.0), axis.x(ratio));
    bar(svg, class, (from.min(to), top), (to - from).abs());
    let (anchor, x) = if to < from {
        ("end", to - 4.0)
    } else {
        ("start", to + 4.0)
    };
    let open = if ratio.log2().abs() > MOST { "›" } else { "" };
    let ratio = format!("{open}{}×", figure(ratio));
    text(svg, "text", anchor, (x, top + BAR - 1.5), 10, &ratio);
}

fn bar(svg: &mut String, class: &str, (x, y): (f64, f64), width: f64) {
    let rect = format!("<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\"");
    writeln!(svg, "{rect} width=\"{width:.1}\" height=\"{BAR}\"/>").expect("a string takes all");
}

fn line(svg: &mut String, class: &str, width: f64, from: (f64, f64), to: (f64, f64)) {
    let ((x1, y1), (x2, y2)) = (from, to);
    let ends = format!("x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"");
    writeln!(
        svg,
        "<line class=\"{class}\" stroke-width=\"{width}\" {ends}/>"
    )
    .expect("a string takes all");
}

fn text(svg: &mut String, class: &str, anchor: &str, at: (f64, f64), size: u32, text: &str) {
    let (x, y) = at;
    let place = format!("x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\"");
    writeln!(svg, "<text class=\"{class}\" {place}>{text}</text>").expect("a string takes all");
}
