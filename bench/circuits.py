#!/usr/bin/env python3
"""Families of circuits on which SAT engines are compared, as Pact and ISPL: one property per file.

    circuits.py list                      the families, with their sizes
    circuits.py NAME SIZE true|false      one model; its only property has that verdict
    circuits.py all FOLDER [SMALL]        every family at every size (or at its smallest so many sizes)

Every family has a property that holds and one that does not; what differs between the two files is the property, or one step of the model
that is wrong in the second. Sizes are chosen so that the largest takes some checker seconds.
"""
import os
import sys

FAMILIES = {}


def family(*sizes):
    """Registers a function of a size and of whether its property holds."""

    def register(make):
        FAMILIES[make.__name__] = (make, sizes)
        return make

    return register


def pact(name, body, formula, holds):
    return f"protocol {name}\nroles Ann\n{body}\nproperty p expect {str(holds).lower()} = AG ({formula})\n"


@family(8, 16, 32)
def arbiter(n, holds):
    """A synchronous arbiter of n cells: a token goes round and whoever waits for it is served first. At most one is served.
    In the wrong one the last cell does not look at who else is."""
    cells = range(n)
    names = "".join(f"  t{i} : boolean; w{i} : boolean; r{i} : boolean;\n" for i in cells)
    lines = ""
    for i in cells:
        before = (i - 1) % n
        lines += f"  t{i} = t{before} if User{i}.Action = ask or User{i}.Action = rest;\n"
        lines += f"  w{i} = (r{i} & (w{i} | t{i})) if User{i}.Action = ask or User{i}.Action = rest;\n"
        lines += f"  r{i} = true if User{i}.Action = ask;\n  r{i} = false if User{i}.Action = rest;\n"
    users = "".join(
        f"Agent User{i}\n  Vars: x : boolean; end Vars\n  Actions = {{ask, rest}};\n  Protocol: Other : {{ask, rest}}; end Protocol\n"
        f"  Evolution: x = x if Action = ask; end Evolution\nend Agent\n"
        for i in cells
    )
    env = "Environment."
    late = [f"({env}w{i} = true and {env}t{i} = true)" for i in cells]
    # Somebody who waits and has the token overrides the order of the cells.
    override = " or ".join(late)
    served = []
    for i in cells:
        earlier = " and ".join([f"{env}r{j} = false" for j in range(i)] + [f"!({override})"])
        if not holds and i == n - 1:
            earlier = f"{env}r0 = true and {env}w{n // 2} = true and {env}w{n // 3} = true"
        served.append(f"({env}r{i} = true and ({late[i]} or ({earlier})))")
    props = "".join(f"  s{i} if {served[i]};\n" for i in cells)
    pairs = " or ".join(f"(s{i} and (" + " or ".join(f"s{j}" for j in range(i)) + "))" for i in cells if i > 0)
    start = " and ".join(
        [f"{env}t{i} = {'true' if i == 0 else 'false'} and {env}w{i} = false and {env}r{i} = false" for i in cells]
        + [f"User{i}.x = false" for i in cells]
    )
    return (
        f"Semantics = SingleAssignment;\nAgent Environment\n  Vars:\n{names}  end Vars\n  Actions = {{none}};\n"
        f"  Protocol: Other : {{none}}; end Protocol\n  Evolution:\n{lines}  end Evolution\nend Agent\n{users}"
        f"Evaluation\n{props}end Evaluation\nInitStates {start}; end InitStates\nFormulae\n  AG !({pairs});\nend Formulae\n"
    )


@family(6, 9, 12)
def counter(n, holds):
    """A counter of n bits that starts over early: what comes after is never reached, what comes before only after all the others."""
    last = 2**n - 2**(n - 2)
    goal = last + 1 if holds else last
    body = f"var c : 0..{2**n - 1} = 0\nstart s\ns -- Ann: up when c < {last} set c = c + 1 --> s\n"
    body += f"s -- Ann: over when c = {last} set c = 0 --> s\ns -- Ann: rest --> s\n"
    return pact("Counter", body, f"c != {goal}", holds)


