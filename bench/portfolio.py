#!/usr/bin/env python3
"""Is `--engine auto` ever much slower than the best single engine?

    portfolio.py models DIR               writes the models of all families and sizes
    portfolio.py run BINARY DIR [PART]    runs every engine and auto on them (those whose names contain PART) and prints a table

CPU time (user and system) counts, not wall time. An engine is given up after LIMIT seconds; the best engine is the one that decided
everything soonest. A row is marked where auto takes more than 1.5 times as long as the best engine, or more than 20 ms longer where that
one takes less than 50 ms.
"""
import json
import os
import pathlib
import resource
import subprocess
import sys

LIMIT = float(os.environ.get("LIMIT", "20"))
ENGINES = ["tableau", "bdd", "sat"]


# Pact -----------------------------------------------------------------------------------------------------------------------------

def contract_net(n):
    """A manager announces a task; bidders bid or decline; one is awarded and reports."""
    return f"""protocol ContractNet
param N = {n}
roles Manager, Bidder[1..N]
var bids, answered : 0..N = 0
var awarded : 0..N = 0
var reported : bool = false
for i in 1..N {{
  commitment task[i] = SC(Bidder[i], Manager, awarded = i -> F reported)
  machine Side[i] {{
    start waiting
    waiting  -- Cr(Bidder[i], task[i]) set bids = bids + 1, answered = answered + 1 --> offered
    waiting  -- Bidder[i]: decline set answered = answered + 1 --> out
    offered  -- Ac(Manager, task[i]) when answered = N & awarded = 0 set awarded = i --> chosen
    offered  -- Ref(Manager, task[i]) when answered = N & awarded != 0 --> out
    chosen   -- Bidder[i]: work --> working
    working  -- Sat(Bidder[i], task[i]) set reported = true --> done
    working  -- Vio(Bidder[i], task[i]) --> out
  }}
  property only_after_bid[i] = AG (awarded = i -> SC(Bidder[i], Manager, awarded = i -> F reported) | reported | Side[i] in out)
}}
property someone_may_win = EF awarded != 0
property reported_if_awarded = AG (awarded != 0 -> AF reported)
property decided = AG (answered = N & bids > 0 -> EF awarded != 0)
"""


def bakery(n, tickets):
    return f"""protocol Bakery
param N = {n}
roles Client[1..N]
var number[1..N] : 0..{tickets} = 0
for i in 1..N {{
  machine P[i] {{
    start idle
    for m in 1..{tickets} {{
      idle -- Client[i]: take when (all j in 1..N : number[j] < m) & (m = 1 | any j in 1..N : number[j] = m - 1) set number[i] = m --> wait
    }}
    wait -- Client[i]: enter when all j in 1..N : j = i | number[j] = 0 | number[i] < number[j] --> crit
    crit -- Client[i]: leave set number[i] = 0 --> idle
  }}
}}
property exclusive = AG all i in 1..N : all j in 1..N : i = j | !(P[i] in crit & P[j] in crit)
property served = AG (P[1] in wait -> AF P[1] in crit)
property reachable = AG EF P[1] in crit
"""


