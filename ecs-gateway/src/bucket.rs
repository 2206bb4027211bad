//! A token bucket, which limits how often something happens.

use std::time::Duration;

use tokio::time::Instant;

#[derive(Debug)]
pub(crate) struct Bucket {
    /// Per second.
    rate: f64,
    burst: f64,
    /// What is left; negative for what waits.
    left: f64,
    at: Instant,
}

impl Bucket {
    pub(crate) fn new(rate: f64, burst: f64) -> Self {
        Self {
            rate: rate.max(f64::MIN_POSITIVE),
            burst,
            left: burst,
            at: Instant::now(),
        }
    }

    /// Takes one. Returns how long to wait before it may happen.
    pub(crate) fn take(&mut self) -> Duration {
        let now = Instant::now();
        let gained = now.duration_since(self.at).as_secs_f64() * self.rate;
        self.left = (self.left + gained).min(self.burst) - 1.0;
        self.at = now;
        Duration::try_from_secs_f64(-self.left.min(0.0) / self.rate).unwrap_or(Duration::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_burst_is_free_and_the_rest_waits() {
        let mut bucket = Bucket::new(10.0, 3.0);
        let waits: Vec<_> = (0..5).map(|_| bucket.take().as_millis()).collect();
        assert_eq!(waits, [0, 0, 0, 100, 200]);
        tokio::time::advance(Duration::from_millis(300)).await;
        assert_eq!(bucket.take().as_millis(), 0);
    }
}
