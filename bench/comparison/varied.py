"""Families of every shape that no engine was tuned to: one after the other they are what another engine is good at."""


def lines(*parts):
    """A text of lines; a part may be a list of them."""
    flat = []
    for part in parts:
        flat += [part] if isinstance(part, str) else part
    return "\n".join(flat) + "\n"


def grid(n):
    """A walker on a square, who may not step on the diagonal: near and far, safe and live."""
    return lines(
        "protocol Grid", "roles Ann", f"var x, y : 0..{n} = 0", "start s",
        f"s -- Ann: right when x < {n} set x = x + 1 --> s", "s -- Ann: left when x > 0 set x = x - 1 --> s",
        f"s -- Ann: up when y < {n} set y = y + 1 --> s", "s -- Ann: down when y > 0 set y = y - 1 --> s",
        f"property corner = EF (x = {n} & y = {n})", "property near = AG !(x = 2 & y = 1)", f"property far = AG !(x = {n} & y = {n - 1})",
        "property home = AG EF (x = 0 & y = 0)", f"property moves = AF x = {n}", "property stays = EG x <= 1",
    )


def peterson(n):
    """The filter lock: n - 1 levels, at each of which the last to come waits."""
    out = ["protocol Filter", f"roles P[1..{n}]", f"var level[1..{n}] : 0..{n - 1} = 0", f"var last[1..{n - 1}] : 0..{n} = 0"]
    for i in range(1, n + 1):
        out += [f"machine M{i} {{", "  start idle"]
        for k in range(1, n):
            here = "idle" if k == 1 else f"passed{k - 1}"
            out.append(f"  {here} -- P[{i}]: go{k} set level[{i}] = {k} --> at{k}")
            out.append(f"  at{k} -- P[{i}]: mark{k} set last[{k}] = {i} --> wait{k}")
            free = " & ".join(f"level[{j}] < {k}" for j in range(1, n + 1) if j != i)
            after = "crit" if k == n - 1 else f"passed{k}"
            out.append(f"  wait{k} -- P[{i}]: pass{k} when last[{k}] != {i} | ({free}) --> {after}")
        out += [f"  crit -- P[{i}]: leave set level[{i}] = 0 --> idle", "}"]
    out += ["property exclusive = AG !(M1 in crit & M2 in crit)", "property served = AG (M1 in wait1 -> AF M1 in crit)",
            "property may = AG EF M1 in crit", "property twice = A (G F M1 in crit -> G F M1 in idle)"]
    return lines(out)


def readers(n):
    return f"""protocol Readers
param N = {n}
roles Reader[1..N], Writer[1..2]
var reading : 0..N = 0
var writing : 0..2 = 0
for i in 1..N {{
  machine In[i] {{
    start out
    out -- Reader[i]: ask --> wants
    wants -- Reader[i]: read when writing = 0 set reading = reading + 1 --> inside
    inside -- Reader[i]: stop set reading = reading - 1 --> out
  }}
}}
for i in 1..2 {{
  machine Out[i] {{
    start out
    out -- Writer[i]: ask --> wants
    wants -- Writer[i]: write when writing = 0 & reading = 0 set writing = i --> inside
    inside -- Writer[i]: stop set writing = 0 --> out
  }}
}}
property apart = AG !(reading > 0 & writing > 0)
property written = AG (Out[1] in wants -> AF Out[1] in inside)
property may_write = AG EF writing = 1
property all_read = EF reading = N
property exact = AG (In[1] in inside -> reading > 0)
"""


def elevator(floors):
    """Calls, doors, and properties of single paths under fairness."""
    return f"""protocol Elevator
param N = {floors}
roles Lift, People
var at : 1..N = 1
var call[1..N] : bool = false
var up : bool = true
start shut
for i in 1..N {{ shut -- People: call[i] when !call[i] set call[i] = true --> shut }}
shut -- Lift: rise when up & at < N & !call[at] set at = at + 1 --> shut
shut -- Lift: turn_down when up & at = N set up = false --> shut
shut -- Lift: sink when !up & at > 1 & !call[at] set at = at - 1 --> shut
shut -- Lift: turn_up when !up & at = 1 set up = true --> shut
shut -- Lift: open when call[at] set call[at] = false --> open
open -- Lift: shut --> shut
fair strong does(rise)
fair strong does(sink)
fair strong does(turn_up)
fair strong does(turn_down)
fair strong does(open)
property served = AG (call[N] -> AF (in open & at = N))
property opens = A (G F in open)
property only_if_called = AG (does(open) -> call[at])
property order = A (G (call[2] -> (F (at = 2 & in open))))
property rest = EF AG at = 1
property may_all = EF all i in 1..N : call[i]
"""


