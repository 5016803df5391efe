"""Families of processes, written once for all checkers."""
from .processes import Model


def scheduler(n):
    """Milner's scheduler: a task starts when the one before has, and not before it has ended itself. Servanda is given the CCS."""
    model = Model("Scheduler")
    for i in range(n):
        model.process(f"C{i}", "ready" if i == 0 else "waits")
    for i in range(n):
        next_cell = (i + 1) % n
        model.step(f"C{i}", f"a{i}", "ready", "works")
        model.step(f"C{i}", f"b{i}", "works", "ended")
        model.step(f"C{i}", f"b{i}", "passed", "waits")
        for source, target in (("works", "passed"), ("ended", "waits")):
            model.meet(f"c{next_cell}", [(f"C{i}", source, target), (f"C{next_cell}", "waits", "ready")])
    model.ask("again", "recurrent", "C1 in works | C1 in ended | C1 in passed")
    model.ask("never_both", "always", "!(C0 in ready & C1 in ready)")
    model.ask("first_again", "reset", "C0 in ready")
    return model


def scheduler_ccs(n):
    cells = "".join(
        f"proc A{i} = c{i}.a{i}.B{i}\nproc B{i} = b{i}.'c{(i + 1) % n}.A{i} + 'c{(i + 1) % n}.b{i}.A{i}\n" for i in range(n)
    )
    parts = " | ".join(["a0.B0"] + [f"A{i}" for i in range(1, n)])
    text = cells + f"proc Main = ({parts}) \\ {{{', '.join(f'c{i}' for i in range(n))}}}\n"
    return text, ["AG AF does(a1)", "AG !(E X does(a0) & E X does(a1))", "AG EF E X does(a0)"]


def buffers(n):
    """Buffers with one place each in a row. Servanda is given the CCS."""
    model = Model("Buffers")
    for i in range(n):
        model.process(f"C{i}", "empty")
    model.step("C0", "m0", "empty", "full")
    for i in range(n - 1):
        model.meet(f"m{i + 1}", [(f"C{i}", "full", "empty"), (f"C{i + 1}", "empty", "full")])
    model.step(f"C{n - 1}", f"m{n}", "full", "empty")
    model.ask("comes_out", "reset", f"C{n - 1} in full")
    model.ask("never", "always", f"!(C{n - 1} in full)")
    model.ask("moves", "inevitable", "C1 in full")
    return model


def buffers_ccs(n):
    text = "".join(f"proc C{i} = m{i}.'m{i + 1}.C{i}\n" for i in range(n))
    text += f"proc Main = ({' | '.join(f'C{i}' for i in range(n))}) \\ {{{', '.join(f'm{i}' for i in range(1, n))}}}\n"
    return text, [f"AG EF does('m{n})", f"AG !does('m{n})", "AF does(tau)"]


def philosophers(n):
    model = Model("Philosophers")
    for i in range(1, n + 1):
        model.variable(f"fork{i}", True)
    for i in range(1, n + 1):
        left, right = f"fork{i}", f"fork{i % n + 1}"
        model.process(f"M{i}", "thinks")
        model.step(f"M{i}", "left", "thinks", "one", left, **{left: "false"})
        model.step(f"M{i}", "right", "one", "eats", right, **{right: "false"})
        model.step(f"M{i}", "stop", "eats", "thinks", **{left: "true", right: "true"})
    model.ask("neighbours", "always", "!(M1 in eats & M2 in eats)")
    model.ask("eats_again", "reset", "M1 in eats")
    model.ask("eats", "response", "M1 in one", "M1 in eats")
    return model


def bakery(n, tickets):
    model = Model("Bakery")
    numbers = [f"number{i}" for i in range(1, n + 1)]
    for name in numbers:
        model.variable(name, 0, 0, tickets)
    for i, mine in enumerate(numbers, 1):
        process = f"P{i}"
        model.process(process, "idle")
        for m in range(1, tickets + 1):
            free = " & ".join(f"{name} < {m}" for name in numbers)
            last = " | ".join(f"{name} = {m - 1}" for name in numbers)
            model.step(process, "take", "idle", "wait", free if m == 1 else f"{free} & ({last})", **{mine: str(m)})
        first = " & ".join(f"({other} = 0 | {mine} < {other})" for other in numbers if other != mine)
        model.step(process, "enter", "wait", "crit", first or "true")
        model.step(process, "leave", "crit", "idle", **{mine: "0"})
    pairs = [(i, j) for i in range(1, n + 1) for j in range(i + 1, n + 1)]
    model.ask("exclusive", "always", " & ".join(f"!(P{i} in crit & P{j} in crit)" for i, j in pairs))
    model.ask("served", "response", "P1 in wait", "P1 in crit")
    model.ask("reachable", "reset", "P1 in crit")
    return model


