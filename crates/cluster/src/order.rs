//! What workers are told to do: the first one tells all others in a word, and the formula that it is about is on the board.

use servanda_logic::Formula;

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

    /// Its kind.
    pub(crate) fn word(&self) -> u64 {
        match self {
            Order::Quit => 0,
            Order::Explore => 1,
            Order::Decide(_) => 2,
            Order::Route(_) => 3,
        }
    }

    /// From its kind and the formula on the board; `None` where they make no sense together.
    pub(crate) fn read(words: &[u64], formula: Option<Formula>) -> Option<Self> {
        Some(match words {
            [0] => Order::Quit,
            [1] => Order::Explore,
            [2] => Order::Decide(formula?),
            [3] => Order::Route(formula?),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_understood() {
        let formula = servanda_logic::parse_formula("AG (paid -> EF does(deliver))").unwrap();
        for order in [Order::Explore, Order::Quit, Order::Decide(formula.clone()), Order::Route(formula)] {
            assert_eq!(Order::read(&[order.word()], order.formula().cloned()), Some(order));
        }
        assert_eq!(Order::read(&[2], None), None);
    }
}
