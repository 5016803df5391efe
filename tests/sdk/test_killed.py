"""A tap that is killed: whatever it passed on is in the log, and every line of the log is whole."""

import json
import threading
import time
import unittest

from raw import Pipe
from support import Case, program, servanda, wait_until


def lines(data):
    """The whole lines of some bytes."""
    return data.split(b"\n")[:-1]


class Killed(Case):
    def test_what_has_passed_is_recorded(self):
        for attempt, delay in enumerate((0.05, 0.1, 0.2, 0.4)):
            with self.subTest(delay=delay):
                self.kill(self.folder / f"log{attempt}", self.folder / f"far{attempt}", delay)

    def kill(self, log, far, delay):
        tap = [servanda(), "tap", "--library", "mcp/2025-11-25", "--session", "s1", "--log", str(log), "--"]
        errors = self.enterContext(open(self.folder / "errors", "ab"))
        client = Pipe(tap + program("pipes.py", far, *program("echo.py")), errors)

        def flood():
            for number in range(1, 1_000_000):
                line = json.dumps({"jsonrpc": "2.0", "id": number, "method": "ping"}).encode()
                try:
                    client.child.stdin.write(line + b"\n")
                    client.child.stdin.flush()
                except OSError:
                    return

        heard = []
        threads = [threading.Thread(target=flood), threading.Thread(target=lambda: heard.append(client.child.stdout.read()))]
        for thread in threads:
            thread.start()
        wait_until(lambda: log.exists() and log.stat().st_size > 10_000, "something is recorded")
        time.sleep(delay)
        client.child.kill()
        client.child.wait()
        for thread in threads:
            thread.join()
        wait_until(far.with_name(far.name + ".status").exists, "the server has ended")
        client.child.stdout.close()
        try:
            client.child.stdin.close()
        except OSError:
            pass
        recorded = log.read_bytes()
        self.assertTrue(recorded.endswith(b"\n"), recorded[-200:])
        of = {"client": [], "server": []}
        for line in lines(recorded):
            of[json.loads(line)["from"]].append(line)
        passed = lines(far.with_name(far.name + ".in").read_bytes())
        # What was read and recorded last may not have been passed on any more.
        self.assertGreater(len(passed), 100)
        for side, passed in (("client", passed), ("server", lines(heard[0]))):
            self.assertIn(len(of[side]) - len(passed), (0, 1), side)
            for record, line in zip(of[side], passed):
                self.assertTrue(record.endswith(b'"msg":' + line + b"}"), record)
        self.assertEqual([json.loads(it)["msg"]["id"] for it in of["client"]], list(range(1, len(of["client"]) + 1)))


if __name__ == "__main__":
    unittest.main()
