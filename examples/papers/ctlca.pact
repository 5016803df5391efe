// PNAWS in the notation of the CTL*CA paper: commitments have a moment, acts are read as that paper reads them.
protocol PNAWS
roles Ag1, Ag2
semantics ctlca

var phi, phi2 : bool = {false, true}

commitment claim    = PC(Ag1, Ag2, t, phi)
commitment doubt    = PC(Ag2, Ag1, t, !phi2 so !phi)             // what the slave's attack commits it to
commitment rebuttal = PC(Ag1, Ag2, t, phi2 so !(!phi2 so !phi))  // what the master's attack on it commits him to

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

property challenge_is_justified expect true = AG (Ch(Ag2, PC(Ag1, Ag2, t, phi)) -> F Jus(Ag1, PC(Ag1, Ag2, t, phi), phi2))
property attack_needs_creation  expect true = AG (At(Ag2, PC(Ag1, Ag2, t, phi), _) -> P Cr(Ag1, PC(Ag1, Ag2, t, phi)))
property may_settle             expect true = EF (Ac(Ag2, PC(Ag1, Ag2, _, _)) | Ref(Ag2, PC(Ag1, Ag2, _, _)))
