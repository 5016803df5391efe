"""Nets of the shapes that a contest of model checkers uses, written anew: workflows, locks, pathways, elections."""
from petri import Net


def token_ring(size):
    """Dijkstra's ring: machine i copies its neighbour, the first counts on; a place for each machine and each value."""
    net, count = Net("Token_ring"), size + 1
    for i in range(count):
        for value in range(count):
            net.place(f"m{i}_{value}", int(value == i), 1)
    for value in range(count):
        net.transition(f"main{value}", [f"m0_{value}", f"m{size}_{value}"],
                       [f"m0_{(value + 1) % count}", f"m{size}_{value}"])
    for i in range(1, count):
        for own in range(count):
            for other in set(range(count)) - {own}:
                net.transition(f"copy{i}_{own}_{other}", [f"m{i}_{own}", f"m{i - 1}_{other}"],
                               [f"m{i}_{other}", f"m{i - 1}_{other}"])
    one = " + ".join(f"m0_{value}" for value in range(count))
    net.properties = [f"property one_value expect true = AG {one} = 1",
                      "property goes_round expect true = AG EF m0_0 = 1"]
    return net


def swimming_pool(size):
    """Bathers need a cabin and a bag, and may wait for each other for ever."""
    net = Net("Swimming_pool")
    for place, tokens in (("out", 20), ("cabins", 10), ("bags", 15), ("entered", 0), ("wait_bag", 0), ("undress", 0),
                          ("in_bath", 0), ("dress", 0), ("dressed", 0)):
        net.place(place, tokens * size, 20 * size)
    net.transition("get_key", ["out", "cabins"], ["entered"])
    net.transition("asks", ["entered"], ["wait_bag"])
    net.transition("get_bag", ["wait_bag", "bags"], ["undress"])
    net.transition("leave_key", ["undress"], ["in_bath", "cabins"])
    net.transition("key_again", ["in_bath", "cabins"], ["dress"])
    net.transition("leave_bag", ["dress"], ["dressed", "bags"])
    net.transition("go", ["dressed"], ["out", "cabins"])
    net.properties = [
        f"property all_here expect true = AG out + entered + wait_bag + undress + in_bath + dress + dressed = {20 * size}",
        "property goes_on expect true = AG E does(_)"]
    return net


def resources(rows, columns):
    """Processes of some rows go through all columns; each step needs a resource that a neighbouring row uses too."""
    net = Net("Resources")
    for i in range(rows):
        for j in range(columns):
            net.place(f"p{i}_{j}", int(j > 0 and i % 2 == 0), 1)
            net.place(f"r{i}_{j}", int(not (j > 0 and i % 2 == 0)), 1)
    for i in range(rows):
        net.transition(f"load{i}", [f"r{i}_0"], [f"p{i}_0"])
        for j in range(1, columns):
            shared = [f"r{i - 1}_{j}"] if i else []
            net.transition(f"move{i}_{j}", [f"p{i}_{j - 1}", f"r{i}_{j}"] + shared, [f"p{i}_{j}", f"r{i}_{j - 1}"] + shared)
        net.transition(f"unload{i}", [f"p{i}_{columns - 1}"], [f"r{i}_{columns - 1}"])
    net.properties = ["property free expect true = AG p0_0 + r0_0 = 1",
                      f"property empties expect true = EF ({' & '.join(f'p{i}_{j} = 0' for i in range(rows) for j in range(columns))})"]
    return net


def referendum(size):
    """Everybody votes once."""
    net = Net("Referendum")
    net.place("ready", 1, 1)
    for i in range(size):
        for place in ("voting", "yes", "no"):
            net.place(f"{place}{i}", 0, 1)
        net.transition(f"vote_yes{i}", [f"voting{i}"], [f"yes{i}"])
        net.transition(f"vote_no{i}", [f"voting{i}"], [f"no{i}"])
    net.transition("begin", ["ready"], [f"voting{i}" for i in range(size)])
    yes, no = (" + ".join(f"{word}{i}" for i in range(size)) for word in ("yes", "no"))
    net.properties = [f"property decided expect true = AF {yes} + {no} = {size}",
                      f"property tie expect {str(size % 2 == 0).lower()} = EF ({yes} = {no} & {yes} + {no} = {size})",
                      f"property majority_stays expect true = AG ({yes} >= {size // 2 + 1} -> AG {yes} > {no})"]
    return net


