// The contract net (Smith 1980): a manager announces a task, each of N bidders offers a price or refuses, the cheapest offer is accepted and
// its bidder owes the work. What the work costs a bidder is its own business, also afterwards.
protocol ContractNet
param N = 2
param Dear = 2  // prices are 1 .. Dear
roles Manager, Bidder[1..N]
type Price = 1..Dear

message offer[1..N](Price)
message award[1..N](Price)
for i in 1..N {
  private var cost[i] of Bidder[i] : Price  // no bidder works below its cost
  var bid[i] : 0..Dear = 0                  // 0: none
  var answered[i] : bool = false
}
var winner : 0..N = 0
var done : bool = false

for i in 1..N {
  commitment work[i] = SC(Bidder[i], Manager, F done)
  commitment pay[i]  = SC(Manager, Bidder[i], done -> F paid)
}
var paid : bool = false

start quiet
quiet -- Manager: call --> open
for i in 1..N {
  open      -- Bidder[i] -> Manager: offer[i](cost[i]) when !answered[i] set answered[i] = true, bid[i] = cost[i] --> open
  open      -- Bidder[i] -> Manager: offer[i](Dear) when !answered[i] set answered[i] = true, bid[i] = Dear --> open
  open      -- Bidder[i] -> Manager: refuse when !answered[i] set answered[i] = true --> open
  open      -- Manager -> Bidder[i]: award[i](bid[i]) when (all j in 1..N : answered[j]) & bid[i] > 0 & all j in 1..N : bid[j] = 0 | bid[i] <= bid[j] set winner = i --> given[i]
  given[i]  -- Cr(Bidder[i], work[i]) --> owed[i]
  owed[i]   -- Cr(Manager, pay[i]) --> agreed[i]
  agreed[i] -- Sat(Bidder[i], work[i]) set done = true --> worked[i]
  agreed[i] -- Rel(Manager, work[i]) --> over
  worked[i] -- Sat(Manager, pay[i]) set paid = true --> over
}
open -- Manager: give_up when all i in 1..N : answered[i] & bid[i] = 0 --> over
final over

property ends             expect true  = AF final
property cheapest_wins    expect true  = AG all i in 1..N : winner = i -> all j in 1..N : bid[j] = 0 | bid[i] <= bid[j]
property work_is_owed     expect true  = AG all i in 1..N : in owed[i] -> active(work[i]) & SC(Bidder[i], Manager, F done)
property nobody_else_owes expect true  = AG all i in 1..N : active(work[i]) -> winner = i
property released_is_free expect true  = AG (does(Rel(Manager, _)) -> X !active(SC(_, Manager, _)))
property done_and_paid    expect true  = AG (done -> AF paid)
property always_done      expect false = AF done
property costs_are_secret expect true  = AG all i in 1..N : bid[i] = 0 & !answered[i] -> all p in 1..Dear : !K(Manager, cost[i] = p)
property low_bids_tell    expect true  = AG all i in 1..N : bid[i] = 1 -> K(Manager, cost[i] = 1)
property a_bidder_can_win expect true  = EF (winner = N)
property manager_can_end  expect true  = <Manager>F in over
property manager_can_get  expect false = <Manager>F done

scenario one_works                     { call; offer[1](1); ...; Manager -> Bidder[1]: award[1](1); ...; Sat(Bidder[1], work[1]); ... }
scenario dearer_wins expect impossible { ...; offer[1](1); offer[2](2); Manager -> Bidder[2]: award[2](_); ... }
