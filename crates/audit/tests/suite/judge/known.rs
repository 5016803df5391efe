//! Words that people would write, on protocols that people use.

use servanda_audit::judge::{Decided, Event, Judge, Move, Possible, Standing, Status, Step, Terms, Verdict};
use servanda_engine::NoLimits;
use servanda_model::CommitmentId;
use servanda_pact::Protocol;

/// One request of an MCP session.
pub(crate) const REQUEST: &str = "
    protocol MCP_request
    roles Requestor, Responder
    var answered, dropped : bool = false
    commitment answer = SC(Responder, Requestor, F (answered | dropped))
    start fresh
    fresh    -- Requestor: request                              --> asked
    fresh    -- Requestor: request_tracked                      --> asked_tracked
    asked         -- Cr(Responder, answer)                      --> sent
    asked_tracked -- Cr(Responder, answer)                      --> tracked
    sent     -- Sat(Responder, answer) set answered = true      --> done
    tracked  -- Responder: progress                             --> tracked
    tracked  -- Sat(Responder, answer) set answered = true      --> done
    sent     -- Requestor: cancel    set dropped = true         --> released
    tracked  -- Requestor: cancel    set dropped = true         --> released
    released -- Wit(Responder, answer)                          --> given_up
    given_up -- Responder: progress                             --> given_up
    given_up -- Responder: respond_late set answered = true     --> late
    sent     -- close                                           --> cut
    tracked  -- close                                           --> cut
    given_up -- close                                           --> over
    done     -- close                                           --> over
    late     -- close                                           --> over
    property is_answered   = A F (answered | dropped)
    property no_answer_after_cancel = A G !in late
    property nothing_cut_off = A G !in cut
    property can_be_done = EF in done
";

/// One task of MCP, whose receiver moves unseen between two polls.
const TASK: &str = "
    roles Requestor, Receiver
    var st : {none, working, input, completed, failed} = none
    prop terminal = st = completed | st = failed
    commitment finish = SC(Receiver, Requestor, F terminal)
    start fresh
    fresh -- Receiver: shows_working set st = working            --> born
    born  -- Cr(Receiver, finish)                                --> live
    live -- Receiver: moves when st = working  set st = input    --> live
    live -- Receiver: moves when st = input    set st = working  --> live
    live -- Receiver: moves when !terminal     set st = completed --> live
    live -- Receiver: moves when !terminal     set st = failed   --> live
    live -- Receiver: shows_working         when st = working    --> live
    live -- Receiver: shows_completed       when st = completed  --> live
    live -- Receiver: shows_failed          when st = failed     --> live
    live -- close                                                --> left
    property finishes = A F terminal
    property fails = A F st = failed
";

pub(super) struct Slice<'m> {
    pub(super) judge: Judge<'m>,
    pub(super) at: Standing,
}

impl<'m> Slice<'m> {
    pub(super) fn new(protocol: &'m Protocol, terms: &Terms) -> Self {
        let judge = Judge::new(&protocol.model, &protocol.properties, terms, &NoLimits).expect("a model");
        let at = judge.begin().standing;
        Slice { judge, at }
    }

    /// What a line decides; `None` where it is not possible.
    pub(super) fn say(&mut self, text: &str) -> Option<Vec<Decided>> {
        let letter = self.judge.letter(text);
        match self.judge.step(self.at, letter, &NoLimits).expect("no limits") {
            Step::Went { to, news } => {
                self.at = to;
                Some(self.judge.news(news).to_vec())
            }
            Step::NotPossible => None,
            Step::TooMany => panic!("too many standings"),
        }
    }

    pub(super) fn verdicts(&self) -> Vec<&'static str> {
        let count = self.judge.end(self.at).verdicts.len();
        (0..count).map(|property| self.judge.verdict(self.at, property).word()).collect()
    }
}

pub(super) fn silent(labels: &[&str]) -> Terms {
    Terms { silent: labels.iter().map(|label| (*label).to_owned()).collect(), ..Terms::default() }
}

fn of_answer(event: Event) -> Decided {
    Decided::Commitment { commitment: CommitmentId(0), event }
}

pub(super) fn property(property: usize, verdict: Verdict) -> Decided {
    Decided::Property { property, verdict }
}

