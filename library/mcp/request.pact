// One request of an MCP session with a handshake, from whichever side: its sender, its id (pages basic/index, basic/utilities/cancellation, progress).
protocol MCP_request
roles Requestor, Responder
type Progress = {larger, not_larger}
type Cancel = {plain, of_task}  // of_task: of a request that was to become a task; those are cancelled by tasks/cancel
message request(tracked : bool)  // whether it carries a progress token
message progress(Progress)
message cancel(Cancel)

var tracked, answered, dropped, reused : bool = false
commitment answer = SC(Responder, Requestor, F (answered | dropped))

start fresh
fresh    -- Requestor: request(false)                                    --> asked
fresh    -- Requestor: request(true)                 set tracked = true  --> asked
asked    -- Cr(Responder, answer)                                        --> sent
sent     -- Responder: progress(larger) when tracked                     --> sent
sent     -- Responder: answer                        set answered = true --> done
sent     -- Responder: task                          set answered = true --> tasked  // 2025-11-25: the answer is a task, and the token lives on
tasked   -- Responder: progress(larger) when tracked                     --> tasked
sent     -- Requestor: cancel(plain)                 set dropped = true  --> dropping
dropping -- Rel(Requestor, answer)                                       --> given_up
given_up -- Responder: progress(larger) when tracked                     --> given_up  // may have been on its way
given_up -- Responder: late_answer                   set answered = true --> late
given_up -- Requestor: cancel(plain)                                     --> repeated
repeated -- Rel(Requestor, answer)                                       --> given_up
done     -- Requestor: cancel(plain)                                     --> crossing  // crossed the answer on its way
crossing -- Rel(Requestor, answer)                                       --> done
late     -- Requestor: cancel(plain)                                     --> crossed
crossed  -- Rel(Requestor, answer)                                       --> late
// an id that was used before: MUST NOT, but what follows is judged like the answer to any request
done     -- Requestor: request(false) set reused = true, tracked = false, answered = false --> asked
done     -- Requestor: request(true) set reused = true, tracked = true, answered = false --> asked
given_up -- Requestor: request(false) set reused = true, tracked = false, dropped = false --> asked
given_up -- Requestor: request(true) set reused = true, tracked = true, dropped = false --> asked
late     -- Requestor: request(false) set reused = true, tracked = false, answered = false, dropped = false --> asked
late     -- Requestor: request(true) set reused = true, tracked = true, answered = false, dropped = false --> asked
tasked   -- Requestor: request(false) set reused = true, tracked = false, answered = false --> asked
tasked   -- Requestor: request(true) set reused = true, tracked = true, answered = false --> asked
sent     -- Requestor: request(false) set reused = true, tracked = false --> asked
sent     -- Requestor: request(true) set reused = true, tracked = true --> asked
// the end of the session
fresh    -- close                    --> over
sent     -- close set dropped = true --> cut  // who hangs up lets go
given_up -- close                    --> over
done     -- close                    --> over
tasked   -- close                    --> over
late     -- close                    --> over
final over, cut

property new_id level must cite "basic/index (2024-11-05: basic/messages), requests: an id is not used twice by its sender in a session" expect false = AG !reused
property quiet_when_cancelled level should cite "basic/utilities/cancellation, behavior requirements: no answer to a cancelled request"  expect false = AG !in late
property not_cut_off level should cite "basic/lifecycle, timeouts: cancel what is waited for no longer"                                  expect false = AG !in cut
property tracked_only                                                                                                                    expect true = AG (does(progress) -> tracked)
