// PNAWS in the notation of the ACTL* paper: Ag1 is the Master, Ag2 the Slave.
protocol PNAWS
roles Ag1, Ag2

var phi1 : bool = {false, true}
var phi2 : bool = {false, true}

prop phi = phi1

commitment claim    = SC(Ag1, Ag2, phi1)
commitment doubt    = SC(Ag2, Ag1, !phi2 so !phi1)             // what the slave's attack commits it to
commitment rebuttal = SC(Ag1, Ag2, phi2 so !(!phi2 so !phi1))  // what the master's attack on it commits him to

start idle
idle       -- Cr(Ag1, claim)        --> opened
opened     -- Ac(Ag2, claim)        --> agreed
opened     -- Ref(Ag2, claim)       --> refused
refused    -- Def(Ag1, claim, phi2) --> defended
defended   -- Ac(Ag2, claim)        --> agreed
defended   -- Ch(Ag2, claim)        --> challenged
defended   -- At(Ag2, claim, !phi2) --> attacked
challenged -- Jus(Ag1, claim, phi2) --> justified
justified  -- Ch(Ag2, claim)        --> challenged
justified  -- Ac(Ag2, claim)        --> agreed
justified  -- Ref(Ag2, claim)       --> closed
attacked   -- At(Ag1, doubt, phi2)  --> answered
attacked   -- Ac(Ag1, doubt)        --> conceded
attacked   -- Ref(Ag1, doubt)       --> closed
answered   -- At(Ag2, claim, !phi2) --> attacked
answered   -- Ac(Ag2, rebuttal)     --> agreed
answered   -- Ref(Ag2, rebuttal)    --> closed
agreed     -- restart               --> idle
conceded   -- restart               --> idle
closed     -- restart               --> idle

property formula_2 expect true = AG (Cr(Ag1, SC(Ag1, Ag2, phi)) -> AF (Act(Ag1, SC(Ag1, Ag2, phi)) | Act(Ag2, SC(Ag1, Ag2, phi))))
property formula_3 expect true = AG (Ch(Ag2, SC(Ag1, Ag2, phi1)) -> F Jus(Ag1, SC(Ag1, Ag2, phi1), phi2))
property axiom_m   expect true = AG SC(Ag1, Ag2, SC(Ag1, Ag2, phi) -> phi)
property axiom_4   expect true = AG (SC(Ag1, Ag2, phi) -> SC(Ag1, Ag2, SC(Ag1, Ag2, phi)))
