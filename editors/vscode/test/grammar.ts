// Reads the grammars as VS Code does: the same library, the same regular expressions.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRequire } from "node:module";
import * as oniguruma from "vscode-oniguruma";
import * as textmate from "vscode-textmate";

export const extension = process.cwd();
export const repository = join(extension, "..", "..");
const files = ["formula", "pact", "acts", "ispl", "ccs", "mapping"];

const load = async (): Promise<textmate.Registry> => {
  const wasm = createRequire(join(extension, "package.json")).resolve("vscode-oniguruma/release/onig.wasm");
  await oniguruma.loadWASM(readFileSync(wasm));
  const grammars = files.map((name) => join(extension, "syntaxes", `${name}.tmLanguage.json`));
  const raw = new Map(
    grammars.map((path) => {
      const grammar = textmate.parseRawGrammar(readFileSync(path, "utf8"), path);
      return [grammar.scopeName, grammar];
    }),
  );
  return new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => raw.get(scope) ?? null,
  });
};
const registry = load();

export const SCOPES: Record<string, string> = {
  pact: "source.pact",
  acts: "source.servanda.acts",
  mapping: "source.servanda.mapping",
  ispl: "source.ispl",
  ccs: "source.ccs",
};

export interface Piece {
  line: number;
  text: string;
  /** The most special scope. */
  scope: string;
}

/** All pieces of a text that are not white space, with their scopes. */
export async function scopes(language: string, text: string): Promise<Piece[]> {
  const grammar = await (await registry).loadGrammar(SCOPES[language]);
  if (!grammar) throw new Error(`no grammar for ${language}`);
  let stack = textmate.INITIAL;
  const pieces: Piece[] = [];
  text.split(/\r?\n/).forEach((line, index) => {
    const result = grammar.tokenizeLine(line, stack);
    stack = result.ruleStack;
    for (const token of result.tokens) {
      const piece = line.slice(token.startIndex, token.endIndex).trim();
      if (piece) pieces.push({ line: index + 1, text: piece, scope: token.scopes[token.scopes.length - 1] });
    }
  });
  return pieces;
}
