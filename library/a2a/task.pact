// One task of an A2A agent, as all calls and streams together show it. The agent works unseen: `moves` leaves no line.
// That what is over stays over is the only rule about states that A2A has (1.0 section 3.1.1, life of a task).
protocol A2A_task
roles Client, Agent
type State = {submitted, working, input_required, auth_required, unknown, completed, failed, canceled, rejected}
message shows(State)
var st : State  // when the log begins the task may be anything
prop terminal = st = completed | st = failed | st = canceled | st = rejected
prop rests    = terminal | st = input_required | st = auth_required
commitment finish = SC(Agent, Client, F rests)

start fresh
fresh -- Cr(Agent, finish) --> live  // unseen: having a task is to owe its end, or a question
live  -- Agent: moves when !terminal set st in {submitted, working, input_required, auth_required, unknown, completed, failed, canceled, rejected} --> live  // unseen
live  -- Agent: shows(st) --> live
live  -- Client: sends --> live
live  -- Client: cancels --> live
final live

property ends level may cite "A2A 1.0.1 section 3.1.1" expect false = AF terminal
property stays_over                                    expect true  = AG (terminal -> AG terminal)
property one_end                                       expect true  = AG (st = completed -> AG !(st = canceled))
