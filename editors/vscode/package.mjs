// Writes servanda-VERSION.vsix. The licences of the repository go with it.
import { createVSIX } from "@vscode/vsce";
import { copyFileSync, rmSync } from "node:fs";

const licences = ["LICENSE-MIT", "LICENSE-APACHE"];
licences.forEach((name) => copyFileSync(`../../${name}`, name));
try {
  await createVSIX({ dependencies: false, allowMissingRepository: true, skipLicense: true });
} finally {
  licences.forEach((name) => rmSync(name));
}
