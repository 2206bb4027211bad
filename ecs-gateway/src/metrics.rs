//! Counters, as the text that Prometheus reads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

macro_rules! counters {
    ($($name:ident $kind:literal $text:literal,)*) => {
        #[derive(Debug, Default)]
        pub(crate) struct Metrics {
            $(pub(crate) $name: Counter,)*
        }

        impl Metrics {
            pub(crate) fn to_prometheus(&self) -> String {
                let mut text = String::new();
                $(
                    let (name, value) = (concat!("gateway_", stringify!($name)), self.$name.get());
                    text += &format!(concat!("# HELP {} ", $text, "\n# TYPE {} ", $kind, "\n{} {}\n"), name, name, name, value);
                )*
                text
            }
        }
    };
}

counters! {
    connections "gauge" "Open connections.",
    connections_total "counter" "Connections that were accepted.",
    connections_rejected_total "counter" "Connections beyond the limits, or of other origins.",
    users "gauge" "Users who are connected or may come back to their rooms.",
    rooms "gauge" "Rooms that are shown.",
    rooms_inspected "gauge" "Rooms that are inspected.",
    messages_received_total "counter" "Messages of clients.",
    bytes_received_total "counter" "Bytes of messages of clients.",
    messages_sent_total "counter" "Messages to clients.",
    bytes_sent_total "counter" "Bytes of messages to clients.",
    inputs_total "counter" "Inputs that were passed on to rooms.",
    inputs_rejected_total "counter" "Inputs that rooms have rejected.",
    deltas_total "counter" "Deltas that were sent.",
    deltas_held_total "counter" "Deltas that were not made because a client reads too slowly.",
    delta_microseconds_total "counter" "Time to make deltas.",
    slowed_total "counter" "Waits because a client sends too much.",
    ended_malformed_total "counter" "Connections that ended because of a message that is malformed or too long.",
    ended_rejected_total "counter" "Connections that ended because the greeting was rejected.",
    ended_silent_total "counter" "Connections that ended because the client was silent or in no room for too long.",
    ended_slow_total "counter" "Connections that ended because the client reads too slowly.",
    ended_limit_total "counter" "Connections that ended because of too many inputs without an outcome.",
    ended_taken_over_total "counter" "Connections that ended because the same user has connected again.",
    ended_kicked_total "counter" "Connections that were kicked.",
}

#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self, number: u64) {
        self.0.fetch_add(number, Ordering::Relaxed);
    }

    pub(crate) fn remove(&self, number: u64) {
        self.0.fetch_sub(number, Ordering::Relaxed);
    }

    pub(crate) fn add_micros(&self, time: Duration) {
        self.add(time.as_micros() as u64);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
