// A sealed-bid auction: each of N bidders puts a price in an envelope or passes, the highest bid wins, and its bidder owes the money.
// All bidders are alike, so their number matters little: --param N=10 is decided as fast as a handful.
protocol SealedAuction
param N = 3
param Dear = 3  // prices are 1 .. Dear
roles Seller, Bidder[1..N]

for i in 1..N {
  private var bid[i] of Bidder[i] : 0..Dear = 0  // 0: none
  var sealed[i] : bool = false
  commitment pay[i] = SC(Bidder[i], Seller, F paid)
}
var winner : 0..N = 0
var paid : bool = false

start open
for i in 1..N {
  for p in 1..Dear {
    open -- Bidder[i] -> Seller: envelope when !sealed[i] set sealed[i] = true, bid[i] = p --> open
  }
  open     -- Bidder[i] -> Seller: pass when !sealed[i] set sealed[i] = true --> open
  open     -- Seller -> Bidder[i]: award when (all j in 1..N : sealed[j]) & bid[i] > 0 & all j in 1..N : bid[j] <= bid[i] set winner = i --> won[i]
  won[i]   -- Cr(Bidder[i], pay[i]) --> owing[i]
  owing[i] -- Sat(Bidder[i], pay[i]) set paid = true --> over
}
open -- Seller: unsold when all i in 1..N : sealed[i] & bid[i] = 0 --> over
final over

property ends            expect true  = AF final
property highest_wins    expect true  = AG all i in 1..N : winner = i -> all j in 1..N : bid[j] <= bid[i]
property winner_owes     expect true  = AG all i in 1..N : in owing[i] -> active(pay[i]) & SC(Bidder[i], Seller, F paid)
property sold_is_paid    expect true  = AG (winner != 0 -> AF paid)
property always_sold     expect false = AF paid
property first_can_win   expect true  = EF (winner = 1)
property bids_are_secret expect true  = AG all i in 1..N : in open -> !K(Seller, bid[i] = Dear)
property seller_can_sell expect false = <Seller>F paid
