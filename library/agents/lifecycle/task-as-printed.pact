// The properties TL1 to TL12 and TL14 of arXiv:2510.14133 as they are printed, of the model that `task.pact` has. Six are false of it: TL2, TL4, TL11, TL12 and TL14
// as soon as a task can be canceled anywhere, which figure 2 allows; TL5 because TL3 and TL14 dispatch from elsewhere. TL6 as printed
// is false at the second moment in `completed`. TL13 is left out: only its corrected form was at hand.
protocol Task_lifecycle_as_printed
param Tries = 1
roles Host
type State = {created, awaiting, ready, dispatching, in_progress, completed, failed, retry_scheduled, fallback_selected, canceled, error}
use "task.pact" as task (Host = Host, Tries = Tries)
prop over = task.st = completed | task.st = error | task.st = canceled

property TL1                        expect true  = AG (task.st = created -> AF over)
property TL2                        expect false = AG (task.st = ready & task.external -> AF (task.st = dispatching))
property TL3                        expect true  = AG (task.st = fallback_selected -> AF (task.st = dispatching | task.st = canceled | task.st = failed))
property TL4                        expect false = AG (task.st = dispatching -> AF (task.st = in_progress))
property TL5                        expect false = AG (task.st = dispatching & Y !(task.st = dispatching) -> Y (task.st = ready))
property TL6                        expect false = AG (task.st = completed -> Y (task.st = in_progress))
property TL7                        expect true  = AG (task.st = error -> AG (task.st = error))
property TL8                        expect true  = AG (task.st = retry_scheduled & Y !(task.st = retry_scheduled) -> Y (task.st = failed))
property TL9                        expect true  = AG (task.st = canceled -> AG (task.st = canceled))
property TL10                       expect true  = AG (task.st = awaiting -> AF (task.st != awaiting))
property TL11                       expect false = AG (task.st = awaiting & task.satisfied -> AF (task.st = ready))
property TL12                       expect false = AG (task.st = failed & !task.fallbacks -> AX (task.st = retry_scheduled | task.st = error))
property TL14                       expect false = AG (task.st = retry_scheduled -> AX (task.st = dispatching))
property completion_is_reachable    expect true  = EF (task.st = completed)
property completion_stays_reachable expect false = AG EF (task.st = completed)
