#!/usr/bin/env python3
"""Models with wide states.

    wide.py CELLS BITS ACTIVE    CELLS registers of BITS bits each, of which ACTIVE are counted up and down: 7^ACTIVE states
"""
import sys


def wide(cells, bits, active, most=3):
    top = 2**bits - 1
    lines = ["// Many registers, few of which change at a time.", "protocol Wide", f"roles A[1..{active}]"]
    for i in range(1, cells + 1):
        lines.append(f"var r{i} : 0..{top} = {i * 7919 % top}")
    for i in range(1, active + 1):
        start = i * 7919 % top
        low, high = max(0, start - most), start
        lines += [
            f"machine M{i} {{ start a",
            f"  a -- A[{i}]: down[{i}] when r{i} > {low} set r{i} = r{i} - 1 --> a",
            f"  a -- A[{i}]: up[{i}] when r{i} < {high} set r{i} = r{i} + 1 --> b",
            f"  b -- A[{i}]: rest[{i}] --> a",
            "}",
        ]
    lines.append(f"property bounded expect true = AG r1 <= {top}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(wide(*map(int, sys.argv[1:])), end="")
