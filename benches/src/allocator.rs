//! The settings of the allocator. Rows that create and drop lists of megabytes take up to three times as
//! long if it returns their memory to the operating system each time.

use std::env;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// A description of the settings, for a table.
pub const SETTINGS: &str = "glibc's allocator, which keeps freed memory below 1 GB and maps blocks \
                            from 32 MB on";

/// The same settings as environment variables, which glibc reads when a program starts.
const VARIABLES: [(&str, &str); 2] = [
    ("MALLOC_TRIM_THRESHOLD_", "1000000000"),
    ("MALLOC_MMAP_THRESHOLD_", "33554432"),
];

/// Restarts this program with these settings, unless it already has them.
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

/// Removes the settings from a program to start: memory is measured with the default allocator.
pub fn unset(program: &mut Command) -> &mut Command {
    for (name, _) in VARIABLES {
        program.env_remove(name);
    }
    program
}
