//! As many players as the machine carries, in rooms of one process.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::crowd::Crowd;
use crate::programs::{Process, build, free_port};
use crate::{Arguments, Failure};

/// How long it may take until all players see something.
const PATIENCE: Duration = Duration::from_secs(120);

/// Returns the memory of a process in bytes, and the processor time that it has used in seconds. Known on Linux only.
fn usage(process: u32) -> Option<(f64, f64)> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let memory = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let memory: f64 = memory.trim().trim_end_matches(" kB").parse().ok()?;
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<_> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
    Some((memory * 1024.0, (ticks(11)? + ticks(12)?) / 100.0))
}

fn at(sorted: &[f64], part: f64) -> f64 {
    let place = (sorted.len() as f64 * part) as usize;
    sorted
        .get(place.min(sorted.len().saturating_sub(1)))
        .copied()
        .unwrap_or(f64::NAN)
}

/// What a stretch of time has cost and shown.
struct Measured {
    seconds: f64,
    /// Milliseconds from inputs to the deltas that show them, sorted.
    delays: Vec<f64>,
    /// Seconds without a tick, of each player, sorted.
    silences: Vec<f64>,
    /// Bytes to all players, and from them.
    bytes: [u64; 2],
    /// The memory of the server, in bytes.
    memory: Option<f64>,
    /// Processors of the server and of the players.
    processors: [Option<f64>; 2],
}

impl Measured {
    fn new(crowd: &Crowd, server: u32, time: Duration) -> Self {
        let (_, _, _) = (crowd.delays(), crowd.bytes(), crowd.silences()); // those before
        let processes = [server, std::process::id()];
        let (start, began) = (Instant::now(), processes.map(usage));
        sleep(time);
        let (seconds, ended) = (start.elapsed().as_secs_f64(), processes.map(usage));
        let processors = |at: usize| Some((ended[at]?.1 - began[at]?.1) / seconds);
        Self {
            seconds,
            delays: crowd.delays(),
            silences: crowd.silences(),
            bytes: crowd.bytes(),
            memory: ended[0].map(|(memory, _)| memory),
            processors: [processors(0), processors(1)],
        }
    }

    /// `before`: the memory of the server without players.
    fn print(&self, clients: usize, before: Option<f64>) {
        let delay = |part| at(&self.delays, part);
        println!(
            "from input to view   {:.0} ms in the median, {:.0} ms for 99 of 100, {:.0} ms at most ({} inputs)",
            delay(0.5),
            delay(0.99),
            delay(1.0),
            self.delays.len()
        );
        let [median, most] = [0.5, 1.0].map(|part| at(&self.silences, part) * 1e3);
        println!(
            "without a tick       {median:.0} ms in the median of players, {most:.0} ms at most"
        );
        let each = |bytes: u64| bytes as f64 / self.seconds / clients as f64 / 1e3;
        let [down, up] = self.bytes.map(each);
        println!("bytes of a player    {down:.2} kB/s to it, {up:.2} kB/s from it");
        if let (Some(before), Some(memory)) = (before, self.memory) {
            let each = (memory - before) / clients as f64 / 1e3;
            let [before, memory] = [before, memory].map(|bytes| bytes / 1e6);
            println!(
                "memory               {before:.1} MB without players, {memory:.1} MB with them: {each:.0} kB for each, \
                 rooms included"
            );
        }
        if let [Some(server), Some(players)] = self.processors {
            println!("processors           {server:.2} of the server, {players:.2} of the players");
        }
    }
}

/// Returns whether no input was rejected, and no player was thrown out.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, Failure> {
    println!("Building the arena; the first time takes minutes.");
    let program = build("nats")?;
    let folder = std::env::temp_dir().join(format!("arena-load-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let (port, clients) = (free_port()?, arguments.clients);
    let number = port.to_string();
    let words = ["--port", &number, "--per-address", "100000"];
    let mut server = Process::start(&program, "arena", &words, &folder)?;
    server.until_it_serves(port)?;
    let before = usage(server.id()).map(|(memory, _)| memory);
    let Arguments { rooms, pace, .. } = *arguments;
    let crowd = Crowd::start(&format!("ws://127.0.0.1:{port}/ws"), clients, rooms, pace);
    crowd.until_all_see(PATIENCE)?;
    sleep(Duration::from_secs(2));
    println!("{clients} players in {rooms} rooms, an input each {pace:?} of every player");
    let time = Duration::from_secs(arguments.seconds);
    Measured::new(&crowd, server.id(), time).print(clients, before);

    let (lost_connections, still) = (crowd.lost_connections(), crowd.still());
    let records = crowd.stop();
    server.signal("TERM");
    server.wait()?;
    let rejected: usize = records.iter().map(|record| record.rejected.len()).sum();
    let mut troubles = server.failures();
    troubles.extend(records.into_iter().flat_map(|record| record.troubles));
    println!(
        "troubles             {rejected} inputs rejected, {lost_connections} connections lost, {still} players still at the \
         end, {} others",
        troubles.len()
    );
    let first = troubles.iter().take(5);
    first.for_each(|trouble| println!("  {trouble}"));
    let _ = std::fs::remove_dir_all(&folder);
    Ok(rejected + troubles.len() == 0)
}