def mixed(deep, wide):
    """One long run beside many switches: different properties suit different engines."""
    return f"""protocol Mixed
param N = {wide}
roles Clock, Hand
var t : 0..{deep} = 0
var lamp[1..N] : bool = false
machine T {{
  start run
  run -- Clock: tock when t < {deep} set t = t + 1 --> run
}}
machine L {{
  start on
  for i in 1..N {{ on -- Hand: flip[i] set lamp[i] = !lamp[i] --> on }}
}}
property late = EF t = {deep}
property all_lit = EF all i in 1..N : lamp[i]
property both = EF (t = {deep // 2} & lamp[1])
property back = AG EF all i in 1..N : !lamp[i]
property live = AF t = {deep}
property short = AG (t < {deep} | !lamp[1] | lamp[2] | !lamp[3])
"""


def lossy(values, room):
    return f"""protocol Lossy
roles Sender, Receiver
type Value = 0..{values}
message data(Value)
message ack(Value)
channel forth from Sender to Receiver of capacity {room} lossy carries data
channel back from Receiver to Sender of capacity {room} lossy duplicating carries ack
var sent, got : Value = 0
machine S {{
  start run
  run -- Sender: data!(sent) --> run
  run -- Sender: ack?(v) when v = sent & sent < {values} set sent = sent + 1 --> run
  run -- Sender: ack?(v) when v != sent | sent = {values} --> run
}}
machine R {{
  start run
  run -- Receiver: data?(v) when v = got + 1 set got = v --> answer
  run -- Receiver: data?(v) when v != got + 1 --> answer
  answer -- Receiver: ack!(got) --> run
}}
fair strong does(Receiver.data?)
fair strong does(Sender.ack?)
property near = AG (sent - got <= 1 & got - sent <= 1)
property ends = EF sent = {values}
property must = AF sent = {values}
property full = EF (forth.length = {room} & back.length = {room})
"""


def delegations(n):
    """Commitments that wander: created, delegated, assigned, released, kept."""
    out = ["protocol Delegations", f"roles Boss, W[1..{n}]", f"var done[1..{n}] : bool = false"]
    for i in range(1, n + 1):
        out.append(f"commitment job{i} = SC(W[{i}], Boss, F done[{i}])")
    for i in range(1, n + 1):
        other = i % n + 1
        out += [f"machine M{i} {{", "  start free", f"  free -- Cr(W[{i}], job{i}) --> owing",
                f"  owing -- Sat(W[{i}], job{i}) set done[{i}] = true --> free",
                f"  owing -- Rel(Boss, job{i}) --> free", f"  owing -- Del(W[{i}], job{i}, W[{other}]) --> passed",
                f"  passed -- W[{other}]: work set done[{i}] = true --> over", "}"]
    out += ["property kept = AG (active(job1) -> EF done[1])", "property owed = AG (M1 in owing -> SC(W[1], Boss, F done[1]))",
            "property passed = AG (M1 in passed -> SC(W[2], Boss, F done[1]))", "property ends = AF done[1]",
            "property at_last = EF all i in 1..%d : done[i]" % n]
    return lines(out)


def shops(n):
    """Customers of one merchant, each with a quote that may be taken, and a limited stock."""
    return f"""protocol Shops
param N = {n}
roles Mer, Cus[1..N]
var stock : 0..2 = 2
var paid[1..N], sent[1..N] : bool = false
for i in 1..N {{
  commitment quote[i] = SC(Mer, Cus[i], paid[i] -> F sent[i])
  machine D[i] {{
    start idle
    idle -- Cr(Mer, quote[i]) when stock > 0 --> quoted
    quoted -- Cus[i]: walk --> idle
    quoted -- Cus[i]: pay when stock > 0 set paid[i] = true, stock = stock - 1 --> waits
    waits -- Sat(Mer, quote[i]) set sent[i] = true --> closed
    waits -- Vio(Mer, quote[i]) set stock = stock + 1, paid[i] = false --> closed
  }}
}}
property promise = AG (D[1] in waits -> SC(Mer, Cus[1], paid[1] -> F sent[1]))
property never_more = AG ((sum i in 1..N : if sent[i] then 1 else 0) <= 2)
property may = EF (sent[1] & sent[N])
property kept = AG (D[1] in waits -> AF sent[1])
property past = AG (sent[1] -> P Cr(Mer, quote[1]))
"""