def shared_memory(size):
    """Processors with a memory each, and one bus to those of the others."""
    net = Net("Shared_memory")
    net.place("bus", 1, 1)
    for i in range(size):
        for place, tokens in (("active", 1), ("queue", 0), ("memory", 1), ("own", 0)):
            net.place(f"{place}{i}", tokens, 1)
    for i in range(size):
        net.transition(f"own_begins{i}", [f"active{i}", f"memory{i}"], [f"own{i}"])
        net.transition(f"own_ends{i}", [f"own{i}"], [f"active{i}", f"memory{i}"])
        net.transition(f"asks{i}", [f"active{i}"], [f"queue{i}"])
        for j in set(range(size)) - {i}:
            net.place(f"uses{i}_{j}", 0, 1)
            net.transition(f"begins{i}_{j}", [f"queue{i}", "bus", f"memory{j}"], [f"uses{i}_{j}"])
            net.transition(f"ends{i}_{j}", [f"uses{i}_{j}"], [f"active{i}", "bus", f"memory{j}"])
    uses = " + ".join(f"uses{i}_{j}" for i in range(size) for j in range(size) if i != j)
    net.properties = [f"property one_on_the_bus expect true = AG {uses} <= 1",
                      "property served expect true = AG (queue0 = 1 -> EF active0 = 1)",
                      "property served_in_time expect false = AG (queue0 = 1 -> AF active0 = 1)"]
    return net


def erk(size):
    """A signalling pathway with so many molecules of each kind."""
    net = Net("Erk")
    for place in ("raf", "rkip", "raf_rkip", "raf_rkip_erkpp", "erkpp", "erk", "rkipp", "mekpp", "mekpp_erk", "rp", "rkipp_rp"):
        net.place(place, size if place in ("raf", "rkip", "erkpp", "mekpp", "rp") else 0, size)
    for both, one, other in (("raf_rkip", "raf", "rkip"), ("raf_rkip_erkpp", "raf_rkip", "erkpp"),
                             ("mekpp_erk", "mekpp", "erk"), ("rkipp_rp", "rkipp", "rp")):
        net.transition("binds_" + both, [one, other], [both])
        net.transition("parts_" + both, [both], [one, other])
    net.transition("makes_erk", ["raf_rkip_erkpp"], ["raf", "erk", "rkipp"])
    net.transition("makes_erkpp", ["mekpp_erk"], ["mekpp", "erkpp"])
    net.transition("makes_rkip", ["rkipp_rp"], ["rkip", "rp"])
    net.properties = [f"property kept expect true = AG erk + erkpp + mekpp_erk + raf_rkip_erkpp = {size}",
                      f"property all_erk expect true = EF erk = {size}",
                      f"property restarts expect true = AG EF (raf = {size} & rkip = {size} & rp = {size})"]
    return net