def election(n, slots):
    """Leader election in a ring (largest number wins); queues written as variables."""
    lines = ["protocol Election", f"roles Node[1..{n}]"]
    for i in range(1, n + 1):
        lines += [f"var q{i}[1..{slots}] : 0..{n} = 0"]
    lines += [f"var leader : 0..{n} = 0"]
    for i in range(1, n + 1):
        to = i % n + 1
        lines += [f"machine M{i} {{", "  start fresh"]
        def put(value, extra=""):
            rows = []
            for k in range(1, slots + 1):
                before = f"q{to}[{k}] = 0" + (f" & q{to}[{k - 1}] != 0" if k > 1 else "")
                rows.append((before, f"q{to}[{k}] = {value}"))
            return rows
        for when, put_it in put(i):
            lines.append(f"  fresh -- Node[{i}]: send when {when} set {put_it} --> active")
        pop = ", ".join([f"q{i}[{k}] = q{i}[{k + 1}]" for k in range(1, slots)] + [f"q{i}[{slots}] = 0"])
        for state in ("active",):
            for when, put_it in put(f"q{i}[1]"):
                lines.append(f"  {state} -- Node[{i}]: forward when q{i}[1] > {i} & {when} set {put_it}, {pop} --> passive")
            lines.append(f"  {state} -- Node[{i}]: drop when q{i}[1] != 0 & q{i}[1] < {i} set {pop} --> active")
            lines.append(f"  {state} -- Node[{i}]: win when q{i}[1] = {i} set leader = {i}, {pop} --> won")
        for when, put_it in put(f"q{i}[1]"):
            lines.append(f"  passive -- Node[{i}]: forward when q{i}[1] != 0 & {when} set {put_it}, {pop} --> passive")
        lines.append("}")
    lines += [f"property largest = AG (leader = 0 | leader = {n})", "property elected = AF leader != 0",
              f"property possible = EF leader = {n}", "property not_first = AG leader != 1", "property stays = AG (leader != 0 -> AG leader != 0)"]
    return "\n".join(lines) + "\n"


def commit(n):
    return f"""protocol TwoPhaseCommit
param N = {n}
roles Coordinator, Part[1..N]
var yes, no, told : 0..N = 0
var outcome : {{open, commit, abort}} = open
machine C {{
  start ask
  ask -- Coordinator: prepare --> voting
  voting -- Coordinator: commit when yes = N set outcome = commit --> done
  voting -- Coordinator: abort when no > 0 set outcome = abort --> done
}}
for i in 1..N {{
  machine P[i] {{
    start working
    working -- Part[i]: vote_yes when C in voting set yes = yes + 1 --> ready
    working -- Part[i]: vote_no when C in voting set no = no + 1 --> aborted
    ready -- Part[i]: commits when outcome = commit set told = told + 1 --> committed
    ready -- Part[i]: aborts when outcome = abort set told = told + 1 --> aborted
  }}
}}
property agree = AG !((any i in 1..N : P[i] in committed) & (any i in 1..N : P[i] in aborted))
property ends = AF outcome != open
property may_commit = EF told = N
property valid = AG (outcome = commit -> no = 0)
"""


def philosophers(n):
    lines = ["protocol Philosophers", f"roles Phil[1..{n}]", f"var fork[1..{n}] : bool = true"]
    for i in range(1, n + 1):
        r = i % n + 1
        lines += [f"machine M{i} {{", "  start thinks",
                  f"  thinks -- Phil[{i}]: left when fork[{i}] set fork[{i}] = false --> one",
                  f"  one -- Phil[{i}]: right when fork[{r}] set fork[{r}] = false --> eats",
                  f"  eats -- Phil[{i}]: stop set fork[{i}] = true, fork[{r}] = true --> thinks", "}"]
    lines += ["property neighbours = AG !(M1 in eats & M2 in eats)", "property eats_again = AG EF M1 in eats",
              "property eats = AG (M1 in one -> AF M1 in eats)"]
    return "\n".join(lines) + "\n"


def counters(k, most):
    """Independent counters: very many states, small diagrams."""
    lines = ["protocol Counters", "roles Ann", "start s"]
    for i in range(k):
        lines.insert(2, f"var c{i} : 0..{most} = 0")
        lines += [f"s -- Ann: up{i} when c{i} < {most} set c{i} = c{i} + 1 --> s", f"s -- Ann: down{i} when c{i} > 0 set c{i} = c{i} - 1 --> s"]
    total = " + ".join(f"c{i}" for i in range(k))
    lines += [f"property reach = EF {total} = {k * most}", "property back = AG EF c0 = 0", f"property bound = AG {total} <= {k * most}"]
    return "\n".join(lines) + "\n"