#[test]
fn a_request_that_is_answered() {
    let protocol = servanda_testkit::load(REQUEST);
    let mut slice = Slice::new(&protocol, &Terms::default());
    // Whether it can be done is judged now, the others on the run.
    assert_eq!(slice.verdicts(), ["open", "open", "open", "true"]);
    assert_eq!(slice.say("Requestor: request").unwrap(), []);
    assert_eq!(slice.say("Cr(Responder, answer)").unwrap(), [of_answer(Event::Created)]);
    let in_force = slice.judge.in_force(slice.at);
    assert_eq!((in_force.len(), in_force[0].certainly, in_force[0].status), (1, true, Status::Open));
    let owed = slice.judge.end(slice.at).owed;
    assert_eq!((owed.len(), owed[0].status), (1, Status::Broken), "the answer never came");
    let answered = slice.say("Sat(Responder, answer)").unwrap();
    let expected = [
        property(0, Verdict::True),
        property(1, Verdict::True),
        property(2, Verdict::True),
        of_answer(Event::Kept),
    ];
    assert_eq!(answered, expected);
    assert_eq!(slice.say("close").unwrap(), [property(3, Verdict::False)]);
    assert!(slice.judge.is_over(slice.at));
    assert_eq!(slice.judge.end(slice.at).owed, []);
    assert_eq!(slice.say("close"), None);
}

#[test]
fn a_request_that_is_cancelled_and_answered_all_the_same() {
    let protocol = servanda_testkit::load(REQUEST);
    let mut slice = Slice::new(&protocol, &Terms::default());
    for text in ["Requestor: request", "Cr(Responder, answer)"] {
        slice.say(text).unwrap();
    }
    // What was promised has come true: it was dropped. So nobody is released from anything.
    let cancelled = slice.say("Requestor: cancel").unwrap();
    assert!(cancelled.contains(&of_answer(Event::Kept)) && cancelled.contains(&property(0, Verdict::True)));
    assert_eq!(slice.say("Wit(Responder, answer)").unwrap(), []);
    let late = slice.judge.place("given_up").unwrap();
    assert!(slice.judge.is_in(slice.at, late));
    assert_eq!(slice.say("Responder: respond_late").unwrap(), [property(1, Verdict::False)]);
    assert!(!slice.judge.is_in(slice.at, late));
}

#[test]
fn promises_that_are_taken_back_and_announced_too_early() {
    let text = "
        roles A, B
        var paid : bool = false
        commitment pay = SC(A, B, F paid)
        start idle
        idle -- Cr(A, pay) --> owing
        owing -- Wit(A, pay) --> idle
        owing -- Rel(B, pay) --> idle
        owing -- Sat(A, pay) --> idle
        owing -- Vio(A, pay) --> idle
        owing -- A: break --> broken
        broken -- Sat(A, pay) --> idle
        idle -- A: pay set paid = true --> idle
        owing -- A: pay set paid = true --> owing
        broken -- A: sulk --> broken
    ";
    let protocol = servanda_testkit::load(text);
    let mut slice = Slice::new(&protocol, &Terms::default());
    for (act, event) in [
        ("Wit(A, pay)", "Released { by: Some(Withdraw) }"),
        ("Rel(B, pay)", "Released { by: Some(Release) }"),
        ("Sat(A, pay)", "Claimed"),
        ("Vio(A, pay)", "Released { by: Some(Violate) }"),
    ] {
        assert_eq!(slice.say("Cr(A, pay)").unwrap(), [of_answer(Event::Created)]);
        let Some([Decided::Commitment { event: found, .. }]) = slice.say(act).as_deref().map(|all| [all[0]])
        else {
            panic!("nothing was decided by {act}");
        };
        assert_eq!(format!("{found:?}"), event);
        assert_eq!(slice.judge.in_force(slice.at), []);
    }
    assert_eq!(slice.say("Cr(A, pay)").unwrap(), [of_answer(Event::Created)]);
    assert_eq!(slice.say("A: pay").unwrap(), [of_answer(Event::Kept)]);
    assert_eq!(slice.say("Sat(A, pay)").unwrap(), []);
}

#[test]
fn a_task_that_moves_unseen() {
    let protocol = servanda_testkit::load(TASK);
    let mut slice = Slice::new(&protocol, &silent(&["Receiver: moves"]));
    slice.say("Receiver: shows_working").unwrap();
    assert_eq!(slice.say("Cr(Receiver, finish)").unwrap(), [of_answer(Event::Created)]);
    assert_eq!(slice.judge.states(slice.at).len(), 4);
    assert_eq!(slice.say("Receiver: shows_working").unwrap(), []);
    assert_eq!(slice.verdicts(), ["open", "open"]);
    let completed = slice.say("Receiver: shows_completed").unwrap();
    let expected = [property(0, Verdict::True), property(1, Verdict::False), of_answer(Event::Kept)];
    assert_eq!(completed, expected);
    let before = slice.at;
    assert_eq!(slice.say("Receiver: shows_working"), None);
    assert_eq!(slice.at, before);
    // Nothing can be missing: a task does not come back. So the line is one too many.
    let letter = slice.judge.letter("Receiver: shows_working");
    let explained = slice.judge.explain(slice.at, &[letter], &NoLimits).unwrap().unwrap();
    assert_eq!(
        (explained.cost, explained.moves, explained.standing),
        (1, vec![Move::Dropped { line: 0 }], before)
    );
}

