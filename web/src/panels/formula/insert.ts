// A formula made a property of the text.
import type { Language } from "../../protocol";

export interface Inserted { text: string; line: number }

/** Why a formula cannot become a property of a text; nothing where it can. */
export function hindrance(language: Language, text: string): string | null {
  if (language === "ccs") return "CCS files have no properties: keep the formula in the history, or put it into an acts file.";
  if (language === "ispl" && endOfFormulae(text) < 0) return "The file has no line `end Formulae` to put it before.";
  return null;
}

/** A name that the text does not use yet. */
export function freshName(text: string): string {
  for (let number = 1; ; number++) {
    const name = `property_${number}`;
    if (!new RegExp(`\\b${name}\\b`).test(text)) return name;
  }
}

/** Is it a name that a property can have? */
export const isName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);

/** The text with the formula in it: in Pact after the last property or at the end, in ISPL as the last of the formulas. */
export function insertProperty(language: Language, text: string, name: string, formula: string): Inserted {
  const flat = formula.trim().replace(/\s*\n\s*/g, " ");
  const lines = text.split("\n");
  if (language === "ispl") {
    const at = endOfFormulae(text);
    lines.splice(at, 0, `  ${flat.replace(/;\s*$/, "")};`);
    return { text: lines.join("\n"), line: at + 1 };
  }
  // After the last line that is not empty: blocks that are open cannot be torn apart there.
  let at = lines.length;
  while (at > 0 && lines[at - 1]?.trim() === "") at--;
  const before = /^\s*property\b/.test(lines[at - 1] ?? "") || at === 0 ? [] : [""];
  lines.splice(at, lines.length - at, ...before, `property ${name} = ${flat}`, "");
  return { text: lines.join("\n"), line: at + before.length + 1 };
}

function endOfFormulae(text: string): number {
  return text.split("\n").findIndex((line) => /^\s*end\s+Formulae\b/.test(line));
}
