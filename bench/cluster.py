#!/usr/bin/env python3
"""Hosts in network namespaces decide models together; one of them is killed, cut off, or slow.

    bench/cluster.py PROGRAM [KILLS] [SEED]

Three namespaces stand for three machines: each has one end of a veth pair, and a bridge joins the other ends. This needs root;
without it the script says so and ends. Then KILLS times one of three processes is killed (SIGKILL) somewhere within the time that a run takes: the run
ends with status 3 or with the right answer, never with a wrong one, and the next one goes on with its checkpoint. What is seen is printed as
a table in Markdown.
"""

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HOSTS = 3
# Runs that are killed count ten to the power of this many states.
KILLED = 6
BRIDGE = "svbr"
# Where a limit is asked for: dead is told from cut off.
SECONDS_DEAD, SECONDS_CUT_OFF = 5, 15

MODEL = """protocol Counters
param N = 6
roles Ann
var x[1..N] : 0..9 = 0
start s
for i in 1..N {
  s -- Ann: up[i] when x[i] < 9 set x[i] = x[i] + 1 --> s
}
property reached = EF x[1] = 9
"""


def sh(command):
    subprocess.run(command.split(), check=True, capture_output=True)


def try_sh(command):
    subprocess.run(command.split(), check=False, capture_output=True)


class Machines:
    """Three of them, and a switch."""

    def __enter__(self):
        self.__exit__()
        sh(f"ip link add {BRIDGE} type bridge")
        sh(f"ip link set {BRIDGE} up")
        for host in range(HOSTS):
            sh(f"ip netns add sv{host}")
            sh(f"ip link add svout{host} type veth peer name svin{host}")
            sh(f"ip link set svin{host} netns sv{host}")
            sh(f"ip link set svout{host} master {BRIDGE}")
            sh(f"ip link set svout{host} up")
            sh(f"ip -n sv{host} addr add 10.213.0.{host + 1}/24 dev svin{host}")
            sh(f"ip -n sv{host} link set svin{host} up")
            sh(f"ip -n sv{host} link set lo up")
        return self

    def __exit__(self, *_):
        for host in range(HOSTS):
            try_sh(f"ip netns del sv{host}")
            try_sh(f"ip link del svout{host}")
        try_sh(f"ip link del {BRIDGE}")

    @staticmethod
    def plug_out(host):
        sh(f"ip link set svout{host} down")

    @staticmethod
    def plug_in(host):
        sh(f"ip link set svout{host} up")

    @staticmethod
    def swallow(host):
        """Both ends are up, and what is sent never arrives."""
        sh(f"ip link set svout{host} nomaster")

    @staticmethod
    def as_before(host):
        try_sh(f"ip link set svout{host} master {BRIDGE}")
        try_sh(f"tc qdisc del dev svout{host} root")

    @staticmethod
    def slow_down(host):
        """Late packets where the system can do that, otherwise few of them in a second."""
        for how in ("netem delay 40ms", "tbf rate 4mbit burst 16kbit latency 400ms"):
            if subprocess.run(f"tc qdisc add dev svout{host} root {how}".split(), capture_output=True).returncode == 0:
                return how
        return None


class Run:
    """A command in all three."""

    def __init__(self, program, folder, arguments, port, namespaces=True):
        hosts = folder / f"hosts-{port}"
        name = "10.213.0.{}:{}" if namespaces else "127.0.0.{}:{}"
        hosts.write_text("".join(name.format(host + 1, port) + "\n" for host in range(HOSTS)))
        self.processes = []
        for host in range(HOSTS):
            within = ["ip", "netns", "exec", f"sv{host}"] if namespaces else []
            command = [*within, program, *arguments, "--hosts", str(hosts), "--process", str(host)]
            # `ip netns exec` becomes the program: it has the same number.
            pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
            self.processes.append(subprocess.Popen(command, cwd=folder, **pipes))

    def end(self, since, seconds):
        """Status, output, complaints of each, and how long the slowest took."""
        left = []
        for process in self.processes:
            try:
                out, complaints = process.communicate(timeout=max(0.1, since + seconds - time.time()))
            except subprocess.TimeoutExpired:
                process.kill()
                out, complaints = process.communicate()
                complaints += "HANGS"
            left.append((process.returncode, out, complaints))
        return left, time.time() - since


def report(out):
    return json.loads(out) if out.strip() else {}


def counted(out):
    return report(out).get("model", {}).get("states")


def complain_if(wrong, left):
    if wrong:
        print(f"WRONG: {left}", file=sys.stderr)
        complain_if.seen += 1
    return "**no**" if wrong else "yes"


complain_if.seen = 0


def said(left):
    """What the first process says of a run that did not come to its end, or anything that must not be said."""
    panics = [text for _, _, text in left if "panicked" in text or "HANGS" in text]
    reached = report(left[0][1]).get("model", {}).get("reached", {})
    return panics, reached.get("reason", ""), reached.get("states", "0")


