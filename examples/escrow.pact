// Escrow: the buyer pays into the hands of an agent, who pays the seller when the goods have come and the buyer when they have not.
// The seller may pass the duty to send on to a carrier. Who is silent for Days ticks loses his objection.
protocol Escrow
param Days = 2
roles Buyer, Seller, Agent, Carrier
clock day : 0..Days
var held, shipped, accepted, released, refunded : bool = false

commitment ship    = SC(Seller, Buyer, held -> F (shipped | refunded))
commitment release = SC(Agent, Seller, accepted -> F released)
commitment refund  = SC(Agent, Buyer, held -> F (released | refunded))

start talk
talk    -- Cr(Seller, ship)                                                             --> offered
offered -- Cr(Agent, release)                                                           --> half
half    -- Cr(Agent, refund)                                                            --> agreed
agreed  -- Buyer -> Agent: deposit                    set held = true, day = 0          --> funded
agreed  -- Buyer: walk_off                                                              --> over
funded  -- Del(Seller, ship, Carrier)                                                   --> passed
funded  -- Seller -> Buyer: send      when day < Days set shipped = true, day = 0       --> sent
passed  -- Carrier -> Buyer: send     when day < Days set shipped = true, day = 0       --> sent
funded  -- Agent -> Buyer: pay_back   when day = Days set refunded = true, held = false --> over
passed  -- Agent -> Buyer: pay_back   when day = Days set refunded = true, held = false --> over
sent    -- Buyer -> Agent: accept                     set accepted = true               --> due
sent    -- Buyer -> Agent: complain                                                     --> dispute
sent    -- Agent: too_late            when day = Days set accepted = true               --> due
dispute -- Agent: for_seller                          set accepted = true               --> due
dispute -- Agent -> Buyer: pay_back                   set refunded = true, held = false --> over
due     -- Agent -> Seller: pay_out                   set released = true, held = false --> over
wait funded while day < Days
wait passed while day < Days
wait sent while day < Days
wait dispute while false
wait due while false
final over
fair weak does(tick)  // nobody holds the clock
fair weak does(pay_back)
fair weak does(pay_out)
fair weak does(too_late)
fair weak does(for_seller)

property paid_once       expect true  = AG !(released & refunded)
property money_comes_out expect true  = AG (held -> AF (released | refunded))
property in_time         expect true  = AG (does(deposit) -> F<=(2 * Days) X (released | refunded))
property sooner          expect false = AG (does(deposit) -> F<=Days X (released | refunded))
property no_goods_no_pay expect true  = AG (released -> shipped)
property seller_owes     expect true  = AG (in funded -> SC(Seller, Buyer, F (shipped | refunded)))
property duty_passed_on  expect true  = AG (in passed -> !active(ship) & active(SC(Carrier, Buyer, _)))
property goods_for_free  expect true  = EF (shipped & refunded)  // the agent believed a complaint
property always_shipped  expect false = AG (held -> AF shipped)

scenario by_carrier                    { ...; deposit; tick; Del(Seller, ship, Carrier); Carrier -> Buyer: send; accept; pay_out; ... }
scenario out_of_time expect impossible { ...; deposit; tick; tick; tick; ... }
