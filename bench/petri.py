"""Petri nets as Pact, and questions about them as a contest of model checkers asks them."""
import random
from collections import Counter


class Net:
    """Places with their tokens and bounds, and transitions that take tokens and give others."""

    def __init__(self, name):
        self.name, self.places, self.transitions, self.properties = name, {}, [], []

    def place(self, name, tokens, bound):
        self.places[name] = (tokens, bound)

    def transition(self, name, takes, gives):
        """Who takes or gives several tokens of a place names it several times."""
        self.transitions.append((name, Counter(takes), Counter(gives)))

    def shuffled(self, seed):
        """The same net, its places and transitions declared in another order."""
        chance = random.Random(seed)
        places = list(self.places.items())
        chance.shuffle(places)
        self.places = dict(places)
        chance.shuffle(self.transitions)
        return self

    def pact(self):
        lines = [f"protocol {self.name}", "roles Net"]
        lines += [f"var {name} : 0..{bound} = {tokens}" for name, (tokens, bound) in self.places.items()]
        lines += ["", "start s"]
        for name, takes, gives in self.transitions:
            when = " & ".join(f"{place} >= {many}" if many > 1 else f"{place} > 0" for place, many in takes.items())
            changes = []
            for place in list(takes) + [place for place in gives if place not in takes]:
                # A place that a transition takes from and gives to may stay as it is.
                more = gives[place] - takes[place]
                if more:
                    changes.append(f"{place} = {place} {'+' if more > 0 else '-'} {abs(more)}")
            guard = f" when {when}" if when else ""
            update = f" set {', '.join(changes)}" if changes else ""
            lines.append(f"s -- Net: {name}{guard}{update} --> s")
        return "\n".join(lines + [""] + self.properties + [""])


class Questions:
    """Formulas by chance: comparisons of sums of tokens, and which transitions are enabled, below operators of time."""

    def __init__(self, net, seed):
        self.chance, self.places = random.Random(f"{net.name} {seed}"), net.places
        self.transitions = net.transitions

    def tokens(self):
        """A sum of one to three places, and the most that it can be."""
        some = self.chance.sample(list(self.places), min(len(self.places), self.chance.choice([1, 1, 2, 3])))
        return " + ".join(some), sum(self.places[place][1] for place in some)

    def atom(self, fires):
        if fires:
            _, takes, _ = self.chance.choice(self.transitions)
            return "(" + (" & ".join(f"{place} >= {many}" for place, many in takes.items()) or "true") + ")"
        left, most = self.tokens()
        if self.chance.random() < 0.5:
            return f"({left} <= {self.tokens()[0]})"
        return f"({self.chance.randint(1, max(1, min(most, 3)))} <= {left})"

    def condition(self, fires, depth=2):
        kind = self.chance.random()
        if depth == 0 or kind < 0.35:
            return self.atom(fires)
        if kind < 0.5:
            return "!" + self.condition(fires, depth - 1)
        parts = [self.condition(fires, depth - 1) for _ in range(self.chance.choice([2, 2, 3]))]
        return "(" + self.chance.choice([" & ", " | "]).join(parts) + ")"

    def reachability(self, fires):
        return f"{self.chance.choice(['EF', 'AG'])} {self.condition(fires, 3)}"

    def branching(self, fires, depth=3):
        operator = self.chance.choice(["AG", "EF", "AF", "EG", "AX", "EX", "A", "E", "not", "and", "or"])
        if depth == 0:
            return self.condition(fires, 1)
        if operator in ("A", "E"):
            left, right = (self.branching(fires, depth - 1 - self.chance.randrange(2) * (depth > 1)) for _ in range(2))
            return f"{operator} ({left} U {right})"
        if operator == "not":
            return "!" + self.branching(fires, depth - 1)
        if operator in ("and", "or"):
            left, right = self.branching(fires, depth - 1), self.branching(fires, depth - 1)
            return f"({left} {'&' if operator == 'and' else '|'} {right})"
        return f"{operator} {self.branching(fires, depth - 1)}"

    def path(self, fires, depth=3):
        if depth == 0:
            return self.condition(fires, 1)
        operator = self.chance.choice(["G", "F", "X", "U", "U", "not", "and", "or", "GF", "FG"])
        if operator == "U":
            return f"({self.path(fires, depth - 1)} U {self.path(fires, depth - 1)})"
        if operator == "not":
            return f"!{self.path(fires, depth - 1)}"
        if operator in ("and", "or"):
            return f"({self.path(fires, depth - 1)} {'&' if operator == 'and' else '|'} {self.path(fires, depth - 1)})"
        return f"({' '.join(operator)} {self.path(fires, depth - 1)})"

    def linear(self, fires, depth=3):
        return f"A {self.path(fires, depth)}"

    def temporal(self, make, fires, operators):
        """The first of some formulas that has so many operators at least: most others are decided without any search."""
        for _ in range(50):
            formula = make(fires)
            if sum(formula.count(word) for word in "GFXU") >= operators:
                return formula
        return formula

    def all(self, each=2):
        """So many of each kind about sums of tokens, and as many about transitions."""
        found = []
        for fires in (False, True):
            about = "fires" if fires else "tokens"
            for number in range(1, each + 1):
                found += [(f"reach_{about}{number}", self.reachability(fires)),
                          (f"ctl_{about}{number}", self.temporal(self.branching, fires, 3)),
                          (f"ltl_{about}{number}", self.temporal(self.linear, fires, 2))]
        return found
