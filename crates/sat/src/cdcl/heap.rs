//! Variables by activity: a binary heap that knows where each of them is.

/// The variables that wait for a decision, the most active first.
#[derive(Default)]
pub(super) struct Heap {
    rows: Vec<u32>,
    /// Where each variable is, `ABSENT` if it is not there.
    places: Vec<u32>,
    activity: Vec<f64>,
    step: f64,
}

const ABSENT: u32 = u32::MAX;
const LARGE: f64 = 1e100;

/// How much less than that of the last conflict the activity of a variable may be that still counts: some hundred conflicts.
const HOT: f64 = 1e-3;

impl Heap {
    pub(super) fn new() -> Self {
        Heap { step: 1.0, ..Heap::default() }
    }

    pub(super) fn grow(&mut self) {
        self.places.push(ABSENT);
        self.activity.push(0.0);
    }

    #[inline]
    pub(super) fn insert(&mut self, variable: u32) {
        if self.places[variable as usize] == ABSENT {
            self.places[variable as usize] = self.rows.len() as u32;
            self.rows.push(variable);
            self.rise(self.rows.len() - 1);
        }
    }

    pub(super) fn pop(&mut self) -> Option<u32> {
        let first = *self.rows.first()?;
        let last = self.rows.pop()?;
        self.places[first as usize] = ABSENT;
        if let Some(root) = self.rows.first_mut() {
            *root = last;
            self.places[last as usize] = 0;
            self.sink(0);
        }
        Some(first)
    }

    /// A variable took part in a conflict.
    pub(super) fn bump(&mut self, variable: u32) {
        let activity = &mut self.activity[variable as usize];
        *activity += self.step;
        if *activity > LARGE {
            self.activity.iter_mut().for_each(|activity| *activity /= LARGE);
            self.step /= LARGE;
        }
        let place = self.places[variable as usize];
        if place != ABSENT {
            self.rise(place as usize);
        }
    }

    /// What comes after counts for more.
    pub(super) fn age(&mut self) {
        self.step /= 0.95;
    }

    /// Did the variable take part in one of the last conflicts, or in many before?
    #[inline]
    pub(super) fn is_hot(&self, variable: u32) -> bool {
        self.activity[variable as usize] > HOT * self.step
    }

    fn before(&self, a: u32, b: u32) -> bool {
        self.activity[a as usize] > self.activity[b as usize]
    }

    fn put(&mut self, place: usize, variable: u32) {
        self.rows[place] = variable;
        self.places[variable as usize] = place as u32;
    }

    fn rise(&mut self, mut place: usize) {
        let variable = self.rows[place];
        while place > 0 {
            let parent = (place - 1) / 2;
            if !self.before(variable, self.rows[parent]) {
                break;
            }
            self.put(place, self.rows[parent]);
            place = parent;
        }
        self.put(place, variable);
    }

    fn sink(&mut self, mut place: usize) {
        let variable = self.rows[place];
        loop {
            let mut child = 2 * place + 1;
            if child >= self.rows.len() {
                break;
            }
            if child + 1 < self.rows.len() && self.before(self.rows[child + 1], self.rows[child]) {
                child += 1;
            }
            if !self.before(self.rows[child], variable) {
                break;
            }
            self.put(place, self.rows[child]);
            place = child;
        }
        self.put(place, variable);
    }
}
