// NetBill, modified: a customer asks a merchant for a quote, the merchant makes an offer, the goods are paid
// for and delivered, and either side may back out or cheat. Then
// they may deal again.
protocol NetBill
roles Cus, Mer

var paid, delivered : bool = false

commitment request = SC(Cus, Mer, F paid)
commitment offer   = SC(Mer, Cus, F delivered)

start idle
idle      -- Cr(Cus, request)                                      --> requested
requested -- Ref(Mer, request)                                     --> rejected
requested -- Ac(Mer, request)                                      --> quoted
quoted    -- Cr(Mer, offer)                                        --> offered
offered   -- Ref(Cus, offer)                                       --> withdrawn
offered   -- Ac(Cus, offer)                                        --> agreed
agreed    -- Sat(Cus, request) set paid = true                     --> payed
agreed    -- Wit(Cus, request)                                     --> withdrawn
agreed    -- Vio(Cus, request)                                     --> cheated
payed     -- Sat(Mer, offer)   set delivered = true                --> done
payed     -- Vio(Mer, offer)                                       --> violated
payed     -- Wit(Mer, offer)                                       --> refunded
refunded  -- Mer: refund       set paid = false                    --> rejected
withdrawn -- Wit(Mer, offer)                                       --> rejected
cheated   -- Wit(Mer, offer)                                       --> rejected
rejected  -- restart                                               --> idle
violated  -- restart           set paid = false                    --> idle
done      -- restart           set paid = false, delivered = false --> idle

prop purchase_compliance = in done
prop purchase_violation  = in violated | in cheated

property creation_may_be_satisfied expect true  = AG (Cr(Cus, request) -> EF Sat(Cus, request))
property offer_may_be_satisfied    expect true  = AG (Cr(Mer, offer) -> EF Sat(Mer, offer))
property always_violated           expect false = AF purchase_violation
property always_compliant          expect false = AF purchase_compliance
property paid_before_delivered     expect true  = AG (delivered -> paid)
property sat_only_after_creation   expect true  = AG (Sat(Mer, offer) -> P Cr(Mer, offer))
property commitment_while_quoted   expect true  = AG (in quoted -> SC(Cus, Mer, F paid))
property deadlock_free             expect true  = AG E does(_)
