"""Stands between two programs that talk over pipes and keeps every byte, knowing nothing of what they say.

pipes.py FILE COMMAND..: FILE.in has what the command was told, FILE.out what it said, FILE.status how it ended.
"""

import contextlib
import os
import pathlib
import subprocess
import sys
import threading

name, command = sys.argv[1], sys.argv[2:]
child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def carry(source, target, copy):
    with open(copy, "wb", buffering=0) as kept:
        while data := os.read(source, 1 << 16):
            kept.write(data)
            # Who is gone is not written to, but whoever still writes is read.
            with contextlib.suppress(OSError):
                while data:
                    data = data[os.write(target, data) :]


def there():
    carry(0, child.stdin.fileno(), f"{name}.in")
    child.stdin.close()


threading.Thread(target=there, daemon=True).start()
carry(child.stdout.fileno(), 1, f"{name}.out")
os.close(1)
status = child.wait()
pathlib.Path(f"{name}.status").write_text(str(status))
# The other thread may wait for ever for a word.
os._exit(max(status, 0))
