// One stream of an A2A agent: what answers a streamed message or a subscription (A2A 1.0 sections 3.1.2, 3.1.6, 3.5.2; 0.3 section 7.2).
// What MUST hold is how control goes; what SHOULD hold is a property. What is compared between lines (whose task, whose context) is compared
// by the mapping, which says `other_task` or `other_context`: no step carries these.
protocol A2A_stream
param Interrupted = 0  // a task waits for input or authorisation. 0: the stream may end or stay; 1: it stays (3.1.2, 7.6.1); 2: it ends (11.7)
param Snapshots = 1    // the whole task again, after the first event. 1: may be sent (11.7); 0: must not (3.1.2)
param Profile = 0      // which state may follow which. 0: what the standard says; 1: the table of ACTS 7.1, which is proposed only
roles Client, Agent

type State = {submitted, working, input_required, auth_required, unknown, completed, failed, canceled, rejected}
type Standing = {open, ended, mismatched}  // the task that the client names: nothing is against it; was over when it asked; another context's
message send(Standing)
message subscribe(Standing)
message task(State)  // the whole task
message status(State)
message other_task  // about a task that the stream is not about
type Fault = {both, neither}  // an answer of JSON-RPC with a result and an error, or with none of them
message malformed(Fault)
message other_context
message lingers  // open a second after the task is over

var st : State  // as it is when the stream begins, then as it was last told
var back, undue : bool = false
prop terminal    = st = completed | st = failed | st = canceled | st = rejected
prop interrupted = st = input_required | st = auth_required
prop goes_on     = !terminal & !(interrupted & Interrupted = 2)
prop from_work   = goes_on & (Profile = 0 | st = working)

start idle
idle    -- Client: send(open) --> asked
idle    -- Client: send(ended) --> barred
idle    -- Client: send(mismatched) --> barred
idle    -- Client: subscribe(open) --> joined
idle    -- Client: subscribe(ended) --> barred
barred  -- Agent: refuses --> refused
asked   -- Agent: refuses --> refused
joined  -- Agent: refuses --> refused
refused -- Agent: close --> closed
asked   -- Agent: close --> closed
barred  -- Agent: close --> closed
barred  -- Agent: task(st) set undue = true --> live  // MUST NOT, but what follows is judged like any stream
asked   -- Agent: reply --> told
told    -- Agent: close --> closed
asked   -- Agent: task(st) --> live
joined  -- Agent: task(st) when !terminal --> live
live    -- Agent: task(st) when Snapshots = 1 --> live
live    -- Agent: status(submitted) when goes_on & (Profile = 0 | st = submitted) set back = back | st != submitted, st = submitted --> live
live    -- Agent: status(working) when goes_on set st = working --> live
live    -- Agent: status(input_required) when from_work | goes_on & st = input_required set st = input_required --> live
live    -- Agent: status(auth_required) when from_work | goes_on & st = auth_required set st = auth_required --> live
live    -- Agent: status(unknown) when goes_on & Profile = 0 set st = unknown --> live
live    -- Agent: status(completed) when from_work set st = completed --> live
live    -- Agent: status(failed) when from_work set st = failed --> live
live    -- Agent: status(canceled) when from_work set st = canceled --> live
live    -- Agent: status(rejected) when from_work set st = rejected --> live
live    -- Agent: artifact when goes_on --> live
live    -- Agent: last --> ending                    // 0.3: `final` was true
live    -- Agent: refuses when !terminal --> broken  // an error inside the stream
broken  -- Agent: close --> closed
ending  -- Agent: close --> closed
live    -- Agent: close when terminal | interrupted & Interrupted != 1 --> closed
live    -- Agent: close when !terminal & !(interrupted & Interrupted != 1) --> cut
idle    -- Client: leaves --> closed
asked   -- Client: leaves --> closed
joined  -- Client: leaves --> closed
live    -- Client: leaves --> closed  // closing is always the client's right
told    -- Client: leaves --> closed
refused -- Client: leaves --> closed
barred  -- Client: leaves --> closed
broken  -- Client: leaves --> closed
ending  -- Client: leaves --> closed
closed  -- Agent: close --> closed
final closed, cut

property refuses_ended level must cite "A2A 1.0.1 sections 3.1.1, 3.1.6, 3.4.3: nothing is streamed of a task that was over, or of another context" expect false = AG !undue
property whole level should cite "A2A 1.0.1 sections 3.1.2, 3.5.2: the stream goes on until the task is over"                                       expect false = AG !in cut
property closes level must cite "A2A 1.0.1 sections 3.1.2, 3.1.6: the stream closes when the task is over"                                          expect false = AG (in live & terminal -> F !in live)
property goes_forward level should cite "ACTS 7.1, proposed for A2A: nothing returns to SUBMITTED"                                                  expect false = AG !back
property stays_over                                                                                                                                 expect true = AG (in live & terminal -> AG (in live -> terminal))
