//! What workers are told to do: the first one tells all others, in words.

use servanda_logic::{Formula, parse_formula};

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

    /// As words: its kind, then the text of its formula.
    pub(crate) fn words(&self) -> Vec<u64> {
        let kind = match self {
            Order::Quit => 0,
            Order::Explore => 1,
            Order::Decide(_) => 2,
            Order::Route(_) => 3,
        };
        let text = self.formula().map(ToString::to_string).unwrap_or_default();
        let mut words = vec![kind, text.len() as u64];
        words.extend(text.as_bytes().chunks(8).map(|bytes| {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        }));
        words
    }

    /// From words. The formula is that on the board where there is one; otherwise it is read. `None` where the words make no sense.
    pub(crate) fn read(words: &[u64], formula: Option<Formula>) -> Option<Self> {
        let [kind, length, text @ ..] = words else { return None };
        let read = || {
            let mut bytes: Vec<u8> = text.iter().flat_map(|word| word.to_le_bytes()).collect();
            bytes.truncate(*length as usize);
            parse_formula(&String::from_utf8(bytes).ok()?).ok()
        };
        Some(match kind {
            0 => Order::Quit,
            1 => Order::Explore,
            2 => Order::Decide(formula.or_else(read)?),
            3 => Order::Route(formula.or_else(read)?),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_understood() {
        let formula = parse_formula("AG (paid -> EF does(deliver))").unwrap();
        for order in [Order::Explore, Order::Quit, Order::Decide(formula.clone()), Order::Route(formula)] {
            assert_eq!(Order::read(&order.words(), None), Some(order));
        }
    }
}