def shuffle(n):
    """Neighbours change places: n! states, and diagrams do not like permutations."""
    lines = ["protocol Shuffle", "roles Ann"] + [f"var x{i} : 1..{n} = {i}" for i in range(1, n + 1)] + ["start s"]
    lines += [f"s -- Ann: swap{i} set x{i} = x{i + 1}, x{i + 1} = x{i} --> s" for i in range(1, n)]
    lines += [f"property reversed = EF ({' & '.join(f'x{i} = {n + 1 - i}' for i in range(1, n + 1))})",
              "property distinct = AG x1 != x2", f"property always_back = AG EF x1 = 1"]
    return "\n".join(lines) + "\n"


def chain(most):
    """One long cycle: as many levels as states."""
    return f"""protocol Chain
roles Ann
var x : 0..{most - 1} = 1
var seen : bool = false
start s
s -- Ann: step set x = (x * 5 + 3) % {most}, seen = seen | x = {most // 2} --> s
property comes_back = AG AF x = 1
property sees = AF seen
property small = AG x < {most}
"""


def adder(bits):
    """A binary counter made of bits: 2^bits levels."""
    names = [f"b{i}" for i in range(bits)]
    lines = ["protocol Adder", "roles Ann", f"var {', '.join(names)} : bool = false", "start s"]
    for i, name in enumerate(names):
        low = " & ".join(names[:i]) or "true"
        clear = "".join(f", {other} = false" for other in names[:i])
        lines.append(f"s -- Ann: tick{i} when {low} & !{name} set {name} = true{clear} --> s")
    lines += [f"property full = AF ({' & '.join(names)})", f"property never_all = AG !({' & '.join(names)})"]
    return "\n".join(lines) + "\n"


def gossip(n):
    lines = ["protocol Gossip", f"roles Friend[1..{n}]"]
    for i in range(1, n + 1):
        lines.append("var " + ", ".join(f"k{i}_{j}" for j in range(1, n + 1) if j != i) + " : bool = false")
    know = lambda i, j: "true" if i == j else f"k{i}_{j}"
    lines.append("start s")
    for i in range(1, n + 1):
        for j in range(i + 1, n + 1):
            sets = []
            for m in range(1, n + 1):
                both = f"{know(i, m)} | {know(j, m)}"
                if m != i:
                    sets.append(f"k{i}_{m} = {both}")
                if m != j:
                    sets.append(f"k{j}_{m} = {both}")
            lines.append(f"s -- Friend[{i}]: call_{i}_{j} set {', '.join(sets)} --> s")
    everything = " & ".join(f"k{i}_{j}" for i in range(1, n + 1) for j in range(1, n + 1) if i != j)
    lines += [f"property all_know = EF ({everything})", f"property stays = AG (k1_2 -> AG k1_2)", f"property must = AF k1_2"]
    return "\n".join(lines) + "\n"


def cards(n):
    """Each of two players holds a hidden card out of n; they ask and answer. Knowledge over many initial states."""
    return f"""protocol Cards
roles Ann, Bob
private var a of Ann : 1..{n}
private var b of Bob : 1..{n}
var higher : {{unknown, ann, bob}} = unknown
var low : 0..{n} = 0
start deal
deal -- Ann: ask when a != b --> asked
asked -- Bob: answer_ann when a > b set higher = ann --> told
asked -- Bob: answer_bob when b > a set higher = bob --> told
for k in 1..{n} {{
  told -- Ann: at_least when a >= k & low < k set low = k --> told
}}
property learns = AG (higher = ann & a = 2 -> K(Ann, b = 1))
property ignorant = AG (in deal & a = 3 -> !K(Ann, b = 2))
property common = AG (higher = ann -> GCK({{Ann, Bob}}, a > b))
property sees = AG (low = {n} -> K(Bob, a = {n}))
"""


