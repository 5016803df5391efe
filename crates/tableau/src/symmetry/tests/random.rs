//! Random models of several that are alike, mostly, and random formulas about them.

use servanda_logic::{Formula, parse_formula};
use servanda_model::{
    AgentId, Command, CommitmentId, Domain, Effect, Expr, Label, Model, Promise, Variable, VariableId,
    Visibility,
};
use servanda_syntax::Span;
use servanda_testkit::random::Dice;

/// How many kinds of steps there are, and how many labels each of them may have.
const KINDS: usize = 3;

/// Some workers that are alike, mostly, somebody who is not, and what they share.
pub(super) struct Random {
    dice: Dice,
    pub(super) model: Model,
    workers: usize,
}

/// What a worker has of its own: where it is, and something that only it sees.
struct Own {
    place: VariableId,
    secret: VariableId,
    agent: AgentId,
    promise: CommitmentId,
}

/// What a kind of step does, for whichever worker.
#[derive(Clone)]
struct Kind {
    label: usize,
    numbered: bool,
    from: i64,
    to: i64,
    secret: Option<i64>,
    keeps: Option<i64>,
    shared: Option<i64>,
    shares: Option<i64>,
    /// Is it the one that is named, is nobody named, is somebody else?
    named: usize,
    names: usize,
    /// All others must not be at this place; somebody else must be.
    nobody_at: Option<i64>,
    somebody_at: Option<i64>,
    promises: usize,
    many: Option<i64>,
}

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let mut model = Model::new("Random");
        let workers = 3 + dice.below(2);
        let boss = model.add_agent("Boss", Span::default());
        let mut own = Vec::new();
        // Some promise that looks like the others and is another.
        let odd = if dice.chance(15) { 1 + dice.below(workers) } else { 0 };
        let initially = if dice.chance(30) { vec![0, 1] } else { vec![0] };
        for worker in 1..=workers {
            let agent = model.add_agent(format!("P{worker}"), Span::default());
            let variable = |name: String, high: i64, initial: &[i64], visibility: Visibility| {
                Variable::new(name, Domain::Range { low: 0, high }, initial.to_vec(), visibility)
            };
            let place = model.add_variable(variable(format!("c{worker}"), 2, &[0], Visibility::Public));
            let private = Visibility::Private(agent);
            let secret = model.add_variable(variable(format!("s{worker}"), 1, &initially, private));
            let owed = if worker == odd { 1 } else { 2 };
            let content = parse_formula(&format!("F c{worker} = {owed}")).expect("a formula");
            let promise = model.add_commitment(Promise { debtor: agent, creditor: boss, tag: None, content });
            own.push(Own { place, secret, agent, promise });
        }
        let whole = |name: &str, high: usize| {
            let domain = Domain::Range { low: 0, high: high as i64 };
            Variable::new(name, domain, vec![0], Visibility::Public)
        };
        let shared = model.add_variable(whole("v", 2));
        let named = model.add_variable(whole("w", workers));
        let mut random = Random { dice, model, workers };
        let different = random.dice.chance(25);
        let kinds: Vec<Kind> = (0..2 + random.dice.below(3)).map(|_| random.kind()).collect();
        // The order in which things are declared must not matter.
        let backwards = random.dice.chance(50);
        for kind in &kinds {
            let mut of_all = Vec::new();
            for worker in 0..workers {
                let mut kind = kind.clone();
                if different && worker == 1 && random.dice.chance(50) {
                    kind = random.kind();
                }
                of_all.push(random.command(&own, worker, &kind, (shared, named)));
            }
            if backwards {
                of_all.reverse();
            }
            of_all.into_iter().for_each(|command| random.model.add_command(command));
        }
        if random.dice.chance(50) {
            let (from, to) = (random.value(), random.value());
            let label = random.model.add_label(Label::message("boss", Some(boss)));
            let mut updates = vec![(shared, Expr::Constant(to))];
            if random.dice.chance(50) {
                updates.push((named, Expr::Constant(0)));
            }
            let guard = Expr::variable(shared).equals(Expr::Constant(from));
            random.model.add_command(Command { guard, updates, by: Some(boss), ..Command::new(label) });
        }
        random
    }

    fn value(&mut self) -> i64 {
        self.dice.below(3) as i64
    }

    fn maybe(&mut self, percent: usize) -> Option<i64> {
        let value = self.value();
        self.dice.chance(percent).then_some(value)
    }

    fn kind(&mut self) -> Kind {
        Kind {
            label: self.dice.below(KINDS),
            numbered: self.dice.chance(50),
            from: self.value(),
            to: self.value(),
            secret: self.maybe(30).map(|value| value % 2),
            keeps: self.maybe(30).map(|value| value % 2),
            shared: self.maybe(30),
            shares: self.maybe(30),
            named: self.dice.below(8),
            names: self.dice.below(6),
            nobody_at: self.maybe(20),
            somebody_at: self.maybe(20),
            promises: self.dice.below(4),
            many: self.maybe(15),
        }
    }

    fn command(
        &mut self,
        own: &[Own],
        worker: usize,
        kind: &Kind,
        (shared, named): (VariableId, VariableId),
    ) -> Command {
        let number = Expr::Constant;
        let is = |variable: VariableId, value: i64| Expr::variable(variable).equals(number(value));
        let Own { place, secret, agent, promise } = own[worker];
        let name = if kind.numbered {
            format!("m{}_{}", kind.label, worker + 1)
        } else {
            format!("m{}", kind.label)
        };
        let label = self.model.add_label(Label::message(name, Some(agent)));
        let me = worker as i64 + 1;
        let mut guard = vec![is(place, kind.from)];
        guard.extend(kind.secret.map(|value| is(secret, value)));
        guard.extend(kind.shared.map(|value| is(shared, value)));
        match kind.named {
            0 => guard.push(is(named, me)),
            1 => guard.push(is(named, 0)),
            2 => guard.push(is(named, me).negate()),
            _ => {}
        }
        let others =
            || own.iter().enumerate().filter(move |(other, _)| *other != worker).map(|(_, own)| own.place);
        guard.extend(
            kind.nobody_at.into_iter().flat_map(|value| others().map(move |other| is(other, value).negate())),
        );
        guard.extend(kind.somebody_at.map(|value| Expr::or(others().map(|other| is(other, value)))));
        guard.extend(kind.many.map(|value| {
            let sum = own.iter().fold(number(0), |sum, own| sum.plus(Expr::variable(own.place)));
            number(value).less_than(sum)
        }));
        let mut updates = vec![(place, number(kind.to))];
        updates.extend(kind.keeps.map(|value| (secret, number(value))));
        updates.extend(kind.shares.map(|value| (shared, number(value))));
        match kind.names {
            0 => updates.push((named, number(me))),
            1 => updates.push((named, number(0))),
            _ => {}
        }
        let effect = match kind.promises {
            0 => Effect { add: vec![promise], ..Effect::default() },
            1 => Effect { remove: vec![promise], ..Effect::default() },
            _ => Effect::default(),
        };
        Command { guard: Expr::and(guard), updates, effect, by: Some(agent), ..Command::new(label) }
    }

    fn worker(&mut self) -> usize {
        1 + self.dice.below(self.workers)
    }

    /// The same of every worker, joined; or of one alone.
    fn of_workers(&mut self, mut text: impl FnMut(&mut Self, usize) -> String) -> String {
        let chosen = self.worker();
        match self.dice.below(5) {
            0 => text(self, chosen),
            turn => {
                // Everything that is left to chance is the same for all.
                let seed = self.dice.below(1 << 30) as u64;
                let parts: Vec<String> = (1..=self.workers)
                    .map(|worker| {
                        let own = std::mem::replace(&mut self.dice, Dice::new(seed));
                        let part = format!("({})", text(self, worker));
                        self.dice = own;
                        part
                    })
                    .collect();
                let joined = parts.join(if turn % 2 == 0 { " & " } else { " | " });
                format!("({joined})")
            }
        }
    }

    /// A condition on one worker and what is shared.
    fn atom(&mut self, worker: usize) -> String {
        let value = self.value();
        match self.dice.below(7) {
            0 => format!("v = {value}"),
            1 => format!("w = {worker}"),
            2 => format!("s{worker} = {}", value % 2),
            3 => "w = 0".to_owned(),
            4 => format!("v = {value} | c{worker} = {value}"),
            _ => format!("c{worker} = {value}"),
        }
    }

    fn condition(&mut self) -> String {
        self.of_workers(|this, worker| this.atom(worker))
    }

    fn step(&mut self) -> String {
        let kind = self.dice.below(KINDS);
        match self.dice.below(3) {
            0 => format!("does(m{kind})"),
            1 => format!("does(m{kind}_{})", self.worker()),
            _ => {
                let all: Vec<String> =
                    (1..=self.workers).map(|worker| format!("does(m{kind}_{worker})")).collect();
                format!("({})", all.join(" | "))
            }
        }
    }

    /// What may be said of one worker at a state, besides conditions.
    fn modality(&mut self, worker: usize) -> String {
        let (atom, other) = (self.atom(worker), self.atom(worker));
        let somebody = self.worker();
        match self.dice.below(11) {
            0 => format!("K(Boss, {atom})"),
            1 => format!("K(P{worker}, {atom})"),
            2 => format!("K(P{somebody}, {atom})"),
            3 => format!("SC(P{worker}, Boss, F ({atom}))"),
            9 => format!("SC(P{worker}, Boss, F c{worker} = 2)"),
            10 => format!("SC(P{worker}, Boss, F c{worker} = 1)"),
            4 => format!("<P{worker}>F ({atom})"),
            5 => format!("<Boss>G ({atom})"),
            6 => format!("EF ({atom})"),
            7 => format!("EX ({atom})"),
            _ => format!("A (({atom}) U ({other}))"),
        }
    }

    /// A state formula; `None` where it came out as none.
    pub(super) fn formula(&mut self) -> Option<Formula> {
        let (p, q, step) = (self.condition(), self.condition(), self.step());
        let modal = self.of_workers(|this, worker| this.modality(worker));
        let implied = self.of_workers(|this, worker| {
            let (condition, modality) = (this.atom(worker), this.modality(worker));
            format!("({condition}) -> {modality}")
        });
        let text = match self.dice.below(14) {
            0 => format!("AG ({p})"),
            1 => format!("EF (({p}) & ({q}))"),
            2 => format!("AF ({p})"),
            3 => format!("AG (({p}) -> AF ({q}))"),
            4 => format!("AG EF ({p})"),
            5 => format!("A (G ({step} -> X ({p})))"),
            6 => format!("E (F ({step} & X G ({q})))"),
            7 => format!("A ((G F ({p})) -> (G F {step}))"),
            8 | 9 => format!("AG ({implied})"),
            10 => format!("EF ({modal})"),
            11 => format!("AG (({p}) -> ({modal}))"),
            12 => modal,
            _ => format!("E ((({p}) | {step}) U (({q}) & ({modal})))"),
        };
        // Not every model has all steps that are asked for.
        parse_formula(&text).ok()
    }
}
