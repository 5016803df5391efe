//! Scenarios: conversations that must be possible, or must not.

use servanda_lower::Context;
use servanda_model::{Property, Scenario, ScenarioStep};
use servanda_syntax::all;

use super::Elaborator;
use crate::ast::{ScenarioItem, ScenarioStepItem};
use crate::bindings::Bindings;
use crate::family::Families;
use crate::format::scenario_steps;

impl Elaborator<'_> {
    pub(super) fn scenario(
        &mut self,
        item: &ScenarioItem,
        bindings: &Bindings,
        names: &mut Families<()>,
    ) -> Option<Property> {
        let name = self.property_name(&item.name, bindings, names);
        let steps = all(item.steps.iter().map(|step| match step {
            ScenarioStepItem::Anything => Some(ScenarioStep::Anything),
            ScenarioStepItem::Step(does) => {
                self.checked(does, bindings, Context::Content).map(ScenarioStep::Step)
            }
        }))?;
        let formula = Scenario { steps: steps.clone() }.formula(item.open.to(item.close));
        let text = scenario_steps(item);
        Some(Property {
            expected: Some(!item.impossible),
            scenario: Some(Scenario { steps }),
            ..Property::new(name?, text, formula, item.name.span)
        })
    }
}
