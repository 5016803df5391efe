use servanda_syntax::SourceFile;
#[test]
fn scratch() {
    let Ok(paths) = std::env::var("PACT_FILES") else { return };
    for path in paths.split_whitespace() {
        let text = std::fs::read_to_string(path).unwrap();
        let source = SourceFile::new(path, text);
        let loaded = servanda_pact::load(&source, &[]);
        for d in &loaded.diagnostics {
            let p = source.place(d.span.start);
            println!(
                "{path}:{}:{}: {} {} {} [{}]",
                p.line,
                p.column,
                d.severity.word(),
                d.code,
                d.message,
                d.help.clone().unwrap_or_default()
            );
        }
        if let Some(p) = &loaded.protocol {
            println!(
                "{path}: agents {} vars {} machines {} commands {} props {}",
                p.model.agents.len(),
                p.model.variables.len(),
                p.model.machines.len(),
                p.model.commands.len(),
                p.properties.len()
            );
        }
    }
}
