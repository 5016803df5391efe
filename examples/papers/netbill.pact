// NetBill in the notation of the ACTL* paper: Ag1 is the Customer, Ag2 the Merchant; the content of a promise is that it
// becomes true in the end.
protocol NetBill
roles Ag1, Ag2

var phi1, phi2 : bool = false

commitment request = SC(Ag1, Ag2, F phi1)
commitment offer   = SC(Ag2, Ag1, F phi2)

start idle
idle      -- Cr(Ag1, request)                                 --> requested
requested -- Ref(Ag2, request)                                --> rejected
requested -- Ac(Ag2, request)                                 --> quoted
quoted    -- Cr(Ag2, offer)                                   --> offered
offered   -- Ref(Ag1, offer)                                  --> withdrawn
offered   -- Ac(Ag1, offer)                                   --> agreed
agreed    -- Sat(Ag1, request) set phi1 = true                --> payed
agreed    -- Wit(Ag1, request)                                --> withdrawn
agreed    -- Vio(Ag1, request)                                --> cheated
payed     -- Sat(Ag2, offer)   set phi2 = true                --> done
payed     -- Vio(Ag2, offer)                                  --> violated
payed     -- Wit(Ag2, offer)                                  --> refunded
refunded  -- Ag2: refund       set phi1 = false               --> rejected
withdrawn -- Wit(Ag2, offer)                                  --> rejected
cheated   -- Wit(Ag2, offer)                                  --> rejected
rejected  -- restart                                          --> idle
violated  -- restart           set phi1 = false               --> idle
done      -- restart           set phi1 = false, phi2 = false --> idle

prop purchase_compliance = in done
prop purchase_violation  = in violated | in cheated

property formula_4        expect true  = AG (Cr(Ag1, SC(Ag1, Ag2, F phi1)) -> EF Sat(Ag1, SC(Ag1, Ag2, F phi1)))
property can_deadlock     expect false = EF !E does(_)
property always_violated  expect false = AF purchase_violation
property always_compliant expect false = AF purchase_compliance
property created_is_kept  expect false = A (Cr(Ag1, SC(Ag1, Ag2, F phi1)) -> F Sat(Ag1, SC(Ag1, Ag2, F phi1)))
