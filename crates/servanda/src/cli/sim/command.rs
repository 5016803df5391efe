//! The commands of a session.

/// What the user wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Nothing.
    Nothing,
    /// Take the transition, or choose the initial state, of this number, from 1.
    Take(usize),
    /// Take so many steps by chance.
    Any(usize),
    /// Take so many steps back.
    Undo(usize),
    /// Begin again.
    Restart,
    /// Take so many steps along the recording.
    Next(usize),
    /// Watch an expression.
    Watch(String),
    /// Show what is watched.
    Watched,
    /// Do not watch the expression of this number any more, from 1.
    Unwatch(usize),
    /// Show the whole state.
    State,
    /// Show the steps so far.
    Trail,
    /// Show what holds at present.
    Properties,
    /// List the commands.
    Help,
    /// End.
    Quit,
}

/// The commands, for those who ask.
pub(super) const HELP: &str = "  NUMBER   take the transition of this number
  a [N]    take N steps by chance (any)
  u [N]    undo the last N steps
  r        restart
  n [N]    take the next N steps of the trace given with --trace
  w EXPR   watch a condition, an expression or a formula; w alone shows what is watched
  x N      do not watch expression N any more
  s        show the whole state and what can happen
  t        show the trail: the steps so far
  p        show what the properties say of this state, and the commitments in force
  h        help
  q        quit
";

/// Reads a line.
pub(super) fn parse(line: &str) -> Result<Command, String> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let count = || match rest {
        "" => Ok(1),
        number => number.parse::<usize>().map_err(|_| format!("`{word}` takes a number, not `{number}`")),
    };
    let alone = |command: Command| match rest {
        "" => Ok(command),
        _ => Err(format!("`{word}` takes nothing, and `{rest}` is given")),
    };
    match word {
        "" => Ok(Command::Nothing),
        "a" | "any" => count().map(Command::Any),
        "u" | "undo" => count().map(Command::Undo),
        "n" | "next" => count().map(Command::Next),
        "r" | "restart" => alone(Command::Restart),
        "w" | "watch" if rest.is_empty() => Ok(Command::Watched),
        "w" | "watch" => Ok(Command::Watch(rest.to_owned())),
        "x" | "unwatch" if rest.is_empty() => Err(format!("`{word}` needs the number of what is watched")),
        "x" | "unwatch" => count().map(Command::Unwatch),
        "s" | "state" => alone(Command::State),
        "t" | "trail" => alone(Command::Trail),
        "p" | "properties" => alone(Command::Properties),
        "h" | "help" | "?" => alone(Command::Help),
        "q" | "quit" => alone(Command::Quit),
        word => match word.parse() {
            Ok(number) => alone(Command::Take(number)),
            Err(_) => Err(format!("there is no command `{word}`; h lists the commands")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_short_or_long_and_take_what_they_need() {
        assert_eq!(parse("  3 "), Ok(Command::Take(3)));
        assert_eq!(parse("u"), Ok(Command::Undo(1)));
        assert_eq!(parse("undo 2"), Ok(Command::Undo(2)));
        assert_eq!(parse("w x + 1 > 2"), Ok(Command::Watch("x + 1 > 2".to_owned())));
        assert_eq!(parse("w"), Ok(Command::Watched));
        assert_eq!(parse(""), Ok(Command::Nothing));
        for bad in ["z", "u two", "q now", "x", "1 2", "-1"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