def mapk(size):
    """Three stages of phosphorylation, each with its enzyme and its phosphatase."""
    net = Net("Mapk")
    amounts = {"raf": 4, "rasgtp": 2, "phase1": 3, "mek": 2, "phase2": 2, "erk": 3, "phase3": 3, "rafp": 0, "mekp": 0,
               "mekpp": 0, "erkp": 0, "erkpp": 0}
    for place, amount in amounts.items():
        net.place(place, amount * size, 4 * size)
    for number, (substrate, enzyme, product) in enumerate((
            ("raf", "rasgtp", "rafp"), ("rafp", "phase1", "raf"), ("mek", "rafp", "mekp"), ("mekp", "rafp", "mekpp"),
            ("mekpp", "phase2", "mekp"), ("mekp", "phase2", "mek"), ("erk", "mekpp", "erkp"), ("erkp", "mekpp", "erkpp"),
            ("erkpp", "phase3", "erkp"), ("erkp", "phase3", "erk"))):
        both = f"c{number}"
        net.place(both, 0, 4 * size)
        net.transition("binds" + both, [substrate, enzyme], [both])
        net.transition("parts" + both, [both], [substrate, enzyme])
        net.transition("makes" + both, [both], [product, enzyme])
    net.properties = [f"property signal expect true = EF erkpp = {3 * size}",
                      "property goes_on expect true = AG E does(_)",
                      f"property restarts expect true = AG EF (raf = {4 * size} & mek = {2 * size} & erk = {3 * size})"]
    return net


def circadian(size):
    """A clock of two genes; each kind of molecule has a place for what is still allowed of it."""
    net = Net("Circadian")
    for place, tokens in (("a", 0), ("r", 0), ("c", 0), ("ma", 0), ("mr", 0)):
        net.place(place, tokens, size)
        net.place("cap_" + place, size, size)
    for place, tokens in (("da", 1), ("dr", 1), ("da_a", 0), ("dr_a", 0)):
        net.place(place, tokens, 1)
    for name, takes, gives in (
            ("transcribes_a", ["da", "cap_ma"], ["da", "ma"]), ("more_a", ["da_a", "cap_ma"], ["da_a", "ma"]),
            ("transcribes_r", ["dr", "cap_mr"], ["dr", "mr"]), ("more_r", ["dr_a", "cap_mr"], ["dr_a", "mr"]),
            ("translates_a", ["ma", "cap_a"], ["ma", "a"]), ("translates_r", ["mr", "cap_r"], ["mr", "r"]),
            ("loses_ma", ["ma"], ["cap_ma"]), ("loses_mr", ["mr"], ["cap_mr"]),
            ("loses_a", ["a"], ["cap_a"]), ("loses_r", ["r"], ["cap_r"]),
            ("complex", ["a", "r", "cap_c"], ["c", "cap_a", "cap_r"]), ("decays", ["c", "cap_r"], ["cap_c", "r"]),
            ("on_a", ["da", "a"], ["da_a", "cap_a"]), ("off_a", ["da_a", "cap_a"], ["da", "a"]),
            ("on_r", ["dr", "a"], ["dr_a", "cap_a"]), ("off_r", ["dr_a", "cap_a"], ["dr", "a"])):
        net.transition(name, takes, gives)
    net.properties = [f"property fills expect true = EF c = {size}", f"property kept expect true = AG a + cap_a = {size}",
                      "property again expect true = AG EF (da_a = 1 & dr_a = 1)"]
    return net


def balancing(clients, servers):
    """Two or more servers; who asks is sent to the one with the least load, and loads are evened out."""
    net = Net("Balancing")
    for s in range(servers):
        net.place(f"idle_s{s}", 1, 1)
        net.place(f"busy_s{s}", 0, 1)
        for load in range(clients + 1):
            net.place(f"load{s}_{load}", int(load == 0), 1)
    net.place("balancer", 1, 1)
    for c in range(clients):
        net.place(f"idle{c}", 1, 1)
        net.place(f"asks{c}", 0, 1)
        net.transition(f"ask{c}", [f"idle{c}"], [f"asks{c}"])
        for s in range(servers):
            net.place(f"at{c}_{s}", 0, 1)
            net.place(f"served{c}_{s}", 0, 1)
            for load in range(clients):
                for other in range(load, clients + 1):
                    t = (s + 1) % servers
                    net.transition(f"route{c}_{s}_{load}_{other}", [f"asks{c}", "balancer", f"load{s}_{load}", f"load{t}_{other}"],
                                   [f"at{c}_{s}", "balancer", f"load{s}_{load + 1}", f"load{t}_{other}"])
            net.transition(f"serve{c}_{s}", [f"at{c}_{s}", f"idle_s{s}"], [f"served{c}_{s}", f"busy_s{s}"])
            for load in range(1, clients + 1):
                net.transition(f"answer{c}_{s}_{load}", [f"served{c}_{s}", f"busy_s{s}", f"load{s}_{load}"],
                               [f"idle{c}", f"idle_s{s}", f"load{s}_{load - 1}"])
    net.properties = ["property answered expect true = AG (asks0 = 1 -> EF idle0 = 1)",
                      f"property full expect {str(servers == 1).lower()} = EF load0_{clients} = 1"]
    return net


