import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { extension, repository, scopes, SCOPES } from "./grammar";

/** Every file with a grammar below a directory of the repository, and below those that SERVANDA_MODELS names. */
function models(): string[] {
  const more = process.env.SERVANDA_MODELS?.split(":") ?? [];
  const directories = [join(repository, "examples"), join(repository, "crates/testkit/corpus"), ...more];
  const all = directories.flatMap((directory) =>
    readdirSync(directory, { recursive: true, encoding: "utf8" }).map((file) => join(directory, file)),
  );
  return all.filter((file) => file.slice(file.lastIndexOf(".") + 1) in SCOPES).sort();
}

/** The models of the documentation that are no examples of mistakes. */
function documented(): { language: string; text: string; place: string }[] {
  const docs = join(repository, "docs");
  return readdirSync(docs).filter((name) => name.endsWith(".md")).flatMap((name) => {
    const blocks = readFileSync(join(docs, name), "utf8").matchAll(/^```(pact|ispl|ccs)\n([^]*?)^```/gm);
    return [...blocks].map(([, language, text]) => ({ language, text, place: name }));
  });
}

const languageOf = (file: string): string => file.slice(file.lastIndexOf(".") + 1);

test("nothing in a valid file is marked as a mistake", async () => {
  const files = models();
  assert.ok(files.length > 50, `${files.length} models`);
  const texts = files.map((place) => ({ place, language: languageOf(place), text: readFileSync(place, "utf8") }));
  const blocks = documented();
  assert.ok(blocks.length > 20, `${blocks.length} blocks in the documentation`);
  for (const { place, language, text } of [...texts, ...blocks]) {
    const wrong = (await scopes(language, text)).filter((piece) => piece.scope.startsWith("invalid"));
    assert.deepEqual(wrong, [], place);
  }
});

test("every piece of a valid file has a scope of its own", async () => {
  for (const file of models()) {
    const language = languageOf(file);
    const plain = (await scopes(language, readFileSync(file, "utf8"))).filter(
      ({ scope }) => scope === SCOPES[language] || scope.startsWith("meta."),
    );
    assert.deepEqual(plain, [], file);
  }
});

/** The keywords as the parser has them. */
function keywords(): string[] {
  const source = readFileSync(join(repository, "crates/pact/src/parse.rs"), "utf8");
  const list = /const KEYWORDS: &\[&str\] = &\[([^\]]*)\]/.exec(source)?.[1] ?? "";
  return [...list.matchAll(/"(\w+)"/g)].map(([, word]) => word);
}

test("every keyword of Pact is a keyword where a statement begins, and a state before dashes", async () => {
  const words = keywords();
  assert.ok(words.length >= 26, `${words.length} keywords`);
  for (const word of words) {
    for (const text of [`${word} thing`, `  ${word} thing`, `for i in 1..2 { ${word} thing }`]) {
      const piece = (await scopes("pact", text)).find((piece) => piece.text === word);
      assert.match(piece?.scope ?? "", /^keyword\./, text);
    }
    const [state] = await scopes("pact", `${word} -- Cus: pay --> ${word}`);
    assert.deepEqual([state.text, state.scope], [word, "entity.name.label.state"]);
  }
});

test("a line that is half typed spoils only itself", async () => {
  const text = "idle -- Cus: pay when\nasked -- Mer: ship --> done\nproperty p = AF in done";
  const at = async (line: number): Promise<string[]> =>
    (await scopes("pact", text)).filter((piece) => piece.line === line).map((piece) => piece.scope);
  assert.deepEqual((await at(2)).slice(0, 3), ["entity.name.label.state", "keyword.operator.transition", "entity.name.type.role"]);
  assert.equal((await at(3))[0], "keyword.declaration");
});