def escrow(n):
    """Many deals side by side: commitments in force in each."""
    return f"""protocol Escrow
param N = {n}
roles Agent, Buyer[1..N], Seller[1..N]
var paid[1..N], sent[1..N] : bool = false
for i in 1..N {{
  commitment pay[i] = SC(Buyer[i], Seller[i], F paid[i])
  commitment ship[i] = SC(Seller[i], Buyer[i], paid[i] -> F sent[i])
  machine D[i] {{
    start new
    new -- Cr(Buyer[i], pay[i]) --> asked
    asked -- Cr(Seller[i], ship[i]) --> agreed
    asked -- Wit(Buyer[i], pay[i]) --> new
    agreed -- Sat(Buyer[i], pay[i]) set paid[i] = true --> held
    held -- Sat(Seller[i], ship[i]) set sent[i] = true --> done
    held -- Agent: refund set paid[i] = false --> failed
  }}
}}
property first = AG (D[1] in agreed -> SC(Buyer[1], Seller[1], F paid[1]))
property may = EF all i in 1..N : sent[i]
property kept = AG (D[1] in held -> AF sent[1])
"""


def tokens(n, fair):
    lines = ["protocol Tokens", f"roles Node[1..{n}]", f"var at : 1..{n} = 1", f"var wants[1..{n}] : bool = false"]
    for i in range(1, n + 1):
        lines += [f"machine M{i} {{", "  start idle", f"  idle -- Node[{i}]: want set wants[{i}] = true --> waiting",
                  f"  waiting -- Node[{i}]: enter when at = {i} --> busy", f"  busy -- Node[{i}]: leave set wants[{i}] = false, at = {i % n + 1} --> idle",
                  f"  idle -- Node[{i}]: pass when at = {i} set at = {i % n + 1} --> idle", "}"]
    if fair:
        lines += [f"fair at = {i}" for i in range(1, n + 1)]
    lines += ["property exclusive = AG !(M1 in busy & M2 in busy)", "property served = AG (wants[1] -> AF M1 in busy)", "property possible = AG EF M2 in busy",
              "property again = A (G F at = 1)"]
    return "\n".join(lines) + "\n"


def window(size, data):
    """A sliding window over lossy lines, written out as variables."""
    return f"""protocol Window
roles Sender, Receiver
var next, acked, wanted : 0..{data} = 0
var line : 0..{data} = 0
var back : 0..{data} = 0
var lineful, backful : bool = false
machine S {{
  start run
  run -- Sender: send when next < acked + {size} & next < {data} & !lineful set line = next, lineful = true, next = next + 1 --> run
  run -- Sender: again when next > acked set next = acked --> run
  run -- Sender: acked when backful set acked = back, backful = false --> run
}}
machine R {{
  start run
  run -- Receiver: take when lineful & line = wanted & wanted < {data} set wanted = wanted + 1, lineful = false --> run
  run -- Receiver: ignore when lineful & line != wanted set lineful = false --> run
  run -- Receiver: answer when !backful & wanted >= acked set back = wanted, backful = true --> run
}}
machine L {{
  start run
  run -- lose when lineful set lineful = false --> run
  run -- lose_back when backful set backful = false --> run
}}
property order = AG acked <= wanted
property done = EF acked = {data}
property always_done = AF acked = {data}
property may_always = AG EF acked = {data}
"""


def tree(depth):
    """Acts over time with the past: who answered must have been asked."""
    lines = ["protocol Past", "roles Ann, Bob", f"var n : 0..{depth} = 0", "commitment c = SC(Ann, Bob, F in done)", "start s",
             f"s -- Ann: more when n < {depth} set n = n + 1 --> s", "s -- Bob: less when n > 0 set n = n - 1 --> s", "s -- Cr(Ann, c) --> owed",
             f"owed -- Ann: more when n < {depth} set n = n + 1 --> owed", "owed -- Sat(Ann, c) --> done", "done -- reset set n = 0 --> s"]
    lines += ["property created = AG (in owed -> P Cr(Ann, c))", f"property counted = AG (n = {depth} -> P n = {depth // 2})",
              "property again = A (G (in owed -> F in done))", f"property branch = AG (n = {depth} -> EP n = 1)"]
    return "\n".join(lines) + "\n"


# CCS and .aut ----------------------------------------------------------------------------------------------------------------------

