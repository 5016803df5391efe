//! The pages of this directory and of `errors`.

fn main() -> std::io::Result<()> {
    servanda_embed::write(".", &["md"])
}