@family(8, 16, 32)
def twins(n, holds):
    """Two counters of n bits that count the same events, one up and one down; in the wrong one the second misses events."""
    top = 2**n - 1
    missed = "" if holds else " & c != 5"
    body = f"var c : 0..{top} = 0\nvar d : 0..{top} = {top}\nstart s\n"
    body += f"s -- Ann: both when c < {top} & d > 0{missed} set c = c + 1, d = d - 1 --> s\n"
    if not holds:
        body += "s -- Ann: one when c = 5 set c = 6 --> s\n"
    body += f"s -- Ann: over when c = {top} set c = 0, d = {top} --> s\n"
    return pact("Twins", body, f"c + d = {top}", holds)


@family(4, 5, 6)
def multiplier(n, holds):
    """Two numbers of n bits are multiplied by shifting and adding; what is left to do and what is done give the product."""
    top = 2**n - 1
    body = f"var x, y : 0..{top}\nvar a : 0..{top * 2**n} = 0\nvar b : 0..{top} = 0\nvar p : 0..{top * top} = 0\n"
    body += "var at : {first, work} = first\nstart s\n"
    body += "s -- Ann: load when at = first set a = x, b = y, at = work --> s\n"
    wrong = "" if holds else " & x != y"
    room = f" & a <= {top * 2**n // 2} & p + a <= {top * top}"
    body += f"s -- Ann: add when at = work & b > 0 & b % 2 = 1{wrong}{room} set p = p + a, a = a * 2, b = b / 2 --> s\n"
    if not holds:
        body += f"s -- Ann: slip when at = work & b > 0 & b % 2 = 1 & x = y{room} set a = a * 2, b = b / 2 --> s\n"
    body += f"s -- Ann: shift when at = work & b > 0 & b % 2 = 0{room} set a = a * 2, b = b / 2 --> s\n"
    return pact("Multiplier", body, "at = work & b = 0 -> p = x * y", holds)


@family(16, 48, 96)
def shift(n, holds):
    """A bit goes through two registers of n cells that shift in opposite order; in the wrong one a cell is skipped."""
    cells = range(1, n)
    move = ", ".join([f"a{i} = a{i - 1}" for i in cells] + [f"b{n - 1 - i} = b{n - i}" for i in cells])
    if not holds:
        move = move.replace(f"a{n - 1} = a{n - 2}", f"a{n - 1} = a{n - 3}", 1)
    names = ", ".join([f"a{i}" for i in range(n)] + [f"b{i}" for i in range(n)])
    body = f"var {names} : bool = false\nstart s\n"
    for word, value in (("zero", "false"), ("one", "true")):
        body += f"s -- Ann: {word} set a0 = {value}, b{n - 1} = {value}, {move} --> s\n"
    return pact("Shift", body, f"a{n - 1} <-> b0", holds)


@family(3, 4, 5)
def filter_lock(n, holds):
    """Peterson's lock for n processes; in the wrong one a process passes the last gate without looking."""
    body = f"param N = {n}\nvar level[1..N] : 0..{n - 1} = 0\nvar last[1..{n - 1}] : 1..N = 1\n"
    body += "var at[1..N] : {rest, ask, gate, in_it} = rest\n"
    body += "start s\n"
    for i in range(1, n + 1):
        body += f"s -- Ann: a{i} when at[{i}] = rest set at[{i}] = ask, level[{i}] = 1 --> s\n"
        for k in range(1, n):
            after = f"at[{i}] = in_it" if k == n - 1 else f"at[{i}] = ask, level[{i}] = {k + 1}"
            body += f"s -- Ann: b{i}_{k} when at[{i}] = ask & level[{i}] = {k} set at[{i}] = gate, last[{k}] = {i} --> s\n"
            others = " & ".join(f"level[{j}] < {k}" for j in range(1, n + 1) if j != i)
            free = f"(last[{k}] != {i} | {others})" if holds or k < n - 1 or i < n else "true"
            body += f"s -- Ann: c{i}_{k} when at[{i}] = gate & level[{i}] = {k} & {free} set {after} --> s\n"
        body += f"s -- Ann: d{i} when at[{i}] = in_it set at[{i}] = rest, level[{i}] = 0 --> s\n"
    pairs = " & ".join(f"!(at[{i}] = in_it & at[{j}] = in_it)" for i in range(1, n + 1) for j in range(1, i))
    return pact("Filter", body, pairs, holds)


