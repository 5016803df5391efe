//! Charts made by hand, and checks that every drawing must pass.

use servanda_chart::{
    Bar, Chart, Commitment, End, Explanation, Flight, Fold, Happening, Landing, Moment, Plan, Section, Step,
    html, mermaid, svg, text,
};

/// A moment with facts and notes.
pub(crate) fn moment(facts: &[&str], notes: &[&str]) -> Moment {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    Moment { facts: owned(facts), notes: owned(notes) }
}

fn step(happening: Happening, after: Moment) -> Step {
    Step { happening, full: String::new(), after }
}

/// A chart in which everything occurs that can.
pub(crate) fn everything() -> Explanation {
    let message = |from, to, label: &str| Happening::Message { from, to: vec![to], label: label.to_owned() };
    let steps = vec![
        step(message(0, 1, "Cr(c1)"), moment(&["in owed"], &[])),
        step(message(1, 0, "Ch(c1)"), moment(&["in asked"], &["`in owed` is false"])),
        step(
            message(0, 2, "Def(c1, a support that is much longer than any arrow is between two lifelines)"),
            moment(&[], &[]),
        ),
        step(
            Happening::Message { from: 1, to: vec![0, 2], label: "announce".to_owned() },
            moment(&["said = true"], &[]),
        ),
        step(Happening::Own { at: 2, label: "think".to_owned() }, moment(&["x = 3", "y = 4"], &[])),
        step(Happening::Nobody("reset".to_owned()), moment(&["in idle"], &[])),
        step(
            Happening::Together(vec!["wait".to_owned(), "enter".to_owned(), "green".to_owned()]),
            moment(&[], &[]),
        ),
        step(message(0, 1, "Vio(c1)"), moment(&["in broken"], &[])),
        step(Happening::Deadlock, moment(&[], &[])),
    ];
    let commitment = |number: usize, text: &str, debtor| Commitment {
        tag: format!("c{number}"),
        text: text.to_owned(),
        debtor,
    };
    let commitments = vec![
        commitment(1, "SC(Ann, Bob, F paid)", Some(0)),
        commitment(2, "SC(Bob, Ann, ?F paid)", Some(1)),
        commitment(3, "SC(Eve, Ann, G quiet)", Some(2)),
        commitment(4, "SC(Eve, Bob, F heard)", Some(2)),
        commitment(5, "SC(Bob, Eve, X said)", None),
    ];
    let bar = |commitment, from, end| Bar { commitment, from, end };
    let bars = vec![
        bar(0, 1, End::Violated(8)),
        bar(1, 2, End::Replaced(3)),
        bar(2, 0, End::Satisfied(4)),
        bar(3, 5, End::Withdrawn(6)),
        bar(4, 3, End::InForce),
    ];
    let names = ["Ann", "Bob", "Eve"].map(str::to_owned).to_vec();
    let chart = Chart {
        number: 1,
        title: "A counterexample".to_owned(),
        remarks: vec!["At every moment: `paid` is false".to_owned()],
        lifelines: names,
        first: moment(&["in idle", "paid = false"], &["`AF paid` is false: from here `G !paid`"]),
        steps,
        repeats_from: Some(4),
        flights: Vec::new(),
        folds: Vec::new(),
        commitments,
        bars,
    };
    let plan = Plan {
        number: 2,
        title: "How Ann can bring about `F paid`".to_owned(),
        choices: vec![("in idle".to_owned(), "Ann: pay".to_owned())],
        ends: vec!["in done".to_owned()],
        left_out: 3,
        legend: vec!["paying = SC(Ann, Bob, F paid)".to_owned()],
    };
    Explanation {
        title: "always_paid".to_owned(),
        formula: "AF paid".to_owned(),
        summary: vec!["always_paid is false, and this shows it.".to_owned()],
        sections: vec![Section::Chart(chart), Section::Plan(plan)],
    }
}

