//! `check --jobs N`: the models of a run, each with each setting of its parameters, spread over processes. Each of them makes one report as
//! it would be made here, and the reports are written here in their order.

mod agent;
mod child;
mod part;
mod told;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use servanda::{Clock as _, Mesh};
use servanda_engine::Stop;
use servanda_report::{CheckReport, Run};

use super::limits::Limits;
use super::progress::Tally;

use child::{Child, Complaints};
use told::{Order, left};

pub(crate) use agent::serve;
pub(crate) use part::{Part, part};
pub(crate) use told::{Decided, NOT_SO_FAR, NOT_YET, Told, so_far};

/// So often it is looked whether the run has to stop.
const LOOK: Duration = Duration::from_millis(10);

/// What is said where a process has checked something else.
const CHANGED: &str = "what is to be checked has changed in the meantime";

/// Hears what is known of a report before it is complete, by its number.
type Hears = Box<dyn Fn(usize, News<'_>) + Send + Sync>;

/// What is known of a report before it is complete.
pub(crate) enum News<'n> {
    /// The model is read.
    Begun(Box<CheckReport>),
    /// A verdict.
    Decided(&'n Run, &'n Decided),
}

/// The processes at work.
pub(crate) struct Fleet(Arc<Shared>);

/// What the threads share that look after one process each.
struct Shared {
    program: PathBuf,
    arguments: Vec<OsString>,
    limits: Arc<Limits>,
    hears: Hears,
    places: Mutex<Vec<Place>>,
    changed: Condvar,
    /// Nothing is begun any more.
    is_over: AtomicBool,
}

/// One model with one setting of its parameters.
struct Place {
    /// What it is, with nothing found yet.
    run: Run,
    stage: Stage,
}

enum Stage {
    /// Nobody has begun.
    Open,
    /// It has to be done here.
    Here,
    /// A process is at work.
    Sent(Sent),
    /// This came of it.
    Done(Box<CheckReport>),
    /// The report was taken.
    Taken,
}

/// What is known of a process at work.
struct Sent {
    child: Child,
    /// The report as it was when the model had been read.
    begun: Option<Box<CheckReport>>,
    verdicts: Vec<Decided>,
}

impl Fleet {
    /// Starts as many processes as there are jobs, and as many on each of the other hosts. What is not `sent` has to be done here.
    pub(crate) fn start(
        runs: Vec<(Run, Sending)>,
        (jobs, hosts): (usize, Option<&'static Mesh>),
        limits: &Arc<Limits>,
        hears: impl Fn(usize, News<'_>) + Send + Sync + 'static,
    ) -> std::io::Result<Self> {
        let place = |(run, sending)| Place {
            run,
            stage: if sending == Sending::Possible { Stage::Open } else { Stage::Here },
        };
        let shared = Arc::new(Shared {
            program: std::env::current_exe()?,
            arguments: std::env::args_os().skip(1).collect(),
            limits: Arc::clone(limits),
            hears: Box::new(hears),
            places: Mutex::new(runs.into_iter().map(place).collect()),
            changed: Condvar::new(),
            is_over: AtomicBool::new(false),
        });
        limits.wait_for_others();
        for _ in 0..jobs {
            let shared = Arc::clone(&shared);
            thread::spawn(move || while shared.send_next(None) {});
        }
        for (mesh, process) in hosts.iter().flat_map(|mesh| (1..mesh.processes()).map(move |to| (*mesh, to)))
        {
            for _ in 0..jobs {
                let shared = Arc::clone(&shared);
                thread::spawn(move || while shared.send_next(Some((mesh, process))) {});
            }
        }
        Ok(Fleet(shared))
    }

    /// Waits for a report; `None` where it has to be made here. All of them come to their end when the run has to stop.
    pub(crate) fn report(&self, number: usize) -> Option<CheckReport> {
        let Shared { limits, changed, is_over, .. } = &*self.0;
        loop {
            {
                let mut places = self.0.places();
                if matches!(places[number].stage, Stage::Here) {
                    return None;
                }
                if matches!(places[number].stage, Stage::Done(_)) {
                    let taken = std::mem::replace(&mut places[number].stage, Stage::Taken);
                    return if let Stage::Done(report) = taken { Some(*report) } else { None };
                }
                drop(changed.wait_timeout(places, LOOK));
            }
            if let Some(stop) = limits.reason() {
                limits.alive();
                if !is_over.swap(true, Ordering::Relaxed) {
                    self.0.stop(&stop);
                }
            }
            if let Some(spinner) = &limits.spinner {
                spinner.fleet(|| self.0.tally(), limits.elapsed());
            }
        }
    }

    /// What is known of the reports from one on, as far as they have begun, where nobody waits any longer.
    pub(crate) fn last_words(
        &self,
        from: usize,
        to: usize,
    ) -> impl FnOnce(&Stop) -> Vec<CheckReport> + use<> {
        let shared = Arc::clone(&self.0);
        move |stop| {
            let mut places = shared.places();
            let known = places[from..to].iter_mut().map(|place| match &mut place.stage {
                Stage::Done(report) => (**report).clone(),
                stage => unfinished(
                    &place.run,
                    if let Stage::Sent(sent) = stage { Some(sent) } else { None },
                    &stop.to_string(),
                ),
            });
            known.collect()
        }
    }
}

impl Drop for Fleet {
    /// Nobody wants to know any more.
    fn drop(&mut self) {
        self.0.is_over.store(true, Ordering::Relaxed);
        for place in self.0.places().iter_mut() {
            if let Stage::Sent(sent) = &mut place.stage {
                sent.child.kill();
            }
        }
    }
}

/// Can another process do it?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sending {
    Possible,
    /// It is read from a pipe or from standard input.
    Impossible,
}

/// The report of what did not come to its end, and why.
fn unfinished(run: &Run, sent: Option<&mut Sent>, reason: &str) -> CheckReport {
    match sent.and_then(|sent| Some((sent.begun.take()?, &sent.verdicts))) {
        Some((begun, verdicts)) => left(*begun, verdicts, reason),
        None => {
            let mut report = CheckReport { run: run.clone(), ..CheckReport::default() };
            report.leave_unread(reason.to_owned());
            report
        }
    }
}

impl Shared {
    /// Nobody panics while holding them.
    fn places(&self) -> MutexGuard<'_, Vec<Place>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tally(&self) -> Tally {
        let places = self.places();
        let count = |is: fn(&Stage) -> bool| places.iter().filter(|place| is(&place.stage)).count();
        Tally {
            done: count(|stage| matches!(stage, Stage::Done(_) | Stage::Taken)),
            at_work: count(|stage| matches!(stage, Stage::Sent(_))),
            of: places.len(),
        }
    }

