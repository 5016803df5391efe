// N counters from 0 to Base - 1, each of which begins anew after the last: Base^N states, N * Base^N transitions (for Base > 1), and the
// longest shortest run has N * (Base - 1) steps. For measurements of states on disk; bench/scale-2026-11-18.md.
protocol Counters
param N = 6
param Base = 10
roles Clerk[1..N]
var digit[1..N] : 0..Base - 1 = 0

start s
for i in 1..N {
  s -- Clerk[i]: turn set digit[i] = (digit[i] + 1) % Base --> s
}

property never_full    expect false = AG !(all i in 1..N : digit[i] = Base - 1)
property never_halfway expect false = AG !(digit[1] = Base - 1 & digit[2] = Base - 1)