#[test]
fn where_a_run_may_stand_the_unseen_counts() {
    let protocol = servanda_testkit::load(TASK);
    let mut slice = Slice::new(&protocol, &silent(&["Receiver: moves"]));
    slice.say("Receiver: shows_working").unwrap();
    slice.say("Cr(Receiver, finish)").unwrap();
    slice.say("close").unwrap();
    // It may have finished before the session was closed, and may not have.
    let end = slice.judge.end(slice.at);
    assert_eq!(end.verdicts, [Verdict::Open, Verdict::Open]);
    assert_eq!((end.owed.len(), end.owed[0].certainly, end.owed[0].status), (1, true, Status::Open));
}

#[test]
fn what_is_missing_is_named() {
    let protocol = servanda_testkit::load(REQUEST);
    let mut slice = Slice::new(&protocol, &Terms::default());
    slice.say("Requestor: request").unwrap();
    assert_eq!(slice.say("Sat(Responder, answer)"), None);
    let possible =
        [Possible { role: Some("Responder".to_owned()), labels: vec!["Cr(Responder, answer)".to_owned()] }];
    assert_eq!(slice.judge.possible(slice.at, "Sat(Responder, answer)"), possible);
    let trail = ["Requestor: request", "Sat(Responder, answer)"].map(|text| slice.judge.letter(text));
    let begun = slice.judge.begin().standing;
    let explained = slice.judge.explain(begun, &trail, &NoLimits).unwrap().unwrap();
    let moves: Vec<String> = explained.moves.iter().map(|found| format!("{found:?}")).collect();
    assert_eq!(moves[0], "Kept { line: 0 }");
    assert!(moves[1].starts_with("Inserted { before: 1"), "{moves:?}");
    assert_eq!(explained.cost, 1);
    let done = slice.judge.place("done").unwrap();
    assert!(slice.judge.is_in(explained.standing, done));
}

#[test]
fn the_likeliest_comes_first() {
    let protocol = servanda_testkit::load(REQUEST);
    let mut slice = Slice::new(&protocol, &Terms::default());
    for text in ["Requestor: request_tracked", "Cr(Responder, answer)"] {
        slice.say(text).unwrap();
    }
    let possible = slice.judge.possible(slice.at, "Responder: progres");
    let roles: Vec<Option<&str>> = possible.iter().map(|group| group.role.as_deref()).collect();
    assert_eq!(roles, [Some("Responder"), Some("Requestor"), None]);
    assert_eq!(possible[0].labels, ["Responder: progress", "Sat(Responder, answer)"]);
}

#[test]
fn labels_are_found_by_what_they_are_called() {
    let text = "
        type state = {submitted, working}
        message task(state)
        roles Client, Agent
        commitment finish = SC(Agent, Client, F in done)
        start idle
        idle -- Agent -> Client: task(submitted) --> idle
        idle -- Agent -> Client: task(working) --> idle
        idle -- Client: task(working) --> idle
        idle -- Cr(Agent, finish) --> done
        idle -- close --> done
    ";
    let protocol = servanda_testkit::load(text);
    let mut labels = servanda_audit::judge::Labels::new(&protocol.model).unwrap();
    let mut found = |text: &str| labels.find(text).map(|found| found.len());
    for (text, count) in [
        ("Agent -> Client: task(submitted)", 1),
        ("Agent: task(working)", 1),
        ("Agent: task", 2),
        ("task(working)", 2),
        ("task(_)", 3),
        ("Cr(Agent, finish)", 1),
        ("Cr(Agent, SC(Agent, Client, F in done))", 1),
        ("Cr(_, _)", 1),
        ("close", 1),
        ("_", 5),
        ("Client: task(submitted)", 0),
        ("Sat(Agent, finish)", 0),
    ] {
        assert_eq!(found(text).expect(text), count, "{text}");
    }
    for (text, help) in [("Agnt: close", "Agent"), ("Agent: tsk(working)", "task")] {
        let errors = found(text).expect_err(text);
        let said = format!("{:?}", errors[0]);
        assert!(said.contains(help), "{text}: {said}");
    }
    for text in ["", "Agent:", "Agent: task(", "close close", "\u{0}", "Cr(Agent"] {
        assert!(found(text).is_err(), "{text:?}");
    }
}
