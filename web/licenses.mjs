// The licences of what a bundle contains, which their authors ask to go with it. The extension of the editor uses it too.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Licences that may be in a bundle. */
const WELCOME = ["MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD"];

/** Writes the licences of the packages that a bundle was made from. */
export function writeLicenses(metafile, path) {
  const packages = new Set(
    Object.keys(metafile.inputs).map((input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]).filter(Boolean),
  );
  const texts = [...packages].sort().map((directory) => {
    const { name, version, license } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
    if (!WELCOME.includes(license)) throw new Error(`${name} has the licence ${license}`);
    const file = readdirSync(directory).find((each) => /^licen[cs]e/i.test(each));
    if (!file) throw new Error(`${name} has no licence text`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(directory, file), "utf8").trim()}\n`;
  });
  writeFileSync(path, texts.join(`\n${"-".repeat(78)}\n\n`));
}
