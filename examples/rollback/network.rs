//! The network between the peers: inputs are delayed, and may arrive out of order.

use super::random::Random;
use super::shooter::Input;

const SHORTEST: i32 = 2;
const LONGEST: i32 = 12;
/// The delay of inputs, as text.
pub(crate) const DELAYS: &str = "delayed by 2 to 12 frames";

/// The inputs that have been sent but have not arrived.
pub(crate) struct Network {
    random: Random,
    packets: Vec<Packet>,
}

struct Packet {
    arrives: usize,
    to: usize,
    frame: usize,
    input: Input,
}

impl Network {
    pub(crate) fn new(random: Random) -> Self {
        let packets = Vec::new();
        Self { random, packets }
    }

    /// Sends the input of a frame to a peer.
    pub(crate) fn send(&mut self, frame: usize, to: usize, input: Input) {
        let arrives = frame + self.random.between(SHORTEST, LONGEST) as usize;
        self.packets.push(Packet {
            arrives,
            to,
            frame,
            input,
        });
    }

    /// Returns the inputs that have arrived at a peer, each with its frame.
    pub(crate) fn arrived(&mut self, now: usize, to: usize) -> Vec<(usize, Input)> {
        let is_here = |packet: &mut Packet| packet.to == to && packet.arrives <= now;
        let here = self.packets.extract_if(.., is_here);
        here.map(|packet| (packet.frame, packet.input)).collect()
    }
}
