// One call of an A2A agent that is answered at once: a message, a question about a task, a wish to cancel it (A2A 1.0 sections 3.1.1, 3.1.3, 3.1.5).
protocol A2A_call
param Blocking = 0  // a message without `returnImmediately`. 0: answered when the agent likes (3.1.1); 1: only when the task is over or waits (3.2.2)
roles Client, Agent

type Standing = {open, ended, mismatched}  // the task that the client names: nothing is against it; was over when it asked; another context's
type Progress = {busy, waiting, over}
message send(Standing)
message send_and_go(Standing)  // with `returnImmediately`
message cancel(Standing)
message shows(Progress)
message other_task  // the answer is about another task than the one asked about
type Fault = {both, neither}  // an answer of JSON-RPC with a result and an error, or with none of them
message malformed(Fault)

commitment answer = SC(Agent, Client, F answered)
var answered : bool = false

start idle
idle    -- Client: send(open)                                                    --> sending
idle    -- Client: send(ended)                                                   --> barring
idle    -- Client: send(mismatched)                                              --> barring
idle    -- Client: send_and_go(open)                                             --> asking
idle    -- Client: send_and_go(ended)                                            --> barring
idle    -- Client: send_and_go(mismatched)                                       --> barring
idle    -- Client: cancel(open)                                                  --> asking
idle    -- Client: cancel(ended)                                                 --> barring
idle    -- Client: get                                                           --> asking
sending -- Cr(Agent, answer)                                                     --> blocked
asking  -- Cr(Agent, answer)                                                     --> waiting
barring -- Cr(Agent, answer)                                                     --> barred
blocked -- Agent: shows(busy)              when Blocking = 0 set answered = true --> done
blocked -- Agent: shows(waiting)                             set answered = true --> done
blocked -- Agent: shows(over)                                set answered = true --> done
blocked -- Agent: reply                                      set answered = true --> done
blocked -- Agent: refuses                                    set answered = true --> done
waiting -- Agent: shows(busy)                                set answered = true --> done
waiting -- Agent: shows(waiting)                             set answered = true --> done
waiting -- Agent: shows(over)                                set answered = true --> done
waiting -- Agent: reply                                      set answered = true --> done
waiting -- Agent: refuses                                    set answered = true --> done
barred  -- Agent: refuses                                    set answered = true --> done
final done

property is_answered level should cite "JSON-RPC 2.0 section 5: a request is answered" expect true = AF in done
property bars                                                                          expect true = AG (in barred -> !does(shows) & !does(reply))