def robot(size):
    """A robot, a conveyor and some parts in cycles that wait for each other."""
    net = Net("Robot")
    for place, tokens, bound in (("access", 1, 1), ("off", 2 * size + 1, 2 * size + 1), ("started", 0, 2 * size + 1),
                                 ("active", 0, 2 * size + 1), ("moving", 0, 2 * size + 1), ("stopped", 0, 2 * size + 1),
                                 ("init", 2 * size, 2 * size), ("ready", 0, 2 * size), ("released", 0, 2 * size),
                                 ("placed", 0, 2 * size), ("taken", 0, 2 * size), ("moved", 0, 2 * size),
                                 ("given", 0, 2 * size), ("seen", 0, 2 * size)):
        net.place(place, tokens, bound)
    for name, takes, gives in (
            ("start", ["off"], ["started"]), ("activate", ["started"], ["active"]),
            ("begin", ["access", "init"], ["ready"]), ("part", ["ready", "active"], ["moving", "taken"]),
            ("move", ["taken"], ["moved"]), ("see", ["moved"], ["seen"]),
            ("stop", ["moving", "seen"], ["stopped", "given"]), ("place", ["given"], ["placed", "access"]),
            ("release", ["placed"], ["released"]), ("again", ["released", "stopped"], ["init", "off"])):
        net.transition(name, takes, gives)
    net.properties = ["property one_part expect true = AG ready + taken + moved + seen + given + access = 1",
                      f"property restarts expect true = AG EF init = {2 * size}",
                      f"property all_moving expect false = EF moving = {size + 2}"]
    return net


def house(size):
    """A house is built by 18 steps that wait for each other; so many houses at once."""
    net = Net("House")
    steps = (("plan", "p1", "p2 p3 p4"), ("dig", "p2", "p5"), ("order", "p3", "p6"), ("permit", "p4", "p7"),
             ("base", "p5 p7", "p8 p9 p10"), ("walls", "p8 p6", "p11 p12"), ("pipes", "p9", "p13"), ("cellar", "p10", "p14"),
             ("roof", "p11", "p15 p16"), ("windows", "p12", "p17"), ("wires", "p15", "p18"), ("chimney", "p16", "p19"),
             ("plaster", "p17 p18", "p20 p21"), ("floor", "p13 p14", "p22"), ("paint", "p20", "p23"), ("doors", "p21", "p24"),
             ("kitchen", "p22 p23", "p25"), ("done", "p24 p25 p19", "p26"))
    for i in range(1, 27):
        net.place(f"p{i}", size if i == 1 else 0, size)
    for name, takes, gives in steps:
        net.transition(name, takes.split(), gives.split())
    net.properties = [f"property ends expect true = AF p26 = {size}", "property in_step expect true = AG p2 + p5 <= "
                      f"p1 + {size}", f"property no_roof_first expect true = AG (p15 > 0 -> p1 < {size})"]
    return net


