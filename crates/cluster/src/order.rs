//! What workers are told to do. The program of every process tells its own workers, all programs the same: the workers make sure of it in
//! a few words before they begin.

use servanda_logic::Formula;

use crate::fingerprint::fingerprint;

/// What is to be done next.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Order {
    /// Find all states.
    Explore,
    /// Decide a property.
    Decide(Formula),
    /// Name the states on a shortest run to what decides a property.
    Route(Formula),
    /// Nothing any more.
    Quit,
}

impl Order {
    /// The formula that it speaks of.
    pub(crate) fn formula(&self) -> Option<&Formula> {
        match self {
            Order::Decide(formula) | Order::Route(formula) => Some(formula),
            Order::Explore | Order::Quit => None,
        }
    }

    /// Its kind, and what its formula has in common with no other.
    pub(crate) fn words(&self) -> Vec<u64> {
        match self {
            Order::Quit => vec![0],
            Order::Explore => vec![1],
            Order::Decide(formula) => vec![2, fingerprint(formula)],
            Order::Route(formula) => vec![3, fingerprint(formula)],
        }
    }

    /// From its words and the formula on the board; `None` where they do not belong together.
    pub(crate) fn read(words: &[u64], formula: Option<Formula>) -> Option<Self> {
        let order = match words.first()? {
            0 => Order::Quit,
            1 => Order::Explore,
            2 => Order::Decide(formula?),
            3 => Order::Route(formula?),
            _ => return None,
        };
        (order.words() == words).then_some(order)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_understood() {
        let formula = servanda_logic::parse_formula("AG (paid -> EF does(deliver))").unwrap();
        for order in [Order::Explore, Order::Quit, Order::Decide(formula.clone()), Order::Route(formula)] {
            assert_eq!(Order::read(&order.words(), order.formula().cloned()), Some(order));
        }
        assert_eq!(Order::read(&[2, 7], None), None);
        let other = servanda_logic::parse_formula("AG paid").unwrap();
        assert_eq!(Order::read(&[2, 7], Some(other)), None);
    }
}