@family(6, 12, 24)
def semaphore(n, holds):
    """n processes and a semaphore; in the wrong one a process that leaves twice frees it for two."""
    body = f"param N = {n}\nvar free : 0..2 = 1\nvar at[1..N] : {{out, ask, in_it}} = out\nstart s\n"
    for i in range(1, n + 1):
        body += f"s -- Ann: a{i} when at[{i}] = out set at[{i}] = ask --> s\n"
        body += f"s -- Ann: b{i} when at[{i}] = ask & free > 0 set at[{i}] = in_it, free = free - 1 --> s\n"
        body += f"s -- Ann: c{i} when at[{i}] = in_it & free < 2 set at[{i}] = out, free = free + 1 --> s\n"
    if not holds:
        body += f"s -- Ann: e when free = 1 & (all i in 1..N : at[i] = ask) set free = 2 --> s\n"
    return pact("Semaphore", body, "all i in 1..N : all j in 1..N : i = j | !(at[i] = in_it & at[j] = in_it)", holds)


@family(8, 16, 32)
def ring(n, holds):
    """A token goes round among n stations that work while they have it; in the wrong one the last station may keep a copy."""
    body = f"param N = {n}\nvar has[1..N], busy[1..N] : bool = false\nvar fresh : bool = true\nstart s\n"
    body += "s -- Ann: begin when fresh set fresh = false, has[1] = true --> s\n"
    for i in range(1, n + 1):
        after = i % n + 1
        keep = f"has[{i}] = false, " if holds or i < n else ""
        body += f"s -- Ann: a{i} when has[{i}] & !busy[{i}] set busy[{i}] = true --> s\n"
        body += f"s -- Ann: b{i} when busy[{i}] set busy[{i}] = false --> s\n"
        body += f"s -- Ann: c{i} when has[{i}] & !busy[{i}] set {keep}has[{after}] = true --> s\n"
    return pact("Ring", body, "all i in 1..N : all j in 1..N : i = j | !(busy[i] & busy[j])", holds)


@family(8, 16, 32)
def fifo(n, holds):
    """A ring buffer with places for n: head, tail and how many there are agree; in the wrong one it is filled once too often."""
    body = f"var head, tail : 0..{n - 1} = 0\nvar held : 0..{n + 1} = 0\nstart s\n"
    full = n if holds else n + 1
    body += f"s -- Ann: put when held < {full} set tail = (tail + 1) % {n}, held = held + 1 --> s\n"
    body += f"s -- Ann: get when held > 0 set head = (head + 1) % {n}, held = held - 1 --> s\n"
    return pact("Fifo", body, f"held <= {n} & (head + held) % {n} = tail", holds)


TAPS = {8: (8, 6, 5, 4), 12: (12, 6, 4, 1), 16: (16, 15, 13, 4), 24: (24, 23, 22, 17), 32: (32, 22, 2, 1)}


@family(8, 16, 32)
def lfsr(n, holds):
    """A shift register with linear feedback is never empty, and comes to other patterns after many steps."""
    names = ", ".join(f"x{i}" for i in range(2, n + 1))
    body = f"var x1 : bool = true\nvar {names} : bool = false\nstart s\n"
    term = f"x{TAPS[n][0]}"
    for tap in TAPS[n][1:]:
        term = f"!({term} <-> x{tap})"
    move = ", ".join(f"x{i} = x{i - 1}" for i in range(2, n + 1))
    body += f"s -- Ann: shift set x1 = {term}, {move} --> s\ns -- Ann: rest --> s\n"
    if holds:
        return pact("Feedback", body, " | ".join(f"x{i}" for i in range(1, n + 1)), True)
    state = [True] + [False] * (n - 1)
    for _ in range(20 + n):
        bit = False
        for tap in TAPS[n]:
            bit ^= state[tap - 1]
        state = [bit] + state[:-1]
    pattern = " & ".join(("" if value else "!") + f"x{i}" for i, value in enumerate(state, 1))
    return pact("Feedback", body, f"!({pattern})", False)


