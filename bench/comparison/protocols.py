"""Families in Pact that only Servanda reads: commitments, private variables, the past; and `.aut`."""


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
             f"s -- Ann: more when n < {depth} set n = n + 1 --> s", "s -- Bob: less when n > 0 set n = n - 1 --> s",
             "s -- Cr(Ann, c) --> owed",
             f"owed -- Ann: more when n < {depth} set n = n + 1 --> owed", "owed -- Sat(Ann, c) --> done", "done -- reset set n = 0 --> s"]
    lines += ["property created = AG (in owed -> P Cr(Ann, c))",
              f"property counted = AG (n = {depth} -> P n = {depth // 2})",
              "property again = A (G (in owed -> F in done))", f"property branch = AG (n = {depth} -> EP n = 1)"]
    return "\n".join(lines) + "\n"


def random_aut(states, degree):
    seed = 12345
    rows = []
    for s in range(states):
        for _ in range(degree):
            seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
            rows.append(f'({s}, "{"abc"[(seed >> 20) % 3]}", {(seed >> 33) % states})')
    return f"des (0, {len(rows)}, {states})\n" + "\n".join(rows) + "\n", ['AG EF does("a")', 'AG AF does("b")', 'EG does("c")']


def parity(bits):
    """Every step flips one bit and the parity bit."""
    names = [f"b{number}" for number in range(1, bits + 1)]
    lines = [f"// {bits} bits, and one that is their parity.", "protocol Parity", "roles Ann"]
    lines += [f"var {', '.join(names)}, odd : bool = false", "", "start s"]
    lines += [f"s -- Ann: flip_{name} set {name} = !{name}, odd = !odd --> s" for name in names]
    none = " & ".join(f"!{name}" for name in names)
    lines += ["", f"property even expect true = AG ({none} -> !odd)", ""]
    return "\n".join(lines)
