//! The output of the programs: figures in cells, and text between markers in a document.

use std::process::Command;

/// The document that explains the results.
const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../BENCHMARKS.md");

/// The folder of the result documents.
const RESULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/results");

/// Writes a text to the result document with this name, between the markers `<!-- name -->` and
/// `<!-- /name -->`.
///
/// # Panics
///
/// Panics if the document cannot be read or written, or lacks the markers.
pub fn write(name: &str, text: &str) {
    write_section(name, name, text);
}

/// Writes a text to a result document, between the markers of a section.
///
/// # Panics
///
/// Panics like [`write`].
pub fn write_section(document: &str, section: &str, text: &str) {
    write_into(&format!("{RESULTS}/{document}.md"), section, text);
}

/// Writes the table of `BENCHMARKS.md`.
///
/// # Panics
///
/// Panics like [`write`].
pub fn show(text: &str) {
    write_into(DOCUMENT, "table", text);
}

fn write_into(file: &str, name: &str, text: &str) {
    let document = std::fs::read_to_string(file);
    let document = document.unwrap_or_else(|error| panic!("{file} cannot be read: {error}"));
    let document = between_marks(&document, name, text)
        .unwrap_or_else(|| panic!("{file} lacks the marks of `{name}`"));
    let written = std::fs::write(file, document);
    written.unwrap_or_else(|error| panic!("{file} cannot be written: {error}"));
}

/// Returns the document with the text between the markers replaced.
pub fn between_marks(document: &str, name: &str, text: &str) -> Option<String> {
    let (start, end) = (format!("<!-- {name} -->"), format!("<!-- /{name} -->"));
    let (before, rest) = document.split_once(&start)?;
    let (_, after) = rest.split_once(&end)?;
    let text = text.trim_end();
    Some(format!("{before}{start}\n\n{text}\n\n{end}{after}"))
}

/// Formats a figure with three significant digits.
pub fn figure(figure: f64) -> String {
    match figure {
        small if small < 9.995 => format!("{small:.2}"),
        middle if middle < 99.95 => format!("{middle:.1}"),
        large => format!("{large:.0}"),
    }
}

/// Formats a cell of a table: a figure with its unit, or a dash.
pub fn cell(value: Option<f64>, unit: &str) -> String {
    let text = value.map_or("–".into(), |value| figure(value) + unit);
    format!(" {text} |")
}

/// Returns the line under the heading of a table with these numbers of text and figure columns.
pub fn rule(texts: usize, figures: usize) -> String {
    format!("|{}{}\n", " --- |".repeat(texts), " ---: |".repeat(figures))
}

/// Returns the machine, the compiler and the date of the measurements.
pub fn machine() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    let model = model.map_or("unknown CPU", |rest| {
        rest.trim_start_matches([' ', '\t', ':'])
    });
    let (rustc, date) = (output("rustc", &["--version"]), output("date", &["-I"]));
    format!("{model}, {rustc}, {date}")
}

/// Returns the cargo profile of this program, taken from its folder.
pub fn profile() -> String {
    let program = std::env::current_exe().expect("the path of this program");
    let folder = program.parent().and_then(|folder| folder.file_name());
    let folder = folder.map(|name| name.to_string_lossy().into_owned());
    folder.unwrap_or_default()
}

fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let text = output.map_or(Vec::new(), |output| output.stdout);
    String::from_utf8_lossy(&text).trim().into()
}