def timed(n, wait):
    """Tasks with deadlines, and a clock."""
    out = ["protocol Timed", f"roles T[1..{n}]", "var owner : 0..%d = 0" % n]
    out += [f"clock age{i} : 0..{wait}" for i in range(1, n + 1)]
    for i in range(1, n + 1):
        out += [f"machine M{i} {{", "  start idle", f"  idle -- T[{i}]: ask set age{i} = 0 --> asked",
                f"  asked -- T[{i}]: take when owner = 0 set owner = {i}, age{i} = 0 --> has",
                f"  asked -- T[{i}]: give_up when age{i} = {wait} --> idle",
                f"  has -- T[{i}]: free when age{i} > 1 set owner = 0 --> idle", f"  wait has while age{i} < {wait}",
                f"  wait asked while age{i} < {wait}", "}"]
    out += ["property one = AG !(M1 in has & M2 in has)", f"property in_time = AG (M1 in asked -> AF<={wait} !(M1 in asked))",
            f"property too_soon = AG (M1 in asked -> AF<=1 M1 in has)", "property may = AG EF M1 in has", "property gets = AF M1 in has"]
    return lines(out)


def whispers(n):
    """Everybody has a secret bit, and neighbours tell each other theirs: very many initial states and knowledge."""
    out = ["protocol Whispers", f"roles A[1..{n}]"] + [f"private var s{i} of A[{i}] : bool" for i in range(1, n + 1)]
    out += [f"private var h{i} of A[{i}] : {{none, yes, no}} = none" for i in range(1, n + 1)]
    out.append("start s")
    for i in range(1, n + 1):
        j = i % n + 1
        out += [f"s -- A[{i}]: tell_yes when s{i} & h{j} = none set h{j} = yes --> s",
                f"s -- A[{i}]: tell_no when !s{i} & h{j} = none set h{j} = no --> s"]
    out += ["property knows = AG (h2 = yes -> K(A[2], s1))", "property early = AG !K(A[2], s1)", f"property ignorant = AG !K(A[1], s2)",
            "property all = AF (h1 != none)"]
    return lines(out)


def granted(n):
    """Requests and grants: many properties of single paths."""
    out = ["protocol Granted", f"roles S, C[1..{n}]", f"var turn : 1..{n} = 1"]
    out += [f"var req[1..{n}], ack[1..{n}] : bool = false"]
    for i in range(1, n + 1):
        out += [f"machine M{i} {{", "  start on", f"  on -- C[{i}]: ask when !req[{i}] & !ack[{i}] set req[{i}] = true --> on",
                f"  on -- C[{i}]: done when ack[{i}] set ack[{i}] = false --> on", "}"]
    out += ["machine Server {", "  start on"]
    for i in range(1, n + 1):
        none = " & ".join(f"!ack[{j}]" for j in range(1, n + 1))
        out += [f"  on -- S: grant{i} when turn = {i} & req[{i}] & {none} set req[{i}] = false, ack[{i}] = true, turn = {i % n + 1} --> on",
                f"  on -- S: skip{i} when turn = {i} & !req[{i}] set turn = {i % n + 1} --> on"]
    out += ["}", "fair turn = 1"]
    out += ["property one = AG !(ack[1] & ack[2])", "property again = A (G F req[1] -> G F ack[1])",
        "property asked = A (G (ack[1] -> (ack[1] U !ack[1]) | G ack[1]))",
            "property stable = A (F G !req[1] -> F G !ack[1])", "property before = A (!ack[1] W req[1])",
            "property wrong = A (G (req[1] -> X ack[1]))",
            "property past = AG (ack[1] -> P req[1])"]
    return lines(out)


def odometer(digits):
    """A deep counter in a wide space: false far away, and false near."""
    out = ["protocol Odometer", "roles Ann", *(f"var d{i} : 0..9 = 0" for i in range(digits)), "start s"]
    for i in range(digits):
        carry = " & ".join(f"d{j} = 9" for j in range(i)) or "true"
        clear = "".join(f", d{j} = 0" for j in range(i))
        out.append(f"s -- Ann: tick{i} when {carry} & d{i} < 9 set d{i} = d{i} + 1{clear} --> s")
    nines = " & ".join(f"d{i} = 9" for i in range(digits))
    out += [f"property far = AG !({nines})", "property near = AG d0 < 7", f"property gets = AF ({nines})", "property ordered = AG d0 <= 9",
            f"property never = EF (d0 = 9 & d{digits - 1} = 0 & AG d0 = 9)"]
    return lines(out)


