// Lowe's repair of the protocol of Needham and Schroeder: the reply names who answers, so Alice, who waits for Eve's, does not take
// Bob's. Nobody is fooled any more, and what Bob sends to Alice stays secret.
protocol NeedhamSchroederLowe
use "needham_schroeder.pact" as ns (Repaired = 1)

property bob_is_not_fooled  expect true = AG !ns.fooled
property nonce_stays_secret expect true = AG (ns.Responder in answered & ns.peer = ns.alice -> !ns.knows_nb)
property honest_run_works   expect true = EF (ns.Initiator in done & ns.Responder in done & ns.partner = ns.bob)
property agreement_known    expect true = AG (ns.Responder in done & ns.peer = ns.alice -> K(ns.Bob, ns.partner = ns.bob))

scenario lowes_attack expect impossible { ns.Alice -> ns.Eve: ns.hello(ns.eve, ns.na, ns.alice); ...; ns.Bob: ns.reply(ns.alice, _, _, _); ...; ns: final_(ns.bob, ns.nb) }
