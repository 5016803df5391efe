// The dialogue game of Fig. 2 of the ACTL* paper: creation, challenge, justification, each with its decomposition.
protocol Figure2
roles Ag1, Ag2

var phi1, phi2 : bool = {false, true}

commitment claim = SC(Ag1, Ag2, phi1)

start s0
s0 -- Cr(Ag1, claim)        --> s1
s1 -- Ch(Ag2, claim)        --> s2
s2 -- Jus(Ag1, claim, phi2) --> s3
s3 -- Ch(Ag2, claim)        --> s2
s3 -- Ac(Ag2, claim)        --> s4
s4 -- again                 --> s0

decompose Cr(Ag1, claim) {
  0 : SC(Ag1, Ag2, phi1) ;
  1 : phi1 ;
  0 --[SC_Ag1]--> 1
}
decompose Ch(Ag2, claim) {
  0 : SC(Ag2, Ag1, ?phi1) ;
  1 : ?phi1 ;
  2 : phi1 ;
  0 --[SC_Ag2]--> 1 ;
  1 --[?]--> 2
}
decompose Jus(Ag1, claim, phi2) {
  0 : SC(Ag1, Ag2, phi2 so phi1) ;
  1 : phi2 so phi1 ;
  2 : phi2, X (!phi2 | phi1) ;
  3 : X (!phi2 | phi1) ;
  4 : !phi2 | phi1 ;
  0 --[SC_Ag1]--> 1 ;
  1 --[and]--> 2 ;
  2 --[<=>]--> 3 ;
  3 --[X]--> 4
}

property formula_1 expect true = AG (Ch(Ag2, SC(Ag1, Ag2, phi1)) -> F Jus(Ag1, SC(Ag1, Ag2, phi1), phi2))
