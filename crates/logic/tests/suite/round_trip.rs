//! What is printed reads back the same, and nothing makes the reader panic.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use servanda_logic::{
    ActKind, ActPattern, ActionPattern, Arg, At, Binary, Bounded, Commitment, Comprehension, Epistemic,
    EpistemicOp, Formula, Goal, Group, Join, Kind, LabelPattern, Parser, Reference, Strategic, Tag, Unary,
    Within, lex, nnf, parse_formula,
};
use servanda_syntax::Span;

fn node(kind: Kind) -> Formula {
    Formula::new(kind, Span::default())
}

/// Names that are also operators somewhere; `A[1]` and `E[1]` cannot be read as names with indices.
const AWKWARD: [&str; 23] = [
    "A", "E", "X", "F", "U", "S", "so", "and", "not", "in", "any", "sum", "AG", "EP", "K", "SC", "Cr",
    "does", "if", "then", "else", "min", "max",
];

const PLAIN: [&str; 6] = ["p", "q", "paid", "x", "Cus", "t1"];

fn reference(index: BoxedStrategy<Formula>) -> BoxedStrategy<Reference> {
    let plain = (select(&PLAIN[..]), vec(index, 0..3)).prop_map(|(name, indices)| Reference {
        name: Arc::from(name),
        indices,
        span: Span::default(),
    });
    let awkward = (select(&AWKWARD[..]), any::<bool>()).prop_map(|(name, indexed)| {
        let mut reference = Reference::plain(name, Span::default());
        if indexed && !matches!(name, "A" | "E") {
            reference.indices.push(node(Kind::Int(1)));
        }
        reference
    });
    prop_oneof![3 => plain, 1 => awkward].boxed()
}

/// A name after which something other than an operand follows, as in `M in s`: only plain ones can be read there.
fn plain_reference(index: BoxedStrategy<Formula>) -> impl Strategy<Value = Reference> {
    (select(&PLAIN[..]), vec(index, 0..2)).prop_map(|(name, indices)| Reference {
        name: Arc::from(name),
        indices,
        span: Span::default(),
    })
}

fn or_any<T: Clone + std::fmt::Debug + 'static>(strategy: BoxedStrategy<T>) -> BoxedStrategy<Arg<T>> {
    prop_oneof![1 => Just(Arg::Any), 4 => strategy.prop_map(Arg::Is)].boxed()
}

fn given<T: Clone + std::fmt::Debug + 'static>(strategy: BoxedStrategy<T>) -> BoxedStrategy<Arg<T>> {
    strategy.prop_map(Arg::Is).boxed()
}

type MaybeAny<T> = fn(BoxedStrategy<T>) -> BoxedStrategy<Arg<T>>;

fn commitment(
    inner: BoxedStrategy<Formula>,
    agent: MaybeAny<Reference>,
    tag: MaybeAny<Tag>,
    content: MaybeAny<Formula>,
) -> BoxedStrategy<Commitment> {
    let name = reference(inner.clone());
    let moment = prop_oneof![name.clone().prop_map(Tag::Name), (-5_i64..9).prop_map(Tag::Number)].boxed();
    (agent(name.clone()), agent(name), option::of(tag(moment)), content(inner))
        .prop_map(|(debtor, creditor, tag, content)| Commitment { debtor, creditor, tag, content })
        .boxed()
}

/// What acts and `active` are about.
fn subject(inner: BoxedStrategy<Formula>) -> BoxedStrategy<Arg<Formula>> {
    let name = reference(inner.clone()).prop_map(|name| node(Kind::Name(name)));
    let written =
        commitment(inner, or_any, or_any, or_any).prop_map(|written| node(Kind::Commitment(written)));
    or_any(prop_oneof![name, written].boxed())
}

fn act(inner: BoxedStrategy<Formula>) -> BoxedStrategy<ActPattern> {
    let kind = or_any(select(&ActKind::ALL[..]).boxed());
    let name = or_any(reference(inner.clone()));
    (kind, name.clone(), subject(inner.clone()), or_any(inner), name)
        .prop_map(|(kind, actor, commitment, support, third)| {
            let (support, third) = match kind {
                Arg::Any => (Some(Arg::Any), Some(Arg::Any)),
                Arg::Is(kind) => (kind.has_support().then_some(support), kind.has_third().then_some(third)),
            };
            ActPattern { kind, actor, commitment, support, third }
        })
        .boxed()
}