def square_grid(size, packets):
    """Cells that pass packets to their four neighbours over channels of one place."""
    net = Net("Grid")
    cells = [(x, y) for x in range(size) for y in range(size)]
    for x, y in cells:
        net.place(f"room{x}_{y}", packets, packets)
        for side in "nesw":
            net.place(f"out{side}{x}_{y}", 0, packets)
    ways = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}
    for x, y in cells:
        for side, (dx, dy) in ways.items():
            to = (x + dx, y + dy)
            if to not in cells:
                continue
            for onward, (ox, oy) in ways.items():
                if (to[0] + ox, to[1] + oy) in cells and onward != {"n": "s", "s": "n", "e": "w", "w": "e"}[side]:
                    net.transition(f"go{side}{onward}{x}_{y}", [f"out{side}{x}_{y}", f"room{to[0]}_{to[1]}"],
                                   [f"out{onward}{to[0]}_{to[1]}", f"room{x}_{y}"])
    for side in "nesw":
        dx, dy = ways[side]
        for x, y in cells:
            if (x + dx, y + dy) in cells:
                net.transition(f"new{side}{x}_{y}", [f"room{x}_{y}"], [f"out{side}{x}_{y}"])
    some = [f"out{side}0_0" for side in "es"]
    net.properties = [f"property room expect true = AG {' + '.join(some)} <= {packets}",
                      f"property fills expect true = EF room0_0 + room{size - 1}_{size - 1} = 0"]
    return net


def raft(size):
    """An election: whoever times out asks all others, who vote once in a term; most votes win; then all begin again."""
    net = Net("Raft")
    for i in range(size):
        for place, tokens in (("follower", 1), ("candidate", 0), ("leader", 0), ("vote", 1)):
            net.place(f"{place}{i}", tokens, 1)
        net.place(f"votes{i}", 0, size)
    majority = size // 2 + 1
    for i in range(size):
        net.transition(f"timeout{i}", [f"follower{i}", f"vote{i}"], [f"candidate{i}", f"votes{i}"])
        net.transition(f"wins{i}", [f"candidate{i}"] + [f"votes{i}"] * majority, [f"leader{i}"] + [f"votes{i}"] * majority)
        for j in set(range(size)) - {i}:
            net.place(f"asks{i}_{j}", 1, 1)
            net.place(f"asked{i}_{j}", 0, 1)
            net.transition(f"ask{i}_{j}", [f"candidate{i}", f"asks{i}_{j}"], [f"candidate{i}", f"asked{i}_{j}"])
            net.transition(f"grant{i}_{j}", [f"asked{i}_{j}", f"follower{j}", f"vote{j}"], [f"follower{j}", f"asks{i}_{j}", f"votes{i}"])
            net.transition(f"refuse{i}_{j}", [f"asked{i}_{j}"], [f"asks{i}_{j}"])
            net.transition(f"steps_down{i}_{j}", [f"candidate{i}", f"leader{j}"], [f"follower{i}", f"leader{j}"])
    leaders = " + ".join(f"leader{i}" for i in range(size))
    net.properties = [f"property one_leader expect true = AG {leaders} <= 1", f"property a_leader expect true = EF {leaders} = 1",
                      f"property always_a_leader expect false = AF {leaders} = 1"]
    return net


def cloud(size):
    """Machines that are hired, started, bound to the components that they need, and given back; so many of each."""
    net = Net("Cloud")
    for place, bound in (("free", 3 * size), ("hired", 3 * size), ("base", 3 * size)):
        net.place(place, bound if place == "free" else 0, bound)
    net.transition("hire", ["free"], ["hired"])
    net.transition("boot", ["hired"], ["base"])
    net.transition("give_back", ["base"], ["free"])
    needs = {"store": [], "logic": ["store"], "front": ["logic"]}
    for kind in needs:
        for state in ("uninstalled", "installed", "running", "provides"):
            net.place(f"{kind}_{state}", size if state == "uninstalled" else 0, size)
    for kind, needed in needs.items():
        net.transition(f"install_{kind}", [f"{kind}_uninstalled", "base"], [f"{kind}_installed"])
        bound = [f"{other}_provides" for other in needed]
        net.transition(f"start_{kind}", [f"{kind}_installed"] + bound, [f"{kind}_running", f"{kind}_provides"])
        net.transition(f"stop_{kind}", [f"{kind}_running", f"{kind}_provides"], [f"{kind}_installed"] + bound)
        net.transition(f"remove_{kind}", [f"{kind}_installed"], [f"{kind}_uninstalled", "base"])
    net.properties = [f"property up expect true = EF front_running = {size}",
                      "property bound expect true = AG (front_running > 0 -> store_running > 0)",
                      f"property taken_down expect true = AG EF free = {3 * size}"]
    return net


