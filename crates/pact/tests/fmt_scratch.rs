#[test]
fn scratch() {
    let Ok(paths) = std::env::var("PACT_FMT") else { return };
    for path in paths.split_whitespace() {
        let text = std::fs::read_to_string(path).unwrap();
        println!("{}", servanda_pact::format(&text).unwrap());
    }
}