/// A chart of messages in channels: received in order and out of order, by whom they were sent, lost, repeated, under way at the
/// beginning and at the end; time passes.
pub(crate) fn channels() -> Explanation {
    let sent = |from, label: &str| Happening::Sent { from, label: label.to_owned() };
    let received = |at, label: &str| Happening::Received { at, label: label.to_owned() };
    let nobody = |label: &str| Happening::Nobody(label.to_owned());
    let happenings = vec![
        sent(0, "order(1)"),
        sent(0, "order(2)"),
        sent(2, "bill"),
        received(1, "order?(1)"),
        Happening::Tick("tick: age = 1".to_owned()),
        received(0, "bill?"),
        nobody("wire.repeat"),
        Happening::Message { from: 0, to: vec![1, 2], label: "hurry".to_owned() },
        received(1, "order?(2)"),
        nobody("wire.lose"),
        sent(1, "note to oneself"),
        received(1, "note to oneself?"),
        sent(2, "goods"),
        received(2, "greeting?"),
    ];
    let flight = |label: &str, sender, receiver, from, end| Flight {
        label: label.to_owned(),
        sender,
        receiver,
        from,
        copy_of: None,
        end,
    };
    let flights = vec![
        flight("greeting", Some(0), Some(2), 0, Landing::Received(14)),
        flight("order(1)", Some(0), Some(1), 1, Landing::Received(4)),
        flight("order(2)", Some(0), Some(1), 2, Landing::Received(9)),
        flight("bill", Some(2), Some(0), 3, Landing::Received(6)),
        Flight { copy_of: Some(2), ..flight("order(2)", Some(0), Some(1), 7, Landing::Lost(10)) },
        flight("note to oneself", Some(1), Some(1), 11, Landing::Received(12)),
        flight("goods", Some(2), None, 13, Landing::UnderWay),
    ];
    let chart = Chart {
        number: 1,
        title: "A witness".to_owned(),
        lifelines: ["Ann", "Bob", "Eve"].map(str::to_owned).to_vec(),
        steps: happenings.into_iter().map(|happening| step(happening, moment(&[], &[]))).collect(),
        flights,
        ..Chart::default()
    };
    Explanation {
        title: "it".to_owned(),
        formula: "EF done".to_owned(),
        sections: vec![Section::Chart(chart)],
        ..Explanation::default()
    }
}

/// A long chart of which a part is not drawn.
pub(crate) fn folded() -> Explanation {
    let message =
        |from, to: usize, label: &str| Happening::Message { from, to: vec![to], label: label.to_owned() };
    let mut steps = vec![step(message(0, 1, "begin"), moment(&[], &[]))];
    for round in 0..30 {
        steps.push(step(message(0, 1, "ping"), moment(&[&format!("count = {round}")], &[])));
        steps.push(step(message(1, 0, "pong"), moment(&[], &[])));
    }
    for number in 0..30 {
        let label = format!("different {number}");
        steps.push(step(message(number % 2, 1 - number % 2, &label), moment(&[], &[])));
    }
    let bar = |from, end| Bar { commitment: 0, from, end };
    let chart = Chart {
        number: 1,
        title: "A counterexample".to_owned(),
        lifelines: ["Ann", "Bob"].map(str::to_owned).to_vec(),
        steps,
        folds: vec![Fold { from: 3, to: 61, period: 2, after: moment(&["count = 29"], &[]) }],
        commitments: vec![Commitment {
            tag: "paying".to_owned(),
            text: "SC(Ann, Bob, F paid)".to_owned(),
            debtor: Some(0),
        }],
        bars: vec![
            bar(2, End::Satisfied(4)),
            bar(5, End::Withdrawn(7)),
            bar(9, End::Satisfied(62)),
            bar(63, End::InForce),
        ],
        ..Chart::default()
    };
    Explanation { sections: vec![Section::Chart(chart)], ..Explanation::default() }
}

/// Everything that every drawing of every explanation must be; gives the drawings that are markup.
pub(crate) fn check_drawings(explanation: &Explanation) {
    for width in [40, 64, 80, 100, 120] {
        for line in text(explanation, width).lines() {
            assert!(line.chars().count() <= width, "wider than {width}: {line}");
            assert!(!line.chars().any(char::is_control), "{line:?}");
        }
    }
    let drawing = svg(explanation);
    well_formed(&drawing);
    well_formed(&html(explanation));
    let diagram = mermaid(explanation);
    assert!(diagram.starts_with("sequenceDiagram\n"));
    for line in diagram.lines().skip(1) {
        let known =
            ["title", "participant", "Note over", "activate", "deactivate", "loop", "rect", "end", "p"];
        let word = line.trim_start();
        assert!(known.iter().any(|known| word.starts_with(known)), "{line}");
    }
    let count = |word: &str| diagram.lines().filter(|line| line.trim_start().starts_with(word)).count();
    assert_eq!(count("activate"), count("deactivate"));
    assert_eq!(count("loop") + count("rect"), diagram.lines().filter(|line| line.trim() == "end").count());
}

/// Well-formed, without scripts, and without anything from elsewhere.
pub(crate) fn well_formed(markup: &str) {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() };
    let document = roxmltree::Document::parse_with_options(markup, options)
        .unwrap_or_else(|error| panic!("{error}:\n{markup}"));
    let mut ids = Vec::new();
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        let name = node.tag_name().name();
        assert!(
            !["script", "image", "img", "link", "iframe", "foreignObject", "a", "use"].contains(&name),
            "{name}"
        );
        for attribute in node.attributes() {
            assert!(
                !attribute.name().starts_with("on") && attribute.name() != "href",
                "{}",
                attribute.name()
            );
            if attribute.name() == "id" {
                assert!(!ids.contains(&attribute.value().to_owned()), "id {} twice", attribute.value());
                ids.push(attribute.value().to_owned());
            }
            if name == "svg" && ["width", "height"].contains(&attribute.name()) {
                assert!(attribute.value().parse::<u32>().unwrap() > 0);
            }
        }
    }
    assert!(!markup.contains("url(") && !markup.contains("@import"));
}
