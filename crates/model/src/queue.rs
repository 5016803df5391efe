//! How the places of a channel change: each step as a condition and assignments to the places.

use crate::{Channel, Expr, VariableId};

/// Where a step is possible, and what it assigns.
pub type Guarded = (Expr, Vec<(VariableId, Expr)>);

impl Channel {
    fn read(&self, slot: usize) -> Expr {
        self.slots.get(slot).map_or(Expr::Constant(0), |slot| Expr::variable(*slot))
    }

    fn is_empty_at(&self, slot: usize) -> Expr {
        self.read(slot).equals(Expr::Constant(0))
    }

    fn is_full_at(&self, slot: usize) -> Expr {
        self.is_empty_at(slot).negate()
    }

    fn has_room(&self) -> Expr {
        self.is_empty_at(self.slots.len() - 1)
    }

    /// The assignment of a place, where it is something new in some states.
    fn assigned(&self, slot: usize, condition: Expr, value: Expr) -> (VariableId, Expr) {
        (self.slots[slot], Expr::if_then_else(condition, value, self.read(slot)))
    }

    /// A message is put under way: behind the others, or, where they can overtake each other, where its code belongs.
    pub fn sending(&self, code: i64) -> Guarded {
        let new = || Expr::Constant(code);
        let slots = 0..self.slots.len();
        let updates = slots.map(|slot| match (self.unordered, slot) {
            (false, 0) => self.assigned(0, self.is_empty_at(0), new()),
            (false, _) => {
                let next = Expr::and([self.is_full_at(slot - 1), self.is_empty_at(slot)]);
                self.assigned(slot, next, new())
            }
            (true, _) => {
                // Codes fall from place to place: those below the new one move on.
                let below = self.read(slot).less_than(new());
                let value = match slot {
                    0 => new(),
                    _ => {
                        let pushed = self.read(slot - 1).less_than(new());
                        Expr::if_then_else(pushed, self.read(slot - 1), new())
                    }
                };
                self.assigned(slot, below, value)
            }
        });
        (self.has_room(), updates.collect())
    }

    /// A message is taken out: the oldest, or, where they can overtake each other, any of them.
    pub fn receiving(&self, code: i64) -> Guarded {
        let wanted = || Expr::Constant(code);
        if !self.unordered {
            return (self.read(0).equals(wanted()), self.without(0));
        }
        let slots = 0..self.slots.len();
        let some = Expr::or(slots.clone().map(|slot| self.read(slot).equals(wanted())));
        // Codes fall from place to place: behind the first of this code everything moves up.
        let updates = slots.map(|slot| {
            let moves = self.read(slot).less_than(Expr::Constant(code + 1));
            self.assigned(slot, moves, self.read(slot + 1))
        });
        (some, updates.collect())
    }

    /// What stands behind a place moves up.
    fn without(&self, place: usize) -> Vec<(VariableId, Expr)> {
        (place..self.slots.len()).map(|slot| (self.slots[slot], self.read(slot + 1))).collect()
    }

    /// The places from which a message can be lost or repeated.
    fn places(&self) -> std::ops::Range<usize> {
        0..if self.unordered { self.slots.len() } else { 1 }
    }

    /// The ways in which a message is lost.
    pub fn losses(&self) -> Vec<Guarded> {
        self.places().map(|place| (self.is_full_at(place), self.without(place))).collect()
    }

    /// The ways in which a message is repeated, while there is room.
    pub fn repetitions(&self) -> Vec<Guarded> {
        let last = self.slots.len() - 1;
        let repeated = |place: usize| {
            let possible = Expr::and([self.is_full_at(place), self.has_room()]);
            let updates = match self.unordered {
                // The copy stands beside the message.
                true => (place + 1..=last).map(|slot| (self.slots[slot], self.read(slot - 1))).collect(),
                false => (1..=last)
                    .map(|slot| {
                        let next = Expr::and([self.is_full_at(slot - 1), self.is_empty_at(slot)]);
                        self.assigned(slot, next, self.read(0))
                    })
                    .collect(),
            };
            (possible, updates)
        };
        self.places().map(repeated).collect()
    }
}

#[cfg(test)]
mod tests {
    use servanda_syntax::Span;

    use super::*;

    fn channel(capacity: usize, unordered: bool) -> Channel {
        let slots = (0..capacity).map(VariableId::from_index).collect();
        Channel { name: "c".to_owned(), slots, messages: Vec::new(), unordered, span: Span::default() }
    }

    /// What a step makes of the places, if it is possible.
    fn after((guard, updates): &Guarded, places: &[i64]) -> Option<Vec<i64>> {
        let leaf = |leaf: &Expr| match leaf {
            Expr::Variable(variable) => places.get(variable.index()).copied(),
            _ => None,
        };
        let mut next = places.to_vec();
        for (variable, value) in updates {
            next[variable.index()] = value.value_of(&leaf).expect("a value");
        }
        (guard.value_of(&leaf) == Some(1)).then_some(next)
    }

    /// All contents of a channel with codes up to 3, as it keeps them.
    fn contents(channel: &Channel) -> Vec<Vec<i64>> {
        let capacity = channel.slots.len();
        let all = (0..4_usize.pow(capacity as u32)).map(|n| {
            (0..capacity).map(|place| (n / 4_usize.pow(place as u32) % 4) as i64).collect::<Vec<i64>>()
        });
        let tidy = |places: &Vec<i64>| match channel.unordered {
            true => places.is_sorted_by(|a, b| a >= b),
            false => places.windows(2).all(|pair| pair[0] != 0 || pair[1] == 0),
        };
        all.filter(tidy).collect()
    }

    /// The messages, in the order in which the channel keeps them, with zeros behind.
    fn kept(channel: &Channel, mut messages: Vec<i64>) -> Vec<i64> {
        if channel.unordered {
            messages.sort_by(|a, b| b.cmp(a));
        }
        messages.resize(channel.slots.len(), 0);
        messages
    }

    #[test]
    fn steps_are_those_of_queues_and_bags() {
        for (capacity, unordered) in [(1, false), (2, false), (3, false), (1, true), (2, true), (3, true)] {
            let channel = channel(capacity, unordered);
            for places in contents(&channel) {
                let messages: Vec<i64> = places.iter().copied().filter(|code| *code != 0).collect();
                for code in 1..4 {
                    let room = messages.len() < capacity;
                    let sent = room.then(|| kept(&channel, [messages.as_slice(), &[code]].concat()));
                    assert_eq!(after(&channel.sending(code), &places), sent, "{places:?} + {code}");
                    let found = messages.iter().position(|other| *other == code);
                    let found = found.filter(|place| unordered || *place == 0);
                    let received = found.map(|place| {
                        let mut rest = messages.clone();
                        rest.remove(place);
                        kept(&channel, rest)
                    });
                    assert_eq!(after(&channel.receiving(code), &places), received, "{places:?} - {code}");
                }
                for (place, (loss, copy)) in channel.losses().iter().zip(channel.repetitions()).enumerate() {
                    let mut rest = messages.clone();
                    let lost = (place < rest.len()).then(|| rest.remove(place)).map(|_| kept(&channel, rest));
                    assert_eq!(after(loss, &places), lost, "{places:?} loses {place}");
                    let more = messages.get(place).filter(|_| messages.len() < capacity);
                    let more = more.map(|code| kept(&channel, [messages.as_slice(), &[*code]].concat()));
                    assert_eq!(after(&copy, &places), more, "{places:?} repeats {place}");
                }
            }
        }
    }
}
