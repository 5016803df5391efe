//! The files of `dist`, as they were built from their sources.

fn main() -> std::io::Result<()> {
    servanda_embed::write("dist", &[])
}
