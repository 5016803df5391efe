#!/usr/bin/env python3
"""Models on which one engine is far better than another.

    families.py product BITS    an agent multiplies two numbers of so many bits (good for sat)
    families.py parity BITS     bits that flip in pairs, so that their parity stays (good for bdd)
"""
import sys


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


def parity(bits):
    """Every step flips one bit and the parity bit."""
    names = [f"b{number}" for number in range(1, bits + 1)]
    lines = [f"// {bits} bits, and one that is their parity.", "protocol Parity", "roles Ann"]
    lines += [f"var {', '.join(names)}, odd : bool = false", "", "start s"]
    lines += [f"s -- Ann: flip_{name} set {name} = !{name}, odd = !odd --> s" for name in names]
    none = " & ".join(f"!{name}" for name in names)
    lines += ["", f"property even expect true = AG ({none} -> !odd)", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("product", "parity"):
        sys.exit(__doc__)
    print({"product": product, "parity": parity}[sys.argv[1]](int(sys.argv[2])), end="")
