// The life of a task between two agents, as in the A2A protocol: the client sends it, the agent works, streams pieces of the result, asks back,
// completes, fails or rejects; the client may cancel at any time, which comes too late if the end is under way already.
protocol A2ATask
param Pieces = 2
roles Client, Agent
type State = {submitted, working, input_required, completed, failed, canceled, rejected}
message status(State)
message artifact(piece : 1..Pieces, last : bool)
channel ask from Client to Agent of capacity 2 carries send, cancel
channel stream from Agent to Client of capacity 2 carries status, artifact
private var seen of Client : State = submitted
private var got of Client : 0..Pieces = 0
private var task of Agent : State = submitted
private var sent of Agent : 0..Pieces = 0
prop at_end   = task = completed | task = failed | task = canceled | task = rejected
prop seen_end = seen = completed | seen = failed | seen = canceled | seen = rejected
commitment outcome = SC(Agent, Client, F at_end)

machine Caller of Client {
  start idle
  idle    -- Client -> Agent: send!                                              --> waiting
  waiting -- Client: status?(s)                                  set seen = s    --> looking
  looking -- Client: wait_on          when seen = working                        --> waiting
  looking -- Client -> Agent: send!   when seen = input_required                 --> waiting
  looking -- Client: close            when seen_end                              --> over
  waiting -- Client: artifact?(n, _)  when n = got + 1           set got = n     --> waiting
  waiting -- Client -> Agent: cancel! when !left                 set left = true --> waiting
  final over
}
private var left of Client : bool = false  // the client has canceled
machine Worker of Agent {
  start empty
  empty  -- Agent: send? --> read
  empty  -- Agent: cancel? --> empty
  read   -- Agent -> Client: status!(rejected) set task = rejected --> over
  read   -- Cr(Agent, outcome) --> taken
  taken  -- Agent -> Client: status!(working) set task = working --> busy
  busy   -- Agent -> Client: artifact!(sent + 1, sent + 1 = Pieces) when sent < Pieces set sent = sent + 1 --> busy
  busy   -- Agent -> Client: status!(input_required) set task = input_required --> asking
  asking -- Agent: send? --> taken
  busy   -- Agent -> Client: status!(completed) when sent = Pieces set task = completed --> over
  busy   -- Agent -> Client: status!(failed) set task = failed --> over
  busy   -- Agent: cancel? --> ending
  asking -- Agent: cancel? --> ending
  ending -- Agent -> Client: status!(canceled) set task = canceled --> over
  over   -- Agent: cancel? --> over
  over   -- Agent: send? --> over
  final over
}
fair strong does(Client.status?)
fair strong does(close)
property promise_is_kept expect false = AG (active(outcome) -> AF at_end)  // it may ask back for ever
property ends_are_ends   expect true  = AG (at_end -> AG at_end)
property end_is_told     expect true  = AG (at_end -> AF seen_end)
property whole_result    expect true  = AG (seen = completed -> got = Pieces)
property cancel_is_final expect false = AG (does(cancel) -> AF (task = canceled))  // too late
property client_knows    expect true  = AG (seen_end -> K(Client, at_end))
scenario too_late { send; ...; status(completed); cancel; ...; status?(completed); close; cancel? }
