//! Plays all logs again, with the program of each version, and compares them with what players know.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use arena_rules::Input;
use serde_json::Value;

use crate::Failure;
use crate::crowd::{Record, number_of};

/// How often an input was played, by room, player and number.
type Played = BTreeMap<(String, u64, u32), u32>;

#[derive(Default)]
pub(crate) struct Verdict {
    pub(crate) ticks: u64,
    pub(crate) sent: u64,
    pub(crate) played: u64,
    /// Inputs that were played, as players were shown, and are in no log.
    pub(crate) lost: u64,
    pub(crate) doubled: u64,
    pub(crate) rejected: Vec<String>,
    /// Inputs that were rejected, as players were shown, and are in a log.
    pub(crate) wrong: u64,
    pub(crate) troubles: Vec<String>,
}

/// Has a program play the logs of its version again. Returns how many ticks had the checksum of the log.
fn replay(
    program: &Path,
    arguments: &[&str],
    rooms: &[String],
    played: &mut Played,
) -> Result<u64, Failure> {
    let mut command = Command::new(program);
    command.args(arguments);
    command.args(["--role", "verify", "--rooms", &rooms.join(",")]);
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err("the logs cannot be verified".into());
    }
    let mut ticks = 0;
    for line in String::from_utf8(output.stdout)?.lines() {
        let line: Value = serde_json::from_str(line)?;
        ticks += line["ticks"].as_u64().unwrap_or(0);
        let room = line["room"].as_str().unwrap_or_default();
        let inputs: Vec<(u64, Input)> = serde_json::from_value(line["inputs"].clone())?;
        for (player, input) in inputs {
            if let Input::Step(step) = input
                && step.aim.1 > 0
            {
                let input = (room.to_owned(), player, number_of(&step));
                *played.entry(input).or_default() += 1;
            }
        }
    }
    Ok(ticks)
}

impl Verdict {
    pub(crate) fn new(
        programs: &[&Path],
        arguments: &[&str],
        rooms: &[String],
        records: &[Record],
    ) -> Result<Self, Failure> {
        let mut verdict = Self::default();
        let mut played = Played::new();
        for program in programs {
            verdict.ticks += replay(program, arguments, rooms, &mut played)?;
        }
        for record in records {
            verdict.add(record, &played);
        }
        Ok(verdict)
    }

    fn add(&mut self, record: &Record, played: &Played) {
        let times = |number: u32| {
            let input = (record.room.clone(), record.player, number);
            played.get(&input).copied().unwrap_or(0)
        };
        self.sent += u64::from(record.sent);
        self.played += record.played.len() as u64;
        self.lost += record.played.iter().filter(|it| times(**it) == 0).count() as u64;
        let doubled = (1..=record.sent).filter(|it| times(*it) > 1);
        self.doubled += doubled.count() as u64;
        self.wrong += record.rejected.iter().filter(|it| times(it.0) > 0).count() as u64;
        let who = |text: &String| format!("player {} in {}: {text}", record.player, record.room);
        self.rejected
            .extend(record.rejected.iter().map(|(_, reason)| who(reason)));
        self.troubles.extend(record.troubles.iter().map(who));
    }

    pub(crate) fn is_right(&self) -> bool {
        self.lost + self.doubled + self.wrong == 0
            && self.rejected.is_empty()
            && self.troubles.is_empty()
    }

    pub(crate) fn print(&self) {
        let Self {
            ticks,
            sent,
            played,
            lost,
            doubled,
            wrong,
            ..
        } = self;
        println!("\nticks    {ticks} verified, each by a program of its version");
        println!(
            "inputs   {sent} sent, {played} known to be played, {} rejected, {lost} lost, {doubled} played twice, {wrong} \
             played although rejected",
            self.rejected.len()
        );
        println!("players  {} thrown out or in trouble", self.troubles.len());
        let lines = self.troubles.iter().chain(&self.rejected);
        lines.take(10).for_each(|line| println!("  {line}"));
    }
}
