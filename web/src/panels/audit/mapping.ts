// What a mapping needs besides itself.

/** The models that a mapping names, each once, in their order. */
export function modelsOf(mapping: string): string[] {
  const names = [...mapping.matchAll(/^\s*model\s*=\s*(?:"([^"]+)"|'([^']+)')/gm)].map((match) => match[1] ?? match[2] ?? "");
  return [...new Set(names)];
}

/** The path of a model that a mapping names: beside the mapping. */
export function beside(mappingPath: string, model: string): string {
  const parts = [...mappingPath.split("/").slice(0, -1), ...model.split("/")];
  const out: string[] = [];
  for (const part of parts) {
    if (part === "..") out.pop();
    else if (part !== "." && part !== "") out.push(part);
  }
  return out.join("/");
}