def election(n, slots):
    """Leader election in a ring: who hears of a larger number passes it on and gives up; queues of so many places between neighbours."""
    model = Model("Election")
    queue = lambda i: [f"q{i}_{k}" for k in range(1, slots + 1)]
    for i in range(1, n + 1):
        for name in queue(i):
            model.variable(name, 0, 0, n)
    model.variable("leader", 0, 0, n)
    for i in range(1, n + 1):
        process, mine, other = f"M{i}", queue(i), queue(i % n + 1)
        model.process(process, "fresh")
        take = {name: after for name, after in zip(mine, mine[1:] + ["0"])}

        def puts(value):
            for k, name in enumerate(other):
                yield f"{name} = 0" + (f" & {other[k - 1]} != 0" if k else ""), {name: value}

        for when, put in puts(str(i)):
            model.step(process, "send", "fresh", "active", when, **put)
        for when, put in puts(mine[0]):
            model.step(process, "forward", "active", "passive", f"{mine[0]} > {i} & {when}", **put, **take)
        model.step(process, "drop", "active", "active", f"{mine[0]} != 0 & {mine[0]} < {i}", **take)
        model.step(process, "win", "active", "won", f"{mine[0]} = {i}", leader=str(i), **take)
        for when, put in puts(mine[0]):
            model.step(process, "forward", "passive", "passive", f"{mine[0]} != 0 & {when}", **put, **take)
    model.ask("largest", "always", f"leader = 0 | leader = {n}")
    model.ask("elected", "inevitable", "leader != 0")
    model.ask("possible", "possible", f"leader = {n}")
    model.ask("not_first", "always", "leader != 1")
    return model


def tokens(n):
    """Who has the token may enter; it goes round."""
    model = Model("Tokens")
    model.variable("at", 1, 1, n)
    for i in range(1, n + 1):
        process, onwards = f"M{i}", str(i % n + 1)
        model.process(process, "idle")
        model.step(process, "want", "idle", "waiting")
        model.step(process, "enter", "waiting", "busy", f"at = {i}")
        model.step(process, "leave", "busy", "idle", at=onwards)
        model.step(process, "pass", "idle", "idle", f"at = {i}", at=onwards)
    model.ask("exclusive", "always", "!(M1 in busy & M2 in busy)")
    model.ask("served", "response", "M1 in waiting", "M1 in busy")
    model.ask("possible", "reset", "M2 in busy")
    model.ask("again", "recurrent", "at = 1")
    return model


def fair_tokens(n):
    return tokens(n).pact() + "".join(f"fair at = {i}\n" for i in range(1, n + 1))


def queues(n, slots):
    """Workers in a row; each has a queue of jobs, numbered by who they are for, and passes on what is not for itself."""
    model = Model("Queues")
    for i in range(1, n + 1):
        for k in range(1, slots + 1):
            model.variable(f"q{i}_{k}", 0, 0, n)
    model.variable("done", 0, 0, n)
    model.process("Source", "on")
    for job in range(1, n + 1):
        for k in range(1, slots + 1):
            free = f"q1_{k} = 0" + (f" & q1_{k - 1} != 0" if k > 1 else "")
            model.step("Source", f"job{job}", "on", "on", free, **{f"q1_{k}": str(job)})
    for i in range(1, n + 1):
        model.process(f"W{i}", "on")
        mine = [f"q{i}_{k}" for k in range(1, slots + 1)]
        take = {name: after for name, after in zip(mine, mine[1:] + ["0"])}
        model.step(f"W{i}", "work", "on", "on", f"{mine[0]} = {i}", done=str(i), **take)
        for k in range(1, slots + 1):
            if i < n:
                free = f"q{i + 1}_{k} = 0" + (f" & q{i + 1}_{k - 1} != 0" if k > 1 else "")
                model.step(f"W{i}", "pass", "on", "on", f"{mine[0]} > {i} & {free}", **{f"q{i + 1}_{k}": mine[0]}, **take)
    model.ask("no_stray", "always", " & ".join(f"(q{i}_1 = 0 | q{i}_1 >= {i})" for i in range(1, n + 1)))
    model.ask("last", "possible", f"done = {n}")
    model.ask("last_again", "reset", f"done = {n}")
    return model


def gossip(n):
    """Friends call each other and tell all they know."""
    model = Model("Gossip")
    know = lambda i, j: "true" if i == j else f"k{i}_{j}"
    every = [(i, j) for i in range(1, n + 1) for j in range(1, n + 1) if i != j]
    for i, j in every:
        model.variable(know(i, j), False)
    model.process("Line", "s")
    for i in range(1, n + 1):
        for j in range(i + 1, n + 1):
            told = {}
            for m in range(1, n + 1):
                both = f"{know(i, m)} | {know(j, m)}"
                told.update({know(who, m): both for who in (i, j) if who != m})
            model.step("Line", f"call_{i}_{j}", "s", "s", **told)
    model.ask("all_know", "possible", " & ".join(know(i, j) for i, j in every))
    model.ask("must", "inevitable", "k1_2")
    model.ask("unheard", "always", "k1_2 | !k2_1 | k1_3" if n > 2 else "true")
    return model


