// The public-key protocol of Needham and Schroeder (1978): Alice and Bob exchange nonces, each message readable by the owner of one key
// only. Eve is an honest partner and an intruder: she takes part under her own name, keeps what she hears, opens what is meant
// for her and says whatever she can make of it. Lowe (1995) found the attack: Alice talks to Eve, and Bob believes
// that he talks to Alice. With `--param Repaired=1` the second message says who answers; the attack is gone
// (needham_schroeder_lowe.pact).
protocol NeedhamSchroeder
param Repaired = 0
roles Alice, Bob, Eve
type Who = {alice, bob, eve}
type Nonce = {na, nb, ne}

message hello(key : Who, nonce : Nonce, from : Who)
message reply(key : Who, first : Nonce, second : Nonce, from : Who)
message final_(key : Who, second : Nonce)

private var partner of Alice : Who = bob  // whom Alice talks to
private var heard of Alice : Nonce = na   // the nonce that came back
private var peer of Bob : Who = bob       // whom Bob believes to talk to
private var asked of Bob : Nonce = nb
private var knows_na, knows_nb of Eve : bool = false
private var sealed of Eve : bool = false  // a reply for Alice that Eve cannot open, with this nonce in it
private var sealed_first of Eve : Nonce = ne
private var posed, finished of Eve : bool = false  // she spoke as Alice; she was believed

machine Initiator of Alice {
  start calm
  calm    -- Alice -> Bob: hello!(bob, na, alice) set partner = bob --> waiting
  calm    -- Alice -> Eve: hello!(eve, na, alice) set partner = eve --> waiting
  waiting -- Alice: reply?(alice, na, n, who) when Repaired = 0 | who = partner set heard = n --> sure
  sure    -- Alice: final_!(partner, heard) --> done
}
machine Responder of Bob {
  start open
  open     -- Bob: hello?(bob, n, who)          set asked = n, peer = who --> called
  called   -- Bob: reply!(peer, asked, nb, bob)                           --> answered
  answered -- Bob: final_?(bob, nb)                                       --> done
}
machine Intruder of Eve {
  start free
  free -- Eve: hello?(eve, n, _) set knows_na = knows_na | n = na --> free
  free -- Eve: reply?(eve, n, m, _) set knows_na = knows_na | n = na, knows_nb = knows_nb | m = nb --> free
  free -- Eve: reply?(alice, n, _, _) set sealed = true, sealed_first = n --> free
  free -- Eve: final_?(eve, n) set knows_nb = knows_nb | n = nb --> free
  free -- Eve -> Bob: hello!(bob, na, alice) when knows_na set posed = true --> free
  free -- Eve -> Bob: hello!(bob, ne, alice) --> free
  free -- Eve -> Bob: hello!(bob, ne, eve) --> free
  free -- Eve -> Alice: reply!(alice, na, ne, eve) when knows_na --> free
  free -- Eve -> Alice: reply!(alice, na, nb, eve) when knows_na & knows_nb --> free
  free -- Eve -> Alice: reply!(alice, sealed_first, nb, bob) when sealed --> free
  free -- Eve -> Bob: final_!(bob, nb) when knows_nb set finished = true --> free
  free -- Eve -> Bob: final_!(bob, ne) --> free
}

prop fooled = Responder in done & peer = alice & partner != bob

property bob_is_not_fooled  expect false = AG !fooled  // Lowe's attack
property nonce_stays_secret expect false = AG (Responder in answered & peer = alice -> !knows_nb)
property honest_run_works   expect true  = EF (Initiator in done & Responder in done & partner = bob & peer = alice)
property eve_knows          expect true  = AG (posed & finished -> K(Eve, fooled))
property eve_may_know       expect true  = EF (posed & finished)
property alice_is_safe      expect true  = AG (Initiator in done & partner = bob -> peer = alice)
property bob_cannot_tell    expect true  = AG (fooled -> !K(Bob, fooled))

scenario lowes_attack { Alice -> Eve: hello(eve, na, alice); Eve -> Bob: hello(bob, na, alice); Bob: reply(alice, na, nb, bob); Alice: final_(eve, nb); Eve -> Bob: final_(bob, nb) }
