//! Names of texts that other texts use.

use std::path::{Component, Path, PathBuf};

/// The name of a file as it is written in another one, from where that one is: `a/b.pact` names `../c.pact`, which is `c.pact`. Each file
/// has one name so, which tells when one uses itself.
pub fn joined(user: &str, path: &str) -> String {
    let directory = Path::new(user).parent().unwrap_or(Path::new(""));
    let mut clean = PathBuf::new();
    for part in directory.join(path).components() {
        match (part, clean.components().next_back()) {
            (Component::ParentDir, Some(Component::Normal(_))) => {
                clean.pop();
            }
            _ => clean.push(part),
        }
    }
    clean.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_is_looked_for_beside_its_user_and_has_one_name() {
        let table = [
            (("shop.pact", "pay.pact"), "pay.pact"),
            (("./shop.pact", "pay.pact"), "./pay.pact"),
            (("a/shop.pact", "./pay.pact"), "a/pay.pact"),
            (("a/b/shop.pact", "../c/../pay.pact"), "a/pay.pact"),
            (("a/shop.pact", "../../pay.pact"), "../pay.pact"),
            (("../shop.pact", "../pay.pact"), "../../pay.pact"),
            (("a/shop.pact", "/pay.pact"), "/pay.pact"),
        ];
        for ((user, path), expected) in table {
            assert_eq!(joined(user, path), expected, "{path} in {user}");
        }
    }
}