def switches(n):
    """Any of very many initial states; one switch at a time."""
    out = ["protocol Switches", "roles Ann", f"var b[1..{n}] : bool", "var n : 0..1 = 0", "start s"]
    out += [f"s -- Ann: on{i} when !b[{i}] set b[{i}] = true --> s" for i in range(1, n + 1)]
    out += [f"property all = AF all i in 1..{n} : b[i]", f"property may = EF all i in 1..{n} : b[i]",
        "property stays = AG (b[1] -> AG b[1])",
            f"property some = AG any i in 1..{n} : b[i]"]
    return lines(out)


def lights(n):
    """Lights out: a press turns a lamp and its neighbours."""
    at = lambda x, y: f"l{x}_{y}"
    cells = [(x, y) for x in range(n) for y in range(n)]
    out = ["protocol Lights", "roles Ann", *(f"var {at(*c)} : bool = true" for c in cells), "start s"]
    for x, y in cells:
        near = [(x, y), (x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        sets = ", ".join(f"{at(*c)} = !{at(*c)}" for c in near if c in cells)
        out.append(f"s -- Ann: press{x}_{y} set {sets} --> s")
    dark = " & ".join(f"!{at(*c)}" for c in cells)
    out += [f"property solvable = EF ({dark})", f"property back = AG EF {at(0, 0)}",
        f"property stuck = AG ({at(0, 0)} | {at(0, 1)} | {at(1, 0)} | {at(1, 1)})"]
    return lines(out)


def puzzle(wide, high):
    """Tiles slide into the gap."""
    cells = [(x, y) for x in range(wide) for y in range(high)]
    name = {cell: f"c{index}" for index, cell in enumerate(cells)}
    most = len(cells) - 1
    out = ["protocol Puzzle", "roles Ann", *(f"var {name[c]} : 0..{most} = {index}" for index, c in enumerate(cells)), "start s"]
    for x, y in cells:
        for other in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if other in name:
                out.append(f"s -- Ann: slide when {name[x, y]} = 0 set {name[x, y]} = {name[other]}, {name[other]} = 0 --> s")
    out += [f"property goal = EF (c0 = {most} & c1 = {most - 1})", f"property distinct = AG c0 != c1",
        f"property swapped = EF (c1 = 2 & c2 = 1 & " + " & ".join(f"c{i} = {i}" for i in range(most + 1) if i not in (1, 2)) + ")"]
    return lines(out)


def bank(accounts, money):
    """Money moves and is not made."""
    out = ["protocol Bank", f"roles B[1..{accounts}]", f"var a[1..{accounts}] : 0..{money} = {money // accounts}", "start s"]
    for i in range(1, accounts + 1):
        for j in range(1, accounts + 1):
            if i != j:
                out.append(f"s -- B[{i}]: pay{j} when a[{i}] > 0 & a[{j}] < {money} set a[{i}] = a[{i}] - 1, a[{j}] = a[{j}] + 1 --> s")
    total = money // accounts * accounts
    out += [f"property conserved = AG (sum i in 1..{accounts} : a[i]) = {total}", f"property rich = EF a[1] = {total}",
            f"property again = AG EF a[1] = 0", f"property wrong = AG (a[1] < {total} | a[2] > 0) "]
    return lines(out)


def euclid(most):
    """Subtraction until both are equal, from every two numbers."""
    return lines("protocol Euclid", "roles Ann", f"var x, y : 1..{most}", "start s", "s -- Ann: left when x > y set x = x - y --> s",
                 "s -- Ann: right when y > x set y = y - x --> s", "final s", "property ends = AF x = y",
                 "property even = AG (x % 2 = 0 & y % 2 = 0 -> AG x % 2 = 0)",
                 "property one = AF (x = 1 | y = 1)", f"property small = AG x + y <= {2 * most}")


def sorting(n):
    """Neighbours out of order change places, from every order there is."""
    out = ["protocol Sorting", "roles Ann", f"var x[1..{n}] : 1..{n}"]
    out += ["start s"]
    out += [f"s -- Ann: swap{i} when x[{i}] > x[{i + 1}] set x[{i}] = x[{i + 1}], x[{i + 1}] = x[{i}] --> s" for i in range(1, n)]
    sorted_ = " & ".join(f"x[{i}] <= x[{i + 1}]" for i in range(1, n))
    out += [f"property sorts = AF ({sorted_})", f"property stays = AG (({sorted_}) -> AG ({sorted_}))",
        "property least = AG (x[1] = 1 -> AG x[1] = 1)", "property wrong = AF x[1] = 1"]
    return lines(out)


def caches(n):
    """Caches that are invalid, shared or exclusive, and a directory."""
    out = ["protocol Caches", f"roles C[1..{n}], Dir", f"var c[1..{n}] : {{i, s, e}} = i", f"var want : 0..{n} = 0",
        "var kind : {none, read, write} = none", "start s"]
    for k in range(1, n + 1):
        others = [j for j in range(1, n + 1) if j != k]
        out += [f"s -- C[{k}]: read when want = 0 & c[{k}] = i set want = {k}, kind = read --> s",
                f"s -- C[{k}]: write when want = 0 & c[{k}] != e set want = {k}, kind = write --> s",
                f"s -- Dir: share{k} when want = {k} & kind = read & {' & '.join(f'c[{j}] != e' for j in others)} "
                f"set c[{k}] = s, want = 0, kind = none --> s",
                f"s -- Dir: own{k} when want = {k} & kind = write & {' & '.join(f'c[{j}] = i' for j in others)} "
                f"set c[{k}] = e, want = 0, kind = none --> s",
                f"s -- Dir: invalidate{k} when want != 0 & want != {k} & kind = write & c[{k}] != i set c[{k}] = i --> s",
                f"s -- Dir: down{k} when want != 0 & want != {k} & kind = read & c[{k}] = e set c[{k}] = s --> s"]
    out += ["property safe = AG !(c[1] = e & c[2] != i)", "property owns = AG EF c[1] = e",
        f"property shared = EF all i in 1..{n} : c[i] = s",
            "property served = AG (want = 1 -> AF want = 0)", "property unsafe = AG !(c[1] = s & c[2] = s)"]
    return lines(out)


def barrier(n):
    return f"""protocol Barrier
param N = {n}
roles P[1..N]
var came : 0..N = 0
var phase : 0..3 = 0
for i in 1..N {{
  machine M[i] {{
    start work
    work -- P[i]: come set came = came + 1 --> waits
    waits -- P[i]: go when came = N --> gone
    gone -- P[i]: back when (all j in 1..N : M[j] in gone | M[j] in next) --> next
    next -- P[i]: rest when false --> work
  }}
}}
property together = AG (M[1] in gone -> came = N)
property all = AF (all i in 1..N : M[i] in gone)
property may = EF M[1] in next
property early = AG (M[1] in waits -> !(M[2] in work))
"""


def pipeline(n):
    """Stages that hand over."""
    out = ["protocol Pipeline", f"roles S[0..{n}]", "var made, used : 0..7 = 0"]
    out += ["machine M0 {", "  start make", "  make -- S[0]: make when made < 7 set made = made + 1 --> full",
        "  full -- S[0]: hand0! --> make", "}"]
    for i in range(1, n + 1):
        out += [f"machine M{i} {{", "  start empty", f"  empty -- S[{i}]: hand{i - 1}? --> works", f"  works -- S[{i}]: work --> full"]
        use = f"  full -- S[{i}]: use when used < 7 set used = used + 1 --> empty"
        out += [f"  full -- S[{i}]: hand{i}! --> empty" if i < n else use, "}"]
    out += ["property order = AG used <= made", f"property through = AF used = 7", "property some = EF used = 3",
        f"property fill = EF (all i in 1..{n} : true) & EF (M1 in full & M{n} in full)", "property gap = AG made - used < 4"]
    return lines(out)


def szymanski(n):
    """Flags from 0 to 4, read one after the other at once."""
    out = ["protocol Szymanski", f"roles P[1..{n}]", f"var f[1..{n}] : 0..4 = 0"]
    for i in range(1, n + 1):
        every = lambda test: " & ".join("(" + test.format(f"f[{j}]") + ")" for j in range(1, n + 1) if j != i)
        some = lambda test: " | ".join("(" + test.format(f"f[{j}]") + ")" for j in range(1, n + 1) if j != i)
        lower = " & ".join(f"f[{j}] < 2" for j in range(1, i)) or "true"
        higher = " & ".join(f"(f[{j}] < 2 | f[{j}] > 3)" for j in range(i + 1, n + 1)) or "true"
        out += [f"machine M{i} {{", "  start idle", f"  idle -- P[{i}]: want set f[{i}] = 1 --> one",
                f"  one -- P[{i}]: door when {every('{0} < 3')} set f[{i}] = 3 --> three",
                f"  three -- P[{i}]: hold when {some('{0} = 1')} set f[{i}] = 2 --> two",
                f"  three -- P[{i}]: on when {every('{0} != 1')} set f[{i}] = 4 --> four",
                f"  two -- P[{i}]: see when {some('{0} = 4')} set f[{i}] = 4 --> four",
                f"  four -- P[{i}]: enter when {lower} --> crit",
                f"  crit -- P[{i}]: leave when {higher} set f[{i}] = 0 --> idle", "}"]
    out += ["property exclusive = AG !(M1 in crit & M2 in crit)", "property live = AG (M1 in one -> AF M1 in crit)",
        "property may = EF M1 in crit",
            f"property all_wait = EF ({' & '.join(f'f[{i}] = 3' for i in range(1, n + 1))})"]
    return lines(out)


def remembered(n):
    """Much about the past."""
    out = ["protocol Remembered", f"roles A[1..{n}]", f"var k[1..{n}] : 0..2 = 0", "start s"]
    for i in range(1, n + 1):
        out += [f"s -- A[{i}]: open when k[{i}] = 0 set k[{i}] = 1 --> s", f"s -- A[{i}]: use when k[{i}] = 1 set k[{i}] = 2 --> s",
                f"s -- A[{i}]: shut when k[{i}] = 2 set k[{i}] = 0 --> s"]
    out += ["property opened = AG (k[1] = 2 -> P k[1] = 1)", "property since = AG (k[1] = 1 -> (k[1] != 2 S k[1] = 0))",
        "property never = AG !(P (k[1] = 2 & k[2] = 2))",
            "property both = AG ((P k[1] = 2) & (P k[2] = 2) -> EF k[1] = 0)", "property first = AG (k[2] = 1 -> P k[1] = 1)"]
    return lines(out)


def agent(name, variables, actions, protocol, evolution, public=False):
    kind = "Obsvars" if public else "Vars"
    return lines(f"Agent {name}", f"  {kind}:", [f"    {one};" for one in variables], f"  end {kind}",
        f"  Actions = {{{', '.join(actions)}}};", "  Protocol:",
                 [f"    {one};" for one in protocol], "  end Protocol", "  Evolution:", [f"    {one};" for one in evolution],
                 "  end Evolution", "end Agent")


def ispl(agents, names, initial, formulas, groups="", fair=""):
    return "".join(agents) + lines("Evaluation", [f"  {name} if {when};" for name, when in names], "end Evaluation",
        f"InitStates {initial}; end InitStates",
                                   *([f"Groups {groups} end Groups"] if groups else []),
                                   *([f"Fairness {fair} end Fairness"] if fair else []),
                                   "Formulae", [f"  {one};" for one in formulas], "end Formulae")


def robots(n, cells):
    """Robots on a ring of cells, all at once."""
    agents = [agent("Environment", ["tick : boolean"], ["go"], ["Other : {go}"],
        ["tick = true if tick = false", "tick = false if tick = true"])]
    for i in range(1, n + 1):
        agents.append(agent(f"R{i}", [f"at : 0 .. {cells - 1}"], ["left", "right", "stay"], ["Other : {left, right, stay}"],
                            [f"at = at + 1 if Action = right and at < {cells - 1}", "at = at - 1 if Action = left and at > 0"]))
    names = [("meet", "R1.at = R2.at"), ("far", f"R1.at = {cells - 1}"), ("home", "R1.at = 0"),
        ("crowd", " and ".join(f"R{i}.at = {cells - 1}" for i in range(1, n + 1)))]
    initial = " and ".join(["Environment.tick = false", *(f"R{i}.at = {i - 1}" for i in range(1, n + 1))])
    return ispl(agents, names, initial, ["AG EF meet", "EF crowd", "AF far", "AG(far -> K(R1, !home))", "AG !meet", "<g>F meet"],
        "g = {R1, R2};")


def stopwatch(deep):
    """Rounds that go far, and little else."""
    agents = [agent("Environment", [f"t : 0 .. {deep}"], ["tick"], ["Other : {tick}"], [f"t = t + 1 if t < {deep}"]),
              agent("A", ["on : boolean"], ["press", "rest"], ["Other : {press, rest}"],
              ["on = true if Action = press", "on = false if Action = rest"])]
    return ispl(agents, [("late", f"Environment.t = {deep}"), ("half", f"Environment.t = {deep // 2}"), ("on", "A.on = true")],
        "Environment.t = 0 and A.on = false",
                ["AF late", "AG(half -> !on)", "EF(late and on)", "AG(late -> AG late)", "AG(on -> K(A, on))"])


def voting(voters, options):
    """Votes cast at once or later, then counted."""
    agents = [agent("Environment", [f"round : 0 .. {voters + 1}"], ["go"], ["Other : {go}"],
        [f"round = round + 1 if round < {voters + 1}"])]
    marks = [f"v{k}" for k in range(1, options + 1)]
    for i in range(1, voters + 1):
        agents.append(agent(f"V{i}", [f"vote : {{none, {', '.join(marks)}}}"], [*(f"cast{m}" for m in marks), "wait"],
                            [f"vote = none : {{{', '.join(f'cast{m}' for m in marks)}, wait}}", "Other : {wait}"],
                            [f"vote = {m} if Action = cast{m}" for m in marks]))
    names = [("all", " and ".join(f"!(V{i}.vote = none)" for i in range(1, voters + 1))), ("one", "V1.vote = v1"), ("two", "V2.vote = v2"),
             ("over", f"Environment.round = {voters + 1}")]
    initial = " and ".join(["Environment.round = 0", *(f"V{i}.vote = none" for i in range(1, voters + 1))])
    group = ", ".join(f"V{i}" for i in range(1, voters + 1))
    return ispl(agents, names, initial, ["AF over", "EF all", "AG(one -> AG one)", "AG(one -> !K(V1, two))", "AG(over -> all)",
        "<g>F all", "<h>F one"], f"g = {{{group}}}; h = {{V1}};")


def traffic(n):
    """Crossings in a row with fairness."""
    agents = [agent("Environment", [f"turn : 1 .. {n}"], ["next", "keep"], ["Other : {next, keep}"],
        [f"turn = {i % n + 1} if turn = {i} and Action = next" for i in range(1, n + 1)], True)]
    for i in range(1, n + 1):
        agents.append(agent(f"L{i}", ["light : {red, green}", "queue : 0 .. 3"], ["arrive", "pass", "idle"],
                            ["light = green : {arrive, pass, idle}", "Other : {arrive, idle}"],
                            ["queue = queue + 1 if Action = arrive and queue < 3", "queue = queue - 1 if Action = pass and queue > 0",
                             f"light = green if Environment.turn = {i} and light = red",
                             f"light = red if light = green and Environment.Action = next"]))
    names = [("g1", "L1.light = green"), ("g2", "L2.light = green"), ("full", "L1.queue = 3"), ("empty", "L1.queue = 0"),
        ("first", "Environment.turn = 1")]
    initial = " and ".join(["Environment.turn = 1", *(f"L{i}.light = red and L{i}.queue = 0" for i in range(1, n + 1))])
    return ispl(agents, names, initial, ["AG !(g1 and g2)", "AG AF g1", "EF full", "AG EF empty", "AG(full -> AF !full)"], fair="first;")


def locks_ccs(n):
    """Clients of one lock."""
    text = "proc Lock = up.'down.Lock\n" + "".join(f"proc C{i} = 'up.enter{i}.leave{i}.down.C{i}\n" for i in range(n))
    text += f"proc Main = (Lock | {' | '.join(f'C{i}' for i in range(n))}) \\ {{up, down}}\n"
    return text, ["AG !(E X does(leave0) & E X does(leave1))", "AG EF does(enter0)", "AG (does(enter0) -> AF does(leave0))",
        "AF does(enter1)", "EF E X does(leave1)"]


def streets_ccs(n, long):
    """So many that go their ways, each alone."""
    text = "".join(f"proc P{i} = {'.'.join(f's{i}_{k}' for k in range(long))}.0\n" for i in range(n))
    text += f"proc Main = {' | '.join(f'P{i}' for i in range(n))}\n"
    last = long - 1
    return text, [f"EF does(s0_{last})", "AG (does(s0_1) -> P does(s0_0))", f"AF does(s0_{last})",
        f"AG !(E X does(s0_{last}) & E X does(s1_{last}))", "AF A !does(_)"]


def counter_ccs(n):
    """A counter of cells that pass on."""
    text = "".join(f"proc Z{i} = inc{i}.O{i}\nproc O{i} = inc{i}.'inc{i + 1}.Z{i}\n" for i in range(n))
    hidden = ", ".join(f"inc{i}" for i in range(1, n + 1))
    text += f"proc Top = inc{n}.Top\nproc Main = ({' | '.join(f'Z{i}' for i in range(n))} | Top) \\ {{{hidden}}}\n"
    return text, ["AG EF does(inc0)", "AF does(tau)", "AG AF does(inc0)", "EF AG !does(tau)"]


def grid_aut(n):
    """A square of states, and a way back from the far corner."""
    rows = []
    for x in range(n):
        for y in range(n):
            rows += [f'({x * n + y}, "right", {(x + 1) * n + y})'] * (x + 1 < n) + [f'({x * n + y}, "down", {x * n + y + 1})'] * (y + 1 < n)
    rows.append(f'({n * n - 1}, "back", 0)')
    return f"des (0, {len(rows)}, {n * n})\n" + "\n".join(rows) + "\n", ['AF does("back")', 'AG AF does("back")', 'AG EF does("right")',
        'A (G F does("down") -> G F does("back"))', 'AG (does("right") -> X does("right"))']


def tree_aut(depth):
    """A tree whose leaves lead to the root, but for one."""
    states = 2**depth - 1
    rows = [f'({s}, "{"lr"[c]}", {2 * s + 1 + c})' for s in range(states // 2) for c in (0, 1)]
    rows += [f'({s}, "up", 0)' for s in range(states // 2, states - 1)]
    return f"des (0, {len(rows)}, {states})\n" + "\n".join(rows) + "\n", ['AG EF does("up")', 'AF does("up")', 'EG !does("up")',
        'EF A !does(_)', 'A (G F does("l") -> F does("up"))']


# Name: language, maker, sizes.
FAMILIES = {
    "grid": ("pact", grid, [(20,), (120,), (600,)]),
    "peterson": ("pact", peterson, [(3,), (4,), (5,)]),
    "readers": ("pact", readers, [(4,), (9,), (14,)]),
    "elevator": ("pact", elevator, [(4,), (7,), (10,)]),
    "mixed": ("pact", mixed, [(200, 6), (3000, 8), (300, 20)]),
    "lossy": ("pact", lossy, [(3, 1), (6, 2), (12, 3)]),
    "delegations": ("pact", delegations, [(3,), (5,), (7,)]),
    "shops": ("pact", shops, [(3,), (5,), (7,)]),
    "timed": ("pact", timed, [(2, 3), (3, 5), (4, 6)]),
    "whispers": ("pact", whispers, [(5,), (7,), (9,)]),
    "granted": ("pact", granted, [(3,), (6,), (9,)]),
    "odometer": ("pact", odometer, [(3,), (5,), (9,)]),
    "switches": ("pact", switches, [(8,), (12,), (20,)]),
    "lights": ("pact", lights, [(3,), (4,), (5,)]),
    "puzzle": ("pact", puzzle, [(3, 2), (4, 2), (3, 3)]),
    "bank": ("pact", bank, [(3, 9), (4, 20), (6, 30)]),
    "euclid": ("pact", euclid, [(20,), (150,)]),
    "sorting": ("pact", sorting, [(4,), (5,), (7,)]),
    "caches": ("pact", caches, [(4,), (8,), (12,)]),
    "barrier": ("pact", barrier, [(5,), (10,), (18,)]),
    "pipeline": ("pact", pipeline, [(3,), (6,), (10,)]),
    "szymanski": ("pact", szymanski, [(3,), (5,), (6,)]),
    "remembered": ("pact", remembered, [(4,), (8,), (11,)]),
    "robots": ("ispl", robots, [(2, 8), (3, 20), (5, 6)]),
    "stopwatch": ("ispl", stopwatch, [(200,), (5000,), (60000,)]),
    "voting": ("ispl", voting, [(3, 2), (5, 3), (8, 3)]),
    "traffic": ("ispl", traffic, [(2,), (4,), (7,)]),
    "locks_ccs": ("ccs", locks_ccs, [(5,), (10,), (16,)]),
    "streets_ccs": ("ccs", streets_ccs, [(4, 6), (6, 6), (12, 8)]),
    "counter_ccs": ("ccs", counter_ccs, [(6,), (10,), (14,)]),
    "grid_aut": ("aut", grid_aut, [(40,), (300,)]),
    "tree_aut": ("aut", tree_aut, [(10,), (16,)]),
}
