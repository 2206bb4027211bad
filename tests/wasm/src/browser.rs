//! The program as a module of WebAssembly. `host.js` has the functions that it imports.

use std::panic;
use std::time::Duration;

use crate::Host;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// `performance.now`, in milliseconds.
    safe fn now() -> f64;
    /// A number of `crypto.getRandomValues`.
    safe fn random() -> u32;
    /// Takes text in UTF-8.
    fn write(start: *const u8, length: usize);
}

fn write_text(text: &str) {
    // SAFETY: the host only reads the text, before it returns.
    unsafe { write(text.as_ptr(), text.len()) }
}

// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
extern "C" fn run() {
    panic::set_hook(Box::new(|panic| write_text(&format!("{panic}\n"))));
    let host = Host {
        now: || Duration::from_secs_f64(now() / 1e3),
        random: || u64::from(random()) << 32 | u64::from(random()),
    };
    write_text(&crate::run(host));
}
