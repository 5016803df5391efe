// A host agent after arXiv:2510.14133: it understands a prompt, discovers who can help, plans sub-tasks, has them done and answers. Its properties HP1 to HP17 are
// those of the paper's first version, said so that the sentences hold: where the paper's formulas put a quantifier over sub-tasks outside
// of "always" it stands inside here, and HP7 is the sentence, not its converse.
protocol Host_agent
param N = 2  // sub-tasks that a plan may have
roles User, Host, Entity
type Work = {absent, waiting, invoked, returned}
message plans(1..N)  // how many sub-tasks the plan has
var work[1..N] : Work = absent
var entity[1..N] : {unknown, validated} = unknown
var clear, discovered, planned, collected : bool = false
prop all_back = all i in 1..N : work[i] = absent | work[i] = returned

start idle
idle      -- User: prompt                                                                   --> prompted
prompted  -- Host: clarifies                                                                --> asking
asking    -- User: explains                                                                 --> prompted
prompted  -- Host: understands set clear = true                                             --> clear_now
clear_now -- Host: discovers   set discovered = true, all i in 1..N : entity[i] = validated --> ready
for k in 1..N {
  ready -- Host: plans(k) set planned = true, all i in 1..N : work[i] = if i <= k then waiting else absent --> running
}
for i in 1..N {
  running -- Host: invokes[i] when work[i] = waiting & entity[i] = validated & all j in 1..N : j >= i | work[j] = absent | work[j] = returned set work[i] = invoked --> running
  running -- Entity: returns[i] when work[i] = invoked set work[i] = returned --> running
}
running    -- Host: collects when all_back set collected = true --> collecting
collecting -- Host: answers set all i in 1..N : work[i] = absent, clear = false, planned = false, collected = false --> idle
final idle
fair strong does(understands)  // asking back ends: HP1 and HP2 need it, and the paper does not say so

property HP1 level should cite "arXiv:2510.14133 HP1: each prompt is answered"               expect true = AG (does(prompt) -> F does(answers))
property HP2 level should cite "arXiv:2510.14133 HP2: intent is clarified"                   expect true = AG (in prompted -> AF clear)
property HP3 level should cite "arXiv:2510.14133 HP3: then a plan is made"                   expect true = AG (clear -> AF planned)
property HP4 level should cite "arXiv:2510.14133 HP4: all sub-tasks of the plan are invoked" expect true = AG all i in 1..N : work[i] = waiting -> AF (work[i] = invoked)
property HP5 level should cite "arXiv:2510.14133 HP5: each gives a result"                   expect true = AG all i in 1..N : work[i] = invoked -> AF (work[i] = returned)
property HP6 level should cite "arXiv:2510.14133 HP6: results are collected"                 expect true = AG (in running -> AF collected)
property HP7 cite "arXiv:2510.14133 HP7: a plan only after discovery"                        expect true = AG (planned -> discovered)
property HP8 cite "arXiv:2510.14133 HP8: only sub-tasks of the plan are invoked"             expect true = AG all i in 1..N : does(invokes[i]) -> work[i] = waiting
property HP9 cite "arXiv:2510.14133 HP9: only validated entities are invoked"                expect true = AG all i in 1..N : does(invokes[i]) -> entity[i] = validated
property HP10 cite "arXiv:2510.14133 HP10: nothing is invoked while what it needs is open"   expect true = AG all i in 1..N : does(invokes[i]) -> all j in 1..N : j >= i | work[j] = absent | work[j] = returned
property HP11 cite "arXiv:2510.14133 HP11: the answer only after all sub-tasks"              expect true = AG (does(answers) -> all_back)
// HP13 to HP15 (calls of agents, of tools and invocations are answered) come to HP5 here
property HP12 level should cite "arXiv:2510.14133 HP12: each prompt leads to clarification or a plan" expect true = AG (in prompted -> AF (in asking | clear))
property HP16 cite "arXiv:2510.14133 HP16: an answer can be reached"                                  expect true = AG EF does(answers)
property HP17 cite "arXiv:2510.14133 HP17: a plan can be reached"                                     expect true = AG EF planned