fn group(inner: BoxedStrategy<Formula>) -> BoxedStrategy<Group> {
    let name = reference(inner);
    prop_oneof![name.clone().prop_map(Group::Named), vec(name, 0..4).prop_map(Group::Listed)].boxed()
}

fn epistemic(inner: BoxedStrategy<Formula>) -> impl Strategy<Value = Formula> {
    let op = select(EpistemicOp::ALL.to_vec());
    let group = prop_oneof![Just(Group::Everybody), group(inner.clone())];
    (op, reference(inner.clone()), group, inner).prop_map(|(op, agent, group, body)| {
        let (one, many) = (op.has_agent(), op.has_group());
        let (agent, group) = (one.then_some(agent), many.then_some(group));
        node(Kind::Epistemic(Epistemic { op, agent, group, body }))
    })
}

fn label(inner: BoxedStrategy<Formula>) -> impl Strategy<Value = LabelPattern> {
    let name = reference(inner.clone());
    let argument = prop_oneof![Just(Arg::Any), inner.clone().prop_map(Arg::Is)];
    let arguments = option::of(vec(argument, 1..3));
    let sides = (any::<bool>(), any::<bool>());
    let action = (option::of(name.clone()), vec(name.clone(), 0..3), sides, name, arguments).prop_map(
        |(agent, to, (output, received), name, arguments)| {
            // `Cr(..)` between the parentheses of `does` is the act, and `'a` is addressed to nobody.
            let arguments = arguments.filter(|_| received || ActKind::from_name(&name.name).is_none());
            let to = if output { Vec::new() } else { to };
            LabelPattern::Action(ActionPattern { agent, to, output, name, received, arguments })
        },
    );
    let shown = "[a-z':, \"]{0,6}".prop_map(|label| LabelPattern::Shown(label.as_str().into()));
    prop_oneof![Just(LabelPattern::Any), shown, act(inner).prop_map(LabelPattern::Act), action]
}

/// Random formulas of every kind the parser can produce, sensible or not.
fn formula() -> impl Strategy<Value = Formula> {
    let unary = || {
        select(vec![
            Unary::Not,
            Unary::Minus,
            Unary::ForAll,
            Unary::Exists,
            Unary::Next,
            Unary::Finally,
            Unary::Globally,
            Unary::Previous,
            Unary::Once,
            Unary::Historically,
            Unary::AllPrevious,
            Unary::SomePrevious,
            Unary::AllPast,
            Unary::SomePast,
            Unary::Challenged,
        ])
    };
    let binary = || {
        select(vec![
            Binary::And,
            Binary::Or,
            Binary::Implies,
            Binary::Iff,
            Binary::Until,
            Binary::WeakUntil,
            Binary::Release,
            Binary::Since,
            Binary::So,
            Binary::Equal,
            Binary::NotEqual,
            Binary::Less,
            Binary::LessEqual,
            Binary::Greater,
            Binary::GreaterEqual,
            Binary::Add,
            Binary::Subtract,
            Binary::Multiply,
            Binary::Divide,
            Binary::Remainder,
            Binary::Min,
            Binary::Max,
        ])
    };
    let leaf = prop_oneof![
        any::<bool>().prop_map(|value| node(Kind::Bool(value))),
        (0_i64..12).prop_map(|number| node(Kind::Int(number))),
        reference(Just(node(Kind::Int(1))).boxed()).prop_map(|name| node(Kind::Name(name))),
    ];
    leaf.prop_recursive(5, 40, 4, move |inner| {
        let inner = inner.boxed();
        let name = reference(inner.clone());
        let join = select(vec![Join::Any, Join::All, Join::Sum]);
        let bound = select(vec!["i", "A", "in", "x"]);
        let comprehension = (join, bound, inner.clone(), inner.clone(), inner.clone()).prop_map(
            |(join, index, low, high, body)| {
                node(Kind::Comprehension(Comprehension { join, index: Arc::from(index), low, high, body }))
            },
        );
        let at = (option::of(plain_reference(inner.clone())), plain_reference(inner.clone()))
            .prop_map(|(machine, location)| node(Kind::At(At { machine, location })));
        let goal = prop_oneof![
            inner.clone().prop_map(Goal::Next),
            inner.clone().prop_map(Goal::Finally),
            inner.clone().prop_map(Goal::Globally),
            (inner.clone(), inner.clone()).prop_map(|(left, right)| Goal::Until(left, right)),
        ];
        let strategic = (group(inner.clone()), goal)
            .prop_map(|(group, goal)| node(Kind::Strategic(Strategic { group, goal })));
        let within = prop_oneof![
            inner.clone().prop_map(Within::Finally),
            inner.clone().prop_map(Within::Globally),
            (inner.clone(), inner.clone()).prop_map(|(left, right)| Within::Until(left, right)),
        ];
        let bounded = (inner.clone(), within)
            .prop_map(|(bound, goal)| node(Kind::Bounded(Bounded { bound, goal })));
        prop_oneof![
            2 => bounded,
            4 => (unary(), inner.clone()).prop_map(|(op, operand)| operand.unary(op)),
            8 => (binary(), inner.clone(), inner.clone()).prop_map(|(op, left, right)| left.binary(op, right)),
            1 => name.prop_map(|name| node(Kind::Name(name))),
            2 => comprehension,
            2 => (inner.clone(), inner.clone(), inner.clone()).prop_map(|(c, a, b)| node(Kind::If(c, a, b))),
            1 => at,
            1 => label(inner.clone()).prop_map(|label| node(Kind::Does(label))),
            1 => act(inner.clone()).prop_map(|act| node(Kind::Act(act))),
            1 => commitment(inner.clone(), given, given, given).prop_map(|written| node(Kind::Commitment(written))),
            1 => subject(inner.clone()).prop_map(|subject| node(Kind::Active(subject))),
            1 => epistemic(inner.clone()),
            1 => strategic,
        ]
    })
}

