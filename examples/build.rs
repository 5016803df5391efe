//! The examples of this directory and of those below it.

fn main() -> std::io::Result<()> {
    servanda_embed::write(".", &["pact", "ispl", "ccs", "acts"])
}
