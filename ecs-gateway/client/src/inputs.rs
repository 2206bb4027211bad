//! The inputs of a client in a room.
//!
//! Their numbers, 1, 2, 3, …, and the connection that they belong to stay the same for as long as the client wants to be in
//! the room, whichever gateway passes them on. So the room plays each once, however many times it is sent.

use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub(crate) struct Inputs {
    /// The connection of the player; 0 before the first gateway has made one.
    connection: u64,
    /// The number of the last one, and of the last one that was sent.
    last: u64,
    sent: u64,
    /// Those without an outcome, as bytes.
    open: BTreeMap<u64, Vec<u8>>,
    /// Up to which number the effects were shown.
    shown: u64,
    /// The ticks of those with an outcome that were not shown; 0 for rejected ones.
    done: BTreeMap<u64, u64>,
}

impl Inputs {
    pub(crate) fn push(&mut self, bytes: Vec<u8>) -> u64 {
        self.last += 1;
        self.open.insert(self.last, bytes);
        self.last
    }

    /// How many have no outcome.
    pub(crate) fn open(&self) -> usize {
        self.open.len()
    }

    /// Returns the bytes of an input without an outcome, which are sent now.
    pub(crate) fn send(&mut self, number: u64) -> Option<Vec<u8>> {
        let bytes = self.open.get(&number)?;
        self.sent = self.sent.max(number);
        Some(bytes.clone())
    }

    /// What a gateway that is joined has to know: the connection, up to which number all outcomes are known, and the
    /// number of the last input that was sent.
    pub(crate) fn place(&self) -> (u64, u64, u64) {
        let first = self.open.first_key_value();
        let known = first.map_or(self.last, |(first, _)| first - 1);
        (self.connection, known, self.sent)
    }

    /// A gateway was joined that has inputs up to this one. Returns the numbers of those to send.
    pub(crate) fn join(&mut self, connection: u64, inputs: u64) -> Vec<u64> {
        self.connection = connection;
        let again = self.open.keys().copied();
        again.filter(|number| *number > inputs).collect()
    }

    /// An input has an outcome; the tick is 0 if it was rejected. Returns whether it was not reported before.
    pub(crate) fn finish(&mut self, number: u64, tick: u64) -> bool {
        let is_open = self.open.remove(&number).is_some();
        let is_known = !is_open && (tick > 0 || self.done.get(&number) == Some(&0));
        if is_known || number > self.last {
            return false; // else it was played, and is lost now
        }
        if number > self.shown {
            self.done.insert(number, tick);
        }
        true
    }

    /// A delta shows a tick, and all inputs up to a number. Returns up to which number it does.
    pub(crate) fn show(&mut self, tick: u64, number: u64) -> u64 {
        self.shown = self.shown.max(number.min(self.last));
        self.done = self.done.split_off(&(self.shown + 1));
        while let Some(first) = self.done.first_entry()
            && *first.key() == self.shown + 1
            && *first.get() <= tick
        {
            self.shown = *first.key();
            first.remove();
        }
        self.shown
    }

    /// The room does not know the connection. Returns the numbers of those of which nothing more will be heard.
    pub(crate) fn disconnect(&mut self) -> Vec<u64> {
        self.connection = 0;
        let unsent = self.open.split_off(&(self.sent + 1));
        std::mem::replace(&mut self.open, unsent)
            .into_keys()
            .collect()
    }

    /// Forgets all, and begins with 1 again. Returns the numbers of those without an outcome.
    pub(crate) fn clear(&mut self) -> Vec<u64> {
        std::mem::take(self).open.into_keys().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(count: u64) -> Inputs {
        let mut inputs = Inputs::default();
        assert!(inputs.join(9, 0).is_empty());
        (1..=count).for_each(|it| assert_eq!(inputs.push(vec![it as u8]), it));
        (1..=count).for_each(|it| assert_eq!(inputs.send(it), Some(vec![it as u8])));
        inputs
    }

    #[test]
    fn a_gateway_gets_what_it_has_not_under_the_same_numbers() {
        let mut inputs = of(6);
        assert!(inputs.finish(1, 10) && inputs.finish(4, 11));
        assert_eq!(inputs.place(), (9, 1, 6));
        assert_eq!(inputs.join(9, 4), [5, 6], "the same one");
        assert_eq!(inputs.join(9, 1), [2, 3, 5, 6], "another one");
        assert_eq!((inputs.push(vec![7]), inputs.place().2), (7, 6));
    }

    #[test]
    fn what_the_first_gateway_has_shown_counts_with_the_next_one() {
        let mut inputs = of(4);
        assert_eq!(inputs.show(10, 1), 1);
        assert!(inputs.finish(2, 11) && inputs.finish(3, 12));
        inputs.join(9, 3);
        assert_eq!((inputs.show(11, 0), inputs.show(12, 0)), (2, 3));
        assert_eq!((inputs.show(13, 4), inputs.show(14, 90)), (4, 4));
    }

    #[test]
    fn after_the_connection_is_forgotten_only_what_was_not_sent_is_sent() {
        let mut inputs = of(3);
        inputs.finish(2, 7);
        inputs.push(vec![4]);
        assert_eq!(inputs.disconnect(), [1, 3]);
        assert_eq!(inputs.place(), (0, 3, 3));
        assert_eq!(inputs.join(20, 3), [4]);
    }

    #[test]
    fn outcomes_that_come_again_are_not_reported_again() {
        let mut inputs = of(3);
        assert!(inputs.finish(1, 7) && inputs.finish(2, 0));
        assert!(!inputs.finish(1, 7) && !inputs.finish(2, 0) && !inputs.finish(4, 7));
        assert!(inputs.finish(3, 8));
        assert!(inputs.finish(1, 0), "its tick is lost");
        assert_eq!((inputs.clear(), inputs.push(vec![])), (vec![], 1));
    }
}
