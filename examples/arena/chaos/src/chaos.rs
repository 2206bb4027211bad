//! A deployment of three workers and two gateways on a NATS server, and what happens to it.

use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::balancer::Balancer;
use crate::crowd::Crowd;
use crate::pages::Pages;
use crate::programs::{Process, build, free_port};
use crate::server::Server;
use crate::verdict::Verdict;
use crate::{Arguments, Failure};

/// How long players may be still before the run fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// What players saw from one event to the next.
struct Event {
    name: String,
    /// The median of the players, the one who waited longest, and the pages; in seconds.
    silence: [f64; 3],
    lost_connections: u64,
    shown: Vec<String>,
}

struct Deployment<'a> {
    folder: &'a Path,
    url: String,
    secret: String,
    programs: [PathBuf; 2],
    balancer: Balancer,
    /// Those that still run, or should.
    processes: Vec<Process>,
    failures: Vec<String>,
    started: Instant,
    crowd: Option<Crowd>,
    pages: Option<Pages>,
    events: Vec<Event>,
}

impl Deployment<'_> {
    fn arguments(&self) -> [&str; 4] {
        ["--store", &self.url, "--secret", &self.secret]
    }

    fn start(
        &mut self,
        version: usize,
        name: &str,
        arguments: &[&str],
    ) -> Result<Process, Failure> {
        let all = [&self.arguments(), arguments].concat();
        Process::start(&self.programs[version - 1], name, &all, self.folder)
    }

    fn worker(&mut self, version: usize, name: &str) -> Result<(), Failure> {
        let mut process = self.start(version, name, &["--role", "worker", "--log", "keep"])?;
        process.until_it_plays()?;
        self.processes.push(process);
        Ok(())
    }

    fn gateway(&mut self, version: usize, name: &str) -> Result<(), Failure> {
        let port = free_port()?;
        let arguments = ["--role", "gateway", "--per-address", "10000", "--port"];
        let number = port.to_string();
        let arguments = [&arguments[..], &[&number]].concat();
        let mut process = self.start(version, name, &arguments)?;
        process.until_it_serves(port)?;
        self.balancer.add(port);
        self.processes.push(process);
        Ok(())
    }

    fn process(&mut self, name: &str) -> &mut Process {
        let process = self
            .processes
            .iter_mut()
            .find(|process| process.name == name);
        process.expect("a process of that name")
    }

    fn signal(&mut self, signal: &str, name: &str) {
        self.process(name).signal(signal);
    }

    /// Waits until a process has ended, and reads its failures.
    fn end(&mut self, name: &str) -> Result<(), Failure> {
        self.process(name).wait()?;
        let place = self
            .processes
            .iter()
            .position(|process| process.name == name);
        let process = self
            .processes
            .remove(place.expect("a process of that name"));
        self.failures.extend(process.failures());
        Ok(())
    }

    /// Watches players for a while, and longer if some are still.
    fn watch(&mut self, name: &str, seconds: u64) -> Result<(), Failure> {
        let time = self.started.elapsed().as_secs_f64();
        println!("{time:5.1} s  {name}");
        sleep(Duration::from_secs(seconds));
        let crowd = self.crowd.as_ref().expect("players are there");
        crowd.until_all_see(PATIENCE)?;
        if let Some(pages) = &mut self.pages {
            pages.until_they_go_on();
        }
        self.record(name);
        Ok(())
    }

    fn record(&mut self, name: &str) {
        let crowd = self.crowd.as_ref().expect("players are there");
        let silences = crowd.silences();
        let pages = self.pages.as_mut().map(Pages::seen).unwrap_or_default();
        let median = silences[silences.len() / 2];
        let most = silences.last().copied().unwrap_or(0.0);
        self.events.push(Event {
            name: name.to_owned(),
            silence: [median, most, pages.silence],
            lost_connections: crowd.lost_connections(),
            shown: pages.shown,
        });
    }

    /// Everything that happens.
    fn play(&mut self) -> Result<(), Failure> {
        self.watch("play", 4)?;

        self.signal("KILL", "ada");
        self.watch("kill -9 worker ada", 4)?;
        self.worker(1, "dot")?;
        self.watch("start worker dot", 4)?;
        self.signal("STOP", "bob");
        self.watch("pause worker bob", 4)?;
        self.signal("CONT", "bob");
        self.watch("resume worker bob", 4)?;
        self.signal("TERM", "cyd");
        self.watch("drain worker cyd", 4)?;
        self.end("cyd")?;

        self.gateway(1, "gate-3")?;
        self.signal("TERM", "gate-1");
        self.watch("drain gateway 1", 4)?;
        self.end("gate-1")?;
        self.signal("KILL", "gate-2");
        self.watch("kill -9 gateway 2", 4)?;

        self.worker(1, "gil")?;
        self.worker(2, "eve")?;
        self.watch("start workers gil, eve of version 2", 4)?;
        self.signal("TERM", "bob");
        sleep(Duration::from_millis(100));
        self.signal("KILL", "dot");
        self.watch("drain worker bob, kill -9 worker dot", 4)?;
        self.end("bob")?;
        self.worker(2, "fay")?;
        self.watch("start worker fay of version 2", 4)?;
        self.signal("TERM", "gil");
        self.watch("drain worker gil, the last of version 1", 4)?;
        self.end("gil")?;
        self.gateway(2, "gate-4")?;
        self.signal("TERM", "gate-3");
        self.watch("replace gateway 3 by one of version 2", 4)?;
        self.end("gate-3")
    }

    fn print(&self) {
        println!(
            "\n                                          longest time without a tick, in seconds"
        );
        println!(
            "                                          players               pages   connections"
        );
        println!(
            "event                                     median    longest             lost          shown"
        );
        for Event {
            name,
            silence: [median, most, pages],
            lost_connections,
            shown,
        } in &self.events
        {
            let shown = shown.join("; ");
            println!(
                "{name:40}  {median:6.2}    {most:7.2}    {pages:6.2}    {lost_connections:4}          {shown}"
            );
        }
    }
}

