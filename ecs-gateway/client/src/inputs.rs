//! The inputs of a client in a room, and their numbers.
//!
//! A client numbers its inputs 1, 2, 3, … for as long as it wants to be in the room. Gateways have numbers of their own:
//!
//! ```text
//! own number          5   7  │  8   9  10 …       6 had an outcome when this gateway was joined
//! gateway's number   b+1 b+2 │ b+3 b+4 b+5 …      b: `base`, the last one that the gateway had by then
//!                    `again` │  `after` = 7
//! ```

use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub(crate) struct Inputs {
    /// Whether a gateway was joined, so that `base`, `again` and `after` say something.
    joined: bool,
    /// The number of the last one.
    last: u64,
    /// Those without an outcome, as bytes.
    open: BTreeMap<u64, Vec<u8>>,
    base: u64,
    again: Vec<u64>,
    after: u64,
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

    pub(crate) fn last(&self) -> u64 {
        self.last
    }

    /// How many have no outcome.
    pub(crate) fn open(&self) -> usize {
        self.open.len()
    }

    /// Returns the gateway's number and the bytes of an input without an outcome.
    pub(crate) fn packet(&self, number: u64) -> Option<(u64, &[u8])> {
        let bytes = self.open.get(&number)?;
        Some((self.to_gateway(number), bytes))
    }

    /// The gateway's number of an own one, of the last gateway that was joined.
    fn to_gateway(&self, number: u64) -> u64 {
        let again = match number > self.after {
            true => self.again.len() as u64 + number - self.after,
            false => self.again.partition_point(|it| *it <= number) as u64,
        };
        self.base + again
    }

    /// The own number of a gateway's one, if this client has sent it.
    fn of_gateway(&self, number: u64) -> Option<u64> {
        let place = number.checked_sub(self.base + 1)?;
        let repeated = self.again.len() as u64;
        let number = match place < repeated {
            true => self.again[place as usize],
            false => self.after + (place - repeated + 1),
        };
        (number <= self.last).then_some(number)
    }

    /// A gateway that has `inputs` was joined. Returns the numbers of those to send, and of those whose outcome nothing
    /// will tell.
    pub(crate) fn join(&mut self, inputs: u64) -> (Vec<u64>, Vec<u64>) {
        // The same gateway has at least those of which something was heard, and at most those that were sent.
        let heard = self.done.keys().last().copied().unwrap_or_default();
        let (least, last) = (heard.max(self.shown), self.last);
        if std::mem::replace(&mut self.joined, true)
            && (self.to_gateway(least)..=self.to_gateway(last)).contains(&inputs)
        {
            let again = self.open.keys().copied();
            let again = again.filter(|it| self.to_gateway(*it) > inputs);
            return (again.collect(), Vec::new());
        }
        // Another gateway, or its seat is gone. What was shown was played, so it must not be sent again.
        let again = self.open.split_off(&(self.shown + 1));
        let unknown = std::mem::replace(&mut self.open, again);
        self.again = self.open.keys().copied().collect();
        (self.base, self.after) = (inputs, last);
        (self.again.clone(), unknown.into_keys().collect())
    }

    /// An input of a gateway's number has an outcome; the tick is 0 if it was rejected. Returns the own number, unless
    /// it has been reported before.
    pub(crate) fn finish(&mut self, number: u64, tick: u64) -> Option<u64> {
        let number = self.of_gateway(number)?;
        let is_open = self.open.remove(&number).is_some();
        if !is_open && (tick > 0 || self.done.get(&number) == Some(&0)) {
            return None; // else it was played, and is lost now
        }
        if number > self.shown {
            self.done.insert(number, tick);
        }
        Some(number)
    }

    /// A delta shows a tick, and all inputs up to a gateway's number. Returns the own number up to which it does.
    pub(crate) fn show(&mut self, tick: u64, number: u64) -> u64 {
        let shown = self.of_gateway(number).unwrap_or_default();
        self.shown = self.shown.max(shown);
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

    /// Whether one up to a number has no outcome.
    pub(crate) fn has_open(&self, last: u64) -> bool {
        self.open.range(..=last).next().is_some()
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
        assert_eq!(inputs.join(0), (vec![], vec![]));
        (1..=count).for_each(|it| assert_eq!(inputs.push(vec![it as u8]), it));
        inputs
    }

    #[test]
    fn the_same_gateway_gets_what_it_has_not() {
        let mut inputs = of(6);
        assert_eq!(inputs.finish(1, 10), Some(1));
        assert_eq!(inputs.join(4), (vec![5, 6], vec![]));
        assert_eq!(inputs.packet(5), Some((5, &[5][..])));
        assert_eq!(inputs.join(6), (vec![], vec![]));
    }

    #[test]
    fn another_gateway_gets_all_without_an_outcome_under_its_own_numbers() {
        let mut inputs = of(4);
        for (number, tick) in [(1, 10), (3, 11)] {
            inputs.finish(number, tick);
        }
        assert_eq!(inputs.join(0), (vec![2, 4], vec![]));
        inputs.push(vec![9]);
        let packets = [2, 4, 5].map(|it| inputs.packet(it).unwrap().0);
        assert_eq!(packets, [1, 2, 3]);
        assert_eq!(
            (inputs.finish(1, 20), inputs.finish(3, 21)),
            (Some(2), Some(5))
        );
        assert_eq!((inputs.finish(0, 1), inputs.finish(4, 1)), (None, None));
        assert_eq!((inputs.show(19, 0), inputs.show(20, 0)), (1, 3));
        assert_eq!(inputs.show(21, 2), 5);
        // More than was sent: the gateway has a seat of an earlier visit.
        assert_eq!(inputs.join(50), (vec![], vec![4]));
        assert_eq!(inputs.push(vec![1]), 6);
        assert_eq!(inputs.packet(6).unwrap().0, 51);
    }

    #[test]
    fn numbers_of_an_earlier_run_are_not_own_ones() {
        let mut inputs = Inputs::default();
        inputs.push(vec![1]);
        assert_eq!(inputs.join(40), (vec![1], vec![]));
        assert_eq!((inputs.show(5, 40), inputs.show(5, 41)), (0, 1));
        assert_eq!(inputs.finish(40, 5), None);
        let mut inputs = Inputs::default();
        inputs.push(vec![1]);
        assert_eq!(inputs.join(1), (vec![1], vec![])); // not the one that the gateway has
    }

    #[test]
    fn what_was_shown_is_not_sent_to_another_gateway() {
        let mut inputs = of(3);
        assert_eq!(inputs.show(7, 2), 2);
        assert_eq!(inputs.join(0), (vec![3], vec![1, 2]));
        inputs.finish(1, 9);
        assert_eq!(inputs.clear(), [0; 0]);
        assert_eq!(inputs.push(vec![]), 1);
    }

    #[test]
    fn a_gateway_without_an_input_that_has_an_outcome_is_another_one() {
        let mut inputs = of(3);
        inputs.finish(2, 7);
        assert_eq!(inputs.join(0), (vec![1, 3], vec![]));
        assert_eq!(inputs.packet(3), Some((2, &[3][..])));
    }

    #[test]
    fn outcomes_that_come_again_are_not_reported_again() {
        let mut inputs = of(3);
        assert_eq!(inputs.finish(1, 7), Some(1));
        assert_eq!(inputs.finish(2, 0), Some(2));
        assert_eq!(inputs.join(3), (vec![], vec![]));
        assert_eq!((inputs.finish(1, 7), inputs.finish(2, 0)), (None, None));
        assert_eq!(inputs.finish(3, 8), Some(3));
        assert_eq!(inputs.finish(1, 0), Some(1), "its tick is lost");
    }
}