def main():
    program, kills = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 50
    random.seed(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    if os.geteuid() != 0:
        print("skipped: network namespaces need root")
        return
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "counters.pact").write_text(MODEL)
    port = 2101

    def size(n):
        return ["size", "counters.pact", "--param", f"N={n}", "--format", "json"]

    print("| what | seconds | statuses | what the first says | as it should be |")
    print("|---|---|---|---|---|")

    def row(what, seconds, left, words, good):
        statuses = ", ".join(str(status) for status, _, _ in left)
        print(f"| {what} | {seconds:.1f} | {statuses} | {words} | {complain_if(not good, left)} |", flush=True)

    with Machines() as machines:
        port += 1
        begun = time.time()
        left, seconds = Run(program, folder, size(5), port).end(begun, 100)
        count = counted(left[0][1])
        row("three count together", seconds, left, f"{count} states", count == "100000")

        port += 1
        begun = time.time()
        check = ["check", "counters.pact", "--param", "N=5", "--format", "json"]
        left, seconds = Run(program, folder, check, port).end(begun, 100)
        verdict = report(left[0][1])["properties"][0]["verdict"]
        row("three decide `EF x[1] = 9`", seconds, left, verdict, verdict in ("true", True))

        def disturbed(what, disturb, restore, limit, host):
            nonlocal port
            port += 1
            run = Run(program, folder, size(8), port)
            time.sleep(4)
            disturb(run)
            since = time.time()
            left, seconds = run.end(since, 60)
            restore()
            panics, reason, states = said(left)
            others = [status for number, (status, _, _) in enumerate(left) if number != host]
            good = not panics and seconds < limit and all(status == 3 for status in others) and reason
            row(what, seconds, left, f"{reason}; {states} states by then", good)

        def nothing():
            pass

        for host in (2, 1):
            disturbed(f"process {host} is killed", lambda run, h=host: run.processes[h].kill(), nothing, SECONDS_DEAD, host)
        disturbed("the link of 2 is down", lambda _: machines.plug_out(2), lambda: machines.plug_in(2), SECONDS_CUT_OFF, 2)
        disturbed("packets of 2 are lost", lambda _: machines.swallow(2), lambda: machines.as_before(2), SECONDS_CUT_OFF, 2)
        disturbed("packets of 0 are lost", lambda _: machines.swallow(0), lambda: machines.as_before(0), SECONDS_CUT_OFF, -1)

        def slow(what, disturb, restore, n, count):
            nonlocal port
            port += 1
            begun = time.time()
            run = Run(program, folder, size(n), port)
            disturb(run)
            left, seconds = run.end(begun, 200)
            restore()
            row(what, seconds, left, f"{counted(left[0][1])} states", counted(left[0][1]) == count)

        how = machines.slow_down(1)
        if how:
            slow(f"the network of 1 is slow ({how})", lambda _: None, lambda: machines.as_before(1), 5, "100000")

        def pause(run):
            time.sleep(1.5)
            run.processes[1].send_signal(signal.SIGSTOP)
            time.sleep(12)
            run.processes[1].send_signal(signal.SIGCONT)

        slow("process 1 rests for 12 s", pause, nothing, 6, "1000000")

    whole = time.time()
    port += 1
    Run(program, folder, size(KILLED), port, namespaces=False).end(whole, 100)
    whole = time.time() - whole
    outcomes = {"the right count": 0, "status 3": 0}
    checkpoint = folder / "checkpoint"
    keeps = ["--checkpoint", str(checkpoint), "--resume", str(checkpoint), "--every", "20ms"]
    slowest, resumed, killed = 0.0, 0, 0
    # At last one run is left alone, so that what the others have left comes to its end.
    while killed < kills or checkpoint.exists():
        port += 1
        resumed += (checkpoint / "checkpoint.txt").exists()
        run = Run(program, folder, size(KILLED) + keeps, port, namespaces=False)
        victim = None
        if killed < kills:
            time.sleep(random.random() * whole * 0.8)
            victim = random.randrange(HOSTS)
            run.processes[victim].kill()
            killed += 1
        since = time.time()
        left, seconds = run.end(since, 45)
        slowest = max(slowest, seconds if victim is not None else 0)
        panics, _, _ = said(left) if left[0][0] != -9 else ([], "", "")
        alive = [status for number, (status, _, _) in enumerate(left) if number != victim]
        right = left[0][0] == 0 and counted(left[0][1]) == str(10**KILLED)
        gone = victim is not None and left[0][0] in (3, -9) and counted(left[0][1]) in (None, str(10**KILLED))
        if panics or not (right or gone) or any(status not in (0, 3) for status in alive):
            complain_if(True, left)
        outcomes["the right count" if right else "status 3"] += 1
        if right or (victim is None and not gone):
            shutil.rmtree(checkpoint, ignore_errors=True)
    print(f"\n{kills} kills within {whole * 0.8:.1f} s, {resumed} runs went on with a checkpoint: {outcomes},", end=" ")
    print(f"wrong: {complain_if.seen}, all others ended within {slowest:.1f} s")
    shutil.rmtree(folder)
    sys.exit(1 if complain_if.seen else 0)


if __name__ == "__main__":
    main()
