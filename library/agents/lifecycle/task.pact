// The life of a sub-task in a system of agents, after Allegrini, Shreekumar and Celik, arXiv:2510.14133 (figure 2 and table II of its first version),
// with the properties as they have to be said for the paper's sentences to hold of the paper's own states: what can be cancelled is
// allowed for, and "only from" is asked at the moment of entering. The host reports what becomes of a task, whoever works on it. Retries are bounded here, which TL1 needs and the paper does not say.
protocol Task_lifecycle
param Tries = 1
roles Host
type State = {created, awaiting, ready, dispatching, in_progress, completed, failed, retry_scheduled, fallback_selected, canceled, error}
message enters(State)
var st : State = created
var external, satisfied, fallbacks : bool = {false, true}
var retries : 0..Tries = Tries
prop over = st = completed | st = error | st = canceled

start alive
alive -- Host: enters(awaiting) when st = created set st = awaiting --> alive
alive -- Host: enters(ready) when st = created set st = ready --> alive
alive -- Host: satisfied when st = awaiting & !satisfied set satisfied = true --> alive
alive -- Host: enters(ready) when st = awaiting & satisfied set st = ready --> alive
alive -- Host: enters(dispatching) when st = ready & external set st = dispatching --> alive
alive -- Host: enters(in_progress) when st = ready & !external set st = in_progress --> alive
alive -- Host: enters(in_progress) when st = dispatching set st = in_progress --> alive
alive -- Host: enters(completed) when st = in_progress set st = completed --> alive
alive -- Host: enters(failed) when st = in_progress set st = failed --> alive
alive -- Host: enters(retry_scheduled) when st = failed & retries > 0 set st = retry_scheduled, retries = retries - 1 --> alive
alive -- Host: enters(fallback_selected) when st = failed & fallbacks set st = fallback_selected, fallbacks = false --> alive
alive -- Host: enters(error) when st = failed set st = error --> alive
alive -- Host: enters(dispatching) when st = retry_scheduled set st = dispatching --> alive
alive -- Host: enters(dispatching) when st = fallback_selected set st = dispatching --> alive
alive -- Host: enters(failed) when st = fallback_selected set st = failed --> alive
alive -- Host: enters(canceled) when !over set st = canceled --> alive
final alive

property TL1 level should cite "arXiv:2510.14133 TL1: every task ends"                                     expect true = AG (st = created -> AF over)
property TL2 level should cite "arXiv:2510.14133 TL2: a ready external task is dispatched, or canceled"    expect true = AG (st = ready & external -> AF (st = dispatching | st = canceled))
property TL3 level should cite "arXiv:2510.14133 TL3: what follows a fallback"                             expect true = AG (st = fallback_selected -> AF (st = dispatching | st = canceled | st = failed))
property TL4 level should cite "arXiv:2510.14133 TL4: what is dispatched begins, or is canceled"           expect true = AG (st = dispatching -> AF (st = in_progress | st = canceled))
property TL5 cite "arXiv:2510.14133 TL5: dispatching is entered from ready, a retry or a fallback only"    expect true = AG (st = dispatching & Y !(st = dispatching) -> Y (st = ready | st = retry_scheduled | st = fallback_selected))
property TL6 cite "arXiv:2510.14133 TL6: completed is entered from in_progress only"                       expect true = AG (st = completed & Y !(st = completed) -> Y (st = in_progress))
property TL7 cite "arXiv:2510.14133 TL7: error is final"                                                   expect true = AG (st = error -> AG (st = error))
property TL8 cite "arXiv:2510.14133 TL8: a retry is entered from failed only"                              expect true = AG (st = retry_scheduled & Y !(st = retry_scheduled) -> Y (st = failed))
property TL9 cite "arXiv:2510.14133 TL9: canceled is final"                                                expect true = AG (st = canceled -> AG (st = canceled))
property TL10 level should cite "arXiv:2510.14133 TL10: waiting ends"                                      expect true = AG (st = awaiting -> AF (st != awaiting))
property TL11 level should cite "arXiv:2510.14133 TL11: satisfied dependencies lead to ready, or canceled" expect true = AG (st = awaiting & satisfied -> AF (st = ready | st = canceled))
property TL12 cite "arXiv:2510.14133 TL12: what follows a failure without fallback"                        expect true = AG (st = failed & !fallbacks -> AX (st = retry_scheduled | st = error | st = canceled))
property TL13 cite "arXiv:2510.14133 TL13: what follows a failure with fallback"                           expect true = AG (st = failed & fallbacks -> AX (st = retry_scheduled | st = fallback_selected | st = error | st = canceled))
property TL14 cite "arXiv:2510.14133 TL14: a retry is dispatched, or canceled"                             expect true = AG (st = retry_scheduled -> AX (st = dispatching | st = canceled))
