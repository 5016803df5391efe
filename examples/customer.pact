// A customer for netbill.pact who always accepts an offer, and always pays:
//   servanda conform examples/customer.pact --to examples/netbill.pact --as Cus
protocol Customer
roles Cus, Mer

commitment request = SC(Cus, Mer, F paid)
commitment offer   = SC(Mer, Cus, F delivered)

var paid, delivered : bool = false

start idle
idle      -- Cr(Cus, request)                       --> requested
requested -- Ref(Mer, request)                      --> over
requested -- Ac(Mer, request)                       --> quoted
quoted    -- Cr(Mer, offer)                         --> offered
offered   -- Ac(Cus, offer)                         --> agreed
agreed    -- Sat(Cus, request) set paid = true      --> payed
payed     -- Sat(Mer, offer)   set delivered = true --> over
payed     -- Vio(Mer, offer)                        --> over
payed     -- Wit(Mer, offer)                        --> refunded
refunded  -- Mer: refund       set paid = false     --> over
over      -- restart           set paid = false     --> idle

property can_be_served expect true = EF delivered