def scheduler(n):
    text = "".join(f"proc A{i} = c{i}.a{i}.B{i}\nproc B{i} = b{i}.'c{(i + 1) % n}.A{i} + 'c{(i + 1) % n}.b{i}.A{i}\n" for i in range(n))
    parts = " | ".join(["a0.B0"] + [f"A{i}" for i in range(1, n)])
    hidden = ", ".join(f"c{i}" for i in range(n))
    return text + f"proc Main = ({parts}) \\ {{{hidden}}}\n", ["AG AF does(a1)", "AG EF does(a0)", "A (G (does(a1) -> X (!does(a1) W does(a2))))"]


def buffers(n):
    text = "".join(f"proc C{i} = m{i}.'m{i + 1}.C{i}\n" for i in range(n))
    return text + f"proc Main = ({' | '.join(f'C{i}' for i in range(n))}) \\ {{{', '.join(f'm{i}' for i in range(1, n))}}}\n", [f"AG EF does('m{n})", f"AG !does('m{n})", "AF does(tau)"]


def random_aut(states, degree):
    seed = 12345
    rows = []
    for s in range(states):
        for _ in range(degree):
            seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
            rows.append(f'({s}, "{"abc"[(seed >> 20) % 3]}", {(seed >> 33) % states})')
    return f"des (0, {len(rows)}, {states})\n" + "\n".join(rows) + "\n", ['AG EF does("a")', 'AG AF does("b")', 'EG does("c")']


# ISPL ------------------------------------------------------------------------------------------------------------------------------

def lamps(n, steps):
    """Agents that switch lamps and see their neighbour's; a clock."""
    out = [f"Agent Environment\n  Obsvars:\n    clock : 0 .. {steps};\n  end Obsvars\n  Actions = {{tick}};\n  Protocol: Other : {{tick}}; end Protocol\n  Evolution:\n    clock = clock + 1 if clock < {steps};\n  end Evolution\nend Agent"]
    for i in range(n):
        out.append(f"Agent L{i}\n  Vars:\n    on : boolean;\n  end Vars\n  Actions = {{flip, keep}};\n  Protocol: Other : {{flip, keep}}; end Protocol\n  Evolution:\n    on = true if on = false and Action = flip and L{(i + 1) % n}.Action = keep;\n    on = false if on = true and Action = flip;\n  end Evolution\nend Agent")
    out.append("Evaluation\n" + "".join(f"  on{i} if L{i}.on = true;\n" for i in range(n)) + f"  late if Environment.clock = {steps};\nend Evaluation")
    out.append("InitStates\n  Environment.clock = 0 and " + " and ".join(f"L{i}.on = false" for i in range(n)) + ";\nend InitStates")
    out.append("Formulae\n  AG(on0 -> K(L0, on0));\n  AG(late -> EF on0);\n  EF(" + " and ".join(f"on{i}" for i in range(n)) + ");\n  AF on0;\n  AG(on0 -> !K(L0, on1));\nend Formulae\n")
    return "\n".join(out)


