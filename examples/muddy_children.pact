// The muddy children, for two. Each sees the other's forehead and not its own. Their father says that one of them at least is muddy, and
// asks who knows whether it is; then it is quiet again. What was said tells them more than what they see afterwards: with
// `--recall 4` everything below is true.
protocol Muddy_children
roles Ann, Bob

// Who sees it, not who has it: the mud on Ann's forehead is seen by Bob.
private var ann of Bob : bool = {false, true}
private var bob of Ann : bool = {false, true}

start play
play     -- one_at_least when ann | bob   --> asked
play     -- laugh        when !ann & !bob --> clean
asked    -- nobody_knows when ann & bob   --> silence
asked    -- ann_knows    when !bob        --> ann_told
asked    -- bob_knows    when !ann        --> bob_told
silence  -- go_on                         --> later
ann_told -- go_on                         --> later
bob_told -- go_on                         --> later
later    -- go_on                         --> later
clean    -- go_on                         --> clean

property told_is_known   expect true  = AG (in ann_told -> K(Bob, ann & !bob))
property silence_tells   expect true  = AG (in silence -> K(Ann, ann) & K(Bob, bob))
property and_all_know_it expect true  = AG (in silence -> GCK(ann & bob))
property it_is_kept      expect false = AG (in later & ann & bob -> K(Ann, ann))
property all_keep_it     expect false = AG (in later & ann & bob -> GCK(ann & bob))