/// Does every negation stand where no operator has a dual? Contents and comparisons are not looked into.
fn is_normal(formula: &Formula) -> bool {
    match formula.kind() {
        Kind::Unary(Unary::Not, operand) => match operand.kind() {
            Kind::Bool(_) | Kind::If(..) | Kind::Joined(Join::Any | Join::All, _) => false,
            Kind::Unary(op, inner) => match op {
                Unary::Previous => is_normal(inner),
                Unary::Minus | Unary::Challenged => true,
                _ => false,
            },
            Kind::Binary(Binary::Since, left, right) => is_normal(left) && is_normal(right),
            Kind::Bounded(bounded) => {
                matches!(bounded.goal, Within::Until(..)) && bounded.goal.operands().all(is_normal)
            }
            // A negated number: no formula, but nothing to normalise either.
            Kind::Binary(op, ..) => is_arithmetic(*op),
            Kind::Comprehension(comprehension) => comprehension.join == Join::Sum,
            _ => is_normal(operand),
        },
        Kind::Binary(Binary::Implies | Binary::Iff | Binary::So, ..) | Kind::If(..) => false,
        Kind::Binary(op, left, right) => {
            is_arithmetic(*op) || is_comparison(*op) || is_normal(left) && is_normal(right)
        }
        Kind::Comprehension(comprehension) => {
            comprehension.join == Join::Sum || is_normal(&comprehension.body)
        }
        Kind::Bounded(bounded) => bounded.goal.operands().all(is_normal),
        Kind::Epistemic(epistemic) => is_normal(&epistemic.body),
        Kind::Strategic(strategic) => match &strategic.goal {
            Goal::Next(goal) | Goal::Finally(goal) | Goal::Globally(goal) => is_normal(goal),
            Goal::Until(left, right) => is_normal(left) && is_normal(right),
        },
        Kind::Unary(Unary::Minus | Unary::Challenged, _) => true,
        Kind::Unary(_, operand) => is_normal(operand),
        _ => true,
    }
}

fn is_arithmetic(op: Binary) -> bool {
    use Binary::{Add, Divide, Max, Min, Multiply, Remainder, Subtract};
    matches!(op, Add | Subtract | Multiply | Divide | Remainder | Min | Max)
}

