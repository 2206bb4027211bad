//! A room that remembers all inputs.

use std::error::Error;

use serde::{Deserialize, Serialize};

use crate::core::wire;
use crate::room::Room;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Tally {
    seed: u64,
    ticks: u64,
    pub(crate) inputs: Vec<(u64, u64)>,
    sum: u64,
}

fn mix(sum: u64, value: u64) -> u64 {
    let mixed = (sum ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 31)
}

impl Room for Tally {
    type Input = u64;

    fn new(seed: u64) -> Self {
        Self {
            seed,
            sum: mix(1, seed),
            ..Self::default()
        }
    }

    fn load(bytes: &[u8]) -> Result<Self, Box<dyn Error>> {
        Ok(postcard::from_bytes(bytes)?)
    }

    fn save(&mut self) -> Result<Vec<u8>, Box<dyn Error>> {
        // As a context whose collectors hold something after some ticks.
        if self.ticks.is_multiple_of(5) {
            return Err("not after this tick".into());
        }
        Ok(wire::write(self))
    }

    fn tick(&mut self, inputs: Vec<(u64, u64)>) {
        self.ticks += 1;
        self.sum = mix(self.sum, self.ticks);
        for (player, input) in inputs {
            self.sum = mix(mix(self.sum, player), input);
            self.inputs.push((player, input));
        }
    }

    fn checksum(&mut self) -> u64 {
        self.sum
    }

    fn delta(&mut self, everything: bool) -> Result<Vec<u8>, Box<dyn Error>> {
        Ok(vec![everything.into()])
    }
}
