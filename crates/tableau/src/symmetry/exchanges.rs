//! What changes places with each two of those who are alike, and what belongs to each of them.

use servanda_model::Model;

use super::renaming::Renaming;

/// What changes places with each two members of a family.
#[derive(Clone, Debug)]
pub(super) struct Exchanges {
    pub(super) members: usize,
    table: Vec<Renaming>,
}

impl Exchanges {
    /// From those of neighbours: `i` and `j` change places when `j` changes with its neighbour, that one with `i`, and back. `None` where it
    /// would matter by which exchanges a change of places is brought about.
    pub(super) fn new(model: &Model, neighbours: &[Renaming]) -> Option<Self> {
        // Coxeter's relations: then there is one renaming for every change of places.
        let identity = Renaming::identity(model);
        for (at, one) in neighbours.iter().enumerate() {
            let commutes = |other: &Renaming| one.then(other) == other.then(one);
            let braids = |other: &Renaming| one.then(other).then(one) == other.then(one).then(other);
            let next = neighbours.get(at + 1);
            if one.then(one) != identity
                || !next.is_none_or(braids)
                || !neighbours.iter().skip(at + 2).all(commutes)
            {
                return None;
            }
        }
        let members = neighbours.len() + 1;
        let mut table: Vec<Renaming> = Vec::with_capacity(members * (members - 1) / 2);
        for high in 1..members {
            let last = &neighbours[high - 1];
            for low in 0..high {
                let exchange = if low + 1 == high {
                    last.clone()
                } else {
                    last.then(&table[Exchanges::place(low, high - 1)]).then(last)
                };
                table.push(exchange);
            }
        }
        Some(Exchanges { members, table })
    }

    fn place(low: usize, high: usize) -> usize {
        high * (high - 1) / 2 + low
    }

    /// What changes places with two different members.
    pub(super) fn of(&self, a: usize, b: usize) -> &Renaming {
        &self.table[Exchanges::place(a.min(b), a.max(b))]
    }

    /// What changes places with any two.
    pub(super) fn all(&self) -> impl Iterator<Item = &Renaming> {
        self.table.iter()
    }

    /// Of things of one kind those that belong to members, as columns: one of each member. `None` where something changes places that
    /// does not belong to one member alone.
    pub(super) fn columns(
        &self,
        count: usize,
        becomes: impl Fn(usize, &Renaming) -> usize,
    ) -> Option<Vec<Vec<usize>>> {
        let mut columns = Vec::new();
        let mut known = vec![false; count];
        for thing in 0..count {
            if known[thing] || self.all().all(|renaming| becomes(thing, renaming) == thing) {
                continue;
            }
            let stays = |a: usize, b: usize| becomes(thing, self.of(a, b)) == thing;
            // Of two members the first has what comes first.
            let owns = |member: usize| {
                (0..self.members)
                    .all(|a| (a + 1..self.members).all(|b| stays(a, b) != (a == member || b == member)))
            };
            let owner = (0..self.members).find(|member| owns(*member))?;
            let column: Vec<usize> = (0..self.members)
                .map(|member| if member == owner { thing } else { becomes(thing, self.of(owner, member)) })
                .collect();
            for a in 0..self.members {
                for b in 0..self.members {
                    let expected = |at: usize| {
                        if at == a {
                            b
                        } else if at == b {
                            a
                        } else {
                            at
                        }
                    };
                    let fits = |at: usize| becomes(column[at], self.of(a, b)) == column[expected(at)];
                    if a != b && !(0..self.members).all(fits) {
                        return None;
                    }
                }
            }
            for thing in &column {
                if std::mem::replace(&mut known[*thing], true) {
                    return None;
                }
            }
            columns.push(column);
        }
        Some(columns)
    }
}
