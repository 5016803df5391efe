"""Families of agents that act in rounds, in ISPL, which MCMAS reads too. What each formula is worth stands beside it."""


def is_prime(number):
    return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))


def product(bits):
    """A number that is a product of two factors, and one that is not, each in the range of the products."""
    most = 2**bits - 1
    prime = next(n for n in range(most * most // 2, 0, -1) if is_prime(n))
    first = next(n for n in range(most, 0, -1) if is_prime(n))
    second = next(n for n in range(first - 1, 0, -1) if is_prime(n))
    return f"""-- Two numbers of {bits} bits are multiplied; who sees the product wonders about the factors.
Agent Environment
  Vars: ready : boolean; end Vars
  Actions = {{none}};
  Protocol: Other : {{none}}; end Protocol
  Evolution: ready = true if Prover.Action = multiply; end Evolution
end Agent
Agent Prover
  Vars: x : 2 .. {most}; y : 2 .. {most}; p : 0 .. {most * most}; end Vars
  Actions = {{multiply, wait}};
  Protocol: Other : {{multiply, wait}}; end Protocol
  Evolution: p = x * y if Action = multiply; end Evolution
end Agent
Evaluation
  composite if Environment.ready = true and Prover.p = {first * second};
  prime if Environment.ready = true and Prover.p = {prime};
end Evaluation
InitStates Environment.ready = false and Prover.p = 0; end InitStates
Formulae
  AG !composite; -- FALSE
  AG !prime; -- TRUE
end Formulae
"""


def agent(name, variables, actions, protocol, evolution, seen=(), public=(), red=None):
    """The text of an agent."""
    lines = [f"Agent {name}"]
    if seen:
        lines.append(f"  Lobsvars = {{{', '.join(seen)}}};")
    for title, declared in (("Obsvars", public), ("Vars", variables)):
        if declared:
            lines += [f"  {title}:", *(f"    {one};" for one in declared), f"  end {title}"]
    if red:
        lines.append(f"  RedStates: {red}; end RedStates")
    lines += [f"  Actions = {{{', '.join(actions)}}};", "  Protocol:", *(f"    {one};" for one in protocol), "  end Protocol"]
    lines += ["  Evolution:", *(f"    {one};" for one in evolution), "  end Evolution", "end Agent"]
    return "\n".join(lines) + "\n"


def system(agents, propositions, initial, formulas, group=None, header=""):
    """The text of a whole file."""
    parts = [header, *agents, "Evaluation\n", *(f"  {name} if {when};\n" for name, when in propositions), "end Evaluation\n"]
    parts.append(f"InitStates\n  {initial};\nend InitStates\n")
    if group:
        parts.append(f"Groups\n  all = {{{', '.join(group)}}};\nend Groups\n")
    return "".join([*parts, "Formulae\n", *(f"  {formula};\n" for formula in formulas), "end Formulae\n"])


SINGLE = "Semantics = SingleAssignment;\n"


def at_most_one(names):
    """At most one of the agents has paid, and nobody else is charged."""
    rows = [" and ".join(f"{name}.payer = {'true' if name == payer else 'false'}" for name in names) for payer in [*names, None]]
    return "(" + " or ".join(f"({row})" for row in rows) + ")"


def cryptographer_formulas(people):
    others = " or ".join(f"paid{i}" for i in people[1:])
    none = " and ".join(f"!K(C1, paid{i})" for i in people[1:])
    somebody = " or ".join(f"paid{i}" for i in people)
    nobody = " and ".join(f"!paid{i}" for i in people)
    return [
        f"AG((done and odd and !paid1) -> (K(C1, {others}) and {none}))",
        f"AG((done and !odd) -> GCK(all, {nobody}))",
        f"AG(({somebody}) -> AF (done and odd))",
        "AG((done and odd) -> K(C1, paid2))",
    ]


def cryptographers(n):
    """All announce at once; the parity is a sum over the table."""
    people = list(range(1, n + 1))
    said = [f"said{i}" for i in people]
    environment = agent(
        "Environment", [f"coin{i} : boolean" for i in people], ["wait"], ["Other : {wait}"],
        ["spoken = true if spoken = false"] + [f"said{i} = 1 if spoken = false and C{i}.Action = different" for i in people],
        public=["spoken : boolean", *(f"{name} : 0 .. 1" for name in said)],
    )
    agents = [environment]
    for i in people:
        left = people[i - 2]
        mine, other = f"Environment.coin{i}", f"Environment.coin{left}"
        says = lambda honest, paid: f"((payer = false and {mine} {honest} {other}) or (payer = true and {mine} {paid} {other}))"
        protocol = [
            f"Environment.spoken = false and {says('=', '<>')} : {{same}}",
            f"Environment.spoken = false and {says('<>', '=')} : {{different}}",
            "Other : {wait}",
        ]
        agents.append(
            agent(f"C{i}", ["payer : boolean"], ["same", "different", "wait"], protocol, ["payer = true if payer = true"],
                  seen=[f"coin{i}", f"coin{left}"])
        )
    total = " + ".join(f"Environment.{name}" for name in said)
    propositions = [(f"paid{i}", f"C{i}.payer = true") for i in people] + [("done", "Environment.spoken = true")]
    propositions.append(("odd", " or ".join(f"{total} = {k}" for k in range(1, n + 1, 2))))
    names = [f"C{i}" for i in people]
    initial = " and ".join(["Environment.spoken = false", *(f"Environment.{name} = 0" for name in said), at_most_one(names)])
    return system(agents, propositions, initial, cryptographer_formulas(people), names, SINGLE)


def in_turn(n):
    """Announcements one after the other, and a running parity."""
    people = list(range(1, n + 1))
    evolution = [f"turn = {i + 1} if turn = {i}" for i in people]
    for before, after in (("false", "true"), ("true", "false")):
        evolution += [f"odd = {after} if odd = {before} and C{i}.Action = different" for i in people]
    agents = [
        agent("Environment", [f"coin{i} : boolean" for i in people], ["wait"], ["Other : {wait}"], evolution,
              public=[f"turn : 1 .. {n + 1}", "odd : boolean"])
    ]
    for i in people:
        left = people[i - 2]
        mine, other = f"Environment.coin{i}", f"Environment.coin{left}"
        pairs = lambda second: " or ".join(f"({mine} = {a} and {other} = {b})" for a, b in second)
        equal = f"({pairs([('true', 'true'), ('false', 'false')])})"
        unequal = f"({pairs([('true', 'false'), ('false', 'true')])})"
        protocol = [
            f"Environment.turn = {i} and ((payer = false and {equal}) or (payer = true and {unequal})) : {{same}}",
            f"Environment.turn = {i} and ((payer = false and {unequal}) or (payer = true and {equal})) : {{different}}",
            "Other : {wait}",
        ]
        agents.append(
            agent(f"C{i}", ["payer : boolean"], ["same", "different", "wait"], protocol, ["payer = true if payer = true"],
                  seen=[f"coin{i}", f"coin{left}"])
        )
    propositions = [(f"paid{i}", f"C{i}.payer = true") for i in people]
    propositions += [("done", f"Environment.turn = {n + 1}"), ("odd", "Environment.odd = true")]
    names = [f"C{i}" for i in people]
    initial = f"Environment.turn = 1 and Environment.odd = false and {at_most_one(names)}"
    return system(agents, propositions, initial, cryptographer_formulas(people), names, SINGLE)


def trains(n):
    """Trains, one tunnel, and a controller that lets one in."""
    tracks = range(1, n + 1)
    goes, lets = [f"go{i}" for i in tracks], [f"let{i}" for i in tracks]
    agents = [
        agent("Environment", ["clock : boolean"], goes, [f"Other : {{{', '.join(goes)}}}"],
              ["clock = true if clock = false and Action = go1"]),
        agent("Controller", ["light : {green, red}"], [*lets, "hold"], [f"light = green : {{{', '.join(lets)}}}", "Other : {hold}"],
              [f"light = red if light = green and Action = let{i} and Train{i}.Action = enter" for i in tracks]
              + [f"light = green if light = red and Train{i}.Action = leave" for i in tracks]),
    ]
    for i in tracks:
        moves = ["at = away : {signal, idle}", "at = waiting : {enter, idle}", "at = tunnel : {leave, idle}"]
        evolution = [
            "at = waiting if at = away and Action = signal",
            f"at = tunnel if at = waiting and Action = enter and Controller.Action = let{i}",
            "at = away if at = tunnel and Action = leave",
        ]
        agents.append(agent(f"Train{i}", ["at : {away, waiting, tunnel}"], ["signal", "enter", "leave", "idle"], moves, evolution))
    initial = " and ".join(["Environment.clock = false", "Controller.light = green", *(f"Train{i}.at = away" for i in tracks)])
    formulas = [
        f"AG(in1 -> K(Train1, {' and '.join(f'!in{i}' for i in tracks if i > 1)}))",
        "AG(!in1 -> (!K(Train1, in2) and !K(Train1, !in2)))",
        f"AG({' and '.join(f'(in{i} -> !in{i + 1})' for i in tracks if i < n)})",
        "AG EF in1", "AF in1", "AG(in1 -> GCK(all, in1))",
    ]
    return system(agents, [(f"in{i}", f"Train{i}.at = tunnel") for i in tracks], initial, formulas, [f"Train{i}" for i in tracks])


def muddy(n):
    """Muddy children: every combination of faces is an initial state."""
    children = range(1, n + 1)
    evolution = [f"round = {r + 1} if round = {r} and spoken = false" for r in range(n)]
    evolution += [f"spoken = true if spoken = false and Child{i}.Action = step" for i in children]
    agents = [
        agent("Environment", [f"mud{i} : boolean" for i in children], ["ask"], ["Other : {ask}"], evolution,
              public=[f"round : 0 .. {n}", "spoken : boolean"])
    ]
    for i in children:
        agents.append(
            agent(f"Child{i}", [f"sees : 0 .. {n}"], ["step", "stay"], ["sees = Environment.round : {step}", "Other : {stay}"],
                  ["sees = sees if sees = 0"], seen=[f"mud{j}" for j in children if j != i])
        )
    faces = []
    for mask in range(1, 2**n):
        bits = [mask >> i & 1 for i in range(n)]
        muds = [f"Environment.mud{i} = {'true' if bit else 'false'}" for i, bit in enumerate(bits, 1)]
        faces.append("(" + " and ".join(muds + [f"Child{i}.sees = {sum(bits) - bit}" for i, bit in enumerate(bits, 1)]) + ")")
    propositions = [(f"muddy{i}", f"Environment.mud{i} = true") for i in children] + [("spoken", "Environment.spoken = true")]
    initial = f"Environment.round = 0 and Environment.spoken = false and ({' or '.join(faces)})"
    formulas = [
        "AF spoken",
        "AG(spoken -> (K(Child1, muddy1) or K(Child1, !muddy1)))",
        f"AG(GCK(all, {' or '.join(f'muddy{i}' for i in children)}))",
        "K(Child1, muddy1) or K(Child1, !muddy1)",
    ]
    return system(agents, propositions, initial, formulas, [f"Child{i}" for i in children], SINGLE)


def transmission(k):
    """So many pairs that send a bit over lines that lose it, and receivers that may go wrong."""
    pairs = range(1, k + 1)
    lines = ["SR", "S", "R", "none"]
    agents = [
        agent("Environment", [f"state{i} : {{S, R, SR, none}}" for i in pairs], lines, [f"Other : {{{', '.join(lines)}}}"],
              ["state1 = none if state1 = none"])
    ]
    for i in pairs:
        sends = ["bit = false and ack = false : {sb0}", "bit = true and ack = false : {sb1}", "ack = true : {nothing}"]
        heard = f"ack = true if ack = false and Receiver{i}.Action = sendack and (Environment.Action = SR or Environment.Action = R)"
        agents.append(agent(f"Sender{i}", ["bit : boolean", "ack : boolean"], ["sb0", "sb1", "nothing"], sends, [heard]))
        evolution = []
        for bit in (0, 1):
            arrives = "(Environment.Action = SR or Environment.Action = S)"
            evolution.append(f"state = r{bit} if state = empty and Sender{i}.Action = sb{bit} and {arrives}")
            evolution.append(f"state = f{bit} if state = r{bit} and Action = nothing")
        answers = ["state = empty : {nothing}", "Other : {sendack, nothing}"]
        agents.append(
            agent(f"Receiver{i}", ["state : {empty, r0, r1, f0, f1}"], ["nothing", "sendack"], answers, evolution,
                  red="state = f0 or state = f1")
        )
    propositions = []
    for i in pairs:
        propositions += [(f"recbit{i}", f"!(Receiver{i}.state = empty)"), (f"recack{i}", f"Sender{i}.ack = true")]
        propositions += [(f"zero{i}", f"Sender{i}.bit = false"), (f"one{i}", f"Sender{i}.bit = true")]
    initial = " and ".join(f"Sender{i}.ack = false and Receiver{i}.state = empty and Environment.state{i} = none" for i in pairs)
    knows = " and ".join(f"(recack{i} -> K(Sender{i}, K(Receiver{i}, zero{i}) or K(Receiver{i}, one{i})))" for i in pairs)
    formulas = [
        f"AG({knows})", "AG(recbit1 -> AF recack1)", f"EF({' and '.join(f'recack{i}' for i in pairs)})",
        "AG(O(Receiver1, !recack1 or K(Sender1, recbit1)))",
    ]
    return system(agents, propositions, initial, formulas)


def arbiter(n):
    """A synchronous arbiter (after McMillan): a token goes round, and who still waits when it comes back is served first. Requests come and
    go as they like. The circuit is the environment, since agents do not see each other's variables."""
    cells = range(n)
    evolution = []
    for i in cells:
        before = (i - 1) % n
        evolution += [f"token{i} = {value} if token{before} = {value}" for value in ("true", "false")]
        evolution.append(f"waits{i} = true if req{i} = true and (waits{i} = true or token{i} = true)")
        evolution.append(f"waits{i} = false if req{i} = false or (waits{i} = false and token{i} = false)")
        evolution += [f"req{i} = true if Cell{i}.Action = ask", f"req{i} = false if Cell{i}.Action = rest"]
    variables = [f"{name}{i} : boolean" for i in cells for name in ("token", "waits", "req")]
    agents = [agent("Environment", variables, ["go"], ["Other : {go}"], evolution)]
    for i in cells:
        agents.append(agent(f"Cell{i}", ["on : boolean"], ["ask", "rest"], ["Other : {ask, rest}"], ["on = true if on = true"]))
    holds = lambda name, i: f"Environment.{name}{i} = true"
    prefers = lambda i: f"({holds('token', i)} and {holds('waits', i)} and {holds('req', i)})"
    someone = " or ".join(prefers(i) for i in cells)
    propositions = []
    for i in cells:
        earlier = "".join(f" and Environment.req{j} = false" for j in range(i))
        propositions += [(f"ack{i}", f"{prefers(i)} or ({holds('req', i)}{earlier} and !({someone}))"), (f"asks{i}", holds("req", i))]
    first = lambda name, i: "true" if (name, i) == ("token", 0) else "false"
    initial = [f"Environment.{name}{i} = {first(name, i)}" for i in cells for name in ("token", "waits", "req")]
    initial += [f"Cell{i}.on = true" for i in cells]
    formulas = [
        f"AG({' and '.join(f'!(ack{i} and ack{i + 1})' for i in range(n - 1))})",
        f"AG(ack{n - 1} -> asks{n - 1})",
        f"AG(asks{n - 1} -> EF ack{n - 1})",
        f"AG AF (ack{n - 1} or !asks{n - 1})",
    ]
    return system(agents, propositions, " and ".join(initial), formulas, header=SINGLE)


def arbiter_smv(n):
    """The same arbiter for NuSMV, with the formulas in the same order."""
    cells = range(n)
    lines = ["MODULE main", "VAR"]
    lines += [f"  {name}{i} : boolean;" for i in cells for name in ("token", "waits", "req")]
    lines.append("DEFINE")
    lines += [f"  prefers{i} := token{i} & waits{i} & req{i};" for i in cells]
    lines.append(f"  someone := {' | '.join(f'prefers{i}' for i in cells)};")
    lines.append("  free0 := !someone;")
    lines += [f"  free{i} := free{i - 1} & !req{i - 1};" for i in cells if i > 0]
    lines += [f"  ack{i} := prefers{i} | (req{i} & free{i});" for i in cells]
    lines.append("ASSIGN")
    for i in cells:
        lines += [f"  init(token{i}) := {'TRUE' if i == 0 else 'FALSE'};", f"  init(waits{i}) := FALSE;", f"  init(req{i}) := FALSE;"]
        lines += [f"  next(token{i}) := token{(i - 1) % n};", f"  next(waits{i}) := req{i} & (waits{i} | token{i});"]
    lines += [
        f"CTLSPEC AG ({' & '.join(f'!(ack{i} & ack{i + 1})' for i in range(n - 1))})",
        f"CTLSPEC AG (ack{n - 1} -> req{n - 1})",
        f"CTLSPEC AG (req{n - 1} -> EF ack{n - 1})",
        f"CTLSPEC AG AF (ack{n - 1} | !req{n - 1})",
    ]
    return "\n".join(lines) + "\n"


def lamps(n, steps):
    """Agents that switch lamps and see their neighbour's; a clock."""
    agents = [
        agent("Environment", [], ["tick"], ["Other : {tick}"], [f"clock = clock + 1 if clock < {steps}"], public=[f"clock : 0 .. {steps}"])
    ]
    for i in range(n):
        on = f"on = true if on = false and Action = flip and L{(i + 1) % n}.Action = keep"
        off = "on = false if on = true and Action = flip"
        agents.append(agent(f"L{i}", ["on : boolean"], ["flip", "keep"], ["Other : {flip, keep}"], [on, off]))
    propositions = [(f"on{i}", f"L{i}.on = true") for i in range(n)] + [("late", f"Environment.clock = {steps}")]
    initial = " and ".join(["Environment.clock = 0", *(f"L{i}.on = false" for i in range(n))])
    formulas = [
        "AG(on0 -> K(L0, on0))", "AG(late -> EF on0)",
        f"EF({' and '.join(f'on{i}' for i in range(n))})", "AF on0", "AG(on0 -> !K(L0, on1))",
    ]
    return system(agents, propositions, initial, formulas)