/// How long no player may be without a tick, in seconds; on two cores that also compile, it takes longer than in the table of
/// the `README`.
const LONGEST: f64 = 10.0;

/// Plays a run. Returns whether everything was right; if not, its folder stays.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, Failure> {
    println!("Building two versions of the arena; the first time takes minutes.");
    let next = build("nats,next")?;
    let programs = [build("nats")?, next]; // what stays in the target folder is version 1
    let folder = std::env::temp_dir().join(format!("arena-chaos-{}", std::process::id()));
    let mut server = Server::start_in(&folder)?;
    server.is_kept = true; // until all is known to be right
    let is_right = run_on(&server, programs, arguments, &folder)
        .map_err(|error| format!("{error}; see {}", folder.display()))?;
    server.is_kept = arguments.keep || !is_right;
    if server.is_kept {
        println!("the logs of this run are in {}", folder.display());
    }
    Ok(is_right)
}

/// Starts the processes and the players of version 1.
fn begin<'a>(
    server: &Server,
    programs: [PathBuf; 2],
    arguments: &Arguments,
    folder: &'a Path,
) -> Result<Deployment<'a>, Failure> {
    let mut deployment = Deployment {
        folder,
        url: server.url(),
        secret: folder.join("secret").display().to_string(),
        programs,
        balancer: Balancer::start()?,
        processes: Vec::new(),
        failures: Vec::new(),
        started: Instant::now(),
        crowd: None,
        pages: None,
        events: Vec::new(),
    };
    for name in ["ada", "bob", "cyd"] {
        deployment.worker(1, name)?;
    }
    for name in ["gate-1", "gate-2"] {
        deployment.gateway(1, name)?;
    }
    let Arguments {
        clients,
        rooms,
        pace,
        ..
    } = *arguments;
    let port = deployment.balancer.port;
    let crowd = Crowd::start(&format!("ws://127.0.0.1:{port}/ws"), clients, rooms, pace);
    crowd.until_all_see(PATIENCE)?;
    deployment.pages = Pages::open(port, &crowd.rooms()[0])?;
    deployment.started = Instant::now();
    deployment.crowd = Some(crowd);
    let version = Server::version();
    println!("  0.0 s  {clients} players in {rooms} rooms, on {version}");
    deployment.record("join");
    Ok(deployment)
}

fn run_on(
    server: &Server,
    programs: [PathBuf; 2],
    arguments: &Arguments,
    folder: &Path,
) -> Result<bool, Failure> {
    let mut deployment = begin(server, programs, arguments, folder)?;
    deployment.play()?;
    let names = deployment
        .crowd
        .as_ref()
        .map(Crowd::rooms)
        .unwrap_or_default();
    if let Some(pages) = &mut deployment.pages {
        pages.add(deployment.balancer.port, &names[0], "Cat"); // loads the page of version 2
        pages.until_they_go_on();
        pages.picture(&folder.join("page.png"));
    }
    let records = deployment.crowd.take().map(Crowd::stop);
    deployment.pages = None;
    for name in ["gate-4", "eve", "fay"] {
        deployment.signal("TERM", name);
        deployment.end(name)?;
    }
    let programs = deployment.programs.each_ref().map(PathBuf::as_path);
    let verdict = Verdict::new(
        &programs,
        &deployment.arguments(),
        &names,
        &records.unwrap_or_default(),
    )?;
    deployment.print();
    verdict.print();
    println!("hosts    {} failures", deployment.failures.len());
    let failures = deployment.failures.iter().take(10);
    failures.for_each(|failure| println!("  {failure}"));
    // Hosts report what goes wrong for a moment, too; that has cost nothing if the verdict is right.
    let has_panicked = deployment.failures.iter().any(|it| it.contains("panicked"));
    let silences = deployment.events.iter().flat_map(|it| it.silence);
    let is_silent = silences.into_iter().any(|it| it > LONGEST);
    if is_silent {
        println!("silence  of more than {LONGEST} s");
    }
    let is_right = verdict.is_right() && !has_panicked && !is_silent;
    println!("{}", if is_right { "right" } else { "WRONG" });
    Ok(is_right)
}