def railroad(size):
    """Tracks with trains that come near, enter and leave; a gate that counts them and closes."""
    net = Net("Railroad")
    for place, tokens in (("open", 1), ("closing", 0), ("closed", 0), ("opening", 0)):
        net.place(place, tokens, 1)
    net.place("near", 0, size)
    net.place("room", size, size)
    for i in range(size):
        for place, tokens in (("far", 1), ("waits", 0), ("inside", 0), ("left", 0)):
            net.place(f"{place}{i}", tokens, 1)
        net.transition(f"approach{i}", [f"far{i}", "room"], [f"waits{i}", "near"])
        net.transition(f"enter{i}", [f"waits{i}", "closed"], [f"inside{i}", "closed"])
        net.transition(f"exit{i}", [f"inside{i}"], [f"left{i}"])
        net.transition(f"report{i}", [f"left{i}", "near"], [f"far{i}", "room"])
    net.transition("lower", ["open", "near"], ["closing", "near"])
    net.transition("is_down", ["closing"], ["closed"])
    net.transition("raise", ["closed"] + ["room"] * size, ["opening"] + ["room"] * size)
    net.transition("is_up", ["opening"], ["open"])
    net.properties = ["property safe expect true = AG (inside0 = 1 -> closed = 1)",
                      "property comes_in expect true = AG EF inside0 = 1", "property lifts expect true = AG EF open = 1"]
    return net


def dekker(size):
    """Everybody raises a flag, and goes in if no other flag is up."""
    net = Net("Dekker")
    for i in range(size):
        for place, tokens in (("p0", 1), ("p1", 0), ("p3", 0), ("flag0", 1), ("flag1", 0)):
            net.place(f"{place}_{i}", tokens, 1)
    for i in range(size):
        net.transition(f"try{i}", [f"p0_{i}", f"flag0_{i}"], [f"p1_{i}", f"flag1_{i}"])
        others = [f"flag0_{j}" for j in range(size) if j != i]
        net.transition(f"enter{i}", [f"p1_{i}"] + others, [f"p3_{i}"] + others)
        net.transition(f"exit{i}", [f"p3_{i}", f"flag1_{i}"], [f"p0_{i}", f"flag0_{i}"])
        for j in set(range(size)) - {i}:
            net.transition(f"yields{i}_{j}", [f"p1_{i}", f"flag1_{i}", f"flag1_{j}"], [f"p0_{i}", f"flag0_{i}", f"flag1_{j}"])
    inside = " + ".join(f"p3_{i}" for i in range(size))
    net.properties = [f"property alone expect true = AG {inside} <= 1", "property enters expect true = AG EF p3_0 = 1"]
    return net


def eratosthenes(size):
    """Multiples of what is there are crossed out, in any order."""
    net = Net("Eratosthenes")
    for number in range(2, size + 1):
        net.place(f"p{number}", 1, 1)
        for by in range(2, number):
            if number % by == 0:
                net.transition(f"cross{number}_{by}", [f"p{number}", f"p{by}"], [f"p{by}"])
    primes = [n for n in range(2, size + 1) if all(n % by for by in range(2, n))]
    net.properties = [f"property primes expect true = AF ({' & '.join(f'p{n} = ' + str(int(n in primes)) for n in range(2, size + 1))})",
                      "property two_stays expect true = AG p2 = 1"]
    return net


