//! The command line: what to mutate.

use std::str::FromStr;
use std::time::{Duration, Instant};

use crate::files::Files;
use crate::find::{Mutant, mutants_of};

/// The default paths to mutate.
const ALL: [&str; 5] = [
    "ecs/src/storage",
    "ecs/src/matching",
    "ecs/src/reactions",
    "ecs/src/state",
    "ecs-derive/src",
];

/// The command line.
pub struct Arguments {
    files: Files,
    every: usize,
    /// Whether the mutants are only listed.
    pub list: bool,
    /// When to stop starting mutants.
    pub end: Option<Instant>,
    /// The words of which test names must contain one.
    pub by: String,
}

impl Arguments {
    /// Reads the command line.
    pub fn read() -> Result<Self, String> {
        let (mut files, mut every, mut by) = (Files::default(), 1, String::new());
        let (mut list, mut end) = (false, None);
        let mut words = std::env::args().skip(1);
        let mut is_all = true;
        while let Some(word) = words.next() {
            is_all &= word.starts_with("--");
            match word.as_str() {
                "--by" => by = value(&word, words.next())?,
                "--every" => every = value(&word, words.next())?,
                "--list" => list = true,
                "--minutes" => end = Some(in_minutes(value(&word, words.next())?)),
                option if option.starts_with("--") => return Err(unknown(option)),
                range if range.contains("..") => files.add_changed(range)?,
                path => files.add_below(path),
            }
        }
        if is_all {
            ALL.iter().for_each(|path| files.add_below(path));
        }
        Ok(Self {
            files,
            every,
            list,
            end,
            by,
        })
    }

    /// Returns the mutants of the selected lines.
    pub fn mutants(&self) -> Vec<Mutant> {
        let mut found = Vec::new();
        for (path, lines) in self.files.iter() {
            let wanted =
                |mutant: &Mutant| lines.as_ref().is_none_or(|it| it.contains(&mutant.line));
            found.extend(mutants_of(path).into_iter().filter(wanted));
        }
        found.into_iter().step_by(self.every).collect()
    }
}

fn in_minutes(minutes: u64) -> Instant {
    Instant::now() + Duration::from_secs(60 * minutes)
}

/// Returns the error for an unknown option.
fn unknown(option: &str) -> String {
    format!("unknown option `{option}`: there are --by, --every, --list and --minutes")
}

fn value<T: FromStr>(option: &str, value: Option<String>) -> Result<T, String> {
    let value = value.and_then(|value| value.parse().ok());
    value.ok_or_else(|| format!("{option} wants a value"))
}
