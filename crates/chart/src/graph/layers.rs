//! Where states stand: in layers by their distance from the beginning, ordered such that few lines cross.

use super::Picture;

/// How often the layers are put into a better order.
const ROUNDS: usize = 8;

/// The states, layer by layer, from left to right; and the layer of each.
pub(super) fn layers(graph: &Picture) -> (Vec<Vec<usize>>, Vec<usize>) {
    let count = graph.boxes.len();
    let mut depth = vec![usize::MAX; count];
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); count];
    graph.initial.iter().for_each(|state| depth[*state] = 0);
    // States and transitions are in the order of a breadth-first search, so the first way to a state is a shortest one.
    for transition in &graph.transitions {
        near[transition.from].push(transition.to);
        near[transition.to].push(transition.from);
        depth[transition.to] = depth[transition.to].min(depth[transition.from] + 1);
    }
    let mut layers = vec![Vec::new(); depth.iter().max().map_or(1, |deepest| deepest + 1)];
    depth.iter().enumerate().for_each(|(state, depth)| layers[*depth].push(state));
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
    (layers, depth)
}