@family(5, 7, 9)
def gray(n, holds):
    """A counter in Gray's code beside one in binary: the first is the binary one folded; in the wrong one it forgets one step."""
    bits = range(n)
    body = f"var {', '.join(f'b{i}' for i in bits)}, {', '.join(f'g{i}' for i in bits)} : bool = false\nstart s\n"
    carry, moves = "true", []
    for i in bits:
        moves.append(f"b{i} = !(b{i} <-> ({carry}))")
        carry = f"b{i}" if carry == "true" else f"{carry} & b{i}"
    # The last bit flips where the number of bits set is even, another where those below are 10...0.
    parity = "g0"
    for i in range(1, n):
        parity = f"!({parity} <-> g{i})"
    for i in bits:
        if i == 0:
            flips = f"!({parity})"
        elif i < n - 1:
            flips = " & ".join([f"({parity})", f"g{i - 1}"] + [f"!g{j}" for j in range(i - 1)])
        else:
            flips = " & ".join([f"({parity})"] + [f"!g{j}" for j in range(n - 2)])
        moves.append(f"g{i} = !(g{i} <-> ({flips}))")
    move = ", ".join(moves)
    if not holds:
        stuck = " & ".join([f"b{i}" for i in range(min(n, 5) - 1)])
        body += f"s -- Ann: slip when {stuck} set {', '.join(moves[:n])} --> s\n"
    body += f"s -- Ann: up set {move} --> s\n"
    same = " & ".join([f"(g{i} <-> !(b{i} <-> b{i + 1}))" for i in range(n - 1)] + [f"(g{n - 1} <-> b{n - 1})"])
    return pact("Gray", body, same, holds)


@family(4, 8, 16)
def handshake(n, holds):
    """A chain of n stages that hand values on with request and acknowledgement (four phases). A stage that has acknowledged was asked.
    In the wrong one the last stage acknowledges early."""
    body = f"param N = {n}\nvar req[0..N], ack[0..N], full[0..N] : bool = false\nstart s\n"
    body += "s -- Ann: feed when !req[0] & !ack[0] set req[0] = true --> s\ns -- Ann: fed when req[0] & ack[0] set req[0] = false --> s\n"
    for i in range(n):
        early = "" if holds or i < n - 1 else f" | full[{i}] & req[{i + 1}]"
        body += f"s -- Ann: a{i} when req[{i}] & !ack[{i}] & !full[{i}]{early} set ack[{i}] = true, full[{i}] = true --> s\n"
        body += f"s -- Ann: b{i} when !req[{i}] & ack[{i}] set ack[{i}] = false --> s\n"
        body += f"s -- Ann: c{i} when full[{i}] & !req[{i + 1}] & !ack[{i + 1}] set req[{i + 1}] = true --> s\n"
        body += f"s -- Ann: d{i} when req[{i + 1}] & ack[{i + 1}] set req[{i + 1}] = false, full[{i}] = false --> s\n"
    body += f"s -- Ann: take when req[{n}] & !ack[{n}] set ack[{n}] = true --> s\n"
    body += f"s -- Ann: taken when !req[{n}] & ack[{n}] set ack[{n}] = false --> s\n"
    return pact("Handshake", body, f"all i in 0..{n - 1} : (ack[i] & req[i] -> full[i] | !req[i + 1]) & (req[i + 1] -> full[i])"
                if holds else f"!(ack[{n - 1}] & req[{n}] & req[{n - 1}] & full[{n - 1}] & ack[{n}])", holds)


