//! A network in which messages are late, lost and overtake each other, by a seed and in ticks.

/// A generator of random numbers.
#[derive(Clone)]
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }

    pub(crate) fn percent(&mut self, of: u64) -> bool {
        self.below(100) < of
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Quality {
    /// Ticks from one end to the other.
    pub lag: u64,
    /// So many ticks more, at random.
    pub jitter: u64,
    /// How many messages of a hundred are lost.
    pub loss: u64,
    /// How many of a hundred arrive twice.
    pub doubled: u64,
}

impl Quality {
    pub(crate) const fn steady(lag: u64) -> Self {
        let (jitter, loss, doubled) = (0, 0, 0);
        Self {
            lag,
            jitter,
            loss,
            doubled,
        }
    }
}

/// One direction.
pub(crate) struct Link<M> {
    pub quality: Quality,
    random: Random,
    under_way: Vec<(u64, M)>,
}

impl<M: Clone> Link<M> {
    pub(crate) fn new(quality: Quality, seed: u64) -> Self {
        let (random, under_way) = (Random(seed), Vec::new());
        Self {
            quality,
            random,
            under_way,
        }
    }

    pub(crate) fn send(&mut self, now: u64, message: M) {
        let copies = match () {
            () if self.random.percent(self.quality.loss) => 0,
            () if self.random.percent(self.quality.doubled) => 2,
            () => 1,
        };
        for _ in 0..copies {
            let late = self.random.below(self.quality.jitter + 1);
            let arrives = now + self.quality.lag + late;
            self.under_way.push((arrives, message.clone()));
        }
    }

    /// What has arrived, in order of arrival.
    pub(crate) fn arrived(&mut self, now: u64) -> Vec<M> {
        self.under_way.sort_by_key(|it| it.0); // stable
        let still = self.under_way.partition_point(|it| it.0 <= now);
        let arrived = self.under_way.drain(..still);
        arrived.map(|it| it.1).collect()
    }
}
