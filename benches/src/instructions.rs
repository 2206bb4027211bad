//! Counts the instructions that a process executes with callgrind, and among them conditional branches
//! and shifts, which compete for the same few ports of the CPU.
//!
//! callgrind reports how often each address was executed, `objdump` which instruction is there. Code
//! outside the program file (in the C library) counts as instructions, but not as branches or shifts.

use std::collections::HashMap;
use std::ops::Sub;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

/// The numbers of executed instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Instructions.
    pub instructions: i64,
    /// Conditional branches among them.
    pub branches: i64,
    /// Shifts, rotations and instructions on single bits among them.
    pub shifts: i64,
}

impl Sub for Counts {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            instructions: self.instructions - other.instructions,
            branches: self.branches - other.branches,
            shifts: self.shifts - other.shifts,
        }
    }
}

/// A kind of instruction that is counted separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    /// A conditional branch.
    Branch,
    /// A shift, a rotation, or an instruction on a single bit.
    Shift,
}

/// The shifts, rotations and bit instructions of x86-64.
const SHIFTS: [&str; 22] = [
    "shl", "shr", "sal", "sar", "shld", "shrd", "shlx", "shrx", "sarx", "rol", "ror", "rorx",
    "rcl", "rcr", "bt", "btc", "btr", "bts", "bsf", "bsr", "tzcnt", "popcnt",
];

impl Special {
    fn of(mnemonic: &str) -> Option<Self> {
        match mnemonic {
            jump if jump.starts_with('j') && jump != "jmp" => Some(Self::Branch),
            shift if SHIFTS.contains(&shift) => Some(Self::Shift),
            _ => None,
        }
    }
}

/// The special instructions of this program by address.
static SPECIALS: LazyLock<HashMap<u64, Special>> = LazyLock::new(|| {
    let output = Command::new("objdump")
        .args(["--disassemble", "--no-show-raw-insn", "-M", "intel"])
        .arg(program())
        .output();
    specials(&text_of(
        output.expect("objdump, of binutils, is installed"),
    ))
});

/// Parses the special instructions in the output of `objdump`: `  1a2b:\tshl    rax,0x3`.
pub fn specials(disassembly: &str) -> HashMap<u64, Special> {
    let line = |line: &str| {
        let (address, instruction) = line.split_once(":\t")?;
        let special = Special::of(instruction.split_whitespace().next()?)?;
        Some((u64::from_str_radix(address.trim(), 16).ok()?, special))
    };
    disassembly.lines().filter_map(line).collect()
}

/// Counts a process of this program with these arguments.
///
/// # Panics
///
/// Panics if valgrind or objdump is not installed, or if the process fails.
pub fn executed(arguments: &[&str]) -> Counts {
    let profile = std::env::temp_dir().join(format!("callgrind.{}", std::process::id()));
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--dump-instr=yes", "--dump-line=no"])
        .args(["--compress-strings=no", "--compress-pos=no"])
        .arg(format!("--callgrind-out-file={}", profile.display()))
        .arg(program())
        .args(arguments)
        .output();
    text_of(output.expect("valgrind is installed"));
    let text = std::fs::read_to_string(&profile).expect("callgrind has written its profile");
    std::fs::remove_file(&profile).expect("the profile can be removed");
    sum(&text, &program(), &SPECIALS)
}

/// Sums a profile of callgrind. Skips the line after `calls=`, the cost of the call, whose instructions
/// also have separate lines.
pub fn sum(profile: &str, program: &Path, specials: &HashMap<u64, Special>) -> Counts {
    let (mut counts, mut is_ours, mut is_call) = (Counts::default(), false, false);
    for line in profile.lines() {
        if let Some(object) = line.strip_prefix("ob=") {
            is_ours = Path::new(object) == program;
        } else if line.starts_with("calls=") {
            is_call = true;
        } else if line.starts_with("0x") && !std::mem::take(&mut is_call) {
            let (address, times) = cost(line).expect("an address and a number");
            counts.instructions += times;
            match specials.get(&address).filter(|_| is_ours) {
                Some(Special::Branch) => counts.branches += times,
                Some(Special::Shift) => counts.shifts += times,
                None => {}
            }
        }
    }
    counts
}

/// Parses an address and how often it was executed: `0x1a2b 4096`.
fn cost(line: &str) -> Option<(u64, i64)> {
    let (address, times) = line.strip_prefix("0x")?.split_once(' ')?;
    let address = u64::from_str_radix(address, 16).ok()?;
    Some((address, times.trim().parse().ok()?))
}

fn program() -> PathBuf {
    std::env::current_exe().expect("the path of this program")
}

fn text_of(output: Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
