//! Where states stand: in layers by their distance from the beginning, ordered such that few lines cross.

use super::StateGraph;

/// How often the layers are put into a better order.
const ROUNDS: usize = 8;

/// The states, layer by layer, from left to right.
pub(super) fn layers(graph: &StateGraph) -> Vec<Vec<usize>> {
    let count = graph.states.len();
    let mut depth = vec![usize::MAX; count];
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); count];
    for transition in &graph.transitions {
        next[transition.from].push(transition.to);
        near[transition.from].push(transition.to);
        near[transition.to].push(transition.from);
    }
    let mut layers = vec![graph.initial.clone()];
    graph.initial.iter().for_each(|state| depth[*state] = 0);
    loop {
        let mut layer = Vec::new();
        for &from in layers.last().map_or(&[][..], Vec::as_slice) {
            for &to in &next[from] {
                if depth[to] == usize::MAX {
                    depth[to] = layers.len();
                    layer.push(to);
                }
            }
        }
        if layer.is_empty() {
            break;
        }
        layers.push(layer);
    }
    let mut place = vec![0.0; count];
    let settle = |layer: &[usize], place: &mut Vec<f64>| {
        let middle = (layer.len() as f64 - 1.0) / 2.0;
        layer.iter().enumerate().for_each(|(index, state)| place[*state] = index as f64 - middle);
    };
    layers.iter().for_each(|layer| settle(layer, &mut place));
    for round in 0..ROUNDS {
        let indices: Vec<usize> =
            if round % 2 == 0 { (0..layers.len()).collect() } else { (0..layers.len()).rev().collect() };
        for index in indices {
            let layer = &mut layers[index];
            let centre = |state: usize| {
                let others = near[state].iter().filter(|other| depth[**other] != index);
                let (sum, number) =
                    others.fold((0.0, 0.0), |(sum, number), other| (sum + place[*other], number + 1.0));
                if number > 0.0 { sum / number } else { place[state] }
            };
            layer.sort_by(|a, b| centre(*a).total_cmp(&centre(*b)));
            settle(layer, &mut place);
        }
    }
    layers
}
