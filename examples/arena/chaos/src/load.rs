//! As many players as the machine carries, in rooms of one process.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::crowd::Crowd;
use crate::programs::{Process, build, free_port};
use crate::{Arguments, Failure};

/// How long it may take until all players see something.
const PATIENCE: Duration = Duration::from_secs(120);

/// What Linux says of a process: its memory in bytes, and the seconds of processors that it has used.
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

/// Returns whether no input was rejected, and no player was thrown out.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, Failure> {
    println!("Building the arena; the first time takes minutes.");
    let program = build("nats")?;
    let folder = std::env::temp_dir().join(format!("arena-load-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let port = free_port()?;
    let number = port.to_string();
    let words = ["--port", &number, "--per-address", "100000"];
    let mut server = Process::start(&program, "arena", &words, &folder)?;
    server.until_it_serves(port)?;
    let before = usage(server.id());
    let Arguments {
        clients,
        rooms,
        pace,
        ..
    } = *arguments;
    let crowd = Crowd::start(&format!("ws://127.0.0.1:{port}/ws"), clients, rooms, pace);
    let start = Instant::now();
    while crowd.still() > 0 {
        if start.elapsed() > PATIENCE {
            return Err(format!("{} of {clients} players see nothing", crowd.still()).into());
        }
        sleep(Duration::from_millis(50));
    }
    println!("{clients} players in {rooms} rooms, an input each {pace:?} of every player");
    sleep(Duration::from_secs(2));
    let (_, _, _) = (crowd.delays(), crowd.bytes(), crowd.silences());
    let (began, own_began, start) = (
        usage(server.id()),
        usage(std::process::id()),
        Instant::now(),
    );
    sleep(Duration::from_secs(arguments.seconds));
    let seconds = start.elapsed().as_secs_f64();
    let (ended, own_ended) = (usage(server.id()), usage(std::process::id()));
    let (delays, [down, up], silences) = (crowd.delays(), crowd.bytes(), crowd.silences());
    let (lost_connections, still) = (crowd.lost_connections(), crowd.still());
    let records = crowd.stop();
    server.signal("TERM");
    server.wait()?;

    println!(
        "from input to view   {:.0} ms in the median, {:.0} ms for 99 of 100, {:.0} ms at most ({} inputs)",
        at(&delays, 0.5),
        at(&delays, 0.99),
        at(&delays, 1.0),
        delays.len()
    );
    println!(
        "without a tick       {:.0} ms in the median of players, {:.0} ms at most; {still} still at the end",
        at(&silences, 0.5) * 1e3,
        at(&silences, 1.0) * 1e3
    );
    let each = |bytes: u64| bytes as f64 / seconds / clients as f64 / 1e3;
    println!(
        "bytes of a player    {:.2} kB/s to it, {:.2} kB/s from it",
        each(down),
        each(up)
    );
    if let (Some(before), Some(began), Some(ended)) = (before, began, ended) {
        println!(
            "memory               {:.1} MB without players, {:.1} MB with them: {:.0} kB for each, rooms included",
            before.0 / 1e6,
            ended.0 / 1e6,
            (ended.0 - before.0) / clients as f64 / 1e3
        );
        println!(
            "processors           {:.2} of the server",
            (ended.1 - began.1) / seconds
        );
    }
    if let (Some(began), Some(ended)) = (own_began, own_ended) {
        println!(
            "                     {:.2} of the players",
            (ended.1 - began.1) / seconds
        );
    }
    let rejected: usize = records.iter().map(|record| record.rejected.len()).sum();
    let troubles: Vec<_> = records.iter().flat_map(|record| &record.troubles).collect();
    println!(
        "                     {rejected} inputs rejected, {lost_connections} connections lost, {} troubles",
        troubles.len()
    );
    troubles
        .iter()
        .take(5)
        .for_each(|trouble| println!("  {trouble}"));
    let failures = server.failures();
    failures
        .iter()
        .take(5)
        .for_each(|failure| println!("  {failure}"));
    let _ = std::fs::remove_dir_all(&folder);
    Ok(rejected + troubles.len() + failures.len() == 0)
}