def families():
    """(file name, text, formulas)."""
    pact = [("contract_net", contract_net, [(4,), (6,), (8,), (9,)]), ("bakery", bakery, [(3, 4), (5, 6), (6, 8), (7, 8)]),
            ("election", election, [(7, 2), (10, 2), (12, 1), (12, 2)]), ("commit", commit, [(6,), (9,), (12,)]), ("philosophers", philosophers, [(8,), (11,), (14,), (18,)]),
            ("counters", counters, [(4, 15), (6, 9), (10, 9), (24, 9)]), ("shuffle", shuffle, [(6,), (8,), (9,), (10,)]), ("chain", chain, [(1 << 12,), (1 << 16,), (1 << 19,)]),
            ("adder", adder, [(12,), (16,), (19,)]), ("gossip", gossip, [(4,), (5,), (6,)]), ("cards", cards, [(8,), (30,), (100,)]), ("escrow", escrow, [(3,), (6,), (8,), (10,)]),
            ("tokens", lambda n: tokens(n, False), [(5,), (8,), (11,), (14,)]), ("fair_tokens", lambda n: tokens(n, True), [(4,), (8,), (10,), (12,)]),
            ("window", window, [(2, 6), (6, 25), (10, 60), (20, 120)]), ("past", tree, [(50,), (2000,), (30000,)])]
    for name, make, sizes in pact:
        for size in sizes:
            yield f"{name}-{'-'.join(map(str, size))}.pact", make(*size), []
    for n in (8, 12, 14, 16):
        text, formulas = scheduler(n)
        yield f"scheduler-{n}.ccs", text, formulas
    for n in (10, 16, 20, 30):
        text, formulas = buffers(n)
        yield f"buffers-{n}.ccs", text, formulas
    for states, degree in ((2000, 3), (100000, 3)):
        text, formulas = random_aut(states, degree)
        yield f"random-{states}.aut", text, formulas
    for n, steps in ((4, 10), (8, 30), (14, 60)):
        yield f"lamps-{n}-{steps}.ispl", lamps(n, steps), []


# Running ---------------------------------------------------------------------------------------------------------------------------

def cpu_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done


def ask(binary, path, formulas, engine):
    command = [binary, "check", str(path), "--engine", engine, "--format", "json", "--timeout", f"{LIMIT}s", "--memory", "8G"]
    for formula in formulas:
        command += ["--formula", formula]
    seconds, done = cpu_seconds(command)
    try:
        report = json.loads(done.stdout)
    except ValueError:
        return seconds, None, done.stderr[-300:]
    verdicts = [row["verdict"] for row in report["properties"]]
    findings = sorted((d.get("code") or "", d["message"]) for d in report["diagnostics"])
    return seconds, verdicts, findings


def run(binary, folder, part):
    formulas_of = json.loads((folder / "formulas.json").read_text())
    print("| model | " + " | ".join(ENGINES) + " | auto | ratio | |\n|---|" + "---|" * (len(ENGINES) + 3))
    for path in sorted(folder.iterdir()):
        if path.suffix not in (".pact", ".ccs", ".aut", ".ispl") or part not in path.name:
            continue
        formulas = formulas_of.get(path.name, [])
        seconds, all_verdicts, whole = {}, {}, {}
        for engine in ENGINES + ["auto"]:
            taken, verdicts, findings = ask(binary, path, formulas, engine)
            seconds[engine] = taken
            all_verdicts[engine] = verdicts
            whole[engine] = verdicts is not None and "unknown" not in verdicts
            if verdicts is None:
                print(f"<!-- {path.name} {engine}: {findings} -->")
        known = {}
        for engine, verdicts in all_verdicts.items():
            for index, verdict in enumerate(verdicts or []):
                if verdict != "unknown" and known.setdefault(index, verdict) != verdict:
                    print(f"<!-- DISAGREE {path.name} {index}: {all_verdicts} -->")
        best = min((seconds[e] for e in ENGINES if whole[e]), default=None)
        cells = [f"{seconds[e]:.2f}" + ("" if whole[e] else " ?") for e in ENGINES + ["auto"]]
        mark, ratio = "", ""
        if best is not None:
            ratio = f"{seconds['auto'] / best:.2f}"
            slow = seconds["auto"] > 1.5 * best if best > 0.05 else seconds["auto"] > best + 0.02
            mark = "slow" if slow or not whole["auto"] else ""
        print(f"| {path.name} | " + " | ".join(cells) + f" | {ratio} | {mark} |", flush=True)


def main():
    match sys.argv[1:]:
        case ["models", folder]:
            folder = pathlib.Path(folder)
            folder.mkdir(parents=True, exist_ok=True)
            asked = {}
            for name, text, formulas in families():
                (folder / name).write_text(text)
                asked[name] = formulas
            (folder / "formulas.json").write_text(json.dumps(asked, indent=1))
        case ["run", binary, folder, *part]:
            run(binary, pathlib.Path(folder), part[0] if part else "")
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
