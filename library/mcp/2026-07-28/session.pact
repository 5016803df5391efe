// MCP 2026-07-28 over one channel: no handshake, the server asks nothing, the client answers nothing (pages basic/patterns, basic/transports).
protocol MCP_channel
roles Client, Server
type Kind = {ordinary, without_version, wrong_version, wrong_state, nameless}  // what a request lacks or gets wrong in `_meta`, or a `requestState` that nobody gave; nameless: its id is null
type Result = {ordinary, untyped, asks_in_vain, asks_nothing}  // without resultType; asks back where it must not; or without saying what
type Notice = {ordinary, unasked_log, unasked_progress, stray_cancel}
message request(Kind)
message answer(Result)
type Fault = {both, neither, nameless}  // an answer with a result and an error, with none of them, or without an id
message malformed(Fault)
message note(Notice)
message asks          // a server's request
message answers_back  // a client's response
message noise         // what is no message, where only messages belong

start on
on -- Client: request(ordinary) --> on
on -- Client: note(ordinary)    --> on
on -- Server: answer(ordinary)  --> on
on -- Server: note(ordinary)    --> on
on -- close                     --> off
final off
