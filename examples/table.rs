//! Titles that the name of a file does not give, and sentences that its comment does not.

/// Name, title, and what it is about (empty: the comment says it). The order is the one in which examples are shown; what is not here
/// comes after, by name.
const ROWS: &[(&str, &str, &str)] = &[
    (
        "netbill.pact",
        "NetBill",
        "A customer and a merchant: quote, offer, payment, delivery, and either may back out or cheat.",
    ),
    ("escrow.pact", "Escrow", ""),
    ("contract_net.pact", "Contract net", ""),
    (
        "auction2.pact",
        "Auction",
        "One auctioneer sells one item to 2 bidders; a bid is a promise to pay if the item is won.",
    ),
    ("sealed_auction.pact", "Sealed-bid auction", ""),
    ("two_phase_commit.pact", "Two-phase commit", ""),
    ("a2a_task.pact", "A2A: the life of a task", ""),
    ("oauth_code.pact", "OAuth 2: authorization code", ""),
    ("oauth_pkce.pact", "OAuth 2: with proof key (PKCE)", ""),
    ("needham_schroeder.pact", "Needham–Schroeder, with the attack", ""),
    ("needham_schroeder_lowe.pact", "Needham–Schroeder–Lowe", ""),
    ("alternating_bit.pact", "Alternating bit", ""),
    ("leader_election.pact", "Leader election on a ring", ""),
    (
        "muddy_children.pact",
        "Muddy children",
        "What children know about their own foreheads, and learn from what is said and not said.",
    ),
    ("handshake.pact", "Handshake", ""),
    ("tunnel.pact", "Trains and a tunnel", ""),
    ("pnaws.pact", "PNAWS", ""),
    (
        "customer.pact",
        "A customer for NetBill",
        "An agent that is compared with its protocol: it always accepts an offer, and always pays.",
    ),
    ("figure2.pact", "Figure 2 of the ACTL* paper", ""),
    ("netbill.ispl", "NetBill in ISPL", ""),
    ("pnaws.ispl", "PNAWS in ISPL", ""),
    (
        "dining3.ispl",
        "Dining cryptographers",
        "Three cryptographers find out whether one of them paid, and not who.",
    ),
    (
        "faulty3.ispl",
        "Dining cryptographers, one faulty",
        "Three cryptographers of whom one may say the opposite of what he sees.",
    ),
    ("trains3.ispl", "Three trains", "Three trains share a tunnel, and a controller keeps the light."),
    ("transmission1-2005.ispl", "Bit transmission, silent receiver", ""),
    ("transmission2-2005.ispl", "Bit transmission, lying receiver", ""),
    ("netbill.ccs", "NetBill in CCS", ""),
    ("pnaws.ccs", "PNAWS in CCS", ""),
    ("pnaws-agents.ccs", "PNAWS in CCS: two agents", ""),
    ("pnaws-sessions.ccs", "PNAWS in CCS: five sessions", ""),
    ("scheduler.ccs", "Milner's scheduler", ""),
    ("papers/actl.pact", "ACTL*: PNAWS", ""),
    ("papers/ctlca.pact", "CTL*CA: PNAWS", ""),
    (
        "papers/figure2.pact",
        "ACTL*: the dialogue of Fig. 2",
        "The dialogue game of Fig. 2 of the ACTL* paper: creation, challenge, justification.",
    ),
    ("papers/netbill.pact", "ACTL*: NetBill", ""),
    (
        "papers/tunnel-2.pact",
        "UMC: trains and a tunnel",
        "Train, gate and controller of the UMC paper, with its two trains.",
    ),
    (
        "papers/dining-2005-3.ispl",
        "Dining cryptographers, 2005",
        "Three cryptographers in the dialect of ISPL of 2005: one flat local state per agent.",
    ),
    (
        "papers/faulty-2005-3.ispl",
        "Faulty cryptographers, 2005",
        "Three cryptographers of whom one may fail, in the dialect of ISPL of 2005.",
    ),
    (
        "papers/transmission-2005-1.ispl",
        "Bit transmission 1, 2005",
        "Bit transmission with a receiver that may fail to acknowledge, in the dialect of 2005.",
    ),
    (
        "papers/transmission-2005-2.ispl",
        "Bit transmission 2, 2005",
        "Bit transmission with a receiver that may acknowledge what it never received.",
    ),
    ("part2/active.pact", "What is in force", ""),
    ("part2/init.pact", "Initial states", ""),
    ("part2/use.pact", "A protocol that uses another", ""),
    ("part2/weak-is-not-enough.pact", "Weak fairness is not enough", ""),
];

/// The title and the sentence of an example, where they are here.
pub(crate) fn described(name: &str) -> (Option<&'static str>, Option<&'static str>) {
    match ROWS.iter().find(|row| row.0 == name) {
        Some((_, title, about)) => (Some(title), Some(*about).filter(|about| !about.is_empty())),
        None => (None, None),
    }
}

/// Where an example is in the order.
pub(crate) fn rank(name: &str) -> usize {
    ROWS.iter().position(|row| row.0 == name).unwrap_or(ROWS.len())
}

/// All names that are here.
#[cfg(test)]
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    ROWS.iter().map(|row| row.0)
}
