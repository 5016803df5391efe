"""Answers every request over pipes at once, as fast as this language can: without reading more of a line than its number."""

import sys

for line in sys.stdin.buffer:
    number = line.split(b'"id":', 1)[1].split(b",", 1)[0]
    sys.stdout.buffer.write(b'{"jsonrpc":"2.0","id":' + number + b',"result":{}}\n')
    sys.stdout.buffer.flush()