const TABLE: [language: string, text: string, piece: string, scope: string][] = [
  ["pact", "var light : {green, red} = red", "red", "variable.other"],
  ["pact", "var light : {red, green}", "red", "variable.other"],
  ["pact", "roles A, B", "A", "variable.other"],
  ["pact", "property p = A X q", "A", "keyword.operator.temporal"],
  ["pact", "property p = AG (a -> F<=5 b)", "F", "keyword.operator.temporal"],
  ["pact", "property p = AG (a -> F<=5 b)", "5", "constant.numeric.bound"],
  ["pact", "property p = K(Cus, paid)", "K", "keyword.operator.knowledge"],
  ["pact", "property p level should cite \"4.2\" expect true = q", "should", "constant.language.level"],
  ["pact", "property p level should cite \"4.2\" expect true = q", "\"4.2\"", "string.quoted.double"],
  ["pact", "scenario s expect impossible { ...; Mer: sell }", "impossible", "constant.language.expected"],
  ["pact", "scenario s expect impossible { ...; Mer: sell }", "...", "keyword.operator.wildcard"],
  ["pact", "fair strong does(Mer.order?)", "strong", "keyword.declaration.modifier"],
  ["pact", "channel w from A to B of capacity 2 lossy carries m", "lossy", "keyword.other.clause"],
  ["pact", "a -- Ann -> Bob: pay!(e) --> b", "Bob", "entity.name.type.role"],
  ["pact", "a -- Ann -> Bob: pay!(e) --> b", "pay", "entity.name.function.message"],
  ["pact", "property p = _x", "_x", "invalid.illegal.name"],
  ["pact", "prop p = a ~ b", "~", "invalid.illegal.character"],
  ["pact", "property p = AG (Cr(Cus, c) -> q)", "Cr", "support.function.act"],
  ["pact", "decompose Jus(M, c, d) { 0 --[SC_M]--> 1 }", "SC_M", "string.unquoted.rule"],
  ["acts", "'accept(phi) is Ac(Slave, claim)", "is", "keyword.other.clause"],
  ["acts", "process Spec", "process", "keyword.declaration"],
  ["mapping", "[[view]] # one", "view", "entity.name.section"],
  ["mapping", "key = [\"run\"]", "key", "variable.other.key"],
  ["mapping", "when = 'has(role) & role = \"user\"'", "has", "support.function"],
  ["mapping", "when = 'has(role) & role = \"user\"'", "\"user\"", "string.quoted.double.inner"],
  ["mapping", "label = \"Agent: says_{lower(role)}\"", "lower", "support.function"],
  ["mapping", "forget = 30 # lines", "# lines", "comment.line.number-sign"],
  ["ispl", "Agent C1", "C1", "entity.name.type.agent"],
  ["ispl", "x = 1 if Action = go; // no", "//", "invalid.illegal.comment"],
  ["ispl", "AG(p -> K(C1, q));", "AG", "keyword.operator.temporal"],
  ["ccs", "proc A = 'b(x).nil", "b", "entity.name.function.action"],
  ["ccs", "proc A = 'b(x).nil", "x", "string.unquoted.content"],
  ["ccs", "proc A = b.nil;", ";", "invalid.illegal.character"],
];

test("words are what they are where they stand", async () => {
  for (const [language, text, piece, scope] of TABLE) {
    const found = (await scopes(language, text)).filter((each) => each.text === piece);
    assert.equal(found.at(-1)?.scope, scope, `${piece} in ${text}`);
  }
});

/** Compares with what is on record; UPDATE_SNAPSHOTS=1 writes it anew. */
function compare(name: string, actual: string): void {
  const path = join(extension, "test/snapshots", name);
  if (process.env.UPDATE_SNAPSHOTS) writeFileSync(path, actual);
  assert.ok(existsSync(path), `${name} is not on record`);
  assert.equal(actual, readFileSync(path, "utf8"), name);
}

for (const name of ["netbill.pact", "alternating_bit.pact", "oauth_pkce.pact", "dining3.ispl", "netbill.ccs", "pnaws.acts"]) {
  test(`the scopes of ${name} are those on record`, async () => {
    const pieces = await scopes(languageOf(name), readFileSync(join(extension, "test/models", name), "utf8"));
    compare(`${name}.scopes`, pieces.map(({ line, text, scope }) => `${line}\t${scope}\t${text}\n`).join(""));
  });
}
