//! The shortest way to satisfy a path formula from a point.
//!
//! Places (a point with what the rest of the path must satisfy) are visited nearest first. Where some place demands nothing any more
//! the path to the nearest such place is enough. Otherwise the path goes to the nearest place on a loop that puts nothing off for
//! ever, and then round the shortest such loop.

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt, Progress};
use servanda_space::Step;
use servanda_tableau::{Corridor, Evaluation, Pair, Paths, Way};

use crate::cycle::shortest_cycle;
use crate::scout::Trail;

/// Loops are first looked for among this many places. A path is the shortest one if no more were visited.
const FIRST_LOOK: usize = 1 << 16;

/// More places than this are not visited.
const MOST_PLACES: usize = 1 << 22;

const REPORT_EVERY: usize = 1 << 10;

type Found = Trail<u32, Step>;

/// The places visited so far, in the order of their distance.
#[derive(Default)]
struct Visited {
    places: Vec<Pair>,
    numbers: FxHashMap<Pair, usize>,
    /// The place before each, and the way from it.
    parents: Vec<Option<(usize, Way)>>,
    depths: Vec<usize>,
    /// The ways of those that were expanded.
    ways: Vec<Vec<Way>>,
}

impl Visited {
    fn add(&mut self, place: Pair, parent: Option<(usize, Way)>) {
        let fresh = self.places.len();
        if *self.numbers.entry(place).or_insert(fresh) == fresh {
            self.depths.push(parent.map_or(0, |(before, _)| self.depths[before] + 1));
            self.places.push(place);
            self.parents.push(parent);
        }
    }

    /// The ways from the beginning to a place.
    fn ways_to(&self, number: usize) -> Vec<(usize, Way)> {
        let mut ways = Vec::new();
        let mut here = number;
        while let Some((before, way)) = self.parents[here] {
            ways.push((before, way));
            here = before;
        }
        ways.reverse();
        ways
    }

    fn trail(&self, paths: &Paths, ways: &[(usize, Way)], last: usize) -> Found {
        let mut trail = Trail::default();
        for (before, way) in ways {
            let place = self.places[*before];
            trail.points.push(place.node);
            trail.steps.push(way.step);
            trail.demands.push(paths.demands(place, way.choice).to_vec());
        }
        trail.points.push(self.places[last].node);
        trail
    }

    /// The edges inside what was expanded.
    fn edges(&self) -> Vec<Vec<(usize, Way)>> {
        let inside = |way: &Way| self.numbers.get(&way.target).map(|number| (*number, *way));
        self.ways.iter().map(|ways| ways.iter().filter_map(inside).collect()).collect()
    }

    /// The nearest loop that puts nothing off, if there is one among the places that were expanded.
    fn lasso(&self, paths: &Paths) -> Option<Found> {
        let (entry, cycle) = shortest_cycle(&self.edges(), &self.depths)?;
        let mut ways = self.ways_to(entry);
        let loop_to = ways.len();
        ways.extend(cycle);
        let (last, way) = ways.pop()?;
        let mut trail = self.trail(paths, &ways, last);
        trail.steps.push(way.step);
        trail.demands.push(paths.demands(self.places[last], way.choice).to_vec());
        trail.loop_to = Some(loop_to);
        trail.tighten();
        Some(trail)
    }

    /// The path to a place where nothing is demanded any more after a choice, and after a step where one is needed.
    fn ending(&self, paths: &Paths, last: usize, choice: usize, step: Option<Step>) -> Found {
        let mut trail = self.trail(paths, &self.ways_to(last), last);
        trail.demands.push(paths.demands(self.places[last], choice).to_vec());
        if let Some(step) = step {
            trail.steps.push(step);
            trail.points.push(step.target);
            trail.demands.push(Vec::new());
        }
        trail
    }
}

/// The shortest path from a point, where there is a corridor inside of it; `None` where there is none.
pub(crate) fn shortest_path(
    evaluation: &mut Evaluation<'_>,
    paths: &mut Paths,
    point: u32,
    corridor: Option<&Corridor>,
    budget: &dyn Budget,
) -> Result<Option<Found>, Halt> {
    let mut visited = Visited::default();
    for place in paths.starts(point) {
        visited.add(place, None);
    }
    let mut nearest_end: Option<(usize, usize, Option<Step>)> = None;
    let mut next_look = FIRST_LOOK;
    let mut here = 0;
    while here < visited.places.len() {
        Progress::nodes(here, REPORT_EVERY, budget)?;
        if let Some((last, choice, step)) = nearest_end
            && visited.depths[here] > visited.depths[last]
        {
            return Ok(Some(visited.ending(paths, last, choice, step)));
        }
        if here == next_look {
            if let Some(trail) = visited.lasso(paths) {
                return Ok(Some(trail));
            }
            next_look *= 4;
        }
        if here == MOST_PLACES {
            return Err(Halt::TooLarge(format!("no path was found among {MOST_PLACES} places")));
        }
        let mut found = evaluation.ways(paths, visited.places[here], budget)?;
        if let Some(corridor) = corridor {
            let space = &evaluation.space;
            found.ways.retain(|way| corridor.contains(space.state(way.target.node)));
        }
        match found.done {
            Some((choice, None)) => return Ok(Some(visited.ending(paths, here, choice, None))),
            Some((choice, step)) => {
                nearest_end = nearest_end.or(Some((here, choice, step)));
            }
            None => {}
        }
        for way in &found.ways {
            visited.add(way.target, Some((here, *way)));
        }
        visited.ways.push(found.ways);
        here += 1;
    }
    if let Some((last, choice, step)) = nearest_end {
        return Ok(Some(visited.ending(paths, last, choice, step)));
    }
    Ok(visited.lasso(paths))
}