    /// The run has to stop: what has not begun is told here, and who is at work comes to an end. Limits of time every process keeps itself.
    fn stop(&self, stop: &Stop) {
        for place in self.places().iter_mut() {
            match &mut place.stage {
                stage @ Stage::Open => *stage = Stage::Here,
                Stage::Sent(sent) if *stop != Stop::Time => sent.child.stop(),
                Stage::Here | Stage::Sent(_) | Stage::Done(_) | Stage::Taken => {}
            }
        }
    }

    /// Has the next part done by a process, here or on another host, and says whether there was one, and somebody to do it.
    fn send_next(&self, elsewhere: Option<(&'static Mesh, usize)>) -> bool {
        let is_left = self.places().iter().any(|place| matches!(place.stage, Stage::Open));
        if !is_left || self.is_over.load(Ordering::Relaxed) {
            return false;
        }
        // Before anything is taken: nobody should wait for a host that does not answer.
        let line = elsewhere.map(|(mesh, process)| mesh.hand_out(process)).transpose();
        let Ok(line) = line else { return false };
        let (number, answers) = {
            let mut places = self.places();
            let next = places.iter().position(|place| matches!(place.stage, Stage::Open));
            let Some(number) = next.filter(|_| !self.is_over.load(Ordering::Relaxed)) else { return false };
            let file = places[number].run.file.clone();
            let order = Order {
                part: number,
                seconds: self.limits.left().map(|left| left.as_secs_f64()),
                text: elsewhere.and_then(|_| Order::fingerprint(&file)),
                file,
            };
            let begun = match (line, elsewhere) {
                (Some(line), Some((mesh, process))) => Child::elsewhere(line, mesh.name(process), &order),
                _ => Child::start(&self.program, &self.arguments, &order),
            };
            let Ok((child, answers)) = begun else {
                if elsewhere.is_none() {
                    // Where no process can be started the work can still be done.
                    places[number].stage = Stage::Here;
                    self.changed.notify_all();
                }
                return elsewhere.is_none();
            };
            places[number].stage = Stage::Sent(Sent { child, begun: None, verdicts: Vec::new() });
            (number, answers)
        };
        let complaints = answers.hear(|told| self.hear(number, told));
        self.end(number, complaints);
        true
    }

    fn hear(&self, number: usize, told: Told) {
        let mut places = self.places();
        let Place { run, stage } = &mut places[number];
        match (told, stage) {
            (Told::Begun(parcel), Stage::Sent(sent)) => {
                let report = CheckReport::from(*parcel);
                sent.begun = Some(Box::new(report.clone()));
                drop(places);
                (self.hears)(number, News::Begun(Box::new(report)));
            }
            (Told::Decided(decided), Stage::Sent(sent)) => {
                sent.verdicts.push(decided.clone());
                let run = run.clone();
                drop(places);
                (self.hears)(number, News::Decided(&run, &decided));
            }
            (Told::Done(parcel), stage @ Stage::Sent(_)) => {
                let report = CheckReport::from(*parcel);
                let is_it = (&report.run.file, &report.run.parameters) == (&run.file, &run.parameters);
                let report = if is_it { report } else { unfinished(run, None, CHANGED) };
                if let Stage::Sent(sent) = std::mem::replace(stage, Stage::Done(Box::new(report))) {
                    drop(places);
                    self.changed.notify_all();
                    // It has nothing more to say.
                    sent.child.wait();
                }
            }
            (Told::Ended(_), _) | (_, Stage::Open | Stage::Here | Stage::Done(_) | Stage::Taken) => {}
        }
    }

    /// A process tells nothing more. If there is no report by now there will be none.
    fn end(&self, number: usize, complaints: Complaints) {
        let mut places = self.places();
        let Place { run, stage } = &mut places[number];
        let Stage::Sent(sent) = stage else { return };
        let ended = sent.child.ended(complaints);
        let reason = self.limits.reason().map_or(ended, |stop| stop.to_string());
        let report = unfinished(run, Some(sent), &reason);
        *stage = Stage::Done(Box::new(report));
        drop(places);
        self.changed.notify_all();
    }
}