@family(5, 10, 20)
def philosophers(n, holds):
    """n philosophers take the left fork, then the right one. Neighbours never eat together; all of them may hold one fork."""
    body = f"param N = {n}\nvar fork[1..N] : bool = true\nvar at[1..N] : {{think, one, eat}} = think\nstart s\n"
    for i in range(1, n + 1):
        right = i % n + 1
        body += f"s -- Ann: l{i} when at[{i}] = think & fork[{i}] set at[{i}] = one, fork[{i}] = false --> s\n"
        body += f"s -- Ann: r{i} when at[{i}] = one & fork[{right}] set at[{i}] = eat, fork[{right}] = false --> s\n"
        body += f"s -- Ann: d{i} when at[{i}] = eat set at[{i}] = think, fork[{i}] = true, fork[{right}] = true --> s\n"
    if holds:
        formula = "all i in 1..N : !(at[i] = eat & at[i % N + 1] = eat)"
    else:
        formula = "!(all i in 1..N : at[i] = one)"
    return pact("Philosophers", body, formula, holds)


@family(8, 16, 32)
def scheduler(n, holds):
    """Milner's scheduler with n cells: jobs begin in turn; at most one cell has the turn, and a job begins only when it has ended."""
    body = f"param N = {n}\nvar turn : 1..N = 1\nvar busy[1..N] : bool = false\nvar at[1..N] : 0..2 = 0\nstart s\n"
    for i in range(1, n + 1):
        after = i % n + 1
        body += f"s -- Ann: a{i} when turn = {i} & at[{i}] = 0 & !busy[{i}] set at[{i}] = 1, busy[{i}] = true --> s\n"
        body += f"s -- Ann: b{i} when busy[{i}] set busy[{i}] = false --> s\n"
        body += f"s -- Ann: c{i} when at[{i}] = 1 set at[{i}] = 0, turn = {after} --> s\n"
    formula = "all i in 1..N : at[i] = 1 -> turn = i" if holds else f"!(all i in 1..{min(n, 16)} : busy[i])"
    return pact("Scheduler", body, formula, holds)


@family(12, 24, 48)
def johnson(n, holds):
    """A twisted ring of n bits: ones and zeros never mix. In the wrong one a noise flips a bit once a pattern has been reached."""
    names = ", ".join(f"x{i}" for i in range(n))
    move = ", ".join([f"x0 = !x{n - 1}"] + [f"x{i} = x{i - 1}" for i in range(1, n)])
    body = f"var {names} : bool = false\nstart s\ns -- Ann: turn set {move} --> s\n"
    if not holds:
        body += f"s -- Ann: noise when x{n // 3} & !x{n // 3 + 1} set x0 = !x0 --> s\n"
    mixed = " | ".join(f"(x{i} & !x{i + 1} & x{i + 2})" for i in range(n - 2))
    return pact("Johnson", body, f"!({mixed})", holds)


@family(4, 5, 6)
def hanoi(n, holds):
    """The tower of n discs: the last peg gets them all after 2^n - 1 moves; a larger disc is never moved onto a smaller one (the moves of
    the smallest are counted modulo 2 beside all moves: it moves at most every other time, if nobody moves a disc twice in a row)."""
    body = f"var peg[1..{n}] : 0..2 = 0\nvar moved : 0..{n} = 0\nvar odd : bool = false\nstart s\n"
    for d in range(1, n + 1):
        for to in range(3):
            for source in range(3):
                if source != to:
                    clear = "".join(f" & peg[{e}] != {to} & peg[{e}] != {source}" for e in range(1, d))
                    body += (
                        f"s -- Ann: m{d}_{source}_{to} when moved != {d} & peg[{d}] = {source}{clear}"
                        f" set peg[{d}] = {to}, moved = {d}, odd = !odd --> s\n"
                    )
    if holds:
        formula = " & ".join(f"!(moved = {d} & peg[{e}] = peg[{d}])" for d in range(2, n + 1) for e in range(1, d))
    else:
        formula = f"!(all i in 1..{n} : peg[i] = 2)"
    return pact("Hanoi", body, formula, holds)


