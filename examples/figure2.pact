// Figure 2 of the ACTL* paper: a commitment is made, challenged and justified. What follows a justification is not in
// the figure; here it is accepted or challenged again.
protocol Figure2
roles Ag1, Ag2

var phi1 : bool = false
var phi2 : bool = false

commitment c = SC(Ag1, Ag2, phi1)

start s0
s0 -- Cr(Ag1, c)                         --> s1
s1 -- Ch(Ag2, c)                         --> s2
s2 -- Jus(Ag1, c, phi2) set phi2 = true  --> s3
s3 -- Ch(Ag2, c)                         --> s2
s3 -- Ac(Ag2, c)        set phi2 = false --> s0

property formula_1 expect true = AG (Ch(Ag2, c) -> F Jus(Ag1, c, phi2))
