// Where properties and scenarios stand, found without a language server.

export interface Place {
  name: string;
  line: number;
  scenario: boolean;
}

/** The text with its comments made blank, so that places stay what they are. */
export function withoutComments(text: string): string {
  return text.replace(/"[^"\n]*"|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/g, (found) =>
    found.startsWith('"') ? found : found.replace(/[^\n]/g, " "),
  );
}

/** The properties and scenarios of a text that are not repeated by `for`, and the formulas of an ISPL file. */
export function properties(language: string, text: string): Place[] {
  return language === "pact" ? ofPact(text) : language === "ispl" ? ofIspl(text) : [];
}

function ofPact(text: string): Place[] {
  const places: Place[] = [];
  withoutComments(text).split("\n").forEach((line, index) => {
    const found = /^\s*(property|scenario)\s+(\p{L}[\p{L}0-9_]*)(?!\s*(?:\[|--))(?![\p{L}0-9_])/u.exec(line);
    if (found) places.push({ name: found[2], line: index, scenario: found[1] === "scenario" });
  });
  return places;
}

/** Formulas of ISPL have no names: they are called by their numbers. */
function ofIspl(text: string): Place[] {
  const blank = text.replace(/--[^\n]*/g, (found) => " ".repeat(found.length));
  const section = /\bFormulae\b([^]*?)\bend\s+Formulae\b/.exec(blank);
  if (!section) return [];
  const places: Place[] = [];
  let at = section.index + "Formulae".length;
  const parts = section[1].split(";");
  for (const part of parts.slice(0, -1)) {
    const offset = at + part.length - part.trimStart().length;
    if (part.trim()) places.push({ name: `formula_${places.length + 1}`, line: blank.slice(0, offset).split("\n").length - 1, scenario: false });
    at += part.length + 1;
  }
  return places;
}
