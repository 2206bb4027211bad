//! How the allocator is set: rows in which lists of megabytes are made and dropped take up to three
//! times as long where it gives their memory back to the operating system each time.

use std::env;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// What the settings are, for a table.
pub const SETTINGS: &str = "glibc's allocator, which keeps freed memory below 1 GB and maps blocks \
                            from 32 MB on";

/// The same settings as environment variables, which glibc reads when a program starts.
const VARIABLES: [(&str, &str); 2] = [
    ("MALLOC_TRIM_THRESHOLD_", "1000000000"),
    ("MALLOC_MMAP_THRESHOLD_", "33554432"),
];

/// Starts this program once more with these settings, unless it has them.
///
/// # Panics
///
/// Panics if the program cannot be started.
pub fn keep_memory() {
    if VARIABLES
        .iter()
        .all(|(name, value)| env::var(name).as_deref() == Ok(*value))
    {
        return;
    }
    let program = env::current_exe().expect("the path of this program");
    let mut again = Command::new(program);
    let error = again.args(env::args_os().skip(1)).envs(VARIABLES).exec();
    panic!("this program cannot be started: {error}");
}

/// Takes the settings from a program that is started: memory is measured as the allocator is by itself.
pub fn unset(program: &mut Command) -> &mut Command {
    for (name, _) in VARIABLES {
        program.env_remove(name);
    }
    program
}
