// One task of MCP 2025-11-25 (page basic/utilities/tasks, experimental there), as its requestor is shown it. The receiver works unseen: `moves` leaves no line.
protocol MCP_task
roles Requestor, Receiver
type Status = {working, input_required, completed, failed, cancelled}
message shows(Status)
message cancelled(Status)  // the answer to tasks/cancel
var st : Status = working
var cancelling : bool = false  // a tasks/cancel is under way
prop terminal = st = completed | st = failed | st = cancelled
commitment finish = SC(Receiver, Requestor, F terminal)

start fresh
fresh -- Receiver: shows(working) --> born
born  -- Cr(Receiver, finish) --> live
live  -- Receiver: moves when !terminal set st in {working, input_required, completed, failed, cancelled} --> live  // unseen
live  -- Receiver: shows(st) --> live
live  -- Receiver: result when terminal --> live
live  -- Requestor: cancel when terminal --> live
live  -- Requestor: cancel when !terminal set cancelling = true --> live
live  -- Receiver: cancelled(cancelled) when st = cancelled & cancelling set cancelling = false --> live
live  -- Receiver: cancel_refused --> live
live  -- close --> left
left  -- Receiver: moves when !terminal set st in {working, input_required, completed, failed, cancelled} --> left  // unseen
left  -- Receiver: shows(st) --> left  // was on its way
final left

property finishes level may cite "basic/utilities/tasks, task status lifecycle" expect false = AF terminal
property stays_over                                                             expect true  = AG (terminal -> AG terminal)
property then_results                                                           expect true  = AG (does(result) -> terminal)
