//! The command line.

use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use super::logic::{BoardSize, Settings};

/// The output of `--help`.
pub(crate) const HELP: &str = "\
Match One: take connected pieces of one kind, and the others fall.

usage: match_one [--width N] [--height N] [--seed N] [--headless [--turns N]] [--inspect]

  --width N    columns of the board, 2 to 40 (8)
  --height N   rows of the board, 2 to 40 (9)
  --seed N     seed of the random numbers (from the clock; 7 with --headless)
  --headless   plays by itself and prints boards as text
  --turns N    number of turns with --headless (200)
  --inspect    starts the inspector at http://127.0.0.1:7777, or at the address in the
               variable ECS_INSPECTOR; with --headless it plays about two turns a second
  --help       prints this help

keys: arrows move, space takes a piece, r lays a new board, b switches burst mode,
u undoes a turn, y redoes it, s saves the game to match_one.json, l loads it, q or
Ctrl-C quits. A click takes the piece under it. In burst mode all pieces around the
selected one are taken, whatever their kind.
";

const SIZES: RangeInclusive<u16> = 2..=40;

/// What the program should do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Help,
    Play(Settings, Inspect),
    PlayItself(Settings, u32, Inspect),
}

/// Whether to start the inspector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Inspect {
    #[default]
    No,
    Yes,
}

/// The options read so far.
#[derive(Default)]
struct Options {
    size: BoardSize,
    seed: Option<u64>,
    turns: Option<u32>,
    headless: bool,
    inspect: Inspect,
    help: bool,
}

/// Reads the arguments after the name of the program; the error is a message for the player.
pub(crate) fn read(arguments: impl Iterator<Item = String>) -> Result<Task, String> {
    let mut options = Options::default();
    let mut rest = arguments;
    while let Some(option) = rest.next() {
        options.read(&option, &mut rest)?;
    }
    options.task()
}

impl Options {
    fn read(
        &mut self,
        option: &str,
        rest: &mut impl Iterator<Item = String>,
    ) -> Result<(), String> {
        match option {
            "--width" => self.size.width = size(option, rest.next())?,
            "--height" => self.size.height = size(option, rest.next())?,
            "--seed" => self.seed = Some(number(option, rest.next())?),
            "--turns" => self.turns = Some(number(option, rest.next())?),
            "--headless" => self.headless = true,
            "--inspect" => self.inspect = Inspect::Yes,
            "--help" | "-h" => self.help = true,
            _ => return Err(format!("there is no option `{option}`")),
        }
        Ok(())
    }

    fn task(self) -> Result<Task, String> {
        let settings = |seed| Settings {
            size: self.size,
            seed,
            ..Settings::default()
        };
        match (self.help, self.headless, self.turns) {
            (true, ..) => Ok(Task::Help),
            (_, true, turns) => {
                let seed = self.seed.unwrap_or(Settings::default().seed);
                Ok(Task::PlayItself(
                    settings(seed),
                    turns.unwrap_or(200),
                    self.inspect,
                ))
            }
            (_, false, None) => {
                let seed = self.seed.unwrap_or_else(clock);
                Ok(Task::Play(settings(seed), self.inspect))
            }
            (_, false, Some(_)) => Err("`--turns` goes with `--headless`".to_owned()),
        }
    }
}

fn size(option: &str, value: Option<String>) -> Result<u16, String> {
    let size = number(option, value)?;
    match SIZES.contains(&size) {
        true => Ok(size),
        false => Err(format!(
            "`{option}` is from {} to {}, not {size}",
            SIZES.start(),
            SIZES.end()
        )),
    }
}

fn number<T: FromStr>(option: &str, value: Option<String>) -> Result<T, String> {
    let value = value.ok_or_else(|| format!("`{option}` needs a number"))?;
    let number = value.parse();
    number.map_err(|_| format!("`{option}` cannot be `{value}`: it must be a whole number"))
}

/// Returns a different seed each time.
fn clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_nanos() as u64)
}
