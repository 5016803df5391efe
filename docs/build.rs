//! The pages of `errors`.

fn main() -> std::io::Result<()> {
    servanda_embed::write("errors", &["md"])
}
