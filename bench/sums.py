#!/usr/bin/env python3
"""Models with large conditions and sums.

    sums.py net PLACES    a net of so many places; each step asks for the sum of all of them
    sums.py ring AGENTS   agents that look at all others before each step
    sums.py budget BITS   so many bits, of which at most two are 1 at the start
"""
import sys


def net(places):
    """Four cycles, three of them with a token: (PLACES / 4)^3 states."""
    cycle = places // 4
    total = " + ".join(f"p{place}" for place in range(1, 4 * cycle + 1))
    lines = [f"// {4 * cycle} places in four cycles; no step if there were too many tokens.", "protocol Net", "roles A"]
    for first in range(1, 4 * cycle + 1, cycle):
        lines += [f"var p{first + at} : 0..3 = {int(at == 0 and first <= 3 * cycle)}" for at in range(cycle)]
    lines.append("start s")
    for first in range(1, 4 * cycle + 1, cycle):
        for at in range(cycle):
            one, other = first + at, first + (at + 1) % cycle
            lines.append(f"s -- A: t{one} when p{one} > 0 & p{other} < 3 & {total} < 1000 "
                         f"set p{one} = p{one} - 1, p{other} = p{other} + 1 --> s")
    lines += [f"property all_there expect true = AG ({total} = 3)", f"property few expect true = AG ({total} <= 6)",
              f"property back expect true = AG EF (p1 = 1 & {total} >= 1)", ""]
    return "\n".join(lines)


def ring(agents):
    """Everybody looks at everybody: 7^AGENTS states."""
    lines = ["// Agents that look at all others before each step.", "protocol Ring", f"roles A[1..{agents}]",
             f"var x[1..{agents}] : 0..3 = 0", f"var y[1..{agents}] : 0..3 = 0"]
    others = f"j in 1..{agents}"
    for i in range(1, agents + 1):
        lines += [
            f"machine M{i} {{ start a",
            f"  a -- A[{i}]: up[{i}] when (all {others} : x[{i}] <= x[j] + 1 & (j = {i} | x[{i}] + y[j] <= 6)) "
            f"& (sum {others} : x[j]) < {3 * agents} & x[{i}] < 3 set x[{i}] = x[{i}] + 1 --> b",
            f"  b -- A[{i}]: work[{i}] when (any {others} : x[j] != y[j]) & (sum {others} : x[j] * y[j]) >= 0 "
            f"set y[{i}] = x[{i}] --> a",
            f"  b -- A[{i}]: down[{i}] when x[{i}] > 0 & (all {others} : x[{i}] >= x[j] | y[j] <= x[{i}] + 2) "
            f"set x[{i}] = x[{i}] - 1 --> a",
            "}",
        ]
    return "\n".join([*lines, f"property bounded expect true = AG (sum i in 1..{agents} : x[i]) <= {3 * agents}", ""])


def budget(variables):
    """Initial states given by a sum: those in which at most two variables are 1."""
    total = f"sum i in 1..{variables} : x[i]"
    return f"""// Initial states given by a sum.
protocol Budget
roles A
var x[1..{variables}] : 0..1
init ({total}) <= 2
start s
s -- A: less when ({total}) > 0 set x[1] = 0 --> s
property small expect true = AG ({total}) <= 2
"""


FAMILIES = {"net": net, "ring": ring, "budget": budget}

if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in FAMILIES:
        sys.exit(__doc__)
    print(FAMILIES[sys.argv[1]](int(sys.argv[2])), end="")