def lamport(size):
    """Lamport's fast mutual exclusion: two shared numbers and a flag for each process."""
    lines = ["protocol Lamport", f"roles P[1..{size}]", f"var x, y : 0..{size} = 0"]
    for i in range(1, size + 1):
        lines += [f"var b{i} : bool = false", f"var j{i} : 1..{size + 1} = 1"]
    for i in range(1, size + 1):
        lines += [f"machine M{i} {{", "  start start_"]
        name = f"P[{i}]"
        for source, label, when, change, target in (
                ("start_", "set_b", "", f"b{i} = true", "set_x_"), ("set_x_", "set_x", "", f"x = {i}", "test_y"),
                ("test_y", "busy", "y != 0", f"b{i} = false", "wait_y"), ("wait_y", "free", "y = 0", "", "start_"),
                ("test_y", "go", "y = 0", f"y = {i}", "test_x"), ("test_x", "fast", f"x = {i}", "", "inside"),
                ("test_x", "slow", f"x != {i}", f"b{i} = false, j{i} = 1", "scan"),
                ("scan", "scanned", f"j{i} = {size + 1}", f"j{i} = 1", "test_y2"),
                ("test_y2", "mine", f"y = {i}", "", "inside"), ("test_y2", "lost", f"y != {i}", "", "wait_y2"),
                ("wait_y2", "again", "y = 0", "", "start_"),
                ("inside", "leave", "", "y = 0", "reset"), ("reset", "reset_b", "", f"b{i} = false", "start_")):
            lines.append(f"  {source} -- {name}: {label}{i}{' when ' + when if when else ''}{' set ' + change if change else ''} --> {target}")
        for j in range(1, size + 1):
            lines.append(f"  scan -- {name}: next{i}_{j} when j{i} = {j} & !b{j} set j{i} = {j + 1} --> scan")
        lines.append("}")
    both = " | ".join(f"(M{i} in inside & M{j} in inside)" for i in range(1, size + 1) for j in range(1, i))
    return "\n".join(lines + [f"property alone expect true = AG !({both})", "property enters expect true = AG EF M1 in inside",
                              "property served expect false = AG (M1 in set_x_ -> AF M1 in inside)", ""])


def peterson(size):
    """Peterson's lock for several processes: each level leaves one behind."""
    lines = ["protocol Peterson", f"roles P[0..{size - 1}]"]
    lines += [f"var level{i} : 0..{size} = 0" for i in range(size)]
    lines += [f"var turn{level} : 0..{size - 1} = 0" for level in range(1, size)]
    for i in range(size):
        lines += [f"machine M{i} {{", "  start idle"]
        for level in range(1, size):
            source = "idle" if level == 1 else f"up{level - 1}"
            lines.append(f"  {source} -- P[{i}]: raise{i}_{level} set level{i} = {level} --> raised{level}")
            lines.append(f"  raised{level} -- P[{i}]: yield{i}_{level} set turn{level} = {i} --> wait{level}")
            clear = " & ".join(f"level{j} < {level}" for j in range(size) if j != i)
            lines.append(f"  wait{level} -- P[{i}]: pass{i}_{level} when turn{level} != {i} | ({clear}) --> up{level}")
        lines.append(f"  up{size - 1} -- P[{i}]: leave{i} set level{i} = 0 --> idle")
        lines.append("}")
    both = " | ".join(f"(M{i} in up{size - 1} & M{j} in up{size - 1})" for i in range(size) for j in range(i))
    return "\n".join(lines + [f"property alone expect true = AG !({both})", f"property enters expect true = AG EF M0 in up{size - 1}",
                              f"property served = AG (M0 in raised1 -> AF M0 in up{size - 1})", ""])


MODELS = {"tokenring": token_ring, "pool": swimming_pool, "resources": resources, "referendum": referendum,
          "memory": shared_memory, "erk": erk, "mapk": mapk, "circadian": circadian, "balancing": balancing,
          "robot": robot, "house": house, "grid": square_grid, "raft": raft, "cloud": cloud, "railroad": railroad,
          "dekker": dekker, "eratosthenes": eratosthenes, "lamport": lamport, "peterson": peterson}