@family(3, 4, 5)
def lights(n, holds):
    """Lamps in a square of n times n: a button flips a lamp and its neighbours. Some patterns are reached by no buttons (parity of a
    quiet set of lamps, if there is one), others by few."""
    def near(r, c):
        spots = [(r, c), (r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
        return [spot for spot in spots if 0 <= spot[0] < n and 0 <= spot[1] < n]

    names = [f"x{r}_{c}" for r in range(n) for c in range(n)]
    body = f"var {', '.join(names)} : bool = false\nvar even : bool = true\nstart s\n"
    for r in range(n):
        for c in range(n):
            flips = [f"x{a}_{b} = !x{a}_{b}" for a, b in near(r, c)]
            if len(flips) % 2 == 1:
                flips.append("even = !even")
            body += f"s -- Ann: p{r}_{c} set {', '.join(flips)} --> s\n"
    if holds:
        none = " & ".join(f"!{name}" for name in names)
        return pact("Lights", body, f"{none} -> even", True)
    on = {spot: False for spot in [(r, c) for r in range(n) for c in range(n)]}
    for at in range(n + 2):
        for spot in near(at * 2 % n, (at * 3 + at // n) % n):
            on[spot] = not on[spot]
    pattern = " & ".join(("" if on[r, c] else "!") + f"x{r}_{c}" for r in range(n) for c in range(n))
    return pact("Lights", body, f"!({pattern})", False)


@family(4, 8, 16)
def cache(n, holds):
    """n caches of one line that follow MESI: who has written it is alone. In the wrong one a reader does not make the owner share."""
    body = f"param N = {n}\nvar at[1..N] : {{i, s, e, m}} = i\nstart q\n"
    for k in range(1, n + 1):
        others = [j for j in range(1, n + 1) if j != k]
        share = ", ".join(f"at[{j}] = if at[{j}] = i then i else s" for j in others if holds or (k, j) != (n, 1))
        drop = ", ".join(f"at[{j}] = i" for j in others)
        alone = " & ".join(f"at[{j}] = i" for j in others)
        body += f"q -- Ann: r{k} when at[{k}] = i & !({alone}) set at[{k}] = s, {share} --> q\n"
        body += f"q -- Ann: f{k} when at[{k}] = i & {alone} set at[{k}] = e --> q\n"
        body += f"q -- Ann: w{k} when at[{k}] != m set at[{k}] = m, {drop} --> q\n"
        body += f"q -- Ann: x{k} when at[{k}] != i set at[{k}] = i --> q\n"
    return pact("Cache", body, "all a in 1..N : all b in 1..N : a = b | !(at[a] = m & at[b] != i)", holds)


@family(4, 6, 8)
def election(n, holds):
    """Chang and Roberts' election in a ring of n: nobody but the greatest is elected; the greatest is."""
    body = f"param N = {n}\nvar slot[1..N] : 0..N = 0\nvar sent[1..N], won[1..N] : bool = false\nstart s\n"
    order = [(i * 5 + 2) % n + 1 if n % 5 else i for i in range(1, n + 1)]
    for i in range(1, n + 1):
        after, own = i % n + 1, order[i - 1]
        body += f"s -- Ann: a{i} when !sent[{i}] & slot[{after}] = 0 set sent[{i}] = true, slot[{after}] = {own} --> s\n"
        body += f"s -- Ann: b{i} when slot[{i}] > {own} & slot[{after}] = 0 set slot[{after}] = slot[{i}], slot[{i}] = 0 --> s\n"
        body += f"s -- Ann: c{i} when slot[{i}] > 0 & slot[{i}] < {own} set slot[{i}] = 0 --> s\n"
        body += f"s -- Ann: d{i} when slot[{i}] = {own} set slot[{i}] = 0, won[{i}] = true --> s\n"
    best = order.index(max(order)) + 1
    formula = " & ".join(f"!won[{i}]" for i in range(1, n + 1) if i != best) if holds else f"!won[{best}]"
    return pact("Election", body, formula, holds)


@family(6, 12, 24)
def readers(n, holds):
    """n readers and a writer count one another: how many read is how many are reading (a sum). In the wrong one a reader is not counted."""
    body = f"param N = {n}\nvar r[1..N] : bool = false\nvar count : 0..N = 0\nvar writes : bool = false\nstart s\n"
    for i in range(1, n + 1):
        adds = ", count = count + 1" if holds or i < n else ""
        extra = "" if holds or i < n else f" & count = {n // 2}"
        body += f"s -- Ann: a{i} when !r[{i}] & !writes & count < N{extra} set r[{i}] = true{adds} --> s\n"
        body += f"s -- Ann: b{i} when r[{i}] & count > 0 set r[{i}] = false, count = count - 1 --> s\n"
    body += "s -- Ann: w when count = 0 & !writes set writes = true --> s\ns -- Ann: x when writes set writes = false --> s\n"
    return pact("Readers", body, "(writes -> all i in 1..N : !r[i]) & (sum i in 1..N : if r[i] then 1 else 0) = count", holds)


@family(4, 8, 16)
def kanban(n, holds):
    """A line of n cells with three cards each (a Petri net with counters): cards are neither made nor lost."""
    body = f"param N = {n}\nvar idle[1..N] : 0..3 = 3\nvar work[1..N], done[1..N] : 0..3 = 0\nstart s\n"
    for i in range(1, n + 1):
        if i == 1:
            body += "s -- Ann: in1 when idle[1] > 0 & work[1] < 3 set idle[1] = idle[1] - 1, work[1] = work[1] + 1 --> s\n"
        body += f"s -- Ann: w{i} when work[{i}] > 0 & done[{i}] < 3 set work[{i}] = work[{i}] - 1, done[{i}] = done[{i}] + 1 --> s\n"
        if i < n:
            j = i + 1
            body += (
                f"s -- Ann: m{i} when done[{i}] > 0 & idle[{j}] > 0 & work[{j}] < 3 & idle[{i}] < 3"
                f" set done[{i}] = done[{i}] - 1, idle[{i}] = idle[{i}] + 1, idle[{j}] = idle[{j}] - 1, work[{j}] = work[{j}] + 1 --> s\n"
            )
        else:
            body += f"s -- Ann: out when done[{n}] > 0 & idle[{n}] < 3 set done[{n}] = done[{n}] - 1, idle[{n}] = idle[{n}] + 1 --> s\n"
    if holds:
        return pact("Kanban", body, "all i in 1..N : idle[i] + work[i] + done[i] = 3", True)
    return pact("Kanban", body, f"done[N] < 2 | (sum i in 1..N : done[i]) < {min(2 + n // 2, n + 1)}", False)


@family(3, 4, 6)
def bank(n, holds):
    """Money goes from account to account: the sum stays; in the wrong one a fee is taken once."""
    body = f"param N = {n}\nvar x[1..N] : 0..7 = 3\nvar fee : bool = false\nstart s\n"
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            if i != j:
                body += f"s -- Ann: t{i}_{j} when x[{i}] > 0 & x[{j}] < 7 set x[{i}] = x[{i}] - 1, x[{j}] = x[{j}] + 1 --> s\n"
    if not holds:
        body += f"s -- Ann: fee when x[1] = 7 & !fee set x[1] = x[1] - 1, fee = true --> s\n"
    return pact("Bank", body, f"(sum i in 1..N : x[i]) = {3 * n}", holds)


@family(4, 8, 12)
def lift(n, holds):
    """A lift between n floors moves with its door shut and towards calls; in the wrong one it starts with the door open when it is full."""
    body = f"param N = {n}\nvar floor : 1..N = 1\nvar moving, open, full : bool = false\nvar call[1..N] : bool = false\nstart s\n"
    body += "s -- Ann: fill when open & !full set full = true --> s\ns -- Ann: leave when open & full set full = false --> s\n"
    for i in range(1, n + 1):
        body += f"s -- Ann: call{i} when !call[{i}] set call[{i}] = true --> s\n"
        body += f"s -- Ann: serve{i} when floor = {i} & call[{i}] & !moving set open = true, call[{i}] = false --> s\n"
    body += "s -- Ann: shut when open set open = false --> s\n"
    body += "s -- Ann: go when !open & !moving & (any i in 1..N : call[i]) set moving = true --> s\n"
    body += "s -- Ann: up when moving & floor < N set floor = floor + 1 --> s\n"
    body += "s -- Ann: down when moving & floor > 1 set floor = floor - 1 --> s\n"
    body += "s -- Ann: stop when moving & (any i in 1..N : call[i] & floor = i) set moving = false --> s\n"
    if not holds:
        body += "s -- Ann: slip when open & full & floor = N set moving = true --> s\n"
    return pact("Lift", body, "!(moving & open)", holds)


@family(2, 4, 8)
def window(n, holds):
    """A sender with a window of n over numbers modulo 2n and a receiver: what is expected is within the window; in the wrong one the
    sender is one ahead."""
    m = 2 * n
    body = f"var base, next, want : 0..{m - 1} = 0\nvar wire : 0..{m} = {m}\nvar back : 0..{m} = {m}\nstart s\n"
    ahead = n if holds else n + 1
    body += f"s -- Ann: send when wire = {m} & (next + {m} - base) % {m} < {ahead} set wire = next, next = (next + 1) % {m} --> s\n"
    body += f"s -- Ann: again when wire = {m} & next != base set wire = base --> s\n"
    body += f"s -- Ann: lose when wire != {m} set wire = {m} --> s\ns -- Ann: lose2 when back != {m} set back = {m} --> s\n"
    body += f"s -- Ann: take when wire = want & back = {m} set wire = {m}, want = (want + 1) % {m}, back = (want + 1) % {m} --> s\n"
    body += f"s -- Ann: drop when wire != want & wire != {m} & back = {m} set wire = {m}, back = want --> s\n"
    body += f"s -- Ann: ack when back != {m} set base = back, back = {m} --> s\n"
    return pact("Window", body, f"(want + {m} - base) % {m} <= {n} & (next + {m} - want) % {m} <= {n}", holds)


@family(4, 6, 8)
def sorter(n, holds):
    """Neighbours out of order are swapped: the sum of squares stays; the last state is sorted."""
    import random

    rng = random.Random(n)
    values = [rng.randrange(0, 8) for _ in range(n)]
    body = f"param N = {n}\nvar " + "\nvar ".join(f"x{i} : 0..7 = {v}" for i, v in enumerate(values, 1)) + "\nstart s\n"
    for i in range(1, n):
        body += f"s -- Ann: w{i} when x{i} > x{i + 1} set x{i} = x{i + 1}, x{i + 1} = x{i} --> s\n"
    body += "s -- Ann: rest --> s\n"
    total = " + ".join(f"x{i}" for i in range(1, n + 1))
    if holds:
        return pact("Sorter", body, f"{total} = {sum(values)}", True)
    ordered = " & ".join(f"x{i} = {v}" for i, v in enumerate(sorted(values), 1))
    return pact("Sorter", body, f"!({ordered})", False)


def text(name, size, holds):
    return FAMILIES[name][0](size, holds)


def extension(name):
    return "ispl" if name == "arbiter" else "pact"


def write_all(folder, most=9):
    """Writes every family; gives (name, size, verdict, path)."""
    os.makedirs(folder, exist_ok=True)
    rows = []
    for name, (_, sizes) in FAMILIES.items():
        for size in sizes[:most]:
            for holds in (True, False):
                path = os.path.join(folder, f"{name}-{size}-{str(holds).lower()}.{extension(name)}")
                with open(path, "w") as file:
                    file.write(text(name, size, holds))
                rows.append((name, size, holds, path))
    return rows


def main(words):
    match words:
        case ["list"]:
            for name, (make, sizes) in FAMILIES.items():
                print(f"{name:14} {' '.join(map(str, sizes)):12} {' '.join(make.__doc__.split())}")
        case ["all", folder, *most]:
            write_all(folder, *map(int, most))
        case [name, size, ("true" | "false") as holds] if name in FAMILIES:
            print(text(name, int(size), holds == "true"), end="")
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