fn is_comparison(op: Binary) -> bool {
    use Binary::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    matches!(op, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
}

/// Pieces of formulas in any order.
fn soup() -> impl Strategy<Value = String> {
    let pieces = vec![
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "<",
        ">",
        "<<",
        ">>",
        ",",
        ";",
        ":",
        ".",
        "..",
        "?",
        "'",
        "_",
        "_x",
        "-",
        "--",
        "-->",
        "->",
        "<->",
        "<=>",
        "=>",
        "=",
        "==",
        "!=",
        "<>",
        "<=",
        ">=",
        "!",
        "&",
        "|",
        "+",
        "*",
        "/",
        "%",
        "//",
        "/*",
        "*/",
        "\n",
        "0",
        "1",
        "99999999999999999999",
        "p",
        "x[1]",
        "A",
        "E",
        "X",
        "X-",
        "F",
        "G",
        "U",
        "U+",
        "W",
        "R",
        "S",
        "so",
        "Y",
        "P",
        "H",
        "AG",
        "EF",
        "F<=",
        "AG<=2",
        "U<=",
        "AY",
        "EP",
        "and",
        "or",
        "not",
        "in",
        "any i in 1..3 :",
        "if",
        "if p then",
        "then",
        "else",
        "min(",
        "max(x, 1)",
        "all i in",
        "sum i in 1..2 :",
        "true",
        "false",
        "SC(i, j,",
        "PC(",
        "Cr(i,",
        "At(i, c, p)",
        "Act(_, _)",
        "C(",
        "does(",
        "does(_)",
        "K(i,",
        "GK(",
        "KH(i, g,",
        "O(",
        "<g>X",
        "<A, B>",
        "∧",
        "⟨",
        "□",
        "#",
        "é",
        "\u{0}",
    ];
    vec(select(pieces), 0..40).prop_map(|pieces| pieces.join(" "))
}

/// Everything that can be read is read, and what fails is reported at a place inside the text.
fn read(text: &str) -> Result<(), TestCaseError> {
    let (tokens, _) = lex(text);
    prop_assert_eq!(tokens.last().map(|token| token.kind), Some(servanda_syntax::TokenKind::End));
    let mut end = 0;
    for token in &tokens {
        prop_assert!(end <= token.span.start && token.span.end as usize <= text.len());
        prop_assert!(text.get(token.span.start as usize..token.span.end as usize).is_some());
        end = token.span.end;
    }
    match parse_formula(text) {
        Ok(formula) => {
            let again = parse_formula(&formula.to_string());
            prop_assert_eq!(again, Ok(formula));
        }
        Err(errors) => {
            prop_assert!(!errors.is_empty());
            for error in errors {
                prop_assert!(error.span.end as usize <= text.len());
            }
        }
    }
    // A front end keeps on reading after a formula that failed.
    let mut parser = Parser::new(text);
    while !parser.at_end() {
        let before = parser.diagnostics.len();
        let start = parser.span();
        if parser.formula().is_none() {
            prop_assert!(!parser.diagnostics.is_empty() && parser.diagnostics.len() >= before);
        }
        if parser.span() == start {
            parser.bump();
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn printing_reads_back(formula in formula()) {
        let printed = formula.to_string();
        match parse_formula(&printed) {
            Ok(found) => prop_assert_eq!(found, formula, "{}", printed),
            Err(errors) => prop_assert!(false, "{}: {:#?}", printed, errors),
        }
    }

    #[test]
    fn normal_forms_are_normal(formula in formula()) {
        let normal = nnf(&formula);
        prop_assert!(is_normal(&normal), "{} made of {}", normal, formula);
        prop_assert_eq!(&nnf(&normal), &normal);
    }

    #[test]
    fn there_are_words_for_everything(formula in formula()) {
        let words = servanda_logic::words(&formula);
        let mut open = 0_i32;
        for letter in words.chars() {
            open += i32::from(letter == '(') - i32::from(letter == ')');
            prop_assert!(open >= 0, "{} for {}", words, formula);
        }
        prop_assert!(open == 0 && !words.is_empty(), "{} for {}", words, formula);
    }

    #[test]
    fn walking_without_change_changes_nothing(formula in formula()) {
        fn copy(formula: &Formula) -> Formula {
            formula.map_children(copy)
        }
        let copied = copy(&formula);
        prop_assert_eq!(copied.height(), formula.height());
        prop_assert_eq!(copied, formula);
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        read(&text)?;
    }

    #[test]
    fn any_pieces_are_read_or_refused(text in soup()) {
        read(&text)?;
    }

    #[test]
    fn damaged_formulas_are_read_or_refused(formula in formula(), cut in 0..200_usize, removed in 0..4_usize) {
        let text: Vec<char> = formula.to_string().chars().collect();
        let damaged: String =
            text.iter().enumerate().filter(|(at, _)| !(cut..cut + removed).contains(at)).map(|(_, c)| c).collect();
        read(&damaged)?;
    }
}
