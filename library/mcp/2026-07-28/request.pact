// One request of MCP 2026-07-28, named by its id while it is in flight (pages basic/index, basic/patterns/cancellation, basic/patterns/subscriptions).
protocol MCP_request
param AfterCancel = 0  // a cancelled request. 0: may still be answered, though it SHOULD NOT (cancellation); 1: MUST NOT (transports)
param Ending = 0       // the server ends a subscription. 0: by a result or by cancelled; 1: by cancelled only (cancellation); 2: by a result only (subscriptions)
roles Client, Server
type Progress = {larger, not_larger}
message request(tracked : bool)
message progress(Progress)

var tracked, answered, dropped, acknowledged : bool = false
commitment answer = SC(Server, Client, F (answered | dropped))

start fresh
fresh    -- Client: request(false)                                  set tracked = false --> asked
fresh    -- Client: request(true)                                   set tracked = true  --> asked
asked    -- Cr(Server, answer)                                                          --> sent
sent     -- Server: progress(larger) when tracked                                       --> sent
sent     -- Server: answer                                          set answered = true --> done
sent     -- Client: cancel                                          set dropped = true  --> dropping
dropping -- Rel(Client, answer)                                                         --> given_up
given_up -- Server: progress(larger) when tracked & AfterCancel = 0                     --> given_up
given_up -- Server: late_answer      when AfterCancel = 0           set answered = true --> late
given_up -- Client: cancel                                                              --> dropping
done     -- Client: cancel                                                              --> crossing  // crossed the answer on its way
crossing -- Rel(Client, answer)                                                         --> done
// an id may be used again once it is answered
done -- Client: request(false) set tracked = false, answered = false --> asked
done -- Client: request(true)  set tracked = true, answered = false  --> asked
// subscriptions/listen
fresh   -- Client: listen                                                                    --> opening
done    -- Client: listen                                           set acknowledged = false --> opening
opening -- Server: acknowledged                                     set acknowledged = true  --> open
opening -- Server: answer                                           set answered = true      --> done  // refused
open    -- Server: notice                                                                    --> open
open    -- Server: answer       when Ending != 1                    set answered = true      --> done
open    -- Server: cancel       when Ending != 2                    set dropped = true       --> left
opening -- Client: cancel                                           set dropped = true       --> left
open    -- Client: cancel                                           set dropped = true       --> left
left    -- Server: notice       when acknowledged & AfterCancel = 0                          --> left  // may have been on its way
left    -- Server: answer       when Ending = 0                     set answered = true      --> left
// the end of the channel
fresh    -- Client: cancel                         --> belated  // crossed the answer, after which an id is forgotten
belated  -- Rel(Client, answer)                    --> fresh
fresh    -- close                                  --> over
sent     -- close               set dropped = true --> cut  // who hangs up lets go
given_up -- close                                  --> over
late     -- close                                  --> over
done     -- close                                  --> over
opening  -- close                                  --> over
open     -- close                                  --> over
left     -- close                                  --> over
final over, cut

property quiet_when_cancelled level should cite "basic/patterns/cancellation: no answer to a cancelled request; the transports say MUST NOT" expect false = AG !in late
property not_cut_off level should cite "basic/patterns/cancellation, timeouts: cancel what is waited for no longer"                          expect false = AG !in cut
property first_acknowledged                                                                                                                  expect true = AG (does(notice) -> P does(acknowledged))
