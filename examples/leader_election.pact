// Leader election on a ring (Chang and Roberts 1979): each node sends its number to the next; a node passes on larger numbers, swallows smaller
// ones, and leads when its own comes back. Whatever the order of the numbers, the largest wins and everybody learns it.
protocol LeaderElection
param N = 3
roles Node[1..N]
type Number = 1..N

message claim[1..N](Number)  // claim[i] goes to node i
message crown[1..N](Number)
for i in 1..N {
  channel link[i] to Node[i] of capacity N carries claim[i], crown[i]
}
for i in 1..N {
  private var id[i] of Node[i] : Number
  private var leader[i] of Node[i] : 0..N = 0
}
init all i in 1..N : all j in 1..N : i = j | id[i] != id[j]

for i in 1..N {
  machine M[i] of Node[i] {
    start asleep
    asleep  -- Node[i] -> Node[i % N + 1]: claim[i % N + 1]!(id[i]) --> awake
    awake   -- Node[i]: claim[i]?(n) when n > id[i] set best[i] = n --> passing
    awake   -- Node[i]: claim[i]?(n) when n < id[i] --> awake
    awake   -- Node[i]: claim[i]?(n) when n = id[i] set leader[i] = n --> leading
    passing -- Node[i] -> Node[i % N + 1]: claim[i % N + 1]!(best[i]) set best[i] = 1 --> awake
    leading -- Node[i] -> Node[i % N + 1]: crown[i % N + 1]!(id[i]) --> crowned
    awake   -- Node[i]: crown[i]?(n) set leader[i] = n --> telling
    telling -- Node[i] -> Node[i % N + 1]: crown[i % N + 1]!(leader[i]) --> over
    crowned -- Node[i]: crown[i]?(_) --> over
    final over
  }
}
for i in 1..N {
  private var best[i] of Node[i] : Number = 1  // what is passed on
}

property one_leader    expect true  = AG ((sum i in 1..N : if leader[i] = id[i] then 1 else 0) <= 1)
property the_largest   expect true  = AG all i in 1..N : leader[i] > 0 -> leader[i] = N
property always_ends   expect true  = AF final
property all_agree     expect true  = AG (final -> all i in 1..N : leader[i] = N)
property knows_it_won  expect true  = AG all i in 1..N : M[i] in leading -> K(Node[i], all j in 1..N : id[j] <= id[i])
property knows_at_once expect false = AG all i in 1..N : M[i] in asleep -> any j in 1..N : K(Node[i], id[j] = N)