def hanoi(discs):
    """The Tower of Hanoi: a disc moves from the top of one peg to another where no smaller one lies."""
    model = Model("Hanoi")
    for disc in range(1, discs + 1):
        model.variable(f"d{disc}", 1, 1, 3)
    model.process("Hand", "on")
    for disc in range(1, discs + 1):
        for source in (1, 2, 3):
            for target in (1, 2, 3):
                if source != target:
                    free = [f"d{small} = {6 - source - target}" for small in range(1, disc)]
                    when = " & ".join([f"d{disc} = {source}", *free])
                    model.step("Hand", f"move{disc}_{source}_{target}", "on", "on", when, **{f"d{disc}": str(target)})
    model.ask("solvable", "possible", " & ".join(f"d{disc} = 3" for disc in range(1, discs + 1)))
    model.ask("can_go_back", "reset", f"d{discs} = 1")
    return model


def kanban(cards):
    """The Kanban net (Ciardo and Tilgner): four cells with so many cards each; the second and third work side by side."""
    model = Model("Kanban")
    model.process("Net", "on")
    for cell in range(1, 5):
        model.variable(f"p{cell}", cards, 0, cards)
        for place in ("m", "back", "out"):
            model.variable(f"{place}{cell}", 0, 0, cards)

    def fire(name, take, give):
        sets = {place: f"{place} - 1" for place in take} | {place: f"{place} + 1" for place in give}
        room = [f"{place} < {cards}" for place in give]
        model.step("Net", name, "on", "on", " & ".join([f"{place} > 0" for place in take] + room), **sets)

    for cell in range(1, 5):
        fire(f"redo{cell}", [f"m{cell}"], [f"back{cell}"])
        fire(f"again{cell}", [f"back{cell}"], [f"m{cell}"])
        fire(f"ok{cell}", [f"m{cell}"], [f"out{cell}"])
    fire("in1", ["p1"], ["m1"])
    fire("split", ["out1", "p2", "p3"], ["p1", "m2", "m3"])
    fire("join", ["out2", "out3", "p4"], ["p2", "p3", "m4"])
    fire("out4", ["out4"], ["p4"])
    model.ask("keeps_cards", "always", f"p1 + m1 + back1 + out1 = {cards}")
    model.ask("ships", "possible", f"out4 = {cards}")
    model.ask("ships_again", "reset", "out4 > 0")
    return model


def counters(k, most):
    """Independent counters: very many states, small diagrams."""
    model = Model("Counters")
    model.process("Ann", "s")
    for i in range(k):
        name = f"c{i}"
        model.variable(name, 0, 0, most)
        model.step("Ann", f"up{i}", "s", "s", f"{name} < {most}", **{name: f"{name} + 1"})
        model.step("Ann", f"down{i}", "s", "s", f"{name} > 0", **{name: f"{name} - 1"})
    total = " + ".join(f"c{i}" for i in range(k))
    model.ask("reach", "possible", f"{total} = {k * most}")
    model.ask("back", "reset", "c0 = 0")
    model.ask("bound", "always", f"{total} <= {k * most}")
    return model


def contract(n):
    """The contract net without its commitments: bids, one award, a report."""
    model = Model("Contract")
    model.variable("bids", 0, 0, n)
    model.variable("answered", 0, 0, n)
    model.variable("awarded", 0, 0, n)
    model.variable("reported", False)
    for i in range(1, n + 1):
        process = f"B{i}"
        model.process(process, "waiting")
        model.step(process, "bid", "waiting", "offered", f"bids < {n} & answered < {n}", bids="bids + 1", answered="answered + 1")
        model.step(process, "decline", "waiting", "out", f"answered < {n}", answered="answered + 1")
        model.step(process, "award", "offered", "chosen", f"answered = {n} & awarded = 0", awarded=str(i))
        model.step(process, "refuse", "offered", "out", f"answered = {n} & awarded != 0")
        model.step(process, "work", "chosen", "working")
        model.step(process, "report", "working", "finished", reported="true")
    model.ask("one_wins", "always", "!(B1 in chosen & B2 in chosen)")
    model.ask("reported_if_awarded", "response", "awarded != 0", "reported")
    model.ask("someone_may_win", "possible", "awarded != 0")
    model.ask("bid_is_answered", "reset", "B1 in waiting | awarded != 0 | bids = 0")
    return model
