// A policy for agents that serve people: nothing is changed without a yes. Which messages are a yes and which tools change something
// is said by the mapping.
protocol Confirm
param Lasting = 0  // a yes is good for 0: changes until the person says something else; 1: one change only
roles User, Agent
var agreed, known, rash, after_all : bool = false

start talk
talk -- User: agrees                     set agreed = true                              --> talk
talk -- User: says                       set agreed = false                             --> talk
talk -- Agent: says                                                                     --> talk
talk -- Agent: reads                                                                    --> talk
talk -- Agent: looks_up_user             set known = true                               --> talk
talk -- Agent: changes       when agreed set rash = rash | !known, agreed = Lasting = 0 --> talk
talk -- Agent: hands_over                                                               --> over
over -- User: says                                                                      --> over
over -- User: agrees                                                                    --> over
over -- Agent: says                                                                     --> over
over -- Agent: reads                     set after_all = true                           --> over
over -- Agent: looks_up_user             set after_all = true                           --> over
final talk, over

property looks_up_first level should cite "agents/confirm: know whom you serve before you change anything" expect false = AG !rash
property lets_go level should cite "agents/confirm: who has handed over does nothing more"                 expect false = AG !after_all
property asks_first                                                                                        expect true = AG (does(changes) -> P does(agrees))
