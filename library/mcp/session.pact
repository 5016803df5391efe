// One session of MCP in the revisions with a handshake, 2024-11-05 to 2025-11-25 (pages basic/lifecycle, basic/index, basic/utilities).
// What MUST hold is how control goes: a line that no step fits breaks the protocol. What SHOULD hold is a property.
protocol MCP_session
roles Client, Server
type Kind = {ordinary, ping, undeclared, forbidden, nameless}  // undeclared, forbidden: of a capability that was not negotiated (SHOULD NOT, MUST NOT); nameless: its id is null
type Place = {alone, batched}  // in a batch of 2025-03-26 or on its own
type Notice = {ordinary, unasked_progress, stray_cancel}  // progress for a token that nobody gave; cancelling what nobody asked, or `initialize`
message initialize(Place)
message request(Kind)
message note(Notice)
type Fault = {both, neither, nameless}  // an answer with a result and an error, with none of them, or without an id
message malformed(Fault)
message noise       // what is no message, where only messages belong
message no_version  // over HTTP, from 2025-06-18: without MCP-Protocol-Version

var early_client, early_server, beyond, busy, in_batch : bool = false

start silent
silent -- Client: initialize(alone)                       --> asked
silent -- Client: initialize(batched) set in_batch = true --> asked  // 2025-03-26: MUST NOT, but what follows is judged like any session
asked  -- Server: init_ok                                 --> agreed
asked  -- Server: init_error                              --> silent
agreed -- Client: initialized                             --> ready
// before the answer to `initialize` a client asks nothing but pings, before `initialized` a server nothing but pings: SHOULD NOT
silent -- Client: request(ordinary) set early_client = true --> silent
asked  -- Client: request(ordinary) set early_client = true --> asked
silent -- Client: note(ordinary)    set early_client = true --> silent
silent -- Server: request(ordinary) set early_server = true --> silent
asked  -- Server: request(ordinary) set early_server = true --> asked
agreed -- Server: request(ordinary) set early_server = true --> agreed
// between the answer and `initialized` a client may ask, but `initialized` must come
agreed -- Client: request(ordinary)   set busy = true                --> agreed
agreed -- Client: request(undeclared) set busy = true, beyond = true --> agreed
asked  -- Client: note(ordinary)                                     --> asked
agreed -- Client: note(ordinary)                                     --> agreed
ready  -- Client: request(ordinary)                                  --> ready
ready  -- Server: request(ordinary)                                  --> ready
ready  -- Client: request(undeclared) set beyond = true              --> ready
ready  -- Server: request(undeclared) set beyond = true              --> ready
ready  -- Client: note(ordinary)                                     --> ready
// pings, answers and the server's notifications at any time
silent -- Client: request(ping)  --> silent
asked  -- Client: request(ping)  --> asked
agreed -- Client: request(ping)  --> agreed
ready  -- Client: request(ping)  --> ready
silent -- Server: request(ping)  --> silent
asked  -- Server: request(ping)  --> asked
agreed -- Server: request(ping)  --> agreed
ready  -- Server: request(ping)  --> ready
silent -- Client: answer         --> silent
asked  -- Client: answer         --> asked
agreed -- Client: answer         --> agreed
ready  -- Client: answer         --> ready
silent -- Server: answer         --> silent
asked  -- Server: answer         --> asked
agreed -- Server: answer         --> agreed
ready  -- Server: answer         --> ready
silent -- Server: note(ordinary) --> silent
asked  -- Server: note(ordinary) --> asked
agreed -- Server: note(ordinary) --> agreed
ready  -- Server: note(ordinary) --> ready
// the client's end of the line; what the server had under way is not judged
silent -- close            --> closed
asked  -- close            --> closed
agreed -- close when !busy --> closed
ready  -- close            --> closed
final closed

property opens_alone level must cite "basic/lifecycle, initialization (2025-03-26): initialize is not part of a batch"           expect false = AG !in_batch
property client_waits level should cite "basic/lifecycle, initialization: no requests but pings before the answer to initialize" expect false = AG !early_client
property server_waits level should cite "basic/lifecycle, initialization: no requests but pings before initialized"              expect false = AG !early_server
property keeps_within level should cite "basic/lifecycle, operation: only what was negotiated (SHOULD before 2025-06-18)"        expect false = AG !beyond
property in_order                                                                                                                expect true = AG (in ready -> P does(init_ok))
