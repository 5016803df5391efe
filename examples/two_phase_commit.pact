// Two-phase commit with crashes (Gray 1978): the participants vote, the coordinator decides and tells. Votes and the decision are written
// down before they are said, so whoever comes back after a crash goes on where he was. Nobody ever disagrees; but a participant that
// voted yes is blocked, in doubt, until the coordinator is back.
protocol TwoPhaseCommit
param N = 2
roles Coordinator, Part[1..N]
type Log = {working, ready, committed, aborted}

message vote[1..N](yes : bool)
message decide[1..N](commit : bool)
for i in 1..N {
  channel up[i] from Part[i] to Coordinator carries vote[i]
  channel down[i] from Coordinator to Part[i] carries decide[i]
}
private var decision of Coordinator : {open, commit, abort} = open
private var all_yes of Coordinator : bool = true
for i in 1..N {
  private var heard[i], told[i] of Coordinator : bool = false
  private var log[i] of Part[i] : Log = working
  commitment follow[i] = SC(Part[i], Coordinator, decision = commit -> F (log[i] = committed))
}

machine Lead of Coordinator {
  start voting
  for i in 1..N {
    voting   -- Coordinator: vote[i]?(yes) set heard[i] = true, all_yes = all_yes & yes --> voting
    deciding -- Coordinator: decide[i]!(decision = commit) when !told[i] set told[i] = true --> deciding
    deciding -- Coordinator: vote[i]?(_) --> deciding
  }
  voting   -- Coordinator: agree when all_yes & all i in 1..N : heard[i] set decision = commit --> deciding
  voting   -- Coordinator: refuse when !all_yes set decision = abort --> deciding
  voting   -- Coordinator: crash --> down
  down     -- Coordinator: recover set decision = if decision = open then abort else decision --> deciding
  deciding -- Coordinator: crash --> down
  deciding -- Coordinator: rest when all i in 1..N : told[i] --> over
  final over
}
for i in 1..N {
  machine P[i] of Part[i] {
    start working
    working  -- Cr(Part[i], follow[i])   set log[i] = ready                              --> promised
    promised -- Part[i]: vote[i]!(true)                                                  --> ready
    working  -- Part[i]: vote[i]!(false) set log[i] = aborted                            --> ended
    working  -- Part[i]: crash           set log[i] = aborted                            --> gone  // no vote was written down
    gone     -- Part[i]: vote[i]!(false)                                                 --> ended
    ready    -- Part[i]: decide[i]?(yes) set log[i] = if yes then committed else aborted --> ended
    ready    -- Part[i]: crash                                                           --> away
    away     -- Part[i]: recover                                                         --> ready
    ended    -- Part[i]: decide[i]?(_)                                                   --> ended
    final ended
  }
}

// Crashes end, and who is up goes on.
fair weak does(Coordinator.recover)
fair strong does(rest)
fair strong does(agree)
fair strong does(refuse)
for i in 1..N {
  fair strong does(Coordinator.vote[i]?)
  fair strong does(decide[i])
  fair strong does(Part[i].decide[i]?)
  fair weak does(vote[i])
  fair weak does(Part[i].recover)
  fair weak does(Cr(Part[i], follow[i]))
}

property agreement     expect true  = AG !((any i in 1..N : log[i] = committed) & any i in 1..N : log[i] = aborted)
property all_wanted_it expect true  = AG (decision = commit -> all i in 1..N : log[i] = ready | log[i] = committed)
property promises_kept expect true  = AG all i in 1..N : active(follow[i]) -> A (decision = commit -> F (log[i] = committed))
property in_doubt      expect true  = AG all i in 1..N : log[i] = ready -> !K(Part[i], decision = commit) & !K(Part[i], decision = abort)
property told_is_known expect true  = AG all i in 1..N : log[i] = committed -> K(Part[i], decision = commit)
property can_commit    expect true  = EF all i in 1..N : log[i] = committed
property all_decided   expect true  = AF all i in 1..N : log[i] = committed | log[i] = aborted
property no_waiting    expect false = AG all i in 1..N : log[i] = ready -> E[!does(recover) U log[i] != ready]
