//! One auctioneer and bidders: commitments that are created, withdrawn, accepted and kept.

const TEXT: &str = "\
// One seller, one item, and bidders: a bid is a promise to pay if the item is won.
protocol Auction
param N = @
roles Seller, Bidder[1..N]
var won[1..N], paid[1..N] : bool = false
var sold, delivered : bool = false

for i in 1..N {
  commitment bid[i]   = SC(Bidder[i], Seller, won[i] -> F paid[i])
  commitment award[i] = SC(Seller, Bidder[i], paid[i] -> F delivered)
  machine Side[i] {
    start silent
    silent   -- Cr(Bidder[i], bid[i])  when !sold                                --> offered
    offered  -- Wit(Bidder[i], bid[i]) when !sold                                --> silent
    offered  -- Ac(Seller, bid[i])     when !sold set sold = true, won[i] = true --> promised
    promised -- Cr(Seller, award[i])                                             --> due
    due      -- Sat(Bidder[i], bid[i]) set paid[i] = true                        --> payed
    payed    -- Sat(Seller, award[i])  set delivered = true                      --> done
  }
  property paid_before_delivery[i] expect true = AG (won[i] & delivered -> paid[i])
  property may_win[i] expect true = EF won[i]
}
property one_winner expect true = AG all i in 1..N : all j in 1..N : i = j | !(won[i] & won[j])
property always_sold expect false = AF sold
property sale_completes expect true = AG (sold -> AF delivered)
";

pub(super) fn bidders(n: usize) -> String {
    TEXT.replace('@', &n.to_string())
}
