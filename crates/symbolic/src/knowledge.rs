//! Knowledge and correct behaviour: one quantification over what an agent does not see.

use servanda_engine::{Halt, NoLimits};
use servanda_lower::Relation;
use servanda_model::AgentId;

use crate::diagrams::{Bdd, Operations};
use crate::symbolic::Symbolic;

impl Symbolic<'_> {
    /// Where the body is known.
    pub(crate) fn knows(
        &mut self,
        relation: &Relation,
        correct: &[AgentId],
        body: &Bdd,
    ) -> Result<Bdd, Halt> {
        let speaks = self.correct(correct)?;
        match relation {
            Relation::Everywhere => {
                let everywhere = speaks.without(body)?.is_false();
                Ok(if everywhere { self.universe.clone() } else { self.encoding.diagrams.falsity() })
            }
            Relation::Some(agents) => self.each_knows(agents, &speaks, body),
            Relation::All(agents) => {
                let doubtful = speaks.without(body)?.some(&self.hidden_from(agents)?)?;
                self.universe.without(&doubtful)
            }
            Relation::Common(agents) => {
                let mut common = self.universe.clone();
                loop {
                    let again = self.each_knows(agents, &speaks, &body.both(&common)?)?;
                    if again == common {
                        return Ok(common);
                    }
                    common = again;
                }
            }
        }
    }

    /// The points at which all of these behave correctly.
    pub(crate) fn correct(&self, agents: &[AgentId]) -> Result<Bdd, Halt> {
        let mut correct = self.points.clone();
        for agent in agents {
            // What is correct is said without calculations that take long.
            let red = self.encoding.truth(&self.encoding.model.agent(*agent).red, &NoLimits)?;
            correct = correct.without(&red.value)?;
        }
        Ok(correct)
    }

    fn each_knows(&self, agents: &[AgentId], speaks: &Bdd, body: &Bdd) -> Result<Bdd, Halt> {
        let doubted = speaks.without(body)?;
        let mut known = self.universe.clone();
        for agent in agents {
            known = known.without(&doubted.some(&self.hidden_from(&[*agent])?)?)?;
        }
        Ok(known)
    }

    /// The bits that none of the agents sees: others' variables, and all that is remembered for formulas.
    pub(crate) fn hidden_from(&self, agents: &[AgentId]) -> Result<Bdd, Halt> {
        let mut hidden = self.encoding.bits.iter().map(|bit| Some(bit.now)).collect::<Vec<_>>();
        for seen in self.encoding.functions.visible_to(agents) {
            hidden[seen] = None;
        }
        self.encoding.diagrams.cube(hidden.into_iter().flatten())
    }
}
